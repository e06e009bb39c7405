/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers as rows, as JSON, and as a tree of terms. */
#ifndef BANDSCAPE_REPORT_ANSWER_REPORT_H
#define BANDSCAPE_REPORT_ANSWER_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "explore/answer/answer.h"
#include "core/sheet.h"
#include "profile/record/filling.h"
#include "report/json.h"

/* A labelled answer, with warnings for the reader. */
struct answer_row {
    const char *machine, *workload;
    const struct machine *built; /* the same one in all rows of it */
    const char *const *varied;   /* paths in which machines differ; the same in all rows */
    size_t n_varied;
    const struct answer *answer;
    const char *baseline;  /* NULL: no speed-up is asked for */
    double speedup;        /* NaN: unknown */
    const char **warnings; /* beside those of the answer's model */
    size_t n_warnings;
    double measured_s; /* the workload's time on a real GPU; NaN: nobody measured it */
    unsigned filling;  /* set of 1 << enum filling_kind: what its input leaves of the machine */
};

/* The value of varied[i]: a name, or a number in SI. */
struct answer_varied {
    const char *name; /* NULL: a number */
    double number;
    struct dim dim;
};
void answer_varied(const struct answer_row *row, size_t i, struct answer_varied *out);
/* Columns and cells of all of them, for tables of rows. */
void answer_varied_columns(const struct answer_row *row, struct sheet_columns *columns);
void answer_varied_cells(const struct answer_row *row, struct sheet *sheet);

/* One object of the array that `whatif --format json` prints: the top of its terms, each once, and
 * how many arguments of a term are `left_out`; all of them where `explain`, each once where they
 * are very many. Those that stand before are `above`. */
void answer_json(struct json *json, const struct answer_row *row, bool explain);

/* A row an answer, with the metrics of all models in CSV; `count` is not 0, and the baseline the
 * same in all rows. */
struct sheet *answer_sheet(const struct answer_row *rows, size_t count);

/* What limits the record that takes the most time, stream by stream: "local: llc, remote: inter".
 */
void answer_limits(const struct answer *answer, char *out, size_t size);

/* A line "model: warning" for each warning of the answer's model that is not there yet. */
void answer_warnings(const struct answer *answer, struct text *out);

/* The tree of one record's effective bandwidth; the binding arguments of minima
 * are marked with "<-". */
void answer_explain(const struct answer *answer, const struct model_record *record,
                    struct text *out);

#endif
