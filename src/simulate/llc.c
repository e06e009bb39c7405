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
        .through = system_writes_through(system_llc(system), system_llc(system)->side),
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
    return system_slice(&llc->level, line, hash_fmix64(line));
}

/* High bits of the hash choose the slice and go on to choose the set in it. */
static struct llc_way *llc_set(const struct llc *llc, uint32_t domain, uint64_t line)
{
    uint64_t hash = hash_fmix64(line);
    uint32_t set = hash_reduce(hash, llc->sets);
    if (llc->level.slices_fixed && llc->sets >= llc->slices) {
        uint32_t per_slice = llc->sets / llc->slices;
        set = system_slice(&llc->level, line, hash) * per_slice + hash_reduce(hash, per_slice);
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
    uint32_t last = llc->ways - 1, own = 0;
    if (!llc->remote_ways)
        return last;
    uint32_t quota =
        part == LLC_REMOTE ? llc->remote_ways[domain] : llc->ways - llc->remote_ways[domain];
    for (uint32_t way = 0; way < llc->ways && set[way].tag; way++)
        own += set[way].part == part;
    bool leave_own = own >= quota;
    if (set[last].tag == 0 && !leave_own)
        return last;
    while (last > 0 && (set[last].tag == 0 || (set[last].part == part) != leave_own))
        last--;
    return last;
}

static bool has_ways(const struct llc *llc, const struct llc_request *r)
{
    uint32_t remote = llc->remote_ways ? llc->remote_ways[r->domain] : 0;
    return !llc->remote_ways || (r->part == LLC_REMOTE ? remote > 0 : remote < llc->ways);
}

static uint32_t way_of_line(const struct llc *llc, const struct llc_way *set, uint64_t line)
{
    uint32_t way = 0;
    while (way < llc->ways && set[way].tag != line + 1)
        way++;
    return way;
}

uint32_t llc_take(struct llc *llc, const struct llc_request *r, struct llc_dirty *dirty,
                  bool *out_dirty)
{
    struct llc_way *set = llc_set(llc, r->domain, r->line);
    uint32_t way = way_of_line(llc, set, r->line), count = sectors_count(r->sectors);
    *out_dirty = false;
    llc->lookups += r->again ? 0 : count;
    if (!has_ways(llc, r)) {
        *out_dirty = r->kind != ACCESS_READ;
        *dirty = (struct llc_dirty){r->line, r->sectors, r->domain, r->home};
        return r->kind == ACCESS_WRITE ? 0 : r->sectors;
    }
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
    llc->hits += r->again && r->kind == ACCESS_WRITE ? 0 : count - sectors_count(missing);
    set->valid |= r->sectors;
    if (r->kind != ACCESS_READ && llc->through) { /* what it drove out was clean */
        *out_dirty = true;
        *dirty = (struct llc_dirty){r->line, r->sectors, r->domain, r->home};
    } else if (r->kind != ACCESS_READ) {
        set->dirty |= r->sectors;
    }
    return r->kind == ACCESS_WRITE && !r->partial ? 0 : missing;
}

/* The part that a line which is there belongs to; LLC_BOTH: it is not there. */
static enum llc_part llc_part_of(const struct llc *llc, uint32_t domain, uint64_t line)
{
    const struct llc_way *set = llc_set(llc, domain, line);
    for (uint32_t way = 0; way < llc->ways; way++)
        if (set[way].tag == line + 1)
            return (enum llc_part)set[way].part;
    return LLC_BOTH;
}

uint32_t llc_has(const struct llc *llc, uint32_t domain, uint64_t line)
{
    const struct llc_way *set = llc_set(llc, domain, line);
    uint32_t way = way_of_line(llc, set, line);
    return way < llc->ways ? set[way].valid : 0;
}

uint32_t llc_remove(struct llc *llc, uint32_t domain, uint64_t line, bool *was_there)
{
    struct llc_way *set = llc_set(llc, domain, line);
    uint32_t way = way_of_line(llc, set, line);
    *was_there = way < llc->ways;
    if (!*was_there)
        return 0;
    uint32_t dirty = set[way].dirty, behind = llc->ways - 1 - way;
    memmove(set + way, set + way + 1, behind * sizeof *set);
    set[llc->ways - 1] = (struct llc_way){0};
    return dirty;
}

/* Dirty lines of a part leave, or all of them. */
static void flush_part(struct llc *llc, enum llc_part part, bool all, llc_emit_fn *emit,
                       void *context)
{
    size_t per_domain = (size_t)llc->sets * llc->ways;
    for (size_t first = 0; first < llc->domains * per_domain; first += llc->ways) {
        struct llc_way *set = llc->items + first;
        uint32_t kept = 0;
        for (uint32_t way = 0; way < llc->ways && set[way].tag; way++) {
            if ((part != LLC_BOTH && set[way].part != part) || (!all && !set[way].dirty)) {
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

void llc_flush(struct llc *llc, enum llc_part part, enum level_flush flush,
               const struct written *written, llc_emit_fn *emit, void *context)
{
    size_t next = 0;
    uint64_t line;
    bool there;
    if (flush == FLUSH_NONE)
        return;
    flush_part(llc, part, flush == FLUSH_ALL, emit, context);
    while (flush == FLUSH_STALE && written_next(written, &next, &line))
        for (uint32_t d = 0; d < llc->domains; d++)
            if (part == LLC_BOTH || llc_part_of(llc, d, line) == part)
                llc_remove(llc, d, line, &there);
}
