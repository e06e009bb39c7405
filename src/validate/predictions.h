/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the predictions of a system are, a line for each label or aim and model: how many hold,
 * how far the others are, and which they are (models/<system>/published.yaml, aims). */
#ifndef BANDSCAPE_VALIDATE_PREDICTIONS_H
#define BANDSCAPE_VALIDATE_PREDICTIONS_H

#include "validate/published.h"

/* The size of an error up to which a predicted figure is reached. */
#define PREDICTIONS_NEAR 0.15

/* system, what, model, of, reached, no_preference, other, wrong_way, median, worst, aim, met,
 * missed ("lud: sm-side; ...", CSV and JSON) */
extern const struct sheet_column predictions_columns[];
enum predictions_column {
    PREDICTIONS_SYSTEM,
    PREDICTIONS_WHAT,
    PREDICTIONS_MODEL,
    PREDICTIONS_OF,
    PREDICTIONS_REACHED,
    PREDICTIONS_INDIFFERENT,
    PREDICTIONS_OTHER,
    PREDICTIONS_TURNED,
    PREDICTIONS_MEDIAN,
    PREDICTIONS_WORST,
    PREDICTIONS_AIM,
    PREDICTIONS_MET,
    PREDICTIONS_MISSED,
    PREDICTIONS_COLUMNS
};

/* Rows of a file that has labels or predictions. Where the user leaves out workloads that a row is
 * about, it does not say whether its aim is met. *found grows by what was judged. */
int predictions_of(const struct published *published, const struct validation_request *request,
                   struct sheet *rows, size_t *found, struct error *error);

#endif
