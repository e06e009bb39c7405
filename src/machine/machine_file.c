/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine files: YAML into sections, `base` for variants, shipped names. */
#include <stdlib.h>
#include <string.h>

#include "core/catalogue.h"
#include "core/file.h"
#include "core/plugin.h"
#include "core/suggest.h"
#include "machine/beside.h"
#include "machine/internal.h"
#include "machine/latency.h"
#include "yaml/yaml.h"

enum { BASE_DEPTH = 8 };

static int machine_load_depth(const char *name_or_path, int depth, struct machine **out,
                              struct error *error);

static int read_field(struct machine *machine, const char *section, const struct yaml_node *key,
                      const struct yaml_node *value, struct error *error)
{
    char path[160];
    const char *text;
    snprintf(path, sizeof path, "%.60s%s%.80s", section, section[0] ? "." : "", key->text);
    struct parameter p;
    int status = machine_find(machine, path, &p, error);
    if (status) {
        /* Only names of the same section help here. */
        const struct machine_section *s = machine_section_find(machine, section);
        struct suggest suggest = suggest_begin(key->text);
        struct text names = {0};
        for (const struct parameter_row *row = s->schema->rows; row->field; row++) {
            suggest_offer(&suggest, row->field);
            text_printf(&names, "%s%s", names.length ? ", " : "", row->field);
        }
        yaml_error(key, error, "unknown key \"%.80s\"%s%s", key->text, section[0] ? " in " : "",
                   section);
        if (suggest.best)
            error_hint(error, "did you mean \"%s\"?", suggest.best);
        else
            error_hint(error, "known: %s", names.data);
        text_free(&names);
        return STATUS_INPUT;
    }
    if ((status = yaml_string(value, path, &text, error)))
        return status;
    return machine_set(machine, path, text, &value->mark, error);
}

static int read_ends(const struct yaml_node *item, const struct yaml_node *from,
                     const struct yaml_node *to, struct machine_edge *out, struct error *error)
{
    long long a, b;
    int status = yaml_integer(from, "from", 0, 4095, &a, error);
    if (!status)
        status = yaml_integer(to, "to", 0, 4095, &b, error);
    if (status)
        return status;
    if (a == b)
        return yaml_error(item, error, "an edge from node %lld to itself", a);
    *out = (struct machine_edge){.from = (uint32_t)a, .to = (uint32_t)b, .share = 1};
    return 0;
}

static int read_edge_latency(const struct yaml_node *node, struct machine_edge *edge,
                             struct error *error)
{
    struct quantity time;
    int status = yaml_quantity(node, "latency", &time, error);
    if (status)
        return status;
    edge->latency_in_cycles = dim_equal(time.dim, DIM_CYCLES);
    if ((!edge->latency_in_cycles && !dim_equal(time.dim, DIM_SECONDS)) || time.value < 0) {
        yaml_error(node, error, "latency: expected a time, got \"%s\"", node->text);
        error_hint(error, "for example 100 ns or 64 cycles");
        return STATUS_INPUT;
    }
    edge->own_latency = true;
    edge->latency = time.value;
    return 0;
}

static const struct file_key edge_keys[] = {
    {"from", "count", NULL, "required", "the node that it leaves", "from: 0"},
    {"to", "count", NULL, "required", "the node that it leads to", "to: 1"},
    {"bandwidth", "rate", "B/s", "inter.link_bandwidth", "its own", "bandwidth: 48 GB/s"},
    {"latency", "time", "s", "inter.latency", "its own, or that of the switch that it leaves",
     "latency: 90 ns"},
    {NULL}};

const struct file_form machine_edges_form = {
    "inter.edges, each",
    "A list of the link graph's edges, for topology edges: a pair such as `[0, 1]` is an edge both "
    "ways, a map one way. Nodes from the number of chips on are switches.",
    edge_keys};

/* {from: 0, to: 1, bandwidth: 96 GB/s, latency: 100 ns} */
static int read_edge(const struct yaml_node *item, struct machine_edge *edge, struct error *error)
{
    struct yaml_node *from, *to, *bandwidth, *latency;
    struct quantity rate;
    int status;
    if ((status = yaml_check_form(item, "edge", edge_keys, error)) ||
        (status = yaml_require(item, "edge", "from", &from, error)) ||
        (status = yaml_require(item, "edge", "to", &to, error)) ||
        (status = read_ends(item, from, to, edge, error)))
        return status;
    if ((latency = yaml_get(item, "latency")) && (status = read_edge_latency(latency, edge, error)))
        return status;
    if (!(bandwidth = yaml_get(item, "bandwidth")))
        return 0;
    if ((status = yaml_quantity(bandwidth, "bandwidth", &rate, error)))
        return status;
    if (!dim_equal(rate.dim, DIM_BYTES_PER_S) || rate.value <= 0) {
        yaml_error(bandwidth, error, "bandwidth: expected a positive bandwidth, got \"%s\"",
                   bandwidth->text);
        error_hint(error, "for example 96 GB/s");
        return STATUS_INPUT;
    }
    edge->bandwidth_bytes_per_s = rate.value;
    edge->share = 0;
    return 0;
}

/* Each is a map, of one direction, or a pair [0, 1], which is an edge both ways. */
static int read_edges(struct machine *machine, const struct yaml_node *list, struct error *error)
{
    int status = yaml_expect(list, YAML_LIST, "edges", error);
    if (status)
        return status;
    machine->edges = arena_alloc(machine->arena, 2 * list->count * sizeof *machine->edges);
    machine->n_edges = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *item = list->items[i];
        struct machine_edge *edge = &machine->edges[machine->n_edges];
        if (item->kind != YAML_LIST) {
            status = read_edge(item, edge, error);
        } else if (item->count != 2) {
            yaml_error(item, error, "an edge is a pair of nodes, not %zu", item->count);
            error_hint(error, "[0, 1] both ways, or {from: 0, to: 1} one way");
            status = STATUS_INPUT;
        } else if (!(status = read_ends(item, item->items[0], item->items[1], edge, error))) {
            edge[1] = (struct machine_edge){.from = edge->to, .to = edge->from, .share = 1};
            machine->n_edges++;
        }
        if (status)
            return status;
        machine->n_edges++;
    }
    return 0;
}

/* Whether a plug-in asks for a cache level of that name; offers those that there are. */
static bool plugin_level(const char *name, struct suggest *suggest)
{
    bool found = false;
    for (size_t i = 0; plugin_registry[i]; i++)
        for (const char *const *own = plugin_registry[i]->levels; own && *own; own++) {
            found = found || strcmp(*own, name) == 0;
            suggest_offer(suggest, *own);
        }
    return found;
}

static const struct parameter_schema *schema_of(const char *kind)
{
    const struct parameter_schema *schema = machine_schemas;
    while (strcmp(schema->kind, kind) != 0)
        schema++;
    return schema;
}

/* The schema of a section: by its `kind` key, else by its name. */
static int section_schema(const struct yaml_node *key, const struct yaml_node *map,
                          const struct parameter_schema **out, struct error *error)
{
    const struct yaml_node *kind = yaml_get(map, "kind");
    struct suggest suggest = suggest_begin(key->text);
    for (const struct parameter_schema *s = machine_schemas; s->kind; s++) {
        if (kind && !s->single && kind->kind == YAML_SCALAR && strcmp(kind->text, s->kind) == 0) {
            *out = s;
            return 0;
        }
        for (const char *const *name = s->names; *name; name++) {
            if (!kind && strcmp(*name, key->text) == 0) {
                *out = s;
                return 0;
            }
            suggest_offer(&suggest, *name);
        }
        if (s == machine_schemas) /* the machine's own fields */
            for (const struct parameter_row *row = s->rows; row->field; row++)
                suggest_offer(&suggest, row->field);
    }
    bool asked = plugin_level(key->text, &suggest);
    if (kind)
        return yaml_error(kind, error, "kind: expected level, noc, links or memory");
    const struct yaml_node *contents = map->kind == YAML_MAP ? yaml_get(map, "contents") : NULL;
    if (contents && contents->kind == YAML_SCALAR && strcmp(contents->text, "translations") == 0) {
        *out = schema_of("tlb");
        return 0;
    }
    if (contents && contents->kind == YAML_SCALAR && beside_contents(contents->text)) {
        *out = schema_of("beside");
        return 0;
    }
    /* What says for whom it caches and where it stands is a level before the LLC. */
    if (asked || (map->kind == YAML_MAP && yaml_get(map, "scope") && yaml_get(map, "side"))) {
        *out = schema_of("front");
        return 0;
    }
    yaml_error(key, error, "unknown key \"%.80s\"", key->text);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"?", suggest.best);
    else
        error_hint(error, "a section with a name of its own says what it is: scope and side of a "
                          "cache level before the LLC, contents: translations of a TLB, "
                          "contents: scalar, constant or texture of a cache beside L1, or kind: "
                          "noc, links or memory");
    return STATUS_INPUT;
}

static int read_section(struct machine *machine, const struct yaml_node *key,
                        const struct yaml_node *map, struct error *error)
{
    const char *name = key->text;
    const struct parameter_schema *schema = NULL;
    bool known = machine_section_find(machine, name) != NULL;
    int status = known ? 0 : section_schema(key, map, &schema, error);
    if (!status)
        status = yaml_expect(map, YAML_MAP, name, error);
    if (status)
        return status;
    if (!known)
        machine_section_add(machine, name, schema);
    /* What misses the last TLB is walked for: by default, unless the machine says how. */
    if (!known && strcmp(schema->kind, "tlb") == 0 && !machine_section_find(machine, "translation"))
        machine_section_add(machine, "translation", schema_of("translation"));
    bool links = strcmp(machine_section_find(machine, name)->schema->kind, "links") == 0;
    for (size_t i = 0; i < map->count && !status; i++) {
        if (strcmp(map->keys[i]->text, "kind") == 0)
            continue;
        if (links && strcmp(map->keys[i]->text, "edges") == 0) {
            status = read_edges(machine, map->items[i], error);
            /* Listed edges are meant, unless the file names another topology. */
            if (!status && !yaml_get(map, "topology"))
                status = machine_set(machine, "inter.topology", "edges", NULL, error);
        } else
            status = read_field(machine, name, map->keys[i], map->items[i], error);
    }
    return status;
}

static const struct file_key file_keys[] = {
    {"machine", "name", NULL, "required", "the machine's name", "machine: mine"},
    {"base", "machine or path", NULL, "none",
     "a machine whose parameters it starts from; a path is relative to the file", "base: sac"},
    {"summary", "text", NULL, "none", "one line, for lists", "summary: eight chips on a ring"},
    {"source", "text", NULL, "none", "where its numbers come from", "source: SAC, Table 3"},
    {NULL}};

const struct file_form machine_file_form = {"a machine", "The file, beside its sections.",
                                            file_keys};

/* Where the text of a key goes that is no parameter; NULL: it is one, or base. */
static const char **text_slot(struct machine *machine, const char *key)
{
    const char **slots[] = {&machine->name, NULL, &machine->summary, &machine->source};
    _Static_assert(sizeof slots / sizeof *slots + 1 == sizeof file_keys / sizeof *file_keys,
                   "a key of the file needs a place for its text");
    for (size_t i = 0; file_keys[i].name; i++)
        if (strcmp(file_keys[i].name, key) == 0)
            return slots[i];
    return NULL;
}

static int read_top(struct machine *machine, const struct yaml_node *root, struct error *error)
{
    int status = 0;
    for (size_t i = 0; i < root->count && !status; i++) {
        const struct yaml_node *key = root->keys[i], *value = root->items[i];
        const char *text, **slot = text_slot(machine, key->text);
        if (strcmp(key->text, "base") == 0)
            continue;
        if (slot) {
            if (!(status = yaml_string(value, key->text, &text, error)))
                *slot = arena_strdup(machine->arena, text);
            continue;
        }
        bool own = false;
        for (const struct parameter_row *row = machine_schemas[0].rows; row->field; row++)
            own = own || strcmp(row->field, key->text) == 0;
        status = own ? read_field(machine, "", key, value, error)
                     : read_section(machine, key, value, error);
    }
    return status;
}

/* Unless a file says it, from the latencies of the file. Settings and axes of latencies leave it:
 * the stream of requests is one for all of them. */
static int read_stall(struct machine *machine, struct error *error)
{
    struct parameter p;
    int status = machine_find(machine, "sm.stall", &p, error);
    if (status)
        return status;
    struct parameter_value *value = &p.section->values[p.index];
    uint32_t rounds = latency_rounds(machine);
    if (!value->given && rounds)
        *value = (struct parameter_value){.known = true, .number = rounds, .dim = p.row->dim};
    return 0;
}

static int machine_read_depth(const struct yaml_node *root, const char *path, int depth,
                              struct machine **out, struct error *error)
{
    struct yaml_node *name;
    struct machine *machine = NULL;
    *out = NULL;
    int status = yaml_require(root, "a machine file", "machine", &name, error);
    if (status)
        return status;
    const struct yaml_node *base = yaml_get(root, "base");
    if (base) {
        const char *text;
        if ((status = yaml_string(base, "base", &text, error)))
            return status;
        if (depth >= BASE_DEPTH)
            return yaml_error(base, error, "base: more than %d machines on top of each other",
                              BASE_DEPTH);
        char *beside = file_named_in(path, text);
        if (file_is_same(beside, path)) {
            free(beside);
            return yaml_error(base, error, "base: the machine is its own");
        }
        status = machine_load_depth(beside, depth + 1, &machine, error);
        free(beside);
        if (status) {
            error_context(error, "base");
            error_place(error, &base->mark);
            return status;
        }
    } else {
        machine = machine_create();
    }
    machine->path = arena_strdup(machine->arena, path);
    status = read_top(machine, root, error);
    if (!status)
        status = machine_check(machine, error);
    if (!status)
        status = read_stall(machine, error);
    if (status) {
        machine_destroy(machine);
        return status;
    }
    *out = machine;
    return 0;
}

int machine_read(const struct yaml_node *root, const char *path, struct machine **out,
                 struct error *error)
{
    return machine_read_depth(root, path, 0, out, error);
}

void machine_catalogue(struct catalogue *out)
{
    catalogue_read(out, "models", true, "machine");
}

static int machine_load_depth(const char *name_or_path, int depth, struct machine **out,
                              struct error *error)
{
    struct catalogue catalogue;
    struct yaml_document *document = NULL;
    char *path;
    *out = NULL;
    machine_catalogue(&catalogue);
    int status = catalogue_resolve(&catalogue, "machine", name_or_path, &path, error);
    catalogue_fini(&catalogue);
    if (!status)
        status = yaml_load(path, &document, error);
    if (!status)
        status = machine_read_depth(document->root, path, depth, out, error);
    yaml_destroy(document);
    free(path);
    return status;
}

int machine_load(const char *name_or_path, struct machine **out, struct error *error)
{
    return machine_load_depth(name_or_path, 0, out, error);
}
