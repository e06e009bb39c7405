/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two kernels in turn that want the LLC on different sides: one whose data are each chip's own and
 * fit, one whose data all chips read. Where the LLC turns between them it is empty each time, by
 * hand, in bounds, the network and the referee; and a copy, whose bytes are as many. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"

enum { BLOCKS = 256, OWN = 12288, TURNS = 2, LINE = 128 };

static const char in_turn[] = "workload: in-turn\n"
                              "summary: private data that fit, and data that all chips read\n"
                              "parameters: {steps: 2, nc: 256, per: 12288, sh: 4096}\n"
                              "inputs: {small: {steps: 2}}\n"
                              "arrays: {P: {shape: [nc, per], type: f32},\n"
                              "         S: {shape: [sh], type: f32}}\n"
                              "kernels:\n"
                              "  - repeat: s in 0..steps\n"
                              "    kernels:\n"
                              "      - name: private\n"
                              "        grid: nc\n"
                              "        block: 128\n"
                              "        body:\n"
                              "          - for: k in 0..per/128\n"
                              "            body: [{load: \"P[bx, k*128+tx]\"}]\n"
                              "      - name: shared\n"
                              "        grid: nc\n"
                              "        block: 128\n"
                              "        body:\n"
                              "          - for: k in 0..sh/128\n"
                              "            body: [{load: \"S[k*128+tx]\"}]\n";

static const char copy[] = "workload: copy\n"
                           "summary: B[i] = A[i]\n"
                           "parameters: {n: 2097152}\n"
                           "inputs: {small: {n: 1048576}}\n"
                           "arrays: {A: {shape: [n], type: f32}, B: {shape: [n], type: f32}}\n"
                           "kernels:\n"
                           "  - name: copy\n"
                           "    grid: n/256\n"
                           "    block: 256\n"
                           "    let: {i: bx*256 + tx}\n"
                           "    body: [{load: \"A[i]\"}, {compute: 1}, {store: \"B[i]\"}]\n";

static struct profile *profile_of(const struct machine *machine, const struct source *source)
{
    struct profile *profile = profile_create();
    struct profile_options options = {.parts = PART_WAITS};
    check_ok(profile_make(profile, source, machine, &options, &failure));
    return profile;
}

/* As models decide: the shared kernel, which comes second. */
static bool is_shared(void *context, size_t launch, const struct stream_kernel *kernel)
{
    (void)context;
    (void)kernel;
    return launch % 2 == 1;
}

static struct simulate_gpu_result *simulated(const struct machine *machine,
                                             const struct source *source)
{
    struct simulate_gpu_options options = referee_options(10000000);
    options.choose = is_shared;
    struct simulate_gpu_result *result;
    check_ok(simulate_gpu(machine, source, &options, &result, &failure));
    assert_true(result->whole);
    return result;
}

/* Of a launch. */
static double metric_of(const struct answer *answer, int launch, const char *name)
{
    const struct model_record *record = &answer->result.records[launch];
    for (int k = 0; k < record->n_metrics; k++)
        if (strcmp(record->metrics[k].name, name) == 0)
            return answer->values[record->metrics[k].term];
    fail_msg("no metric \"%s\"", name);
    return 0;
}

/* Private data come from memory each time, 12.6 MB of 1.75 TB/s, though they fit the LLC and most
 * of them would hit there had it not turned. */
TEST(turned_llc_is_empty)
{
    static const char *const models[] = {"bottleneck", "eab", "network"};
    const double bytes = 4.0 * BLOCKS * OWN, bound = bytes / 1.75e12;
    OWNED(source) *source = check_source(check_file("in-turn.yaml", in_turn));
    OWNED(machine) *m =
        check_shipped("sac", SETTINGS("llc.organisation", "sac", "l1.capacity", "16 KiB"));
    OWNED(profile) *profile = profile_of(m, source);
    struct simulate_gpu_result *r = simulated(m, source);
    assert_int_equal(r->n_launches, 2 * TURNS);
    for (int k = 0; k < 3; k++) {
        OWNED(answer) *answer = check_answer(models[k], m, &profile->views[0]);
        for (int launch = 0; launch < 2 * TURNS; launch += 2) {
            assert_true((double)r->launches[launch].seen.lookups == bytes / LINE);
            assert_int_equal(r->launches[launch].seen.hits, 0);
            double time = metric_of(answer, launch, "kernel_time");
            for (int i = 0; i < 2; i++) {
                int decision = answer->result.records[launch + i].decision;
                assert_true(answer->values[decision] == i);
                assert_int_equal(r->launches[launch + i].other, i);
            }
            assert_true(fabs(metric_of(answer, launch, "llc_hit_rate")) < 1e-3);
            if (k < 2)
                check_relative(time, bound, 0.02);
            else
                check_relative(time, r->launches[launch].time_s, 0.1);
        }
    }
    simulate_gpu_result_destroy(r);
    if (check_slowness() > 1)
        return;
    check_set(m, "llc.organisation", "memory-side"); /* had it not */
    r = simulated(m, source);
    double hits = (double)r->launches[2].seen.hits / (bytes / LINE);
    OWNED(answer) *stays = check_answer("bottleneck", m, &profile->views[0]);
    assert_true(hits > 0.5);
    check_relative(metric_of(stays, 2, "llc_hit_rate"), hits, 0.05);
    simulate_gpu_result_destroy(r);
}

/* What is read comes, what is written goes: 16.8 MB of 1.75 TB/s. */
TEST(copy_moves_both)
{
    static const char *const models[] = {"bottleneck", "eab", "network"};
    const double bound = 2 * 4.0 * 2097152 / 1.75e12;
    double network = 0;
    OWNED(source) *source = check_source(check_file("copy.yaml", copy));
    OWNED(machine) *m = check_shipped("sac", SETTINGS("llc.organisation", "memory-side"));
    OWNED(profile) *profile = profile_of(m, source);
    for (int k = 0; k < 3; k++) {
        OWNED(answer) *answer = check_answer(models[k], m, &profile->views[0]);
        check_relative(answer_metric(answer, "kernel_time"), bound, k < 2 ? 0.02 : 0.1);
        network = answer_metric(answer, "kernel_time");
    }
    if (check_slowness() > 1)
        return; /* as many requests as that are for the release build */
    struct simulate_gpu_result *r = simulated(m, source);
    assert_true(r->kernel_time_s >= bound);
    check_relative(r->kernel_time_s, network, 0.1);
    simulate_gpu_result_destroy(r);
}
