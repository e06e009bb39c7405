/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The crossbars of a DC-L1 design (HPCA 2021, section 3): how many, and their ports. */
#include "dcl1/noc.h"
#include "model/computation.h"

static int l1_crossbars_compute(const struct machine *machine, const double *arguments,
                                double *results, struct error *error)
{
    struct dcl1_noc noc = {0};
    double stage = arguments[0];
    int status = machine ? dcl1_noc_read(machine, &noc, error)
                         : error_set(error, STATUS_INPUT, "crossbars of which machine?");
    if (!status && !(stage >= 1 && stage <= noc.n_stages))
        status = error_set(error, STATUS_INPUT, "the machine has %d stages of crossbars, not %g",
                           noc.n_stages, stage);
    if (status)
        return status;
    const struct dcl1_stage *found = &noc.stages[(int)stage - 1];
    results[0] = found->count;
    results[1] = found->inputs;
    results[2] = found->outputs;
    return 0;
}

static const char *const crossbars_arguments[] = {"stage", NULL}; /* 1: next to the SMs */
static const char *const crossbars_results[] = {"crossbars", "inputs", "outputs", NULL};

const struct computation computation_l1_crossbars = {
    .plugin = {"computation", "l1_crossbars", "crossbars of a stage and their ports",
               "DC-L1, HPCA 2021", NULL},
    .arguments = crossbars_arguments,
    .results = crossbars_results,
    .compute = l1_crossbars_compute,
};
