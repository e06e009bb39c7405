/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workload profiles: what the models read. A profile holds views (one per
 * machine structure), a view holds one record per launch or group of launches,
 * a record holds fields (scalars), a traffic matrix and curves. */
#ifndef BANDSCAPE_PROFILE_PROFILE_H
#define BANDSCAPE_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/unit.h"
#include "machine/machine.h"
#include "profile/curve.h"
#include "trace/stream.h"

/* X(symbol, path in the file, dimension (PLAIN or BYTES), kind, help).
 * kind: SUM adds up when launches are grouped, MEAN is weighted by requests,
 * LAST keeps the last launch's value. An unknown field is NaN. */
#define PROFILE_FIELDS(X)                                                                          \
    X(FIELD_CTAS, "ctas", PLAIN, SUM, "thread blocks")                                             \
    X(FIELD_WARP_INSTRUCTIONS, "warp_instructions", PLAIN, SUM, "warp instructions issued")        \
    X(FIELD_WARP_ACCESSES, "warp_accesses", PLAIN, SUM,                                            \
      "warp instructions that access global memory")                                               \
    X(FIELD_LANE_ACCESSES, "lane_accesses", PLAIN, SUM, "accesses of single lanes")                \
    X(FIELD_LANE_BYTES, "lane_bytes", BYTES, SUM, "bytes that lanes ask for")                      \
    X(FIELD_LINE_ACCESSES, "line_accesses", PLAIN, SUM, "lines after coalescing, before L1")       \
    X(FIELD_SECTOR_ACCESSES, "sector_accesses", PLAIN, SUM,                                        \
      "32-byte sectors after coalescing, before L1")                                               \
    X(FIELD_L1_READS, "l1_reads", PLAIN, SUM, "line reads that look up L1")                        \
    X(FIELD_L1_READ_HITS, "l1_read_hits", PLAIN, SUM, "of these, hits")                            \
    X(FIELD_REQUESTS, "requests", PLAIN, SUM, "L1 read misses, writes and atomics, in lines")      \
    X(FIELD_READS, "reads", PLAIN, SUM, "requests that read")                                      \
    X(FIELD_WRITES, "writes", PLAIN, SUM, "requests that write")                                   \
    X(FIELD_ATOMICS, "atomics", PLAIN, SUM, "atomic requests")                                     \
    X(FIELD_BYTES, "bytes", BYTES, SUM, "requests times line")                                     \
    X(FIELD_LINES, "lines", PLAIN, LAST, "distinct lines touched in the launch, before L1")        \
    X(FIELD_CTA_SHARED_LINES, "cta_shared_lines", PLAIN, LAST,                                     \
      "of these, touched by two or more thread blocks")                                            \
    X(FIELD_CTA_LINE_PAIRS, "cta_line_pairs", PLAIN, LAST,                                         \
      "pairs of a line and a thread block that touches it")                                        \
    X(FIELD_R_LOCAL, "r_local", PLAIN, MEAN, "share of requests whose home is the requester's")    \
    X(FIELD_LSU_MEMORY_SIDE, "lsu.memory-side", PLAIN, MEAN,                                       \
      "slice uniformity, slices of the home")                                                      \
    X(FIELD_LSU_SM_SIDE, "lsu.sm-side", PLAIN, MEAN, "slice uniformity, slices of the requester")  \
    X(FIELD_LLC_HIT_MEMORY_SIDE, "llc_hit.memory-side", PLAIN, MEAN,                               \
      "hit rate, where no curve stands")                                                           \
    X(FIELD_LLC_HIT_SM_SIDE, "llc_hit.sm-side", PLAIN, MEAN, "hit rate, where no curve stands")

enum profile_field {
#define PROFILE_ENUM(symbol, path, dim, kind, help) symbol,
    PROFILE_FIELDS(PROFILE_ENUM)
#undef PROFILE_ENUM
        FIELD_COUNT
};

enum profile_field_kind { FIELD_KIND_SUM, FIELD_KIND_MEAN, FIELD_KIND_LAST };
struct profile_field_row {
    const char *path;
    struct dim dim;
    enum profile_field_kind kind;
    const char *help;
};
extern const struct profile_field_row profile_field_table[FIELD_COUNT];

/* The field of that path, or -1. */
int profile_field_find(const char *path);

/* One merged, request-weighted curve of a (scope, side, filter). */
struct profile_curve {
    const char *scope;  /* "chip" */
    const char *side;   /* "requester" or "home" */
    const char *filter; /* "all" */
    struct curve curve;
    uint64_t *domain_requests, *domain_cold; /* one a domain */
    size_t n_domains;
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
    uint64_t launches; /* how many are in this record */
    double fields[FIELD_COUNT];
    double *traffic; /* n_domains x n_domains requests, [requester * n + home]; NULL unknown */
    size_t n_domains;
    struct profile_curve *curves;
    size_t n_curves;
    struct profile_allocation *allocations;
    size_t n_allocations;
};

/* Sharing over the run, on the stream before L1 (SAC, section 3). */
struct profile_sharing {
    double footprint_bytes, truly_shared_bytes, falsely_shared_bytes, non_shared_bytes;
    double read_only_shared_bytes; /* truly shared and never written in the run */
    double pages;
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
    double line_bytes;              /* NaN: unknown */
};

struct profile {
    struct arena *arena;
    const char *path;         /* where it was read; NULL: made here */
    const char *name;         /* of the workload */
    const char *source;       /* spec that reopens it; NULL: hand-made */
    const char *source_hash;  /* NULL: hand-made */
    const char *version;      /* of the profiler */
    const char *interleaving; /* "gto", "lrr", "recorded" */
    struct profile_view *views;
    size_t n_views;
};

struct profile *profile_create(void);
void profile_destroy(struct profile *profile);

/* Reads a profile file (made by profile_write, or by hand with `point:`).
 * Unknown keys, absurd numbers, ratios outside [0,1] are errors. */
int profile_load(const char *path, struct profile **out, struct error *error);

/* True when the file looks like a profile (a YAML map with the key "profile"). */
bool profile_detect(const char *path);

/* The file's text; deterministic. */
void profile_print(const struct profile *profile, struct text *out);
int profile_write(const struct profile *profile, const char *path, struct error *error);

/* The view that fits the machine. If none does: an error that names the
 * parameter that differs and the views present. */
int profile_view_find(const struct profile *profile, const struct machine *machine,
                      const struct profile_view **out, struct error *error);

/* One pass: profiles `source` for the machine's structure and appends the view
 * to the profile (whose provenance it sets). Looks at interrupt_requested(). */
struct profile_options {
    bool cta_sharing; /* count pairs of line and thread block (memory grows with them) */
    bool progress;    /* draw a bar */
};
int profile_make(struct profile *profile, const struct source *source,
                 const struct machine *machine, const struct profile_options *options,
                 struct error *error);

/* The same through the cache: under $BANDSCAPE_CACHE, $XDG_CACHE_HOME/bandscape or
 * ~/.cache/bandscape a finished view is kept under the hash of source, view key and
 * profiler version. A cache that cannot be read or written is not an error.
 * *cached says whether it was found. */
int profile_obtain(struct profile *profile, const struct source *source,
                   const struct machine *machine, const struct profile_options *options,
                   bool *cached, struct error *error);

/* True when the cache holds that view already (for plans). */
bool profile_is_cached(const struct source *source, const struct machine *machine);

/* The record's curve of that (scope, side, filter), or NULL. */
const struct profile_curve *profile_curve_find(const struct profile_record *record,
                                               const char *scope, const char *side,
                                               const char *filter);

#endif
