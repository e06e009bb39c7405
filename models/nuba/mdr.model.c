/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bandwidth of a GPU of partitions (NUBA) under no, full and model-driven replication (MDR),
 * and of the uniform one (UBA) that it is held against.
 *
 *     S(h)    = h*B_LLC + min(m*B_LLC, B_mem)               what slices and memory give
 *     UBA       BW = min(B_NoC, S(h)); in modules as NoRep with f_local = 0
 *     NoRep     BW = f_local*S(h) + f_remote*min(B_NoC, S(h))
 *     FullRep   BW = h'*B_LLC + min(m'*B_LLC, f_local*B_mem + f_remote*min(B_NoC, B_mem))
 *     gated     BW = s*FullRep(f_local/s, r*f_remote/s) + (1-r)*f_remote*min(B_NoC, S(h'))
 *               s = f_local + r*f_remote
 *     MDR       gated where it exceeds NoRep, else NoRep
 *
 *     B_LLC, B_NoC, B_mem   totals, bytes/s
 *     f_local, f_remote     shares of requests for the own partition and for others
 *     h, m                  of the LLC, each line at its home
 *     h', m'                of the same slices when replicas share them with home lines
 *     r                     share of remote requests that read what nobody writes in the launch
 *
 * r = 1: gated is the published FullRep. r = 0: h' = h and gated is NoRep. In several modules
 * remote requests are near (B_NoC) or far (the smaller of B_NoC and B_inter): our extension.
 *
 * MDR averages rates, as if a stream went on at its own rate while the other waits; at the
 * fixed mix of the workload each resource bounds all requests (fixed_mix_bandwidth):
 *
 *     resource   capacity        load of NoRep       of gated replication
 *     p2p        B_p2p           a                   a
 *     noc        B_NoC           f_near + 2 f_far    that times (1-r) + r*x
 *     inter      B_inter         f_far               that times (1-r) + r*x
 *     llc        B_LLC           1/LSU_home          (1-r)/LSU_home + r/LSU_own +
 * r*f_remote*x/LSU_home memory     B_mem           max(m, c)           max(m_all, c)
 *
 *     a          requests of the busiest partition's SMs, times the partitions, over all
 *     c          first misses of the busiest home's lines, the same way: its memory has at
 *                least these, which LAB is to keep even
 *     x, m_all   of replicable requests, those that go on from replicas to the home's slices; of
 * all requests, those that memory answers (nuba/traffic.h). FullRep above, as printed, knows no
 * look-up at the home
 *
 * The LSU with replicas is exact for r = 0 and 1, between them an estimate.
 *
 * The hardware decides at the end of every epoch e (mdr.epoch) for the next one. A launch of n
 * bytes begins without replicas (the paper does not say), and as all its epochs are taken to be
 * alike, its first one decides:
 *
 *     x = min(1, e BW_NoRep / n)          share of its bytes in the first epoch
 *     BW = 1 / ( x/BW_NoRep + (1-x)/BW_gated )        where MDR replicates
 *
 * exact where a launch is homogeneous; phases of a launch are not seen. Where n is unknown, x = 0.
 *
 * Source: NUBA, ASPLOS 2023, section 5; the uniform GPU's form is ours. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "nuba/traffic.h"

struct inputs {
    bool p2p, replication;
    int noc, inter, llc, memory;
    int miss, hit;     /* at home */
    int miss_r, hit_r; /* with replicas */
    struct nuba_replicas replicas;
    struct nuba_traffic traffic;
};

/* --- what it applies to -------------------------------------------------------- */

static bool is_known(const struct machine *machine, const char *section, const char *field)
{
    struct error ignored;
    char path[96];
    double value;
    snprintf(path, sizeof path, "%s.%s", section, field);
    return machine_has(machine, section) && machine_number(machine, path, &value, &ignored) == 0 &&
           value > 0;
}

static void check_levels(struct model_builder *b)
{
    const struct machine *machine = model_machine(b);
    for (size_t i = 0; i < machine->n_sections; i++) {
        const struct machine_section *section = &machine->sections[i];
        bool level = strcmp(section->schema->kind, "level") == 0;
        bool front = strcmp(section->schema->kind, "front") == 0;
        if ((level && strcmp(section->name, "llc") != 0) ||
            (front && is_known(machine, section->name, "capacity")))
            model_refuse(b, "the machine has the level %s: the equations know one LLC behind L1",
                         section->name);
    }
    if (strcmp(model_name(b, "llc.filter"), "all") != 0)
        model_refuse(b, "llc.filter is %s: the equations know an LLC for all requests",
                     model_name(b, "llc.filter"));
}

static void check_machine(struct model_builder *b, bool p2p, bool replication)
{
    uint32_t chips = model_system(b, 0)->chips;
    bool home = model_side(b, "llc") == SIDE_HOME;
    if (chips > 1 && !p2p && model_system(b, 0)->partitions == 1)
        model_refuse(b,
                     "the machine has %u chips without partitions: its equations know modules of "
                     "partitions, with point-to-point links (NUBA) or without (UBA)",
                     chips);
    if (p2p && !home)
        model_refuse(b,
                     "the LLC is %s: partitions with point-to-point links hold the lines of "
                     "their own memory, and replicas (llc.replication)",
                     "SM-side");
    if (!p2p && replication)
        model_refuse(b, "llc.replication needs partitions with point-to-point links (section "
                        "p2p): elsewhere a replica is no nearer");
    if (!is_known(model_machine(b), "noc", "bandwidth"))
        model_refuse(b, "the machine does not say its noc.bandwidth");
    check_levels(b);
}

/* --- inputs ---------------------------------------------------------------------- */

static void read_inputs(struct model_builder *b, struct inputs *in)
{
    struct term_graph *g = model_graph(b);
    int one = model_constant(b, NULL, 1, DIM_NONE);
    in->p2p = model_system(b, 0)->point_to_point;
    in->replication = strcmp(model_name(b, "llc.replication"), "none") != 0;
    check_machine(b, in->p2p, in->replication);
    nuba_traffic_read(b, in->p2p, in->replication, &in->traffic);
    in->noc = term_resource(g, model_total(b, "total.noc_bandwidth"), "noc");
    in->llc = term_resource(g, model_total(b, "total.llc_bandwidth"), "llc");
    in->memory = term_resource(g, model_total(b, "total.memory_bandwidth"), "memory");
    in->inter = -1;
    if (in->traffic.far > 0)
        in->inter = term_resource(g, model_total(b, "total.link_bandwidth"), "inter");
    in->miss_r = in->miss = model_miss_ratio(b, "llc");
    if (in->replication && in->traffic.replicable > 0)
        in->miss_r = nuba_replicated_miss(b);
    in->replicas = (struct nuba_replicas){in->miss, in->miss, in->miss, in->miss};
    if (in->replication && in->traffic.replicable > 0)
        nuba_replicas_read(b, &in->traffic, &in->replicas);
    in->hit = term_difference(g, "h", one, in->miss);
    in->hit_r = term_difference(g, "h'", one, in->miss_r);
}

/* --- the published forms -------------------------------------------------------- */

/* h*B_LLC + min(m*B_LLC, memory) */
static int supply(struct model_builder *b, const struct inputs *in, int hit, int miss, int memory)
{
    struct term_graph *g = model_graph(b);
    int misses = term_resource(g, term_product(g, "m*B_LLC", in->llc, miss), "llc");
    return term_sum(g, "hits+misses", term_product(g, "h*B_LLC", in->llc, hit),
                    term_min(g, NULL, misses, memory));
}

/* near*min(B_NoC, what) + far*min(B_NoC, B_inter, what) */
static int over_networks(struct model_builder *b, const struct inputs *in, const char *name,
                         double near, double far, int what)
{
    struct term_graph *g = model_graph(b);
    int close = term_product(g, NULL, model_constant(b, "f_near", near, DIM_NONE),
                             term_min(g, "over the NoC", in->noc, what));
    if (in->inter < 0)
        return close;
    return term_sum(g, name, close,
                    term_product(g, NULL, model_constant(b, "f_far", far, DIM_NONE),
                                 term_min(g, "over the links", in->noc, in->inter, what)));
}

struct forms {
    int own, other, all; /* bandwidth from the own partition's slices, from others', in all */
};

static struct forms no_replication(struct model_builder *b, const struct inputs *in)
{
    struct term_graph *g = model_graph(b);
    int rate = supply(b, in, in->hit, in->miss, in->memory);
    struct forms f;
    f.other = over_networks(b, in, "remote", in->traffic.near, in->traffic.far, rate);
    f.own = term_product(g, "local", model_constant(b, "f_local", in->traffic.own, DIM_NONE), rate);
    f.all = in->p2p ? term_sum(g, "BW_NoRep", f.own, f.other) : f.other;
    return f;
}

/* FullRep for shares that add up to 1. */
static int full_rate(struct model_builder *b, const struct inputs *in, double own, double near,
                     double far)
{
    struct term_graph *g = model_graph(b);
    int local = term_product(g, NULL, model_constant(b, "f_local", own, DIM_NONE), in->memory);
    int remote = over_networks(b, in, "remote memory", near, far, in->memory);
    return supply(b, in, in->hit_r, in->miss_r, term_sum(g, "memory path", local, remote));
}

static struct forms gated_replication(struct model_builder *b, const struct inputs *in)
{
    struct term_graph *g = model_graph(b);
    const struct nuba_traffic *t = &in->traffic;
    double r = t->replicable, s = t->own + r * (t->near + t->far);
    struct forms f;
    int rate = full_rate(b, in, s > 0 ? t->own / s : 1, s > 0 ? r * t->near / s : 0,
                         s > 0 ? r * t->far / s : 0);
    int home = supply(b, in, in->hit_r, in->miss_r, in->memory);
    f.own = term_product(g, "local and replicas", model_constant(b, "s", s, DIM_NONE), rate);
    f.other = over_networks(b, in, "not replicable", (1 - r) * t->near, (1 - r) * t->far, home);
    f.all = term_sum(g, "BW_FullRep", f.own, f.other);
    return f;
}

/* --- the bound at the fixed mix --------------------------------------------------- */

static int bound(struct model_builder *b, const char *resource, int capacity, int load)
{
    struct term_graph *g = model_graph(b);
    int used = term_operation(g, EXPRESSION_GREATER, NULL, 2,
                              (int[]){load, model_constant(b, NULL, 0, DIM_NONE)});
    int none = model_constant(b, "no limit", HUGE_VAL, DIM_BYTES_PER_S);
    int limit = term_operation(g, EXPRESSION_IF, resource, 3,
                               (int[]){used, term_quotient(g, NULL, capacity, load), none});
    return term_resource(g, limit, resource);
}

/* Load of the hottest slice when a share r of the remote look-ups is at the requester: between the
 * two extremes the loads of both are mixed. What misses there is looked up at home as well. */
static int slice_load(struct model_builder *b, const struct inputs *in, double r)
{
    struct term_graph *g = model_graph(b);
    int one = model_constant(b, NULL, 1, DIM_NONE), home = model_slice_uniformity(b, "llc");
    if (r <= 0)
        return term_quotient(g, "LSU", one, home);
    double asked = r * (in->traffic.near + in->traffic.far);
    int again = term_product(g, "replica misses", model_constant(b, "r*f_remote", asked, DIM_NONE),
                             in->replicas.miss);
    int stay = term_sum(g, "at home", model_constant(b, "not replicable", 1 - r, DIM_NONE), again);
    int go = term_quotient(g, NULL, model_constant(b, "replicable", r, DIM_NONE),
                           model_field(b, FIELD_LSU_SM_SIDE));
    return term_sum(g, "slice load", term_quotient(g, NULL, stay, home), go);
}

/* -1: the profile does not say how evenly slices are used. */
static int fixed_mix(struct model_builder *b, const struct inputs *in, bool replicate)
{
    struct term_graph *g = model_graph(b);
    const struct nuba_traffic *t = &in->traffic;
    const double *fields = model_profile_record(b)->fields;
    enum profile_field lsu =
        model_side(b, "llc") == SIDE_HOME ? FIELD_LSU_MEMORY_SIDE : FIELD_LSU_SM_SIDE;
    double r = replicate ? t->replicable : 0;
    int limits[5], n = 0;
    if (isnan(fields[lsu]) || (r > 0 && isnan(fields[FIELD_LSU_SM_SIDE])))
        return -1;
    int miss = replicate ? in->replicas.misses : in->miss;
    int moved = term_sum(
        g, NULL, model_constant(b, "not replicable", 1 - r, DIM_NONE),
        term_product(g, NULL, model_constant(b, "replicable", r, DIM_NONE), in->replicas.miss));
    int crossings = model_constant(b, "crossings", t->near + 2 * t->far, DIM_NONE);
    if (in->p2p)
        limits[n++] = bound(b, "p2p", model_total(b, "total.p2p_bandwidth"),
                            model_constant(b, "busiest partition", t->asked, DIM_NONE));
    limits[n++] = bound(b, "noc", in->noc, term_product(g, "noc load", crossings, moved));
    if (in->inter >= 0)
        limits[n++] = bound(
            b, "inter", in->inter,
            term_product(g, "inter load", model_constant(b, "f_far", t->far, DIM_NONE), moved));
    limits[n++] = bound(b, "llc", in->llc, slice_load(b, in, r));
    int first = model_constant(b, "busiest home", t->first_misses, DIM_NONE);
    limits[n++] = bound(b, "memory", in->memory, term_max(g, "memory load", miss, first));
    return term_operation(g, EXPRESSION_MIN, "bandwidth at the mix", n, limits);
}

/* --- epochs -------------------------------------------------------------------------- */

/* Share of a launch's bytes that its first epoch moves at that rate; 0 where they are unknown. */
static int first_epoch(struct model_builder *b, int rate)
{
    struct term_graph *g = model_graph(b);
    const struct profile_record *record = model_profile_record(b);
    double bytes = record->fields[FIELD_BYTES];
    if (isnan(bytes))
        return model_constant(b, "x (bytes unknown)", 0, DIM_NONE);
    int launch = model_constant(b, "bytes a launch", bytes / (double)record->launches, DIM_BYTES);
    int moved = term_product(g, "e*BW", model_parameter(b, "mdr.epoch"), rate);
    return term_min(g, "x", model_constant(b, NULL, 1, DIM_NONE),
                    term_quotient(g, "e*BW/n", moved, launch));
}

/* A rate of a launch that replicates behind its first epoch. */
static int behind_epoch(struct model_builder *b, const char *name, int none, int full)
{
    struct term_graph *g = model_graph(b);
    if (!model_knows(b, FIELD_BYTES))
        return full;
    int x = first_epoch(b, none), one = model_constant(b, NULL, 1, DIM_NONE);
    int times =
        term_sum(g, NULL, term_quotient(g, "x/BW_NoRep", x, none),
                 term_quotient(g, "(1-x)/BW_FullRep", term_difference(g, "1-x", one, x), full));
    return term_quotient(g, name, one, times);
}

/* --- results ------------------------------------------------------------------------ */

static int choose(struct model_builder *b, const char *name, int decision, int other, int usual)
{
    return term_operation(model_graph(b), EXPRESSION_IF, name, 3, (int[]){decision, other, usual});
}

/* Requests that the own partition answers under replication: those for its own lines, and
 * replicas that hit. What replicas miss is answered by the home. */
static int share_served(struct model_builder *b, const struct inputs *in)
{
    struct term_graph *g = model_graph(b);
    const struct nuba_traffic *t = &in->traffic;
    int local = model_constant(b, "f_local", t->own, DIM_NONE);
    if (t->replicable == 0)
        return local;
    int asked = model_constant(b, "r*f_remote", t->replicable * (t->near + t->far), DIM_NONE);
    return term_sum(g, "served", local,
                    term_product(g, "replicas that serve", asked,
                                 term_difference(g, "1-x", model_constant(b, NULL, 1, DIM_NONE),
                                                 in->replicas.miss)));
}

/* What does not depend on the choice. */
static void set_facts(struct model_builder *b, const struct inputs *in, int bandwidth)
{
    struct term_graph *g = model_graph(b);
    const struct profile_record *record = model_profile_record(b);
    const struct profile_sharing *sharing = &model_profile_view(b)->sharing;
    double bytes = record->fields[FIELD_BYTES], balance = in->traffic.memory_balance;
    if (!isnan(balance))
        model_set_metric(b, "memory_balance", model_constant(b, NULL, balance, DIM_NONE));
    if (!isnan(sharing->page_balance))
        model_set_metric(b, "page_balance",
                         model_constant(b, NULL, sharing->page_balance, DIM_NONE));
    if (sharing->pages > 0)
        model_set_metric(
            b, "one_sm_pages",
            model_constant(b, NULL, sharing->pages_by_sms[0] / sharing->pages, DIM_NONE));
    if (!in->replication || isnan(bytes))
        return;
    int launch = model_constant(b, "bytes a launch", bytes / (double)record->launches, DIM_BYTES);
    model_set_metric(b, "epochs",
                     term_quotient(g, "epochs", term_quotient(g, NULL, launch, bandwidth),
                                   model_parameter(b, "mdr.epoch")));
}

/* usual + share (other - usual), exactly `usual` or `other` where the share is 0 or 1. */
static int mixed(struct model_builder *b, const char *name, int share, int other, int usual)
{
    struct term_graph *g = model_graph(b);
    int rest = term_difference(g, "before", model_constant(b, NULL, 1, DIM_NONE), share);
    return term_sum(g, name, term_product(g, NULL, share, other),
                    term_product(g, NULL, rest, usual));
}

/* Of a launch's bytes, those that are asked for while replicas are kept. */
static int replicating_share(struct model_builder *b, bool decides, int decision, int none)
{
    struct term_graph *g = model_graph(b);
    if (!decides)
        return decision;
    int behind =
        term_difference(g, "1-x", model_constant(b, NULL, 1, DIM_NONE), first_epoch(b, none));
    return term_product(g, "replicating", decision, behind);
}

int nuba_any(struct model_builder *b, int share)
{
    return term_operation(model_graph(b), EXPRESSION_GREATER, "any", 2,
                          (int[]){share, model_constant(b, NULL, 0, DIM_NONE)});
}

static void set_results(struct model_builder *b, const struct inputs *in, bool decides,
                        int decision, const struct forms *none, const struct forms *full)
{
    struct term_graph *g = model_graph(b);
    const struct nuba_traffic *t = &in->traffic;
    int other = decides ? behind_epoch(b, "BW_MDR", none->all, full->all) : full->all;
    int bandwidth = choose(b, "bandwidth", decision, other, none->all);
    int mix[] = {fixed_mix(b, in, false), fixed_mix(b, in, true)};
    int local = model_constant(b, "f_local", t->own, DIM_NONE);
    int published = full_rate(b, in, t->own, t->near, t->far);
    int share = replicating_share(b, decides, decision, none->all);
    if (decides)
        model_set_turned(b, nuba_any(b, share));
    model_set_metric(b, "effective_bandwidth", bandwidth);
    model_set_metric(b, "no_replication", none->all);
    model_set_metric(b, "full_replication", full->all);
    model_set_metric(b, "published_full_replication", published);
    model_set_metric(b, "published_choice",
                     term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){published, none->all}));
    if (mix[0] >= 0 && mix[1] >= 0)
        model_set_metric(b, "fixed_mix_bandwidth",
                         choose(b, "mix", decision,
                                decides ? behind_epoch(b, "mix", mix[0], mix[1]) : mix[1], mix[0]));
    model_set_metric(b, "llc_hit_rate", mixed(b, NULL, share, in->hit_r, in->hit));
    model_set_metric(b, "local_share", mixed(b, NULL, share, share_served(b, in), local));
    model_set_metric(b, "replicating", share);
    model_set_stream(b, "own", choose(b, "own", decision, full->own, none->own));
    model_set_stream(b, "other", choose(b, "other", decision, full->other, none->other));
    set_facts(b, in, bandwidth);
}

static void set_plain_results(struct model_builder *b, const struct inputs *in,
                              const struct forms *none)
{
    int mix = fixed_mix(b, in, false);
    model_set_metric(b, "effective_bandwidth", none->all);
    model_set_metric(b, "no_replication", none->all);
    if (mix >= 0)
        model_set_metric(b, "fixed_mix_bandwidth", mix);
    model_set_metric(b, "llc_hit_rate", in->hit);
    if (in->p2p)
        model_set_metric(b, "local_share", model_constant(b, NULL, in->traffic.own, DIM_NONE));
    model_set_metric(b, "replicating", model_constant(b, NULL, 0, DIM_NONE));
    if (in->p2p)
        model_set_stream(b, "own", none->own);
    model_set_stream(b, in->p2p ? "other" : "all", none->other);
    set_facts(b, in, none->all);
}

/* Without replicas nothing is asked of a profile but the base. */
static unsigned mdr_parts(const struct machine *machine)
{
    struct error ignored;
    const char *replication = "none";
    bool known = machine_name(machine, "llc.replication", &replication, &ignored) == 0;
    return known && strcmp(replication, "none") != 0 ? PART_REPLICATION : PART_BASE;
}

int nuba_replicates(struct model_builder *b, int *share)
{
    struct inputs in;
    read_inputs(b, &in);
    struct forms none = no_replication(b, &in), full = gated_replication(b, &in);
    int decision = term_operation(model_graph(b), EXPRESSION_GREATER, "decision", 2,
                                  (int[]){full.all, none.all});
    int mix = fixed_mix(b, &in, false);
    *share = replicating_share(b, true, decision, mix >= 0 ? mix : none.all);
    return decision;
}

static void mdr_build(struct model_builder *b)
{
    struct inputs in;
    read_inputs(b, &in);
    struct forms none = no_replication(b, &in);
    if (!in.replication) {
        set_plain_results(b, &in, &none);
        return;
    }
    struct forms full = gated_replication(b, &in);
    int decision = model_constant(b, "always", 1, DIM_NONE);
    bool decides = strcmp(model_name(b, "llc.replication"), "mdr") == 0;
    if (decides) {
        decision = term_operation(model_graph(b), EXPRESSION_GREATER, "decision", 2,
                                  (int[]){full.all, none.all});
        model_set_decision(b, decision, "no replication", "full replication");
    }
    set_results(b, &in, decides, decision, &none, &full);
}

static const struct parameter_row mdr_parameters[] = {
    {"epoch", PARAMETER_QUANTITY, IN_SECONDS, 1e-12, 1, "20000 cycles", NULL, NULL, "decision",
     STRUCTURE_NONE,
     "time between two decisions of the hardware: in its first epoch a launch keeps no replicas"},
    {.field = NULL},
};

static const struct model_metric mdr_metrics[] = {
    {"no_replication", IN_BYTES_PER_S, COMBINE_RATE, "bandwidth with each line at its home"},
    {"full_replication", IN_BYTES_PER_S, COMBINE_RATE, "with all replicable lines replicated"},
    {"published_full_replication", IN_BYTES_PER_S, COMBINE_RATE,
     "the same as published, as if all remote requests were replicable"},
    {"published_choice", IN_PLAIN, COMBINE_MEAN,
     "share of bytes in launches where the published form would replicate"},
    {"fixed_mix_bandwidth", IN_BYTES_PER_S, COMBINE_RATE,
     "bound at the workload's mix: the slowest resource throttles all requests"},
    {"llc_hit_rate", IN_PLAIN, COMBINE_MEAN, "hit rate of the LLC, replicas among its lines"},
    {"local_share", IN_PLAIN, COMBINE_MEAN,
     "share of requests that the own partition answers: its own lines, and replicas that hit"},
    {"replicating", IN_PLAIN, COMBINE_MEAN,
     "share of bytes that are asked for while replicas are kept"},
    {"memory_balance", IN_PLAIN, COMBINE_MEAN,
     "mean over maximum of the lines that homes fetch at least"},
    {"page_balance", IN_PLAIN, COMBINE_MEAN, "NPB: mean over maximum of the pages by home"},
    {"one_sm_pages", IN_PLAIN, COMBINE_MEAN,
     "share of pages touched by one SM only: above 0.8 sharing is low"},
    {"epochs", IN_PLAIN, COMBINE_MEAN,
     "epochs in a launch; up to 1 the hardware does not decide within it"},
    {.name = NULL},
};

/* Of the paper are partitions of one chip; modules and the uniform GPU are ours. */
static const struct model_source mdr_sources[] = {{"h*B_LLC", "section 5", NULL},
                                                  {"m*B_LLC", "section 5", NULL},
                                                  {"hits+misses", "section 5", "S(h)"},
                                                  {"over the NoC", "section 5", NULL},
                                                  {"B_intra", "section 5", "B_NoC"},
                                                  {"B_memory", "section 5", "B_mem"},
                                                  {"f_near", "ours", NULL},
                                                  {"memory path", "section 5", NULL},
                                                  {"f_far", "ours", NULL},
                                                  {"over the links", "ours", NULL},
                                                  {"B_inter", "ours", NULL},
                                                  {NULL, NULL, NULL}};

const struct model model_mdr = {
    .plugin = {"model", "mdr", "partitions with and without replicas (NUBA), uniform GPU (UBA)",
               "NUBA, ASPLOS 2023, section 5", mdr_parameters},
    .sources = mdr_sources,
    .answer = "EAB-style",
    .validity = "one LLC behind L1, saturating streams; rates are averaged over local and remote "
                "requests, so it is optimistic at a given mix (fixed_mix_bandwidth); epochs of a "
                "launch are taken to be alike",
    .machine = "nuba",
    .decides_after = "mdr.epoch",
    .page =
        "S(h)      = h*B_LLC + min(m*B_LLC, B_mem)\n"
        "UBA       = min(B_NoC, S(h))\n"
        "NoRep     = f_local*S(h) + f_remote*min(B_NoC, S(h))\n"
        "FullRep   = h'*B_LLC + min(m'*B_LLC, f_local*B_mem + f_remote*min(B_NoC, B_mem))\n"
        "gated     = s*FullRep(f_local/s, r*f_remote/s) + (1-r)*f_remote*min(B_NoC, S(h'))\n"
        "            s = f_local + r*f_remote, r = replicable share of remote requests\n"
        "MDR       = gated behind the first epoch where that is more than NoRep, else NoRep\n\n"
        "B_NoC, B_LLC, B_mem  totals: noc.bandwidth, llc.bandwidth, memory.bandwidth\n"
        "f_local, f_remote  shares of the requests whose home is the own partition, or not\n"
        "h, m   LLC hit and miss rate at llc.capacity; h', m' those of the union of a\n"
        "       partition's homed lines and its replicas, which share its slices\n\n"
        "llc.replication: none, full (gated), mdr. full_replication is gated,\n"
        "published_full_replication is not. A machine without p2p is a UBA.\n"
        "fixed_mix_bandwidth: min over NoC, p2p links, links between modules, slices, memories of\n"
        "capacity / load, the last two as unevenly as slices and homes are used.\n"
        "The hardware decides at the end of every mdr.epoch for the next one. Epochs of a launch\n"
        "are taken to be alike, and it begins without replicas: its first one moves a share\n"
        "x = min(1, mdr.epoch BW_NoRep / bytes) so, and MDR = 1 / (x/BW_NoRep + (1-x)/BW_gated).",
    .parts = PART_REPLICATION,
    .parts_of = mdr_parts,
    .metrics = mdr_metrics,
    .build = mdr_build,
};
