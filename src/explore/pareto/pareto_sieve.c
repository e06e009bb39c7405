/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/pareto/pareto_sieve.h"

#include "core/simd.h"

extern const struct pareto_sieve_kernels pareto_sieve_base, pareto_sieve_v3, pareto_sieve_v4;

const struct pareto_sieve_kernels *pareto_sieve_kernels_find(const char *name)
{
    return SIMD_NAMED(name, &pareto_sieve_base, &pareto_sieve_v3, &pareto_sieve_v4);
}

const struct pareto_sieve_kernels *pareto_sieve_kernels_get(void)
{
    return SIMD_BEST(&pareto_sieve_base, &pareto_sieve_v3, &pareto_sieve_v4);
}
