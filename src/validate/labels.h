/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What validations of labels share: the files of all systems. */
#ifndef BANDSCAPE_VALIDATE_LABELS_H
#define BANDSCAPE_VALIDATE_LABELS_H

#include "validate/decisions.h"

/* Rows of one file; *found grows by the workloads that the user's names left. */
typedef int labels_of_fn(const struct published *published,
                         const struct validation_request *request, struct sheet *rows,
                         size_t *found, struct error *error);

/* The files of the systems that were named, or all. An error where the user names workloads, of which
 * none has what is looked for ("label"). */
int labels_run(labels_of_fn *of, const char *what, const struct validation_request *request,
               struct sheet *rows, struct error *error);

#endif
