/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interval arithmetic on term graphs. */
#include "core/term_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

/* What log2 and pow may be off, many times over. */
static const double WIDER = 1e-12;

struct bounding {
    struct term_graph *g;
    bool quick;
    bool *solved; /* by term: hangs on a solver */
    struct term_ends *ends;
};

static int constant_of(const struct bounding *b, double value, int like)
{
    return term_constant(b->g, NULL, value, term_get(b->g, like)->dim);
}

static int choose(const struct bounding *b, int condition, int yes, int no)
{
    return term_operation(b->g, EXPRESSION_IF, NULL, 3, (int[]){condition, yes, no});
}

static int pair(const struct bounding *b, enum expression_op op, int x, int y)
{
    return x < 0 || y < 0 ? -1 : term_operation(b->g, op, NULL, 2, (int[]){x, y});
}

static int is_at_least(const struct bounding *b, enum expression_op op, int term)
{
    return pair(b, op, term, constant_of(b, 0, term));
}

/* An end that became no number (0 * inf) is none: minima and maxima would pass it over. */
static int end_or(const struct bounding *b, int end, double none)
{
    if (end < 0)
        return -1;
    return choose(b, pair(b, EXPRESSION_EQUAL, end, end), end, constant_of(b, none, end));
}

static bool is_exact(struct term_ends e)
{
    return e.low >= 0 && e.low == e.high;
}

/* Where the condition holds; elsewhere there is no end. Of what is unknown anyhow: nothing. */
static struct term_ends where(const struct bounding *b, int condition, struct term_ends e)
{
    if (e.low >= 0)
        e.low = choose(b, condition, e.low, constant_of(b, -HUGE_VAL, e.low));
    if (e.high >= 0)
        e.high = choose(b, condition, e.high, constant_of(b, HUGE_VAL, e.high));
    return e;
}

/* Of factors that are not negative. */
static struct term_ends multiply(const struct bounding *b, struct term_ends x, struct term_ends y)
{
    if (x.low < 0 || y.low < 0) {
        /* an exact factor and a high end alone */
        struct term_ends exact = is_exact(x) ? x : y, other = is_exact(x) ? y : x;
        struct term_ends e = {-1, pair(b, EXPRESSION_MULTIPLY, exact.high, other.high)};
        return is_exact(exact) ? where(b, is_at_least(b, EXPRESSION_GREATER_EQUAL, exact.low), e)
                               : (struct term_ends){-1, -1};
    }
    struct term_ends e = {pair(b, EXPRESSION_MULTIPLY, x.low, y.low),
                          pair(b, EXPRESSION_MULTIPLY, x.high, y.high)};
    if (is_exact(x) && is_exact(y))
        return e;
    int right = pair(b, EXPRESSION_AND, is_at_least(b, EXPRESSION_GREATER_EQUAL, x.low),
                     is_at_least(b, EXPRESSION_GREATER_EQUAL, y.low));
    if (is_exact(x) || is_exact(y)) /* the other's ends may have any sign */
        right = is_at_least(b, EXPRESSION_GREATER_EQUAL, is_exact(x) ? x.low : y.low);
    return where(b, right, e);
}

static bool is_zero(const struct bounding *b, int term)
{
    const struct term *t = term_get(b->g, term);
    return t->kind == TERM_CONSTANT && !(t->constant > 0);
}

/* By what is positive; of what is not negative, unless the divisor is exact. */
static struct term_ends divide(const struct bounding *b, struct term_ends x, struct term_ends y)
{
    struct term_ends e = {pair(b, EXPRESSION_DIVIDE, x.low, y.high), -1};
    if (is_exact(x) && is_exact(y))
        return (struct term_ends){e.low, e.low};
    if (is_exact(y)) {
        e.high = pair(b, EXPRESSION_DIVIDE, x.high, y.low);
        return where(b, is_at_least(b, EXPRESSION_GREATER, y.low), e);
    }
    if (x.low < 0 || y.low < 0)
        return (struct term_ends){-1, -1};
    int right = pair(b, EXPRESSION_AND, is_at_least(b, EXPRESSION_GREATER_EQUAL, x.low),
                     is_at_least(b, EXPRESSION_GREATER_EQUAL, y.low));
    e = where(b, right, e);
    if (!is_zero(b, y.low)) {
        struct term_ends more = {-1, pair(b, EXPRESSION_DIVIDE, x.high, y.low)};
        if (y.high < 0) /* however large the divisor is; one of -0 would turn the sign */
            more.low =
                pair(b, EXPRESSION_DIVIDE, constant_of(b, 0, x.low), constant_of(b, 1, y.low));
        right = pair(b, EXPRESSION_AND, is_at_least(b, EXPRESSION_GREATER_EQUAL, x.low),
                     is_at_least(b, EXPRESSION_GREATER, y.low));
        more = where(b, right, more);
        e.low = y.high < 0 ? more.low : e.low;
        e.high = more.high;
    }
    return e;
}

/* From the left, as batches do it. */
static struct term_ends fold(const struct bounding *b, const struct term *t)
{
    struct term_ends e = b->ends[t->args[0]];
    for (int i = 1; i < t->n_args; i++) {
        struct term_ends x = b->ends[t->args[i]];
        switch (t->op) {
        case EXPRESSION_MULTIPLY:
            e = multiply(b, e, x);
            break;
        case EXPRESSION_DIVIDE:
            e = divide(b, e, x);
            break;
        case EXPRESSION_ADD:
            e = (struct term_ends){pair(b, EXPRESSION_ADD, e.low, x.low),
                                   pair(b, EXPRESSION_ADD, e.high, x.high)};
            break;
        case EXPRESSION_SUBTRACT:
            e = (struct term_ends){pair(b, EXPRESSION_SUBTRACT, e.low, x.high),
                                   pair(b, EXPRESSION_SUBTRACT, e.high, x.low)};
            break;
        case EXPRESSION_MIN: /* passes over a later argument that is no number */
            e = (struct term_ends){
                pair(b, EXPRESSION_MIN, end_or(b, e.low, -HUGE_VAL), end_or(b, x.low, -HUGE_VAL)),
                is_exact(x) ? pair(b, EXPRESSION_MIN, e.high, x.high) : e.high};
            break;
        default: /* EXPRESSION_MAX, the same */
            e = (struct term_ends){
                is_exact(x) ? pair(b, EXPRESSION_MAX, e.low, x.low) : e.low,
                pair(b, EXPRESSION_MAX, end_or(b, e.high, HUGE_VAL), end_or(b, x.high, HUGE_VAL))};
        }
    }
    return e;
}

/* end +- WIDER (1 + |end|) */
static int widen(const struct bounding *b, int end, double sign)
{
    if (end < 0)
        return -1;
    int size = term_operation(b->g, EXPRESSION_ABS, NULL, 1, &end);
    int more = pair(b, EXPRESSION_ADD, size, constant_of(b, 1, end));
    more = pair(b, EXPRESSION_MULTIPLY, more, term_constant(b->g, NULL, sign * WIDER, DIM_NONE));
    return pair(b, EXPRESSION_ADD, end, more);
}

static struct term_ends monotone(const struct bounding *b, const struct term *t)
{
    struct term_ends x = b->ends[t->args[0]], e = {-1, -1};
    if (x.low >= 0)
        e.low = term_operation(b->g, t->op, NULL, 1, &x.low);
    if (x.high >= 0)
        e.high = term_operation(b->g, t->op, NULL, 1, &x.high);
    if (t->op == EXPRESSION_LOG2)
        e = (struct term_ends){widen(b, e.low, -1), widen(b, e.high, 1)};
    return e;
}

/* A constant above 1 to the power of what lies between two ends. */
static struct term_ends power(const struct bounding *b, const struct term *t)
{
    struct term_ends x = b->ends[t->args[1]];
    const struct term *base = term_get(b->g, t->args[0]);
    if (t->n_args != 2 || base->kind != TERM_CONSTANT || !(base->constant > 1))
        return (struct term_ends){-1, -1};
    int one = t->args[0];
    struct term_ends e = {pair(b, EXPRESSION_POWER, one, x.low),
                          pair(b, EXPRESSION_POWER, one, x.high)};
    int less = term_constant(b->g, NULL, 1 - WIDER, DIM_NONE),
        more = term_constant(b->g, NULL, 1 + WIDER, DIM_NONE);
    return (struct term_ends){pair(b, EXPRESSION_MULTIPLY, e.low, less),
                              pair(b, EXPRESSION_MULTIPLY, e.high, more)};
}

static struct term_ends either(const struct bounding *b, const struct term *t)
{
    struct term_ends yes = b->ends[t->args[1]], no = b->ends[t->args[2]], e = {-1, -1};
    if (yes.low >= 0 && no.low >= 0)
        e.low = b->solved[t->args[0]] ? pair(b, EXPRESSION_MIN, end_or(b, yes.low, -HUGE_VAL),
                                             end_or(b, no.low, -HUGE_VAL))
                                      : choose(b, t->args[0], yes.low, no.low);
    if (yes.high >= 0 && no.high >= 0)
        e.high = b->solved[t->args[0]] ? pair(b, EXPRESSION_MAX, end_or(b, yes.high, HUGE_VAL),
                                              end_or(b, no.high, HUGE_VAL))
                                       : choose(b, t->args[0], yes.high, no.high);
    return e;
}

static struct term_ends operation(const struct bounding *b, const struct term *t)
{
    struct term_ends x = b->ends[t->args[0]], e = {-1, -1};
    switch (t->op) {
    case EXPRESSION_ADD:
    case EXPRESSION_SUBTRACT:
    case EXPRESSION_MULTIPLY:
    case EXPRESSION_DIVIDE:
    case EXPRESSION_MIN:
    case EXPRESSION_MAX:
        return fold(b, t);
    case EXPRESSION_NEGATE:
        e.low = x.high < 0 ? -1 : term_operation(b->g, t->op, NULL, 1, &x.high);
        e.high = x.low < 0 ? -1 : term_operation(b->g, t->op, NULL, 1, &x.low);
        return e;
    case EXPRESSION_CEIL:
    case EXPRESSION_FLOOR:
    case EXPRESSION_SQRT:
    case EXPRESSION_LOG2:
        return monotone(b, t);
    case EXPRESSION_POWER:
        return power(b, t);
    case EXPRESSION_IF:
        return either(b, t);
    default: /* nobody asked yet how far these go */
        return e;
    }
}

/* Nodes that are made on the way may move the graph's. */
static struct term_ends ends_of(struct bounding *b, int term)
{
    struct term t = *term_get(b->g, term);
    struct term_ends said;
    if (!b->solved[term])
        return (struct term_ends){term, term};
    if (term_said_bounds(b->g, term, b->quick, &said.low, &said.high)) {
        if (said.low == said.high && said.low >= 0) /* still no exact one: it may not settle */
            said.high = term_operation(b->g, EXPRESSION_ADD, NULL, 1, &said.low);
        return said;
    }
    return t.kind == TERM_OPERATION ? operation(b, &t) : (struct term_ends){-1, -1};
}

static struct term_ends find_bounds(struct term_graph *graph, int term, bool quick)
{
    size_t count = (size_t)term + 1;
    struct bounding b = {.g = graph,
                         .quick = quick,
                         .solved = memory_zero(count, sizeof *b.solved),
                         .ends = memory_zero(count, sizeof *b.ends)};
    bool *needed = memory_zero(count, sizeof *needed);
    int low, high;
    needed[term] = true;
    for (int t = term; t >= 0; t--) /* behind what was said nobody looks */
        for (int i = 0; needed[t] && !term_said_bounds(graph, t, quick, &low, &high) &&
                        i < term_get(graph, t)->n_args;
             i++)
            needed[term_get(graph, t)->args[i]] = true;
    for (int t = 0; t <= term; t++) {
        if (!needed[t])
            continue;
        b.solved[t] = term_get(graph, t)->kind == TERM_SOLVER ||
                      term_said_bounds(graph, t, quick, &low, &high);
        for (int i = 0; i < term_get(graph, t)->n_args; i++)
            b.solved[t] = b.solved[t] || b.solved[term_get(graph, t)->args[i]];
        b.ends[t] = ends_of(&b, t);
    }
    struct term_ends ends = b.ends[term];
    free(needed);
    free(b.solved);
    free(b.ends);
    return ends;
}

struct term_ends term_bounds(struct term_graph *graph, int term)
{
    return find_bounds(graph, term, false);
}

struct term_ends term_quick_bounds(struct term_graph *graph, int term)
{
    return find_bounds(graph, term, true);
}
