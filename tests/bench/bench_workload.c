/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warp accesses a second that the shipped workloads produce on one core, read
 * warp by warp with nothing behind them. */
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/progress.h"
#include "workload/workload.h"

static int read_kernel(struct stream *stream, const struct stream_kernel *kernel, uint64_t *count,
                       struct error *error)
{
    void *state = memory_alloc(kernel->warp_state_size);
    struct warp_buffer buffer;
    int status = 0;
    for (uint64_t cta = 0; cta < kernel->n_ctas && status >= 0; cta++)
        for (uint32_t warp = 0; warp < kernel->warps_per_cta && status >= 0; warp++) {
            status = stream_warp_begin(stream, cta, warp, state, error);
            while (status >= 0 && (status = stream_read(stream, state, &buffer, error)) > 0)
                *count += (uint64_t)buffer.count;
        }
    free(state);
    return status;
}

static int measure(const char *spec, struct error *error)
{
    struct source *source;
    struct stream *stream;
    struct stream_kernel kernel;
    uint64_t count = 0;
    int status = source_open(spec, &source, error);
    if (!status && (status = stream_open(source, &stream, error)))
        source_destroy(source);
    if (status)
        return status;
    double start = clock_seconds();
    while ((status = stream_next_kernel(stream, &kernel, error)) > 0)
        if ((status = read_kernel(stream, &kernel, &count, error)) < 0)
            break;
    double seconds = clock_seconds() - start;
    printf("%-14s %12llu warp accesses  %7.1f M/s\n", source->name, (unsigned long long)count,
           (double)count / seconds / 1e6);
    stream_destroy(stream);
    source_destroy(source);
    return status;
}

int main(void)
{
    struct arena *arena = arena_create();
    struct workload_info *list;
    struct error error;
    char text[4096];
    size_t count;
    int status = workload_list(arena, &list, &count, &error);
    for (size_t i = 0; i < count && !status; i++)
        status = measure(list[i].name, &error);
    arena_destroy(arena);
    if (!status)
        return 0;
    error_format(&error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}
