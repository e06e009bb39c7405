/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One way of serving remote requests, as terms: what it puts on each resource, and how long
 * a read takes. Equations and symbols: models/dualopt/README.md. */
#ifndef BANDSCAPE_MODELS_DUALOPT_DESIGNS_H
#define BANDSCAPE_MODELS_DUALOPT_DESIGNS_H

#include "model/model.h"

/* Values of dualopt.design, but for the engine, which chooses among them. */
enum dualopt_design { BASELINE, BYPASS, FINE_GRAINED, COALESCING, RDMA_CACHE, DUALOPT_DESIGNS };
extern const char *const dualopt_design_names[DUALOPT_DESIGNS];

/* Variants of the machine whose profiles the designs read. */
enum dualopt_variant { AS_IT_IS, L1_BYPASSED, WITH_RDMA_CACHE, DUALOPT_VARIANTS };
enum dualopt_variant dualopt_variant_of(enum dualopt_design design);

/* What a design yields. Latencies but the last two are parts of the mean over all read
 * accesses of lines, hits in L1 too: the first four add up to memory_latency. */
enum dualopt_value {
    BANDWIDTH,
    FABRIC_BYTES,
    LATENCY_LOCAL,
    LATENCY_BEFORE,
    LATENCY_LINK,
    LATENCY_AFTER,
    MEMORY_LATENCY,
    LOADED_LATENCY,
    REMOTE_LATENCY, /* of a read that crosses the links */
    PACKET_FILL,
    VAIN_WAITS, /* of the requests that are sent */
    POTENTIAL,
    POTENTIAL_BOUNDED,
    RDMA_HIT_RATE,
    LLC_HIT_RATE,
    DUALOPT_VALUES
};
struct dualopt_terms {
    int of[DUALOPT_VALUES];
};

/* `shrunk`: the L2 has given dualopt.rdma_capacity away, whether it is used or not.
 * `bytes`: term of the bytes of the work, the same for all designs. Leaves the design's
 * variant selected. */
struct dualopt_terms dualopt_design_build(struct model_builder *builder, enum dualopt_design design,
                                          bool shrunk, int bytes);

#endif
