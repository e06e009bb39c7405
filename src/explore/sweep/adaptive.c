/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "explore/sweep/adaptive_internal.h"
#include "explore/sweep/near.h"

/* --- evaluation --------------------------------------------------------------------------- */

/* Sets point i of a piece to one of the structure's, the last axis fastest; returns its id. */
static uint64_t set_point(const struct adaptive *a, const struct adaptive_local *local, size_t i,
                          uint64_t point)
{
    size_t digits[SPACE_AXES_MAX];
    uint64_t id = a->structure->first_id;
    for (size_t k = a->n_axes; k-- > 0; point /= a->axes[k].length) {
        digits[k] = (size_t)(point % a->axes[k].length);
        id += digits[k] * a->axes[k].stride;
    }
    for (size_t k = 0; k < a->n_inputs; k++) {
        const struct adaptive_input *input = &a->inputs[k];
        const struct space_axis *axis = &a->sweep->space->axes[a->axes[input->axis].axis];
        local->points[k][i] =
            axis->values[digits[input->axis]].assignments[input->assignment].value.number;
    }
    return id;
}

static double output_at(const struct term_state *state, size_t output, size_t i)
{
    bool scalar;
    const double *values = term_state_output(state, (int)output, &scalar);
    return values[scalar ? 0 : i];
}

/* An end that is no number says nothing: an objective could be as good as can be. That of the rank
 * is asked for as it is (is_in_reach_of_best). */
static double best_end(const struct adaptive *a, size_t output, double end)
{
    if (!isnan(end) || output == 0)
        return end;
    return a->sweep->space->objectives[output - 1].sense == PARETO_MAXIMISE ? HUGE_VAL : -HUGE_VAL;
}

/* What formulas are made of, at point i of a piece, which is one of the round. */
static void set_leaves(const struct adaptive *a, const struct adaptive_local *local, size_t i,
                       size_t point)
{
    for (size_t k = 0; k < a->lazy->leaves.count; k++) {
        const struct lazy_leaf *leaf = &a->lazy->leaves.items[k];
        local->leaves[leaf->input][i] = a->low[k][point];
        if (leaf->solved) {
            local->leaves[leaf->low][i] = a->low[k][point];
            local->leaves[leaf->high][i] = a->high[k][point];
        }
    }
}

/* Ends of a leaf from a state's outputs from n on; returns how many these are. */
static size_t take_ends(const struct adaptive *a, const struct term_state *state, size_t n,
                        size_t leaf, struct term_ends ends, size_t i, size_t point)
{
    size_t outputs = 0;
    a->low[leaf][point] = ends.low < 0 ? -HUGE_VAL : output_at(state, n + outputs++, i);
    if (a->lazy->leaves.items[leaf].solved)
        a->high[leaf][point] = ends.high < 0 ? HUGE_VAL : output_at(state, n + outputs++, i);
    return outputs;
}

/* Quick ends and conditions. */
static void take_point(const struct adaptive *a, const struct adaptive_local *local, size_t i,
                       size_t point)
{
    size_t n = 0, excluded = 0;
    for (size_t k = 0; k < a->lazy->leaves.count; k++)
        n += take_ends(a, local->ends, n, k, a->lazy->leaves.items[k].quick, i, point);
    for (size_t k = space_conditions(a->sweep->space); k-- > 0;)
        if (!(output_at(local->ends, n + k, i) != 0.0))
            excluded = k + 1;
    a->excluded[point] = excluded;
    set_leaves(a, local, i, point);
}

static bool find_ends_of_piece(void *context, uint64_t piece, int worker)
{
    struct adaptive *a = context;
    const struct adaptive_local *local = &a->locals[worker];
    size_t at = piece * ADAPTIVE_PIECE;
    size_t n = a->points - at < ADAPTIVE_PIECE ? a->points - at : ADAPTIVE_PIECE;
    if (interrupt_requested())
        return false;
    for (size_t i = 0; i < n; i++)
        set_point(a, local, i, a->from + a->stride * (at + i));
    term_state_block(local->ends, (int)n);
    for (size_t i = 0; i < n; i++)
        take_point(a, local, i, at + i);
    term_state_block(local->best_ends, (int)n);
    for (size_t o = 0; o < a->outputs; o++)
        for (size_t i = 0; i < n; i++)
            a->best_end[o][at + i] = best_end(a, o, output_at(local->best_ends, o, i));
    return true;
}

static void take_step(const struct adaptive *a, const struct adaptive_local *local, size_t i,
                      size_t point)
{
    const struct adaptive_step *step = &a->steps[a->course[a->at]];
    const struct term_state *state = local->steps[a->course[a->at]];
    size_t n = 0;
    for (size_t k = 0; k < a->lazy->leaves.count; k++) {
        const struct lazy_leaf *leaf = &a->lazy->leaves.items[k];
        if (!leaf->solved || leaf->group != step->group)
            continue;
        if (step->solves)
            a->low[k][point] = a->high[k][point] = output_at(state, n++, i);
        else
            n += take_ends(a, state, n, k, leaf->close, i, point);
    }
    set_leaves(a, local, i, point);
}

/* A step of points of the turn, and what these could still be. */
static bool step_piece(void *context, uint64_t piece, int worker)
{
    struct adaptive *a = context;
    const struct adaptive_local *local = &a->locals[worker];
    size_t at = piece * ADAPTIVE_PIECE;
    size_t n = a->turn - at < ADAPTIVE_PIECE ? a->turn - at : ADAPTIVE_PIECE;
    if (interrupt_requested())
        return false;
    for (size_t i = 0; i < n; i++)
        set_point(a, local, i, a->from + a->stride * a->taken[at + i]);
    term_state_block(local->steps[a->course[a->at]], (int)n);
    for (size_t i = 0; i < n; i++)
        take_step(a, local, i, a->taken[at + i]);
    term_state_block(local->best_ends, (int)n);
    for (size_t o = 0; o < a->outputs; o++)
        for (size_t i = 0; i < n; i++)
            a->values[o][at + i] = best_end(a, o, output_at(local->best_ends, o, i));
    return true;
}

/* Of points whose groups are all solved. */
static bool answer_piece(void *context, uint64_t piece, int worker)
{
    struct adaptive *a = context;
    const struct adaptive_local *local = &a->locals[worker];
    size_t at = piece * ADAPTIVE_PIECE;
    size_t n = a->turn - at < ADAPTIVE_PIECE ? a->turn - at : ADAPTIVE_PIECE;
    for (size_t i = 0; i < n; i++) {
        a->ids[at + i] = set_point(a, local, i, a->from + a->stride * a->taken[at + i]);
        set_leaves(a, local, i, a->taken[at + i]);
    }
    term_state_block(local->answers, (int)n);
    for (size_t o = 0; o < a->outputs; o++)
        for (size_t i = 0; i < n; i++)
            a->values[o][at + i] = output_at(local->answers, o, i);
    return true;
}

/* --- what is left out --------------------------------------------------------------------- */

/* Smaller is better; an end that is no number says nothing: as good as can be. */
static double key_of(const struct adaptive *a, size_t output, double value)
{
    if (isnan(value))
        return -HUGE_VAL;
    return lazy_sense(a->sweep->space, output) == PARETO_MAXIMISE ? -value : value;
}

static bool is_in_reach_of_best(const struct adaptive *a, double end)
{
    const struct scan_worker *worker = a->worker, *ahead = worker->ahead;
    double key = key_of(a, 0, end);
    return !(key > worker->best.worst.key) && !(ahead && key > ahead->best.worst.key);
}

/* `ends`: by objectives, in boxes where the front is of boxes. */
static bool is_in_reach_of(const struct adaptive *a, struct pareto_front *front,
                           const double *const *ends, size_t point)
{
    size_t objectives = a->outputs - 1;
    for (size_t f = 0, n = pareto_front_count(front); f < n; f++) {
        bool no_worse = true, better = false;
        for (size_t k = 0; k < objectives && no_worse; k++) {
            double mine = key_of(a, k + 1, ends[k][point]);
            double its = key_of(a, k + 1, pareto_front_value(front, f, (int)k));
            no_worse = its <= mine;
            better = better || its < mine;
        }
        if (no_worse && better)
            return false;
    }
    return true;
}

static bool is_in_reach_of_front(const struct adaptive *a, const double *const *ends, size_t point)
{
    const struct scan_worker *ahead = a->worker->ahead;
    return is_in_reach_of(a, a->worker->front, ends, point) &&
           !(ahead && !is_in_reach_of(a, ahead->front, ends, point));
}

struct ordered {
    double key;
    size_t point;
};

static int compare_ordered(const void *x, const void *y)
{
    const struct ordered *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

/* Counts what conditions exclude; the others from the best end on. */
static void order_points(struct adaptive *a)
{
    struct ordered *items = memory_zero(ADAPTIVE_ROUND, sizeof *items);
    a->ordered = 0;
    for (size_t p = 0; p < a->points; p++)
        if (a->excluded[p])
            a->worker->rejected[a->excluded[p] - 1]++;
        else
            items[a->ordered++] = (struct ordered){key_of(a, 0, a->best_end[0][p]), p};
    if (a->ordered)
        qsort(items, a->ordered, sizeof *items, compare_ordered);
    for (size_t i = 0; i < a->ordered; i++)
        a->order[i] = items[i].point;
    free(items);
    progress_add(a->points - a->ordered);
}

/* Whether it is one of the best if all are what they are at best: whoever is taken before it has a
 * better end. */
static bool is_hope_of_best(const struct adaptive *a, size_t point)
{
    const struct scan_best *best = &a->worker->best;
    double key = key_of(a, 0, a->best_end[0][point]);
    size_t from = 0, to = best->count; /* sorted: those in front of it */
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (best->items[middle].key <= key)
            from = middle + 1;
        else
            to = middle;
    }
    return from + a->turn < best->limit;
}

/* The same of the front. */
static bool is_hope_of_front(const struct adaptive *a, const double *const *ends, size_t point)
{
    for (size_t i = 0; i < a->turn; i++) {
        bool no_worse = true, better = false;
        for (size_t k = 0; k + 1 < a->outputs && no_worse; k++) {
            double mine = key_of(a, k + 1, ends[k][point]);
            double its = key_of(a, k + 1, ends[k][a->taken[i]]);
            no_worse = its <= mine;
            better = better || its < mine;
        }
        if (no_worse && better)
            return false;
    }
    return true;
}

static void take_point_along(struct adaptive *a, size_t point)
{
    a->keys[a->turn] = key_of(a, 0, a->best_end[0][point]);
    a->taken[a->turn++] = point;
    progress_add(1);
}

/* Of those that are still of interest the ones that could be best, or on the front, if the others
 * taken with them are as good as they can be; then some of the others. What is not taken waits for
 * what these are. */
static void choose_turn(struct adaptive *a, const double *const *ends)
{
    size_t left = 0, kept = 0;
    a->turn = 0;
    scan_best_cut(&a->worker->best);
    for (size_t i = 0; i < a->ordered; i++) {
        size_t point = a->order[i];
        if (a->turn == a->most) {
            a->order[left++] = point;
        } else if (!is_in_reach_of_best(a, a->best_end[0][point]) &&
                   !is_in_reach_of_front(a, ends, point)) {
            a->worker->skipped++;
            progress_add(1);
        } else if (is_hope_of_best(a, point) || is_hope_of_front(a, ends, point)) {
            take_point_along(a, point);
        } else {
            a->order[left++] = point;
        }
    }
    for (size_t i = 0; i < left; i++)
        if (a->turn < a->begin)
            take_point_along(a, a->order[i]);
        else
            a->order[kept++] = a->order[i];
    a->ordered = kept;
}

/* By which part of itself a best end fell; what it was before may be anything. */
static void add_gain(struct adaptive_gain *gain, double before, double now)
{
    double fell = now - before;
    gain->sum += fell > 0 ? fmin(1, fell / fmax(fabs(now), fabs(before))) : 0;
    gain->points++;
}

/* What a step found acts on which steps come first, and on which points are still of interest; the
 * others are left out. */
static void end_step(struct adaptive *a)
{
    const double *ends[PARETO_OBJECTIVES_MAX];
    struct adaptive_step *step = &a->steps[a->course[a->at]];
    bool at_once = step->solves && !a->closer[step->group];
    size_t kept = 0;
    for (size_t k = 0; k + 1 < a->outputs; k++)
        ends[k] = a->values[k + 1];
    near_boxes(a->sweep->space, ends, a->values + 1, (int)a->turn);
    for (size_t i = 0; i < a->turn; i++) {
        double key = key_of(a, 0, a->values[0][i]);
        add_gain(at_once ? &step->at_once : &step->gain, a->keys[i], key);
        if (!is_in_reach_of_best(a, a->values[0][i]) && !is_in_reach_of_front(a, ends, i))
            continue;
        a->keys[kept] = key;
        a->taken[kept++] = a->taken[i];
    }
    a->closer[step->group] = true;
    a->worker->answered += step->solves ? a->turn : 0;
    a->worker->skipped += a->turn - kept;
    a->turn = kept;
}

/* Of a solution, what closer ends take beside it: they have all but queues. */
#define COST_OF_ENDS 0.3

/* What a step takes from best ends, mean, for what it costs. */
static double worth_of(const struct adaptive *a, const struct adaptive_step *step, double gain)
{
    double cost = step->solves ? 1 : COST_OF_ENDS;
    return gain / (cost * (double)a->lazy->networks[step->group]);
}

/* What was never tried is taken to do all that can be. */
static double mean_gain(const struct adaptive_gain *gain)
{
    return gain->points ? gain->sum / (double)gain->points : 1;
}

/* A solution that needs no closer ends before it, as there are none, or as it is worth more than
 * they are: then these are left out. Negative: they come first. */
static double worth_at_once(const struct adaptive *a, const struct adaptive_step *ends,
                            const struct adaptive_step *solution)
{
    bool known = ends->gain.points && solution->gain.points;
    double gain = mean_gain(&solution->at_once);
    if (ends == solution)
        return worth_of(a, solution, gain);
    if (!solution->at_once.points)
        gain = known ? mean_gain(&ends->gain) + mean_gain(&solution->gain) : 0;
    double worth = worth_of(a, solution, gain);
    return known && worth >= worth_of(a, ends, mean_gain(&ends->gain)) ? worth : -1;
}

/* Puts a step behind those that are worth as much. */
static void put_step(struct adaptive *a, size_t step, double worth, double *worths)
{
    size_t at = a->n_course++;
    for (; at > 0 && worth > worths[at - 1]; at--) {
        a->course[at] = a->course[at - 1];
        worths[at] = worths[at - 1];
    }
    a->course[at] = step;
    worths[at] = worth;
}

/* Whatever takes most from best ends for what it costs; of what was never tried, what costs least.
 * A solution stands behind the closer ends of its group, where there are some (add_step). */
static void order_steps(struct adaptive *a)
{
    double *worths = memory_alloc(a->n_steps * sizeof *worths);
    a->n_course = 0;
    for (size_t i = 0; i < a->n_steps; i++) {
        const struct adaptive_step *ends = &a->steps[i];
        const struct adaptive_step *solution = ends->solves ? ends : &a->steps[++i];
        double at_once = worth_at_once(a, ends, solution);
        a->closer[ends->group] = false;
        if (at_once < 0) {
            double first = worth_of(a, ends, mean_gain(&ends->gain));
            put_step(a, i - 1, first, worths);
            put_step(a, i, fmin(first, worth_of(a, solution, mean_gain(&solution->gain))), worths);
        } else {
            put_step(a, i, at_once, worths);
        }
    }
    free(worths);
}

/* Takes what was evaluated, without what is no number. */
static int take_turn(struct adaptive *a, struct error *error)
{
    const struct space *space = a->sweep->space;
    const double *columns[PARETO_OBJECTIVES_MAX];
    size_t kept = 0;
    for (size_t i = 0; i < a->turn; i++) {
        bool finite = true;
        for (size_t o = 0; o < a->outputs; o++)
            finite = finite && isfinite(a->values[o][i]);
        for (size_t o = 0; o < a->outputs && finite; o++)
            a->values[o][kept] = a->values[o][i];
        if (finite)
            a->ids[kept++] = a->ids[i];
    }
    a->worker->undefined += a->turn - kept;
    a->worker->kept += kept;
    for (size_t i = 0; i < kept; i++)
        scan_best_offer(&a->worker->best,
                        (struct scan_entry){key_of(a, 0, a->values[0][i]), a->ids[i]});
    for (size_t k = 0; k + 1 < a->outputs; k++)
        columns[k] = a->values[k + 1];
    near_boxes(space, columns, a->values + 1, (int)kept);
    return pareto_front_offer(a->worker->front, columns, a->ids, 0, kept, error);
}

/* Step by step, as long as there are points that are of interest. */
static int run_turn(struct adaptive *a, struct error *error)
{
    int status = 0;
    order_steps(a);
    for (a->at = 0; a->at < a->n_course && a->turn && !status; a->at++) {
        parallel_while(a->threads, (a->turn + ADAPTIVE_PIECE - 1) / ADAPTIVE_PIECE, step_piece, a);
        status = interrupt_check(error);
        if (!status)
            end_step(a);
    }
    if (a->turn)
        a->begin = ADAPTIVE_BEGIN;
    else if (a->begin < ADAPTIVE_TURN)
        a->begin *= 2;
    if (status || !a->turn)
        return status;
    a->worker->evaluated += a->turn;
    parallel_while(a->threads, (a->turn + ADAPTIVE_PIECE - 1) / ADAPTIVE_PIECE, answer_piece, a);
    return take_turn(a, error);
}

/* Quick ends of the points from a->from on, a->stride apart, and which are of interest. */
static int begin_points(struct adaptive *a, const double **ends, struct error *error)
{
    /* Of earlier rounds nothing but what was found: a sweep that is resumed knows no more. */
    for (size_t i = 0; i < a->n_steps; i++) {
        a->steps[i].gain = (struct adaptive_gain){0};
        a->steps[i].at_once = (struct adaptive_gain){0};
    }
    a->begin = ADAPTIVE_BEGIN;
    parallel_while(a->threads, (a->points + ADAPTIVE_PIECE - 1) / ADAPTIVE_PIECE,
                   find_ends_of_piece, a);
    int status = interrupt_check(error);
    if (status)
        return status;
    order_points(a);
    for (size_t k = 0; k + 1 < a->outputs; k++)
        ends[k] = a->best_end[k + 1];
    near_boxes(a->sweep->space, ends, a->boxed, (int)a->points);
    return 0;
}

int adaptive_round(struct adaptive *a, uint64_t round, struct error *error)
{
    const double *ends[PARETO_OBJECTIVES_MAX];
    a->from = round * ADAPTIVE_ROUND;
    a->stride = 1;
    a->most = ADAPTIVE_TURN;
    a->points = a->count - a->from < ADAPTIVE_ROUND ? (size_t)(a->count - a->from) : ADAPTIVE_ROUND;
    int status = begin_points(a, ends, error);
    while (a->ordered > 0 && !status) {
        choose_turn(a, ends);
        status = run_turn(a, error);
    }
    return status;
}

int adaptive_look(struct adaptive *a, struct error *error)
{
    const double *ends[PARETO_OBJECTIVES_MAX];
    a->points = a->count < ADAPTIVE_LOOK ? (size_t)a->count : ADAPTIVE_LOOK;
    a->stride = a->count / a->points;
    /* The last one among them: axes rise. */
    a->from = a->count - 1 - a->stride * (a->points - 1);
    a->most = ADAPTIVE_BEGIN;
    int status = begin_points(a, ends, error);
    if (status)
        return status;
    choose_turn(a, ends);
    return run_turn(a, error);
}
