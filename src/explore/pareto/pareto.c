/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fronts and ranks of a set of points. */
#include "explore/pareto/pareto.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "explore/pareto/pareto_order.h"

/* The front's ids, which are the points' indices, in ascending order. */
static void front_indices(struct pareto_front *stream, size_t *front, size_t count)
{
    struct pareto_item *items = memory_filled(2 * count, sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = (struct pareto_item){pareto_front_id(stream, i), 0};
    pareto_sort_items(items, count, items + count);
    for (size_t i = 0; i < count; i++)
        front[i] = (size_t)items[i].key;
    free(items);
}

int pareto_filter(const struct pareto_points *points, enum pareto_ties ties, size_t *front,
                  size_t *front_count, struct error *error)
{
    struct pareto_front *stream = pareto_front_create(points->objectives, points->senses, ties);
    int status = pareto_front_offer(stream, points->columns, NULL, 0, points->count, error);
    *front_count = 0;
    if (!status) {
        *front_count = pareto_front_count(stream);
        front_indices(stream, front, *front_count);
    }
    pareto_front_destroy(stream);
    return status ? status : interrupt_check(error);
}

/* All objectives minimised, -0.0 made 0.0: one array per objective in `keys`. */
static int minimise_all(const struct pareto_points *points, double **keys, struct error *error)
{
    for (int j = 0; j < points->objectives; j++)
        keys[j] = memory_filled(points->count, sizeof *keys[j]);
    for (size_t i = 0; i < points->count; i++)
        for (int j = 0; j < points->objectives; j++) {
            double value = points->columns[j][i];
            if (!isfinite(value))
                return pareto_refuse(value, j, i, error);
            keys[j][i] = (points->senses[j] == PARETO_MAXIMISE ? -value : value) + 0.0;
        }
    return 0;
}

int pareto_rank(const struct pareto_points *points, uint32_t *rank, struct error *error)
{
    double *keys[PARETO_OBJECTIVES_MAX] = {NULL};
    int status = 0;
    if (points->count >= UINT32_MAX)
        return error_set(error, STATUS_INPUT, "%zu points are too many to rank", points->count);
    if (!(status = minimise_all(points, keys, error))) {
        struct pareto_order order;
        const double *const *columns = (const double *const *)keys;
        pareto_order_init(&order, columns, points->objectives, NULL, points->count);
        uint32_t *of_group = memory_alloc(order.groups * sizeof *of_group);
        pareto_order_ranks(&order, columns, points->objectives, of_group);
        for (size_t g = 0; g < order.groups; g++)
            for (size_t i = order.first[g]; i < order.first[g + 1]; i++)
                rank[order.order[i]] = of_group[g];
        free(of_group);
        pareto_order_fini(&order);
    }
    for (int j = 0; j < points->objectives; j++)
        free(keys[j]);
    return status ? status : interrupt_check(error);
}
