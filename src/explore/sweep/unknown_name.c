/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of names in spaces. */
#include "explore/sweep/unknown_name.h"

#include <string.h>

#include "core/suggest.h"

/* Metrics of one model by their bare names, or behind "model.". */
static void offer_metrics(struct suggest *suggest, const struct sweep *sweep,
                          const struct model *model, bool qualified, struct arena *arena)
{
    const struct model_metric speedup[] = {model_speedup_metric, {.name = NULL}};
    const struct model_metric *tables[] = {
        model_common_metrics, sweep->space->speedup_vs ? speedup : NULL, model->metrics};
    for (int t = 0; t < 3; t++)
        for (const struct model_metric *row = tables[t]; row && row->name; row++)
            suggest_offer(suggest, qualified
                                       ? arena_printf(arena, "%s.%s", model->plugin.name, row->name)
                                       : arena_strdup(arena, row->name));
}

static void offer_all_metrics(struct suggest *suggest, const struct sweep *sweep,
                              struct arena *arena)
{
    bool qualified = strchr(suggest->wanted, '.') != NULL;
    for (size_t m = 0; m < sweep->space->n_models; m++)
        offer_metrics(suggest, sweep, sweep->space->models[m], qualified, arena);
}

static void offer_machine(struct suggest *suggest, const struct machine *machine,
                          struct arena *arena)
{
    struct parameter p;
    size_t cursor = 0;
    char path[128];
    while (machine_next(machine, &cursor, &p)) {
        parameter_path(&p, path, sizeof path);
        suggest_offer(suggest, arena_strdup(arena, path));
    }
    for (const struct model_total_row *total = model_total_table; total->name; total++)
        suggest_offer(suggest, total->name);
    const struct plugin *cost;
    for (cursor = 0; (cost = plugin_next("cost", &cursor));)
        suggest_offer(suggest, arena_printf(arena, "cost.%s", cost->name));
}

/* A metric by name, with or without its model. */
static const struct model_metric *metric_of(const struct space *space, const char *name)
{
    const struct model_metric *row = NULL;
    for (size_t m = 0; m < space->n_models && !row; m++) {
        const char *model = space->models[m]->plugin.name;
        size_t length = strlen(model);
        bool named = strncmp(name, model, length) == 0 && name[length] == '.';
        row = model_metric_find(space->models[m], named ? name + length + 1 : name);
    }
    return row;
}

static int unknown_workload(const struct sweep *sweep, const char *metric, const char *at,
                            struct error *error)
{
    struct suggest suggest = suggest_begin(at);
    const char *only = sweep->space->n_workloads == 1 ? sweep->workload_names[0] : NULL;
    for (size_t w = 0; w < sweep->space->n_workloads; w++)
        suggest_offer(&suggest, sweep->workload_names[w]);
    for (int m = MEAN_HARMONIC; m <= MEAN_ARITHMETIC; m++)
        suggest_offer(&suggest, space_mean_names[m]);
    error_set(error, STATUS_INPUT, "%s@%.80s: the space has no workload \"%.80s\"", metric, at, at);
    suggest_hint(&suggest, error);
    if (only)
        error_hint(error, "there is one: \"%s\"", only);
    return error_hint(error, "a metric of one workload is metric@workload");
}

/* A metric that there is, of a workload that there is, if one is named. */
static int absent_metric(const struct sweep *sweep, const char *name,
                         const struct model_metric *metric, struct error *error)
{
    if (strcmp(metric->name, model_speedup_metric.name) == 0 && !sweep->space->speedup_vs) {
        error_set(error, STATUS_INPUT, "%.100s: a speed-up needs a baseline", name);
        return error_hint(error, "add speedup_vs: an organisation of the LLC or a machine");
    }
    error_set(error, STATUS_INPUT, "the models do not say %.100s of these workloads and machines",
              name);
    return error_hint(error, "a profile of plain numbers may lack what it needs, such as bytes");
}

static int unknown_part(const struct sweep *sweep, const struct machine *machine, bool tie,
                        const char *name, struct arena *arena, struct error *error)
{
    const struct space *space = sweep->space;
    const char *at = strchr(name, '@'), *dot = strchr(name, '.');
    const char *metric =
        at ? arena_printf(arena, "%.*s", (int)(at - name), name) : arena_strdup(arena, name);
    const struct model_metric *row = metric_of(space, metric);
    struct suggest suggest = suggest_begin(metric);
    const struct plugin *model =
        dot ? plugin_find("model", arena_printf(arena, "%.*s", (int)(dot - name), name)) : NULL;
    enum space_mean mean;
    bool workload = !at || space_mean_find(at + 1, &mean);
    for (size_t w = 0; w < space->n_workloads && !workload; w++)
        workload = strcmp(at + 1, sweep->workload_names[w]) == 0;
    for (size_t i = 0; i < space->n_lets; i++)
        if (strcmp(space->lets[i].name, name) == 0)
            return error_set(error, STATUS_INPUT, "%s is a let name: a tie can use parameters only",
                             name);
    if (row && tie)
        return error_set(error, STATUS_INPUT, "%s is a metric: a tie can use parameters only",
                         name);
    if (row && !workload)
        return unknown_workload(sweep, metric, at + 1, error);
    if (row)
        return absent_metric(sweep, name, row, error);
    bool listed = false;
    for (size_t m = 0; m < space->n_models; m++)
        listed = listed || &space->models[m]->plugin == model;
    if (model && !listed) {
        error_set(error, STATUS_INPUT, "%.100s: the space does not ask the model %s", name,
                  model->name);
        return error_hint(error, "add it to its models");
    }
    if (!tie)
        offer_all_metrics(&suggest, sweep, arena);
    for (size_t i = 0; i < space->n_lets && !at && !tie; i++)
        suggest_offer(&suggest, space->lets[i].name);
    if (!at)
        offer_machine(&suggest, machine, arena);
    if (at)
        error_set(error, STATUS_INPUT, "%.100s: no model of the space has a metric \"%.80s\"", name,
                  metric);
    else
        error_set(error, STATUS_INPUT, "there is no parameter, metric or let name \"%.100s\"",
                  name);
    suggest_hint(&suggest, error);
    return error_hint(error, at ? "bandscape list metrics shows all of them"
                                : "bandscape list parameters and list metrics show all of them");
}

int unknown_name(const struct sweep *sweep, const struct machine *machine, bool tie,
                 const char *name, struct error *error)
{
    struct arena *arena = arena_create();
    int status = unknown_part(sweep, machine, tie, name, arena, error);
    arena_destroy(arena);
    return status;
}
