/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates what models answer: one workload on one machine. Where the organisation chooses
 * launch by launch (sac, replication mdr) it is simulated with the choices that its own model
 * makes, so that both speak of the same run. */
#ifndef BANDSCAPE_EXPLORE_REFEREE_H
#define BANDSCAPE_EXPLORE_REFEREE_H

#include "explore/views/subject.h"
#include "simulate/gpu.h"

/* Requests that are counted by default. */
enum { REFEREE_REQUESTS = 200000 };

/* The model whose choices a simulation of that machine follows; NULL: there is none to make. */
const struct model *referee_model(const struct machine *machine);

/* The view that the choices need must have been prepared (subject_prepare_models). A subject
 * without a source is refused. `options->choose` is set here. */
int referee_simulate(const struct subject *subject, const struct machine *machine,
                     const struct simulate_gpu_options *options, struct simulate_gpu_result **out,
                     struct error *error);

/* Whether a launch of that kernel, grid and block is one of the record's. */
bool referee_is_of(const struct profile_record *record, const char *kernel, const uint32_t grid[3],
                   const uint32_t block[3]);

/* What a model says of the same: effective bandwidth and kernel time. NaN where it does not apply,
 * its views are not prepared, or `model` is NULL. */
struct referee_rival {
    double bandwidth_bytes_per_s, time_s;
};
struct referee_rival referee_ask(const struct model *model, const struct subject *subject,
                                 const struct machine *machine);

/* How far a model is from the simulation: the ratio of their bandwidths - 1, over the kernel time
 * of a run of the whole workload, with the start and the end of every launch in it, else over
 * what was counted. NaN where the model does not apply. */
double referee_error(const struct simulate_gpu_result *result, const struct referee_rival *rival);

/* Options of a whole run: no warm-up, no forced rates. */
struct simulate_gpu_options referee_options(uint64_t requests);

#endif
