/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published figures of workloads. */
#include "workload/published.h"

#include <string.h>

#include "yaml/yaml.h"

static const struct figure_row {
    const char *name, *help;
    bool bytes; /* else a plain number */
} rows[] = {
#define FIGURE_ROW(symbol, name, bytes, help) {name, help, bytes},
    WORKLOAD_FIGURES(FIGURE_ROW)
#undef FIGURE_ROW
};

static const struct file_key keys[] = {
#define FIGURE_KEY(symbol, name, bytes, help)                                                      \
    {name,                                                                                         \
     (bytes) ? "size" : "count",                                                                   \
     (bytes) ? "B" : NULL,                                                                         \
     "none",                                                                                       \
     help,                                                                                         \
     (bytes) ? name ": 37 MB" : name ": 1954"},
    WORKLOAD_FIGURES(FIGURE_KEY)
#undef FIGURE_KEY
        {"machine", "machine", NULL, "the one of that name", "where they hold", "machine: sac"},
    {"why", "map of texts", NULL, "none",
     "why ours is off by more than a quarter, figure by figure",
     "why: {truly_shared: \"the paper's kernel keeps its sum in C\"}"},
    {"slow", "one of: true", NULL, "none",
     "making the input alone takes long: it is looked at only when asked for", "slow: true"},
    {NULL}};

const struct file_form workload_published_form = {
    "published, each",
    "Of what a paper calls NAME there is an input published-NAME, which is measured.", keys};

int workload_figure_find(const char *name)
{
    for (int i = 0; i < FIGURES; i++)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    return -1;
}

int workload_figure_value(const struct workload_figure *figure, double *out, struct error *error)
{
    struct quantity quantity;
    int kind = workload_figure_find(figure->name);
    if (kind < 0)
        return error_set(error, STATUS_INPUT, "there is no published figure \"%.80s\"",
                         figure->name);
    const struct figure_row *row = &rows[kind];
    if (quantity_scan(figure->value, &quantity) == 0 &&
        dim_equal(quantity.dim, row->bytes ? DIM_BYTES : DIM_NONE) && quantity.value >= 0) {
        *out = quantity.value;
        return 0;
    }
    error_set(error, STATUS_INPUT, "%s: expected %s, got \"%.80s\"", figure->name,
              row->bytes ? "a size" : "a plain number", figure->value);
    error_hint(error, "for example: %s: %s", figure->name, row->bytes ? "37 MB" : "1954");
    return STATUS_INPUT;
}

/* ---- reading ------------------------------------------------------------ */

static int read_figure(const struct yaml_node *key, const struct yaml_node *node,
                       struct workload_figure *out, struct error *error)
{
    double ignored;
    int status = yaml_string(node, key->text, &out->value, error);
    if (status)
        return status;
    out->name = key->text;
    status = workload_figure_value(out, &ignored, error);
    if (status)
        error_place(error, &node->mark);
    return status;
}

/* A reason is about a figure that stands beside it. */
static int read_why(const struct yaml_node *node, struct workload_published *out,
                    struct error *error)
{
    const char *names[FIGURES + 1] = {NULL};
    for (int i = 0; out->figures[i].name; i++)
        names[i] = out->figures[i].name;
    int status = yaml_check_keys(node, "why", names, error);
    for (int i = 0; names[i] && !status; i++) {
        const struct yaml_node *why = yaml_get(node, names[i]);
        if (why)
            status = yaml_string(why, names[i], &out->figures[i].why, error);
    }
    return status;
}

static int read_slow(const struct yaml_node *node, bool *out, struct error *error)
{
    const char *text;
    int status = yaml_string(node, "slow", &text, error);
    if (!status && !(*out = strcmp(text, "true") == 0))
        status = yaml_error(node, error, "slow: expected true, got \"%.80s\"", text);
    return status;
}

static int read_one(const struct yaml_node *key, const struct yaml_node *node,
                    struct workload_published *out, struct error *error)
{
    int n = 0;
    out->name = key->text;
    int status = yaml_check_form(node, key->text, keys, error);
    for (size_t i = 0; i < node->count && !status; i++)
        if (workload_figure_find(node->keys[i]->text) >= 0)
            status = read_figure(node->keys[i], node->items[i], &out->figures[n++], error);
    if (!status && yaml_get(node, "machine"))
        status = yaml_string(yaml_get(node, "machine"), "machine", &out->machine, error);
    if (!status && yaml_get(node, "why"))
        status = read_why(yaml_get(node, "why"), out, error);
    if (!status && yaml_get(node, "slow"))
        status = read_slow(yaml_get(node, "slow"), &out->slow, error);
    return status;
}

int workload_published_read(const struct yaml_node *node, struct arena *arena,
                            bool (*has_input)(const void *context, const char *name),
                            const void *context, const struct workload_published **out,
                            struct error *error)
{
    int status = yaml_expect(node, YAML_MAP, "published", error);
    if (status)
        return status;
    struct workload_published *list = arena_alloc(arena, (node->count + 1) * sizeof *list);
    for (size_t i = 0; i < node->count && !status; i++) {
        const struct yaml_node *key = node->keys[i];
        const char *input = arena_printf(arena, "published-%s", key->text);
        status = read_one(key, node->items[i], &list[i], error);
        if (!status && !has_input(context, input)) {
            status = yaml_error(key, error, "there is no input \"%.80s\"", input);
            error_hint(error, "figures published as \"%.80s\" are measured with that input",
                       key->text);
        }
    }
    *out = list;
    return status;
}

static const char *copy(const char *text, struct arena *arena)
{
    return text ? arena_strdup(arena, text) : NULL;
}

const struct workload_published *workload_published_copy(const struct workload_published *list,
                                                         struct arena *arena)
{
    size_t n = 0;
    if (!list)
        return NULL;
    while (list[n].name)
        n++;
    struct workload_published *out = arena_alloc(arena, (n + 1) * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        out[i] = list[i];
        out[i].name = copy(list[i].name, arena);
        out[i].machine = copy(list[i].machine, arena);
        for (struct workload_figure *f = out[i].figures; f->name; f++)
            *f = (struct workload_figure){copy(f->name, arena), copy(f->value, arena),
                                          copy(f->why, arena)};
    }
    return out;
}

int workload_published_load(const char *path, struct arena *arena,
                            bool (*has_input)(const void *context, const char *name),
                            const void *context, const struct workload_published **out,
                            struct error *error)
{
    static const char *const known[] = {"published", NULL};
    struct yaml_document *document;
    struct yaml_node *map;
    *out = NULL;
    int status = yaml_load(path, &document, error);
    if (status)
        return status;
    status = yaml_check_keys(document->root, "published figures", known, error);
    if (!status)
        status = yaml_require(document->root, "published figures", "published", &map, error);
    if (!status)
        status = workload_published_read(map, document->arena, has_input, context, out, error);
    *out = status ? NULL : workload_published_copy(*out, arena);
    yaml_destroy(document);
    return status;
}
