/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What part of a pass is done: launches that were looked at before, by hand; and the line that says
 * it. */
#include "workload_check.h"

#include "core/file.h"
#include "core/progress.h"
#include "profile/run/outlook.h"
#include "profile/run/profiler.h"

/* Two blocks of two warps, each with ten loads and a store: 4 warps of 11 accesses, a begin and an
 * end. */
enum { LAUNCH = 4 * 13 };
static const char nest[] = "workload: t\n"
                           "parameters: {steps: 5}\n"
                           "arrays: {A: {shape: [2048], type: f32}, B: {shape: [128], type: f32}}\n"
                           "kernels:\n"
                           "  - name: k\n"
                           "    repeat: steps\n"
                           "    grid: [2]\n"
                           "    block: [64]\n"
                           "    body:\n"
                           "      - for: i in 0..10\n"
                           "        body: [{load: \"A[128*i + 64*bx + tx]\"}]\n"
                           "      - {store: \"B[64*bx + tx]\"}\n";

static struct source *open_nest(void)
{
    struct source *source;
    check_ok(workload_open_text(nest, "", &source, &failure));
    return source;
}

static void share_is(const struct outlook *outlook, double done, double whole)
{
    check_relative(outlook_share(outlook), done / whole, 1e-12);
}

TEST(launches_by_hand)
{
    OWNED(source) *source = open_nest();
    FILE *seen = tmpfile();
    struct outlook outlook;
    progress_set_stream(seen);
    outlook_init(&outlook, source, false, 1);
    share_is(&outlook, 0, 1);
    outlook_launch(&outlook, true);
    outlook_done(&outlook, 13);
    share_is(&outlook, 13, 3 * LAUNCH); /* the third time shows that counts have settled */
    outlook_done(&outlook, 1000);       /* more than it was to have */
    share_is(&outlook, LAUNCH, 3 * LAUNCH);
    outlook_launch(&outlook, true);
    share_is(&outlook, LAUNCH, 3 * LAUNCH);
    outlook_launch(&outlook, true); /* less than it was to have */
    share_is(&outlook, 2 * LAUNCH, 3 * LAUNCH);
    outlook_launch(&outlook, true); /* they had not settled */
    share_is(&outlook, 3 * LAUNCH, 4 * LAUNCH);
    outlook_launch(&outlook, false);
    share_is(&outlook, 1, 1);
    outlook_launch(&outlook, true); /* of which nobody knew */
    outlook_done(&outlook, 7);
    share_is(&outlook, 1, 1);
    outlook_fini(&outlook);
    outlook_init(&outlook, source, true, 1);
    outlook_launch(&outlook, true);
    outlook_done(&outlook, 13);
    share_is(&outlook, 13, 5 * LAUNCH);
    outlook_fini(&outlook);
    progress_set_stream(NULL);
    fclose(seen);
}

static void check_unknown(const struct source *source)
{
    struct outlook outlook;
    outlook_init(&outlook, source, false, 1);
    outlook_launch(&outlook, true);
    outlook_done(&outlook, 13);
    share_is(&outlook, 0, 1);
    outlook_fini(&outlook);
}

TEST(nothing_is_looked_at_in_vain)
{
    OWNED(source) *source = open_nest();
    struct source *trace;
    check_ok(source_open_trace(
        check_file("t.btrace",
                   "bandscape-trace 1\nkernel k grid=1 block=32\nwarp 0 0\nr 0x1000 4\n"),
        &trace, &failure));
    check_unknown(source); /* nobody sees a bar */
    FILE *seen = tmpfile();
    progress_set_stream(seen);
    check_unknown(trace); /* it would be read twice */
    clock_work_pretend(1);
    check_unknown(source); /* that took a second */
    clock_work_pretend(0);
    progress_set_stream(NULL);
    fclose(seen);
    source_destroy(trace);
}

/* Lines of a whole pass: what is done grows until little is left. */
TEST(a_pass_says_how_much_is_done)
{
    OWNED(machine) *machine =
        check_machine("machine: m\nchips: 2\nsm: {per_chip: 2}\nl1: {capacity: 4 KiB}\n"
                      "llc: {capacity: 64 KiB, ways: 8, slices: 4}\n");
    OWNED(source) *source = check_source("gemm:ni=256,nj=256,nk=64");
    OWNED(profile) *profile = profile_create();
    FILE *seen = tmpfile();
    char line[300];
    int last = -1, lines = 0;
    progress_set_lines(seen, -1);
    check_ok(profile_make(profile, source, machine, &(struct profile_options){.progress = true},
                          &failure));
    progress_set_stream(NULL);
    rewind(seen);
    while (fgets(line, sizeof line, seen)) {
        const char *percent = strchr(line, '%');
        if (last < 0 && !percent)
            continue;
        assert_non_null(percent);
        assert_int_equal(strncmp(line, "gemm [", 6), 0);
        int share = atoi(percent - 3);
        assert_in_range(share, last < 0 ? 0 : last, 100);
        assert_true(share < 1 || strstr(line, " s left"));
        last = share;
        lines++;
    }
    assert_true(lines > 5 && last > 80);
    fclose(seen);
}
