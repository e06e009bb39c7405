/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the trace readers have in common: a stream that decodes one kernel after
 * the other into a spool (trace/spool/spool.h) and reads warps from there. A reader
 * gives three functions that walk through its kernels. */
#ifndef BANDSCAPE_TRACE_SPOOLED_H
#define BANDSCAPE_TRACE_SPOOLED_H

#include "trace/spool/spool.h"
#include "trace/stream.h"

struct spooled_source;

struct spooled_class {
    /* Where one pass is in the input; NULL: the number of the kernel says it. */
    int (*begin)(const struct spooled_source *source, void **cursor, struct error *error);
    /* Decodes the next kernel, the `kernel`th from 0: resets the spool, fills it and *out (without
     * warp_state_size). 1, 0 at the end, or a negative status. */
    int (*load)(const struct spooled_source *source, void *cursor, size_t kernel,
                struct spool *spool, struct stream_kernel *out, struct error *error);
    void (*end)(void *cursor); /* NULL without `begin` */
    /* Frees what the reader keeps beside the common part; NULL: nothing. */
    void (*fini)(struct spooled_source *source);
    /* The format says what instructions need: accesses of which none goes ahead of another (struct
     * warp_access) need each other. */
    bool tells_waits;
    /* CTAs that make no access are in the format too: one that is not there is missing. */
    bool has_idle_ctas;
};

/* Readers embed it as first member. */
struct spooled_source {
    struct source source;
    const struct spooled_class *spooled;
};

/* Fills the common part. `name` is copied; so is the path, which is the spec too. NULL: the file's
 * name up to its first dot. */
void spooled_source_init(struct spooled_source *source, const struct spooled_class *spooled,
                         const char *name, const char *path);

/* Ends an opening: the source into *out, or, where it failed, destroyed. Returns its status. */
int spooled_opened(struct spooled_source *source, int status, struct source **out);

/* The content hash of a source that is one file. */
int spooled_hash_file(struct source *source, struct error *error);

/* Sorts the allocations by base and makes them disjoint: what overlaps becomes
 * one (the first name stays), what merely touches does not. */
void spooled_merge_allocations(struct source *source);

/* Sorts allocations and homes by base and refuses overlaps. */
int spooled_sort_ranges(struct source *source, struct error *error);

/* Checks a launch and fills n_ctas, threads_per_cta and warps_per_cta from grid
 * and block. NULL, or what is wrong with it. */
const char *spooled_check_launch(struct stream_kernel *kernel);

/* The same where a grid or a block was not given: it is as large as what the
 * spool holds. Such a grid has at most TRACE_DERIVED_CTAS_MAX CTAs. */
enum { TRACE_DERIVED_CTAS_MAX = 1 << 24 };
void spooled_derive_launch(struct stream_kernel *kernel, const struct spool *spool, bool has_grid,
                           bool has_block);

/* Largest address + 1 of a traced access: beyond it a trace is damaged. */
#define TRACE_ADDRESS_LIMIT ((uint64_t)1 << 60)
enum { TRACE_SM_MAX = 65535 }; /* largest number of a recorded SM, and of a home's domain */

/* All bytes of the access are below TRACE_ADDRESS_LIMIT. */
bool spooled_check_addresses(const struct warp_access *access);
/* The same of one to local memory: all bytes are in its warp's frame (trace/local.h). */
bool spooled_check_local(const struct warp_access *access);

#endif
