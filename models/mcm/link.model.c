/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Link sizing, both ways: what links a machine needs, and what it delivers over those it has.
 * The equations are those of supply.c.
 *
 *     required = 2 s/p q H                 over a module's edges, in plus out, bytes/s
 *     supply   = C min( s/p , L / (2 q H) )       and the same of the hottest directed edge
 *
 * Energy of the traffic, per requested byte: it moves once on the chip of its requester; for
 * another module also over every link on its way and on every chip that it enters.
 *
 *     E = (1 + q H) E_chip + q K E_tier    K: edges crossed, those of switches included
 *
 * Links carry messages: requests, headers and whole flits where the machine gives them; H and K are
 * then weighted with bytes on the wire, but for what moves on chips, which is data.
 *
 * Source: MCM-GPU, ISCA 2017, section 3.3 (links), section 5.1 (L1.5), Table 2 (energy). */
#include "mcm/supply.h"

/* The links at which they stop limiting: of the mean module, and of the hottest edge. */
static void set_required(struct model_builder *b, const struct mcm_supply *s)
{
    struct term_graph *g = model_graph(b);
    int required = model_constant(b, "no links", 0, DIM_BYTES_PER_S);
    if (s->leaving >= 0)
        required = term_product(
            g, "required", s->modules, s->cross,
            term_product(g, "2*H/C", model_constant(b, "2/C", 2.0 / s->links.chips, DIM_NONE),
                         s->leaving));
    model_set_metric(b, "link_required", required);
    model_set_metric(b, "module_link_bandwidth", s->figure);
    if (s->hottest_bytes >= 0)
        model_set_metric(b, "link_knee",
                         term_product(g, "knee", s->modules, s->cross, s->hottest_bytes));
}

static void set_utilisation(struct model_builder *b, const struct mcm_supply *s)
{
    int used = model_constant(b, NULL, 0, DIM_NONE);
    if (s->hottest_time >= 0)
        used = term_product(model_graph(b), "utilisation", s->bandwidth, s->cross, s->hottest_time);
    model_set_metric(b, "link_utilisation", used);
}

/* Absent where the machine does not say what its links cross. */
static void set_energy(struct model_builder *b, const struct mcm_supply *s)
{
    struct term_graph *g = model_graph(b);
    int tier = s->links.chips > 1 ? mcm_link_energy(b) : model_parameter(b, "link_energy.chip");
    if (tier < 0)
        return;
    int one = model_constant(b, NULL, 1, DIM_NONE);
    int entered = term_product(g, "q*H", s->cross, model_constant(b, "H", s->links.hops, DIM_NONE));
    int chips = term_product(g, "on chips", term_sum(g, "1+q*H", one, entered),
                             model_parameter(b, "link_energy.chip"));
    int crossing = s->crossing < 0 ? model_constant(b, "K", 0, DIM_NONE) : s->crossing;
    int links = term_product(g, "on links", s->cross, crossing, tier);
    int energy = term_sum(g, "energy per byte", chips, links);
    model_set_metric(b, "energy_per_byte", energy);
    model_set_metric(b, "link_energy_per_byte", links);
    model_set_metric(b, "traffic_power", term_product(g, "power", energy, s->bandwidth));
}

static void link_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct mcm_supply s;
    mcm_supply_build(b, model_total(b, "total.memory_bandwidth"), &s);
    int one = model_constant(b, NULL, 1, DIM_NONE);
    model_set_metric(b, "effective_bandwidth", s.bandwidth);
    model_set_metric(b, "supply_mean_module", s.mean);
    model_set_metric(b, "supply_hottest_edge", s.hottest);
    model_set_metric(b, "supply_without_links", s.modules);
    set_required(b, &s);
    set_utilisation(b, &s);
    model_set_metric(b, "module_hops", model_constant(b, "H", s.links.hops, DIM_NONE));
    model_set_metric(b, "link_share", s.cross);
    model_set_metric(b, "home_share", s.pass);
    if (machine_has_level(model_machine(b), "l15"))
        model_set_metric(b, "l15_hit_rate",
                         term_quotient(g, "l15 hits", model_level_field(b, "l15", LEVEL_HITS),
                                       model_level_field(b, "l15", LEVEL_LOOKUPS)));
    model_set_metric(b, "llc_hit_rate", term_difference(g, "h", one, s.miss));
    set_energy(b, &s);
    model_set_stream(b, "all", s.bandwidth);
}

static const struct model_metric link_metrics[] = {
    {"supply_mean_module", IN_BYTES_PER_S, COMBINE_RATE,
     "supply with the links of the mean module, by H"},
    {"supply_hottest_edge", IN_BYTES_PER_S, COMBINE_RATE,
     "supply with the hottest directed edge, by routing"},
    {"supply_without_links", IN_BYTES_PER_S, COMBINE_RATE,
     "what L2s and memories supply, links aside"},
    {"link_required", IN_BYTES_PER_S, COMBINE_TIME,
     "over a module's edges, in plus out: what its L2 and memory can send"},
    {"module_link_bandwidth", IN_BYTES_PER_S, COMBINE_TIME,
     "over a module's edges, in plus out: what the machine has"},
    {"link_knee", IN_BYTES_PER_S, COMBINE_TIME,
     "inter.link_bandwidth, per link and direction, at which the hottest edge stops limiting"},
    {"link_utilisation", IN_PLAIN, COMBINE_TIME, "of the hottest directed edge"},
    {"module_hops", IN_PLAIN, COMBINE_MEAN, "H: modules that a request for another one leaves"},
    {"link_share", IN_PLAIN, COMBINE_MEAN, "q: requests that go to another module, of all"},
    {"home_share", IN_PLAIN, COMBINE_MEAN, "p: requests that reach a home's L2, of all"},
    {"l15_hit_rate", IN_PLAIN, COMBINE_MEAN, "hits of the L1.5, of the requests that look it up"},
    {"llc_hit_rate", IN_PLAIN, COMBINE_MEAN, "hit rate of the LLC (L2)"},
    {"energy_per_byte", IN_JOULES_PER_BYTE, COMBINE_MEAN,
     "of a requested byte, on chips and over links"},
    {"link_energy_per_byte", IN_JOULES_PER_BYTE, COMBINE_MEAN, "the links' part of it"},
    {"traffic_power", IN_WATTS, COMBINE_TIME, "energy per byte at the predicted bandwidth"},
    {.name = NULL},
};

static const struct parameter_row link_parameters[] = {
    {"hottest_edge", PARAMETER_COUNT, IN_PLAIN, 0, 1, "1", NULL, NULL, "model", STRUCTURE_MODEL,
     "0: links limit by the mean module alone, as published; 1: by the hottest edge as well", NULL},
    {"l15_hit", PARAMETER_NUMBER, IN_PLAIN, 0, 1, NULL, NULL, NULL, "model", STRUCTURE_NONE,
     "hit rate of an L1.5 on requests for other modules, in place of what the profile counts",
     NULL},
    {.field = NULL},
};

static const char *const link_levels[] = {"l15", NULL};

static const struct model_source link_sources[] = {MCM_SUPPLY_SOURCES, {NULL, NULL, NULL}};

const struct model model_link = {
    .plugin = {"model", "link", "bandwidth that modules supply over their links; link sizing",
               "MCM-GPU, ISCA 2017, section 3.3", link_parameters, .levels = link_levels},
    .sources = link_sources,
    .answer = "bottleneck at the given mix",
    .validity = "a ceiling for memory-bound traffic: memory-side L2, uniform over modules but for "
                "the links, crossbars not counted",
    .counts = MODEL_COUNTS_LINK_MESSAGES,
    .machine = "mcm-optimised",
    .page =
        "s        = min( b / t , B_L2 )                a module's memory and L2; t: 1-h, and what\n"
        "                                              the L2 writes back\n"
        "supply   = C min( s/p , L / (2 q H) )         mean module\n"
        "         <= l_e / (q w_e)                     hottest directed edge e\n"
        "required = 2 s/p q H                          over a module's edges, in plus out\n\n"
        "C  modules     p  requests that reach a home, of all: 1 - f h15\n"
        "H  module hops q  requests that go to another module: f (1-h15)\n"
        "L  over a module's edges, in plus out: four times inter.link_bandwidth in a ring\n"
        "w  bytes that cross e for a byte of another module, by shortest-path routing; on the\n"
        "   wire, as in H and K, where the machine gives messages (inter.flit, read_request...)\n"
        "energy per byte = (1 + q H) link_energy.chip + q K link_energy.<inter.tier>",
    .metrics = link_metrics,
    .build = link_build,
};
