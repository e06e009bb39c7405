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
#include "report/gnuplot_run.h"
#include "report/picture.h"
#include "validate/checkpoint.h"

/* --- axes */

static struct axis layout(const char *unit, enum plot_scale scale, size_t count,
                          const double *values)
{
    static struct plot_axis plan;
    struct axis axis;
    plan = (struct plot_axis){.title = "axis", .unit = unit, .scale = scale};
    axis_begin(&axis, &plan);
    for (size_t i = 0; i < count; i++)
        check_ok(axis_see(&axis, values[i], i, &failure));
    axis_layout(&axis);
    for (size_t i = 0; i < count; i++) { /* everything is inside */
        double at = axis_position(&axis, values[i]);
        assert_true(at >= 0.0 && at <= 1.0);
    }
    for (size_t i = 1; i < axis.tic_count; i++)
        assert_true(axis.tics[i].at > axis.tics[i - 1].at);
    return axis;
}

/* On a linear axis, what gnuplot numbers: "from|to" in that unit; else the labels "0|1|2". */
static void check_axis(const struct axis *axis, const char *unit, const char *labels)
{
    struct text text = {0};
    size_t shown = 0;
    if (axis->plan->scale == PLOT_LINEAR)
        text_printf(&text, "%.4g|%.4g", axis->from / axis->factor, axis->to / axis->factor);
    for (size_t i = 0; i < axis->tic_count; i++)
        if (axis->tics[i].label[0])
            text_printf(&text, "%s%s", shown++ ? "|" : "", axis->tics[i].label);
    assert_string_equal(axis->unit, unit);
    assert_string_equal(text.data, labels);
    text_free(&text);
}

static void check_linear(const char *unit, double least, double most, const char *shown_unit,
                         const char *range)
{
    struct axis axis = layout(unit, PLOT_LINEAR, 2, (double[]){least, most});
    check_axis(&axis, shown_unit, range);
}

static void test_linear_axes(void **state)
{
    (void)state;
    check_linear("B/s", 0.2e12, 3.1e12, "TB/s", "0|3.245");
    check_linear("B", 4194304, 33554432, "MiB", "0|33.4");
    check_linear("B", 4e6, 33e6, "MB", "0|34.45"); /* not in whole KiB */
    check_linear("s", 2.1e-6, 2.5e-6, "\xc2\xb5s", "2.08|2.52");
    check_linear("J/B", 1e-12, 9e-12, "pJ/B", "0|9.4");
    check_linear("GB/s", 1000, 2000, "TB/s", "0.95|2.05"); /* not SI: taken as it says */
    check_linear("1", 0.61, 0.78, "", "0.6015|0.7885");
    check_linear(NULL, 0, 4e9, "10\xe2\x81\xb9", "0|4.2");
    check_linear("mm2", -30, 20, "mm2", "-32.5|22.5");
    check_linear("cycles", 0, 7e6, "10\xe2\x81\xb6 cycles", "0|7.35");
}

/* One value, equal values, zeros, and values that differ in the last digits. */
static void test_degenerate_axes(void **state)
{
    (void)state;
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
    axis = layout(NULL, PLOT_LINEAR, 2, (double[]){-1e299, 1e299});
    assert_true(isfinite(axis.from) && isfinite(axis.to));
}

static void test_log_axes(void **state)
{
    (void)state;
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

/* Shares of a whole stay beside the whole; what was chosen by doubling is as it was chosen. */
static void test_axis_scales(void **state)
{
    static const struct {
        const char *unit;
        double values[4];
        enum plot_scale want;
    } cases[] = {
        {NULL, {0.02, 0.3, 0.5, 0.9}, PLOT_LINEAR},  {"1", {0.001, 0.4, 0.7, 1}, PLOT_LINEAR},
        {NULL, {0.02, 0.3, 0.5, 1.1}, PLOT_LOG10},   {"s", {0.02, 0.3, 0.5, 0.9}, PLOT_LOG10},
        {NULL, {0.0625, 0.125, 0.25, 1}, PLOT_LOG2}, {"B/s", {1, 2, 3, 4}, PLOT_LINEAR},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plot_axis axis = {.unit = cases[i].unit};
        plot_axis_fit(&axis, cases[i].values, 4);
        assert_int_equal(axis.scale, cases[i].want);
    }
}

static void test_axis_errors(void **state)
{
    (void)state;
    struct plot_axis plan = {.title = "kernel_time", .unit = "s", .scale = PLOT_LOG10};
    struct axis axis;
    axis_begin(&axis, &plan);
    check_error(axis_see(&axis, (double)NAN, 1, &failure), STATUS_INPUT,
                "kernel_time: value 1 is NaN");
    check_error(axis_see(&axis, HUGE_VAL, 0, &failure), STATUS_INPUT, "infinite");
    check_error(axis_see(&axis, 0, 0, &failure), STATUS_INPUT,
                "kernel_time: 0 cannot be shown on a log axis");
    check_error(axis_see(&axis, -1e301, 0, &failure), STATUS_INPUT,
                "kernel_time: -1e+301 is too large to be shown");
    check_error(axis_see(&axis, 1e-301, 0, &failure), STATUS_INPUT,
                "cannot be shown on a log axis");
}

static void check_quote(const char *text, size_t most, const char *expected)
{
    struct text script = {0};
    gnuplot_quote(&script, text, most);
    assert_string_equal(script.data, expected);
    text_free(&script);
}

static void test_quote(void **state)
{
    (void)state;
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

static char folder[] = "/tmp/bandscape-test-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char **names, path[400];
    size_t count = file_list(folder, &names);
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
        free(names[i]);
    }
    free(names);
    return rmdir(folder);
}

static size_t folder_files(void)
{
    char **names;
    size_t count = file_list(folder, &names);
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
static const size_t front[] = {2, 0, 1}; /* in any order */

static struct plot_front example(void)
{
    return (struct plot_front){
        .y_maximise = true,
        .count = 6,
        .xs = link_bandwidth,
        .ys = bandwidth,
        .category = category,
        .categories = names,
        .category_count = 2,
        .front = front,
        .front_count = 3,
    };
}

static int draw(const struct plot_output *output, const struct plot_front *plot,
                struct error *error)
{
    struct picture picture;
    picture_begin(&picture);
    picture.title = "A_title with `ticks' & <tags> {x}^2";
    picture.x = (struct plot_axis){.title = "inter.link_bandwidth", .unit = "B/s"};
    picture.y = (struct plot_axis){.title = "effective_bandwidth", .unit = "B/s"};
    picture_add_front(&picture, plot);
    return picture_end(&picture, output, 0, NULL, error);
}

static struct plot_output output_to(const char *name, enum plot_terminal terminal, char path[400])
{
    snprintf(path, 400, "%s/%s", folder, name);
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

static void test_terminals(void **state)
{
    (void)state;
    static const char *const begins[] = {
        "<?xml", "\x89PNG", "%PDF", "%!PS", "\\begin{tikzpicture}", "A_title"};
    struct plot_front plot = example();
    if (!have_gnuplot()) {
        print_message("gnuplot is not installed: pictures are not tested\n");
        skip();
    }
    for (int t = PLOT_SVG; t <= PLOT_DUMB; t++) {
        char first_path[400], second_path[400];
        struct text first = {0}, second = {0};
        struct plot_output output = output_to("first", (enum plot_terminal)t, first_path);
        check_ok(draw(&output, &plot, &failure));
        if (t == PLOT_PDF || t == PLOT_EPS || t == PLOT_TEX)
            sleep(1); /* a date would show */
        output = output_to("it's \"2\"", (enum plot_terminal)t, second_path);
        check_ok(draw(&output, &plot, &failure));
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

static void test_svg_text(void **state)
{
    (void)state;
    struct plot_front plot = example();
    struct text picture = {0};
    if (!have_gnuplot())
        skip();
    check_ok(draw(&(struct plot_output){.terminal = PLOT_SVG, .text = &picture}, &plot, &failure));
    static const char *const wanted[] = {
        "A_title with `ticks' &amp; &lt;tags> {x}^2",
        "inter-chip link bandwidth (GB/s)",
        "effective bandwidth (TB/s)",
        "memory_side",
        "sm-side &amp; &lt;more>",
        "Pareto front",
        "<text>400</text>",
        "2.5</text>",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(picture.data, wanted[i]))
            fail_msg("the picture does not contain \"%s\"", wanted[i]);
    text_free(&picture);
}

static int draw_curves(const struct plot_output *output, struct error *error)
{
    static const double xs[] = {65536, 131072, 262144}, ys[] = {0.9, 0.5, 0.1};
    struct picture picture;
    picture_begin(&picture);
    picture.title = "Miss ratios";
    picture.x = (struct plot_axis){.title = "llc.capacity", .unit = "B", .scale = PLOT_LOG2};
    picture.y = (struct plot_axis){.title = "miss_ratio", .unit = "1"};
    picture_add_curve(&picture, "gemm_1", 3, xs, ys);
    picture_add_curve(&picture, "empty", 0, NULL, NULL);
    picture_add_curve(&picture, "bfs", 1, xs, ys);
    return picture_end(&picture, output, 0, NULL, error);
}

static void test_curves(void **state)
{
    (void)state;
    struct text picture = {0};
    struct plot_output output = {.terminal = PLOT_SVG, .text = &picture};
    if (!have_gnuplot())
        skip();
    check_ok(draw_curves(&output, &failure));
    assert_non_null(strstr(picture.data, "gemm_1"));
    assert_non_null(strstr(picture.data, "Miss ratios"));
    assert_non_null(strstr(picture.data, "LLC capacity (KiB)"));
    assert_null(strstr(picture.data, "empty"));
    picture.length = 0;
    output.terminal = PLOT_DUMB;
    output.columns = 100;
    check_ok(draw_curves(&output, &failure));
    assert_non_null(strstr(picture.data, "Miss ratios"));
    text_free(&picture);
}

/* --- a gnuplot that is ours: what it is told, and how it may go wrong */

static char *old_path;

static void use_gnuplot(const char *script)
{
    char path[400];
    old_path = memory_strdup(getenv("PATH"));
    snprintf(path, sizeof path, "%s/gnuplot", folder);
    if (script) {
        check_ok(file_write(path, script, strlen(script), &failure));
        chmod(path, 0755);
    }
    struct text variable = {0};
    text_printf(&variable, "%s%s%s", script ? folder : "/nonexistent", script ? ":" : "",
                script ? old_path : "");
    setenv("PATH", variable.data, 1);
    text_free(&variable);
}

static void restore_gnuplot(void)
{
    char path[400];
    setenv("PATH", old_path, 1);
    free(old_path);
    snprintf(path, sizeof path, "%s/gnuplot", folder);
    unlink(path);
}

static void check_stairs(bool x_maximise, bool y_maximise, const char *style, const char *expected)
{
    const double xs[] = {1, 2, 3}, up[] = {10, 20, 30}, down[] = {30, 20, 10};
    const size_t all[] = {1, 2, 0};
    struct text script = {0};
    struct plot_front plot = {.x_maximise = x_maximise,
                              .y_maximise = y_maximise,
                              .count = 3,
                              .xs = xs,
                              .ys = x_maximise == y_maximise ? down : up,
                              .front = all,
                              .front_count = 3};
    check_ok(draw(&(struct plot_output){.terminal = PLOT_SVG, .text = &script}, &plot, &failure));
    char *stairs = strstr(script.data, "$s1 << END\n");
    assert_non_null(strstr(script.data, style));
    assert_non_null(stairs);
    stairs = strchr(strchr(stairs, '#'), '\n') + 1; /* after what its columns are */
    *(strstr(stairs, "END")) = '\0';
    assert_string_equal(stairs, expected);
    text_free(&script);
}

static void test_stairs(void **state)
{
    (void)state;
    use_gnuplot("#!/bin/sh\nexec cat\n"); /* its picture is the script */
    /* Ranges: x 0.9 .. 3.1 from data 1 .. 3 (with 5 % on each side); y 9 .. 31. Steps go to the
     * next x first, then to its y; fsteps the other way round. */
    check_stairs(false, true, "$s1 with steps", "1 9\n1 10\n2 20\n3 30\n3.1 30\n");
    check_stairs(true, false, "$s1 with fsteps", "0.9 10\n1 10\n2 20\n3 30\n3 31\n");
    check_stairs(false, false, "$s1 with steps", "1 31\n1 30\n2 20\n3 10\n3.1 10\n");
    check_stairs(true, true, "$s1 with fsteps", "0.9 30\n1 30\n2 20\n3 10\n3 9\n");
    restore_gnuplot();
}

static void test_many_points_are_thinned(void **state)
{
    (void)state;
    enum { MANY = 400000 };
    double *xs = memory_alloc(2 * MANY * sizeof *xs), *ys = xs + MANY;
    uint64_t seed = 1;
    struct text script = {0};
    for (size_t i = 0; i < MANY; i++) {
        xs[i] = check_uniform(&seed);
        ys[i] = check_uniform(&seed);
    }
    struct plot_front plot = {.count = MANY, .xs = xs, .ys = ys};
    use_gnuplot("#!/bin/sh\nexec cat\n");
    check_ok(draw(&(struct plot_output){.terminal = PLOT_SVG, .text = &script}, &plot, &failure));
    restore_gnuplot();
    assert_true(script.length > 10000 && script.length < 2000000);
    text_free(&script);
    free(xs);
}

static void check_failure(const char *gnuplot, int status, const char *words)
{
    char path[400];
    struct plot_front plot = example();
    struct plot_output output = output_to("broken.svg", PLOT_SVG, path);
    size_t before = folder_files();
    use_gnuplot(gnuplot);
    check_error(draw(&output, &plot, &failure), status, words);
    restore_gnuplot();
    if (!gnuplot)
        assert_non_null(strstr(failure.hint, "make deps"));
    if (status == STATUS_NO_PICTURE) { /* what it would have been drawn from */
        output_to("broken.gp", PLOT_SVG, path);
        assert_int_equal(unlink(path), 0);
        output_to("broken.data.csv", PLOT_SVG, path);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(folder_files(), before); /* nothing half made is left */
}

static void test_failures(void **state)
{
    (void)state;
    char path[400];
    struct plot_output output = output_to("broken.svg", PLOT_SVG, path);
    check_failure(NULL, STATUS_NO_PICTURE, "cannot start gnuplot");
    check_failure("#!/bin/sh\necho 'line 3: no such\n thing' >&2\nexit 1\n", STATUS_NO_PICTURE,
                  "gnuplot made no picture: line 3: no such thing");
    check_failure("#!/bin/sh\ncat >/dev/null\n", STATUS_NO_PICTURE, /* ends well, makes nothing */
                  "gnuplot made no picture");
    /* A full disk, which gnuplot does not notice. */
    check_failure("#!/bin/sh\necho '<?xml version=\"1.0\"?>'\necho '<svg><path>'\n", STATUS_IO,
                  "picture is not whole");
    check_failure("#!/bin/sh\nprintf '\\211PNG\\r\\n IEND'\n", STATUS_IO, "picture is not whole");
    check_failure("#!/bin/sh\nkill -9 $$\n", STATUS_NO_PICTURE, "gnuplot made no picture");

    /* A script longer than a pipe holds, to one that does not read: no SIGPIPE. */
    struct text script = {0};
    for (int i = 0; i < 100000; i++)
        text_append(&script, "# not read\n");
    use_gnuplot("#!/bin/sh\nexit 3\n");
    check_error(gnuplot_run(&output, &script, &failure), STATUS_NO_PICTURE,
                "gnuplot made no picture");
    restore_gnuplot();
    text_free(&script);
    assert_false(file_exists(path));
}

static void test_refused(void **state)
{
    (void)state;
    char path[400];
    struct plot_output output = output_to("never.svg", PLOT_SVG, path);
    struct plot_front plot = example();
    struct picture nothing;
    enum plot_terminal terminal;
    plot.count = plot.front_count = 0;
    check_error(draw(&output, &plot, &failure), STATUS_INPUT, "there are no points");
    picture_begin(&nothing);
    check_error(picture_end(&nothing, &output, 0, NULL, &failure), STATUS_INPUT,
                "there are no points");
    const double bad[] = {1, (double)NAN, 1, 1, 1, 1};
    plot = example();
    plot.ys = bad;
    plot.category = NULL;
    check_error(draw(&output, &plot, &failure), STATUS_INPUT, "effective_bandwidth: value 1");
    check_error(plot_terminal_scan("pgn", &terminal, &failure), STATUS_USAGE, "did you mean png");
    check_ok(plot_terminal_scan("dumb", &terminal, &failure));
    assert_int_equal(terminal, PLOT_DUMB);
    assert_false(file_exists(path));
}

/* --- checkpoints */

static void test_checkpoints(void **state)
{
    (void)state;
    static const struct checkpoint exact = {"exact's", NULL, 4, "", 0, CHECKPOINT_FORMULA},
                                   fit = {"fitted, 50 %", NULL, 2, "TB/s", 0.05, CHECKPOINT_FIT},
                                   unknown = {"unknown", NULL, 1, "", 0, CHECKPOINT_FORMULA};
    char path[400];
    struct text text = {0};
    struct plot_output output = output_to("checkpoints.svg", PLOT_SVG, path);
    struct sheet *rows = sheet_create(checkpoint_columns);
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
    sheet_destroy(rows);
    assert_int_equal(checkpoint_how_scan("fitted law"), CHECKPOINT_FIT);
    assert_int_equal(checkpoint_how_scan("worked example"), CHECKPOINT_EXAMPLE);
    assert_int_equal(checkpoint_how_scan(""), CHECKPOINT_PREDICTION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_axes),
        cmocka_unit_test(test_degenerate_axes),
        cmocka_unit_test(test_log_axes),
        cmocka_unit_test(test_axis_scales),
        cmocka_unit_test(test_axis_errors),
        cmocka_unit_test(test_quote),
        cmocka_unit_test(test_terminals),
        cmocka_unit_test(test_svg_text),
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_stairs),
        cmocka_unit_test(test_many_points_are_thinned),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_checkpoints),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
