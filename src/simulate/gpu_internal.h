/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of a simulated machine, shared by what finds the way of a request (way.c), what
 * carries it along (gpu.c), and what is said of it (gpu_result.c). */
#ifndef BANDSCAPE_SIMULATE_GPU_INTERNAL_H
#define BANDSCAPE_SIMULATE_GPU_INTERNAL_H

#include "core/prefetch.h"
#include "profile/caches/beside.h"
#include "profile/caches/front.h"
#include "profile/caches/l1.h"
#include "profile/caches/tlbs.h"
#include "profile/homes/pages.h"
#include "profile/caches/written.h"
#include "simulate/channels.h"
#include "simulate/cores.h"
#include "simulate/engine.h"
#include "simulate/flight.h"
#include "simulate/gpu.h"
#include "simulate/inlet.h"
#include "simulate/packets.h"
#include "simulate/llc.h"
#include "simulate/pending.h"
#include "simulate/plant.h"

enum event_kind {
    EVENT_TURN,    /* id: SM; the access of the warp it chose */
    EVENT_STEP,    /* id: flight */
    EVENT_READY,   /* id: (SM * warps + slot) * CORE_ACCESSES + access; data from L1 */
    EVENT_WORKED,  /* id: SM * warps + slot; what comes before its next access is done */
    EVENT_WRITTEN, /* the same; a write of it is acknowledged */
    EVENT_PACKET   /* id: a pair of chips (packets.h); its packet may have waited long enough */
};

/* MSHRs of a node, a write buffer, or one of reads past L1: places, and who waits for one. */
struct gate {
    uint64_t room;
    uint32_t first, last; /* flights; FLIGHT_NONE */
};

/* Hits at a forced rate: as even as whole numbers allow. */
struct forced {
    double rate, seen; /* rate < 0: not forced */
};

struct gpu {
    struct machine *machine; /* as it is organised; owned */
    const struct simulate_gpu_options *options;
    struct system system;
    struct plant plant;
    struct channels channels; /* of memories */
    struct engine engine;
    struct residents residents;
    struct cores cores;
    struct pages pages;
    struct l1 l1;
    struct beside beside; /* caches beside it */
    struct fronts fronts;
    struct llc llc;
    struct written written;
    struct written stored; /* lines written so far in this launch, where its end asks for them */
    bool notes_stored;
    struct pending pending;
    struct packets packets; /* of replies between chips */
    struct flights flights;
    struct gate *mshrs;   /* one a node */
    struct gate *buffers; /* one an SM */
    struct gate *passing; /* the same, for reads past L1 */
    struct inlets inlets; /* of levels behind L1, TLBs, walkers */
    struct tlbs tlbs;
    struct tlbs_pages pages_seen; /* of this access */
    struct forced forced_l1, forced_llc;

    /* The organisation. */
    enum level_side side;                /* of the LLC, in this launch */
    bool chooses, choice_is_replication; /* launch by launch: a side; or whether to keep copies */
    bool replicates;                     /* now */
    bool filled;                         /* its first blocks have begun */
    bool turned;                         /* this launch, to another side */
    double turn_at_s;                    /* when this launch turns; HUGE_VAL: it does not, or did */
    double looked_up_s; /* of the line that is asked for now: its place among the lookups of L1 */
    double balance_next_s, balance_every_s; /* dynamic split */
    double *balance_busy;                   /* by domain: links, memory, at the last look */

    /* Counts. */
    uint64_t started, done; /* requests (sectors) of SMs */
    uint64_t tlb_lookups[MACHINE_TLBS_MAX], tlb_hits[MACHINE_TLBS_MAX], walks;
    uint64_t beside_lookups[MACHINE_BESIDE_MAX], beside_hits[MACHINE_BESIDE_MAX];
    uint64_t local, crossing, l1_reads, l1_hits, l1_remote_reads, front_lookups, front_hits;
    uint64_t origins[ORIGIN_COUNT];
    bool counting, full;
    double count_from_s, unit_from_s;
    uint64_t counted, unit, in_unit;    /* a unit of batches: flights */
    double link_bytes, link_bytes_from; /* between chips; when counting began */
    uint64_t told;                      /* requests that the progress bar has */
    double *busy_from;                  /* by server, when counting began */
    double *places_from;                /* the same, by inlet */
    struct simulate_seen seen_from;     /* when what is counted of this launch began */
    double *slices_from;                /* the same: busy times by server */
    struct batch_means means;
    struct {
        struct simulate_launch *items;
        size_t count, capacity;
    } launches;
    double reconfigure_s;
    int status;
    struct error *error;
};

/* One line that an SM asks for behind L1. */
struct gpu_request {
    uint64_t line;
    uint32_t sm, domain, home, sectors;
    uint8_t kind; /* enum access_kind */
    bool replicable;
    bool partial;       /* a write that fetches what it leaves of a sector */
    double asked_bytes; /* by the lanes, in sectors of 32 */
    int beside;         /* the cache beside L1 that it asks; -1: L1 */
    uint64_t pieces;    /* that are to come in packets; 0: lines */
};

/* Writes the steps of a flight for that request, whose caches it looks up now. What they drive
 * out is sent on its way by gpu_send(). */
void gpu_way(struct gpu *gpu, struct flight *flight, const struct gpu_request *request);
/* The steps of a hit at an L1 node, or in a cache beside L1 (-1: none). */
void gpu_way_hit(struct gpu *gpu, struct flight *flight, double asked_bytes, int beside);
/* Dirty lines on their way to memory: of an LLC, of a level before it. */
void gpu_write_back(struct gpu *gpu, const struct llc_dirty *dirty);
void gpu_write_home(struct gpu *gpu, const struct front_request *dirty);
/* Pages that move to another domain. */
void gpu_move_pages(struct gpu *gpu, uint32_t from, uint32_t to, uint64_t line, uint64_t pages);
/* Steps that the longest way may have. */
uint16_t gpu_longest_way(const struct gpu *gpu);
/* Whether L1 nodes are reached over ports of their own. */
bool gpu_has_nodes(const struct gpu *gpu);

/* The gate that a flight passes; NULL: none. */
struct gate *gate_of(struct gpu *gpu, const struct flight *flight);
/* Takes its place, if there is one: true; until then its SM issues nothing. */
bool gate_enter(struct gpu *gpu, uint32_t id);
/* A place is free, and the first that waits for it goes on: the SM that may issue again, or
 * CORE_NONE. */
uint32_t gate_leave(struct gpu *gpu, struct gate *gate);

/* What the next event is about to need, while this one is dealt with. */
static inline void gpu_fetch_ahead(const struct gpu *gpu)
{
    const struct event *next = gpu->engine.items;
    if (gpu->engine.count == 0 || next->kind != EVENT_STEP)
        return;
    const struct flight *flight = flight_at(&gpu->flights, next->id);
    prefetch_write(flight);
    prefetch_read((const char *)flight + 64);
}

/* A flight of nobody's starts now. */
struct flight *gpu_other(struct gpu *gpu, uint64_t line, uint32_t *id);
void gpu_send(struct gpu *gpu, uint32_t id);

/* A request is done; so is the run, as far as it went. */
void gpu_count(struct gpu *gpu, const struct flight *flight);
void gpu_count_begin(struct gpu *gpu);
/* What is counted of a launch begins here; what it was. */
void gpu_see_begin(struct gpu *gpu);
void gpu_see_end(struct gpu *gpu, const struct stream_kernel *kernel, struct simulate_launch *out);
struct simulate_gpu_result *gpu_result(struct gpu *gpu, bool whole);
/* Sums of a batch: time, bytes, then latency and number by origin. */
enum { SUM_TIME, SUM_BYTES, SUM_ORIGINS, SUMS = SUM_ORIGINS + 2 * ORIGIN_COUNT };

/* An error where a warm-up was all there is. */
int gpu_check_counted(const struct gpu *gpu, struct error *error);

#endif
