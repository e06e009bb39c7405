/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels and predicted figures of a system, counted. */
#include "validate/predictions.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validate/decisions.h"

static const char group[] = "predictions: how many are reached, and how far the others are";

const struct sheet_column predictions_columns[] = {
    {"system", "system", NULL, SHEET_TEXT},
    {"what", "what", NULL, SHEET_TEXT},
    {"model", "model", NULL, SHEET_TEXT},
    {"of", "of", NULL, SHEET_COUNT, .group = group},
    {"reached", "reached", NULL, SHEET_COUNT, .group = group},
    {"no_preference", "no", "preference", SHEET_COUNT, .group = group},
    {"other", "other", NULL, SHEET_COUNT, .group = group},
    {"wrong_way", "wrong", "way", SHEET_COUNT, .group = group},
    {"median", "median", "%", SHEET_PERCENT, .group = group},
    {"worst", "worst", "%", SHEET_PERCENT, .group = group},
    {"aim", "aim", NULL, SHEET_TEXT, .group = group},
    {"met", "met", NULL, SHEET_TEXT, .group = group},
    {"missed", NULL, NULL, SHEET_TEXT, .group = group},
    {.key = NULL},
};

static void begin_row(const struct published *published, struct sheet_cell *cells)
{
    for (int c = 0; c < PREDICTIONS_COLUMNS; c++)
        cells[c] = (struct sheet_cell){0};
    for (int c = PREDICTIONS_OF; c <= PREDICTIONS_WORST; c++)
        cells[c].number = (double)NAN;
    cells[PREDICTIONS_SYSTEM].text = published->validation.plugin.name;
}

static void end_row(struct sheet_cell *cells, const struct text *missed, struct sheet *rows)
{
    cells[PREDICTIONS_MISSED].text = missed->length ? missed->data : "";
    sheet_add(rows, cells);
    if (missed->length)
        sheet_add_note(rows, "%s, %s, %s: missed: %s.", cells[PREDICTIONS_SYSTEM].text,
                       cells[PREDICTIONS_WHAT].text, cells[PREDICTIONS_MODEL].text, missed->data);
}

/* --- labels ------------------------------------------------------------------------------ */

static void count_label(const struct published_label *label, const struct decided *decided,
                        size_t m, struct sheet *rows)
{
    struct sheet_cell cells[PREDICTIONS_COLUMNS];
    size_t counts[DECISION_VERDICTS] = {0};
    struct text missed = {0};
    char aim[32] = "";
    begin_row(label->of, cells);
    for (size_t w = 0; w < decided->n_workloads; w++) {
        const struct decision *d = &decided->decisions[w * decided->n_models + m];
        counts[d->verdict]++;
        if (d->verdict != DECISION_RIGHT)
            text_printf(&missed, "%s%s: %s", missed.length ? "; " : "",
                        decided->workloads.items[w]->workload,
                        d->verdict == DECISION_WRONG ? label->choices[d->choice]
                                                     : decision_verdict_names[d->verdict]);
    }
    cells[PREDICTIONS_WHAT].text = label->what;
    cells[PREDICTIONS_MODEL].text = label->scores.items[m].model->plugin.name;
    cells[PREDICTIONS_OF].number = (double)decided->n_workloads;
    cells[PREDICTIONS_REACHED].number = (double)counts[DECISION_RIGHT];
    cells[PREDICTIONS_INDIFFERENT].number = (double)counts[DECISION_INDIFFERENT];
    cells[PREDICTIONS_OTHER].number = (double)(counts[DECISION_WRONG] + counts[DECISION_REFUSED]);
    if (!isnan(label->aim)) {
        snprintf(aim, sizeof aim, "%g of %zu", label->aim, label->workloads.count);
        cells[PREDICTIONS_AIM].text = aim;
        if (decided->n_workloads == label->workloads.count)
            cells[PREDICTIONS_MET].text =
                (double)counts[DECISION_RIGHT] >= label->aim ? "yes" : "no";
    }
    end_row(cells, &missed, rows);
    text_free(&missed);
}

static int count_labels(const struct published *published, const struct validation_request *request,
                        struct sheet *rows, size_t *found, struct error *error)
{
    int status = 0;
    for (size_t l = 0; l < published->labels.count && !status; l++) {
        const struct published_label *label = &published->labels.items[l];
        struct decided decided;
        if (!checkpoint_is_named(request->figures, label->what))
            continue;
        status = decisions_ask(label, request, &decided, error);
        *found += decided.n_workloads;
        for (size_t m = 0; m < decided.n_models && decided.n_workloads && !status; m++)
            count_label(label, &decided, m, rows);
        decisions_close(&decided);
    }
    return status;
}

/* --- figures ----------------------------------------------------------------------------- */

/* Predictions of one model that count in one aim (or in none). */
struct lot {
    const struct published_aim *aim;
    const struct model *model;
    double *errors; /* their sizes */
    size_t count, near, turned;
    double worst; /* signed */
    bool whole;   /* over all workloads that its figures are over */
    struct text missed;
};

static bool is_in(const struct published_figure *f, int aim)
{
    return f->row.how == CHECKPOINT_PREDICTION && f->aim == aim;
}

static void add_error(struct lot *lot, const struct published_figure *f, double ours)
{
    double error = checkpoint_error(f->row.published, ours), size = fabs(error);
    bool turns = checkpoint_turns(&f->row, ours), near = size <= PREDICTIONS_NEAR;
    lot->worst = lot->count == 0 || size > fabs(lot->worst) ? error : lot->worst;
    lot->errors[lot->count++] = size;
    lot->near += near;
    lot->turned += turns;
    if (!near || turns)
        text_printf(&lot->missed, "%s%s: %+.0f %%%s", lot->missed.length ? "; " : "", f->row.what,
                    100 * error, turns ? ", the wrong way" : "");
}

static void aim_text(const struct published_aim *aim, struct text *out)
{
    if (!isnan(aim->median))
        text_printf(out, "median %g %%", 100 * aim->median);
    if (!isnan(aim->within))
        text_printf(out, "%s%g %% within 15 %%", out->length ? ", " : "", 100 * aim->within);
    if (!isnan(aim->wrong))
        text_printf(out, "%s%g the wrong way", out->length ? ", " : "", aim->wrong);
}

/* A bound that is not stated is met. */
static bool met(const struct lot *lot, double median)
{
    const struct published_aim *aim = lot->aim;
    return !(median > aim->median) && !((double)lot->near < aim->within * (double)lot->count) &&
           !((double)lot->turned > aim->wrong);
}

static void add_lot(const struct published *published, struct lot *lot, struct sheet *rows)
{
    struct sheet_cell cells[PREDICTIONS_COLUMNS];
    struct text aim = {0};
    double median;
    gsl_sort(lot->errors, 1, lot->count);
    median = gsl_stats_median_from_sorted_data(lot->errors, 1, lot->count);
    begin_row(published, cells);
    cells[PREDICTIONS_WHAT].text = lot->aim ? lot->aim->name : "other predictions";
    cells[PREDICTIONS_MODEL].text = lot->model ? lot->model->plugin.name : NULL;
    cells[PREDICTIONS_OF].number = (double)lot->count;
    cells[PREDICTIONS_REACHED].number = (double)lot->near;
    cells[PREDICTIONS_TURNED].number = (double)lot->turned;
    cells[PREDICTIONS_MEDIAN].number = median;
    cells[PREDICTIONS_WORST].number = lot->worst;
    if (lot->aim)
        aim_text(lot->aim, &aim);
    if (aim.length) {
        cells[PREDICTIONS_AIM].text = aim.data;
        if (lot->whole)
            cells[PREDICTIONS_MET].text = met(lot, median) ? "yes" : "no";
    }
    end_row(cells, &lot->missed, rows);
    text_free(&aim);
}

/* Whether the user left all workloads that a figure is over. */
static bool over_all(const struct published_figure *f, const struct validation_request *request)
{
    bool all = true;
    if (request->n_workloads == 0 || f->group < 0)
        return true;
    for (const char *const *w = f->of->groups.items[f->group].workloads; *w && all; w++) {
        all = false;
        for (size_t i = 0; i < request->n_workloads; i++)
            all = all || strcmp(request->workloads[i], *w) == 0;
    }
    return all;
}

/* The rows of published_run are those of the figures, in their order, less what is left out. */
static struct lot lot_of(const struct published *published,
                         const struct validation_request *request, const struct sheet *figures,
                         int aim, const struct model *model)
{
    struct lot lot = {
        .aim = aim < 0 ? NULL : &published->aims.items[aim], .model = model, .whole = true};
    size_t row = 0, n = sheet_rows(figures);
    lot.errors = memory_zero(n, sizeof *lot.errors);
    for (size_t i = 0; i < published->figures.count; i++) {
        const struct published_figure *f = &published->figures.items[i];
        bool counts = is_in(f, aim) && f->model == model;
        bool asked = checkpoint_is_named(request->figures, f->row.what);
        lot.whole = lot.whole && (!counts || (asked && over_all(f, request)));
        if (row >= n ||
            strcmp(f->row.what, sheet_at(figures, row, CHECKPOINT_COLUMN_WHAT)->text) != 0)
            continue;
        double ours = sheet_at(figures, row++, CHECKPOINT_COLUMN_OURS)->number;
        if (counts)
            add_error(&lot, f, ours);
    }
    return lot;
}

/* Lots in the order of the aims, models of each in that of the figures, what counts in none last.
 */
static void count_figures(const struct published *published,
                          const struct validation_request *request, const struct sheet *figures,
                          struct sheet *rows, size_t *found)
{
    int aims = (int)published->aims.count;
    for (int k = 0; k <= aims; k++) {
        int aim = k < aims ? k : -1;
        for (size_t i = 0; i < published->figures.count; i++) {
            const struct published_figure *f = &published->figures.items[i];
            bool first = is_in(f, aim);
            for (size_t j = 0; j < i && first; j++) {
                const struct published_figure *before = &published->figures.items[j];
                first = !is_in(before, aim) || before->model != f->model;
            }
            if (!first)
                continue;
            struct lot lot = lot_of(published, request, figures, aim, f->model);
            if (lot.count)
                add_lot(published, &lot, rows);
            *found += lot.count;
            free(lot.errors);
            text_free(&lot.missed);
        }
    }
}

static bool predicts(const struct published *published)
{
    bool any = published->labels.count > 0;
    for (size_t i = 0; i < published->figures.count && !any; i++)
        any = published->figures.items[i].row.how == CHECKPOINT_PREDICTION;
    return any;
}

int predictions_of(const struct published *published, const struct validation_request *request,
                   struct sheet *rows, size_t *found, struct error *error)
{
    if (!predicts(published))
        return 0;
    struct sheet *figures = sheet_create(checkpoint_columns);
    int status = count_labels(published, request, rows, found, error);
    if (!status)
        status = published_run(published, request, figures, error);
    if (!status)
        count_figures(published, request, figures, rows, found);
    sheet_destroy(figures);
    if (status)
        error_context(error, "%s", published->validation.plugin.name);
    return status;
}
