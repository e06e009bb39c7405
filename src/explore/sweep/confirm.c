/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulations of a sweep's best points, several at a time. */
#include "explore/sweep/confirm.h"

#include <stdlib.h>

#include "core/parallel.h"
#include "core/progress.h"

/* The workload of an item, in its point's size. */
static struct subject *subject_of(const struct confirmation *c, size_t item)
{
    size_t n = c->sweep->space->n_workloads;
    return sweep_subject(c->sweep, c->sizes[item / n], item % n);
}

struct job {
    struct confirmation *confirmation;
    uint64_t requests;
};

static int simulate_one(void *context, uint64_t index, struct error *error)
{
    const struct job *job = context;
    const struct sweep *sweep = job->confirmation->sweep;
    size_t n = sweep->space->n_workloads;
    const struct machine *machine = job->confirmation->machines[index / n];
    const struct subject *subject = subject_of(job->confirmation, index);
    struct confirmed *item = &job->confirmation->items[index];
    struct simulate_gpu_options options = referee_options(job->requests);
    for (size_t m = 0; m < sweep->space->n_models; m++)
        item->models[m] = referee_ask(sweep->space->models[m], subject, machine);
    int status = referee_simulate(subject, machine, &options, &item->result, error);
    progress_item();
    return status;
}

/* Views of the choices that simulations follow. */
static int prepare(struct confirmation *c, struct error *error)
{
    const struct space *space = c->sweep->space;
    int status = 0;
    for (size_t i = 0; i < c->points * space->n_workloads && !status; i++) {
        const struct machine *machine = c->machines[i / space->n_workloads];
        const struct model *model = referee_model(machine);
        size_t made;
        if (model)
            status = subject_prepare_models(subject_of(c, i), machine, &model, 1, 0,
                                            &c->sweep->effort, &made, error);
    }
    return status;
}

int confirm_run(const struct sweep *sweep, size_t points, uint64_t requests,
                struct confirmation *out, struct error *error)
{
    const struct space *space = sweep->space;
    if (points > sweep->ranking.count)
        points = sweep->ranking.count;
    size_t count = points * space->n_workloads;
    *out = (struct confirmation){.sweep = sweep, .points = points};
    out->machines = memory_zero(points, sizeof *out->machines);
    out->sizes = memory_zero(points, sizeof *out->sizes);
    out->items = memory_zero(count, sizeof *out->items);
    for (size_t i = 0; i < count; i++)
        out->items[i].models = memory_zero(space->n_models, sizeof *out->items[i].models);
    int status =
        sweep_machines(sweep, sweep->ranking.items, points, out->machines, out->sizes, error);
    if (!status)
        status = prepare(out, error);
    if (status)
        return status;
    struct job job = {out, requests};
    uint64_t failed;
    progress_begin_items("simulating", "runs", count, "requests");
    status = parallel_try(sweep->threads, count, simulate_one, &job, &failed, error);
    progress_end();
    if (status)
        error_context(error, "point %zu of the ranking, workload %s",
                      (size_t)failed / space->n_workloads + 1,
                      sweep->workload_names[failed % space->n_workloads]);
    return status;
}

void confirm_fini(struct confirmation *c)
{
    size_t count = c->items ? c->points * c->sweep->space->n_workloads : 0;
    for (size_t i = 0; i < count; i++) {
        simulate_gpu_result_destroy(c->items[i].result);
        free(c->items[i].models);
    }
    for (size_t i = 0; i < c->points && c->machines; i++)
        machine_destroy(c->machines[i]);
    free(c->items);
    free(c->machines);
    free(c->sizes);
    *c = (struct confirmation){0};
}
