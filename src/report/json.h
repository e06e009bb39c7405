/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON (RFC 8259) written as a stream, indented by two blanks.
 *
 *     struct json json = {.stream = stdout};
 *     json_begin_object(&json);
 *     json_key(&json, "bandwidth"), json_number(&json, 3.072e12);
 *     json_end_object(&json);               a line end follows the last bracket
 *
 * Numbers are the shortest text that reads back to the same double; NaN and
 * infinity, which JSON does not have, become null. Bytes that are not UTF-8
 * become U+FFFD. Errors of the stream are sticky (file_writer_commit). */
#ifndef BANDSCAPE_REPORT_JSON_H
#define BANDSCAPE_REPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 64 };

struct json {
    FILE *stream;
    /* The rest begins as zeros. */
    int depth;
    bool keyed; /* a key was written, its value is next */
    struct {
        bool object, filled;
    } levels[JSON_DEPTH];
};

void json_begin_object(struct json *json);
void json_end_object(struct json *json);
void json_begin_array(struct json *json);
void json_end_array(struct json *json);

/* Each value of an object follows its key. */
void json_key(struct json *json, const char *key);

void json_string(struct json *json, const char *text); /* NULL: null */
void json_number(struct json *json, double value);
void json_integer(struct json *json, int64_t value);
void json_bool(struct json *json, bool value);
void json_null(struct json *json);
/* A key and its value. */
void json_pair_string(struct json *json, const char *key, const char *text);
void json_pair_number(struct json *json, const char *key, double value);
/* An array of numbers on one line. */
void json_numbers(struct json *json, const double *values, size_t count);

#endif
