/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses a set of solvers by what the processor can do. */
#include "queueing/closed_kernels.h"

#include <string.h>

#include "core/simd.h"

extern const struct closed_kernels closed_kernels_base;
#ifdef __x86_64__
extern const struct closed_kernels closed_kernels_v3, closed_kernels_v4;
#endif

const struct closed_kernels *closed_kernels_find(const char *name)
{
    if (!simd_runs(name))
        return NULL;
#ifdef __x86_64__
    if (strcmp(name, "v4") == 0)
        return &closed_kernels_v4;
    if (strcmp(name, "v3") == 0)
        return &closed_kernels_v3;
#endif
    return &closed_kernels_base;
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

/* Two slabs of queue lengths, cycle times, and a counter and a stride a class. */
size_t closed_work_mva(int classes, int stations, size_t states, int lanes)
{
    return 2 * states * (size_t)stations * (size_t)lanes + (size_t)classes * (size_t)lanes +
           3 * (size_t)classes;
}

/* The Linearizer's: classes + 1 populations with their queue lengths and differences
 * of fractions, three times (two earlier rounds), what a core needs. */
size_t closed_work_iterate(int classes, int stations, int lanes)
{
    size_t c = (size_t)classes, k = (size_t)stations, pairs = c * k;
    return (size_t)lanes * (3 * ((c + 1) * (pairs + 3 * c) + pairs * c) + pairs + 2 * k + c + 1);
}
