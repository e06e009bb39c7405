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

static void test_by_hand(void **state)
{
    struct machine *machine = check_machine(two_chips);
    struct source *source;
    struct census census;
    struct error error;
    (void)state;
    check_ok(workload_open_text(small_nest, "", &source, &error));
    check_ok(census_take(source, machine, &census, &error));
    assert_int_equal(census.launches.launches, 2);
    assert_int_equal(census.launches.ctas, 2);
    assert_int_equal(census.launches.ctas_total, 4);
    check_relative(census.footprint_bytes, 128 * 4, 0);      /* A's last line is not touched */
    check_relative(census.truly_shared_bytes, 128, 0);       /* B */
    check_relative(census.falsely_shared_bytes, 128 * 2, 0); /* lines 0 and 1 of A */
    check_relative(census.read_only_shared_bytes, 0, 0);     /* B is written in the second */
    check_relative(census.replicable_bytes, 128, 0);         /* not in the first */
    check_relative(census_allocated_bytes(source), 128 * 5, 0);
    source_destroy(source);
    machine_destroy(machine);
}

/* Blocks that whichever SM is free takes: nobody knows the chips beforehand. */
static void test_unknown_domains(void **state)
{
    struct machine *machine = check_machine(two_chips);
    struct source *source;
    struct census census;
    struct error error;
    (void)state;
    check_set(machine, "cta.policy", "greedy");
    check_ok(workload_open_text(small_nest, "", &source, &error));
    check_ok(census_take(source, machine, &census, &error));
    check_relative(census.footprint_bytes, 128 * 4, 0);
    assert_true(isnan(census.truly_shared_bytes) && isnan(census.falsely_shared_bytes) &&
                isnan(census.replicable_bytes));
    source_destroy(source);
    machine_destroy(machine);
}

/* Launches that do what an earlier one did are found, and change nothing. */
static void test_repeats(void **state)
{
    static const char swapping[] =
        "workload: swap\nsummary: s\nparameters: {steps: 5}\ninputs: {small: {steps: 5}}\n"
        "arrays: {A: {shape: [32], type: f32}, B: {shape: [32], type: f32}}\n"
        "kernels: [{name: k, repeat: steps, swap: [[A, B]], grid: 2, block: 32,\n"
        "           body: [{load: \"A[tx]\"}, {if: bx == 1, body: [{store: \"B[tx]\"}]}]}]\n";
    static const bool wanted[] = {false, false, true, true, true};
    struct machine *machine = check_machine(two_chips);
    struct source *source;
    struct stream *stream;
    struct stream_kernel kernel;
    struct census census;
    struct error error;
    (void)state;
    check_ok(workload_open_text(swapping, "", &source, &error));
    check_ok(stream_open(source, &stream, &error));
    for (int i = 0; i < 5; i++) {
        assert_int_equal(stream_next_kernel(stream, &kernel, &error), 1);
        assert_int_equal(kernel.repeats, wanted[i]);
    }
    assert_int_equal(stream_next_kernel(stream, &kernel, &error), 0);
    stream_destroy(stream);
    check_ok(census_take(source, machine, &census, &error));
    assert_int_equal(census.launches.launches, 5);
    assert_int_equal(census.launches.ctas_total, 10);
    check_relative(census.truly_shared_bytes, 128 * 2, 0);
    check_relative(census.replicable_bytes, 128 * 2, 0);
    source_destroy(source);
    machine_destroy(machine);
}

/* The same figures as a profile, with its caches and rounds. */
static void check_against_profile(const char *spec, const char *machine_name)
{
    struct machine *machine;
    struct source *source;
    struct census census;
    struct error error;
    check_ok(machine_load(machine_name, &machine, &error));
    check_ok(source_open(spec, &source, &error));
    check_ok(census_take(source, machine, &census, &error));
    struct profile *profile = check_profile(source, machine, false);
    const struct profile_sharing *sharing = &profile->views[0].sharing;
    double launches = 0;
    for (size_t r = 0; r < profile->views[0].n_records; r++)
        launches += (double)profile->views[0].records[r].launches;
    check_relative((double)census.launches.launches, launches, 0);
    check_relative(census.footprint_bytes, sharing->footprint_bytes, 0);
    check_relative(census.truly_shared_bytes, sharing->truly_shared_bytes, 0);
    check_relative(census.falsely_shared_bytes, sharing->falsely_shared_bytes, 0);
    check_relative(census.read_only_shared_bytes, sharing->read_only_shared_bytes, 0);
    profile_destroy(profile);
    source_destroy(source);
    machine_destroy(machine);
}

static void test_profiles_agree(void **state)
{
    (void)state;
    check_against_profile("gemm:input=small", "sac");
    check_against_profile("gemm:input=small", "nuba");
    check_against_profile("bfs:nodes=2^12,generator=rmat", "sac");
    check_against_profile("bfs:nodes=2^12,generator=rmat", "nuba");
    check_against_profile("stencil:input=small,nx=100", "sac"); /* neighbours share pages */
    check_against_profile("blackscholes:n=100000,times=2", "mcm");
}

/* A limit that the first launch passes already. */
static void test_limit(void **state)
{
    struct error error;
    struct source *source;
    struct census_launches launches;
    (void)state;
    check_ok(source_open("bfs:nodes=2^12", &source, &error));
    check_ok(census_count_launches(source, 1, &launches, &error));
    assert_true(launches.cut);
    assert_int_equal(launches.launches, 1);
    source_destroy(source);
}

/* Every block of these kernels does as much as any other. */
static void test_estimate(void **state)
{
    static const char *const specs[] = {"gemm:input=small", "stream:n=2^12,times=1"};
    struct error error;
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct source *source;
        struct census_launches launches;
        struct statistics *statistics;
        check_ok(source_open(specs[i], &source, &error));
        check_ok(census_count_launches(source, 1e15, &launches, &error));
        check_ok(statistics_gather(source, 128, &statistics, &error));
        check_relative(launches.lines, (double)statistics->total.lines, 1e-12);
        assert_int_equal(launches.ctas_total, statistics->total.ctas);
        assert_false(launches.cut);
        check_ok(census_count_launches(source, (double)INFINITY, &launches, &error));
        assert_int_equal(launches.ctas_total, statistics->total.ctas);
        check_relative(launches.lines, 0, 0); /* no limit, no need to know */
        statistics_destroy(statistics);
        source_destroy(source);
    }
}

static void test_refused(void **state)
{
    struct machine *machine = check_machine(two_chips);
    struct synthetic *s = synthetic_create("bare");
    struct source *source;
    struct census census;
    struct error error;
    (void)state;
    synthetic_kernel(s, "k", 2, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, 0x1000);
    check_error(census_take(&s->source, machine, &census, &error), STATUS_INPUT,
                "does not say what it allocates");
    VECTOR_PUSH(&s->source.allocations, (struct stream_allocation){"A", 0x2000, 4096});
    check_error(census_take(&s->source, machine, &census, &error), STATUS_INPUT,
                "outside its allocations");
    source_destroy(&s->source);
    check_ok(source_open("stream:n=2^34", &source, &error));
    check_error(census_take(source, machine, &census, &error), STATUS_INPUT, "too many to count");
    source_destroy(source);
    machine_destroy(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),  cmocka_unit_test(test_unknown_domains),
        cmocka_unit_test(test_repeats),  cmocka_unit_test(test_profiles_agree),
        cmocka_unit_test(test_estimate), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
