/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress of long work: a bar with rate and time left on a terminal, nothing
 * elsewhere. Library code counts; only the command line gives it a stream. */
#ifndef BANDSCAPE_CORE_PROGRESS_H
#define BANDSCAPE_CORE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Where bars go; NULL (the default): nowhere. */
void progress_set_stream(FILE *stream);
/* Instead of a bar that is drawn over, a line now and then: for what is no terminal. */
void progress_set_lines(FILE *stream, double every_s);

/* One bar at a time. `total` 0: unknown, a count and a rate are shown. `unit`
 * is what is counted ("points", "accesses"). May be called from any thread;
 * drawing happens at most ten times a second. */
void progress_begin(const char *label, const char *unit, uint64_t total);
void progress_add(uint64_t amount);

/* The same for `total` items that take long ("views"): the bar moves with
 * progress_item(), one more item done; progress_add() counts the work inside of
 * them, in `unit`, whose count and rate stand beside the bar, with the time that the rest takes if
 * items are alike. */
void progress_begin_items(const char *label, const char *items, uint64_t total, const char *unit);
void progress_item(void);

/* Of an item that is under way, or of a bar without a total as a whole: so many parts more of
 * PROGRESS_ITEM are done; fewer: the item is taken for longer now, or is done and counts as such.
 * Then the bar moves within items, and time left stands beside it. */
#define PROGRESS_ITEM ((int64_t)1 << 32)
void progress_move(int64_t parts);
/* Somebody sees it: else nothing need be found out for its sake. */
bool progress_is_drawn(void);

/* Of a bar without a total, of which nobody knows the whole: a part of its work begins, of so many
 * pieces, and one of them is done. How much of the part that is, and the time that it still takes,
 * stand at the end of the line. */
void progress_begin_part(const char *name, uint64_t pieces);
void progress_piece(void);

/* Ends whichever bar was begun. */
void progress_end(void);

/* Takes the bar away for a line of text; it comes back when it is drawn next. */
void progress_clear(void);

/* Monotonic seconds, for run.yaml and rates. */
double clock_seconds(void);
/* Seconds that the processor worked for this thread: what else the machine does is not in them. */
double clock_work_seconds(void);
/* For tests of what is done with times: from here on each reading of clock_work_seconds() is step_s
 * later than the one before, whatever the machine does. 0 ends it. */
void clock_work_pretend(double step_s);

#endif
