/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/sweep/sweep_reasons.h"

#include <stdlib.h>
#include <string.h>

static int compare_places(struct sweep_place a, struct sweep_place b)
{
    if (a.structure != b.structure)
        return a.structure < b.structure ? -1 : 1;
    return (a.turn > b.turn) - (a.turn < b.turn);
}

void sweep_take_reason(struct sweep_reasons *reasons, const char *text, uint64_t count,
                       struct sweep_place first)
{
    size_t i = 0;
    while (i < reasons->count && strcmp(reasons->items[i].text, text) != 0)
        i++;
    if (i == reasons->count)
        VECTOR_PUSH(reasons, (struct sweep_reason){memory_strdup(text), 0, first});
    reasons->items[i].count += count;
    if (compare_places(first, reasons->items[i].first) < 0)
        reasons->items[i].first = first;
}

void sweep_add_reason(struct sweep *sweep, const char *text, uint64_t count)
{
    if (count > 0)
        sweep_take_reason(&sweep->reasons, text, count, sweep->place);
    sweep->place.turn++;
}

void sweep_add_warning(struct sweep *sweep, const char *text, uint64_t count)
{
    sweep_take_reason(&sweep->warnings, text, count, sweep->place);
    sweep->place.turn++;
}

void sweep_reasons_at(struct sweep *sweep, uint64_t structure)
{
    sweep->place = (struct sweep_place){structure, 0};
}

static int compare_reasons(const void *a, const void *b)
{
    const struct sweep_reason *x = a, *y = b;
    return compare_places(x->first, y->first);
}

void sweep_sort_reasons(struct sweep *sweep)
{
    if (sweep->reasons.count)
        qsort(sweep->reasons.items, sweep->reasons.count, sizeof *sweep->reasons.items,
              compare_reasons);
    if (sweep->warnings.count)
        qsort(sweep->warnings.items, sweep->warnings.count, sizeof *sweep->warnings.items,
              compare_reasons);
}

/* `of`: a model or a workload. */
static void add_warning_of(struct sweep *sweep, const char *of, const char *warning, uint64_t count)
{
    struct text text = {0};
    text_printf(&text, "%s: %s", of, warning);
    sweep_add_warning(sweep, text.data, count);
    text_free(&text);
}

void sweep_add_warnings(struct sweep *sweep, const struct structure *s, uint64_t count)
{
    const struct space *space = sweep->space;
    for (size_t m = 0; m < space->n_models; m++) {
        struct model_result seen = {0};
        for (size_t w = 0; w < space->n_workloads; w++) {
            const struct model_result *result = &s->results[w * space->n_models + m];
            for (int k = 0; k < result->n_warnings; k++) {
                bool known = false;
                for (int i = 0; i < seen.n_warnings; i++)
                    known = known || strcmp(seen.warnings[i], result->warnings[k]) == 0;
                if (known || seen.n_warnings == MODEL_WARNINGS_MAX)
                    continue;
                seen.warnings[seen.n_warnings++] = result->warnings[k];
                add_warning_of(sweep, space->models[m]->plugin.name, result->warnings[k], count);
            }
        }
    }
}

/* A trace has no other sizes. */
void sweep_add_subject_warnings(struct sweep *sweep)
{
    for (size_t w = 0; w < sweep->space->n_workloads; w++) {
        const char *const *warnings;
        size_t count = subject_warnings(sweep->subjects.items[w], &warnings);
        for (size_t i = 0; i < count; i++)
            add_warning_of(sweep, sweep->workload_names[w], warnings[i], sweep->points);
        for (int kind = 0; kind < FILLING_KINDS; kind++) {
            const struct sweep_reason *said = &sweep->filling[w * FILLING_KINDS + (size_t)kind];
            if (said->text)
                add_warning_of(sweep, sweep->workload_names[w], said->text, said->count);
        }
    }
}
