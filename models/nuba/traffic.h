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
/* Under full replication a request that replicas may serve looks up the slices of its own
 * partition; what misses goes to the home's slices, and from there to its memory (section 5.2).
 * With M at the capacity of a partition, and s_r the share of such requests,
 *
 *     x   = M(partition, home, replicas)            of them, those that go on
 *     a   = M(partition, home, replicable-of-all)   of them, those that miss where nothing is
 * replicated m_h = min(x, a)                               of them, those that memory answers u   =
 * m' - s_r x                              of all requests, others that miss beside replicas b   = m
 * - s_r a                               the same where nothing is replicated m_o = (u - k + min(k,
 * b)) / (1 - s_r)         of the others, those that memory answers
 *
 * with k those of u that ask for their line first: it may be at home, brought there by what
 * replicas missed. All shares are of requests. Exact where nothing is replicable, where all fits,
 * so that memory reads a line once, and where nothing does. Between these an estimate: m_h <= x
 * always, but what goes on finds the home as that of all requests is; and the room that it takes
 * from the lines and replicas of the home's partition is not in x and m'. Where no curves are known
 * (profiles by hand) x, m_h and m_o are m': what replicas miss is taken to miss at home. */
struct nuba_replicas {
    int miss, miss_home, miss_others; /* x, m_h, m_o: terms */
    int misses;                       /* of all requests, those that memory answers */
};
void nuba_replicas_read(struct model_builder *builder, const struct nuba_traffic *traffic,
                        struct nuba_replicas *out);
/* True where MDR expects a gain from replicas: the decision of the model mdr (mdr.model.c).
 * `share`: of a launch's requests, those behind its first epoch, at the rate of the fixed mix; 0
 * where it does not. */
int nuba_replicates(struct model_builder *builder, int *share);
/* Whether a share is more than none. */
int nuba_any(struct model_builder *builder, int share);

#endif
