/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel_time and effective_bandwidth are one answer, of every model; the first request of a
 * launch counts once, with a chain of waits and without one, as the referee has it. */
#include "mcm_check.h"
#include "profile_check.h"

#include <unistd.h>

#include "core/plugin.h"
#include "explore/referee.h"
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
static void check_answer(const struct model *model, const struct answer *answer)
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
        struct error error;
        size_t made;
        struct machine *m = mcm_machine(name, MCM_WITH("llc.organisation", organisations[o]));
        check_ok(subject_open(spec, &subject, &error));
        check_ok(subject_prepare_models(subject, m, &model, 1, 0, 0, &made, &error));
        check_ok(subject_views(subject, model, m, &views, &error));
        int status = answer_create_variants(model, m, &views, &answer, &error);
        if (status && status != STATUS_INFEASIBLE)
            check_ok(status);
        if (!status) {
            check_answer(model, answer);
            answer_destroy(answer);
            asked++;
        }
        subject_destroy(subject);
        machine_destroy(m);
    }
    return asked;
}

static void bytes_are_time_times_bandwidth(void **state)
{
    const size_t most = check_slowness() > 1 ? 2 : sizeof specs / sizeof *specs;
    (void)state;
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
    struct answer *answer;
    struct error error;
    check_ok(answer_create((const struct model *)plugin_find("model", "network"), machine, view,
                           &answer, &error));
    double time = answer_metric(answer, "kernel_time");
    answer_destroy(answer);
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
    struct machine *machine = one_sm();
    struct synthetic *s = reads(blocks, each, launches);
    struct profile *profile = check_profile(&s->source, machine, false);
    struct simulate_gpu_options whole = referee_options(100000);
    struct simulate_gpu_result *result;
    struct error error;
    check_ok(simulate_gpu(machine, &s->source, &whole, &result, &error));
    check_relative(result->kernel_time_s * 1e9, want_ns, 1e-6);
    check_relative(network_time(machine, &profile->views[0]) * 1e9, want_ns, tolerance);
    forget_chain(&profile->views[0]);
    check_relative(network_time(machine, &profile->views[0]) * 1e9, want_ns, tolerance);
    simulate_gpu_result_destroy(result);
    profile_destroy(profile);
    source_destroy(&s->source);
    machine_destroy(machine);
}

static void first_requests_count_once(void **state)
{
    (void)state;
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
    struct answer *answer = mcm_ask("network", machine, record);
    bool found = false;
    for (int i = 0; i < answer->result.n_warnings; i++)
        found |= strstr(answer->result.warnings[i], words) != NULL;
    answer_destroy(answer);
    return found;
}

static void assumed_concurrency_is_said(void **state)
{
    struct machine *machine = one_sm();
    struct synthetic *s = reads(8, 4, 1);
    (void)state;
    struct profile *profile = check_profile(&s->source, machine, false);
    struct profile_view *view = &profile->views[0];
    assert_false(warns(machine, &view->records[0], "assumes"));
    forget_chain(view);
    assert_true(warns(machine, &view->records[0], "assumes how many requests are under way"));
    profile_destroy(profile);
    source_destroy(&s->source);
    machine_destroy(machine);
}

/* --- launches ----------------------------------------------------------------------------- */

static double model_time(const char *model, const struct machine *machine,
                         const struct profile_view *view, bool *warned)
{
    struct answer *answer;
    struct error error;
    check_ok(answer_create((const struct model *)plugin_find("model", model), machine, view,
                           &answer, &error));
    double time = answer_metric(answer, "kernel_time");
    *warned = false;
    for (int i = 0; i < answer->result.n_warnings; i++)
        *warned |= strstr(answer->result.warnings[i], "launch.time") != NULL;
    answer_destroy(answer);
    return time;
}

/* Three launches of one read each: each takes 2 us more, in the network, in the bound (where a read
 * takes 4 ns of the memory) and in the referee; who does not count them says so. */
static void launches_take_time(void **state)
{
    struct machine *machine = one_sm();
    struct synthetic *s = reads(1, 1, 3);
    struct profile *profile = check_profile(&s->source, machine, false);
    struct simulate_gpu_options whole = referee_options(100000);
    struct simulate_gpu_result *result;
    struct error error;
    bool warned;
    (void)state;
    double eab = model_time("eab", machine, &profile->views[0], &warned);
    assert_false(warned);
    check_set(machine, "launch.time", "2 us");
    check_ok(simulate_gpu(machine, &s->source, &whole, &result, &error));
    check_relative(result->kernel_time_s * 1e9, 3 * 2147.01, 1e-6);
    check_relative(model_time("network", machine, &profile->views[0], &warned) * 1e9, 3 * 2147.01,
                   2e-4);
    assert_false(warned);
    check_relative(model_time("bottleneck", machine, &profile->views[0], &warned) * 1e9, 3 * 2004,
                   1e-12);
    assert_false(warned);
    check_relative(model_time("eab", machine, &profile->views[0], &warned), eab, 0);
    assert_true(warned);
    simulate_gpu_result_destroy(result);
    profile_destroy(profile);
    source_destroy(&s->source);
    machine_destroy(machine);
}

static char cache[] = "/tmp/bandscape-time-XXXXXX";

static int own_cache(void **state)
{
    (void)state;
    return mkdtemp(cache) && setenv("BANDSCAPE_CACHE", cache, 1) == 0 ? 0 : -1;
}

static int drop_cache(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", cache);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_time_times_bandwidth),
        cmocka_unit_test(first_requests_count_once),
        cmocka_unit_test(assumed_concurrency_is_said),
        cmocka_unit_test(launches_take_time),
    };
    return cmocka_run_group_tests(tests, own_cache, drop_cache);
}
