/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engines of a kind of cache, and the last slot of every line in each. */
#include "profile/curves/distances_internal.h"

#include <stdlib.h>

#include "core/prefetch.h"
#include "core/simd.h"
#include "profile/curves/line_table.h"
#include "trace/stream.h"
#include "profile/homes/placement.h"

/* Of a sector: the line has not been there since; the line was last asked for in an earlier launch,
 * beside the distance. */
#define FAR (UINT32_MAX >> 1)
#define OLD (1U << 31)

static uint32_t kind_units(const struct system *system, enum cache_scope scope)
{
    const uint32_t units[SCOPE_COUNT] = {
        [SCOPE_SM] = system->sms,
        [SCOPE_GROUP] = system->l1_nodes,
        [SCOPE_CLUSTER] = system->l1_clusters,
        [SCOPE_PARTITION] = system->domains,
        [SCOPE_CHIP] = system->chips,
        [SCOPE_SYSTEM] = 1,
    };
    return units[scope];
}

/* Replicas of lines that nobody writes in a launch are for that launch alone. */
static enum level_flush kind_flush(const struct system *system, struct cache_kind kind)
{
    if (kind.filter == CACHE_READ_ONLY_SHARED)
        return FLUSH_ALL;
    if (kind.filter == CACHE_LOOKUPS)
        return system_flush(system, system_l1(system), SIDE_REQUESTER);
    return system_flush(system, system_llc(system), kind.side);
}

struct distances *distances_create(const struct system *system, struct cache_kind kind)
{
    struct distances *d = memory_zero(1, sizeof *d);
    d->system = system;
    d->kind = kind;
    d->units = kind_units(system, kind.scope);
    d->sectors = system->sectors;
    d->sms_per_unit = system->sms / d->units;
    uint32_t domains_per_unit = d->units > system->domains ? 1 : system->domains / d->units;
    for (uint32_t domain = 0; domain < system->domains; domain++)
        d->domain_units[domain] = (uint8_t)(domain / domains_per_unit);
    d->flush = kind_flush(system, kind);
    d->coherent = kind.side == SIDE_REQUESTER && kind.filter != CACHE_LOOKUPS &&
                  kind.filter != CACHE_READ_ONLY_SHARED && !system->flush_at_kernels &&
                  d->units > 1;
    d->filled = kind.filter == CACHE_FILLED || kind.filter == CACHE_OR_HOME;
    d->replicates = kind.filter == CACHE_REPLICATED || kind.filter == CACHE_REPLICAS;
    bool one_place = kind.side == SIDE_HOME && !d->replicates &&
                     !(system->placement && placement_of(system)->access);
    places_init(&d->places, d->units, one_place, d->sectors);
    d->engines = memory_alloc(d->units * sizeof *d->engines);
    for (uint32_t u = 0; u < d->units; u++)
        stack_distance_init(&d->engines[u]);
    d->began = memory_zero(d->units, sizeof *d->began);
    d->near = memory_zero(d->units, sizeof *d->near);
    d->writebacks.evicted = &d->counts.parts[DISTANCE_EVICTED];
    d->writebacks.before = &d->counts.parts[DISTANCE_BEFORE];
    d->counts.requests = memory_zero(d->units, sizeof *d->counts.requests);
    d->counts.cold = memory_zero(d->units, sizeof *d->counts.cold);
    return d;
}

static void held_free(struct held_list *list)
{
    for (size_t i = 0; i < list->n_blocks; i++)
        free(list->blocks[i]);
    free(list->blocks);
}

void distances_destroy(struct distances *d)
{
    if (!d)
        return;
    for (uint32_t u = 0; u < d->units; u++)
        stack_distance_fini(&d->engines[u]);
    free(d->engines);
    free(d->began);
    free(d->near);
    places_fini(&d->places);
    free(d->counts.requests);
    free(d->counts.cold);
    free(d->asked);
    free(d->writebacks.spread);
    free(d->writebacks.spread_open);
    held_free(&d->replicas);
    held_free(&d->written);
    distances_stretch_free(d);
    free(d);
}

/* --- requests ---------------------------------------------------------------------- */

/* Most caches see all requests of a side, or all lookups, follow all lines, which are of one
 * sector, and lose none to others before a launch ends. For them what follows is compiled once
 * more, without what they do not need: `plain`. Most have `rows` of places as well. */
static bool is_plain(const struct distances *d)
{
    bool all = d->kind.filter == CACHE_ALL && d->places.width;
    bool lookups = d->kind.filter == CACHE_LOOKUPS && d->flush != FLUSH_STALE;
    return (all || lookups) && d->sectors == 1 && !d->sampled && !d->coherent;
}

/* The sectors of a request that this cache sees, and in which unit; 0: none. */
INLINE uint32_t select_request(const struct distances *d, const struct request *r, uint32_t *unit,
                               const bool plain)
{
    uint32_t own = d->domain_units[r->domain], home = d->domain_units[r->home];
    bool asked = !(r->flags & REQUEST_WRITEBACK), replicable = r->flags & REQUEST_REPLICABLE;
    if (d->kind.filter == CACHE_LOOKUPS) {
        *unit = r->sm / d->sms_per_unit;
        return r->flags & REQUEST_LOOKUP ? r->wanted : 0;
    }
    bool at_home = d->kind.side == SIDE_HOME;
    if (!plain && d->replicates)
        at_home = !replicable;
    *unit = at_home ? home : own;
    uint32_t sectors = d->kind.side == SIDE_HOME ? r->home_sectors : asked ? r->sectors : 0;
    switch (plain ? CACHE_ALL : d->kind.filter) {
    case CACHE_LOCAL:
        return own == home ? sectors : 0;
    case CACHE_REMOTE:
        return own != home ? sectors : 0;
    case CACHE_READ_ONLY_SHARED:
        return replicable ? sectors : 0;
    default:
        return sectors;
    }
}

/* Whether a request of the stream is one of those that are counted. */
static inline bool is_counted(const struct distances *d, const struct request *r)
{
    switch (d->kind.filter) {
    case CACHE_REMOTE_OF_ALL:
        return d->domain_units[r->domain] != d->domain_units[r->home];
    case CACHE_REPLICABLE_OF_ALL:
    case CACHE_REPLICAS:
        return r->flags & REQUEST_REPLICABLE;
    default:
        return true;
    }
}

/* What a request adds one to; -1: no more. */
struct classes {
    int part[2];
};

static inline struct classes classes_of(const struct request *r)
{
    if (r->kind == ACCESS_READ)
        return (struct classes){{DISTANCE_READS, -1}};
    bool fetches = r->kind == ACCESS_ATOMIC || r->flags & REQUEST_PARTIAL;
    return (struct classes){{DISTANCE_WRITES, fetches ? DISTANCE_FETCHING : -1}};
}

/* Of what wants data, whether it is for a line of another domain. */
static inline bool is_remote(const struct distances *d, const struct request *r,
                             struct classes classes)
{
    return r->domain != r->home && d->kind.filter == CACHE_ALL &&
           (classes.part[0] == DISTANCE_READS || classes.part[1] == DISTANCE_FETCHING);
}

/* Whether the home's slices see a request of another partition: it wants data. */
static inline bool comes_by(const struct distances *d, const struct request *r)
{
    return d->filled && system_crosses(d->system, r->domain, r->home) &&
           (r->kind != ACCESS_WRITE || r->flags & REQUEST_PARTIAL);
}

/* old: the line was last asked for in an earlier launch. */
INLINE void count_distance(struct distances *d, const struct request *r, uint32_t unit,
                           uint32_t sector, uint64_t distance, bool old, const bool plain)
{
    if (!plain && d->coming) {
        d->at_home[sector] = distance;
        return;
    }
    struct stretch_counts *first = r->flags & REQUEST_FIRST ? &d->stretches->first : NULL;
    if (r->flags & REQUEST_SKIMMED && !first)
        return;
    if (!plain && d->kind.filter == CACHE_OR_HOME && comes_by(d, r) &&
        d->at_home[sector] < distance)
        distance = d->at_home[sector];
    struct distance_histogram *parts = first ? first->parts : d->counts.parts;
    struct classes classes = classes_of(r);
    bool cold = distance == DISTANCE_COLD;
    if (!plain && !is_counted(d, r))
        return;
    distance = plain ? distance : true_distance(d, r->share, distance);
    distance_histogram_add(&parts[classes.part[0]], distance);
    if (classes.part[1] >= 0)
        distance_histogram_add(&parts[classes.part[1]], distance);
    if (is_remote(d, r, classes))
        distance_histogram_add(&parts[DISTANCE_REMOTE], distance);
    (first ? first->requests : d->counts.requests)[unit]++;
    (first ? first->cold : d->counts.cold)[unit] += cold;
    if (!plain && d->sampled)
        spread_add(first ? &first->asked : d->asked, d->writebacks.place,
                   cold ? (uint32_t)SPREAD_COLD : spread_bin(distance_bin(distance)), 1);
    if (!old || cold)
        return;
    distance_histogram_add(&parts[DISTANCE_OLD], distance);
    if (classes.part[0] == DISTANCE_READS || classes.part[1] == DISTANCE_FETCHING)
        distance_histogram_add(&parts[DISTANCE_OLD_WANTED], distance);
}

/* A request for a line that is not in the sample. */
static inline void count_other(struct distances *d, const struct request *r, uint32_t unit,
                               uint32_t sectors)
{
    struct classes classes = classes_of(r);
    unsigned apart = REQUEST_SKIMMED | REQUEST_FIRST;
    uint32_t n = is_counted(d, r) && !(r->flags & apart) ? sectors_count(sectors) : 0;
    d->counts.parts[classes.part[0]].requests += n;
    if (classes.part[1] >= 0)
        d->counts.parts[classes.part[1]].requests += n;
    if (is_remote(d, r, classes))
        d->counts.parts[DISTANCE_REMOTE].requests += n;
    d->counts.requests[unit] += n;
}

static void count_sectors(struct distances *d, const struct request *r, uint32_t unit,
                          uint32_t sectors, size_t at, uint64_t distance, bool old)
{
    struct place_sector *all = d->places.sectors + at * d->sectors;
    uint32_t reach = distance == DISTANCE_COLD ? FAR : (uint32_t)distance;
    for (uint32_t s = 0; s < d->sectors; s++) {
        uint32_t had = all[s].far & ~OLD, mark = old ? OLD : all[s].far & OLD;
        all[s].far = mark | (had > reach ? had : reach);
    }
    for (; sectors; sectors &= sectors - 1) {
        struct place_sector *sector = &all[__builtin_ctz(sectors)];
        uint32_t far = sector->far & ~OLD, s = (uint32_t)__builtin_ctz(sectors);
        count_distance(d, r, unit, s, far == FAR ? DISTANCE_COLD : far, sector->far & OLD, false);
        sector->far = 0;
    }
}

/* --- what is dirty ------------------------------------------------------------------- */

/* The end of the launch looks at it. */
static inline void note_written(struct distances *d, const struct request *r, uint32_t unit,
                                struct place *place)
{
    if (!place->written)
        held_add(&d->written, (struct held){r->id, unit, d->writebacks.place});
    place->written = true;
}

static void write_sectors(struct distances *d, uint32_t sectors, size_t at)
{
    for (; sectors; sectors &= sectors - 1)
        writebacks_write(&d->writebacks, soil_of(d, at, (uint32_t)__builtin_ctz(sectors)));
}

/* What a first request finds gone counts with these. */
static void reach_first(struct distances *d, const struct request *r, size_t at, uint64_t distance,
                        bool old)
{
    struct stretch_counts *first = &d->stretches->first;
    struct writebacks *w = &d->writebacks;
    struct distance_histogram *evicted = w->evicted, *before = w->before;
    struct spread *spread = w->spread;
    w->evicted = &first->parts[DISTANCE_EVICTED];
    w->before = &first->parts[DISTANCE_BEFORE];
    w->spread = spread ? &first->evicted : NULL;
    reach_sectors(d, at, true_distance(d, r->share, distance), old, true);
    w->evicted = evicted;
    w->before = before;
    w->spread = spread;
}

INLINE void access_place(struct distances *d, const struct request *r, uint32_t unit,
                         uint32_t sectors, size_t at, struct place *place, const bool plain)
{
    struct stack_distance *engine = &d->engines[unit];
    if (stack_distance_full(engine))
        distances_renumber(d, unit);
    bool old = place->slot < d->began[unit];
    if (old && place->slot + 1 == engine->now) /* it stays there, and is of this launch now */
        d->began[unit] = place->slot;
    uint64_t distance = stack_distance_access(engine, &place->slot);
    if (!plain && d->replicates && r->flags & REQUEST_REPLICABLE && distance == DISTANCE_COLD)
        held_add(&d->replicas, (struct held){.id = r->id, .unit = unit});
    bool reached = place->written && distance != DISTANCE_COLD;
    if (reached && r->flags & REQUEST_FIRST)
        reach_first(d, r, at, distance, old);
    else if (reached && plain)
        reach_sector(d, &place->soil, distance_bin(distance), old, true);
    else if (reached)
        reach_sectors(d, at, true_distance(d, r->share, distance), old, true);
    if (r->kind != ACCESS_READ) {
        note_written(d, r, unit, place);
        if (plain)
            writebacks_write(&d->writebacks, &place->soil);
        else
            write_sectors(d, sectors, at);
    }
    d->unsettled++;
    if (!plain && d->sectors > 1)
        count_sectors(d, r, unit, sectors, at, distance, old);
    else
        count_distance(d, r, unit, 0, distance, old, plain);
}

/* A write by another unit: a copy here would be stale. */
static void invalidate_others(struct distances *d, const struct request *r)
{
    uint32_t own = d->domain_units[r->domain];
    for (uint32_t unit = 0; unit < d->units; unit++) {
        size_t at;
        struct place *place = unit == own ? NULL : places_find(&d->places, r->id, unit, &at);
        if (!place)
            continue;
        for (uint32_t s = 0; s < d->sectors; s++) {
            uint16_t *soil = soil_of(d, at, s);
            if (!*soil)
                continue;
            if (place->slot < d->began[unit])
                writebacks_carry(&d->writebacks, *soil - 1U);
            writebacks_take_out(&d->writebacks, soil);
        }
        stack_distance_remove(&d->engines[unit], &place->slot);
    }
}

/* At the slices of the home, before those of the requester: what they have answers there. */
static void come_by(struct distances *d, const struct request *r, uint32_t sectors)
{
    uint32_t home = d->domain_units[r->home];
    struct request coming = *r;
    coming.kind = ACCESS_READ;
    d->coming = true;
    size_t at = places_of(&d->places, r->id, home);
    access_place(d, &coming, home, sectors, at, places_at(&d->places, at), false);
    d->coming = false;
}

void distances_sample(struct distances *d, const struct shards *shards)
{
    if (!d->sampled) {
        d->asked = memory_zero(1, sizeof *d->asked);
        d->writebacks.spread = memory_zero(1, sizeof *d->writebacks.spread);
        d->writebacks.spread_open = memory_zero(1, sizeof *d->writebacks.spread_open);
    }
    d->sampled = true;
    d->shards = *shards;
}

/* What passes the filter or invalidates copies, looked up ahead so that memory accesses
 * overlap. */
struct selected {
    const struct request *request;
    struct place *place;    /* where places are rows */
    uint32_t unit, sectors; /* sectors 0: it does not pass */
};

static inline bool invalidates(const struct distances *d, const struct request *r)
{
    return d->coherent && r->kind != ACCESS_READ && !(r->flags & REQUEST_WRITEBACK);
}

/* A write that this cache does not see makes copies in it stale. */
static inline bool makes_stale(const struct distances *d, const struct request *r)
{
    return d->flush == FLUSH_STALE && d->kind.side == SIDE_REQUESTER && r->kind != ACCESS_READ &&
           r->sectors != 0;
}

/* What the engine will count, once the slot is there. Not for a whole batch at once, which
 * would fill the host's first-level cache. */
static inline void prefetch_counters(const struct distances *d, const struct selected *s)
{
    stack_distance_prefetch(&d->engines[s->unit], s->place->slot);
}

/* What has to be looked at of a batch, and its places fetched. The number of them. */
INLINE size_t select_batch(struct distances *d, const struct request *batch, size_t n,
                           struct selected *chosen, const bool plain, const bool rows)
{
    struct places *p = &d->places;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        struct selected *s = &chosen[count];
        s->request = &batch[i];
        s->sectors = select_request(d, &batch[i], &s->unit, plain);
        if (s->sectors == 0 &&
            (plain || (!invalidates(d, &batch[i]) && !makes_stale(d, &batch[i]))))
            continue;
        if (!plain && batch[i].id == LINE_NONE) {
            count_other(d, &batch[i], s->unit, s->sectors);
            continue;
        }
        count++;
        if (rows) {
            places_reserve(p, batch[i].id);
            s->place = places_at(p, places_row(p, batch[i].id, s->unit));
            prefetch_write(s->place);
        } else {
            prefetch_write(&p->pairs[places_start(p, batch[i].id, s->unit)]);
        }
    }
    return count;
}

/* One of them. */
INLINE void take_selected(struct distances *d, const struct selected *s, const bool plain,
                          const bool rows)
{
    struct places *p = &d->places;
    if (!plain) {
        if (d->sampled)
            d->writebacks.place = spread_place(&d->shards, s->request->line);
        if (invalidates(d, s->request))
            invalidate_others(d, s->request);
        if (s->sectors && comes_by(d, s->request))
            come_by(d, s->request, s->sectors);
    }
    size_t at =
        rows ? places_row(p, s->request->id, s->unit) : places_of_pair(p, s->request->id, s->unit);
    if (!plain && s->sectors == 0 && makes_stale(d, s->request))
        note_written(d, s->request, s->unit, places_at(p, at));
    if (!plain && s->sectors == 0)
        return;
    if (p->unit_of)
        p->unit_of[at] = (uint8_t)s->unit;
    access_place(d, s->request, s->unit, s->sectors, at, rows ? s->place : &p->pairs[at].place,
                 plain);
}

INLINE void take_batch(struct distances *d, const struct request *batch, size_t n, const bool plain,
                       const bool rows)
{
    enum { AHEAD = 32 };
    struct selected chosen[REQUEST_BATCH];
    size_t count = select_batch(d, batch, n, chosen, plain, rows);
    for (size_t i = 0; rows && i < count && i < AHEAD; i++)
        prefetch_counters(d, &chosen[i]);
    for (size_t i = 0; i < count; i++) {
        if (rows && i + AHEAD < count)
            prefetch_counters(d, &chosen[i + AHEAD]);
        take_selected(d, &chosen[i], plain, rows);
    }
}

void distances_take(struct distances *d, const struct request *batch, size_t n)
{
    if (d->lead)
        return;
    bool plain = is_plain(d), rows = d->places.width != 0;
    if (plain && rows)
        take_batch(d, batch, n, true, true);
    else if (plain)
        take_batch(d, batch, n, true, false);
    else if (rows)
        take_batch(d, batch, n, false, true);
    else
        take_batch(d, batch, n, false, false);
}

/* --- what is known of it ---------------------------------------------------------- */

bool distances_flush(const struct distances *d)
{
    return d->flush != FLUSH_NONE;
}

bool distances_settled(const struct distances *d)
{
    const struct distances *own = d->lead ? d->lead : d;
    return own->unsettled == 0 || own->written.count == 0;
}

struct cache_kind distances_kind(const struct distances *d)
{
    return d->kind;
}

uint32_t distances_units(const struct distances *d)
{
    return d->units;
}

const struct distance_counts *distances_counts(const struct distances *d)
{
    return d->lead ? &d->lead->counts : &d->counts;
}

size_t distances_bytes(const struct distances *d)
{
    size_t bytes = places_bytes(&d->places);
    bytes += d->written.n_blocks * HELD_BLOCK * sizeof(struct held);
    for (uint32_t u = 0; u < d->units; u++)
        bytes += d->engines[u].capacity / 8;
    return bytes;
}
