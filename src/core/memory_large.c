/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Large pages are no part of POSIX: this file alone asks for more. */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#endif

#include "core/memory.h"

#include <stdint.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

void memory_advise_large(void *memory, size_t size)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    size_t skip = -(uintptr_t)memory & (MEMORY_LARGE_PAGE - 1);
    if (skip < size) /* a hint: failure changes nothing */
        madvise((char *)memory + skip, size - skip, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}
