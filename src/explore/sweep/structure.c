/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structures: term graphs and names. */
#include "explore/sweep/structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/answer/aggregate.h"
#include "explore/sweep/near.h"
#include "explore/sweep/structure_models.h"
#include "explore/sweep/unknown_name.h"
#include "model/cost.h"

/* --- names ------------------------------------------------------------------------ */

enum { LET_NEW = -1, LET_BEGUN = -2 };

struct names {
    const struct sweep *sweep;
    struct structure *structure;
    int *lets;     /* a term each, or what stands for it; NULL: there are none yet */
    size_t n_sets; /* 1 + ties made so far; 0: all of them */
};

/* "[model.]metric[@workload]" or "[model.]metric@geometric-mean", whatever the space's mean is;
 * -1: no such metric. */
static int metric_term(const struct names *names, const char *text)
{
    const struct sweep *sweep = names->sweep;
    const struct space *space = sweep->space;
    const char *at = strchr(text, '@');
    size_t length = at ? (size_t)(at - text) : strlen(text);
    enum space_mean mean = space->mean;
    if (at && space_mean_find(at + 1, &mean))
        at = NULL;
    /* Ties (`set`) are compiled before there are metrics. */
    for (size_t k = 0; names->structure->results && k < space->n_models; k++) {
        size_t m = (space->rank_model + k) % space->n_models;
        const char *model = space->models[m]->plugin.name;
        size_t prefix = strlen(model);
        bool named = strncmp(text, model, prefix) == 0 && text[prefix] == '.';
        char metric[80];
        snprintf(metric, sizeof metric, "%.*s", (int)(length - (named ? prefix + 1 : 0)),
                 text + (named ? prefix + 1 : 0));
        const struct model_metric *row = model_metric_find(space->models[m], metric);
        if (!row || length >= sizeof metric)
            continue;
        int *terms = memory_zero(space->n_workloads, sizeof *terms), n = 0, result = -1;
        for (size_t w = 0; w < space->n_workloads; w++) {
            const struct model_result *result_of =
                &names->structure->results[w * space->n_models + m];
            int term = model_result_metric(result_of, metric);
            if (term < 0) /* a sketch has what stands for it */
                term = model_result_metric(result_of, row->name);
            if (at && strcmp(at + 1, sweep->workload_names[w]) == 0)
                result = term;
            else if (!at && term >= 0)
                terms[n++] = term;
        }
        if (!at && (size_t)n == space->n_workloads)
            result = aggregate_term(names->structure->graph, metric, mean, row->combine, terms, n);
        free(terms);
        if (result >= 0)
            return result;
    }
    return -1;
}

static term_resolve_fn name_resolve;

/* They may stand in any order: one is compiled when it is first asked for. */
static int let_term(const struct names *names, size_t let, int *out, struct error *error)
{
    const struct space_formula *formula = &names->sweep->space->lets[let];
    int *term = &names->lets[let], status = 0;
    if (*term == LET_BEGUN)
        return error_set(error, STATUS_INPUT, "let: %s needs itself", formula->name);
    if (*term == LET_NEW) {
        *term = LET_BEGUN;
        status = term_compile(names->structure->graph, formula->expression, name_resolve,
                              (void *)names, term, error);
    }
    *out = *term;
    return status;
}

static int name_resolve(void *context, const struct expression *name, int *out, struct error *error)
{
    const struct names *names = context;
    const struct space *space = names->sweep->space;
    for (size_t i = 0; names->lets && i < space->n_lets; i++)
        if (strcmp(space->lets[i].name, name->name) == 0)
            return let_term(names, i, out, error);
    /* A tie that is made later would be seen before it is made. */
    for (size_t i = names->n_sets; names->n_sets && i < space->n_sets; i++)
        if (strcmp(space->sets[i].name, name->name) == 0)
            return error_set(error, STATUS_INPUT, "%s is set below: write that one first",
                             name->name);
    *out = metric_term(names, name->name);
    if (*out >= 0)
        return 0;
    if (model_total_find(name->name))
        return model_total_term(names->structure->graph, names->structure->machine, name->name, out,
                                error);
    if (strncmp(name->name, "cost.", 5) == 0 && plugin_find("cost", name->name + 5))
        return cost_term(names->structure->graph, names->structure->machine, name->name, out,
                         error);
    struct parameter p;
    if (machine_find(names->structure->machine, name->name, &p, error))
        return unknown_name(names->sweep, names->structure->machine, !names->structure->results,
                            name->name, error);
    return model_parameter_term(names->structure->graph, names->structure->machine, name->name, out,
                                error);
}

static int name_term(const struct names *names, const char *text, const struct mark *mark, int *out,
                     struct error *error)
{
    struct expression name = {.op = EXPRESSION_NAME, .name = text, .mark = *mark};
    int status = name_resolve((void *)names, &name, out, error);
    if (status)
        error_place(error, mark);
    return status;
}

/* --- the graph ---------------------------------------------------------------------- */

/* True where a computed value is one that the parameter may have. */
static int range_term(struct term_graph *g, const struct parameter *p, int term)
{
    int low[] = {term, term_constant(g, NULL, p->row->min, p->row->dim)};
    int high[] = {term, term_constant(g, NULL, p->row->max, p->row->dim)};
    int whole[] = {term, term_operation(g, EXPRESSION_FLOOR, NULL, 1, &term)};
    int within[] = {term_operation(g, EXPRESSION_GREATER_EQUAL, NULL, 2, low),
                    term_operation(g, EXPRESSION_LESS_EQUAL, NULL, 2, high)};
    int good = term_operation(g, EXPRESSION_AND, NULL, 2, within);
    int both[] = {good, term_operation(g, EXPRESSION_EQUAL, NULL, 2, whole)};
    return p->row->kind == PARAMETER_COUNT ? term_operation(g, EXPRESSION_AND, NULL, 2, both)
                                           : good;
}

/* capacity >= ways * line of every level whose capacity a model reads. */
static int build_level_condition(struct structure *s, int *out, struct error *error)
{
    int status = 0;
    for (size_t i = 0; i < s->machine->n_sections && !status; i++) {
        const struct machine_section *section = &s->machine->sections[i];
        char capacity[80], ways[80];
        int have, set[2];
        snprintf(capacity, sizeof capacity, "%s.capacity", section->name);
        snprintf(ways, sizeof ways, "%s.ways", section->name);
        if (strcmp(section->schema->kind, "level") != 0 || !model_reads(s->graph, capacity) ||
            !model_reads(s->graph, ways))
            continue;
        status = model_parameter_term(s->graph, s->machine, capacity, &have, error);
        if (!status)
            status = model_parameter_term(s->graph, s->machine, ways, &set[0], error);
        if (!status)
            status = model_parameter_term(s->graph, s->machine, "line", &set[1], error);
        if (status)
            return status;
        int sizes[] = {have, term_operation(s->graph, EXPRESSION_MULTIPLY, NULL, 2, set)};
        int both[] = {*out, term_operation(s->graph, EXPRESSION_GREATER_EQUAL, NULL, 2, sizes)};
        *out = term_operation(s->graph, EXPRESSION_AND, NULL, 2, both);
    }
    return status;
}

static int build_sets(struct structure *s, const struct sweep *sweep, struct error *error)
{
    const struct space *space = sweep->space;
    struct names names = {.sweep = sweep, .structure = s};
    for (size_t i = 0; i < space->n_sets; i++) {
        const struct space_formula *set = &space->sets[i];
        struct parameter p;
        int term, status = machine_find(s->machine, set->name, &p, error);
        if (!status && p.row->structure != STRUCTURE_NONE)
            continue;
        names.n_sets = i + 1;
        if (!status)
            status = term_compile(s->graph, set->expression, name_resolve, &names, &term, error);
        if (!status && !dim_equal(term_get(s->graph, term)->dim, p.row->dim)) {
            status =
                error_set(error, STATUS_INPUT, "%s: the expression has another unit", set->name);
            error_hint(error, "expected a quantity such as %s", dim_example(p.row->dim));
        }
        if (status) {
            error_context(error, "set");
            error_place(error, &set->mark);
            return status;
        }
        term_alias(s->graph, set->name, term);
        s->wheres[space->n_wheres + i] = range_term(s->graph, &p, term);
    }
    return 0;
}

/* In place of the models' results, before there are profiles: a number with the unit of each
 * metric that a model may have. */
static void sketch_models(struct structure *s, const struct sweep *sweep)
{
    const struct space *space = sweep->space;
    const struct model_metric speedup[] = {model_speedup_metric, {.name = NULL}};
    size_t n = space->n_workloads * space->n_models;
    s->results = arena_alloc(s->arena, n * sizeof *s->results);
    for (size_t i = 0; i < n; i++) {
        struct model_result *result = &s->results[i];
        *result = (struct model_result){.model = space->models[i % space->n_models]};
        const struct model_metric *tables[] = {
            model_common_metrics, sweep->baseline ? speedup : NULL, result->model->metrics};
        for (int t = 0; t < 3; t++)
            for (const struct model_metric *row = tables[t];
                 row && row->name && result->n_metrics < MODEL_METRICS_MAX; row++)
                result->metrics[result->n_metrics++] =
                    (struct model_term){row->name, term_constant(s->graph, row->name, 1, row->dim)};
    }
}

static int build_formulas(struct structure *s, struct names *names, struct error *error)
{
    const struct space *space = names->sweep->space;
    int status = 0;
    for (size_t i = 0; i < space->n_lets && !status; i++) {
        int term;
        status = let_term(names, i, &term, error);
    }
    for (size_t i = 0; i < space->n_wheres && !status; i++) {
        status = term_compile(s->graph, space->wheres[i].expression, name_resolve, names,
                              &s->wheres[i], error);
        if (!status && space->wheres[i].within > 0)
            structure_keep_near(s, names->sweep, i);
        else if (!status && !dim_equal(term_get(s->graph, s->wheres[i])->dim, DIM_NONE))
            status =
                error_at(error, STATUS_INPUT, &space->wheres[i].mark,
                         "where: \"%s\" is a quantity, not a condition", space->wheres[i].text);
    }
    s->objectives = arena_alloc(s->arena, space->n_objectives * sizeof *s->objectives);
    for (size_t i = 0; i < space->n_objectives && !status; i++)
        status = name_term(names, space->objectives[i].name, &space->objectives[i].mark,
                           &s->objectives[i], error);
    if (!status && !names->sweep->best_of)
        status = name_term(names, space->rank_by, &space->rank_mark, &s->rank, error);
    return status;
}

/* --- columns ------------------------------------------------------------------------- */

struct column_list {
    struct sweep_column *items;
    size_t count, capacity;
};

/* Of a model's metric: over all workloads, and of each. */
static void metric_column(const struct sweep *sweep, const struct structure *s,
                          const struct model *m, const char *metric, struct dim dim,
                          struct column_list *list)
{
    const struct space *space = sweep->space;
    struct names names = {.sweep = sweep, .structure = (struct structure *)s};
    for (size_t w = 0; w <= (space->n_workloads > 1 ? space->n_workloads : 0); w++) {
        const char *name =
            arena_printf(sweep->arena, "%s%s%s%s%s", space->n_models > 1 ? m->plugin.name : "",
                         space->n_models > 1 ? "." : "", metric, w ? "@" : "",
                         w ? sweep->workload_names[w - 1] : "");
        if (metric_term(&names, name) >= 0)
            VECTOR_PUSH(list, (struct sweep_column){name, COLUMN_METRIC, false, dim, 0});
    }
}

/* Those that a metric such as "utilisation_*" stands for, as the first workload has them. */
static void family_columns(const struct sweep *sweep, const struct structure *s, size_t model,
                           const struct model_metric *row, struct column_list *list)
{
    const struct model *m = sweep->space->models[model];
    const struct model_result *result = &s->results[model];
    for (int i = 0; i < result->n_metrics; i++)
        if (model_metric_find(m, result->metrics[i].name) == row)
            metric_column(sweep, s, m, result->metrics[i].name, row->dim, list);
}

static void metric_columns(const struct sweep *sweep, const struct structure *s, size_t model,
                           struct column_list *list)
{
    const struct model *m = sweep->space->models[model];
    const struct model_metric speedup[] = {model_speedup_metric, {.name = NULL}};
    bool own = model_metric_find(m, speedup->name) != &model_speedup_metric;
    const struct model_metric *tables[] = {model_common_metrics, own ? NULL : speedup, m->metrics};
    for (int t = 0; t < 3; t++)
        for (const struct model_metric *row = tables[t]; row && row->name; row++)
            if (strchr(row->name, '*'))
                family_columns(sweep, s, model, row, list);
            else
                metric_column(sweep, s, m, row->name, row->dim, list);
}

/* A parameter or total that is no column yet; metrics have theirs. */
static void add_column(struct column_list *list, const struct space *space, const char *name,
                       struct dim dim)
{
    const char *at = strchr(name, '@');
    enum space_mean mean;
    bool own = at && space_mean_find(at + 1, &mean);
    for (size_t m = 0; m < space->n_models && !own; m++) {
        size_t length = strcspn(name, "@");
        char metric[100];
        snprintf(metric, sizeof metric, "%.*s", (int)(length < 99 ? length : 99), name);
        const char *dot = strrchr(metric, '.');
        if (model_metric_find(space->models[m], metric) ||
            (dot && model_metric_find(space->models[m], dot + 1)))
            return;
    }
    for (size_t c = 0; c < list->count; c++)
        if (strcmp(list->items[c].name, name) == 0)
            return;
    VECTOR_PUSH(list, (struct sweep_column){name, COLUMN_LET, false, dim, 0});
}

static int *new_lets(struct arena *arena, const struct space *space)
{
    int *lets = arena_alloc(arena, space->n_lets * sizeof *lets);
    for (size_t i = 0; i < space->n_lets; i++)
        lets[i] = LET_NEW;
    return lets;
}

void structure_columns(const struct sweep *sweep, const struct structure *s,
                       struct sweep_column **out, size_t *count)
{
    const struct space *space = sweep->space;
    struct column_list list = {0};
    for (size_t a = 0; a < space->n_axes; a++) {
        const struct space_axis *axis = &space->axes[a];
        struct parameter p;
        struct error ignored;
        struct dim dim = DIM_NONE;
        if (axis->numeric && machine_find(s->machine, axis->name, &p, &ignored) == 0)
            dim = p.row->dim;
        VECTOR_PUSH(&list, (struct sweep_column){axis->name, COLUMN_AXIS, !axis->numeric, dim, a});
    }
    struct names names = {.sweep = sweep, .structure = (struct structure *)s};
    names.lets = new_lets(sweep->arena, space);
    for (size_t i = 0; i < space->n_lets; i++) { /* compiled before: shared nodes, no errors */
        struct error ignored;
        int term = 0;
        let_term(&names, i, &term, &ignored);
        VECTOR_PUSH(&list, (struct sweep_column){space->lets[i].name, COLUMN_LET, false,
                                                 term_get(s->graph, term)->dim, 0});
    }
    for (size_t m = 0; m < space->n_models; m++)
        metric_columns(sweep, s, m, &list);
    /* Whatever points are compared by has a column. */
    add_column(&list, space, space->rank_by, term_get(s->graph, s->rank)->dim);
    for (size_t i = 0; i < space->n_objectives; i++)
        add_column(&list, space, space->objectives[i].name,
                   term_get(s->graph, s->objectives[i])->dim);
    *out = arena_alloc(sweep->arena, list.count * sizeof **out);
    if (list.count)
        memcpy(*out, list.items, list.count * sizeof **out);
    *count = list.count;
    VECTOR_FREE(&list);
}

static void build_columns(struct structure *s, const struct names *names)
{
    const struct sweep *sweep = names->sweep;
    struct error ignored;
    s->columns = arena_alloc(s->arena, sweep->n_columns * sizeof *s->columns);
    for (size_t c = 0; c < sweep->n_columns; c++) {
        struct mark nowhere = {0};
        s->columns[c] = -1;
        if (!sweep->columns[c].text)
            name_term(names, sweep->columns[c].name, &nowhere, &s->columns[c], &ignored);
    }
}

/* Which machine it is that cannot be built, or that a model refuses, where there are several. */
static void name_machine(const struct space *space, const struct sweep_part *part,
                         const size_t *digits, struct error *error)
{
    for (size_t a = 0; a < space->n_axes; a++)
        if (space->axes[a].machine && part->active[a])
            error_context(error, "machine %s", space->axes[a].values[digits[a]].label);
}

static int build(const struct sweep *sweep, const struct sweep_part *part, size_t index,
                 bool sketch, struct structure **out, struct error *error)
{
    const struct space *space = sweep->space;
    struct structure *s = memory_zero(1, sizeof *s);
    *out = NULL;
    s->arena = arena_create();
    s->graph = term_graph_create();
    s->part = part;
    s->digits = arena_alloc(s->arena, space->n_axes * sizeof *s->digits);
    int status = structure_machine(space, part, index, s->digits, &s->machine, error);
    s->size = sweep_size(sweep, part, s->digits);
    s->first_id = part->first_id;
    for (size_t a = 0; a < space->n_axes; a++)
        s->first_id += s->digits[a] * part->strides[a];
    struct names names = {.sweep = sweep, .structure = s};
    names.lets = new_lets(s->arena, space);
    /* The user's clauses, then one a tie: its value is in range. */
    s->wheres = arena_alloc(s->arena, space_conditions(space) * sizeof *s->wheres);
    for (size_t i = 0; i < space_conditions(space); i++)
        s->wheres[i] = term_constant(s->graph, NULL, 1, DIM_NONE);
    if (!status)
        status = build_sets(s, sweep, error);
    if (!status && sketch)
        sketch_models(s, sweep);
    else if (!status)
        status = structure_build_models(s, sweep, error);
    if (!status)
        status = build_level_condition(s, &s->wheres[space_conditions(space) - 1], error);
    if (!status)
        status = build_formulas(s, &names, error);
    if (!status) {
        build_columns(s, &names);
        *out = s;
    } else {
        if (status == STATUS_INFEASIBLE)
            name_machine(space, part, s->digits, error);
        structure_destroy(s);
    }
    return status;
}

int structure_build(const struct sweep *sweep, const struct sweep_part *part, size_t index,
                    struct structure **out, struct error *error)
{
    return build(sweep, part, index, false, out, error);
}

int structure_sketch(const struct sweep *sweep, const struct sweep_part *part, size_t index,
                     struct structure **out, struct error *error)
{
    return build(sweep, part, index, true, out, error);
}

void structure_add_room(const struct sweep *sweep, struct structure *s)
{
    size_t n = sweep->space->n_workloads;
    filling_terms_add(s->graph, s->machine, &s->room);
    s->filling = arena_alloc(s->arena, n * sizeof *s->filling);
    for (size_t w = 0; w < n; w++) {
        const struct subject *subject = sweep_subject(sweep, s->size, w);
        const struct profile_view *view;
        struct error ignored;
        bool found = subject_view(subject, s->machine, &view, &ignored) == 0;
        s->filling[w] = filling_source_input(&subject->filling, s->machine, found ? view : NULL);
    }
}

void structure_destroy(struct structure *s)
{
    if (!s)
        return;
    machine_destroy(s->machine);
    term_graph_destroy(s->graph);
    arena_destroy(s->arena);
    free(s);
}

/* --- where axes enter ------------------------------------------------------------------ */

static bool path_axis(const struct sweep *sweep, const struct structure *s, const char *path,
                      size_t *axis, size_t *assignment)
{
    const struct space *space = sweep->space;
    for (size_t a = 0; a < space->n_axes; a++) {
        const struct space_value *value = &space->axes[a].values[0];
        if (!s->part->active[a] || space->axes[a].machine)
            continue;
        for (size_t i = 0; i < value->n_assignments; i++)
            if (strcmp(value->assignments[i].path, path) == 0) {
                *axis = a;
                *assignment = i;
                return true;
            }
    }
    return false;
}

bool structure_input_axis(const struct sweep *sweep, const struct structure *s, int input,
                          size_t *axis, size_t *assignment)
{
    const char *path = term_get(s->graph, term_input_term(s->graph, input))->name;
    return path_axis(sweep, s, path, axis, assignment) && !sweep->space->axes[*axis].structural;
}

void structure_mark_reads(const struct sweep *sweep, const struct structure *s, bool *read)
{
    const struct space *space = sweep->space;
    int n = term_count(s->graph);
    bool *needed = memory_zero((size_t)n, sizeof *needed);
    for (size_t w = 0; w < space->n_workloads; w++) {
        memset(needed, 0, (size_t)n * sizeof *needed);
        for (size_t m = 0; m < space->n_models; m++) {
            const struct model_result *result = &s->results[w * space->n_models + m];
            for (int i = 0; i < result->n_metrics; i++)
                needed[result->metrics[i].term] = true;
        }
        for (int t = n; t-- > 0;) {
            const struct term *term = term_get(s->graph, t);
            size_t axis, assignment;
            bool is_switch = term->resource && strcmp(term->resource, MODEL_SWITCH) == 0;
            for (int i = 0; i < term->n_args && needed[t]; i++)
                needed[term->args[i]] = true;
            if (term->kind == TERM_INPUT && (needed[t] || is_switch) &&
                path_axis(sweep, s, term->name, &axis, &assignment))
                read[axis * space->n_workloads + w] = true;
        }
    }
    free(needed);
}
