/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local memory: where a thread's words stand, whose frames they are, and who leaves them out. */
#include "trace_check.h"
#include "issue_check.h"

#include "trace/binary_format.h"
#include "trace/text_format.h"

#define HEADER(grid, block)                                                                        \
    "-kernel name = k\n-grid dim = (" grid ")\n-block dim = (" block ")\n"                         \
    "-shmem base_addr = 0x00007f0002000000\n-local mem base_addr = 0x00007f0000000000\n"           \
    "-accelsim tracer version = 5\n-enable lineinfo = 0\n#\n"
#define BEGIN(cta) "#BEGIN_TB\nthread block = " cta ",0,0\nwarp = 0\n"
#define END "#END_TB\n"

static void read_text(const char *name, const char *text, struct trace_items *all)
{
    check_ok(trace_read_file(check_file(name, text), true, all, &failure));
}

/* Four words of each lane: four rows, of which each lane has a word; the loads go out together,
 * and who needs a register of them waits for all four. */
TEST(test_words)
{
    struct trace_items all;
    read_text("k.traceg",
              HEADER("1,1,1", "32,1,1")
                  BEGIN("0") "insts = 4\n"
                             "0 ffffffff 1 R4 LDL.128 1 R1 16 1 0xfffff0 0 0\n"
                             "1 ffffffff 1 R9 LDG.E 1 R2 4 1 0x1000 4 0\n"
                             "2 ffffffff 0 STL.U16 2 R1 R7 2 1 0xffffea 0 0\n"
                             "3 80000001 0 STL 2 R1 R7 4 0 0xffffe0 0xfffffc 0\n" END,
              &all);
    assert_int_equal(all.accesses.count, 7);
    assert_int_equal(all.kernels.items[0].launch.local_bytes, 8 * 128);
    for (int i = 0; i < 4; i++) {
        const struct trace_item *item = &all.accesses.items[i];
        assert_int_equal(item->access.flags, i ? ACCESS_LOCAL | ACCESS_PART : ACCESS_LOCAL);
        assert_int_equal(item->access.instructions, i == 0);
        assert_int_equal(item->access.ahead, i);
        assert_int_equal(item->access.kind, ACCESS_READ);
        for (int lane = 0; lane < 32; lane++)
            assert_true(item->addresses[lane] ==
                        LOCAL_ADDRESS + (4 + (uint64_t)i) * 128 + (uint64_t)lane * 4);
    }
    assert_int_equal(all.accesses.items[4].access.ahead, 4);
    /* R7 is the last of the four. */
    const struct trace_item *half = &all.accesses.items[5], *two = half + 1;
    assert_int_equal(half->access.ahead, 1);
    assert_int_equal(half->access.bytes, 2);
    assert_true(half->addresses[3] == LOCAL_ADDRESS + 2 * 128 + 3 * 4 + 2);
    assert_int_equal(two->access.mask, 0x80000001);
    assert_true(two->addresses[0] == LOCAL_ADDRESS);
    assert_true(two->addresses[1] == LOCAL_ADDRESS + 7 * 128 + 31 * 4);
    trace_items_free(&all);
}

/* Every warp of the grid has a frame of its own: two rows here, of which it uses one. Generic
 * accesses of both spaces are two, of one instruction. */
TEST(test_frames)
{
    struct trace_items all;
    read_text("k.traceg",
              HEADER("2,1,1", "64,1,1")
                  BEGIN("0") "insts = 1\n0 1 1 R4 LDL 1 R1 4 1 0x100 0 0\n" END BEGIN(
                      "1") "insts = 1\n0 1 1 R4 LDL 1 R1 4 1 0x104 0 0\n"
                           "warp = 1\ninsts = 1\n"
                           "0 3 1 R4 LD.E 1 R1 4 0 0x7f0000000104 0x5000 0\n" END,
              &all);
    assert_int_equal(all.kernels.items[0].launch.local_bytes, 2 * 128);
    assert_int_equal(all.accesses.count, 4);
    const struct trace_item *item = all.accesses.items;
    assert_true(item[0].addresses[0] == LOCAL_ADDRESS);
    assert_true(item[1].addresses[0] == LOCAL_ADDRESS + 2 * 256 + 128);
    assert_true(item[2].addresses[0] == 0x5000);
    assert_int_equal(item[2].access.mask, 2);
    assert_true(item[3].addresses[0] == LOCAL_ADDRESS + 3 * 256 + 128);
    assert_int_equal(item[3].access.mask, 1);
    assert_int_equal(item[3].access.flags, ACCESS_LOCAL | ACCESS_PART);
    assert_int_equal(item[3].access.ahead, 1);
    trace_items_free(&all);
}

/* More lists in a warp than a buffer has room for come whole, and in order. */
TEST(test_many_lists)
{
    enum { MANY = 40 };
    struct text text = {0};
    struct trace_items all;
    text_append(&text, "bandscape-trace 1\n");
    for (int i = 0; i < MANY; i++) {
        text_printf(&text, "r 0x%x", 128 * i);
        for (int lane = 1; lane < 32; lane++)
            text_printf(&text, ",+%d", 4 + 128 * ((lane + i) % 2));
        text_append(&text, " 4 local\n");
    }
    read_text("many.btrace", text.data, &all);
    assert_int_equal(all.accesses.count, MANY);
    for (int i = 0; i < MANY; i++) {
        uint64_t at = LOCAL_ADDRESS + 128 * (uint64_t)i;
        for (int lane = 0; lane < 32; lane++) {
            at += lane ? 4 + 128 * ((uint64_t)(lane + i) % 2) : 0;
            assert_true(all.accesses.items[i].addresses[lane] == at);
        }
    }
    trace_items_free(&all);
    text_free(&text);
}

/* Both forms keep what it is, and places in frames; the binary one is read by this program only. */
static void check_forms(const struct source *source, bool binary)
{
    FILE *out = fopen(check_path(binary ? "again.bstream" : "again.btrace"), "wb");
    OWNED(source) *again = NULL;
    struct trace_items one, two;
    check_ok(binary ? trace_write_binary(source, out, &failure)
                    : trace_write_text(source, out, &failure));
    fclose(out);
    check_ok(
        source_open_trace(check_path(binary ? "again.bstream" : "again.btrace"), &again, &failure));
    check_ok(trace_read(source, true, &one, &failure));
    check_ok(trace_read(again, true, &two, &failure));
    assert_int_equal(one.accesses.count, two.accesses.count);
    for (size_t i = 0; i < one.accesses.count; i++)
        assert_memory_equal(&one.accesses.items[i], &two.accesses.items[i],
                            sizeof one.accesses.items[i]);
    assert_int_equal(one.kernels.items[0].launch.local_bytes,
                     two.kernels.items[0].launch.local_bytes);
    trace_items_free(&one);
    trace_items_free(&two);
}

TEST(test_forms)
{
    static const char *const orders[] = {"", " order=recorded"};
    for (int i = 0; i < 2; i++) {
        struct text text = {0};
        OWNED(source) *source = NULL;
        text_printf(&text,
                    "bandscape-trace 1\nkernel k grid=3 block=64%s\n"
                    "r 0x100 4 stride=4 insts=3 local cta=1 warp=1\n"
                    "w 0x104,+4,+260 4 mask=7 part local cta=1 warp=1\n"
                    "r 0x180 4 stride=4 part local ahead=2 cta=2\n"
                    "a 0x4000 16 stride=16 bypass bulk insts=1 cta=2\n"
                    "r 0x4000 8 texture part cta=2\n",
                    orders[i]);
        check_ok(source_open_trace(check_file("forms.btrace", text.data), &source, &failure));
        check_forms(source, false);
        check_forms(source, true);
        text_free(&text);
    }
}

TEST(test_refused)
{
    static const struct {
        const char *input, *words;
    } cases[] = {
        {"r 0x20000000 4 local\n", "below 2^29"},
        {"r 0x1ffffffd 4 local\n", "below 2^29"},
        {"r 0x10 4 locals\n", "locals"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_items all;
        struct text text = {0};
        text_printf(&text, "bandscape-trace 1\n%s", cases[i].input);
        check_error(trace_read_file(check_file("x.btrace", text.data), false, &all, &failure),
                    STATUS_INPUT, cases[i].words);
        trace_items_free(&all);
        text_free(&text);
    }
}

/* --- places ------------------------------------------------------------------ */

/* Two SMs that hold one block of two warps each; four blocks, each warp a row of the two in its
 * frame. Blocks that follow each other on an SM have the same places, and none has another SM's:
 * pages of 4 KiB part them. */
static const char blocks[] = "bandscape-trace 1\nkernel k grid=4 block=64\n"
                             "r 0x0 4 local cta=0\nr 0x80 4 local cta=0 warp=1\n"
                             "r 0x0 4 local cta=1\nr 0x80 4 local cta=1 warp=1\n"
                             "r 0x0 4 local cta=2\nr 0x80 4 local cta=2 warp=1\n"
                             "r 0x0 4 local cta=3\nr 0x10 4 cta=3\nr 0x80 4 local cta=3 warp=1\n";

static void check_issued(const struct system *system, const char *text, const char *want)
{
    struct log log = {{0}};
    OWNED(source) *source = NULL;
    check_ok(source_open_trace(check_file("issue.btrace", text), &source, &failure));
    check_ok(issue_source(system, source, &log, &failure));
    assert_string_equal(log.text.data, want);
    text_free(&log.text);
}

TEST(test_places)
{
    struct system system = system_of(1, 2, "centralised", false);
    system.ctas = 1;
    system.page_bytes = 4096;
    /* 2^59 = 576460752303423488; warp 1's frame is 256 bytes behind; SM 1's page 4096. */
    check_issued(&system, blocks,
                 "0:576460752303423488 1:576460752303427584 1:576460752303427968 "
                 "0:576460752303423872 0:576460752303423488 1:576460752303427584 "
                 "1:576460752303427968 0:576460752303423872 0:16 | ");
    system.no_local = true;
    check_issued(&system, blocks, "+0 +0 +0 +0 +0 +0 +0 +0 1:16 | ");
}

/* What goes ahead of one that is left out goes ahead of one less: here the last waits for the first
 * (1000 and more), as it does where both are made. */
TEST(test_left_out)
{
    static const char text[] = "bandscape-trace 1\nkernel k grid=1 block=32\n"
                               "r 0x3e8 4 insts=2\nr 0x0 4 local insts=5 ahead=1\n"
                               "r 0x10 4 ahead=1 insts=1\nr 0x20 4 ahead=3 insts=1\n";
    struct system system = system_of(1, 1, "centralised", false);
    OWNED(source) *source = NULL;
    struct trace_items all;
    system.page_bytes = 4096;
    system.no_local = true;
    /* Its five instructions stay. */
    struct log log = {{0}};
    check_ok(source_open_trace(check_file("left.btrace", text), &source, &failure));
    check_ok(issue_source(&system, source, &log, &failure));
    assert_string_equal(log.text.data, "0:1000 +5 0:16 0:32 | ");
    text_free(&log.text);
    check_ok(trace_read(source, false, &all, &failure));
    assert_int_equal(all.accesses.count, 4);
    trace_items_free(&all);
}
