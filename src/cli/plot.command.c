/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape plot: pictures of a sweep's result or of any CSV file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/look_options.h"
#include "cli/plot_request.h"
#include "cli/terminal.h"
#include "core/file.h"
#include "core/suggest.h"
#include "core/unit.h"
#include "explore/space/space.h"
#include "report/picture_file.h"
#include "yaml/yaml.h"

/* Numbers of a column that are names, as of chips; more of them are a scale of colours. */
enum { COLOUR_NAMES = 8 };

static int draw_front(struct plot_request *request, struct error *error);
static int draw_curves(struct plot_request *request, struct error *error);

static const struct plot_kind kinds[] = {
    {"pareto", draw_front},         {"curve", draw_curves},           {"bars", plot_draw_bars},
    {"stacked", plot_draw_stacked}, {"s-curve", plot_draw_s_curve},   {"heat", plot_draw_heat},
    {"tornado", plot_draw_tornado}, {"roofline", plot_draw_roofline},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* --- what is asked for */

static int choose_kind(struct plot_request *request, struct error *error)
{
    const char *kind = option_value(request->invocation, "kind", 0);
    struct suggest suggest = suggest_begin(kind ? kind : "");
    struct text names = {0};
    request->kind = &kinds[request->data.objectives.count < 2];
    for (int i = 0; i < KINDS && kind; i++) {
        suggest_offer(&suggest, kinds[i].name);
        text_printf(&names, "%s%s", i ? ", " : "", kinds[i].name);
        if (strcmp(kinds[i].name, kind) == 0) {
            request->kind = &kinds[i];
            text_free(&names);
            return 0;
        }
    }
    if (!kind)
        return 0;
    error_set(error, STATUS_USAGE, "--kind: there is no kind \"%.40s\"", kind);
    for (int i = 0; i < SPACE_PLOT_KINDS; i++)
        if (strcmp(space_plot_kinds[i], kind) == 0)
            error_hint(error,
                       "a sweep draws it, from profiles and models: in the space, plots: "
                       "[{kind: %s, ...}]; then plot DIR/%s.picture.yaml draws it again",
                       kind, kind);
    error_hint(error, "%s%s%skinds: %s", suggest.best ? "did you mean " : "",
               suggest.best ? suggest.best : "", suggest.best ? "? " : "", names.data);
    text_free(&names);
    return STATUS_USAGE;
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
    return error_hint(error, "svg, png, pdf, eps, tex or txt; or say which: --term svg");
}

/* -o, else plots/<base>-<kind>.<ending>; characters go to the terminal. */
static int choose_output(struct plot_request *request, struct error *error)
{
    const char *given = option_value(request->invocation, "output", 0);
    struct plot_output *output = &request->output;
    output->text = &request->text;
    output->look = &request->look;
    if (output->terminal == PLOT_DUMB && !given) {
        struct table_style style = terminal_table_style(stdout);
        output->columns = style.width > 40 && style.width < 200 ? style.width - 1 : 0;
    }
    if (given && strcmp(given, "-") != 0)
        text_append(&request->path, given);
    else if (!given && output->terminal != PLOT_DUMB)
        text_printf(&request->path, "plots/%s-%s.%s", request->data.base, request->kind->name,
                    plot_terminal_ending(output->terminal));
    output->path = request->path.data;
    if (output->path && file_is_same(output->path, argument_value(request->invocation, 0)))
        return error_set(error, STATUS_USAGE, "plot: -o %s is the file that is plotted",
                         output->path);
    return 0;
}

/* --- axes */

/* Without --log, the x axis of a sweep's result is as in its own pictures. */
static struct plot_axis plot_axis_make(const struct plot_request *request, const char *title,
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

struct plot_y plot_y_scan(const struct plot_data *data, const char *text, struct arena *arena)
{
    const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    struct plot_y y = {.column = text};
    struct error ignored;
    size_t column;
    if (!second || csv_column(data->tables[0], text, &column, &ignored) == 0)
        return y;
    y.column = arena_strndup(arena, text, (size_t)(first - text));
    y.low = arena_strndup(arena, first + 1, (size_t)(second - first - 1));
    y.high = arena_strdup(arena, second + 1);
    return y;
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

/* What colours the points: names, of --by; or numbers, of --by or, where the front has three
 * objectives, of the one that no axis shows. *by is NULL then, *colour the column. */
static int choose_colour(const struct plot_request *request, const char *x, const char *y,
                         const char **by, const char **colour, struct error *error)
{
    const struct objectives *objectives = &request->data.objectives;
    struct plot_column column;
    *by = option_value(request->invocation, "by", 0);
    *colour = NULL;
    for (int j = 0; j < objectives->count && !*by && objectives->count == 3; j++)
        if (strcmp(objectives->names[j], x) != 0 && strcmp(objectives->names[j], y) != 0)
            *colour = objectives->names[j];
    if (!*by)
        return 0;
    struct arena *arena = arena_create();
    int status = plot_column_read(&request->data, *by, arena, &column, error);
    size_t different = 0;
    for (size_t i = 0; !status && column.numeric && i < column.count; i++) {
        size_t k = isnan(column.numbers[i]) ? column.count : 0; /* what is missing is no number */
        while (k < i && column.numbers[k] != column.numbers[i])
            k++;
        different += k == i;
        if (different > COLOUR_NAMES) {
            *colour = *by;
            *by = NULL;
            break;
        }
    }
    arena_destroy(arena);
    return status;
}

/* "1", "2", "3": where the best of a sweep's ranking stand. */
static void label_front(const struct plot_request *request, const struct plot_front *points,
                        struct picture *picture)
{
    static const char *const names[] = {"1", "2", "3"};
    size_t best[3], count = 0;
    while (request->data.folder && count < 3 && points->front_count + count < points->count &&
           count < points->ranked) {
        best[count] = points->front_count + count;
        count++;
    }
    picture_label_front(picture, points, count, names, best);
}

static int draw_front(struct plot_request *request, struct error *error)
{
    const struct objectives *objectives = &request->data.objectives;
    struct picture *picture = &request->picture;
    struct plot_front points;
    const char *x, *y, *by = NULL, *colour = NULL;
    int status = choose_axes(request, &x, &y, error);
    if (!status)
        status = choose_colour(request, x, y, &by, &colour, error);
    if (!status)
        status = plot_points_read(&request->data, x, y, by, colour, true, picture->arena, &points,
                                  error);
    if (status)
        return status;
    const struct yaml_node *kept =
        request->data.folder ? yaml_get(request->data.manifest->root, "kept") : NULL;
    const char *count = kept && kept->kind == YAML_SCALAR
                            ? kept->text
                            : arena_printf(picture->arena, "%zu", points.count);
    picture->title = arena_printf(picture->arena, "%s: %s points, %zu on the front",
                                  request->data.base, count, points.front_count);
    picture->legend = by;
    picture->remark = plot_front_axes(&points, objectives->names, objectives->senses,
                                      (size_t)objectives->count, x, y, picture->arena);
    if (picture->remark && colour)
        picture->remark =
            arena_printf(picture->arena, "%s, which the colour shows", picture->remark);
    if (picture->remark && request->look.width_mm == 0) /* in characters it is all there is */
        message("%s", picture->remark);
    picture->x = plot_axis_make(request, x, 'x', points.xs, points.count);
    picture->y = plot_axis_make(request, y, 'y', points.ys, points.count);
    if (colour) {
        picture->colour =
            (struct plot_axis){.title = colour, .unit = plot_data_unit(&request->data, colour)};
        plot_axis_fit(&picture->colour, points.colours, points.count);
    }
    picture_add_front(picture, &points);
    label_front(request, &points, picture);
    return 0;
}

/* --- curves */

struct drawn_point {
    double x, y;
    size_t row;
};

static int compare_points(const void *a, const void *b)
{
    const struct drawn_point *left = a, *right = b;
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
    struct drawn_point *list = arena_alloc(arena, points->count * sizeof *list);
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < points->count; i++)
        if (!points->category || points->category[i] == category)
            list[count++] = (struct drawn_point){points->xs[i], points->ys[i], i};
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

/* What lies between the columns LOW and HIGH, where the column of --by has that name. */
static int add_band(struct plot_request *request, const char *x, const struct plot_y *y,
                    const char *name, int colour, struct error *error)
{
    const char *const names[] = {x, y->low, y->high};
    struct arena *arena = request->picture.arena;
    struct plot_column columns[3], by;
    double *sides[3];
    int status = 0;
    for (int i = 0; i < 3 && !status; i++)
        status = plot_numbers_read(&request->data, names[i], arena, &columns[i], error);
    if (!status && name)
        status = plot_column_read(&request->data, option_value(request->invocation, "by", 0), arena,
                                  &by, error);
    if (status)
        return status;
    struct drawn_point *list = arena_alloc(arena, columns[0].count * sizeof *list);
    size_t count = 0;
    for (size_t row = 0; row < columns[0].count; row++)
        if ((!name || strcmp(by.texts[row], name) == 0) && !isnan(columns[0].numbers[row]))
            list[count++] = (struct drawn_point){columns[0].numbers[row], 0, row};
    if (count)
        qsort(list, count, sizeof *list, compare_points);
    for (int i = 0; i < 3; i++) {
        sides[i] = arena_alloc(arena, count * sizeof *sides[i]);
        for (size_t k = 0; k < count; k++)
            sides[i][k] = columns[i].numbers[list[k].row];
    }
    picture_add_band(&request->picture, colour, count, sides[0], sides[1], sides[2]);
    return 0;
}

/* "4 MiB" for 4194304 in a column of bytes. */
static const char *words_of(const struct plot_request *request, const char *column,
                            const char *value)
{
    const char *unit = plot_data_unit(&request->data, column);
    struct quantity quantity;
    double factor;
    char words[64];
    if (!unit || !unit_scan(unit, &factor, &quantity.dim) || !number_scan(value, &quantity.value))
        return value;
    return arena_strdup(request->picture.arena, quantity_format(quantity, 6, words, sizeof words));
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
        struct arena *arena = request->picture.arena;
        const char *text = columns > 1 ? option_value(inv, "y", c) : first_y;
        struct plot_y scanned = plot_y_scan(&request->data, text, arena);
        const char *y = scanned.column;
        int objective = objective_index(objectives, y);
        struct plot_front points;
        status = plot_points_read(&request->data, x, y, by, NULL, false, arena, &points, error);
        for (int k = 0; !status && k < (by ? points.category_count : 1); k++)
            add_curve(&points, k, objective < 0 ? NULL : &objectives->senses[objective],
                      by            ? words_of(request, by, points.categories[k])
                      : columns > 1 ? look_words(y, arena)
                                    : "",
                      &request->picture, best);
        for (int k = 0; !status && scanned.low && k < (by ? points.category_count : 1); k++)
            status =
                add_band(request, x, &scanned, by ? points.categories[k] : NULL, by ? k : c, error);
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
    y = plot_y_scan(&request->data, y, picture->arena).column;
    picture->legend = option_value(request->invocation, "by", 0);
    picture->title = arena_printf(picture->arena, "%s%s", request->data.base,
                                  best ? ": the best at each value" : "");
    picture->x = plot_axis_make(request, x, 'x', first->xs, first->count);
    picture->y = plot_axis_make(request, y, 'y', first->ys, first->count);
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

/* Without gnuplot there is still what it would have drawn. */
static int without_gnuplot(const struct plot_request *request, int status, struct error *error)
{
    const char *path = request->path.data;
    const char *dot = path ? strrchr(file_base_name(path), '.') : NULL;
    int length = path ? (int)(dot ? (size_t)(dot - path) : strlen(path)) : 0;
    if (status != STATUS_NO_PICTURE || !path)
        return status;
    message("no picture: %s%s%s%s", error->text, error->hint[0] ? " (" : "", error->hint,
            error->hint[0] ? ")" : "");
    message("wrote what gnuplot draws it from, and its data: %.*s" PICTURE_SCRIPT
            ", %.*s" PICTURE_DATA,
            length, path, length, path);
    *error = (struct error){0};
    return 0;
}

static int prepare(struct plot_request *request, struct error *error)
{
    const struct invocation *inv = request->invocation;
    struct objectives given;
    const char **where = option_values(inv, "where");
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
        status = look_read(inv, &request->look, request->picture.arena, error);
    if (!status)
        status = choose_terminal(request, error);
    if (!status)
        status = plot_data_load(argument_value(inv, 0), &given, where,
                                (size_t)option_count(inv, "where"), &request->data, error);
    if (!status)
        status = choose_kind(request, error);
    if (!status && option_count(inv, "by") > 1 && request->kind->draw != plot_draw_heat)
        status = error_set(error, STATUS_USAGE,
                           "--by: only a heat map takes two, for its colours "
                           "and its borders");
    if (!status)
        status = choose_output(request, error);
    free(where);
    return status;
}

static bool is_description(const char *path)
{
    size_t length = path ? strlen(path) : 0, ending = strlen(PICTURE_ENDING);
    return length > ending && strcmp(path + length - ending, PICTURE_ENDING) == 0;
}

/* A picture that a sweep has described: what it shows is said, how it looks is not. */
static int prepare_again(struct plot_request *request, struct error *error)
{
    static const char *const saying[] = {"kind", "x",        "y",        "by",       "where",
                                         "log",  "minimise", "maximise", "minimize", "maximize"};
    static const struct plot_kind again = {.name = "again"};
    const struct invocation *inv = request->invocation;
    const char *path = argument_value(inv, 0);
    for (size_t i = 0; i < sizeof saying / sizeof *saying; i++)
        if (option_given(inv, saying[i]))
            return error_set(error, STATUS_USAGE,
                             "--%s has no effect: %s says what the picture shows", saying[i], path);
    int status = picture_file_load(path, &request->picture, error);
    if (!status)
        status = look_read(inv, &request->look, request->picture.arena, error);
    if (!status)
        status = choose_terminal(request, error);
    request->data.base = memory_strdup(file_base_name(path));
    request->data.base[strlen(request->data.base) - strlen(PICTURE_ENDING)] = '\0';
    request->kind = &again;
    return status ? status : choose_output(request, error);
}

static int run_plot(const struct invocation *inv, struct error *error)
{
    struct plot_request request = {.invocation = inv};
    bool again = argument_count(inv) == 1 && is_description(argument_value(inv, 0));
    if (!again)
        picture_begin(&request.picture);
    int status = again ? prepare_again(&request, error) : prepare(&request, error);
    if (!status && !again)
        status = request.kind->draw(&request, error);
    if (!status && !again)
        note_warnings(&request);
    status = picture_end(&request.picture, &request.output, status, NULL, error);
    if (!status && request.path.data)
        printf("%s\n", request.path.data);
    else if (!status)
        fwrite(request.text.data, 1, request.text.length, stdout);
    status = without_gnuplot(&request, status, error);
    look_fini(&request.look);
    text_free(&request.path);
    text_free(&request.text);
    plot_data_free(&request.data);
    return status;
}

static const struct option_row options_plot[] = {
    {0, "kind", "KIND", false,
     "pareto (points and their front), curve, bars, stacked, s-curve, heat, tornado or\n"
     "roofline; the default is pareto when there are two objectives, else curve",
     "pareto curve bars stacked s-curve heat tornado roofline"},
    {0, "x", "COL", false, "column along x; of a front: the objective that costs"},
    {0, "y", "COL", true,
     "column along y; several make a curve, a bar or a part of one each;\n"
     "COL:LOW:HIGH has a band or a span from column LOW to HIGH"},
    {0, "by", "COL", true,
     "what colours and names tell apart; of a heat map what its cells\n"
     "show, and a second one with names, where its borders are"},
    {0, "where", "COL=VALUE", true, "only rows with that value; may be repeated"},
    OBJECTIVE_OPTIONS,
    {0, "log", "AXES", false, "logarithmic axes: x, y, xy or none", "x y xy none"},
    {0, "term", "TERM", false,
     "svg (default), png, pdf, eps, tex (TikZ), or dumb: characters on the terminal",
     "svg png pdf eps tex dumb"},
    {'o', "output", "FILE", false,
     "default plots/<name>-<kind>.svg; - is the standard output; the\n"
     "ending says what it is: .svg .png .pdf .eps .tex .txt"},
    LOOK_OPTIONS,
    {0, NULL, NULL, false, NULL},
};

const struct command command_plot = {
    .plugin = {.kind = "command",
               .name = "plot",
               .summary = "picture of a sweep's result or of a CSV file"},
    .usage = "DIR|FILE.csv|FILE.picture.yaml [--kind KIND] [--x COL] [--y COL]... [--by COL]\n"
             "        [--where COL=VALUE]... [--width one|two] [-o FILE]",
    .description =
        "Draws a result that bandscape sweep wrote (objectives and units are in its\n"
        "manifest.yaml), or any CSV file, such as those that other commands print: the\n"
        "points and their Pareto front, with its knee and the best three of a ranking;\n"
        "curves, bars, parts on top of each other, values in ascending order, colours\n"
        "over two columns with borders where a third one changes, bars on both sides of\n"
        "a value, points under roofs. A front of three objectives has the third one as\n"
        "colours. A curve over points that differ in other columns too shows the best\n"
        "value where y is an objective. Names of columns are written as words, with\n"
        "their units. A sweep leaves what each of its pictures shows in files NAME.picture.yaml,\n"
        "which are drawn again as asked for. Prints the name of the picture. Without gnuplot the "
        "script that\n"
        "draws it and its data are left in its place.",
    .examples = "  bandscape plot results/sac-sensitivity --by llc.organisation\n"
                "  bandscape plot results/sac-sensitivity --term dumb\n"
                "  bandscape plot results/sac-sensitivity --kind curve --x llc.capacity --by"
                " llc.organisation -o curve.pdf\n"
                "  bandscape plot designs.csv --minimise area --maximise bandwidth --log x\n"
                "  bandscape sensitivity -m sac -w bfs:input=small --format csv | bandscape plot - "
                "--kind tornado --x parameter --y less --y more --width one -o tornado.pdf",
    .options = options_plot,
    .run = run_plot,
};
