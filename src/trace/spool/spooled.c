/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream class of all trace readers. */
#include "trace/spool/spooled.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/memory.h"
#include "trace/local.h"

struct spooled_stream {
    struct stream stream;
    struct spool *spool;
    void *cursor;
    size_t kernel; /* the next one */
    struct spool_order order;
    struct stream_kernel now;
    uint64_t local_first; /* where what is used of a warp's frame begins */
};

/* Where a warp is: its records, and its frame of local memory. */
struct spooled_warp {
    struct spool_cursor cursor;
    uint64_t frame;
};

/* From places in a frame to addresses. */
static void spooled_place_local(const struct spooled_stream *self, uint64_t frame,
                                struct warp_access *access)
{
    if (access->flags & ACCESS_LOCAL)
        local_move(access, frame - self->local_first);
}

static int spooled_next_kernel(struct stream *stream, struct stream_kernel *out,
                               struct error *error)
{
    struct spooled_stream *self = (struct spooled_stream *)stream;
    const struct spooled_source *source = (const struct spooled_source *)stream->source;
    self->order = (struct spool_order){0};
    int status =
        source->spooled->load(source, self->cursor, self->kernel++, self->spool, out, error);
    if (status <= 0)
        return status;
    out->warp_state_size = sizeof(struct spooled_warp);
    out->absent_ctas = out->n_ctas - spool_cta_count(self->spool);
    out->absent_may_idle = !source->spooled->has_idle_ctas;
    out->waits_assumed = !source->spooled->tells_waits && !spool_goes_ahead(self->spool);
    out->local_bytes = (uint32_t)spool_local(self->spool, &self->local_first);
    self->now = *out;
    return status;
}

static int spooled_warp_begin(struct stream *stream, uint64_t cta, uint32_t warp, void *state,
                              struct error *error)
{
    const struct spooled_stream *self = (const struct spooled_stream *)stream;
    struct spooled_warp *at = state;
    (void)error;
    spool_begin(self->spool, cta, warp, &at->cursor);
    at->frame = local_frame(&self->now, cta, warp);
    return 0;
}

static int spooled_read(struct stream *stream, void *state, struct warp_buffer *out,
                        struct error *error)
{
    const struct spooled_stream *self = (const struct spooled_stream *)stream;
    struct spooled_warp *at = state;
    (void)error;
    int count = spool_read(self->spool, &at->cursor, out);
    if (self->now.local_bytes)
        for (int i = 0; i < count; i++)
            spooled_place_local(self, at->frame, &out->items[i]);
    return count;
}

/* A CTA without accesses may have no SM: it does nothing wherever it is. */
static uint32_t spooled_cta_sm(struct stream *stream, uint64_t cta)
{
    uint32_t sm = 0;
    spool_sm(((struct spooled_stream *)stream)->spool, cta, &sm);
    return sm;
}

static bool spooled_has_cta(const struct stream *stream, uint64_t cta)
{
    return spool_has_cta(((const struct spooled_stream *)stream)->spool, cta);
}

static int spooled_read_ordered(struct stream *stream, struct warp_buffer *out,
                                struct ordered_access *origin, struct error *error)
{
    struct spooled_stream *self = (struct spooled_stream *)stream;
    (void)error;
    int count = spool_read_ordered(self->spool, &self->order, out, origin);
    for (int i = 0; i < count; i++) {
        origin[i].sm = self->now.recorded_sm ? spooled_cta_sm(stream, origin[i].cta) : 0;
        spooled_place_local(self, local_frame(&self->now, origin[i].cta, origin[i].warp),
                            &out->items[i]);
    }
    return count;
}

/* An access without what is not of it: padding, and where its addresses stand. */
static void identify_access(struct hash_content *hash, const struct warp_access *access)
{
    struct warp_access own;
    memset(&own, 0, sizeof own);
    own.base = access->base;
    own.stride = access->stride;
    own.mask = access->mask;
    own.instructions = access->instructions;
    own.think = access->think;
    own.bytes = access->bytes;
    own.kind = access->kind;
    own.flags = access->flags;
    own.ahead = access->ahead;
    own.path = access->path;
    hash_content_add(hash, &own, sizeof own);
    if (access->addresses)
        hash_content_add(hash, access->addresses,
                         (size_t)warp_access_lanes(access) * sizeof *access->addresses);
}

static void identify_warp(const struct spool *spool, uint64_t cta, uint32_t warp,
                          struct hash_content *hash)
{
    struct warp_buffer buffer;
    struct spool_cursor cursor;
    int count;
    spool_begin(spool, cta, warp, &cursor);
    while ((count = spool_read(spool, &cursor, &buffer)) > 0)
        for (int i = 0; i < count; i++)
            identify_access(hash, &buffer.items[i]);
    hash_content_add(hash, &cta, sizeof cta);
    hash_content_add(hash, &warp, sizeof warp);
}

/* By its records. One whose order was recorded is not told: what it did to caches depends on it. */
static bool spooled_identify(struct stream *stream, const struct stream_kernel *kernel,
                             struct hash_content *hash)
{
    const struct spooled_stream *self = (const struct spooled_stream *)stream;
    uint64_t limit = spool_cta_limit(self->spool);
    if (kernel->recorded_order)
        return false;
    for (uint64_t cta = 0; cta < limit; cta++) {
        uint32_t sm = kernel->recorded_sm ? spooled_cta_sm(stream, cta) : 0;
        if (!spool_has_cta(self->spool, cta))
            continue;
        hash_content_add(hash, &sm, sizeof sm);
        for (uint32_t warp = 0; warp < kernel->warps_per_cta; warp++)
            identify_warp(self->spool, cta, warp, hash);
    }
    return true;
}

static void spooled_destroy(struct stream *stream)
{
    struct spooled_stream *self = (struct spooled_stream *)stream;
    const struct spooled_source *source = (const struct spooled_source *)stream->source;
    if (source->spooled->end)
        source->spooled->end(self->cursor);
    spool_destroy(self->spool);
    free(self);
}

static int spooled_stream_open(const struct source *source, struct stream **out,
                               struct error *error)
{
    static const struct stream_class class = {
        .next_kernel = spooled_next_kernel,
        .warp_begin = spooled_warp_begin,
        .read = spooled_read,
        .cta_sm = spooled_cta_sm,
        .has_cta = spooled_has_cta,
        .identify = spooled_identify,
        .read_ordered = spooled_read_ordered,
        .destroy = spooled_destroy,
    };
    const struct spooled_source *of = (const struct spooled_source *)source;
    void *cursor = NULL;
    *out = NULL;
    int status = of->spooled->begin ? of->spooled->begin(of, &cursor, error) : 0;
    if (status)
        return status;
    struct spooled_stream *self = memory_zero(1, sizeof *self);
    self->stream = (struct stream){&class, source};
    self->spool = spool_create(SPOOL_MEMORY_BYTES);
    self->cursor = cursor;
    *out = &self->stream;
    return 0;
}

static void spooled_source_destroy(struct source *source)
{
    const struct spooled_class *spooled = ((struct spooled_source *)source)->spooled;
    if (spooled->fini)
        spooled->fini((struct spooled_source *)source);
    source_fini(source);
    free(source);
}

void spooled_source_init(struct spooled_source *source, const struct spooled_class *spooled,
                         const char *name, const char *path)
{
    static const struct source_class class = {"trace", spooled_stream_open, spooled_source_destroy};
    const char *base = file_base_name(path);
    source->spooled = spooled;
    source->source.class = &class;
    source->source.arena = arena_create();
    source->source.name = name ? arena_strdup(source->source.arena, name)
                               : arena_strndup(source->source.arena, base, strcspn(base, "."));
    source->source.path = source->source.spec = arena_strdup(source->source.arena, path);
}

int spooled_opened(struct spooled_source *source, int status, struct source **out)
{
    *out = status ? NULL : &source->source;
    if (status)
        source_destroy(&source->source);
    return status;
}

int spooled_hash_file(struct source *source, struct error *error)
{
    struct hash_content *hash = hash_content_begin();
    int status = hash_content_file(hash, source->path, error);
    hash_content_end(hash, source->hash);
    return status;
}

static int spooled_compare(const void *a, const void *b)
{
    const struct stream_allocation *x = a, *y = b;
    if (x->base != y->base)
        return x->base < y->base ? -1 : 1;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

void spooled_merge_allocations(struct source *source)
{
    size_t kept = 0;
    struct stream_allocation *items = source->allocations.items;
    if (source->allocations.count > 1)
        qsort(items, source->allocations.count, sizeof *items, spooled_compare);
    for (size_t i = 0; i < source->allocations.count; i++) {
        struct stream_allocation *last = kept ? &items[kept - 1] : NULL;
        if (last && items[i].base < last->base + last->bytes) {
            uint64_t end = items[i].base + items[i].bytes;
            if (end > last->base + last->bytes)
                last->bytes = end - last->base;
        } else if (items[i].bytes > 0) {
            items[kept++] = items[i];
        }
    }
    source->allocations.count = kept;
}

static int spooled_compare_homes(const void *a, const void *b)
{
    const struct stream_home *x = a, *y = b;
    return (x->base > y->base) - (x->base < y->base);
}

int spooled_sort_ranges(struct source *source, struct error *error)
{
    struct mark mark = {source->path, 0, 0, NULL};
    struct stream_allocation *allocations = source->allocations.items;
    struct stream_home *homes = source->homes.items;
    if (source->allocations.count)
        qsort(allocations, source->allocations.count, sizeof *allocations, spooled_compare);
    if (source->homes.count)
        qsort(homes, source->homes.count, sizeof *homes, spooled_compare_homes);
    for (size_t i = 1; i < source->allocations.count; i++) {
        const struct stream_allocation *x = &allocations[i - 1], *y = x + 1;
        if (y->base - x->base < x->bytes)
            return error_at(error, STATUS_INPUT, &mark,
                            "the allocations \"%.80s\" at 0x%llx and \"%.80s\" at 0x%llx overlap",
                            x->name, (unsigned long long)x->base, y->name,
                            (unsigned long long)y->base);
    }
    for (size_t i = 1; i < source->homes.count; i++) {
        const struct stream_home *x = &homes[i - 1], *y = x + 1;
        if (y->base - x->base < x->bytes)
            return error_at(error, STATUS_INPUT, &mark, "the homes at 0x%llx and 0x%llx overlap",
                            (unsigned long long)x->base, (unsigned long long)y->base);
    }
    return 0;
}

const char *spooled_check_launch(struct stream_kernel *kernel)
{
    const uint64_t ctas_max = (uint64_t)1 << 32;
    uint64_t threads = 1;
    kernel->n_ctas = 1;
    for (int i = 0; i < 3; i++) {
        if (kernel->grid[i] == 0 || kernel->block[i] == 0)
            return "grid and block dimensions must be at least 1";
        if (kernel->grid[i] > ctas_max / kernel->n_ctas)
            return "the grid has more than 2^32 thread blocks";
        kernel->n_ctas *= kernel->grid[i];
        if (kernel->block[i] > SPOOL_WARPS_MAX * WARP_LANES / threads)
            return "the block has more than 32768 threads";
        threads *= kernel->block[i];
    }
    kernel->threads_per_cta = (uint32_t)threads;
    kernel->warps_per_cta = (uint32_t)((threads + WARP_LANES - 1) / WARP_LANES);
    return NULL;
}

void spooled_derive_launch(struct stream_kernel *kernel, const struct spool *spool, bool has_grid,
                           bool has_block)
{
    uint64_t ctas = spool_cta_limit(spool);
    uint32_t warps = spool_warp_limit(spool);
    if (!has_grid)
        kernel->grid[0] = ctas > 1 ? (uint32_t)ctas : 1;
    if (!has_block)
        kernel->block[0] = (warps > 1 ? warps : 1) * WARP_LANES;
    spooled_check_launch(kernel);
}

bool spooled_check_addresses(const struct warp_access *access)
{
    int lanes = __builtin_popcount(access->mask);
    const uint64_t limit = TRACE_ADDRESS_LIMIT - access->bytes;
    if (access->addresses) {
        for (int k = 0; k < lanes; k++)
            if (access->addresses[k] > limit)
                return false;
        return true;
    }
    const int64_t stride_max = (int64_t)1 << 56;
    return access->stride <= stride_max && access->stride >= -stride_max && access->base <= limit &&
           warp_access_address(access, lanes - 1) <= limit;
}

bool spooled_check_local(const struct warp_access *access)
{
    if (!spooled_check_addresses(access))
        return false;
    for (int k = warp_access_lanes(access) - 1; k >= 0; k--)
        if (warp_access_address(access, k) + access->bytes > LOCAL_FRAME_MOST)
            return false;
    return true;
}
