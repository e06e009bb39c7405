/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/sweep/adaptive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "core/term_bounds.h"
#include "explore/sweep/near.h"

/* Points a round, whose ends are known together; points that are evaluated between two looks at
 * what is found, few, so that little is evaluated in vain, and enough for some threads; of these a
 * thread takes a piece. Of ends a piece is as many. */
enum { ROUND = 4096, TURN = 256, PIECE = 32, OUTPUTS = 1 + PARETO_OBJECTIVES_MAX };

struct part_input {
    int input;
    size_t axis; /* of adaptive->axes */
    size_t assignment;
};

/* One worker's memory. */
struct local {
    struct term_state *ends, *answers;
    double **points; /* by inputs */
};

struct adaptive {
    const struct sweep *sweep;
    const struct structure *structure;
    struct scan_worker *worker;
    int threads;
    struct scan_axis axes[SPACE_AXES_MAX];
    size_t n_axes;
    uint64_t count; /* points */
    struct part_input *inputs;
    size_t n_inputs;
    struct term_program *ends, *answers;
    struct local *locals;
    size_t outputs; /* the ranking and the objectives */
    /* Of a round, by its points: */
    double *best_end[OUTPUTS], *boxed[PARETO_OBJECTIVES_MAX];
    size_t *excluded; /* the condition that excludes it + 1; 0: none */
    size_t *order;    /* those that none does, from the best end on */
    uint64_t from;
    size_t points, ordered;
    /* Of a turn: */
    size_t taken[TURN];
    size_t turn;
    double *values[OUTPUTS];
    uint64_t *ids;
};

static enum pareto_sense sense_of(const struct space *space, size_t output)
{
    return output ? space->objectives[output - 1].sense : space->rank_sense;
}

/* --- whether it applies ------------------------------------------------------------------- */

/* Of the ranking and the objectives their best ends; why not. */
static const char *find_ends(const struct sweep *sweep, const struct structure *s, int *outputs)
{
    const struct space *space = sweep->space;
    bool solved = false;
    for (size_t i = 0; i < space_conditions(space); i++)
        if (term_needs_solver(s->graph, &s->wheres[i], 1))
            return i < space->n_wheres
                       ? arena_printf(sweep->arena, "\"where: %s\" asks for the solution of all",
                                      space->wheres[i].text)
                       : "a condition asks for the solution of all";
    for (size_t i = 0; i <= space->n_objectives; i++) {
        int term = i ? s->objectives[i - 1] : s->rank;
        struct term_ends ends = term_bounds(s->graph, term);
        outputs[i] = sense_of(space, i) == PARETO_MAXIMISE ? ends.high : ends.low;
        solved = solved || term_needs_solver(s->graph, &term, 1);
        if (outputs[i] < 0)
            return arena_printf(sweep->arena, "nobody knows how %s %s could be",
                                sense_of(space, i) == PARETO_MAXIMISE ? "large" : "small",
                                i ? space->objectives[i - 1].name : space->rank_by);
    }
    return solved ? NULL : "nothing that is asked needs a network";
}

/* --- memory ------------------------------------------------------------------------------- */

static void find_axes(struct adaptive *a)
{
    const struct space *space = a->sweep->space;
    const struct sweep_part *part = a->structure->part;
    a->count = 1;
    for (size_t i = 0; i < space->n_axes; i++)
        if (part->active[i] && !space->axes[i].structural) {
            a->axes[a->n_axes++] =
                (struct scan_axis){i, space->axes[i].n_values, part->strides[i], 0};
            a->count *= space->axes[i].n_values;
        }
}

static void find_inputs(struct adaptive *a, enum term_rate *rates)
{
    const struct structure *s = a->structure;
    int n = term_input_count(s->graph);
    a->inputs = memory_zero((size_t)n, sizeof *a->inputs);
    for (int i = 0; i < n; i++) {
        size_t axis, assignment, k = 0;
        rates[i] = TERM_SWEEP;
        if (!structure_input_axis(a->sweep, s, i, &axis, &assignment))
            continue;
        while (a->axes[k].axis != axis)
            k++;
        a->inputs[a->n_inputs++] = (struct part_input){i, k, assignment};
        rates[i] = TERM_POINT;
    }
}

static void state_open(const struct adaptive *a, struct term_state *state, double *const *points,
                       const enum term_rate *rates, const double *constants)
{
    for (int i = 0; i < term_input_count(a->structure->graph); i++)
        if (rates[i] == TERM_SWEEP)
            term_state_scalar(state, i, constants[i]);
    for (size_t i = 0; i < a->n_inputs; i++)
        term_state_column(state, a->inputs[i].input, points[i]);
    term_state_begin(state);
}

static void local_open(const struct adaptive *a, struct local *local, const enum term_rate *rates,
                       const double *constants)
{
    local->ends = term_state_create(a->ends);
    local->answers = term_state_create(a->answers);
    local->points = memory_zero(a->n_inputs, sizeof *local->points);
    for (size_t i = 0; i < a->n_inputs; i++) {
        local->points[i] = memory_aligned(64, PIECE * sizeof **local->points);
        memset(local->points[i], 0, PIECE * sizeof **local->points);
    }
    state_open(a, local->ends, local->points, rates, constants);
    state_open(a, local->answers, local->points, rates, constants);
}

static void make_room(struct adaptive *a)
{
    a->excluded = memory_zero(ROUND, sizeof *a->excluded);
    a->order = memory_zero(ROUND, sizeof *a->order);
    a->ids = memory_zero(TURN, sizeof *a->ids);
    for (size_t i = 0; i < a->outputs; i++) {
        a->best_end[i] = memory_zero(ROUND, sizeof **a->best_end);
        a->values[i] = memory_zero(TURN, sizeof **a->values);
        if (i > 0)
            a->boxed[i - 1] = memory_zero(ROUND, sizeof **a->boxed);
    }
}

/* `outputs`: best ends, and room for the conditions behind them. */
static int build(struct adaptive *a, int *outputs, struct error *error)
{
    const struct structure *s = a->structure;
    const struct space *space = a->sweep->space;
    size_t n = (size_t)term_input_count(s->graph), conditions = space_conditions(space);
    enum term_rate *rates = memory_zero(n, sizeof *rates);
    double *constants = memory_zero(n, sizeof *constants);
    int answers[OUTPUTS] = {s->rank};
    int status = model_bind(s->graph, s->machine, constants, error);
    for (size_t i = 0; i < space->n_objectives; i++)
        answers[i + 1] = s->objectives[i];
    for (size_t i = 0; i < conditions; i++)
        outputs[a->outputs + i] = s->wheres[i];
    find_axes(a);
    find_inputs(a, rates);
    make_room(a);
    a->ends = term_program_create(s->graph, outputs, (int)(a->outputs + conditions), rates, PIECE);
    a->answers = term_program_create(s->graph, answers, (int)a->outputs, rates, PIECE);
    a->locals = memory_zero((size_t)a->threads, sizeof *a->locals);
    for (int w = 0; w < a->threads && !status; w++)
        local_open(a, &a->locals[w], rates, constants);
    free(rates);
    free(constants);
    return status;
}

int adaptive_open(const struct sweep *sweep, const struct structure *structure,
                  struct scan_worker *worker, int threads, struct adaptive **out, const char **why,
                  struct error *error)
{
    int outputs[OUTPUTS + 2 * SPACE_WHERES_MAX + 1];
    const char *reason = find_ends(sweep, structure, outputs);
    *out = NULL;
    if (why)
        *why = reason;
    if (reason)
        return 0;
    struct adaptive *a = memory_zero(1, sizeof *a);
    a->sweep = sweep;
    a->structure = structure;
    a->worker = worker;
    a->threads = threads;
    a->outputs = 1 + sweep->space->n_objectives;
    int status = build(a, outputs, error);
    if (status)
        adaptive_close(a);
    else
        *out = a;
    return status;
}

void adaptive_close(struct adaptive *a)
{
    if (!a)
        return;
    for (int w = 0; w < a->threads && a->locals; w++) {
        term_state_destroy(a->locals[w].ends);
        term_state_destroy(a->locals[w].answers);
        for (size_t i = 0; i < a->n_inputs && a->locals[w].points; i++)
            free(a->locals[w].points[i]);
        free(a->locals[w].points);
    }
    for (size_t i = 0; i < a->outputs; i++) {
        free(a->best_end[i]);
        free(a->values[i]);
        if (i > 0)
            free(a->boxed[i - 1]);
    }
    term_program_destroy(a->ends);
    term_program_destroy(a->answers);
    free(a->locals);
    free(a->inputs);
    free(a->excluded);
    free(a->order);
    free(a->ids);
    free(a);
}

uint64_t adaptive_rounds(const struct adaptive *a)
{
    return (a->count + ROUND - 1) / ROUND;
}

/* --- evaluation --------------------------------------------------------------------------- */

/* Sets point i of a piece to one of the structure's, the last axis fastest; returns its id. */
static uint64_t set_point(const struct adaptive *a, const struct local *local, size_t i,
                          uint64_t point)
{
    size_t digits[SPACE_AXES_MAX];
    uint64_t id = a->structure->first_id;
    for (size_t k = a->n_axes; k-- > 0; point /= a->axes[k].length) {
        digits[k] = (size_t)(point % a->axes[k].length);
        id += digits[k] * a->axes[k].stride;
    }
    for (size_t k = 0; k < a->n_inputs; k++) {
        const struct part_input *input = &a->inputs[k];
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
 * is asked for as it is (could_be_ranked). */
static double best_end(const struct adaptive *a, size_t output, double end)
{
    if (!isnan(end) || output == 0)
        return end;
    return a->sweep->space->objectives[output - 1].sense == PARETO_MAXIMISE ? HUGE_VAL : -HUGE_VAL;
}

static bool find_ends_of_piece(void *context, uint64_t piece, int worker)
{
    struct adaptive *a = context;
    const struct local *local = &a->locals[worker];
    size_t at = piece * PIECE, n = a->points - at < PIECE ? a->points - at : PIECE;
    if (interrupt_requested())
        return false;
    for (size_t i = 0; i < n; i++)
        set_point(a, local, i, a->from + at + i);
    term_state_block(local->ends, (int)n);
    for (size_t i = 0; i < n; i++) {
        size_t excluded = 0;
        for (size_t k = space_conditions(a->sweep->space); k-- > 0;)
            if (!(output_at(local->ends, a->outputs + k, i) != 0.0))
                excluded = k + 1;
        a->excluded[at + i] = excluded;
    }
    for (size_t o = 0; o < a->outputs; o++)
        for (size_t i = 0; i < n; i++)
            a->best_end[o][at + i] = best_end(a, o, output_at(local->ends, o, i));
    return true;
}

static bool evaluate_piece(void *context, uint64_t piece, int worker)
{
    struct adaptive *a = context;
    const struct local *local = &a->locals[worker];
    size_t at = piece * PIECE, n = a->turn - at < PIECE ? a->turn - at : PIECE;
    if (interrupt_requested())
        return false;
    for (size_t i = 0; i < n; i++)
        a->ids[at + i] = set_point(a, local, i, a->from + a->taken[at + i]);
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
    return sense_of(a->sweep->space, output) == PARETO_MAXIMISE ? -value : value;
}

static bool is_in_reach_of_best(const struct adaptive *a, size_t point)
{
    return !(key_of(a, 0, a->best_end[0][point]) > a->worker->best.worst.key);
}

/* `ends`: by objectives, in boxes where the front is of boxes. */
static bool is_in_reach_of_front(const struct adaptive *a, const double *const *ends, size_t point)
{
    size_t objectives = a->outputs - 1;
    struct pareto_front *front = a->worker->front;
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
    struct ordered *items = memory_zero(ROUND, sizeof *items);
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

/* Those that are still of interest, until a turn is full; returns how far it came. */
static size_t choose_turn(struct adaptive *a, const double *const *ends, size_t at)
{
    size_t from = at;
    a->turn = 0;
    scan_best_cut(&a->worker->best);
    for (; at < a->ordered && a->turn < TURN; at++) {
        size_t point = a->order[at];
        if (is_in_reach_of_best(a, point) || is_in_reach_of_front(a, ends, point))
            a->taken[a->turn++] = point;
        else
            a->worker->skipped++;
    }
    a->worker->evaluated += a->turn;
    progress_add(at - from);
    return at;
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

int adaptive_round(struct adaptive *a, uint64_t round, struct error *error)
{
    const double *ends[PARETO_OBJECTIVES_MAX];
    a->from = round * ROUND;
    a->points = a->count - a->from < ROUND ? (size_t)(a->count - a->from) : ROUND;
    parallel_while(a->threads, (a->points + PIECE - 1) / PIECE, find_ends_of_piece, a);
    int status = interrupt_check(error);
    if (status)
        return status;
    order_points(a);
    for (size_t k = 0; k + 1 < a->outputs; k++)
        ends[k] = a->best_end[k + 1];
    near_boxes(a->sweep->space, ends, a->boxed, (int)a->points);
    for (size_t at = 0; at < a->ordered && !status;) {
        at = choose_turn(a, ends, at);
        parallel_while(a->threads, (a->turn + PIECE - 1) / PIECE, evaluate_piece, a);
        status = interrupt_check(error);
        if (!status && a->turn)
            status = take_turn(a, error);
    }
    return status;
}
