/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a warp of a measured kernel executes: models/today/silicon/kernels. */
#ifndef BANDSCAPE_VALIDATE_SILICON_INSTRUCTIONS_H
#define BANDSCAPE_VALIDATE_SILICON_INSTRUCTIONS_H

#include "core/csv.h"
#include "core/error.h"

struct silicon_instructions {
    struct csv *csv;
    double *counts, *scalar_waits; /* a row's */
};

/* STATUS_INPUT, with file, line and column: a column that is missing, a cell that is no
 * number. To be freed even then. */
int silicon_instructions_read(struct silicon_instructions *out, struct error *error);
void silicon_instructions_free(struct silicon_instructions *instructions);

/* Of that machine, kind of measurement ("stream") and access ("read"): instructions, and how often
 * they wait for scalar loads of arguments; 0: nobody counted them. */
double silicon_instructions_of(const struct silicon_instructions *instructions, const char *machine,
                               const char *kind, const char *access, double *scalar_waits);

#endif
