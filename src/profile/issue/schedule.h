/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CTA scheduling: which SM a thread block goes to. One file
 * `<name>.schedule.c` a policy, ending in its descriptor. */
#ifndef BANDSCAPE_PROFILE_SCHEDULE_H
#define BANDSCAPE_PROFILE_SCHEDULE_H

#include <string.h>

#include "core/plugin.h"
#include "machine/system.h"
#include "trace/stream.h"

/* One launch. SM numbers are chip * sms_per_chip + index. Chips are those on which launches run
 * (cta.chips), the first ones of the system. */
struct schedule_context {
    uint32_t n_chips, sms_per_chip;
    uint32_t n_domains; /* their partitions; SMs divide evenly among them */
    const char *scope;  /* cta.scope: "chip", "partition", "sm" */
    uint32_t batch;     /* cta.batch */
    uint64_t n_ctas;
    bool recorded_sm; /* stream_cta_sm answers */
    struct stream *stream;
    void *state; /* the schedule's own */
};

struct schedule {
    struct plugin plugin; /* kind "schedule" */
    /* Bytes of context->state, zeroed, then set up once a launch; NULL setup: nothing to do. */
    size_t state_size;
    int (*setup)(struct schedule_context *context, struct error *error);
    void (*finish)(struct schedule_context *context);
    /* SMs of one unit take their CTAs from one queue: unit_of(sm) in 0 .. n_units-1. */
    uint32_t (*n_units)(const struct schedule_context *context);
    uint32_t (*unit_of)(const struct schedule_context *context, uint32_t sm);
    /* The n-th CTA (from 0) of a unit; UINT64_MAX when it has no more. The SMs of a unit take
     * its CTAs round robin at first, later as they have room (profile/issue/issue.h). */
    uint64_t (*cta)(const struct schedule_context *context, uint32_t unit, uint64_t n);
};

/* The units that cta.scope names: chips, partitions or SMs of the system. */
static inline uint32_t schedule_scope_units(const struct schedule_context *context)
{
    if (strcmp(context->scope, "sm") == 0)
        return context->n_chips * context->sms_per_chip;
    return strcmp(context->scope, "partition") == 0 ? context->n_domains : context->n_chips;
}

/* The one that an SM belongs to. */
static inline uint32_t schedule_scope_unit_of(const struct schedule_context *context, uint32_t sm)
{
    return sm / (context->n_chips * context->sms_per_chip / schedule_scope_units(context));
}

/* The unit whose CTAs an SM of the system takes; SCHEDULE_NONE: launches do not run there. */
#define SCHEDULE_NONE UINT32_MAX
uint32_t schedule_unit(const struct system *system, const struct schedule_context *context,
                       uint32_t sm);

static inline const struct schedule *schedule_of(const struct system *system)
{
    return (const struct schedule *)system->schedule;
}

/* Whether launches can be put to the system's schedule, as far as none need be known for that. */
int schedule_check(const struct system *system, struct error *error);

/* Puts a launch to the system's schedule; to be ended whatever the result. The stream and the
 * system must outlive it. */
int schedule_begin(const struct system *system, struct stream *stream,
                   const struct stream_kernel *kernel, struct schedule_context *out,
                   struct error *error);
void schedule_end(const struct system *system, struct schedule_context *context);

#endif
