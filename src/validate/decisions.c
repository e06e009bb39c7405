/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels of a system as rows. */
#include "validate/decisions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "explore/subjects.h"
#include "validate/figure_views.h"
#include "workload/open/spec.h"

static const char group[] = "published choices and ours";

/* X(symbol, key, title, unit, group, kind, worst, summary) */
#define DECISION_COLUMNS(X)                                                                        \
    X(SYSTEM, "system", "system", NULL, NULL, TEXT, NO_SUMMARY, NULL)                              \
    X(LABEL, "label", "label", NULL, NULL, TEXT, NO_SUMMARY, NULL)                                 \
    X(WORKLOAD, "workload", "workload", NULL, NULL, TEXT, NO_SUMMARY, NULL)                        \
    X(SOURCE, "source", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)                                  \
    X(PUBLISHED, "published", "published", NULL, group, TEXT, NO_SUMMARY, NULL)                    \
    X(SMALL, "difference", "difference", NULL, group, TEXT, NO_SUMMARY, NULL)                      \
    X(MODEL, "model", "model", NULL, group, TEXT, NO_SUMMARY, NULL)                                \
    X(OURS, "ours", "ours", NULL, group, TEXT, NO_SUMMARY, NULL)                                   \
    X(MARGIN, "margin", "margin", "%", group, PERCENT, NO_SUMMARY, NULL)                           \
    X(VERDICT, "verdict", "verdict", NULL, group, TEXT, NO_SUMMARY, NULL)

enum column { DECISION_COLUMNS(VALIDATION_PLACE) COLUMNS };

const struct sheet_column decisions_columns[] = {DECISION_COLUMNS(VALIDATION_COLUMN){NULL}};

enum verdict { RIGHT, WRONG, INDIFFERENCE, REFUSED, VERDICTS };

static const char *const verdict_names[VERDICTS] = {
    [RIGHT] = "right", [WRONG] = "wrong", [INDIFFERENCE] = "no preference", [REFUSED] = "refused"};

struct decision {
    enum verdict verdict;
    int choice;    /* -1: refused */
    double margin; /* NaN: refused, or the others' scores are 0 */
};

/* Requests of a simulation, with its warm-up. */
enum { SIMULATED = 2000000 };

/* One label at work. */
struct inquiry {
    const struct validation_request *request;
    const struct published_label *label;
    struct {
        const struct published_labelled **items;
        size_t count, capacity;
    } workloads;
    struct subjects subjects; /* one a workload */
    struct figure *figures;   /* one a judge: the models, then the simulation where it is one */
    size_t n_judges, n_open;
    struct decision *decisions; /* [workload * judges + judge] */
    struct arena *arena;
    const char *input;
};

/* --- which workloads ------------------------------------------------------------------- */

/* The labelled workload with its input, as the user named it where he did; *spec is NULL where he
 * named others only. */
static int choose(const struct inquiry *q, const struct published_labelled *one, const char **spec,
                  struct error *error)
{
    struct workload_spec own;
    int status = workload_spec_parse(q->arena, one->workload, &own, error);
    if (status)
        error_place(error, &one->mark);
    *spec = !status && !q->request->n_workloads ? workload_spec_with_input(q->arena, &own, q->input)
                                                : NULL;
    for (size_t i = 0; i < q->request->n_workloads && !status && !*spec; i++) {
        struct workload_spec named;
        status = workload_spec_parse(q->arena, q->request->workloads[i], &named, error);
        if (!status && strcmp(named.name, own.name) == 0)
            *spec = workload_spec_with_input(q->arena, &named, q->input);
    }
    return status;
}

static int open_subjects(struct inquiry *q, struct error *error)
{
    struct {
        const char **items;
        size_t count, capacity;
    } specs = {0};
    int status = 0;
    for (size_t i = 0; i < q->label->workloads.count && !status; i++) {
        const struct published_labelled *one = &q->label->workloads.items[i];
        const char *spec;
        status = choose(q, one, &spec, error);
        if (status || !spec)
            continue;
        VECTOR_PUSH(&specs, spec);
        VECTOR_PUSH(&q->workloads, one);
    }
    struct subjects_request list = {specs.items, NULL, specs.count, q->request->strict};
    if (!status)
        status = subjects_open(&q->subjects, &list, error);
    VECTOR_FREE(&specs);
    return status;
}

/* --- deciding -------------------------------------------------------------------------- */

/* The largest of the scores, and how far the next one is behind. */
static struct decision decide(const double *scores, int n, int published)
{
    struct decision d = {.choice = 0, .margin = (double)NAN};
    double next = -INFINITY;
    for (int i = 1; i < n; i++)
        d.choice = scores[i] > scores[d.choice] ? i : d.choice;
    for (int i = 0; i < n; i++)
        next = i != d.choice ? fmax(next, scores[i]) : next;
    if (next > 0)
        d.margin = scores[d.choice] / next - 1;
    d.verdict = d.margin < DECISIONS_INDIFFERENT ? INDIFFERENCE
                : d.choice == published          ? RIGHT
                                                 : WRONG;
    return d;
}

static int ask(struct inquiry *q, size_t w, size_t m, struct decision *out, struct error *error)
{
    struct figure *figure = &q->figures[m];
    const struct published_figure *f = figure->published;
    double *scores = memory_zero(f->n_each, sizeof *scores);
    int status = 0;
    for (size_t i = 0; i < f->n_each && !status; i++) {
        struct quantity score;
        status = figure_evaluate(figure, q->subjects.items[w], f->each[i].value, &score, error);
        scores[i] = status ? (double)NAN : score.value;
        if (!status && isnan(scores[i]))
            status = STATUS_INFEASIBLE; /* a metric that it does not have here */
    }
    *out = (struct decision){REFUSED, -1, (double)NAN};
    if (!status)
        *out = decide(scores, (int)f->n_each, q->workloads.items[w]->choice);
    free(scores);
    if (!status || status == STATUS_INFEASIBLE)
        return 0;
    error_context(error, "%s, workload %s", f->model->plugin.name, q->workloads.items[w]->workload);
    return status;
}

static int decide_all(struct inquiry *q, struct error *error)
{
    size_t judges = q->n_judges, workloads = q->workloads.count;
    int status = 0;
    q->decisions = memory_zero(workloads * judges, sizeof *q->decisions);
    progress_begin_items("deciding", "choices", workloads * judges, "requests");
    for (size_t i = 0; i < workloads * judges && !status; i++) {
        status = interrupt_check(error);
        if (!status)
            status = ask(q, i / judges, i % judges, &q->decisions[i], error);
        progress_item();
    }
    progress_end();
    return status;
}

/* Whether simulations know what the scores are of: times and bandwidths. */
static bool can_simulate(const struct published_figure *f, const struct expression *e)
{
    bool can = true;
    for (int i = 0; i < e->n_args && can; i++)
        can = can_simulate(f, e->args[i]);
    if (e->op != EXPRESSION_NAME || !can)
        return can;
    const char *label, *name = published_name_split(f->of->arena, e->name, &label);
    return !model_metric_find(f->model, name) || strcmp(name, "kernel_time") == 0 ||
           strcmp(name, "effective_bandwidth") == 0;
}

/* A figure a model, and one that is simulated: it takes the views that the last model asks for. */
static int open_judges(struct inquiry *q, struct error *error)
{
    const struct published_label *label = q->label;
    const struct published_figure *last = &label->scores.items[label->scores.count - 1];
    bool simulate = q->request->all;
    int status = 0;
    for (size_t i = 0; i < last->n_each && simulate; i++)
        simulate = can_simulate(last, last->each[i].value);
    q->n_judges = label->scores.count + simulate;
    q->figures = memory_zero(q->n_judges, sizeof *q->figures);
    while (q->n_open < q->n_judges && !status) {
        bool model = q->n_open < label->scores.count;
        struct figure *figure = &q->figures[q->n_open++];
        status = figure_open(figure, model ? &label->scores.items[q->n_open - 1] : last,
                             q->request->machine, error);
        figure->simulated = model ? 0 : SIMULATED;
    }
    return status;
}

static const char *judge_name(const struct inquiry *q, size_t judge)
{
    return judge < q->label->scores.count ? q->label->scores.items[judge].model->plugin.name
                                          : "simulation";
}

/* --- rows and notes ---------------------------------------------------------------------- */

static void add_row(const struct inquiry *q, size_t w, size_t m, struct sheet *rows)
{
    const struct published_label *label = q->label;
    const struct published_labelled *one = q->workloads.items[w];
    const struct decision *d = &q->decisions[w * q->n_judges + m];
    struct sheet_cell cells[COLUMNS] = {{0}};
    cells[SYSTEM].text = label->of->validation.plugin.name;
    cells[LABEL].text = label->what;
    cells[WORKLOAD].text = one->workload;
    cells[SOURCE].text = q->subjects.items[w]->spec;
    cells[PUBLISHED].text = label->choices[one->choice];
    cells[SMALL].text = one->small ? "small" : "";
    cells[MODEL].text = judge_name(q, m);
    cells[OURS].text = d->choice < 0 ? NULL : label->choices[d->choice];
    cells[MARGIN].number = d->margin;
    cells[VERDICT].text = verdict_names[d->verdict];
    sheet_add(rows, cells);
}

static void note_model(const struct inquiry *q, size_t m, struct sheet *rows)
{
    const struct published_label *label = q->label;
    size_t count[VERDICTS] = {0}, wrong_large = 0;
    for (size_t w = 0; w < q->workloads.count; w++) {
        const struct decision *d = &q->decisions[w * q->n_judges + m];
        count[d->verdict]++;
        wrong_large += d->verdict == WRONG && !q->workloads.items[w]->small;
    }
    struct text text = {0};
    text_printf(&text, "%s, %s, %s: %zu of %zu as published, %zu otherwise",
                label->of->validation.plugin.name, label->what, judge_name(q, m), count[RIGHT],
                q->workloads.count, count[WRONG]);
    if (wrong_large < count[WRONG])
        text_printf(&text, " (%zu of them where the paper's difference is small)",
                    count[WRONG] - wrong_large);
    text_printf(&text, ", %zu without a preference", count[INDIFFERENCE]);
    if (count[REFUSED])
        text_printf(&text, ", %zu refused", count[REFUSED]);
    sheet_add_note(rows, "%s.", text.data);
    text_free(&text);
}

/* Workloads on which models with a preference do not prefer the same. */
static void note_disagreement(const struct inquiry *q, struct sheet *rows)
{
    size_t judges = q->n_judges, differ = 0;
    struct text names = {0};
    for (size_t w = 0; w < q->workloads.count; w++) {
        int choice = -1;
        bool same = true;
        for (size_t m = 0; m < judges; m++) {
            const struct decision *d = &q->decisions[w * judges + m];
            if (d->verdict == REFUSED || d->verdict == INDIFFERENCE)
                continue;
            same = same && (choice < 0 || d->choice == choice);
            choice = d->choice;
        }
        if (!same)
            text_printf(&names, "%s%s", differ++ ? ", " : "", q->workloads.items[w]->workload);
    }
    if (judges > 1)
        sheet_add_note(rows, "%s, %s: they disagree on %zu of %zu%s%s.",
                       q->label->of->validation.plugin.name, q->label->what, differ,
                       q->workloads.count, differ ? ": " : "", differ ? names.data : "");
    text_free(&names);
}

/* --- a label ----------------------------------------------------------------------------- */

static int inquire(struct inquiry *q, struct sheet *rows, struct error *error)
{
    struct figure_views views = {0};
    int status = open_subjects(q, error);
    if (!status && q->workloads.count == 0)
        return 0;
    if (!status)
        status = open_judges(q, error);
    for (size_t m = 0; m < q->n_judges && !status; m++)
        status = figure_views_add(&views, &q->figures[m], &q->subjects, error);
    if (!status)
        status = figure_views_make(&views, q->request->threads, error);
    figure_views_fini(&views);
    if (!status)
        status = decide_all(q, error);
    for (size_t w = 0; w < q->workloads.count && !status; w++)
        for (size_t m = 0; m < q->n_judges; m++)
            add_row(q, w, m, rows);
    for (size_t m = 0; m < q->n_judges && !status; m++)
        note_model(q, m, rows);
    if (!status)
        note_disagreement(q, rows);
    return status;
}

static int run_label(const struct published_label *label, const struct validation_request *request,
                     struct sheet *rows, size_t *found, struct error *error)
{
    struct inquiry q = {.request = request, .label = label, .arena = arena_create()};
    q.input = request->input ? request->input : label->input;
    int status = inquire(&q, rows, error);
    *found += q.workloads.count;
    for (size_t i = 0; i < q.n_open; i++)
        figure_close(&q.figures[i]);
    free(q.figures);
    free(q.decisions);
    subjects_close(&q.subjects);
    VECTOR_FREE(&q.workloads);
    arena_destroy(q.arena);
    if (status)
        error_context(error, "label \"%s\"", label->what);
    return status;
}

int decisions_of(const struct published *published, const struct validation_request *request,
                 struct sheet *rows, size_t *found, struct error *error)
{
    int status = 0;
    for (size_t l = 0; l < published->labels.count && !status; l++)
        if (checkpoint_is_asked(request->where, published->labels.items[l].where))
            status = run_label(&published->labels.items[l], request, rows, found, error);
    return status;
}
