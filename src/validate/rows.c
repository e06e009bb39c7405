/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a validation, and what their columns come to. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "validate/validation.h"

struct validation_rows *validation_rows_create(const struct validation_column *columns)
{
    struct validation_rows *rows = memory_zero(1, sizeof *rows);
    rows->arena = arena_create();
    rows->columns = columns;
    while (columns[rows->n_columns].key)
        rows->n_columns++;
    return rows;
}

void validation_rows_destroy(struct validation_rows *rows)
{
    if (!rows)
        return;
    VECTOR_FREE(&rows->cells);
    VECTOR_FREE(&rows->notes);
    arena_destroy(rows->arena);
    free(rows);
}

size_t validation_rows_count(const struct validation_rows *rows)
{
    return rows->cells.count / rows->n_columns;
}

const struct validation_cell *validation_cell(const struct validation_rows *rows, size_t row,
                                              size_t column)
{
    return &rows->cells.items[row * rows->n_columns + column];
}

void validation_add_row(struct validation_rows *rows, const struct validation_cell *cells)
{
    for (size_t c = 0; c < rows->n_columns; c++) {
        struct validation_cell cell = cells[c];
        cell.text = cell.text ? arena_strdup(rows->arena, cell.text) : NULL;
        VECTOR_PUSH(&rows->cells, cell);
    }
}

void validation_add_note(struct validation_rows *rows, const char *format, ...)
{
    struct text text = {0};
    va_list list;
    va_start(list, format);
    text_vprintf(&text, format, list);
    va_end(list);
    VECTOR_PUSH(&rows->notes, arena_strdup(rows->arena, text.data));
    text_free(&text);
}

struct validation_summary validation_summarise(const struct validation_rows *rows, size_t column)
{
    return validation_summarise_by(rows, column, 0, NULL);
}

struct validation_summary validation_summarise_by(const struct validation_rows *rows, size_t column,
                                                  size_t by, const char *text)
{
    bool high = rows->columns[column].worst == VALIDATION_WORST_HIGH;
    size_t count = validation_rows_count(rows);
    double *known = memory_alloc(count * sizeof *known);
    struct validation_summary summary = {.median = (double)NAN, .worst = (double)NAN};
    for (size_t r = 0; r < count; r++) {
        double value = validation_cell(rows, r, column)->number;
        const char *own = text ? validation_cell(rows, r, by)->text : NULL;
        if (isnan(value) || (text && (!own || strcmp(own, text) != 0)))
            continue;
        known[summary.known++] = value;
        if (isnan(summary.worst) || (high ? value > summary.worst : value < summary.worst)) {
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
