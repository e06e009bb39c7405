/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `bandscape list` shows. */
#ifndef BANDSCAPE_CLI_LIST_H
#define BANDSCAPE_CLI_LIST_H

#include "core/error.h"

struct listing;

struct list_kind {
    const char *name;   /* "machines" */
    const char *values; /* of completion: what a NAME may be */
    int (*fill)(struct listing *listing, struct error *error);
    const char *plugin; /* kind of plug-in that it lists; NULL: something else */
    /* Prints the page of one; NULL: its row is all there is. */
    int (*page)(const char *name, const char *machine, struct error *error);
};
extern const struct list_kind list_kinds[]; /* ends with name NULL */

const struct list_kind *list_kind_find(const char *name); /* or NULL */

#endif
