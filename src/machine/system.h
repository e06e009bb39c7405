/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine, compiled once into plain numbers: what the profiler, the models, the referee and the
 * explorer read of it. Where `struct machine` has values over a table of parameters, a system has
 * the tree of scopes, the cache levels from the SMs outwards, the fabric, and the stations at which
 * requests queue: one description of the hardware for all of them.
 *
 * Scopes: SM < L1 node < cluster of nodes < domain < chip < system, and beside them clusters of SMs
 * (sm.clusters), within a domain. A domain is what has SMs, LLC slices and memory of its own: a
 * partition where chips have several, else the chip; domain d is part of chip d / partitions. SMs
 * are numbered through: those of a domain, of a node and of a cluster are contiguous.
 *
 * Values are SI. */
#ifndef BANDSCAPE_MACHINE_SYSTEM_H
#define BANDSCAPE_MACHINE_SYSTEM_H

#include "core/hash.h"
#include "machine/beside.h"
#include "machine/levels.h"
#include "machine/links.h"
#include "machine/machine.h"
#include "machine/translation.h"

struct plugin; /* core/plugin.h */

enum { DOMAINS_MAX = 64, SECTOR_LEAST = 32 /* bytes */ };

/* --- levels ------------------------------------------------------------------------ */

/* Near the memory that holds the line ("memory-side"), or near the SMs that ask ("SM-side"). */
enum level_side { SIDE_HOME, SIDE_REQUESTER, LEVEL_SIDES };
extern const char *const level_side_names[LEVEL_SIDES]; /* as machines write them */

/* Who shares one cache; group: the SMs of an L1 node. */
enum level_scope {
    PER_SM,
    PER_GROUP,
    PER_CLUSTER,
    PER_PARTITION,
    PER_CHIP,
    PER_SYSTEM,
    LEVEL_SCOPES
};
extern const char *const level_scope_names[LEVEL_SCOPES];

/* Which requests it may hold: by home, seen from the scope. */
enum level_filter { FILTER_ALL, FILTER_LOCAL, FILTER_REMOTE, LEVEL_FILTERS };
extern const char *const level_filter_names[LEVEL_FILTERS];

/* What a write does: goes on and leaves the line, goes on and drops it, or stays until the line
 * leaves. */
enum level_write { WRITE_THROUGH, WRITE_EVICT, WRITE_BACK };

/* What the end of a launch does with what is cached: nothing; dirty lines go home and leave; so do
 * lines that were written in the launch, wherever copies of them are; all lines leave. */
enum level_flush { FLUSH_NONE, FLUSH_DIRTY, FLUSH_STALE, FLUSH_ALL, FLUSH_COHERENCE };

struct system_level {
    const char *name; /* of its section: lives as long as the machine; between L1 and the LLC, with
                       * SYSTEM_STATIONS, as long as the system */
    enum level_scope scope;
    enum level_side side;
    enum level_filter filter;
    enum level_write write;
    enum level_flush flush; /* as the machine says; ask system_flush() */
    uint32_t caches;        /* of the system */
    uint64_t sets;          /* of one cache; 0: none, or its capacity is unknown */
    uint32_t ways;
    bool index_hashed;    /* L1: which set, see profile/caches/l1.h */
    uint32_t slices;      /* of one cache: a line has its place in one of them */
    bool slices_fixed;    /* by low bits of its number, not by a hash */
    uint32_t slice_lines; /* consecutive lines that one slice has then */
    bool perfect;         /* every read that looks it up hits */
    bool bypassed_remote; /* reads of lines of other domains do not look it up */
    bool split;           /* at home; some ways are for remote lines at the requester, before it */
    bool moves_share;     /* split: as many of them as balance links against memory */
    double latency_s;     /* a step (machine/latency.h); with SYSTEM_STATIONS */
    uint32_t mshrs; /* of one cache, of the LLC of a slice; behind L1, where `mshrs` of the system
                     * are. 0: it never stops. With SYSTEM_STATIONS */
};

/* L1, those between, the LLC. */
enum { SYSTEM_LEVELS_MAX = MACHINE_LEVELS_MAX + 2 };

/* --- stations ---------------------------------------------------------------------- */

/* What can be a bottleneck. X(symbol, name as answers print it, what it counts) */
#define STATION_KINDS(X)                                                                           \
    X(STATION_ISSUE, "issue", "issue slots of the SMs of a domain: warp instructions")             \
    X(STATION_L1, "l1", "lookups of the L1s of a domain, one an SM (l1.lookups): line accesses")   \
    X(STATION_NODES, "nodes", "data ports of the L1 nodes of a domain: line accesses")             \
    X(STATION_NOC1, "noc1", "the nodes' ports to the SMs, a direction: flits of their own")        \
    X(STATION_NOC2, "noc2", "the nodes' ports behind them, a direction: flits of their own")       \
    X(STATION_P2P, "p2p", "point-to-point links of a partition: bytes")                            \
    X(STATION_NOC, "noc",                                                                          \
      "crossbar of a chip: bytes of requests and, unless they have one of "                        \
      "their own, of replies")                                                                     \
    X(STATION_NOC_REPLY, "noc reply", "crossbar of a chip for replies (noc.directions separate)")  \
    X(STATION_LEVEL_0, "level", "a level before the LLC of a domain or chip: bytes")               \
    X(STATION_LEVEL_1, "level", "the next one")                                                    \
    X(STATION_LEVEL_2, "level", "the next one")                                                    \
    X(STATION_LEVEL_3, "level", "the next one")                                                    \
    X(STATION_LEVEL_4, "level", "the next one")                                                    \
    X(STATION_LEVEL_5, "level", "the next one")                                                    \
    X(STATION_LLC, "llc", "LLC slices of a domain: bytes")                                         \
    X(STATION_LLC_WRITE, "llc write",                                                              \
      "the way of what is written into LLC slices of a domain (llc.write_bandwidth): bytes")       \
    X(STATION_CROSSING, "crossing",                                                                \
      "into the LLC slices of a partition from others of its chip: bytes")                         \
    X(STATION_EDGE, "inter", "a directed edge of the link graph: bytes")                           \
    X(STATION_MEMORY, "memory", "memory channels of a domain: bytes")                              \
    X(STATION_WALKERS, "walkers", "walkers of a chip, or of the system: page walks at a time")     \
    X(STATION_BESIDE_0, "beside", "caches beside L1 of a domain (contents: scalar ...): bytes")    \
    X(STATION_BESIDE_1, "beside", "the next one")                                                  \
    X(STATION_BESIDE_2, "beside", "the next one")                                                  \
    X(STATION_DISPATCH, "dispatch", "what begins warps on the SMs of a domain: warps")

enum station_kind {
#define STATION_ENUM(symbol, name, help) symbol,
    STATION_KINDS(STATION_ENUM)
#undef STATION_ENUM
        STATION_KIND_COUNT
};
/* The station of the i-th level between L1 and the LLC (machine/levels.h). */
static inline enum station_kind station_of_level(int i)
{
    return (enum station_kind)(STATION_LEVEL_0 + i);
}
static inline bool station_is_level(enum station_kind kind)
{
    return kind >= STATION_LEVEL_0 && kind < STATION_LEVEL_0 + MACHINE_LEVELS_MAX;
}

/* The station of the i-th cache beside L1 (machine/beside.h). */
static inline enum station_kind station_of_beside(int i)
{
    return (enum station_kind)(STATION_BESIDE_0 + i);
}
static inline bool station_is_beside(enum station_kind kind)
{
    return kind >= STATION_BESIDE_0 && kind < STATION_BESIDE_0 + MACHINE_BESIDE_MAX;
}

struct station_row {
    const char *name, *help;
};
extern const struct station_row station_table[STATION_KIND_COUNT];

/* Capacities are those of all units of a station; requests go to a unit by address, those of a
 * level and of a crossbar by the SM that asks. Whatever depends on a parameter also says which, so
 * that a model can make a term of it. */
struct station {
    enum station_kind kind;
    uint32_t place;   /* its domain; its chip (crossbars, levels of a chip); the edge's number */
    uint32_t units;   /* SMs, nodes, caches, ports, slices, channels; 1 of an edge */
    double rate;      /* all units together, a second: bytes, or what the kind counts */
    const char *path; /* rate = share * efficiency * that parameter; NULL: a listed edge's own */
    double share;
    double efficiency;   /* what head-of-line blocking leaves; else 1 */
    const char *latency; /* parameter: what a pass takes beside its transfer; NULL: nothing, or a
                          * listed edge's own */
    double latency_s;    /* the same in seconds, as a step (machine/latency.h) */
    bool per_chip;       /* place is a chip though chips may have several domains */
    bool per_system;     /* there is one, place 0 */
};

/* Bytes of messages on a network, beside the data that they carry. A message of x bytes takes
 * ceil(overhead x / flit) flits; without flits overhead x bytes. */
struct message_sizes {
    double flit_bytes; /* 0: raw bytes */
    double overhead;
    double read_request_bytes, read_response_bytes, write_request_bytes, write_response_bytes;
};
double message_bytes(const struct message_sizes *sizes, double bytes);

/* --- the system -------------------------------------------------------------------- */

enum warp_order { WARPS_LRR, WARPS_GTO, WARPS_GRR };

/* Whether the requester's partition keeps copies of remote read-only lines: never, always, or as a
 * model decides launch by launch. */
enum replication { REPLICATION_NONE, REPLICATION_FULL, REPLICATION_DECIDED };

struct system {
    /* Scopes. */
    uint32_t chips, partitions, domains; /* partitions: of a chip; domains: of the system */
    uint32_t sms_per_chip, sms_per_domain, sms;
    uint32_t clusters;              /* of SMs, in the system; 0: unknown */
    uint32_t l1_nodes, l1_clusters; /* of the system */
    bool l1_by_slice;               /* a line's node in its cluster (machine_l1_home) */

    uint32_t line_bytes;  /* a power of two, at least a sector, where streams are profiled */
    uint32_t sectors;     /* of a line that are fetched separately */
    uint32_t sector_bits; /* of a mask with a bit for SECTOR_LEAST bytes of a line, a sector */
    double request_bytes; /* what a request moves: a line or sector */

    /* SMs: what one holds, how its warps take turns. */
    uint32_t warps, threads, ctas;
    enum warp_order order;
    uint32_t ahead;             /* most of warp_access.ahead; 0: as streams have it */
    uint32_t stall;             /* rounds that a warp sits out after a miss (gto, grr) */
    double outstanding;         /* memory instructions of a warp under way */
    double mshrs, write_buffer; /* requests in flight, of an SM */
    double bypass_buffer;       /* the same, of reads past L1 */

    /* From the SMs towards memory: L1, those between (smaller scopes first, then as the machine
     * lists them), the LLC. */
    struct system_level levels[SYSTEM_LEVELS_MAX];
    uint32_t n_levels;

    struct system_translation translation; /* TLBs, page walks */
    struct system_beside beside;           /* caches of scalars, constants, textures */

    bool point_to_point; /* links in the place of crossbars within a partition */
    bool crossing;       /* between the slices of a chip's partitions, with latency and rate */
    bool asks_home;      /* what an LLC at the requester misses of another partition of the chip
                          * asks that one's slices, which keep it too */

    /* Policies. Plug-ins of the kinds "placement" and "schedule". */
    bool flush_at_kernels; /* software coherence: what is cached at the requester, too */
    bool awaits_writes;    /* warps end when their writes are acknowledged */
    bool fetches_partial;  /* a write of a part of a sector fetches the rest of it, if it misses */
    bool shared_misses;    /* of an LLC at the requester cross the crossbars of requests */
    enum replication replication;
    double invalidation_bytes; /* a message of hardware coherence; with SYSTEM_STATIONS */
    const struct plugin *placement, *schedule;
    uint64_t page_bytes, interleave_bytes; /* 0: unknown */
    double page_threshold;
    uint32_t page_move_after; /* 0: unknown */
    bool ties_by_waits;       /* who is first in a round (profile/issue/order.h) */
    const char *cta_scope;    /* lives as long as the machine */
    uint32_t cta_batch;
    uint32_t cta_chips;  /* the first chips, on which launches run; 0: all */
    bool no_local;       /* accesses to local memory are left out (trace.local) */
    bool cta_start_next; /* a launch begins on the SM behind the last that took a block */

    /* With SYSTEM_STATIONS. */
    struct {
        struct station *items;
        size_t count, capacity;
    } stations;                           /* ordered by kind, then place */
    size_t first[STATION_KIND_COUNT + 1]; /* of a kind; its places are 0, 1, ... without gaps */
    struct link_graph links;
    double *routes; /* [(from * chips + to) * edges + edge]: share of these messages */
    struct message_sizes inter, noc;
    double node_flit_bytes, node_latency_s; /* of the ports of L1 nodes; there and back */
    double crossing_latency_s;              /* a way */
    /* Packets of replies between chips to reads past L1: pieces in one, 0: replies have lines;
     * bytes of a piece, of one with what says whose it is, of what goes with a packet; how long one
     * waits to be full. */
    struct {
        uint32_t pieces;
        double piece_bytes, each_bytes, header_bytes, timeout_s;
    } packets;
    double l1_latency_s, clock_hz;
    double turnaround_s;      /* of a memory channel's bus, reads to writes or back; 0: none */
    double write_batch_bytes; /* of the writes that a channel serves between two turns */
    double launch_s;          /* what a launch takes beside its work */
    double dependent_s;       /* from an instruction of a warp to its next one */
    double turnover_s;        /* from the end of a block to the begin of the next in its place */
    struct arena *texts;      /* paths */
};

/* What is compiled beside scopes, sides and filters: what forms the stream of requests, with all
 * that a pass over it needs; what serves it. Either refuses machines that do not say enough, by the
 * name of the parameter. */
enum system_part { SYSTEM_STREAM = 1, SYSTEM_STATIONS = 2 };

/* system_fini is needed after SYSTEM_STATIONS, also where it failed. */
int system_compile(struct system *system, const struct machine *machine, unsigned parts,
                   struct error *error);
void system_fini(struct system *system);

static inline const struct system_level *system_l1(const struct system *system)
{
    return &system->levels[0];
}
static inline const struct system_level *system_llc(const struct system *system)
{
    return &system->levels[system->n_levels - 1];
}
/* Levels between them, and the i-th of these. */
static inline uint32_t system_between(const struct system *system)
{
    return system->n_levels - 2;
}
static inline const struct system_level *system_level(const struct system *system, uint32_t i)
{
    return &system->levels[1 + i];
}

/* What the end of a launch does with that level where it stands on a side: as the machine says
 * (its `flush`), or what coherence needs. Nothing at the home. At the requester nothing under
 * hardware coherence; under software coherence levels before the LLC are emptied, as GPUs do
 * with L1 and MCM-GPU does with its L1.5 (ISCA 2017), and of an LLC goes what would be wrong in the
 * next launch: SAC (ISCA 2023) has flushes "write back dirty" lines and says nothing of clean ones,
 * of which only those are stale that somebody wrote. L1 is emptied under any coherence. */
enum level_flush system_flush(const struct system *system, const struct system_level *level,
                              enum level_side side);

static inline uint32_t system_domain(const struct system *system, uint32_t sm)
{
    return sm / system->sms_per_domain;
}
static inline uint32_t system_chip(const struct system *system, uint32_t domain)
{
    return domain / system->partitions;
}
/* Whether lines of domain b reach domain a over the crossing of their chip. */
static inline bool system_crosses(const struct system *system, uint32_t a, uint32_t b)
{
    return system->crossing && a != b && system_chip(system, a) == system_chip(system, b);
}

/* Whether what is written to the LLC goes to memory at once, where it stands on a side. */
static inline bool system_writes_through(const struct system_level *llc, enum level_side side)
{
    return llc->write == WRITE_THROUGH && side == SIDE_HOME && !llc->split;
}

/* The slice of a line, by low bits (slices_fixed) or by its hash, hash_fmix64(line). */
static inline uint32_t system_slice(const struct system_level *level, uint64_t line, uint64_t hash)
{
    return level->slices_fixed ? (uint32_t)(line / level->slice_lines % level->slices)
                               : hash_reduce(hash, level->slices);
}

/* Sectors as the machine has them, from a coalesced line's mask. */
static inline uint32_t system_sectors(const struct system *system, uint32_t mask)
{
    uint32_t sectors = 0, bits = system->sector_bits;
    if (system->sectors == 1)
        return 1;
    if (bits == 1)
        return mask;
    for (uint32_t s = 0; s < system->sectors; s++)
        sectors |= (uint32_t)((mask >> (s * bits) & ((1ULL << bits) - 1)) != 0) << s;
    return sectors;
}

/* The station, or NULL when the machine has none of that kind there. */
const struct station *system_station(const struct system *system, enum station_kind kind,
                                     uint32_t place);
/* The place of a kind that serves a domain: the domain, or its chip. */
uint32_t system_place(const struct system *system, enum station_kind kind, uint32_t domain);
/* Its name as answers print it: of a level, its section's. */
const char *system_station_name(const struct system *system, enum station_kind kind);

static inline const double *system_route(const struct system *system, uint32_t from_chip,
                                         uint32_t to_chip)
{
    return system->routes +
           ((size_t)from_chip * system->chips + to_chip) * system->links.edges.count;
}

#endif
