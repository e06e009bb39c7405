/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch evaluation of a term graph: every node at the rate at which it changes.
 *
 * In a cross product with the last axes running inside a block, a node that
 * depends on outer axes only is one scalar a block, one that depends on the innermost
 * axes only is the same column in every row, and only what mixes both is
 * computed point by point: once a block where the axis that tells rows apart does not enter, else
 * once a row. Operations of columns go through chains (core/term_chain.h). Columns of mixed nodes
 * share a few buffers by liveness, so that a row works inside the first-level data cache. */
#include "core/term_program.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

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
 * that follow it, while it reads; a chain is computed where it ends. */
static int last_use(const struct term_program *p, int t)
{
    const struct term *term = term_get(p->graph, t);
    return term->kind == TERM_SOLVER ? t + term->n_outputs : term_chain_end(&p->chains, t);
}

struct buffer_list {
    int *items;
    size_t count, capacity;
};

/* Whether a node has a buffer while it is needed. */
static bool has_buffer(const struct term_program *p, int t)
{
    enum term_phase phase = term_phase_of(p->rate[t]);
    return p->chains.next[t] < 0 &&
           (phase == TERM_BLOCK_COLUMNS || (phase == TERM_ROW_COLUMNS && p->place[t] < 0));
}

/* Buffers of arguments of node `user`, and of those that it goes on from, that nobody reads after
 * node t. */
static void release_arguments(const struct term_program *p, int *last, int user, int t,
                              struct buffer_list *unused)
{
    const struct term *term = term_get(p->graph, user);
    for (int i = 0; i < term->n_args; i++) {
        int arg = term->args[i];
        if (i == p->chains.joins[user])
            release_arguments(p, last, arg, t, unused);
        else if (last[arg] == t && has_buffer(p, arg) && p->slot[arg] >= 0) {
            VECTOR_PUSH(&unused[term_phase_of(p->rate[arg])], p->slot[arg]);
            last[arg] = -1; /* once */
        }
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
            int arg = term_get(p->graph, t)->args[i], use = last_use(p, t);
            if (term_phase_of(p->rate[arg]) == TERM_BLOCK_COLUMNS && p->rate[t] & TERM_ROW)
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
    struct buffer_list unused[TERM_PHASES] = {{0}};
    for (int i = p->n_outputs; i-- > 0;)
        if (p->rows > 1 && term_phase_of(p->rate[p->outputs[i]]) == TERM_ROW_COLUMNS)
            p->place[p->outputs[i]] = i;
    for (int t = 0; t < n; t++) {
        const struct term *term = term_get(p->graph, t);
        int user = term->kind == TERM_OUTPUT ? term->args[0] : t;
        enum term_phase phase = term_phase_of(p->rate[t]);
        p->slot[t] = -1;
        if (p->needed[t] && term->kind != TERM_INPUT && term->kind != TERM_SOLVER) {
            struct buffer_list *list = &unused[phase];
            if (phase == TERM_ONCE_COLUMNS && p->chains.next[t] < 0)
                p->slot[t] = p->n_columns++;
            else if (has_buffer(p, t))
                p->slot[t] = list->count ? list->items[--list->count] : p->n_buffers++;
        }
        if (p->needed[user] && p->rate[user] & TERM_COLUMN && last_use(p, user) == t)
            release_arguments(p, last, user, t, unused);
    }
    for (int phase = 0; phase < TERM_PHASES; phase++)
        VECTOR_FREE(&unused[phase]);
    free(last);
}

static void program_chains(struct term_program *p)
{
    int n = term_count(p->graph), *phases = memory_alloc((size_t)n * sizeof *phases);
    for (int t = 0; t < n; t++) {
        phases[t] = p->rate[t] & TERM_COLUMN ? (int)term_phase_of(p->rate[t]) : -1;
        p->n_links += p->needed[t] ? term_chain_links(term_get(p->graph, t)) : 0;
    }
    term_chains_find(&p->chains, p->graph, p->needed, phases, p->outputs, p->n_outputs);
    free(phases);
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
    program_chains(p);
    program_buffers(p);
    for (int t = 0; t < (int)n; t++)
        if (p->needed[t] && p->chains.next[t] < 0 && term_get(graph, t)->kind != TERM_INPUT &&
            term_get(graph, t)->kind != TERM_OUTPUT) /* its solver writes it */
            VECTOR_PUSH(&p->steps[term_phase_of(p->rate[t])], t);
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
    for (int phase = 0; phase < TERM_PHASES; phase++)
        VECTOR_FREE(&p->steps[phase]);
    VECTOR_FREE(&p->row_inputs);
    free(p->outputs);
    free(p->rate);
    free(p->needed);
    free(p->slot);
    free(p->place);
    term_chains_free(&p->chains);
    free(p);
}
