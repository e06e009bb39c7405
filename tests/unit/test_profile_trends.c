/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches that change steadily: what stands for those left out, and how far off that is. */
#include "profile_check.h"
#include "workload_check.h"

#include "core/memory.h"
#include "profile/run/profiler.h"
#include "workload/open/spec.h"
#include "workload/workload.h"

static const char machine_text[] = "machine: four\n"
                                   "chips: 4\n"
                                   "sm: {per_chip: 4}\n"
                                   "l1: {capacity: 4 KiB}\n"
                                   "llc: {capacity: 256 KiB, ways: 8, slices: 4}\n";

/* Fields of all records together, of the run's launches. */
struct run {
    double launches, left, requests, reads, hits, r_local, lines, llc[2];
    double within;
};

static struct run run_on(const char *chips, const struct source *source, double error, bool exact,
                         int threads)
{
    OWNED(machine) *machine = check_machine(machine_text);
    check_set(machine, "chips", chips);
    OWNED(profile) *profile = profile_create();
    struct profile_options options = {.effort = {.error = error, .exact = exact},
                                      .parts = PART_WAITS | PART_WINDOW,
                                      .threads = threads};
    struct run run = {0};
    check_ok(profile_make(profile, source, machine, &options, &failure));
    const struct profile_view *view = &profile->views[0];
    for (size_t i = 0; i < view->n_records; i++) {
        const struct profile_record *r = &view->records[i];
        double requests = r->fields[FIELD_REQUESTS];
        run.launches += (double)r->launches;
        run.left += (double)r->launches_repeated;
        run.requests += requests;
        run.reads += r->fields[FIELD_L1_READS];
        run.hits += r->fields[FIELD_L1_READ_HITS];
        run.r_local += requests * r->fields[FIELD_R_LOCAL];
        run.lines += r->fields[FIELD_LINES];
        for (int side = 0; side < 2; side++) {
            const struct profile_curve *curve =
                profile_curve_find(r, "chip", side ? "requester" : "home", "all");
            run.llc[side] += requests * (1 - curve_miss_ratio(&curve->curve, 2048, 8));
        }
    }
    run.within = view->settled_within;
    return run;
}

static struct run run_of(const struct source *source, double error)
{
    return run_on("4", source, error, false, 1);
}

/* Kernels over one array. */
static struct source *nest(const char *kernels)
{
    struct text text = {0};
    struct source *source;
    text_printf(&text,
                "workload: t\nsummary: s\nparameters: {n: 100}\ninputs: {small: {}}\n"
                "arrays:\n  A: {shape: [262144], type: f32}\nkernels:\n%s",
                kernels);
    check_ok(workload_open_text(text.data, "", &source, &failure));
    text_free(&text);
    return source;
}

#define KERNEL(name, grid, index)                                                                  \
    "{name: " name ", grid: \"" grid "\", block: 64, body: [{load: \"A[" index                     \
    "]\"}, {store: \"A[" index "]\"}]}\n"

/* Each block has two lines of its own, so that what is asked for is as wide as the launch, and what
 * stands for those left out is so to the last digit. The second step finds nothing new; 16 are
 * judged one by one, 16 at each longer distance, and the last step is gone through: 2 + 17, each
 * third of 48, each seventh of the rest. One chip: a quarter of the blocks is not the same blocks
 * in the next step. */
TEST(test_linear_steps_are_exact)
{
    OWNED(source) *source =
        nest("  - repeat: step in 0..n\n"
             "    kernels:\n"
             "      - " KERNEL("fixed", "16", "64*bx + tx") "      - " KERNEL(
                 "less", "16*(n - step)", "64*bx + tx") "  - " KERNEL("after", "16", "64*bx + tx"));
    struct run all = run_on("1", source, 0.01, true, 1);
    assert_true(all.left == 0 && all.launches == 201 && all.within == 0);
    for (int threads = 1; threads <= 3; threads += 2) {
        struct run some = run_on("1", source, 0.01, false, threads);
        assert_true(some.launches == 201);
        assert_int_equal(some.left, 2 * (100 - 19 - 16 - 5));
        check_relative(some.requests, all.requests, 1e-12);
        check_relative(some.reads, all.reads, 1e-12);
        check_relative(some.lines, all.lines, 1e-12);
        assert_true(some.within < 0.005);
    }
}

/* Steps that touch what none has, too few steps, and grids that change by more from step to step:
 * all are gone through. */
TEST(test_no_trend)
{
    static const char *const kernels[] = {
        "  - repeat: step in 0..n\n    kernels:\n"
        "      - " KERNEL("more", "16*(step + 1)", "64*bx + tx"),
        "  - repeat: step in 0..16\n    kernels:\n"
        "      - " KERNEL("few", "16*(n - step)", "64*bx + tx"),
        "  - repeat: step in 0..n\n    kernels:\n"
        "      - " KERNEL("squares", "(n - step)^2", "64*(bx%1024) + tx"),
    };
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        OWNED(source) *source = nest(kernels[i]);
        assert_int_equal(run_of(source, 0.01).left, 0);
    }
}

/* A factorisation: grids that are squares, and lines that warps share with others or not from step
 * to step. What is stated holds; where less is granted than steps differ by, all are gone
 * through. */
TEST(test_factorisation)
{
    OWNED(source) *source = check_source("lud:n=640,tile=16");
    struct run all = run_on("4", source, 0, true, 1), some = run_of(source, 0.02);
    assert_true(all.launches == 118 && some.launches == 118);
    assert_true(some.left > 30 && some.within > 0 && some.within < 0.02);
    double off = some.within;
    assert_true(fabs(some.requests / all.requests - 1) <= off);
    assert_true(fabs(some.r_local / some.requests - all.r_local / all.requests) <= off);
    assert_true(fabs(some.hits / some.reads - all.hits / all.reads) <= off);
    for (int side = 0; side < 2; side++)
        assert_true(fabs(some.llc[side] / some.requests - all.llc[side] / all.requests) <= off);
    assert_int_equal(run_of(source, PROFILE_ERROR_LEAST).left, 0);
}

/* Views of one pass are what each is by itself. */
TEST(test_together)
{
    OWNED(source) *source = check_source("lud:n=640,tile=16");
    OWNED(machine) *small = check_machine(machine_text), *large = check_machine(machine_text);
    struct profile_options options = {.effort = {.error = 0.02}, .parts = PART_WAITS, .threads = 1};
    check_set(large, "page.size", "64 KiB");
    check_settled_together(source, small, large, &options);
}
