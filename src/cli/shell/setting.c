/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shell/setting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_SHOWN = 4, DIGITS_ALL = 17 };

static const char number_characters[] = "0123456789.eE+-";

/* As few digits as read back to the same value. */
static void append_number(const struct parameter *parameter, double number, struct dim dim,
                          int digits, struct text *out)
{
    char buffer[64];
    struct quantity same;
    if (parameter->row->kind != PARAMETER_QUANTITY) {
        text_append(out, number_format(number, buffer, sizeof buffer));
        return;
    }
    do
        quantity_format((struct quantity){number, dim}, digits, buffer, sizeof buffer);
    while (digits++ < DIGITS_ALL && !(quantity_scan(buffer, &same) == 0 && same.value == number));
    text_append(out, buffer);
}

/* 96 GB/s and 10 % more are 105.6 GB/s, whatever the last bits of 1.1 are. */
static double round_result(double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.12g", value);
    return strtod(digits, NULL);
}

/* What an operator makes of a value. `text`: behind it. */
static int apply(const struct parameter *parameter, char operator, const char * text,
                 const struct parameter_value *value, double *out, struct error *error)
{
    struct quantity by;
    bool scanned = quantity_scan(text, &by) == 0, plain = scanned && dim_equal(by.dim, DIM_NONE);
    bool percent = plain && strchr(text, '%');
    *out = value->number;
    if (operator== '*' && plain)
        *out *= by.value;
    else if (operator== '/' && plain && by.value != 0)
        *out /= by.value;
    else if (percent)
        *out *= operator== '+' ? 1 + by.value : 1 - by.value;
    else if (operator!= '*' && operator!= '/' && scanned &&(
                 dim_equal(by.dim, value->dim) || (plain && dim_equal(value->dim, DIM_NONE))))
        *out += operator== '+' ? by.value : - by.value;
    else
        return error_set(error, STATUS_INPUT, "%s: expected *2, /2, +10%% or +%s, got \"%c%.60s\"",
                         parameter->row->field, dim_example(value->dim), operator, text);
    *out = round_result(*out);
    if (parameter->row->kind == PARAMETER_COUNT && *out != floor(*out))
        return error_set(error, STATUS_INPUT, "%s: a whole number is needed, not %g",
                         parameter->row->field, *out);
    return 0;
}

int setting_value(const struct parameter *parameter, const char *text, struct text *out,
                  struct error *error)
{
    char operator= text[0] == 'x' && text[1] && strchr("0123456789.", text[1]) ? '*' : text[0];
    const struct parameter_value *value = &parameter->section->values[parameter->index];
    char path[128];
    double number;
    text_append(out, "");
    if (!operator|| !strchr("*/+-", operator) || parameter->row->kind == PARAMETER_NAME) {
        text_append(out, text);
        return 0;
    }
    parameter_path(parameter, path, sizeof path);
    if (!value->known) {
        error_set(error, STATUS_UNKNOWN_FIELD, "%s has no value to begin with", path);
        return error_hint(error, "set %s %s", path, dim_example(parameter->row->dim));
    }
    int status = apply(parameter, operator, text + 1, value, &number, error);
    if (!status)
        append_number(parameter, number, value->dim, DIGITS_SHOWN, out);
    return status;
}

/* --- several ------------------------------------------------------------------------------ */

/* One of several, in the arena; `unit` is put behind a number that has none. */
static int one_value(const struct parameter *parameter, const char *text, size_t length,
                     const char *unit, struct arena *arena, const char **out, struct error *error)
{
    struct text value = {0}, made = {0};
    while (length && text[0] == ' ')
        text++, length--;
    while (length && text[length - 1] == ' ')
        length--;
    text_append_bytes(&value, text, length);
    const char *digits = value.data + strspn(value.data, "*/x+-");
    bool bare = length && !digits[strspn(digits, number_characters)] && digits == value.data;
    if (bare)
        text_append(&value, unit);
    int status = setting_value(parameter, value.data, &made, error);
    *out = arena_strdup(arena, made.data);
    text_free(&value);
    text_free(&made);
    return status;
}

/* What follows the number at the end of a text: " GB/s". */
static const char *unit_of(const char *text)
{
    const char *last = text;
    for (const char *c = text; *c; c++)
        if (*c == ',' || (*c == '.' && c[1] == '.'))
            last = c + (*c == ',' ? 1 : 2);
    last += strspn(last, " ");
    bool relative = strchr("*/x+-", last[0]) != NULL;
    return relative ? "" : last + strspn(last, number_characters);
}

static int parse_end(const struct parameter *parameter, const char *text,
                     struct parameter_value *out, struct error *error)
{
    if (parameter->row->kind != PARAMETER_NAME)
        return parameter_parse(parameter, text, NULL, out, error);
    char path[128];
    parameter_path(parameter, path, sizeof path);
    error_set(error, STATUS_INPUT, "%s is a name: it has no range", path);
    return error_hint(error, "%s=NAME,NAME", path);
}

static void spread(const struct parameter *parameter, const struct parameter_value *low,
                   const struct parameter_value *high, int points, struct arena *arena,
                   struct setting_values *out)
{
    double from = low->number, to = high->number, last = (double)NAN;
    bool whole = parameter->row->kind == PARAMETER_COUNT;
    bool logarithmic = from > 0 && to > 4 * from;
    if (whole && to - from < points) {
        logarithmic = false;
        points = (int)(to - from) + 1;
    }
    for (int i = 0; i < points; i++) {
        double part = points > 1 ? (double)i / (points - 1) : 0;
        double at = logarithmic ? from * pow(to / from, part) : from + part * (to - from);
        bool end = i == 0 || i == points - 1;
        struct text text = {0};
        char short_text[64];
        at = i == 0 ? from : i == points - 1 ? to : whole ? round(at) : at;
        if (at == last)
            continue;
        last = at;
        if (end || whole) {
            append_number(parameter, at, low->dim, DIGITS_SHOWN, &text);
        } else if (parameter->row->kind == PARAMETER_QUANTITY) {
            text_append(&text, quantity_format((struct quantity){at, low->dim}, DIGITS_SHOWN,
                                               short_text, sizeof short_text));
        } else {
            text_append(&text, number_round(at, DIGITS_SHOWN, short_text, sizeof short_text));
        }
        VECTOR_PUSH(out, arena_strdup(arena, text.data));
        text_free(&text);
    }
}

static int read_range(const struct parameter *parameter, const char *text, const char *dots,
                      int points, struct arena *arena, struct setting_values *out,
                      struct error *error)
{
    const char *unit = unit_of(text), *low_text, *high_text;
    struct parameter_value low = {0}, high = {0};
    int status = one_value(parameter, text, (size_t)(dots - text), unit, arena, &low_text, error);
    if (!status)
        status = one_value(parameter, dots + 2, strlen(dots + 2), unit, arena, &high_text, error);
    if (!status)
        status = parse_end(parameter, low_text, &low, error);
    if (!status)
        status = parse_end(parameter, high_text, &high, error);
    if (!status && (!dim_equal(low.dim, high.dim) || !(low.number < high.number)))
        status = error_set(error, STATUS_INPUT, "the range is empty: %.80s", text);
    if (!status)
        spread(parameter, &low, &high, points, arena, out);
    return status;
}

int setting_values(const struct parameter *parameter, const char *text, int points,
                   struct arena *arena, struct setting_values *out, struct error *error)
{
    const char *dots = strstr(text, ".."), *unit = unit_of(text);
    int status = 0;
    if (dots)
        return read_range(parameter, text, dots, points, arena, out, error);
    for (const char *next = text; next && !status;) {
        size_t length = strcspn(next, ",");
        const char *value;
        struct parameter_value parsed;
        status = one_value(parameter, next, length, unit, arena, &value, error);
        if (!status)
            status = parameter_parse(parameter, value, NULL, &parsed, error);
        if (!status)
            VECTOR_PUSH(out, value);
        next = next[length] ? next + length + 1 : NULL;
    }
    return status;
}
