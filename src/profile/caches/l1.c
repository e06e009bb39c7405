/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1: from SM and line to node and set; reads, writes, atomics; copies. */
#include "profile/caches/l1.h"

#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "core/hash.h"
#include "core/memory.h"
#include "core/prefetch.h"
#include "core/simd.h"

static struct l1_divisor divisor(uint64_t value)
{
    return (struct l1_divisor){
        .value = value,
        .shift = value ? (uint32_t)__builtin_ctzll(value) : 0,
        .power_of_two = (value & (value - 1)) == 0,
    };
}

static void l1_follow_slices(struct l1 *l1, const struct system_level *llc)
{
    l1->home = llc->slices_fixed ? L1_BY_SLICE : L1_BY_HASHED_SLICE;
    l1->slices = llc->slices;
    l1->pieces = divisor(llc->slice_lines);
}

/* A group of places at a time, of which nothing but the end of the search is branched on. */
static uint32_t search_base(const uint64_t *tags, uint32_t places, uint64_t held)
{
    uint32_t way = 0, last = places - 1;
    for (const uint64_t *t = tags; way < last; t += L1_PLACES, way += L1_PLACES)
        if ((t[0] == held) | (t[1] == held) | (t[2] == held) | (t[3] == held) | (t[3] == 0))
            break;
    way = way < last ? way : last;
    while (way < last && tags[way] && tags[way] != held)
        way++;
    return way;
}

#ifdef __x86_64__
__attribute__((target("arch=x86-64-v3"))) static uint32_t search_v3(const uint64_t *tags,
                                                                    uint32_t places, uint64_t held)
{
    const __m256i wanted = _mm256_set1_epi64x((long long)held), none = _mm256_setzero_si256();
    for (uint32_t way = 0; way < places; way += L1_PLACES) {
        __m256i four = _mm256_loadu_si256((const __m256i *)(const void *)(tags + way));
        __m256i ends = _mm256_or_si256(_mm256_cmpeq_epi64(four, wanted),
                                       _mm256_cmpeq_epi64(four, none));
        unsigned found = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(ends));
        if (found)
            return way + (uint32_t)__builtin_ctz(found);
    }
    return places - 1;
}
#else
#define search_v3 search_base
#endif
_Static_assert(L1_PLACES == 4, "groups of a set");

void l1_init(struct l1 *l1, const struct system *system)
{
    const struct system_level *level = system_l1(system);
    *l1 = (struct l1){
        .contents = level->perfect ? L1_PERFECT
                    : level->sets  ? L1_LRU
                                   : L1_NONE,
        .write_evict = level->write == WRITE_EVICT,
        .hashed = level->index_hashed,
        .search = SIMD_BEST(search_base, search_v3, search_v3),
        .flush = system_flush(system, level, SIDE_REQUESTER),
        .nodes = system->l1_nodes,
        .clusters = system->l1_clusters,
        .ways = level->ways,
        .sms = system->sms,
    };
    uint32_t per_cluster = system->l1_nodes / system->l1_clusters;
    uint32_t sms = system->sms / system->l1_clusters; /* of a cluster */
    if (system->l1_by_slice)
        l1_follow_slices(l1, system_llc(system));
    l1->per_cluster = divisor(per_cluster);
    l1->sets = divisor(level->sets ? level->sets : 1); /* a perfect L1 needs none */
    l1->groups = divisor(per_cluster * l1->sets.value);
    l1->passed = memory_zero(l1->nodes, sizeof *l1->passed);
    l1->looked_up = memory_zero(l1->nodes, sizeof *l1->looked_up);
    l1->first_node = memory_zero(system->sms, sizeof *l1->first_node);
    for (uint32_t sm = 0; sm < system->sms; sm++)
        l1->first_node[sm] = sm / sms * per_cluster;
    if (l1->contents != L1_LRU)
        return;
    if (l1->flush == FLUSH_STALE)
        written_init(&l1->written);
    cache_init(&l1->cache, l1->nodes, level->sets, level->ways * L1_PLACES, system->sectors, false);
    l1->copied = l1->clusters > 1;
    if (l1->copied)
        copies_init(&l1->copies, per_cluster * level->sets, l1->clusters * level->ways);
}

void l1_fini(struct l1 *l1)
{
    cache_fini(&l1->cache);
    if (l1->copied)
        copies_fini(&l1->copies);
    written_fini(&l1->written);
    free(l1->first_node);
    free(l1->passed);
    free(l1->looked_up);
    *l1 = (struct l1){0};
}

/* The line's node in a cluster, and what is left of its number to choose the set (l1.h). */
static inline uint32_t home_of(const struct l1 *l1, uint64_t line, uint64_t *number)
{
    uint64_t local, within;
    if (l1->home == L1_BY_LINE) {
        *number = l1_divide(&l1->per_cluster, line, &local);
    } else if (l1->home == L1_BY_SLICE) {
        uint64_t piece = l1_divide(&l1->pieces, line, &within);
        *number = l1_divide(&l1->per_cluster, piece, &local) * l1->pieces.value + within;
    } else {
        *number = line;
        l1_divide(&l1->per_cluster, hash_reduce(hash_fmix64(line), l1->slices), &local);
    }
    return (uint32_t)local;
}

uint32_t l1_node(const struct l1 *l1, uint32_t sm, uint64_t line)
{
    uint64_t number;
    return l1->first_node[sm] + home_of(l1, line, &number);
}

/* The group of the sets, one in each cluster, that may hold what one of them may. */
static inline uint64_t l1_group(const struct l1 *l1, uint32_t number)
{
    uint64_t group;
    l1_divide(&l1->groups, number, &group);
    return group;
}

INLINE struct l1_place place_of(const struct l1 *l1, uint32_t sm, uint64_t line)
{
    uint64_t within = line;
    uint32_t node = l1->first_node[sm];
    if (l1->per_cluster.value > 1)
        node += home_of(l1, line, &within);
    return l1_place_in(l1, node, within);
}

struct l1_place l1_place_of(const struct l1 *l1, uint32_t sm, uint64_t line)
{
    return place_of(l1, sm, line);
}

/* --- places of a set ------------------------------------------------------------------ */

/* How many lines on their way stand at its front; it is enough to know of so many. */
static uint32_t l1_coming(const struct l1 *l1, struct l1_place at, uint32_t enough,
                          const struct l1_awaited *awaited)
{
    if (!awaited || !awaited->count || enough == 0)
        return 0;
    return awaited->count(awaited->context, at.node, l1->cache.tags + at.set, enough);
}

static void l1_move(const struct cache *cache, size_t set, uint32_t from, uint32_t to)
{
    uint64_t *tags = cache->tags + set, tag = tags[from];
    uint32_t *valid = cache->valid ? cache->valid + set : NULL, sectors = valid ? valid[from] : 0;
    uint32_t i = from;
    for (; i > to; i--)
        tags[i] = tags[i - 1];
    for (; i < to; i++)
        tags[i] = tags[i + 1];
    tags[to] = tag;
    if (!valid)
        return;
    for (i = from; i > to; i--)
        valid[i] = valid[i - 1];
    for (; i < to; i++)
        valid[i] = valid[i + 1];
    valid[to] = sectors;
}

/* Lines that have left stay away when a way gets free. */
static void l1_forget(const struct cache *cache, size_t set, uint32_t from)
{
    for (uint32_t i = from; i < cache->ways && cache->tags[set + i]; i++)
        cache->tags[set + i] = 0;
}

/* A line that is there becomes the most recent of those: the place behind n others. */
static void l1_raise(const struct l1 *l1, size_t set, uint32_t way, uint32_t n,
                     struct l1_change *change)
{
    if (way >= l1->ways && n < l1->ways) {
        change->kind = L1_RAISED;
        change->victim = l1->cache.tags[set + l1->ways - 1];
    }
    l1_forget(&l1->cache, set, n + l1->ways);
    l1_move(&l1->cache, set, way, n);
}

/* Sectored lines: the sectors that are missing. */
static uint32_t l1_ask_sectors(const struct l1 *l1, struct l1_place at, uint64_t line,
                               uint32_t wanted, const struct l1_awaited *awaited,
                               struct l1_change *change)
{
    const struct cache *cache = &l1->cache;
    uint64_t *tags = cache->tags + at.set;
    uint32_t way = cache_find(cache, at.set, line), n = l1_coming(l1, at, cache->ways, awaited);
    bool held = way < cache->ways && way < n + l1->ways;
    uint32_t missing = wanted & ~(held ? cache_valid(cache, at.set, way) : 0);
    if (!missing) {
        if (way > n)
            l1_raise(l1, at.set, way, n, change);
        return 0;
    }
    change->kind = way < l1->ways ? L1_FILLED : L1_TOOK;
    change->victim = way < l1->ways ? 0 : tags[l1->ways - 1];
    change->first = tags[0] == 0;
    if (held && way >= n)
        l1_forget(cache, at.set, n + l1->ways);
    l1_move(cache, at.set, way < cache->ways ? way : cache->ways - 1, 0);
    tags[0] = line + 1;
    if (cache->valid)
        cache->valid[at.set] = held ? cache->valid[at.set] | wanted : wanted;
    return missing;
}

/* The same of lines of one sector, which need less. Apart from l1_ask_read(), which mostly finds
 * them in front and needs nothing of this. */
__attribute__((noinline)) static uint32_t l1_ask_whole(const struct l1 *l1, struct l1_place at,
                                                       uint64_t line, uint32_t wanted,
                                                       const struct l1_awaited *awaited,
                                                       struct l1_change *change)
{
    uint64_t *tags = l1->cache.tags + at.set, held = line + 1;
    uint32_t way = l1->search(tags, l1->cache.ways, held);
    if (tags[way] == held) {
        uint32_t n = l1_coming(l1, at, way, awaited);
        if (n == way)
            return 0;
        if (way < n + l1->ways) {
            l1_raise(l1, at.set, way, n, change);
            return 0;
        }
    }
    change->kind = L1_TOOK;
    change->victim = tags[l1->ways - 1];
    change->first = tags[0] == 0;
    memmove(tags + 1, tags, way * sizeof *tags);
    tags[0] = held;
    return wanted;
}

void l1_prefetch(const struct l1 *l1, uint32_t sm, uint64_t line)
{
    if (l1->contents == L1_LRU)
        prefetch_write(l1->cache.tags + place_of(l1, sm, line).set);
}

INLINE uint32_t l1_ask_read(struct l1 *l1, struct l1_place at, uint64_t line, uint32_t wanted,
                            const struct l1_awaited *awaited, struct l1_change *change)
{
    if (l1->contents == L1_NONE)
        return wanted;
    l1->passed[at.node]++;
    l1->looked_up[at.node]++;
    if (l1->contents == L1_PERFECT)
        return 0;
    change->set = at.number;
    if (l1->cache.valid)
        return l1_ask_sectors(l1, at, line, wanted, awaited, change);
    if (l1->cache.tags[at.set] == line + 1)
        return 0;
    return l1_ask_whole(l1, at, line, wanted, awaited, change);
}

/* A write or an atomic: a line that is there, or on its way, leaves or becomes the most recent. */
INLINE void l1_ask_update(struct l1 *l1, struct l1_place at, uint64_t line, bool evict,
                          const struct l1_awaited *awaited, struct l1_change *change)
{
    if (l1->contents == L1_NONE)
        return;
    l1->passed[at.node]++;
    if (l1->contents == L1_PERFECT)
        return;
    change->wrote = true;
    change->set = at.number;
    uint32_t way = l1->search(l1->cache.tags + at.set, l1->cache.ways, line + 1);
    if (l1->cache.tags[at.set + way] != line + 1)
        return;
    uint32_t n = l1_coming(l1, at, l1->cache.ways, awaited);
    if (way >= n + l1->ways)
        return;
    if (evict) {
        l1_forget(&l1->cache, at.set, n + l1->ways);
        if (way < l1->ways) {
            change->kind = L1_PUT_OUT;
            change->victim = l1->cache.tags[at.set + l1->ways];
        }
        cache_close(&l1->cache, at.set, way);
    } else if (way > n) {
        l1_raise(l1, at.set, way, n, change);
    }
}

INLINE uint32_t ask_at(struct l1 *l1, const struct warp_access *access, struct l1_place at,
                       uint64_t line, uint32_t wanted, bool bypass,
                       const struct l1_awaited *awaited, bool *looked_up, struct l1_change *change)
{
    change->victim = 0;
    change->set = 0;
    change->kind = L1_KEPT;
    change->first = change->wrote = false;
    *looked_up = false;
    if (access->kind == ACCESS_ATOMIC) {
        l1_ask_update(l1, at, line, true, awaited, change);
        return wanted;
    }
    if (access->kind == ACCESS_WRITE && !(access->flags & ACCESS_BYPASS_L1)) {
        l1_ask_update(l1, at, line, l1->write_evict, awaited, change);
        return wanted;
    }
    if (access->flags & ACCESS_BYPASS_L1 || bypass) {
        l1->passed[at.node] += l1->contents != L1_NONE;
        return wanted;
    }
    *looked_up = l1->contents != L1_NONE;
    return l1_ask_read(l1, at, line, wanted, awaited, change);
}

uint32_t l1_ask_at(struct l1 *l1, const struct warp_access *access, struct l1_place at,
                   uint64_t line, uint32_t wanted, bool bypass, const struct l1_awaited *awaited,
                   bool *looked_up, struct l1_change *change)
{
    return ask_at(l1, access, at, line, wanted, bypass, awaited, looked_up, change);
}

uint32_t l1_ask(struct l1 *l1, const struct warp_access *access, uint32_t sm, uint64_t line,
                uint32_t wanted, bool bypass, const struct l1_awaited *awaited, bool *looked_up,
                struct l1_change *change)
{
    return ask_at(l1, access, place_of(l1, sm, line), line, wanted, bypass, awaited, looked_up,
                  change);
}

/* The counts of all nodes follow. */
void l1_count_change(struct l1 *l1, uint64_t line, const struct l1_change *change)
{
    size_t set = (size_t)change->set * l1->cache.ways;
    uint64_t group = l1_group(l1, change->set);
    if (change->wrote && l1->flush == FLUSH_STALE)
        written_add(&l1->written, line);
    if (change->kind == L1_TOOK || change->kind == L1_FILLED) {
        l1->misses++;
        l1->copies_sum += l1->cache.lines;
    }
    if (change->kind == L1_TOOK) {
        cache_count_fill(&l1->cache, set, change->first, change->victim);
        if (l1->copied)
            copies_miss(&l1->copies, group, line, change->victim);
    } else if (change->kind == L1_FILLED && l1->copied) {
        copies_miss_sector(&l1->copies, group, line);
    } else if (change->kind == L1_RAISED && l1->copied) {
        copies_change(&l1->copies, group, line + 1, change->victim);
    } else if (change->kind == L1_PUT_OUT) {
        l1->cache.lines -= change->victim == 0;
        if (l1->copied)
            copies_change(&l1->copies, group, change->victim, line + 1);
    }
}

static inline void l1_counted(struct l1 *l1, uint64_t line, const struct l1_change *change)
{
    if (l1_changed(l1, change))
        l1_count_change(l1, line, change);
}

uint32_t l1_read(struct l1 *l1, uint32_t sm, uint64_t line, uint32_t wanted)
{
    struct l1_change change = {.kind = L1_KEPT};
    uint32_t missing = l1_ask_read(l1, place_of(l1, sm, line), line, wanted, NULL, &change);
    l1_counted(l1, line, &change);
    return missing;
}

void l1_write(struct l1 *l1, uint32_t sm, uint64_t line)
{
    struct l1_change change = {.kind = L1_KEPT};
    l1_ask_update(l1, place_of(l1, sm, line), line, l1->write_evict, NULL, &change);
    l1_counted(l1, line, &change);
}

void l1_evict(struct l1 *l1, uint32_t sm, uint64_t line)
{
    struct l1_change change = {.kind = L1_KEPT};
    l1_ask_update(l1, place_of(l1, sm, line), line, true, NULL, &change);
    l1_counted(l1, line, &change);
}

void l1_pass(struct l1 *l1, uint32_t sm, uint64_t line)
{
    if (l1->contents != L1_NONE)
        l1->passed[l1_node(l1, sm, line)]++;
}

uint32_t l1_take(struct l1 *l1, const struct warp_access *access, uint32_t sm, uint64_t line,
                 uint32_t wanted, bool bypass, const struct l1_awaited *awaited, bool *looked_up)
{
    struct l1_change change;
    uint32_t missing = l1_ask(l1, access, sm, line, wanted, bypass, awaited, looked_up, &change);
    l1_counted(l1, line, &change);
    return missing;
}

void l1_arrived(struct l1 *l1, uint32_t sm, uint64_t line, const struct l1_awaited *awaited)
{
    if (l1->contents != L1_LRU)
        return;
    struct l1_place at = place_of(l1, sm, line);
    const uint64_t *tags = l1->cache.tags + at.set;
    uint32_t way = cache_find(&l1->cache, at.set, line), behind = way + 1;
    if (behind >= l1->cache.ways)
        return;
    uint32_t to =
        way + awaited->count(awaited->context, at.node, tags + behind, l1->cache.ways - behind);
    if (way == to)
        return;
    if (l1->copied && way < l1->ways && to >= l1->ways)
        copies_change(&l1->copies, l1_group(l1, at.number), tags[l1->ways], line + 1);
    l1_move(&l1->cache, at.set, way, to);
}

static void l1_remove(struct l1 *l1, struct l1_place at, uint32_t way, uint64_t line)
{
    l1_forget(&l1->cache, at.set, l1->ways);
    cache_remove(&l1->cache, at.set, way);
    if (l1->copied)
        copies_remove(&l1->copies, l1_group(l1, at.number), line);
}

/* Where few sets were used, their lines leave the table one by one; a set may be listed
 * twice. */
static void l1_flush_copies(struct l1 *l1)
{
    struct cache *cache = &l1->cache;
    if (!cache_touched_few(cache)) {
        copies_clear(&l1->copies);
        return;
    }
    for (size_t i = 0; i < cache->n_touched; i++) {
        uint64_t *tags = cache->tags + cache->touched[i];
        uint64_t group = l1_group(l1, (uint32_t)(cache->touched[i] / cache->ways));
        for (uint32_t way = 0; way < cache->ways && tags[way]; way++) {
            if (way < l1->ways)
                copies_remove(&l1->copies, group, tags[way] - 1);
            tags[way] = 0;
        }
    }
}

/* No node keeps lines that were written. */
static void l1_drop_written(struct l1 *l1)
{
    uint32_t sms = l1->sms / l1->clusters;
    size_t next = 0;
    uint64_t line;
    while (written_next(&l1->written, &next, &line))
        for (uint32_t cluster = 0; cluster < l1->clusters; cluster++) {
            struct l1_place at = place_of(l1, cluster * sms, line);
            uint32_t way = cache_find(&l1->cache, at.set, line);
            if (way < l1->ways)
                l1_remove(l1, at, way, line);
        }
    written_clear(&l1->written);
}

void l1_begin_launch(struct l1 *l1)
{
    if (l1->flush == FLUSH_ALL)
        l1_flush(l1);
    else if (l1->flush == FLUSH_STALE)
        l1_drop_written(l1);
}

void l1_flush(struct l1 *l1)
{
    if (l1->contents != L1_LRU)
        return;
    if (l1->copied)
        l1_flush_copies(l1);
    cache_clear(&l1->cache);
}

void l1_settle(struct l1 *l1)
{
    l1->reads = 0;
    for (uint32_t node = 0; node < l1->nodes; node++)
        l1->reads += l1->looked_up[node];
    l1->cached_sum = l1->copies_sum;
    if (!l1->copied)
        return;
    copies_settle(&l1->copies);
    l1->cached_sum = l1->copies.lines_sum;
    l1->misses_elsewhere = l1->copies.elsewhere;
}

void l1_clear_counts(struct l1 *l1)
{
    if (l1->copied)
        copies_settle(&l1->copies);
    l1->copies.elsewhere = l1->copies.lines_sum = 0;
    l1->reads = l1->misses = l1->misses_elsewhere = l1->copies_sum = l1->cached_sum = 0;
    memset(l1->passed, 0, l1->nodes * sizeof *l1->passed);
    memset(l1->looked_up, 0, l1->nodes * sizeof *l1->looked_up);
}
