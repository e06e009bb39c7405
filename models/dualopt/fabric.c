/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The edges between GPUs that may be the hottest. */
#include "dualopt/fabric.h"

#include "mcm/edges.h"

/* Whatever is sent, a is busy for at least as long as b. */
static bool covers(const struct dualopt_edge *a, const struct dualopt_edge *b)
{
    return a->own == b->own && a->there >= b->there && a->back >= b->back;
}

static void fabric_add(struct dualopt_fabric *fabric, struct dualopt_edge edge)
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

void dualopt_fabric_read(struct model_builder *b, struct dualopt_fabric *out)
{
    struct mcm_edges all;
    mcm_edges_read(b, &all);
    out->edges = arena_alloc(model_arena(b), (all.count + 1) * sizeof *out->edges);
    out->count = 0;
    for (size_t e = 0; e < all.count; e++) {
        const struct mcm_edge *edge = &all.items[e];
        bool own = edge->own_bytes_per_s > 0;
        double unit = own ? edge->own_bytes_per_s : edge->share;
        fabric_add(out, (struct dualopt_edge){edge->there / unit, edge->back / unit, own});
    }
    mcm_edges_fini(&all);
}
