/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The links between GPUs under the traffic between them: edges that may be the hottest one, which
 * sets how long messages take. */
#ifndef BANDSCAPE_MODELS_DUALOPT_FABRIC_H
#define BANDSCAPE_MODELS_DUALOPT_FABRIC_H

#include "model/model.h"

/* Of what requesters send home, and of what homes send back, the parts that cross an edge, over
 * its multiple of inter.link_bandwidth; own: over its own bandwidth, in bytes/s. */
struct dualopt_edge {
    double there, back;
    bool own;
};

/* Edges that no other one covers, in the builder's arena: of the selected variant's traffic, as
 * in the model link. Graphs that cannot be built are refused. */
struct dualopt_fabric {
    struct dualopt_edge *edges;
    size_t count;
};
void dualopt_fabric_read(struct model_builder *builder, struct dualopt_fabric *out);

#endif
