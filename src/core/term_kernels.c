/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses a set of column kernels by what the processor can do. */
#include "core/term_kernels.h"

#include <string.h>

#include "core/simd.h"

extern const struct term_kernels term_kernels_base;
#ifdef __x86_64__
extern const struct term_kernels term_kernels_v3, term_kernels_v4;
#endif

const struct term_kernels *term_kernels_find(const char *name)
{
    if (!simd_runs(name))
        return NULL;
#ifdef __x86_64__
    if (strcmp(name, "v4") == 0)
        return &term_kernels_v4;
    if (strcmp(name, "v3") == 0)
        return &term_kernels_v3;
#endif
    return &term_kernels_base;
}

const struct term_kernels *term_kernels_get(void)
{
    return SIMD_BEST(&term_kernels_base, &term_kernels_v3, &term_kernels_v4);
}
