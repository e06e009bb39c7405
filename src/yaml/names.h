/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table from texts to numbers: keys of large maps, anchors. Open addressing, at most half
 * full, entries never removed; the texts must outlive it. */
#ifndef BANDSCAPE_YAML_NAMES_H
#define BANDSCAPE_YAML_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/memory.h"

struct yaml_name {
    const char *text; /* NULL: free */
    size_t value;
};

/* All zero is an empty table. */
struct yaml_names {
    struct yaml_name *slots;
    size_t size; /* a power of two, or 0 */
    size_t used;
};

/* Gives a text a number, in place of the one that it has; returns whether it had none. */
bool yaml_names_put(struct yaml_names *names, const char *text, size_t value);
/* The number of a text; SIZE_MAX: it has none. */
size_t yaml_names_find(const struct yaml_names *names, const char *text);
/* A copy whose slots live in the arena. */
struct yaml_names *yaml_names_keep(const struct yaml_names *names, struct arena *arena);
void yaml_names_fini(struct yaml_names *names);

#endif
