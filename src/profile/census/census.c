/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One walk over all warps, CTA by CTA. Allocations are contiguous but for their
 * alignment, so lines are places in a table: a mask of domains and whether any
 * wrote it. */
#include "profile/census/census.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "machine/system.h"
#include "trace/coalesce.h"
#include "profile/issue/schedule.h"

enum { TABLE_LINES_MAX = INT32_MAX, LINE_BYTES = 128 };

double census_allocated_bytes(const struct source *source)
{
    double bytes = 0;
    for (size_t i = 0; i < source->allocations.count; i++)
        bytes += (double)source->allocations.items[i].bytes;
    return bytes;
}

static void count_launch(struct census_launches *launches, const struct stream_kernel *kernel)
{
    launches->launches++;
    launches->ctas_total += kernel->n_ctas;
    launches->ctas = launches->ctas > kernel->n_ctas ? launches->ctas : kernel->n_ctas;
}

/* State of one warp at a time. */
struct reading {
    void *state;
    size_t size;
    struct warp_buffer buffer;
};

static void reading_prepare(struct reading *reading, const struct stream_kernel *kernel)
{
    if (kernel->warp_state_size <= reading->size)
        return;
    free(reading->state);
    reading->size = kernel->warp_state_size;
    reading->state = memory_alloc(reading->size);
}

/* The first, the middle and the last CTA stand for all. */
static int estimate_lines(struct reading *reading, struct stream *stream,
                          const struct stream_kernel *kernel, double *lines, struct error *error)
{
    const uint64_t ctas[] = {0, kernel->n_ctas / 2, kernel->n_ctas - 1};
    double seen = 0;
    reading_prepare(reading, kernel);
    for (int c = 0; c < 3; c++)
        for (uint32_t warp = 0; warp < kernel->warps_per_cta; warp++) {
            int count, status = stream_warp_begin(stream, ctas[c], warp, reading->state, error);
            if (status)
                return status;
            while ((count = stream_read(stream, reading->state, &reading->buffer, error)) > 0) {
                struct coalesced_line found[COALESCE_MAX];
                for (int i = 0; i < count; i++)
                    seen += coalesce(&reading->buffer.items[i], LINE_BYTES, found);
            }
            if (count < 0)
                return count;
        }
    *lines += seen / 3 * (double)kernel->n_ctas;
    return 0;
}

int census_count_launches(const struct source *source, double most, struct census_launches *out,
                          struct error *error)
{
    struct stream *stream;
    struct stream_kernel kernel;
    struct reading reading = {0};
    int status = stream_open(source, &stream, error);
    *out = (struct census_launches){0};
    while (!status && (status = stream_next_kernel(stream, &kernel, error)) > 0) {
        out->cut = out->lines > most;
        if (out->cut)
            break;
        count_launch(out, &kernel);
        status = most < (double)INFINITY && !kernel.repeats
                     ? estimate_lines(&reading, stream, &kernel, &out->lines, error)
                     : 0;
    }
    stream_destroy(stream);
    free(reading.state);
    return status > 0 ? 0 : status;
}

struct walk {
    const struct source *source;
    struct system system;
    uint64_t first_line, lines; /* of the table */
    struct census_line {
        uint64_t domains; /* a bit a domain that touches the line in this run */
        uint64_t launch_domains;
        uint32_t launch; /* the last one that touched it, from 1 */
        bool written, launch_written, replicable;
    } * table;
    uint32_t launch;
    bool unknown_domains;
    struct reading reading;
};

/* ---- the table ---------------------------------------------------------- */

static int table_begin(struct walk *w, struct error *error)
{
    const struct source *source = w->source;
    uint64_t page_lines = w->system.page_bytes / w->system.line_bytes;
    if (!source->allocations.count)
        return error_set(error, STATUS_INPUT, "%s does not say what it allocates", source->name);
    const struct stream_allocation *first = &source->allocations.items[0],
                                   *last = first + source->allocations.count - 1;
    w->first_line = first->base / w->system.page_bytes * page_lines;
    w->lines = (last->base + last->bytes - 1) / w->system.line_bytes + 1 - w->first_line;
    if (w->lines > TABLE_LINES_MAX) {
        error_set(error, STATUS_INPUT, "%s: %.0f GB are too many to count", source->name,
                  census_allocated_bytes(source) / 1e9);
        error_hint(error, "choose a smaller input, or a size below x1");
        return STATUS_INPUT;
    }
    w->table = memory_table(w->lines, sizeof *w->table);
    return 0;
}

/* The line's last launch is over. */
static void line_settle(struct census_line *line)
{
    bool shared = line->launch_domains & (line->launch_domains - 1);
    line->replicable = line->replicable || (shared && !line->launch_written);
    line->launch_domains = 0;
    line->launch_written = false;
}

/* Pages begin with the table's first line. */
static void table_sum(const struct walk *w, struct census *out)
{
    uint64_t page_lines = w->system.page_bytes / w->system.line_bytes;
    uint64_t touched = 0, truly = 0, falsely = 0, read_only = 0, replicable = 0;
    for (uint64_t page = 0; page < w->lines; page += page_lines) {
        uint64_t end = page + page_lines < w->lines ? page + page_lines : w->lines, all = 0;
        for (uint64_t i = page; i < end; i++)
            all |= w->table[i].domains;
        for (uint64_t i = page; i < end && all; i++) {
            struct census_line *line = &w->table[i];
            uint64_t own = line->domains;
            bool shared = own & (own - 1);
            line_settle(line);
            replicable += line->replicable;
            touched += own != 0;
            truly += shared;
            read_only += shared && !line->written;
            falsely += own && !shared && own != all;
        }
    }
    double bytes = w->system.line_bytes;
    out->footprint_bytes = bytes * (double)touched;
    bytes = w->unknown_domains ? (double)NAN : bytes;
    out->truly_shared_bytes = bytes * (double)truly;
    out->falsely_shared_bytes = bytes * (double)falsely;
    out->read_only_shared_bytes = bytes * (double)read_only;
    out->replicable_bytes = bytes * (double)replicable;
}

/* ---- the walk ----------------------------------------------------------- */

static int walk_access(struct walk *w, const struct warp_access *access, uint64_t domain,
                       struct error *error)
{
    struct coalesced_line lines[COALESCE_MAX];
    int n = coalesce(access, w->system.line_bytes, lines);
    for (int i = 0; i < n; i++) {
        uint64_t at = lines[i].line - w->first_line;
        if (at >= w->lines)
            return error_set(error, STATUS_INPUT, "%s: an access outside its allocations",
                             w->source->name);
        struct census_line *line = &w->table[at];
        if (line->launch != w->launch) {
            line_settle(line);
            line->launch = w->launch;
        }
        line->domains |= domain;
        line->launch_domains |= domain;
        line->written |= access->kind != ACCESS_READ;
        line->launch_written |= access->kind != ACCESS_READ;
    }
    return 0;
}

static int walk_cta(struct walk *w, struct stream *stream, const struct stream_kernel *kernel,
                    uint64_t cta, uint64_t domain, struct error *error)
{
    struct reading *r = &w->reading;
    uint64_t accesses = 0;
    int status = 0;
    for (uint32_t warp = 0; warp < kernel->warps_per_cta && !status; warp++) {
        status = stream_warp_begin(stream, cta, warp, r->state, error);
        while (!status && (status = stream_read(stream, r->state, &r->buffer, error)) > 0) {
            int count = status;
            status = 0;
            accesses += (uint64_t)count;
            for (int i = 0; i < count && !status; i++)
                status = walk_access(w, &r->buffer.items[i], domain, error);
        }
    }
    progress_add(accesses);
    if (!status && interrupt_requested())
        status = error_set(error, STATUS_INTERRUPTED, "interrupted while counting");
    return status;
}

/* The domain whose SMs take the unit's CTAs; -1: they are in several. */
static int unit_domain(const struct system *system, const struct schedule_context *context,
                       uint32_t unit)
{
    int domain = -1;
    for (uint32_t sm = 0; sm < system->sms; sm++) {
        int own = (int)system_domain(system, sm);
        if (schedule_unit(system, context, sm) != unit || own == domain)
            continue;
        if (domain >= 0)
            return -1;
        domain = own;
    }
    return domain;
}

static int walk_units(struct walk *w, struct stream *stream, const struct stream_kernel *kernel,
                      const struct schedule_context *context, struct error *error)
{
    const struct schedule *schedule = schedule_of(&w->system);
    uint32_t units = schedule->n_units(context);
    int status = 0;
    for (uint32_t unit = 0; unit < units && !status; unit++) {
        int domain = unit_domain(&w->system, context, unit);
        uint64_t cta;
        w->unknown_domains = w->unknown_domains || domain < 0;
        domain = domain < 0 ? 0 : domain;
        for (uint64_t n = 0; !status && (cta = schedule->cta(context, unit, n)) != UINT64_MAX; n++)
            status = walk_cta(w, stream, kernel, cta, (uint64_t)1 << domain, error);
    }
    return status;
}

static int walk_launch(struct walk *w, struct stream *stream, const struct stream_kernel *kernel,
                       struct error *error)
{
    struct schedule_context context;
    reading_prepare(&w->reading, kernel);
    int status = schedule_begin(&w->system, stream, kernel, &context, error);
    if (!status)
        status = walk_units(w, stream, kernel, &context, error);
    schedule_end(&w->system, &context);
    return status;
}

int census_take(const struct source *source, const struct machine *machine, struct census *out,
                struct error *error)
{
    struct walk w = {.source = source};
    struct stream *stream = NULL;
    struct stream_kernel kernel;
    *out = (struct census){0};
    int status = system_compile(&w.system, machine, SYSTEM_STREAM, error);
    if (!status)
        status = table_begin(&w, error);
    if (!status)
        status = stream_open(source, &stream, error);
    while (!status && (status = stream_next_kernel(stream, &kernel, error)) > 0) {
        count_launch(&out->launches, &kernel);
        w.launch++;
        status = kernel.repeats ? 0 : walk_launch(&w, stream, &kernel, error);
    }
    if (!status)
        table_sum(&w, out);
    stream_destroy(stream);
    free(w.table);
    free(w.reading.state);
    return status;
}
