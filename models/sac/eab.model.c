/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effective available bandwidth of a last-level cache in a multi-chip GPU.
 *
 *     EAB   = EAB_local + EAB_remote
 *     EAB_x = min( B_SM_LLC , B_hit + min( B_miss , B_LLC_mem , B_mem ) )
 *
 *     term       memory-side                        SM-side
 *     B_SM_LLC   local B_intra, remote B_inter      B_intra * R_x
 *     B_hit      B_LLC * LSU * h * R_x              the same, SM-side h and LSU
 *     B_miss     B_LLC * LSU * m * R_x              the same
 *     B_LLC_mem  unbounded                          local unbounded, remote B_inter
 *     B_mem      B_mem * R_x                        the same
 *
 *     B_intra, B_LLC, B_mem   totals of the system, bytes/s
 *     B_inter   sum over outgoing links; over the mean hops when eab.hop_aware is 1
 *     R_x       share of requests whose home is local / remote
 *     h, m      LLC hit and miss rate, LSU slice uniformity, of the organisation
 *
 * Source: SAC, ISCA 2023, equation 1 and Table 1. Valid for one cache level
 * before memory, saturating streams; local and remote are taken to saturate
 * independently, so at a given mix the answer is optimistic (see bottleneck). */
#include "model/model.h"

struct eab_inputs {
    int intra, inter, llc, memory, miss, hit, r_local, r_remote;
};

static struct eab_inputs eab_read(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct eab_inputs in;
    int one = model_constant(b, NULL, 1, DIM_NONE);
    in.intra = term_resource(g, model_total(b, "total.noc_bandwidth"), "noc");
    in.inter = model_total(b, "total.link_bandwidth");
    if (model_switch(b, "eab.hop_aware") != 0) {
        double hops = model_mean_hops(b);
        in.inter = term_quotient(g, "B_inter", in.inter,
                                 model_constant(b, "mean hops", hops > 0 ? hops : 1, DIM_NONE));
    }
    in.inter = term_resource(g, in.inter, "inter");
    in.memory = model_total(b, "total.memory_bandwidth");
    in.llc = term_product(g, "B_LLC*LSU", model_total(b, "total.llc_bandwidth"),
                          model_slice_uniformity(b, "llc"));
    in.miss = model_miss_ratio(b, "llc");
    in.hit = term_difference(g, "h", one, in.miss);
    in.r_local = model_field(b, FIELD_R_LOCAL);
    in.r_remote = term_difference(g, "r_remote", one, in.r_local);
    return in;
}

/* One stream's EAB. `links` bounds the way to memory; -1: it does not. */
static int eab_stream(struct model_builder *b, const struct eab_inputs *in, const char *name,
                      int share, int sm_llc, int links)
{
    struct term_graph *g = model_graph(b);
    int hit = term_product(g, "B_hit", in->llc, in->hit, share);
    int miss = term_resource(g, term_product(g, "B_miss", in->llc, in->miss, share), "llc");
    int memory = term_resource(g, term_product(g, "B_mem", in->memory, share), "memory");
    int behind =
        links < 0 ? term_min(g, NULL, miss, memory) : term_min(g, NULL, miss, links, memory);
    return term_min(g, name, sm_llc, term_sum(g, "B_hit+miss path", hit, behind));
}

static void eab_build(struct model_builder *b)
{
    model_refuse_partitions(b);
    model_refuse_replication(b);
    model_refuse_fronts(b);
    struct term_graph *g = model_graph(b);
    struct eab_inputs in = eab_read(b);
    int local, remote;
    if (model_side(b, "llc")[0] == 'h') {
        local = eab_stream(b, &in, "EAB_local", in.r_local, in.intra, -1);
        remote = eab_stream(b, &in, "EAB_remote", in.r_remote, in.inter, -1);
    } else {
        int near = term_product(g, "B_SM_LLC", in.intra, in.r_local);
        int far = term_product(g, "B_SM_LLC", in.intra, in.r_remote);
        local = eab_stream(b, &in, "EAB_local", in.r_local, term_resource(g, near, "noc"), -1);
        remote =
            eab_stream(b, &in, "EAB_remote", in.r_remote, term_resource(g, far, "noc"), in.inter);
    }
    model_set_metric(b, "effective_bandwidth", term_sum(g, "EAB", local, remote));
    model_set_metric(b, "eab_local", local);
    model_set_metric(b, "eab_remote", remote);
    model_set_metric(b, "llc_hit_rate", in.hit);
    model_set_stream(b, "local", local);
    model_set_stream(b, "remote", remote);
}

static const struct parameter_row eab_parameters[] = {
    {"hop_aware",
     PARAMETER_COUNT,
     {0, 0, 0, 0},
     0,
     1,
     "0",
     NULL,
     NULL,
     "model",
     STRUCTURE_MODEL,
     "1: link bandwidth counts once per hop (as published: 0)"},
    {.field = NULL},
};

static const struct model_metric eab_metrics[] = {
    {"eab_local", {1, -1, 0, 0}, COMBINE_TIME, "EAB of requests to the own chip's memory"},
    {"eab_remote", {1, -1, 0, 0}, COMBINE_TIME, "EAB of requests to other chips' memory"},
    {"llc_hit_rate", {0, 0, 0, 0}, COMBINE_MEAN, "hit rate of the LLC as organised"},
    {.name = NULL},
};

const struct model model_eab = {
    .plugin = {"model", "eab", "effective available bandwidth, memory-side or SM-side LLC",
               "SAC, ISCA 2023, equation 1 and Table 1", eab_parameters},
    .answer = "EAB-style",
    .validity = "one LLC level before memory, saturating streams; local and remote saturate "
                "independently, so kernel_time is optimistic at a given mix",
    .page = "EAB   = EAB_local + EAB_remote\n"
            "EAB_x = min(B_SM_LLC, B_hit + min(B_miss, B_LLC_mem, B_mem))\n\n"
            "            memory-side                     SM-side\n"
            "B_SM_LLC    local B_intra, remote B_inter   B_intra * R_x\n"
            "B_hit       B_LLC * LSU * h * R_x           the same, SM-side h and LSU\n"
            "B_miss      B_LLC * LSU * m * R_x           the same\n"
            "B_LLC_mem   unbounded                       local unbounded, remote B_inter\n"
            "B_mem       B_mem * R_x                     the same\n\n"
            "sac: SM-side exactly when EAB_sm > (1 + llc.theta) * EAB_mem, per kernel.",
    .metrics = eab_metrics,
    .build = eab_build,
};
