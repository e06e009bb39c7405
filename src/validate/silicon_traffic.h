/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the microbenchmarks of models/today/silicon ask of a machine, and what the model network
 * says of it. They go round their working sets, so that what a profile of them would say is known
 * in closed form: test_silicon holds the records that are made here against passes of the profiler
 * over the same accesses.
 *
 *     chase    one thread reads one line after another of a random cycle: every distance is that of
 *              the whole cycle. L1 is indexed by low bits of the line number, so that of n lines in
 *              s sets of w ways all those miss whose set has more than w; other levels as anywhere.
 *     sweep    each thread makes an access or a few to element tid mod n. Blocks go to whatever SM
 *              has room, so that a line comes back to one of u caches on the requester's side after
 *              k sweeps with probability (1/u) (1 - 1/u)^(k-1), and that one has seen the share
 *              1 - (1 - 1/u)^k of all lines between; or to the u caches in turn (cta.policy
 *              centralised; silicon_reuse.h). No line is in L1 still when it comes back: with
 *              hundreds of them it is another one, nearly always.
 *     shared   block b reads set b mod R from its begin to its end. Resident blocks that have the
 *              same set are at places of it that have nothing to do with each other, since blocks
 *              that end are replaced one by one: k blocks in a circle. The next to pass a line
 * comes after the share g of a round with P(g > x) = (1 - x)^(k-1), and of each set the share 1 -
 * (1 - g)^k was read between.
 *
 * A wave of loads is waited for before the threads of a block end; stores are posted, or waited for
 * behind them (cta.writes). */
#ifndef BANDSCAPE_VALIDATE_SILICON_TRAFFIC_H
#define BANDSCAPE_VALIDATE_SILICON_TRAFFIC_H

#include "machine/machine.h"
#include "profile/record/profile.h"
#include "validate/silicon_instructions.h"

/* Every access has SILICON_ELEMENT bytes, every step of a chase another SILICON_STEP bytes. */
enum { SILICON_ELEMENT = 8, SILICON_STEP = 128 };

struct silicon_chase {
    double set_bytes;
    double reads; /* at least a few rounds of the set */
};

struct silicon_sweep {
    double threads;           /* of the launch */
    double block_threads;     /* of a block */
    double resident;          /* blocks that an SM holds */
    double set_bytes;         /* all arrays together */
    double loads, stores;     /* of a thread */
    struct silicon_warp warp; /* these accesses among its instructions; fewer: these alone */
};

struct silicon_shared {
    double block_threads, resident; /* as above */
    double set_bytes;               /* of a block */
    double working_set_bytes;       /* of all sets */
    double rounds;                  /* blocks that follow each other in one place */
};

/* The records, in the arena. STATUS_INPUT where a working set is less than a line. */
int silicon_chase_record(const struct machine *machine, const struct silicon_chase *chase,
                         struct arena *arena, struct profile_record *out, struct error *error);
int silicon_sweep_record(const struct machine *machine, const struct silicon_sweep *sweep,
                         struct arena *arena, struct profile_record *out, struct error *error);
int silicon_shared_record(const struct machine *machine, const struct silicon_shared *shared,
                          struct arena *arena, struct profile_record *out, struct error *error);

/* Seconds a read of the chase; bytes a second that threads ask for. Sets are filled evenly where
 * memory has them so (page.contiguous). */
int silicon_chase_time(const struct machine *machine, const struct silicon_chase *chase,
                       double *out, struct error *error);
int silicon_sweep_rate(const struct machine *machine, const struct silicon_sweep *sweep,
                       double *out, struct error *error);
int silicon_shared_rate(const struct machine *machine, const struct silicon_shared *shared,
                        double *out, struct error *error);

#endif
