/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every published figure that needs no workload is a test of its own, named "system: figure"; and
 * what a file with published figures must not say. */
#include "check.h"

#include <unistd.h>

#include "core/memory.h"
#include "validate/answers.h"
#include "validate/published.h"
#include "validate/validations.h"

static void test_one(void **state)
{
    const struct published_figure *figure = *state;
    double ours = NAN;
    check_ok(published_figure_value(figure, NULL, &ours, &failure));
    if (!checkpoint_holds(figure->row.published, figure->row.tolerance, ours))
        fail_msg("published %.10g %s, ours %.10g, off by %g; tolerance %g", figure->row.published,
                 figure->row.unit, ours, checkpoint_error(figure->row.published, ours),
                 figure->row.tolerance);
}

/* What does not hold is seen, and what is unknown does not hold. */
static void test_holds(void **state)
{
    (void)state;
    assert_true(checkpoint_holds(4, 0, 4) && checkpoint_holds(4, 0, 4 * (1 + 1e-15)));
    assert_false(checkpoint_holds(4, 0, 4.0001));
    assert_false(checkpoint_holds(4, 0, (double)NAN));
    assert_true(checkpoint_holds(-8, 0.25, -10) && checkpoint_holds(-8, 0.25, -6));
    assert_false(checkpoint_holds(-8, 0.25, 8) || checkpoint_holds(-8, 0.25, -10.1));
    assert_true(checkpoint_holds(0, 0.5, -0.5));
    assert_false(checkpoint_holds(0, 0.5, 0.6));
    check_relative(checkpoint_error(2, 1), -0.5, 0); /* signed */
    check_relative(checkpoint_error(-2, -1), 0.5, 0);
}

/* A predicted gain that is a loss points the wrong way; what is no ratio, or exact, does not. */
static void test_turns(void **state)
{
    struct checkpoint c = {.published = 1.2, .unit = "x", .how = CHECKPOINT_PREDICTION};
    (void)state;
    assert_true(checkpoint_turns(&c, 0.99));
    assert_false(checkpoint_turns(&c, 1.01) || checkpoint_turns(&c, 1));
    c.published = 0.7;
    assert_true(checkpoint_turns(&c, 1.01));
    c.unit = "TB/s";
    assert_false(checkpoint_turns(&c, 1.01));
    c.unit = "x";
    c.how = CHECKPOINT_FORMULA;
    assert_false(checkpoint_turns(&c, 1.01));
}

/* --- values ---------------------------------------------------------------------------- */

static char path[] = "/tmp/bandscape_published_XXXXXX";

/* A file of one figure, `ours` and what else it says; `head` stands before the figures. */
static void write_file(const char *head, const char *figure)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fprintf(stream, "published: test\nsummary: a test\n%sfigures:\n  - {figure: f, %s}\n", head,
            figure);
    assert_int_equal(fclose(stream), 0);
}

static double value_of(const char *head, const char *figure)
{
    struct published *published;
    double ours = NAN;
    write_file(head, figure);
    check_ok(published_load(path, &published, &failure));
    assert_int_equal(published->figures.count, 1);
    check_ok(published_figure_value(&published->figures.items[0], NULL, &ours, &failure));
    published_destroy(published);
    return ours;
}

/* Rows over the file's own workloads: where all is asked for, or an input; else they are left out.
 * Of a model's answers those of workloads that can be profiled are kept. */
static void test_groups(void **state)
{
    static const char head[] = "machine: sac\nworkloads:\n  two: {input: small, names: ["
                               "tests/data/hand.profile.yaml, gemm]}\n",
                      figure[] = "value: 8, evidence: prediction, unit: x, model: eab, mean: "
                                 "geometric, over: two, ours: llc.slices * "
                                 "effective_bandwidth / effective_bandwidth / 4";
    static const struct {
        const char *workload, *input;
        bool all;
        size_t rows;
        const char *note;
    } cases[] = {
        {NULL, NULL, false, 0, "1 figure over the paper's own workloads is left out: --all"},
        {NULL, NULL, true, 1, "0 of 1 predicted ratios"},
        {"gemm", "small", false, 1, "0 of 1 predicted ratios"},
        {"bfs", "small", false, 0, "none of these is asked for"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct published *published;
        const char *names[] = {cases[i].workload};
        struct validation_request request = {.workloads = names,
                                             .n_workloads = cases[i].workload != NULL,
                                             .input = cases[i].input,
                                             .all = cases[i].all,
                                             .threads = 2,
                                             .answers = answers_create()};
        struct sheet *rows = sheet_create(checkpoint_columns);
        write_file(head, figure);
        check_ok(published_load(path, &published, &failure));
        assert_int_equal(published->validation.reads, VALIDATION_WORKLOADS | VALIDATION_LONG);
        check_ok(published_run(published, &request, rows, &failure));
        assert_int_equal(sheet_rows(rows), cases[i].rows);
        assert_int_equal(answers_count(request.answers), cases[i].rows);
        answers_destroy(request.answers);
        if (cases[i].rows)
            check_relative(sheet_at(rows, 0, CHECKPOINT_COLUMN_OURS)->number, 4, 1e-12);
        assert_int_equal(rows->notes.count, 1);
        assert_non_null(strstr(rows->notes.items[0], cases[i].note));
        sheet_destroy(rows);
        published_destroy(published);
    }
}

#define EXACT "value: 1, evidence: exact, "

/* Figures by hand: parameters, totals, units, labels, metrics of a point and of a workload. */
static void test_values(void **state)
{
    static const char labels[] = "machine: sac\nmachines:\n"
                                 "  two: {machine: sac, set: {chips: 2, llc.capacity: 1 MiB}}\n";
    (void)state;
    check_relative(value_of("", EXACT "ours: 2 + 3 * 4"), 14, 0);
    check_relative(value_of(labels, EXACT "ours: chips"), 4, 0);
    check_relative(value_of(labels, EXACT "ours: chips@two / chips"), 0.5, 0);
    check_relative(value_of(labels, EXACT "unit: MiB, ours: llc.capacity"), 4, 0);
    check_relative(value_of(labels, EXACT "unit: 512 KiB, ours: llc.capacity@two"), 2, 0);
    check_relative(value_of(labels, EXACT "unit: KiB, ours: total.llc_capacity@two"), 2048, 0);
    check_relative(value_of(labels, EXACT "unit: ns, set: {sm.clock: 2 GHz}, ours: llc.latency"),
                   60, 1e-15);
    check_relative(value_of(labels, EXACT "computed: sharing_example, machine: sac-2chip, with: "
                                          "{case: 2}, ours: truly_shared / chips"),
                   1, 0);
    /* Half of the lines hit: the links carry ten times what a module's memory gives, halved. */
    static const char link[] = EXACT "machine: mcm, model: link, unit: GB/s, ours: link_knee, ";
    char figure[256];
    snprintf(figure, sizeof figure, "%spoint: {r_local: 0.25, llc_hit: {memory-side: 0.5}}", link);
    check_relative(value_of("", figure), 768, 0);
    check_relative(value_of("", EXACT "machine: sac, model: eab, workload: \"gemm:input=small\", "
                                      "ours: kernel_time * effective_bandwidth / 1 B > 0"),
                   1, 0);
}

/* `at`: the part of the figure at which the error stands; NULL: wherever. */
static void refuse_at(const char *head, const char *figure, const char *at, const char *words)
{
    struct published *published;
    double ours;
    write_file(head, figure);
    int status = published_load(path, &published, &failure);
    if (!status) {
        status = published_figure_value(&published->figures.items[0], NULL, &ours, &failure);
        published_destroy(published);
    }
    char text[4096];
    error_format(&failure, text, sizeof text);
    assert_int_not_equal(status, 0);
    if (!strstr(text, words))
        fail_msg("\"%s\" does not contain \"%s\"", text, words);
    if (at) {
        static const char before[] = "  - {figure: f, ";
        assert_int_equal(failure.line, 4);
        assert_int_equal(failure.column,
                         strlen(before) + (size_t)(strstr(figure, at) - figure) + 1);
        assert_string_equal(failure.file, path);
    }
}

static void refuse(const char *head, const char *figure, const char *words)
{
    refuse_at(head, figure, NULL, words);
}

#define LINK "machine: mcm, model: link, "

static void test_refused(void **state)
{
    static const char two[] = "machines: {two: {set: {chips: 2}}}\n";
    (void)state;
    refuse_at("", "value: 1, evidence: guess, ours: 1", "guess", "evidence: there is no");
    refuse("", "value: 1, evidence: fited, ours: 1", "did you mean \"fitted\"?");
    refuse("", "evidence: exact, ours: 1", "value");
    refuse("", "value: 1 GB/s, evidence: exact, ours: 1", "its unit stands in unit");
    refuse_at("", "value: x, evidence: exact, ours: 1", "x, ", "a number, not \"x\"");
    refuse_at("", EXACT "tolerance: -1, ours: 1", "-1", "tolerance: at least 0");
    refuse_at("", EXACT "tolerence: 1, ours: 1", "tolerence", "did you mean \"tolerance\"?");
    refuse_at("", EXACT "machine: sac, ours: 2 * chip", "chip", "did you mean \"chips\"?");
    refuse_at("", EXACT "machine: sac, ours: 2 * llc.capcity", "llc.c", "did you mean");
    refuse_at("", EXACT "machine: sac, ours: total.sm", "total", "");
    refuse_at("", EXACT "machine: sacc, ours: chips", "sacc", "did you mean \"sac\"?");
    refuse_at("", EXACT "ours: chips", "chips", "of which machine?");
    refuse_at("", EXACT "ours: chips@two", "chips", "no label under machines");
    refuse(two, EXACT "ours: chips@tow", "did you mean \"chips@two\"?");
    refuse(two, EXACT "ours: chips@two", "nobody asks for");
    refuse_at("", EXACT "machine: sac, set: {llc.capacity: 4}, ours: chips", "4}",
              "the unit is missing");
    refuse_at("", EXACT "machine: sac, ours: llc.capacity", "llc", "which the unit \"\" is not");
    refuse("", EXACT "machine: sac, unit: GB/s, ours: llc.capacity", "is in bytes");
    refuse_at("", EXACT "machine: sac, model: eeb, ours: chips", "eeb", "did you mean \"eab\"?");
    refuse("", EXACT "machine: sac, model: eab, ours: chips", "one of point, workload");
    refuse("", EXACT "machine: sac, mean: harmonic, ours: chips", "asked of a model");
    refuse_at("", EXACT LINK "point: {r_local: 2}, ours: chips", "2}", "r_local");
    refuse_at("", EXACT LINK "point: {r_local: 1}, ours: link_kne", "link_kne", "\"link_knee\"?");
    refuse_at("", EXACT LINK "point: {r_local: 1}, ours: link_knee", "link_knee", "llc_hit");
    refuse("", EXACT "computed: sharing_exampl, ours: own", "did you mean \"sharing_example\"?");
    refuse("", EXACT "computed: sharing_example, ours: own", "lacks the argument case");
    refuse_at("", EXACT "computed: crd_storage, with: {sectors: 99}, ours: total", "total",
              "1 to 32 sectors");
    refuse("", EXACT "with: {case: 1}, ours: 1", "There is no computed");
    refuse("", EXACT "each: x, ours: 1", "where mean says so");
    refuse_at("", EXACT "model: eab, mean: largest, ours: 1, each: \"a {2} {chips}\"", "chips",
              "of which machine?");
    refuse_at("", EXACT "model: eab, mean: largest, ours: 1, each: \"a {2:x}\"", "{2", "decimals");
    refuse_at("", EXACT "model: eab, mean: largest, ours: 1, each: \"a {2\"", "{2", "without a");
    refuse("workloads: {a: {input: small, names: [gemm]}}\n",
           EXACT "unit: x, over: a, machine: sac, ours: chips", "over: workloads of a mean");
    refuse("workloads: {a: {input: small, names: [gemm]}}\n",
           EXACT "model: eab, machine: sac, mean: largest, over: b, ours: chips",
           "there is no \"b\"");
    refuse("workloads: {a: {input: small, names: []}}\n", EXACT "ours: 1", "at least one workload");
    refuse("workloads: {a: {names: [gemm]}}\n", EXACT "ours: 1", "input");
    refuse("figure: 1\n", EXACT "ours: 1", "did you mean \"figures\"?");
}

int main(void)
{
    struct {
        struct CMUnitTest *items;
        size_t count, capacity;
    } tests = {0};
    struct arena *arena = arena_create();
    struct validations validations;
    int file = mkstemp(path);
    if (file < 0 || close(file) || validations_open(&validations, &failure))
        return 1;
    VECTOR_PUSH(&tests, (struct CMUnitTest)cmocka_unit_test(test_holds));
    VECTOR_PUSH(&tests, (struct CMUnitTest)cmocka_unit_test(test_values));
    VECTOR_PUSH(&tests, (struct CMUnitTest)cmocka_unit_test(test_turns));
    VECTOR_PUSH(&tests, (struct CMUnitTest)cmocka_unit_test(test_groups));
    VECTOR_PUSH(&tests, (struct CMUnitTest)cmocka_unit_test(test_refused));
    for (size_t v = 0; v < validations.files.count; v++) {
        const struct published *published = validations.files.items[v];
        for (size_t i = 0; i < published->figures.count; i++) {
            struct published_figure *figure = &published->figures.items[i];
            if (figure->mean == PUBLISHED_OF_ONE)
                VECTOR_PUSH(&tests, (struct CMUnitTest){
                                        .name = arena_printf(arena, "%s: %s",
                                                             published->validation.plugin.name,
                                                             figure->row.what),
                                        .test_func = test_one,
                                        .initial_state = figure});
        }
    }
    int failed = _cmocka_run_group_tests("checkpoints", tests.items, tests.count, NULL, NULL);
    VECTOR_FREE(&tests);
    validations_close(&validations);
    arena_destroy(arena);
    unlink(path);
    return failed;
}
