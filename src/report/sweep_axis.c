/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of a sweep's pictures: what a column is, in the tables' own words, so that a reader
 * needs neither the paper nor the space's file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/plugin.h"
#include "core/suggest.h"
#include "report/sweep_internal.h"

/* A list of workloads longer than this is their number. */
enum {
    WORKLOADS_TEXT = 60,
    NOTE_LINE = 24, /* what comes after it starts another line */
    HELP_LONG = 52,
};

/* What a column's name says: which metric of which model, and of which workload. */
struct metric_name {
    const struct model *model;
    const struct model_metric *metric; /* NULL: the column is none */
    const char *at;                    /* behind "@"; NULL: all workloads */
};

static struct metric_name metric_name(const struct space *space, const char *column)
{
    char text[200];
    const char *at = strchr(column, '@');
    struct metric_name name = {.model = space->models[0], .at = at ? at + 1 : NULL};
    snprintf(text, sizeof text, "%.*s", (int)(at ? (size_t)(at - column) : strlen(column)), column);
    const char *bare = text;
    for (size_t m = 0; m < space->n_models; m++) {
        size_t length = strlen(space->models[m]->plugin.name);
        if (strncmp(text, space->models[m]->plugin.name, length) == 0 && text[length] == '.') {
            name.model = space->models[m];
            bare = text + length + 1;
        }
    }
    name.metric = model_metric_find(name.model, bare);
    if (!name.metric && space->speedup_vs && strcmp(bare, model_speedup_metric.name) == 0)
        name.metric = &model_speedup_metric;
    return name;
}

/* As explore/sweep/structure.c aggregates. */
enum aggregate {
    AGGREGATE_HARMONIC,
    AGGREGATE_GEOMETRIC,
    AGGREGATE_ARITHMETIC,
    AGGREGATE_SUM,
    AGGREGATE_NONE
}; /* the column is of one workload, or no metric */

static enum aggregate aggregate_kind(const struct sweep *sweep, const struct metric_name *name)
{
    enum space_mean mean = sweep->space->mean;
    if (!name->metric || (name->at && !space_mean_find(name->at, &mean)))
        return AGGREGATE_NONE;
    if (name->metric->combine == COMBINE_SUM)
        return AGGREGATE_SUM;
    if (name->metric->combine == COMBINE_MEAN || name->metric->combine == COMBINE_TIME)
        return AGGREGATE_ARITHMETIC;
    return mean == MEAN_HARMONIC    ? AGGREGATE_HARMONIC
           : mean == MEAN_GEOMETRIC ? AGGREGATE_GEOMETRIC
                                    : AGGREGATE_ARITHMETIC;
}

/* NULL: it is none. */
static const char *aggregate_of(const struct sweep *sweep, const struct metric_name *name)
{
    static const char *const names[] = {"harmonic mean", "geometric mean", "arithmetic mean", "sum",
                                        NULL};
    return names[aggregate_kind(sweep, name)];
}

double sweep_aggregate(const struct sweep *sweep, size_t column, const double *values, size_t count)
{
    struct metric_name name = metric_name(sweep->space, sweep->columns[column].name);
    struct baseline_means means = baseline_means(values, count);
    switch (aggregate_kind(sweep, &name)) {
    case AGGREGATE_HARMONIC:
        return means.harmonic;
    case AGGREGATE_GEOMETRIC:
        return means.geometric;
    case AGGREGATE_SUM:
        return means.arithmetic * (double)count;
    case AGGREGATE_ARITHMETIC:
        return means.arithmetic;
    case AGGREGATE_NONE:
        break;
    }
    return (double)NAN;
}

const char *sweep_aggregate_name(const struct sweep *sweep, size_t column)
{
    struct metric_name name = metric_name(sweep->space, sweep->columns[column].name);
    const char *all = aggregate_of(sweep, &name);
    return all ? all : "all";
}

/* "harmonic mean of 6 workloads" */
static void append_aggregate(const struct sweep *sweep, const struct metric_name *name,
                             struct text *out)
{
    const char *all = aggregate_of(sweep, name);
    if (sweep->space->n_workloads < 2)
        return;
    text_append(out, !out->length ? "" : out->length > NOTE_LINE ? "\n" : ", ");
    if (all)
        text_printf(out, "%s of %zu workloads", all, sweep->space->n_workloads);
    else
        text_printf(out, "of %s", name->at);
}

static const char *formula_of(const struct space *space, const char *name)
{
    for (size_t i = 0; i < space->n_lets; i++)
        if (strcmp(space->lets[i].name, name) == 0)
            return space->lets[i].text;
    return NULL;
}

/* Of a long help what comes before the details. */
static void append_help(const char *help, struct text *out)
{
    size_t length = strlen(help), details = strcspn(help, ":;");
    text_append_bytes(out, help, length > HELP_LONG && details > 8 ? details : length);
}

static void append_parameter(const struct parameter_row *row, struct text *out)
{
    static const char *const telling[] = {"chip", "SM", "link", "link and direction"};
    append_help(row->help, out);
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
        if (strcmp(row->per, telling[i]) == 0)
            text_printf(out, ", per %s", row->per);
}

/* What stands for a column that is no metric: a parameter's help, a cost's summary, a total's
 * help, a formula. */
static void append_meaning(const struct sweep *sweep, const char *column, struct text *out)
{
    struct parameter parameter;
    struct error ignored;
    const char *formula = formula_of(sweep->space, column);
    const struct plugin *cost =
        strncmp(column, "cost.", 5) == 0 ? plugin_find("cost", column + 5) : NULL;
    if (formula)
        text_printf(out, "= %s", formula);
    else if (cost)
        text_append(out, cost->summary);
    else if (machine_find(sweep->space->machine, column, &parameter, &ignored) == 0)
        append_parameter(parameter.row, out);
    for (const struct model_total_row *total = model_total_table; total->name; total++)
        if (strcmp(total->name, column) == 0)
            text_append(out, total->help);
}

/* Bandwidth and time, which every model has, say what they are by their names. */
static bool is_common(const struct model_metric *metric)
{
    for (const struct model_metric *m = model_common_metrics; m->name; m++)
        if (m == metric)
            return true;
    return false;
}

struct plot_axis sweep_plot_axis(const struct sweep *sweep, size_t column, bool aggregate,
                                 struct arena *arena)
{
    const struct sweep_column *c = &sweep->columns[column];
    struct metric_name name = metric_name(sweep->space, c->name);
    const char *versus = sweep->space->speedup_vs;
    struct plot_axis axis = {.title = c->name};
    struct text note = {0};
    char unit[64];
    if (!dim_equal(c->dim, DIM_NONE))
        axis.unit = arena_strdup(arena, dim_unit(c->dim, unit, sizeof unit));
    if (!name.metric || c->kind != COLUMN_METRIC) {
        append_meaning(sweep, c->name, &note);
    } else {
        if (versus && strcmp(name.metric->name, model_speedup_metric.name) == 0) {
            axis.title = arena_printf(arena, "speed-up against %s", versus);
            text_printf(&note, "model %s", name.model->plugin.name);
        } else if (!is_common(name.metric)) {
            append_help(name.metric->help, &note);
        }
        if (aggregate)
            append_aggregate(sweep, &name, &note);
    }
    axis.note = note.length ? arena_strdup(arena, note.data) : NULL;
    text_free(&note);
    return axis;
}

const char *sweep_plot_title(const struct sweep *sweep, const struct space_plot *wanted)
{
    const struct space *space = sweep->space;
    if (wanted && wanted->title)
        return wanted->title;
    return space->summary[0] ? space->summary : space->name;
}

static void append_workloads(const struct sweep *sweep, struct text *out)
{
    size_t n = sweep->space->n_workloads, length = 0;
    for (size_t w = 0; w < n; w++)
        length += strlen(sweep->workload_names[w]) + 2;
    if (n > 1 && length > WORKLOADS_TEXT)
        text_printf(out, "%zu workloads", n);
    for (size_t w = 0; w < n && (n == 1 || length <= WORKLOADS_TEXT); w++)
        text_printf(out, "%s%s", w ? ", " : "", sweep->workload_names[w]);
}

/* "; llc.capacity 4 MiB": axes that stand still in the points of `row`. */
static void append_held(const struct sweep *sweep, const struct sweep_row *row, size_t x, size_t by,
                        struct text *out)
{
    for (size_t c = 0; c < sweep->n_columns; c++) {
        const struct sweep_column *column = &sweep->columns[c];
        char buffer[64];
        if (column->kind != COLUMN_AXIS || column->axis == x || column->axis == by ||
            sweep->space->axes[column->axis].n_values < 2)
            continue;
        text_printf(out, "; %s %s", column->name,
                    column->text ? row->labels[c]
                                 : quantity_format((struct quantity){row->values[c], column->dim},
                                                   4, buffer, sizeof buffer));
    }
}

const char *sweep_plot_subtitle(const struct sweep *sweep, const struct sweep_row *row, size_t x,
                                size_t by, struct arena *arena)
{
    const struct space *space = sweep->space;
    struct text out = {0};
    text_printf(&out, "%s", space->name);
    if (!row)
        text_printf(&out, ": %llu points, %zu on the front", (unsigned long long)sweep->kept,
                    sweep->front.count);
    if (sweep_axis_find(sweep, "machine") == SIZE_MAX)
        text_printf(&out, "; machine %s", space->machine->name);
    text_append(&out, "; ");
    append_workloads(sweep, &out);
    if (row)
        append_held(sweep, row, x, by, &out);
    const char *kept = arena_strdup(arena, out.data);
    text_free(&out);
    return kept;
}

/* --- what is not there ---------------------------------------------------------------- */

const char *sweep_gap(const struct sweep_row *row, size_t column, struct sweep_gaps *gaps)
{
    if (!row->built) {
        gaps->refused++;
        return "refused";
    }
    if (!row->kept) {
        gaps->excluded++;
        return "excluded";
    }
    if (isfinite(row->values[column]))
        return NULL;
    gaps->unknown++;
    return "unknown";
}

const char *sweep_gaps_remark(const struct sweep_gaps *gaps, const struct text *lost,
                              struct arena *arena)
{
    const size_t counts[] = {gaps->refused, gaps->excluded, gaps->unknown};
    static const char *const words[] = {"refused", "excluded", "unknown"};
    struct text out = {0};
    for (int i = 0; i < 3; i++)
        if (counts[i])
            text_printf(&out, "%s%zu %s", out.length ? ", " : "not drawn: ", counts[i], words[i]);
    if (!out.length)
        return NULL;
    if (lost && lost->length)
        text_printf(&out, ", all of %s among them", lost->data);
    if (gaps->refused + gaps->excluded)
        text_append(&out, "; manifest.yaml says why");
    const char *kept = arena_strdup(arena, out.data);
    text_free(&out);
    return kept;
}

const struct sweep_row *sweep_row_shown(const struct sweep_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].built)
            return &rows[i];
    return rows;
}

/* --- names in plots ---------------------------------------------------------------------- */

int sweep_plot_axis_find(const struct sweep *sweep, const char *key, const char *name,
                         const struct mark *mark, size_t *out, struct error *error)
{
    const struct space *space = sweep->space;
    struct suggest suggest = suggest_begin(name);
    struct text names = {0};
    *out = sweep_axis_find(sweep, name);
    if (*out < SIZE_MAX)
        return 0;
    for (size_t a = 0; a < space->n_axes; a++) {
        suggest_offer(&suggest, space->axes[a].name);
        text_printf(&names, "%s%s", a ? ", " : "", space->axes[a].name);
    }
    error_set(error, STATUS_INPUT, "%s: there is no axis \"%.80s\"", key, name);
    error_place(error, mark);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"?", suggest.best);
    else
        error_hint(error, "axes: %.400s", names.length ? names.data : "none");
    text_free(&names);
    return STATUS_INPUT;
}

int sweep_plot_column_find(const struct sweep *sweep, const char *key, const char *name,
                           const struct mark *mark, size_t *out, struct error *error)
{
    int status = sweep_column_find(sweep, name, out, error);
    if (!status)
        return 0;
    error_context(error, "%s", key);
    error_place(error, mark);
    error_hint(error, "columns are axes, let names, metrics and objectives");
    return status;
}
