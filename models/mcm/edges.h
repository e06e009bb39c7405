/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The directed edges of the link graph under a record's traffic between modules (GPUs), for
 * every model that has them: shortest-path routing, ties split. Links are as slow as the hottest
 * edge, unless a paper prints it otherwise: uplinks of GPUs that carry different loads are not
 * pooled. */
#ifndef BANDSCAPE_MODELS_MCM_EDGES_H
#define BANDSCAPE_MODELS_MCM_EDGES_H

#include "model/model.h"

/* Of what requesters send to homes in other modules, and of what homes send back, the shares that
 * cross the edge: they go opposite ways, over the pairs of the traffic matrix; `even`: the same of
 * messages between all pairs alike. */
struct mcm_edge {
    double there, back, even;
    double efficiency;             /* what queues leave of it (link_graph_efficiency) */
    double share, own_bytes_per_s; /* of inter.link_bandwidth; a listed edge's own, else 0 */
    int ends;                      /* modules at its ends; switches are none */
    bool leaves;                   /* a module, not a switch */
    bool own_latency;              /* listed with it */
    double latency_s;
};

struct mcm_edges {
    uint32_t chips;
    struct mcm_edge *items;
    size_t count; /* 0: one chip */
};

/* Uniform traffic where the record says no matrix. Refuses graphs that cannot be built; the
 * builder keeps the error. mcm_edges_fini in any case. */
void mcm_edges_read(struct model_builder *builder, struct mcm_edges *out);
/* The same while a share of what crosses goes to one home, from those who ask it, and the others
 * ask as over the launch (resources/moments.h). */
void mcm_edges_read_pulled(struct model_builder *builder, uint32_t home, double share,
                           struct mcm_edges *out);
void mcm_edges_fini(struct mcm_edges *edges);

#endif
