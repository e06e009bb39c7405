/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bulk copies (TMA) of traces of version 6: what they ask for, whom they keep waiting, and lines
 * that are damaged. */
#include "trace_check.h"

#define HEADER(version)                                                                            \
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"                               \
    "-shmem base_addr = 0x00007f0002000000\n-local mem base_addr = 0x00007f0000000000\n"           \
    "-accelsim tracer version = " version "\n-enable lineinfo = 0\n#\n"                            \
    "#BEGIN_TB\nthread block = 0,0,0\ncluster id = 0,0,0\nwarp = 0\ninsts = %d\n"
#define END "#END_TB\n"
enum { BULK = ACCESS_BYPASS_L1 | ACCESS_BULK };

static int read_lines(int lines, const char *text, struct trace_items *all)
{
    struct text whole = {0};
    text_printf(&whole, HEADER("6") "%s" END, lines, text);
    int status = trace_read_file(check_file("k.traceg", whole.data), false, all, &failure);
    text_free(&whole);
    return status;
}

static uint64_t dropped(const struct trace_items *all)
{
    return all->kernels.items[0].launch.dropped.bulk;
}

/* 4 KiB, in sectors: four accesses of 32 lanes. Nobody waits for it but who looks at its barrier;
 * a barrier of another copy, or DEPBAR, is not it. */
TEST(test_copy)
{
    static const int ahead[] = {0, 1, 2, 3, 4, 5, 2};
    struct trace_items all;
    struct text text = {0};
    text_append(&text, "0 1 0 UBLKCP.S.G 3 UR4 UR6 UR8 32 0x2000400 0 4096 0 4 0x10000 128");
    for (int i = 1; i < 128; i++)
        text_append(&text, " 32");
    text_append(&text,
                " 0 0 NoVal\n"
                "1 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0 0 NoVal\n"
                "2 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 UR4 R3 8 1 0x408 0 0 0 NoVal\n"
                "3 ffffffff 1 R5 LDG.E 1 R2 4 1 0x1000 4 0 0 NoVal\n"
                "4 1 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 UR4 R3 8 1 0x400 0 0 0 NoVal\n"
                "5 ffffffff 0 STG.E 2 R2 R9 4 1 0x9000 4 0 0 NoVal\n");
    check_ok(read_lines(6, text.data, &all));
    assert_int_equal(all.accesses.count, 7);
    for (int i = 0; i < 7; i++)
        assert_int_equal(all.accesses.items[i].access.ahead, ahead[i]);
    for (int i = 0; i < 4; i++) {
        const struct trace_item *item = &all.accesses.items[i];
        assert_int_equal(item->access.kind, ACCESS_READ);
        assert_int_equal(item->access.flags, i ? BULK | ACCESS_PART : BULK);
        assert_int_equal(item->access.instructions, i == 0);
        assert_int_equal(item->access.bytes, 32);
        assert_int_equal(item->access.stride, 32);
        assert_int_equal(item->lanes, 32);
        assert_true(item->addresses[0] == 0x10000 + 1024 * (uint64_t)i);
    }
    assert_int_equal(dropped(&all), 0);
    trace_items_free(&all);
    text_free(&text);
}

/* LDGSTS and a copy: DEPBAR waits for the former alone. */
TEST(test_groups)
{
    struct trace_items all;
    check_ok(read_lines(4,
                        "0 1 0 LDGSTS.E 2 R14 R15 4 1 0x1000 0 0 0 NoVal\n"
                        "1 1 0 UBLKCP.S.G 3 UR4 UR6 UR8 32 0x400 0 32 0 3 1 0x10000 0 0 NoVal\n"
                        "2 1 0 DEPBAR.LE 0 0 0 0 NoVal\n"
                        "3 1 1 R4 LDG.E 1 R2 4 1 0x2000 0 0 0 NoVal\n",
                        &all));
    assert_int_equal(all.accesses.count, 3);
    assert_int_equal(all.accesses.items[2].access.ahead, 1);
    trace_items_free(&all);
}

/* One copy a row: what stands behind the width, and what comes of it. */
TEST(test_kinds)
{
    static const struct {
        const char *opcode, *rest;
        int width, kind, lanes, bytes;
        uint64_t first, last;
        int dropped;
    } rows[] = {
        /* To several CTAs: one read. */
        {"UTMALDG.2D.MULTICAST", "0x400 1 0x3 128 0 3 2 0x8000 0x9000", 64, ACCESS_READ, 4, 32,
         0x8000, 0x9020, 0},
        /* Three pieces of what is in bounds; the width says nothing. */
        {"UTMALDG.3D", "0x400 0 512 128 4 0x8000 3 256 -1024", 4, ACCESS_READ, 12, 32, 0x8000,
         0x7d60, 0},
        {"UTMASTG.2D", "0x0 0 96 0 4 0x8000 2 96", 48, ACCESS_WRITE, 6, 16, 0x8000, 0x8080, 0},
        {"UBLKCP.G.S", "0x0 0 16 0 3 1 0x8010", 0, ACCESS_WRITE, 1, 16, 0x8010, 0x8010, 0},
        {"UBLKRED.G.S.ADD.F32.RN", "0x0 0 64 0 3 1 0x8000", 64, ACCESS_ATOMIC, 2, 32, 0x8000,
         0x8020, 0},
        {"UTMAREDG.2D.ADD", "0x0 0 24 0 3 3 0x8000 0x9000 0xa000", 0, ACCESS_ATOMIC, 3, 8, 0x8000,
         0xa000, 0},
        /* Out of bounds, all of it. */
        {"UTMALDG.1D", "0x400 0 64 64 3 0", 32, 0, 0, 0, 0, 0, 0},
        {"UTMALDG.1D", "0x400 0 64 64 4 0x0 0", 32, 0, 0, 0, 0, 0, 0},
        /* Sizes that nobody can tell, prefetches, a copy that goes nowhere known, no fields. */
        {"UBLKCP.S.G", "0x400 0 100 0 3 3 0x8000 0x8020 0x8040", 16, 0, 0, 0, 0, 0, 1},
        {"UBLKPF.L2", "0x0 0 64 0 3 1 0x8000", 64, 0, 0, 0, 0, 0, 1},
        {"UTMAPF.L2.2D", "0x0 0 64 0 3 1 0x8000", 64, 0, 0, 0, 0, 0, 1},
        {"UBLKCP", "0x0 0 64 0 3 1 0x8000", 64, 0, 0, 0, 0, 0, 1},
        {"UBLKCP.S.G", "", 64, 0, 0, 0, 0, 0, 1},
        /* Between shared memories: not memory. */
        {"UBLKCP.S.S", "0x0 0 64 0 3 1 0x8000", 64, 0, 0, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trace_items all;
        struct text text = {0};
        const char *more = *rows[i].rest ? " 0 0 NoVal" : "";
        text_printf(&text,
                    "0 00000001 0 %s 2 UR4 UR8 %d %s%s\n1 00000000 0 UBLKCP.S.G 2 UR4 UR8 4\n",
                    rows[i].opcode, rows[i].width, rows[i].rest, more);
        check_ok(read_lines(2, text.data, &all));
        const struct trace_item *item = all.accesses.items;
        bool any = rows[i].lanes > 0;
        assert_int_equal(all.accesses.count, any ? 2 : 1); /* instructions behind it */
        assert_int_equal(dropped(&all), rows[i].dropped);
        assert_int_equal(item[any].access.kind, ACCESS_NONE);
        assert_int_equal(item[any].access.instructions, any ? 1 : 2);
        if (any) {
            assert_int_equal(item->access.kind, rows[i].kind);
            assert_int_equal(item->access.bytes, rows[i].bytes);
            assert_int_equal(item->lanes, rows[i].lanes);
            assert_int_equal(item->access.flags, BULK);
            assert_true(item->addresses[0] == rows[i].first);
            assert_true(item->addresses[rows[i].lanes - 1] == rows[i].last);
        }
        trace_items_free(&all);
        text_free(&text);
    }
}

/* Earlier tracers say no sizes. */
TEST(test_version_5)
{
    struct trace_items all;
    struct text text = {0};
    text_printf(&text, HEADER("5") "0 1 0 UBLKCP.S.G 2 UR4 UR8 4 1 0x1000 0 0\n" END, 1);
    check_ok(trace_read_file(check_file("k.traceg", text.data), false, &all, &failure));
    assert_int_equal(dropped(&all), 1);
    assert_int_equal(all.accesses.count, 1);
    trace_items_free(&all);
    text_free(&text);
}

/* Random boxes: all bytes, in order, none twice. */
TEST(test_random)
{
    uint64_t random = 11;
    for (int round = 0; round < check_rounds(200, 2000); round++) {
        struct trace_items all;
        struct text text = {0};
        uint32_t n = 1 + (uint32_t)(check_random(&random) % 100);
        uint32_t piece = 16 * (1 + (uint32_t)(check_random(&random) % 20));
        uint32_t outside = 16 * (uint32_t)(check_random(&random) % 4);
        uint64_t at = 0x100000 + check_random(&random) % 1000 * 16, addresses[100];
        bool list = check_random(&random) % 2, width = check_random(&random) % 2;
        text_printf(&text, "0 1 0 UTMALDG.2D 2 UR4 UR8 %u 0x400 0 %u %u ", width ? piece : 4,
                    n * piece + outside, outside);
        if (list)
            text_printf(&text, "3 %u", n);
        else
            text_printf(&text, "4 0x%llx %u", (unsigned long long)at, n);
        for (uint32_t i = 0; i < n; i++) {
            int64_t step = (int64_t)(check_random(&random) % 4000) * 16 - 16000;
            at += i ? (uint64_t)step : 0;
            addresses[i] = at;
            if (list)
                text_printf(&text, " 0x%llx", (unsigned long long)at);
            else if (i)
                text_printf(&text, " %lld", (long long)step);
        }
        text_append(&text, " 0 0 NoVal\n");
        check_ok(read_lines(1, text.data, &all));
        uint64_t seen = 0;
        for (size_t i = 0; i < all.accesses.count; i++)
            for (int k = 0; k < all.accesses.items[i].lanes; k++) {
                assert_true(seen < (uint64_t)n * piece);
                assert_true(all.accesses.items[i].addresses[k] ==
                            addresses[seen / piece] + seen % piece);
                seen += all.accesses.items[i].access.bytes;
            }
        assert_true(seen == (uint64_t)n * piece);
        trace_items_free(&all);
        text_free(&text);
    }
}

/* A line that is cut, or says what cannot be: what was expected, and where. */
TEST(test_damaged)
{
    static const struct {
        const char *rest, *words;
    } rows[] = {
        {"zz", "the barrier"},
        {"0x400", "goes to several CTAs"},
        {"0x400 2", "goes to several CTAs"},
        {"0x400 1", "the CTAs that a bulk copy goes to"},
        {"0x400 0", "the bytes of a bulk copy"},
        {"0x400 0 16777217", "at most 16777216"},
        {"0x400 0 64", "out of bounds"},
        {"0x400 0 64 65", "out of bounds"},
        {"0x400 0 64 0", "an address mode of bulk copies, 3 or 4"},
        {"0x400 0 64 0 1 0x8000 0", "an address mode of bulk copies, 3 or 4"},
        {"0x400 0 64 0 3", "a number of addresses"},
        {"0x400 0 64 0 3 65", "a number of addresses, at most one a byte"},
        {"0x400 0 64 0 3 2 0x8000", "an address for each piece"},
        {"0x400 0 64 0 4", "an address in hexadecimal"},
        {"0x400 0 64 0 4 0x8000", "a number of addresses"},
        {"0x400 0 64 0 4 0x8000 2", "an address difference for each piece"},
        {"0x400 0 64 0 3 2 0x8000 0x1000000000000000", "below 2^60"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trace_items all;
        struct text text = {0};
        text_printf(&text, "0 1 0 UBLKCP.S.G 2 UR4 UR8 32 %s\n", rows[i].rest);
        check_error(read_lines(1, text.data, &all), STATUS_INPUT, rows[i].words);
        trace_items_free(&all);
        text_free(&text);
    }
}
