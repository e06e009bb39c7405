/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Validations: ours beside what it stands for (exact against estimated, published
 * against predicted), a row each, with the error. A validation is one file
 * `<name>.validation.c` that ends in its descriptor, or the published figures of a
 * system, which are data (validate/published.h); `bandscape validate <name>` prints its
 * rows as tables, CSV or JSON without knowing what they are about. */
#ifndef BANDSCAPE_VALIDATE_VALIDATION_H
#define BANDSCAPE_VALIDATE_VALIDATION_H

#include <stdbool.h>
#include <stddef.h>

#include "core/plugin.h"
#include "machine/machine.h"

enum validation_kind {
    VALIDATION_TEXT,
    VALIDATION_NUMBER,
    VALIDATION_COUNT,    /* a whole number */
    VALIDATION_PERCENT,  /* a fraction, shown times 100 */
    VALIDATION_MEGABYTES /* bytes, shown in 10^6 */
};

/* Which value of a column is the worst, for the lines under a table. */
enum validation_worst { VALIDATION_NO_SUMMARY, VALIDATION_WORST_HIGH, VALIDATION_WORST_LOW };

/* Columns with the same `group` make one table, under that title. Those without a group
 * say what a row is about: they begin every table, and have no title where only CSV and
 * JSON show them. Columns of a group stand together. */
struct validation_column {
    const char *key;   /* in CSV and JSON */
    const char *title; /* in tables; NULL: not there */
    const char *unit;  /* under the title; NULL: none */
    const char *group;
    enum validation_kind kind;
    enum validation_worst worst;
    const char *summary; /* what the line under the table calls it; NULL: no line */
    const char *by;      /* key of a column of texts: a line for each of them; NULL: one line */
};

/* One value; of a text column `text`, of the others `number`. NULL and NaN: unknown. */
struct validation_cell {
    const char *text;
    double number;
};

/* What a validation reports. */
struct validation_rows {
    const struct validation_column *columns; /* ends with key NULL */
    size_t n_columns;
    struct arena *arena; /* owns the texts */
    struct {
        struct validation_cell *items; /* n_columns a row */
        size_t count, capacity;
    } cells;
    struct {
        const char **items;
        size_t count, capacity;
    } notes; /* sentences for the reader */
};

struct validation_rows *validation_rows_create(const struct validation_column *columns);
void validation_rows_destroy(struct validation_rows *rows);
size_t validation_rows_count(const struct validation_rows *rows);
/* A cell of a row. */
const struct validation_cell *validation_cell(const struct validation_rows *rows, size_t row,
                                              size_t column);

/* Adds a row of n_columns cells; texts are copied. */
void validation_add_row(struct validation_rows *rows, const struct validation_cell *cells);
void validation_add_note(struct validation_rows *rows, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Of a column of numbers over the rows that know it; `text` not NULL: that have this text in the
 * column `by`. */
struct validation_summary {
    size_t known;
    double median, worst;
    size_t worst_row; /* the first of them */
};
struct validation_summary validation_summarise(const struct validation_rows *rows, size_t column);
struct validation_summary validation_summarise_by(const struct validation_rows *rows, size_t column,
                                                  size_t by, const char *text);

/* What the user asked for. */
struct validation_request {
    const struct machine *machine; /* with the user's settings */
    const char *input;             /* of the shipped workloads: "small", "default", ... */
    const char **workloads;        /* as the user wrote them; none: all shipped ones */
    size_t n_workloads;
    bool all;    /* what takes long as well */
    bool strict; /* warnings of workloads are errors */
    int threads;
};

struct published; /* validate/published.h */

/* What of a request a validation looks at. */
enum validation_reads {
    VALIDATION_MACHINE = 1,
    VALIDATION_WORKLOADS = 2,       /* any, with an input of shipped ones */
    VALIDATION_NAMED_WORKLOADS = 4, /* shipped ones, with inputs of its own choice */
    VALIDATION_LONG = 8             /* `all` */
};

struct validation {
    struct plugin plugin; /* kind "validation" */
    const struct validation_column *columns;
    unsigned reads; /* set of enum validation_reads */
    bool named;     /* takes minutes: runs only when it is named */
    /* Published figures as data, whose rows are of checkpoint_columns, in place of `run`; NULL: a
     * plug-in. */
    const struct published *published;
    /* Looks at interrupt_requested(), shows its progress (core/progress.h). */
    int (*run)(const struct validation_request *request, struct validation_rows *rows,
               struct error *error);
};

#endif
