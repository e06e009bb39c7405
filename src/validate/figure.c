/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates the expression of a published figure. */
#include "validate/figure.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/figure_simulated.h"
#include "yaml/yaml.h"

/* --- machines ------------------------------------------------------------------------ */

/* The machines of a figure: as the user asks for them, what all have another value of. */
struct machines {
    const struct machine *asked;
    const struct validation_setting *varied;
};

static int machine_open(const struct published_machine *from, const struct machines *of,
                        struct machine **out, struct error *error)
{
    int status = 0;
    *out = NULL;
    if (from->machine)
        status = machine_load(from->machine, out, error);
    else if (of->asked)
        *out = machine_clone(of->asked);
    else
        status = error_set(error, STATUS_INPUT, "it is about a machine that nobody asks for");
    if (status)
        error_place(error, &from->mark);
    if (!status && of->varied)
        status = machine_set(*out, of->varied->path, of->varied->value->text,
                             &of->varied->value->mark, error);
    for (size_t i = 0; from->settings && i < from->settings->count && !status; i++) {
        const struct yaml_node *value = from->settings->items[i];
        status = machine_set(*out, from->settings->keys[i]->text, value->text, &value->mark, error);
        if (status)
            error_place(error, &value->mark);
    }
    return status;
}

static struct figure_site *site_find(const struct figure *figure, const char *label)
{
    for (size_t i = 0; i < figure->sites.count; i++) {
        const char *own = figure->sites.items[i].label;
        if (own == label || (own && label && strcmp(own, label) == 0))
            return &figure->sites.items[i];
    }
    return NULL;
}

static int site_open(struct figure *figure, const char *label, const struct machines *of,
                     struct error *error)
{
    const struct published_figure *f = figure->published;
    const struct published_machine *from = label ? published_machine_find(f->of, label) : &f->own;
    struct figure_site site = {.label = label};
    if (site_find(figure, label) || !from->label)
        return 0;
    int status = machine_open(from, of, &site.machine, error);
    VECTOR_PUSH(&figure->sites, site);
    return status;
}

static int sites_open(struct figure *figure, const struct expression *e, const struct machines *of,
                      struct error *error)
{
    int status = 0;
    for (int i = 0; i < e->n_args && !status; i++)
        status = sites_open(figure, e->args[i], of, error);
    if (status || e->op != EXPRESSION_NAME)
        return status;
    const char *label;
    published_name_split(figure->arena, e->name, &label);
    return site_open(figure, label, of, error);
}

int figure_open(struct figure *figure, const struct published_figure *published,
                const struct machine *asked, const struct validation_setting *varied,
                struct error *error)
{
    const struct machines of = {asked, varied};
    *figure = (struct figure){.published = published, .arena = arena_create()};
    figure->point = published->point ? &published->point->views[0] : NULL;
    int status = sites_open(figure, published->ours, &of, error);
    for (size_t i = 0; i < published->n_each && !status; i++)
        if (published->each[i].value)
            status = sites_open(figure, published->each[i].value, &of, error);
    if (status)
        error_context(error, "figure \"%s\"", published->row.what);
    return status;
}

/* Whether two machines have the same value there. */
static bool same_value(const struct machine *a, const struct machine *b, const char *path)
{
    struct error ignored;
    const char *name[2] = {NULL, NULL};
    double number[2] = {0, 1};
    if (machine_name(a, path, &name[0], &ignored) == 0 &&
        machine_name(b, path, &name[1], &ignored) == 0 && name[0] && name[1])
        return strcmp(name[0], name[1]) == 0;
    return machine_number(a, path, &number[0], &ignored) == 0 &&
           machine_number(b, path, &number[1], &ignored) == 0 && number[0] == number[1];
}

int figure_is_varied(const struct published_figure *published, const struct machine *asked,
                     const struct validation_setting *varied, bool *out, struct error *error)
{
    struct figure usual, other = {0};
    int status = figure_open(&usual, published, asked, NULL, error);
    if (!status)
        status = figure_open(&other, published, asked, varied, error);
    *out = false;
    for (size_t i = 0; i < usual.sites.count && !status; i++)
        *out = *out || !same_value(usual.sites.items[i].machine, other.sites.items[i].machine,
                                   varied->path);
    figure_close(&usual);
    if (other.arena)
        figure_close(&other);
    return status;
}

static void forget_answers(struct figure *figure)
{
    for (size_t i = 0; i < figure->sites.count; i++) {
        struct figure_site *site = &figure->sites.items[i];
        answer_destroy(site->own);
        counted_view_close(&site->counted);
        site->answer = site->own = NULL;
        site->simulated = site->compared = NULL;
        site->counted = (struct counted_view){0};
        site->asked = site->infeasible = false;
    }
}

void figure_close(struct figure *figure)
{
    forget_answers(figure);
    for (size_t i = 0; i < figure->sites.count; i++)
        machine_destroy(figure->sites.items[i].machine);
    VECTOR_FREE(&figure->sites);
    arena_destroy(figure->arena);
}

/* --- names ---------------------------------------------------------------------------- */

/* Of machines that it compares one was counted. */
static int refuse_variants(const struct model *model, const struct machine *machine,
                           struct error *error)
{
    int status = 0;
    for (int v = 1; v <= model->n_variants && !status; v++) {
        struct machine *variant;
        status = model_variant(model, machine, v, &variant, error);
        if (variant)
            status = error_set(error, STATUS_INFEASIBLE, "the model compares machines");
        machine_destroy(variant);
    }
    return status;
}

/* The model, told what a simulation counted on that machine. */
static int ask_counted(struct figure *figure, struct figure_site *site, struct error *error)
{
    const struct model *model = figure->published->model;
    const struct figure_site *from = site_find(figure->counted, site->label);
    const struct profile_view *view;
    if (!from || !from->simulated)
        return error_set(error, STATUS_INFEASIBLE, "it was not simulated");
    int status = refuse_variants(model, site->machine, error);
    if (!status)
        status = subject_view(figure->subject, site->machine, &view, error);
    if (!status)
        status = counted_view_open(&site->counted, view, site->machine, from->simulated, error);
    if (!status)
        status = answer_create(model, site->machine, &site->counted.view, &site->own, error);
    return status;
}

static int ask(struct figure *figure, struct figure_site *site, struct error *error)
{
    const struct model *model = figure->published->model;
    struct model_views views;
    int status = 0;
    if (site->asked)
        return 0;
    if (figure->answers && !figure->counted && !figure->point)
        site->answer = answers_find(figure->answers, model, site->machine, figure->subject);
    if (site->answer) {
        site->asked = true;
        return 0;
    }
    if (figure->counted) {
        status = ask_counted(figure, site, error);
    } else if (figure->point) {
        status = answer_create(model, site->machine, figure->point, &site->own, error);
    } else {
        status = subject_views(figure->subject, model, site->machine, &views, error);
        if (!status)
            status = answer_create_variants(model, site->machine, &views, &site->own, error);
    }
    site->answer = site->own;
    site->asked = true;
    return status;
}

void figure_enter(const struct figure *figure, const struct subjects *subjects,
                  struct answers *answers)
{
    const struct model *model = figure->published->model;
    if (!model || figure->simulations || figure->counted || figure->point)
        return;
    for (size_t s = 0; s < figure->sites.count; s++)
        for (size_t w = 0; w < subjects->count; w++)
            answers_enter(answers, model, figure->sites.items[s].machine, subjects->items[w]);
}

/* 1 where the model answers, 0 where it refuses the machine. */
static int feasible(struct figure *figure, struct figure_site *site, struct quantity *out,
                    struct error *error)
{
    int status = ask(figure, site, error);
    if (status == STATUS_INFEASIBLE) {
        site->infeasible = true;
        status = 0;
    }
    *out = (struct quantity){site->infeasible ? 0 : 1, DIM_NONE};
    return status;
}

static int metric(struct figure *figure, struct figure_site *site, const char *name,
                  struct quantity *out, struct error *error)
{
    if (figure->simulations)
        return figure_simulated_metric(figure, site, name, out, error);
    if (figure->counted && figure_simulated_counts(name))
        return figure_simulated_count(site_find(figure->counted, site->label), name, out, error);
    int status = ask(figure, site, error);
    if (!status && site->infeasible)
        status = error_set(error, STATUS_INFEASIBLE, "the model refuses the machine");
    if (status)
        return status;
    int term = model_result_metric(&site->answer->result, name);
    *out = (struct quantity){(double)NAN, DIM_NONE};
    if (term >= 0)
        *out =
            (struct quantity){site->answer->values[term], term_get(site->answer->graph, term)->dim};
    return 0;
}

static int result(struct figure *figure, int i, struct quantity *out, struct error *error)
{
    const struct published_figure *f = figure->published;
    const struct figure_site *own = site_find(figure, NULL);
    int status = 0;
    if (!figure->computed)
        status = f->computation->compute(own ? own->machine : NULL, f->arguments, figure->results,
                                         error);
    figure->computed = true;
    *out = (struct quantity){figure->results[i], DIM_NONE};
    return status;
}

static int resolve(void *context, const struct expression *e, struct quantity *out,
                   struct error *error)
{
    struct figure *figure = context;
    const struct published_figure *f = figure->published;
    const char *label, *name = published_name_split(figure->arena, e->name, &label);
    struct figure_site *site = site_find(figure, label);
    const char *const *results = f->computation && !label ? f->computation->results : NULL;
    for (int i = 0; results && results[i]; i++)
        if (strcmp(results[i], name) == 0)
            return result(figure, i, out, error);
    if (!site)
        return error_set(error, STATUS_INPUT, "%s of which machine?", name);
    if (f->model && strcmp(name, "feasible") == 0)
        return feasible(figure, site, out, error);
    if (f->model && model_metric_find(f->model, name))
        return metric(figure, site, name, out, error);
    return checkpoint_quantity(site->machine, name, out, error);
}

/* --- values --------------------------------------------------------------------------- */

int figure_evaluate(struct figure *figure, const struct subject *subject,
                    const struct expression *expression, struct quantity *out, struct error *error)
{
    if (figure->subject != subject)
        forget_answers(figure);
    figure->subject = subject;
    return expression_evaluate(expression, resolve, figure, out, error);
}

int figure_scores(struct figure *figure, const struct subject *subject, double *scores,
                  struct error *error)
{
    const struct published_figure *f = figure->published;
    int status = 0;
    for (size_t i = 0; i < f->n_each && !status; i++) {
        struct quantity score;
        status = figure_evaluate(figure, subject, f->each[i].value, &score, error);
        scores[i] = status ? (double)NAN : score.value;
        if (!status && isnan(scores[i])) /* a metric that it does not have here */
            status = error_set(error, STATUS_INFEASIBLE, "score %zu is unknown", i + 1);
    }
    return status;
}

/* Into *label that of the names; false: there are two. */
static bool one_label(const struct figure *figure, const struct expression *e, const char **label)
{
    const char *own;
    bool one = true;
    for (int i = 0; i < e->n_args && one; i++)
        one = one_label(figure, e->args[i], label);
    if (e->op != EXPRESSION_NAME || !one)
        return one;
    published_name_split(figure->arena, e->name, &own);
    if (*label && own && strcmp(*label, own) != 0)
        return false;
    *label = own ? own : *label;
    return true;
}

const struct figure_site *figure_site_of(const struct figure *figure,
                                         const struct expression *expression)
{
    const char *label = NULL;
    return one_label(figure, expression, &label) ? site_find(figure, label) : NULL;
}

/* A unit as figures have it: "TB/s", "768 GB/s"; false: a word. */
static bool unit_read(const char *unit, struct quantity *out)
{
    char text[64];
    int length =
        snprintf(text, sizeof text, "%s%s", isdigit((unsigned char)*unit) ? "" : "1 ", unit);
    return length < (int)sizeof text && quantity_scan(text, out) == 0 && out->value > 0;
}

int figure_value(struct figure *figure, const struct subject *subject, double *out,
                 struct error *error)
{
    const struct published_figure *f = figure->published;
    struct quantity ours = {(double)NAN, DIM_NONE}, unit;
    int status = figure_evaluate(figure, subject, f->ours, &ours, error);
    if (!status && !dim_equal(ours.dim, DIM_NONE)) {
        char words[64];
        if (!unit_read(f->row.unit, &unit) || !dim_equal(ours.dim, unit.dim))
            status = error_at(error, STATUS_INPUT, &f->ours_mark,
                              "ours is in %s, which the unit \"%.60s\" is not",
                              dim_describe(ours.dim, words, sizeof words), f->row.unit);
        else
            ours.value /= unit.value;
    }
    *out = ours.value;
    if (status) {
        error_context(error, "figure \"%s\"", f->row.what);
        error_place(error, &f->mark);
    }
    return status;
}

int published_figure_value(const struct published_figure *f, const struct machine *asked,
                           double *ours, struct error *error)
{
    struct figure figure;
    struct subject *subject = NULL;
    size_t made;
    int status = figure_open(&figure, f, asked, NULL, error);
    if (!status && f->workload)
        status = subject_open(f->workload, &subject, error);
    for (size_t i = 0; subject && i < figure.sites.count && !status; i++)
        status = subject_prepare_models(subject, figure.sites.items[i].machine, &f->model, 1,
                                        PART_BASE, NULL, &made, error);
    if (!status)
        status = figure_value(&figure, subject, ours, error);
    figure_close(&figure);
    subject_destroy(subject);
    return status;
}
