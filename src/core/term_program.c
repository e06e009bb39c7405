/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch evaluation of a term graph: every node at the rate at which it changes.
 *
 * In a cross product with the last axes running inside a block, a node that
 * depends on outer axes only is one scalar a block, one that depends on inner
 * axes only is the same column in every block, and only what mixes both is
 * computed point by point. Columns of mixed nodes share a few buffers by
 * liveness, so that a block works inside the first-level data cache. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/term.h"
#include "core/term_kernels.h"

struct step {
    int term;
    int slot; /* of a POINT node: index of its column buffer; of a COLUMN node: its column */
};

struct term_program {
    const struct term_graph *graph;
    const struct term_kernels *kernels;
    int width, n_outputs, n_columns, n_buffers, n_inputs;
    int *outputs;
    enum term_rate *rate; /* of every term */
    bool *needed;
    int *slot;
    struct {
        struct step *items;
        size_t count, capacity;
    } steps[4]; /* by rate */
};

struct term_state {
    const struct term_program *program;
    double *scalars;               /* by term */
    double **columns;              /* COLUMN nodes, by slot */
    double **buffers;              /* POINT nodes, by slot */
    double *scratch;               /* a column for n-ary folds */
    struct term_operand *operands; /* of a solver */
    double **results;
    const double **input_columns; /* by input */
};

static enum term_rate rate_join(enum term_rate a, enum term_rate b)
{
    return (enum term_rate)(a | b); /* BLOCK (1) and COLUMN (2) together are POINT (3) */
}

static void program_rates(struct term_program *p, const enum term_rate *input_rates)
{
    for (int t = 0; t < term_count(p->graph); t++) {
        const struct term *term = term_get(p->graph, t);
        p->rate[t] = term->kind == TERM_INPUT ? input_rates[term->input] : TERM_SWEEP;
        for (int i = 0; i < term->n_args; i++)
            p->rate[t] = rate_join(p->rate[t], p->rate[term->args[i]]);
    }
    for (int i = 0; i < p->n_outputs; i++)
        p->needed[p->outputs[i]] = true;
    for (int t = term_count(p->graph); t-- > 0;) {
        const struct term *term = term_get(p->graph, t);
        for (int i = 0; i < term->n_args && p->needed[t]; i++)
            p->needed[term->args[i]] = true;
    }
}

/* The node until which the arguments of node t must stay: a solver writes its outputs, the nodes
 * that follow it, while it reads. */
static int last_use(const struct term_graph *graph, int t)
{
    const struct term *term = term_get(graph, t);
    return term->kind == TERM_SOLVER ? t + term->n_outputs : t;
}

struct buffer_list {
    int *items;
    size_t count, capacity;
};

/* Buffers of arguments of node `user` that nobody reads after node t. */
static void release_arguments(const struct term_program *p, const int *last, int user, int t,
                              struct buffer_list *unused)
{
    const struct term *term = term_get(p->graph, user);
    for (int i = 0; i < term->n_args; i++) {
        int arg = term->args[i];
        bool again = false;
        for (int j = 0; j < i; j++)
            again = again || term->args[j] == arg;
        if (!again && last[arg] == t && p->rate[arg] == TERM_POINT && p->slot[arg] >= 0)
            VECTOR_PUSH(unused, p->slot[arg]);
    }
}

/* Gives POINT nodes buffers; one is free again after its last user. */
static void program_buffers(struct term_program *p)
{
    int n = term_count(p->graph);
    int *last = memory_zero((size_t)n, sizeof *last);
    struct buffer_list unused = {0};
    for (int t = 0; t < n; t++)
        for (int i = 0; p->needed[t] && i < term_get(p->graph, t)->n_args; i++) {
            int *end = &last[term_get(p->graph, t)->args[i]], use = last_use(p->graph, t);
            *end = use > *end ? use : *end;
        }
    for (int i = 0; i < p->n_outputs; i++)
        last[p->outputs[i]] = n;
    for (int t = 0; t < n; t++) {
        const struct term *term = term_get(p->graph, t);
        int user = term->kind == TERM_OUTPUT ? term->args[0] : t;
        p->slot[t] = -1;
        if (p->needed[t] && term->kind != TERM_INPUT && term->kind != TERM_SOLVER) {
            if (p->rate[t] == TERM_COLUMN)
                p->slot[t] = p->n_columns++;
            if (p->rate[t] == TERM_POINT)
                p->slot[t] = unused.count ? unused.items[--unused.count] : p->n_buffers++;
        }
        if (p->needed[user] && p->rate[user] == TERM_POINT && last_use(p->graph, user) == t)
            release_arguments(p, last, user, t, &unused);
    }
    VECTOR_FREE(&unused);
    free(last);
}

struct term_program *term_program_create(const struct term_graph *graph, const int *outputs,
                                         int n_outputs, const enum term_rate *input_rates,
                                         int width)
{
    struct term_program *p = memory_zero(1, sizeof *p);
    size_t n = (size_t)term_count(graph);
    p->graph = graph;
    p->kernels = term_kernels_get();
    p->width = width;
    p->n_outputs = n_outputs;
    p->n_inputs = term_input_count(graph);
    p->outputs = memory_zero((size_t)n_outputs, sizeof *p->outputs);
    if (n_outputs)
        memcpy(p->outputs, outputs, (size_t)n_outputs * sizeof *outputs);
    p->rate = memory_zero(n, sizeof *p->rate);
    p->needed = memory_zero(n, sizeof *p->needed);
    p->slot = memory_zero(n, sizeof *p->slot);
    program_rates(p, input_rates);
    program_buffers(p);
    for (int t = 0; t < (int)n; t++)
        if (p->needed[t] && term_get(graph, t)->kind != TERM_INPUT &&
            term_get(graph, t)->kind != TERM_OUTPUT) /* its solver writes it */
            VECTOR_PUSH(&p->steps[p->rate[t]], (struct step){t, p->slot[t]});
    return p;
}

void term_program_destroy(struct term_program *p)
{
    if (!p)
        return;
    for (int rate = 0; rate < 4; rate++)
        VECTOR_FREE(&p->steps[rate]);
    free(p->outputs);
    free(p->rate);
    free(p->needed);
    free(p->slot);
    free(p);
}

static double *column_create(int width)
{
    double *column = memory_aligned(64, (size_t)width * sizeof *column);
    memset(column, 0, (size_t)width * sizeof *column);
    return column;
}

struct term_state *term_state_create(const struct term_program *p)
{
    struct term_state *s = memory_zero(1, sizeof *s);
    s->program = p;
    s->scalars = memory_zero((size_t)term_count(p->graph), sizeof *s->scalars);
    s->columns = memory_zero((size_t)p->n_columns, sizeof *s->columns);
    s->buffers = memory_zero((size_t)p->n_buffers, sizeof *s->buffers);
    s->input_columns = memory_zero((size_t)p->n_inputs, sizeof *s->input_columns);
    for (int i = 0; i < p->n_columns; i++)
        s->columns[i] = column_create(p->width);
    for (int i = 0; i < p->n_buffers; i++)
        s->buffers[i] = column_create(p->width);
    s->scratch = column_create(p->width);
    int most_args = 0, most_outputs = 0;
    for (int t = 0; t < term_count(p->graph); t++) {
        const struct term *term = term_get(p->graph, t);
        if (term->kind != TERM_SOLVER)
            continue;
        most_args = term->n_args > most_args ? term->n_args : most_args;
        most_outputs = term->n_outputs > most_outputs ? term->n_outputs : most_outputs;
    }
    s->operands = memory_zero((size_t)most_args, sizeof *s->operands);
    s->results = memory_zero((size_t)most_outputs, sizeof *s->results);
    return s;
}

void term_state_destroy(struct term_state *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->program->n_columns; i++)
        free(s->columns[i]);
    for (int i = 0; i < s->program->n_buffers; i++)
        free(s->buffers[i]);
    free(s->columns);
    free(s->buffers);
    free(s->input_columns);
    free(s->scalars);
    free(s->scratch);
    free(s->operands);
    free(s->results);
    free(s);
}

void term_state_scalar(struct term_state *s, int input, double value)
{
    s->scalars[term_input_term(s->program->graph, input)] = value;
}

void term_state_column(struct term_state *s, int input, const double *column)
{
    s->input_columns[input] = column;
}

static struct term_operand state_operand(const struct term_state *s, int t)
{
    const struct term_program *p = s->program;
    if (p->rate[t] < TERM_COLUMN)
        return (struct term_operand){&s->scalars[t], 0};
    const struct term *term = term_get(p->graph, t);
    if (term->kind == TERM_INPUT)
        return (struct term_operand){s->input_columns[term->input], 1};
    return (struct term_operand){
        p->rate[t] == TERM_COLUMN ? s->columns[p->slot[t]] : s->buffers[p->slot[t]], 1};
}

static void step_function(const struct term_state *s, const struct term *term, double *out, int n)
{
    struct term_operand operands[TERM_ARGS_MAX];
    double args[TERM_ARGS_MAX];
    for (int i = 0; i < term->n_args; i++)
        operands[i] = state_operand(s, term->args[i]);
    for (int k = 0; k < n; k++) {
        bool same = k > 0;
        for (int i = 0; i < term->n_args; i++) {
            double value = operands[i].data[operands[i].step ? k : 0];
            same = same && value == args[i];
            args[i] = value;
        }
        /* Neighbouring points often share the argument of a look-up. */
        out[k] = same ? out[k - 1] : term->function(term->context, args);
    }
}

/* Its outputs are the nodes behind it. */
static void step_solver(const struct term_state *s, int t, int n)
{
    const struct term_program *p = s->program;
    const struct term *term = term_get(p->graph, t);
    for (int i = 0; i < term->n_args; i++)
        s->operands[i] = state_operand(s, term->args[i]);
    for (int i = 0; i < term->n_outputs; i++) {
        int output = t + 1 + i;
        s->results[i] = !p->needed[output]               ? NULL
                        : p->rate[output] < TERM_COLUMN  ? &s->scalars[output]
                        : p->rate[output] == TERM_COLUMN ? s->columns[p->slot[output]]
                                                         : s->buffers[p->slot[output]];
    }
    term->solver(term->context, n, s->operands, s->results);
}

static void step_run(const struct term_state *s, int t, double *out, int n)
{
    const struct term_kernels *kernels = s->program->kernels;
    const struct term *term = term_get(s->program->graph, t);
    if (term->kind == TERM_CONSTANT) {
        for (int k = 0; k < n; k++)
            out[k] = term->constant;
        return;
    }
    if (term->kind == TERM_FUNCTION) {
        step_function(s, term, out, n);
        return;
    }
    if (term->op == EXPRESSION_IF) {
        kernels->choose(out, state_operand(s, term->args[0]), state_operand(s, term->args[1]),
                        state_operand(s, term->args[2]), n);
        return;
    }
    struct term_operand left = state_operand(s, term->args[0]);
    if (term->n_args == 1) {
        bool same = term->op == EXPRESSION_ADD || term->op == EXPRESSION_MULTIPLY ||
                    term->op == EXPRESSION_MIN || term->op == EXPRESSION_MAX;
        for (int k = 0; k < n; k++) {
            double value = left.data[left.step ? k : 0];
            out[k] = same ? value : expression_apply(term->op, &value, 1);
        }
        return;
    }
    /* A fold from the left, through the scratch column and the result in turn,
     * so that no kernel reads what it writes. */
    double *target = term->n_args % 2 ? s->scratch : out;
    for (int i = 1; i < term->n_args; i++) {
        struct term_operand right = state_operand(s, term->args[i]);
        bool scalar = !left.step && !right.step;
        kernels->binary(term->op, target, left, right, scalar ? 1 : n);
        if (scalar && i + 1 == term->n_args)
            for (int k = 1; k < n; k++)
                target[k] = target[0];
        left = (struct term_operand){target, !scalar};
        target = target == out ? s->scratch : out;
    }
}

static bool is_solver(const struct term_program *p, int t)
{
    return term_get(p->graph, t)->kind == TERM_SOLVER;
}

static void state_scalars(struct term_state *s, enum term_rate rate)
{
    const struct term_program *p = s->program;
    for (size_t i = 0; i < p->steps[rate].count; i++) {
        int t = p->steps[rate].items[i].term;
        double value;
        if (is_solver(p, t)) {
            step_solver(s, t, 1);
            continue;
        }
        step_run(s, t, &value, 1);
        s->scalars[t] = value;
    }
}

/* Steps whose results are columns: those of `columns`, by slot. */
static void state_columns(struct term_state *s, enum term_rate rate, double *const *columns, int n)
{
    const struct term_program *p = s->program;
    for (size_t i = 0; i < p->steps[rate].count; i++) {
        const struct step *step = &p->steps[rate].items[i];
        if (is_solver(p, step->term))
            step_solver(s, step->term, n);
        else
            step_run(s, step->term, columns[step->slot], n);
    }
}

void term_state_begin_some(struct term_state *s, int n)
{
    state_scalars(s, TERM_SWEEP);
    state_columns(s, TERM_COLUMN, s->columns, n);
}

void term_state_begin(struct term_state *s)
{
    term_state_begin_some(s, s->program->width);
}

void term_state_block(struct term_state *s, int n)
{
    state_scalars(s, TERM_BLOCK);
    state_columns(s, TERM_POINT, s->buffers, n);
}

const double *term_state_output(const struct term_state *s, int i, bool *scalar)
{
    struct term_operand operand = state_operand(s, s->program->outputs[i]);
    *scalar = !operand.step;
    return operand.data;
}
