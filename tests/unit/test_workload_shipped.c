/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every shipped workload against a plain C execution of the same algorithm:
 * each element of each array is read and written equally often. And the sizes
 * of the named inputs against what is published. */
#include "workload_check.h"

/* ---- counting --------------------------------------------------------------- */

struct counts {
    const char *name;
    uint64_t n; /* elements */
    uint32_t *reads, *writes;
};

enum { ARRAYS = 8 };

static struct counts counts_new(const char *name, uint64_t n)
{
    return (struct counts){name, n, memory_zero(n, sizeof(uint32_t)),
                           memory_zero(n, sizeof(uint32_t))};
}

static void counts_free(struct counts *c, int n)
{
    for (int i = 0; i < n; i++) {
        free(c[i].reads);
        free(c[i].writes);
    }
}

static void count_stream(const char *spec, const struct counts *like, struct counts *got, int n,
                         const uint8_t *element_bytes)
{
    struct error error;
    struct source *source;
    struct trace_items all;
    check_ok(source_open(spec, &source, &error));
    assert_int_equal(source->allocations.count, n);
    for (int i = 0; i < n; i++)
        got[i] = counts_new(like[i].name, like[i].n);
    check_ok(trace_read(source, false, &all, &error));
    for (size_t k = 0; k < all.accesses.count; k++) {
        const struct trace_item *item = &all.accesses.items[k];
        for (int lane = 0; lane < item->lanes; lane++) {
            const struct stream_allocation *a = workload_array(source, item->addresses[lane]);
            int i = (int)(a - source->allocations.items);
            uint64_t element = (item->addresses[lane] - a->base) / element_bytes[i];
            assert_string_equal(a->name, like[i].name);
            assert_true(element < like[i].n);
            ++*(item->access.kind == ACCESS_READ ? &got[i].reads[element]
                                                 : &got[i].writes[element]);
        }
    }
    trace_items_free(&all);
    source_destroy(source);
}

static void check_counts(const char *spec, struct counts *want, int n, const uint8_t *element_bytes)
{
    struct counts got[ARRAYS];
    count_stream(spec, want, got, n, element_bytes);
    for (int i = 0; i < n; i++)
        for (uint64_t e = 0; e < want[i].n; e++)
            if (got[i].reads[e] != want[i].reads[e] || got[i].writes[e] != want[i].writes[e])
                fail_msg("%s: %s[%" PRIu64 "]: %u reads and %u writes, expected %u and %u", spec,
                         want[i].name, e, got[i].reads[e], got[i].writes[e], want[i].reads[e],
                         want[i].writes[e]);
    counts_free(got, n);
    counts_free(want, n);
}

/* ---- the algorithms --------------------------------------------------------- */

static void test_stream(void **state)
{
    enum { N = 777, TIMES = 3 };
    struct counts c[] = {counts_new("a", N), counts_new("b", N), counts_new("c", N)};
    (void)state;
    for (int i = 0; i < N; i++)
        c[0].writes[i] = c[1].reads[i] = c[2].reads[i] = TIMES;
    check_counts("stream:n=777,times=3", c, 3, (const uint8_t[]){8, 8, 8});
}

static void test_blackscholes(void **state)
{
    enum { N = 1000, TIMES = 2, THREADS = 3 * 128 };
    struct counts c[] = {counts_new("call", N), counts_new("put", N), counts_new("price", N),
                         counts_new("strike", N), counts_new("years", N)};
    (void)state;
    for (int t = 0; t < TIMES; t++)
        for (int thread = 0; thread < THREADS; thread++)
            for (int option = thread; option < N; option += THREADS) {
                c[0].writes[option]++;
                c[1].writes[option]++;
                for (int i = 2; i < 5; i++)
                    c[i].reads[option]++;
            }
    check_counts("blackscholes:n=1000,ctas=3,times=2", c, 5, (const uint8_t[]){4, 4, 4, 4, 4});
}

/* Parboil's kernel, thread by thread: what a block has in shared memory it
 * does not load again. */
enum { NX = 70, NY = 9, NZ = 5, STEPS = 3 };

static uint32_t *stencil_point(uint32_t *grid, int i, int j, int k)
{
    assert_true(i >= 0 && i < NX && j >= 0 && j < NY && k >= 0 && k < NZ);
    return &grid[(k * NY + j) * NX + i];
}

static void stencil_column(uint32_t *reads, uint32_t *writes, int i, int j, bool left_edge,
                           bool right_edge, bool first_row, bool last_row)
{
    if (i >= NX || j >= NY)
        return;
    ++*stencil_point(reads, i, j, 0);
    ++*stencil_point(reads, i, j, 1);
    for (int k = 1; k < NZ - 1; k++) {
        ++*stencil_point(reads, i, j, k + 1);
        if (i == 0 || j == 0 || i == NX - 1 || j == NY - 1)
            continue;
        if (left_edge)
            ++*stencil_point(reads, i - 1, j, k);
        if (right_edge)
            ++*stencil_point(reads, i + 1, j, k);
        if (first_row)
            ++*stencil_point(reads, i, j - 1, k);
        if (last_row)
            ++*stencil_point(reads, i, j + 1, k);
        ++*stencil_point(writes, i, j, k);
    }
}

static void test_stencil(void **state)
{
    struct counts c[] = {counts_new("A0", NX * NY * NZ), counts_new("Anext", NX * NY * NZ)};
    (void)state;
    for (int step = 0; step < STEPS; step++)
        for (int by = 0; by < (NY + 3) / 4; by++)
            for (int bx = 0; bx < (NX + 63) / 64; bx++)
                for (int ty = 0; ty < 4; ty++)
                    for (int x = 0; x < 64; x++)
                        stencil_column(c[step % 2].reads, c[1 - step % 2].writes, bx * 64 + x,
                                       by * 4 + ty, x == 0, x == 63, ty == 0, ty == 3);
    check_counts("stencil:nx=70,ny=9,nz=5,steps=3", c, 2, (const uint8_t[]){4, 4});
}

/* ---- inputs ----------------------------------------------------------------- */

static uint64_t footprint(const struct source *source)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < source->allocations.count; i++)
        sum += source->allocations.items[i].bytes;
    return sum;
}

static void test_published_sizes(void **state)
{
    static const struct {
        const char *spec;
        uint64_t ctas;
        double bytes;
    } cases[] = {
        {"gemm:input=published-sac", 2048, 174e6},
        {"stencil:input=published-sac", 1024, 205e6},
        {"blackscholes:input=published-sac", 480, 76.0 * 0x1p20},
        {"blackscholes:input=published-nuba", 480, 48e6},
        {"stream:input=published-mcm", 0, 3072.0 * 0x1p20},
        {"mvt:input=published-nuba", 0, 6443e6},
        {"2mm:input=published-nuba", 0, 84e6},
        {"3mm:input=published-sac", 4096, 109e6},
        {"atax:input=published-nuba", 0, 1342e6},
        {"bicg:input=published-nuba", 0, 2013e6},
        {"gesummv:input=published-nuba", 0, 1073e6},
        {"2dconv:input=published-nuba", 0, 1074e6},
        {"3dconv:input=published-sac", 2048, 98e6},
        {"3dconv:input=published-nuba", 0, 1074e6},
        {"fdtd2d:input=published-nuba", 0, 51e6},
        {"fwt:input=published-nuba", 0, 269e6},
        {"convsep:input=published-nuba", 0, 151e6},
        {"matrixmul:input=published-nuba", 0, 8e6},
        {"kmeans:input=published-nuba", 0, 136e6},
        {"kmeans:input=published-mcm", 0, 216.0 * 0x1p20},
        {"srad:input=published-mcm", 0, 96.0 * 0x1p20},
        {"nw:input=published-nuba", 0, 16e6},
        {"streamcluster:input=published-nuba", 0, 302e6},
        {"dwt2d:input=published-sac", 91355, 207e6}, /* published: 91 373 */
        {"bfs:input=published-sac", 1954, 37.0 * 0x1p20},
        {"bfs:input=published-mcm", 1954, 37.0 * 0x1p20},
    };
    struct error error;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct source *source;
        struct stream *stream;
        struct stream_kernel kernel;
        check_ok(source_open(cases[i].spec, &source, &error));
        check_ok(stream_open(source, &stream, &error));
        assert_int_equal(stream_next_kernel(stream, &kernel, &error), 1);
        if (cases[i].ctas)
            assert_int_equal(kernel.n_ctas, cases[i].ctas);
        check_relative((double)footprint(source), cases[i].bytes, 0.02);
        stream_destroy(stream);
        source_destroy(source);
    }
}

/* The inputs for tests end soon, and still fill a machine of 256 SMs where the
 * algorithm has that many blocks. */
static void test_small_inputs(void **state)
{
    struct arena *arena = arena_create();
    struct workload_info *list;
    struct error error;
    size_t count;
    (void)state;
    check_ok(workload_list(arena, &list, &count, &error));
    assert_true(count >= 6);
    for (size_t i = 0; i < count; i++) {
        char spec[200];
        struct source *source;
        struct trace_items all;
        const struct workload_input *input = list[i].inputs;
        while (input->name && strcmp(input->name, "small") != 0)
            input++;
        assert_non_null(input->name);
        assert_true(i == 0 || strcmp(list[i - 1].name, list[i].name) < 0);
        assert_true(list[i].summary[0] && list[i].suite[0] && strlen(list[i].page) > 100);
        snprintf(spec, sizeof spec, "%s:input=small", list[i].name);
        check_ok(source_open(spec, &source, &error));
        assert_string_equal(source->name, list[i].name);
        check_ok(trace_read(source, false, &all, &error));
        assert_in_range(all.accesses.count, 1000, 250000);
        trace_items_free(&all);
        source_destroy(source);
    }
    arena_destroy(arena);
}

static void check_opens(const char *spec)
{
    struct error error;
    struct source *source;
    check_ok(source_open(spec, &source, &error));
    source_destroy(source);
}

/* Every input of every loop nest opens, at half and twice its size as well where it has
 * one: launches are checked then. (Workloads in C make their data when they open.) */
static void test_all_inputs_open(void **state)
{
    struct arena *arena = arena_create();
    struct workload_info *list;
    struct error error;
    size_t count;
    char *folder = file_shipped("spaces/workloads");
    (void)state;
    assert_non_null(folder);
    check_ok(workload_list(arena, &list, &count, &error));
    for (size_t i = 0; i < count; i++) {
        const char *name = list[i].name;
        const struct workload_input *input = list[i].inputs;
        if (access(arena_printf(arena, "%s/%s.yaml", folder, name), R_OK) != 0)
            continue;
        check_opens(name);
        for (; input->name; input++)
            check_opens(arena_printf(arena, "%s:input=%s", name, input->name));
        if (!list[i].scale || !list[i].scale[0].parameter)
            continue;
        check_opens(arena_printf(arena, "%s:size=x2", name));
        check_opens(arena_printf(arena, "%s:size=x1/2", name));
    }
    free(folder);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream),       cmocka_unit_test(test_blackscholes),
        cmocka_unit_test(test_stencil),      cmocka_unit_test(test_published_sizes),
        cmocka_unit_test(test_small_inputs), cmocka_unit_test(test_all_inputs_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
