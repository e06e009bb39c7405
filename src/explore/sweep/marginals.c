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

struct gathered {
    uint64_t points;
    double best;
    struct order_free_sum sum;
};

struct marginals {
    const struct space *space;
    bool least;              /* is best */
    size_t *first;           /* by axis: of its values; SIZE_MAX: left out */
    struct gathered *values; /* of all axes */
    size_t n_values;
    struct gathered all;
    struct order_free_sum squares;
    struct marginals_box box; /* a block while it is taken apart, and its counts */
    double *counts;
    const struct marginals_kernels *kernels;
};

static double none(const struct marginals *m)
{
    return m->least ? HUGE_VAL : -HUGE_VAL;
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
    m->values = memory_zero(m->n_values, sizeof *m->values);
    for (size_t i = 0; i < m->n_values; i++)
        m->values[i].best = none(m);
    m->all.best = none(m);
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
    free(m->values);
    free(m->box.sums);
    free(m->box.leasts);
    free(m->counts);
    free(m);
}

static double better(const struct marginals *m, double a, double b)
{
    return m->least ? (b < a ? b : a) : (b > a ? b : a);
}

static void gather(const struct marginals *m, struct gathered *to, const struct gathered *from)
{
    to->points += from->points;
    to->best = better(m, to->best, from->best);
    order_free_merge(&to->sum, &from->sum);
}

void marginals_merge(struct marginals *to, const struct marginals *from)
{
    for (size_t i = 0; i < to->n_values; i++)
        gather(to, &to->values[i], &from->values[i]);
    gather(to, &to->all, &from->all);
    order_free_merge(&to->squares, &from->squares);
}

/* --- a block -------------------------------------------------------------------------------- */

/* `points`: of each place, where they are not counted. */
static void add_slice(const struct marginals *m, struct gathered *to, size_t from, size_t n,
                      size_t points)
{
    const struct marginals_box *box = &m->box;
    struct marginals_slice slice = {box->sums[from], box->leasts[from],
                                    box->counts ? box->counts[from] : 0};
    if (n > 1)
        slice = m->kernels->slice(box, from, n);
    to->points += box->counts ? (uint64_t)slice.count : n * points;
    to->best = better(m, to->best, m->least ? slice.least : -slice.least);
    order_free_add(&to->sum, slice.sum);
}

static size_t digit(const struct marginals_block *b, const struct space *space, size_t axis)
{
    return (size_t)((b->first_id - b->part->first_id) / b->part->strides[axis] %
                    space->axes[axis].n_values);
}

void marginals_take(struct marginals *m, const struct marginals_block *b)
{
    bool inside[SPACE_AXES_MAX] = {0};
    size_t n = b->n;
    m->box.counts = b->mask ? m->counts : NULL;
    order_free_add(&m->squares,
                   m->kernels->fill(&m->box, b->values, b->mask, m->least ? 1 : -1, n));
    for (size_t k = 0; k < b->n_axes; k++) {
        size_t axis = b->axes[k].axis, stride = b->axes[k].inner_stride, first = m->first[axis];
        if (!stride)
            continue;
        inside[axis] = true;
        for (size_t v = 0; v < n / stride && first < SIZE_MAX; v++)
            add_slice(m, &m->values[first + digit(b, m->space, axis) + v], v * stride, stride,
                      b->n / n);
        for (size_t v = 1; v < n / stride; v++)
            m->kernels->fold(&m->box, v * stride, stride);
        n = stride;
    }
    for (size_t a = 0; a < m->space->n_axes; a++)
        if (b->part->active[a] && !inside[a] && m->first[a] < SIZE_MAX)
            add_slice(m, &m->values[m->first[a] + digit(b, m->space, a)], 0, 1, b->n);
    add_slice(m, &m->all, 0, 1, b->n);
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
        const struct gathered *g = i < m->n_values ? &m->values[i] : &m->all;
        if (!g->points)
            continue;
        text_printf(out, "marginal %zu %llu %a", i, (unsigned long long)g->points, g->best);
        print_sum(&g->sum, out);
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
    gather(m, i < m->n_values ? &m->values[i] : &m->all, &g);
    return true;
}

/* --- what it comes to ------------------------------------------------------------------------- */

static struct marginal result(const struct gathered *g)
{
    if (!g->points)
        return (struct marginal){0, (double)NAN, (double)NAN};
    return (struct marginal){g->points, g->best, order_free_value(&g->sum) / (double)g->points};
}

bool marginals_value(const struct marginals *m, size_t axis, size_t value, struct marginal *out)
{
    if (m->first[axis] == SIZE_MAX)
        return false;
    *out = result(&m->values[m->first[axis] + value]);
    return true;
}

struct marginal marginals_all(const struct marginals *m)
{
    return result(&m->all);
}

double marginals_share(const struct marginals *m, size_t axis)
{
    struct marginal all = result(&m->all), one;
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
