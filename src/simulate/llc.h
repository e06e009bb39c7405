/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What last-level caches hold: one set-associative LRU cache a domain, as it stands at
 * a moment of simulated time. Sets are chosen by a hash of the line number whose high bits
 * choose the slice, as the profiler has it.
 *
 * Writes allocate without a fetch: the sectors they touch become valid and dirty (a partial
 * write counts as a whole sector). Atomics want the line as reads do and make it dirty.
 * Dirty sectors go to memory when their line leaves or a flush takes it, at once where the machine
 * says so (llc.write: through).
 *
 * The ways of a set may be split (static, dynamic LLC): each part has a quota, and what comes
 * in drives out its own part's oldest line once that part has its quota, also where ways of the
 * other part are empty. A part without ways holds nothing: what it is asked for misses, and what is
 * written to it goes on. */
#ifndef BANDSCAPE_SIMULATE_LLC_H
#define BANDSCAPE_SIMULATE_LLC_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/system.h"
#include "profile/caches/written.h"

/* Whose ways of a set. Without a split all lines compete, and the part is a mark. */
enum llc_part { LLC_HOMED, LLC_REMOTE, LLC_BOTH };

struct llc_way {
    uint64_t tag; /* line + 1; 0: empty */
    uint32_t valid, dirty;
    uint8_t home, part;
};

struct llc {
    uint32_t domains, sets, ways, slices;
    struct system_level level; /* how lines are laid over slices */
    struct llc_way *items;     /* ways of a set: the most recent first, empty ones last */
    bool through;              /* what is written leaves at once, and its line clean */
    uint32_t *remote_ways;     /* [domain]: quota of LLC_REMOTE; NULL: no split */
    uint64_t lookups, hits;    /* sectors: a request that looks up two caches counts once */
};

/* A line that left with dirty sectors. */
struct llc_dirty {
    uint64_t line;
    uint32_t sectors;
    uint32_t domain, home; /* of the cache; of the line */
};

/* sets: of a domain. remote_ways > 0: ways are split; with all of them nothing is left to others.
 */
void llc_init(struct llc *llc, const struct system *system, uint32_t sets, uint32_t ways,
              uint32_t remote_ways);
void llc_fini(struct llc *llc);

uint32_t llc_slice(const struct llc *llc, uint64_t line);

/* One request at the cache of a domain. The sectors that have to be fetched (of a write of whole
 * sectors none). True in *out_dirty with *dirty: what it drove out. */
struct llc_request {
    uint64_t line;
    uint32_t sectors, domain, home;
    uint8_t kind; /* enum access_kind */
    enum llc_part part;
    bool again;   /* it missed in another cache, or was written there: it was counted */
    bool partial; /* a write that wants the line */
};
uint32_t llc_take(struct llc *llc, const struct llc_request *request, struct llc_dirty *dirty,
                  bool *out_dirty);

/* The sectors of a line that a domain's cache has. */
uint32_t llc_has(const struct llc *llc, uint32_t domain, uint64_t line);

/* Takes a line out of a domain's cache, if it is there: its dirty sectors; *was_there. */
uint32_t llc_remove(struct llc *llc, uint32_t domain, uint64_t line, bool *was_there);

/* Flushes lines of one part or, with LLC_BOTH, of both; `emit` gets what is dirty, in order of
 * domain, set and recency. FLUSH_STALE takes the lines in `written`, too, in order of these. */
typedef void llc_emit_fn(void *context, const struct llc_dirty *dirty);
void llc_flush(struct llc *llc, enum llc_part part, enum level_flush flush,
               const struct written *written, llc_emit_fn *emit, void *context);

#endif
