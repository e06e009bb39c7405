/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape plot: pictures of a sweep's result or of any CSV file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot_data.h"
#include "cli/terminal.h"
#include "core/file.h"
#include "yaml/yaml.h"

struct plot_request {
    const struct invocation *invocation;
    struct plot_data data;
    bool curve;
    bool log_x, log_y, log_given;
    struct plot_output output;
    struct text path, picture, title, remark;
};

static const char *const endings[] = {"svg", "png", "pdf", "txt"};

/* --- what is asked for */

static int choose_kind(struct plot_request *request, struct error *error)
{
    const char *kind = option_value(request->invocation, "kind", 0);
    request->curve = kind ? strcmp(kind, "curve") == 0 : request->data.objectives.count < 2;
    if (!kind || request->curve || strcmp(kind, "pareto") == 0)
        return 0;
    error_set(error, STATUS_USAGE, "--kind: there is no kind \"%.40s\"", kind);
    return error_hint(error, "kinds: pareto, curve");
}

static int choose_log(struct plot_request *request, struct error *error)
{
    const char *log = option_value(request->invocation, "log", 0);
    if (!log)
        return 0;
    request->log_given = true;
    request->log_x = strchr(log, 'x') != NULL;
    request->log_y = strchr(log, 'y') != NULL;
    if (strcmp(log, "x") == 0 || strcmp(log, "y") == 0 || strcmp(log, "xy") == 0 ||
        strcmp(log, "none") == 0)
        return 0;
    return error_set(error, STATUS_USAGE, "--log: expected x, y, xy or none, got \"%.40s\"", log);
}

/* --term, else the ending of -o, else svg. */
static int choose_terminal(struct plot_request *request, struct error *error)
{
    const char *term = option_value(request->invocation, "term", 0);
    const char *output = option_value(request->invocation, "output", 0);
    const char *dot = output ? strrchr(output, '.') : NULL;
    request->output.terminal = PLOT_SVG;
    if (term)
        return plot_terminal_scan(term, &request->output.terminal, error);
    for (int t = 0; dot && t < 4; t++)
        if (strcmp(dot + 1, endings[t]) == 0)
            request->output.terminal = (enum plot_terminal)t;
    return 0;
}

/* -o, else plots/<base>-<kind>.<ending>; characters go to the terminal. */
static int choose_output(struct plot_request *request, struct error *error)
{
    const char *given = option_value(request->invocation, "output", 0);
    struct plot_output *output = &request->output;
    output->text = &request->picture;
    if (output->terminal == PLOT_DUMB) {
        struct table_style style = terminal_table_style(stdout);
        output->columns = style.width > 40 && style.width < 200 ? style.width - 1 : 0;
    }
    if (given && strcmp(given, "-") != 0)
        text_append(&request->path, given);
    else if (!given && output->terminal != PLOT_DUMB)
        text_printf(&request->path, "plots/%s-%s.%s", request->data.base,
                    request->curve ? "curve" : "pareto", endings[output->terminal]);
    output->path = request->path.data;
    if (output->path && file_is_same(output->path, argument_value(request->invocation, 0)))
        return error_set(error, STATUS_USAGE, "plot: -o %s is the file that is plotted",
                         output->path);
    return 0;
}

/* --- axes */

/* Base 2 where the values are apart by powers of two. */
static enum plot_scale log_scale(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double octaves = values[i] > 0 ? log2(values[i] / values[0]) : 0.5;
        if (!(fabs(octaves - round(octaves)) < 1e-9))
            return PLOT_LOG10;
    }
    return count ? PLOT_LOG2 : PLOT_LOG10;
}

/* Without --log, a sweep's x axis is logarithmic when its values are far apart,
 * as its axes mostly are. */
static bool fits_log(const double *values, size_t count)
{
    double least = HUGE_VAL, most = 0;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    return least > 0 && most >= 6 * least;
}

static struct plot_axis make_axis(const struct plot_request *request, const char *title, bool log,
                                  const double *values, size_t count)
{
    return (struct plot_axis){title, plot_data_unit(&request->data, title),
                              log ? log_scale(values, count) : PLOT_LINEAR, NULL};
}

static bool log_x(const struct plot_request *request, const double *values, size_t count)
{
    return request->log_given ? request->log_x : request->data.folder && fits_log(values, count);
}

static const char *choose_title(struct plot_request *request, const char *usual)
{
    const char *given = option_value(request->invocation, "title", 0);
    return given ? given : usual;
}

/* --- the front */

static int objective_index(const struct objectives *objectives, const char *name)
{
    for (int j = 0; j < objectives->count; j++)
        if (strcmp(objectives->names[j], name) == 0)
            return j;
    return -1;
}

/* The benefit upwards, the cost to the right: of the first two objectives, the
 * one that is minimised is x; when both or none is, the second. */
static int choose_axes(const struct plot_request *request, const char **x, const char **y,
                       struct error *error)
{
    const struct objectives *objectives = &request->data.objectives;
    *x = option_value(request->invocation, "x", 0);
    *y = option_value(request->invocation, "y", 0);
    if (option_count(request->invocation, "y") > 1)
        return error_set(error, STATUS_USAGE, "--y: a front has one y axis");
    if (objectives->count < 2) {
        error_set(error, STATUS_USAGE, "a front needs two objectives");
        return error_hint(error,
                          "for example --minimise area --maximise effective_bandwidth, or --kind "
                          "curve --x COL --y COL");
    }
    bool first_is_cost =
        objectives->senses[0] == PARETO_MINIMISE && objectives->senses[1] == PARETO_MAXIMISE;
    const char *cost = objectives->names[first_is_cost ? 0 : 1];
    const char *benefit = objectives->names[first_is_cost ? 1 : 0];
    if (!*x)
        *x = *y && strcmp(*y, cost) == 0 ? benefit : cost;
    if (!*y)
        *y = strcmp(*x, benefit) == 0 ? cost : benefit;
    return 0;
}

static int draw_front(struct plot_request *request, struct error *error)
{
    const struct objectives *objectives = &request->data.objectives;
    struct plot_points points;
    const char *x, *y;
    int status = choose_axes(request, &x, &y, error);
    if (!status)
        status = plot_points_read(&request->data, x, y, option_value(request->invocation, "by", 0),
                                  true, &points, error);
    if (status)
        return status;
    const struct yaml_node *kept =
        request->data.folder ? yaml_get(request->data.manifest->root, "kept") : NULL;
    if (kept && kept->kind == YAML_SCALAR)
        text_printf(&request->title, "%s: %s points, ", request->data.base, kept->text);
    else
        text_printf(&request->title, "%s: %zu points, ", request->data.base, points.count);
    text_printf(&request->title, "%zu on the front", points.front_count);
    int on_x = objective_index(objectives, x), on_y = objective_index(objectives, y);
    plot_front_remark(objectives->names, (size_t)objectives->count, x, y, &request->remark);
    if (request->remark.length) /* of a picture in characters it is all there is */
        message("%s", request->remark.data);
    struct plot_scatter plot = {
        .title = choose_title(request, request->title.data),
        .remark = request->remark.data,
        .x =
            make_axis(request, x, log_x(request, points.xs, points.count), points.xs, points.count),
        .y = make_axis(request, y, request->log_y, points.ys, points.count),
        .x_maximise = on_x >= 0 && objectives->senses[on_x] == PARETO_MAXIMISE,
        .y_maximise = on_y >= 0 && objectives->senses[on_y] == PARETO_MAXIMISE,
        .count = points.count,
        .xs = points.xs,
        .ys = points.ys,
        .category = points.category,
        .categories = (const char *const *)points.names,
        .category_count = points.categories,
        .front = points.front,
        .front_count = points.front_count,
        .no_steps = objectives->count != 2 || on_x < 0 || on_y < 0 || on_x == on_y,
    };
    status = plot_scatter(&request->output, &plot, error);
    plot_points_free(&points);
    return status;
}

/* --- curves */

struct curve_point {
    double x, y;
    size_t row;
};

static int compare_points(const void *a, const void *b)
{
    const struct curve_point *left = a, *right = b;
    if (left->x != right->x)
        return left->x < right->x ? -1 : 1;
    return (left->row > right->row) - (left->row < right->row);
}

/* The points of one category by x. Where y is an objective, the best of the
 * points at one x stands for them, which differ in what is not shown (*best is
 * set); where it is not, they are not joined by lines. */
static struct plot_series make_series(const struct plot_points *points, int category,
                                      const enum pareto_sense *sense, struct arena *arena,
                                      bool *best)
{
    bool twice = false;
    struct curve_point *list = arena_alloc(arena, points->count * sizeof *list);
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < points->count; i++)
        if (!points->category || points->category[i] == category)
            list[count++] = (struct curve_point){points->xs[i], points->ys[i], i};
    qsort(list, count, sizeof *list, compare_points);
    double *xs = arena_alloc(arena, count * sizeof *xs),
           *ys = arena_alloc(arena, count * sizeof *ys);
    for (size_t i = 0; i < count; i++) {
        bool again = i > 0 && list[i - 1].x == list[i].x;
        twice |= again;
        if (!again || !sense) {
            xs[kept] = list[i].x;
            ys[kept++] = list[i].y;
        } else if (*sense == PARETO_MAXIMISE ? list[i].y > ys[kept - 1]
                                             : list[i].y < ys[kept - 1]) {
            ys[kept - 1] = list[i].y;
        }
    }
    *best |= twice && sense;
    return (struct plot_series){NULL, kept, xs, ys, .scattered = twice && !sense};
}

static int curve_columns(const struct plot_request *request, const char **x, const char **y,
                         struct error *error)
{
    const struct objectives *objectives = &request->data.objectives;
    *x = option_value(request->invocation, "x", 0);
    *y = option_value(request->invocation, "y", 0);
    if (!*y && objectives->count > 0)
        *y = objectives->names[0];
    if (*x && *y)
        return 0;
    struct text names = {0};
    csv_list_titles(request->data.tables[0], &names);
    error_set(error, STATUS_USAGE, "a curve needs --x COL%s", *y ? "" : " and --y COL");
    error_hint(error, "columns: %s", names.data);
    text_free(&names);
    return STATUS_USAGE;
}

/* One series per column of --y, or per value of --by. */
static int curve_series(struct plot_request *request, const char *x, const char *first_y,
                        struct arena *arena, struct plot_curves *plot, bool *best,
                        struct error *error)
{
    const struct invocation *inv = request->invocation;
    const struct objectives *objectives = &request->data.objectives;
    const char *by = option_value(inv, "by", 0);
    int columns = option_count(inv, "y") > 1 ? option_count(inv, "y") : 1, status = 0;
    struct plot_series *series =
        arena_alloc(arena, (size_t)(columns + PLOT_CATEGORIES) * sizeof *series);
    if (columns > 1 && by)
        return error_set(error, STATUS_USAGE, "--by and several --y exclude each other");
    plot->series = series;
    for (int c = 0; c < columns && !status; c++) {
        const char *y = columns > 1 ? option_value(inv, "y", c) : first_y;
        int objective = objective_index(objectives, y);
        struct plot_points points;
        status = plot_points_read(&request->data, x, y, by, false, &points, error);
        for (int k = 0; !status && k < (by ? points.categories : 1); k++) {
            series[plot->count] = make_series(
                &points, k, objective < 0 ? NULL : &objectives->senses[objective], arena, best);
            series[plot->count++].name = arena_strdup(arena, by            ? points.names[k]
                                                             : columns > 1 ? y
                                                                           : "");
        }
        if (!status)
            plot_points_free(&points);
    }
    return status;
}

static int draw_curves(struct plot_request *request, struct error *error)
{
    struct plot_curves plot = {0};
    struct arena *arena = arena_create();
    const char *x, *y;
    bool best = false;
    int status = curve_columns(request, &x, &y, error);
    if (!status)
        status = curve_series(request, x, y, arena, &plot, &best, error);
    if (!status) {
        bool several = option_count(request->invocation, "y") > 1;
        const double *xs = plot.count ? plot.series[0].xs : NULL;
        size_t count = plot.count ? plot.series[0].count : 0;
        text_printf(&request->title, "%s%s", request->data.base,
                    best ? ": the best at each value" : "");
        plot.title = choose_title(request, request->title.data);
        plot.x = make_axis(request, x, log_x(request, xs, count), xs, count);
        plot.y =
            make_axis(request, y, request->log_y, plot.count ? plot.series[0].ys : NULL, count);
        if (several)
            plot.y.title = "";
        status = plot_curves(&request->output, &plot, error);
    }
    arena_destroy(arena);
    return status;
}

/* --- the command */

static int run_plot(const struct invocation *inv, struct error *error)
{
    struct plot_request request = {.invocation = inv};
    struct objectives given;
    int status = objectives_given(inv, &given, error);
    if (!status && argument_count(inv) != 1) {
        status = error_set(error, STATUS_USAGE,
                           "plot: expected one folder or CSV file, got %d "
                           "arguments",
                           argument_count(inv));
        error_hint(error, "see bandscape plot --help");
    }
    if (!status)
        status = choose_log(&request, error);
    if (!status)
        status = choose_terminal(&request, error);
    if (!status)
        status = plot_data_load(argument_value(inv, 0), &given, &request.data, error);
    if (!status)
        status = choose_kind(&request, error);
    if (!status)
        status = choose_output(&request, error);
    if (!status)
        status = request.curve ? draw_curves(&request, error) : draw_front(&request, error);
    if (!status && request.path.data)
        printf("%s\n", request.path.data);
    else if (!status)
        fwrite(request.picture.data, 1, request.picture.length, stdout);
    text_free(&request.path);
    text_free(&request.picture);
    text_free(&request.title);
    text_free(&request.remark);
    plot_data_free(&request.data);
    return status;
}

static const struct option_row options_plot[] = {
    {0, "kind", "KIND", false,
     "pareto (points and their front) or curve; the default is\n"
     "pareto when there are two objectives",
     "pareto curve"},
    {0, "x", "COL", false, "column along x; of a front: the objective that costs"},
    {0, "y", "COL", true, "column along y; several make a curve each"},
    {0, "by", "COL", false, "colour by the values of this column"},
    OBJECTIVE_OPTIONS,
    {0, "log", "AXES", false, "logarithmic axes: x, y, xy or none", "x y xy none"},
    {0, "term", "TERM", false, "svg (default), png, pdf, or dumb: characters on the terminal",
     "svg png pdf dumb"},
    {'o', "output", "FILE", false, "default plots/<name>-<kind>.svg; - is the standard output"},
    {0, "title", "TEXT", false, "title of the picture"},
    {0, NULL, NULL, false, NULL},
};

const struct command command_plot = {
    .plugin = {.kind = "command",
               .name = "plot",
               .summary = "picture of a sweep's result or of a CSV file"},
    .usage = "DIR|FILE.csv [--kind pareto|curve] [--x COL] [--y COL] [--by COL] [-o FILE]",
    .description =
        "Draws the points and the Pareto front of a result that bandscape sweep wrote\n"
        "(objectives and units are in its manifest.yaml) or of a CSV file, or curves of\n"
        "one column over another. A curve over points that differ in other columns too\n"
        "shows the best value where y is an objective. Prints the name of the picture.",
    .examples = "  bandscape plot results/sac-sensitivity --by llc.organisation\n"
                "  bandscape plot results/sac-sensitivity --term dumb\n"
                "  bandscape plot results/sac-sensitivity --kind curve --x llc.capacity --by"
                " llc.organisation -o curve.pdf\n"
                "  bandscape plot designs.csv --minimise area --maximise bandwidth --log x",
    .options = options_plot,
    .run = run_plot,
};
