/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An LLC at the requester has one stack for local and remote lines, and one curve, but the two
 * need not miss alike: what all chips read is fetched once by each and hit from then on, and what
 * is far and nobody else here asks for always misses. The profile tells misses of remote lines
 * apart (the curve's part `remote`); what is left of all is local.
 *
 * Nor need the homes of a memory-side LLC miss alike: a vector that all read makes its home hot,
 * not its memory. Of n_j requests there C_j are first touches of its lines, and
 *
 *     m_j = m + (C_j/n_j - C/n) (first touches by reads)/C
 *
 * loads its memory. What waits for misses is as over all: followers of a hot line wait as well. */
#include <math.h>

#include "network/demands.h"

static const struct profile_curve *curve_of(const struct demands *d, const char *side)
{
    const char *scope = level_scope_names[model_level(d->b, "llc")->scope];
    return profile_curve_find(d->record, scope, side, "all");
}

void demands_read_sides(struct demands *d)
{
    const struct profile_curve *curve = curve_of(d, "requester");
    const struct curve *part = curve ? profile_curve_part(curve, CURVE_REMOTE) : NULL;
    double requests = demands_field(d, FIELD_HOME_REQUESTS);
    double far_requests = demands_field(d, FIELD_HOME_REMOTE_REQUESTS);
    double waited = demands_field(d, FIELD_HOME_READS) + demands_atomics(d);
    double follow = demands_field(d, FIELD_FOLLOWERS_SM_SIDE);
    double far = demands_field(d, FIELD_FOLLOWERS_REMOTE);
    if (d->system->domains < 2 || d->system->asks_home || !part || isnan(follow) || isnan(far) ||
        !((double)part->requests < waited) || !d->terms->memory.told_apart)
        return;
    double remote = (double)part->requests, local = waited - remote;
    d->sides[PATH_LOCAL] = (struct demands_side){true, requests - far_requests, local,
                                                 demands_ratio(follow - far, local, 0)};
    d->sides[PATH_REMOTE] =
        (struct demands_side){true, far_requests, remote, demands_ratio(far, remote, 0)};
}

/* At least 0 and at most 1. */
static int ratio_of(struct demands *d, const char *name, int ratio, double more)
{
    int all = model_constant(d->b, NULL, 1, DIM_NONE),
        none = model_constant(d->b, NULL, 0, DIM_NONE);
    int sum = term_sum(d->g, NULL, ratio, model_constant(d->b, NULL, more, DIM_NONE));
    return term_max(d->g, name, none, term_min(d->g, NULL, all, sum));
}

/* What that side reads for a request; for one of those that wait. */
static int side_ratio(struct demands *d, enum network_path path, const char *name, double of)
{
    int reads = model_side_reads(d->b, &d->terms->memory, path == PATH_REMOTE);
    int more = model_constant(d->b, NULL, of > 0 ? d->sides[path].requests / of : 0, DIM_NONE);
    return ratio_of(d, name, term_product(d->g, NULL, reads, more), 0);
}

int demands_side_miss(struct demands *d, enum network_path path)
{
    return side_ratio(d, path, "m of that side", d->sides[path].waited);
}

int demands_side_reads(struct demands *d, enum network_path path)
{
    return side_ratio(d, path, "memory reads of that side", d->sides[path].requests);
}

/* First touches by reads and atomics. */
static double first_touches(const struct demands *d, const struct profile_curve *curve)
{
    bool atomics = demands_atomics(d) > 0 && profile_curve_part(curve, CURVE_FETCHES);
    const struct curve *reads = profile_curve_part(curve, atomics ? CURVE_FETCHES : CURVE_READS);
    return (double)(reads ? reads->cold : curve->curve.cold);
}

int demands_home_reads(struct demands *d, uint32_t home, int reads)
{
    const struct profile_curve *curve = curve_of(d, "home");
    if (!curve || curve->n_domains != d->system->domains || !curve->domain_requests ||
        !curve->domain_cold || curve->domain_requests[home] == 0)
        return reads;
    double cold = (double)curve->curve.cold;
    double own = (double)curve->domain_cold[home] / (double)curve->domain_requests[home];
    double more = own - demands_ratio(cold, (double)curve->curve.requests, 0);
    more *= demands_ratio(first_touches(d, curve), cold, 0);
    return more != 0 ? ratio_of(d, "memory reads of that home", reads, more) : reads;
}
