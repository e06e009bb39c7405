/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What NUBA's model-driven replication measures while it runs (ASPLOS 2023): the LLC's
 * hit rate with and without full replication, from sampled sets, and the mix of local
 * and remote requests.
 *
 * Without replication every request is looked up at the line's home. With it, a remote
 * request for a replicable line is looked up at the requester's domain instead, whose
 * slices hold replicas and home lines under one LRU: the union stream. Hardware runs one
 * of the two and needs sampled sets for the other only; here both are sampled.
 *
 * The published sampler is one for the GPU, of 384 bytes: a few sets of one slice of one
 * partition, which speak for all of them. */
#ifndef BANDSCAPE_MODELS_NUBA_MDR_SAMPLER_H
#define BANDSCAPE_MODELS_NUBA_MDR_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/samplers/sampled_sets.h"

/* The published sampler. */
enum { MDR_SAMPLED_DOMAINS = 1, MDR_SAMPLED_SETS = 8, MDR_WAYS = 16, MDR_TAG_BITS = 24 };

struct mdr_sampler_shape {
    uint32_t domains;         /* that are sampled: the first ones */
    uint32_t sets_per_domain; /* of the LLC, at least 1 */
    uint32_t sets_per_slice;  /* of which the first slice is sampled; 0: all slices are */
    uint32_t ways;
    uint32_t sampled_sets; /* per domain, at least 1 */
    uint32_t tag_bits;     /* at most 32 */
};

struct mdr_rate {
    uint64_t requests, hits;
};

struct mdr_sampler {
    struct sampled_sets home_sets;  /* lines at their homes only */
    struct sampled_sets union_sets; /* replicas beside them */
    struct mdr_rate home, united;
    uint64_t requests, local, replicable; /* replicable: of the remote ones */
};

/* Ratios are NaN when nothing was counted. */
struct mdr_estimate {
    uint64_t requests;
    double f_local;          /* of the requests */
    double f_replicable;     /* of the remote ones */
    double hit_rate;         /* h: without replication */
    double replica_hit_rate; /* h': replicable lines fully replicated */
};

void mdr_sampler_init(struct mdr_sampler *sampler, const struct mdr_sampler_shape *shape);
void mdr_sampler_fini(struct mdr_sampler *sampler);

/* An epoch begins: counters start anew, contents stay. */
void mdr_sampler_begin_epoch(struct mdr_sampler *sampler);

/* A kernel begins, and with it an epoch: replicas are flushed, home lines stay. */
void mdr_sampler_begin_kernel(struct mdr_sampler *sampler);

/* One request; replicable: the line is only read in this kernel. */
void mdr_sampler_take(struct mdr_sampler *sampler, uint32_t requester, uint32_t home, uint64_t line,
                      bool replicable);

void mdr_sampler_estimate(const struct mdr_sampler *sampler, struct mdr_estimate *out);

/* Bytes of all sampled sets, as published: of one of the two kinds. */
uint32_t mdr_sampler_storage(const struct mdr_sampler_shape *shape);

/* What one evaluation of the model costs in hardware. The paper gives the sum 4*25 + 4*3
 * + 2 + 2; that its terms are multiplications, additions, minima and the comparison is
 * our reading. */
enum {
    MDR_MULTIPLICATIONS = 4,
    MDR_MULTIPLICATION_CYCLES = 25,
    MDR_ADDITIONS = 4,
    MDR_ADDITION_CYCLES = 3,
    MDR_MINIMUM_CYCLES = 2,
    MDR_COMPARISON_CYCLES = 2
};
uint32_t mdr_evaluation_cycles(void);

#endif
