/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures: axes in engineering units, quoting, the staircase, reproducible
 * files, and a gnuplot that is missing, fails or does not read. */
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "report/axis.h"
#include "report/checkpoint_plot.h"
#include "report/gnuplot.h"
#include "report/gnuplot_run.h"
#include "validate/checkpoint.h"

/* --- axes */

static struct axis layout(const char *unit, enum plot_scale scale, size_t count,
                          const double *values)
{
    static struct plot_axis plan;
    struct axis axis;
    plan = (struct plot_axis){"axis", unit, scale, NULL};
    axis_begin(&axis, &plan);
    check_ok(axis_see(&axis, values, count, &failure));
    axis_layout(&axis, 8);
    for (size_t i = 0; i < count; i++) { /* everything is inside */
        double at = axis_position(&axis, values[i]);
        assert_true(at >= 0.0 && at <= 1.0);
    }
    for (size_t i = 1; i < axis.tic_count; i++)
        assert_true(axis.tics[i].at > axis.tics[i - 1].at);
    return axis;
}

/* labels: "0|1|2" of the labelled tics */
static void check_axis(const struct axis *axis, const char *unit, const char *labels)
{
    struct text text = {0};
    size_t shown = 0;
    for (size_t i = 0; i < axis->tic_count; i++)
        if (axis->tics[i].label[0])
            text_printf(&text, "%s%s", shown++ ? "|" : "", axis->tics[i].label);
    assert_string_equal(axis->unit, unit);
    assert_string_equal(text.data, labels);
    text_free(&text);
}

TEST(test_linear_axes)
{
    struct axis axis = layout("B/s", PLOT_LINEAR, 3, (double[]){0.2e12, 1e12, 3.1e12});
    check_axis(&axis, "TB/s", "0.0|0.5|1.0|1.5|2.0|2.5|3.0");
    check_relative(axis.from, 0, 0);
    axis = layout("B", PLOT_LINEAR, 2, (double[]){4194304, 33554432});
    check_axis(&axis, "MiB", "0|5|10|15|20|25|30");
    axis = layout("B", PLOT_LINEAR, 2, (double[]){4e6, 33e6}); /* not in whole KiB */
    check_axis(&axis, "MB", "0|5|10|15|20|25|30");
    axis = layout("s", PLOT_LINEAR, 2, (double[]){2.1e-6, 2.5e-6});
    check_axis(&axis, "\xc2\xb5s", "2.1|2.2|2.3|2.4|2.5");
    axis = layout("J/B", PLOT_LINEAR, 2, (double[]){1e-12, 9e-12});
    check_axis(&axis, "pJ/B", "0|2|4|6|8");
    axis = layout("GB/s", PLOT_LINEAR, 2, (double[]){1000, 2000}); /* not SI: taken as it says */
    check_axis(&axis, "TB/s", "1.0|1.2|1.4|1.6|1.8|2.0");
    axis = layout("1", PLOT_LINEAR, 2, (double[]){0.61, 0.78});
    check_axis(&axis, "", "0.65|0.70|0.75");
    axis = layout(NULL, PLOT_LINEAR, 2, (double[]){0, 4e9});
    check_axis(&axis, "10\xe2\x81\xb9", "0|1|2|3|4");
    axis = layout("mm2", PLOT_LINEAR, 2, (double[]){-30, 20});
    check_axis(&axis, "mm2", "-30|-20|-10|0|10|20");
    axis = layout("cycles", PLOT_LINEAR, 2, (double[]){0, 7e6});
    check_axis(&axis, "10\xe2\x81\xb6 cycles", "0|1|2|3|4|5|6|7");
}

/* One value, equal values, zeros, and values that differ in the last digits. */
TEST(test_degenerate_axes)
{
    static const double alone[] = {5, 0, -3e12, 1e-299, 1e299, -1e299};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        for (int scale = PLOT_LINEAR; scale <= PLOT_LOG10; scale++) {
            if (scale != PLOT_LINEAR && alone[i] <= 0)
                continue;
            double twice[] = {alone[i], alone[i]};
            struct axis axis = layout("B/s", (enum plot_scale)scale, 2, twice);
            assert_true(axis.from < axis.to && isfinite(axis.from) && isfinite(axis.to));
        }
    struct axis axis = layout(NULL, PLOT_LINEAR, 2, (double[]){1.0, 1.0 + 1e-15});
    assert_true(axis.to - axis.from > 0.1);
    assert_true(axis.tic_count >= 2);
    axis = layout(NULL, PLOT_LINEAR, 2, (double[]){-1e299, 1e299});
    assert_true(isfinite(axis.from) && isfinite(axis.to));
}

TEST(test_log_axes)
{
    struct axis axis = layout("B/s", PLOT_LOG2, 5, (double[]){48e9, 96e9, 192e9, 384e9, 768e9});
    check_axis(&axis, "GB/s", "48|96|192|384|768");
    axis = layout("B", PLOT_LOG2, 3, (double[]){65536, 1048576, 16777216});
    check_axis(&axis, "", "64 KiB|256 KiB|1 MiB|4 MiB|16 MiB");
    axis = layout("B", PLOT_LOG2, 2, (double[]){3e6, 20e6}); /* at powers of two */
    check_axis(&axis, "MiB", "4|8|16");
    axis = layout("B/s", PLOT_LOG10, 2, (double[]){80e9, 9e12});
    check_axis(&axis, "", "100 GB/s|200 GB/s|500 GB/s|1 TB/s|2 TB/s|5 TB/s|10 TB/s");
    axis = layout(NULL, PLOT_LOG10, 2, (double[]){1e-9, 1e9});
    check_axis(&axis, "",
               "10\xe2\x81\xbb\xe2\x81\xb9|10\xe2\x81\xbb\xe2\x81\xb6|0.001|1|1000|"
               "10\xe2\x81\xb6|10\xe2\x81\xb9");
    axis = layout("s", PLOT_LOG10, 2, (double[]){2.2e-3, 2.4e-3}); /* no round tic inside */
    check_axis(&axis, "ms", "2.2|2.4");
}

TEST(test_axis_errors)
{
    struct plot_axis plan = {"kernel_time", "s", PLOT_LOG10, NULL};
    struct axis axis;
    axis_begin(&axis, &plan);
    check_error(axis_see(&axis, (double[]){1, (double)NAN}, 2, &failure), STATUS_INPUT,
                "kernel_time: value 1 is NaN");
    check_error(axis_see(&axis, (double[]){HUGE_VAL}, 1, &failure), STATUS_INPUT, "infinite");
    check_error(axis_see(&axis, (double[]){0}, 1, &failure), STATUS_INPUT,
                "kernel_time: 0 cannot be shown on a log axis");
    check_error(axis_see(&axis, (double[]){-1e301}, 1, &failure), STATUS_INPUT,
                "kernel_time: -1e+301 is too large to be shown");
    check_error(axis_see(&axis, (double[]){1e-301}, 1, &failure), STATUS_INPUT,
                "cannot be shown on a log axis");
}

static void check_quote(const char *text, size_t most, const char *expected)
{
    struct text script = {0};
    gnuplot_quote(&script, text, most);
    assert_string_equal(script.data, expected);
    text_free(&script);
}

TEST(test_quote)
{
    check_quote("a_b^{c} `id` \"x\" \\n %d", 0, "'a_b^{c} `id` \"x\" \\n %d'");
    check_quote("it's", 0, "'it''s'");
    check_quote("two\nlines\t\x7f", 0, "'two lines  '");
    check_quote("\xff\xc3\xa9\xe2\x82", 0,
                "'?\xc3\xa9?"
                "?'");
    check_quote("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3, "'\xc3\xa9\xc3\xa9\xe2\x80\xa6'");
    check_quote("", 4, "''");
}

/* --- pictures */

static size_t folder_files(void)
{
    char **names;
    size_t count = file_list(check_folder(), &names);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return count;
}

static bool have_gnuplot(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

static const double link_bandwidth[] = {48e9, 96e9, 192e9, 48e9, 96e9, 384e9};
static const double bandwidth[] = {1e12, 2e12, 2.5e12, 0.5e12, 1.2e12, 2.5e12};
static const int category[] = {0, 1, 1, 0, 1, 0};
static const char *const names[] = {"memory_side", "sm-side & <more>"};
static const char *const labels[] = {"point_c", "a^2", "b"};
static const size_t front[] = {2, 0, 1}; /* in any order */

static struct plot_scatter scatter(void)
{
    return (struct plot_scatter){
        .title = "A_title with `ticks' & <tags> {x}^2",
        .x = {"inter.link_bandwidth", "B/s", PLOT_LINEAR, NULL},
        .y = {"effective_bandwidth", "B/s", PLOT_LINEAR, NULL},
        .y_maximise = true,
        .count = 6,
        .xs = link_bandwidth,
        .ys = bandwidth,
        .category = category,
        .categories = names,
        .category_count = 2,
        .front = front,
        .front_count = 3,
        .labels = labels,
    };
}

static struct plot_output output_to(const char *name, enum plot_terminal terminal, char path[400])
{
    snprintf(path, 400, "%s", check_path(name));
    return (struct plot_output){.terminal = terminal, .path = path};
}

static void read_picture(const char *path, struct text *out)
{
    char *data;
    size_t size;
    check_ok(file_read(path, 1 << 24, &data, &size, &failure));
    out->length = 0;
    text_append_bytes(out, data, size);
    free(data);
}

TEST(test_terminals)
{
    static const char *const begins[] = {"<?xml", "\x89PNG", "%PDF", "A_title"};
    struct plot_scatter plot = scatter();
    if (!have_gnuplot()) {
        print_message("gnuplot is not installed: pictures are not tested\n");
        skip();
    }
    for (int t = PLOT_SVG; t <= PLOT_DUMB; t++) {
        char first_path[400], second_path[400];
        struct text first = {0}, second = {0};
        struct plot_output output = output_to("first", (enum plot_terminal)t, first_path);
        check_ok(plot_scatter(&output, &plot, &failure));
        if (t == PLOT_PDF)
            sleep(1); /* a date would show */
        output = output_to("it's \"2\"", (enum plot_terminal)t, second_path);
        check_ok(plot_scatter(&output, &plot, &failure));
        read_picture(first_path, &first);
        read_picture(second_path, &second);
        assert_true(first.length > 500);
        assert_int_equal(first.length, second.length);
        assert_memory_equal(first.data, second.data, first.length);
        const char *begin = begins[t];
        assert_memory_equal(first.data + (t == PLOT_DUMB ? strspn(first.data, " ") : 0), begin,
                            strlen(begin));
        text_free(&first);
        text_free(&second);
    }
}

TEST(test_svg_text)
{
    struct plot_scatter plot = scatter();
    struct text picture = {0};
    if (!have_gnuplot())
        skip();
    check_ok(plot_scatter(&(struct plot_output){.terminal = PLOT_SVG, .text = &picture}, &plot,
                          &failure));
    static const char *const wanted[] = {
        "A_title with `ticks' &amp; &lt;tags> {x}^2",
        "inter.link_bandwidth (GB/s)",
        "effective_bandwidth (TB/s)",
        "memory_side",
        "sm-side &amp; &lt;more>",
        "Pareto front",
        "point_c",
        "a^2",
        "<text>400</text>",
        "<text>2.5</text>",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(picture.data, wanted[i]))
            fail_msg("the picture does not contain \"%s\"", wanted[i]);
    text_free(&picture);
}

TEST(test_curves)
{
    const double xs[] = {65536, 131072, 262144}, ys[] = {0.9, 0.5, 0.1};
    struct plot_series series[] = {{.name = "gemm_1", .count = 3, .xs = xs, .ys = ys},
                                   {.name = "empty", .count = 0},
                                   {.name = "bfs", .count = 1, .xs = xs, .ys = ys}};
    struct plot_curves plot = {.title = "Miss ratios",
                               .x = {"llc.capacity", "B", PLOT_LOG2, NULL},
                               .y = {"miss_ratio", "1", PLOT_LINEAR, NULL},
                               .count = 3,
                               .series = series};
    struct text picture = {0};
    struct plot_output output = {.terminal = PLOT_SVG, .text = &picture};
    if (!have_gnuplot())
        skip();
    check_ok(plot_curves(&output, &plot, &failure));
    assert_non_null(strstr(picture.data, "gemm_1"));
    assert_non_null(strstr(picture.data, "Miss ratios"));
    assert_non_null(strstr(picture.data, "llc.capacity (KiB)"));
    assert_null(strstr(picture.data, "empty"));
    picture.length = 0;
    output.terminal = PLOT_DUMB;
    output.columns = 100;
    check_ok(plot_curves(&output, &plot, &failure));
    assert_non_null(strstr(picture.data, "Miss ratios"));
    text_free(&picture);
}

/* --- a gnuplot that is ours: what it is told, and how it may go wrong */

static char *old_path;

static void use_gnuplot(const char *script)
{
    old_path = memory_strdup(getenv("PATH"));
    if (script)
        chmod(check_file("gnuplot", script), 0755);
    struct text variable = {0};
    text_printf(&variable, "%s%s%s", script ? check_folder() : "/nonexistent", script ? ":" : "",
                script ? old_path : "");
    setenv("PATH", variable.data, 1);
    text_free(&variable);
}

static void restore_gnuplot(void)
{
    setenv("PATH", old_path, 1);
    free(old_path);
    unlink(check_path("gnuplot"));
}

static void check_stairs(bool x_maximise, bool y_maximise, const char *expected)
{
    const double xs[] = {1, 2, 3}, up[] = {10, 20, 30}, down[] = {30, 20, 10};
    const size_t all[] = {1, 2, 0};
    struct text script = {0};
    struct plot_scatter plot = {.x = {"x", NULL, PLOT_LINEAR, NULL},
                                .y = {"y", NULL, PLOT_LINEAR, NULL},
                                .x_maximise = x_maximise,
                                .y_maximise = y_maximise,
                                .count = 3,
                                .xs = xs,
                                .ys = x_maximise == y_maximise ? down : up,
                                .front = all,
                                .front_count = 3};
    check_ok(plot_scatter(&(struct plot_output){.terminal = PLOT_SVG, .text = &script}, &plot,
                          &failure));
    const char *stairs = strstr(script.data, "$stairs << END\n");
    assert_non_null(stairs);
    stairs += strlen("$stairs << END\n");
    *(strstr(stairs, "END")) = '\0';
    assert_string_equal(stairs, expected);
    text_free(&script);
}

TEST(test_stairs)
{
    use_gnuplot("#!/bin/sh\nexec cat\n"); /* its picture is the script */
    /* Ranges: x 0.9 .. 3.1 from data 1 .. 3 (with 5 % on each side); y 9 .. 31. */
    check_stairs(false, true, "1 9\n1 10\n2 10\n2 20\n3 20\n3 30\n3.1 30\n");
    check_stairs(true, false, "0.9 10\n1 10\n1 20\n2 20\n2 30\n3 30\n3 31\n");
    check_stairs(false, false, "1 31\n1 30\n2 30\n2 20\n3 20\n3 10\n3.1 10\n");
    check_stairs(true, true, "0.9 30\n1 30\n1 20\n2 20\n2 10\n3 10\n3 9\n");
    restore_gnuplot();
}

TEST(test_many_points_are_thinned)
{
    enum { MANY = 400000 };
    double *xs = memory_alloc(2 * MANY * sizeof *xs), *ys = xs + MANY;
    uint64_t seed = 1;
    struct text script = {0};
    for (size_t i = 0; i < MANY; i++) {
        xs[i] = check_uniform(&seed);
        ys[i] = check_uniform(&seed);
    }
    struct plot_scatter plot = {.x = {"x", NULL, PLOT_LINEAR, NULL},
                                .y = {"y", NULL, PLOT_LINEAR, NULL},
                                .count = MANY,
                                .xs = xs,
                                .ys = ys};
    use_gnuplot("#!/bin/sh\nexec cat\n");
    check_ok(plot_scatter(&(struct plot_output){.terminal = PLOT_SVG, .text = &script}, &plot,
                          &failure));
    restore_gnuplot();
    assert_true(script.length > 10000 && script.length < 2000000);
    text_free(&script);
    free(xs);
}

TEST(test_failures)
{
    char path[400];
    struct plot_scatter plot = scatter();
    struct plot_output output = output_to("broken.svg", PLOT_SVG, path);
    size_t before = folder_files();
    use_gnuplot(NULL);
    check_error(plot_scatter(&output, &plot, &failure), STATUS_NO_PICTURE, "cannot start gnuplot");
    assert_non_null(strstr(failure.hint, "make deps"));
    restore_gnuplot();

    use_gnuplot("#!/bin/sh\necho 'line 3: no such\n thing' >&2\nexit 1\n");
    check_error(plot_scatter(&output, &plot, &failure), STATUS_NO_PICTURE,
                "gnuplot made no picture: line 3: no such thing");
    restore_gnuplot();

    use_gnuplot("#!/bin/sh\ncat >/dev/null\n"); /* ends well, and makes nothing */
    check_error(plot_scatter(&output, &plot, &failure), STATUS_NO_PICTURE,
                "gnuplot made no picture");
    restore_gnuplot();

    /* A full disk, which gnuplot does not notice. */
    use_gnuplot("#!/bin/sh\necho '<?xml version=\"1.0\"?>'\necho '<svg><path>'\n");
    check_error(plot_scatter(&output, &plot, &failure), STATUS_IO, "picture is not whole");
    restore_gnuplot();
    use_gnuplot("#!/bin/sh\nprintf '\\211PNG\\r\\n IEND'\n");
    check_error(plot_scatter(&output, &plot, &failure), STATUS_IO, "picture is not whole");
    restore_gnuplot();

    use_gnuplot("#!/bin/sh\nkill -9 $$\n");
    check_error(plot_scatter(&output, &plot, &failure), STATUS_NO_PICTURE,
                "gnuplot made no picture");
    restore_gnuplot();

    /* A script longer than a pipe holds, to one that does not read: no SIGPIPE. */
    struct text script = {0};
    for (int i = 0; i < 100000; i++)
        text_append(&script, "# not read\n");
    use_gnuplot("#!/bin/sh\nexit 3\n");
    check_error(gnuplot_run(&output, &script, &failure), STATUS_NO_PICTURE,
                "gnuplot made no picture");
    restore_gnuplot();
    text_free(&script);
    assert_int_equal(folder_files(), before); /* nothing half made is left */
}

TEST(test_refused)
{
    char path[400];
    struct plot_output output = output_to("never.svg", PLOT_SVG, path);
    struct plot_scatter plot = scatter();
    struct plot_curves curves = {.x = {"x", NULL, PLOT_LINEAR, NULL},
                                 .y = {"y", NULL, PLOT_LINEAR, NULL}};
    enum plot_terminal terminal;
    plot.count = plot.front_count = 0;
    check_error(plot_scatter(&output, &plot, &failure), STATUS_INPUT, "there are no points");
    check_error(plot_curves(&output, &curves, &failure), STATUS_INPUT, "there are no points");
    const double bad[] = {1, (double)NAN, 1, 1, 1, 1};
    plot = scatter();
    plot.ys = bad;
    check_error(plot_scatter(&output, &plot, &failure), STATUS_INPUT,
                "effective_bandwidth: value 1");
    check_error(plot_terminal_scan("pgn", &terminal, &failure), STATUS_USAGE, "did you mean png");
    check_ok(plot_terminal_scan("dumb", &terminal, &failure));
    assert_int_equal(terminal, PLOT_DUMB);
    assert_false(file_exists(path));
}

/* --- checkpoints */

TEST(test_checkpoints)
{
    static const struct checkpoint exact = {"exact's", NULL, 4, "", 0, CHECKPOINT_FORMULA},
                                   fit = {"fitted, 50 %", NULL, 2, "TB/s", 0.05, CHECKPOINT_FIT},
                                   unknown = {"unknown", NULL, 1, "", 0, CHECKPOINT_FORMULA};
    char path[400];
    struct text text = {0};
    struct plot_output output = output_to("checkpoints.svg", PLOT_SVG, path);
    struct validation_rows *rows = validation_rows_create(checkpoint_columns);
    bool drawn = true;
    check_ok(checkpoint_plot(rows, "none", &output, &drawn, &failure));
    assert_false(drawn || file_exists(path));
    checkpoint_add(&exact, 4, rows);
    checkpoint_add(&fit, 2.02, rows);
    checkpoint_add(&unknown, (double)NAN, rows);
    check_ok(checkpoint_plot(rows, "title", &output, &drawn, &failure));
    assert_true(drawn);
    read_picture(path, &text);
    for (const char *const *word =
             (const char *const[]){"exact's", "fitted, 50 %<", "4 \xe2\x86\x92 4<",
                                   "2 \xe2\x86\x92 2.02 TB/s", "tolerance", "exact formula",
                                   "fitted law", NULL};
         *word; word++)
        if (!strstr(text.data, *word))
            fail_msg("the picture does not say %s", *word);
    assert_null(strstr(text.data, "unknown"));
    assert_null(strstr(text.data, "prediction"));
    text.length = 0;
    output = (struct plot_output){.terminal = PLOT_DUMB, .text = &text};
    check_ok(checkpoint_plot(rows, "title", &output, &drawn, &failure));
    assert_non_null(strstr(text.data, "fitted, 50 %"));
    text_free(&text);
    validation_rows_destroy(rows);
    assert_int_equal(checkpoint_how_scan("fitted law"), CHECKPOINT_FIT);
    assert_int_equal(checkpoint_how_scan("worked example"), CHECKPOINT_EXAMPLE);
    assert_int_equal(checkpoint_how_scan(""), CHECKPOINT_PREDICTION);
}
