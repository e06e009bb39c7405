/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Address streams: what a trace, a loop nest and an irregular kernel have in
 * common, and all that the profiler sees of them.
 *
 * A *source* is an opened, checked input: immutable, shared between threads.
 * A *stream* is one pass over it, used by one thread. A pass goes kernel by
 * kernel; inside a kernel the profiler asks for the warps it wants, in the
 * order in which its schedule starts them, and reads each a few accesses at a
 * time. So memory is bounded by what is in flight, never by trace length. */
#ifndef BANDSCAPE_TRACE_STREAM_H
#define BANDSCAPE_TRACE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/bits.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"
#include "machine/access_path.h"

enum { WARP_LANES = 32 };
enum { WARP_AHEAD_MOST = 63 }; /* warp_access.ahead */

enum access_kind {
    ACCESS_NONE, /* no access: carries the instructions at the end of a warp */
    ACCESS_READ,
    ACCESS_WRITE,
    ACCESS_ATOMIC /* also reductions; performed at the home's LLC */
};

enum access_flag {
    ACCESS_BYPASS_L1 = 1, /* .STRONG.GPU and the like */
    ACCESS_LOCAL = 2,     /* to the threads' own memory (trace/local.h) */
    ACCESS_PART = 4,      /* of the instruction of the access before it, which counts it */
    ACCESS_BULK = 8,      /* of a bulk copy between global and shared memory (TMA) */
    ACCESS_FLAGS = 15     /* all of them */
};

/* One warp memory instruction. Active lane k (k-th set bit of mask, from bit
 * 0) touches bytes [a, a + bytes) with a = addresses ? addresses[k]
 * : base + k * stride. Records carry base + stride wherever they can. */
struct warp_access {
    uint64_t base;
    int64_t stride;            /* bytes from one active lane to the next */
    const uint64_t *addresses; /* NULL, or one per active lane */
    uint32_t mask;             /* active lanes; 0 only for ACCESS_NONE */
    uint32_t instructions;     /* warp instructions issued since the last access of this
                                * warp, this one included; 0: the source does not know, or
                                * ACCESS_PART */
    uint32_t think;            /* cycles of the SM's clock that pass until it issues, from when what
                                * it needs is there and the access before it has issued: work of
                                * this warp beside the issue of its instructions. 0: none is known */
    uint8_t bytes;             /* per lane: 1, 2, 4, 8, 12, 16, 32 */
    uint8_t kind;              /* enum access_kind */
    uint8_t flags;             /* enum access_flag */
    uint8_t ahead;             /* of the accesses of this warp just before this one, so many may be
                                * under way when it issues, at most WARP_AHEAD_MOST: nothing until
                                * then needs what they read. 0: it waits for all of them, as where
                                * a source knows no better. Writes keep nobody waiting */
    uint8_t path;              /* of a read: enum access_path; of others 0 */
};

/* Where stream_read puts the next accesses of one warp. Address lists may
 * point into `pool` (generators) or into memory that lives as long as the
 * kernel (readers). */
enum { WARP_BUFFER_ITEMS = 16, WARP_BUFFER_POOL = 4 * WARP_LANES };
struct warp_buffer {
    int count;     /* accesses in items; set by stream_read */
    int pool_used; /* addresses in pool; set by stream_read */
    struct warp_access items[WARP_BUFFER_ITEMS];
    uint64_t pool[WARP_BUFFER_POOL];
};

/* Memory instructions that a trace holds but the stream leaves out. */
struct stream_dropped {
    uint64_t local;   /* local memory: the trace does not say whose, or where */
    uint64_t bulk;    /* bulk (TMA) copies without addresses and sizes, and prefetches by them */
    uint64_t unknown; /* unknown instructions with an address */
};

struct stream_kernel {
    const char *name; /* lives as long as the source */
    uint32_t grid[3], block[3];
    uint64_t n_ctas;        /* grid product */
    uint32_t warps_per_cta; /* ceil(threads / 32), at least 1 */
    uint32_t threads_per_cta;
    uint32_t shared_bytes; /* shared memory of a CTA; 0: none or unknown */
    uint32_t local_bytes;  /* local memory of a warp (trace/local.h), whole rows; 0: none */
    struct stream_dropped dropped;
    uint64_t absent_ctas;   /* of the grid, of which a trace holds nothing */
    bool absent_may_idle;   /* the format does not name all CTAs that make no access */
    size_t warp_state_size; /* bytes the caller provides for each warp in flight */
    bool waits_assumed;  /* nothing says which accesses need which: each is taken to need all those
                          * before it, of its warp, that read */
    bool repeats;        /* an earlier launch had the same grid and made the same accesses */
    bool recorded_sm;    /* stream_cta_sm answers */
    bool recorded_order; /* accesses must be replayed with stream_read_ordered */
};

/* An allocation named by the source (a host-to-device copy, an array). */
struct stream_allocation {
    const char *name; /* "" when it has none */
    uint64_t base, bytes;
};

/* A recorded home: the bytes [base, base + bytes) live at domain `home`. */
struct stream_home {
    uint64_t base, bytes;
    uint32_t home;
};

struct source;
struct stream;

struct source_class {
    const char *kind; /* "trace" or "workload" */
    int (*stream_open)(const struct source *source, struct stream **out, struct error *error);
    void (*destroy)(struct source *source); /* frees what the class added, then source_fini */
};

/* The common part; classes embed it as first member. */
struct source {
    const struct source_class *class;
    struct arena *arena;  /* owns the strings */
    const char *name;     /* short: "gemm", "rodinia-bfs" */
    const char *spec;     /* what reopens it: "gemm:ni=64", a path */
    const char *path;     /* of a trace: its file; else NULL */
    char hash[HASH_TEXT]; /* of all that determines the stream */
    uint64_t first;       /* launches that streams end after (source_keep_first); 0: all */
    struct {
        struct stream_allocation *items;
        size_t count, capacity;
    } allocations; /* sorted by base, disjoint */
    struct {
        struct stream_home *items;
        size_t count, capacity;
    } homes;
    struct {
        const char **items;
        size_t count, capacity;
    } warnings; /* what a reader of any result must know; set when it is opened */
};

/* Who made an access that is replayed in recorded order. */
struct ordered_access {
    uint64_t cta;
    uint32_t warp, sm;
};

struct stream_class {
    int (*next_kernel)(struct stream *stream, struct stream_kernel *out, struct error *error);
    int (*warp_begin)(struct stream *stream, uint64_t cta, uint32_t warp, void *state,
                      struct error *error);
    int (*read)(struct stream *stream, void *state, struct warp_buffer *out, struct error *error);
    uint32_t (*cta_sm)(struct stream *stream, uint64_t cta);
    int (*read_ordered)(struct stream *stream, struct warp_buffer *out,
                        struct ordered_access *origin, struct error *error);
    void (*destroy)(struct stream *stream);
    bool (*has_cta)(const struct stream *stream, uint64_t cta); /* NULL: has all of them */
    /* Adds to the hash all that the accesses of the current launch follow from, beside its name and
     * shape; false: it does not say. NULL: it never does. */
    bool (*identify)(struct stream *stream, const struct stream_kernel *kernel,
                     struct hash_content *hash);
};

struct stream {
    const struct stream_class *class;
    const struct source *source;
    uint64_t launches; /* so far, the current one included */
};

void source_destroy(struct source *source); /* NULL is legal */
void source_fini(struct source *source);    /* for classes: frees the common part */

/* Adds a warning while the source is opened. */
void source_warn(struct source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The setting of a workload that says so: "gemm:first=3". */
#define SOURCE_FIRST_KEY "first"

/* From now on streams end after their first n launches, n at least 1, and whoever asks one that has
 * fewer for the next gets an error. Name (gemm-first-3), spec (gemm:first=3) and hash say so. */
void source_keep_first(struct source *source, uint64_t n);

int stream_open(const struct source *source, struct stream **out, struct error *error);
void stream_destroy(struct stream *stream); /* NULL is legal */

/* Moves to the next kernel launch: 1, 0 at the end, or a negative status. */
int stream_next_kernel(struct stream *stream, struct stream_kernel *out, struct error *error);

/* What the current launch is, as a number: the same for two launches of a stream, or of two streams
 * of a source, whose warps make the same accesses. One that is the same in all threads, such as of
 * a value for each step of a solver, is one of many: in launches of so many warps or more it may
 * move within so many bytes, a usual line. 0: the source does not know. */
enum { STREAM_IDENTITY_BYTES = 128, STREAM_IDENTITY_WARPS = 1024 };
uint64_t stream_identity(struct stream *stream, const struct stream_kernel *kernel);

/* Prepares `state` (warp_state_size bytes) to read one warp of one CTA of the
 * current kernel. CTAs are numbered x fastest, then y, then z. Any order, any
 * number in flight. 0 or a negative status. */
int stream_warp_begin(struct stream *stream, uint64_t cta, uint32_t warp, void *state,
                      struct error *error);

/* The next accesses of that warp: their number (1 .. WARP_BUFFER_ITEMS), 0 at
 * its end, or a negative status. Old contents of the buffer are overwritten. */
int stream_read(struct stream *stream, void *state, struct warp_buffer *out, struct error *error);

/* The SM a CTA really ran on; only if recorded_sm. */
uint32_t stream_cta_sm(struct stream *stream, uint64_t cta);

/* Sets *idle to whether a CTA of the current kernel is there and has nothing but empty
 * accesses. `state` as in stream_warp_begin. */
int stream_cta_is_idle(struct stream *stream, const struct stream_kernel *kernel, uint64_t cta,
                       void *state, bool *idle, struct error *error);

/* Recorded order: the next accesses of the kernel in file order, with
 * origin[i] for items[i] (WARP_BUFFER_ITEMS entries). Only if recorded_order;
 * such kernels may also be read warp by warp. */
int stream_read_ordered(struct stream *stream, struct warp_buffer *out,
                        struct ordered_access *origin, struct error *error);

/* Active lanes. Most warps are full, and not every processor counts bits. */
static inline int warp_access_lanes(const struct warp_access *access)
{
    return access->mask == UINT32_MAX ? WARP_LANES : (int)bits_count(access->mask);
}

/* It says nothing: no lane is active, and no instructions are counted. */
static inline bool warp_access_is_empty(const struct warp_access *access)
{
    return access->kind == ACCESS_NONE ? access->instructions == 0 : access->mask == 0;
}

/* The address of the k-th active lane. */
static inline uint64_t warp_access_address(const struct warp_access *access, int k)
{
    return access->addresses ? access->addresses[k]
                             : access->base + (uint64_t)k * (uint64_t)access->stride;
}

/* Opens a trace in any format that a plug-in of kind "reader" knows
 * (trace/reader.h): Accel-Sim's, NVBit's, PPT-GPU's, the project's text form. */
int source_open_trace(const char *path, struct source **out, struct error *error);

#endif
