/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which lanes are in an iteration of a loop. */
#include "workload/nests/nest_lanes.h"

#include "workload/access.h"

/* As loop_lanes, of lanes that go up in steps of their own. */
static uint32_t loop_lanes_apart(const struct lanes *span, const struct lanes *step, uint32_t mask,
                                 int64_t n, int64_t *change)
{
    uint32_t active = 0;
    while (mask) {
        uint32_t k = access_next_lane(&mask);
        int64_t trips = trip_count(lane_value(span, k), lane_value(step, k));
        if (trips <= n)
            continue;
        active |= (uint32_t)1 << k;
        *change = trips < *change ? trips : *change;
    }
    return active;
}

/* The lanes of `mask` that are in iteration n of the loop; notes the first iteration after
 * n at which one of them is not. */
static uint32_t loop_lanes(const struct run *r, const struct op *loop, uint32_t mask, int64_t n,
                           struct frame *frame)
{
    static const struct stretch end = {.until = INT64_MAX};
    struct lanes span, step;
    int64_t spans[WARP_LANES], steps[WARP_LANES], least = INT64_MAX;
    uint32_t active = 0;
    sum_lanes(r, loop->sum, mask, &span, spans);
    sum_lanes(r, loop->step_sum, mask, &step, steps);
    frame->change = INT64_MAX;
    if (!is_uniform(&step))
        return loop_lanes_apart(&span, &step, mask, n, &frame->change);
    if (is_uniform(&span)) {
        frame->change = trip_count(span.base, step.base);
        frame->stretch = &end;
        return n < frame->change ? mask : 0;
    }
    for (uint32_t k = 0; k < WARP_LANES; k++) { /* those that have not passed: no division */
        spans[k] = lane_value(&span, k);
        active |= (uint32_t)(spans[k] > n * step.base) << k;
    }
    active &= mask;
    for (uint32_t left = active; left;) {
        uint32_t k = access_next_lane(&left);
        least = spans[k] < least ? spans[k] : least;
    }
    if (active)
        frame->change = trip_count(least, step.base);
    return active;
}

/* As loop_lanes, by what is tabulated. */
static uint32_t stretch_lanes(struct frame *frame, uint32_t mask, int64_t n)
{
    while (frame->stretch->until <= n)
        frame->stretch++;
    frame->change = frame->stretch->until;
    return frame->stretch->mask & mask;
}

/* The loop's counter has a new value, for which there is an iteration. */
static void note_step(const struct run *r, const struct op *loop)
{
    r->warp->kept &= ~loop->stale;
    update_scalars(r->warp, &loop->updates);
}

void loop_enter(const struct run *r, const struct op *loop)
{
    struct warp *w = r->warp;
    struct frame *frame = &r->frames[loop->frame];
    frame->stretch = loop->stretches ? loop->stretches[w->index] : NULL;
    uint32_t active =
        frame->stretch ? stretch_lanes(frame, w->mask, 0) : loop_lanes(r, loop, w->mask, 0, frame);
    if (!active) {
        w->at = loop->target;
        return;
    }
    frame->mask = w->mask;
    frame->left = loop->unroll;
    w->mask = active;
    w->values[loop->counter] = 0;
    note_step(r, loop);
    w->at++;
}

void loop_next(const struct run *r, uint32_t loop_at)
{
    const struct op *loop = &r->program->ops[loop_at];
    struct warp *w = r->warp;
    struct frame *frame = &r->frames[loop->frame];
    int64_t n = w->values[loop->counter];
    if (n >= frame->change) {
        uint32_t active = frame->stretch ? stretch_lanes(frame, w->mask, n)
                                         : loop_lanes(r, loop, w->mask, n, frame);
        if (!active) {
            w->ahead = 0;
            w->mask = frame->mask;
            w->at = loop->target;
            return;
        }
        w->mask = active;
    }
    note_step(r, loop);
    w->at = loop_at + 1;
}
