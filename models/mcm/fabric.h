/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The links between chips under the traffic between them: edges that may be the hottest one, which
 * sets how long messages take; for every model that has links. */
#ifndef BANDSCAPE_MODELS_MCM_FABRIC_H
#define BANDSCAPE_MODELS_MCM_FABRIC_H

#include "model/model.h"

/* Of what requesters send home, of what homes send back, and of messages between all pairs of
 * chips alike, the parts that cross an edge, over its multiple of inter.link_bandwidth; own: over
 * its own bandwidth, in bytes/s. What queues at a switch lose (inter.switching) is off either. */
struct mcm_busy_edge {
    double there, back, even;
    bool own;
};

/* Edges that no other one covers, in the builder's arena: of the selected variant's traffic.
 * Graphs that cannot be built are refused. */
struct mcm_fabric {
    struct mcm_busy_edge *edges;
    size_t count; /* 0: one chip */
};
void mcm_fabric_read(struct model_builder *builder, struct mcm_fabric *out);
/* The same while a share goes to one home (mcm_edges_read_pulled). */
void mcm_fabric_read_pulled(struct model_builder *builder, uint32_t home, double share,
                            struct mcm_fabric *out);

/* Terms, bytes on the wire for a requested byte: what goes to homes, comes back, and goes between
 * all pairs alike; -1: nothing. */
struct mcm_wire {
    int there, back, even;
};
/* Seconds that the messages keep the hottest edge busy; a term, -1: no links. */
int mcm_fabric_time(struct model_builder *builder, const struct mcm_fabric *fabric,
                    const struct mcm_wire *wire);
/* Bytes at the hottest edge of those without a bandwidth of their own, over its multiple of
 * inter.link_bandwidth; -1: there is none. */
int mcm_fabric_bytes(struct model_builder *builder, const struct mcm_fabric *fabric,
                     const struct mcm_wire *wire);
/* Of the hottest edge while an LLC at the requester writes home what it holds dirty (bytes, a
 * term), of which other chips' lines, as many as there are among the record's writes, go as
 * messages of writes; -1: no links. */
int mcm_fabric_write_home(struct model_builder *builder, int dirty);

#endif
