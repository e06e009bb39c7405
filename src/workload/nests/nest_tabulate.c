/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of forms at one point, and tables of what follows from the thread indices, or from
 * the counters of loops, alone. */
#include <string.h>

#include "workload/nests/nest_lower.h"

enum { TABULATED_MOST = 2048 }; /* values of a scalar that is looked up */

/* ---- values at one point ------------------------------------------------ */

bool lower_condition_value(struct lowering *l, const struct condition *c)
{
    switch (c->kind) {
    case CONDITION_NEVER:
    case CONDITION_ALWAYS:
        return c->kind == CONDITION_ALWAYS;
    case CONDITION_AND:
        return lower_condition_value(l, c->a) && lower_condition_value(l, c->b);
    case CONDITION_OR:
        return lower_condition_value(l, c->a) || lower_condition_value(l, c->b);
    default:
        return condition_holds(c->kind, lower_value(l, c->form));
    }
}

static int64_t lower_atom_value(struct lowering *l, size_t index)
{
    const struct atom *atom = &l->forms->atoms.items[index];
    struct known_value *known = &l->known[index];
    if (known->point == l->point)
        return known->value;
    if (atom->op == ATOM_SELECT)
        known->value =
            lower_value(l, lower_condition_value(l, atom->condition) ? atom->a : atom->b);
    else
        known->value = atom_value(atom->op, atom->table, lower_value(l, atom->a),
                                  atom->b ? lower_value(l, atom->b) : 0);
    known->point = l->point;
    return known->value;
}

int64_t lower_terms_value(struct lowering *l, const struct form_term *terms, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
        int variable = terms[i].variable;
        sum += terms[i].factor * (variable < VARIABLE_ATOM
                                      ? l->values[variable]
                                      : lower_atom_value(l, (size_t)(variable - VARIABLE_ATOM)));
    }
    return sum;
}

int64_t lower_value(struct lowering *l, const struct form *form)
{
    return form->constant + lower_terms_value(l, form->terms, form->n_terms);
}

void lower_go_to_thread(struct lowering *l, uint32_t thread)
{
    program_split(thread, l->program->block, &l->values[VARIABLE_TX]);
    l->point++;
}

/* ---- by thread ---------------------------------------------------------- */

static void tabulate_warp(struct lowering *l, const struct form_term *terms, int n_terms,
                          uint32_t warp, struct spread *out)
{
    int64_t at[WARP_LANES] = {0};
    uint32_t n = program_warp_threads(l->program, warp);
    bool even = true;
    *out = (struct spread){.low = INT64_MAX, .high = INT64_MIN};
    for (uint32_t k = 0; k < n; k++) {
        lower_go_to_thread(l, warp * WARP_LANES + k);
        at[k] = lower_terms_value(l, terms, n_terms);
        out->low = at[k] < out->low ? at[k] : out->low;
        out->high = at[k] > out->high ? at[k] : out->high;
        even = even && (k < 2 || at[k] - at[k - 1] == at[1] - at[0]);
    }
    if (even) {
        out->base = at[0];
        out->stride = n > 1 ? at[1] - at[0] : 0;
    } else {
        int64_t *kept = arena_alloc(l->program->arena, sizeof at);
        memcpy(kept, at, sizeof at);
        out->at = kept;
    }
}

bool same_terms(const struct form_term *a, const struct form_term *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i].variable != b[i].variable || a[i].factor != b[i].factor)
            return false;
    return true;
}

const struct spread *tabulate_terms(struct lowering *l, const struct form_term *terms, int n_terms)
{
    for (size_t i = 0; i < l->spreads.count; i++) {
        const struct known_spread *known = &l->spreads.items[i];
        if (known->n_terms == n_terms && same_terms(known->terms, terms, n_terms))
            return known->spreads;
    }
    uint32_t warps = l->program->warps;
    struct spread *spreads = arena_alloc(l->program->arena, warps * sizeof *spreads);
    for (uint32_t warp = 0; warp < warps; warp++)
        tabulate_warp(l, terms, n_terms, warp, &spreads[warp]);
    VECTOR_PUSH(&l->spreads, (struct known_spread){terms, n_terms, spreads});
    return spreads;
}

const uint32_t *tabulate_condition(struct lowering *l, const struct condition *condition)
{
    const struct program *p = l->program;
    uint32_t *masks = arena_alloc(p->arena, p->warps * sizeof *masks);
    for (uint32_t thread = 0; thread < p->threads; thread++) {
        lower_go_to_thread(l, thread);
        if (lower_condition_value(l, condition))
            masks[thread / WARP_LANES] |= (uint32_t)1 << thread % WARP_LANES;
    }
    return masks;
}

/* The stretches of a loop that goes so often in each thread of a warp. */
static const struct stretch *collect_stretches(struct lowering *l, const int64_t *trips, uint32_t n)
{
    struct stretch *stretches = arena_alloc(l->program->arena, (n + 1) * sizeof *stretches);
    struct stretch *last = stretches;
    for (int64_t at = 0;; at = last++->until) {
        *last = (struct stretch){.until = INT64_MAX};
        for (uint32_t k = 0; k < n; k++) {
            if (trips[k] <= at)
                continue;
            last->mask |= (uint32_t)1 << k;
            last->until = trips[k] < last->until ? trips[k] : last->until;
        }
        if (last->mask == 0)
            return stretches;
    }
}

const struct stretch *const *tabulate_range(struct lowering *l, const struct form *span,
                                            const struct form *step)
{
    const struct program *p = l->program;
    const struct stretch **stretches = arena_alloc(p->arena, p->warps * sizeof *stretches);
    for (uint32_t warp = 0; warp < p->warps; warp++) {
        int64_t trips[WARP_LANES];
        uint32_t n = program_warp_threads(p, warp);
        for (uint32_t k = 0; k < n; k++) {
            lower_go_to_thread(l, warp * WARP_LANES + k);
            trips[k] = trip_count(lower_value(l, span), lower_value(l, step));
        }
        stretches[warp] = collect_stretches(l, trips, n);
    }
    return stretches;
}

/* ---- scalars ------------------------------------------------------------ */

bool tabulate_counters(struct lowering *l, const struct atom *atom, size_t index,
                       struct operation *out)
{
    int n_terms = 0;
    int64_t n = 1;
    if (atom->depends & (THREAD_BITS | BLOCK_BITS))
        return false;
    struct form_term *terms = arena_alloc(l->program->arena, VARIABLE_COUNTERS * sizeof *terms);
    for (uint64_t left = atom->depends; left; left &= left - 1) {
        int counter = __builtin_ctzll(left);
        terms[n_terms++] = (struct form_term){counter, n};
        if (l->forms->high[counter] >= TABULATED_MOST / n)
            return false;
        n *= l->forms->high[counter] + 1;
    }
    int64_t *table = arena_alloc(l->program->arena, (size_t)n * sizeof *table);
    for (int64_t i = 0; i < n; i++) {
        int64_t rest = i;
        for (int k = 0; k < n_terms; k++) {
            int64_t values = l->forms->high[terms[k].variable] + 1;
            l->values[terms[k].variable] = rest % values;
            rest /= values;
        }
        l->point++;
        table[i] = lower_atom_value(l, index);
    }
    struct sum *at = arena_alloc(l->program->arena, sizeof *at);
    *at = (struct sum){.scalars = terms, .n_scalars = n_terms};
    *out = (struct operation){.op = ATOM_TABLE, .a = at, .table = table, .depends = atom->depends};
    return true;
}
