/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled stack distances against exact ones, and what the method rests on:
 * even samples, unbiased distances, counts that add up. */
#include "check.h"

#include "core/memory.h"
#include "profile/curves/shards.h"
#include "profile/curves/stack_distance.h"

/* ---- streams --------------------------------------------------------------- */

enum { LINES = 100000 };

enum stream_kind { ZIPF, STEEP, RANDOM, LOOP, SCAN, MIXED };

struct lines {
    enum stream_kind kind;
    uint64_t random, at;
    double *cumulative; /* of Zipf's law, exponent 0.9; STEEP: 1.2 */
};

static struct lines lines_begin(enum stream_kind kind)
{
    struct lines lines = {.kind = kind, .random = 17};
    double sum = 0;
    if (kind == ZIPF || kind == STEEP || kind == MIXED) {
        lines.cumulative = memory_alloc(LINES * sizeof *lines.cumulative);
        for (int i = 0; i < LINES; i++)
            lines.cumulative[i] = sum += pow(i + 1, kind == STEEP ? -1.2 : -0.9);
    }
    return lines;
}

static uint32_t zipf(struct lines *lines)
{
    double u = check_uniform(&lines->random) * lines->cumulative[LINES - 1];
    uint32_t low = 0, high = LINES - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (lines->cumulative[middle] > u)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The next line; below 2^21. */
static uint32_t lines_next(struct lines *lines)
{
    uint64_t n = lines->at++;
    switch (lines->kind) {
    case ZIPF:
    case STEEP:
        return zipf(lines);
    case RANDOM:
        return (uint32_t)(check_random(&lines->random) % LINES);
    case LOOP:
        return (uint32_t)(n % LINES);
    case SCAN:
        return (uint32_t)n;
    default: /* a loop over half of the lines among Zipf's */
        return n % 4 ? zipf(lines) : LINES + (uint32_t)(n / 4 % (LINES / 2));
    }
}

/* ---- exact and sampled ------------------------------------------------------ */

enum { REQUESTS = 800000, TABLE = 1 << 21 };

struct pass {
    struct distance_histogram histogram;
    uint64_t requests, sampled;
};

/* Without `shards`: all lines. `observe`: the lines' number is known. */
static struct pass *measure(enum stream_kind kind, uint64_t requests, struct shards *shards,
                            bool observe)
{
    struct pass *pass = memory_zero(1, sizeof *pass);
    struct lines lines = lines_begin(kind);
    uint32_t *slots = memory_zero(TABLE, sizeof *slots);
    uint8_t *known = memory_zero(TABLE, 1);
    uint64_t n_lines = 0, n_sampled = 0;
    struct stack_distance engine;
    stack_distance_init(&engine);
    for (; pass->requests < requests; pass->requests++) {
        uint32_t line = lines_next(&lines);
        bool takes = !shards || shards_takes(shards, line);
        if (observe && !known[line]) {
            known[line] = 1;
            shards_observe(shards, ++n_lines, n_sampled += takes);
        }
        if (!takes)
            continue;
        if (stack_distance_full(&engine)) {
            struct stack_renumbering r;
            stack_distance_renumber_begin(&r, &engine, TABLE);
            for (uint32_t i = 0; i < TABLE; i++)
                slots[i] = stack_distance_renumber(&r, slots[i]);
            stack_distance_renumber_end(&r);
        }
        uint64_t d = stack_distance_access(&engine, &slots[line]);
        distance_histogram_add(&pass->histogram, shards ? shards_distance(shards, d) : d);
        pass->sampled++;
    }
    stack_distance_fini(&engine);
    free(slots);
    free(known);
    free(lines.cumulative);
    return pass;
}

static struct curve curve_of(const struct distance_histogram *histogram, struct arena *arena)
{
    struct curve curve;
    curve_from_histogram(&curve, histogram, arena);
    return curve;
}

/* Mean distance of two miss ratio curves, at 300 capacities up to 1.2 times the
 * lines; `ways` 0: fully associative. */
static double mean_error(const struct curve *a, const struct curve *b, double ways)
{
    double sum = 0;
    for (int i = 1; i <= 300; i++) {
        double lines = 1.2 * LINES / 300 * i;
        sum += ways > 0 ? fabs(curve_miss_ratio(a, lines / ways, ways) -
                               curve_miss_ratio(b, lines / ways, ways))
                        : fabs(curve_miss_ratio_full(a, lines) - curve_miss_ratio_full(b, lines));
    }
    return sum / 300;
}

static void check_stream(const char *name, enum stream_kind kind, double rate, bool observe,
                         double tolerance)
{
    struct arena *arena = arena_create();
    struct shards shards = shards_begin(rate);
    struct pass *exact = measure(kind, REQUESTS, NULL, false);
    struct pass *sample = measure(kind, REQUESTS, &shards, observe);
    shards_scale(&shards, &sample->histogram, sample->requests);
    struct curve want = curve_of(&exact->histogram, arena);
    struct curve got = curve_of(&sample->histogram, arena);
    double full = mean_error(&got, &want, 0), sets = mean_error(&got, &want, 16);
    print_message(
        "%-6s 1/%-3.0f %-8s %5.2f %% sampled; mean error %.5f, 16-way %.5f; cold %+.2f %%\n", name,
        1 / rate, observe ? "observed" : "",
        100.0 * (double)sample->sampled / (double)sample->requests, full, sets,
        100 * ((double)got.cold / (double)want.cold - 1));
    assert_true(got.requests == REQUESTS);
    assert_true(full < tolerance && sets < tolerance);
    /* Cold misses are as many as lines. */
    check_relative((double)got.cold, (double)want.cold,
                   observe ? 1e-4 : 4 * sqrt(1 / (rate * LINES)));
    free(exact);
    free(sample);
    arena_destroy(arena);
}

/* As published. The number of lines in the sample is what varies: with a
 * deviation of 1.2 % for 100 000 lines, 0.4 % for the 800 000 of the scan. It
 * happens to be 1.4 and 3 deviations low here. */
TEST(test_against_exact_curves)
{
    check_stream("zipf", ZIPF, 1.0 / 16, false, 0.004);
    check_stream("random", RANDOM, 1.0 / 16, false, 0.02);
    check_stream("loop", LOOP, 1.0 / 16, false, 0.03);
    check_stream("scan", SCAN, 1.0 / 16, false, 0.02);
    check_stream("mixed", MIXED, 1.0 / 16, false, 0.02);
    check_stream("zipf", ZIPF, 1.0 / 100, false, 0.01);
    check_stream("random", RANDOM, 0.3, false, 0.005);
}

TEST(test_with_the_number_of_lines)
{
    check_stream("zipf", ZIPF, 1.0 / 16, true, 0.003);
    check_stream("random", RANDOM, 1.0 / 16, true, 0.003);
    check_stream("loop", LOOP, 1.0 / 16, true, 1e-4);
    check_stream("scan", SCAN, 1.0 / 16, true, 1e-4);
    check_stream("mixed", MIXED, 1.0 / 16, true, 0.004);
    check_stream("zipf", ZIPF, 1.0 / 100, true, 0.01);
}

TEST(test_rate_one_is_exact)
{
    struct shards shards = shards_begin(1);
    for (uint64_t d = 0; d < 100; d++)
        assert_true(shards_distance(&shards, d) == d);
    assert_true(shards_distance(&shards, UINT32_MAX) == UINT32_MAX);
    for (uint64_t line = 0; line < 100000; line++)
        assert_true(shards_takes(&shards, line));
    assert_true(shards_takes(&shards, UINT64_MAX));
    struct pass *exact = measure(MIXED, 300000, NULL, false);
    struct pass *sample = measure(MIXED, 300000, &shards, true);
    shards_scale(&shards, &sample->histogram, sample->requests);
    assert_memory_equal(exact, sample, sizeof *exact);
    free(exact);
    free(sample);
}

/* The lines drawn most often are in the sample or not, and that alone can make
 * up much of the requests: the adjustment must undo it. */
TEST(test_adjustment_helps)
{
    struct arena *arena = arena_create();
    struct shards shards = shards_begin(1.0 / 16);
    struct pass *exact = measure(STEEP, REQUESTS, NULL, false);
    struct pass *sample = measure(STEEP, REQUESTS, &shards, true);
    struct curve want = curve_of(&exact->histogram, arena);
    struct curve plain = curve_of(&sample->histogram, arena); /* scaled by itself */
    shards_scale(&shards, &sample->histogram, sample->requests);
    struct curve adjusted = curve_of(&sample->histogram, arena);
    double before = mean_error(&plain, &want, 0), after = mean_error(&adjusted, &want, 0);
    print_message("without the adjustment %.5f, with it %.5f\n", before, after);
    assert_true(after < before / 3);
    free(exact);
    free(sample);
    arena_destroy(arena);
}

/* ---- the sample ------------------------------------------------------------- */

/* Slices and strides get their share, within 5 standard deviations. */
static void check_share(uint64_t taken, uint64_t of, double rate)
{
    double deviation = sqrt((double)of * rate * (1 - rate));
    if (fabs((double)taken - (double)of * rate) > 5 * deviation)
        fail_msg("%llu of %llu lines at a rate of %g", (unsigned long long)taken,
                 (unsigned long long)of, rate);
}

TEST(test_samples_are_even)
{
    static const uint32_t counts[] = {2, 3, 16, 40, 80};
    static const double rates[] = {0.5, 1.0 / 16, 0.01};
    for (size_t r = 0; r < 3; r++) {
        struct shards shards = shards_begin(rates[r]);
        check_relative(shards_rate(&shards), rates[r], 1e-7);
        for (size_t c = 0; c < 5; c++) {
            uint64_t of[80] = {0}, taken[80] = {0}, fixed_of[80] = {0}, fixed_taken[80] = {0};
            for (uint64_t line = 0; line < 300000; line++) {
                uint64_t hash = hash_fmix64(line);
                uint32_t slice = hash_reduce(hash, counts[c]), fixed = (uint32_t)(line % counts[c]);
                bool takes = shards_takes(&shards, line);
                of[slice]++;
                taken[slice] += takes;
                fixed_of[fixed]++;
                fixed_taken[fixed] += takes;
            }
            for (uint32_t i = 0; i < counts[c]; i++) {
                check_share(taken[i], of[i], rates[r]);
                check_share(fixed_taken[i], fixed_of[i], rates[r]);
            }
        }
        for (int shift = 0; shift < 40; shift++) { /* strides, high addresses */
            uint64_t n = 0;
            for (uint64_t i = 0; i < 20000; i++)
                n += shards_takes(&shards, 0x7f0000000000 + (i << shift));
            check_share(n, 20000, rates[r]);
        }
    }
}

/* Of a run of neighbours, wherever it begins, there is one in each whole block; at rates between
 * powers of two in none or one. */
TEST(test_one_of_neighbours)
{
    static const double rates[] = {0.5, 0.3, 1.0 / 16, 0.01, 0x1p-20};
    uint64_t random = 9;
    for (size_t r = 0; r < 5; r++) {
        struct shards shards = shards_begin(rates[r]);
        uint64_t block = 1ULL << shards.block_bits, blocks = 64, met = 0;
        assert_true((double)block <= 1 / rates[r] && (double)block * 2 > 1 / rates[r]);
        for (int k = 0; k < 20; k++) {
            uint64_t first = (check_random(&random) >> 20) * block;
            for (uint64_t b = 0; b < blocks; b++) {
                uint64_t taken = 0;
                for (uint64_t i = 0; i < (block > 256 ? 0 : block); i++)
                    taken += shards_takes(&shards, first + b * block + i);
                assert_true(block > 256 || taken <= 1);
                assert_true(block > 256 || taken == 1 || rates[r] * (double)block < 1);
                met += taken;
            }
        }
        if (block <= 256)
            check_share(met, 20 * blocks * block, rates[r]);
    }
}

/* ---- distances -------------------------------------------------------------- */

TEST(test_distances_by_hand)
{
    struct shards s = shards_begin(1.0 / 16);
    assert_true(shards_distance(&s, 0) == 8);
    assert_true(shards_distance(&s, 1) == 24);
    assert_true(shards_distance(&s, 1000) == 16008);
    assert_true(shards_distance(&s, DISTANCE_COLD) == DISTANCE_COLD);
    s = shards_begin(0.5);
    assert_true(shards_distance(&s, 0) == 1);
    assert_true(shards_distance(&s, 7) == 15);
    s = shards_begin(0.3);
    assert_true(shards_distance(&s, 3) == 11); /* 3.5 / 0.3 = 11.67 */
    s = shards_begin(0x1p-20);
    assert_true(shards_distance(&s, UINT32_MAX) == ((uint64_t)UINT32_MAX << 20) + (1 << 19));
    /* Out of range. */
    assert_true(shards_rate(&(struct shards){.threshold = shards_begin(0).threshold}) == 0x1p-20);
    assert_true(shards_rate(&(struct shards){.threshold = shards_begin(-3).threshold}) == 0x1p-20);
    assert_true(shards_rate(&(struct shards){.threshold = shards_begin(7).threshold}) == 1);
}

/* All true distances below N as often as each other: the recorded ones have the
 * same cumulative counts, at multiples of 1/R within what chance allows, and no
 * bias between them. */
TEST(test_distances_are_unbiased)
{
    enum { N = 4096, RATE = 16, ROUNDS = 60 };
    struct shards s = shards_begin(1.0 / RATE);
    uint64_t random = 3;
    double mean = 0;
    uint32_t *below = memory_zero(2 * N, sizeof *below);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t d = 0; /* Binomial(distance, 1/RATE), a line more each time */
        for (uint32_t distance = 0; distance < N; distance++) {
            uint64_t recorded = shards_distance(&s, d);
            if (recorded < 2 * N)
                below[recorded]++;
            if (distance >= 1000 && distance < 3000)
                mean += ((double)recorded - distance) / (2000.0 * ROUNDS);
            d += check_random(&random) % RATE == 0;
        }
    }
    /* d wanders with a deviation of sqrt(distance RATE); 60 independent walks. */
    assert_true(fabs(mean) < 4 * sqrt(3000.0 * RATE / ROUNDS));
    uint64_t sum = 0;
    for (uint32_t capacity = 0; capacity <= N / 2; capacity++) {
        if (capacity % RATE == 0 && capacity > 0) {
            double deviation = sqrt((double)capacity * RATE * ROUNDS);
            assert_true(fabs((double)sum - (double)capacity * ROUNDS) < 4 * deviation);
        }
        sum += below[capacity];
    }
    free(below);
}

/* ---- counts ------------------------------------------------------------------ */

static uint64_t histogram_sum(const struct distance_histogram *h)
{
    uint64_t sum = h->cold;
    for (size_t i = 0; i < sizeof h->bins / sizeof *h->bins; i++)
        sum += h->bins[i];
    return sum;
}

TEST(test_scaling_by_hand)
{
    struct shards s = shards_begin(0.25);
    struct distance_histogram h = {.requests = 10, .cold = 2, .bins = {[3] = 5, [200] = 3}}, g = h;
    shards_scale(&s, &h, 47); /* 7 short */
    assert_true(h.requests == 47 && h.cold == 8);
    assert_true(h.bins[0] == 7 && h.bins[3] == 20 && h.bins[200] == 12);
    h = g;
    shards_scale(&s, &h, 17); /* 23 too many: 20 of the first, 3 of the next */
    assert_true(h.requests == 17 && h.cold == 8);
    assert_true(h.bins[0] == 0 && h.bins[3] == 0 && h.bins[200] == 9);
    h = g;
    shards_scale(&s, &h, 5);
    assert_true(h.requests == 5 && h.cold == 5 && histogram_sum(&h) == 5);
    h = g;
    shards_scale(&s, &h, 0);
    assert_true(h.requests == 0 && histogram_sum(&h) == 0);
    h = (struct distance_histogram){0}; /* an empty sample */
    shards_scale(&s, &h, 9);
    assert_true(h.requests == 9 && h.bins[0] == 9);
}

/* Any rate, any counts: nothing is lost to rounding. */
TEST(test_counts_add_up)
{
    uint64_t random = 11;
    struct distance_histogram *h = memory_alloc(sizeof *h), *g = memory_alloc(sizeof *g);
    for (int round = 0; round < 300; round++) {
        struct shards s = shards_begin(pow(2, -20 * check_uniform(&random)));
        memset(h, 0, sizeof *h);
        for (int i = 0; i < 200; i++)
            distance_histogram_add(h, check_random(&random) >> (20 + check_random(&random) % 44));
        h->cold = check_random(&random) >> (24 + check_random(&random) % 40);
        h->requests += h->cold;
        *g = *h;
        uint64_t total =
            (uint64_t)((double)h->requests / shards_rate(&s) * (0.5 + check_uniform(&random)));
        shards_scale(&s, h, total);
        assert_true(h->requests == total && histogram_sum(h) == total);
        if (total > 0 && h->bins[0] > 0) /* nothing had to leave above the first bin */
            for (size_t i = 1; i < sizeof h->bins / sizeof *h->bins; i++)
                assert_true(fabs((double)h->bins[i] - (double)g->bins[i] / shards_rate(&s)) <= 1);
    }
    free(h);
    free(g);
}
