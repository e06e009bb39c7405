/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text tables. */
#include "report/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/utf8.h"

enum { TABLE_GAP = 2, TABLE_LEAST = 8 };

struct table_heading {
    char *title, *unit;
    enum table_align align;
};

struct table_row {
    size_t first; /* its first cell */
    size_t cells;
    bool marked, rule; /* `rule`: a line, no cells */
};

struct table {
    struct {
        struct table_heading *items;
        size_t count, capacity;
    } columns;
    struct {
        char **items;
        size_t count, capacity;
    } cells;
    struct {
        struct table_row *items;
        size_t count, capacity;
    } rows;
};

struct table *table_create(void)
{
    return memory_zero(1, sizeof(struct table));
}

void table_destroy(struct table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->columns.count; i++) {
        free(table->columns.items[i].title);
        free(table->columns.items[i].unit);
    }
    for (size_t i = 0; i < table->cells.count; i++)
        free(table->cells.items[i]);
    VECTOR_FREE(&table->columns);
    VECTOR_FREE(&table->cells);
    VECTOR_FREE(&table->rows);
    free(table);
}

static char *table_clean(const char *text)
{
    char *copy = memory_strdup(text ? text : "");
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = ' ';
    return copy;
}

void table_column(struct table *table, const char *title, const char *unit, enum table_align align)
{
    VECTOR_PUSH(&table->columns,
                (struct table_heading){table_clean(title), table_clean(unit), align});
}

void table_cell(struct table *table, const char *text)
{
    struct table_row *row = table->rows.count ? &table->rows.items[table->rows.count - 1] : NULL;
    if (!row || row->rule || row->cells == table->columns.count) {
        VECTOR_PUSH(&table->rows, (struct table_row){.first = table->cells.count});
        row = &table->rows.items[table->rows.count - 1];
    }
    VECTOR_PUSH(&table->cells, table_clean(text));
    row->cells++;
}

void table_printf(struct table *table, const char *format, ...)
{
    struct text text = {0};
    va_list list;
    va_start(list, format);
    text_vprintf(&text, format, list);
    va_end(list);
    table_cell(table, text.data);
    text_free(&text);
}

void table_number(struct table *table, double value, int digits)
{
    char buffer[40];
    if (isnan(value))
        table_cell(table, "-");
    else
        table_cell(table, number_round(value, digits > 0 ? digits : 4, buffer, sizeof buffer));
}

void table_quantity(struct table *table, struct quantity quantity, int digits)
{
    char buffer[80];
    if (isnan(quantity.value))
        table_cell(table, "-");
    else
        table_cell(table, quantity_format(quantity, digits, buffer, sizeof buffer));
}

void table_percent(struct table *table, double share)
{
    if (isnan(share))
        table_cell(table, "-");
    else
        table_printf(table, "%.1f %%", 100 * share);
}

void table_end_row(struct table *table)
{
    struct table_row *row = table->rows.count ? &table->rows.items[table->rows.count - 1] : NULL;
    while (row && !row->rule && row->cells < table->columns.count)
        table_cell(table, "");
}

void table_rule(struct table *table)
{
    table_end_row(table);
    VECTOR_PUSH(&table->rows, (struct table_row){.rule = true});
}

void table_mark_row(struct table *table)
{
    if (table->rows.count)
        table->rows.items[table->rows.count - 1].marked = true;
}

static size_t table_text_width(const char *text)
{
    size_t width;
    utf8_prefix(text, SIZE_MAX, &width);
    return width;
}

static const char *row_cell(const struct table *table, const struct table_row *row, size_t column)
{
    return column < row->cells ? table->cells.items[row->first + column] : "";
}

/* The widths of all columns, cut until the lines fit. */
static void table_widths(const struct table *table, const struct table_style *style, size_t *widths)
{
    size_t columns = table->columns.count, total = (size_t)(style->indent > 0 ? style->indent : 0);
    for (size_t c = 0; c < columns; c++) {
        size_t width = table_text_width(table->columns.items[c].title);
        size_t unit = table_text_width(table->columns.items[c].unit);
        width = unit > width ? unit : width;
        for (size_t r = 0; r < table->rows.count; r++) {
            size_t cell = table_text_width(row_cell(table, &table->rows.items[r], c));
            width = cell > width ? cell : width;
        }
        widths[c] = width;
        total += width + (c > 0 ? TABLE_GAP : 0);
    }
    while (style->width > 0 && total > (size_t)style->width) {
        size_t widest = columns;
        for (size_t c = 0; c < columns; c++)
            if (table->columns.items[c].align == TABLE_LEFT && widths[c] > TABLE_LEAST &&
                (widest == columns || widths[c] > widths[widest]))
                widest = c;
        if (widest == columns)
            return;
        widths[widest]--;
        total--;
    }
}

static void put_blanks(struct text *out, size_t count)
{
    while (count-- > 0)
        text_append_bytes(out, " ", 1);
}

/* One cell, cut or padded. The last column is not padded on its right. */
static void put_cell(struct text *out, const char *text, size_t width, enum table_align align,
                     bool last)
{
    size_t full = table_text_width(text), shown;
    bool cut = full > width;
    size_t bytes = utf8_prefix(text, cut ? width - 1 : width, &shown);
    size_t pad = width - shown - cut;
    if (align == TABLE_RIGHT)
        put_blanks(out, pad);
    text_append_bytes(out, text, bytes);
    if (cut)
        text_append(out, "\xe2\x80\xa6"); /* an ellipsis */
    if (align == TABLE_LEFT && !last)
        put_blanks(out, pad);
}

enum line_kind { LINE_TITLES, LINE_UNITS, LINE_CELLS };

static void put_line(const struct table *table, const struct table_style *style,
                     const size_t *widths, enum line_kind kind, const struct table_row *row,
                     struct text *out)
{
    const char *on = kind == LINE_TITLES || (row && row->marked) ? "\033[1m" : "\033[2m";
    bool coloured = style->colour && (kind != LINE_CELLS || row->marked);
    size_t filled = 0; /* the last column with text: no blanks behind it */
    for (size_t c = 0; c < table->columns.count; c++) {
        const struct table_heading *heading = &table->columns.items[c];
        const char *text = kind == LINE_TITLES  ? heading->title
                           : kind == LINE_UNITS ? heading->unit
                                                : row_cell(table, row, c);
        filled = text[0] ? c : filled;
    }
    put_blanks(out, (size_t)(style->indent > 0 ? style->indent : 0));
    if (coloured)
        text_append(out, on);
    for (size_t c = 0; c <= filled; c++) {
        const struct table_heading *heading = &table->columns.items[c];
        const char *text = kind == LINE_TITLES  ? heading->title
                           : kind == LINE_UNITS ? heading->unit
                                                : row_cell(table, row, c);
        if (c > 0)
            put_blanks(out, TABLE_GAP);
        put_cell(out, text, widths[c], heading->align, c == filled);
    }
    text_append(out, coloured ? "\033[0m\n" : "\n");
}

static void put_rule(const struct table *table, const struct table_style *style,
                     const size_t *widths, struct text *out)
{
    put_blanks(out, (size_t)(style->indent > 0 ? style->indent : 0));
    if (style->colour)
        text_append(out, "\033[2m");
    for (size_t c = 0; c < table->columns.count; c++) {
        for (size_t i = 0; i < widths[c]; i++)
            text_append(out, "-");
        if (c + 1 < table->columns.count)
            put_blanks(out, TABLE_GAP);
    }
    text_append(out, style->colour ? "\033[0m\n" : "\n");
}

void table_render(const struct table *table, const struct table_style *style, struct text *out)
{
    size_t columns = table->columns.count;
    bool units = false;
    text_append_bytes(out, "", 0);
    if (columns == 0)
        return;
    size_t begin = out->length;
    size_t *widths = memory_alloc(columns * sizeof *widths);
    table_widths(table, style, widths);
    for (size_t c = 0; c < columns; c++)
        units |= table->columns.items[c].unit[0] != '\0';
    put_line(table, style, widths, LINE_TITLES, NULL, out);
    if (units)
        put_line(table, style, widths, LINE_UNITS, NULL, out);
    put_rule(table, style, widths, out);
    for (size_t r = 0; r < table->rows.count; r++) {
        const struct table_row *row = &table->rows.items[r];
        if (row->rule)
            put_rule(table, style, widths, out);
        else
            put_line(table, style, widths, LINE_CELLS, row, out);
    }
    if (style->ascii)
        out->length = begin + utf8_to_ascii(out->data + begin);
    free(widths);
}
