/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulations that are kept: figures of a paper name the same machines again and again, and what
 * takes a minute is not to be lost when a run is interrupted. In memory, and in the cache of views
 * (<hash>.simulation, sealed), under all that a result follows from: the program, byte by byte,
 * the workload's source, the machine and the options. So a program that was built anew simulates
 * anew, and there is no number to be raised. */
#ifndef BANDSCAPE_EXPLORE_SIMULATIONS_H
#define BANDSCAPE_EXPLORE_SIMULATIONS_H

#include "explore/answer/referee.h"

struct simulations;

struct simulations *simulations_create(void);
void simulations_destroy(struct simulations *simulations);

/* As referee_simulate(), by several threads at once; the result lives until
 * simulations_destroy(). Of a stored profile, whose views need not be the source's, it is kept in
 * memory alone. Failures are not kept. */
int simulations_ask(struct simulations *simulations, const struct subject *subject,
                    const struct machine *machine, const struct simulate_gpu_options *options,
                    const struct simulate_gpu_result **out, struct error *error);

/* How many were asked for, and how many of them were simulated: the others were kept. */
struct simulations_count {
    size_t asked, simulated;
};
struct simulations_count simulations_count(const struct simulations *simulations);

#endif
