/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points of a ranking that are one in effect against groups made by hand; a front's ends, volume
 * and knee against their definitions. */
#include "check.h"

#include "explore/pareto/front_shape.h"
#include "explore/sweep/sweep.h"
#include "report/sweep_designs.h"
#include "report/sweep_report.h"

static const char point_text[] = "profile: hand\n"
                                 "point: {r_local: 0.7, bytes: 1 MB, llc_hit: {memory-side: 0.8, "
                                 "sm-side: 0.5}, lsu: {memory-side: 0.9, sm-side: 1.0}}\n";

SET_UP
{
    check_own_cache();
    check_file("hand.yaml", point_text);
}

/* --- fronts --------------------------------------------------------------------------------- */

enum { MOST = 60 };

/* A front of two objectives, less x and more y, the ends included; units as given. */
struct rising {
    double xs[MOST], ys[MOST];
    const double *columns[2];
    struct pareto_points points;
};

static const enum pareto_sense senses[] = {PARETO_MINIMISE, PARETO_MAXIMISE};

static void rising_random(struct rising *c, size_t n, double x_unit, double y_unit, uint64_t *seed)
{
    c->xs[0] = 3 * x_unit;
    c->ys[0] = -2 * y_unit;
    for (size_t i = 1; i < n; i++) { /* both rise: none dominates another */
        c->xs[i] = c->xs[i - 1] + (0.01 + check_uniform(seed)) * x_unit;
        c->ys[i] = c->ys[i - 1] + (0.01 + pow(check_uniform(seed), 4)) * y_unit;
    }
    c->columns[0] = c->xs;
    c->columns[1] = c->ys;
    c->points = (struct pareto_points){n, 2, c->columns, senses};
}

/* The staircase below the points: x from each point on to the next is dominated up to its y. */
static double staircase(const struct rising *c)
{
    size_t n = c->points.count;
    double sum = 0, box = (c->xs[n - 1] - c->xs[0]) * (c->ys[n - 1] - c->ys[0]);
    for (size_t i = 0; i + 1 < n; i++)
        sum += (c->xs[i + 1] - c->xs[i]) * (c->ys[i] - c->ys[0]);
    return sum / box;
}

/* How far a point is beyond the line through the ends, over any length. */
static double beyond(const struct rising *c, size_t i)
{
    size_t n = c->points.count;
    double along = (c->xs[i] - c->xs[0]) / (c->xs[n - 1] - c->xs[0]);
    double up = (c->ys[i] - c->ys[0]) / (c->ys[n - 1] - c->ys[0]);
    return up - along;
}

TEST(fronts_of_two_objectives)
{
    uint64_t seed = 7;
    int without = 0, with = 0;
    for (int round = 0; round < 200; round++) {
        struct rising c;
        struct front_shape shape;
        rising_random(&c, 3 + (size_t)round % (MOST - 3), 1e9, 1e-6, &seed);
        size_t n = c.points.count, knee = SIZE_MAX;
        double most = 1e-9;
        for (size_t i = 1; i + 1 < n; i++)
            if (beyond(&c, i) > most) {
                most = beyond(&c, i);
                knee = i;
            }
        check_ok(front_shape_find(&c.points, &shape, &failure));
        assert_true(shape.best[0] == c.xs[0] && shape.worst[0] == c.xs[n - 1]);
        assert_true(shape.best[1] == c.ys[n - 1] && shape.worst[1] == c.ys[0]);
        assert_int_equal(shape.knee, knee);
        check_relative(shape.volume, staircase(&c), 1e-9);
        without += knee == SIZE_MAX;
        with += knee < SIZE_MAX;
    }
    assert_true(with > 20 && without > 5);
}

TEST(fronts_without_a_shape)
{
    static const double xs[] = {1, 2, 3}, ys[] = {5, 5, 5}, rise[] = {5, 6, 7};
    const double *flat[] = {xs, ys}, *two[] = {xs, rise};
    struct front_shape shape;
    check_ok(front_shape_find(&(struct pareto_points){1, 2, flat, senses}, &shape, &failure));
    assert_true(isnan(shape.volume) && shape.knee == SIZE_MAX);
    check_ok(front_shape_find(&(struct pareto_points){3, 2, flat, senses}, &shape, &failure));
    assert_true(isnan(shape.volume) && shape.knee == SIZE_MAX);
    assert_true(shape.best[0] == 1 && shape.worst[0] == 3 && shape.best[1] == 5);
    check_ok(front_shape_find(&(struct pareto_points){2, 2, two, senses}, &shape, &failure));
    assert_true(shape.volume == 0 && shape.knee == SIZE_MAX);
    check_ok(front_shape_find(&(struct pareto_points){3, 2, two, senses}, &shape, &failure));
    assert_true(shape.volume == 0.25 && shape.knee == SIZE_MAX); /* on the line itself */
    check_ok(front_shape_find(&(struct pareto_points){3, 1, two, senses}, &shape, &failure));
    assert_true(isnan(shape.volume) && shape.knee == SIZE_MAX);
}

/* Three corners, and one point that has 3/4 of the way in each: a cube of that edge is dominated.
 */
TEST(fronts_of_three_objectives)
{
    static const double x[] = {100, 0, 0, 75}, y[] = {0, 1, 0, 0.75}, z[] = {7, 7, 3, 4};
    const double *columns[] = {x, y, z};
    static const enum pareto_sense all[] = {PARETO_MAXIMISE, PARETO_MAXIMISE, PARETO_MINIMISE};
    struct front_shape shape;
    check_ok(front_shape_find(&(struct pareto_points){4, 3, columns, all}, &shape, &failure));
    check_relative(shape.volume, 0.75 * 0.75 * 0.75, 1e-12);
    assert_int_equal(shape.knee, 3);
    assert_true(front_shape_has_volume(1000000, 3));
    assert_false(front_shape_has_volume(1000000, 4));
}

/* --- rankings ------------------------------------------------------------------------------- */

static struct sweep *run(const char *body, struct space **space)
{
    struct text text = {0};
    struct sweep *sweep;
    text_printf(&text, "space: t\nmachine: sac\nworkloads: [\"%s/hand.yaml\"]\n%s", check_folder(),
                body);
    check_ok(space_load(check_file("space.yaml", text.data), space, &failure));
    text_free(&text);
    check_ok(sweep_open(*space, 2, &sweep, &failure));
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    return sweep;
}

/* Memory limits, whatever the links have from some value on; links cost, and the dearest come
 * first. */
static const char idle_links[] =
    "axes:\n  inter.link_bandwidth: {values: [9000, 6000, 3000], unit: GB/s}\n"
    "  memory.bandwidth: {values: [30, 20, 10], unit: GB/s}\n"
    "  llc.organisation: [memory-side, sm-side]\n"
    "objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]\n";

static void check_design(const struct sweep *sweep, const struct sweep_design *design, size_t rank,
                         size_t points, const char *words)
{
    struct text text = {0};
    text_append(&text, "");
    sweep_design_words(sweep, design, &text);
    assert_string_equal(text.data, words);
    assert_int_equal(design->points, points);
    assert_int_equal(design->rank, rank);
    text_free(&text);
}

TEST(designs_are_said_once)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run(idle_links, &space);
    struct arena *arena = arena_create();
    struct sweep_designs designs;
    check_ok(sweep_designs_find(sweep, arena, &designs, &failure));
    assert_int_equal(sweep->ranking.count, 18);
    assert_int_equal(designs.count, 6); /* 3 memories x 2 organisations */
    assert_int_equal(designs.looked, 18);
    assert_false(designs.exhausted);
    /* The one with the cheapest links stands for all three. */
    for (size_t i = 0; i < designs.count; i++) {
        size_t own;
        check_ok(sweep_column_find(sweep, "inter.link_bandwidth", &own, &failure));
        check_design(sweep, &designs.items[i], designs.items[i].rank, 3,
                     "inter.link_bandwidth 9 TB/s, 6 TB/s");
        assert_true(designs.items[i].row->values[own] == 3e12);
        assert_true(designs.items[i].row->id == sweep->ranking.items[designs.items[i].rank]);
        assert_true(i == 0 || designs.items[i].rank > designs.items[i - 1].rank);
    }
    arena_destroy(arena);
}

/* An axis that is what is ranked by, or that moves the metric, makes designs of their own. */
TEST(designs_that_differ)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("axes:\n  memory.bandwidth: {from: 10 GB/s, to: 90 GB/s, points: 9}\n"
                              "  inter.link_bandwidth: {values: [6000, 3000], unit: GB/s}\n"
                              "rank: {by: memory.bandwidth, top: 50}\n",
                              &space);
    struct arena *arena = arena_create();
    struct sweep_designs designs;
    check_ok(sweep_designs_find(sweep, arena, &designs, &failure));
    assert_int_equal(designs.count, 9);
    for (size_t i = 0; i < designs.count; i++)
        check_design(sweep, &designs.items[i], 2 * i, 2, "inter.link_bandwidth 3 TB/s");
    arena_destroy(arena);
}

/* The table says it, and where the ranking ends too soon to name ten. */
TEST(designs_in_tables)
{
    OWNED(space) *space = NULL;
    char body[800];
    snprintf(body, sizeof body, "%srank: {by: effective_bandwidth, top: 4}\n", idle_links);
    OWNED(sweep) *sweep = run(body, &space);
    struct table_style style = {0};
    struct text table = {0};
    check_ok(sweep_report_table(sweep, 10, &style, &table, &failure));
    assert_non_null(strstr(table.data, "the same in effect"));
    assert_non_null(strstr(table.data, "  2 more: inter.link_bandwidth 9 TB/s, 6 TB/s\n"));
    assert_non_null(
        strstr(table.data, "the first 4 ranks are 2 designs in effect; --top 40 ranks more\n"));
    text_free(&table);
    struct text words = {0};
    check_ok(sweep_front_words(sweep, &words, &failure));
    text_free(&words);
}
