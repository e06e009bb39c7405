/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block is a box of as many dimensions as axes run in it. It is taken apart from the outermost
 * one: its slices are summed one by one, for the values of that axis, then added up to a box of one
 * dimension less. All loops run over neighbours in memory. */
#include "explore/sweep/marginals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/order_free_sum.h"
#include "explore/sweep/marginals_kernels.h"

/* A row. */
struct gathered {
    uint64_t points;
    double best;
    struct order_free_sum sum;
};

struct marginals {
    const struct space *space;
    bool least;                    /* is best */
    size_t *first;                 /* by axis: row of its first value; SIZE_MAX: left out */
    struct marginals_columns rows; /* the values of all axes, and all points */
    size_t n_values;
    struct order_free_sum squares;
    struct marginals_box box; /* a block while it is taken apart, and its counts */
    double *counts;
    const struct marginals_kernels *kernels;
};

static double none(const struct marginals *m)
{
    return m->least ? HUGE_VAL : -HUGE_VAL;
}

static void columns_create(struct marginals_columns *rows, size_t n, double best)
{
    rows->points = memory_zero(n, sizeof *rows->points);
    rows->best = memory_alloc(n * sizeof *rows->best);
    for (size_t i = 0; i < n; i++)
        rows->best[i] = best;
    for (int k = 0; k < ORDER_FREE_PARTS; k++)
        rows->parts[k] = memory_zero(n, sizeof *rows->parts[k]);
    rows->top = memory_zero(n, sizeof *rows->top);
    rows->lost = memory_zero(n, sizeof *rows->lost);
    rows->units = memory_alloc(n * sizeof *rows->units);
    for (size_t i = 0; i < n; i++)
        rows->units[i] = HUGE_VAL;
}

static void columns_free(struct marginals_columns *rows)
{
    free(rows->points);
    free(rows->best);
    for (int k = 0; k < ORDER_FREE_PARTS; k++)
        free(rows->parts[k]);
    free(rows->top);
    free(rows->lost);
    free(rows->units);
}

static struct order_free_sum row_sum(const struct marginals *m, size_t row)
{
    struct order_free_sum sum = {.top = (int)m->rows.top[row], .lost = m->rows.lost[row]};
    for (int k = 0; k < ORDER_FREE_PARTS; k++)
        sum.parts[k] = m->rows.parts[k][row];
    return sum;
}

static struct gathered row_get(const struct marginals *m, size_t row)
{
    return (struct gathered){m->rows.points[row], m->rows.best[row], row_sum(m, row)};
}

static void row_set_sum(struct marginals *m, size_t row, const struct order_free_sum *sum)
{
    for (int k = 0; k < ORDER_FREE_PARTS; k++)
        m->rows.parts[k][row] = sum->parts[k];
    if (m->rows.top[row] != sum->top)
        m->rows.units[row] = order_free_units(sum->top);
    m->rows.top[row] = sum->top;
    m->rows.lost[row] = sum->lost;
}

struct marginals *marginals_create(const struct space *space, size_t width)
{
    struct marginals *m = memory_zero(1, sizeof *m);
    m->space = space;
    m->least = space->rank_sense == PARETO_MINIMISE;
    m->first = memory_zero(space->n_axes, sizeof *m->first);
    for (size_t a = 0; a < space->n_axes; a++) {
        bool few = space->axes[a].n_values <= MARGINALS_VALUES_MAX;
        m->first[a] = few ? m->n_values : SIZE_MAX;
        m->n_values += few ? space->axes[a].n_values : 0;
    }
    columns_create(&m->rows, m->n_values + 1, none(m));
    m->box.sums = memory_aligned(64, width * sizeof *m->box.sums);
    m->box.leasts = memory_aligned(64, width * sizeof *m->box.leasts);
    m->counts = memory_aligned(64, width * sizeof *m->counts);
    m->kernels = marginals_kernels_get();
    return m;
}

void marginals_destroy(struct marginals *m)
{
    if (!m)
        return;
    free(m->first);
    columns_free(&m->rows);
    free(m->box.sums);
    free(m->box.leasts);
    free(m->counts);
    free(m);
}

static double better(const struct marginals *m, double a, double b)
{
    return m->least ? (b < a ? b : a) : (b > a ? b : a);
}

static void gather(struct marginals *to, size_t row, const struct gathered *from)
{
    struct order_free_sum sum = row_sum(to, row);
    to->rows.points[row] += from->points;
    to->rows.best[row] = better(to, to->rows.best[row], from->best);
    order_free_merge(&sum, &from->sum);
    row_set_sum(to, row, &sum);
}

void marginals_merge(struct marginals *to, const struct marginals *from)
{
    for (size_t row = 0; row <= to->n_values; row++) {
        struct gathered more = row_get(from, row);
        gather(to, row, &more);
    }
    order_free_merge(&to->squares, &from->squares);
}

/* --- a block -------------------------------------------------------------------------------- */

/* A slice of the block; `points` of it, where they are not counted. */
static void add_slice(struct marginals *m, size_t row, struct marginals_slice slice, size_t points)
{
    struct order_free_sum sum = row_sum(m, row);
    m->rows.points[row] += m->box.counts ? (uint64_t)slice.count : points;
    m->rows.best[row] = better(m, m->rows.best[row], m->least ? slice.least : -slice.least);
    order_free_add(&sum, slice.sum);
    row_set_sum(m, row, &sum);
}

/* Places of the box, one a row, each of so many points. */
static void add_places(struct marginals *m, size_t row, size_t n, size_t points)
{
    if (m->kernels->add(&m->rows, row, &m->box, n, points, m->least ? 1 : -1))
        return;
    for (size_t i = 0; i < n; i++) {
        struct order_free_sum sum = row_sum(m, row + i);
        order_free_add(&sum, m->box.sums[i]);
        row_set_sum(m, row + i, &sum);
    }
}

/* All places in their order, into the first. */
static void fold_places(const struct marginals_box *box, size_t n)
{
    double sum = box->sums[0], least = box->leasts[0], count = 0;
    for (size_t i = 1; i < n; i++) {
        sum += box->sums[i];
        least = box->leasts[i] < least ? box->leasts[i] : least;
    }
    for (size_t i = 0; box->counts && i < n; i++)
        count += box->counts[i];
    box->sums[0] = sum;
    box->leasts[0] = least;
    if (box->counts)
        box->counts[0] = count;
}

static size_t digit(const struct marginals_block *b, const struct space *space, size_t axis)
{
    return (size_t)((b->first_id - b->part->first_id) / b->part->strides[axis] %
                    space->axes[axis].n_values);
}

/* The slices of the block, `stride` values each, one a row from `row` on (SIZE_MAX: left out); the
 * box becomes their sum. */
static void take_slices(struct marginals *m, const struct marginals_block *b, size_t row,
                        size_t stride)
{
    double sign = m->least ? 1 : -1;
    size_t n = b->n / stride;
    for (size_t v = 0; v < n;) {
        const unsigned char *mask = b->mask ? b->mask + v * stride : NULL;
        const double *values = b->values + v * stride;
        struct marginals_slice slices[MARGINALS_ROWS];
        size_t here = mask || v == 0 || n - v < MARGINALS_ROWS ? 1 : MARGINALS_ROWS;
        if (here == 1)
            slices[0] = m->kernels->take(&m->box, values, mask, sign, stride, v > 0);
        else
            m->kernels->take_rows(&m->box, values, sign, stride, slices);
        for (size_t i = 0; i < here && row < SIZE_MAX; i++)
            add_slice(m, row + v + i, slices[i], stride);
        v += here;
    }
}

/* The same of the box, whose n places are sums of `points` values each. */
static void fold_slices(struct marginals *m, size_t row, size_t n, size_t stride, size_t points)
{
    if (stride == 1) {
        if (row < SIZE_MAX)
            add_places(m, row, n, points);
        fold_places(&m->box, n);
        return;
    }
    for (size_t v = 0; v < n / stride && row < SIZE_MAX; v++)
        add_slice(m, row + v, m->kernels->slice(&m->box, v * stride, stride), stride * points);
    for (size_t v = 1; v < n / stride; v++)
        m->kernels->fold(&m->box, v * stride, stride);
}

double marginals_squares(const double *values, size_t n)
{
    return marginals_kernels_get()->squares(values, NULL, n);
}

double marginals_take(struct marginals *m, const struct marginals_block *b)
{
    bool inside[SPACE_AXES_MAX] = {0};
    size_t n = 0; /* places of the box; 0: nothing is in it yet */
    m->box.counts = b->mask ? m->counts : NULL;
    order_free_add(&m->squares,
                   b->squares ? *b->squares : m->kernels->squares(b->values, b->mask, b->n));
    for (size_t k = 0; k < b->n_axes; k++) {
        size_t axis = b->axes[k].axis, stride = b->axes[k].inner_stride, row = m->first[axis];
        if (!stride)
            continue;
        inside[axis] = true;
        row += row < SIZE_MAX ? digit(b, m->space, axis) : 0;
        if (n == 0 && stride > 1) {
            take_slices(m, b, row, stride);
        } else {
            if (n == 0) {
                n = b->n;
                take_slices(m, b, SIZE_MAX, n);
            }
            fold_slices(m, row, n, stride, b->n / n);
        }
        n = stride;
    }
    if (n == 0)
        take_slices(m, b, SIZE_MAX, b->n);
    struct marginals_slice all = {m->box.sums[0], m->box.leasts[0], b->mask ? m->box.counts[0] : 0};
    for (size_t a = 0; a < m->space->n_axes; a++)
        if (b->part->active[a] && !inside[a] && m->first[a] < SIZE_MAX)
            add_slice(m, m->first[a] + digit(b, m->space, a), all, b->n);
    add_slice(m, m->n_values, all, b->n);
    return m->least ? all.least : -all.least;
}

/* --- on paper ------------------------------------------------------------------------------- */

static void print_sum(const struct order_free_sum *sum, struct text *out)
{
    text_printf(out, " %d %d", sum->top, sum->lost);
    for (int i = 0; i < ORDER_FREE_PARTS; i++)
        text_printf(out, " %lld", (long long)sum->parts[i]);
    text_append(out, "\n");
}

static struct order_free_sum scan_sum(char *at)
{
    struct order_free_sum sum = {.top = (int)strtol(at, &at, 10)};
    sum.lost = strtol(at, &at, 10) != 0;
    for (int i = 0; i < ORDER_FREE_PARTS; i++)
        sum.parts[i] = strtoll(at, &at, 10);
    return sum;
}

/* The values, then all of them. */
void marginals_print(const struct marginals *m, struct text *out)
{
    for (size_t i = 0; i <= m->n_values; i++) {
        struct gathered g = row_get(m, i);
        if (!g.points)
            continue;
        text_printf(out, "marginal %zu %llu %a", i, (unsigned long long)g.points, g.best);
        print_sum(&g.sum, out);
    }
    text_append(out, "squares");
    print_sum(&m->squares, out);
}

bool marginals_take_line(struct marginals *m, const char *key, const char *rest)
{
    if (strcmp(key, "squares") == 0) {
        struct order_free_sum sum = scan_sum((char *)(size_t)rest);
        order_free_merge(&m->squares, &sum);
        return true;
    }
    char *at;
    size_t i = strtoull(rest, &at, 10);
    if (strcmp(key, "marginal") != 0 || i > m->n_values)
        return false;
    struct gathered g = {.points = strtoull(at, &at, 10)};
    g.best = strtod(at, &at);
    g.sum = scan_sum(at);
    gather(m, i, &g);
    return true;
}

/* --- what it comes to ------------------------------------------------------------------------- */

static struct marginal result(const struct marginals *m, size_t row)
{
    struct gathered g = row_get(m, row);
    if (!g.points)
        return (struct marginal){0, (double)NAN, (double)NAN};
    return (struct marginal){g.points, g.best, order_free_value(&g.sum) / (double)g.points};
}

bool marginals_value(const struct marginals *m, size_t axis, size_t value, struct marginal *out)
{
    if (m->first[axis] == SIZE_MAX)
        return false;
    *out = result(m, m->first[axis] + value);
    return true;
}

struct marginal marginals_all(const struct marginals *m)
{
    return result(m, m->n_values);
}

double marginals_share(const struct marginals *m, size_t axis)
{
    struct marginal all = result(m, m->n_values), one;
    double n = (double)all.points, between = 0;
    double total = order_free_value(&m->squares) - n * all.mean * all.mean;
    for (size_t v = 0; v < m->space->axes[axis].n_values; v++) {
        if (!marginals_value(m, axis, v, &one))
            return (double)NAN;
        if (one.points)
            between += (double)one.points * (one.mean - all.mean) * (one.mean - all.mean);
    }
    /* Below that the differences of squares are rounding. */
    if (!(total > 1e-12 * order_free_value(&m->squares)))
        return (double)NAN;
    return fmin(1, between / total);
}
