/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Specifications of workloads. */
#include "workload/open/spec.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "workload/workload.h"

char *workload_nest_path(const char *name)
{
    struct text relative = {0};
    if (!name[0] || strchr(name, '/') || name[0] == '.')
        return NULL;
    text_printf(&relative, "spaces/workloads/%s.yaml", name);
    char *path = file_shipped(relative.data);
    text_free(&relative);
    return path;
}

static bool ends_with(const char *text, const char *tail)
{
    size_t n = strlen(text), m = strlen(tail);
    return n >= m && strcmp(text + n - m, tail) == 0;
}

/* The name of a file, which may hold colons itself, and the number of launches behind it. */
static const char *split_file(struct arena *arena, const char *text, const char **rest)
{
    const char *colon = strrchr(text, ':'), key[] = SOURCE_FIRST_KEY "=";
    if (!colon || strncmp(colon + 1, key, sizeof key - 1) != 0 || file_exists(text))
        return text;
    *rest = colon + 1;
    return arena_strndup(arena, text, (size_t)(colon - text));
}

static void find_kind(struct arena *arena, struct workload_spec *spec)
{
    char *shipped = workload_nest_path(spec->name);
    const char *rest = "", *file = split_file(arena, spec->text, &rest);
    spec->workload = (const struct workload *)plugin_find("workload", spec->name);
    if (spec->workload) {
        spec->kind = WORKLOAD_IN_C;
    } else if (shipped) {
        spec->kind = WORKLOAD_SHIPPED_NEST;
        spec->path = arena_strdup(arena, shipped);
    } else if (ends_with(spec->name, ".yaml") || ends_with(spec->name, ".yml")) {
        spec->kind = WORKLOAD_OWN_NEST;
        spec->path = spec->name;
    } else if (file_exists(file) || strchr(spec->name, '/')) {
        spec->kind = WORKLOAD_FILE;
        spec->path = spec->name = file;
        spec->rest = rest;
    } else {
        spec->kind = WORKLOAD_UNKNOWN;
    }
    free(shipped);
}

/* Takes the number of launches from the settings: no workload has such a parameter. */
static int take_first(struct workload_spec *spec, struct error *error)
{
    const struct setting *first = settings_find(&spec->settings, SOURCE_FIRST_KEY);
    int64_t n = 0;
    if (!first)
        return 0;
    size_t at = (size_t)(first - spec->settings.items), behind = spec->settings.count - at - 1;
    int status = settings_integer(SOURCE_FIRST_KEY, first->value, 1, INT64_MAX, &n, error);
    if (status)
        return error_hint(error,
                          "%s=3 takes the first three launches; without it all of them are taken",
                          SOURCE_FIRST_KEY);
    spec->first = (uint64_t)n;
    memmove(&spec->settings.items[at], &spec->settings.items[at + 1],
            behind * sizeof *spec->settings.items);
    spec->settings.count--;
    return 0;
}

int workload_spec_parse(struct arena *arena, const char *text, struct workload_spec *out,
                        struct error *error)
{
    size_t length = strcspn(text, ":");
    *out = (struct workload_spec){.text = text, .rest = "", .settings = {.text = text}};
    out->name = arena_strndup(arena, text, length);
    find_kind(arena, out);
    if (workload_spec_takes_settings(out))
        out->rest = text + length + (text[length] == ':');
    else if (!out->rest[0])
        return 0;
    int status = settings_parse(arena, text, (size_t)(out->rest - text), &out->settings, error);
    if (!status)
        status = take_first(out, error);
    if (status)
        return status;
    out->input = settings_find(&out->settings, WORKLOAD_INPUT_KEY);
    out->size = settings_find(&out->settings, SCALE_SIZE_KEY);
    return 0;
}

bool workload_spec_is_shipped(const struct workload_spec *spec)
{
    return spec->kind == WORKLOAD_IN_C || spec->kind == WORKLOAD_SHIPPED_NEST;
}

bool workload_spec_takes_settings(const struct workload_spec *spec)
{
    return workload_spec_is_shipped(spec) || spec->kind == WORKLOAD_OWN_NEST;
}

const char *workload_spec_with(struct arena *arena, const struct workload_spec *spec,
                               const char *key, const char *value)
{
    return arena_printf(arena, "%s:%s%s%s=%s", spec->name, spec->rest, spec->rest[0] ? "," : "",
                        key, value);
}

const char *workload_spec_with_input(struct arena *arena, const struct workload_spec *spec,
                                     const char *input)
{
    return workload_spec_is_shipped(spec) && spec->settings.count == 0
               ? workload_spec_with(arena, spec, WORKLOAD_INPUT_KEY, input)
               : spec->text;
}
