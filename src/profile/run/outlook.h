/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of a pass is done, for a bar that somebody sees: what a source's launches will come to
 * is found out before, from a few of their warps.
 *
 * It is an estimate, in turns, which are a warp's accesses, its begin and its end: of irregular
 * kernels warps differ, and of launches that come again some will be counted again without being
 * gone through (run/repeats.h), which is not known before. So each launch begins where those before
 * it were to end, and one that was not to be gone through and is makes the whole larger. Traces
 * would have to be read for it: nothing is said of them, nor of what takes longer to find out than
 * a bar is worth. */
#ifndef BANDSCAPE_PROFILE_OUTLOOK_H
#define BANDSCAPE_PROFILE_OUTLOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/stream.h"

enum { OUTLOOK_ENDS = 2 }; /* turns of a warp that are no access */

struct outlook {
    struct {
        struct outlook_launch {
            uint64_t turns;
            bool expected; /* to be gone through */
        } * items;
        size_t count, capacity;
    } launches;      /* of the source; none: nothing is known */
    size_t reached;  /* launches, the current one included */
    uint64_t whole;  /* turns of those that are to be gone through */
    uint64_t before; /* of them, those of earlier launches */
    uint64_t done;   /* of this launch, */
    uint64_t next;   /* and from how many on it is told again */
    int64_t told;    /* parts of PROGRESS_ITEM */
    int64_t items;   /* of the bar, that the pass makes */
};

/* `exact`: every launch is gone through. Where no bar is drawn nothing is looked at. */
void outlook_init(struct outlook *outlook, const struct source *source, bool exact, size_t items);
/* Takes back what was told: items that are done count from here on. */
void outlook_fini(struct outlook *outlook);

/* The next launch begins, or is counted again and so over. */
void outlook_launch(struct outlook *outlook, bool gone_through);
/* So many turns more of it are done. */
void outlook_done(struct outlook *outlook, uint64_t turns);

/* From 0 to 1; 0 where nothing is known. */
double outlook_share(const struct outlook *outlook);

#endif
