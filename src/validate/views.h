/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several profiles of each workload that a validation looks at: the exact one first, then others
 * that are held against it. */
#ifndef BANDSCAPE_VALIDATE_VIEWS_H
#define BANDSCAPE_VALIDATE_VIEWS_H

#include "profile/run/profiler.h"
#include "validate/subjects.h"

struct validation_views {
    const struct validation_request *request;
    struct validation_subjects subjects;
    size_t each;                            /* profiles a subject */
    struct profile_effort (*effort)(int i); /* of the i-th one */
    bool few; /* what is held against the exact one may be too short to be worth it */
    struct profile **profiles; /* [subject * each + i] */
};

/* Profiles all subjects, on the request's machine; `what`: to do which their sources are needed, as
 * an error says of stored profiles. `few`: also where that has few lines, to see what it is worth.
 * To be closed even when it fails. */
int validation_views_open(struct validation_views *views, const struct validation_request *request,
                          size_t each, struct profile_effort (*effort)(int i), bool few,
                          const char *what, struct sheet *rows, struct error *error);
void validation_views_close(struct validation_views *views);

/* The i-th one of a subject. */
const struct profile_view *validation_view(const struct validation_views *views, size_t subject,
                                           size_t i);

#endif
