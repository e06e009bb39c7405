/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of a system as rows: those over workloads are profiled together first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "explore/baseline.h"
#include "validate/figure_views.h"
#include "validate/subjects.h"

struct run {
    const struct published *published;
    const struct validation_request *request;
    struct sheet *rows;
    struct figure *figures; /* one a published figure */
    size_t n_open;
    struct validation_subjects subjects; /* where figures are over workloads */
    bool any_mean;
    struct error *error;
};

/* --- profiling -------------------------------------------------------------------------- */

static int profile_all(const struct run *run)
{
    struct figure_views views = {0};
    int status = 0;
    for (size_t i = 0; i < run->n_open && !status; i++)
        if (run->figures[i].published->mean != PUBLISHED_OF_ONE)
            status = figure_views_add(&views, &run->figures[i], &run->subjects.list, run->error);
    if (!status)
        status = figure_views_make(&views, run->request->threads, run->error);
    figure_views_fini(&views);
    return status;
}

/* --- means and notes ------------------------------------------------------------------- */

static double mean_of(enum published_mean mean, const double *values, size_t count)
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

static int note_each(struct run *run, struct figure *figure, size_t w)
{
    const struct published_figure *f = figure->published;
    struct text text = {0};
    int status = 0;
    for (size_t i = 0; i < f->n_each && !status; i++) {
        const struct published_part *part = &f->each[i];
        struct quantity value = {(double)NAN, DIM_NONE};
        char number[64];
        if (part->value)
            status = figure_evaluate(figure, run->subjects.list.items[w], part->value, &value,
                                     run->error);
        if (!part->value)
            text_append(&text, part->text);
        else if (part->decimals >= 0)
            text_printf(&text, "%.*f", part->decimals, value.value);
        else
            text_append(&text, number_round(value.value, 4, number, sizeof number));
    }
    if (!status && f->each)
        sheet_add_note(run->rows, "%s: %s", run->subjects.labels.items[w], text.data);
    text_free(&text);
    return status;
}

static int over_workloads(struct run *run, struct figure *figure, double *ours)
{
    size_t n = run->subjects.list.count;
    double *values = memory_zero(n, sizeof *values);
    int status = 0;
    for (size_t w = 0; w < n && !status; w++) {
        const struct subject *subject = run->subjects.list.items[w];
        status = interrupt_check(run->error);
        if (!status)
            status = figure_value(figure, subject, &values[w], run->error);
        if (!status)
            status = note_each(run, figure, w);
        if (status)
            error_context(run->error, "workload %s", subject->name);
    }
    if (!status)
        *ours = mean_of(figure->published->mean, values, n);
    free(values);
    return status;
}

/* --- rows -------------------------------------------------------------------------------- */

static int add_row(struct run *run, struct figure *figure)
{
    const struct published_figure *f = figure->published;
    double ours = (double)NAN;
    int status;
    if (f->mean != PUBLISHED_OF_ONE)
        status = over_workloads(run, figure, &ours);
    else if (f->workload)
        status = published_figure_value(f, run->request->machine, &ours, run->error);
    else
        status = figure_value(figure, NULL, &ours, run->error);
    if (status)
        return status;
    checkpoint_add(&f->row, ours, run->rows);
    return 0;
}

static void add_notes(const struct run *run)
{
    static const char place[] = "{workloads}";
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
}

int published_run(const struct published *published, const struct validation_request *request,
                  struct sheet *rows, struct error *error)
{
    struct run run = {.published = published, .request = request, .rows = rows, .error = error};
    size_t n = published->figures.count;
    int status = 0;
    run.figures = memory_zero(n, sizeof *run.figures);
    while (run.n_open < n && !status) {
        const struct published_figure *f = &published->figures.items[run.n_open];
        run.any_mean |= f->mean != PUBLISHED_OF_ONE;
        status = figure_open(&run.figures[run.n_open++], f, request->machine, error);
    }
    if (!status && run.any_mean) {
        status = validation_subjects_open(&run.subjects, request, rows, error);
        if (!status)
            status = profile_all(&run);
    }
    for (size_t i = 0; i < n && !status; i++)
        status = add_row(&run, &run.figures[i]);
    if (!status)
        add_notes(&run);
    for (size_t i = 0; i < run.n_open; i++)
        figure_close(&run.figures[i]);
    free(run.figures);
    if (run.subjects.arena)
        validation_subjects_close(&run.subjects);
    return status;
}
