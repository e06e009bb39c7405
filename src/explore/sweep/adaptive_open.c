/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a structure's points can be left out, and the programs and memory for it. */
#include <stdlib.h>
#include <string.h>

#include "explore/sweep/adaptive_internal.h"

/* --- whether it applies ------------------------------------------------------------------- */

/* Why not; NULL: it does. */
static const char *find_obstacle(const struct sweep *sweep, const struct structure *s)
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
        int best = lazy_sense(space, i) == PARETO_MAXIMISE ? ends.high : ends.low;
        solved = solved || term_needs_solver(s->graph, &term, 1);
        if (best < 0)
            return arena_printf(sweep->arena, "nobody knows how %s %s could be",
                                lazy_sense(space, i) == PARETO_MAXIMISE ? "large" : "small",
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
        a->inputs[a->n_inputs++] = (struct adaptive_input){i, k, assignment};
        rates[i] = TERM_POINT;
    }
}

static double **make_columns(size_t count, size_t length)
{
    double **columns = memory_zero(count, sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        columns[i] = memory_aligned(64, length * sizeof **columns);
        memset(columns[i], 0, length * sizeof **columns);
    }
    return columns;
}

static void free_columns(double **columns, size_t count)
{
    for (size_t i = 0; i < count && columns; i++)
        free(columns[i]);
    free(columns);
}

static struct term_state *open_state(const struct adaptive *a, const struct term_program *program,
                                     double *const *points, const enum term_rate *rates,
                                     const double *constants)
{
    struct term_state *state = term_state_create(program);
    for (int i = 0; i < term_input_count(a->structure->graph); i++)
        if (rates[i] == TERM_SWEEP)
            term_state_scalar(state, i, constants[i]);
    for (size_t i = 0; i < a->n_inputs; i++)
        term_state_column(state, a->inputs[i].input, points[i]);
    term_state_begin(state);
    return state;
}

static struct term_state *open_formulas(const struct adaptive *a,
                                        const struct term_program *program, double *const *leaves)
{
    struct term_state *state = term_state_create(program);
    for (int i = 0; i < term_input_count(a->lazy->graph); i++)
        term_state_column(state, i, leaves[i]);
    term_state_begin(state);
    return state;
}

static void open_local(const struct adaptive *a, struct adaptive_local *local,
                       const enum term_rate *rates, const double *constants)
{
    local->points = make_columns(a->n_inputs, ADAPTIVE_PIECE);
    local->leaves = make_columns((size_t)term_input_count(a->lazy->graph), ADAPTIVE_PIECE);
    local->ends = open_state(a, a->ends, local->points, rates, constants);
    local->steps = memory_zero(a->n_steps, sizeof *local->steps);
    for (size_t i = 0; i < a->n_steps; i++)
        local->steps[i] = open_state(a, a->steps[i].program, local->points, rates, constants);
    local->best_ends = open_formulas(a, a->best_ends, local->leaves);
    local->answers = open_formulas(a, a->answers, local->leaves);
}

static void make_room(struct adaptive *a)
{
    size_t leaves = a->lazy->leaves.count;
    a->excluded = memory_zero(ADAPTIVE_ROUND, sizeof *a->excluded);
    a->order = memory_zero(ADAPTIVE_ROUND, sizeof *a->order);
    a->ids = memory_zero(ADAPTIVE_TURN, sizeof *a->ids);
    a->keys = memory_zero(ADAPTIVE_TURN, sizeof *a->keys);
    a->course = memory_zero(a->n_steps, sizeof *a->course);
    a->closer = memory_zero(a->lazy->groups, sizeof *a->closer);
    a->low = make_columns(leaves, ADAPTIVE_ROUND);
    a->high = make_columns(leaves, ADAPTIVE_ROUND);
    for (size_t i = 0; i < a->outputs; i++) {
        a->best_end[i] = memory_zero(ADAPTIVE_ROUND, sizeof **a->best_end);
        a->values[i] = memory_zero(ADAPTIVE_TURN, sizeof **a->values);
        if (i > 0)
            a->boxed[i - 1] = memory_zero(ADAPTIVE_ROUND, sizeof **a->boxed);
    }
}

/* Quick ends of leaves, where somebody knows them, and conditions. */
static struct term_program *build_ends(const struct adaptive *a, const enum term_rate *rates)
{
    const struct structure *s = a->structure;
    size_t conditions = space_conditions(a->sweep->space), n = 0;
    int *outputs = memory_alloc((2 * a->lazy->leaves.count + conditions) * sizeof *outputs);
    for (size_t i = 0; i < a->lazy->leaves.count; i++) {
        const struct lazy_leaf *leaf = &a->lazy->leaves.items[i];
        if (leaf->quick.low >= 0)
            outputs[n++] = leaf->quick.low;
        if (leaf->solved && leaf->quick.high >= 0)
            outputs[n++] = leaf->quick.high;
    }
    for (size_t i = 0; i < conditions; i++)
        outputs[n++] = s->wheres[i];
    struct term_program *program =
        term_program_create(s->graph, outputs, (int)n, rates, ADAPTIVE_PIECE);
    free(outputs);
    return program;
}

static bool has_closer_ends(const struct adaptive *a, size_t group)
{
    bool closer = false;
    for (size_t i = 0; i < a->lazy->leaves.count; i++) {
        const struct lazy_leaf *leaf = &a->lazy->leaves.items[i];
        closer = closer ||
                 (leaf->solved && leaf->group == group &&
                  (leaf->quick.low != leaf->close.low || leaf->quick.high != leaf->close.high));
    }
    return closer;
}

static void add_step(struct adaptive *a, size_t group, bool solves, const enum term_rate *rates)
{
    int *outputs = memory_alloc(2 * a->lazy->leaves.count * sizeof *outputs), n = 0;
    for (size_t i = 0; i < a->lazy->leaves.count; i++) {
        const struct lazy_leaf *leaf = &a->lazy->leaves.items[i];
        if (!leaf->solved || leaf->group != group)
            continue;
        if (solves || leaf->close.low >= 0)
            outputs[n++] = solves ? leaf->term : leaf->close.low;
        if (!solves && leaf->close.high >= 0)
            outputs[n++] = leaf->close.high;
    }
    a->steps[a->n_steps++] = (struct adaptive_step){
        .group = group,
        .solves = solves,
        .program = term_program_create(a->structure->graph, outputs, n, rates, ADAPTIVE_PIECE)};
    free(outputs);
}

static void build_programs(struct adaptive *a, const enum term_rate *rates)
{
    const struct lazy *lazy = a->lazy;
    int inputs = term_input_count(lazy->graph), n = (int)lazy->outputs;
    enum term_rate *points = memory_alloc((size_t)inputs * sizeof *points);
    for (int i = 0; i < inputs; i++)
        points[i] = TERM_POINT;
    a->ends = build_ends(a, rates);
    a->steps = memory_zero(2 * lazy->groups, sizeof *a->steps);
    for (size_t g = 0; g < lazy->groups; g++) {
        if (has_closer_ends(a, g))
            add_step(a, g, false, rates);
        add_step(a, g, true, rates);
    }
    a->best_ends = term_program_create(lazy->graph, lazy->best_ends, n, points, ADAPTIVE_PIECE);
    a->answers = term_program_create(lazy->graph, lazy->answers, n, points, ADAPTIVE_PIECE);
    free(points);
}

static int build(struct adaptive *a, struct error *error)
{
    const struct structure *s = a->structure;
    size_t n = (size_t)term_input_count(s->graph);
    enum term_rate *rates = memory_zero(n, sizeof *rates);
    double *constants = memory_zero(n, sizeof *constants);
    int status = model_bind(s->graph, s->machine, constants, error);
    a->lazy = lazy_create(a->sweep, s); /* adds terms to the graph, but no inputs */
    find_axes(a);
    find_inputs(a, rates);
    build_programs(a, rates);
    make_room(a);
    a->locals = memory_zero((size_t)a->threads, sizeof *a->locals);
    for (int w = 0; w < a->threads && !status; w++)
        open_local(a, &a->locals[w], rates, constants);
    free(rates);
    free(constants);
    return status;
}

int adaptive_open(const struct sweep *sweep, const struct structure *structure,
                  struct scan_worker *worker, int threads, struct adaptive **out, const char **why,
                  struct error *error)
{
    const char *reason = find_obstacle(sweep, structure);
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
    int status = build(a, error);
    if (status)
        adaptive_close(a);
    else
        *out = a;
    return status;
}

static void close_local(const struct adaptive *a, struct adaptive_local *local)
{
    term_state_destroy(local->ends);
    for (size_t i = 0; i < a->n_steps && local->steps; i++)
        term_state_destroy(local->steps[i]);
    term_state_destroy(local->best_ends);
    term_state_destroy(local->answers);
    free_columns(local->points, a->n_inputs);
    free_columns(local->leaves, (size_t)term_input_count(a->lazy->graph));
    free(local->steps);
}

void adaptive_close(struct adaptive *a)
{
    if (!a)
        return;
    for (int w = 0; w < a->threads; w++)
        close_local(a, &a->locals[w]);
    for (size_t i = 0; i < a->outputs; i++) {
        free(a->best_end[i]);
        free(a->values[i]);
        if (i > 0)
            free(a->boxed[i - 1]);
    }
    free_columns(a->low, a->lazy->leaves.count);
    free_columns(a->high, a->lazy->leaves.count);
    term_program_destroy(a->ends);
    for (size_t i = 0; i < a->n_steps; i++)
        term_program_destroy(a->steps[i].program);
    term_program_destroy(a->best_ends);
    term_program_destroy(a->answers);
    lazy_destroy(a->lazy);
    free(a->steps);
    free(a->locals);
    free(a->inputs);
    free(a->excluded);
    free(a->order);
    free(a->course);
    free(a->closer);
    free(a->keys);
    free(a->ids);
    free(a);
}

uint64_t adaptive_rounds(const struct adaptive *a)
{
    return (a->count + ADAPTIVE_ROUND - 1) / ADAPTIVE_ROUND;
}
