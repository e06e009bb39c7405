/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/search/trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/key_table.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "explore/sweep/scan.h"
#include "explore/sweep/structure_models.h"
#include "explore/sweep/sweep.h"

/* Structures that are kept at a time; a part of a space has at most 2^40 of them here. */
enum { BENCHES_MOST = 256, PART_SHIFT = 40 };

/* How an input of a structure gets its number. */
struct trial_input {
    int input;
    size_t axis, assignment; /* SIZE_MAX: the machine's own */
    size_t path;             /* SIZE_MAX: not moved */
    bool whole;
    struct dim dim;
    double least, most; /* of the parameter, in SI */
};

/* One thread's memory for a structure. */
struct trial_local {
    struct term_state *state; /* NULL: it had nothing to do yet */
    double *columns;          /* [input * width + trial] */
};

/* A structure with its program. */
struct trial_bench {
    uint64_t key;                /* of the structure, + 1 */
    struct structure *structure; /* NULL: it cannot be built */
    struct term_program *program;
    struct trial_input *inputs; /* those that change */
    size_t n_inputs;
    double *constants;
    enum term_rate *rates;
    struct trial_local *locals;
    int width, n_compared; /* outputs: what points are compared by, then answers */
    int *answers;          /* by place of an error: an output, or -1 */
};

/* Trials of one structure that are evaluated together. */
struct trial_batch {
    const struct trial_bench *bench;
    size_t from, count; /* in the order of trials_run */
};

struct trials {
    struct sweep *sweep;
    struct arena *arena;
    struct sweep_part *parts;
    size_t n_parts;
    const char *const *paths;
    size_t n_paths;
    bool *reads;
    struct trial_bench *benches[BENCHES_MOST];
    size_t n_benches;
    uint64_t done;
    /* of the call at hand */
    const struct trial *list;
    struct trial_place {
        uint64_t key; /* of the structure */
        size_t trial;
    } * places;
    struct {
        struct trial_batch *items;
        size_t count, capacity;
    } batches;
    double *values;  /* NULL: answers alone */
    double *answers; /* NULL: none */
};

struct trials *trials_create(struct sweep *sweep, const char *const *paths, size_t n_paths)
{
    struct trials *t = memory_zero(1, sizeof *t);
    t->sweep = sweep;
    t->arena = arena_create();
    t->n_parts = sweep_parts(sweep->space, t->arena, &t->parts);
    t->paths = paths;
    t->n_paths = n_paths;
    t->reads = arena_alloc(t->arena, (n_paths + 1) * sizeof *t->reads);
    return t;
}

static void bench_destroy(struct trial_bench *bench, int threads)
{
    for (int w = 0; bench->locals && w < threads; w++) {
        term_state_destroy(bench->locals[w].state);
        free(bench->locals[w].columns);
    }
    term_program_destroy(bench->program);
    structure_destroy(bench->structure);
    free(bench->inputs);
    free(bench->constants);
    free(bench->rates);
    free(bench->answers);
    free(bench->locals);
    free(bench);
}

static void forget_benches(struct trials *t)
{
    for (size_t i = 0; i < t->n_benches; i++)
        bench_destroy(t->benches[i], t->sweep->threads);
    t->n_benches = 0;
}

void trials_destroy(struct trials *t)
{
    if (!t)
        return;
    forget_benches(t);
    VECTOR_FREE(&t->batches);
    arena_destroy(t->arena);
    free(t);
}

size_t trials_width(const struct trials *t)
{
    return 1 + t->sweep->space->n_objectives;
}

bool trials_reads(const struct trials *t, size_t path)
{
    return t->reads[path];
}

/* --- where a point stands ------------------------------------------------------------- */

static size_t part_of(const struct trials *t, uint64_t id)
{
    size_t p = 0;
    while (p + 1 < t->n_parts && id >= t->parts[p + 1].first_id)
        p++;
    return p;
}

static size_t digit_of(const struct trials *t, size_t p, uint64_t id, size_t a)
{
    const struct sweep_part *part = &t->parts[p];
    if (!part->active[a])
        return 0;
    return (size_t)((id - part->first_id) / part->strides[a] % t->sweep->space->axes[a].n_values);
}

/* Its structure: the part, and the place in it, as sweep_digits reads it. */
static uint64_t structure_key(const struct trials *t, uint64_t id)
{
    const struct space *space = t->sweep->space;
    size_t p = part_of(t, id);
    uint64_t index = 0;
    for (size_t a = 0; a < space->n_axes; a++)
        if (t->parts[p].active[a] && space->axes[a].structural)
            index = index * space->axes[a].n_values + digit_of(t, p, id, a);
    return (uint64_t)p << PART_SHIFT | index;
}

uint64_t trials_structure(const struct trials *t, uint64_t id)
{
    return structure_key(t, id);
}

/* --- structures ----------------------------------------------------------------------- */

static void add_input(struct trials *t, struct trial_bench *bench, int input)
{
    const struct structure *s = bench->structure;
    const char *name = term_get(s->graph, term_input_term(s->graph, input))->name;
    struct trial_input one = {.input = input, .axis = SIZE_MAX, .path = SIZE_MAX, .most = HUGE_VAL};
    struct parameter p;
    struct error ignored;
    if (!structure_input_axis(t->sweep, s, input, &one.axis, &one.assignment))
        one.axis = SIZE_MAX;
    for (size_t i = 0; i < t->n_paths; i++)
        if (strcmp(t->paths[i], name) == 0)
            one.path = i;
    if (one.path < SIZE_MAX)
        t->reads[one.path] = true;
    if (machine_find(s->machine, name, &p, &ignored) == 0) {
        one.whole = p.row->kind == PARAMETER_COUNT;
        one.dim = p.row->dim;
        one.least = p.row->min;
        one.most = p.row->max;
        if (!dim_equal(p.section->values[p.index].dim, one.dim)) { /* cycles: no bounds in these */
            one.least = 0;
            one.most = HUGE_VAL;
        }
    }
    if (one.axis == SIZE_MAX && one.path == SIZE_MAX)
        return;
    bench->rates[input] = TERM_POINT;
    bench->inputs[bench->n_inputs++] = one;
}

/* Answers that errors are of, behind what points are compared by. */
static int add_answers(const struct trials *t, struct trial_bench *bench, int *outputs, int n)
{
    size_t errors = structure_errors(t->sweep->space);
    bench->answers = memory_alloc((errors + 1) * sizeof *bench->answers);
    for (size_t i = 0; i < errors; i++) {
        int answer = bench->structure->answers[i];
        bench->answers[i] = answer < 0 ? -1 : n;
        if (answer >= 0)
            outputs[n++] = answer;
    }
    return n;
}

static int bench_compile(struct trials *t, struct trial_bench *bench, struct error *error)
{
    const struct space *space = t->sweep->space;
    const struct structure *s = bench->structure;
    size_t inputs = (size_t)term_input_count(s->graph), conditions = space_conditions(space);
    size_t most = 1 + space->n_objectives + conditions + structure_errors(space);
    int *outputs = memory_zero(most, sizeof *outputs), n = 0;
    outputs[n++] = s->rank;
    for (size_t i = 0; i < space->n_objectives; i++)
        outputs[n++] = s->objectives[i];
    for (size_t i = 0; i < conditions; i++)
        outputs[n++] = s->wheres[i];
    bench->inputs = memory_zero(inputs + 1, sizeof *bench->inputs);
    bench->constants = memory_zero(inputs + 1, sizeof *bench->constants);
    bench->rates = memory_zero(inputs + 1, sizeof *bench->rates);
    bench->locals = memory_zero((size_t)t->sweep->threads, sizeof *bench->locals);
    for (size_t i = 0; i < inputs; i++)
        add_input(t, bench, (int)i);
    bench->n_compared = n;
    n = add_answers(t, bench, outputs, n);
    bench->width = term_needs_solver(s->graph, outputs, n) ? SCAN_WIDTH_SOLVED : SCAN_WIDTH / 8;
    bench->program = term_program_create(s->graph, outputs, n, bench->rates, bench->width);
    free(outputs);
    return model_bind(s->graph, s->machine, bench->constants, error);
}

/* The structure of a key, built if it is not there. */
static int find_bench(struct trials *t, uint64_t key, const struct trial_bench **out,
                      struct error *error)
{
    const struct sweep_part *part = &t->parts[key >> PART_SHIFT];
    size_t index = (size_t)(key & (((uint64_t)1 << PART_SHIFT) - 1));
    for (size_t i = 0; i < t->n_benches; i++)
        if (t->benches[i]->key == key) {
            *out = t->benches[i];
            return 0;
        }
    struct trial_bench *bench = memory_zero(1, sizeof *bench);
    bench->key = key;
    t->benches[t->n_benches++] = bench;
    *out = bench;
    int status = sweep_prepare_structure(t->sweep, part, index, error);
    if (!status)
        status = structure_build(t->sweep, part, index, &bench->structure, error);
    if (!status)
        status = bench_compile(t, bench, error);
    if (status == STATUS_INFEASIBLE)
        return 0;
    if (status) { /* not that it cannot be built: another call may */
        t->n_benches--;
        bench_destroy(bench, t->sweep->threads);
    }
    return status;
}

/* Of a bar of points, beside which the requests of profiles are counted. */
static void count_points(uint64_t amount)
{
    while (amount--)
        progress_item();
}

/* --- batches -------------------------------------------------------------------------- */

static void local_begin(const struct trial_bench *bench, struct trial_local *local)
{
    int inputs = term_input_count(bench->structure->graph);
    local->columns = memory_zero(bench->n_inputs * (size_t)bench->width + 1, sizeof(double));
    local->state = term_state_create(bench->program);
    for (int i = 0; i < inputs; i++)
        if (bench->rates[i] == TERM_SWEEP)
            term_state_scalar(local->state, i, bench->constants[i]);
    for (size_t i = 0; i < bench->n_inputs; i++)
        term_state_column(local->state, bench->inputs[i].input,
                          local->columns + i * (size_t)bench->width);
    term_state_begin(local->state);
}

static double input_number(const struct trials *t, const struct trial_bench *bench,
                           const struct trial_input *input, size_t p, const struct trial *trial)
{
    double number = bench->constants[input->input];
    if (input->axis < SIZE_MAX) {
        const struct space_axis *axis = &t->sweep->space->axes[input->axis];
        number = axis->values[digit_of(t, p, trial->id, input->axis)]
                     .assignments[input->assignment]
                     .value.number;
    }
    if (input->path == SIZE_MAX || !trial->factors || trial->factors[input->path] == 1)
        return number;
    number *= trial->factors[input->path];
    if (input->whole)
        number = round(number);
    return fmin(fmax(number, input->least), input->most);
}

/* What errors are of, of the k-th trial of a batch, after its block. */
static void take_answers(const struct trials *t, const struct trial_bench *bench,
                         struct trial_local *local, int k, double *answers)
{
    for (size_t i = 0; i < structure_errors(t->sweep->space); i++) {
        bool scalar = false;
        const double *column = bench->answers[i] < 0
                                   ? NULL
                                   : term_state_output(local->state, bench->answers[i], &scalar);
        answers[i] = column ? column[scalar ? 0 : k] : (double)NAN;
    }
}

/* The numbers that it is compared by. */
static void take_trial(const struct trials *t, const struct trial_bench *bench,
                       struct trial_local *local, int k, double *values)
{
    size_t width = trials_width(t);
    bool kept = true;
    for (int o = 0; o < bench->n_compared; o++) {
        bool scalar;
        const double *column = term_state_output(local->state, o, &scalar);
        double value = column[scalar ? 0 : k];
        if ((size_t)o < width)
            values[o] = value;
        kept = kept && ((size_t)o < width ? isfinite(value) != 0 : value != 0);
    }
    for (size_t o = 0; o < width && !kept; o++)
        values[o] = (double)NAN;
}

static bool run_batch(void *context, uint64_t item, int worker)
{
    struct trials *t = context;
    const struct trial_batch *batch = &t->batches.items[item];
    const struct trial_bench *bench = batch->bench;
    struct trial_local *local = &bench->locals[worker];
    size_t p = bench->key >> PART_SHIFT;
    if (!local->state)
        local_begin(bench, local);
    for (size_t i = 0; i < bench->n_inputs; i++)
        for (size_t k = 0; k < batch->count; k++)
            local->columns[i * (size_t)bench->width + k] = input_number(
                t, bench, &bench->inputs[i], p, &t->list[t->places[batch->from + k].trial]);
    term_state_block(local->state, (int)batch->count);
    if (interrupt_requested())
        return false;
    for (size_t k = 0; k < batch->count; k++) {
        size_t trial = t->places[batch->from + k].trial;
        if (t->values)
            take_trial(t, bench, local, (int)k, t->values + trial * trials_width(t));
        if (t->answers)
            take_answers(t, bench, local, (int)k,
                         t->answers + trial * structure_errors(t->sweep->space));
    }
    count_points(batch->count);
    return true;
}

static int place_compare(const void *a, const void *b)
{
    const struct trial_place *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->trial > y->trial) - (x->trial < y->trial);
}

static int flush_batches(struct trials *t, struct error *error)
{
    parallel_while(t->sweep->threads, t->batches.count, run_batch, t);
    t->batches.count = 0;
    return interrupt_check(error);
}

/* Those from `from` to `to`, of one structure. */
static int add_structure(struct trials *t, size_t from, size_t to, struct error *error)
{
    const struct trial_bench *bench;
    int status = 0;
    if (t->n_benches == BENCHES_MOST) {
        status = flush_batches(t, error);
        forget_benches(t);
    }
    if (!status)
        status = find_bench(t, t->places[from].key, &bench, error);
    if (status)
        return status;
    if (!bench->structure) {
        size_t errors = structure_errors(t->sweep->space);
        for (size_t i = from; i < to; i++) {
            for (size_t o = 0; t->values && o < trials_width(t); o++)
                t->values[t->places[i].trial * trials_width(t) + o] = (double)NAN;
            for (size_t o = 0; t->answers && o < errors; o++)
                t->answers[t->places[i].trial * errors + o] = (double)NAN;
        }
        count_points(to - from);
        return 0;
    }
    for (size_t i = from; i < to; i += (size_t)bench->width) {
        size_t count = to - i < (size_t)bench->width ? to - i : (size_t)bench->width;
        VECTOR_PUSH(&t->batches, ((struct trial_batch){bench, i, count}));
    }
    return 0;
}

static int run_all(struct trials *t, const struct trial *list, size_t count, struct error *error)
{
    int status = 0;
    t->list = list;
    t->places = memory_alloc((count + 1) * sizeof *t->places);
    for (size_t i = 0; i < count; i++)
        t->places[i] = (struct trial_place){structure_key(t, list[i].id), i};
    qsort(t->places, count, sizeof *t->places, place_compare);
    for (size_t from = 0, to; from < count && !status; from = to) {
        for (to = from; to < count && t->places[to].key == t->places[from].key; to++)
            ;
        status = interrupt_check(error);
        if (!status)
            status = add_structure(t, from, to, error);
    }
    if (!status)
        status = flush_batches(t, error);
    t->batches.count = 0;
    t->done += status ? 0 : count;
    free(t->places);
    t->places = NULL;
    return status;
}

int trials_run(struct trials *t, const struct trial *list, size_t count, double *values,
               struct error *error)
{
    t->values = values;
    t->answers = NULL;
    return run_all(t, list, count, error);
}

int trials_answers(struct trials *t, const struct trial *list, size_t count, double *answers,
                   struct error *error)
{
    t->values = NULL;
    t->answers = answers;
    return run_all(t, list, count, error);
}
