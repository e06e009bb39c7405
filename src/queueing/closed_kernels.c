/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses a set of solvers by what the processor can do. */
#include "queueing/closed_kernels.h"

#include "core/simd.h"

extern const struct closed_kernels closed_kernels_base, closed_kernels_v3, closed_kernels_v4;

const struct closed_kernels *closed_kernels_find(const char *name)
{
    return SIMD_NAMED(name, &closed_kernels_base, &closed_kernels_v3, &closed_kernels_v4);
}

const struct closed_kernels *closed_kernels_get(void)
{
    return SIMD_BEST(&closed_kernels_base, &closed_kernels_v3, &closed_kernels_v4);
}

size_t closed_slab_states(const double *population, int classes, int lanes)
{
    size_t states = 1;
    for (int c = 1; c < classes; c++)
        states *= (size_t)population[(size_t)c * (size_t)lanes] + 1;
    return states;
}

/* Two classes that both have somebody, and not so many that places outgrow a slab's. */
bool closed_has_front(const double *population, int classes)
{
    return classes == 2 && population[0] > 0.0 && population[1] > 0.0 && population[0] < 1e6;
}

/* Two slabs of queue lengths, cycle times, a counter a class; or a front's places, and what its
 * lanes need. */
size_t closed_work_mva(const double *population, int classes, int stations, int lanes)
{
    size_t k = (size_t)stations, c = (size_t)classes, width = (size_t)lanes, front = 0;
    size_t slabs = 2 * closed_slab_states(population, classes, lanes) * k * width;
    if (lanes == 1 && closed_has_front(population, classes))
        front = k * (6 * CLOSED_FRONT + (size_t)population[0] + 1) + 8 * CLOSED_FRONT;
    size_t counted = slabs + c * width + c;
    return counted > front ? counted : front;
}

/* The Linearizer's: classes + 1 populations with their queue lengths and differences
 * of fractions, three times (two earlier rounds), what a core needs. */
size_t closed_work_iterate(int classes, int stations, int lanes)
{
    size_t c = (size_t)classes, k = (size_t)stations, pairs = c * k;
    return (size_t)lanes * (3 * ((c + 1) * (pairs + 3 * c) + pairs * c) + pairs + 2 * k + c + 1);
}

/* Populations with their queues, differences of fractions, eight numbers a pair, three a class,
 * two a station, two small matrices; twice the differences of the sweeps that are kept. */
size_t closed_work_newton(int classes, int stations, int lanes, bool thorough)
{
    size_t c = (size_t)classes, k = (size_t)stations, pairs = c * k;
    size_t levels = (c + 1) * (3 * c + k + pairs);
    size_t past = thorough ? 2 * CLOSED_PAST * pairs * c : 0;
    return (size_t)lanes *
               (levels + past + 2 * pairs * c + 8 * pairs + 3 * c + 4 * k + 3 * c * c + 5) +
           pairs + k;
}
