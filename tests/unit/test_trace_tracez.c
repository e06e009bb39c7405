/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accel-Sim 2's .tracez against the .traceg of the same lines: pieces of any length, with and
 * without a dictionary; what is damaged; matrix instructions of Hopper. */
#include "trace_check.h"

#if __has_include(<zstd.h>)
#include <zstd.h>

#define HEADER                                                                                     \
    "-kernel name = _Z4testPi\n-kernel id = 1\n-grid dim = (3,2,1)\n-block dim = (64,1,1)\n"       \
    "-shmem base_addr = 0x00007f0002000000\n-local mem base_addr = 0x00007f0000000000\n"           \
    "-accelsim tracer version = 6\n-enable lineinfo = 0\n\n#traces format = PC mask\n"

enum { BLOCKS = 5, WARPS = 2 };

/* What both forms are made of: the instruction lines of each warp. */
static void warp_lines(uint64_t *random, struct text *lines, uint32_t *count)
{
    *count = (uint32_t)(check_random(random) % 40);
    for (uint32_t i = 0; i < *count; i++) {
        unsigned base = (unsigned)(check_random(random) % 5000) * 4096;
        switch (check_random(random) % 4) {
        case 0:
            text_printf(lines, "%04x ffffffff 1 R2 LDG.E.64 1 R4 8 1 0x%x 8 0 0 NoVal\n", i, base);
            break;
        case 1:
            text_printf(lines, "%04x 00000007 0 STG.E 2 R4 R2 4 2 0x%x 4 -8 0 0 NoVal\n", i, base);
            break;
        case 2: /* the digit behind the registers is whether it ends a group, not a width */
            text_printf(lines, "%04x ffffffff 1 R24 HGMMA.64x128x16.F32 2 R24 UR8 1 0 0 0 NoVal\n",
                        i);
            break;
        default:
            text_printf(lines, "%04x ffffffff 1 R2 IADD3 3 R4 R5 R6 0 0 0 NoVal\n", i);
        }
    }
}

static void put(struct text *out, uint64_t value, int bytes)
{
    for (; bytes > 0; bytes--, value >>= 8) {
        char byte = (char)(value & 0xff);
        text_append_bytes(out, &byte, 1);
    }
}

/* The pieces of one warp: so many lines each; their lengths go into the index. */
static void put_warp(struct text *out, struct text *index, const struct text *lines, uint32_t count,
                     uint32_t piece, const char *dictionary)
{
    uint32_t pieces = (count + piece - 1) / piece;
    put(index, count, 4);
    put(index, pieces, 4);
    put(index, out->length, 8);
    put(out, count, 4);
    put(out, pieces, 4);
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    const char *at = lines->data;
    for (uint32_t done = 0; done < count; done += piece) {
        uint32_t n = count - done < piece ? count - done : piece;
        const char *end = at;
        for (uint32_t i = 0; i < n; i++)
            end = strchr(end, '\n') + 1;
        char packed[1 << 14];
        /* The last line of a piece may come without its end. */
        size_t size =
            ZSTD_compress_usingDict(zstd, packed, sizeof packed, at, (size_t)(end - at) - done % 2,
                                    dictionary, strlen(dictionary), 3);
        assert_false(ZSTD_isError(size));
        put(out, size, 4);
        text_append_bytes(out, packed, size);
        put(index, n, 4);
        at = end;
    }
    ZSTD_freeCCtx(zstd);
}

/* Both forms of one kernel. */
static void make(uint64_t random, uint32_t piece, const char *dictionary, struct text *plain,
                 struct text *packed)
{
    struct text index = {0};
    text_append(plain, HEADER);
    text_append(packed, HEADER);
    put(packed, 0, 1);
    put(packed, strlen(dictionary), 4);
    put(packed, piece, 4);
    text_append(packed, dictionary);
    put(&index, BLOCKS, 4);
    for (uint32_t block = 0; block < BLOCKS; block++) { /* (2,1) is not there */
        text_printf(plain, "#BEGIN_TB\nthread block = %u,%u,0\n", block % 3, block / 3);
        const uint32_t words[] = {block % 3, block / 3, 0, 7, 0, 0, 1, 0, 0, 1, WARPS};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            put(&index, words[i], 4);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            struct text lines = {0};
            uint32_t count;
            warp_lines(&random, &lines, &count);
            text_printf(plain, "warp = %u\ninsts = %u\n%s", warp, count, count ? lines.data : "");
            put_warp(packed, &index, &lines, count, piece, dictionary);
            text_free(&lines);
        }
        text_append(plain, "#END_TB\n");
    }
    size_t begin = packed->length;
    text_append_bytes(packed, index.data, index.length);
    put(packed, begin, 8);
    text_free(&index);
}

TEST(test_the_same_as_its_text)
{
    static const char *const dictionaries[] = {"",
                                               "ffffffff 1 R2 LDG.E.64 1 R4 8 1 0x 8 0 0 NoVal\n"};
    for (uint64_t round = 0; round < 24; round++) {
        struct text plain = {0}, packed = {0};
        struct trace_items want, got;
        make(round, 1 + (uint32_t)(round * round % 45), dictionaries[round % 2], &plain, &packed);
        check_ok(
            trace_read_file(check_file("kernel-1.traceg", plain.data), false, &want, &failure));
        const char *path = check_file_bytes("kernel-1.tracez", packed.data, packed.length);
        check_ok(trace_read_file(path, false, &got, &failure));
        assert_true(want.accesses.count > 20);
        trace_check_equal(&want, &got);
        assert_int_equal(got.kernels.items[0].launch.dropped.unknown, 0);
        trace_items_free(&got);
        path = check_file("kernelslist.g", "MemcpyHtoD,0x1000,4096\nkernel-1.tracez\n");
        check_ok(trace_read_file(path, false, &got, &failure));
        trace_check_equal(&want, &got);
        trace_items_free(&got);
        trace_items_free(&want);
        text_free(&plain);
        text_free(&packed);
    }
}

TEST(test_what_is_damaged)
{
    struct text plain = {0}, packed = {0}, part = {0};
    struct trace_items all;
    make(3, 8, "", &plain, &packed);
    size_t header = strlen(HEADER) + 1;
    static const struct {
        long at; /* from the front, or below 0 from the end */
        uint64_t value;
        int bytes;
        const char *words;
    } rows[] = {
        {0, 0x10000000, 4, "the dictionary is longer than the file"}, /* its size, which is 0 */
        {-8, 0x100000, 8, "the index, which the last 8 bytes tell of, is not there"},
        {-8, 4, 8, "the index, which the last 8 bytes tell of, is not there"},
        {8, 77, 4, "a warp is not what the index says of it"},
        {16, 0x7fffffff, 4, "a piece is longer than the file"},
        {20, 0, 4, "the compressed lines of a warp are corrupt"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t at =
            rows[i].at < 0 ? packed.length - (size_t)-rows[i].at : header + (size_t)rows[i].at;
        part.length = 0;
        text_append_bytes(&part, packed.data, at);
        put(&part, rows[i].value, rows[i].bytes);
        text_append_bytes(&part, packed.data + part.length, packed.length - part.length);
        const char *path = check_file_bytes("k.tracez", part.data, part.length);
        check_error(trace_read_file(path, false, &all, &failure), STATUS_INPUT, rows[i].words);
    }
    check_error(trace_read_file(check_file_bytes("k.tracez", packed.data, header + 5), false, &all,
                                &failure),
                STATUS_INPUT, "the file ends early");
    check_error(trace_read_file(check_file("k.tracez", "x\n"), false, &all, &failure), STATUS_INPUT,
                "this is no trace of Accel-Sim 2, whatever its name says");
    trace_check_damage("k.tracez", packed.data, packed.length, "\0\1\2\4\x28\xb5\x2f\xfd\xff", 9,
                       false, 7);
    text_free(&plain);
    text_free(&packed);
    text_free(&part);
}
#else
TEST(test_without_zstd)
{
    struct trace_items all;
    check_error(trace_read_file(check_file("k.tracez", "x\n"), false, &all, &failure), STATUS_INPUT,
                "built without zstd");
}
#endif
