/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks: processes of one program, started together on one machine or on many (mpirun), that do
 * one work. Without them, or in a build without MPI, there is one, and all of this costs nothing.
 *
 * Work is items 0 .. n-1, handed out while it is done: rank 0 has a thread that answers who asks,
 * and works itself. A one-sided counter would take one message an ask instead of two, but where the
 * network has no such operation in hardware it waits until rank 0 calls MPI, which computes for
 * seconds; it hands out pieces of one size; and it carries neither what is done, for the bar, nor
 * that a rank failed. A rank gets half of its part of what is left, at least one item: asks grow
 * with ranks times the logarithm of items a rank, and the last to end waits for one item.
 *
 * What is gathered goes up a binomial tree, what is spread down one: each rank sends once, and none
 * receives from more than log2 of them. So that results do not hang on who did what, what is merged
 * has to add up in any order.
 *
 * Collective: called by all ranks, in the same order. Only one thread calls any of this. */
#ifndef BANDSCAPE_CORE_RANKS_H
#define BANDSCAPE_CORE_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"

/* Joins the other ranks where the program was started as one of several; again: nothing happens.
 * STATUS_USAGE: it was, by a build without MPI. Collective. */
int ranks_begin(struct error *error);
/* Waits for all of them. Collective; legal without ranks_begin. */
void ranks_end(void);

int ranks_count(void);        /* 1 or more */
int ranks_number(void);       /* from 0 */
int ranks_here(void);         /* on this machine */
bool ranks_first(void);       /* the one that prints and writes */
const char *ranks_kind(void); /* "MPI"; NULL: a build without */

/* If one fails all do, with the error of the lowest rank that was not merely interrupted.
 * Collective. */
int ranks_agree(int status, struct error *error);

/* Rank 0's text, instead of what the others have. Collective. */
void ranks_spread(struct text *text);

/* Appends what a rank has; takes what another appended. Rank 0 then has all. Collective. */
struct ranks_gathering {
    void (*print)(void *context, struct text *out);
    int (*take)(void *context, struct text *text, struct error *error);
    void *context;
};
int ranks_gather(const struct ranks_gathering *gathering, struct error *error);

/* Items 0 .. total-1, at most `most` at a time (0: as many as it comes to). `told` (may be NULL):
 * on rank 0, from a thread of its own, what others say that they have done. Collective, as is
 * closing. */
struct ranks_pool;
struct ranks_pool *ranks_pool_open(uint64_t total, uint64_t most, void (*told)(uint64_t amount));
/* The next items, from .. to-1; false: there are no more. */
bool ranks_pool_next(struct ranks_pool *pool, uint64_t *from, uint64_t *to);
/* So much more is done: rank 0 hears of it now and then. */
void ranks_pool_tell(struct ranks_pool *pool, uint64_t amount);
/* Before the end of the items: this rank failed, and none gets more. */
void ranks_pool_close(struct ranks_pool *pool);

/* How many items are handed out when so many are left. */
uint64_t ranks_piece(uint64_t left, uint64_t ranks, uint64_t most);

/* What all ranks have sent, and the pieces that were handed out: rank 0 knows. Collective. */
struct ranks_traffic {
    uint64_t messages, bytes;
    uint64_t most_messages; /* of one rank */
    uint64_t pieces;
};
struct ranks_traffic ranks_traffic(void);

/* --- how messages go ------------------------------------------------------------------------ */

/* Between ranks: messages of one sender with one tag arrive in order. */
struct ranks_transport {
    const char *name;
    /* Joins; fills who this is. */
    int (*begin)(int *number, int *count, int *here, struct error *error);
    void (*end)(void);
    void (*send)(int to, int tag, const void *data, size_t size);
    /* Whether one is there; from -1: of any. */
    bool (*probe)(int *from, int tag, size_t *size);
    void (*receive)(int from, int tag, void *data, size_t size);
};
/* Of this build; NULL: none. ranks_none.c, or ranks.mpi.c in a build with MPI=1. */
const struct ranks_transport *ranks_transport(void);

#endif
