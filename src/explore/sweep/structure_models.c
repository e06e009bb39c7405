/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/sweep/structure_models.h"

#include <string.h>

/* --- factors of errors --------------------------------------------------------------- */

size_t structure_errors(const struct space *space)
{
    return 2 * space->n_workloads * space->n_models;
}

size_t structure_error_place(const struct space *space, size_t workload, size_t model,
                             bool baseline)
{
    return 2 * (workload * space->n_models + model) + baseline;
}

const char *structure_error_name(const struct sweep *sweep, size_t place, struct arena *arena)
{
    const struct space *space = sweep->space;
    return arena_printf(
        arena, MODEL_ERROR "%s@%s%s", space->models[place / 2 % space->n_models]->plugin.name,
        sweep->workload_names[place / 2 / space->n_models], place % 2 ? ", baseline" : "");
}

/* The input of a factor, with the answer that it is for; -1: the model has none. */
static int add_factor(struct structure *s, const struct sweep *sweep, size_t place, int answer)
{
    if (!sweep->model_errors || !sweep->model_errors[place / 2 % sweep->space->n_models])
        return -1;
    s->answers[place] = answer;
    return term_input(s->graph, structure_error_name(sweep, place, s->arena), DIM_NONE);
}

/* Bandwidth times its factor, time over it. Other metrics have no measured error. */
static void apply_factor(struct structure *s, struct model_result *result, int factor)
{
    for (int i = 0; i < result->n_metrics; i++) {
        struct model_term *metric = &result->metrics[i];
        if (strcmp(metric->name, "effective_bandwidth") == 0)
            metric->term = term_product(s->graph, metric->name, metric->term, factor);
        else if (strcmp(metric->name, "kernel_time") == 0)
            metric->term = term_quotient(s->graph, metric->name, metric->term, factor);
    }
}

/* What an error is of: the time, or the bandwidth where there are no bytes. */
static int answer_of(const struct model_result *result)
{
    int time = model_result_metric(result, "kernel_time");
    return time >= 0 ? time : model_result_metric(result, "effective_bandwidth");
}

/* --- models ----------------------------------------------------------------------------- */

/* The baseline's time for one workload and model, over that of `result`: its speed-up. Under
 * organisations of one machine the axes' inputs are the baseline's as well. */
static int build_speedup(struct structure *s, const struct sweep *sweep, size_t w, size_t m,
                         const struct machine *base, int factor, struct error *error)
{
    size_t index = w * sweep->space->n_models + m;
    size_t timed = s->size * sweep->space->n_workloads * sweep->space->n_models + index;
    struct model_result *result = &s->results[index], reference;
    int time = model_result_metric(result, "kernel_time"), above, below = time, answer;
    if (sweep->baseline_times) {
        above = term_constant(s->graph, "baseline", sweep->baseline_times[timed], DIM_SECONDS);
        answer = above;
    } else {
        struct model_views views;
        int status =
            subject_views(sweep_subject(sweep, s->size, w), result->model, base, &views, error);
        if (!status)
            status = model_build_variants(s->graph, s->arena, result->model, base, &views,
                                          &reference, error);
        if (status) {
            error_context(error, "speedup_vs %s", sweep->space->speedup_vs);
            error_place(error, &sweep->space->speedup_mark);
            return status;
        }
        above = answer = model_result_metric(&reference, "kernel_time");
        if (above < 0 || time < 0) { /* no bytes: see baseline.h */
            above = model_result_metric(result, "effective_bandwidth");
            below = answer = model_result_metric(&reference, "effective_bandwidth");
        }
    }
    if (below < 0)
        return 0;
    struct model_term speedup = {"speedup", term_quotient(s->graph, "speedup", above, below)};
    if (factor >= 0) {
        int other = add_factor(s, sweep, structure_error_place(sweep->space, w, m, true), answer);
        speedup.term = term_product(s->graph, "speedup", speedup.term,
                                    term_quotient(s->graph, NULL, factor, other));
    }
    int place = 0;
    while (place < result->n_metrics && strcmp(result->metrics[place].name, speedup.name) != 0)
        place++;
    if (place < MODEL_METRICS_MAX) {
        result->metrics[place] = speedup;
        result->n_metrics += place == result->n_metrics;
    }
    return 0;
}

int structure_build_models(struct structure *s, const struct sweep *sweep, struct error *error)
{
    const struct space *space = sweep->space;
    struct machine *base = NULL;
    if (sweep->baseline) {
        int status = baseline_machine(sweep->baseline, s->machine, &base, error);
        if (status)
            return status;
    }
    size_t n = space->n_workloads * space->n_models;
    s->results = arena_alloc(s->arena, n * sizeof *s->results);
    s->answers = arena_alloc(s->arena, structure_errors(space) * sizeof *s->answers);
    for (size_t i = 0; i < structure_errors(space); i++)
        s->answers[i] = -1;
    for (size_t w = 0; w < space->n_workloads; w++) {
        int status = 0;
        for (size_t m = 0; m < space->n_models && !status; m++) {
            struct model_result *result = &s->results[w * space->n_models + m];
            struct model_views views;
            int factor = -1;
            status = subject_views(sweep_subject(sweep, s->size, w), space->models[m], s->machine,
                                   &views, error);
            if (!status)
                status = model_build_variants(s->graph, s->arena, space->models[m], s->machine,
                                              &views, result, error);
            if (!status)
                factor = add_factor(s, sweep, structure_error_place(space, w, m, false),
                                    answer_of(result));
            if (!status && base)
                status = build_speedup(s, sweep, w, m, base, factor, error);
            if (!status && factor >= 0)
                apply_factor(s, result, factor);
            if (status && status != STATUS_INFEASIBLE)
                error_context(error, "workload %s", sweep->workload_names[w]);
        }
        if (status) {
            machine_destroy(base);
            return status;
        }
    }
    machine_destroy(base);
    return 0;
}
