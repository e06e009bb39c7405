/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes any source in the binary form (trace/binary_format.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "trace/writers/binary_encode.h"
#include "trace/local.h"
#include "trace/spool/spool.h"

struct binary_writing {
    const struct source *source;
    FILE *out;
    uint64_t offset; /* in the file */
    struct binary_block block;
    struct stream *stream;
    struct stream_kernel kernel;
    void *state;
    bool named; /* the block names the warp below */
    uint64_t cta;
    uint32_t warp;
};

static void binary_begin(struct binary_writing *writing, enum binary_kind kind)
{
    binary_block_begin(&writing->block, kind);
    writing->named = false;
}

static int binary_flush(struct binary_writing *writing, struct error *error)
{
    struct binary_block *block = &writing->block;
    binary_block_end(block, writing->offset);
    writing->offset += block->size;
    if (interrupt_requested())
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    if (fwrite(block->data, 1, block->size, writing->out) != block->size)
        return error_errno(error, "write", "the trace");
    return 0;
}

/* Makes room for one more record of `size` bytes in a block of that kind. */
static int binary_reserve(struct binary_writing *writing, enum binary_kind kind, size_t size,
                          struct error *error)
{
    if (writing->block.size + size <= BINARY_BLOCK_BYTES ||
        writing->block.size == BINARY_BLOCK_HEADER)
        return 0;
    int status = binary_flush(writing, error);
    binary_begin(writing, kind);
    return status;
}

static int binary_check_name(const char *name, struct error *error)
{
    if (strlen(name) <= BINARY_NAME_MAX)
        return 0;
    return error_set(error, STATUS_INPUT, "the name \"%.40s...\" has more than 1 MiB", name);
}

static int binary_write_ranges(struct binary_writing *writing, struct error *error)
{
    const struct source *source = writing->source;
    struct binary_block *block = &writing->block;
    int status = 0;
    binary_begin(writing, BINARY_RANGES);
    for (size_t i = 0; i < source->allocations.count && !status; i++) {
        const struct stream_allocation *allocation = &source->allocations.items[i];
        size_t length = strlen(allocation->name);
        status = binary_check_name(allocation->name, error);
        if (!status)
            status = binary_reserve(writing, BINARY_RANGES, length + 64, error);
        if (!status)
            binary_put_allocation(block, allocation->base, allocation->bytes, allocation->name,
                                  length);
    }
    for (size_t i = 0; i < source->homes.count && !status; i++) {
        const struct stream_home *home = &source->homes.items[i];
        status = binary_reserve(writing, BINARY_RANGES, 64, error);
        binary_put_byte(block, BINARY_HOME);
        binary_put(block, home->base);
        binary_put(block, home->bytes);
        binary_put(block, home->home);
    }
    if (status || block->size == BINARY_BLOCK_HEADER)
        return status;
    return binary_flush(writing, error);
}

static int binary_write_kernel(struct binary_writing *writing, struct error *error)
{
    const struct stream_kernel *kernel = &writing->kernel;
    int status = binary_check_name(kernel->name, error);
    if (status)
        return status;
    binary_begin(writing, BINARY_KERNEL);
    binary_put_kernel(
        &writing->block,
        (kernel->recorded_order ? BINARY_ORDER : 0) | (kernel->recorded_sm ? BINARY_SMS : 0),
        kernel->grid, kernel->block, kernel->shared_bytes, kernel->name, strlen(kernel->name));
    status = binary_flush(writing, error);
    binary_begin(writing, BINARY_ACCESSES);
    const struct stream_dropped *dropped = &kernel->dropped;
    if (dropped->local || dropped->bulk || dropped->unknown)
        binary_put_dropped(&writing->block, dropped);
    return status;
}

static void binary_name_warp(struct binary_writing *writing, uint64_t cta, uint32_t warp,
                             uint32_t sm)
{
    binary_put_warp(&writing->block, cta, warp);
    if (writing->kernel.recorded_sm)
        binary_put(&writing->block, sm);
    writing->named = true;
    writing->cta = cta;
    writing->warp = warp;
}

static int binary_write_access(struct binary_writing *writing, uint64_t cta, uint32_t warp,
                               uint32_t sm, const struct warp_access *original, struct error *error)
{
    struct warp_access access = *original;
    uint64_t list[WARP_LANES];
    struct binary_block *block = &writing->block;
    /* What says nothing is left out, as in the text form. */
    if (warp_access_is_empty(&access))
        return 0;
    int status = binary_reserve(writing, BINARY_ACCESSES, BINARY_RECORD_MAX + 32, error);
    if (!writing->named || writing->cta != cta || writing->warp != warp)
        binary_name_warp(writing, cta, warp, sm);
    if (access.kind == ACCESS_NONE) {
        binary_put_byte(block, BINARY_REST);
        binary_put(block, access.instructions);
    } else {
        spool_normalise(&access, list);
        if (access.flags & ACCESS_LOCAL)
            local_unplace(&writing->kernel, cta, warp, &access, list);
        binary_put_access(block, &access);
    }
    return status;
}

static int binary_write_warp(struct binary_writing *writing, uint64_t cta, uint32_t warp,
                             struct error *error)
{
    struct warp_buffer buffer;
    struct stream *stream = writing->stream;
    uint32_t sm = writing->kernel.recorded_sm ? stream_cta_sm(stream, cta) : 0;
    int status = stream_warp_begin(stream, cta, warp, writing->state, error);
    while (!status && (status = stream_read(stream, writing->state, &buffer, error)) > 0) {
        status = 0;
        for (int i = 0; i < buffer.count && !status; i++)
            status = binary_write_access(writing, cta, warp, sm, &buffer.items[i], error);
    }
    return status;
}

static int binary_write_warps(struct binary_writing *writing, struct error *error)
{
    int status = 0;
    for (uint64_t cta = 0; cta < writing->kernel.n_ctas && !status; cta++)
        for (uint32_t warp = 0; warp < writing->kernel.warps_per_cta && !status; warp++)
            status = binary_write_warp(writing, cta, warp, error);
    return status;
}

static int binary_write_ordered(struct binary_writing *writing, struct error *error)
{
    struct warp_buffer buffer;
    struct ordered_access origin[WARP_BUFFER_ITEMS];
    int status;
    while ((status = stream_read_ordered(writing->stream, &buffer, origin, error)) > 0) {
        status = 0;
        for (int i = 0; i < buffer.count && !status; i++)
            status = binary_write_access(writing, origin[i].cta, origin[i].warp, origin[i].sm,
                                         &buffer.items[i], error);
        if (status)
            break;
    }
    return status;
}

/* CTAs that are there and do nothing. */
static int binary_write_idle(struct binary_writing *writing, struct error *error)
{
    int status = 0;
    for (uint64_t cta = 0; cta < writing->kernel.n_ctas && !status; cta++) {
        bool idle;
        status = stream_cta_is_idle(writing->stream, &writing->kernel, cta, writing->state, &idle,
                                    error);
        if (status || !idle)
            continue;
        status = binary_reserve(writing, BINARY_ACCESSES, BINARY_RECORD_MAX, error);
        binary_name_warp(writing, cta, 0,
                         writing->kernel.recorded_sm ? stream_cta_sm(writing->stream, cta) : 0);
    }
    return status;
}

/* Behind the kernel's own block. */
static int binary_write_accesses(struct binary_writing *writing, struct error *error)
{
    free(writing->state);
    writing->state = memory_alloc(writing->kernel.warp_state_size);
    int status = writing->kernel.recorded_order ? binary_write_ordered(writing, error)
                                                : binary_write_warps(writing, error);
    if (!status)
        status = binary_write_idle(writing, error);
    if (!status && writing->block.size > BINARY_BLOCK_HEADER)
        status = binary_flush(writing, error);
    return status;
}

static int binary_write_all(struct binary_writing *writing, struct error *error)
{
    uint8_t header[BINARY_FILE_HEADER];
    binary_file_header(header);
    fwrite(header, 1, sizeof header, writing->out); /* an error shows in the first flush */
    writing->offset = sizeof header;
    int status = binary_write_ranges(writing, error);
    if (!status)
        status = stream_open(writing->source, &writing->stream, error);
    while (!status && (status = stream_next_kernel(writing->stream, &writing->kernel, error)) > 0) {
        status = binary_write_kernel(writing, error);
        if (!status)
            status = binary_write_accesses(writing, error);
    }
    binary_begin(writing, BINARY_END);
    if (!status)
        status = binary_flush(writing, error);
    if (!status && ferror(writing->out))
        status = error_errno(error, "write", "the trace");
    return status;
}

int trace_write_binary(const struct source *source, FILE *stream, struct error *error)
{
    struct binary_writing writing = {.source = source, .out = stream};
    writing.block.data = memory_alloc(BINARY_BLOCK_HEADER + BINARY_PAYLOAD_MAX);
    errno = 0;
    int status = binary_write_all(&writing, error);
    stream_destroy(writing.stream);
    free(writing.state);
    free(writing.block.data);
    return status;
}
