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
 * With split ways (static, dynamic) the local stream has the memory-side column, the
 * remote stream the SM-side one, each with the hit rate of its own ways (sac/llc.h), and
 * LSU is that of the requesters' slices, which all requests meet.
 *
 * Beside EAB:
 *     responses  where data come from: local or remote LLC, local or remote memory. The
 *                published h is one for both streams, so R_x h and R_x m.
 *     invalidations  under hardware coherence, a lower bound: a message to each other chip
 *                that asked for the line since it was last written. Without acknowledgements,
 *                and without those that a directory too small would add.
 *
 * Source: SAC, ISCA 2023, equation 1 and Table 1. Valid for one cache level
 * before memory, saturating streams; local and remote are taken to saturate
 * independently, so at a given mix the answer is optimistic (see bottleneck). */
#include <string.h>

#include "sac/llc.h"

struct eab_inputs {
    bool split, memory_side;
    int one, intra, inter, llc, memory, r_local, r_remote;
    int miss_local, miss_remote; /* the same unless the ways are split */
    int share;                   /* of the ways, for remote lines, when they are */
};

static struct eab_inputs eab_read(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct eab_inputs in = {.split = model_split(b, "llc")};
    in.memory_side = !in.split && model_side(b, "llc") == SIDE_HOME;
    in.one = model_constant(b, NULL, 1, DIM_NONE);
    in.intra = term_resource(g, model_total(b, "total.noc_bandwidth"), "noc");
    in.inter = term_resource(g, llc_link_bandwidth(b), "inter");
    in.memory = model_total(b, "total.memory_bandwidth");
    int uniformity =
        in.split ? model_field(b, FIELD_LSU_SM_SIDE) : model_slice_uniformity(b, "llc");
    in.llc = term_product(g, "B_LLC*LSU", model_total(b, "total.llc_bandwidth"), uniformity);
    in.r_local = model_field(b, FIELD_R_LOCAL);
    in.r_remote = term_difference(g, "r_remote", in.one, in.r_local);
    if (in.split) {
        struct llc_split split = llc_split_read(b, in.r_local, in.inter);
        in.share = split.share;
        in.miss_local = split.miss_local;
        in.miss_remote = split.miss_remote;
    } else {
        in.miss_local = in.miss_remote = model_miss_ratio(b, "llc");
    }
    return in;
}

/* One stream's EAB. `links` bounds the way to memory; -1: it does not. */
static int eab_stream(struct model_builder *b, const struct eab_inputs *in, const char *name,
                      int share, int miss_ratio, int sm_llc, int links)
{
    struct term_graph *g = model_graph(b);
    int hit_ratio = term_difference(g, "h", in->one, miss_ratio);
    int hit = term_product(g, "B_hit", in->llc, hit_ratio, share);
    int miss = term_resource(g, term_product(g, "B_miss", in->llc, miss_ratio, share), "llc");
    int memory = term_resource(g, term_product(g, "B_mem", in->memory, share), "memory");
    int behind =
        links < 0 ? term_min(g, NULL, miss, memory) : term_min(g, NULL, miss, links, memory);
    return term_min(g, name, sm_llc, term_sum(g, "B_hit+miss path", hit, behind));
}

/* Hits and misses of a stream. */
static int part(struct model_builder *b, const char *name, int share, int ratio)
{
    return term_product(model_graph(b), name, share, ratio);
}

static void set_responses(struct model_builder *b, const struct eab_inputs *in)
{
    struct term_graph *g = model_graph(b);
    int local = part(b, "R_local*h", in->r_local, term_difference(g, "h", in->one, in->miss_local));
    int remote =
        part(b, "R_remote*h", in->r_remote, term_difference(g, "h", in->one, in->miss_remote));
    int none = model_constant(b, NULL, 0, DIM_NONE);
    model_set_metric(b, "llc_hit_rate",
                     in->split ? term_sum(g, "h", local, remote)
                               : term_difference(g, "h", in->one, in->miss_local));
    model_set_metric(b, "responses_local_llc",
                     in->memory_side ? local : term_sum(g, "hits", local, remote));
    model_set_metric(b, "responses_remote_llc", in->memory_side ? remote : none);
    model_set_metric(b, "responses_local_memory",
                     part(b, "R_local*m", in->r_local, in->miss_local));
    model_set_metric(b, "responses_remote_memory",
                     part(b, "R_remote*m", in->r_remote, in->miss_remote));
}

static void set_invalidations(struct model_builder *b)
{
    const struct system *s = model_system(b, 0);
    if (!s->flush_at_kernels && model_knows(b, FIELD_INVALIDATIONS))
        model_set_metric(b, "invalidations",
                         llc_invalidates(b) ? model_field(b, FIELD_INVALIDATIONS)
                                            : model_constant(b, NULL, 0, DIM_NONE));
}

static void eab_build(struct model_builder *b)
{
    llc_check(b);
    struct term_graph *g = model_graph(b);
    struct eab_inputs in = eab_read(b);
    int far = in.inter, near = in.intra, links = -1;
    if (!in.memory_side) {
        far = term_resource(g, term_product(g, "B_SM_LLC", in.intra, in.r_remote), "noc");
        links = in.inter;
        if (!in.split)
            near = term_resource(g, term_product(g, "B_SM_LLC", in.intra, in.r_local), "noc");
    }
    int local = eab_stream(b, &in, "EAB_local", in.r_local, in.miss_local, near, -1);
    int remote = eab_stream(b, &in, "EAB_remote", in.r_remote, in.miss_remote, far, links);
    model_set_metric(b, "effective_bandwidth", term_sum(g, "EAB", local, remote));
    model_set_metric(b, "eab_local", local);
    model_set_metric(b, "eab_remote", remote);
    set_responses(b, &in);
    set_invalidations(b);
    if (in.split)
        model_set_metric(b, "llc_remote_share", in.share);
    model_set_stream(b, "local", local);
    model_set_stream(b, "remote", remote);
}

static const struct parameter_row eab_parameters[] = {
    {"hop_aware", PARAMETER_COUNT, IN_PLAIN, 0, 1, "0", NULL, NULL, "model", STRUCTURE_MODEL,
     "1: link bandwidth counts once per hop (as published: 0)"},
    {.field = NULL},
};

static const struct model_metric eab_metrics[] = {
    {"eab_local", IN_BYTES_PER_S, COMBINE_TIME, "EAB of requests to the own chip's memory"},
    {"eab_remote", IN_BYTES_PER_S, COMBINE_TIME, "EAB of requests to other chips' memory"},
    {"llc_hit_rate", IN_PLAIN, COMBINE_MEAN, "hit rate of the LLC as organised"},
    {"responses_local_llc", IN_PLAIN, COMBINE_MEAN, "responses from the own chip's LLC"},
    {"responses_remote_llc", IN_PLAIN, COMBINE_MEAN, "responses from other chips' LLC"},
    {"responses_local_memory", IN_PLAIN, COMBINE_MEAN, "responses from the own chip's memory"},
    {"responses_remote_memory", IN_PLAIN, COMBINE_MEAN, "responses from other chips' memory"},
    {"llc_remote_share", IN_PLAIN, COMBINE_MEAN,
     "share of the ways that hold remote lines (static, dynamic)"},
    {"invalidations", IN_PLAIN, COMBINE_SUM,
     "messages to copies that writes find (hardware coherence), a lower bound"},
    {.name = NULL},
};

const struct model model_eab = {
    .plugin = {.kind = "model",
               .name = "eab",
               .summary = "effective available bandwidth, memory-side or SM-side LLC",
               .reference = "SAC, ISCA 2023, equation 1 and Table 1",
               .parameters = eab_parameters,
               .preferred = 1},
    .machine = "sac",
    .answer = "EAB-style",
    .validity = "one LLC level before memory, saturating streams; local and remote saturate "
                "independently, so kernel_time is optimistic at a given mix",
    .page =
        "EAB   = EAB_local + EAB_remote\n"
        "EAB_x = min(B_SM_LLC, B_hit + min(B_miss, B_LLC_mem, B_mem))\n\n"
        "            memory-side                     SM-side\n"
        "B_SM_LLC    local B_intra, remote B_inter   B_intra * R_x\n"
        "B_hit       B_LLC * LSU * h * R_x           the same, SM-side h and LSU\n"
        "B_miss      B_LLC * LSU * m * R_x           the same\n"
        "B_LLC_mem   unbounded                       local unbounded, remote B_inter\n"
        "B_mem       B_mem * R_x                     the same\n\n"
        "static, dynamic: local as memory-side, remote as SM-side, with the hit rates of\n"
        "their own ways: m_local = M(home, local) at 1 - phi, m_remote = M(requester, remote)\n"
        "at phi of the LLC. static: phi = llc.remote_share. dynamic: phi at which\n"
        "R_remote m_remote / B_inter = R_local m_local / B_mem, or the nearer end.\n\n"
        "sac: SM-side exactly when EAB_sm > (1 + llc.theta) * EAB_mem, per kernel, as seen in\n"
        "sac.window (sac.decides); until then memory-side: kernel_time has the window, the drain\n"
        "and what turning writes back (reconfiguration_time). invalidations (hardware coherence)\n"
        "do not enter EAB.\n\n"
        "B_intra, B_LLC, B_mem, B_inter  totals of the system: crossbars, slices, memory, links\n"
        "R_x      share of the requests whose home is the own chip, or another one\n"
        "h, m     LLC hit and miss rate of that organisation, from its miss curve at\n"
        "         llc.capacity and llc.ways\n"
        "LSU      mean over maximum of the requests at the slices",
    .metrics = eab_metrics,
    .build = eab_build,
};
