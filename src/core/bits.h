/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting bits. Where the build is for processors that may have no instruction for it, compilers
 * call a function of their library, which costs more than the count. */
#ifndef BANDSCAPE_CORE_BITS_H
#define BANDSCAPE_CORE_BITS_H

#include <stdint.h>

static inline uint32_t bits_count(uint64_t bits)
{
#ifdef __POPCNT__
    return (uint32_t)__builtin_popcountll(bits);
#else
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    return (uint32_t)(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
#endif
}

#endif
