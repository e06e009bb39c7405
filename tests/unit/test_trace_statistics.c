/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trace statistics: by hand, against naive counting, and the known facts of
 * real traces. */
#include "trace_check.h"

#include "trace/statistics.h"

static struct statistics *gather(const char *path, uint32_t line_bytes)
{
    OWNED(source) *source = NULL;
    struct statistics *statistics;
    check_ok(source_open_trace(path, &source, &failure));
    check_ok(statistics_gather(source, line_bytes, &statistics, &failure));
    return statistics;
}

TEST(test_by_hand)
{
    const char *path = check_file(
        "a.btrace", "bandscape-trace 1\nallocation x 0x1000 256\nallocation y 0x2000 256\n"
                    "kernel a grid=2 block=64 dropped-local=3\n"
                    "warp 0 0\nr 0x1000 4 stride=4 insts=5\nw 0x2000 8 stride=8 lanes=16 insts=2\n"
                    "i 4\nwarp 0 1\nr 0x1000 4 insts=1\nwarp 1 0\nr 0x1040 4 stride=4 insts=1\n"
                    "a 0x20f8,0x2100 8\n"
                    "kernel b\nr 0x1000 4\n");
    struct statistics *s = gather(path, 128);
    const struct statistics_counts *a = &s->kernels.items[0].counts;
    assert_int_equal(s->kernels.count, 2);
    assert_int_equal(a->ctas, 2);
    assert_int_equal(a->warps, 4);
    assert_int_equal(a->instructions, 13);
    assert_int_equal(a->warp_accesses, 5);
    assert_int_equal(a->lanes.reads, 65);
    assert_int_equal(a->lanes.writes, 16);
    assert_int_equal(a->lanes.atomics, 2);
    assert_int_equal(a->lane_bytes, 65 * 4 + 16 * 8 + 2 * 8);
    assert_int_equal(a->lines, 1 + 1 + 1 + 2 + 2);
    assert_int_equal(a->sectors, 4 + 4 + 1 + 4 + 2);
    /* Lines 0x20, 0x40 (CTA 0), 0x20, 0x21, 0x41, 0x42 (CTA 1). */
    assert_int_equal(a->distinct_lines, 5);
    assert_int_equal(a->shared_lines, 1);
    assert_int_equal(a->line_ctas, 6);
    assert_int_equal(a->dropped.local, 3);
    check_relative(statistics_ctas_per_line(a), 6.0 / 5, 1e-15);
    check_relative(statistics_ctas_per_shared_line(a), 2.0, 1e-15);
    const struct lane_counts *x = s->kernels.items[0].allocations;
    assert_int_equal(x[0].reads, 65);
    assert_int_equal(x[1].writes, 16);
    assert_int_equal(x[1].atomics, 1);
    assert_int_equal(x[2].atomics, 1); /* in no allocation */
    const struct statistics_counts *b = &s->kernels.items[1].counts;
    assert_int_equal(b->distinct_lines, 1);
    assert_int_equal(b->instructions, 0);
    check_relative(statistics_ctas_per_shared_line(b), 0.0, 0.0);
    assert_int_equal(s->total.distinct_lines, 5);
    assert_int_equal(s->total.lines, 8);
    assert_int_equal(s->total_allocations[0].reads, 66);
    statistics_destroy(s);
    statistics_destroy(NULL);
}

/* Distinct (line, CTA) pairs counted by marking a matrix. */
static void check_naive(const struct trace_items *all, const struct statistics *s, size_t kernel)
{
    enum { LINES = 1024, CTAS = 8 };
    static bool touched[LINES][CTAS];
    uint64_t distinct = 0, shared = 0, pairs = 0, sectors = 0;
    memset(touched, 0, sizeof touched);
    for (size_t i = 0; i < all->accesses.count; i++) {
        const struct trace_item *item = &all->accesses.items[i];
        static bool sector[LINES * 4];
        if (item->kernel != kernel)
            continue;
        memset(sector, 0, sizeof sector);
        for (int k = 0; k < item->lanes; k++)
            for (uint64_t b = 0; b < item->access.bytes; b++) {
                touched[(item->addresses[k] + b) / 128][item->cta] = true;
                sector[(item->addresses[k] + b) / 32] = true;
            }
        for (int k = 0; k < LINES * 4; k++)
            sectors += sector[k];
    }
    for (int line = 0; line < LINES; line++) {
        uint64_t ctas = 0;
        for (int cta = 0; cta < CTAS; cta++)
            ctas += touched[line][cta];
        distinct += ctas > 0;
        shared += ctas > 1;
        pairs += ctas;
    }
    const struct statistics_counts *counts = &s->kernels.items[kernel].counts;
    assert_int_equal(counts->distinct_lines, distinct);
    assert_int_equal(counts->shared_lines, shared);
    assert_int_equal(counts->line_ctas, pairs);
    assert_int_equal(counts->sectors, sectors);
}

TEST(test_against_naive_counting)
{
    uint64_t random = 4;
    for (int round = check_rounds(8, 200); round > 0; round--) {
        struct text text = {0};
        struct trace_items all;
        text_append(&text, "bandscape-trace 1\n");
        for (int kernel = 0; kernel < 2; kernel++) {
            text_printf(&text, "kernel k%d grid=8 block=64\n", kernel);
            for (int i = 0; i < 300; i++)
                text_printf(&text, "r %d 8 stride=%d lanes=%d cta=%d warp=%d\n",
                            (int)(check_random(&random) % 60000),
                            (int)(check_random(&random) % 200),
                            1 + (int)(check_random(&random) % 32), (int)(check_random(&random) % 8),
                            (int)(check_random(&random) % 2));
        }
        const char *path = check_file("a.btrace", text.data);
        struct statistics *s = gather(path, STATISTICS_LINE_BYTES);
        check_ok(trace_read_file(path, false, &all, &failure));
        check_naive(&all, s, 0);
        check_naive(&all, s, 1);
        trace_items_free(&all);
        statistics_destroy(s);
        text_free(&text);
    }
}

/* Errors in the middle of a trace come through. */
TEST(test_errors)
{
    OWNED(source) *source = NULL;
    struct statistics *statistics;
    const char *path =
        check_file("a.btrace", "bandscape-trace 1\nkernel a\nr 1 1\nkernel b\nr x 1\n");
    check_ok(source_open_trace(path, &source, &failure));
    check_error(statistics_gather(source, 128, &statistics, &failure), STATUS_INPUT, ":5:3: error");
    assert_null(statistics);
}

/* --- real traces ------------------------------------------------------------ */

static struct statistics *gather_real(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return gather(path, 128);
}

TEST(test_rodinia_bfs)
{
    /* Loads of the edge array, level by level; they add up to its 24 576
     * elements, because BFS visits every edge once. */
    static const uint64_t edges[] = {10, 70, 416, 2331, 9608, 11278, 860, 3};
    const char *folder;
    check_need_traces(folder);
    struct statistics *s = gather_real(folder, "rodinia-bfs/kernelslist.g");
    assert_int_equal(s->kernels.count, 16);
    assert_int_equal(s->allocation_count, 7); /* the flag is copied once a level */
    for (int level = 0; level < 8; level++) {
        const struct statistics_kernel *kernel = &s->kernels.items[2 * level];
        assert_string_equal(kernel->name, "Kernel");
        assert_int_equal(kernel->allocations[1].reads, edges[level]);
        assert_string_equal(s->kernels.items[2 * level + 1].name, "Kernel2");
        assert_int_equal(s->kernels.items[2 * level + 1].allocations[1].reads, 0);
    }
    assert_int_equal(s->total_allocations[1].reads, 98304 / 4);
    const struct statistics_counts *k7 = &s->kernels.items[6].counts;
    assert_int_equal(k7->warp_accesses, 7449);
    assert_int_equal(k7->lines, 12148);
    assert_int_equal(k7->sectors, 13980);
    assert_int_equal(k7->distinct_lines, 745);
    assert_int_equal(k7->shared_lines, 192);
    check_relative(statistics_ctas_per_line(k7), 2.59, 0.005);
    check_relative(statistics_ctas_per_shared_line(k7), 7.18, 0.005);
    assert_int_equal(s->total.dropped.local + s->total.dropped.bulk + s->total.dropped.unknown, 0);
    assert_int_equal(s->total.lanes.atomics, 0);
    /* Instruction lines: grep -Ec '^[0-9a-f]{4} [0-9a-f]{8} ' counts as many. */
    assert_int_equal(s->total.instructions, 159509);
    statistics_destroy(s);
}

TEST(test_vectoradd)
{
    const char *folder;
    check_need_traces(folder);
    struct statistics *s = gather_real(folder, "vectoradd/kernelslist.g");
    assert_int_equal(s->kernels.count, 1);
    assert_int_equal(s->total.ctas, 196);
    assert_int_equal(s->total.warp_accesses, 4689);
    assert_int_equal(s->total.sectors, 18750);
    assert_int_equal(s->total.lines, 4689);
    assert_int_equal(s->total.distinct_lines, 4689); /* every line once */
    assert_int_equal(s->total.shared_lines, 0);
    assert_int_equal(s->total.lanes.reads, 100000);
    assert_int_equal(s->total.lanes.writes, 50000);
    assert_int_equal(s->total_allocations[0].reads, 50000);
    assert_int_equal(s->total_allocations[1].reads, 50000);
    assert_int_equal(s->total_allocations[2].writes, 50000); /* the result is never copied in */
    statistics_destroy(s);
    struct statistics *one = gather_real(folder, "vectoradd/kernel-1.traceg");
    assert_int_equal(one->allocation_count, 0);
    assert_int_equal(one->total.sectors, 18750);
    statistics_destroy(one);
}
