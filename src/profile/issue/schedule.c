/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A launch under a schedule. */
#include "profile/issue/schedule.h"

#include <stdlib.h>

#include "core/memory.h"

static struct schedule_context context_of(const struct system *system)
{
    uint32_t chips = system->cta_chips ? system->cta_chips : system->chips;
    return (struct schedule_context){
        .n_chips = chips,
        .sms_per_chip = system->sms_per_chip,
        .n_domains = system->domains / system->chips * chips,
        .scope = system->cta_scope,
        .batch = system->cta_batch,
    };
}

/* SMs of several units may be asked by several threads: none of them is the last. */
static int check_queues(const struct system *system, const struct schedule_context *context,
                        struct error *error)
{
    uint32_t queues = schedule_of(system)->n_units(context);
    if (!system->cta_start_next || queues <= 1)
        return 0;
    error_set(error, STATUS_INPUT,
              "cta.start: next goes on where one queue of thread blocks stopped; there are %u",
              queues);
    error_hint(error, "use cta.policy=greedy, or cta.start=first");
    return STATUS_INPUT;
}

int schedule_check(const struct system *system, struct error *error)
{
    struct schedule_context context = context_of(system);
    return schedule_of(system)->setup ? 0 : check_queues(system, &context, error);
}

int schedule_begin(const struct system *system, struct stream *stream,
                   const struct stream_kernel *kernel, struct schedule_context *out,
                   struct error *error)
{
    const struct schedule *schedule = schedule_of(system);
    *out = context_of(system);
    out->n_ctas = kernel->n_ctas;
    out->recorded_sm = kernel->recorded_sm;
    out->stream = stream;
    out->state = schedule->state_size ? memory_zero(1, schedule->state_size) : NULL;
    int status = schedule->setup ? schedule->setup(out, error) : 0;
    return status ? status : check_queues(system, out, error);
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
