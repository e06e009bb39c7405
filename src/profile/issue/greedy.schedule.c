/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Greedy scheduling: one queue for the whole system. The next thread block goes
 * to the SM that has room first; at the start every SM has, and the chips take
 * blocks in turn: the first SM of each chip, then the second of each, ... */
#include "profile/issue/schedule.h"

static uint32_t greedy_units(const struct schedule_context *context)
{
    (void)context;
    return 1;
}

static uint32_t greedy_unit_of(const struct schedule_context *context, uint32_t sm)
{
    (void)context;
    (void)sm;
    return 0;
}

static uint64_t greedy_cta(const struct schedule_context *context, uint32_t unit, uint64_t n)
{
    (void)unit;
    return n < context->n_ctas ? n : UINT64_MAX;
}

const struct schedule schedule_greedy = {
    .plugin = {"schedule", "greedy", "the next block goes to whichever SM has room first",
               "DualOpt, PACT 2022", NULL},
    .n_units = greedy_units,
    .unit_of = greedy_unit_of,
    .cta = greedy_cta,
};
