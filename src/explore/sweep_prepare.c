/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep needs before it runs: views of all machines, and times of its baseline. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "explore/answer.h"
#include "explore/structure.h"
#include "explore/sweep.h"
#include "explore/view_groups.h"

struct preparation {
    struct sweep *sweep;
    struct sweep_plan plan;
    struct {
        struct subject_task *items;
        size_t count, capacity;
    } tasks;
    struct {
        struct machine **items;
        size_t count, capacity;
    } machines;
};

/* The views that all workloads of a size need of a machine, which is kept or destroyed. */
static void collect_machine(struct preparation *p, struct machine *machine, size_t size,
                            unsigned parts)
{
    size_t before = p->tasks.count;
    for (size_t w = 0; w < p->sweep->space->n_workloads; w++)
        VECTOR_PUSH(&p->tasks, ((struct subject_task){.subject = sweep_subject(p->sweep, size, w),
                                                      .machine = machine,
                                                      .parts = parts,
                                                      .effort = p->sweep->effort,
                                                      .keep = p->sweep->keep_views}));
    p->tasks.count = subject_plan(p->tasks.items, p->tasks.count);
    if (p->tasks.count == before)
        machine_destroy(machine);
    else
        VECTOR_PUSH(&p->machines, machine);
}

/* Those of a machine and of the variants of it that models compare: with the parts that the
 * machine asks for. The machine is taken over. */
static int collect_machines(struct preparation *p, struct machine *machine, size_t size,
                            struct error *error)
{
    const struct space *space = p->sweep->space;
    unsigned parts = p->sweep->parts;
    size_t n_variants;
    struct machine **variants =
        memory_zero(space->n_models * MODEL_VARIANTS_MAX + 1, sizeof *variants);
    int status = subject_variants(space->models, space->n_models, machine, &parts, variants,
                                  &n_variants, error);
    for (size_t v = 0; v < n_variants; v++)
        collect_machine(p, variants[v], size, parts);
    free(variants);
    collect_machine(p, machine, size, parts);
    return status;
}

static int collect_views(void *context, const struct sweep_part *part, size_t index,
                         struct error *error)
{
    struct preparation *p = context;
    const struct baseline *baseline = p->sweep->baseline;
    struct machine *machine, *base = NULL;
    size_t *digits = memory_zero(p->sweep->space->n_axes, sizeof *digits);
    int status = structure_machine(p->sweep->space, part, index, digits, &machine, error);
    size_t size = sweep_size(p->sweep, part, digits);
    free(digits);
    p->plan.structures++;
    if (status == STATUS_INFEASIBLE) /* counted when it is swept */
        return 0;
    if (status)
        return status;
    if (baseline && baseline->organisation)
        status = baseline_machine(baseline, machine, &base, error);
    int collected = collect_machines(p, machine, size, error);
    if (status || collected || !base) {
        machine_destroy(base);
        return status ? status : collected;
    }
    return collect_machines(p, base, size, error);
}

/* A machine of its own as baseline: its views, and when they are made its times. */
static int collect_baseline(struct preparation *p, struct error *error)
{
    struct machine *machine;
    const struct baseline *baseline = p->sweep->baseline;
    if (!baseline || !baseline->machine)
        return 0;
    int status = 0;
    for (size_t size = 0; size < p->sweep->n_sizes && !status; size++)
        if (!(status = baseline_machine(baseline, NULL, &machine, error)))
            status = collect_machines(p, machine, size, error);
    return status;
}

static int baseline_ask(struct sweep *sweep, struct error *error)
{
    const struct space *space = sweep->space;
    if (!sweep->baseline || !sweep->baseline->machine)
        return 0;
    size_t n = sweep->n_sizes * space->n_workloads * space->n_models;
    sweep->baseline_times = arena_alloc(sweep->arena, n * sizeof *sweep->baseline_times);
    for (size_t i = 0; i < n; i++) {
        const struct model *model = space->models[i % space->n_models];
        struct model_views views;
        struct answer *answer = NULL;
        size_t w = i / space->n_models; /* with its size */
        int status =
            subject_views(sweep->subjects.items[w], model, sweep->baseline->machine, &views, error);
        if (!status)
            status =
                answer_create_variants(model, sweep->baseline->machine, &views, &answer, error);
        if (!status && isnan(answer_metric(answer, "kernel_time")))
            status = error_set(error, STATUS_UNKNOWN_FIELD,
                               "the profile does not say bytes: there is no kernel_time");
        if (!status)
            sweep->baseline_times[i] = answer_metric(answer, "kernel_time");
        answer_destroy(answer);
        if (status) {
            error_context(error, "speedup_vs %s, workload %s", space->speedup_vs,
                          sweep->workload_names[w % space->n_workloads]);
            error_place(error, &space->speedup_mark);
            return status;
        }
    }
    return 0;
}

int sweep_prepare(struct sweep *sweep, sweep_announce_fn *announce, void *context,
                  struct error *error)
{
    struct preparation p = {.sweep = sweep};
    p.plan.points = space_count(sweep->space);
    int status = sweep_for_each(sweep->space, collect_views, &p, error);
    if (!status)
        status = collect_baseline(&p, error);
    for (size_t i = 0; i < p.tasks.count; i++) {
        p.plan.views_cached += p.tasks.items[i].cached;
        p.plan.views_missing += !p.tasks.items[i].cached && p.tasks.items[i].subject->source;
    }
    p.plan.passes = view_groups_passes(p.tasks.items, p.tasks.count);
    p.plan.tasks = p.tasks.items;
    p.plan.n_tasks = p.tasks.count;
    if (!status && announce)
        status = announce(context, &p.plan, error);
    if (!status)
        status = subject_prepare(p.tasks.items, p.tasks.count, sweep->threads, error);
    if (!status)
        status = baseline_ask(sweep, error);
    for (size_t i = 0; i < p.machines.count; i++)
        machine_destroy(p.machines.items[i]);
    VECTOR_FREE(&p.machines);
    VECTOR_FREE(&p.tasks);
    return status;
}
