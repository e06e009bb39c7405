/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV: what is written is read back, rows stay as they were, and every wrong
 * file has one error with its place. */
#include "check.h"

#include "core/csv.h"
#include "core/memory.h"

static struct csv *parse(const char *text)
{
    struct csv *csv;
    check_ok(csv_parse("x.csv", text, strlen(text), &csv, &failure));
    return csv;
}

static void check_cell(const struct csv *csv, size_t row, size_t column, const char *expected)
{
    struct text scratch = {0};
    assert_string_equal(csv_cell(csv, row, column, &scratch), expected);
    text_free(&scratch);
}

static void check_row(const struct csv *csv, long row, const char *expected)
{
    struct csv_slice slice = csv_row(csv, row);
    assert_int_equal(slice.length, strlen(expected));
    assert_memory_equal(slice.data, expected, slice.length);
}

TEST(test_read)
{
    struct csv *csv = parse("a,b c,\"d,\"\"e\"\"\"\n"
                            "1,, x \n"
                            "\"line\nbreak\",\"\",\"\"\"\"\n"
                            "7,8,9");
    assert_int_equal(csv->columns, 3);
    assert_int_equal(csv->rows, 3);
    assert_string_equal(csv->titles[1], "b c");
    assert_string_equal(csv->titles[2], "d,\"e\"");
    check_row(csv, -1, "a,b c,\"d,\"\"e\"\"\"");
    check_row(csv, 0, "1,, x ");
    check_row(csv, 1, "\"line\nbreak\",\"\",\"\"\"\"");
    check_row(csv, 2, "7,8,9");
    check_cell(csv, 0, 0, "1");
    check_cell(csv, 0, 1, "");
    check_cell(csv, 0, 2, " x ");
    check_cell(csv, 1, 0, "line\nbreak");
    check_cell(csv, 1, 1, "");
    check_cell(csv, 1, 2, "\"");
    struct mark mark = csv_mark(csv, 2, 1);
    assert_int_equal(mark.line, 5);
    assert_int_equal(mark.column, 3);
    mark = csv_mark(csv, 1, 0);
    assert_int_equal(mark.line, 3);
    assert_int_equal(mark.column, 2);
    csv_destroy(csv);
}

TEST(test_line_ends)
{
    struct csv *csv = parse("\xef\xbb\xbf\r\n\na,b\r\n\r\n1,\"2\r\n3\"\r\n\n4,5\n\n\n");
    assert_int_equal(csv->rows, 2);
    assert_string_equal(csv->titles[0], "a");
    check_row(csv, 0, "1,\"2\r\n3\"");
    check_cell(csv, 0, 1, "2\r\n3");
    check_row(csv, 1, "4,5");
    assert_int_equal(csv_mark(csv, 1, 0).line, 8);
    csv_destroy(csv);

    csv = parse("only");
    assert_int_equal(csv->rows, 0);
    csv_destroy(csv);
    csv = parse("only\n\"\"\nx\n");
    assert_int_equal(csv->rows, 2);
    check_cell(csv, 0, 0, "");
    csv_destroy(csv);
    csv_destroy(NULL);
}

TEST(test_numbers)
{
    struct csv *csv = parse("n,x\n 1.5 ,a\n\"-2e3\",b\n\t0x10,c\n");
    double numbers[3];
    size_t column;
    check_ok(csv_column(csv, "x", &column, &failure));
    assert_int_equal(column, 1);
    check_error(csv_numbers(csv, 0, numbers, &failure), STATUS_INPUT,
                "x.csv:4:1: error: column \"n\": expected a finite number, got \"0x10\"");
    check_relative(numbers[0], 1.5, 0);
    check_relative(numbers[1], -2000, 0);
    check_error(csv_column(csv, "nn", &column, &failure), STATUS_INPUT, "did you mean \"n\"?");
    check_error(csv_column(csv, "bandwidth", &column, &failure), STATUS_INPUT,
                "hint: columns: n, x");
    csv_destroy(csv);

    static const struct {
        const char *text, *words;
    } bad[] = {
        {"k,n\n1,2\n3,\n", "x.csv:3:3: error: column \"n\": expected a number, the cell is empty"},
        {"k,n\n1,2\n3,\"  \"\n", "x.csv:3:4: error: column \"n\": expected a number"},
        {"k,n\n1,nan\n", "x.csv:2:3: error: column \"n\": expected a finite number, got \"nan\""},
        {"k,n\n1,-inf\n", "got \"-inf\""},
        {"k,n\n1,1e999\n", "got \"1e999\""},
        {"k,n\n\"a\nb\",12 GB\n", "x.csv:3:4: error: column \"n\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        csv = parse(bad[i].text);
        check_error(csv_numbers(csv, 1, numbers, &failure), STATUS_INPUT, bad[i].words);
        csv_destroy(csv);
    }
}

TEST(test_errors)
{
    struct csv *csv;
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "x.csv is empty"},
        {"\n\r\n\n", "x.csv is empty"},
        {"\xef\xbb\xbf", "x.csv is empty"},
        {"a,b\n1,2\n3\n", "x.csv:3:1: error: this row has 1 cell, but the header has 2"},
        {"a,b\n\"x\ny\",2\n1,2,3\n", "x.csv:4:1: error: this row has 3 cells"},
        {"a,b,a\n", "x.csv:1:5: error: columns 1 and 3 have the same name \"a\""},
        {"a,\"a\"\n", "x.csv:1:3: error: columns 1 and 2 have the same name"},
        {"a,,b\n", "x.csv:1:3: error: column 2 has no name"},
        {"a,b,\n", "x.csv:1:5: error: column 3 has no name"},
        {"a\n\"x\n", "x.csv:2:1: error: this quote is never closed"},
        {"a\n\"x\"\"\n", "x.csv:2:1: error: this quote is never closed"},
        {"a\n5\" disk\n", "x.csv:2:2: error: a quote inside a cell"},
        {"a,b\n\"x\"y,2\n", "x.csv:2:4: error: expected a comma or the end of the line"},
        {"a,b\r1,2\r", "x.csv:1:4: error: a carriage return without a line feed"},
        {"a\n\"b\"\rc\n", "x.csv:2:4: error: a carriage return without a line feed"},
        {"\xef\xbb\xbf"
         "a,a\n",
         "x.csv:1:3: error: columns 1 and 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_error(csv_parse("x.csv", bad[i].text, strlen(bad[i].text), &csv, &failure),
                    STATUS_INPUT, bad[i].words);
        assert_null(csv);
    }
    check_error(csv_parse("x.csv", "a\nb\0c\n", 6, &csv, &failure), STATUS_INPUT,
                "x.csv:2:2: error: a NUL byte");
    check_error(csv_load("/nonexistent/x.csv", &csv, &failure), STATUS_INPUT, "cannot open");

    csv = parse("a;b\n1;2\n");
    size_t column;
    check_error(csv_column(csv, "bandwidth", &column, &failure), STATUS_INPUT,
                "separated by commas");
    csv_destroy(csv);
}

TEST(test_cell_limit)
{
    struct csv *csv;
    size_t size = CSV_CELL_LIMIT + 8;
    char *text = memory_alloc(size);
    memset(text, 'x', size);
    memcpy(text, "a\n", 2);
    check_ok(csv_parse("x.csv", text, CSV_CELL_LIMIT + 2, &csv, &failure));
    csv_destroy(csv);
    check_error(csv_parse("x.csv", text, CSV_CELL_LIMIT + 3, &csv, &failure), STATUS_INPUT,
                "x.csv:2:1: error: this cell has more than 10 MiB");
    free(text);
}

/* Random cells of troublesome characters, written and read back. */
TEST(test_round_trip)
{
    uint64_t seed = 1;
    static const char letters[] = ",\"\n\r ab\xc3\xa9;'";
    for (int round = 0; round < check_rounds(300, 3000); round++) {
        size_t columns = 1 + check_random(&seed) % 5, rows = check_random(&seed) % 20, size = 0;
        char cells[100][12], *data = NULL, title[24];
        double numbers[20], back[20];
        struct csv_writer writer = {.stream = open_memstream(&data, &size)};
        for (size_t c = 0; c < columns; c++) {
            snprintf(title, sizeof title, "t\"%zu", c);
            csv_write_text(&writer, title);
        }
        csv_write_text(&writer, "number");
        csv_end_row(&writer);
        for (size_t r = 0; r < rows; r++) {
            for (size_t c = 0; c < columns; c++) {
                char *cell = cells[r * columns + c];
                size_t length = check_random(&seed) % 11;
                for (size_t i = 0; i < length; i++)
                    cell[i] = letters[check_random(&seed) % (sizeof letters - 1)];
                cell[length] = '\0';
                csv_write_text(&writer, cell);
            }
            uint64_t bits = check_random(&seed);
            memcpy(&numbers[r], &bits, sizeof bits);
            if (!isfinite(numbers[r]))
                numbers[r] = 0.1;
            csv_write_number(&writer, numbers[r]);
            csv_end_row(&writer);
        }
        fclose(writer.stream);
        struct csv *csv;
        check_ok(csv_parse("x.csv", data, size, &csv, &failure));
        assert_int_equal(csv->rows, rows);
        assert_int_equal(csv->columns, columns + 1);
        for (size_t i = 0; i < rows * columns; i++)
            check_cell(csv, i / columns, i % columns, cells[i]);
        check_ok(csv_numbers(csv, columns, back, &failure));
        assert_memory_equal(back, numbers, rows * sizeof *back);
        /* The rows, put together again, are the file. */
        struct text copy = {0};
        for (long r = -1; r < (long)rows; r++) {
            struct csv_slice row = csv_row(csv, r);
            text_append_bytes(&copy, row.data, row.length);
            text_append(&copy, "\n");
        }
        assert_int_equal(copy.length, size);
        assert_memory_equal(copy.data, data, size);
        text_free(&copy);
        csv_destroy(csv);
        free(data);
    }
}

TEST(test_written)
{
    char *data = NULL;
    size_t size = 0;
    struct csv_writer writer = {.stream = open_memstream(&data, &size)};
    csv_write_text(&writer, "plain");
    csv_write_text(&writer, "with, comma");
    csv_write_text(&writer, "");
    csv_write_text(&writer, " blank");
    csv_end_row(&writer);
    csv_write_number(&writer, 0.1);
    csv_write_number(&writer, 437.5e9);
    csv_write_number(&writer, (double)NAN);
    csv_write_known(&writer, (double)NAN);
    csv_write_known(&writer, 2);
    csv_write_integer(&writer, UINT64_MAX);
    csv_end_row(&writer);
    csv_write_text(&writer, "");
    csv_end_row(&writer);
    fclose(writer.stream);
    assert_string_equal(data, "plain,\"with, comma\",,\" blank\"\n"
                              "0.1,4.375e+11,nan,,2,18446744073709551615\n"
                              "\"\"\n");
    free(data);
}

/* Random bytes never crash, and what is accepted has consistent rows. */
TEST(test_random_bytes)
{
    uint64_t seed = 3;
    static const char letters[] = ",,,\"\"\n\n\r1a\0\xff";
    for (int round = 0; round < check_damages(20000, 200000); round++) {
        char text[24];
        size_t size = check_random(&seed) % sizeof text;
        for (size_t i = 0; i < size; i++)
            text[i] = letters[check_random(&seed) % (sizeof letters - 1)];
        struct csv *csv;
        if (csv_parse("x.csv", text, size, &csv, &failure) == 0) {
            struct text scratch = {0};
            for (size_t r = 0; r < csv->rows; r++) {
                assert_true(csv_row(csv, (long)r).length <= size);
                csv_cell(csv, r, csv->columns - 1, &scratch);
            }
            text_free(&scratch);
            csv_destroy(csv);
        } else {
            assert_int_equal(failure.status, STATUS_INPUT);
        }
    }
}
