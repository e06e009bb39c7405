/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch evaluation of a term graph: every node at the rate at which it changes.
 *
 * In a cross product with the last axes running inside a block, a node that
 * depends on outer axes only is one scalar a block, one that depends on the innermost
 * axes only is the same column in every row, and only what mixes both is
 * computed point by point: once a block where the axis that tells rows apart does not enter, else
 * once a row. Columns of mixed nodes share a few buffers by
 * liveness, so that a row works inside the first-level data cache. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/term.h"
#include "core/term_kernels.h"
#include "core/term_unlike.h"

/* When a node is computed: once, once a block, once a row; as a scalar or as a column. */
enum phase {
    ONCE_SCALARS,
    ONCE_COLUMNS,
    BLOCK_SCALARS,
    BLOCK_COLUMNS,
    ROW_SCALARS,
    ROW_COLUMNS,
    PHASES
};

struct term_program {
    const struct term_graph *graph;
    const struct term_kernels *kernels;
    int width, rows, n_outputs, n_columns, n_buffers, n_inputs;
    int conditions; /* the first output that is one; n_outputs: none */
    int gates;      /* behind those that end rows */
    int *outputs;
    enum term_rate *rate; /* of every term */
    bool *needed;
    int *slot;  /* of every term: of its column or buffer; -1: none */
    int *place; /* of every term: the output whose column it writes itself, row by row; -1: none */
    struct {
        int *items; /* terms */
        size_t count, capacity;
    } steps[PHASES];
    struct {
        int *items;
        size_t count, capacity;
    } row_inputs;
};

/* A step with its operands found: what most steps are, an operation of two. */
struct call {
    int term;
    enum expression_op op;
    bool binary, moves;
    double *out;
    struct term_operand left, right;
};

struct term_state {
    const struct term_program *program;
    double *scalars;  /* by term */
    double **columns; /* ONCE_COLUMNS, by slot */
    double **buffers; /* other columns, by slot */
    double **outputs; /* of several rows: columns of outputs that are no scalars */
    double *gates;    /* of conditions that are one number a row: [output * rows + row] */
    double *scratch;  /* a column for n-ary folds */
    struct term_operand *operands; /* of a solver */
    double **results;
    struct term_unlike *unlike;   /* NULL: there is no solver */
    const double **input_columns; /* by input */
    size_t at;                    /* first point of the row */
    struct call *calls[PHASES];
    bool bound; /* calls know their operands */
};

static enum phase phase_of(enum term_rate rate)
{
    enum phase often = rate & TERM_ROW     ? ROW_SCALARS
                       : rate & TERM_BLOCK ? BLOCK_SCALARS
                                           : ONCE_SCALARS;
    return rate & TERM_COLUMN ? (enum phase)(often + 1) : often;
}

static enum term_rate rate_join(enum term_rate a, enum term_rate b)
{
    return (enum term_rate)(a | b); /* BLOCK and COLUMN together are POINT */
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

/* Whether a node has a buffer while it is needed. */
static bool has_buffer(const struct term_program *p, int t)
{
    enum phase phase = phase_of(p->rate[t]);
    return phase == BLOCK_COLUMNS || (phase == ROW_COLUMNS && p->place[t] < 0);
}

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
        if (!again && last[arg] == t && has_buffer(p, arg) && p->slot[arg] >= 0)
            VECTOR_PUSH(&unused[phase_of(p->rate[arg])], p->slot[arg]);
    }
}

/* Until which node each must stay: what is asked for, and what a block computes for its rows, to
 * the end. */
static int *program_last_uses(const struct term_program *p)
{
    int n = term_count(p->graph);
    int *last = memory_zero((size_t)n, sizeof *last);
    for (int t = 0; t < n; t++)
        for (int i = 0; p->needed[t] && i < term_get(p->graph, t)->n_args; i++) {
            int arg = term_get(p->graph, t)->args[i], use = last_use(p->graph, t);
            if (phase_of(p->rate[arg]) == BLOCK_COLUMNS && p->rate[t] & TERM_ROW)
                use = n;
            last[arg] = use > last[arg] ? use : last[arg];
        }
    for (int i = 0; i < p->n_outputs; i++)
        last[p->outputs[i]] = n;
    return last;
}

/* Gives columns their memory; a buffer is free again after its last user. */
static void program_buffers(struct term_program *p)
{
    int n = term_count(p->graph), *last = program_last_uses(p);
    struct buffer_list unused[PHASES] = {{0}};
    for (int i = p->n_outputs; i-- > 0;)
        if (p->rows > 1 && phase_of(p->rate[p->outputs[i]]) == ROW_COLUMNS)
            p->place[p->outputs[i]] = i;
    for (int t = 0; t < n; t++) {
        const struct term *term = term_get(p->graph, t);
        int user = term->kind == TERM_OUTPUT ? term->args[0] : t;
        enum phase phase = phase_of(p->rate[t]);
        p->slot[t] = -1;
        if (p->needed[t] && term->kind != TERM_INPUT && term->kind != TERM_SOLVER) {
            struct buffer_list *list = &unused[phase];
            if (phase == ONCE_COLUMNS)
                p->slot[t] = p->n_columns++;
            else if (has_buffer(p, t))
                p->slot[t] = list->count ? list->items[--list->count] : p->n_buffers++;
        }
        if (p->needed[user] && p->rate[user] & TERM_COLUMN && last_use(p->graph, user) == t)
            release_arguments(p, last, user, t, unused);
    }
    for (int phase = 0; phase < PHASES; phase++)
        VECTOR_FREE(&unused[phase]);
    free(last);
}

struct term_program *term_program_create_rows(const struct term_graph *graph, const int *outputs,
                                              int n_outputs, const enum term_rate *input_rates,
                                              int width, int rows)
{
    struct term_program *p = memory_zero(1, sizeof *p);
    size_t n = (size_t)term_count(graph);
    p->graph = graph;
    p->kernels = term_kernels_get();
    p->width = width;
    p->rows = rows;
    p->n_outputs = p->conditions = p->gates = n_outputs;
    p->n_inputs = term_input_count(graph);
    p->outputs = memory_zero((size_t)n_outputs, sizeof *p->outputs);
    if (n_outputs)
        memcpy(p->outputs, outputs, (size_t)n_outputs * sizeof *outputs);
    p->rate = memory_zero(n, sizeof *p->rate);
    p->needed = memory_zero(n, sizeof *p->needed);
    p->slot = memory_zero(n, sizeof *p->slot);
    p->place = memory_alloc(n * sizeof *p->place);
    for (size_t t = 0; t < n; t++)
        p->place[t] = -1;
    program_rates(p, input_rates);
    program_buffers(p);
    for (int t = 0; t < (int)n; t++)
        if (p->needed[t] && term_get(graph, t)->kind != TERM_INPUT &&
            term_get(graph, t)->kind != TERM_OUTPUT) /* its solver writes it */
            VECTOR_PUSH(&p->steps[phase_of(p->rate[t])], t);
    for (int i = 0; i < p->n_inputs; i++)
        if (input_rates[i] == TERM_ROW)
            VECTOR_PUSH(&p->row_inputs, i);
    return p;
}

struct term_program *term_program_create(const struct term_graph *graph, const int *outputs,
                                         int n_outputs, const enum term_rate *input_rates,
                                         int width)
{
    return term_program_create_rows(graph, outputs, n_outputs, input_rates, width, 1);
}

static bool is_gate(const struct term_program *p, int i)
{
    return p->rows > 1 && i >= p->conditions && phase_of(p->rate[p->outputs[i]]) == ROW_SCALARS;
}

void term_program_set_conditions(struct term_program *p, int first)
{
    p->conditions = p->gates = first;
    while (p->gates < p->n_outputs && !(p->rate[p->outputs[p->gates]] & TERM_COLUMN))
        p->gates++;
}

void term_program_destroy(struct term_program *p)
{
    if (!p)
        return;
    for (int phase = 0; phase < PHASES; phase++)
        VECTOR_FREE(&p->steps[phase]);
    VECTOR_FREE(&p->row_inputs);
    free(p->outputs);
    free(p->rate);
    free(p->needed);
    free(p->slot);
    free(p->place);
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
    s->outputs = memory_zero((size_t)p->n_outputs, sizeof *s->outputs);
    for (int i = 0; i < p->n_outputs; i++)
        if (p->rows > 1 && p->rate[p->outputs[i]] > TERM_BLOCK && !is_gate(p, i))
            s->outputs[i] = column_create(p->width * p->rows);
    s->gates = memory_zero((size_t)(p->n_outputs * p->rows), sizeof *s->gates);
    for (int phase = 0; phase < PHASES; phase++)
        s->calls[phase] = memory_zero(p->steps[phase].count, sizeof *s->calls[phase]);
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
    s->unlike =
        most_outputs ? term_unlike_create(most_args, most_outputs, p->width * p->rows) : NULL;
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
    for (int i = 0; i < s->program->n_outputs; i++)
        free(s->outputs[i]);
    for (int phase = 0; phase < PHASES; phase++)
        free(s->calls[phase]);
    free(s->outputs);
    free(s->gates);
    free(s->columns);
    free(s->buffers);
    free(s->input_columns);
    free(s->scalars);
    free(s->scratch);
    term_unlike_destroy(s->unlike);
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
    s->bound = false;
}

/* The column that a node is written to, in this row. */
static double *state_column(const struct term_state *s, int t)
{
    const struct term_program *p = s->program;
    if (p->place[t] >= 0)
        return s->outputs[p->place[t]] + s->at;
    return phase_of(p->rate[t]) == ONCE_COLUMNS ? s->columns[p->slot[t]] : s->buffers[p->slot[t]];
}

static struct term_operand state_operand(const struct term_state *s, int t)
{
    const struct term_program *p = s->program;
    const struct term *term = term_get(p->graph, t);
    if (!(p->rate[t] & TERM_COLUMN))
        return (struct term_operand){&s->scalars[t], 0};
    if (term->kind == TERM_INPUT)
        return (struct term_operand){s->input_columns[term->input], 1};
    return (struct term_operand){state_column(s, t), 1};
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
        s->results[i] = !p->needed[output]                 ? NULL
                        : !(p->rate[output] & TERM_COLUMN) ? &s->scalars[output]
                                                           : state_column(s, output);
    }
    term_unlike_solve(s->unlike, term, n, s->operands, s->results);
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

/* Whether a node's column is another one in every row. */
static bool moves(const struct term_program *p, int t)
{
    return p->place[t] >= 0;
}

static void state_bind(struct term_state *s)
{
    const struct term_program *p = s->program;
    for (int phase = 0; phase < PHASES; phase++)
        for (size_t i = 0; i < p->steps[phase].count; i++) {
            int t = p->steps[phase].items[i];
            const struct term *term = term_get(p->graph, t);
            struct call *call = &s->calls[phase][i];
            *call = (struct call){.term = t, .op = term->op, .moves = moves(p, t)};
            if (term->kind != TERM_SOLVER)
                call->out = p->rate[t] & TERM_COLUMN ? state_column(s, t) : &s->scalars[t];
            if (term->kind != TERM_OPERATION || term->n_args != 2)
                continue;
            call->left = state_operand(s, term->args[0]);
            call->right = state_operand(s, term->args[1]);
            bool columns = call->left.step || call->right.step || !(p->rate[t] & TERM_COLUMN);
            call->binary = columns && !moves(p, term->args[0]) && !moves(p, term->args[1]);
        }
    s->bound = true;
}

/* The steps of a phase of columns, for n points. */
static void state_run(struct term_state *s, enum phase phase, int n)
{
    const struct term_program *p = s->program;
    for (size_t i = 0; i < p->steps[phase].count; i++) {
        const struct call *call = &s->calls[phase][i];
        double *out = call->moves ? state_column(s, call->term) : call->out;
        if (call->binary)
            p->kernels->binary(call->op, out, call->left, call->right, n);
        else if (term_get(p->graph, call->term)->kind == TERM_SOLVER)
            step_solver(s, call->term, n);
        else
            step_run(s, call->term, out, n);
    }
}

/* The steps of a phase of scalars: the rule of the expression language is that of the kernels. */
static void state_run_scalars(struct term_state *s, enum phase phase)
{
    const struct term_program *p = s->program;
    for (size_t i = 0; i < p->steps[phase].count; i++) {
        const struct call *call = &s->calls[phase][i];
        if (call->binary)
            *call->out =
                expression_apply(call->op, (double[]){*call->left.data, *call->right.data}, 2);
        else if (term_get(p->graph, call->term)->kind == TERM_SOLVER)
            step_solver(s, call->term, 1);
        else
            step_run(s, call->term, call->out, 1);
    }
}

/* Outputs that are alike in all rows, or one number in each, to the row that begins at s->at. */
static void state_spread(struct term_state *s, bool once, int n)
{
    const struct term_program *p = s->program;
    for (int i = 0; i < p->n_outputs; i++) {
        int t = p->outputs[i];
        enum phase phase = phase_of(p->rate[t]);
        if (!s->outputs[i] || moves(p, t) || once != (phase == ONCE_COLUMNS))
            continue;
        struct term_operand from = state_operand(s, t);
        double *to = s->outputs[i] + s->at;
        if (from.step)
            memcpy(to, from.data, (size_t)n * sizeof *to);
        for (int k = 0; k < n && !from.step; k++)
            to[k] = *from.data;
    }
}

void term_state_begin_some(struct term_state *s, int n)
{
    const struct term_program *p = s->program;
    s->at = 0;
    state_bind(s);
    state_run_scalars(s, ONCE_SCALARS);
    state_run(s, ONCE_COLUMNS, n);
    for (int row = 0; row < p->rows && p->rows > 1; row++, s->at += (size_t)p->width)
        state_spread(s, true, n);
    s->at = 0;
}

void term_state_begin(struct term_state *s)
{
    term_state_begin_some(s, s->program->width);
}

/* Conditions that are one number for the block, or in the row: false: one of the leading ones does
 * not hold. */
static bool state_gates(struct term_state *s, enum phase most, int row)
{
    const struct term_program *p = s->program;
    bool open = true, known = true; /* in order: another one before it would have the points */
    for (int i = p->conditions; i < p->n_outputs; i++) {
        int t = p->outputs[i];
        if (is_gate(p, i) && most == ROW_SCALARS)
            s->gates[i * p->rows + row] = s->scalars[t];
        known = known && i < p->gates && phase_of(p->rate[t]) <= most;
        open = open && !(known && s->scalars[t] == 0);
    }
    return open;
}

static void state_row(struct term_state *s, int row, int n)
{
    const struct term_program *p = s->program;
    s->at = (size_t)(row * p->width);
    for (size_t i = 0; i < p->row_inputs.count; i++) {
        int input = p->row_inputs.items[i];
        s->scalars[term_input_term(p->graph, input)] = s->input_columns[input][row];
    }
    state_run_scalars(s, ROW_SCALARS);
    if (!state_gates(s, ROW_SCALARS, row))
        return;
    state_run(s, ROW_COLUMNS, n);
    state_spread(s, false, n);
}

void term_state_block(struct term_state *s, int n)
{
    const struct term_program *p = s->program;
    int width = n < p->width ? n : p->width;
    s->at = 0;
    if (!s->bound)
        state_bind(s);
    state_run_scalars(s, BLOCK_SCALARS);
    if (!state_gates(s, BLOCK_SCALARS, 0))
        return;
    state_run(s, BLOCK_COLUMNS, width);
    for (int row = 0; p->rows > 1 && row * p->width < n; row++)
        state_row(s, row, width);
}

const double *term_state_output(const struct term_state *s, int i, bool *scalar)
{
    int t = s->program->outputs[i];
    int own = s->program->place[t] >= 0 ? s->program->place[t] : i;
    *scalar = !(s->program->rate[t] & TERM_COLUMN);
    if (s->outputs[own]) {
        *scalar = false;
        return s->outputs[own];
    }
    return state_operand(s, t).data;
}

const double *term_state_row_output(const struct term_state *s, int i)
{
    return is_gate(s->program, i) ? s->gates + i * s->program->rows : NULL;
}
