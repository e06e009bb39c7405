/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetching into the host's caches what will soon be read or written.
 *
 * gcc takes a function that does nothing else for one without effect (so far as a C program can
 * see, it is) and leaves out calls that it does not inline early. The empty statement, which takes
 * no instruction, is an effect. */
#ifndef BANDSCAPE_CORE_PREFETCH_H
#define BANDSCAPE_CORE_PREFETCH_H

static inline void prefetch_read(const void *at)
{
    __builtin_prefetch(at);
    __asm__ volatile("");
}

static inline void prefetch_write(const void *at)
{
    __builtin_prefetch(at, 1);
    __asm__ volatile("");
}

#endif
