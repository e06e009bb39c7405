/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the errors of figures. */
#include "validate/errors.h"

#include <math.h>
#include <stdlib.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "explore/views/subjects.h"
#include "validate/figure_simulated.h"
#include "validate/predictions.h"

static const char group[] = "predicted figures and ours";
static const char parts_group[] = "where errors come from: x = ln(ours / published)";

const struct sheet_column errors_columns[] = {
    {"system", "system", NULL, SHEET_TEXT},
    {"figure", "figure", NULL, SHEET_TEXT},
    {"where", "where", NULL, SHEET_TEXT, .group = group},
    {"model", "model", NULL, SHEET_TEXT},
    {"published", "published", NULL, SHEET_NUMBER, .group = group},
    {"ours", "ours", NULL, SHEET_NUMBER, .group = group},
    {"counted", "as", "counted", SHEET_NUMBER, .group = group},
    {"simulated", "simulated", NULL, SHEET_NUMBER, .group = group},
    {"unit", "unit", NULL, SHEET_TEXT, .group = group},
    {"error", "error", "x", SHEET_FIXED, .digits = 3, .group = parts_group},
    {"profile", "profile", "x", SHEET_FIXED, .digits = 3, .group = parts_group},
    {"formula", "formula", "x", SHEET_FIXED, .digits = 3, .group = parts_group},
    {"both", "both", "x", SHEET_FIXED, .digits = 3, .group = parts_group},
    {"rest", "rest", "x", SHEET_FIXED, .digits = 3, .group = parts_group},
    {"whole", "whole runs", NULL, SHEET_SHARE, .group = parts_group},
    {.key = NULL},
};

struct splitting {
    const struct validation_request *request;
    struct sheet *rows;
    size_t *found;
    struct simulations *simulations;
};

/* A figure over its workloads, as simulated and as counted; NaN: unknown. */
struct parts {
    const struct splitting *splitting;
    const struct published_value *value;
    double *simulated, *counted; /* by workload */
    double *whole;               /* share of its runs */
};

/* --- a workload --------------------------------------------------------------------------- */

/* What it refuses is unknown. */
static int value_of(struct figure *figure, const struct subject *subject, double *out,
                    struct error *error)
{
    int status = figure_value(figure, subject, out, error);
    if (status == STATUS_INFEASIBLE)
        *out = (double)NAN;
    return status == STATUS_INFEASIBLE ? 0 : status;
}

static double whole_share(const struct figure *figure)
{
    size_t runs = 0, whole = 0;
    for (size_t i = 0; i < figure->sites.count; i++) {
        const struct figure_site *site = &figure->sites.items[i];
        const struct simulate_gpu_result *results[] = {site->simulated, site->compared};
        for (int k = 0; k < 2; k++) {
            runs += results[k] != NULL;
            whole += results[k] && results[k]->whole;
        }
    }
    return runs ? (double)whole / (double)runs : (double)NAN;
}

static int split_workload(void *context, uint64_t w, struct error *error)
{
    const struct parts *p = context;
    const struct published_figure *f = p->value->figure;
    const struct subject *subject = p->value->subjects->items[w];
    const struct machine *asked = p->splitting->request->machine;
    struct figure simulated, counted = {0};
    int status = figure_open(&simulated, f, asked, NULL, error);
    simulated.simulations = p->splitting->simulations;
    simulated.requests = p->splitting->request->requests;
    if (!status)
        status = figure_open(&counted, f, asked, NULL, error);
    counted.counted = &simulated;
    if (!status)
        status = value_of(&simulated, subject, &p->simulated[w], error);
    if (!status)
        p->whole[w] = whole_share(&simulated);
    if (!status)
        status = value_of(&counted, subject, &p->counted[w], error);
    if (status)
        error_context(error, "workload %s", subject->name);
    if (counted.arena)
        figure_close(&counted);
    figure_close(&simulated);
    progress_item();
    return status;
}

/* --- a figure ----------------------------------------------------------------------------- */

static double ln_of(double ours, double published)
{
    return ours > 0 && published > 0 ? log(ours / published) : (double)NAN;
}

static void add_row(const struct parts *p, struct sheet *rows)
{
    const struct published_figure *f = p->value->figure;
    size_t n = p->value->subjects->count;
    struct sheet_cell cells[ERRORS_COLUMNS] = {{0}};
    double simulated = published_mean_of(f->mean, p->simulated, n), whole = 0;
    double counted = published_mean_of(f->mean, p->counted, n);
    double published = f->row.published;
    for (size_t w = 0; w < n; w++)
        whole += p->whole[w] / (double)n;
    double error = ln_of(p->value->ours, published), as_counted = ln_of(counted, published);
    double rest = ln_of(simulated, published);
    cells[ERRORS_SYSTEM].text = f->of->validation.plugin.name;
    cells[ERRORS_FIGURE].text = f->row.what;
    cells[ERRORS_WHERE].text = f->row.where;
    cells[ERRORS_MODEL].text = f->model->plugin.name;
    cells[ERRORS_PUBLISHED].number = published;
    cells[ERRORS_OURS].number = p->value->ours;
    cells[ERRORS_COUNTED].number = counted;
    cells[ERRORS_SIMULATED].number = simulated;
    cells[ERRORS_UNIT].text = f->row.unit;
    cells[ERRORS_ERROR].number = error;
    cells[ERRORS_PROFILE].number = error - as_counted;
    cells[ERRORS_FORMULA].number = as_counted - rest;
    cells[ERRORS_BOTH].number = error - rest;
    cells[ERRORS_REST].number = rest;
    cells[ERRORS_WHOLE].number = whole;
    sheet_add(rows, cells);
}

static int split_figure(const struct splitting *s, const struct published_value *value,
                        struct error *error)
{
    const struct published_figure *f = value->figure;
    size_t n = value->subjects->count;
    struct parts p = {s, value, memory_alloc(n * sizeof *p.simulated),
                      memory_alloc(n * sizeof *p.counted), memory_alloc(n * sizeof *p.whole)};
    for (size_t w = 0; w < n; w++)
        p.simulated[w] = p.counted[w] = p.whole[w] = (double)NAN;
    int status = 0;
    if (figure_can_be_simulated(f, f->ours)) {
        progress_begin_items(f->row.what, "workloads", n, "requests");
        status = parallel_try(s->request->threads, n, split_workload, &p, NULL, error);
        progress_end();
    }
    if (!status)
        add_row(&p, s->rows);
    free(p.simulated);
    free(p.counted);
    free(p.whole);
    return status;
}

static int look_at(void *context, const struct published_value *value, struct error *error)
{
    const struct splitting *s = context;
    const struct published_figure *f = value->figure;
    if (f->row.how != CHECKPOINT_PREDICTION || !f->model || !value->subjects)
        return 0;
    ++*s->found;
    bool near = fabs(checkpoint_error(f->row.published, value->ours)) <= PREDICTIONS_NEAR;
    if (near && !checkpoint_turns(&f->row, value->ours) && !s->request->all)
        return 0;
    return split_figure(s, value, error);
}

int errors_of(const struct published *published, const struct validation_request *request,
              struct sheet *rows, size_t *found, struct error *error)
{
    struct sheet *notes = sheet_create(errors_columns); /* on workloads of the figures */
    struct simulations *kept = request->simulations ? NULL : simulations_create();
    struct splitting splitting = {request, rows, found, kept ? kept : request->simulations};
    struct validation_request own = *request;
    own.input = own.input ? own.input : "default";
    own.all = false; /* of inputs: the one that is named */
    int status = published_go(published, &own, notes, look_at, &splitting, error);
    sheet_destroy(notes);
    simulations_destroy(kept);
    if (status)
        error_context(error, "%s", published->validation.plugin.name);
    return status;
}
