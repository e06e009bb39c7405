/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replication in closed form: against formulas where there are some, and against simulated
 * caches whose lookups give the curves. */
#include "check.h"

#include "dcl1/replication.h"

#include "core/memory.h"
#include "profile/curves/stack_distance.h"

/* A curve whose miss ratio falls evenly to `floor` at `lines`. */
static struct curve straight(struct curve_point *points, uint64_t requests, uint64_t lines,
                             double floor)
{
    points[0] = (struct curve_point){lines, (uint64_t)((1 - floor) * (double)requests)};
    return (struct curve){
        .requests = requests, .cold = requests - points[0].hits, .points = points, .n_points = 1};
}

/* Independent uniform references to F lines by n caches of c lines: each holds any line with
 * chance c/F, so that copies = n c / (F (1 - (1 - c/F)^n)) and none other holds a missed line
 * with chance (1 - c/F)^(n-1). */
TEST(random_references_have_a_formula)
{
    static const struct {
        double n, c, f;
    } cases[] = {{2, 100, 1000}, {8, 100, 1000}, {80, 128, 4096}, {40, 256, 300}, {10, 512, 8192}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct curve_point points[1];
        double n = cases[i].n, c = cases[i].c, f = cases[i].f, out = 1 - c / f;
        /* So long that the time to fill the caches does not matter. */
        struct curve curve = straight(points, (uint64_t)1 << 40, (uint64_t)f, 0);
        struct dcl1_replication r = dcl1_replication(&curve, &curve, n, c);
        check_relative(r.copies, n * c / (f * (1 - pow(out, n))), 2e-3);
        check_relative(r.elsewhere, 1 - pow(out, n - 1), 2e-3);
        check_relative(r.misses, out, 1e-5);
    }
}

/* Nothing is shared: n streams of their own make one stack n times as deep. */
TEST(private_lines_have_one_copy)
{
    struct curve_point one[1], all[1];
    struct curve unit = straight(one, 1000000, 500, 0.2);
    struct curve system = straight(all, 1000000, 16 * 500, 0.2);
    struct dcl1_replication r = dcl1_replication(&unit, &system, 16, 128);
    check_relative(r.copies, 1, 1e-2);
    assert_true(r.elsewhere < 1e-2);
}

/* All caches look up the same lines in turn: the first of each round alone may miss all. */
TEST(common_lines_have_a_copy_in_each)
{
    enum { N = 8 };
    struct curve_point one[1], all[2];
    struct curve unit = straight(one, 1000000, 500, 0.2);
    uint64_t first = unit.requests / N; /* distance 0 for all others */
    all[0] = (struct curve_point){1, unit.requests - first};
    all[1] = (struct curve_point){500, unit.requests - first + one[0].hits / N};
    struct curve system = {.requests = unit.requests,
                           .cold = unit.requests - all[1].hits,
                           .points = all,
                           .n_points = 2};
    struct dcl1_replication r = dcl1_replication(&unit, &system, N, 128);
    check_relative(r.copies, N, 2e-2);
    check_relative(r.elsewhere, 1 - 1.0 / N, 1e-2);
}

TEST(ends_of_the_range)
{
    struct curve_point points[1];
    struct curve none = {0}, curve = straight(points, 1000, 10, 0.1);
    assert_true(isnan(dcl1_replication(&none, &none, 4, 128).copies));
    assert_true(isnan(dcl1_replication(&curve, &curve, 4, 0).elsewhere));
    struct dcl1_replication one = dcl1_replication(&curve, &curve, 1, 4);
    check_relative(one.copies, 1, 1e-3); /* one cache: no other */
    assert_true(one.elsewhere < 1e-3);
    /* Larger than all there is. */
    struct dcl1_replication all = dcl1_replication(&curve, &curve, 4, 1e6);
    assert_true(all.copies >= 1 && all.copies <= 4);
    assert_true(all.elsewhere >= 0 && all.elsewhere <= 1);
}

/* --- against simulated caches ------------------------------------------------------------ */

enum { CACHES_MAX = 16, CAPACITY_MAX = 128, FOOTPRINT = 20000 };

struct simulation {
    uint32_t slots_of[CACHES_MAX][FOOTPRINT], slot[FOOTPRINT];
    struct stack_distance own[CACHES_MAX], all;
    uint64_t stamp[CACHES_MAX][FOOTPRINT]; /* last use; 0: not held */
    uint32_t held[CACHES_MAX], holders[FOOTPRINT], lines[CACHES_MAX][CAPACITY_MAX];
    uint64_t distinct;
    double misses, elsewhere, copies, cached;
};

static void evict_oldest(struct simulation *s, int cache)
{
    uint32_t *lines = s->lines[cache], at = 0, oldest;
    for (uint32_t i = 1; i < s->held[cache]; i++)
        if (s->stamp[cache][lines[i]] < s->stamp[cache][lines[at]])
            at = i;
    oldest = lines[at];
    lines[at] = lines[--s->held[cache]];
    s->stamp[cache][oldest] = 0;
    s->distinct -= --s->holders[oldest] == 0;
}

static void look_up(struct simulation *s, int n, int cache, uint32_t line, uint64_t now,
                    uint32_t capacity)
{
    if (!s->stamp[cache][line]) {
        double total = 0;
        for (int i = 0; i < n; i++)
            total += s->held[i];
        s->misses++;
        s->elsewhere += s->holders[line] > 0;
        s->copies += total;
        s->cached += (double)s->distinct;
        if (s->held[cache] == capacity)
            evict_oldest(s, cache);
        s->distinct += s->holders[line]++ == 0;
        s->lines[cache][s->held[cache]++] = line;
    }
    s->stamp[cache][line] = now;
}

/* Skewed references to common lines, mixed with lines of one's own. */
static uint32_t next_line(uint64_t *seed, int cache, double common, double skew)
{
    enum { OWN = 1000, COMMON = FOOTPRINT - CACHES_MAX * OWN };
    double u = check_uniform(seed);
    if (check_uniform(seed) < common)
        return (uint32_t)(COMMON * pow(u, skew));
    return (uint32_t)(COMMON + cache * OWN + OWN * pow(u, skew));
}

TEST(simulated_caches_agree)
{
    static const struct {
        int n;
        uint32_t capacity;
        double common, skew;
    } cases[] = {{4, 64, 0.5, 2}, {16, 64, 0.9, 3}, {8, 128, 1, 1}, {8, 32, 0.2, 4}};
    enum { LOOKUPS = 40000 };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct simulation *s = memory_zero(1, sizeof *s);
        struct distance_histogram *own = memory_zero(1, sizeof *own),
                                  *all = memory_zero(1, sizeof *all);
        struct arena *arena = arena_create();
        uint64_t seed = 5 + c;
        int n = cases[c].n;
        stack_distance_init(&s->all);
        for (int i = 0; i < n; i++)
            stack_distance_init(&s->own[i]);
        for (uint64_t t = 0; t < LOOKUPS; t++) {
            int cache = (int)(t % (uint64_t)n);
            uint32_t line = next_line(&seed, cache, cases[c].common, cases[c].skew);
            distance_histogram_add(
                own, stack_distance_access(&s->own[cache], &s->slots_of[cache][line]));
            distance_histogram_add(all, stack_distance_access(&s->all, &s->slot[line]));
            look_up(s, n, cache, line, t + 1, cases[c].capacity);
        }
        struct curve unit, system;
        curve_from_histogram(&unit, own, arena);
        curve_from_histogram(&system, all, arena);
        struct dcl1_replication r = dcl1_replication(&unit, &system, n, cases[c].capacity);
        check_relative(r.misses, s->misses / LOOKUPS, 0.02);
        check_relative(r.copies, s->copies / s->cached, 0.03);
        assert_true(fabs(r.elsewhere - s->elsewhere / s->misses) < 0.02);
        for (int i = 0; i < n; i++)
            stack_distance_fini(&s->own[i]);
        stack_distance_fini(&s->all);
        arena_destroy(arena);
        free(own);
        free(all);
        free(s);
    }
}
