/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What published labels hang on: each choice that a paper leaves open (labels: open), varied by
 * itself around the machine and input that are asked for, and what models decide then. */
#ifndef BANDSCAPE_VALIDATE_CHOICES_H
#define BANDSCAPE_VALIDATE_CHOICES_H

#include "validate/decisions.h"

/* system, label, workload, input, published, model, ours, margin, verdict, holds, choices, flips */
extern const struct sheet_column choices_columns[];

/* A row for each label with open choices, workload and model: the decision as asked, of how many
 * decisions (that one among them) it is the published one, and with which values it is another than
 * as asked. Published inputs only where all is asked for. *found grows by the workloads. */
int choices_of(const struct published *published, const struct validation_request *request,
               struct sheet *rows, size_t *found, struct error *error);

#endif
