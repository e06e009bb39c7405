/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps that begin one behind another (cta.warps): a station of its own, and what the last warp of
 * those that begin together waits for the others. */
#include <math.h>

#include "network/demands.h"

/* Of one SM's data so many stand before the last one at its port: seconds, a term; -1: none. */
static int port_time(struct demands *d, uint32_t chip, double before)
{
    const struct station *port = system_station(d->system, STATION_NOC_REPLY, chip);
    port = port ? port : system_station(d->system, STATION_NOC, chip);
    if (!port || port->units == 1 || !(before > 0) || d->terms->slow_arg[port->kind] < 0)
        return -1;
    double times = before * port->units / (port->share * port->efficiency);
    return term_product(d->g, "data before the last", model_constant(d->b, NULL, times, DIM_NONE),
                        d->terms->args.items[d->noc[READ_RESPONSE]],
                        d->terms->args.items[d->terms->slow_arg[port->kind]]);
}

/* How many begin before the last one, whose own begin is at the station: of all that a dispatcher
 * begins when a launch does, and of a block that follows another one in its place. Summed over what
 * follows each other. */
static double before_last(struct demands *d, const struct station *dispatch, double warps)
{
    double blocks = demands_field(d, FIELD_CTAS);
    double launches = d->record->launches ? (double)d->record->launches : 1;
    double dispatchers = dispatch->units * demands_working_sms(d) / d->system->sms_per_domain;
    double places = demands_working_sms(d) * demands_blocks_held(d);
    double first = fmin(blocks / launches, places) * (warps / blocks) / fmax(1, dispatchers);
    return launches * fmax(0, first - 1) + demands_turnovers(d) * fmax(0, warps / blocks - 1);
}

void demands_dispatch(struct demands *d, uint32_t i, double waits)
{
    const struct station *dispatch = system_station(d->system, STATION_DISPATCH, i);
    struct way way = {.class = d->class[i], .path = PATH_NONE, .share = 1};
    double warps = model_warps_begun(d->b);
    if (!dispatch)
        return;
    if (warps == 0) {
        model_warn(d->b, "optimistic: the profile does not say how many warps begin (cta.warps)");
        return;
    }
    demands_pass(d, &way, STATION_DISPATCH, i, 0,
                 demands_ratio(warps, demands_field(d, FIELD_REQUESTS), 0));
    if (!(waits > 0))
        return;
    int before =
        model_constant(d->b, "warps before", before_last(d, dispatch, warps) / waits, DIM_NONE);
    int time =
        term_quotient(d->g, "begins before the last", before, model_parameter(d->b, "cta.warps"));
    int port = port_time(d, system_chip(d->system, i), demands_batch(d) / waits);
    if (port >= 0) { /* data come as their warps have begun: the slower of both counts */
        int none = model_constant(d->b, NULL, 0, DIM_SECONDS);
        time = term_max(d->g, "begins, longer than data", none,
                        term_difference(d->g, NULL, time, port));
    }
    way.flow = demands_argument(d, demands_fewer_a_wait(d));
    demands_delay(d, &way, demands_argument(d, time), 1);
}
