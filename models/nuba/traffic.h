/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where requests go in a GPU of partitions: to the own one, to others of the same module, to
 * other modules; and which of them could be served by replicas. */
#ifndef BANDSCAPE_MODELS_NUBA_TRAFFIC_H
#define BANDSCAPE_MODELS_NUBA_TRAFFIC_H

#include "model/model.h"

/* Shares of all requests; own + near + far = 1. */
struct nuba_traffic {
    double own;        /* over the partition's point-to-point links; 0 without them */
    double near;       /* over the crossbar of the own module */
    double far;        /* over both modules' crossbars and the links between them */
    double replicable; /* of near and far: reads of lines that nobody writes in the launch.
                        * The profile has no split of it: taken as alike in both */
    /* What the busiest partition has, times the partitions: a share of all requests as well. */
    double asked;        /* requests of its SMs; 1: unknown */
    double first_misses; /* first misses of its lines, which its memory has to fetch; 0: unknown */
    double memory_balance; /* mean over maximum of the first misses by home; NaN: unknown */
};

/* `p2p`: partitions have point-to-point links; `replication`: replicable is wanted. What the
 * profile does not say is the builder's error. */
void nuba_traffic_read(struct model_builder *builder, bool p2p, bool replication,
                       struct nuba_traffic *out);

/* m': the LLC's miss ratio where replicas share its slices with home lines. */
int nuba_replicated_miss(struct model_builder *builder);
/* Share of the look-ups of replicas that hit, estimated: as often as any look-up of that LLC
 * does (h', the term `hit`), but no more often than replicas that have its slices for
 * themselves. */
int nuba_replica_hits(struct model_builder *builder, int hit);
/* True where MDR expects a gain from replicas: the decision of the model mdr (mdr.model.c).
 * `share`: of a launch's requests, those behind its first epoch, at the rate of the fixed mix; 0
 * where it does not. */
int nuba_replicates(struct model_builder *builder, int *share);
/* Whether a share is more than none. */
int nuba_any(struct model_builder *builder, int share);

#endif
