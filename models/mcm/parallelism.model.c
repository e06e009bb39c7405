/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of workloads, from three bounds on the time of a kernel:
 *
 *     T = max( I u / i , R u t / k , bytes / B )
 *
 *     I   warp instructions            i  issue rate of an SM
 *     R   requests (L1 misses, writes, atomics)
 *     u   ceil(n / N) / n: share of the busiest of N SMs, n thread blocks
 *     k   requests that an SM has in flight: min(resident warps * loads at a time, MSHRs)
 *     t   latency of a request without queues: crossbars, levels, L2, memory, links
 *     B   supply of the modules over their links (link)
 *
 *     parallel efficiency = T_1 / (N T): one SM alone, with an N-th of B, against all of them.
 *                           High parallelism: at least 25 %; limited: less.
 *     memory slowdown     = T at half the memory bandwidth / T.
 *                           Memory-intensive: 1.25 and more (a loss of over 20 %).
 *
 * Miss ratios are those of the whole machine for one SM as well. Source of the classes: MCM-GPU,
 * ISCA 2017, sections 2 and 4; of the bounds: ours. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mcm/supply.h"

enum { WARP = 32 };

/* Plain numbers: all of them decide the stream, so that they are structural anyway. */
struct occupancy {
    double sms, blocks, warps; /* that launches run on; of a launch; of a block, 0: unknown */
    double busiest;            /* u */
    double shared, alone;      /* resident warps of the busiest SM, of an only one */
};

static double number(struct model_builder *b, const char *path)
{
    struct error ignored;
    double value;
    return machine_number(model_machine(b), path, &value, &ignored) ? 1 : value;
}

/* Warps of `blocks` thread blocks that one SM holds at a time. */
static double resident(struct model_builder *b, double blocks, double warps)
{
    double limit = number(b, "sm.warps");
    if (warps == 0)
        return limit;
    double held = fmin(number(b, "sm.ctas"), floor(limit / warps));
    held = fmin(held, floor(number(b, "sm.threads") / (warps * WARP)));
    return fmin(limit, fmax(1, fmin(blocks, held)) * warps);
}

static struct occupancy occupancy_read(struct model_builder *b)
{
    const struct profile_record *record = model_profile_record(b);
    double threads = (double)record->block[0] * record->block[1] * record->block[2];
    double launches = record->launches ? (double)record->launches : 1;
    double given = number(b, "cta.chips"), chips = given > 0 ? given : number(b, "chips");
    struct occupancy o = {.sms = chips * number(b, "sm.per_chip"),
                          .blocks = fmax(1, record->fields[FIELD_CTAS] / launches),
                          .warps = ceil(threads / WARP)};
    double most = ceil(o.blocks / o.sms);
    o.busiest = most / o.blocks;
    o.shared = resident(b, most, o.warps);
    o.alone = resident(b, o.blocks, o.warps);
    return o;
}

/* Of one request, without queues; s. */
static int latency(struct model_builder *b, const struct mcm_supply *s)
{
    const struct system *system = model_system(b, 0);
    char path[128];
    struct term_graph *g = model_graph(b);
    int two = model_constant(b, "there and back", 2, DIM_NONE);
    int home = term_sum(g, "home", model_latency(b, "llc.latency"),
                        term_product(g, NULL, s->miss, model_latency(b, "memory.latency")));
    int all = term_sum(g, "latency", term_product(g, NULL, two, model_parameter(b, "noc.latency")),
                       term_product(g, NULL, s->pass, home));
    if (s->links.chips > 1)
        all = term_sum(g, "latency", all,
                       term_product(g, NULL, s->cross, model_way_latency(b, &s->links.way, 2)));
    for (uint32_t i = 0; i < system_between(system); i++) {
        const char *level = system_level(system, i)->name;
        int lookups =
            term_quotient(g, "lookups per request", model_level_field(b, level, LEVEL_LOOKUPS),
                          model_field(b, FIELD_REQUESTS));
        snprintf(path, sizeof path, "%s.latency", level);
        all = term_sum(g, "latency", all, term_product(g, NULL, lookups, model_latency(b, path)));
    }
    return all;
}

/* Bytes over the time in which the busiest SM, which has that share of the work and `warps`
 * resident, issues it and waits for it; and what the modules supply. */
static int bandwidth(struct model_builder *b, double share, double warps, int wait, int supply)
{
    struct term_graph *g = model_graph(b);
    int part = model_constant(b, "busiest SM", share, DIM_NONE);
    int bytes = model_field(b, FIELD_BYTES);
    int instructions = term_product(g, NULL, model_field(b, FIELD_WARP_INSTRUCTIONS), part);
    int requests = term_product(g, NULL, model_field(b, FIELD_REQUESTS), part);
    int resident_warps = model_constant(b, "resident warps", warps, DIM_NONE);
    int flight = term_min(g, "in flight",
                          term_product(g, NULL, resident_warps, model_accesses_under_way(b, 0)),
                          model_parameter(b, "l1.mshrs"));
    int issue = term_quotient(g, "I*u/i", instructions, model_parameter(b, "sm.issue"));
    int waiting = term_quotient(g, "R*u*t/k", term_product(g, NULL, requests, wait), flight);
    return term_min(g, "bytes/T", supply,
                    term_resource(g, term_quotient(g, "issue", bytes, issue), "issue"),
                    term_resource(g, term_quotient(g, "waiting", bytes, waiting), "latency"));
}

/* Hand-made profiles say no more than rates, as a rule: then this model does not apply. */
static void refuse_unknown_kernels(struct model_builder *b)
{
    static const enum profile_field needed[] = {FIELD_CTAS, FIELD_WARP_INSTRUCTIONS, FIELD_REQUESTS,
                                                FIELD_BYTES};
    const struct profile_record *record = model_profile_record(b);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (isnan(record->fields[needed[i]]))
            model_refuse(b, "the profile does not say %s (%s)", profile_field_row(needed[i])->path,
                         profile_field_row(needed[i])->help);
}

static void parallelism_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct mcm_supply full, half;
    int memory = model_total(b, "total.memory_bandwidth");
    int fifty = model_constant(b, "half", 0.5, DIM_NONE);
    refuse_unknown_kernels(b);
    struct occupancy o = occupancy_read(b);
    mcm_supply_build(b, memory, &full);
    mcm_supply_build(b, term_product(g, NULL, memory, fifty), &half);
    int wait = latency(b, &full);
    int sms = model_constant(b, "N", o.sms, DIM_NONE);
    int all = bandwidth(b, o.busiest, o.shared, wait, full.bandwidth);
    int slow = bandwidth(b, o.busiest, o.shared, wait, half.bandwidth);
    int one = bandwidth(b, 1, o.alone, wait, term_quotient(g, "B/N", full.bandwidth, sms));
    model_set_metric(b, "effective_bandwidth", all);
    model_set_metric(b, "parallel_efficiency",
                     term_quotient(g, "T_1/(N*T)", all, term_product(g, NULL, sms, one)));
    model_set_metric(b, "memory_slowdown", term_quotient(g, "T_half/T", all, slow));
    model_set_metric(b, "unloaded_latency", wait);
    model_set_metric(b, "link_share", full.cross);
    model_set_metric(b, "llc_hit_rate",
                     term_difference(g, "h", model_constant(b, NULL, 1, DIM_NONE), full.miss));
    model_set_stream(b, "all", all);
}

static const struct model_metric parallelism_metrics[] = {
    {"parallel_efficiency", IN_PLAIN, COMBINE_TIME,
     "speed-up over one SM with its share of the machine, over the SMs: high from 25 %"},
    {"memory_slowdown", IN_PLAIN, COMBINE_TIME,
     "time at half the memory bandwidth over time: memory-intensive from 1.25"},
    {"unloaded_latency", IN_SECONDS, COMBINE_MEAN, "of a request, without queues"},
    {"link_share", IN_PLAIN, COMBINE_MEAN, "requests that go to another module, of all"},
    {"llc_hit_rate", IN_PLAIN, COMBINE_MEAN, "hit rate of the LLC (L2)"},
    {.name = NULL},
};

static const struct model_source parallelism_sources[] = {MCM_SUPPLY_SOURCES,
                                                          {"bytes/T", "ours", NULL},
                                                          {"issue", "ours", "bytes*i/(I*u)"},
                                                          {"waiting", "ours", "bytes*k/(R*u*t)"},
                                                          {NULL, NULL, NULL}};

const struct model model_parallelism = {
    .plugin = {"model", "parallelism", "issue, latency or supply: MCM-GPU's classes of workloads",
               "MCM-GPU, ISCA 2017, sections 2 and 4 (classes); bounds: ours", NULL},
    .sources = parallelism_sources,
    .answer = "bottleneck at the given mix",
    .validity = "as link; kernels that keep their miss ratios when SMs or memory bandwidth change; "
                "no queues, no barriers, thread blocks of equal work",
    .counts = MODEL_COUNTS_LINK_MESSAGES,
    .machine = "mcm-optimised",
    .page = "T = max( I u / i , R u t / k , bytes / B )\n\n"
            "I/i  warp instructions over the issue rate of an SM\n"
            "u    share of the busiest SM: ceil(blocks / SMs) / blocks\n"
            "R    requests; t: their latency without queues; k: in flight in an SM,\n"
            "     min(resident warps * loads that a warp asks for at a time, l1.mshrs)\n"
            "B    supply over the links, as in the model link\n"
            "parallel_efficiency = T_1 / (SMs T): T_1 of one SM with its share of B\n"
            "memory_slowdown     = T at half the memory bandwidth / T",
    .metrics = parallelism_metrics,
    .build = parallelism_build,
};
