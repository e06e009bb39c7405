/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What models say limits a run, beside what the request-level simulation (simulate/gpu.h) finds
 * busiest: the resource that is used most (explore/answer/limits.h) by network and bottleneck, of
 * the launches that take the most time, and the station that is busiest over the referee's whole
 * run. MSHRs and requests in flight, which are places and serve nothing, stand aside. Machines are
 * such that every kind of resource is scarce on one of them; runs are simulated whole. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "explore/answer/limits.h"
#include "explore/answer/referee.h"
#include "validate/subjects.h"

enum { MODELS = 2 };

/* A referee's station is a limit from there on; below, latencies are. */
#define BUSY 0.5

static const char *const model_names[MODELS] = {"network", "bottleneck"};

static const struct variant {
    const char *machine, *path, *value;
} variants[] = {
    {"sac", "llc.organisation", "memory-side"},
    {"sac", "llc.organisation", "sm-side"},
    {"sac", "inter.link_bandwidth", "12GB/s"},
    {"sac", "memory.bandwidth", "8GB/s"},
    {"sac", "llc.bandwidth", "64GB/s"},
    {"sac", "noc.bandwidth", "64GB/s"},
    {"sac-2chip", NULL, NULL},
    {"mcm", NULL, NULL},
    {"mcm-optimised", NULL, NULL},
    {"multi-gpu", NULL, NULL},
    {"dualopt", NULL, NULL},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const char group[] = "what is busiest";

/* X(symbol, key, title, unit, group, kind, worst, summary) */
#define LIMITS_COLUMNS(X)                                                                          \
    X(MACHINE, "machine", "machine", NULL, NULL, TEXT, NO_SUMMARY, NULL)                           \
    X(SETTING, "setting", "with", NULL, NULL, TEXT, NO_SUMMARY, NULL)                              \
    X(WORKLOAD, "workload", "workload", NULL, NULL, TEXT, NO_SUMMARY, NULL)                        \
    X(REFEREE, "referee", "referee", NULL, group, TEXT, NO_SUMMARY, NULL)                          \
    X(BUSIEST, "busy", "busy", NULL, group, SHARE, NO_SUMMARY, NULL)                               \
    X(NETWORK, "network", "network", NULL, group, TEXT, NO_SUMMARY, NULL)                          \
    X(NETWORK_USED, "network_used", "used", NULL, group, SHARE, NO_SUMMARY, NULL)                  \
    X(NETWORK_AGREES, "network_agrees", "agrees", NULL, group, TRUTH, NO_SUMMARY, NULL)            \
    X(BOTTLENECK, "bottleneck", "bottleneck", NULL, group, TEXT, NO_SUMMARY, NULL)                 \
    X(BOTTLENECK_AGREES, "bottleneck_agrees", "agrees", NULL, group, TRUTH, NO_SUMMARY, NULL)

enum column { LIMITS_COLUMNS(VALIDATION_PLACE) COLUMNS };

static const struct sheet_column limits_columns[] = {LIMITS_COLUMNS(VALIDATION_COLUMN){NULL}};

/* What one of them finds busiest; "": nothing, or it refuses the machine. */
struct busiest {
    char name[48];
    double used;
};

struct outcome {
    struct busiest referee, models[MODELS];
    struct error error;
    int status;
};

struct comparison {
    struct validation_subjects subjects;
    struct machine *machines[VARIANTS];
    const struct model *models[MODELS];
    struct outcome *outcomes; /* [variant * subjects + subject] */
};

static bool is_place(const char *name)
{
    size_t length = strlen(name);
    return strcmp(name, "latency") == 0 || (length >= 5 && strcmp(name + length - 5, "mshrs") == 0);
}

static void take_busier(struct busiest *most, const char *name, double used)
{
    if (is_place(name) || !(used > most->used))
        return;
    snprintf(most->name, sizeof most->name, "%s", name);
    most->used = used;
}

static struct busiest of_referee(const struct simulate_gpu_result *result)
{
    struct busiest most = {"", 0};
    for (size_t s = 0; s < result->n_stations; s++)
        take_busier(&most, result->stations[s].name, result->stations[s].most);
    return most;
}

static struct busiest of_model(const struct model *model, const struct subject *subject,
                               const struct machine *machine)
{
    struct busiest most = {"", 0};
    struct answer *answer = NULL;
    struct model_views views;
    struct limits limits = {0};
    struct error ignored;
    if (subject_views(subject, model, machine, &views, &ignored) ||
        answer_create_variants(model, machine, &views, &answer, &ignored))
        return most;
    limits_find(answer, &limits);
    for (size_t i = 0; i < limits.count; i++)
        take_busier(&most, limits.items[i].name, limits.items[i].used);
    VECTOR_FREE(&limits);
    answer_destroy(answer);
    return most;
}

static void compare_one(void *context, uint64_t item, int worker)
{
    struct comparison *c = context;
    size_t subjects = c->subjects.list.count;
    const struct subject *subject = c->subjects.list.items[item % subjects];
    const struct machine *machine = c->machines[item / subjects];
    struct outcome *outcome = &c->outcomes[item];
    struct simulate_gpu_options options = referee_options(UINT64_MAX);
    struct simulate_gpu_result *result = NULL;
    (void)worker;
    if (interrupt_requested()) {
        outcome->status = error_set(&outcome->error, STATUS_INTERRUPTED, "interrupted");
        return;
    }
    outcome->status = referee_simulate(subject, machine, &options, &result, &outcome->error);
    if (!outcome->status)
        outcome->referee = of_referee(result);
    simulate_gpu_result_destroy(result);
    for (int m = 0; m < MODELS; m++)
        outcome->models[m] = of_model(c->models[m], subject, machine);
    progress_item();
}

static int prepare(struct comparison *c, struct error *error)
{
    size_t made;
    int status = 0;
    for (size_t v = 0; v < VARIANTS && !status; v++) {
        const struct variant *variant = &variants[v];
        status = machine_load(variant->machine, &c->machines[v], error);
        if (!status && variant->path)
            status = machine_set(c->machines[v], variant->path, variant->value, NULL, error);
        if (!status)
            status = machine_check(c->machines[v], error);
        for (size_t s = 0; s < c->subjects.list.count && !status; s++)
            status = subject_prepare_models(c->subjects.list.items[s], c->machines[v], c->models,
                                            MODELS, 0, NULL, &made, error);
    }
    return status;
}

static int compare_all(struct comparison *c, int threads, struct error *error)
{
    size_t subjects = c->subjects.list.count, count = VARIANTS * subjects;
    c->outcomes = memory_zero(count, sizeof *c->outcomes);
    progress_begin_items("simulating", "runs", count, "requests");
    parallel_for(threads, count, compare_one, c);
    progress_end();
    for (size_t i = 0; i < count; i++)
        if (c->outcomes[i].status) {
            *error = c->outcomes[i].error;
            error_context(error, "%s, workload %s", variants[i / subjects].machine,
                          c->subjects.labels.items[i % subjects]);
            return c->outcomes[i].status;
        }
    return 0;
}

static double agrees(const struct outcome *outcome, int model)
{
    const char *own = outcome->models[model].name, *theirs = outcome->referee.name;
    return own[0] && theirs[0] ? strcmp(own, theirs) == 0 : (double)NAN;
}

static void add_row(const struct comparison *c, size_t item, struct sheet *rows)
{
    const struct outcome *outcome = &c->outcomes[item];
    const struct busiest *models = outcome->models;
    const struct variant *variant = &variants[item / c->subjects.list.count];
    struct sheet_cell cells[COLUMNS] = {{0}};
    struct text setting = {0};
    text_append(&setting, "");
    if (variant->path)
        text_printf(&setting, "%s=%s", variant->path, variant->value);
    cells[MACHINE].text = variant->machine;
    cells[SETTING].text = setting.data;
    cells[WORKLOAD].text = c->subjects.labels.items[item % c->subjects.list.count];
    cells[REFEREE].text = outcome->referee.name[0] ? outcome->referee.name : NULL;
    cells[BUSIEST].number = outcome->referee.used;
    cells[NETWORK].text = models[0].name[0] ? models[0].name : NULL;
    cells[NETWORK_USED].number = models[0].name[0] ? models[0].used : (double)NAN;
    cells[NETWORK_AGREES].number = agrees(outcome, 0);
    cells[BOTTLENECK].text = models[1].name[0] ? models[1].name : NULL;
    cells[BOTTLENECK_AGREES].number = agrees(outcome, 1);
    sheet_add(rows, cells);
    text_free(&setting);
}

/* Shares of agreement, of all runs and of those that have a limit. */
static void note(const struct comparison *c, int model, struct sheet *rows)
{
    size_t count = VARIANTS * c->subjects.list.count;
    size_t known = 0, same = 0, busy = 0, busy_same = 0;
    for (size_t i = 0; i < count; i++) {
        const struct outcome *outcome = &c->outcomes[i];
        double agree = agrees(outcome, model);
        if (isnan(agree))
            continue;
        known++;
        same += agree != 0;
        busy += outcome->referee.used >= BUSY;
        busy_same += outcome->referee.used >= BUSY && agree != 0;
    }
    sheet_add_note(rows,
                   "%s names the station that the referee finds busiest in %zu of %zu runs; in "
                   "%zu of the %zu where that is busy for at least %.0f %% of the time",
                   model_names[model], same, known, busy_same, busy, 100 * BUSY);
}

static int limits_run(const struct validation_request *request, struct sheet *rows,
                      struct error *error)
{
    struct comparison c = {0};
    for (int m = 0; m < MODELS; m++)
        c.models[m] = (const struct model *)plugin_find("model", model_names[m]);
    int status = validation_subjects_open(&c.subjects, request, rows, error);
    if (!status)
        status = prepare(&c, error);
    if (!status)
        status = compare_all(&c, request->threads, error);
    for (size_t i = 0; i < VARIANTS * c.subjects.list.count && !status; i++)
        add_row(&c, i, rows);
    for (int m = 0; m < MODELS && !status; m++)
        note(&c, m, rows);
    for (size_t v = 0; v < VARIANTS; v++)
        machine_destroy(c.machines[v]);
    free(c.outcomes);
    validation_subjects_close(&c.subjects);
    return status;
}

const struct validation validation_limits = {
    .plugin = {"validation", "limits",
               "what models say limits a run, beside what the simulation finds busiest", NULL,
               NULL},
    .columns = limits_columns,
    .reads = VALIDATION_WORKLOADS,
    .named = true,
    .run = limits_run,
};
