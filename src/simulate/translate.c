/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lookups and walks. */
#include "simulate/translate.h"

#include "core/hash.h"
#include "simulate/way.h"
#include "trace/stream.h"

/* Of pages under way; numbered behind the caches of lines (way.c). */
static uint32_t unit_of_tlb(const struct gpu *gpu, uint32_t level, uint32_t sm)
{
    const struct system *s = &gpu->system;
    return gpu->l1.nodes + MACHINE_LEVELS_MAX * s->sms + s->domains + level * s->sms +
           tlbs_which(&gpu->tlbs, level, sm);
}

static void enter(const struct way *way, uint32_t level, uint32_t sm, bool takes)
{
    uint32_t first = way->gpu->inlets.tlb[level];
    if (first != INLET_NONE)
        way_act(way, takes ? STEP_ENTER : STEP_PASS,
                first + tlbs_which(&way->gpu->tlbs, level, sm));
    way_delay(way, way->gpu->system.translation.tlbs[level].latency_s);
}

/* Reads of the page table, one after another, while a walker is taken. */
static void walk(const struct way *way, uint32_t domain, uint32_t home, uint64_t page)
{
    struct gpu *gpu = way->gpu;
    const struct system_translation *t = &gpu->system.translation;
    uint32_t walker = translation_walker(t, gpu->system.partitions, domain);
    uint32_t table = translation_table(t, gpu->system.partitions, domain, home);
    uint32_t inlet = gpu->inlets.walkers + (t->shared ? 0 : system_chip(&gpu->system, domain));
    way_cross(way, domain, walker, THERE);
    way_act(way, STEP_ENTER, inlet);
    way_delay(way, t->walk_s);
    for (uint32_t i = 0; i < t->walk_reads; i++) {
        struct way read = *way;
        read.line = hash_fmix64(page + ((uint64_t)i << 56));
        way_cross(&read, walker, table, THERE);
        way_memory(&read, table);
        way_cross(&read, walker, table, BACK);
    }
    way_act(way, STEP_LEAVE, inlet);
    way_cross(way, domain, walker, BACK);
}

static void send_walk(struct gpu *gpu, uint32_t sm, uint32_t home, uint64_t line, uint32_t known)
{
    const struct system_translation *t = &gpu->system.translation;
    uint32_t id, level = 0;
    uint64_t page = tlbs_page(&gpu->tlbs, line);
    struct flight *flight = gpu_other(gpu, line, &id);
    struct way way = {gpu, flight, line, ACCESS_READ, t->entry_bytes};
    flight->page = page;
    for (; level < known && pending_add(&gpu->pending, unit_of_tlb(gpu, level, sm), page); level++)
        enter(&way, level, sm, true);
    /* One of them has it, or will; several misses of one page share an MSHR. */
    if (level < t->n) {
        uint32_t unit = unit_of_tlb(gpu, level, sm);
        enter(&way, level, sm, false);
        if (pending_find(&gpu->pending, unit, page))
            way_act(&way, STEP_WAIT_PAGE, unit);
    } else {
        gpu->walks++;
        walk(&way, system_domain(&gpu->system, sm), home, page);
    }
    while (level-- > 0) {
        way_act(&way, STEP_ARRIVED_PAGE, unit_of_tlb(gpu, level, sm));
        if (gpu->inlets.tlb[level] != INLET_NONE)
            way_act(&way, STEP_LEAVE, gpu->inlets.tlb[level] + tlbs_which(&gpu->tlbs, level, sm));
    }
    way_act(&way, STEP_DONE, 0);
    gpu_send(gpu, id);
}

static void look_up(struct gpu *gpu, uint32_t sm, uint32_t home, uint64_t line)
{
    uint64_t page = tlbs_page(&gpu->tlbs, line);
    if (!tlbs_pages_add(&gpu->pages_seen, page))
        return;
    uint32_t known = tlbs_take(&gpu->tlbs, sm, page);
    for (uint32_t i = 0; i < gpu->tlbs.n && i <= known; i++) {
        gpu->tlb_lookups[i]++;
        gpu->tlb_hits[i] += i == known;
    }
    if (known > 0 && !pending_find(&gpu->pending, unit_of_tlb(gpu, 0, sm), page))
        send_walk(gpu, sm, home, line, known);
}

bool translate_line(struct gpu *gpu, uint32_t sm, uint32_t home, uint64_t line, bool missing,
                    bool moved)
{
    uint64_t page = tlbs_page(&gpu->tlbs, line);
    if (moved)
        tlbs_forget(&gpu->tlbs, line);
    if (gpu->system.translation.behind_l1 && !missing)
        return false;
    look_up(gpu, sm, home, line);
    return gpu->inlets.tlb[0] != INLET_NONE ||
           pending_find(&gpu->pending, unit_of_tlb(gpu, 0, sm), page);
}

void translate_way(const struct way *way, uint32_t sm)
{
    struct gpu *gpu = way->gpu;
    uint32_t unit = unit_of_tlb(gpu, 0, sm);
    way->flight->page = tlbs_page(&gpu->tlbs, way->line);
    enter(way, 0, sm, false);
    if (pending_find(&gpu->pending, unit, way->flight->page))
        way_act(way, STEP_WAIT_PAGE, unit);
}

uint32_t translate_longest(const struct system *system, uint32_t hops)
{
    enum { EACH_TLB = 5, WALK = 6, READ = 3 };
    const struct system_translation *t = &system->translation;
    return t->n ? EACH_TLB * t->n + WALK + 4 * hops + t->walk_reads * (READ + 4 * hops) : 0;
}

void translate_settle(struct gpu *gpu)
{
    const struct plant *plant = &gpu->plant;
    for (size_t i = 0; i < gpu->system.stations.count; i++) {
        const struct station *station = &gpu->system.stations.items[i];
        if (station->kind != STATION_WALKERS)
            continue;
        double busy =
            inlet_busy(&gpu->inlets.items[gpu->inlets.walkers + station->place], gpu->engine.now);
        for (uint32_t unit = 0; unit < station->units; unit++)
            plant->servers[plant->stations[i].first + unit].work_s = busy;
    }
}
