/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A launch under a schedule. */
#include "profile/issue/schedule.h"

#include <stdlib.h>

#include "core/memory.h"

int schedule_begin(const struct system *system, struct stream *stream,
                   const struct stream_kernel *kernel, struct schedule_context *out,
                   struct error *error)
{
    const struct schedule *schedule = schedule_of(system);
    uint32_t chips = system->cta_chips ? system->cta_chips : system->chips;
    *out = (struct schedule_context){
        .n_chips = chips,
        .sms_per_chip = system->sms_per_chip,
        .n_domains = system->domains / system->chips * chips,
        .scope = system->cta_scope,
        .batch = system->cta_batch,
        .n_ctas = kernel->n_ctas,
        .recorded_sm = kernel->recorded_sm,
        .stream = stream,
        .state = schedule->state_size ? memory_zero(1, schedule->state_size) : NULL,
    };
    return schedule->setup ? schedule->setup(out, error) : 0;
}

uint32_t schedule_unit(const struct system *system, const struct schedule_context *context,
                       uint32_t sm)
{
    return sm < context->n_chips * context->sms_per_chip ? schedule_of(system)->unit_of(context, sm)
                                                         : SCHEDULE_NONE;
}

void schedule_end(const struct system *system, struct schedule_context *context)
{
    if (schedule_of(system)->finish)
        schedule_of(system)->finish(context);
    free(context->state);
    context->state = NULL;
}
