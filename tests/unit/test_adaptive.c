/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adaptive sweeps: ranking and front of the whole sweep, networks left out, the same ones for any
 * number of threads, workload by workload; where it does not apply, it says why. */
#include "check.h"

#include "explore/sweep/sweep.h"

static const char point_text[] = "profile: hand\n"
                                 "points:\n"
                                 "  - {name: one, r_local: 0.7, bytes: 3000000,\n"
                                 "     llc_hit: {memory-side: 0.8, sm-side: 0.5},\n"
                                 "     lsu: {memory-side: 0.9, sm-side: 1.0}}\n"
                                 "  - {name: two, r_local: 0.2, bytes: 1000000,\n"
                                 "     llc_hit: {memory-side: 0.3, sm-side: 0.6},\n"
                                 "     lsu: {memory-side: 0.6, sm-side: 0.7}}\n";

SET_UP
{
    check_own_cache();
    check_file("hand.yaml", point_text);
}

static struct sweep *run_text(const char *text, bool adaptive, int threads, struct space **space)
{
    struct sweep *sweep;
    check_ok(space_load(check_file("space.yaml", text), space, &failure));
    check_ok(sweep_open(*space, threads, &sweep, &failure));
    sweep->adaptive = adaptive;
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    return sweep;
}

/* 1430 points, or, where each costs much, 270. */
static const char *axes(void)
{
    return check_slowness() > 1
               ? "axes:\n"
                 "  inter.link_bandwidth: {from: 10 GB/s, to: 900 GB/s, points: 9}\n"
                 "  llc.organisation: [memory-side, sm-side]\n"
                 "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 5}\n"
                 "  noc.bandwidth: [1 TB/s, 2 TB/s, 12 TB/s]\n"
               : "axes:\n"
                 "  inter.link_bandwidth: {from: 10 GB/s, to: 900 GB/s, points: 13}\n"
                 "  llc.organisation: [memory-side, sm-side]\n"
                 "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 11}\n"
                 "  noc.bandwidth: [1 TB/s, 2 TB/s, 4 TB/s, 8 TB/s, 12 TB/s]\n";
}

/* By network, over the axes above; of the profile above where `workloads` is NULL. */
static struct sweep *run(const char *workloads, const char *body, bool adaptive, int threads,
                         struct space **space)
{
    struct text text = {0};
    text_append(&text, "space: t\nmachine: sac\nmodels: [network]\nworkloads: ");
    if (workloads)
        text_append(&text, workloads);
    else
        text_printf(&text, "[\"%s/hand.yaml\"]", check_folder());
    text_printf(&text, "\n%s%s", axes(), body);
    struct sweep *sweep = run_text(text.data, adaptive, threads, space);
    text_free(&text);
    return sweep;
}

static void check_same_ids(const struct sweep_ids *a, const struct sweep_ids *b)
{
    assert_true(a->count > 0);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->items, b->items, a->count * sizeof *a->items);
}

/* An answer and what it costs; time; boxes; a mean made by the user; conditions that need no
 * network; the same front twice, by ties. */
TEST(ranking_and_front_are_those_of_all)
{
    static const char *const bodies[] = {
        "objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]\n"
        "rank: {by: effective_bandwidth, top: 7}\n",
        "let: {cost: \"inter.link_bandwidth + memory.bandwidth\"}\n"
        "where: [\"cost < 1500 GB/s\", \"noc.bandwidth > 1 TB/s\"]\n"
        "objectives: [{minimise: kernel_time}, {minimise: cost}, {minimise: noc.bandwidth}]\n"
        "rank: {by: kernel_time, top: 12}\n",
        "let: {worth: \"effective_bandwidth / (inter.link_bandwidth + 4*memory.bandwidth)\"}\n"
        "objectives: [{maximise: worth}, {maximise: effective_bandwidth}]\n"
        "rank: {by: worth, top: 1}\n",
    };
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *whole = run(NULL, bodies[b], false, 2, &space);
        uint64_t evaluated = 0;
        for (int threads = 1; threads <= 5; threads += 2) {
            OWNED(space) *again = NULL;
            OWNED(sweep) *some = run(NULL, bodies[b], true, threads, &again);
            check_same_ids(&whole->ranking, &some->ranking);
            check_same_ids(&whole->front, &some->front);
            assert_int_equal(some->evaluated + some->skipped, whole->kept);
            assert_true(some->skipped > some->points / 10);
            if (threads > 1)
                assert_int_equal(some->evaluated, evaluated);
            evaluated = some->evaluated;
        }
    }
}

/* What a few points of the better machine reach is known before the worse one is gone through, so
 * that no point of this is solved; the worse one stands first. */
TEST(machines_behind_another_are_not_solved)
{
    static const char text[] = "space: t\nmachine: sac\nmodels: [network]\n"
                               "workloads: [\"%s/hand.yaml\"]\n"
                               "axes:\n"
                               "  inter.link_bandwidth: {from: 10 GB/s, to: 900 GB/s, points: 32}\n"
                               "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 16}\n"
                               "  chips: [%s]\n"
                               "objectives: [{maximise: effective_bandwidth}]\n"
                               "rank: {by: effective_bandwidth, top: 5}\n";
    uint64_t evaluated[2];
    struct text spaces[2] = {{0}, {0}};
    for (int both = 0; both < 2; both++) {
        text_printf(&spaces[both], text, check_folder(), both ? "2, 4" : "4");
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = run_text(spaces[both].data, true, 1, &space);
        assert_int_equal(sweep->evaluated + sweep->skipped, sweep->points);
        assert_int_equal(sweep->points, both ? 1024 : 512);
        evaluated[both] = sweep->evaluated;
    }
    assert_true(evaluated[0] > 0 && evaluated[1] <= evaluated[0]);
    OWNED(space) *space = NULL;
    OWNED(space) *again = NULL;
    OWNED(sweep) *whole = run_text(spaces[1].data, false, 1, &space);
    OWNED(sweep) *some = run_text(spaces[1].data, true, 3, &again);
    check_same_ids(&whole->ranking, &some->ranking);
    check_same_ids(&whole->front, &some->front);
    text_free(&spaces[0]);
    text_free(&spaces[1]);
}

/* --- many workloads ------------------------------------------------------------------------ */

enum { WORKLOADS = 5 };

static double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * check_uniform(seed);
}

/* So many profiles by hand, of one to three launches each. */
static void random_profiles(uint64_t *seed, size_t n, struct text *names)
{
    for (size_t w = 0; w < n; w++) {
        char file[32];
        struct text text = {0};
        text_printf(&text, "profile: w%zu\npoints:\n", w);
        for (uint64_t k = 0, launches = 1 + check_random(seed) % 3; k < launches; k++)
            text_printf(&text,
                        "  - {name: k%d, r_local: %.3f, bytes: %.0f,\n"
                        "     llc_hit: {memory-side: %.3f, sm-side: %.3f},\n"
                        "     lsu: {memory-side: %.3f, sm-side: %.3f}}\n",
                        (int)k, check_uniform(seed), between(seed, 1e4, 1e7), check_uniform(seed),
                        check_uniform(seed), between(seed, 0.2, 1), between(seed, 0.2, 1));
        snprintf(file, sizeof file, "w%zu.yaml", w);
        text_printf(names, "%s\"%s\"", w ? ", " : "", check_file(file, text.data));
        text_free(&text);
    }
}

/* `from` to ten times as much and more, sometimes with steps that change nothing: ties. */
static void random_axis(uint64_t *seed, const char *name, double from, const char *unit,
                        struct text *out)
{
    bool stands = check_random(seed) % 3 == 0;
    text_printf(out, "  %s: {values: [", name);
    for (uint64_t k = 0, n = 2 + check_random(seed) % 5; k < n; k++)
        text_printf(out, "%s%.6g", k ? ", " : "",
                    from * pow(10, stands ? 2 + 0.5 * (double)k : 0.3 * (double)k));
    text_printf(out, "], unit: %s}\n", unit);
}

static void random_space(uint64_t *seed, size_t workloads, struct text *out)
{
    static const char *const means[] = {"harmonic-mean", "geometric-mean", "arithmetic-mean"};
    static const char *const lets[] = {"min(effective_bandwidth@w0, 2*effective_bandwidth@w1)",
                                       "effective_bandwidth / (cost + 1 TB/s)",
                                       "max(kernel_time@w1, kernel_time) * (cost + 1 GB/s)",
                                       /* one text: */
                                       ("if(inter.link_bandwidth > 50 GB/s, 2*kernel_time, "
                                        "kernel_time@w1)"),
                                       "sqrt(effective_bandwidth@geometric-mean / cost)"};
    static const bool more_is_better[] = {true, true, false, false, true};
    static const char *const ranks[] = {"effective_bandwidth", "kernel_time", "worth",
                                        "steady_bandwidth", "speedup"};
    uint64_t let = check_random(seed) % 5, rank = check_random(seed) % 5;
    text_printf(out, "space: t\nmachine: sac\nmodels: [network]\nworkloads: [");
    random_profiles(seed, workloads, out);
    text_printf(out, "]\n%saxes:\n", rank == 4 ? "speedup_vs: memory-side\n" : "");
    random_axis(seed, "inter.link_bandwidth", 20, "GB/s", out);
    text_append(out, "  llc.organisation: [memory-side, sm-side]\n");
    random_axis(seed, "memory.bandwidth", 60, "GB/s", out);
    random_axis(seed, "noc.bandwidth", 900, "GB/s", out);
    text_printf(out, "let:\n  cost: \"inter.link_bandwidth + memory.bandwidth/%d\"\n",
                1 + (int)let);
    text_printf(out, "  worth: \"%s\"\n", lets[let]);
    if (check_random(seed) % 2)
        text_append(out, "where: [\"noc.bandwidth > 1 TB/s\"]\n");
    bool most = rank == 2 ? more_is_better[let] : rank != 1;
    text_printf(out, "objectives: [{%s: %s%s}", most ? "maximise" : "minimise", ranks[rank],
                check_random(seed) % 3 ? "" : ", tolerance: 2%");
    if (check_random(seed) % 2) /* a front of many keeps more than the ranking does */
        text_printf(out, ", {minimise: cost}%s",
                    check_random(seed) % 2 ? ", {maximise: effective_bandwidth@w0}" : "");
    text_append(out, "]\n");
    text_printf(out, "rank: {by: %s, aggregate: %s, top: %d}\n", ranks[rank],
                means[check_random(seed) % 3], 1 + (int)(check_random(seed) % 20));
}

/* Means of all kinds, extremes, quotients, ties, boxes: of any space what is found is what all
 * points say, and no number of threads, and no share, makes another. */
TEST(random_spaces)
{
    uint64_t seed = 51, skipped = 0, lazy = 0;
    int refused = 0, rounds = check_rounds(60, 600);
    for (int round = 0; round < rounds; round++) {
        struct text body = {0};
        size_t workloads = 2 + check_random(&seed) % (WORKLOADS - 1);
        uint64_t evaluated = 0, answered = 0;
        random_space(&seed, workloads, &body);
        OWNED(space) *space = NULL;
        OWNED(sweep) *whole = run_text(body.data, false, 1, &space);
        for (int threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3) {
            OWNED(space) *again = NULL;
            OWNED(sweep) *some = run_text(body.data, true, threads, &again);
            check_same_ids(&whole->ranking, &some->ranking);
            check_same_ids(&whole->front, &some->front);
            if (some->evaluated == 0) { /* an end that nobody knows, and a warning that says so */
                assert_int_equal(some->kept, whole->kept);
                assert_true(some->warnings.count > 0);
                refused++;
                break;
            }
            assert_int_equal(some->evaluated + some->skipped, whole->kept);
            assert_true(some->answered >= some->evaluated);
            if (threads > 1) {
                assert_int_equal(some->evaluated, evaluated);
                assert_int_equal(some->answered, answered);
            }
            evaluated = some->evaluated;
            answered = some->answered;
            skipped += some->skipped;
            lazy += some->answered > some->evaluated * workloads;
        }
        text_free(&body);
    }
    assert_true(skipped > 0 && refused < rounds);
    if (check_slowness() == 1) /* sanitizers see a few of them */
        assert_true(lazy > 0 && refused < rounds / 3);
}

/* As profiled, where the busiest SM's warps take time, which quick ends know nothing of. */
TEST(profiled_workloads)
{
    static const char workloads[] =
        "[\"gemm:input=small\", \"srad:input=small\", \"bfs:input=small\"]";
    static const char body[] =
        "objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]\n"
        "rank: {by: effective_bandwidth, top: 5}\n";
    OWNED(space) *space = NULL;
    OWNED(sweep) *whole = run(workloads, body, false, 2, &space);
    OWNED(space) *again = NULL;
    OWNED(sweep) *some = run(workloads, body, true, 2, &again);
    check_same_ids(&whole->ranking, &some->ranking);
    check_same_ids(&whole->front, &some->front);
    assert_true(some->skipped > some->points / 10);
}

/* Nothing is known of how fast a half would be, nor of what a condition on the answer leaves. */
TEST(where_it_does_not_apply)
{
    static const struct {
        const char *body, *why;
    } cases[] = {
        {"rank: {by: memory_x2}\n", "nobody knows how large memory_x2 could be"},
        {"where: [\"effective_bandwidth > 500 GB/s\"]\nrank: {by: effective_bandwidth}\n",
         "asks for the solution of all"},
        {"let: {cost: \"inter.link_bandwidth + memory.bandwidth + noc.bandwidth\"}\n"
         "objectives: [{minimise: cost}]\nrank: {by: cost}\n",
         "nothing that is asked needs a network"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(space) *space = NULL;
        OWNED(space) *again = NULL;
        OWNED(sweep) *whole = run(NULL, cases[i].body, false, 1, &space);
        OWNED(sweep) *some = run(NULL, cases[i].body, true, 1, &again);
        bool said = false;
        for (size_t w = 0; w < some->warnings.count; w++)
            said = said || strstr(some->warnings.items[w].text, cases[i].why);
        if (!said)
            fail_msg("not said: %s", cases[i].why);
        check_same_ids(&whole->ranking, &some->ranking);
        assert_int_equal(some->kept, whole->kept);
        assert_int_equal(some->skipped, 0);
    }
}
