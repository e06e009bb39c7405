/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of memory that do not take as long: a wait is for the last of its lines. */
#include "profile_check.h"

#include "network/network.h"
#include "validate/silicon_traffic.h"

static struct machine *one_sm(const char *spread)
{
    struct machine *m =
        check_machine("machine: t\nchips: 1\nline: 128 B\n"
                      "sm: {per_chip: 1, clock: 1 GHz, ctas: 1, warps: 64, issue: 1e12 /s}\n"
                      "l1: {capacity: 1 KiB, ways: 4, latency: 10 ns, mshrs: 100000, "
                      "write_buffer: 100000}\n"
                      "llc: {organisation: memory-side, capacity: 16 KiB, ways: 16, slices: 1,\n"
                      "      bandwidth: 1e15 B/s, latency: 90 ns}\n"
                      "memory: {bandwidth: 1e15 B/s, channels: 2, latency: 300 ns}\n"
                      "noc: {bandwidth: 1e17 B/s, latency: 0 s}\n"
                      "cta: {policy: centralised}\npage: {policy: interleave}\n");
    if (spread)
        check_set(m, "memory.latency_spread", spread);
    return m;
}

/* Means of the largest of n: Teichroew, Annals of Mathematical Statistics 27(2), 1956. */
TEST(largest_of_normals)
{
    static const struct {
        double n, most;
    } cases[] = {{2, 0.5642}, {3, 0.8463}, {4, 1.0294}, {6, 1.2672}, {10, 1.5388}, {20, 1.8675}};
    assert_true(network_last_of(1) == 0);
    assert_true(network_last_of(0.3) == 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_relative(network_last_of(cases[i].n), cases[i].most, 0.05);
    for (double n = 1; n < 100; n *= 1.1)
        assert_true(network_last_of(1.1 * n) > network_last_of(n));
}

/* A warp of 32 threads reads 256 B of each array, two lines, and waits for all of them: 64 blocks
 * one behind another. */
TEST(waits_are_for_the_last_line)
{
    for (int loads = 1; loads <= 3; loads++) {
        double time[2];
        for (int with = 0; with < 2; with++) {
            OWNED(machine) *m = one_sm(with ? "60 ns" : NULL);
            struct arena *arena = arena_create();
            struct profile_record record;
            struct silicon_sweep sweep = {2048, 32, 1, 1 << 26, loads, 0, {0}};
            check_ok(silicon_sweep_record(m, &sweep, arena, &record, &failure));
            time[with] = check_metric("network", m, &record, "kernel_time");
            arena_destroy(arena);
        }
        check_relative(time[0], 64 * 400e-9, 0.02);
        check_relative(time[1] - time[0], 64 * 60e-9 * network_last_of(2 * loads), 0.02);
    }
}

/* What hits before memory does not wait for it. */
TEST(hits_have_none)
{
    OWNED(machine) *none = one_sm(NULL), *some = one_sm("60 ns");
    struct arena *arena = arena_create();
    struct profile_record record;
    struct silicon_sweep sweep = {2048, 32, 1, 8192, 1, 0, {0}};
    check_ok(silicon_sweep_record(none, &sweep, arena, &record, &failure));
    check_relative(check_metric("network", some, &record, "kernel_time"),
                   check_metric("network", none, &record, "kernel_time"), 1e-3);
    arena_destroy(arena);
}
