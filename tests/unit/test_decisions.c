/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published labels: choices by hand-made scores, margins, what is no preference; mistakes in files.
 */
#include "check.h"

#include "validate/decisions.h"

static char path[4096];

/* A file with one label; its choices and what else it says. */
static void write_label(const char *label)
{
    snprintf(path, sizeof path, "%s/published.yaml", check_folder());
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fprintf(stream,
            "published: test\nsummary: a test\nmachines:\n"
            "  memory: {machine: sac, set: {llc.organisation: memory-side}}\n"
            "  sm: {machine: sac, set: {llc.organisation: sm-side}}\n"
            "  partitions: {machine: nuba}\n"
            "figures: []\nlabels:\n  - {label: l, input: small, %s}\n",
            label);
    assert_int_equal(fclose(stream), 0);
}

enum { WORKLOAD = 2, PUBLISHED = 4, DIFFERENCE, MODEL, OURS, MARGIN, VERDICT };

static struct sheet *decided_by(bool all, const char *label, const char *const *workloads, size_t n,
                                size_t *found)
{
    struct validation_request request = {
        .workloads = (const char **)workloads, .n_workloads = n, .threads = 1, .all = all};
    struct sheet *rows = sheet_create(decisions_columns);
    struct published *published;
    write_label(label);
    *found = 0;
    check_ok(published_load(path, &published, &failure));
    check_ok(decisions_of(published, &request, rows, found, &failure));
    published_destroy(published);
    return rows;
}

static struct sheet *decided(const char *label, const char *const *workloads, size_t n,
                             size_t *found)
{
    return decided_by(false, label, workloads, n, found);
}

#define HAND "tests/data/hand.profile.yaml"

/* A label of the hand-made profile, whose scores are these. */
static void check_choice(const char *model, const char *choices, const char *published,
                         const char *ours, double margin, const char *verdict)
{
    char label[512];
    size_t found;
    snprintf(label, sizeof label, "models: [%s], choices: {%s}, workloads: {%s: %s}", model,
             choices, HAND, published);
    struct sheet *rows = decided(label, NULL, 0, &found);
    assert_int_equal(found, 1);
    assert_int_equal(sheet_rows(rows), 1);
    assert_string_equal(sheet_at(rows, 0, PUBLISHED)->text, published);
    assert_string_equal(sheet_at(rows, 0, MODEL)->text, model);
    if (ours)
        assert_string_equal(sheet_at(rows, 0, OURS)->text, ours);
    else
        assert_null(sheet_at(rows, 0, OURS)->text);
    if (isnan(margin))
        assert_true(isnan(sheet_at(rows, 0, MARGIN)->number));
    else
        check_relative(sheet_at(rows, 0, MARGIN)->number, margin, 1e-12);
    assert_string_equal(sheet_at(rows, 0, VERDICT)->text, verdict);
    sheet_destroy(rows);
}

TEST(the_largest_score_is_chosen)
{
    check_choice("eab", "a: 3 * chips@memory, b: 2 * chips@memory, c: 1", "a", "a", 0.5, "right");
    check_choice("eab", "a: 1, b: 3 * chips@memory, c: 2 * chips@memory", "c", "b", 0.5, "wrong");
    check_choice("eab", "a: 0, b: chips@memory", "b", "b", NAN, "right");
    check_choice("eab", "a: 1.049 * chips@sm, b: chips@memory", "a", "a", 0.049, "no preference");
    check_choice("eab", "a: 1.049 * chips@sm, b: chips@memory", "b", "a", 0.049, "no preference");
    check_choice("eab", "a: 1.051 * chips@sm, b: chips@memory", "b", "a", 0.051, "wrong");
}

/* What a model refuses is not wrong: eab does not know chips of partitions. */
TEST(what_a_model_refuses)
{
    check_choice("eab", "a: effective_bandwidth@partitions, b: 1 B/s", "a", NULL, NAN, "refused");
}

/* EAB by hand: R_local = 0.5, h = .8 and .5, LSU = .9 and 1, over the machine of SAC's Table 3. */
TEST(a_model_answers)
{
    double memory_side = 0, sm_side = 0;
    {
        double llc = 16e12 * 0.9, hit = llc * 0.8 * 0.5,
               miss = fmin(llc * 0.2 * 0.5, 1.75e12 * 0.5);
        double local = fmin(16e12, hit + miss);
        memory_side = local + fmin(0.768e12, hit + miss);
    }
    {
        double hit = 16e12 * 0.5 * 0.5, rest = 16e12 * 0.5 * 0.5;
        sm_side = fmin(16e12, hit + fmin(rest, 1.75e12 * 0.5)) +
                  fmin(16e12, hit + fmin(rest, fmin(1.75e12 * 0.5, 0.768e12)));
    }
    check_choice("eab", "memory: effective_bandwidth@memory, sm: effective_bandwidth@sm", "sm",
                 "sm", sm_side / memory_side - 1, "right");
}

/* Workloads by name: one of two; others are none of the label's. */
TEST(named_workloads)
{
    static const char label[] = "models: [eab, bottleneck], choices: {a: 1, b: 2 * chips@sm}, "
                                "workloads: {nn: a, gemm: b}";
    static const char *const one[] = {"gemm"}, *const none[] = {"bfs"};
    size_t found;
    struct sheet *rows = decided(label, one, 1, &found);
    assert_int_equal(found, 1);
    assert_int_equal(sheet_rows(rows), 2);
    assert_string_equal(sheet_at(rows, 0, WORKLOAD)->text, "gemm");
    assert_string_equal(sheet_at(rows, 1, MODEL)->text, "bottleneck");
    assert_non_null(strstr(rows->notes.items[0], "eab: 1 of 1 as published, 0 otherwise"));
    sheet_destroy(rows);
    rows = decided(label, none, 1, &found);
    assert_int_equal(found, 0);
    assert_int_equal(sheet_rows(rows), 0);
    sheet_destroy(rows);
}

/* eab has 10.57 TB/s for it, bottleneck 1.72: between them lies the choice. */
TEST(models_that_disagree)
{
    static const char label[] =
        "models: [eab, bottleneck], choices: {low: 4 TB/s, high: effective_bandwidth@sm}, "
        "workloads: {gemm: high}, small: [gemm]";
    size_t found;
    struct sheet *rows = decided(label, NULL, 0, &found);
    assert_int_equal(sheet_rows(rows), 2);
    assert_string_equal(sheet_at(rows, 0, DIFFERENCE)->text, "small");
    assert_string_equal(sheet_at(rows, 0, OURS)->text, "high");
    assert_string_equal(sheet_at(rows, 1, OURS)->text, "low");
    assert_int_equal(rows->notes.count, 3);
    assert_non_null(strstr(rows->notes.items[1], "1 otherwise (1 of them where the paper's"));
    assert_non_null(strstr(rows->notes.items[2], "disagree on 1 of 1: gemm"));
    sheet_destroy(rows);
}

/* With all of them simulations judge as well, of times; not of what only a model knows. */
TEST(simulations_judge)
{
    static const char times[] = "models: [network], choices: {memory: 1 / kernel_time@memory, "
                                "sm: effective_bandwidth@sm / 1e6 B}, workloads: {nn: sm}",
                      others[] = "models: [network], choices: {a: llc_hit_rate@sm, b: 0.5}, "
                                 "workloads: {nn: a}";
    size_t found;
    struct sheet *rows = decided_by(true, times, NULL, 0, &found);
    assert_int_equal(sheet_rows(rows), 2);
    assert_string_equal(sheet_at(rows, 0, MODEL)->text, "network");
    assert_string_equal(sheet_at(rows, 1, MODEL)->text, "simulation");
    assert_string_not_equal(sheet_at(rows, 1, VERDICT)->text, "refused");
    double network = sheet_at(rows, 0, MARGIN)->number,
           simulation = sheet_at(rows, 1, MARGIN)->number;
    assert_true(simulation > 0 && simulation != network);
    sheet_destroy(rows);
    rows = decided_by(true, others, NULL, 0, &found);
    assert_int_equal(sheet_rows(rows), 1);
    sheet_destroy(rows);
}

static void refuse(const char *label, const char *words)
{
    struct published *published;
    write_label(label);
    check_error(published_load(path, &published, &failure), STATUS_INPUT, words);
}

#define CHOICES "choices: {a: 1, b: 2}"

TEST(mistakes)
{
    refuse("models: [eab], " CHOICES, "workloads");
    refuse("models: [eab], choices: {a: 1}, workloads: {gemm: a}", "at least two");
    refuse("models: [eab], " CHOICES ", workloads: {gemm: c}", "there is no \"c\"");
    refuse("models: [], " CHOICES ", workloads: {gemm: a}", "at least one");
    refuse("models: [aeb], " CHOICES ", workloads: {gemm: a}", "aeb");
    refuse("models: [eab], choices: {a: 1, b: kernel_tme@sm}, workloads: {gemm: a}", "kernel_tme");
    refuse("models: [eab], choices: {a: 1, b: kernel_time@nm}, workloads: {gemm: a}", "nm");
    refuse("models: [eab], " CHOICES ", workloads: {gemm: a}, small: [bfs]", "not under workloads");
    refuse("models: [eab], " CHOICES ", workloads: {gemm: a}, large: [bfs]", "unknown key");
}

TEST(all_shipped_ones_have_labels)
{
    char file[64];
    static const struct {
        const char *system;
        size_t labels;
    } rows[] = {{"sac", 1}, {"dcl1", 1}, {"dualopt", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct published *published;
        snprintf(file, sizeof file, "models/%s/published.yaml", rows[i].system);
        check_ok(published_load(file, &published, &failure));
        assert_int_equal(published->labels.count, rows[i].labels);
        published_destroy(published);
    }
}
