/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The binary form of a trace: see trace/binary_format.h. Opening walks over the
 * whole file: it checks every block, so that damage shows before any work is
 * done, and gathers the allocations, which may stand anywhere. */
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "trace/readers/binary_kernel.h"
#include "trace/reader.h"
#include "trace/input/decoder.h"
#include "trace/spool/spooled.h"

struct binary_source {
    struct spooled_source spooled;
    struct {
        const char **items; /* of the kernels */
        size_t count, capacity;
    } names;
};

struct binary_cursor {
    struct binary_blocks blocks;
    int state; /* what binary_blocks_next returned last */
};

static bool binary_detect(const char *path, const char *head, size_t size)
{
    size_t magic = strlen(BINARY_FORMAT_MAGIC);
    return decoder_ends_in(path, BINARY_FORMAT_SUFFIX) ||
           (size >= magic && memcmp(head, BINARY_FORMAT_MAGIC, magic) == 0);
}

/* --- opening ---------------------------------------------------------------- */

/* number base, number bytes */
static int binary_range(const struct binary_blocks *blocks, const uint8_t **at, uint64_t *base,
                        uint64_t *bytes, struct error *error)
{
    const uint8_t *begin = *at;
    bool wrong = false;
    *base = binary_get(at, &wrong);
    *bytes = binary_get(at, &wrong);
    if (wrong || *bytes == 0 || *base >= TRACE_ADDRESS_LIMIT || *bytes >= TRACE_ADDRESS_LIMIT ||
        *at > blocks->end)
        return binary_error(error, blocks, begin, "expected a range of addresses below 2^60");
    return 0;
}

static int binary_allocation(const struct binary_blocks *blocks, const uint8_t **at,
                             struct source *source, struct error *error)
{
    struct stream_allocation allocation;
    const char *name;
    size_t length;
    int status = binary_range(blocks, at, &allocation.base, &allocation.bytes, error);
    if (!status)
        status = binary_get_name(blocks, at, &name, &length, error);
    if (status)
        return status;
    allocation.name = arena_strndup(source->arena, name, length);
    VECTOR_PUSH(&source->allocations, allocation);
    return 0;
}

static int binary_home(const struct binary_blocks *blocks, const uint8_t **at,
                       struct source *source, struct error *error)
{
    struct stream_home home;
    bool wrong = false;
    int status = binary_range(blocks, at, &home.base, &home.bytes, error);
    if (status)
        return status;
    const uint8_t *begin = *at;
    uint64_t domain = binary_get(at, &wrong);
    if (wrong || domain > TRACE_SM_MAX || *at > blocks->end)
        return binary_error(error, blocks, begin, "expected a domain from 0 to %d", TRACE_SM_MAX);
    home.home = (uint32_t)domain;
    VECTOR_PUSH(&source->homes, home);
    return 0;
}

static int binary_ranges(const struct binary_blocks *blocks, struct source *source,
                         struct error *error)
{
    int status = 0;
    for (const uint8_t *at = blocks->payload; at < blocks->end && !status;) {
        uint8_t kind = *at++;
        if (kind == BINARY_ALLOCATION)
            status = binary_allocation(blocks, &at, source, error);
        else if (kind == BINARY_HOME)
            status = binary_home(blocks, &at, source, error);
        else
            status = binary_error(error, blocks, at - 1, "expected an allocation or a home");
    }
    return status;
}

static int binary_enter_kernel(const struct binary_blocks *blocks, struct binary_source *self,
                               struct error *error)
{
    struct binary_kernel kernel;
    struct stream_kernel launch;
    int status = binary_kernel_head(blocks, &kernel, &launch, error);
    if (!status)
        VECTOR_PUSH(&self->names,
                    arena_strndup(self->spooled.source.arena, kernel.name, kernel.name_length));
    return status;
}

/* One walk over all blocks. */
static int binary_survey(struct binary_blocks *blocks, struct binary_source *self,
                         struct hash_content *hash, struct error *error)
{
    int status;
    while ((status = binary_blocks_next(blocks, error)) > 0) {
        hash_content_add(hash, blocks->payload - BINARY_BLOCK_HEADER,
                         BINARY_BLOCK_HEADER + (size_t)(blocks->end - blocks->payload));
        status = 0;
        if (blocks->kind == BINARY_RANGES)
            status = binary_ranges(blocks, &self->spooled.source, error);
        else if (blocks->kind == BINARY_KERNEL)
            status = binary_enter_kernel(blocks, self, error);
        else if (self->names.count == 0)
            status = binary_error(error, blocks, blocks->payload, "accesses without a kernel");
        if (status)
            return status;
    }
    struct mark mark = {blocks->path, 0, 0, NULL};
    if (!status && self->names.count == 0)
        status = error_at(error, STATUS_INPUT, &mark, "the trace holds no kernel");
    return status;
}

/* --- a stream --------------------------------------------------------------- */

static void binary_end(void *cursor)
{
    struct binary_cursor *self = cursor;
    binary_blocks_close(&self->blocks);
    free(self);
}

static int binary_begin(const struct spooled_source *source, void **cursor, struct error *error)
{
    struct binary_cursor *self = memory_zero(1, sizeof *self);
    int status = binary_blocks_open(&self->blocks, source->source.path, error);
    self->state = 1;
    if (status)
        binary_end(self);
    else
        *cursor = self;
    return status;
}

/* Moves to the next kernel block or the end of the file. */
static int binary_find_kernel(struct binary_cursor *self, struct error *error)
{
    while (self->state > 0 && self->blocks.kind != BINARY_KERNEL)
        self->state = binary_blocks_next(&self->blocks, error);
    return self->state;
}

static int binary_load_kernel(struct binary_cursor *self, struct spool *spool,
                              struct stream_kernel *out, struct error *error)
{
    struct binary_kernel kernel;
    int status = binary_kernel_head(&self->blocks, &kernel, out, error);
    if (status)
        return status;
    spool_reset(spool, kernel.has_block ? out->warps_per_cta : SPOOL_WARPS_MAX);
    while ((self->state = binary_blocks_next(&self->blocks, error)) > 0 &&
           self->blocks.kind != BINARY_KERNEL) {
        if (self->blocks.kind == BINARY_ACCESSES)
            status = binary_kernel_accesses(&self->blocks, &kernel, spool, out, error);
        if (status)
            return status;
    }
    if (self->state < 0)
        return self->state;
    spooled_derive_launch(out, spool, kernel.has_grid, kernel.has_block);
    return 1;
}

static int binary_load(const struct spooled_source *source, void *cursor, size_t number,
                       struct spool *spool, struct stream_kernel *out, struct error *error)
{
    const struct binary_source *all = (const struct binary_source *)source;
    struct binary_cursor *self = cursor;
    int status = binary_find_kernel(self, error);
    if (status > 0 && number == all->names.count)
        status =
            error_set(error, STATUS_INPUT, "%s has changed while it was read", source->source.path);
    if (status > 0)
        status = binary_load_kernel(self, spool, out, error);
    if (status > 0)
        out->name = all->names.items[number];
    return byte_reader_blame(self->blocks.bytes, status, error);
}

/* --- the source ------------------------------------------------------------- */

static void binary_fini(struct spooled_source *source)
{
    VECTOR_FREE(&((struct binary_source *)source)->names);
}

static struct binary_source *binary_create(const char *path)
{
    static const struct spooled_class spooled = {binary_begin, binary_load, binary_end, binary_fini,
                                                 false};
    struct binary_source *self = memory_zero(1, sizeof *self);
    spooled_source_init(&self->spooled, &spooled, NULL, path);
    return self;
}

static int binary_open(const char *path, struct source **out, struct error *error)
{
    struct binary_blocks blocks;
    *out = NULL;
    int status = binary_blocks_open(&blocks, path, error);
    if (status)
        return status;
    struct binary_source *self = binary_create(path);
    struct source *source = &self->spooled.source;
    struct hash_content *hash = hash_content_begin();
    status = binary_survey(&blocks, self, hash, error);
    hash_content_end(hash, source->hash);
    if (!status)
        status = spooled_sort_ranges(source, error);
    status = byte_reader_blame(blocks.bytes, status, error);
    binary_blocks_close(&blocks);
    return spooled_opened(&self->spooled, status, out);
}

const struct reader reader_binary = {
    .plugin = {.kind = "reader",
               .name = "binary",
               .summary = "the binary form (*" BINARY_FORMAT_SUFFIX "): compact, checked, fast",
               .reference = NULL},
    .detect = binary_detect,
    .open = binary_open,
};
