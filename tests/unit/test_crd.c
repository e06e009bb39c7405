/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chip request directory: published sizes, hand cases, a naive referee, and what the
 * directory does not see. */
#include "check.h"

#include "core/hash.h"
#include "sac/crd.h"

static struct crd_shape published(uint32_t sectors)
{
    return (struct crd_shape){
        .homes = 4,
        .chips = 4,
        .sets_per_home = 2048,
        .ways = CRD_WAYS,
        .sampled_sets = CRD_SAMPLED_SETS,
        .tag_bits = CRD_TAG_BITS,
        .sectors = sectors,
        .slices = 16,
        .counter_bits = CRD_COUNTER_BITS,
        .slice_counter_bits = CRD_SLICE_COUNTER_BITS,
    };
}

/* SAC, section 3.6: bytes a chip. */
TEST(test_published_sizes)
{
    struct crd_shape shape = published(1);
    struct crd_storage plain = crd_storage(&shape);
    assert_int_equal(plain.directory, 544);
    assert_int_equal(plain.slice_counters, 64);
    assert_int_equal(plain.counters, 12);
    assert_int_equal(plain.total, 620);
    assert_int_equal(plain.corrected, 480);
    shape = published(4);
    struct crd_storage sectored = crd_storage(&shape);
    assert_int_equal(sectored.directory, 736);
    assert_int_equal(sectored.slice_counters, 64);
    assert_int_equal(sectored.counters, 12);
    assert_int_equal(sectored.total, 812);
    assert_int_equal(sectored.corrected, 544);
}

/* One set of two ways: what hits is said by hand. */
TEST(test_by_hand)
{
    struct crd_shape shape = published(4);
    shape.sets_per_home = shape.sampled_sets = 1;
    shape.ways = 2;
    struct crd crd;
    struct crd_estimate estimate;
    crd_init(&crd, &shape);
    static const struct {
        uint32_t requester, home;
        uint64_t line;
        uint32_t sectors;
        bool hit, corrected;
    } steps[] = {
        {0, 0, 10, 0x1, false, false}, /* new */
        {0, 0, 10, 0x1, true, true},
        {0, 0, 10, 0x3, false, false}, /* one of two sectors */
        {0, 0, 10, 0x3, true, true},
        {1, 0, 10, 0x1, false, false}, /* another chip */
        {1, 0, 10, 0x1, true, true},
        {0, 0, 11, 0xf, false, false},
        {0, 1, 20, 0x1, false, false}, /* chip 0 has no way left for line 10, home 0 has */
        {0, 0, 10, 0x1, true, false},
        {0, 0, 12, 0x1, false, false}, /* replaces line 11 at home 0, line 20 in chip 0 */
        {0, 0, 11, 0x1, false, false}, /* replaces line 10 in both */
        {1, 0, 10, 0x1, false, true},  /* chip 1's bit went with it */
        {0, 1, 20, 0x1, true, false},
    };
    uint64_t hits = 0, corrected = 0, n = sizeof steps / sizeof *steps;
    for (uint64_t i = 0; i < n; i++) {
        crd_take(&crd, steps[i].requester, steps[i].home, steps[i].line, steps[i].sectors, 0, 0);
        crd_estimate(&crd, &estimate);
        hits += steps[i].hit;
        corrected += steps[i].corrected;
        assert_int_equal(estimate.requests, i + 1);
        check_relative(estimate.hit_rate * (double)(i + 1), (double)hits, 1e-12);
        check_relative(estimate.corrected_hit_rate * (double)(i + 1), (double)corrected, 1e-12);
    }
    /* The first slices of two homes take 11 and 2, those of two chips 10 and 3; of 64 all in all.
     */
    check_relative(estimate.lsu_memory_side, 13.0 / 11 / 64, 1e-12);
    check_relative(estimate.lsu_sm_side, 13.0 / 10 / 64, 1e-12);
    crd_clear(&crd);
    crd_estimate(&crd, &estimate);
    assert_int_equal(estimate.requests, 0);
    assert_true(isnan(estimate.hit_rate) && isnan(estimate.corrected_hit_rate));
    assert_true(isnan(estimate.lsu_memory_side) && isnan(estimate.lsu_sm_side));
    crd_take(&crd, 0, 1, 20, 1, 0, 0); /* nothing is left */
    crd_estimate(&crd, &estimate);
    assert_true(estimate.hit_rate == 0.0 && estimate.corrected_hit_rate == 0.0);
    crd_fini(&crd);
}

/* The referee: blocks with times, searched from end to end. */
enum { HOMES = 4, SETS = 24, WAYS = 5, SECTORS = 4, SLICES = 3 };

struct naive_block {
    bool valid;
    uint64_t tag, time;
    bool there[HOMES][SECTORS];
};

struct naive {
    struct naive_block directory[HOMES][SETS][WAYS], shadow[HOMES][SETS][WAYS];
    uint64_t requests[HOMES], hits[HOMES], corrected_requests, corrected_hits;
    uint64_t home_slices[HOMES][SLICES], chip_slices[HOMES][SLICES];
    uint64_t time;
};

static bool naive_look(struct naive *naive, struct naive_block *set, uint32_t ways, uint64_t tag,
                       uint32_t chip, uint32_t sectors)
{
    struct naive_block *block = NULL, *oldest = set;
    for (uint32_t w = 0; w < ways; w++) {
        if (set[w].valid && set[w].tag == tag)
            block = &set[w];
        if (!set[w].valid ? oldest->valid : oldest->valid && set[w].time < oldest->time)
            oldest = &set[w];
    }
    if (!block) {
        block = oldest;
        *block = (struct naive_block){.valid = true, .tag = tag};
    }
    block->time = ++naive->time;
    bool hit = true;
    for (uint32_t s = 0; s < SECTORS; s++)
        if (sectors >> s & 1) {
            hit = hit && block->there[chip][s];
            block->there[chip][s] = true;
        }
    return hit;
}

static void naive_bump(uint64_t *counter, uint32_t bits)
{
    if (*counter + 1 < UINT64_C(1) << bits)
        ++*counter;
}

static void naive_take(struct naive *naive, const struct crd_shape *shape, uint32_t requester,
                       uint32_t home, uint64_t line, uint32_t sectors, uint32_t home_slice,
                       uint32_t requester_slice)
{
    uint64_t hash = hash_fmix64(line);
    uint32_t set = (uint32_t)(((hash >> 32) * shape->sets_per_home) >> 32);
    uint32_t sampled =
        shape->sampled_sets < shape->sets_per_home ? shape->sampled_sets : shape->sets_per_home;
    uint32_t spacing = shape->sets_per_home / sampled, k = 0;
    naive_bump(&naive->home_slices[home][home_slice], shape->slice_counter_bits);
    naive_bump(&naive->chip_slices[requester][requester_slice], shape->slice_counter_bits);
    while (k < sampled && k * spacing != set)
        k++;
    if (k == sampled)
        return;
    uint64_t tag = hash % (UINT64_C(1) << shape->tag_bits);
    if (shape->sectors == 1)
        sectors = 1;
    naive_bump(&naive->requests[home], shape->counter_bits);
    if (naive_look(naive, naive->directory[home][k], shape->ways, tag, requester, sectors))
        naive_bump(&naive->hits[home], shape->counter_bits);
    naive->corrected_requests++;
    naive->corrected_hits +=
        naive_look(naive, naive->shadow[requester][k], shape->ways, tag, 0, sectors);
}

static double naive_uniformity(uint64_t slices[HOMES][SLICES], const struct crd_shape *shape)
{
    double sum = 0, most = 0;
    for (uint32_t d = 0; d < shape->homes; d++)
        for (uint32_t s = 0; s < shape->slices; s++) {
            sum += (double)slices[d][s];
            most = fmax(most, (double)slices[d][s]);
        }
    return sum / most / (shape->homes * shape->slices);
}

static void check_against(const struct crd *crd, struct naive *naive, uint64_t limit)
{
    const struct crd_shape *shape = &crd->shape;
    struct crd_estimate estimate;
    crd_estimate(crd, &estimate);
    uint64_t requests = 0, hits = 0;
    for (uint32_t d = 0; d < HOMES; d++) {
        requests += naive->requests[d];
        hits += naive->hits[d];
    }
    assert_int_equal(estimate.requests, requests);
    if (requests) {
        check_relative(estimate.hit_rate, (double)hits / (double)requests, 1e-12);
        check_relative(estimate.corrected_hit_rate,
                       (double)naive->corrected_hits / (double)naive->corrected_requests, 1e-12);
    }
    check_relative(estimate.lsu_memory_side, naive_uniformity(naive->home_slices, shape), 1e-12);
    check_relative(estimate.lsu_sm_side, naive_uniformity(naive->chip_slices, shape), 1e-12);
    bool saturated = false;
    for (uint32_t d = 0; d < HOMES; d++) {
        saturated |= naive->requests[d] == limit;
        for (uint32_t s = 0; s < SLICES; s++)
            saturated |= naive->home_slices[d][s] + 1 == UINT64_C(1) << shape->slice_counter_bits ||
                         naive->chip_slices[d][s] + 1 == UINT64_C(1) << shape->slice_counter_bits;
    }
    assert_int_equal(estimate.saturated, saturated);
}

TEST(test_against_naive)
{
    static struct naive naive;
    uint64_t random = 1;
    for (int round = check_rounds(2000, 40000); round > 0; round--) {
        naive = (struct naive){0};
        struct crd_shape shape = {
            .homes = 1 + (uint32_t)(check_random(&random) % HOMES),
            .sets_per_home = 1 + (uint32_t)(check_random(&random) % SETS),
            .ways = 1 + (uint32_t)(check_random(&random) % WAYS),
            .sampled_sets = 1 + (uint32_t)(check_random(&random) % SETS),
            .tag_bits = check_random(&random) % 4 ? 3 + (uint32_t)(check_random(&random) % 30) : 2,
            .sectors = check_random(&random) % 2 ? 1 : SECTORS,
            .slices = 1 + (uint32_t)(check_random(&random) % SLICES),
            .counter_bits = check_random(&random) % 4 ? 24 : 6,
            .slice_counter_bits = check_random(&random) % 4 ? 16 : 5,
        };
        shape.chips = shape.homes;
        struct crd crd;
        crd_init(&crd, &shape);
        uint64_t lines = 1 + check_random(&random) % 200;
        int length = 1 + (int)(check_random(&random) % 400);
        for (int i = 0; i < length; i++) {
            uint64_t line = check_random(&random) % lines << 33;
            uint32_t requester = (uint32_t)(check_random(&random) % shape.chips);
            uint32_t home = (uint32_t)((line >> 33) % shape.homes);
            uint32_t sectors = 1 + (uint32_t)(check_random(&random) % 15);
            uint32_t slice[2] = {(uint32_t)(check_random(&random) % shape.slices),
                                 (uint32_t)(check_random(&random) % shape.slices)};
            crd_take(&crd, requester, home, line, sectors, slice[0], slice[1]);
            naive_take(&naive, &shape, requester, home, line, sectors, slice[0], slice[1]);
        }
        check_against(&crd, &naive, (UINT64_C(1) << shape.counter_bits) - 1);
        crd_fini(&crd);
    }
}

/* 16 bits: the hot slice stops at 65 535 and the others catch up. */
TEST(test_saturation)
{
    struct crd_shape shape = published(1);
    shape.homes = shape.chips = 1;
    shape.slices = 2;
    struct crd crd;
    struct crd_estimate estimate;
    crd_init(&crd, &shape);
    for (int i = 0; i < 65534; i++)
        crd_take(&crd, 0, 0, 1, 1, 0, i & 1);
    crd_estimate(&crd, &estimate);
    assert_false(estimate.saturated);
    check_relative(estimate.lsu_memory_side, 0.5, 1e-12);
    check_relative(estimate.lsu_sm_side, 1.0, 1e-12);
    for (int i = 0; i < 65535; i++)
        crd_take(&crd, 0, 0, 1, 1, 0, 0);
    for (int i = 0; i < 65535; i++)
        crd_take(&crd, 0, 0, 1, 1, 1, 0);
    crd_estimate(&crd, &estimate);
    assert_true(estimate.saturated);
    check_relative(estimate.lsu_memory_side, 1.0, 1e-12); /* really 2 : 1, LSU 0.75 */
    check_relative(estimate.lsu_sm_side, (65535 + 32767) / 65535.0 / 2, 1e-12);
    crd_fini(&crd);

    /* Four bits for requests and hits: a line asked for 40 times seems to hit always. */
    shape.sets_per_home = 1;
    shape.counter_bits = 4;
    crd_init(&crd, &shape);
    for (int i = 0; i < 40; i++)
        crd_take(&crd, 0, 0, 1, 1, 0, 0);
    crd_estimate(&crd, &estimate);
    assert_int_equal(estimate.requests, 15);
    check_relative(estimate.hit_rate, 1.0, 1e-12);
    check_relative(estimate.corrected_hit_rate, 39 / 40.0, 1e-12);
    crd_fini(&crd);
}

/* Of the sets, those sampled see their share of lines, wherever the slices are. */
TEST(test_samples)
{
    struct crd_shape shape = published(1);
    struct crd crd;
    struct crd_estimate estimate;
    crd_init(&crd, &shape);
    enum { LINES = 1 << 20 };
    for (uint64_t line = 0; line < LINES; line++)
        crd_take(&crd, 0, 0, line, 1, 0, 0);
    crd_estimate(&crd, &estimate);
    double want = LINES * 8.0 / 2048; /* binomial: standard deviation 64 */
    assert_true(fabs((double)estimate.requests - want) < 5 * 64);
    assert_true(estimate.hit_rate == 0.0);
    crd_fini(&crd);
}

/* Of requests for lines that fit, a directory of all sets misses the first of each line and chip
 * alone, as LLCs that begin empty at the requesters do: what those of eight sets say is a sample of
 * it, here of some 64 requests, which is right within some points (binomial: 6) and no better. */
TEST(test_samples_of_a_short_window)
{
    enum { REQUESTS = 16384, LINES = 8192, CHIPS = 4 };
    static bool asked[CHIPS][LINES];
    struct crd_shape sizes[] = {published(1), published(1)};
    struct crd crd[2];
    struct crd_estimate all, eight;
    uint64_t random = 11, hits = 0;
    sizes[0].sampled_sets = sizes[0].sets_per_home;
    for (int i = 0; i < 2; i++)
        crd_init(&crd[i], &sizes[i]);
    for (int i = 0; i < REQUESTS; i++) {
        uint32_t line = (uint32_t)(check_random(&random) % LINES);
        uint32_t chip = (uint32_t)(check_random(&random) % CHIPS);
        hits += asked[chip][line];
        asked[chip][line] = true;
        for (int k = 0; k < 2; k++)
            crd_take(&crd[k], chip, line % CHIPS, line, 1, 0, 0);
    }
    crd_estimate(&crd[0], &all);
    crd_estimate(&crd[1], &eight);
    assert_int_equal(all.requests, REQUESTS);
    check_relative(all.hit_rate, (double)hits / REQUESTS, 1e-12);
    assert_true(eight.requests > 24 && eight.requests < 104); /* 64, five deviations of 8 */
    assert_true(fabs(eight.hit_rate - all.hit_rate) < 0.3);
    assert_true(fabs(eight.hit_rate - all.hit_rate) > 1e-6);
    for (int i = 0; i < 2; i++)
        crd_fini(&crd[i]);
}

/* Lines, uniformly random, of which each chip asks for those that `shared` says; SM-side
 * caches of `sets` * 16 ways beside the estimates. Returns the caches' hit rate. */
static double share(uint64_t lines, bool shared, struct crd_estimate *estimate)
{
    enum { CHIPS = 4, CACHE_SETS = 64, CACHE_WAYS = 16 };
    static uint64_t tags[CHIPS][CACHE_SETS][CACHE_WAYS];
    struct crd_shape shape = published(1);
    shape.sets_per_home = CACHE_SETS;
    struct crd crd;
    uint64_t random = 3, counted = 0, hits = 0;
    crd_init(&crd, &shape);
    memset(tags, 0, sizeof tags);
    enum { WARM = 100000, RUN = 500000 };
    for (int i = 0; i < WARM + RUN; i++) {
        uint64_t line = check_random(&random) % lines;
        uint32_t requester = (uint32_t)(shared ? check_random(&random) % CHIPS : line / 4 % CHIPS);
        uint32_t set = hash_reduce(hash_fmix64(line), CACHE_SETS), way = 0;
        uint64_t *cache = tags[requester][set];
        while (way < CACHE_WAYS - 1 && cache[way] != line + 1)
            way++;
        bool hit = cache[way] == line + 1;
        memmove(cache + 1, cache, way * sizeof *cache);
        cache[0] = line + 1;
        if (i == WARM) { /* what was taken so far only filled the sets */
            memset(crd.counters, 0, CHIPS * sizeof *crd.counters);
            crd.corrected = (struct crd_rate){0};
        }
        crd_take(&crd, requester, (uint32_t)(line % CHIPS), line, 1, 0, 0);
        counted += i >= WARM;
        hits += i >= WARM && hit;
    }
    crd_estimate(&crd, estimate);
    crd_fini(&crd);
    return (double)hits / (double)counted;
}

/* Lines that all chips ask for, as many as three of the four caches hold: each cache holds
 * a third of them. */
TEST(test_blind_to_copies)
{
    struct crd_estimate estimate;
    double exact = share(3 * 64 * 16, true, &estimate);
    check_relative(exact, 1 / 3.0, 0.01);
    assert_true(estimate.hit_rate > 0.9);
    assert_true(fabs(estimate.corrected_hit_rate - exact) < 0.03);
    /* As many as all four hold: the directory's own sets overflow here and there. */
    exact = share(4 * 64 * 16, true, &estimate);
    check_relative(exact, 1 / 4.0, 0.01);
    assert_true(estimate.hit_rate > 0.75);
    assert_true(fabs(estimate.corrected_hit_rate - exact) < 0.03);
    /* Every line asked for by one chip: no copies, and both are right. */
    exact = share(3 * 64 * 16, false, &estimate);
    assert_true(exact > 0.9);
    assert_true(fabs(estimate.hit_rate - exact) < 0.04);
    assert_true(fabs(estimate.corrected_hit_rate - exact) < 0.04);
}
