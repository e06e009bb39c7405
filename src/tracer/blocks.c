/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block copies and fills. gcc calls the C library's functions as they are, and
 * the linker puts these in front of them (--wrap); clang calls __tsan_memcpy &
 * co., which come here by calling memcpy. Only linked where they are wrapped. */
#include "recorder.h"

#include "trace/stream.h"

#define DECLARE(type, name, ...)                                                                   \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

DECLARE(void *, memcpy, void *to, const void *from, size_t bytes);
DECLARE(void *, memmove, void *to, const void *from, size_t bytes);
DECLARE(void *, memset, void *to, int value, size_t bytes);

void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    recorder_copy(to, from, bytes);
    return __real_memcpy(to, from, bytes);
}

void *__wrap_memmove(void *to, const void *from, size_t bytes)
{
    recorder_copy(to, from, bytes);
    return __real_memmove(to, from, bytes);
}

void *__wrap_memset(void *to, int value, size_t bytes)
{
    recorder_range(to, bytes, ACCESS_WRITE, __builtin_return_address(0));
    return __real_memset(to, value, bytes);
}
