/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves: bins, thinning, the associativity correction against brute-force
 * caches, and the text form. */
#include "check.h"

#include <gsl/gsl_cdf.h>

#include "core/hash.h"
#include "core/memory.h"
#include "profile/record/curve.h"
#include "profile/curves/stack_distance.h"

static struct distance_histogram *histogram_of(const uint64_t *distances, size_t n)
{
    struct distance_histogram *histogram = memory_zero(1, sizeof *histogram);
    for (size_t i = 0; i < n; i++)
        distance_histogram_add(histogram, distances[i]);
    return histogram;
}

TEST(test_small)
{
    struct arena *arena = arena_create();
    uint64_t distances[] = {DISTANCE_COLD, DISTANCE_COLD, 0, 0, 0, 3, 3, 127};
    struct distance_histogram *histogram = histogram_of(distances, 8);
    struct curve curve;
    curve_from_histogram(&curve, histogram, arena);
    assert_int_equal(curve.requests, 8);
    assert_int_equal(curve.cold, 2);
    /* A cache of C lines hits distances below C. */
    check_relative(curve_miss_ratio_full(&curve, 0), 1.0, 1e-15);
    check_relative(curve_miss_ratio_full(&curve, 1), 5.0 / 8, 1e-15);
    check_relative(curve_miss_ratio_full(&curve, 3), 5.0 / 8, 1e-15);
    check_relative(curve_miss_ratio_full(&curve, 4), 3.0 / 8, 1e-15);
    check_relative(curve_miss_ratio_full(&curve, 127), 3.0 / 8, 1e-15);
    check_relative(curve_miss_ratio_full(&curve, 128), 2.0 / 8, 1e-15);
    check_relative(curve_miss_ratio_full(&curve, 1e12), 2.0 / 8, 1e-15);
    struct text text = {0};
    curve_print(&curve, &text);
    assert_string_equal(text.data, "1 3 2 0 1 2 123 0 1 1");
    /* Each set of a direct-mapped cache: P[Poisson(d/S) = 0]. */
    double s = 1000;
    check_relative(1 - curve_miss_ratio(&curve, s, 1), (3 + 2 * exp(-3 / s) + exp(-127 / s)) / 8,
                   1e-9);
    check_relative(1 - curve_miss_ratio(&curve, s, 2.5),
                   (3 + 2 * gsl_cdf_gamma_Q(3 / s, 2.5, 1) + gsl_cdf_gamma_Q(127 / s, 2.5, 1)) / 8,
                   1e-9);
    text_free(&text);
    free(histogram);
    arena_destroy(arena);
}

/* Curves that differ between 100 and 400 lines only, by 0.5: at 32 of 33 capacities,
 * and at 32 of 65 that begin two octaves below. */
TEST(test_error)
{
    struct curve_point early[] = {{99, 0}, {100, 50}}, late[] = {{399, 0}, {400, 50}};
    struct curve a = {100, 50, early, 2}, b = {100, 50, late, 2}, none = {0};
    double mean, max;
    curve_error(&a, &b, 100, &mean, &max);
    check_relative(max, 0.5, 1e-15);
    check_relative(mean, 0.5 * 32 / 33, 1e-12);
    curve_error(&b, &a, 25, &mean, &max);
    check_relative(max, 0.5, 1e-15);
    check_relative(mean, 0.5 * 32 / 65, 1e-12);
    curve_error(&a, &a, 1, &mean, &max);
    assert_true(mean == 0 && max == 0);
    curve_error(&a, &b, 1000, &mean, &max);
    assert_true(mean == 0 && max == 0);
    curve_error(&a, &none, 1, &mean, &max);
    assert_true(isnan(mean) && isnan(max));
}

TEST(test_edges)
{
    struct arena *arena = arena_create();
    struct distance_histogram *histogram = memory_zero(1, sizeof *histogram);
    struct curve curve;
    curve_from_histogram(&curve, histogram, arena);
    assert_int_equal(curve.n_points, 0);
    assert_true(isnan(curve_miss_ratio_full(&curve, 10)));
    assert_true(isnan(curve_miss_ratio(&curve, 10, 4)));
    distance_histogram_add(histogram, DISTANCE_COLD);
    curve_from_histogram(&curve, histogram, arena);
    assert_true(curve_miss_ratio(&curve, 10, 4) == 1 && curve_miss_ratio_full(&curve, 10) == 1);
    distance_histogram_add(histogram, 1ULL << 62); /* beyond the last bin */
    distance_histogram_add(histogram, 1);
    curve_from_histogram(&curve, histogram, arena);
    check_relative(curve_miss_ratio_full(&curve, 1e9), 2.0 / 3, 1e-12);
    check_relative(curve_miss_ratio(&curve, 1, 4), 2.0 / 3, 1e-12); /* one set: no correction */
    assert_true(curve_miss_ratio(&curve, 0, 4) == 1 && curve_miss_ratio(&curve, 4, 0) == 1);
    assert_true(isnan(curve_miss_ratio(&curve, (double)NAN, 4)));
    free(histogram);
    arena_destroy(arena);
}

/* Many ways and many sets: a window of a few deviations around sets * ways, and
 * the sum over ways agrees with GSL's incomplete gamma function. */
TEST(test_tails)
{
    static const double all_ways[] = {1, 2, 3, 7.5, 8, 16, 20.25, 64, 128, 129, 1000};
    struct arena *arena = arena_create();
    for (size_t w = 0; w < sizeof all_ways / sizeof *all_ways; w++) {
        double sets = 512, ways = all_ways[w];
        for (double factor = 0.05; factor < 4; factor *= 1.1) {
            uint64_t d = (uint64_t)(factor * ways * sets);
            struct curve_point points[] = {{d, 0}, {d + 1, 100}};
            struct curve curve = {100, 0, points, d ? 2 : 1};
            if (!d)
                points[0] = points[1];
            check_relative(1 - curve_miss_ratio(&curve, sets, ways) + 1e-8,
                           gsl_cdf_gamma_Q((double)d / sets, ways, 1) + 1e-8, 1.5);
            double got = 1 - curve_miss_ratio(&curve, sets, ways);
            double want = gsl_cdf_gamma_Q((double)d / sets, ways, 1);
            assert_true(fabs(got - want) < 1e-7);
        }
    }
    arena_destroy(arena);
}

/* The closed integral over a wide interval against a sum over its distances. */
TEST(test_intervals)
{
    uint64_t random = 3;
    for (int round = 0; round < check_rounds(100, 2000); round++) {
        uint64_t a = check_random(&random) % 4000, b = a + 2 + check_random(&random) % 4000;
        double sets = 16 + (double)(check_random(&random) % 1000);
        double ways = 1 + (double)(check_random(&random) % 32);
        struct curve_point points[] = {{a, 0}, {b, b - a}};
        struct curve curve = {b - a, 0, a ? points : points + 1, a ? 2 : 1};
        double hits = 0;
        for (uint64_t d = a; d < b; d++)
            hits += d ? gsl_cdf_gamma_Q((double)d / sets, ways, 1) : 1;
        double want = hits / (double)(b - a);
        assert_true(fabs(1 - curve_miss_ratio(&curve, sets, ways) - want) < 2e-3 / sqrt(sets));
    }
}

/* Bins are exact below 128 and 1/64 wide above. */
TEST(test_bins)
{
    struct arena *arena = arena_create();
    uint64_t random = 11;
    for (int i = 0; i < 3000; i++) {
        uint64_t d = i < 300 ? (uint64_t)i : check_random(&random) >> (20 + i % 44);
        struct distance_histogram *histogram = histogram_of(&d, 1);
        struct curve curve;
        curve_from_histogram(&curve, histogram, arena);
        uint64_t low = curve.n_points == 2 ? curve.points[0].lines : 0;
        uint64_t high = curve.points[curve.n_points - 1].lines;
        assert_true(low <= d && d < high);
        assert_true(d < 128 ? high - low == 1 : (high - low) * 64 <= low);
        free(histogram);
    }
    arena_destroy(arena);
}

/* Thinned curves stay within 1/400 of the histogram at every edge. */
TEST(test_thinning)
{
    struct arena *arena = arena_create();
    uint64_t random = 5;
    for (int round = 0; round < check_rounds(60, 600); round++) {
        struct distance_histogram *histogram = memory_zero(1, sizeof *histogram);
        int steps = 1 + (int)(check_random(&random) % 100);
        for (int i = 0; i < 4000; i++) {
            double u = check_uniform(&random);
            uint64_t d = round % 3 == 0   ? (uint64_t)exp(u * 20)
                         : round % 3 == 1 ? (uint64_t)exp((int)(u * steps) * 12.0 / steps)
                                          : (uint64_t)(u * u * 3000);
            distance_histogram_add(histogram, u < 0.1 ? DISTANCE_COLD : d);
        }
        struct curve curve;
        curve_from_histogram(&curve, histogram, arena);
        assert_true(curve.n_points <= CURVE_POINTS_MAX);
        uint64_t below = 0;
        for (uint64_t d = 0; d < 128; d++) {
            below += histogram->bins[d];
            double want = 1 - (double)below / 4000;
            assert_true(fabs(curve_miss_ratio_full(&curve, (double)(d + 1)) - want) < 1.0 / 400);
        }
        for (int octave = 7; octave < 40; octave++)
            for (uint64_t k = 0; k < 64; k++) {
                below += histogram->bins[128 + (octave - 7) * 64 + (int)k];
                double end = ldexp((double)(64 + k + 1), octave - 6),
                       want = 1 - (double)below / 4000;
                assert_true(fabs(curve_miss_ratio_full(&curve, end) - want) < 1.0 / 400);
            }
        free(histogram);
    }
    arena_destroy(arena);
}

/* More steps than points: still no more points, and a small error. */
TEST(test_many_steps)
{
    struct arena *arena = arena_create();
    struct distance_histogram *histogram = memory_zero(1, sizeof *histogram);
    enum { STEPS = 180 };
    histogram->requests = STEPS * 1000;
    for (int i = 0; i < STEPS; i++)
        histogram->bins[i * 10] = 1000;
    struct curve curve;
    curve_from_histogram(&curve, histogram, arena);
    assert_true(curve.n_points <= CURVE_POINTS_MAX);
    assert_int_equal(curve.points[curve.n_points - 1].hits, STEPS * 1000);
    double worst = 0;
    for (int d = 0; d < 128; d++)
        worst =
            fmax(worst, fabs(curve_miss_ratio_full(&curve, d + 1) - 1 + (d / 10 + 1.0) / STEPS));
    assert_true(worst < 1.0 / 128);
    free(histogram);
    arena_destroy(arena);
}

/* --- against brute force ------------------------------------------------------------ */

enum { FOOTPRINT = 30000, LENGTH = 200000 };

static uint32_t stream_line(int kind, int i, uint64_t *random, const double *zipf)
{
    double u = check_uniform(random);
    uint32_t low = 0, high = FOOTPRINT - 1;
    switch (kind) {
    case 0: /* uniformly random */
        return (uint32_t)(u * FOOTPRINT);
    case 1: /* Zipf */
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (zipf[middle] < u)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    case 2: /* cyclic */
        return (uint32_t)i % FOOTPRINT;
    case 3: /* strided: columns of a matrix of 100 lines a row */
        return (uint32_t)((i % 250) * 100 + i / 500 % 100);
    default: /* half a hot set, half a sweep */
        return i % 2 ? (uint32_t)(u * 3000) : (uint32_t)(3000 + i / 2 % (FOOTPRINT - 3000));
    }
}

/* A set-associative LRU cache with hashed sets; true: hit. */
static bool cache_access(uint32_t *set, uint32_t ways, uint32_t line)
{
    uint32_t at = 0;
    while (at < ways - 1 && set[at] != line + 1)
        at++;
    bool hit = set[at] == line + 1;
    memmove(set + 1, set, at * sizeof *set);
    set[0] = line + 1;
    return hit;
}

static double cache_miss_ratio(const uint32_t *lines, uint32_t sets, uint32_t ways)
{
    uint32_t *content = memory_zero((size_t)sets * ways, sizeof *content);
    int misses = 0;
    for (int i = 0; i < LENGTH; i++) {
        uint32_t set = hash_reduce(hash_fmix64(lines[i] + 0x5eedULL), sets);
        misses += !cache_access(content + (size_t)set * ways, ways, lines[i]);
    }
    free(content);
    return (double)misses / LENGTH;
}

TEST(test_against_caches)
{
    struct arena *arena = arena_create();
    uint32_t *lines = memory_alloc(LENGTH * sizeof *lines);
    double *zipf = memory_alloc(FOOTPRINT * sizeof *zipf), sum = 0;
    for (int i = 0; i < FOOTPRINT; i++)
        zipf[i] = sum += 1.0 / pow(i + 1, 0.9);
    for (int i = 0; i < FOOTPRINT; i++)
        zipf[i] /= sum;
    int step = check_slowness() > 1 ? 4 : 1;
    for (int kind = 0; kind < 5; kind++) {
        uint32_t *slots = memory_zero(FOOTPRINT, sizeof *slots);
        struct distance_histogram *histogram = memory_zero(1, sizeof *histogram);
        struct stack_distance engine;
        struct curve curve;
        uint64_t random = (uint64_t)kind + 1;
        stack_distance_init(&engine);
        for (int i = 0; i < LENGTH; i++) {
            lines[i] = stream_line(kind, i, &random, zipf);
            distance_histogram_add(histogram, stack_distance_access(&engine, &slots[lines[i]]));
        }
        curve_from_histogram(&curve, histogram, arena);
        for (uint32_t capacity = 4096; capacity <= 65536; capacity *= 2)
            for (uint32_t ways = 1; ways <= 16; ways *= 2 * (uint32_t)step) {
                double got = curve_miss_ratio(&curve, capacity / ways, ways);
                double want = cache_miss_ratio(lines, capacity / ways, ways);
                if (fabs(got - want) > 0.01)
                    fail_msg("stream %d, %u lines, %u ways: %.4f, simulated %.4f", kind, capacity,
                             ways, got, want);
            }
        stack_distance_fini(&engine);
        free(histogram);
        free(slots);
    }
    free(zipf);
    free(lines);
    arena_destroy(arena);
}

/* --- text --------------------------------------------------------------------------- */

TEST(test_text)
{
    struct arena *arena = arena_create();
    uint64_t random = 17;
    for (int round = 0; round < 100; round++) {
        struct curve_point points[CURVE_POINTS_MAX];
        struct curve curve = {0, 0, points, check_random(&random) % (CURVE_POINTS_MAX + 1)}, again;
        struct curve_point last = {0, 0};
        for (size_t i = 0; i < curve.n_points; i++) {
            last.lines += 1 + check_random(&random) % (1 << (i % 20));
            last.hits += check_random(&random) >> (32 + i % 20);
            points[i] = last;
        }
        struct text text = {0};
        curve_print(&curve, &text);
        check_ok(curve_scan(&again, text.data, arena, &failure));
        assert_int_equal(again.n_points, curve.n_points);
        if (curve.n_points)
            assert_memory_equal(again.points, points, curve.n_points * sizeof *points);
        text_free(&text);
    }
    static const char *const bad[] = {"1",
                                      "1 2 3",
                                      "x 1",
                                      "1 -2",
                                      "0 1",
                                      "1 1 0 1",
                                      "1.5 2",
                                      "1 2,",
                                      "99999999999999999999 1",
                                      "1 18446744073709551615 1 1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct curve curve;
        check_error(curve_scan(&curve, bad[i], arena, &failure), STATUS_INPUT, "curve: ");
    }
    struct text many = {0};
    for (int i = 0; i <= CURVE_POINTS_MAX; i++)
        text_append(&many, "1 1 ");
    struct curve curve;
    check_error(curve_scan(&curve, many.data, arena, &failure), STATUS_INPUT, "more than 256");
    text_free(&many);
    arena_destroy(arena);
}
