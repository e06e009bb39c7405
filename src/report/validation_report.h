/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of validations as text, CSV and JSON. */
#ifndef BANDSCAPE_REPORT_VALIDATION_REPORT_H
#define BANDSCAPE_REPORT_VALIDATION_REPORT_H

#include "report/csv.h"
#include "report/json.h"
#include "report/table.h"
#include "validate/validation.h"

/* A table a group of columns with its summary lines, then the notes. Columns that no row
 * knows, and groups of such, are left out. */
void validation_report_text(const struct validation_rows *rows, const struct table_style *style,
                            struct text *out);

/* A header and all columns; unknown values are empty. */
/* A header, and the rows of one or more validations with those columns; `named`, `name` (else
 * NULL): the validation's name stands in a first column. */
void validation_report_csv_header(struct csv_writer *csv, bool named,
                                  const struct validation_rows *rows);
void validation_report_csv(struct csv_writer *csv, const char *name,
                           const struct validation_rows *rows);

/* An object a row into the open array: "validation" and all columns; unknown values are
 * null. */
void validation_report_json(struct json *json, const char *name,
                            const struct validation_rows *rows);

#endif
