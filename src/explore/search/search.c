/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/draw.h"
#include "core/key_table.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "explore/pareto/pareto.h"
#include "explore/sweep/scan.h"
#include "explore/sweep/sweep.h"
#include "explore/search/trials.h"

/* Chains of the annealing (so many that each has CHAIN_STEPS proposals), points of a population:
 * what keeps a few threads with blocks of points busy. Proposals that hit known points again and
 * again: the neighbourhood is exhausted. */
enum {
    CHAINS = 64,
    POPULATION = 128,
    STALE_MOST = 200,
    BESIDE_AT_A_TIME = 64,
    SAMPLE = 500,
    POLISH_ALL = 16,
    CHAIN_STEPS = 100
};
/* How far the temperature falls. */
static const double COOLING = 1e-4;

struct known {
    uint64_t key; /* id + 1 */
    size_t place; /* of its values */
};

struct searcher {
    struct sweep *sweep;
    const struct search_request *request;
    struct search_result *result;
    struct trials *trials;
    struct arena *arena;
    struct sweep_part *part;
    uint64_t points, drawn;
    size_t width;
    struct key_table table; /* of struct known */
    struct {
        uint64_t *items;
        size_t count, capacity;
    } ids; /* evaluated, in order */
    struct {
        double *items;
        size_t count, capacity;
    } values; /* [place * width] */
    struct trial *wanted;
    size_t n_wanted, wanted_capacity;
};

/* --- points ----------------------------------------------------------------------------- */

static double draw(struct searcher *s)
{
    return draw_uniform(s->request->seed, 0, s->drawn++);
}

static uint64_t draw_below(struct searcher *s, uint64_t n)
{
    uint64_t at = (uint64_t)(draw(s) * (double)n);
    return at < n ? at : n - 1;
}

static size_t digit(const struct searcher *s, uint64_t id, size_t a)
{
    return (size_t)(id / s->part->strides[a] % s->sweep->space->axes[a].n_values);
}

static uint64_t with_digit(const struct searcher *s, uint64_t id, size_t a, size_t value)
{
    return id - digit(s, id, a) * s->part->strides[a] + value * s->part->strides[a];
}

static uint64_t random_id(struct searcher *s)
{
    uint64_t id = 0;
    for (size_t a = 0; a < s->sweep->space->n_axes; a++)
        id += draw_below(s, s->sweep->space->axes[a].n_values) * s->part->strides[a];
    return id;
}

/* Another value of an axis: of numbers mostly one near by, the nearer the smaller the `reach`. */
static uint64_t move_along(struct searcher *s, uint64_t id, size_t a, double reach)
{
    const struct space_axis *axis = &s->sweep->space->axes[a];
    size_t n = axis->n_values, at = digit(s, id, a), to = at;
    if (n < 2)
        return id;
    if (axis->numeric && draw(s) < 0.75) {
        size_t most = (size_t)(reach * (double)(n - 1));
        size_t step = 1 + (size_t)draw_below(s, most ? most : 1);
        bool up = draw(s) < 0.5;
        if (up ? at + step >= n : at < step)
            up = !up;
        to = up ? at + step : at - step;
    }
    if (to >= n || to == at) {
        to = (size_t)draw_below(s, n - 1);
        to += to >= at;
    }
    return with_digit(s, id, a, to);
}

/* Along an axis, or two at once: where a condition binds, one gives what another takes. */
static uint64_t neighbour(struct searcher *s, uint64_t id, double reach)
{
    size_t n = s->sweep->space->n_axes;
    id = move_along(s, id, (size_t)draw_below(s, n), reach);
    return draw(s) < 0.5 ? id : move_along(s, id, (size_t)draw_below(s, n), reach);
}

/* --- evaluations ------------------------------------------------------------------------ */

static const double *values_of(const struct searcher *s, uint64_t id)
{
    const struct known *known = key_table_find(&s->table, id + 1);
    return known ? s->values.items + known->place * s->width : NULL;
}

static bool is_spent(const struct searcher *s, double share)
{
    double most = (double)s->request->evaluations * share;
    return s->ids.count >= s->points || (double)(s->ids.count + s->n_wanted) >= most;
}

/* It is evaluated with the next ones, unless it is known; false: it is. */
static bool want(struct searcher *s, uint64_t id)
{
    if (key_table_find(&s->table, id + 1) || s->ids.count + s->n_wanted >= s->request->evaluations)
        return false;
    struct known *known = key_table_enter(&s->table, id + 1);
    known->place = s->ids.count + s->n_wanted;
    if (s->n_wanted == s->wanted_capacity) {
        s->wanted_capacity = 2 * s->wanted_capacity + 256;
        s->wanted = memory_resize(s->wanted, s->wanted_capacity, sizeof *s->wanted);
    }
    s->wanted[s->n_wanted++] = (struct trial){id, NULL};
    return true;
}

static int evaluate(struct searcher *s, struct error *error)
{
    size_t n = s->n_wanted;
    double *values = memory_alloc((n + 1) * s->width * sizeof *values);
    int status = trials_run(s->trials, s->wanted, n, values, error);
    for (size_t i = 0; i < n && !status; i++)
        VECTOR_PUSH(&s->ids, s->wanted[i].id);
    for (size_t i = 0; i < n * s->width && !status; i++)
        VECTOR_PUSH(&s->values, values[i]);
    free(values);
    s->n_wanted = 0;
    return status;
}

/* Smaller is better. */
static double key_of(const struct searcher *s, uint64_t id)
{
    const double *values = values_of(s, id);
    bool most = s->sweep->space->rank_sense == PARETO_MAXIMISE;
    return !values || isnan(values[0]) ? HUGE_VAL : most ? -values[0] : values[0];
}

static uint64_t best_id(const struct searcher *s)
{
    uint64_t best = s->ids.count ? s->ids.items[0] : 0;
    for (size_t i = 1; i < s->ids.count; i++) {
        double key = key_of(s, s->ids.items[i]), least = key_of(s, best);
        if (key < least || (key == least && s->ids.items[i] < best))
            best = s->ids.items[i];
    }
    return best;
}

static double polish_share(const struct searcher *s);

/* --- annealing ---------------------------------------------------------------------------- */

/* How far values of random points are apart: what a temperature is measured by. */
static double first_temperature(const struct searcher *s, const uint64_t *chains, size_t count)
{
    double sum = 0, squares = 0;
    size_t n = 0;
    for (size_t c = 0; c < count; c++) {
        double key = key_of(s, chains[c]);
        if (isinf(key))
            continue;
        sum += key;
        squares += key * key;
        n++;
    }
    double mean = n ? sum / (double)n : 0;
    return n ? sqrt(fmax(0, squares / (double)n - mean * mean)) : 0;
}

/* Metropolis, each chain with its own proposal. */
static void step_chains(struct searcher *s, uint64_t *chains, const uint64_t *proposals,
                        size_t count, double temperature)
{
    for (size_t c = 0; c < count; c++) {
        double u = draw(s), here = key_of(s, chains[c]), there = key_of(s, proposals[c]);
        if (!values_of(s, proposals[c]))
            continue;
        bool better = there <= here || isinf(here);
        if (better || (temperature > 0 && u < exp((here - there) / temperature)))
            chains[c] = proposals[c];
    }
}

static int anneal(struct searcher *s, struct error *error)
{
    uint64_t chains[CHAINS], proposals[CHAINS];
    double begin = 0, share = 1 - polish_share(s);
    size_t n = (size_t)(s->request->evaluations / CHAIN_STEPS);
    size_t stale = 0;
    n = n < 4 ? 4 : n > CHAINS ? CHAINS : n;
    for (size_t c = 0; c < n; c++)
        want(s, chains[c] = random_id(s));
    int status = evaluate(s, error);
    while (!status && !is_spent(s, share) && stale < STALE_MOST) {
        if (!(begin > 0))
            begin = first_temperature(s, chains, n);
        double gone = (double)s->ids.count / ((double)s->request->evaluations * share);
        double temperature = begin * pow(COOLING, gone), reach = pow(1 - gone, 2);
        size_t before = s->ids.count;
        for (size_t c = 0; c < n; c++)
            want(s, proposals[c] = neighbour(s, chains[c], reach));
        status = evaluate(s, error);
        if (!status)
            step_chains(s, chains, proposals, n, temperature);
        stale = s->ids.count > before ? 0 : stale + 1;
    }
    return status;
}

/* --- evolution ---------------------------------------------------------------------------- */

/* A population with what survival goes by. */
struct population {
    uint64_t ids[2 * POPULATION];
    uint32_t ranks[2 * POPULATION];
    double crowding[2 * POPULATION];
    size_t count;
};

struct crowd_entry {
    double value;
    size_t place;
};

static int crowd_compare(const void *a, const void *b)
{
    const struct crowd_entry *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Distances of neighbours along an objective within one front, relative to its extent. */
static void add_crowding(const struct searcher *s, struct population *p, uint32_t rank,
                         size_t objective)
{
    struct crowd_entry entries[2 * POPULATION];
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->ranks[i] == rank)
            entries[n++] = (struct crowd_entry){values_of(s, p->ids[i])[1 + objective], i};
    if (n == 0)
        return;
    qsort(entries, n, sizeof *entries, crowd_compare);
    double extent = entries[n - 1].value - entries[0].value;
    p->crowding[entries[0].place] = p->crowding[entries[n - 1].place] = HUGE_VAL;
    for (size_t i = 1; i + 1 < n && extent > 0; i++)
        p->crowding[entries[i].place] += (entries[i + 1].value - entries[i - 1].value) / extent;
}

/* Ranks by non-dominated sorting; what is not kept comes last. */
static int sort_population(const struct searcher *s, struct population *p, struct error *error)
{
    const struct space *space = s->sweep->space;
    size_t n = space->n_objectives, kept = 0, places[2 * POPULATION];
    uint32_t ranks[2 * POPULATION], most = 0;
    double *numbers = memory_alloc(n * 2 * POPULATION * sizeof *numbers);
    const double *columns[PARETO_OBJECTIVES_MAX];
    enum pareto_sense senses[PARETO_OBJECTIVES_MAX];
    for (size_t i = 0; i < p->count; i++) {
        p->ranks[i] = UINT32_MAX;
        p->crowding[i] = 0;
        if (!isinf(key_of(s, p->ids[i])))
            places[kept++] = i;
    }
    for (size_t o = 0; o < n; o++) {
        for (size_t i = 0; i < kept; i++)
            numbers[o * 2 * POPULATION + i] = values_of(s, p->ids[places[i]])[1 + o];
        columns[o] = numbers + o * 2 * POPULATION;
        senses[o] = space->objectives[o].sense;
    }
    struct pareto_points points = {kept, (int)n, columns, senses};
    int status = kept ? pareto_rank(&points, ranks, error) : 0;
    for (size_t i = 0; i < kept && !status; i++) {
        p->ranks[places[i]] = ranks[i];
        most = ranks[i] > most ? ranks[i] : most;
    }
    for (uint32_t rank = 0; rank <= most && kept && !status; rank++)
        for (size_t o = 0; o < n; o++)
            add_crowding(s, p, rank, o);
    free(numbers);
    return status;
}

static bool survives(const struct population *p, size_t a, size_t b)
{
    if (p->ranks[a] != p->ranks[b])
        return p->ranks[a] < p->ranks[b];
    if (p->crowding[a] != p->crowding[b])
        return p->crowding[a] > p->crowding[b];
    return p->ids[a] < p->ids[b];
}

/* The better half stays, by insertion: a few hundred. */
static void cut_population(struct population *p)
{
    struct population out = {.count = 0};
    size_t order[2 * POPULATION];
    for (size_t i = 0; i < p->count; i++) {
        size_t k = i;
        for (; k > 0 && survives(p, i, order[k - 1]); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (size_t i = 0; i < p->count && i < POPULATION; i++) {
        out.ids[i] = p->ids[order[i]];
        out.ranks[i] = p->ranks[order[i]];
        out.crowding[i] = p->crowding[order[i]];
        out.count++;
    }
    *p = out;
}

static uint64_t choose_parent(struct searcher *s, const struct population *p)
{
    size_t a = (size_t)draw_below(s, p->count), b = (size_t)draw_below(s, p->count);
    return p->ids[survives(p, a, b) ? a : b];
}

/* Each axis from one of two parents, and one of the axes moved, on average. */
static uint64_t make_child(struct searcher *s, const struct population *p, double reach)
{
    uint64_t mother = choose_parent(s, p), father = choose_parent(s, p), child = mother;
    size_t n = s->sweep->space->n_axes;
    for (size_t a = 0; a < n; a++)
        if (draw(s) < 0.5)
            child = with_digit(s, child, a, digit(s, father, a));
    for (size_t a = 0; a < n; a++)
        if (draw(s) * (double)n < 1)
            child = move_along(s, child, a, reach);
    return child;
}

static int evolve(struct searcher *s, struct error *error)
{
    struct population p = {.count = 0};
    size_t stale = 0;
    double share = 1 - polish_share(s);
    for (size_t i = 0; i < POPULATION; i++) {
        uint64_t id = random_id(s);
        if (want(s, id))
            p.ids[p.count++] = id;
    }
    int status = evaluate(s, error);
    if (!status)
        status = sort_population(s, &p, error);
    while (!status && p.count && !is_spent(s, share) && stale < STALE_MOST) {
        size_t parents = p.count;
        double gone = (double)s->ids.count / ((double)s->request->evaluations * share);
        struct population next = p;
        for (size_t i = 0; i < POPULATION; i++) {
            uint64_t child = make_child(s, &p, pow(1 - gone, 2));
            if (!want(s, child)) /* known: somebody who is not, perhaps */
                child = stale ? random_id(s) : neighbour(s, child, 1);
            else {
                next.ids[next.count++] = child;
                continue;
            }
            if (want(s, child))
                next.ids[next.count++] = child;
        }
        stale = next.count > parents ? 0 : stale + 1;
        status = evaluate(s, error);
        if (!status)
            status = sort_population(s, &next, error);
        if (!status) {
            cut_population(&next);
            p = next;
        }
    }
    return status;
}

/* --- the last steps ------------------------------------------------------------------------- */

/* Steps of 1, 2, 4, ... values along an axis; of few values or of names all. False: some of them
 * could not be asked for. */
static bool want_steps(struct searcher *s, uint64_t id, size_t a)
{
    const struct space_axis *axis = &s->sweep->space->axes[a];
    size_t at = digit(s, id, a);
    bool asked = true;
    for (size_t v = 0; v < axis->n_values; v++) {
        size_t step = v > at ? v - at : at - v;
        bool all = !axis->numeric || axis->n_values <= POLISH_ALL;
        uint64_t to = with_digit(s, id, a, v);
        if (all || (step & (step - 1)) == 0)
            asked = (want(s, to) || key_table_find(&s->table, to + 1)) && asked;
    }
    return asked;
}

/* Steps along each axis from the best point, until none is better. */
static int polish(struct searcher *s, struct error *error)
{
    int status = 0;
    for (uint64_t best = best_id(s), before = UINT64_MAX; best != before && !status;) {
        bool asked = true;
        for (size_t a = 0; a < s->sweep->space->n_axes; a++)
            asked = want_steps(s, best, a) && asked;
        status = evaluate(s, error);
        before = best;
        best = best_id(s);
        s->result->alone = !status && asked && best == before;
    }
    return status;
}

/* What share of the evaluations these may take: four rounds of steps, a tenth at least and half at
 * most. */
static double polish_share(const struct searcher *s)
{
    const struct space *space = s->sweep->space;
    double steps = 0;
    for (size_t a = 0; a < space->n_axes; a++) {
        double n = (double)space->axes[a].n_values;
        steps += !space->axes[a].numeric || n <= POLISH_ALL ? n : 2 * log2(n);
    }
    return fmin(0.5, fmax(0.1, 4 * steps / (double)s->request->evaluations));
}

/* --- the result --------------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Tables of the result ask for changes of one axis of the best point: their profiles are there,
 * also where evaluations or time did not last until then. */
static int prepare_beside_best(struct searcher *s, struct error *error)
{
    const struct space *space = s->sweep->space;
    uint64_t best = best_id(s);
    struct trial list[BESIDE_AT_A_TIME];
    double *values = memory_alloc(BESIDE_AT_A_TIME * s->width * sizeof *values);
    int status = 0;
    for (size_t a = 0; a < space->n_axes && !status; a++) {
        size_t n = 0;
        for (size_t v = 0; space->axes[a].structural && v < space->axes[a].n_values && !status;
             v++) {
            list[n++] = (struct trial){with_digit(s, best, a, v), NULL};
            if (n == BESIDE_AT_A_TIME || v + 1 == space->axes[a].n_values) {
                status = trials_run(s->trials, list, n, values, error);
                n = 0;
            }
        }
    }
    free(values);
    return status;
}

static int collect(struct searcher *s, struct error *error)
{
    struct sweep *sweep = s->sweep;
    const struct space *space = sweep->space;
    struct scan_worker all;
    int status = 0;
    scan_worker_init(&all, space);
    sweep->marginals = marginals_create(space, 1);
    sweep->kept = 0;
    for (size_t i = 0; i < s->ids.count && !status; i++) {
        uint64_t id = s->ids.items[i];
        const double *values = s->values.items + i * s->width;
        const double *columns[PARETO_OBJECTIVES_MAX];
        if (isnan(values[0]))
            continue;
        sweep->kept++;
        scan_best_offer(&all.best, (struct scan_entry){key_of(s, id), id});
        marginals_take(sweep->marginals,
                       &(struct marginals_block){s->part, values, NULL, 1, NULL, id, NULL, 0});
        for (size_t o = 0; o < space->n_objectives; o++)
            columns[o] = values + 1 + o;
        status = pareto_front_offer(all.front, columns, NULL, id, 1, error);
    }
    scan_best_sorted(&all.best, &sweep->ranking);
    for (size_t i = 0, n = pareto_front_count(all.front); i < n && !status; i++)
        VECTOR_PUSH(&sweep->front, pareto_front_id(all.front, i));
    if (sweep->front.count)
        qsort(sweep->front.items, sweep->front.count, sizeof *sweep->front.items, compare_ids);
    scan_worker_fini(&all);
    sweep->points = s->ids.count;
    size_t sample = s->ids.count < SAMPLE ? s->ids.count : SAMPLE;
    for (size_t i = 0; i < sample; i++) /* evenly over the course of the search */
        VECTOR_PUSH(&sweep->found.sample, s->ids.items[i * s->ids.count / sample]);
    if (sweep->found.sample.count)
        qsort(sweep->found.sample.items, sweep->found.sample.count, sizeof(uint64_t), compare_ids);
    return status;
}

/* The warning goes into the manifest, and whatever reads it. */
static void say_found(const struct searcher *s)
{
    struct text text = {0};
    text_printf(&text, "found, not proved: %zu of %llu points were evaluated", s->ids.count,
                (unsigned long long)s->points);
    if (s->result->interrupted)
        text_append(&text, ", until it was interrupted");
    struct sweep_reason warning = {text.data, s->ids.count};
    if (!s->result->all)
        VECTOR_PUSH(&s->sweep->warnings, warning);
    else
        text_free(&text);
}

/* Until a structure can be built: the columns are known then. */
static int first_structure(void *context, const struct sweep_part *part, size_t index,
                           struct error *error)
{
    struct sweep *sweep = context;
    int status = sweep_prepare_structure(sweep, part, index, error);
    return status ? status : sweep_find_columns(sweep, part, index, error);
}

int search_run(struct sweep *sweep, const struct search_request *request,
               struct search_result *result, struct error *error)
{
    struct searcher s = {.sweep = sweep, .request = request, .result = result};
    const struct space *space = sweep->space;
    *result = (struct search_result){0};
    int status = search_check(space, error);
    sweep->columns_sketched = false;
    sweep->n_columns = 0;
    if (!status)
        status = sweep_for_each(space, first_structure, sweep, error);
    if (!status && sweep->n_columns == 0)
        status = error_set(error, STATUS_INFEASIBLE, "no point of the space can be built: %s",
                           sweep->obstacle ? sweep->obstacle : "it has none");
    if (status)
        return status;
    if (!sweep->filling)
        sweep->filling = memory_zero(space->n_workloads * FILLING_KINDS, sizeof *sweep->filling);
    s.arena = arena_create();
    sweep_parts(space, s.arena, &s.part);
    s.points = space_count(space);
    s.table.item_bytes = sizeof(struct known);
    s.trials = trials_create(sweep, NULL, 0);
    s.width = trials_width(s.trials);
    progress_begin_items("searching", "points", request->evaluations, "requests");
    status = space->n_objectives > 1 ? evolve(&s, error) : anneal(&s, error);
    if (!status)
        status = polish(&s, error);
    progress_end();
    if (status == STATUS_INTERRUPTED && s.ids.count) {
        result->interrupted = true;
        interrupt_clear();
        status = 0;
    }
    result->evaluations = sweep->found.evaluations = s.ids.count;
    result->all = s.ids.count >= s.points;
    if (!status) {
        say_found(&s);
        status = prepare_beside_best(&s, error);
    }
    if (!status)
        status = collect(&s, error);
    trials_destroy(s.trials);
    key_table_fini(&s.table);
    VECTOR_FREE(&s.ids);
    VECTOR_FREE(&s.values);
    free(s.wanted);
    arena_destroy(s.arena);
    return status;
}
