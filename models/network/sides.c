/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An LLC at the requester has one stack for local and remote lines, and one curve, but the two
 * need not miss alike: what all chips read is fetched once by each and hit from then on, and what
 * is far and nobody else here asks for always misses.
 *
 * What a launch touches for the first time, C at the requesters and H at homes, says how the one
 * differs from the other. Each line is touched first by its home chip once, or never: of lines of
 * pages that one chip has for itself always, of those that several share as often as touches of
 * their lines, each by itself, have it (touched_at_home). So of C first touches H' are local, and C
 * - H' remote ones, at most all remote reads that do not follow another one's miss, and at least
 * what local ones leave. Other misses come from either in proportion to the reads g that follow no
 * other one's miss, which alone can miss:
 *
 *     m_remote = ( C - H' + (m n - C) g_remote / g ) / n_remote
 *     m_local  = ( H'     + (m n - C) g_local / g ) / n_local
 *
 * for n reads, which are m n together.
 *
 * Nor need the homes of a memory-side LLC miss alike: a vector that all read makes its home hot,
 * not its memory. Of n_j requests there C_j are first touches of its lines, and
 *
 *     m_j = m + (C_j/n_j - C/n) (first touches by reads)/C
 *
 * loads its memory. What waits for misses is as over all: followers of a hot line wait as well. */
#include <math.h>
#include <string.h>

#include "network/demands.h"

static const struct profile_curve *curve_of(const struct demands *d, const char *side)
{
    const char *scope = level_scope_names[model_level(d->b, "llc")->scope];
    return profile_curve_find(d->record, scope, side, "all");
}

/* First touches by reads. */
static double cold_reads(const struct demands *d, const char *side)
{
    const struct profile_curve *curve = curve_of(d, side);
    if (!curve)
        return (double)NAN;
    const struct curve *reads = profile_curve_part(curve, CURVE_READS);
    return (double)(reads ? reads->cold : curve->curve.cold);
}

/* Of lines of pages that several of n chips share a share `once` is touched by one chip alone. If
 * each chip touches each line with the probability p,
 *
 *     once = n p (1 - p)^(n - 1) / (1 - (1 - p)^n)
 *
 * falls with p, and the chip that has the page at home touches a line, which any does, with
 * p / (1 - (1 - p)^n): 1 where all touch all, 1/n where each has lines of its own. */
static double touched_at_home(double once, uint32_t n)
{
    double low = 0, high = 1, any = 1;
    enum { HALVES = 40 };
    for (int i = 0; i < HALVES; i++) {
        double p = 0.5 * (low + high);
        any = 1 - pow(1 - p, n);
        if (n * p * pow(1 - p, n - 1) > once * any)
            low = p;
        else
            high = p;
    }
    return 0.5 * (low + high) / any;
}

/* First touches of lines by the chips that have them at home. */
static double local_first(struct demands *d, double cold, double local)
{
    const struct profile_sharing *sharing = &model_profile_view(d->b)->sharing;
    double shared = sharing->truly_shared_bytes + sharing->falsely_shared_bytes;
    double alone = demands_ratio(sharing->non_shared_bytes, shared + sharing->non_shared_bytes, 1);
    if (strcmp(model_name(d->b, "page.policy"), "first-touch") != 0)
        return cold * local; /* as reads that follow no other one's miss */
    double once = demands_ratio(sharing->falsely_shared_bytes, shared, 0);
    double home = touched_at_home(once, d->system->domains);
    return cold_reads(d, "home") * (alone + (1 - alone) * home);
}

/* So many of its reads are first touches, so many follow another one's miss, and so many of what
 * all miss beside first touches, `first` of all reads, are of that side. */
static struct demands_side side_of(double reads, double cold, double follow, double first,
                                   double others)
{
    return (struct demands_side){.known = true,
                                 .reads = reads,
                                 .cold = cold,
                                 .first = first,
                                 .others = demands_ratio(reads - follow, others, 1),
                                 .follows = demands_ratio(follow, reads, 0)};
}

void demands_read_sides(struct demands *d)
{
    double reads = demands_field(d, FIELD_HOME_READS);
    double remote = demands_field(d, FIELD_HOME_REMOTE_READS), local = reads - remote;
    double follow = demands_field(d, FIELD_FOLLOWERS_SM_SIDE);
    double far = demands_field(d, FIELD_FOLLOWERS_REMOTE), near = follow - far;
    double cold = cold_reads(d, "requester");
    double known = cold - local_first(d, cold, (local - near) / (reads - follow));
    if (d->system->domains < 2 || d->system->asks_home || !(remote > 0) || !(local > 0) ||
        isnan(known) || isnan(follow) || isnan(far))
        return;
    known = fmax(fmin(fmax(0, known), remote - far), cold - (local - near));
    d->sides[PATH_LOCAL] = side_of(local, cold - known, near, cold, reads - follow);
    d->sides[PATH_REMOTE] = side_of(remote, known, far, cold, reads - follow);
}

/* At least 0 and at most 1. */
static int ratio_of(struct demands *d, const char *name, int miss, double more)
{
    int all = model_constant(d->b, NULL, 1, DIM_NONE),
        none = model_constant(d->b, NULL, 0, DIM_NONE);
    int sum = term_sum(d->g, NULL, miss, model_constant(d->b, NULL, more, DIM_NONE));
    return term_max(d->g, name, none, term_min(d->g, NULL, all, sum));
}

/* Of one of the side's `own`, where all of them have `miss` of `all`. */
static int of_side(struct demands *d, const struct demands_side *side, const char *name, int miss,
                   double all, double own)
{
    int first = model_constant(d->b, NULL, demands_ratio(side->first, all, 0), DIM_NONE);
    int others = term_max(d->g, NULL, term_difference(d->g, NULL, miss, first),
                          model_constant(d->b, NULL, 0, DIM_NONE));
    double times = side->others * demands_ratio(all, own, 0);
    others = term_product(d->g, NULL, others, model_constant(d->b, NULL, times, DIM_NONE));
    return ratio_of(d, name, others, demands_ratio(side->cold, own, 0));
}

int demands_side_miss(struct demands *d, enum network_path path, int miss)
{
    const struct demands_side *side = &d->sides[path];
    return of_side(d, side, "m of that side", miss, demands_field(d, FIELD_HOME_READS),
                   side->reads);
}

int demands_side_reads(struct demands *d, enum network_path path, int reads)
{
    double all = demands_field(d, FIELD_HOME_REQUESTS);
    double remote = demands_field(d, FIELD_HOME_REMOTE_REQUESTS);
    return of_side(d, &d->sides[path], "memory reads of that side", reads, all,
                   path == PATH_REMOTE ? remote : all - remote);
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
    more *= demands_ratio(cold_reads(d, "home"), cold, 0);
    return more != 0 ? ratio_of(d, "memory reads of that home", reads, more) : reads;
}
