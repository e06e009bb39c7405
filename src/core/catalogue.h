/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalogues of shipped YAML files: a name stands for a file. */
#ifndef BANDSCAPE_CORE_CATALOGUE_H
#define BANDSCAPE_CORE_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/memory.h"

struct catalogue_entry {
    const char *name, *path;
};

struct catalogue {
    struct catalogue_entry *items;
    size_t count, capacity;
    struct arena *arena; /* owns the strings */
};

/* Adds NAME.yaml of a shipped folder whose first key is `key` ("machine"), then
 * sorts by name. `folders` true: of every folder in it. */
void catalogue_read(struct catalogue *catalogue, const char *folder, bool folders, const char *key);
void catalogue_fini(struct catalogue *catalogue);

/* The file that a user means: a path (with a slash, or ending in .yaml) as it
 * is, else the entry's. `kind` names it in the error, which suggests the
 * nearest name. free() *path. */
int catalogue_resolve(const struct catalogue *catalogue, const char *kind, const char *name_or_path,
                      char **path, struct error *error);

#endif
