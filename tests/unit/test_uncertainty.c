/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stated errors leave of a ranking: closed forms, coverage on synthetic truth, the same bits
 * for any number of threads; points evaluated in any order against rows. */
#include "check.h"

#include <gsl/gsl_cdf.h>

#include "core/draw.h"
#include "core/parallel.h"
#include "explore/answer/answer.h"
#include "explore/sweep/rows.h"
#include "explore/sweep/sweep.h"
#include "explore/search/uncertainty.h"

SET_UP
{
    check_own_cache();
    check_file("hand.yaml", "profile: hand\n"
                            "point:\n"
                            "  r_local: 0.5\n"
                            "  llc_hit: {memory-side: 0.8, sm-side: 0.5}\n"
                            "  lsu:     {memory-side: 0.9, sm-side: 1.0}\n");
}

static struct sweep *run(const char *body, int threads, struct space **space)
{
    struct text text = {0};
    struct sweep *sweep;
    text_printf(&text, "space: t\nmachine: sac\nworkloads: [\"%s/hand.yaml\"]\n%s", check_folder(),
                body);
    check_ok(space_load(check_file("space.yaml", text.data), space, &failure));
    text_free(&text);
    check_ok(sweep_open(*space, threads, &sweep, &failure));
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    return sweep;
}

static void find(struct sweep *sweep, uint64_t draws, uint64_t seed, struct uncertainty *found)
{
    const struct space *space = sweep->space;
    struct spread spreads[4];
    for (size_t i = 0; i < space->n_spreads; i++)
        check_ok(spread_read(space->machine, space->spreads[i].path, space->spreads[i].text, NULL,
                             &spreads[i], &failure));
    struct uncertainty_request request = {sweep, spreads, space->n_spreads, draws, seed, 2};
    check_ok(uncertainty_find(&request, found, &failure));
}

/* --- random numbers ----------------------------------------------------------------------- */

TEST(draws_are_uniform_and_independent)
{
    enum { N = 20000 };
    double sum = 0, squares = 0, neighbours = 0, streams = 0, seeds = 0;
    for (uint64_t i = 0; i < N; i++) {
        double u = draw_uniform(1, 0, i) - 0.5;
        assert_true(u > -0.5 && u < 0.5);
        sum += u;
        squares += u * u;
        neighbours += u * (draw_uniform(1, 0, i + 1) - 0.5);
        streams += u * (draw_uniform(1, 1, i) - 0.5);
        seeds += u * (draw_uniform(2, 0, i) - 0.5);
    }
    /* Standard errors by hand: 1/sqrt(12 N); 1/sqrt(180 N); 1/(12 sqrt(N)). */
    assert_true(fabs(sum / N) < 4.5 / sqrt(12.0 * N));
    assert_true(fabs(squares / N - 1 / 12.0) < 4.5 / sqrt(180.0 * N));
    assert_true(fabs(neighbours / N) < 4.5 / 12 / sqrt((double)N));
    assert_true(fabs(streams / N) < 4.5 / 12 / sqrt((double)N));
    assert_true(fabs(seeds / N) < 4.5 / 12 / sqrt((double)N));
}

static void check_moments(const char *text, double mean, double deviation)
{
    enum { N = 20000 };
    OWNED(machine) *m = check_shipped("sac", NULL);
    struct spread spread;
    double sum = 0, squares = 0;
    check_ok(spread_read(m, "memory.bandwidth", text, NULL, &spread, &failure));
    for (uint64_t i = 0; i < N; i++) {
        double x = spread_factor(&spread, 7, 3, i);
        sum += x;
        squares += (x - mean) * (x - mean);
    }
    assert_true(fabs(sum / N - mean) < 4.5 * deviation / sqrt((double)N));
    check_relative(sqrt(squares / N), deviation, 0.05);
}

TEST(spreads_have_their_moments)
{
    check_moments("+-6%", 1, 0.06 / sqrt(3));
    check_moments("\xc2\xb1"
                  "6 %",
                  1, 0.06 / sqrt(3));
    check_moments("uniform 6%", 1, 0.06 / sqrt(3));
    check_moments("normal 5%", 1, 0.05);
    check_moments("lognormal 20%", sqrt(1 + 0.04), 0.2 * sqrt(1 + 0.04));
    check_moments("normal 43.75 GB/s", 1, 43.75 / 437.5); /* of 437.5 GB/s */
}

TEST(bad_spreads_are_refused)
{
    static const char *const cases[][3] = {
        {"memory.bandwidth", "5%", "no spread"},
        {"memory.bandwidth", "+-500%", "no spread"},
        {"memory.bandwidth", "normal 5 ns", "no spread"},
        {"memory.bandwidht", "+-5%", "did you mean"},
        {"llc.organisation", "+-5%", "is a name"},
        {"line", "+-5%", "it has no spread"},
    };
    OWNED(machine) *m = check_shipped("sac", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct spread spread;
        assert_int_not_equal(spread_read(m, cases[i][0], cases[i][1], NULL, &spread, &failure), 0);
        if (!strstr(failure.text, cases[i][2]) && !strstr(failure.hint, cases[i][2]))
            fail_msg("%s=%s: %s (%s)", cases[i][0], cases[i][1], failure.text, failure.hint);
    }
}

/* --- rankings ----------------------------------------------------------------------------- */

/* By hand (bottleneck): memory-side 12 times the link's bandwidth, SM-side 8 times the memory's,
 * 3.5 TB/s, where the other one binds neither. Two lognormal errors: the logarithm of the ratio is
 * normal. */
static const char duel[] =
    "models: [bottleneck]\n"
    "axes: {llc.organisation: [memory-side, sm-side], inter.link_bandwidth: [300 GB/s]}\n"
    "uncertainty: {inter.link_bandwidth: lognormal 10%, memory.bandwidth: "
    "lognormal 10%}\n";

TEST(how_probable_the_best_is)
{
    enum { DRAWS = 4000 };
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run(duel, 2, &space);
    struct uncertainty found;
    find(sweep, DRAWS, 5, &found);
    assert_int_equal(found.count, 2);
    check_relative(found.designs[0].bands[0].stated, 3.6e12, 1e-9);
    check_relative(found.designs[1].bands[0].stated, 3.5e12, 1e-9);
    double deviation = sqrt(2 * log1p(0.01));
    double p = gsl_cdf_ugaussian_P(log(3.6 / 3.5) / deviation);
    assert_true(fabs(found.designs[0].best - p) < 4.5 * sqrt(p * (1 - p) / DRAWS));
    check_relative(found.designs[0].best + found.designs[1].best, 1, 1e-12);
    assert_true(found.designs[0].in_top == 1 && found.settled && found.left_out == 0);
    uncertainty_fini(&found);
}

/* Designs with one value of what ranks them share being the best. */
TEST(equal_designs_share_the_first_place)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("models: [bottleneck]\n"
                              "axes: {noc.bandwidth: [40 TB/s, 41 TB/s, 42 TB/s]}\n"
                              "uncertainty: {inter.link_bandwidth: +-5%}\n",
                              1, &space);
    struct uncertainty found;
    find(sweep, 100, 1, &found);
    for (size_t i = 0; i < 3; i++)
        check_relative(found.designs[i].best, 1.0 / 3, 1e-9);
    uncertainty_fini(&found);
}

/* Truths drawn with another generator and answered by the model for a machine of their own: 90 %
 * of them are in the band. */
TEST(bands_cover_synthetic_truth)
{
    enum { DRAWS = 4000, TRUTHS = 1000 };
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("models: [bottleneck]\n"
                              "axes: {inter.link_bandwidth: [300 GB/s]}\n"
                              "uncertainty: {inter.link_bandwidth: normal 10%, memory.bandwidth: "
                              "+-20%}\n",
                              2, &space);
    struct uncertainty found;
    const struct profile_view *view;
    uint64_t random = 99;
    int inside = 0;
    find(sweep, DRAWS, 11, &found);
    for (int i = 0; i < TRUTHS; i++) {
        OWNED(machine) *m = check_shipped("sac", NULL);
        char link[64], memory[64];
        snprintf(link, sizeof link, "%.17g B/s",
                 300e9 * (1 + 0.1 * gsl_cdf_ugaussian_Pinv(check_uniform(&random))));
        snprintf(memory, sizeof memory, "%.17g B/s",
                 437.5e9 * (1 + 0.2 * (2 * check_uniform(&random) - 1)));
        check_set(m, "inter.link_bandwidth", link);
        check_set(m, "memory.bandwidth", memory);
        check_ok(subject_view(sweep->subjects.items[0], m, &view, &failure));
        OWNED(answer) *answer = check_answer("bottleneck", m, view);
        double truth = answer_metric(answer, "effective_bandwidth");
        inside += truth >= found.designs[0].bands[0].low && truth <= found.designs[0].bands[0].high;
    }
    /* Of the truths, and of each end of the band. */
    double error = sqrt(0.9 * 0.1 / TRUTHS + 2 * 0.05 * 0.95 / DRAWS);
    if (fabs((double)inside / TRUTHS - 0.9) > 4 * error)
        fail_msg("%d of %d truths are in the band", inside, TRUTHS);
    uncertainty_fini(&found);
}

/* --- points ----------------------------------------------------------------------------- */

static const char full[] =
    "models: [eab, bottleneck]\n"
    "axes:\n"
    "  llc.bandwidth: [1 TB/s, 4 TB/s, 9 TB/s]\n"
    "  llc.organisation: [memory-side, sm-side, sac]\n"
    "  memory: {slow: {memory.bandwidth: 100 GB/s}, fast: {memory.bandwidth: 900 GB/s}}\n"
    "  inter.link_bandwidth: {from: 16 GB/s, to: 1024 GB/s, scale: log2, points: 7}\n"
    "set: {noc.bandwidth: \"llc.bandwidth * 1.25\"}\n"
    "let: {cost: \"total.memory_bandwidth / 1 GB/s + total.link_bandwidth / 2 GB/s\"}\n"
    "where: [\"inter.link_bandwidth < 1000 GB/s\", \"cost < 7000\"]\n"
    "objectives: [{maximise: eab.effective_bandwidth}, {minimise: cost}]\n"
    "rank: {by: eab.effective_bandwidth, top: 11}\n"
    "uncertainty: {llc.bandwidth: +-10%, inter.link_bandwidth: normal 30%}\n";

TEST(trials_are_what_rows_are)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run(full, 3, &space);
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    uint64_t ids[126];
    struct trial list[126];
    double values[126 * 3];
    size_t column;
    for (size_t i = 0; i < 126; i++) {
        ids[i] = i * 55 % 126; /* in no order */
        list[i] = (struct trial){ids[i], NULL};
    }
    struct trials *trials = trials_create(sweep, NULL, 0);
    check_ok(trials_run(trials, list, 126, values, &failure));
    check_ok(sweep_rows(sweep, ids, 126, arena, &rows, &failure));
    check_ok(sweep_column_find(sweep, "cost", &column, &failure));
    for (size_t i = 0; i < 126; i++) {
        assert_true(isnan(values[3 * i]) == !rows[i].kept);
        if (rows[i].kept)
            assert_true(values[3 * i + 2] == rows[i].values[column]);
    }
    trials_destroy(trials);
    arena_destroy(arena);
}

TEST(any_number_of_threads)
{
    struct uncertainty found[3];
    struct space *spaces[3];
    struct sweep *sweeps[3];
    static const int threads[] = {1, 2, 5};
    for (int i = 0; i < 3; i++) {
        sweeps[i] = run(full, threads[i], &spaces[i]);
        find(sweeps[i], 200, 1, &found[i]);
    }
    for (int i = 1; i < 3; i++) {
        assert_int_equal(found[i].count, found[0].count);
        for (size_t d = 0; d < found[0].count; d++) {
            const struct uncertainty_design *a = &found[0].designs[d], *b = &found[i].designs[d];
            assert_true(a->id == b->id && a->best == b->best && a->on_front == b->on_front);
            assert_memory_equal(a->bands, b->bands, 3 * sizeof *a->bands);
        }
    }
    for (int i = 0; i < 3; i++) {
        uncertainty_fini(&found[i]);
        sweep_destroy(sweeps[i]);
        space_destroy(spaces[i]);
    }
}

/* Another seed, other draws. */
TEST(the_seed_matters)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run(full, 2, &space);
    struct uncertainty a, b;
    find(sweep, 50, 1, &a);
    find(sweep, 50, 2, &b);
    assert_true(a.designs[0].bands[0].low != b.designs[0].bands[0].low);
    uncertainty_fini(&a);
    uncertainty_fini(&b);
}

TEST(interrupted_before_the_first_draw)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run(duel, 1, &space);
    struct spread spread = {"memory.bandwidth", SPREAD_NORMAL, 0.1};
    struct uncertainty found;
    struct uncertainty_request request = {sweep, &spread, 1, 10, 1, 1};
    interrupt_request();
    assert_int_equal(uncertainty_find(&request, &found, &failure), STATUS_INTERRUPTED);
    interrupt_clear();
    uncertainty_fini(&found);
}
