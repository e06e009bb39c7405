/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses a set of column kernels by what the processor can do. */
#include "core/term_kernels.h"

#include "core/simd.h"

extern const struct term_kernels term_kernels_base, term_kernels_v3, term_kernels_v4;

const struct term_kernels *term_kernels_find(const char *name)
{
    return SIMD_NAMED(name, &term_kernels_base, &term_kernels_v3, &term_kernels_v4);
}

const struct term_kernels *term_kernels_get(void)
{
    return SIMD_BEST(&term_kernels_base, &term_kernels_v3, &term_kernels_v4);
}
