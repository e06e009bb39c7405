/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memories that turn between reads and writes, by hand: channels, the bound, the network and the
 * referee; where there is nothing to turn for. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "simulate/channels.h"
#include "validate/silicon_traffic.h"

/* Memory of two channels of 5 GB/s, far slower than all before it. */
static struct machine *two_channels(const char *turnaround, const char *batch)
{
    struct machine *m =
        check_machine("machine: t\nchips: 1\nline: 128 B\n"
                      "sm: {per_chip: 4, clock: 1 GHz, ctas: 8, warps: 64, issue: 1e12 /s}\n"
                      "l1: {capacity: 1 KiB, ways: 4, latency: 10 ns, mshrs: 100000, "
                      "write_buffer: 100000}\n"
                      "llc: {organisation: memory-side, capacity: 16 KiB, ways: 16, slices: 1,\n"
                      "      bandwidth: 1e15 B/s, latency: 90 ns}\n"
                      "memory: {bandwidth: 10 GB/s, channels: 2, latency: 300 ns}\n"
                      "noc: {bandwidth: 1e17 B/s, latency: 0 s}\n"
                      "cta: {policy: centralised}\npage: {policy: interleave}\n");
    if (turnaround)
        check_set(m, "memory.turnaround", turnaround);
    check_set(m, "memory.write_batch", batch);
    return m;
}

/* Two channels whose writes take 10 ns each and drain three at a time, turns of 5 ns. */
TEST(channels_keep_writes_back)
{
    struct server servers[3] = {{0, 0}, {0, 0}, {0, 0}};
    struct channel items[2] = {{0, 0}, {0, 0}};
    struct channels channels = {.items = items,
                                .servers = servers,
                                .turn_s = 5e-9,
                                .batch_s = 30e-9,
                                .latency_s = 100e-9,
                                .first = 1,
                                .n = 2};
    channels_write(&channels, 1, 10e-9, 0);
    channels_write(&channels, 1, 10e-9, 0);
    assert_true(servers[1].work_s == 0); /* kept back */
    channels_write(&channels, 1, 10e-9, 50e-9);
    check_relative(servers[1].free_s, 80e-9, 1e-12); /* nothing was read: it turns for nothing */
    server_take(&servers[1], 80e-9, 20e-9);
    for (int i = 0; i < 4; i++)
        channels_write(&channels, 1, 10e-9, 90e-9);
    check_relative(servers[1].free_s, 140e-9, 1e-12); /* 100, there and back 10, three of 10 */
    assert_true(servers[2].work_s == 0);
    check_relative(channels_drain(&channels, 200e-9), 310e-9, 1e-12); /* the fourth, and its way */
    check_relative(channels_drain(&channels, 1e-6), 1e-6, 1e-12);
}

/* Of requests of 128 B half are reads that miss and half writes that leave: with batches of 768 B
 * twelve of them bring a pair of turns, of as long as a channel takes for 10 ns * 5 GB/s. Batches
 * of a byte: each read brings one. */
TEST(bound_by_hand)
{
    static const struct {
        double loads, stores;
        const char *batch;
        double pairs; /* of a request */
    } cases[] = {{1, 1, "768 B", 0.5 * 128 / 768},
                 {3, 1, "768 B", 0.25 * 128 / 768},
                 {1, 3, "1 B", 0.25},
                 {1, 0, "768 B", 0},
                 {0, 1, "768 B", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = two_channels("10 ns", cases[i].batch);
        struct arena *arena = arena_create();
        struct profile_record record;
        struct silicon_sweep sweep = {1 << 22,         1024, 2, 1 << 24, cases[i].loads,
                                      cases[i].stores, {0}};
        check_ok(silicon_sweep_record(m, &sweep, arena, &record, &failure));
        double more = cases[i].pairs * 2 * 10e-9 * 5e9 / 128;
        check_relative(check_metric("bottleneck", m, &record, "effective_bandwidth"),
                       10e9 / (1 + more), 1e-9);
        check_relative(check_metric("network", m, &record, "effective_bandwidth"),
                       10e9 / (1 + more), 0.01);
        arena_destroy(arena);
    }
}

/* Copies of more than the LLC has, in the network and in the referee. What turns take there is
 * known: writes of 2 MiB leave in batches. */
TEST(copies_turn)
{
    static const char *const batches[] = {"2 KiB", "8 KiB"};
    OWNED(source) *source = check_copies();
    for (int b = 0; b < 2; b++) {
        double network[2], referee[2], bytes = b ? 8192 : 2048;
        for (int with = 0; with < 2; with++) {
            OWNED(machine) *m = two_channels(with ? "50 ns" : NULL, batches[b]);
            OWNED(profile) *p = profile_create();
            struct profile_options options = {.threads = 1, .parts = PART_WAITS};
            check_ok(profile_make(p, source, m, &options, &failure));
            network[with] = check_metric("network", m, &p->views[0].records[0], "kernel_time");
            referee[with] = check_simulated_time(m, source);
        }
        double more = 262144 * 8 / bytes * 2 * 50e-9 / 2; /* two channels */
        check_relative(network[1] - network[0], more, 0.05);
        check_relative(referee[1] - referee[0], more, 0.1);
        check_relative(network[1], referee[1], 0.05);
    }
}

/* What reads of 128 B take of two channels of 5 GB/s by hand, so busy as they are: those before
 * them, in batches of 2 KiB; writes, in batches of 20 KB between two turns of 200 ns. `reads` of
 * `all` accesses of a thread read. */
static double memory_by_hand(double bandwidth, double reads, double all, bool batches, bool drains)
{
    double used = bandwidth / 10e9, r = used * reads / all, w = used - r, request = 128 / 5e9;
    double batch = 20e3 / 5e9 + 2 * 200e-9;
    w *= drains ? batch / (20e3 / 5e9) : 1;
    return request + (r * (batches ? 1024 / 5e9 : request) + w * request) / (1 - r - w) +
           (drains ? w * batch / 2 / (1 - r) : 0);
}

/* A few customers meet each other less often than as many as there may be. */
TEST(reads_wait_for_batches)
{
    for (int loads = 1; loads <= 3; loads++)
        for (int i = 0; i < 24; i++) {
            bool stores = i & 1, turns = i & 2, batches = i & 4;
            OWNED(machine) *m = two_channels(turns ? "200 ns" : NULL, "20 kB");
            struct arena *arena = arena_create();
            struct profile_record record;
            struct silicon_sweep sweep = {1 << 24, 32 << (i >> 3), 1, 1 << 26, loads, stores, {0}};
            check_set(m, "sm.ctas", "1");
            if (batches)
                check_set(m, "memory.read_batch", "2 KiB");
            check_ok(silicon_sweep_record(m, &sweep, arena, &record, &failure));
            double reached = check_metric("network", m, &record, "effective_bandwidth");
            double takes = check_metric("network", m, &record, "latency_local_miss") -
                           check_metric("network", m, &record, "latency_local_hit") - 300e-9;
            double hand = memory_by_hand(reached, loads, loads + stores, batches, stores && turns);
            assert_true(takes < hand);
            if ((batches || (stores && turns)) && reached < 0.85 * 10e9)
                check_relative(takes, hand, 0.2);
            arena_destroy(arena);
        }
}

/* Models without turns say so; a machine that states none has none. */
TEST(others_warn)
{
    OWNED(machine) *m = two_channels("10 ns", "768 B");
    struct arena *arena = arena_create();
    struct profile_record record;
    struct silicon_sweep sweep = {1 << 22, 1024, 2, 1 << 24, 1, 1, {0}};
    check_ok(silicon_sweep_record(m, &sweep, arena, &record, &failure));
    bool told = false;
    OWNED(answer) *answer = check_answer_of("eab", m, &record);
    for (int i = 0; i < answer->result.n_warnings; i++)
        told |= strstr(answer->result.warnings[i], "(memory.turnaround)") != NULL;
    assert_true(told);
    OWNED(machine) *none = two_channels(NULL, "768 B");
    check_relative(check_metric("bottleneck", none, &record, "effective_bandwidth"), 10e9, 1e-9);
    arena_destroy(arena);
}
