/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed-ups of sweeps against organisations and machines, their means, and the plots that
 * compare the values of one axis. */
#include "check.h"

#include <unistd.h>

#include "core/file.h"
#include "explore/sweep/sweep.h"
#include "report/sweep_report.h"

/* Three workloads; r_local 1, 0.5, 0.1. */
static const char point_text[] = "profile: %s\n"
                                 "point:\n"
                                 "  r_local: %g\n%s"
                                 "  llc_hit: {memory-side: 0.8, sm-side: 0.5}\n"
                                 "  lsu: {memory-side: 0.9, sm-side: 1.0}\n";

SET_UP
{
    static const double r_local[] = {1, 0.5, 0.1};
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"near", "middle", "far"};
        char text[400], file[40];
        snprintf(text, sizeof text, point_text, names[i], r_local[i], "  bytes: 3000000\n");
        snprintf(file, sizeof file, "%s.yaml", names[i]);
        check_file(file, text);
    }
    char text[400];
    snprintf(text, sizeof text, point_text, "bytes-unknown", 0.5, "");
    check_file("unknown.yaml", text);
    check_file("base.yaml", "machine: base\nbase: sac\ninter: {link_bandwidth: 10 GB/s}\n");
}

/* "@/" in a body stands for the folder of the profiles. */
static int try_space(const char *body, struct space **out, struct error *error)
{
    struct text text = {0}, whole = {0};
    text_printf(
        &text, "space: t\n%s%s", strstr(body, "machine:") ? "" : "machine: sac\n",
        strstr(body, "workloads:") ? "" : "workloads: [@/near.yaml, @/middle.yaml, @/far.yaml]\n");
    text_append(&text, body);
    for (const char *c = text.data; *c; c++)
        if (c[0] == '@' && c[1] == '/')
            text_append(&whole, check_folder());
        else
            text_append_bytes(&whole, c, 1);
    int status = space_load(check_file("space.yaml", whole.data), out, error);
    text_free(&text);
    text_free(&whole);
    return status;
}

static struct sweep *run(const char *body, int threads, struct space **space)
{
    struct sweep *sweep;
    check_ok(try_space(body, space, &failure));
    check_ok(sweep_open(*space, threads, &sweep, &failure));
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    return sweep;
}

static double cell(const struct sweep *sweep, const struct sweep_row *row, const char *name)
{
    size_t column;
    check_ok(sweep_column_find(sweep, name, &column, &failure));
    return row->values[column];
}

static struct sweep_row *all_rows(const struct sweep *sweep, struct arena *arena)
{
    struct sweep_row *rows;
    uint64_t *ids = arena_alloc(arena, sweep->points * sizeof *ids);
    for (uint64_t i = 0; i < sweep->points; i++)
        ids[i] = i;
    check_ok(sweep_rows(sweep, ids, sweep->points, arena, &rows, &failure));
    return rows;
}

static const char *const workloads[] = {"near", "middle", "far"};

TEST(against_an_organisation)
{
    static const char body[] = "models: [eab, bottleneck]\n"
                               "speedup_vs: sm-side\n"
                               "axes:\n"
                               "  inter.link_bandwidth: [48 GB/s, 96 GB/s, 768 GB/s]\n"
                               "  llc.organisation: [sm-side, memory-side, sac]\n"
                               "let: {geometric: \"speedup@geometric-mean\", "
                               "arithmetic: \"eab.speedup@arithmetic-mean\"}\n"
                               "objectives: [{maximise: speedup}]\n"
                               "rank: {by: bottleneck.speedup@far}\n";
    for (int threads = 1; threads <= 2; threads++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = run(body, threads, &space);
        struct arena *arena = arena_create();
        struct sweep_row *rows = all_rows(sweep, arena);
        assert_int_equal(sweep->kept, 9);
        for (int l = 0; l < 3; l++)
            for (int o = 0; o < 3; o++) {
                const struct sweep_row *row = &rows[3 * l + o], *base = &rows[3 * l];
                double speedups[3], ranking[3];
                for (int w = 0; w < 3; w++) {
                    char time[64], speedup[64];
                    snprintf(time, sizeof time, "bottleneck.kernel_time@%s", workloads[w]);
                    snprintf(speedup, sizeof speedup, "bottleneck.speedup@%s", workloads[w]);
                    check_relative(cell(sweep, row, speedup),
                                   cell(sweep, base, time) / cell(sweep, row, time), 1e-14);
                    snprintf(time, sizeof time, "eab.kernel_time@%s", workloads[w]);
                    snprintf(speedup, sizeof speedup, "eab.speedup@%s", workloads[w]);
                    speedups[w] = cell(sweep, row, speedup);
                    check_relative(speedups[w], cell(sweep, base, time) / cell(sweep, row, time),
                                   1e-14);
                    snprintf(speedup, sizeof speedup, "bottleneck.speedup@%s", workloads[w]);
                    ranking[w] = cell(sweep, row, speedup);
                }
                struct baseline_means means = baseline_means(speedups, 3);
                check_relative(cell(sweep, row, "eab.speedup"), means.harmonic, 1e-14);
                check_relative(cell(sweep, row, "geometric"), baseline_means(ranking, 3).geometric,
                               1e-14);
                check_relative(cell(sweep, row, "arithmetic"), means.arithmetic, 1e-14);
                if (o == 0)
                    check_relative(means.geometric, 1, 1e-14);
            }
        for (size_t i = 1; i < sweep->ranking.count; i++)
            assert_true(cell(sweep, &rows[sweep->ranking.items[i - 1]], "bottleneck.speedup@far") >=
                        cell(sweep, &rows[sweep->ranking.items[i]], "bottleneck.speedup@far"));
        arena_destroy(arena);
    }
}

/* The machine stands as it is: what the space varies does not change it. */
TEST(against_a_machine)
{
    static const char body[] = "speedup_vs: ./base.yaml\n"
                               "axes: {inter.link_bandwidth: [10 GB/s, 96 GB/s]}\n"
                               "rank: {by: speedup}\n";
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run(body, 1, &space);
    struct arena *arena = arena_create();
    struct sweep_row *rows = all_rows(sweep, arena);
    for (int w = 0; w < 3; w++) {
        char time[64], speedup[64];
        snprintf(time, sizeof time, "kernel_time@%s", workloads[w]);
        snprintf(speedup, sizeof speedup, "speedup@%s", workloads[w]);
        check_relative(cell(sweep, &rows[0], speedup), 1, 1e-14);
        check_relative(cell(sweep, &rows[1], speedup),
                       cell(sweep, &rows[0], time) / cell(sweep, &rows[1], time), 1e-14);
    }
    arena_destroy(arena);
}

/* Without bytes there is no time: of one machine the bandwidths tell, of two nothing does. */
TEST(without_bytes)
{
    static const char body[] = "workloads: [@/unknown.yaml]\n"
                               "speedup_vs: memory-side\n"
                               "axes: {llc.organisation: [memory-side, sm-side]}\n"
                               "rank: {by: speedup}\n";
    static const char machine[] = "workloads: [@/unknown.yaml]\n"
                                  "speedup_vs: sac-2chip\n"
                                  "axes: {inter.link_bandwidth: [10 GB/s, 96 GB/s]}\n";
    struct space *space;
    struct sweep *sweep = run(body, 1, &space);
    struct arena *arena = arena_create();
    struct sweep_row *rows = all_rows(sweep, arena);
    check_relative(cell(sweep, &rows[1], "speedup"),
                   cell(sweep, &rows[1], "effective_bandwidth") /
                       cell(sweep, &rows[0], "effective_bandwidth"),
                   1e-14);
    arena_destroy(arena);
    sweep_destroy(sweep);
    space_destroy(space);
    check_ok(try_space(machine, &space, &failure));
    check_ok(sweep_open(space, 1, &sweep, &failure));
    check_error(sweep_prepare(sweep, NULL, NULL, &failure), STATUS_UNKNOWN_FIELD, "bytes");
    sweep_destroy(sweep);
    space_destroy(space);
}

TEST(bad_baselines_and_plots)
{
    static const struct {
        const char *body, *words;
    } unread[] = {
        {"axes: {chips: [4]}\nspeedup_vs: [memory-side]\n", "speedup_vs"},
        {"axes: {chips: [4]}\nplots: [{kind: bar, by: chips}]\n", "bars, s-curve"},
        {"axes: {chips: [4]}\nplots: [{kind: bars}]\n", "needs by"},
        {"axes: {chips: [4]}\nplots: [{kind: s-curve, by: chips, x: chips}]\n", "no x"},
        {"axes: {chips: [4]}\nplots: [{kind: s-curve}]\n", "needs by"},
        {"axes: {chips: [4]}\nplots: [{kind: tornado}]\n", "one-at-a-time"},
        {"design: one-at-a-time\naxes: {chips: [4]}\nplots: [{kind: tornado, x: chips}]\n", "no x"},
        {"axes: {chips: [4]}\nplots: [{kind: bars, by: chips, title: [x]}]\n", "title"},
    };
    struct space *space;
    struct sweep *sweep;
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
        check_error(try_space(unread[i].body, &space, &failure), STATUS_INPUT, unread[i].words);
    check_ok(try_space("speedup_vs: memory-sied\naxes: {chips: [4]}\n", &space, &failure));
    check_error(sweep_open(space, 1, &sweep, &failure), STATUS_INPUT, "memory-sied");
    assert_true(failure.line > 0 && strstr(failure.file, "space.yaml"));
    space_destroy(space);
    static const char *const plots[] = {"{kind: bars, by: chip}", "{kind: bars, by: chips, x: cps}",
                                        "{kind: bars, by: chips, x: chips}",
                                        "{kind: bars, x: chip}",
                                        "{kind: s-curve, by: chips, y: speedup}"};
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) {
        char body[200];
        snprintf(body, sizeof body, "axes: {chips: [2, 4]}\nplots: [%s]\n", plots[i]);
        sweep = run(body, 1, &space);
        assert_int_equal(sweep_report_check_plots(sweep, &failure), STATUS_INPUT);
        sweep_destroy(sweep);
        space_destroy(space);
    }
}

static char *read_text(const char *name)
{
    char path[512], *data;
    size_t size;
    snprintf(path, sizeof path, "%s/out/%s", check_folder(), name);
    check_ok(file_read(path, 1 << 20, &data, &size, &failure));
    return data;
}

/* The result, in a folder that may hold an earlier one. */
static void publish(const struct sweep *sweep, bool files, bool pictures)
{
    struct sweep_run_facts facts = {.command = "test"};
    char path[512];
    snprintf(path, sizeof path, "%s/out", check_folder());
    struct sweep_folder *folder = sweep_folder_create(path);
    check_ok(file_make_directory(path, &failure));
    if (files)
        check_ok(sweep_report_files(sweep, folder, false, &failure));
    if (pictures)
        check_ok(sweep_report_plots(sweep, folder, &(struct plot_output){.terminal = PLOT_SVG},
                                    &failure));
    check_ok(sweep_report_publish(sweep, folder, &facts, &failure));
    sweep_folder_destroy(folder);
}

/* Each series ascends, and a run without an s-curve takes an old one away. */
TEST(s_curve_is_sorted)
{
    static const char body[] = "speedup_vs: memory-side\n"
                               "axes: {llc.organisation: [sm-side, sac]}\n"
                               "plots: [{kind: s-curve, by: llc.organisation}]\n";
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run(body, 1, &space);
    char folder[512];
    check_ok(sweep_report_check_plots(sweep, &failure));
    publish(sweep, true, false);
    char *csv = read_text("s-curve.csv"), *line = csv, *end;
    assert_true(strncmp(line, "llc.organisation,place,workload,speedup\n", 40) == 0);
    double last = 0;
    int lines = 0;
    while ((end = strchr(line, '\n'))) {
        char organisation[40], workload[40];
        double value;
        int place;
        if (lines > 0) {
            assert_int_equal(
                sscanf(line, "%39[^,],%d,%39[^,],%lf", organisation, &place, workload, &value), 4);
            assert_int_equal(place, (lines - 1) % 3 + 1);
            assert_string_equal(organisation, lines <= 3 ? "sm-side" : "sac");
            assert_true(place == 1 || value >= last);
            last = value;
        }
        lines++;
        line = end + 1;
    }
    assert_int_equal(lines, 7);
    free(csv);
    char *manifest = read_text("manifest.yaml");
    assert_non_null(strstr(manifest, "\nspeedup_vs: memory-side\n"));
    free(manifest);
    space->n_plots = 0;
    publish(sweep, true, false);
    snprintf(folder, sizeof folder, "%s/out/s-curve.csv", check_folder());
    assert_false(file_exists(folder));
}

/* Pictures say in words what they show: the title, what stands still, what an axis is, what is
 * made of the workloads. */
TEST(pictures_speak)
{
    static const struct {
        const char *body, *picture, *words[8];
    } cases[] = {
        {"summary: Which side\nspeedup_vs: memory-side\n"
         "axes: {llc.organisation: [sm-side, sac], inter.link_bandwidth: {values: [48, 96, 192], "
         "unit: GB/s}}\n"
         "plots: [{kind: bars, x: inter.link_bandwidth, by: llc.organisation}]\n"
         "rank: {aggregate: geometric-mean}\n",
         "bars-inter.link_bandwidth",
         {">Which side<", ">t; machine sac; near, middle, far<", ">LLC organisation<",
          ">bandwidth of one edge of the graph, per link and direction<",
          ">speed-up against memory-side<", ">model eab, geometric mean of 3 workloads<",
          ">192 GB/s<"}},
        {"axes: {llc.organisation: [sm-side, sac], chips: [2, 4]}\n"
         "plots: [{kind: bars, x: llc.organisation, y: kernel_time, title: Time}]\n",
         "bars-llc.organisation",
         {">Time<", ">t; machine sac; near, middle, far; chips 4<", ">workload<", ">far<", ">sum<",
          ">kernel time ("}},
        {"design: one-at-a-time\naxes: {inter.link_bandwidth: {values: [48, 96], unit: GB/s}, "
         "memory.bandwidth: {values: [200, 800], unit: GB/s}}\n"
         "models: [eab]\nplots: [{kind: tornado}]\n",
         "tornado",
         {">inter-chip link bandwidth 48 GB/s<", "dashed: sac as it is<",
          ">harmonic mean of 3 workloads<"}},
    };
    if (system("gnuplot --version >/dev/null 2>&1") != 0)
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(space) *space = NULL;
        OWNED(sweep) *sweep = run(cases[i].body, 1, &space);
        char name[80];
        check_ok(sweep_report_check_plots(sweep, &failure));
        publish(sweep, false, true);
        snprintf(name, sizeof name, "%s.svg", cases[i].picture);
        char *picture = read_text(name);
        for (const char *const *word = cases[i].words; *word; word++)
            if (!strstr(picture, *word))
                fail_msg("%s does not say %s", name, *word);
        /* An axis' value at which the base stands is no change. */
        assert_null(strstr(picture, ">inter-chip link bandwidth 96 GB/s<"));
        free(picture);
    }
}

/* What models say about points stands in the manifest; with several models the columns of
 * workloads are those of the model that ranks. */
TEST(manifest_and_table)
{
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = run("models: [eab, bottleneck]\nspeedup_vs: memory-side\n"
                              "axes: {llc.organisation: [sm-side, memory-side]}\n"
                              "objectives: [{maximise: speedup}]\n",
                              1, &space);
    struct table_style style = {0};
    struct text table = {0};
    publish(sweep, true, false);
    char *manifest = read_text("manifest.yaml");
    assert_non_null(strstr(manifest, "\nwarnings:\n  - {warning: \"")); /* of the inputs alone */
    assert_null(strstr(manifest, "warning: \"eab: "));
    free(manifest);
    VECTOR_PUSH(&sweep->warnings, (struct sweep_reason){memory_strdup("eab: \"so\""), 2});
    publish(sweep, true, false);
    manifest = read_text("manifest.yaml");
    assert_non_null(strstr(manifest, "\n  - {warning: \"eab: \\\"so\\\"\", points: 2}\n"));
    free(manifest);
    check_ok(sweep_report_table(sweep, 2, &style, &table, &failure));
    assert_non_null(strstr(table.data, "bottleneck.speedup"));
    assert_non_null(strstr(table.data, "@middle"));
    assert_null(strstr(table.data, "eab"));
    text_free(&table);
}
