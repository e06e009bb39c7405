/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One answer first: of all models' answers that of the one kind which is nearest to simulations
 * (model_first), the others as a range, and which organisation they prefer. */
#ifndef BANDSCAPE_REPORT_ANSWER_FIRST_H
#define BANDSCAPE_REPORT_ANSWER_FIRST_H

#include "report/answer_report.h"
#include "report/table.h"

/* Organisations within this of the best are as good: no preference. */
#define ANSWER_FIRST_ALIKE 1.05

/* Marks rows: of each workload those of one model, the one of model_first's order that answers for
 * most machines and organisations; where none of these answers, the first row's. */
void answer_first_mark(const struct answer_row *rows, size_t count, bool *marked);

/* A table and some lines for each workload; `count` is not 0. Times decide what is preferred, or
 * bandwidths where they are unknown. */
void answer_first_print(const struct answer_row *rows, size_t count,
                        const struct table_style *style, struct text *out);

#endif
