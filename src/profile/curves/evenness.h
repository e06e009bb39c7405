/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How evenly a sample's lines stand among all, in the order in which these are asked for: in a
 * window of W different lines there are R W sampled ones, but for a deviation. Of lines that come
 * by chance it is sqrt(W R (1 - R)); of a sweep over neighbours, one of each block of which is in
 * the sample, it stays below one, whatever W is.
 *
 * Windows of 1, 2, 4, ... lines follow each other without overlap, in each unit of a machine for
 * itself: its first request for a line in a launch counts the line. */
#ifndef BANDSCAPE_PROFILE_EVENNESS_H
#define BANDSCAPE_PROFILE_EVENNESS_H

#include <stdbool.h>
#include <stdint.h>

enum { EVENNESS_OCTAVES = 32 };

struct evenness_unit {
    uint64_t lines, sampled;
    uint64_t begun[EVENNESS_OCTAVES]; /* sampled when the window began */
};
struct evenness {
    struct evenness_unit *units;
    double squares[EVENNESS_OCTAVES]; /* of deviations */
    uint64_t windows[EVENNESS_OCTAVES];
};

void evenness_init(struct evenness *evenness, uint32_t units);
void evenness_fini(struct evenness *evenness);

/* The next line of a unit; `share`: of the lines so far that are in the sample. */
void evenness_add(struct evenness *evenness, uint32_t unit, bool sampled, double share);

/* The deviation of the number of sampled lines among so many. Beyond windows of which there were
 * enough it grows as chance has it; without any it is chance's. */
double evenness_deviation(const struct evenness *evenness, double lines, double share);

#endif
