/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of answer beside each other: EAB-style, bottleneck at the given mix, network. */
#ifndef BANDSCAPE_REPORT_ANSWER_KINDS_H
#define BANDSCAPE_REPORT_ANSWER_KINDS_H

#include "report/answer_report.h"

/* The first word of the model's kind: "EAB-style", "bottleneck", "network". */
const char *answer_kind(const struct answer *answer, char *out, size_t size);

#define ANSWER_KINDS_APART 1.1

/* Largest over smallest effective bandwidth of the kinds of answer that stand for the workload
 * and organisation of row i; NaN where there is one kind only. Of several models of a kind the
 * one that is named like it counts, else the first. `note`, unless NULL, gets a line where the
 * ratio is above ANSWER_KINDS_APART. */
double answer_kinds_spread(const struct answer_row *rows, size_t count, size_t i,
                           struct text *note);

/* Why they may differ. */
extern const char answer_kinds_reason[];

#endif
