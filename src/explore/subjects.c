/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads of a question. */
#include "explore/subjects.h"

#include <stdlib.h>

#include "profile/run/source_check.h"

int subjects_open(struct subjects *subjects, const struct subjects_request *request,
                  struct error *error)
{
    for (size_t i = 0; i < request->count; i++) {
        const struct mark *mark = request->marks ? &request->marks[i] : NULL;
        struct subject *subject;
        int status = subject_open(request->specs[i], &subject, error);
        if (status) {
            error_place(error, mark);
            return status;
        }
        subject->mark = mark;
        VECTOR_PUSH(subjects, subject);
    }
    return request->strict ? subjects_refuse_warnings(subjects, error) : 0;
}

void subjects_close(struct subjects *subjects)
{
    for (size_t i = 0; i < subjects->count; i++)
        subject_destroy(subjects->items[i]);
    VECTOR_FREE(subjects);
}

int subjects_refuse_warnings(const struct subjects *subjects, struct error *error)
{
    for (size_t i = 0; i < subjects->count; i++) {
        const struct subject *subject = subjects->items[i];
        const char *const *warnings;
        size_t count = subject_warnings(subject, &warnings);
        int status = source_refuse_warnings(subject->name, warnings, count, error);
        if (status) {
            error_place(error, subject->mark);
            return status;
        }
    }
    return 0;
}

bool subjects_have_streams(const struct subjects *subjects)
{
    for (size_t i = 0; i < subjects->count; i++)
        if (!subject_is_point(subjects->items[i]))
            return true;
    return false;
}
