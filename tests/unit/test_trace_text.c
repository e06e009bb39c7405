/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text form: what it means, what it refuses, and that it survives being
 * written and read again. */
#include "trace_check.h"

#include "core/parallel.h"
#include "trace/text_format.h"

#define FIRST "bandscape-trace 1\n"

static void read_text(const char *text, bool ordered, struct trace_items *all)
{
    check_ok(trace_read_file(check_file("a.btrace", text), ordered, all, &failure));
}

/* The text form of a file. free() it. */
static char *text_of(const char *path)
{
    struct source *source;
    char *data = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&data, &size);
    assert_non_null(stream);
    check_ok(source_open_trace(path, &source, &failure));
    check_ok(trace_write_text(source, stream, &failure));
    source_destroy(source);
    fclose(stream);
    return data;
}

/* trace -> text -> trace is the same, and text -> text -> text is too. */
static void check_round_trip(const char *path)
{
    struct trace_items before, after;
    char *kept = memory_strdup(path);
    char *text = text_of(kept);
    const char *copy = check_file("copy.btrace", text);
    for (int ordered = 0; ordered < 2; ordered++) {
        check_ok(trace_read_file(kept, ordered, &before, &failure));
        check_ok(trace_read_file(copy, ordered, &after, &failure));
        trace_check_equal(&before, &after);
        trace_items_free(&before);
        trace_items_free(&after);
    }
    char *again = text_of(copy);
    assert_string_equal(again, text);
    free(again);
    free(text);
    free(kept);
}

/* The example of trace/text_format.h. */
static const char example[] = "bandscape-trace 1\n"
                              "# y[i] = x[i] + a[0], two CTAs of one warp\n"
                              "allocation x 0x10000 4096\n"
                              "allocation y 0x20000 4096\n"
                              "home 0x10000 4096 1\n"
                              "\n"
                              "kernel copy grid=2 block=32 shared=1024\n"
                              "warp 0 0\n"
                              "r 0x10000 4 stride=4 insts=9\n"
                              "r 0x30000 4 lanes=32\n"
                              "w 0x20000 4 stride=4 insts=3\n"
                              "i 1\n"
                              "warp 1 0\n"
                              "r 0x10080 4 stride=4 mask=0x0000ffff insts=9\n"
                              "a 0x20010,+4,+4,+64,-8 8 insts=3\n";

TEST(test_example)
{
    struct source *source;
    struct trace_items all;
    check_ok(source_open_trace(check_file("example.btrace", example), &source, &failure));
    assert_string_equal(source->name, "example");
    assert_int_equal(source->allocations.count, 2);
    assert_string_equal(source->allocations.items[1].name, "y");
    assert_true(source->allocations.items[1].base == 0x20000);
    assert_int_equal(source->homes.count, 1);
    assert_int_equal(source->homes.items[0].home, 1);
    check_ok(trace_read(source, false, &all, &failure));
    source_destroy(source);
    assert_int_equal(all.kernels.count, 1);
    assert_int_equal(all.kernels.items[0].launch.shared_bytes, 1024);
    assert_int_equal(all.accesses.count, 6);
    const struct trace_item *item = all.accesses.items;
    assert_int_equal(item[0].access.mask, 0xffffffff);
    assert_int_equal(item[0].access.stride, 4);
    assert_int_equal(item[0].access.instructions, 9);
    assert_int_equal(item[1].lanes, 32);
    assert_true(item[1].addresses[31] == 0x30000);
    assert_int_equal(item[1].access.instructions, 0);
    assert_int_equal(item[3].access.kind, ACCESS_NONE);
    assert_int_equal(item[4].cta, 1);
    assert_int_equal(item[4].lanes, 16);
    assert_int_equal(item[5].access.kind, ACCESS_ATOMIC);
    assert_int_equal(item[5].access.bytes, 8);
    assert_int_equal(item[5].access.mask, 0x1f);
    assert_true(item[5].addresses[3] == 0x20010 + 72 && item[5].addresses[4] == 0x20010 + 64);
    trace_items_free(&all);
    check_round_trip(check_file("example.btrace", example));
}

TEST(test_smallest)
{
    struct trace_items all;
    read_text(FIRST "r 0x1000 4\nwrite 4096 16 # a comment\n#\n\natomic 0x2000 4\r\n", false, &all);
    assert_int_equal(all.kernels.count, 1);
    assert_string_equal(all.kernels.items[0].name, "kernel");
    assert_int_equal(all.kernels.items[0].launch.n_ctas, 1);
    assert_int_equal(all.kernels.items[0].launch.threads_per_cta, 32);
    assert_false(all.kernels.items[0].launch.recorded_sm);
    assert_int_equal(all.accesses.count, 3);
    assert_int_equal(all.accesses.items[0].access.mask, 1);
    assert_true(all.accesses.items[1].addresses[0] == 0x1000);
    assert_int_equal(all.accesses.items[1].access.bytes, 16);
    assert_int_equal(all.accesses.items[2].access.kind, ACCESS_ATOMIC);
    trace_items_free(&all);
}

/* Warps in any order; cta= and warp= for one line; sizes that follow from it. */
TEST(test_places)
{
    struct trace_items all;
    read_text(FIRST "kernel k\nwarp 3 1\nr 1 1\nwarp 0 2\nr 2 1\nr 3 1 cta=3 warp=1\nr 4 1 cta=3\n"
                    "r 5 1 warp=4 bypass\nr 6 1\n",
              false, &all);
    assert_int_equal(all.kernels.items[0].launch.n_ctas, 4);
    assert_int_equal(all.kernels.items[0].launch.warps_per_cta, 5);
    static const struct {
        uint64_t cta;
        uint32_t warp;
        uint64_t address;
    } want[] = {{0, 2, 2}, {0, 2, 6}, {0, 4, 5}, {3, 0, 4}, {3, 1, 1}, {3, 1, 3}};
    assert_int_equal(all.accesses.count, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(all.accesses.items[i].cta, want[i].cta);
        assert_int_equal(all.accesses.items[i].warp, want[i].warp);
        assert_true(all.accesses.items[i].addresses[0] == want[i].address);
    }
    assert_int_equal(all.accesses.items[2].access.flags, ACCESS_BYPASS_L1);
    trace_items_free(&all);
    check_round_trip(check_path("a.btrace"));
}

TEST(test_paths)
{
    struct trace_items all;
    read_text(FIRST "r 1 1 scalar\nr 2 1 constant bypass\nr 3 1 texture\nr 4 1\n", false, &all);
    for (int i = 0; i < 4; i++)
        assert_int_equal(all.accesses.items[i].access.path, (i + 1) % ACCESS_PATHS);
    assert_int_equal(all.accesses.items[1].access.flags, ACCESS_BYPASS_L1);
    trace_items_free(&all);
    check_round_trip(check_path("a.btrace"));
    check_error(
        trace_read_file(check_file("a.btrace", FIRST "w 1 1 scalar\n"), false, &all, &failure),
        STATUS_INPUT, "only reads ask a cache of scalar data");
}

TEST(test_recorded_sms_and_order)
{
    struct trace_items all;
    /* SMs without CTAs: CTA i is what SM i does. */
    read_text(FIRST "r 16 4 sm=2\nr 32 4 sm=0\nr 48 4 sm=2\n", false, &all);
    assert_true(all.kernels.items[0].launch.recorded_sm);
    assert_int_equal(all.kernels.items[0].launch.n_ctas, 3);
    assert_int_equal(all.kernels.items[0].sms[2], 2);
    assert_int_equal(all.accesses.items[2].cta, 2);
    trace_items_free(&all);
    check_round_trip(check_path("a.btrace"));
    /* With CTAs, in the order of the file. */
    read_text(FIRST "kernel k grid=3 block=64 order=recorded\ncta 1 sm=7\ncta 0 sm=9\nwarp 1 0\n"
                    "r 16 4\nr 32 4 cta=0 warp=1\nr 48 4\ni 3 cta=1\nr 64 4 cta=1 warp=0 sm=7\n",
              true, &all);
    assert_true(all.kernels.items[0].launch.recorded_order);
    assert_int_equal(all.accesses.count, 5);
    static const uint32_t sms[] = {7, 9, 7, 7, 7};
    for (int i = 0; i < 5; i++)
        assert_int_equal(all.accesses.items[i].sm, sms[i]);
    assert_true(all.accesses.items[1].addresses[0] == 32);
    assert_int_equal(all.accesses.items[1].warp, 1);
    assert_int_equal(all.accesses.items[3].access.kind, ACCESS_NONE);
    trace_items_free(&all);
    check_round_trip(check_path("a.btrace"));
}

TEST(test_names)
{
    struct source *source;
    struct trace_items all;
    const char *path = check_file("n.txt", "\n# found by its first line\n" FIRST
                                           "allocation \"my \\\"x\\\" #1\" 0x2000 16\n"
                                           "allocation - 0x1000 16\n"
                                           "kernel \"void f<int, 4>(a\\\\b)\" grid=2,1,3 "
                                           "dropped-local=5 dropped-bulk=6 dropped-unknown=7\n"
                                           "kernel g\nr 1 1\nkernel f\n");
    check_ok(source_open_trace(path, &source, &failure));
    assert_string_equal(source->allocations.items[0].name, ""); /* sorted by base */
    assert_string_equal(source->allocations.items[1].name, "my \"x\" #1");
    struct stream *a, *b;
    struct stream_kernel first, second;
    check_ok(stream_open(source, &a, &failure));
    check_ok(stream_open(source, &b, &failure));
    assert_int_equal(stream_next_kernel(a, &first, &failure), 1);
    stream_destroy(a);
    assert_int_equal(stream_next_kernel(b, &second, &failure), 1);
    assert_ptr_equal(first.name, second.name); /* outlives the stream */
    assert_string_equal(first.name, "void f<int, 4>(a\\b)");
    assert_int_equal(first.grid[2], 3);
    assert_int_equal(first.dropped.local, 5);
    assert_int_equal(first.dropped.unknown, 7);
    stream_destroy(b);
    check_ok(trace_read(source, false, &all, &failure));
    assert_int_equal(all.kernels.count, 3);
    assert_int_equal(all.accesses.count, 1);
    trace_items_free(&all);
    source_destroy(source);
    check_round_trip(path);
}

TEST(test_errors)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"r 0x1000 4\n", ":1:1: error: the first line must be \"bandscape-trace 1\""},
        {"", "the first line must be"},
        {"bandscape-trace 2\n", ":1:17: error: expected version 1"},
        {FIRST, "holds no kernel and no access"},
        {FIRST "alocation x 0 1\n", ":2:1: error: there is no directive \"alocation\"\n"},
        {FIRST "alocation x 0 1\n", "did you mean \"allocation\"?"},
        {FIRST "allocation x\n", ":2:13: error: expected an address"},
        {FIRST "allocation x 0x10 0\n", "expected a size"},
        {FIRST "allocation \"x 0x10 1\n", "expected a quote"},
        {FIRST "allocation x 0 9 9\n", "expected the end of the line, got \"9\""},
        {FIRST "allocation a 0 9\nallocation b 8 9\nr 1 1\n", "overlap"},
        {FIRST "home 0 9 1\nhome 8 9 2\nr 1 1\n", "overlap"},
        {FIRST "home 0 9 70000\n", "expected a domain"},
        {FIRST "r 1 1\nallocation a 0 9\n", ":3:1: error: allocations and homes stand before"},
        {FIRST "kernel\n", "expected a name"},
        {FIRST "kernel k gird=3\n", "did you mean \"grid=\"?"},
        {FIRST "kernel k grid=3,\n", "expected dimensions"},
        {FIRST "kernel k grid=3,1,1,1\n", "expected dimensions"},
        {FIRST "kernel k grid=0\n", "expected dimensions"},
        {FIRST "kernel k grid=2 grid=3\n", ":2:17: error: \"grid=\" is given twice"},
        {FIRST "kernel k block=1024,1024\n", "more than 32768 threads"},
        {FIRST "kernel k order=random\n", "expected order=recorded"},
        {FIRST "kernel k grid=2\nwarp 2 0\n", ":3:6: error: CTA 2 is outside the grid"},
        {FIRST "kernel k block=32\nwarp 0 1\n", ":3:8: error: warp 1 is outside its CTA"},
        {FIRST "warp 20000000 0\n", "a kernel line with grid= may have more"},
        {FIRST "warp 0\n", "expected a warp"},
        {FIRST "cta 0\n", "expected sm="},
        {FIRST "cta 0 sm=65536\n", "expected an SM"},
        {FIRST "cta 0 sm=1\ncta 0 sm=2\n", "CTA 0 runs on SM 1, as was said before"},
        {FIRST "r 1 1\ncta 0 sm=1\n", "earlier accesses of this kernel have no SM"},
        {FIRST "cta 0 sm=1\nr 1 1 cta=1\n", "CTA 1 has no SM, but others have"},
        {FIRST "r\n", "expected an address"},
        {FIRST "r x 4\n", ":2:3: error: expected an address such as 0x1000, got \"x\""},
        {FIRST "r +4 4\n", "expected an address"},
        {FIRST "r 1,2, 4\n", "expected an address"},
        {FIRST "r 1;2 4\n", "expected a comma or a blank"},
        {FIRST "r 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 4\n",
         "expected at most 32 addresses"},
        {FIRST "r 0x1000\n", "expected the bytes a lane"},
        {FIRST "r 0x1000 3\n", ":2:10: error: expected the bytes a lane: 1, 2, 4"},
        {FIRST "r 0x1000 4 stried=4\n", "did you mean \"stride=\"?"},
        {FIRST "r 0x1000 4 stride=4 stride=8\n", "given twice"},
        {FIRST "r 0x1000 4 stride=\n", "expected a stride in bytes"},
        {FIRST "r 0x1000 4 lanes=0\n", "expected a number of lanes"},
        {FIRST "r 0x1000 4 lanes=33\n", "expected a number of lanes"},
        {FIRST "r 0x1000 4 mask=1ffffffff\n", "expected a mask"},
        {FIRST "r 0x1000 4 mask=0\n", "needs an active lane"},
        {FIRST "r 1,2,4 4 mask=3\n", "3 addresses for 2 active lanes"},
        {FIRST "r 1,2 4 stride=3\n", "a list of addresses or a stride, not both"},
        {FIRST "r 1000000000000000000000 4\n", "expected an address"},
        {FIRST "r 0xffffffffffffff0 4 stride=4\n", "must be below 2^60"},
        {FIRST "r 16 4 stride=-4\n", "must be below 2^60"},
        {FIRST "r 16 4 insts=4294967296\n", "expected a number of instructions"},
        {FIRST "r 16 4 think=-1\n", "a.btrace:2:14: error: expected a whole number of cycles"},
        {FIRST "r 16 4 think=nan\n", ":2:14: error: expected a whole number of cycles"},
        {FIRST "r 16 4 think=inf\n", ":2:14: error: expected a whole number of cycles"},
        {FIRST "r 16 4 think=1e30\n", ":2:14: error: expected a whole number of cycles"},
        {FIRST "r 16 4 think=0.5\n", ":2:14: error: expected a whole number of cycles"},
        {FIRST "r 16 4 think=4294967296\n",
         ":2:14: error: expected a whole number of cycles from 0 to 4294967295, got "
         "\"4294967296\""},
        {FIRST "r 16 4 think=\n", ":2:14: error: expected a whole number of cycles"},
        {FIRST "i 1 think=4\n", "there is no access field \"think=\""},
        {FIRST "i 0\n", "expected a number of instructions"},
        {FIRST "i 1 stride=4\n", "there is no access field \"stride=\""},
        {FIRST "kernel k grid=2\nr 1 1 sm=3\n", "outside the grid"},
    };
    struct trace_items all;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_error(trace_read_file(check_file("a.btrace", rows[i].text), false, &all, &failure),
                    STATUS_INPUT, rows[i].words);
}

TEST(test_long_line)
{
    struct trace_items all;
    struct text text = {0};
    text_append(&text, FIRST "r 1");
    while (text.length < 3 << 20)
        text_append(&text, ",+4");
    check_error(trace_read_file(check_file("a.btrace", text.data), false, &all, &failure),
                STATUS_INPUT, ":2:1: error: the line is too long");
    text_free(&text);
}

/* --- round trips ------------------------------------------------------------ */

TEST(test_random_traces)
{
    uint64_t random = 21;
    for (int round = check_rounds(40, 1000); round > 0; round--) {
        struct text text = {0};
        trace_random_text(&text, &random, round % 2, round % 4 < 2);
        check_round_trip(check_file("r.btrace", text.data));
        text_free(&text);
    }
}

TEST(test_damage)
{
    static const char base[] =
        FIRST "allocation \"a b\" 0x100 7\nhome 0x100 7 3\nkernel k grid=2 block=64 shared=4 "
              "order=recorded\ncta 1 sm=3\nwarp 1 1\nr 0x1000 4 stride=-4 lanes=7 insts=3 bypass\n"
              "w 0x1000,+4,-8,0x20 8 mask=0xf0 sm=3\na 16 4 cta=1 warp=0 sm=3\ni 4 cta=1\n";
    TRACE_CHECK_DAMAGE("a.btrace", base, "0123456789abcdefx\n ,=#-+rwai\"\\\0\xff", true, 9);
}

/* --- threads ---------------------------------------------------------------- */

/* Many passes over one source at once. */
TEST(test_threads)
{
    OWNED(source) *source = NULL;
    struct text text = {0};
    text_append(&text, FIRST);
    for (int k = 0; k < 20; k++) {
        text_printf(&text, "kernel k%d order=recorded\n", k);
        for (int i = 0; i < 50; i++)
            text_printf(&text, "r %d 4 cta=%d\n", i * 8, i % 5);
    }
    check_ok(source_open_trace(check_file("t.btrace", text.data), &source, &failure));
    trace_check_threads(source, 1000, "k19");
    text_free(&text);
}

TEST(test_write_errors)
{
    OWNED(source) *source = NULL;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    check_ok(source_open_trace(check_file("example.btrace", example), &source, &failure));
    setvbuf(full, NULL, _IONBF, 0);
    check_error(trace_write_text(source, full, &failure), STATUS_IO, "cannot write");
    fclose(full);
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
