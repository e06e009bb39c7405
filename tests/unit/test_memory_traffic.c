/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes to memory and comes from it, by hand: a kernel in place, in caches that are smaller and
 * larger than its data, once and again, under flushes; another chip's data, read or written; in
 * bounds, the network and the referee. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "profile/record/llc_hit.h"
#include "profile/run/profiler.h"
#include "workload/workload.h"

#define IN_PLACE "tests/data/in-place.yaml"
#define OTHER_PART "tests/data/other-part.yaml"
#define LINE 128.0

static struct profile *profile_of(const struct machine *machine, const char *spec)
{
    OWNED(source) *source = check_source(spec);
    struct profile *profile = profile_create();
    struct profile_options options = {.parts = PART_WAITS};
    check_ok(profile_make(profile, source, machine, &options, &failure));
    return profile;
}

static double referee_time(const struct machine *machine, const char *spec)
{
    OWNED(source) *source = check_source(spec);
    double time = check_simulated_time(machine, source);
    return time;
}

/* n floats in place: 4 n bytes come and 4 n go, whichever side the LLC is on and however large it
 * is, since a run ends with clean caches. What binds is memory. */
TEST(in_place_moves_its_bytes_twice)
{
    static const char *const sides[] = {"memory-side", "sm-side", "sac"};
    static const char *const capacities[] = {"2 MiB", "64 MiB"};
    const double n = 4194304, bytes = 4 * n, bound = 2 * bytes / 1.75e12;
    int most = check_slowness() > 1 ? 1 : 2;
    for (int s = check_slowness() > 1 ? 1 : 0; s < (check_slowness() > 1 ? 2 : 3); s++)
        for (int c = 0; c < most; c++) {
            OWNED(machine) *m = check_shipped(
                "sac", SETTINGS("llc.organisation", sides[s], "llc.capacity", capacities[c]));
            OWNED(profile) *profile = profile_of(m, IN_PLACE);
            OWNED(answer) *bottleneck = check_answer("bottleneck", m, &profile->views[0]);
            OWNED(answer) *network = check_answer("network", m, &profile->views[0]);
            check_relative(answer_metric(bottleneck, "kernel_time"), bound, 1e-3);
            check_relative(answer_metric(bottleneck, "memory_read"), bytes, 1e-3);
            check_relative(answer_metric(bottleneck, "memory_written"), bytes, 1e-3);
            check_relative(answer_metric(network, "memory_written"), bytes, 1e-3);
            check_relative(answer_metric(network, "kernel_time"), bound, 0.1);
            check_relative(profile_llc_written(&profile->views[0].records[0], m, SIDE_REQUESTER),
                           bytes, 1e-3);
            if (s < 2)
                check_relative(referee_time(m, IN_PLACE), bound, 0.1);
        }
}

/* EAB has a rate for hits and one for misses: of the misses, one for two requests, each is two
 * transfers, so that memory serves half as many of them. */
TEST(eab_has_transfers_for_misses)
{
    OWNED(machine) *m =
        check_shipped("sac", SETTINGS("llc.organisation", "memory-side", "llc.capacity", "2 MiB"));
    OWNED(profile) *profile = profile_of(m, IN_PLACE);
    struct profile_record *record = &profile->views[0].records[0];
    OWNED(answer) *counted = check_answer("eab", m, &profile->views[0]);
    double lsu = record->fields[FIELD_LSU_MEMORY_SIDE];
    /* All is local: B_LLC LSU h + B_mem m/t, h = m = 1/2, t = 1. */
    check_relative(answer_metric(counted, "effective_bandwidth"), 16e12 * lsu / 2 + 1.75e12 / 2,
                   1e-3);
}

/* Launches on data that fit read them once, and write them at the end, unless a flush has them go
 * between launches. Bytes of the last launch and of those before. */
TEST(launches_find_what_earlier_ones_left)
{
    static const struct {
        const char *organisation, *coherence, *flush;
        double reads[3], writes[3]; /* in data */
    } cases[] = {
        {"memory-side", "software", "coherence", {1, 0, 0}, {0, 0, 1}},
        {"memory-side", "software", "all", {1, 1, 1}, {1, 1, 1}},
        {"memory-side", "software", "dirty", {1, 1, 1}, {1, 1, 1}},
        {"sm-side", "software", "coherence", {1, 1, 1}, {1, 1, 1}},
        {"sm-side", "hardware", "coherence", {1, 0, 0}, {0, 0, 1}},
        {"sm-side", "software", "none", {1, 0, 0}, {0, 0, 1}},
    };
    const double n = 1048576, bytes = 4 * n;
    for (size_t i = 0; i<sizeof cases / sizeof *cases; i += check_slowness()> 1 ? 3 : 1) {
        OWNED(machine) *m = check_shipped(
            "sac", SETTINGS("llc.organisation", cases[i].organisation, "llc.capacity", "64 MiB",
                            "coherence", cases[i].coherence, "llc.flush", cases[i].flush));
        OWNED(profile) *profile = profile_of(m, IN_PLACE ":n=1048576,launches=3");
        OWNED(answer) *answer = check_answer("bottleneck", m, &profile->views[0]);
        for (int launch = 0; launch < 3; launch++) {
            const struct model_record *record = &answer->result.records[launch];
            int read = -1, written = -1;
            for (int k = 0; k < record->n_metrics; k++) {
                read = strcmp(record->metrics[k].name, "memory_read") ? read : k;
                written = strcmp(record->metrics[k].name, "memory_written") ? written : k;
            }
            assert_true(read >= 0 && written >= 0);
            double moved[] = {answer->values[record->metrics[read].term] / bytes,
                              answer->values[record->metrics[written].term] / bytes};
            if (!(fabs(moved[0] - cases[i].reads[launch]) < 1e-3) ||
                !(fabs(moved[1] - cases[i].writes[launch]) < 1e-3))
                fail_msg("%s, %s, flush %s, launch %d: %g read, %g written", cases[i].organisation,
                         cases[i].coherence, cases[i].flush, launch, moved[0], moved[1]);
        }
    }
}

/* Data twice as large as the LLC: each launch finds nothing, and drives out what the one before
 * left, a run's worth of data in all. */
TEST(launches_drive_out_what_was_left)
{
    const double n = 1048576, bytes = 4 * n;
    OWNED(machine) *m = check_shipped(
        "sac", SETTINGS("llc.organisation", "memory-side", "llc.capacity", "512 KiB"));
    OWNED(profile) *profile = profile_of(m, IN_PLACE ":n=1048576,launches=3");
    OWNED(answer) *answer = check_answer("bottleneck", m, &profile->views[0]);
    check_relative(answer_metric(answer, "memory_read"), 3 * bytes, 0.01);
    check_relative(answer_metric(answer, "memory_written"), 3 * bytes, 0.01);
    check_relative(answer_metric(answer, "kernel_time"), 6 * bytes / 1.75e12, 0.01);
    OWNED(answer) *network = check_answer("network", m, &profile->views[0]);
    check_relative(answer_metric(network, "memory_written"), 3 * bytes, 0.01);
    check_relative(answer_metric(network, "kernel_time"),
                   referee_time(m, IN_PLACE ":n=1048576,launches=3"), 0.1);
}

/* A profile without write-backs, as of earlier versions: what misses is read. */
TEST(misses_stand_for_what_is_unknown)
{
    OWNED(machine) *m =
        check_shipped("sac", SETTINGS("llc.organisation", "memory-side", "llc.capacity", "2 MiB"));
    OWNED(profile) *profile = profile_of(m, IN_PLACE ":n=1048576");
    struct profile_record *record = &profile->views[0].records[0];
    for (size_t c = 0; c < record->n_curves; c++)
        record->curves[c].has &= 1U << CURVE_READS;
    OWNED(answer) *answer = check_answer("bottleneck", m, &profile->views[0]);
    check_relative(answer_metric(answer, "kernel_time"), 4 * 1048576 / 1.75e12, 1e-3);
    assert_true(isnan(answer_metric(answer, "memory_written")));
}

/* Lines that are written in part are fetched where the machine says so, whole ones never. */
TEST(partial_writes_fetch)
{
    enum { LINES = 4096 };
    for (int fetch = 0; fetch < 2; fetch++)
        for (int whole = 0; whole < 2; whole++) {
            OWNED(machine) *m =
                check_shipped("sac", SETTINGS("memory.partial_write", fetch ? "fetch" : "mask"));
            OWNED(synthetic) *s = synthetic_create("writes");
            synthetic_kernel(s, "k", LINES, 1);
            for (uint64_t i = 0; i < LINES; i++)
                synthetic_add(s, i, 0,
                              (struct warp_access){.mask = whole ? UINT32_MAX : 1,
                                                   .bytes = 4,
                                                   .kind = ACCESS_WRITE,
                                                   .stride = 4,
                                                   .base = i * 128,
                                                   .instructions = 1});
            OWNED(profile) *profile = check_profile(&s->source, m, false);
            OWNED(answer) *answer = check_answer("bottleneck", m, &profile->views[0]);
            double reads = fetch && !whole ? LINES * LINE : 0;
            assert_true(fabs(answer_metric(answer, "memory_read") - reads) < 1);
            check_relative(answer_metric(answer, "memory_written"), LINES * LINE, 1e-9);
            struct simulate_gpu_options all = referee_options(1000000);
            struct simulate_gpu_result *r;
            check_ok(simulate_gpu(m, &s->source, &all, &r, &failure));
            for (size_t k = 0; k < r->n_stations; k++)
                if (strcmp(r->stations[k].name, "memory") == 0)
                    check_relative(r->stations[k].utilisation * r->time_s,
                                   (LINES * LINE + reads) / 1.75e12, 1e-6);
            simulate_gpu_result_destroy(r);
        }
}

/* Each chip's blocks read a quarter of an array and write one of another, the own one or that of
 * the next chip of the ring. Behind an SM-side LLC that holds none of it, what is read from there
 * comes over one edge of each chip, what is written there goes over the opposite one of the same
 * pair; whatever is a chip's own crosses nothing. */
TEST(remote_reads_and_writes_cross_as_what_they_are)
{
    static const struct {
        const char *what;
        bool crosses;
    } cases[] = {{"read=1", true},
                 {"write=1", true},
                 {"read=1,write=1", true},
                 {"write=1,atomic=1", true},
                 {"read=0", false}};
    const double n = 1048576, edge = n * 4 / 4 / 96e9, memory = n * 4 / 1.75e12;
    OWNED(machine) *m =
        check_shipped("sac", SETTINGS("llc.organisation", "sm-side", "llc.capacity", "128 KiB"));
    for (size_t i = 0; i<sizeof cases / sizeof *cases; i += check_slowness()> 1 ? 2 : 1) {
        char spec[96];
        snprintf(spec, sizeof spec, OTHER_PART ":launches=2,%s", cases[i].what);
        bool atomic = strstr(cases[i].what, "atomic") != NULL;
        double home = memory * (atomic ? 3 : 2); /* atomics want the line as well */
        double go = cases[i].crosses ? edge : home;
        OWNED(profile) *profile = profile_of(m, spec);
        OWNED(answer) *bottleneck = check_answer("bottleneck", m, &profile->views[0]);
        OWNED(answer) *network = check_answer("network", m, &profile->views[0]);
        double time = answer_metric(network, "kernel_time");
        check_relative(answer_metric(bottleneck, "kernel_time"), 2 * memory + 2 * go, 0.02);
        assert_true(time >= 2 * memory + 2 * go);
        check_relative(time, referee_time(m, spec), 0.1);
    }
}

/* The same in an LLC that holds all: what was written leaves at the launch's end, another chip's
 * over the edges to it, the own to memory. */
TEST(dirty_lines_of_others_go_over_the_hottest_link)
{
    const double n = 1048576, edge = n * 4 / 4 / 96e9, memory = n * 4 / 1.75e12;
    static const char *const cases[] = {OTHER_PART ":launches=4,write=1",
                                        OTHER_PART ":launches=4,read=1"};
    for (int i = 0; i < (check_slowness() > 1 ? 1 : 2); i++) {
        OWNED(machine) *m = check_shipped("sac", SETTINGS("llc.organisation", "sm-side"));
        OWNED(profile) *profile = profile_of(m, cases[i]);
        OWNED(answer) *network = check_answer("network", m, &profile->views[0]);
        double time = answer_metric(network, "kernel_time");
        /* Both arrays are read first. The next chip's part of `a` comes once, and stays. */
        double least = 2 * memory + (i == 0 ? 4 * edge : edge + 4 * memory);
        assert_true(time >= least);
        check_relative(time, referee_time(m, cases[i]), 0.1);
    }
}

/* 64 KiB that are written sixteen times fit an LLC of 1 MiB: they go to memory once, when the run
 * ends, or sixteen times where writes go through; what is read comes once either way. 10 GB/s of
 * memory, in the models and in the referee. */
TEST(writes_go_through)
{
    static const struct {
        const char *write, *body;
        double read, written; /* arrays */
    } cases[] = {{"back", "{store: \"a[i]\"}", 0, 1},
                 {"through", "{store: \"a[i]\"}", 0, 16},
                 {"back", "{load: \"a[i]\"}, {store: \"b[i]\"}", 1, 1},
                 {"through", "{load: \"a[i]\"}, {store: \"b[i]\"}", 1, 16}};
    const double array = 65536;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "workload: sweep\nparameters: {n: 16384, threads: 16*16384}\n"
                 "arrays: {a: {shape: [n], type: f32}, b: {shape: [n], type: f32}}\nkernels:\n  - "
                 "name: k\n"
                 "    grid: threads/128\n    block: 128\n    let: {i: (bx*128 + tx) %% n}\n"
                 "    body: [%s]\n",
                 cases[i].body);
        OWNED(source) *source = check_source(check_file("through.yaml", text));
        OWNED(machine) *m = check_machine(
            "machine: t\nchips: 1\nline: 128 B\nsm: {per_chip: 4, clock: 1 GHz, ctas: 2}\n"
            "l1: {capacity: 1 KiB, latency: 1 ns, mshrs: 4096, write_buffer: 4096}\n"
            "llc: {organisation: memory-side, capacity: 1 MiB, slices: 1, bandwidth: 1 TB/s,\n"
            "      latency: 1 ns}\n"
            "noc: {bandwidth: 1 TB/s, latency: 1 ns}\n"
            "memory: {bandwidth: 10 GB/s, channels: 1, latency: 10 ns}\n"
            "cta: {policy: centralised}\npage: {policy: interleave}\n");
        OWNED(profile) *profile = profile_create();
        struct profile_options options = {.threads = 1, .parts = PART_WAITS};
        check_set(m, "llc.write", cases[i].write);
        check_ok(profile_make(profile, source, m, &options, &failure));
        OWNED(answer) *bottleneck = check_answer("bottleneck", m, &profile->views[0]);
        OWNED(answer) *network = check_answer("network", m, &profile->views[0]);
        check_relative(answer_metric(bottleneck, "memory_read") + array,
                       (cases[i].read + 1) * array, 1e-3);
        check_relative(answer_metric(bottleneck, "memory_written"), cases[i].written * array, 1e-3);
        check_relative(answer_metric(network, "memory_written"), cases[i].written * array, 1e-3);
        if (cases[i].written == 1)
            continue;
        double bound = (cases[i].read + cases[i].written) * array / 10e9;
        check_relative(answer_metric(bottleneck, "kernel_time"), bound, 1e-3);
        check_relative(answer_metric(network, "kernel_time"), bound, 0.02);
        check_relative(check_simulated_time(m, source), bound, 0.02);
    }
}
