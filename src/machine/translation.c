/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLBs of a machine, in order; what walks take. */
#include "machine/translation.h"

#include <string.h>

#include "machine/internal.h"
#include "machine/system_internal.h"

static bool is_of_scope(const struct machine *machine, const char *name, const char *scope)
{
    struct error ignored;
    const char *own = "";
    return machine_name(machine, system_path(name, "scope").text, &own, &ignored) == 0 &&
           strcmp(own, scope) == 0;
}

int machine_tlbs(const struct machine *machine, struct machine_tlbs *out, struct error *error)
{
    out->n = 0;
    for (int scope = 0; scope < LEVEL_SCOPES; scope++)
        for (size_t i = 0; i < machine->n_sections; i++) {
            const char *name = machine->sections[i].name;
            if (strcmp(machine->sections[i].schema->kind, "tlb") != 0 ||
                !is_of_scope(machine, name, level_scope_names[scope]))
                continue;
            if (out->n == MACHINE_TLBS_MAX)
                return error_set(error, STATUS_INPUT, "%s: at most %d TLBs", name,
                                 MACHINE_TLBS_MAX);
            out->names[out->n++] = name;
        }
    return 0;
}

uint32_t translation_walker(const struct system_translation *t, uint32_t partitions,
                            uint32_t domain)
{
    return t->shared ? t->chip * partitions : domain;
}

uint32_t translation_table(const struct system_translation *t, uint32_t partitions, uint32_t domain,
                           uint32_t home)
{
    return t->tables == TABLES_PAGE   ? home
           : t->tables == TABLES_CHIP ? t->chip * partitions
                                      : translation_walker(t, partitions, domain);
}

/* --- the form ------------------------------------------------------------------------- */

static void read_tlb(struct system_reader *r, const char *name)
{
    struct system *s = r->out;
    const uint32_t caches[LEVEL_SCOPES] = {s->sms, 0, s->clusters, s->domains, s->chips, 1};
    struct system_tlb *tlb = &s->translation.tlbs[s->translation.n++];
    *tlb = (struct system_tlb){.name = name};
    for (int scope = 0; scope < LEVEL_SCOPES; scope++)
        if (is_of_scope(r->machine, name, level_scope_names[scope]))
            tlb->scope = scope;
    tlb->caches = caches[tlb->scope];
}

void system_read_translation(struct system_reader *r)
{
    struct system_translation *t = &r->out->translation;
    struct machine_tlbs tlbs;
    if (!r->status)
        r->status = machine_tlbs(r->machine, &tlbs, r->error);
    if (r->status || tlbs.n == 0)
        return;
    for (int i = 0; i < tlbs.n; i++)
        read_tlb(r, tlbs.names[i]);
    t->behind_l1 = system_is(r, "translation.of", "misses");
    t->shared = system_is(r, "translation.scope", "system");
    t->tables = system_is(r, "translation.tables", "page")   ? TABLES_PAGE
                : system_is(r, "translation.tables", "chip") ? TABLES_CHIP
                                                             : TABLES_LOCAL;
    t->chip = system_count(r, "translation.chip");
    if (!r->status && t->chip >= r->out->chips)
        r->status = error_set(r->error, STATUS_INPUT,
                              "translation.chip: there is no chip %u among %u, from 0 on", t->chip,
                              r->out->chips);
}

/* --- what forms the stream -------------------------------------------------------------- */

static void check_clusters(struct system_reader *r, const struct system_tlb *tlb)
{
    const struct system *s = r->out;
    if (r->status || tlb->scope != PER_CLUSTER)
        return;
    if (s->clusters == 0 || s->sms % s->clusters) {
        r->status =
            error_set(r->error, s->clusters ? STATUS_INPUT : STATUS_UNKNOWN_FIELD,
                      "sm.clusters: %s has a TLB a cluster of SMs, and %u SMs do not form %u",
                      tlb->name, s->sms, s->clusters);
        error_hint(r->error, "say how many clusters the SMs of a chip form: sm.clusters=8");
    }
}

void system_read_translation_stream(struct system_reader *r)
{
    struct system *s = r->out;
    struct system_translation *t = &s->translation;
    if (r->status || t->n == 0)
        return;
    t->page_bytes = system_bytes(r, "translation.page", true);
    if (t->page_bytes == 0)
        t->page_bytes = system_bytes(r, "page.size", false);
    if (!r->status && t->page_bytes % s->line_bytes)
        r->status = error_set(r->error, STATUS_INPUT,
                              "translation.page: %llu bytes are no multiple of the line",
                              (unsigned long long)t->page_bytes);
    for (uint32_t i = 0; i < t->n && !r->status; i++) {
        struct system_tlb *tlb = &t->tlbs[i];
        uint32_t entries = system_count(r, system_path(tlb->name, "entries").text);
        tlb->ways = system_count(r, system_path(tlb->name, "ways").text);
        tlb->ways = tlb->ways < entries ? tlb->ways : entries;
        tlb->sets = tlb->ways ? entries / tlb->ways : 0;
        check_clusters(r, tlb);
        if (!r->status && entries % tlb->ways)
            r->status = error_set(r->error, STATUS_INPUT, "%s.entries: %u do not form sets of %u",
                                  tlb->name, entries, tlb->ways);
    }
}

/* --- what serves it --------------------------------------------------------------------- */

void system_add_walkers(struct system_reader *r)
{
    struct system *s = r->out;
    struct system_translation *t = &s->translation;
    if (r->status || t->n == 0)
        return;
    for (uint32_t i = 0; i < t->n; i++) {
        struct system_tlb *tlb = &t->tlbs[i];
        tlb->name = arena_strdup(s->texts, tlb->name);
        tlb->latency_s = system_number(r, system_path(tlb->name, "latency").text);
        tlb->mshrs = (uint32_t)system_number_or(r, system_path(tlb->name, "mshrs").text, 0);
    }
    t->walkers = system_count(r, "translation.walkers");
    t->walk_reads = system_count(r, "translation.walk_reads");
    t->walk_s = system_number(r, "translation.walk_latency");
    t->entry_bytes = system_number(r, "translation.entry");
    for (uint32_t place = 0; place < (t->shared ? 1 : s->chips) && !r->status; place++) {
        struct station station = {.kind = STATION_WALKERS,
                                  .place = place,
                                  .units = t->walkers,
                                  .rate = t->walkers,
                                  .path = "translation.walkers",
                                  .share = 1,
                                  .efficiency = 1,
                                  .per_chip = !t->shared,
                                  .per_system = t->shared};
        VECTOR_PUSH(&s->stations, station);
    }
}
