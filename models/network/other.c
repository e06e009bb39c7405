/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traffic beside the requests. */
#include "network/demands.h"
#include "sac/llc.h"

/* Between any two chips alike, `bytes` (an argument) for a request of every class, `times`. */
static void spread_over_edges(struct demands *d, int bytes, double times)
{
    uint32_t n = d->system->chips;
    for (int c = 0; c < d->net->classes && n > 1; c++) {
        struct way way = {.class = c, .path = PATH_NONE, .share = 1};
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                for (uint32_t e = 0; e < d->system->links.edges.count; e++)
                    demands_pass(d, &way, STATION_EDGE, e, bytes,
                                 times * system_route(d->system, i, j)[e] / ((double)n * (n - 1)));
    }
}

static bool copies_outside_home(struct demands *d)
{
    if (llc_invalidates(d->b))
        return true;
    return !d->system->flush_at_kernels && model_levels_keep_copies(d->b);
}

void demands_add_other(struct demands *d)
{
    double requests = demands_field(d, FIELD_REQUESTS), moves = demands_field(d, FIELD_PAGE_MOVES);
    if (copies_outside_home(d) && d->system->chips > 1) {
        double messages = term_get(d->g, model_field(d->b, FIELD_INVALIDATIONS))->constant;
        int bytes =
            model_wire_bytes(d->b, "inter", model_parameter(d->b, "bottleneck.invalidation"));
        spread_over_edges(d, demands_argument(d, bytes), demands_ratio(messages, requests, 0));
    }
    if (!(moves > 0) || !(requests > 0))
        return;
    int bytes = model_parameter(d->b, "page.size"), page = demands_argument(d, bytes);
    if (d->system->chips > 1)
        spread_over_edges(d, demands_argument(d, model_wire_bytes(d->b, "inter", bytes)),
                          moves / requests);
    for (int c = 0; c < d->net->classes; c++)
        for (uint32_t j = 0; j < d->system->domains; j++) {
            struct way way = {.class = c, .path = PATH_NONE, .share = 1};
            demands_pass(d, &way, STATION_MEMORY, j, page,
                         2 * moves / requests / d->system->domains);
        }
}
