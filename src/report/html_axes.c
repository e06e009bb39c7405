/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What axes do to what is ranked (marginals.csv), and what limits the best points (limits.csv). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"

enum { BAR_WIDTH = 120 };

/* Rows of one axis in marginals.csv. */
struct axis_rows {
    const struct csv *csv;
    size_t from, to;
    size_t best; /* the row of the best point's value; SIZE_MAX: it is not known */
};

static double number(const struct axis_rows *rows, size_t row, const char *title)
{
    return result_number(rows->csv, row, result_column(rows->csv, title));
}

/* Where the best point stands: the axis' column has its number, or its name. */
static void find_best(struct html *page, const char *axis, struct axis_rows *rows)
{
    const struct csv *ranking = page->result->ranking;
    size_t column = result_column(ranking, axis);
    rows->best = SIZE_MAX;
    if (column == SIZE_MAX || !ranking->rows)
        return;
    const char *name = html_csv_text(page, ranking, 0, axis);
    double value = result_number(ranking, 0, column);
    for (size_t r = rows->from; r < rows->to && rows->best == SIZE_MAX; r++)
        if (number(rows, r, "number") == value ||
            strcmp(html_csv_text(page, rows->csv, r, "value"), name) == 0)
            rows->best = r;
}

static bool next_axis(struct html *page, struct axis_rows *rows, const char **axis)
{
    rows->from = rows->to;
    if (rows->from >= rows->csv->rows)
        return false;
    *axis = html_csv_text(page, rows->csv, rows->from, "axis");
    while (rows->to < rows->csv->rows &&
           strcmp(html_csv_text(page, rows->csv, rows->to, "axis"), *axis) == 0)
        rows->to++;
    find_best(page, *axis, rows);
    return true;
}

/* --- at the best point ------------------------------------------------------------------------ */

/* The nearest row before or behind the best one's that is known; SIZE_MAX: none. */
static size_t neighbour(const struct axis_rows *rows, int step)
{
    size_t r = rows->best;
    while (step < 0 ? r > rows->from : r + 1 < rows->to) {
        r = step < 0 ? r - 1 : r + 1;
        if (!isnan(number(rows, r, "at_best")))
            return r;
    }
    return SIZE_MAX;
}

/* Relative change to there; NaN: unknown. */
static double change(const struct axis_rows *rows, size_t row)
{
    if (row == SIZE_MAX)
        return (double)NAN;
    return number(rows, row, "at_best") / number(rows, rows->best, "at_best") - 1;
}

static double elasticity(const struct axis_rows *rows, size_t less, size_t more)
{
    size_t a = less < SIZE_MAX ? less : rows->best, b = more < SIZE_MAX ? more : rows->best;
    return log(number(rows, b, "at_best") / number(rows, a, "at_best")) /
           log(number(rows, b, "number") / number(rows, a, "number"));
}

static double range(const struct axis_rows *rows)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t r = rows->from; r < rows->to; r++) {
        double value = number(rows, r, "at_best");
        low = isnan(value) ? low : fmin(low, value);
        high = isnan(value) ? high : fmax(high, value);
    }
    return high >= low ? (high - low) / fabs(number(rows, rows->best, "at_best")) : (double)NAN;
}

static void change_cell(struct html *page, const struct axis_rows *rows, size_t row)
{
    double by = change(rows, row);
    const char *words = "-";
    if (!isnan(by))
        words = arena_printf(page->arena, "%s to %s", html_percent(page, by, 1, true),
                             html_csv_text(page, rows->csv, row, "value"));
    html_cell(page, words, by);
}

static void summary_row(struct html *page, const char *axis, const struct axis_rows *rows)
{
    html_printf(page, "<tr><th scope=\"row\">%s</th>", axis);
    if (rows->best == SIZE_MAX) {
        html_text_cell(page, "-");
        for (int i = 0; i < 4; i++)
            html_cell(page, "-", (double)NAN);
    } else {
        size_t less = neighbour(rows, -1), more = neighbour(rows, 1);
        double e = elasticity(rows, less, more);
        html_text_cell(page, html_csv_text(page, rows->csv, rows->best, "value"));
        change_cell(page, rows, less);
        change_cell(page, rows, more);
        html_cell(page, isfinite(e) ? arena_printf(page->arena, "%.2f", e + 0.0) : "-",
                  isfinite(e) ? e : (double)NAN);
        html_cell(page, html_percent(page, range(rows), 1, false), range(rows));
    }
    double share = number(rows, rows->from, "variance_share");
    html_cell(page, html_percent(page, share, 1, false), share);
    html_printf(page, "</tr>\n");
}

static void print_summary(struct html *page)
{
    static const char *const titles[] = {"value before", "value behind", "elasticity",
                                         "range along the axis", "share of variance"};
    struct axis_rows rows = {.csv = page->result->marginals};
    const char *axis;
    html_table_begin(page, "Axes: at the best point, and over all points", true);
    html_head(page, "axis", false);
    html_head(page, "at the best point", false);
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        html_head(page, titles[i], true);
    html_head_end(page);
    while (next_axis(page, &rows, &axis))
        summary_row(page, axis, &rows);
    html_table_end(page);
    html_printf(page,
                "<p>The first columns keep all other axes where they stand at the best point: "
                "how %s changes with the next value of this axis alone, its elasticity there "
                "(relative change over that of the axis), its range along the axis. The last "
                "one is over all points: the variance of the means in that of all.</p>\n",
                html_rank_name(page));
}

/* --- over all points -------------------------------------------------------------------------- */

static double largest(const struct axis_rows *rows)
{
    double most = 0;
    for (size_t r = rows->from; r < rows->to; r++)
        most = fmax(most, fmax(fabs(number(rows, r, "best")), fabs(number(rows, r, "mean"))));
    return most;
}

static void bar(struct html *page, double mean, double best, double most)
{
    if (!(most > 0) || isnan(mean)) {
        html_text_cell(page, "");
        return;
    }
    text_printf(page->out,
                "<td><svg class=\"bar\" width=\"%d\" height=\"12\" aria-hidden=\"true\">"
                "<rect width=\"%.0f\" height=\"12\"/><path d=\"M%.1f 0V12\"/></svg></td>",
                BAR_WIDTH + 2, BAR_WIDTH * fabs(mean) / most, 1 + BAR_WIDTH * fabs(best) / most);
}

static void value_row(struct html *page, const struct axis_rows *rows, size_t row, double most)
{
    struct dim dim = html_rank_dim(page);
    const char *titles[] = {"best", "mean", "at_best"};
    text_append(page->out, row == rows->best ? "<tr class=\"here\">" : "<tr>");
    html_printf(page, "<th scope=\"row\">%s</th>", html_csv_text(page, rows->csv, row, "value"));
    html_cell(page, html_csv_text(page, rows->csv, row, "points"), number(rows, row, "points"));
    for (int i = 0; i < 3; i++)
        html_cell(page, html_number(page, number(rows, row, titles[i]), dim),
                  number(rows, row, titles[i]));
    bar(page, number(rows, row, "mean"), number(rows, row, "best"), most);
    html_printf(page, "</tr>\n");
}

static void print_axis(struct html *page, const char *axis, const struct axis_rows *rows)
{
    html_table_begin(page, axis, true);
    html_head(page, "value", false);
    html_head(page, "points", true);
    html_head(page, "best", true);
    html_head(page, "mean", true);
    html_head(page, "others as at the best point", true);
    html_printf(page, "<th scope=\"col\" class=\"unsorted\">mean, best (line)</th>");
    html_head_end(page);
    for (size_t r = rows->from; r < rows->to; r++)
        value_row(page, rows, r, largest(rows));
    html_table_end(page);
}

void html_axes(struct html *page)
{
    struct axis_rows rows = {.csv = page->result->marginals};
    const char *axis;
    if (!rows.csv || !rows.csv->rows)
        return;
    html_printf(page, "<section id=\"axes\">\n<h2>What the axes do</h2>\n");
    print_summary(page);
    html_printf(page,
                "<p>Over all points that are kept, by the value of one axis: how many there are, "
                "the best and the mean of %s. The value of the best point is marked.</p>\n",
                html_rank_name(page));
    while (next_axis(page, &rows, &axis))
        print_axis(page, axis, &rows);
    html_printf(page, "</section>\n");
}

/* --- limits ----------------------------------------------------------------------------------- */

/* The names of resources, in the order in which they come. */
struct resources {
    const char **items;
    size_t count, capacity;
};

static size_t find_resource(const struct resources *all, const char *name)
{
    size_t i = 0;
    while (i < all->count && strcmp(all->items[i], name) != 0)
        i++;
    return i;
}

/* Rows of one workload at one point begin at `from`; where they end. The first resource is the one
 * that counts. */
static size_t limits_row(struct html *page, const struct csv *csv, size_t from,
                         const struct resources *all)
{
    const struct axis_rows rows = {.csv = csv};
    const char *workload = html_csv_text(page, csv, from, "workload");
    double rank = number(&rows, from, "rank"), twice = number(&rows, from, "twice");
    double *used = arena_alloc(page->arena, all->count * sizeof *used);
    bool *binds = arena_alloc(page->arena, all->count * sizeof *binds);
    size_t r = from;
    for (size_t i = 0; i < all->count; i++)
        used[i] = (double)NAN;
    do { /* a rank that is no number is unlike itself: one row at least */
        size_t i = find_resource(all, html_csv_text(page, csv, r, "resource"));
        used[i] = number(&rows, r, "used");
        binds[i] = strcmp(html_csv_text(page, csv, r, "binds"), "yes") == 0;
        r++;
    } while (r < csv->rows && number(&rows, r, "rank") == rank &&
             strcmp(html_csv_text(page, csv, r, "workload"), workload) == 0);
    html_printf(page, "<tr>");
    html_cell(page, html_csv_text(page, csv, from, "rank"), rank);
    html_text_cell(page, workload);
    html_text_cell(page, html_csv_text(page, csv, from, "resource"));
    html_cell(page, isnan(twice) ? "-" : arena_printf(page->arena, "%.2fx", twice), twice);
    html_text_cell(page, html_csv_text(page, csv, from, "behind"));
    for (size_t i = 0; i < all->count; i++)
        html_cell(page,
                  arena_printf(page->arena, "%s%s", binds[i] ? "\xe2\x97\x8f " : "",
                               html_percent(page, used[i], 0, false)),
                  used[i]);
    html_printf(page, "</tr>\n");
    return r;
}

static void limits_table(struct html *page, const struct csv *csv, const struct resources *all)
{
    html_table_begin(page, "What limits the best points", true);
    html_head(page, "rank", true);
    html_head(page, "workload", false);
    html_head(page, "limited by", false);
    html_head(page, "twice of it gives", true);
    html_head(page, "then limited by", false);
    for (size_t i = 0; i < all->count; i++)
        html_head(page, arena_printf(page->arena, "%s used", all->items[i]), true);
    html_head_end(page);
    for (size_t r = 0; r < csv->rows;)
        r = limits_row(page, csv, r, all);
    html_table_end(page);
}

void html_limits(struct html *page)
{
    const struct csv *csv = page->result->limits;
    struct resources all = {0};
    if (!csv || !csv->rows)
        return;
    for (size_t r = 0; r < csv->rows; r++) {
        const char *name = html_csv_text(page, csv, r, "resource");
        if (find_resource(&all, name) == all.count)
            VECTOR_PUSH(&all, name);
    }
    html_printf(
        page,
        "<section id=\"limits\">\n<h2>What limits the best points</h2>\n<p>By model %s, of the "
        "launches that take the most time: what limits first, how the bandwidth of the run "
        "changes with twice as much of it, and how much of each resource is used; those "
        "with a dot bind requests of some kind.</p>\n",
        html_csv_text(page, csv, 0, "model"));
    limits_table(page, csv, &all);
    html_printf(page, "</section>\n");
    VECTOR_FREE(&all);
}
