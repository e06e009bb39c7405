/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, numbers and plug-ins in files of published figures. */
#include "validate/published_reader.h"

#include <string.h>

#include "core/suggest.h"

/* --- names -------------------------------------------------------------------------- */

/* The place of a text in a list; an error that says which are known. */
int published_scan_name(const struct yaml_node *node, const char *what, const char *const *names,
                        int *out, struct error *error)
{
    const char *text;
    struct text known = {0};
    int status = yaml_string(node, what, &text, error);
    if (status)
        return status;
    struct suggest suggest = suggest_begin(text);
    for (*out = 0; names[*out]; (*out)++) {
        if (strcmp(names[*out], text) == 0) {
            text_free(&known);
            return 0;
        }
        suggest_offer(&suggest, names[*out]);
        text_printf(&known, "%s%s", known.length ? ", " : "", names[*out]);
    }
    status = yaml_error(node, error, "%s: there is no \"%.80s\"", what, text);
    error_hint(error, "%s%s%sknown: %s", suggest.best ? "did you mean \"" : "",
               suggest.best ? suggest.best : "", suggest.best ? "\"? " : "", known.data);
    text_free(&known);
    return status;
}

const struct published_machine *published_machine_find(const struct published *published,
                                                       const char *label)
{
    for (size_t i = 0; i < published->machines.count; i++)
        if (strcmp(published->machines.items[i].label, label) == 0)
            return &published->machines.items[i];
    return NULL;
}

const char *published_name_split(struct arena *arena, const char *name, const char **label)
{
    const char *at = strchr(name, '@');
    *label = at ? at + 1 : NULL;
    return at ? arena_strndup(arena, name, (size_t)(at - name)) : name;
}

static bool in_list(const char *const *list, const char *name)
{
    for (; list && *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

/* --- expressions -------------------------------------------------------------------- */

static bool is_of_machine(const char *name)
{
    return strchr(name, '.') != NULL; /* total.x, cost.x, llc.capacity */
}

/* The machine's own parameters, which have no section before a dot: "chips". */
static const struct parameter_row *machine_rows(void)
{
    const struct parameter_schema *schema = machine_schemas;
    while (schema->kind && !in_list(schema->names, ""))
        schema++;
    return schema->rows;
}

static bool is_machine_row(const char *name)
{
    const struct parameter_row *row = machine_rows();
    while (row && row->field && strcmp(row->field, name) != 0)
        row++;
    return row && row->field;
}

/* A name that is no metric, no result and has no dot is a parameter of the machine, or is wrong. */
static int check_plain_name(const struct published_figure *f, const struct expression *e,
                            const char *name, struct error *error)
{
    struct suggest suggest = suggest_begin(name);
    if (is_machine_row(name) || (f->model && strcmp(name, "feasible") == 0) ||
        (f->model && model_metric_find(f->model, name)) ||
        (f->computation && in_list(f->computation->results, name)))
        return 0;
    const struct model_metric *lists[] = {model_common_metrics,
                                          f->model ? f->model->metrics : NULL};
    for (int l = 0; f->model && l < 2; l++)
        for (const struct model_metric *m = lists[l]; m && m->name; m++)
            suggest_offer(&suggest, m->name);
    for (const char *const *r = f->computation ? f->computation->results : NULL; r && *r; r++)
        suggest_offer(&suggest, *r);
    for (const struct parameter_row *p = machine_rows(); p && p->field; p++)
        suggest_offer(&suggest, p->field);
    error_at(error, STATUS_INPUT, &e->mark, "there is no metric, result or parameter \"%.80s\"",
             name);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"?", suggest.best);
    else if (!f->model)
        error_hint(error, "metrics need a model: model: link");
    return STATUS_INPUT;
}

int published_check_names(const struct published_figure *f, const struct expression *e,
                          struct error *error)
{
    int status = 0;
    if (e->op == EXPRESSION_INDEX)
        return error_at(error, STATUS_INPUT, &e->mark, "there is nothing to index in figures");
    for (int i = 0; i < e->n_args && !status; i++)
        status = published_check_names(f, e->args[i], error);
    if (status || e->op != EXPRESSION_NAME)
        return status;
    const char *label, *name = published_name_split(f->of->arena, e->name, &label);
    bool computed = !label && f->computation && in_list(f->computation->results, name);
    if (label && !published_machine_find(f->of, label)) {
        struct suggest suggest = suggest_begin(label);
        for (size_t i = 0; i < f->of->machines.count; i++)
            suggest_offer(&suggest, f->of->machines.items[i].label);
        error_at(error, STATUS_INPUT, &e->mark, "\"%.80s\" is no label under machines", label);
        if (suggest.best)
            error_hint(error, "did you mean \"%s@%s\"?", name, suggest.best);
        return STATUS_INPUT;
    }
    if (!label && !f->own.label && !computed)
        return error_at(error, STATUS_INPUT, &e->mark,
                        "%s of which machine? Say machine, or %s@label", name, name);
    return is_of_machine(name) ? 0 : check_plain_name(f, e, name, error);
}

static int no_names(void *context, const struct expression *name, struct quantity *out,
                    struct error *error)
{
    (void)context;
    (void)out;
    return error_at(error, STATUS_INPUT, &name->mark, "a number, not \"%.80s\"", name->name);
}

/* A plain number, which may be written "4/3". */
int published_read_number(struct arena *arena, const struct yaml_node *node, const char *what,
                          double *out, struct error *error)
{
    const char *text;
    struct expression *expression;
    struct quantity quantity;
    int status = yaml_string(node, what, &text, error);
    if (!status)
        status = expression_parse(arena, text, &node->mark, &expression, error);
    if (!status)
        status = expression_evaluate(expression, no_names, NULL, &quantity, error);
    if (!status && !dim_equal(quantity.dim, DIM_NONE))
        status = yaml_error(node, error, "%s: a plain number; its unit stands in unit", what);
    if (!status)
        *out = quantity.value;
    return status;
}

/* --- scalars ------------------------------------------------------------------------ */

int published_read_text(const struct yaml_node *map, const char *key, const char **out,
                        struct error *error)
{
    const struct yaml_node *node = yaml_get(map, key);
    return node ? yaml_string(node, key, out, error) : 0;
}

int published_read_plugin(const struct yaml_node *map, const char *key, const char *kind,
                          const struct plugin **out, struct error *error)
{
    const struct yaml_node *node = yaml_get(map, key);
    const char *name = NULL;
    *out = NULL;
    int status = published_read_text(map, key, &name, error);
    if (!status && name) {
        status = plugin_require(kind, name, out, error);
        if (status)
            error_place(error, &node->mark);
    }
    return status;
}
