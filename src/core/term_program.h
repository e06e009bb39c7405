/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What term_program.c, which says when each node of a graph is computed and where it stands, and
 * term_state.c, which computes it, share. */
#ifndef BANDSCAPE_CORE_TERM_PROGRAM_H
#define BANDSCAPE_CORE_TERM_PROGRAM_H

#include "core/term.h"
#include "core/term_chain.h"

/* When a node is computed: once, once a block, once a row; as a scalar or as a column. */
enum term_phase {
    TERM_ONCE_SCALARS,
    TERM_ONCE_COLUMNS,
    TERM_BLOCK_SCALARS,
    TERM_BLOCK_COLUMNS,
    TERM_ROW_SCALARS,
    TERM_ROW_COLUMNS,
    TERM_PHASES
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
    struct term_chains chains;
    int n_links; /* of all of them */
    struct {
        int *items; /* terms */
        size_t count, capacity;
    } steps[TERM_PHASES];
    struct {
        int *items;
        size_t count, capacity;
    } row_inputs;
};

static inline enum term_phase term_phase_of(enum term_rate rate)
{
    enum term_phase often = rate & TERM_ROW     ? TERM_ROW_SCALARS
                            : rate & TERM_BLOCK ? TERM_BLOCK_SCALARS
                                                : TERM_ONCE_SCALARS;
    return rate & TERM_COLUMN ? (enum term_phase)(often + 1) : often;
}

/* Whether output i is a condition that is one number a row. */
static inline bool term_program_gate(const struct term_program *p, int i)
{
    return p->rows > 1 && i >= p->conditions &&
           term_phase_of(p->rate[p->outputs[i]]) == TERM_ROW_SCALARS;
}

#endif
