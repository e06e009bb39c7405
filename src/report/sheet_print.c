/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sheets as tables, CSV and JSON. */
#include "report/sheet_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/fold.h"

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* --- tables ------------------------------------------------------------------------ */

static void print_notes(const struct sheet *sheet, const struct table_style *style,
                        struct text *out)
{
    for (size_t i = 0; i < sheet->notes.count; i++) {
        fold_lines(sheet->notes.items[i], style->width, out);
        text_append(out, "\n");
    }
}

void sheet_print_table(const struct sheet *sheet, const struct table_style *style, struct text *out)
{
    table_render(sheet, NULL, style, out);
    print_notes(sheet, style, out);
}

/* `text` NULL: of all rows; else of those with this text in the column `by`. */
static void summary_line(const struct sheet *sheet, size_t column, size_t by, const char *text,
                         size_t label, struct text *out)
{
    const struct sheet_column *c = &sheet->columns[column];
    struct sheet_summary summary = sheet_summarise(sheet, column, by, text);
    char median[80], worst[80];
    if (!c->summary || !summary.known)
        return;
    const char *unit = c->unit ? c->unit : "", *blank = c->unit ? " " : "";
    const struct sheet_cell *row = sheet_at(sheet, summary.worst_row, label);
    text_append(out, c->summary);
    if (text)
        text_printf(out, ", %s (%zu)", text, summary.known);
    text_printf(out, ": median %s%s%s, worst %s%s%s (%s)\n",
                table_number(c, summary.median, median, sizeof median), blank, unit,
                table_number(c, summary.worst, worst, sizeof worst), blank, unit,
                row->text ? row->text : "-");
}

static void summary_lines(const struct sheet *sheet, size_t column, size_t label, struct text *out)
{
    const char *key = sheet->columns[column].by;
    size_t by = 0;
    if (!key) {
        summary_line(sheet, column, 0, NULL, label, out);
        return;
    }
    while (by + 1 < sheet->n_columns && !same_text(sheet->columns[by].key, key))
        by++;
    for (size_t r = 0; r < sheet_rows(sheet); r++) { /* each text where it first is */
        const char *text = sheet_at(sheet, r, by)->text;
        bool known_before = !text;
        for (size_t k = 0; k < r && !known_before; k++)
            known_before = same_text(sheet_at(sheet, k, by)->text, text);
        if (!known_before)
            summary_line(sheet, column, by, text, label, out);
    }
}

/* What names a row: the first text that tables show. */
static size_t label_column(const struct sheet *sheet)
{
    size_t c = 0;
    while (c + 1 < sheet->n_columns &&
           (sheet->columns[c].kind != SHEET_TEXT || !sheet->columns[c].title))
        c++;
    return c;
}

static void print_group(const struct sheet *sheet, const char *group,
                        const struct table_style *style, struct text *out)
{
    bool *shown = memory_zero(sheet->n_columns, sizeof *shown), any = false;
    for (size_t c = 0; c < sheet->n_columns; c++) {
        const struct sheet_column *column = &sheet->columns[c];
        for (size_t r = 0; r < sheet_rows(sheet) && !shown[c]; r++)
            shown[c] =
                (!column->group || same_text(column->group, group)) && sheet_knows(sheet, r, c);
        any = any || (shown[c] && column->group && column->title);
    }
    if (any) {
        text_printf(out, "\n%s:\n", group);
        table_render(sheet, shown, style, out);
        for (size_t c = 0; c < sheet->n_columns; c++)
            if (same_text(sheet->columns[c].group, group))
                summary_lines(sheet, c, label_column(sheet), out);
    }
    free(shown);
}

void sheet_print_groups(const struct sheet *sheet, const struct table_style *style,
                        struct text *out)
{
    const char *group = NULL;
    for (size_t c = 0; c < sheet->n_columns; c++) {
        if (!sheet->columns[c].group || same_text(sheet->columns[c].group, group))
            continue;
        group = sheet->columns[c].group;
        print_group(sheet, group, style, out);
    }
    if (sheet->notes.count)
        text_append(out, "\n");
    print_notes(sheet, style, out);
}

/* --- for programs ------------------------------------------------------------------- */

void sheet_print_csv_header(const struct sheet *sheet, struct csv_writer *csv)
{
    for (size_t c = 0; c < sheet->n_columns; c++) {
        const struct sheet_column *column = &sheet->columns[c];
        if (!column->key || column->files == SHEET_JSON_ONLY)
            continue;
        for (int i = 0; i < 3 && column->kind == SHEET_SHAPE; i++) {
            char key[80];
            snprintf(key, sizeof key, "%s_%c", column->key, "xyz"[i]);
            csv_write_text(csv, key);
        }
        if (column->kind != SHEET_SHAPE)
            csv_write_text(csv, column->key);
    }
    csv_end_row(csv);
}

void sheet_print_csv_row(const struct sheet *sheet, size_t row, struct csv_writer *csv)
{
    for (size_t c = 0; c < sheet->n_columns; c++) {
        const struct sheet_column *column = &sheet->columns[c];
        const struct sheet_cell *cell = sheet_at(sheet, row, c);
        if (!column->key || column->files == SHEET_JSON_ONLY)
            continue;
        int cells = column->kind == SHEET_SHAPE ? 3 : 1;
        for (int i = 0; i < cells; i++)
            if (!sheet_knows(sheet, row, c))
                csv_write_text(csv, "");
            else if (column->kind == SHEET_TEXT)
                csv_write_text(csv, cell->text);
            else if (column->kind == SHEET_SHAPE)
                csv_write_integer(csv, cell->shape[i]);
            else if (column->kind == SHEET_INTEGER)
                csv_write_integer(csv, cell->integer);
            else
                csv_write_number(csv, cell->number);
    }
    csv_end_row(csv);
}

void sheet_print_csv(const struct sheet *sheet, struct csv_writer *csv)
{
    sheet_print_csv_header(sheet, csv);
    for (size_t r = 0; r < sheet_rows(sheet); r++)
        sheet_print_csv_row(sheet, r, csv);
}

static void json_value(const struct sheet *sheet, size_t row, size_t column, struct json *json)
{
    const struct sheet_cell *cell = sheet_at(sheet, row, column);
    enum sheet_kind kind = sheet->columns[column].kind;
    if (!sheet_knows(sheet, row, column))
        json_null(json);
    else if (kind == SHEET_TEXT)
        json_string(json, cell->text);
    else if (kind == SHEET_INTEGER)
        json_integer(json, (int64_t)cell->integer);
    else if (kind == SHEET_SHAPE)
        json_numbers(json, (double[]){cell->shape[0], cell->shape[1], cell->shape[2]}, 3);
    else if (kind == SHEET_TRUTH)
        json_bool(json, cell->number != 0);
    else
        json_number(json, cell->number);
}

void sheet_print_json_row(const struct sheet *sheet, size_t row, struct json *json)
{
    const char *object = NULL;
    for (size_t c = 0; c < sheet->n_columns; c++) {
        const struct sheet_column *column = &sheet->columns[c];
        if (!column->key || column->files == SHEET_CSV_ONLY)
            continue;
        if (object && !same_text(object, column->object))
            json_end_object(json);
        if (column->object && !same_text(object, column->object)) {
            json_key(json, column->object);
            json_begin_object(json);
        }
        object = column->object;
        json_key(json, column->key);
        json_value(sheet, row, c, json);
    }
    if (object)
        json_end_object(json);
}

void sheet_print_json_rows(const struct sheet *sheet, size_t row, size_t count, struct json *json)
{
    json_begin_array(json);
    for (size_t r = row; r < row + count; r++) {
        json_begin_object(json);
        sheet_print_json_row(sheet, r, json);
        json_end_object(json);
    }
    json_end_array(json);
}

void sheet_print_json(const struct sheet *sheet, struct json *json)
{
    sheet_print_json_rows(sheet, 0, sheet_rows(sheet), json);
}
