/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What decides the form of the network: counts, names and stations of the machine, the options of
 * the model, levels that stop. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "network/demands.h"

/* What decides the form of the network. */
static void note_structure(struct demands *d)
{
    static const char *const counts[] = {"chips", "partitions", "sm.per_chip", "llc.slices",
                                         "memory.channels"};
    const struct machine *machine = model_machine(d->b);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        model_switch(d->b, counts[i]);
    if (system_station(d->system, STATION_DISPATCH, 0))
        model_switch(d->b, "cta.dispatchers");
    if (machine_has(machine, "noc")) {
        model_name(d->b, "noc.directions");
        model_switch(d->b, "noc.ports");
        if (strcmp(model_name(d->b, "noc.switching"), "fifo") == 0) {
            model_switch(d->b, "noc.inputs");
            model_switch(d->b, "noc.outputs");
        }
    }
    if (d->system->chips > 1)
        model_name(d->b, "inter.switching");
}

void demands_set_stations(struct demands *d)
{
    struct network *net = d->net;
    size_t count = d->system->stations.count;
    double working = demands_working_sms(d) / d->system->sms;
    net->stations = (int)count;
    net->station = arena_alloc(model_arena(d->b), count * sizeof *net->station);
    for (size_t k = 0; k < count; k++) {
        const struct station *r = &d->system->stations.items[k];
        net->station[k] = (struct network_station){r->kind, r->place, (int)r->units};
        if (r->kind == STATION_ISSUE || r->kind == STATION_L1 || r->kind == STATION_WALKERS)
            net->station[k].copies = 1;
        if (r->kind == STATION_NOC || r->kind == STATION_NOC_REPLY ||
            r->kind == STATION_DISPATCH) /* of SMs that work */
            net->station[k].copies = (int)fmax(1, round(r->units * working));
    }
}

static void read_options(struct demands *d)
{
    const char *algorithm = model_name(d->b, "network.algorithm");
    d->net->scv = strcmp(model_name(d->b, "network.service"), "exponential") == 0 ? 1 : 0;
    d->net->lattice = model_switch(d->b, "network.lattice");
    d->net->algorithm = strcmp(algorithm, "linearizer") == 0   ? NETWORK_LINEARIZER
                        : strcmp(algorithm, "schweitzer") == 0 ? NETWORK_SCHWEITZER
                                                               : NETWORK_AUTO;
}

void demands_read_form(struct demands *d)
{
    note_structure(d);
    read_options(d);
}

/* --- levels that stop --------------------------------------------------------------------- */

int demands_stop(struct demands *d, const char *level, double units, bool by_sms)
{
    char path[128];
    double given;
    struct error ignored;
    snprintf(path, sizeof path, "%s.mshrs", level);
    if (machine_number(model_machine(d->b), path, &given, &ignored))
        return -1;
    d->net->places[d->net->levels] =
        (struct network_places){demands_argument(d, model_parameter(d->b, path)), units, by_sms};
    d->held_share[d->net->levels] = 1;
    return d->net->levels++;
}

/* Units of a domain: of one cache for several each has its share. */
void demands_read_stops(struct demands *d)
{
    const struct system *s = d->system;
    const struct system_level *llc = system_llc(s);
    for (uint32_t l = 0; l < system_between(s); l++)
        d->stops.between[l] = demands_stop(d, system_level(s, l)->name,
                                           (double)system_level(s, l)->caches / s->domains, false);
    const struct station *slices = system_station(s, STATION_LLC, 0);
    d->stops.llc = demands_stop(d, llc->name, slices ? slices->units : 1, false);
    demands_stop_beside(d);
}
