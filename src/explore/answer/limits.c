/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/answer/limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than enough: beyond all ratios of a machine's bandwidths; finite, since a share of nothing
 * of it is nothing. */
#define ENOUGH 1e12
/* What is so much faster has no limit left. */
#define UNLIMITED 1e6

double limits_metric(const struct answer *answer, const struct model_record *record,
                     const char *name)
{
    for (int i = 0; i < record->n_metrics; i++)
        if (strcmp(record->metrics[i].name, name) == 0)
            return answer->values[record->metrics[i].term];
    return (double)NAN;
}

static struct limit *limit_of(struct limits *limits, const char *name)
{
    for (size_t i = 0; i < limits->count; i++)
        if (strcmp(limits->items[i].name, name) == 0)
            return &limits->items[i];
    VECTOR_PUSH(limits, (struct limit){.name = name, .twice = (double)NAN});
    return &limits->items[limits->count - 1];
}

/* `part`: of the term's value, what goes through it: the arguments of a minimum have as much as it
 * has, those of a sum in proportion. Of a maximum of utilisations each is used as it says.
 * `bounds`: the term is such an argument; elsewhere a resource's rate is a factor, and no limit. */
static void collect(const struct answer *answer, int index, double part, bool bounds, double *most,
                    struct limits *out)
{
    const struct term *term = term_get(answer->graph, index);
    double value = answer->values[index];
    if (term->resource && bounds) {
        struct limit *l = limit_of(out, term->resource);
        l->used = fmax(l->used, dim_equal(term->dim, DIM_NONE) ? value : part);
    }
    if (term->resource || term->kind != TERM_OPERATION || part <= most[index])
        return;
    most[index] = part;
    if (term->op == EXPRESSION_IF) {
        collect(answer, term->args[answer->values[term->args[0]] != 0 ? 1 : 2], part, bounds, most,
                out);
        return;
    }
    for (int i = 0; i < term->n_args; i++) {
        double own = answer->values[term->args[i]];
        bool least = term->op == EXPRESSION_MIN;
        collect(answer, term->args[i], least && own > 0 ? part * value / own : part,
                least || term->op == EXPRESSION_MAX, most, out);
    }
}

/* Streams are limited by something, but for one that says what comes next. */
static bool is_next(const struct model_term *stream)
{
    return strcmp(stream->name, "next") == 0;
}

/* The stream that a resource binds; -1: none. */
static int stream_of(const struct answer *answer, const struct model_record *record,
                     const char *name)
{
    for (int i = 0; i < record->n_streams; i++) {
        const char *limit = answer_limit(answer, record, i);
        if (limit && !is_next(&record->streams[i]) && strcmp(limit, name) == 0)
            return i;
    }
    return -1;
}

/* Effective bandwidth of the run with so much more of a resource, over that here; what binds the
 * stream then. NaN where no term of the bandwidth is a limit of it. */
static double with_more(const struct answer *answer, const struct model_record *record,
                        const char *name, double factor, int stream, const char **behind)
{
    int bandwidth = model_result_metric(&answer->result, "effective_bandwidth");
    double here = answer->values[bandwidth];
    struct answer moved = *answer;
    moved.values = memory_zero((size_t)term_count(answer->graph), sizeof *moved.values);
    term_evaluate_scaled(answer->graph, answer->values, name, factor, moved.values);
    double ratio = moved.values[bandwidth] / here;
    if (behind)
        *behind = stream >= 0 && ratio < UNLIMITED ? answer_limit(&moved, record, stream) : NULL;
    free(moved.values);
    return ratio;
}

/* What the model says itself: "noc_reply_x2". */
static double model_twice(const struct answer *answer, const char *name)
{
    char metric[160];
    snprintf(metric, sizeof metric, "%s_x2", name);
    for (char *blank; (blank = strchr(metric, ' '));)
        *blank = '_';
    return answer_metric(answer, metric) / answer_metric(answer, "effective_bandwidth");
}

/* Whether limits of the resource are rates: utilisations cannot be moved. */
static bool is_movable(const struct answer *answer, const char *name)
{
    for (int t = 0; t < term_count(answer->graph); t++) {
        const struct term *term = term_get(answer->graph, t);
        if (term->resource && strcmp(term->resource, name) == 0 && !dim_equal(term->dim, DIM_NONE))
            return true;
    }
    return false;
}

static int compare(const void *a, const void *b)
{
    const struct limit *left = a, *right = b;
    if (left->binds != right->binds)
        return left->binds ? -1 : 1;
    if (left->binds && left->twice != right->twice && !isnan(left->twice) && !isnan(right->twice))
        return left->twice > right->twice ? -1 : 1;
    if (left->used != right->used)
        return left->used > right->used ? -1 : 1;
    return strcmp(left->name, right->name);
}

static void find_next(const struct answer *answer, struct limits *out)
{
    const struct model_record *record = out->record;
    const struct limit *first = &out->items[0];
    int stream = stream_of(answer, record, first->name);
    for (int i = 0; i < record->n_streams; i++)
        if (is_next(&record->streams[i]))
            out->next = answer_limit(answer, record, i);
    if (!first->binds || !is_movable(answer, first->name))
        return;
    double ratio = with_more(answer, record, first->name, ENOUGH, stream, &out->next);
    if (ratio < UNLIMITED)
        out->next_bytes_per_s = ratio * answer_metric(answer, "effective_bandwidth");
}

void limits_find(const struct answer *answer, struct limits *out)
{
    double *most = memory_zero((size_t)term_count(answer->graph), sizeof *most);
    *out = (struct limits){
        .record = answer_dominant(answer), .share = (double)NAN, .next_bytes_per_s = (double)NAN};
    for (int i = 0; out->record && i < out->record->n_streams; i++)
        if (!is_next(&out->record->streams[i]))
            collect(answer, out->record->streams[i].term, 1, true, most, out);
    free(most);
    if (!out->record || !out->count)
        return;
    out->share =
        limits_metric(answer, out->record, "kernel_time") / answer_metric(answer, "kernel_time");
    for (size_t i = 0; i < out->count; i++) {
        struct limit *l = &out->items[i];
        int stream = stream_of(answer, out->record, l->name);
        l->binds = stream >= 0;
        l->twice = model_twice(answer, l->name);
        if (isnan(l->twice) && is_movable(answer, l->name))
            l->twice = with_more(answer, out->record, l->name, 2, stream, &l->behind);
    }
    qsort(out->items, out->count, sizeof *out->items, compare);
    find_next(answer, out);
}
