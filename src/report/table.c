/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text tables. */
#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/utf8.h"

enum { TABLE_GAP = 2, TABLE_LEAST = 8 };

/* --- cells ---------------------------------------------------------------------------- */

const char *table_number(const struct sheet_column *column, double value, char *buffer, size_t size)
{
    if (isnan(value))
        snprintf(buffer, size, "-");
    else if (column->kind == SHEET_PERCENT) /* two decimals: small errors can be compared */
        snprintf(buffer, size, "%.2f", 100 * value);
    else if (column->kind == SHEET_SHARE)
        snprintf(buffer, size, "%.1f %%", 100 * value);
    else if (column->kind == SHEET_MEGABYTES)
        number_round(value * 1e-6, column->digits ? column->digits : 4, buffer, size);
    else if (column->kind == SHEET_COUNT || column->kind == SHEET_FIXED)
        snprintf(buffer, size, "%.*f", column->digits, value);
    else if (column->kind == SHEET_TRUTH)
        snprintf(buffer, size, "%s", value != 0 ? "yes" : "no");
    else
        quantity_format((struct quantity){value, column->dim}, column->digits, buffer, size);
    return buffer;
}

/* "64", "64x2", "64x2x8" */
static void shape_text(const uint32_t *shape, char *buffer, size_t size)
{
    int n = shape[2] > 1 ? 3 : shape[1] > 1 ? 2 : 1;
    size_t used = 0;
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%" PRIu32, i ? "x" : "", shape[i]);
}

static const char *cell_text(const struct sheet *sheet, size_t row, size_t column, char *buffer,
                             size_t size)
{
    const struct sheet_cell *cell = sheet_at(sheet, row, column);
    enum sheet_kind kind = sheet->columns[column].kind;
    if (cell->text)
        return cell->text;
    if (!sheet_knows(sheet, row, column))
        return "-";
    if (kind == SHEET_INTEGER)
        snprintf(buffer, size, "%" PRIu64, cell->integer);
    else if (kind == SHEET_SHAPE)
        shape_text(cell->shape, buffer, size);
    else
        table_number(&sheet->columns[column], cell->number, buffer, size);
    return buffer;
}

/* --- lines ---------------------------------------------------------------------------- */

struct table {
    const struct table_style *style;
    size_t columns;
    bool *text;         /* by column: on the left side, and may be cut */
    size_t *widths;     /* by column */
    const char **cells; /* by line and column: titles, units, rows */
    size_t lines;
    struct arena *arena;
};

static const char *clean(struct arena *arena, const char *text)
{
    char *copy = arena_strdup(arena, text ? text : "");
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = ' ';
    return copy;
}

static void read_sheet(struct table *table, const struct sheet *sheet, const bool *shown)
{
    size_t rows = sheet_rows(sheet), at = 0;
    table->lines = 2 + rows;
    table->cells = arena_alloc(table->arena, table->lines * sheet->n_columns * sizeof(char *));
    table->text = arena_alloc(table->arena, sheet->n_columns * sizeof *table->text);
    table->widths = arena_alloc(table->arena, sheet->n_columns * sizeof *table->widths);
    for (size_t c = 0; c < sheet->n_columns; c++)
        if (sheet->columns[c].title && (!shown || shown[c]))
            table->columns++;
    for (size_t c = 0; c < sheet->n_columns; c++) {
        const struct sheet_column *column = &sheet->columns[c];
        const char **cells = table->cells + at;
        if (!column->title || (shown && !shown[c]))
            continue;
        cells[0] = clean(table->arena, column->title);
        cells[table->columns] = clean(table->arena, column->unit);
        for (size_t r = 0; r < rows; r++) {
            char buffer[80];
            const char *text = cell_text(sheet, r, c, buffer, sizeof buffer);
            cells[(2 + r) * table->columns] = clean(table->arena, text);
        }
        table->text[at++] = column->kind == SHEET_TEXT;
    }
}

static size_t text_width(const char *text)
{
    size_t width;
    utf8_prefix(text, SIZE_MAX, &width);
    return width;
}

/* The widths of all columns, cut until the lines fit. */
static void find_widths(struct table *table)
{
    const struct table_style *style = table->style;
    size_t columns = table->columns, total = (size_t)(style->indent > 0 ? style->indent : 0);
    for (size_t c = 0; c < columns; c++) {
        table->widths[c] = 0;
        for (size_t line = 0; line < table->lines; line++) {
            size_t width = text_width(table->cells[line * columns + c]);
            table->widths[c] = width > table->widths[c] ? width : table->widths[c];
        }
        total += table->widths[c] + (c > 0 ? TABLE_GAP : 0);
    }
    while (style->width > 0 && total > (size_t)style->width) {
        size_t widest = columns;
        for (size_t c = 0; c < columns; c++)
            if (table->text[c] && table->widths[c] > TABLE_LEAST &&
                (widest == columns || table->widths[c] > table->widths[widest]))
                widest = c;
        if (widest == columns)
            return;
        table->widths[widest]--;
        total--;
    }
}

static void put_blanks(struct text *out, size_t count)
{
    while (count-- > 0)
        text_append_bytes(out, " ", 1);
}

/* One cell, cut or padded. The last column is not padded on its right. */
static void put_cell(struct text *out, const char *text, size_t width, bool left, bool last)
{
    size_t full = text_width(text), shown;
    bool cut = full > width;
    size_t bytes = utf8_prefix(text, cut ? width - 1 : width, &shown);
    size_t pad = width - shown - cut;
    if (!left)
        put_blanks(out, pad);
    text_append_bytes(out, text, bytes);
    if (cut)
        text_append(out, "\xe2\x80\xa6"); /* an ellipsis */
    if (left && !last)
        put_blanks(out, pad);
}

static bool put_begin(const struct table *table, const char *colour, struct text *out)
{
    put_blanks(out, (size_t)(table->style->indent > 0 ? table->style->indent : 0));
    if (table->style->colour && colour)
        text_append(out, colour);
    return table->style->colour && colour;
}

static void put_line(const struct table *table, size_t line, const char *colour, struct text *out)
{
    const char **cells = table->cells + line * table->columns;
    bool coloured = put_begin(table, colour, out);
    size_t filled = 0; /* the last column with text: no blanks behind it */
    for (size_t c = 0; c < table->columns; c++)
        filled = cells[c][0] ? c : filled;
    for (size_t c = 0; c <= filled; c++) {
        put_blanks(out, c > 0 ? TABLE_GAP : 0);
        put_cell(out, cells[c], table->widths[c], table->text[c], c == filled);
    }
    text_append(out, coloured ? "\033[0m\n" : "\n");
}

static void put_rule(const struct table *table, struct text *out)
{
    bool coloured = put_begin(table, "\033[2m", out);
    for (size_t c = 0; c < table->columns; c++) {
        put_blanks(out, c > 0 ? TABLE_GAP : 0);
        for (size_t i = 0; i < table->widths[c]; i++)
            text_append(out, "-");
    }
    text_append(out, coloured ? "\033[0m\n" : "\n");
}

void table_render(const struct sheet *sheet, const bool *shown, const struct table_style *style,
                  struct text *out)
{
    struct table table = {.style = style, .arena = arena_create()};
    bool units = false;
    size_t rule = 0;
    text_append_bytes(out, "", 0);
    size_t begin = out->length;
    read_sheet(&table, sheet, shown);
    find_widths(&table);
    for (size_t c = 0; c < table.columns; c++)
        units |= table.cells[table.columns + c][0] != '\0';
    if (table.columns)
        put_line(&table, 0, "\033[1m", out);
    if (units)
        put_line(&table, 1, "\033[2m", out);
    if (table.columns)
        put_rule(&table, out);
    for (size_t line = 2; line < table.lines && table.columns; line++) {
        for (; rule < sheet->rules.count && sheet->rules.items[rule] + 2 == line; rule++)
            put_rule(&table, out);
        put_line(&table, line, NULL, out);
    }
    if (style->ascii)
        out->length = begin + utf8_to_ascii(out->data + begin);
    arena_destroy(table.arena);
}
