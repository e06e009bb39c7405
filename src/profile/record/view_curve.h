/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Miss ratios of a whole run, from the curves of its records. */
#ifndef BANDSCAPE_PROFILE_VIEW_CURVE_H
#define BANDSCAPE_PROFILE_VIEW_CURVE_H

#include "profile/record/profile.h"

/* Miss ratio of fully associative LRU caches of so many lines, over all records
 * that have a curve of the kind's scope, side and filter: each weighs as much as
 * it has requests in that stream. NaN when there are none. */
double view_curve_miss_ratio(const struct profile_view *view, const struct profile_curve *kind,
                             double lines);

/* The kinds that any record has, each once, in the order in which they appear; free() the
 * list. They point into the view. */
size_t view_curve_kinds(const struct profile_view *view, const struct profile_curve ***out);

#endif
