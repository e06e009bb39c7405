/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches: the exhaustive answer where there is one; the same bits for any number of threads;
 * budgets, conditions, what is refused. */
#include "check.h"

#include "core/parallel.h"
#include "explore/search/search.h"
#include "explore/sweep/sweep.h"

SET_UP
{
    check_own_cache();
    check_file("hand.yaml", "profile: hand\n"
                            "points:\n"
                            "  - name: one\n"
                            "    r_local: 0.7\n"
                            "    bytes: 3000000\n"
                            "    llc_hit: {memory-side: 0.8, sm-side: 0.5}\n"
                            "    lsu: {memory-side: 0.9, sm-side: 1.0}\n"
                            "  - name: two\n"
                            "    r_local: 0.2\n"
                            "    bytes: 1000000\n"
                            "    llc_hit: {memory-side: 0.3, sm-side: 0.6}\n"
                            "    lsu: {memory-side: 0.6, sm-side: 0.7}\n");
}

static struct sweep *open(const char *body, int threads, struct space **space)
{
    struct text text = {0};
    struct sweep *sweep;
    text_printf(&text, "space: t\nmachine: sac\nworkloads: [\"%s/hand.yaml\"]\n%s", check_folder(),
                body);
    check_ok(space_load(check_file("space.yaml", text.data), space, &failure));
    text_free(&text);
    check_ok(sweep_open(*space, threads, &sweep, &failure));
    return sweep;
}

static struct sweep *sweep_all(const char *body, struct space **space)
{
    struct sweep *sweep = open(body, 2, space);
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    return sweep;
}

static struct search_result search(struct sweep *sweep, uint64_t evaluations, uint64_t seed)
{
    struct search_request request = {evaluations, seed};
    struct search_result result;
    check_ok(search_run(sweep, &request, &result, &failure));
    return result;
}

/* 14 400 points with ridges: what one axis gives, a condition over several takes. */
#define AXES                                                                                       \
    "models: [eab]\n"                                                                              \
    "axes:\n"                                                                                      \
    "  llc.organisation: [memory-side, sm-side, sac]\n"                                            \
    "  llc.bandwidth: {from: 1 TB/s, to: 9 TB/s, points: 20}\n"                                    \
    "  memory.bandwidth: {from: 100 GB/s, to: 900 GB/s, points: 20}\n"                             \
    "  inter.link_bandwidth: {from: 16 GB/s, to: 1024 GB/s, scale: log2, points: 12}\n"            \
    "let: {cost: \"total.memory_bandwidth / 1 GB/s + total.link_bandwidth / 2 GB/s + "             \
    "total.llc_bandwidth / 4 GB/s\"}\n"

static const char single[] = AXES "where: [\"cost < 6000\"]\n"
                                  "objectives: [{maximise: effective_bandwidth}]\n";
static const char several[] =
    AXES "objectives: [{maximise: effective_bandwidth}, {minimise: cost}]\n";
static const char three[] = AXES "objectives: [{maximise: effective_bandwidth}, {minimise: cost}, "
                                 "{minimise: inter.link_bandwidth}]\n";

TEST(annealing_reaches_the_exhaustive_optimum)
{
    struct space *all_space = NULL, *space = NULL;
    struct sweep *all = sweep_all(single, &all_space);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct sweep *found = open(single, 2, &space);
        struct search_distance distance;
        struct search_result result = search(found, 5000, seed);
        assert_true(result.evaluations <= 5000 && result.alone && !result.all);
        check_ok(search_compare(found, all, &distance, &failure));
        if (distance.found != distance.best)
            fail_msg("seed %d: %.6g instead of %.6g", (int)seed, distance.found, distance.best);
        sweep_destroy(found);
        space_destroy(space);
    }
    sweep_destroy(all);
    space_destroy(all_space);
}

static void check_front(const char *body, uint64_t evaluations, double volume)
{
    struct space *all_space = NULL, *space = NULL;
    struct sweep *all = sweep_all(body, &all_space);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct sweep *found = open(body, 2, &space);
        struct search_distance distance;
        search(found, evaluations, seed);
        check_ok(search_compare(found, all, &distance, &failure));
        if (!(distance.volume > volume && distance.volume <= 1 + 1e-12))
            fail_msg("seed %d: %.6g of the front's volume", (int)seed, distance.volume);
        assert_true(distance.front == all->front.count && distance.of_front > 0);
        sweep_destroy(found);
        space_destroy(space);
    }
    sweep_destroy(all);
    space_destroy(all_space);
}

TEST(evolution_reaches_the_front)
{
    check_front(several, 3000, 0.99);
    check_front(three, 3000, 0.97);
}

/* With as many evaluations as there are points, all that are there are known: ranking and front
 * are the sweep's. */
TEST(a_small_space_is_gone_through)
{
    static const char body[] =
        "models: [eab]\n"
        "axes:\n"
        "  llc.organisation: [memory-side, sm-side]\n"
        "  inter.link_bandwidth: {from: 16 GB/s, to: 1024 GB/s, scale: log2, points: 7}\n"
        "where: [\"inter.link_bandwidth < 1000 GB/s\"]\n"
        "objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]\n";
    struct space *all_space = NULL, *space = NULL;
    struct sweep *all = sweep_all(body, &all_space), *found = open(body, 1, &space);
    struct search_result result = search(found, 1000, 1);
    assert_true(result.all && result.evaluations == 14);
    assert_int_equal(found->kept, all->kept);
    assert_int_equal(found->ranking.count, all->ranking.count);
    assert_memory_equal(found->ranking.items, all->ranking.items,
                        all->ranking.count * sizeof(uint64_t));
    assert_int_equal(found->front.count, all->front.count);
    assert_memory_equal(found->front.items, all->front.items, all->front.count * sizeof(uint64_t));
    sweep_destroy(found);
    sweep_destroy(all);
    space_destroy(space);
    space_destroy(all_space);
}

TEST(any_number_of_threads)
{
    static const int threads[] = {1, 2, 5};
    struct sweep *found[3];
    struct space *spaces[3] = {NULL};
    for (int i = 0; i < 3; i++) {
        found[i] = open(several, threads[i], &spaces[i]);
        search(found[i], 700, 3);
    }
    for (int i = 1; i < 3; i++) {
        assert_int_equal(found[i]->ranking.count, found[0]->ranking.count);
        assert_memory_equal(found[i]->ranking.items, found[0]->ranking.items,
                            found[0]->ranking.count * sizeof(uint64_t));
        assert_int_equal(found[i]->front.count, found[0]->front.count);
        assert_memory_equal(found[i]->front.items, found[0]->front.items,
                            found[0]->front.count * sizeof(uint64_t));
    }
    for (int i = 0; i < 3; i++) {
        sweep_destroy(found[i]);
        space_destroy(spaces[i]);
    }
}

/* 7 x 10^15 points. */
TEST(what_nobody_can_go_through)
{
    static const char body[] =
        "models: [eab]\n"
        "axes:\n"
        "  llc.organisation: [memory-side, sm-side, sac]\n"
        "  inter.link_bandwidth: {from: 24 GB/s, to: 1536 GB/s, scale: log2, points: 4000}\n"
        "  memory.bandwidth: {from: 200 GB/s, to: 2 TB/s, scale: log2, points: 8000}\n"
        "  llc.bandwidth: {from: 1 TB/s, to: 16 TB/s, scale: log2, points: 8000}\n"
        "  noc.bandwidth: {from: 1 TB/s, to: 16 TB/s, scale: log2, points: 10000}\n"
        "objectives: [{maximise: effective_bandwidth}]\n";
    struct space *space = NULL;
    struct sweep *found = open(body, 2, &space);
    struct search_result result = search(found, 40000, 1);
    assert_true(result.alone && !result.all && result.evaluations <= 40000);
    /* More of everything is never worse: the last value of each axis, under one of the
     * organisations. */
    struct search_distance distance;
    struct space *corner_space = NULL;
    struct sweep *corner = sweep_all("models: [eab]\n"
                                     "axes:\n"
                                     "  llc.organisation: [memory-side, sm-side, sac]\n"
                                     "  inter.link_bandwidth: [1536 GB/s]\n"
                                     "  memory.bandwidth: [2 TB/s]\n"
                                     "  llc.bandwidth: [16 TB/s]\n"
                                     "  noc.bandwidth: [16 TB/s]\n"
                                     "objectives: [{maximise: effective_bandwidth}]\n",
                                     &corner_space);
    check_ok(search_compare(found, corner, &distance, &failure));
    assert_true(distance.found > 0.99 * distance.best &&
                distance.found <= distance.best * (1 + 1e-12));
    sweep_destroy(corner);
    space_destroy(corner_space);
    assert_true(found->warnings.count >= 1);
    assert_non_null(strstr(found->warnings.items[0].text, "found, not proved"));
    sweep_destroy(found);
    space_destroy(space);
}

TEST(nothing_is_left)
{
    struct space *space = NULL;
    struct sweep *found = open("models: [eab]\n"
                               "axes: {inter.link_bandwidth: [16 GB/s, 32 GB/s]}\n"
                               "where: [\"inter.link_bandwidth > 1 TB/s\"]\n",
                               1, &space);
    struct search_result result = search(found, 100, 1);
    assert_true(result.all && found->kept == 0 && found->ranking.count == 0);
    sweep_destroy(found);
    space_destroy(space);
}

TEST(what_cannot_be_searched)
{
    static const char *const cases[][2] = {
        {"design: one-at-a-time\naxes: {inter.link_bandwidth: [16 GB/s, 32 GB/s]}\n",
         "nothing to search"},
        {"axes: {inter.link_bandwidth: [16 GB/s, 32 GB/s]}\n"
         "where: [\"effective_bandwidth within 5% of best\"]\n",
         "is not known to a search"},
    };
    for (size_t i = 0; i < 2; i++) {
        struct space *space = NULL;
        struct sweep *sweep = open(cases[i][0], 1, &space);
        check_error(search_check(space, &failure), STATUS_INPUT, cases[i][1]);
        sweep_destroy(sweep);
        space_destroy(space);
    }
}

TEST(interrupted_before_anything)
{
    struct space *space = NULL;
    struct sweep *sweep = open(single, 1, &space);
    struct search_request request = {1000, 1};
    struct search_result result;
    interrupt_request();
    assert_int_equal(search_run(sweep, &request, &result, &failure), STATUS_INTERRUPTED);
    interrupt_clear();
    sweep_destroy(sweep);
    space_destroy(space);
}
