/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-ins: one file `<name>.<kind>.c` that ends in one const descriptor named
 * `<kind>_<name>` whose first member is a `struct plugin`. The Makefile finds
 * the files, sorts them under LC_ALL=C and generates `plugin_registry`; adding
 * one edits no other file. */
#ifndef BANDSCAPE_CORE_PLUGIN_H
#define BANDSCAPE_CORE_PLUGIN_H

#include <stddef.h>

#include "core/error.h"
#include "core/memory.h"

struct parameter_row; /* machine/machine.h */

struct plugin {
    const char *kind;      /* "model", "placement", "reader", ... */
    const char *name;      /* as the user writes it; "-" is "_" in the C name */
    const char *summary;   /* one line */
    const char *reference; /* where it comes from; NULL: our own */
    /* Its own parameters, addressed as `<name>.<field>` in every machine; NULL: none. */
    const struct parameter_row *parameters;
    int preferred; /* 1, 2, ...: taken, in this order, where a user names none of its kind;
                    * 0: only by name */
    /* Names of cache levels before the LLC for which it asks machines, NULL-terminated: a section
     * of that name need not say its scope and side. NULL: none. */
    const char *const *levels;
};

/* NULL-terminated; generated. */
extern const struct plugin *const plugin_registry[];

/* The plug-in of that kind and name, or NULL. */
const struct plugin *plugin_find(const char *kind, const char *name);

/* Iterates one kind in registry order: pass *cursor = 0 first. NULL at the end. */
const struct plugin *plugin_next(const char *kind, size_t *cursor);

/* The plug-in of that kind that is preferred in that place (1, 2, ...), or NULL. */
const struct plugin *plugin_preferred(const char *kind, int place);

/* As plugin_find; on failure an error that lists the names and the nearest one. */
int plugin_require(const char *kind, const char *name, const struct plugin **out,
                   struct error *error);

/* "a, b, c" of one kind. */
void plugin_names(const char *kind, struct text *out);

#endif
