/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each part of a request's way takes.
 *
 * Models and the event simulator add up steps: L1, crossbars there and back, levels, links, memory.
 * What is measured of real machines is from load to use: the sum of all steps to the level that
 * answers. A level, the links and the memory say which one their latency is (`latency_is`), and
 * here it is made a step, once for all who add:
 *
 *     step                 what a pass takes
 *     load-to-use          an idle load that is answered there: a level or the LLC of the own
 *                          domain that has the line, the memory of the own domain; for the
 *                          crossing, the LLC of another partition; for links, that of another
 *                          chip, mean over chips
 *     mean-load-to-use     the same where lines lie in all domains alike, as a chase over much
 *                          memory sees them; homes elsewhere are asked at home
 *
 * Where addresses are translated, figures from load to use are those of pages that the first TLB
 * knows; its lookup is a step before them.
 *
 * A step is a sum of parameters, so that a design space may vary each of them: a faster crossbar
 * leaves a figure from load to use what it is, and the step behind the crossbar takes longer. An
 * idle chase through every shipped machine, simulated, is the test. */
#ifndef BANDSCAPE_MACHINE_LATENCY_H
#define BANDSCAPE_MACHINE_LATENCY_H

#include "machine/levels.h"

/* What a way is made of: sections with a latency. Levels before the LLC are numbered as
 * machine/levels.h does. */
enum latency_part {
    LATENCY_L1,
    LATENCY_NODES,
    LATENCY_P2P,
    LATENCY_NOC,
    LATENCY_LEVEL,
    LATENCY_LLC = LATENCY_LEVEL + MACHINE_LEVELS_MAX,
    LATENCY_CROSSING,
    LATENCY_INTER,
    LATENCY_MEMORY,
    LATENCY_SWITCH, /* of the links */
    LATENCY_TLB,    /* of the first one, which an idle load hits */
    LATENCY_PART_COUNT
};
/* "llc.latency"; NULL: the machine has no such level. */
const char *latency_path(const struct machine *machine, enum latency_part part, char *buffer,
                         size_t size);

/* Sum of times[part] * parameter. */
struct latency_step {
    double times[LATENCY_PART_COUNT];
};

/* The step of a latency; of a path that is none of the parts, or not given from load to use, the
 * parameter itself: *plain is then true and the step unset. */
int latency_step_of(const struct machine *machine, const char *path, bool *plain,
                    struct latency_step *out, struct error *error);

/* Shortest step that rounding leaves of none; shorter ones are negative. */
#define LATENCY_NONE (-1e-15)

/* The same in seconds. STATUS_INPUT where the way to the level takes longer than the figure. */
int latency_seconds(const struct machine *machine, const char *path, double *out,
                    struct error *error);

/* What an idle load that misses all caches takes from load to use, in seconds: the mean over homes,
 * where lines lie in all domains alike; of the own domain where listed edges have latencies of
 * their own. */
int latency_miss(const struct machine *machine, double *out, struct error *error);

/* The default of sm.stall: that latency in cycles of the SM's clock, each of which is a round of
 * the profiler, in which an SM issues one warp memory instruction (profile/issue/issue.h); where
 * sm.issue is below one, as many as it issues instructions. Other instructions between two accesses
 * make rounds longer, queues make latencies longer, both by more than the nearest power of two,
 * which is taken, is off; a stream does not tell them apart. 0: unknown. */
uint32_t latency_rounds(const struct machine *machine);

/* Checks all that are known. */
int latency_check(const struct machine *machine, struct error *error);

#endif
