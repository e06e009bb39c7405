/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads of a validation. */
#include "validate/subjects.h"

#include <stdlib.h>
#include <string.h>

#include "core/suggest.h"
#include "workload/workload.h"

/* Spec and label live as long as the subjects; label NULL: the subject's name. */
static int open_one(struct subjects *subjects, const char *spec, const char *label,
                    struct error *error)
{
    struct subject *subject;
    int status = subject_open(spec, &subject, error);
    if (status)
        return status;
    VECTOR_PUSH(&subjects->list, subject);
    VECTOR_PUSH(&subjects->labels, label ? label : subject->name);
    return 0;
}

/* A shipped workload with the input asked for. */
static int open_input(struct subjects *subjects, const char *name, const char *input,
                      struct error *error)
{
    return open_one(subjects, arena_printf(subjects->arena, "%s:input=%s", name, input), NULL,
                    error);
}

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

/* All shipped workloads that have the input. */
static int open_shipped(struct subjects *subjects, const struct validation_request *request,
                        struct validation_rows *rows, struct error *error)
{
    struct workload_info *info;
    struct suggest suggest = suggest_begin(request->input);
    size_t count, lacking = 0;
    int status = workload_list(subjects->arena, &info, &count, error);
    for (size_t i = 0; i < count && !status; i++) {
        if (!has_input(&info[i], request->input, &suggest)) {
            lacking++;
            continue;
        }
        status = open_input(subjects, info[i].name, request->input, error);
    }
    if (!status && subjects->list.count == 0) {
        status = error_set(error, STATUS_INPUT, "no shipped workload has an input \"%.80s\"",
                           request->input);
        if (suggest.best)
            error_hint(error, "did you mean \"%s\"?", suggest.best);
        error_hint(error, "every workload has the inputs small and default");
    }
    if (!status && lacking)
        validation_add_note(rows, "%zu shipped workload%s no input %s.", lacking,
                            lacking == 1 ? " has" : "s have", request->input);
    return status;
}

/* A shipped workload by its name alone gets the input; anything else is taken as it is. */
static int open_given(struct subjects *subjects, const struct validation_request *request,
                      struct error *error)
{
    struct workload_info *info;
    size_t count;
    int status = workload_list(subjects->arena, &info, &count, error);
    for (size_t i = 0; i < request->n_workloads && !status; i++) {
        const char *spec = request->workloads[i];
        bool shipped = false;
        for (size_t k = 0; k < count && !shipped; k++)
            shipped = strcmp(info[k].name, spec) == 0;
        status = shipped ? open_input(subjects, spec, request->input, error)
                         : open_one(subjects, spec, strchr(spec, ':') ? spec : NULL, error);
    }
    return status;
}

static int check_warnings(const struct subjects *subjects, const struct validation_request *request,
                          struct validation_rows *rows, struct error *error)
{
    for (size_t i = 0; i < subjects->list.count; i++) {
        const char *const *warnings;
        size_t count = subject_warnings(subjects->list.items[i], &warnings);
        for (size_t k = 0; k < count; k++)
            validation_add_note(rows, "%s: warning: %s", subjects->labels.items[i], warnings[k]);
    }
    return request->strict
               ? subject_refuse_warnings(subjects->list.items, subjects->list.count, error)
               : 0;
}

int subjects_open(struct subjects *subjects, const struct validation_request *request,
                  struct validation_rows *rows, struct error *error)
{
    *subjects = (struct subjects){.arena = arena_create()};
    int status = request->n_workloads ? open_given(subjects, request, error)
                                      : open_shipped(subjects, request, rows, error);
    return status ? status : check_warnings(subjects, request, rows, error);
}

void subjects_close(struct subjects *subjects)
{
    for (size_t i = 0; i < subjects->list.count; i++)
        subject_destroy(subjects->list.items[i]);
    VECTOR_FREE(&subjects->list);
    VECTOR_FREE(&subjects->labels);
    arena_destroy(subjects->arena);
}
