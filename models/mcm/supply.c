/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Supply of modules over links.
 *
 *     s      = min( b / t , B_L2 )                a module's memory and L2; t = 1-h as published,
 *                                                 with what the L2 writes back where it is known
 *     supply = C min( s / p , L / (2 q H) )       as published: p = 1 - f h15, q = f (1-h15)
 *
 *     C    modules                                 h    hit rate of the L2 (home side)
 *     b    memory bandwidth of a module            B_L2 raw bandwidth of a module's L2
 *     f    share of requests for other modules     h15  hit rate of the L1.5 on them
 *     p, q requests that reach a home, another module's home, per request: with an exact profile
 *          counted, for any allocation of the L1.5
 *     L    over a module's edges, in plus out      H    modules that such a request leaves,
 *                                                       weighted with its bytes on the wire
 *
 * The hottest directed edge e, from shortest-path routing of the traffic: reads carry data from
 * the home to the requester, writes and atomics the other way;
 *
 *     supply <= l_e / (q w_e)      w_e: bytes on the wire over e, for a byte of another module
 *
 * Requests, headers and whole flits count where the machine gives messages (section inter); as
 * published, where it gives none, w_e is a share of the data. `required` is over such bytes, too.
 *
 * Source: MCM-GPU, ISCA 2017, section 3.3. Uniform over modules but for the links. */
#include "mcm/supply.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mcm/edges.h"
#include "mcm/fabric.h"

/* --- the graph under the traffic ------------------------------------------------- */

/* Edges in order; parallel edges have a load each. */
static void links_measure(const struct mcm_edges *edges, double reads, struct mcm_links *out)
{
    for (size_t e = 0; e < edges->count; e++) {
        const struct mcm_edge *edge = &edges->items[e];
        double load = reads * edge->back + (1 - reads) * edge->there;
        out->ends += edge->share * edge->ends;
        out->own_bytes_per_s += edge->own_bytes_per_s * edge->ends;
        out->edges += load;
        out->edges_there += edge->there;
        out->edges_back += edge->back;
        *(edge->leaves ? &out->hops : &out->switches) += load;
        double way = (edge->there + edge->back) / 2; /* there and back, whatever is carried */
        if (edge->own_latency)
            out->way.own_s += way * edge->latency_s;
        else
            *(edge->leaves ? &out->way.hops : &out->way.switches) += way;
        if (edge->leaves) {
            out->hops_there += edge->there;
            out->hops_back += edge->back;
        }
    }
    out->ends /= edges->chips;
    out->own_bytes_per_s /= edges->chips;
}

void mcm_links_read(struct model_builder *b, struct mcm_links *out)
{
    struct mcm_edges edges;
    mcm_edges_read(b, &edges);
    *out = (struct mcm_links){.chips = edges.chips};
    if (edges.count > 0)
        links_measure(&edges, model_profile_record(b) ? model_remote_read_share(b) : 1, out);
    mcm_edges_fini(&edges);
}

/* --- terms ------------------------------------------------------------------------- */

static void refuse_unknown_shapes(struct model_builder *b)
{
    const struct system *s = model_system(b, 0);
    const struct system_level *llc = model_level(b, "llc");
    enum level_side side = model_side(b, "llc");
    model_refuse_replication(b);
    if (s->partitions > 1)
        model_refuse(b,
                     "modules have %u partitions: the equations know one L2 and one memory a "
                     "module",
                     s->partitions);
    if (side != SIDE_HOME || llc->filter != FILTER_ALL)
        model_refuse(b,
                     "llc.side is %s, llc.filter %s: the equations know a memory-side L2 for "
                     "all requests",
                     level_side_names[side != SIDE_HOME], level_filter_names[llc->filter]);
}

/* h15 given by hand: p = 1 - f h15, q = f (1 - h15). */
static void shares_by_hand(struct model_builder *b, struct mcm_supply *out)
{
    struct term_graph *g = model_graph(b);
    int one = model_constant(b, NULL, 1, DIM_NONE);
    int far = term_difference(g, "f", one, model_field(b, FIELD_R_LOCAL));
    int kept = term_product(g, "f*h15", far, model_parameter(b, "link.l15_hit"));
    const struct system *s = model_system(b, 0);
    if (system_between(s) > 1 ||
        (system_between(s) == 1 && strcmp(system_level(s, 0)->name, "l15") != 0))
        model_refuse(b, "link.l15_hit is given, but the machine has other levels before the LLC");
    out->pass = term_difference(g, "p", one, kept);
    out->cross = term_difference(g, "q", far, kept);
}

static int quotient_or_infinite(struct model_builder *b, const char *name, int above, int below)
{
    struct term_graph *g = model_graph(b);
    int zero = model_constant(b, NULL, 0, DIM_NONE);
    int none = model_constant(b, "no limit", HUGE_VAL, DIM_BYTES_PER_S);
    int used = term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){below, zero});
    return term_operation(g, EXPRESSION_IF, name, 3,
                          (int[]){used, term_quotient(g, NULL, above, below), none});
}

/* The system's links as `count` of inter.link_bandwidth plus `own` bytes/s. */
static int link_sum(struct model_builder *b, const char *name, double count, double own)
{
    struct term_graph *g = model_graph(b);
    int listed = model_constant(b, "listed links", own, DIM_BYTES_PER_S);
    if (count == 0)
        return listed;
    int links = term_product(g, name, model_constant(b, "links", count, DIM_NONE),
                             model_parameter(b, "inter.link_bandwidth"));
    return own > 0 ? term_sum(g, name, links, listed) : links;
}

/* Of a byte to another module: what its messages put on the wire of the edges that they cross. */
static int on_the_wire(struct model_builder *b, const char *name, const struct model_wire *wire,
                       double there, double back)
{
    struct term_graph *g = model_graph(b);
    return term_sum(
        g, name,
        term_product(g, NULL, wire->there, model_constant(b, "edges there", there, DIM_NONE)),
        term_product(g, NULL, wire->back, model_constant(b, "edges back", back, DIM_NONE)));
}

static void read_wire(struct model_builder *b, struct mcm_supply *s)
{
    struct mcm_fabric fabric;
    const struct mcm_links *l = &s->links;
    s->leaving = s->crossing = s->hottest_bytes = s->hottest_time = -1;
    if (l->chips < 2)
        return;
    struct model_wire wire =
        model_wire_load(b, "inter", model_remote_read_share(b), model_request_bytes(b));
    struct mcm_wire ways = {wire.there, wire.back, -1};
    mcm_fabric_read(b, &fabric);
    s->leaving = on_the_wire(b, "H", &wire, l->hops_there, l->hops_back);
    s->crossing = on_the_wire(b, "K", &wire, l->edges_there, l->edges_back);
    s->hottest_bytes = mcm_fabric_bytes(b, &fabric, &ways);
    s->hottest_time = mcm_fabric_time(b, &fabric, &ways);
}

static int mean_limit(struct model_builder *b, const struct mcm_supply *s)
{
    struct term_graph *g = model_graph(b);
    int each = model_constant(b, "2/C", 2.0 / s->links.chips, DIM_NONE);
    int load = term_product(g, "2*q*H/C", s->cross, each, s->leaving);
    return term_resource(g, quotient_or_infinite(b, "links of the mean module", s->figure, load),
                         "inter");
}

static int hottest_limit(struct model_builder *b, const struct mcm_supply *s)
{
    struct term_graph *g = model_graph(b);
    int none = model_constant(b, "no limit", HUGE_VAL, DIM_BYTES_PER_S);
    int one = model_constant(b, NULL, 1, DIM_NONE);
    if (s->hottest_time < 0) /* a graph that was refused */
        return none;
    int load = term_product(g, "q*w/l", s->cross, s->hottest_time);
    int zero = model_constant(b, NULL, 0, term_get(g, load)->dim);
    int used = term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){load, zero});
    int limit = term_operation(g, EXPRESSION_IF, "hottest edge's limit", 3,
                               (int[]){used, term_quotient(g, NULL, one, load), none});
    return term_resource(g, limit, "inter");
}

static int modules_limit(struct model_builder *b, int memory, const struct mcm_supply *s)
{
    struct term_graph *g = model_graph(b);
    int missed = term_product(g, "t*p", s->moved, s->pass);
    int memories = term_resource(g, quotient_or_infinite(b, "C*b/(t*p)", memory, missed), "memory");
    int l2 = quotient_or_infinite(b, "C*B_L2/p", model_total(b, "total.llc_bandwidth"), s->pass);
    return term_min(g, "C*s/p", memories, term_resource(g, l2, "llc"));
}

void mcm_supply_build(struct model_builder *b, int memory, struct mcm_supply *out)
{
    struct term_graph *g = model_graph(b);
    struct error ignored;
    double hit;
    struct model_memory moved = model_memory(b, "llc");
    *out = (struct mcm_supply){.miss = model_miss_ratio(b, "llc"), .moved = moved.moved};
    refuse_unknown_shapes(b);
    mcm_links_read(b, &out->links);
    read_wire(b, out);
    if (machine_number(model_machine(b), "link.l15_hit", &hit, &ignored) == 0) {
        shares_by_hand(b, out);
    } else {
        out->pass = model_home_share(b);
        out->cross = model_home_remote_share(b);
    }
    out->figure = link_sum(b, "L", out->links.ends, out->links.own_bytes_per_s);
    out->modules = modules_limit(b, memory, out);
    out->mean = out->hottest = out->modules;
    if (out->links.chips > 1) {
        int mean = mean_limit(b, out), hottest = hottest_limit(b, out);
        out->mean = term_min(g, "mean module", out->modules, mean);
        out->hottest = term_min(g, "hottest edge", out->modules, hottest);
    }
    bool published = model_switch(b, "link.hottest_edge") == 0;
    out->bandwidth = published ? out->mean : term_min(g, "supply", out->mean, out->hottest);
}

int mcm_link_energy(struct model_builder *b)
{
    struct error ignored;
    const char *tier;
    char path[80];
    if (machine_name(model_machine(b), "inter.tier", &tier, &ignored))
        return -1;
    snprintf(path, sizeof path, "link_energy.%s", model_name(b, "inter.tier"));
    return model_parameter(b, path);
}
