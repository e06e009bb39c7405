/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep's way through its points: in their order, from where it was ended, or by ranks. */
#include "explore/sweep/sweep_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/ranks.h"
#include "explore/sweep/adaptive.h"
#include "explore/sweep/sweep_filling.h"
#include "explore/sweep/sweep_reasons.h"

static void sweep_run_init(struct sweep_run *run, struct sweep *sweep)
{
    *run = (struct sweep_run){.sweep = sweep, .path = sweep->course.state_path};
    run->workers = memory_zero((size_t)sweep->threads, sizeof *run->workers);
    for (int w = 0; w < sweep->threads; w++)
        scan_worker_init(&run->workers[w], sweep->space);
    scan_worker_init(&run->ahead, sweep->space);
}

static void run_fini(struct sweep_run *run)
{
    for (int w = 0; w < run->sweep->threads; w++)
        scan_worker_fini(&run->workers[w]);
    scan_worker_fini(&run->ahead);
    free(run->workers);
}

void sweep_run_gather(struct sweep_run *run)
{
    for (int w = 1; w < run->sweep->threads; w++) {
        scan_merge(&run->workers[0], &run->workers[w], run->sweep->space);
        scan_worker_fini(&run->workers[w]);
        scan_worker_init(&run->workers[w], run->sweep->space);
    }
}

int sweep_run_save(struct sweep_run *run, struct error *error)
{
    const struct sweep_course *course = &run->sweep->course;
    if (!run->path)
        return 0;
    sweep_run_gather(run);
    struct sweep_state state = *course->head;
    state.done = run->state.done;
    state.structure = run->state.structure;
    state.block = run->state.block;
    state.pieces = run->state.pieces;
    state.has = run->state.has;
    int status = file_make_directory(course->folder, error);
    if (!status)
        status = sweep_state_write(run->path, &state, run->sweep, &run->workers[0], error);
    run->saved_s = clock_seconds();
    return status;
}

/* The run has come that far. */
static int run_reach(struct sweep_run *run, uint64_t structure, uint64_t block, struct error *error)
{
    run->state.structure = structure;
    run->state.block = block;
    if (clock_seconds() - run->saved_s < run->sweep->course.save_s)
        return 0;
    return sweep_run_save(run, error);
}

/* The share's blocks of a structure, in ranges that grow until they are long enough to be counted
 * against what starting threads costs, and short against the time between two savings. */
static int run_blocks(struct sweep_run *run, struct scan *scan, uint64_t from, uint64_t to,
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

void sweep_run_remark(struct sweep *sweep, struct structure *structure, uint64_t points,
                      const char *complete)
{
    if (complete)
        sweep_add_warning(
            sweep, arena_printf(sweep->arena, "not adaptive, all are evaluated: %s", complete),
            points);
    sweep_add_warnings(sweep, structure, points);
    sweep_add_filling(sweep, structure);
}

/* What is said of a structure as a whole is said by the share that has its first cell, once. */
static int scan_share(struct sweep_run *run, struct structure *structure, uint64_t points,
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
    if (first)
        sweep_run_remark(sweep, structure, points, complete);
    status = run_blocks(run, scan, from, to, error);
    scan_close(scan);
    return status;
}

static int run_structure(void *context, const struct sweep_part *part, size_t index,
                         struct error *error)
{
    struct sweep_run *run = context;
    struct structure *structure;
    uint64_t points = part->count / part->structures, at = run->structure;
    bool mine = sweep_cells_have(&run->cells, at) && at >= run->state.structure;
    sweep_reasons_at(run->sweep, at);
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
    sweep->answered = all->answered;
    sweep->marginals = all->marginals;
    all->marginals = NULL;
    sweep_sort_reasons(sweep);
    sweep_reasons_at(sweep, UINT64_MAX);
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

static int scan_for_best(void *context, const struct sweep_part *part, size_t index,
                         struct error *error)
{
    struct sweep_run *run = context;
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
    struct sweep_run run;
    sweep_run_init(&run, sweep);
    sweep->best_of = where + 1;
    progress_begin("looking for the best", "points", sweep->points);
    int status = ranks_count() > 1 ? sweep_ranks_find_best(&run, error)
                                   : sweep_for_each(sweep->space, scan_for_best, &run, error);
    progress_end();
    sweep->best_of = 0;
    if (!status)
        sweep_run_gather(&run);
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
    sweep_ranks_spread_bests(sweep); /* rank 0 may know some */
    for (size_t i = 0; i < space->n_wheres && !status; i++)
        if (space->wheres[i].within > 0 && isnan(sweep->bests[i])) {
            status = ranks_agree(find_best(sweep, i, &sweep->bests[i], error), error);
            if (!status)
                sweep_ranks_spread_bests(sweep);
        }
    return status;
}

/* What earlier runs found: all of it here, on rank 0. */
static int take_states(struct sweep_run *run, struct error *error)
{
    struct sweep *sweep = run->sweep;
    const struct sweep_course *course = &sweep->course;
    int status = 0;
    if (course->resume) {
        status = sweep_state_read(course->state_path, &run->state, error);
        if (!status)
            status = sweep_state_compare(&run->state, course->state_path, course->head,
                                         "this sweep", error);
        if (!status && run->state.pieces)
            status = sweep_ranks_resume(run, error);
        else if (!status)
            status = sweep_state_take(course->state_path, sweep, &run->workers[0], error);
    }
    for (size_t i = 0; i < course->n_states && !status; i++)
        status = sweep_state_take(course->states[i], sweep, &run->workers[0], error);
    return status;
}

static int run_begin(struct sweep_run *run, struct error *error)
{
    int status = 0;
    run->cells = sweep_cells_own(run->sweep);
    run->saved_s = clock_seconds();
    if (ranks_first())
        status = take_states(run, error);
    status = ranks_agree(status, error);
    return status ? status : find_bests(run->sweep, error);
}

static int look_ahead(void *context, const struct sweep_part *part, size_t index,
                      struct error *error)
{
    struct sweep_run *run = context;
    struct structure *structure;
    uint64_t points = part->count / part->structures;
    int status = structure_build(run->sweep, part, index, &structure, error);
    if (status)
        return status == STATUS_INFEASIBLE ? 0 : status;
    status = scan_look_ahead(run->sweep, structure, points, &run->ahead, error);
    structure_destroy(structure);
    return status;
}

/* At all structures that are gone through, so that one that goes on knows the same. */
static int look_at_all(struct sweep_run *run, struct error *error)
{
    const struct sweep *sweep = run->sweep;
    uint64_t structures = sweep_structures(sweep->space);
    if (!sweep->adaptive || structures < 2)
        return 0;
    progress_begin("looking ahead", "points", structures * ADAPTIVE_LOOK);
    int status = sweep_for_own(sweep, look_ahead, run, error);
    progress_end();
    scan_best_cut(&run->ahead.best);
    run->workers[0].ahead = &run->ahead;
    return status;
}

/* In their order, or those of a share. */
static int run_points(struct sweep_run *run, struct error *error)
{
    const struct sweep *sweep = run->sweep;
    const struct sweep_cells *cells = &run->cells;
    uint64_t from = run->state.structure * cells->pieces;
    from = from > cells->from ? from : cells->from;
    double left = from < cells->to ? (double)(cells->to - from) / (double)cells->pieces : 0;
    if (run->state.done)
        return 0;
    int status = look_at_all(run, error);
    if (!status)
        status = run_reach(run, run->state.structure, run->state.block, error);
    progress_begin(
        "sweeping", "points",
        (uint64_t)((double)sweep->points / (double)sweep_structures(sweep->space) * left));
    if (!status)
        status = sweep_for_each(sweep->space, run_structure, run, error);
    progress_end();
    if (!status && sweep->course.shares) {
        run->state.done = true;
        status = sweep_run_save(run, error);
    }
    return status;
}

static int run_all(struct sweep_run *run, struct error *error)
{
    int status = run_begin(run, error);
    if (!status && !run->sweep->course.n_states)
        status = ranks_count() > 1 || run->state.pieces ? sweep_ranks_run(run, error)
                                                        : run_points(run, error);
    if (!status)
        sweep_run_gather(run);
    if (!status && ranks_first())
        collect_results(run->sweep, &run->workers[0]);
    return status;
}

int sweep_run(struct sweep *sweep, struct error *error)
{
    const struct space *space = sweep->space;
    struct sweep_run run;
    int status = 0;
    sweep->points = space_count(space);
    if (ranks_first())
        status = sweep_columns(sweep, error);
    else
        sweep->n_columns = 0; /* it writes no rows */
    if (!status && ranks_first())
        status = sweep_check_reads(sweep, error);
    if ((status = ranks_agree(status, error)))
        return status;
    if (!sweep->filling)
        sweep->filling = memory_zero(space->n_workloads * FILLING_KINDS, sizeof *sweep->filling);
    sweep->bests = arena_alloc(sweep->arena, space->n_wheres * sizeof *sweep->bests);
    for (size_t i = 0; i < space->n_wheres; i++)
        sweep->bests[i] = (double)NAN;
    sweep_run_init(&run, sweep);
    status = run_all(&run, error);
    sweep_add_subject_warnings(sweep);
    if (!status) /* a front may have been merged half-way */
        status = interrupt_check(error);
    sweep_state_fini(&run.state);
    run_fini(&run);
    return status;
}
