/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluating one model at one point. */
#include "explore/answer/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"

const char *const answer_in_a_line[] = {"effective_bandwidth", "kernel_time", "llc_hit_rate", NULL};

static struct answer *answer_begin(void)
{
    struct answer *answer = memory_zero(1, sizeof *answer);
    answer->arena = arena_create();
    answer->graph = term_graph_create();
    return answer;
}

/* Refuses an answer that is none: a number of the run that is infinite (an unknown one is NaN), or
 * a bandwidth that is not positive. */
static int answer_check(const struct answer *answer, struct error *error)
{
    const struct model_result *result = &answer->result;
    for (int i = 0; i < result->n_metrics; i++) {
        const struct model_term *metric = &result->metrics[i];
        double value = answer->values[metric->term];
        bool bandwidth = strcmp(metric->name, "effective_bandwidth") == 0;
        if (!isinf(value) && !(bandwidth && !(value > 0)))
            continue;
        error_set(error, STATUS_INFEASIBLE, "model %s: %s would be %s", result->model->plugin.name,
                  metric->name,
                  isinf(value)   ? "infinite"
                  : isnan(value) ? "no number"
                                 : "0");
        return error_hint(error,
                          "a value of the machine or of the profile is too large or too small");
    }
    return 0;
}

struct nodes {
    int *items;
    size_t count, capacity;
};

/* What is said of a launch in a line: how long it takes, what limits it, what was chosen. */
static void add_record(const struct model_record *record, struct nodes *nodes)
{
    for (int i = 0; i < record->n_metrics && !record->empty; i++)
        if (strcmp(record->metrics[i].name, "kernel_time") == 0)
            VECTOR_PUSH(nodes, record->metrics[i].term);
    for (int i = 0; i < record->n_streams && !record->empty; i++)
        VECTOR_PUSH(nodes, record->streams[i].term);
    if (record->decision >= 0)
        VECTOR_PUSH(nodes, record->decision);
    if (record->turned >= 0)
        VECTOR_PUSH(nodes, record->turned);
}

/* All values, or those that some metrics of the run need. */
static void answer_evaluate(struct answer *answer, const double *inputs, const char *const *metrics)
{
    struct nodes nodes = {0};
    answer->values = memory_zero((size_t)term_count(answer->graph), sizeof *answer->values);
    if (!metrics) {
        term_evaluate(answer->graph, inputs, answer->values);
        return;
    }
    VECTOR_PUSH(&nodes, model_result_metric(&answer->result, "effective_bandwidth"));
    for (size_t i = 0; metrics[i]; i++) {
        int term = model_result_metric(&answer->result, metrics[i]);
        if (term >= 0)
            VECTOR_PUSH(&nodes, term);
    }
    for (size_t r = 0; r < answer->result.n_records && metrics == answer_in_a_line; r++)
        add_record(&answer->result.records[r], &nodes);
    term_evaluate_needed(answer->graph, inputs, nodes.items, (int)nodes.count, answer->values);
    VECTOR_FREE(&nodes);
}

int answer_again(struct answer *answer, const struct machine *machine, const char *const *metrics,
                 struct error *error)
{
    size_t n_inputs = (size_t)term_input_count(answer->graph);
    double *inputs = memory_zero(n_inputs, sizeof *inputs);
    int status = model_bind(answer->graph, machine, inputs, error);
    free(answer->values);
    answer->values = NULL;
    if (!status) {
        answer_evaluate(answer, inputs, metrics);
        status = interrupt_check(error); /* a solver may have stopped half-way */
    }
    if (!status)
        status = answer_check(answer, error);
    free(inputs);
    return status;
}

/* `status`: of the building of the graph; `metrics`: NULL, all. */
static int answer_end(struct answer *answer, int status, const struct machine *machine,
                      const char *const *metrics, struct answer **out, struct error *error)
{
    *out = NULL;
    if (!status)
        status = answer_again(answer, machine, metrics, error);
    if (status)
        answer_destroy(answer);
    else
        *out = answer;
    return status;
}

int answer_create(const struct model *model, const struct machine *machine,
                  const struct profile_view *view, struct answer **out, struct error *error)
{
    struct answer *answer = answer_begin();
    int status =
        model_build(answer->graph, answer->arena, model, machine, view, &answer->result, error);
    return answer_end(answer, status, machine, NULL, out, error);
}

int answer_create_variants(const struct model *model, const struct machine *machine,
                           const struct model_views *views, struct answer **out,
                           struct error *error)
{
    return answer_create_metrics(model, machine, views, NULL, out, error);
}

int answer_create_metrics(const struct model *model, const struct machine *machine,
                          const struct model_views *views, const char *const *metrics,
                          struct answer **out, struct error *error)
{
    struct answer *answer = answer_begin();
    int status = model_build_variants(answer->graph, answer->arena, model, machine, views,
                                      &answer->result, error);
    return answer_end(answer, status, machine, metrics, out, error);
}

void answer_destroy(struct answer *answer)
{
    if (!answer)
        return;
    free(answer->values);
    term_graph_destroy(answer->graph);
    arena_destroy(answer->arena);
    free(answer);
}

double answer_metric(const struct answer *answer, const char *name)
{
    int term = model_result_metric(&answer->result, name);
    return term < 0 ? (double)NAN : answer->values[term];
}

struct quantity answer_quantity(const struct answer *answer, const char *name)
{
    int term = model_result_metric(&answer->result, name);
    return term < 0 ? (struct quantity){(double)NAN, DIM_NONE}
                    : (struct quantity){answer->values[term], term_get(answer->graph, term)->dim};
}

/* Points in a block: networks that are the same from one to the next are solved once in it. */
enum { MANY_WIDTH = 256 };

/* Inputs as columns, of those that vary. */
struct many {
    int n_inputs;
    enum term_rate *rates;
    double *columns; /* [input][point of a block] */
};

static void many_begin(struct many *m, const double *inputs, size_t count)
{
    m->rates = memory_zero((size_t)m->n_inputs + 1, sizeof *m->rates);
    m->columns = memory_zero((size_t)m->n_inputs * MANY_WIDTH + 1, sizeof *m->columns);
    for (int i = 0; i < m->n_inputs; i++)
        for (size_t k = 1; k < count; k++)
            if (inputs[k * (size_t)m->n_inputs + (size_t)i] != inputs[i])
                m->rates[i] = TERM_POINT;
}

static void many_run(const struct many *m, struct term_state *state, const double *inputs,
                     size_t count)
{
    for (int i = 0; i < m->n_inputs; i++)
        for (size_t k = 0; k < count && m->rates[i] == TERM_POINT; k++)
            m->columns[(size_t)i * MANY_WIDTH + k] = inputs[k * (size_t)m->n_inputs + (size_t)i];
    term_state_block(state, (int)count);
}

/* Output 0 is the bandwidth, 1 the metric. */
static void many_take(const struct term_state *state, size_t count, double *out)
{
    bool one[2];
    const double *bandwidth = term_state_output(state, 0, &one[0]),
                 *metric = term_state_output(state, 1, &one[1]);
    for (size_t k = 0; k < count; k++) {
        double b = bandwidth[one[0] ? 0 : k], value = metric[one[1] ? 0 : k];
        out[k] = b > 0 && isfinite(b) && !isinf(value) ? value : (double)NAN;
    }
}

int answer_metric_many(const struct answer *answer, const char *name, const double *inputs,
                       size_t count, double *out, struct error *error)
{
    int outputs[2] = {model_result_metric(&answer->result, "effective_bandwidth"),
                      model_result_metric(&answer->result, name)};
    struct many m = {.n_inputs = term_input_count(answer->graph)};
    int status = interrupt_check(error);
    for (size_t k = 0; k < count; k++)
        out[k] = (double)NAN;
    if (status || !count || outputs[1] < 0)
        return status;
    many_begin(&m, inputs, count);
    struct term_program *program =
        term_program_create(answer->graph, outputs, 2, m.rates, MANY_WIDTH);
    struct term_state *state = term_state_create(program);
    for (int i = 0; i < m.n_inputs; i++)
        if (m.rates[i] == TERM_POINT)
            term_state_column(state, i, m.columns + (size_t)i * MANY_WIDTH);
        else
            term_state_scalar(state, i, inputs[i]);
    term_state_begin(state);
    for (size_t at = 0; at < count && !status; at += MANY_WIDTH) {
        size_t n = count - at < MANY_WIDTH ? count - at : MANY_WIDTH;
        many_run(&m, state, inputs + at * (size_t)m.n_inputs, n);
        status = interrupt_check(error); /* a solver may have stopped half-way */
        if (!status)
            many_take(state, n, out + at);
    }
    term_state_destroy(state);
    term_program_destroy(program);
    free(m.rates);
    free(m.columns);
    return status;
}

const struct model_record *answer_dominant(const struct answer *answer)
{
    const struct model_record *best = NULL;
    double longest = -1;
    for (size_t r = 0; r < answer->result.n_records; r++) {
        const struct model_record *record = &answer->result.records[r];
        double time = 0;
        if (record->empty)
            continue;
        for (int i = 0; i < record->n_metrics; i++)
            if (strcmp(record->metrics[i].name, "kernel_time") == 0)
                time = answer->values[record->metrics[i].term];
        if (time > longest) {
            longest = time;
            best = record;
        }
    }
    return best;
}

const char *answer_decision(const struct answer *answer, const struct model_record *record)
{
    if (record->empty)
        return NULL;
    if (record->decision < 0)
        return answer->result.organisation;
    return answer->values[record->decision] != 0 ? record->other : record->usual;
}

size_t answer_decisions(const struct answer *answer, size_t *choices)
{
    size_t chosen = 0;
    *choices = 0;
    for (size_t r = 0; r < answer->result.n_records; r++) {
        const struct model_record *record = &answer->result.records[r];
        if (record->empty || record->decision < 0)
            continue;
        (*choices)++;
        chosen += answer->values[record->decision] != 0;
    }
    return chosen;
}

size_t answer_unturned(const struct answer *answer)
{
    size_t early = 0;
    for (size_t r = 0; r < answer->result.n_records; r++) {
        const struct model_record *record = &answer->result.records[r];
        if (!record->empty && record->turned >= 0)
            early += answer->values[record->decision] != 0 && answer->values[record->turned] == 0;
    }
    return early;
}

const char *answer_limit(const struct answer *answer, const struct model_record *record, int i)
{
    int term = record->streams[i].term;
    /* A stream without requests is limited by nothing. */
    return answer->values[term] == 0 ? NULL : term_limit(answer->graph, term, answer->values);
}

const char *answer_next_limit(const struct answer *answer, const struct model_record *record, int i,
                              double *ratio)
{
    int term = record->streams[i].term;
    double value;
    if (answer->values[term] == 0)
        return NULL;
    const char *next = term_next_limit(answer->graph, term, answer->values, &value);
    *ratio = next ? value / answer->values[term] : (double)NAN;
    return next && value != 0 ? next : NULL;
}
