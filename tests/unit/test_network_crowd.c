/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps of many SMs that read the same lines, so many at a time, have them together: what they wait
 * for each other's replies, by hand, by the referee, by the network (models/network/crowd.c). */
#include "profile_check.h"

#include "explore/answer/answer.h"

enum { SMS = 64, GROUPS = 64 };

/* SMs at 1 GHz behind a crossbar that takes `port` ns for a line; what is behind it is as good as
 * free. Alone a miss takes 10 + 5 + 20 + 100 + 5 ns and the port. */
static struct machine *many_sms(double port)
{
    char text[1024];
    snprintf(text, sizeof text,
             "machine: t\nchips: 1\nline: 128 B\n"
             "sm: {per_chip: %d, clock: 1 GHz, warps: 64, ctas: 64, issue: 1000 /cycle}\n"
             "l1: {capacity: 1 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"
             "llc: {organisation: memory-side, capacity: 1 MiB, ways: 16, slices: 1,\n"
             "      bandwidth: 1000 TB/s, latency: 20 ns}\n"
             "noc: {bandwidth: %g GB/s, latency: 5 ns}\n"
             "memory: {bandwidth: 1000 TB/s, channels: 1, latency: 100 ns}\n",
             SMS, 128 / port);
    return check_machine(text);
}

/* A warp an SM, which reads GROUPS times `lines` at a time: all the same ones, or each its own. */
static struct synthetic *reads(int lines, bool same)
{
    struct synthetic *s = synthetic_create("reads");
    synthetic_kernel(s, "k", SMS, 1);
    for (uint64_t sm = 0; sm < SMS; sm++)
        for (int i = 0; i < GROUPS * lines; i++) {
            uint64_t line = (uint64_t)i + (same ? 0 : sm * GROUPS * (uint64_t)lines);
            synthetic_ahead(s, sm, 0, ACCESS_READ, line * 128, (uint8_t)(i % lines));
        }
    return s;
}

static void check_crowd(int lines, bool same, double port, double want_ns, double tolerance)
{
    OWNED(machine) *machine = many_sms(port);
    OWNED(synthetic) *s = reads(lines, same);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    double simulated = check_simulated_time(machine, &s->source);
    check_relative(simulated * 1e9, want_ns, tolerance);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, want_ns, tolerance);
}

/* Each group but the last waits for lines - 1 crowds; the last SM of the last group for all. */
TEST(crowds_by_hand)
{
    for (int lines = 1; lines <= 8; lines *= 2)
        for (double port = 0.25; port <= 1; port *= 4) {
            double crowd = SMS * port;
            double want = GROUPS * (140 + port + (lines - 1) * crowd) + (SMS - 1) * port;
            check_crowd(lines, true, port, want, 0.02);
        }
}

/* Lines of its own nobody else waits for. */
TEST(nobody_beside)
{
    check_crowd(1, false, 1, GROUPS * 141, 0.02);
    check_crowd(4, false, 0.1, GROUPS * (140 + 4 * 0.1), 0.02);
}
