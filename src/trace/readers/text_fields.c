/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of the text form. */
#include "trace/readers/text_fields.h"

#include <string.h>

#include "core/suggest.h"
#include "trace/input/scan.h"

_Static_assert((int)TEXT_LINE_ENDED != (int)STATUS_INPUT, "results of text_word");

#define TEXT_NUMBER_LIMIT ((uint64_t)1 << 60)

int text_line_next(struct text_line *line, struct error *error)
{
    int status;
    while ((status = line_reader_next_filled(line->lines, &line->at, error)) > 0)
        if (*line->at != '#')
            break;
    return status;
}

int text_expected(const struct text_line *line, const char *at, const char *wanted,
                  struct error *error)
{
    size_t length = (size_t)(scan_field_end(at) - at);
    if (length == 0)
        return line_reader_error(line->lines, at, error, "expected %s", wanted);
    return line_reader_error(line->lines, at, error, "expected %s, got \"%.*s\"%s", wanted,
                             (int)(length < 40 ? length : 40), at, length < 40 ? "" : "...");
}

/* Nothing but a comment is left. */
static bool text_line_ended(struct text_line *line)
{
    line->at = scan_blanks(line->at);
    return *line->at == '\0' || *line->at == '#';
}

int text_line_end(struct text_line *line, struct error *error)
{
    return text_line_ended(line) ? 0 : text_expected(line, line->at, "the end of the line", error);
}

bool text_scan_number(const char **at, uint64_t *out)
{
    const char *p = scan_skip_0x(*at);
    bool good = p != *at ? scan_hex_digits(&p, out) : scan_decimal_digits(&p, out);
    if (!good || *out >= TEXT_NUMBER_LIMIT)
        return false;
    *at = p;
    return true;
}

int text_number(struct text_line *line, const char *wanted, uint64_t min, uint64_t max,
                uint64_t *out, struct error *error)
{
    const char *begin = line->at = scan_blanks(line->at);
    if (!text_scan_number(&line->at, out) || !scan_is_field_end(*line->at) || *out < min ||
        *out > max)
        return text_expected(line, begin, wanted, error);
    return 0;
}

int text_signed(struct text_line *line, const char *wanted, int64_t *out, struct error *error)
{
    uint64_t size;
    const char *begin = line->at, *at = begin + (*begin == '-' || *begin == '+');
    if (!text_scan_number(&at, &size) || !scan_is_field_end(*at))
        return text_expected(line, begin, wanted, error);
    *out = *begin == '-' ? -(int64_t)size : (int64_t)size;
    line->at = at;
    return 0;
}

int text_hex(struct text_line *line, const char *wanted, uint64_t max, uint64_t *out,
             struct error *error)
{
    const char *begin = line->at, *at = scan_skip_0x(begin);
    if (!scan_hex_digits(&at, out) || !scan_is_field_end(*at) || *out > max)
        return text_expected(line, begin, wanted, error);
    line->at = at;
    return 0;
}

int text_dimensions(struct text_line *line, uint32_t out[3], struct error *error)
{
    const char *begin = line->at;
    for (int i = 0; i < 3; i++) {
        uint64_t value = 1;
        if (i == 0 || *line->at == ',') {
            line->at += i > 0;
            if (!text_scan_number(&line->at, &value) || value < 1 || value > UINT32_MAX)
                return text_expected(line, begin, "dimensions such as 8 or 8,4,1", error);
        }
        out[i] = (uint32_t)value;
    }
    if (!scan_is_field_end(*line->at))
        return text_expected(line, begin, "dimensions such as 8 or 8,4,1", error);
    return 0;
}

int text_name(struct text_line *line, struct text *out, struct error *error)
{
    const char *at = line->at = scan_blanks(line->at);
    out->length = 0;
    text_append(out, "");
    if (*at != '"') {
        if (text_line_ended(line))
            return text_expected(line, at, "a name", error);
        line->at = scan_field_end(at);
        text_append_bytes(out, at, (size_t)(line->at - at));
        return 0;
    }
    for (at++; *at != '"'; at++) {
        if (*at == '\\' && (at[1] == '"' || at[1] == '\\'))
            at++;
        if (*at == '\0')
            return text_expected(line, at, "a quote that ends the name", error);
        text_append_bytes(out, at, 1);
    }
    line->at = at + 1;
    if (!scan_is_field_end(*line->at))
        return text_expected(line, line->at, "a blank behind the name", error);
    return 0;
}

/* Length of the word at `at` up to and with '='. */
static size_t text_word_length(const char *at)
{
    size_t length = 0;
    while ((unsigned char)at[length] > ' ')
        if (at[length++] == '=')
            break;
    return length;
}

static int text_unknown_word(const struct text_line *line, const struct file_key *words,
                             size_t length, const char *what, struct error *error)
{
    char wanted[64] = "";
    memcpy(wanted, line->at, length < sizeof wanted ? length : sizeof wanted - 1);
    struct suggest suggest = suggest_begin(wanted);
    struct text all = {0};
    for (int i = 0; words[i].name; i++) {
        suggest_offer(&suggest, words[i].name);
        text_printf(&all, "%s%s", i ? ", " : "", words[i].name);
    }
    line_reader_error(line->lines, line->at, error, "there is no %s \"%s\"", what, wanted);
    suggest_hint(&suggest, error);
    error_hint(error, "known: %s", all.data);
    text_free(&all);
    return STATUS_INPUT;
}

int text_word(struct text_line *line, const struct file_key *words, unsigned *seen,
              const char *what, struct error *error)
{
    if (text_line_ended(line))
        return TEXT_LINE_ENDED;
    size_t length = text_word_length(line->at);
    for (int i = 0; words[i].name; i++) {
        const char *name = words[i].name;
        if (strncmp(name, line->at, length) != 0 || name[length] != '\0')
            continue;
        if (seen && *seen >> i & 1)
            return line_reader_error(line->lines, line->at, error, "\"%s\" is given twice", name);
        if (seen)
            *seen |= 1u << i;
        line->at += length;
        return i;
    }
    return text_unknown_word(line, words, length, what, error);
}
