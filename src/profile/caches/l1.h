/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The L1 caches of a system: private ones, or the nodes of a decoupled L1
 * (DC-L1, Ibrahim et al., HPCA 2021, section 3). Exact, set-associative, LRU.
 *
 * X SMs, Y nodes, Z clusters of M = Y/Z nodes each. An SM belongs to cluster
 * sm / (X/Z); within it a line has one node, cluster * M + h, and there
 * a set (below). One cache an SM: Y = Z = X. PrY: Z = Y. ShY: one
 * cluster a chip. ShY+CZ: Z clusters. No line is ever in two nodes of a cluster.
 *
 * h is the line's number modulo M, or that of its slice (l1.home, machine_l1_home): with M | L
 * nodes h of all clusters then ask the same L/M slices. Bits that say which node are none of its
 * set's: n, which chooses that, is
 *
 *   h                                    n
 *   line % M                             line / M
 *   slice % M, slice = line / I % L      (line / I) / M * I + line % I   (mapping fixed, I lines)
 *   slice % M, slice by a hash           line
 *
 * The set of n is n % sets (l1.index: modulo), or hashed: with sets = odd * 2^k, the low
 * k bits of n, XOR each further group of k bits, beside (n >> k) % odd. So lines that follow each
 * other go to sets of their own, and lines that are any power of two apart do as well. GPUs are
 * known to have such functions: Fermi's L1 of 32 or 64 sets lays five higher bits over the low five
 * (Nugteren et al., "A Detailed GPU Cache Model Based on Reuse Distance Theory", HPCA 2014), which
 * GPGPU-Sim takes for its L1s of that many sets.
 *
 * Reads allocate; writes go through without allocation. Atomics and loads that bypass L1 do not
 * look it up. It is emptied when a kernel begins (l1.flush), under any coherence; within a kernel
 * nothing that others write reaches it.
 *
 * A line takes a way when it comes, not when it is asked for: the least recent of those that are
 * there leaves for it. Lines on their way have none, however many they are, and who asks for one
 * waits for it. So does Accel-Sim take the L1s of NVIDIA's GPUs since Pascal and Volta
 * ("streaming": allocation on fills, an MSHR for every line). Where misses allocate, a line on its
 * way is nobody's victim either (GPGPU-Sim's reserved lines, MGPUSim's locked blocks); a read that
 * finds a set full of them stalls until one has come, which takes time that is not charged here.
 * Under any of these what comes is there for who waits for it. Were lines to leave before, warps
 * with a line each in one set would put out each other's before anybody has read one twice, for as
 * long as they go on.
 *
 * So a set has more places than ways. In front stand lines on their way, those that come last
 * first; behind them as many as there are ways, which are there, the most recent first; what stands
 * behind these has left. Who goes out takes the first place, and as lines come, others leave
 * without a move. Where lines on their way have all places, the one that has gone longest is
 * forgotten. Of a line whose further sectors are on their way the others stay meanwhile. For counts
 * (lines held, copies) a node has what is in the first places, as many as ways.
 *
 * What a node holds is its own, and nodes may be asked in any order. Copies in several nodes are
 * counted in the order of accesses: an access leaves a change (l1_ask), which is counted in its
 * turn (l1_count). Who asks in that order does both at once (l1_take and the others). */
#ifndef BANDSCAPE_PROFILE_L1_H
#define BANDSCAPE_PROFILE_L1_H

#include <stdbool.h>
#include <stdint.h>

#include "core/prefetch.h"
#include "profile/caches/cache.h"
#include "profile/caches/copies.h"
#include "profile/caches/written.h"
#include "machine/system.h"
#include "trace/stream.h"

/* A divisor that may be a power of two. */
struct l1_divisor {
    uint64_t value;
    uint32_t shift;
    bool power_of_two;
};

/* Places of a set for each of its ways. */
enum { L1_PLACES = 4 };

enum l1_contents { L1_NONE, L1_PERFECT, L1_LRU };

/* What says which node of a cluster has a line. */
enum l1_home { L1_BY_LINE, L1_BY_SLICE, L1_BY_HASHED_SLICE };

/* The place of a set that has a line (+ 1), or the first that has none, or the last; `places`: a
 * multiple of L1_PLACES. */
typedef uint32_t l1_search_fn(const uint64_t *tags, uint32_t places, uint64_t held);

struct l1 {
    enum l1_contents contents;
    bool write_evict;
    bool hashed;                   /* index */
    bool copied;                   /* several clusters: a line may be in several nodes */
    enum level_flush flush;        /* between launches */
    uint32_t *first_node;          /* of an SM's cluster */
    uint32_t nodes, clusters, sms; /* of the system */
    uint32_t ways;                 /* of a set, which has more places */
    enum l1_home home;
    uint32_t slices;                             /* L; L1_BY_HASHED_SLICE */
    struct l1_divisor per_cluster, sets, pieces; /* M, the sets of a node, I (L1_BY_SLICE) */
    struct l1_divisor groups;                    /* sets of a cluster */
    l1_search_fn *search; /* in a set, as this processor does best */
    uint64_t *passed;    /* one a node: all that visits it, whether it looks up or
                          * not; */
    uint64_t *looked_up; /* reads that do; both since l1_clear_counts() */
    struct cache cache;  /* one a node */
    /* What follows changes in the order of accesses. */
    struct written written; /* in this launch, where that matters */
    struct copies copies;   /* kept when a line may have some */

    /* Counts since l1_clear_counts(), without an L1 all 0; complete after l1_settle(). */
    uint64_t reads, misses;    /* look-ups of reads; those that found a sector missing */
    uint64_t misses_elsewhere; /* of these, with the line's tag in another node */
    uint64_t copies_sum;       /* over misses: occupied ways of all nodes just before, */
    uint64_t cached_sum;       /* and distinct lines in them: their quotient is mean copies */
};

void l1_init(struct l1 *l1, const struct system *system);
void l1_fini(struct l1 *l1);

/* What an access did to its node. */
enum l1_change_kind {
    L1_KEPT,   /* no line came or went */
    L1_TOOK,   /* a read took the line */
    L1_FILLED, /* a read took further sectors of a line that was there */
    L1_RAISED, /* a line behind the first places, which is there yet, was asked for */
    L1_PUT_OUT /* the line left: an atomic, a write under write-evict */
};
struct l1_change {
    uint64_t victim; /* of L1_TOOK, L1_RAISED: the line + 1 that left for it; of L1_PUT_OUT: that
                      * moved up; 0: none */
    uint32_t set;    /* where, of all nodes' */
    uint8_t kind;    /* enum l1_change_kind */
    bool first;      /* of L1_TOOK: the set was empty */
    bool wrote;      /* a write or an atomic came */
};

/* Who knows which lines are on their way to a node: how many of those in the first of so many
 * places (the line + 1; 0: no more), up to the first that is not. */
struct l1_awaited {
    const void *context;
    uint32_t (*count)(const void *context, uint32_t node, const uint64_t *places, uint32_t n);
};

/* The node that an SM's accesses to the line visit. */
uint32_t l1_node(const struct l1 *l1, uint32_t sm, uint64_t line);

/* The same where each SM has a node for itself. */
static inline uint32_t l1_own(const struct l1 *l1, uint32_t sm)
{
    return l1->first_node[sm];
}

/* Where an access goes: its node, and the set there, by its number among all nodes' and its first
 * place. */
struct l1_place {
    uint32_t node, number;
    size_t set;
};
struct l1_place l1_place_of(const struct l1 *l1, uint32_t sm, uint64_t line);

static inline uint64_t l1_divide(const struct l1_divisor *by, uint64_t value, uint64_t *remainder)
{
    if (by->power_of_two) {
        *remainder = value & (by->value - 1);
        return value >> by->shift;
    }
    *remainder = value % by->value;
    return value / by->value;
}

/* The head of this file says which. */
static inline uint64_t l1_hashed_set(const struct l1_divisor *sets, uint64_t number)
{
    uint32_t bits = sets->shift;
    uint64_t high = number >> bits, folded = number;
    for (uint32_t by = bits; by && by < 64 && number >> by; by *= 2) /* twice as many pieces */
        folded ^= folded >> by;
    uint64_t low = folded & ((1ULL << bits) - 1);
    return sets->power_of_two ? low : high % (sets->value >> bits) << bits | low;
}

/* The same in a node, of what is left of the line's number there: all of it where each SM has a
 * node for itself. */
static inline struct l1_place l1_place_in(const struct l1 *l1, uint32_t node, uint64_t number)
{
    uint64_t set;
    if (l1->hashed)
        set = l1_hashed_set(&l1->sets, number);
    else
        l1_divide(&l1->sets, number, &set);
    set += node * l1->sets.value;
    return (struct l1_place){
        .node = node, .number = (uint32_t)set, .set = (size_t)set * l1->cache.ways};
}

/* A read that looks up L1 and finds its line in front, where most are that are there: that is all
 * that l1_ask() would do. False: nothing was done. */
static inline bool l1_finds_in_front(struct l1 *l1, struct l1_place at, uint64_t line)
{
    if (l1->contents != L1_LRU || l1->cache.valid || l1->cache.tags[at.set] != line + 1)
        return false;
    l1->passed[at.node]++;
    l1->looked_up[at.node]++;
    return true;
}

/* Fetches what an access to the line is about to need. */
void l1_prefetch(const struct l1 *l1, uint32_t sm, uint64_t line);
static inline void l1_prefetch_at(const struct l1 *l1, struct l1_place at)
{
    if (l1->contents == L1_LRU) {
        prefetch_write(l1->cache.tags + at.set);
        prefetch_write(l1->cache.tags + at.set + 8);
    }
}

/* A read that looks it up: the sectors of `wanted` (a mask, not 0; 1 when a line has one
 * sector) that have to be fetched; 0: a hit. They are filled, and the line becomes the
 * most recent. A perfect L1 holds everything, no L1 nothing. */
uint32_t l1_read(struct l1 *l1, uint32_t sm, uint64_t line, uint32_t wanted);
/* A write: a line that is there stays, with the sectors it has, and becomes the most
 * recent; under write-evict it leaves. */
void l1_write(struct l1 *l1, uint32_t sm, uint64_t line);
/* An atomic is performed further down: a copy here would be stale. */
void l1_evict(struct l1 *l1, uint32_t sm, uint64_t line);
/* An access that passes its node without a look-up. */
void l1_pass(struct l1 *l1, uint32_t sm, uint64_t line);
/* What L1 makes of one line of an access, by the functions above: the sectors that have to be
 * asked for. `bypass`: a read does not look it up. *looked_up: a read did. `awaited`, or what it
 * counts by, NULL: all lines are there at once. */
uint32_t l1_take(struct l1 *l1, const struct warp_access *access, uint32_t sm, uint64_t line,
                 uint32_t wanted, bool bypass, const struct l1_awaited *awaited, bool *looked_up);
/* A line has come, of which that is not said any more, before others that went out earlier. */
void l1_arrived(struct l1 *l1, uint32_t sm, uint64_t line, const struct l1_awaited *awaited);
/* The same for the node alone, which several threads may ask for several nodes; and what it did,
 * to be counted in the order of accesses. */
uint32_t l1_ask(struct l1 *l1, const struct warp_access *access, uint32_t sm, uint64_t line,
                uint32_t wanted, bool bypass, const struct l1_awaited *awaited, bool *looked_up,
                struct l1_change *change);
/* The same where its place is known. */
uint32_t l1_ask_at(struct l1 *l1, const struct warp_access *access, struct l1_place at,
                   uint64_t line, uint32_t wanted, bool bypass, const struct l1_awaited *awaited,
                   bool *looked_up, struct l1_change *change);
void l1_count_change(struct l1 *l1, uint64_t line, const struct l1_change *change);
/* Whether a change has anything to be counted. */
static inline bool l1_changed(const struct l1 *l1, const struct l1_change *change)
{
    return change->kind != L1_KEPT || (change->wrote && l1->flush == FLUSH_STALE);
}
/* Empties all nodes. */
void l1_flush(struct l1 *l1);
/* A launch begins: what the end of the last one leaves (system_flush). Unless the machine says
 * otherwise nothing, under any coherence, as on the machines of today. */
void l1_begin_launch(struct l1 *l1);

/* Copies are counted with a delay: to be called before the counts are read. */
void l1_settle(struct l1 *l1);
void l1_clear_counts(struct l1 *l1);

#endif
