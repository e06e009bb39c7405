/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views that were read from the cache: a plan asks whether a view is there, then it is wanted, and
 * a session's next question wants it again. A few stay in memory, those asked for last, so that a
 * file is read, checked and parsed once; a file that has changed since is read again. For all
 * threads. */
#ifndef BANDSCAPE_PROFILE_READ_VIEWS_H
#define BANDSCAPE_PROFILE_READ_VIEWS_H

#include "profile/record/profile.h"

/* A file's profile, of one view. Nobody changes it: who wants less of it changes a copy. */
struct read_view {
    struct profile_held held;
    const struct profile *profile;
};

/* The profile in that sealed file, to be given back by held.release; NULL: it is not there, is
 * damaged (`tell`: a remark says so, core/sealed.h) or is none. */
struct read_view *read_views_take(const char *path, bool tell);

/* Adds its view to `into`, which holds it from then on (profile_destroy gives it back). */
void read_views_append(struct profile *into, struct read_view *view);

/* Nothing stays but what somebody holds; also at exit. */
void read_views_forget(void);

/* How many files the process has parsed. */
uint64_t read_views_parsed(void);

#endif
