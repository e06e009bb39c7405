/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/sweep/marginals_kernels.h"

#include "core/simd.h"

extern const struct marginals_kernels marginals_kernels_base, marginals_kernels_v3,
    marginals_kernels_v4;

const struct marginals_kernels *marginals_kernels_find(const char *name)
{
    return SIMD_NAMED(name, &marginals_kernels_base, &marginals_kernels_v3, &marginals_kernels_v4);
}

const struct marginals_kernels *marginals_kernels_get(void)
{
    return SIMD_BEST(&marginals_kernels_base, &marginals_kernels_v3, &marginals_kernels_v4);
}
