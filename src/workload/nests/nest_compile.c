/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiles one launch of a kernel: loops, conditions and accesses to
 * operations. An index that cannot be proved to lie in its array is checked
 * when the access is made. */
#include <stdlib.h>
#include <string.h>

#include "workload/nests/nest_compiler.h"

enum {
    THREADS_MAX = 1024,
    GRID_X_MAX = 2147483647, /* CUDA's limits */
    GRID_YZ_MAX = 65535,
    BLOCK_Z_MAX = 64,
    SHARED_MAX = 1 << 20,
    OPS_MAX = 4096,
    UNROLL_TRIPS = 32,
    UNROLL_OPS = 128
};

/* ---- statements --------------------------------------------------------- */

static int compile_block(struct compiler *c, const struct nest_block *block);

static struct op *emit(struct compiler *c, enum op_code code)
{
    VECTOR_PUSH(&c->ops, (struct op){.code = code});
    struct op *op = &c->ops.items[c->ops.count - 1];
    op->before = c->before > UINT32_MAX ? UINT32_MAX : (uint32_t)c->before;
    op->used = c->used;
    c->before = 0;
    c->used = false;
    return op;
}

static int check_index(struct compiler *c, struct op *op, const struct nest_item *item, int dim,
                       const struct form *index)
{
    const struct nest_array *array = &c->instance->nest->arrays[item->array];
    int64_t extent = c->instance->arrays[item->array].extent[dim];
    struct form_builder *b = &c->forms;
    const struct form *last = form_constant(b, extent - 1);
    if (!c->dead && (index->low >= extent || index->high < 0)) {
        error_at(c->error, STATUS_INPUT, &item->expression->args[dim]->mark,
                 "%s: index %d is %lld or %s, outside 0..%lld", array->name, dim + 1,
                 (long long)(index->low >= extent ? index->low : index->high),
                 index->low >= extent ? "more" : "less", (long long)extent - 1);
        return STATUS_INPUT;
    }
    if (form_is_nonpositive(b, form_sum(b, index, last, -1)) &&
        form_is_nonpositive(b, form_sum(b, form_constant(b, 0), index, -1)))
        return 0;
    if (!op->checks)
        op->checks = arena_alloc(b->arena, NEST_DIMS * sizeof *op->checks);
    op->checks[op->n_checks++] = (struct op_check){.index = index, .extent = extent, .dim = dim};
    return 0;
}

/* Of an index that is the same in all threads, what it took from the index of a repetition is no
 * more than the line that it leads to (stream_identity). `before`: launch_values before the index.
 */
static void note_scalar(struct compiler *c, const struct form *form, uint64_t before)
{
    struct program *p = c->program;
    if (!form_is_constant(form) || p->launch_values == before ||
        p->n_ctas * p->warps < STREAM_IDENTITY_WARPS)
        return;
    p->launch_values = before;
    compile_note_launch(c, form->constant / STREAM_IDENTITY_BYTES);
}

static int compile_access(struct compiler *c, const struct nest_item *item)
{
    uint64_t launch_values = c->program->launch_values;
    const struct nest_array *array = &c->instance->nest->arrays[item->array];
    const struct nest_extent *extent = &c->instance->arrays[item->array];
    const struct expression *e = item->expression;
    struct op op = {.array = item->array,
                    .bytes = array->element_bytes,
                    .kind = item->access,
                    .path = (uint8_t)item->path};
    int64_t pitch = array->element_bytes;
    int status = 0;
    op.mark = &e->mark;
    op.form = form_constant(&c->forms, 0);
    for (int dim = array->n_dims - 1; dim >= 0; dim--) {
        const struct form *index;
        status = compile_expression(c, e->args[dim], &index);
        if (!status)
            status = check_index(c, &op, item, dim, index);
        if (status)
            return status;
        op.form = form_sum(&c->forms, op.form, index, pitch);
        pitch *= extent->extent[dim];
    }
    note_scalar(c, op.form, launch_values);
    if ((status = compile_settle(c, &e->mark)))
        return status;
    struct op *emitted = emit(c, OP_ACCESS);
    op.before = emitted->before;
    op.used = emitted->used;
    *emitted = op;
    return 0;
}

/* Does the form change by a constant, if at all, in a step of the counter? */
static bool is_linear(const struct compiler *c, const struct form *form, int counter)
{
    for (int k = form->n_direct; k < form->n_terms; k++)
        if (c->forms.atoms.items[form->terms[k].variable - VARIABLE_ATOM].depends >> counter & 1)
            return false;
    return true;
}

static bool is_condition_linear(const struct compiler *c, const struct condition *x, int counter)
{
    return (!x->form || is_linear(c, x->form, counter)) &&
           (!x->a || is_condition_linear(c, x->a, counter)) &&
           (!x->b || is_condition_linear(c, x->b, counter));
}

/* Does the operation do the same in every iteration of the loop with that counter, but for a
 * constant added to its address, and for lanes that begin or cease to fulfil a condition? */
static bool is_steady(const struct compiler *c, const struct op *op, int counter)
{
    if (op->code == OP_IF)
        return is_condition_linear(c, op->condition, counter);
    if (op->code == OP_ACCESS)
        return op->n_checks == 0 && is_linear(c, op->form, counter);
    return op->code == OP_END_IF;
}

/* May the loop whose FOR is at `at` and whose body ends now run many
 * iterations at once? Two must fit in a buffer, or nothing is won. */
static bool is_runnable(const struct compiler *c, size_t at, int counter)
{
    int accesses = 0;
    for (size_t i = at + 2; i < c->ops.count; i++) {
        if (!is_steady(c, &c->ops.items[i], counter))
            return false;
        accesses += c->ops.items[i].code == OP_ACCESS;
    }
    return accesses <= WARP_BUFFER_ITEMS / 2;
}

static uint32_t take_frame(struct compiler *c)
{
    uint32_t frame = c->frames++;
    if (c->frames > c->program->n_frames)
        c->program->n_frames = c->frames;
    return frame;
}

/* The range of the loop, its counter's range and its index as a form. Sets
 * *empty when no lane ever enters. */
static int compile_range(struct compiler *c, const struct nest_item *item, struct op *op,
                         bool *empty)
{
    struct form_builder *b = &c->forms;
    const struct nest_range *range = &item->range;
    const struct form *from, *to;
    op->step = form_constant(b, 1);
    int status = compile_expression(c, range->from, &from);
    if (!status)
        status = compile_expression(c, range->to, &to);
    if (!status && range->step)
        status = compile_expression(c, range->step, &op->step);
    if (status)
        return status;
    if (op->step->low < 1 && !c->dead)
        return error_at(c->error, STATUS_INPUT, &range->step->mark,
                        "step: the step of a loop must be at least 1");
    if (c->n_counters == VARIABLE_COUNTERS)
        return error_at(c->error, STATUS_INPUT, &range->mark, "more than %d loops in a kernel",
                        VARIABLE_COUNTERS);
    op->form = form_sum(b, to, from, -1);
    op->counter = VARIABLE_COUNTER + (int)c->n_counters++;
    *empty = op->form->high <= 0;
    int64_t step = op->step->low < 1 ? 1 : op->step->low;
    b->low[op->counter] = 0;
    b->high[op->counter] = *empty ? 0 : (op->form->high - 1) / step;
    const struct form *index =
        form_sum(b, from, form_product(b, form_variable(b, op->counter), op->step), 1);
    /* index <= to - 1 */
    const struct form *below = form_sum(b, form_sum(b, index, to, -1), form_constant(b, 1), 1);
    VECTOR_PUSH(&b->facts, below);
    if ((status = compile_settle(c, &range->mark)))
        return status;
    return compile_declare(c, range->name, &range->mark, index);
}

/* Has it neither loops nor stores? */
static bool only_loads(const struct nest_block *body)
{
    for (size_t i = 0; i < body->n_items; i++) {
        const struct nest_item *item = &body->items[i];
        if (item->kind == NEST_FOR || (item->kind == NEST_IF && !only_loads(&item->body)) ||
            (item->kind == NEST_ACCESS && item->access != ACCESS_READ))
            return false;
    }
    return true;
}

/* Iterations of a group. */
static int compile_unroll(struct compiler *c, const struct nest_item *item, uint32_t *out)
{
    const struct form *group;
    *out = only_loads(&item->body) ? NEST_UNROLL : 1;
    int status = item->unroll ? compile_expression(c, item->unroll, &group) : 0;
    if (status || !item->unroll)
        return status;
    if (!form_is_constant(group) || group->constant < 1 || group->constant > UINT32_MAX)
        return error_at(c->error, STATUS_INPUT, &item->unroll->mark,
                        "unroll: expected a number of iterations, the same for all threads");
    *out = (uint32_t)group->constant;
    return 0;
}

/* The body of a loop whose groups have so many iterations. */
static int compile_body(struct compiler *c, const struct nest_item *item, uint32_t group)
{
    bool deferred = c->deferred;
    c->deferred = group > 1;
    int status = compile_block(c, &item->body);
    c->deferred = deferred;
    return status;
}

/* How often a loop is written out instead; 0: not at all. A short loop whose iterations
 * differ in more than a constant is: each then has its own constants. */
static int64_t unrolled_trips(const struct compiler *c, size_t at, const struct op *loop)
{
    size_t body = c->ops.count - at - 2;
    if (!form_is_constant(loop->form) || !form_is_constant(loop->step))
        return 0;
    int64_t trips = (loop->form->constant - 1) / loop->step->constant + 1;
    for (size_t i = at + 2; i < c->ops.count; i++)
        if (c->ops.items[i].code == OP_FOR)
            return 0;
    return trips <= UNROLL_TRIPS && (int64_t)body * trips <= UNROLL_OPS ? trips : 0;
}

static int unroll(struct compiler *c, const struct nest_item *item, int64_t trips, uint32_t group)
{
    const struct form *index;
    const struct form *step = form_constant(&c->forms, 1);
    int status = compile_expression(c, item->range.from, &index);
    if (!status && item->range.step)
        status = compile_expression(c, item->range.step, &step);
    for (int64_t i = 0; i < trips && !status; i++) {
        size_t names = c->scope.count;
        status = compile_declare(c, item->range.name, &item->range.mark, index);
        if (!status)
            status = compile_body(c, item, group);
        c->used = c->used || (i + 1) % group == 0 || i + 1 == trips;
        c->scope.count = names;
        index = form_sum(&c->forms, index, step, 1);
    }
    return status;
}

static int compile_for(struct compiler *c, const struct nest_item *item)
{
    size_t names = c->scope.count, facts = c->forms.facts.count, at = c->ops.count;
    size_t atoms = c->forms.atoms.count;
    uint32_t counters = c->n_counters;
    uint64_t before = c->before;
    bool used = c->used, empty = false;
    struct op loop = {.code = OP_FOR};
    int status = compile_unroll(c, item, &loop.unroll);
    if (!status)
        status = compile_range(c, item, &loop, &empty);
    if (status)
        return status;
    if (loop.form->low >= 1 && loop.form->high <= loop.step->low) { /* one iteration: no loop */
        status = compile_body(c, item, loop.unroll);
        c->used = true;
        c->scope.count = names;
        c->forms.facts.count = facts;
        return status;
    }
    loop.frame = take_frame(c);
    loop.before = emit(c, OP_FOR)->before;
    loop.used = used;
    c->ops.items[at] = loop;
    emit(c, OP_RUN)->counter = loop.counter;
    c->dead += empty;
    status = compile_body(c, item, loop.unroll);
    c->dead -= empty;
    if (status)
        return status;
    c->frames--;
    c->scope.count = names;
    c->forms.facts.count = facts;
    bool runnable = is_runnable(c, at, loop.counter);
    int64_t unrolled = empty || runnable ? 0 : unrolled_trips(c, at, &loop);
    if (empty || unrolled) { /* the instructions of an empty loop are never issued */
        c->ops.count = at;
        c->before = before;
        c->used = used;
        c->forms.atoms.count = atoms; /* they know the counter's range: both go */
        c->n_counters = counters;
        return unroll(c, item, unrolled, loop.unroll);
    }
    emit(c, OP_NEXT)->target = (uint32_t)at;
    c->ops.items[at].target = (uint32_t)c->ops.count;
    c->ops.items[at + 1].target = runnable ? (uint32_t)c->ops.count - 1 : 0;
    return 0;
}

static int compile_if(struct compiler *c, const struct nest_item *item)
{
    size_t facts = c->forms.facts.count, at = c->ops.count;
    uint64_t before = c->before;
    bool used = c->used;
    const struct condition *condition;
    int status = compile_condition(c, item->expression, &condition);
    if (!status)
        status = compile_settle(c, &item->mark);
    if (status)
        return status;
    bool never = condition->kind == CONDITION_NEVER, always = condition->kind == CONDITION_ALWAYS;
    uint32_t frame = 0;
    if (!always) {
        struct op *op = emit(c, OP_IF);
        op->condition = condition;
        op->frame = frame = take_frame(c);
        condition_assume(&c->forms, condition);
    }
    c->dead += never;
    status = compile_block(c, &item->body);
    c->dead -= never;
    if (status || always)
        return status;
    emit(c, OP_END_IF)->frame = frame;
    c->ops.items[at].target = (uint32_t)c->ops.count;
    c->frames--;
    if (never) {
        c->ops.count = at;
        c->before = before;
        c->used = used;
    }
    c->forms.facts.count = facts;
    return 0;
}

static int compile_compute(struct compiler *c, const struct nest_item *item)
{
    const struct form *count;
    int status = compile_expression(c, item->expression, &count);
    if (status)
        return status;
    if (!form_is_constant(count) || count->constant < 0 || count->constant > UINT32_MAX) {
        error_at(c->error, STATUS_INPUT, &item->expression->mark,
                 "%s: expected a number of instructions, the same for all threads",
                 item->kind == NEST_COMPUTE ? "compute" : "overhead");
        return STATUS_INPUT;
    }
    c->before += (uint64_t)count->constant;
    c->used = c->used || (item->kind == NEST_COMPUTE && !c->deferred && count->constant > 0);
    return 0;
}

static int compile_item(struct compiler *c, const struct nest_item *item)
{
    if (c->ops.count > OPS_MAX)
        return error_at(c->error, STATUS_INPUT, &item->mark, "more than %d operations in a kernel",
                        OPS_MAX);
    switch (item->kind) {
    case NEST_FOR:
        return compile_for(c, item);
    case NEST_IF:
        return compile_if(c, item);
    case NEST_ACCESS:
        return compile_access(c, item);
    default:
        return compile_compute(c, item);
    }
}

/* The names of the block hold until its end. */
static int compile_lets(struct compiler *c, const struct nest_block *block)
{
    int status = 0;
    for (size_t i = 0; i < block->n_lets && !status; i++) {
        const struct form *value;
        status = compile_expression(c, block->lets[i].value, &value);
        if (!status)
            status = compile_declare(c, block->lets[i].name, &block->lets[i].mark, value);
    }
    return status;
}

static int compile_items(struct compiler *c, const struct nest_block *block)
{
    int status = 0;
    for (size_t i = 0; i < block->n_items && !status; i++)
        status = compile_item(c, &block->items[i]);
    return status;
}

static int compile_block(struct compiler *c, const struct nest_block *block)
{
    size_t names = c->scope.count;
    int status = compile_lets(c, block);
    if (!status)
        status = compile_items(c, block);
    c->scope.count = names;
    return status;
}

/* ---- kernels ------------------------------------------------------------ */

static int compile_dim(struct compiler *c, const struct expression *e, const char *what, int axis,
                       int64_t most, uint32_t *out)
{
    int64_t value = 1;
    int status = e ? nest_evaluate(c->values, e, &value, &c->program->per_launch, c->error) : 0;
    if (!status && (value < 1 || value > most))
        status = error_at(c->error, STATUS_INPUT, &e->mark,
                          "%s: the %c extent is %lld, expected 1 to %lld", what, 'x' + axis,
                          (long long)value, (long long)most);
    *out = (uint32_t)value;
    return status;
}

static int compile_dims(struct compiler *c, const struct nest_kernel *kernel)
{
    static const int64_t most[] = {GRID_X_MAX, GRID_YZ_MAX, GRID_YZ_MAX};
    struct program *p = c->program;
    int status = 0;
    for (int axis = 0; axis < 3 && !status; axis++) {
        status = compile_dim(c, kernel->grid[axis], "grid", axis, most[axis], &p->grid[axis]);
        if (!status)
            status = compile_dim(c, kernel->block[axis], "block", axis,
                                 axis == 2 ? BLOCK_Z_MAX : THREADS_MAX, &p->block[axis]);
    }
    if (status)
        return status;
    p->n_ctas = (uint64_t)p->grid[0] * p->grid[1] * p->grid[2];
    p->threads = p->block[0] * p->block[1] * p->block[2];
    p->warps = (p->threads + WARP_LANES - 1) / WARP_LANES;
    if (p->threads > THREADS_MAX)
        return error_at(c->error, STATUS_INPUT, &kernel->block[0]->mark,
                        "block: %u threads, more than %d", p->threads, THREADS_MAX);
    for (int axis = 0; axis < 3; axis++) {
        c->forms.high[VARIABLE_BX + axis] = p->grid[axis] - 1;
        c->forms.high[VARIABLE_TX + axis] = p->block[axis] - 1;
    }
    return 0;
}

static int compile_shared(struct compiler *c, const struct expression *e)
{
    int64_t bytes = 0;
    int status = e ? nest_evaluate(c->values, e, &bytes, &c->program->per_launch, c->error) : 0;
    if (!status && (bytes < 0 || bytes > SHARED_MAX))
        status = error_at(c->error, STATUS_INPUT, &e->mark, "shared: expected 0 to %d bytes",
                          SHARED_MAX);
    c->program->shared_bytes = (uint32_t)bytes;
    return status;
}

static void finish_program(struct compiler *c)
{
    struct program *p = c->program;
    emit(c, OP_END);
    struct op *ops = arena_alloc(p->arena, c->ops.count * sizeof *ops);
    memcpy(ops, c->ops.items, c->ops.count * sizeof *ops);
    p->ops = ops;
    lower_program(c, ops, c->ops.count);
}

static int compile_kernel(struct compiler *c, const struct nest_kernel *kernel)
{
    int status = compile_dims(c, kernel);
    if (!status)
        status = compile_shared(c, kernel->shared);
    if (!status)
        status = compile_block(c, &kernel->body);
    return status;
}

int program_compile(const struct nest_instance *instance, const struct nest_kernel *kernel,
                    const struct nest_values *values, bool runs, struct program **out,
                    struct error *error)
{
    struct arena *arena = arena_create();
    struct program *program = arena_alloc(arena, sizeof *program);
    program->arena = arena;
    program->kernel = kernel;
    struct compiler *c = memory_zero(1, sizeof *c);
    c->instance = instance;
    c->values = values;
    c->program = program;
    c->forms.arena = arena;
    c->error = error;
    int status = compile_kernel(c, kernel);
    if (!status && runs)
        finish_program(c);
    VECTOR_FREE(&c->ops);
    VECTOR_FREE(&c->scope);
    VECTOR_FREE(&c->forms.atoms);
    VECTOR_FREE(&c->forms.facts);
    free(c);
    if (status) {
        arena_destroy(arena);
        program = NULL;
    }
    *out = program;
    return status;
}

void program_destroy(struct program *program)
{
    if (program)
        arena_destroy(program->arena);
}
