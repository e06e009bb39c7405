/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The front of a sweep in a few numbers. */
#include <math.h>
#include <stdlib.h>

#include "explore/pareto/front_shape.h"
#include "report/sweep_internal.h"
#include "report/sweep_report.h"
#include "yaml/yaml.h"

enum { PIECE_ROWS = 4096 };

/* The front's values, by objective. */
struct told {
    size_t columns[PARETO_OBJECTIVES_MAX];
    double *values[PARETO_OBJECTIVES_MAX];
    enum pareto_sense senses[PARETO_OBJECTIVES_MAX];
    struct front_shape shape;
    bool known; /* numbers, two or more of them */
};

static void told_fini(struct told *told, size_t objectives)
{
    for (size_t j = 0; j < objectives; j++)
        free(told->values[j]);
}

static int find_columns(const struct sweep *sweep, struct told *told)
{
    const struct space *space = sweep->space;
    struct error ignored;
    for (size_t j = 0; j < space->n_objectives; j++) {
        told->senses[j] = space->objectives[j].sense;
        if (sweep_column_find(sweep, space->objectives[j].name, &told->columns[j], &ignored) ||
            sweep->columns[told->columns[j]].text)
            return false;
    }
    return space->n_objectives > 1 && sweep->front.count > 0;
}

static int read_values(const struct sweep *sweep, struct told *told, struct error *error)
{
    size_t count = sweep->front.count, objectives = sweep->space->n_objectives;
    int status = 0;
    for (size_t j = 0; j < objectives; j++)
        told->values[j] = memory_alloc(count * sizeof *told->values[j]);
    for (size_t from = 0; from < count && !status; from += PIECE_ROWS) {
        struct arena *arena = arena_create();
        struct sweep_row *rows;
        size_t n = count - from < PIECE_ROWS ? count - from : PIECE_ROWS;
        status = sweep_rows(sweep, sweep->front.items + from, n, arena, &rows, error);
        for (size_t i = 0; i < n && !status; i++)
            for (size_t j = 0; j < objectives; j++) {
                told->values[j][from + i] = rows[i].values[told->columns[j]];
                told->known = told->known && isfinite(told->values[j][from + i]);
            }
        arena_destroy(arena);
    }
    return status;
}

/* To be ended with told_fini. */
static int told_find(const struct sweep *sweep, struct told *told, struct error *error)
{
    *told = (struct told){.known = false};
    if (!find_columns(sweep, told))
        return 0;
    told->known = true;
    int status = read_values(sweep, told, error);
    struct pareto_points points = {sweep->front.count, (int)sweep->space->n_objectives,
                                   (const double *const *)told->values, told->senses};
    if (!status && told->known)
        status = front_shape_find(&points, &told->shape, error);
    return status;
}

int sweep_front_words(const struct sweep *sweep, struct text *out, struct error *error)
{
    const struct space *space = sweep->space;
    struct told told;
    char buffer[64];
    int status = told_find(sweep, &told, error);
    size_t knee = !status && told.known ? told.shape.knee : SIZE_MAX;
    bool volume = !status && told.known && told.shape.volume > 0;
    if (knee < SIZE_MAX || volume)
        text_append(out, "the front");
    for (size_t j = 0; j < space->n_objectives && knee < SIZE_MAX; j++)
        text_printf(out, "%s %s of %s", j ? "," : " turns at",
                    quantity_format((struct quantity){told.values[j][knee],
                                                      sweep->columns[told.columns[j]].dim},
                                    4, buffer, sizeof buffer),
                    space->objectives[j].name);
    if (knee < SIZE_MAX)
        text_printf(out, " (row %zu of pareto.csv)", knee + 1);
    if (volume)
        text_printf(out, "%s dominates %.1f %% of the box between its ends",
                    knee < SIZE_MAX ? "; it" : "", 100 * told.shape.volume);
    if (knee < SIZE_MAX || volume)
        text_append(out, "\n");
    told_fini(&told, space->n_objectives);
    return status;
}

static void print_values(const struct sweep *sweep, const char *key, const double *values,
                         struct text *out)
{
    char number[40];
    text_printf(out, "  %s: {", key);
    for (size_t j = 0; j < sweep->space->n_objectives; j++) {
        text_append(out, j ? ", " : "");
        yaml_append_scalar(out, sweep->space->objectives[j].name);
        text_printf(out, ": %s", number_format(values[j], number, sizeof number));
    }
    text_append(out, "}\n");
}

int sweep_print_front(const struct sweep *sweep, struct text *out, struct error *error)
{
    struct told told;
    char number[40];
    int status = told_find(sweep, &told, error);
    const struct front_shape *shape = &told.shape;
    if (!status && told.known) {
        text_printf(out, "front:\n  points: %zu\n", sweep->front.count);
        print_values(sweep, "best", shape->best, out);
        print_values(sweep, "worst", shape->worst, out);
        if (!isnan(shape->volume)) /* of the box between these two */
            text_printf(out, "  hypervolume: %s\n",
                        number_format(shape->volume, number, sizeof number));
        if (shape->knee < SIZE_MAX) {
            double values[PARETO_OBJECTIVES_MAX];
            for (size_t j = 0; j < sweep->space->n_objectives; j++)
                values[j] = told.values[j][shape->knee];
            print_values(sweep, "knee", values, out);
            text_printf(out, "  knee_row: %zu\n", shape->knee + 1);
        }
    }
    told_fini(&told, sweep->space->n_objectives);
    return status;
}
