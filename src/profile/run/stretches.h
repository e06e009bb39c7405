/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches of which not all is counted. Where an error is granted (profile_effort.error), stretches
 * of a long launch are counted and others skimmed, systematically: of each cycle a part is skimmed,
 * then all goes on as ever, first until L1s and waits are what they would be, then counted
 * (SMARTS: Wunderlich et al., ISCA 2003).
 *
 * A stretch that is skimmed is read: each SM issues an access a round, its warps in turns, as often
 * as each had one before (issue_skim); pages get their homes, and a line goes on to the LLC unless
 * the SM remembers it, in a table that has about the lines of an L1, each in one place. There it is
 * asked for, so that stack distances are those of the whole stream; who shares it is known. L1 is
 * not asked, no warp waits, no request is counted but a domain's first one for a line in the
 * launch, which cannot be a hit (REQUEST_FIRST). Switching comes in the middle of thread blocks,
 * all of which go on: none sees a stretch pass at once.
 *
 * The head of a launch is counted as it is, until L1s hit as often as in the half before: where
 * they never do, as where warps drift apart to the end, nothing is skimmed. Nor is what is gone
 * through in some seconds, of which skimming saves none. Cycles grow with what lies behind them, so
 * that a launch of any length has a dozen or some dozens. What was counted behind the head stands
 * for all of that, each stretch for its cycle, but for first requests (curves/weigh.h); accesses,
 * instructions, bytes and lines are known of all. How far off that is follows from the spread over
 * counted stretches, as batch means (run/measures.h). When SMs run out of warps and no block is
 * left, what is left goes on as a launch of its own, with a head, and so on with what is left of
 * that. */
#ifndef BANDSCAPE_PROFILE_STRETCHES_H
#define BANDSCAPE_PROFILE_STRETCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/batch_means.h"
#include "core/hash.h"
#include "profile/issue/lanes.h"
#include "profile/curves/shards.h"
#include "profile/run/tally.h"

/* Rounds that are skimmed at a time at most. */
enum { STRETCHES_ROUNDS = 1 << 14 };

enum stretch {
    STRETCH_HEAD, /* and where nothing is skimmed */
    STRETCH_SKIMMED,
    STRETCH_WARMED,
    STRETCH_COUNTED
};

/* Of a line, that an SM asked for in this stretch. */
struct stretch_line {
    uint64_t line; /* + 1; 0: none */
    uint32_t read, written;
};

/* Granules of pages (pages.h) that an SM touched in this stretch: the number of a group of eight,
 * + 1, and in the lowest eight bits which of them. 0: none. */
typedef uint64_t stretch_pages;
enum { STRETCH_PAGES_BITS = 12 };

/* What a warp that is skimmed did last, by its slot. */
struct stretch_tail {
    uint64_t line;                /* that it asked for last */
    uint32_t accesses;            /* of this stretch */
    uint32_t instructions, think; /* since it asked for anything */
    bool known, wrote;            /* it had an access; the last one was a write */
};

struct stretches {
    bool able; /* of this machine, and what is asked for */
    double granted;
    uint64_t l1_lines;  /* of an L1 */
    uint64_t run_least; /* lines */
    uint64_t head_least;
    uint64_t run_most; /* accesses of a warp one behind another, while it is skimmed */
    bool sampled;      /* of the lines some go on, those of the shards */
    struct shards shards;
    struct stretch_line *lines; /* [sm << bits | ...] */
    uint32_t bits;
    stretch_pages *pages;       /* [sm << STRETCH_PAGES_BITS | ...] */
    struct stretch_tail *tails; /* [sm * warps + slot] */
    /* Of this launch: */
    enum stretch now;
    uint64_t from, step;            /* where this head began; rounds until the next look */
    uint64_t next_look;             /* a round */
    uint64_t skim_ends;             /* a round */
    uint64_t most;                  /* warps on SMs */
    uint64_t reach;                 /* accesses of an SM for as many lines as its L1 has */
    uint64_t unit_least;            /* accesses of an SM in a counted stretch */
    uint64_t ends, unit;            /* accesses of an SM, in the mean: where the stretch, or a */
    uint32_t units;                 /* unit of it, ends; how many of these are left */
    uint64_t least;                 /* where one that is warmed ends at the earliest */
    uint64_t looks, reads, hits;    /* whether L1s are steady: of one that is warmed; of the last */
    double ratio;                   /* one, and hits between the last two */
    uint32_t cycles;                /* begun, */
    uint64_t cycle_from;            /* the last one here */
    double weight;                  /* of what is counted now, beside other stretches */
    struct tally head, mark, begun; /* counts: of the head; where they were left, and went on; */
    struct tally left, first; /* behind the head: not counted; of first requests, known of all */
    uint64_t head_accesses;   /* of all SMs, */
    uint64_t head_skimmed;    /* so many of them skimmed */
    uint64_t told;            /* of those skimmed */
    struct lane_counts *head_lanes; /* by allocation */
    struct batch_means means;       /* over counted stretches behind the head, */
    double *dense;                  /* and sums before the first that was skimmed */
    uint32_t rows;                  /* kinds of caches */
    /* Of the run: */
    double *squares;                   /* of what may be off, in requests or reads of L1, */
    double requests, l1_reads;         /* of so many */
    uint64_t accesses, skimmed, asked; /* asked: lines */
    bool ever;
};

struct pass;
/* Whether launches may be skimmed: SMs are run alone, between L1 and the LLC is nothing that would
 * have to be warm, and no further part needs to see what is skimmed. */
bool stretches_able(const struct system *system, unsigned parts);
/* `granted`: an error; 0: all is counted. `few`: also of launches that are soon gone through, to
 * see what it is worth. */
void stretches_init(struct pass *pass, double granted, bool few);
void stretches_fini(struct pass *pass);
void stretches_begin_launch(struct pass *pass);
/* In commit, once all before it is handed on: at most so many rounds until the next one. */
int stretches_look(struct pass *pass, uint32_t *rounds, struct error *error);
/* Accesses since the last time that were skimmed, most of which are in no list. */
uint64_t stretches_untold(struct pass *pass);
/* The launch is over, and all of it counted: counts are of it all from here on, gathered. */
void stretches_end_launch(struct pass *pass);
/* By how much hits, in L1 and in the mean over caches of all sizes, and remote requests may be off,
 * as a share of the requests; 0: nothing was skimmed. And how much of the accesses was. */
double stretches_off(const struct pass *pass);
double stretches_skimmed(const struct pass *pass);
/* By how much the number of requests may be off, as a share of it. */
double stretches_requests_off(const struct pass *pass);

/* Whether the SM has asked for all of these sectors of a line, and written them where that is
 * wanted; it has from now on. What it does over and over is asked for once, and again before
 * anything is counted: the stretch in between takes all that the table may hide. */
static inline bool stretches_remember(struct stretches *s, uint32_t sm, uint64_t line,
                                      uint32_t sectors, bool writes)
{
    size_t at = ((size_t)sm << s->bits) + (hash_fmix64(line) >> (64 - s->bits));
    struct stretch_line *own = &s->lines[at];
    if (own->line != line + 1)
        *own = (struct stretch_line){line + 1, 0, 0};
    uint32_t has = writes ? own->written : own->read | own->written;
    if (writes)
        own->written |= sectors;
    else
        own->read |= sectors;
    return (sectors & ~has) == 0;
}

/* The same of a granule: it need not be touched again. */
static inline bool stretches_remember_page(struct stretches *s, uint32_t sm, uint64_t granule)
{
    uint64_t tag = granule / 8 + 1, bit = 1ULL << granule % 8;
    size_t at = (size_t)((tag * 0x9e3779b97f4a7c15ULL) >> (64 - STRETCH_PAGES_BITS));
    stretch_pages *own = &s->pages[((size_t)sm << STRETCH_PAGES_BITS) + at];
    uint64_t has = *own >> 8 == tag ? *own : tag << 8;
    *own = has | bit;
    return has & bit;
}

#endif
