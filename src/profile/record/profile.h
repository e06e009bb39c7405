/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workload profiles: what the models read. A profile holds views (one per
 * machine structure), a view holds one record per launch or group of launches,
 * a record holds fields (scalars), a traffic matrix and curves. */
#ifndef BANDSCAPE_PROFILE_PROFILE_H
#define BANDSCAPE_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/file_form.h"
#include "core/memory.h"
#include "core/unit.h"
#include "machine/beside.h"
#include "machine/levels.h"
#include "machine/translation.h"
#include "profile/field.h"
#include "profile/record/curve.h"
#include "profile/record/interval.h"
#include "trace/stream.h"

struct profile_view;
/* True where the part was asked for and none of its fields is known. A part without fields of its
 * own is not empty. */
bool profile_part_is_empty(const struct profile_view *view, enum profile_part_index part);

/* What is counted of a level between L1 and the LLC, of a TLB, or of a cache beside L1, the i-th of
 * its record: profile_record.levels says its name, which stands before the dot in its stead. */
#define PROFILE_LEVEL(X, i)                                                                        \
    X(FIELD_LEVEL_##i, "LEVEL.lookups", PLAIN, SUM, BASE, "requests that look up that level")      \
    X(FIELD_LEVEL_##i##_HITS, "LEVEL.hits", PLAIN, SUM, BASE, "of these, hits")                    \
    X(FIELD_LEVEL_##i##_WRITEBACKS, "LEVEL.writebacks", PLAIN, SUM, BASE,                          \
      "requests that take dirty data home")                                                        \
    X(FIELD_LEVEL_##i##_MERGES, "LEVEL.merges", PLAIN, SUM, WAITS,                                 \
      "of the hits of a TLB, those that wait for a translation under way, by the clocks of warps") \
    X(FIELD_LEVEL_##i##_CHAIN, "LEVEL.chain", PLAIN, SUM, WAITS,                                   \
      "waits in the chain, for L1 alone too, that are for what is behind that TLB; of a cache "    \
      "beside L1, waits for what is behind it")                                                    \
    X(FIELD_LEVEL_##i##_CHAIN_BOTH, "LEVEL.chain_both", PLAIN, SUM, WAITS,                         \
      "waits in the chain for what is behind a cache beside L1, and behind L1 as well")            \
    X(FIELD_LEVEL_##i##_CHAIN_HITS, "LEVEL.chain_hits", PLAIN, SUM, WAITS,                         \
      "of chain.hits, those for hits in a cache beside L1")                                        \
    X(FIELD_LEVEL_##i##_CHAIN_HITS_BOTH, "LEVEL.chain_hits_both", PLAIN, SUM, WAITS,               \
      "of chain.hits, those for hits in a cache beside L1, and in L1 as well")

/* X(symbol, path in the file, dimension (PLAIN, BYTES or SECONDS), kind, part, help): what every
 * profile has. An unknown field is NaN. */
#define PROFILE_FIELDS(X)                                                                          \
    X(FIELD_CTAS, "ctas", PLAIN, SUM, BASE, "thread blocks")                                       \
    X(FIELD_WARP_INSTRUCTIONS, "warp_instructions", PLAIN, SUM, BASE, "warp instructions issued")  \
    X(FIELD_WARP_ACCESSES, "warp_accesses", PLAIN, SUM, BASE,                                      \
      "warp instructions that access global memory")                                               \
    X(FIELD_LANE_ACCESSES, "lane_accesses", PLAIN, SUM, BASE, "accesses of single lanes")          \
    X(FIELD_LANE_BYTES, "lane_bytes", BYTES, SUM, BASE, "bytes that lanes ask for")                \
    X(FIELD_LOCAL_BYTES, "local_bytes", BYTES, SUM, BASE,                                          \
      "of these, to local memory: what threads have for themselves")                               \
    X(FIELD_BULK_BYTES, "bulk_bytes", BYTES, SUM, BASE,                                            \
      "of these, by bulk copies (TMA) between memory and shared memory")                           \
    X(FIELD_LINE_ACCESSES, "line_accesses", PLAIN, SUM, BASE,                                      \
      "lines after coalescing, that ask L1")                                                       \
    X(FIELD_SECTOR_ACCESSES, "sector_accesses", PLAIN, SUM, BASE,                                  \
      "32-byte sectors after coalescing, that ask L1")                                             \
    X(FIELD_WRITTEN_SECTORS, "written_sectors", PLAIN, SUM, BASE,                                  \
      "of these, sectors of writes and atomics")                                                   \
    X(FIELD_REMOTE_LINE_ACCESSES, "remote_line_accesses", PLAIN, SUM, BASE,                        \
      "line accesses whose home is another domain, that ask L1")                                   \
    X(FIELD_L1_READS, "l1_reads", PLAIN, SUM, BASE, "line reads that look up L1")                  \
    X(FIELD_L1_READ_HITS, "l1_read_hits", PLAIN, SUM, BASE, "of these, hits")                      \
    X(FIELD_SCALAR_READS, "scalar_reads", PLAIN, SUM, BASE,                                        \
      "line reads of scalars, which L1 serves or a cache beside it (contents: scalar)")            \
    X(FIELD_CONSTANT_READS, "constant_reads", PLAIN, SUM, BASE, "the same, of constants")          \
    X(FIELD_TEXTURE_READS, "texture_reads", PLAIN, SUM, BASE, "the same, of textures")             \
    X(FIELD_LOADS, "loads", PLAIN, SUM, BASE,                                                      \
      "warp accesses whose values somebody may wait for: reads and atomics")                       \
    X(FIELD_LOAD_GROUPS, "load_groups", PLAIN, SUM, BASE,                                          \
      "groups of these that a warp asks for before it needs one of their values")                  \
    X(FIELD_WAITS, "waits", PLAIN, SUM, WAITS,                                                     \
      "times that a warp waits for data behind L1, or for lines on their way there")               \
    X(FIELD_WAITS_SHARED, "waits_shared", PLAIN, SUM, WAITS,                                       \
      "of these, those for a line, too, that another warp of its L1 has asked for")                \
    X(FIELD_AWAITED, "awaited", PLAIN, SUM, WAITS,                                                 \
      "warp accesses that it waits for then; several at a time, which need not each other")        \
    X(FIELD_WAITS_ASSUMED, "waits_assumed", PLAIN, SUM, WAITS,                                     \
      "warp accesses that are taken to need the loads before them, since nothing says it")         \
    X(FIELD_CHAIN_WAITS, "chain.waits", PLAIN, SUM, WAITS,                                         \
      "waits that stand one behind another, in the longest chain of the launch")                   \
    X(FIELD_CHAIN_AWAITED, "chain.awaited", PLAIN, SUM, WAITS,                                     \
      "warp accesses that the waits in that chain are for")                                        \
    X(FIELD_CHAIN_REMOTE, "chain.remote", PLAIN, SUM, WAITS,                                       \
      "of the waits in that chain, those for a remote line")                                       \
    X(FIELD_CHAIN_REQUESTS, "chain.requests", PLAIN, SUM, WAITS,                                   \
      "requests of the domain whose warps have that chain, in the launch")                         \
    X(FIELD_CHAIN_REMOTE_REQUESTS, "chain.remote_requests", PLAIN, SUM, WAITS,                     \
      "of these, remote ones")                                                                     \
    X(FIELD_CHAIN_WRITES, "chain.writes", PLAIN, SUM, WAITS,                                       \
      "of the waits in that chain, those for writes that end a warp (cta.writes)")                 \
    X(FIELD_CHAIN_ENDS_WRITE, "chain.ends_write", PLAIN, SUM, WAITS,                               \
      "1 where a write stands behind the last wait in that chain (posted ones)")                   \
    X(FIELD_CHAIN_ENDS_REMOTE, "chain.ends_remote", PLAIN, SUM, WAITS,                             \
      "of these, to a remote line")                                                                \
    X(FIELD_BEHIND_WRITE, "warps_behind_write", PLAIN, SUM, WAITS,                                 \
      "warps of thread blocks behind the last one that ends with a write (posted ones)")           \
    X(FIELD_CHAIN_HITS, "chain.hits", PLAIN, SUM, WAITS, "waits in that chain for L1 only")        \
    X(FIELD_CHAIN_INSTRUCTIONS, "chain.instructions", PLAIN, SUM, WAITS,                           \
      "warp instructions in that chain")                                                           \
    X(FIELD_CHAIN_STEPS, "chain.steps", PLAIN, SUM, WAITS,                                         \
      "of these, those that have one of their warp before them, since its access before")          \
    X(FIELD_CHAIN_LAST, "chain.last_instructions", PLAIN, SUM, WAITS,                              \
      "of the instructions in that chain, those behind its last wait")                             \
    X(FIELD_CHAIN_THINK, "chain.think", PLAIN, SUM, WAITS,                                         \
      "cycles that warps of that chain work beside issue, as traces say (think)")                  \
    X(FIELD_CHAIN_LAST_THINK, "chain.last_think", PLAIN, SUM, WAITS,                               \
      "of these cycles, those behind its last wait")                                               \
    X(FIELD_ISSUE_UNIFORMITY, "issue_uniformity", PLAIN, UNIFORMITY, BASE,                         \
      "mean over maximum of the warp instructions that SMs issue")                                 \
    X(FIELD_FOLLOWERS_MEMORY_SIDE, "followers.memory-side", PLAIN, SUM, WAITS,                     \
      "reads behind L1 whose line another one is under way for, to the home")                      \
    X(FIELD_FOLLOWERS_HOME_REMOTE, "followers.memory-side-remote", PLAIN, SUM, WAITS,              \
      "of these, those whose line is remote")                                                      \
    X(FIELD_FOLLOWERS_SM_SIDE, "followers.sm-side", PLAIN, SUM, WAITS,                             \
      "the same, to the requester's domain")                                                       \
    X(FIELD_FOLLOWERS_REMOTE, "followers.sm-side-remote", PLAIN, SUM, WAITS,                       \
      "of these, those whose line is remote")                                                      \
    X(FIELD_GROUPS, "groups.all", PLAIN, SUM, WAITS,                                               \
      "reads and atomics behind L1 that a warp makes together count once")                         \
    X(FIELD_GROUPS_REMOTE, "groups.remote", PLAIN, SUM, WAITS,                                     \
      "of these, those with a remote line")                                                        \
    X(FIELD_L1_REMOTE_READS, "l1_remote_reads", PLAIN, SUM, BASE,                                  \
      "line reads of remote lines that look up L1")                                                \
    X(FIELD_L1_REMOTE_READ_HITS, "l1_remote_read_hits", PLAIN, SUM, BASE, "of these, hits")        \
    X(FIELD_L1_MISSES_ELSEWHERE, "l1_misses_elsewhere", PLAIN, SUM, BASE,                          \
      "L1 read misses whose line is in another L1")                                                \
    X(FIELD_L1_COPIES, "l1_copies", PLAIN, MEAN, BASE,                                             \
      "L1s that hold a line which any holds, mean at misses")                                      \
    X(FIELD_L1_UNIFORMITY, "l1_uniformity", PLAIN, UNIFORMITY, BASE,                               \
      "mean over maximum of the accesses that pass the L1 nodes")                                  \
    X(FIELD_REQUESTS, "requests", PLAIN, SUM, BASE,                                                \
      "L1 read misses, writes and atomics, in lines (sectors where lines have them)")              \
    X(FIELD_READS, "reads", PLAIN, SUM, BASE, "requests that read")                                \
    X(FIELD_WRITES, "writes", PLAIN, SUM, BASE, "requests that write")                             \
    X(FIELD_ATOMICS, "atomics", PLAIN, SUM, BASE, "atomic requests")                               \
    X(FIELD_BYTES, "bytes", BYTES, SUM, BASE, "requests times line (or sector)")                   \
    PROFILE_LEVEL(X, 0)                                                                            \
    PROFILE_LEVEL(X, 1)                                                                            \
    PROFILE_LEVEL(X, 2)                                                                            \
    PROFILE_LEVEL(X, 3)                                                                            \
    PROFILE_LEVEL(X, 4)                                                                            \
    PROFILE_LEVEL(X, 5)                                                                            \
    PROFILE_LEVEL(X, 6)                                                                            \
    PROFILE_LEVEL(X, 7)                                                                            \
    PROFILE_LEVEL(X, 8)                                                                            \
    PROFILE_LEVEL(X, 9)                                                                            \
    PROFILE_LEVEL(X, 10)                                                                           \
    PROFILE_LEVEL(X, 11)                                                                           \
    PROFILE_LEVEL(X, 12)                                                                           \
    X(FIELD_WALKS_REMOTE, "remote_walks", PLAIN, SUM, BASE,                                        \
      "page walks whose tables another domain has")                                                \
    X(FIELD_HOME_REQUESTS, "home_requests", PLAIN, SUM, BASE,                                      \
      "requests that reach the home's LLC, write-backs too")                                       \
    X(FIELD_HOME_READS, "home_reads", PLAIN, SUM, BASE, "of these, reads")                         \
    X(FIELD_HOME_REMOTE_REQUESTS, "home_remote_requests", PLAIN, SUM, BASE,                        \
      "requests that reach the home's LLC from another domain, write-backs too")                   \
    X(FIELD_HOME_REMOTE_READS, "home_remote_reads", PLAIN, SUM, BASE, "of these, reads")           \
    X(FIELD_PAGE_MOVES, "page_moves", PLAIN, SUM, BASE,                                            \
      "pages that went to another home, or copies of pages that were made")                        \
    X(FIELD_LINES, "lines", PLAIN, LAST, BASE, "distinct lines touched in the launch, before L1")  \
    X(FIELD_WRITTEN, "written", BYTES, LAST, BASE,                                                 \
      "distinct lines written in the launch: what its end may have to write back, at most")        \
    X(FIELD_READ_ONLY_SHARED, "read_only_shared", BYTES, LAST, BASE,                               \
      "lines that several domains touch and nobody writes in the launch")                          \
    X(FIELD_CTA_SHARED_LINES, "cta_shared_lines", PLAIN, LAST, CTA_SHARING,                        \
      "of the lines, touched by two or more thread blocks")                                        \
    X(FIELD_CTA_LINE_PAIRS, "cta_line_pairs", PLAIN, LAST, CTA_SHARING,                            \
      "pairs of a line and a thread block that touches it")                                        \
    X(FIELD_INVALIDATIONS, "invalidations", PLAIN, SUM, BASE,                                      \
      "copies in other domains that writes find, of caches that evict nothing; known under "       \
      "hardware coherence")                                                                        \
    X(FIELD_R_LOCAL, "r_local", PLAIN, RATIO, BASE,                                                \
      "share of requests whose home is the requester's")                                           \
    X(FIELD_REPLICABLE, "replicable", PLAIN, SUM, REPLICATION,                                     \
      "remote read requests to lines that nobody writes in the launch")                            \
    X(FIELD_LSU_MEMORY_SIDE, "lsu.memory-side", PLAIN, UNIFORMITY, BASE,                           \
      "slice uniformity, slices of the home")                                                      \
    X(FIELD_LSU_SM_SIDE, "lsu.sm-side", PLAIN, UNIFORMITY, BASE,                                   \
      "slice uniformity, slices of the requester")                                                 \
    X(FIELD_MOMENTARY_HOME_SLICES, "momentary.slices-memory-side", PLAIN, UNIFORMITY, BASE,        \
      "slice uniformity of what resident warps can have under way together, slices of the home")   \
    X(FIELD_MOMENTARY_OWN_SLICES, "momentary.slices-sm-side", PLAIN, UNIFORMITY, BASE,             \
      "the same, slices of the requester")                                                         \
    X(FIELD_MOMENTARY_MEMORY, "momentary.memory", PLAIN, UNIFORMITY, BASE,                         \
      "the same of domains whose lines are asked for, each line once")                             \
    X(FIELD_MOMENTARY_LINKS, "momentary.links-memory-side", PLAIN, UNIFORMITY, BASE,               \
      "the same of chips that are asked by others")                                                \
    X(FIELD_MOMENTARY_FETCHES, "momentary.links-sm-side", PLAIN, UNIFORMITY, BASE,                 \
      "the same of chips whose lines are asked for, each line once")                               \
    X(FIELD_LLC_HIT_MEMORY_SIDE, "llc_hit.memory-side", PLAIN, RATIO, BASE,                        \
      "hit rate, where no curve stands")                                                           \
    X(FIELD_LLC_HIT_SM_SIDE, "llc_hit.sm-side", PLAIN, RATIO, BASE,                                \
      "hit rate, where no curve stands")                                                           \
    X(FIELD_LINE_USE, "remote.line_use", PLAIN, RATIO, LOCALITY,                                   \
      "share of a fetched remote line that is used while it is in L1")

/* Behind these stand the fields of samplers (profile/sampler.h), and behind those what a real GPU
 * counted. */
#define PROFILE_MEASURED_FIELDS(X)                                                                 \
    X(FIELD_MEASURED_TIME, "measured.time", SECONDS, SUM, BASE, "time on a real GPU")              \
    X(FIELD_L1_HIT_RATE, "measured.l1_hit", PLAIN, RATIO, BASE, "L1 hit rate, in sectors")         \
    X(FIELD_L1_LOAD_HIT_RATE, "measured.l1_load_hit", PLAIN, RATIO, BASE,                          \
      "the same of global loads")                                                                  \
    X(FIELD_L1_STORE_HIT_RATE, "measured.l1_store_hit", PLAIN, RATIO, BASE,                        \
      "the same of global stores")                                                                 \
    X(FIELD_LOAD_REQUESTS, "measured.load_requests", PLAIN, SUM, BASE, "global loads of warps")    \
    X(FIELD_LOAD_SECTORS, "measured.load_sectors", PLAIN, SUM, BASE, "their 32-byte sectors")      \
    X(FIELD_STORE_REQUESTS, "measured.store_requests", PLAIN, SUM, BASE, "global stores of warps") \
    X(FIELD_STORE_SECTORS, "measured.store_sectors", PLAIN, SUM, BASE, "their 32-byte sectors")    \
    X(FIELD_TRAFFIC_DEVICE, "measured.device_bytes", BYTES, SUM, BASE,                             \
      "LLC accesses to the GPU's own memory")                                                      \
    X(FIELD_TRAFFIC_PEER, "measured.peer_bytes", BYTES, SUM, BASE,                                 \
      "LLC accesses to another GPU's memory")                                                      \
    X(FIELD_TRAFFIC_SYSTEM, "measured.system_bytes", BYTES, SUM, BASE,                             \
      "LLC accesses to the host's memory")                                                         \
    X(FIELD_FABRIC_BYTES, "measured.fabric_bytes", BYTES, SUM, BASE,                               \
      "LLC accesses from the LLC's other part")                                                    \
    X(FIELD_DRAM_READ, "measured.dram_read", BYTES, SUM, BASE, "bytes read from memory")           \
    X(FIELD_DRAM_WRITTEN, "measured.dram_written", BYTES, SUM, BASE, "bytes written to memory")

/* Of all samplers together. */
enum { FIELDS_SAMPLED_MAX = 64 };

enum profile_field {
#define PROFILE_ENUM(symbol, path, dim, kind, part, help) symbol,
    PROFILE_FIELDS(PROFILE_ENUM) FIELD_SAMPLED,
    FIELD_SAMPLED_LAST = FIELD_SAMPLED + FIELDS_SAMPLED_MAX - 1,
    PROFILE_MEASURED_FIELDS(PROFILE_ENUM)
#undef PROFILE_ENUM
        FIELD_COUNT
};

/* Levels that a record may have, those before the LLC, then TLBs, then caches beside L1, and what
 * is counted of each: of TLBs lookups, hits, merges and those in the chain; of caches beside L1
 * lookups (line reads), hits, and those in the chain. */
enum { LEVELS_MAX = MACHINE_LEVELS_MAX + MACHINE_TLBS_MAX + MACHINE_BESIDE_MAX };
enum profile_level_count {
    LEVEL_LOOKUPS,
    LEVEL_HITS,
    LEVEL_WRITEBACKS,
    LEVEL_MERGES,
    LEVEL_CHAIN,
    LEVEL_CHAIN_BOTH,
    LEVEL_CHAIN_HITS,
    LEVEL_CHAIN_HITS_BOTH,
    LEVEL_COUNTS
};
static inline enum profile_field profile_level_field(int level, enum profile_level_count count)
{
    return (enum profile_field)(FIELD_LEVEL_0 + level * LEVEL_COUNTS + (int)count);
}
static inline bool profile_field_is_of_level(int field)
{
    return field >= FIELD_LEVEL_0 && field < FIELD_LEVEL_0 + LEVELS_MAX * LEVEL_COUNTS;
}

/* The row of a field; of a place for samplers' fields that none of them takes, one without a path.
 */
const struct profile_field_row *profile_field_row(int field);
bool profile_field_exists(int field);

/* The field of that path, or -1; of a level, use profile_record_level. */
int profile_field_find(const char *path);

/* The samplers in the order of their fields, and where the fields of each begin; NULL behind the
 * last. */
struct sampler;
const struct sampler *profile_sampler(size_t i, int *first_field);

/* An error where samplers do not fit together: two fields of one path, a path without a group,
 * more fields than there is room for. Such a sampler has no fields. */
int profile_fields_check(struct error *error);

/* What is told apart of a curve, in the same cache. Where it has no reads all requests are reads,
 * or it is unknown; where it has no fetches, they are the reads. The last three are of dirty data
 * (profile/curves/writebacks.h): a cache of C lines writes home, in a launch, the misses at C of
 * what is evicted without those of `evicted_before`, and it is left with the hits of `dirty`. */
#define PROFILE_CURVE_PARTS(X)                                                                     \
    X(CURVE_READS, "reads", "the reads among the requests")                                        \
    X(CURVE_FETCHES, "fetches", "those that want the line's data: reads, atomics")                 \
    X(CURVE_OLD, "old", "those whose line was last asked for in an earlier launch")                \
    X(CURVE_OLD_WANTED, "old_wanted", "of these, those that want data")                            \
    X(CURVE_REMOTE, "remote", "of those that want data, those for lines of other domains")         \
    X(CURVE_EVICTED, "evicted", "dirty data that leave")                                           \
    X(CURVE_BEFORE, "evicted_before", "of these, those that had left in an earlier launch")        \
    X(CURVE_DIRTY, "dirty", "what the launch leaves dirty")

enum profile_curve_part {
#define PROFILE_CURVE_PART(symbol, name, help) symbol,
    PROFILE_CURVE_PARTS(PROFILE_CURVE_PART)
#undef PROFILE_CURVE_PART
        CURVE_PARTS
};
extern const char *const profile_curve_part_names[CURVE_PARTS];

/* One merged, request-weighted curve of a (scope, side, filter); the names are
 * those of profile/curves/distances.h. */
struct profile_curve {
    const char *scope;  /* "chip" */
    const char *side;   /* "requester" or "home" */
    const char *filter; /* "all" */
    struct curve curve;
    struct curve parts[CURVE_PARTS];
    unsigned has; /* set of 1 << enum profile_curve_part: of others there are none */
    uint64_t *domain_requests, *domain_cold; /* one a unit of the scope */
    size_t n_domains;
    /* Of a sample of the lines: how far misses at a capacity may be off, and write-backs (those of
     * the end's flush too). */
    struct interval misses_interval, written_interval;
    /* Of launches that were skimmed: likewise, beside that. */
    struct interval misses_skimmed, written_skimmed;
};

/* Accesses to one allocation in one launch. */
struct profile_allocation {
    const char *name;
    uint64_t base, bytes;
    uint64_t lane_reads, lane_writes, lane_atomics;
};

struct profile_record {
    const char *name; /* of the kernel; "" for a hand-made profile */
    uint32_t grid[3], block[3];
    uint64_t launches;              /* how many are in this record */
    uint64_t launches_repeated;     /* of these, those that were not gone through: what they
                                     * repeat was counted again (run/repeats.h) */
    const char *levels[LEVELS_MAX]; /* names, from the SMs towards memory; NULL: no more */
    double fields[FIELD_COUNT];
    double *traffic; /* n_domains x n_domains requests, [requester * n + home]; NULL unknown */
    size_t n_domains;
    struct profile_curve *curves;
    size_t n_curves;
    struct profile_allocation *allocations;
    size_t n_allocations;
    /* Beginnings of the launches (run/profiler.h), the shortest first, up to one that is all of
     * them. They have fields and curves only. 0: not asked for. */
    struct profile_record *prefixes;
    size_t n_prefixes;
};

/* The number of the record's level of that name, or -1. */
int profile_record_level(const struct profile_record *record, const char *name);
/* The field's path in that record: "l15.hits". */
const char *profile_field_path(const struct profile_record *record, int field, char *buffer,
                               size_t size);

/* Sharing over the run between domains, on the stream before L1 (SAC, section 3). */
struct profile_sharing {
    double footprint_bytes, truly_shared_bytes, falsely_shared_bytes, non_shared_bytes;
    double read_only_shared_bytes; /* truly shared and never written in the run */
    double pages;
    double pages_by_sms[4]; /* touched by 1, 2-10, 11-25, 26 and more SMs (NUBA) */
    double page_balance;    /* NPB: mean over maximum of the pages of a domain */
};

/* Means over windows of so many line accesses before L1. */
struct profile_working_set {
    double accesses, windows;
    double truly_shared_bytes, falsely_shared_bytes, non_shared_bytes;
};

struct profile_key {
    const char *path, *value;
};

struct profile_view {
    struct profile_key *keys; /* structural parameters; empty: fits any machine */
    size_t n_keys;
    struct profile_record *records;
    size_t n_records;
    struct profile_sharing sharing; /* NaN: unknown */
    struct profile_working_set *working_sets;
    size_t n_working_sets;
    double line_bytes;     /* NaN: unknown */
    unsigned parts;        /* set of enum profile_part */
    double sample_rate;    /* of lines whose distances were taken; 1: all of them */
    double settled_within; /* where launches were repeated (launches_repeated): the share by which
                            * counts of those that stand for them differed at most from the time
                            * before; where they lie between others (run/trends.h), by which the
                            * run's may be off, and so where a part of them was skimmed
                            * (run/stretches.h); 0: every launch was gone through */
    double skimmed;        /* of the accesses, as a share: read, and neither made nor counted */
    double requests_within; /* by how much, for that, their number may be off, as a share */
    bool goes_on;          /* part of a run: its last launch leaves what is dirty to others */
};

/* What a profile's views may use beside its arena, until it is destroyed. */
struct profile_held {
    void (*release)(struct profile_held *held);
};

struct profile {
    struct arena *arena;
    const char *path;         /* where it was read; NULL: made here */
    const char *name;         /* of the workload */
    const char *source;       /* spec that reopens it; NULL: hand-made */
    const char *source_hash;  /* NULL: hand-made */
    const char *version;      /* of the profiler */
    const char *interleaving; /* "gto", "lrr", "recorded" */
    const char *notes;        /* what a reader should know of its origin; NULL: nothing */
    const char **warnings;    /* of the source: what its trace lacks */
    size_t n_warnings;
    struct profile_view *views;
    size_t n_views;
    struct {
        struct profile_held **items;
        size_t count, capacity;
    } held;
};

/* What a file may say beside fields; ends with name NULL. */
extern const struct file_form profile_forms[];

struct profile *profile_create(void);
void profile_destroy(struct profile *profile);
/* Releases it with the profile. */
void profile_hold(struct profile *profile, struct profile_held *held);

/* A profile of one point, given by hand as under `point:` of a profile file. */
struct yaml_node;
int profile_read_point(const struct yaml_node *map, struct profile **out, struct error *error);

/* What the profile says, as YAML; deterministic. In a file it stands between a first line and three
 * dots with a checksum, by which profile_load knows a file that was cut. */
void profile_print(const struct profile *profile, struct text *out);
void profile_print_file(const struct profile *profile, struct text *out);
int profile_write(const struct profile *profile, const char *path, struct error *error);

/* The view that fits the machine. If none does: an error that names the
 * parameter that differs and the views present. */
int profile_view_find(const struct profile *profile, const struct machine *machine,
                      const struct profile_view **out, struct error *error);

/* Takes from a view what belongs to other parts than those. */
void profile_view_restrict(struct profile_view *view, unsigned parts);

/* What hit rates of a view of sampled lines may be off by: half of the interval that holds a miss
 * ratio of the run with 95 %, in the mean over capacities from 10/R lines, below which the sample
 * knows nothing, up to where the curves are flat, 4 an octave; of memory-side and SM-side caches
 * the larger. 0: all lines were taken. */
double profile_view_error(const struct profile_view *view);

/* Counts have settled where none differs by more than this share from those of the same launch
 * before. Points of a curve may be off by two and a half times as
 * much (record/curve.h). */
#define PROFILE_SETTLED_WITHIN 1e-3

/* Whether counts are of a part of the lines, of the launches but for those that repeat others, or
 * of what these do. */
static inline bool profile_is_sampled(const struct profile_view *view)
{
    return view->sample_rate < 1 || view->settled_within > PROFILE_SETTLED_WITHIN ||
           view->skimmed > 0;
}
/* What a reader should know of a view of sampled lines, "curves from 1/16 of the lines",
 * how far they may be off, and whether these are few; or of launches; false where
 * profile_is_sampled is. */
bool profile_sample_note(const struct profile_view *view, char *out, size_t size);

/* "7 of 1500 launches gone through, ..."; false when all were. */
bool profile_repeats_note(const struct profile_view *view, char *out, size_t size);

/* The set of parts named in "remote,l1" or "all"; an error lists the names. */
int profile_parts_scan(const char *text, unsigned *out, struct error *error);

/* Its part; NULL where it has none. */
static inline const struct curve *profile_curve_part(const struct profile_curve *curve,
                                                     enum profile_curve_part part)
{
    return curve->has >> part & 1 ? &curve->parts[part] : NULL;
}
/* The longest beginning of at most so many requests a launch; NULL: none is known. */
const struct profile_record *profile_record_prefix(const struct profile_record *record,
                                                   double requests);

/* The record's curve of that (scope, side, filter), or NULL. */
const struct profile_curve *profile_curve_find(const struct profile_record *record,
                                               const char *scope, const char *side,
                                               const char *filter);

#endif
