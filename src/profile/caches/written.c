/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set of written lines. */
#include "profile/caches/written.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "trace/coalesce.h"
#include "trace/local.h"

enum { FIRST_BITS = 10 };

void written_init(struct written *written)
{
    *written = (struct written){.bits = FIRST_BITS};
    written->lines = memory_zero((size_t)1 << FIRST_BITS, sizeof *written->lines);
}

void written_fini(struct written *written)
{
    free(written->lines);
    *written = (struct written){0};
}

/* The line's place, or the empty one where it belongs. */
static size_t place(const struct written *written, uint64_t line)
{
    size_t mask = ((size_t)1 << written->bits) - 1;
    size_t at = hash_fmix64(line) >> (64 - written->bits);
    while (written->lines[at] && written->lines[at] != line + 1)
        at = (at + 1) & mask;
    return at;
}

void written_add(struct written *written, uint64_t line)
{
    size_t at = place(written, line);
    if (written->lines[at])
        return;
    written->lines[at] = line + 1;
    if (++written->count <= (size_t)1 << (written->bits - 1))
        return;
    struct written old = *written;
    written->bits++;
    written->lines = memory_zero((size_t)1 << written->bits, sizeof *written->lines);
    for (size_t i = 0; i < (size_t)1 << old.bits; i++)
        if (old.lines[i])
            written->lines[place(written, old.lines[i] - 1)] = old.lines[i];
    free(old.lines);
}

void written_clear(struct written *written)
{
    if (written->count)
        memset(written->lines, 0, sizeof *written->lines << written->bits);
    written->count = 0;
}

bool written_next(const struct written *written, size_t *at, uint64_t *line)
{
    size_t end = written->lines ? (size_t)1 << written->bits : 0;
    while (*at < end && written->lines[*at] == 0)
        ++*at;
    if (*at >= end)
        return false;
    *line = written->lines[(*at)++] - 1;
    return true;
}

static void add_access(struct written *written, const struct warp_access *access,
                       uint32_t line_bytes)
{
    struct coalesced_line lines[COALESCE_MAX];
    if (access->kind == ACCESS_NONE || access->kind == ACCESS_READ || access->mask == 0)
        return;
    int n = coalesce(access, line_bytes, lines);
    for (int i = 0; i < n; i++)
        written_add(written, lines[i].line);
}

static int add_warp(struct written *written, struct stream *stream, uint64_t cta, uint32_t warp,
                    uint32_t line_bytes, void *state, struct warp_buffer *buffer,
                    struct error *error)
{
    int status = stream_warp_begin(stream, cta, warp, state, error);
    while (!status && (status = stream_read(stream, state, buffer, error)) > 0) {
        for (int i = 0; i < buffer->count; i++)
            add_access(written, &buffer->items[i], line_bytes);
        status = 0;
    }
    return status;
}

int written_gather(struct written *written, struct stream *stream,
                   const struct stream_kernel *kernel, uint32_t line_bytes, struct error *error)
{
    written_clear(written);
    written->local = LOCAL_ADDRESS / line_bytes;
    void *state = memory_zero(1, kernel->warp_state_size);
    struct warp_buffer *buffer = memory_alloc(sizeof *buffer);
    int status = 0;
    for (uint64_t cta = 0; cta < kernel->n_ctas && !status; cta++) {
        if (interrupt_requested())
            status = error_set(error, STATUS_INTERRUPTED, "interrupted while profiling");
        for (uint32_t w = 0; w < kernel->warps_per_cta && !status; w++)
            status = add_warp(written, stream, cta, w, line_bytes, state, buffer, error);
    }
    free(state);
    free(buffer);
    return status;
}

bool written_has(const struct written *written, uint64_t line)
{
    if (written->local && line >= written->local)
        return true; /* whose it is follows from where warps run */
    return written->lines[place(written, line)] != 0;
}
