/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep from end to end: workloads, views, structures, rows. */
#include "explore/sweep.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/key_table.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/suggest.h"
#include "explore/answer.h"
#include "explore/scan.h"
#include "explore/structure.h"
#include "explore/sweep_filling.h"
#include "workload/scale.h"
#include "workload/open/spec.h"
#include "profile/files/open.h"

/* "gemm"; of several with that name those with settings are told apart by them, "gemm-nk-512",
 * and what is still alike by its number. */
static char *workload_name(const struct sweep *sweep, size_t w)
{
    const struct subject *subject = sweep->subjects.items[w];
    char *name = arena_strdup(sweep->arena, subject->name);
    struct workload_spec spec;
    struct error ignored;
    bool shared = false, settings = !subject->stored &&
                                    workload_spec_parse(sweep->arena, sweep->space->workloads[w],
                                                        &spec, &ignored) == 0 &&
                                    spec.settings.count > 0;
    int again = 1;
    for (size_t k = 0; k < sweep->space->n_workloads; k++)
        shared = shared || (k != w && strcmp(sweep->subjects.items[k]->name, name) == 0);
    if (shared && settings) {
        name = arena_printf(sweep->arena, "%s-%s", name, spec.rest);
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

/* A workload in another size: "gemm:input=small" at x1/4 is "gemm:input=small,size=x1/4". A trace
 * or a profile has the size that it has; of what does not exist opening it says so. */
static int resize(struct sweep *sweep, const char *text, const char *size, const char **out,
                  struct error *error)
{
    struct workload_spec spec;
    *out = text;
    bool profile = profile_detect(text);
    int status = profile ? 0 : workload_spec_parse(sweep->arena, text, &spec, error);
    if (status || (!profile && spec.kind == WORKLOAD_UNKNOWN))
        return status;
    if (profile || !workload_spec_takes_settings(&spec)) {
        error_set(error, STATUS_INPUT,
                  "axis workload.size changes workloads and loop nests, and %.80s is none", text);
        return error_hint(error, "leave out this workload or the axis");
    }
    *out = workload_spec_with(sweep->arena, &spec, SCALE_SIZE_KEY, size);
    return 0;
}

/* All workloads in one of the sizes. */
static int open_size(struct sweep *sweep, size_t size, struct error *error)
{
    const struct space *space = sweep->space;
    size_t axis = sweep_axis_find(sweep, "workload.size");
    const char *label = axis < SIZE_MAX ? space->axes[axis].values[size].label : "x1";
    const char **specs = arena_alloc(sweep->arena, space->n_workloads * sizeof *specs);
    bool as_it_is = strcmp(label, "x1") == 0;
    for (size_t w = 0; w < space->n_workloads; w++) {
        specs[w] = space->workloads[w];
        int status = as_it_is ? 0 : resize(sweep, space->workloads[w], label, &specs[w], error);
        if (status) {
            error_place(error, &space->workload_marks[w]);
            return status;
        }
    }
    struct subjects_request request = {specs, space->workload_marks, space->n_workloads, false};
    int status = subjects_open(&sweep->subjects, &request, error);
    if (status && !as_it_is)
        error_context(error, "axis workload.size at %s", label);
    return status;
}

int sweep_open(const struct space *space, int threads, struct sweep **out, struct error *error)
{
    struct sweep *sweep = memory_zero(1, sizeof *sweep);
    int status = 0;
    sweep->space = space;
    sweep->threads = threads;
    sweep->arena = arena_create();
    sweep->rows = arena_alloc(sweep->arena, sizeof *sweep->rows);
    sweep->rows->item_bytes = sizeof(struct sweep_kept);
    size_t axis = sweep_axis_find(sweep, "workload.size");
    sweep->n_sizes = axis < SIZE_MAX ? space->axes[axis].n_values : 1;
    sweep->workload_names =
        arena_alloc(sweep->arena, space->n_workloads * sizeof *sweep->workload_names);
    if (space->speedup_vs) {
        sweep->baseline = arena_alloc(sweep->arena, sizeof *sweep->baseline);
        status = sweep_open_baseline(sweep, error);
    }
    for (size_t size = 0; size < sweep->n_sizes && !status; size++)
        status = open_size(sweep, size, error);
    for (size_t w = 0; w < space->n_workloads && !status; w++)
        sweep->workload_names[w] = workload_name(sweep, w);
    if (status)
        sweep_destroy(sweep);
    *out = status ? NULL : sweep;
    return status;
}

void sweep_destroy(struct sweep *sweep)
{
    if (!sweep)
        return;
    subjects_close(&sweep->subjects);
    if (sweep->baseline)
        baseline_close(sweep->baseline);
    for (size_t i = 0; i < sweep->reasons.count; i++)
        free(sweep->reasons.items[i].text);
    for (size_t i = 0; i < sweep->warnings.count; i++)
        free(sweep->warnings.items[i].text);
    for (size_t i = 0; sweep->filling && i < sweep->space->n_workloads * FILLING_KINDS; i++)
        free(sweep->filling[i].text);
    free(sweep->filling);
    VECTOR_FREE(&sweep->reasons);
    VECTOR_FREE(&sweep->warnings);
    VECTOR_FREE(&sweep->ranking);
    VECTOR_FREE(&sweep->front);
    key_table_fini(sweep->rows);
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
        size_t count = subject_warnings(sweep->subjects.items[w], &warnings);
        for (size_t i = 0; i < count; i++)
            sweep_add_warning(sweep, sweep->workload_names[w], warnings[i], sweep->points);
        for (int kind = 0; kind < FILLING_KINDS; kind++) {
            const struct sweep_reason *said = &sweep->filling[w * FILLING_KINDS + (size_t)kind];
            if (said->text)
                sweep_add_warning(sweep, sweep->workload_names[w], said->text, said->count);
        }
    }
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
        if (!status)
            sweep_add_filling(run->sweep, structure);
        structure_destroy(structure);
    }
    return status;
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
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
    for (size_t i = 0, n = pareto_front_count(all->front); i < n; i++)
        VECTOR_PUSH(&sweep->front, pareto_front_id(all->front, i));
    if (sweep->front.count)
        qsort(sweep->front.items, sweep->front.count, sizeof *sweep->front.items, compare_ids);
}

int sweep_columns(struct sweep *sweep, struct error *error)
{
    if (sweep->columns_sketched)
        sweep->n_columns = 0;
    sweep->columns_sketched = false;
    int status = sweep_for_each(sweep->space, find_columns, sweep, error);
    if (!status && sweep->n_columns == 0)
        status = error_set(error, STATUS_INFEASIBLE, "no point of the space can be built: %s",
                           sweep->obstacle ? sweep->obstacle : "it has none");
    return status;
}

static int scan_for_best(void *context, const struct sweep_part *part, size_t index,
                         struct error *error)
{
    struct run *run = context;
    struct structure *structure;
    int status = structure_build(run->sweep, part, index, &structure, error);
    if (status)
        return status == STATUS_INFEASIBLE ? 0 : status;
    status = scan_structure(run->sweep, structure, run->workers, run->sweep->threads, error);
    structure_destroy(structure);
    return status;
}

/* The best value of a where clause that says "of best", among the points that meet those that do
 * not; NaN: there is none. */
static int find_best(struct sweep *sweep, size_t where, double *out, struct error *error)
{
    struct run run = {.sweep = sweep};
    int n = sweep->threads;
    run.workers = memory_zero((size_t)n, sizeof *run.workers);
    for (int w = 0; w < n; w++)
        scan_worker_init(&run.workers[w], sweep->space);
    sweep->best_of = where + 1;
    progress_begin("looking for the best", "points", sweep->points);
    int status = sweep_for_each(sweep->space, scan_for_best, &run, error);
    progress_end();
    sweep->best_of = 0;
    for (int w = 1; w < n && !status; w++)
        scan_merge(&run.workers[0], &run.workers[w], sweep->space);
    struct sweep_ids ids = {0};
    scan_best_sorted(&run.workers[0].best, &ids);
    double key = ids.count ? run.workers[0].best.items[0].key : (double)NAN;
    *out = space_where_sense(sweep->space, where) == PARETO_MAXIMISE ? -key : key;
    VECTOR_FREE(&ids);
    for (int w = 0; w < n; w++)
        scan_worker_fini(&run.workers[w]);
    free(run.workers);
    return status ? status : interrupt_check(error);
}

static int find_bests(struct sweep *sweep, struct error *error)
{
    const struct space *space = sweep->space;
    double *bests = arena_alloc(sweep->arena, space->n_wheres * sizeof *bests);
    int status = 0;
    for (size_t i = 0; i < space->n_wheres; i++)
        bests[i] = (double)NAN;
    for (size_t i = 0; i < space->n_wheres && !status; i++)
        if (space->wheres[i].within > 0)
            status = find_best(sweep, i, &bests[i], error);
    sweep->bests = bests;
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
    if (!status)
        status = find_bests(sweep, error);
    if (status)
        return status;
    if (!sweep->filling)
        sweep->filling =
            memory_zero(sweep->space->n_workloads * FILLING_KINDS, sizeof *sweep->filling);
    run.workers = memory_zero((size_t)n, sizeof *run.workers);
    for (int w = 0; w < n; w++)
        scan_worker_init(&run.workers[w], sweep->space);
    progress_begin("sweeping", "points", sweep->points);
    status = sweep_for_each(sweep->space, run_structure, &run, error);
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
