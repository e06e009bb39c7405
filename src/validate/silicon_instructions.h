/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a warp of a measured kernel executes: models/today/silicon/kernels. */
#ifndef BANDSCAPE_VALIDATE_SILICON_INSTRUCTIONS_H
#define BANDSCAPE_VALIDATE_SILICON_INSTRUCTIONS_H

#include "core/csv.h"
#include "core/error.h"

struct silicon_instructions {
    struct csv *csv;
    double *counts, *scalar_waits, *special_cycles; /* a row's */
};

/* What one warp does. */
struct silicon_warp {
    double instructions;   /* 0: nobody counted them */
    double scalar_waits;   /* times that it waits for scalar loads of arguments */
    double special_cycles; /* that it waits for special registers: of its thread and its block */
};

/* STATUS_INPUT, with file, line and column: a column that is missing, a cell that is no
 * number. To be freed even then. */
int silicon_instructions_read(struct silicon_instructions *out, struct error *error);
void silicon_instructions_free(struct silicon_instructions *instructions);

/* Of that machine, kind of measurement ("stream") and access ("read"). */
struct silicon_warp silicon_instructions_of(const struct silicon_instructions *instructions,
                                            const char *machine, const char *kind,
                                            const char *access);

#endif
