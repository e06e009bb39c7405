/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of miss ratios over capacity, of one profile or of several side by side. */
#ifndef BANDSCAPE_REPORT_MISS_CURVES_H
#define BANDSCAPE_REPORT_MISS_CURVES_H

#include "profile/record/profile.h"
#include "report/picture.h"

struct miss_curve {
    const char *name;
    const struct profile_view *view;
    const struct profile_curve *kind;
};

/* One curve each, over the octaves in which any of them moves, and the axes. One without requests
 * is left out. */
void picture_add_miss_curves(struct picture *picture, const struct miss_curve *curves,
                             size_t count);

#endif
