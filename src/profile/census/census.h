/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A census: what a workload touches and which domains share it, counted without
 * caches, warps or rounds. Where the schedule says beforehand which domain a CTA
 * goes to (`distributed`, `batched:N`), sharing does not depend on the order of
 * accesses, nor on L1: a domain asks for each of its lines at least once. So the
 * figures are those of a profile, at a fraction of its time. Launches that repeat an
 * earlier one (stream_kernel.repeats) are skipped. */
#ifndef BANDSCAPE_PROFILE_CENSUS_H
#define BANDSCAPE_PROFILE_CENSUS_H

#include <stdbool.h>

#include "machine/machine.h"
#include "trace/stream.h"

/* Launches and their CTAs alone. */
struct census_launches {
    uint64_t launches;
    uint64_t ctas;       /* of the largest launch */
    uint64_t ctas_total; /* of all launches */
    double lines;        /* line accesses that a census would look at: an estimate from a few
                          * CTAs of every launch, by census_count_launches with a limit only */
    bool cut;            /* by its limit: there are more launches */
};

struct census {
    struct census_launches launches;
    /* As in struct profile_sharing. NaN: sharing is unknown, because the schedule decides
     * while it runs which domain a CTA goes to. */
    double footprint_bytes, truly_shared_bytes, falsely_shared_bytes, read_only_shared_bytes;
    /* Lines that in one launch (any of them) several domains read and nobody writes: what
     * NUBA replicates. */
    double replicable_bytes;
};

/* Bytes of all allocations. */
double census_allocated_bytes(const struct source *source);

/* Goes through the launches, without their warps but those for the estimate. Stops when it
 * expects more than `most` line accesses; INFINITY: goes to the end, and estimates nothing. */
int census_count_launches(const struct source *source, double most, struct census_launches *out,
                          struct error *error);

/* The source's accesses must lie in its allocations: those of shipped workloads do.
 * Looks at interrupt_requested() and counts warp accesses with progress_add(). */
int census_take(const struct source *source, const struct machine *machine, struct census *out,
                struct error *error);

/* The same through the cache of views (profile/record/profile.h). */
int census_obtain(const struct source *source, const struct machine *machine, struct census *out,
                  struct error *error);
bool census_is_cached(const struct source *source, const struct machine *machine);

/* Launches, and bytes of all allocations as the footprint; no sharing. `spec` is what
 * source_open takes; `keep`: through the cache, for a workload in C, whose launches may take
 * a run of the algorithm to know. */
int census_summarise(const char *spec, bool keep, struct census *out, struct error *error);

#endif
