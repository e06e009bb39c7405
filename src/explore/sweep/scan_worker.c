/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a worker gathers: the best K, the front, marginals, counts. */
#include "explore/sweep/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the best K ------------------------------------------------------------- */

static bool entry_worse(struct scan_entry a, struct scan_entry b)
{
    return a.key > b.key || (a.key == b.key && a.id > b.id);
}

static int entry_compare(const void *a, const void *b)
{
    const struct scan_entry *x = a, *y = b;
    return entry_worse(*x, *y) ? 1 : entry_worse(*y, *x) ? -1 : 0;
}

/* Sorts, and forgets what is not among the best. */
void scan_best_cut(struct scan_best *best)
{
    if (best->count)
        qsort(best->items, best->count, sizeof *best->items, entry_compare);
    if (best->count < best->limit)
        return;
    best->count = best->limit;
    best->worst = best->items[best->limit - 1];
}

void scan_best_offer(struct scan_best *best, struct scan_entry entry)
{
    if (!entry_worse(best->worst, entry))
        return;
    best->items[best->count++] = entry;
    if (best->count == 2 * best->limit)
        scan_best_cut(best);
}

void scan_best_sorted(struct scan_best *best, struct sweep_ids *out)
{
    scan_best_cut(best);
    for (size_t i = 0; i < best->count; i++)
        VECTOR_PUSH(out, best->items[i].id);
}

/* --- workers ------------------------------------------------------------------ */

void scan_worker_init(struct scan_worker *w, const struct space *space)
{
    enum pareto_sense senses[PARETO_OBJECTIVES_MAX];
    *w = (struct scan_worker){0};
    for (size_t i = 0; i < space->n_objectives; i++)
        senses[i] = space->objectives[i].sense;
    uint64_t count = space_count(space);
    w->best.limit = space->top < count ? space->top : count;
    w->best.items = memory_alloc(2 * w->best.limit * sizeof *w->best.items);
    w->best.worst = (struct scan_entry){HUGE_VAL, UINT64_MAX};
    w->front = pareto_front_create((int)space->n_objectives, senses, PARETO_KEEP_FIRST);
    w->marginals = marginals_create(space, SCAN_WIDTH);
    w->rejected = memory_zero(space_conditions(space), sizeof *w->rejected);
}

void scan_worker_fini(struct scan_worker *w)
{
    free(w->best.items);
    free(w->rejected);
    pareto_front_destroy(w->front);
    marginals_destroy(w->marginals);
}

void scan_merge(struct scan_worker *to, struct scan_worker *from, const struct space *space)
{
    for (size_t i = 0; i < from->best.count; i++)
        scan_best_offer(&to->best, from->best.items[i]);
    pareto_front_merge(to->front, from->front);
    marginals_merge(to->marginals, from->marginals);
    for (size_t i = 0; i < space_conditions(space); i++)
        to->rejected[i] += from->rejected[i];
    to->undefined += from->undefined;
    to->kept += from->kept;
    to->evaluated += from->evaluated;
    to->skipped += from->skipped;
    to->answered += from->answered;
}

/* --- on paper --------------------------------------------------------------------- */

void scan_worker_print(struct scan_worker *w, const struct space *space, struct text *out)
{
    text_printf(out, "kept %llu\nundefined %llu\n", (unsigned long long)w->kept,
                (unsigned long long)w->undefined);
    text_printf(out, "evaluated %llu\nskipped %llu\nanswered %llu\n",
                (unsigned long long)w->evaluated, (unsigned long long)w->skipped,
                (unsigned long long)w->answered);
    for (size_t i = 0; i < space_conditions(space); i++)
        text_printf(out, "rejected %zu %llu\n", i, (unsigned long long)w->rejected[i]);
    scan_best_cut(&w->best);
    for (size_t i = 0; i < w->best.count; i++)
        text_printf(out, "best %a %llu\n", w->best.items[i].key,
                    (unsigned long long)w->best.items[i].id);
    for (size_t i = 0, n = pareto_front_count(w->front); i < n; i++) {
        text_printf(out, "front %llu", (unsigned long long)pareto_front_id(w->front, i));
        for (size_t k = 0; k < space->n_objectives; k++)
            text_printf(out, " %a", pareto_front_value(w->front, i, (int)k));
        text_append(out, "\n");
    }
    marginals_print(w->marginals, out);
}

static bool take_front(struct scan_worker *w, const struct space *space, const char *rest)
{
    double values[PARETO_OBJECTIVES_MAX];
    const double *columns[PARETO_OBJECTIVES_MAX];
    struct error ignored;
    char *at;
    uint64_t id = strtoull(rest, &at, 10);
    for (size_t k = 0; k < space->n_objectives; k++) {
        const char *from = at;
        values[k] = strtod(from, &at);
        columns[k] = &values[k];
        if (at == from)
            return false;
    }
    return pareto_front_offer(w->front, columns, NULL, id, 1, &ignored) == 0;
}

bool scan_worker_take(struct scan_worker *w, const struct space *space, const char *key,
                      const char *rest)
{
    char *at;
    if (strcmp(key, "front") == 0)
        return take_front(w, space, rest);
    if (strcmp(key, "kept") == 0)
        w->kept += strtoull(rest, NULL, 10);
    else if (strcmp(key, "undefined") == 0)
        w->undefined += strtoull(rest, NULL, 10);
    else if (strcmp(key, "evaluated") == 0)
        w->evaluated += strtoull(rest, NULL, 10);
    else if (strcmp(key, "skipped") == 0)
        w->skipped += strtoull(rest, NULL, 10);
    else if (strcmp(key, "answered") == 0)
        w->answered += strtoull(rest, NULL, 10);
    else if (strcmp(key, "rejected") == 0) {
        size_t i = strtoull(rest, &at, 10);
        if (i >= space_conditions(space))
            return false;
        w->rejected[i] += strtoull(at, NULL, 10);
    } else if (strcmp(key, "best") == 0) {
        double key_value = strtod(rest, &at);
        scan_best_offer(&w->best, (struct scan_entry){key_value, strtoull(at, NULL, 10)});
    } else {
        return marginals_take_line(w->marginals, key, rest);
    }
    return true;
}
