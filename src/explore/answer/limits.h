/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What limits an answer: every resource of the launches that take the most time, how much of it is
 * used, and what the run would gain from more of it. All of it is read off the answer's own terms:
 * a resource's limits are moved and the terms that depend on them evaluated again
 * (term_evaluate_scaled), or the model itself says what twice as much gives (metric "<name>_x2").
 *
 *     used    what goes through it / limit, the largest: the arguments of a minimum have as much as
 *             it has, those of a sum in proportion; of a maximum of utilisations the utilisation
 *     twice   effective_bandwidth of the run with the limits twice as high, over that here
 *
 * Where local and remote requests have limits of their own (streams), the first to bind is the one
 * that gives most where there is twice as much of it. */
#ifndef BANDSCAPE_EXPLORE_LIMITS_H
#define BANDSCAPE_EXPLORE_LIMITS_H

#include "explore/answer/answer.h"

struct limit {
    const char *name;   /* resource: "inter" */
    double used;        /* share */
    double twice;       /* ratio of bandwidths; NaN: the model cannot say */
    const char *behind; /* what binds the same stream then; NULL: nothing does, or unknown */
    bool binds;         /* a stream */
};

struct limits {
    const struct model_record *record; /* NULL: no launch has requests */
    double share;                      /* of its time in that of the run; NaN: unknown */
    struct limit *items; /* the first to bind, others that bind, then as they are used */
    size_t count, capacity;
    /* Behind the first: what binds where there is more than enough of it, and the effective
     * bandwidth of the run then; NULL and NaN: nothing does, or the model cannot say. */
    const char *next;
    double next_bytes_per_s;
};

/* To be freed (VECTOR_FREE); lives as long as the answer. */
void limits_find(const struct answer *answer, struct limits *out);

/* A metric's value of a record; NaN where it has none. */
double limits_metric(const struct answer *answer, const struct model_record *record,
                     const char *name);

#endif
