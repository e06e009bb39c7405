/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was asked, in the result: the space as it was written (asked-space.yaml), and the files of
 * machines that are not shipped, with those that they start from (asked-machines.yaml). A result
 * says so what it is of when those files are gone. */
#include <stdlib.h>
#include <string.h>

#include "core/catalogue.h"
#include "core/file.h"
#include "report/sweep_internal.h"
#include "yaml/yaml.h"

enum { CHAIN_MAX = 64 };

struct sources {
    struct catalogue shipped;
    struct {
        char **items;
        size_t count, capacity;
    } written; /* their paths */
    struct text out;
};

static bool is_known(const struct sources *s, const char *path)
{
    for (size_t i = 0; i < s->shipped.count; i++)
        if (strcmp(s->shipped.items[i].path, path) == 0)
            return true;
    for (size_t i = 0; i < s->written.count; i++)
        if (strcmp(s->written.items[i], path) == 0)
            return true;
    return false;
}

/* A block of YAML, each line as it is. */
static void add_text(struct text *out, const char *file, const char *text, size_t size)
{
    text_append(out, "- file: ");
    yaml_append_scalar(out, file);
    text_append(out, "\n  text: |2\n");
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        text_append(out, length ? "    " : "");
        text_append_bytes(out, text + at, length);
        text_append(out, "\n");
        at += length + 1;
    }
}

/* A machine's file and those that it starts from, unless they are shipped. It was read before: what
 * cannot be read now was taken away meanwhile, and is left out. */
static void add_machine(struct sources *s, const char *name)
{
    char *path = memory_strdup(name);
    for (int depth = 0; depth < CHAIN_MAX; depth++) {
        struct yaml_document *document = NULL;
        struct error error;
        char *resolved = NULL, *below = NULL;
        if (!catalogue_resolve(&s->shipped, "machine", path, &resolved, &error) &&
            !is_known(s, resolved) && !yaml_load(resolved, &document, &error)) {
            const struct yaml_node *base = yaml_get(document->root, "base");
            add_text(&s->out, file_base_name(resolved), document->text, document->size);
            VECTOR_PUSH(&s->written, memory_strdup(resolved));
            if (base && base->kind == YAML_SCALAR)
                below = file_named_in(resolved, base->text);
        }
        yaml_destroy(document);
        free(resolved);
        free(path);
        path = below;
        if (!path)
            break;
    }
    free(path);
}

static void add_machines(struct sources *s, const struct space *space)
{
    if (space->machine->path)
        add_machine(s, space->machine->path);
    for (size_t a = 0; a < space->n_axes; a++)
        for (size_t v = 0; space->axes[a].machine && v < space->axes[a].n_values; v++)
            add_machine(s, space->axes[a].values[v].assignments[0].text);
}

static int write_text(struct sweep_folder *folder, const char *name, const char *text, size_t size,
                      struct error *error)
{
    FILE *stream;
    int status = sweep_folder_open(folder, name, &stream, error);
    if (status)
        return status;
    fwrite(text, 1, size, stream);
    return sweep_folder_close(folder, 0, error);
}

int sweep_write_sources(const struct sweep *sweep, struct sweep_folder *folder, struct error *error)
{
    struct sources s = {.written = {0}};
    const struct yaml_document *document = sweep->space->document;
    machine_catalogue(&s.shipped);
    add_machines(&s, sweep->space);
    int status = write_text(folder, "asked-space.yaml", document->text, document->size, error);
    if (!status && s.out.length)
        status = write_text(folder, "asked-machines.yaml", s.out.data, s.out.length, error);
    for (size_t i = 0; i < s.written.count; i++)
        free(s.written.items[i]);
    VECTOR_FREE(&s.written);
    catalogue_fini(&s.shipped);
    text_free(&s.out);
    return status;
}
