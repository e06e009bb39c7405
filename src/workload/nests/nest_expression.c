/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions of a loop nest to affine forms and conditions. */
#include <string.h>

#include "core/suggest.h"
#include "workload/integer.h"
#include "workload/nests/nest_compiler.h"

/* ---- names and constants ------------------------------------------------ */

const struct nest_value *nest_values_find(const struct nest_values *values, const char *name)
{
    for (size_t i = values->count; i-- > 0;)
        if (strcmp(values->items[i].name, name) == 0)
            return &values->items[i];
    return NULL;
}

static int unknown_name(const struct expression *name, const struct nest_values *values,
                        const struct compiler *c, struct error *error)
{
    if (name->op == EXPRESSION_INDEX) {
        struct suggest tables = suggest_begin(name->name);
        for (size_t i = 0; i < values->n_tables; i++)
            suggest_offer(&tables, values->tables[i].name);
        error_at(error, STATUS_INPUT, &name->mark, "there is no table \"%.80s\"", name->name);
        if (tables.best)
            error_hint(error, "did you mean \"%s\"?", tables.best);
        else
            error_hint(error, "a loop nest has no indices that depend on data: such a kernel is "
                              "written in C, as bfs.workload.c of the sources");
        return STATUS_INPUT;
    }
    static const char *const fixed[] = {"bx", "by", "bz", "tx", "ty", "tz",
                                        "gx", "gy", "gz", "dx", "dy", "dz"};
    struct suggest suggest = suggest_begin(name->name);
    for (size_t i = 0; i < values->count; i++)
        suggest_offer(&suggest, values->items[i].name);
    for (size_t i = 0; c && i < c->scope.count; i++)
        suggest_offer(&suggest, c->scope.items[i].name);
    for (size_t i = 0; c && i < sizeof fixed / sizeof *fixed; i++)
        suggest_offer(&suggest, fixed[i]);
    error_at(error, STATUS_INPUT, &name->mark, "unknown name \"%.80s\"", name->name);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"?", suggest.best);
    else if (!c)
        error_hint(error, "only parameters and indices of repetitions are known here");
    return STATUS_INPUT;
}

static const struct nest_numbers *nest_values_table(const struct nest_values *values,
                                                    const char *name)
{
    for (size_t i = 0; i < values->n_tables; i++)
        if (strcmp(values->tables[i].name, name) == 0)
            return &values->tables[i];
    return NULL;
}

static int check_table_index(const struct expression *e, struct error *error)
{
    return e->n_args == 1 ? 0
                          : error_at(error, STATUS_INPUT, &e->mark,
                                     "%s is a table: it has one index", e->name);
}

struct resolving {
    const struct nest_values *values;
    bool *repetition;
};

static int resolve_value(void *context, const struct expression *name, int64_t *out,
                         struct error *error);

static int resolve_table(struct resolving *r, const struct expression *e, int64_t *out,
                         struct error *error)
{
    const struct nest_numbers *table = nest_values_table(r->values, e->name);
    int64_t index;
    if (!table)
        return unknown_name(e, r->values, NULL, error);
    int status = check_table_index(e, error);
    if (!status)
        status = integer_evaluate(e->args[0], resolve_value, r, &index, error);
    if (!status && (index < 0 || index >= table->n))
        status = error_at(error, STATUS_INPUT, &e->args[0]->mark, "%s: index %lld, outside 0..%lld",
                          e->name, (long long)index, (long long)table->n - 1);
    if (!status)
        *out = table->values[index];
    return status;
}

static int resolve_value(void *context, const struct expression *name, int64_t *out,
                         struct error *error)
{
    struct resolving *r = context;
    const struct nest_value *value = nest_values_find(r->values, name->name);
    if (name->op == EXPRESSION_INDEX)
        return resolve_table(r, name, out, error);
    if (!value)
        return unknown_name(name, r->values, NULL, error);
    if (r->repetition)
        *r->repetition |= value->repetition;
    *out = value->value;
    return 0;
}

int nest_evaluate(const struct nest_values *values, const struct expression *expression,
                  int64_t *out, bool *repetition, struct error *error)
{
    struct resolving resolving = {values, repetition};
    return integer_evaluate(expression, resolve_value, &resolving, out, error);
}

/* An index must lie in the table whatever happens. */
static int compile_table(struct compiler *c, const struct expression *e, const struct form **out)
{
    const struct nest_numbers *table = nest_values_table(c->values, e->name);
    const struct form *index;
    if (!table)
        return unknown_name(e, c->values, c, c->error);
    int status = check_table_index(e, c->error);
    if (!status)
        status = compile_expression(c, e->args[0], &index);
    if (status)
        return status;
    if (!c->dead && (index->low < 0 || index->high >= table->n)) {
        error_at(c->error, STATUS_INPUT, &e->args[0]->mark,
                 "%s: the index may be %lld, outside 0..%lld", e->name,
                 (long long)(index->low < 0 ? index->low : index->high), (long long)table->n - 1);
        error_hint(c->error, "write min(..., %lld) or max(..., 0) around it if it never is",
                   (long long)table->n - 1);
        return STATUS_INPUT;
    }
    *out = c->dead ? form_constant(&c->forms, 0)
                   : form_table(&c->forms, table->values, table->n, index);
    return 0;
}

static int compile_name(struct compiler *c, const struct expression *e, const struct form **out)
{
    if (e->op == EXPRESSION_INDEX)
        return compile_table(c, e, out);
    for (size_t i = c->scope.count; i-- > 0;)
        if (strcmp(c->scope.items[i].name, e->name) == 0) {
            *out = c->scope.items[i].value;
            return 0;
        }
    if (nest_is_reserved(e->name)) {
        int axis = e->name[1] - 'x';
        switch (e->name[0]) {
        case 'b':
            *out = form_variable(&c->forms, VARIABLE_BX + axis);
            break;
        case 't':
            *out = form_variable(&c->forms, VARIABLE_TX + axis);
            break;
        case 'g':
            *out = form_constant(&c->forms, c->program->grid[axis]);
            break;
        default:
            *out = form_constant(&c->forms, c->program->block[axis]);
        }
        return 0;
    }
    const struct nest_value *value = nest_values_find(c->values, e->name);
    if (!value)
        return unknown_name(e, c->values, c, c->error);
    if (value->repetition)
        compile_note_launch(c, value->value);
    *out = form_constant(&c->forms, value->value);
    return 0;
}

int compile_declare(struct compiler *c, const char *name, const struct mark *mark,
                    const struct form *value)
{
    bool taken = nest_values_find(c->values, name) != NULL;
    for (size_t i = 0; i < c->scope.count; i++)
        taken = taken || strcmp(c->scope.items[i].name, name) == 0;
    if (taken)
        return error_at(c->error, STATUS_INPUT, mark, "\"%s\" is the name of something else here",
                        name);
    VECTOR_PUSH(&c->scope, (struct compiler_name){name, value});
    return 0;
}

int compile_settle(struct compiler *c, const struct mark *mark)
{
    bool overflow = c->forms.overflow;
    c->forms.overflow = false;
    if (!overflow || c->dead)
        return 0;
    return error_at(c->error, STATUS_INPUT, mark, "the value may not fit in 64 bits");
}

/* ---- expressions -------------------------------------------------------- */

static int fail(struct compiler *c, const struct expression *e, const char *what)
{
    return error_at(c->error, STATUS_INPUT, &e->mark, "\"%s\": %s", expression_op_symbol(e->op),
                    what);
}

static int compile_quotient(struct compiler *c, const struct expression *e, bool up,
                            const struct form *x, const struct form *y, const struct form **out)
{
    const struct form *zero = form_constant(&c->forms, 0);
    if (y->low <= 0 && y->high >= 0) {
        if (c->dead) {
            *out = zero;
            return 0;
        }
        fail(c, e, form_is_constant(y) ? "division by zero" : "the divisor may be zero");
        if (!form_is_constant(y))
            error_hint(c->error, "write max(1, ...) around the divisor if it never is");
        return STATUS_INPUT;
    }
    if (e->op == EXPRESSION_MODULO)
        *out = form_modulo(&c->forms, x, y);
    else if (up) /* ceil(x/y) = -floor(-x/y) */
        *out = form_sum(&c->forms, zero,
                        form_divide(&c->forms, form_sum(&c->forms, zero, x, -1), y), -1);
    else
        *out = form_divide(&c->forms, x, y);
    return 0;
}

static int compile_root(struct compiler *c, const struct expression *e, bool up,
                        const struct form *x, const struct form **out)
{
    enum atom_op op = e->op == EXPRESSION_SQRT ? ATOM_SQRT : ATOM_LOG2;
    int64_t least = op == ATOM_LOG2;
    if (x->low < least && !c->dead)
        return fail(c, e, least ? "the operand may be below 1" : "the operand may be negative");
    x = form_max(&c->forms, x, form_constant(&c->forms, least));
    *out = form_root(&c->forms, op, x);
    if (!up)
        return 0;
    /* One more unless the operand is the exact square or power. */
    const struct form *two = form_constant(&c->forms, 2), *one = form_constant(&c->forms, 1);
    const struct form *exact =
        op == ATOM_SQRT ? form_power(&c->forms, *out, two) : form_power(&c->forms, two, *out);
    const struct condition *round =
        condition_nonpositive(&c->forms, form_sum(&c->forms, x, exact, -1));
    *out = form_sum(&c->forms, *out,
                    form_select(&c->forms, round, form_constant(&c->forms, 0), one), 1);
    return 0;
}

/* min(a, b) = -max(-a, -b) */
static const struct form *compile_extremum(struct compiler *c, const struct form **args, int n,
                                           int sign)
{
    const struct form *zero = form_constant(&c->forms, 0);
    const struct form *best = form_sum(&c->forms, zero, args[0], sign);
    for (int i = 1; i < n; i++)
        best = form_max(&c->forms, best, form_sum(&c->forms, zero, args[i], sign));
    return form_sum(&c->forms, zero, best, sign);
}

static int compile_power(struct compiler *c, const struct expression *e, const struct form **args,
                         const struct form **out)
{
    if (args[1]->low < 0 && !c->dead)
        return fail(c, e, "the exponent may be negative");
    *out =
        form_power(&c->forms, args[0], form_max(&c->forms, args[1], form_constant(&c->forms, 0)));
    return 0;
}

static int compile_operation(struct compiler *c, const struct expression *e, bool up,
                             const struct form **args, const struct form **out)
{
    const struct form *pair[2];
    switch (e->op) {
    case EXPRESSION_ADD:
    case EXPRESSION_SUBTRACT:
        *out = form_sum(&c->forms, args[0], args[1], e->op == EXPRESSION_ADD ? 1 : -1);
        return 0;
    case EXPRESSION_NEGATE:
        *out = form_sum(&c->forms, form_constant(&c->forms, 0), args[0], -1);
        return 0;
    case EXPRESSION_MULTIPLY:
        *out = form_product(&c->forms, args[0], args[1]);
        return 0;
    case EXPRESSION_DIVIDE:
    case EXPRESSION_MODULO:
        return compile_quotient(c, e, up, args[0], args[1], out);
    case EXPRESSION_POWER:
        return compile_power(c, e, args, out);
    case EXPRESSION_SQRT:
    case EXPRESSION_LOG2:
        return compile_root(c, e, up, args[0], out);
    case EXPRESSION_MIN:
    case EXPRESSION_MAX:
        *out = compile_extremum(c, args, e->n_args, e->op == EXPRESSION_MAX ? 1 : -1);
        return 0;
    case EXPRESSION_ABS:
        pair[0] = args[0];
        pair[1] = form_sum(&c->forms, form_constant(&c->forms, 0), args[0], -1);
        *out = compile_extremum(c, pair, 2, 1);
        return 0;
    default: /* EXPRESSION_FLOOR: everything is whole already */
        *out = args[0];
        return 0;
    }
}

static bool is_condition(const struct expression *e)
{
    return e->op >= EXPRESSION_LESS && e->op <= EXPRESSION_NOT;
}

static int compile_select(struct compiler *c, const struct expression *e, const struct form **out)
{
    bool whole = e->op == EXPRESSION_IF;
    const struct condition *condition;
    const struct form *x = form_constant(&c->forms, 1), *y = form_constant(&c->forms, 0);
    int status = compile_condition(c, whole ? e->args[0] : e, &condition);
    if (!status && whole)
        status = compile_expression(c, e->args[1], &x);
    if (!status && whole)
        status = compile_expression(c, e->args[2], &y);
    if (!status)
        *out = form_select(&c->forms, condition, x, y);
    return status;
}

int compile_expression(struct compiler *c, const struct expression *e, const struct form **out)
{
    int status = 0;
    int64_t number;
    bool up = false;
    if (e->op == EXPRESSION_NUMBER) {
        status = integer_number(e, &number, c->error);
        *out = status ? NULL : form_constant(&c->forms, number);
        return status;
    }
    if (e->op == EXPRESSION_NAME || e->op == EXPRESSION_INDEX)
        return compile_name(c, e, out);
    if (e->op == EXPRESSION_IF || is_condition(e))
        return compile_select(c, e, out);
    if (e->op == EXPRESSION_CEIL) {
        if ((status = integer_check_ceil(e, &up, c->error)))
            return status;
        e = e->args[0];
        if (!up)
            return compile_expression(c, e, out);
    }
    const struct form *args[16];
    for (int i = 0; i < e->n_args && !status; i++)
        status = compile_expression(c, e->args[i], &args[i]);
    if (!status)
        status = compile_operation(c, e, up, args, out);
    return status ? status : compile_settle(c, &e->mark);
}

/* a < b is a - b + 1 <= 0, and so on. */
static int compile_comparison(struct compiler *c, const struct expression *e,
                              const struct condition **out)
{
    const struct form *a, *b;
    int status = compile_expression(c, e->args[0], &a);
    if (!status)
        status = compile_expression(c, e->args[1], &b);
    if (status)
        return status;
    bool strict = e->op == EXPRESSION_LESS || e->op == EXPRESSION_GREATER;
    bool less = e->op == EXPRESSION_LESS || e->op == EXPRESSION_LESS_EQUAL;
    if (e->op == EXPRESSION_EQUAL || e->op == EXPRESSION_NOT_EQUAL) {
        *out = condition_zero(&c->forms, form_sum(&c->forms, a, b, -1), e->op == EXPRESSION_EQUAL);
        return 0;
    }
    const struct form *difference =
        less ? form_sum(&c->forms, a, b, -1) : form_sum(&c->forms, b, a, -1);
    *out = condition_nonpositive(
        &c->forms, form_sum(&c->forms, difference, form_constant(&c->forms, strict), 1));
    return 0;
}

int compile_condition(struct compiler *c, const struct expression *e, const struct condition **out)
{
    const struct condition *a, *b;
    const struct form *value;
    int status;
    switch (e->op) {
    case EXPRESSION_AND:
    case EXPRESSION_OR:
        if ((status = compile_condition(c, e->args[0], &a)) ||
            (status = compile_condition(c, e->args[1], &b)))
            return status;
        *out = e->op == EXPRESSION_AND ? condition_both(&c->forms, a, b)
                                       : condition_either(&c->forms, a, b);
        return 0;
    case EXPRESSION_NOT:
        if ((status = compile_condition(c, e->args[0], &a)))
            return status;
        *out = condition_not(&c->forms, a);
        return 0;
    default:
        if (is_condition(e))
            return compile_comparison(c, e, out);
        if ((status = compile_expression(c, e, &value)))
            return status;
        *out = condition_zero(&c->forms, value, false);
        return 0;
    }
}
