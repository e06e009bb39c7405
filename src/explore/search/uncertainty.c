/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/search/uncertainty.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "explore/pareto/pareto.h"
#include "explore/sweep/structure_models.h"

/* Candidates of the first round; designs x draws that are evaluated between two looks at Ctrl-C. */
enum { CANDIDATES_LEAST = 32, TRIALS_AT_A_TIME = 1 << 11 };

struct finder {
    const struct uncertainty_request *request;
    struct uncertainty *out;
    struct trials *trials;
    size_t width;    /* numbers a trial */
    double *factors; /* [draw * spreads + spread] */
    size_t n_paths;  /* factors of a trial: spreads, then errors by place (structure_models.h) */
    size_t n_errors; /* 0: none are drawn */
    double *answers; /* [candidate * n_errors + place] */
    double *stated;  /* [candidate * width] */
    double *values;  /* [(candidate * draws asked for + draw) * width] */
};

static double value_of(const struct finder *f, size_t candidate, uint64_t draw, size_t number)
{
    return f->values[(candidate * f->request->draws + draw) * f->width + number];
}

/* --- draws ------------------------------------------------------------------------------ */

static void draw_factors(struct finder *f)
{
    const struct uncertainty_request *r = f->request;
    f->factors = memory_alloc((r->draws * r->n_spreads + 1) * sizeof *f->factors);
    for (uint64_t d = 0; d < r->draws; d++)
        for (size_t i = 0; i < r->n_spreads; i++)
            f->factors[d * r->n_spreads + i] = spread_factor(&r->spreads[i], r->seed, i, d);
}

/* Of what one model says of one workload, for a candidate: by what it answers. */
static double error_factor(const struct finder *f, size_t candidate, size_t place, uint64_t draw)
{
    const struct uncertainty_request *r = f->request;
    const struct space *space = r->sweep->space;
    const struct model_errors *errors = r->errors[place / 2 % space->n_models];
    const double *answers = f->answers + candidate * f->n_errors;
    uint64_t structure = trials_structure(f->trials, f->out->designs[candidate].id);
    if (!errors || !(answers[place] > 0))
        return 1;
    /* A baseline is a structure of its own, where it is not the design itself. */
    if (place % 2 && answers[place] != answers[place - 1])
        structure = ~structure;
    return model_error_factor(errors, r->seed,
                              r->sweep->workload_names[place / 2 / space->n_models], structure,
                              answers[place], draw);
}

static void set_factors(const struct finder *f, size_t candidate, uint64_t draw, double *factors)
{
    size_t n = f->request->n_spreads;
    memcpy(factors, f->factors + draw * n, n * sizeof *factors);
    for (size_t e = 0; e < f->n_errors; e++)
        factors[n + e] = error_factor(f, candidate, e, draw);
}

/* Draws from .. to - 1 of the candidates from `first` on. */
static int run_draws(struct finder *f, size_t first, uint64_t from, uint64_t to,
                     struct error *error)
{
    const struct uncertainty_request *r = f->request;
    size_t candidates = f->out->count - first, count = candidates * (to - from);
    struct trial *list = memory_alloc((count + 1) * sizeof *list);
    double *values = memory_alloc((count + 1) * f->width * sizeof *values);
    double *factors = memory_alloc((count + 1) * (f->n_paths + 1) * sizeof *factors);
    for (size_t c = 0; c < candidates; c++)
        for (uint64_t d = from; d < to; d++) {
            size_t place = c * (to - from) + (d - from);
            set_factors(f, first + c, d, factors + place * f->n_paths);
            list[place] =
                (struct trial){f->out->designs[first + c].id, factors + place * f->n_paths};
        }
    int status = trials_run(f->trials, list, count, values, error);
    for (size_t c = 0; c < candidates && !status; c++)
        memcpy(f->values + ((first + c) * r->draws + from) * f->width,
               values + c * (to - from) * f->width, (to - from) * f->width * sizeof *values);
    free(list);
    free(values);
    free(factors);
    return status;
}

/* All draws of the candidates from `first` on; *made: of how many draws there are results. */
static int run_candidates(struct finder *f, size_t first, uint64_t *made, struct error *error)
{
    const struct uncertainty_request *r = f->request;
    size_t candidates = f->out->count - first;
    uint64_t step = candidates ? TRIALS_AT_A_TIME / candidates : 1;
    int status = 0;
    *made = 0;
    f->values =
        memory_resize(f->values, (f->out->count * r->draws + 1) * f->width, sizeof *f->values);
    f->stated = memory_resize(f->stated, (f->out->count + 1) * f->width, sizeof *f->stated);
    f->answers = memory_resize(f->answers, f->out->count * f->n_errors + 1, sizeof *f->answers);
    struct trial *list = memory_zero(candidates + 1, sizeof *list);
    for (size_t c = 0; c < candidates; c++)
        list[c].id = f->out->designs[first + c].id;
    status = trials_run(f->trials, list, candidates, f->stated + first * f->width, error);
    if (!status && f->n_errors)
        status =
            trials_answers(f->trials, list, candidates, f->answers + first * f->n_errors, error);
    free(list);
    progress_begin_items("drawing", "designs", candidates * r->draws, "requests");
    for (uint64_t d = 0; d < r->draws && !status; d += step ? step : 1) {
        uint64_t to = d + (step ? step : 1);
        to = to < r->draws ? to : r->draws;
        status = run_draws(f, first, d, to, error);
        *made = status ? *made : to;
    }
    progress_end();
    return status;
}

/* --- candidates ------------------------------------------------------------------------- */

static bool is_candidate(const struct uncertainty *u, uint64_t id)
{
    for (size_t i = 0; i < u->count; i++)
        if (u->designs[i].id == id)
            return true;
    return false;
}

static void add_candidate(struct finder *f, uint64_t id, size_t rank)
{
    struct uncertainty_design *design = &f->out->designs[f->out->count++];
    *design = (struct uncertainty_design){.id = id, .rank = rank};
    design->bands = arena_alloc(f->out->arena, f->width * sizeof *design->bands);
}

/* Ranks up to `count`, as far as there are any. */
static void add_ranked(struct finder *f, size_t count)
{
    const struct sweep_ids *ranking = &f->request->sweep->ranking;
    for (; f->out->ranked < count && f->out->ranked < ranking->count; f->out->ranked++)
        if (!is_candidate(f->out, ranking->items[f->out->ranked]))
            add_candidate(f, ranking->items[f->out->ranked], f->out->ranked + 1);
        else
            for (size_t i = 0; i < f->out->count; i++)
                if (f->out->designs[i].id == ranking->items[f->out->ranked])
                    f->out->designs[i].rank = f->out->ranked + 1;
}

static void add_front(struct finder *f)
{
    const struct sweep_ids *front = &f->request->sweep->front;
    size_t count = front->count < UNCERTAINTY_FRONT_MOST ? front->count : UNCERTAINTY_FRONT_MOST;
    f->out->front_left_out = front->count - count;
    for (size_t i = 0; i < count; i++) /* evenly, where there are too many */
        add_candidate(f, front->items[i * front->count / count], 0);
    for (size_t i = 0; i < f->out->count; i++)
        f->out->designs[i].front = true;
}

/* --- what the draws say --------------------------------------------------------------- */

/* Smaller is better; what is not kept is behind all others. */
static double key_of(const struct finder *f, size_t candidate, uint64_t draw)
{
    double value = value_of(f, candidate, draw, 0);
    bool most = f->request->sweep->space->rank_sense == PARETO_MAXIMISE;
    return isnan(value) ? HUGE_VAL : most ? -value : value;
}

static void count_draw(struct finder *f, uint64_t draw, double *keys, double *sorted)
{
    struct uncertainty *u = f->out;
    size_t top = f->request->top < u->count ? f->request->top : u->count, equal = 0;
    for (size_t c = 0; c < u->count; c++)
        sorted[c] = keys[c] = key_of(f, c, draw);
    gsl_sort(sorted, 1, u->count);
    for (size_t c = 0; c < u->count; c++)
        equal += keys[c] == sorted[0];
    for (size_t c = 0; c < u->count; c++) {
        if (keys[c] == HUGE_VAL)
            continue;
        u->designs[c].kept++;
        u->designs[c].in_top += keys[c] <= sorted[top - 1];
        u->designs[c].best += keys[c] == sorted[0] ? 1.0 / (double)equal : 0;
    }
}

/* The front of a draw, among the candidates that are kept. */
static int count_front(struct finder *f, uint64_t draw, struct error *error)
{
    const struct space *space = f->request->sweep->space;
    struct uncertainty *u = f->out;
    size_t n = space->n_objectives, kept = 0, found = 0;
    double *numbers = memory_alloc((u->count * n + 1) * sizeof *numbers);
    const double *columns[PARETO_OBJECTIVES_MAX];
    enum pareto_sense senses[PARETO_OBJECTIVES_MAX];
    size_t *places = memory_alloc((u->count + 1) * sizeof *places);
    size_t *front = memory_alloc((u->count + 1) * sizeof *front);
    for (size_t c = 0; c < u->count; c++)
        if (!isnan(value_of(f, c, draw, 0)))
            places[kept++] = c;
    for (size_t o = 0; o < n; o++) {
        for (size_t i = 0; i < kept; i++)
            numbers[o * u->count + i] = value_of(f, places[i], draw, 1 + o);
        columns[o] = numbers + o * u->count;
        senses[o] = space->objectives[o].sense;
    }
    struct pareto_points points = {kept, (int)n, columns, senses};
    int status = kept ? pareto_filter(&points, PARETO_KEEP_TIES, front, &found, error) : 0;
    for (size_t i = 0; i < found && !status; i++)
        u->designs[places[front[i]]].on_front++;
    free(numbers);
    free(places);
    free(front);
    return status;
}

static void find_band(struct finder *f, size_t candidate, size_t number, double *buffer)
{
    struct uncertainty_band *band = &f->out->designs[candidate].bands[number];
    size_t count = 0;
    for (uint64_t d = 0; d < f->out->draws; d++) {
        double value = value_of(f, candidate, d, number);
        if (!isnan(value))
            buffer[count++] = value;
    }
    *band = (struct uncertainty_band){f->stated[candidate * f->width + number], (double)NAN,
                                      (double)NAN, (double)NAN};
    if (count == 0)
        return;
    gsl_sort(buffer, 1, count);
    band->low = gsl_stats_quantile_from_sorted_data(buffer, 1, count, 0.05);
    band->median = gsl_stats_median_from_sorted_data(buffer, 1, count);
    band->high = gsl_stats_quantile_from_sorted_data(buffer, 1, count, 0.95);
}

static void count_ranks(struct finder *f)
{
    struct uncertainty *u = f->out;
    double *keys = memory_alloc((u->count + 1) * sizeof *keys);
    double *sorted = memory_alloc((u->count + 1) * sizeof *sorted);
    for (size_t c = 0; c < u->count; c++)
        u->designs[c].best = u->designs[c].in_top = u->designs[c].kept = 0;
    for (uint64_t d = 0; d < u->draws && u->count; d++)
        count_draw(f, d, keys, sorted);
    free(keys);
    free(sorted);
}

/* Whether none of the second half by rank was ever among the best K. */
static bool is_settled(const struct finder *f)
{
    const struct uncertainty *u = f->out;
    if (u->ranked >= f->request->sweep->kept)
        return true;
    for (size_t c = 0; c < u->count; c++)
        if (2 * u->designs[c].rank > u->ranked && u->designs[c].in_top > 0)
            return false;
    return true;
}

static int compare_designs(const void *a, const void *b)
{
    const struct uncertainty_design *x = a, *y = b;
    size_t p = x->rank ? x->rank : SIZE_MAX, q = y->rank ? y->rank : SIZE_MAX;
    if (p != q)
        return p < q ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static int conclude(struct finder *f, struct error *error)
{
    struct uncertainty *u = f->out;
    double *buffer = memory_alloc((u->draws + 1) * sizeof *buffer), draws = (double)u->draws;
    int status = 0;
    for (uint64_t d = 0; d < u->draws && !status; d++)
        status = count_front(f, d, error);
    for (size_t c = 0; c < u->count && !status; c++) {
        struct uncertainty_design *design = &u->designs[c];
        for (size_t number = 0; number < f->width; number++)
            find_band(f, c, number, buffer);
        design->best /= draws;
        design->in_top /= draws;
        design->on_front /= draws;
        design->kept /= draws;
    }
    free(buffer);
    u->left_out = f->request->sweep->kept - u->count;
    qsort(u->designs, u->count, sizeof *u->designs, compare_designs);
    return status;
}

/* --- the run --------------------------------------------------------------------------- */

/* A number that no model reads, or none that is not in a formula of the space. */
static int check_effects(const struct finder *f, struct error *error)
{
    const struct uncertainty_request *r = f->request;
    const struct space *space = r->sweep->space;
    for (size_t i = 0; i < r->n_spreads; i++) {
        if (trials_reads(f->trials, i))
            continue;
        error_set(error, STATUS_INPUT, "the spread of %s has no effect", r->spreads[i].path);
        for (size_t s = 0; s < space->n_sets; s++)
            if (strcmp(space->sets[s].name, r->spreads[i].path) == 0)
                return error_hint(error, "the space sets it: give a spread to what it follows");
        return error_hint(error, "nothing that points are compared by reads it as a number; "
                                 "bandscape sensitivity shows what matters");
    }
    return 0;
}

/* Rounds of candidates until they are enough. */
static int run_rounds(struct finder *f, struct error *error)
{
    const struct uncertainty_request *r = f->request;
    struct uncertainty *u = f->out;
    size_t ranks = 4 * r->top > CANDIDATES_LEAST ? 4 * r->top : CANDIDATES_LEAST, first = 0;
    add_front(f);
    for (;;) {
        struct uncertainty before = *u;
        uint64_t made;
        add_ranked(f, ranks < UNCERTAINTY_CANDIDATES_MOST ? ranks : UNCERTAINTY_CANDIDATES_MOST);
        int status = run_candidates(f, first, &made, error);
        if (status == STATUS_INTERRUPTED && (first ? u->draws : made)) {
            if (first) { /* of these candidates some draws are missing */
                u->count = before.count;
                u->ranked = before.ranked;
            } else {
                u->draws = made;
            }
            for (size_t c = 0; c < u->count; c++) /* of the front, ranked in this round */
                if (u->designs[c].rank > u->ranked)
                    u->designs[c].rank = 0;
            count_ranks(f);
            u->settled = is_settled(f);
            u->interrupted = true;
            interrupt_clear();
            return 0;
        }
        if (status)
            return status;
        u->draws = made;
        status = first ? 0 : check_effects(f, error);
        count_ranks(f);
        u->settled = is_settled(f);
        if (status || u->settled || ranks >= UNCERTAINTY_CANDIDATES_MOST)
            return status;
        first = u->count;
        ranks *= 2;
    }
}

/* Whether models have factors of their own error: how many; the sweep is told. */
static size_t begin_errors(struct finder *f)
{
    const struct uncertainty_request *r = f->request;
    size_t models = r->sweep->space->n_models;
    bool *have = arena_alloc(f->out->arena, (models + 1) * sizeof *have), any = false;
    for (size_t m = 0; r->errors && m < models; m++) {
        have[m] = r->errors[m] != NULL;
        any = any || have[m];
    }
    r->sweep->model_errors = any ? have : NULL;
    return any ? structure_errors(r->sweep->space) : 0;
}

int uncertainty_find(const struct uncertainty_request *request, struct uncertainty *out,
                     struct error *error)
{
    struct finder f = {.request = request, .out = out};
    *out = (struct uncertainty){.arena = arena_create()};
    size_t n = request->n_spreads;
    f.n_errors = begin_errors(&f);
    f.n_paths = n + f.n_errors;
    const char **paths = memory_alloc((f.n_paths + 1) * sizeof *paths);
    for (size_t i = 0; i < n; i++)
        paths[i] = request->spreads[i].path;
    for (size_t e = 0; e < f.n_errors; e++)
        paths[n + e] = structure_error_name(request->sweep, e, out->arena);
    f.trials = trials_create(request->sweep, paths, f.n_paths);
    f.width = trials_width(f.trials);
    out->designs = arena_alloc(out->arena, (UNCERTAINTY_CANDIDATES_MOST + UNCERTAINTY_FRONT_MOST) *
                                               sizeof *out->designs);
    draw_factors(&f);
    int status = run_rounds(&f, error);
    if (!status)
        status = conclude(&f, error);
    for (size_t e = 0; e < f.n_errors; e++)
        out->erring = out->erring || trials_reads(f.trials, n + e);
    trials_destroy(f.trials);
    free(f.factors);
    free(f.stated);
    free(f.values);
    free(f.answers);
    free(paths);
    request->sweep->model_errors = NULL;
    return status;
}

void uncertainty_fini(struct uncertainty *uncertainty)
{
    arena_destroy(uncertainty->arena);
}
