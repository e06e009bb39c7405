/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `bandscape list` shows. */
#ifndef BANDSCAPE_CLI_LIST_H
#define BANDSCAPE_CLI_LIST_H

#include "core/error.h"
#include "core/sheet.h"

struct listing {
    struct sheet *sheet; /* of texts; what has no title is for programs alone */
    const char *machine; /* whose parameters, by name or path */
    const char *plugin;  /* the kind of plug-in */
};
/* A row; NULL is an empty text. */
void listing_add(struct listing *listing, const char *const *texts);

struct list_kind {
    const char *name;   /* "machines" */
    const char *values; /* of completion: what a NAME may be */
    const struct sheet_column *columns;
    int (*fill)(struct listing *listing, struct error *error);
    const char *plugin; /* kind of plug-in that it lists; NULL: something else */
    /* Prints the page of one; NULL: its row is all there is. */
    int (*page)(const char *name, const char *machine, struct error *error);
};
extern const struct list_kind list_kinds[]; /* ends with name NULL */

const struct list_kind *list_kind_find(const char *name); /* or NULL */

#endif
