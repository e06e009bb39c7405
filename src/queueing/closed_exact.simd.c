/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact mean value analysis, of networks in lanes; of one network with two classes, of populations
 * in lanes: those with equally many customers do not depend on each other. Three times as fast. */
#include <string.h>

#include "core/parallel.h"
#include "queueing/closed_lanes.h"

/* One population in every lane: what a customer of a class finds, what it leaves; `pitch` doubles
 * from station to station. */
struct place {
    const double *n;                        /* [class]; [class][lane] where lanes differ */
    const double *seen[CLOSED_MVA_CLASSES]; /* [station][lane] */
    double *here;                           /* [station][lane] */
    int pitch;
};

/* Residence times and throughputs from what a customer finds, then what it leaves: queues, one
 * customer more to begin with, which keeps that addition off the chain from state to state.
 * `differ`: customers differ from lane to lane. */
INLINE void mva_state(const struct closed_block *b, int lanes, int classes, int stations,
                      bool residual, bool differ, const struct place *at, double *restrict cycle)
{
    double *restrict x = b->throughput_per_s, *restrict residence = b->residence_s;
    for (int c = 0; c < classes; c++) {
        const double *restrict n = differ ? at->n + c * lanes : at->n + c;
        double sum[LANES];
        if (!differ && *n == 0.0) {
            EACH_LANE x[c * lanes + i] = 0.0;
            continue;
        }
        EACH_LANE sum[i] = b->think_s[c * lanes + i];
        for (int k = 0; k < stations; k++) {
            size_t pair = (size_t)((k * classes + c) * lanes);
            EACH_LANE
            {
                double r = b->demand_s[pair + (size_t)i] * at->seen[c][k * at->pitch + i];
                residence[pair + (size_t)i] = r;
                sum[i] += r;
            }
        }
        EACH_LANE cycle[c * lanes + i] = sum[i];
        if (differ)
            EACH_LANE x[c * lanes + i] = n[i] > 0.0 ? n[i] / sum[i] : 0.0;
        else
            EACH_LANE x[c * lanes + i] = *n / sum[i];
    }
    if (residual)
        cut_to_capacity(b, lanes, x, cycle, residence);
    for (int k = 0; k < stations; k++) {
        double queue[LANES], busy[LANES], *restrict here = at->here + k * at->pitch;
        EACH_LANE queue[i] = 1.0;
        EACH_LANE busy[i] = 0.0;
        for (int c = 0; c < classes; c++) {
            size_t pair = (size_t)((k * classes + c) * lanes);
            if (!differ && at->n[c] == 0.0)
                continue;
            EACH_LANE queue[i] += x[c * lanes + i] * residence[pair + (size_t)i] * b->spread[k];
            if (residual)
                EACH_LANE busy[i] +=
                    x[c * lanes + i] * b->demand_s[pair + (size_t)i] * b->spread[k];
        }
        EACH_LANE here[i] = residual ? queue[i] - b->excess[k * lanes + i] * busy[i] : queue[i];
    }
}

/* Populations in the order of counting, the last class fastest. Of the first
 * class only this count and the one before are kept. */
enum { STATES_LOOK = 4096 }; /* populations between two looks at the flag of Ctrl-C */

INLINE void mva(struct closed_block *b, int lanes, int classes, int stations, bool residual)
{
    size_t states = closed_slab_states(b->population, classes, lanes);
    size_t state_size = (size_t)(stations * lanes), slab = states * state_size;
    double *previous = b->work, *current = previous + slab;
    double *cycle = current + slab, *n = cycle + (size_t)(classes * lanes);
    size_t stride[CLOSED_MVA_CLASSES], step = state_size, looked = 0;
    struct place at = {.n = n, .pitch = lanes};
    for (int c = classes - 1; c > 0; c--) {
        stride[c] = step;
        step *= (size_t)b->population[c * lanes] + 1;
    }
    memset(b->residence_s, 0, (size_t)(classes * stations * lanes) * sizeof(double));
    memset(n, 0, (size_t)classes * sizeof *n);
    for (n[0] = 0.0; n[0] <= b->population[0]; n[0] += 1.0) {
        for (size_t state = 0; state < states; state++) {
            if (looked++ % STATES_LOOK == 0 && interrupt_requested()) {
                EACH_LANE b->unsettled[i] = 1.0;
                return;
            }
            at.here = current + state * state_size;
            at.seen[0] = previous + state * state_size;
            for (int c = 1; c < classes; c++)
                at.seen[c] = n[c] > 0.0 ? at.here - stride[c] : at.here;
            mva_state(b, lanes, classes, stations, residual, false, &at, cycle);
            for (int c = classes - 1; c > 0; c--) {
                if ((n[c] += 1.0) <= b->population[c * lanes])
                    break;
                n[c] = 0.0;
            }
        }
        double *other = previous;
        previous = current;
        current = other;
    }
    EACH_LANE b->unsettled[i] = 0.0;
}

/* --- one network, two classes -------------------------------------------------- */

/* Populations (a, d - a) do not depend on each other. They are one front, which crosses the
 * lattice as d grows: at place a stands what (a, d - a) leaves, and (a - 1, d - a) and
 * (a, d - a - 1) left theirs at the places a - 1 and a of the front before. Places beside the
 * lattice hold what nobody reads. The operations of a population are those of mva(), in the same
 * order. */
enum { FRONT = CLOSED_FRONT };

struct front {
    struct closed_block block; /* lanes are places of the front */
    double *n, *cycle;         /* [class][lane] */
    double *places;            /* [station][pitch]: place 0 is the FRONT-th */
    int pitch;
};

INLINE void front_init(struct front *front, const struct closed_block *b, int stations)
{
    double *work = b->work;
    front->block = *b;
    front->pitch = (int)b->population[0] + 1 + FRONT;
    double *demand = work, *think = demand + 2 * stations * FRONT;
    front->block.residence_s = think + 2 * FRONT;
    front->block.throughput_per_s = front->block.residence_s + 2 * stations * FRONT;
    front->n = front->block.throughput_per_s + 2 * FRONT;
    front->cycle = front->n + 2 * FRONT;
    double *excess = front->cycle + 2 * FRONT;
    front->places = excess + stations * FRONT;
    for (int j = 0; j < 2 * stations * FRONT; j++)
        demand[j] = b->demand_s[j / FRONT];
    for (int j = 0; j < 2 * FRONT; j++)
        think[j] = b->think_s[j / FRONT];
    for (int j = 0; j < stations * FRONT; j++)
        excess[j] = b->excess[j / FRONT];
    for (int j = 0; j < stations * front->pitch; j++)
        front->places[j] = 1.0;
    front->block.demand_s = demand;
    front->block.think_s = think;
    front->block.excess = excess;
}

INLINE void mva_front(struct closed_block *b, int stations, bool residual)
{
    const int lanes = FRONT, last[2] = {(int)b->population[0], (int)b->population[1]};
    struct front front;
    front_init(&front, b, stations);
    struct place at = {.n = front.n, .pitch = front.pitch};
    for (int d = 0; d <= last[0] + last[1]; d++) {
        if (interrupt_requested()) {
            b->unsettled[0] = 1.0;
            return;
        }
        int low = d > last[1] ? d - last[1] : 0, high = d < last[0] ? d : last[0];
        for (int top = high; top >= low; top -= FRONT) {
            int first = top - FRONT + 1;
            EACH_LANE front.n[i] = larger(first + i, 0);
            EACH_LANE front.n[FRONT + i] = larger(d - larger(first + i, 0), 0);
            at.here = front.places + FRONT + first;
            at.seen[0] = at.here - 1;
            at.seen[1] = at.here;
            mva_state(&front.block, lanes, 2, stations, residual, true, &at, front.cycle);
        }
    }
    for (int c = 0; c < 2; c++)
        b->throughput_per_s[c] = front.block.throughput_per_s[c * FRONT + FRONT - 1];
    for (int j = 0; j < 2 * stations; j++)
        b->residence_s[j] = front.block.residence_s[j * FRONT + FRONT - 1];
    b->unsettled[0] = 0.0;
}

/* --- the instances ---------------------------------------------------------- */

INLINE void mva_shape(struct closed_block *b, int lanes, int classes, int stations, bool residual)
{
    if (lanes == 1 && classes == 2 && closed_has_front(b->population, classes))
        mva_front(b, stations, residual);
    else
        mva(b, lanes, classes, stations, residual);
}

/* Small networks, which are most, with constant loops over stations too. */
INLINE void mva_small(struct closed_block *b, int lanes, int classes)
{
    switch (b->stations) {
    case 2:
        mva_shape(b, lanes, classes, 2, false);
        return;
    case 3:
        mva_shape(b, lanes, classes, 3, false);
        return;
    case 4:
        mva_shape(b, lanes, classes, 4, false);
        return;
    default:
        mva_shape(b, lanes, classes, b->stations, false);
    }
}

INLINE void mva_any(struct closed_block *b, int lanes)
{
    if (b->classes == 1 && !b->residual)
        mva_small(b, lanes, 1);
    else if (b->classes == 2 && !b->residual)
        mva_small(b, lanes, 2);
    else if (b->classes == 2)
        mva_shape(b, lanes, 2, b->stations, true);
    else if (b->residual)
        mva_shape(b, lanes, b->classes, b->stations, true);
    else
        mva_shape(b, lanes, b->classes, b->stations, false);
}

closed_solver JOIN(closed_mva_one_, SIMD_LEVEL), JOIN(closed_mva_many_, SIMD_LEVEL);

void JOIN(closed_mva_one_, SIMD_LEVEL)(struct closed_block *block)
{
    mva_any(block, 1);
}

void JOIN(closed_mva_many_, SIMD_LEVEL)(struct closed_block *block)
{
    mva_any(block, LANES);
}
