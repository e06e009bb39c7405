/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text tables. */
#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/utf8.h"

/* Texts of TABLE_TEXT characters are whole, so that what limits a design is not cut away; what
 * then is too wide goes on below. A label may have LABEL_LEAST even where that is too wide. */
enum { TABLE_GAP = 2, TABLE_TEXT = 24, LABEL_LEAST = 8 };

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
    size_t labels; /* in front of every block of columns; 0: there is one block */
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

/* The widest column of texts among the first `count` that is wider than `least`; `count`: none. */
static size_t widest_text(const struct table *table, size_t count, size_t least)
{
    size_t widest = count;
    for (size_t c = 0; c < count; c++)
        if (table->text[c] && table->widths[c] > least &&
            (widest == count || table->widths[c] > table->widths[widest]))
            widest = c;
    return widest;
}

static size_t table_indent(const struct table *table)
{
    return (size_t)(table->style->indent > 0 ? table->style->indent : 0);
}

/* What lines of the columns from `from` on have, behind blanks in front and labels. */
static size_t line_width(const struct table *table, size_t from, size_t to)
{
    size_t total = table_indent(table);
    for (size_t c = 0; c < to; c++)
        if (c < table->labels || c >= from)
            total += table->widths[c] + (c > 0 ? TABLE_GAP : 0);
    return total;
}

/* What names a row stands in front of all that goes on below: the first column, and the others up
 * to the last one of texts, as far as they leave half of the width. Other texts have room again. */
static void find_labels(struct table *table, const size_t *full)
{
    size_t width = (size_t)table->style->width, label = 0, room;
    while (line_width(table, 0, 1) > width / 2 && widest_text(table, 1, LABEL_LEAST) == 0)
        table->widths[0]--;
    for (size_t c = 1; c < table->columns && line_width(table, 0, c + 1) <= width / 2; c++)
        label = table->text[c] ? c : label;
    table->labels = label + 1;
    room = line_width(table, table->labels, table->labels) + TABLE_GAP;
    room = width > room + TABLE_TEXT ? width - room : TABLE_TEXT;
    for (size_t c = table->labels; c < table->columns; c++)
        table->widths[c] = table->text[c] && full[c] > room ? room : full[c];
}

/* The widths of all columns, and how many are repeated where the lines do not fit. */
static void find_widths(struct table *table)
{
    size_t columns = table->columns, total, widest;
    size_t *full = arena_alloc(table->arena, columns * sizeof *full);
    for (size_t c = 0; c < columns; c++) {
        full[c] = 0;
        for (size_t line = 0; line < table->lines; line++) {
            size_t width = text_width(table->cells[line * columns + c]);
            full[c] = width > full[c] ? width : full[c];
        }
        table->widths[c] = full[c];
    }
    total = line_width(table, 0, columns);
    for (; table->style->width > 0 && total > (size_t)table->style->width; total--) {
        if ((widest = widest_text(table, columns, TABLE_TEXT)) == columns) {
            find_labels(table, full);
            return;
        }
        table->widths[widest]--;
    }
}

/* Behind the last column that stands beside `from`: at least one does. */
static size_t block_end(const struct table *table, size_t from)
{
    size_t end = from + 1;
    if (!table->labels)
        return table->columns;
    while (end < table->columns && line_width(table, from, end + 1) <= (size_t)table->style->width)
        end++;
    return end;
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
    put_blanks(out, table_indent(table));
    if (table->style->colour && colour)
        text_append(out, colour);
    return table->style->colour && colour;
}

/* Columns that stand in the block [from, to). */
static bool in_block(const struct table *table, size_t from, size_t to, size_t c)
{
    return c < to && (c < table->labels || c >= from);
}

static void put_line(const struct table *table, size_t line, size_t from, size_t to,
                     const char *colour, struct text *out)
{
    const char **cells = table->cells + line * table->columns;
    bool coloured = put_begin(table, colour, out);
    size_t filled = 0; /* the last column with text: no blanks behind it */
    for (size_t c = 0; c < to; c++)
        filled = in_block(table, from, to, c) && cells[c][0] ? c : filled;
    for (size_t c = 0; c <= filled; c++) {
        if (!in_block(table, from, to, c))
            continue;
        put_blanks(out, c > 0 ? TABLE_GAP : 0);
        put_cell(out, cells[c], table->widths[c], table->text[c], c == filled);
    }
    text_append(out, coloured ? "\033[0m\n" : "\n");
}

static void put_rule(const struct table *table, size_t from, size_t to, struct text *out)
{
    bool coloured = put_begin(table, "\033[2m", out);
    for (size_t c = 0; c < to; c++) {
        if (!in_block(table, from, to, c))
            continue;
        put_blanks(out, c > 0 ? TABLE_GAP : 0);
        for (size_t i = 0; i < table->widths[c]; i++)
            text_append(out, "-");
    }
    text_append(out, coloured ? "\033[0m\n" : "\n");
}

/* Titles, units and all rows of some columns. */
static void put_block(const struct table *table, const struct sheet *sheet, size_t from, size_t to,
                      struct text *out)
{
    bool units = false;
    size_t rule = 0;
    for (size_t c = 0; c < to; c++)
        units |= in_block(table, from, to, c) && table->cells[table->columns + c][0];
    put_line(table, 0, from, to, "\033[1m", out);
    if (units)
        put_line(table, 1, from, to, "\033[2m", out);
    put_rule(table, from, to, out);
    for (size_t line = 2; line < table->lines; line++) {
        for (; rule < sheet->rules.count && sheet->rules.items[rule] + 2 == line; rule++)
            put_rule(table, from, to, out);
        put_line(table, line, from, to, NULL, out);
    }
}

void table_render(const struct sheet *sheet, const bool *shown, const struct table_style *style,
                  struct text *out)
{
    struct table table = {.style = style, .arena = arena_create()};
    text_append_bytes(out, "", 0);
    size_t begin = out->length;
    read_sheet(&table, sheet, shown);
    find_widths(&table);
    for (size_t from = 0, to; from < table.columns; from = to) {
        text_append(out, from ? "\n" : "");
        from = from < table.labels ? table.labels : from;
        to = from < table.columns ? block_end(&table, from) : from;
        put_block(&table, sheet, from, to, out);
    }
    if (style->ascii)
        out->length = begin + utf8_to_ascii(out->data + begin);
    arena_destroy(table.arena);
}
