/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep from end to end: workloads, views, structures, rows. */
#include "explore/sweep/sweep.h"

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
#include "explore/answer/answer.h"
#include "explore/sweep/scan.h"
#include "explore/sweep/structure.h"
#include "explore/sweep/sweep_reasons.h"
#include "explore/sweep/sweep_state.h"
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
    VECTOR_FREE(&sweep->found.sample);
    marginals_destroy(sweep->marginals);
    key_table_fini(sweep->rows);
    arena_destroy(sweep->arena);
    free(sweep);
}

/* --- columns ------------------------------------------------------------------------------ */

/* The columns are those of the first structure that can be built. */
int sweep_find_columns(struct sweep *sweep, const struct sweep_part *part, size_t index,
                       struct error *error)
{
    struct structure *structure;
    int status = structure_build(sweep, part, index, &structure, error);
    if (!status) {
        structure_columns(sweep, structure, &sweep->columns, &sweep->n_columns);
        structure_destroy(structure);
    }
    if (status == STATUS_INFEASIBLE && !sweep->obstacle)
        sweep->obstacle = arena_strdup(sweep->arena, error->text);
    return status == STATUS_INFEASIBLE ? 0 : status ? status : 1;
}

static int find_columns(void *context, const struct sweep_part *part, size_t index,
                        struct error *error)
{
    return sweep_find_columns(context, part, index, error);
}

int sweep_columns(struct sweep *sweep, struct error *error)
{
    size_t sketched = sweep->columns_sketched ? sweep->n_columns : 0;
    if (sweep->columns_sketched)
        sweep->n_columns = 0;
    int status = sweep_for_own(sweep, find_columns, sweep, error);
    if (!status && sweep->n_columns == 0 && sweep_is_part(sweep)) {
        sweep->n_columns = sketched;
        return 0;
    }
    sweep->columns_sketched = false;
    if (!status && sweep->n_columns == 0)
        status = error_set(error, STATUS_INFEASIBLE, "no point of the space can be built: %s",
                           sweep->obstacle ? sweep->obstacle : "it has none");
    return status;
}
