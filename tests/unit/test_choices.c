/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What labels hang on: decisions counted over values of open choices, mistakes in files. */
#include "check.h"

#include "validate/choices.h"
#include "validate/figure.h"
#include "yaml/yaml.h"

enum { WORKLOAD = 2, INPUT, PUBLISHED, MODEL, OURS, MARGIN, VERDICT, HOLDS, CHOICES, FLIPS };

static struct published *label_of(const char *label)
{
    char text[1024];
    struct published *published;
    snprintf(text, sizeof text,
             "published: test\nsummary: a test\nmachines:\n  asked: {}\n"
             "  named: {machine: mcm}\n  fixed: {machine: mcm, set: {llc.ways: 4}}\n"
             "figures: []\nlabels:\n  - {label: l, input: small, %s}\n",
             label);
    check_ok(published_load(check_file("published.yaml", text), &published, &failure));
    return published;
}

static struct sheet *choices(const char *label, bool all, size_t *found)
{
    OWNED(machine) *machine = check_shipped("sac", NULL);
    struct validation_request request = {
        .machine = machine, .input = "small", .threads = 1, .all = all};
    struct published *published = label_of(label);
    struct sheet *rows = sheet_create(choices_columns);
    *found = 0;
    check_ok(choices_of(published, &request, rows, found, &failure));
    published_destroy(published);
    return rows;
}

#define HAND "tests/data/hand.profile.yaml"

/* The score counts ways of the LLC, 16 on the asked machine: 16 is not asked twice; 8 is less than
 * the other score, 9 within 5 % of it. */
TEST(values_of_a_parameter)
{
    size_t found;
    struct sheet *rows = choices("models: [eab], choices: {many: llc.ways@asked, few: 8.9}, "
                                 "workloads: {" HAND ": many}, open: {llc.ways: [16, 8, 9, 32]}",
                                 false, &found);
    assert_int_equal(found, 1);
    assert_int_equal(sheet_rows(rows), 1);
    assert_string_equal(sheet_at(rows, 0, OURS)->text, "many");
    assert_string_equal(sheet_at(rows, 0, VERDICT)->text, "right");
    check_relative(sheet_at(rows, 0, MARGIN)->number, 16 / 8.9 - 1, 1e-12);
    check_relative(sheet_at(rows, 0, HOLDS)->number, 2, 1e-12);
    check_relative(sheet_at(rows, 0, CHOICES)->number, 4, 1e-12);
    assert_string_equal(sheet_at(rows, 0, FLIPS)->text,
                        "llc.ways=8: few 11 %; llc.ways=9: no preference");
    assert_int_equal(rows->notes.count, 1);
    assert_non_null(strstr(rows->notes.items[0],
                           "of 1 labels 0 hold for all of 4 choices, 1 for some, 0 for none"));
    sheet_destroy(rows);
}

/* Machines that a file names have the value as well, 16 ways themselves: asked once more with 8
 * (the named one is then below 12) and 24 (above), but not with 16. Those whose ways are said stay
 * with them. */
TEST(values_of_named_machines)
{
    size_t found;
    struct sheet *rows =
        choices("models: [eab], choices: {many: llc.ways@named, few: 3 * "
                "llc.ways@fixed}, workloads: {" HAND ": many}, open: {llc.ways: [16, 8, 24]}",
                false, &found);
    check_relative(sheet_at(rows, 0, MARGIN)->number, 16.0 / 12 - 1, 1e-12);
    check_relative(sheet_at(rows, 0, HOLDS)->number, 2, 1e-12);
    check_relative(sheet_at(rows, 0, CHOICES)->number, 3, 1e-12);
    assert_string_equal(sheet_at(rows, 0, FLIPS)->text, "llc.ways=8: few 50 %");
    sheet_destroy(rows);
    rows =
        choices("models: [eab], choices: {many: llc.ways@named == 16, few: llc.ways@named != 16}, "
                "workloads: {" HAND ": many}, open: {llc.ways: [8]}",
                false, &found);
    assert_string_equal(sheet_at(rows, 0, FLIPS)->text, "llc.ways=8: few");
    sheet_destroy(rows);
    rows = choices("models: [eab], choices: {many: llc.ways@fixed, few: 2}, workloads: {" HAND
                   ": many}, open: {llc.ways: [4, 8, 24]}",
                   false, &found);
    check_relative(sheet_at(rows, 0, CHOICES)->number, 1, 1e-12);
    sheet_destroy(rows);
}

/* Published inputs are for those who ask for all; the asked one is not asked twice. */
TEST(inputs)
{
    static const char label[] =
        "models: [eab], choices: {a: effective_bandwidth@asked / (1 B/s), b: 1}, "
        "workloads: {nn: a}, open: {input: [small, published-none]}";
    size_t found;
    struct sheet *rows = choices(label, false, &found);
    check_relative(sheet_at(rows, 0, CHOICES)->number, 1, 1e-12);
    check_relative(sheet_at(rows, 0, HOLDS)->number, 1, 1e-12);
    assert_string_equal(sheet_at(rows, 0, INPUT)->text, "small");
    assert_string_equal(sheet_at(rows, 0, FLIPS)->text, "");
    assert_non_null(strstr(rows->notes.items[1], "--all"));
    sheet_destroy(rows);
}

/* A label without open choices is none of these. */
TEST(nothing_is_open)
{
    size_t found;
    struct sheet *rows = choices(
        "models: [eab], choices: {a: 2, b: chips@asked}, workloads: {" HAND ": a}", false, &found);
    assert_int_equal(found, 0);
    assert_int_equal(sheet_rows(rows), 0);
    sheet_destroy(rows);
}

/* What is done before a value that cannot be set stays, and the value has its place. */
TEST(mistakes)
{
    static const char open[] = "models: [eab], choices: {a: 2, b: chips@asked}, workloads: {" HAND
                               ": a}, open: {llc.ways: [8], page.policy: [interlave]}";
    OWNED(machine) *machine = check_shipped("sac", NULL);
    struct validation_request request = {.machine = machine, .input = "small", .threads = 1};
    struct published *published = label_of(open);
    struct sheet *rows = sheet_create(choices_columns);
    size_t found = 0;
    check_error(choices_of(published, &request, rows, &found, &failure), STATUS_INPUT,
                "published.yaml:9:");
    check_relative(sheet_at(rows, 0, CHOICES)->number, 2, 1e-12);
    sheet_destroy(rows);
    published_destroy(published);
    char text[512];
    static const char *const wrong[] = {"open: [a]", "open: {llc.ways: 8}", "open: {llc.ways: []}",
                                        "open: {llc.ways: [[1]]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text,
                 "published: test\nsummary: a test\nfigures: []\nlabels:\n  - {label: l, input: "
                 "small, models: [eab], choices: {a: 1, b: 2}, workloads: {nn: a}, %s}\n",
                 wrong[i]);
        check_error(published_load(check_file("published.yaml", text), &published, &failure),
                    STATUS_INPUT, "published.yaml:5:");
    }
}

/* What shipped files leave open can be set on the machines that they are about, the one that is
 * asked for among them. */
TEST(shipped_ones)
{
    static const char *const files[] = {"models/sac/published.yaml", "models/dcl1/published.yaml"};
    OWNED(machine) *machine = check_shipped("sac", NULL);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct published *published;
        size_t differ = 0;
        check_ok(published_load(files[f], &published, &failure));
        const struct published_label *label = &published->labels.items[0];
        assert_true(label->open.count > 0);
        for (size_t i = 0; i < label->open.count; i++)
            for (size_t v = 0; v < label->open.items[i].values->count; v++) {
                const struct validation_setting varied = {label->open.items[i].path,
                                                          label->open.items[i].values->items[v]};
                bool differs;
                if (strcmp(varied.path, "input") == 0)
                    continue;
                check_ok(figure_is_varied(&label->scores.items[0], machine, &varied, &differs,
                                          &failure));
                differ += differs;
            }
        assert_true(differ >= label->open.count - 1); /* inputs are no settings */
        published_destroy(published);
    }
}
