/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/sweep/sweep_lint.h"

#include <stdlib.h>
#include <string.h>

#include "explore/sweep/structure.h"

/* So many structures, and so many combinations of the values that a condition reads in each, are
 * gone through at most. */
enum { STRUCTURES_MOST = 200, VALUES_MOST = 1 << 14 };

/* --- names ---------------------------------------------------------------------------------- */

static bool names_it(const struct expression *e, const char *name)
{
    if ((e->op == EXPRESSION_NAME || e->op == EXPRESSION_INDEX) && strcmp(e->name, name) == 0)
        return true;
    for (int i = 0; i < e->n_args; i++)
        if (names_it(e->args[i], name))
            return true;
    return false;
}

static bool formulas_name(const struct space_formula *formulas, size_t count,
                          const struct space_formula *but, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (&formulas[i] != but && names_it(formulas[i].expression, name))
            return true;
    return false;
}

static bool is_it(const char *text, const char *name)
{
    return text && strcmp(text, name) == 0;
}

static bool is_used(const struct space *space, const struct space_formula *let)
{
    bool used = is_it(space->rank_by, let->name) ||
                formulas_name(space->lets, space->n_lets, let, let->name) ||
                formulas_name(space->sets, space->n_sets, NULL, let->name) ||
                formulas_name(space->wheres, space->n_wheres, NULL, let->name);
    for (size_t i = 0; i < space->n_objectives; i++)
        used = used || is_it(space->objectives[i].name, let->name);
    for (size_t i = 0; i < space->n_plots; i++)
        used = used || is_it(space->plots[i].x, let->name) || is_it(space->plots[i].y, let->name) ||
               is_it(space->plots[i].by, let->name);
    return used;
}

/* Whether all that the expression names is known without a profile. */
static bool is_of_machine(const struct space *space, const struct expression *e, size_t depth)
{
    struct parameter p;
    struct error ignored;
    if (e->op == EXPRESSION_INDEX || depth > space->n_lets)
        return false;
    for (size_t i = 0; e->op == EXPRESSION_NAME && i < space->n_lets; i++)
        if (strcmp(space->lets[i].name, e->name) == 0)
            return is_of_machine(space, space->lets[i].expression, depth + 1);
    if (e->op == EXPRESSION_NAME)
        return model_total_find(e->name) || strncmp(e->name, "cost.", 5) == 0 ||
               machine_find(space->machine, e->name, &p, &ignored) == 0;
    for (int i = 0; i < e->n_args; i++)
        if (!is_of_machine(space, e->args[i], depth))
            return false;
    return true;
}

/* --- conditions ----------------------------------------------------------------------------- */

struct conditions {
    const struct sweep *sweep;
    bool *asked; /* by where clause: of the machine alone, and not given up */
    bool *ever_true, *ever_false;
    size_t structures;
};

/* The axes inside the structure whose values a term hangs on. */
static void find_axes(const struct sweep *sweep, const struct structure *s, int term, bool *axes)
{
    int n = term_count(s->graph);
    bool *needed = memory_zero((size_t)n, sizeof *needed);
    size_t axis, assignment;
    needed[term] = true;
    for (int t = term; t >= 0; t--)
        for (int i = 0; needed[t] && i < term_get(s->graph, t)->n_args; i++)
            needed[term_get(s->graph, t)->args[i]] = true;
    for (int i = 0; i < term_input_count(s->graph); i++)
        if (needed[term_input_term(s->graph, i)] &&
            structure_input_axis(sweep, s, i, &axis, &assignment))
            axes[axis] = true;
    free(needed);
}

/* Goes on to the next combination of the axes' values; false: that was the last. */
static bool next_values(const struct space *space, const bool *axes, size_t *digits)
{
    for (size_t a = space->n_axes; a-- > 0;) {
        if (!axes[a])
            continue;
        if (++digits[a] < space->axes[a].n_values)
            return true;
        digits[a] = 0;
    }
    return false;
}

static void set_inputs(const struct sweep *sweep, const struct structure *s, const bool *axes,
                       const size_t *digits, double *inputs)
{
    size_t axis, assignment;
    for (int i = 0; i < term_input_count(s->graph); i++)
        if (structure_input_axis(sweep, s, i, &axis, &assignment) && axes[axis])
            inputs[i] =
                sweep->space->axes[axis].values[digits[axis]].assignments[assignment].value.number;
}

static void try_values(struct conditions *c, const struct structure *s, size_t where,
                       double *inputs)
{
    const struct space *space = c->sweep->space;
    bool axes[SPACE_AXES_MAX] = {false};
    size_t digits[SPACE_AXES_MAX] = {0}, count = 1;
    int term = s->wheres[where];
    find_axes(c->sweep, s, term, axes);
    for (size_t a = 0; a < space->n_axes && count <= VALUES_MOST; a++)
        count *= axes[a] ? space->axes[a].n_values : 1;
    if (count > VALUES_MOST) {
        c->asked[where] = false;
        return;
    }
    double *values = memory_zero((size_t)term_count(s->graph), sizeof *values);
    do {
        set_inputs(c->sweep, s, axes, digits, inputs);
        term_evaluate_needed(s->graph, inputs, &term, 1, values);
        if (values[term] != 0)
            c->ever_true[where] = true;
        else
            c->ever_false[where] = true;
    } while (next_values(space, axes, digits) && !(c->ever_true[where] && c->ever_false[where]));
    free(values);
}

static int try_structure(void *context, const struct sweep_part *part, size_t index,
                         struct error *error)
{
    struct conditions *c = context;
    struct structure *s;
    int status = structure_sketch(c->sweep, part, index, &s, error);
    if (status)
        return status == STATUS_INFEASIBLE ? 0 : status;
    double *inputs = memory_zero((size_t)term_input_count(s->graph), sizeof *inputs);
    status = model_bind(s->graph, s->machine, inputs, error);
    for (size_t i = 0; i < c->sweep->space->n_wheres && !status; i++)
        if (c->asked[i] && !(c->ever_true[i] && c->ever_false[i]))
            try_values(c, s, i, inputs);
    c->structures++;
    free(inputs);
    structure_destroy(s);
    return status;
}

static int lint_wheres(const struct sweep *sweep, struct sweep_lints *out, struct error *error)
{
    const struct space *space = sweep->space;
    size_t n = space->n_wheres;
    if (n == 0)
        return 0;
    bool *flags = memory_zero(3 * n, sizeof *flags);
    struct conditions c = {sweep, flags, flags + n, flags + 2 * n, 0};
    size_t asked = 0;
    for (size_t i = 0; i < n; i++) {
        c.asked[i] =
            !(space->wheres[i].within > 0) && is_of_machine(space, space->wheres[i].expression, 0);
        asked += c.asked[i];
    }
    int status = 0;
    if (asked && sweep_structures(space) <= STRUCTURES_MOST)
        status = sweep_for_each(space, try_structure, &c, error);
    for (size_t i = 0; i < n && !status && c.structures; i++) {
        struct sweep_lint lint = {c.ever_true[i] ? LINT_WHERE_TRUE : LINT_WHERE_FALSE,
                                  &space->wheres[i]};
        if (c.asked[i] && c.ever_true[i] != c.ever_false[i])
            VECTOR_PUSH(out, lint);
    }
    free(flags);
    return status;
}

int sweep_lint(const struct sweep *sweep, struct sweep_lints *out, struct error *error)
{
    const struct space *space = sweep->space;
    for (size_t i = 0; i < space->n_lets; i++) {
        struct sweep_lint lint = {LINT_LET_UNUSED, &space->lets[i]};
        if (!is_used(space, &space->lets[i]))
            VECTOR_PUSH(out, lint);
    }
    return lint_wheres(sweep, out, error);
}
