/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequences: operations whose ranges, conditions and lanes follow from the thread indices and
 * the counters of their own loops alone make the same accesses in the same warp of every thread
 * block and in every iteration around them, but for a constant a group of accesses. That is most
 * of what regular kernels do: rows and tiles, stencils, windows clipped at the edge of a map. So
 * statements are gone through once here, in each warp of a thread block, as far as they are of
 * that kind and not too many, and only read out later. Where they depend on axes of the grid as
 * well (a window that is clipped in the first column of blocks), they are gone through in each
 * place on them, if those are few: these axes are the sequence's key.
 *
 * Streams must not show the difference: a random test holds them against an interpreter that does
 * everything lane by lane (test_workload_random). */
#include <stdlib.h>
#include <string.h>

#include "workload/access.h"
#include "workload/nests/nest_lower.h"

enum {
    STEPS_MOST = 96,         /* of a warp with one key */
    STEPS_MOST_ALL = 2048,   /* of all warps of a block and all keys */
    VISITS_MOST = 8192,      /* operations gone through for a statement */
    VISITS_MOST_ALL = 32768, /* for all of them, and walks begun: bounds time and memory */
    KEY_USES = 8,            /* times that each block of a key is to be read out, ... */
    KEY_USES_ONCE = 128      /* ... or of a program that serves a single launch */
};

/* An access: at the base of its member + constant + terms of what a sequence goes through. So is
 * an index that is to be checked: what is gone through says how large the rest of it may be. */
struct split {
    uint32_t member;
    int64_t constant;
    const struct form_term *inner;
    int n_inner, n_checks;
    struct split_check {
        uint32_t number; /* in the sequence */
        int64_t extent;
        const struct form_term *inner;
        int n_inner;
    } checks[NEST_DIMS];
};

/* What a warp does up to now, with one key. */
struct walk {
    struct {
        struct step *items;
        size_t count, capacity;
    } steps;
    struct walk_state {
        size_t n; /* steps */
        struct ahead ahead;
        uint64_t gap; /* instructions since the last access */
        struct interval checks[SEQUENCE_CHECKS];
    } now, before; /* before: the present statement */
};

struct sequencer {
    struct lowering *l;
    struct arena *scratch; /* lists of the walks */
    struct op *ops;
    struct split *splits; /* one an operation; of accesses */
    struct sequence_member members[SEQUENCE_MEMBERS];
    struct sequence_check checks[SEQUENCE_CHECKS];
    uint32_t n_members, n_checks;
    int counter;    /* of the innermost loop around; -1: none */
    uint64_t times; /* that a block gets here, at most: iterations of all loops around */
    uint64_t keys;  /* axes of the grid: bits of variables */
    uint32_t n_walks;
    uint32_t visits, most; /* operations gone through, and the most for the present statement */
    uint32_t first;        /* thread of lane 0 */
    struct {
        struct walk *items;
        size_t count, capacity;
    } walks; /* warp by warp of the first key, of the second, ... */
};

/* ---- which operations --------------------------------------------------- */

/* Does it stay the same in all lanes and while the counters go on? */
static bool is_outer(const struct lowering *l, uint64_t depends, uint64_t counters)
{
    return is_scalar(l, depends) && !(depends & counters);
}

/* The axes on which the lanes of the form depend, and not only the place of the whole. */
static uint64_t form_keys(const struct lowering *l, const struct form *form, uint64_t counters)
{
    uint64_t keys = 0;
    for (int i = 0; i < form->n_terms; i++) {
        uint64_t depends = variable_depends(l, form->terms[i].variable);
        keys |= is_outer(l, depends, counters) ? 0 : depends & BLOCK_BITS;
    }
    return keys;
}

/* The key that the operations from `at` to before `end` need. */
static uint64_t find_keys(const struct sequencer *s, uint32_t at, uint32_t end)
{
    uint64_t keys = 0, counters = 0;
    for (; at < end; at++) {
        const struct op *op = &s->ops[at];
        if (op->code == OP_FOR) {
            keys |= (op->form->depends | op->step->depends) & BLOCK_BITS;
            counters |= VARIABLE_BIT(op->counter);
        } else if (op->code == OP_IF) {
            keys |= op->condition->depends & BLOCK_BITS;
        } else if (op->code == OP_ACCESS) {
            keys |= form_keys(s->l, op->form, counters);
            for (int i = 0; i < op->n_checks; i++)
                keys |= form_keys(s->l, op->checks[i].index, counters);
        }
    }
    return keys;
}

/* Sorts the terms into those that depend on nothing but `own`, and those that are outer; false
 * when one is neither. */
static bool split_form(const struct lowering *l, const struct form *form, uint64_t own,
                       const struct form_term **inner_terms, int *n_inner, struct form *outer)
{
    size_t size = (size_t)form->n_terms * sizeof(struct form_term);
    struct form_term *in = arena_alloc(l->program->arena, size);
    struct form_term *out = arena_alloc(l->program->arena, size);
    *inner_terms = in;
    *n_inner = 0;
    *outer = (struct form){.constant = form->constant, .terms = out};
    for (int i = 0; i < form->n_terms; i++) {
        uint64_t depends = variable_depends(l, form->terms[i].variable);
        if (!(depends & ~own))
            in[(*n_inner)++] = form->terms[i];
        else if (is_outer(l, depends, own & ~(THREAD_BITS | BLOCK_BITS)))
            out[outer->n_terms++] = form->terms[i];
        else
            return false;
    }
    return true;
}

/* The member for accesses to that array with those terms; false: there are too many. */
static bool find_member(struct sequencer *s, int array, const struct form_term *terms, int n_terms,
                        uint32_t *number)
{
    const struct form form = {.terms = terms, .n_terms = n_terms};
    for (uint32_t i = 0; i < s->n_members; i++) {
        *number = i;
        if (s->members[i].array == array && s->members[i].n_terms == n_terms &&
            same_terms(s->members[i].terms, terms, n_terms))
            return true;
    }
    if (s->n_members == SEQUENCE_MEMBERS)
        return false;
    *number = s->n_members++;
    s->members[*number] = (struct sequence_member){.array = array,
                                                   .sum = lower_form(s->l, &form),
                                                   .increment = term_factor(&form, s->counter),
                                                   .terms = terms,
                                                   .n_terms = n_terms};
    return true;
}

static bool split_check(struct sequencer *s, const struct op_check *check, uint64_t own,
                        struct split_check *out)
{
    struct form *rest = arena_alloc(s->l->program->arena, sizeof *rest);
    if (!split_form(s->l, check->index, own, &out->inner, &out->n_inner, rest) ||
        !form_measure(s->l->forms, rest))
        return false;
    out->extent = check->extent;
    for (out->number = 0; out->number < s->n_checks; out->number++)
        if (form_equal(s->checks[out->number].rest, rest))
            return true;
    if (s->n_checks == SEQUENCE_CHECKS)
        return false;
    s->checks[s->n_checks++] = (struct sequence_check){lower_form(s->l, rest), rest};
    return true;
}

static bool split_access(struct sequencer *s, const struct op *op, uint64_t own,
                         struct split *split)
{
    struct form outer;
    if (!split_form(s->l, op->form, own, &split->inner, &split->n_inner, &outer) ||
        !find_member(s, op->array, outer.terms, outer.n_terms, &split->member))
        return false;
    split->constant = outer.constant;
    for (split->n_checks = 0; split->n_checks < op->n_checks; split->n_checks++)
        if (!split_check(s, &op->checks[split->n_checks], own, &split->checks[split->n_checks]))
            return false;
    return true;
}

/* May the operations from `at` to before `end` be in the sequence? */
static bool split_ops(struct sequencer *s, uint32_t at, uint32_t end)
{
    uint64_t own = THREAD_BITS | s->keys;
    for (; at < end; at++) {
        const struct op *op = &s->ops[at];
        if (op->code == OP_FOR) {
            if ((op->form->depends | op->step->depends) & ~own ||
                trip_count(op->form->high, op->step->low) > STEPS_MOST)
                return false;
            own |= VARIABLE_BIT(op->counter);
        } else if ((op->code == OP_IF && (op->condition->depends & ~own)) ||
                   (op->code == OP_ACCESS && !split_access(s, op, own, &s->splits[at]))) {
            return false;
        }
    }
    return true;
}

/* ---- what they do ------------------------------------------------------- */

static bool walk_ops(struct sequencer *s, struct walk *w, uint32_t at, uint32_t end, uint32_t mask);

static void go_to_lane(const struct sequencer *s, uint32_t lane)
{
    lower_go_to_thread(s->l, s->first + lane);
}

/* The access of the present lane. */
static uint64_t walk_lane(const struct sequencer *s, struct walk *w, const struct split *split)
{
    for (int i = 0; i < split->n_checks; i++) {
        const struct split_check *check = &split->checks[i];
        struct interval *rest = &w->now.checks[check->number];
        int64_t least = -lower_terms_value(s->l, check->inner, check->n_inner);
        int64_t most = least + check->extent - 1;
        rest->low = least > rest->low ? least : rest->low;
        rest->high = most < rest->high ? most : rest->high;
    }
    return (uint64_t)(split->constant + lower_terms_value(s->l, split->inner, split->n_inner));
}

static bool walk_access(struct sequencer *s, struct walk *w, uint32_t at, uint32_t mask)
{
    const struct split *split = &s->splits[at];
    const struct op *op = &s->ops[at];
    uint64_t list[WARP_LANES];
    int n = 0;
    if (w->now.n == STEPS_MOST)
        return false;
    for (uint32_t left = mask; left;) {
        go_to_lane(s, access_next_lane(&left));
        list[n++] = walk_lane(s, w, split);
    }
    struct step step = {
        .item = {.mask = mask,
                 .instructions = w->now.gap >= UINT32_MAX ? UINT32_MAX : (uint32_t)w->now.gap + 1,
                 .bytes = op->bytes,
                 .kind = op->kind,
                 .path = op->path},
        .member = split->member};
    if (access_list(&step.item, list, n)) {
        uint64_t *kept = arena_alloc(s->scratch, sizeof list);
        memcpy(kept, list, (size_t)n * sizeof *kept);
        step.item.addresses = kept;
        step.n_pool = step_room(n);
    }
    step.open = ahead_take(&w->now.ahead, &step.item);
    w->steps.count = w->now.n++;
    VECTOR_PUSH(&w->steps, step);
    w->now.gap = 0;
    return true;
}

static bool walk_if(struct sequencer *s, struct walk *w, uint32_t at, uint32_t mask)
{
    const struct op *op = &s->ops[at];
    uint32_t active = 0;
    for (uint32_t left = mask; left;) {
        uint32_t k = access_next_lane(&left);
        go_to_lane(s, k);
        active |= (uint32_t)lower_condition_value(s->l, op->condition) << k;
    }
    return !active || walk_ops(s, w, at + 1, op->target, active);
}

static bool walk_for(struct sequencer *s, struct walk *w, uint32_t at, uint32_t mask)
{
    const struct op *op = &s->ops[at];
    int64_t trips[WARP_LANES], *counter = &s->l->values[op->counter];
    for (uint32_t left = mask; left;) {
        uint32_t k = access_next_lane(&left);
        go_to_lane(s, k);
        trips[k] = trip_count(lower_value(s->l, op->form), lower_value(s->l, op->step));
    }
    for (*counter = 0;; ++*counter) {
        uint32_t active = 0;
        for (uint32_t left = mask; left;) {
            uint32_t k = access_next_lane(&left);
            active |= (uint32_t)(trips[k] > *counter) << k;
        }
        if (*counter && (!active || *counter % op->unroll == 0))
            w->now.ahead = (struct ahead){0, 0};
        if (!active)
            return true;
        if (!walk_ops(s, w, at + 1, op->target, active))
            return false;
    }
}

/* From operation `at` to before `end`; false: this is too much. */
static bool walk_ops(struct sequencer *s, struct walk *w, uint32_t at, uint32_t end, uint32_t mask)
{
    while (at < end) {
        const struct op *op = &s->ops[at];
        if (s->visits >= s->most)
            return false;
        s->visits++;
        w->now.gap += op->before;
        if (op->used)
            w->now.ahead = (struct ahead){0, 0};
        if ((op->code == OP_ACCESS && !walk_access(s, w, at, mask)) ||
            (op->code == OP_IF && !walk_if(s, w, at, mask)) ||
            (op->code == OP_FOR && !walk_for(s, w, at, mask)))
            return false;
        at = op->code == OP_IF || op->code == OP_FOR ? op->target : at + 1;
    }
    return true;
}

/* ---- sequences ---------------------------------------------------------- */

static uint32_t statement_end(const struct op *ops, uint32_t at)
{
    return ops[at].code == OP_IF || ops[at].code == OP_FOR ? ops[at].target : at + 1;
}

/* Begins an empty sequence with that key; false: it has too many places. */
static bool begin_sequence(struct sequencer *s, uint64_t keys)
{
    const struct program *p = s->l->program;
    uint64_t places = 1;
    for (int axis = 0; axis < 3; axis++)
        places *= keys & VARIABLE_BIT(VARIABLE_BX + axis) ? p->grid[axis] : 1;
    uint64_t uses = p->per_launch ? KEY_USES_ONCE : KEY_USES;
    if (s->visits >= VISITS_MOST_ALL || places > STEPS_MOST_ALL / p->warps ||
        (keys && places * uses / s->times > p->n_ctas))
        return false;
    arena_destroy(s->scratch);
    s->scratch = arena_create();
    s->keys = keys;
    s->n_members = s->n_checks = 0;
    s->n_walks = (uint32_t)places * p->warps;
    s->visits += s->n_walks;
    while (s->walks.count < s->n_walks)
        VECTOR_PUSH(&s->walks, (struct walk){.now.n = 0});
    for (uint32_t i = 0; i < s->n_walks; i++) {
        struct walk *w = &s->walks.items[i];
        w->now = (struct walk_state){.ahead = {0, 0xff}};
        for (int k = 0; k < SEQUENCE_CHECKS; k++)
            w->now.checks[k] = (struct interval){INT64_MIN, INT64_MAX};
        w->before = w->now;
    }
    return true;
}

/* Sets the block indices of the key, and the warp, of that walk. */
static void go_to_walk(struct sequencer *s, uint32_t number)
{
    const struct program *p = s->l->program;
    uint32_t place = number / p->warps;
    for (int axis = 0; axis < 3; axis++)
        if (s->keys & VARIABLE_BIT(VARIABLE_BX + axis)) {
            s->l->values[VARIABLE_BX + axis] = place % p->grid[axis];
            place /= p->grid[axis];
        }
    s->first = number % p->warps * WARP_LANES;
}

/* Adds the statement at `at` to all walks; false, and nothing is added, when it is not of that
 * kind or too much. */
static bool add_statement(struct sequencer *s, uint32_t at)
{
    const struct program *p = s->l->program;
    uint32_t end = statement_end(s->ops, at), n_members = s->n_members, n_checks = s->n_checks;
    size_t steps = 0;
    bool fits = split_ops(s, at, end);
    s->most = s->visits + VISITS_MOST;
    s->most = s->most < VISITS_MOST_ALL ? s->most : VISITS_MOST_ALL;
    for (uint32_t i = 0; i < s->n_walks && fits; i++) {
        struct walk *w = &s->walks.items[i];
        go_to_walk(s, i);
        fits = walk_ops(s, w, at, end, program_warp_mask(p, i % p->warps));
        steps += w->now.n;
        fits = fits && steps <= STEPS_MOST_ALL;
    }
    s->n_members = fits ? s->n_members : n_members;
    s->n_checks = fits ? s->n_checks : n_checks;
    for (uint32_t i = 0; i < s->n_walks; i++) {
        struct walk *w = &s->walks.items[i];
        *(fits ? &w->before : &w->now) = fits ? w->now : w->before;
    }
    return fits;
}

/* Must what is left of that index be looked at, with some key and warp? */
static bool needs_check(const struct sequencer *s, uint32_t number)
{
    const struct form *rest = s->checks[number].rest;
    for (uint32_t i = 0; i < s->n_walks; i++) {
        const struct interval *interval = &s->walks.items[i].now.checks[number];
        if (rest->low < interval->low || rest->high > interval->high)
            return true;
    }
    return false;
}

static void take_checks(const struct sequencer *s, struct sequence *sequence)
{
    struct arena *arena = s->l->program->arena;
    struct sequence_check *checks = arena_alloc(arena, s->n_checks * sizeof *checks);
    struct interval *intervals =
        arena_alloc(arena, (size_t)s->n_checks * s->n_walks * sizeof *intervals);
    uint32_t numbers[SEQUENCE_CHECKS];
    sequence->checks = checks;
    sequence->intervals = intervals;
    for (uint32_t i = 0; i < s->n_checks; i++)
        if (needs_check(s, i)) {
            numbers[sequence->n_checks] = i;
            checks[sequence->n_checks++] = s->checks[i];
        }
    for (uint32_t i = 0; i < s->n_walks; i++)
        for (uint32_t k = 0; k < sequence->n_checks; k++)
            *intervals++ = s->walks.items[i].now.checks[numbers[k]];
}

static const struct step *keep_steps(struct arena *arena, const struct step *from, size_t n)
{
    struct step *steps = arena_alloc(arena, n * sizeof *steps);
    for (size_t i = 0; i < n; i++) {
        size_t size = (size_t)from[i].n_pool * sizeof(uint64_t);
        steps[i] = from[i];
        if (size == 0)
            continue;
        uint64_t *list = arena_alloc(arena, size);
        memcpy(list, from[i].item.addresses, size);
        steps[i].item.addresses = list;
    }
    return steps;
}

/* What has been added, as the sequence of the operations from `at` to before `end`. */
static void end_sequence(const struct sequencer *s, uint32_t at, uint32_t end)
{
    struct program *p = s->l->program;
    struct sequence *sequence = arena_alloc(p->arena, sizeof *sequence);
    struct sequence_member *members = arena_alloc(p->arena, s->n_members * sizeof *members);
    struct sequence_warp *warps = arena_alloc(p->arena, s->n_walks * sizeof *warps);
    memcpy(members, s->members, s->n_members * sizeof *members);
    for (uint32_t i = 0; i < s->n_walks; i++) {
        const struct walk *w = &s->walks.items[i];
        const struct step *steps = keep_steps(p->arena, w->steps.items, w->now.n);
        warps[i] = (struct sequence_warp){steps, (uint32_t)w->now.n, w->now.ahead, w->now.gap};
    }
    *sequence = (struct sequence){.members = members, .warps = warps, .end = end};
    take_checks(s, sequence);
    int64_t scale = p->warps;
    for (int axis = 0; axis < 3; axis++)
        if (s->keys & VARIABLE_BIT(VARIABLE_BX + axis)) {
            sequence->scale[axis] = scale;
            scale *= p->grid[axis];
        }
    s->ops[at].sequence = sequence;
}

/* A sequence from `at` on, as long as can be; returns where it ends, `at`: there is none. */
static uint32_t sequence_statements(struct sequencer *s, uint32_t at, uint32_t end)
{
    uint32_t last = at;
    if (!begin_sequence(s, find_keys(s, at, statement_end(s->ops, at))))
        return at;
    while (last < end && !(find_keys(s, last, statement_end(s->ops, last)) & ~s->keys) &&
           add_statement(s, last))
        last = statement_end(s->ops, last);
    if (last > at)
        end_sequence(s, at, last);
    return last;
}

static uint64_t times_in_loop(uint64_t times, const struct op *loop)
{
    uint64_t trips = (uint64_t)trip_count(loop->form->high, loop->step->low); /* 1 or more */
    return trips < KEY_USES_ONCE ? times * trips : times * KEY_USES_ONCE; /* more does not matter */
}

/* Whatever can be a sequence in the statements from `at` to before `end`, which are directly in
 * the loop with that counter. */
static void sequence_block(struct sequencer *s, uint32_t at, uint32_t end, int counter,
                           uint64_t times)
{
    while (at < end) {
        const struct op *op = &s->ops[at];
        s->counter = counter;
        s->times = times < KEY_USES_ONCE ? times : KEY_USES_ONCE;
        uint32_t last = sequence_statements(s, at, end), next = statement_end(s->ops, at);
        if (last > at) {
            at = last;
            continue;
        }
        if (op->code == OP_FOR) /* behind OP_RUN, which does better in the loops it takes */
            sequence_block(s, at + 2, next - 1, op->counter, times_in_loop(s->times, op));
        else if (op->code == OP_IF)
            sequence_block(s, at + 1, next - 1, counter, times);
        at = next;
    }
}

void lower_sequences(struct lowering *l, struct op *ops, uint32_t count)
{
    struct sequencer *s = memory_zero(1, sizeof *s);
    s->l = l;
    s->ops = ops;
    s->splits = memory_zero(count, sizeof *s->splits);
    sequence_block(s, 0, count - 1, -1, 1); /* without OP_END */
    for (size_t i = 0; i < s->walks.count; i++)
        VECTOR_FREE(&s->walks.items[i].steps);
    VECTOR_FREE(&s->walks);
    arena_destroy(s->scratch);
    free(s->splits);
    free(s);
}
