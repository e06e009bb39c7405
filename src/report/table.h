/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sheets as text for the terminal: aligned columns, a line of units under the titles, within a
 * width. */
#ifndef BANDSCAPE_REPORT_TABLE_H
#define BANDSCAPE_REPORT_TABLE_H

#include "core/sheet.h"

struct table_style {
    int width;   /* columns of the terminal; 0: of any width */
    int indent;  /* blanks before each line */
    bool colour; /* bold titles, dim units and rules */
    bool ascii;  /* no other characters */
};

/* Appends the columns that have a title and of which `shown` (NULL: all). What is wider than the
 * terminal goes on below, as a further table behind the same labels: the first column, and
 * the others up to the last one of texts in half of the width. Only texts are cut (with an
 * ellipsis), the widest first and to no less than 24 characters: a number is shown whole or the
 * line is longer than the terminal. Control characters become blanks; width is counted in UTF-8
 * characters. A table without columns is nothing. */
void table_render(const struct sheet *sheet, const bool *shown, const struct table_style *style,
                  struct text *out);

/* A number of a column as tables show it; NaN is "-". Writes into buffer and returns it. */
const char *table_number(const struct sheet_column *column, double value, char *buffer,
                         size_t size);

#endif
