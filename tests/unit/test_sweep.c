/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spaces and sweeps: what is refused and where; every point of small spaces
 * against single answers; ranking and front against naive ones; the same result
 * for any number of threads. */
#include "check.h"

#include <unistd.h>

#include "core/key_table.h"
#include "explore/answer/answer.h"
#include "explore/sweep/sweep.h"
#include "workload/workload.h"

static const char point_text[] = "profile: hand\n"
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
                                 "    lsu: {memory-side: 0.6, sm-side: 0.7}\n";

SET_UP
{
    check_own_cache();
    check_file("hand.yaml", point_text);
}

/* A space over the hand-made profile, its body given. */
static int try_space(const char *body, struct space **out, struct error *error)
{
    struct text text = {0};
    text_printf(&text, "space: t\nmachine: sac\nworkloads: [\"%s/hand.yaml\"]\n%s", check_folder(),
                body);
    int status = space_load(check_file("space.yaml", text.data), out, error);
    text_free(&text);
    return status;
}

static struct sweep *run(const char *body, int threads, struct space **space)
{
    struct sweep *sweep;
    check_ok(try_space(body, space, &failure));
    check_ok(sweep_open(*space, threads, &sweep, &failure));
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    return sweep;
}

TEST(bad_spaces_are_refused_with_a_place)
{
    static const struct {
        const char *body, *words;
        long line;
    } cases[] = {
        {"axs: {}", "did you mean \"axes\"", 4},
        {"axes: {llc.capcity: [1 MiB]}", "did you mean \"llc.capacity\"", 4},
        {"axes: {llc.capacity: [1, 2]}", "unit is missing", 4},
        {"axes: {llc.capacity: 4 MiB}", "expected a list", 4},
        {"axes: {llc.capacity: []}", "no values", 4},
        {"axes: {llc.capacity: {values: [1, x], unit: MiB}}", "expected a number", 4},
        {"axes: {llc.capacity: {from: 1 MiB, to: 2 GB/s, points: 3}}", "different units", 4},
        {"axes: {llc.capacity: {from: 1 MiB, to: 2 MiB}}", "\"points\" is missing", 4},
        {"axes: {llc.capacity: {from: 0 B, to: 2 MiB, points: 3, scale: log2}}", "positive", 4},
        {"axes: {llc.capacity: {from: 1 MiB, to: 2 MiB, points: 3, scale: cubic}}", "unknown scale",
         4},
        {"axes: {chips: [0]}", "out of range", 4},
        {"axes: {llc.organisation: [sm-sied]}", "did you mean \"sm-side\"", 4},
        {"axes:\n  mem: {a: {memory.bandwidth: 1 TB/s}, b: {memory.latency: 1 ns}}",
         "same parameters", 5},
        {"axes:\n  mem: {a: {memory.bandwidth: 1 TB/s}}\n  memory.bandwidth: [2 TB/s]", "both vary",
         6},
        {"axes: {memory.bandwidth: [1 TB/s]}\nwhere: [\"memory.bandwidth <=\"]", "ends too early",
         5},
        {"axes: {memory.bandwidth: [1 TB/s]}\nwhere: \"1 < 2\"", "expected a list", 5},
        {"axes: {memory.bandwidth: [1 TB/s]}\nmodels: [eba]", "did you mean \"eab\"", 5},
        {"axes: {memory.bandwidth: [1 TB/s]}\nobjectives: [{best: x}]", "maximise or minimise", 5},
        {"axes: {memory.bandwidth: [1 TB/s]}\nrank: {top: 0}", "whole number from 1", 5},
        {"axes: {memory.bandwidth: [1 TB/s]}\nrank: {aggregate: mean}", "unknown mean", 5},
        {"axes: {l1.capacity: [64 KiB, 128 KiB]}", "rank by kernel_time", 1},
        {"axes: {l1.capacity: [64 KiB, 128 KiB]}\nlet: {b: \"effective_bandwidth / 2\"}\nrank: "
         "{by: "
         "b}",
         "rank by kernel_time", 6},
        {"axes: {memory.bandwidth: {from: 1 /cycle, to: 4 /cycle, points: 2}}", "another unit", 4},
        {"axes: {memory.bandwidth: [500 B/cycle, 0 B/cycle]}", "out of range", 4},
        {"axes: {llc.organisation: {from: 0, to: 0, points: 1}}", "takes names", 4},
        {"axes: {machine: {from: 1, to: 2, points: 2}}", "list of machines", 4},
        {"axes: {memory.bandwidth: {from: 1 TB/s, to: 2 TB/s, points: 1}}", "at least 2", 4},
        {"axes: {memory.bandwidth: [1 TB/s]}\nlet: {effective_bandwidth: \"1 TB/s\"}", "already",
         5},
        {"axes: {memory.bandwidth: [1 TB/s]}\nlet: {chips: \"4\"}", "already", 5},
        {"axes: {memory.bandwidth: [1 TB/s]}\nset: {memory.bandwidth: \"2 TB/s\"}",
         "varied by axis", 5},
        {"axes: {memory.bandwidth: [1 TB/s]}\ndesign: latin", "cross or one-at-a-time", 5},
        {"axes: {memory.bandwidth: [1 TB/s]}\nplots: [{kind: pie}]", "unknown plot", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct space *space;
        check_error(try_space(cases[i].body, &space, &failure), STATUS_INPUT, cases[i].words);
        if (failure.line != cases[i].line)
            fail_msg("\"%s\": line %ld, expected %ld", cases[i].body, failure.line, cases[i].line);
        assert_null(space);
    }
}

/* Errors that need the models: units, unknown names, axes without effect. */
TEST(bad_sweeps_are_refused_with_a_place)
{
    static const struct {
        const char *body, *words;
    } cases[] = {
        {"axes: {memory.bandwidth: [1 TB/s]}\nwhere: [\"memory.bandwidth <= 3\"]", "units differ"},
        {"axes: {memory.bandwidth: [1 TB/s]}\nwhere: [\"memry.bandwidth <= 3 TB/s\"]",
         "did you mean \"memory.bandwidth\""},
        {"axes: {memory.bandwidth: [1 TB/s]}\nobjectives: [{maximise: speed}]",
         "no parameter, metric or let name"},
        {"axes: {memory.bandwidth: [1 TB/s]}\nlet: {a: \"b + 1\"}", "\"b\""},
        {"axes: {memory.bandwidth: [1 TB/s]}\nset: {inter.link_bandwidth: \"3 MiB\"}",
         "another unit"},
        {"axes: {memory.bandwidth: [1 TB/s]}\nset: {inter.topology: \"3\"}", "is a name"},
        {"axes: {memory.bandwidth: [1 TB/s]}\nset: {noc.bandwidth: \"llc.bandwidth\", "
         "llc.bandwidth: \"3 TB/s\"}",
         "set below"},
        {"axes: {memory.bandwidth: [1 TB/s]}\nwhere: [\"memory.bandwidth\"]", "not a condition"},
        {"axes: {memory.latency: [1 ns, 2 ns]}", "plain numbers"},
        {"axes: {llc.capacity: [1 MiB, 2 MiB]}", "plain numbers"},
        {"axes: {page.size: [4 KiB, 64 KiB]}", "plain numbers"},
        {"axes: {llc.capacity: [1 MiB, 2 MiB]}\nobjectives: [{maximise: effective_bandwidth}, "
         "{minimise: llc.capacity}]",
         "plain numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = NULL;
        check_ok(try_space(cases[i].body, &space, &failure));
        check_ok(sweep_open(space, 1, &sweep, &failure));
        int status = sweep_prepare(sweep, NULL, NULL, &failure);
        if (!status)
            status = sweep_run(sweep, &failure);
        if (!status)
            fail_msg("\"%s\" is accepted", cases[i].body);
        check_error(status, STATUS_INPUT, cases[i].words);
        assert_true(failure.line >= 4);
    }
}

/* --- every point against a single answer ------------------------------------------ */

static size_t column(const struct sweep *sweep, const char *name)
{
    size_t c;
    check_ok(sweep_column_find(sweep, name, &c, &failure));
    return c;
}

static double single(const struct sweep *sweep, const char *const *settings, const char *model,
                     const char *metric)
{
    struct answer *answer;
    const struct profile_view *view;
    OWNED(machine) *m = check_shipped("sac", NULL);
    for (; *settings; settings += 2)
        check_set(m, settings[0], settings[1]);
    check_ok(subject_view(sweep->subjects.items[0], m, &view, &failure));
    answer = check_answer(model, m, view);
    double value = answer_metric(answer, metric);
    answer_destroy(answer);
    return value;
}

static const char full_body[] =
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
    "rank: {by: eab.effective_bandwidth, top: 11}\n";

/* Rows are kept as long as there is room for all that are asked for: then they are the same ones.
 */
TEST(rows_are_kept_in_bounds)
{
    enum { MANY = SWEEP_ROWS_KEPT + 1 };
    struct space *space;
    struct sweep *sweep = run(full_body, 1, &space);
    struct arena *arena = arena_create();
    struct sweep_row *rows, *again;
    uint64_t *ids = arena_alloc(arena, MANY * sizeof *ids);
    for (size_t i = 0; i < MANY; i++)
        ids[i] = i % sweep->points;
    check_ok(sweep_rows(sweep, ids, MANY, arena, &rows, &failure));
    assert_int_equal(sweep->rows->used, 0);
    check_ok(sweep_rows(sweep, ids, sweep->points, arena, &rows, &failure));
    assert_int_equal(sweep->rows->used, sweep->points);
    check_ok(sweep_rows(sweep, ids, sweep->points, arena, &again, &failure));
    for (size_t i = 0; i < sweep->points; i++) {
        assert_int_equal(again[i].id, i);
        assert_ptr_equal(again[i].values, rows[i].values);
    }
    arena_destroy(arena);
    sweep_destroy(sweep);
    space_destroy(space);
}

/* Brief rows lack what takes a network of its own, and nothing else, whoever asked before. */
TEST(brief_rows_lack_what_nobody_asks_for)
{
    static const char body[] = "models: [network]\n"
                               "axes: {inter.link_bandwidth: [96 GB/s, 192 GB/s]}\n"
                               "let: {more: \"memory_x2 / effective_bandwidth\"}\n"
                               "rank: {by: effective_bandwidth}\n";
    uint64_t ids[] = {0, 1};
    struct space *space;
    struct sweep *sweep = run(body, 1, &space);
    struct arena *arena = arena_create();
    struct sweep_row *brief, *rows, *again;
    check_ok(sweep_rows_brief(sweep, ids, 2, arena, &brief, &failure));
    check_ok(sweep_rows(sweep, ids, 2, arena, &rows, &failure));
    check_ok(sweep_rows_brief(sweep, ids, 2, arena, &again, &failure));
    size_t lacking = 0;
    for (int i = 0; i < 2; i++)
        for (size_t c = 0; c < sweep->n_columns; c++) {
            const char *name = sweep->columns[c].name, *end = strstr(name, "_x2");
            bool lacks = end && strcmp(name, "memory_x2") != 0; /* the space lets it */
            lacking += lacks;
            assert_true(isnan(brief[i].values[c]) ==
                        (lacks || isnan(rows[i].values[c]) || sweep->columns[c].text));
            assert_true(!lacks || rows[i].values[c] > 0);
            assert_true(lacks || isnan(rows[i].values[c]) ||
                        brief[i].values[c] == rows[i].values[c]);
            assert_true(isnan(again[i].values[c]) == isnan(brief[i].values[c]));
        }
    assert_true(lacking > 2);
    arena_destroy(arena);
    sweep_destroy(sweep);
    space_destroy(space);
}

TEST(every_point_equals_a_single_answer)
{
    static const char *const llc[] = {"1 TB/s", "4 TB/s", "9 TB/s"};
    static const char *const noc[] = {"1.25 TB/s", "5 TB/s", "11.25 TB/s"};
    static const char *const organisation[] = {"memory-side", "sm-side", "sac"};
    static const char *const memory[] = {"100 GB/s", "900 GB/s"}, *const label[] = {"slow", "fast"};
    static const char *const link[] = {"16 GB/s",  "32 GB/s",  "64 GB/s",  "128 GB/s",
                                       "256 GB/s", "512 GB/s", "1024 GB/s"};
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run(full_body, 1, &space);
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    uint64_t ids[126];
    assert_int_equal(sweep->points, 126);
    for (uint64_t i = 0; i < 126; i++)
        ids[i] = i;
    check_ok(sweep_rows(sweep, ids, 126, arena, &rows, &failure));
    size_t eab = column(sweep, "eab.effective_bandwidth");
    size_t mix = column(sweep, "bottleneck.effective_bandwidth");
    size_t links = column(sweep, "inter.link_bandwidth"), name = column(sweep, "memory");
    size_t n_kept = 0;
    for (int i = 0; i < 126; i++) { /* last axis fastest */
        int l = i / 42, o = i / 14 % 3, m = i / 7 % 2, k = i % 7;
        const char *settings[] = {"llc.bandwidth",
                                  llc[l],
                                  "noc.bandwidth",
                                  noc[l],
                                  "llc.organisation",
                                  organisation[o],
                                  "memory.bandwidth",
                                  memory[m],
                                  "inter.link_bandwidth",
                                  link[k],
                                  NULL};
        check_relative(rows[i].values[eab], single(sweep, settings, "eab", "effective_bandwidth"),
                       1e-15);
        check_relative(rows[i].values[mix],
                       single(sweep, settings, "bottleneck", "effective_bandwidth"), 1e-15);
        check_relative(rows[i].values[links], 16e9 * (1 << k), 1e-12);
        assert_string_equal(rows[i].labels[name], label[m]);
        double cost = 4 * (m ? 900 : 100) + 8 * 16.0 * (1 << k) / 2;
        check_relative(rows[i].values[column(sweep, "cost")], cost, 1e-12);
        assert_int_equal(rows[i].kept, k < 6 && cost < 7000);
        n_kept += rows[i].kept;
    }
    assert_int_equal(sweep->kept, n_kept);
    assert_int_equal(sweep->reasons.count, 1); /* the second clause rejects nothing more */
    assert_int_equal(sweep->reasons.items[0].count, 18);
    arena_destroy(arena);
}

/* Ranking and front of any sweep against sorting and comparing all its rows. */
static void check_against_all_rows(const struct sweep *sweep, size_t rank, size_t cost)
{
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    uint64_t *ids = arena_alloc(arena, sweep->points * sizeof *ids);
    for (uint64_t i = 0; i < sweep->points; i++)
        ids[i] = i;
    check_ok(sweep_rows(sweep, ids, sweep->points, arena, &rows, &failure));
    bool *used = arena_alloc(arena, sweep->points);
    for (size_t r = 0; r < sweep->ranking.count; r++) {
        uint64_t best = UINT64_MAX;
        for (uint64_t i = 0; i < sweep->points; i++)
            if (!used[i] && rows[i].kept &&
                (best == UINT64_MAX || rows[i].values[rank] > rows[best].values[rank]))
                best = i;
        assert_int_equal(sweep->ranking.items[r], best);
        used[best] = true;
    }
    size_t front = 0;
    for (uint64_t i = 0; i < sweep->points; i++) {
        bool dominated = !rows[i].kept;
        double x = rows[i].values[rank], y = rows[i].values[cost];
        for (uint64_t k = 0; k < sweep->points && !dominated; k++) {
            double a = rows[k].values[rank], b = rows[k].values[cost];
            dominated = rows[k].kept && k != i && a >= x && b <= y &&
                        (a > x || b < y || k < i); /* of equal points the first stays */
        }
        if (!dominated) {
            assert_true(front < sweep->front.count);
            assert_int_equal(sweep->front.items[front++], i);
        }
    }
    assert_int_equal(front, sweep->front.count);
    arena_destroy(arena);
}

TEST(ranking_and_front_equal_naive_ones)
{
    /* An axis longer than a block, one that is chunked, structural ones in the middle. */
    static const char *const bodies[] = {
        full_body,
        "axes:\n"
        "  llc.organisation: [memory-side, sm-side]\n"
        "  inter.link_bandwidth: {from: 10 GB/s, to: 900 GB/s, points: 1500}\n"
        "objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]\n",
        "axes:\n"
        "  inter.link_bandwidth: {from: 10 GB/s, to: 900 GB/s, points: 23}\n"
        "  llc.organisation: [memory-side, sm-side, sac]\n"
        "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 11}\n"
        "  noc.bandwidth: [1 TB/s, 2 TB/s, 3 TB/s, 5 TB/s]\n"
        "let: {cost: \"inter.link_bandwidth + memory.bandwidth\"}\n"
        "objectives: [{maximise: effective_bandwidth}, {minimise: cost}]\n",
        "axes:\n"
        "  inter.link_bandwidth: {from: 10 GB/s, to: 900 GB/s, points: 3}\n"
        "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 700}\n"
        "  inter.topology: [ring, switch]\n"
        "  llc.bandwidth: [3 TB/s, 1 TB/s]\n"
        "where: [\"memory.bandwidth > 60 GB/s or llc.bandwidth > 2 TB/s\"]\n"
        "objectives: [{maximise: effective_bandwidth}, {minimise: memory.bandwidth}]\n"};
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = run(bodies[b], 1, &space);
        check_against_all_rows(sweep, column(sweep, space->rank_by),
                               column(sweep, space->objectives[1].name));
        for (int threads = 2; threads <= 5; threads++) {
            OWNED(space) *again = NULL;
            OWNED(sweep) *other = run(bodies[b], threads, &again);
            assert_int_equal(other->kept, sweep->kept);
            assert_int_equal(other->ranking.count, sweep->ranking.count);
            assert_int_equal(other->front.count, sweep->front.count);
            assert_memory_equal(other->ranking.items, sweep->ranking.items,
                                sweep->ranking.count * sizeof *sweep->ranking.items);
            assert_memory_equal(other->front.items, sweep->front.items,
                                sweep->front.count * sizeof *sweep->front.items);
        }
    }
}

TEST(one_axis_at_a_time)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("design: one-at-a-time\n"
                              "axes:\n"
                              "  inter.link_bandwidth: [48 GB/s, 768 GB/s]\n"
                              "  llc.organisation: [sm-side]\n"
                              "  memory: {slow: {memory.bandwidth: 100 GB/s}}\n"
                              "rank: {top: 100}\n",
                              2, &space);
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    static const uint64_t ids[] = {0, 1, 2, 3, 4};
    static const struct {
        double link;
        const char *organisation, *memory;
    } want[] = {{96e9, "memory-side", "base"},
                {48e9, "memory-side", "base"},
                {768e9, "memory-side", "base"},
                {96e9, "sm-side", "base"},
                {96e9, "memory-side", "slow"}};
    assert_int_equal(sweep->points, 5);
    assert_int_equal(sweep->ranking.count, 5);
    check_ok(sweep_rows(sweep, ids, 5, arena, &rows, &failure));
    for (int i = 0; i < 5; i++) {
        check_relative(rows[i].values[column(sweep, "inter.link_bandwidth")], want[i].link, 0);
        assert_string_equal(rows[i].labels[column(sweep, "llc.organisation")],
                            want[i].organisation);
        assert_string_equal(rows[i].labels[column(sweep, "memory")], want[i].memory);
    }
    arena_destroy(arena);
}

TEST(means_over_workloads)
{
    static const struct {
        const char *name;
        double value;
    } cases[] = {{"harmonic-mean", 2 / (1 / 3.5e12 + 1 / 8e12)},
                 {"geometric-mean", 0},
                 {"arithmetic-mean", 5.75e12}};
    /* R = 1, h = .5, LSU = .25: 16*.25*.5 + 1.75 = 3.75; chosen to give 3.5 and 8. */
    check_file("a.yaml",
               "profile: a\npoint: {r_local: 1, bytes: 1 MB, llc_hit: {memory-side: 0.4375}, "
               "lsu: {memory-side: 0.25}}\n");
    check_file("b.yaml",
               "profile: b\npoint: {r_local: 1, bytes: 1 MB, llc_hit: {memory-side: 0.84375}, "
               "lsu: {memory-side: 0.5}}\n");
    for (size_t i = 0; i < 3; i++) {
        struct text text = {0};
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = NULL;
        struct arena *arena = arena_create();
        struct sweep_row *rows;
        static const uint64_t id = 0;
        text_printf(&text,
                    "space: t\nmachine: sac\nworkloads: [\"%s/a.yaml\", \"%s/b.yaml\"]\n"
                    "axes: {memory.bandwidth: [437.5 GB/s]}\nrank: {aggregate: %s}\n",
                    check_folder(), check_folder(), cases[i].name);
        check_ok(space_load(check_file("s.yaml", text.data), &space, &failure));
        check_ok(sweep_open(space, 1, &sweep, &failure));
        check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
        check_ok(sweep_run(sweep, &failure));
        check_ok(sweep_rows(sweep, &id, 1, arena, &rows, &failure));
        check_relative(rows[0].values[column(sweep, "effective_bandwidth@a")], 3.5e12, 1e-12);
        check_relative(rows[0].values[column(sweep, "effective_bandwidth@b")], 8e12, 1e-12);
        double want = i == 1 ? sqrt(3.5e12 * 8e12) : cases[i].value;
        check_relative(rows[0].values[column(sweep, "effective_bandwidth")], want, 1e-12);
        check_relative(rows[0].values[column(sweep, "kernel_time")], 1e6 / 3.5e12 + 1e6 / 8e12,
                       1e-12);
        arena_destroy(arena);
        text_free(&text);
    }
}

/* A workload that is profiled: structural axes make views, capacity is free. */
/* Points that cannot be are counted, each with its reason; the others stay. */
TEST(impossible_points_are_counted)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("axes:\n"
                              "  inter.topology: [ring, edges]\n"
                              "  memory.bandwidth: [100 GB/s, 200 GB/s, 300 GB/s]\n"
                              "set: {inter.link_bandwidth: \"memory.bandwidth - 200 GB/s\"}\n",
                              2, &space);
    assert_int_equal(sweep->points, 6);
    assert_int_equal(sweep->kept, 1); /* -100 and 0 GB/s are out of range; no edges are listed */
    assert_int_equal(sweep->ranking.count, 1);
    assert_int_equal(sweep->ranking.items[0], 2);
    assert_int_equal(sweep->reasons.count, 2);
    assert_int_equal(sweep->reasons.items[0].count, 3);
    assert_non_null(strstr(sweep->reasons.items[1].text, "out of its range"));
    assert_int_equal(sweep->reasons.items[1].count, 2);
}

/* A curve axis below one set of the LLC is counted, wherever it stands. */
TEST(too_small_caches_are_counted)
{
    static const char *const values[] = {"1 KiB, 1 MiB", "1 MiB, 1 KiB"};
    for (int i = 0; i < 2; i++) {
        struct text text = {0};
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = NULL;
        text_printf(&text,
                    "space: t\nmachine: sac\nworkloads: [\"gemm:ni=32,nj=32,nk=32\"]\n"
                    "axes: {llc.capacity: [%s]}\n",
                    values[i]);
        check_ok(space_load(check_file("c.yaml", text.data), &space, &failure));
        check_ok(sweep_open(space, 1, &sweep, &failure));
        check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
        check_ok(sweep_run(sweep, &failure));
        assert_int_equal(sweep->kept, 1);
        assert_int_equal(sweep->ranking.items[0], i == 0);
        assert_int_equal(sweep->reasons.items[0].count, 1);
        text_free(&text);
    }
}

TEST(switches_can_be_axes)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("axes: {eab.hop_aware: [0, 1]}\n", 1, &space);
    assert_int_equal(sweep->kept, 2);
    assert_int_equal(sweep->ranking.items[0], 0); /* hops cost bandwidth */
}

TEST(structural_axes_make_views)
{
    static const char text[] = "space: t\nmachine: sac\nworkloads: [\"gemm:ni=32,nj=32,nk=32\"]\n"
                               "axes:\n"
                               "  chips: [1, 2, 4]\n"
                               "  llc.capacity: [128 KiB, 1 MiB]\n"
                               "  llc.organisation: [memory-side, sac]\n"
                               "set: {sm.per_chip: \"16 / chips\"}\n";
    for (int again = 0; again < 2; again++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = NULL;
        size_t c;
        check_ok(space_load(check_file("g.yaml", text), &space, &failure));
        check_ok(sweep_open(space, 2, &sweep, &failure));
        check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
        check_ok(sweep_run(sweep, &failure));
        assert_int_equal(sweep->points, 12);
        assert_int_equal(sweep->kept, 12);
        assert_int_equal(sweep->subjects.items[0]->made.count, 3); /* one view a number of chips */
        check_ok(sweep_column_find(sweep, "llc.capacity", &c, &failure));
    }
}

TEST(bad_sizes_are_refused)
{
    static const struct {
        const char *axis, *words;
    } bad[] = {
        {"axes: {workload.size: [x1, 2x]}\n", "got \"2x\""},
        {"axes: {workload.size: [x0]}\n", "got \"x0\""},
        {"axes: {workload.size: [x1/0]}\n", "got \"x1/0\""},
        {"axes: {workload.size: [x-1]}\n", "axis workload.size: size: expected a factor"},
        {"axes: {workload.size: [x1, x2000]}\n", "axis workload.size: size: expected x1/1024 to"},
        {"axes: {workload.size: [4, 8]}\n", "axis workload.size: write x4 for a size"},
        {"axes: {workload.size: [x4]}\ndesign: one-at-a-time\n", "needs x1"},
        {"axes: {workload.size: {from: 1, to: 4, points: 2}}\n", "workload.size"},
    };
    OWNED(space) *space = NULL;
    struct sweep *sweep;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_error(try_space(bad[i].axis, &space, &failure), STATUS_INPUT, bad[i].words);
    check_ok(try_space("axes: {workload.size: [x1, x2]}\n", &space, &failure));
    check_error(sweep_open(space, 1, &sweep, &failure), STATUS_INPUT, "is none");
}

/* A loop nest of one's own scales as it says. */
TEST(own_nests_have_sizes)
{
    static const char nest[] =
        "workload: own\nsummary: s\nparameters: {n: 64}\ninputs: {small: {n: 32}}\n"
        "scale: {n: n*size}\narrays: {A: {shape: [n], type: f32}}\n"
        "kernels: [{name: k, grid: n/32, block: 32, body: [{load: \"A[bx*32 + tx]\"}]}]\n";
    static const char *const specs[] = {"own.yaml:n=32", "own.yaml:n=128"};
    struct text text = {0};
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = NULL;
    check_file("own.yaml", nest);
    text_printf(&text,
                "space: s\nmachine: sac\nworkloads: [\"%s/own.yaml:input=small\"]\n"
                "axes: {workload.size: [x1, x4]}\n",
                check_folder());
    check_ok(space_load(check_file("own-space.yaml", text.data), &space, &failure));
    check_ok(sweep_open(space, 1, &sweep, &failure));
    for (size_t size = 0; size < 2; size++)
        assert_non_null(strstr(sweep_subject(sweep, size, 0)->source->spec, specs[size]));
    text_free(&text);
}

/* gemm at `setting`, two organisations and whatever `axis` is before them. */
static struct sweep *run_gemm(const char *setting, const char *base, const char *axis,
                              struct space **space)
{
    struct sweep *sweep;
    struct text text = {0};
    text_printf(&text,
                "space: s\nmachine: sac\nworkloads: [\"gemm:input=small%s\"]\nspeedup_vs: %s\n"
                "axes: {%sllc.organisation: [memory-side, sm-side]}\n"
                "objectives: [{minimise: kernel_time}]\nmodels: [bottleneck]\n",
                setting, base, axis);
    check_ok(space_load(check_file("gemm.yaml", text.data), space, &failure));
    check_ok(sweep_open(*space, 1, &sweep, &failure));
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    text_free(&text);
    return sweep;
}

/* Sizes are workloads of their own: each point has the numbers of a space over it, x1 those of
 * the input as it stands, with baselines of machines and of organisations. */
TEST(sizes_are_inputs)
{
    static const char *const bases[] = {"mcm", "memory-side"}, *const columns[] = {"kernel_time",
                                                                                   "speedup"};
    for (int b = 0; b < 2; b++) {
        struct sweep_row *rows, *plain;
        uint64_t ids[] = {0, 1, 2, 3};
        struct arena *arena = arena_create();
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = run_gemm("", bases[b], "workload.size: [x1/4, x1], ", &space);
        check_ok(sweep_rows(sweep, ids, 4, arena, &rows, &failure));
        for (int point = 0; point < 4; point++) {
            OWNED(space) *other = NULL;
            OWNED(sweep) *apart = run_gemm(point < 2 ? ",size=x1/4" : "", bases[b], "", &other);
            assert_string_equal(rows[point].labels[0], point < 2 ? "x1/4" : "x1");
            check_ok(sweep_rows(apart, ids, 2, arena, &plain, &failure));
            for (int c = 0; c < 2; c++) {
                size_t here, there;
                check_ok(sweep_column_find(sweep, columns[c], &here, &failure));
                check_ok(sweep_column_find(apart, columns[c], &there, &failure));
                check_relative(rows[point].values[here], plain[point % 2].values[there], 0);
            }
        }
        arena_destroy(arena);
    }
}
