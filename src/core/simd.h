/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of the instruction sets that NAME.simd.c is compiled for this processor runs:
 * "base", and on x86-64 its levels "v3" (AVX2) and "v4" (AVX-512); "v4+popcnt" is v4 with
 * population counts of vectors, which code of its own may ask for. */
#ifndef BANDSCAPE_CORE_SIMD_H
#define BANDSCAPE_CORE_SIMD_H

#include <stdbool.h>

/* For a function whose arguments must become constants of its callers, or that must be made of its
 * callers' instruction set. */
#define INLINE static inline __attribute__((always_inline))

/* A loop over lanes, i of n, a constant: they never depend on each other, whatever pointers may
 * alias; gcc vectorises such a loop best when it has not unrolled it before. */
#ifdef __clang__
#define SIMD_EACH(i, n) for (int i = 0; i < (n); i++)
#else
#define SIMD_EACH(i, n)                                                                            \
    _Pragma("GCC unroll 1") _Pragma("GCC ivdep") for (int i = 0; i < (n); i++)
#endif

/* False for an unknown name too. The same answer from every thread. */
bool simd_runs(const char *set);

/* Of the three versions of something, the one of that name, or NULL when it does not run here. */
#ifdef __x86_64__
#define SIMD_NAMED(name, base, v3, v4)                                                             \
    (!simd_runs(name) ? NULL : (name)[1] == '4' ? (v4) : (name)[1] == '3' ? (v3) : (base))
#else
#define SIMD_NAMED(name, base, v3, v4) (simd_runs(name) ? (base) : NULL)
#endif

/* Of the three versions of something, the best that runs here. */
#ifdef __x86_64__
#define SIMD_BEST(base, v3, v4) (simd_runs("v4") ? (v4) : simd_runs("v3") ? (v3) : (base))
#else
#define SIMD_BEST(base, v3, v4) (base)
#endif

#endif
