/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/uncertainty_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of the front in a table. */
enum { FRONT_SHOWN = 20 };

struct reporter {
    const struct uncertainty_request *request;
    enum uncertainty_part part;
    struct arena *arena;
    struct sweep_part *parts;
    size_t n_parts;
    struct sheet_columns columns;
    size_t *numbers; /* that have columns: of what ranks (0), and by objective + 1 */
    size_t n_numbers;
    bool some_lost; /* not every design is kept in every draw */
};

static const char *number_name(const struct space *space, size_t number)
{
    return number ? space->objectives[number - 1].name : space->rank_by;
}

/* What ranks may be an objective too. */
static void choose_numbers(struct reporter *r)
{
    const struct space *space = r->request->sweep->space;
    r->numbers = arena_alloc(r->arena, (1 + space->n_objectives) * sizeof *r->numbers);
    for (size_t n = 0; n <= space->n_objectives; n++) {
        bool again = false;
        for (size_t k = 0; k < n; k++)
            again = again || strcmp(number_name(space, n), number_name(space, k)) == 0;
        if (!again)
            r->numbers[r->n_numbers++] = n;
    }
}

static int number_dim(const struct reporter *r, size_t number, struct dim *out, struct error *error)
{
    const struct sweep *sweep = r->request->sweep;
    size_t column;
    int status = sweep_column_find(sweep, number_name(sweep->space, number), &column, error);
    *out = status ? DIM_NONE : sweep->columns[column].dim;
    return status;
}

static void add_column(struct reporter *r, const char *key, const char *title, enum sheet_kind kind)
{
    VECTOR_PUSH(&r->columns, ((struct sheet_column){.key = key, .title = title, .kind = kind}));
}

/* A number with its band: "network.effective_bandwidth", "5 %", "95 %". */
static int add_bands(struct reporter *r, size_t number, struct error *error)
{
    const char *name = number_name(r->request->sweep->space, number);
    const char *keys[] = {name, arena_printf(r->arena, "%s.low", name),
                          arena_printf(r->arena, "%s.median", name),
                          arena_printf(r->arena, "%s.high", name)};
    bool several = r->n_numbers > 1; /* a folded table may have them apart from the name */
    const char *titles[] = {name, several ? arena_printf(r->arena, "%s 5th", name) : "5th", NULL,
                            several ? arena_printf(r->arena, "%s 95th", name) : "95th percentile"};
    struct dim dim;
    int status = number_dim(r, number, &dim, error);
    for (int i = 0; i < 4; i++)
        VECTOR_PUSH(&r->columns,
                    ((struct sheet_column){
                        .key = keys[i], .title = titles[i], .kind = SHEET_NUMBER, .dim = dim}));
    return status;
}

static int make_columns(struct reporter *r, struct error *error)
{
    const struct sweep *sweep = r->request->sweep;
    const struct space *space = sweep->space;
    int status = 0;
    add_column(r, "id", NULL, SHEET_INTEGER);
    add_column(r, "rank", "rank", SHEET_INTEGER);
    for (size_t a = 0; a < space->n_axes; a++)
        VECTOR_PUSH(&r->columns,
                    ((struct sheet_column){
                        .key = space->axes[a].name,
                        .title = space->axes[a].name,
                        .kind = space->axes[a].numeric ? SHEET_NUMBER : SHEET_TEXT,
                        .dim = space->axes[a].numeric ? sweep->columns[a].dim : DIM_NONE}));
    add_column(r, "best", r->part == UNCERTAINTY_FRONT ? NULL : "best", SHEET_SHARE);
    add_column(r, "in_top",
               r->part == UNCERTAINTY_FRONT
                   ? NULL
                   : arena_printf(r->arena, "in the best %zu", r->request->top),
               SHEET_SHARE);
    add_column(r, "on_front", r->part == UNCERTAINTY_FRONT ? "on the front" : NULL, SHEET_SHARE);
    add_column(r, "kept", r->some_lost ? "kept" : NULL, SHEET_SHARE);
    add_column(r, "front", NULL, SHEET_TRUTH);
    for (size_t i = 0; i < r->n_numbers && !status; i++)
        status = add_bands(r, r->numbers[i], error);
    VECTOR_PUSH(&r->columns, ((struct sheet_column){0}));
    return status;
}

static struct sheet_cell axis_cell(const struct reporter *r, uint64_t id, size_t a)
{
    const struct space_axis *axis = &r->request->sweep->space->axes[a];
    size_t p = 0;
    while (p + 1 < r->n_parts && id >= r->parts[p + 1].first_id)
        p++;
    const struct sweep_part *part = &r->parts[p];
    if (!part->active[a])
        return (struct sheet_cell){.text = NULL, .number = (double)NAN};
    const struct space_value *value =
        &axis->values[(id - part->first_id) / part->strides[a] % axis->n_values];
    if (axis->numeric)
        return (struct sheet_cell){.number = value->assignments[0].value.number};
    return (struct sheet_cell){.text = value->label};
}

static void add_row(const struct reporter *r, const struct uncertainty_design *design,
                    struct sheet *sheet)
{
    struct sheet_cell *cells = memory_zero(r->columns.count, sizeof *cells);
    size_t n = 0;
    cells[n++].integer = design->id;
    cells[n++].integer = design->rank ? design->rank : SHEET_UNKNOWN;
    for (size_t a = 0; a < r->request->sweep->space->n_axes; a++)
        cells[n++] = axis_cell(r, design->id, a);
    cells[n++].number = design->best;
    cells[n++].number = design->in_top;
    cells[n++].number = design->on_front;
    cells[n++].number = design->kept;
    cells[n++].number = design->front;
    for (size_t i = 0; i < r->n_numbers; i++) {
        const struct uncertainty_band *band = &design->bands[r->numbers[i]];
        cells[n++].number = band->stated;
        cells[n++].number = band->low;
        cells[n++].number = band->median;
        cells[n++].number = band->high;
    }
    sheet_add(sheet, cells);
    free(cells);
}

int uncertainty_report(const struct uncertainty_request *request, const struct uncertainty *found,
                       enum uncertainty_part part, struct sheet **out, struct error *error)
{
    struct reporter r = {.request = request, .part = part, .arena = arena_create()};
    r.n_parts = sweep_parts(request->sweep->space, r.arena, &r.parts);
    choose_numbers(&r);
    for (size_t i = 0; i < found->count; i++)
        r.some_lost = r.some_lost || found->designs[i].kept < 1;
    int status = make_columns(&r, error);
    *out = status ? NULL : sheet_create(r.columns.items);
    size_t of_front = 0;
    for (size_t i = 0; i < found->count && !status; i++) {
        const struct uncertainty_design *design = &found->designs[i];
        of_front += design->front;
        if (part == UNCERTAINTY_FRONT && of_front > FRONT_SHOWN)
            continue;
        if (part == UNCERTAINTY_ALL || (part == UNCERTAINTY_FRONT && design->front) ||
            (part == UNCERTAINTY_RANKED && design->rank && design->rank <= request->top))
            add_row(&r, design, *out);
    }
    if (!status && part == UNCERTAINTY_FRONT && of_front > FRONT_SHOWN)
        sheet_add_note(*out, "%zu more designs of the front: --format csv", of_front - FRONT_SHOWN);
    VECTOR_FREE(&r.columns);
    arena_destroy(r.arena);
    return status;
}

int uncertainty_plot(const struct uncertainty_request *request, const struct uncertainty *found,
                     const struct plot_output *output, struct error *error)
{
    const struct sweep *sweep = request->sweep;
    struct reporter r = {.request = request};
    struct picture picture;
    struct dim dim;
    char unit[64];
    size_t n = 0;
    picture_begin(&picture);
    r.arena = picture.arena;
    int status = number_dim(&r, 0, &dim, error);
    double *numbers = arena_alloc(r.arena, 4 * (request->top + 1) * sizeof *numbers);
    double *xs = numbers, *stated = xs + request->top, *lows = stated + request->top;
    double *highs = lows + request->top;
    for (size_t i = 0; i < found->count; i++) {
        const struct uncertainty_design *design = &found->designs[i];
        if (!design->rank || design->rank > request->top)
            continue;
        xs[n] = (double)design->rank;
        stated[n] = design->bands[0].stated;
        lows[n] = design->bands[0].low;
        highs[n++] = design->bands[0].high;
    }
    picture.title = sweep->space->summary[0] ? sweep->space->summary : sweep->space->name;
    picture.subtitle = arena_printf(r.arena, "%llu draws: 5th to 95th percentile",
                                    (unsigned long long)found->draws);
    picture.x = (struct plot_axis){.title = "rank", .from = 0.5, .to = (double)request->top + 0.5};
    picture.y = (struct plot_axis){.title = sweep->space->rank_by,
                                   .unit = arena_strdup(r.arena, dim_unit(dim, unit, sizeof unit))};
    picture_add_spans(&picture, n, xs, lows, highs);
    VECTOR_PUSH(&picture.series,
                ((struct picture_series){
                    .style = PICTURE_POINTS, .count = n, .xs = xs, .ys = stated, .mark = 'o'}));
    return picture_end(&picture, output, status, NULL, error);
}
