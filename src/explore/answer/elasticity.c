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

/* The metric with a parameter less and more, by a small step and by the one that was asked for. */
enum { SMALL_LESS, SMALL_MORE, LESS, MORE, MOVES };

struct finder {
    struct point *point;
    const struct answer *answer;
    const char *metric;
    double step, here;
    double *changes; /* [parameter][move]: the metric over that here, less 1; NaN: cannot be */
    double *inputs;  /* [place][input] of the model's terms, for those that are inputs alone */
    size_t *places;  /* [place]: of changes */
    size_t n_places;
    struct error *error;
};

static double moved_by(const struct finder *f, int move)
{
    double size = move == LESS || move == MORE ? f->step : SMALL_STEP;
    return move == LESS || move == SMALL_LESS ? -size : size;
}

static double moved(const struct elasticity *e, bool whole, double step)
{
    double to = e->value * (1 + step);
    if (!whole)
        return to;
    to = round(to);
    return to == e->value ? e->value + (step > 0 ? 1 : -1) : to;
}

/* An input of the model: one more column of its terms, in the unit in which the number is given.
 * Nothing is entered where the machine cannot be so. */
static void enter_input(struct finder *f, const struct parameter *p, double factor, size_t place)
{
    size_t n_inputs = (size_t)term_input_count(f->answer->graph);
    struct parameter_value value = p->section->values[p->index];
    struct machine *machine = machine_clone(f->point->machine);
    struct error refused;
    char path[128];
    double si;
    value.number *= factor;
    if (p->row->kind == PARAMETER_COUNT)
        value.number = round(value.number);
    parameter_path(p, path, sizeof path);
    int status = parameter_si(machine, p, &value, &si, &refused);
    if (!status)
        status = parameter_check(p, si, NULL, &refused);
    if (!status)
        status = machine_set_value(machine, path, &value, &refused);
    if (!status)
        status = machine_check(machine, &refused);
    if (!status)
        status =
            model_bind(f->answer->graph, machine, f->inputs + f->n_places * n_inputs, &refused);
    machine_destroy(machine);
    if (!status)
        f->places[f->n_places++] = place;
}

/* What is built into the terms: an answer of its own. */
static int change_at(const struct finder *f, const struct elasticity *e, double value, double *out)
{
    struct quantity metric = {(double)NAN, DIM_NONE};
    struct error refused;
    struct machine *own = f->point->machine;
    f->point->machine = machine_clone(own);
    int status = point_set(f->point, e->path, value, &refused);
    if (!status)
        status = point_metric(f->point, f->metric, &metric, &refused);
    machine_destroy(f->point->machine);
    f->point->machine = own;
    if (status == STATUS_INTERRUPTED) {
        *f->error = refused;
        return status;
    }
    *out = status ? (double)NAN : metric.value / f->here - 1;
    return 0;
}

/* Moves the i-th parameter, or has it moved later, with all others. */
static int move_one(struct finder *f, size_t i, const struct elasticity *e)
{
    struct parameter p;
    int status = machine_find(f->point->machine, e->path, &p, f->error);
    for (int move = 0; move < MOVES && !status; move++) {
        double to = moved(e, p.row->kind == PARAMETER_COUNT, moved_by(f, move));
        size_t place = i * MOVES + (size_t)move;
        f->changes[place] = (double)NAN;
        if (p.row->structure == STRUCTURE_NONE)
            enter_input(f, &p, to / e->value, place);
        else
            status = change_at(f, e, to, &f->changes[place]);
    }
    return status;
}

/* All that are inputs, side by side. */
static int move_inputs(struct finder *f)
{
    double *values = memory_zero(f->n_places + 1, sizeof *values);
    int status = answer_metric_many(f->answer, f->metric, f->inputs, f->n_places, values, f->error);
    for (size_t k = 0; k < f->n_places && !status; k++)
        f->changes[f->places[k]] = values[k] / f->here - 1;
    free(values);
    return status;
}

/* Central where both sides are there, else of the one that is. */
static void take_changes(const double *changes, bool whole, struct elasticity *e)
{
    double at[2], values[2];
    for (int side = 0; side < 2; side++) {
        bool there = !isnan(changes[side]);
        values[side] = there ? moved(e, whole, side ? SMALL_STEP : -SMALL_STEP) / e->value : 1;
        at[side] = there ? changes[side] : 0;
    }
    e->elasticity = log((1 + at[1]) / (1 + at[0])) / log(values[1] / values[0]);
    e->less = changes[LESS];
    e->more = changes[MORE];
}

/* Every parameter of the list. */
static int move_all(struct finder *f, struct elasticities *out)
{
    size_t n_inputs = (size_t)term_input_count(f->answer->graph), moves = out->count * MOVES;
    int status = 0;
    f->changes = memory_zero(moves + 1, sizeof *f->changes);
    f->inputs = memory_zero(moves * n_inputs + 1, sizeof *f->inputs);
    f->places = memory_zero(moves + 1, sizeof *f->places);
    progress_begin_items("moving", "parameters", out->count, "answers");
    for (size_t i = 0; i < out->count && !status; i++) {
        status = interrupt_check(f->error);
        if (!status)
            status = move_one(f, i, &out->items[i]);
        progress_item();
    }
    if (!status)
        status = move_inputs(f);
    progress_end();
    for (size_t i = 0; i < out->count && !status; i++) {
        struct parameter p;
        status = machine_find(f->point->machine, out->items[i].path, &p, f->error);
        if (!status)
            take_changes(f->changes + i * MOVES, p.row->kind == PARAMETER_COUNT, &out->items[i]);
    }
    free(f->changes);
    free(f->inputs);
    free(f->places);
    return status;
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

int elasticities_find(struct point *point, const struct answer *answer, const char *metric,
                      double step, bool structural, struct elasticities *out, struct error *error)
{
    struct finder f = {.point = point, .metric = metric, .step = step, .error = error};
    struct answer *own = NULL;
    *out = (struct elasticities){0};
    int status = point_check_metric(point, metric, error);
    if (!status && !answer)
        status = point_answer(point, &own, error);
    if (status)
        return status;
    f.answer = answer ? answer : own;
    out->metric = answer_quantity(f.answer, metric);
    f.here = out->metric.value;
    if (!(fabs(f.here) > 0 && isfinite(f.here))) {
        status =
            error_set(error, STATUS_INPUT, "%s is 0 or unknown here: nothing to compare", metric);
        error_hint(error, "a profile by hand has no bytes, so no time; every model has "
                          "effective_bandwidth");
    }
    if (!status)
        status = list_parameters(point, f.answer, structural, out, error);
    if (!status)
        status = move_all(&f, out);
    answer_destroy(own);
    if (status || out->count == 0)
        return status;
    qsort(out->items, out->count, sizeof *out->items, compare);
    while (out->count && size_of(&out->items[out->count - 1]) < NO_CHANGE)
        out->count--;
    return 0;
}
