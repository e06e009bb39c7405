/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequences: operations whose ranges, conditions and lanes follow from the thread indices and
 * the counters of their own loops alone make the same accesses in the same warp of every block
 * and in every iteration around them, but for a constant a group of accesses. That is most of
 * what regular kernels do: rows and tiles, stencils, windows clipped at the edge of a map. So
 * the statements of a block are gone through once here, in each warp of a thread block, as far
 * as they are of that kind and not too many, and only read out later. */
#include <stdlib.h>
#include <string.h>

#include "workload/access.h"
#include "workload/nest_lower.h"

enum {
    STEPS_MOST = 96,       /* of a warp */
    STEPS_MOST_ALL = 2048, /* of the warps of a block together */
    VISITS_MOST = 4096     /* operations gone through for a statement */
};

/* An access: at the base of its member + constant + terms of thread indices and counters. An
 * index that is to be checked must have such terms from low to high to be in its array whatever
 * the rest of it is. */
struct split {
    uint32_t member;
    int64_t constant;
    const struct term *inner;
    int n_inner, n_checks;
    struct split_check {
        int64_t low, high;
        const struct term *inner;
        int n_inner;
    } checks[NEST_DIMS];
};

/* What a warp does up to now. */
struct walk {
    uint32_t n, n_kept;     /* kept: of the statements before */
    uint64_t gap, gap_kept; /* instructions since the last access */
    struct step steps[STEPS_MOST];
};

struct sequencer {
    struct lowering *l;
    struct op *ops;
    struct split *splits; /* one an operation; of accesses */
    struct sequence_member members[SEQUENCE_MEMBERS];
    uint32_t n_members;
    int counter;    /* of the innermost loop around; -1: none */
    uint32_t first; /* thread of lane 0 */
    uint32_t visits;
    struct walk *walks; /* one a warp of the block */
};

/* ---- which operations --------------------------------------------------- */

/* Sorts the terms into those that depend on nothing but `own`, and what is the same in all
 * lanes and constant meanwhile; false when one is neither. */
static bool split_form(const struct lowering *l, const struct form *form, uint64_t own,
                       const struct term **inner_terms, int *n_inner, struct form *outer)
{
    uint64_t counters = own & ~THREAD_BITS;
    size_t size = (size_t)form->n_terms * sizeof(struct term);
    struct term *in = arena_alloc(l->program->arena, size);
    struct term *out = arena_alloc(l->program->arena, size);
    *inner_terms = in;
    *n_inner = 0;
    *outer = (struct form){.constant = form->constant, .terms = out};
    for (int i = 0; i < form->n_terms; i++) {
        uint64_t depends = variable_depends(l, form->terms[i].variable);
        if (!(depends & ~own))
            in[(*n_inner)++] = form->terms[i];
        else if (!(depends & counters) && is_scalar(l, depends))
            out[outer->n_terms++] = form->terms[i];
        else
            return false;
    }
    return true;
}

/* The member for accesses to that array with those terms; false: there are too many. */
static bool find_member(struct sequencer *s, int array, const struct term *terms, int n_terms,
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

static bool split_check(const struct lowering *l, const struct op_check *check, uint64_t own,
                        struct split_check *out)
{
    struct form outer;
    if (!split_form(l, check->index, own, &out->inner, &out->n_inner, &outer) ||
        !form_measure(l->forms, &outer))
        return false;
    out->low = -outer.low;
    out->high = check->extent - 1 - outer.high;
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
        if (!split_check(s->l, &op->checks[split->n_checks], own, &split->checks[split->n_checks]))
            return false;
    return true;
}

/* May the operations from `at` to before `end` be in a sequence? */
static bool split_ops(struct sequencer *s, uint32_t at, uint32_t end)
{
    uint64_t own = THREAD_BITS;
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

/* The access of the present lane; false: an index may be outside. */
static bool walk_lane(const struct sequencer *s, const struct split *split, uint64_t *address)
{
    for (int i = 0; i < split->n_checks; i++) {
        const struct split_check *check = &split->checks[i];
        int64_t index = lower_terms_value(s->l, check->inner, check->n_inner);
        if (index < check->low || index > check->high)
            return false;
    }
    *address = (uint64_t)(split->constant + lower_terms_value(s->l, split->inner, split->n_inner));
    return true;
}

static bool walk_access(struct sequencer *s, struct walk *w, uint32_t at, uint32_t mask)
{
    const struct split *split = &s->splits[at];
    const struct op *op = &s->ops[at];
    uint64_t list[WARP_LANES];
    int n = 0;
    if (w->n == STEPS_MOST)
        return false;
    for (uint32_t left = mask; left;) {
        go_to_lane(s, access_next_lane(&left));
        if (!walk_lane(s, split, &list[n++]))
            return false;
    }
    struct step *step = &w->steps[w->n++];
    *step = (struct step){
        .item = {.mask = mask,
                 .instructions = w->gap >= UINT32_MAX ? UINT32_MAX : (uint32_t)w->gap + 1,
                 .bytes = op->bytes,
                 .kind = op->kind},
        .member = split->member};
    if (access_list(&step->item, list, n)) {
        step->n_pool = (n + 3) / 4 * 4;
        uint64_t *kept = arena_alloc(s->l->program->arena, sizeof list);
        memcpy(kept, list, (size_t)n * sizeof *kept);
        step->item.addresses = kept;
    }
    w->gap = 0;
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
        if (s->visits++ == VISITS_MOST)
            return false;
        w->gap += op->before;
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

static void keep_walks(struct sequencer *s, bool keep)
{
    for (uint32_t warp = 0; warp < s->l->program->warps; warp++) {
        struct walk *w = &s->walks[warp];
        if (keep) {
            w->n_kept = w->n;
            w->gap_kept = w->gap;
        } else {
            w->n = w->n_kept;
            w->gap = w->gap_kept;
        }
    }
}

/* Adds the statement at `at` to the walks of all warps; false, and nothing is added, when it is
 * not of that kind or too much. */
static bool add_statement(struct sequencer *s, uint32_t at)
{
    const struct program *p = s->l->program;
    uint32_t end = statement_end(s->ops, at), steps = 0, n_members = s->n_members;
    bool fits = split_ops(s, at, end);
    s->visits = 0;
    for (uint32_t warp = 0; warp < p->warps && fits; warp++) {
        s->first = warp * WARP_LANES;
        fits = walk_ops(s, &s->walks[warp], at, end, program_warp_mask(p, warp));
        steps += s->walks[warp].n;
        fits = fits && steps <= STEPS_MOST_ALL;
    }
    s->n_members = fits ? s->n_members : n_members;
    keep_walks(s, fits);
    return fits;
}

/* What has been added, as the sequence of the operations from `at` to before `end`. */
static void make_sequence(struct sequencer *s, uint32_t at, uint32_t end)
{
    struct program *p = s->l->program;
    struct sequence *sequence = arena_alloc(p->arena, sizeof *sequence);
    struct sequence_member *members = arena_alloc(p->arena, s->n_members * sizeof *members);
    struct sequence_warp *warps = arena_alloc(p->arena, p->warps * sizeof *warps);
    memcpy(members, s->members, s->n_members * sizeof *members);
    for (uint32_t warp = 0; warp < p->warps; warp++) {
        struct walk *w = &s->walks[warp];
        struct step *steps = arena_alloc(p->arena, w->n * sizeof *steps);
        memcpy(steps, w->steps, w->n * sizeof *steps);
        warps[warp] = (struct sequence_warp){steps, w->n, w->gap};
        w->n = 0;
        w->gap = 0;
    }
    keep_walks(s, true);
    *sequence = (struct sequence){.members = members, .warps = warps, .end = end};
    s->ops[at].sequence = sequence;
    s->n_members = 0;
}

/* Whatever can be a sequence in the block of statements from `at` to before `end`, directly in
 * the loop with that counter. */
static void sequence_block(struct sequencer *s, uint32_t at, uint32_t end, int counter)
{
    while (at < end) {
        uint32_t first = at;
        s->counter = counter;
        while (at < end && add_statement(s, at))
            at = statement_end(s->ops, at);
        if (at > first) {
            make_sequence(s, first, at);
            continue;
        }
        uint32_t next = statement_end(s->ops, at);
        if (s->ops[at].code == OP_FOR) /* behind OP_RUN, which does better in the loops it takes */
            sequence_block(s, at + 2, next - 1, s->ops[at].counter);
        else if (s->ops[at].code == OP_IF)
            sequence_block(s, at + 1, next - 1, counter);
        at = next;
    }
}

void lower_sequences(struct lowering *l, struct op *ops, uint32_t count)
{
    struct sequencer *s = memory_zero(1, sizeof *s);
    s->l = l;
    s->ops = ops;
    s->splits = memory_zero(count, sizeof *s->splits);
    s->walks = memory_zero(l->program->warps, sizeof *s->walks);
    sequence_block(s, 0, count - 1, -1); /* without OP_END */
    free(s->walks);
    free(s->splits);
    free(s);
}
