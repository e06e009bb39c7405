/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DualOpt's published figures: pieces of a packet and the machine, and its speed-up beside
 * what the model predicts for the shipped workloads, which are not the paper's. */
#include <math.h>
#include <string.h>

#include "dualopt/packets.h"
#include "explore/answer.h"
#include "validate/checkpoint.h"
#include "validate/subjects.h"

/* argument 0: bytes of a piece */
static int pieces(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)error;
    *ours = packet_capacity(64, c->arguments[0], 2);
    return 0;
}

static int machine_value(const char *machine, const char *path, double *out, struct error *error)
{
    struct machine *loaded;
    int status = machine_load(machine, &loaded, error);
    if (status)
        return status;
    status = machine_number(loaded, path, out, error);
    machine_destroy(loaded);
    return status;
}

static int units(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)c;
    return machine_value("dualopt", "sm.per_chip", ours, error);
}

static int links(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)c;
    int status = machine_value("dualopt", "inter.link_bandwidth", ours, error);
    *ours /= 1e9;
    return status;
}

/* The RDMA cache and the L2 that is left take the area of the L2 before. */
static int area(const struct checkpoint *c, double *ours, struct error *error)
{
    double cache = 0, l2 = 0;
    (void)c;
    int status = machine_value("dualopt-rdma", "rdma.capacity", &cache, error);
    if (!status)
        status = machine_value("dualopt-rdma", "llc.capacity", &l2, error);
    *ours = (cache + l2) / 0x1p20;
    return status;
}

#define EXACT .tolerance = 0, .how = CHECKPOINT_FORMULA
#define GIVEN .tolerance = 0, .how = CHECKPOINT_CONSTANT

static const struct checkpoint dualopt_checkpoints[] = {
    {"pieces of 4 B in a packet of 64 B", NULL, 10, "pieces", EXACT, .compute = pieces,
     .arguments = {4}},
    {"compute units of a GPU, 16 x 4", NULL, 64, "CUs", GIVEN, .compute = units},
    {"fabric", NULL, 64, "GB/s", GIVEN, .compute = links},
    {"RDMA cache and L2 at the area of the L2", NULL, 2, "MiB", EXACT, .compute = area},
    {.what = NULL},
};

/* --- the speed-up ---------------------------------------------------------------------- */

struct speedups {
    double sum;
    size_t count;
};

static int add_workload(struct subject *subject, const struct machine *machine,
                        struct speedups *all, struct validation_rows *rows, struct error *error)
{
    const struct model *model = (const struct model *)plugin_find("model", "dualopt");
    struct model_views views;
    struct answer *answer = NULL;
    size_t made;
    int status = subject_prepare_models(subject, machine, &model, 1, PART_BASE, 1, &made, error);
    if (!status)
        status = subject_views(subject, model, machine, &views, error);
    if (!status)
        status = answer_create_variants(model, machine, &views, &answer, error);
    if (!status) {
        double speedup = answer_metric(answer, "speedup");
        all->sum += speedup;
        all->count++;
        validation_add_note(rows, "%s: class %g, speed-up %.3f.", subject->name,
                            answer_metric(answer, "class"), speedup);
    }
    answer_destroy(answer);
    return status;
}

static int dualopt_run(const struct validation_request *request, struct validation_rows *rows,
                       struct error *error)
{
    const double published = 2.5;
    struct validation_subjects subjects;
    struct machine *machine = NULL;
    struct speedups all = {0, 0};
    int status = validation_subjects_open(&subjects, request, rows, error);
    if (!status)
        status = machine_load("dualopt", &machine, error);
    for (size_t i = 0; i < subjects.list.count && !status; i++)
        status = add_workload(subjects.list.items[i], machine, &all, rows, error);
    double ours = all.sum / (double)all.count;
    struct validation_cell cells[] = {
        {.text = "mean speed-up on 4 GPUs, here of other workloads"},
        {.text = "abstract"},
        {.number = published},
        {.number = ours},
        {.text = ""},
        {.number = fabs(ours - published) / published},
        {.number = (double)NAN},
        {.text = NULL},
        {.text = "prediction"},
    };
    if (!status)
        validation_add_row(rows, cells);
    machine_destroy(machine);
    validation_subjects_close(&subjects);
    return status;
}

const struct validation validation_dualopt = {
    .plugin = {"validation", "dualopt", "packets, the machine, and the speed-up on 4 GPUs",
               "DualOpt, PACT 2022", NULL},
    .columns = checkpoint_columns,
    .reads = VALIDATION_WORKLOADS,
    .checkpoints = dualopt_checkpoints,
    .run = dualopt_run,
};
