/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Did you mean": offers names one by one and keeps the nearest in edit
 * distance, if it is near enough to be a misspelling. */
#ifndef BANDSCAPE_CORE_SUGGEST_H
#define BANDSCAPE_CORE_SUGGEST_H

struct suggest {
    const char *wanted;
    const char *best; /* NULL: nothing near */
    int distance;
};

struct suggest suggest_begin(const char *wanted);
void suggest_offer(struct suggest *suggest, const char *name);

#endif
