/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Miss ratios of a whole run. */
#include "profile/record/view_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double view_curve_miss_ratio(const struct profile_view *view, const struct profile_curve *kind,
                             double lines)
{
    double misses = 0, requests = 0;
    for (size_t i = 0; i < view->n_records; i++) {
        const struct profile_curve *found =
            profile_curve_find(&view->records[i], kind->scope, kind->side, kind->filter);
        if (!found || found->curve.requests == 0)
            continue;
        double weight = (double)found->curve.requests;
        misses += weight * curve_miss_ratio_full(&found->curve, lines);
        requests += weight;
    }
    return requests > 0 ? misses / requests : (double)NAN;
}

static bool same_kind(const struct profile_curve *a, const struct profile_curve *b)
{
    return strcmp(a->scope, b->scope) == 0 && strcmp(a->side, b->side) == 0 &&
           strcmp(a->filter, b->filter) == 0;
}

size_t view_curve_kinds(const struct profile_view *view, const struct profile_curve ***out)
{
    size_t most = 0, count = 0;
    for (size_t r = 0; r < view->n_records; r++)
        most += view->records[r].n_curves;
    const struct profile_curve **kinds = memory_alloc((most + 1) * sizeof *kinds);
    for (size_t r = 0; r < view->n_records; r++)
        for (size_t c = 0; c < view->records[r].n_curves; c++) {
            const struct profile_curve *curve = &view->records[r].curves[c];
            size_t known = 0;
            while (known < count && !same_kind(kinds[known], curve))
                known++;
            if (known == count)
                kinds[count++] = curve;
        }
    *out = kinds;
    return count;
}
