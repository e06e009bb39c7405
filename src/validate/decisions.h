/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published labels (preferred organisations, classes) beside ours, by each model that a label is
 * asked of (models/<system>/published.yaml, labels).
 *
 * Ours is the choice with the largest score, its margin the score over the next one's, less 1.
 * With a margin below DECISIONS_INDIFFERENT there is no preference: neither right nor wrong. Inputs
 * are the label's own, published ones, unless the user names one. */
#ifndef BANDSCAPE_VALIDATE_DECISIONS_H
#define BANDSCAPE_VALIDATE_DECISIONS_H

#include "validate/published.h"

/* What papers call no difference, too. */
#define DECISIONS_INDIFFERENT 0.05

/* system, label, workload, source, published, difference, model, ours, margin, verdict: "right",
 * "wrong", "no preference", "refused" */
extern const struct sheet_column decisions_columns[];

/* A row for each label, workload and judge, and notes that count them. The request's input may be
 * NULL: the labels' own. Where all is
 * asked for, simulations judge as well, if the scores are of times and bandwidths. *found grows by
 * the workloads that the user's names left. */
int decisions_of(const struct published *published, const struct validation_request *request,
                 struct sheet *rows, size_t *found, struct error *error);

#endif
