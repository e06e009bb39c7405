/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page table: where pages live, and which SMs touched them.
 *
 * Every line access asks it, before L1, so that placement sees first touches as
 * they are and each line knows its home. Each SM remembers the homes of some places
 * that it touched last; the table itself is asked only beyond them. Which page an SM touched is
 * kept by SM: the bits of all its pages are few lines of the host's caches. */
#ifndef BANDSCAPE_PROFILE_PAGES_H
#define BANDSCAPE_PROFILE_PAGES_H

#include "core/hash.h"
#include "core/prefetch.h"
#include "machine/system.h"
#include "profile/homes/placement.h"

enum { PAGES_MEMO_BITS = 8, PAGES_GROUP = 4, PAGES_DEGREES = 4 };

/* What an SM remembers of a granule: lines that share their page and their home. */
struct pages_memo {
    uint64_t tag; /* number of the granule, + 1; 0: empty */
    uint32_t home;
};

/* Consecutive pages, most of which are touched when one is. */
struct pages_group {
    uint64_t tag;               /* number of the group, + 1; 0: empty */
    uint32_t index;             /* in pages->touched; there are fewer groups than lines */
    uint8_t homes[PAGES_GROUP]; /* of the pages' first bytes, + 1; 0: not touched */
};
_Static_assert(DOMAINS_MAX < UINT8_MAX, "homes");

struct pages {
    const struct system *system;
    const struct placement *placement;
    struct placement_context context;
    void *state;   /* the placement's */
    uint64_t unit; /* bytes that share a home, where the address alone decides; else 0 */
    uint64_t granule_bytes, granule_lines; /* of a granule */
    uint64_t page_granules;                /* granules of a page */
    int granule_shift;                     /* log2 of granule_lines; -1: no power of two */
    struct pages_memo *memo;
    struct pages_group *groups; /* open addressing */
    uint32_t bits;              /* log2 of their places */
    size_t n_groups;
    uint64_t *touched; /* a bit a page, a group at a time, that the SM touched: words of each SM */
    size_t words;
    uint64_t count;                   /* pages */
    uint64_t per_domain[DOMAINS_MAX]; /* pages by home */
};

/* To be finished even when it fails. The system and the source must outlive it. */
int pages_init(struct pages *pages, const struct system *system, const struct source *source,
               struct error *error);
void pages_fini(struct pages *pages);

static inline uint64_t pages_granule(const struct pages *pages, uint64_t line)
{
    return pages->granule_shift >= 0 ? line >> pages->granule_shift : line / pages->granule_lines;
}

/* The number of the page of a granule. */
static inline uint64_t pages_number(const struct pages *pages, uint64_t granule)
{
    return pages->page_granules == 1 ? granule : granule / pages->page_granules;
}

/* Where the search for a group begins; `tag`: its number + 1. */
static inline size_t pages_start(const struct pages *pages, uint64_t tag)
{
    return hash_fmix64(tag) >> (64 - pages->bits);
}

/* For pages_touch: looks a line up in the table and remembers it. */
int pages_look_up(struct pages *pages, uint32_t sm, uint64_t line, struct pages_memo *memo,
                  struct error *error);

/* Fetches what the next touch is about to need. */
static inline void pages_prefetch(const struct pages *pages, uint64_t line)
{
    uint64_t number = pages_number(pages, pages_granule(pages, line));
    prefetch_write(&pages->groups[pages_start(pages, number / PAGES_GROUP + 1)]);
}

/* Where an SM remembers the home of a line's granule; it does when that has this tag. */
static inline struct pages_memo *pages_memo(const struct pages *pages, uint32_t sm, uint64_t line,
                                            uint64_t *tag)
{
    *tag = pages_granule(pages, line) + 1;
    /* Multiplicative hashing (Knuth): arrays often lie a power of two apart. */
    size_t at = (size_t)((*tag * 0x9e3779b97f4a7c15ULL) >> (64 - PAGES_MEMO_BITS));
    return &pages->memo[((size_t)sm << PAGES_MEMO_BITS) + at];
}

/* Fetches what the SM is about to recall. */
static inline void pages_prefetch_memo(const struct pages *pages, uint32_t sm, uint64_t line)
{
    uint64_t tag;
    prefetch_read(pages_memo(pages, sm, line, &tag));
}

/* The home domain of a line (by its number) that an SM touches now. */
static inline int pages_touch(struct pages *pages, uint32_t sm, uint64_t line, uint32_t *home,
                              struct error *error)
{
    uint64_t tag;
    struct pages_memo *memo = pages_memo(pages, sm, line, &tag);
    int status = memo->tag == tag ? 0 : pages_look_up(pages, sm, line, memo, error);
    *home = memo->home;
    return status;
}

/* The same in two steps, for one who does not know yet whose turn comes first. An SM recalls the
 * home, or a number from PAGES_ASKED on: that of the touch that it has to make in its turn, by
 * pages_look_up(). `touch`: what the next one's would be. pages_learn() tells it the answer. */
enum { PAGES_ASKED = DOMAINS_MAX };
/* The home of a granule whose page somebody has touched, if that is all that decides it; the SM
 * touches it now, whatever its turn. Other SMs may do so at the same time, as long as nobody looks
 * up. */
bool pages_known(struct pages *pages, uint32_t sm, uint64_t granule, uint32_t *home);
static inline uint32_t pages_recall(struct pages *pages, uint32_t sm, uint64_t line, uint32_t touch)
{
    uint64_t tag;
    struct pages_memo *memo = pages_memo(pages, sm, line, &tag);
    uint32_t home;
    if (memo->tag != tag) {
        home = pages_known(pages, sm, tag - 1, &home) ? home : PAGES_ASKED + touch;
        *memo = (struct pages_memo){tag, home};
    }
    return memo->home;
}

static inline void pages_learn(struct pages *pages, uint32_t sm, const struct pages_memo *answer)
{
    uint64_t tag, line = (answer->tag - 1) * pages->granule_lines;
    struct pages_memo *memo = pages_memo(pages, sm, line, &tag);
    if (memo->tag == tag)
        memo->home = answer->home;
}

/* The domain that serves an access, of placements that move pages; `home` is what pages_touch
 * said, and stays where placements do not. *moves: pages that went over the links. */
static inline uint32_t pages_serve(const struct pages *pages, uint32_t sm, uint64_t line,
                                   bool write, uint32_t home, uint64_t *moves)
{
    const struct system *system = pages->system;
    if (!pages->placement->access)
        return home;
    return pages->placement->access(pages->state, &pages->context,
                                    line * system->line_bytes / system->page_bytes, home,
                                    system_domain(system, sm), write, moves);
}

/* Pages touched so far; pages->per_domain divides them by home (of the first byte). */
static inline uint64_t pages_count(const struct pages *pages)
{
    return pages->count;
}

/* NPB over the pages so far (placement_balance); NaN without pages. */
double pages_balance(const struct pages *pages);

/* Pages touched by 1, 2 to 10, 11 to 25, 26 and more SMs so far (NUBA, ASPLOS 2023). */
void pages_degrees(const struct pages *pages, uint64_t degrees[PAGES_DEGREES]);

/* The rows of pages, a group at a time; a bit a domain that touched the page. free() it. */
uint64_t *pages_domains(const struct pages *pages);
/* The row of a line's page, which has been touched. */
size_t pages_row(const struct pages *pages, uint64_t line);

/* NUBA's class of low sharing: more than 80 % of the pages are touched by one SM only.
 * False without pages. */
bool pages_low_sharing(const uint64_t degrees[PAGES_DEGREES]);

/* Bytes the table takes. */
size_t pages_bytes(const struct pages *pages);

#endif
