/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chance in simulations. SMs that run the same program touch the same pages at the same time, and
 * one of them is first: the page is its own, it waits less than the others, and is ahead from then
 * on. Who that is hangs on nothing that a machine's or a workload's description says, and a launch
 * may take a third longer with one draw than with another. What models say is to be held against
 * is the mean. */
#ifndef BANDSCAPE_EXPLORE_DRAWS_H
#define BANDSCAPE_EXPLORE_DRAWS_H

#include "explore/answer/referee.h"

struct draws {
    uint32_t least, most; /* how many; 1 <= least <= most */
    double within;        /* no more once the mean time's interval is so narrow, a share of it */
};

/* As referee_simulate(), of draws from options->draw on. All is of the first one but times and
 * bandwidth of the run, which are of the mean time; with two draws or more its interval, at
 * options->confidence, is Student's over them (shares of +- are alike for time and bandwidth). */
int draws_simulate(const struct subject *subject, const struct machine *machine,
                   const struct simulate_gpu_options *options, const struct draws *draws,
                   struct simulate_gpu_result **out, struct error *error);

#endif
