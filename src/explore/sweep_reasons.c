/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/sweep_reasons.h"

#include <stdlib.h>
#include <string.h>

void sweep_add_reason(struct sweep *sweep, const char *text, uint64_t count)
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

void sweep_add_warning(struct sweep *sweep, const char *text, uint64_t count)
{
    size_t i = 0;
    while (i < sweep->warnings.count && strcmp(sweep->warnings.items[i].text, text) != 0)
        i++;
    if (i == sweep->warnings.count)
        VECTOR_PUSH(&sweep->warnings, (struct sweep_reason){memory_strdup(text), 0});
    sweep->warnings.items[i].count += count;
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
