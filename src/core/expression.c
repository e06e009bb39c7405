/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recursive descent over the grammar in expression.h. */
#include "core/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 200, ARGS_MAX = 16 };

struct parser {
    struct arena *arena;
    const char *text;
    size_t at;
    const struct mark *mark;
    struct error *error;
    int depth;
};

static struct mark parser_mark(const struct parser *p, size_t at)
{
    struct mark mark = *p->mark;
    mark.column += (long)at;
    return mark;
}

static int parser_fail(struct parser *p, size_t at, const char *what)
{
    struct mark mark = parser_mark(p, at);
    if (p->text[at])
        return error_at(p->error, STATUS_INPUT, &mark, "%s in expression \"%.200s\"", what,
                        p->text);
    return error_at(p->error, STATUS_INPUT, &mark, "expression \"%.200s\" ends too early: %s",
                    p->text, what);
}

static void parser_blanks(struct parser *p)
{
    p->at += strspn(p->text + p->at, " \t\r\n");
}

static struct expression *parser_node(struct parser *p, enum expression_op op, size_t at,
                                      int n_args)
{
    struct expression *node = arena_alloc(p->arena, sizeof *node);
    node->op = op;
    node->mark = parser_mark(p, at);
    node->n_args = n_args;
    node->args = n_args ? arena_alloc(p->arena, (size_t)n_args * sizeof *node->args) : NULL;
    return node;
}

static bool parser_take(struct parser *p, const char *symbol)
{
    parser_blanks(p);
    size_t length = strlen(symbol);
    if (strncmp(p->text + p->at, symbol, length) != 0)
        return false;
    unsigned char next = (unsigned char)p->text[p->at + length];
    if (isalpha((unsigned char)symbol[0]) && (isalnum(next) || next == '_' || next == '.'))
        return false;
    p->at += length;
    return true;
}

static int parse_or(struct parser *p, struct expression **out);

static int parse_arguments(struct parser *p, const char *close, struct expression **args, int *n)
{
    *n = 0;
    if (parser_take(p, close))
        return 0;
    for (;;) {
        if (*n == ARGS_MAX)
            return parser_fail(p, p->at, "more than 16 arguments");
        int status = parse_or(p, &args[(*n)++]);
        if (status)
            return status;
        if (parser_take(p, close))
            return 0;
        if (!parser_take(p, ",")) {
            char what[40];
            snprintf(what, sizeof what, "expected \",\" or \"%s\"", close);
            return parser_fail(p, p->at, what);
        }
    }
}

static const struct function {
    const char *name;
    enum expression_op op;
    int least, most;
} function_table[] = {
    {"min", EXPRESSION_MIN, 2, ARGS_MAX}, {"max", EXPRESSION_MAX, 2, ARGS_MAX},
    {"ceil", EXPRESSION_CEIL, 1, 1},      {"floor", EXPRESSION_FLOOR, 1, 1},
    {"abs", EXPRESSION_ABS, 1, 1},        {"sqrt", EXPRESSION_SQRT, 1, 1},
    {"log2", EXPRESSION_LOG2, 1, 1},      {"if", EXPRESSION_IF, 3, 3},
};

static int parse_name(struct parser *p, struct expression **out)
{
    size_t start = p->at, length = 0;
    const char *text = p->text + start;
    bool workload = false; /* after '@': workload names may contain '-' */
    for (;; length++) {
        unsigned char c = (unsigned char)text[length];
        workload = workload || c == '@';
        bool inside =
            isalnum(c) || c == '_' || c == '@' || (workload && c == '-') ||
            (c == '.' && (isalpha((unsigned char)text[length + 1]) || text[length + 1] == '_'));
        if (!inside)
            break;
    }
    const char *name = arena_strndup(p->arena, text, length);
    p->at += length;
    struct expression *args[ARGS_MAX];
    int n, status;
    if (parser_take(p, "[")) {
        if ((status = parse_arguments(p, "]", args, &n)))
            return status;
        *out = parser_node(p, EXPRESSION_INDEX, start, n);
        (*out)->name = name;
        if (n)
            memcpy((*out)->args, args, (size_t)n * sizeof *args);
        return 0;
    }
    if (!parser_take(p, "(")) {
        *out = parser_node(p, EXPRESSION_NAME, start, 0);
        (*out)->name = name;
        return 0;
    }
    for (size_t i = 0; i < sizeof function_table / sizeof *function_table; i++) {
        const struct function *function = &function_table[i];
        if (strcmp(function->name, name) != 0)
            continue;
        if ((status = parse_arguments(p, ")", args, &n)))
            return status;
        if (n < function->least || n > function->most) {
            char what[80];
            int used = snprintf(what, sizeof what, "%s takes %d", name, function->least);
            if (function->most > function->least)
                used += snprintf(what + used, sizeof what - (size_t)used, " to %d", function->most);
            snprintf(what + used, sizeof what - (size_t)used, " argument%s, not %d",
                     function->most == 1 ? "" : "s", n);
            return parser_fail(p, start, what);
        }
        *out = parser_node(p, function->op, start, n);
        memcpy((*out)->args, args, (size_t)n * sizeof *args);
        return 0;
    }
    status = parser_fail(p, start, "unknown function");
    error_hint(p->error, "known: min, max, ceil, floor, abs, sqrt, log2, if");
    return status;
}

static int parse_number(struct parser *p, struct expression **out)
{
    size_t start = p->at, length = 0;
    const char *text = p->text + start;
    char digits[64];
    length = strspn(text, "0123456789");
    if (text[length] == '.' && text[length + 1] != '.')
        length += 1 + strspn(text + length + 1, "0123456789");
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
        size_t more = strspn(text + length + 1 + sign, "0123456789");
        if (more)
            length += 1 + sign + more;
    }
    if (length >= sizeof digits)
        return parser_fail(p, start, "a number is too long");
    memcpy(digits, text, length);
    digits[length] = '\0';
    struct expression *node = parser_node(p, EXPRESSION_NUMBER, start, 0);
    if (!number_scan(digits, &node->number))
        return parser_fail(p, start, "not a finite number");
    p->at += length;
    size_t blank = strspn(p->text + p->at, " ");
    double factor;
    const char *unit = p->text + p->at + blank;
    /* "%" is modulo between operands and percent at the end of one: only the
     * form without a blank and without an operand behind it is a unit. */
    size_t used = unit[0] == '%' ? 0 : unit_scan(unit, &factor, &node->dim);
    if (used) {
        node->number *= factor;
        p->at += blank + used;
    } else {
        node->dim = DIM_NONE;
    }
    *out = node;
    return 0;
}

static int parse_primary(struct parser *p, struct expression **out)
{
    parser_blanks(p);
    unsigned char c = (unsigned char)p->text[p->at];
    if (isdigit(c) || (c == '.' && isdigit((unsigned char)p->text[p->at + 1])))
        return parse_number(p, out);
    if (isalpha(c) || c == '_')
        return parse_name(p, out);
    if (parser_take(p, "(")) {
        int status = parse_or(p, out);
        if (status)
            return status;
        return parser_take(p, ")") ? 0 : parser_fail(p, p->at, "expected \")\"");
    }
    return parser_fail(p, p->at, "expected a number, a name or \"(\"");
}

static int parse_unary(struct parser *p, struct expression **out);

static int parse_power(struct parser *p, struct expression **out)
{
    int status = parse_primary(p, out);
    size_t at = p->at;
    if (status || !(parser_take(p, "^") || parser_take(p, "**")))
        return status;
    struct expression *node = parser_node(p, EXPRESSION_POWER, at, 2);
    node->args[0] = *out;
    status = parse_unary(p, &node->args[1]);
    *out = node;
    return status;
}

static int parse_unary(struct parser *p, struct expression **out)
{
    parser_blanks(p);
    size_t at = p->at;
    if (!parser_take(p, "-"))
        return parse_power(p, out);
    if (++p->depth > DEPTH_MAX)
        return parser_fail(p, at, "nested too deeply");
    struct expression *node = parser_node(p, EXPRESSION_NEGATE, at, 1);
    int status = parse_unary(p, &node->args[0]);
    p->depth--;
    *out = node;
    return status;
}

struct operator_row {
    const char *symbol;
    enum expression_op op;
};

static int parse_left(struct parser *p, struct expression **out,
                      const struct operator_row *operators,
                      int (*next)(struct parser *, struct expression **))
{
    int status = next(p, out);
    while (!status) {
        const struct operator_row *found = NULL;
        parser_blanks(p);
        size_t at = p->at;
        for (const struct operator_row *o = operators; o->symbol && !found; o++)
            if (!(o->op == EXPRESSION_MULTIPLY && strncmp(p->text + p->at, "**", 2) == 0) &&
                parser_take(p, o->symbol))
                found = o;
        if (!found)
            return 0;
        struct expression *node = parser_node(p, found->op, at, 2);
        node->args[0] = *out;
        status = next(p, &node->args[1]);
        *out = node;
    }
    return status;
}

static int parse_product(struct parser *p, struct expression **out)
{
    static const struct operator_row operators[] = {
        {"*", EXPRESSION_MULTIPLY}, {"/", EXPRESSION_DIVIDE}, {"%", EXPRESSION_MODULO}, {NULL, 0}};
    return parse_left(p, out, operators, parse_unary);
}

static int parse_sum(struct parser *p, struct expression **out)
{
    static const struct operator_row operators[] = {
        {"+", EXPRESSION_ADD}, {"-", EXPRESSION_SUBTRACT}, {NULL, 0}};
    return parse_left(p, out, operators, parse_product);
}

static int parse_comparison(struct parser *p, struct expression **out)
{
    static const struct operator_row operators[] = {{"<=", EXPRESSION_LESS_EQUAL},
                                                    {">=", EXPRESSION_GREATER_EQUAL},
                                                    {"==", EXPRESSION_EQUAL},
                                                    {"!=", EXPRESSION_NOT_EQUAL},
                                                    {"<", EXPRESSION_LESS},
                                                    {">", EXPRESSION_GREATER},
                                                    {NULL, 0}};
    return parse_left(p, out, operators, parse_sum);
}

static int parse_not(struct parser *p, struct expression **out)
{
    parser_blanks(p);
    size_t at = p->at;
    if (!parser_take(p, "not"))
        return parse_comparison(p, out);
    if (++p->depth > DEPTH_MAX)
        return parser_fail(p, at, "nested too deeply");
    struct expression *node = parser_node(p, EXPRESSION_NOT, at, 1);
    int status = parse_not(p, &node->args[0]);
    p->depth--;
    *out = node;
    return status;
}

static int parse_and(struct parser *p, struct expression **out)
{
    static const struct operator_row operators[] = {{"and", EXPRESSION_AND}, {NULL, 0}};
    return parse_left(p, out, operators, parse_not);
}

static int parse_or(struct parser *p, struct expression **out)
{
    static const struct operator_row operators[] = {{"or", EXPRESSION_OR}, {NULL, 0}};
    if (++p->depth > DEPTH_MAX)
        return parser_fail(p, p->at, "nested too deeply");
    int status = parse_left(p, out, operators, parse_and);
    p->depth--;
    return status;
}

int expression_parse_prefix(struct arena *arena, const char *text, const struct mark *mark,
                            struct expression **out, size_t *used, struct error *error)
{
    struct parser parser = {arena, text, 0, mark, error, 0};
    int status = parse_or(&parser, out);
    parser_blanks(&parser);
    *used = parser.at;
    return status;
}

int expression_parse(struct arena *arena, const char *text, const struct mark *mark,
                     struct expression **out, struct error *error)
{
    size_t used;
    int status = expression_parse_prefix(arena, text, mark, out, &used, error);
    if (status || text[used] == '\0')
        return status;
    struct mark at = *mark;
    at.column += (long)used;
    error_at(error, STATUS_INPUT, &at, "expected an operator in expression \"%.200s\"", text);
    if (used && text[used - 1] >= '0' && text[used - 1] <= '9' && strchr("kKMG", text[used]))
        error_hint(error, "numbers are written out: 64*1024");
    return STATUS_INPUT;
}

const char *expression_op_symbol(enum expression_op op)
{
    static const char *const symbols[] = {
        [EXPRESSION_NUMBER] = "number",
        [EXPRESSION_NAME] = "name",
        [EXPRESSION_INDEX] = "[]",
        [EXPRESSION_MIN] = "min",
        [EXPRESSION_MAX] = "max",
        [EXPRESSION_ADD] = "+",
        [EXPRESSION_SUBTRACT] = "-",
        [EXPRESSION_MULTIPLY] = "*",
        [EXPRESSION_DIVIDE] = "/",
        [EXPRESSION_MODULO] = "%",
        [EXPRESSION_POWER] = "^",
        [EXPRESSION_NEGATE] = "-",
        [EXPRESSION_CEIL] = "ceil",
        [EXPRESSION_FLOOR] = "floor",
        [EXPRESSION_ABS] = "abs",
        [EXPRESSION_SQRT] = "sqrt",
        [EXPRESSION_LOG2] = "log2",
        [EXPRESSION_LESS] = "<",
        [EXPRESSION_LESS_EQUAL] = "<=",
        [EXPRESSION_GREATER] = ">",
        [EXPRESSION_GREATER_EQUAL] = ">=",
        [EXPRESSION_EQUAL] = "==",
        [EXPRESSION_NOT_EQUAL] = "!=",
        [EXPRESSION_AND] = "and",
        [EXPRESSION_OR] = "or",
        [EXPRESSION_NOT] = "not",
        [EXPRESSION_IF] = "if",
    };
    return symbols[op];
}

static int dim_mismatch(const struct expression *e, struct dim a, struct dim b, struct error *error)
{
    char left[64], right[64];
    int status = error_at(error, STATUS_INPUT, &e->mark, "units differ: %s %s %s",
                          dim_describe(a, left, sizeof left), expression_op_symbol(e->op),
                          dim_describe(b, right, sizeof right));
    if (dim_equal(b, DIM_NONE))
        error_hint(error, "write the number with its unit, e.g. %s", dim_example(a));
    else if (dim_equal(a, DIM_NONE))
        error_hint(error, "write the number with its unit, e.g. %s", dim_example(b));
    return status;
}

int expression_dim(const struct expression *e, const struct dim *args, struct dim *out,
                   struct error *error)
{
    *out = DIM_NONE;
    switch (e->op) {
    case EXPRESSION_MULTIPLY:
        *out = dim_multiply(args[0], args[1]);
        return 0;
    case EXPRESSION_DIVIDE:
        *out = dim_divide(args[0], args[1]);
        return 0;
    case EXPRESSION_NEGATE:
    case EXPRESSION_CEIL:
    case EXPRESSION_FLOOR:
    case EXPRESSION_ABS:
        *out = args[0];
        return 0;
    case EXPRESSION_AND:
    case EXPRESSION_OR:
    case EXPRESSION_NOT:
    case EXPRESSION_LOG2:
    case EXPRESSION_SQRT:
    case EXPRESSION_POWER:
        for (int i = 0; i < e->n_args; i++)
            if (!dim_equal(args[i], DIM_NONE)) {
                char words[64];
                error_at(error, STATUS_INPUT, &e->mark, "\"%s\" takes plain numbers, not %s",
                         expression_op_symbol(e->op), dim_describe(args[i], words, sizeof words));
                return error_hint(error, "divide by a quantity of the same unit first");
            }
        return 0;
    case EXPRESSION_IF:
        if (!dim_equal(args[1], args[2]))
            return dim_mismatch(e, args[1], args[2], error);
        *out = args[1];
        return 0;
    default: /* sums, minima, comparisons, modulo: all operands alike */
        for (int i = 1; i < e->n_args; i++)
            if (!dim_equal(args[0], args[i]))
                return dim_mismatch(e, args[0], args[i], error);
        if (e->op < EXPRESSION_LESS && e->n_args > 0)
            *out = args[0];
        return 0;
    }
}

static double least(const double *args, int n_args)
{
    double least = args[0];
    for (int i = 1; i < n_args; i++)
        least = args[i] < least ? args[i] : least;
    return least;
}

static double greatest(const double *args, int n_args)
{
    double greatest = args[0];
    for (int i = 1; i < n_args; i++)
        greatest = args[i] > greatest ? args[i] : greatest;
    return greatest;
}

double expression_apply(enum expression_op op, const double *args, int n_args)
{
    double a = args[0], b = n_args > 1 ? args[1] : 0;
    switch (op) {
    case EXPRESSION_MIN:
        return least(args, n_args);
    case EXPRESSION_MAX:
        return greatest(args, n_args);
    case EXPRESSION_ADD:
        return a + b;
    case EXPRESSION_SUBTRACT:
        return a - b;
    case EXPRESSION_MULTIPLY:
        return a * b;
    case EXPRESSION_DIVIDE:
        return a / b;
    case EXPRESSION_MODULO:
        return a - floor(a / b) * b;
    case EXPRESSION_POWER:
        return pow(a, b);
    case EXPRESSION_NEGATE:
        return -a;
    case EXPRESSION_CEIL:
        return ceil(a);
    case EXPRESSION_FLOOR:
        return floor(a);
    case EXPRESSION_ABS:
        return fabs(a);
    case EXPRESSION_SQRT:
        return sqrt(a);
    case EXPRESSION_LOG2:
        return log2(a);
    case EXPRESSION_LESS:
        return a < b;
    case EXPRESSION_LESS_EQUAL:
        return a <= b;
    case EXPRESSION_GREATER:
        return a > b;
    case EXPRESSION_GREATER_EQUAL:
        return a >= b;
    case EXPRESSION_EQUAL:
        return a == b;
    case EXPRESSION_NOT_EQUAL:
        return a != b;
    case EXPRESSION_AND:
        return a != 0 && b != 0;
    case EXPRESSION_OR:
        return a != 0 || b != 0;
    case EXPRESSION_NOT:
        return a == 0;
    case EXPRESSION_IF:
        return a != 0 ? args[1] : args[2];
    case EXPRESSION_NUMBER:
    case EXPRESSION_NAME:
    case EXPRESSION_INDEX:
        break;
    }
    return NAN;
}

int expression_evaluate(const struct expression *e, expression_resolve_fn *resolve, void *context,
                        struct quantity *out, struct error *error)
{
    if (e->op == EXPRESSION_NUMBER) {
        *out = (struct quantity){e->number, e->dim};
        return 0;
    }
    if (e->op == EXPRESSION_NAME || e->op == EXPRESSION_INDEX) {
        int status = resolve(context, e, out, error);
        if (status)
            error_place(error, &e->mark);
        return status;
    }
    double values[ARGS_MAX] = {0};
    struct dim dims[ARGS_MAX];
    for (int i = 0; i < e->n_args; i++) {
        struct quantity q;
        int status = expression_evaluate(e->args[i], resolve, context, &q, error);
        if (status)
            return status;
        values[i] = q.value;
        dims[i] = q.dim;
    }
    if ((e->op == EXPRESSION_DIVIDE || e->op == EXPRESSION_MODULO) && values[1] == 0)
        return error_at(error, STATUS_INPUT, &e->mark, "division by zero");
    int status = expression_dim(e, dims, &out->dim, error);
    if (status)
        return status;
    out->value = expression_apply(e->op, values, e->n_args);
    return 0;
}
