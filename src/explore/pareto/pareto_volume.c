/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hypervolume: a sweep for two and three objectives, WFG beyond.
 *
 *   While, Bradstreet, Barone, "A fast way of calculating exact hypervolumes",
 *   IEEE Trans. Evol. Comput. 16(1), 2012.
 *
 * A point is a row of gains, how much better it is than the reference: all are
 * > 0, more is better, and the volume is that of the union of the boxes from
 * the origin to the points. A problem in k objectives lies in rows[k]. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "explore/pareto/pareto.h"
#include "explore/pareto/pareto_order.h"

struct volume {
    double *rows[PARETO_OBJECTIVES_MAX + 1]; /* [k]: points of k gains each */
    double *spare;                           /* as large as the largest of them */
    struct pareto_item *items;               /* 2 per point */
    double *stairs;                          /* 2 per point */
};

/* Sorts the problem's points by their last gain. */
static void volume_sort(struct volume *volume, int k, size_t count, bool descending)
{
    double *rows = volume->rows[k];
    size_t width = (size_t)k;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = pareto_key(rows[i * width + width - 1]);
        volume->items[i] = (struct pareto_item){descending ? ~key : key, (uint32_t)i};
    }
    pareto_sort_items(volume->items, count, volume->items + count);
    memcpy(volume->spare, rows, count * width * sizeof *rows);
    for (size_t i = 0; i < count; i++)
        memcpy(rows + i * width, volume->spare + volume->items[i].index * width,
               width * sizeof *rows);
}

static double volume_2d(struct volume *volume, size_t count)
{
    const double *rows = volume->rows[2];
    double area = 0.0, widest = 0.0;
    volume_sort(volume, 2, count, true);
    for (size_t i = 0; i < count; i++)
        if (rows[2 * i] > widest) {
            area += (rows[2 * i] - widest) * rows[2 * i + 1];
            widest = rows[2 * i];
        }
    return area;
}

/* Steps of a staircase: x ascends, y descends. */
struct stairs {
    double *x, *y;
    size_t count;
};

/* Adds the box [0,x] x [0,y] to the area under the stairs; returns the gain. */
static double stairs_add(struct stairs *stairs, double x, double y)
{
    size_t at = 0; /* the first step with x or more */
    for (size_t left = stairs->count; left > 0;) {
        size_t half = left / 2;
        bool right = stairs->x[at + half] < x;
        at = right ? at + half + 1 : at;
        left = right ? left - half - 1 : half;
    }
    if (at < stairs->count && stairs->y[at] >= y)
        return 0.0;
    double below = at < stairs->count ? stairs->y[at] : 0.0, right = x, area = 0.0;
    size_t begin = at; /* begin .. at-1 vanish under the box */
    while (begin > 0 && stairs->y[begin - 1] <= y) {
        begin--;
        area += (right - stairs->x[begin]) * (y - below);
        right = stairs->x[begin];
        below = stairs->y[begin];
    }
    area += (right - (begin > 0 ? stairs->x[begin - 1] : 0.0)) * (y - below);
    size_t behind = (stairs->count - at) * sizeof *stairs->x;
    memmove(stairs->x + begin + 1, stairs->x + at, behind);
    memmove(stairs->y + begin + 1, stairs->y + at, behind);
    stairs->x[begin] = x;
    stairs->y[begin] = y;
    stairs->count = stairs->count - (at - begin) + 1;
    return area;
}

/* From the highest point down: each one's box adds its new area times its height. */
static double volume_3d(struct volume *volume, size_t count)
{
    const double *rows = volume->rows[3];
    struct stairs stairs = {volume->stairs, volume->stairs + count, 0};
    double sum = 0.0;
    volume_sort(volume, 3, count, true);
    for (size_t i = 0; i < count && !interrupt_requested(); i++)
        sum += stairs_add(&stairs, rows[3 * i], rows[3 * i + 1]) * rows[3 * i + 2];
    return sum;
}

static bool row_covers(const double *a, const double *b, int k)
{
    for (int j = 0; j < k; j++)
        if (a[j] < b[j])
            return false;
    return true;
}

/* Adds a row to a set of rows none of which covers another. */
static size_t rows_add(double *rows, size_t count, int k, const double *row)
{
    size_t width = (size_t)k, kept = 0;
    for (size_t i = 0; i < count; i++)
        if (row_covers(rows + i * width, row, k))
            return count;
    for (size_t i = 0; i < count; i++)
        if (!row_covers(row, rows + i * width, k)) {
            if (kept != i)
                memcpy(rows + kept * width, rows + i * width, width * sizeof *rows);
            kept++;
        }
    memcpy(rows + kept * width, row, width * sizeof *rows);
    return kept + 1;
}

/* The points in ascending order of their last gain: of the box of each, what
 * the boxes of later points do not cover is a slab as high as that gain, whose
 * base is a problem with one objective less. */
static double volume_any(struct volume *volume, int k, size_t count)
{
    double total = 0.0, row[PARETO_OBJECTIVES_MAX];
    if (k == 1) {
        for (size_t i = 0; i < count; i++)
            total = fmax(total, volume->rows[1][i]);
        return total;
    }
    if (k <= 3)
        return k == 2 ? volume_2d(volume, count) : volume_3d(volume, count);
    volume_sort(volume, k, count, false);
    for (size_t i = 0; i < count && !interrupt_requested(); i++) {
        const double *point = volume->rows[k] + i * (size_t)k;
        double base = 1.0;
        for (int j = 0; j < k - 1; j++)
            base *= point[j];
        size_t limited = 0;
        for (size_t other = i + 1; other < count && !interrupt_requested(); other++) {
            for (int j = 0; j < k - 1; j++)
                row[j] = fmin(point[j], volume->rows[k][other * (size_t)k + (size_t)j]);
            limited = rows_add(volume->rows[k - 1], limited, k - 1, row);
        }
        total += (base - volume_any(volume, k - 1, limited)) * point[k - 1];
    }
    return total;
}

/* Rows of gains of the points that are better than the reference everywhere. */
static size_t volume_gains(const struct pareto_points *points, const size_t *front,
                           size_t front_count, const double *reference, double *rows)
{
    size_t count = 0, width = (size_t)points->objectives;
    for (size_t i = 0; i < front_count; i++) {
        bool better = true;
        for (size_t j = 0; j < width; j++) {
            double gain = reference[j] - points->columns[j][front[i]];
            rows[count * width + j] = points->senses[j] == PARETO_MAXIMISE ? -gain : gain;
            better &= rows[count * width + j] > 0.0;
        }
        count += better;
    }
    return count;
}

int pareto_hypervolume(const struct pareto_points *points, const double *reference, double *out,
                       struct error *error)
{
    struct volume volume = {0};
    size_t *front = memory_alloc(points->count * sizeof *front), count;
    *out = 0.0;
    for (int j = 0; j < points->objectives; j++)
        if (!isfinite(reference[j])) {
            free(front);
            return error_set(error, STATUS_INPUT, "the reference of objective %d is not finite", j);
        }
    int status = pareto_filter(points, PARETO_KEEP_FIRST, front, &count, error);
    if (!status) {
        for (int k = 1; k <= points->objectives; k++)
            volume.rows[k] = memory_alloc(count * (size_t)k * sizeof(double));
        volume.spare = memory_alloc(count * (size_t)points->objectives * sizeof(double));
        volume.items = memory_alloc(2 * count * sizeof *volume.items);
        volume.stairs = memory_alloc(2 * count * sizeof *volume.stairs);
        count = volume_gains(points, front, count, reference, volume.rows[points->objectives]);
        *out = volume_any(&volume, points->objectives, count);
        if (!isfinite(*out) || (count > 0 && *out == 0.0)) {
            status = error_set(error, STATUS_INPUT,
                               "the hypervolume is too %s for a floating-point number",
                               count > 0 && *out == 0.0 ? "small" : "large");
            error_hint(error, "give the objectives in other units");
        }
        for (int k = 1; k <= points->objectives; k++)
            free(volume.rows[k]);
        free(volume.spare);
        free(volume.items);
        free(volume.stairs);
    }
    free(front);
    return status ? status : interrupt_check(error);
}
