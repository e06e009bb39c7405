/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a CTA schedule: copy it to src/profile/issue/<name>.schedule.c, replace "template" by
 * <name>, and say which thread blocks a unit takes, in which order.
 *
 * This one deals the blocks out, one to each unit of cta.scope in turn. */
#include "profile/issue/schedule.h"

static uint64_t template_cta(const struct schedule_context *context, uint32_t unit, uint64_t n)
{
    uint64_t units = schedule_scope_units(context);
    if (n > context->n_ctas / units) /* also where the product below would overflow */
        return UINT64_MAX;
    uint64_t cta = n * units + unit;
    return cta < context->n_ctas ? cta : UINT64_MAX;
}

const struct schedule schedule_template = {
    .plugin = {"schedule", "template", "blocks in turn to the units of cta.scope", NULL, NULL},
    .n_units = schedule_scope_units,
    .unit_of = schedule_scope_unit_of,
    .cta = template_cta,
};
