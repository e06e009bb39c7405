/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a space draws of a paper's figure: means of groups, published values at their bars, ends of
 * trends; each against the rows of the sweep. */
#include "check.h"

#include "report/sweep_internal.h"
#include "report/sweep_report.h"

static const char space_text[] =
    "space: t\n"
    "machine: sac\n"
    "workloads: [%s/near.yaml, %s/middle.yaml, %s/far.yaml]\n"
    "models: [bottleneck]\n"
    "speedup_vs: memory-side\n"
    "figure: {paper: ./paper.yaml, where: [Fig. 1]}\n"
    "groups: {outer: [%s/near.yaml, %s/far.yaml], inner: [%s/middle.yaml]}\n"
    "axes:\n"
    "  inter.link_bandwidth: [48 GB/s, 96 GB/s, 768 GB/s]\n"
    "  llc.organisation: [memory-side, sm-side]\n"
    "objectives: [{maximise: speedup}]\n"
    "rank: {by: speedup, aggregate: %s}\n"
    "plots:\n"
    "  - {kind: bars, by: llc.organisation, published: [{figure: gain, of: outer, at: sm-side}]}\n"
    "  - {kind: bars, x: llc.organisation, of: groups, published: [{figure: gain, of: inner, at: "
    "sm-side}]}\n"
    "  - {kind: bars, x: inter.link_bandwidth, by: llc.organisation, trends: {sm-side: falls}}\n";

SET_UP
{
    static const char *const names[] = {"near", "middle", "far"};
    static const double r_local[] = {1, 0.5, 0.1};
    for (int i = 0; i < 3; i++) {
        char text[400], file[40];
        snprintf(text, sizeof text,
                 "profile: %s\npoint:\n  r_local: %g\n  bytes: 3000000\n"
                 "  llc_hit: {memory-side: 0.8, sm-side: 0.5}\n"
                 "  lsu: {memory-side: 0.9, sm-side: 1.0}\n",
                 names[i], r_local[i]);
        snprintf(file, sizeof file, "%s.yaml", names[i]);
        check_file(file, text);
    }
    check_file(
        "paper.yaml",
        "published: by-hand\nsummary: one figure\nmachine: sac\nfigures:\n"
        "  - {figure: gain, where: Fig. 1, value: 1.25, evidence: exact, ours: total.sms}\n");
}

static struct sweep *run(const char *mean, struct space **space)
{
    struct text text = {0};
    struct sweep *sweep;
    const char *f = check_folder();
    text_printf(&text, space_text, f, f, f, f, f, f, mean);
    check_ok(space_load(check_file("space.yaml", text.data), space, &failure));
    check_ok(sweep_open(*space, 1, &sweep, &failure));
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    check_ok(sweep_report_check_plots(sweep, &failure));
    text_free(&text);
    return sweep;
}

/* The speed-up of a workload under SM-side with the links of a point of that number. */
static double speedup(const struct sweep *sweep, const char *workload, uint64_t link)
{
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    uint64_t id = 2 * link + 1;
    char name[80];
    size_t column;
    snprintf(name, sizeof name, "speedup%s%s", workload[0] ? "@" : "", workload);
    check_ok(sweep_column_find(sweep, name, &column, &failure));
    check_ok(sweep_rows(sweep, &id, 1, arena, &rows, &failure));
    double value = rows[0].values[column];
    arena_destroy(arena);
    return value;
}

static void draw(const struct sweep *sweep, size_t plot, struct picture *picture)
{
    picture_begin(picture);
    check_ok(sweep_plot_bars(sweep, &sweep->space->plots[plot], picture, &failure));
}

static void drop(struct picture *picture)
{
    struct text none = {0};
    struct plot_output output = {.terminal = PLOT_DUMB, .text = &none};
    picture_end(picture, &output, STATUS_FAILED, NULL, &failure);
}

/* The machine's own links stand at 96 GB/s, the second value. */
TEST(means_of_groups)
{
    static const struct {
        const char *mean;
        double power; /* of the mean; 0: geometric */
    } cases[] = {{"harmonic-mean", -1}, {"geometric-mean", 0}, {"arithmetic-mean", 1}};
    for (size_t i = 0; i < 3; i++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = run(cases[i].mean, &space);
        struct picture picture;
        draw(sweep, 0, &picture);
        double a = speedup(sweep, "near", 1), b = speedup(sweep, "far", 1), p = cases[i].power;
        double mean = p == 0 ? sqrt(a * b) : pow((pow(a, p) + pow(b, p)) / 2, 1 / p);
        assert_true(fabs(a - b) > 0.01);
        /* near, middle, far, outer, inner, all of them: the upper corner of each box. */
        const double *ys = picture.series.items[1].ys;
        assert_int_equal(picture.x.n_names, 6);
        assert_string_equal(picture.x.names[3], "outer");
        check_relative(ys[2 * 3 + 1], mean, 1e-12);
        check_relative(ys[2 * 4 + 1], speedup(sweep, "middle", 1), 1e-12);
        check_relative(ys[2 * 5 + 1], speedup(sweep, "", 1), 1e-12);
        drop(&picture);
    }
}

TEST(published_values_stand_at_their_bars)
{
    static const size_t series[] = {1, 1}, clusters[] = {3, 1}; /* outer, SM-side; inner, SM-side */
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("harmonic-mean", &space);
    for (size_t plot = 0; plot < 2; plot++) {
        struct picture picture;
        draw(sweep, plot, &picture);
        const struct picture_series *bars = &picture.series.items[series[plot]],
                                    *marks = &picture.series.items[picture.series.count - 1];
        size_t box = 2 * clusters[plot];
        assert_int_equal(marks->count, 1);
        check_relative(marks->xs[0], (bars->xs[box] + bars->xs[box + 1]) / 2, 1e-12);
        check_relative(marks->ys[0], 1.25, 1e-12);
        drop(&picture);
    }
}

/* The groups' names are the series, no workload is. */
TEST(groups_alone)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("harmonic-mean", &space);
    struct picture picture;
    draw(sweep, 1, &picture);
    assert_string_equal(picture.series.items[0].title, "outer");
    assert_string_equal(picture.series.items[1].title, "inner");
    assert_string_equal(picture.series.items[2].title, "harmonic mean");
    assert_int_equal(picture.series.count, 5); /* and the published value, twice */
    drop(&picture);
}

TEST(ends_of_a_trend)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("harmonic-mean", &space);
    const struct space_plot *plot = &space->plots[2];
    double ends[2];
    check_ok(sweep_trend(sweep, plot, &plot->trends[0], ends, &failure));
    check_relative(ends[0], speedup(sweep, "", 0), 1e-12);
    check_relative(ends[1], speedup(sweep, "", 2), 1e-12);
}
