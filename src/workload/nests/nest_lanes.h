/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a running warp, and the values of sums and tests in its lanes.
 * Scalars and what follows from the thread index are looked up (nest_sum.c), so
 * that the value of a sum is nearly always one base for the warp and even steps or
 * a table for its lanes; only what depends on both a thread and something else (a
 * quotient that changes inside the warp, ...) is worked out, one value a lane. */
#ifndef BANDSCAPE_WORKLOAD_NEST_LANES_H
#define BANDSCAPE_WORKLOAD_NEST_LANES_H

#include "workload/nests/nest_program.h"

struct frame {
    int64_t change;                /* loop: the counter at which the next lanes leave it */
    const struct stretch *stretch; /* loop: of the present iteration; NULL: not tabulated */
    uint32_t mask;                 /* to return to */
    uint32_t left;                 /* loop: iterations of the present group */
};

/* State of a warp between two reads. */
struct warp {
    uint32_t at;      /* operation */
    uint32_t mask;    /* active lanes */
    uint64_t pending; /* instructions since the last access */
    uint32_t index;   /* in its block */
    uint32_t step;    /* in a sequence */
    uint32_t ahead;   /* loads whose values nothing has used yet */
    uint32_t listed;  /* of the places that are filled, those with a list */
    uint64_t kept;    /* places that are filled */
    int64_t values[]; /* direct variables, of its first lane; scalars; frames; kept lanes */
};

/* The values of a sum: lane k has base + k*stride, or base + at[k]. */
struct lanes {
    int64_t base, stride;
    const int64_t *at; /* NULL: evenly spread; else a table, or the caller's list */
};

/* A mixed operation's lanes, kept from one operation to the next in the place of its index,
 * until a counter changes on which they depend (op->stale). */
struct kept {
    const struct operation *operation;
    uint32_t mask; /* lanes for which they hold */
    struct lanes lanes;
};

/* The lanes of a mask that pass a test, kept alike. */
struct kept_test {
    uint32_t mask, active;
};

struct run {
    const struct program *program;
    const uint64_t *bases;
    struct warp *warp;
    struct frame *frames;
    struct warp_buffer *out;
    struct kept *kept;
    struct kept_test *tests;
    int64_t (*lists)[WARP_LANES]; /* of what is kept, in this read */
    struct error *error;
};

/* What is the same in all lanes. */
static inline int64_t scalar_sum(const int64_t *values, const struct sum *sum)
{
    int64_t value = sum->constant;
    for (int i = 0; i < sum->n_scalars; i++)
        value += sum->scalars[i].factor * values[sum->scalars[i].variable];
    return value;
}

static inline uint32_t first_lane(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}

static inline uint32_t last_lane(uint32_t mask)
{
    return 31 - (uint32_t)__builtin_clz(mask);
}

/* Wraps as unsigned numbers do: lanes that are not active may hold anything. */
static inline int64_t lane_value(const struct lanes *x, uint32_t k)
{
    return (int64_t)((uint64_t)x->base + (x->at ? (uint64_t)x->at[k] : k * (uint64_t)x->stride));
}

static inline bool is_even(const struct lanes *x)
{
    return x->at == NULL;
}

static inline bool is_uniform(const struct lanes *x)
{
    return x->at == NULL && x->stride == 0;
}

/* The values in the lanes of `mask`, which must not be 0; `list` is there for them. */
void sum_lanes(const struct run *r, const struct sum *sum, uint32_t mask, struct lanes *out,
               int64_t list[WARP_LANES]);

/* The least and the greatest value in all lanes of the warp; false: not known without
 * going through them. */
bool sum_range(const struct run *r, const struct sum *sum, int64_t *low, int64_t *high);

/* The lanes of `mask` that pass the test. */
uint32_t test_lanes(const struct run *r, const struct test *test, uint32_t mask);

/* The same, with a counter on which the test depends linearly: lowers *steps to a number of its
 * next values, the present one included, for which the answer is certainly the same. */
uint32_t test_lanes_for(const struct run *r, const struct test *test, uint32_t mask, int counter,
                        int64_t *steps);

/* Works out scalars anew. */
void update_scalars(struct warp *warp, const struct updates *updates);

/* Into the loop, or past it. */
void loop_enter(const struct run *run, const struct op *loop);
/* The counter has advanced: another iteration, with fewer lanes perhaps, or
 * out of the loop. */
void loop_next(const struct run *run, uint32_t loop_at);

#endif
