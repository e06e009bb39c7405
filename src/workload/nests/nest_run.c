/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a compiled kernel, warp by warp, a buffer of accesses at a time.
 *
 * A warp executes in lockstep: one position in the program, one counter a loop,
 * a mask of active lanes, and a frame for each enclosing loop or condition that
 * keeps the mask to return to. The inner loop (OP_RUN) works out its accesses
 * once a buffer and then only adds their increments. */
#include <string.h>

#include "workload/nests/nest_lanes.h"
#include "workload/access.h"

/* ---- accesses ----------------------------------------------------------- */

static uint32_t clamp_instructions(uint64_t count)
{
    return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

/* n addresses, a multiple of 4: a loop for vector instructions. */
static inline void add_base(uint64_t *restrict to, const uint64_t *restrict from, int n,
                            uint64_t base)
{
    for (int i = 0; i < n; i += 4)
        for (int k = 0; k < 4; k++)
            to[i + k] = base + from[i + k];
}

/* Must a full warp's addresses be listed? true: for certain. */
static bool is_uneven(const struct lanes *x, uint32_t mask)
{
    const uint64_t *at = (const uint64_t *)x->at;
    return mask == UINT32_MAX && at &&
           at[WARP_LANES - 1] - at[0] != (WARP_LANES - 1) * (at[1] - at[0]);
}

/* An access as base + stride where that is possible; else `list` is filled
 * and its length returned. */
static int form_access(const struct op *op, const struct lanes *x, uint64_t base, uint32_t mask,
                       struct warp_access *item, uint64_t *list)
{
    *item =
        (struct warp_access){.mask = mask, .bytes = op->bytes, .kind = op->kind, .path = op->path};
    if (is_even(x))
        return access_even(item, base + (uint64_t)x->base, x->stride, list);
    int n = 0;
    base += (uint64_t)x->base;
    if (mask == UINT32_MAX) {
        add_base(list, (const uint64_t *)x->at, WARP_LANES, base);
        return access_list(item, list, WARP_LANES);
    }
    while (mask)
        list[n++] = base + (uint64_t)x->at[access_next_lane(&mask)];
    return access_list(item, list, n);
}

static int refuse_index(const struct run *r, const struct op *op, const struct op_check *check,
                        int64_t index, uint32_t lane)
{
    const struct warp *w = r->warp;
    const struct program *p = r->program;
    int64_t thread = w->values[VARIABLE_TX] +
                     p->block[0] * (w->values[VARIABLE_TY] + p->block[1] * w->values[VARIABLE_TZ]) +
                     lane;
    return error_at(r->error, STATUS_INPUT, op->mark,
                    "index %d is %lld, outside 0..%lld, in block (%lld,%lld,%lld), "
                    "thread %lld of kernel %s",
                    check->dim + 1, (long long)index, (long long)check->extent - 1,
                    (long long)w->values[VARIABLE_BX], (long long)w->values[VARIABLE_BY],
                    (long long)w->values[VARIABLE_BZ], (long long)thread, p->kernel->name);
}

static bool is_within(const struct op_check *check, int64_t index)
{
    return index >= 0 && index < check->extent;
}

static int check_access(const struct run *r, const struct op *op)
{
    uint32_t mask = r->warp->mask;
    for (int i = 0; i < op->n_checks; i++) {
        const struct op_check *check = &op->checks[i];
        struct lanes x;
        int64_t low, high, list[WARP_LANES];
        if (sum_range(r, check->sum, &low, &high) && is_within(check, low) &&
            is_within(check, high))
            continue;
        sum_lanes(r, check->sum, mask, &x, list);
        if (is_even(&x) && is_within(check, lane_value(&x, first_lane(mask))) &&
            is_within(check, lane_value(&x, last_lane(mask))))
            continue;
        for (uint32_t left = mask; left;) {
            uint32_t k = access_next_lane(&left);
            if (!is_within(check, lane_value(&x, k)))
                return refuse_index(r, op, check, lane_value(&x, k), k);
        }
    }
    return 0;
}

/* One access: 1 when it is in the buffer, 0 when there is no room. */
static int run_access(const struct run *r, const struct op *op)
{
    struct warp_buffer *out = r->out;
    struct warp *w = r->warp;
    struct lanes x;
    int64_t values[WARP_LANES];
    uint64_t spare[WARP_LANES], *list = &out->pool[out->pool_used];
    if (out->count == WARP_BUFFER_ITEMS)
        return 0;
    if (WARP_BUFFER_POOL - out->pool_used < WARP_LANES)
        list = spare;
    int status = op->n_checks ? check_access(r, op) : 0;
    if (status)
        return status;
    sum_lanes(r, op->sum, w->mask, &x, values);
    if (list == spare && is_uneven(&x, w->mask))
        return 0;
    struct warp_access *item = &out->items[out->count];
    int n = form_access(op, &x, r->bases[op->array], w->mask, item, list);
    if (n > WARP_BUFFER_POOL - out->pool_used)
        return 0;
    if (n) {
        item->addresses = &out->pool[out->pool_used];
        if (list == spare)
            memcpy(&out->pool[out->pool_used], list, (size_t)n * sizeof *list);
        out->pool_used += n;
    }
    struct ahead ahead = {(uint8_t)(op->used ? 0 : w->ahead), 0};
    ahead_take(&ahead, item);
    w->ahead = ahead.loads;
    item->instructions = clamp_instructions(w->pending + op->before + 1);
    w->pending = 0;
    out->count++;
    w->at++;
    return 1;
}

/* ---- sequences ---------------------------------------------------------- */

/* Are all lanes active that have a thread? */
static bool is_whole(const struct run *r)
{
    return r->warp->mask == program_warp_mask(r->program, r->warp->index);
}

/* The warp's place in the tables of the sequence. */
static int64_t find_warp(const struct run *r, const struct sequence *sequence)
{
    const int64_t *values = r->warp->values;
    return r->warp->index + values[VARIABLE_BX] * sequence->scale[0] +
           values[VARIABLE_BY] * sequence->scale[1] + values[VARIABLE_BZ] * sequence->scale[2];
}

/* Are all indices inside? */
static bool passes_checks(const struct run *r, const struct sequence *sequence)
{
    if (sequence->n_checks == 0 || r->warp->step)
        return true;
    const struct interval *interval =
        &sequence->intervals[find_warp(r, sequence) * sequence->n_checks];
    for (uint32_t i = 0; i < sequence->n_checks; i++, interval++) {
        int64_t rest = scalar_sum(r->warp->values, sequence->checks[i].sum);
        if (rest < interval->low || rest > interval->high)
            return false;
    }
    return true;
}

static inline uint64_t member_base(const struct run *r, const struct sequence_member *member)
{
    return r->bases[member->array] + (uint64_t)scalar_sum(r->warp->values, member->sum);
}

/* 1 when it is at its end, 0 when there is no room. */
static int run_sequence(const struct run *r, const struct sequence *sequence)
{
    struct warp *w = r->warp;
    struct warp_buffer *out = r->out;
    const struct sequence_warp *own = &sequence->warps[find_warp(r, sequence)];
    uint64_t bases[SEQUENCE_MEMBERS];
    uint32_t known = 0; /* of them */
    const uint32_t ahead = w->ahead;
    for (; w->step < own->n; w->step++) {
        const struct step *step = &own->steps[w->step];
        struct warp_access *item = &out->items[out->count];
        if (out->count == WARP_BUFFER_ITEMS || step->n_pool > WARP_BUFFER_POOL - out->pool_used)
            return 0;
        if (!(known >> step->member & 1)) {
            bases[step->member] = member_base(r, &sequence->members[step->member]);
            known |= (uint32_t)1 << step->member;
        }
        uint64_t base = bases[step->member];
        *item = step->item;
        item->base += base;
        if (ahead)
            item->ahead = ahead_of(step->item.ahead, step->open, ahead);
        if (step->n_pool) {
            item->addresses = &out->pool[out->pool_used];
            add_base(&out->pool[out->pool_used], step->item.addresses, step->n_pool, base);
            out->pool_used += step->n_pool;
        }
        if (w->step == 0)
            item->instructions = clamp_instructions(w->pending + item->instructions);
        out->count++;
    }
    w->pending = own->tail + (own->n ? 0 : w->pending);
    w->ahead = ahead_of(own->ahead.loads, own->ahead.open, w->ahead);
    w->step = 0;
    w->at = sequence->end;
    return 1;
}

/* ---- many iterations at once -------------------------------------------- */

struct plan_entry {
    struct warp_access item;
    uint64_t offset, increment; /* added to the addresses; an iteration adds to it */
    int n_pool;                 /* as of a step */
    uint8_t open;               /* the same */
    const uint64_t *from;       /* the list: of the lanes, of a step, or made */
    struct lanes lanes;
    int64_t values[WARP_LANES];
    uint64_t made[WARP_LANES];
};

struct plan {
    int n, n_pool;      /* accesses of one iteration, room for their addresses */
    struct ahead ahead; /* behind its last access */
    uint64_t tail;      /* instructions there */
    int64_t steps;      /* iterations that are like it */
    struct plan_entry entries[WARP_BUFFER_ITEMS];
};

static void plan_access(const struct run *r, const struct op *op, uint32_t mask,
                        struct plan_entry *entry)
{
    uint64_t base = r->bases[op->array];
    sum_lanes(r, op->sum, mask, &entry->lanes, entry->values);
    entry->increment = (uint64_t)op->increment;
    if (is_uneven(&entry->lanes, mask)) {
        entry->n_pool = WARP_LANES;
        entry->from = (const uint64_t *)entry->lanes.at;
        entry->offset = base + (uint64_t)entry->lanes.base;
        entry->item = (struct warp_access){.base = entry->from[0],
                                           .mask = mask,
                                           .bytes = op->bytes,
                                           .kind = op->kind,
                                           .path = op->path};
    } else {
        int n = form_access(op, &entry->lanes, base, mask, &entry->item, entry->made);
        entry->n_pool = step_room(n);
        memset(entry->made + n, 0, (size_t)(entry->n_pool - n) * sizeof *entry->made);
        entry->from = entry->made;
        entry->offset = 0;
    }
}

/* One iteration as it stands. All iterations are like it up to the next change of the mask or
 * of a condition. Ends early when one is too much for any buffer. */
static void plan_operations(const struct run *r, const struct op *run, struct plan *plan)
{
    const struct op *ops = r->program->ops;
    uint32_t mask = r->warp->mask, at = r->warp->at + 1;
    uint64_t gap = 0;
    for (; at != run->target && plan->n_pool <= WARP_BUFFER_POOL; at++) {
        const struct op *op = &ops[at];
        gap += op->before;
        if (op->used)
            plan->ahead = (struct ahead){0, 0};
        if (op->code == OP_ACCESS) {
            struct plan_entry *entry = &plan->entries[plan->n++];
            plan_access(r, op, mask, entry);
            entry->open = ahead_take(&plan->ahead, &entry->item);
            entry->item.instructions = clamp_instructions(gap + 1);
            plan->n_pool += entry->n_pool;
            gap = 0;
        } else if (op->code == OP_IF) {
            uint32_t active = test_lanes_for(r, op->test, mask, run->counter, &plan->steps);
            if (active) {
                r->frames[op->frame].mask = mask;
                mask = active;
            } else {
                at = op->target - 1;
            }
        } else { /* OP_END_IF */
            mask = r->frames[op->frame].mask;
        }
    }
    plan->tail = gap + ops[at].before;
    if (ops[at].used)
        plan->ahead = (struct ahead){0, 0};
}

/* The same where all of it is a sequence. */
static void plan_sequence(const struct run *r, const struct sequence *sequence, struct plan *plan)
{
    const struct sequence_warp *own = &sequence->warps[find_warp(r, sequence)];
    for (uint32_t i = 0; i < own->n; i++) {
        const struct step *step = &own->steps[i];
        const struct sequence_member *member = &sequence->members[step->member];
        struct plan_entry *entry = &plan->entries[plan->n++];
        entry->item = step->item;
        entry->offset = member_base(r, member);
        entry->increment = (uint64_t)member->increment;
        entry->n_pool = step->n_pool;
        entry->open = step->open;
        entry->from = step->item.addresses;
        plan->n_pool += step->n_pool;
    }
    plan->ahead = own->ahead;
    if (r->program->ops[sequence->end].used)
        plan->ahead = (struct ahead){0, 0};
    plan->tail = own->tail + r->program->ops[sequence->end].before;
}

static void plan_iteration(const struct run *r, const struct op *run, struct plan *plan)
{
    const struct op *first = &r->program->ops[r->warp->at + 1];
    plan->n = plan->n_pool = 0;
    plan->ahead = (struct ahead){0, 0xff};
    plan->steps = INT64_MAX;
    if (first->sequence && first->sequence->end == run->target && is_whole(r))
        plan_sequence(r, first->sequence, plan);
    else
        plan_operations(r, run, plan);
}

/* At the end of a group what was loaded is used. */
static inline void group_next(struct warp *w, struct frame *frame, uint32_t unroll)
{
    if (--frame->left)
        return;
    frame->left = unroll;
    w->ahead = 0;
}

/* `plain`: nothing but loads, which nothing needs before a group ends. */
static inline __attribute__((always_inline)) void plan_emit_as(bool plain, struct plan *plan,
                                                               int64_t iterations,
                                                               const struct op *loop,
                                                               struct frame *frame, struct warp *w,
                                                               struct warp_buffer *out)
{
    struct warp_access *item = &out->items[out->count];
    const int n = plan->n;
    const uint32_t group = loop->unroll, loads = plan->ahead.loads, open = plan->ahead.open;
    uint32_t left = frame->left, ahead = w->ahead;
    out->count += (int)iterations * n;
    for (; iterations > 0; iterations--) {
        for (int i = 0; i < n; i++, item++) {
            struct plan_entry *entry = &plan->entries[i];
            uint64_t *to = &out->pool[out->pool_used], offset = entry->offset;
            entry->offset += entry->increment;
            *item = entry->item;
            item->base += offset;
            item->ahead = plain ? (uint8_t)ahead : ahead_of(entry->item.ahead, entry->open, ahead);
            if (plain)
                ahead += ahead < WARP_AHEAD_MOST;
            if (entry->n_pool == 0)
                continue;
            item->addresses = to;
            out->pool_used += entry->n_pool;
            add_base(to, entry->from, entry->n_pool, offset);
        }
        bool ends = --left == 0;
        ahead = ends ? 0 : plain ? ahead : ahead_of(loads, open, ahead);
        left = ends ? group : left;
    }
    w->ahead = ahead;
    frame->left = left;
}

/* The same of loads without lists, within a group that has no more of them than WARP_AHEAD_MOST:
 * most of what loops do. */
static void plan_emit_even(struct plan *plan, int64_t iterations, uint32_t ahead,
                           struct warp_access *item)
{
    const int n = plan->n;
    for (; iterations > 0; iterations--)
        for (int i = 0; i < n; i++, item++) {
            struct plan_entry *entry = &plan->entries[i];
            uint64_t base = entry->item.base + entry->offset;
            entry->offset += entry->increment;
            *item = entry->item;
            item->base = base;
            item->ahead = (uint8_t)ahead++;
        }
}

/* Up to the end of a group at a time. Returns the iterations that are left. */
static int64_t plan_emit_groups(struct plan *plan, int64_t iterations, uint32_t group,
                                struct frame *frame, struct warp *w, struct warp_buffer *out)
{
    while (iterations > 0) {
        int64_t some = iterations < frame->left ? iterations : frame->left;
        if (some * plan->n > (int64_t)(WARP_AHEAD_MOST - w->ahead))
            break;
        plan_emit_even(plan, some, w->ahead, &out->items[out->count]);
        out->count += (int)some * plan->n;
        iterations -= some;
        frame->left -= (uint32_t)some;
        w->ahead = frame->left ? w->ahead + (uint32_t)some * (uint32_t)plan->n : 0;
        frame->left = frame->left ? frame->left : group;
    }
    return iterations;
}

static void plan_emit(struct plan *plan, int64_t iterations, const struct op *loop,
                      struct frame *frame, struct warp *w, struct warp_buffer *out)
{
    const bool plain = plan->ahead.open && plan->ahead.loads == plan->n;
    if (plain && plan->n_pool == 0)
        iterations = plan_emit_groups(plan, iterations, loop->unroll, frame, w, out);
    if (plain)
        plan_emit_as(true, plan, iterations, loop, frame, w, out);
    else
        plan_emit_as(false, plan, iterations, loop, frame, w, out);
}

/* So often so many instructions without an access; more than 32 bits hold stay so. */
static void add_iterations(struct warp *w, uint64_t instructions, int64_t iterations)
{
    uint64_t times = clamp_instructions((uint64_t)iterations);
    w->pending = clamp_instructions(w->pending) + clamp_instructions(instructions) * times;
}

/* 1 when it went on, 0 when there is no room. */
static int run_loop(const struct run *r, const struct op *run)
{
    struct warp *w = r->warp;
    struct warp_buffer *out = r->out;
    uint32_t loop_at = w->at - 1;
    struct plan plan;
    if (run->target == 0) { /* not that kind of loop */
        w->at++;
        return 1;
    }
    plan_iteration(r, run, &plan);
    const struct op *loop = &r->program->ops[loop_at];
    struct frame *frame = &r->frames[loop->frame];
    int64_t n = w->values[run->counter], left = frame->change - n;
    left = left < plan.steps ? left : plan.steps;
    if (plan.n) {
        int room = (WARP_BUFFER_ITEMS - out->count) / plan.n;
        if (plan.n_pool && (WARP_BUFFER_POOL - out->pool_used) / plan.n_pool < room)
            room = (WARP_BUFFER_POOL - out->pool_used) / plan.n_pool;
        if (room == 0 && out->count)
            return 0;
        if (room == 0) { /* too much for any buffer: access by access */
            w->at++;
            return 1;
        }
        left = left < room ? left : room;
        struct warp_access *first = &out->items[out->count];
        uint32_t head = plan.entries[0].item.instructions;
        plan.entries[0].item.instructions = clamp_instructions(head + plan.tail);
        plan_emit(&plan, left, loop, frame, w, out);
        first->instructions = clamp_instructions(w->pending + head);
        w->pending = plan.tail;
    } else {
        w->ahead = left < frame->left ? plan.ahead.open & w->ahead : 0;
        frame->left = loop->unroll - (uint32_t)((n + left) % loop->unroll);
        add_iterations(w, plan.tail, left);
    }
    w->values[run->counter] = n + left;
    loop_next(r, loop_at);
    return 1;
}

/* ---- warps -------------------------------------------------------------- */

size_t program_state_size(const struct program *program)
{
    return sizeof(struct warp) + program->n_values * sizeof(int64_t) +
           program->n_frames * sizeof(struct frame) + program->n_kept * sizeof(struct kept) +
           program->n_tests * sizeof(struct kept_test);
}

void program_warp_begin(const struct program *program, uint64_t cta, uint32_t warp, void *state)
{
    struct warp *w = state;
    *w = (struct warp){.mask = program_warp_mask(program, warp)};
    program_split(cta, program->grid, &w->values[VARIABLE_BX]);
    program_split(warp * WARP_LANES, program->block, &w->values[VARIABLE_TX]);
    w->index = warp;
    update_scalars(w, &program->updates);
}

/* One operation: 1 when it went on, 0 when the buffer is full or the warp at
 * its end, or a negative status. */
static int run_op(const struct run *r)
{
    struct warp *w = r->warp;
    const struct op *op = &r->program->ops[w->at], *loop;
    uint32_t active;
    if (op->sequence && is_whole(r) && passes_checks(r, op->sequence))
        return run_sequence(r, op->sequence);
    if (op->code == OP_ACCESS)
        return run_access(r, op);
    if (op->code == OP_RUN)
        return run_loop(r, op);
    if (op->code == OP_END)
        return 0;
    w->pending += op->before;
    w->ahead = op->used ? 0 : w->ahead;
    switch (op->code) {
    case OP_IF:
        active = test_lanes(r, op->test, w->mask);
        if (active) {
            r->frames[op->frame].mask = w->mask;
            w->mask = active;
        }
        w->at = active ? w->at + 1 : op->target;
        return 1;
    case OP_END_IF:
        w->mask = r->frames[op->frame].mask;
        w->at++;
        return 1;
    case OP_FOR:
        loop_enter(r, op);
        return 1;
    default: /* OP_NEXT */
        loop = &r->program->ops[op->target];
        w->values[loop->counter]++;
        group_next(w, &r->frames[loop->frame], loop->unroll);
        loop_next(r, op->target);
        return 1;
    }
}

/* The instructions behind the last access, once. */
static void run_end(const struct run *r, const struct op *end)
{
    uint64_t rest = r->warp->pending + end->before;
    r->warp->pending = 0;
    r->warp->mask = 0;
    if (rest)
        r->out->items[r->out->count++] =
            (struct warp_access){.kind = ACCESS_NONE, .instructions = clamp_instructions(rest)};
}

int program_warp_read(const struct program *program, const uint64_t *bases, void *state,
                      struct warp_buffer *out, struct error *error)
{
    struct warp *w = state;
    struct frame *frames = (struct frame *)(w->values + program->n_values);
    struct kept *kept = (struct kept *)(frames + program->n_frames);
    int64_t lists[KEPT_LANES][WARP_LANES];
    struct run r = {.program = program,
                    .bases = bases,
                    .warp = w,
                    .frames = frames,
                    .out = out,
                    .kept = kept,
                    .tests = (struct kept_test *)(kept + program->n_kept),
                    .lists = lists,
                    .error = error};
    w->kept &= ~(uint64_t)w->listed; /* lists last for one read */
    w->listed = 0;
    int status = 1;
    out->count = out->pool_used = 0;
    while (status > 0 && out->count < WARP_BUFFER_ITEMS)
        status = run_op(&r);
    if (status < 0)
        return status;
    const struct op *op = &program->ops[w->at];
    if (op->code == OP_END && w->mask && out->count < WARP_BUFFER_ITEMS)
        run_end(&r, op);
    return out->count;
}
