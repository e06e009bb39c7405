/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counted stretches of a launch give (stretches.h), and how far off the launch is that they
 * stand for: as they differ, and as all of them may be. */
#ifndef BANDSCAPE_PROFILE_MEASURES_H
#define BANDSCAPE_PROFILE_MEASURES_H

#include "profile/run/stretches.h"

/* So many sums of each stretch; `rows`: kinds of caches. */
size_t measures_count(const struct system *system, uint32_t rows);

/* All that was counted of the launch. */
void measures_tally(const struct pass *pass, struct tally *to);
double measures_requests(const struct tally *tally);

/* Takes what there is at a counted stretch's beginning off (weight below 0), adds what there is at
 * its end (above). */
void measures_add(struct pass *pass, double weight);

/* What was counted so far was before anything was skimmed. */
void measures_keep_dense(struct stretches *stretches);

/* How much of the differences between slices is none of chance, where what was counted stands for
 * so much (struct weights). */
double measures_uneven(const struct pass *pass, enum level_side side, double weight);

/* Whether stretches so far differ by so little that what is granted is not used up. */
bool measures_settled(const struct stretches *stretches);

/* Behind its head the launch has so many requests, lines that SMs read and are no first requests,
 * and reads of L1: by how much what these became may be off. Launches are so independently of each
 * other. stretches_off() is of all. */
void measures_add_squares(struct pass *pass, double requests, double read_lines, double l1_reads);

#endif
