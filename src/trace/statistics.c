/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass, CTA by CTA. Because all warps of a CTA are read before the next
 * CTA begins, the last CTA that touched a line tells whether a pair (line, CTA)
 * is new: exact counts of pairs in memory of the footprint. */
#include "trace/statistics.h"

#include <stdlib.h>
#include <string.h>

#include "core/key_table.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "trace/coalesce.h"

/* A line seen so far. */
struct line_slot {
    uint64_t line;   /* + 1 */
    uint64_t cta;    /* that touched it last */
    uint32_t kernel; /* + 1 */
    bool shared;     /* by two CTAs of that kernel */
};

struct gathering {
    const struct source *source;
    struct statistics *statistics;
    struct stream *stream;
    struct stream_kernel kernel;
    struct statistics_kernel *current;
    struct key_table lines;
    size_t allocation; /* found last */
    void *state;
};

double statistics_ctas_per_line(const struct statistics_counts *counts)
{
    return counts->distinct_lines ? (double)counts->line_ctas / (double)counts->distinct_lines : 0;
}

/* Lines that are not shared make one pair each. */
double statistics_ctas_per_shared_line(const struct statistics_counts *counts)
{
    uint64_t pairs = counts->line_ctas - (counts->distinct_lines - counts->shared_lines);
    return counts->shared_lines ? (double)pairs / (double)counts->shared_lines : 0;
}

/* --- lines ------------------------------------------------------------------ */

static void gathering_touch(struct gathering *g, uint64_t line, uint64_t cta)
{
    struct statistics_counts *counts = &g->current->counts;
    uint32_t kernel = (uint32_t)g->statistics->kernels.count + 1;
    struct line_slot *slot = key_table_enter(&g->lines, line + 1);
    if (slot->kernel == kernel) {
        if (slot->cta == cta)
            return;
        counts->shared_lines += !slot->shared;
        slot->shared = true;
        slot->cta = cta;
    } else {
        *slot = (struct line_slot){line + 1, cta, kernel, false};
        counts->distinct_lines++;
    }
    counts->line_ctas++;
}

/* --- allocations ------------------------------------------------------------ */

/* The allocation that holds an address; their number when none does. */
static size_t gathering_allocation(struct gathering *g, uint64_t address)
{
    const struct stream_allocation *items = g->source->allocations.items;
    size_t count = g->source->allocations.count, low = 0, high = count;
    if (g->allocation < count && address - items[g->allocation].base < items[g->allocation].bytes)
        return g->allocation;
    while (low < high) { /* the first one behind the address */
        size_t middle = low + (high - low) / 2;
        if (items[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || address - items[low - 1].base >= items[low - 1].bytes)
        return count;
    return g->allocation = low - 1;
}

static void lane_counts_add(struct lane_counts *counts, uint8_t kind, uint64_t lanes)
{
    counts->reads += kind == ACCESS_READ ? lanes : 0;
    counts->writes += kind == ACCESS_WRITE ? lanes : 0;
    counts->atomics += kind == ACCESS_ATOMIC ? lanes : 0;
}

static void gathering_count_allocations(struct gathering *g, const struct warp_access *access,
                                        int lanes)
{
    struct lane_counts *counts = g->current->allocations;
    uint64_t first = warp_access_address(access, 0), last = warp_access_address(access, lanes - 1);
    size_t count = g->source->allocations.count, found = gathering_allocation(g, first);
    if (!access->addresses && found < count &&
        last - g->source->allocations.items[found].base <
            g->source->allocations.items[found].bytes) {
        lane_counts_add(&counts[found], access->kind, (uint64_t)lanes);
        return;
    }
    for (int k = 0; k < lanes; k++)
        lane_counts_add(&counts[gathering_allocation(g, warp_access_address(access, k))],
                        access->kind, 1);
}

/* --- the pass --------------------------------------------------------------- */

static void gathering_access(struct gathering *g, const struct warp_access *access, uint64_t cta)
{
    struct statistics_counts *counts = &g->current->counts;
    struct coalesced_line lines[COALESCE_MAX];
    counts->instructions += access->instructions;
    int lanes = __builtin_popcount(access->mask);
    if (access->kind == ACCESS_NONE || lanes == 0)
        return;
    counts->warp_accesses++;
    lane_counts_add(&counts->lanes, access->kind, (uint64_t)lanes);
    uint64_t bytes = (uint64_t)lanes * access->bytes;
    counts->lane_bytes += bytes;
    counts->local_bytes += access->flags & ACCESS_LOCAL ? bytes : 0;
    counts->bulk_bytes += access->flags & ACCESS_BULK ? bytes : 0;
    int n = coalesce(access, g->statistics->line_bytes, lines);
    counts->lines += (uint64_t)n;
    for (int i = 0; i < n; i++) {
        counts->sectors += (uint64_t)__builtin_popcount(lines[i].sectors);
        gathering_touch(g, lines[i].line, cta);
    }
    gathering_count_allocations(g, access, lanes);
}

static int gathering_warp(struct gathering *g, uint64_t cta, uint32_t warp, struct error *error)
{
    struct warp_buffer buffer;
    uint64_t accesses = 0;
    int status = stream_warp_begin(g->stream, cta, warp, g->state, error);
    while (!status && (status = stream_read(g->stream, g->state, &buffer, error)) > 0) {
        for (int i = 0; i < buffer.count; i++)
            gathering_access(g, &buffer.items[i], cta);
        accesses += (uint64_t)buffer.count;
        status = 0;
    }
    progress_add(accesses);
    return status;
}

static void statistics_add(struct statistics_counts *to, const struct statistics_counts *from)
{
    to->ctas += from->ctas;
    to->warps += from->warps;
    to->instructions += from->instructions;
    to->warp_accesses += from->warp_accesses;
    to->lanes.reads += from->lanes.reads;
    to->lanes.writes += from->lanes.writes;
    to->lanes.atomics += from->lanes.atomics;
    to->lane_bytes += from->lane_bytes;
    to->local_bytes += from->local_bytes;
    to->bulk_bytes += from->bulk_bytes;
    to->local_frame = to->local_frame > from->local_frame ? to->local_frame : from->local_frame;
    to->lines += from->lines;
    to->sectors += from->sectors;
    to->shared_lines += from->shared_lines;
    to->line_ctas += from->line_ctas;
    to->dropped.local += from->dropped.local;
    to->dropped.bulk += from->dropped.bulk;
    to->dropped.unknown += from->dropped.unknown;
}

static int gathering_kernel(struct gathering *g, struct error *error)
{
    const struct stream_kernel *kernel = &g->kernel;
    struct statistics *statistics = g->statistics;
    struct statistics_kernel fresh = {.name = arena_strdup(statistics->arena, kernel->name),
                                      .shared_bytes = kernel->shared_bytes};
    memcpy(fresh.grid, kernel->grid, sizeof fresh.grid);
    memcpy(fresh.block, kernel->block, sizeof fresh.block);
    fresh.counts.ctas = kernel->n_ctas;
    fresh.counts.warps = kernel->n_ctas * kernel->warps_per_cta;
    fresh.counts.dropped = kernel->dropped;
    fresh.counts.local_frame = kernel->local_bytes;
    fresh.allocations = memory_zero(statistics->allocation_count + 1, sizeof *fresh.allocations);
    VECTOR_PUSH(&statistics->kernels, fresh);
    g->current = &statistics->kernels.items[statistics->kernels.count - 1];
    free(g->state);
    g->state = memory_alloc(kernel->warp_state_size);
    for (uint64_t cta = 0; cta < kernel->n_ctas; cta++) {
        if (interrupt_requested())
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        for (uint32_t warp = 0; warp < kernel->warps_per_cta; warp++) {
            int status = gathering_warp(g, cta, warp, error);
            if (status)
                return status;
        }
    }
    statistics_add(&statistics->total, &g->current->counts);
    for (size_t i = 0; i <= statistics->allocation_count; i++) {
        statistics->total_allocations[i].reads += g->current->allocations[i].reads;
        statistics->total_allocations[i].writes += g->current->allocations[i].writes;
        statistics->total_allocations[i].atomics += g->current->allocations[i].atomics;
    }
    return 0;
}

int statistics_gather(const struct source *source, uint32_t line_bytes, struct statistics **out,
                      struct error *error)
{
    struct statistics *statistics = memory_zero(1, sizeof *statistics);
    struct gathering g = {
        .source = source, .statistics = statistics, .lines.item_bytes = sizeof(struct line_slot)};
    statistics->arena = arena_create();
    statistics->line_bytes = line_bytes;
    statistics->allocation_count = source->allocations.count;
    statistics->total_allocations =
        memory_zero(statistics->allocation_count + 1, sizeof *statistics->total_allocations);
    *out = NULL;
    int status = stream_open(source, &g.stream, error);
    progress_begin(source->name, "accesses", 0);
    while (!status && (status = stream_next_kernel(g.stream, &g.kernel, error)) > 0)
        status = gathering_kernel(&g, error);
    progress_end();
    statistics->total.distinct_lines = g.lines.used;
    stream_destroy(g.stream);
    key_table_fini(&g.lines);
    free(g.state);
    if (status)
        statistics_destroy(statistics);
    else
        *out = statistics;
    return status;
}

void statistics_destroy(struct statistics *statistics)
{
    if (!statistics)
        return;
    for (size_t i = 0; i < statistics->kernels.count; i++)
        free(statistics->kernels.items[i].allocations);
    VECTOR_FREE(&statistics->kernels);
    arena_destroy(statistics->arena);
    free(statistics->total_allocations);
    free(statistics);
}
