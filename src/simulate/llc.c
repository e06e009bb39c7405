/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of ways. */
#include "simulate/llc.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "profile/request.h"
#include "trace/stream.h"

void llc_init(struct llc *llc, const struct system *system, uint32_t sets, uint32_t ways,
              uint32_t remote_ways)
{
    *llc = (struct llc){
        .domains = system->domains,
        .sets = sets,
        .ways = ways,
        .slices = system_llc(system)->slices,
        .level = *system_llc(system),
    };
    llc->items = memory_table((size_t)llc->domains * sets * ways, sizeof *llc->items);
    if (remote_ways == 0)
        return;
    llc->remote_ways = memory_zero(llc->domains, sizeof *llc->remote_ways);
    for (uint32_t d = 0; d < llc->domains; d++)
        llc->remote_ways[d] = remote_ways;
}

void llc_fini(struct llc *llc)
{
    free(llc->items);
    free(llc->remote_ways);
}

uint32_t llc_slice(const struct llc *llc, uint64_t line)
{
    return llc->level.slices_fixed ? system_fixed_slice(&llc->level, line)
                                   : hash_reduce(hash_fmix64(line), llc->slices);
}

/* High bits of the hash choose the slice and go on to choose the set in it. */
static struct llc_way *llc_set(const struct llc *llc, uint32_t domain, uint64_t line)
{
    uint64_t hash = hash_fmix64(line);
    uint32_t set = hash_reduce(hash, llc->sets);
    if (llc->level.slices_fixed && llc->sets >= llc->slices) {
        uint32_t per_slice = llc->sets / llc->slices;
        set = system_fixed_slice(&llc->level, line) * per_slice + hash_reduce(hash, per_slice);
    }
    return llc->items + ((size_t)domain * llc->sets + set) * llc->ways;
}

/* Moves a way to the front of its set. */
static void promote(struct llc_way *set, uint32_t way)
{
    struct llc_way moved = set[way];
    memmove(set + 1, set, way * sizeof *set);
    set[0] = moved;
}

/* The way that a new line of a part takes. */
static uint32_t victim(const struct llc *llc, const struct llc_way *set, uint32_t domain,
                       enum llc_part part)
{
    uint32_t last = llc->ways - 1;
    if (!llc->remote_ways || set[last].tag == 0)
        return last;
    uint32_t quota =
        part == LLC_REMOTE ? llc->remote_ways[domain] : llc->ways - llc->remote_ways[domain];
    uint32_t own = 0;
    for (uint32_t way = 0; way < llc->ways; way++)
        own += set[way].part == part;
    bool leave_own = own >= quota && own > 0;
    while (last > 0 && (set[last].part == part) != leave_own)
        last--;
    return last;
}

uint32_t llc_take(struct llc *llc, const struct llc_request *r, struct llc_dirty *dirty,
                  bool *out_dirty)
{
    struct llc_way *set = llc_set(llc, r->domain, r->line);
    uint32_t way = 0, count = sectors_count(r->sectors);
    *out_dirty = false;
    llc->lookups += count;
    while (way < llc->ways && set[way].tag != r->line + 1)
        way++;
    if (way == llc->ways) {
        way = victim(llc, set, r->domain, r->part);
        if (set[way].tag && set[way].dirty) {
            *out_dirty = true;
            *dirty = (struct llc_dirty){set[way].tag - 1, set[way].dirty, r->domain, set[way].home};
        }
        set[way] = (struct llc_way){
            .tag = r->line + 1, .home = (uint8_t)r->home, .part = (uint8_t)r->part};
    }
    promote(set, way);
    uint32_t missing = r->sectors & ~set->valid;
    llc->hits += count - sectors_count(missing);
    set->valid |= r->sectors;
    if (r->kind != ACCESS_READ)
        set->dirty |= r->sectors;
    return r->kind == ACCESS_WRITE ? 0 : missing;
}

uint32_t llc_remove(struct llc *llc, uint32_t domain, uint64_t line, bool *was_there)
{
    struct llc_way *set = llc_set(llc, domain, line);
    uint32_t way = 0;
    while (way < llc->ways && set[way].tag != line + 1)
        way++;
    *was_there = way < llc->ways;
    if (!*was_there)
        return 0;
    uint32_t dirty = set[way].dirty, behind = llc->ways - 1 - way;
    memmove(set + way, set + way + 1, behind * sizeof *set);
    set[llc->ways - 1] = (struct llc_way){0};
    return dirty;
}

void llc_flush(struct llc *llc, enum llc_part part, bool all, llc_emit_fn *emit, void *context)
{
    size_t per_domain = (size_t)llc->sets * llc->ways;
    for (size_t first = 0; first < llc->domains * per_domain; first += llc->ways) {
        struct llc_way *set = llc->items + first;
        uint32_t kept = 0;
        for (uint32_t way = 0; way < llc->ways && set[way].tag; way++) {
            if (!all && set[way].part != part) {
                set[kept++] = set[way];
                continue;
            }
            if (set[way].dirty)
                emit(context, &(struct llc_dirty){set[way].tag - 1, set[way].dirty,
                                                  (uint32_t)(first / per_domain), set[way].home});
        }
        for (uint32_t way = kept; way < llc->ways && set[way].tag; way++)
            set[way] = (struct llc_way){0};
    }
}
