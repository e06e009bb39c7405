/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is first by chance, and means over it. */
#include "profile_check.h"

#include <math.h>

#include "explore/answer/draws.h"

/* Two chips of one SM. Both read a line of one page at the same time; then that of chip 1 alone
 * reads another one of it. */
#define MACHINE                                                                                    \
    "machine: t\nchips: 2\nline: 128 B\ncoherence: software\n"                                     \
    "sm: {per_chip: 1, clock: 1 GHz, warps: 64, ctas: 64}\n"                                       \
    "l1: {capacity: 16 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"                                 \
    "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"                     \
    "      bandwidth: 128 GB/s, latency: 20 ns}\n"                                                 \
    "noc: {bandwidth: 64 GB/s, latency: 5 ns}\n"                                                   \
    "inter: {topology: fully-connected, link_bandwidth: 16 GB/s, latency: 30 ns}\n"                \
    "memory: {bandwidth: 32 GB/s, channels: 1, latency: 100 ns}\n"                                 \
    "page: {size: 4 KiB, policy: %s}\ncta: {policy: distributed}\n"

static struct machine *machine_of(const char *placement)
{
    char text[2048];
    snprintf(text, sizeof text, MACHINE, placement);
    return check_machine(text);
}

static struct synthetic *reads(uint64_t page)
{
    struct synthetic *s = synthetic_create("reads");
    synthetic_kernel(s, "k", 2, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, page * 4096);
    synthetic_lane(s, 1, 0, ACCESS_READ, page * 4096 + 128);
    synthetic_lane(s, 1, 0, ACCESS_READ, page * 4096 + 256);
    return s;
}

static struct simulate_gpu_result *drawn(const struct machine *machine, uint64_t page,
                                         struct draws draws, uint64_t from)
{
    OWNED(synthetic) *s = reads(page);
    struct subject subject = {.source = &s->source};
    struct simulate_gpu_options options = referee_options(100);
    struct simulate_gpu_result *result;
    options.draw = from;
    check_ok(draws_simulate(&subject, machine, &options, &draws, &result, &failure));
    assert_true(result->whole);
    return result;
}

static double time_of(const char *placement, uint64_t page)
{
    OWNED(machine) *machine = machine_of(placement);
    struct simulate_gpu_result *result = drawn(machine, page, (struct draws){1, 1, 0}, 0);
    double time = result->kernel_time_s;
    assert_int_equal(result->draws.n, 1);
    assert_true(result->draws.least_s == time && result->draws.most_s == time);
    simulate_gpu_result_destroy(result);
    return time;
}

TEST(one_of_two_is_first)
{
    enum { DRAWS = 64 };
    double far = time_of("interleave", 0), near = time_of("interleave", 1);
    check_relative(near, 2 * 148e-9, 1e-6);
    assert_true(far > near + 100e-9);
    OWNED(machine) *machine = machine_of("first-touch");
    struct simulate_gpu_result *all = drawn(machine, 0, (struct draws){DRAWS, DRAWS, 0}, 0), *one;
    assert_int_equal(all->draws.n, DRAWS);
    check_relative(all->draws.least_s, near, 1e-9);
    check_relative(all->draws.most_s, far, 1e-9);
    /* A fair coin: 16 and fewer of 64 come once in 20 000 times. */
    double share = (all->kernel_time_s - near) / (far - near);
    assert_true(share > 0.25 && share < 0.75);
    check_relative(share * DRAWS, round(share * DRAWS), 1e-6);
    check_relative(all->bandwidth_bytes_per_s.mean, 3 * 128 / all->kernel_time_s, 1e-9);
    /* Student's interval of so many times one and so many the other: t(63) is 1.9983. */
    double half = 1.9983 * (far - near) * sqrt(share * (1 - share) / (DRAWS - 1));
    check_relative(all->bandwidth_bytes_per_s.half_width / all->bandwidth_bytes_per_s.mean,
                   half / all->kernel_time_s, 1e-4);
    /* Each draw is what it is alone. */
    double sum = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        one = drawn(machine, 0, (struct draws){1, 1, 0}, i);
        sum += one->kernel_time_s;
        simulate_gpu_result_destroy(one);
    }
    check_relative(all->kernel_time_s, sum / DRAWS, 1e-9);
    simulate_gpu_result_destroy(all);
}

TEST(no_more_than_are_needed)
{
    OWNED(machine) *fixed = machine_of("interleave"), *machine = machine_of("first-touch");
    struct simulate_gpu_result *result = drawn(fixed, 0, (struct draws){2, 16, 0.01}, 0);
    assert_int_equal(result->draws.n, 2);
    assert_true(result->bandwidth_bytes_per_s.half_width == 0);
    simulate_gpu_result_destroy(result);
    result = drawn(machine, 0, (struct draws){3, 400, 0.05}, 0);
    assert_in_range(result->draws.n, 4, 399);
    assert_true(result->bandwidth_bytes_per_s.half_width <=
                0.05 * result->bandwidth_bytes_per_s.mean);
    simulate_gpu_result_destroy(result);
}
