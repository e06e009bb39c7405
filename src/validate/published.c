/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads published figures. */
#include "validate/published_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/record/profile.h"
#include "yaml/yaml.h"

/* --- a figure ------------------------------------------------------------------------ */

static const char *const figure_keys[] = {"figure",   "where",    "value",  "unit",  "tolerance",
                                          "evidence", "machine",  "set",    "model", "point",
                                          "workload", "computed", "with",   "mean",  "over",
                                          "ours",     "each",     "counts", NULL};

/* Published: what, where, how much, and how ours is obtained. */
static int read_published(const struct yaml_node *map, struct published_figure *f,
                          struct error *error)
{
    /* In the order of enum checkpoint_how. */
    static const char *const evidence[] = {"exact",   "fitted",     "constant",
                                           "example", "prediction", NULL};
    struct yaml_node *what, *value, *kind;
    const struct yaml_node *tolerance = yaml_get(map, "tolerance"), *unit = yaml_get(map, "unit");
    int how = 0, status = yaml_require(map, "figure", "figure", &what, error);
    f->row.unit = "";
    f->mark = map->mark;
    if (!status)
        status = yaml_string(what, "figure", &f->row.what, error);
    if (!status)
        status = yaml_require(map, "figure", "value", &value, error);
    if (!status)
        status = published_read_number(f->of->arena, value, "value", &f->row.published, error);
    if (!status)
        status = yaml_require(map, "figure", "evidence", &kind, error);
    if (!status)
        status = published_scan_name(kind, "evidence", evidence, &how, error);
    if (!status)
        status = published_read_text(map, "where", &f->row.where, error);
    if (!status)
        status = unit ? yaml_expect(unit, YAML_SCALAR, "unit", error) : 0;
    if (!status && unit)
        f->row.unit = unit->text;
    f->row.how = (enum checkpoint_how)how;
    if (status || !tolerance)
        return status;
    if (tolerance->kind == YAML_SCALAR && strcmp(tolerance->text, "none") == 0) {
        f->row.tolerance = (double)NAN;
        return 0;
    }
    status = published_read_number(f->of->arena, tolerance, "tolerance", &f->row.tolerance, error);
    if (!status && !(f->row.tolerance >= 0))
        status = yaml_error(tolerance, error, "tolerance: at least 0, or none");
    return status;
}

/* A map of parameters and their values, all of them scalars. */
static int check_settings(const struct yaml_node *map, struct error *error)
{
    int status = yaml_expect(map, YAML_MAP, "set", error);
    for (size_t i = 0; i < map->count && !status; i++)
        status = yaml_expect(map->items[i], YAML_SCALAR, map->keys[i]->text, error);
    return status;
}

/* The figure's own machine: a label or a machine, the file's where it names none, with settings of
 * its own. */
static int read_own_machine(const struct yaml_node *map, const struct yaml_node *usual,
                            struct published_figure *f, struct error *error)
{
    const struct yaml_node *node = yaml_get(map, "machine"), *settings = yaml_get(map, "set");
    const char *name = NULL;
    if (!node)
        node = usual;
    int status = node ? yaml_string(node, "machine", &name, error) : 0;
    if (!status && settings)
        status = check_settings(settings, error);
    if (!status && settings && !name)
        status = yaml_error(settings, error, "set: of which machine? There is no machine");
    if (status || !name)
        return status;
    const struct published_machine *labelled = published_machine_find(f->of, name);
    f->own = labelled ? *labelled : (struct published_machine){name, name, NULL, node->mark};
    if (settings && labelled && labelled->settings)
        return yaml_error(settings, error, "set: %s has settings already, under machines", name);
    if (settings)
        f->own.settings = settings;
    return 0;
}

/* The group of workloads that a mean is over. */
static int read_over(const struct yaml_node *map, struct published_figure *f, struct error *error)
{
    const struct yaml_node *node = yaml_get(map, "over");
    struct names {
        const char **items;
        size_t count, capacity;
    } names = {0};
    f->group = -1;
    if (!node)
        return 0;
    if (f->mean == PUBLISHED_OF_ONE)
        return yaml_error(node, error, "over: workloads of a mean; there is no mean");
    for (size_t i = 0; i < f->of->groups.count; i++)
        VECTOR_PUSH(&names, f->of->groups.items[i].name);
    VECTOR_PUSH(&names, NULL);
    int status = published_scan_name(node, "over", names.items, &f->group, error);
    VECTOR_FREE(&names);
    return status;
}

/* What is asked: a model of a point, a workload or all of them. */
static int read_asked(const struct yaml_node *map, struct published_figure *f, struct error *error)
{
    static const char *const means[] = {"arithmetic", "geometric", "harmonic", "inverse",
                                        "largest",    "smallest",  NULL};
    const struct yaml_node *point = yaml_get(map, "point"), *mean = yaml_get(map, "mean"),
                           *workload = yaml_get(map, "workload"), *each = yaml_get(map, "each");
    const struct plugin *model;
    int which = -1, status = published_read_plugin(map, "model", "model", &model, error);
    f->model = (const struct model *)model;
    if (!status)
        status = published_read_text(map, "workload", &f->workload, error);
    if (!status && mean)
        status = published_scan_name(mean, "mean", means, &which, error);
    f->mean = (enum published_mean)(which + 1);
    if (!status && (point != NULL) + (workload != NULL) + (mean != NULL) != (f->model != NULL))
        status = yaml_error(map, error,
                            f->model ? "a model is asked of one of point, workload and all "
                                       "workloads (mean)"
                                     : "point, workload and mean are asked of a model");
    if (!status && point)
        status = profile_read_point(point, &f->point, error);
    if (!status && each && !mean)
        status = yaml_error(each, error, "each: a note for each workload, where mean says so");
    return status ? status : read_over(map, f, error);
}

static int read_computation(const struct yaml_node *map, struct published_figure *f,
                            struct error *error)
{
    const struct yaml_node *node = yaml_get(map, "computed"), *with = yaml_get(map, "with");
    const struct plugin *plugin;
    int status = published_read_plugin(map, "computed", "computation", &plugin, error);
    f->computation = (const struct computation *)plugin;
    if (status || (!f->computation && !with))
        return status;
    if (!f->computation)
        return yaml_error(with, error, "with: arguments of what? There is no computed");
    const char *const *names = f->computation->arguments;
    const char *const none[] = {NULL};
    if (with)
        status = yaml_check_keys(with, "with", names ? names : none, error);
    for (int i = 0; names && names[i] && !status; i++) {
        const struct yaml_node *value = with ? yaml_get(with, names[i]) : NULL;
        status = value
                     ? published_read_number(f->of->arena, value, names[i], &f->arguments[i], error)
                     : yaml_error(with ? with : node, error, "%s lacks the argument %s",
                                  plugin->name, names[i]);
    }
    return status;
}

/* "{expression}" or "{expression:decimals}" at the start of the text; *length: where it ends. */
static int read_value(const struct published_figure *f, const char *text, const struct mark *mark,
                      struct published_part *out, size_t *length, struct error *error)
{
    struct arena *arena = f->of->arena;
    struct expression *value;
    double decimals = -1;
    *length = strcspn(text, "}") + 1;
    if (text[*length - 1] == '\0')
        return error_at(error, STATUS_INPUT, mark, "each: a \"{\" without a \"}\"");
    char *inside = arena_strndup(arena, text + 1, *length - 2), *colon = strchr(inside, ':');
    if (colon && (!number_scan(colon + 1, &decimals) || decimals < 0 || decimals > 17))
        return error_at(error, STATUS_INPUT, mark, "each: decimals of a number are 0 to 17");
    if (colon)
        *colon = '\0';
    struct mark at = *mark;
    at.column++;
    int status = expression_parse(arena, inside, &at, &value, error);
    if (!status)
        status = published_check_names(f, value, error);
    *out = (struct published_part){NULL, value, (int)decimals};
    return status;
}

static int read_each(const struct yaml_node *node, struct published_figure *f, struct error *error)
{
    struct arena *arena = f->of->arena;
    const char *text;
    int status = yaml_string(node, "each", &text, error);
    if (status)
        return status;
    f->each = arena_alloc(arena, (strlen(text) + 1) * sizeof *f->each);
    for (size_t at = 0, length; text[at] && !status; at += length) {
        struct mark mark = node->mark;
        mark.column += (long)at;
        length = strcspn(text + at, "{");
        f->each[f->n_each] =
            (struct published_part){arena_strndup(arena, text + at, length), NULL, -1};
        if (length == 0)
            status = read_value(f, text + at, &mark, &f->each[f->n_each], &length, error);
        f->n_each++;
    }
    return status;
}

static int read_figure(const struct yaml_node *map, const struct yaml_node *machine,
                       struct published_figure *f, struct error *error)
{
    const struct yaml_node *each = yaml_get(map, "each");
    struct yaml_node *node;
    struct expression *ours;
    int status = yaml_check_keys(map, "figure", figure_keys, error);
    if (!status)
        status = read_published(map, f, error);
    if (!status)
        status = published_read_counts(map, f, error);
    if (!status)
        status = read_own_machine(map, machine, f, error);
    if (!status)
        status = read_asked(map, f, error);
    if (!status)
        status = read_computation(map, f, error);
    if (!status)
        status = yaml_require(map, "figure", "ours", &node, error);
    if (!status)
        status = yaml_expect(node, YAML_SCALAR, "ours", error);
    if (!status)
        status = expression_parse(f->of->arena, node->text, &node->mark, &ours, error);
    if (status)
        return status;
    f->ours = ours;
    f->ours_mark = node->mark;
    status = published_check_names(f, ours, error);
    return status || !each ? status : read_each(each, f, error);
}

/* --- the file ------------------------------------------------------------------------- */

static int read_machines(const struct yaml_node *map, struct published *p, struct error *error)
{
    static const char *const keys[] = {"machine", "set", NULL};
    int status = yaml_expect(map, YAML_MAP, "machines", error);
    for (size_t i = 0; i < map->count && !status; i++) {
        const struct yaml_node *node = map->items[i];
        struct published_machine one = {.label = map->keys[i]->text, .mark = node->mark};
        status = yaml_check_keys(node, "machine", keys, error);
        if (!status)
            status = published_read_text(node, "machine", &one.machine, error);
        one.settings = status ? NULL : yaml_get(node, "set");
        if (one.settings)
            status = check_settings(one.settings, error);
        VECTOR_PUSH(&p->machines, one);
    }
    return status;
}

/* workloads: {name: {input: published-sac, names: [gemm, bfs]}} */
static int read_groups(const struct yaml_node *map, struct published *p, struct error *error)
{
    static const char *const keys[] = {"input", "names", NULL};
    int status = yaml_expect(map, YAML_MAP, "workloads", error);
    for (size_t i = 0; i < map->count && !status; i++) {
        const struct yaml_node *node = map->items[i];
        struct published_group one = {.name = map->keys[i]->text, .mark = map->keys[i]->mark};
        struct yaml_node *input = NULL, *names = NULL;
        status = yaml_check_keys(node, "workloads", keys, error);
        if (!status)
            status = yaml_require(node, "workloads", "input", &input, error);
        if (!status)
            status = yaml_string(input, "input", &one.input, error);
        if (!status)
            status = yaml_require(node, "workloads", "names", &names, error);
        if (!status)
            status = yaml_expect(names, YAML_LIST, "names", error);
        if (!status && names->count == 0)
            status = yaml_error(names, error, "names: at least one workload");
        if (status)
            return status;
        const char **list = arena_alloc(p->arena, (names->count + 1) * sizeof *list);
        for (size_t k = 0; k < names->count && !status; k++)
            status = yaml_string(names->items[k], "names", &list[k], error);
        list[names->count] = NULL;
        one.workloads = list;
        VECTOR_PUSH(&p->groups, one);
    }
    return status;
}

static int read_figures(const struct yaml_node *root, struct published *p, struct error *error)
{
    struct yaml_node *list;
    const struct yaml_node *machine = yaml_get(root, "machine");
    int status = yaml_require(root, "published figures", "figures", &list, error);
    if (!status)
        status = yaml_expect(list, YAML_LIST, "figures", error);
    for (size_t i = 0; !status && i < list->count; i++) {
        VECTOR_PUSH(&p->figures, (struct published_figure){.of = p});
        status = yaml_expect(list->items[i], YAML_MAP, "figure", error);
        if (!status)
            status = read_figure(list->items[i], machine, &p->figures.items[i], error);
    }
    return status;
}

static int read_notes(const struct yaml_node *list, struct published *p, struct error *error)
{
    int status = yaml_expect(list, YAML_LIST, "notes", error);
    for (size_t i = 0; !status && i < list->count; i++) {
        const char *text = NULL;
        status = yaml_string(list->items[i], "notes", &text, error);
        VECTOR_PUSH(&p->notes, text);
    }
    return status;
}

/* Whether the user's machine says something about the expression's names. */
static bool asks_machine(const struct published_figure *f, const struct expression *e)
{
    bool asks = false;
    for (int i = 0; i < e->n_args && !asks; i++)
        asks = asks_machine(f, e->args[i]);
    if (e->op != EXPRESSION_NAME)
        return asks;
    const char *label;
    published_name_split(f->of->arena, e->name, &label);
    const struct published_machine *m = label ? published_machine_find(f->of, label) : &f->own;
    return m->label && !m->machine;
}

static void describe(const char *name, struct published *p)
{
    struct validation *v = &p->validation;
    v->plugin.kind = "validation";
    v->plugin.name = name;
    v->columns = checkpoint_columns;
    v->published = p;
    for (size_t i = 0; i < p->figures.count; i++) {
        const struct published_figure *f = &p->figures.items[i];
        v->reads |= asks_machine(f, f->ours) ? VALIDATION_MACHINE : 0;
        for (size_t k = 0; k < f->n_each; k++)
            if (f->each[k].value && asks_machine(f, f->each[k].value))
                v->reads |= VALIDATION_MACHINE;
        v->reads |= f->mean != PUBLISHED_OF_ONE ? VALIDATION_WORKLOADS : 0;
        v->reads |= f->group >= 0 ? VALIDATION_LONG : 0;
    }
}

static int read_root(const struct yaml_node *root, struct published *p, struct error *error)
{
    static const char *const keys[] = {"published", "summary",   "reference", "machine",
                                       "machines",  "workloads", "aims",      "figures",
                                       "labels",    "notes",     NULL};
    struct yaml_node *name, *summary;
    const struct yaml_node *machines = yaml_get(root, "machines"), *notes = yaml_get(root, "notes"),
                           *labels = yaml_get(root, "labels"),
                           *groups = yaml_get(root, "workloads"), *aims = yaml_get(root, "aims");
    const char *system;
    int status = yaml_check_keys(root, "published figures", keys, error);
    if (!status)
        status = yaml_require(root, "published figures", "published", &name, error);
    if (!status)
        status = yaml_string(name, "published", &system, error);
    if (!status)
        status = yaml_require(root, "published figures", "summary", &summary, error);
    if (!status)
        status = yaml_string(summary, "summary", &p->validation.plugin.summary, error);
    if (!status)
        status = published_read_text(root, "reference", &p->validation.plugin.reference, error);
    if (!status && machines)
        status = read_machines(machines, p, error);
    if (!status && groups)
        status = read_groups(groups, p, error);
    if (!status && aims)
        status = published_read_aims(aims, p, error);
    if (!status)
        status = read_figures(root, p, error);
    if (!status && labels)
        status = published_read_labels(labels, p, error);
    if (!status && notes)
        status = read_notes(notes, p, error);
    if (!status)
        describe(system, p);
    return status;
}

int published_load(const char *path, struct published **out, struct error *error)
{
    struct published *p = memory_zero(1, sizeof *p);
    int status = yaml_load(path, &p->document, error);
    if (!status) {
        p->arena = p->document->arena;
        status = read_root(p->document->root, p, error);
    }
    *out = status ? NULL : p;
    if (status)
        published_destroy(p);
    return status;
}

void published_destroy(struct published *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->figures.count; i++)
        profile_destroy(p->figures.items[i].point);
    for (size_t i = 0; i < p->labels.count; i++)
        published_label_fini(&p->labels.items[i]);
    VECTOR_FREE(&p->labels);
    VECTOR_FREE(&p->figures);
    VECTOR_FREE(&p->groups);
    VECTOR_FREE(&p->aims);
    VECTOR_FREE(&p->machines);
    VECTOR_FREE(&p->notes);
    yaml_destroy(p->document);
    free(p);
}
