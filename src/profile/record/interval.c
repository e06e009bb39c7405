/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals: kept, asked for, printed and read. */
#include "profile/record/interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "profile/record/curve.h"

void interval_make(struct interval *interval, const uint64_t *lines, const double *half, size_t n,
                   struct arena *arena)
{
    interval->points = arena_alloc(arena, n * sizeof *interval->points);
    interval->n_points = 0;
    for (size_t i = 0; i < n; i++) {
        struct interval_point point = {lines[i], (uint64_t)ceil(fmax(half[i], 0))};
        size_t count = interval->n_points;
        if (count > 1 && interval->points[count - 1].half == point.half &&
            interval->points[count - 2].half == point.half)
            interval->points[count - 1] = point;
        else
            interval->points[interval->n_points++] = point;
    }
    size_t count = interval->n_points;
    if (count > 1 && interval->points[count - 1].half == interval->points[count - 2].half)
        interval->n_points--;
}

double interval_at(const struct interval *interval, double lines)
{
    size_t n = interval->n_points, i = 0;
    if (n == 0)
        return (double)NAN;
    while (i < n && (double)interval->points[i].lines < lines)
        i++;
    if (i == 0 || i == n || (double)interval->points[i].lines == lines)
        return (double)interval->points[i < n ? i : n - 1].half;
    return fmax((double)interval->points[i - 1].half, (double)interval->points[i].half);
}

double interval_at_sets(const struct interval *interval, double sets, double ways)
{
    enum { QUANTILES = 16 };
    double sum = 0;
    if (sets <= 1 || !(ways > 0))
        return interval_at(interval, sets * ways);
    for (int i = 0; i < QUANTILES; i++)
        sum += interval_at(interval, sets * gsl_cdf_gamma_Pinv((i + 0.5) / QUANTILES, ways, 1));
    return sum / QUANTILES;
}

void interval_print(const struct interval *interval, struct text *out)
{
    uint64_t last = 0;
    text_append(out, "");
    for (size_t i = 0; i < interval->n_points; i++) {
        text_printf(out, "%s%llu %llu", i ? " " : "",
                    (unsigned long long)(interval->points[i].lines - last),
                    (unsigned long long)interval->points[i].half);
        last = interval->points[i].lines;
    }
}

int interval_scan(struct interval *interval, const char *text, struct arena *arena,
                  struct error *error)
{
    struct interval_point points[INTERVAL_POINTS_MAX];
    size_t count = 0;
    const char *at = text + strspn(text, " ");
    while (*at) {
        struct interval_point point;
        if (count == INTERVAL_POINTS_MAX)
            return error_set(error, STATUS_INPUT, "interval: more than %d points",
                             INTERVAL_POINTS_MAX);
        if (!curve_scan_integer(&at, &point.lines) || !curve_scan_integer(&at, &point.half))
            return error_set(error, STATUS_INPUT,
                             "interval: expected pairs of whole numbers, point %zu is \"%.20s\"",
                             count + 1, at);
        uint64_t last = count ? points[count - 1].lines : 0;
        if ((count && point.lines == 0) || point.lines > UINT64_MAX - last)
            return error_set(error, STATUS_INPUT, "interval: point %zu does not ascend", count + 1);
        point.lines += last;
        points[count++] = point;
        at += strspn(at, " ");
    }
    if (count == 0)
        return error_set(error, STATUS_INPUT, "interval: expected pairs of whole numbers");
    interval->n_points = count;
    interval->points = arena_alloc(arena, count * sizeof *points);
    memcpy(interval->points, points, count * sizeof *points);
    return 0;
}
