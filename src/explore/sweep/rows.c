/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows, those of a structure evaluated together. */
#include "explore/sweep/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/key_table.h"
#include "core/parallel.h"
#include "explore/sweep/structure.h"

struct row_job {
    const struct sweep *sweep;
    const uint64_t *ids;
    size_t count;
    bool brief;
    struct arena *arena;
    struct sweep_row *rows;
    struct machine **machines; /* not NULL: these are asked for instead of rows, */
    size_t *sizes;             /* and the sizes of their workloads */
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

static const char *axis_label(const struct sweep *sweep, const struct sweep_part *part,
                              const struct machine *machine, size_t a, size_t digit)
{
    const struct space_axis *axis = &sweep->space->axes[a];
    const char *name = axis->size ? "x1" : "base";
    struct error ignored;
    if (part->active[a])
        return axis->values[digit].label;
    if (!axis->bundle && !axis->machine && !axis->size)
        machine_name(machine, axis->name, &name, &ignored);
    return axis->machine ? machine->name : name;
}

static void evaluate_point(const struct sweep *sweep, const struct structure *s,
                           const size_t *digits, const double *constants, double *inputs,
                           double *values)
{
    for (int i = 0; i < term_input_count(s->graph); i++) {
        size_t axis, assignment;
        inputs[i] = constants[i];
        if (structure_input_axis(sweep, s, i, &axis, &assignment))
            inputs[i] =
                sweep->space->axes[axis].values[digits[axis]].assignments[assignment].value.number;
    }
    term_evaluate(s->graph, inputs, values);
}

/* --- batches ---------------------------------------------------------------------- */

/* Rows of one structure are evaluated so many at a time, a solver takes them at once, by as many
 * threads as there are; and kept until the thread that asked has read them. */
enum { ROW_BATCH = 32, ROW_BATCHES = 32, ROWS_MOST = ROW_BATCH * ROW_BATCHES };

struct row_batches {
    struct row_job *job;
    struct structure *structure;
    struct term_program *program;
    int *outputs; /* rank, conditions, objectives, columns, what there is to fill */
    int n_outputs;
    double *constants;     /* [input] */
    enum term_rate *rates; /* [input] */
    struct row_worker *workers;
    bool *spare;     /* by column, in the job's arena; NULL: none is */
    size_t *digits;  /* [row * axes + axis] */
    double *results; /* [row * outputs + output] */
    size_t rows[ROWS_MOST];
    int count;
};

/* One thread's memory. */
struct row_worker {
    struct term_state *state; /* NULL: it had nothing to do yet */
    double *columns;          /* [input * ROW_BATCH + row] */
};

static void batches_fini(struct row_batches *b)
{
    for (int w = 0; b->workers && w < b->job->sweep->threads; w++) {
        term_state_destroy(b->workers[w].state);
        free(b->workers[w].columns);
    }
    term_program_destroy(b->program);
    structure_destroy(b->structure);
    free(b->outputs);
    free(b->constants);
    free(b->rates);
    free(b->workers);
    free(b->digits);
    free(b->results);
}

/* Whether a picture of the space shows the column, by its name or without that of its model. */
static bool is_drawn(const struct space *space, const char *column)
{
    const char *dot = strchr(column, '.');
    for (size_t i = 0; i < space->n_plots; i++) {
        const char *names[] = {space->plots[i].x, space->plots[i].y};
        for (int k = 0; k < 2; k++)
            if (names[k] &&
                (strcmp(names[k], column) == 0 || (dot && strcmp(names[k], dot + 1) == 0)))
                return true;
    }
    return false;
}

/* Marks what is asked of every point, whoever looks at it. */
static void mark_asked(const struct row_batches *b, bool *asked)
{
    static const char *const answers[] = {"effective_bandwidth", "kernel_time", "speedup"};
    const struct structure *s = b->structure;
    const struct sweep *sweep = b->job->sweep;
    const struct space *space = sweep->space;
    asked[s->rank] = true;
    for (size_t i = 0; i < space_conditions(space); i++)
        asked[s->wheres[i]] = true;
    for (size_t i = 0; i < space->n_objectives; i++)
        asked[s->objectives[i]] = true;
    for (size_t i = 0; i < space->n_workloads * space->n_models; i++)
        for (int k = 0; k < 3; k++) {
            int term = model_result_metric(&s->results[i], answers[k]);
            if (term >= 0)
                asked[term] = true;
        }
    for (size_t c = 0; c < sweep->n_columns; c++)
        if (s->columns[c] >= 0 &&
            (sweep->columns[c].kind != COLUMN_METRIC || is_drawn(space, sweep->columns[c].name)))
            asked[s->columns[c]] = true;
    for (int t = term_count(s->graph); t-- > 0;)
        for (int i = 0; asked[t] && i < term_get(s->graph, t)->n_args; i++)
            asked[term_get(s->graph, t)->args[i]] = true;
}

/* Columns that need a solver which nothing that is asked of every point needs. */
static void find_spare(struct row_batches *b)
{
    const struct sweep *sweep = b->job->sweep;
    const struct structure *s = b->structure;
    int n = term_count(s->graph);
    bool *asked = memory_zero((size_t)n, sizeof *asked), *spare = memory_zero((size_t)n, 1);
    mark_asked(b, asked);
    for (int t = 0; t < n; t++) {
        const struct term *term = term_get(s->graph, t);
        spare[t] = term->kind == TERM_SOLVER && !asked[t];
        for (int i = 0; i < term->n_args && !spare[t]; i++)
            spare[t] = spare[term->args[i]];
    }
    for (size_t c = 0; c < sweep->n_columns; c++) {
        if (s->columns[c] < 0 || !spare[s->columns[c]])
            continue;
        if (!b->spare)
            b->spare = arena_alloc(b->job->arena, sweep->n_columns * sizeof *b->spare);
        b->spare[c] = true;
    }
    free(asked);
    free(spare);
}

/* Whether the rows have a number from the program there. */
static bool is_evaluated(const struct row_batches *b, size_t c)
{
    return !b->job->sweep->columns[c].text && b->structure->columns[c] >= 0 &&
           !(b->job->brief && b->spare && b->spare[c]);
}

/* After the structure was built. */
static int batches_init(struct row_batches *b, struct error *error)
{
    const struct sweep *sweep = b->job->sweep;
    struct structure *s = b->structure;
    size_t conditions = space_conditions(sweep->space), objectives = sweep->space->n_objectives;
    structure_add_room(sweep, s);
    if (!b->job->machines)
        find_spare(b);
    size_t inputs = (size_t)term_input_count(s->graph);
    b->constants = memory_zero(inputs, sizeof *b->constants);
    b->rates = memory_zero(inputs, sizeof *b->rates);
    b->workers = memory_zero((size_t)sweep->threads, sizeof *b->workers);
    b->outputs = memory_zero(1 + conditions + objectives + sweep->n_columns + FILLING_NUMBERS,
                             sizeof *b->outputs);
    b->digits = memory_zero(sweep->space->n_axes * ROWS_MOST, sizeof *b->digits);
    b->outputs[b->n_outputs++] = s->rank;
    for (size_t i = 0; i < conditions; i++)
        b->outputs[b->n_outputs++] = s->wheres[i];
    for (size_t i = 0; i < objectives; i++)
        b->outputs[b->n_outputs++] = s->objectives[i];
    for (size_t c = 0; c < sweep->n_columns; c++)
        if (is_evaluated(b, c))
            b->outputs[b->n_outputs++] = s->columns[c];
    for (int i = 0; i < FILLING_NUMBERS; i++)
        if (s->room.terms[i] >= 0)
            b->outputs[b->n_outputs++] = s->room.terms[i];
    b->results = memory_zero((size_t)b->n_outputs * ROWS_MOST, sizeof *b->results);
    for (size_t i = 0; i < inputs; i++) {
        size_t axis, assignment;
        bool varies = structure_input_axis(sweep, s, (int)i, &axis, &assignment);
        b->rates[i] = varies ? TERM_POINT : TERM_SWEEP;
    }
    b->program = term_program_create(s->graph, b->outputs, b->n_outputs, b->rates, ROW_BATCH);
    return model_bind(s->graph, s->machine, b->constants, error);
}

static void worker_begin(const struct row_batches *b, struct row_worker *w)
{
    int inputs = term_input_count(b->structure->graph);
    w->columns = memory_zero((size_t)inputs * ROW_BATCH, sizeof *w->columns);
    w->state = term_state_create(b->program);
    for (int i = 0; i < inputs; i++)
        if (b->rates[i] == TERM_SWEEP)
            term_state_scalar(w->state, i, b->constants[i]);
        else
            term_state_column(w->state, i, w->columns + i * ROW_BATCH);
    term_state_begin(w->state);
}

/* ROW_BATCH rows, or what is left at the end. */
static bool evaluate_batch(void *context, uint64_t item, int worker)
{
    struct row_batches *b = context;
    const struct sweep *sweep = b->job->sweep;
    struct row_worker *w = &b->workers[worker];
    int first = (int)item * ROW_BATCH;
    int n = b->count - first < ROW_BATCH ? b->count - first : ROW_BATCH;
    if (!w->state)
        worker_begin(b, w);
    for (int i = 0; i < term_input_count(b->structure->graph); i++) {
        size_t axis, assignment;
        if (!structure_input_axis(sweep, b->structure, i, &axis, &assignment))
            continue;
        const struct space_value *values = sweep->space->axes[axis].values;
        for (int k = 0; k < n; k++) {
            size_t digit = b->digits[(size_t)(first + k) * sweep->space->n_axes + axis];
            w->columns[i * ROW_BATCH + k] = values[digit].assignments[assignment].value.number;
        }
    }
    term_state_block(w->state, n);
    for (int output = 0; output < b->n_outputs; output++) {
        bool scalar;
        const double *column = term_state_output(w->state, output, &scalar);
        for (int k = 0; k < n; k++)
            b->results[(first + k) * b->n_outputs + output] = column[scalar ? 0 : k];
    }
    return !interrupt_requested();
}

static double batch_value(const struct row_batches *b, int output, int k)
{
    return b->results[k * b->n_outputs + output];
}

/* What is warned of at the k-th row, where those outputs begin. */
static unsigned judge_row(const struct row_batches *b, int output, int k)
{
    const struct structure *s = b->structure;
    struct filling_room room;
    unsigned set = 0;
    memcpy(room.caches, s->room.caches, sizeof room.caches);
    for (int i = 0; i < FILLING_NUMBERS; i++)
        room.numbers[i] = s->room.terms[i] >= 0 ? batch_value(b, output++, k) : (double)NAN;
    for (size_t w = 0; w < b->job->sweep->space->n_workloads; w++)
        if (s->filling[w].view)
            set |= filling_judge(&s->filling[w], &room).has;
    return set;
}

static void fill_row(const struct row_batches *b, int k)
{
    const struct row_job *job = b->job;
    const struct sweep *sweep = job->sweep;
    const struct structure *s = b->structure;
    const size_t *digits = b->digits + (size_t)k * sweep->space->n_axes;
    struct sweep_row *row = &job->rows[b->rows[k]];
    int output = 0;
    row->id = job->ids[b->rows[k]];
    row->built = true;
    row->kept = isfinite(batch_value(b, output++, k));
    for (size_t i = 0; i < space_conditions(sweep->space); i++)
        row->kept &= batch_value(b, output++, k) != 0;
    for (size_t i = 0; i < sweep->space->n_objectives; i++)
        row->kept &= isfinite(batch_value(b, output++, k)) != 0;
    row->values = arena_alloc(job->arena, sweep->n_columns * sizeof *row->values);
    row->labels = arena_alloc(job->arena, sweep->n_columns * sizeof *row->labels);
    for (size_t c = 0; c < sweep->n_columns; c++) {
        const struct sweep_column *column = &sweep->columns[c];
        row->values[c] = (double)NAN;
        if (column->text)
            row->labels[c] =
                arena_strdup(job->arena, axis_label(sweep, s->part, s->machine, column->axis,
                                                    digits[column->axis]));
        else if (is_evaluated(b, c))
            row->values[c] = batch_value(b, output++, k);
        if (isinf(row->values[c])) /* no number to compare with */
            row->values[c] = (double)NAN;
    }
    row->filling = judge_row(b, output, k);
    row->spare = b->spare;
    row->brief = job->brief;
}

/* A point of a structure that cannot be built, or that a model refuses: where it stands, and no
 * number that would have to be computed. */
static void refuse_row(const struct row_job *job, const struct sweep_part *part,
                       const size_t *digits, size_t r)
{
    const struct sweep *sweep = job->sweep;
    struct sweep_row *row = &job->rows[r];
    *row = (struct sweep_row){.id = job->ids[r]};
    row->values = arena_alloc(job->arena, sweep->n_columns * sizeof *row->values);
    row->labels = arena_alloc(job->arena, sweep->n_columns * sizeof *row->labels);
    for (size_t c = 0; c < sweep->n_columns; c++) {
        const struct sweep_column *column = &sweep->columns[c];
        row->values[c] = (double)NAN;
        if (column->kind != COLUMN_AXIS)
            continue;
        const struct space_value *value =
            &sweep->space->axes[column->axis].values[digits[column->axis]];
        if (column->text)
            row->labels[c] =
                arena_strdup(job->arena, axis_label(sweep, part, sweep->space->machine,
                                                    column->axis, digits[column->axis]));
        else if (part->active[column->axis] &&
                 dim_equal(value->assignments[0].value.dim, column->dim))
            row->values[c] = value->assignments[0].value.number;
    }
}

static int batches_flush(struct row_batches *b, struct error *error)
{
    uint64_t batches = (uint64_t)(b->count + ROW_BATCH - 1) / ROW_BATCH;
    parallel_while(b->job->sweep->threads, batches, evaluate_batch, b);
    if (interrupt_check(error)) /* a solver may have stopped half-way */
        return STATUS_INTERRUPTED;
    for (int k = 0; k < b->count; k++)
        fill_row(b, k);
    b->count = 0;
    return 0;
}

/* The structure's machine with the free axes at the point's values, then what is tied to them. */
static int fill_machine(struct row_job *job, const struct structure *s, size_t r,
                        const size_t *digits, const double *values, struct error *error)
{
    const struct space *space = job->sweep->space;
    struct machine **machine = &job->machines[r];
    int status = 0;
    *machine = machine_clone(s->machine);
    for (size_t a = 0; a < space->n_axes && !status; a++)
        if (s->part->active[a] && !space->axes[a].structural && !space->axes[a].machine)
            status = space_apply(&space->axes[a], digits[a], machine, error);
    for (size_t i = 0; i < space->n_sets && !status; i++) {
        struct parameter p;
        int term;
        status = machine_find(*machine, space->sets[i].name, &p, error);
        if (status || p.row->structure != STRUCTURE_NONE)
            continue;
        status = model_parameter_term(s->graph, *machine, space->sets[i].name, &term, error);
        struct parameter_value value = {.known = true, .given = true, .dim = p.row->dim};
        value.number = status ? 0 : values[term];
        if (!status)
            status = machine_set_value(*machine, space->sets[i].name, &value, error);
    }
    return status;
}

static int machine_of_row(struct row_job *job, const struct structure *s, size_t r,
                          const size_t *digits, struct error *error)
{
    size_t n_inputs = (size_t)term_input_count(s->graph);
    double *constants = memory_zero(n_inputs, sizeof *constants);
    double *inputs = memory_zero(n_inputs, sizeof *inputs);
    double *values = memory_zero((size_t)term_count(s->graph), sizeof *values);
    int status = model_bind(s->graph, s->machine, constants, error);
    if (!status) {
        evaluate_point(job->sweep, s, digits, constants, inputs, values);
        status = interrupt_check(error);
    }
    if (!status) {
        status = fill_machine(job, s, r, digits, values, error);
    }
    free(constants);
    free(inputs);
    free(values);
    return status;
}

static int rows_of_structure(void *context, const struct sweep_part *part, size_t index,
                             struct error *error)
{
    struct row_job *job = context;
    const struct space *space = job->sweep->space;
    struct row_batches batch = {.job = job};
    size_t *structural = memory_zero(space->n_axes, sizeof *structural);
    size_t *digits = memory_zero(space->n_axes, sizeof *digits);
    bool refused = false;
    int status = 0;
    sweep_digits(space, part, index, structural);
    for (size_t r = 0; r < job->count && !status; r++) {
        if (!decode_id(job->sweep, part, structural, job->ids[r], digits))
            continue;
        if (!batch.structure && !refused) { /* the first row of this structure */
            status = structure_build(job->sweep, part, index, &batch.structure, error);
            if (!status)
                status = batches_init(&batch, error);
            refused = status == STATUS_INFEASIBLE;
            if (status && !refused)
                break;
            status = 0;
        }
        if (refused) {
            if (!job->machines)
                refuse_row(job, part, digits, r);
            continue;
        }
        if (job->machines) {
            job->sizes[r] = batch.structure->size;
            status = machine_of_row(job, batch.structure, r, digits, error);
            continue;
        }
        memcpy(batch.digits + (size_t)batch.count * space->n_axes, digits,
               space->n_axes * sizeof *digits);
        batch.rows[batch.count++] = r;
        if (batch.count == ROWS_MOST)
            status = batches_flush(&batch, error);
    }
    if (batch.structure && !status)
        status = batches_flush(&batch, error);
    batches_fini(&batch);
    free(structural);
    free(digits);
    return status == STATUS_INFEASIBLE ? 0 : status;
}

/* Rows that are kept, or evaluated now. A brief one does not do where all of it is asked for. */
static int find_rows(const struct sweep *sweep, const uint64_t *ids, size_t count, bool brief,
                     struct arena *arena, struct sweep_row *rows, struct error *error)
{
    uint64_t *missing = memory_alloc(count * sizeof *missing);
    size_t *places = memory_alloc(count * sizeof *places);
    struct row_job job = {.sweep = sweep, .ids = missing, .brief = brief};
    int status = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sweep_kept *kept = key_table_find(sweep->rows, ids[i] + 1);
        if (kept && (brief || !kept->row.brief)) {
            rows[i] = kept->row;
        } else {
            places[job.count] = i;
            missing[job.count++] = ids[i];
        }
    }
    bool keep = job.count <= SWEEP_ROWS_KEPT - sweep->rows->used;
    job.arena = keep ? sweep->arena : arena;
    job.rows = arena_alloc(arena, job.count * sizeof *job.rows);
    if (job.count)
        status = sweep_for_each(sweep->space, rows_of_structure, &job, error);
    for (size_t i = 0; i < job.count && !status; i++) {
        rows[places[i]] = job.rows[i];
        if (keep) {
            struct sweep_kept *kept = key_table_enter(sweep->rows, missing[i] + 1);
            kept->row = job.rows[i];
        }
    }
    free(missing);
    free(places);
    return status;
}

int sweep_rows(const struct sweep *sweep, const uint64_t *ids, size_t count, struct arena *arena,
               struct sweep_row **out, struct error *error)
{
    *out = arena_alloc(arena, count * sizeof **out);
    return find_rows(sweep, ids, count, false, arena, *out, error);
}

/* Of a row that was evaluated as a whole the same is left out: what a file shows must not hang on
 * who asked before. */
int sweep_rows_brief(const struct sweep *sweep, const uint64_t *ids, size_t count,
                     struct arena *arena, struct sweep_row **out, struct error *error)
{
    struct sweep_row *rows = *out = arena_alloc(arena, count * sizeof **out);
    int status = find_rows(sweep, ids, count, true, arena, rows, error);
    for (size_t i = 0; i < count && !status; i++) {
        if (rows[i].brief || !rows[i].spare)
            continue;
        double *values = arena_alloc(arena, sweep->n_columns * sizeof *values);
        for (size_t c = 0; c < sweep->n_columns; c++)
            values[c] = rows[i].spare[c] ? (double)NAN : rows[i].values[c];
        rows[i].values = values;
        rows[i].brief = true;
    }
    return status;
}

int sweep_machines(const struct sweep *sweep, const uint64_t *ids, size_t count,
                   struct machine **out, size_t *sizes, struct error *error)
{
    struct row_job job = {
        .sweep = sweep, .ids = ids, .count = count, .machines = out, .sizes = sizes};
    for (size_t i = 0; i < count; i++)
        out[i] = NULL;
    return sweep_for_each(sweep->space, rows_of_structure, &job, error);
}
