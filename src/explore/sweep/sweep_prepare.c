/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep needs before it runs: views of all machines, and times of its baseline. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/progress.h"
#include "core/ranks.h"
#include "explore/answer/answer.h"
#include "explore/sweep/structure.h"
#include "explore/sweep/sweep.h"
#include "explore/sweep/sweep_state.h"
#include "explore/views/view_groups.h"

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

static void preparation_fini(struct preparation *p)
{
    for (size_t i = 0; i < p->machines.count; i++)
        machine_destroy(p->machines.items[i]);
    VECTOR_FREE(&p->machines);
    VECTOR_FREE(&p->tasks);
}

/* --- by ranks --------------------------------------------------------------------------------- */

static void tell_views(uint64_t amount)
{
    while (amount--)
        progress_item();
}

/* Numbers of the tasks that the cache lacked when rank 0 looked. */
static size_t spread_missing(const struct preparation *p, uint64_t **out)
{
    struct text text = {0};
    for (uint64_t i = 0; i < p->tasks.count; i++)
        if (!p->tasks.items[i].cached && p->tasks.items[i].subject->source)
            text_append_bytes(&text, (const char *)&i, sizeof i);
    ranks_spread(&text);
    size_t count = text.length / sizeof **out;
    *out = memory_zero(count, sizeof **out);
    if (count)
        memcpy(*out, text.data, count * sizeof **out);
    text_free(&text);
    return count;
}

/* Each missing view by one rank, into the cache that all see. */
static int make_together(struct preparation *p, struct error *error)
{
    int threads = p->sweep->threads, status = 0;
    uint64_t *missing, from, to;
    size_t count = spread_missing(p, &missing);
    struct subject_task *some = memory_zero((size_t)threads, sizeof *some);
    progress_begin_items("profiling", "views", count, "requests");
    struct ranks_pool *pool = ranks_pool_open(count, (uint64_t)threads, tell_views);
    while (!status && ranks_pool_next(pool, &from, &to)) {
        for (uint64_t i = from; i < to; i++) {
            some[i - from] = p->tasks.items[missing[i]];
            some[i - from].keep = true; /* the others read it there */
        }
        status = subject_prepare_some(some, to - from, threads, error);
        ranks_pool_tell(pool, to - from);
    }
    ranks_pool_close(pool);
    progress_end();
    free(some);
    free(missing);
    return ranks_agree(status, error);
}

/* Reads what others made: rank 0 all, the others what their baseline needs. */
static int read_views(struct preparation *p, struct error *error)
{
    struct preparation own = {.sweep = p->sweep};
    int status = 0;
    if (ranks_first()) {
        p->tasks.count = subject_plan(p->tasks.items, p->tasks.count);
        return subject_prepare(p->tasks.items, p->tasks.count, p->sweep->threads, error);
    }
    status = collect_baseline(&own, error);
    if (!status)
        status = subject_prepare(own.tasks.items, own.tasks.count, p->sweep->threads, error);
    preparation_fini(&own);
    return status;
}

int sweep_prepare_structure(struct sweep *sweep, const struct sweep_part *part, size_t index,
                            struct error *error)
{
    struct preparation p = {.sweep = sweep};
    bool times = sweep->baseline && sweep->baseline->machine && !sweep->baseline_times;
    int status = collect_views(&p, part, index, error);
    if (!status && times)
        status = collect_baseline(&p, error);
    if (!status && p.tasks.count)
        status = subject_prepare_some(p.tasks.items, p.tasks.count, sweep->threads, error);
    if (!status && times)
        status = baseline_ask(sweep, error);
    preparation_fini(&p);
    return status;
}

static int make_views(struct preparation *p, struct error *error)
{
    if (ranks_count() == 1)
        return subject_prepare(p->tasks.items, p->tasks.count, p->sweep->threads, error);
    int status = make_together(p, error);
    return status ? status : read_views(p, error);
}

/* --- all of it -------------------------------------------------------------------------------- */

/* What needs views: those that can be made. */
static int count_views(struct preparation *p, struct error *error)
{
    int status = 0;
    for (size_t i = 0; i < p->tasks.count && !status; i++) {
        const struct subject_task *task = &p->tasks.items[i];
        bool missing = !task->cached && task->subject->source;
        p->plan.views_cached += task->cached;
        p->plan.views_missing += missing;
        status = missing ? profile_check(task->machine, error) : 0;
    }
    return status;
}

int sweep_prepare(struct sweep *sweep, sweep_announce_fn *announce, void *context,
                  struct error *error)
{
    struct preparation p = {.sweep = sweep};
    p.plan.points = space_count(sweep->space);
    int status = sweep_for_own(sweep, collect_views, &p, error);
    if (!status)
        status = collect_baseline(&p, error);
    if (!status)
        status = count_views(&p, error);
    p.plan.passes = view_groups_passes(p.tasks.items, p.tasks.count);
    p.plan.tasks = p.tasks.items;
    p.plan.n_tasks = p.tasks.count;
    if (!status && announce)
        status = announce(context, &p.plan, error);
    status = ranks_agree(status, error);
    if (!status)
        status = make_views(&p, error);
    if (!status)
        status = baseline_ask(sweep, error);
    preparation_fini(&p);
    return ranks_agree(status, error);
}
