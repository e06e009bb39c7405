/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a running warp, and the values of forms and conditions in its
 * lanes. Lanes differ by tx, ty, tz only, so the value of a form is nearly
 * always "first lane + k * stride" and found in a handful of multiplications;
 * where it is not (a block row shorter than a warp, a quotient that changes
 * inside the warp, ...), one value a lane is worked out. */
#ifndef BANDSCAPE_WORKLOAD_NEST_LANES_H
#define BANDSCAPE_WORKLOAD_NEST_LANES_H

#include "workload/nest_program.h"

struct frame {
    int64_t change; /* loop: the counter at which the next lanes leave it */
    uint32_t mask;  /* to return to */
};

/* State of a warp between two reads. */
struct warp {
    uint32_t at;      /* operation */
    uint32_t mask;    /* active lanes */
    uint64_t pending; /* instructions since the last access */
    bool one_row;     /* its threads have one ty and tz */
    int64_t values[]; /* direct variables, of its first lane; then the frames */
};

/* The values of a form: base + k*stride at lane k when regular, else at[k] of
 * the active lanes. */
struct lanes {
    bool regular;
    int64_t base, stride;
    int64_t at[WARP_LANES];
};

/* Atoms kept from one operation of a read to the next. */
enum { KEPT_ATOMS = 16 };
struct kept_atoms {
    uint32_t steps;                      /* of all loops in this read */
    uint32_t changed[VARIABLE_COUNTERS]; /* the step at which a counter changed last */
    struct kept_atom {
        const struct atom *atom; /* NULL: empty */
        uint32_t mask;           /* lanes for which they hold */
        uint32_t step;           /* when they were worked out */
        struct lanes lanes;
    } atoms[KEPT_ATOMS];
};

struct run {
    const struct program *program;
    const uint64_t *bases;
    struct warp *warp;
    struct frame *frames;
    struct warp_buffer *out;
    struct kept_atoms *kept;
    struct error *error;
};

static inline uint32_t first_lane(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}

static inline uint32_t last_lane(uint32_t mask)
{
    return 31 - (uint32_t)__builtin_clz(mask);
}

static inline int64_t lane_value(const struct lanes *x, uint32_t k)
{
    return x->regular ? x->base + x->stride * (int64_t)k : x->at[k];
}

static inline bool is_uniform(const struct lanes *x)
{
    return x->regular && x->stride == 0;
}

/* The values in the lanes of `mask`, which must not be 0. */
void form_lanes(const struct run *r, const struct form *form, uint32_t mask, struct lanes *out);

/* The lanes of `mask` that fulfil the condition. */
uint32_t condition_lanes(const struct run *r, const struct condition *condition, uint32_t mask);

#endif
