/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GPU memory system, simulated request by request: the referee of the models.
 *
 * The stream is the profiler's: the same warps, CTA schedules, coalescing, page placement
 * and caches, as a library. What differs is when a warp issues: as soon as its data are there
 * and its SM gets to it, not in lockstep rounds. So the order of accesses follows simulated
 * time, and with it first touches and hit rates: what a machine does depends on how fast it
 * is, and a referee that took the profiler's order could not show where that matters.
 *
 *   SM       one warp at a time issues (gto, lrr, grr); an access and the instructions before it
 *            take instructions / sm.issue. A warp goes on to its next access while it has what
 *            that one, or an instruction before it, needs (warp_access.ahead), and fewer than
 *            sm.outstanding of them under way; an access sends all its lines at once.
 *            Of its instructions each waits sm.dependent for the one before, while others issue.
 *   blocks   one that takes the place of another begins cta.turnover later
 *   MSHRs    l1.mshrs an SM (all of them at its node, where L1 nodes serve several SMs); a write
 *            takes a place of the write buffer, a read past L1 one of l1.bypass_buffer. Where there
 *            is none, requests wait in order and their SM issues nothing. Levels behind L1 that
 *            state their MSHRs (l2.mshrs, llc.mshrs) stop as well: what comes behind a miss
 *            without one waits, hits too (inlet.h).
 *   beside   L1: a read of scalars, constants or textures takes the port and the latency of its
 *            cache in the place of L1's, and an MSHR of that one (near.h)
 *   TLBs     are looked up before L1, or by what misses it; walks are flights of their own, for
 *            which the requests wait (translate.h).
 *   caches   are looked up when a request is issued, not when it comes to them, so that it knows
 *            its whole way at once. What finds a line that is still on its way waits for it,
 *            without a message of its own (the MSHRs merge), in every level.
 *   stations every slice, channel, L1 node and edge is a server, first come, first served; a
 *            crossbar is one. Service is deterministic: bytes / bandwidth, flits on links.
 *   writes   are posted: they hold no warp, but at its end where cta.writes says so. They allocate
 * in the LLC without a fetch; dirty lines go to memory when they leave, and at the end of a launch
 * where coherence flushes. A launch is over when all of that is. L1 and crossbars have room for
 * whatever waits.
 *
 * Path of a request, there and back, by the side on which the LLC stands:
 *
 *   home        crossbar, [level before the LLC], edges and the home's crossbar if its chip is
 *               another one, home's slice, home's memory on a miss
 *   requester   crossbar, [level], own slice; on a miss edges and the home's memory, crossbars of
 *               both where misses share them (noc.misses)
 *
 * A launch that turns to another side (sac) issues nothing until all that is under way is done and
 * what the LLC holds is written home; it turns back at its end, where coherence has not written
 * home anyway. Copies (llc.replication mdr) are kept from then on, and nothing waits for that.
 *
 * In a partition with point-to-point links (p2p) they take the place of the first crossbar, and
 * what goes on to another partition crosses that of the chip. */
#ifndef BANDSCAPE_SIMULATE_GPU_H
#define BANDSCAPE_SIMULATE_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"
#include "core/batch_means.h"
#include "trace/stream.h"

struct simulate_gpu_options {
    uint64_t requests; /* to count, after warm_up; lines (sectors), as the profiler counts them.
                        * A run that has fewer is whole. */
    uint64_t warm_up;
    double confidence;
    uint64_t draw; /* of chance: of SMs that go at the same time, and touch the same pages, another
                    * one is first; 0, 1, ... */
    bool progress; /* begin and end a bar; else requests are added to one that there may be */
    /* Forced hit rates instead of what caches hold, evenly spread; negative: none is. */
    double l1_hit_rate, llc_hit_rate;
    /* Whether a launch, counted from 0, runs under the other alternative of an organisation
     * that chooses (sac: SM-side; llc.replication mdr: copies). NULL: never. */
    bool (*choose)(void *context, size_t launch, const struct stream_kernel *kernel);
    void *context;
    double turn_after_s; /* it begins under the usual one, and turns so long after its start */
};

/* Where data of reads and atomics come from; writes apart. */
#define SIMULATE_ORIGINS(X)                                                                        \
    X(ORIGIN_L1, "L1", "on their way to L1 already, or at an L1 node")                             \
    X(ORIGIN_BESIDE, "beside L1", "in a cache of scalars, constants or textures, or on their way") \
    X(ORIGIN_FRONT, "level before the LLC", "any of them")                                         \
    X(ORIGIN_LOCAL_LLC, "local LLC", "slices of the own domain")                                   \
    X(ORIGIN_REMOTE_LLC, "remote LLC", "slices of other domains")                                  \
    X(ORIGIN_LOCAL_MEMORY, "local memory", "memory of the own domain")                             \
    X(ORIGIN_REMOTE_MEMORY, "remote memory", "memory of other domains")                            \
    X(ORIGIN_WRITE, "writes", "until they are acknowledged")
enum simulate_origin {
#define SIMULATE_ORIGIN(symbol, name, help) symbol,
    SIMULATE_ORIGINS(SIMULATE_ORIGIN)
#undef SIMULATE_ORIGIN
        ORIGIN_COUNT
};
extern const char *const simulate_origin_names[ORIGIN_COUNT];

/* A field more in what follows is a row in gpu_record.c, or is lost where results are
 * kept. */

struct simulate_station {
    const char *name;   /* "llc", "inter": machine/system.h; lives for ever */
    double utilisation; /* mean over all of the kind, while requests were counted */
    double most;        /* of the busiest one */
};

/* Pages of accesses (of L1 misses: translation.of); what misses the last one is walked for. */
struct simulate_tlb {
    const char *name;
    uint64_t lookups, hits; /* over the run */
};

/* Line reads of a cache beside L1 (machine/beside.h). */
struct simulate_beside {
    const char *name;
    uint64_t lookups, hits; /* over the run */
};

/* What a launch did: all of it; of the one in which counting began what came behind that. */
struct simulate_seen {
    uint64_t requests, local; /* of SMs; of these, those whose home is the own domain */
    uint64_t lookups, hits;   /* of the LLC */
    double slice_uniformity;  /* its slices: mean time in service over the longest; NaN: none */
    uint64_t crossing; /* of what levels before the LLC leave: to another chip's slices or memory */
    uint64_t reads, read_hits, remote_reads; /* that look up L1; of these, hits, and those whose
                                              * home is another domain */
    /* Misses of L1 whose line another node has; lines in all nodes and distinct ones among them,
     * summed over misses: profile/caches/l1.h. */
    uint64_t elsewhere, copies, cached;
};

struct simulate_launch {
    const char *name; /* lives as long as the source */
    uint32_t grid[3], block[3];
    uint64_t requests;
    struct simulate_seen seen;
    double time_s;
    double flush_s; /* of time_s: writing back what coherence flushes at the end */
    bool other;     /* ran under the other alternative */
    bool assumes;   /* nothing says what its accesses need (stream_kernel.waits_assumed) */
    bool whole;
};

struct simulate_gpu_result {
    struct arena *arena;
    struct estimate bandwidth_bytes_per_s; /* requested bytes over time, as a profile counts them */
    uint64_t requests, events;             /* counted; of all the run */
    uint64_t flights;                      /* that requests, and waits for lines, were counted of */
    double bytes, time_s;                  /* of the requests counted */
    double link_bytes;    /* of messages between chips meanwhile, each once however far it goes, on
                           * the wire; what ends of launches write home with them */
    bool whole;           /* the workload ended */
    double kernel_time_s; /* of all launches; NaN unless whole */
    struct simulate_draws {
        uint32_t n; /* more than 1: times and bandwidths of the run are means over them */
        double least_s, most_s; /* of time_s */
    } draws;                    /* explore/answer/draws.h */
    double reconfigure_s;       /* of it: turns between organisations (sac), with their drains */
    struct estimate latency_s[ORIGIN_COUNT];
    double share[ORIGIN_COUNT];                                /* of the requests counted */
    double l1_hit_rate, front_hit_rate, llc_hit_rate, r_local; /* over the run; NaN: unknown */
    struct simulate_station *stations; /* "l2 mshrs" among them: places of levels that may stop */
    size_t n_stations;
    struct simulate_tlb *tlbs;
    size_t n_tlbs;
    uint64_t walks; /* fewer than misses of the last TLB: those for one page share one */
    struct simulate_beside *beside;
    size_t n_beside;
    struct simulate_launch *launches;
    size_t n_launches;
};

/* One configuration; its llc.organisation decides the organisation. STATUS_UNKNOWN_FIELD where the
 * machine lacks a parameter that is needed, STATUS_INPUT for what cannot be simulated and for a
 * warm-up that leaves nothing to count, STATUS_INTERRUPTED on Ctrl-C. */
int simulate_gpu(const struct machine *machine, const struct source *source,
                 const struct simulate_gpu_options *options, struct simulate_gpu_result **out,
                 struct error *error);
void simulate_gpu_result_destroy(struct simulate_gpu_result *result); /* NULL is legal */

#endif
