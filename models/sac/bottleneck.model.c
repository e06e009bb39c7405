/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fixed-mix bound: every requested byte takes its share of every resource,
 * so the slowest resource throttles all streams together.
 *
 *     BW = min over resources of  capacity / (bytes it moves per requested byte)
 *
 *     resource   capacity        memory-side        SM-side
 *     noc        B_intra         1 + q              1
 *     llc        B_LLC * LSU     p                  1
 *     inter      B_inter         q                  m R_remote
 *     memory     B_mem           m p                m
 *     l2, l15,   its bandwidth   lookups per        -
 *     rdma                       request
 *
 *     m   misses of the LLC per request that looks it up
 *     p   requests that reach the home, per request of the SMs
 *     q   those that reach it from another domain
 *
 * Without levels before the LLC p = 1 and q = R_remote; with them both are counted by the
 * profiler, which simulates those levels exactly. A level that states no bandwidth sets no limit
 * of its own. They stand on the requester's side, in front of the home's LLC: machines that put
 * them in front of an SM-side LLC are refused, as that LLC's curve is of the stream before them.
 *
 * Memory-side, a remote request crosses two crossbars, the requester's and the
 * home's; SM-side misses have a network of their own. Totals of the system, uniform over chips;
 * links at their raw bandwidth, hops not counted unless eab.hop_aware is 1. A resource that carries
 * nothing sets no limit.
 *
 * Where chips have partitions, a request for the own partition needs no crossbar; one for another
 * partition crosses its chip's, one for another chip crosses two and the links. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"

enum { LIMITS_MAX = 8 };

struct limits {
    struct model_builder *builder;
    int terms[LIMITS_MAX], count;
};

/* What a requested byte moves through each resource. */
struct loads {
    int noc, llc, inter, memory;
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

/* Levels before the LLC that state a bandwidth. */
static void limit_fronts(struct limits *limits)
{
    static const enum profile_field lookups[] = {FIELD_L2_LOOKUPS, FIELD_L15_LOOKUPS,
                                                 FIELD_RDMA_LOOKUPS};
    struct model_builder *b = limits->builder;
    struct term_graph *g = model_graph(b);
    for (int i = 0; model_fronts[i]; i++) {
        struct error ignored;
        char path[80];
        double bandwidth;
        snprintf(path, sizeof path, "%s.bandwidth", model_fronts[i]);
        if (!model_has_front(b, model_fronts[i]) ||
            machine_number(model_machine(b), path, &bandwidth, &ignored))
            continue;
        int all = term_product(g, NULL, model_parameter(b, "chips"), model_parameter(b, path));
        int load = term_quotient(g, "lookups per request", model_field(b, lookups[i]),
                                 model_field(b, FIELD_REQUESTS));
        limit_add(limits, "level limit", model_fronts[i], all, load);
    }
}

/* Shares of requests for another partition, and for another chip. */
static void partition_shares(struct model_builder *b, double partitions, int *partition, int *chip)
{
    const struct profile_record *record = model_profile_record(b);
    size_t n = record->n_domains, of_chip = (size_t)partitions;
    double all = 0, other_partition = 0, other_chip = 0;
    if (!record->traffic)
        model_refuse(b, "chips have partitions, and the profile does not say the traffic between "
                        "them");
    for (size_t i = 0; record->traffic && i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double requests = record->traffic[i * n + j];
            all += requests;
            other_partition += i != j ? requests : 0;
            other_chip += i / of_chip != j / of_chip ? requests : 0;
        }
    double scale = all > 0 ? 1 / all : 0;
    *partition = model_constant(b, "to another partition", other_partition * scale, DIM_NONE);
    *chip = model_constant(b, "to another chip", other_chip * scale, DIM_NONE);
}

static void loads_of_partitions(struct model_builder *b, double partitions, struct loads *loads)
{
    struct error ignored;
    const char *scope = "";
    int partition, chip;
    machine_name(model_machine(b), "llc.scope", &scope, &ignored);
    for (int i = 0; model_fronts[i]; i++)
        if (model_has_front(b, model_fronts[i]))
            model_refuse(b, "it has partitions, and the level %s before the LLC", model_fronts[i]);
    if (strcmp(scope, "partition") != 0 || model_side(b, "llc")[0] != 'h')
        model_refuse(b, "chips have partitions, but llc.scope is %s and llc.side %s: the bound "
                        "knows partitions with an LLC part each, at the home",
                     scope, model_side(b, "llc"));
    partition_shares(b, partitions, &partition, &chip);
    loads->noc = term_sum(model_graph(b), "crossings", partition, chip);
    loads->inter = chip;
}

static void loads_of_chips(struct model_builder *b, int miss, struct loads *loads)
{
    struct term_graph *g = model_graph(b);
    bool memory_side = model_side(b, "llc")[0] == 'h';
    int one = model_constant(b, NULL, 1, DIM_NONE);
    int remote = model_home_remote_share(b);
    loads->noc = memory_side ? term_sum(g, "crossings", one, remote) : one;
    loads->inter = memory_side ? remote : term_product(g, "m*r_remote", miss, remote);
    for (int i = 0; model_fronts[i] && !memory_side; i++)
        if (model_has_front(b, model_fronts[i]))
            model_refuse(b, "the level %s stands before an SM-side LLC, whose curve is of the "
                            "stream before that level",
                         model_fronts[i]);
}

static struct loads loads_read(struct model_builder *b, int miss)
{
    struct error ignored;
    const char *filter = "all";
    double partitions = 1;
    struct loads loads = {0};
    machine_number(model_machine(b), "partitions", &partitions, &ignored);
    machine_name(model_machine(b), "llc.filter", &filter, &ignored);
    if (strcmp(filter, "all") != 0)
        model_refuse(b, "llc.filter is %s: the bound knows an LLC for all requests", filter);
    if (partitions > 1)
        loads_of_partitions(b, partitions, &loads);
    else
        loads_of_chips(b, miss, &loads);
    loads.llc = model_home_share(b);
    loads.memory = term_product(model_graph(b), "m*p", miss, loads.llc);
    return loads;
}

static void bottleneck_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct limits limits = {.builder = b};
    int miss = model_miss_ratio(b, "llc");
    struct loads loads = loads_read(b, miss);
    int inter = model_total(b, "total.link_bandwidth");
    if (model_switch(b, "eab.hop_aware") != 0) {
        double hops = model_mean_hops(b);
        inter = term_quotient(g, "B_inter", inter,
                              model_constant(b, "mean hops", hops > 0 ? hops : 1, DIM_NONE));
    }
    limit_add(&limits, "noc limit", "noc", model_total(b, "total.noc_bandwidth"), loads.noc);
    limit_add(&limits, "llc limit", "llc",
              term_product(g, "B_LLC*LSU", model_total(b, "total.llc_bandwidth"),
                           model_slice_uniformity(b, "llc")),
              loads.llc);
    limit_add(&limits, "inter limit", "inter", inter, loads.inter);
    limit_add(&limits, "memory limit", "memory", model_total(b, "total.memory_bandwidth"),
              loads.memory);
    limit_fronts(&limits);
    int bandwidth =
        term_operation(g, EXPRESSION_MIN, "bandwidth at the mix", limits.count, limits.terms);
    int one = model_constant(b, NULL, 1, DIM_NONE);
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
    .validity = "any load; an upper bound: no contention below saturation, uniform over chips. "
                "Levels before the LLC need an LLC at the home",
    .page = "BW = min over resources of capacity / bytes moved per requested byte\n\n"
            "resource   capacity       memory-side            SM-side\n"
            "noc        B_intra        1 + q                  1\n"
            "llc        B_LLC * LSU    p                      1\n"
            "inter      B_inter        q                      m R_remote\n"
            "memory     B_mem          m p                    m\n"
            "l2, l15,   its bandwidth, lookups per request    -\n"
            "rdma       if stated\n\n"
            "p: requests that reach the home, q: from another domain, per request of the SMs\n"
            "   (1 and R_remote unless levels stand before the LLC)\n"
            "partitions: noc moves the shares to other partitions and to other chips",
    .metrics = bottleneck_metrics,
    .build = bottleneck_build,
};
