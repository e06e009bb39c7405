/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latencies from load to use as steps. */
#include "machine/latency.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine/internal.h"
#include "machine/links.h"
#include "machine/translation.h"

/* A machine with its levels, which are looked for once. */
struct ways {
    const struct machine *machine;
    struct machine_levels levels;
    struct machine_tlbs tlbs;
};

static int ways_of(const struct machine *machine, struct ways *out, struct error *error)
{
    *out = (struct ways){.machine = machine};
    int status = machine_levels(machine, false, &out->levels, error);
    return status ? status : machine_tlbs(machine, &out->tlbs, error);
}

/* The section of a part; "" of a level that there is not. */
static const char *section_of(const struct ways *w, enum latency_part part)
{
    static const char *const sections[LATENCY_PART_COUNT] = {
        [LATENCY_L1] = "l1",
        [LATENCY_P2P] = "p2p",
        [LATENCY_NOC] = "noc",
        [LATENCY_LLC] = "llc",
        [LATENCY_INTER] = "inter",
        [LATENCY_MEMORY] = "memory",
        [LATENCY_CROSSING] = "crossing",
    };
    int level = (int)part - LATENCY_LEVEL;
    if (part == LATENCY_TLB)
        return w->tlbs.n ? w->tlbs.names[0] : "";
    if (sections[part])
        return sections[part];
    return level >= 0 && level < w->levels.n ? w->levels.names[level] : "";
}

static const char *path_of(const struct ways *w, enum latency_part part, char *buffer, size_t size)
{
    struct parameter p;
    const char *section = section_of(w, part);
    if (part == LATENCY_SWITCH)
        snprintf(buffer, size, "inter.switch_latency");
    else if (part == LATENCY_NODES && machine_role(w->machine, ROLE_NODE_LATENCY, &p))
        parameter_path(&p, buffer, size);
    else if (!section[0])
        return NULL;
    else
        snprintf(buffer, size, "%s.latency", section);
    return buffer;
}

const char *latency_path(const struct machine *machine, enum latency_part part, char *buffer,
                         size_t size)
{
    struct ways w;
    struct error ignored;
    return ways_of(machine, &w, &ignored) ? NULL : path_of(&w, part, buffer, size);
}

enum latency_is { STEP, LOAD_TO_USE, MEAN_LOAD_TO_USE };

/* --- sums --------------------------------------------------------------------------- */

static void add(struct latency_step *sum, const struct latency_step *step, double times)
{
    for (int i = 0; i < LATENCY_PART_COUNT; i++)
        sum->times[i] += times * step->times[i];
}

static void add_part(struct latency_step *sum, enum latency_part part, double times)
{
    sum->times[part] += times;
}

/* --- what the machine says -------------------------------------------------------------- */

static double number_or(const struct machine *machine, const char *path, double fallback)
{
    struct error ignored;
    double value;
    return machine_number(machine, path, &value, &ignored) ? fallback : value;
}

static bool named(const struct machine *machine, const char *section, const char *field,
                  const char *value)
{
    struct parameter p;
    char path[64];
    snprintf(path, sizeof path, "%s.%s", section, field);
    if (!machine_lookup(machine, path, &p))
        return false;
    const struct parameter_value *is = &p.section->values[p.index];
    return is->known && strcmp(is->name, value) == 0;
}

/* L1 nodes outside the SMs, reached over ports that are built. */
static bool has_nodes(const struct machine *machine)
{
    struct parameter ports;
    return number_or(machine, "l1.nodes", 0) > 0 &&
           machine_role(machine, ROLE_NODE_PORTS, &ports) &&
           !named(machine, ports.section->name, ports.row->field, "full");
}

static enum latency_is kind_of(const struct ways *w, enum latency_part part)
{
    if (part < LATENCY_LEVEL || part == LATENCY_SWITCH ||
        part == LATENCY_TLB) /* there is nothing before them, or they are passed by */
        return STEP;
    const char *section = section_of(w, part);
    if (named(w->machine, section, "latency_is", "mean-load-to-use"))
        return MEAN_LOAD_TO_USE;
    return named(w->machine, section, "latency_is", "load-to-use") ? LOAD_TO_USE : STEP;
}

/* Levels between L1 and the LLC that requests for lines of the own domain look up, or for others'.
 */
static bool looks_up(const struct ways *w, enum latency_part level, bool remote)
{
    return (int)level - LATENCY_LEVEL < w->levels.n &&
           !named(w->machine, section_of(w, level), "filter", remote ? "local" : "remote");
}

/* --- ways --------------------------------------------------------------------------------- */

static int step_of(const struct ways *w, enum latency_part part, struct latency_step *out,
                   struct error *error);

/* From a warp to the crossbar's other side and back, and the levels before `end`. */
static int way_near(const struct ways *w, enum latency_part end, bool remote,
                    struct latency_step *sum, struct error *error)
{
    bool p2p = machine_has(w->machine, "p2p");
    add_part(sum, LATENCY_L1, 1);
    if (w->tlbs.n)
        add_part(sum, LATENCY_TLB, 1);
    if (has_nodes(w->machine))
        add_part(sum, LATENCY_NODES, 1);
    if (p2p || machine_has(w->machine, "noc"))
        add_part(sum, p2p ? LATENCY_P2P : LATENCY_NOC, 2);
    for (int level = LATENCY_LEVEL; level < (int)end && level < LATENCY_LLC; level++) {
        struct latency_step step;
        if (!looks_up(w, (enum latency_part)level, remote))
            continue;
        int status = step_of(w, (enum latency_part)level, &step, error);
        if (status)
            return status;
        add(sum, &step, 1);
    }
    return 0;
}

/* Hops between two chips and switches on the way, there and back; 0: there is one chip. */
static int hops_of(const struct machine *machine, double *hops, double *switches,
                   struct error *error)
{
    struct link_graph links;
    *hops = *switches = 0;
    if (number_or(machine, "chips", 1) == 1)
        return 0;
    int status = link_graph_build(machine, &links, error);
    if (status)
        return status;
    struct link_way way = link_graph_way(&links);
    *hops = 2 * way.hops;
    *switches = 2 * way.switches;
    link_graph_fini(&links);
    return way.own_s == 0 ? 0
                          : error_set(error, STATUS_INPUT,
                                      "latency_is: a figure from load to use of another chip, or a "
                                      "mean over chips, and listed edges with a latency of their "
                                      "own: give the figure as a step");
}

/* The crossing there and back, to another partition of the chip. */
static int way_across(const struct ways *w, struct latency_step *sum, struct error *error)
{
    struct latency_step step;
    if (!machine_has(w->machine, "crossing"))
        return 0;
    int status = step_of(w, LATENCY_CROSSING, &step, error);
    if (!status)
        add(sum, &step, 2);
    return status;
}

/* What an LLC hit at home in another domain takes beyond one in the own domain; `linked`: with the
 * links' own latency. Hops and switches are mean, there and back. */
static int way_far(const struct ways *w, bool other_chip, bool linked, struct latency_step *sum,
                   struct error *error)
{
    double hops = 0, switches = 0;
    struct latency_step near = {{0}}, far = {{0}}, link;
    double crossbars = 2.0 * (machine_has(w->machine, "p2p") + (other_chip ? 1 : 0));
    int status = way_near(w, LATENCY_LLC, false, &near, error);
    if (!status)
        status = way_near(w, LATENCY_LLC, true, &far, error);
    if (!status && other_chip)
        status = hops_of(w->machine, &hops, &switches, error);
    if (!status && !other_chip)
        status = way_across(w, sum, error);
    if (status)
        return status;
    add_part(sum, LATENCY_SWITCH, switches);
    add(sum, &far, 1);
    add(sum, &near, -1);
    if (machine_has(w->machine, "noc"))
        add_part(sum, LATENCY_NOC, crossbars);
    if (hops == 0 || !linked)
        return 0;
    status = step_of(w, LATENCY_INTER, &link, error);
    if (!status)
        add(sum, &link, hops);
    return status;
}

/* What a home in any domain takes beyond the own one, mean. */
static int way_mean(const struct ways *w, struct latency_step *sum, struct error *error)
{
    struct latency_step chip = {{0}}, beyond = {{0}};
    double chips = number_or(w->machine, "chips", 1);
    double partitions = number_or(w->machine, "partitions", 1), domains = chips * partitions;
    int status = 0;
    if (partitions > 1)
        status = way_far(w, false, false, &chip, error);
    if (!status && chips > 1)
        status = way_far(w, true, true, &beyond, error);
    add(sum, &chip, (partitions - 1) / domains);
    add(sum, &beyond, (chips - 1) * partitions / domains);
    return status;
}

/* The way to the level that answers, without its own step. */
static int way_to(const struct ways *w, enum latency_part part, struct latency_step *sum,
                  struct error *error)
{
    bool remote = part < LATENCY_LLC && !looks_up(w, part, false);
    struct latency_step llc;
    int status = way_near(w, part, remote, sum, error);
    if (status || part <= LATENCY_LLC)
        return status;
    status = step_of(w, LATENCY_LLC, &llc, error);
    if (status)
        return status;
    add(sum, &llc, 1);
    return part == LATENCY_INTER ? way_far(w, true, false, sum, error) : 0;
}

static int step_of(const struct ways *w, enum latency_part part, struct latency_step *out,
                   struct error *error)
{
    enum latency_is is = kind_of(w, part);
    bool elsewhere = part == LATENCY_INTER || part == LATENCY_CROSSING;
    struct latency_step before = {{0}};
    double hops = part == LATENCY_CROSSING ? 2 : 1, switches;
    *out = (struct latency_step){{0}};
    add_part(out, part, 1);
    if (is == STEP)
        return 0;
    if (elsewhere && kind_of(w, LATENCY_LLC) == MEAN_LOAD_TO_USE)
        return error_set(error, STATUS_INPUT,
                         "%s.latency_is and llc.latency_is: a mean over %s and a figure of "
                         "another %s need each other's steps; give one of them as a step",
                         section_of(w, part), part == LATENCY_INTER ? "chips" : "partitions",
                         part == LATENCY_INTER ? "chip" : "partition");
    int status = way_to(w, part, &before, error);
    if (!status && is == MEAN_LOAD_TO_USE && !elsewhere)
        status = way_mean(w, &before, error);
    if (!status && part == LATENCY_INTER)
        status = hops_of(w->machine, &hops, &switches, error);
    add(out, &before, -1);
    for (int i = 0; i < LATENCY_PART_COUNT && hops > 0; i++)
        out->times[i] /= hops;
    return status;
}

/* --- for those who add ---------------------------------------------------------------- */

int latency_step_of(const struct machine *machine, const char *path, bool *plain,
                    struct latency_step *out, struct error *error)
{
    struct ways w;
    int part = 0, status = ways_of(machine, &w, error);
    for (; part < LATENCY_PART_COUNT; part++) {
        char buffer[128];
        const char *own = path_of(&w, (enum latency_part)part, buffer, sizeof buffer);
        if (own && strcmp(own, path) == 0)
            break;
    }
    *plain = part == LATENCY_PART_COUNT || kind_of(&w, (enum latency_part)part) == STEP ||
             (part == LATENCY_INTER && number_or(machine, "chips", 1) == 1) ||
             (part == LATENCY_CROSSING && number_or(machine, "partitions", 1) == 1);
    return status || *plain ? status : step_of(&w, (enum latency_part)part, out, error);
}

/* Which figure it is, and what stands against it. */
static int too_short(const struct machine *machine, const char *path, double step_s,
                     struct error *error)
{
    char figure[64], way[64];
    double value = 0;
    machine_number(machine, path, &value, error);
    quantity_format((struct quantity){value, DIM_SECONDS}, 4, figure, sizeof figure);
    quantity_format((struct quantity){-step_s, DIM_SECONDS}, 4, way, sizeof way);
    error_set(error, STATUS_INPUT,
              "%s: %s from load to use are less than the steps on the way there take, by %s", path,
              figure, way);
    error_hint(error, "latencies of what comes before add up: give a longer one, or say that it is "
                      "a step (latency_is: step)");
    return STATUS_INPUT;
}

static int step_seconds(const struct machine *machine, const struct latency_step *step, double *out,
                        struct error *error)
{
    double sum = 0, value = 0;
    int status = 0;
    for (int i = 0; i < LATENCY_PART_COUNT && !status; i++) {
        char buffer[128];
        if (step->times[i] == 0)
            continue;
        status = machine_number(machine,
                                latency_path(machine, (enum latency_part)i, buffer, sizeof buffer),
                                &value, error);
        sum += step->times[i] * value;
    }
    *out = sum;
    return status;
}

int latency_seconds(const struct machine *machine, const char *path, double *out,
                    struct error *error)
{
    struct latency_step step;
    bool plain;
    double sum = 0;
    int status = latency_step_of(machine, path, &plain, &step, error);
    if (!status && plain)
        return machine_number(machine, path, out, error);
    if (!status)
        status = step_seconds(machine, &step, &sum, error);
    if (!status && sum < LATENCY_NONE)
        return too_short(machine, path, sum, error);
    *out = sum > 0 ? sum : 0;
    return status;
}

int latency_miss(const struct machine *machine, double *out, struct error *error)
{
    struct ways w;
    struct latency_step sum = {{0}}, memory, far = {{0}};
    struct error ignored;
    int status = ways_of(machine, &w, error);
    if (!status)
        status = way_to(&w, LATENCY_MEMORY, &sum, error);
    if (!status)
        status = step_of(&w, LATENCY_MEMORY, &memory, error);
    if (status)
        return status;
    add(&sum, &memory, 1);
    if (way_mean(&w, &far, &ignored) == 0)
        add(&sum, &far, 1);
    return step_seconds(machine, &sum, out, error);
}

uint32_t latency_rounds(const struct machine *machine)
{
    struct error ignored;
    double seconds, clock = number_or(machine, "sm.clock", 0);
    if (latency_miss(machine, &seconds, &ignored))
        return 0;
    double rounds = seconds * fmin(clock, number_or(machine, "sm.issue", clock));
    return rounds > 1 ? (uint32_t)exp2(fmin(round(log2(rounds)), 16)) : 1;
}

int latency_check(const struct machine *machine, struct error *error)
{
    struct ways w;
    int status = ways_of(machine, &w, error);
    for (int part = LATENCY_LEVEL; part < LATENCY_PART_COUNT && !status; part++) {
        double ignored;
        char buffer[128];
        if (kind_of(&w, (enum latency_part)part) == STEP)
            continue;
        status = latency_seconds(
            machine, path_of(&w, (enum latency_part)part, buffer, sizeof buffer), &ignored, error);
        status = status == STATUS_UNKNOWN_FIELD ? 0 : status; /* bases may leave it open */
    }
    return status;
}
