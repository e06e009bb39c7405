/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dispatch to the class of a source or stream. */
#include "trace/stream.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void source_fini(struct source *source)
{
    VECTOR_FREE(&source->allocations);
    VECTOR_FREE(&source->homes);
    VECTOR_FREE(&source->warnings);
    arena_destroy(source->arena);
}

void source_destroy(struct source *source)
{
    if (source)
        source->class->destroy(source);
}

void source_warn(struct source *source, const char *format, ...)
{
    struct text text = {0};
    va_list list;
    va_start(list, format);
    text_vprintf(&text, format, list);
    va_end(list);
    VECTOR_PUSH(&source->warnings, arena_strdup(source->arena, text.data));
    text_free(&text);
}

void source_keep_first(struct source *source, uint64_t n)
{
    const char *number =
        arena_printf(source->arena, SOURCE_FIRST_KEY "=%llu", (unsigned long long)n);
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, source->hash);
    hash_content_string(hash, number);
    hash_content_end(hash, source->hash);
    source->first = n;
    source->name = arena_printf(source->arena, "%s-" SOURCE_FIRST_KEY "-%llu", source->name,
                                (unsigned long long)n);
    /* A path may hold colons, what stands before settings may not. */
    bool more = strcmp(source->class->kind, "trace") != 0 && strchr(source->spec, ':');
    source->spec = arena_printf(source->arena, "%s%c%s", source->spec, more ? ',' : ':', number);
}

int stream_open(const struct source *source, struct stream **out, struct error *error)
{
    return source->class->stream_open(source, out, error);
}

void stream_destroy(struct stream *stream)
{
    if (stream)
        stream->class->destroy(stream);
}

int stream_next_kernel(struct stream *stream, struct stream_kernel *out, struct error *error)
{
    uint64_t first = stream->source->first;
    *out = (struct stream_kernel){0};
    if (first && stream->launches == first)
        return 0;
    int status = stream->class->next_kernel(stream, out, error);
    stream->launches += status > 0;
    if (status || !first)
        return status;
    error_set(error, STATUS_INPUT, SOURCE_FIRST_KEY "=%llu: there %s %llu launch%s only",
              (unsigned long long)first, stream->launches == 1 ? "is" : "are",
              (unsigned long long)stream->launches, stream->launches == 1 ? "" : "es");
    error_hint(error, "without " SOURCE_FIRST_KEY " all of them are taken");
    return STATUS_INPUT;
}

uint64_t stream_identity(struct stream *stream, const struct stream_kernel *kernel)
{
    if (!stream->class->identify)
        return 0;
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, kernel->name ? kernel->name : "");
    hash_content_add(hash, kernel->grid, sizeof kernel->grid);
    hash_content_add(hash, kernel->block, sizeof kernel->block);
    hash_content_add(hash, &kernel->shared_bytes, sizeof kernel->shared_bytes);
    bool known = stream->class->identify(stream, kernel, hash);
    uint64_t number = hash_content_end_number(hash);
    return known ? number : 0;
}

int stream_warp_begin(struct stream *stream, uint64_t cta, uint32_t warp, void *state,
                      struct error *error)
{
    return stream->class->warp_begin(stream, cta, warp, state, error);
}

int stream_read(struct stream *stream, void *state, struct warp_buffer *out, struct error *error)
{
    return stream->class->read(stream, state, out, error);
}

uint32_t stream_cta_sm(struct stream *stream, uint64_t cta)
{
    return stream->class->cta_sm(stream, cta);
}

/* Whether the trace has a thread block: it is none of absent_ctas. */
static bool stream_has_cta(const struct stream *stream, uint64_t cta)
{
    return !stream->class->has_cta || stream->class->has_cta(stream, cta);
}

int stream_cta_is_idle(struct stream *stream, const struct stream_kernel *kernel, uint64_t cta,
                       void *state, bool *idle, struct error *error)
{
    struct warp_buffer buffer;
    int status = 0;
    *idle = stream_has_cta(stream, cta);
    for (uint32_t warp = 0; warp < kernel->warps_per_cta && *idle && !status; warp++) {
        status = stream_warp_begin(stream, cta, warp, state, error);
        while (!status && *idle && (status = stream_read(stream, state, &buffer, error)) > 0) {
            for (int i = 0; i < buffer.count; i++)
                *idle = *idle && warp_access_is_empty(&buffer.items[i]);
            status = 0;
        }
    }
    return status;
}

int stream_read_ordered(struct stream *stream, struct warp_buffer *out,
                        struct ordered_access *origin, struct error *error)
{
    return stream->class->read_ordered(stream, out, origin, error);
}
