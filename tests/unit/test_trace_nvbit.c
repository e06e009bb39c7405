/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of NVBit's mem_trace: the same program as an Accel-Sim trace, places
 * of warps, launches, and what is wrong with damaged files. */
#include "trace_formats.h"

#include <lzma.h>

#include "trace/reader.h"

#define ACCESS(launch, cta, warp, opcode)                                                          \
    "MEMTRACE: CTX 0x5610 - grid_launch_id " launch " - CTA " cta " - warp " warp " - " opcode " " \
    "-"                                                                                            \
    " "
#define LAUNCH(launch, name, grid, block)                                                          \
    "MEMTRACE: CTX 0x5610 - LAUNCH - Kernel pc 0x7f12 - Kernel name " name                         \
    " - grid launch id " launch " - grid size " grid " - block size " block                        \
    " - nregs 8 - shmem 64 - cuda stream id 0\n"
#define ZEROS15 "0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 "
#define ONE(address) address " 0x0 " ZEROS15 ZEROS15 "\n" /* lane 0 only */

/* --- equivalence ------------------------------------------------------------ */

static void check_program(uint64_t seed)
{
    struct formats_program program;
    struct text text = {0};
    formats_make(&program, seed);
    formats_grouped(&text, &program);
    char *want = formats_convert(check_file("k.traceg", text.data));
    formats_remove_instructions(want);
    for (int shift = 0; shift < 12; shift += 4) {
        formats_nvbit(&text, &program, true, shift, seed + 1);
        char *got = formats_convert(check_file("log.txt", text.data));
        assert_string_equal(got, want);
        free(got);
    }
    /* Without a launch line: no name and no shared memory, all else follows. */
    char *kernel = strstr(want, "kernel test ");
    assert_non_null(kernel);
    formats_nvbit(&text, &program, false, 5, seed + 2);
    char *got = formats_convert(check_file("log.txt", text.data));
    assert_non_null(strstr(got, "kernel kernel grid=3,2 block=64"));
    formats_remove_lines(got, "kernel ");
    formats_remove_lines(want, "kernel ");
    assert_string_equal(got, want);
    free(got);
    free(want);
    text_free(&text);
}

TEST(test_same_as_grouped)
{
    for (int round = check_rounds(20, 200); round > 0; round--)
        check_program((uint64_t)round);
}

/* --- launches --------------------------------------------------------------- */

static void read_ok(const char *text, struct trace_items *all)
{
    check_ok(trace_read_file(check_file("log.txt", text), true, all, &failure));
}

/* Launches without accesses were not traced; launch lines may come early. */
TEST(test_launches)
{
    struct trace_items all;
    read_ok(
        "hello\n" LAUNCH("0", "idle(int)", "9,1,1", "32,1,1") LAUNCH(
            "2", "void f<(int)3, a - b>(float const *, int (*)(int))", "2,2,2",
            "8,8,1") "MEMTRACE: CTX 0x5610, Inspecting CUfunction 0x1 name f at 0x2\n"
                     "MEMTRACE: TERMINATING CONTEXT 0x5610\n" LAUNCH(
                         "3", "_Z1gPi", "1,1,1", "1024,1,1") ACCESS("2", "1,1,1", "40", "LDG.E")
                         ONE("0x1000") "text without an end " ACCESS("2", "0,0,0", "3", "STG.E.128")
                             ONE("0x2000") ACCESS("3", "0,0,0", "0", "ATOM.E") ONE("0x3000")
                                 ACCESS("7", "0,3,0", "9", "RED.E.ADD") ONE("0x4000")
                                     ACCESS("7", "0,1,0", "11", "LDG.E") ONE("0x5000")
                                         ACCESS("7", "0,3,0", "10", "LDG.E") ONE("0x6000"),
        &all);
    assert_int_equal(all.kernels.count, 3);
    const struct trace_kernel *kernel = all.kernels.items;
    assert_string_equal(kernel[0].name, "f<(int)3, a - b>");
    assert_int_equal(kernel[0].launch.n_ctas, 8);
    assert_int_equal(kernel[0].launch.warps_per_cta, 2);
    assert_int_equal(kernel[0].launch.shared_bytes, 64);
    assert_false(kernel[0].launch.recorded_sm);
    assert_string_equal(kernel[1].name, "g");
    assert_int_equal(kernel[1].launch.warps_per_cta, 32);
    assert_string_equal(kernel[2].name, "kernel"); /* no launch line: derived */
    assert_int_equal(kernel[2].launch.grid[0], 1);
    assert_int_equal(kernel[2].launch.grid[1], 4);
    assert_int_equal(kernel[2].launch.warps_per_cta, 2);
    const struct trace_item *item = all.accesses.items;
    assert_int_equal(all.accesses.count, 6);
    assert_int_equal(item[0].cta, 0);
    assert_int_equal(item[0].access.kind, ACCESS_WRITE);
    assert_int_equal(item[0].access.bytes, 16);
    assert_int_equal(item[0].access.instructions, 0); /* not known */
    assert_int_equal(item[1].cta, 7);
    assert_int_equal(item[1].warp, 0); /* its only warp, wherever it was */
    assert_int_equal(item[2].access.kind, ACCESS_ATOMIC);
    assert_int_equal(item[3].cta, 1);
    assert_int_equal(item[3].warp, 0);
    assert_true(item[4].cta == 3 && item[4].warp == 0 && item[4].addresses[0] == 0x4000);
    assert_true(item[5].cta == 3 && item[5].warp == 1 && item[5].addresses[0] == 0x6000);
    trace_items_free(&all);
}

#define A_LAUNCH(number) LAUNCH(number, "a(int)", "2,1,1", "32,1,1")
#define B_LAUNCH(number) LAUNCH(number, "b", "1,1,1", "64,1,1")
#define A_ACCESS(number) ACCESS(number, "1,0,0", "0", "LDG.E") ONE("0x1000")
#define B_ACCESS(number)                                                                           \
    ACCESS(number, "0,0,0", "0", "LDG.E")                                                          \
    ONE("0x2000") ACCESS(number, "0,0,0", "1", "LDG.E") ONE("0x3000")

/* NVBit up to 1.5 counts a launch before it prints it, 1.7 afterwards. The accesses of a need
 * a grid of two CTAs, those of b a block of two warps. */
TEST(test_counting)
{
    static const struct {
        const char *text, *names; /* of the kernels that have accesses */
        const char *warning;      /* the first one; NULL: there is none */
    } rows[] = {
        {A_LAUNCH("0") A_ACCESS("0") B_LAUNCH("1") B_ACCESS("1"), "a b", NULL},
        {A_LAUNCH("1") A_ACCESS("0") B_LAUNCH("2") B_ACCESS("1"), "a b", NULL},
        /* Launch lines that come early, and launches without accesses. */
        {A_LAUNCH("0") B_LAUNCH("1") A_ACCESS("0") B_ACCESS("1"), "a b", NULL},
        {A_LAUNCH("1") B_LAUNCH("2") A_ACCESS("0") B_ACCESS("1"), "a b", NULL},
        {A_LAUNCH("1") B_LAUNCH("2") B_ACCESS("1"), "b",
         "1 launch: the trace has none of the thread blocks, 0 of 2 of the first, a;"},
        {A_LAUNCH("0") B_LAUNCH("1") B_ACCESS("1"), "b", "0 of 2 of the first, a;"},
        {A_LAUNCH("0") A_LAUNCH("1") B_LAUNCH("2") B_ACCESS("2") B_LAUNCH("3"), "b",
         "3 launches: the trace has none of the thread blocks, 0 of 2 of the first, a;"},
        {B_LAUNCH("1") A_LAUNCH("2") B_LAUNCH("3") A_ACCESS("1") B_ACCESS("2"), "a b",
         "0 of 1 of the first, b;"},
        /* The beginning is missing. */
        {A_LAUNCH("1") A_ACCESS("1") B_LAUNCH("2") B_ACCESS("2"), "a b", NULL},
        {A_LAUNCH("5") A_ACCESS("5") B_LAUNCH("6") B_ACCESS("6"), "a b", NULL},
        {A_ACCESS("4") A_LAUNCH("5") A_ACCESS("5") B_LAUNCH("6") B_ACCESS("6"), "kernel a b", NULL},
        {A_ACCESS("4") A_LAUNCH("5") A_ACCESS("4") B_LAUNCH("6") A_ACCESS("5"), "kernel a",
         "0 of 1 of the first, b;"},
        {A_ACCESS("4") A_LAUNCH("5") A_ACCESS("4") A_ACCESS("5"), "kernel a", NULL},
        {A_LAUNCH("5") A_ACCESS("4") B_LAUNCH("6") B_ACCESS("5"), "a b",
         "begins with launch 5: it fits both ways in which NVBit counts; accesses of "
         "grid_launch_id N are taken for those of LAUNCH N + 1 (NVBit up to 1.5)"},
        {A_ACCESS("3") A_LAUNCH("5") A_ACCESS("4") B_LAUNCH("6") B_ACCESS("5"), "kernel a b",
         "LAUNCH N + 1 (NVBit up to 1.5)"},
        {A_LAUNCH("5") B_LAUNCH("6") A_ACCESS("5"), "a", "LAUNCH N (NVBit 1.7)"},
        /* There is nothing to be told apart. */
        {A_LAUNCH("5") A_ACCESS("7"), "kernel", "0 of 2 of the first, a;"},
        {A_ACCESS("0") B_ACCESS("1"), "kernel kernel", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OWNED(source) *source = NULL;
        struct trace_items all;
        struct text names = {0};
        check_ok(source_open_trace(check_file("log.txt", rows[i].text), &source, &failure));
        check_ok(trace_read(source, false, &all, &failure));
        for (size_t k = 0; k < all.kernels.count; k++)
            text_printf(&names, "%s%s", k ? " " : "", all.kernels.items[k].name);
        assert_string_equal(names.data, rows[i].names);
        assert_int_equal(source->warnings.count > 0, rows[i].warning != NULL);
        if (rows[i].warning)
            assert_non_null(strstr(source->warnings.items[0], rows[i].warning));
        text_free(&names);
        trace_items_free(&all);
    }
}

TEST(test_caches_beside_l1)
{
    struct trace_items all;
    read_ok(ACCESS("0", "0,0,0", "0", "LDC.64") ONE("0x10") ACCESS("0", "0,0,0", "0", "TEX.SCR")
                ONE("0x7f0000000400") ACCESS("0", "0,0,0", "0", "LDG.E") ONE("0x7f0000000400"),
            &all);
    assert_int_equal(all.accesses.count, 3);
    assert_int_equal(all.accesses.items[0].access.path, ACCESS_CONSTANT);
    assert_int_equal(all.accesses.items[0].access.bytes, 8);
    assert_int_equal(all.accesses.items[1].access.path, ACCESS_TEXTURE);
    assert_int_equal(all.accesses.items[2].access.path, ACCESS_ORDINARY);
    trace_items_free(&all);
}

TEST(test_what_is_dropped)
{
    struct trace_items all;
    read_ok(ACCESS("0", "0,0,0", "0", "LDL.64") ONE("0xfffc72")           /* not aligned */
            ACCESS("0", "0,0,0", "0", "STL") ONE("0x1fffc70")             /* in no window */
            ACCESS("0", "0,0,0", "0", "LDS") ONE("0x10")                  /* shared */
            ACCESS("0", "0,0,0", "0", "ATOMS.ADD") ONE("0x10")            /* shared */
            ACCESS("0", "0,0,0", "0", "UBLKCP") ONE("0x10")               /* bulk */
            ACCESS("0", "0,0,0", "0", "LDNEW.E") ONE("0x10")              /* unknown */
            ACCESS("0", "0,0,0", "0", "LDG.E") ONE("0x0")                 /* no lane */
            ACCESS("0", "0,0,0", "0", "LDGSTS.E.BYPASS.128") ONE("0x400") /* to shared */
            ACCESS("0", "0,0,0", "0", "LDGSTS.E.BYPASS.128") ONE("0x7f0000000400"),
            &all);
    assert_int_equal(all.kernels.items[0].launch.dropped.local, 2);
    assert_int_equal(all.kernels.items[0].launch.dropped.bulk, 1);
    assert_int_equal(all.kernels.items[0].launch.dropped.unknown, 1);
    assert_int_equal(all.accesses.count, 1);
    assert_true(all.accesses.items[0].addresses[0] == 0x7f0000000400);
    assert_int_equal(all.accesses.items[0].access.bytes, 16);
    assert_int_equal(all.accesses.items[0].access.flags, ACCESS_BYPASS_L1);
    assert_int_equal(all.accesses.items[0].access.kind, ACCESS_READ);
    trace_items_free(&all);
}

/* Words of local memory: of the only lane, 0, in the rows of offsets 0xfffc70 to 0xfffc7c. */
TEST(test_local_memory)
{
    struct trace_items all;
    read_ok(ACCESS("0", "0,0,0", "0", "LDL.64") ONE("0xfffc70") ACCESS("0", "0,0,0", "0", "STL.U8")
                ONE("0xfffc7e"),
            &all);
    assert_int_equal(all.kernels.items[0].launch.dropped.local, 0);
    assert_int_equal(all.kernels.items[0].launch.local_bytes, 4 * 128);
    assert_int_equal(all.accesses.count, 3);
    static const struct {
        uint64_t at;
        int kind, flags, bytes;
    } want[] = {{0, ACCESS_READ, ACCESS_LOCAL, 4},
                {128, ACCESS_READ, ACCESS_LOCAL | ACCESS_PART, 4},
                {3 * 128 + 2, ACCESS_WRITE, ACCESS_LOCAL, 1}};
    for (size_t i = 0; i < 3; i++) {
        const struct trace_item *item = &all.accesses.items[i];
        assert_true(item->addresses[0] == LOCAL_ADDRESS + want[i].at);
        assert_int_equal(item->access.kind, want[i].kind);
        assert_int_equal(item->access.flags, want[i].flags);
        assert_int_equal(item->access.bytes, want[i].bytes);
    }
    trace_items_free(&all);
}

/* --- streams and files ------------------------------------------------------ */

TEST(test_two_streams_and_hash)
{
    static const char text[] = ACCESS("0", "0,0,0", "0", "LDG.E") ONE("0x1000")
        ACCESS("1", "1,0,0", "0", "LDG.E") ONE("0x2000");
    struct source *source;
    struct stream *a, *b;
    struct stream_kernel kernel;
    char hash[HASH_TEXT];
    check_ok(source_open_trace(check_file("run.log", text), &source, &failure));
    assert_string_equal(source->name, "run");
    check_ok(stream_open(source, &a, &failure));
    check_ok(stream_open(source, &b, &failure));
    assert_int_equal(stream_next_kernel(a, &kernel, &failure), 1);
    assert_int_equal(kernel.n_ctas, 1);
    assert_int_equal(stream_next_kernel(a, &kernel, &failure), 1);
    assert_int_equal(kernel.n_ctas, 2);
    assert_int_equal(stream_next_kernel(b, &kernel, &failure), 1);
    assert_int_equal(kernel.n_ctas, 1);
    assert_int_equal(stream_next_kernel(a, &kernel, &failure), 0);
    stream_destroy(a);
    stream_destroy(b);
    memcpy(hash, source->hash, sizeof hash);

    /* Another trace under the same name: not what was surveyed. */
    check_file("run.log", ACCESS("0", "0,0,0", "5", "LDG.E") ONE("0x1000"));
    check_ok(stream_open(source, &a, &failure));
    check_error(stream_next_kernel(a, &kernel, &failure), STATUS_INPUT,
                "changed while it was read");
    stream_destroy(a);
    source_destroy(source);
    check_ok(source_open_trace(check_path("run.log"), &source, &failure));
    assert_string_not_equal(source->hash, hash);
    source_destroy(source);
}

TEST(test_compressed)
{
    struct formats_program program;
    struct text text = {0};
    struct trace_items plain, packed;
    formats_make(&program, 9);
    formats_nvbit(&text, &program, true, 4, 1);
    size_t room = lzma_stream_buffer_bound(text.length), size = 0;
    uint8_t *out = memory_alloc(room);
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text.data,
                                             text.length, out, &size, room),
                     LZMA_OK);
    check_ok(trace_read_file(check_file("a.txt", text.data), false, &plain, &failure));
    check_ok(trace_read_file(check_file_bytes("a.txt.xz", out, size), false, &packed, &failure));
    trace_check_equal(&plain, &packed);
    trace_items_free(&plain);
    trace_items_free(&packed);
    check_error(
        trace_read_file(check_file_bytes("a.txt.xz", out, size - 20), false, &packed, &failure),
        STATUS_INPUT, "the compressed file");
    free(out);
    text_free(&text);
}

TEST(test_detection)
{
    struct trace_items all;
    read_ok("bandscape-trace 1\n# " ACCESS("0", "0,0,0", "0", "LDG.E") "\nr 0x1000 4\n", &all);
    assert_int_equal(all.accesses.items[0].access.mask, 1);
    trace_items_free(&all);
    check_error(trace_read_file(check_file("x", "MEMTRACE: STARTING\n"), false, &all, &failure),
                STATUS_INPUT, "not a trace in a known format");
    check_error(
        trace_read_file(check_file("x", "xMEMTRACE: CTX 0x1 - LAUNCH\n"), false, &all, &failure),
        STATUS_INPUT, "not a trace in a known format");
}

/* --- errors ----------------------------------------------------------------- */

TEST(test_errors)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"------------- NVBit (NVidia Binary Instrumentation Tool v1.5.5) Loaded\nhello\n",
         "no line is a memory access (0 launches, 2 other lines)"},
        {LAUNCH("0", "f", "1,1,1", "32,1,1") "hello\n", "(1 launches, 1 other lines)"},
        {"MEMTRACE: CTX xyz - grid_launch_id 0\n", ":1:15: error: expected a context"},
        {"MEMTRACE: CTX 0x12 - grid_lau", "expected \"- grid_launch_id N\" or"},
        {"MEMTRACE: CTX 0x12 - grid_launch_id x", ":1:37: error: expected a launch id"},
        {"MEMTRACE: CTX 0x12 - grid_launch_id 1 - CT", "expected \"- CTA x,y,z\""},
        {ACCESS("0", "0,0", "0", "LDG"), "expected a thread block such as"},
        {ACCESS("0", "0,0,65536", "0", "LDG"), "expected a thread block such as"},
        {ACCESS("0", "2147483648,0,0", "0", "LDG"), "expected a thread block such as"},
        {ACCESS("0", "-1,0,0", "0", "LDG"), "expected a thread block such as"},
        {ACCESS("0", "0,0,0", "64", "LDG"), "expected a warp from 0 to 63"},
        {ACCESS("0", "0,0,0", "0", "ldg"), "expected an opcode"},
        {"MEMTRACE: CTX 0x12 - grid_launch_id 1 - CTA 0,0,0 - warp 0 - LDG.E",
         "expected \"-\" and 32 addresses"},
        {ACCESS("0", "0,0,0", "0", "LDG") "0x1000 0x1004\n", "expected 32 addresses"},
        {ACCESS("0", "0,0,0", "0", "LDG") "0x1000 " ONE("0x1004"), "expected the end of the line"},
        {ACCESS("0", "0,0,0", "0", "LDG") ONE("0xg000"), "expected 32 addresses"},
        {ACCESS("0", "0,0,0", "0", "LDG") ONE("0xffffffffffffffff"), "below 2^60"},
        {ACCESS("0", "0,0,0", "0", "LDG") ONE("0x10000000000000000"), "expected 32 addresses"},
        {ACCESS("0", "16777216,0,0", "0", "LDG") ONE("0x1000"),
         ":1:47: error: the grid would have more than 2^24 CTAs"},
        {ACCESS("0", "4095,4095,0", "0", "LDG") ONE("0x1000") ACCESS("0", "0,0,1", "0", "LDG")
             ONE("0x1000"),
         ":2:47: error: the grid would have more than 2^24 CTAs"},
        {LAUNCH("0", "f", "2,1,1", "32,1,1") ACCESS("0", "2,0,0", "0", "LDG") ONE("0x1000"),
         ":2:47: error: CTA 2,0,0 is outside the grid (2,1,1)"},
        {LAUNCH("0", "f", "2,1,1", "33,1,1") ACCESS("0", "1,0,0", "8", "LDG") ONE("0x1000")
             ACCESS("0", "1,0,0", "9", "LDG") ONE("0x1000") ACCESS("0", "0,0,0", "9", "LDG")
                 ONE("0x1000") ACCESS("0", "1,0,0", "2", "LDG") ONE("0x1000"),
         ":5:47: error: CTA 1,0,0 has more than the 2 warps of its block"},
        {ACCESS("3", "0,0,0", "0", "LDG") ONE("0x1000") ACCESS("2", "0,0,0", "0", "LDG")
             ONE("0x1000"),
         ":2:1: error: launch 2 after launch 3: launches are mixed"},
        {ACCESS("3", "0,0,0", "0", "LDG") ONE("0x1000") LAUNCH("3", "f", "1,1,1", "32,1,1"),
         "launch 3 after launch 3"},
        {LAUNCH("1", "f", "1,1,1", "32,1,1") ACCESS("0", "0,0,0", "0", "LDG") ONE("0x1000")
             LAUNCH("0", "f", "1,1,1", "32,1,1"),
         ":3:1: error: launch 0 after launch 1: launches are mixed"},
        {LAUNCH("1", "f", "2,1,1", "32,1,1") ACCESS("0", "2,0,0", "0", "LDG") ONE("0x1000"),
         ":2:47: error: CTA 2,0,0 is outside the grid (2,1,1)"},
        {LAUNCH("4", "f", "1,1,1", "32,1,1") LAUNCH("4", "f", "1,1,1", "32,1,1"),
         "launch 4 after launch 4"},
        {LAUNCH("0", "f", "0,1,1", "32,1,1"), "at least 1"},
        {LAUNCH("0", "f", "1,1,1", "1024,1024,1"), "more than 32768 threads"},
        {LAUNCH("0", "f", "4294967295,4294967295,1", "1,1,1"), "2^32"},
        {LAUNCH("0", "f", "1,1", "32,1,1"), "expected a grid such as"},
        {LAUNCH("0", "f", "1,1,1", "32"), "expected a block such as"},
        {LAUNCH("x", "f", "1,1,1", "32,1,1"), "expected a launch id"},
        {"MEMTRACE: CTX 0x12 - LAUNCH - Kernel pc 0x1 - Kern", "expected \"Kernel name\""},
        {"MEMTRACE: CTX 0x12 - LAUNCH - Kernel name f - grid", "expected \"- grid launch id N\""},
    };
    struct trace_items all;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_error(trace_read_file(check_file("log.txt", rows[i].text), false, &all, &failure),
                    STATUS_INPUT, rows[i].words);
        assert_true(failure.line > 0);
    }
}

/* Damage of any kind: no crash, no leak, and an error that says something. */
TEST(test_damage)
{
    static const char base[] =
        "hello\n" LAUNCH("0", "f<2>(int)", "3,1,1", "64,1,1") ACCESS("0", "0,0,0", "8", "LDG.E")
            ONE("0x7f1000") "x\ny" ACCESS("0", "2,0,0", "9", "LDGSTS.E.128") ONE("0x400")
                ACCESS("4", "0,1,0", "8", "RED.E") ONE("0x7f2000") ACCESS("4", "1,0,0", "3", "STL")
                    ONE("0x7f2000");
    TRACE_CHECK_DAMAGE("log.txt", base, "0123456789abcdef\n ,-x()-LDGSTUE.: \0\xff", false, 17);
}
