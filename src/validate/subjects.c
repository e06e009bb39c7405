/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads of a validation. */
#include "validate/subjects.h"

#include <stdlib.h>
#include <string.h>

#include "core/suggest.h"
#include "workload/open/spec.h"
#include "workload/workload.h"

static bool has_input(const struct workload_info *info, const char *name, struct suggest *suggest)
{
    bool found = strcmp(name, "default") == 0;
    suggest_offer(suggest, "default");
    for (const struct workload_input *input = info->inputs; input && input->name; input++) {
        suggest_offer(suggest, input->name);
        found = found || strcmp(input->name, name) == 0;
    }
    return found;
}

struct specs {
    const char **items; /* in the arena of the subjects */
    size_t count, capacity;
};

/* All shipped workloads that have the input. */
static int choose_shipped(const struct validation_request *request, struct arena *arena,
                          struct specs *out, struct sheet *rows, struct error *error)
{
    struct workload_info *info;
    struct suggest suggest = suggest_begin(request->input);
    size_t count, lacking = 0;
    int status = workload_list(arena, &info, &count, error);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        struct workload_spec spec;
        if (!has_input(&info[i], request->input, &suggest)) {
            lacking++;
            continue;
        }
        status = workload_spec_parse(arena, info[i].name, &spec, error);
        if (status)
            return status;
        VECTOR_PUSH(out, workload_spec_with_input(arena, &spec, request->input));
    }
    if (out->count == 0) {
        error_set(error, STATUS_INPUT, "no shipped workload has an input \"%.80s\"",
                  request->input);
        if (suggest.best)
            error_hint(error, "did you mean \"%s\"?", suggest.best);
        error_hint(error, "every workload has the inputs small and default");
        return STATUS_INPUT;
    }
    if (lacking)
        sheet_add_note(rows, "%zu shipped workload%s no input %s.", lacking,
                       lacking == 1 ? " has" : "s have", request->input);
    return 0;
}

/* A shipped workload by its name alone gets the input; anything else is taken as it is. */
static int choose_given(const struct validation_request *request, struct arena *arena,
                        struct specs *out, struct error *error)
{
    for (size_t i = 0; i < request->n_workloads; i++) {
        struct workload_spec spec;
        int status = workload_spec_parse(arena, request->workloads[i], &spec, error);
        if (status)
            return status;
        VECTOR_PUSH(out, workload_spec_with_input(arena, &spec, request->input));
    }
    return 0;
}

/* In tables: what the user wrote where it says more than the name. */
static void name_all(struct validation_subjects *subjects, const struct validation_request *request)
{
    for (size_t i = 0; i < subjects->list.count; i++) {
        struct workload_spec spec;
        struct error ignored;
        bool settings =
            i < request->n_workloads &&
            workload_spec_parse(subjects->arena, request->workloads[i], &spec, &ignored) == 0 &&
            spec.settings.count > 0;
        VECTOR_PUSH(&subjects->labels,
                    settings ? request->workloads[i] : subjects->list.items[i]->name);
    }
}

static void note_warnings(const struct validation_subjects *subjects, struct sheet *rows)
{
    for (size_t i = 0; i < subjects->list.count; i++) {
        const char *const *warnings;
        size_t count = subject_warnings(subjects->list.items[i], &warnings);
        for (size_t k = 0; k < count; k++)
            sheet_add_note(rows, "%s: warning: %s", subjects->labels.items[i], warnings[k]);
    }
}

int validation_subjects_open(struct validation_subjects *subjects,
                             const struct validation_request *request, struct sheet *rows,
                             struct error *error)
{
    struct specs specs = {0};
    *subjects = (struct validation_subjects){.arena = arena_create()};
    int status = request->n_workloads
                     ? choose_given(request, subjects->arena, &specs, error)
                     : choose_shipped(request, subjects->arena, &specs, rows, error);
    struct subjects_request list = {specs.items, NULL, specs.count, request->strict};
    if (!status)
        status = subjects_open(&subjects->list, &list, error);
    VECTOR_FREE(&specs);
    if (status)
        return status;
    name_all(subjects, request);
    note_warnings(subjects, rows);
    return 0;
}

void validation_subjects_close(struct validation_subjects *subjects)
{
    subjects_close(&subjects->list);
    VECTOR_FREE(&subjects->labels);
    arena_destroy(subjects->arena);
}
