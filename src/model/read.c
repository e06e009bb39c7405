/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model reads: parameters, totals, fields, curves; and how a graph's
 * inputs get the machine's values. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine/latency.h"
#include "model/internal.h"

struct term_graph *model_graph(struct model_builder *b)
{
    return b->graph;
}

const struct machine *model_machine(const struct model_builder *b)
{
    return b->machine;
}

struct arena *model_arena(struct model_builder *b)
{
    return b->arena;
}

/* After an error terms still have to be nodes of the right unit. */
int builder_dummy(struct model_builder *b, struct dim dim)
{
    return term_constant(b->graph, "unknown", NAN, dim);
}

void builder_fail(struct model_builder *b, int status, const struct error *error)
{
    if (b->status)
        return;
    b->status = status;
    *b->error = *error;
    error_context(b->error, "%s %s", b->plugin->kind, b->plugin->name);
}

int model_constant(struct model_builder *b, const char *name, double value, struct dim dim)
{
    return term_constant(b->graph, name, value, dim);
}

int model_parameter_term(struct term_graph *graph, const struct machine *machine, const char *path,
                         int *out, struct error *error)
{
    struct parameter p;
    double ignored;
    int status = machine_find(machine, path, &p, error);
    if (!status && p.row->kind == PARAMETER_NAME)
        status = error_set(error, STATUS_INPUT, "%s is a name, not a number", path);
    if (!status)
        status = machine_number(machine, path, &ignored, error);
    if (status)
        return status;
    const struct parameter_value *value = &p.section->values[p.index];
    int term = term_input(graph, path, value->dim);
    /* Given in cycles: the clock is an input of its own. */
    int unit = term_constant(graph, NULL, 1, DIM_CYCLES);
    for (int power = value->dim.cycle - p.row->dim.cycle; power != 0; power += power > 0 ? -1 : 1) {
        int clock = term_input(graph, "sm.clock", DIM_HERTZ);
        int cycles = term_product(graph, NULL, clock, unit); /* cycles a second */
        term = power > 0 ? term_quotient(graph, path, term, cycles)
                         : term_product(graph, path, term, cycles);
    }
    *out = term;
    return 0;
}

int model_parameter(struct model_builder *b, const char *path)
{
    struct error error;
    struct parameter p;
    int term, status = model_parameter_term(b->graph, b->machine, path, &term, &error);
    if (!status)
        return term;
    builder_fail(b, status, &error);
    return builder_dummy(b, machine_find(b->machine, path, &p, &error) ? DIM_NONE : p.row->dim);
}

void model_require(struct model_builder *b, int truth)
{
    b->valid = b->valid
                   ? term_operation(b->graph, EXPRESSION_AND, "valid", 2, (int[]){b->valid, truth})
                   : truth;
}

/* What says how the latency of a section is meant is read with it. */
static void note_latency_is(struct model_builder *b, const char *path)
{
    char is[64];
    struct parameter p;
    snprintf(is, sizeof is, "%.*s.latency_is", (int)strcspn(path, "."), path);
    if (machine_lookup(b->machine, is, &p))
        model_name(b, is);
}

int model_latency(struct model_builder *b, const char *path)
{
    struct latency_step step;
    struct error error;
    bool plain;
    int sum = -1, status = latency_step_of(b->machine, path, &plain, &step, &error);
    char name[80];
    note_latency_is(b, path);
    if (status)
        builder_fail(b, status, &error);
    if (status || plain)
        return model_parameter(b, path);
    for (int i = LATENCY_PART_COUNT - 1; i >= 0; i--) {
        char buffer[128];
        if (step.times[i] == 0)
            continue;
        int part = term_product(b->graph, NULL, model_constant(b, NULL, step.times[i], DIM_NONE),
                                model_parameter(b, latency_path(b->machine, (enum latency_part)i,
                                                                buffer, sizeof buffer)));
        sum = sum < 0 ? part : term_sum(b->graph, NULL, sum, part);
    }
    snprintf(name, sizeof name, "%s as a step", path);
    int holds = term_operation(b->graph, EXPRESSION_GREATER_EQUAL, "steps are none below 0", 2,
                               (int[]){sum, model_constant(b, NULL, LATENCY_NONE, DIM_SECONDS)});
    model_require(b, holds);
    return term_max(b->graph, name, sum, model_constant(b, NULL, 0, DIM_SECONDS));
}

/* The organisation that does not read a field of the other one; NULL: all read it. */
static const char *field_organisation_without(enum profile_field field)
{
    if (field == FIELD_LSU_SM_SIDE || field == FIELD_LLC_HIT_SM_SIDE)
        return "memory-side";
    if (field == FIELD_LSU_MEMORY_SIDE || field == FIELD_LLC_HIT_MEMORY_SIDE)
        return "sm-side";
    return NULL;
}

/* What nobody asks has no hottest slice: levels before the LLC serve all requests. */
static bool asks_no_slice(const struct model_builder *b, enum profile_field field)
{
    return (field == FIELD_LSU_MEMORY_SIDE || field == FIELD_LSU_SM_SIDE) &&
           b->record->fields[FIELD_HOME_REQUESTS] == 0;
}

int model_field(struct model_builder *b, enum profile_field field)
{
    const struct profile_field_row *row = profile_field_row(field);
    double value = b->record->fields[field], chips, partitions;
    struct error error;
    char buffer[128];
    const char *path = profile_field_path(b->record, field, buffer, sizeof buffer);
    if (field == FIELD_R_LOCAL && value < 1 &&
        machine_number(b->machine, "chips", &chips, &error) == 0 &&
        machine_number(b->machine, "partitions", &partitions, &error) == 0 &&
        chips * partitions == 1) {
        error_set(&error, STATUS_INPUT,
                  "the machine has one chip, but the profile says r_local %g: all is local there",
                  value);
        builder_fail(b, STATUS_INPUT, &error);
    }
    if (isnan(value) && asks_no_slice(b, field))
        value = 1;
    if (!isnan(value))
        return term_constant(b->graph, path, value, row->dim);
    error_set(&error, STATUS_UNKNOWN_FIELD, "the profile does not say %s (%s)", path, row->help);
    const char *other = field_organisation_without(field);
    error_hint(&error, "profile the workload, or add \"%s\" to the profile%s%s%s", path,
               other ? "; --set llc.organisation=" : "", other ? other : "",
               other ? " does without" : "");
    builder_fail(b, STATUS_UNKNOWN_FIELD, &error);
    return builder_dummy(b, row->dim);
}

enum profile_field model_field_number(struct model_builder *b, const char *path)
{
    struct error error;
    int field = profile_field_find(path);
    if (field >= 0)
        return (enum profile_field)field;
    error_set(&error, STATUS_UNKNOWN_FIELD, "no sampler has the field %s that it reads", path);
    builder_fail(b, STATUS_UNKNOWN_FIELD, &error);
    return FIELD_REQUESTS;
}

int model_field_named(struct model_builder *b, const char *path)
{
    return model_field(b, model_field_number(b, path));
}

void model_select(struct model_builder *b, int variant)
{
    const struct profile_view *view = b->views->items[variant];
    struct error error;
    if (view && b->index < view->n_records && view->n_records == b->views->items[0]->n_records) {
        b->record = &view->records[b->index];
        b->selected = variant;
        return;
    }
    error_set(&error, STATUS_UNKNOWN_FIELD,
              view ? "the profile of variant %d has other kernels than that of the machine"
                   : "there is no profile of variant %d of the machine",
              variant);
    builder_fail(b, STATUS_UNKNOWN_FIELD, &error);
}

bool model_knows(const struct model_builder *b, enum profile_field field)
{
    return !isnan(b->record->fields[field]);
}

double model_launches(const struct model_builder *b)
{
    return (double)b->record->launches;
}

double model_switch(struct model_builder *b, const char *path)
{
    struct error error;
    double value = NAN;
    int status = machine_number(b->machine, path, &value, &error);
    if (status)
        builder_fail(b, status, &error);
    /* Noted as read, though no term takes it. */
    term_resource(b->graph, term_input(b->graph, path, DIM_NONE), MODEL_SWITCH);
    return value;
}

const char *model_name(struct model_builder *b, const char *path)
{
    struct error error;
    const char *name = "";
    int status = machine_name(b->machine, path, &name, &error);
    if (status)
        builder_fail(b, status, &error);
    /* Noted as read, though no term takes it. */
    term_resource(b->graph, term_input(b->graph, path, DIM_NONE), MODEL_SWITCH);
    return name;
}

const struct profile_record *model_profile_record(const struct model_builder *b)
{
    return b->record;
}

const struct profile_view *model_profile_view(const struct model_builder *b)
{
    return b->views->items[b->selected];
}

const struct profile_curve *model_curve(struct model_builder *b, const char *scope,
                                        const char *side, const char *filter)
{
    struct error error;
    const struct profile_curve *curve = profile_curve_find(b->record, scope, side, filter);
    if (!curve) {
        error_set(&error, STATUS_UNKNOWN_FIELD,
                  "the profile has no miss curve for scope %s, side %s, filter %s", scope, side,
                  filter);
        builder_fail(b, STATUS_UNKNOWN_FIELD, &error);
    }
    return curve;
}

int model_cache_capacity(struct model_builder *b, const char *level, const char *scope)
{
    struct error error;
    struct parameter p;
    char path[80];
    double chips = 1, partitions = 1, sms = 1;
    snprintf(path, sizeof path, "%s.capacity", level);
    int status = machine_find(b->machine, path, &p, &error);
    if (!status)
        status = machine_number(b->machine, "chips", &chips, &error);
    if (!status)
        status = machine_number(b->machine, "partitions", &partitions, &error);
    if (!status)
        status = machine_number(b->machine, "sm.per_chip", &sms, &error);
    if (status) {
        builder_fail(b, status, &error);
        return builder_dummy(b, DIM_BYTES);
    }
    double per_chip = strcmp(scope, "sm") == 0          ? 1 / sms
                      : strcmp(scope, "partition") == 0 ? 1 / partitions
                      : strcmp(scope, "system") == 0    ? chips
                                                        : 1;
    double share = strcmp(p.row->per, "SM") == 0 ? per_chip * sms : per_chip;
    int capacity = model_parameter(b, path);
    if (share == 1)
        return capacity;
    return term_product(b->graph, "capacity", capacity,
                        model_constant(b, "share", share, DIM_NONE));
}

int model_slice_uniformity(struct model_builder *b, const char *level)
{
    return model_field(b, model_side(b, level) == SIDE_HOME ? FIELD_LSU_MEMORY_SIDE
                                                            : FIELD_LSU_SM_SIDE);
}

const struct model_total_row model_total_table[] = {
    {"total.noc_bandwidth", "B_intra", "noc.bandwidth", "bisection bandwidth of all crossbars"},
    {"total.llc_bandwidth", "B_LLC", "llc.bandwidth", "raw bandwidth of all LLC slices"},
    {"total.llc_capacity", "C_LLC", "llc.capacity", "LLC capacity of the system"},
    {"total.memory_bandwidth", "B_memory", "memory.bandwidth", "bandwidth of all memories"},
    {"total.link_bandwidth", "B_inter", NULL, "all edges that leave a chip, one direction each"},
    {"total.p2p_bandwidth", "B_p2p", "p2p.bandwidth", "point-to-point links in all partitions"},
    {"total.sms", "SMs", "sm.per_chip", "SMs of the system"},
    {NULL, NULL, NULL, NULL},
};

static int link_supply_term(struct term_graph *graph, const struct machine *machine, int *out,
                            struct error *error)
{
    struct link_graph links;
    double shares, own;
    int bandwidth, status = link_graph_build(machine, &links, error);
    if (status)
        return status;
    link_graph_supply(&links, &shares, &own);
    link_graph_fini(&links);
    int listed = term_constant(graph, "listed links", own, DIM_BYTES_PER_S);
    *out = listed;
    if (shares == 0)
        return 0;
    status = model_parameter_term(graph, machine, "inter.link_bandwidth", &bandwidth, error);
    if (status)
        return status;
    *out =
        term_product(graph, "B_inter", term_constant(graph, "links", shares, DIM_NONE), bandwidth);
    if (own > 0)
        *out = term_sum(graph, "B_inter", *out, listed);
    return 0;
}

const struct model_total_row *model_total_find(const char *name)
{
    const struct model_total_row *row = model_total_table;
    while (row->name && strcmp(row->name, name) != 0)
        row++;
    return row->name ? row : NULL;
}

int model_total_term(struct term_graph *graph, const struct machine *machine, const char *name,
                     int *out, struct error *error)
{
    const struct model_total_row *row = model_total_find(name);
    int chips, one, status;
    if (!row)
        return error_set(error, STATUS_INPUT, "there is no total \"%.80s\"", name);
    if (!row->path)
        return link_supply_term(graph, machine, out, error);
    status = model_parameter_term(graph, machine, "chips", &chips, error);
    if (!status)
        status = model_parameter_term(graph, machine, row->path, &one, error);
    if (!status)
        *out = term_product(graph, row->symbol, chips, one);
    return status;
}

int model_total(struct model_builder *b, const char *name)
{
    struct error error;
    int term, status = model_total_term(b->graph, b->machine, name, &term, &error);
    if (!status)
        return term;
    builder_fail(b, status, &error);
    return builder_dummy(b, DIM_BYTES_PER_S);
}

int model_term_find(const struct model_term *terms, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(terms[i].name, name) == 0)
            return terms[i].term;
    return -1;
}

/* Adds a named result; a mistake of the model is its failure. */
static void builder_set(struct model_builder *b, const char *what, struct model_term *terms, int *n,
                        int most, const char *name, int term)
{
    struct error error;
    if (model_term_find(terms, *n, name) >= 0)
        builder_fail(b, error_set(&error, STATUS_FAILED, "%s \"%s\" is set twice", what, name),
                     &error);
    else if (*n == most)
        builder_fail(b,
                     error_set(&error, STATUS_FAILED, "%s \"%s\" is one more than the %d that fit",
                               what, name, most),
                     &error);
    else
        terms[(*n)++] = (struct model_term){name, term};
}

void model_set_metric(struct model_builder *b, const char *name, int term)
{
    const struct model_metric *metric = model_metric_find(b->model, name);
    struct error error;
    if (!metric)
        builder_fail(b,
                     error_set(&error, STATUS_FAILED,
                               "metric \"%s\" is not among those that it declares", name),
                     &error);
    else
        builder_set(b, "metric", b->out->metrics, &b->out->n_metrics, MODEL_METRICS_MAX - 3,
                    strchr(metric->name, '*') ? arena_strdup(b->arena, name) : metric->name, term);
}

void model_set_stream(struct model_builder *b, const char *name, int term)
{
    struct error error;
    if (!name || !name[0])
        builder_fail(b, error_set(&error, STATUS_FAILED, "a stream has no name"), &error);
    else
        builder_set(b, "stream", b->out->streams, &b->out->n_streams, MODEL_STREAMS_MAX, name,
                    term);
}

void model_set_station(struct model_builder *b, const char *name, int service, int stay, int used)
{
    struct model_record *out = b->out;
    struct error error;
    if (out->n_stations == MODEL_STATIONS_MAX)
        builder_fail(b,
                     error_set(&error, STATUS_FAILED, "station \"%s\" is one more than fit", name),
                     &error);
    else
        out->stations[out->n_stations++] = (struct model_station){name, service, stay, used};
}

void model_set_turned(struct model_builder *b, int turned)
{
    b->out->turned = turned;
}

void model_set_decision(struct model_builder *b, int decision, const char *usual, const char *other)
{
    b->out->decision = decision;
    b->out->usual = usual;
    b->out->other = other;
}

void model_refuse(struct model_builder *b, const char *format, ...)
{
    struct error error;
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    error_set(&error, STATUS_INFEASIBLE, "%s", text);
    builder_fail(b, STATUS_INFEASIBLE, &error);
}

void model_warn(struct model_builder *b, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (b->result)
        model_add_warning(b->result, b->arena, text);
}

void model_refuse_partitions(struct model_builder *b)
{
    if (model_system(b, 0)->partitions > 1 || model_system(b, 0)->point_to_point)
        model_refuse(
            b, "it does not know chips that have partitions, whose own requests need no crossbar");
}

void model_refuse_replication(struct model_builder *b)
{
    const char *replication = "";
    struct error ignored;
    if (model_system(b, 0)->replication != REPLICATION_NONE &&
        machine_name(b->machine, "llc.replication", &replication, &ignored) == 0)
        model_refuse(b, "it does not know replicas of lines (llc.replication %s)", replication);
}

void model_fail(struct model_builder *b, const struct error *error)
{
    if (error->status != STATUS_INFEASIBLE) {
        builder_fail(b, error->status, error);
    } else if (!b->status) {
        b->status = error->status;
        *b->error = *error;
    }
}

int model_bind(const struct term_graph *graph, const struct machine *machine, double *inputs,
               struct error *error)
{
    for (int i = 0; i < term_input_count(graph); i++) {
        const char *path = term_get(graph, term_input_term(graph, i))->name;
        struct parameter p;
        if (strncmp(path, MODEL_ERROR, strlen(MODEL_ERROR)) == 0) {
            inputs[i] = 1;
            continue;
        }
        int status = machine_find(machine, path, &p, error);
        if (status)
            return status;
        /* In the unit in which it was given: the graph has the conversion. */
        inputs[i] = p.section->values[p.index].number;
    }
    return 0;
}

bool model_reads(const struct term_graph *graph, const char *path)
{
    for (int i = 0; i < term_input_count(graph); i++)
        if (strcmp(term_get(graph, term_input_term(graph, i))->name, path) == 0)
            return true;
    return false;
}
