/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Periods of launches. */
#include "profile/run/repeats.h"

#include <stdlib.h>

#include "core/memory.h"
#include "profile/run/profiler.h"

void repeats_init(struct repeats *repeats, const struct source *source, bool exact)
{
    *repeats = (struct repeats){.source = source, .exact = exact};
}

void repeats_fini(struct repeats *repeats)
{
    for (uint32_t i = 0; i < REPEATS_PERIOD_MAX; i++)
        launch_group_destroy(repeats->last[i].group);
    stream_destroy(repeats->ahead);
    VECTOR_FREE(&repeats->seen);
    free(repeats->met.items);
}

/* Enters an identity; whether it was there. */
static bool meet(struct repeats *repeats, uint64_t identity)
{
    size_t bits = repeats->met.bits, mask = ((size_t)1 << bits) - 1;
    if (2 * repeats->met.count >= (repeats->met.items ? mask + 1 : 0)) {
        struct repeats larger = {.met = {.bits = repeats->met.items ? bits + 1 : 6}};
        larger.met.items = memory_zero((size_t)1 << larger.met.bits, sizeof *larger.met.items);
        for (size_t i = 0; repeats->met.items && i <= mask; i++)
            if (repeats->met.items[i])
                meet(&larger, repeats->met.items[i]);
        free(repeats->met.items);
        repeats->met = larger.met;
        mask = ((size_t)1 << repeats->met.bits) - 1;
    }
    size_t at = identity & mask;
    for (; repeats->met.items[at]; at = (at + 1) & mask)
        if (repeats->met.items[at] == identity)
            return true;
    repeats->met.items[at] = identity;
    repeats->met.count++;
    return false;
}

/* The k-th newest of those that were gone through, from 1. */
static struct repeats_launch *newest(struct repeats *repeats, uint64_t k)
{
    return &repeats->last[(repeats->count - k) % REPEATS_PERIOD_MAX];
}

/* Looks one launch further ahead. */
static int look_ahead(struct repeats *repeats, struct error *error)
{
    struct stream_kernel kernel;
    int status = 0;
    if (!repeats->ahead)
        status = stream_open(repeats->source, &repeats->ahead, error);
    if (!status)
        status = stream_next_kernel(repeats->ahead, &kernel, error);
    if (status < 0)
        return status;
    repeats->ended = status == 0;
    if (repeats->ended)
        return 0;
    /* What lies behind is not asked for: of a trace it costs time. */
    bool behind = repeats->seen.count + 1 < repeats->reached;
    VECTOR_PUSH(&repeats->seen, behind ? 0 : stream_identity(repeats->ahead, &kernel));
    return 0;
}

/* How many launches, from the current one on, go on with the last period. */
static int count_repeats(struct repeats *repeats, uint64_t period, uint64_t *out,
                         struct error *error)
{
    for (*out = 0;; ++*out) {
        size_t at = (size_t)(repeats->reached - 1 + *out);
        while (at >= repeats->seen.count && !repeats->ended) {
            int status = look_ahead(repeats, error);
            if (status)
                return status;
        }
        if (at >= repeats->seen.count ||
            repeats->seen.items[at] != newest(repeats, period - *out % period)->identity)
            return 0;
    }
}

/* Whether the current launch begins repetitions of that period; sets how many. */
static int try_period(struct repeats *repeats, uint64_t period, struct error *error)
{
    uint64_t n;
    const struct repeats_launch *before = newest(repeats, period);
    if (repeats->alike[period] < period || before->identity != repeats->identity ||
        before->start != repeats->start)
        return 0;
    int status = count_repeats(repeats, period, &n, error);
    if (status)
        return status;
    bool last = repeats->ended && repeats->reached - 1 + n == repeats->seen.count;
    repeats->period = period;
    repeats->left = last ? n : n - n % period;
    return 0;
}

int repeats_next(struct repeats *repeats, struct stream *stream, const struct stream_kernel *kernel,
                 const struct launch_group **out, struct error *error)
{
    int status = 0;
    *out = NULL;
    repeats->reached++;
    if (!repeats->left) {
        repeats->identity = stream_identity(stream, kernel);
        repeats->again = repeats->identity && meet(repeats, repeats->identity);
        for (uint64_t k = 1; k <= REPEATS_PERIOD_MAX && !repeats->left && !status; k++)
            status = try_period(repeats, k, error);
        repeats->done = 0;
    }
    if (status || !repeats->left)
        return status;
    *out = newest(repeats, repeats->period - repeats->done++ % repeats->period)->group;
    repeats->left--;
    return 0;
}

void repeats_note(struct repeats *repeats, struct launch_group *group)
{
    if (repeats->exact || !repeats->identity) {
        launch_group_destroy(group);
        group = NULL;
    }
    for (uint64_t k = 1; k <= REPEATS_PERIOD_MAX; k++) {
        const struct repeats_launch *before = k <= repeats->count ? newest(repeats, k) : NULL;
        bool alike = before && group && before->identity == repeats->identity &&
                     before->start == repeats->start &&
                     launch_group_agrees(before->group, group, PROFILE_SETTLED_WITHIN);
        repeats->alike[k] = alike ? repeats->alike[k] + 1 : 0;
    }
    struct repeats_launch *place = &repeats->last[repeats->count++ % REPEATS_PERIOD_MAX];
    launch_group_destroy(place->group);
    *place = (struct repeats_launch){repeats->identity, repeats->start, group};
}
