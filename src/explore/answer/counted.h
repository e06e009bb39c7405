/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile as the referee counted it: what a model would have been told had the profiler met the
 * accesses in the order of simulated time. So what a formula does with its inputs is told apart
 * from what these are. */
#ifndef BANDSCAPE_EXPLORE_COUNTED_H
#define BANDSCAPE_EXPLORE_COUNTED_H

#include "profile/record/profile.h"
#include "simulate/gpu.h"

struct counted_view {
    struct arena *arena;
    struct profile_view
        view; /* texts and what is not counted are the original's: it lives longer */
};

/* The view with the simulation's r_local (the traffic matrix with it), LSU and LLC hit rate, launch
 * by launch where records are launches, else over those of the record's kernel. Curves of the LLC's
 * side give the hit rate that was counted at the machine's capacity: where it is lower all their
 * hits are as many times fewer, where it is higher all their misses. A record of which nothing was
 * counted stays as it is. STATUS_INFEASIBLE: a machine whose LLC is not one cache with every
 * request of the SMs before it. To be closed even when it fails. */
int counted_view_open(struct counted_view *counted, const struct profile_view *view,
                      const struct machine *machine, const struct simulate_gpu_result *result,
                      struct error *error);
void counted_view_close(struct counted_view *counted);

/* Means over a run, by requests; NaN: unknown. */
struct counted_figures {
    double r_local, llc_hit, lsu;
};
/* What the profile says of that machine, what the simulation counted on it. */
struct counted_figures counted_of_view(const struct profile_view *view,
                                       const struct machine *machine);
struct counted_figures counted_of_result(const struct simulate_gpu_result *result);

#endif
