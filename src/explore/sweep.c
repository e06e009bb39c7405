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
#include "explore/sweep_reasons.h"
#include "explore/sweep_state.h"
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
    char *path = file_named_in(sweep->space->path, name);
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
    marginals_destroy(sweep->marginals);
    key_table_fini(sweep->rows);
    arena_destroy(sweep->arena);
    free(sweep);
}

/* --- the run ---------------------------------------------------------------------------- */

struct run {
    struct sweep *sweep;
    struct scan_worker *workers;
    struct sweep_cells cells;
    struct sweep_state state; /* where it is */
    uint64_t structure;       /* that is visited */
    double saved_s;           /* when its state was, or it began */
};

static void run_init(struct run *run, struct sweep *sweep)
{
    *run = (struct run){.sweep = sweep};
    run->workers = memory_zero((size_t)sweep->threads, sizeof *run->workers);
    for (int w = 0; w < sweep->threads; w++)
        scan_worker_init(&run->workers[w], sweep->space);
}

static void run_fini(struct run *run)
{
    for (int w = 0; w < run->sweep->threads; w++)
        scan_worker_fini(&run->workers[w]);
    free(run->workers);
}

/* All is the first one's. */
static void run_gather(struct run *run)
{
    for (int w = 1; w < run->sweep->threads; w++) {
        scan_merge(&run->workers[0], &run->workers[w], run->sweep->space);
        scan_worker_fini(&run->workers[w]);
        scan_worker_init(&run->workers[w], run->sweep->space);
    }
}

static int run_save(struct run *run, struct error *error)
{
    const struct sweep_course *course = &run->sweep->course;
    if (!course->state_path)
        return 0;
    run_gather(run);
    struct sweep_state state = *course->head;
    state.done = run->state.done;
    state.structure = run->state.structure;
    state.block = run->state.block;
    int status = file_make_directory(course->folder, error);
    if (!status)
        status = sweep_state_write(course->state_path, &state, run->sweep, &run->workers[0], error);
    run->saved_s = clock_seconds();
    return status;
}

/* The run has come that far. */
static int run_reach(struct run *run, uint64_t structure, uint64_t block, struct error *error)
{
    run->state.structure = structure;
    run->state.block = block;
    if (clock_seconds() - run->saved_s < run->sweep->course.save_s)
        return 0;
    return run_save(run, error);
}

/* The share's blocks of a structure, in ranges that grow until they are long enough to be counted
 * against what starting threads costs, and short against the time between two savings. */
static int run_blocks(struct run *run, struct scan *scan, uint64_t from, uint64_t to,
                      struct error *error)
{
    uint64_t length = 4 * (uint64_t)run->sweep->threads;
    int status = 0;
    while (from < to && !status) {
        double start = clock_seconds();
        uint64_t end = to - from < length ? to : from + length;
        status = scan_run(scan, from, end, error);
        if (!status)
            status = run_reach(run, run->structure, end, error);
        from = end;
        double took = clock_seconds() - start;
        length = took < 0.25 ? 2 * length : took > 1 && length > 1 ? length / 2 : length;
    }
    return status;
}

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

/* What is said of a structure as a whole is said by the share that has its first cell, once. */
static int scan_share(struct run *run, struct structure *structure, uint64_t points,
                      struct error *error)
{
    struct sweep *sweep = run->sweep;
    struct scan *scan;
    uint64_t from, to;
    const char *complete = NULL;
    int status = scan_open(sweep, structure, run->workers, sweep->threads, &complete, &scan, error);
    if (status)
        return status;
    bool first = sweep_cells_blocks(&run->cells, run->structure, scan_blocks(scan), &from, &to);
    if (run->state.structure == run->structure && run->state.block > from) {
        first = false; /* it goes on here */
        from = run->state.block;
    }
    if (first && complete)
        sweep_add_warning(
            sweep, arena_printf(sweep->arena, "not adaptive, all are evaluated: %s", complete),
            points);
    if (first)
        sweep_add_warnings(sweep, structure, points);
    if (first)
        sweep_add_filling(sweep, structure);
    status = run_blocks(run, scan, from, to, error);
    scan_close(scan);
    return status;
}

static int run_structure(void *context, const struct sweep_part *part, size_t index,
                         struct error *error)
{
    struct run *run = context;
    struct structure *structure;
    uint64_t points = part->count / part->structures, at = run->structure;
    bool mine = sweep_cells_have(&run->cells, at) && at >= run->state.structure;
    int status = mine ? structure_build(run->sweep, part, index, &structure, error) : 0;
    if (mine && status == STATUS_INFEASIBLE) {
        if (run->cells.from <= at * run->cells.pieces)
            sweep_add_reason(run->sweep, error->text, points);
        progress_add(points);
        status = 0;
    } else if (mine && !status) {
        status = scan_share(run, structure, points, error);
        structure_destroy(structure);
    }
    run->structure++;
    if (mine && !status)
        status = run_reach(run, run->structure, 0, error);
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
    sweep->evaluated = all->evaluated;
    sweep->skipped = all->skipped;
    sweep->marginals = all->marginals;
    all->marginals = NULL;
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
    struct scan *scan;
    int status = structure_build(run->sweep, part, index, &structure, error);
    if (status)
        return status == STATUS_INFEASIBLE ? 0 : status;
    status =
        scan_open(run->sweep, structure, run->workers, run->sweep->threads, NULL, &scan, error);
    if (!status)
        status = scan_run(scan, 0, scan_blocks(scan), error);
    scan_close(scan);
    structure_destroy(structure);
    return status;
}

/* The best value of a where clause that says "of best", among the points that meet those that do
 * not; NaN: there is none. */
static int find_best(struct sweep *sweep, size_t where, double *out, struct error *error)
{
    struct run run;
    run_init(&run, sweep);
    sweep->best_of = where + 1;
    progress_begin("looking for the best", "points", sweep->points);
    int status = sweep_for_each(sweep->space, scan_for_best, &run, error);
    progress_end();
    sweep->best_of = 0;
    if (!status)
        run_gather(&run);
    struct sweep_ids ids = {0};
    scan_best_sorted(&run.workers[0].best, &ids);
    double key = ids.count ? run.workers[0].best.items[0].key : (double)NAN;
    *out = space_where_sense(sweep->space, where) == PARETO_MAXIMISE ? -key : key;
    VECTOR_FREE(&ids);
    run_fini(&run);
    return status ? status : interrupt_check(error);
}

/* Those that no state said. */
static int find_bests(struct sweep *sweep, struct error *error)
{
    const struct space *space = sweep->space;
    int status = 0;
    for (size_t i = 0; i < space->n_wheres && !status; i++)
        if (space->wheres[i].within > 0 && isnan(sweep->bests[i]))
            status = find_best(sweep, i, &sweep->bests[i], error);
    return status;
}

/* Where it begins, and what earlier runs found. */
static int run_begin(struct run *run, struct error *error)
{
    struct sweep *sweep = run->sweep;
    const struct sweep_course *course = &sweep->course;
    uint64_t shares = course->shares ? course->shares : 1;
    int status = 0;
    run->cells = sweep_cells_of(sweep->space, course->share, shares);
    run->saved_s = clock_seconds();
    if (course->resume) {
        status = sweep_state_read(course->state_path, &run->state, error);
        if (!status)
            status = sweep_state_compare(&run->state, course->state_path, course->head,
                                         "this sweep", error);
        if (!status)
            status = sweep_state_take(course->state_path, sweep, &run->workers[0], error);
    }
    for (size_t i = 0; i < course->n_states && !status; i++)
        status = sweep_state_take(course->states[i], sweep, &run->workers[0], error);
    if (!status)
        status = find_bests(sweep, error);
    return status ? status : run_reach(run, run->state.structure, run->state.block, error);
}

static int run_points(struct run *run, struct error *error)
{
    const struct sweep *sweep = run->sweep;
    const struct sweep_cells *cells = &run->cells;
    uint64_t from = run->state.structure * cells->pieces;
    from = from > cells->from ? from : cells->from;
    double left = from < cells->to ? (double)(cells->to - from) / (double)cells->pieces : 0;
    if (sweep->course.n_states || run->state.done)
        return 0;
    progress_begin(
        "sweeping", "points",
        (uint64_t)((double)sweep->points / (double)sweep_structures(sweep->space) * left));
    int status = sweep_for_each(sweep->space, run_structure, run, error);
    progress_end();
    if (!status && sweep->course.shares) {
        run->state.done = true;
        status = run_save(run, error);
    }
    return status;
}

int sweep_run(struct sweep *sweep, struct error *error)
{
    const struct space *space = sweep->space;
    struct run run;
    sweep->points = space_count(space);
    int status = sweep_columns(sweep, error);
    if (!status)
        status = sweep_check_reads(sweep, error);
    if (status)
        return status;
    if (!sweep->filling)
        sweep->filling = memory_zero(space->n_workloads * FILLING_KINDS, sizeof *sweep->filling);
    sweep->bests = arena_alloc(sweep->arena, space->n_wheres * sizeof *sweep->bests);
    for (size_t i = 0; i < space->n_wheres; i++)
        sweep->bests[i] = (double)NAN;
    run_init(&run, sweep);
    status = run_begin(&run, error);
    if (!status)
        status = run_points(&run, error);
    if (!status) {
        run_gather(&run);
        collect_results(sweep, &run.workers[0]);
    }
    sweep_add_subject_warnings(sweep);
    if (!status) /* a front may have been merged half-way */
        status = interrupt_check(error);
    sweep_state_fini(&run.state);
    run_fini(&run);
    return status;
}
