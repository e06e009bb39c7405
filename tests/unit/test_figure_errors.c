/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the errors of figures: each value by itself, what they add up to, what is looked at. */
#include "check.h"

#include "core/plugin.h"
#include "explore/answer/answer.h"
#include "explore/answer/counted.h"
#include "explore/answer/simulations.h"
#include "validate/errors.h"

SET_UP
{
    check_own_cache();
}

/* `text`: figures over small workloads. */
static struct sheet *errors_kept(const char *text, bool all, int threads, size_t *found,
                                 struct simulations *simulations)
{
    struct text whole = {0};
    struct published *published;
    struct validation_request request = {
        .input = "small", .all = all, .threads = threads, .simulations = simulations};
    struct sheet *rows = sheet_create(errors_columns);
    text_printf(&whole,
                "published: test\nsummary: a test\nmachines:\n"
                "  home: {machine: sac, set: {llc.organisation: memory-side}}\n"
                "  near: {machine: sac, set: {llc.organisation: sm-side}}\n"
                "  l15: {machine: mcm-optimised}\n"
                "  ring: {machine: mcm}\n"
                "  apart: {machine: dualopt, set: {page.policy: interleave}}\n"
                "  lines: {machine: dualopt, set: {page.policy: interleave, dualopt.design: "
                "baseline}}\n"
                "  past: {machine: dualopt, set: {page.policy: interleave, dualopt.design: "
                "bypass}}\n"
                "  cached: {machine: dualopt, set: {page.policy: interleave, dualopt.design: "
                "rdma}}\n"
                "  packed: {machine: dualopt, set: {page.policy: interleave, dualopt.design: "
                "coalescing}}\n"
                "workloads: {two: {input: small, names: [gemm, mvt]},"
                " streams: {input: small, names: [\"stream:first=1\"]}}\nfigures:\n%s",
                text);
    *found = 0;
    check_ok(published_load(check_file("published.yaml", whole.data), &published, &failure));
    check_ok(errors_of(published, &request, rows, found, &failure));
    published_destroy(published);
    text_free(&whole);
    return rows;
}

static struct sheet *errors(const char *text, bool all, int threads, size_t *found)
{
    return errors_kept(text, all, threads, found, NULL);
}

#define FIGURE(name, value, ours)                                                                  \
    "  - {figure: " name ", value: " value ", unit: x, evidence: prediction, model: network, "     \
    "mean: geometric, over: two, ours: " ours "}\n"
#define GAIN FIGURE("gain", "100", "kernel_time@home / kernel_time@near")

/* Of what may be 0. */
static void near(double got, double want, double most)
{
    if (!(fabs(got - want) <= most))
        fail_msg("%.17g, expected %.17g within %g", got, want, most);
}

static double number(const struct sheet *rows, size_t row, enum errors_column column)
{
    return sheet_at(rows, row, column)->number;
}

/* ln of the gain of a workload: asked, as counted, simulated. */
static void gain_of(const char *workload, double out[3])
{
    const struct model *model = (const struct model *)plugin_find("model", "network");
    struct subject *subject;
    double times[2][3];
    check_ok(subject_open(workload, &subject, &failure));
    for (int side = 0; side < 2; side++) {
        OWNED(machine) *machine =
            check_shipped("sac", SETTINGS("llc.organisation", side ? "sm-side" : "memory-side"));
        struct simulate_gpu_options options = referee_options(UINT64_MAX);
        struct simulate_gpu_result *result;
        struct counted_view counted;
        const struct profile_view *view;
        size_t made;
        check_ok(
            subject_prepare_models(subject, machine, &model, 1, PART_BASE, NULL, &made, &failure));
        check_ok(subject_view(subject, machine, &view, &failure));
        check_ok(referee_simulate(subject, machine, &options, &result, &failure));
        check_ok(counted_view_open(&counted, view, machine, result, &failure));
        const struct profile_view *views[] = {view, &counted.view};
        for (int i = 0; i < 2; i++) {
            OWNED(answer) *answer = check_answer("network", machine, views[i]);
            times[side][i] = answer->values[model_result_metric(&answer->result, "kernel_time")];
        }
        times[side][2] = result->kernel_time_s;
        counted_view_close(&counted);
        simulate_gpu_result_destroy(result);
    }
    subject_destroy(subject);
    for (int i = 0; i < 3; i++)
        out[i] += log(times[0][i] / times[1][i]) / 2;
}

TEST(parts_are_steps_from_ours_to_the_published)
{
    size_t found;
    double want[3] = {0};
    gain_of("gemm:input=small", want);
    gain_of("mvt:input=small", want);
    struct sheet *rows = errors(GAIN, false, 1, &found);
    assert_int_equal(found, 1);
    assert_int_equal(sheet_rows(rows), 1);
    assert_string_equal(sheet_at(rows, 0, ERRORS_FIGURE)->text, "gain");
    check_relative(number(rows, 0, ERRORS_OURS), exp(want[0]), 1e-9);
    check_relative(number(rows, 0, ERRORS_COUNTED), exp(want[1]), 1e-9);
    check_relative(number(rows, 0, ERRORS_SIMULATED), exp(want[2]), 1e-9);
    check_relative(number(rows, 0, ERRORS_ERROR), want[0] - log(100), 1e-9);
    near(number(rows, 0, ERRORS_PROFILE), want[0] - want[1], 1e-9);
    near(number(rows, 0, ERRORS_FORMULA), want[1] - want[2], 1e-9);
    near(number(rows, 0, ERRORS_BOTH), want[0] - want[2], 1e-9);
    check_relative(number(rows, 0, ERRORS_REST), want[2] - log(100), 1e-9);
    assert_true(number(rows, 0, ERRORS_WHOLE) == 1);

    /* The same for any number of threads. */
    struct sheet *again = errors(GAIN, false, 3, &found);
    for (int c = ERRORS_OURS; c <= ERRORS_WHOLE; c++)
        if (c != ERRORS_UNIT)
            assert_true(number(rows, 0, (enum errors_column)c) ==
                        number(again, 0, (enum errors_column)c));
    sheet_destroy(again);
    sheet_destroy(rows);
}

/* What is near is left out unless all is asked for; what points the other way is not. */
TEST(misses_alone)
{
    static const char figures[] =
        "  - {figure: chips, value: 4, evidence: exact, ours: chips@home}\n" /* not predicted */
        FIGURE("near", "1.1", "kernel_time@home / kernel_time@home")
            FIGURE("turned", "0.99", "1.001 * kernel_time@home / kernel_time@home");
    size_t found;
    struct sheet *rows = errors(figures, false, 1, &found);
    assert_int_equal(found, 2);
    assert_int_equal(sheet_rows(rows), 1);
    assert_string_equal(sheet_at(rows, 0, ERRORS_FIGURE)->text, "turned");
    sheet_destroy(rows);
    rows = errors(figures, true, 1, &found);
    assert_int_equal(sheet_rows(rows), 2);
    near(number(rows, 0, ERRORS_PROFILE), 0, 1e-12);
    near(number(rows, 0, ERRORS_FORMULA), 0, 1e-12);
    check_relative(number(rows, 0, ERRORS_REST), -log(1.1), 1e-9);
    sheet_destroy(rows);
}

/* Caches before the LLC's: nothing can be counted in the profile's place, and profile and formula
 * are one part. What simulations do not say has no parts. */
TEST(unknown_parts)
{
    size_t found;
    struct sheet *rows = errors(FIGURE("l15", "5", "kernel_time@home / kernel_time@l15")
                                    FIGURE("bytes", "9", "memory_read@home / memory_read@near"),
                                false, 2, &found);
    assert_int_equal(sheet_rows(rows), 2);
    assert_true(isnan(number(rows, 0, ERRORS_COUNTED)) && isnan(number(rows, 0, ERRORS_PROFILE)));
    near(number(rows, 0, ERRORS_BOTH) + number(rows, 0, ERRORS_REST), number(rows, 0, ERRORS_ERROR),
         1e-12);
    assert_false(isnan(number(rows, 0, ERRORS_ERROR)));
    assert_true(isnan(number(rows, 1, ERRORS_SIMULATED)) && isnan(number(rows, 1, ERRORS_REST)));
    assert_false(isnan(number(rows, 1, ERRORS_ERROR)));
    sheet_destroy(rows);
}

/* Two figures that name one machine simulate it once; both say what each says by itself. */
TEST(one_machine_of_two_figures)
{
    static const char loss[] = FIGURE("loss", "9", "kernel_time@near / kernel_time@home");
    static const char both[] = GAIN FIGURE("loss", "9", "kernel_time@near / kernel_time@home");
    struct simulations *kept = simulations_create();
    size_t found;
    struct sheet *rows = errors_kept(both, false, 2, &found, kept), *alone[2];
    assert_int_equal(sheet_rows(rows), 2);
    assert_int_equal(simulations_count(kept).asked, 8); /* 2 figures, machines, workloads */
    assert_true(simulations_count(kept).simulated <= 4);
    alone[0] = errors(GAIN, false, 1, &found);
    alone[1] = errors(loss, false, 1, &found);
    for (size_t f = 0; f < 2; f++)
        for (int c = ERRORS_PUBLISHED; c <= ERRORS_WHOLE; c++)
            if (c != ERRORS_UNIT)
                assert_true(number(rows, f, (enum errors_column)c) ==
                            number(alone[f], 0, (enum errors_column)c));
    sheet_destroy(alone[0]);
    sheet_destroy(alone[1]);
    sheet_destroy(rows);
    simulations_destroy(kept);
}

/* L1 misses of stream on dcl1, by a simulation of our own. */
static double misses_simulated(void)
{
    OWNED(machine) *machine = check_shipped("dcl1", NULL);
    struct simulate_gpu_options options = referee_options(UINT64_MAX);
    struct simulate_gpu_result *result;
    struct subject *subject;
    check_ok(subject_open("stream:input=small,first=1", &subject, &failure));
    check_ok(referee_simulate(subject, machine, &options, &result, &failure));
    double misses = 1 - result->l1_hit_rate;
    simulate_gpu_result_destroy(result);
    subject_destroy(subject);
    return misses;
}

/* Where pages are interleaved, three quarters of what goes to four modules are for others, whatever
 * the order in time; L1 hits hang on it. */
TEST(counts_of_the_simulation)
{
    static const char figures[] =
#define COUNT(name, machine, of, ours)                                                             \
    "  - {figure: " name ", value: 9, unit: x, evidence: prediction, model: " of                   \
    ", machine: " machine ", mean: arithmetic, over: streams, ours: " ours "}\n"
        COUNT("bytes", "mcm", "parallelism", "link_share")
            COUNT("misses", "dcl1", "dcl1", "l1_miss_rate")
                COUNT("remote", "dualopt", "dualopt", "remote_ratio@apart");
    size_t found;
    struct sheet *rows = errors(figures, false, 1, &found);
    assert_int_equal(sheet_rows(rows), 3);
    near(number(rows, 0, ERRORS_OURS), 0.75, 1e-3);
    check_relative(number(rows, 0, ERRORS_SIMULATED), number(rows, 0, ERRORS_OURS), 1e-9);
    check_relative(number(rows, 1, ERRORS_SIMULATED), misses_simulated(), 1e-9);
    assert_true(number(rows, 2, ERRORS_OURS) > 0.1);
    check_relative(number(rows, 2, ERRORS_SIMULATED), number(rows, 2, ERRORS_OURS), 1e-9);
    /* What a profile counts is the profile's alone. */
    for (size_t r = 1; r < 3; r++) {
        assert_true(number(rows, r, ERRORS_COUNTED) == number(rows, r, ERRORS_SIMULATED));
        assert_true(number(rows, r, ERRORS_FORMULA) == 0);
    }
    sheet_destroy(rows);
}

static struct simulate_gpu_result *simulated(const char *machine_name, const char *const *settings)
{
    OWNED(machine) *machine = check_shipped(machine_name, settings);
    struct simulate_gpu_options options = referee_options(UINT64_MAX);
    struct simulate_gpu_result *result;
    struct subject *subject;
    check_ok(subject_open("stream:input=small,first=1", &subject, &failure));
    check_ok(referee_simulate(subject, machine, &options, &result, &failure));
    subject_destroy(subject);
    return result;
}

/* A model that compares machines: the design that it decided for is built, and what that is
 * compared with. Who names the same machine in another way asks for no other simulation. */
TEST(designs_are_built)
{
#define DESIGN(name, ours)                                                                         \
    "  - {figure: " name ", value: 9, unit: x, evidence: prediction, model: dualopt, "             \
    "mean: arithmetic, over: streams, ours: " ours "}\n"
    static const char figures[] = DESIGN("cache", "speedup@cached")
        DESIGN("time", "kernel_time@lines / 1 us") DESIGN("bytes", "fabric_bytes@lines / 1 MB")
            DESIGN("before", "fabric_bytes_baseline@cached / "
                             "1 MB") DESIGN("past", "speedup@past")
                DESIGN("packets", "speedup@packed") DESIGN("remote", "remote_ratio@packed");
    struct simulations *kept = simulations_create();
    size_t found;
    struct sheet *rows = errors_kept(figures, true, 1, &found, kept);
    struct simulate_gpu_result *lines = simulated("dualopt", SETTINGS("page.policy", "interleave")),
                               *cached =
                                   simulated("dualopt-rdma", SETTINGS("page.policy", "interleave")),
                               *past = simulated("dualopt", SETTINGS("page.policy", "interleave",
                                                                     "l1.bypass", "remote")),
                               *packets = simulated(
                                   "dualopt", SETTINGS("page.policy", "interleave", "l1.bypass",
                                                       "remote", "dualopt.design", "coalescing"));
    uint64_t crossing = 0;
    for (size_t l = 0; l < lines->n_launches; l++)
        crossing += lines->launches[l].seen.crossing;
    assert_int_equal(sheet_rows(rows), 7);
    check_relative(number(rows, 0, ERRORS_SIMULATED), lines->kernel_time_s / cached->kernel_time_s,
                   1e-9);
    check_relative(number(rows, 1, ERRORS_SIMULATED), lines->kernel_time_s * 1e6, 1e-9);
    /* Flits of 16 B: a request of 12 B and a reply of 68, or a write of 76 B and an answer of 4. */
    check_relative(number(rows, 2, ERRORS_SIMULATED), (double)crossing * 96 / 1e6, 1e-9);
    assert_true(number(rows, 3, ERRORS_SIMULATED) == number(rows, 2, ERRORS_SIMULATED));
    check_relative(number(rows, 2, ERRORS_OURS), number(rows, 2, ERRORS_SIMULATED), 1e-3);
    check_relative(number(rows, 4, ERRORS_SIMULATED), lines->kernel_time_s / past->kernel_time_s,
                   1e-9);
    check_relative(number(rows, 5, ERRORS_SIMULATED), lines->kernel_time_s / packets->kernel_time_s,
                   1e-9);
    check_relative(number(rows, 6, ERRORS_SIMULATED), 0.75, 1e-2);
    /* Told what was counted where the design needs no other machine. */
    assert_false(isnan(number(rows, 1, ERRORS_COUNTED)));
    assert_true(isnan(number(rows, 0, ERRORS_COUNTED)));
    assert_true(simulations_count(kept).asked > 7 && simulations_count(kept).simulated <= 4);
    simulate_gpu_result_destroy(lines);
    simulate_gpu_result_destroy(cached);
    simulate_gpu_result_destroy(past);
    simulate_gpu_result_destroy(packets);
    sheet_destroy(rows);
    simulations_destroy(kept);
}

/* Bytes between GPUs where reads of lines of 16 pieces, all of them asked for, go past L1. Each is
 * one of `reads`; flits of 16 B. */
static double packed(const char *design, const char *timeout, struct simulate_gpu_result **out)
{
    *out = simulated("dualopt", SETTINGS("page.policy", "interleave", "l1.bypass", "remote",
                                         "dualopt.design", design, "dualopt.timeout", timeout));
    return (*out)->link_bytes;
}

TEST(packets_of_pieces)
{
    struct simulate_gpu_result *lines = simulated("dualopt", SETTINGS("page.policy", "interleave")),
                               *alone, *full, *early;
    double reads = 0, crossing = 0;
    for (size_t l = 0; l < lines->n_launches; l++) {
        assert_true(lines->launches[l].seen.read_hits == 0);
        reads += (double)lines->launches[l].seen.remote_reads;
        crossing += (double)lines->launches[l].seen.crossing;
    }
    assert_true(reads > 0 && crossing > reads);
    /* Requests of 12 B, writes of 76 and their answers of 4: a flit, five and one. */
    double others = reads * 16 + (crossing - reads) * 96;
    double fine = packed("fine-grained", "30 cycles", &alone);
    check_relative(fine, others + reads * 16 * 16, 1e-12); /* 4 + 6 B each */
    /* Ten in 4 + 60 B, but for those that leave before they are full. */
    double least = others + reads * 16 / 10 * 64;
    double shared = packed("coalescing", "1 ms", &full), hurried;
    assert_true(shared >= least && shared < least * 1.01);
    hurried = packed("coalescing", "1 cycles", &early);
    assert_true(hurried > shared && hurried < fine);
    /* All that is asked for comes, and a packet that waits in vain holds up who waits for it. */
    assert_true(alone->whole && full->whole && early->whole);
    assert_true(full->kernel_time_s > 1e-3 && early->kernel_time_s < alone->kernel_time_s);
    assert_int_equal(full->requests, alone->requests);
    assert_int_equal(full->requests, lines->requests);
    simulate_gpu_result_destroy(lines);
    simulate_gpu_result_destroy(alone);
    simulate_gpu_result_destroy(full);
    simulate_gpu_result_destroy(early);
}

/* Bytes between GPUs of two warps of a block that read a line of another one: each asks for pieces
 * of it, the second one for those of `second`. */
static double two_read(const char *second)
{
    struct text text = {0};
    text_printf(&text,
                "bandscape-trace 1\nhome 0x10000 4096 1\nkernel k grid=1 block=64\n"
                "warp 0 0\nr 0x10000 4 stride=4 mask=0xff\nwarp 0 1\nr %s\n",
                second);
    OWNED(machine) *machine = check_shipped(
        "dualopt", SETTINGS("page.policy", "recorded", "l1.bypass", "remote", "dualopt.design",
                            "coalescing", "dualopt.timeout", "500 cycles"));
    struct simulate_gpu_options options = referee_options(UINT64_MAX);
    struct simulate_gpu_result *result;
    struct subject *subject;
    check_ok(subject_open(check_file("two.btrace", text.data), &subject, &failure));
    check_ok(referee_simulate(subject, machine, &options, &result, &failure));
    double bytes = result->link_bytes;
    assert_int_equal(result->requests, 2);
    simulate_gpu_result_destroy(result);
    subject_destroy(subject);
    text_free(&text);
    return bytes;
}

/* Who asks for pieces that are all under way sends nothing; else a request, and its pieces fill
 * what there is of a packet. */
TEST(pieces_under_way)
{
    assert_true(two_read("0x10000 4 stride=4 mask=0xf") == 16 + 64); /* 8 pieces: 4 + 48 B */
    assert_true(two_read("0x10010 4 stride=4 mask=0xfff") == 2 * 16 + 2 * 64); /* 20 pieces */
    assert_true(two_read("0x10020 4 stride=4 mask=0x3") == 2 * 16 + 64);       /* 10 */
}
