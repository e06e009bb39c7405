/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of machine files: the table of parameters, with examples of shipped machines. */
#include <stdlib.h>
#include <string.h>

#include "cli/reference.h"
#include "core/catalogue.h"
#include "core/plugin.h"
#include "machine/machine.h"

struct shipped {
    struct machine **items;
    size_t count, capacity;
};

static void shipped_open(struct shipped *shipped)
{
    struct catalogue catalogue;
    machine_catalogue(&catalogue);
    for (size_t i = 0; i < catalogue.count; i++) {
        struct machine *machine;
        struct error ignored;
        if (machine_load(catalogue.items[i].path, &machine, &ignored) == 0)
            VECTOR_PUSH(shipped, machine);
    }
    catalogue_fini(&catalogue);
}

static void shipped_close(struct shipped *shipped)
{
    for (size_t i = 0; i < shipped->count; i++)
        machine_destroy(shipped->items[i]);
    VECTOR_FREE(shipped);
}

/* What the first machine says that gives the parameter. */
static bool shipped_value(const struct shipped *shipped, const struct parameter_row *row,
                          struct text *out)
{
    for (size_t i = 0; i < shipped->count; i++) {
        size_t cursor = 0;
        struct parameter p;
        while (machine_next(shipped->items[i], &cursor, &p)) {
            const struct parameter_value *value = &p.section->values[p.index];
            if (p.row != row || !value->known || !value->given)
                continue;
            parameter_format(&p, value, out);
            return true;
        }
    }
    return false;
}

static void put_example(const struct shipped *shipped, const struct parameter_row *row,
                        struct text *out)
{
    size_t cursor = 0;
    text_printf(out, "%s: ", row->field);
    if (shipped_value(shipped, row, out))
        return;
    if (row->fallback)
        text_append(out, row->fallback);
    else if (row->names)
        text_printf(out, "%.*s", (int)strcspn(row->names, " "), row->names);
    else if (row->plugin)
        text_append(out, plugin_next(row->plugin, &cursor)->name);
    else if (row->kind == PARAMETER_QUANTITY)
        text_printf(out, "%.*s",
                    (int)(strstr(dim_example(row->dim), " or") - dim_example(row->dim)),
                    dim_example(row->dim));
    else
        text_printf(out, "%g", row->min > 16 ? row->min : row->max < 16 ? row->max : 16);
}

static void put_type(const struct parameter_row *row, struct text *out)
{
    static const struct {
        struct dim dim;
        const char *name;
    } names[] = {{IN_BYTES, "size"},
                 {IN_BYTES_PER_S, "bandwidth"},
                 {IN_SECONDS, "time"},
                 {IN_HERTZ, "rate"},
                 {IN_JOULES_PER_BYTE, "energy"}};
    const char *name = "quantity";
    const char *per = row->per ? " per " : "", *what = row->per ? row->per : "";
    if (row->kind == PARAMETER_COUNT || row->kind == PARAMETER_NUMBER) {
        text_printf(out, "%s%s%s, %.10g to %.10g",
                    row->kind == PARAMETER_COUNT ? "count" : "number", per, what, row->min,
                    row->max);
    } else if (row->kind == PARAMETER_QUANTITY) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            name = dim_equal(row->dim, names[i].dim) ? names[i].name : name;
        text_printf(out, "%s%s%s", name, per, what);
    } else if (row->names) {
        text_append(out, "one of: ");
        for (const char *at = row->names; *at; at++)
            text_append(out, *at == ' ' ? ", " : (const char[]){*at, '\0'});
    } else if (row->plugin) {
        text_append(out, "one of: ");
        plugin_names(row->plugin, out);
        if (row->argument)
            text_printf(out, "; %.*s:N", (int)strcspn(row->argument, ":"), row->argument);
    } else {
        text_append(out, "name");
    }
}

static void put_row(const struct reference_writer *writer, const struct shipped *shipped,
                    const struct parameter_row *row)
{
    struct text type = {0}, example = {0};
    char unit[64];
    put_type(row, &type);
    put_example(shipped, row, &example);
    writer->key(&(struct file_key){
        .name = row->field,
        .type = type.data,
        .unit = row->kind == PARAMETER_QUANTITY ? dim_unit(row->dim, unit, sizeof unit) : NULL,
        .fallback = row->fallback ? row->fallback : "not given",
        .help = row->help,
        .example = example.data});
    text_free(&type);
    text_free(&example);
}

/* The names that a section of the schema may have without saying more. */
static void put_section(const struct reference_writer *writer,
                        const struct parameter_schema *schema)
{
    struct text name = {0}, help = {0};
    text_append(&name, schema->names[0][0] ? schema->names[0] : "the machine itself");
    text_append(&help, schema->help);
    if (strcmp(schema->kind, "front") == 0)
        for (size_t i = 0; plugin_registry[i]; i++)
            for (const char *const *own = plugin_registry[i]->levels; own && *own; own++)
                if (!strstr(name.data, *own))
                    text_printf(&name, ", %s", *own);
    if (!schema->single)
        text_printf(&help, " A section of another name is one with `kind: %s`.", schema->kind);
    writer->form(name.data, help.data);
    text_free(&name);
    text_free(&help);
}

void reference_put_machine(const struct reference_writer *writer)
{
    struct shipped shipped = {0};
    shipped_open(&shipped);
    reference_put_forms(writer, (const struct file_form[]){machine_file_form, {NULL}});
    for (const struct parameter_schema *s = machine_schemas; s->kind; s++) {
        put_section(writer, s);
        for (const struct parameter_row *row = s->rows; row->field; row++)
            put_row(writer, &shipped, row);
        if (strcmp(s->kind, "links") == 0)
            reference_put_forms(writer, (const struct file_form[]){machine_edges_form, {NULL}});
    }
    for (size_t i = 0; plugin_registry[i]; i++) {
        const struct plugin *plugin = plugin_registry[i];
        if (!plugin->parameters)
            continue;
        struct text help = {0};
        text_printf(&help, "Of the %s %s: %s.", plugin->kind, plugin->name, plugin->summary);
        writer->form(plugin->name, help.data);
        text_free(&help);
        for (const struct parameter_row *row = plugin->parameters; row->field; row++)
            put_row(writer, &shipped, row);
    }
    shipped_close(&shipped);
}
