/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open choices, one at a time. */
#include "validate/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validate/figure.h"
#include "yaml/yaml.h"

static const char group[] = "published choices, and what they hang on";

/* X(symbol, key, title, unit, group, kind, worst, summary) */
#define CHOICE_COLUMNS(X)                                                                          \
    X(SYSTEM, "system", "system", NULL, NULL, TEXT, NO_SUMMARY, NULL)                              \
    X(LABEL, "label", "label", NULL, NULL, TEXT, NO_SUMMARY, NULL)                                 \
    X(WORKLOAD, "workload", "workload", NULL, NULL, TEXT, NO_SUMMARY, NULL)                        \
    X(INPUT, "input", NULL, NULL, NULL, TEXT, NO_SUMMARY, NULL)                                    \
    X(PUBLISHED, "published", "published", NULL, group, TEXT, NO_SUMMARY, NULL)                    \
    X(MODEL, "model", "model", NULL, group, TEXT, NO_SUMMARY, NULL)                                \
    X(OURS, "ours", "ours", NULL, group, TEXT, NO_SUMMARY, NULL)                                   \
    X(MARGIN, "margin", "margin", "%", group, PERCENT, NO_SUMMARY, NULL)                           \
    X(VERDICT, "verdict", "verdict", NULL, group, TEXT, NO_SUMMARY, NULL)                          \
    X(HOLDS, "holds", "holds", NULL, group, COUNT, NO_SUMMARY, NULL)                               \
    X(CHOICES, "choices", "of", NULL, group, COUNT, NO_SUMMARY, NULL)                              \
    X(FLIPS, "flips", "another decision with", NULL, group, TEXT, NO_SUMMARY, NULL)

enum column { CHOICE_COLUMNS(VALIDATION_PLACE) COLUMNS };

const struct sheet_column choices_columns[] = {CHOICE_COLUMNS(VALIDATION_COLUMN){NULL}};

/* Decisions with one value of an open choice; NULL: as asked. */
struct variant {
    const struct published_open *open;
    const char *value;
    struct decided decided;
};

struct study {
    const struct published_label *label;
    struct validation_request request;
    struct {
        struct variant *items;
        size_t count, capacity;
    } variants; /* the first one as asked */
    size_t left_out;
};

static bool is_input(const struct published_open *open)
{
    return strcmp(open->path, "input") == 0;
}

static int ask(struct study *s, const struct validation_request *request,
               const struct published_open *open, const char *value, struct error *error)
{
    struct variant variant = {open, value, {0}};
    int status = decisions_ask(s->label, request, &variant.decided, error);
    if (status)
        decisions_close(&variant.decided);
    else
        VECTOR_PUSH(&s->variants, variant);
    return status;
}

static int ask_value(struct study *s, const struct published_open *open,
                     const struct yaml_node *value, struct error *error)
{
    static const char published[] = "published-";
    struct validation_request own = s->request;
    int status;
    if (is_input(open)) {
        if (strcmp(value->text, own.input) == 0)
            return 0;
        if (!own.all && strncmp(value->text, published, strlen(published)) == 0) {
            s->left_out++;
            return 0;
        }
        own.input = value->text;
        return ask(s, &own, open, value->text, error);
    }
    const struct validation_setting varied = {open->path, value};
    bool differs = false;
    own.varied = &varied;
    status = figure_is_varied(&s->label->scores.items[0], own.machine, &varied, &differs, error);
    if (!status && differs)
        status = ask(s, &own, open, value->text, error);
    if (status)
        error_context(error, "%s=%s", open->path, value->text);
    return status;
}

static int ask_all(struct study *s, struct error *error)
{
    int status = ask(s, &s->request, NULL, NULL, error);
    size_t workloads = status ? 0 : s->variants.items[0].decided.n_workloads;
    for (size_t i = 0; i < s->label->open.count && workloads && !status; i++) {
        const struct published_open *open = &s->label->open.items[i];
        for (size_t v = 0; v < open->values->count && !status; v++)
            status = ask_value(s, open, open->values->items[v], error);
    }
    return status;
}

/* --- rows --------------------------------------------------------------------------------- */

static bool same_decision(const struct decision *a, const struct decision *b)
{
    bool preference = a->verdict != DECISION_INDIFFERENT;
    return a->verdict == b->verdict && (!preference || a->choice == b->choice);
}

static void describe(const struct study *s, const struct variant *variant,
                     const struct decision *decision, struct text *out)
{
    text_printf(out, "%s%s=%s: ", out->length ? "; " : "", variant->open->path, variant->value);
    if (decision->verdict == DECISION_INDIFFERENT || decision->choice < 0)
        text_append(out, decision_verdict_names[decision->verdict]);
    else if (isnan(decision->margin)) /* the other scores are 0 */
        text_append(out, s->label->choices[decision->choice]);
    else
        text_printf(out, "%s %.0f %%", s->label->choices[decision->choice], 100 * decision->margin);
}

static void add_row(const struct study *s, size_t w, size_t m, struct sheet *rows)
{
    const struct decided *asked = &s->variants.items[0].decided;
    const struct published_labelled *one = asked->workloads.items[w];
    const struct decision *usual = &asked->decisions[w * asked->n_models + m];
    struct sheet_cell cells[COLUMNS] = {{0}};
    struct text flips = {0};
    size_t holds = 0;
    for (size_t i = 0; i < s->variants.count; i++) {
        const struct variant *variant = &s->variants.items[i];
        const struct decision *d = &variant->decided.decisions[w * asked->n_models + m];
        holds += d->verdict == DECISION_RIGHT;
        if (!same_decision(d, usual))
            describe(s, variant, d, &flips);
    }
    cells[SYSTEM].text = s->label->of->validation.plugin.name;
    cells[LABEL].text = s->label->what;
    cells[WORKLOAD].text = one->workload;
    cells[INPUT].text = s->request.input;
    cells[PUBLISHED].text = s->label->choices[one->choice];
    cells[MODEL].text = s->label->scores.items[m].model->plugin.name;
    cells[OURS].text = usual->choice < 0 ? NULL : s->label->choices[usual->choice];
    cells[MARGIN].number = usual->margin;
    cells[VERDICT].text = decision_verdict_names[usual->verdict];
    cells[HOLDS].number = (double)holds;
    cells[CHOICES].number = (double)s->variants.count;
    cells[FLIPS].text = flips.length ? flips.data : "";
    sheet_add(rows, cells);
    text_free(&flips);
}

/* Of each model: labels that hold whatever is chosen, that never hold, and those between. */
static void note_model(const struct study *s, size_t m, struct sheet *rows)
{
    const struct decided *asked = &s->variants.items[0].decided;
    size_t always = 0, never = 0;
    for (size_t w = 0; w < asked->n_workloads; w++) {
        size_t holds = 0;
        for (size_t i = 0; i < s->variants.count; i++)
            holds += s->variants.items[i].decided.decisions[w * asked->n_models + m].verdict ==
                     DECISION_RIGHT;
        always += holds == s->variants.count;
        never += holds == 0;
    }
    sheet_add_note(rows,
                   "%s, %s, %s: of %zu labels %zu hold for all of %zu choices, %zu for some, %zu "
                   "for none.",
                   s->label->of->validation.plugin.name, s->label->what,
                   s->label->scores.items[m].model->plugin.name, asked->n_workloads, always,
                   s->variants.count, asked->n_workloads - always - never, never);
}

static int study_label(const struct published_label *label,
                       const struct validation_request *request, struct sheet *rows, size_t *found,
                       struct error *error)
{
    struct study s = {.label = label, .request = *request};
    s.request.input = request->input ? request->input : "default";
    int status = ask_all(&s, error);
    /* What is done stays, also after Ctrl-C. */
    const struct decided *asked = s.variants.count ? &s.variants.items[0].decided : NULL;
    for (size_t w = 0; asked && w < asked->n_workloads; w++)
        for (size_t m = 0; m < asked->n_models; m++)
            add_row(&s, w, m, rows);
    for (size_t m = 0; asked && asked->n_workloads && m < asked->n_models; m++)
        note_model(&s, m, rows);
    if (asked && asked->n_workloads && s.left_out)
        sheet_add_note(rows, "%s, %s: published inputs are asked with --all.",
                       label->of->validation.plugin.name, label->what);
    *found += asked ? asked->n_workloads : 0;
    for (size_t i = 0; i < s.variants.count; i++)
        decisions_close(&s.variants.items[i].decided);
    VECTOR_FREE(&s.variants);
    return status;
}

int choices_of(const struct published *published, const struct validation_request *request,
               struct sheet *rows, size_t *found, struct error *error)
{
    int status = 0;
    for (size_t l = 0; l < published->labels.count && !status; l++)
        if (published->labels.items[l].open.count)
            status = study_label(&published->labels.items[l], request, rows, found, error);
    return status;
}
