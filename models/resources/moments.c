/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places that are hot for a while. */
#include "resources/moments.h"

#include <math.h>

/* Differences of less cannot be told from chance. */
#define LEAST 0.01

/* The uniformity of a kind of places in windows; 1 where it is unknown. */
static double known(struct model_builder *b, enum profile_field field)
{
    return model_knows(b, field) ? model_profile_record(b)->fields[field] : 1;
}

int moments_slices(struct model_builder *b, enum level_side side)
{
    bool home = side == SIDE_HOME;
    enum profile_field now = home ? FIELD_MOMENTARY_HOME_SLICES : FIELD_MOMENTARY_OWN_SLICES;
    int launch = model_field(b, home ? FIELD_LSU_MEMORY_SIDE : FIELD_LSU_SM_SIDE);
    if (!model_knows(b, now))
        return launch;
    return term_min(model_graph(b), "LSU for a while", launch, model_field(b, now));
}

/* share[j]: of the requests, those whose home is domain j; their number, 0: unknown. */
static uint32_t home_shares(struct model_builder *b, double share[DOMAINS_MAX])
{
    const struct profile_record *record = model_profile_record(b);
    uint32_t n = model_system(b, 0)->domains;
    double all = 0;
    if (!record->traffic || record->n_domains != n)
        return 0;
    for (uint32_t j = 0; j < n; j++) {
        share[j] = 0;
        for (uint32_t i = 0; i < n; i++)
            share[j] += record->traffic[i * n + j];
        all += share[j];
    }
    for (uint32_t j = 0; j < n; j++)
        share[j] = all > 0 ? share[j] / all : 1.0 / n;
    return n;
}

int moments_memory(struct model_builder *b)
{
    double share[DOMAINS_MAX], most = 0;
    uint32_t n = home_shares(b, share);
    if (!model_knows(b, FIELD_MOMENTARY_MEMORY))
        return -1;
    for (uint32_t j = 0; j < n; j++)
        most = fmax(most, share[j]);
    n = n ? n : model_system(b, 0)->domains;
    most = most > 0 ? most : 1.0 / n;
    if (known(b, FIELD_MOMENTARY_MEMORY) * n * most > 1 - LEAST)
        return -1;
    struct term_graph *g = model_graph(b);
    int launch =
        term_product(g, NULL, model_field(b, FIELD_MOMENTARY_MEMORY),
                     model_constant(b, "busiest home over the launch", n * most, DIM_NONE));
    return term_quotient(g, "homes for a while", model_constant(b, NULL, 1, DIM_NONE), launch);
}

/* --- links ------------------------------------------------------------------------ */

/* Shares of remote requests by home; false where there are none, or nobody says. */
static bool remote_shares(struct model_builder *b, uint32_t n, double share[DOMAINS_MAX])
{
    const struct profile_record *record = model_profile_record(b);
    bool matrix = record->traffic && record->n_domains == n;
    double all = 0;
    for (uint32_t j = 0; j < n; j++) {
        share[j] = 0;
        for (uint32_t i = 0; i < n; i++)
            share[j] += i == j ? 0 : matrix ? record->traffic[i * n + j] : 1;
        all += share[j];
    }
    for (uint32_t j = 0; j < n; j++)
        share[j] /= all;
    return all > 0;
}

/* a, of the header. */
static double pull_of(double uniformity, uint32_t n, const double *share)
{
    double chance = 0;
    for (uint32_t j = 0; j < n; j++)
        chance += share[j] * share[j];
    double pull = (1 / (n * uniformity) - chance) / (1 - chance);
    return chance < 1 && pull > LEAST ? fmin(1, pull) : 0;
}

int moments_links(struct model_builder *b, enum level_side side, const struct mcm_wire *wire,
                  int *launch)
{
    enum profile_field now = side == SIDE_HOME ? FIELD_MOMENTARY_LINKS : FIELD_MOMENTARY_FETCHES;
    struct term_graph *g = model_graph(b);
    uint32_t n = model_system(b, 0)->chips;
    double share[DOMAINS_MAX], pull = 0;
    struct mcm_fabric fabric;
    int sum = -1;
    mcm_fabric_read(b, &fabric);
    *launch = mcm_fabric_time(b, &fabric, wire);
    if (n > 1 && model_knows(b, now) && remote_shares(b, n, share))
        pull = pull_of(known(b, now), n, share);
    if (*launch < 0 || pull == 0)
        return *launch;
    model_field(b, now); /* counts as read */
    for (uint32_t h = 0; h < n; h++) {
        if (share[h] == 0)
            continue;
        mcm_fabric_read_pulled(b, h, pull, &fabric);
        int part = term_product(g, NULL, model_constant(b, "share of a home", share[h], DIM_NONE),
                                mcm_fabric_time(b, &fabric, wire));
        sum = sum < 0 ? part : term_sum(g, "hottest links, home by home", sum, part);
    }
    return sum;
}
