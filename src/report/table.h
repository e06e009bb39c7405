/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text tables for the terminal: aligned columns, a line of units under the
 * titles, cut to a width. Every command that prints a table uses this one.
 *
 *     struct table *table = table_create();
 *     table_column(table, "organisation", NULL, TABLE_LEFT);
 *     table_column(table, "bandwidth", "TB/s", TABLE_RIGHT);
 *     table_cell(table, "sm-side");        cells go row by row
 *     table_number(table, 3.072, 4);
 *     table_render(table, &(struct table_style){.width = 80}, &text);
 *     table_destroy(table);
 */
#ifndef BANDSCAPE_REPORT_TABLE_H
#define BANDSCAPE_REPORT_TABLE_H

#include <stdbool.h>

#include "core/memory.h"
#include "core/unit.h"

enum table_align { TABLE_LEFT, TABLE_RIGHT };

struct table_style {
    int width;   /* columns of the terminal; 0: never cut */
    int indent;  /* blanks before each line */
    bool colour; /* bold titles and marked rows, dim units and rules */
    bool ascii;  /* no other characters */
};

struct table *table_create(void);
void table_destroy(struct table *table);

/* All columns come before the first cell. `unit` may be NULL. */
void table_column(struct table *table, const char *title, const char *unit, enum table_align align);

/* The next cell of the row; a row begins by itself after the last column.
 * Control characters become blanks; width is counted in UTF-8 characters. */
void table_cell(struct table *table, const char *text);
void table_printf(struct table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* At most `digits` significant digits; NaN prints as "-". */
void table_number(struct table *table, double value, int digits);
/* "768 GB/s": see quantity_format. */
void table_quantity(struct table *table, struct quantity quantity, int digits);
/* "12.3 %" of a share of 0.123; NaN prints as "-". */
void table_percent(struct table *table, double share);
/* Leaves the rest of the row empty. */
void table_end_row(struct table *table);

/* A line between groups of rows. */
void table_rule(struct table *table);
/* Marks the row begun last (bold when there is colour). */
void table_mark_row(struct table *table);

/* Appends the table. Only columns on the left side of their text are cut (with
 * an ellipsis), the widest first and never below 8 characters: a number is shown whole or
 * the line is longer than the terminal. A table without columns is nothing. */
void table_render(const struct table *table, const struct table_style *style, struct text *out);

#endif
