/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows over described columns, and what a column comes to. */
#include "core/sheet.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

struct sheet *sheet_create(const struct sheet_column *columns)
{
    struct sheet *sheet = memory_zero(1, sizeof *sheet);
    sheet->arena = arena_create();
    while (columns[sheet->n_columns].key || columns[sheet->n_columns].title)
        sheet->n_columns++;
    struct sheet_column *copy = arena_alloc(sheet->arena, sheet->n_columns * sizeof *copy);
    for (size_t c = 0; c < sheet->n_columns; c++) {
        copy[c] = columns[c];
        copy[c].key = copy_text(sheet->arena, columns[c].key);
        copy[c].title = copy_text(sheet->arena, columns[c].title);
        copy[c].unit = copy_text(sheet->arena, columns[c].unit);
    }
    sheet->columns = copy;
    return sheet;
}

void sheet_destroy(struct sheet *sheet)
{
    if (!sheet)
        return;
    VECTOR_FREE(&sheet->cells);
    VECTOR_FREE(&sheet->rules);
    VECTOR_FREE(&sheet->notes);
    arena_destroy(sheet->arena);
    free(sheet);
}

size_t sheet_rows(const struct sheet *sheet)
{
    assert(sheet->cells.count % sheet->n_columns == 0 && "a row has a cell for each column");
    return sheet->cells.count / sheet->n_columns;
}

const struct sheet_cell *sheet_at(const struct sheet *sheet, size_t row, size_t column)
{
    return &sheet->cells.items[row * sheet->n_columns + column];
}

bool sheet_knows(const struct sheet *sheet, size_t row, size_t column)
{
    const struct sheet_cell *cell = sheet_at(sheet, row, column);
    switch (sheet->columns[column].kind) {
    case SHEET_TEXT:
        return cell->text != NULL;
    case SHEET_INTEGER:
        return cell->integer != SHEET_UNKNOWN;
    case SHEET_SHAPE:
        return cell->shape != NULL;
    default:
        return !isnan(cell->number);
    }
}

void sheet_add_cells(struct sheet *sheet, const struct sheet_cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sheet_cell cell = cells[i];
        cell.text = copy_text(sheet->arena, cell.text);
        VECTOR_PUSH(&sheet->cells, cell);
    }
}

void sheet_add_texts(struct sheet *sheet, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sheet_add_cells(sheet, &(struct sheet_cell){texts[i]}, 1);
}

void sheet_add_numbers(struct sheet *sheet, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sheet_add_cells(sheet, &(struct sheet_cell){.number = numbers[i]}, 1);
}

void sheet_add(struct sheet *sheet, const struct sheet_cell *cells)
{
    sheet_add_cells(sheet, cells, sheet->n_columns);
}

void sheet_add_rule(struct sheet *sheet)
{
    VECTOR_PUSH(&sheet->rules, sheet_rows(sheet));
}

void sheet_add_note(struct sheet *sheet, const char *format, ...)
{
    struct text text = {0};
    va_list list;
    va_start(list, format);
    text_vprintf(&text, format, list);
    va_end(list);
    VECTOR_PUSH(&sheet->notes, arena_strdup(sheet->arena, text.data));
    text_free(&text);
}

struct sheet_summary sheet_summarise(const struct sheet *sheet, size_t column, size_t by,
                                     const char *text)
{
    enum sheet_worst worst = sheet->columns[column].worst;
    size_t count = sheet_rows(sheet);
    double *known = memory_alloc(count * sizeof *known);
    struct sheet_summary summary = {.median = (double)NAN, .worst = (double)NAN};
    for (size_t r = 0; r < count; r++) {
        double value = sheet_at(sheet, r, column)->number;
        const char *own = text ? sheet_at(sheet, r, by)->text : NULL;
        if (isnan(value) || (text && (!own || strcmp(own, text) != 0)))
            continue;
        value = worst == SHEET_WORST_SIZE ? fabs(value) : value;
        known[summary.known++] = value;
        if (isnan(summary.worst) ||
            (worst == SHEET_WORST_LOW ? value < summary.worst : value > summary.worst)) {
            summary.worst = value;
            summary.worst_row = r;
        }
    }
    if (summary.known) {
        gsl_sort(known, 1, summary.known);
        summary.median = gsl_stats_median_from_sorted_data(known, 1, summary.known);
    }
    free(known);
    return summary;
}
