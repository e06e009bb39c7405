/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stack distances and write-backs of every kind of cache against caches of every size, simulated
 * one by one: sectors, flushes, replicas that leave, lines that are not in the sample. */
#include "profile_naive.h"

#include "profile/curves/distances.h"
#include "profile/curves/line_table.h"

enum { LINES = 14, SIZES = LINES + 1, UNITS = 36 };
enum { READS, OTHERS, ATOMICS, REMOTE, CLASSES };

struct simple_line {
    uint64_t number;
    uint32_t sectors, dirty;
    uint32_t touched; /* sectors that were asked for in this launch */
};

/* One cache of `size` lines: entries in LRU order, the most recent first. */
struct simple_cache {
    size_t count;
    struct simple_line entries[SIZES];
    uint64_t written_home; /* sectors, in this launch */
};

static uint64_t bits(uint32_t mask)
{
    return (uint64_t)__builtin_popcount(mask);
}

/* Sectors that hit; *old: those of them that were last asked for in an earlier launch. A miss of
 * the line takes a free place, if there is one. */
static uint32_t simple_ask(struct simple_cache *cache, size_t size, uint64_t line, uint32_t wanted,
                           bool writes, uint32_t *old)
{
    struct simple_line entry = {.number = line};
    size_t at = 0;
    while (at < cache->count && cache->entries[at].number != line)
        at++;
    if (at < cache->count)
        entry = cache->entries[at];
    else if (cache->count < size)
        cache->count++;
    else
        at = size - 1, cache->written_home += bits(cache->entries[at].dirty);
    memmove(cache->entries + 1, cache->entries, at * sizeof *cache->entries);
    cache->entries[0] = (struct simple_line){
        line, entry.sectors | wanted, entry.dirty | (writes ? wanted : 0), entry.touched | wanted};
    *old = entry.sectors & wanted & ~entry.touched;
    return entry.sectors & wanted;
}

static void simple_remove(struct simple_cache *cache, uint64_t line)
{
    size_t kept = 0;
    for (size_t i = 0; i < cache->count; i++)
        if (cache->entries[i].number != line)
            cache->entries[kept++] = cache->entries[i];
        else
            cache->written_home += bits(cache->entries[i].dirty);
    cache->count = kept;
}

/* One kind: caches of 1 to SIZES lines for each unit, and their hits in this launch. */
struct simple_kind {
    struct naive_kind kind; /* the names; its caches are not used */
    enum level_flush flush;
    bool replicated;
    struct simple_cache caches[UNITS][SIZES];
    uint64_t hits[CLASSES][SIZES], old[2][SIZES], requests[UNITS];
    uint64_t all[CLASSES], asked[CLASSES]; /* of all lines, of those in the sample */
    uint32_t ids[LINES];                   /* LINE_NONE: not in the sample */
    bool replica[UNITS][LINES], written[UNITS][LINES];
    uint64_t pairs_written, unsettled;
    bool postponed;              /* the last launch did not look through what was dirty */
    uint64_t home_so_far[SIZES]; /* sectors, what was dirty at the end of launches with it */
    uint64_t said_so_far[SIZES];
};

static void simple_begin(struct simple_kind *k)
{
    for (int u = 0; u < UNITS; u++)
        for (int i = 0; i < SIZES; i++) {
            for (uint64_t line = 0; line < LINES; line++)
                if (k->replica[u][line])
                    simple_remove(&k->caches[u][i], line);
            k->caches[u][i].written_home = 0;
            for (size_t e = 0; e < k->caches[u][i].count; e++)
                k->caches[u][i].entries[e].touched = 0;
        }
    memset(k->replica, 0, sizeof k->replica);
    memset(k->hits, 0, sizeof k->hits);
    memset(k->old, 0, sizeof k->old);
    memset(k->requests, 0, sizeof k->requests);
    memset(k->all, 0, sizeof k->all);
    memset(k->asked, 0, sizeof k->asked);
}

static void simple_take(const struct config *c, struct simple_kind *k,
                        const struct naive_request *r)
{
    uint32_t unit, sectors, own = naive_unit_at(c, k->kind.scope, r->sm);
    bool stale = same(c->coherence, "hardware") && same(k->kind.side, "requester") &&
                 !same(k->kind.filter, "lookups") && r->kind != ACCESS_READ && r->missing;
    for (uint32_t other = 0; other < UNITS && stale; other++)
        for (size_t i = 0; i < SIZES && other != own; i++)
            simple_remove(&k->caches[other][i], r->line);
    if (!naive_sees(c, &k->kind, r, &unit, &sectors)) {
        if (k->flush == FLUSH_STALE && same(k->kind.side, "requester") && r->kind != ACCESS_READ &&
            r->missing && k->ids[r->line] != LINE_NONE)
            k->written[own][r->line] = true;
        return;
    }
    int class = r->kind != ACCESS_READ;
    bool atomic = r->kind == ACCESS_ATOMIC, counted = naive_counts(c, &k->kind, r);
    bool remote = (!class || atomic) && r->own != r->home && same(k->kind.filter, "all");
    uint64_t n = counted ? bits(sectors) : 0;
    k->requests[unit] += n;
    k->all[class] += n;
    k->all[ATOMICS] += atomic ? n : 0;
    k->all[REMOTE] += remote ? n : 0;
    if (k->ids[r->line] == LINE_NONE)
        return;
    k->unsettled++;
    k->asked[class] += n;
    k->asked[ATOMICS] += atomic ? n : 0;
    k->asked[REMOTE] += remote ? n : 0;
    k->replica[unit][r->line] |= k->replicated && r->replicable;
    k->pairs_written += class && !k->written[unit][r->line];
    k->written[unit][r->line] |= class;
    for (size_t i = 0; i < SIZES; i++) {
        uint32_t old, hit = simple_ask(&k->caches[unit][i], i + 1, r->line, sectors, class, &old);
        old = counted ? old : 0;
        hit = counted ? hit : 0;
        k->hits[class][i] += bits(hit);
        k->hits[ATOMICS][i] += atomic ? bits(hit) : 0;
        k->hits[REMOTE][i] += remote ? bits(hit) : 0;
        k->old[0][i] += bits(old);
        k->old[1][i] += !class || atomic ? bits(old) : 0;
    }
}

static uint64_t below(const struct distance_histogram *histogram, size_t lines)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < lines; i++)
        sum += histogram->bins[i];
    return sum;
}

static uint64_t from(const struct distance_histogram *histogram, size_t lines)
{
    return histogram->requests - below(histogram, lines);
}

/* Dirty data that left and that stay, in caches of every size; and in sum over launches, since
 * some may be counted with a later one. */
static void simple_compare_dirty(struct simple_kind *k, const struct distance_counts *counts)
{
    enum { LOOK_EVERY = 4 };
    bool settled = k->flush != FLUSH_NONE || LOOK_EVERY * k->unsettled >= k->pairs_written;
    bool alone = settled && !k->postponed; /* what left is all of this launch */
    for (size_t i = 0; i < SIZES; i++) {
        uint64_t home = 0, dirty = 0;
        for (int u = 0; u < UNITS; u++) {
            home += k->caches[u][i].written_home;
            for (size_t e = 0; e < k->caches[u][i].count; e++)
                dirty += bits(k->caches[u][i].entries[e].dirty);
        }
        uint64_t said = from(&counts->parts[DISTANCE_EVICTED], i + 1) -
                        from(&counts->parts[DISTANCE_BEFORE], i + 1);
        uint64_t left = below(&counts->parts[DISTANCE_DIRTY], i + 1);
        if (alone && (said != home || left != dirty))
            fail_msg("%s %s %s, flush %d, %zu lines: %llu home, %llu dirty; expected %llu, %llu",
                     k->kind.scope, k->kind.side, k->kind.filter, k->flush, i + 1,
                     (unsigned long long)said, (unsigned long long)left, (unsigned long long)home,
                     (unsigned long long)dirty);
        k->home_so_far[i] += home + (k->flush != FLUSH_NONE ? dirty : 0);
        k->said_so_far[i] += said + (k->flush != FLUSH_NONE ? left : 0);
        if (k->flush == FLUSH_NONE)
            assert_int_equal(k->home_so_far[i] + dirty, k->said_so_far[i] + left);
        else
            assert_int_equal(k->home_so_far[i], k->said_so_far[i]);
    }
    k->unsettled = settled ? 0 : k->unsettled;
    k->postponed = !settled;
}

/* What the end of a launch drops; of what was written, also where a small cache has it clean. */
static void simple_flush(struct simple_kind *k, uint32_t units)
{
    for (uint32_t u = 0; u < units; u++)
        for (uint64_t line = 0; line < LINES && k->flush != FLUSH_NONE; line++)
            for (uint32_t other = 0; other < units && k->written[u][line]; other++)
                for (size_t i = 0; i < SIZES; i++)
                    if (other == u || k->flush == FLUSH_STALE)
                        simple_remove(&k->caches[other][i], line);
    for (uint32_t u = 0; u < units && k->flush == FLUSH_ALL; u++)
        for (size_t i = 0; i < SIZES; i++)
            k->caches[u][i].count = 0;
    if (k->flush == FLUSH_NONE)
        return;
    memset(k->written, 0, sizeof k->written);
    k->pairs_written = 0;
}

static void simple_compare(const struct simple_kind *k, const struct distances *d)
{
    const struct distance_counts *counts = distances_counts(d);
    const struct distance_histogram *histograms = counts->parts;
    uint64_t cold = 0;
    static const enum distance_part parts[CLASSES] = {DISTANCE_READS, DISTANCE_WRITES,
                                                      DISTANCE_FETCHING, DISTANCE_REMOTE};
    for (int class = READS; class < CLASSES; class ++) {
        const struct distance_histogram *own = &histograms[parts[class]];
        uint64_t hits = 0;
        assert_int_equal(own->requests, k->all[class]);
        for (size_t i = 0; i < SIZES; i++) {
            hits += own->bins[i];
            if (hits != k->hits[class][i])
                fail_msg("%s %s %s: %llu hits in %zu lines, expected %llu", k->kind.scope,
                         k->kind.side, k->kind.filter, (unsigned long long)hits, i + 1,
                         (unsigned long long)k->hits[class][i]);
        }
        assert_int_equal(own->cold, k->asked[class] - hits);
        cold += class == READS || class == OTHERS ? own->cold : 0;
    }
    for (size_t i = 0; i < SIZES; i++) {
        assert_int_equal(below(&histograms[DISTANCE_OLD], i + 1), k->old[0][i]);
        assert_int_equal(below(&histograms[DISTANCE_OLD_WANTED], i + 1), k->old[1][i]);
    }
    for (uint32_t u = 0; u < distances_units(d); u++) {
        assert_int_equal(counts->requests[u], k->requests[u]);
        cold -= counts->cold[u];
    }
    assert_int_equal(cold, 0);
}

static uint32_t pick(uint64_t *random, uint32_t low, uint32_t high)
{
    return low + (uint32_t)(check_random(random) % (high - low + 1));
}

static const struct cache_kind all_kinds[] = {
    {SCOPE_SM, SIDE_REQUESTER, CACHE_LOOKUPS},
    {SCOPE_GROUP, SIDE_REQUESTER, CACHE_LOOKUPS},
    {SCOPE_CLUSTER, SIDE_REQUESTER, CACHE_LOOKUPS},
    {SCOPE_CHIP, SIDE_REQUESTER, CACHE_LOOKUPS},
    {SCOPE_PARTITION, SIDE_HOME, CACHE_ALL},
    {SCOPE_PARTITION, SIDE_REQUESTER, CACHE_ALL},
    {SCOPE_PARTITION, SIDE_HOME, CACHE_LOCAL},
    {SCOPE_PARTITION, SIDE_HOME, CACHE_REMOTE},
    {SCOPE_PARTITION, SIDE_REQUESTER, CACHE_LOCAL},
    {SCOPE_PARTITION, SIDE_REQUESTER, CACHE_REMOTE},
    {SCOPE_PARTITION, SIDE_REQUESTER, CACHE_READ_ONLY_SHARED},
    {SCOPE_PARTITION, SIDE_HOME, CACHE_REPLICATED},
    {SCOPE_PARTITION, SIDE_HOME, CACHE_REPLICAS},
    {SCOPE_PARTITION, SIDE_HOME, CACHE_REPLICABLE_OF_ALL},
    {SCOPE_PARTITION, SIDE_HOME, CACHE_REMOTE_OF_ALL},
    {SCOPE_CHIP, SIDE_HOME, CACHE_ALL},
    {SCOPE_CHIP, SIDE_REQUESTER, CACHE_ALL},
    {SCOPE_CHIP, SIDE_HOME, CACHE_LOCAL},
    {SCOPE_CHIP, SIDE_HOME, CACHE_REMOTE},
    {SCOPE_CHIP, SIDE_HOME, CACHE_REMOTE_OF_ALL},
    {SCOPE_CHIP, SIDE_REQUESTER, CACHE_LOCAL},
    {SCOPE_CHIP, SIDE_REQUESTER, CACHE_REMOTE},
    {SCOPE_SYSTEM, SIDE_HOME, CACHE_ALL},
    {SCOPE_SYSTEM, SIDE_REQUESTER, CACHE_ALL},
};

/* A request as a pass might make it; the line's home and whether it is written are fixed
 * by its number for the launch. */
static struct naive_request random_request(uint64_t *random, const struct config *c,
                                           const uint32_t *homes, uint32_t written)
{
    struct naive_request r = {.sm = pick(random, 0, config_sms(c) - 1),
                              .kind = ACCESS_READ,
                              .line = check_random(random) % LINES};
    uint32_t all = (1U << c->sectors) - 1;
    r.own = config_domain(c, r.sm);
    r.home = homes[r.line];
    r.wanted = c->sectors > 1 ? pick(random, 1, all) : 1;
    r.missing = r.wanted;
    if (written >> r.line & 1 && pick(random, 0, 1))
        r.kind = pick(random, 0, 1) ? ACCESS_WRITE : ACCESS_ATOMIC;
    if (r.kind == ACCESS_READ && pick(random, 0, 3)) {
        r.lookup = true;
        r.missing &= pick(random, 0, all);
        r.arriving = r.missing;
        if (pick(random, 0, 3) == 0) /* a level before the LLC has some */
            r.arriving &= pick(random, 0, all);
    }
    r.replicable =
        r.kind == ACCESS_READ && r.missing && r.home != r.own && !(written >> r.line & 1);
    return r;
}

static struct request request_of(const struct naive_request *r, uint32_t id)
{
    return (struct request){
        .line = r->line,
        .id = id,
        .share = UINT32_MAX, /* of all lines */
        .wanted = r->wanted,
        .sectors = r->missing,
        .home_sectors = r->arriving,
        .sm = (uint16_t)r->sm,
        .domain = (uint8_t)r->own,
        .home = (uint8_t)r->home,
        .kind = (uint8_t)r->kind,
        .flags =
            (uint8_t)((r->lookup ? REQUEST_LOOKUP : 0) | (r->replicable ? REQUEST_REPLICABLE : 0)),
    };
}

static void distances_launch(uint64_t *random, const struct config *c, const uint32_t *homes,
                             struct simple_kind *simple, struct distances *d)
{
    uint32_t written = (uint32_t)(check_random(random) & check_random(random));
    struct request batch[40];
    size_t count = 0;
    distances_begin_launch(d);
    simple_begin(simple);
    for (uint32_t i = pick(random, 0, 200); i > 0; i--) {
        struct naive_request r = random_request(random, c, homes, written);
        batch[count++] = request_of(&r, simple->ids[r.line]);
        simple_take(c, simple, &r);
        if (count < 40 && i > 1)
            continue;
        distances_take(d, batch, count);
        count = 0;
    }
    simple_compare(simple, d);
    distances_end_launch(d, false);
    simple_compare_dirty(simple, distances_counts(d));
    simple_flush(simple, distances_units(d));
}

/* Which lines have distances, under which numbers; without distances_sample: all. */
static void choose_sample(uint64_t *random, struct simple_kind *simple, struct distances *d)
{
    struct shards counted_as_they_are = shards_begin(1);
    uint32_t count = 0;
    bool sampled = pick(random, 0, 1);
    for (int line = 0; line < LINES; line++)
        simple->ids[line] = !sampled || pick(random, 0, 1) ? count++ : LINE_NONE;
    if (sampled)
        distances_sample(d, &counted_as_they_are);
}

static void distances_round(uint64_t random, struct cache_kind kind)
{
    static const uint32_t sectors[] = {1, 2, 4, 8};
    struct config c = {
        .chips = pick(&random, 1, 3),
        .partitions = pick(&random, 1, 3),
        .sectors = sectors[pick(&random, 0, 3)],
        .coherence = pick(&random, 0, 1) ? "software" : "hardware",
    };
    c.per_chip = c.partitions * pick(&random, 1, 4);
    enum level_flush flush = (enum level_flush)pick(&random, FLUSH_NONE, FLUSH_COHERENCE);
    c.nodes = c.partitions; /* and as many clusters, or one of each an SM */
    c.clusters = c.partitions;
    if (pick(&random, 0, 1))
        c.nodes = c.per_chip;
    struct system system = {
        .chips = c.chips,
        .partitions = c.partitions,
        .domains = config_domains(&c),
        .sms_per_chip = c.per_chip,
        .sms_per_domain = c.per_chip / c.partitions,
        .sms = config_sms(&c),
        .sectors = c.sectors,
        .flush_at_kernels = same(c.coherence, "software"),
        .l1_nodes = c.chips * c.nodes,
        .l1_clusters = c.chips * c.clusters,
        .levels = {{.flush = FLUSH_ALL}, {.flush = flush}},
        .n_levels = 2,
    };
    uint32_t homes[LINES];
    for (int i = 0; i < LINES; i++)
        homes[i] = pick(&random, 0, system.domains - 1);
    struct distances *d = distances_create(&system, kind);
    struct simple_kind *simple = memory_zero(1, sizeof *simple);
    simple->kind.scope = cache_scope_names[kind.scope];
    simple->kind.side = level_side_names[kind.side];
    simple->kind.filter = cache_filter_names[kind.filter];
    simple->replicated = kind.filter == CACHE_REPLICATED || kind.filter == CACHE_REPLICAS;
    simple->flush = flush != FLUSH_COHERENCE                                 ? flush
                    : kind.side == SIDE_REQUESTER && system.flush_at_kernels ? FLUSH_STALE
                                                                             : FLUSH_NONE;
    if (kind.filter == CACHE_LOOKUPS || kind.filter == CACHE_READ_ONLY_SHARED)
        simple->flush = FLUSH_ALL;
    choose_sample(&random, simple, d);
    for (int launch = 0; launch < 4; launch++)
        distances_launch(&random, &c, homes, simple, d);
    free(simple);
    distances_destroy(d);
}

TEST(test_distances)
{
    int rounds = check_rounds(200, 5000);
    for (int round = 0; round < rounds; round++)
        for (size_t k = 0; k < sizeof all_kinds / sizeof *all_kinds; k++)
            distances_round((uint64_t)round * 100 + k, all_kinds[k]);
}

/* --- kinds that see the same ------------------------------------------------------------ */

static const struct cache_kind same_kinds[] = {
    {SCOPE_CHIP, SIDE_HOME, CACHE_ALL},
    {SCOPE_CHIP, SIDE_REQUESTER, CACHE_ALL},
    {SCOPE_SYSTEM, SIDE_HOME, CACHE_ALL},
};
enum { SAME = sizeof same_kinds / sizeof *same_kinds };

static void assert_same_counts(const struct distances *a, const struct distances *b)
{
    const struct distance_counts *of_a = distances_counts(a), *of_b = distances_counts(b);
    assert_memory_equal(of_a->parts, of_b->parts, sizeof of_a->parts);
    assert_int_equal(of_a->requests[0], of_b->requests[0]);
    assert_int_equal(of_a->cold[0], of_b->cold[0]);
}

/* The kinds each by itself, and where the first one counts for the others. */
struct following {
    struct distances *alone[SAME], *following[SAME];
};

static void following_launch(uint64_t *random, const struct config *c, uint32_t written,
                             const struct following *f)
{
    const uint32_t homes[LINES] = {0};
    bool all = pick(random, 0, 3) == 0;
    for (int k = 0; k < SAME; k++) {
        distances_begin_launch(f->alone[k]);
        distances_begin_launch(f->following[k]);
    }
    for (uint32_t i = pick(random, 0, 100); i > 0; i--) {
        struct naive_request r = random_request(random, c, homes, written);
        r.arriving = r.missing;
        struct request request = request_of(&r, (uint32_t)r.line);
        for (int k = 0; k < SAME; k++) {
            distances_take(f->alone[k], &request, 1);
            distances_take(f->following[k], &request, 1);
        }
    }
    for (int k = 0; k < SAME; k++)
        assert_same_counts(f->alone[k], f->following[k]);
    for (int k = 0; k < SAME; k++)
        distances_part(f->following[k]);
    for (int k = 0; k < SAME; k++) {
        distances_end_launch(f->alone[k], all);
        distances_end_launch(f->following[k], all);
    }
    for (int k = 0; k < SAME; k++) {
        assert_same_counts(f->alone[k], f->following[k]);
        assert_int_equal(distances_settled(f->alone[k]), distances_settled(f->following[k]));
    }
}

/* Some launches, the first without a write. Whether any of the others went on by itself. */
static bool following_round(uint64_t random, enum level_flush flush, bool software)
{
    struct config c = {.chips = 1,
                       .partitions = 1,
                       .per_chip = 2,
                       .nodes = 2,
                       .clusters = 2,
                       .sectors = pick(&random, 0, 1) ? 4 : 1,
                       .coherence = software ? "software" : "hardware"};
    struct system system = {.chips = 1,
                            .partitions = 1,
                            .domains = 1,
                            .sms_per_chip = 2,
                            .sms_per_domain = 2,
                            .sms = 2,
                            .sectors = c.sectors,
                            .flush_at_kernels = software,
                            .l1_nodes = 2,
                            .l1_clusters = 2,
                            .levels = {{.flush = FLUSH_ALL}, {.flush = flush}},
                            .n_levels = 2};
    struct following f;
    bool apart = false;
    for (int k = 0; k < SAME; k++) {
        f.alone[k] = distances_create(&system, same_kinds[k]);
        f.following[k] = distances_create(&system, same_kinds[k]);
        if (k > 0)
            distances_follow(f.following[k], f.following[0]);
    }
    for (int launch = 0; launch < 5; launch++) {
        uint32_t written = launch ? (uint32_t)(check_random(&random) & check_random(&random)) : 0;
        following_launch(&random, &c, written, &f);
    }
    for (int k = 0; k < SAME; k++) {
        apart = apart || distances_counts(f.following[k]) != distances_counts(f.following[0]);
        distances_destroy(f.alone[k]);
    }
    for (int k = 0; k < SAME; k++)
        distances_destroy(f.following[k]);
    return apart;
}

TEST(test_following)
{
    bool software_apart = false;
    for (uint64_t round = 0; round < (uint64_t)check_rounds(200, 5000); round++)
        for (int flush = FLUSH_NONE; flush <= FLUSH_COHERENCE; flush++) {
            bool apart = following_round(2 * round, (enum level_flush)flush, true);
            assert_true(!apart || flush == FLUSH_COHERENCE);
            software_apart = software_apart || apart;
            assert_false(following_round(2 * round + 1, (enum level_flush)flush, false));
        }
    assert_true(software_apart);
}

/* --- lines that are taken out, over many renumberings ----------------------------------- */

static void renumber(struct stack_distance *engine, uint32_t *slots)
{
    struct stack_renumbering r;
    stack_distance_renumber_begin(&r, engine, 100);
    for (int i = 0; i < LINES; i++)
        slots[i] = stack_distance_renumber(&r, slots[i]);
    stack_distance_renumber_end(&r);
}

/* Taken out one by one or all at once, flushed at times, and renumbered when nothing else
 * would do, and when not. */
TEST(test_removal)
{
    struct stack_distance engine;
    struct simple_cache caches[SIZES] = {{0}};
    uint32_t slots[LINES] = {0};
    uint64_t random = 7, n = 700000 / (uint64_t)check_slowness();
    stack_distance_init(&engine);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t line = check_random(&random) % LINES;
        uint32_t event = pick(&random, 0, 9999);
        if (stack_distance_full(&engine) || event < 10)
            renumber(&engine, slots);
        if (event == 10) {
            stack_distance_flush(&engine);
            for (int k = 0; k < SIZES; k++)
                caches[k].count = 0;
        }
        for (uint32_t removed = event % 97 == 11 ? event % 5 : 0; removed > 0; removed--) {
            uint64_t which = check_random(&random) % LINES;
            stack_distance_remove(&engine, &slots[which]);
            for (int k = 0; k < SIZES; k++)
                simple_remove(&caches[k], which);
        }
        uint64_t distance = stack_distance_access(&engine, &slots[line]);
        uint32_t old;
        for (size_t k = 0; k < SIZES; k++)
            if (simple_ask(&caches[k], k + 1, line, 1, false, &old) != (distance <= k))
                fail_msg("access %llu: distance %llu in %zu lines", (unsigned long long)i,
                         (unsigned long long)distance, k + 1);
    }
    stack_distance_fini(&engine);
}
