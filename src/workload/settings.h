/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings: the `key=value,key=value` behind a workload's name and of a named
 * input of a C workload. */
#ifndef BANDSCAPE_WORKLOAD_SETTINGS_H
#define BANDSCAPE_WORKLOAD_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"

/* The key of a named input of a workload. */
#define WORKLOAD_INPUT_KEY "input"

struct setting {
    const char *key, *value;
    struct mark key_mark, mark; /* inside `text`, for messages */
};

struct settings {
    const char *text;      /* the whole text, as the user wrote it */
    struct setting *items; /* in the arena */
    size_t count;
};

/* Splits text[offset ...]; commas inside parentheses belong to a value. An
 * empty rest gives no settings; an empty or repeated key is an error. */
int settings_parse(struct arena *arena, const char *text, size_t offset, struct settings *out,
                   struct error *error);

const struct setting *settings_find(const struct settings *settings, const char *key);

/* A whole number, or an expression of numbers such as 2^20 or 4e6. `what`
 * names the parameter in messages. */
int settings_integer(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
                     struct error *error);

/* A plain number within [min, max]. */
int settings_number(const char *what, const char *text, double min, double max, double *out,
                    struct error *error);

#endif
