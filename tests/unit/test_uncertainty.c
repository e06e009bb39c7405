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

/* With an error of each model's own, or none. */
static void find_with(struct sweep *sweep, const struct model_errors *const *errors, uint64_t draws,
                      uint64_t seed, struct uncertainty *found)
{
    const struct space *space = sweep->space;
    struct spread spreads[4];
    for (size_t i = 0; i < space->n_spreads; i++)
        check_ok(spread_read(space->machine, space->spreads[i].path, space->spreads[i].text, NULL,
                             &spreads[i], &failure));
    struct uncertainty_request request = {.sweep = sweep,
                                          .spreads = spreads,
                                          .n_spreads = space->n_spreads,
                                          .errors = errors,
                                          .draws = draws,
                                          .seed = seed,
                                          .top = 2};
    check_ok(uncertainty_find(&request, found, &failure));
}

static void find(struct sweep *sweep, uint64_t draws, uint64_t seed, struct uncertainty *found)
{
    find_with(sweep, NULL, draws, seed, found);
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
    struct uncertainty_request request = {
        .sweep = sweep, .spreads = &spread, .n_spreads = 1, .draws = 10, .seed = 1, .top = 1};
    interrupt_request();
    assert_int_equal(uncertainty_find(&request, &found, &failure), STATUS_INTERRUPTED);
    interrupt_clear();
    uncertainty_fini(&found);
}

/* --- models' own errors ------------------------------------------------------------------ */

/* Errors as if they had been measured: normal between workloads and within them. */
static struct model_errors *measured(struct arena *arena, size_t groups, size_t count,
                                     double between, double within)
{
    struct model_errors *e = arena_alloc(arena, sizeof *e);
    uint64_t random = 4;
    *e = (struct model_errors){"here", "bottleneck", "drawn", NULL, groups, groups * count, 0};
    e->groups = arena_alloc(arena, groups * sizeof *e->groups);
    for (size_t g = 0; g < groups; g++) {
        double mean = between * gsl_cdf_ugaussian_Pinv(check_uniform(&random));
        e->groups[g] = (struct model_error_group){
            "w", arena_alloc(arena, count * sizeof *e->groups[g].logs), count};
        for (size_t i = 0; i < count; i++)
            e->groups[g].logs[i] = mean + within * gsl_cdf_ugaussian_Pinv(check_uniform(&random));
    }
    return e;
}

static void check_same(const struct uncertainty *a, const struct uncertainty *b, size_t width)
{
    assert_int_equal(a->count, b->count);
    for (size_t d = 0; d < a->count; d++) {
        const struct uncertainty_design *x = &a->designs[d], *y = &b->designs[d];
        assert_true(x->id == y->id && x->best == y->best && x->in_top == y->in_top &&
                    x->on_front == y->on_front && x->kept == y->kept);
        assert_memory_equal(x->bands, y->bands, width * sizeof *x->bands);
    }
}

TEST(an_error_of_zero_changes_no_bit)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run(full, 2, &space);
    struct arena *arena = arena_create();
    struct model_errors *zero = measured(arena, 3, 4, 0, 0);
    const struct model_errors *errors[] = {zero, zero};
    struct uncertainty with, without;
    find(sweep, 100, 3, &without);
    find_with(sweep, errors, 100, 3, &with);
    assert_true(with.erring && !without.erring);
    check_same(&with, &without, 3);
    uncertainty_fini(&with);
    uncertainty_fini(&without);
    arena_destroy(arena);
}

TEST(own_errors_with_any_number_of_threads)
{
    struct arena *arena = arena_create();
    struct model_errors *some = measured(arena, 5, 9, 0.1, 0.2);
    const struct model_errors *errors[] = {some, NULL};
    struct uncertainty found[2];
    for (int i = 0; i < 2; i++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = run(full, i ? 5 : 1, &space);
        find_with(sweep, errors, 100, 3, &found[i]);
    }
    check_same(&found[0], &found[1], 3);
    uncertainty_fini(&found[0]);
    uncertainty_fini(&found[1]);
    arena_destroy(arena);
}

/* What a workload's designs have in common, however large, leaves their order: by hand, 3.6 against
 * 3.5 TB/s with errors of their own. */
TEST(common_errors_leave_the_order)
{
    enum { DRAWS = 4000 };
    static const double within[] = {0, 0.05};
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep =
        run("models: [bottleneck]\n"
            "axes: {llc.organisation: [memory-side, sm-side], inter.link_bandwidth: [300 GB/s]}\n",
            2, &space);
    for (int i = 0; i < 2; i++) {
        struct arena *arena = arena_create();
        const struct model_errors *errors[] = {measured(arena, 100, 400, 0.5, within[i])};
        struct uncertainty found;
        find_with(sweep, errors, DRAWS, 5, &found);
        double p = i ? gsl_cdf_ugaussian_P(log(3.6 / 3.5) / (sqrt(2) * within[i])) : 1;
        assert_true(fabs(found.designs[0].best - p) <= 4.5 * sqrt(p * (1 - p) / DRAWS));
        check_relative(found.designs[0].bands[0].stated, 3.6e12, 1e-9);
        assert_true(found.designs[0].bands[0].low < 3.6e12 * exp(-0.6));
        uncertainty_fini(&found);
        arena_destroy(arena);
    }
}

TEST(designs_of_one_answer_have_one_error)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("models: [bottleneck]\n"
                              "axes: {noc.bandwidth: [40 TB/s, 41 TB/s, 42 TB/s]}\n",
                              1, &space);
    struct arena *arena = arena_create();
    const struct model_errors *errors[] = {measured(arena, 10, 40, 0.1, 0.2)};
    struct uncertainty found;
    find_with(sweep, errors, 100, 1, &found);
    for (size_t i = 0; i < 3; i++)
        check_relative(found.designs[i].best, 1.0 / 3, 1e-9);
    uncertainty_fini(&found);
    arena_destroy(arena);
}

/* New workloads and designs from where the measured ones came from: 90 % of what they do, the
 * model's answer over e^error, is in the band; of the harmonic mean over two workloads as well,
 * whose errors are their own. */
TEST(bands_cover_what_was_not_measured)
{
    enum { DRAWS = 4000, TRUTHS = 4000, GROUPS = 1500 };
    static const double between = 0.1, within = 0.13;
    check_file("other.yaml", "profile: other\n"
                             "point:\n"
                             "  r_local: 0.5\n"
                             "  llc_hit: {memory-side: 0.8, sm-side: 0.5}\n"
                             "  lsu:     {memory-side: 0.9, sm-side: 1.0}\n");
    for (size_t n = 1; n <= 2; n++) {
        struct text text = {0};
        struct space *space;
        struct sweep *sweep;
        struct arena *arena = arena_create();
        const struct model_errors *errors[] = {measured(arena, GROUPS, 20, between, within)};
        struct uncertainty found;
        uint64_t random = 77;
        int inside = 0;
        text_printf(&text,
                    "space: t\nmachine: sac\nmodels: [bottleneck]\nworkloads: "
                    "[\"%s/hand.yaml\"%s%s%s]\n"
                    "axes: {inter.link_bandwidth: [300 GB/s]}\n",
                    check_folder(), n > 1 ? ", \"" : "", n > 1 ? check_folder() : "",
                    n > 1 ? "/other.yaml\"" : "");
        check_ok(space_load(check_file("cover.yaml", text.data), &space, &failure));
        check_ok(sweep_open(space, 2, &sweep, &failure));
        check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
        check_ok(sweep_run(sweep, &failure));
        find_with(sweep, errors, DRAWS, 11, &found);
        for (int i = 0; i < TRUTHS; i++) {
            double sum = 0;
            for (size_t w = 0; w < n; w++)
                sum += exp(between * gsl_cdf_ugaussian_Pinv(check_uniform(&random)) +
                           within * gsl_cdf_ugaussian_Pinv(check_uniform(&random)));
            double truth = 3.6e12 / (sum / (double)n);
            inside +=
                truth >= found.designs[0].bands[0].low && truth <= found.designs[0].bands[0].high;
        }
        /* Of the truths, of each end of the band, and of the workloads that were measured. */
        double error = sqrt(0.9 * 0.1 / TRUTHS + 2 * 0.05 * 0.95 * (1.0 / DRAWS + 1.0 / GROUPS));
        if (fabs((double)inside / TRUTHS - 0.9) > 4 * error)
            fail_msg("%zu workloads: %d of %d truths are in the band", n, inside, TRUTHS);
        uncertainty_fini(&found);
        text_free(&text);
        sweep_destroy(sweep);
        space_destroy(space);
        arena_destroy(arena);
    }
}

/* A speed-up has the errors of both: none where the baseline is the design itself, only their own
 * where they share the workload's. */
TEST(speed_ups_share_the_workloads_error)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("models: [bottleneck]\n"
                              "axes: {llc.organisation: [memory-side, sm-side]}\n"
                              "rank: {by: speedup}\nspeedup_vs: memory-side\n",
                              2, &space);
    for (int i = 0; i < 2; i++) {
        struct arena *arena = arena_create();
        const struct model_errors *errors[] = {measured(arena, 20, 30, 0.5, i ? 0.1 : 0)};
        struct uncertainty found;
        find_with(sweep, errors, 500, 5, &found);
        for (size_t d = 0; d < 2; d++) {
            const struct uncertainty_band *band = &found.designs[d].bands[0];
            bool itself = found.designs[d].id == 0;
            if (i == 0 || itself)
                assert_true(fabs(band->low / band->stated - 1) < 1e-12 &&
                            fabs(band->high / band->stated - 1) < 1e-12);
            else /* of two errors, about normal: 2 * 1.645 * sqrt(2) * 0.1 */
                check_relative(log(band->high / band->low), 0.465, 0.15);
        }
        uncertainty_fini(&found);
        arena_destroy(arena);
    }
}

TEST(errors_by_hand)
{
    struct arena *arena = arena_create();
    struct model_errors *e;
    int counts[2] = {0};
    check_ok(model_errors_load(arena,
                               check_file("errors.yaml", "model_errors: network\n"
                                                         "origin: by hand\n"
                                                         "errors: {a: [0.1, 0.3], b: [-0.2]}\n"),
                               &e, &failure));
    assert_int_equal(e->count, 3);
    struct model_error_moments moments = model_error_moments(e);
    check_relative(moments.mean, 0.2 / 3, 1e-12);
    check_relative(moments.between, 0.4 / sqrt(2), 1e-12);
    check_relative(moments.within, sqrt(0.02), 1e-12);
    for (uint64_t d = 0; d < 4000; d++) {
        double x = model_error_factor(e, 1, "w", 7, 1e9, d);
        double y = model_error_factor(e, 1, "w", 8, 1e9, d);
        bool b = fabs(x / exp(0.2) - 1) < 1e-12;
        assert_true(b || fabs(x / exp(-0.1) - 1) < 1e-12 || fabs(x / exp(-0.3) - 1) < 1e-12);
        assert_true(b == (fabs(y / exp(0.2) - 1) < 1e-12)); /* one workload */
        counts[0] += b;
        counts[1] += !b && x == y;
    }
    assert_true(fabs(counts[0] / 4000.0 - 0.5) < 4.5 * 0.5 / sqrt(4000));
    assert_true(fabs(counts[1] / 4000.0 - 0.25) < 4.5 * sqrt(0.1875 / 4000));
    arena_destroy(arena);
}

/* By hand: a tenth of the distance from which on they are independent, nine tenths of the draws
 * share; what they do not share is equal by chance. */
TEST(errors_of_neighbours_are_alike)
{
    enum { DRAWS = 4000, LOGS = 1000 };
    static const double distances[] = {0, 0.02, 0.1, 0.2, 0.4};
    struct arena *arena = arena_create();
    struct model_errors *e = measured(arena, 3, LOGS, 0.1, 0.1);
    e->alike = 0.2;
    for (size_t i = 0; i < 5; i++) {
        int same = 0, other = 0;
        double share = fmax(0, 1 - distances[i] / e->alike), answer = 2e9 * exp(distances[i]);
        for (uint64_t d = 0; d < DRAWS; d++) {
            double x = model_error_factor(e, 1, "w", 7, 2e9, d);
            same += x == model_error_factor(e, 1, "w", 7, answer, d);
            other += x == model_error_factor(e, 1, "w", 6, answer, d);
        }
        share += (1 - share) / LOGS;
        assert_true(fabs(same / (double)DRAWS - share) <= 4.5 * sqrt(share * (1 - share) / DRAWS));
        assert_true(other < 4.5 * sqrt((double)DRAWS / LOGS) + (double)DRAWS / LOGS);
    }
    arena_destroy(arena);
}

TEST(bad_files_of_errors_are_refused)
{
    static const char *const cases[][2] = {
        {"model_errors: network\norigin: x\n", "errors"},
        {"model_errors: network\norigin: x\nerrors: {}\n", "there is no workload"},
        {"model_errors: network\norigin: x\nerrors: {a: []}\n", "a has none"},
        {"model_errors: network\norigin: x\nerrors: {a: [7]}\n", "ln(model / measured)"},
        {"model_errors: network\norigin: x\nerrors: {a: [nan]}\n", "number"},
        {"model_errors: network\norigin: x\nerror: {a: [0]}\n", "errors"},
        {"model_errors: network\norigin: x\nalike: -1\nerrors: {a: [0]}\n", "a distance"},
        {"- 1\n", "model_errors"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_create();
        struct model_errors *e;
        assert_int_not_equal(
            model_errors_load(arena, check_file("bad.yaml", cases[i][0]), &e, &failure), 0);
        if (!strstr(failure.text, cases[i][1]) && !strstr(failure.hint, cases[i][1]))
            fail_msg("%s: %s (%s)", cases[i][0], failure.text, failure.hint);
        arena_destroy(arena);
    }
}

/* Shipped ones are of models that there are. */
TEST(shipped_errors_are_of_models)
{
    struct arena *arena = arena_create();
    struct model_errors *e;
    check_ok(model_errors_find(arena, "network", &e, &failure));
    assert_non_null(e);
    struct model_error_moments moments = model_error_moments(e);
    assert_true(e->n_groups >= 10 && e->count >= 500);
    assert_true(fabs(moments.mean) < 0.5 && moments.between < 0.5 && moments.within < 0.5);
    check_ok(model_errors_find(arena, "eab", &e, &failure));
    assert_null(e);
    arena_destroy(arena);
}
