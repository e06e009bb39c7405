/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of errors. */
#include "validate/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validate/figure_views.h"
#include "workload/open/spec.h"
#include "workload/workload.h"

/* --- x ---------------------------------------------------------------------------------- */

/* The best of the others. */
static int best_rival(const double *scores, size_t n, int choice)
{
    int best = choice ? 0 : 1;
    for (int i = 0; i < (int)n; i++)
        if (i != choice && scores[i] > scores[best])
            best = i;
    return best;
}

/* *rival < 0: the best of the others, which it then is. NaN where the model refuses, or a score is
 * not positive. */
static int ask(struct figure *figure, const struct subject *subject, int choice, int *rival,
               double *x, struct error *error)
{
    size_t n = figure->published->n_each;
    double *scores = memory_zero(n, sizeof *scores);
    int status = figure_scores(figure, subject, scores, error);
    *x = (double)NAN;
    if (!status && *rival < 0)
        *rival = best_rival(scores, n, choice);
    if (!status && scores[choice] > 0 && scores[*rival] > 0)
        *x = log(scores[choice] / scores[*rival]);
    free(scores);
    return status == STATUS_INFEASIBLE ? 0 : status;
}

/* --- what profile and simulation say ------------------------------------------------------ */

static void compare_sides(const struct split_question *q, struct split *out)
{
    const struct published_figure *f = q->simulated->published;
    for (int i = 0; i < 2 && out->rival >= 0; i++) {
        const struct figure_site *site =
            figure_site_of(q->simulated, f->each[i ? out->rival : q->choice].value);
        const struct profile_view *view;
        struct error ignored;
        if (!site || !site->simulated ||
            subject_view(q->subject, site->machine, &view, &ignored) != 0)
            continue;
        out->sides[i].profile = counted_of_view(view, site->machine);
        out->sides[i].counted = counted_of_result(site->simulated);
        double requests = 0, counted = 0;
        for (size_t r = 0; r < view->n_records; r++)
            requests += view->records[r].fields[FIELD_REQUESTS];
        for (size_t l = 0; l < site->simulated->n_launches; l++)
            counted += (double)site->simulated->launches[l].seen.requests;
        if (i == 0)
            out->simulated_frac = site->simulated->whole ? 1 : fmin(1, counted / requests);
    }
}

static double ours_of(const struct profile_view *view, enum workload_figure_kind kind)
{
    double largest = 0, all = 0;
    for (size_t r = 0; r < view->n_records; r++) {
        const struct profile_record *record = &view->records[r];
        largest = fmax(largest, record->fields[FIELD_CTAS] / (double)record->launches);
        all += record->fields[FIELD_CTAS];
    }
    switch (kind) {
    case FIGURE_CTAS:
        return largest;
    case FIGURE_CTAS_TOTAL:
        return all;
    case FIGURE_FOOTPRINT:
        return view->sharing.footprint_bytes;
    case FIGURE_TRULY_SHARED:
        return view->sharing.truly_shared_bytes;
    case FIGURE_FALSELY_SHARED:
        return view->sharing.falsely_shared_bytes;
    case FIGURE_READ_ONLY_SHARED:
    case FIGURES:
        break;
    }
    return (double)NAN; /* of launches, and a profile has that of runs */
}

static void compare_workload(const struct split_question *q, struct split *out)
{
    const struct published_figure *f = q->asked->published;
    const struct figure_site *site = figure_site_of(q->asked, f->each[q->choice].value);
    const struct profile_view *view;
    struct error ignored;
    if (!q->figures || !site || subject_view(q->subject, site->machine, &view, &ignored) != 0)
        return;
    for (const struct workload_figure *figure = q->figures->figures; figure->name; figure++) {
        enum workload_figure_kind kind =
            (enum workload_figure_kind)workload_figure_find(figure->name);
        double published;
        if (workload_figure_value(figure, &published, &ignored) == 0 && published > 0)
            out->figures[kind] = ours_of(view, kind) / published;
    }
}

/* --- parts ------------------------------------------------------------------------------ */

int split_error(const struct split_question *q, struct split *out, struct error *error)
{
    const double unknown = (double)NAN;
    const struct counted_figures none = {unknown, unknown, unknown};
    const struct split_side side = {none, none};
    double counted = unknown, simulated = unknown, published = unknown;
    *out = (struct split){-1,      unknown, unknown, unknown,      unknown,
                          unknown, unknown, unknown, {side, side}, {0}};
    for (int i = 0; i < FIGURES; i++)
        out->figures[i] = unknown;
    int status = ask(q->asked, q->subject, q->choice, &out->rival, &out->x, error);
    if (status || out->rival < 0)
        return status;
    status = ask(q->simulated, q->subject, q->choice, &out->rival, &simulated, error);
    if (!status)
        compare_sides(q, out);
    compare_workload(q, out);
    if (!status && q->counted)
        status = ask(q->counted, q->subject, q->choice, &out->rival, &counted, error);
    /* Last: answers for the subject are forgotten then. */
    if (!status && q->counted && q->published == q->subject)
        published = out->x;
    else if (!status && q->counted && q->published)
        status = ask(q->asked, q->published, q->choice, &out->rival, &published, error);
    out->error = out->x - q->least;
    out->workload = out->x - published;
    out->profile = out->x - counted;
    out->formula = counted - simulated;
    double named = q->counted ? out->profile + out->formula : 0;
    out->rest = out->error - named - (isnan(out->workload) ? 0 : out->workload);
    return status;
}

/* --- the label's input -------------------------------------------------------------------- */

int split_open_published(const struct figure *figures, size_t n, const char *spec,
                         struct subject **out, struct error *error)
{
    struct figure_views views = {0};
    struct subject *subject = NULL;
    struct subjects one = {0};
    bool cached = true;
    *out = NULL;
    int status = subject_open(spec, &subject, error);
    if (!status)
        VECTOR_PUSH(&one, subject);
    for (size_t m = 0; m < n && !status; m++)
        status = figure_views_add(&views, &figures[m], &one, error);
    size_t kept = status ? 0 : subject_plan(views.items, views.count);
    for (size_t i = 0; i < kept; i++)
        cached = cached && views.items[i].cached;
    if (!status && cached)
        status = subject_prepare(views.items, kept, 1, error);
    figure_views_fini(&views);
    VECTOR_FREE(&one);
    if (!status && cached)
        *out = subject;
    else
        subject_destroy(subject);
    return status;
}

const struct workload_published *split_published_figures(struct arena *arena, const char *workload,
                                                         const char *input)
{
    static const char prefix[] = "published-";
    struct workload_spec spec;
    struct workload_info info;
    struct error ignored;
    if (strncmp(input, prefix, strlen(prefix)) != 0 ||
        workload_spec_parse(arena, workload, &spec, &ignored) != 0 ||
        workload_describe(arena, &spec, &info, &ignored) != 0)
        return NULL;
    const struct workload_published *p = info.published;
    while (p && p->name && strcmp(p->name, input + strlen(prefix)) != 0)
        p++;
    return p && p->name ? p : NULL;
}
