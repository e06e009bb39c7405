/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DC-L1's published figures: peak bandwidth, crossbars, queues, ratios of area and power. */
#include <math.h>

#include "dcl1/noc.h"
#include "explore/answer.h"
#include "validate/checkpoint.h"

/* Argument 0 of every row. */
static const char *const designs[] = {"baseline", "Pr80",          "Pr40",    "Pr20",
                                      "Pr10",     "Sh40",          "Sh40+C5", "Sh40+C10",
                                      "Sh40+C20", "Sh40+C10+Boost"};
enum { BASELINE, PR80, PR40, PR20, PR10, SH40, C5, C10, C20, C10_BOOST };
enum { CORES = 80, SLICES = 32, WIDE_FLIT = 160 };

static int machine_of(const struct checkpoint *c, struct machine **out, struct error *error)
{
    int status = machine_load("dcl1", out, error);
    if (!status)
        status = machine_set(*out, "dcl1.design", designs[(int)c->arguments[0]], NULL, error);
    return status;
}

static int crossbars_of(const struct checkpoint *c, struct dcl1_noc *out, struct error *error)
{
    return dcl1_noc_of(designs[(int)c->arguments[0]], CORES, SLICES, out, error);
}

/* A metric of the model that only the machine decides: any traffic will do. */
static int metric(const struct checkpoint *c, const char *name, double *out, struct error *error)
{
    struct machine *machine = NULL;
    struct answer *answer = NULL;
    struct profile_record record = {.name = "", .launches = 1};
    struct profile_view view = {.records = &record, .n_records = 1};
    for (int i = 0; i < FIELD_COUNT; i++)
        record.fields[i] = 1;
    int status = machine_of(c, &machine, error);
    if (!status)
        status = answer_create((const struct model *)plugin_find("model", "dcl1"), machine, &view,
                               &answer, error);
    if (!status)
        *out = answer_metric(answer, name);
    answer_destroy(answer);
    machine_destroy(machine);
    return status;
}

static int peak(const struct checkpoint *c, double *ours, struct error *error)
{
    return metric(c, "l1_peak_cycle", ours, error);
}

static int drop(const struct checkpoint *c, double *ours, struct error *error)
{
    return metric(c, "l1_peak_drop", ours, error);
}

/* Argument 1: the stage; 2: crossbars, inputs or outputs. */
static int inventory(const struct checkpoint *c, double *ours, struct error *error)
{
    struct dcl1_noc noc;
    int status = crossbars_of(c, &noc, error);
    const struct dcl1_stage *stage = &noc.stages[(int)c->arguments[1]];
    double figures[] = {stage->count, stage->inputs, stage->outputs};
    *ours = figures[(int)c->arguments[2]];
    return status;
}

/* 1 when the crossbars of NoC#1, or the baseline's, can be boosted. */
static int boost(const struct checkpoint *c, double *ours, struct error *error)
{
    struct machine *machine;
    struct dcl1_noc noc;
    bool baseline = c->arguments[0] == BASELINE;
    int status = machine_of(c, &machine, error);
    if (!status)
        status = machine_set(machine, baseline ? "dcl1.noc2_boost" : "dcl1.noc1_boost", "2", NULL,
                             error);
    if (!status) {
        status = dcl1_noc_read(machine, &noc, error);
        *ours = status == 0;
        status = status == STATUS_INFEASIBLE ? 0 : status;
    }
    machine_destroy(machine);
    return status;
}

static int queues(const struct checkpoint *c, double *ours, struct error *error)
{
    struct dcl1_noc noc;
    int status = crossbars_of(c, &noc, error);
    *ours =
        status ? (double)NAN : 100 * dcl1_noc_queues(&noc, 128) / ((double)CORES * DCL1_L1_BYTES);
    return status;
}

static int area(const struct checkpoint *c, double *ours, struct error *error)
{
    struct dcl1_noc noc;
    int status = crossbars_of(c, &noc, error);
    *ours = status ? (double)NAN : dcl1_noc_area(&noc, DCL1_LAW_FLIT);
    return status;
}

static int static_power(const struct checkpoint *c, double *ours, struct error *error)
{
    struct dcl1_noc noc;
    int status = crossbars_of(c, &noc, error);
    *ours = status ? (double)NAN : dcl1_noc_static_power(&noc, DCL1_LAW_FLIT);
    return status;
}

static int wide_area(const struct checkpoint *c, double *ours, struct error *error)
{
    struct dcl1_noc noc;
    int status = crossbars_of(c, &noc, error);
    if (!status)
        *ours = dcl1_noc_area(&noc, WIDE_FLIT) / dcl1_noc_area(&noc, DCL1_LAW_FLIT);
    return status;
}

static int wide_power(const struct checkpoint *c, double *ours, struct error *error)
{
    struct dcl1_noc noc;
    int status = crossbars_of(c, &noc, error);
    if (!status)
        *ours = dcl1_noc_static_power(&noc, WIDE_FLIT) / dcl1_noc_static_power(&noc, DCL1_LAW_FLIT);
    return status;
}

/* Static power by the law, dynamic power as published: 20 % more. */
static int total_power(const struct checkpoint *c, double *ours, struct error *error)
{
    double fixed = 0;
    int status = static_power(c, &fixed, error);
    *ours = DCL1_STATIC_SHARE * fixed + (1 - DCL1_STATIC_SHARE) * c->arguments[1];
    return status;
}

static int array_area(const struct checkpoint *c, double *ours, struct error *error)
{
    struct dcl1_noc noc;
    int status = crossbars_of(c, &noc, error);
    /* Argument 1: capacity an SM over the baseline's. */
    *ours = status ? (double)NAN : dcl1_l1_area(&noc, c->arguments[1] * DCL1_L1_BYTES);
    return status;
}

static int memory(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)c;
    int status = checkpoint_machine_value("dcl1", "total.memory_bandwidth", ours, error);
    *ours /= 1e9;
    return status;
}

#define EXACT .tolerance = 0, .how = CHECKPOINT_FORMULA
#define GIVEN .tolerance = 0, .how = CHECKPOINT_CONSTANT
#define AREA .tolerance = 0.025, .how = CHECKPOINT_FIT, .compute = area
#define STATIC .tolerance = 0.0075, .how = CHECKPOINT_FIT, .compute = static_power
#define OF(...) .arguments = {__VA_ARGS__}

static const struct checkpoint dcl1_checkpoints[] = {
    {"peak L1 bandwidth, baseline", NULL, 10240, "B/cycle", EXACT, .compute = peak, OF(BASELINE)},
    {"peak L1 bandwidth, Sh40", NULL, 1280, "B/cycle", EXACT, .compute = peak, OF(SH40)},
    {"drop of peak bandwidth, Pr80", NULL, 4, "", EXACT, .compute = drop, OF(PR80)},
    {"drop of peak bandwidth, Pr40", NULL, 8, "", EXACT, .compute = drop, OF(PR40)},
    {"drop of peak bandwidth, Pr20", NULL, 16, "", EXACT, .compute = drop, OF(PR20)},
    {"drop of peak bandwidth, Pr10", NULL, 32, "", EXACT, .compute = drop, OF(PR10)},
    {"drop of peak bandwidth, Sh40", NULL, 8, "", EXACT, .compute = drop, OF(SH40)},
    {"drop of peak bandwidth, Sh40+C10", NULL, 8, "", EXACT, .compute = drop, OF(C10)},
    {"drop of peak bandwidth, Sh40+C10+Boost", NULL, 4, "", EXACT, .compute = drop, OF(C10_BOOST)},
    {"Sh40+C10, NoC#1: crossbars", NULL, 10, "", EXACT, .compute = inventory, OF(C10, 0, 0)},
    {"Sh40+C10, NoC#1: inputs", NULL, 8, "", EXACT, .compute = inventory, OF(C10, 0, 1)},
    {"Sh40+C10, NoC#1: outputs", NULL, 4, "", EXACT, .compute = inventory, OF(C10, 0, 2)},
    {"Sh40+C10, NoC#2: crossbars", NULL, 4, "", EXACT, .compute = inventory, OF(C10, 1, 0)},
    {"Sh40+C10, NoC#2: inputs", NULL, 10, "", EXACT, .compute = inventory, OF(C10, 1, 1)},
    {"Sh40+C10, NoC#2: outputs", NULL, 8, "", EXACT, .compute = inventory, OF(C10, 1, 2)},
    {"a 2x1 crossbar can be boosted", NULL, 1, "", EXACT, .compute = boost, OF(PR40)},
    {"an 8x4 crossbar can be boosted", NULL, 1, "", EXACT, .compute = boost, OF(C10_BOOST)},
    {"an 80x32 crossbar can be boosted", NULL, 0, "", EXACT, .compute = boost, OF(BASELINE)},
    {"an 80x40 crossbar can be boosted", NULL, 0, "", EXACT, .compute = boost, OF(SH40)},
    {"queues of 40 nodes over all L1s", NULL, 6.25, "%", EXACT, .compute = queues, OF(SH40)},
    {"memory bandwidth", "Table 2", 473, "GB/s", .tolerance = 0.001, .how = CHECKPOINT_FORMULA,
     .compute = memory},
    {"NoC area, Pr40", NULL, 0.72, "", AREA, OF(PR40)},
    {"NoC area, Pr20", NULL, 0.46, "", AREA, OF(PR20)},
    {"NoC area, Pr10", NULL, 0.33, "", AREA, OF(PR10)},
    {"NoC area, Sh40", NULL, 1.69, "", AREA, OF(SH40)},
    {"NoC area, Sh40+C5", NULL, 0.55, "", AREA, OF(C5)},
    {"NoC area, Sh40+C10", NULL, 0.50, "", AREA, OF(C10)},
    {"NoC area, Sh40+C20", NULL, 0.55, "", AREA, OF(C20)},
    {"NoC area, baseline", NULL, 1, "", AREA, OF(BASELINE)},
    {"NoC static power, Pr40", NULL, 0.96, "", STATIC, OF(PR40)},
    {"NoC static power, Sh40", NULL, 1.57, "", STATIC, OF(SH40)},
    {"NoC static power, Sh40+C5", NULL, 0.85, "", STATIC, OF(C5)},
    {"NoC static power, Sh40+C10", NULL, 0.84, "", STATIC, OF(C10)},
    {"NoC static power, Sh40+C20", NULL, 0.86, "", STATIC, OF(C20)},
    {"NoC static power, baseline", NULL, 1, "", STATIC, OF(BASELINE)},
    {"NoC area, flits five times as wide", NULL, 18.5, "", .tolerance = 0.01, .how = CHECKPOINT_FIT,
     .compute = wide_area, OF(BASELINE)},
    {"NoC static power, flits five times as wide", NULL, 4.2, "", .tolerance = 0.01,
     .how = CHECKPOINT_FIT, .compute = wide_power, OF(BASELINE)},
    {"NoC power, Sh40+C10+Boost, dynamic as published", NULL, 0.98, "", .tolerance = 0.005,
     .how = CHECKPOINT_FIT, .compute = total_power, OF(C10_BOOST, 1.20)},
    {"L1 area of half as many nodes", NULL, 0.92, "", GIVEN, .compute = array_area, OF(PR40, 1)},
    {"L1 area at twice the capacity", NULL, 1.84, "", GIVEN, .compute = array_area,
     OF(BASELINE, 2)},
    {.what = NULL},
};

const struct validation validation_dcl1 = {
    .plugin = {"validation", "dcl1", "peak bandwidth, crossbars, area and power of L1 nodes",
               "DC-L1, HPCA 2021", NULL},
    .columns = checkpoint_columns,
    .checkpoints = dcl1_checkpoints,
};
