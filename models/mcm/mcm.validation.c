/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MCM-GPU's published figures: the link sizing example, hops of topologies, totals of its
 * machines, energies of its tiers; and its speed-ups beside those that the model `parallelism`
 * predicts for the shipped workloads, which are not the paper's 48. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/answer.h"
#include "validate/checkpoint.h"
#include "validate/subjects.h"

/* --- formulas ---------------------------------------------------------------------- */
/* The paper's link bandwidth is read as what crosses a module's edge, in plus out. Read as what a
 * link carries it comes closer to Figure 4, and not to the sizing example (README.md here). */

/* A metric of the model `link` for uniform interleaving and hit rate h. */
static int sizing(const char *machine_name, const char *settings[][2], double hit,
                  const char *metric, double *out, struct error *error)
{
    struct machine *machine;
    struct profile_record record = {.name = "", .launches = 1};
    struct profile_view view = {.records = &record, .n_records = 1};
    struct answer *answer = NULL;
    double chips = 1;
    int status = machine_load(machine_name, &machine, error);
    if (status)
        return status;
    for (size_t i = 0; settings && settings[i][0] && !status; i++)
        status = machine_set(machine, settings[i][0], settings[i][1], NULL, error);
    if (!status)
        status = machine_number(machine, "chips", &chips, error);
    for (int i = 0; i < FIELD_COUNT; i++)
        record.fields[i] = (double)NAN;
    record.fields[FIELD_R_LOCAL] = 1 / chips;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = hit;
    if (!status)
        status = answer_create((const struct model *)plugin_find("model", "link"), machine, &view,
                               &answer, error);
    if (!status)
        *out = answer_metric(answer, metric);
    answer_destroy(answer);
    machine_destroy(machine);
    return status;
}

static int required_over_memory(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)c;
    int status = sizing("mcm", NULL, 0.5, "link_required", ours, error);
    *ours /= 768e9; /* b: memory bandwidth of a module */
    return status;
}

static int knee(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)c;
    int status = sizing("mcm", NULL, 0.5, "link_knee", ours, error);
    *ours /= 1e9;
    return status;
}

static int module_links(const struct checkpoint *c, double *ours, struct error *error)
{
    static const char *wide[][2] = {{"inter.link_bandwidth", "768 GB/s"}, {NULL, NULL}};
    const char *machine = c->arguments[0] != 0 ? "multi-gpu" : "mcm";
    int status = sizing(machine, c->arguments[1] != 0 ? wide : NULL, 0.5, "module_link_bandwidth",
                        ours, error);
    *ours /= 1e9;
    return status;
}

/* Arguments: modules; 0 ring, 1 fully connected, 2 switch. */
static int hops(const struct checkpoint *c, double *ours, struct error *error)
{
    static const char *const topologies[] = {"ring", "fully-connected", "switch"};
    char chips[16];
    snprintf(chips, sizeof chips, "%.0f", c->arguments[0]);
    const char *settings[][2] = {
        {"chips", chips}, {"inter.topology", topologies[(int)c->arguments[1]]}, {NULL, NULL}};
    return sizing("mcm", settings, 0.5, "module_hops", ours, error);
}

/* --- totals ------------------------------------------------------------------------ */

static const char *const machines[] = {"mcm", "mono128", "mono256", "multi-gpu", "mcm-optimised"};

/* Arguments: machine; 0 SMs, 1 L2 in MiB, 2 memory in multiples of 768 GB/s. */
static int total(const struct checkpoint *c, double *ours, struct error *error)
{
    static const char *const totals[] = {"total.sms", "total.llc_capacity",
                                         "total.memory_bandwidth"};
    static const double units[] = {1, 0x1p20, 768e9};
    int what = (int)c->arguments[1];
    int status =
        checkpoint_machine_value(machines[(int)c->arguments[0]], totals[what], ours, error);
    *ours /= units[what];
    return status;
}

/* pJ a bit over one link of the two GPUs, or (argument 1) over a link of the package. */
static int link_energy(const struct checkpoint *c, double *ours, struct error *error)
{
    bool package = c->arguments[0] != 0;
    int status =
        checkpoint_machine_value(package ? "mcm" : "multi-gpu", "cost.link_energy", ours, error);
    /* The cost is of a byte that goes to another chip: 4/3 links of the ring of four. */
    *ours *= 1e12 / 8 / (package ? 4.0 / 3 : 1);
    return status;
}

#define EXACT .tolerance = 0, .how = CHECKPOINT_FORMULA
#define GIVEN .tolerance = 0, .how = CHECKPOINT_CONSTANT
#define HOPS(what, n, topology, h)                                                                 \
    {                                                                                              \
        "hops, " what, "section 3.3", h, "", EXACT, .compute = hops, .arguments = { n, topology }  \
    }
#define TOTAL(what, where, machine, total_, value, unit)                                           \
    {                                                                                              \
        what, where, value, unit, EXACT, .compute = total, .arguments = { machine, total_ }        \
    }

static const struct checkpoint mcm_checkpoints[] = {
    {"links for h = 0.5, over a module's edges", "section 3.3.1", 4, "b", EXACT,
     .compute = required_over_memory},
    {"knee at h = 0.5, per link and direction", "section 3.3.1", 768, "GB/s", EXACT,
     .compute = knee},
    {"links of a module, read as in plus out", "Table 3", 768, "GB/s", EXACT,
     .compute = module_links},
    {"\"3 TB/s\" of the paper, read as four links of 768 GB/s", "Figure 4", 3072, "GB/s", EXACT,
     .compute = module_links, .arguments = {0, 1}},
    {"links between two GPUs, in plus out", "section 6", 256, "GB/s", EXACT,
     .compute = module_links, .arguments = {1}},
    HOPS("ring of 3", 3, 0, 1),
    HOPS("ring of 4", 4, 0, 4.0 / 3),
    HOPS("ring of 5", 5, 0, 1.5),
    HOPS("ring of 8", 8, 0, 64.0 / 28),
    HOPS("8 fully connected", 8, 1, 1),
    HOPS("8 at a switch", 8, 2, 1),
    HOPS("one module", 1, 0, 0),
    TOTAL("SMs of four modules", "Table 3", 0, 0, 256, ""),
    TOTAL("L2 of four modules", "Table 3", 0, 1, 16, "MiB"),
    TOTAL("memory of four modules", "Table 3", 0, 2, 4, "768 GB/s"),
    TOTAL("SMs of the largest die", NULL, 1, 0, 128, ""),
    TOTAL("L2 of the largest die", NULL, 1, 1, 8, "MiB"),
    TOTAL("memory of the largest die", NULL, 1, 2, 2, "768 GB/s"),
    TOTAL("SMs of a die that cannot be built", NULL, 2, 0, 256, ""),
    TOTAL("SMs of two GPUs", "section 6", 3, 0, 256, ""),
    TOTAL("memory of two GPUs", "section 6", 3, 2, 4, "768 GB/s"),
    TOTAL("L2 beside 8 MiB of L1.5", "section 5.1", 4, 1, 8, "MiB"),
    {"a bit over a board", "Table 2", 10, "pJ", GIVEN, .compute = link_energy},
    {"a bit over a package (GRS)", NULL, 0.54, "pJ", GIVEN, .compute = link_energy,
     .arguments = {1}},
    {.what = NULL},
};

/* --- speed-ups ----------------------------------------------------------------------- */

enum { MCM, OPTIMISED, MONO128, MONO256, MULTI_OPTIMISED, MACHINES };
static const char *const compared[MACHINES] = {"mcm", "mcm-optimised", "mono128", "mono256",
                                               "multi-gpu-optimised"};

static const struct {
    const char *what, *where;
    int machine, baseline;
    double published; /* over 48 workloads, geometric mean */
} speedups[] = {
    {"optimised MCM-GPU over MCM-GPU", "abstract", OPTIMISED, MCM, 1.228},
    {"optimised MCM-GPU over the largest die", "abstract", OPTIMISED, MONO128, 1.455},
    {"optimised MCM-GPU over two optimised GPUs", "abstract", OPTIMISED, MULTI_OPTIMISED, 1.268},
    {"optimised MCM-GPU over 256 SMs on a die", "abstract", OPTIMISED, MONO256, 0.9},
};
enum { SPEEDUPS = sizeof speedups / sizeof *speedups };

struct comparison {
    struct machine *machines[MACHINES];
    struct validation_subjects subjects;
};

static int profile_all(const struct comparison *c, const struct validation_request *request,
                       struct error *error)
{
    size_t n = MACHINES * c->subjects.list.count;
    struct subject_task *tasks = memory_zero(n, sizeof *tasks);
    for (size_t i = 0; i < n; i++)
        tasks[i] = (struct subject_task){.subject = c->subjects.list.items[i / MACHINES],
                                         .machine = c->machines[i % MACHINES]};
    int status = subject_prepare(tasks, subject_plan(tasks, n), request->threads, error);
    free(tasks);
    return status;
}

struct prediction {
    double time_s, link_bytes; /* bytes of requests that go to another module */
};

static int predict(const struct subject *subject, const struct machine *machine,
                   struct prediction *out, struct error *error)
{
    const struct profile_view *view;
    struct answer *answer;
    int status = subject_view(subject, machine, &view, error);
    if (!status)
        status = answer_create((const struct model *)plugin_find("model", "parallelism"), machine,
                               view, &answer, error);
    if (status)
        return status;
    out->time_s = answer_metric(answer, "kernel_time");
    out->link_bytes = out->time_s * answer_metric(answer, "effective_bandwidth") *
                      answer_metric(answer, "link_share");
    answer_destroy(answer);
    return 0;
}

static int as_computed(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)error;
    *ours = c->arguments[0];
    return 0;
}

static int compare(const struct comparison *c, struct validation_rows *rows, struct error *error)
{
    struct checkpoint list[SPEEDUPS + 2] = {0};
    struct prediction all[MACHINES] = {0};
    double logs[SPEEDUPS] = {0}, left = 0;
    for (size_t w = 0; w < c->subjects.list.count; w++) {
        for (int m = 0; m < MACHINES; m++) {
            int status = predict(c->subjects.list.items[w], c->machines[m], &all[m], error);
            if (status) {
                error_context(error, "%s on %s", c->subjects.list.items[w]->name, compared[m]);
                return status;
            }
        }
        for (int s = 0; s < SPEEDUPS; s++)
            logs[s] += log(all[speedups[s].baseline].time_s / all[speedups[s].machine].time_s);
        left += all[MCM].link_bytes > 0 ? all[OPTIMISED].link_bytes / all[MCM].link_bytes : 1;
    }
    for (int s = 0; s < SPEEDUPS; s++)
        list[s] = (struct checkpoint){speedups[s].what,
                                      speedups[s].where,
                                      speedups[s].published,
                                      "x",
                                      0.1,
                                      CHECKPOINT_PREDICTION,
                                      as_computed,
                                      {exp(logs[s] / (double)c->subjects.list.count)}};
    list[SPEEDUPS] = (struct checkpoint){"traffic between modules, MCM-GPU over optimised",
                                         "abstract",
                                         5,
                                         "x",
                                         0.1,
                                         CHECKPOINT_PREDICTION,
                                         as_computed,
                                         {(double)c->subjects.list.count / left}};
    validation_add_note(rows,
                        "speed-ups: geometric means, published over 48 workloads, ours over "
                        "%zu; time by the model parallelism, which knows no queues.",
                        c->subjects.list.count);
    return checkpoints_add(list, rows, error);
}

static int mcm_run(const struct validation_request *request, struct validation_rows *rows,
                   struct error *error)
{
    struct comparison c = {{NULL}};
    int status = validation_subjects_open(&c.subjects, request, rows, error);
    for (int m = 0; m < MACHINES && !status; m++)
        status = machine_load(compared[m], &c.machines[m], error);
    if (!status)
        status = profile_all(&c, request, error);
    if (!status)
        status = compare(&c, rows, error);
    validation_subjects_close(&c.subjects);
    for (int m = 0; m < MACHINES; m++)
        machine_destroy(c.machines[m]);
    return status;
}

const struct validation validation_mcm = {
    .plugin = {"validation", "mcm", "link sizing, machines, energies; speed-ups",
               "MCM-GPU, ISCA 2017", NULL},
    .columns = checkpoint_columns,
    .reads = VALIDATION_WORKLOADS,
    .checkpoints = mcm_checkpoints,
    .run = mcm_run,
};
