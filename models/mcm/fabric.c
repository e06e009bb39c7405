/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The edges between chips that may be the hottest. */
#include "mcm/fabric.h"

#include "mcm/edges.h"

/* --- edges ----------------------------------------------------------------------- */

/* Whatever is sent, a is busy for at least as long as b. */
static bool covers(const struct mcm_busy_edge *a, const struct mcm_busy_edge *b)
{
    return a->own == b->own && a->there >= b->there && a->back >= b->back && a->even >= b->even;
}

static void fabric_add(struct mcm_fabric *fabric, struct mcm_busy_edge edge)
{
    size_t kept = 0;
    for (size_t i = 0; i < fabric->count; i++)
        if (covers(&fabric->edges[i], &edge))
            return;
    for (size_t i = 0; i < fabric->count; i++)
        if (!covers(&edge, &fabric->edges[i]))
            fabric->edges[kept++] = fabric->edges[i];
    fabric->edges[kept] = edge;
    fabric->count = kept + 1;
}

void mcm_fabric_read(struct model_builder *b, struct mcm_fabric *out)
{
    mcm_fabric_read_pulled(b, 0, 0, out);
}

void mcm_fabric_read_pulled(struct model_builder *b, uint32_t home, double share,
                            struct mcm_fabric *out)
{
    struct mcm_edges all;
    mcm_edges_read_pulled(b, home, share, &all);
    out->edges = arena_alloc(model_arena(b), (all.count + 1) * sizeof *out->edges);
    out->count = 0;
    if (all.count > 0)
        model_name(b, "inter.switching"); /* in the edges' efficiency */
    for (size_t e = 0; e < all.count; e++) {
        const struct mcm_edge *edge = &all.items[e];
        bool own = edge->own_bytes_per_s > 0;
        double unit = (own ? edge->own_bytes_per_s : edge->share) * edge->efficiency;
        fabric_add(out, (struct mcm_busy_edge){edge->there / unit, edge->back / unit,
                                               edge->even / unit, own});
    }
    mcm_edges_fini(&all);
}

/* --- terms ----------------------------------------------------------------------- */

static int crossing(struct model_builder *b, int sum, double part, int bytes)
{
    struct term_graph *g = model_graph(b);
    if (bytes < 0)
        return sum;
    int own = term_product(g, NULL, model_constant(b, "part of it", part, DIM_NONE), bytes);
    return sum < 0 ? own : term_sum(g, NULL, sum, own);
}

static int edge_bytes(struct model_builder *b, const struct mcm_busy_edge *edge,
                      const struct mcm_wire *wire)
{
    int bytes = crossing(b, -1, edge->there, wire->there);
    bytes = crossing(b, bytes, edge->back, wire->back);
    return crossing(b, bytes, edge->even, wire->even);
}

/* Seconds that an edge's messages keep it busy, for a byte each; a term. */
static int mcm_edge_time(struct model_builder *b, const struct mcm_busy_edge *edge,
                         const struct mcm_wire *wire)
{
    int unit = edge->own ? model_constant(b, "listed links", 1, DIM_BYTES_PER_S)
                         : model_parameter(b, "inter.link_bandwidth");
    return term_quotient(model_graph(b), "time of a link", edge_bytes(b, edge, wire), unit);
}

int mcm_fabric_time(struct model_builder *b, const struct mcm_fabric *fabric,
                    const struct mcm_wire *wire)
{
    int most = -1;
    for (size_t i = 0; i < fabric->count; i++) {
        int time = mcm_edge_time(b, &fabric->edges[i], wire);
        most = most < 0 ? time : term_max(model_graph(b), "time of the hottest link", most, time);
    }
    return most;
}

int mcm_fabric_bytes(struct model_builder *b, const struct mcm_fabric *fabric,
                     const struct mcm_wire *wire)
{
    int most = -1;
    for (size_t i = 0; i < fabric->count; i++) {
        if (fabric->edges[i].own)
            continue;
        int bytes = edge_bytes(b, &fabric->edges[i], wire);
        most = most < 0 ? bytes : term_max(model_graph(b), "hottest edge", most, bytes);
    }
    return most;
}

int mcm_fabric_write_home(struct model_builder *b, int dirty)
{
    struct term_graph *g = model_graph(b);
    struct model_wire wire = model_wire_load(b, "inter", 0, model_request_bytes(b));
    struct mcm_fabric fabric;
    int remote = term_difference(g, "r_remote", model_constant(b, NULL, 1, DIM_NONE),
                                 model_field(b, FIELD_R_LOCAL));
    int crossing =
        term_product(g, "dirty remote", dirty, remote,
                     model_constant(b, "dirties", model_intents(b, true).dirties, DIM_NONE));
    struct mcm_wire ways = {.there = term_product(g, "to homes", crossing, wire.there),
                            .back = term_product(g, "from homes", crossing, wire.back),
                            .even = -1};
    mcm_fabric_read(b, &fabric);
    return mcm_fabric_time(b, &fabric, &ways);
}
