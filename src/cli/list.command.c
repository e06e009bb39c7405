/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape list: what there is to name in the other commands. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/list.h"
#include "cli/list_models.h"
#include "cli/list_workloads.h"
#include "cli/terminal.h"
#include "core/catalogue.h"
#include "core/suggest.h"
#include "explore/space/space.h"
#include "model/cost.h"
#include "queueing/solve.h"
#include "validate/validations.h"
#include "yaml/yaml.h"

void listing_add(struct listing *l, const char *const *texts)
{
    for (size_t c = 0; c < l->sheet->n_columns; c++)
        SHEET_TEXTS(l->sheet, texts[c] ? texts[c] : "");
}

static int list_machines(struct listing *l, struct error *error)
{
    struct catalogue catalogue;
    int status = 0;
    machine_catalogue(&catalogue);
    for (size_t i = 0; i < catalogue.count && !status; i++) {
        struct machine *machine;
        status = machine_load(catalogue.items[i].path, &machine, error);
        if (status)
            break;
        listing_add(l, (const char *[]){catalogue.items[i].name, machine->summary, machine->source,
                                        catalogue.items[i].path});
        machine_destroy(machine);
    }
    catalogue_fini(&catalogue);
    return status;
}

static int list_spaces(struct listing *l, struct error *error)
{
    (void)error;
    struct catalogue catalogue;
    space_catalogue(&catalogue);
    for (size_t i = 0; i < catalogue.count; i++) {
        struct yaml_document *document = NULL;
        struct error ignored;
        const struct yaml_node *summary = NULL;
        if (yaml_load(catalogue.items[i].path, &document, &ignored) == 0)
            summary = yaml_get(document->root, "summary");
        listing_add(l,
                    (const char *[]){catalogue.items[i].name,
                                     summary && summary->kind == YAML_SCALAR ? summary->text : "",
                                     catalogue.items[i].path});
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

/* In the unit that is listed; NaN: a name, or nothing is known. */
static double parameter_number(const struct machine *machine, const struct parameter *p)
{
    const struct parameter_value *value = &p->section->values[p->index];
    struct error ignored;
    double number = (double)NAN;
    if (p->row->kind != PARAMETER_NAME && value->known &&
        parameter_si(machine, p, value, &number, &ignored))
        return (double)NAN;
    return number;
}

static int list_parameters(struct listing *l, struct error *error)
{
    static const char *const needs[] = {"nothing", "another pass", "another mapping",
                                        "other terms"};
    struct machine *machine;
    int status = machine_load(l->machine, &machine, error);
    if (status)
        return status;
    size_t cursor = 0, present = machine->n_sections;
    struct parameter p;
    machine_add_absent(machine);
    while (machine_next(machine, &cursor, &p)) {
        char path[128], unit[64];
        struct text value = {0}, help = {0};
        parameter_path(&p, path, sizeof path);
        bool here = p.section < machine->sections + present;
        if (here)
            parameter_format(&p, &p.section->values[p.index], &value);
        else
            text_append(&value, "absent");
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
        SHEET_TEXTS(l->sheet, path, parameter_unit(p.row, unit, sizeof unit),
                    p.row->per ? p.row->per : "", value.data, needs[p.row->structure], help.data);
        SHEET_NUMBERS(l->sheet, here ? parameter_number(machine, &p) : (double)NAN);
        text_free(&value);
        text_free(&help);
    }
    machine_destroy(machine);
    return 0;
}

static int list_metrics(struct listing *l, struct error *error)
{
    (void)error;
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next("model", &cursor));) {
        const struct model *model = (const struct model *)plugin;
        const struct model_metric *tables[] = {model_common_metrics, model->metrics};
        for (int t = 0; t < 2; t++)
            for (const struct model_metric *m = tables[t]; m && m->name; m++) {
                char unit[64];
                listing_add(l, (const char *[]){m->name, plugin->name,
                                                dim_unit(m->dim, unit, sizeof unit), m->help});
            }
    }
    listing_add(l, (const char *[]){model_speedup_metric.name, "all, with speedup_vs or --baseline",
                                    "1", model_speedup_metric.help});
    return 0;
}

static int list_fields(struct listing *l, struct error *error)
{
    (void)error;
    for (int i = 0; i < FIELD_COUNT; i++) {
        char unit[64];
        bool again = profile_field_is_of_level(i) && i >= FIELD_LEVEL_1; /* all have the same */
        if (again || !profile_field_exists(i))
            continue;
        listing_add(l, (const char *[]){profile_field_row(i)->path,
                                        dim_unit(profile_field_row(i)->dim, unit, sizeof unit),
                                        profile_field_row(i)->help});
    }
    return 0;
}

static int list_plugins(struct listing *l, struct error *error)
{
    (void)error;
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next(l->plugin, &cursor));) {
        listing_add(l, (const char *[]){plugin->name, plugin->summary, plugin->reference});
    }
    return 0;
}

static int list_validations(struct listing *l, struct error *error)
{
    struct validations validations;
    int status = validations_open(&validations, error);
    for (size_t i = 0; i < validations.count && !status; i++) {
        listing_add(l, (const char *[]){validations.items[i]->plugin.name,
                                        validations.items[i]->plugin.summary,
                                        validations.items[i]->plugin.reference});
    }
    validations_close(&validations);
    return status;
}

static int list_algorithms(struct listing *l, struct error *error)
{
    (void)error;
    for (const struct queueing_algorithm *a = queueing_algorithms; a->name; a++) {
        listing_add(l, (const char *[]){a->name, a->summary, a->reference});
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
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next("cost", &cursor));) {
        char unit[64];
        listing_add(l, (const char *[]){plugin->name,
                                        cost_unit((const struct cost *)plugin, unit, sizeof unit),
                                        plugin->summary, plugin->reference});
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
        terminal_say("%s  %s.%s  %s\n",
                     row == plugin->parameters ? "\nparameters of its own:\n" : "", plugin->name,
                     row->field, row->help);
    return 0;
}

static int list_workload_page(const char *name, const char *machine, struct error *error)
{
    (void)machine;
    return list_workload(name, error);
}

/* --- what there is, as data -------------------------------------------------------- */

/* Titles of tables are also keys in JSON. */
#define COLUMN(name)                                                                               \
    {                                                                                              \
        name, name, NULL, SHEET_TEXT                                                               \
    }
static const struct sheet_column machine_columns[] = {
    COLUMN("machine"), COLUMN("summary"), COLUMN("source"), COLUMN("file"), {NULL}};
static const struct sheet_column workload_columns[] = {
    COLUMN("workload"), COLUMN("suite"),  COLUMN("CTAs"), COLUMN("footprint"),
    COLUMN("summary"),  COLUMN("inputs"), {NULL}};
static const struct sheet_column space_columns[] = {
    COLUMN("space"), COLUMN("summary"), COLUMN("file"), {NULL}};
static const struct sheet_column parameter_columns[] = {COLUMN("parameter"),
                                                        COLUMN("unit"),
                                                        COLUMN("per"),
                                                        COLUMN("value"),
                                                        COLUMN("a change needs"),
                                                        COLUMN("help"),
                                                        {"number", NULL, NULL, SHEET_NUMBER},
                                                        {NULL}};
static const struct sheet_column metric_columns[] = {
    COLUMN("metric"), COLUMN("model"), COLUMN("unit"), COLUMN("help"), {NULL}};
static const struct sheet_column cost_columns[] = {COLUMN("cost"),
                                                   COLUMN("unit, or what 1 stands for"),
                                                   COLUMN("summary"),
                                                   COLUMN("reference"),
                                                   {NULL}};
static const struct sheet_column field_columns[] = {
    COLUMN("field"), COLUMN("unit"), COLUMN("help"), {NULL}};
static const struct sheet_column algorithm_columns[] = {
    COLUMN("algorithm"), COLUMN("summary"), COLUMN("reference"), {NULL}};
static const struct sheet_column plugin_columns[] = {
    COLUMN("name"), COLUMN("summary"), COLUMN("reference"), {NULL}};

const struct list_kind list_kinds[] = {
    {"models", "@model", plugin_columns, list_plugins, "model", list_model},
    {"machines", "@machines", machine_columns, list_machines, NULL, NULL},
    {"workloads", "@workloads", workload_columns, list_workloads, NULL, list_workload_page},
    {"spaces", "@spaces", space_columns, list_spaces, NULL, NULL},
    {"parameters", "@parameters", parameter_columns, list_parameters, NULL, NULL},
    {"metrics", "@metrics", metric_columns, list_metrics, NULL, NULL},
    {"costs", "@cost", cost_columns, list_costs, NULL, list_cost},
    {"fields", "@fields", field_columns, list_fields, NULL, NULL},
    {"organisations", "@organisation", plugin_columns, list_plugins, "organisation", NULL},
    {"placements", "@placement", plugin_columns, list_plugins, "placement", NULL},
    {"schedules", "@schedule", plugin_columns, list_plugins, "schedule", NULL},
    {"samplers", "@sampler", plugin_columns, list_plugins, "sampler", NULL},
    {"topologies", "@topology", plugin_columns, list_plugins, "topology", NULL},
    {"readers", "@reader", plugin_columns, list_plugins, "reader", NULL},
    {"validations", "@validations", plugin_columns, list_validations, NULL, NULL},
    {"computations", "@computation", plugin_columns, list_plugins, "computation", NULL},
    {"algorithms", "@algorithms", algorithm_columns, list_algorithms, NULL, NULL},
    {"commands", "@command", plugin_columns, list_plugins, "command", NULL},
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

/* Rows that have the word in their names, up to a few. */
static void hint_containing(const struct listing *l, const char *word, struct error *error)
{
    enum { MOST = 4, SHORTEST = 3 };
    struct text names = {0};
    size_t count = 0;
    for (size_t i = 0; i < sheet_rows(l->sheet) && strlen(word) >= SHORTEST; i++) {
        const char *name = l->sheet->cells.items[i * l->sheet->n_columns].text;
        if (strstr(name, word) && count++ < MOST)
            text_printf(&names, "%s%s", count > 1 ? ", " : "", name);
    }
    if (count)
        error_hint(error, "with \"%.40s\" in their names: %s%s", word, names.data,
                   count > MOST ? ", ..." : "");
    text_free(&names);
}

/* Keeps the rows of that name, or else of that section ("llc" of parameters). */
static int listing_choose(struct listing *l, const struct list_kind *kind, const char *name,
                          struct error *error)
{
    size_t n = l->sheet->n_columns, rows = sheet_rows(l->sheet), kept = 0;
    struct sheet_cell *cells = l->sheet->cells.items;
    struct suggest suggest = suggest_begin(name);
    for (int section = 0; section < 2 && kept == 0; section++)
        for (size_t i = 0; i < rows; i++)
            if (row_answers(cells[i * n].text, name, section))
                memmove(cells + kept++ * n, cells + i * n, n * sizeof *cells);
    for (size_t i = 0; kept == 0 && i < rows; i++)
        suggest_offer(&suggest, cells[i * n].text);
    if (kept > 0) {
        l->sheet->cells.count = kept * n;
        return 0;
    }
    error_set(error, STATUS_INPUT, "there is no %s \"%.80s\"",
              kind->plugin ? kind->plugin : kind->columns[0].key, name);
    hint_containing(l, name, error);
    suggest_hint(&suggest, error);
    error_hint(error, "bandscape list %s shows all", kind->name);
    return STATUS_INPUT;
}

/* A row: a line for each of its columns that has something. */
static void listing_print_rows(const struct listing *l)
{
    const struct sheet *sheet = l->sheet;
    size_t width = 0;
    for (size_t c = 0; c < sheet->n_columns; c++)
        if (sheet->columns[c].title && strlen(sheet->columns[c].title) > width)
            width = strlen(sheet->columns[c].title);
    for (size_t r = 0; r < sheet_rows(sheet); r++)
        for (size_t c = 0; c < sheet->n_columns; c++) {
            const char *text = sheet_at(sheet, r, c)->text;
            if (r > 0 && c == 0)
                printf("\n");
            if (sheet->columns[c].title && text[0]) /* others are for programs */
                terminal_say("%-*s  %s\n", (int)width, sheet->columns[c].title, text);
        }
}

static int list_kind_print(const struct list_kind *kind, const char *name, const char *machine,
                           const char *format, struct error *error)
{
    bool json = strcmp(format, "json") == 0;
    if (name && kind->page && !json)
        return kind->page(name, machine, error);
    struct listing l = {.sheet = sheet_create(kind->columns),
                        .machine = machine ? machine : model_machine_name(NULL),
                        .plugin = kind->plugin};
    int status = kind->fill(&l, error);
    if (!status && name)
        status = listing_choose(&l, kind, kind->fill == list_costs ? cost_name(name) : name, error);
    if (!status && name && !json && row_answers(sheet_at(l.sheet, 0, 0)->text, name, false))
        listing_print_rows(&l);
    else if (!status)
        terminal_print_sheet(l.sheet, format);
    sheet_destroy(l.sheet);
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
        "profiles), samplers, organisations, placements, schedules, topologies, readers,\n"
        "validations, computations (behind published figures), algorithms (of bandscape network)\n"
        "or commands. With a NAME, what is known of that one:\n"
        "models, costs and workloads show their whole page (equations, what they read, units and\n"
        "validity), of parameters a section (llc) is a name too. JSON has the rows of the table,\n"
        "and the value of a parameter as a number in its unit.",
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
