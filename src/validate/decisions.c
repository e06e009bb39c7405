/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels of a system as rows. */
#include "validate/decisions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "explore/views/subjects.h"
#include "validate/figure_simulated.h"
#include "validate/figure_views.h"
#include "validate/split.h"
#include "workload/open/spec.h"

static const char group[] = "published choices and ours";
static const char parts_group[] =
    "where errors come from: x = ln(score of the published choice / of the other)";
static const char counts_group[] =
    "what the profile says and the simulation counts, under the published choice and the other";
static const char figures_group[] = "workloads: ours over the published figure";

/* X(symbol, key, title, unit, group, kind, worst, summary) */
#define DECISION_COLUMNS(X)                                                                        \
    X(SYSTEM, "system", "system", NULL, NULL, TEXT, NO_SUMMARY, NULL)                              \
    X(LABEL, "label", "label", NULL, NULL, TEXT, NO_SUMMARY, NULL)                                 \
    X(WORKLOAD, "workload", "workload", NULL, NULL, TEXT, NO_SUMMARY, NULL)                        \
    X(SOURCE, "source", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)                                  \
    X(PUBLISHED, "published", "published", NULL, group, TEXT, NO_SUMMARY, NULL)                    \
    X(SMALL, "difference", "difference", NULL, group, TEXT, NO_SUMMARY, NULL)                      \
    X(MODEL, "model", "model", NULL, NULL, TEXT, NO_SUMMARY, NULL)                                 \
    X(OURS, "ours", "ours", NULL, group, TEXT, NO_SUMMARY, NULL)                                   \
    X(MARGIN, "margin", "margin", "%", group, PERCENT, NO_SUMMARY, NULL)                           \
    X(VERDICT, "verdict", "verdict", NULL, group, TEXT, NO_SUMMARY, NULL)                          \
    X(OTHER, "other", "other", NULL, parts_group, TEXT, NO_SUMMARY, NULL)                          \
    X(ERROR, "error", "error", "x", parts_group, FIXED, NO_SUMMARY, NULL)                          \
    X(OF_WORKLOAD, "error_workload", "workload", "x", parts_group, FIXED, NO_SUMMARY, NULL)        \
    X(OF_PROFILE, "error_profile", "profile", "x", parts_group, FIXED, NO_SUMMARY, NULL)           \
    X(OF_FORMULA, "error_formula", "formula", "x", parts_group, FIXED, NO_SUMMARY, NULL)           \
    X(OF_REST, "error_rest", "rest", "x", parts_group, FIXED, NO_SUMMARY, NULL)                    \
    X(SIMULATED_FRAC, "simulated", "simulated", NULL, parts_group, SHARE, NO_SUMMARY, NULL)        \
    COUNTS(X, PUBLISHED, "published", "")                                                          \
    COUNTS(X, OTHER, "other", "other ")                                                            \
    X(CTAS, "ctas", "CTAs", "x", figures_group, FIXED, NO_SUMMARY, NULL)                           \
    X(CTAS_TOTAL, "ctas_total", "all CTAs", "x", figures_group, FIXED, NO_SUMMARY, NULL)           \
    X(FOOTPRINT, "footprint", "footprint", "x", figures_group, FIXED, NO_SUMMARY, NULL)            \
    X(TRULY, "truly_shared", "truly shared", "x", figures_group, FIXED, NO_SUMMARY, NULL)          \
    X(FALSELY, "falsely_shared", "falsely shared", "x", figures_group, FIXED, NO_SUMMARY, NULL)

/* Of one choice's machine: as profiled, as counted. */
#define COUNTS(X, symbol, key, title)                                                              \
    X(symbol##_LOCAL, key "_r_local", title "r_local", "profile", counts_group, FIXED, NO_SUMMARY, \
      NULL)                                                                                        \
    X(symbol##_LOCAL_COUNTED, key "_r_local_counted", "", "counted", counts_group, FIXED,          \
      NO_SUMMARY, NULL)                                                                            \
    X(symbol##_HIT, key "_llc_hit", title "LLC hits", "profile", counts_group, FIXED, NO_SUMMARY,  \
      NULL)                                                                                        \
    X(symbol##_HIT_COUNTED, key "_llc_hit_counted", "", "counted", counts_group, FIXED,            \
      NO_SUMMARY, NULL)                                                                            \
    X(symbol##_LSU, key "_lsu", title "LSU", "profile", counts_group, FIXED, NO_SUMMARY, NULL)     \
    X(symbol##_LSU_COUNTED, key "_lsu_counted", "", "counted", counts_group, FIXED, NO_SUMMARY,    \
      NULL)

enum column { DECISION_COLUMNS(VALIDATION_PLACE) COLUMNS };

#define DECISION_COLUMN(symbol, key, title, unit, group, kind, worst, summary)                     \
    {key, title, unit, SHEET_##kind, group, SHEET_##worst, summary, .digits = 2},
const struct sheet_column decisions_columns[] = {DECISION_COLUMNS(DECISION_COLUMN){NULL}};

const char *const decision_verdict_names[DECISION_VERDICTS] = {[DECISION_RIGHT] = "right",
                                                               [DECISION_WRONG] = "wrong",
                                                               [DECISION_INDIFFERENT] =
                                                                   "no preference",
                                                               [DECISION_REFUSED] = "refused"};

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
    bool simulates;           /* the last judge is the simulation */
    struct figure *counted;   /* where it is, one a model: told what that counted */
    size_t n_judges, n_open, n_counted, n_decided;
    struct decision *decisions;      /* [workload * judges + judge] */
    struct split *splits;            /* the same; NULL: nothing is simulated */
    struct simulations *simulations; /* its own where the request has none */
    struct arena *arena;
    const char *input;
};

/* --- which workloads ------------------------------------------------------------------- */

/* A labelled workload with an input; what it says of others of its parameters stays. */
static const char *labelled_spec(struct arena *arena, const struct workload_spec *own,
                                 const char *input)
{
    return workload_spec_is_shipped(own) && !own->input
               ? workload_spec_with(arena, own, WORKLOAD_INPUT_KEY, input)
               : own->text;
}

/* The labelled workload with its input, as the user named it where he did more than that; *spec is
 * NULL where he named others only. */
static int choose(const struct inquiry *q, const struct published_labelled *one, const char **spec,
                  struct error *error)
{
    struct workload_spec own;
    int status = workload_spec_parse(q->arena, one->workload, &own, error);
    if (status)
        error_place(error, &one->mark);
    *spec = !status && !q->request->n_workloads ? labelled_spec(q->arena, &own, q->input) : NULL;
    for (size_t i = 0; i < q->request->n_workloads && !status && !*spec; i++) {
        struct workload_spec named;
        status = workload_spec_parse(q->arena, q->request->workloads[i], &named, error);
        if (!status && strcmp(named.name, own.name) == 0)
            *spec = named.settings.count ? named.text : labelled_spec(q->arena, &own, q->input);
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
    d.verdict = d.margin < DECISIONS_INDIFFERENT ? DECISION_INDIFFERENT
                : d.choice == published          ? DECISION_RIGHT
                                                 : DECISION_WRONG;
    return d;
}

static int ask(struct inquiry *q, size_t w, size_t m, struct decision *out, struct error *error)
{
    struct figure *figure = &q->figures[m];
    const struct published_figure *f = figure->published;
    double *scores = memory_zero(f->n_each, sizeof *scores);
    int status = figure_scores(figure, q->subjects.items[w], scores, error);
    *out = (struct decision){DECISION_REFUSED, -1, (double)NAN};
    if (!status)
        *out = decide(scores, (int)f->n_each, q->workloads.items[w]->choice);
    free(scores);
    if (!status || status == STATUS_INFEASIBLE)
        return 0;
    error_context(error, "%s, workload %s", f->model->plugin.name, q->workloads.items[w]->workload);
    return status;
}

/* Parts of the errors of all judges; the simulation is the last, and was asked for this workload.
 */
static int split(struct inquiry *q, size_t w, struct error *error)
{
    const struct published_labelled *one = q->workloads.items[w];
    size_t models = q->n_judges - 1;
    struct subject *published = NULL, *own = q->subjects.items[w];
    struct workload_spec spec;
    int status = workload_spec_parse(q->arena, one->workload, &spec, error);
    const char *asked = status ? NULL : labelled_spec(q->arena, &spec, q->label->input);
    bool same = asked && strcmp(asked, own->spec) == 0;
    if (!status && !same)
        status = split_open_published(q->figures, models, asked, &published, error);
    struct split_question question = {
        .simulated = &q->figures[models],
        .subject = own,
        .published = same ? own : published,
        .figures = split_published_figures(q->arena, one->workload, q->label->input),
        .choice = one->choice,
        .least = log(1 + DECISIONS_INDIFFERENT)};
    for (size_t m = 0; m <= models && !status; m++) {
        question.asked = &q->figures[m];
        question.counted = m < models ? &q->counted[m] : NULL;
        status = split_error(&question, &q->splits[w * q->n_judges + m], error);
        if (status)
            error_context(error, "workload %s", one->workload);
    }
    subject_destroy(published);
    return status;
}

static int decide_all(struct inquiry *q, struct error *error)
{
    size_t judges = q->n_judges, workloads = q->workloads.count;
    int status = 0;
    q->decisions = memory_zero(workloads * judges, sizeof *q->decisions);
    if (q->simulates)
        q->splits = memory_zero(workloads * judges, sizeof *q->splits);
    progress_begin_items("deciding", "choices", workloads * judges, "requests");
    for (; q->n_decided < workloads && !status; q->n_decided += !status) {
        for (size_t m = 0; m < judges && !status; m++) {
            status = interrupt_check(error);
            if (!status)
                status = ask(q, q->n_decided, m, &q->decisions[q->n_decided * judges + m], error);
            progress_item();
        }
        if (!status && q->simulates)
            status = split(q, q->n_decided, error);
    }
    progress_end();
    return status;
}

static struct simulations *simulations_of(struct inquiry *q)
{
    if (!q->request->simulations && !q->simulations)
        q->simulations = simulations_create();
    return q->request->simulations ? q->request->simulations : q->simulations;
}

/* A figure a model, and one that is simulated: it takes the views that the last model asks for. */
static int open_judges(struct inquiry *q, struct error *error)
{
    const struct published_label *label = q->label;
    size_t models = label->scores.count;
    const struct published_figure *last = &label->scores.items[models - 1];
    int status = 0;
    q->simulates = q->request->all;
    for (size_t i = 0; i < last->n_each && q->simulates; i++)
        q->simulates = figure_can_be_simulated(last, last->each[i].value);
    q->n_judges = models + q->simulates;
    q->figures = memory_zero(q->n_judges, sizeof *q->figures);
    q->counted = memory_zero(models, sizeof *q->counted);
    while (q->n_open < q->n_judges && !status) {
        bool model = q->n_open < models;
        struct figure *figure = &q->figures[q->n_open++];
        status = figure_open(figure, model ? &label->scores.items[q->n_open - 1] : last,
                             q->request->machine, q->request->varied, error);
        figure->simulations = model ? NULL : simulations_of(q);
        figure->requests = q->request->requests;
    }
    while (q->simulates && q->n_counted < models && !status) {
        struct figure *figure = &q->counted[q->n_counted++];
        status = figure_open(figure, &label->scores.items[q->n_counted - 1], q->request->machine,
                             q->request->varied, error);
        figure->counted = &q->figures[models];
    }
    return status;
}

static const char *judge_name(const struct inquiry *q, size_t judge)
{
    return judge < q->label->scores.count ? q->label->scores.items[judge].model->plugin.name
                                          : "simulation";
}

/* --- rows and notes ---------------------------------------------------------------------- */

static void add_split(const struct inquiry *q, const struct split *s, struct sheet_cell *cells)
{
    static const enum column sides[2] = {PUBLISHED_LOCAL, OTHER_LOCAL};
    static const struct {
        enum workload_figure_kind kind;
        enum column column;
    } figures[] = {{FIGURE_CTAS, CTAS},
                   {FIGURE_CTAS_TOTAL, CTAS_TOTAL},
                   {FIGURE_FOOTPRINT, FOOTPRINT},
                   {FIGURE_TRULY_SHARED, TRULY},
                   {FIGURE_FALSELY_SHARED, FALSELY}};
    cells[OTHER].text = s->rival < 0 ? NULL : q->label->choices[s->rival];
    cells[ERROR].number = s->error;
    cells[OF_WORKLOAD].number = s->workload;
    cells[OF_PROFILE].number = s->profile;
    cells[OF_FORMULA].number = s->formula;
    cells[OF_REST].number = s->rest;
    cells[SIMULATED_FRAC].number = s->simulated_frac;
    for (int i = 0; i < 2; i++) {
        const struct counted_figures *profile = &s->sides[i].profile,
                                     *counted = &s->sides[i].counted;
        const double numbers[] = {profile->r_local, counted->r_local, profile->llc_hit,
                                  counted->llc_hit, profile->lsu,     counted->lsu};
        for (int k = 0; k < 6; k++)
            cells[sides[i] + k].number = numbers[k];
    }
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        cells[figures[i].column].number = s->figures[figures[i].kind];
}

static void add_row(const struct inquiry *q, size_t w, size_t m, struct sheet *rows)
{
    const struct published_label *label = q->label;
    const struct published_labelled *one = q->workloads.items[w];
    const struct decision *d = &q->decisions[w * q->n_judges + m];
    struct sheet_cell cells[COLUMNS] = {{0}};
    for (int c = OTHER + 1; c < COLUMNS; c++)
        cells[c].number = (double)NAN;
    cells[SYSTEM].text = label->of->validation.plugin.name;
    cells[LABEL].text = label->what;
    cells[WORKLOAD].text = one->workload;
    cells[SOURCE].text = q->subjects.items[w]->spec;
    cells[PUBLISHED].text = label->choices[one->choice];
    cells[SMALL].text = one->small ? "small" : "";
    cells[MODEL].text = judge_name(q, m);
    cells[OURS].text = d->choice < 0 ? NULL : label->choices[d->choice];
    cells[MARGIN].number = d->margin;
    cells[VERDICT].text = decision_verdict_names[d->verdict];
    if (q->splits)
        add_split(q, &q->splits[w * q->n_judges + m], cells);
    sheet_add(rows, cells);
}

static void note_model(const struct inquiry *q, size_t m, struct sheet *rows)
{
    const struct published_label *label = q->label;
    size_t count[DECISION_VERDICTS] = {0}, wrong_large = 0;
    for (size_t w = 0; w < q->workloads.count; w++) {
        const struct decision *d = &q->decisions[w * q->n_judges + m];
        count[d->verdict]++;
        wrong_large += d->verdict == DECISION_WRONG && !q->workloads.items[w]->small;
    }
    struct text text = {0};
    text_printf(&text, "%s, %s, %s: %zu of %zu as published, %zu otherwise",
                label->of->validation.plugin.name, label->what, judge_name(q, m),
                count[DECISION_RIGHT], q->workloads.count, count[DECISION_WRONG]);
    if (wrong_large < count[DECISION_WRONG])
        text_printf(&text, " (%zu of them where the paper's difference is small)",
                    count[DECISION_WRONG] - wrong_large);
    text_printf(&text, ", %zu without a preference", count[DECISION_INDIFFERENT]);
    if (count[DECISION_REFUSED])
        text_printf(&text, ", %zu refused", count[DECISION_REFUSED]);
    sheet_add_note(rows, "%s.", text.data);
    text_free(&text);
}

/* Runs that were too long to be simulated to their end. */
static void note_cut(const struct inquiry *q, struct sheet *rows)
{
    struct text names = {0};
    for (size_t w = 0; w < q->workloads.count && q->simulates; w++)
        if (q->splits[w * q->n_judges].simulated_frac < 1)
            text_printf(&names, "%s%s", names.length ? ", " : "", q->workloads.items[w]->workload);
    if (names.length)
        sheet_add_note(rows,
                       "%s, %s: only the beginning was simulated, which need not be like the rest: "
                       "%s.",
                       q->label->of->validation.plugin.name, q->label->what, names.data);
    text_free(&names);
}

/* Of the errors of a model, where the largest part of each comes from. */
static void note_parts(const struct inquiry *q, size_t m, struct sheet *rows)
{
    static const char *const names[] = {"the workload's input", "the profile", "the formula",
                                        "the rest"};
    struct text texts[4] = {{0}};
    size_t errors = 0;
    for (size_t w = 0; w < q->workloads.count && q->simulates && m + 1 < q->n_judges; w++) {
        const struct split *s = &q->splits[w * q->n_judges + m];
        const double parts[] = {s->workload, s->profile, s->formula, s->rest};
        int most = -1;
        for (int i = 0; i < 4; i++)
            if (parts[i] < 0 && (most < 0 || parts[i] < parts[most]))
                most = i;
        if (!(s->error < 0) || most < 0)
            continue;
        text_printf(&texts[most], "%s%s", texts[most].length ? ", " : "",
                    q->workloads.items[w]->workload);
        errors++;
    }
    struct text text = {0};
    for (int i = 0; i < 4; i++)
        if (texts[i].length)
            text_printf(&text, "%s%s (%s)", text.length ? "; " : "", names[i], texts[i].data);
    if (errors)
        sheet_add_note(rows, "%s, %s, %s: largest part of %zu errors: %s.",
                       q->label->of->validation.plugin.name, q->label->what, judge_name(q, m),
                       errors, text.data);
    for (int i = 0; i < 4; i++)
        text_free(&texts[i]);
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
            if (d->verdict == DECISION_REFUSED || d->verdict == DECISION_INDIFFERENT)
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

/* What models say, for all workloads at once; simulations are asked as they come. */
static int answer_all(struct inquiry *q, struct error *error)
{
    struct answers *answers = q->request->answers;
    for (size_t m = 0; m < q->n_judges && answers; m++) {
        q->figures[m].answers = answers;
        figure_enter(&q->figures[m], &q->subjects, answers);
    }
    return answers ? answers_make(answers, q->request->threads, error) : 0;
}

/* Opens what is asked, and says which views that needs. */
static int prepare(struct inquiry *q, struct figure_views *views, struct error *error)
{
    int status = open_subjects(q, error);
    if (!status && q->workloads.count)
        status = open_judges(q, error);
    for (size_t m = 0; m < q->n_judges && !status; m++)
        status = figure_views_add(views, &q->figures[m], &q->subjects, error);
    return status;
}

static int inquire(struct inquiry *q, struct error *error)
{
    struct figure_views views = {0};
    int status = prepare(q, &views, error);
    if (!status && q->workloads.count == 0)
        return 0;
    if (!status)
        status = figure_views_make(&views, q->request->threads, error);
    figure_views_fini(&views);
    if (!status)
        status = answer_all(q, error);
    return status ? status : decide_all(q, error);
}

static void tell(const struct inquiry *q, bool whole, struct sheet *rows)
{
    for (size_t w = 0; w < q->n_decided; w++) /* what is done stays, also after Ctrl-C */
        for (size_t m = 0; m < q->n_judges; m++)
            add_row(q, w, m, rows);
    if (!whole || q->workloads.count == 0)
        return;
    for (size_t m = 0; m < q->n_judges; m++) {
        note_model(q, m, rows);
        note_parts(q, m, rows);
    }
    note_disagreement(q, rows);
    note_cut(q, rows);
}

static struct inquiry begin(const struct published_label *label,
                            const struct validation_request *request)
{
    struct inquiry q = {.request = request, .label = label, .arena = arena_create()};
    q.input = request->input ? request->input : label->input;
    return q;
}

static void end(struct inquiry *q)
{
    for (size_t i = 0; i < q->n_open; i++)
        figure_close(&q->figures[i]);
    for (size_t i = 0; i < q->n_counted; i++)
        figure_close(&q->counted[i]);
    free(q->figures);
    free(q->counted);
    free(q->decisions);
    free(q->splits);
    simulations_destroy(q->simulations);
    subjects_close(&q->subjects);
    VECTOR_FREE(&q->workloads);
    arena_destroy(q->arena);
}

static int run_label(const struct published_label *label, const struct validation_request *request,
                     struct sheet *rows, size_t *found, struct error *error)
{
    struct inquiry q = begin(label, request);
    int status = inquire(&q, error);
    tell(&q, !status, rows);
    *found += q.workloads.count;
    end(&q);
    if (status)
        error_context(error, "label \"%s\"", label->what);
    return status;
}

int decisions_ask(const struct published_label *label, const struct validation_request *request,
                  struct decided *out, struct error *error)
{
    struct validation_request models = *request;
    models.all = false;
    struct inquiry q = begin(label, &models);
    *out = (struct decided){0};
    int status = inquire(&q, error);
    for (size_t w = 0; w < q.workloads.count && !status; w++)
        VECTOR_PUSH(&out->workloads, q.workloads.items[w]);
    out->n_workloads = out->workloads.count;
    out->n_models = label->scores.count;
    if (!status) {
        out->decisions = q.decisions;
        q.decisions = NULL;
    }
    end(&q);
    if (status)
        error_context(error, "label \"%s\"", label->what);
    return status;
}

void decisions_close(struct decided *decided)
{
    VECTOR_FREE(&decided->workloads);
    free(decided->decisions);
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

int decisions_views(const struct published *published, const struct validation_request *request,
                    struct view_list *list, struct error *error)
{
    int status = 0;
    for (size_t l = 0; l < published->labels.count && !status; l++) {
        if (!checkpoint_is_asked(request->where, published->labels.items[l].where))
            continue;
        struct inquiry q = begin(&published->labels.items[l], request);
        struct figure_views views = {0};
        status = prepare(&q, &views, error);
        if (!status)
            status = figure_views_list(&views, list, error);
        figure_views_fini(&views);
        end(&q);
    }
    return status;
}
