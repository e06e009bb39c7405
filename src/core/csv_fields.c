/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of CSV text. */
#include "core/csv_fields.h"

#include <string.h>

int csv_text_init(struct csv_text *text, const char *file, const char *data, size_t size,
                  struct error *error)
{
    const char *nul = memchr(data, '\0', size);
    size_t mark = strncmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *text = (struct csv_text){file, data + mark, data + size};
    return nul ? csv_text_refuse(text, nul, error, "a NUL byte: this is not text") : 0;
}

struct mark csv_text_mark(const struct csv_text *text, const char *at)
{
    struct mark mark = {.file = text->file, .line = 1, .source = text->begin};
    for (const char *c = text->begin; c < at; c++)
        if (*c == '\n') {
            mark.line++;
            mark.source = c + 1;
        }
    mark.column = at - mark.source + 1;
    return mark;
}

int csv_text_refuse(const struct csv_text *text, const char *at, struct error *error,
                    const char *message)
{
    struct mark mark = csv_text_mark(text, at);
    return error_at(error, STATUS_INPUT, &mark, "%s", message);
}

/* Passes over the inside of quotes; *at is on the opening one, then behind the
 * closing one. */
static int quotes_pass(const struct csv_text *text, const char **at, struct error *error)
{
    const char *c = *at + 1;
    for (;;) {
        c = memchr(c, '"', (size_t)(text->end - c));
        if (!c)
            return csv_text_refuse(text, *at, error, "this quote is never closed");
        if (c[1] != '"')
            break;
        c += 2; /* a doubled quote is a quote */
    }
    *at = c + 1;
    if (*at < text->end && **at != ',' && **at != '\n' && **at != '\r')
        return csv_text_refuse(text, *at, error,
                               "expected a comma or the end of the line after \"");
    return 0;
}

int csv_field_pass(const struct csv_text *text, const char **at, struct error *error)
{
    const char *begin = *at;
    if (*begin == '"') {
        int status = quotes_pass(text, at, error);
        if (status)
            return status;
    } else {
        *at += strcspn(*at, ",\n\r\"");
        if (**at == '"') {
            csv_text_refuse(text, *at, error, "a quote inside a cell that does not begin with one");
            return error_hint(error,
                              "quote the whole cell and double the quotes in it: \"5\"\" disk\"");
        }
    }
    if (*at - begin > CSV_CELL_LIMIT)
        return csv_text_refuse(text, begin, error, "this cell has more than 10 MiB");
    if (**at == '\r' && (*at)[1] != '\n')
        return csv_text_refuse(text, *at, error, "a carriage return without a line feed");
    return 0;
}

const char *csv_line_end_pass(const struct csv_text *text, const char *at)
{
    at += at < text->end && *at == '\r' && at[1] == '\n';
    at += at < text->end && *at == '\n';
    return at;
}

const char *csv_empty_lines_pass(const struct csv_text *text, const char *at)
{
    for (const char *next; (next = csv_line_end_pass(text, at)) != at;)
        at = next;
    return at;
}

void csv_field_unquote(struct csv_field field, struct text *out)
{
    const char *begin = field.begin, *end = field.end;
    out->length = 0;
    if (begin == end || *begin != '"') {
        text_append_bytes(out, begin, (size_t)(end - begin));
        return;
    }
    text_append_bytes(out, "", 0);
    for (begin++, end--; begin < end;) {
        const char *quote = memchr(begin, '"', (size_t)(end - begin));
        const char *stop = quote ? quote + 1 : end;
        text_append_bytes(out, begin, (size_t)(stop - begin));
        begin = quote ? quote + 2 : end;
    }
}
