/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building models: one record, the choice between organisations, and the way
 * from launches to the run. */
#include <math.h>
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
    {NULL, IN_PLAIN, COMBINE_SUM, NULL},
};

const struct model_metric model_speedup_metric = {"speedup", IN_PLAIN, COMBINE_RATE,
                                                  "kernel_time of a baseline over kernel_time"};

const struct model_metric *model_metric_find(const struct model *model, const char *name)
{
    const struct model_metric *lists[] = {model_common_metrics, model->metrics};
    for (int l = 0; l < 2; l++)
        for (const struct model_metric *m = lists[l]; m && m->name; m++)
            if (strcmp(m->name, name) == 0)
                return m;
    return strcmp(name, model_speedup_metric.name) == 0 ? &model_speedup_metric : NULL;
}

/* --- one record -------------------------------------------------------------- */

static int record_metric(const struct model_record *record, const char *name)
{
    for (int i = 0; i < record->n_metrics; i++)
        if (strcmp(record->metrics[i].name, name) == 0)
            return record->metrics[i].term;
    return -1;
}

/* A machine with the levels that an organisation makes of it, or, of one that chooses, the
 * organisation `name` between which and another it does. */
static int organised_machine(const struct machine *machine, const struct organisation *organisation,
                             const char *name, struct machine **out, struct error *error)
{
    const struct plugin *plugin = &organisation->plugin;
    int status = name ? plugin_require("organisation", name, &plugin, error) : 0;
    if (status)
        return status;
    const struct organisation *own = (const struct organisation *)plugin;
    *out = machine_clone(machine);
    if (own->rewrite)
        status = own->rewrite(*out, error);
    if (!status && own != organisation && organisation->rewrite)
        status = organisation->rewrite(*out, error);
    return status;
}

/* Points at which the machine cannot be have no answer: minima would pass over parts that are no
 * numbers. */
static void record_bind(struct term_graph *graph, int valid, struct model_record *out)
{
    for (int i = 0; i < out->n_metrics; i++) {
        struct model_term *metric = &out->metrics[i];
        int none = term_constant(graph, "no answer", NAN, term_get(graph, metric->term)->dim);
        metric->term = term_operation(graph, EXPRESSION_IF, metric->name, 3,
                                      (int[]){valid, metric->term, none});
    }
}

static int record_build(struct term_graph *graph, struct arena *arena, const struct model *model,
                        const struct machine *machine, const struct model_views *views,
                        size_t index, struct model_result *result, struct model_record *out,
                        struct error *error)
{
    const struct profile_record *record = &views->items[0]->records[index];
    struct model_builder builder = {.graph = graph,
                                    .result = result,
                                    .arena = arena,
                                    .plugin = &model->plugin,
                                    .model = model,
                                    .machine = machine,
                                    .record = record,
                                    .out = out,
                                    .views = views,
                                    .index = index,
                                    .error = error};
    *out = (struct model_record){.record = record, .decision = -1};
    model->build(&builder);
    if (!builder.status && record_metric(out, "effective_bandwidth") < 0)
        return error_set(error, STATUS_FAILED, "model %s sets no effective_bandwidth",
                         model->plugin.name);
    if (builder.valid)
        record_bind(graph, builder.valid, out);
    return builder.status;
}

/* The two organisations between which another one chooses, built side by side;
 * every metric becomes if(decision, other, usual). */
static int record_choose(struct term_graph *graph, struct arena *arena, const struct model *model,
                         const struct machine *usual, const struct machine *other,
                         const struct organisation *organisation, const struct model_views *views,
                         size_t index, struct model_result *result, struct model_record *out,
                         struct error *error)
{
    const struct model *eab = (const struct model *)plugin_find("model", "eab");
    struct model_record a, b, eab_a, eab_b;
    int status;
    if ((status = record_build(graph, arena, model, usual, views, index, result, &a, error)) ||
        (status = record_build(graph, arena, model, other, views, index, result, &b, error)) ||
        (status = record_build(graph, arena, eab, usual, views, index, NULL, &eab_a, error)) ||
        (status = record_build(graph, arena, eab, other, views, index, NULL, &eab_b, error)))
        return status;
    struct model_builder builder = {.graph = graph,
                                    .plugin = &model->plugin,
                                    .model = model,
                                    .machine = usual,
                                    .record = a.record,
                                    .out = &a,
                                    .error = error};
    int threshold =
        term_product(graph, "(1+theta)*EAB_usual",
                     term_sum(graph, "1+theta", model_constant(&builder, NULL, 1, DIM_NONE),
                              model_parameter(&builder, "llc.theta")),
                     record_metric(&eab_a, "effective_bandwidth"));
    int decision = term_operation(graph, EXPRESSION_GREATER, "decision", 2,
                                  (int[]){record_metric(&eab_b, "effective_bandwidth"), threshold});
    *out = a;
    out->decision = decision;
    out->usual = organisation->usual;
    out->other = organisation->other;
    for (int i = 0; i < a.n_metrics; i++)
        out->metrics[i].term =
            term_operation(graph, EXPRESSION_IF, a.metrics[i].name, 3,
                           (int[]){decision, b.metrics[i].term, a.metrics[i].term});
    for (int i = 0; i < a.n_streams && i < b.n_streams; i++)
        out->streams[i].term =
            term_operation(graph, EXPRESSION_IF, a.streams[i].name, 3,
                           (int[]){decision, b.streams[i].term, a.streams[i].term});
    return builder.status;
}

/* kernel_time of a record whose bytes are known. */
static void record_add_time(struct term_graph *graph, struct model_record *record)
{
    double bytes = record->record->fields[FIELD_BYTES];
    if (isnan(bytes) || record_metric(record, "kernel_time") >= 0 ||
        record->n_metrics == MODEL_METRICS_MAX)
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
                      const struct model_metric *metric)
{
    int *parts = memory_zero(result->n_records, sizeof *parts);
    int *weights = memory_zero(result->n_records, sizeof *weights);
    int n = 0, last = -1;
    for (size_t r = 0; r < result->n_records; r++) {
        const struct model_record *record = &result->records[r];
        int term = record->empty ? -1 : record_metric(record, metric->name);
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
        last = metric->combine == COMBINE_RATE  ? term_quotient(graph, metric->name, all, sum)
               : metric->combine == COMBINE_SUM ? sum
                                                : term_quotient(graph, metric->name, sum, all);
    }
    free(parts);
    free(weights);
    return last;
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
    struct machine *usual = NULL, *other = NULL;
    int status = organised_machine(machine, organisation, organisation->usual, &usual, error);
    if (!status && organisation->other)
        status = organised_machine(machine, organisation, organisation->other, &other, error);
    for (size_t r = 0; r < view->n_records && !status; r++) {
        const struct profile_record *record = &view->records[r];
        struct model_record *built = &out->records[r];
        if (record->fields[FIELD_REQUESTS] == 0) {
            *built = (struct model_record){.record = record, .decision = -1, .empty = true};
            continue;
        }
        status = other ? record_choose(graph, arena, model, usual, other, organisation, views, r,
                                       out, built, error)
                       : record_build(graph, arena, model, usual, views, r, out, built, error);
        if (!status)
            record_add_time(graph, built);
        else if (record->name && record->name[0] && status != STATUS_INFEASIBLE)
            error_context(error, "kernel %s", record->name);
    }
    if (!status)
        model_warn_uncounted(out, arena, usual, view);
    if (!status && other)
        model_warn_uncounted(out, arena, other, view);
    machine_destroy(usual);
    machine_destroy(other);
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
    if (!status && organisation->parts)
        status = profile_parts_scan(organisation->parts, &parts, error);
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
    int status = machine_organisation(machine, &organisation, error);
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
        for (const struct model_metric *m = lists[l];
             m && m->name && out->n_metrics < MODEL_METRICS_MAX; m++) {
            int term = run_metric(graph, out, m);
            if (term >= 0)
                out->metrics[out->n_metrics++] = (struct model_term){m->name, term};
        }
    return 0;
}

int model_result_metric(const struct model_result *result, const char *name)
{
    for (int i = 0; i < result->n_metrics; i++)
        if (strcmp(result->metrics[i].name, name) == 0)
            return result->metrics[i].term;
    return -1;
}
