/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dispatch to the class of a source or stream. */
#include "trace/stream.h"

#include <stdarg.h>
#include <stdlib.h>

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
    *out = (struct stream_kernel){0};
    return stream->class->next_kernel(stream, out, error);
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

bool stream_has_cta(const struct stream *stream, uint64_t cta)
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
