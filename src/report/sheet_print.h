/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sheets (core/sheet.h) as tables, CSV and JSON. What is unknown is "-", an empty cell, null. */
#ifndef BANDSCAPE_REPORT_SHEET_PRINT_H
#define BANDSCAPE_REPORT_SHEET_PRINT_H

#include "core/csv.h"
#include "core/sheet.h"
#include "report/json.h"
#include "report/table.h"

/* One table of all rows, then the notes. */
void sheet_print_table(const struct sheet *sheet, const struct table_style *style,
                       struct text *out);
/* A table a group of columns with its summary lines, then the notes. Columns that no row
 * knows, and groups of such, are left out. */
void sheet_print_groups(const struct sheet *sheet, const struct table_style *style,
                        struct text *out);

/* A header and all rows; or either by itself, behind what stands in the first columns. */
void sheet_print_csv(const struct sheet *sheet, struct csv_writer *csv);
void sheet_print_csv_header(const struct sheet *sheet, struct csv_writer *csv);
void sheet_print_csv_row(const struct sheet *sheet, size_t row, struct csv_writer *csv);

/* An array of objects; of the rows from `row` on; the members of one in an open object. */
void sheet_print_json(const struct sheet *sheet, struct json *json);
void sheet_print_json_rows(const struct sheet *sheet, size_t row, size_t count, struct json *json);
void sheet_print_json_row(const struct sheet *sheet, size_t row, struct json *json);

#endif
