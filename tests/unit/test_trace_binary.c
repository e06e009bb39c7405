/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The binary form: its bytes by hand, nothing lost on the way from and to the
 * text form, and damage of every kind noticed. */
#include "trace_check.h"

#include <lzma.h>
#include <xxhash.h>

#include "core/parallel.h"
#include "trace/binary_format.h"
#include "trace/text_format.h"

/* --- files made by hand ----------------------------------------------------- */

static const char head[] = BINARY_FORMAT_MAGIC "\x08\0\0\0\0\0\0\0";
#define HEAD_SIZE (sizeof head - 1)

static void put_number(struct text *file, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        text_append_bytes(file, &(char){(char)(value >> (8 * i))}, 1);
}

/* Appends a block with the right checksum. */
static void put_block(struct text *file, uint32_t kind, const void *payload, size_t size)
{
    struct text block = {0};
    put_number(&block, kind, 4);
    put_number(&block, size, 4);
    text_append_bytes(&block, payload, size);
    put_number(file, XXH3_64bits_withSeed(block.data, block.length, file->length), 8);
    text_append_bytes(file, block.data, block.length);
    text_free(&block);
}

/* A string literal as payload. */
#define PUT(file, kind, payload) put_block(file, kind, payload, sizeof(payload) - 1)
/* A kernel "k" with a grid of 2 and blocks of 64, and one that takes what comes. */
#define KERNEL "\0\x02\x01\x01\x40\x01\x01\0\x01k"
#define OPEN_KERNEL "\0\0\0\0\0\0\0\0\x01k"

static struct text begun(void)
{
    struct text file = {0};
    text_append_bytes(&file, head, HEAD_SIZE);
    return file;
}

/* The same content as the example of trace/text_format.h, and more. */
static const char example[] = "bandscape-trace 1\n"
                              "allocation x 0x10000 4096\n"
                              "allocation - 0x20000 4096\n"
                              "home 0x10000 4096 1\n"
                              "kernel k grid=2 block=64 shared=1024 dropped-local=7\n"
                              "warp 0 0\n"
                              "r 0x10000 4 stride=4 mask=0xffffffff insts=9\n"
                              "r 0x10080 4 stride=4 mask=0xffffffff insts=9\n"
                              "w 0x20000 8 stride=-16 mask=0x0000000f bypass\n"
                              "i 1\n"
                              "warp 1 1\n"
                              "a 0x20010,+4,+4,+64,-8 16 insts=3\n";

static struct text example_by_hand(void)
{
    struct text file = begun();
    PUT(&file, BINARY_RANGES,
        "\x01\x80\x80\x04\x80\x20\x01x\x01\x80\x80\x08\x80\x20\x00\x02\x80\x80\x04\x80\x20\x01");
    PUT(&file, BINARY_KERNEL, "\0\x02\x01\x01\x40\x01\x01\x80\x08\x01k");
    PUT(&file, BINARY_ACCESSES,
        "\x82\x07\0\0" /* dropped */
        "\x80\0\0"     /* CTA 0 warp 0 */
        "\x10\x80\x80\x08\x09"
        "\x00\x80\x02"                 /* 128 behind the last */
        "\x0a\x80\x80\x10\x2e\x0f\x1f" /* 0x20000 behind the first of all, shape */
        "\x81\x01"                     /* i 1 */
        "\x80\x01\x01"                 /* CTA 1 warp 1 */
        "\x38\x20\x17\x1f\x00\x03\x08\x08\x80\x01\x0f" /* list */);
    PUT(&file, BINARY_END, "");
    return file;
}

static char *write_form(const char *path, bool binary, size_t *size)
{
    struct source *source;
    char *data = NULL;
    FILE *stream = open_memstream(&data, size);
    assert_non_null(stream);
    check_ok(source_open_trace(path, &source, &failure));
    check_ok((binary ? trace_write_binary : trace_write_text)(source, stream, &failure));
    source_destroy(source);
    fclose(stream);
    return data;
}

TEST(test_bytes)
{
    size_t size;
    struct text file = example_by_hand();
    char *written = write_form(check_file("example.btrace", example), true, &size);
    assert_int_equal(size, file.length);
    assert_memory_equal(written, file.data, size);
    free(written);
    written = write_form(check_file_bytes("hand.bstream", file.data, file.length), false, &size);
    size_t want;
    char *normal = write_form(check_file("example.btrace", example), false, &want);
    assert_string_equal(written, normal);
    free(normal);
    free(written);
    text_free(&file);
}

/* What the text form cannot say: open launches beside ranges at the end. */
TEST(test_open_launch)
{
    OWNED(source) *source = NULL;
    struct trace_items all;
    struct text file = begun();
    PUT(&file, BINARY_KERNEL, OPEN_KERNEL);
    PUT(&file, BINARY_ACCESSES, "\x80\x04\x02\x00\x00");
    PUT(&file, BINARY_ACCESSES, "\x82\x01\x02\x03");
    PUT(&file, BINARY_RANGES, "\x01\x40\x10\x03xyz");
    PUT(&file, BINARY_ACCESSES, "\x80\x00\x00\x00\x02\x82\x01\x02\x03");
    PUT(&file, BINARY_KERNEL, KERNEL);
    PUT(&file, BINARY_RANGES, "\x01\x20\x10\x01x");
    PUT(&file, BINARY_END, "");
    /* Found by its first bytes, whatever the name. */
    check_ok(
        source_open_trace(check_file_bytes("open", file.data, file.length), &source, &failure));
    assert_int_equal(source->allocations.count, 2);
    assert_string_equal(source->allocations.items[0].name, "x");
    assert_string_equal(source->allocations.items[1].name, "xyz");
    check_ok(trace_read(source, false, &all, &failure));
    assert_int_equal(all.kernels.count, 2);
    assert_int_equal(all.kernels.items[0].launch.n_ctas, 5);
    assert_int_equal(all.kernels.items[0].launch.warps_per_cta, 3);
    assert_int_equal(all.kernels.items[0].launch.dropped.bulk, 4);
    assert_int_equal(all.kernels.items[1].launch.n_ctas, 2);
    assert_int_equal(all.kernels.items[1].launch.dropped.bulk, 0);
    assert_int_equal(all.accesses.count, 2);
    assert_true(all.accesses.items[0].addresses[0] == 1); /* a block begins anew */
    assert_true(all.accesses.items[1].addresses[31] == 31 * 4);
    trace_items_free(&all);
    text_free(&file);
}

/* --- round trips ------------------------------------------------------------ */

/* A trace and its binary form are the same streams, have the same text form,
 * and the binary form of that is the same bytes. */
static void check_round_trip(const char *path)
{
    struct trace_items before, after;
    size_t size, text_size, again_size;
    char *kept = memory_strdup(path);
    char *text = write_form(kept, false, &text_size);
    char *binary = write_form(kept, true, &size);
    char *copy = memory_strdup(check_file_bytes("copy.bstream", binary, size));
    for (int ordered = 0; ordered < 2; ordered++) {
        check_ok(trace_read_file(kept, ordered, &before, &failure));
        check_ok(trace_read_file(copy, ordered, &after, &failure));
        trace_check_equal(&before, &after);
        trace_items_free(&before);
        trace_items_free(&after);
    }
    char *again = write_form(copy, false, &again_size);
    assert_string_equal(again, text);
    free(again);
    again = write_form(check_file("copy.btrace", text), true, &again_size);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, binary, size);
    free(again);
    free(copy);
    free(binary);
    free(text);
    free(kept);
}

TEST(test_random_traces)
{
    uint64_t random = 22;
    for (int round = check_rounds(40, 1000); round > 0; round--) {
        struct text text = {0};
        trace_random_text(&text, &random, round % 2, round % 4 < 2);
        check_round_trip(check_file("r.btrace", text.data));
        text_free(&text);
    }
}

/* Many blocks of accesses and of ranges, long names, extreme values. */
TEST(test_large)
{
    uint64_t random = 23;
    struct text text = {0};
    text_append(&text, "bandscape-trace 1\nallocation ");
    for (int i = 0; i < 300000; i++)
        text_append_bytes(&text, "n", 1);
    text_append(&text, " 0x10 16\n");
    for (int i = 0; i < 4000; i++)
        text_printf(&text, "allocation name-%d %d 16\nhome %d 8 %d\n", i, 64 + 16 * i, 64 + 16 * i,
                    i % 65536);
    text_append(&text, "kernel \"\" grid=51,3,7 block=1024 shared=4294967295\nwarp 1070 31\n"
                       "r 0 1 mask=80000000 insts=4294967295\n"
                       "w 0xfffffffffffffe0 32 stride=0\n"
                       "a 0xfffffffffffffe0,0,0xfffffffffffffe0 32 insts=4294967295\n"
                       "r 0 4 stride=2147483647\nr 0x8000000000000 4 stride=-2147483648\n"
                       "i 4294967295\nkernel empty\nkernel k grid=2,3 block=64\n");
    for (int i = 0; i < 8000; i++) {
        trace_random_access(&text, &random);
        text_printf(&text, " cta=%d warp=%d\n", i / 2000, i / 500 % 2);
    }
    check_round_trip(check_file("large.btrace", text.data));
    text_free(&text);
}

TEST(test_real_traces)
{
    const char *folder;
    char path[512];
    check_need_traces(folder);
    snprintf(path, sizeof path, "%s/rodinia-bfs/kernelslist.g", folder);
    check_round_trip(path);
    snprintf(path, sizeof path, "%s/vectoradd/kernelslist.g", folder);
    check_round_trip(path);
}

/* --- damage ----------------------------------------------------------------- */

static int read_bytes(const char *name, const void *data, size_t size, struct error *error)
{
    struct trace_items all;
    *error = (struct error){0};
    int status = trace_read_file(check_file_bytes(name, data, size), true, &all, error);
    if (!status)
        trace_items_free(&all);
    return status;
}

TEST(test_truncation)
{
    char words[64];
    struct text file = example_by_hand();
    check_ok(read_bytes("a.bstream", file.data, file.length, &failure));
    for (size_t size = 0; size < file.length; size++) {
        snprintf(words, sizeof words, "byte %zu: the trace is cut off", size);
        check_error(read_bytes("a.bstream", file.data, size, &failure), STATUS_INPUT, words);
        assert_true(failure.hint[0]);
    }
    text_append(&file, "x");
    snprintf(words, sizeof words, "byte %zu: there is more behind the end", file.length - 1);
    check_error(read_bytes("a.bstream", file.data, file.length, &failure), STATUS_INPUT, words);
    text_free(&file);
}

TEST(test_bit_flips)
{
    struct text file = example_by_hand();
    for (size_t bit = 0; bit < 8 * file.length; bit++) {
        file.data[bit / 8] ^= (char)(1 << bit % 8);
        /* The suffix says what it should be. */
        int status = read_bytes("a.bstream", file.data, file.length, &failure);
        if (status != STATUS_INPUT || !failure.text[0])
            fail_msg("a flip of bit %zu went unnoticed (status %d)", bit, status);
        file.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    text_free(&file);
}

/* Blocks that are whole, but not where they were. */
TEST(test_moved_blocks)
{
    struct text file = begun(), moved = begun();
    size_t ends[5] = {HEAD_SIZE};
    PUT(&file, BINARY_KERNEL, KERNEL);
    ends[1] = file.length;
    PUT(&file, BINARY_ACCESSES, "\x80\x00\x00\x00\x02");
    ends[2] = file.length;
    PUT(&file, BINARY_ACCESSES, "\x80\x01\x00\x00\x04");
    ends[3] = file.length;
    PUT(&file, BINARY_END, "");
    ends[4] = file.length;
    check_ok(read_bytes("a.bstream", file.data, file.length, &failure));
    static const int orders[][5] = {
        {0, 2, 1, 3, -1}, {0, 2, 3, -1}, {0, 1, 1, 2, 3}, {1, 0, 2, 3, -1}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        moved.length = HEAD_SIZE;
        for (int k = 0; k < 5 && orders[i][k] >= 0; k++)
            text_append_bytes(&moved, file.data + ends[orders[i][k]],
                              ends[orders[i][k] + 1] - ends[orders[i][k]]);
        check_error(read_bytes("a.bstream", moved.data, moved.length, &failure), STATUS_INPUT,
                    "is damaged: its checksum is wrong");
    }
    text_free(&moved);
    text_free(&file);
}

/* Right checksums over contents that cannot be. */
TEST(test_absurd)
{
#define ROW(kind, payload, words)                                                                  \
    {                                                                                              \
        kind, payload, sizeof(payload) - 1, words                                                  \
    }
    static const struct {
        uint32_t kind;
        const char *payload;
        size_t size;
        const char *words;
    } rows[] = {
        ROW(9, "", "byte 42: this kind of block is unknown"),
        ROW(BINARY_ACCESSES, "\x7f", "byte 58: expected an access"),
        ROW(BINARY_ACCESSES, "\x90", "byte 58: expected a record, got 0x90"),
        ROW(BINARY_ACCESSES, "\x00\x00", "expected a warp before the first access"),
        ROW(BINARY_ACCESSES, "\x81\x01", "expected a number of instructions"),
        ROW(BINARY_ACCESSES, "\x80\x00", "expected a CTA and a warp"),
        ROW(BINARY_ACCESSES, "\x80\x02\x00", "CTA 2 is outside the grid, which has 2"),
        ROW(BINARY_ACCESSES, "\x80\x00\x02", "warp 2 is outside its CTA, which has 2"),
        ROW(BINARY_ACCESSES, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02\x00",
            "expected a CTA and a warp"),
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x00", "byte 61: expected an access"),
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x00\x02\x00\x80", "byte 63: expected an access"),
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x00\x01", "all addresses must be below 2^60"),
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x00\x80\x80\x80\x80\x80\x80\x80\x80\x20",
            "all addresses must be below 2^60"),
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x08\x00\x40\x00", "expected an access"),     /* kind 0 */
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x08\x00\x5d\x00", "expected an access"),     /* bytes */
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x08\x00\xc9\x00\x00", "expected an access"), /* path 0 */
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x08\x00\xc9\x20\x00",
            "expected an access"), /* no flag */
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x08\x80\x80\x80\x80\x08\xc9\x04\x00",
            "places in local memory must be below 2^29"),
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x08\x00\xca\x01\x00",
            "expected an access"), /* of a write */
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x08\x00\x09\x00\x00", "expected an access"), /* mask */
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x08\x00\x09\x80\x80\x80\x80\x10\x00",
            "expected an access"),                                                  /* mask 2^32 */
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x20\x00\x00\x00", "expected an access"), /* stride */
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x10\x00\x80\x80\x80\x80\x10", "expected an access"),
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x28\x00\x49\x00\x02\x02", "expected an access"),
        ROW(BINARY_ACCESSES, "\x80\x00\x00\x81\x00", "expected a number of instructions"),
        ROW(BINARY_ACCESSES, "\x82\x00\x00", "expected three counts"),
        ROW(BINARY_ACCESSES, "\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\0\x82\x01\0\0",
            "expected three counts"),
        ROW(BINARY_KERNEL, "", "expected flags, grid and block"),
        ROW(BINARY_KERNEL, "\x04\1\1\1\1\1\1\0\1k", "expected flags, grid and block"),
        ROW(BINARY_KERNEL, "\0\1\0\1\1\1\1\0\1k", "must be at least 1"),
        ROW(BINARY_KERNEL, "\0\x80\x80\x80\x80\x08\x80\x80\x80\x80\x08\1\1\1\1\0\1k",
            "more than 2^32 thread blocks"),
        ROW(BINARY_KERNEL, "\0\1\1\1\xff\xff\x03\1\1\0\1k", "more than 32768 threads"),
        ROW(BINARY_KERNEL, "\0\1\1\1\1\1\1\0\2k", "expected a name"),
        ROW(BINARY_KERNEL, "\0\1\1\1\1\1\1\0\1\0", "expected a name"),
        ROW(BINARY_KERNEL, "\0\1\1\1\1\1\1\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\1k",
            "expected a name"),
        ROW(BINARY_KERNEL, "\0\1\1\1\1\1\1\0\1kk", "expected the end of the block"),
        ROW(BINARY_RANGES, "\x03", "byte 58: expected an allocation or a home"),
        ROW(BINARY_RANGES, "\x01\x00\x00\x01x", "expected a range"),
        ROW(BINARY_RANGES, "\x01\x00", "expected a range"),
        ROW(BINARY_RANGES, "\x01\x80\x80\x80\x80\x80\x80\x80\x80\x10\x01\x01x", "expected a range"),
        ROW(BINARY_RANGES, "\x01\x00\x10\x05x", "expected a name"),
        ROW(BINARY_RANGES, "\x02\x00\x10\x80\x80\x04", "expected a domain"),
        ROW(BINARY_RANGES, "\x01\x00\x10\x01x\x01\x0f\x10\x01y", "overlap"),
        ROW(BINARY_RANGES, "\x02\x00\x10\x01\x02\x0f\x10\x01", "overlap"),
    };
#undef ROW
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text file = begun();
        PUT(&file, BINARY_KERNEL, KERNEL);
        put_block(&file, rows[i].kind, rows[i].payload, rows[i].size);
        PUT(&file, BINARY_END, "");
        check_error(read_bytes("a.bstream", file.data, file.length, &failure), STATUS_INPUT,
                    rows[i].words);
        text_free(&file);
    }
}

/* What accesses go ahead of: an accesses like the last one, another number, more than there may be.
 * The version before has none of it. */
TEST(test_ahead)
{
    static const char text[] = "bandscape-trace 1 # the last line is: # end\n\n"
                               "kernel k grid=1 block=32\nwarp 0 0\n"
                               "r 0x1000 4 stride=4\n"
                               "r 0x1080 4 stride=4 ahead=1\n"
                               "r 0x1100 4 stride=4 ahead=1\n"
                               "w 0x2000 4 stride=4\n"
                               "r 0x1180 4 stride=4 insts=2 ahead=63\n"
                               "# end\n";
    size_t size, text_size;
    char *binary = write_form(check_file("ahead.btrace", text), true, &size);
    char *back = write_form(check_file_bytes("ahead.bstream", binary, size), false, &text_size);
    assert_string_equal(back, text);
    free(back);
    binary[8] = 1;
    back = write_form(check_file_bytes("ahead.bstream", binary, size), false, &text_size);
    assert_string_equal(back, text);
    free(back);
    free(binary);
    struct text file = begun();
    PUT(&file, BINARY_KERNEL, "\0\1\1\1\x20\1\1\0\1k");
    PUT(&file, BINARY_ACCESSES, "\x80\0\0\x40\0\x40");
    PUT(&file, BINARY_END, "");
    check_error(read_bytes("a.bstream", file.data, file.length, &failure), STATUS_INPUT,
                "expected an access");
    text_free(&file);
}

/* Cycles before accesses: of the first and of every one after it by itself, with lists of addresses
 * and without; none behind a warp's last access, none twice, none of 0 or of 2^32. */
TEST(test_think)
{
    static const char text[] = "bandscape-trace 1 # the last line is: # end\n\n"
                               "kernel k grid=1 block=64 order=recorded\n"
                               "r 0x1000 4 stride=4 think=7 cta=0 warp=0\n"
                               "r 0x1080 4 stride=4 cta=0 warp=1\n"
                               "r 0x1100,+8,-4 4 ahead=63 think=4294967295 cta=0 warp=0\n"
                               "w 0x2000 4 stride=4 think=1 cta=0 warp=1\n"
                               "# end\n";
    static const struct {
        const char *accesses;
        size_t size;
    } wrong[] = {{"\x80\0\0\x83\1", 5},
                 {"\x80\0\0\x83\0\0\0", 7},
                 {"\x80\0\0\x83\1\x83\1\0\0", 9},
                 {"\x80\0\0\x83\1\x81\1", 7},
                 {"\x80\0\0\x83\x80\x80\x80\x80\x10\0\0", 11}};
    size_t size, text_size;
    char *binary = write_form(check_file("think.btrace", text), true, &size);
    char *back = write_form(check_file_bytes("think.bstream", binary, size), false, &text_size);
    assert_string_equal(back, text);
    free(back);
    free(binary);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct text file = begun();
        PUT(&file, BINARY_KERNEL, "\0\1\1\1\x20\1\1\0\1k");
        put_block(&file, BINARY_ACCESSES, wrong[i].accesses, wrong[i].size);
        PUT(&file, BINARY_END, "");
        check_error(read_bytes("a.bstream", file.data, file.length, &failure), STATUS_INPUT,
                    "expected cycles from 1 to 4294967295, and an access behind them");
        text_free(&file);
    }
}

/* Caches that reads ask. Only a shape that has one says so, so that files without are as before. */
TEST(test_paths)
{
    static const char text[] = "bandscape-trace 1 # the last line is: # end\n\n"
                               "kernel k grid=1 block=32\nwarp 0 0\n"
                               "r 0x1000 4 stride=4\n"
                               "r 0x2000 4 scalar\n"
                               "r 0x2000 4 constant\n"
                               "r 0x2004 4 constant\n"
                               "r 0x3000,+4,+64 4 ahead=2 texture\n"
                               "w 0x4000 4 stride=4\n"
                               "# end\n";
    size_t size, text_size;
    char *binary = write_form(check_file("paths.btrace", text), true, &size);
    char *back = write_form(check_file_bytes("paths.bstream", binary, size), false, &text_size);
    assert_string_equal(back, text);
    free(back);
    free(binary);
    struct text file = begun();
    PUT(&file, BINARY_KERNEL, "\0\1\1\1\x20\1\1\0\1k");
    PUT(&file, BINARY_ACCESSES, "\x80\0\0\x08\x80\x40\xc9\x02\0"); /* all lanes at 0x1000 */
    PUT(&file, BINARY_END, "");
    back = write_form(check_file_bytes("a.bstream", file.data, file.length), false, &text_size);
    assert_non_null(strstr(back, "\nr 0x1000 4 stride=0 constant\n"));
    free(back);
    text_free(&file);
}

TEST(test_absurd_files)
{
    struct text file = begun();
    PUT(&file, BINARY_END, "");
    check_error(read_bytes("a.bstream", file.data, file.length, &failure), STATUS_INPUT,
                "holds no kernel");
    file.length = HEAD_SIZE;
    PUT(&file, BINARY_ACCESSES, "\x80\0\0");
    check_error(read_bytes("a.bstream", file.data, file.length, &failure), STATUS_INPUT,
                "accesses without a kernel");
    file.length = HEAD_SIZE;
    PUT(&file, BINARY_KERNEL, OPEN_KERNEL);
    PUT(&file, BINARY_ACCESSES, "\x80\x80\x80\x80\x08\0");
    PUT(&file, BINARY_END, "");
    check_error(read_bytes("a.bstream", file.data, file.length, &failure), STATUS_INPUT,
                "CTA 16777216 is outside the grid");
    file.length = HEAD_SIZE;
    PUT(&file, BINARY_KERNEL, "\x02\x02\x01\x01\x40\x01\x01\0\x01k"); /* with SMs */
    PUT(&file, BINARY_ACCESSES, "\x80\0\0\1\x80\0\1\2");
    PUT(&file, BINARY_END, "");
    check_error(read_bytes("a.bstream", file.data, file.length, &failure), STATUS_INPUT,
                "CTA 0 has another SM already");
    file.length = HEAD_SIZE;
    put_number(&file, 0, 8);
    put_number(&file, 0, 4);
    put_number(&file, BINARY_PAYLOAD_MAX + 1, 4);
    check_error(read_bytes("a.bstream", file.data, file.length, &failure), STATUS_INPUT,
                "its size is impossible");
    file.data[8] = BINARY_FORMAT_VERSION + 1;
    check_error(read_bytes("a.bstream", file.data, file.length, &failure), STATUS_INPUT,
                "version 9 of the binary form; versions 1 to 4 and 8 are known");
    check_error(read_bytes("a.bstream", example, sizeof example, &failure), STATUS_INPUT,
                "this is no trace in the binary form");
    text_free(&file);
}

/* Any contents under a right checksum are read or refused. */
TEST(test_random_contents)
{
    static const char base[] =
        "\x80\0\0\x10\x80\x80\x08\x09\x00\x80\x02\x18\xff\xfd\x07\x2e\x0f\x1f"
        "\x00\x81\x01\x82\1\1\1\x80\x01\x01\x38\x20\x17\x1f\x00\x03\x08\x08"
        "\x80\x01\x0f\x01\x02\x03\x04";
    uint64_t random = 24;
    int good = 0, bad = 0;
    const int rounds = check_damages(2000, 100000);
    for (int round = rounds; round > 0; round--) {
        char payload[sizeof base];
        struct text file = begun();
        memcpy(payload, base, sizeof base);
        for (uint64_t k = 1 + check_random(&random) % 3; k > 0; k--)
            payload[check_random(&random) % sizeof base] =
                (char)(check_random(&random) >> check_random(&random) % 8);
        put_block(&file, BINARY_KERNEL, OPEN_KERNEL, sizeof OPEN_KERNEL - 1);
        put_block(&file, round % 8 ? BINARY_ACCESSES : BINARY_RANGES, payload,
                  check_random(&random) % sizeof base);
        PUT(&file, BINARY_END, "");
        int status = read_bytes("a.bstream", file.data, file.length, &failure);
        good += status == 0;
        bad += status != 0;
        assert_true(status == 0 || (failure.text[0] && failure.status == status));
        text_free(&file);
    }
    assert_true(good > rounds / 40 && bad > rounds / 5);
}

/* --- compressed, shared, failing -------------------------------------------- */

TEST(test_xz)
{
    struct source *plain, *packed_source;
    struct text file = example_by_hand();
    size_t room = lzma_stream_buffer_bound(file.length), size = 0;
    uint8_t *packed = memory_alloc(room);
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (uint8_t *)file.data,
                                             file.length, packed, &size, room),
                     LZMA_OK);
    check_ok(read_bytes("a.bstream.xz", packed, size, &failure));
    check_ok(source_open_trace(check_file_bytes("a.bstream.xz", packed, size), &packed_source,
                               &failure));
    check_ok(
        source_open_trace(check_file_bytes("a.bstream", file.data, file.length), &plain, &failure));
    assert_string_equal(plain->hash, packed_source->hash); /* the content counts */
    source_destroy(plain);
    source_destroy(packed_source);
    for (size_t cut = 0; cut < size; cut++)
        check_error(read_bytes("a.bstream.xz", packed, cut, &failure), STATUS_INPUT,
                    cut ? "the compressed file ends early" : "");
    for (size_t at = 0; at < size; at++) {
        packed[at] ^= 0x10;
        assert_int_equal(read_bytes("a.bstream.xz", packed, size, &failure), STATUS_INPUT);
        packed[at] ^= 0x10;
    }
    free(packed);
    text_free(&file);
}

/* Many passes over one source at once. */
TEST(test_threads)
{
    OWNED(source) *source = NULL;
    struct text text = {0};
    uint64_t random = 25;
    size_t size;
    trace_random_text(&text, &random, true, true);
    char *binary = write_form(check_file("t.btrace", text.data), true, &size);
    check_ok(source_open_trace(check_file_bytes("t.bstream", binary, size), &source, &failure));
    trace_check_threads(source, 180, "k2");
    text_free(&text);
    free(binary);
}

TEST(test_write_errors)
{
    OWNED(source) *source = NULL;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    check_ok(source_open_trace(check_file("example.btrace", example), &source, &failure));
    setvbuf(full, NULL, _IONBF, 0);
    check_error(trace_write_binary(source, full, &failure), STATUS_IO, "cannot write");
    fclose(full);
}
