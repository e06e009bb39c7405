/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory channels that drain writes. */
#include "simulate/channels.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

void channels_init(struct channels *channels, const struct plant *plant)
{
    const struct system *system = plant->system;
    uint32_t first = plant_find(plant, STATION_MEMORY, 0);
    const struct plant_station *station = &plant->stations[first];
    *channels = (struct channels){.servers = plant->servers,
                                  .turn_s = system->turnaround_s,
                                  .batch_s = system->write_batch_bytes * station->amount_s,
                                  .latency_s = station->latency_s,
                                  .first = station->first};
    if (channels->turn_s > 0)
        channels->n = system->domains * station->units;
    channels->items = memory_zero(channels->n + 1, sizeof *channels->items);
}

void channels_fini(struct channels *channels)
{
    free(channels->items);
}

static void drain(struct channels *channels, uint32_t i, double now_s)
{
    struct channel *channel = &channels->items[i];
    struct server *server = &channels->servers[channels->first + i];
    bool has_read = server->work_s > channel->served_s;
    double turns = has_read ? 2 * channels->turn_s : 0;
    server_take(server, now_s, channel->kept_s + turns);
    *channel = (struct channel){.served_s = server->work_s};
}

void channels_write(struct channels *channels, uint32_t server, double service_s, double now_s)
{
    uint32_t i = server - channels->first;
    channels->items[i].kept_s += service_s;
    if (channels->items[i].kept_s >= channels->batch_s)
        drain(channels, i, now_s);
}

double channels_drain(struct channels *channels, double now_s)
{
    double end = now_s;
    for (uint32_t i = 0; i < channels->n; i++) {
        const struct server *server = &channels->servers[channels->first + i];
        if (channels->items[i].kept_s > 0)
            drain(channels, i, now_s);
        if (server->work_s > 0)
            end = fmax(end, server->free_s + channels->latency_s);
    }
    return end;
}
