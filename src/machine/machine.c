/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines: sections over the parameter table, values and their checks. The
 * YAML side is machine_file.c, texts of values are parameter.c's. */
#include "machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/plugin.h"
#include "core/suggest.h"
#include "machine/internal.h"
#include "machine/latency.h"

static size_t schema_count(const struct parameter_schema *schema)
{
    size_t count = 0;
    while (schema->rows[count].field)
        count++;
    return count;
}

struct machine_section *machine_section_find(const struct machine *machine, const char *name)
{
    for (size_t i = 0; i < machine->n_sections; i++)
        if (strcmp(machine->sections[i].name, name) == 0)
            return &machine->sections[i];
    return NULL;
}

bool machine_has(const struct machine *machine, const char *section)
{
    return machine_section_find(machine, section) != NULL;
}

struct machine_section *machine_section_add(struct machine *machine, const char *name,
                                            const struct parameter_schema *schema)
{
    struct machine_section *larger =
        arena_alloc(machine->arena, (machine->n_sections + 1) * sizeof *larger);
    if (machine->n_sections)
        memcpy(larger, machine->sections, machine->n_sections * sizeof *larger);
    machine->sections = larger;
    struct machine_section *section = &larger[machine->n_sections++];
    size_t count = schema_count(schema);
    section->name = arena_strdup(machine->arena, name);
    section->schema = schema;
    section->values = arena_alloc(machine->arena, count * sizeof *section->values);
    for (size_t i = 0; i < count; i++) {
        const struct parameter_row *row = &schema->rows[i];
        struct parameter parameter = {section, row, i};
        struct error error;
        section->values[i].dim = row->dim;
        if (row->fallback &&
            parameter_parse(&parameter, row->fallback, NULL, &section->values[i], &error) == 0)
            section->values[i].given = false;
    }
    return section;
}

/* Plug-ins that bring parameters of their own have a section of their name. */
static void machine_add_plugin_sections(struct machine *machine)
{
    for (size_t i = 0; plugin_registry[i]; i++) {
        const struct plugin *plugin = plugin_registry[i];
        if (!plugin->parameters)
            continue;
        struct parameter_schema *schema = arena_alloc(machine->arena, sizeof *schema);
        schema->kind = plugin->kind;
        schema->single = true;
        schema->rows = plugin->parameters;
        machine_section_add(machine, plugin->name, schema);
    }
}

struct machine *machine_create(void)
{
    struct machine *machine = memory_zero(1, sizeof *machine);
    machine->arena = arena_create();
    machine->name = machine->source = machine->summary = "";
    for (const struct parameter_schema *s = machine_schemas; s->kind; s++)
        if (s->single)
            machine_section_add(machine, s->names[0], s);
    machine_add_plugin_sections(machine);
    return machine;
}

struct machine *machine_clone(const struct machine *from)
{
    struct machine *machine = memory_zero(1, sizeof *machine);
    machine->arena = arena_create();
    machine->name = arena_strdup(machine->arena, from->name);
    machine->source = arena_strdup(machine->arena, from->source);
    machine->summary = arena_strdup(machine->arena, from->summary);
    machine->path = from->path ? arena_strdup(machine->arena, from->path) : NULL;
    machine->n_sections = from->n_sections;
    machine->sections = arena_alloc(machine->arena, from->n_sections * sizeof *from->sections);
    for (size_t i = 0; i < from->n_sections; i++) {
        const struct machine_section *old = &from->sections[i];
        struct machine_section *fresh = &machine->sections[i];
        size_t count = schema_count(old->schema);
        struct parameter_schema *schema = arena_alloc(machine->arena, sizeof *schema);
        *schema = *old->schema; /* a plug-in's schema lives in the arena of its machine */
        fresh->name = arena_strdup(machine->arena, old->name);
        fresh->schema = schema;
        fresh->values = arena_alloc(machine->arena, count * sizeof *fresh->values);
        memcpy(fresh->values, old->values, count * sizeof *fresh->values);
        for (size_t v = 0; v < count; v++)
            if (fresh->values[v].name)
                fresh->values[v].name = arena_strdup(machine->arena, fresh->values[v].name);
    }
    machine->n_edges = from->n_edges;
    machine->edges = arena_alloc(machine->arena, from->n_edges * sizeof *from->edges);
    if (from->n_edges)
        memcpy(machine->edges, from->edges, from->n_edges * sizeof *from->edges);
    return machine;
}

void machine_destroy(struct machine *machine)
{
    if (!machine)
        return;
    arena_destroy(machine->arena);
    free(machine);
}

/* --- addressing ------------------------------------------------------------ */

bool machine_next(const struct machine *machine, size_t *cursor, struct parameter *out)
{
    size_t at = *cursor;
    for (size_t s = 0; s < machine->n_sections; s++) {
        const struct machine_section *section = &machine->sections[s];
        size_t count = schema_count(section->schema);
        if (at < count) {
            *out = (struct parameter){section, &section->schema->rows[at], at};
            (*cursor)++;
            return true;
        }
        at -= count;
    }
    return false;
}

bool machine_role(const struct machine *machine, enum parameter_role role, struct parameter *out)
{
    for (size_t i = 0; plugin_registry[i]; i++) {
        const struct parameter_row *row = plugin_registry[i]->parameters;
        for (; row && row->field; row++)
            if (row->role == role) {
                char path[128];
                snprintf(path, sizeof path, "%s.%s", plugin_registry[i]->name, row->field);
                return machine_lookup(machine, path, out);
            }
    }
    return false;
}

bool machine_lookup(const struct machine *machine, const char *path, struct parameter *out)
{
    const char *dot = strchr(path, '.'), *field = dot ? dot + 1 : path;
    size_t length = dot ? (size_t)(dot - path) : 0;
    for (size_t s = 0; s < machine->n_sections; s++) {
        const struct machine_section *section = &machine->sections[s];
        if (strncmp(section->name, path, length) != 0 || section->name[length])
            continue;
        for (size_t r = 0; section->schema->rows[r].field; r++)
            if (strcmp(section->schema->rows[r].field, field) == 0) {
                *out = (struct parameter){section, &section->schema->rows[r], r};
                return true;
            }
    }
    return false;
}

void machine_add_absent(struct machine *machine)
{
    for (const struct parameter_schema *s = machine_schemas; s->kind; s++)
        if (!machine_has(machine, s->names[0]))
            machine_section_add(machine, s->names[0], s);
}

/* The section that a path asks for, where a machine may have it and this one has not; or NULL. */
static const char *absent_section(const struct machine *machine, const char *path)
{
    const char *dot = strchr(path, '.');
    for (const struct parameter_schema *s = machine_schemas; s->kind && dot; s++) {
        const char *name = s->names[0];
        if (strncmp(name, path, (size_t)(dot - path)) != 0 || name[dot - path] ||
            machine_has(machine, name))
            continue;
        for (const struct parameter_row *row = s->rows; row->field; row++)
            if (strcmp(row->field, dot + 1) == 0)
                return name;
    }
    return NULL;
}

/* Parameters that have the word in their names, up to a few, those first whose field begins with
 * it: "link" is of inter.link_bandwidth. */
static bool hint_containing(const struct machine *machine, const char *word, struct error *error)
{
    enum { MOST = 4, SHORTEST = 3 };
    struct text names = {0};
    struct parameter p;
    char name[128];
    size_t count = 0;
    for (int begins = 1; begins >= 0 && strlen(word) >= SHORTEST; begins--)
        for (size_t cursor = 0; machine_next(machine, &cursor, &p);) {
            parameter_path(&p, name, sizeof name);
            const char *field = strrchr(name, '.');
            bool first = field && strncmp(field + 1, word, strlen(word)) == 0;
            if (first != (bool)begins || !strstr(name, word))
                continue;
            if (count++ < MOST)
                text_printf(&names, "%s%s", count > 1 ? ", " : "", name);
        }
    if (count)
        error_hint(error, "with \"%.40s\" in their names: %s%s", word, names.data,
                   count > MOST ? ", ..." : "");
    text_free(&names);
    return count > 0;
}

int machine_find(const struct machine *machine, const char *path, struct parameter *out,
                 struct error *error)
{
    struct suggest suggest = suggest_begin(path);
    char name[128], best[128] = "";
    size_t cursor = 0;
    if (machine_lookup(machine, path, out))
        return 0;
    while (machine_next(machine, &cursor, out)) {
        int distance = suggest.distance;
        parameter_path(out, name, sizeof name);
        suggest_offer(&suggest, name);
        if (suggest.best || suggest.distance != distance)
            snprintf(best, sizeof best, "%s", name);
        suggest.best = NULL; /* the offered name is a local buffer */
    }
    error_set(error, STATUS_INPUT, "there is no parameter \"%.100s\"%s%s", path,
              machine->name[0] ? " in machine " : "", machine->name);
    const char *absent = absent_section(machine, path);
    if (absent)
        error_hint(error,
                   "its file has no %s: {...}; bandscape list parameters %s shows what it may say",
                   absent, absent);
    else if (hint_containing(machine, path, error))
        return STATUS_INPUT;
    else if (best[0])
        error_hint(error, "did you mean \"%s\"?", best);
    else
        error_hint(error, "bandscape list parameters shows all of them");
    return STATUS_INPUT;
}

/* --- values ---------------------------------------------------------------- */

/* Sets what a name stands for. */
static int machine_expand(struct machine *machine, const struct parameter *p, const char *name,
                          struct error *error)
{
    struct parameter_expansion expansion;
    int status = p->row->expand(name, &expansion, error);
    for (size_t i = 0; i < expansion.count && !status; i++)
        status = machine_set(machine, expansion.settings[i].path, expansion.settings[i].text, NULL,
                             error);
    return status;
}

int machine_set_value(struct machine *machine, const char *path,
                      const struct parameter_value *value, struct error *error)
{
    struct parameter p;
    int status = machine_find(machine, path, &p, error);
    if (!status && p.row->expand && value->name)
        status = machine_expand(machine, &p, value->name, error);
    if (status)
        return status;
    struct parameter_value *slot = &p.section->values[p.index];
    *slot = *value;
    if (slot->name)
        slot->name = arena_strdup(machine->arena, slot->name);
    struct parameter field;
    if (value->argument > 0 && parameter_argument(&p, p.row->argument, &field)) {
        slot = &p.section->values[field.index];
        slot->known = slot->given = true;
        slot->number = value->argument;
        slot->dim = field.row->dim;
    }
    return 0;
}

int machine_set(struct machine *machine, const char *path, const char *text,
                const struct mark *mark, struct error *error)
{
    struct parameter p;
    struct parameter_value value;
    int status = machine_find(machine, path, &p, error);
    if (status) {
        error_place(error, mark);
        return status;
    }
    status = parameter_parse(&p, text, mark, &value, error);
    return status ? status : machine_set_value(machine, path, &value, error);
}

static int machine_known(const struct machine *machine, const char *path, struct parameter *p,
                         struct error *error)
{
    int status = machine_find(machine, path, p, error);
    if (status || p->section->values[p->index].known)
        return status;
    error_set(error, STATUS_UNKNOWN_FIELD, "machine %s does not say its %s", machine->name, path);
    error_hint(error, "add it to the machine file or give --set %s=...", path);
    return STATUS_UNKNOWN_FIELD;
}

int parameter_si(const struct machine *machine, const struct parameter *p,
                 const struct parameter_value *value, double *out, struct error *error)
{
    *out = value->number;
    if (dim_equal(value->dim, p->row->dim) || dim_equal(p->row->dim, DIM_NONE))
        return 0;
    double clock;
    int status = machine_number(machine, "sm.clock", &clock, error);
    if (!status)
        *out = value->number * pow(clock, -(double)value->dim.cycle);
    return status;
}

int machine_number(const struct machine *machine, const char *path, double *out,
                   struct error *error)
{
    struct parameter p;
    int status = machine_known(machine, path, &p, error);
    return status ? status : parameter_si(machine, &p, &p.section->values[p.index], out, error);
}

int machine_count(const struct machine *machine, const char *path, uint32_t *out,
                  struct error *error)
{
    double value;
    int status = machine_number(machine, path, &value, error);
    if (status)
        return status;
    if (!(value >= 0 && value <= 4294967295.0) || value != floor(value))
        return error_set(error, STATUS_INPUT, "%s: %g is not a whole number", path, value);
    *out = (uint32_t)value;
    return 0;
}

int machine_name(const struct machine *machine, const char *path, const char **out,
                 struct error *error)
{
    struct parameter p;
    int status = machine_known(machine, path, &p, error);
    if (!status)
        *out = p.section->values[p.index].name;
    return status;
}

void machine_visit(const struct machine *machine, enum parameter_structure structure,
                   machine_visit_fn *visit, void *context)
{
    size_t cursor = 0;
    struct parameter p;
    struct text text = {0};
    while (machine_next(machine, &cursor, &p)) {
        const struct parameter_value *value = &p.section->values[p.index];
        if (p.row->structure != structure || !value->known)
            continue;
        char path[128];
        parameter_path(&p, path, sizeof path);
        text.length = 0;
        parameter_format(&p, value, &text);
        visit(context, path, text.data);
    }
    text_free(&text);
}

/* --- checks that need more than one value ----------------------------------- */

static int check_level(const struct machine *machine, const char *level, struct error *error)
{
    char path[64];
    double capacity, ways, line;
    int status = machine_number(machine, "line", &line, error);
    snprintf(path, sizeof path, "%s.capacity", level);
    if (!status)
        status = machine_number(machine, path, &capacity, error);
    snprintf(path, sizeof path, "%s.ways", level);
    if (!status)
        status = machine_number(machine, path, &ways, error);
    if (status)
        return status == STATUS_UNKNOWN_FIELD ? 0 : status;
    if (capacity < ways * line)
        return error_set(error, STATUS_INPUT,
                         "%s: %g bytes do not hold one set of %g ways of %g bytes", level, capacity,
                         ways, line);
    return 0;
}

/* Values given in cycles had no clock when they were read. */
static int check_ranges(const struct machine *machine, struct error *error)
{
    size_t cursor = 0;
    struct parameter p;
    while (machine_next(machine, &cursor, &p)) {
        const struct parameter_value *value = &p.section->values[p.index];
        char path[128];
        double number;
        if (!value->known || p.row->kind == PARAMETER_NAME)
            continue;
        parameter_path(&p, path, sizeof path);
        int status = machine_number(machine, path, &number, error);
        if (!status)
            status = parameter_check(&p, number, NULL, error);
        if (status)
            return status;
    }
    return 0;
}

int machine_l1_nodes(const struct machine *machine, uint32_t *nodes, uint32_t *clusters,
                     struct error *error)
{
    uint32_t sms = 0;
    int status = machine_count(machine, "sm.per_chip", &sms, error);
    if (!status)
        status = machine_count(machine, "l1.nodes", nodes, error);
    if (!status)
        status = machine_count(machine, "l1.clusters", clusters, error);
    if (status)
        return status;
    *nodes = *nodes ? *nodes : sms;
    *clusters = *clusters ? *clusters : *nodes;
    if (sms % *nodes)
        return error_set(error, STATUS_INPUT,
                         "l1.nodes: %u nodes do not divide %u SMs a chip (the rule Y | X)", *nodes,
                         sms);
    if (*nodes % *clusters)
        return error_set(error, STATUS_INPUT,
                         "l1.clusters: %u clusters do not divide %u nodes (the rule Z | Y)",
                         *clusters, *nodes);
    return 0;
}

/* Whether l1.home says `name`. */
static bool home_is(const struct machine *machine, const char *name)
{
    struct error unknown;
    const char *home;
    return machine_name(machine, "l1.home", &home, &unknown) == 0 && strcmp(home, name) == 0;
}

/* Whether slices are those of lines in turn. */
static int slices_in_turn(const struct machine *machine, bool *out, struct error *error)
{
    struct error unknown;
    const char *mapping;
    double line, interleave;
    int status = machine_number(machine, "line", &line, error);
    if (!status)
        status = machine_name(machine, "llc.mapping", &mapping, error);
    if (status)
        return status;
    if (machine_number(machine, "llc.interleave", &interleave, &unknown))
        interleave = line;
    *out = strcmp(mapping, "fixed") == 0 && interleave < 2 * line;
    return 0;
}

int machine_l1_home(const struct machine *machine, bool *by_slice, struct error *error)
{
    uint32_t nodes, clusters, slices, partitions;
    int status = machine_l1_nodes(machine, &nodes, &clusters, error);
    *by_slice = false;
    if (status || nodes == clusters)
        return status;
    if ((status = machine_count(machine, "llc.slices", &slices, error)) ||
        (status = machine_count(machine, "partitions", &partitions, error)))
        return status;
    uint32_t per_cluster = nodes / clusters;
    *by_slice = slices / partitions % per_cluster == 0;
    if (!*by_slice && home_is(machine, "slice")) {
        status = error_set(error, STATUS_INPUT,
                           "l1.home: %u nodes of a cluster do not divide %u LLC slices",
                           per_cluster, slices / partitions);
        return error_hint(error, "l1.home=line: by the line's number");
    }
    return *by_slice && home_is(machine, "line") ? slices_in_turn(machine, by_slice, error) : 0;
}

/* A name that stands for others, and one of those that was changed later: which is meant? */
static int check_expansion(const struct machine *machine, const struct parameter *p,
                           const char *name, struct error *error)
{
    struct parameter_expansion expansion;
    int status = p->row->expand(name, &expansion, error);
    for (size_t i = 0; i < expansion.count && !status; i++) {
        struct parameter other;
        struct parameter_value wanted;
        if ((status = machine_find(machine, expansion.settings[i].path, &other, error)) ||
            (status = parameter_parse(&other, expansion.settings[i].text, NULL, &wanted, error)))
            break;
        const struct parameter_value *have = &other.section->values[other.index];
        bool same = have->known && (wanted.name ? strcmp(wanted.name, have->name) == 0
                                                : wanted.number == have->number);
        if (same)
            continue;
        struct text value = {0};
        char path[128];
        parameter_path(p, path, sizeof path);
        parameter_format(&other, have, &value);
        status = error_set(error, STATUS_INPUT, "%s is %s, which has %s %s, not %s", path, name,
                           expansion.settings[i].path, expansion.settings[i].text, value.data);
        error_hint(error, "set one of them, not both");
        text_free(&value);
    }
    return status;
}

static int check_expansions(const struct machine *machine, struct error *error)
{
    size_t cursor = 0;
    struct parameter p;
    int status = 0;
    while (!status && machine_next(machine, &cursor, &p)) {
        const struct parameter_value *value = &p.section->values[p.index];
        if (p.row->expand && value->known)
            status = check_expansion(machine, &p, value->name, error);
    }
    return status;
}

int machine_check(const struct machine *machine, struct error *error)
{
    int status = check_ranges(machine, error);
    uint32_t nodes, clusters;
    double number;
    bool by_slice;
    if (!status)
        status = machine_number(machine, "chips", &number, error);
    if (!status)
        status = machine_number(machine, "sm.per_chip", &number, error);
    if (!status)
        status = check_expansions(machine, error);
    if (!status)
        status = machine_l1_nodes(machine, &nodes, &clusters, error);
    if (!status && clusters < nodes && machine_has(machine, "llc"))
        status = machine_l1_home(machine, &by_slice, error);
    for (size_t i = 0; i < machine->n_sections && !status; i++) {
        const struct machine_section *section = &machine->sections[i];
        if (strcmp(section->schema->kind, "level") == 0 || strcmp(section->schema->kind, "l1") == 0)
            status = check_level(machine, section->name, error);
    }
    if (!status)
        status = latency_check(machine, error);
    double line, sectors;
    if (!status && !(status = machine_number(machine, "line", &line, error)) &&
        !(status = machine_number(machine, "sectors", &sectors, error)) && fmod(line, sectors) != 0)
        status = error_set(error, STATUS_INPUT, "line: %g bytes do not divide into %g sectors",
                           line, sectors);
    if (status && machine->path)
        error_context(error, "%s", machine->path);
    return status;
}
