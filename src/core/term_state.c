/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a worker has of a program, and its steps. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/term_program.h"
#include "core/term_unlike.h"

/* A step with its operands found: what most steps are, a chain of operations. */
struct call {
    int term;
    bool moves, rebinds; /* it, something that it reads is somewhere else in every row */
    double *out;
    struct term_chain chain; /* of no links: it is something else */
};

struct term_state {
    const struct term_program *program;
    double *scalars;  /* by term */
    double **columns; /* TERM_ONCE_COLUMNS, by slot */
    double **buffers; /* other columns, by slot */
    double **outputs; /* of several rows: columns of outputs that are no scalars */
    double *gates;    /* of conditions that are one number a row: [output * rows + row] */
    double *scratch;  /* a column for n-ary folds */
    struct term_operand *operands; /* of a solver */
    double **results;
    struct term_unlike *unlike;   /* NULL: there is no solver */
    const double **input_columns; /* by input */
    size_t at;                    /* first point of the row */
    struct call *calls[TERM_PHASES];
    struct term_link *links; /* of all calls */
    bool bound;              /* calls know their operands */
};

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
        if (p->rows > 1 && p->rate[p->outputs[i]] > TERM_BLOCK && !term_program_gate(p, i))
            s->outputs[i] = column_create(p->width * p->rows);
    s->links = memory_zero((size_t)p->n_links, sizeof *s->links);
    s->gates = memory_zero((size_t)(p->n_outputs * p->rows), sizeof *s->gates);
    for (int phase = 0; phase < TERM_PHASES; phase++)
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
    for (int phase = 0; phase < TERM_PHASES; phase++)
        free(s->calls[phase]);
    free(s->outputs);
    free(s->gates);
    free(s->links);
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
    return term_phase_of(p->rate[t]) == TERM_ONCE_COLUMNS ? s->columns[p->slot[t]]
                                                          : s->buffers[p->slot[t]];
}

static struct term_operand state_operand(const void *state, int t)
{
    const struct term_state *s = state;
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
    struct term_operand only = state_operand(s, term->args[0]);
    bool same = term->op == EXPRESSION_ADD || term->op == EXPRESSION_MULTIPLY ||
                term->op == EXPRESSION_MIN || term->op == EXPRESSION_MAX;
    for (int k = 0; k < n; k++) {
        double value = only.data[only.step ? k : 0];
        out[k] = same ? value : expression_apply(term->op, &value, 1);
    }
}

/* Whether a node's column is another one in every row. */
static bool moves(const struct term_program *p, int t)
{
    return p->place[t] >= 0;
}

/* Whether a chain reads such a column. */
static bool reads_moving(const struct term_program *p, int t)
{
    const struct term *term = term_get(p->graph, t);
    bool any = false;
    for (int i = 0; i < term->n_args && !any; i++)
        any = i == p->chains.joins[t] ? reads_moving(p, term->args[i]) : moves(p, term->args[i]);
    return any;
}

static void call_bind(const struct term_state *s, struct call *call)
{
    term_chain_bind(&s->program->chains, s->program->graph, call->term, state_operand, s,
                    &call->chain);
}

static void state_bind(struct term_state *s)
{
    const struct term_program *p = s->program;
    struct term_link *links = s->links;
    for (int phase = 0; phase < TERM_PHASES; phase++)
        for (size_t i = 0; i < p->steps[phase].count; i++) {
            int t = p->steps[phase].items[i];
            const struct term *term = term_get(p->graph, t);
            struct call *call = &s->calls[phase][i];
            *call = (struct call){.term = t, .moves = moves(p, t), .chain.links = links};
            if (term->kind != TERM_SOLVER)
                call->out = p->rate[t] & TERM_COLUMN ? state_column(s, t) : &s->scalars[t];
            if (!term_chain_links(term))
                continue;
            call_bind(s, call);
            call->rebinds = reads_moving(p, t);
            links += call->chain.n_links;
        }
    s->bound = true;
}

/* The steps of a phase of columns, for n points. */
static void state_run(struct term_state *s, enum term_phase phase, int n)
{
    const struct term_program *p = s->program;
    for (size_t i = 0; i < p->steps[phase].count; i++) {
        struct call *call = &s->calls[phase][i];
        double *out = call->moves ? state_column(s, call->term) : call->out;
        if (call->rebinds)
            call_bind(s, call);
        if (call->chain.n_links)
            term_chain_run(p->kernels, &call->chain, out, s->scratch, n);
        else if (term_get(p->graph, call->term)->kind == TERM_SOLVER)
            step_solver(s, call->term, n);
        else
            step_run(s, call->term, out, n);
    }
}

/* The steps of a phase of scalars: the rule of the expression language is that of the kernels. */
static void state_run_scalars(struct term_state *s, enum term_phase phase)
{
    const struct term_program *p = s->program;
    for (size_t i = 0; i < p->steps[phase].count; i++) {
        const struct call *call = &s->calls[phase][i];
        if (call->chain.n_links)
            *call->out = term_chain_value(&call->chain);
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
        enum term_phase phase = term_phase_of(p->rate[t]);
        if (!s->outputs[i] || moves(p, t) || once != (phase == TERM_ONCE_COLUMNS))
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
    state_run_scalars(s, TERM_ONCE_SCALARS);
    state_run(s, TERM_ONCE_COLUMNS, n);
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
static bool state_gates(struct term_state *s, enum term_phase most, int row)
{
    const struct term_program *p = s->program;
    bool open = true, known = true; /* in order: another one before it would have the points */
    for (int i = p->conditions; i < p->n_outputs; i++) {
        int t = p->outputs[i];
        if (term_program_gate(p, i) && most == TERM_ROW_SCALARS)
            s->gates[i * p->rows + row] = s->scalars[t];
        known = known && i < p->gates && term_phase_of(p->rate[t]) <= most;
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
    state_run_scalars(s, TERM_ROW_SCALARS);
    if (!state_gates(s, TERM_ROW_SCALARS, row))
        return;
    state_run(s, TERM_ROW_COLUMNS, n);
    state_spread(s, false, n);
}

void term_state_block(struct term_state *s, int n)
{
    const struct term_program *p = s->program;
    int width = n < p->width ? n : p->width;
    s->at = 0;
    if (!s->bound)
        state_bind(s);
    state_run_scalars(s, TERM_BLOCK_SCALARS);
    if (!state_gates(s, TERM_BLOCK_SCALARS, 0))
        return;
    state_run(s, TERM_BLOCK_COLUMNS, width);
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
    return term_program_gate(s->program, i) ? s->gates + i * s->program->rows : NULL;
}
