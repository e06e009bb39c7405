/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep from end to end: workloads, views, structures, rows. */
#include "explore/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "core/suggest.h"
#include "explore/scan.h"
#include "explore/structure.h"

int sweep_open(const struct space *space, int threads, struct sweep **out, struct error *error)
{
    struct sweep *sweep = memory_zero(1, sizeof *sweep);
    sweep->space = space;
    sweep->threads = threads;
    sweep->arena = arena_create();
    sweep->subjects = arena_alloc(sweep->arena, space->n_workloads * sizeof *sweep->subjects);
    sweep->workload_names =
        arena_alloc(sweep->arena, space->n_workloads * sizeof *sweep->workload_names);
    *out = sweep;
    for (size_t w = 0; w < space->n_workloads; w++) {
        int status = subject_open(space->workloads[w], &sweep->subjects[w], error);
        if (status) {
            error_place(error, &space->workload_marks[w]);
            sweep_destroy(sweep);
            *out = NULL;
            return status;
        }
        const char *name = sweep->subjects[w]->name;
        int again = 1;
        for (size_t k = 0; k < w; k++)
            again += strcmp(sweep->subjects[k]->name, name) == 0;
        sweep->workload_names[w] = again > 1 ? arena_printf(sweep->arena, "%s-%d", name, again)
                                             : arena_strdup(sweep->arena, name);
    }
    return 0;
}

void sweep_destroy(struct sweep *sweep)
{
    if (!sweep)
        return;
    for (size_t w = 0; w < sweep->space->n_workloads; w++)
        subject_destroy(sweep->subjects[w]);
    for (size_t i = 0; i < sweep->reasons.count; i++)
        free(sweep->reasons.items[i].text);
    VECTOR_FREE(&sweep->reasons);
    VECTOR_FREE(&sweep->ranking);
    VECTOR_FREE(&sweep->front);
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

/* --- walking structures -------------------------------------------------------- */

typedef int structure_visit(void *context, const struct sweep_part *part, size_t index,
                            struct error *error);

static int for_structures(const struct space *space, structure_visit *visit, void *context,
                          struct error *error)
{
    struct arena *arena = arena_create();
    struct sweep_part *parts;
    size_t n = sweep_parts(space, arena, &parts);
    int status = 0;
    for (size_t p = 0; p < n && !status; p++)
        for (size_t i = 0; i < parts[p].structures && !status; i++)
            status = visit(context, &parts[p], i, error);
    arena_destroy(arena);
    return status;
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

static int collect_views(void *context, const struct sweep_part *part, size_t index,
                         struct error *error)
{
    struct preparation *p = context;
    struct machine *machine;
    size_t *digits = memory_zero(p->sweep->space->n_axes, sizeof *digits);
    int status = structure_machine(p->sweep->space, part, index, digits, &machine, error);
    free(digits);
    p->plan.structures++;
    if (status == STATUS_INFEASIBLE) /* counted when it is swept */
        return 0;
    if (status)
        return status;
    size_t before = p->tasks.count;
    for (size_t w = 0; w < p->sweep->space->n_workloads; w++)
        VECTOR_PUSH(&p->tasks, (struct subject_task){p->sweep->subjects[w], machine, false});
    p->tasks.count = subject_plan(p->tasks.items, p->tasks.count);
    if (p->tasks.count == before)
        machine_destroy(machine);
    else
        VECTOR_PUSH(&p->machines, machine);
    return 0;
}

int sweep_prepare(struct sweep *sweep, sweep_announce_fn *announce, void *context,
                  struct error *error)
{
    struct preparation p = {.sweep = sweep};
    p.plan.points = space_count(sweep->space);
    int status = for_structures(sweep->space, collect_views, &p, error);
    for (size_t i = 0; i < p.tasks.count; i++) {
        p.plan.views_cached += p.tasks.items[i].cached;
        p.plan.views_missing += !p.tasks.items[i].cached && p.tasks.items[i].subject->source;
    }
    if (!status && announce)
        status = announce(context, &p.plan, error);
    if (!status)
        status = subject_prepare(p.tasks.items, p.tasks.count, sweep->threads, error);
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
};

/* An axis acts on a workload when a metric's term reads it, or when it needs
 * another view and the workload can be profiled again. */
static bool axis_acts(const struct read_check *c, size_t axis, size_t w)
{
    const struct space_axis *a = &c->sweep->space->axes[axis];
    if (a->machine || c->read[axis * c->sweep->space->n_workloads + w])
        return true;
    for (size_t i = 0; i < a->values[0].n_assignments; i++) {
        struct parameter p;
        struct error ignored;
        if (machine_find(c->sweep->space->machine, a->values[0].assignments[i].path, &p, &ignored))
            continue;
        bool view = p.row->structure == STRUCTURE_STREAM || p.row->structure == STRUCTURE_HOME;
        if ((view && !subject_is_point(c->sweep->subjects[w])) ||
            (p.row->structure == STRUCTURE_MODEL && p.row->plugin))
            return true;
    }
    return false;
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
    size_t axis, workload;
    if (all_read(c, &axis, &workload))
        return 0;
    int status = structure_build(c->sweep, part, index, &structure, error);
    if (status == STATUS_INFEASIBLE)
        return 0;
    if (!status) {
        structure_mark_reads(c->sweep, structure, c->read);
        structure_destroy(structure);
    }
    return status;
}

static int sweep_check_reads(const struct sweep *sweep, struct error *error)
{
    struct read_check c = {.sweep = sweep};
    size_t axis, workload;
    c.read = memory_zero(sweep->space->n_axes * sweep->space->n_workloads, sizeof *c.read);
    int status = for_structures(sweep->space, collect_reads, &c, error);
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

int sweep_run(struct sweep *sweep, struct error *error)
{
    struct run run = {.sweep = sweep};
    int n = sweep->threads;
    sweep->points = space_count(sweep->space);
    int status = for_structures(sweep->space, find_columns, sweep, error);
    if (!status && sweep->n_columns == 0)
        status = error_set(error, STATUS_INFEASIBLE, "no point of the space can be built: %s",
                           error->text);
    if (!status)
        status = sweep_check_reads(sweep, error);
    if (status)
        return status;
    run.workers = memory_zero((size_t)n, sizeof *run.workers);
    for (int w = 0; w < n; w++)
        scan_worker_init(&run.workers[w], sweep->space);
    progress_begin("sweeping", "points", sweep->points);
    status = for_structures(sweep->space, run_structure, &run, error);
    progress_end();
    for (int w = 1; w < n && !status; w++)
        scan_merge(&run.workers[0], &run.workers[w], sweep->space);
    if (!status)
        collect_results(sweep, &run.workers[0]);
    for (int w = 0; w < n; w++)
        scan_worker_fini(&run.workers[w]);
    free(run.workers);
    return status;
}

/* --- rows --------------------------------------------------------------------------------- */

struct row_job {
    const struct sweep *sweep;
    const uint64_t *ids;
    size_t count;
    struct arena *arena;
    struct sweep_row *rows;
};

/* True when the id belongs to this structure; digits of the free axes are added. */
static bool decode_id(const struct sweep *sweep, const struct sweep_part *part,
                      const size_t *structural, uint64_t id, size_t *digits)
{
    if (id < part->first_id || id - part->first_id >= part->count)
        return false;
    uint64_t rest = id - part->first_id;
    for (size_t a = 0; a < sweep->space->n_axes; a++) {
        digits[a] = 0;
        if (!part->active[a])
            continue;
        digits[a] = (size_t)(rest / part->strides[a]);
        rest %= part->strides[a];
        if (sweep->space->axes[a].structural && digits[a] != structural[a])
            return false;
    }
    return true;
}

static const char *axis_label(const struct sweep *sweep, const struct structure *s, size_t a,
                              size_t digit)
{
    const struct space_axis *axis = &sweep->space->axes[a];
    const char *name = "base";
    struct error ignored;
    if (s->part->active[a])
        return axis->values[digit].label;
    if (!axis->bundle && !axis->machine)
        machine_name(s->machine, axis->name, &name, &ignored);
    return axis->machine ? s->machine->name : name;
}

static void fill_row(struct row_job *job, const struct structure *s, size_t r, const size_t *digits,
                     const double *constants, double *inputs, double *values)
{
    const struct sweep *sweep = job->sweep;
    struct sweep_row *row = &job->rows[r];
    for (int i = 0; i < term_input_count(s->graph); i++) {
        size_t axis, assignment;
        inputs[i] = constants[i];
        if (structure_input_axis(sweep, s, i, &axis, &assignment))
            inputs[i] =
                sweep->space->axes[axis].values[digits[axis]].assignments[assignment].value.number;
    }
    term_evaluate(s->graph, inputs, values);
    row->id = job->ids[r];
    row->kept = isfinite(values[s->rank]);
    for (size_t i = 0; i < sweep->space->n_wheres; i++)
        row->kept = row->kept && values[s->wheres[i]] != 0;
    for (size_t i = 0; i < sweep->space->n_objectives; i++)
        row->kept = row->kept && isfinite(values[s->objectives[i]]);
    row->values = arena_alloc(job->arena, sweep->n_columns * sizeof *row->values);
    row->labels = arena_alloc(job->arena, sweep->n_columns * sizeof *row->labels);
    for (size_t c = 0; c < sweep->n_columns; c++) {
        const struct sweep_column *column = &sweep->columns[c];
        row->values[c] = NAN;
        if (column->text)
            row->labels[c] =
                arena_strdup(job->arena, axis_label(sweep, s, column->axis, digits[column->axis]));
        else if (s->columns[c] >= 0)
            row->values[c] = values[s->columns[c]];
    }
}

static int rows_of_structure(void *context, const struct sweep_part *part, size_t index,
                             struct error *error)
{
    struct row_job *job = context;
    const struct space *space = job->sweep->space;
    struct structure *s = NULL;
    size_t *structural = memory_zero(space->n_axes, sizeof *structural), rest = index;
    size_t *digits = memory_zero(space->n_axes, sizeof *digits);
    double *constants = NULL, *inputs = NULL, *values = NULL;
    int status = 0;
    for (size_t a = space->n_axes; a-- > 0;)
        if (part->active[a] && space->axes[a].structural) {
            structural[a] = rest % space->axes[a].n_values;
            rest /= space->axes[a].n_values;
        }
    for (size_t r = 0; r < job->count && !status; r++) {
        if (!decode_id(job->sweep, part, structural, job->ids[r], digits))
            continue;
        if (!s) { /* the first row of this structure */
            status = structure_build(job->sweep, part, index, &s, error);
            if (status == STATUS_INFEASIBLE) {
                status = 0;
                break;
            }
            if (status)
                break;
            constants = memory_zero((size_t)term_input_count(s->graph), sizeof *constants);
            inputs = memory_zero((size_t)term_input_count(s->graph), sizeof *inputs);
            values = memory_zero((size_t)term_count(s->graph), sizeof *values);
            status = model_bind(s->graph, s->machine, constants, error);
        }
        if (!status)
            fill_row(job, s, r, digits, constants, inputs, values);
    }
    free(constants);
    free(inputs);
    free(values);
    free(structural);
    free(digits);
    structure_destroy(s);
    return status;
}

int sweep_rows(const struct sweep *sweep, const uint64_t *ids, size_t count, struct arena *arena,
               struct sweep_row **out, struct error *error)
{
    struct row_job job = {sweep, ids, count, arena, NULL};
    job.rows = arena_alloc(arena, count * sizeof *job.rows);
    *out = job.rows;
    return for_structures(sweep->space, rows_of_structure, &job, error);
}

int sweep_column_find(const struct sweep *sweep, const char *name, size_t *out, struct error *error)
{
    struct suggest suggest = suggest_begin(name);
    for (size_t c = 0; c < sweep->n_columns; c++) {
        if (strcmp(sweep->columns[c].name, name) == 0) {
            *out = c;
            return 0;
        }
        suggest_offer(&suggest, sweep->columns[c].name);
    }
    error_set(error, STATUS_INPUT, "there is no column \"%.80s\"", name);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"?", suggest.best);
    return STATUS_INPUT;
}

size_t sweep_axis_find(const struct sweep *sweep, const char *name)
{
    for (size_t a = 0; name && a < sweep->space->n_axes; a++)
        if (strcmp(sweep->space->axes[a].name, name) == 0)
            return a;
    return SIZE_MAX;
}

/* The value at which the machine itself stands, or the first. */
static size_t base_digit(const struct space *space, size_t a)
{
    const struct space_axis *axis = &space->axes[a];
    for (size_t v = 0; v < axis->n_values && !axis->machine; v++) {
        bool same = true;
        for (size_t i = 0; i < axis->values[v].n_assignments && same; i++) {
            const struct space_assignment *as = &axis->values[v].assignments[i];
            struct parameter p;
            struct error ignored;
            if (machine_find(space->machine, as->path, &p, &ignored))
                return 0;
            const struct parameter_value *own = &p.section->values[p.index];
            same = own->known &&
                   (as->value.name
                        ? own->name && strcmp(own->name, as->value.name) == 0
                        : own->number == as->value.number && dim_equal(own->dim, as->value.dim));
        }
        if (same)
            return v;
    }
    return 0;
}

int sweep_curve_ids(const struct sweep *sweep, size_t axis, size_t by, struct sweep_ids *out,
                    struct error *error)
{
    const struct space *space = sweep->space;
    struct arena *arena = arena_create();
    struct sweep_part *parts;
    sweep_parts(space, arena, &parts);
    const struct sweep_part *part = &parts[0];
    int status = 0;
    if (space->design == DESIGN_ONE_AT_A_TIME) {
        part = &parts[1 + axis];
        if (by != SIZE_MAX)
            status = error_set(error, STATUS_INPUT,
                               "a one-at-a-time design varies one axis: a curve has no \"by\"");
    }
    uint64_t base = part->first_id;
    for (size_t a = 0; a < space->n_axes; a++)
        if (a != axis && a != by)
            base += base_digit(space, a) * part->strides[a];
    size_t n_by = by == SIZE_MAX ? 1 : space->axes[by].n_values;
    for (size_t b = 0; b < n_by && !status; b++)
        for (size_t v = 0; v < space->axes[axis].n_values; v++)
            VECTOR_PUSH(out, base + v * part->strides[axis] +
                                 (by == SIZE_MAX ? 0 : b * part->strides[by]));
    arena_destroy(arena);
    return status;
}
