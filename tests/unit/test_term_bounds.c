/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends of terms that hang on a solver: random expressions over a number that a solver gives lie
 * between the ends that follow from the number's. */
#include "check.h"

#include "core/term_bounds.h"

enum { SIZE = 40 };

/* Passes its argument on. */
static void pass_on(const void *context, int n, const struct term_operand *args, double *const *out)
{
    (void)context;
    for (int i = 0; i < n && out[0]; i++)
        out[0][i] = args[0].data[args[0].step ? i : 0];
}

static int solved(struct term_graph *g, int truth, int low, int high)
{
    struct term_result result = {"solved", DIM_NONE};
    int node = term_solve(g, "solver", pass_on, NULL, 1, &truth, 1, &result) + 1;
    term_set_bounds(g, node, low, high);
    return node;
}

static double at(const struct term_graph *g, const double *inputs, int term)
{
    double *values = calloc((size_t)term_count(g), sizeof *values);
    term_evaluate(g, inputs, values);
    double value = values[term];
    free(values);
    return value;
}

static const enum expression_op many[] = {EXPRESSION_ADD,      EXPRESSION_SUBTRACT,
                                          EXPRESSION_MULTIPLY, EXPRESSION_DIVIDE,
                                          EXPRESSION_MIN,      EXPRESSION_MAX};
static const enum expression_op single[] = {EXPRESSION_NEGATE, EXPRESSION_FLOOR, EXPRESSION_CEIL,
                                            EXPRESSION_SQRT,   EXPRESSION_LOG2,  EXPRESSION_ABS};

static int random_term(struct term_graph *g, const int *terms, int n, uint64_t *seed)
{
    int args[3];
    for (int i = 0; i < 3; i++)
        args[i] = terms[check_random(seed) % (uint64_t)n];
    uint64_t which = check_random(seed) % 16;
    if (which < 10)
        return term_operation(g, many[check_random(seed) % 6], NULL, 2 + (int)(which % 2), args);
    if (which < 13)
        return term_operation(g, single[check_random(seed) % 6], NULL, 1, args);
    if (which == 13)
        return term_operation(g, EXPRESSION_IF, NULL, 3, args);
    if (which == 14)
        return term_operation(g, EXPRESSION_LESS, NULL, 2, args);
    args[0] = term_constant(g, NULL, 2, DIM_NONE);
    return term_operation(g, EXPRESSION_POWER, NULL, 2, args);
}

static double end_at(const struct term_graph *g, const double *inputs, int end, double none)
{
    return end < 0 ? none : at(g, inputs, end);
}

/* Three numbers from 0 to 10, and more often below 1, each a solver's, with ends, one of them
 * without a high one, and three that need none; one of these may be negative. */
TEST(random_expressions)
{
    uint64_t seed = 41;
    int known = 0, narrow = 0, wider = 0, rounds = check_rounds(2000, 100000);
    for (int round = 0; round < rounds; round++) {
        struct term_graph *g = term_graph_create();
        double inputs[12];
        int terms[SIZE], n = 0;
        for (int i = 0; i < 12; i++) {
            char key[16];
            snprintf(key, sizeof key, "i%d", i);
            inputs[i] = floor(8 * pow(check_uniform(&seed), 2)) * 1.25;
            terms[i] = term_input(g, key, DIM_NONE);
        }
        for (int i = 0; i < 3; i++) { /* truth, low, high */
            inputs[3 * i + 1] = fmax(0, inputs[3 * i] - inputs[3 * i + 1]);
            inputs[3 * i + 2] += inputs[3 * i];
            terms[n++] = solved(g, terms[3 * i], terms[3 * i + 1], i == 2 ? -1 : terms[3 * i + 2]);
            if (i == 0) { /* quickly: from 0 to twice the high end */
                int twice = term_sum(g, NULL, terms[2], terms[2]);
                term_set_quick_bounds(g, terms[n - 1], term_constant(g, NULL, 0, DIM_NONE), twice);
            }
        }
        inputs[11] = check_random(&seed) % 4 ? inputs[11] : -inputs[11];
        for (int i = 9; i < 12; i++)
            terms[n++] = terms[i];
        while (n < 12)
            terms[n] = random_term(g, terms, n, &seed), n++;
        int term = terms[n - 1];
        struct term_ends ends = term_bounds(g, term), quick = term_quick_bounds(g, term);
        assert_null(term_graph_misuse(g));
        double value = at(g, inputs, term);
        double low = end_at(g, inputs, ends.low, -HUGE_VAL);
        double high = end_at(g, inputs, ends.high, HUGE_VAL);
        double least = end_at(g, inputs, quick.low, -HUGE_VAL);
        double most = end_at(g, inputs, quick.high, HUGE_VAL);
        if (!isnan(value) && (value < low || value > high || value < least || value > most))
            fail_msg("round %d: %.17g, not between %.17g and %.17g, quickly %.17g and %.17g", round,
                     value, low, high, least, most);
        wider += most > high;
        known += ends.low >= 0 && ends.high >= 0;
        narrow += isfinite(value) && high - low < 100;
        term_graph_destroy(g);
    }
    assert_true(known > rounds / 4 && narrow > rounds / 4 && wider > rounds / 20);
}

/* Arguments of a sum may be many: launches of a workload. */
TEST(a_long_sum)
{
    enum { MANY = 1000 };
    struct term_graph *g = term_graph_create();
    double inputs[] = {3, 2, 5};
    int ends[3], args[MANY];
    for (int i = 0; i < 3; i++) {
        char key[16];
        snprintf(key, sizeof key, "i%d", i);
        ends[i] = term_input(g, key, DIM_NONE);
    }
    for (int i = 0; i < MANY; i++)
        args[i] = i % 2 ? ends[0] : solved(g, ends[0], ends[1], ends[2]);
    struct term_ends sum = term_bounds(g, term_operation(g, EXPRESSION_ADD, NULL, MANY, args));
    assert_true(sum.low >= 0 && sum.high >= 0);
    assert_true(at(g, inputs, sum.low) == MANY / 2 * (3 + 2));
    assert_true(at(g, inputs, sum.high) == MANY / 2 * (3 + 5));
    term_graph_destroy(g);
}

/* Nothing quicker was said: what was. */
TEST(ends_that_are_quick_themselves)
{
    struct term_graph *g = term_graph_create();
    int x = term_input(g, "x", DIM_NONE), low = term_input(g, "low", DIM_NONE);
    int y = solved(g, x, low, x);
    struct term_ends close = term_bounds(g, y), quick = term_quick_bounds(g, y);
    assert_int_equal(close.low, low);
    assert_int_equal(close.high, x);
    assert_memory_equal(&close, &quick, sizeof quick);
    term_graph_destroy(g);
}

/* What a number that is none says nothing of, however it is hidden. */
TEST(no_numbers)
{
    struct term_graph *g = term_graph_create();
    double inputs[3] = {5, (double)NAN, (double)NAN};
    int x = term_input(g, "x", DIM_NONE), lost = term_input(g, "lost", DIM_NONE);
    int y = solved(g, x, lost, lost), seven = term_constant(g, NULL, 7, DIM_NONE);
    struct term_ends least = term_bounds(g, term_min(g, NULL, seven, y));
    struct term_ends most =
        term_bounds(g, term_max(g, NULL, term_constant(g, NULL, 3, DIM_NONE), y));
    assert_false(at(g, inputs, least.low) > 5);
    assert_false(at(g, inputs, least.high) < 5);
    assert_false(at(g, inputs, most.low) > 5);
    assert_false(at(g, inputs, most.high) < 5);
    /* a solver that did not settle: the minimum of 7 and what is no number is 7 */
    int one = term_constant(g, NULL, 1, DIM_NONE);
    int unsettled = solved(g, lost, one, one);
    least = term_bounds(g, term_min(g, NULL, seven, unsettled));
    assert_false(at(g, inputs, least.high) < 7);
    term_graph_destroy(g);
}
