/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scopes, sides and filters of a machine. */
#include "machine/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/internal.h"
#include "machine/system_internal.h"

const char *const level_side_names[LEVEL_SIDES] = {"home", "requester"};
const char *const level_scope_names[LEVEL_SCOPES] = {"sm",        "group", "cluster",
                                                     "partition", "chip",  "system"};
const char *const level_filter_names[LEVEL_FILTERS] = {"all", "local", "remote"};

/* A name that a machine may leave open; "" then. */
static const char *name_or_none(const struct system_reader *r, const char *section,
                                const char *field)
{
    struct parameter p;
    if (!machine_lookup(r->machine, system_path(section, field).text, &p))
        return "";
    const struct parameter_value *value = &p.section->values[p.index];
    return value->known ? value->name : "";
}

static bool named(const struct system_reader *r, const char *section, const char *field,
                  const char *name)
{
    return strcmp(name_or_none(r, section, field), name) == 0;
}

/* Which of the names a field has; `fallback` where it has none of them. */
static int named_one(const struct system_reader *r, const char *section, const char *field,
                     const char *const *names, int n, int fallback)
{
    const char *name = name_or_none(r, section, field);
    for (int i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return fallback;
}

/* --- the form ------------------------------------------------------------------------ */

static void read_scopes(struct system_reader *r)
{
    struct system *s = r->out;
    s->chips = system_count(r, "chips");
    s->partitions = system_count(r, "partitions");
    s->sms_per_chip = system_count(r, "sm.per_chip");
    if (r->status)
        return;
    s->domains = s->chips * s->partitions;
    s->sms = s->chips * s->sms_per_chip;
    s->sms_per_domain = s->sms_per_chip / s->partitions;
    s->sms_per_domain = s->sms_per_domain > 1 ? s->sms_per_domain : 1;
    s->clusters = (uint32_t)system_number_or(r, "sm.clusters", 0) * s->chips;
    s->line_bytes = (uint32_t)system_number(r, "line");
    s->sectors = system_count(r, "sectors");
    s->request_bytes = system_number(r, "line") / (s->sectors > 1 ? s->sectors : 1);
}

static void add_level(struct system_reader *r, const char *name)
{
    static const char *const writes[] = {"through", "evict", "back"};
    static const char *const flushes[FLUSH_COHERENCE] = {"none", "dirty", "stale", "all"};
    struct system *s = r->out;
    struct system_level *level = &s->levels[s->n_levels++];
    const uint32_t caches[LEVEL_SCOPES] = {s->sms, 0, s->clusters, s->domains, s->chips, 1};
    *level = (struct system_level){.name = name};
    level->scope =
        (enum level_scope)named_one(r, name, "scope", level_scope_names, LEVEL_SCOPES, PER_CHIP);
    level->caches = caches[level->scope];
    level->side =
        (enum level_side)named_one(r, name, "side", level_side_names, LEVEL_SIDES, SIDE_HOME);
    level->filter = (enum level_filter)named_one(r, name, "filter", level_filter_names,
                                                 LEVEL_FILTERS, FILTER_ALL);
    level->write = (enum level_write)named_one(r, name, "write", writes, 3, WRITE_THROUGH);
    const char *split = name_or_none(r, name, "split");
    level->moves_share = strcmp(split, "dynamic") == 0;
    level->split = level->moves_share || strcmp(split, "static") == 0;
    level->flush =
        (enum level_flush)named_one(r, name, "flush", flushes, FLUSH_COHERENCE, FLUSH_COHERENCE);
    level->perfect = named(r, name, "contents", "perfect");
    level->bypassed_remote = named(r, name, "bypass", "remote");
    level->slices_fixed = named(r, name, "mapping", "fixed");
    double lines =
        system_number_or(r, system_path(name, "interleave").text, s->line_bytes) / s->line_bytes;
    level->slice_lines = (uint32_t)fmin(fmax(1, lines), UINT32_MAX);
}

static void read_levels(struct system_reader *r)
{
    struct machine_levels between;
    add_level(r, "l1");
    if (!r->status)
        r->status = machine_levels(r->machine, false, &between, r->error);
    for (int i = 0; !r->status && i < between.n; i++)
        add_level(r, between.names[i]);
    add_level(r, "llc");
}

static void read_policies(struct system_reader *r)
{
    struct system *s = r->out;
    s->point_to_point = machine_has(r->machine, "p2p");
    s->crossing = machine_has(r->machine, "crossing") && s->partitions > 1;
    s->asks_home =
        s->crossing && named(r, "crossing", "misses", "home") && !s->levels[s->n_levels - 1].split;
    s->flush_at_kernels = !named(r, "", "coherence", "hardware");
    s->awaits_writes = named(r, "cta", "writes", "awaited");
    s->fetches_partial = named(r, "memory", "partial_write", "fetch");
    s->shared_misses = named(r, "noc", "misses", "shared");
    if (machine_has(r->machine, "llc") && !named(r, "llc", "replication", "none"))
        s->replication =
            named(r, "llc", "replication", "full") ? REPLICATION_FULL : REPLICATION_DECIDED;
}

int system_compile(struct system *system, const struct machine *machine, unsigned parts,
                   struct error *error)
{
    struct system_reader r = {.machine = machine, .out = system, .error = error};
    *system = (struct system){.inter = {.overhead = 1}, .noc = {.overhead = 1}};
    read_scopes(&r);
    if (!r.status)
        read_levels(&r);
    if (!r.status)
        read_policies(&r);
    if (!r.status)
        system_read_translation(&r);
    if (!r.status)
        system_read_beside(&r);
    if (!r.status && parts & SYSTEM_STREAM)
        system_read_stream(&r);
    if (!r.status && parts & SYSTEM_STATIONS)
        system_add_stations(&r);
    return r.status;
}

void system_fini(struct system *system)
{
    VECTOR_FREE(&system->stations);
    link_graph_fini(&system->links);
    arena_destroy(system->texts);
    free(system->routes);
    system->texts = NULL;
    system->routes = NULL;
}

enum level_flush system_flush(const struct system *system, const struct system_level *level,
                              enum level_side side)
{
    if (level->flush != FLUSH_COHERENCE)
        return level->flush;
    if (level == system_l1(system))
        return FLUSH_ALL;
    if (side == SIDE_HOME || !system->flush_at_kernels)
        return FLUSH_NONE;
    return level == system_llc(system) ? FLUSH_STALE : FLUSH_ALL;
}
