/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributed scheduling: every unit of cta.scope gets a contiguous part of the
 * grid, so that neighbours, which share data, meet in one of them. */
#include "profile/issue/schedule.h"

/* Parts of ceil(n / units) CTAs: the last one that gets any may be shorter. */
static uint64_t distributed_cta(const struct schedule_context *context, uint32_t unit, uint64_t n)
{
    uint32_t units = schedule_scope_units(context);
    uint64_t part = context->n_ctas / units + (context->n_ctas % units != 0);
    if (n >= part)
        return UINT64_MAX;
    uint64_t cta = unit * part + n;
    return cta < context->n_ctas ? cta : UINT64_MAX;
}

const struct schedule schedule_distributed = {
    .plugin = {"schedule", "distributed",
               "a contiguous part of the grid to each chip, partition or SM (cta.scope)",
               "MCM-GPU, ISCA 2017, section 5.2", NULL},
    .n_units = schedule_scope_units,
    .unit_of = schedule_scope_unit_of,
    .cta = distributed_cta,
};
