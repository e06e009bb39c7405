/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What validations of published labels and figures share: the files of systems. */
#ifndef BANDSCAPE_VALIDATE_SYSTEMS_H
#define BANDSCAPE_VALIDATE_SYSTEMS_H

#include "validate/decisions.h"

/* Rows of one file; *found grows by the workloads that the user's names left. */
typedef int systems_of_fn(const struct published *published,
                          const struct validation_request *request, struct sheet *rows,
                          size_t *found, struct error *error);

/* The files of the systems that were named, or all. An error where the user names workloads, of
 * which none has what is looked for ("label"). */
int systems_run(systems_of_fn *of, const char *what, const struct validation_request *request,
                struct sheet *rows, struct error *error);

#endif
