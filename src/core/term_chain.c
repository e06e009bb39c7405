/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/term_chain.h"

#include <stdlib.h>

#include "core/memory.h"

/* Nodes of a chain: what they read stays in memory until the last one is computed. */
enum { NODES_MAX = 8 };

/* What the kernel of chains knows. */
static bool is_known(enum expression_op op)
{
    return op == EXPRESSION_ADD || op == EXPRESSION_SUBTRACT || op == EXPRESSION_MULTIPLY ||
           op == EXPRESSION_DIVIDE || op == EXPRESSION_MIN || op == EXPRESSION_MAX;
}

static bool may_join(const struct term *term)
{
    return term->kind == TERM_OPERATION && term->n_args > 1 && is_known(term->op);
}

/* How often a node is read, an output once more. */
static int *count_readers(const struct term_graph *graph, const bool *needed, const int *outputs,
                          int n_outputs)
{
    int n = term_count(graph), *readers = memory_zero((size_t)n, sizeof *readers);
    for (int t = 0; t < n; t++)
        for (int i = 0; needed[t] && i < term_get(graph, t)->n_args; i++)
            readers[term_get(graph, t)->args[i]]++;
    for (int i = 0; i < n_outputs; i++)
        readers[outputs[i]]++;
    return readers;
}

void term_chains_find(struct term_chains *chains, const struct term_graph *graph,
                      const bool *needed, const int *phase, const int *outputs, int n_outputs)
{
    int n = term_count(graph), *nodes = memory_zero((size_t)n, sizeof *nodes);
    int *readers = count_readers(graph, needed, outputs, n_outputs);
    chains->joins = memory_alloc((size_t)n * sizeof *chains->joins);
    chains->next = memory_alloc((size_t)n * sizeof *chains->next);
    for (int t = 0; t < n; t++) {
        const struct term *term = term_get(graph, t);
        chains->joins[t] = chains->next[t] = -1;
        nodes[t] = 1;
        bool may = needed[t] && phase[t] >= 0 && may_join(term);
        for (int i = 0; i < 2 && may && chains->joins[t] < 0; i++) {
            int arg = term->args[i];
            if (phase[arg] != phase[t] || readers[arg] != 1 || !may_join(term_get(graph, arg)) ||
                nodes[arg] == NODES_MAX)
                continue;
            chains->joins[t] = i;
            chains->next[arg] = t;
            nodes[t] = nodes[arg] + 1;
        }
    }
    free(readers);
    free(nodes);
}

void term_chains_free(struct term_chains *chains)
{
    free(chains->joins);
    free(chains->next);
}

int term_chain_end(const struct term_chains *chains, int t)
{
    while (chains->next[t] >= 0)
        t = chains->next[t];
    return t;
}

int term_chain_links(const struct term *term)
{
    return term->kind == TERM_OPERATION && term->op != EXPRESSION_IF ? term->n_args - 1 : 0;
}

static struct term_link make_link(enum expression_op op, struct term_operand operand, bool reversed)
{
    int code = TERM_LINK_OP * (int)op + (reversed ? TERM_LINK_REVERSED : 0) +
               (operand.step ? TERM_LINK_COLUMN : 0);
    return (struct term_link){code, operand.data};
}

void term_chain_bind(const struct term_chains *chains, const struct term_graph *graph, int t,
                     term_chain_operand *find, const void *context, struct term_chain *chain)
{
    const struct term *term = term_get(graph, t);
    int joins = chains->joins[t];
    if (joins >= 0) {
        term_chain_bind(chains, graph, term->args[joins], find, context, chain);
    } else {
        chain->start = find(context, term->args[0]);
        chain->n_links = 0;
    }
    for (int i = 0; i < term->n_args; i++)
        if (i != (joins < 0 ? 0 : joins))
            chain->links[chain->n_links++] =
                make_link(term->op, find(context, term->args[i]), i < joins);
    chain->known = is_known(term->op); /* as those are that others go on from */
}

static enum expression_op link_op(const struct term_link *link)
{
    return (enum expression_op)(link->code / TERM_LINK_OP);
}

void term_chain_run(const struct term_kernels *kernels, const struct term_chain *chain, double *out,
                    double *scratch, int n)
{
    /* A single operation has a loop of its own. */
    if (chain->known && chain->n_links > 1 &&
        kernels->chain(chain->start, chain->links, chain->n_links, out, n))
        return;
    /* Through the two columns in turn, so that no kernel reads what it writes. */
    struct term_operand left = chain->start;
    double *target = chain->n_links % 2 ? out : scratch;
    for (int l = 0; l < chain->n_links; l++) {
        const struct term_link *link = &chain->links[l];
        struct term_operand right = {link->data, link->code & TERM_LINK_COLUMN ? 1 : 0};
        bool reversed = link->code & TERM_LINK_REVERSED, number = !left.step && !right.step;
        kernels->binary(link_op(link), target, reversed ? right : left, reversed ? left : right,
                        number ? 1 : n);
        left = (struct term_operand){target, !number};
        target = target == out ? scratch : out;
    }
}

double term_chain_value(const struct term_chain *chain)
{
    double value = *chain->start.data;
    for (int l = 0; l < chain->n_links; l++) {
        const struct term_link *link = &chain->links[l];
        double operand = *link->data;
        if (link->code == TERM_LINK_OP * EXPRESSION_MULTIPLY) /* what most are */
            value *= operand;
        else
            value = expression_apply(link_op(link), (double[]){value, operand}, 2);
    }
    return value;
}
