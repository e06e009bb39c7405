/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workloads that a validation looks at: those that the user named, or all shipped
 * ones with one of their inputs. */
#ifndef BANDSCAPE_VALIDATE_SUBJECTS_H
#define BANDSCAPE_VALIDATE_SUBJECTS_H

#include "explore/views/subjects.h"
#include "validate/validation.h"

struct validation_subjects {
    struct subjects list;
    struct {
        const char **items;
        size_t count, capacity;
    } labels; /* in tables; one a subject */
    struct arena *arena;
};

/* To be closed even when it fails. A shipped workload that is named alone gets the input
 * of the request; those that do not have it are left out, and a note says how many. Warnings are
 * notes, and errors where the request is strict. */
int validation_subjects_open(struct validation_subjects *subjects,
                             const struct validation_request *request, struct sheet *rows,
                             struct error *error);
void validation_subjects_close(struct validation_subjects *subjects);

#endif
