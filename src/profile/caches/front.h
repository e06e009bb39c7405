/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requester-side levels between L1 and the LLC, exact: MCM-GPU's L1.5 (ISCA
 * 2017, section 5.1), DualOpt's RDMA cache (PACT 2022), an SM-side L2 in front
 * of a memory-side cache. They are simulated, not read from curves: what passes
 * them is another stream. So their capacity is part of a view's key.
 *
 * A level has one set-associative LRU cache a chip, a domain or a cluster of SMs, whose sets are
 * chosen by a hash of the line number, and sectors as L1 has. It may hold the
 * requests of its filter; others pass it. Whose home is remote is said by the
 * level's scope: in another chip, or in another domain.
 *
 * Write-through: reads allocate; writes go on, and a line that is there stays
 * and becomes the most recent. Write-back: writes allocate as well and go no
 * further; the sectors they touch become valid and dirty without a fetch (a
 * partial write counts as a whole sector). Dirty sectors are written home when
 * their line leaves. Atomics are performed further down: the
 * line leaves, its dirty sectors in front of the atomic.
 *
 * Software coherence keeps stale copies until levels are flushed. Under hardware
 * coherence a request first looks for the line in the other caches of every level,
 * whatever their filter: a read has dirty sectors written home, a write or an atomic
 * has them written home and takes the copy away. */
#ifndef BANDSCAPE_PROFILE_FRONT_H
#define BANDSCAPE_PROFILE_FRONT_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/caches/cache.h"
#include "profile/caches/written.h"
#include "machine/system.h"

struct front_request {
    uint64_t line;
    uint32_t sectors;      /* a mask, not 0; 1 when a line has one sector */
    uint32_t sm;           /* the requester; of what is written back any for whom it is cached */
    uint16_t domain, home; /* of the requester (of what is written back: the last writer), of
                            * the line; both below DOMAINS_MAX */
    uint8_t kind;          /* enum access_kind; ACCESS_WRITE when it is written back */
    bool writeback;
};

/* A request, a line that it drives out of each level, and one that another cache of each
 * level has to write home. */
enum { FRONT_OUT_MAX = 2 * MACHINE_LEVELS_MAX + 1 };

struct front_level {
    struct cache cache;
    enum level_filter filter;
    enum level_flush flush;  /* at the end of a launch */
    uint32_t sms;            /* of one cache, */
    uint32_t domains;        /* and its domains; 1 also for a part of one */
    uint32_t sms_per_domain; /* of the system */

    /* Sectors since front_clear_counts(). What goes on towards memory is
     * lookups - hits + writebacks. */
    uint64_t lookups;                 /* that the level may hold: reads, writes, atomics, and what
                                       * levels in front of it write back */
    uint64_t hits;                    /* of these, those that went no further: reads of valid
                                       * sectors, writes that a write-back cache took */
    uint64_t read_lookups, read_hits; /* of these, reads */
    uint64_t writebacks;              /* that it sent home */
};

struct fronts {
    struct front_level levels[MACHINE_LEVELS_MAX]; /* in the order in which a request meets them */
    uint32_t n;
    bool coherent;          /* by hardware */
    bool notes_written;     /* a level drops what was written: */
    struct written written; /* in this launch */
};

void front_init(struct fronts *fronts, const struct system *system);
void front_fini(struct fronts *fronts);

/* Takes one request. What has to go on to the LLC is put into out[], FRONT_OUT_MAX
 * entries: first what is written back, then the request with what is left of its
 * sectors, if anything. The number of entries. */
int front_take(struct fronts *fronts, const struct front_request *in, struct front_request *out);

/* A launch ends: each level's flush (system_flush). Dirty lines are written home through the levels
 * behind it. `emit` gets what goes on to the LLC: by level, cache, set and recency. */
typedef void front_emit_fn(void *context, const struct front_request *request);
void front_end_launch(struct fronts *fronts, front_emit_fn *emit, void *context);

void front_clear_counts(struct fronts *fronts);

#endif
