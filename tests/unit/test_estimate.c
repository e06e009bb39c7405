/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a sweep will take: measured on the space itself, in the right order of magnitude. */
#include "check.h"

#include <math.h>

#include "core/progress.h"
#include "explore/sweep.h"

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

/* A network takes a thousand times as long as a closed form; ten would already show that the
 * model was measured. */
TEST(models_take_the_time_that_they_take)
{
    assert_true(estimate("network", 1000, 1000, "") > 10 * estimate("eab", 1000, 1000, ""));
}

/* Five hundred times as many points, fifty to five thousand times as long; eight structures of as
 * many points each, two to thirty-two times. */
TEST(the_time_grows_with_the_space)
{
    static const char *const models[] = {"eab", "network"};
    for (int m = 0; m < 2; m++) {
        double longer =
            estimate(models[m], 1000000, 2000, "") / estimate(models[m], 2000, 2000, "");
        if (!(longer > 50 && longer < 5000))
            fail_msg("%s: %g times as long", models[m], longer);
    }
    double structures =
        estimate("eab", 2000, 2000, "  llc.slices: [1, 2, 4, 8, 16, 32, 64, 128]\n") /
        estimate("eab", 2000, 2000, "");
    if (!(structures > 2 && structures < 32))
        fail_msg("structures: %g times as long", structures);
}

/* Of a sweep that ends soon, against what the processor worked for it: clocks and caches that
 * others share leave an order of magnitude to ask for. */
TEST(the_time_is_that_of_the_sweep)
{
    bool slow = check_slowness() > 1;
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = prepare("network", slow ? 16 : 40, slow ? 10 : 30, "", &space);
    double seconds, start;
    check_ok(sweep_estimate(sweep, &seconds, &failure));
    start = clock_work_seconds();
    check_ok(sweep_run(sweep, &failure));
    double taken = clock_work_seconds() - start;
    if (!(seconds > taken / 20 && seconds < 10 * taken))
        fail_msg("estimated %g s, took %g s", seconds, taken);
}
