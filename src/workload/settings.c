/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splitting of `key=value` lists, and their values as numbers. */
#include "workload/settings.h"

#include <string.h>

#include "core/expression.h"
#include "workload/integer.h"

static struct mark settings_mark(const char *text, size_t at)
{
    return (struct mark){NULL, 1, (long)at + 1, text};
}

/* Where the value that begins at `at` ends: at a comma outside parentheses. */
static size_t settings_value_end(const char *text, size_t at)
{
    int depth = 0;
    for (; text[at] && !(text[at] == ',' && depth <= 0); at++)
        depth += (text[at] == '(') - (text[at] == ')');
    return at;
}

static const char *settings_trim(struct arena *arena, const char *text, size_t *from, size_t to)
{
    *from += strspn(text + *from, " \t");
    if (*from > to)
        *from = to;
    while (to > *from && strchr(" \t", text[to - 1]))
        to--;
    return arena_strndup(arena, text + *from, to - *from);
}

int settings_parse(struct arena *arena, const char *text, size_t offset, struct settings *out,
                   struct error *error)
{
    size_t room = 1;
    for (const char *c = text + offset; *c; c++)
        room += *c == ',';
    *out = (struct settings){text, arena_alloc(arena, room * sizeof(struct setting)), 0};
    for (size_t at = offset; text[at];) {
        size_t end = settings_value_end(text, at), equals = at + strcspn(text + at, "=,");
        struct mark mark = settings_mark(text, at);
        if (equals >= end || text[equals] != '=')
            return error_at(error, STATUS_USAGE, &mark, "expected key=value in \"%.200s\"", text);
        struct setting *s = &out->items[out->count];
        size_t key_at = at, value_at = equals + 1;
        s->key = settings_trim(arena, text, &key_at, equals);
        s->value = settings_trim(arena, text, &value_at, end);
        s->key_mark = settings_mark(text, key_at);
        s->mark = settings_mark(text, value_at);
        if (!s->key[0])
            return error_at(error, STATUS_USAGE, &s->key_mark, "a key is missing before \"=\"");
        if (settings_find(out, s->key))
            return error_at(error, STATUS_USAGE, &s->key_mark, "\"%.80s\" is given twice", s->key);
        out->count++;
        at = end + (text[end] == ',');
        if (text[end] == ',' && !text[at])
            return error_at(error, STATUS_USAGE, &mark, "key=value expected after the last comma");
    }
    return 0;
}

const struct setting *settings_find(const struct settings *settings, const char *key)
{
    for (size_t i = 0; i < settings->count; i++)
        if (strcmp(settings->items[i].key, key) == 0)
            return &settings->items[i];
    return NULL;
}

static int settings_no_names(void *context, const struct expression *name, int64_t *out,
                             struct error *error)
{
    (void)context;
    (void)out;
    return error_set(error, STATUS_INPUT, "expected a number, got \"%.80s\"", name->name);
}

int settings_integer(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
                     struct error *error)
{
    struct arena *arena = arena_create();
    struct mark mark = settings_mark(text, 0);
    struct expression *expression;
    int status = expression_parse(arena, text, &mark, &expression, error);
    if (!status)
        status = integer_evaluate(expression, settings_no_names, NULL, out, error);
    if (!status && (*out < min || *out > max))
        status = error_at(error, STATUS_INPUT, &mark,
                          "expected a whole number from %lld to %lld, got %lld", (long long)min,
                          (long long)max, (long long)*out);
    if (status) {
        error->source[0] = '\0'; /* the message shows the text itself */
        error->line = 0;
        error_context(error, "%s=%.100s", what, text);
    }
    arena_destroy(arena);
    return status;
}

int settings_number(const char *what, const char *text, double min, double max, double *out,
                    struct error *error)
{
    if (!number_scan(text, out) || *out < min || *out > max)
        return error_set(error, STATUS_INPUT, "%s=%.100s: expected a number from %g to %g", what,
                         text, min, max);
    return 0;
}
