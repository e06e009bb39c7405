/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of issue done naively: which block goes where, and who is next. */
#ifndef BANDSCAPE_TESTS_NAIVE_ORDER_H
#define BANDSCAPE_TESTS_NAIVE_ORDER_H

#include "naive_pass.h"
#include "profile/issue/order.h"

struct live_warp {
    uint64_t cta;
    uint32_t warp;
    size_t at; /* into the kernel's accesses */
    uint64_t ready;
    bool ended; /* behind its last access */
};

struct live_sm {
    struct {
        struct live_warp *items;
        size_t count, capacity;
    } warps;
    size_t next; /* lrr, grr: where to look first */
    bool has_greedy;
    size_t greedy;     /* gto: index */
    uint32_t resident; /* CTAs with warps */
};

/* SM number i of the order in which they stand in line: the chips in turn. */
static inline uint32_t naive_sm_at(const struct config *c, uint32_t place)
{
    return place % c->chips * c->per_chip + place / c->chips;
}

/* The SM whose turn is the k-th of a round that begins at the first place: those with the same
 * number on their chips stand together, each time another chip first. */
static inline uint32_t naive_turn_of(const struct config *c, uint32_t k)
{
    uint32_t number = k / c->chips, first = number % c->chips, chip = first;
    for (uint32_t behind = 0; behind < k % c->chips; behind++)
        chip = chip + 1 < c->chips ? chip + 1 : 0;
    return chip * c->per_chip + number;
}

/* Units of cta.scope. */
static inline uint32_t naive_scope_units(const struct config *c)
{
    return same(c->scope, "sm")          ? config_sms(c)
           : same(c->scope, "partition") ? config_domains(c)
                                         : c->chips;
}

/* The unit of a CTA, straight from the definitions. */
static inline uint32_t naive_unit(const struct config *c, const struct synthetic_kernel *kernel,
                                  uint32_t cta)
{
    uint32_t units = naive_scope_units(c), n = kernel->n_ctas;
    if (same(c->policy, "recorded"))
        return kernel->cta_sms[cta];
    if (same(c->policy, "centralised"))
        return cta % c->chips;
    if (same(c->policy, "greedy"))
        return 0;
    if (same(c->policy, "batched"))
        return cta / c->batch % units;
    return cta / ((n + units - 1) / units);
}

static inline uint32_t naive_unit_of_sm(const struct config *c, uint32_t sm)
{
    if (same(c->policy, "recorded"))
        return sm;
    if (same(c->policy, "centralised"))
        return sm / c->per_chip;
    if (same(c->policy, "greedy"))
        return 0;
    return naive_unit_at(c, c->scope, sm);
}

/* Moves past other warps' accesses and mere instructions; false at the end. */
static inline bool warp_seek(struct naive *n, const struct synthetic_kernel *kernel, uint32_t sm,
                             struct live_warp *warp)
{
    for (; warp->at < kernel->accesses.count; warp->at++) {
        const struct synthetic_access *a = kernel->accesses.items[warp->at];
        if (a->cta != warp->cta || a->warp != warp->warp)
            continue;
        if (a->access.kind != ACCESS_NONE)
            return true;
        naive_access(n, sm, warp->cta, &a->access);
    }
    return false;
}

/* Gives the SM the next CTA of its unit; false when there is none. */
static inline bool sm_take(struct naive *n, const struct synthetic_kernel *kernel, bool *taken,
                           struct live_sm *sms, uint32_t s)
{
    uint32_t cta = 0;
    while (cta < kernel->n_ctas &&
           (taken[cta] || naive_unit(n->config, kernel, cta) != naive_unit_of_sm(n->config, s)))
        cta++;
    if (cta == kernel->n_ctas)
        return false;
    taken[cta] = true;
    size_t before = sms[s].warps.count;
    for (uint32_t w = 0; w < kernel->warps_per_cta; w++) {
        struct live_warp warp = {.cta = cta, .warp = w};
        if (warp_seek(n, kernel, s, &warp))
            VECTOR_PUSH(&sms[s].warps, warp);
    }
    sms[s].resident += sms[s].warps.count > before;
    return true;
}

/* The warp to issue; the number of warps: none may. */
static inline size_t naive_choose(const struct naive *n, const struct live_sm *sm)
{
    const char *order = n->config->scheduler;
    size_t count = sm->warps.count, first = sm->next < count ? sm->next : 0;
    if (same(order, "lrr") || count == 0)
        return count ? first : 0;
    if (same(order, "gto") && sm->has_greedy && sm->warps.items[sm->greedy].ready <= n->round)
        return sm->greedy;
    if (same(order, "gto"))
        first = 0;
    for (size_t k = 0; k < count; k++)
        if (sm->warps.items[(first + k) % count].ready <= n->round)
            return (first + k) % count;
    return count;
}

static inline void sm_turn(struct naive *n, const struct synthetic_kernel *kernel, bool *taken,
                           struct live_sm *sms, uint32_t s, uint32_t limit)
{
    struct live_sm *sm = &sms[s];
    size_t at = naive_choose(n, sm);
    if (at == sm->warps.count)
        return;
    struct live_warp *warp = &sm->warps.items[at];
    uint64_t cta = warp->cta;
    bool waits = !same(n->config->scheduler, "lrr");
    if (!warp->ended) {
        warp->ready = naive_access(n, s, cta, &kernel->accesses.items[warp->at]->access);
        warp->at++;
        sm->next = waits ? at : at + 1;
        sm->has_greedy = true;
        sm->greedy = at;
        warp->ended = !warp_seek(n, kernel, s, warp);
        if (!warp->ended || (waits && warp->ready > n->round))
            return;
    }
    memmove(warp, warp + 1, (--sm->warps.count - at) * sizeof *warp);
    sm->next = at;
    sm->has_greedy = false;
    for (size_t i = 0; i < sm->warps.count; i++)
        if (sm->warps.items[i].cta == cta)
            return;
    sm->resident--;
    while (sm->resident < limit && sm_take(n, kernel, taken, sms, s))
        ;
}

/* Pages that SMs touch in this round, of who waited less first, else in the order of turns. Who
 * waited less is told anew every c->stall rounds of the launch, an access for each warp that an SM
 * holds of that many blocks, if there are as many. */
static inline void naive_touch_round(struct naive *n, const struct synthetic_kernel *kernel,
                                     const struct live_sm *sms, uint64_t origin, uint32_t limit)
{
    const struct config *c = n->config;
    uint32_t n_sms = config_sms(c);
    bool done[MAX_SMS] = {false};
    uint32_t held = kernel->n_ctas / n_sms + (kernel->n_ctas % n_sms != 0);
    held = (held > limit ? limit : held) * kernel->warps_per_cta;
    if ((n->round - origin) % (c->stall ? c->stall : 1) == 0)
        for (uint32_t s = 0; s < n_sms; s++)
            n->ranks[s] = n->waits[s] / held;
    for (uint32_t i = 0; i < n_sms; i++) {
        uint32_t first = MAX_SMS;
        for (uint32_t k = 0; k < n_sms; k++) {
            uint32_t s = naive_turn_of(c, (uint32_t)((n->round + k) % n_sms));
            bool sooner = first == MAX_SMS || n->ranks[s] < n->ranks[first];
            if (!sooner && same(c->placement, "round-robin") && n->ranks[s] == n->ranks[first])
                sooner = order_hash(n->round, s) < order_hash(n->round, first);
            if (!done[s] && sooner)
                first = s;
        }
        done[first] = true;
        size_t at = naive_choose(n, &sms[first]);
        if (at == sms[first].warps.count || sms[first].warps.items[at].ended)
            continue;
        struct numbers lines = {0}, sectors = {0}, wanted = {0};
        size_t next = sms[first].warps.items[at].at;
        naive_coalesce(c, &kernel->accesses.items[next]->access, &lines, &sectors, &wanted);
        for (size_t l = 0; l < lines.count; l++)
            naive_home(n, lines.items[l], first);
        VECTOR_FREE(&lines);
        VECTOR_FREE(&sectors);
        VECTOR_FREE(&wanted);
    }
}

static inline void naive_rounds(struct naive *n, const struct synthetic_kernel *kernel)
{
    const struct config *c = n->config;
    uint32_t n_sms = config_sms(c), limit = c->ctas;
    struct live_sm sms[MAX_SMS] = {0};
    bool *taken = memory_zero(kernel->n_ctas, sizeof *taken), more = true;
    if (limit > c->warps / kernel->warps_per_cta)
        limit = c->warps / kernel->warps_per_cta;
    if (limit > c->threads / kernel->threads_per_cta)
        limit = c->threads / kernel->threads_per_cta;
    while (more) {
        more = false;
        for (uint32_t k = 0; k < n_sms; k++) {
            uint32_t s = naive_sm_at(c, k);
            if (sms[s].resident < limit && sm_take(n, kernel, taken, sms, s))
                more = true;
        }
    }
    if (n->round) /* all that the launch before asked for is there */
        n->round += c->stall;
    while (n->round % n_sms) /* a launch begins with the first SM */
        n->round++;
    uint64_t origin = n->round;
    memset(n->waits, 0, sizeof n->waits);
    for (;;) {
        size_t live = 0;
        for (uint32_t s = 0; s < n_sms; s++)
            live += sms[s].warps.count;
        if (live == 0)
            break;
        if (n->timed)
            naive_touch_round(n, kernel, sms, origin, limit);
        for (uint32_t k = 0; k < n_sms; k++)
            sm_turn(n, kernel, taken, sms, naive_turn_of(c, (uint32_t)((n->round + k) % n_sms)),
                    limit);
        n->round++;
    }
    for (uint32_t s = 0; s < n_sms; s++)
        VECTOR_FREE(&sms[s].warps);
    free(taken);
}

static inline void naive_replay(struct naive *n, const struct synthetic_kernel *kernel)
{
    const struct config *c = n->config;
    uint32_t n_sms = config_sms(c);
    for (size_t i = 0; i < kernel->accesses.count; i++) {
        const struct synthetic_access *a = kernel->accesses.items[i];
        uint32_t unit = naive_unit(c, kernel, (uint32_t)a->cta), rank = 0, sms[MAX_SMS], count = 0;
        for (uint32_t cta = 0; cta < a->cta; cta++)
            rank += naive_unit(c, kernel, cta) == unit;
        for (uint32_t k = 0; k < n_sms; k++)
            if (naive_unit_of_sm(c, naive_sm_at(c, k)) == unit)
                sms[count++] = naive_sm_at(c, k);
        naive_access(n, sms[rank % count], a->cta, &a->access);
    }
}

/* The lines that a kernel writes. */
static inline void naive_gather(struct naive *n, const struct synthetic_kernel *kernel)
{
    n->written.count = 0;
    for (size_t i = 0; i < kernel->accesses.count; i++) {
        const struct warp_access *access = &kernel->accesses.items[i]->access;
        struct numbers lines = {0}, sectors = {0}, wanted = {0};
        if (access->kind == ACCESS_WRITE || access->kind == ACCESS_ATOMIC)
            naive_coalesce(n->config, access, &lines, &sectors, &wanted);
        for (size_t k = 0; k < lines.count; k++)
            if (numbers_find(&n->written, lines.items[k]) == n->written.count)
                VECTOR_PUSH(&n->written, lines.items[k]);
        VECTOR_FREE(&lines);
        VECTOR_FREE(&sectors);
        VECTOR_FREE(&wanted);
    }
}

/* What lines were at the end of the launch. */
static inline void naive_end(struct naive *n)
{
    for (size_t i = 0; i < n->lines.count; i++) {
        const struct line_facts *line = &n->lines.items[i];
        bool shared = __builtin_popcountll(line->launch_domains) >= 2;
        if (line->launch != n->launch_number)
            continue;
        n->launch->fields[FIELD_WRITTEN] += line->launch_written ? n->config->line : 0;
        n->launch->fields[FIELD_READ_ONLY_SHARED] +=
            shared && !line->launch_written ? n->config->line : 0;
    }
}

static inline void naive_launch(struct naive *n, const struct synthetic_kernel *kernel,
                                struct launch *launch)
{
    n->launch = launch;
    n->launch_number++;
    n->ended = 0;
    launch->fields[FIELD_CTAS] = kernel->n_ctas;
    for (size_t i = 0; i < (size_t)n->nodes * n->sets; i++)
        n->l1[i].count = 0;
    for (int i = 0; i < NAIVE_FRONTS; i++) {
        struct naive_front *front = &n->fronts.levels[i];
        front->lookups = front->hits = front->writebacks = 0;
    }
    n->timed = !kernel->recorded_order && !same(n->config->scheduler, "lrr");
    naive_kinds_begin(n);
    naive_gather(n, kernel);
    if (kernel->recorded_order)
        naive_replay(n, kernel);
    else
        naive_rounds(n, kernel);
    naive_send_dirty(n);
    naive_end(n);
}

#endif
