/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and JSON. */
#include "check.h"

#include "core/memory.h"
#include "report/json.h"
#include "report/table.h"

static void check_table(const struct table *table, struct table_style style, const char *expected)
{
    struct text text = {0};
    table_render(table, &style, &text);
    assert_string_equal(text.data, expected);
    text_free(&text);
}

static struct table *sample_table(void)
{
    struct table *table = table_create();
    table_column(table, "organisation", NULL, TABLE_LEFT);
    table_column(table, "bandwidth", "TB/s", TABLE_RIGHT);
    table_column(table, "limit", "", TABLE_LEFT);
    table_cell(table, "memory-side");
    table_number(table, 1.23456, 3);
    table_cell(table, "inter-chip links\tof the ring");
    table_rule(table);
    table_cell(table, "sac");
    table_number(table, (double)NAN, 3);
    table_mark_row(table);
    table_end_row(table);
    table_cell(table, "\xc3\xa9t\xc3\xa9");
    table_quantity(table, (struct quantity){768e9, DIM_BYTES_PER_S}, 3);
    table_printf(table, "%d of %d", 3, 4);
    return table;
}

TEST(test_percent)
{
    struct table *table = table_create();
    table_column(table, "hits", NULL, TABLE_RIGHT);
    table_percent(table, 0.12345);
    table_percent(table, (double)NAN);
    table_percent(table, 1);
    check_table(table, (struct table_style){0}, "   hits\n-------\n 12.3 %\n      -\n100.0 %\n");
    table_destroy(table);
}

TEST(test_table)
{
    struct table *table = sample_table();
    check_table(table, (struct table_style){0},
                "organisation  bandwidth  limit\n"
                "                   TB/s\n"
                "------------  ---------  ----------------------------\n"
                "memory-side        1.23  inter-chip links of the ring\n"
                "------------  ---------  ----------------------------\n"
                "sac                   -\n"
                "\xc3\xa9t\xc3\xa9            768 GB/s  3 of 4\n");
    table_destroy(table);
}

TEST(test_table_width)
{
    struct table *table = sample_table();
    check_table(table, (struct table_style){.width = 40, .indent = 1},
                " organisation  bandwidth  limit\n"
                "                    TB/s\n"
                " ------------  ---------  --------------\n"
                " memory-side        1.23  inter-chip li\xe2\x80\xa6\n"
                " ------------  ---------  --------------\n"
                " sac                   -\n"
                " \xc3\xa9t\xc3\xa9            768 GB/s  3 of 4\n");
    check_table(table, (struct table_style){.width = 39, .ascii = true},
                "organisation  bandwidth  limit\n"
                "                   TB/s\n"
                "------------  ---------  --------------\n"
                "memory-side        1.23  inter-chip li~\n"
                "------------  ---------  --------------\n"
                "sac                   -\n"
                "?t?            768 GB/s  3 of 4\n");
    /* Numbers are never cut; text keeps eight characters. */
    check_table(table, (struct table_style){.width = 5},
                "organis\xe2\x80\xa6  bandwidth  limit\n"
                "               TB/s\n"
                "--------  ---------  --------\n"
                "memory-\xe2\x80\xa6       1.23  inter-c\xe2\x80\xa6\n"
                "--------  ---------  --------\n"
                "sac               -\n"
                "\xc3\xa9t\xc3\xa9        768 GB/s  3 of 4\n");
    table_destroy(table);
}

TEST(test_table_colour_and_empty)
{
    struct table *table = table_create();
    check_table(table, (struct table_style){0}, "");
    table_column(table, "a", NULL, TABLE_RIGHT);
    check_table(table, (struct table_style){0}, "a\n-\n");
    table_number(table, 12, 2);
    table_mark_row(table);
    table_number(table, 3, 2);
    check_table(table, (struct table_style){.colour = true},
                "\033[1m a\033[0m\n\033[2m--\033[0m\n\033[1m12\033[0m\n 3\n");
    table_destroy(table);
    table_destroy(NULL);
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
