/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as a stream. */
#include "report/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "core/unit.h"
#include "report/utf8.h"

static void json_line(struct json *json)
{
    fputc('\n', json->stream);
    for (int i = 0; i < json->depth; i++)
        fputs("  ", json->stream);
}

/* What stands before a value: nothing after a key, else a comma and a line. */
static void json_place(struct json *json)
{
    if (json->keyed) {
        json->keyed = false;
        return;
    }
    if (json->depth == 0)
        return;
    assert(!json->levels[json->depth - 1].object && "a value in an object needs a key");
    if (json->levels[json->depth - 1].filled)
        fputc(',', json->stream);
    json->levels[json->depth - 1].filled = true;
    json_line(json);
}

static void json_begin(struct json *json, bool object)
{
    json_place(json);
    assert(json->depth < JSON_DEPTH);
    fputc(object ? '{' : '[', json->stream);
    json->levels[json->depth].object = object;
    json->levels[json->depth].filled = false;
    json->depth++;
}

static void json_end(struct json *json, bool object)
{
    assert(json->depth > 0 && json->levels[json->depth - 1].object == object && !json->keyed);
    bool filled = json->levels[--json->depth].filled;
    if (filled)
        json_line(json);
    fputc(object ? '}' : ']', json->stream);
    if (json->depth == 0)
        fputc('\n', json->stream);
}

void json_begin_object(struct json *json)
{
    json_begin(json, true);
}

void json_end_object(struct json *json)
{
    json_end(json, true);
}

void json_begin_array(struct json *json)
{
    json_begin(json, false);
}

void json_end_array(struct json *json)
{
    json_end(json, false);
}

static void json_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    while (*text) {
        size_t length = utf8_length(text);
        switch (*text) {
        case '"':
        case '\\':
            fprintf(stream, "\\%c", *text);
            break;
        case '\n':
            fputs("\\n", stream);
            break;
        case '\t':
            fputs("\\t", stream);
            break;
        case '\r':
            fputs("\\r", stream);
            break;
        default:
            if (length == 0)
                fputs("\xef\xbf\xbd", stream);
            else if ((unsigned char)*text < ' ' || *text == 127)
                fprintf(stream, "\\u%04x", (unsigned)*text);
            else
                fwrite(text, 1, length, stream);
        }
        text += length ? length : 1;
    }
    fputc('"', stream);
}

void json_key(struct json *json, const char *key)
{
    assert(json->depth > 0 && json->levels[json->depth - 1].object && !json->keyed);
    if (json->levels[json->depth - 1].filled)
        fputc(',', json->stream);
    json->levels[json->depth - 1].filled = true;
    json_line(json);
    json_text(json->stream, key);
    fputs(": ", json->stream);
    json->keyed = true;
}

/* A value on its own is a document, and ends its line. */
static void json_finish(struct json *json)
{
    if (json->depth == 0)
        fputc('\n', json->stream);
}

void json_string(struct json *json, const char *text)
{
    json_place(json);
    if (text)
        json_text(json->stream, text);
    else
        fputs("null", json->stream);
    json_finish(json);
}

static void json_digits(FILE *stream, double value)
{
    char buffer[40];
    if (value == floor(value) && fabs(value) < 1e9) /* counts: 600000, not 6e+05 */
        fprintf(stream, "%.0f", value + 0.0);       /* no sign of a 0 */
    else
        fputs(isfinite(value) ? number_format(value, buffer, sizeof buffer) : "null", stream);
}

void json_number(struct json *json, double value)
{
    json_place(json);
    json_digits(json->stream, value);
    json_finish(json);
}

void json_integer(struct json *json, int64_t value)
{
    json_place(json);
    fprintf(json->stream, "%" PRId64, value);
    json_finish(json);
}

void json_bool(struct json *json, bool value)
{
    json_place(json);
    fputs(value ? "true" : "false", json->stream);
    json_finish(json);
}

void json_null(struct json *json)
{
    json_string(json, NULL);
}

void json_pair_string(struct json *json, const char *key, const char *text)
{
    json_key(json, key);
    json_string(json, text);
}

void json_pair_number(struct json *json, const char *key, double value)
{
    json_key(json, key);
    json_number(json, value);
}

void json_numbers(struct json *json, const double *values, size_t count)
{
    json_place(json);
    fputc('[', json->stream);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputs(", ", json->stream);
        json_digits(json->stream, values[i]);
    }
    fputc(']', json->stream);
    json_finish(json);
}
