/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/sweep/lazy.h"

#include <stdio.h>
#include <stdlib.h>

enum { NONE = -1 };

struct making {
    const struct space *space;
    const struct structure *structure;
    struct lazy *lazy;
    bool *solved;     /* by term of the structure: hangs on a solver */
    size_t *workload; /* 1 + that of which it is a metric; 0: it is none */
    int *answer;      /* the same in the formulas; NONE: not yet */
};

enum pareto_sense lazy_sense(const struct space *space, size_t output)
{
    return output ? space->objectives[output - 1].sense : space->rank_sense;
}

static void mark_terms(struct making *m)
{
    const struct structure *s = m->structure;
    size_t models = m->space->n_models;
    for (int t = 0; t < term_count(s->graph); t++) {
        const struct term *term = term_get(s->graph, t);
        m->solved[t] = term->kind == TERM_SOLVER;
        for (int i = 0; i < term->n_args; i++)
            m->solved[t] = m->solved[t] || m->solved[term->args[i]];
        m->answer[t] = NONE;
    }
    for (size_t i = m->space->n_workloads * models; i-- > 0;)
        for (int k = 0; k < s->results[i].n_metrics; k++)
            m->workload[s->results[i].metrics[k].term] = 1 + i / models;
}

static int add_input(struct making *m, size_t leaf, const char *what, struct dim dim)
{
    char key[64];
    snprintf(key, sizeof key, "%s %zu", what, leaf);
    return term_input(m->lazy->graph, key, dim);
}

/* Leaves of one workload are solved together, and so are those of none. */
static void make_leaf(struct making *m, int t)
{
    struct term_graph *from = m->structure->graph;
    struct dim dim = term_get(from, t)->dim;
    size_t leaf = m->lazy->leaves.count;
    struct lazy_leaf made = {.term = t, .solved = m->solved[t], .quick = {t, t}, .close = {t, t}};
    m->answer[t] = add_input(m, leaf, "answer", dim);
    made.input = term_get(m->lazy->graph, m->answer[t])->input;
    if (made.solved) {
        int low = add_input(m, leaf, "least", dim), high = add_input(m, leaf, "most", dim);
        made.quick = term_quick_bounds(from, t);
        made.close = term_bounds(from, t);
        made.group = m->workload[t];
        made.low = term_get(m->lazy->graph, low)->input;
        made.high = term_get(m->lazy->graph, high)->input;
        term_set_bounds(m->lazy->graph, m->answer[t], low, high);
    }
    VECTOR_PUSH(&m->lazy->leaves, made);
}

/* A term in the formulas: operations down to metrics of workloads, and to what takes no solver. */
static int make_term(struct making *m, int t)
{
    const struct term *term = term_get(m->structure->graph, t);
    if (m->answer[t] != NONE)
        return m->answer[t];
    if (term->kind == TERM_CONSTANT) {
        m->answer[t] = term_constant(m->lazy->graph, NULL, term->constant, term->dim);
    } else if (m->solved[t] && !m->workload[t] && term->kind == TERM_OPERATION) {
        enum expression_op op = term->op;
        int n = term->n_args, *args = memory_alloc((size_t)n * sizeof *args);
        for (int i = 0; i < n; i++)
            args[i] = make_term(m, term->args[i]);
        m->answer[t] = term_operation(m->lazy->graph, op, NULL, n, args);
        free(args);
    } else {
        make_leaf(m, t);
    }
    return m->answer[t];
}

/* Groups by number, from those of workloads; how many solvers each has behind it. */
static void number_groups(struct making *m)
{
    struct lazy *lazy = m->lazy;
    int n = term_count(m->structure->graph);
    bool *needed = memory_alloc((size_t)n * sizeof *needed);
    size_t *numbers = memory_zero(m->space->n_workloads + 1, sizeof *numbers);
    lazy->networks = memory_zero(m->space->n_workloads + 1, sizeof *lazy->networks);
    for (size_t i = 0; i < lazy->leaves.count; i++) {
        struct lazy_leaf *leaf = &lazy->leaves.items[i];
        if (leaf->solved && !numbers[leaf->group])
            numbers[leaf->group] = ++lazy->groups;
        leaf->group = leaf->solved ? numbers[leaf->group] - 1 : 0;
    }
    for (size_t g = 0; g < lazy->groups; g++) {
        for (int t = 0; t < n; t++)
            needed[t] = false;
        for (size_t i = 0; i < lazy->leaves.count; i++)
            if (lazy->leaves.items[i].solved && lazy->leaves.items[i].group == g)
                needed[lazy->leaves.items[i].term] = true;
        for (int t = n; t-- > 0;) {
            const struct term *term = term_get(m->structure->graph, t);
            lazy->networks[g] += needed[t] && term->kind == TERM_SOLVER;
            for (int i = 0; i < term->n_args && needed[t]; i++)
                needed[term->args[i]] = true;
        }
    }
    free(needed);
    free(numbers);
}

struct lazy *lazy_create(const struct sweep *sweep, const struct structure *s)
{
    struct lazy *lazy = memory_zero(1, sizeof *lazy);
    size_t n = (size_t)term_count(s->graph);
    struct making m = {.space = sweep->space,
                       .structure = s,
                       .lazy = lazy,
                       .solved = memory_zero(n, sizeof *m.solved),
                       .workload = memory_zero(n, sizeof *m.workload),
                       .answer = memory_zero(n, sizeof *m.answer)};
    lazy->graph = term_graph_create();
    lazy->outputs = 1 + sweep->space->n_objectives;
    mark_terms(&m);
    for (size_t o = 0; o < lazy->outputs; o++)
        lazy->answers[o] = make_term(&m, o ? s->objectives[o - 1] : s->rank);
    for (size_t o = 0; o < lazy->outputs; o++) {
        struct term_ends ends = term_bounds(lazy->graph, lazy->answers[o]);
        lazy->best_ends[o] = lazy_sense(sweep->space, o) == PARETO_MAXIMISE ? ends.high : ends.low;
    }
    number_groups(&m);
    free(m.solved);
    free(m.workload);
    free(m.answer);
    return lazy;
}

void lazy_destroy(struct lazy *lazy)
{
    if (!lazy)
        return;
    term_graph_destroy(lazy->graph);
    VECTOR_FREE(&lazy->leaves);
    free(lazy->networks);
    free(lazy);
}
