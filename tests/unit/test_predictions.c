/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions of a system, counted: labels and figures by hand, what is missed, aims; mistakes in
 * files. */
#include "check.h"

#include "validate/predictions.h"

#define HAND "tests/data/hand.profile.yaml"

static char path[4096];

static void write_file(const char *text)
{
    snprintf(path, sizeof path, "%s/published.yaml", check_folder());
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fprintf(stream,
            "published: test\nsummary: a test\nmachines:\n"
            "  memory: {machine: sac, set: {llc.organisation: memory-side}}\n"
            "  partitions: {machine: nuba}\n%s",
            text);
    assert_int_equal(fclose(stream), 0);
}

static struct sheet *predicted(const char *text, const char *const *workloads, size_t n,
                               size_t *found)
{
    struct validation_request request = {
        .workloads = (const char **)workloads, .n_workloads = n, .input = "default", .threads = 1};
    struct sheet *rows = sheet_create(predictions_columns);
    struct published *published;
    write_file(text);
    *found = 0;
    check_ok(published_load(path, &published, &failure));
    check_ok(predictions_of(published, &request, rows, found, &failure));
    published_destroy(published);
    return rows;
}

static double number(const struct sheet *rows, size_t row, enum predictions_column column)
{
    return sheet_at(rows, row, column)->number;
}

static void check_text(const struct sheet *rows, size_t row, enum predictions_column column,
                       const char *text)
{
    const char *ours = sheet_at(rows, row, column)->text;
    if (text)
        assert_string_equal(ours, text);
    else
        assert_null(ours);
}

/* Four chips: every figure is a number of its own. */
#define FIGURE(name, value, ours, rest)                                                            \
    "  - {figure: " name ", value: " value ", unit: x, evidence: prediction, ours: " ours          \
    " * chips@memory / 4" rest "}\n"

/* +5 %, -20 % (within 1: the same way), exact, and 0.9 where 1.1 is published: the wrong way. */
TEST(figures_are_counted_in_their_aim)
{
    size_t found;
    struct sheet *rows = predicted(
        "aims:\n  near: {median: 0.1, within: 0.5, wrong: 0}\n  far: {median: 0.05}\n  any: {}\n"
        "figures:\n"
        "  - {figure: SMs, value: 4, evidence: exact, ours: chips@memory}\n" FIGURE(
            "a", "2", "2.1", ", counts: near") FIGURE("b", "2", "1.6", ", counts: near")
            FIGURE("c", "0.5", "0.5", ", counts: near") FIGURE("d", "1.1", "0.9", ", counts: far")
                FIGURE("e", "1.1", "1.04", ", counts: far") FIGURE("f", "4", "1", ", counts: any")
                    FIGURE("g", "4", "4", ""),
        NULL, 0, &found);
    assert_int_equal(found, 7);
    assert_int_equal(sheet_rows(rows), 4);

    check_text(rows, 0, PREDICTIONS_SYSTEM, "test");
    check_text(rows, 0, PREDICTIONS_WHAT, "near");
    check_text(rows, 0, PREDICTIONS_MODEL, NULL);
    assert_true(number(rows, 0, PREDICTIONS_OF) == 3);
    assert_true(number(rows, 0, PREDICTIONS_REACHED) == 2);
    assert_true(isnan(number(rows, 0, PREDICTIONS_INDIFFERENT)));
    assert_true(number(rows, 0, PREDICTIONS_TURNED) == 0);
    check_relative(number(rows, 0, PREDICTIONS_MEDIAN), 0.05, 1e-12);
    check_relative(number(rows, 0, PREDICTIONS_WORST), -0.2, 1e-12);
    check_text(rows, 0, PREDICTIONS_AIM, "median 10 %, 50 % within 15 %, 0 the wrong way");
    check_text(rows, 0, PREDICTIONS_MET, "yes");
    check_text(rows, 0, PREDICTIONS_MISSED, "b: -20 %");

    /* -18.2 % and -5.5 %: their median is above the aim; a ratio that turns is missed at any
     * distance. */
    check_text(rows, 1, PREDICTIONS_WHAT, "far");
    assert_true(number(rows, 1, PREDICTIONS_OF) == 2);
    assert_true(number(rows, 1, PREDICTIONS_REACHED) == 1);
    assert_true(number(rows, 1, PREDICTIONS_TURNED) == 1);
    check_relative(number(rows, 1, PREDICTIONS_MEDIAN), (0.2 / 1.1 + 0.06 / 1.1) / 2, 1e-12);
    check_text(rows, 1, PREDICTIONS_MET, "no");
    check_text(rows, 1, PREDICTIONS_MISSED, "d: -18 %, the wrong way");

    /* An aim that says nothing is neither met nor missed; what counts in none comes last. */
    check_text(rows, 2, PREDICTIONS_WHAT, "any");
    check_text(rows, 2, PREDICTIONS_AIM, NULL);
    check_text(rows, 2, PREDICTIONS_MET, NULL);
    check_text(rows, 2, PREDICTIONS_MISSED, "f: -75 %");
    check_text(rows, 3, PREDICTIONS_WHAT, "other predictions");
    check_text(rows, 3, PREDICTIONS_MISSED, "");
    assert_int_equal(rows->notes.count, 3);
    sheet_destroy(rows);
}

/* Each bound of an aim alone: met at the bound, missed behind it. */
static void check_met(const char *aim, const char *met)
{
    char text[1024];
    size_t found;
    snprintf(text, sizeof text, "aims:\n  a: {%s}\nfigures:\n%s", aim,
             FIGURE("a", "2", "2.5", ", counts: a") FIGURE("b", "2", "2", ", counts: a")
                 FIGURE("c", "1.1", "0.99", ", counts: a"));
    struct sheet *rows = predicted(text, NULL, 0, &found);
    check_text(rows, 0, PREDICTIONS_MET, met);
    sheet_destroy(rows);
}

TEST(each_bound_of_an_aim) /* errors 25 %, 0 and -10 %, one of three the wrong way */
{
    check_met("median: 0.1001", "yes");
    check_met("median: 0.0999", "no");
    check_met("within: 0.66", "yes");
    check_met("within: 0.67", "no");
    check_met("wrong: 1", "yes");
    check_met("wrong: 0", "no");
    check_met("median: 0.2, within: 0.5, wrong: 0", "no");
}

#define LABEL(choices, aim)                                                                        \
    "figures: []\nlabels:\n"                                                                       \
    "  - {label: l, input: small, models: [eab], choices: {" choices "}, aim: " aim                \
    ", workloads: {" HAND ": a, gemm: b}}\n"

/* The same scores for both workloads: what is right for the one is wrong for the other. */
TEST(labels_are_counted)
{
    size_t found;
    struct sheet *rows =
        predicted(LABEL("a: 3 * chips@memory, b: 2 * chips@memory", "1"), NULL, 0, &found);
    assert_int_equal(found, 2);
    assert_int_equal(sheet_rows(rows), 1);
    check_text(rows, 0, PREDICTIONS_WHAT, "l");
    check_text(rows, 0, PREDICTIONS_MODEL, "eab");
    assert_true(number(rows, 0, PREDICTIONS_OF) == 2);
    assert_true(number(rows, 0, PREDICTIONS_REACHED) == 1);
    assert_true(number(rows, 0, PREDICTIONS_INDIFFERENT) == 0);
    assert_true(number(rows, 0, PREDICTIONS_OTHER) == 1);
    assert_true(isnan(number(rows, 0, PREDICTIONS_MEDIAN)));
    check_text(rows, 0, PREDICTIONS_AIM, "1 of 2");
    check_text(rows, 0, PREDICTIONS_MET, "yes");
    check_text(rows, 0, PREDICTIONS_MISSED, "gemm: a");
    sheet_destroy(rows);

    rows = predicted(LABEL("a: 1.01 * chips@memory, b: chips@memory", "1"), NULL, 0, &found);
    assert_true(number(rows, 0, PREDICTIONS_REACHED) == 0);
    assert_true(number(rows, 0, PREDICTIONS_INDIFFERENT) == 2);
    check_text(rows, 0, PREDICTIONS_MET, "no");
    check_text(rows, 0, PREDICTIONS_MISSED, HAND ": no preference; gemm: no preference");
    sheet_destroy(rows);
}

/* What a model refuses is missed. */
TEST(refused_is_not_reached)
{
    size_t found;
    struct sheet *rows =
        predicted(LABEL("a: effective_bandwidth@partitions, b: 1 B/s", "0"), NULL, 0, &found);
    assert_true(number(rows, 0, PREDICTIONS_OTHER) == 2);
    check_text(rows, 0, PREDICTIONS_MISSED, HAND ": refused; gemm: refused");
    check_text(rows, 0, PREDICTIONS_MET, "yes"); /* none is aimed at */
    sheet_destroy(rows);
}

/* An aim is of all workloads: with some of them it is stated, not judged. */
TEST(some_of_the_workloads)
{
    static const char *const one[] = {"gemm"};
    static const char of_both[] = "workloads: {both: {input: small, names: [gemm, mvt]}, one: "
                                  "{input: small, names: [gemm]}}\n"
                                  "aims:\n  a: {within: 0}\n  b: {within: 0}\n"
                                  "figures:\n"
                                  "  - {figure: t, value: 1, evidence: prediction, counts: a, "
                                  "model: eab, mean: largest, over: "
                                  "both, ours: kernel_time@memory / kernel_time@memory}\n"
                                  "  - {figure: s, value: 1, evidence: prediction, counts: b, "
                                  "model: eab, mean: largest, over: "
                                  "one, ours: kernel_time@memory / kernel_time@memory}\n";
    struct validation_request request = {
        .workloads = (const char **)one, .n_workloads = 1, .input = "small", .threads = 1};
    size_t found;
    struct sheet *rows =
        predicted(LABEL("a: 3 * chips@memory, b: 2 * chips@memory", "1"), one, 1, &found);
    assert_int_equal(found, 1);
    check_text(rows, 0, PREDICTIONS_AIM, "1 of 2");
    check_text(rows, 0, PREDICTIONS_MET, NULL);
    sheet_destroy(rows);

    struct published *published;
    write_file(of_both);
    rows = sheet_create(predictions_columns);
    check_ok(published_load(path, &published, &failure));
    check_ok(predictions_of(published, &request, rows, &found, &failure));
    published_destroy(published);
    assert_int_equal(sheet_rows(rows), 2);
    check_text(rows, 0, PREDICTIONS_MET, NULL);
    check_text(rows, 1, PREDICTIONS_MET, "yes");
    sheet_destroy(rows);
}

static void check_mistake(const char *text, const char *words)
{
    struct published *published;
    write_file(text);
    check_error(published_load(path, &published, &failure), STATUS_INPUT, words);
    assert_true(failure.line > 0);
}

TEST(mistakes_have_a_place)
{
    check_mistake("aims:\n  a: {}\nfigures:\n" FIGURE("f", "1", "1", ", counts: b"),
                  "counts: there is no \"b\"");
    check_mistake("aims:\n  a: {}\nfigures:\n  - {figure: f, value: 4, evidence: exact, "
                  "ours: chips@memory, counts: a}\n",
                  "counts: predictions count");
    check_mistake("aims:\n  a: {median: 1.5}\nfigures: []\n", "median: from 0 to 1");
    check_mistake("aims:\n  a: {within: -1}\nfigures: []\n", "within: from 0 to 1");
    check_mistake("aims:\n  a: {mean: 1}\nfigures: []\n", "mean");
    check_mistake(LABEL("a: 1, b: 2", "3"), "aim: of 2 workloads");
}
