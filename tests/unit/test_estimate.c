/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a sweep will take: measured on the space itself, in the right order of magnitude. */
#include "check.h"

#include <math.h>

#include "core/progress.h"
#include "explore/sweep/sweep.h"

SET_UP
{
    check_own_cache();
}

static struct sweep *prepare(const char *model, int links, int memories, const char *more,
                             struct space **space)
{
    struct text text = {0};
    struct sweep *sweep;
    text_printf(&text,
                "space: s\nmachine: sac\nworkloads: [\"gemm:ni=64,nj=64,nk=32\"]\nmodels: [%s]\n"
                "axes:\n%s"
                "  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, points: %d}\n"
                "  memory.bandwidth: {from: 100 GB/s, to: 900 GB/s, points: %d}\n"
                "objectives: [{maximise: effective_bandwidth}]\n",
                model, more, links, memories);
    check_ok(space_load(check_file("space.yaml", text.data), space, &failure));
    check_ok(sweep_open(*space, 1, &sweep, &failure));
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_columns(sweep, &failure));
    text_free(&text);
    return sweep;
}

static double estimate(const char *model, int links, int memories, const char *more)
{
    struct space *space;
    struct sweep *sweep = prepare(model, links, memories, more, &space);
    double seconds = -1;
    check_ok(sweep_estimate(sweep, &seconds, &failure));
    assert_int_equal(sweep->ranking.count, 0);
    assert_int_equal(sweep->kept, 0);
    sweep_destroy(sweep);
    space_destroy(space);
    assert_true(isfinite(seconds) && seconds >= 0);
    return seconds;
}

/* Each reading of the clock is so much later than the one before. A block that takes long: its time
 * is continued from some of its points. One that is over before it can be measured: many are looked
 * at. */
static const double long_s = 2e-3, short_s = 20e-6;

/* Within a tenth of a ratio: what is common to all blocks does not grow with them. */
static void check_ratio(const char *what, double longer, double shorter, double expected)
{
    double ratio = longer / shorter;
    if (!(ratio > 0.9 * expected && ratio < 1.1 * expected))
        fail_msg("%s: %g s and %g s, %g times as long where %g is expected", what, shorter, longer,
                 ratio, expected);
}

/* Where every block takes as long as another, so many times as many take so many times as long. */
static void check_growth(const char *model, double step_s)
{
    clock_work_pretend(step_s);
    check_ratio(model, estimate(model, 1000000, 2000, ""), estimate(model, 2000, 2000, ""), 500);
    clock_work_pretend(0);
}

TEST(the_time_grows_with_the_space)
{
    check_growth("eab", long_s);
    check_growth("eab", short_s);
    check_growth("network", long_s);
}

/* Eight structures of as many points each. */
TEST(the_time_grows_with_the_structures)
{
    clock_work_pretend(short_s);
    check_ratio("structures",
                estimate("eab", 2000, 2000, "  llc.slices: [1, 2, 4, 8, 16, 32, 64, 128]\n"),
                estimate("eab", 2000, 2000, ""), 8);
    clock_work_pretend(0);
}

/* The real clock: a time comes out, and nothing is kept of what was looked at. How near it is to
 * what the sweep takes is for the bench to say. */
TEST(the_clock_is_read)
{
    assert_true(estimate("network", 1000, 1000, "") > 0);
    assert_true(estimate("eab", 1000, 1000, "") > 0);
}
