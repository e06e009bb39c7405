/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributed scheduling: every chip (or SM) gets a contiguous part of the
 * grid, so that neighbours, which share data, meet in one chip. */
#include <string.h>

#include "profile/schedule.h"

static bool per_sm(const struct schedule_context *context)
{
    return strcmp(context->scope, "sm") == 0;
}

static uint32_t distributed_units(const struct schedule_context *context)
{
    return per_sm(context) ? context->n_chips * context->sms_per_chip : context->n_chips;
}

static uint32_t distributed_unit_of(const struct schedule_context *context, uint32_t sm)
{
    return per_sm(context) ? sm : sm / context->sms_per_chip;
}

/* Parts of ceil(n / units) CTAs: the last one that gets any may be shorter. */
static uint64_t distributed_cta(const struct schedule_context *context, uint32_t unit, uint64_t n)
{
    uint32_t units = distributed_units(context);
    uint64_t part = context->n_ctas / units + (context->n_ctas % units != 0);
    if (n >= part)
        return UINT64_MAX;
    uint64_t cta = unit * part + n;
    return cta < context->n_ctas ? cta : UINT64_MAX;
}

const struct schedule schedule_distributed = {
    .plugin = {"schedule", "distributed", "a contiguous part of the grid to each chip or SM",
               "MCM-GPU, ISCA 2017, section 5.2", NULL},
    .n_units = distributed_units,
    .unit_of = distributed_unit_of,
    .cta = distributed_cta,
};
