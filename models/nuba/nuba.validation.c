/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NUBA's published figures: the machine's totals, the example of page placement, storage and
 * time of model-driven replication, and the law of the NoC's design power. Speed-ups over the
 * uniform GPUs are not among them: they depend on inputs that the paper does not print. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "profile/mdr_sampler.h"
#include "profile/placement.h"
#include "validate/checkpoint.h"

/* --- the machine ------------------------------------------------------------------ */

/* Argument 0: index of the total; 1: what one unit of it is; 2: index of the machine. */
static int total(const struct checkpoint *c, double *ours, struct error *error)
{
    static const char *const names[] = {"total.noc_bandwidth", "total.p2p_bandwidth",
                                        "total.memory_bandwidth", "total.llc_capacity",
                                        "total.sms"};
    static const char *const machines[] = {"nuba", "uba-memory-side", "nuba-mcm"};
    int status = checkpoint_machine_value(machines[(int)c->arguments[2]],
                                          names[(int)c->arguments[0]], ours, error);
    *ours /= c->arguments[1];
    return status;
}

/* Sets of a cache: capacity / (ways * line) over its number. Argument 0: 1 is the LLC's
 * slices, 0 is L1. */
static int sets(const struct checkpoint *c, double *ours, struct error *error)
{
    bool llc = c->arguments[0] != 0;
    struct machine *machine;
    double capacity, ways, line, slices = 1;
    int status = machine_load("nuba", &machine, error);
    if (status)
        return status;
    if (!(status =
              machine_number(machine, llc ? "llc.capacity" : "l1.capacity", &capacity, error)) &&
        !(status = machine_number(machine, llc ? "llc.ways" : "l1.ways", &ways, error)) &&
        !(status = machine_number(machine, "line", &line, error)) && llc)
        status = machine_number(machine, "llc.slices", &slices, error);
    if (!status)
        *ours = capacity / ways / line / slices;
    machine_destroy(machine);
    return status;
}

/* --- page placement ------------------------------------------------------------------ */

/* Two partitions; pages P0 to P3 are first touched by SM 1, 0, 0, 1, each SM in the partition
 * of its number. The homes, read as bits: M1 M0 M0 M1 is 9. Argument 0: index of the policy. */
static int homes(const struct checkpoint *c, double *ours, struct error *error)
{
    static const char *const policies[] = {"first-touch", "round-robin", "lab"};
    static const uint32_t touchers[] = {1, 0, 0, 1};
    const struct plugin *plugin;
    struct placement_context context = {.n_homes = 2, .page_bytes = 4096, .threshold = 0.9};
    int status = plugin_require("placement", policies[(int)c->arguments[0]], &plugin, error);
    if (status)
        return status;
    const struct placement *placement = (const struct placement *)plugin;
    void *state = memory_zero(1, placement->state_size + 1);
    if (placement->setup)
        status = placement->setup(state, &context, error);
    *ours = 0;
    for (int page = 0; page < 4 && !status; page++)
        *ours = *ours * 2 + placement->home(state, &context, (uint64_t)page * context.page_bytes,
                                            touchers[page]);
    if (placement->finish)
        placement->finish(state);
    free(state);
    return status;
}

/* --- model-driven replication -------------------------------------------------------- */

static int storage(const struct checkpoint *c, double *ours, struct error *error)
{
    struct mdr_sampler_shape shape = {.domains = 32,
                                      .sets_per_domain = 96,
                                      .ways = MDR_WAYS,
                                      .sampled_sets = MDR_SAMPLED_SETS,
                                      .tag_bits = MDR_TAG_BITS};
    (void)c;
    (void)error;
    *ours = mdr_sampler_storage(&shape);
    return 0;
}

static int evaluation(const struct checkpoint *c, double *ours, struct error *error)
{
    (void)c;
    (void)error;
    *ours = mdr_evaluation_cycles();
    return 0;
}

/* --- the NoC's design power ---------------------------------------------------------- */

/* Of a machine whose NoC has `factor` times its bandwidth. */
static int power(const char *name, double factor, double *out, struct error *error)
{
    struct machine *machine;
    double bandwidth = 0;
    char text[64];
    int status = machine_load(name, &machine, error);
    if (status)
        return status;
    status = machine_number(machine, "noc.bandwidth", &bandwidth, error);
    snprintf(text, sizeof text, "%.17g B/s", bandwidth * factor);
    if (!status)
        status = machine_set(machine, "noc.bandwidth", text, NULL, error);
    if (!status)
        status = checkpoint_value(machine, "cost.noc_design_power", out, error);
    machine_destroy(machine);
    return status;
}

/* Between a memory-side UBA and a NUBA whose crossbar is so many times narrower (argument 0). */
static int exponent(const struct checkpoint *c, double *ours, struct error *error)
{
    double wide = 0, narrow = 0;
    int status = power("uba-memory-side", 1, &wide, error);
    if (!status)
        status = power("nuba", 1 / c->arguments[0], &narrow, error);
    *ours = log(wide / narrow) / log(c->arguments[0]);
    return status;
}

static int sm_side_power(const struct checkpoint *c, double *ours, struct error *error)
{
    double side = 0, memory_side = 0;
    int status = power("uba-sm-side", c->arguments[0], &side, error);
    if (!status)
        status = power("uba-memory-side", c->arguments[0], &memory_side, error);
    *ours = side / memory_side;
    return status;
}

/* The paper prints M0 M1 M0 M0 for round robin, which its own rule does not give. */
#define EXACT .tolerance = 0, .how = CHECKPOINT_FORMULA
#define GIVEN .tolerance = 1e-9, .how = CHECKPOINT_CONSTANT
#define FITTED(t) .tolerance = t, .how = CHECKPOINT_FIT
enum { NOC, P2P, MEMORY, LLC, SMS };
enum { NUBA, UBA, MCM };

static const struct checkpoint nuba_checkpoints[] = {
    {"crossbar between partitions", NULL, 1.4, "TB/s", EXACT, total, {NOC, 1e12, NUBA}},
    {"crossbar of the uniform GPU", NULL, 1.4, "TB/s", EXACT, total, {NOC, 1e12, UBA}},
    {"point-to-point links", NULL, 2.8, "TB/s", EXACT, total, {P2P, 1e12, NUBA}},
    {"memory", NULL, 720, "GB/s", EXACT, total, {MEMORY, 1e9, NUBA}},
    {"memory of the uniform GPU", NULL, 720, "GB/s", EXACT, total, {MEMORY, 1e9, UBA}},
    {"LLC", NULL, 6, "MiB", EXACT, total, {LLC, 1 << 20, NUBA}},
    {"SMs of four modules", NULL, 128, "", EXACT, total, {SMS, 1, MCM}},
    {"sets of an L1", NULL, 64, "", EXACT, sets, {0}},
    {"sets of an LLC slice", NULL, 48, "", EXACT, sets, {1}},
    {"homes of P0 to P3, first touch: M1 M0 M0 M1 as bits", "section 4", 9, "", EXACT, homes, {0}},
    {"homes of P0 to P3, round robin: M0 M1 M0 M1 as bits", "section 4", 5, "", EXACT, homes, {1}},
    {"homes of P0 to P3, LAB: M1 M0 M0 M1 as bits", "section 4", 9, "", EXACT, homes, {2}},
    {"sampled sets of MDR", "section 5", 384, "B", EXACT, storage, {0}},
    {"evaluation of MDR's model", "section 5", 116, "cycles", EXACT, evaluation, {0}},
    {"exponent of the NoC's design power, first ratio",
     NULL,
     1.199,
     "",
     FITTED(0.002),
     exponent,
     {8}},
    {"exponent of the NoC's design power, second ratio",
     NULL,
     1.202,
     "",
     FITTED(0.002),
     exponent,
     {8}},
    {"NoC design power, SM-side over memory-side UBA", NULL, 0.696, "", GIVEN, sm_side_power, {1}},
    {.what = NULL},
};

const struct validation validation_nuba = {
    .plugin = {"validation", "nuba", "totals, LAB's example, MDR's hardware, the NoC's power",
               "NUBA, ASPLOS 2023", NULL},
    .columns = checkpoint_columns,
    .checkpoints = nuba_checkpoints,
};
