/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/answer/difference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/answer/limits.h"

/* Of the whole: what is less is rounding. */
#define NOTHING 1e-9

double difference_mean(double a, double b)
{
    if (!(a > 0) || !(b > 0))
        return 0;
    return fabs(b - a) <= 1e-12 * a ? (a + b) / 2 : (b - a) / log(b / a);
}

/* --- minima ------------------------------------------------------------------------------- */

static double at(const double *from, const double *to, int i, double t)
{
    return from[i] + t * (to[i] - from[i]);
}

static bool is_below(const double *from, const double *to, int i, int j, double t)
{
    double a = at(from, to, i, t), b = at(from, to, j, t);
    return a < b || (a == b && to[i] - from[i] < to[j] - from[j]);
}

/* The lowest of those that limit both ends, just behind t; -1: there is none. */
static int lowest(const double *from, const double *to, int n, double t)
{
    int low = -1;
    for (int i = 0; i < n; i++)
        if (isfinite(from[i]) && isfinite(to[i]) && (low < 0 || is_below(from, to, i, low, t)))
            low = i;
    return low;
}

static int least(const double *values, int n)
{
    int low = 0;
    for (int i = 1; i < n; i++)
        if (values[i] < values[low])
            low = i;
    return low;
}

/* Where the lines cross behind t; beyond 1: never. */
static double crossing(const double *from, const double *to, int low, int i)
{
    double slope = (to[low] - from[low]) - (to[i] - from[i]);
    return slope > 0 ? (from[i] - from[low]) / slope : 2;
}

void difference_of_minimum(const double *from, const double *to, int n, double *share, double *step)
{
    int first = least(from, n), last = least(to, n), low = lowest(from, to, n, 0);
    for (int i = 0; i < n; i++)
        share[i] = step[i] = 0;
    if (low < 0) {
        step[first] += (to[last] - from[first]) / 2;
        step[last] += (to[last] - from[first]) / 2;
        return;
    }
    step[first] += from[low] - from[first];
    for (double t = 0; t < 1;) {
        double end = 1;
        int next = low;
        for (int i = 0; i < n; i++) {
            double x = isfinite(from[i]) && isfinite(to[i]) ? crossing(from, to, low, i) : 2;
            if (x >= t && x < end && i != low) {
                end = x;
                next = i;
            }
        }
        share[low] += end - t;
        t = end;
        low = next;
    }
    step[last] += to[last] - to[low];
}

/* --- trees ---------------------------------------------------------------------------------- */

struct walk {
    const struct answer *const *answers;
    struct differences *out;
    const struct model_record *record; /* of the first answer */
    double weight;                     /* of its launches */
    const char *stream;                /* within which: "EAB_remote"; NULL: none */
};

static const struct term *term_of(const struct walk *w, int side, int index)
{
    return term_get(w->answers[side]->graph, index);
}

static double value_of(const struct walk *w, int side, int index)
{
    return index < 0 ? HUGE_VAL : w->answers[side]->values[index];
}

static void add(const struct walk *w, const char *name, struct dim dim, double before, double after,
                double contribution)
{
    struct differences *out = w->out;
    char full[96];
    size_t i = 0;
    bool prefix = w->stream && strcmp(w->stream, name) != 0;
    snprintf(full, sizeof full, "%s%s%s", prefix ? w->stream : "", prefix ? ": " : "", name);
    while (i < out->count && strcmp(out->items[i].name, full) != 0)
        i++;
    if (i == out->count) {
        VECTOR_PUSH(out, (struct difference){.dim = dim});
        memcpy(out->items[i].name, full, sizeof full);
    }
    struct difference *d = &out->items[i];
    d->contribution += contribution;
    if (dim_equal(dim, DIM_SECONDS)) {
        d->values[0] += before;
        d->values[1] += after;
    } else if (w->weight > d->weight) {
        d->weight = w->weight;
        d->values[0] = before;
        d->values[1] = after;
    }
}

/* What a term is called: "memory", else its name, else what limits it, else what it does. */
static const char *name_of(const struct walk *w, int side, int index)
{
    const struct answer *answer = w->answers[side];
    const struct term *term = term_of(w, side, index);
    if (term->resource || term->name)
        return term->resource ? term->resource : term->name;
    const char *limit = term_limit(answer->graph, index, answer->values);
    return limit ? limit : expression_op_symbol(term->op);
}

/* A term of one or both sides (-1: not there). */
static void leaf(const struct walk *w, const int *terms, double contribution)
{
    /* The name is that of a side where there is something of it. */
    int side = terms[1] < 0 || value_of(w, 1, terms[1]) == 0 ? 0 : 1;
    side = terms[side] < 0 ? 1 - side : side;
    if (contribution != 0)
        add(w, name_of(w, side, terms[side]), term_of(w, side, terms[side])->dim,
            value_of(w, 0, terms[0]), value_of(w, 1, terms[1]), contribution);
}

/* Behind branches: the one that was taken. */
static int taken(const struct walk *w, int side, int index)
{
    const struct term *term = term_of(w, side, index);
    while (!term->resource && term->kind == TERM_OPERATION && term->op == EXPRESSION_IF) {
        index = term->args[value_of(w, side, term->args[0]) != 0 ? 1 : 2];
        term = term_of(w, side, index);
    }
    return index;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool belong_together(const struct term *a, const struct term *b)
{
    if (a->resource || b->resource)
        return same_text(a->resource, b->resource);
    return same_text(a->name, b->name) && a->kind == b->kind && a->op == b->op;
}

enum { PAIRS_MAX = 64 };
struct pairs {
    int terms[PAIRS_MAX][2];
    int count;
};

/* Arguments of both, by name; false: they are too many. */
static bool pair_up(const struct walk *w, const struct term *a, const struct term *b,
                    struct pairs *out)
{
    bool used[PAIRS_MAX] = {false};
    out->count = 0;
    if (a->n_args + b->n_args > PAIRS_MAX)
        return false;
    for (int i = 0; i < a->n_args; i++) {
        int left = taken(w, 0, a->args[i]), right = -1;
        for (int j = 0; j < b->n_args && right < 0; j++) {
            int other = taken(w, 1, b->args[j]);
            if (!used[j] && belong_together(term_of(w, 0, left), term_of(w, 1, other))) {
                used[j] = true;
                right = other;
            }
        }
        out->terms[out->count][0] = left;
        out->terms[out->count++][1] = right;
    }
    for (int j = 0; j < b->n_args; j++)
        if (!used[j]) {
            out->terms[out->count][0] = -1;
            out->terms[out->count++][1] = taken(w, 1, b->args[j]);
        }
    return true;
}

static void walk(const struct walk *w, int left, int right, double factor);

static void walk_minimum(const struct walk *w, const struct pairs *pairs, double factor)
{
    double from[PAIRS_MAX] = {0}, to[PAIRS_MAX] = {0}, share[PAIRS_MAX], step[PAIRS_MAX];
    for (int i = 0; i < pairs->count; i++) {
        from[i] = log(value_of(w, 0, pairs->terms[i][0]));
        to[i] = log(value_of(w, 1, pairs->terms[i][1]));
    }
    difference_of_minimum(from, to, pairs->count, share, step);
    for (int i = 0; i < pairs->count; i++) {
        leaf(w, pairs->terms[i], factor * step[i]);
        if (share[i] > 0)
            walk(w, pairs->terms[i][0], pairs->terms[i][1], factor * share[i]);
    }
}

static void walk_sum(const struct walk *w, const struct pairs *pairs, const double *whole,
                     double factor)
{
    double mean = difference_mean(whole[0], whole[1]);
    for (int i = 0; i < pairs->count; i++) {
        double values[2];
        for (int side = 0; side < 2; side++)
            values[side] = pairs->terms[i][side] < 0 ? 0 : value_of(w, side, pairs->terms[i][side]);
        if (values[0] > 0 && values[1] > 0)
            walk(w, pairs->terms[i][0], pairs->terms[i][1],
                 factor * difference_mean(values[0], values[1]) / mean);
        else
            leaf(w, pairs->terms[i], factor * (values[1] - values[0]) / mean);
    }
}

/* Whether the terms of a sum can be told apart: none takes away. */
static bool adds_up(const struct walk *w, const struct pairs *pairs)
{
    for (int i = 0; i < pairs->count; i++)
        for (int side = 0; side < 2; side++)
            if (pairs->terms[i][side] >= 0 && !(value_of(w, side, pairs->terms[i][side]) >= 0))
                return false;
    return true;
}

/* One of several that have limits of their own. */
static bool is_stream(const struct walk *w, int term)
{
    const struct model_record *record = w->record;
    for (int i = 0; i < record->n_streams && record->n_streams > 1; i++)
        if (record->streams[i].term == term)
            return true;
    return false;
}

/* Adds factor * ln(right / left), of two positive terms. */
static void walk(const struct walk *parent, int left, int right, double factor)
{
    struct walk inner = *parent;
    const struct walk *w = &inner;
    int terms[] = {taken(w, 0, left), taken(w, 1, right)};
    const struct term *a = term_of(w, 0, terms[0]), *b = term_of(w, 1, terms[1]);
    double whole[] = {value_of(w, 0, terms[0]), value_of(w, 1, terms[1])};
    double change = log(whole[1] / whole[0]);
    struct pairs pairs;
    bool same = a->kind == TERM_OPERATION && b->kind == TERM_OPERATION && a->op == b->op &&
                !a->resource && !b->resource;
    if (change == 0)
        return;
    if (same && a->op == EXPRESSION_DIVIDE && whole[0] > 0 && value_of(w, 0, a->args[0]) > 0 &&
        value_of(w, 1, b->args[0]) > 0) {
        walk(w, a->args[0], b->args[0], factor);
        walk(w, a->args[1], b->args[1], -factor);
        return;
    }
    bool known = same && (a->op == EXPRESSION_MIN || a->op == EXPRESSION_ADD);
    if (!known || !pair_up(w, a, b, &pairs) || (a->op == EXPRESSION_ADD && !adds_up(w, &pairs))) {
        leaf(w, terms, factor * change);
        return;
    }
    if (is_stream(w, terms[0]))
        inner.stream = a->name;
    if (a->op == EXPRESSION_MIN)
        walk_minimum(w, &pairs, factor);
    else
        walk_sum(w, &pairs, whole, factor);
}

/* --- networks ------------------------------------------------------------------------------- */

struct station_time {
    const char *name;
    double service, wait; /* seconds of the launches */
};

/* A record's time, as requests have it; what launches take beside goes to the first one. */
static void divide(const struct answer *answer, const struct model_record *record, double time,
                   struct station_time *out)
{
    double start = limits_metric(answer, record, "start_time"), all = 0;
    start = start > 0 ? fmin(start, time) : 0;
    for (int i = 0; i < record->n_stations; i++)
        all += answer->values[record->stations[i].stay];
    for (int i = 0; i < record->n_stations; i++) {
        const struct model_station *s = &record->stations[i];
        double share = (time - start) / all;
        out[i] = (struct station_time){
            s->name, share * answer->values[s->service],
            share * fmax(0, answer->values[s->stay] - answer->values[s->service])};
    }
    out[record->n_stations] = (struct station_time){"start and end of launches", start, 0};
}

static const struct station_time *find(const struct station_time *times, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(times[i].name, name) == 0)
            return &times[i];
    return NULL;
}

static void add_times(const struct walk *w, const char *name, const struct station_time *before,
                      const struct station_time *after, double mean)
{
    static const struct station_time none = {0};
    char text[80];
    before = before ? before : &none;
    after = after ? after : &none;
    snprintf(text, sizeof text, "%s: service", name);
    bool waits = before->wait > 0 || after->wait > 0;
    add(w, waits ? text : name, DIM_SECONDS, before->service, after->service,
        (after->service - before->service) / mean);
    snprintf(text, sizeof text, "%s: waiting", name);
    if (waits)
        add(w, text, DIM_SECONDS, before->wait, after->wait, (after->wait - before->wait) / mean);
}

static void walk_stations(const struct walk *w, const struct model_record *const *records,
                          const double *times, double mean)
{
    struct station_time parts[2][MODEL_STATIONS_MAX + 1];
    int n[2];
    for (int side = 0; side < 2; side++) {
        divide(w->answers[side], records[side], times[side], parts[side]);
        n[side] = records[side]->n_stations + 1;
    }
    for (int i = 0; i < n[0]; i++)
        add_times(w, parts[0][i].name, &parts[0][i], find(parts[1], n[1], parts[0][i].name), mean);
    for (int i = 0; i < n[1]; i++)
        if (!find(parts[0], n[0], parts[1][i].name))
            add_times(w, parts[1][i].name, NULL, &parts[1][i], mean);
}

/* --- runs ------------------------------------------------------------------------------------- */

static int record_term(const struct model_record *record, const char *name)
{
    for (int i = 0; i < record->n_metrics; i++)
        if (strcmp(record->metrics[i].name, name) == 0)
            return record->metrics[i].term;
    return -1;
}

/* Of a record whose bytes nobody knows, that of one byte. */
static double time_of(const struct answer *answer, const struct model_record *record)
{
    double time = limits_metric(answer, record, "kernel_time");
    return isnan(time) ? 1 / limits_metric(answer, record, "effective_bandwidth") : time;
}

static void walk_record(struct walk *w, const struct model_record *const *records,
                        const double *times, double mean)
{
    double factor = difference_mean(times[0], times[1]) / mean, bytes[2];
    w->weight = factor;
    if (records[0]->n_stations && records[1]->n_stations) {
        walk_stations(w, records, times, mean);
        return;
    }
    int left = record_term(records[0], "effective_bandwidth");
    int right = record_term(records[1], "effective_bandwidth");
    for (int side = 0; side < 2; side++)
        bytes[side] =
            times[side] * limits_metric(w->answers[side], records[side], "effective_bandwidth");
    if (fabs(bytes[1] / bytes[0] - 1) > NOTHING)
        add(w, "bytes asked for", DIM_BYTES, bytes[0], bytes[1], factor * log(bytes[1] / bytes[0]));
    walk(w, left, right, -factor);
}

static int compare(const void *a, const void *b)
{
    const struct difference *left = a, *right = b;
    double x = fabs(left->contribution), y = fabs(right->contribution);
    if (x != y)
        return x > y ? -1 : 1;
    return strcmp(left->name, right->name);
}

static int check(const struct answer *const answers[2], double *whole, struct error *error)
{
    const struct model_result *a = &answers[0]->result, *b = &answers[1]->result;
    bool same = a->n_records == b->n_records;
    for (size_t r = 0; r < a->n_records && same; r++)
        same = a->records[r].empty == b->records[r].empty &&
               a->records[r].record->launches == b->records[r].record->launches;
    if (!same)
        return error_set(error, STATUS_INPUT,
                         "the two are of other launches: %zu groups of them, and %zu", a->n_records,
                         b->n_records);
    for (int side = 0; side < 2; side++) {
        whole[side] = 0;
        for (size_t r = 0; r < a->n_records; r++)
            if (!a->records[r].empty)
                whole[side] += time_of(answers[side], &answers[side]->result.records[r]);
    }
    if (!(whole[0] > 0 && whole[1] > 0))
        return error_set(error, STATUS_INPUT, "the times of the launches are unknown");
    return 0;
}

int differences_find(const struct answer *const answers[2], struct differences *out,
                     struct error *error)
{
    double whole[2];
    *out = (struct differences){0};
    int status = check(answers, whole, error);
    if (status)
        return status;
    out->log_ratio = log(whole[1] / whole[0]);
    for (size_t r = 0; r < answers[0]->result.n_records; r++) {
        const struct model_record *records[] = {&answers[0]->result.records[r],
                                                &answers[1]->result.records[r]};
        struct walk w = {answers, out, records[0], 0, NULL};
        if (records[0]->empty)
            continue;
        double times[] = {time_of(answers[0], records[0]), time_of(answers[1], records[1])};
        walk_record(&w, records, times, difference_mean(whole[0], whole[1]));
    }
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, compare);
    while (out->count && fabs(out->items[out->count - 1].contribution) <= NOTHING)
        out->count--;
    return 0;
}
