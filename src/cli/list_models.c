/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a model. */
#include "cli/list_models.h"

#include <stdio.h>
#include <string.h>

#include "cli/terminal.h"
#include "model/model.h"
#include "profile/curves/distances.h"

/* A curve for every cache that a model may ask for, all alike. */
static void give_curves(struct profile_record *record, struct arena *arena)
{
    static struct curve_point points[] = {{1, 0}, {1024, 400}, {1048576, 800}};
    enum { ALL = SCOPE_COUNT * LEVEL_SIDES * CACHE_FILTERS };
    record->curves = arena_alloc(arena, ALL * sizeof *record->curves);
    for (; record->n_curves < ALL; record->n_curves++) {
        size_t i = record->n_curves;
        record->curves[i] =
            (struct profile_curve){.scope = cache_scope_names[i / LEVEL_SIDES / CACHE_FILTERS],
                                   .side = level_side_names[i / CACHE_FILTERS % LEVEL_SIDES],
                                   .filter = cache_filter_names[i % CACHE_FILTERS],
                                   .curve = {1000, 200, points, 3}};
    }
}

/* Builds the model on a record in which every field is known, under one
 * organisation, and notes the inputs and fields it takes; of a record with curves
 * the inputs. */
static int name_levels(const struct machine *machine, struct profile_record *record,
                       struct error *error)
{
    struct machine_levels levels;
    int status = machine_levels(machine, true, &levels, error);
    for (int i = 0; i < levels.n; i++)
        record->levels[i] = levels.names[i];
    struct machine_tlbs tlbs;
    if (!status)
        status = machine_tlbs(machine, &tlbs, error);
    for (int i = 0; !status && i < tlbs.n; i++)
        record->levels[levels.n + i] = tlbs.names[i];
    struct machine_beside beside;
    if (!status)
        status = machine_beside(machine, true, &beside, error);
    for (int i = 0; !status && i < beside.n; i++)
        record->levels[levels.n + tlbs.n + i] = beside.names[i];
    return status;
}

static int note_reads(const struct model *model, const struct machine *as_it_is,
                      const char *organisation, bool curves, bool *parameters, bool *fields,
                      struct error *error)
{
    struct machine *machine = machine_clone(as_it_is);
    struct profile_record record = {.name = "", .launches = 1};
    struct profile_view view = {.records = &record, .n_records = 1};
    struct term_graph *graph = term_graph_create();
    struct arena *arena = arena_create();
    struct model_result result;
    for (int i = 0; i < FIELD_COUNT; i++)
        record.fields[i] = 0.5 + i / 1024.0; /* distinct, so that a constant names its field */
    if (curves)
        give_curves(&record, arena);
    double chips, partitions;
    if (machine_number(machine, "chips", &chips, error) == 0 &&
        machine_number(machine, "partitions", &partitions, error) == 0 && chips * partitions == 1)
        record.fields[FIELD_R_LOCAL] = 1; /* anything else is refused */
    int status = name_levels(machine, &record, error);
    if (!status)
        status = machine_set(machine, "llc.organisation", organisation, NULL, error);
    if (!status)
        status = model_build(graph, arena, model, machine, &view, &result, error);
    size_t cursor = 0, index = 0;
    struct parameter p;
    for (; !status && machine_next(machine, &cursor, &p); index++) {
        char path[128];
        parameter_path(&p, path, sizeof path);
        parameters[index] = parameters[index] || model_reads(graph, path);
    }
    for (int t = 0; !status && !curves && t < term_count(graph); t++) {
        const struct term *term = term_get(graph, t);
        char path[128];
        for (int f = 0; term->kind == TERM_CONSTANT && term->name && f < FIELD_COUNT; f++)
            fields[f] |= profile_field_exists(f) &&
                         strcmp(profile_field_path(&record, f, path, sizeof path), term->name) == 0;
    }
    term_graph_destroy(graph);
    arena_destroy(arena);
    machine_destroy(machine);
    return status;
}

static void print_metrics(const struct model *model)
{
    const struct model_metric *tables[] = {model_common_metrics, model->metrics};
    printf("\nmetrics:\n");
    for (int t = 0; t < 2; t++)
        for (const struct model_metric *m = tables[t]; m && m->name; m++) {
            char unit[64];
            terminal_say("  %-22s %-6s %s\n", m->name, dim_unit(m->dim, unit, sizeof unit),
                         m->help);
        }
}

static void print_parameters(const struct machine *machine, const bool *read)
{
    size_t cursor = 0, index = 0;
    struct parameter p;
    printf("\nparameters it reads (of machine %s):\n", machine->name);
    for (; machine_next(machine, &cursor, &p); index++) {
        char path[128], unit[64];
        if (!read[index])
            continue;
        parameter_path(&p, path, sizeof path);
        terminal_say("  %-22s %-6s per %s: %s\n", path,
                     p.row->kind == PARAMETER_NAME ? "name"
                                                   : dim_unit(p.row->dim, unit, sizeof unit),
                     p.row->per, p.row->help);
    }
}

/* What the model reads on a machine under those organisations in which it applies. */
static int note_all_reads(const struct model *model, const char *name_or_path,
                          struct machine **machine, bool *parameters, bool *fields,
                          struct error *error)
{
    const struct plugin *organisation;
    struct error refused = {0}, ignored;
    bool applies = false;
    int status = machine_load(name_or_path, machine, error);
    for (int i = 1; !status && (organisation = plugin_preferred("organisation", i)); i++) {
        status = note_reads(model, *machine, organisation->name, false, parameters, fields, error);
        applies = applies || !status;
        if (status != STATUS_INFEASIBLE)
            continue;
        refused = i == 1 ? *error : refused;
        status = 0;
    }
    /* Others may know miss curves only, as a split LLC. */
    for (size_t cursor = 0; !status && (organisation = plugin_next("organisation", &cursor));)
        note_reads(model, *machine, organisation->name, true, parameters, fields, &ignored);
    if (!status && !applies) {
        *error = refused;
        status = STATUS_INFEASIBLE;
    }
    return status;
}

/* The three kinds of answers, and what tells them apart. */
static const char *answer_meaning(const char *answer)
{
    static const char *const kinds[][2] = {
        {"EAB-style", "bandwidths of streams that saturate apart add up"},
        {"bottleneck at the given mix",
         "least, over resources, of capacity over what the workload's mix takes of it"},
        {"network", "throughput and latencies of a closed queueing network"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i][0], answer) == 0)
            return kinds[i][1];
    return "see below";
}

static void print_parts(const struct model *model, const struct machine *machine)
{
    struct error ignored;
    unsigned parts = 0;
    const char *before =
        "\nof profiles that whatif and sweep do not make by themselves: profile --with ";
    model_parts(model, machine, &parts, &ignored);
    for (int i = 0; i < PART_COUNT; i++)
        if (parts & 1U << i) {
            printf("%s%s", before, profile_part_table[i].name);
            before = ",";
        }
    printf("%s", parts ? "\n" : "");
}

int list_model(const char *name, const char *machine_name_or_path, struct error *error)
{
    const struct plugin *plugin;
    struct machine *machine = NULL;
    int status = plugin_require("model", name, &plugin, error);
    if (status)
        return status;
    const struct model *model = (const struct model *)plugin;
    bool parameters[1024] = {false}, fields[FIELD_COUNT] = {false};
    if (!machine_name_or_path)
        machine_name_or_path = model_machine_name(model);
    status = note_all_reads(model, machine_name_or_path, &machine, parameters, fields, error);
    if (!status) {
        terminal_say("%s - %s\n\nanswer:    %s: %s\nreference: %s\nvalid for: %s\n\n", plugin->name,
                     plugin->summary, model->answer, answer_meaning(model->answer),
                     plugin->reference ? plugin->reference : "our own", model->validity);
        printf("%s\n", model->page); /* equations in lines of their own */
        print_metrics(model);
        print_parameters(machine, parameters);
        printf("\nprofile fields it reads (llc_hit only where no miss curve stands):\n");
        struct profile_record record = {.name = ""};
        status = name_levels(machine, &record, error);
        for (int i = 0; i < FIELD_COUNT; i++) {
            char path[128];
            if (fields[i])
                terminal_say("  %-22s %s\n", profile_field_path(&record, i, path, sizeof path),
                             profile_field_row(i)->help);
        }
        print_parts(model, machine);
        terminal_say("\ntry: bandscape whatif --machine %s --workload gemm:input=small --model %s "
                     "--explain\n",
                     machine->name, plugin->name);
    }
    machine_destroy(machine);
    return status;
}
