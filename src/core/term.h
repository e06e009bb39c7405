/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Term graphs: a model writes its equations once, as nodes over named inputs;
 * the same graph is evaluated for one point (and explained), or over columns of
 * many points. `let`, `where` and metrics of the user compile to the same nodes.
 *
 * A node is an operation of the expression language (core/expression.h; sums,
 * products, minima and maxima take any number of arguments), a constant, an
 * input, a function such as a curve look-up, or a solver, which gives several
 * numbers at once. Nodes are numbered in the order of creation, so arguments come
 * before their users. Equal nodes are shared. */
#ifndef BANDSCAPE_CORE_TERM_H
#define BANDSCAPE_CORE_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/expression.h"
#include "core/unit.h"

enum term_kind {
    TERM_CONSTANT,
    TERM_INPUT,
    TERM_OPERATION,
    TERM_FUNCTION,
    TERM_SOLVER, /* its outputs are the nodes that follow it */
    TERM_OUTPUT  /* one number of a solver, its only argument */
};

enum { TERM_ARGS_MAX = 8 }; /* of a function */

/* A pure function of its arguments; must be safe to call from several threads. */
typedef double term_function(const void *context, const double *args);

/* An operand of n points: a column, or one value for all points (step 0). */
struct term_operand {
    const double *data;
    int step; /* 1 or 0 */
};
/* A pure function of many arguments with several results, for n points at once: writes column
 * out[i], unless it is NULL: not wanted. A point gets the same bits whatever points are beside
 * it; must be safe to call from several threads. After Ctrl-C it may return without results:
 * whoever asked looks at the flag (core/parallel.h) before he takes them. */
typedef void term_solver_function(const void *context, int n, const struct term_operand *args,
                                  double *const *out);

struct term {
    enum term_kind kind;
    enum expression_op op; /* of an operation */
    const char *name;      /* "B_hit"; NULL: none. Input: its key */
    const char *resource;  /* part of the machine whose limit this is ("memory"); NULL */
    struct dim dim;
    double constant;
    int input;     /* index of an input; of an output of a solver */
    int n_outputs; /* of a solver */
    term_function *function;
    term_solver_function *solver;
    const void *context;
    int *args;
    int n_args;
};

struct term_graph;
struct term_graph *term_graph_create(void);
void term_graph_destroy(struct term_graph *graph);

int term_count(const struct term_graph *graph);
const struct term *term_get(const struct term_graph *graph, int term);
int term_input_count(const struct term_graph *graph);
/* The term of input i; its name is the key. */
int term_input_term(const struct term_graph *graph, int input);

/* Constructors return the node's number. What a model asks of them against the rules (arguments
 * of different dimensions, too many of them, none that is a node) gives an unknown number and
 * stays in the graph as its first misuse, which whoever had the graph built looks at. */
int term_constant(struct term_graph *graph, const char *name, double value, struct dim dim);
int term_input(struct term_graph *graph, const char *key, struct dim dim);
/* From now on the input of that key is that term (`set` of a space). */
void term_alias(struct term_graph *graph, const char *key, int term);
int term_operation(struct term_graph *graph, enum expression_op op, const char *name, int n_args,
                   const int *args);
int term_call(struct term_graph *graph, const char *name, struct dim dim, term_function *function,
              const void *context, int n_args, const int *args);
/* "\"B_hit\": a function of 9 arguments; 8 at most"; NULL: none. */
const char *term_graph_misuse(const struct term_graph *graph);
struct term_result {
    const char *name;
    struct dim dim;
};
/* The node of a solver; output i is the node i + 1 after it. */
int term_solve(struct term_graph *graph, const char *name, term_solver_function *solver,
               const void *context, int n_args, const int *args, int n_outputs,
               const struct term_result *outputs);
/* A node that hangs on a solver lies between two others, which hang on none that iterates; -1:
 * nobody knows (core/term_bounds.h). Whoever says so proves it. */
void term_set_bounds(struct term_graph *graph, int term, int low, int high);
/* The same of a term of which that was said: no closer to each other, for a small part of what
 * those cost. Until then they are quick themselves. */
void term_set_quick_bounds(struct term_graph *graph, int term, int low, int high);
/* False: nobody said. */
bool term_said_bounds(const struct term_graph *graph, int term, bool quick, int *low, int *high);
/* Marks a node as the limit that a resource sets; returns the node. */
int term_resource(struct term_graph *graph, int term, const char *resource);

#define TERM_ARGS(...)                                                                             \
    (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[])                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define term_sum(graph, name, ...)                                                                 \
    term_operation(graph, EXPRESSION_ADD, name, TERM_ARGS(__VA_ARGS__))
#define term_product(graph, name, ...)                                                             \
    term_operation(graph, EXPRESSION_MULTIPLY, name, TERM_ARGS(__VA_ARGS__))
#define term_min(graph, name, ...)                                                                 \
    term_operation(graph, EXPRESSION_MIN, name, TERM_ARGS(__VA_ARGS__))
#define term_max(graph, name, ...)                                                                 \
    term_operation(graph, EXPRESSION_MAX, name, TERM_ARGS(__VA_ARGS__))
#define term_quotient(graph, name, above, below)                                                   \
    term_operation(graph, EXPRESSION_DIVIDE, name, 2, (int[]){above, below})
#define term_difference(graph, name, a, b)                                                         \
    term_operation(graph, EXPRESSION_SUBTRACT, name, 2, (int[]){a, b})

/* Compiles a user's expression; names and units are checked. resolve returns
 * the node of a name, or fills error. */
typedef int term_resolve_fn(void *context, const struct expression *name, int *out,
                            struct error *error);
int term_compile(struct term_graph *graph, const struct expression *expression,
                 term_resolve_fn *resolve, void *context, int *out, struct error *error);

/* Every node's value at one point: values[term_count]. Uses the same kernels
 * as the batch path, so both agree bit for bit. */
void term_evaluate(const struct term_graph *graph, const double *inputs, double *values);

/* The same of what some nodes need; NaN elsewhere. */
void term_evaluate_needed(const struct term_graph *graph, const double *inputs, const int *nodes,
                          int n_nodes, double *values);
/* Whether that takes a solver. */
bool term_needs_solver(const struct term_graph *graph, const int *nodes, int n_nodes);
/* All with the limits that a resource sets `factor` times as high; `values`: as it is. Where a
 * limit is made of another one of the resource, that one alone is moved. Nodes that are not reached
 * keep their values. */
void term_evaluate_scaled(const struct term_graph *graph, const double *values,
                          const char *resource, double factor, double *scaled);

/* The argument of a minimum or maximum that gives its value (the first among
 * equals), or -1. */
int term_binding(const struct term_graph *graph, int term, const double *values);

/* The resource that limits a node: follows binding arguments of minima, and in
 * sums the argument that holds a minimum, to the first marked node. NULL: none. */
const char *term_limit(const struct term_graph *graph, int term, const double *values);

/* Of the minimum or maximum in which that resource binds, the next one among other resources;
 * *value is its argument. NULL: there is none. */
const char *term_next_limit(const struct term_graph *graph, int term, const double *values,
                            double *value);

/* --- batches ----------------------------------------------------------------
 *
 * A sweep evaluates blocks of points, as one row of up to `width`, or as several of `width` each,
 * one behind another. How often an input changes decides how often what depends on it is
 * computed. */
enum term_rate {
    TERM_SWEEP = 0,  /* the same everywhere: once */
    TERM_BLOCK = 1,  /* one value a block */
    TERM_COLUMN = 2, /* varies inside a row, alike in every row: once, as a column */
    TERM_POINT = 3,  /* both: a column computed for every block */
    TERM_ROW = 4     /* one value a row */
};

struct term_program;
/* Only what the outputs need is computed. The graph must outlive the program. */
struct term_program *term_program_create(const struct term_graph *graph, const int *outputs,
                                         int n_outputs, const enum term_rate *input_rates,
                                         int width);
/* The same for blocks of up to so many rows, more than one; no input is TERM_POINT. */
struct term_program *term_program_create_rows(const struct term_graph *graph, const int *outputs,
                                              int n_outputs, const enum term_rate *input_rates,
                                              int width, int rows);
/* Outputs from `first` on, to the last, are conditions. Of the leading ones that are one number for
 * a block or a row, one that is 0 ends it: what is computed after them, of that block or row, is
 * unknown. */
void term_program_set_conditions(struct term_program *program, int first);
void term_program_destroy(struct term_program *program);

/* One worker's memory. */
struct term_state;
struct term_state *term_state_create(const struct term_program *program);
void term_state_destroy(struct term_state *state);

/* Sets an input: a scalar (SWEEP, BLOCK), or a column that stays valid: of `width` values (COLUMN,
 * POINT), or of one for each row (ROW). */
void term_state_scalar(struct term_state *state, int input, double value);
void term_state_column(struct term_state *state, int input, const double *column);

/* After the SWEEP and COLUMN inputs are set: computes what is common. */
void term_state_begin(struct term_state *state);
/* The same for the first n points alone, which may then be a block: to see how long that takes. */
void term_state_begin_some(struct term_state *state, int n);
/* After BLOCK, POINT and ROW inputs are set: one block of n points, rows * width at most. */
void term_state_block(struct term_state *state, int n);

/* Output i of the last block: a column, or (*scalar true) one value for all. */
const double *term_state_output(const struct term_state *state, int i, bool *scalar);
/* A condition that is one number a row: these numbers; NULL: it is none. */
const double *term_state_row_output(const struct term_state *state, int i);

#endif
