/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fixed-mix bound: every requested byte takes its share of every resource,
 * so the slowest resource throttles all streams together.
 *
 *     BW = min over resources of  capacity / (bytes it moves per requested byte)
 *
 *     resource   capacity        memory-side          SM-side
 *     noc        B_intra         R_local + 2 R_remote 1
 *     llc        B_LLC * LSU     1                    1
 *     inter      B_inter         R_remote             m R_remote
 *     memory     B_mem           m                    m
 *
 * Memory-side, a remote request crosses two crossbars, the requester's and the
 * home's; SM-side misses have a network of their own. Totals of the system, uniform over chips;
 * links at their raw bandwidth, hops not counted unless eab.hop_aware is 1. A resource that carries
 * nothing sets no limit. */
#include <math.h>

#include "model/model.h"

struct limits {
    struct model_builder *builder;
    int terms[4], count;
};

/* capacity / load, or no limit when the load is 0. */
static void limit_add(struct limits *limits, const char *name, const char *resource, int capacity,
                      int load)
{
    struct term_graph *g = model_graph(limits->builder);
    int zero = model_constant(limits->builder, NULL, 0, DIM_NONE);
    int none = model_constant(limits->builder, "no limit", HUGE_VAL, DIM_BYTES_PER_S);
    int used = term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){load, zero});
    int limit = term_operation(g, EXPRESSION_IF, name, 3,
                               (int[]){used, term_quotient(g, NULL, capacity, load), none});
    limits->terms[limits->count++] = term_resource(g, limit, resource);
}

static void bottleneck_build(struct model_builder *b)
{
    model_refuse_partitions(b);
    model_refuse_replication(b);
    struct term_graph *g = model_graph(b);
    struct limits limits = {.builder = b};
    int one = model_constant(b, NULL, 1, DIM_NONE);
    int miss = model_miss_ratio(b, "llc");
    int local = model_field(b, FIELD_R_LOCAL);
    int remote = term_difference(g, "r_remote", one, local);
    int inter = model_total(b, "total.link_bandwidth");
    if (model_switch(b, "eab.hop_aware") != 0) {
        double hops = model_mean_hops(b);
        inter = term_quotient(g, "B_inter", inter,
                              model_constant(b, "mean hops", hops > 0 ? hops : 1, DIM_NONE));
    }
    bool memory_side = model_side(b, "llc")[0] == 'h';
    int remote_miss = term_product(g, "m*r_remote", miss, remote);
    int crossings = memory_side ? term_sum(g, "crossings", local, remote, remote) : one;
    limit_add(&limits, "noc limit", "noc", model_total(b, "total.noc_bandwidth"), crossings);
    limit_add(&limits, "llc limit", "llc",
              term_product(g, "B_LLC*LSU", model_total(b, "total.llc_bandwidth"),
                           model_slice_uniformity(b, "llc")),
              one);
    limit_add(&limits, "inter limit", "inter", inter, memory_side ? remote : remote_miss);
    limit_add(&limits, "memory limit", "memory", model_total(b, "total.memory_bandwidth"), miss);
    int bandwidth =
        term_operation(g, EXPRESSION_MIN, "bandwidth at the mix", limits.count, limits.terms);
    model_set_metric(b, "effective_bandwidth", bandwidth);
    model_set_metric(b, "llc_hit_rate", term_difference(g, "h", one, miss));
    model_set_stream(b, "all", bandwidth);
}

static const struct model_metric bottleneck_metrics[] = {
    {"llc_hit_rate", {0, 0, 0, 0}, COMBINE_MEAN, "hit rate of the LLC as organised"},
    {.name = NULL},
};

const struct model model_bottleneck = {
    .plugin = {"model", "bottleneck", "bound at the workload's fixed mix of streams",
               "asymptotic bound of queueing networks (Denning and Buzen, 1978)", NULL},
    .answer = "bottleneck at the given mix",
    .validity = "any load; an upper bound: no contention below saturation, uniform over chips",
    .page = "BW = min over resources of capacity / bytes moved per requested byte\n\n"
            "resource   capacity       memory-side            SM-side\n"
            "noc        B_intra        R_local + 2 R_remote   1\n"
            "llc        B_LLC * LSU    1                      1\n"
            "inter      B_inter        R_remote               m R_remote\n"
            "memory     B_mem          m                      m",
    .metrics = bottleneck_metrics,
    .build = bottleneck_build,
};
