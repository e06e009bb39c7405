/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Did you mean": offers names one by one and keeps the nearest in edit
 * distance, if it is near enough to be a misspelling. */
#ifndef BANDSCAPE_CORE_SUGGEST_H
#define BANDSCAPE_CORE_SUGGEST_H

#include <stdbool.h>

#include "core/error.h"

struct suggest {
    const char *wanted;
    const char *best; /* NULL: nothing near */
    int distance;
    bool several; /* what is wanted begins with one of the names and a comma: "a100,h100" */
};

struct suggest suggest_begin(const char *wanted);
void suggest_offer(struct suggest *suggest, const char *name);

/* The hint 'did you mean "best"?', if there is one. A hint that is added then is for where there is
 * none (core/error.h). */
void suggest_hint(const struct suggest *suggest, struct error *error);

#endif
