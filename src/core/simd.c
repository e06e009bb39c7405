/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the processor can do. */
#include "core/simd.h"

#include <string.h>

bool simd_runs(const char *set)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (strcmp(set, "v4+popcnt") == 0)
        return simd_runs("v4") && __builtin_cpu_supports("avx512vpopcntdq");
    if (strcmp(set, "v4") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    if (strcmp(set, "v3") == 0)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#endif
    return strcmp(set, "base") == 0;
}
