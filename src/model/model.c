/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building models: one record, and the way from launches to the run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/organisation.h"
#include "model/internal.h"

const struct model_metric model_common_metrics[] = {
    {"effective_bandwidth", IN_BYTES_PER_S, COMBINE_RATE,
     "bytes of requests (L1 misses, writes, atomics) over kernel_time"},
    {"kernel_time", IN_SECONDS, COMBINE_SUM,
     "of all launches, with whatever the model knows of their start and end; bytes over "
     "effective_bandwidth"},
    {"memory_read", IN_BYTES, COMBINE_SUM, "bytes that memories read"},
    {"memory_written", IN_BYTES, COMBINE_SUM,
     "bytes written to memories: what leaves a launch's LLC dirty, and what its end writes home"},
    {"reconfiguration_time", IN_SECONDS, COMBINE_SUM,
     "part of kernel_time: turns between organisations (sac), drains and write-backs"},
    {NULL, IN_PLAIN, COMBINE_SUM, NULL},
};

const struct model_metric model_speedup_metric = {"speedup", IN_PLAIN, COMBINE_RATE,
                                                  "kernel_time of a baseline over kernel_time"};

/* "utilisation_*" stands for "utilisation_l2". */
static bool metric_stands_for(const struct model_metric *metric, const char *name)
{
    const char *star = strchr(metric->name, '*');
    size_t before = star ? (size_t)(star - metric->name) : 0, after = star ? strlen(star + 1) : 0;
    size_t length = strlen(name);
    return star && length > before + after && strncmp(metric->name, name, before) == 0 &&
           strcmp(star + 1, name + length - after) == 0;
}

const struct model_metric *model_metric_find(const struct model *model, const char *name)
{
    const struct model_metric *lists[] = {model_common_metrics, model->metrics};
    for (int l = 0; l < 2; l++)
        for (const struct model_metric *m = lists[l]; m && m->name; m++)
            if (strcmp(m->name, name) == 0)
                return m;
    for (const struct model_metric *m = model->metrics; m && m->name; m++)
        if (metric_stands_for(m, name))
            return m;
    return strcmp(name, model_speedup_metric.name) == 0 ? &model_speedup_metric : NULL;
}

const struct model *model_preferred(void)
{
    return (const struct model *)plugin_preferred("model", 1);
}

const struct model *model_first(int place)
{
    const struct plugin *plugin;
    for (size_t cursor = 0; (plugin = plugin_next("model", &cursor));)
        if (((const struct model *)plugin)->first_answer == place)
            return (const struct model *)plugin;
    return NULL;
}

const char *model_machine_name(const struct model *model)
{
    return model && model->machine ? model->machine : model_preferred()->machine;
}

/* --- one record -------------------------------------------------------------- */

static int record_metric(const struct model_record *record, const char *name)
{
    return model_term_find(record->metrics, record->n_metrics, name);
}

/* A machine with the levels that an organisation makes of it, or, of one that chooses, the
 * organisation `name` between which and another it does. */
static int organised_machine(const struct machine *machine, const struct organisation *organisation,
                             const char *name, struct organised *out, struct error *error)
{
    const struct plugin *plugin = &organisation->plugin;
    int status = name ? plugin_require("organisation", name, &plugin, error) : 0;
    if (status)
        return status;
    const struct organisation *own = (const struct organisation *)plugin;
    out->machine = machine_clone(machine);
    if (own->rewrite)
        status = own->rewrite(out->machine, error);
    if (!status && own != organisation && organisation->rewrite)
        status = organisation->rewrite(out->machine, error);
    return status;
}

int model_check_graph(const struct term_graph *graph, const struct plugin *plugin,
                      struct error *error)
{
    const char *misuse = term_graph_misuse(graph);
    if (!misuse)
        return 0;
    return error_set(error, STATUS_FAILED, "%s %s: term %s", plugin->kind, plugin->name, misuse);
}

/* Points at which the machine cannot be have no answer: minima would pass over parts that are no
 * numbers. */
void record_bind(struct term_graph *graph, int valid, struct model_record *out)
{
    for (int i = 0; i < out->n_metrics; i++) {
        struct model_term *metric = &out->metrics[i];
        int none = term_constant(graph, "no answer", NAN, term_get(graph, metric->term)->dim);
        metric->term = term_operation(graph, EXPRESSION_IF, metric->name, 3,
                                      (int[]){valid, metric->term, none});
    }
}

struct model_builder record_builder(const struct record_maker *maker, const struct model *model,
                                    struct organised *organised,
                                    const struct profile_record *record,
                                    struct model_result *result, struct model_record *out,
                                    struct error *error)
{
    return (struct model_builder){.graph = maker->graph,
                                  .result = result,
                                  .arena = maker->arena,
                                  .plugin = &model->plugin,
                                  .model = model,
                                  .machine = organised->machine,
                                  .organised = organised,
                                  .record = record,
                                  .out = out,
                                  .views = maker->views,
                                  .index = maker->index,
                                  .error = error};
}

int record_build(const struct record_maker *maker, const struct model *model,
                 struct organised *organised, const struct profile_record *record,
                 struct model_result *result, struct model_record *out, struct error *error)
{
    struct model_builder builder =
        record_builder(maker, model, organised, record, result, out, error);
    *out = (struct model_record){.record = record, .decision = -1, .turned = -1};
    model->build(&builder);
    if (builder.status)
        return builder.status;
    if (record_metric(out, "effective_bandwidth") < 0)
        return error_set(error, STATUS_FAILED, "model %s sets no effective_bandwidth",
                         model->plugin.name);
    if (builder.valid)
        record_bind(maker->graph, builder.valid, out);
    return model_check_graph(maker->graph, &model->plugin, error);
}

/* kernel_time of a record whose bytes are known. */
static void record_add_time(struct term_graph *graph, struct model_record *record)
{
    double bytes = record->record->fields[FIELD_BYTES];
    if (isnan(bytes) || record_metric(record, "kernel_time") >= 0)
        return;
    int time = term_quotient(graph, "kernel_time", term_constant(graph, "bytes", bytes, DIM_BYTES),
                             record_metric(record, "effective_bandwidth"));
    record->metrics[record->n_metrics++] = (struct model_term){"kernel_time", time};
}

/* --- the run ------------------------------------------------------------------ */

/* What a record weighs in a metric of the run: its bytes or its time. */
static int record_weight(struct term_graph *graph, const struct model_record *record,
                         enum metric_combine combine)
{
    if (combine == COMBINE_TIME)
        return record_metric(record, "kernel_time");
    return term_constant(graph, "bytes", record->record->fields[FIELD_BYTES], DIM_BYTES);
}

static int run_metric(struct term_graph *graph, const struct model_result *result,
                      const struct model_metric *metric, const char *name)
{
    int *parts = memory_zero(result->n_records, sizeof *parts);
    int *weights = memory_zero(result->n_records, sizeof *weights);
    int n = 0, last = -1;
    for (size_t r = 0; r < result->n_records; r++) {
        const struct model_record *record = &result->records[r];
        int term = record->empty ? -1 : record_metric(record, name);
        if (term < 0)
            continue;
        last = term;
        int weight = record_weight(graph, record, metric->combine);
        if (metric->combine == COMBINE_RATE)
            term = term_quotient(graph, NULL, weight, term);
        else if (metric->combine != COMBINE_SUM && weight >= 0)
            term = term_product(graph, NULL, weight, term);
        weights[n] = weight;
        parts[n++] = term;
    }
    if (n > 1) {
        int sum = term_operation(graph, EXPRESSION_ADD, NULL, n, parts);
        int all = term_operation(graph, EXPRESSION_ADD, NULL, n, weights);
        last = metric->combine == COMBINE_RATE  ? term_quotient(graph, name, all, sum)
               : metric->combine == COMBINE_SUM ? sum
                                                : term_quotient(graph, name, sum, all);
    }
    free(parts);
    free(weights);
    return last;
}

/* A model's own metrics: each name once, and room for the common ones and speedup beside them. */
static int metrics_check(const struct model *model, struct error *error)
{
    int most = MODEL_METRICS_MAX - 6, n = 0;
    for (const struct model_metric *m = model->metrics; m && m->name; m++, n++)
        if (model_metric_find(model, m->name) != m)
            return error_set(error, STATUS_FAILED, "model %s declares metric \"%s\" twice",
                             model->plugin.name, m->name);
    if (n > most)
        return error_set(error, STATUS_FAILED, "model %s declares %d metrics, %d at most",
                         model->plugin.name, n, most);
    return 0;
}

static int run_check(const struct profile_view *view, const struct model *model,
                     struct error *error)
{
    size_t with_requests = 0, without_bytes = 0;
    for (size_t r = 0; r < view->n_records; r++) {
        with_requests += view->records[r].fields[FIELD_REQUESTS] != 0;
        without_bytes += isnan(view->records[r].fields[FIELD_BYTES]);
    }
    if (with_requests == 0)
        return error_set(error, STATUS_UNKNOWN_FIELD,
                         "model %s: the workload makes no requests: bandwidth, LSU and the "
                         "decision are undefined",
                         model->plugin.name);
    if (view->n_records > 1 && without_bytes > 0) {
        error_set(error, STATUS_UNKNOWN_FIELD,
                  "model %s: the profile does not say the bytes of each of its %zu records",
                  model->plugin.name, view->n_records);
        error_hint(error, "add \"bytes\" to each point, to weight them");
        return STATUS_UNKNOWN_FIELD;
    }
    return 0;
}

static int model_build_records(struct term_graph *graph, struct arena *arena,
                               const struct model *model, const struct machine *machine,
                               const struct organisation *organisation,
                               const struct model_views *views, struct model_result *out,
                               struct error *error)
{
    const struct profile_view *view = views->items[0];
    struct organised usual = {0}, other = {0};
    const struct organisation_choice *choice = organisation->choice;
    struct record_maker maker = {graph, arena, model, views, out, 0};
    const struct model_record *before = NULL; /* the last one that had requests */
    int status =
        organised_machine(machine, organisation, choice ? choice->usual : NULL, &usual, error);
    if (!status && choice)
        status = organised_machine(machine, organisation, choice->other, &other, error);
    for (size_t r = 0; r < view->n_records && !status; r++) {
        const struct profile_record *record = &view->records[r];
        struct model_record *built = &out->records[r];
        if (record->fields[FIELD_REQUESTS] == 0) {
            *built = (struct model_record){
                .record = record, .decision = -1, .turned = -1, .empty = true};
            continue;
        }
        maker.index = r;
        status = choice ? record_choose(&maker, organisation, &usual, &other, record, before, built,
                                        error)
                        : record_build(&maker, model, &usual, record, out, built, error);
        before = built;
        if (!status)
            record_add_time(graph, built);
        else if (record->name && record->name[0] && status != STATUS_INFEASIBLE)
            error_context(error, "kernel %s", record->name);
    }
    if (!status)
        model_warn_uncounted(out, arena, usual.machine, view);
    if (!status && choice)
        model_warn_uncounted(out, arena, other.machine, view);
    organised_fini(&usual);
    organised_fini(&other);
    return status;
}

/* A metric of the run, where a record has it. */
static int run_add(struct term_graph *graph, struct model_result *out,
                   const struct model_metric *metric, const char *name, struct error *error)
{
    int term = run_metric(graph, out, metric, name);
    if (term < 0)
        return 0;
    if (out->n_metrics == MODEL_METRICS_MAX - 1) /* speedup fits */
        return error_set(error, STATUS_FAILED, "model %s has more than %d metrics",
                         out->model->plugin.name, MODEL_METRICS_MAX - 1);
    out->metrics[out->n_metrics++] = (struct model_term){name, term};
    return 0;
}

/* All that a metric such as "utilisation_*" stands for, in the order of the records. */
static int run_add_family(struct term_graph *graph, struct model_result *out,
                          const struct model_metric *metric, struct error *error)
{
    int status = 0;
    for (size_t r = 0; r < out->n_records; r++)
        for (int i = 0; i < out->records[r].n_metrics && !status; i++) {
            const char *name = out->records[r].metrics[i].name;
            if (model_metric_find(out->model, name) == metric &&
                model_term_find(out->metrics, out->n_metrics, name) < 0)
                status = run_add(graph, out, metric, name, error);
        }
    return status;
}

static int machine_organisation(const struct machine *machine, const struct organisation **out,
                                struct error *error)
{
    const char *name;
    const struct plugin *plugin = NULL;
    int status = machine_name(machine, "llc.organisation", &name, error);
    if (!status)
        status = plugin_require("organisation", name, &plugin, error);
    *out = (const struct organisation *)plugin;
    return status;
}

int model_parts(const struct model *model, const struct machine *machine, unsigned *out,
                struct error *error)
{
    const struct organisation *organisation;
    unsigned parts = PART_BASE;
    int status = machine_organisation(machine, &organisation, error);
    const char *names = status                   ? NULL
                        : organisation->parts_of ? organisation->parts_of(machine)
                                                 : organisation->parts;
    if (names)
        status = profile_parts_scan(names, &parts, error);
    *out = (model->parts_of ? model->parts_of(machine) : model->parts) | parts;
    return status;
}

int model_variant(const struct model *model, const struct machine *machine, int variant,
                  struct machine **out, struct error *error)
{
    *out = machine_clone(machine);
    int status = model->vary ? model->vary(*out, variant, error) : 0;
    if (status > 0)
        return 0;
    machine_destroy(*out);
    *out = NULL;
    if (status)
        error_context(error, "model %s", model->plugin.name);
    return status;
}

int model_build(struct term_graph *graph, struct arena *arena, const struct model *model,
                const struct machine *machine, const struct profile_view *view,
                struct model_result *out, struct error *error)
{
    struct model_views views = {.items = {view}};
    for (int v = 1; v <= model->n_variants && view->n_keys == 0; v++)
        views.items[v] = view;
    return model_build_variants(graph, arena, model, machine, &views, out, error);
}

int model_build_variants(struct term_graph *graph, struct arena *arena, const struct model *model,
                         const struct machine *machine, const struct model_views *views,
                         struct model_result *out, struct error *error)
{
    const struct profile_view *view = views->items[0];
    const struct organisation *organisation;
    int status = metrics_check(model, error);
    if (!status)
        status = machine_organisation(machine, &organisation, error);
    if (!status)
        status = run_check(view, model, error);
    if (status)
        return status;
    *out = (struct model_result){.model = model, .organisation = organisation->plugin.name};
    out->n_records = view->n_records;
    out->records = arena_alloc(arena, view->n_records * sizeof *out->records);
    status = model_build_records(graph, arena, model, machine, organisation, views, out, error);
    if (status)
        return status;
    const struct model_metric *lists[] = {model_common_metrics, model->metrics};
    for (int l = 0; l < 2; l++)
        for (const struct model_metric *m = lists[l]; m && m->name && !status; m++)
            status = strchr(m->name, '*') ? run_add_family(graph, out, m, error)
                                          : run_add(graph, out, m, m->name, error);
    return status;
}

int model_result_metric(const struct model_result *result, const char *name)
{
    return model_term_find(result->metrics, result->n_metrics, name);
}
