/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What forms the stream of requests: structural parameters, read and checked. */
#include <stdlib.h>
#include <string.h>

#include "core/plugin.h"
#include "machine/system_internal.h"

enum { LINE_MOST = 4096 };

static bool power_of_two(uint64_t value)
{
    return value && (value & (value - 1)) == 0;
}

static void check_line(struct system_reader *r)
{
    struct system *s = r->out;
    uint64_t line = system_bytes(r, "line", false);
    if (r->status)
        return;
    if (line < SECTOR_LEAST || line > LINE_MOST || !power_of_two(line))
        r->status =
            error_set(r->error, STATUS_INPUT,
                      "line: the profiler takes powers of two from %d to %d bytes, not %llu",
                      SECTOR_LEAST, LINE_MOST, (unsigned long long)line);
    else if (!power_of_two(s->sectors) || s->sectors > line / SECTOR_LEAST || s->sectors > 32)
        r->status =
            error_set(r->error, STATUS_INPUT,
                      "sectors: the profiler takes powers of two up to a sector of %d bytes, "
                      "not %u sectors in a line of %llu",
                      SECTOR_LEAST, s->sectors, (unsigned long long)line);
    if (r->status)
        return;
    uint32_t bits = (uint32_t)line / SECTOR_LEAST;
    s->sector_bits = (bits < 32 ? bits : 32) / s->sectors;
}

static void check_domains(struct system_reader *r)
{
    struct system *s = r->out;
    if (r->status)
        return;
    if (s->domains < 1 || s->domains > DOMAINS_MAX || s->sms_per_chip < 1)
        r->status =
            error_set(r->error, STATUS_INPUT,
                      "chips, partitions: the profiler takes 1 to %d partitions in all, not %u",
                      DOMAINS_MAX, s->domains);
    else if (s->sms_per_chip % s->partitions)
        r->status = error_set(r->error, STATUS_INPUT,
                              "partitions: %u SMs a chip do not divide among %u partitions",
                              s->sms_per_chip, s->partitions);
}

/* trace.local, on where it is not given. */
static bool local_is_off(const struct machine *machine)
{
    struct error unknown;
    const char *local;
    return machine_name(machine, "trace.local", &local, &unknown) == 0 && strcmp(local, "off") == 0;
}

static void read_sms(struct system_reader *r)
{
    static const char *const orders[] = {
        [WARPS_LRR] = "lrr", [WARPS_GTO] = "gto", [WARPS_GRR] = "grr"};
    struct system *s = r->out;
    s->warps = system_count(r, "sm.warps");
    s->threads = system_count(r, "sm.threads");
    s->ctas = system_count(r, "sm.ctas");
    s->stall = system_count(r, "sm.stall");
    s->ahead = (uint32_t)system_number_or(r, "sm.ahead", 0);
    for (int i = WARPS_LRR; i <= WARPS_GRR; i++)
        if (system_is(r, "sm.scheduler", orders[i]))
            s->order = (enum warp_order)i;
}

static void read_nodes(struct system_reader *r)
{
    struct system *s = r->out;
    uint32_t nodes = 0, clusters = 0;
    if (r->status)
        return;
    r->status = machine_l1_nodes(r->machine, &nodes, &clusters, r->error);
    if (!r->status && clusters % s->partitions)
        r->status =
            error_set(r->error, STATUS_INPUT,
                      "l1.clusters: %u clusters do not divide among %u partitions: a cluster "
                      "may not span two of them",
                      clusters, s->partitions);
    s->l1_nodes = nodes * s->chips;
    s->l1_clusters = clusters * s->chips;
    if (!r->status)
        r->status = machine_l1_home(r->machine, &s->l1_by_slice, r->error);
}

/* Ways and sets of one cache of the level, which holds so many bytes. */
static void read_sets(struct system_reader *r, struct system_level *level, uint64_t capacity)
{
    level->ways = system_count(r, system_path(level->name, "ways").text);
    if (r->status)
        return;
    uint64_t lines = capacity / r->out->line_bytes;
    level->sets = level->ways ? lines / level->ways : 0;
}

static void refuse_small(struct system_reader *r, const struct system_level *level,
                         uint64_t capacity)
{
    if (!r->status && level->sets == 0)
        r->status = error_set(r->error, STATUS_INPUT,
                              "%s.capacity: %llu bytes do not hold a set of %u lines", level->name,
                              (unsigned long long)capacity, level->ways);
}

/* A machine that does not say its l1.capacity has no L1. */
static void read_l1(struct system_reader *r)
{
    struct system *s = r->out;
    struct system_level *l1 = &s->levels[0];
    read_nodes(r);
    uint64_t capacity = system_bytes(r, "l1.capacity", true);
    l1->caches = s->l1_nodes;
    l1->index_hashed = system_is(r, "l1.index", "hashed");
    if (r->status || capacity == 0)
        return;
    read_sets(r, l1, capacity * (s->sms / s->l1_nodes));
    refuse_small(r, l1, capacity);
}

void system_check_clusters(struct system_reader *r, const char *name)
{
    const struct system *s = r->out;
    if (r->status)
        return;
    uint32_t clusters = s->clusters / s->chips;
    if (clusters == 0) {
        r->status =
            error_set(r->error, STATUS_UNKNOWN_FIELD,
                      "sm.clusters is unknown, and %s has one cache a cluster of SMs", name);
        error_hint(r->error, "say how many clusters the SMs of a chip form: sm.clusters=8");
    } else if (s->sms_per_chip % clusters || clusters % s->partitions) {
        r->status = error_set(r->error, STATUS_INPUT,
                              "sm.clusters: %u SMs in %u partitions do not form %u clusters of one "
                              "size, each in one partition",
                              s->sms_per_chip, s->partitions, clusters);
    }
}

static void read_between(struct system_reader *r, struct system_level *level)
{
    uint64_t capacity = system_bytes(r, system_path(level->name, "capacity").text, false);
    if (level->scope == PER_CLUSTER)
        system_check_clusters(r, level->name);
    if (r->status)
        return;
    read_sets(r, level, capacity / (level->caches / r->out->chips));
    refuse_small(r, level, capacity);
    if (!r->status && level->sets > UINT32_MAX)
        r->status =
            error_set(r->error, STATUS_INPUT, "%s.capacity: %llu bytes are more than 2^32 sets",
                      level->name, (unsigned long long)capacity);
}

static void read_slices(struct system_reader *r, struct system_level *llc)
{
    const struct system *s = r->out;
    uint32_t slices = system_count(r, "llc.slices");
    if (!r->status && (slices == 0 || slices % s->partitions))
        r->status = error_set(r->error, STATUS_INPUT,
                              "llc.slices: %u slices a chip do not divide among %u partitions",
                              slices, s->partitions);
    llc->slices = r->status ? 1 : slices / s->partitions;
}

/* The LLC's size is no part of the structure: only samplers look at it. A domain's. */
static void read_llc_size(struct system_reader *r, struct system_level *llc)
{
    const struct system *s = r->out;
    double capacity = system_number_or(r, "llc.capacity", 0);
    llc->ways = (uint32_t)system_number_or(r, "llc.ways", 0);
    if (r->status || !(capacity > 0 && capacity < 0x1p62) || llc->ways == 0)
        return;
    uint64_t sets = (uint64_t)capacity / s->partitions / s->line_bytes / llc->ways;
    llc->sets = sets < UINT32_MAX ? sets : 0;
}

static const struct plugin *read_plugin(struct system_reader *r, const char *path, const char *kind)
{
    const struct plugin *plugin = NULL;
    const char *name = system_name(r, path);
    if (!r->status)
        r->status = plugin_require(kind, name, &plugin, r->error);
    return plugin;
}

/* Under lrr nobody waits in the profiler's rounds. */
static bool ties_by_waits(const struct machine *machine, enum warp_order order)
{
    struct error not_given;
    const char *ties = NULL;
    int status = machine_name(machine, "page.ties", &ties, &not_given);
    return order != WARPS_LRR && (status < 0 || !ties || strcmp(ties, "waits") == 0);
}

static void read_pages(struct system_reader *r)
{
    struct system *s = r->out;
    s->page_bytes = system_bytes(r, "page.size", false);
    s->page_threshold = system_number(r, "page.threshold");
    s->interleave_bytes = system_bytes(r, "page.interleave", true);
    s->page_move_after = (uint32_t)system_number_or(r, "page.move_after", 0);
    s->ties_by_waits = ties_by_waits(r->machine, s->order);
    s->placement = read_plugin(r, "page.policy", "placement");
    if (!r->status && (s->page_bytes == 0 || s->page_bytes % s->line_bytes))
        r->status =
            error_set(r->error, STATUS_INPUT, "page.size: %llu bytes are no multiple of the line",
                      (unsigned long long)s->page_bytes);
}

void system_read_stream(struct system_reader *r)
{
    struct system *s = r->out;
    struct system_level *llc = &s->levels[s->n_levels - 1];
    check_line(r);
    check_domains(r);
    read_sms(r);
    read_l1(r);
    for (uint32_t i = 0; i < system_between(s); i++)
        read_between(r, &s->levels[1 + i]);
    read_slices(r, llc);
    read_pages(r);
    read_llc_size(r, llc);
    system_read_translation_stream(r);
    system_read_beside_stream(r);
    s->cta_scope = system_name(r, "cta.scope");
    s->cta_batch = system_count(r, "cta.batch");
    s->cta_chips = system_count(r, "cta.chips");
    s->no_local = local_is_off(r->machine);
    s->cta_start_next = system_is(r, "cta.start", "next");
    if (!r->status && s->cta_chips > s->chips)
        r->status =
            error_set(r->error, STATUS_INPUT, "cta.chips: %u of %u chips", s->cta_chips, s->chips);
    s->schedule = read_plugin(r, "cta.policy", "schedule");
}
