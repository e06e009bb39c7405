/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a source to its end, warp by warp, with nothing behind it. */
#ifndef BANDSCAPE_TESTS_BENCH_STREAM_H
#define BANDSCAPE_TESTS_BENCH_STREAM_H

#include <stdlib.h>

#include "core/memory.h"
#include "trace/stream.h"

static inline int bench_read_kernel(struct stream *stream, const struct stream_kernel *kernel,
                                    uint64_t most, uint64_t *count, struct error *error)
{
    void *state = memory_alloc(kernel->warp_state_size);
    struct warp_buffer buffer;
    int status = 0;
    for (uint64_t cta = 0; cta < kernel->n_ctas && status >= 0 && *count < most; cta++)
        for (uint32_t warp = 0; warp < kernel->warps_per_cta && status >= 0; warp++) {
            status = stream_warp_begin(stream, cta, warp, state, error);
            while (status >= 0 && (status = stream_read(stream, state, &buffer, error)) > 0)
                *count += (uint64_t)buffer.count;
        }
    free(state);
    return status;
}

/* *count: its warp accesses; reading stops behind the block in which there are `most`. */
static inline int bench_read_source(const struct source *source, uint64_t most, uint64_t *count,
                                    struct error *error)
{
    struct stream *stream;
    struct stream_kernel kernel;
    int status = stream_open(source, &stream, error);
    *count = 0;
    if (status)
        return status;
    while (*count < most && (status = stream_next_kernel(stream, &kernel, error)) > 0)
        if ((status = bench_read_kernel(stream, &kernel, most, count, error)) < 0)
            break;
    stream_destroy(stream);
    return status;
}

#endif
