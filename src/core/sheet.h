/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sheets: rows over described columns. What a command prints is a sheet; its aligned table, CSV
 * and JSON come from the same columns (report/sheet_print.h).
 *
 *     static const struct sheet_column columns[] = {
 *         {"name", "station", NULL, SHEET_TEXT},
 *         {"bandwidth", "bandwidth", NULL, SHEET_NUMBER, .dim = IN_BYTES_PER_S},
 *         {NULL}};
 *     struct sheet *sheet = sheet_create(columns);
 *     SHEET_TEXTS(sheet, "links");                   cells go row by row
 *     SHEET_NUMBERS(sheet, 768e9);
 *     sheet_destroy(sheet);
 */
#ifndef BANDSCAPE_CORE_SHEET_H
#define BANDSCAPE_CORE_SHEET_H

#include <stdbool.h>
#include <stdint.h>

#include "core/memory.h"
#include "core/unit.h"

/* What the cells of a column hold, and how tables show it; files hold SI in full. */
enum sheet_kind {
    SHEET_TEXT,      /* on the left side of its column, all others on the right */
    SHEET_NUMBER,    /* `digits` significant ones (0: 4); with a `dim`: "768 GB/s" */
    SHEET_FIXED,     /* `digits` behind the point */
    SHEET_COUNT,     /* a whole number */
    SHEET_INTEGER,   /* `integer`: all its digits in every format */
    SHEET_SHARE,     /* a fraction, "12.3 %" */
    SHEET_PERCENT,   /* a fraction, "12.34": the unit says of what */
    SHEET_MEGABYTES, /* bytes, in 10^6 with `digits` significant ones */
    SHEET_SHAPE,     /* `shape`: three sizes, "64x2"; in CSV three columns */
    SHEET_TRUTH      /* a number: 0 is false */
};

/* Which value of a column is the worst, for the lines under a table. */
enum sheet_worst {
    SHEET_NO_SUMMARY,
    SHEET_WORST_HIGH,
    SHEET_WORST_LOW,
    SHEET_WORST_SIZE /* of signed errors: the median is of their sizes, too */
};

enum sheet_files { SHEET_EVERYWHERE, SHEET_CSV_ONLY, SHEET_JSON_ONLY };

struct sheet_column {
    const char *key;   /* in CSV and JSON; NULL: not there */
    const char *title; /* in tables; NULL: not there */
    const char *unit;  /* under the title; NULL: none */
    enum sheet_kind kind;

    /* Where tables are by groups (sheet_print_groups): columns with the same `group` make one,
     * under that title. Those without a group say what a row is about: they begin every table.
     * Columns of a group stand together. */
    const char *group;
    enum sheet_worst worst;
    const char *summary; /* what the line under the table calls it; NULL: no line */
    const char *by;      /* key of a column of texts: a line for each of them; NULL: one line */

    int digits;
    struct dim dim;
    enum sheet_files files; /* not of tables */
    const char *object;     /* in JSON: the member that holds it and its neighbours; NULL: none */
};

/* One value. A column of texts has `text` (NULL: unknown), any other one of the numbers; `text`
 * is then what tables show in its place. */
struct sheet_cell {
    const char *text;
    union {
        double number;    /* NaN: unknown */
        uint64_t integer; /* SHEET_UNKNOWN */
        const uint32_t *shape;
    };
};
#define SHEET_UNKNOWN UINT64_MAX

/* Where they are known only when the program runs. */
struct sheet_columns {
    struct sheet_column *items;
    size_t count, capacity;
};

struct sheet {
    const struct sheet_column *columns;
    size_t n_columns;
    struct arena *arena; /* owns the texts */
    struct {
        struct sheet_cell *items; /* n_columns a row */
        size_t count, capacity;
    } cells;
    struct {
        size_t *items; /* rows that have a line above them in tables */
        size_t count, capacity;
    } rules;
    struct {
        const char **items;
        size_t count, capacity;
    } notes; /* sentences for the reader */
};

/* `columns` end with neither key nor title. They are copied, but for the words of groups, objects
 * and summaries; shapes of cells live longer than the sheet, too. */
struct sheet *sheet_create(const struct sheet_column *columns);
void sheet_destroy(struct sheet *sheet);
size_t sheet_rows(const struct sheet *sheet);
const struct sheet_cell *sheet_at(const struct sheet *sheet, size_t row, size_t column);
/* Whether a cell has a value; what tables show in its place does not count. */
bool sheet_knows(const struct sheet *sheet, size_t row, size_t column);

/* Adds a row of n_columns cells, or the next cells of one; texts are copied. */
void sheet_add(struct sheet *sheet, const struct sheet_cell *cells);
void sheet_add_cells(struct sheet *sheet, const struct sheet_cell *cells, size_t count);
void sheet_add_texts(struct sheet *sheet, const char *const *texts, size_t count);
void sheet_add_numbers(struct sheet *sheet, const double *numbers, size_t count);
/* SHEET_TEXTS(sheet, "a", "b"); SHEET_NUMBERS(sheet, 1, 0.5); */
#define SHEET_TEXTS(sheet, ...)                                                                    \
    sheet_add_texts(sheet, (const char *[]){__VA_ARGS__},                                          \
                    sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *))
#define SHEET_NUMBERS(sheet, ...)                                                                  \
    sheet_add_numbers(sheet, (double[]){__VA_ARGS__},                                              \
                      sizeof((double[]){__VA_ARGS__}) / sizeof(double))
/* Tables have a line between the rows before and those that follow. */
void sheet_add_rule(struct sheet *sheet);
void sheet_add_note(struct sheet *sheet, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Of a column of numbers over the rows that know it; `text` not NULL: that have this text in the
 * column `by`. */
struct sheet_summary {
    size_t known;
    double median, worst;
    size_t worst_row; /* the first of them */
};
struct sheet_summary sheet_summarise(const struct sheet *sheet, size_t column, size_t by,
                                     const char *text);

#endif
