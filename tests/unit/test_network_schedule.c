/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps of one SM by hand, against limits, and beside a simulation of them. */
#include "check.h"

#include "core/hash.h"
#include "network/schedule.h"

/* Of warps whose waits differ so much that they meet by chance. */
static double time_of(uint32_t warps, uint32_t places, double blocks, bool oldest_first,
                      double bursts, double burst_s, double wait_s)
{
    struct schedule_sm sm = {warps, places, blocks, oldest_first ? SCHEDULE_OLDEST : SCHEDULE_NEXT};
    struct schedule_warp warp = {bursts, burst_s, wait_s, HUGE_VAL, 1, 0, {{0}}};
    return schedule_time(&sm, &warp);
}

/* Of a block whose waits differ by so much in the mean. */
static double time_alike(uint32_t warps, enum schedule_order order, double bursts, double burst_s,
                         double wait_s, double differ_s, double accesses)
{
    struct schedule_sm sm = {warps, 1, 1, order};
    struct schedule_warp warp = {bursts, burst_s, wait_s, differ_s, accesses, 0, {{0}}};
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
    struct schedule_sm sm = {2, 1, 1, SCHEDULE_NEXT};
    struct schedule_warp warp = {101, 2, 750.0 / 101, HUGE_VAL, 1, 1, {{1, 0}, {50, 1}, {50, 14}}};
    double apart = time_of(2, 1, 1, false, 101, 2, 750.0 / 101), want = 4 + 50 * 4 + 50 * 16;
    check_relative(schedule_time(&sm, &warp), want, 1e-12);
    assert_true(want > apart);
    warp.together = 0.5;
    check_relative(schedule_time(&sm, &warp), (want + apart) / 2, 1e-12);
    sm.order = SCHEDULE_OLDEST;
    check_relative(schedule_time(&sm, &warp), time_of(2, 1, 1, true, 101, 2, 750.0 / 101), 0);
    sm = (struct schedule_sm){64, 1, 1, SCHEDULE_NEXT};
    warp.together = 1;
    check_relative(schedule_time(&sm, &warp), 64 * 101 * 2, 1e-12);
    /* Alone as long as ever. */
    sm.warps = 1;
    check_relative(schedule_time(&sm, &warp), 101 * 2 + 750, 1e-12);
}

/* Eight warps, S = 1, Z = 99, whose bursts' lines take a quarter of the places that there are for
 * all of a wait, h = 25. In turn a round is 8 h; oldest first the fifth one's lines wait for places
 * of the first four's, the others begin when these five have ended, and three find places enough.
 * By chance no more than one in h ends; one of whose own lines not all find a place waits for h. */
TEST(places_by_hand)
{
    struct schedule_sm sm = {8, 1, 1, SCHEDULE_NEXT};
    struct schedule_warp warp = {100, 1, 99, 0, 1, 0, {{0}}, 25};
    check_relative(schedule_time(&sm, &warp), 100 * 8 * 25, 1e-12);
    sm.order = SCHEDULE_OLDEST;
    check_relative(schedule_time(&sm, &warp), 100 * 5 * 25 + 100 * 100, 1e-12);
    warp.differ_s = HUGE_VAL;
    sm.order = SCHEDULE_NEXT;
    check_relative(schedule_time(&sm, &warp), 100 * 8 * 25, 1e-12);
    sm.warps = 1;
    warp.held_s = 200;
    check_relative(schedule_time(&sm, &warp), 100 * 200, 1e-12);
    warp.differ_s = 0;
    check_relative(schedule_time(&sm, &warp), 100 * 200, 1e-12);
    /* Of 101 bursts 50 have lines; those together take their places at the same time. */
    sm.warps = 4;
    warp = (struct schedule_warp){101, 2, 750.0 / 101, 0, 1, 1, {{1, 0}, {50, 1}, {50, 14}}, 0};
    double before = schedule_time(&sm, &warp);
    warp.held_s = 10 * 50.0 / 101; /* 10 of those that have lines: 40 in the place of 2 + 14 */
    check_relative(schedule_time(&sm, &warp), before + 50 * (40 - 16), 1e-12);
}

/* Four warps, S = 20, Z = 50, none of whose waits differ: four bursts are longer than a burst and
 * its wait, three are not, so that all go round, 80 M, in any order. Of five the youngest finds no
 * slot before these have ended, and has 70 M alone; in turn they take 100 M. Where turns are the
 * two accesses of a burst, the first one of four has had its own after 10 (4 + 1), and waits 50.
 * With waits that differ by S half of the bursts a second are those by chance. Two never stand in
 * each other's way. */
TEST(alike_by_hand)
{
    check_relative(time_alike(4, SCHEDULE_OLDEST, 100, 20, 50, 0, 1), 80 * 100, 1e-12);
    check_relative(time_alike(4, SCHEDULE_NEXT, 100, 20, 50, 0, 1), 80 * 100, 1e-12);
    check_relative(time_alike(4, SCHEDULE_TURNS, 100, 20, 50, 0, 1), 80 * 100, 1e-12);
    check_relative(time_alike(4, SCHEDULE_TURNS, 100, 20, 50, 0, 2), 100 * 100, 1e-12);
    check_relative(time_alike(5, SCHEDULE_OLDEST, 100, 20, 50, 0, 1), 150 * 100, 1e-12);
    check_relative(time_alike(5, SCHEDULE_NEXT, 100, 20, 50, 0, 1), 100 * 100, 1e-12);
    double chance = time_of(4, 1, 1, false, 100, 20, 50);
    check_relative(time_alike(4, SCHEDULE_NEXT, 100, 20, 50, 20, 1),
                   2 / (1.0 / (80 * 100) + 1 / chance), 1e-12);
    for (int order = 0; order < 3; order++) {
        check_relative(time_alike(2, (enum schedule_order)order, 100, 20, 50, 0, 1), 70 * 100,
                       1e-12);
        check_relative(time_alike(1, (enum schedule_order)order, 100, 20, 50, 7, 3), 70 * 100,
                       1e-12);
    }
    /* No burst at all, and nothing to differ. */
    check_relative(time_alike(4, SCHEDULE_OLDEST, 100, 0, 50, 0, 1), 50 * 100, 1e-12);
}

/* Of five the youngest has no slot before the others have ended; what they have read is near then.
 * Who waits for a line that another one has asked for has it when that one has, whatever else their
 * waits would differ by. A block that comes behind the first four begins anew. */
TEST(starved_by_hand)
{
    struct schedule_sm sm = {1, 5, 5, SCHEDULE_OLDEST};
    struct schedule_warp warp = {100, 20, 50, 0, 1, 0, {{0}}, 0, 0};
    check_relative(schedule_time(&sm, &warp), (80 + 70) * 100, 1e-12);
    warp.spared_s = 40;
    check_relative(schedule_time(&sm, &warp), (80 + 30) * 100, 1e-12);
    warp.together = 1;
    warp.differ_s = 50;
    check_relative(schedule_time(&sm, &warp), (80 + 30) * 100, 1e-12);
    /* The fifth beside the first new one, two bursts of 20; then four new ones. */
    sm.blocks = 10;
    check_relative(schedule_time(&sm, &warp), (80 + 40 + 80) * 100, 1e-9);
    sm.order = SCHEDULE_NEXT;
    warp = (struct schedule_warp){100, 20, 50, 0, 1, 0, {{0}}, 0, 40};
    sm.blocks = 5;
    check_relative(schedule_time(&sm, &warp), 100 * 100, 1e-12);
}

/* Five warps oldest first, S = 20: of waits of 70 all go round, each in 100; of shorter ones four
 * do, in 80, and the youngest has 20 + 50 alone behind them. In turn shorter waits are never
 * longer. */
TEST(shorter_waits_may_take_longer)
{
    check_relative(time_alike(5, SCHEDULE_OLDEST, 100, 20, 70, 0, 1), 100 * 100, 1e-12);
    check_relative(time_alike(5, SCHEDULE_OLDEST, 100, 20, 50, 0, 1), (80 + 70) * 100, 1e-12);
    for (int order = SCHEDULE_NEXT; order <= SCHEDULE_TURNS; order++)
        for (double wait = 0, before = 0; wait < 200; wait++) {
            double now = time_alike(5, (enum schedule_order)order, 100, 20, wait, 0, 2);
            assert_true(now >= before);
            before = now;
        }
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

static double uniform(uint64_t *random)
{
    *random = hash_fmix64(*random + 0x9e3779b97f4a7c15ULL);
    return (double)(*random >> 11) * 0x1p-53;
}

/* Bursts of 1 that nothing interrupts; whose turn it is next: the oldest that has its data, or the
 * one behind the last. Waits are spread evenly over 1 - spread to 1 + spread of their mean. */
static double simulated_whole(int warps, int bursts, bool oldest, double wait_s, double spread,
                              uint64_t *random)
{
    double ready[MOST] = {0}, now = 0;
    int done[MOST] = {0}, left = warps, last = warps - 1;
    while (left > 0) {
        int chosen = -1, next = -1;
        for (int n = 0; n < warps && chosen < 0; n++) {
            int i = oldest ? n : (last + 1 + n) % warps;
            if (done[i] < bursts && (next < 0 || ready[i] < ready[next]))
                next = i;
            if (done[i] < bursts && ready[i] <= now)
                chosen = i;
        }
        last = chosen < 0 ? next : chosen;
        now = fmax(now, ready[last]) + 1;
        ready[last] = now + wait_s * (1 + spread * (2 * uniform(random) - 1));
        left -= ++done[last] == bursts;
    }
    return now;
}

/* Equal bursts, and waits from equal ones to such as are 0 to 2 of their mean, two of which differ
 * by a third of the spread's width; some n of 8 or 16 go round, or all. By chance alone, equal ones
 * take up to 45 % longer than they do. */
TEST(alike_to_some_as_simulated)
{
    static const double waits[][2] = {{2, 1},  {2, 8},   {4, 2.5},   {4, 4.7}, {8, 3},
                                      {8, 12}, {16, 10}, {16, 14.8}, {16, 20}};
    static const double spreads[] = {0, 0.03, 0.3, 1};
    enum { BURSTS = 1000 };
    uint64_t random = 7;
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++)
            for (int oldest = 0; oldest < 2; oldest++) {
                double spread = spreads[s], wait_s = waits[i][1];
                int warps = (int)waits[i][0];
                double got = simulated_whole(warps, BURSTS, oldest, wait_s, spread, &random);
                double want = time_alike((uint32_t)warps, oldest ? SCHEDULE_OLDEST : SCHEDULE_NEXT,
                                         BURSTS, 1, wait_s, 2 * spread * wait_s / 3, 1);
                check_relative(want, got, spread == 0 ? 0.005 : oldest ? 0.13 : 0.07);
            }
}

/* S = 20, Z = 50, alike: four warps go round, and have their last bursts one behind another. A
 * fifth one begins when these have ended, and takes 70 a burst. In turn five go round. Alone
 * nobody is behind another one; of two blocks the last one's warps count. */
TEST(ends_by_hand)
{
    struct schedule_sm sm = {4, 1, 1, SCHEDULE_OLDEST};
    struct schedule_warp warp = {100, 20, 50, 0, 1, 0, {{0}}, 0};
    check_relative(schedule_ends(&sm, &warp).apart_s, 3 * 20, 1e-9);
    sm.blocks = 2;
    check_relative(schedule_ends(&sm, &warp).apart_s, 3 * 20, 1e-9);
    sm.warps = 5;
    sm.blocks = 1;
    check_relative(schedule_ends(&sm, &warp).last_s, 100 * (80 + 70), 1e-9);
    check_relative(schedule_ends(&sm, &warp).apart_s, 100 * 70 + 3 * 20, 1e-9);
    sm.order = SCHEDULE_NEXT;
    check_relative(schedule_ends(&sm, &warp).apart_s, 4 * 20, 1e-9);
    sm.warps = 1;
    assert_true(schedule_ends(&sm, &warp).apart_s == 0);
}
