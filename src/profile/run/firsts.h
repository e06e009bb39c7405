/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which requests are a domain's first ones for a line in a launch that is skimmed (stretches.h),
 * where lines are sampled: while it is skimmed, lines of the sample alone are seen. One of the
 * others that is asked for where all are may have been skimmed before; how often that is, those of
 * the sample say, of which both are known. */
#ifndef BANDSCAPE_PROFILE_FIRSTS_H
#define BANDSCAPE_PROFILE_FIRSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct firsts {
    struct line_told {    /* by number in the sample: */
        uint64_t domains; /* bit d: domain d asked for it where nothing is skimmed, */
        uint32_t launch;  /* in that launch */
    } * items;
    size_t count, capacity;
    uint32_t launch;
    /* Of requests for lines of the sample that look first where nothing is skimmed, reads and
     * writes, the later ones counting more: how many, and how many are. Of other lines' so many
     * fewer were taken to be first than are, or more. */
    struct firsts_share {
        double looked, were, owed;
    } shares[2];
};

void firsts_fini(struct firsts *firsts);
void firsts_begin_launch(struct firsts *firsts);

/* A request of a domain for a line of the sample where nothing is skimmed: whether it looks first.
 */
bool firsts_look(struct firsts *firsts, uint32_t number, uint32_t domain);
/* Of one that does: whether it is. */
void firsts_learn(struct firsts *firsts, bool writes, bool first);
/* Whether one for another line that looks first is to count as such: the right number of them do,
 * spread evenly. */
bool firsts_guess(struct firsts *firsts, bool writes);

#endif
