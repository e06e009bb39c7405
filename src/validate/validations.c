/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-ins and files as one list. */
#include "validate/validations.h"

#include <stdlib.h>
#include <string.h>

#include "core/catalogue.h"
#include "core/suggest.h"
#include "validate/published.h"

static int add_file(struct validations *v, const char *path, struct error *error)
{
    struct published *published;
    int status = published_load(path, &published, error);
    if (status)
        return status;
    VECTOR_PUSH(&v->files, published);
    VECTOR_PUSH(v, &published->validation);
    return 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const struct validation *const *)a)->plugin.name,
                  (*(const struct validation *const *)b)->plugin.name);
}

int validations_open(struct validations *v, struct error *error)
{
    struct catalogue catalogue;
    const struct plugin *plugin;
    int status = 0;
    *v = (struct validations){0};
    catalogue_read(&catalogue, "models", true, "published");
    for (size_t i = 0; i < catalogue.count && !status; i++)
        status = add_file(v, catalogue.items[i].path, error);
    catalogue_fini(&catalogue);
    if (v->count)
        qsort(v->items, v->count, sizeof *v->items, compare_names);
    for (size_t cursor = 0; (plugin = plugin_next("validation", &cursor));)
        VECTOR_PUSH(v, (const struct validation *)plugin);
    for (size_t i = 0; i < v->count && !status; i++)
        for (size_t k = 0; k < i && !status; k++)
            if (compare_names(&v->items[i], &v->items[k]) == 0)
                status = error_set(error, STATUS_INPUT, "there are two validations \"%s\"",
                                   v->items[i]->plugin.name);
    return status;
}

void validations_close(struct validations *v)
{
    for (size_t i = 0; i < v->files.count; i++)
        published_destroy(v->files.items[i]);
    VECTOR_FREE(&v->files);
    VECTOR_FREE(v);
}

void validations_names(const struct validations *v, struct text *out)
{
    for (size_t i = 0; i < v->count; i++)
        text_printf(out, "%s%s", out->length ? ", " : "", v->items[i]->plugin.name);
}

int validations_require(struct validations *v, const char *name, const struct validation **out,
                        struct error *error)
{
    struct suggest suggest = suggest_begin(name);
    struct text names = {0};
    size_t length = strlen(name);
    if (strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".yaml") == 0)) {
        int status = add_file(v, name, error);
        *out = status ? NULL : v->items[v->count - 1];
        return status;
    }
    for (size_t i = 0; i < v->count; i++) {
        *out = v->items[i];
        if (strcmp((*out)->plugin.name, name) == 0)
            return 0;
        suggest_offer(&suggest, (*out)->plugin.name);
    }
    error_set(error, STATUS_INPUT, "there is no validation \"%s\"", name);
    validations_names(v, &names);
    error_hint(error, "%s%s%sknown: %s", suggest.best ? "did you mean \"" : "",
               suggest.best ? suggest.best : "", suggest.best ? "\"? " : "", names.data);
    text_free(&names);
    return STATUS_INPUT;
}

int validation_run(const struct validation *validation, const struct validation_request *request,
                   struct sheet *rows, struct error *error)
{
    struct validation_request own = *request;
    if (validation->published)
        return published_run(validation->published, request, rows, error);
    if (!own.input && !validation->input)
        own.input = "small";
    return validation->run(&own, rows, error);
}
