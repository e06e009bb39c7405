/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/fold.h"

#include <string.h>

#include "report/utf8.h"

enum { FURTHER_IN = 2 };

static size_t characters(const char *text, size_t bytes)
{
    size_t count = 0;
    for (const char *end = text + bytes; text < end; count++) {
        size_t length = utf8_length(text);
        text += length ? length : 1;
    }
    return count;
}

/* Where a line goes on: behind what stands in columns of its own before (two blanks or more), if
 * that leaves half of the width; else a little further in than it begins. */
static size_t next_column(const char *line, size_t bytes, size_t indent, size_t width)
{
    size_t further = indent + FURTHER_IN, column = 0;
    for (size_t i = 0; i < bytes && column <= width / 2;) {
        size_t length = utf8_length(line + i);
        if (column > indent && i >= 2 && line[i] != ' ' && line[i - 1] == ' ' && line[i - 2] == ' ')
            further = column;
        i += length ? length : 1;
        column++;
    }
    return further;
}

/* A line by itself, without its end. */
static void fold_line(const char *line, size_t bytes, size_t width, struct text *out)
{
    const char *end = line + bytes, *word = line + strspn(line, " ");
    size_t indent = (size_t)(word - line), column = indent, blanks = 0;
    size_t further = next_column(line, bytes, indent, width);
    if (characters(line, bytes) <= width || word >= end) {
        text_append_bytes(out, line, bytes);
        return;
    }
    text_printf(out, "%*s", (int)indent, "");
    while (word < end) {
        size_t length = strcspn(word, " \n"), shown = characters(word, length);
        if (blanks && column + blanks + shown > width && column > further) {
            text_printf(out, "\n%*s", (int)further, "");
            column = further;
            blanks = 0;
        }
        text_printf(out, "%*s%.*s", (int)blanks, "", (int)length, word);
        column += blanks + shown;
        blanks = strspn(word + length, " ");
        word += length + blanks;
    }
}

void fold_lines(const char *lines, int width, struct text *out)
{
    for (const char *line = lines; *line;) {
        size_t bytes = strcspn(line, "\n");
        if (width > 0)
            fold_line(line, bytes, (size_t)width, out);
        else
            text_append_bytes(out, line, bytes);
        line += bytes;
        if (*line == '\n') {
            text_append(out, "\n");
            line++;
        }
    }
}
