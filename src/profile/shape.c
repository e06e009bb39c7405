/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The structural parameters of a machine, as numbers. */
#include "profile/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "trace/coalesce.h"

enum { LINE_MAX_BYTES = 4096 };

static int read_bytes(const struct machine *machine, const char *path, uint64_t *out,
                      struct error *error)
{
    double value = 0;
    int status = machine_number(machine, path, &value, error);
    if (!status && (value < 0 || value > 0x1p62))
        status = error_set(error, STATUS_INPUT, "%s: %g bytes cannot be profiled", path, value);
    *out = status ? 0 : (uint64_t)value;
    return status;
}

static int read_plugin(const struct machine *machine, const char *path, const char *kind,
                       const struct plugin **out, struct error *error)
{
    const char *name = NULL;
    int status = machine_name(machine, path, &name, error);
    return status ? status : plugin_require(kind, name, out, error);
}

static int read_choice(const struct machine *machine, const char *path, const char *wanted,
                       bool *out, struct error *error)
{
    const char *name = NULL;
    int status = machine_name(machine, path, &name, error);
    *out = !status && strcmp(name, wanted) == 0;
    return status;
}

static bool power_of_two(uint64_t value)
{
    return value && (value & (value - 1)) == 0;
}

static int read_line(struct shape *shape, const struct machine *machine, struct error *error)
{
    uint64_t line = 0;
    int status = read_bytes(machine, "line", &line, error);
    if (!status)
        status = machine_count(machine, "sectors", &shape->sectors, error);
    if (status)
        return status;
    if (line < SECTOR_BYTES || line > LINE_MAX_BYTES || !power_of_two(line))
        return error_set(error, STATUS_INPUT,
                         "line: the profiler takes powers of two from %d to %d bytes, not %llu",
                         SECTOR_BYTES, LINE_MAX_BYTES, (unsigned long long)line);
    if (!power_of_two(shape->sectors) || shape->sectors > line / SECTOR_BYTES ||
        shape->sectors > 32)
        return error_set(error, STATUS_INPUT,
                         "sectors: the profiler takes powers of two up to a sector of %d bytes, "
                         "not %u sectors in a line of %llu",
                         SECTOR_BYTES, shape->sectors, (unsigned long long)line);
    uint32_t bits = (uint32_t)line / SECTOR_BYTES;
    shape->line_bytes = (uint32_t)line;
    shape->sector_bits = (bits < 32 ? bits : 32) / shape->sectors;
    return 0;
}

static int read_domains(struct shape *shape, const struct machine *machine, struct error *error)
{
    int status = machine_count(machine, "chips", &shape->chips, error);
    if (!status)
        status = machine_count(machine, "partitions", &shape->partitions, error);
    if (!status)
        status = machine_count(machine, "sm.per_chip", &shape->sms_per_chip, error);
    if (status)
        return status;
    shape->domains = shape->chips * shape->partitions;
    shape->sms = shape->chips * shape->sms_per_chip;
    if (shape->domains < 1 || shape->domains > DOMAINS_MAX || shape->sms_per_chip < 1)
        return error_set(error, STATUS_INPUT,
                         "chips, partitions: the profiler takes 1 to %d partitions in all, not %u",
                         DOMAINS_MAX, shape->domains);
    if (shape->sms_per_chip % shape->partitions)
        return error_set(error, STATUS_INPUT,
                         "partitions: %u SMs a chip do not divide among %u partitions",
                         shape->sms_per_chip, shape->partitions);
    shape->sms_per_domain = shape->sms_per_chip / shape->partitions;
    return 0;
}

static int read_sms(struct shape *shape, const struct machine *machine, struct error *error)
{
    static const char *const orders[] = {
        [WARPS_LRR] = "lrr", [WARPS_GTO] = "gto", [WARPS_GRR] = "grr"};
    const char *order = NULL;
    int status = machine_count(machine, "sm.warps", &shape->warps, error);
    if (!status)
        status = machine_count(machine, "sm.threads", &shape->threads, error);
    if (!status)
        status = machine_count(machine, "sm.ctas", &shape->ctas, error);
    if (!status)
        status = machine_count(machine, "sm.stall", &shape->stall, error);
    if (!status)
        status = machine_name(machine, "sm.scheduler", &order, error);
    if (!status)
        status = read_choice(machine, "coherence", "software", &shape->flush_at_kernels, error);
    for (int i = WARPS_LRR; !status && i <= WARPS_GRR; i++)
        if (strcmp(order, orders[i]) == 0)
            shape->order = (enum warp_order)i;
    return status;
}

static int read_nodes(struct shape *shape, const struct machine *machine, struct error *error)
{
    uint32_t nodes = 0, clusters = 0;
    int status = machine_l1_nodes(machine, &nodes, &clusters, error);
    if (status)
        return status;
    if (clusters % shape->partitions)
        return error_set(error, STATUS_INPUT,
                         "l1.clusters: %u clusters do not divide among %u partitions: a cluster "
                         "may not span two of them",
                         clusters, shape->partitions);
    shape->l1_nodes = nodes * shape->chips;
    shape->l1_clusters = clusters * shape->chips;
    return 0;
}

/* A machine that does not say its l1.capacity has no L1. */
static int read_l1(struct shape *shape, const struct machine *machine, struct error *error)
{
    uint64_t capacity = 0;
    int status = read_nodes(shape, machine, error);
    if (!status)
        status = read_choice(machine, "l1.contents", "perfect", &shape->l1_perfect, error);
    if (!status)
        status = read_choice(machine, "l1.write", "evict", &shape->l1_write_evict, error);
    if (!status)
        status = read_choice(machine, "l1.bypass", "remote", &shape->l1_bypass_remote, error);
    if (status)
        return status;
    status = read_bytes(machine, "l1.capacity", &capacity, error);
    if (status == STATUS_UNKNOWN_FIELD)
        return 0;
    if (!status)
        status = machine_count(machine, "l1.ways", &shape->l1_ways, error);
    if (status)
        return status;
    uint64_t lines = capacity * (shape->sms / shape->l1_nodes) / shape->line_bytes;
    shape->l1_sets = shape->l1_ways ? lines / shape->l1_ways : 0;
    if (shape->l1_sets == 0)
        return error_set(error, STATUS_INPUT,
                         "l1.capacity: %llu bytes do not hold a set of %u lines",
                         (unsigned long long)capacity, shape->l1_ways);
    return 0;
}

static int read_front(struct shape *shape, const struct machine *machine, const char *name,
                      struct error *error)
{
    struct shape_front front = {.name = name};
    char path[128];
    uint64_t capacity = 0;
    bool local = false, remote = false;
    snprintf(path, sizeof path, "%s.capacity", name);
    int status = read_bytes(machine, path, &capacity, error);
    snprintf(path, sizeof path, "%s.ways", name);
    if (!status)
        status = machine_count(machine, path, &front.ways, error);
    snprintf(path, sizeof path, "%s.scope", name);
    if (!status)
        status = read_choice(machine, path, "partition", &front.per_partition, error);
    snprintf(path, sizeof path, "%s.filter", name);
    if (!status)
        status = read_choice(machine, path, "local", &local, error);
    if (!status)
        status = read_choice(machine, path, "remote", &remote, error);
    snprintf(path, sizeof path, "%s.write", name);
    if (!status)
        status = read_choice(machine, path, "back", &front.write_back, error);
    if (status)
        return status;
    front.filter = local ? FILTER_LOCAL : remote ? FILTER_REMOTE : FILTER_ALL;
    uint64_t lines = capacity / (front.per_partition ? shape->partitions : 1) / shape->line_bytes;
    front.sets = lines / front.ways;
    if (front.sets == 0)
        return error_set(error, STATUS_INPUT,
                         "%s.capacity: %llu bytes do not hold a set of %u lines", name,
                         (unsigned long long)capacity, front.ways);
    if (front.sets > UINT32_MAX)
        return error_set(error, STATUS_INPUT, "%s.capacity: %llu bytes are more than 2^32 sets",
                         name, (unsigned long long)capacity);
    shape->fronts[shape->n_fronts++] = front;
    return 0;
}

static int read_fronts(struct shape *shape, const struct machine *machine, struct error *error)
{
    struct machine_levels levels;
    int status = machine_levels(machine, false, &levels, error);
    for (int i = 0; i < levels.n && !status; i++)
        status = read_front(shape, machine, levels.names[i], error);
    return status;
}

static int read_slices(struct shape *shape, const struct machine *machine, struct error *error)
{
    int status = machine_count(machine, "llc.slices", &shape->slices, error);
    if (!status)
        status = read_choice(machine, "llc.mapping", "fixed", &shape->slices_fixed, error);
    if (status)
        return status;
    if (shape->slices == 0 || shape->slices % shape->partitions)
        return error_set(error, STATUS_INPUT,
                         "llc.slices: %u slices a chip do not divide among %u partitions",
                         shape->slices, shape->partitions);
    shape->slices /= shape->partitions;
    return 0;
}

/* The LLC's size is no part of the structure: only the samplers look at it. */
static void read_llc(struct shape *shape, const struct machine *machine)
{
    struct error ignored;
    uint64_t capacity = 0;
    if (read_bytes(machine, "llc.capacity", &capacity, &ignored) ||
        machine_count(machine, "llc.ways", &shape->llc_ways, &ignored) || shape->llc_ways == 0)
        return;
    uint64_t sets = capacity / shape->partitions / shape->line_bytes / shape->llc_ways;
    shape->llc_sets = sets < UINT32_MAX ? (uint32_t)sets : 0;
}

static int read_pages(struct shape *shape, const struct machine *machine, struct error *error)
{
    const struct plugin *plugin = NULL;
    int status = read_bytes(machine, "page.size", &shape->page_bytes, error);
    if (!status)
        status = machine_number(machine, "page.threshold", &shape->page_threshold, error);
    if (!status) {
        status = read_bytes(machine, "page.interleave", &shape->interleave_bytes, error);
        status = status == STATUS_UNKNOWN_FIELD ? 0 : status;
    }
    if (!status) {
        status = machine_count(machine, "page.move_after", &shape->page_move_after, error);
        status = status == STATUS_UNKNOWN_FIELD ? 0 : status;
    }
    if (!status)
        status = read_plugin(machine, "page.policy", "placement", &plugin, error);
    if (status)
        return status;
    shape->placement = (const struct placement *)plugin;
    if (shape->page_bytes == 0 || shape->page_bytes % shape->line_bytes)
        return error_set(error, STATUS_INPUT, "page.size: %llu bytes are no multiple of the line",
                         (unsigned long long)shape->page_bytes);
    if (shape->placement->unit && shape->interleave_bytes % shape->line_bytes)
        return error_set(error, STATUS_INPUT,
                         "page.interleave: %llu bytes are no multiple of the line",
                         (unsigned long long)shape->interleave_bytes);
    return 0;
}

int shape_read(struct shape *shape, const struct machine *machine, struct error *error)
{
    const struct plugin *plugin = NULL;
    *shape = (struct shape){0};
    int status = read_line(shape, machine, error);
    if (!status)
        status = read_domains(shape, machine, error);
    if (!status)
        status = read_sms(shape, machine, error);
    if (!status)
        status = read_l1(shape, machine, error);
    if (!status)
        status = read_fronts(shape, machine, error);
    if (!status)
        status = read_slices(shape, machine, error);
    if (!status)
        status = read_pages(shape, machine, error);
    if (!status)
        read_llc(shape, machine);
    if (!status)
        status = machine_name(machine, "cta.scope", &shape->cta_scope, error);
    if (!status)
        status = machine_count(machine, "cta.batch", &shape->cta_batch, error);
    if (!status)
        status = read_plugin(machine, "cta.policy", "schedule", &plugin, error);
    shape->schedule = (const struct schedule *)plugin;
    return status;
}

int shape_begin_schedule(const struct shape *shape, struct stream *stream,
                         const struct stream_kernel *kernel, struct schedule_context *out,
                         struct error *error)
{
    const struct schedule *schedule = shape->schedule;
    *out = (struct schedule_context){
        .n_chips = shape->chips,
        .sms_per_chip = shape->sms_per_chip,
        .n_domains = shape->domains,
        .scope = shape->cta_scope,
        .batch = shape->cta_batch,
        .n_ctas = kernel->n_ctas,
        .recorded_sm = kernel->recorded_sm,
        .stream = stream,
        .state = schedule->state_size ? memory_zero(1, schedule->state_size) : NULL,
    };
    return schedule->setup ? schedule->setup(out, error) : 0;
}

void shape_end_schedule(const struct shape *shape, struct schedule_context *context)
{
    if (shape->schedule->finish)
        shape->schedule->finish(context);
    free(context->state);
    context->state = NULL;
}

const char *shape_domain_scope(const struct shape *shape)
{
    return shape->partitions > 1 ? "partition" : "chip";
}
