/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The warps of the busiest SM and its issue slots (schedule.h), from the profile's chain and the
 * latencies of the machine.
 *
 * Of the chain's warps, one behind another in one place, each has so many of its c waits, h waits
 * for L1 and n instructions, and so has every warp of the SM, but for its instructions: those of
 * all together are known, I, so that one of V warps issues I/V in the mean, and what the chain's
 * warp has more than that is a delay of its own. Waits for L1 are a kind of their own, and behind
 * the last burst stands none.
 *
 * A launch ends with the way of a write where its last warp ends with one. Where that is another
 * one of its block (a sum that the first warp writes), d warps before the last, the write sets out
 * earlier by as much as the block's warps end one behind another: d/(V - 1) of what lies between
 * the first one's end and the last one's. The longest chain, k times the mean (unequal.c), ends
 * later than its warp would by 1 - 1/k of all, so that by as much less is before the end what it
 * writes, and by as much more what others do, if it ends without. */
#include <math.h>
#include <string.h>

#include "network/demands.h"
#include "network/solution.h"

static enum schedule_order order_of(struct demands *d)
{
    const char *name = model_name(d->b, "sm.scheduler");
    if (strcmp(name, "gto") == 0)
        return SCHEDULE_OLDEST;
    return strcmp(name, "grr") == 0 ? SCHEDULE_NEXT : SCHEDULE_TURNS;
}

/* Lines of the busiest L1 that hold its SM's MSHRs: reads, but those that need none. */
static double lines_of(const struct demands *d)
{
    const struct network_class *class = &d->net->class[0];
    double held = 1 - class->writes - class->past - class->beside;
    double even = demands_ratio(demands_field(d, FIELD_L1_UNIFORMITY), 1, 0);
    even = even > 0 ? even : demands_field(d, FIELD_ISSUE_UNIFORMITY);
    return fmax(0, held) * demands_field(d, FIELD_REQUESTS) / class->sectors /
           (d->system->sms * even);
}

void demands_set_slots(struct demands *d)
{
    struct network_slots *slots = &d->net->slots;
    double waits = demands_waits_behind(d), blocks = demands_blocks(d);
    double threads = demands_block_threads(d), launches = demands_launches(d);
    double all = demands_field(d, FIELD_WARP_INSTRUCTIONS) / launches /
                 (d->system->sms * demands_field(d, FIELD_ISSUE_UNIFORMITY));
    if (slots->slot > 0 || !(waits > 0) || !(blocks > 0) || !(threads > 0) || !isfinite(all))
        return;
    double warps = ceil(threads / NETWORK_WARP);
    slots->sm = (struct schedule_sm){.warps = (uint32_t)warps,
                                     .places = (uint32_t)demands_blocks_held(d),
                                     .blocks = ceil(blocks / demands_working_sms(d)),
                                     .order = order_of(d)};
    slots->launches = launches;
    slots->warps = launches * ceil(slots->sm.blocks / slots->sm.places);
    slots->waits = waits;
    slots->instructions = demands_field(d, FIELD_CHAIN_INSTRUCTIONS) / slots->warps;
    slots->mean = all / (slots->sm.blocks * warps);
    slots->accesses = demands_ratio(demands_field(d, FIELD_WARP_ACCESSES), blocks * warps, 0);
    slots->accesses /= launches;
    slots->lines = lines_of(d) / launches / (slots->sm.blocks * warps);
    slots->slot = d->terms->slow_arg[STATION_ISSUE];
    slots->fewer = demands_argument(d, demands_fewer_a_wait(d));
    slots->hits = demands_argument(d, demands_chain_hits(d));
    slots->last = demands_argument(d, d->terms->last_beside);
    slots->l1 = d->first.hits;
    slots->ends_write = demands_ratio(demands_field(d, FIELD_CHAIN_ENDS_WRITE), launches, 1);
    slots->behind_write =
        demands_ratio(demands_field(d, FIELD_BEHIND_WRITE), demands_field(d, FIELD_CTAS), 0);
    slots->together =
        demands_ratio(demands_field(d, FIELD_WAITS_SHARED), demands_field(d, FIELD_WAITS), 0);
    demands_set_starved(d, slots);
}

/* Of the chain in that domain, all that its waits take: `cycles` of them behind the first of each
 * launch. */
static double waits_of(const struct work *w, const struct term_operand *args, int c, int from,
                       int p, double cycles)
{
    const struct network *network = w->network;
    const struct network_slots *slots = &network->slots;
    double slot = network_argument(args, slots->slot, from + p), wait = w->wait[c * CHUNK + p];
    double issued = network_argument(args, network->class[c].issued, from + p);
    double tail = network->class[c].writes > 0 ? w->ending[c * CHUNK + p] : 0;
    for (int k = 0; k < network->stations; k++)
        if (network->station[k].kind != STATION_ISSUE)
            wait += w->demand[(k * network->classes + c) * CHUNK + p];
    wait += fmax(0, w->idle[c * CHUNK + p] - issued * slot);
    return slots->launches * (work_fill(w, c, p) - tail) + cycles * wait;
}

/* MSHRs of an SM that a burst holds, of all that it has, times how long. */
static double held_of(const struct work *w, const struct term_operand *args, int c, int from, int p,
                      double bursts)
{
    const struct network *network = w->network;
    double way = w->way[c * CHUNK + p];
    for (int k = 0; k < network->stations; k++)
        if (!work_is_for_warps(network->station[k].kind))
            way += w->demand[(k * network->classes + c) * CHUNK + p];
    return network->slots.lines / bursts * way / network_argument(args, network->mshrs, from + p);
}

/* The warps of a domain's busiest SM in a launch. */
static struct schedule_ends class_ends(const struct work *w, const struct term_operand *args, int c,
                                       int from, int p)
{
    const struct network_slots *slots = &w->network->slots;
    double fewer = network_argument(args, slots->fewer, from + p);
    double slot = network_argument(args, slots->slot, from + p);
    double cycles = w->reach[c * CHUNK + p] * slots->waits / fewer,
           hits = network_argument(args, slots->hits, from + p) / fewer;
    double waits = waits_of(w, args, c, from, p, cycles);
    waits = (waits + network_argument(args, slots->last, from + p)) / slots->warps;
    waits += fmax(0, slots->instructions - slots->mean) * slot;
    double bursts = (slots->launches + cycles + hits) / slots->warps + 1;
    struct schedule_warp warp = {.bursts = bursts,
                                 .burst_s = slots->mean * slot / bursts,
                                 .wait_s = waits / bursts,
                                 .accesses = fmax(1, slots->accesses / bursts),
                                 .together = slots->together};
    double near = slots->l1 > 0 ? network_argument(args, slots->l1, from + p) : 0;
    warp.kinds[0] = (struct schedule_kind){1, 0};
    warp.kinds[1] = (struct schedule_kind){hits / slots->warps, near};
    warp.kinds[2] = (struct schedule_kind){bursts - 1 - hits / slots->warps, 0};
    warp.kinds[2].wait_s = fmax(0, waits - warp.kinds[1].bursts * near) / warp.kinds[2].bursts;
    double found_s = work_starved(w, args, c, from, p, warp.kinds[2].wait_s);
    warp.spared_s = (warp.kinds[2].wait_s - found_s) * warp.kinds[2].bursts / bursts;
    warp.held_s = held_of(w, args, c, from, p, bursts);
    warp.differ_s = work_differ(w->network, c, args, from + p, &warp);
    return schedule_ends(&slots->sm, &warp);
}

double work_warps_time(const struct work *w, const struct term_operand *args, int from, int p)
{
    double most = 0;
    for (int c = 0; c < w->network->classes && w->network->slots.slot > 0; c++) {
        double tail = w->network->class[c].writes > 0 ? w->ending[c * CHUNK + p] : 0;
        double last_s = class_ends(w, args, c, from, p).last_s;
        most = fmax(most, w->network->slots.launches * (last_s + tail));
    }
    return most;
}

void work_set_ends(struct work *w, const struct term_operand *args, int from, int p)
{
    const struct network_slots *slots = &w->network->slots;
    double others = slots->sm.warps - 1.0, behind = fmin(1, slots->behind_write / others);
    for (int c = 0; c < w->network->classes && slots->slot > 0 && slots->behind_write > 0; c++) {
        double *ending = &w->ending[c * CHUNK + p], tail = *ending;
        if (!(w->network->class[c].writes > 0))
            continue;
        struct schedule_ends ends = class_ends(w, args, c, from, p);
        double before = behind * ends.apart_s, over = (1 - 1 / w->network->unequal) * ends.last_s;
        *ending = slots->ends_write * (tail - fmin(tail, fmax(0, before - over))) +
                  (1 - slots->ends_write) * (tail - fmin(tail, before + over));
    }
}
