/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads published labels. */
#include "validate/published_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void published_label_fini(struct published_label *label)
{
    VECTOR_FREE(&label->scores);
    VECTOR_FREE(&label->workloads);
    VECTOR_FREE(&label->open);
}

/* Names of choices: the keys of a map, in its order. */
static int read_choices(const struct yaml_node *map, struct published_label *label,
                        struct error *error)
{
    int status = yaml_expect(map, YAML_MAP, "choices", error);
    if (!status && map->count < 2)
        status = yaml_error(map, error, "choices: at least two, each with its score");
    if (status)
        return status;
    const char **names = arena_alloc(label->of->arena, (map->count + 1) * sizeof *names);
    for (size_t i = 0; i < map->count; i++)
        names[i] = map->keys[i]->text;
    names[map->count] = NULL;
    label->choices = names;
    return 0;
}

/* The score of each choice, as parts of a figure of the model. */
static int read_scores(const struct yaml_node *choices, struct published_figure *f,
                       struct error *error)
{
    int status = 0;
    f->each = arena_alloc(f->of->arena, choices->count * sizeof *f->each);
    for (size_t i = 0; i < choices->count && !status; i++) {
        const struct yaml_node *node = choices->items[i];
        struct expression *score = NULL;
        status = yaml_expect(node, YAML_SCALAR, "score", error);
        if (!status)
            status = expression_parse(f->of->arena, node->text, &node->mark, &score, error);
        if (!status)
            status = published_check_names(f, score, error);
        f->each[f->n_each++] = (struct published_part){NULL, score, -1};
    }
    f->ours = f->each[0].value;
    f->ours_mark = choices->items[0]->mark;
    return status;
}

static int read_models(const struct yaml_node *list, const struct yaml_node *choices,
                       struct published_label *label, struct error *error)
{
    int status = yaml_expect(list, YAML_LIST, "models", error);
    if (!status && list->count == 0)
        status = yaml_error(list, error, "models: at least one");
    for (size_t i = 0; !status && i < list->count; i++) {
        struct published_figure f = {.of = label->of, .mark = label->mark};
        const struct plugin *model;
        const char *name = NULL;
        f.row.what = label->what;
        status = yaml_string(list->items[i], "model", &name, error);
        if (!status && (status = plugin_require("model", name, &model, error)))
            error_place(error, &list->items[i]->mark);
        if (status)
            return status;
        f.model = (const struct model *)model;
        status = read_scores(choices, &f, error);
        VECTOR_PUSH(&label->scores, f);
    }
    return status;
}

static int read_small(const struct yaml_node *list, struct published_label *label,
                      struct error *error)
{
    int status = yaml_expect(list, YAML_LIST, "small", error);
    for (size_t i = 0; !status && i < list->count; i++) {
        const char *name = NULL;
        bool found = false;
        status = yaml_string(list->items[i], "small", &name, error);
        for (size_t w = 0; w < label->workloads.count && !status; w++)
            if (strcmp(label->workloads.items[w].workload, name) == 0)
                found = label->workloads.items[w].small = true;
        if (!status && !found)
            status =
                yaml_error(list->items[i], error, "small: \"%.80s\" is not under workloads", name);
    }
    return status;
}

static int read_workloads(const struct yaml_node *map, struct published_label *label,
                          struct error *error)
{
    int status = yaml_expect(map, YAML_MAP, "workloads", error);
    for (size_t i = 0; !status && i < map->count; i++) {
        struct published_labelled one = {.workload = map->keys[i]->text,
                                         .mark = map->keys[i]->mark};
        status = published_scan_name(map->items[i], "choice", label->choices, &one.choice, error);
        VECTOR_PUSH(&label->workloads, one);
    }
    return status;
}

static int read_open(const struct yaml_node *map, struct published_label *label,
                     struct error *error)
{
    int status = yaml_expect(map, YAML_MAP, "open", error);
    for (size_t i = 0; !status && i < map->count; i++) {
        const struct yaml_node *values = map->items[i];
        struct published_open open = {map->keys[i]->text, map->keys[i]->mark, values};
        status = yaml_expect(values, YAML_LIST, open.path, error);
        if (!status && values->count == 0)
            status = yaml_error(values, error, "%s: at least one value", open.path);
        for (size_t v = 0; !status && v < values->count; v++)
            status = yaml_expect(values->items[v], YAML_SCALAR, open.path, error);
        VECTOR_PUSH(&label->open, open);
    }
    return status;
}

static int read_label(const struct yaml_node *map, struct published_label *label,
                      struct error *error)
{
    static const char *const keys[] = {"label",     "where", "input", "models", "choices",
                                       "workloads", "small", "open",  "aim",    NULL};
    static const char *const needed[] = {"label", "input", "choices", "models", "workloads"};
    enum { LABEL, INPUT, CHOICES, MODELS, WORKLOADS, NEEDED };
    struct yaml_node *nodes[NEEDED];
    const struct yaml_node *small = yaml_get(map, "small"), *open = yaml_get(map, "open"),
                           *aim = yaml_get(map, "aim");
    int status = yaml_check_keys(map, "label", keys, error);
    for (int i = 0; i < NEEDED && !status; i++)
        status = yaml_require(map, "label", needed[i], &nodes[i], error);
    if (!status)
        status = yaml_string(nodes[LABEL], "label", &label->what, error);
    if (!status)
        status = yaml_string(nodes[INPUT], "input", &label->input, error);
    if (!status)
        status = published_read_text(map, "where", &label->where, error);
    if (!status)
        status = read_choices(nodes[CHOICES], label, error);
    if (!status)
        status = read_models(nodes[MODELS], nodes[CHOICES], label, error);
    if (!status)
        status = read_workloads(nodes[WORKLOADS], label, error);
    if (!status && small)
        status = read_small(small, label, error);
    label->aim = (double)NAN;
    if (!status && aim)
        status = published_read_number(label->of->arena, aim, "aim", &label->aim, error);
    if (!status && aim && !(label->aim >= 0 && label->aim <= (double)label->workloads.count))
        status = yaml_error(aim, error, "aim: of %zu workloads", label->workloads.count);
    return status || !open ? status : read_open(open, label, error);
}

int published_read_labels(const struct yaml_node *list, struct published *p, struct error *error)
{
    int status = yaml_expect(list, YAML_LIST, "labels", error);
    for (size_t i = 0; !status && i < list->count; i++) {
        VECTOR_PUSH(&p->labels, (struct published_label){.of = p, .mark = list->items[i]->mark});
        status = yaml_expect(list->items[i], YAML_MAP, "label", error);
        if (!status)
            status = read_label(list->items[i], &p->labels.items[i], error);
    }
    return status;
}
