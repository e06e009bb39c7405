/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps of one SM by hand, against limits, and beside a simulation of them. */
#include "check.h"

#include "core/hash.h"
#include "network/schedule.h"

static double time_of(uint32_t warps, uint32_t places, double blocks, bool oldest_first,
                      double bursts, double burst_s, double wait_s)
{
    struct schedule_sm sm = {warps, places, blocks, oldest_first};
    struct schedule_warp warp = {bursts, burst_s, wait_s, 0, {{0}}};
    return schedule_time(&sm, &warp);
}

TEST(alone)
{
    for (int oldest = 0; oldest < 2; oldest++) {
        check_relative(time_of(1, 8, 1, oldest, 50, 2, 7), 50 * 9, 1e-12);
        check_relative(time_of(1, 1, 3, oldest, 50, 2, 7), 3 * 50 * 9, 1e-9);
        check_relative(time_of(1, 1, 100, oldest, 50, 2, 7), 100 * 50 * 9, 1e-9);
    }
}

/* S = 2, Z = 6: X(1) = 1/8, Q(1) = 1/4, R(2) = 2.5, X(2) = 2/8.5. The older one ends after 8 M; the
 * younger one has had (X(2) - X(1)) 8 M bursts by then, and the slots to itself from there. In turn
 * both end after 8.5 M. */
TEST(two_warps_by_hand)
{
    double left = 1 - (2 / 8.5 - 1.0 / 8) * 8;
    check_relative(time_of(2, 1, 1, true, 100, 2, 6), 100 * 8 * (1 + left), 1e-12);
    check_relative(time_of(1, 2, 2, true, 100, 2, 6), 100 * 8 * (1 + left), 1e-12);
    check_relative(time_of(2, 1, 1, false, 100, 2, 6), 850, 1e-12);
    check_relative(time_of(1, 2, 2, false, 100, 2, 6), 850, 1e-12);
}

/* In turn, S = 2: of a warp's 101 bursts 50 have waits of 1, 50 of 14, and none stands behind the
 * last; two that go together need max(4, 3), max(4, 16) and 4. Half of the waits shared: the mean
 * of that and of those by chance. The oldest first asks for the mean alone, and of many warps slots
 * count. */
TEST(together_by_hand)
{
    struct schedule_sm sm = {2, 1, 1, false};
    struct schedule_warp warp = {101, 2, 750.0 / 101, 1, {{1, 0}, {50, 1}, {50, 14}}};
    double apart = time_of(2, 1, 1, false, 101, 2, 750.0 / 101), want = 4 + 50 * 4 + 50 * 16;
    check_relative(schedule_time(&sm, &warp), want, 1e-12);
    assert_true(want > apart);
    warp.together = 0.5;
    check_relative(schedule_time(&sm, &warp), (want + apart) / 2, 1e-12);
    sm.oldest_first = true;
    check_relative(schedule_time(&sm, &warp), time_of(2, 1, 1, true, 101, 2, 750.0 / 101), 0);
    sm = (struct schedule_sm){64, 1, 1, false};
    warp.together = 1;
    check_relative(schedule_time(&sm, &warp), 64 * 101 * 2, 1e-12);
    /* Alone as long as ever. */
    sm.warps = 1;
    check_relative(schedule_time(&sm, &warp), 101 * 2 + 750, 1e-12);
}

/* Nobody waits: all slots are taken, whoever has them. No instructions: nobody stands in another's
 * way. The first of two blocks holds the place of the second until its last warp has ended. */
TEST(limits)
{
    for (int oldest = 0; oldest < 2; oldest++) {
        check_relative(time_of(4, 3, 7, oldest, 10, 2, 0), 7 * 4 * 10 * 2, 1e-9);
        check_relative(time_of(4, 3, 9, oldest, 10, 0, 5), 3 * 50, 1e-9);
        check_relative(time_of(2, 1, 2, oldest, 10, 2, 6), 2 * time_of(2, 1, 1, oldest, 10, 2, 6),
                       1e-9);
    }
    assert_true(time_of(8, 1, 1, true, 10, 0, 0) == 0);
    /* More of anything takes no less; never less than the slots and a warp take. */
    double before = 0;
    for (uint32_t warps = 1; warps <= 32; warps++) {
        double now = time_of(warps, 2, 3, true, 20, 1, 9);
        assert_true(now >= before * (1 - 1e-12));
        assert_true(now >= 3 * warps * 20 * (1 - 1e-12) && now >= 2 * 20 * 10 * (1 - 1e-12));
        before = now;
    }
}

/* --- beside warps that take their turns ---------------------------------------------------- */

enum { MOST = 16 };

static double exponential(uint64_t *random)
{
    *random = hash_fmix64(*random + 0x9e3779b97f4a7c15ULL);
    return -log1p(-(double)(*random >> 11) * 0x1p-53);
}

/* The oldest that has instructions issues, others stand. Bursts are exponential and waits equal, or
 * bursts equal and waits exponential. */
static double simulated(int warps, int bursts, bool alike, double burst_s, double wait_s,
                        uint64_t *random)
{
    double left[MOST], ready[MOST], now = 0, end = 0;
    int done[MOST] = {0};
    for (int i = 0; i < warps; i++) {
        left[i] = alike ? burst_s : burst_s * exponential(random);
        ready[i] = alike ? wait_s * exponential(random) : wait_s;
    }
    for (;;) {
        int first = -1;
        double next = HUGE_VAL;
        for (int i = 0; i < warps; i++) {
            if (done[i] == bursts)
                continue;
            if (ready[i] <= now && first < 0)
                first = i;
            else if (ready[i] > now && first < 0)
                next = fmin(next, ready[i]); /* who is older, and comes before */
        }
        if (first < 0 && !isfinite(next))
            return end;
        if (first < 0 || now + left[first] > next) {
            if (first >= 0)
                left[first] -= next - now;
            now = next;
            continue;
        }
        now += left[first];
        left[first] = alike ? burst_s : burst_s * exponential(random);
        ready[first] = now + (alike ? wait_s * exponential(random) : wait_s);
        end = ++done[first] == bursts ? fmax(end, now) : end;
    }
}

/* Bursts without end: the fluid is what the means become. Of bursts that are all alike too, as long
 * as waits are not: who issues gives way at once, so that only means of bursts count. */
TEST(oldest_first_as_simulated)
{
    static const struct {
        int warps;
        double wait_s;
    } cases[] = {{2, 1}, {2, 8}, {4, 2.5}, {8, 3}, {8, 12}, {16, 10}};
    uint64_t random = 5;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double want = time_of((uint32_t)cases[i].warps, 1, 1, true, 20000, 1, cases[i].wait_s);
        double got = simulated(cases[i].warps, 20000, false, 1, cases[i].wait_s, &random);
        check_relative(want, got, 0.02);
        got = simulated(cases[i].warps, 20000, true, 1, cases[i].wait_s, &random);
        check_relative(want, got, 0.04);
    }
}
