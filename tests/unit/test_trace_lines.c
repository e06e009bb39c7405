/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of plain and compressed files, whole and damaged. */
#include "trace_check.h"

#include <lzma.h>

#include "trace/input/line_reader.h"
#include "trace/input/scan.h"

/* Reads all lines and counts those that are numbers from 0 up. */
static int read_numbers(const char *path, int *count, struct error *error)
{
    struct line_reader *lines;
    const char *line;
    *count = 0;
    int status = line_reader_open(path, &lines, error);
    if (status)
        return status;
    while ((status = line_reader_next(lines, &line, error)) > 0) {
        *count += atoi(line) == *count;
    }
    line_reader_close(lines);
    return status;
}

static char *numbers(int count, size_t *size)
{
    struct text text = {0};
    for (int i = 0; i < count; i++)
        text_printf(
            &text, "%d %.*s\n", i, i % 90,
            "..............................................................................."
            "............");
    *size = text.length;
    return text.data;
}

static uint8_t *compress(const char *data, size_t size, size_t *out_size)
{
    size_t room = lzma_stream_buffer_bound(size);
    uint8_t *out = memory_alloc(room);
    *out_size = 0;
    if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)data, size, out,
                                out_size, room) != LZMA_OK)
        fail_msg("lzma_easy_buffer_encode");
    return out;
}

TEST(test_plain_and_xz)
{
    size_t size, packed_size;
    int count;
    char *text = numbers(20000, &size);
    uint8_t *packed = compress(text, size, &packed_size);
    check_ok(read_numbers(check_file_bytes("a", text, size), &count, &failure));
    assert_int_equal(count, 20000);
    check_ok(read_numbers(check_file_bytes("a", text, size - 1), &count, &failure));
    assert_int_equal(count, 20000); /* the last line needs no end */
    check_ok(read_numbers(check_file_bytes("a.xz", packed, packed_size), &count, &failure));
    assert_int_equal(count, 20000);
    free(packed);
    free(text);
}

TEST(test_xz_of_several_streams)
{
    struct text both = {0};
    size_t size;
    int count;
    uint8_t *one = compress("0\n1\n", 4, &size);
    text_append_bytes(&both, (const char *)one, size);
    free(one);
    one = compress("2\n3\n", 4, &size);
    text_append_bytes(&both, (const char *)one, size);
    free(one);
    check_ok(read_numbers(check_file_bytes("a.xz", both.data, both.length), &count, &failure));
    assert_int_equal(count, 4);
    text_free(&both);
}

TEST(test_damaged_xz)
{
    size_t size, packed_size;
    int count;
    uint64_t random = 3;
    char *text = numbers(4000, &size);
    uint8_t *packed = compress(text, size, &packed_size);
    for (size_t cut = 0; cut < packed_size; cut += 1 + packed_size / 200)
        check_error(read_numbers(check_file_bytes("a.xz", packed, cut), &count, &failure),
                    STATUS_INPUT, "the compressed file ends early");
    for (int round = 0; round < 200; round++) {
        size_t at = check_random(&random) % packed_size;
        uint8_t old = packed[at];
        packed[at] ^= (uint8_t)(1 + check_random(&random) % 255);
        int status = read_numbers(check_file_bytes("a.xz", packed, packed_size), &count, &failure);
        if (status != STATUS_INPUT || !failure.text[0])
            fail_msg("byte %zu: status %d", at, status);
        packed[at] = old;
    }
    packed[packed_size / 2] ^= 0x55;
    check_error(read_numbers(check_file_bytes("a.xz", packed, packed_size), &count, &failure),
                STATUS_INPUT, "the compressed file is corrupt");
    assert_non_null(strstr(failure.hint, "xz --test"));
    check_error(read_numbers(check_file_bytes("a.xz", text, size), &count, &failure), STATUS_INPUT,
                "no xz file");
    free(packed);
    free(text);
}

/* Wrong text out of a damaged file: the damage is what must be told. */
TEST(test_blame)
{
    struct trace_items all;
    struct text text = {0};
    size_t size;
    text_append(&text, "bandscape-trace 1\n");
    for (int i = 0; i < 30000; i++)
        text_printf(&text, "r %d 4\n", i * 7919 % 30011);
    uint8_t *packed = compress(text.data, text.length, &size);
    check_ok(trace_read_file(check_file_bytes("a.btrace.xz", packed, size), false, &all, &failure));
    assert_int_equal(all.accesses.count, 30000);
    trace_items_free(&all);
    for (size_t at = size / 8; at < size; at += size / 8) {
        packed[at] ^= 1;
        check_error(
            trace_read_file(check_file_bytes("a.btrace.xz", packed, size), false, &all, &failure),
            STATUS_INPUT, "compressed file");
        packed[at] ^= 1;
    }
    free(packed);
    text_printf(&text, "r x 4\nr 1 4\n");
    packed = compress(text.data, text.length, &size);
    check_error(
        trace_read_file(check_file_bytes("a.btrace.xz", packed, size), false, &all, &failure),
        STATUS_INPUT, "a.btrace.xz:30002:3: error: expected an address");
    free(packed);
    text_free(&text);
}

TEST(test_hold_and_marks)
{
    struct line_reader *lines;
    const char *line;
    const char *path = check_file("a", "one\r\n\n \t\n  two  \nthree");
    check_ok(line_reader_open(path, &lines, &failure));
    assert_int_equal(line_reader_next_filled(lines, &line, &failure), 1);
    assert_string_equal(line, "one");
    assert_int_equal(line_reader_next_filled(lines, &line, &failure), 1);
    assert_string_equal(line, "two  ");
    struct mark mark = line_reader_mark(lines, line + 1);
    assert_int_equal(mark.line, 4);
    assert_int_equal(mark.column, 4);
    assert_string_equal(mark.source, "  two  ");
    line_reader_hold(lines);
    assert_int_equal(line_reader_next(lines, &line, &failure), 1);
    assert_string_equal(line, "  two  ");
    assert_int_equal(line_reader_mark(lines, line).line, 4);
    assert_int_equal(line_reader_next(lines, &line, &failure), 1);
    assert_string_equal(line, "three");
    assert_int_equal(line_reader_next(lines, &line, &failure), 0);
    assert_string_equal(line, "");
    assert_int_equal(line_reader_mark(lines, line).line, 5);
    assert_int_equal(line_reader_next(lines, &line, &failure), 0);
    line_reader_close(lines);
    line_reader_close(NULL);
}

/* Lines of every length around the size of a piece. */
TEST(test_lengths)
{
    struct text text = {0};
    struct line_reader *lines;
    const char *line;
    for (int i = 0; i < 40; i++)
        text_printf(&text, "%*d\n", 65536 - 20 + i, i);
    check_ok(line_reader_open(check_file("a", text.data), &lines, &failure));
    for (int i = 0; i < 40; i++) {
        assert_int_equal(line_reader_next(lines, &line, &failure), 1);
        assert_int_equal(strlen(line), 65536 - 20 + i);
        assert_int_equal(atoi(line), i);
    }
    assert_int_equal(line_reader_next(lines, &line, &failure), 0);
    line_reader_close(lines);
    text_free(&text);
}

TEST(test_scanners)
{
    uint64_t value;
    int64_t number;
    const char *text = "  0x7fC8 7fc8,", *at = text;
    assert_true(scan_hex(&at, UINT64_MAX, &value));
    assert_int_equal(value, 0x7fc8);
    assert_false(scan_hex(&at, UINT64_MAX, &value)); /* a comma ends no field */
    assert_ptr_equal(at, text + 9);
    at = "ffffffffffffffff 0";
    assert_true(scan_hex(&at, UINT64_MAX, &value));
    assert_true(value == UINT64_MAX);
    at = "10000000000000000";
    assert_false(scan_hex(&at, UINT64_MAX, &value));
    at = "100";
    assert_false(scan_hex(&at, 0xff, &value));
    at = "9999999999999999999 ";
    assert_true(scan_decimal(&at, UINT64_MAX, &value));
    assert_true(value == 9999999999999999999u);
    at = "10000000000000000000";
    assert_false(scan_decimal(&at, UINT64_MAX, &value));
    at = "12a";
    assert_false(scan_decimal(&at, UINT64_MAX, &value));
    at = "-1583 +4 -";
    assert_true(scan_signed(&at, &number));
    assert_int_equal(number, -1583);
    assert_true(scan_signed(&at, &number));
    assert_int_equal(number, 4);
    assert_false(scan_signed(&at, &number));
    at = "-9223372036854775808";
    assert_false(scan_signed(&at, &number));
}
