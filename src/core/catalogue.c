/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shipped YAML files by name. */
#include "core/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/suggest.h"

static bool first_key_is(const char *path, const char *key)
{
    char line[256];
    size_t length = strlen(key);
    bool found = false;
    FILE *stream = fopen(path, "r");
    while (stream && fgets(line, sizeof line, stream)) {
        if (line[0] == '#' || line[0] == '\n' || strncmp(line, "---", 3) == 0)
            continue;
        found = strncmp(line, key, length) == 0 && line[length] == ':';
        break;
    }
    if (stream)
        fclose(stream);
    return found;
}

static void catalogue_add_folder(struct catalogue *catalogue, const char *folder, const char *key)
{
    char **files;
    size_t count = file_list(folder, &files);
    for (size_t i = 0; i < count; i++) {
        const char *path = arena_printf(catalogue->arena, "%s/%s", folder, files[i]);
        if (file_ends_in(files[i], ".yaml") && first_key_is(path, key))
            VECTOR_PUSH(catalogue,
                        (struct catalogue_entry){arena_strndup(catalogue->arena, files[i],
                                                               strlen(files[i]) - strlen(".yaml")),
                                                 path});
        free(files[i]);
    }
    free(files);
}

static int catalogue_compare(const void *a, const void *b)
{
    return strcmp(((const struct catalogue_entry *)a)->name,
                  ((const struct catalogue_entry *)b)->name);
}

void catalogue_read(struct catalogue *catalogue, const char *folder, bool folders, const char *key)
{
    *catalogue = (struct catalogue){.arena = arena_create()};
    char *root = file_shipped(folder), **names = NULL;
    if (root && !folders)
        catalogue_add_folder(catalogue, root, key);
    size_t count = root && folders ? file_list(root, &names) : 0;
    for (size_t i = 0; i < count; i++) {
        catalogue_add_folder(catalogue, arena_printf(catalogue->arena, "%s/%s", root, names[i]),
                             key);
        free(names[i]);
    }
    free(names);
    free(root);
    if (catalogue->count)
        qsort(catalogue->items, catalogue->count, sizeof *catalogue->items, catalogue_compare);
}

void catalogue_fini(struct catalogue *catalogue)
{
    VECTOR_FREE(catalogue);
    arena_destroy(catalogue->arena);
}

int catalogue_resolve(const struct catalogue *catalogue, const char *kind, const char *name_or_path,
                      char **path, struct error *error)
{
    *path = NULL;
    if (strchr(name_or_path, '/') || file_ends_in(name_or_path, ".yaml")) {
        *path = memory_strdup(name_or_path);
        return 0;
    }
    struct suggest suggest = suggest_begin(name_or_path);
    struct text names = {0};
    text_append(&names, "");
    for (size_t i = 0; i < catalogue->count && !*path; i++) {
        const struct catalogue_entry *entry = &catalogue->items[i];
        if (strcmp(entry->name, name_or_path) == 0)
            *path = memory_strdup(entry->path);
        suggest_offer(&suggest, entry->name);
        text_printf(&names, "%s, ", entry->name);
    }
    if (!*path) {
        error_set(error, STATUS_INPUT, "there is no %s \"%.100s\"", kind, name_or_path);
        if (suggest.several)
            error_hint(error, "several are given one by one, without commas");
        if (file_is_directory(name_or_path))
            error_hint(error, "%s is a folder; a shipped name is taken, or the path to a file",
                       name_or_path);
        error_hint(error, "%s%s%sknown: %sor a path to a file",
                   suggest.best ? "did you mean \"" : "", suggest.best ? suggest.best : "",
                   suggest.best ? "\"? " : "", names.data);
    }
    text_free(&names);
    return *path ? 0 : STATUS_INPUT;
}
