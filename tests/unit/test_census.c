/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Censuses: by hand, against profiles, and what they cannot know. */
#include "workload_check.h"

#include "profile/census/census.h"
#include "profile_check.h"
#include "trace/statistics.h"

static const char two_chips[] = "machine: two\n"
                                "chips: 2\n"
                                "line: 128 B\n"
                                "sm: {per_chip: 1, scheduler: lrr}\n"
                                "l1: {capacity: 1 KiB, ways: 2}\n"
                                "llc: {capacity: 64 KiB, slices: 1}\n"
                                "page: {size: 256 B, policy: first-touch}\n"
                                "cta: {policy: distributed}\n";

/* Lines of 32 elements, pages of two lines. Block 0 is on chip 0, block 1 on chip 1. */
static const char small_nest[] =
    "workload: hand\nsummary: s\nparameters: {n: 128}\ninputs: {small: {n: 128}}\n"
    "arrays: {A: {shape: [n], type: f32}, B: {shape: [32], type: f32}}\n"
    "kernels:\n"
    "  - {name: first, grid: 2, block: 32,\n"
    "     body: [{load: \"A[bx*32+tx]\"}, {load: \"B[tx]\"}]}\n"
    "  - {name: second, grid: 2, block: 32,\n"
    "     body: [{if: bx == 0, body: [{store: \"B[tx]\"}]},\n"
    "            {if: bx == 1, body: [{load: \"A[64+tx]\"}]}]}\n";

TEST(test_by_hand)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(source) *source = NULL;
    struct census census;
    check_ok(workload_open_text(small_nest, "", &source, &failure));
    check_ok(census_take(source, machine, &census, &failure));
    assert_int_equal(census.launches.launches, 2);
    assert_int_equal(census.launches.ctas, 2);
    assert_int_equal(census.launches.ctas_total, 4);
    check_relative(census.footprint_bytes, 128 * 4, 0);      /* A's last line is not touched */
    check_relative(census.truly_shared_bytes, 128, 0);       /* B */
    check_relative(census.falsely_shared_bytes, 128 * 2, 0); /* lines 0 and 1 of A */
    check_relative(census.read_only_shared_bytes, 0, 0);     /* B is written in the second */
    check_relative(census.replicable_bytes, 128, 0);         /* not in the first */
    check_relative(census_allocated_bytes(source), 128 * 5, 0);
}

/* Blocks that whichever SM is free takes: nobody knows the chips beforehand. */
TEST(test_unknown_domains)
{
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(source) *source = NULL;
    struct census census;
    check_set(machine, "cta.policy", "greedy");
    check_ok(workload_open_text(small_nest, "", &source, &failure));
    check_ok(census_take(source, machine, &census, &failure));
    check_relative(census.footprint_bytes, 128 * 4, 0);
    assert_true(isnan(census.truly_shared_bytes) && isnan(census.falsely_shared_bytes) &&
                isnan(census.replicable_bytes));
}

/* Launches that do what an earlier one did are found, and change nothing. */
TEST(test_repeats)
{
    static const char swapping[] =
        "workload: swap\nsummary: s\nparameters: {steps: 5}\ninputs: {small: {steps: 5}}\n"
        "arrays: {A: {shape: [32], type: f32}, B: {shape: [32], type: f32}}\n"
        "kernels: [{name: k, repeat: steps, swap: [[A, B]], grid: 2, block: 32,\n"
        "           body: [{load: \"A[tx]\"}, {if: bx == 1, body: [{store: \"B[tx]\"}]}]}]\n";
    static const bool wanted[] = {false, false, true, true, true};
    OWNED(machine) *machine = check_machine(two_chips);
    OWNED(source) *source = NULL;
    struct stream *stream;
    struct stream_kernel kernel;
    struct census census;
    check_ok(workload_open_text(swapping, "", &source, &failure));
    check_ok(stream_open(source, &stream, &failure));
    for (int i = 0; i < 5; i++) {
        assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 1);
        assert_int_equal(kernel.repeats, wanted[i]);
    }
    assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 0);
    stream_destroy(stream);
    check_ok(census_take(source, machine, &census, &failure));
    assert_int_equal(census.launches.launches, 5);
    assert_int_equal(census.launches.ctas_total, 10);
    check_relative(census.truly_shared_bytes, 128 * 2, 0);
    check_relative(census.replicable_bytes, 128 * 2, 0);
}

/* The same figures as a profile, with its caches and rounds. */
static void check_against_profile(const char *spec, const char *machine_name)
{
    struct census census;
    OWNED(machine) *machine = check_shipped(machine_name, NULL);
    OWNED(source) *source = check_source(spec);
    check_ok(census_take(source, machine, &census, &failure));
    OWNED(profile) *profile = check_profile(source, machine, false);
    const struct profile_sharing *sharing = &profile->views[0].sharing;
    double launches = 0;
    for (size_t r = 0; r < profile->views[0].n_records; r++)
        launches += (double)profile->views[0].records[r].launches;
    check_relative((double)census.launches.launches, launches, 0);
    check_relative(census.footprint_bytes, sharing->footprint_bytes, 0);
    check_relative(census.truly_shared_bytes, sharing->truly_shared_bytes, 0);
    check_relative(census.falsely_shared_bytes, sharing->falsely_shared_bytes, 0);
    check_relative(census.read_only_shared_bytes, sharing->read_only_shared_bytes, 0);
}

TEST(test_profiles_agree)
{
    check_against_profile("gemm:input=small", "sac");
    check_against_profile("gemm:input=small", "nuba");
    check_against_profile("bfs:nodes=2^12,generator=rmat", "sac");
    check_against_profile("bfs:nodes=2^12,generator=rmat", "nuba");
    check_against_profile("stencil:input=small,nx=100", "sac"); /* neighbours share pages */
    check_against_profile("blackscholes:n=100000,times=2", "mcm");
}

/* A limit that the first launch passes already. */
TEST(test_limit)
{
    struct census_launches launches;
    OWNED(source) *source = check_source("bfs:nodes=2^12");
    check_ok(census_count_launches(source, 1, &launches, &failure));
    assert_true(launches.cut);
    assert_int_equal(launches.launches, 1);
}

/* Every block of these kernels does as much as any other. */
TEST(test_estimate)
{
    static const char *const specs[] = {"gemm:input=small", "stream:n=2^12,times=1"};
    for (int i = 0; i < 2; i++) {
        struct census_launches launches;
        struct statistics *statistics;
        OWNED(source) *source = check_source(specs[i]);
        check_ok(census_count_launches(source, 1e15, &launches, &failure));
        check_ok(statistics_gather(source, 128, &statistics, &failure));
        check_relative(launches.lines, (double)statistics->total.lines, 1e-12);
        assert_int_equal(launches.ctas_total, statistics->total.ctas);
        assert_false(launches.cut);
        check_ok(census_count_launches(source, (double)INFINITY, &launches, &failure));
        assert_int_equal(launches.ctas_total, statistics->total.ctas);
        check_relative(launches.lines, 0, 0); /* no limit, no need to know */
        statistics_destroy(statistics);
    }
}

TEST(test_refused)
{
    OWNED(machine) *machine = check_machine(two_chips);
    struct synthetic *s = synthetic_create("bare");
    struct source *source;
    struct census census;
    synthetic_kernel(s, "k", 2, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, 0x1000);
    check_error(census_take(&s->source, machine, &census, &failure), STATUS_INPUT,
                "does not say what it allocates");
    VECTOR_PUSH(&s->source.allocations, (struct stream_allocation){"A", 0x2000, 4096});
    check_error(census_take(&s->source, machine, &census, &failure), STATUS_INPUT,
                "outside its allocations");
    source_destroy(&s->source);
    source = check_source("stream:n=2^34");
    check_error(census_take(source, machine, &census, &failure), STATUS_INPUT, "too many to count");
    source_destroy(source);
}
