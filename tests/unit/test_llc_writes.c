/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of the LLC that take what is written slower than they give what is read, by hand: the
 * bound, the network, the referee; where nothing is written; what has no such way. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "validate/silicon_traffic.h"

/* Slices of 40 GB/s, and all behind them far faster. */
static struct machine *slices(const char *write_bandwidth)
{
    struct machine *m =
        check_machine("machine: t\nchips: 1\nline: 128 B\n"
                      "sm: {per_chip: 4, clock: 1 GHz, ctas: 8, warps: 64, issue: 1e12 /s}\n"
                      "l1: {capacity: 1 KiB, ways: 4, latency: 10 ns, mshrs: 100000, "
                      "write_buffer: 100000}\n"
                      "llc: {organisation: memory-side, capacity: 64 MiB, ways: 16, slices: 2,\n"
                      "      bandwidth: 40 GB/s, latency: 90 ns}\n"
                      "memory: {bandwidth: 1e15 B/s, channels: 2, latency: 300 ns}\n"
                      "noc: {bandwidth: 1e17 B/s, latency: 0 s}\n"
                      "cta: {policy: centralised}\npage: {policy: interleave}\n");
    if (write_bandwidth)
        check_set(m, "llc.write_bandwidth", write_bandwidth);
    return m;
}

/* Requests pass slices at 40 GB/s, and those that write come in at 10: the slower of both. */
TEST(bound_by_hand)
{
    static const struct {
        double loads, stores;
        const char *write;
        double rate;
    } cases[] = {{0, 1, "10 GB/s", 10e9},    {1, 1, "10 GB/s", 20e9}, {2, 1, "10 GB/s", 30e9},
                 {7, 1, "10 GB/s", 40e9},    {1, 0, "10 GB/s", 40e9}, {1, 3, "10 GB/s", 40e9 / 3},
                 {0, 1, "40.01 GB/s", 40e9}, {0, 1, NULL, 40e9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = slices(cases[i].write);
        struct arena *arena = arena_create();
        struct profile_record record;
        struct silicon_sweep sweep = {1 << 22,         1024, 2, 1 << 22, cases[i].loads,
                                      cases[i].stores, {0}};
        check_ok(silicon_sweep_record(m, &sweep, arena, &record, &failure));
        check_relative(check_metric("bottleneck", m, &record, "effective_bandwidth"), cases[i].rate,
                       1e-9);
        check_relative(check_metric("network", m, &record, "effective_bandwidth"), cases[i].rate,
                       0.01);
        arena_destroy(arena);
    }
}

/* Copies of what the LLC holds: half of the lines are written, at 10 GB/s. In the referee slices go
 * by a hash, and are not quite even. */
TEST(copies)
{
    OWNED(source) *source = check_copies();
    for (int with = 0; with < 2; with++) {
        OWNED(machine) *m = slices(with ? "10 GB/s" : NULL);
        OWNED(profile) *p = profile_create();
        struct profile_options options = {.threads = 1, .parts = PART_WAITS};
        double seconds = with ? 262144 * 8 / 10e9 : 262144 * 16 / 40e9;
        check_ok(profile_make(p, source, m, &options, &failure));
        check_relative(check_metric("network", m, &p->views[0].records[0], "kernel_time"), seconds,
                       0.03);
        check_relative(check_simulated_time(m, source), seconds, 0.03);
    }
}

/* Lines of four chips, of which slices at home or at the requester, or both, take what is written:
 * where that is what binds, all three count the same. Of 256 lines that a launch writes into a
 * slice the hottest one of 64 has some 15 % more, which the mean over hottest of all requests does
 * not say. What remote parts of split ways write home later is in the referee alone: there lines
 * are local. */
TEST(organisations)
{
    static const char *const names[] = {"memory-side", "sm-side", "static", "dynamic"};
    OWNED(source) *source = check_source("stream:input=small");
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        const char *name = names[i / 2];
        bool remote = i % 2, split = i / 2 >= 2;
        OWNED(machine) *m = check_shipped("sac", NULL);
        check_set(m, "llc.organisation", name);
        check_set(m, "page.policy", remote ? "interleave" : "first-touch");
        check_set(m, "llc.write_bandwidth", "2 GB/s");
        OWNED(profile) *p = profile_create();
        struct profile_options options = {.threads = 1, .parts = PART_WAITS | PART_REMOTE};
        check_ok(profile_make(p, source, m, &options, &failure));
        OWNED(answer) *bound = check_answer("bottleneck", m, &p->views[0]);
        OWNED(answer) *network = check_answer("network", m, &p->views[0]);
        bool known = !(split && remote);
        double bytes = 0, referee = known ? check_simulated_time(m, source) : NAN;
        for (size_t r = 0; r < p->views[0].n_records; r++)
            bytes += p->views[0].records[r].fields[FIELD_BYTES];
        double bandwidth = answer_metric(bound, "effective_bandwidth");
        if (fabs(answer_metric(network, "effective_bandwidth") / bandwidth - 1) > 0.05 ||
            (known && fabs(bytes / referee / bandwidth - 0.9) > 0.1))
            fail_msg("%s: bound %g, network %g, referee %g", name, bandwidth,
                     answer_metric(network, "effective_bandwidth"), bytes / referee);
    }
}

/* Models without it say so, where something is written. */
TEST(others_warn)
{
    OWNED(machine) *m = slices("10 GB/s");
    struct arena *arena = arena_create();
    for (int stores = 0; stores < 2; stores++) {
        struct profile_record record;
        struct silicon_sweep sweep = {1 << 22, 1024, 2, 1 << 22, 1, stores, {0}};
        bool told = false;
        check_ok(silicon_sweep_record(m, &sweep, arena, &record, &failure));
        OWNED(answer) *answer = check_answer_of("eab", m, &record);
        for (int i = 0; i < answer->result.n_warnings; i++)
            told |= strstr(answer->result.warnings[i], "(llc.write_bandwidth)") != NULL;
        assert_true(told == (stores > 0));
    }
    arena_destroy(arena);
}
