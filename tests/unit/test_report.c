/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sheets as tables, CSV and JSON; JSON by itself. */
#include "check.h"

#include "core/memory.h"
#include "report/sheet_print.h"

static void check_table(const struct sheet *sheet, struct table_style style, const char *expected)
{
    struct text text = {0};
    sheet_print_table(sheet, &style, &text);
    assert_string_equal(text.data, expected);
    text_free(&text);
}

static struct sheet *sample_table(void)
{
    static const struct sheet_column columns[] = {
        {"organisation", "organisation", NULL, SHEET_TEXT},
        {"bandwidth", "bandwidth", "TB/s", SHEET_NUMBER, .digits = 3},
        {NULL, "limit", "", SHEET_TEXT},
        {NULL}};
    struct sheet *sheet = sheet_create(columns);
    sheet_add(sheet, (struct sheet_cell[]){
                         {"memory-side"}, {.number = 1.23456}, {"inter-chip links\tof the ring"}});
    sheet_add_rule(sheet);
    sheet_add(sheet, (struct sheet_cell[]){{"sac"}, {.number = (double)NAN}, {""}});
    sheet_add(sheet,
              (struct sheet_cell[]){{"\xc3\xa9t\xc3\xa9"}, {"768 GB/s", {0.768}}, {"3 of 4"}});
    return sheet;
}

TEST(test_percent)
{
    static const struct sheet_column columns[] = {{"hits", "hits", NULL, SHEET_SHARE}, {NULL}};
    struct sheet *table = sheet_create(columns);
    sheet_add(table, &(struct sheet_cell){.number = 0.12345});
    sheet_add(table, &(struct sheet_cell){.number = (double)NAN});
    sheet_add(table, &(struct sheet_cell){.number = 1});
    check_table(table, (struct table_style){0}, "   hits\n-------\n 12.3 %\n      -\n100.0 %\n");
    sheet_destroy(table);
}

TEST(test_table)
{
    struct sheet *table = sample_table();
    check_table(table, (struct table_style){0},
                "organisation  bandwidth  limit\n"
                "                   TB/s\n"
                "------------  ---------  ----------------------------\n"
                "memory-side        1.23  inter-chip links of the ring\n"
                "------------  ---------  ----------------------------\n"
                "sac                   -\n"
                "\xc3\xa9t\xc3\xa9            768 GB/s  3 of 4\n");
    sheet_destroy(table);
}

TEST(test_table_width)
{
    struct sheet *table = sample_table();
    check_table(table, (struct table_style){.width = 50, .indent = 1},
                " organisation  bandwidth  limit\n"
                "                    TB/s\n"
                " ------------  ---------  ------------------------\n"
                " memory-side        1.23  inter-chip links of the\xe2\x80\xa6\n"
                " ------------  ---------  ------------------------\n"
                " sac                   -\n"
                " \xc3\xa9t\xc3\xa9            768 GB/s  3 of 4\n");
    check_table(table, (struct table_style){.width = 49, .ascii = true},
                "organisation  bandwidth  limit\n"
                "                   TB/s\n"
                "------------  ---------  ------------------------\n"
                "memory-side        1.23  inter-chip links of the~\n"
                "------------  ---------  ------------------------\n"
                "sac                   -\n"
                "?t?            768 GB/s  3 of 4\n");
    /* Numbers are never cut, texts neither below 24 characters: the rest goes on below. */
    check_table(table, (struct table_style){.width = 40, .ascii = true},
                "organisation  bandwidth\n"
                "                   TB/s\n"
                "------------  ---------\n"
                "memory-side        1.23\n"
                "------------  ---------\n"
                "sac                   -\n"
                "?t?            768 GB/s\n"
                "\n"
                "organisation  limit\n"
                "------------  --------------------------\n"
                "memory-side   inter-chip links of the r~\n"
                "------------  --------------------------\n"
                "sac\n"
                "?t?           3 of 4\n");
    /* What names a row leaves half of the width, where it can. */
    check_table(table, (struct table_style){.width = 5, .ascii = true},
                "organis~  bandwidth\n"
                "               TB/s\n"
                "--------  ---------\n"
                "memory-~       1.23\n"
                "--------  ---------\n"
                "sac               -\n"
                "?t?        768 GB/s\n"
                "\n"
                "organis~  limit\n"
                "--------  ------------------------\n"
                "memory-~  inter-chip links of the~\n"
                "--------  ------------------------\n"
                "sac\n"
                "?t?       3 of 4\n");
    sheet_destroy(table);
}

TEST(test_table_colour_and_empty)
{
    static const struct sheet_column columns[] = {
        {"b", NULL, NULL, SHEET_TEXT}, {"a", "a", NULL, SHEET_NUMBER}, {NULL}};
    struct sheet *none = sheet_create((struct sheet_column[]){{"b", NULL}, {NULL}});
    struct sheet *table = sheet_create(columns);
    sheet_add(none, &(struct sheet_cell){"unseen"});
    check_table(none, (struct table_style){0}, "");
    check_table(table, (struct table_style){0}, "a\n-\n");
    sheet_add(table, (struct sheet_cell[]){{"unseen"}, {.number = 12}});
    sheet_add_note(table, "%d row", 1);
    check_table(table, (struct table_style){.colour = true},
                "\033[1m a\033[0m\n\033[2m--\033[0m\n12\n1 row\n");
    sheet_destroy(none);
    sheet_destroy(table);
    sheet_destroy(NULL);
}

/* --- kinds of columns in all formats ------------------------------------------------ */

static const struct sheet_column kinds[] = {
    {"name", "name", NULL, SHEET_TEXT},
    {"file", NULL, NULL, SHEET_TEXT, .files = SHEET_CSV_ONLY},
    {"source", NULL, NULL, SHEET_TEXT, .files = SHEET_JSON_ONLY},
    {"rate", "rate", NULL, SHEET_NUMBER, .dim = IN_BYTES_PER_S, .object = "of"},
    {"fixed", "fixed", NULL, SHEET_FIXED, .digits = 2, .object = "of"},
    {"count", "count", NULL, SHEET_COUNT, .object = "more"},
    {"id", "id", NULL, SHEET_INTEGER},
    {NULL, "share", NULL, SHEET_SHARE},
    {"error", "error", "%", SHEET_PERCENT},
    {"size", "size", "MB", SHEET_MEGABYTES, .digits = 3},
    {"grid", "grid", NULL, SHEET_SHAPE},
    {"whole", "whole", NULL, SHEET_TRUTH},
    {NULL}};

static struct sheet *sheet_of_kinds(void)
{
    static const uint32_t grid[] = {64, 2, 1};
    const double unknown = (double)NAN;
    struct sheet *sheet = sheet_create(kinds);
    sheet_add(sheet, (struct sheet_cell[]){{"a,b"},
                                           {"f"},
                                           {"s"},
                                           {.number = 768e9},
                                           {.number = 1.5},
                                           {.number = 6e9},
                                           {.integer = 9007199254740993},
                                           {.number = 0.12345},
                                           {.number = 0.125},
                                           {.number = 1234567},
                                           {.shape = grid},
                                           {.number = 1}});
    sheet_add(sheet, (struct sheet_cell[]){{NULL},
                                           {NULL},
                                           {NULL},
                                           {.number = unknown},
                                           {.number = unknown},
                                           {.number = unknown},
                                           {.integer = SHEET_UNKNOWN},
                                           {.number = unknown},
                                           {.number = unknown},
                                           {.number = unknown},
                                           {.shape = NULL},
                                           {.number = 0}});
    return sheet;
}

static void write_kinds(struct json *json)
{
    struct sheet *sheet = sheet_of_kinds();
    sheet_print_json(sheet, json);
    sheet_destroy(sheet);
}

static void write_kinds_csv(struct json *json)
{
    struct sheet *sheet = sheet_of_kinds();
    sheet_print_csv(sheet, &(struct csv_writer){.stream = json->stream});
    sheet_destroy(sheet);
}

/* Runs `write` on a memory stream. */
static char *json_written(void (*write)(struct json *json))
{
    char *data = NULL;
    size_t size = 0;
    struct json json = {.stream = open_memstream(&data, &size)};
    write(&json);
    assert_int_equal(json.depth, 0);
    fclose(json.stream);
    return data;
}

TEST(test_kinds)
{
    struct sheet *sheet = sheet_of_kinds();
    check_table(
        sheet, (struct table_style){0},
        "name      rate  fixed       count                id   share  error  size  grid  whole\n"
        "                                                                 %    MB\n"
        "----  --------  -----  ----------  ----------------  ------  -----  ----  ----  -----\n"
        "a,b   768 GB/s   1.50  6000000000  9007199254740993  12.3 %  12.50  1.23  64x2    yes\n"
        "-            -      -           -                 -       -      -     -     -     no\n");
    char *csv = json_written(write_kinds_csv), *json = json_written(write_kinds);
    assert_string_equal(csv,
                        "name,file,rate,fixed,count,id,error,size,grid_x,grid_y,grid_z,whole\n"
                        "\"a,b\",f,7.68e+11,1.5,6e+09,9007199254740993,0.125,1234567,64,2,1,1\n"
                        "\"\",,,,,,,,,,,0\n");
    assert_string_equal(json, "[\n"
                              "  {\n"
                              "    \"name\": \"a,b\",\n"
                              "    \"source\": \"s\",\n"
                              "    \"of\": {\n"
                              "      \"rate\": 7.68e+11,\n"
                              "      \"fixed\": 1.5\n"
                              "    },\n"
                              "    \"more\": {\n"
                              "      \"count\": 6e+09\n"
                              "    },\n"
                              "    \"id\": 9007199254740993,\n"
                              "    \"error\": 0.125,\n"
                              "    \"size\": 1234567,\n"
                              "    \"grid\": [64, 2, 1],\n"
                              "    \"whole\": true\n"
                              "  },\n"
                              "  {\n"
                              "    \"name\": null,\n"
                              "    \"source\": null,\n"
                              "    \"of\": {\n"
                              "      \"rate\": null,\n"
                              "      \"fixed\": null\n"
                              "    },\n"
                              "    \"more\": {\n"
                              "      \"count\": null\n"
                              "    },\n"
                              "    \"id\": null,\n"
                              "    \"error\": null,\n"
                              "    \"size\": null,\n"
                              "    \"grid\": null,\n"
                              "    \"whole\": false\n"
                              "  }\n"
                              "]\n");
    free(json);
    free(csv);
    sheet_destroy(sheet);
}

static void write_nested(struct json *json)
{
    json_begin_array(json);
    json_begin_object(json);
    json_key(json, "machine"), json_string(json, "sac");
    json_key(json, "metrics");
    json_begin_object(json);
    json_key(json, "effective_bandwidth"), json_number(json, 3.072e12);
    json_key(json, "third"), json_number(json, 1.0 / 3.0);
    json_end_object(json);
    json_key(json, "none"), json_null(json);
    json_key(json, "nan"), json_number(json, (double)NAN);
    json_key(json, "inf"), json_number(json, -HUGE_VAL);
    json_key(json, "count"), json_integer(json, -9007199254740993);
    json_key(json, "yes"), json_bool(json, true);
    json_key(json, "curve"), json_numbers(json, (double[]){1, 0.5, (double)NAN}, 3);
    json_key(json, "empty");
    json_begin_array(json);
    json_end_array(json);
    json_key(json, "list");
    json_begin_array(json);
    json_begin_object(json);
    json_end_object(json);
    json_string(json, NULL);
    json_end_array(json);
    json_end_object(json);
    json_bool(json, false);
    json_end_array(json);
}

TEST(test_json_nested)
{
    char *text = json_written(write_nested);
    assert_string_equal(text, "[\n"
                              "  {\n"
                              "    \"machine\": \"sac\",\n"
                              "    \"metrics\": {\n"
                              "      \"effective_bandwidth\": 3.072e+12,\n"
                              "      \"third\": 0.3333333333333333\n"
                              "    },\n"
                              "    \"none\": null,\n"
                              "    \"nan\": null,\n"
                              "    \"inf\": null,\n"
                              "    \"count\": -9007199254740993,\n"
                              "    \"yes\": true,\n"
                              "    \"curve\": [1, 0.5, null],\n"
                              "    \"empty\": [],\n"
                              "    \"list\": [\n"
                              "      {},\n"
                              "      null\n"
                              "    ]\n"
                              "  },\n"
                              "  false\n"
                              "]\n");
    free(text);
}

static void write_strings(struct json *json)
{
    json_begin_array(json);
    json_string(json, "say \"hi\"\\ \n\t\r \x01\x1f\x7f /");
    json_string(json, "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    /* Not UTF-8: a lone byte, cut off, overlong, a surrogate, above U+10FFFF. */
    json_string(json, "a\xff"
                      "b");
    json_string(json, "\xe2\x82");
    json_string(json, "\xc0\x80");
    json_string(json, "\xed\xa0\x80");
    json_string(json, "\xf4\x90\x80\x80");
    json_end_array(json);
}

TEST(test_json_strings)
{
#define BAD "\xef\xbf\xbd"
    char *text = json_written(write_strings);
    assert_string_equal(text, "[\n"
                              "  \"say \\\"hi\\\"\\\\ \\n\\t\\r \\u0001\\u001f\\u007f /\",\n"
                              "  \"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\",\n"
                              "  \"a" BAD "b\",\n"
                              "  \"" BAD BAD "\",\n"
                              "  \"" BAD BAD "\",\n"
                              "  \"" BAD BAD BAD "\",\n"
                              "  \"" BAD BAD BAD BAD "\"\n"
                              "]\n");
    free(text);
#undef BAD
}

static void write_scalar(struct json *json)
{
    json_number(json, 0.1);
}

TEST(test_json_scalar)
{
    char *text = json_written(write_scalar);
    assert_string_equal(text, "0.1\n");
    free(text);
}
