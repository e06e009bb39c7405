/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Validations: rows, their summaries and forms; SAC's choice from what hardware sees,
 * against calculations by hand. */
#include "check.h"

#include "report/sheet_print.h"
#include "validate/choice.h"

/* --- rows --------------------------------------------------------------------------- */

static const struct sheet_column columns[] = {
    {"file", NULL, NULL, SHEET_TEXT},
    {"name", "name", NULL, SHEET_TEXT},
    {"n", "n", NULL, SHEET_COUNT, .group = "first"},
    {"error", "error", "points", SHEET_PERCENT, .group = "first", .worst = SHEET_WORST_HIGH,
     .summary = "its error"},
    {"agree", "agree", NULL, SHEET_NUMBER, .group = "second", .worst = SHEET_WORST_LOW,
     .summary = "agreement"},
    {"never", "never", NULL, SHEET_NUMBER, .group = "second", .worst = SHEET_WORST_LOW,
     .summary = "never"},
    {"none", "none", NULL, SHEET_TEXT, .group = "third"},
    {.key = NULL},
};
enum { N_COLUMNS = 7 };

/* Unknown numbers are NAN. */
static void add(struct sheet *rows, const char *name, double n, double error, double agree)
{
    struct sheet_cell cells[N_COLUMNS];
    for (int c = 0; c < N_COLUMNS; c++)
        cells[c] = (struct sheet_cell){.number = (double)NAN};
    char text[16];
    snprintf(text, sizeof text, "%s", name); /* gone before the rows are printed */
    cells[0].text = "f";
    cells[1].text = text;
    cells[2].number = n;
    cells[3].number = error;
    cells[4].number = agree;
    sheet_add(rows, cells);
}

static struct sheet *four_rows(void)
{
    struct sheet *rows = sheet_create(columns);
    add(rows, "a", 1, 0.02, 0.5);
    add(rows, "b", NAN, 0.25, 0.75);
    add(rows, "c", 1234567, NAN, 0.25);
    add(rows, "d,e", 4, 0.04, 1);
    return rows;
}

TEST(summaries)
{
    struct sheet *rows = four_rows();
    assert_int_equal(rows->n_columns, N_COLUMNS);
    assert_int_equal(sheet_rows(rows), 4);
    struct sheet_summary error = sheet_summarise(rows, 3, 0, NULL);
    assert_int_equal(error.known, 3);
    check_relative(error.median, 0.04, 0);
    check_relative(error.worst, 0.25, 0);
    assert_int_equal(error.worst_row, 1);
    struct sheet_summary agree = sheet_summarise(rows, 4, 0, NULL);
    assert_int_equal(agree.known, 4);
    check_relative(agree.median, 0.625, 0); /* of 0.25 0.5 | 0.75 1 */
    check_relative(agree.worst, 0.25, 0);
    assert_int_equal(agree.worst_row, 2);
    struct sheet_summary never = sheet_summarise(rows, 5, 0, NULL);
    assert_int_equal(never.known, 0);
    assert_true(isnan(never.median) && isnan(never.worst));
    sheet_destroy(rows);
}

/* Signed errors: their sizes count. */
TEST(a_summary_of_signed_errors)
{
    static const struct sheet_column signed_columns[] = {
        {"name", "name", NULL, SHEET_TEXT},
        {"error", "error", "%", SHEET_PERCENT, .worst = SHEET_WORST_SIZE, .summary = "error"},
        {.key = NULL}};
    struct sheet *rows = sheet_create(signed_columns);
    static const double errors[] = {0.1, -0.5, 0.2};
    for (int i = 0; i < 3; i++) {
        struct sheet_cell cells[] = {{.text = "n"}, {.number = errors[i]}};
        sheet_add(rows, cells);
    }
    struct sheet_summary summary = sheet_summarise(rows, 1, 0, NULL);
    check_relative(summary.median, 0.2, 0);
    check_relative(summary.worst, 0.5, 0);
    assert_int_equal(summary.worst_row, 1);
    sheet_destroy(rows);
}

/* A table a group, unknown columns and groups left out, the hidden column too. */
TEST(tables)
{
    static const char want[] = "\nfirst:\n"
                               "name        n   error\n"
                               "               points\n"
                               "----  -------  ------\n"
                               "a           1    2.00\n"
                               "b           -   25.00\n"
                               "c     1234567       -\n"
                               "d,e         4    4.00\n"
                               "its error: median 4.00 points, worst 25.00 points (b)\n"
                               "\nsecond:\n"
                               "name  agree\n"
                               "----  -----\n"
                               "a       0.5\n"
                               "b      0.75\n"
                               "c      0.25\n"
                               "d,e       1\n"
                               "agreement: median 0.625, worst 0.25 (c)\n"
                               "\nnote 1\n";
    struct sheet *rows = four_rows();
    struct table_style style = {0};
    struct text text = {0};
    sheet_add_note(rows, "note %d", 1);
    sheet_print_groups(rows, &style, &text);
    assert_string_equal(text.data, want);
    text_free(&text);
    sheet_destroy(rows);
}

static char *printed(bool as_json)
{
    struct sheet *rows = four_rows();
    FILE *stream = tmpfile();
    struct csv_writer csv = {.stream = stream};
    struct json json = {.stream = stream};
    assert_non_null(stream);
    if (as_json) {
        sheet_print_json(rows, &json);
    } else {
        sheet_print_csv(rows, &csv);
    }
    sheet_destroy(rows);
    size_t size = (size_t)ftell(stream);
    char *text = memory_zero(size + 1, 1);
    rewind(stream);
    assert_int_equal(fread(text, 1, size, stream), size);
    fclose(stream);
    return text;
}

TEST(for_programs)
{
    char *csv = printed(false), *json = printed(true);
    assert_string_equal(csv, "file,name,n,error,agree,never,none\n"
                             "f,a,1,0.02,0.5,,\n"
                             "f,b,,0.25,0.75,,\n"
                             "f,c,1234567,,0.25,,\n"
                             "f,\"d,e\",4,0.04,1,,\n");
    assert_non_null(strstr(json, "\"file\": \"f\""));
    assert_non_null(strstr(json, "\"name\": \"d,e\",\n    \"n\": 4,\n    \"error\": 0.04"));
    assert_non_null(strstr(json, "\"name\": \"b\",\n    \"n\": null"));
    assert_non_null(strstr(json, "\"none\": null"));
    free(csv);
    free(json);
}

/* Exact rows do not stand for predictions: each kind has its own line. */
TEST(a_summary_for_each_kind)
{
    static const struct sheet_column kinds[] = {{"name", "name", NULL, SHEET_TEXT},
                                                {"error", "error", "%", SHEET_PERCENT,
                                                 .group = "errors", .worst = SHEET_WORST_HIGH,
                                                 .summary = "error", .by = "how"},
                                                {"how", "how", NULL, SHEET_TEXT, .group = "errors"},
                                                {.key = NULL}};
    static const struct {
        const char *name, *how;
        double error;
    } rows_of[] = {{"a", "exact", 0},          {"b", "exact", 0}, {"c", "guess", 0.5},
                   {"d", "exact", 0},          {"e", NULL, 9},    {"f", "guess", 0.25},
                   {"g", "other", (double)NAN}};
    struct sheet *rows = sheet_create(kinds);
    struct table_style style = {0};
    struct text text = {0};
    for (size_t i = 0; i < sizeof rows_of / sizeof *rows_of; i++)
        sheet_add(rows, (struct sheet_cell[]){{.text = rows_of[i].name},
                                              {.number = rows_of[i].error},
                                              {.text = rows_of[i].how}});
    sheet_print_groups(rows, &style, &text);
    const char *lines = strstr(text.data, "error, ");
    assert_non_null(lines);
    assert_string_equal(lines, "error, exact (3): median 0.00 %, worst 0.00 % (a)\n"
                               "error, guess (2): median 37.50 %, worst 50.00 % (c)\n");
    text_free(&text);
    sheet_destroy(rows);
}

TEST(no_rows)
{
    struct sheet *rows = sheet_create(columns);
    struct table_style style = {0};
    struct text text = {0};
    sheet_print_groups(rows, &style, &text);
    assert_int_equal(text.length, 0);
    assert_int_equal(sheet_summarise(rows, 3, 0, NULL).known, 0);
    text_free(&text);
    sheet_destroy(rows);
}

/* --- choices ------------------------------------------------------------------------- */

static struct profile_record point(double h_mem, double h_sm, uint64_t launches, double bytes)
{
    struct profile_record record = {.name = "k", .launches = launches};
    for (int i = 0; i < FIELD_COUNT; i++)
        record.fields[i] = (double)NAN;
    record.fields[FIELD_REQUESTS] = bytes / 128;
    record.fields[FIELD_BYTES] = bytes;
    record.fields[FIELD_R_LOCAL] = 0.5;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = h_mem;
    record.fields[FIELD_LSU_MEMORY_SIDE] = 0.9;
    record.fields[FIELD_LLC_HIT_SM_SIDE] = h_sm;
    record.fields[FIELD_LSU_SM_SIDE] = 1;
    return record;
}

static struct choice compare(struct profile_record *run, struct profile_record *seen, size_t n)
{
    struct profile_view exact = {.records = run, .n_records = n};
    struct profile_view other = {.records = seen, .n_records = n};
    struct choice choice;
    OWNED(machine) *sac = check_shipped("sac", NULL);
    check_ok(choice_compare(&exact, &other, "exact", sac, &choice, &failure));
    return choice;
}

/* In TB/s, R = 0.5 throughout: h 0.8, LSU 0.9 memory-side: local 16*0.9*0.8/2 + min(1.44,
 * 0.875) = 6.635, remote 0.768; SM-side: local 8h + min(8(1-h), 0.875), remote 8h +
 * min(8(1-h), 0.768, 0.875). */
#define MEM_A (6.635 + 0.768)
#define SM_A (4.875 + 4.768) /* h = 0.5 */
#define MEM_B (7.2 + 0.768)  /* h = 0.9 */
#define SM_B (0.875 + 0.768) /* h = 0 */

TEST(choices_by_hand)
{
    struct profile_record run[] = {point(0.8, 0.5, 1, 1e9), point(0.9, 0, 3, 4e9)};
    struct profile_record swapped[] = {point(0.8, 0, 1, 1e6), point(0.9, 0.9, 3, 1e6)};
    struct choice same = compare(run, run, 2);
    check_relative(same.launches, 4, 0);
    check_relative(same.run_sm_side, 1, 0);
    check_relative(same.seen_sm_side, 1, 0);
    check_relative(same.agree, 4, 0);
    check_relative(same.loss_frac, 0, 1e-12);
    struct choice wrong = compare(run, swapped, 2);
    check_relative(wrong.run_sm_side, 1, 0);
    check_relative(wrong.seen_sm_side, 3, 0);
    check_relative(wrong.agree, 0, 0);
    check_relative(wrong.loss_frac, 1 - (1 / SM_A + 4 / MEM_B) / (1 / MEM_A + 4 / SM_B), 1e-12);
}

/* What saw nothing leaves a launch on the memory side; a launch without requests counts not. */
TEST(nothing_seen)
{
    struct profile_record run[] = {point(0.8, 0.5, 1, 1e9), point(0.9, 0, 1, 4e9),
                                   point(0.9, 0, 7, 0)};
    struct profile_record seen[] = {run[0], run[1], run[2]};
    seen[0].fields[FIELD_REQUESTS] = 0;
    struct choice one = compare(run, seen, 3);
    check_relative(one.launches, 2, 0);
    check_relative(one.seen_sm_side, 0, 0);
    check_relative(one.agree, 1, 0);
    check_relative(one.loss_frac, 1 - (1 / SM_A + 4 / MEM_B) / (1 / MEM_A + 4 / MEM_B), 1e-12);
    seen[1].fields[FIELD_REQUESTS] = 0;
    struct choice none = compare(run, seen, 3);
    check_relative(none.agree, 1, 0);
    check_relative(none.loss_frac, one.loss_frac, 1e-12);
}

/* A gain below theta that the exact choice forgoes and the other takes. */
TEST(below_threshold)
{
    struct profile_record run = point(0.8, (7.6 - 1.643) / 16, 1, 1e9);
    struct profile_record seen = point(0.8, 0.5, 1, 1e9);
    struct choice choice = compare(&run, &seen, 1);
    check_relative(choice.run_sm_side, 0, 0);
    check_relative(choice.seen_sm_side, 1, 0);
    check_relative(choice.loss_frac, 1 - 7.6 / MEM_A, 1e-9);
}

TEST(no_requests)
{
    struct profile_record empty = point(0.8, 0.5, 1, 0);
    struct profile_view view = {.records = &empty, .n_records = 1};
    struct choice choice;
    OWNED(machine) *sac = check_shipped("sac", NULL);
    check_error(choice_compare(&view, &view, "exact", sac, &choice, &failure), STATUS_UNKNOWN_FIELD,
                "makes no requests");
}
