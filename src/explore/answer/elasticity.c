/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/answer/elasticity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "explore/answer/effect.h"

/* Of elasticities: small against what bends, large against what iterations leave. */
#define SMALL_STEP 0.01

/* Changes below it are rounding and what iterations leave. */
#define NO_CHANGE 1e-6

struct finder {
    struct point *point;
    const char *metric;
    double step, here;
    struct error *error;
};

/* The metric with the parameter at a value, over that here, less 1; NaN where that cannot be. */
static int change_at(const struct finder *f, const struct elasticity *e, double value, double *out)
{
    struct quantity metric = {(double)NAN, DIM_NONE};
    struct error refused;
    struct machine *own = f->point->machine;
    f->point->machine = machine_clone(own);
    int status = point_set(f->point, e->path, value, &refused);
    if (!status)
        status = point_metric_moved(f->point, e->path, f->metric, &metric, &refused);
    machine_destroy(f->point->machine);
    f->point->machine = own;
    *out = status ? (double)NAN : metric.value / f->here - 1;
    if (status == STATUS_INTERRUPTED) {
        *f->error = refused;
        return status;
    }
    return 0;
}

static double moved(const struct elasticity *e, bool whole, double step)
{
    double to = e->value * (1 + step);
    if (!whole)
        return to;
    to = round(to);
    return to == e->value ? e->value + (step > 0 ? 1 : -1) : to;
}

/* Central where both sides are there, else of the one that is. */
static int find_slope(const struct finder *f, struct elasticity *e, bool whole)
{
    double changes[2], values[2];
    for (int side = 0; side < 2; side++) {
        values[side] = moved(e, whole, side ? SMALL_STEP : -SMALL_STEP) / e->value;
        int status = change_at(f, e, values[side] * e->value, &changes[side]);
        if (status)
            return status;
        if (isnan(changes[side])) {
            values[side] = 1;
            changes[side] = 0;
        }
    }
    e->elasticity = log((1 + changes[1]) / (1 + changes[0])) / log(values[1] / values[0]);
    return 0;
}

static int find_one(const struct finder *f, struct elasticity *e, bool whole)
{
    int status = change_at(f, e, moved(e, whole, -f->step), &e->less);
    if (!status)
        status = change_at(f, e, moved(e, whole, f->step), &e->more);
    return status ? status : find_slope(f, e, whole);
}

static bool some_term_reads(const void *context, const char *path)
{
    return model_reads(((const struct answer *)context)->graph, path);
}

static double size_of(const struct elasticity *e)
{
    double less = isnan(e->less) ? 0 : fabs(e->less), more = isnan(e->more) ? 0 : fabs(e->more);
    return fmax(fmax(less, more), isnan(e->elasticity) ? 0 : fabs(e->elasticity) * NO_CHANGE);
}

static int compare(const void *a, const void *b)
{
    double left = size_of(a), right = size_of(b);
    if (left != right)
        return left > right ? -1 : 1;
    return strcmp(((const struct elasticity *)a)->path, ((const struct elasticity *)b)->path);
}

/* Numbers that are known, not 0, and act on the answer. */
static int list_parameters(const struct point *point, const struct answer *answer, bool structural,
                           struct elasticities *out, struct error *error)
{
    struct effect asked = {.machine = point->machine,
                           .models = &point->model,
                           .n_models = 1,
                           .profiled = point->subject->source != NULL,
                           .reads = some_term_reads,
                           .context = answer};
    struct parameter p;
    size_t cursor = 0;
    while (machine_next(point->machine, &cursor, &p)) {
        const struct parameter_value *value = &p.section->values[p.index];
        struct elasticity e = {.dim = p.row->dim};
        if (p.row->kind == PARAMETER_NAME || !value->known)
            continue;
        parameter_path(&p, e.path, sizeof e.path);
        int status = parameter_si(point->machine, &p, value, &e.value, error);
        if (status)
            return status;
        bool profiled = point->subject->source && (p.row->structure == STRUCTURE_STREAM ||
                                                   p.row->structure == STRUCTURE_HOME);
        if (e.value == 0 || !effect_acts(&asked, e.path))
            continue;
        if (profiled && !structural)
            out->structural++;
        else
            VECTOR_PUSH(out, e);
    }
    return 0;
}

int elasticities_find(struct point *point, const char *metric, double step, bool structural,
                      struct elasticities *out, struct error *error)
{
    struct finder f = {.point = point, .metric = metric, .step = step, .error = error};
    struct answer *answer = NULL;
    *out = (struct elasticities){0};
    int status = point_metric(point, metric, &out->metric, error);
    f.here = out->metric.value;
    if (!status && !(fabs(f.here) > 0 && isfinite(f.here))) {
        error_set(error, STATUS_INPUT, "%s is 0 or unknown here: nothing to compare", metric);
        return error_hint(error, "a profile by hand has no bytes, so no time; every model has "
                                 "effective_bandwidth");
    }
    if (!status)
        status = point_answer(point, &answer, error);
    if (!status)
        status = list_parameters(point, answer, structural, out, error);
    progress_begin_items("moving", "parameters", out->count, "answers");
    for (size_t i = 0; i < out->count && !status; i++) {
        struct parameter p;
        status = interrupt_check(error);
        if (!status)
            status = machine_find(point->machine, out->items[i].path, &p, error);
        if (!status)
            status = find_one(&f, &out->items[i], p.row->kind == PARAMETER_COUNT);
        progress_item();
    }
    progress_end();
    answer_destroy(answer);
    if (status || out->count == 0)
        return status;
    qsort(out->items, out->count, sizeof *out->items, compare);
    while (out->count && size_of(&out->items[out->count - 1]) < NO_CHANGE)
        out->count--;
    return 0;
}
