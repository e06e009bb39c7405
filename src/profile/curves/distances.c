/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engines of a kind of cache, and the last slot of every line in each. */
#include "profile/curves/distances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "profile/curves/line_table.h"
#include "trace/stream.h"
#include "profile/homes/placement.h"

const char *const cache_scope_names[SCOPE_COUNT] = {
    [SCOPE_SM] = "sm",           [SCOPE_GROUP] = "group",
    [SCOPE_CLUSTER] = "cluster", [SCOPE_PARTITION] = "partition",
    [SCOPE_CHIP] = "chip",       [SCOPE_SYSTEM] = "system",
};
const char *const cache_filter_names[CACHE_FILTERS] = {
    [CACHE_LOOKUPS] = "lookups",
    [CACHE_ALL] = "all",
    [CACHE_LOCAL] = "local",
    [CACHE_REMOTE] = "remote",
    [CACHE_READ_ONLY_SHARED] = "read-only-shared",
    [CACHE_REPLICATED] = "replicated",
    [CACHE_REMOTE_OF_ALL] = "remote-of-all",
    [CACHE_REPLICABLE_OF_ALL] = "replicable-of-all",
    [CACHE_REPLICAS] = "replicas",
};

/* A line has a place for each unit that may hold it: in a row of its own while
 * units are few, else in a table of the (line, unit) pairs that were met. Rows lie
 * in blocks, one behind another. */
enum { ROW_UNITS = 8, FIRST_PAIR_BITS = 12, BLOCK_PLACES = MEMORY_LARGE_PAGE / sizeof(uint32_t) };
#define FAR UINT32_MAX

struct pair {
    uint32_t id; /* of the line, + 1; 0: empty */
    uint32_t unit;
    uint32_t slot;
};

struct replica {
    uint32_t id, unit;
};

struct distances {
    const struct system *system;
    struct cache_kind kind;
    uint32_t units, sectors;
    uint32_t sms_per_unit;
    uint8_t domain_units[DOMAINS_MAX]; /* the unit of a domain */
    bool flushes;                      /* at the beginning of a launch */
    bool coherent;                     /* a write takes the line from other units */
    bool replicates;                   /* replicable requests stay at the requester */
    bool sampled;                      /* not all lines are followed: */
    struct shards shards;
    struct stack_distance *engines;
    /* Places: the engine's time slot, *slot_at(place); far[place * sectors + sector]. */
    uint32_t width;    /* places a line; 0: pairs */
    uint32_t **blocks; /* of slots of rows */
    size_t n_blocks;
    uint32_t *far;         /* sectored: largest distance since the sector was asked for, or FAR */
    uint8_t *unit_of;      /* home side: the unit of each line, which has one place */
    size_t capacity, used; /* places: of far, unit_of and pairs; in use */
    struct pair *pairs;
    uint32_t pair_bits;
    struct {
        struct replica *items;
        size_t count, capacity;
    } replicas;
    struct distance_counts counts;
};

static uint32_t kind_units(const struct system *system, enum cache_scope scope)
{
    switch (scope) {
    case SCOPE_SM:
        return system->sms;
    case SCOPE_GROUP:
        return system->l1_nodes;
    case SCOPE_CLUSTER:
        return system->l1_clusters;
    case SCOPE_PARTITION:
        return system->domains;
    case SCOPE_CHIP:
        return system->chips;
    case SCOPE_SYSTEM:
    case SCOPE_COUNT:
        break;
    }
    return 1;
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
    d->flushes = kind.filter == CACHE_LOOKUPS || kind.filter == CACHE_READ_ONLY_SHARED ||
                 (kind.side == SIDE_REQUESTER && system->flush_at_kernels);
    d->coherent = kind.side == SIDE_REQUESTER && !d->flushes && d->units > 1;
    d->replicates = kind.filter == CACHE_REPLICATED || kind.filter == CACHE_REPLICAS;
    bool one_place = kind.side == SIDE_HOME && !d->replicates &&
                     !(system->placement && placement_of(system)->access);
    d->width = one_place ? 1 : d->units <= ROW_UNITS ? d->units : 0;
    d->engines = memory_alloc(d->units * sizeof *d->engines);
    for (uint32_t u = 0; u < d->units; u++)
        stack_distance_init(&d->engines[u]);
    if (d->width == 0) {
        d->pair_bits = FIRST_PAIR_BITS;
        d->capacity = (size_t)1 << d->pair_bits;
        d->pairs = memory_table(d->capacity, sizeof *d->pairs);
        d->far = d->sectors > 1 ? memory_zero(d->capacity * d->sectors, sizeof *d->far) : NULL;
    }
    d->counts.requests = memory_zero(d->units, sizeof *d->counts.requests);
    d->counts.cold = memory_zero(d->units, sizeof *d->counts.cold);
    return d;
}

void distances_destroy(struct distances *d)
{
    if (!d)
        return;
    for (uint32_t u = 0; u < d->units; u++)
        stack_distance_fini(&d->engines[u]);
    for (size_t i = 0; i < d->n_blocks; i++)
        free(d->blocks[i]);
    free(d->engines);
    free(d->blocks);
    free(d->far);
    free(d->unit_of);
    free(d->pairs);
    free(d->counts.requests);
    free(d->counts.cold);
    VECTOR_FREE(&d->replicas);
    free(d);
}

/* --- places ---------------------------------------------------------------------- */

/* Where a unit stands in a line's row. */
static inline size_t row_place(const struct distances *d, uint32_t id, uint32_t unit)
{
    return d->width == 1 ? id : (size_t)id * d->width + unit;
}

static inline uint32_t *slot_at(const struct distances *d, size_t place)
{
    return d->width ? &d->blocks[place / BLOCK_PLACES][place % BLOCK_PLACES]
                    : &d->pairs[place].slot;
}

static void rows_grow(struct distances *d, size_t wanted)
{
    for (; d->n_blocks * BLOCK_PLACES < wanted; d->n_blocks++) {
        d->blocks = memory_resize(d->blocks, d->n_blocks + 1, sizeof *d->blocks);
        d->blocks[d->n_blocks] = memory_block(d->n_blocks == 0);
    }
    if (wanted <= d->capacity)
        return;
    d->capacity = wanted + wanted / 2 + 4096;
    if (d->sectors > 1)
        d->far = memory_resize(d->far, d->capacity * d->sectors, sizeof *d->far);
    if (d->width == 1)
        d->unit_of = memory_resize(d->unit_of, d->capacity, sizeof *d->unit_of);
}

/* Rows for all lines up to that one. They are cleared when they are first used: memory
 * that is only reserved costs nothing. */
static void rows_reserve(struct distances *d, uint32_t id)
{
    size_t end = ((size_t)id + 1) * d->width, more = end - d->used;
    if (end <= d->used)
        return;
    rows_grow(d, end);
    if (d->far)
        memset(d->far + d->used * d->sectors, 0, more * d->sectors * sizeof *d->far);
    if (d->unit_of)
        memset(d->unit_of + d->used, 0, more * sizeof *d->unit_of);
    while (d->used < end) {
        size_t in_block = BLOCK_PLACES - d->used % BLOCK_PLACES;
        size_t n = end - d->used < in_block ? end - d->used : in_block;
        memset(slot_at(d, d->used), 0, n * sizeof(uint32_t));
        d->used += n;
    }
}

static inline size_t pair_start(const struct distances *d, uint32_t id, uint32_t unit)
{
    return hash_fmix64((uint64_t)unit << 32 | id) >> (64 - d->pair_bits);
}

/* The pair's place, or the empty one where it belongs. */
static size_t pair_find(const struct distances *d, uint32_t id, uint32_t unit)
{
    size_t mask = d->capacity - 1, at = pair_start(d, id, unit);
    while (d->pairs[at].id && (d->pairs[at].id != id + 1 || d->pairs[at].unit != unit))
        at = (at + 1) & mask;
    return at;
}

static void pairs_double(struct distances *d)
{
    struct distances old = *d;
    d->pair_bits++;
    d->capacity *= 2;
    d->pairs = memory_table(d->capacity, sizeof *d->pairs);
    d->far = d->sectors > 1 ? memory_zero(d->capacity * d->sectors, sizeof *d->far) : NULL;
    for (size_t i = 0; i < old.capacity; i++) {
        if (!old.pairs[i].id)
            continue;
        size_t at = pair_find(d, old.pairs[i].id - 1, old.pairs[i].unit);
        d->pairs[at] = old.pairs[i];
        if (d->far)
            memcpy(d->far + at * d->sectors, old.far + i * d->sectors, d->sectors * sizeof *d->far);
    }
    free(old.pairs);
    free(old.far);
}

/* Where the line's slot in that unit stands. */
static inline size_t place_of(struct distances *d, uint32_t id, uint32_t unit)
{
    if (d->width)
        return row_place(d, id, unit);
    size_t at = pair_find(d, id, unit);
    if (d->pairs[at].id)
        return at;
    if (++d->used > d->capacity / 8 * 5) {
        pairs_double(d);
        at = pair_find(d, id, unit);
    }
    d->pairs[at] = (struct pair){id + 1, unit, 0};
    return at;
}

/* Rows of several units have their units in order; other places say whose they are. */
static inline bool place_is_of(const struct distances *d, size_t place, uint32_t unit)
{
    if (d->width == 0)
        return d->pairs[place].id && d->pairs[place].unit == unit;
    return !d->unit_of || d->unit_of[place] == unit;
}

static void renumber(struct distances *d, uint32_t unit)
{
    struct stack_renumbering r;
    size_t places = d->width ? d->used : d->capacity;
    size_t lines = d->width ? places / d->width : d->used;
    stack_distance_renumber_begin(&r, &d->engines[unit], (uint32_t)lines);
    size_t first = d->width > 1 ? unit : 0, step = d->width > 1 ? d->width : 1;
    for (size_t i = first; i < places; i += step)
        if (place_is_of(d, i, unit))
            *slot_at(d, i) = stack_distance_renumber(&r, *slot_at(d, i));
    stack_distance_renumber_end(&r);
}

/* --- requests ---------------------------------------------------------------------- */

/* The sectors of a request that this cache sees, and in which unit; 0: none. */
static inline uint32_t select_request(const struct distances *d, const struct request *r,
                                      uint32_t *unit)
{
    uint32_t own = d->domain_units[r->domain], home = d->domain_units[r->home];
    bool asked = !(r->flags & REQUEST_WRITEBACK), replicable = r->flags & REQUEST_REPLICABLE;
    if (d->kind.filter == CACHE_LOOKUPS) {
        *unit = r->sm / d->sms_per_unit;
        return r->flags & REQUEST_LOOKUP ? r->wanted : 0;
    }
    bool at_home = d->kind.side == SIDE_HOME;
    if (d->replicates)
        at_home = !replicable;
    *unit = at_home ? home : own;
    uint32_t sectors = d->kind.side == SIDE_HOME ? r->home_sectors : asked ? r->sectors : 0;
    switch (d->kind.filter) {
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

static inline struct distance_histogram *histogram_of(struct distances *d, const struct request *r)
{
    return r->kind == ACCESS_READ ? &d->counts.reads : &d->counts.writes;
}

static inline void count_distance(struct distances *d, const struct request *r, uint32_t unit,
                                  uint64_t distance)
{
    bool cold = distance == DISTANCE_COLD;
    if (!is_counted(d, r))
        return;
    if (d->sampled)
        distance = shards_distance(&(struct shards){.share = r->share}, distance);
    distance_histogram_add(histogram_of(d, r), distance);
    d->counts.requests[unit]++;
    d->counts.cold[unit] += cold;
}

/* A request for a line that is not in the sample. */
static inline void count_other(struct distances *d, const struct request *r, uint32_t unit,
                               uint32_t sectors)
{
    uint32_t n = is_counted(d, r) ? sectors_count(sectors) : 0;
    histogram_of(d, r)->requests += n;
    d->counts.requests[unit] += n;
}

static void count_sectors(struct distances *d, const struct request *r, uint32_t unit,
                          uint32_t sectors, size_t place, uint64_t distance)
{
    uint32_t *far = d->far + place * d->sectors;
    uint32_t reach = distance == DISTANCE_COLD ? FAR : (uint32_t)distance;
    for (uint32_t s = 0; s < d->sectors; s++)
        far[s] = far[s] > reach ? far[s] : reach;
    for (; sectors; sectors &= sectors - 1) {
        uint32_t s = (uint32_t)__builtin_ctz(sectors);
        count_distance(d, r, unit, far[s] == FAR ? DISTANCE_COLD : far[s]);
        far[s] = 0;
    }
}

static inline void access_place(struct distances *d, const struct request *r, uint32_t unit,
                                uint32_t sectors, size_t place)
{
    struct stack_distance *engine = &d->engines[unit];
    if (stack_distance_full(engine))
        renumber(d, unit);
    uint64_t distance = stack_distance_access(engine, slot_at(d, place));
    if (d->replicates && r->flags & REQUEST_REPLICABLE && distance == DISTANCE_COLD)
        VECTOR_PUSH(&d->replicas, ((struct replica){r->id, unit}));
    if (d->far)
        count_sectors(d, r, unit, sectors, place, distance);
    else
        count_distance(d, r, unit, distance);
}

/* A write by another unit: a copy here would be stale. */
static void invalidate_others(struct distances *d, const struct request *r)
{
    uint32_t own = d->domain_units[r->domain];
    for (uint32_t unit = 0; unit < d->units; unit++) {
        if (unit == own)
            continue;
        size_t place = d->width ? row_place(d, r->id, unit) : pair_find(d, r->id, unit);
        if (d->width || d->pairs[place].id)
            stack_distance_remove(&d->engines[unit], slot_at(d, place));
    }
}

void distances_sample(struct distances *d, const struct shards *shards)
{
    d->sampled = true;
    d->shards = *shards;
}

/* What passes the filter or invalidates copies, looked up ahead so that memory accesses
 * overlap. */
struct selected {
    const struct request *request;
    uint32_t unit, sectors; /* sectors 0: it does not pass */
};

static inline bool invalidates(const struct distances *d, const struct request *r)
{
    return d->coherent && r->kind != ACCESS_READ && !(r->flags & REQUEST_WRITEBACK);
}

/* What the engine will count, once the slot is there. Not for a whole batch at once, which
 * would fill the host's first-level cache. */
static inline void prefetch_counters(const struct distances *d, const struct selected *s)
{
    if (d->width)
        stack_distance_prefetch(&d->engines[s->unit],
                                *slot_at(d, row_place(d, s->request->id, s->unit)));
}

void distances_take(struct distances *d, const struct request *batch, size_t n)
{
    enum { AHEAD = 32 };
    struct selected chosen[REQUEST_BATCH];
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        struct selected *s = &chosen[count];
        s->request = &batch[i];
        s->sectors = select_request(d, &batch[i], &s->unit);
        if (s->sectors == 0 && !invalidates(d, &batch[i]))
            continue;
        if (batch[i].id == LINE_NONE) {
            count_other(d, &batch[i], s->unit, s->sectors);
            continue;
        }
        count++;
        if (d->width) {
            rows_reserve(d, batch[i].id);
            __builtin_prefetch(slot_at(d, row_place(d, batch[i].id, s->unit)), 1);
        } else {
            size_t start = pair_start(d, batch[i].id, s->unit);
            __builtin_prefetch(&d->pairs[start], 1);
        }
    }
    for (size_t i = 0; i < count && i < AHEAD; i++)
        prefetch_counters(d, &chosen[i]);
    for (size_t i = 0; i < count; i++) {
        const struct selected *s = &chosen[i];
        if (i + AHEAD < count)
            prefetch_counters(d, &chosen[i + AHEAD]);
        if (invalidates(d, s->request))
            invalidate_others(d, s->request);
        if (s->sectors == 0)
            continue;
        size_t place = place_of(d, s->request->id, s->unit);
        if (d->unit_of)
            d->unit_of[place] = (uint8_t)s->unit;
        access_place(d, s->request, s->unit, s->sectors, place);
    }
}

/* --- launches ---------------------------------------------------------------------- */

void distances_begin_launch(struct distances *d)
{
    for (uint32_t u = 0; d->flushes && u < d->units; u++)
        stack_distance_flush(&d->engines[u]);
    for (size_t i = 0; i < d->replicas.count; i++) {
        const struct replica *replica = &d->replicas.items[i];
        size_t place = place_of(d, replica->id, replica->unit);
        stack_distance_remove(&d->engines[replica->unit], slot_at(d, place));
    }
    d->replicas.count = 0;
    memset(&d->counts.reads, 0, sizeof d->counts.reads);
    memset(&d->counts.writes, 0, sizeof d->counts.writes);
    memset(d->counts.requests, 0, d->units * sizeof *d->counts.requests);
    memset(d->counts.cold, 0, d->units * sizeof *d->counts.cold);
}

/* `total` among the units, as the sample's cold ones are: running sums are what is
 * rounded. No unit takes more than it was asked for; the next ones with room do. */
static void scale_cold(struct distance_counts *counts, uint32_t units, uint64_t total)
{
    uint64_t sampled = 0, seen = 0, given = 0, rest = total;
    for (uint32_t u = 0; u < units; u++)
        sampled += counts->cold[u];
    for (uint32_t u = 0; u < units && sampled > 0; u++) {
        seen += counts->cold[u];
        uint64_t until = (uint64_t)round((double)seen / (double)sampled * (double)total);
        uint64_t n = until - given;
        counts->cold[u] = n < counts->requests[u] ? n : counts->requests[u];
        rest -= counts->cold[u];
        given = until;
    }
    for (uint32_t u = 0; u < units && rest > 0; u++) {
        uint64_t room = counts->requests[u] - counts->cold[u], n = room < rest ? room : rest;
        counts->cold[u] += n;
        rest -= n;
    }
}

void distances_scale(const struct distances *d, struct distance_counts *counts)
{
    if (!d->sampled)
        return;
    shards_scale(&d->shards, &counts->reads, counts->reads.requests);
    shards_scale(&d->shards, &counts->writes, counts->writes.requests);
    scale_cold(counts, d->units, counts->reads.cold + counts->writes.cold);
}

void distances_end_launch(struct distances *d)
{
    distances_scale(d, &d->counts);
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
    return &d->counts;
}

size_t distances_bytes(const struct distances *d)
{
    size_t places = d->width ? d->used : d->capacity;
    size_t bytes = d->width ? places * sizeof(uint32_t) : 0;
    bytes += d->far ? places * d->sectors * sizeof *d->far : 0;
    bytes += d->unit_of ? places : 0;
    bytes += d->pairs ? places * sizeof *d->pairs : 0;
    for (uint32_t u = 0; u < d->units; u++)
        bytes += d->engines[u].capacity / 8;
    return bytes;
}
