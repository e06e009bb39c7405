/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels before the LLC: hits on lines that are on their way.
 *
 * What finds its line at such a level while another request is under way for it waits as long as
 * that one, as at the LLC, and costs nothing behind the level. Of a domain's reads a share f are
 * for lines that another of them is under way for (the profile's followers at the requester), and a
 * share p passes the level. First ones all pass, so that
 *
 *     late = min( 1 , p / (1 - f) )
 *
 * wait for what is behind it: late/p - 1 beside each that passes. Levels whose caches are not the
 * domain's have other followers, which nobody counts. */
#include <math.h>

#include "network/demands.h"

/* A cache of all the domain's for such lines. */
static bool stands_before(const struct demands *d, bool remote)
{
    for (uint32_t l = 0; l < system_between(d->system); l++) {
        const struct system_level *level = system_level(d->system, l);
        if (level->caches == d->system->domains &&
            level->filter != (remote ? FILTER_LOCAL : FILTER_REMOTE))
            return true;
    }
    return false;
}

void demands_read_front_followers(struct demands *d)
{
    double reads = demands_field(d, FIELD_READS), remote = demands_remote_reads(d);
    double far = demands_field(d, FIELD_FOLLOWERS_REMOTE);
    double follow[PATH_COUNT] = {0}, of[PATH_COUNT] = {0};
    follow[PATH_LOCAL] = demands_field(d, FIELD_FOLLOWERS_SM_SIDE) - far;
    follow[PATH_REMOTE] = far;
    of[PATH_LOCAL] = reads - remote;
    of[PATH_REMOTE] = remote;
    for (int path = PATH_LOCAL; path <= PATH_REMOTE; path++) {
        double first = 1 - fmin(1, demands_ratio(follow[path], of[path], 0));
        double passes = d->passes[path];
        if (!stands_before(d, path == PATH_REMOTE) || !(passes > 0))
            continue;
        d->follow[path] = fmax(0, (first > passes ? passes / first : 1) / passes - 1);
    }
}
