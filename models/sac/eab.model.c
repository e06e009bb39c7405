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
 * The equation takes a miss for one transfer from memory. Where the profile says what really goes
 * there and back, t for a request (misses of reads and atomics, dirty data written home), B_LLC_mem
 * and B_mem are those of the misses: t/m times less. t = m where nobody writes what was read.
 *
 * With split ways (static, dynamic; sac/llc.h) the local stream has the memory-side column, and
 * what a remote part misses is a memory-side stream behind it:
 *
 *     EAB_remote = min( B_intra R , B_LLC LSU_requester (1 - x) R + min( B_LLC LSU_requester x R ,
 *                       B_inter , B_LLC LSU (x - m) R + min( B_LLC LSU m R , B_mem R ) ) )
 *
 *     x   remote requests that miss the remote part, m those that memory answers; where it has no
 *         ways nobody looks it up, B_intra R and B_LLC LSU_requester x R do not bound
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
#include <math.h>
#include <string.h>

#include "sac/llc.h"

struct eab_inputs {
    bool split, memory_side;
    int one, intra, inter, llc, memory, r_local, r_remote;
    int miss_local, miss_remote; /* the same unless the ways are split */
    int per_local, per_remote;   /* t/m of both; -1: 1 */
    struct llc_split parts;      /* when they are */
    int llc_requester;           /* B_LLC*LSU of requesters' slices, when they are */
};

/* t/m */
static int transfers_of_miss(struct model_builder *b, const struct model_memory *memory, int miss)
{
    struct term_graph *g = model_graph(b);
    int one = model_constant(b, NULL, 1, DIM_NONE);
    if (!memory->told_apart)
        return -1;
    int some = term_operation(g, EXPRESSION_GREATER, NULL, 2,
                              (int[]){miss, model_constant(b, NULL, 0, DIM_NONE)});
    return term_operation(g, EXPRESSION_IF, "t/m", 3,
                          (int[]){some, term_quotient(g, NULL, memory->moved, miss), one});
}

/* Bandwidth behind the LLC, for misses. */
static int for_misses(struct model_builder *b, int per_miss, const char *name, int bandwidth)
{
    return per_miss < 0 ? bandwidth : term_quotient(model_graph(b), name, bandwidth, per_miss);
}

static struct eab_inputs eab_read(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct eab_inputs in = {.split = model_split(b, "llc")};
    struct model_memory memory;
    in.memory_side = !in.split && model_side(b, "llc") == SIDE_HOME;
    in.one = model_constant(b, NULL, 1, DIM_NONE);
    in.intra = term_resource(g, model_total(b, "total.noc_bandwidth"), "noc");
    in.inter = term_resource(g, llc_link_bandwidth(b), "inter");
    in.memory = model_total(b, "total.memory_bandwidth");
    int uniformity =
        in.split ? model_field(b, FIELD_LSU_MEMORY_SIDE) : model_slice_uniformity(b, "llc");
    in.llc = term_resource(
        g, term_product(g, "B_LLC*LSU", model_total(b, "total.llc_bandwidth"), uniformity), "llc");
    in.r_local = model_field(b, FIELD_R_LOCAL);
    in.r_remote = term_difference(g, "r_remote", in.one, in.r_local);
    if (in.split) {
        in.parts = llc_split_read(b, in.r_local, in.inter);
        in.miss_local = in.parts.miss_local;
        in.miss_remote = in.parts.miss_remote;
        memory = llc_split_memory(b, &in.parts, in.r_local);
        in.per_local = transfers_of_miss(b, &in.parts.memory_local, in.miss_local);
        in.per_remote = transfers_of_miss(b, &in.parts.memory_remote, in.miss_remote);
        in.llc_requester =
            term_resource(g,
                          term_product(g, "B_LLC*LSU", model_total(b, "total.llc_bandwidth"),
                                       model_field(b, FIELD_LSU_SM_SIDE)),
                          "llc");
    } else {
        in.miss_local = in.miss_remote = model_miss_ratio(b, "llc");
        memory = model_memory(b, "llc");
        in.per_local = in.per_remote = transfers_of_miss(b, &memory, in.miss_local);
    }
    model_set_memory(b, memory, in.one);
    return in;
}

/* One stream's EAB. `links` bounds the way to memory; -1: it does not. */
static int eab_stream(struct model_builder *b, const struct eab_inputs *in, const char *name,
                      int share, int miss_ratio, int per_miss, int sm_llc, int links)
{
    struct term_graph *g = model_graph(b);
    int hit_ratio = term_difference(g, "h", in->one, miss_ratio);
    int hit = term_product(g, "B_hit", in->llc, hit_ratio, share);
    int miss = term_resource(g, term_product(g, "B_miss", in->llc, miss_ratio, share), "llc");
    int memory = term_resource(
        g, for_misses(b, per_miss, "B_mem*m/t", term_product(g, "B_mem", in->memory, share)),
        "memory");
    int behind =
        links < 0 ? term_min(g, NULL, miss, memory) : term_min(g, NULL, miss, links, memory);
    return term_min(g, name, sm_llc, term_sum(g, "B_hit+miss path", hit, behind));
}

/* A bound of what looks up the remote part, where anything does. */
static int if_asked(struct model_builder *b, const struct eab_inputs *in, int bound)
{
    int none = model_constant(b, "no limit", HUGE_VAL, DIM_BYTES_PER_S);
    return term_operation(model_graph(b), EXPRESSION_IF, term_get(model_graph(b), bound)->name, 3,
                          (int[]){in->parts.asks, bound, none});
}

/* Remote requests before split ways. */
static int eab_behind_part(struct model_builder *b, const struct eab_inputs *in)
{
    struct term_graph *g = model_graph(b);
    int r = in->r_remote, x = in->parts.miss_part, m = in->miss_remote;
    int near = term_resource(g, term_product(g, "B_SM_LLC", in->intra, r), "noc");
    int hit = term_product(g, "B_hit", in->llc_requester, term_difference(g, "1-x", in->one, x), r);
    int on = term_resource(g, term_product(g, "B_miss", in->llc_requester, x, r), "llc");
    int at_home = term_product(g, "B_hit at home", in->llc, term_difference(g, "x-m", x, m), r);
    int miss = term_resource(g, term_product(g, "B_miss at home", in->llc, m, r), "llc");
    int memory = term_resource(
        g, for_misses(b, in->per_remote, "B_mem*m/t", term_product(g, "B_mem", in->memory, r)),
        "memory");
    int home = term_sum(g, "home", at_home, term_min(g, NULL, miss, memory));
    int behind = term_min(g, NULL, if_asked(b, in, on), in->inter, home);
    return term_min(g, "EAB_remote", if_asked(b, in, near),
                    term_sum(g, "B_hit+miss path", hit, behind));
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
    int none = model_constant(b, NULL, 0, DIM_NONE), far = in->memory_side ? remote : none;
    model_set_metric(b, "llc_hit_rate",
                     in->split ? term_sum(g, "h", local, remote)
                               : term_difference(g, "h", in->one, in->miss_local));
    if (in->split)
        far = part(b, "R_remote*(x-m)", in->r_remote,
                   term_difference(g, "x-m", in->parts.miss_part, in->miss_remote));
    int kept = in->split ? part(b, "R_remote*(1-x)", in->r_remote,
                                term_difference(g, "1-x", in->one, in->parts.miss_part))
                         : remote;
    model_set_metric(b, "responses_local_llc",
                     in->memory_side ? local : term_sum(g, "hits", local, kept));
    model_set_metric(b, "responses_remote_llc", far);
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
    if (!in.split && !in.memory_side) {
        far = term_resource(g, term_product(g, "B_SM_LLC", in.intra, in.r_remote), "noc");
        near = term_resource(g, term_product(g, "B_SM_LLC", in.intra, in.r_local), "noc");
        links =
            in.per_remote < 0
                ? in.inter
                : term_resource(g, for_misses(b, in.per_remote, "B_inter*m/t", in.inter), "inter");
    }
    int local = eab_stream(b, &in, "EAB_local", in.r_local, in.miss_local, in.per_local, near, -1);
    int remote = in.split ? eab_behind_part(b, &in)
                          : eab_stream(b, &in, "EAB_remote", in.r_remote, in.miss_remote,
                                       in.per_remote, far, links);
    model_set_metric(b, "effective_bandwidth", term_sum(g, "EAB", local, remote));
    model_set_metric(b, "eab_local", local);
    model_set_metric(b, "eab_remote", remote);
    set_responses(b, &in);
    set_invalidations(b);
    if (in.split)
        model_set_metric(b, "llc_remote_share", in.parts.share);
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

/* What split ways have, and what misses move beside one transfer, is ours. */
static const struct model_source eab_sources[] = {{"EAB", "equation 1", NULL},
                                                  {"EAB_local", "equation 1", NULL},
                                                  {"EAB_remote", "equation 1", NULL},
                                                  {"B_hit+miss path", "equation 1", NULL},
                                                  {"B_SM_LLC", "Table 1", NULL},
                                                  {"B_intra", "Table 1", NULL},
                                                  {"B_inter", "Table 1", NULL},
                                                  {"B_hit", "Table 1", NULL},
                                                  {"B_miss", "Table 1", NULL},
                                                  {"B_mem", "Table 1", NULL},
                                                  {"B_mem*m/t", "Table 1+ours", NULL},
                                                  {"B_inter*m/t", "Table 1+ours", NULL},
                                                  {"B_hit at home", "ours", NULL},
                                                  {"B_miss at home", "ours", NULL},
                                                  {"home", "ours", NULL},
                                                  {NULL, NULL, NULL}};

const struct model model_eab = {
    .plugin = {.kind = "model",
               .name = "eab",
               .summary = "effective available bandwidth, memory-side or SM-side LLC",
               .reference = "SAC, ISCA 2023, equation 1 and Table 1",
               .parameters = eab_parameters,
               .preferred = 1},
    .machine = "sac",
    .answer = "EAB-style",
    .sources = eab_sources,
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
        "static, dynamic: local as memory-side; remote\n"
        "  min(B_intra R, B_LLC LSU_requester (1-x) R + min(B_LLC LSU_requester x R, B_inter,\n"
        "      B_LLC LSU (x-m) R + min(B_LLC LSU m R, B_mem R)))\n"
        "x of the remote requests miss the remote part, phi of the ways; m = min(x, a_r), a_r of\n"
        "those of the home's whole stream at 1 - phi; local m = l + x (a_l - l), between l of the\n"
        "local stream alone and a_l. static: phi = llc.remote_share. dynamic: phi at which\n"
        "R_remote x / B_inter = (R_local m_local + R_remote m_remote) / B_mem, or the nearer "
        "end.\n\n"
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
