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
 * not asked, no warp waits, no request is counted. Switching comes in the middle of thread blocks,
 * all of which go on: none sees a stretch pass at once.
 *
 * The head of a launch is counted as it is, with all windows that are decided from. Cycles grow
 * with what lies behind them, so that a launch of any length has some dozens. What was counted
 * behind the head stands for all of that, by line accesses; these, instructions, bytes and lines
 * are known of all. So is what is off: by the spread over counted stretches, as batch means. */
#ifndef BANDSCAPE_PROFILE_STRETCHES_H
#define BANDSCAPE_PROFILE_STRETCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/batch_means.h"
#include "core/hash.h"
#include "profile/issue/lanes.h"
#include "profile/curves/shards.h"
#include "profile/run/tally.h"

enum stretch {
    STRETCH_HEAD, /* and where nothing is skimmed */
    STRETCH_SKIMMED,
    STRETCH_WARMED,
    STRETCH_COUNTED,
    STRETCH_TAIL
};

/* Of a line, that an SM asked for in this stretch. */
struct stretch_line {
    uint64_t line; /* + 1; 0: none */
    uint32_t read, written;
};

/* What a warp that is skimmed did last, by its slot. */
struct stretch_tail {
    uint32_t accesses;            /* of this stretch */
    uint32_t instructions, think; /* since it asked for anything */
    bool known, wrote, remote;    /* it had an access; the last one was a write, of a remote line */
};

struct stretches {
    bool able;          /* of this machine, and what is asked for */
    uint64_t l1_lines;  /* of an L1 */
    uint64_t head_ends; /* accesses of an SM, in the mean */
    uint64_t run;       /* accesses of a warp one behind another, while it is skimmed */
    bool sampled;       /* of the lines some go on, those of the shards */
    struct shards shards;
    struct stretch_line *lines; /* [sm << bits | ...] */
    uint32_t bits;
    struct stretch_tail *tails; /* [sm * warps + slot] */
    /* Of this launch: */
    enum stretch now;
    uint64_t next_look;             /* a round */
    uint64_t skim_ends;             /* a round */
    uint64_t most;                  /* warps on SMs */
    uint64_t ends, unit;            /* accesses of an SM, in the mean: where the stretch, or a */
    uint32_t units;                 /* unit of it, ends; how many of these are left */
    uint64_t warm, reads, hits;     /* while it is warmed: fills until then; of the last look, */
    double ratio;                   /* and hits between the last two */
    struct tally head, mark, left;  /* counts: of the head; where they were left; not counted */
    uint64_t head_accesses;         /* of all SMs */
    uint64_t told;                  /* of those skimmed */
    struct lane_counts *head_lanes; /* by allocation */
    struct batch_means means;       /* over counted stretches */
    uint32_t rows;                  /* kinds of caches */
    /* Of the run: */
    double *squares; /* of what may be off, in requests, */
    double requests; /* of so many */
    uint64_t accesses, skimmed;
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

#endif
