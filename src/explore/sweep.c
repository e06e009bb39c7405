/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep from end to end: workloads, views, structures, rows. */
#include "explore/sweep.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/suggest.h"
#include "explore/answer.h"
#include "explore/row_memo.h"
#include "explore/scan.h"
#include "explore/structure.h"

/* "gemm"; of several with that name those with settings are told apart by them, "gemm-nk-512",
 * and what is still alike by its number. */
static char *workload_name(const struct sweep *sweep, size_t w)
{
    const struct subject *subject = sweep->subjects[w];
    char *name = arena_strdup(sweep->arena, subject->name);
    const char *settings = subject->stored ? NULL : strchr(sweep->space->workloads[w], ':');
    bool shared = false;
    int again = 1;
    for (size_t k = 0; k < sweep->space->n_workloads; k++)
        shared = shared || (k != w && strcmp(sweep->subjects[k]->name, name) == 0);
    if (shared && settings) {
        name = arena_printf(sweep->arena, "%s-%s", name, settings + 1);
        for (char *c = name; *c; c++)
            if (!isalnum((unsigned char)*c) && *c != '_')
                *c = '-';
    }
    for (size_t k = 0; k < w; k++)
        again += strcmp(sweep->workload_names[k], name) == 0;
    return again > 1 ? arena_printf(sweep->arena, "%s-%d", name, again) : name;
}

/* A path is relative to the space's file. */
static int sweep_open_baseline(struct sweep *sweep, struct error *error)
{
    const char *name = sweep->space->speedup_vs;
    char *path = strchr(name, '/') ? file_beside(sweep->space->path, name) : memory_strdup(name);
    int status = baseline_open(path, sweep->baseline, error);
    free(path);
    if (status) {
        error_context(error, "speedup_vs");
        error_place(error, &sweep->space->speedup_mark);
    }
    return status;
}

size_t sweep_size(const struct sweep *sweep, const struct sweep_part *part, const size_t *digits)
{
    size_t axis = sweep_axis_find(sweep, "workload.size");
    if (axis == SIZE_MAX)
        return 0;
    return part->active[axis] ? digits[axis] : space_size_one(&sweep->space->axes[axis]);
}

struct subject *sweep_subject(const struct sweep *sweep, size_t size, size_t workload)
{
    return sweep->subjects[size * sweep->space->n_workloads + workload];
}

/* A shipped workload, or a loop nest of one's own; a trace or a profile has the size that it
 * has. */
static bool has_sizes(const char *spec)
{
    size_t length = strcspn(spec, ":");
    bool nest = (length > 5 && strncmp(spec + length - 5, ".yaml", 5) == 0) ||
                (length > 4 && strncmp(spec + length - 4, ".yml", 4) == 0);
    return !profile_detect(spec) && (nest || !memchr(spec, '/', length));
}

/* "gemm:input=small" at x1/4 is "gemm:input=small,size=x1/4". */
static int open_subject(struct sweep *sweep, size_t size, size_t w, struct error *error)
{
    const struct space *space = sweep->space;
    size_t axis = sweep_axis_find(sweep, "workload.size");
    const char *spec = space->workloads[w],
               *label = axis < SIZE_MAX ? space->axes[axis].values[size].label : "x1";
    struct subject **out = &sweep->subjects[size * space->n_workloads + w];
    int status;
    if (strcmp(label, "x1") == 0) {
        status = subject_open(spec, out, error);
    } else if (!has_sizes(spec)) {
        status = error_set(error, STATUS_INPUT,
                           "axis workload.size changes workloads and loop nests, and %.80s is none",
                           spec);
        error_hint(error, "leave out this workload or the axis");
    } else {
        status = subject_open(
            arena_printf(sweep->arena, "%s%csize=%s", spec, strchr(spec, ':') ? ',' : ':', label),
            out, error);
        if (status)
            error_context(error, "axis workload.size at %s", label);
    }
    if (status)
        error_place(error, &space->workload_marks[w]);
    return status;
}

int sweep_open(const struct space *space, int threads, struct sweep **out, struct error *error)
{
    struct sweep *sweep = memory_zero(1, sizeof *sweep);
    sweep->space = space;
    sweep->threads = threads;
    sweep->arena = arena_create();
    sweep->memo = row_memo_create();
    size_t axis = sweep_axis_find(sweep, "workload.size");
    sweep->n_sizes = axis < SIZE_MAX ? space->axes[axis].n_values : 1;
    size_t n_subjects = sweep->n_sizes * space->n_workloads;
    sweep->subjects = arena_alloc(sweep->arena, n_subjects * sizeof *sweep->subjects);
    sweep->workload_names =
        arena_alloc(sweep->arena, space->n_workloads * sizeof *sweep->workload_names);
    *out = sweep;
    if (space->speedup_vs) {
        sweep->baseline = arena_alloc(sweep->arena, sizeof *sweep->baseline);
        int status = sweep_open_baseline(sweep, error);
        if (status) {
            sweep_destroy(sweep);
            *out = NULL;
            return status;
        }
    }
    for (size_t i = 0; i < n_subjects; i++) {
        int status = open_subject(sweep, i / space->n_workloads, i % space->n_workloads, error);
        if (status) {
            sweep_destroy(sweep);
            *out = NULL;
            return status;
        }
    }
    for (size_t w = 0; w < space->n_workloads; w++)
        sweep->workload_names[w] = workload_name(sweep, w);
    return 0;
}

void sweep_destroy(struct sweep *sweep)
{
    if (!sweep)
        return;
    for (size_t i = 0; i < sweep->n_sizes * sweep->space->n_workloads && sweep->subjects; i++)
        subject_destroy(sweep->subjects[i]);
    if (sweep->baseline)
        baseline_close(sweep->baseline);
    for (size_t i = 0; i < sweep->reasons.count; i++)
        free(sweep->reasons.items[i].text);
    for (size_t i = 0; i < sweep->warnings.count; i++)
        free(sweep->warnings.items[i].text);
    VECTOR_FREE(&sweep->reasons);
    VECTOR_FREE(&sweep->warnings);
    VECTOR_FREE(&sweep->ranking);
    VECTOR_FREE(&sweep->front);
    row_memo_destroy(sweep->memo);
    arena_destroy(sweep->arena);
    free(sweep);
}

static void sweep_add_reason(struct sweep *sweep, const char *text, uint64_t count)
{
    if (count == 0)
        return;
    for (size_t i = 0; i < sweep->reasons.count; i++)
        if (strcmp(sweep->reasons.items[i].text, text) == 0) {
            sweep->reasons.items[i].count += count;
            return;
        }
    VECTOR_PUSH(&sweep->reasons, (struct sweep_reason){memory_strdup(text), count});
}

/* `of`: a model or a workload. */
static void sweep_add_warning(struct sweep *sweep, const char *of, const char *warning,
                              uint64_t count)
{
    struct text text = {0};
    size_t i = 0;
    text_printf(&text, "%s: %s", of, warning);
    while (i < sweep->warnings.count && strcmp(sweep->warnings.items[i].text, text.data) != 0)
        i++;
    if (i == sweep->warnings.count)
        VECTOR_PUSH(&sweep->warnings, (struct sweep_reason){memory_strdup(text.data), 0});
    sweep->warnings.items[i].count += count;
    text_free(&text);
}

/* Of a structure's models; a warning that several workloads have counts its points once. */
static void sweep_add_warnings(struct sweep *sweep, const struct structure *s, uint64_t count)
{
    const struct space *space = sweep->space;
    for (size_t m = 0; m < space->n_models; m++) {
        struct model_result seen = {0};
        for (size_t w = 0; w < space->n_workloads; w++) {
            const struct model_result *result = &s->results[w * space->n_models + m];
            for (int k = 0; k < result->n_warnings; k++) {
                bool known = false;
                for (int i = 0; i < seen.n_warnings; i++)
                    known = known || strcmp(seen.warnings[i], result->warnings[k]) == 0;
                if (known || seen.n_warnings == MODEL_WARNINGS_MAX)
                    continue;
                seen.warnings[seen.n_warnings++] = result->warnings[k];
                sweep_add_warning(sweep, space->models[m]->plugin.name, result->warnings[k], count);
            }
        }
    }
}

/* A trace has no other sizes. */
static void sweep_add_subject_warnings(struct sweep *sweep)
{
    for (size_t w = 0; w < sweep->space->n_workloads; w++) {
        const char *const *warnings;
        size_t count = subject_warnings(sweep->subjects[w], &warnings);
        for (size_t i = 0; i < count; i++)
            sweep_add_warning(sweep, sweep->workload_names[w], warnings[i], sweep->points);
    }
}

int sweep_refuse_warnings(const struct sweep *sweep, struct error *error)
{
    for (size_t w = 0; w < sweep->space->n_workloads; w++) {
        int status = subject_refuse_warnings(&sweep->subjects[w], 1, error);
        if (status) {
            error_place(error, &sweep->space->workload_marks[w]);
            return status;
        }
    }
    return 0;
}

/* --- views ------------------------------------------------------------------------ */

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
                                                      .sample_rate = p->sweep->sample_rate,
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
    unsigned parts = p->sweep->parts, read = 0;
    int status = 0;
    for (size_t m = 0; m < space->n_models && !status; m++) {
        status = model_parts(space->models[m], machine, &read, error);
        parts |= read;
    }
    for (size_t m = 0; m < space->n_models; m++)
        for (int v = 1; v <= space->models[m]->n_variants && !status; v++) {
            struct machine *variant;
            status = model_variant(space->models[m], machine, v, &variant, error);
            if (variant)
                collect_machine(p, variant, size, parts);
            if (status == STATUS_INFEASIBLE) /* counted when it is swept */
                status = 0;
        }
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
            subject_views(sweep->subjects[w], model, sweep->baseline->machine, &views, error);
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
    int status = structure_for_each(sweep->space, collect_views, &p, error);
    if (!status)
        status = collect_baseline(&p, error);
    for (size_t i = 0; i < p.tasks.count; i++) {
        p.plan.views_cached += p.tasks.items[i].cached;
        p.plan.views_missing += !p.tasks.items[i].cached && p.tasks.items[i].subject->source;
    }
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

/* --- axes that nothing reads --------------------------------------------------------- */

struct read_check {
    const struct sweep *sweep;
    bool *read; /* [axis * n_workloads + workload] */
    bool *setting_read;
};

/* An axis acts on a workload when a metric's term reads it, or when it needs
 * another view and the workload can be profiled again. */
static bool axis_acts(const struct read_check *c, size_t axis, size_t w)
{
    const struct space_axis *a = &c->sweep->space->axes[axis];
    if (a->machine || a->size || c->read[axis * c->sweep->space->n_workloads + w])
        return true;
    for (size_t i = 0; i < a->values[0].n_assignments; i++) {
        struct parameter p;
        struct error ignored;
        if (machine_find(c->sweep->space->machine, a->values[0].assignments[i].path, &p, &ignored))
            continue;
        bool view = p.row->structure == STRUCTURE_STREAM || p.row->structure == STRUCTURE_HOME ||
                    p.row->expand;
        if ((view && !subject_is_point(c->sweep->subjects[w])) ||
            (p.row->structure == STRUCTURE_MODEL && p.row->plugin))
            return true;
    }
    return false;
}

/* A setting acts when some term reads it or some workload is profiled for it. */
static bool setting_acts(const struct read_check *c, size_t setting)
{
    struct parameter p;
    struct error ignored;
    bool streams = false;
    if (c->setting_read[setting] ||
        machine_find(c->sweep->space->machine, c->sweep->settings[setting], &p, &ignored))
        return true;
    for (size_t w = 0; w < c->sweep->space->n_workloads; w++)
        streams = streams || !subject_is_point(c->sweep->subjects[w]);
    bool view =
        p.row->structure == STRUCTURE_STREAM || p.row->structure == STRUCTURE_HOME || p.row->expand;
    return (view && streams) || (p.row->structure == STRUCTURE_MODEL && p.row->plugin);
}

static bool settings_act(const struct read_check *c, size_t *setting)
{
    for (*setting = 0; *setting < c->sweep->n_settings; (*setting)++)
        if (!setting_acts(c, *setting))
            return false;
    return true;
}

static bool all_read(const struct read_check *c, size_t *axis, size_t *workload)
{
    for (*axis = 0; *axis < c->sweep->space->n_axes; (*axis)++)
        for (*workload = 0; *workload < c->sweep->space->n_workloads; (*workload)++)
            if (!axis_acts(c, *axis, *workload))
                return false;
    return true;
}

static int collect_reads(void *context, const struct sweep_part *part, size_t index,
                         struct error *error)
{
    struct read_check *c = context;
    struct structure *structure;
    size_t axis, workload, setting;
    if (all_read(c, &axis, &workload) && settings_act(c, &setting))
        return 0;
    int status = structure_build(c->sweep, part, index, &structure, error);
    if (status == STATUS_INFEASIBLE)
        return 0;
    if (!status) {
        structure_mark_reads(c->sweep, structure, c->read);
        for (size_t i = 0; i < c->sweep->n_settings; i++)
            c->setting_read[i] =
                c->setting_read[i] || model_reads(structure->graph, c->sweep->settings[i]);
        structure_destroy(structure);
    }
    return status;
}

static int sweep_check_reads(const struct sweep *sweep, struct error *error)
{
    struct read_check c = {.sweep = sweep};
    size_t axis, workload, setting;
    c.setting_read = memory_zero(sweep->n_settings, sizeof *c.setting_read);
    c.read = memory_zero(sweep->space->n_axes * sweep->space->n_workloads, sizeof *c.read);
    int status = structure_for_each(sweep->space, collect_reads, &c, error);
    if (!status && !all_read(&c, &axis, &workload)) {
        const struct space_axis *a = &sweep->space->axes[axis];
        bool point = subject_is_point(sweep->subjects[workload]);
        status = error_at(error, STATUS_INPUT, &a->mark,
                          point ? "axis %s: workload %s is a profile of plain numbers, which the "
                                  "axis does not change"
                                : "axis %s has no effect on workload %s: no chosen model reads it",
                          a->name, sweep->workload_names[workload]);
        if (point)
            error_hint(error, "profile the workload from a trace or kernel: then it has miss "
                              "curves and further views");
        else
            error_hint(error, "bandscape list models NAME shows what a model reads");
    }
    if (!status && !settings_act(&c, &setting)) {
        status = error_set(error, STATUS_INPUT, "--set %s has no effect: no chosen model reads it",
                           sweep->settings[setting]);
        error_hint(error, "bandscape list models NAME shows what a model reads");
    }
    free(c.setting_read);
    free(c.read);
    return status;
}

/* --- the run ---------------------------------------------------------------------------- */

struct run {
    struct sweep *sweep;
    struct scan_worker *workers;
};

/* The columns are those of the first structure that can be built. */
static int find_columns(void *context, const struct sweep_part *part, size_t index,
                        struct error *error)
{
    struct sweep *sweep = context;
    struct structure *structure;
    if (sweep->n_columns)
        return 0;
    int status = structure_build(sweep, part, index, &structure, error);
    if (!status) {
        structure_columns(sweep, structure, &sweep->columns, &sweep->n_columns);
        structure_destroy(structure);
    }
    if (status == STATUS_INFEASIBLE && !sweep->obstacle)
        sweep->obstacle = arena_strdup(sweep->arena, error->text);
    return status == STATUS_INFEASIBLE ? 0 : status;
}

static int run_structure(void *context, const struct sweep_part *part, size_t index,
                         struct error *error)
{
    struct run *run = context;
    struct structure *structure;
    int status = structure_build(run->sweep, part, index, &structure, error);
    if (status == STATUS_INFEASIBLE) {
        uint64_t lost = part->count / part->structures;
        sweep_add_reason(run->sweep, error->text, lost);
        progress_add(lost);
        return 0;
    }
    if (!status) {
        sweep_add_warnings(run->sweep, structure, part->count / part->structures);
        status = scan_structure(run->sweep, structure, run->workers, run->sweep->threads, error);
        structure_destroy(structure);
    }
    return status;
}

static void collect_results(struct sweep *sweep, struct scan_worker *all)
{
    const struct space *space = sweep->space;
    sweep->kept = all->kept;
    for (size_t i = 0; i < space->n_wheres; i++) {
        char text[300];
        snprintf(text, sizeof text, "where: %.280s", space->wheres[i].text);
        sweep_add_reason(sweep, text, all->rejected[i]);
    }
    for (size_t i = 0; i < space->n_sets; i++) {
        char text[300];
        snprintf(text, sizeof text, "set: %.200s is out of its range", space->sets[i].name);
        sweep_add_reason(sweep, text, all->rejected[space->n_wheres + i]);
    }
    sweep_add_reason(sweep, "a cache level does not hold one set of its ways",
                     all->rejected[space->n_wheres + space->n_sets]);
    sweep_add_reason(sweep, "a metric is not a finite number", all->undefined);
    scan_best_sorted(&all->best, &sweep->ranking);
    struct scan_best front = {0};
    front.count = front.limit = pareto_front_count(all->front);
    front.items = memory_zero(front.count, sizeof *front.items);
    for (size_t i = 0; i < front.count; i++)
        front.items[i].id = pareto_front_id(all->front, i);
    scan_best_sorted(&front, &sweep->front); /* equal keys: ascending ids */
    free(front.items);
}

int sweep_columns(struct sweep *sweep, struct error *error)
{
    if (sweep->columns_sketched)
        sweep->n_columns = 0;
    sweep->columns_sketched = false;
    int status = structure_for_each(sweep->space, find_columns, sweep, error);
    if (!status && sweep->n_columns == 0)
        status = error_set(error, STATUS_INFEASIBLE, "no point of the space can be built: %s",
                           sweep->obstacle ? sweep->obstacle : "it has none");
    return status;
}

int sweep_run(struct sweep *sweep, struct error *error)
{
    struct run run = {.sweep = sweep};
    int n = sweep->threads;
    sweep->points = space_count(sweep->space);
    int status = sweep_columns(sweep, error);
    if (!status)
        status = sweep_check_reads(sweep, error);
    if (status)
        return status;
    run.workers = memory_zero((size_t)n, sizeof *run.workers);
    for (int w = 0; w < n; w++)
        scan_worker_init(&run.workers[w], sweep->space);
    progress_begin("sweeping", "points", sweep->points);
    status = structure_for_each(sweep->space, run_structure, &run, error);
    progress_end();
    for (int w = 1; w < n && !status; w++)
        scan_merge(&run.workers[0], &run.workers[w], sweep->space);
    if (!status)
        collect_results(sweep, &run.workers[0]);
    sweep_add_subject_warnings(sweep);
    if (!status) /* a front may have been merged half-way */
        status = interrupt_check(error);
    for (int w = 0; w < n; w++)
        scan_worker_fini(&run.workers[w]);
    free(run.workers);
    return status;
}
