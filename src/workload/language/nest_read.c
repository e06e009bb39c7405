/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a loop nest from YAML. Values are not evaluated here: names and types
 * of things, and the number of indices, are checked. */
#include <stdlib.h>
#include <string.h>

#include "core/suggest.h"
#include "workload/language/nest_reader.h"
#include "workload/scale.h"
#include "workload/settings.h"
#include "yaml/yaml.h"

static const struct element_type {
    const char *name;
    uint8_t bytes;
} element_types[] = {{"i8", 1},    {"u8", 1},     {"i16", 2},    {"u16", 2},
                     {"f16", 2},   {"bf16", 2},   {"i32", 4},    {"u32", 4},
                     {"f32", 4},   {"i64", 8},    {"u64", 8},    {"f64", 8},
                     {"f32x2", 8}, {"f32x3", 12}, {"f32x4", 16}, {"f64x2", 16}};

/* ---- arrays ------------------------------------------------------------- */

static int read_type(struct reader *r, const struct yaml_node *node, struct nest_array *array)
{
    int status = yaml_string(node, "type", &array->type, r->error);
    if (status)
        return status;
    struct suggest suggest = suggest_begin(array->type);
    for (size_t i = 0; i < sizeof element_types / sizeof *element_types; i++) {
        if (strcmp(element_types[i].name, array->type) == 0) {
            array->element_bytes = element_types[i].bytes;
            return 0;
        }
        suggest_offer(&suggest, element_types[i].name);
    }
    yaml_error(node, r->error, "unknown element type \"%.40s\"", array->type);
    if (suggest.best)
        error_hint(r->error, "did you mean \"%s\"?", suggest.best);
    error_hint(r->error, "known: i8 u8 i16 u16 f16 bf16 i32 u32 f32 i64 u64 f64 f32x2 f32x3 f32x4 "
                         "f64x2");
    return STATUS_INPUT;
}

static int read_array(struct reader *r, const struct yaml_node *key, const struct yaml_node *node,
                      struct nest_array *array)
{
    struct yaml_node *shape, *type;
    array->name = key->text;
    array->mark = key->mark;
    int status = reader_name(r, key->text, &key->mark);
    if (status || (status = yaml_check_form(node, key->text, nest_array_keys, r->error)) ||
        (status = yaml_require(node, key->text, "shape", &shape, r->error)) ||
        (status = yaml_require(node, key->text, "type", &type, r->error)) ||
        (status = yaml_expect(shape, YAML_LIST, "shape", r->error)) ||
        (status = read_type(r, type, array)))
        return status;
    if (shape->count < 1 || shape->count > NEST_DIMS)
        return yaml_error(shape, r->error, "shape: expected 1 to %d extents, found %zu", NEST_DIMS,
                          shape->count);
    array->n_dims = (int)shape->count;
    for (size_t i = 0; i < shape->count && !status; i++)
        status = reader_expression(r, shape->items[i], "shape", &array->shape[i]);
    return status;
}

static int read_arrays(struct reader *r, const struct yaml_node *node)
{
    struct nest *nest = r->nest;
    int status = yaml_expect(node, YAML_MAP, "arrays", r->error);
    if (!status && node->count == 0)
        status = yaml_error(node, r->error, "arrays: at least one array is needed");
    if (status)
        return status;
    nest->arrays = arena_alloc(r->arena, node->count * sizeof *nest->arrays);
    for (; nest->n_arrays < node->count && !status; nest->n_arrays++)
        status = read_array(r, node->keys[nest->n_arrays], node->items[nest->n_arrays],
                            &nest->arrays[nest->n_arrays]);
    return status;
}

static int find_array(struct reader *r, const char *name, const struct mark *mark, int *out)
{
    struct suggest suggest = suggest_begin(name);
    for (size_t i = 0; i < r->nest->n_arrays; i++) {
        if (strcmp(r->nest->arrays[i].name, name) == 0) {
            *out = (int)i;
            return 0;
        }
        suggest_offer(&suggest, r->nest->arrays[i].name);
    }
    error_at(r->error, STATUS_INPUT, mark, "there is no array \"%.80s\"", name);
    if (suggest.best)
        error_hint(r->error, "did you mean \"%s\"?", suggest.best);
    return STATUS_INPUT;
}

/* ---- tables ------------------------------------------------------------- */

static int read_table(struct reader *r, const struct yaml_node *key, const struct yaml_node *node,
                      struct nest_table *table)
{
    table->name = key->text;
    table->mark = key->mark;
    int status = reader_name(r, key->text, &key->mark);
    if (!status)
        status = yaml_expect(node, YAML_LIST, key->text, r->error);
    if (!status && node->count == 0)
        status = yaml_error(node, r->error, "%s: at least one number is needed", key->text);
    for (size_t i = 0; i < r->nest->n_parameters && !status; i++)
        if (strcmp(r->nest->parameters[i].name, key->text) == 0)
            status = error_at(r->error, STATUS_INPUT, &key->mark, "\"%s\" is a parameter already",
                              key->text);
    if (status)
        return status;
    table->values = arena_alloc(r->arena, node->count * sizeof *table->values);
    for (; table->n < node->count && !status; table->n++)
        status = reader_expression(r, node->items[table->n], key->text, &table->values[table->n]);
    return status;
}

static int read_tables(struct reader *r, const struct yaml_node *node)
{
    struct nest *nest = r->nest;
    int status = node ? yaml_expect(node, YAML_MAP, "tables", r->error) : 0;
    if (status || !node)
        return status;
    nest->tables = arena_alloc(r->arena, node->count * sizeof *nest->tables);
    for (; nest->n_tables < node->count && !status; nest->n_tables++)
        status = read_table(r, node->keys[nest->n_tables], node->items[nest->n_tables],
                            &nest->tables[nest->n_tables]);
    return status;
}

/* ---- bodies ------------------------------------------------------------- */

static int read_block(struct reader *r, const struct yaml_node *node, struct nest_block *block);

static int read_access(struct reader *r, const struct yaml_node *node, const char *what,
                       struct nest_item *item)
{
    int status = reader_expression(r, node, what, &item->expression);
    if (status)
        return status;
    const struct expression *e = item->expression;
    if (e->op != EXPRESSION_INDEX) {
        error_at(r->error, STATUS_INPUT, &e->mark, "%s: expected an array element", what);
        error_hint(r->error, "write it in quotes: {%s: \"A[i,k]\"}", what);
        return STATUS_INPUT;
    }
    if ((status = find_array(r, e->name, &e->mark, &item->array)))
        return status;
    const struct nest_array *array = &r->nest->arrays[item->array];
    if (e->n_args != array->n_dims)
        return error_at(r->error, STATUS_INPUT, &e->mark,
                        "%s has %d dimension%s, but %d ind%s given", array->name, array->n_dims,
                        array->n_dims == 1 ? "" : "s", e->n_args,
                        e->n_args == 1 ? "ex is" : "ices are");
    return 0;
}

/* Which cache a load is meant for. */
static int read_path(struct reader *r, const struct yaml_node *node, struct nest_item *item)
{
    const char *name;
    int status = yaml_string(node, "through", &name, r->error);
    if (status)
        return status;
    int path = access_path_find(name);
    if (path < 0) {
        yaml_error(node, r->error, "through: expected scalar, constant or texture, got \"%.40s\"",
                   name);
        return error_hint(r->error, "other loads ask L1 and say nothing");
    }
    item->path = (enum access_path)path;
    return 0;
}

/* The number of a compute or an overhead, the condition of an if. */
static int read_plain(struct reader *r, const struct yaml_node *node, const char *what,
                      struct nest_item *item)
{
    return reader_expression(r, node, what, &item->expression);
}

static int read_for(struct reader *r, const struct yaml_node *node, const char *what,
                    struct nest_item *item)
{
    return reader_range(r, node, what, false, &item->range);
}

static const char *const leaf_keys[] = {NULL, NULL};
static const char *const load_keys[] = {"load", "through", NULL};
static const char *const for_keys[] = {"for", "step", "unroll", "let", "body", NULL};
static const char *const if_keys[] = {"if", "let", "body", NULL};

static const struct statement {
    const char *key;
    enum nest_item_kind kind;
    enum access_kind access;
    int (*read)(struct reader *, const struct yaml_node *, const char *, struct nest_item *);
    const char *const *keys; /* leaf_keys: no other key */
} statements[] = {
    {"for", NEST_FOR, ACCESS_NONE, read_for, for_keys},
    {"if", NEST_IF, ACCESS_NONE, read_plain, if_keys},
    {"load", NEST_ACCESS, ACCESS_READ, read_access, load_keys},
    {"store", NEST_ACCESS, ACCESS_WRITE, read_access, leaf_keys},
    {"atomic", NEST_ACCESS, ACCESS_ATOMIC, read_access, leaf_keys},
    {"compute", NEST_COMPUTE, ACCESS_NONE, read_plain, leaf_keys},
    {"overhead", NEST_OVERHEAD, ACCESS_NONE, read_plain, leaf_keys},
};

static int read_item(struct reader *r, const struct yaml_node *node, struct nest_item *item)
{
    const struct statement *statement = NULL;
    int status = yaml_check_form(node, "body", nest_body_keys, r->error);
    for (size_t i = 0; !status && !statement && i < sizeof statements / sizeof *statements; i++)
        if (yaml_get(node, statements[i].key))
            statement = &statements[i];
    if (status)
        return status;
    if (!statement)
        return yaml_error(node, r->error,
                          "body: expected one of for, if, load, store, atomic, compute, overhead");
    const char *const single[] = {statement->key, NULL};
    status = yaml_check_keys(node, statement->key,
                             statement->keys == leaf_keys ? single : statement->keys, r->error);
    if (status)
        return status;
    item->kind = statement->kind;
    item->access = statement->access;
    item->mark = node->mark;
    status = statement->read(r, yaml_get(node, statement->key), statement->key, item);
    if (!status && yaml_get(node, "through"))
        status = read_path(r, yaml_get(node, "through"), item);
    if (status || item->kind == NEST_ACCESS || statement->keys == leaf_keys)
        return status;
    if (yaml_get(node, "step"))
        status = reader_expression(r, yaml_get(node, "step"), "step", &item->range.step);
    if (!status && yaml_get(node, "unroll"))
        status = reader_expression(r, yaml_get(node, "unroll"), "unroll", &item->unroll);
    return status ? status : read_block(r, node, &item->body);
}

static int read_lets(struct reader *r, const struct yaml_node *node, struct nest_block *block)
{
    const struct yaml_node *let = yaml_get(node, "let");
    int status = let ? yaml_expect(let, YAML_MAP, "let", r->error) : 0;
    if (status || !let)
        return status;
    block->lets = arena_alloc(r->arena, let->count * sizeof *block->lets);
    for (; block->n_lets < let->count && !status; block->n_lets++) {
        struct nest_let *l = &block->lets[block->n_lets];
        l->name = let->keys[block->n_lets]->text;
        l->mark = let->keys[block->n_lets]->mark;
        if (!(status = reader_name(r, l->name, &l->mark)))
            status = reader_expression(r, let->items[block->n_lets], "let", &l->value);
    }
    return status;
}

/* The keys let and body of a kernel, a loop or a condition. */
static int read_block(struct reader *r, const struct yaml_node *node, struct nest_block *block)
{
    struct yaml_node *body;
    int status = yaml_require(node, "kernel", "body", &body, r->error);
    if (!status && ++r->depth > NEST_DEPTH)
        status =
            yaml_error(body, r->error, "loops and conditions nested deeper than %d", NEST_DEPTH);
    if (!status)
        status = yaml_expect(body, YAML_LIST, "body", r->error);
    if (!status)
        status = read_lets(r, node, block);
    if (status)
        return status;
    block->items = arena_alloc(r->arena, body->count * sizeof *block->items);
    for (; block->n_items < body->count && !status; block->n_items++)
        status = read_item(r, body->items[block->n_items], &block->items[block->n_items]);
    r->depth--;
    return status;
}

/* ---- kernels ------------------------------------------------------------ */

static int read_dims(struct reader *r, const struct yaml_node *node, const char *what,
                     const struct expression **out)
{
    int status = 0;
    if (node->kind == YAML_SCALAR)
        return reader_expression(r, node, what, &out[0]);
    if (node->kind != YAML_LIST || node->count < 1 || node->count > 3)
        return yaml_error(node, r->error, "%s: expected one to three whole numbers", what);
    for (size_t i = 0; i < node->count && !status; i++)
        status = reader_expression(r, node->items[i], what, &out[i]);
    return status;
}

static int read_swaps(struct reader *r, const struct yaml_node *node, struct nest_kernel *kernel)
{
    int status = yaml_expect(node, YAML_LIST, "swap", r->error);
    if (status)
        return status;
    kernel->swaps = arena_alloc(r->arena, node->count * sizeof *kernel->swaps);
    for (; kernel->n_swaps < node->count && !status; kernel->n_swaps++) {
        const struct yaml_node *pair = node->items[kernel->n_swaps];
        struct nest_swap *swap = &kernel->swaps[kernel->n_swaps];
        swap->mark = pair->mark;
        if (pair->kind != YAML_LIST || pair->count != 2 || pair->items[0]->kind != YAML_SCALAR ||
            pair->items[1]->kind != YAML_SCALAR)
            return yaml_error(pair, r->error, "swap: expected a list of pairs, [[A, B]]");
        status = find_array(r, pair->items[0]->text, &pair->items[0]->mark, &swap->a);
        if (!status)
            status = find_array(r, pair->items[1]->text, &pair->items[1]->mark, &swap->b);
    }
    return status;
}

static int read_kernels(struct reader *r, const struct yaml_node *node, struct nest_kernel **out,
                        size_t *count);

static int read_repeat(struct reader *r, const struct yaml_node *node, struct nest_kernel *kernel)
{
    int status = 0;
    if (yaml_get(node, "repeat"))
        status = reader_range(r, yaml_get(node, "repeat"), "repeat", true, &kernel->repeat);
    if (!status && yaml_get(node, "swap"))
        status = read_swaps(r, yaml_get(node, "swap"), kernel);
    return status;
}

/* A guard is a condition around all that stands in the body. */
static int read_guard(struct reader *r, const struct yaml_node *node, struct nest_kernel *kernel)
{
    struct nest_item *item = arena_alloc(r->arena, sizeof *item);
    *item = (struct nest_item){.kind = NEST_IF, .mark = node->mark};
    item->body.items = kernel->body.items;
    item->body.n_items = kernel->body.n_items;
    kernel->body.items = item;
    kernel->body.n_items = 1;
    return reader_expression(r, node, "guard", &item->expression);
}

static int read_kernel(struct reader *r, const struct yaml_node *node, struct nest_kernel *kernel)
{
    struct yaml_node *name, *grid, *block;
    bool group = yaml_get(node, "kernels") != NULL;
    int status =
        yaml_check_form(node, "kernels", group ? nest_group_keys : nest_kernel_keys, r->error);
    kernel->mark = node->mark;
    if (status || (status = read_repeat(r, node, kernel)))
        return status;
    if (group && (status = read_lets(r, node, &kernel->body)))
        return status;
    if (group)
        return read_kernels(r, yaml_get(node, "kernels"), &kernel->members, &kernel->n_members);
    if ((status = yaml_require(node, "kernel", "name", &name, r->error)) ||
        (status = yaml_string(name, "name", &kernel->name, r->error)) ||
        (status = yaml_require(node, "kernel", "grid", &grid, r->error)) ||
        (status = yaml_require(node, "kernel", "block", &block, r->error)) ||
        (status = read_dims(r, grid, "grid", kernel->grid)) ||
        (status = read_dims(r, block, "block", kernel->block)))
        return status;
    if (yaml_get(node, "shared") &&
        (status = reader_expression(r, yaml_get(node, "shared"), "shared", &kernel->shared)))
        return status;
    status = read_block(r, node, &kernel->body);
    return status || !yaml_get(node, "guard") ? status
                                              : read_guard(r, yaml_get(node, "guard"), kernel);
}

static int read_kernels(struct reader *r, const struct yaml_node *node, struct nest_kernel **out,
                        size_t *count)
{
    int status = yaml_expect(node, YAML_LIST, "kernels", r->error);
    if (!status && node->count == 0)
        status = yaml_error(node, r->error, "kernels: at least one kernel is needed");
    if (!status && ++r->depth > NEST_DEPTH)
        status = yaml_error(node, r->error, "groups nested deeper than %d", NEST_DEPTH);
    if (status)
        return status;
    *out = arena_alloc(r->arena, node->count * sizeof **out);
    for (*count = 0; *count < node->count && !status; ++*count)
        status = read_kernel(r, node->items[*count], &(*out)[*count]);
    r->depth--;
    return status;
}

/* ---- parameters, inputs, the whole -------------------------------------- */

/* NULL: none. */
static int read_parameters(struct reader *r, const struct yaml_node *node, const char *what,
                           struct nest_parameter **out, size_t *count)
{
    if (!node)
        return 0;
    int status = yaml_expect(node, YAML_MAP, what, r->error);
    if (status)
        return status;
    *out = arena_alloc(r->arena, node->count * sizeof **out);
    for (*count = 0; *count < node->count && !status; ++*count) {
        struct nest_parameter *p = &(*out)[*count];
        p->name = node->keys[*count]->text;
        p->mark = node->keys[*count]->mark;
        if (strcmp(p->name, WORKLOAD_INPUT_KEY) == 0 || strcmp(p->name, SCALE_SIZE_KEY) == 0 ||
            strcmp(p->name, SOURCE_FIRST_KEY) == 0)
            return error_at(r->error, STATUS_INPUT, &p->mark,
                            "\"%s\" is a setting of every workload", p->name);
        if (!(status = reader_name(r, p->name, &p->mark)) &&
            !(status = reader_expression(r, node->items[*count], p->name, &p->value)))
            p->text = node->items[*count]->text;
    }
    return status;
}

/* The keys of an input, and of what scales, are parameters. */
static int check_parameters(struct reader *r, const struct yaml_node *node, const char *name)
{
    const struct nest *nest = r->nest;
    const char **known = arena_alloc(r->arena, (nest->n_parameters + 1) * sizeof *known);
    for (size_t i = 0; i < nest->n_parameters; i++)
        known[i] = nest->parameters[i].name;
    return yaml_check_keys(node, name, known, r->error);
}

static bool has_input(const void *context, const char *name)
{
    const struct nest *nest = context;
    for (size_t i = 0; i < nest->n_inputs; i++)
        if (strcmp(nest->inputs[i].name, name) == 0)
            return true;
    return false;
}

/* NULL: none. "default" is the parameters as they stand, and so is "small" where it is not given:
 * studies over small inputs take any workload. */
static int read_inputs(struct reader *r, const struct yaml_node *node)
{
    struct nest *nest = r->nest;
    size_t count = node ? node->count : 0;
    int status = node ? yaml_expect(node, YAML_MAP, "inputs", r->error) : 0;
    if (status)
        return status;
    nest->inputs = arena_alloc(r->arena, (count + 1) * sizeof *nest->inputs);
    for (; nest->n_inputs < count && !status; nest->n_inputs++) {
        const struct yaml_node *key = node->keys[nest->n_inputs];
        struct nest_input *input = &nest->inputs[nest->n_inputs];
        input->name = key->text;
        input->mark = key->mark;
        if (strcmp(key->text, "default") == 0)
            return yaml_error(key, r->error, "\"default\" is the parameters as they stand");
        if (!(status = check_parameters(r, node->items[nest->n_inputs], key->text)))
            status = read_parameters(r, node->items[nest->n_inputs], key->text, &input->settings,
                                     &input->n_settings);
    }
    if (!status && !has_input(nest, "small"))
        nest->inputs[nest->n_inputs++] = (struct nest_input){.name = "small"};
    return status;
}

/* What stands beside the inputs: how they scale, what papers print of them. */
static int read_facts(struct reader *r, const struct yaml_node *root)
{
    struct nest *nest = r->nest;
    const struct yaml_node *scale = yaml_get(root, "scale"), *published;
    int status = 0;
    if (scale && !(status = check_parameters(r, scale, "scale")))
        status = read_parameters(r, scale, "scale", &nest->scale, &nest->n_scale);
    if (!status && (published = yaml_get(root, "published")))
        status = workload_published_read(published, r->arena, has_input, nest, &nest->published,
                                         r->error);
    return status;
}

static bool uses_name(const struct expression *e, const char *name)
{
    if ((e->op == EXPRESSION_NAME || e->op == EXPRESSION_INDEX) && strcmp(e->name, name) == 0)
        return true;
    for (int i = 0; i < e->n_args; i++)
        if (uses_name(e->args[i], name))
            return true;
    return false;
}

static int check_name_used(struct reader *r, const char *what, const char *name,
                           const struct mark *mark)
{
    for (size_t k = 0; k < r->expressions.count; k++)
        if (uses_name(r->expressions.items[k], name))
            return 0;
    return error_at(r->error, STATUS_INPUT, mark, "the %s \"%s\" has no effect", what, name);
}

/* A parameter without effect is a mistake, not a matter of taste. */
static int check_used(struct reader *r)
{
    const struct nest *nest = r->nest;
    int status = 0;
    for (size_t i = 0; i < nest->n_parameters && !status; i++)
        status =
            check_name_used(r, "parameter", nest->parameters[i].name, &nest->parameters[i].mark);
    for (size_t i = 0; i < nest->n_tables && !status; i++)
        status = check_name_used(r, "table", nest->tables[i].name, &nest->tables[i].mark);
    return status;
}

static int read_header(struct reader *r, const struct yaml_node *root)
{
    struct nest *nest = r->nest;
    struct yaml_node *name;
    int status = yaml_require(root, "workload", "workload", &name, r->error);
    if (!status)
        status = yaml_string(name, "workload", &nest->name, r->error);
    nest->summary = nest->suite = nest->page = "";
    if (!status && yaml_get(root, "summary"))
        status = yaml_string(yaml_get(root, "summary"), "summary", &nest->summary, r->error);
    if (!status && yaml_get(root, "suite"))
        status = yaml_string(yaml_get(root, "suite"), "suite", &nest->suite, r->error);
    if (!status && yaml_get(root, "page"))
        status = yaml_string(yaml_get(root, "page"), "page", &nest->page, r->error);
    return status;
}

static int read_nest(struct reader *r, const struct yaml_node *root)
{
    struct nest *nest = r->nest;
    struct yaml_node *arrays, *kernels;
    int status = yaml_check_form(root, "workload", nest_keys, r->error);
    if (status || (status = read_header(r, root)) ||
        (status = yaml_require(root, "workload", "arrays", &arrays, r->error)) ||
        (status = yaml_require(root, "workload", "kernels", &kernels, r->error)) ||
        (status = read_parameters(r, yaml_get(root, "parameters"), "parameters", &nest->parameters,
                                  &nest->n_parameters)) ||
        (status = read_inputs(r, yaml_get(root, "inputs"))) || (status = read_arrays(r, arrays)) ||
        (status = read_tables(r, yaml_get(root, "tables"))))
        return status;
    status = read_kernels(r, kernels, &nest->kernels, &nest->n_kernels);
    if (!status)
        status = check_used(r);
    return status ? status : read_facts(r, root); /* behind: what scales must be used elsewhere */
}

int nest_load(const char *path, struct nest **out, struct error *error)
{
    struct yaml_document *document;
    *out = NULL;
    int status = yaml_load(path, &document, error);
    if (status)
        return status;
    struct nest *nest = arena_alloc(document->arena, sizeof *nest);
    nest->document = document;
    nest->path = arena_strdup(document->arena, path);
    struct reader r = {.nest = nest, .arena = document->arena, .error = error};
    status = read_nest(&r, document->root);
    VECTOR_FREE(&r.expressions);
    if (status) {
        nest_destroy(nest);
        return status;
    }
    *out = nest;
    return 0;
}

void nest_destroy(struct nest *nest)
{
    if (nest)
        yaml_destroy(nest->document);
}
