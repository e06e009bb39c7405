/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory channels whose bus takes its time to turn (memory.turnaround). Reads are served as they
 * come. Writes are kept back until there are as many as one drains at a time (memory.write_batch);
 * then they are served one behind another, after a turn and before another one, unless the channel
 * has read nothing since the last of them. */
#ifndef BANDSCAPE_SIMULATE_CHANNELS_H
#define BANDSCAPE_SIMULATE_CHANNELS_H

#include "simulate/plant.h"

struct channel {
    double kept_s;   /* service of the writes that are kept back */
    double served_s; /* of all that its server had done when it last drained */
};

struct channels {
    struct channel *items;
    struct server *servers; /* of the plant */
    double turn_s, batch_s; /* a turn; service of a batch */
    double latency_s;       /* of a memory */
    uint32_t first, n;      /* the channels' servers in the plant; none where turns take no time */
};

/* The plant must outlive it, and have its stations numbered by kind. */
void channels_init(struct channels *channels, const struct plant *plant);
void channels_fini(struct channels *channels);

/* A write of that service comes to the server of a channel. */
void channels_write(struct channels *channels, uint32_t server, double service_s, double now_s);
/* All that is kept is written, behind what is under way: when the last of it has come, now or
 * later. */
double channels_drain(struct channels *channels, double now_s);

#endif
