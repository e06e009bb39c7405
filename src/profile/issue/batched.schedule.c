/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batched scheduling, between centralised and distributed: cta.batch consecutive
 * thread blocks go to one unit of cta.scope, the next ones to the next unit. */
#include "profile/issue/schedule.h"

/* Batch b of the grid goes to unit b mod units. */
static uint64_t batched_cta(const struct schedule_context *context, uint32_t unit, uint64_t n)
{
    uint64_t batch = n / context->batch, units = schedule_scope_units(context);
    uint64_t n_batches = context->n_ctas / context->batch + (context->n_ctas % context->batch != 0);
    if (unit >= n_batches || batch > (n_batches - 1 - unit) / units)
        return UINT64_MAX;
    uint64_t cta = (batch * units + unit) * context->batch + n % context->batch;
    return cta < context->n_ctas ? cta : UINT64_MAX;
}

const struct schedule schedule_batched = {
    .plugin = {"schedule", "batched",
               "batches of consecutive blocks (cta.batch) to the chips, partitions or SMs in turn",
               NULL, NULL},
    .n_units = schedule_scope_units,
    .unit_of = schedule_scope_unit_of,
    .cta = batched_cta,
};
