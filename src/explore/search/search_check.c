/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be searched, and what a search found beside what there is. */
#include <math.h>
#include <stdlib.h>

#include "explore/pareto/pareto.h"
#include "explore/sweep/rows.h"
#include "explore/search/search.h"

int search_check(const struct space *space, struct error *error)
{
    if (space->design != DESIGN_CROSS) {
        error_set(error, STATUS_INPUT, "%s is one-at-a-time: there is nothing to search",
                  space->name);
        return error_hint(error, "bandscape sweep goes through it");
    }
    for (size_t i = 0; i < space->n_wheres; i++)
        if (space->wheres[i].within > 0) {
            error_at(error, STATUS_INPUT, &space->wheres[i].mark,
                     "where: the best that \"%s\" speaks of is not known to a search",
                     space->wheres[i].text);
            return error_hint(error, "name a value in its place, or sweep");
        }
    if (sweep_structures(space) > SEARCH_STRUCTURES_MOST) {
        error_set(error, STATUS_INPUT, "%s has %llu machine structures, more than %d", space->name,
                  (unsigned long long)sweep_structures(space), SEARCH_STRUCTURES_MOST);
        return error_hint(error, "fewer values of axes that need profiles or other equations");
    }
    return 0;
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The objectives of points, and the volume that they dominate down to a reference. */
static int read_points(const struct sweep *sweep, const struct sweep_ids *ids, double **columns,
                       struct error *error)
{
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    size_t column;
    int status = sweep_rows(sweep, ids->items, ids->count, arena, &rows, error);
    for (size_t o = 0; o < sweep->space->n_objectives && !status; o++) {
        columns[o] = memory_zero(ids->count + 1, sizeof **columns);
        status = sweep_column_find(sweep, sweep->space->objectives[o].name, &column, error);
        for (size_t i = 0; i < ids->count && !status; i++)
            columns[o][i] = rows[i].values[column];
    }
    arena_destroy(arena);
    return status;
}

static int volumes(const struct sweep *found, const struct sweep *all, double *out,
                   struct error *error)
{
    const struct space *space = all->space;
    double *columns[2][PARETO_OBJECTIVES_MAX] = {{NULL}}, volume[2] = {0, 0};
    double worst[PARETO_OBJECTIVES_MAX];
    enum pareto_sense senses[PARETO_OBJECTIVES_MAX];
    int status = read_points(found, &found->front, columns[0], error);
    if (!status)
        status = read_points(all, &all->front, columns[1], error);
    for (size_t o = 0; o < space->n_objectives && !status; o++) {
        senses[o] = space->objectives[o].sense;
        worst[o] = columns[1][o][0];
        for (size_t i = 0; i < all->front.count; i++)
            worst[o] = senses[o] == PARETO_MAXIMISE ? fmin(worst[o], columns[1][o][i])
                                                    : fmax(worst[o], columns[1][o][i]);
    }
    for (int k = 0; k < 2 && !status; k++) {
        struct pareto_points points = {k ? all->front.count : found->front.count,
                                       (int)space->n_objectives, (const double *const *)columns[k],
                                       senses};
        status = pareto_hypervolume(&points, worst, &volume[k], error);
    }
    for (size_t o = 0; o < 2 * PARETO_OBJECTIVES_MAX; o++)
        free(columns[o / PARETO_OBJECTIVES_MAX][o % PARETO_OBJECTIVES_MAX]);
    *out = volume[1] > 0 ? volume[0] / volume[1] : (double)NAN;
    return status;
}

static int best_value(const struct sweep *sweep, double *out, struct error *error)
{
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    size_t column;
    int status = sweep_rows(sweep, sweep->ranking.items, 1, arena, &rows, error);
    if (!status)
        status = sweep_column_find(sweep, sweep->space->rank_by, &column, error);
    *out = status ? (double)NAN : rows[0].values[column];
    arena_destroy(arena);
    return status;
}

int search_compare(const struct sweep *found, const struct sweep *all, struct search_distance *out,
                   struct error *error)
{
    *out = (struct search_distance){.volume = (double)NAN};
    int status = best_value(found, &out->found, error);
    if (!status)
        status = best_value(all, &out->best, error);
    for (size_t i = 0; i < all->ranking.count && !out->rank; i++)
        if (all->ranking.items[i] == found->ranking.items[0])
            out->rank = i + 1;
    out->front = all->front.count;
    for (size_t i = 0; i < found->front.count; i++)
        out->of_front += bsearch(&found->front.items[i], all->front.items, all->front.count,
                                 sizeof *all->front.items, compare_ids) != NULL;
    if (!status && all->space->n_objectives > 1)
        status = volumes(found, all, &out->volume, error);
    return status;
}
