/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates of variance against draws, and intervals as they are kept. */
#include "check.h"

#include "profile/curves/evenness.h"
#include "profile/curves/spread.h"
#include "profile/record/interval.h"

TEST(test_bins)
{
    for (uint64_t distance = 0; distance < 1ULL << 40; distance += 1 + distance / 50) {
        uint32_t bin = spread_bin(distance_bin(distance));
        assert_true(bin + 1 < SPREAD_BINS);
        assert_true(spread_lines(bin) <= distance && distance < spread_lines(bin + 1));
    }
}

/* Of a sweep over blocks of 16 the deviation stays below one; lines by chance have theirs, also
 * beyond the windows that were seen; and units do not mix. */
TEST(test_evenness)
{
    const double rate = 1.0 / 16;
    struct shards shards = shards_begin(rate);
    struct evenness sweep, chance;
    uint64_t random = 1;
    evenness_init(&sweep, 2);
    evenness_init(&chance, 2);
    assert_true(fabs(evenness_deviation(&chance, 100, rate) - sqrt(100 * rate * (1 - rate))) <
                1e-12);
    for (uint64_t line = 0; line < 200000; line++) {
        evenness_add(&sweep, line / 64 % 2, shards_takes(&shards, line), rate);
        evenness_add(&chance, line / 64 % 2, shards_takes(&shards, check_random(&random) >> 8),
                     rate);
    }
    for (double lines = 16; lines <= 1e6; lines *= 3) {
        double by_chance = sqrt(lines * rate * (1 - rate));
        double got = evenness_deviation(&chance, lines, rate) / by_chance;
        assert_true(got > 0.6 && got < 1.5);
        if (lines < 8192)
            assert_true(evenness_deviation(&sweep, lines, rate) < 1);
        else /* as chance has it, from there on */
            assert_true(evenness_deviation(&sweep, lines, rate) < 0.2 * by_chance);
    }
    evenness_fini(&sweep);
    evenness_fini(&chance);
}

/* Lines with counts of their own, and an interval from the lines of a sample. Drawn again and
 * again, as if at other addresses, it holds the sum of all lines. */
static double share_within(bool alike, double rate, double *mean_half)
{
    enum { LINES = 8192, DRAWS = 300 };
    struct shards shards = shards_begin(rate);
    struct evenness none;
    double within = 0;
    *mean_half = 0;
    evenness_init(&none, 1);
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        struct spread *spread = memory_zero(1, sizeof *spread);
        struct distance_histogram *histogram = memory_zero(1, sizeof *histogram);
        int64_t balance[SPREAD_GROUPS] = {0};
        uint64_t sampled = 0, sum = 0, random = draw + 1;
        for (uint64_t line = 0; line < LINES; line++) {
            /* One in eight is missed often, or all are, and more to the end. */
            uint64_t count = alike ? 10 + line / 512 : check_random(&random) >> 61 ? 1 : 20;
            uint64_t number = line + draw * LINES;
            sum += count;
            if (!shards_takes(&shards, number))
                continue;
            struct spread_place place = spread_place(&shards, number);
            spread_add(spread, place, SPREAD_COLD, (int64_t)count);
            balance[place.group] += place.sign;
            histogram->cold += count;
            histogram->requests += count;
            sampled++;
        }
        shards_observe(&shards, LINES, sampled);
        shards_scale_all(&shards, histogram, UINT64_MAX);
        struct spread_sample sample = {(double)sampled / LINES, (double)sampled, balance, &none};
        struct spread_total total;
        double half[SPREAD_BINS];
        spread_total_begin(&total);
        spread_total_add(&total, histogram);
        spread_interval(spread, &sample, &total, half);
        spread_total_end(&total);
        within += fabs((double)histogram->cold - (double)sum) <= half[0];
        *mean_half += half[0] / (double)sum / DRAWS;
        free(histogram);
        free(spread);
    }
    evenness_fini(&none);
    return within / DRAWS;
}

TEST(test_variance)
{
    static const double rates[] = {0.5, 0.25, 1.0 / 16, 0.04};
    for (size_t r = 0; r < 4; r++) {
        double half, even, rate = rates[r], within = share_within(false, rate, &half);
        /* Of a count of 1 or 20: mean 3.375, deviation 6.283; 2.12 of these, and what hides in a
         * block. */
        double deviation = sqrt(8192 * (1 - rate) / rate) * 6.283 / (8192 * 3.375);
        print_message("rate %.3f: %.1f %% within, half %.4f (deviation %.4f)\n", rate, 100 * within,
                      half, deviation);
        assert_true(within >= 0.93 && within <= 0.99);
        assert_true(half > 1.9 * deviation && half < 2.6 * deviation);
        assert_true(share_within(true, rate, &even) >= 0.95);
        assert_true(even < 0.35 * half);
    }
}

TEST(test_interval)
{
    struct arena *arena = arena_create();
    struct interval interval = {0}, again = {0};
    uint64_t lines[] = {0, 10, 20, 30, 40, 50, 60};
    double half[] = {5, 5, 5, 8.2, 2, 2, 2};
    assert_true(isnan(interval_at(&interval, 3)));
    interval_make(&interval, lines, half, 7, arena);
    static const struct {
        double lines, half;
    } rows[] = {{0, 5}, {15, 5}, {20, 5}, {21, 9}, {30, 9}, {39, 9}, {40, 2}, {45, 2}, {1e9, 2}};
    struct text text = {0};
    interval_print(&interval, &text);
    assert_string_equal(text.data, "0 5 20 5 10 9 10 2");
    check_ok(interval_scan(&again, text.data, arena, &failure));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(interval_at(&interval, rows[i].lines) == rows[i].half);
        assert_true(interval_at(&again, rows[i].lines) == rows[i].half);
    }
    /* Many ways are like one set; in a cache of few the sizes beside count too. */
    assert_true(fabs(interval_at_sets(&interval, 30.0 / 4096, 4096) - 9) < 1e-12);
    double few = interval_at_sets(&interval, 10, 3);
    assert_true(few > 4 && few < 8);
    static const char *const bad[] = {"",        "1",    "x 2",
                                      "3 4 0 5", "1 -2", "18446744073709551615 1 1 1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_error(interval_scan(&again, bad[i], arena, &failure), STATUS_INPUT, "interval");
    text_free(&text);
    arena_destroy(arena);
}
