/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of pictures over the columns of any table: --x names things, --y measures them, --by tells
 * apart. Two rows for one place are an error, which says how to choose. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/plot_request.h"
#include "core/unit.h"
#include "report/axis.h"

enum { TORNADO_BARS = 20 };

/* The different values of a column, numbers in ascending order, names as they come. */
struct levels {
    const struct plot_column *column;
    size_t count;
    const char **names; /* numbers in one unit, the axis' */
    char unit[AXIS_LABEL];
    size_t *of; /* of each row; SIZE_MAX: none */
};

static const double *sorted_by;

/* Rows without a number are behind all others. */
static int compare_rows(const void *a, const void *b)
{
    double left = sorted_by[*(const size_t *)a], right = sorted_by[*(const size_t *)b];
    if (isnan(left) || isnan(right))
        return isnan(left) - isnan(right);
    return (left > right) - (left < right);
}

/* "48", "96" and the unit that is behind the axis' title. */
static int name_numbers(struct levels *l, const double *numbers, const char *title,
                        const char *unit, struct arena *arena, struct error *error)
{
    struct plot_axis plan = {.title = title, .unit = unit};
    struct axis axis;
    int status = 0;
    axis_begin(&axis, &plan);
    for (size_t i = 0; i < l->count && !status; i++)
        status = axis_see(&axis, numbers[i], i, error);
    if (status)
        return status;
    axis_layout(&axis);
    for (size_t i = 0; i < l->count; i++)
        l->names[i] = arena_printf(arena, "%.4g", numbers[i] / axis.factor);
    memcpy(l->unit, axis.unit, sizeof l->unit);
    return 0;
}

static int make_levels(const struct plot_request *r, const char *name, struct plot_column *column,
                       struct levels *l, struct error *error)
{
    struct arena *arena = r->picture.arena;
    int status = plot_column_read(&r->data, name, arena, column, error);
    if (status)
        return status;
    size_t *order = arena_alloc(arena, column->count * sizeof *order);
    double *numbers = arena_alloc(arena, column->count * sizeof *numbers);
    *l = (struct levels){.column = column,
                         .names = arena_alloc(arena, column->count * sizeof *l->names),
                         .of = arena_alloc(arena, column->count * sizeof *l->of)};
    for (size_t i = 0; i < column->count; i++)
        order[i] = i;
    sorted_by = column->numbers;
    if (column->numeric && column->count)
        qsort(order, column->count, sizeof *order, compare_rows);
    for (size_t i = 0; i < column->count; i++) {
        size_t row = order[i], level = 0;
        l->of[row] = SIZE_MAX;
        if (!column->texts[row][0])
            continue;
        while (level < l->count && (column->numeric ? numbers[level] != column->numbers[row]
                                                    : strcmp(l->names[level], column->texts[row])))
            level++;
        if (level == l->count) {
            l->names[level] = column->texts[row];
            numbers[level] = column->numbers[row];
            l->count++;
        }
        l->of[row] = level;
    }
    return column->numeric
               ? name_numbers(l, numbers, name, plot_data_unit(&r->data, name), arena, error)
               : 0;
}

static const char *levels_title(const struct levels *l, const char *name, struct arena *arena)
{
    return l->unit[0] ? arena_printf(arena, "%s (%s)", look_words(name, arena), l->unit) : name;
}

/* Of series, which have no axis: "4 MiB". */
static void name_units(struct levels *l, struct arena *arena)
{
    for (size_t i = 0; l->unit[0] && i < l->count; i++)
        l->names[i] = arena_printf(arena, "%s %s", l->names[i], l->unit);
}

static int need(const struct plot_request *r, const char *option, struct error *error)
{
    struct text names = {0};
    if (option_given(r->invocation, option))
        return 0;
    csv_list_titles(r->data.tables[0], &names);
    error_set(error, STATUS_USAGE, "--kind %s needs --%s COL", r->kind->name, option);
    error_hint(error, "columns: %s", names.data);
    text_free(&names);
    return STATUS_USAGE;
}

/* One row stands for a place. */
static int place_value(const struct plot_request *r, double *slot, bool *taken, double value,
                       const char *what, struct error *error)
{
    if (*taken && !(isnan(*slot) && isnan(value)) && *slot != value) {
        error_set(error, STATUS_INPUT, "several rows have %s", what);
        return error_hint(error, r->kind->draw == plot_draw_heat
                                     ? "choose among them: --where COLUMN=VALUE"
                                     : "tell them apart with --by, or choose: --where "
                                       "COLUMN=VALUE");
    }
    *taken = true;
    *slot = value;
    return 0;
}

/* --- bars ------------------------------------------------------------------------------ */

/* Things along x, and under each what --by or several --y tell apart. */
struct bars {
    struct levels x, by;
    struct plot_column x_column, by_column;
    size_t clusters, series;
    double *values, *lows, *highs; /* [series * clusters + cluster] */
    bool *taken, spans;
    const char **series_names;
};

static int read_series(struct plot_request *r, struct bars *b, int y_index, struct error *error)
{
    struct arena *arena = r->picture.arena;
    struct plot_y y = plot_y_scan(&r->data, option_value(r->invocation, "y", y_index), arena);
    const char *names[] = {y.column, y.low, y.high};
    double *slots[] = {b->values, b->lows, b->highs};
    int status = 0;
    for (int part = 0; part < 3 && names[part] && !status; part++) {
        struct plot_column column;
        status = plot_numbers_read(&r->data, names[part], arena, &column, error);
        b->spans |= part > 0;
        for (size_t row = 0; !status && row < column.count; row++) {
            size_t cluster = b->x.of[row];
            size_t series = b->by.names ? b->by.of[row] : (size_t)y_index;
            if (cluster == SIZE_MAX || series == SIZE_MAX)
                continue;
            size_t at = series * b->clusters + cluster;
            const char *what = arena_printf(arena, "%s %s%s%s", option_value(r->invocation, "x", 0),
                                            b->x.names[cluster], b->by.names ? " and " : "",
                                            b->by.names ? b->by.names[series] : "");
            status = place_value(r, &slots[part][at], part ? &(bool){false} : &b->taken[at],
                                 column.numbers[row], what, error);
        }
    }
    return status;
}

static int read_bars(struct plot_request *r, struct bars *b, struct error *error)
{
    const struct invocation *inv = r->invocation;
    struct arena *arena = r->picture.arena;
    const char *by = option_value(inv, "by", 0);
    int ys = option_count(inv, "y");
    *b = (struct bars){0};
    int status = need(r, "x", error);
    if (!status)
        status = need(r, "y", error);
    if (!status && by && ys > 1)
        status = error_set(error, STATUS_USAGE, "--by and several --y exclude each other");
    if (!status)
        status = make_levels(r, option_value(inv, "x", 0), &b->x_column, &b->x, error);
    if (!status && by)
        status = make_levels(r, by, &b->by_column, &b->by, error);
    if (status)
        return status;
    b->clusters = b->x.count;
    b->series = by ? b->by.count : (size_t)ys;
    size_t n = b->clusters * b->series;
    double **slots[] = {&b->values, &b->lows, &b->highs};
    for (int part = 0; part < 3; part++) {
        *slots[part] = arena_alloc(arena, n * sizeof(double));
        for (size_t i = 0; i < n; i++)
            (*slots[part])[i] = (double)NAN;
    }
    b->taken = arena_alloc(arena, n * sizeof *b->taken);
    if (by)
        name_units(&b->by, arena);
    b->series_names = by ? b->by.names : arena_alloc(arena, (size_t)ys * sizeof(char *));
    for (int i = 0; i < ys && !status; i++) {
        struct plot_y y = plot_y_scan(&r->data, option_value(inv, "y", i), arena);
        if (!by)
            b->series_names[i] = look_words(y.column, arena);
        status = read_series(r, b, i, error);
    }
    return status;
}

static void frame(struct plot_request *r, const struct bars *b)
{
    struct arena *arena = r->picture.arena;
    const struct invocation *inv = r->invocation;
    const char *y = plot_y_scan(&r->data, option_value(inv, "y", 0), arena).column;
    bool several = option_count(inv, "y") > 1;
    r->picture.title = r->data.base;
    r->picture.legend = option_value(inv, "by", 0);
    r->picture.x.title = levels_title(&b->x, option_value(inv, "x", 0), arena);
    r->picture.y =
        (struct plot_axis){.title = several ? "" : y, .unit = plot_data_unit(&r->data, y)};
}

int plot_draw_bars(struct plot_request *r, struct error *error)
{
    struct bars b;
    struct picture *picture = &r->picture;
    int status = read_bars(r, &b, error);
    if (status)
        return status;
    const char **missing = arena_alloc(picture->arena, b.clusters * b.series * sizeof *missing);
    for (size_t i = 0; i < b.clusters * b.series; i++)
        missing[i] = b.taken[i] ? "unknown" : "missing";
    struct plot_bars bars = {.clusters = b.clusters,
                             .series = b.series,
                             .cluster_names = b.x.names,
                             .series_names = b.series_names,
                             .values = b.values,
                             .missing = missing};
    frame(r, &b);
    picture_add_bars(picture, &bars);
    for (size_t s = 0; s < b.series && b.spans; s++) {
        double *xs = arena_alloc(picture->arena, b.clusters * sizeof *xs);
        for (size_t c = 0; c < b.clusters; c++)
            xs[c] = plot_bar_centre(&bars, s, c);
        picture_add_spans(picture, b.clusters, xs, b.lows + s * b.clusters,
                          b.highs + s * b.clusters);
    }
    if (b.series == 1)
        picture->series.items[0].title = NULL;
    return 0;
}

/* A bar for each value of x, or of x and by, that a row has. */
struct stacks {
    struct levels x, by;
    struct plot_column x_column, by_column;
    size_t count;
    const char **names;
    size_t *of; /* of each row; SIZE_MAX: none */
};

static int read_stacks(struct plot_request *r, struct stacks *b, struct error *error)
{
    struct arena *arena = r->picture.arena;
    const char *by = option_value(r->invocation, "by", 0);
    *b = (struct stacks){0};
    int status = make_levels(r, option_value(r->invocation, "x", 0), &b->x_column, &b->x, error);
    if (!status && by)
        status = make_levels(r, by, &b->by_column, &b->by, error);
    if (status)
        return status;
    size_t each = by ? b->by.count : 1, most = b->x.count * each, rows = b->x_column.count;
    bool *there = arena_alloc(arena, most * sizeof *there);
    size_t *bar_of = arena_alloc(arena, most * sizeof *bar_of);
    b->names = arena_alloc(arena, most * sizeof *b->names);
    b->of = arena_alloc(arena, rows * sizeof *b->of);
    for (size_t row = 0; row < rows; row++) {
        bool known = b->x.of[row] < SIZE_MAX && (!by || b->by.of[row] < SIZE_MAX);
        b->of[row] = known ? b->x.of[row] * each + (by ? b->by.of[row] : 0) : SIZE_MAX;
        if (known)
            there[b->of[row]] = true;
    }
    for (size_t i = 0; i < most; i++) {
        bar_of[i] = b->count;
        if (there[i])
            b->names[b->count++] =
                by ? arena_printf(arena, "%s, %s", b->x.names[i / each], b->by.names[i % each])
                   : b->x.names[i];
    }
    for (size_t row = 0; row < rows; row++)
        if (b->of[row] < SIZE_MAX)
            b->of[row] = bar_of[b->of[row]];
    return 0;
}

/* A column of --y as a part of each bar. */
static int read_part(struct plot_request *r, const struct stacks *b, const char *y, double *values,
                     struct error *error)
{
    struct plot_column column;
    bool *taken = arena_alloc(r->picture.arena, b->count * sizeof *taken);
    int status = plot_numbers_read(&r->data, y, r->picture.arena, &column, error);
    for (size_t bar = 0; bar < b->count; bar++)
        values[bar] = (double)NAN;
    for (size_t row = 0; !status && row < column.count; row++)
        if (b->of[row] < SIZE_MAX)
            status = place_value(r, &values[b->of[row]], &taken[b->of[row]], column.numbers[row],
                                 b->names[b->of[row]], error);
    return status;
}

static void frame_stacks(struct plot_request *r, const struct stacks *b)
{
    struct arena *arena = r->picture.arena;
    const char *by = option_value(r->invocation, "by", 0);
    const char *x = levels_title(&b->x, option_value(r->invocation, "x", 0), arena);
    r->picture.title = r->data.base;
    r->picture.x.title =
        by ? arena_printf(arena, "%s, %s", look_words(x, arena), look_words(by, arena)) : x;
    r->picture.y = (struct plot_axis){
        .title = "", .unit = plot_data_unit(&r->data, option_value(r->invocation, "y", 0))};
}

int plot_draw_stacked(struct plot_request *r, struct error *error)
{
    const struct invocation *inv = r->invocation;
    struct arena *arena = r->picture.arena;
    size_t parts = (size_t)option_count(inv, "y");
    struct stacks b;
    int status = need(r, "x", error);
    if (!status && parts < 2)
        status = error_set(error, STATUS_USAGE, "--kind stacked needs a --y COL for each part");
    if (!status)
        status = read_stacks(r, &b, error);
    if (status)
        return status;
    const char **series_names = arena_alloc(arena, parts * sizeof *series_names);
    double *values = arena_alloc(arena, parts * b.count * sizeof *values);
    const char **missing = arena_alloc(arena, parts * b.count * sizeof *missing);
    for (size_t s = 0; s < parts && !status; s++) {
        const char *y = option_value(inv, "y", (int)s);
        series_names[s] = look_words(y, arena);
        status = read_part(r, &b, y, values + s * b.count, error);
    }
    for (size_t bar = 0; bar < b.count && !status; bar++) { /* a gap says so once */
        bool any = false;
        for (size_t s = 0; s < parts; s++)
            any = any || !isnan(values[s * b.count + bar]);
        missing[bar] = any ? NULL : "unknown";
    }
    frame_stacks(r, &b);
    if (!status)
        picture_add_bars(&r->picture, &(struct plot_bars){.clusters = b.count,
                                                          .series = parts,
                                                          .cluster_names = b.names,
                                                          .series_names = series_names,
                                                          .values = values,
                                                          .missing = missing,
                                                          .stacked = true});
    return status;
}

/* --- s-curves --------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

int plot_draw_s_curve(struct plot_request *r, struct error *error)
{
    struct arena *arena = r->picture.arena;
    const char *by = option_value(r->invocation, "by", 0), *y = option_value(r->invocation, "y", 0);
    struct plot_column column, by_column;
    struct levels series = {.count = 1};
    int status = need(r, "y", error);
    if (!status)
        status = plot_numbers_read(&r->data, y, arena, &column, error);
    if (!status && by)
        status = make_levels(r, by, &by_column, &series, error);
    name_units(&series, arena);
    for (size_t s = 0; s < series.count && !status; s++) {
        double *ys = arena_alloc(arena, column.count * sizeof *ys);
        double *xs = arena_alloc(arena, column.count * sizeof *xs);
        size_t n = 0;
        for (size_t row = 0; row < column.count; row++)
            if (!isnan(column.numbers[row]) && (!by || series.of[row] == s))
                ys[n++] = column.numbers[row];
        if (n)
            qsort(ys, n, sizeof *ys, compare_numbers);
        for (size_t i = 0; i < n; i++)
            xs[i] = (double)(i + 1);
        picture_add_curve(&r->picture, by ? series.names[s] : "", n, xs, ys);
    }
    r->picture.title = r->data.base;
    r->picture.legend = by;
    r->picture.x = (struct plot_axis){.title = "rows, each curve in ascending order"};
    r->picture.y = (struct plot_axis){.title = y, .unit = plot_data_unit(&r->data, y)};
    return status;
}

/* --- heat maps -------------------------------------------------------------------------- */

/* Cells of a second column of names: where they differ is the border. */
static int read_decisions(struct plot_request *r, struct plot_heat *heat, const struct levels *x,
                          const struct levels *y, const char *name, struct error *error)
{
    struct arena *arena = r->picture.arena;
    struct plot_column column;
    struct levels names;
    size_t n = heat->columns * heat->rows;
    int *decisions = arena_alloc(arena, n * sizeof *decisions);
    int status = make_levels(r, name, &column, &names, error);
    for (size_t i = 0; i < n; i++)
        decisions[i] = -1;
    for (size_t row = 0; !status && row < column.count; row++) {
        if (x->of[row] == SIZE_MAX || y->of[row] == SIZE_MAX || names.of[row] == SIZE_MAX)
            continue;
        int *slot = &decisions[y->of[row] * heat->columns + x->of[row]], now = (int)names.of[row];
        if (*slot >= 0 && *slot != now) {
            error_set(error, STATUS_INPUT, "several rows have x %s and y %s", x->names[x->of[row]],
                      y->names[y->of[row]]);
            return error_hint(error, "choose among them: --where COLUMN=VALUE");
        }
        *slot = now;
    }
    heat->decisions = decisions;
    heat->decision_names = status ? NULL : names.names;
    heat->n_decisions = status ? 0 : (int)names.count;
    return status;
}

static int read_cells(struct plot_request *r, struct plot_heat *heat, const struct levels *x,
                      const struct levels *y, const struct plot_column *by, struct error *error)
{
    size_t n = heat->columns * heat->rows;
    double *values = arena_alloc(r->picture.arena, n * sizeof *values);
    bool *taken = arena_alloc(r->picture.arena, n * sizeof *taken);
    int status = 0;
    for (size_t i = 0; i < n; i++)
        values[i] = (double)NAN;
    for (size_t row = 0; row < by->count && !status; row++) {
        if (x->of[row] == SIZE_MAX || y->of[row] == SIZE_MAX)
            continue;
        size_t at = y->of[row] * heat->columns + x->of[row];
        status = place_value(r, &values[at], &taken[at], by->numbers[row],
                             arena_printf(r->picture.arena, "x %s and y %s", x->names[x->of[row]],
                                          y->names[y->of[row]]),
                             error);
    }
    heat->values = values;
    return status;
}

int plot_draw_heat(struct plot_request *r, struct error *error)
{
    const struct invocation *inv = r->invocation;
    struct picture *picture = &r->picture;
    struct plot_column x_column, y_column;
    struct levels x, y;
    static const char *const needed[] = {"x", "y", "by"};
    const char *x_name = option_value(inv, "x", 0), *y_name = option_value(inv, "y", 0);
    int status = 0, borders = option_count(inv, "by");
    for (int i = 0; i < 3 && !status; i++)
        status = need(r, needed[i], error);
    if (!status)
        status = make_levels(r, x_name, &x_column, &x, error);
    if (!status)
        status = make_levels(r, y_name, &y_column, &y, error);
    if (status)
        return status;
    struct plot_heat heat = {
        .columns = x.count, .rows = y.count, .x_names = x.names, .y_names = y.names};
    for (int i = 0; i < borders && !status; i++) {
        const char *name = option_value(inv, "by", i);
        struct plot_column by;
        status = plot_column_read(&r->data, name, picture->arena, &by, error);
        if (!status && by.numeric && !heat.values) {
            status = read_cells(r, &heat, &x, &y, &by, error);
            picture->colour =
                (struct plot_axis){.title = name, .unit = plot_data_unit(&r->data, name)};
        } else if (!status && !heat.decisions) {
            status = read_decisions(r, &heat, &x, &y, name, error);
            picture->legend = heat.values ? NULL : name;
        } else if (!status) {
            status = error_set(error, STATUS_USAGE,
                               "--by: a heat map has one column of numbers for its colours, and "
                               "one of names for its borders");
        }
    }
    if (status)
        return status;
    picture->title = r->data.base;
    picture->x.title = levels_title(&x, x_name, picture->arena);
    picture->y.title = levels_title(&y, y_name, picture->arena);
    picture_add_heat(picture, &heat);
    if (heat.values && r->output.terminal == PLOT_DUMB)
        message("%s: 0 is the least, 9 the most, x is not there", picture->colour.title);
    return 0;
}

/* --- tornados --------------------------------------------------------------------------- */

int plot_draw_tornado(struct plot_request *r, struct error *error)
{
    struct bars b;
    struct picture *picture = &r->picture;
    int status = option_given(r->invocation, "by")
                     ? error_set(error, STATUS_USAGE,
                                 "a tornado has no --by, but a --y for each "
                                 "side")
                     : read_bars(r, &b, error);
    if (status)
        return status;
    const char *y = option_value(r->invocation, "y", 0);
    for (size_t i = 0; i < b.x.count; i++)
        b.x.names[i] = look_words(b.x.names[i], picture->arena);
    picture->title = r->data.base;
    picture->x = (struct plot_axis){.title = b.series > 1 ? "change" : y,
                                    .unit = plot_data_unit(&r->data, y)};
    picture_add_tornado(picture, &(struct plot_tornado){.count = b.clusters,
                                                        .series = b.series,
                                                        .names = b.x.names,
                                                        .series_names = b.series_names,
                                                        .values = b.values,
                                                        .most = TORNADO_BARS});
    if (picture->y.n_names < b.clusters)
        picture->remark =
            arena_printf(picture->arena, "the largest %zu of %zu", picture->y.n_names, b.clusters);
    return 0;
}

/* --- rooflines -------------------------------------------------------------------------- */

/* Points of the first --y over x, with names (--by), under the lines of the others. */
int plot_draw_roofline(struct plot_request *r, struct error *error)
{
    const struct invocation *inv = r->invocation;
    struct picture *picture = &r->picture;
    struct arena *arena = picture->arena;
    const char *x_name = option_value(inv, "x", 0), *by = option_value(inv, "by", 0);
    struct plot_column x, y, names;
    int status = need(r, "x", error);
    if (!status)
        status = need(r, "y", error);
    if (!status)
        status = plot_numbers_read(&r->data, x_name, arena, &x, error);
    if (!status && by)
        status = plot_column_read(&r->data, by, arena, &names, error);
    for (int i = option_count(inv, "y") - 1; i >= 0 && !status; i--) {
        const char *name = option_value(inv, "y", i);
        status = plot_numbers_read(&r->data, name, arena, &y, error);
        if (status)
            break;
        size_t n = 0, *order = arena_alloc(arena, x.count * sizeof *order);
        for (size_t row = 0; row < x.count; row++)
            if (!isnan(x.numbers[row]) && !isnan(y.numbers[row]))
                order[n++] = row;
        sorted_by = x.numbers;
        if (n)
            qsort(order, n, sizeof *order, compare_rows);
        double *xs = arena_alloc(arena, n * sizeof *xs), *ys = arena_alloc(arena, n * sizeof *ys);
        for (size_t k = 0; k < n; k++) {
            xs[k] = x.numbers[order[k]];
            ys[k] = y.numbers[order[k]];
            if (i == 0 && by)
                VECTOR_PUSH(&picture->notes, (struct picture_note){names.texts[order[k]], xs[k],
                                                                   ys[k], PICTURE_LABEL});
        }
        picture_add_curve(picture, look_words(name, arena), n, xs, ys);
        picture->series.items[picture->series.count - 1].style = i ? PICTURE_LINES : PICTURE_POINTS;
        picture->y = (struct plot_axis){
            .title = name, .unit = plot_data_unit(&r->data, name), .scale = PLOT_LOG10};
    }
    picture->title = r->data.base;
    picture->x = (struct plot_axis){.title = x_name ? x_name : "",
                                    .unit = plot_data_unit(&r->data, x_name ? x_name : ""),
                                    .scale = PLOT_LOG10};
    return status;
}
