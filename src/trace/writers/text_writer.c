/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes any source in the text form (trace/text_format.h). */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "trace/local.h"
#include "trace/spool/spool.h"
#include "trace/text_format.h"

struct text_writing {
    const struct source *source;
    FILE *out;
    struct stream *stream;
    struct stream_kernel kernel;
    void *state;
};

/* Bare where it reads back as one field, else quoted. */
static void text_write_name(FILE *out, const char *name)
{
    bool bare = *name && *name != '#' && *name != '"' && strcmp(name, "-") != 0;
    for (const char *at = name; *at && bare; at++)
        bare = (unsigned char)*at > ' ';
    if (bare) {
        fputs(name, out);
        return;
    }
    putc('"', out);
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            putc('\\', out);
        putc((unsigned char)*name < ' ' ? ' ' : *name, out);
    }
    putc('"', out);
}

static void text_write_ranges(const struct text_writing *writing)
{
    const struct source *source = writing->source;
    for (size_t i = 0; i < source->allocations.count; i++) {
        const struct stream_allocation *allocation = &source->allocations.items[i];
        fputs("allocation ", writing->out);
        if (*allocation->name)
            text_write_name(writing->out, allocation->name);
        else
            putc('-', writing->out);
        fprintf(writing->out, " 0x%" PRIx64 " %" PRIu64 "\n", allocation->base, allocation->bytes);
    }
    for (size_t i = 0; i < source->homes.count; i++)
        fprintf(writing->out, "home 0x%" PRIx64 " %" PRIu64 " %" PRIu32 "\n",
                source->homes.items[i].base, source->homes.items[i].bytes,
                source->homes.items[i].home);
}

static void text_write_dimensions(FILE *out, const char *key, const uint32_t sizes[3])
{
    fprintf(out, " %s=%" PRIu32, key, sizes[0]);
    if (sizes[1] != 1 || sizes[2] != 1)
        fprintf(out, ",%" PRIu32, sizes[1]);
    if (sizes[2] != 1)
        fprintf(out, ",%" PRIu32, sizes[2]);
}

static void text_write_kernel_line(const struct text_writing *writing)
{
    const struct stream_kernel *kernel = &writing->kernel;
    FILE *out = writing->out;
    fputs("\nkernel ", out);
    text_write_name(out, kernel->name);
    text_write_dimensions(out, "grid", kernel->grid);
    text_write_dimensions(out, "block", kernel->block);
    if (kernel->shared_bytes)
        fprintf(out, " shared=%" PRIu32, kernel->shared_bytes);
    if (kernel->recorded_order)
        fputs(" order=recorded", out);
    if (kernel->dropped.local)
        fprintf(out, " dropped-local=%" PRIu64, kernel->dropped.local);
    if (kernel->dropped.bulk)
        fprintf(out, " dropped-bulk=%" PRIu64, kernel->dropped.bulk);
    if (kernel->dropped.unknown)
        fprintf(out, " dropped-unknown=%" PRIu64, kernel->dropped.unknown);
    putc('\n', out);
}

static void text_write_mask(FILE *out, const struct warp_access *access, int lanes)
{
    bool low = access->mask == UINT32_MAX >> (WARP_LANES - lanes);
    if (!low)
        fprintf(out, " mask=0x%08" PRIx32, access->mask);
    else if (lanes > 1 && lanes < WARP_LANES && !access->addresses)
        fprintf(out, " lanes=%d", lanes);
}

/* A line without its end. One to local memory says where in its warp's frame. */
static void text_write_access(const struct text_writing *writing, uint64_t cta, uint32_t warp,
                              const struct warp_access *original)
{
    FILE *out = writing->out;
    static const char letters[] = {'i', 'r', 'w', 'a'};
    uint64_t list[WARP_LANES];
    struct warp_access access = *original;
    int lanes = __builtin_popcount(access.mask);
    if (access.kind == ACCESS_NONE) {
        fprintf(out, "i %" PRIu32, access.instructions);
        return;
    }
    spool_normalise(&access, list);
    if (access.flags & ACCESS_LOCAL)
        local_unplace(&writing->kernel, cta, warp, &access, list);
    fprintf(out, "%c 0x%" PRIx64, letters[access.kind], access.base);
    for (int k = 1; access.addresses && k < lanes; k++)
        fprintf(out, ",%+" PRId64, (int64_t)(access.addresses[k] - access.addresses[k - 1]));
    fprintf(out, " %u", access.bytes);
    if (!access.addresses && lanes > 1)
        fprintf(out, " stride=%" PRId64, access.stride);
    text_write_mask(out, &access, lanes);
    if (access.instructions)
        fprintf(out, " insts=%" PRIu32, access.instructions);
    if (access.ahead)
        fprintf(out, " ahead=%u", access.ahead);
    if (access.think)
        fprintf(out, " think=%" PRIu32, access.think);
    if (access.flags & ACCESS_BYPASS_L1)
        fputs(" bypass", out);
    if (access.path)
        fprintf(out, " %s", access_path_names[access.path]);
    if (access.flags & ACCESS_LOCAL)
        fputs(" local", out);
    if (access.flags & ACCESS_PART)
        fputs(" part", out);
    if (access.flags & ACCESS_BULK)
        fputs(" bulk", out);
}

static int text_write_warp(struct text_writing *writing, uint64_t cta, uint32_t warp, bool *stated,
                           struct error *error)
{
    struct warp_buffer buffer;
    bool named = false;
    int status = stream_warp_begin(writing->stream, cta, warp, writing->state, error);
    if (status)
        return status;
    while ((status = stream_read(writing->stream, writing->state, &buffer, error)) > 0)
        for (int i = 0; i < buffer.count; i++) {
            if (warp_access_is_empty(&buffer.items[i]))
                continue;
            if (writing->kernel.recorded_sm && !*stated)
                fprintf(writing->out, "cta %" PRIu64 " sm=%" PRIu32 "\n", cta,
                        stream_cta_sm(writing->stream, cta));
            *stated = true;
            if (!named)
                fprintf(writing->out, "warp %" PRIu64 " %" PRIu32 "\n", cta, warp);
            named = true;
            text_write_access(writing, cta, warp, &buffer.items[i]);
            putc('\n', writing->out);
        }
    return status;
}

static int text_check_stream(const struct text_writing *writing, struct error *error)
{
    if (interrupt_requested())
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    return ferror(writing->out) ? error_errno(error, "write", "the trace") : 0;
}

static int text_write_warps(struct text_writing *writing, struct error *error)
{
    int status = 0;
    for (uint64_t cta = 0; cta < writing->kernel.n_ctas && !status; cta++) {
        bool stated = false;
        for (uint32_t warp = 0; warp < writing->kernel.warps_per_cta && !status; warp++)
            status = text_write_warp(writing, cta, warp, &stated, error);
        if (!status)
            status = text_check_stream(writing, error);
    }
    return status;
}

static int text_write_ordered(struct text_writing *writing, struct error *error)
{
    struct warp_buffer buffer;
    struct ordered_access origin[WARP_BUFFER_ITEMS];
    int status;
    while ((status = stream_read_ordered(writing->stream, &buffer, origin, error)) > 0) {
        for (int i = 0; i < buffer.count; i++) {
            if (warp_access_is_empty(&buffer.items[i]))
                continue;
            text_write_access(writing, origin[i].cta, origin[i].warp, &buffer.items[i]);
            fprintf(writing->out, " cta=%" PRIu64 " warp=%" PRIu32, origin[i].cta, origin[i].warp);
            if (writing->kernel.recorded_sm)
                fprintf(writing->out, " sm=%" PRIu32, origin[i].sm);
            putc('\n', writing->out);
        }
        if ((status = text_check_stream(writing, error)))
            break;
    }
    return status;
}

/* CTAs that are there and do nothing: the name of a warp says so. */
static int text_write_idle(struct text_writing *writing, struct error *error)
{
    enum { INTERRUPT_CTAS = 4096 };
    int status = 0;
    for (uint64_t cta = 0; cta < writing->kernel.n_ctas && !status; cta++) {
        bool idle;
        status = stream_cta_is_idle(writing->stream, &writing->kernel, cta, writing->state, &idle,
                                    error);
        if (!status && idle)
            fprintf(writing->out, "warp %" PRIu64 " 0\n", cta);
        if (!status && cta % INTERRUPT_CTAS == 0)
            status = text_check_stream(writing, error);
    }
    return status;
}

static int text_write_kernel(struct text_writing *writing, struct error *error)
{
    free(writing->state);
    writing->state = memory_alloc(writing->kernel.warp_state_size);
    text_write_kernel_line(writing);
    int status = writing->kernel.recorded_order ? text_write_ordered(writing, error)
                                                : text_write_warps(writing, error);
    return status ? status : text_write_idle(writing, error);
}

int trace_write_text(const struct source *source, FILE *stream, struct error *error)
{
    struct text_writing writing = {.source = source, .out = stream};
    errno = 0;
    fprintf(stream, "%s %d%s\n", TEXT_FORMAT_MAGIC, TEXT_FORMAT_VERSION, TEXT_FORMAT_PROMISE);
    text_write_ranges(&writing);
    int status = stream_open(source, &writing.stream, error);
    while (!status && (status = stream_next_kernel(writing.stream, &writing.kernel, error)) > 0)
        status = text_write_kernel(&writing, error);
    fprintf(stream, "%s\n", TEXT_FORMAT_END);
    if (!status)
        status = text_check_stream(&writing, error);
    stream_destroy(writing.stream);
    free(writing.state);
    return status;
}
