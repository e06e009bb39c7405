/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC's published figures: the totals that enter its equations, and the storage that its
 * hardware takes. */
#include "profile/crd.h"
#include "validate/checkpoint.h"

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

#define EXACT .tolerance = 0, .how = CHECKPOINT_FORMULA

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
    {.what = NULL},
};

const struct validation validation_sac = {
    .plugin = {"validation", "sac", "totals of the machine, storage of the hardware",
               "SAC, ISCA 2023", NULL},
    .columns = checkpoint_columns,
    .checkpoints = sac_checkpoints,
};
