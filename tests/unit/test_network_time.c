/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel_time and effective_bandwidth are one answer, of every model; the first request of a
 * launch counts once, with a chain of waits and without one, as the referee has it. */
#include "mcm_check.h"
#include "profile_check.h"

#include "core/plugin.h"
#include "explore/answer/referee.h"
#include "machine/latency.h"
#include "network/schedule.h"
#include "workload/workload.h"

#define LINE 128.0

/* --- one definition -------------------------------------------------------------------- */

static void check_product(const char *model, const char *where, double bandwidth, double time,
                          double bytes)
{
    if (!(fabs(bandwidth * time / bytes - 1) < 1e-12))
        fail_msg("%s, %s: %.17g B/s x %.17g s is not %.17g B", model, where, bandwidth, time,
                 bytes);
}

static double metric_of(const struct answer *answer, const struct model_record *record,
                        const char *name)
{
    for (int i = 0; i < record->n_metrics; i++)
        if (strcmp(record->metrics[i].name, name) == 0)
            return answer->values[record->metrics[i].term];
    fail_msg("no %s", name);
    return 0;
}

/* Of the run and of each launch. */
static void check_answered(const struct model *model, const struct answer *answer)
{
    double bytes = 0;
    for (size_t r = 0; r < answer->result.n_records; r++) {
        const struct model_record *record = &answer->result.records[r];
        if (record->empty)
            continue;
        double own = record->record->fields[FIELD_BYTES];
        check_product(model->plugin.name, record->record->name,
                      metric_of(answer, record, "effective_bandwidth"),
                      metric_of(answer, record, "kernel_time"), own);
        bytes += own;
    }
    check_product(model->plugin.name, "the run", answer_metric(answer, "effective_bandwidth"),
                  answer_metric(answer, "kernel_time"), bytes);
}

/* A launch with many requests, three in a row, launches that grow and shrink, writes alone. */
static const char *const specs[] = {"gemm:input=small", "lud:input=small", "bfs:nodes=512,degree=4",
                                    "stream:n=4096,times=2"};

/* Machines of their own and, of several chips, three organisations; a model may refuse. */
static int ask_all(const struct model *model, const char *spec)
{
    static const char *const organisations[] = {"memory-side", "sm-side", "sac"};
    const char *name = model->machine ? model->machine : "sac";
    int asked = 0;
    for (int o = 0; o < (strcmp(name, "sac") == 0 ? 3 : 1); o++) {
        struct subject *subject;
        struct model_views views;
        struct answer *answer;
        size_t made;
        OWNED(machine) *m = check_shipped(name, SETTINGS("llc.organisation", organisations[o]));
        check_ok(subject_open(spec, &subject, &failure));
        check_ok(subject_prepare_models(subject, m, &model, 1, 0, NULL, &made, &failure));
        check_ok(subject_views(subject, model, m, &views, &failure));
        int status = answer_create_variants(model, m, &views, &answer, &failure);
        if (status && status != STATUS_INFEASIBLE)
            check_ok(status);
        if (!status) {
            check_answered(model, answer);
            answer_destroy(answer);
            asked++;
        }
        subject_destroy(subject);
    }
    return asked;
}

TEST(bytes_are_time_times_bandwidth)
{
    const size_t most = check_slowness() > 1 ? 2 : sizeof specs / sizeof *specs;
    for (size_t i = 0; plugin_registry[i]; i++)
        for (size_t w = 0; w < most && strcmp(plugin_registry[i]->kind, "model") == 0; w++)
            if (ask_all((const struct model *)plugin_registry[i], specs[w]) == 0)
                fail_msg("%s answers nothing", plugin_registry[i]->name);
}

/* --- the first request of a launch ------------------------------------------------------- */

/* An SM at 1 GHz. A line of 128 B takes 2 ns on a crossbar, 1 ns in a slice, 4 ns of memory;
 * latencies: L1 10 ns, crossbar 5, slice 20, memory 100: alone a miss takes 147 ns, and the
 * instruction before it a hundredth. */
static struct machine *one_sm(void)
{
    return check_machine(
        "machine: t\nchips: 1\nline: 128 B\n"
        "sm: {per_chip: 1, clock: 1 GHz, warps: 64, ctas: 64, scheduler: lrr, issue: 100 /cycle}\n"
        "l1: {capacity: 16 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"
        "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"
        "      bandwidth: 128 GB/s, latency: 20 ns}\n"
        "noc: {bandwidth: 64 GB/s, latency: 5 ns}\n"
        "memory: {bandwidth: 32 GB/s, channels: 1, latency: 100 ns}\n");
}

/* So many blocks of a warp, each of which reads so many lines of its own, one after another. */
static struct synthetic *reads(int blocks, int each, int launches)
{
    struct synthetic *s = synthetic_create("reads");
    for (int l = 0; l < launches; l++) {
        synthetic_kernel(s, "k", (uint32_t)blocks, 1);
        for (int i = 0; i < blocks * each; i++)
            synthetic_lane(s, (uint64_t)(i / each), 0, ACCESS_READ,
                           (uint64_t)(l * blocks * each + i) * 128);
    }
    return s;
}

static double network_time(const struct machine *machine, const struct profile_view *view)
{
    OWNED(answer) *answer = check_answer("network", machine, view);
    double time = answer_metric(answer, "kernel_time");
    return time;
}

/* Who waits for whom is not known: resident warps are taken to wait for one request each. */
static void forget_chain(struct profile_view *view)
{
    for (size_t r = 0; r < view->n_records; r++)
        for (int f = 0; f < FIELD_COUNT; f++)
            if (profile_field_row(f)->part == PART_WAITS)
                view->records[r].fields[f] = (double)NAN;
}

/* By hand, by the referee, by the network with a chain and without one. */
static void check_times(int blocks, int each, int launches, double want_ns, double tolerance)
{
    OWNED(machine) *machine = one_sm();
    OWNED(synthetic) *s = reads(blocks, each, launches);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    struct simulate_gpu_options whole = referee_options(100000);
    struct simulate_gpu_result *result;
    check_ok(simulate_gpu(machine, &s->source, &whole, &result, &failure));
    check_relative(result->kernel_time_s * 1e9, want_ns, 1e-6);
    check_relative(network_time(machine, &profile->views[0]) * 1e9, want_ns, tolerance);
    forget_chain(&profile->views[0]);
    check_relative(network_time(machine, &profile->views[0]) * 1e9, want_ns, tolerance);
    simulate_gpu_result_destroy(result);
}

TEST(first_requests_count_once)
{
    check_times(1, 1, 1, 147.01, 2e-3);
    check_times(1, 1, 3, 3 * 147.01, 2e-3);
    check_times(1, 10, 1, 10 * 147.01, 2e-3);
    check_times(1, 4, 2, 8 * 147.01, 2e-3);
    /* All at once: then memory serves the others, a line in 4 ns. */
    check_times(64, 1, 1, 147.01 + 63 * 4, 0.02);
}

/* --- what is assumed is said -------------------------------------------------------------- */

static bool warns(const struct machine *machine, struct profile_record *record, const char *words)
{
    OWNED(answer) *answer = check_answer_of("network", machine, record);
    bool found = false;
    for (int i = 0; i < answer->result.n_warnings; i++)
        found |= strstr(answer->result.warnings[i], words) != NULL;
    return found;
}

TEST(assumed_concurrency_is_said)
{
    OWNED(machine) *machine = one_sm();
    OWNED(synthetic) *s = reads(8, 4, 1);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    struct profile_view *view = &profile->views[0];
    assert_false(warns(machine, &view->records[0], "assumes"));
    forget_chain(view);
    assert_true(warns(machine, &view->records[0], "assumes how many requests are under way"));
}

/* --- launches ----------------------------------------------------------------------------- */

static double model_time(const char *model, const struct machine *machine,
                         const struct profile_view *view, bool *warned)
{
    OWNED(answer) *answer = check_answer(model, machine, view);
    double time = answer_metric(answer, "kernel_time");
    *warned = false;
    for (int i = 0; i < answer->result.n_warnings; i++)
        *warned |= strstr(answer->result.warnings[i], "launch.time") != NULL;
    return time;
}

/* Three launches of one read each: each takes 2 us more, in the network, in the bound (where a read
 * takes 4 ns of the memory) and in the referee; who does not count them says so. */
TEST(launches_take_time)
{
    OWNED(machine) *machine = one_sm();
    OWNED(synthetic) *s = reads(1, 1, 3);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    const struct profile_view *view = &profile->views[0];
    bool warned;
    double eab = model_time("eab", machine, view, &warned);
    assert_false(warned);
    check_set(machine, "launch.time", "2 us");
    check_relative(check_simulated_time(machine, &s->source) * 1e9, 3 * 2147.01, 1e-6);
    check_relative(model_time("network", machine, view, &warned) * 1e9, 3 * 2147.01, 2e-4);
    assert_false(warned);
    check_relative(model_time("bottleneck", machine, view, &warned) * 1e9, 3 * 2004, 1e-12);
    assert_false(warned);
    check_relative(model_time("eab", machine, view, &warned), eab, 0);
    assert_true(warned);
}

/* --- ends ------------------------------------------------------------------------------------ */

/* Two chips, 300 ns apart. */
static struct machine *far_apart(void)
{
    return check_machine(
        "machine: t\nchips: 2\nline: 128 B\n"
        "sm: {per_chip: 1, clock: 1 GHz, warps: 64, ctas: 64, scheduler: lrr, issue: 100 /cycle}\n"
        "l1: {capacity: 16 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"
        "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"
        "      bandwidth: 1280 GB/s, latency: 20 ns}\n"
        "noc: {bandwidth: 1280 GB/s, latency: 5 ns}\n"
        "inter: {topology: fully-connected, link_bandwidth: 1280 GB/s, latency: 300 ns}\n"
        "memory: {bandwidth: 1280 GB/s, channels: 1, latency: 100 ns}\n"
        "page: {size: 4 KiB, policy: first-touch}\ncta: {policy: distributed}\n");
}

/* A launch gives the first chip its pages. In the second one the other chip's warp reads one of
 * their lines, which the LLC has, and writes `remote` ? into another : into its own, and twenty
 * warps beside it write their own: it ends when the last of all these is where it goes. */
TEST(launches_end_with_the_write_of_their_chain)
{
    double ends[2];
    for (int remote = 0; remote < 2; remote++) {
        OWNED(machine) *machine = far_apart();
        OWNED(synthetic) *s = synthetic_create("ends");
        uint64_t own = 1 << 20;
        synthetic_kernel(s, "first", 2, 1);
        for (uint64_t line = 0; line < 8; line++) {
            synthetic_lane(s, 0, 0, ACCESS_READ, 128 * line);
            synthetic_lane(s, 1, 0, ACCESS_READ, own + 128 * line);
        }
        synthetic_kernel(s, "second", 2, 21);
        for (uint32_t w = 0; w < 21; w++) {
            synthetic_lane(s, 1, w, ACCESS_READ, w ? own : 0);
            synthetic_lane(s, 1, w, ACCESS_WRITE, (remote && !w ? 0 : own) + 128 * (w % 8));
        }
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        struct profile_view *view = &profile->views[0];
        check_field(&view->records[0], FIELD_CHAIN_ENDS_REMOTE, 0);
        check_field(&view->records[1], FIELD_CHAIN_ENDS_REMOTE, remote);
        double simulated = check_simulated_time(machine, &s->source);
        ends[remote] = network_time(machine, view);
        check_relative(ends[remote], simulated, 0.02);
        /* By the mean of requests, of which one in 22 is remote, it would end 600 ns sooner. */
        view->records[1].fields[FIELD_CHAIN_ENDS_REMOTE] = (double)NAN;
        double mean = network_time(machine, view);
        if (remote)
            assert_true(mean < simulated - 400e-9);
    }
    /* There and back, and the other's crossbar. */
    check_relative(ends[1] - ends[0], 620e-9, 0.03);
}

/* --- instructions ---------------------------------------------------------------------------- */

/* Blocks of one warp, eight an SM: a line read, 500 instructions, another line, 500 more. The first
 * data are there after 148 ns, and from then on an SM issues without a gap: 8 x 501 ns up to the
 * second reads, and 8 x 500 ns behind the last ones, in slots that the first half has left to
 * nobody. Four SMs do so beside each other. */
TEST(instructions_behind_the_last_wait)
{
    static const char text[] =
        "workload: w\nsummary: s\nparameters: {n: %d}\n"
        "inputs: {small: {n: %d}}\narrays: {A: {shape: [n, 64], type: f32}}\n"
        "kernels:\n  - name: k\n    grid: n\n    block: 32\n    body:\n"
        "      - {load: \"A[bx, tx]\"}\n      - {compute: 500}\n"
        "      - {load: \"A[bx, tx + 32]\"}\n      - {compute: 500}\n";
    for (int sms = 1; sms <= 4; sms += 3) {
        char nest[1024], path[64], value[32];
        OWNED(machine) *machine = one_sm();
        snprintf(value, sizeof value, "%d", sms);
        check_set(machine, "sm.per_chip", value);
        check_set(machine, "sm.issue", "1 /cycle");
        check_set(machine, "sm.ctas", "8");
        snprintf(nest, sizeof nest, text, 8 * sms, 8 * sms);
        snprintf(path, sizeof path, "behind%d.yaml", sms);
        OWNED(source) *source = check_source(check_file(path, nest));
        OWNED(profile) *profile = check_profile(source, machine, false);
        double want = 148e-9 + 8 * 501e-9 + 8 * 500e-9;
        check_relative(check_simulated_time(machine, source), want, 0.005);
        check_relative(network_time(machine, &profile->views[0]), want, 0.07);
    }
}

/* A block of so many warps, each of which reads twenty lines of its own, one after another, and has
 * a hundred instructions behind each: 248 ns a line, alone. */
static struct profile *twenty_reads(struct machine *machine, int warps, double *simulated_s)
{
    char name[64], nest[1024];
    check_set(machine, "sm.issue", "1 /cycle");
    snprintf(name, sizeof name, "twenty%d.yaml", warps);
    snprintf(nest, sizeof nest,
             "workload: w\nsummary: s\nparameters: {n: 20}\ninputs: {small: {n: 20}}\n"
             "arrays: {A: {shape: [n, %d], type: f32}}\n"
             "kernels:\n  - name: k\n    grid: 1\n    block: %d\n    body:\n"
             "      - for: k in 0..n\n        unroll: 1\n"
             "        body: [{load: \"A[k, tx]\"}, {compute: 100}]\n",
             32 * warps, 32 * warps);
    OWNED(source) *source = check_source(check_file(name, nest));
    *simulated_s = check_simulated_time(machine, source);
    return check_profile(source, machine, false);
}

/* Nothing overlaps the instructions of a warp alone, and they count once. */
TEST(a_warp_alone_issues_once)
{
    double simulated;
    OWNED(machine) *machine = one_sm();
    OWNED(profile) *profile = twenty_reads(machine, 1, &simulated);
    check_relative(simulated, 20 * 248e-9, 0.002);
    check_relative(network_time(machine, &profile->views[0]), 20 * 248e-9, 0.01);
}

/* Two of them have bursts of 101 ns, and the same wait behind each, which is longer: while the one
 * has its burst the other one waits, in any order, and it ends a burst later. The network of all
 * has them meet by chance, which takes longer; so would slots, by 14 % in turn and 26 % oldest
 * first, if waits differed much. */
TEST(two_warps_share_slots)
{
    double simulated;
    static const char *const orders[] = {"lrr", "grr", "gto"};
    for (int i = 0; i < 3; i++) {
        OWNED(machine) *machine = one_sm();
        check_set(machine, "sm.scheduler", orders[i]);
        OWNED(profile) *profile = twenty_reads(machine, 2, &simulated);
        check_relative(simulated, 20 * 248e-9 + 101e-9, 0.002);
        check_relative(network_time(machine, &profile->views[0]), simulated, 0.045);
    }
}

/* Eight warps that read the same line, wait for it together, and go on with four bursts on what L1
 * has, all of 11 instructions: of a line 8 x 11 ns for these and 11 + 147 ns for the wait, and what
 * stands behind the last. So the simulation has it, and so do warps that go together. */
TEST(warps_that_share_lines_stand_together)
{
    static const char text[] =
        "workload: w\nsummary: s\nparameters: {n: 20}\ninputs: {small: {n: 20}}\n"
        "arrays: {A: {shape: [n, 32], type: f32}}\n"
        "kernels:\n  - name: k\n    grid: 1\n    block: 256\n    body:\n"
        "      - for: k in 0..n\n        unroll: 1\n        body:\n"
        "          - for: i in 0..5\n            unroll: 1\n"
        "            body: [{load: \"A[k, tx % 32]\"}, {compute: 10}]\n";
    static const char *const orders[] = {"lrr", "grr"};
    struct schedule_sm sm = {8, 1, 1, SCHEDULE_NEXT};
    struct schedule_warp warp = {101, 11e-9, 0, 0, 1, 1, {{1, 0}, {80, 10e-9}, {20, 147e-9}}};
    double want = (80 * 88 + 20 * 158 + 88) * 1e-9;
    check_relative(schedule_time(&sm, &warp), want, 1e-12);
    for (int i = 0; i < 2; i++) {
        OWNED(machine) *machine = one_sm();
        check_set(machine, "sm.issue", "1 /cycle");
        check_set(machine, "sm.scheduler", orders[i]);
        OWNED(source) *source = check_source(check_file("together.yaml", text));
        OWNED(profile) *profile = check_profile(source, machine, false);
        const struct profile_record *record = &profile->views[0].records[0];
        check_field(record, FIELD_WAITS, 160);
        check_field(record, FIELD_WAITS_SHARED, 140);
        check_relative(check_simulated_time(machine, source), want, 0.01);
    }
}

/* What the first launch read the second one finds in the level before the LLC: a wait is L1, the
 * way there and back, that level and what it serves, and no request asks a slice. The bound has
 * what the crossbar carries. */
TEST(no_request_behind_a_level)
{
    OWNED(machine) *machine = check_machine(
        "machine: t\nchips: 1\nline: 128 B\n"
        "sm: {per_chip: 1, clock: 1 GHz, warps: 64, ctas: 64, scheduler: lrr, issue: 100 /cycle}\n"
        "l1: {capacity: 1 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"
        "l2: {scope: chip, filter: all, capacity: 64 KiB, ways: 8, latency: 15 ns,\n"
        "     bandwidth: 128 GB/s, flush: none}\n"
        "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"
        "      bandwidth: 128 GB/s, latency: 20 ns}\n"
        "noc: {bandwidth: 64 GB/s, latency: 5 ns}\n"
        "memory: {bandwidth: 32 GB/s, channels: 1, latency: 100 ns}\n");
    OWNED(synthetic) *s = synthetic_create("again");
    for (int l = 0; l < 2; l++) {
        synthetic_kernel(s, l ? "second" : "first", 1, 1);
        for (uint64_t i = 0; i < 64; i++)
            synthetic_lane(s, 0, 0, ACCESS_READ, i * 128);
    }
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    const struct profile_record *records = profile->views[0].records;
    assert_true(records[0].fields[FIELD_HOME_REQUESTS] == 64);
    assert_true(records[1].fields[FIELD_HOME_REQUESTS] == 0);
    double miss = 10 + 10 + 15 + 20 + 100 + 2 + 1 + 1 + 4 + 0.01, hit = 10 + 10 + 15 + 2 + 1 + 0.01;
    double want = 64 * (miss + hit) * 1e-9;
    check_relative(check_simulated_time(machine, &s->source), want, 1e-6);
    check_relative(network_time(machine, &profile->views[0]), want, 0.001);
    OWNED(answer) *bound = check_answer("bottleneck", machine, &profile->views[0]);
    check_relative(answer_metric(bound, "kernel_time"), 64 * (4 + 2) * 1e-9, 1e-9);
}

/* --- switches ------------------------------------------------------------------------------- */

/* Two chips with so many switches between them; all pages are the first chip's. */
static struct machine *switched(int switches, const char *latency)
{
    char edges[128] = "[0, 1]", text[1024];
    if (switches == 1)
        snprintf(edges, sizeof edges, "[0, 2], [2, 1]");
    else if (switches == 3)
        snprintf(edges, sizeof edges, "[0, 2], [2, 3], [3, 4], [4, 1]");
    snprintf(text, sizeof text,
             "machine: t\nchips: 2\nline: 128 B\n"
             "sm: {per_chip: 1, clock: 1 GHz, warps: 4, ctas: 4, issue: 100 /cycle}\n"
             "l1: {capacity: 16 KiB, ways: 4, latency: 10 ns}\n"
             "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"
             "      bandwidth: 128 GB/s, latency: 20 ns}\n"
             "noc: {bandwidth: 64 GB/s, latency: 5 ns}\n"
             "inter: {topology: edges, edges: [%s], link_bandwidth: 64 GB/s, latency: 30 ns,\n"
             "        switch_latency: %s}\n"
             "memory: {bandwidth: 32 GB/s, channels: 1, latency: 100 ns}\n",
             edges, latency);
    return check_machine(text);
}

/* Four warps of the first chip read 50 lines each, one after another; those of the second read one
 * each. The launch takes as long as the first ones do: whoever has little to do asks for little at
 * a time, and not for half of all. */
TEST(unequal_work_is_asked_for_unequally)
{
    OWNED(machine) *machine = switched(0, "0 s");
    OWNED(synthetic) *s = synthetic_create("unequal");
    synthetic_kernel(s, "k", 2, 4);
    for (uint32_t warp = 0; warp < 4; warp++) {
        for (uint64_t k = 0; k < 50; k++)
            synthetic_lane(s, 0, warp, ACCESS_READ, 128 * (50 * warp + k));
        synthetic_lane(s, 1, warp, ACCESS_READ, (1 << 20) + 128 * warp);
    }
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    double simulated = check_simulated_time(machine, &s->source);
    check_relative(simulated, 50 * 147.01e-9, 0.01);
    check_relative(network_time(machine, &profile->views[0]), simulated, 0.03);
}

/* A read of the second chip from the first one's memory passes each switch there and back; and a
 * figure from load to use of the links has the switches in it. */
TEST(switches_take_time)
{
    static const int counts[] = {0, 1, 3};
    for (int i = 0; i < 3; i++) {
        OWNED(machine) *none = switched(counts[i], "0 s");
        OWNED(machine) *slow = switched(counts[i], "50 ns");
        OWNED(synthetic) *s = synthetic_create("far");
        synthetic_kernel(s, "k", 2, 1); /* the first block touches the page, the second waits */
        synthetic_lane(s, 0, 0, ACCESS_READ, 0);
        for (int k = 0; k < 8; k++)
            synthetic_lane(s, 1, 0, ACCESS_READ, 128 * (uint64_t)(k + 1));
        OWNED(profile) *profile = check_profile(&s->source, none, false);
        const struct profile_view *view = &profile->views[0];
        double more = 2 * 50e-9 * counts[i], step, figure;
        double remote = view->records[0].fields[FIELD_CHAIN_REMOTE];
        double simulated =
            check_simulated_time(slow, &s->source) - check_simulated_time(none, &s->source);
        OWNED(answer) *before = check_answer("network", none, view);
        OWNED(answer) *after = check_answer("network", slow, view);
        double predicted = answer_metric(after, "latency_remote_miss") -
                           answer_metric(before, "latency_remote_miss");
        assert_true(remote >= 7);
        assert_true(fabs(simulated - remote * more) < 1e-12 + 1e-6 * more);
        assert_true(fabs(predicted - more) <= 1e-12 + 1e-6 * more);
        check_set(none, "inter.latency_is", "load-to-use");
        check_set(none, "inter.latency", "1 us");
        check_set(slow, "inter.latency_is", "load-to-use");
        check_set(slow, "inter.latency", "1 us");
        check_ok(latency_seconds(none, "inter.latency", &figure, &failure));
        check_ok(latency_seconds(slow, "inter.latency", &step, &failure));
        check_relative(figure - step, 50e-9 * counts[i], 1e-9); /* a hop there, one back */
    }
}

/* The way there has 80 ns of its own and the way back what inter.latency says, and the other way
 * about: as with 55 ns both ways, for the network, the simulation, parallelism and dualopt. */
TEST(edges_have_latencies_of_their_own)
{
    static const char *const edges[] = {
        "{from: 0, to: 1, latency: 80 ns}, {from: 1, to: 0}",
        "{from: 0, to: 1}, {from: 1, to: 0, latency: 80 cycles}",
        "{from: 0, to: 1, latency: 55 ns}, {from: 1, to: 0, latency: 55 ns}"};
    double times[3], latencies[3], unloaded[3];
    OWNED(synthetic) *s = synthetic_create("far");
    synthetic_kernel(s, "k", 2, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, 0);
    for (int k = 0; k < 8; k++)
        synthetic_lane(s, 1, 0, ACCESS_READ, 128 * (uint64_t)(k + 1));
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "machine: t\nchips: 2\nline: 128 B\n"
                 "sm: {per_chip: 1, clock: 1 GHz, warps: 4, ctas: 4, issue: 100 /cycle}\n"
                 "l1: {capacity: 16 KiB, ways: 4, latency: 10 ns}\n"
                 "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"
                 "      bandwidth: 128 GB/s, latency: 20 ns}\n"
                 "noc: {bandwidth: 64 GB/s, latency: 5 ns}\n"
                 "inter: {topology: edges, edges: [%s], link_bandwidth: 64 GB/s, latency: 30 ns}\n"
                 "memory: {bandwidth: 32 GB/s, channels: 1, latency: 100 ns}\n",
                 edges[i]);
        OWNED(machine) *machine = check_machine(text);
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        const struct profile_view *view = &profile->views[0];
        OWNED(answer) *network = check_answer("network", machine, view);
        OWNED(answer) *parallelism = check_answer("parallelism", machine, view);
        times[i] = check_simulated_time(machine, &s->source);
        latencies[i] = answer_metric(network, "latency_remote_miss");
        unloaded[i] = answer_metric(parallelism, "unloaded_latency");
        check_relative(times[i], times[0], 1e-9);
        check_relative(latencies[i], latencies[0], 1e-9);
        check_relative(unloaded[i], unloaded[0], 1e-9);
        if (i == 0) { /* 50 ns more than with 30 ns both ways */
            OWNED(machine) *plain = switched(0, "0 s");
            OWNED(answer) *before = check_answer("network", plain, view);
            double remote = view->records[0].fields[FIELD_CHAIN_REMOTE];
            double more = times[0] - check_simulated_time(plain, &s->source);
            assert_true(fabs(more - remote * 50e-9) < 1e-12);
            check_relative(latencies[0] - answer_metric(before, "latency_remote_miss"), 50e-9,
                           1e-5);
        }
        check_set(machine, "inter.latency_is", "load-to-use");
        double ignored;
        check_error(latency_seconds(machine, "inter.latency", &ignored, &failure), STATUS_INPUT,
                    "latency of their own");
    }
}

SET_UP
{
    check_own_cache();
}

/* Four chips in a ring, an SM and a warp each, that wait for as many lines at a time as a thread
 * reads together, of pages in turn. One at a time comes from each chip as often, 0, 1, 1 and 2
 * links away. Of four at a time three are remote, and one always is two links away: taken each by
 * itself, none is with (2/3)^3, and 2 us there and back are less. */
TEST(waits_are_for_the_farthest_line)
{
    static const char nest[] =
        "workload: w\nsummary: s\nparameters: {n: 64}\ninputs: {small: {n: 64}}\n"
        "arrays: {A: {shape: [4*n, 1024], type: f32}}\n"
        "kernels:\n  - name: k\n    grid: 4\n    block: 32\n    body:\n"
        "      - for: k in 0..4*n\n        unroll: %d\n"
        "        body: [{load: \"A[k, 32*bx + tx]\"}]\n";
    static const struct {
        int unroll;
        double hops, less_s;
    } cases[] = {{1, 1, 0}, {4, 2, 2e-6 * 8 / 27}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], name[32];
        OWNED(machine) *machine = check_shipped("sac", NULL);
        check_set(machine, "sm.per_chip", "1");
        check_set(machine, "page.policy", "interleave");
        check_set(machine, "inter.latency", "1 us");
        snprintf(text, sizeof text, nest, cases[i].unroll);
        snprintf(name, sizeof name, "farthest%d.yaml", cases[i].unroll);
        OWNED(source) *source = check_source(check_file(name, text));
        OWNED(profile) *profile = check_profile(source, machine, false);
        double simulated = check_simulated_time(machine, source);
        double waits = 256.0 / cases[i].unroll;
        assert_true(simulated > waits * cases[i].hops * 2e-6);
        assert_true(simulated < waits * (cases[i].hops * 2e-6 + 0.3e-6));
        check_relative(network_time(machine, &profile->views[0]),
                       simulated - waits * cases[i].less_s, 0.01);
    }
}
