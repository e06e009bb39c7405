/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lookups of L1, a line at a time (l1.lookups).
 *
 * Warps stay with their SM, as with its issue slots: the L1s of the n SMs of a domain are one queue
 * n times as fast, as slow as the busiest one, and a delay of what a warp's own lines take beyond
 * that. Between two of its waits a warp asks for the lines of what it waits for, and of what it
 * writes meanwhile: all lines over all groups of loads. Of a chain of c waits and h for L1 alone
 * that is, before each of the c behind the first ones of their launches,
 *
 *     lines / load groups * (c - launches + h) / (c - launches)
 *
 * The latency of L1 has the lookup of a line that is alone (demands_behind_lookup).
 * A profile that does not say the chain has the delay of the other n - 1. */
#include "network/demands.h"

static int lookup_time(struct demands *d)
{
    return term_quotient(d->g, "lookup of a line", model_constant(d->b, NULL, 1, DIM_NONE),
                         model_parameter(d->b, "l1.lookups"));
}

int demands_behind_lookup(struct demands *d, int latency)
{
    if (!system_station(d->system, STATION_L1, 0))
        return latency;
    return term_max(d->g, "L1 behind its lookup",
                    term_difference(d->g, NULL, latency, lookup_time(d)),
                    model_constant(d->b, NULL, 0, DIM_SECONDS));
}

/* What a warp waits for at a time; each access alone where nobody counted it. */
static double groups_of(const struct demands *d, double lines)
{
    double groups = demands_field(d, FIELD_LOAD_GROUPS);
    double accesses = demands_field(d, FIELD_WARP_ACCESSES);
    return groups > 0 ? groups : accesses > 0 ? accesses : lines;
}

void demands_look_up_near(struct demands *d, uint32_t i, double waits)
{
    const struct station *l1 = system_station(d->system, STATION_L1, i);
    struct way way = {.class = d->class[i], .path = PATH_NONE, .share = 1};
    double lines = demands_field(d, FIELD_LINE_ACCESSES);
    double each = demands_ratio(lines, demands_field(d, FIELD_REQUESTS), 0);
    if (!l1)
        return;
    if (!(lines > 0)) {
        model_warn(d->b, "optimistic: the profile does not say the lines that L1 is asked for "
                         "(l1.lookups)");
        return;
    }
    double sms = d->net->class[way.class].sms;
    double served = each / (sms * demands_lookup_evenness(d, sms)), own = each;
    if (waits > 0) {
        double behind = waits + demands_ratio(demands_field(d, FIELD_CHAIN_HITS), 1, 0);
        own = lines / groups_of(d, lines) * behind / waits;
    }
    int time = lookup_time(d);
    int *slow = &d->terms->slow_arg[STATION_L1];
    *slow = *slow < 0 ? demands_argument(d, time) : *slow;
    demands_serve(d, &way, l1, 0, *slow, served);
    int left = demands_own_left(d, "lookups of the chain, behind its SM's", own, served);
    demands_delay(d, &way, demands_argument(d, term_product(d->g, NULL, left, time)), 1);
}
