/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Term graphs: values, binding terms, and batches that equal single points bit
 * for bit for every rate, operation and instruction set. */
#include "check.h"

#include <float.h>

#include "core/term.h"
#include "core/term_kernels.h"

TEST(values_and_binding_terms)
{
    struct term_graph *g = term_graph_create();
    double inputs[2] = {3, 5}, *values;
    int a = term_input(g, "a", DIM_BYTES), b = term_input(g, "b", DIM_BYTES);
    int half = term_constant(g, NULL, 0.5, DIM_NONE);
    int slow = term_resource(g, term_product(g, "slow", b, half), "memory");
    int fast = term_resource(g, term_sum(g, "fast", a, b), "noc");
    int limit = term_min(g, "limit", fast, slow);
    int total = term_sum(g, "total", a, limit);
    assert_int_equal(term_input(g, "a", DIM_BYTES), a);      /* inputs are unique */
    assert_int_equal(term_sum(g, "total", a, limit), total); /* equal nodes are shared */
    assert_int_not_equal(term_sum(g, "other", a, limit), total);
    values = calloc((size_t)term_count(g), sizeof *values);
    term_evaluate(g, inputs, values);
    check_relative(values[total], 5.5, 0);
    assert_int_equal(term_binding(g, limit, values), slow);
    assert_string_equal(term_limit(g, total, values), "memory");
    double next = 0;
    assert_string_equal(term_next_limit(g, limit, values, &next), "noc");
    check_relative(next, 8, 0);
    assert_null(term_next_limit(g, slow, values, &next));
    inputs[1] = 100;
    term_evaluate(g, inputs, values);
    assert_int_equal(term_binding(g, limit, values), slow);
    inputs[0] = -99;
    term_evaluate(g, inputs, values);
    assert_string_equal(term_limit(g, total, values), "noc");
    free(values);
    term_graph_destroy(g);
}

/* What depends on it follows; a limit that is made of another one of the resource is moved once. */
TEST(resources_with_more_of_them)
{
    struct term_graph *g = term_graph_create();
    double inputs[2] = {3, 5}, values[16], scaled[16];
    int a = term_input(g, "a", DIM_BYTES), b = term_input(g, "b", DIM_BYTES);
    int half = term_constant(g, NULL, 0.5, DIM_NONE);
    int raw = term_resource(g, term_sum(g, "raw", a, a), "memory");            /* 6 */
    int slow = term_resource(g, term_product(g, "slow", raw, half), "memory"); /* 3 */
    int fast = term_resource(g, term_sum(g, "fast", a, b), "noc");             /* 8 */
    int limit = term_min(g, "limit", fast, slow), total = term_sum(g, "total", b, limit);
    assert_true(term_count(g) <= 16);
    term_evaluate(g, inputs, values);
    check_relative(values[total], 8, 0);
    term_evaluate_scaled(g, values, "memory", 2, scaled);
    check_relative(scaled[raw], 12, 0);
    check_relative(scaled[slow], 6, 0);
    check_relative(scaled[fast], 8, 0);
    check_relative(scaled[total], 11, 0);
    term_evaluate_scaled(g, values, "memory", 1e9, scaled);
    check_relative(scaled[total], 13, 0);
    assert_string_equal(term_limit(g, total, scaled), "noc");
    term_evaluate_scaled(g, values, "links", 2, scaled);
    assert_memory_equal(scaled, values, (size_t)term_count(g) * sizeof *values);
    term_graph_destroy(g);
}

static double cube(const void *context, const double *args)
{
    return args[0] * args[0] * args[0] + *(const double *)context;
}

/* Three results of any number of arguments; the second one is not its last argument's alone. */
static void three(const void *context, int n, const struct term_operand *args, double *const *out)
{
    for (int k = 0; k < n; k++) {
        double x = args[0].data[args[0].step ? k : 0], y = args[1].data[args[1].step ? k : 0];
        if (out[0])
            out[0][k] = x + *(const double *)context;
        if (out[1])
            out[1][k] = x * y;
        if (out[2])
            out[2][k] = args[2].data[args[2].step ? k : 0] - y;
    }
}

static const struct term_result three_results[] = {
    {"x", {0, 0, 0, 0}}, {"y", {0, 0, 0, 0}}, {"z", {0, 0, 0, 0}}};

/* A random graph over `n_inputs` plain inputs. */
static void random_graph(struct term_graph *g, uint64_t *seed, int n_inputs, int n_nodes,
                         const double *context)
{
    static const enum expression_op ops[] = {
        EXPRESSION_ADD,   EXPRESSION_SUBTRACT,  EXPRESSION_MULTIPLY, EXPRESSION_DIVIDE,
        EXPRESSION_MIN,   EXPRESSION_MAX,       EXPRESSION_LESS,     EXPRESSION_LESS_EQUAL,
        EXPRESSION_EQUAL, EXPRESSION_NOT_EQUAL, EXPRESSION_GREATER,  EXPRESSION_GREATER_EQUAL,
        EXPRESSION_AND,   EXPRESSION_OR,        EXPRESSION_MODULO,   EXPRESSION_POWER};
    static const enum expression_op unary[] = {EXPRESSION_NEGATE, EXPRESSION_CEIL, EXPRESSION_FLOOR,
                                               EXPRESSION_ABS,    EXPRESSION_SQRT, EXPRESSION_LOG2,
                                               EXPRESSION_NOT};
    for (int i = 0; i < n_inputs; i++) {
        char name[16];
        snprintf(name, sizeof name, "i%d", i);
        term_input(g, name, DIM_NONE);
    }
    term_constant(g, NULL, 2.25, DIM_NONE);
    for (int i = 0; i < n_nodes; i++) {
        uint64_t r = check_random(seed);
        int args[5], n = (int)(2 + r / 7 % 3);
        for (int k = 0; k < 5; k++)
            args[k] = (int)(check_random(seed) % (uint64_t)term_count(g));
        for (int k = 0; k < 5; k++) /* a solver is no number, its results are */
            args[k] += term_get(g, args[k])->kind == TERM_SOLVER;
        switch (r % 9) {
        case 8:
            term_solve(g, "three", three, context, 3, args, 3, three_results);
            break;
        case 0:
            term_operation(g, EXPRESSION_IF, NULL, 3, args);
            break;
        case 1:
            term_operation(g, unary[r / 64 % 7], NULL, 1, args);
            break;
        case 2:
            term_call(g, NULL, DIM_NONE, cube, context, 1, args);
            break;
        default: {
            enum expression_op op = ops[r / 64 % 16];
            bool many = op == EXPRESSION_ADD || op == EXPRESSION_MULTIPLY || op == EXPRESSION_MIN ||
                        op == EXPRESSION_MAX;
            term_operation(g, op, NULL, many ? n : 2, args);
        }
        }
    }
}

enum { INPUTS = 6, WIDTH = 37 };

/* inputs by rate: 0 sweep, 1 block, 2, 3 column, 4, 5 point */
static double input_value(int input, int block, int k)
{
    static const enum term_rate rates[INPUTS] = {TERM_SWEEP,  TERM_BLOCK, TERM_COLUMN,
                                                 TERM_COLUMN, TERM_POINT, TERM_POINT};
    uint64_t seed = (uint64_t)input * 1000003;
    if (rates[input] & TERM_BLOCK)
        seed += (uint64_t)(block + 1) * 7919;
    if (rates[input] & TERM_COLUMN)
        seed += (uint64_t)(k + 1) * 104729;
    return floor(check_uniform(&seed) * 16 - 4) / 4; /* few values: ties happen */
}

static void check_blocks(const struct term_graph *g, struct term_state *state, int n_outputs,
                         const int *outputs)
{
    double inputs[INPUTS], columns[INPUTS][WIDTH];
    double *values = calloc((size_t)term_count(g), sizeof *values);
    for (int i = 2; i < INPUTS; i++)
        for (int k = 0; k < WIDTH; k++)
            columns[i][k] = input_value(i, 0, k);
    term_state_scalar(state, 0, input_value(0, 0, 0));
    for (int i = 2; i < INPUTS; i++)
        term_state_column(state, i, columns[i]);
    term_state_begin(state);
    for (int block = 0; block < 4; block++) {
        int n = block == 3 ? WIDTH - 9 : WIDTH;
        term_state_scalar(state, 1, input_value(1, block, 0));
        for (int i = 4; i < INPUTS; i++)
            for (int k = 0; k < n; k++)
                columns[i][k] = input_value(i, block, k);
        term_state_block(state, n);
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < INPUTS; i++)
                inputs[i] = input_value(i, block, k);
            term_evaluate(g, inputs, values);
            for (int o = 0; o < n_outputs; o++) {
                bool scalar;
                const double *column = term_state_output(state, o, &scalar);
                double got = column[scalar ? 0 : k], want = values[outputs[o]];
                if (memcmp(&got, &want, sizeof got) != 0 && !(isnan(got) && isnan(want)))
                    fail_msg("output %d, block %d, point %d: %.17g, single %.17g", o, block, k, got,
                             want);
            }
        }
    }
    free(values);
}

TEST(batches_equal_single_points)
{
    static const enum term_rate rates[INPUTS] = {TERM_SWEEP,  TERM_BLOCK, TERM_COLUMN,
                                                 TERM_COLUMN, TERM_POINT, TERM_POINT};
    static const double context = 0.125;
    uint64_t seed = 11;
    for (int round = 0; round < check_rounds(150, 3000); round++) {
        struct term_graph *g = term_graph_create();
        int outputs[6];
        random_graph(g, &seed, INPUTS, 40, &context);
        for (int o = 0; o < 6; o++) {
            outputs[o] = (int)(check_random(&seed) % (uint64_t)term_count(g));
            outputs[o] += term_get(g, outputs[o])->kind == TERM_SOLVER;
        }
        struct term_program *program = term_program_create(g, outputs, 6, rates, WIDTH);
        struct term_state *s = term_state_create(program);
        check_blocks(g, s, 6, outputs);
        term_state_destroy(s);
        term_program_destroy(program);
        term_graph_destroy(g);
    }
}

/* Blocks of rows: 0 sweep, 1 block, 2, 3 column, 4, 5 one value a row. The last block lacks rows.
 */
enum { ROWS = 5 };

static double row_value(int input, int block, int row, int k)
{
    return input < 4 ? input_value(input, block, k) : input_value(5, block * ROWS + row, input);
}

static void check_rows(const struct term_graph *g, struct term_state *state, int n_outputs,
                       const int *outputs)
{
    double inputs[INPUTS], columns[INPUTS][WIDTH];
    double *values = calloc((size_t)term_count(g), sizeof *values);
    for (int i = 2; i < INPUTS; i++) {
        for (int k = 0; k < WIDTH; k++)
            columns[i][k] = row_value(i, 0, 0, k);
        term_state_column(state, i, columns[i]);
    }
    term_state_scalar(state, 0, row_value(0, 0, 0, 0));
    term_state_begin(state);
    for (int block = 0; block < 4; block++) {
        int n = (block == 3 ? ROWS - 2 : ROWS) * WIDTH;
        term_state_scalar(state, 1, row_value(1, block, 0, 0));
        for (int row = 0; row < ROWS; row++)
            for (int i = 4; i < INPUTS; i++)
                columns[i][row] = row_value(i, block, row, 0);
        term_state_block(state, n);
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < INPUTS; i++)
                inputs[i] = row_value(i, block, k / WIDTH, k % WIDTH);
            term_evaluate(g, inputs, values);
            for (int o = 0; o < n_outputs; o++) {
                bool scalar;
                const double *column = term_state_output(state, o, &scalar);
                double got = column[scalar ? 0 : k], want = values[outputs[o]];
                if (memcmp(&got, &want, sizeof got) != 0 && !(isnan(got) && isnan(want)))
                    fail_msg("output %d, block %d, point %d: %.17g, single %.17g", o, block, k, got,
                             want);
            }
        }
    }
    free(values);
}

TEST(rows_equal_single_points)
{
    static const enum term_rate rates[INPUTS] = {TERM_SWEEP,  TERM_BLOCK, TERM_COLUMN,
                                                 TERM_COLUMN, TERM_ROW,   TERM_ROW};
    static const double context = 0.125;
    uint64_t seed = 13;
    for (int round = 0; round < check_rounds(150, 3000); round++) {
        struct term_graph *g = term_graph_create();
        int outputs[6];
        random_graph(g, &seed, INPUTS, 40, &context);
        for (int o = 0; o < 6; o++) {
            outputs[o] = (int)(check_random(&seed) % (uint64_t)term_count(g));
            outputs[o] += term_get(g, outputs[o])->kind == TERM_SOLVER;
        }
        outputs[5] = outputs[round % 6]; /* one may be asked for twice */
        struct term_program *program = term_program_create_rows(g, outputs, 6, rates, WIDTH, ROWS);
        struct term_state *s = term_state_create(program);
        check_rows(g, s, 6, outputs);
        check_rows(g, s, 6, outputs);
        term_state_destroy(s);
        term_program_destroy(program);
        term_graph_destroy(g);
    }
}

/* A point's outputs until one of its conditions is 0, from the third on; that one, or 6. */
static int check_conditions(const struct term_state *s, const int *outputs, const double *values,
                            int k)
{
    int ended = 3;
    while (ended < 6 && values[outputs[ended]] != 0)
        ended++;
    for (int o = ended < 6 ? 3 : 0; o < 6 && o <= ended; o++) {
        bool scalar = false;
        const double *rows = term_state_row_output(s, o);
        const double *column = rows ? NULL : term_state_output(s, o, &scalar);
        double got = rows ? rows[k / WIDTH] : column[scalar ? 0 : k], want = values[outputs[o]];
        if (memcmp(&got, &want, sizeof got) != 0 && !(isnan(got) && isnan(want)))
            fail_msg("output %d, point %d: %.17g, single %.17g", o, k, got, want);
    }
    return ended;
}

/* Rows and blocks that a condition ends are not computed, and each point is rejected by the first
 * condition that is 0. */
TEST(conditions_end_rows)
{
    static const enum term_rate rates[INPUTS] = {TERM_SWEEP,  TERM_BLOCK, TERM_COLUMN,
                                                 TERM_COLUMN, TERM_ROW,   TERM_ROW};
    static const double context = 0.125;
    uint64_t seed = 17;
    int ended[7] = {0};
    for (int round = 0; round < check_rounds(150, 3000); round++) {
        struct term_graph *g = term_graph_create();
        int outputs[6];
        random_graph(g, &seed, INPUTS, 20, &context);
        for (int o = 0; o < 6; o++) {
            outputs[o] = (int)(check_random(&seed) % (uint64_t)term_count(g));
            outputs[o] += term_get(g, outputs[o])->kind == TERM_SOLVER;
            int zero = term_constant(g, NULL, 0, DIM_NONE),
                input = (int)(check_random(&seed) % INPUTS);
            int args[] = {term_input_term(g, input), zero};
            if (o >= 3 && check_random(&seed) % 4)
                outputs[o] = term_operation(g, EXPRESSION_GREATER, NULL, 2, args);
        }
        struct term_program *program = term_program_create_rows(g, outputs, 6, rates, WIDTH, ROWS);
        term_program_set_conditions(program, 3);
        struct term_state *s = term_state_create(program);
        double *values = memory_zero((size_t)term_count(g), sizeof *values), inputs[INPUTS];
        double rows[INPUTS][ROWS], columns[INPUTS][WIDTH];
        for (int i = 0; i < INPUTS; i++) {
            for (int k = 0; k < WIDTH && rates[i] == TERM_COLUMN; k++)
                columns[i][k] = row_value(i, 0, 0, k);
            term_state_column(s, i, rates[i] == TERM_COLUMN ? columns[i] : rows[i]);
            if (rates[i] == TERM_SWEEP)
                term_state_scalar(s, i, row_value(i, 0, 0, 0));
        }
        term_state_begin(s);
        for (int block = 0; block < 4; block++) {
            for (int i = 0; i < INPUTS; i++) {
                if (rates[i] == TERM_BLOCK)
                    term_state_scalar(s, i, row_value(i, block, 0, 0));
                for (int row = 0; row < ROWS && rates[i] == TERM_ROW; row++)
                    rows[i][row] = row_value(i, block, row, 0);
            }
            term_state_block(s, WIDTH * ROWS);
            for (int k = 0; k < WIDTH * ROWS; k++) {
                for (int i = 0; i < INPUTS; i++)
                    inputs[i] = row_value(i, block, k / WIDTH, k % WIDTH);
                term_evaluate(g, inputs, values);
                ended[check_conditions(s, outputs, values, k)]++;
            }
        }
        free(values);
        term_state_destroy(s);
        term_program_destroy(program);
        term_graph_destroy(g);
    }
    for (int o = 3; o < 7; o++)
        assert_true(ended[o] > 0);
}

TEST(instruction_sets_agree)
{
    static const char *const names[] = {"v3", "v4"};
    const struct term_kernels *base = term_kernels_find("base");
    uint64_t seed = 5;
    double a[100], b[100], c[100], want[100], got[100];
    assert_non_null(base);
    for (int i = 0; i < 100; i++) {
        a[i] = i % 11 == 0 ? (double)NAN : i % 13 == 0 ? HUGE_VAL : check_uniform(&seed) * 8 - 4;
        b[i] = i % 7 == 0 ? 0.0 : i % 5 == 0 ? -0.0 : check_uniform(&seed) * 8 - 4;
        c[i] = i % 3;
    }
    for (int s = 0; s < 2; s++) {
        const struct term_kernels *set = term_kernels_find(names[s]);
        if (!set)
            continue;
        for (int op = EXPRESSION_MIN; op <= EXPRESSION_OR; op++) {
            if (op >= EXPRESSION_NEGATE && op <= EXPRESSION_LOG2)
                continue;
            for (int steps = 0; steps < 4; steps++) {
                struct term_operand x = {a + 1, steps & 1}, y = {b + 1, steps >> 1};
                base->binary((enum expression_op)op, want, x, y, 99);
                set->binary((enum expression_op)op, got, x, y, 99);
                for (int i = 0; i < 99; i++)
                    if (memcmp(&want[i], &got[i], sizeof *got) && !isnan(want[i]))
                        fail_msg("%s %s: %g and %g", names[s],
                                 expression_op_symbol((enum expression_op)op), got[i], want[i]);
            }
        }
        struct term_operand x = {a, 1}, y = {b, 1}, z = {c, 1};
        base->choose(want, z, x, y, 100);
        set->choose(got, z, x, y, 100);
        assert_memory_equal(want, got, sizeof got);
    }
}

/* One odd value among others is found wherever it is, and none where there is none. */
TEST(columns_are_looked_through)
{
    static const char *const names[] = {"base", "v3", "v4"};
    static const double odd[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    enum { N = 37 };
    for (int s = 0; s < 3; s++) {
        const struct term_kernels *set = term_kernels_find(names[s]);
        double values[N];
        for (int at = 0; set && at <= N; at++)
            for (int kind = 0; kind < 3; kind++) {
                for (int i = 0; i < N; i++)
                    values[i] = i == at ? odd[kind] : DBL_MAX / (i + 1) * (i % 2 ? 1 : -1);
                assert_int_equal(set->not_finite(values, N), at < N);
                for (int i = 0; i < N; i++)
                    values[i] = i == at ? 0.5 : kind ? 0.25 : 0.75;
                assert_int_equal(set->within(values, 0.5, true, N), at < N || !kind);
                assert_int_equal(set->within(values, 0.5, false, N), at < N || kind);
            }
    }
}

/* What is no number holds: a condition rejects where it is 0. */
TEST(conditions_reject)
{
    static const char *const names[] = {"base", "v3", "v4"};
    enum { N = 203 };
    for (int s = 0; s < 3; s++) {
        const struct term_kernels *set = term_kernels_find(names[s]);
        double condition[N];
        unsigned char mask[N];
        uint64_t seed = 8;
        int expected = 0;
        for (int i = 0; i < N; i++) {
            condition[i] = i % 17 == 0  ? (double)NAN
                           : i % 4 == 0 ? (i % 8 ? -0.0 : 0.0)
                                        : check_uniform(&seed) - 0.5;
            mask[i] = i % 3 != 0;
            expected += mask[i] && condition[i] == 0;
        }
        if (!set)
            continue;
        assert_int_equal(set->reject(mask, condition, N), expected);
        for (int i = 0; i < N; i++)
            assert_int_equal(mask[i], i % 3 != 0 && condition[i] != 0);
        assert_int_equal(set->reject(mask, condition, N), 0);
    }
}

/* Results of a solver are terms: shared, computed when they are wanted. */
TEST(solvers)
{
    struct term_graph *g = term_graph_create();
    double two = 2, inputs[2] = {3, 5}, values[16];
    int a = term_input(g, "a", DIM_NONE), b = term_input(g, "b", DIM_NONE);
    int args[] = {a, b, a};
    int node = term_solve(g, "three", three, &two, 3, args, 3, three_results);
    assert_int_equal(term_solve(g, "three", three, &two, 3, args, 3, three_results), node);
    int sum = term_sum(g, "sum", node + 1, node + 2, node + 3);
    assert_int_equal(term_count(g), 7);
    term_evaluate(g, inputs, values);
    check_relative(values[node + 1], 5, 0);
    check_relative(values[node + 2], 15, 0);
    check_relative(values[node + 3], -2, 0);
    check_relative(values[sum], 18, 0);
    assert_string_equal(term_get(g, node + 2)->name, "y");
    /* What is not needed is no number; a solver that is needed gives all of its results. */
    term_evaluate_needed(g, inputs, (int[]){node + 2}, 1, values);
    check_relative(values[node + 2], 15, 0);
    assert_true(isnan(values[sum]));
    term_evaluate_needed(g, inputs, (int[]){a}, 1, values);
    check_relative(values[a], 3, 0);
    assert_true(isnan(values[b]) && isnan(values[node + 1]) && isnan(values[sum]));
    term_graph_destroy(g);
}

static void count_points(const void *context, int n, const struct term_operand *args,
                         double *const *out)
{
    *(int *)*(void *const *)context += n;
    for (int k = 0; k < n; k++) {
        double a = args[0].data[args[0].step ? k : 0], b = args[1].data[args[1].step ? k : 0];
        if (out[0])
            out[0][k] = a + b;
        if (out[1])
            out[1][k] = a * b;
    }
}

/* Neighbours that are alike to the bit are solved once, and every point has its own numbers. */
TEST(solvers_are_asked_of_what_differs)
{
    static const struct term_result results[] = {{"sum", IN_PLAIN}, {"product", IN_PLAIN}};
    static const double left[] = {1, 1, 1, 2, 2, 1, 0.0, -0.0}, other[] = {3, 3, 4, 4, 4, 4, 4, 4};
    static const double unlike[] = {1, 2, 3, 4, 5, 6, 7, 8};
    int solved = 0;
    void *context = &solved;
    struct term_graph *g = term_graph_create();
    int args[] = {term_input(g, "a", DIM_NONE), term_input(g, "b", DIM_NONE)};
    int node = term_solve(g, "two", count_points, &context, 2, args, 2, results);
    int outputs[] = {node + 1, node + 2};
    enum term_rate rates[] = {TERM_POINT, TERM_POINT};
    for (int wanted = 1; wanted <= 2; wanted++) {
        struct term_program *program = term_program_create(g, outputs, wanted, rates, 8);
        struct term_state *one = term_state_create(program);
        for (int i = 0; i < 2; i++) {
            bool scalar;
            solved = 0;
            term_state_column(one, 0, i ? unlike : left);
            term_state_column(one, 1, other);
            term_state_begin(one);
            term_state_block(one, 8);
            assert_int_equal(solved, i ? 8 : 6);
            for (int k = 0; k < 8; k++) {
                double a = (i ? unlike : left)[k];
                assert_true(term_state_output(one, 0, &scalar)[k] == a + other[k]);
                if (wanted == 2)
                    assert_true(term_state_output(one, 1, &scalar)[k] == a * other[k]);
            }
        }
        term_state_destroy(one);
        term_program_destroy(program);
    }
    term_graph_destroy(g);
}
