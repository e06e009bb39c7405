/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who writes at the end of a launch, and who ends behind it: the network and the referee beside
 * each other (models/network/slots.c). */
#include "profile_check.h"

#include <stdio.h>

#include "explore/answer/answer.h"

static const char one_sm[] =
    "machine: t\nchips: 1\nline: 128 B\n"
    "sm: {per_chip: 1, clock: 1 GHz, warps: 64, ctas: 64, scheduler: gto}\n"
    "l1: {capacity: 16 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"
    "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"
    "      bandwidth: 1280 GB/s, latency: 200 ns}\n"
    "noc: {bandwidth: 1280 GB/s, latency: 50 ns}\n"
    "memory: {bandwidth: 1280 GB/s, channels: 1, latency: 100 ns}\n";

/* One of eight warps writes at its end, which takes 300 ns to the LLC: the first one's has arrived
 * when the last warp, seven bursts of 61 ns behind it, ends; that of the fifth has not. */
TEST(the_others_end_behind_the_write_of_a_warp)
{
    static const char text[] =
        "workload: w\nsummary: s\nparameters: {n: 6, writer: 0}\ninputs: {small: {n: 6}}\n"
        "arrays:\n  A: {shape: [n, 256], type: f32}\n  y: {shape: [32], type: f32}\n"
        "kernels:\n  - name: k\n    grid: 1\n    block: 256\n    body:\n"
        "      - for: k in 0..n\n        unroll: 1\n"
        "        body: [{load: \"A[k, tx]\"}, {compute: 60}]\n"
        "      - {if: tx == writer, body: [{store: \"y[0]\"}]}\n";
    static const int writers[] = {0, 128, 224};
    double took[3];
    for (int i = 0; i < 3; i++) {
        char name[512];
        OWNED(machine) *machine = check_machine(one_sm);
        snprintf(name, sizeof name, "%s:writer=%d", check_file("writer.yaml", text), writers[i]);
        OWNED(source) *source = check_source(name);
        OWNED(profile) *profile = check_profile(source, machine, false);
        check_field(&profile->views[0].records[0], FIELD_BEHIND_WRITE, 7 - writers[i] / 32);
        double simulated = check_simulated_time(machine, source);
        OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
        took[i] = answer_metric(answer, "kernel_time");
        check_relative(took[i], simulated, 0.07);
    }
    assert_true(took[2] - took[1] > 100e-9 && took[1] - took[0] > 100e-9);
}
