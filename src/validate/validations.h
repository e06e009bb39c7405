/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All validations: the systems' published figures (models/<system>/published.yaml), by name, then
 * the plug-ins. */
#ifndef BANDSCAPE_VALIDATE_VALIDATIONS_H
#define BANDSCAPE_VALIDATE_VALIDATIONS_H

#include "validate/validation.h"

struct validations {
    const struct validation **items;
    size_t count, capacity;
    struct { /* owned: the files behind them */
        struct published **items;
        size_t count, capacity;
    } files;
};

/* To be closed even when it fails. */
int validations_open(struct validations *validations, struct error *error);
void validations_close(struct validations *validations);

/* That of a name, or of a file with published figures ("x/published.yaml"), which is added. An
 * error lists the names and suggests the nearest. */
int validations_require(struct validations *validations, const char *name,
                        const struct validation **out, struct error *error);
/* "a, b, c". */
void validations_names(const struct validations *validations, struct text *out);

/* Fills the rows of a validation. */
int validation_run(const struct validation *validation, const struct validation_request *request,
                   struct sheet *rows, struct error *error);

#endif
