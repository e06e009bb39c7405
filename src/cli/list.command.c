/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape list: what there is to name in the other commands. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/list.h"
#include "cli/list_models.h"
#include "cli/list_workloads.h"
#include "cli/terminal.h"
#include "core/catalogue.h"
#include "core/suggest.h"
#include "explore/space.h"
#include "model/cost.h"
#include "queueing/solve.h"
#include "report/json.h"
#include "validate/validations.h"
#include "yaml/yaml.h"

/* A listing is a table of texts; the same rows print as a table or as JSON. */
struct listing {
    const char *const *titles; /* NULL-terminated; also the keys in JSON */
    struct {
        const char **items; /* n_titles a row */
        size_t count, capacity;
    } cells;
    struct arena *arena;
    const char *machine; /* whose parameters, by name or path */
    const char *plugin;  /* the kind of plug-in */
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

static int list_spaces(struct listing *l, struct error *error)
{
    (void)error;
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

static int list_parameters(struct listing *l, struct error *error)
{
    static const char *const titles[] = {"parameter",      "unit", "per", "value",
                                         "a change needs", "help", NULL};
    static const char *const needs[] = {"nothing", "another pass", "another mapping",
                                        "other terms"};
    struct machine *machine;
    int status = machine_load(l->machine, &machine, error);
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

static int list_metrics(struct listing *l, struct error *error)
{
    (void)error;
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

static int list_fields(struct listing *l, struct error *error)
{
    (void)error;
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

static int list_plugins(struct listing *l, struct error *error)
{
    (void)error;
    static const char *const titles[] = {"name", "summary", "reference", NULL};
    size_t cursor = 0;
    l->titles = titles;
    for (const struct plugin *plugin; (plugin = plugin_next(l->plugin, &cursor));) {
        listing_add(l, plugin->name);
        listing_add(l, plugin->summary);
        listing_add(l, plugin->reference);
    }
    return 0;
}

static int list_validations(struct listing *l, struct error *error)
{
    static const char *const titles[] = {"name", "summary", "reference", NULL};
    struct validations validations;
    int status = validations_open(&validations, error);
    l->titles = titles;
    for (size_t i = 0; i < validations.count && !status; i++) {
        listing_add(l, validations.items[i]->plugin.name);
        listing_add(l, validations.items[i]->plugin.summary);
        listing_add(l, validations.items[i]->plugin.reference);
    }
    validations_close(&validations);
    return status;
}

static int list_algorithms(struct listing *l, struct error *error)
{
    (void)error;
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

static int list_costs(struct listing *l, struct error *error)
{
    (void)error;
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

/* Without what spaces and expressions write before it. */
static const char *cost_name(const char *name)
{
    return strncmp(name, "cost.", 5) == 0 ? name + 5 : name;
}

static int list_cost(const char *name, const char *machine, struct error *error)
{
    (void)machine;
    const struct plugin *plugin;
    char unit[64];
    int status = plugin_require("cost", cost_name(name), &plugin, error);
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

static int list_workload_page(const char *name, const char *machine, struct error *error)
{
    (void)machine;
    return list_workload(name, error);
}

const struct list_kind list_kinds[] = {
    {"models", "@model", list_plugins, "model", list_model},
    {"machines", "@machines", list_machines, NULL, NULL},
    {"workloads", "@workloads", list_all_workloads, NULL, list_workload_page},
    {"spaces", "@spaces", list_spaces, NULL, NULL},
    {"parameters", "@parameters", list_parameters, NULL, NULL},
    {"metrics", "@metrics", list_metrics, NULL, NULL},
    {"costs", "@cost", list_costs, NULL, list_cost},
    {"fields", "@fields", list_fields, NULL, NULL},
    {"organisations", "@organisation", list_plugins, "organisation", NULL},
    {"placements", "@placement", list_plugins, "placement", NULL},
    {"schedules", "@schedule", list_plugins, "schedule", NULL},
    {"topologies", "@topology", list_plugins, "topology", NULL},
    {"readers", "@reader", list_plugins, "reader", NULL},
    {"validations", "@validations", list_validations, NULL, NULL},
    {"computations", "@computation", list_plugins, "computation", NULL},
    {"algorithms", "@algorithms", list_algorithms, NULL, NULL},
    {"commands", "@command", list_plugins, "command", NULL},
    {.name = NULL},
};

const struct list_kind *list_kind_find(const char *name)
{
    for (const struct list_kind *kind = list_kinds; kind->name; kind++)
        if (strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

static int list_find_kind(const char *name, const struct list_kind **out, struct error *error)
{
    struct suggest suggest = suggest_begin(name);
    struct text known = {0};
    *out = list_kind_find(name);
    if (*out)
        return 0;
    for (const struct list_kind *kind = list_kinds; kind->name; kind++) {
        suggest_offer(&suggest, kind->name);
        text_printf(&known, "%s%s", known.length ? ", " : "", kind->name);
    }
    error_set(error, STATUS_USAGE, "list: unknown kind \"%.80s\"", name);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"? known: %s", suggest.best, known.data);
    else
        error_hint(error, "known: %s", known.data);
    text_free(&known);
    return STATUS_USAGE;
}

/* Whether a row is the one that is asked for, or of the section that is. */
static bool row_answers(const char *first, const char *name, bool section)
{
    size_t length = strlen(name);
    return strncmp(first, name, length) == 0 && first[length] == (section ? '.' : '\0');
}

/* Keeps the rows of that name, or else of that section ("llc" of parameters). */
static int listing_choose(struct listing *l, const struct list_kind *kind, const char *name,
                          struct error *error)
{
    size_t n = listing_width(l), rows = l->cells.count / n, kept = 0;
    const char **cells = l->cells.items;
    struct suggest suggest = suggest_begin(name);
    for (int section = 0; section < 2 && kept == 0; section++)
        for (size_t i = 0; i < rows; i++)
            if (row_answers(cells[i * n], name, section))
                memmove(cells + kept++ * n, cells + i * n, n * sizeof *cells);
    for (size_t i = 0; kept == 0 && i < rows; i++)
        suggest_offer(&suggest, cells[i * n]);
    l->cells.count = kept * n;
    if (kept > 0)
        return 0;
    error_set(error, STATUS_INPUT, "there is no %s \"%.80s\"",
              kind->plugin ? kind->plugin : l->titles[0], name);
    suggest_hint(&suggest, error);
    error_hint(error, "bandscape list %s shows all", kind->name);
    return STATUS_INPUT;
}

/* A row: a line for each of its columns that has something. */
static void listing_print_rows(const struct listing *l)
{
    size_t n = listing_width(l), width = 0;
    for (size_t c = 0; c < n; c++)
        width = strlen(l->titles[c]) > width ? strlen(l->titles[c]) : width;
    for (size_t i = 0; i < l->cells.count; i++) {
        if (i > 0 && i % n == 0)
            printf("\n");
        if (l->cells.items[i][0])
            printf("%-*s  %s\n", (int)width, l->titles[i % n], l->cells.items[i]);
    }
}

static int list_kind_print(const struct list_kind *kind, const char *name, const char *machine,
                           const char *format, struct error *error)
{
    bool json = strcmp(format, "json") == 0;
    if (name && kind->page && !json)
        return kind->page(name, machine, error);
    struct listing l = {.arena = arena_create(),
                        .machine = machine ? machine : model_machine_name(NULL),
                        .plugin = kind->plugin};
    int status = kind->fill(&l, error);
    if (!status && name)
        status = listing_choose(&l, kind, kind->fill == list_costs ? cost_name(name) : name, error);
    if (!status && name && !json && row_answers(l.cells.items[0], name, false))
        listing_print_rows(&l);
    else if (!status)
        listing_print(&l, format);
    VECTOR_FREE(&l.cells);
    arena_destroy(l.arena);
    return status;
}

static int list_run(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "json", NULL};
    const struct list_kind *kind;
    const char *format;
    int status = terminal_format(inv, formats, &format, error);
    if (!status && (argument_count(inv) < 1 || argument_count(inv) > 2)) {
        error_set(error, STATUS_USAGE, "list takes a kind of thing, and perhaps a name");
        error_hint(error, "for example: bandscape list machines");
        status = STATUS_USAGE;
    }
    if (!status)
        status = list_find_kind(argument_value(inv, 0), &kind, error);
    if (status)
        return status;
    return list_kind_print(kind, argument_value(inv, 1), option_value(inv, "machine", 0), format,
                           error);
}

static const struct option_row list_options[] = {
    {'m', "machine", "M", false, "whose parameters (default: sac)", "@machines"},
    {0, "format", "F", false, "table (default) or json", "table json"},
    {.name = NULL},
};

const struct command command_list = {
    .plugin = {"command", "list",
               "show models, machines, workloads, spaces, parameters, metrics, costs", NULL, NULL},
    .usage = "KIND [NAME]",
    .description =
        "KIND is models, machines, workloads, spaces, parameters, metrics, costs, fields (of\n"
        "profiles), organisations, placements, schedules, topologies, readers, validations,\n"
        "computations (behind published figures), algorithms (of bandscape network) or commands. "
        "With a NAME, what is known of that one:\n"
        "models, costs and workloads show their whole page (equations, what they read, units and\n"
        "validity), of parameters a section (llc) is a name too. JSON has the rows of the table.",
    .examples = "  bandscape list models eab\n"
                "  bandscape list machines sac\n"
                "  bandscape list costs link_power\n"
                "  bandscape list workloads gemm\n"
                "  bandscape list parameters --machine sac\n"
                "  bandscape list parameters llc.capacity",
    .options = list_options,
    .run = list_run,
    .arguments = "@lists|@listed",
};
