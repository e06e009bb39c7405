/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One parameter: its value from a text and back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/plugin.h"
#include "core/suggest.h"
#include "machine/internal.h"
#include "machine/machine.h"

void parameter_path(const struct parameter *parameter, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s%s%s", parameter->section->name,
             parameter->section->name[0] ? "." : "", parameter->row->field);
}

/* The same quantity with cycles instead of seconds. */
static struct dim dim_in_cycles(struct dim dim)
{
    return (struct dim){dim.byte, 0, dim.second, dim.joule};
}

int parameter_check(const struct parameter *p, double value, const struct mark *mark,
                    struct error *error)
{
    char path[128], given[64], low[64], high[64];
    parameter_path(p, path, sizeof path);
    if (p->row->kind == PARAMETER_COUNT && value != floor(value))
        return error_at(error, STATUS_INPUT, mark, "%s: expected a whole number, got %g", path,
                        value);
    if (isfinite(value) && value >= p->row->min && value <= p->row->max)
        return 0;
    quantity_format((struct quantity){value, p->row->dim}, 6, given, sizeof given);
    quantity_format((struct quantity){p->row->min, p->row->dim}, 6, low, sizeof low);
    quantity_format((struct quantity){p->row->max, p->row->dim}, 6, high, sizeof high);
    return error_at(error, STATUS_INPUT, mark, "%s: %s is out of range: expected %s to %s", path,
                    given, low, high);
}

static bool names_contain(const char *names, const char *wanted)
{
    size_t length = strlen(wanted);
    for (const char *at = names; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == length && strncmp(at, wanted, n) == 0)
            return true;
        at += n;
    }
    return false;
}

static void hint_names(const char *names, const char *wanted, struct error *error)
{
    struct arena *arena = arena_create();
    struct suggest suggest = suggest_begin(wanted);
    struct text all = {0};
    for (size_t n; *names; names += n + strspn(names + n, " ")) {
        n = strcspn(names, " ");
        const char *name = arena_strndup(arena, names, n);
        suggest_offer(&suggest, name);
        text_printf(&all, "%s%s", all.length ? ", " : "", name);
    }
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"? known: %s", suggest.best, all.data);
    else
        error_hint(error, "known: %s", all.data);
    text_free(&all);
    arena_destroy(arena);
}

static int parameter_parse_name(const char *path, const struct parameter_row *row, const char *text,
                                const struct mark *mark, struct error *error)
{
    const struct plugin *plugin;
    struct parameter_expansion expansion;
    int status = 0;
    if (row->plugin || row->expand) {
        status = row->plugin ? plugin_require(row->plugin, text, &plugin, error)
                             : row->expand(text, &expansion, error);
        if (status) {
            error_context(error, "%s", path);
            error_place(error, mark);
        }
    } else if (!names_contain(row->names, text)) {
        status = error_at(error, STATUS_INPUT, mark, "%s: unknown value \"%.80s\"", path, text);
        hint_names(row->names, text, error);
    }
    return status;
}

bool parameter_argument(const struct parameter *p, const char *text, struct parameter *out)
{
    const char *argument = p->row->argument, *colon = argument ? strchr(argument, ':') : NULL;
    if (!colon || strncmp(text, argument, (size_t)(colon - argument) + 1) != 0)
        return false;
    const struct parameter_row *rows = p->section->schema->rows;
    *out = (struct parameter){p->section, rows, 0};
    while (strcmp(out->row->field, colon + 1) != 0)
        out->row = &rows[++out->index];
    return true;
}

/* NAME:VALUE. The name is the plug-in's, as the text goes on behind it. */
static int parameter_parse_argument(const struct parameter *p, const struct parameter *field,
                                    const char *text, const struct mark *mark,
                                    struct parameter_value *out, struct error *error)
{
    struct parameter_value value;
    const struct plugin *plugin;
    const char *colon = strchr(text, ':');
    char name[64], path[128];
    snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
    int status = plugin_require(p->row->plugin, name, &plugin, error);
    if (!status)
        status = parameter_parse(field, colon + 1, mark, &value, error);
    if (status) {
        parameter_path(p, path, sizeof path);
        error_context(error, "%s", path);
        return status;
    }
    out->name = plugin->name;
    out->argument = value.number;
    return 0;
}

int parameter_parse(const struct parameter *p, const char *text, const struct mark *mark,
                    struct parameter_value *out, struct error *error)
{
    const struct parameter_row *row = p->row;
    struct parameter field;
    char path[128], words[64];
    parameter_path(p, path, sizeof path);
    *out = (struct parameter_value){.known = true, .given = true, .dim = row->dim};
    if (row->kind == PARAMETER_NAME) {
        if (parameter_argument(p, text, &field))
            return parameter_parse_argument(p, &field, text, mark, out, error);
        out->name = text;
        return parameter_parse_name(path, row, text, mark, error);
    }
    struct quantity quantity;
    dim_describe(row->dim, words, sizeof words);
    if (quantity_scan(text, &quantity)) {
        error_at(error, STATUS_INPUT, mark, "%s: expected %s, got \"%.80s\"", path,
                 row->kind == PARAMETER_COUNT      ? "a whole number"
                 : row->kind == PARAMETER_QUANTITY ? "a number with a unit"
                                                   : "a number",
                 text);
        const char *unit = row->kind == PARAMETER_QUANTITY ? unit_suggest(text) : NULL;
        const char *example = row->kind == PARAMETER_COUNT ? "16" : dim_example(row->dim);
        if (unit)
            error_hint(error, "did you mean %s? for example %s", unit, example);
        else
            error_hint(error, "for example %s", example);
        return STATUS_INPUT;
    }
    /* The clock itself cannot be in cycles. */
    bool clock = strcmp(row->field, "clock") == 0;
    if (!dim_equal(quantity.dim, row->dim) &&
        (clock || !dim_equal(quantity.dim, dim_in_cycles(row->dim)))) {
        if (dim_equal(quantity.dim, DIM_NONE))
            error_at(error, STATUS_INPUT, mark, "%s: the unit is missing in \"%.80s\"", path, text);
        else
            error_at(error, STATUS_INPUT, mark, "%s: expected %s, got \"%.80s\"", path, words,
                     text);
        error_hint(error, "for example %s",
                   row->kind == PARAMETER_COUNT ? "16" : dim_example(row->dim));
        return STATUS_INPUT;
    }
    out->number = quantity.value;
    out->dim = quantity.dim;
    if (!dim_equal(quantity.dim, row->dim)) { /* in cycles: the range is checked later */
        if (quantity.value >= 0)
            return 0;
        return error_at(error, STATUS_INPUT, mark, "%s: %g is negative", path, quantity.value);
    }
    return parameter_check(p, quantity.value, mark, error);
}

void parameter_format(const struct parameter *p, const struct parameter_value *value,
                      struct text *out)
{
    char buffer[64];
    if (!value->known)
        text_append(out, "unknown");
    else if (p->row->kind == PARAMETER_NAME)
        text_append(out, value->name);
    else if (p->row->kind == PARAMETER_COUNT)
        text_printf(out, "%.0f", value->number);
    else
        text_append(out, quantity_format((struct quantity){value->number, value->dim}, 10, buffer,
                                         sizeof buffer));
}
