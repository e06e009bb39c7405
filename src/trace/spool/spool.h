/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The accesses of one kernel, decoded once and read warp by warp in any order.
 *
 * A record has 24 bytes (base, stride, mask, ...), and 8 more a lane only where
 * the addresses are irregular. The records of a warp form runs of consecutive
 * records, linked in order; the runs stand in the order of the file, so that
 * the spool can be replayed in it too. Up to a limit everything is in memory;
 * what is beyond goes to an unlinked temporary file in TMPDIR which is mapped,
 * so that the kernel of the operating system may write it out. */
#ifndef BANDSCAPE_TRACE_SPOOL_H
#define BANDSCAPE_TRACE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "trace/stream.h"

enum {
    SPOOL_CHUNK_BYTES = 4 << 20,
    SPOOL_MEMORY_BYTES = 256 << 20, /* a good limit */
    SPOOL_WARPS_MAX = 1024          /* of a CTA */
};

struct spool;

/* `memory_bytes`: the limit of what is kept in memory. */
struct spool *spool_create(size_t memory_bytes);
void spool_destroy(struct spool *spool); /* NULL is legal */

/* Empties it for another kernel, whose CTAs have up to warps_per_cta warps
 * (SPOOL_WARPS_MAX when that is not known). */
void spool_reset(struct spool *spool, uint32_t warps_per_cta);

/* Enters a CTA: true the first time. */
bool spool_enter_cta(struct spool *spool, uint64_t cta);
/* Whether the CTA was entered, or has a warp, an access or an SM; and how many have. */
bool spool_has_cta(const struct spool *spool, uint64_t cta);
uint64_t spool_cta_count(const struct spool *spool);
/* Enters a warp without accesses: true the first time. Fails like spool_add. */
int spool_enter_warp(struct spool *spool, uint64_t cta, uint32_t warp, bool *first,
                     struct error *error);

/* The form in which accesses are stored: base + stride where the addresses have
 * one, a list otherwise (and where the stride does not fit 32 bits; then
 * `list` is where it is written, WARP_LANES long). */
void spool_normalise(struct warp_access *access, uint64_t *list);

/* Appends an access to a warp (< warps_per_cta). It is stored in the normal
 * form; address lists are copied. Fails only when the temporary file
 * cannot be made or grown. */
int spool_add(struct spool *spool, uint64_t cta, uint32_t warp, const struct warp_access *access,
              struct error *error);

/* The recorded SM of a CTA. Set returns false when it has another one already. */
bool spool_set_sm(struct spool *spool, uint64_t cta, uint32_t sm);
bool spool_sm(const struct spool *spool, uint64_t cta, uint32_t *sm);

/* One past the largest CTA and warp entered; 0 when there are none. */
uint64_t spool_cta_limit(const struct spool *spool);
uint32_t spool_warp_limit(const struct spool *spool);

/* Accesses to local memory are entered with places in the frame of their warp (trace/local.h): the
 * bytes between the first and the last row that any of them reaches, and where the first begins. */
uint64_t spool_local(const struct spool *spool, uint64_t *first);

/* Does any access go ahead of another (struct warp_access)? */
bool spool_goes_ahead(const struct spool *spool);

/* Bytes used, and how many of them are in the temporary file. */
uint64_t spool_bytes(const struct spool *spool);
uint64_t spool_file_bytes(const struct spool *spool);

/* Where a reader of one warp is. Addresses that it delivers point into the
 * spool and live until the next reset. */
struct spool_cursor {
    const struct spool_run *run;
    const char *at;
    uint32_t left; /* records of the run */
};

/* A warp that was never entered is empty. */
void spool_begin(const struct spool *spool, uint64_t cta, uint32_t warp,
                 struct spool_cursor *cursor);
/* As stream_read: fills the buffer and returns its count. */
int spool_read(const struct spool *spool, struct spool_cursor *cursor, struct warp_buffer *out);

/* The same in the order of the file; begins zeroed. origin[i].sm is left as it is. */
struct spool_order {
    size_t chunk;
    struct spool_cursor cursor;
};
int spool_read_ordered(const struct spool *spool, struct spool_order *order,
                       struct warp_buffer *out, struct ordered_access *origin);

#endif
