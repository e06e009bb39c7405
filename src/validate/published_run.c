/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of a system as rows: those over workloads are profiled together first. Those over a
 * paper's own workloads take long: they are made where all is asked for, or another input of
 * theirs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "explore/answer/baseline.h"
#include "validate/figure_views.h"
#include "validate/subjects.h"

struct run {
    const struct published *published;
    const struct validation_request *request;
    struct sheet *rows;
    struct figure *figures; /* one a published figure */
    size_t n_open;
    struct validation_subjects subjects; /* where figures are over what the user asks for */
    struct validation_subjects
        *groups;     /* one a group of the file; those that are needed are open */
    size_t left_out; /* figures over groups */
    size_t ratios;   /* predicted ones; of them point the wrong way: */
    struct text wrong;
    size_t n_wrong;
    struct error *error;
};

/* --- workloads --------------------------------------------------------------------------- */

/* Of a figure with a mean; NULL: it is left out. */
static const struct validation_subjects *subjects_of(const struct run *run,
                                                     const struct published_figure *f)
{
    const struct validation_subjects *s = f->group < 0 ? &run->subjects : &run->groups[f->group];
    return s->list.count ? s : NULL;
}

/* Those of a group that the user's names leave, with his input where he names one. */
static int open_group(struct run *run, const struct published_group *group,
                      struct validation_subjects *out)
{
    struct validation_request own = *run->request;
    struct {
        const char **items;
        size_t count, capacity;
    } names = {0};
    int status = 0;
    for (const char *const *w = group->workloads; *w; w++) {
        bool asked = own.n_workloads == 0;
        for (size_t i = 0; i < own.n_workloads; i++)
            asked = asked || strcmp(own.workloads[i], *w) == 0;
        if (asked)
            VECTOR_PUSH(&names, *w);
    }
    own.input = own.input ? own.input : group->input;
    own.workloads = names.items;
    own.n_workloads = names.count;
    if (names.count)
        status = validation_subjects_open(out, &own, run->rows, run->error);
    VECTOR_FREE(&names);
    if (status)
        error_place(run->error, &group->mark);
    return status;
}

static int open_subjects(struct run *run)
{
    const struct validation_request *request = run->request;
    bool any = false;
    int status = 0;
    for (size_t i = 0; i < run->n_open && !status; i++) {
        const struct published_figure *f = run->figures[i].published;
        struct validation_subjects *group = f->group < 0 ? NULL : &run->groups[f->group];
        any |= f->mean != PUBLISHED_OF_ONE && !group;
        if (group && !group->arena && (request->all || request->input))
            status = open_group(run, &run->published->groups.items[f->group], group);
    }
    struct validation_request own = *request;
    own.input = own.input ? own.input : "small";
    if (any && !status)
        status = validation_subjects_open(&run->subjects, &own, run->rows, run->error);
    return status;
}

static void close_subjects(struct run *run)
{
    for (size_t g = 0; g < run->published->groups.count; g++)
        if (run->groups[g].arena)
            validation_subjects_close(&run->groups[g]);
    if (run->subjects.arena)
        validation_subjects_close(&run->subjects);
    free(run->groups);
}

/* Makes all views, or enters them into the list (NULL: none). */
static int profile_all(const struct run *run, struct view_list *list)
{
    struct figure_views views = {0};
    int status = 0;
    for (size_t i = 0; i < run->n_open && !status; i++) {
        const struct published_figure *f = run->figures[i].published;
        const struct validation_subjects *subjects = subjects_of(run, f);
        if (f->mean != PUBLISHED_OF_ONE && subjects)
            status = figure_views_add(&views, &run->figures[i], &subjects->list, run->error);
    }
    if (!status && list)
        status = figure_views_list(&views, list, run->error);
    else if (!status)
        status = figure_views_make(&views, run->request->threads, run->error);
    figure_views_fini(&views);
    return status;
}

/* Asks the models for all workloads at once; single workloads and points are asked as they come. */
static int answer_all(struct run *run)
{
    struct answers *answers = run->request->answers;
    for (size_t i = 0; i < run->n_open && answers; i++) {
        struct figure *figure = &run->figures[i];
        const struct validation_subjects *subjects = subjects_of(run, figure->published);
        figure->answers = answers;
        if (figure->published->mean != PUBLISHED_OF_ONE && subjects)
            figure_enter(figure, &subjects->list, answers);
    }
    return answers ? answers_make(answers, run->request->threads, run->error) : 0;
}

/* --- means and notes ------------------------------------------------------------------- */

double published_mean_of(enum published_mean mean, const double *values, size_t count)
{
    struct baseline_means means = baseline_means(values, count);
    double largest = values[0], smallest = values[0], sum = values[0];
    for (size_t i = 1; i < count; i++) {
        sum += values[i];
        largest = fmax(largest, values[i]);
        smallest = fmin(smallest, values[i]);
    }
    switch (mean) {
    case PUBLISHED_ARITHMETIC:
        return means.arithmetic;
    case PUBLISHED_GEOMETRIC:
        return means.geometric;
    case PUBLISHED_HARMONIC:
        return means.harmonic;
    case PUBLISHED_INVERSE:
        return (double)count / sum;
    case PUBLISHED_LARGEST:
        return largest;
    case PUBLISHED_SMALLEST:
        return smallest;
    case PUBLISHED_OF_ONE:
        break;
    }
    return values[0];
}

static int note_each(struct run *run, struct figure *figure,
                     const struct validation_subjects *subjects, size_t w)
{
    const struct published_figure *f = figure->published;
    struct text text = {0};
    int status = 0;
    for (size_t i = 0; i < f->n_each && !status; i++) {
        const struct published_part *part = &f->each[i];
        struct quantity value = {(double)NAN, DIM_NONE};
        char number[64];
        if (part->value)
            status =
                figure_evaluate(figure, subjects->list.items[w], part->value, &value, run->error);
        if (!part->value)
            text_append(&text, part->text);
        else if (part->decimals >= 0)
            text_printf(&text, "%.*f", part->decimals, value.value);
        else
            text_append(&text, number_round(value.value, 4, number, sizeof number));
    }
    if (!status && f->each)
        sheet_add_note(run->rows, "%s: %s", subjects->labels.items[w], text.data);
    text_free(&text);
    return status;
}

static int over_workloads(struct run *run, struct figure *figure,
                          const struct validation_subjects *subjects, double *ours)
{
    size_t n = subjects->list.count;
    double *values = memory_zero(n, sizeof *values);
    int status = 0;
    for (size_t w = 0; w < n && !status; w++) {
        const struct subject *subject = subjects->list.items[w];
        status = interrupt_check(run->error);
        if (!status)
            status = figure_value(figure, subject, &values[w], run->error);
        if (!status)
            status = note_each(run, figure, subjects, w);
        if (status)
            error_context(run->error, "workload %s", subject->name);
    }
    if (!status)
        *ours = published_mean_of(figure->published->mean, values, n);
    free(values);
    return status;
}

/* --- rows -------------------------------------------------------------------------------- */

/* Ours of a figure, told to who goes through them. */
static int tell(struct run *run, struct figure *figure, published_value_fn *fn, void *context)
{
    const struct published_figure *f = figure->published;
    const struct validation_subjects *subjects = subjects_of(run, f);
    double ours = (double)NAN;
    int status;
    if (f->mean != PUBLISHED_OF_ONE && !subjects) {
        run->left_out++;
        return 0;
    }
    if (f->mean != PUBLISHED_OF_ONE)
        status = over_workloads(run, figure, subjects, &ours);
    else if (f->workload)
        status = published_figure_value(f, run->request->machine, &ours, run->error);
    else
        status = figure_value(figure, NULL, &ours, run->error);
    if (status)
        return status;
    bool mean = f->mean != PUBLISHED_OF_ONE;
    const struct published_value value = {f, mean ? &subjects->list : NULL, ours};
    return fn(context, &value, run->error);
}

static int add_row(void *context, const struct published_value *value, struct error *error)
{
    struct run *run = context;
    const struct checkpoint *row = &value->figure->row;
    (void)error;
    checkpoint_add(row, value->ours, run->rows);
    run->ratios += row->how == CHECKPOINT_PREDICTION && strcmp(row->unit, "x") == 0;
    if (checkpoint_turns(row, value->ours))
        text_printf(&run->wrong, "%s%s", run->n_wrong++ ? "; " : "", row->what);
    return 0;
}

static void add_notes(const struct run *run)
{
    static const char place[] = "{workloads}";
    if (run->ratios)
        sheet_add_note(run->rows, "%zu of %zu predicted ratios point the wrong way%s%s.",
                       run->n_wrong, run->ratios, run->n_wrong ? ": " : "",
                       run->n_wrong ? run->wrong.data : "");
    for (size_t i = 0; i < run->published->notes.count; i++) {
        struct text text = {0};
        const char *at = run->published->notes.items[i], *found;
        for (; (found = strstr(at, place)); at = found + strlen(place)) {
            text_append_bytes(&text, at, (size_t)(found - at));
            text_printf(&text, "%zu", run->subjects.list.count);
        }
        text_append(&text, at);
        sheet_add_note(run->rows, "%s", text.data);
        text_free(&text);
    }
    if (run->left_out)
        sheet_add_note(run->rows, "%zu figure%s over the paper's own workloads %s left out: %s.",
                       run->left_out, run->left_out == 1 ? "" : "s",
                       run->left_out == 1 ? "is" : "are",
                       run->request->all || run->request->input
                           ? "none of these is asked for"
                           : "--all has them at published inputs, --input I at others");
}

static int run_open(struct run *run)
{
    const struct published *published = run->published;
    int status = 0;
    run->figures = memory_zero(published->figures.count, sizeof *run->figures);
    run->groups = memory_zero(published->groups.count, sizeof *run->groups);
    for (size_t i = 0; i < published->figures.count && !status; i++) {
        const struct published_figure *f = &published->figures.items[i];
        if (checkpoint_is_asked(run->request->where, f->row.where) &&
            checkpoint_is_named(run->request->figures, f->row.what))
            status = figure_open(&run->figures[run->n_open++], f, run->request->machine, NULL,
                                 run->error);
    }
    return status ? status : open_subjects(run);
}

static void run_close(struct run *run)
{
    for (size_t i = 0; i < run->n_open; i++)
        figure_close(&run->figures[i]);
    free(run->figures);
    close_subjects(run);
    text_free(&run->wrong);
}

/* Opens, profiles, asks and goes through. */
static int run_go(struct run *run, published_value_fn *fn, void *context)
{
    int status = run_open(run);
    if (!status)
        status = profile_all(run, NULL);
    if (!status)
        status = answer_all(run);
    for (size_t i = 0; i < run->n_open && !status; i++)
        status = tell(run, &run->figures[i], fn, context);
    return status;
}

int published_go(const struct published *published, const struct validation_request *request,
                 struct sheet *rows, published_value_fn *fn, void *context, struct error *error)
{
    struct run run = {.published = published, .request = request, .rows = rows, .error = error};
    int status = run_go(&run, fn, context);
    run_close(&run);
    return status;
}

int published_run(const struct published *published, const struct validation_request *request,
                  struct sheet *rows, struct error *error)
{
    struct run run = {.published = published, .request = request, .rows = rows, .error = error};
    int status = run_go(&run, add_row, &run);
    if (!status)
        add_notes(&run);
    run_close(&run);
    return status;
}

int published_views(const struct published *published, const struct validation_request *request,
                    struct view_list *list, struct error *error)
{
    struct sheet *unused = sheet_create(checkpoint_columns); /* notes on workloads */
    struct run run = {.published = published, .request = request, .rows = unused, .error = error};
    int status = run_open(&run);
    if (!status)
        status = profile_all(&run, list);
    run_close(&run);
    sheet_destroy(unused);
    return status;
}
