/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape list: what there is to name in the other commands. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/list_models.h"
#include "cli/list_workloads.h"
#include "cli/terminal.h"
#include "core/catalogue.h"
#include "explore/space.h"
#include "model/cost.h"
#include "queueing/solve.h"
#include "report/json.h"
#include "yaml/yaml.h"

/* A listing is a table of texts; the same rows print as a table or as JSON. */
struct listing {
    const char *const *titles; /* NULL-terminated; also the keys in JSON */
    struct {
        const char **items; /* n_titles a row */
        size_t count, capacity;
    } cells;
    struct arena *arena;
};

static void listing_add(struct listing *l, const char *text)
{
    VECTOR_PUSH(&l->cells, arena_strdup(l->arena, text ? text : ""));
}

static size_t listing_width(const struct listing *l)
{
    size_t n = 0;
    while (l->titles[n])
        n++;
    return n;
}

static void listing_print(const struct listing *l, const char *format)
{
    size_t n = listing_width(l);
    if (strcmp(format, "json") == 0) {
        struct json json = {.stream = stdout};
        json_begin_array(&json);
        for (size_t i = 0; i < l->cells.count; i++) {
            if (i % n == 0)
                json_begin_object(&json);
            json_key(&json, l->titles[i % n]);
            json_string(&json, l->cells.items[i]);
            if (i % n == n - 1)
                json_end_object(&json);
        }
        json_end_array(&json);
        return;
    }
    struct table *table = table_create();
    struct table_style style = terminal_table_style(stdout);
    struct text text = {0};
    for (size_t i = 0; i < n; i++)
        table_column(table, l->titles[i], NULL, TABLE_LEFT);
    for (size_t i = 0; i < l->cells.count; i++)
        table_cell(table, l->cells.items[i]);
    table_render(table, &style, &text);
    fputs(text.length ? text.data : "", stdout);
    text_free(&text);
    table_destroy(table);
}

static int list_machines(struct listing *l, struct error *error)
{
    static const char *const titles[] = {"machine", "summary", "source", "file", NULL};
    struct catalogue catalogue;
    int status = 0;
    l->titles = titles;
    machine_catalogue(&catalogue);
    for (size_t i = 0; i < catalogue.count && !status; i++) {
        struct machine *machine;
        status = machine_load(catalogue.items[i].path, &machine, error);
        if (status)
            break;
        listing_add(l, catalogue.items[i].name);
        listing_add(l, machine->summary);
        listing_add(l, machine->source);
        listing_add(l, catalogue.items[i].path);
        machine_destroy(machine);
    }
    catalogue_fini(&catalogue);
    return status;
}

static int list_all_workloads(struct listing *l, struct error *error)
{
    const char **cells;
    size_t rows;
    int status = list_workloads(l->arena, &cells, &rows, error);
    l->titles = list_workloads_titles;
    for (size_t i = 0; !status && i < rows * LIST_WORKLOADS_COLUMNS; i++)
        listing_add(l, cells[i]);
    return status;
}

static int list_spaces(struct listing *l)
{
    static const char *const titles[] = {"space", "summary", "file", NULL};
    struct catalogue catalogue;
    l->titles = titles;
    space_catalogue(&catalogue);
    for (size_t i = 0; i < catalogue.count; i++) {
        struct yaml_document *document = NULL;
        struct error ignored;
        const struct yaml_node *summary = NULL;
        if (yaml_load(catalogue.items[i].path, &document, &ignored) == 0)
            summary = yaml_get(document->root, "summary");
        listing_add(l, catalogue.items[i].name);
        listing_add(l, summary && summary->kind == YAML_SCALAR ? summary->text : "");
        listing_add(l, catalogue.items[i].path);
        yaml_destroy(document);
    }
    catalogue_fini(&catalogue);
    return 0;
}

static const char *parameter_unit(const struct parameter_row *row, char *buffer, size_t size)
{
    if (row->kind == PARAMETER_NAME)
        return "name";
    if (row->kind == PARAMETER_COUNT)
        return "count";
    return dim_unit(row->dim, buffer, size);
}

static int list_parameters(struct listing *l, const char *machine_name_or_path, struct error *error)
{
    static const char *const titles[] = {"parameter",      "unit", "per", "value",
                                         "a change needs", "help", NULL};
    static const char *const needs[] = {"nothing", "another pass", "another mapping",
                                        "other terms"};
    struct machine *machine;
    int status = machine_load(machine_name_or_path, &machine, error);
    l->titles = titles;
    if (status)
        return status;
    size_t cursor = 0;
    struct parameter p;
    while (machine_next(machine, &cursor, &p)) {
        char path[128], unit[64];
        struct text value = {0}, help = {0};
        parameter_path(&p, path, sizeof path);
        parameter_format(&p, &p.section->values[p.index], &value);
        text_append(&help, p.row->help);
        if (p.row->names)
            text_printf(&help, " (%s)", p.row->names);
        if (p.row->plugin) {
            struct text names = {0};
            text_append(&names, "");
            plugin_names(p.row->plugin, &names);
            text_printf(&help, " (%s)", names.data);
            text_free(&names);
        }
        listing_add(l, path);
        listing_add(l, parameter_unit(p.row, unit, sizeof unit));
        listing_add(l, p.row->per);
        listing_add(l, value.data);
        listing_add(l, needs[p.row->structure]);
        listing_add(l, help.data);
        text_free(&value);
        text_free(&help);
    }
    machine_destroy(machine);
    return 0;
}

static int list_metrics(struct listing *l)
{
    static const char *const titles[] = {"metric", "model", "unit", "help", NULL};
    size_t cursor = 0;
    l->titles = titles;
    for (const struct plugin *plugin; (plugin = plugin_next("model", &cursor));) {
        const struct model *model = (const struct model *)plugin;
        const struct model_metric *tables[] = {model_common_metrics, model->metrics};
        for (int t = 0; t < 2; t++)
            for (const struct model_metric *m = tables[t]; m && m->name; m++) {
                char unit[64];
                listing_add(l, m->name);
                listing_add(l, plugin->name);
                listing_add(l, dim_unit(m->dim, unit, sizeof unit));
                listing_add(l, m->help);
            }
    }
    listing_add(l, model_speedup_metric.name);
    listing_add(l, "all, with speedup_vs or --baseline");
    listing_add(l, "1");
    listing_add(l, model_speedup_metric.help);
    return 0;
}

static int list_fields(struct listing *l)
{
    static const char *const titles[] = {"field", "unit", "help", NULL};
    l->titles = titles;
    for (int i = 0; i < FIELD_COUNT; i++) {
        char unit[64];
        if (profile_field_is_of_level(i) && i >= FIELD_LEVEL_1) /* all levels have the same */
            continue;
        listing_add(l, profile_field_table[i].path);
        listing_add(l, dim_unit(profile_field_table[i].dim, unit, sizeof unit));
        listing_add(l, profile_field_table[i].help);
    }
    return 0;
}

static int list_plugins(struct listing *l, const char *kind)
{
    static const char *const titles[] = {"name", "summary", "reference", NULL};
    size_t cursor = 0;
    l->titles = titles;
    for (const struct plugin *plugin; (plugin = plugin_next(kind, &cursor));) {
        listing_add(l, plugin->name);
        listing_add(l, plugin->summary);
        listing_add(l, plugin->reference);
    }
    return 0;
}

static int list_algorithms(struct listing *l)
{
    static const char *const titles[] = {"algorithm", "summary", "reference", NULL};
    l->titles = titles;
    for (const struct queueing_algorithm *a = queueing_algorithms; a->name; a++) {
        listing_add(l, a->name);
        listing_add(l, a->summary);
        listing_add(l, a->reference);
    }
    return 0;
}

static const char *cost_unit(const struct cost *cost, char *buffer, size_t size)
{
    return cost->relative ? cost->relative : dim_unit(cost->dim, buffer, size);
}

static int list_costs(struct listing *l)
{
    static const char *const titles[] = {"cost", "unit, or what 1 stands for", "summary",
                                         "reference", NULL};
    size_t cursor = 0;
    l->titles = titles;
    for (const struct plugin *plugin; (plugin = plugin_next("cost", &cursor));) {
        char unit[64];
        listing_add(l, plugin->name);
        listing_add(l, cost_unit((const struct cost *)plugin, unit, sizeof unit));
        listing_add(l, plugin->summary);
        listing_add(l, plugin->reference);
    }
    return 0;
}

static int list_cost(const char *name, struct error *error)
{
    const struct plugin *plugin;
    char unit[64];
    bool spelled = strncmp(name, "cost.", 5) == 0; /* as spaces and expressions write it */
    int status = plugin_require("cost", spelled ? name + 5 : name, &plugin, error);
    if (status)
        return status;
    const struct cost *cost = (const struct cost *)plugin;
    printf("cost.%s - %s\n\n%s %s\nreference: %s\n\n%s\n", plugin->name, plugin->summary,
           cost->relative ? "1 is:     " : "unit:     ", cost_unit(cost, unit, sizeof unit),
           plugin->reference ? plugin->reference : "our own", cost->page ? cost->page : "");
    for (const struct parameter_row *row = plugin->parameters; row && row->field; row++)
        printf("%s  %s.%s  %s\n", row == plugin->parameters ? "\nparameters of its own:\n" : "",
               plugin->name, row->field, row->help);
    return 0;
}

/* The listings that show one kind of plug-in. */
static const struct {
    const char *what, *kind;
} plugin_lists[] = {
    {"models", "model"},       {"organisations", "organisation"}, {"placements", "placement"},
    {"schedules", "schedule"}, {"topologies", "topology"},        {"readers", "reader"},
    {"commands", "command"},   {"validations", "validation"},
};

static int list_one(struct listing *l, const struct invocation *inv, const char *what,
                    struct error *error)
{
    const char *name = argument_value(inv, 1);
    const char *machine = option_value(inv, "machine", 0);
    if (strcmp(what, "machines") == 0)
        return list_machines(l, error);
    if (strcmp(what, "workloads") == 0)
        return name ? list_workload(name, error) : list_all_workloads(l, error);
    if (strcmp(what, "spaces") == 0)
        return list_spaces(l);
    if (strcmp(what, "parameters") == 0)
        return list_parameters(l, machine ? machine : model_machine_name(NULL), error);
    if (strcmp(what, "metrics") == 0)
        return list_metrics(l);
    if (strcmp(what, "fields") == 0)
        return list_fields(l);
    if (strcmp(what, "algorithms") == 0)
        return list_algorithms(l);
    if (strcmp(what, "models") == 0 && name)
        return list_model(name, machine, error);
    if (strcmp(what, "costs") == 0)
        return name ? list_cost(name, error) : list_costs(l);
    for (size_t i = 0; i < sizeof plugin_lists / sizeof *plugin_lists; i++)
        if (strcmp(what, plugin_lists[i].what) == 0)
            return list_plugins(l, plugin_lists[i].kind);
    error_set(error, STATUS_USAGE, "list: unknown kind \"%.80s\"", what);
    error_hint(error, "known: models, machines, workloads, spaces, parameters, metrics, costs, "
                      "fields, organisations, placements, schedules, topologies, readers, "
                      "validations, algorithms");
    return STATUS_USAGE;
}

static int list_run(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "json", NULL};
    const char *format;
    struct listing l = {0};
    int status = terminal_format(inv, formats, &format, error);
    if (!status && (argument_count(inv) < 1 || argument_count(inv) > 2)) {
        error_set(error, STATUS_USAGE, "list takes a kind of thing, and for some a name");
        error_hint(error, "for example: bandscape list machines");
        status = STATUS_USAGE;
    }
    if (status)
        return status;
    l.arena = arena_create();
    status = list_one(&l, inv, argument_value(inv, 0), error);
    if (!status && l.titles)
        listing_print(&l, format);
    VECTOR_FREE(&l.cells);
    arena_destroy(l.arena);
    return status;
}

static const struct option_row list_options[] = {
    {'m', "machine", "M", false, "whose parameters (default: sac)"},
    {0, "format", "F", false, "table (default) or json"},
    {.name = NULL},
};

const struct command command_list = {
    .plugin = {"command", "list",
               "show models, machines, workloads, spaces, parameters, metrics, costs", NULL, NULL},
    .usage = "KIND [NAME]",
    .description =
        "KIND is models, machines, workloads, spaces, parameters, metrics, costs, fields (of\n"
        "profiles), organisations, placements, schedules, topologies, readers, validations or\n"
        "algorithms (of bandscape network). With a NAME, models, costs and workloads show their\n"
        "whole page: equations, what they read, units and validity.",
    .examples = "  bandscape list models eab\n"
                "  bandscape list costs link_power\n"
                "  bandscape list workloads gemm\n"
                "  bandscape list parameters --machine sac",
    .options = list_options,
    .run = list_run,
};
