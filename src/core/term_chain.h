/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chains of operations: where only one node reads another, the two are computed in one pass, and
 * what lies between them is no column but stays in registers. Each operation rounds as it does
 * alone, so that the bits are the same. */
#ifndef BANDSCAPE_CORE_TERM_CHAIN_H
#define BANDSCAPE_CORE_TERM_CHAIN_H

#include "core/term_kernels.h"

/* Of every node of a graph. */
struct term_chains {
    int *joins; /* the argument that it goes on from; -1: it begins a chain */
    int *next;  /* the node that goes on from it, by which it is computed; -1: it ends a chain */
};

/* Of the needed nodes; phase[t]: when node t is computed, no chain being of two phases; -1: it is
 * in none. Outputs end theirs. */
void term_chains_find(struct term_chains *chains, const struct term_graph *graph,
                      const bool *needed, const int *phase, const int *outputs, int n_outputs);
void term_chains_free(struct term_chains *chains);
/* The node that ends the chain of node t. */
int term_chain_end(const struct term_chains *chains, int t);

/* Links that a node adds to its chain, or makes one of alone; 0: it is none of operations. */
int term_chain_links(const struct term *term);

/* A chain with its operands found. */
struct term_chain {
    struct term_operand start;
    struct term_link *links;
    int n_links;
    bool known; /* to the kernel of chains, all of it */
};

/* Finds those of the chain that node t ends, as `find` has them, for links that are there. */
typedef struct term_operand term_chain_operand(const void *context, int term);
void term_chain_bind(const struct term_chains *chains, const struct term_graph *graph, int t,
                     term_chain_operand *find, const void *context, struct term_chain *chain);

/* Over n points; no link reads `out` or `scratch`, two columns. */
void term_chain_run(const struct term_kernels *kernels, const struct term_chain *chain, double *out,
                    double *scratch, int n);
/* Of numbers alone. */
double term_chain_value(const struct term_chain *chain);

#endif
