/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV, written and read. */
#include "core/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/parallel.h"
#include "core/suggest.h"
#include "core/unit.h"

enum { INTERRUPT_ROWS = 4096 }; /* between two looks at the flag of Ctrl-C */

/* --- writing */

static void csv_begin_cell(struct csv_writer *writer)
{
    if (writer->column++ > 0)
        fputc(',', writer->stream);
}

void csv_write_text(struct csv_writer *writer, const char *text)
{
    size_t length = strlen(text);
    bool blank_ends = length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
    csv_begin_cell(writer);
    /* A lone empty cell would be an empty line, which readers skip. */
    if (!blank_ends && !strpbrk(text, ",\"\r\n") && (length > 0 || writer->column > 1)) {
        fputs(text, writer->stream);
        return;
    }
    fputc('"', writer->stream);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            fputc('"', writer->stream);
        fputc(*c, writer->stream);
    }
    fputc('"', writer->stream);
}

void csv_write_number(struct csv_writer *writer, double value)
{
    char buffer[40];
    csv_begin_cell(writer);
    fputs(number_format(value, buffer, sizeof buffer), writer->stream);
}

void csv_write_known(struct csv_writer *writer, double value)
{
    if (isnan(value))
        csv_write_text(writer, "");
    else
        csv_write_number(writer, value);
}

void csv_write_integer(struct csv_writer *writer, uint64_t value)
{
    csv_begin_cell(writer);
    fprintf(writer->stream, "%" PRIu64, value);
}

void csv_end_row(struct csv_writer *writer)
{
    fputc('\n', writer->stream);
    writer->column = 0;
}

/* --- reading: one pass checks the text and notes where rows begin; cells are
 * cut out of it when they are asked for. */

/* Passes over a row and its line end; counts its cells. */
static int csv_pass_row(const struct csv *csv, const char **at, size_t *cells, struct error *error)
{
    for (*cells = 1;; ++*cells) {
        int status = csv_field_pass(&csv->text, at, error);
        if (status)
            return status;
        if (**at != ',')
            break;
        ++*at;
    }
    *at = csv_line_end_pass(&csv->text, *at);
    return 0;
}

/* Where the cell begins, and *end where it ends, quotes included. */
static const char *csv_find_cell(const char *row, size_t column, const char **end)
{
    for (const char *at = row;; at++) {
        const char *begin = at;
        if (*at == '"') {
            for (at++; !(at[0] == '"' && at[1] != '"'); at++)
                at += at[0] == '"';
            at++;
        } else {
            at += strcspn(at, ",\n\r");
        }
        if (column-- == 0) {
            *end = at;
            return begin;
        }
    }
}

struct csv_title {
    const char *text;
    size_t column;
};

static int compare_titles(const void *a, const void *b)
{
    const struct csv_title *left = a, *right = b;
    int order = strcmp(left->text, right->text);
    return order ? order : (left->column > right->column) - (left->column < right->column);
}

static int csv_check_titles(const struct csv *csv, const char *header, struct error *error)
{
    struct csv_title *titles = memory_alloc(csv->columns * sizeof *titles);
    int status = 0;
    for (size_t c = 0; c < csv->columns; c++)
        titles[c] = (struct csv_title){csv->titles[c], c};
    qsort(titles, csv->columns, sizeof *titles, compare_titles);
    for (size_t i = 0; i < csv->columns && !status; i++) {
        bool twice = i > 0 && strcmp(titles[i - 1].text, titles[i].text) == 0;
        if (titles[i].text[0] && !twice)
            continue;
        const char *end;
        struct mark mark = csv_text_mark(&csv->text, csv_find_cell(header, titles[i].column, &end));
        if (twice)
            status = error_at(error, STATUS_INPUT, &mark,
                              "columns %zu and %zu have the same name \"%.80s\"",
                              titles[i - 1].column + 1, titles[i].column + 1, titles[i].text);
        else
            status = error_at(error, STATUS_INPUT, &mark, "column %zu has no name",
                              titles[i].column + 1);
    }
    free(titles);
    return status;
}

static int csv_read_header(struct csv *csv, const char *header, struct error *error)
{
    struct text cell = {0};
    const char *begin = header, *end;
    csv->titles = memory_zero(csv->columns, sizeof *csv->titles);
    for (size_t c = 0; c < csv->columns; c++, begin = end + 1) {
        begin = csv_find_cell(begin, 0, &end);
        csv_field_unquote((struct csv_field){begin, end}, &cell);
        csv->titles[c] = memory_strdup(cell.data);
    }
    text_free(&cell);
    return csv_check_titles(csv, header, error);
}

static int csv_index(struct csv *csv, struct error *error)
{
    const char *end = csv->text.end, *at = csv_empty_lines_pass(&csv->text, csv->text.begin);
    struct {
        size_t *items;
        size_t count, capacity;
    } starts = {0};
    int status = 0;
    if (at == end)
        return error_set(error, STATUS_INPUT, "%s is empty: expected a line of column names",
                         csv->name);
    const char *header = at;
    while (at < end && !status) {
        if (starts.count % INTERRUPT_ROWS == 0 && (status = interrupt_check(error)))
            break;
        size_t cells;
        const char *begin = at;
        VECTOR_PUSH(&starts, (size_t)(at - csv->data));
        status = csv_pass_row(csv, &at, &cells, error);
        if (!status && starts.count == 1) {
            csv->columns = cells;
            status = csv_read_header(csv, header, error);
        } else if (!status && cells != csv->columns) {
            struct mark mark = csv_text_mark(&csv->text, begin);
            status = error_at(error, STATUS_INPUT, &mark,
                              "this row has %zu cell%s, but the header has %zu", cells,
                              cells == 1 ? "" : "s", csv->columns);
        }
        at = csv_empty_lines_pass(&csv->text, at);
    }
    VECTOR_PUSH(&starts, csv->size);
    csv->starts = starts.items;
    csv->rows = starts.count - 2;
    return status;
}

/* Takes `data`. */
static int csv_adopt(const char *name, char *data, size_t size, struct csv **out,
                     struct error *error)
{
    struct csv *csv = memory_zero(1, sizeof *csv);
    csv->name = memory_strdup(name);
    csv->data = data;
    csv->size = size;
    int status = csv_text_init(&csv->text, csv->name, data, size, error);
    if (!status)
        status = csv_index(csv, error);
    if (status) {
        csv_destroy(csv);
        csv = NULL;
    }
    *out = csv;
    return status;
}

int csv_load(const char *path, struct csv **out, struct error *error)
{
    char *data;
    size_t size;
    bool standard = strcmp(path, "-") == 0;
    *out = NULL;
    int status = file_read(standard ? "/dev/stdin" : path, SIZE_MAX / 2, &data, &size, error);
    if (status)
        return status;
    return csv_adopt(standard ? "standard input" : path, data, size, out, error);
}

int csv_parse(const char *name, const char *text, size_t size, struct csv **out,
              struct error *error)
{
    char *data = memory_alloc(size + 1);
    if (size)
        memcpy(data, text, size);
    data[size] = '\0';
    return csv_adopt(name, data, size, out, error);
}

void csv_destroy(struct csv *csv)
{
    if (!csv)
        return;
    for (size_t c = 0; csv->titles && c < csv->columns; c++)
        free(csv->titles[c]);
    free(csv->titles);
    free(csv->starts);
    free(csv->data);
    free(csv->name);
    free(csv);
}

void csv_list_titles(const struct csv *csv, struct text *out)
{
    size_t limit = out->length + 300;
    for (size_t c = 0; c < csv->columns && out->length < limit; c++)
        text_printf(out, "%s%.80s", c ? ", " : "", csv->titles[c]);
    if (out->length >= limit)
        text_append(out, ", ...");
}

int csv_column(const struct csv *csv, const char *title, size_t *out, struct error *error)
{
    struct suggest suggest = suggest_begin(title);
    for (size_t c = 0; c < csv->columns; c++) {
        if (strcmp(csv->titles[c], title) == 0) {
            *out = c;
            return 0;
        }
        suggest_offer(&suggest, csv->titles[c]);
    }
    struct text names = {0};
    csv_list_titles(csv, &names);
    error_set(error, STATUS_INPUT, "%s has no column \"%.80s\"", csv->name, title);
    if (suggest.best)
        error_hint(error, "did you mean \"%.80s\"? columns: %s", suggest.best, names.data);
    else if (csv->columns == 1 && strpbrk(csv->titles[0], ";\t"))
        error_hint(error, "its one column is \"%.80s\": cells must be separated by commas",
                   csv->titles[0]);
    else
        error_hint(error, "columns: %s", names.data);
    text_free(&names);
    return STATUS_INPUT;
}

struct csv_slice csv_row(const struct csv *csv, long row)
{
    const char *begin = csv->data + csv->starts[row + 1], *end;
    csv_find_cell(begin, csv->columns - 1, &end);
    return (struct csv_slice){begin, (size_t)(end - begin)};
}

const char *csv_cell(const struct csv *csv, size_t row, size_t column, struct text *scratch)
{
    const char *end, *begin = csv_find_cell(csv->data + csv->starts[row + 1], column, &end);
    csv_field_unquote((struct csv_field){begin, end}, scratch);
    return scratch->data;
}

struct mark csv_mark(const struct csv *csv, size_t row, size_t column)
{
    const char *end, *begin = csv_find_cell(csv->data + csv->starts[row + 1], column, &end);
    return csv_text_mark(&csv->text, begin + (*begin == '"'));
}

int csv_numbers(const struct csv *csv, size_t column, double *out, struct error *error)
{
    struct text scratch = {0};
    int status = 0;
    for (size_t row = 0; row < csv->rows && !status; row++) {
        if (row % INTERRUPT_ROWS == 0 && (status = interrupt_check(error)))
            break;
        const char *cell = csv_cell(csv, row, column, &scratch);
        cell += strspn(cell, " \t");
        size_t length = strlen(cell);
        while (length > 0 && strchr(" \t", cell[length - 1]))
            length--;
        scratch.data[(size_t)(cell - scratch.data) + length] = '\0';
        if (number_scan(cell, &out[row]))
            continue;
        struct mark mark = csv_mark(csv, row, column);
        status = length ? error_at(error, STATUS_INPUT, &mark,
                                   "column \"%.80s\": expected a finite number, got \"%.80s\"",
                                   csv->titles[column], cell)
                        : error_at(error, STATUS_INPUT, &mark,
                                   "column \"%.80s\": expected a number, the cell is empty",
                                   csv->titles[column]);
    }
    text_free(&scratch);
    return status;
}
