/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep, or one of several that share its points, has found so far, as a sealed file: to go
 * on after it was ended, and to put shares together. All that it holds adds up in any order, so
 * that the whole has the same bytes however it was cut. It begins with a version, and with how wide
 * blocks are: with others it is refused. Lines of a key and what belongs to it:
 *
 *     identity space: sac-links           what the sweep is: alike in all that go together
 *     argument ...                        words of the command, for `bandscape merge`
 *     share 2 8                           from 0, of how many
 *     at 3 17                             the structure and the block where it goes on; or done
 *     best, front, marginal, ...          explore/sweep/scan.h
 *
 * Where ranks share a sweep (explore/sweep/sweep_ranks.h) each has such a file, with the cells that
 * it has been through, so many of each structure, in place of where it goes on:
 *
 *     cells 64
 *     has 0 512
 *
 * A space's points are cut into cells, whole structures or contiguous parts of one, of which each
 * share has as many next to each other: what a structure costs to build is paid by few. A share
 * makes the views of its own structures. Only a where clause "of best" needs those of all: its best
 * is looked for among all points. Whether an axis acts at all is seen where all are, by merge. */
#ifndef BANDSCAPE_EXPLORE_SWEEP_STATE_H
#define BANDSCAPE_EXPLORE_SWEEP_STATE_H

#include "explore/sweep/scan.h"

/* Which cells of a space a share has. */
struct sweep_cells {
    uint64_t pieces;   /* of each structure */
    uint64_t from, to; /* of the cells: those of structure s begin at s * pieces */
};

/* The blocks of a structure of so many that are in the cells. Returns whether it has the first cell: then what is to be
 * said of the structure as a whole is its to say. */
bool sweep_cells_blocks(const struct sweep_cells *cells, uint64_t structure, uint64_t blocks,
                        uint64_t *from, uint64_t *to);
/* Whether it has some of a structure. */
bool sweep_cells_have(const struct sweep_cells *cells, uint64_t structure);

/* Those of the sweep's course. */
struct sweep_cells sweep_cells_own(const struct sweep *sweep);
/* Whether it is one of several shares, without what the others look at. */
bool sweep_is_part(const struct sweep *sweep);
/* sweep_for_each over the structures that the course needs views of. */
int sweep_for_own(const struct sweep *sweep, sweep_visit *visit, void *context,
                  struct error *error);

/* Of cells: from .. to-1 each, ascending. */
struct sweep_ranges {
    struct sweep_range {
        uint64_t from, to;
    } * items;
    size_t count, capacity;
};

/* What stands in front. */
struct sweep_state {
    struct {
        char **items;
        size_t count, capacity;
    } identity, arguments;
    uint64_t share, shares;
    bool done;
    uint64_t structure, block;
    uint64_t pieces; /* of each structure; 0: it goes on at the block */
    struct sweep_ranges has;
};
void sweep_state_fini(struct sweep_state *state);

/* Whether a file is, or was before it was damaged, what a sweep of some version wrote. */
bool sweep_state_is(const char *path);
/* Alone, without what was found. */
int sweep_state_read(const char *path, struct sweep_state *out, struct error *error);
/* An error that says in which line two are not of one sweep. */
int sweep_state_compare(const struct sweep_state *a, const char *name_a,
                        const struct sweep_state *b, const char *name_b, struct error *error);

/* What was found, to or from a worker and the sweep's reasons, warnings and bests. */
int sweep_state_write(const char *path, const struct sweep_state *state, const struct sweep *sweep,
                      struct scan_worker *worker, struct error *error);
int sweep_state_take(const char *path, struct sweep *sweep, struct scan_worker *worker,
                     struct error *error);
/* The same as a text, without a seal, which taking cuts up; `name`: whose it is, for errors. */
void sweep_state_print(const struct sweep_state *state, const struct sweep *sweep,
                       struct scan_worker *worker, struct text *out);
int sweep_state_take_text(const char *name, struct text *text, struct sweep *sweep,
                          struct scan_worker *worker, struct error *error);

#endif
