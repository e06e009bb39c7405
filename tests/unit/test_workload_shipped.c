/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for all shipped workloads, the sizes of named inputs against what is published, and
 * stream, blackscholes and stencil against plain C executions. */
#include <math.h>

#include "kernel_check.h"
#include "profile/census/census.h"

/* ---- the algorithms --------------------------------------------------------- */

TEST(test_stream)
{
    enum { N = 777, TIMES = 3 };
    struct kernel_counts c = {0};
    kernel_counts_add(&c, "a", N, 8);
    kernel_counts_add(&c, "b", N, 8);
    kernel_counts_add(&c, "c", N, 8);
    for (int i = 0; i < N * TIMES; i++) {
        R(1, i % N);
        R(2, i % N);
        W(0, i % N);
    }
    kernel_check_counts("stream:n=777,times=3", &c, "triad triad triad");
}

TEST(test_blackscholes)
{
    enum { N = 1000, TIMES = 2, THREADS = 3 * 128 };
    static const char *const names[] = {"call", "put", "price", "strike", "years"};
    struct kernel_counts c = {0};
    for (int i = 0; i < 5; i++)
        kernel_counts_add(&c, names[i], N, 4);
    for (int t = 0; t < TIMES; t++)
        for (int thread = 0; thread < THREADS; thread++)
            for (uint64_t option = (uint64_t)thread; option < N; option += THREADS) {
                for (int i = 2; i < 5; i++)
                    R(i, option);
                W(0, option);
                W(1, option);
            }
    kernel_check_counts("blackscholes:n=1000,ctas=3,times=2", &c,
                        "BlackScholesGPU BlackScholesGPU");
}

/* Parboil's kernel, thread by thread: what a block has in shared memory it
 * does not load again. */
enum { NX = 70, NY = 9, NZ = 5, STEPS = 3 };

static uint64_t stencil_point(int i, int j, int k)
{
    assert_true(i >= 0 && i < NX && j >= 0 && j < NY && k >= 0 && k < NZ);
    return (uint64_t)((k * NY + j) * NX + i);
}

/* x, y: the thread's place in its block of 64 x 4 points. */
static void stencil_column(struct kernel_counts *counts, int from, int i, int j, int x, int y)
{
#define c (*counts)
    if (i >= NX || j >= NY)
        return;
    R(from, stencil_point(i, j, 0));
    R(from, stencil_point(i, j, 1));
    for (int k = 1; k < NZ - 1; k++) {
        R(from, stencil_point(i, j, k + 1));
        if (i == 0 || j == 0 || i == NX - 1 || j == NY - 1)
            continue;
        if (x == 0)
            R(from, stencil_point(i - 1, j, k));
        if (x == 63)
            R(from, stencil_point(i + 1, j, k));
        if (y == 0)
            R(from, stencil_point(i, j - 1, k));
        if (y == 3)
            R(from, stencil_point(i, j + 1, k));
        W(1 - from, stencil_point(i, j, k));
    }
#undef c
}

TEST(test_stencil)
{
    struct kernel_counts c = {0};
    kernel_counts_add(&c, "A0", NX * NY * NZ, 4);
    kernel_counts_add(&c, "Anext", NX * NY * NZ, 4);
    for (int step = 0; step < STEPS; step++)
        for (int j = 0; j < (NY + 3) / 4 * 4; j++)
            for (int i = 0; i < (NX + 63) / 64 * 64; i++)
                stencil_column(&c, step % 2, i, j, i % 64, j % 4);
    kernel_check_counts(
        "stencil:nx=70,ny=9,nz=5,steps=3", &c,
        "block2D_hybrid_coarsen_x block2D_hybrid_coarsen_x block2D_hybrid_coarsen_x");
}

/* ---- inputs ----------------------------------------------------------------- */

TEST(test_published_sizes)
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
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stream_kernel kernel;
        OWNED(source) *source = check_source(cases[i].spec);
        OWNED(stream) *stream = NULL;
        check_ok(stream_open(source, &stream, &failure));
        assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 1);
        if (cases[i].ctas)
            assert_int_equal(kernel.n_ctas, cases[i].ctas);
        check_relative(census_allocated_bytes(source), cases[i].bytes, 0.02);
    }
}

/* The inputs for tests end soon, and still fill a machine of 256 SMs where the
 * algorithm has that many blocks. */
TEST(test_small_inputs)
{
    struct arena *arena = arena_create();
    struct workload_info *list;
    size_t count;
    check_ok(workload_list(arena, &list, &count, &failure));
    assert_true(count >= 57);
    for (size_t i = 0; i < count; i++) {
        char spec[200];
        struct trace_items all;
        const struct workload_input *input = list[i].inputs;
        while (input->name && strcmp(input->name, "small") != 0)
            input++;
        assert_non_null(input->name);
        assert_true(i == 0 || strcmp(list[i - 1].name, list[i].name) < 0);
        assert_true(list[i].summary[0] && list[i].suite[0] && strlen(list[i].page) > 100);
        snprintf(spec, sizeof spec, "%s:input=small", list[i].name);
        OWNED(source) *source = check_source(spec);
        assert_string_equal(source->name, list[i].name);
        check_ok(trace_read(source, false, &all, &failure));
        assert_in_range(all.accesses.count, 1000, 250000);
        trace_items_free(&all);
    }
    arena_destroy(arena);
}

/* The default input has a thread block for each of the 256 SMs of SAC's machine, or its page says
 * that it has "fewer CTAs than SMs", and why; no other page says so. Workloads in C make their
 * data first, and are left to the long run. */
TEST(test_default_inputs_fill_the_machine)
{
    OWNED(machine) *machine = check_shipped("sac", NULL);
    uint32_t chips, sms;
    struct arena *arena = arena_create();
    struct workload_info *list;
    size_t count;
    check_ok(machine_count(machine, "chips", &chips, &failure));
    check_ok(machine_count(machine, "sm.per_chip", &sms, &failure));
    check_ok(workload_list(arena, &list, &count, &failure));
    for (size_t i = 0; i < count; i++) {
        struct census_launches launches;
        if (list[i].in_c && !check_rounds(0, 1))
            continue;
        OWNED(source) *source = check_source(list[i].name);
        check_ok(census_count_launches(source, INFINITY, &launches, &failure));
        bool said = strstr(list[i].page, "fewer CTAs than SMs");
        if (said != (launches.ctas < (uint64_t)chips * sms))
            fail_msg("%s: %" PRIu64 " CTAs in the largest launch, and its page %s", list[i].name,
                     launches.ctas, said ? "says that they are few" : "does not say why");
    }
    arena_destroy(arena);
}

static void check_opens(const char *spec)
{
    source_destroy(check_source(spec));
}

/* Every input of every loop nest opens, at half and twice its size as well where it has
 * one: launches are checked then. (Workloads in C make their data when they open.) */
TEST(test_all_inputs_open)
{
    struct arena *arena = arena_create();
    struct workload_info *list;
    size_t count;
    char *folder = file_shipped("spaces/workloads");
    assert_non_null(folder);
    check_ok(workload_list(arena, &list, &count, &failure));
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
