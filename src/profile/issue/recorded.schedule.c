/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded scheduling: every thread block on the SM that it ran on when the
 * trace was captured. */
#include <stdlib.h>

#include "core/memory.h"
#include "profile/issue/schedule.h"

/* CTAs of SM s: ctas[first[s]] .. ctas[first[s + 1] - 1], ascending. */
struct recorded {
    uint64_t *first, *ctas;
};

static uint32_t recorded_units(const struct schedule_context *context)
{
    return context->n_chips * context->sms_per_chip;
}

static uint32_t recorded_unit_of(const struct schedule_context *context, uint32_t sm)
{
    (void)context;
    return sm;
}

static int recorded_check(const struct schedule_context *context, uint64_t cta, struct error *error)
{
    uint32_t sm = stream_cta_sm(context->stream, cta), n_sms = recorded_units(context);
    if (sm < n_sms)
        return 0;
    error_set(error, STATUS_INPUT,
              "cta.policy recorded: block %llu ran on SM %u, the machine has %u SMs",
              (unsigned long long)cta, sm, n_sms);
    error_hint(error, "raise sm.per_chip or take another cta.policy");
    return STATUS_INPUT;
}

static int recorded_setup(struct schedule_context *context, struct error *error)
{
    struct recorded *recorded = context->state;
    uint32_t n_sms = recorded_units(context);
    if (!context->recorded_sm) {
        error_set(error, STATUS_INPUT,
                  "cta.policy recorded: the input does not say which SM "
                  "a block ran on");
        error_hint(error, "take another cta.policy: centralised or distributed");
        return STATUS_INPUT;
    }
    recorded->first = memory_zero((size_t)n_sms + 2, sizeof *recorded->first);
    recorded->ctas = memory_zero(context->n_ctas, sizeof *recorded->ctas);
    /* A counting sort: first[s + 2] counts SM s, then first[s + 1] moves from its
     * beginning to its end. */
    for (uint64_t cta = 0; cta < context->n_ctas; cta++) {
        int status = recorded_check(context, cta, error);
        if (status)
            return status;
        recorded->first[stream_cta_sm(context->stream, cta) + 2]++;
    }
    for (uint32_t s = 2; s < n_sms + 2; s++)
        recorded->first[s] += recorded->first[s - 1];
    for (uint64_t cta = 0; cta < context->n_ctas; cta++)
        recorded->ctas[recorded->first[stream_cta_sm(context->stream, cta) + 1]++] = cta;
    return 0;
}

static void recorded_finish(struct schedule_context *context)
{
    struct recorded *recorded = context->state;
    free(recorded->first);
    free(recorded->ctas);
}

static uint64_t recorded_cta(const struct schedule_context *context, uint32_t unit, uint64_t n)
{
    const struct recorded *recorded = context->state;
    uint64_t first = recorded->first[unit];
    return n < recorded->first[unit + 1] - first ? recorded->ctas[first + n] : UINT64_MAX;
}

const struct schedule schedule_recorded = {
    .plugin = {"schedule", "recorded", "every block on the SM that it ran on when captured", NULL,
               NULL},
    .state_size = sizeof(struct recorded),
    .setup = recorded_setup,
    .finish = recorded_finish,
    .n_units = recorded_units,
    .unit_of = recorded_unit_of,
    .cta = recorded_cta,
};
