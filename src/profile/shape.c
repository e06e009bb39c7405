/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The structural parameters of a machine, as numbers. */
#include "profile/shape.h"

#include <string.h>

#include "trace/coalesce.h"

enum { LINE_MAX_BYTES = 4096, CHIPS_MAX = 64 };

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

static int read_line(struct shape *shape, const struct machine *machine, struct error *error)
{
    uint64_t line = 0;
    uint32_t sectors = 1;
    int status = read_bytes(machine, "line", &line, error);
    if (!status)
        status = machine_count(machine, "sectors", &sectors, error);
    if (status)
        return status;
    if (line < SECTOR_BYTES || line > LINE_MAX_BYTES || (line & (line - 1)))
        return error_set(error, STATUS_INPUT,
                         "line: the profiler takes powers of two from %d to %d bytes, not %llu",
                         SECTOR_BYTES, LINE_MAX_BYTES, (unsigned long long)line);
    if (sectors != 1)
        return error_set(error, STATUS_INPUT,
                         "sectors: the profiler fetches whole lines (sectors: 1), not %u sectors",
                         sectors);
    shape->line_bytes = (uint32_t)line;
    return 0;
}

static int read_sms(struct shape *shape, const struct machine *machine, struct error *error)
{
    int status = machine_count(machine, "chips", &shape->chips, error);
    if (!status)
        status = machine_count(machine, "sm.per_chip", &shape->sms_per_chip, error);
    if (!status)
        status = machine_count(machine, "sm.warps", &shape->warps, error);
    if (!status)
        status = machine_count(machine, "sm.threads", &shape->threads, error);
    if (!status)
        status = machine_count(machine, "sm.ctas", &shape->ctas, error);
    if (!status)
        status = machine_count(machine, "sm.stall", &shape->stall, error);
    if (!status)
        status = read_choice(machine, "sm.scheduler", "gto", &shape->greedy, error);
    if (!status)
        status = read_choice(machine, "coherence", "software", &shape->flush_at_kernels, error);
    if (!status && (shape->chips < 1 || shape->chips > CHIPS_MAX || shape->sms_per_chip < 1))
        status = error_set(error, STATUS_INPUT, "chips: the profiler takes 1 to %d", CHIPS_MAX);
    shape->sms = shape->chips * shape->sms_per_chip;
    return status;
}

/* A machine that does not say its l1.capacity has no L1. */
static int read_l1(struct shape *shape, const struct machine *machine, struct error *error)
{
    uint64_t capacity;
    bool per_sm;
    int status = read_bytes(machine, "l1.capacity", &capacity, error);
    if (status == STATUS_UNKNOWN_FIELD)
        return 0;
    if (!status)
        status = machine_count(machine, "l1.ways", &shape->l1_ways, error);
    if (!status)
        status = read_choice(machine, "l1.scope", "sm", &per_sm, error);
    if (status)
        return status;
    if (!per_sm)
        return error_set(error, STATUS_INPUT, "l1.scope: the profiler takes an L1 per SM only");
    uint64_t lines = capacity / shape->line_bytes;
    shape->l1_sets = shape->l1_ways ? lines / shape->l1_ways : 0;
    if (shape->l1_sets == 0)
        return error_set(error, STATUS_INPUT,
                         "l1.capacity: %llu bytes do not hold a set of %u lines",
                         (unsigned long long)capacity, shape->l1_ways);
    return 0;
}

static int read_homes(struct shape *shape, const struct machine *machine, struct error *error)
{
    const struct plugin *plugin = NULL;
    int status = machine_count(machine, "llc.slices", &shape->slices, error);
    if (!status)
        status = read_bytes(machine, "page.size", &shape->page_bytes, error);
    if (!status) {
        status = read_bytes(machine, "page.interleave", &shape->interleave_bytes, error);
        status = status == STATUS_UNKNOWN_FIELD ? 0 : status;
    }
    if (!status)
        status = read_plugin(machine, "page.policy", "placement", &plugin, error);
    if (status)
        return status;
    shape->placement = (const struct placement *)plugin;
    if (shape->slices == 0)
        return error_set(error, STATUS_INPUT, "llc.slices: must be at least 1");
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
        status = read_sms(shape, machine, error);
    if (!status)
        status = read_l1(shape, machine, error);
    if (!status)
        status = read_homes(shape, machine, error);
    if (!status)
        status = machine_name(machine, "cta.scope", &shape->cta_scope, error);
    if (!status)
        status = read_plugin(machine, "cta.policy", "schedule", &plugin, error);
    shape->schedule = (const struct schedule *)plugin;
    return status;
}
