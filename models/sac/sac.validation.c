/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC's published figures: the totals that enter its equations, the storage that its hardware
 * takes, the cost of its networks, its example of sharing; and its speed-ups beside what the
 * models predict for the shipped workloads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/answer.h"
#include "explore/baseline.h"
#include "profile/crd.h"
#include "sac/sharing_example.h"
#include "validate/checkpoint.h"
#include "validate/subjects.h"

static int noc(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)c;
    int status = checkpoint_machine_value("sac", "total.noc_bandwidth", ours, error);
    *ours /= 1e12;
    return status;
}

static int llc(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)c;
    int status = checkpoint_machine_value("sac", "total.llc_bandwidth", ours, error);
    *ours /= 1e12;
    return status;
}

static int memory(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)c;
    int status = checkpoint_machine_value("sac", "total.memory_bandwidth", ours, error);
    *ours /= 1e12;
    return status;
}

/* Of the 4-chip machine, or (argument 1) of the 2-chip one. */
static int links(const struct checkpoint *c, double *ours, struct error *error)
{
    const char *machine = c->arguments[0] != 0 ? "sac-2chip" : "sac";
    int status = checkpoint_machine_value(machine, "total.link_bandwidth", ours, error);
    *ours /= 1e12;
    return status;
}

/* The directory as published; argument 0: sectors of a line. */
static struct crd_storage storage(const struct checkpoint *c)
{
    struct crd_shape shape = {
        .homes = 4,
        .chips = 4,
        .sets_per_home = 2048,
        .ways = CRD_WAYS,
        .sampled_sets = CRD_SAMPLED_SETS,
        .tag_bits = CRD_TAG_BITS,
        .sectors = (uint32_t)c->arguments[0],
        .slices = 16,
        .counter_bits = CRD_COUNTER_BITS,
        .slice_counter_bits = CRD_SLICE_COUNTER_BITS,
    };
    return crd_storage(&shape);
}

static int directory(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)error;
    *ours = storage(c).directory;
    return 0;
}

static int slice_counters(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)error;
    *ours = storage(c).slice_counters;
    return 0;
}

static int counters(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)error;
    *ours = storage(c).counters;
    return 0;
}

static int hardware(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)error;
    *ours = storage(c).total;
    return 0;
}

/* --- networks ---------------------------------------------------------------------- */

/* A cost of the machine under an organisation. */
static int network(const char *cost, const char *organisation, double *ours, struct error *error)
{
    struct machine *machine;
    int status = machine_load("sac", &machine, error);
    if (status)
        return status;
    status = machine_set(machine, "llc.organisation", organisation, NULL, error);
    if (!status)
        status = checkpoint_value(machine, cost, ours, error);
    machine_destroy(machine);
    return status;
}

/* argument 0: 0 the two networks of an SM-side LLC, 1 SAC. */
static int network_power(const struct checkpoint *c, double *ours, struct error *error)
{
    return network("cost.llc_noc_power", c->arguments[0] != 0 ? "sac" : "sm-side", ours, error);
}

static int network_area(const struct checkpoint *c, double *ours, struct error *error)
{
    return network("cost.llc_noc_area", c->arguments[0] != 0 ? "sac" : "sm-side", ours, error);
}

/* --- sharing ----------------------------------------------------------------------- */

enum { NON_SHARED, FALSELY_SHARED, TRULY_SHARED, MEMORY_SIDE, SM_SIDE, OWN };

/* arguments: case, what. */
static int example(const struct checkpoint *c, double *ours, struct error *error)
{
    struct sharing_example e;
    int status = sharing_example((int)c->arguments[0], &e, error);
    if (status)
        return status;
    const double values[] = {e.non_shared,  e.falsely_shared, e.truly_shared,
                             e.memory_side, e.sm_side,        e.own};
    *ours = values[(int)c->arguments[1]];
    return 0;
}

#define EXACT .tolerance = 0, .how = CHECKPOINT_FORMULA
#define GIVEN .tolerance = 0, .how = CHECKPOINT_CONSTANT
#define COUNTED .tolerance = 0, .how = CHECKPOINT_EXAMPLE

static const struct checkpoint sac_checkpoints[] = {
    {"crossbars of four chips", "Table 3", 16, "TB/s", EXACT, .compute = noc},
    {"LLC slices of four chips", "Table 3", 16, "TB/s", EXACT, .compute = llc},
    {"memory of four chips", "Table 3", 1.75, "TB/s", EXACT, .compute = memory},
    {"links of four chips", "Table 3", 0.768, "TB/s", EXACT, .compute = links},
    {"links of two chips", NULL, 0.768, "TB/s", EXACT, .compute = links, .arguments = {1}},
    {"request directory", "section 3.6", 544, "B", EXACT, .compute = directory, .arguments = {1}},
    {"request directory, 4 sectors a line", "section 3.6", 736, "B", EXACT, .compute = directory,
     .arguments = {4}},
    {"slice counters", "section 3.6", 64, "B", EXACT, .compute = slice_counters, .arguments = {1}},
    {"request counters", "section 3.6", 12, "B", EXACT, .compute = counters, .arguments = {1}},
    {"all storage of a chip", "section 3.6", 620, "B", EXACT, .compute = hardware,
     .arguments = {1}},
    {"all storage of a chip, 4 sectors a line", "section 3.6", 812, "B", EXACT, .compute = hardware,
     .arguments = {4}},
    {"NoC power, SM-side over memory-side", NULL, 1.21, "x", GIVEN, .compute = network_power},
    {"NoC area, SM-side over memory-side", NULL, 1.18, "x", GIVEN, .compute = network_area},
    {"NoC power, SAC over memory-side", NULL, 1.016, "x", GIVEN, .compute = network_power,
     .arguments = {1}},
    {"NoC area, SAC over memory-side", NULL, 1.019, "x", GIVEN, .compute = network_area,
     .arguments = {1}},
    {"pages apart: lines not shared", "section 3", 4, "lines", COUNTED, .compute = example,
     .arguments = {0, NON_SHARED}},
    {"pages apart: held memory-side", "section 3", 4, "lines", COUNTED, .compute = example,
     .arguments = {0, MEMORY_SIDE}},
    {"pages apart: held SM-side", "section 3", 4, "lines", COUNTED, .compute = example,
     .arguments = {0, SM_SIDE}},
    {"pages apart: reads of the own chip's page", "section 3", 4, "lines", COUNTED,
     .compute = example, .arguments = {0, OWN}},
    {"pages across: falsely shared lines", "section 3", 4, "lines", COUNTED, .compute = example,
     .arguments = {1, FALSELY_SHARED}},
    {"pages across: held memory-side", "section 3", 4, "lines", COUNTED, .compute = example,
     .arguments = {1, MEMORY_SIDE}},
    {"pages across: held SM-side", "section 3", 4, "lines", COUNTED, .compute = example,
     .arguments = {1, SM_SIDE}},
    {"pages across: reads of the own chip's page", "section 3", 2, "lines", COUNTED,
     .compute = example, .arguments = {1, OWN}},
    {"lines of both: truly shared lines", "section 3", 2, "lines", COUNTED, .compute = example,
     .arguments = {2, TRULY_SHARED}},
    {"lines of both: held memory-side", "section 3", 2, "lines", COUNTED, .compute = example,
     .arguments = {2, MEMORY_SIDE}},
    {"lines of both: held SM-side", "section 3", 4, "lines", COUNTED, .compute = example,
     .arguments = {2, SM_SIDE}},
    {"lines of both: reads of the own chip's page", "section 3", 2, "lines", COUNTED,
     .compute = example, .arguments = {2, OWN}},
    {.what = NULL},
};

/* --- speed-ups --------------------------------------------------------------------- */

static const char *const organisations[] = {"memory-side", "sm-side", "sac"};
enum { ON_MEMORY_SIDE, ON_SM_SIDE, ON_SAC, ORGANISATIONS };

static const char *const models[] = {"eab", "bottleneck"};
enum { MODELS = sizeof models / sizeof *models };

/* SAC's over a baseline: the mean and the best, in the abstract. */
static const struct {
    const char *baseline_name;
    int baseline;
    double mean, best;
} published[] = {{"memory-side", ON_MEMORY_SIDE, 1.76, 2.57}, {"SM-side", ON_SM_SIDE, 1.12, 1.49}};
enum { BASELINES = sizeof published / sizeof *published };

struct study {
    struct arena *arena;
    struct machine *machines[ORGANISATIONS];
    struct validation_subjects subjects;
};

static int study_open(struct study *study, const struct validation_request *request,
                      struct validation_rows *rows, struct error *error)
{
    int status = validation_subjects_open(&study->subjects, request, rows, error);
    for (int o = 0; o < ORGANISATIONS && !status; o++) {
        study->machines[o] = machine_clone(request->machine);
        status = machine_set(study->machines[o], "llc.organisation", organisations[o], NULL, error);
    }
    return status;
}

static int study_profile(const struct study *study, int threads, struct error *error)
{
    size_t n = study->subjects.list.count;
    struct subject_task *tasks = memory_zero(n, sizeof *tasks);
    for (size_t i = 0; i < n; i++)
        tasks[i] = (struct subject_task){.subject = study->subjects.list.items[i],
                                         .machine = study->machines[0]};
    int status = subject_prepare(tasks, subject_plan(tasks, n), threads, error);
    free(tasks);
    return status;
}

static int study_time(const struct study *study, int model, size_t w, int organisation,
                      double *time_s, struct error *error)
{
    const struct profile_view *view;
    const struct plugin *plugin;
    struct answer *answer;
    const struct subject *subject = study->subjects.list.items[w];
    int status = plugin_require("model", models[model], &plugin, error);
    if (!status)
        status = subject_view(subject, study->machines[organisation], &view, error);
    if (!status)
        status = answer_create((const struct model *)plugin, study->machines[organisation], view,
                               &answer, error);
    if (status)
        return status;
    *time_s = answer_metric(answer, "kernel_time");
    answer_destroy(answer);
    return 0;
}

static int as_computed(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)error;
    *ours = c->arguments[0];
    return 0;
}

/* Two rows: harmonic mean and best of SAC's speed-ups over one baseline, by one model. */
static int study_compare(const struct study *study, int model, int which,
                         struct validation_rows *rows, struct error *error)
{
    size_t n = study->subjects.list.count;
    double *speedups = arena_alloc(study->arena, n * sizeof *speedups), best = 0;
    for (size_t w = 0; w < n; w++) {
        double base_s, own_s;
        int status = study_time(study, model, w, published[which].baseline, &base_s, error);
        if (!status)
            status = study_time(study, model, w, ON_SAC, &own_s, error);
        if (status)
            return status;
        speedups[w] = base_s / own_s;
        best = fmax(best, speedups[w]);
    }
    const char *name = arena_printf(study->arena, "SAC over %s, %s", published[which].baseline_name,
                                    models[model]);
    struct checkpoint list[] = {
        {arena_printf(study->arena, "%s: harmonic mean", name),
         "abstract",
         published[which].mean,
         "x",
         0.1,
         CHECKPOINT_PREDICTION,
         as_computed,
         {baseline_means(speedups, n).harmonic}},
        {arena_printf(study->arena, "%s: best", name),
         "abstract",
         published[which].best,
         "x",
         0.1,
         CHECKPOINT_PREDICTION,
         as_computed,
         {best}},
        {.what = NULL},
    };
    return checkpoints_add(list, rows, error);
}

static int sac_run(const struct validation_request *request, struct validation_rows *rows,
                   struct error *error)
{
    struct study study = {.arena = arena_create()};
    int status = study_open(&study, request, rows, error);
    if (!status)
        status = study_profile(&study, request->threads, error);
    for (int m = 0; m < MODELS && !status; m++)
        for (int b = 0; b < BASELINES && !status; b++)
            status = study_compare(&study, m, b, rows, error);
    if (!status)
        validation_add_note(rows,
                            "Speed-ups are published over the paper's workloads, ours are over %zu "
                            "others: no error of them tells how good a model is. Neither model "
                            "counts the time that SAC's reconfiguration takes.",
                            study.subjects.list.count);
    validation_subjects_close(&study.subjects);
    for (int o = 0; o < ORGANISATIONS; o++)
        machine_destroy(study.machines[o]);
    arena_destroy(study.arena);
    return status;
}

const struct validation validation_sac = {
    .plugin = {"validation", "sac",
               "totals of the machine, storage of the hardware, networks, sharing; speed-ups",
               "SAC, ISCA 2023", NULL},
    .columns = checkpoint_columns,
    .reads = VALIDATION_MACHINE | VALIDATION_WORKLOADS,
    .checkpoints = sac_checkpoints,
    .run = sac_run,
};
