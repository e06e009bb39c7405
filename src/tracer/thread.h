/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one thread of a traced program has done: executions of the same load or
 * store become lanes of warp accesses, and these fill a block of the thread's
 * own, without any lock. */
#ifndef BANDSCAPE_TRACER_THREAD_H
#define BANDSCAPE_TRACER_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/writers/binary_encode.h"

/* Executions that may become the lanes of one access. */
struct group {
    uint64_t base, next;
    int64_t stride;
    uint64_t opened; /* when, on the clock of the thread */
    uint8_t lanes;   /* 0: none */
    uint8_t bytes, kind, flags;
};

enum {
    THREAD_SET_BITS = 5, /* a table of sets, as in a cache */
    THREAD_SETS = 1 << THREAD_SET_BITS,
    THREAD_WAYS = 4,
    THREAD_GROUPS = THREAD_SETS * THREAD_WAYS,
    THREAD_LOOK = 1024 /* groups older than so many accesses are closed, as often */
};

struct thread {
    struct thread *next; /* for the owner of the threads */
    atomic_bool busy;    /* likewise: the thread is changing what follows */
    uint32_t number;     /* its CTA, unless it says another one */
    uint64_t cta;        /* set by thread_set_cta */
    bool named;          /* the block names the CTA */
    bool spent;          /* the limit is reached */
    uint32_t until;      /* accesses until the next look */
    uint64_t clock;      /* accesses recorded by then */
    uint64_t left_out;   /* beyond the limit */
    struct binary_block block;
    uint64_t keys[THREAD_GROUPS]; /* instruction, kind and bytes of each group */
    struct group groups[THREAD_GROUPS];
    uint8_t data[BINARY_BLOCK_BYTES];
};

/* For all threads, before the first access: at most so many accesses are
 * recorded (UINT64_MAX: no limit), and whether they are merged to lanes. */
void thread_configure(uint64_t limit, bool merge);

/* The thread begins zeroed. */
void thread_init(struct thread *thread, uint32_t number);

/* A load, store or atomic (enum access_kind, enum access_flag). */
void thread_access(struct thread *thread, uint64_t address, unsigned bytes, unsigned kind,
                   unsigned flags, const void *place);

/* Any number of bytes, in naturally aligned pieces of up to 16. */
void thread_range(struct thread *thread, uint64_t address, size_t bytes, unsigned kind);

/* What follows belongs to this CTA. */
void thread_set_cta(struct thread *thread, uint64_t cta);

/* Writes what the thread still has. */
void thread_flush(struct thread *thread);

/* Loads and stores recorded. */
static inline uint64_t thread_count(const struct thread *thread)
{
    return thread->clock - thread->until;
}

#endif
