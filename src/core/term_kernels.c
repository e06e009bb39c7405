/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses a set of column kernels by what the processor can do. */
#include "core/term_kernels.h"

#include <string.h>

extern const struct term_kernels term_kernels_base;
#ifdef __x86_64__
extern const struct term_kernels term_kernels_v3, term_kernels_v4;
#endif

const struct term_kernels *term_kernels_find(const char *name)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (strcmp(name, "v4") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl")
                   ? &term_kernels_v4
                   : NULL;
    if (strcmp(name, "v3") == 0)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                       __builtin_cpu_supports("fma")
                   ? &term_kernels_v3
                   : NULL;
#endif
    return strcmp(name, "base") == 0 ? &term_kernels_base : NULL;
}

const struct term_kernels *term_kernels_get(void)
{
    /* The same answer from every thread: no lock is needed, and the look-up is
     * rare (once a program). */
    const struct term_kernels *kernels = term_kernels_find("v4");
    if (!kernels)
        kernels = term_kernels_find("v3");
    return kernels ? kernels : &term_kernels_base;
}
