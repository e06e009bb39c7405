/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The busiest chip under a traffic matrix. */
#include "resources/places.h"

#include <string.h>

static double even(double part, double mean)
{
    return mean > 0 ? part / mean : 0;
}

static void count_requests(const double *traffic, uint32_t chips, double (*out)[PLACE_SHARES])
{
    for (uint32_t i = 0; i < chips; i++)
        for (uint32_t j = 0; j < chips; j++) {
            double requests = traffic[i * chips + j];
            out[i][SHARE_ASKED] += requests;
            out[i][i == j ? SHARE_LOCAL : SHARE_SENT] += requests;
            out[j][SHARE_HOMED] += i == j ? 0 : requests;
        }
}

/* A row for each of *n places; one for all, where the record does not say who asks whom. */
static double (*shares_read(struct model_builder *b, uint32_t *n))[PLACE_SHARES]
{
    const struct profile_record *record = model_profile_record(b);
    bool known = record->traffic && record->n_domains == *n;
    uint32_t chips = known ? (uint32_t)record->n_domains : 1;
    double(*out)[PLACE_SHARES] = arena_alloc(model_arena(b), chips * sizeof *out);
    for (uint32_t c = 0; c < chips; c++)
        for (int s = 0; s < PLACE_SHARES; s++)
            out[c][s] = known ? 0 : 1;
    if (known)
        count_requests(record->traffic, chips, out);
    for (int s = 0; s < PLACE_SHARES; s++) {
        double mean = 0;
        for (uint32_t c = 0; c < chips; c++)
            mean += out[c][s] / chips;
        for (uint32_t c = 0; c < chips; c++)
            out[c][s] = even(out[c][s], mean);
    }
    *n = chips;
    return out;
}

/* Whatever the loads are, the first chip has at least as much of all. */
static bool covers(const double *a, const double *c, int n, const struct place_load *parts)
{
    for (int k = 0; k < n; k++)
        if (a[parts[k].share] < c[parts[k].share])
            return false;
    return true;
}

static int busiest(struct model_builder *b, uint32_t chips, int n, const struct place_load *parts)
{
    struct term_graph *g = model_graph(b);
    double(*share)[PLACE_SHARES] = shares_read(b, &chips);
    int most = -1;
    for (uint32_t c = 0; c < chips; c++) {
        bool covered = false;
        int sum = -1;
        for (uint32_t o = 0; o < chips && !covered; o++)
            covered = o != c && covers(share[o], share[c], n, parts) &&
                      (o < c || !covers(share[c], share[o], n, parts));
        for (int k = 0; k < n && !covered; k++) {
            double part = share[c][parts[k].share];
            int own = part == 1 ? parts[k].term
                                : term_product(g, NULL, parts[k].term,
                                               model_constant(b, "of this chip", part, DIM_NONE));
            sum = sum < 0 ? own : term_sum(g, NULL, sum, own);
        }
        if (!covered)
            most = most < 0 ? sum : term_max(g, "the busiest chip's", most, sum);
    }
    return most;
}

int places_busiest(struct model_builder *b, int n, const struct place_load *parts)
{
    return busiest(b, model_system(b, 0)->chips, n, parts);
}

int places_busiest_domain(struct model_builder *b, int n, const struct place_load *parts)
{
    return busiest(b, model_system(b, 0)->domains, n, parts);
}

struct place_wire places_crossings(struct model_builder *b, int n,
                                   const struct place_crossing *parts)
{
    struct term_graph *g = model_graph(b);
    struct place_load both[PLACE_CROSSINGS_MAX], there[PLACE_CROSSINGS_MAX],
        back[PLACE_CROSSINGS_MAX];
    bool separate = strcmp(model_name(b, "noc.directions"), "separate") == 0;
    for (int k = 0; k < n; k++) {
        const struct place_crossing *p = &parts[k];
        both[k] = (struct place_load){term_product(g, NULL, p->times, p->wire.both), p->share};
        there[k] = (struct place_load){term_product(g, NULL, p->times, p->wire.there), p->share};
        back[k] = (struct place_load){term_product(g, NULL, p->times, p->wire.back), p->share};
    }
    if (!separate)
        return (struct place_wire){places_busiest(b, n, both), -1};
    return (struct place_wire){places_busiest(b, n, there), places_busiest(b, n, back)};
}

int places_crossbars(struct model_builder *b)
{
    int all = model_total(b, "total.noc_bandwidth");
    double share = crossbar_share(model_machine(b));
    if (strcmp(model_name(b, "noc.switching"), "fifo") != 0)
        return all;
    model_switch(b, "noc.inputs");
    model_switch(b, "noc.outputs");
    return term_product(model_graph(b), "B_intra with queues", all,
                        model_constant(b, "left by queues", share, DIM_NONE));
}
