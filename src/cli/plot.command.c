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
    struct plot_output output;
    struct text path, text;
    struct picture picture;
};

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

static int check_log(const struct invocation *inv, struct error *error)
{
    const char *log = option_value(inv, "log", 0);
    if (!log || strcmp(log, "x") == 0 || strcmp(log, "y") == 0 || strcmp(log, "xy") == 0 ||
        strcmp(log, "none") == 0)
        return 0;
    return error_set(error, STATUS_USAGE, "--log: expected x, y, xy or none, got \"%.40s\"", log);
}

/* --term, else the ending of -o, else svg. */
static int choose_terminal(struct plot_request *request, struct error *error)
{
    const char *term = option_value(request->invocation, "term", 0);
    const char *output = option_value(request->invocation, "output", 0);
    request->output.terminal = PLOT_SVG;
    if (term)
        return plot_terminal_scan(term, &request->output.terminal, error);
    const char *dot = output ? strrchr(output, '.') : NULL;
    bool table = dot && strcmp(dot, ".csv") == 0; /* perhaps that which is plotted: said below */
    if (!dot || table || strchr(dot, '/') || plot_terminal_of(output, &request->output.terminal))
        return 0;
    error_set(error, STATUS_USAGE, "-o %s: no format has the ending %s", output, dot);
    return error_hint(error, "svg, png or pdf; or say which: --term svg");
}

/* -o, else plots/<base>-<kind>.<ending>; characters go to the terminal. */
static int choose_output(struct plot_request *request, struct error *error)
{
    const char *given = option_value(request->invocation, "output", 0);
    struct plot_output *output = &request->output;
    output->text = &request->text;
    if (output->terminal == PLOT_DUMB) {
        struct table_style style = terminal_table_style(stdout);
        output->columns = style.width > 40 && style.width < 200 ? style.width - 1 : 0;
    }
    if (given && strcmp(given, "-") != 0)
        text_append(&request->path, given);
    else if (!given && output->terminal != PLOT_DUMB)
        text_printf(&request->path, "plots/%s-%s.%s", request->data.base,
                    request->curve ? "curve" : "pareto", plot_terminal_ending(output->terminal));
    output->path = request->path.data;
    if (output->path && file_is_same(output->path, argument_value(request->invocation, 0)))
        return error_set(error, STATUS_USAGE, "plot: -o %s is the file that is plotted",
                         output->path);
    return 0;
}

/* --- axes */

/* Without --log, the x axis of a sweep's result is as in its own pictures. */
static struct plot_axis make_axis(const struct plot_request *request, const char *title,
                                  char letter, const double *values, size_t count)
{
    struct plot_axis axis = {.title = title, .unit = plot_data_unit(&request->data, title)};
    const char *log = option_value(request->invocation, "log", 0);
    bool wanted = log && strcmp(log, "none") != 0 && strchr(log, letter);
    if (wanted || (!log && letter == 'x' && request->data.folder))
        plot_axis_fit(&axis, values, count);
    if (wanted && axis.scale == PLOT_LINEAR)
        axis.scale = PLOT_LOG10;
    return axis;
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
    struct picture *picture = &request->picture;
    struct plot_front points;
    const char *x, *y;
    int status = choose_axes(request, &x, &y, error);
    if (!status)
        status = plot_points_read(&request->data, x, y, option_value(request->invocation, "by", 0),
                                  true, picture->arena, &points, error);
    if (status)
        return status;
    const struct yaml_node *kept =
        request->data.folder ? yaml_get(request->data.manifest->root, "kept") : NULL;
    const char *count = kept && kept->kind == YAML_SCALAR
                            ? kept->text
                            : arena_printf(picture->arena, "%zu", points.count);
    picture->title = arena_printf(picture->arena, "%s: %s points, %zu on the front",
                                  request->data.base, count, points.front_count);
    picture->remark = plot_front_axes(&points, objectives->names, objectives->senses,
                                      (size_t)objectives->count, x, y, picture->arena);
    if (picture->remark) /* of a picture in characters it is all there is */
        message("%s", picture->remark);
    picture->x = make_axis(request, x, 'x', points.xs, points.count);
    picture->y = make_axis(request, y, 'y', points.ys, points.count);
    picture_add_front(picture, &points);
    return 0;
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
static void add_curve(const struct plot_front *points, int category, const enum pareto_sense *sense,
                      const char *name, struct picture *picture, bool *best)
{
    struct arena *arena = picture->arena;
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
    picture_add_curve(picture, name, kept, xs, ys);
    if (twice && !sense)
        picture->series.items[picture->series.count - 1].style = PICTURE_POINTS;
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
static int add_curves(struct plot_request *request, const char *x, const char *first_y, bool *best,
                      struct error *error)
{
    const struct invocation *inv = request->invocation;
    const struct objectives *objectives = &request->data.objectives;
    const char *by = option_value(inv, "by", 0);
    int columns = option_count(inv, "y") > 1 ? option_count(inv, "y") : 1, status = 0;
    if (columns > 1 && by)
        return error_set(error, STATUS_USAGE, "--by and several --y exclude each other");
    for (int c = 0; c < columns && !status; c++) {
        const char *y = columns > 1 ? option_value(inv, "y", c) : first_y;
        int objective = objective_index(objectives, y);
        struct plot_front points;
        status = plot_points_read(&request->data, x, y, by, false, request->picture.arena, &points,
                                  error);
        for (int k = 0; !status && k < (by ? points.category_count : 1); k++)
            add_curve(&points, k, objective < 0 ? NULL : &objectives->senses[objective],
                      by            ? points.categories[k]
                      : columns > 1 ? y
                                    : "",
                      &request->picture, best);
    }
    return status;
}

static int draw_curves(struct plot_request *request, struct error *error)
{
    struct picture *picture = &request->picture;
    const char *x, *y;
    bool best = false;
    int status = curve_columns(request, &x, &y, error);
    if (!status)
        status = add_curves(request, x, y, &best, error);
    if (status)
        return status;
    static const struct picture_series none;
    const struct picture_series *first = picture->series.count ? picture->series.items : &none;
    picture->title = arena_printf(picture->arena, "%s%s", request->data.base,
                                  best ? ": the best at each value" : "");
    picture->x = make_axis(request, x, 'x', first->xs, first->count);
    picture->y = make_axis(request, y, 'y', first->ys, first->count);
    if (option_count(request->invocation, "y") > 1)
        picture->y.title = "";
    return 0;
}

/* What inputs left of the machines, as rows say. */
static void note_warnings(struct plot_request *request)
{
    struct picture *picture = &request->picture;
    const char *warned = plot_data_warnings(&request->data, picture->arena);
    if (warned)
        picture->remark =
            arena_printf(picture->arena, "%s%s%s", picture->remark ? picture->remark : "",
                         picture->remark ? "; " : "", warned);
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
        status = check_log(inv, error);
    if (!status)
        status = choose_terminal(&request, error);
    if (!status)
        status = plot_data_load(argument_value(inv, 0), &given, &request.data, error);
    if (!status)
        status = choose_kind(&request, error);
    if (!status)
        status = choose_output(&request, error);
    picture_begin(&request.picture);
    if (!status)
        status = request.curve ? draw_curves(&request, error) : draw_front(&request, error);
    if (!status)
        note_warnings(&request);
    if (option_given(inv, "title"))
        request.picture.title = option_value(inv, "title", 0);
    status = picture_end(&request.picture, &request.output, status, NULL, error);
    if (!status && request.path.data)
        printf("%s\n", request.path.data);
    else if (!status)
        fwrite(request.text.data, 1, request.text.length, stdout);
    text_free(&request.path);
    text_free(&request.text);
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
