/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user names as a workload, found: a plug-in in C, a shipped or own
 * loop nest, or a trace. */
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/suggest.h"
#include "workload/nests/nest_source.h"
#include "workload/open/spec.h"
#include "workload/workload.h"

/* ---- names -------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of all shipped workloads, sorted; in the arena. */
static const char **shipped_names(struct arena *arena, size_t *count)
{
    char *folder = file_shipped("spaces/workloads"), **files = NULL;
    size_t n_files = folder ? file_list(folder, &files) : 0, cursor = 0, n_plugins = 0;
    while (plugin_next("workload", &cursor))
        n_plugins++;
    const char **names = arena_alloc(arena, (n_files + n_plugins) * sizeof *names);
    *count = 0;
    for (size_t i = 0; i < n_files; i++) {
        const char *tail = strrchr(files[i], '.');
        if (tail && strcmp(tail, ".yaml") == 0)
            names[(*count)++] = arena_strndup(arena, files[i], (size_t)(tail - files[i]));
        free(files[i]);
    }
    cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next("workload", &cursor));)
        names[(*count)++] = plugin->name;
    if (*count)
        qsort(names, *count, sizeof *names, compare_names);
    free(files);
    free(folder);
    return names;
}

static int unknown_workload(const char *name, struct error *error)
{
    struct arena *arena = arena_create();
    struct suggest suggest = suggest_begin(name);
    struct text known = {0};
    size_t count;
    const char **names = shipped_names(arena, &count);
    for (size_t i = 0; i < count; i++) {
        suggest_offer(&suggest, names[i]);
        text_printf(&known, "%s%s", i ? ", " : "", names[i]);
    }
    error_set(error, STATUS_INPUT, "there is no workload, loop nest or trace \"%.200s\"", name);
    if (suggest.several)
        error_hint(error, "several are given one by one: -w %.*s -w %.100s",
                   (int)strcspn(name, ","), name, strchr(name, ',') + 1);
    else if (suggest.best)
        error_hint(error, "did you mean \"%s\"? known: %s", suggest.best, known.data);
    else if (strchr(name, '.'))
        error_hint(error, "no such file is here; bandscape list workloads shows what is shipped");
    else
        error_hint(error, "known workloads: %s", known.length ? known.data : "none");
    text_free(&known);
    arena_destroy(arena);
    return STATUS_INPUT;
}

/* ---- C workloads -------------------------------------------------------- */

struct chosen {
    const struct workload *workload;
    const char **values; /* one per parameter */
};

static int choose_value(struct chosen *chosen, const struct setting *s, struct error *error)
{
    const struct workload_parameter *p = chosen->workload->parameters;
    struct suggest suggest = suggest_begin(s->key);
    struct text known = {0};
    suggest_offer(&suggest, WORKLOAD_INPUT_KEY);
    suggest_offer(&suggest, SCALE_SIZE_KEY);
    suggest_offer(&suggest, SOURCE_FIRST_KEY);
    for (size_t i = 0; p[i].name; i++) {
        suggest_offer(&suggest, p[i].name);
        text_printf(&known, "%s, ", p[i].name);
        if (strcmp(p[i].name, s->key) == 0) {
            chosen->values[i] = s->value;
            text_free(&known);
            return 0;
        }
    }
    error_at(error, STATUS_INPUT, &s->key_mark, "%s has no parameter \"%.80s\"",
             chosen->workload->plugin.name, s->key);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"?", suggest.best);
    error_hint(error, "known: %sinput, size, first", known.length ? known.data : "");
    text_free(&known);
    return STATUS_INPUT;
}

static int choose_values(struct chosen *chosen, const struct settings *settings,
                         struct error *error)
{
    const struct setting *input = settings_find(settings, WORKLOAD_INPUT_KEY),
                         *size = settings_find(settings, SCALE_SIZE_KEY);
    int status = 0;
    for (size_t i = 0; i < settings->count && !status; i++)
        if (&settings->items[i] != input && &settings->items[i] != size)
            status = choose_value(chosen, &settings->items[i], error);
    return status;
}

static int choose_input(struct arena *arena, struct chosen *chosen, const struct setting *setting,
                        struct error *error)
{
    const struct workload_input *inputs = chosen->workload->inputs;
    struct suggest suggest = suggest_begin(setting->value);
    struct text known = {0};
    if (strcmp(setting->value, "default") == 0)
        return 0;
    for (size_t i = 0; inputs[i].name; i++) {
        suggest_offer(&suggest, inputs[i].name);
        text_printf(&known, "%s, ", inputs[i].name);
        if (strcmp(inputs[i].name, setting->value) == 0) {
            struct settings settings;
            text_free(&known);
            int status = settings_parse(arena, inputs[i].settings, 0, &settings, error);
            return status ? status : choose_values(chosen, &settings, error);
        }
    }
    error_at(error, STATUS_INPUT, &setting->mark, "%s has no input \"%.80s\"",
             chosen->workload->plugin.name, setting->value);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"?", suggest.best);
    error_hint(error, "known: %sdefault", known.length ? known.data : "");
    text_free(&known);
    return STATUS_INPUT;
}

static int find_parameter(const struct workload *workload, const char *name)
{
    for (int i = 0; workload->parameters[i].name; i++)
        if (strcmp(workload->parameters[i].name, name) == 0)
            return i;
    return -1;
}

/* Of a parameter that is a whole number. */
static bool chosen_value(const void *context, const char *name, int64_t *out)
{
    const struct chosen *chosen = context;
    struct error ignored;
    int i = find_parameter(chosen->workload, name);
    return i >= 0 && settings_integer(name, chosen->values[i], 0, INT64_MAX, out, &ignored) == 0;
}

/* All from the values before. */
static int choose_size(struct arena *arena, struct chosen *chosen, const struct setting *setting,
                       struct error *error)
{
    const struct workload_scale *scale = chosen->workload->scale;
    struct chosen before = *chosen;
    size_t n = 0;
    double size;
    int status = scale_read_size(setting->value, &setting->mark, &size, error);
    if (!status && !scale)
        status = error_at(error, STATUS_INPUT, &setting->key_mark, "%s has one size only",
                          chosen->workload->plugin.name);
    while (chosen->workload->parameters[n].name)
        n++;
    before.values = arena_alloc(arena, n * sizeof *before.values);
    memcpy(before.values, chosen->values, n * sizeof *before.values);
    for (; !status && scale->parameter; scale++) {
        struct expression *expression;
        struct mark mark = {NULL, 1, 1, scale->expression};
        int64_t value, old;
        status = expression_parse(arena, scale->expression, &mark, &expression, error);
        if (!status)
            status = scale_evaluate(scale->parameter, expression, size, chosen_value, &before,
                                    &value, error);
        if (!status && !(chosen_value(&before, scale->parameter, &old) && old == value))
            chosen->values[find_parameter(chosen->workload, scale->parameter)] =
                arena_printf(arena, "%lld", (long long)value);
    }
    return status;
}

static int open_plugin(const struct workload_spec *spec, struct source **out, struct error *error)
{
    struct arena *arena = arena_create();
    const struct workload *workload = spec->workload;
    struct chosen chosen = {workload, NULL};
    struct text whole = {0};
    size_t n = 0;
    while (workload->parameters[n].name)
        n++;
    chosen.values = arena_alloc(arena, n * sizeof *chosen.values);
    for (size_t i = 0; i < n; i++)
        chosen.values[i] = workload->parameters[i].fallback;
    int status = spec->input ? choose_input(arena, &chosen, spec->input, error) : 0;
    if (!status)
        status = choose_values(&chosen, &spec->settings, error);
    if (!status && spec->size)
        status = choose_size(arena, &chosen, spec->size, error);
    if (!status)
        status = workload->open(workload, chosen.values, out, error);
    if (status && spec->size)
        error_context(error, "%s=%s", SCALE_SIZE_KEY, spec->size->value);
    if (!status) {
        text_append(&whole, workload->plugin.name);
        for (size_t i = 0, given = 0; i < n; i++)
            if (strcmp(chosen.values[i], workload->parameters[i].fallback) != 0)
                text_printf(&whole, "%c%s=%s", given++ ? ',' : ':', workload->parameters[i].name,
                            chosen.values[i]);
        (*out)->spec = arena_strdup((*out)->arena, whole.data);
    }
    text_free(&whole);
    arena_destroy(arena);
    return status;
}

/* ---- opening ------------------------------------------------------------ */

static int open_nest(const struct workload_spec *spec, struct source **out, struct error *error)
{
    struct nest *nest;
    int status = nest_load(spec->path, &nest, error);
    return status ? status : nest_source_open(nest, spec->name, &spec->settings, out, error);
}

int source_open(const char *text, struct source **out, struct error *error)
{
    struct arena *arena = arena_create();
    struct workload_spec spec;
    *out = NULL;
    int status = workload_spec_parse(arena, text, &spec, error);
    if (status)
        ;
    else if (spec.kind == WORKLOAD_IN_C)
        status = open_plugin(&spec, out, error);
    else if (workload_spec_takes_settings(&spec))
        status = open_nest(&spec, out, error);
    else if (spec.kind == WORKLOAD_FILE)
        status = source_open_trace(spec.path, out, error);
    else
        status = unknown_workload(spec.name, error);
    if (!status && spec.first)
        source_keep_first(*out, spec.first);
    arena_destroy(arena);
    return status;
}

/* ---- the list ----------------------------------------------------------- */

static const char *print_settings(struct arena *arena, const struct nest_input *input)
{
    struct text text = {0};
    for (size_t i = 0; i < input->n_settings; i++)
        text_printf(&text, "%s%s=%s", i ? "," : "", input->settings[i].name,
                    input->settings[i].text);
    const char *result = arena_strdup(arena, text.length ? text.data : "");
    text_free(&text);
    return result;
}

static const char *copy(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

static const struct workload_scale *copy_scale(struct arena *arena, const struct nest *nest)
{
    if (!nest->n_scale)
        return NULL;
    struct workload_scale *out = arena_alloc(arena, (nest->n_scale + 1) * sizeof *out);
    for (size_t i = 0; i < nest->n_scale; i++)
        out[i] = (struct workload_scale){copy(arena, nest->scale[i].name),
                                         copy(arena, nest->scale[i].text)};
    return out;
}

/* Copies what the list shows into the arena: the nest goes away. */
static int describe_nest(struct arena *arena, const char *path, struct workload_info *info,
                         struct error *error)
{
    struct nest *nest;
    int status = nest_load(path, &nest, error);
    if (status)
        return status;
    struct workload_parameter *parameters =
        arena_alloc(arena, (nest->n_parameters + 1) * sizeof *parameters);
    struct workload_input *inputs = arena_alloc(arena, (nest->n_inputs + 1) * sizeof *inputs);
    for (size_t i = 0; i < nest->n_parameters; i++)
        parameters[i] =
            (struct workload_parameter){arena_strdup(arena, nest->parameters[i].name),
                                        arena_strdup(arena, nest->parameters[i].text), ""};
    for (size_t i = 0; i < nest->n_inputs; i++)
        inputs[i] = (struct workload_input){arena_strdup(arena, nest->inputs[i].name),
                                            print_settings(arena, &nest->inputs[i])};
    *info = (struct workload_info){.name = info->name,
                                   .suite = copy(arena, nest->suite),
                                   .summary = copy(arena, nest->summary),
                                   .page = copy(arena, nest->page),
                                   .parameters = parameters,
                                   .inputs = inputs,
                                   .scale = copy_scale(arena, nest),
                                   .published = workload_published_copy(nest->published, arena)};
    nest_destroy(nest);
    return 0;
}

static bool has_input(const void *context, const char *name)
{
    const struct workload *workload = context;
    for (size_t i = 0; workload->inputs[i].name; i++)
        if (strcmp(workload->inputs[i].name, name) == 0)
            return true;
    return false;
}

/* What papers print of a workload in C is a file of its name, if anything. */
static int describe_plugin(struct arena *arena, const struct workload *w,
                           struct workload_info *info, struct error *error)
{
    char *path =
        file_shipped(arena_printf(arena, "spaces/workloads/published/%s.yaml", w->plugin.name));
    *info = (struct workload_info){.in_c = true,
                                   .name = w->plugin.name,
                                   .suite = w->suite,
                                   .summary = w->plugin.summary,
                                   .page = w->page,
                                   .parameters = w->parameters,
                                   .inputs = w->inputs,
                                   .scale = w->scale};
    int status =
        path ? workload_published_load(path, arena, has_input, w, &info->published, error) : 0;
    free(path);
    return status;
}

int workload_list(struct arena *arena, struct workload_info **out, size_t *count,
                  struct error *error)
{
    const char **names = shipped_names(arena, count);
    int status = 0;
    *out = arena_alloc(arena, *count * sizeof **out);
    for (size_t i = 0; i < *count && !status; i++) {
        const struct workload *w = (const struct workload *)plugin_find("workload", names[i]);
        struct workload_info *info = &(*out)[i];
        info->name = names[i];
        if (w) {
            status = describe_plugin(arena, w, info, error);
            continue;
        }
        char *path = workload_nest_path(names[i]);
        status = path ? describe_nest(arena, path, info, error)
                      : error_set(error, STATUS_IO, "the workload %s is gone", names[i]);
        free(path);
    }
    return status;
}

int workload_describe(struct arena *arena, const struct workload_spec *spec,
                      struct workload_info *out, struct error *error)
{
    *out = (struct workload_info){.name = spec->name};
    if (spec->kind == WORKLOAD_IN_C)
        return describe_plugin(arena, spec->workload, out, error);
    if (spec->kind == WORKLOAD_SHIPPED_NEST || spec->kind == WORKLOAD_OWN_NEST)
        return describe_nest(arena, spec->path, out, error);
    return error_set(error, STATUS_INPUT, "%s has no inputs", spec->text);
}

int workload_find(const struct workload_info *list, size_t count, const char *name, size_t *out,
                  struct error *error)
{
    struct suggest suggest = suggest_begin(name);
    for (*out = 0; *out < count; ++*out) {
        if (strcmp(list[*out].name, name) == 0)
            return 0;
        suggest_offer(&suggest, list[*out].name);
    }
    error_set(error, STATUS_INPUT, "there is no workload \"%.80s\"", name);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"? bandscape list workloads shows all of them",
                   suggest.best);
    else
        error_hint(error, "bandscape list workloads shows all of them");
    return STATUS_INPUT;
}
