/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of answer beside each other: EAB-style, bottleneck at the given mix, network. */
#ifndef BANDSCAPE_REPORT_ANSWER_KINDS_H
#define BANDSCAPE_REPORT_ANSWER_KINDS_H

#include "report/answer_report.h"

/* The first word of the model's kind: "EAB-style", "bottleneck", "network". */
const char *answer_kind(const struct answer *answer, char *out, size_t size);

#define ANSWER_KINDS_APART 1.1

enum { ANSWER_KINDS_MAX = 8, ANSWER_KIND_TEXT = 32 };
struct answer_of_kind {
    char kind[ANSWER_KIND_TEXT];
    const struct answer *answer;
};
/* The kinds of answer that stand for the workload, machine and organisation of row i. Of several
 * models of a kind the one that is named like it speaks for it, else the first. Returns how many;
 * `out` has room for ANSWER_KINDS_MAX. */
size_t answer_kinds_find(const struct answer_row *rows, size_t count, size_t i,
                         struct answer_of_kind *out);

/* Largest over smallest effective bandwidth of these; NaN where there is one kind only. `note`,
 * unless NULL, gets a line where the ratio is above ANSWER_KINDS_APART. */
double answer_kinds_spread(const struct answer_row *rows, size_t count, size_t i,
                           struct text *note);

/* Why they may differ. */
extern const char answer_kinds_reason[];

#endif
