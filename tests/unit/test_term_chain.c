/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chains of operations: which nodes are joined, and that every instruction set gives the bits that
 * one operation after another gives, whatever is joined and however long columns are. */
#include "check.h"

#include "core/memory.h"
#include "core/term.h"
#include "core/term_chain.h"
#include "core/term_kernels.h"

static const enum expression_op ops[] = {EXPRESSION_ADD,    EXPRESSION_SUBTRACT,
                                         EXPRESSION_DIVIDE, EXPRESSION_MULTIPLY,
                                         EXPRESSION_MIN,    EXPRESSION_MAX};

/* Of quarters, so that ties happen, with what is no number and both zeros among them. */
static double odd_value(uint64_t *seed)
{
    static const double odd[] = {0.0, -0.0, (double)NAN, HUGE_VAL, -HUGE_VAL, 1e308, 5e-324};
    uint64_t r = check_random(seed) % 100;
    return r < 7 ? odd[r] : floor(check_uniform(seed) * 64 - 32) / 4;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* --- the kernel ------------------------------------------------------------------ */

enum { LONGEST = 205, COLUMNS = 5, LINKS = 9 };

struct kernel_case {
    double columns[COLUMNS][LONGEST];
    struct term_link links[LINKS];
    struct term_chain chain;
};

static struct term_operand random_operand(const struct kernel_case *c, uint64_t *seed)
{
    const double *column = c->columns[check_random(seed) % COLUMNS];
    return (struct term_operand){column, (int)(check_random(seed) % 2)};
}

static void random_case(struct kernel_case *c, uint64_t *seed)
{
    for (int i = 0; i < COLUMNS; i++)
        for (int k = 0; k < LONGEST; k++)
            c->columns[i][k] = odd_value(seed);
    int n = 1 + (int)(check_random(seed) % LINKS);
    c->chain = (struct term_chain){random_operand(c, seed), c->links, n, true};
    for (int l = 0; l < c->chain.n_links; l++) {
        struct term_operand operand = random_operand(c, seed);
        c->links[l] = (struct term_link){TERM_LINK_OP * (int)ops[check_random(seed) % 6] +
                                             (operand.step ? TERM_LINK_COLUMN : 0) +
                                             (check_random(seed) % 2 ? TERM_LINK_REVERSED : 0),
                                         operand.data};
    }
}

static double case_value(const struct kernel_case *c, int k)
{
    double value = c->chain.start.data[c->chain.start.step ? k : 0];
    for (int l = 0; l < c->chain.n_links; l++) {
        int code = c->links[l].code;
        double other = c->links[l].data[code & TERM_LINK_COLUMN ? k : 0];
        double args[2] = {code & TERM_LINK_REVERSED ? other : value,
                          code & TERM_LINK_REVERSED ? value : other};
        value = expression_apply((enum expression_op)(code / TERM_LINK_OP), args, 2);
    }
    return value;
}

static void check_column(const struct kernel_case *c, const double *got, int n, const char *what)
{
    for (int k = 0; k < n; k++)
        if (!same_bits(got[k], case_value(c, k)))
            fail_msg("%s, %d links, point %d of %d: %.17g, one by one %.17g", what,
                     c->chain.n_links, k, n, got[k], case_value(c, k));
}

TEST(kernels_equal_operations_one_by_one)
{
    static const char *const names[] = {"base", "v3", "v4"};
    uint64_t seed = 23;
    struct kernel_case c;
    double out[LONGEST + 1], scratch[LONGEST];
    int done[3] = {0}, left[3] = {0};
    for (int round = 0; round < check_rounds(400, 8000); round++) {
        random_case(&c, &seed);
        for (int s = 0; s < 3; s++) {
            const struct term_kernels *set = term_kernels_find(names[s]);
            int n = 1 + (int)(check_random(&seed) % LONGEST);
            if (!set)
                continue;
            out[n] = 7;
            if (set->chain(c.chain.start, c.links, c.chain.n_links, out, n)) {
                check_column(&c, out, n, names[s]);
                done[s]++;
            } else {
                left[s]++;
            }
            memset(out, 0, (size_t)n * sizeof *out);
            term_chain_run(set, &c.chain, out, scratch, n);
            /* All of them numbers: one number, whose column is its first point. */
            bool number = !c.chain.start.step;
            for (int l = 0; l < c.chain.n_links; l++)
                number = number && !(c.links[l].code & TERM_LINK_COLUMN);
            check_column(&c, out, number ? 1 : n, "run");
            assert_true(out[n] == 7);
        }
    }
    /* Valgrind sees a few rounds. */
    for (int s = 0; s < 3; s++)
        assert_true(!term_kernels_find(names[s]) ||
                    (done[s] > 0 && (left[s] > 0 || check_slowness() > 5)));
}

/* --- what is joined --------------------------------------------------------------- */

TEST(nodes_with_one_reader_are_joined)
{
    struct term_graph *g = term_graph_create();
    int a = term_input(g, "a", DIM_NONE), b = term_input(g, "b", DIM_NONE);
    int early = term_sum(g, "early", a, b), most = term_max(g, "most", early, a);
    int twice = term_difference(g, "twice", a, b);
    int quotient = term_quotient(g, "quotient", twice, most);
    int square = term_product(g, "square", quotient, quotient);
    int equal = term_operation(g, EXPRESSION_EQUAL, "equal", 2, (int[]){square, a});
    int other = term_min(g, "other", twice, equal), end = term_sum(g, "end", other, b, a);
    int unread = term_sum(g, "unread", end, a);
    int n = term_count(g), phase[16] = {0}, outputs[] = {end};
    bool needed[16];
    struct term_chains chains;
    assert_true(n <= 16);
    for (int t = 0; t < n; t++)
        needed[t] = t != unread;
    phase[a] = phase[b] = -1;
    term_chains_find(&chains, g, needed, phase, outputs, 1);
    assert_int_equal(chains.next[early], most);
    assert_int_equal(chains.next[most], quotient); /* as what it is divided by */
    assert_int_equal(chains.joins[quotient], 1);
    assert_int_equal(term_chain_end(&chains, early), quotient);
    assert_int_equal(chains.next[quotient], -1); /* read twice, if by one */
    assert_int_equal(chains.next[twice], -1);
    assert_int_equal(chains.next[square], -1); /* no kernel of chains knows == */
    assert_int_equal(chains.joins[other], -1);
    assert_int_equal(chains.next[other], end);
    assert_int_equal(chains.next[end], -1); /* asked for */
    term_chains_free(&chains);
    phase[early] = 1;
    term_chains_find(&chains, g, needed, phase, outputs, 1);
    assert_int_equal(chains.next[early], -1);
    assert_int_equal(chains.next[most], quotient);
    term_chains_free(&chains);
    term_graph_destroy(g);
}

/* --- programs --------------------------------------------------------------------- */

enum { INPUTS = 6, WIDEST = 150, ROWS = 3, NODES = 40, OUTPUTS = 4 };

static double plus_one(const void *context, const double *args)
{
    (void)context;
    return args[0] + 1;
}

/* Mostly operations that chains know, on what was just made, so that chains are long. */
static void random_graph(struct term_graph *g, uint64_t *seed)
{
    for (int i = 0; i < INPUTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "i%d", i);
        term_input(g, name, DIM_NONE);
    }
    for (int i = 0; i < NODES; i++) {
        int args[5], count = term_count(g), n = 2 + (int)(check_random(seed) % 8 / 5);
        for (int k = 0; k < 5; k++) {
            uint64_t r = check_random(seed);
            args[k] = r % 3 ? count - 1 - (int)(r / 3 % 4) : (int)(r / 3 % (uint64_t)count);
        }
        enum expression_op op = ops[check_random(seed) % 6];
        switch (check_random(seed) % 12) {
        case 0:
            term_operation(g, EXPRESSION_IF, NULL, 3, args);
            break;
        case 1:
            term_operation(g, EXPRESSION_NEGATE, NULL, 1, args);
            break;
        case 2:
            term_call(g, NULL, DIM_NONE, plus_one, NULL, 1, args);
            break;
        case 3:
            term_operation(g, EXPRESSION_LESS, NULL, 2, args);
            break;
        default:
            term_operation(g, op, NULL,
                           op == EXPRESSION_SUBTRACT || op == EXPRESSION_DIVIDE ? 2 : n, args);
        }
    }
}

struct inputs {
    enum term_rate rates[INPUTS];
    double scalars[INPUTS], columns[INPUTS][WIDEST];
    int width, rows;
};

static void random_inputs(struct inputs *in, uint64_t *seed)
{
    static const enum term_rate flat[] = {TERM_SWEEP,  TERM_BLOCK, TERM_COLUMN,
                                          TERM_COLUMN, TERM_POINT, TERM_POINT};
    in->width = 1 + (int)(check_random(seed) % WIDEST);
    in->rows = check_random(seed) % 2 ? ROWS : 1;
    for (int i = 0; i < INPUTS; i++) {
        in->rates[i] = flat[i] == TERM_POINT && in->rows > 1 ? TERM_ROW : flat[i];
        in->scalars[i] = odd_value(seed);
        for (int k = 0; k < WIDEST; k++)
            in->columns[i][k] = odd_value(seed);
    }
}

static double input_at(const struct inputs *in, int i, int k)
{
    return in->rates[i] == TERM_ROW     ? in->columns[i][k / in->width]
           : in->rates[i] & TERM_COLUMN ? in->columns[i][k % in->width]
                                        : in->scalars[i];
}

static void check_program(const struct term_graph *g, const struct inputs *in, const int *outputs,
                          struct term_state *s, int n)
{
    double inputs[INPUTS], *values = calloc((size_t)term_count(g), sizeof *values);
    for (int i = 0; i < INPUTS; i++)
        if (in->rates[i] == TERM_SWEEP || in->rates[i] == TERM_BLOCK)
            term_state_scalar(s, i, in->scalars[i]);
        else
            term_state_column(s, i, in->columns[i]);
    term_state_begin(s);
    term_state_block(s, n);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < INPUTS; i++)
            inputs[i] = input_at(in, i, k);
        term_evaluate(g, inputs, values);
        for (int o = 0; o < OUTPUTS; o++) {
            bool scalar;
            const double *column = term_state_output(s, o, &scalar);
            if (!same_bits(column[scalar ? 0 : k], values[outputs[o]]))
                fail_msg("output %d, %d rows of %d, point %d: %.17g, single %.17g", o, in->rows,
                         in->width, k, column[scalar ? 0 : k], values[outputs[o]]);
        }
    }
    free(values);
}

TEST(programs_equal_single_points)
{
    uint64_t seed = 29;
    struct inputs in;
    for (int round = 0; round < check_rounds(300, 6000); round++) {
        struct term_graph *g = term_graph_create();
        int outputs[OUTPUTS];
        random_graph(g, &seed);
        random_inputs(&in, &seed);
        for (int o = 0; o < OUTPUTS; o++)
            outputs[o] = term_count(g) - 1 - (int)(check_random(&seed) % 12);
        struct term_program *program =
            in.rows > 1 ? term_program_create_rows(g, outputs, OUTPUTS, in.rates, in.width, in.rows)
                        : term_program_create(g, outputs, OUTPUTS, in.rates, in.width);
        struct term_state *s = term_state_create(program);
        check_program(g, &in, outputs, s, in.width * in.rows);
        check_program(g, &in, outputs, s, in.width * (in.rows > 1 ? in.rows - 1 : 1));
        term_state_destroy(s);
        term_program_destroy(program);
        term_graph_destroy(g);
    }
}
