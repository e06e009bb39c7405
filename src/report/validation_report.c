/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of validations as text, CSV and JSON. */
#include "report/validation_report.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 4 };

static bool known(const struct validation_rows *rows, size_t row, size_t column)
{
    const struct validation_cell *cell = validation_cell(rows, row, column);
    return rows->columns[column].kind == VALIDATION_TEXT ? cell->text != NULL
                                                         : !isnan(cell->number);
}

static bool shown(const struct validation_rows *rows, size_t column)
{
    bool any = false;
    for (size_t r = 0; r < validation_rows_count(rows) && !any; r++)
        any = known(rows, r, column);
    return any && rows->columns[column].title;
}

static bool in_group(const struct validation_column *column, const char *group)
{
    return column->group && group && strcmp(column->group, group) == 0;
}

/* --- tables ------------------------------------------------------------------------ */

/* Percentages have two decimals, so that the small errors of a column can be compared. */
static void value_format(const struct validation_column *column, double value, char *buffer,
                         size_t size)
{
    if (isnan(value))
        snprintf(buffer, size, "-");
    else if (column->kind == VALIDATION_PERCENT)
        snprintf(buffer, size, "%.2f", 100 * value);
    else if (column->kind == VALIDATION_MEGABYTES)
        number_round(value / 1e6, DIGITS, buffer, size);
    else if (column->kind == VALIDATION_COUNT)
        snprintf(buffer, size, "%.0f", value);
    else
        quantity_format((struct quantity){value, DIM_NONE}, DIGITS, buffer, size);
}

static void table_value(struct table *table, const struct validation_column *column,
                        const struct validation_cell *cell)
{
    char buffer[64];
    value_format(column, cell->number, buffer, sizeof buffer);
    if (column->kind == VALIDATION_TEXT)
        table_cell(table, cell->text ? cell->text : "-");
    else
        table_cell(table, buffer);
}

/* `text` NULL: of all rows; else of those with this text in the column `by`. */
static void summary_line(const struct validation_rows *rows, size_t column, size_t by,
                         const char *text, size_t label, struct text *out)
{
    const struct validation_column *c = &rows->columns[column];
    struct validation_summary summary = validation_summarise_by(rows, column, by, text);
    char median[64], worst[64];
    if (!c->summary || !summary.known)
        return;
    value_format(c, summary.median, median, sizeof median);
    value_format(c, summary.worst, worst, sizeof worst);
    const char *unit = c->unit ? c->unit : "", *blank = c->unit ? " " : "";
    const struct validation_cell *row = validation_cell(rows, summary.worst_row, label);
    text_append(out, c->summary);
    if (text)
        text_printf(out, ", %s (%zu)", text, summary.known);
    text_printf(out, ": median %s%s%s, worst %s%s%s (%s)\n", median, blank, unit, worst, blank,
                unit, row->text ? row->text : "-");
}

static void summary_lines(const struct validation_rows *rows, size_t column, size_t label,
                          struct text *out)
{
    const char *key = rows->columns[column].by;
    size_t by = 0, count = validation_rows_count(rows);
    if (!key) {
        summary_line(rows, column, 0, NULL, label, out);
        return;
    }
    while (by + 1 < rows->n_columns && strcmp(rows->columns[by].key, key) != 0)
        by++;
    for (size_t r = 0; r < count; r++) { /* each text where it first is */
        const char *text = validation_cell(rows, r, by)->text;
        bool known_before = !text;
        for (size_t k = 0; k < r && !known_before; k++) {
            const char *other = validation_cell(rows, k, by)->text;
            known_before = other && strcmp(other, text) == 0;
        }
        if (!known_before)
            summary_line(rows, column, by, text, label, out);
    }
}

/* What names a row: the first text that tables show. */
static size_t label_column(const struct validation_rows *rows)
{
    size_t c = 0;
    while (c + 1 < rows->n_columns &&
           (rows->columns[c].kind != VALIDATION_TEXT || !rows->columns[c].title))
        c++;
    return c;
}

static void report_group(const struct validation_rows *rows, const char *group,
                         const struct table_style *style, struct text *out)
{
    struct table *table = table_create();
    size_t values = 0, n = rows->n_columns;
    for (size_t c = 0; c < n; c++) {
        const struct validation_column *column = &rows->columns[c];
        if (!shown(rows, c) || (column->group && !in_group(column, group)))
            continue;
        table_column(table, column->title, column->unit,
                     column->kind == VALIDATION_TEXT ? TABLE_LEFT : TABLE_RIGHT);
        values += column->group != NULL;
    }
    for (size_t r = 0; r < validation_rows_count(rows) && values; r++)
        for (size_t c = 0; c < n; c++)
            if (shown(rows, c) && (!rows->columns[c].group || in_group(&rows->columns[c], group)))
                table_value(table, &rows->columns[c], validation_cell(rows, r, c));
    if (values) {
        text_printf(out, "\n%s:\n", group);
        table_render(table, style, out);
        for (size_t c = 0; c < n; c++)
            if (in_group(&rows->columns[c], group))
                summary_lines(rows, c, label_column(rows), out);
    }
    table_destroy(table);
}

void validation_report_text(const struct validation_rows *rows, const struct table_style *style,
                            struct text *out)
{
    const char *group = NULL;
    for (size_t c = 0; c < rows->n_columns; c++) {
        if (!rows->columns[c].group || in_group(&rows->columns[c], group))
            continue;
        group = rows->columns[c].group;
        report_group(rows, group, style, out);
    }
    if (rows->notes.count)
        text_append(out, "\n");
    for (size_t i = 0; i < rows->notes.count; i++)
        text_printf(out, "%s\n", rows->notes.items[i]);
}

/* --- for programs ------------------------------------------------------------------- */

void validation_report_csv_header(struct csv_writer *csv, bool named,
                                  const struct validation_rows *rows)
{
    if (named)
        csv_write_text(csv, "validation");
    for (size_t c = 0; c < rows->n_columns; c++)
        csv_write_text(csv, rows->columns[c].key);
    csv_end_row(csv);
}

void validation_report_csv(struct csv_writer *csv, const char *name,
                           const struct validation_rows *rows)
{
    for (size_t r = 0; r < validation_rows_count(rows); r++) {
        if (name)
            csv_write_text(csv, name);
        for (size_t c = 0; c < rows->n_columns; c++) {
            const struct validation_cell *cell = validation_cell(rows, r, c);
            if (!known(rows, r, c))
                csv_write_text(csv, "");
            else if (rows->columns[c].kind == VALIDATION_TEXT)
                csv_write_text(csv, cell->text);
            else
                csv_write_number(csv, cell->number);
        }
        csv_end_row(csv);
    }
}

void validation_report_json(struct json *json, const char *name, const struct validation_rows *rows)
{
    for (size_t r = 0; r < validation_rows_count(rows); r++) {
        json_begin_object(json);
        json_key(json, "validation");
        json_string(json, name);
        for (size_t c = 0; c < rows->n_columns; c++) {
            const struct validation_cell *cell = validation_cell(rows, r, c);
            json_key(json, rows->columns[c].key);
            if (rows->columns[c].kind == VALIDATION_TEXT)
                json_string(json, cell->text);
            else
                json_number(json, cell->number);
        }
        json_end_object(json);
    }
}
