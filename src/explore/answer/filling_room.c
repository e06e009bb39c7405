/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of a machine that inputs are held against. */
#include "explore/answer/filling_room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/latency.h"
#include "machine/system.h"
#include "model/model.h"

static int parameter_of(struct term_graph *graph, const struct machine *machine, const char *path)
{
    struct error ignored;
    int term;
    return model_parameter_term(graph, machine, path, &term, &ignored) ? -1 : term;
}

static int total_of(struct term_graph *graph, const struct machine *machine, const char *name)
{
    struct error ignored;
    int term;
    return model_total_term(graph, machine, name, &term, &ignored) ? -1 : term;
}

/* A parameter so many times; -1 where it is unknown. */
static int times(struct term_graph *graph, const struct machine *machine, const char *path,
                 double count)
{
    int term = parameter_of(graph, machine, path);
    if (term < 0 || count == 1)
        return term;
    return term_product(graph, NULL, term, term_constant(graph, NULL, count, DIM_NONE));
}

/* The latency as a step of the way (machine/latency.h). */
static int step_of(struct term_graph *graph, const struct machine *machine, const char *path,
                   double count)
{
    struct latency_step step;
    struct error ignored;
    bool plain;
    int sum = -1;
    if (latency_step_of(machine, path, &plain, &step, &ignored))
        return -1;
    if (plain)
        return times(graph, machine, path, count);
    for (int part = 0; part < LATENCY_PART_COUNT; part++) {
        char buffer[128];
        if (step.times[part] == 0)
            continue;
        const char *own = latency_path(machine, (enum latency_part)part, buffer, sizeof buffer);
        int term = own ? times(graph, machine, own, count * step.times[part]) : -1;
        if (term < 0)
            return -1;
        sum = sum < 0 ? term : term_sum(graph, NULL, sum, term);
    }
    return sum;
}

/* An idle load from memory of the own domain, past the levels that few machines have. */
static int memory_latency(struct term_graph *graph, const struct machine *machine)
{
    const char *crossbar = machine_has(machine, "p2p") ? "p2p.latency" : "noc.latency";
    int sum = step_of(graph, machine, "l1.latency", 1);
    int more[] = {step_of(graph, machine, crossbar, 2), step_of(graph, machine, "llc.latency", 1),
                  step_of(graph, machine, "memory.latency", 1)};
    if (more[2] < 0) /* most of it */
        return -1;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i] >= 0)
            sum = sum < 0 ? more[i] : term_sum(graph, NULL, sum, more[i]);
    return sum;
}

/* Levels that domains or larger scopes share, and hold any line. */
static void add_caches(struct term_graph *graph, const struct machine *machine,
                       const struct system *system, struct filling_terms *out)
{
    size_t n = 0;
    for (uint32_t i = 1; i < system->n_levels; i++) {
        const struct system_level *level = &system->levels[i];
        struct parameter p;
        struct error ignored;
        char path[80];
        snprintf(path, sizeof path, "%s.capacity", level->name);
        if (level->scope < PER_PARTITION || level->filter != FILTER_ALL ||
            machine_find(machine, path, &p, &ignored))
            continue;
        double count = strcmp(p.row->per, "SM") == 0 ? system->sms : system->chips;
        int term = times(graph, machine, path, count);
        if (term < 0)
            continue;
        out->terms[FILLING_CACHES + n] = term;
        out->caches[n++] = level->name;
    }
}

void filling_terms_add(struct term_graph *graph, const struct machine *machine,
                       struct filling_terms *out)
{
    struct system system;
    struct error ignored;
    double chips;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < FILLING_NUMBERS; i++)
        out->terms[i] = -1;
    if (system_compile(&system, machine, 0, &ignored))
        return;
    if (machine_number(machine, "cta.chips", &chips, &ignored) || chips == 0)
        chips = system.chips;
    out->terms[FILLING_SMS] = term_constant(graph, NULL, chips * system.sms_per_chip, DIM_NONE);
    out->terms[FILLING_WARPS] = parameter_of(graph, machine, "sm.warps");
    out->terms[FILLING_ISSUE] = parameter_of(graph, machine, "sm.issue");
    out->terms[FILLING_MEMORY_RATE] = total_of(graph, machine, "total.memory_bandwidth");
    out->terms[FILLING_LINK_RATE] =
        system.chips > 1 ? total_of(graph, machine, "total.link_bandwidth") : -1;
    out->terms[FILLING_L1_LATENCY] = step_of(graph, machine, "l1.latency", 1);
    out->terms[FILLING_MEMORY_LATENCY] = memory_latency(graph, machine);
    add_caches(graph, machine, &system, out);
}

struct filling_room filling_room_unknown(void)
{
    struct filling_room room = {.caches = {NULL}};
    for (int i = 0; i < FILLING_NUMBERS; i++)
        room.numbers[i] = (double)NAN;
    return room;
}

struct filling_room filling_room_of(const struct machine *machine)
{
    struct term_graph *graph = term_graph_create();
    struct filling_terms terms;
    struct filling_room room = filling_room_unknown();
    struct error ignored;
    filling_terms_add(graph, machine, &terms);
    double *inputs = memory_zero((size_t)term_input_count(graph), sizeof *inputs);
    double *values = memory_zero((size_t)term_count(graph), sizeof *values);
    if (model_bind(graph, machine, inputs, &ignored) == 0) {
        term_evaluate(graph, inputs, values);
        memcpy(room.caches, terms.caches, sizeof room.caches);
        for (int i = 0; i < FILLING_NUMBERS; i++)
            if (terms.terms[i] >= 0)
                room.numbers[i] = values[terms.terms[i]];
    }
    free(inputs);
    free(values);
    term_graph_destroy(graph);
    return room;
}
