/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a sweep goes through its points: a share of them, from where it was ended, or not at all,
 * because shares have been through. What it keeps on the way is in files of its folder:
 *
 *     unfinished.state      of a whole sweep, until its result is there
 *     shard-2-of-8.state    of a share, for `bandscape merge`
 */
#ifndef BANDSCAPE_CLI_SWEEP_COURSE_H
#define BANDSCAPE_CLI_SWEEP_COURSE_H

#include "cli/command.h"
#include "explore/sweep/sweep_state.h"

struct sweep_course_files {
    struct sweep_state head;
    char *path;
    struct {
        char **items;
        size_t count, capacity;
    } states;
};

/* Reads --shard, --resume, --save-every and --merge, and sets the sweep's course. */
int sweep_course_open(const struct invocation *inv, const char *folder, struct sweep *sweep,
                      struct sweep_course_files *out, struct error *error);
void sweep_course_close(struct sweep_course_files *files);

bool sweep_course_is_share(const struct sweep *sweep);
/* Of a share that has been gone through: where it is, and what to do with it. */
void sweep_course_tell(const struct sweep *sweep);
/* What was found until an interrupt, as a hint. */
void sweep_course_hint(const struct sweep *sweep, struct error *error);
/* The result is there: what was kept on the way goes. */
void sweep_course_end(const struct sweep *sweep);

/* Appends the states in a folder, by share; an error where one is no state. */
int sweep_course_find(const char *folder, struct sweep_course_files *out, struct error *error);

/* The command as it would be given again, with all that acts on the result; the caller's to
 * free. */
char *sweep_course_command(const struct invocation *inv, const struct sweep *sweep,
                           const char *folder);

#endif
