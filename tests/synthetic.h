/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source made of accesses given one by one, for tests of the profiler.
 *
 *     struct synthetic *s = synthetic_create("name");
 *     synthetic_kernel(s, "k", 2, 1);             2 blocks of 1 warp
 *     synthetic_lane(s, 0, 0, ACCESS_READ, 128);  block 0, warp 0
 *     ... profile_make(profile, &s->source, ...);
 *     source_destroy(&s->source); */
#ifndef BANDSCAPE_TESTS_SYNTHETIC_H
#define BANDSCAPE_TESTS_SYNTHETIC_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/stream.h"
#include "profile/run/profiler.h"

struct synthetic_access {
    struct warp_access access;
    uint64_t cta;
    uint32_t warp;
    uint64_t addresses[WARP_LANES];
};

struct synthetic_kernel {
    const char *name;
    uint32_t n_ctas, warps_per_cta, threads_per_cta;
    bool recorded_order;
    const uint32_t *cta_sms; /* NULL: not recorded */
    struct {
        struct synthetic_access **items;
        size_t count, capacity;
    } accesses;
};

struct synthetic {
    struct source source;
    struct {
        struct synthetic_kernel *items;
        size_t count, capacity;
    } kernels;
};

struct synthetic_stream {
    struct stream stream;
    size_t next_kernel, at;
};

struct synthetic_warp {
    uint64_t cta, at;
    uint32_t warp;
};

static inline const struct synthetic_kernel *synthetic_current(const struct stream *stream)
{
    const struct synthetic_stream *own = (const struct synthetic_stream *)(const void *)stream;
    const struct synthetic *s = (const struct synthetic *)(const void *)stream->source;
    return &s->kernels.items[own->next_kernel - 1];
}

static inline int synthetic_next(struct stream *stream, struct stream_kernel *out,
                                 struct error *error)
{
    struct synthetic_stream *own = (struct synthetic_stream *)(void *)stream;
    const struct synthetic *s = (const struct synthetic *)(const void *)stream->source;
    (void)error;
    if (own->next_kernel == s->kernels.count)
        return 0;
    const struct synthetic_kernel *kernel = &s->kernels.items[own->next_kernel++];
    own->at = 0;
    *out = (struct stream_kernel){
        .name = kernel->name,
        .grid = {kernel->n_ctas, 1, 1},
        .block = {kernel->threads_per_cta, 1, 1},
        .n_ctas = kernel->n_ctas,
        .warps_per_cta = kernel->warps_per_cta,
        .threads_per_cta = kernel->threads_per_cta,
        .warp_state_size = sizeof(struct synthetic_warp),
        .recorded_sm = kernel->cta_sms != NULL,
        .recorded_order = kernel->recorded_order,
    };
    return 1;
}

static inline int synthetic_begin(struct stream *stream, uint64_t cta, uint32_t warp, void *state,
                                  struct error *error)
{
    struct synthetic_warp *at = state;
    (void)stream;
    (void)error;
    *at = (struct synthetic_warp){cta, 0, warp};
    return 0;
}

/* Lists of addresses go through the pool, as a generator's would. */
static inline void synthetic_put(const struct synthetic_access *from, struct warp_buffer *out)
{
    struct warp_access *to = &out->items[out->count++];
    int lanes = __builtin_popcount(from->access.mask);
    *to = from->access;
    if (!from->access.addresses)
        return;
    to->addresses = out->pool + out->pool_used;
    memcpy(out->pool + out->pool_used, from->addresses, (size_t)lanes * sizeof *out->pool);
    out->pool_used += lanes;
}

static inline bool synthetic_full(const struct warp_buffer *out)
{
    return out->count == WARP_BUFFER_ITEMS || out->pool_used > WARP_BUFFER_POOL - WARP_LANES;
}

static inline int synthetic_read(struct stream *stream, void *state, struct warp_buffer *out,
                                 struct error *error)
{
    const struct synthetic_kernel *kernel = synthetic_current(stream);
    struct synthetic_warp *own = state;
    (void)error;
    out->count = out->pool_used = 0;
    for (; own->at < kernel->accesses.count && !synthetic_full(out); own->at++) {
        const struct synthetic_access *access = kernel->accesses.items[own->at];
        if (access->cta == own->cta && access->warp == own->warp)
            synthetic_put(access, out);
    }
    return out->count;
}

static inline uint32_t synthetic_cta_sm(struct stream *stream, uint64_t cta)
{
    return synthetic_current(stream)->cta_sms[cta];
}

static inline int synthetic_ordered(struct stream *stream, struct warp_buffer *out,
                                    struct ordered_access *origin, struct error *error)
{
    struct synthetic_stream *own = (struct synthetic_stream *)(void *)stream;
    const struct synthetic_kernel *kernel = synthetic_current(stream);
    (void)error;
    out->count = out->pool_used = 0;
    for (; own->at < kernel->accesses.count && !synthetic_full(out); own->at++) {
        const struct synthetic_access *access = kernel->accesses.items[own->at];
        origin[out->count] = (struct ordered_access){access->cta, access->warp, 0};
        synthetic_put(access, out);
    }
    return out->count;
}

static inline void synthetic_close(struct stream *stream)
{
    free(stream);
}

static const struct stream_class synthetic_stream_class = {
    synthetic_next,   synthetic_begin,   synthetic_read,
    synthetic_cta_sm, synthetic_ordered, synthetic_close,
};

static inline int synthetic_open(const struct source *source, struct stream **out,
                                 struct error *error)
{
    struct synthetic_stream *stream = memory_zero(1, sizeof *stream);
    (void)error;
    stream->stream.class = &synthetic_stream_class;
    stream->stream.source = source;
    *out = &stream->stream;
    return 0;
}

static inline void synthetic_destroy(struct source *source)
{
    struct synthetic *s = (struct synthetic *)(void *)source;
    for (size_t i = 0; i < s->kernels.count; i++) {
        for (size_t k = 0; k < s->kernels.items[i].accesses.count; k++)
            free(s->kernels.items[i].accesses.items[k]);
        VECTOR_FREE(&s->kernels.items[i].accesses);
    }
    VECTOR_FREE(&s->kernels);
    source_fini(source);
    free(s);
}

static const struct source_class synthetic_class = {"workload", synthetic_open, synthetic_destroy};

static inline struct synthetic *synthetic_create(const char *name)
{
    struct synthetic *s = memory_zero(1, sizeof *s);
    s->source.class = &synthetic_class;
    s->source.arena = arena_create();
    s->source.name = name;
    s->source.spec = name;
    snprintf(s->source.hash, sizeof s->source.hash, "%.32s", name);
    return s;
}

static inline struct synthetic_kernel *synthetic_kernel(struct synthetic *s, const char *name,
                                                        uint32_t n_ctas, uint32_t warps_per_cta)
{
    VECTOR_PUSH(&s->kernels, (struct synthetic_kernel){
                                 .name = name,
                                 .n_ctas = n_ctas,
                                 .warps_per_cta = warps_per_cta,
                                 .threads_per_cta = 32 * warps_per_cta,
                             });
    return &s->kernels.items[s->kernels.count - 1];
}

/* Appends an access to the last kernel; list: addresses are given lane by lane. */
static inline void synthetic_add(struct synthetic *s, uint64_t cta, uint32_t warp,
                                 struct warp_access access)
{
    struct synthetic_kernel *kernel = &s->kernels.items[s->kernels.count - 1];
    struct synthetic_access *item = memory_zero(1, sizeof *item);
    *item = (struct synthetic_access){.access = access, .cta = cta, .warp = warp};
    if (access.addresses) {
        memcpy(item->addresses, access.addresses,
               (size_t)__builtin_popcount(access.mask) * sizeof *item->addresses);
        item->access.addresses = item->addresses;
    }
    VECTOR_PUSH(&kernel->accesses, item);
}

/* One lane, 4 bytes. */
static inline void synthetic_lane(struct synthetic *s, uint64_t cta, uint32_t warp,
                                  enum access_kind kind, uint64_t address)
{
    synthetic_add(
        s, cta, warp,
        (struct warp_access){
            .base = address, .mask = 1, .instructions = 1, .bytes = 4, .kind = (uint8_t)kind});
}

/* The same, which needs none of so many accesses before it. */
static inline void synthetic_ahead(struct synthetic *s, uint64_t cta, uint32_t warp,
                                   enum access_kind kind, uint64_t address, uint8_t ahead)
{
    synthetic_add(s, cta, warp,
                  (struct warp_access){.base = address,
                                       .mask = 1,
                                       .instructions = 1,
                                       .bytes = 4,
                                       .kind = (uint8_t)kind,
                                       .ahead = ahead});
}

static inline void check_drop_synthetic(struct synthetic **s)
{
    source_destroy(&(*s)->source);
}

#endif
