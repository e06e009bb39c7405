/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Term graphs: construction, evaluation at one point, explanation. */
#include "core/term.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/term_kernels.h"

struct term_graph {
    struct arena *arena;
    struct {
        struct term *items;
        size_t count, capacity;
    } terms;
    struct {
        int *items;
        size_t count, capacity;
    } inputs;
    struct {
        struct alias {
            const char *key;
            int term;
        } * items;
        size_t count, capacity;
    } aliases;
    struct {
        struct bounds {
            int term, low, high;
            int quick_low, quick_high;
        } * items;
        size_t count, capacity;
    } bounds;
    int *table; /* open addressing: term + 1, 0 empty */
    size_t table_size;
    const char *misuse; /* the first one */
};

struct term_graph *term_graph_create(void)
{
    struct term_graph *graph = memory_zero(1, sizeof *graph);
    graph->arena = arena_create();
    return graph;
}

void term_graph_destroy(struct term_graph *graph)
{
    if (!graph)
        return;
    VECTOR_FREE(&graph->terms);
    VECTOR_FREE(&graph->inputs);
    VECTOR_FREE(&graph->aliases);
    VECTOR_FREE(&graph->bounds);
    free(graph->table);
    arena_destroy(graph->arena);
    free(graph);
}

int term_count(const struct term_graph *graph)
{
    return (int)graph->terms.count;
}

const struct term *term_get(const struct term_graph *graph, int term)
{
    return &graph->terms.items[term];
}

int term_input_count(const struct term_graph *graph)
{
    return (int)graph->inputs.count;
}

int term_input_term(const struct term_graph *graph, int input)
{
    return graph->inputs.items[input];
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool term_equal(const struct term *a, const struct term *b)
{
    return a->kind == b->kind && a->op == b->op && same_text(a->name, b->name) &&
           dim_equal(a->dim, b->dim) &&
           memcmp(&a->constant, &b->constant, sizeof a->constant) == 0 &&
           a->function == b->function && a->solver == b->solver &&
           (a->kind != TERM_OUTPUT || a->input == b->input) && a->n_outputs == b->n_outputs &&
           a->context == b->context && a->n_args == b->n_args &&
           (a->n_args == 0 || memcmp(a->args, b->args, (size_t)a->n_args * sizeof *a->args) == 0);
}

static uint64_t term_hash(const struct term *term)
{
    uint64_t bits, hash = hash_fmix64((uint64_t)term->kind * 64 + (uint64_t)term->op + 1);
    memcpy(&bits, &term->constant, sizeof bits);
    hash = hash_fmix64(hash ^ bits);
    hash = hash_fmix64(hash ^ (uint64_t)(uintptr_t)term->context);
    if (term->kind == TERM_OUTPUT)
        hash = hash_fmix64(hash ^ (uint64_t)term->input);
    for (const char *c = term->name ? term->name : ""; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3ULL;
    for (int i = 0; i < term->n_args; i++)
        hash = hash_fmix64(hash ^ (uint64_t)term->args[i]);
    return hash;
}

static void graph_rehash(struct term_graph *graph)
{
    size_t size = graph->table_size ? graph->table_size * 2 : 256;
    free(graph->table);
    graph->table = memory_zero(size, sizeof *graph->table);
    graph->table_size = size;
    for (size_t t = 0; t < graph->terms.count; t++) {
        size_t at = term_hash(&graph->terms.items[t]) & (size - 1);
        while (graph->table[at])
            at = (at + 1) & (size - 1);
        graph->table[at] = (int)t + 1;
    }
}

/* Enters a node unless an equal one exists. */
static int graph_enter(struct term_graph *graph, struct term term)
{
    if (graph->terms.count * 2 >= graph->table_size)
        graph_rehash(graph);
    size_t at = term_hash(&term) & (graph->table_size - 1);
    for (; graph->table[at]; at = (at + 1) & (graph->table_size - 1))
        if (term_equal(&graph->terms.items[graph->table[at] - 1], &term))
            return graph->table[at] - 1;
    if (term.name)
        term.name = arena_strdup(graph->arena, term.name);
    int *args = arena_alloc(graph->arena, (size_t)term.n_args * sizeof *args);
    if (term.n_args)
        memcpy(args, term.args, (size_t)term.n_args * sizeof *args);
    term.args = args;
    VECTOR_PUSH(&graph->terms, term);
    graph->table[at] = (int)graph->terms.count;
    return (int)graph->terms.count - 1;
}

int term_constant(struct term_graph *graph, const char *name, double value, struct dim dim)
{
    return graph_enter(
        graph, (struct term){.kind = TERM_CONSTANT, .name = name, .constant = value, .dim = dim});
}

const char *term_graph_misuse(const struct term_graph *graph)
{
    return graph->misuse;
}

/* Keeps what is wrong with the node `name`, and gives a number in its place. */
__attribute__((format(printf, 3, 4))) static int graph_misuse(struct term_graph *graph,
                                                              const char *name, const char *format,
                                                              ...)
{
    char what[256], text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    snprintf(text, sizeof text, "\"%.200s\": %s", name ? name : "unnamed", what);
    if (!graph->misuse)
        graph->misuse = arena_strdup(graph->arena, text);
    return term_constant(graph, "misuse", (double)NAN, DIM_NONE);
}

static bool all_nodes(const struct term_graph *graph, int n, const int *args)
{
    for (int i = 0; i < n; i++)
        if (args[i] < 0 || args[i] >= term_count(graph))
            return false;
    return true;
}

void term_alias(struct term_graph *graph, const char *key, int term)
{
    VECTOR_PUSH(&graph->aliases, (struct alias){arena_strdup(graph->arena, key), term});
}

int term_input(struct term_graph *graph, const char *key, struct dim dim)
{
    for (size_t i = graph->aliases.count; i-- > 0;)
        if (strcmp(graph->aliases.items[i].key, key) == 0)
            return graph->aliases.items[i].term;
    size_t before = graph->terms.count;
    int term = graph_enter(graph, (struct term){.kind = TERM_INPUT, .name = key, .dim = dim});
    if (graph->terms.count > before) {
        graph->terms.items[term].input = (int)graph->inputs.count;
        VECTOR_PUSH(&graph->inputs, term);
    }
    return term;
}

int term_call(struct term_graph *graph, const char *name, struct dim dim, term_function *function,
              const void *context, int n_args, const int *args)
{
    if (n_args > TERM_ARGS_MAX)
        return graph_misuse(graph, name, "a function of %d arguments; %d at most", n_args,
                            TERM_ARGS_MAX);
    if (!all_nodes(graph, n_args, args))
        return graph_misuse(graph, name, "an argument is no term of the graph");
    return graph_enter(graph, (struct term){.kind = TERM_FUNCTION,
                                            .name = name,
                                            .dim = dim,
                                            .function = function,
                                            .context = context,
                                            .n_args = n_args,
                                            .args = (int *)args});
}

int term_solve(struct term_graph *graph, const char *name, term_solver_function *solver,
               const void *context, int n_args, const int *args, int n_outputs,
               const struct term_result *outputs)
{
    int node = graph_enter(graph, (struct term){.kind = TERM_SOLVER,
                                                .name = name,
                                                .solver = solver,
                                                .context = context,
                                                .n_outputs = n_outputs,
                                                .n_args = n_args,
                                                .args = (int *)args});
    for (int i = 0; i < n_outputs; i++)
        graph_enter(graph, (struct term){.kind = TERM_OUTPUT,
                                         .name = outputs[i].name,
                                         .dim = outputs[i].dim,
                                         .input = i,
                                         .n_args = 1,
                                         .args = &node});
    return node;
}

/* The dimension of an operation on the given terms, by the rules of the
 * expression language. */
static int operation_dim(const struct term_graph *graph, const struct expression *like, int n_args,
                         const int *args, struct dim *out, struct error *error)
{
    struct dim dims[2] = {DIM_NONE, DIM_NONE}, three[3];
    struct expression pair = *like;
    if (like->op == EXPRESSION_IF) {
        for (int i = 0; i < 3; i++)
            three[i] = graph->terms.items[args[i]].dim;
        return expression_dim(like, three, out, error);
    }
    dims[0] = graph->terms.items[args[0]].dim;
    if (n_args == 1 && like->op != EXPRESSION_MULTIPLY) {
        pair.n_args = 1;
        return expression_dim(&pair, dims, out, error);
    }
    *out = dims[0];
    for (int i = 1; i < n_args; i++) { /* n-ary operations fold from the left */
        pair.n_args = 2;
        dims[0] = *out;
        dims[1] = graph->terms.items[args[i]].dim;
        int status = expression_dim(&pair, dims, out, error);
        if (status)
            return status;
    }
    return 0;
}

int term_operation(struct term_graph *graph, enum expression_op op, const char *name, int n_args,
                   const int *args)
{
    struct term term = {
        .kind = TERM_OPERATION, .op = op, .name = name, .n_args = n_args, .args = (int *)args};
    struct expression like = {.op = op, .n_args = n_args};
    struct error error;
    if (n_args < (op == EXPRESSION_IF ? 3 : 1) || !all_nodes(graph, n_args, args))
        return graph_misuse(graph, name ? name : expression_op_symbol(op),
                            "an argument is no term of the graph");
    if (operation_dim(graph, &like, n_args, args, &term.dim, &error))
        return graph_misuse(graph, name ? name : expression_op_symbol(op), "%s", error.text);
    return graph_enter(graph, term);
}

static struct bounds *said_bounds(const struct term_graph *graph, int term)
{
    for (size_t i = 0; i < graph->bounds.count; i++)
        if (graph->bounds.items[i].term == term)
            return &graph->bounds.items[i];
    return NULL;
}

void term_set_bounds(struct term_graph *graph, int term, int low, int high)
{
    VECTOR_PUSH(&graph->bounds, ((struct bounds){term, low, high, low, high}));
}

void term_set_quick_bounds(struct term_graph *graph, int term, int low, int high)
{
    struct bounds *said = said_bounds(graph, term);
    if (!said)
        return;
    said->quick_low = low;
    said->quick_high = high;
}

bool term_said_bounds(const struct term_graph *graph, int term, bool quick, int *low, int *high)
{
    const struct bounds *said = said_bounds(graph, term);
    if (!said)
        return false;
    *low = quick ? said->quick_low : said->low;
    *high = quick ? said->quick_high : said->high;
    return true;
}

int term_resource(struct term_graph *graph, int term, const char *resource)
{
    graph->terms.items[term].resource = resource ? arena_strdup(graph->arena, resource) : NULL;
    return term;
}

int term_compile(struct term_graph *graph, const struct expression *e, term_resolve_fn *resolve,
                 void *context, int *out, struct error *error)
{
    int args[16], status;
    if (e->op == EXPRESSION_NUMBER) {
        *out = term_constant(graph, NULL, e->number, e->dim);
        return 0;
    }
    if (e->op == EXPRESSION_NAME) {
        status = resolve(context, e, out, error);
        if (status)
            error_place(error, &e->mark);
        return status;
    }
    if (e->op == EXPRESSION_INDEX)
        return error_at(error, STATUS_INPUT, &e->mark, "\"%s[...]\": nothing can be indexed here",
                        e->name);
    for (int i = 0; i < e->n_args; i++)
        if ((status = term_compile(graph, e->args[i], resolve, context, &args[i], error)))
            return status;
    struct term term = {.kind = TERM_OPERATION, .op = e->op, .n_args = e->n_args, .args = args};
    if ((status = operation_dim(graph, e, e->n_args, args, &term.dim, error)))
        return status;
    *out = graph_enter(graph, term);
    return 0;
}

/* A solver writes the values of its outputs, which follow it. */
static void evaluate_solver(const struct term *term, double *values, int index)
{
    struct term_operand *args = memory_zero((size_t)term->n_args, sizeof *args);
    double **out = memory_zero((size_t)term->n_outputs, sizeof *out);
    for (int i = 0; i < term->n_args; i++)
        args[i].data = &values[term->args[i]];
    for (int i = 0; i < term->n_outputs; i++)
        out[i] = &values[index + 1 + i];
    term->solver(term->context, 1, args, out);
    values[index] = 0;
    free(args);
    free(out);
}

static void term_evaluate_one(const struct term_graph *graph, const struct term_kernels *kernels,
                              int index, const double *inputs, double *values)
{
    const struct term *term = &graph->terms.items[index];
    double args[TERM_ARGS_MAX], *out = &values[index];
#define OPERAND(i) ((struct term_operand){&values[term->args[i]], 0})
    switch (term->kind) {
    case TERM_CONSTANT:
        *out = term->constant;
        return;
    case TERM_INPUT:
        *out = inputs[term->input];
        return;
    case TERM_FUNCTION:
        for (int i = 0; i < term->n_args; i++)
            args[i] = values[term->args[i]];
        *out = term->function(term->context, args);
        return;
    case TERM_SOLVER:
        evaluate_solver(term, values, index);
        return;
    case TERM_OUTPUT: /* the solver has written it */
        return;
    case TERM_OPERATION:
        break;
    }
    if (term->op == EXPRESSION_IF) {
        kernels->choose(out, OPERAND(0), OPERAND(1), OPERAND(2), 1);
        return;
    }
    double result = values[term->args[0]];
    if (term->n_args == 1 && term->op != EXPRESSION_ADD && term->op != EXPRESSION_MULTIPLY)
        result = expression_apply(term->op, &result, 1);
    for (int i = 1; i < term->n_args; i++) {
        double left = result;
        kernels->binary(term->op, &result, (struct term_operand){&left, 0}, OPERAND(i), 1);
    }
    *out = result;
#undef OPERAND
}

void term_evaluate(const struct term_graph *graph, const double *inputs, double *values)
{
    const struct term_kernels *kernels = term_kernels_get();
    for (size_t t = 0; t < graph->terms.count; t++)
        term_evaluate_one(graph, kernels, (int)t, inputs, values);
}

/* By node; the caller's to free. */
static bool *needed_by(const struct term_graph *graph, const int *nodes, int n_nodes)
{
    bool *needed = memory_zero(graph->terms.count, sizeof *needed);
    for (int i = 0; i < n_nodes; i++)
        needed[nodes[i]] = true;
    for (size_t t = graph->terms.count; t-- > 0;)
        for (int i = 0; needed[t] && i < graph->terms.items[t].n_args; i++)
            needed[graph->terms.items[t].args[i]] = true;
    return needed;
}

bool term_needs_solver(const struct term_graph *graph, const int *nodes, int n_nodes)
{
    bool *needed = needed_by(graph, nodes, n_nodes), found = false;
    for (size_t t = 0; t < graph->terms.count && !found; t++)
        found = needed[t] && graph->terms.items[t].kind == TERM_SOLVER;
    free(needed);
    return found;
}

void term_evaluate_needed(const struct term_graph *graph, const double *inputs, const int *nodes,
                          int n_nodes, double *values)
{
    const struct term_kernels *kernels = term_kernels_get();
    bool *needed = needed_by(graph, nodes, n_nodes);
    for (size_t t = 0; t < graph->terms.count; t++) {
        const struct term *term = &graph->terms.items[t];
        if (needed[t])
            term_evaluate_one(graph, kernels, (int)t, inputs, values);
        else if (term->kind != TERM_OUTPUT || !needed[term->args[0]]) /* else it is written */
            values[t] = (double)NAN;
    }
    free(needed);
}

void term_evaluate_scaled(const struct term_graph *graph, const double *values,
                          const char *resource, double factor, double *scaled)
{
    const struct term_kernels *kernels = term_kernels_get();
    bool *reached = memory_zero(graph->terms.count, sizeof *reached);
    for (size_t t = 0; t < graph->terms.count; t++) {
        const struct term *term = &graph->terms.items[t];
        for (int i = 0; i < term->n_args; i++)
            reached[t] |= reached[term->args[i]];
        if (reached[t]) {
            term_evaluate_one(graph, kernels, (int)t, NULL, scaled);
            continue;
        }
        reached[t] = term->resource && strcmp(term->resource, resource) == 0;
        scaled[t] = reached[t] ? factor * values[t] : values[t];
    }
    free(reached);
}

int term_binding(const struct term_graph *graph, int index, const double *values)
{
    const struct term *term = &graph->terms.items[index];
    if (term->kind != TERM_OPERATION || (term->op != EXPRESSION_MIN && term->op != EXPRESSION_MAX))
        return -1;
    for (int i = 0; i < term->n_args; i++)
        if (values[term->args[i]] == values[index])
            return term->args[i];
    return -1;
}

const char *term_limit(const struct term_graph *graph, int index, const double *values)
{
    const struct term *term = &graph->terms.items[index];
    if (term->resource)
        return term->resource;
    if (term->kind != TERM_OPERATION)
        return NULL;
    if (term->op == EXPRESSION_MIN || term->op == EXPRESSION_MAX) {
        int binding = term_binding(graph, index, values);
        return binding < 0 ? NULL : term_limit(graph, binding, values);
    }
    if (term->op == EXPRESSION_IF)
        return term_limit(graph, term->args[values[term->args[0]] != 0 ? 1 : 2], values);
    /* What could grow is limited by its minimum: B_hit + min(B_miss, B_mem). */
    for (int i = 0; i < term->n_args; i++) {
        const struct term *arg = &graph->terms.items[term->args[i]];
        if (arg->kind == TERM_OPERATION && arg->op == EXPRESSION_MIN)
            return term_limit(graph, term->args[i], values);
    }
    for (int i = 0; i < term->n_args; i++) {
        const char *limit = term_limit(graph, term->args[i], values);
        if (limit)
            return limit;
    }
    return NULL;
}

const char *term_next_limit(const struct term_graph *graph, int index, const double *values,
                            double *value)
{
    const struct term *term = &graph->terms.items[index];
    const char *limit = term_limit(graph, index, values), *next = NULL;
    if (!limit || term->resource || term->kind != TERM_OPERATION)
        return NULL;
    if (term->op == EXPRESSION_IF)
        return term_next_limit(graph, term->args[values[term->args[0]] != 0 ? 1 : 2], values,
                               value);
    if (term->op != EXPRESSION_MIN && term->op != EXPRESSION_MAX)
        return NULL;
    for (int i = 0; i < term->n_args; i++) {
        double here = values[term->args[i]];
        const char *name = term_limit(graph, term->args[i], values);
        if (!name || strcmp(name, limit) == 0 || !isfinite(here))
            continue;
        if (!next || (term->op == EXPRESSION_MIN ? here < *value : here > *value)) {
            next = name;
            *value = here;
        }
    }
    return next ? next : term_next_limit(graph, term_binding(graph, index, values), values, value);
}
