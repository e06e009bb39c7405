/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The designs of DualOpt (PACT 2022) as terms.
 *
 *     time = max over resources of  load / capacity
 *     BW   = bytes of the work / time
 *
 *     resource  load                                             capacity
 *     inter     flit * flits of all messages that cross it       of the hottest directed edge
 *     llc       line * (home - merged)                           B_LLC * LSU
 *     rdma      line * lookups of the RDMA cache                 C * B_rdma
 *     memory    line * m * home                                  B_memory
 *     noc       wire * (requests + remote - 2 merged)            B_intra
 *     mshrs     latency of all reads that miss L1, and not       SMs * min(warps * loads at a time,
 *               those past it                                              MSHRs)
 *     bypass    latency of the latter                            SMs * min(warps * loads at a time,
 *     buffer                                                               bypass buffer)
 *     warps     latency of both                                  SMs * warps * loads at a time
 *
 * of the busiest GPU, by the traffic matrix.
 *
 *     home      requests that reach an L2, write-backs too; remote: those of another GPU
 *     merged    remote reads that ride on one under way: remote reads - sent
 *     m         miss ratio of the L2; of memory's time what both exchange: misses of reads, dirty
 *               data written home
 *
 * Edges are loaded by shortest-path routing over the traffic matrix: requests and written lines
 * from requester to home, replies and acknowledgements back. Flits of messages,
 * F(x) = ceil(overhead x / flit), with the sizes of the section inter:
 *     remote read   request F(read_request), reply F(read_response + line);
 *                   fine-grained: p replies F(header + g + id);
 *                   coalescing: p / n packets of n pieces, F(header + n (g + id))
 *     remote write  F(write_request + line), acknowledgement F(write_response)
 *     page moved    page / line writes
 * header: dualopt.header, else read_response. */
#include "dualopt/designs.h"

#include <math.h>
#include <stdio.h>

#include "mcm/fabric.h"
#include "resources/places.h"
#include "dualopt/limits.h"
#include "dualopt/packets.h"
#include "dualopt/vain.h"

const char *const dualopt_design_names[DUALOPT_DESIGNS] = {
    [BASELINE] = "baseline",     [BYPASS] = "bypass",   [FINE_GRAINED] = "fine-grained",
    [COALESCING] = "coalescing", [RDMA_CACHE] = "rdma",
};

enum dualopt_variant dualopt_variant_of(enum dualopt_design design)
{
    return design == BASELINE ? AS_IT_IS : design == RDMA_CACHE ? WITH_RDMA_CACHE : L1_BYPASSED;
}

struct counts {
    int l1_hits, local_reads, remote_reads; /* read accesses; the last at the links */
    int rdma_hits, rdma_lookups;            /* reads; requests */
    int sent, pieces;                       /* remote reads after merging; -1: no pieces */
    int remote_writes;                      /* atomics, write-backs, lines of moved pages too */
    int requests, home, home_remote;
};

struct build {
    struct model_builder *b;
    struct term_graph *g;
    enum dualopt_design design;
    bool linked;             /* more than one GPU */
    int zero, line, granule; /* granule: bytes of a piece */
    struct counts counts;
    int miss, traffic; /* of the L2; what it and memory exchange per request there */
    struct mcm_fabric fabric;
    int flit; /* bytes */
    struct {
        int read_request, read_response, write_request, write_response;
    } messages;            /* flits */
    int piece;             /* with its id, bytes */
    int header, increment; /* of a packet: flits of the header, of a piece */
    int fill, vain;        /* pieces in a packet; share of requests that wait in vain */
    int flits;             /* of all messages */
    int links_time, other_time;
    struct dualopt_terms out;
};

/* --- small terms ---------------------------------------------------------------------- */

/* a / b, and 0 where b is 0: what nothing is asked for. */
static int ratio(struct model_builder *b, const char *name, int a, int c)
{
    struct term_graph *g = model_graph(b);
    int quotient = term_quotient(g, NULL, a, c);
    int nothing = model_constant(b, NULL, 0, term_get(g, quotient)->dim);
    int none = model_constant(b, NULL, 0, term_get(g, c)->dim);
    int some = term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){c, none});
    return term_operation(g, EXPRESSION_IF, name, 3, (int[]){some, quotient, nothing});
}

static int number(const struct build *d, double value)
{
    return model_constant(d->b, NULL, value, DIM_NONE);
}

/* Flits of a message of the links. */
static int message_flits(const struct build *d, const char *what, int data)
{
    return term_quotient(d->g, what, model_message(d->b, "inter", what, data), d->flit);
}

/* --- what the profile says -------------------------------------------------------------- */

static int sent_field(struct build *d, int granule_bytes)
{
    char sent[32], pieces[32];
    snprintf(sent, sizeof sent, "remote.sent_%d", granule_bytes);
    snprintf(pieces, sizeof pieces, "remote.sent_pieces_%d", granule_bytes);
    d->counts.pieces = model_field_named(d->b, pieces);
    return model_field_named(d->b, sent);
}

/* Lines of pages that a placement moved, as writes. */
static int moved_lines(const struct build *d)
{
    double moves = model_profile_record(d->b)->fields[FIELD_PAGE_MOVES];
    if (isnan(moves) || moves == 0)
        return d->zero;
    int lines = term_quotient(d->g, NULL, model_parameter(d->b, "page.size"), d->line);
    return term_product(d->g, "lines of moved pages", model_field(d->b, FIELD_PAGE_MOVES), lines);
}

static void read_counts(struct build *d)
{
    struct model_builder *b = d->b;
    struct counts *c = &d->counts;
    int home_reads, all;
    model_select(b, AS_IT_IS);
    all = model_field(b, FIELD_HOME_REMOTE_READS);
    model_select(b, (int)dualopt_variant_of(d->design));
    home_reads = model_field(b, FIELD_HOME_READS);
    c->l1_hits = model_field(b, FIELD_L1_READ_HITS);
    c->remote_reads = model_field(b, FIELD_HOME_REMOTE_READS);
    c->local_reads = term_difference(d->g, "local reads", home_reads, c->remote_reads);
    c->requests = model_field(b, FIELD_REQUESTS);
    c->home = model_field(b, FIELD_HOME_REQUESTS);
    c->home_remote = model_field(b, FIELD_HOME_REMOTE_REQUESTS);
    c->sent = c->remote_reads;
    c->pieces = -1;
    c->rdma_hits = c->rdma_lookups = d->zero;
    if (d->design == BYPASS)
        c->sent = model_field_named(b, "remote.sent_lines");
    if (d->design == FINE_GRAINED || d->design == COALESCING)
        c->sent = sent_field(d, d->granule);
    if (d->design == RDMA_CACHE) { /* the L1s' misses are those of the machine as it is */
        c->rdma_hits = term_difference(d->g, "reads that hit", all, c->remote_reads);
        c->rdma_lookups = model_level_field(b, "rdma", LEVEL_LOOKUPS);
    }
    int writes = term_difference(d->g, NULL, c->home_remote, c->remote_reads);
    c->remote_writes = term_sum(d->g, "remote writes", writes, moved_lines(d));
}

/* --- the L2 --------------------------------------------------------------------------- */

/* The L2, or what is left of it beside the RDMA cache. */
static void read_l2(struct build *d, bool shrunk)
{
    struct model_builder *b = d->b;
    if (!shrunk || model_profile_record(b)->n_curves == 0) {
        d->miss = model_miss_ratio(b, "llc");
        d->traffic = model_memory(b, "llc").moved;
        return;
    }
    struct model_cache cache = {.scope = "chip", .side = "home", .filter = "all"};
    int rest = term_difference(d->g, "L2 that is left", model_parameter(b, "llc.capacity"),
                               model_parameter(b, "dualopt.rdma_capacity"));
    cache.ways = model_parameter(b, "llc.ways");
    cache.capacity = term_max(d->g, NULL, rest, term_product(d->g, NULL, cache.ways, d->line));
    d->miss = model_cache_miss_ratio(b, &cache);
    d->traffic = model_cache_memory(b, &cache, "llc").moved;
}

/* --- messages ---------------------------------------------------------------------------- */

static double fill_function(const void *context, const double *args)
{
    struct packet_balance balance = {.others = args[0],
                                     .links = args[1],
                                     .pieces = args[2],
                                     .waiting = args[3],
                                     .capacity = args[4],
                                     .header = args[5],
                                     .piece = args[6]};
    (void)context;
    return packet_balance_fill(&balance);
}

static double flits_function(const void *context, const double *args)
{
    (void)context;
    return packet_flits(args[0], args[1], args[2]);
}

static double wait_function(const void *context, const double *args)
{
    (void)context;
    return packet_wait(args[0], args[1], args[2]);
}

/* args: timeout, in cycles; remote.vain_10, _30, _50 over remote.sent_4 as context. */
static double vain_function(const void *context, const double *args)
{
    return vain_share(context, args[0]);
}

/* Of the requests that are sent, those that wait for the whole timeout and nobody comes; by the
 * run's order where the profile knows it. */
static int vain_waits_share(struct build *d)
{
    static const char *const paths[VAIN_TIMEOUTS] = {"remote.vain_10", "remote.vain_30",
                                                     "remote.vain_50"};
    const double *fields = model_profile_record(d->b)->fields;
    double sent = fields[model_field_number(d->b, "remote.sent_4")];
    double *shares = arena_alloc(model_arena(d->b), VAIN_TIMEOUTS * sizeof *shares);
    for (int t = 0; t < VAIN_TIMEOUTS; t++) {
        shares[t] = fields[model_field_number(d->b, paths[t])] / sent;
        if (!isfinite(shares[t])) /* unknown, or nothing is sent */
            return d->zero;
    }
    int cycles = term_product(d->g, NULL, model_parameter(d->b, "dualopt.timeout"),
                              model_parameter(d->b, "sm.clock"));
    return term_call(d->g, "waits in vain", DIM_NONE, vain_function, shares, 1, &cycles);
}

/* Not given: that of a reply. */
static int packet_header(const struct build *d)
{
    struct error ignored;
    double header;
    bool given = machine_number(model_machine(d->b), "dualopt.header", &header, &ignored) == 0;
    return model_parameter(d->b, given ? "dualopt.header" : "inter.read_response");
}

/* Of a message that may end within a flit. */
static int part_flits(const struct build *d, int bytes)
{
    int wire = term_product(d->g, NULL, bytes, model_parameter(d->b, "inter.overhead"));
    return term_quotient(d->g, NULL, wire, d->flit);
}

static void read_links(struct build *d)
{
    mcm_fabric_read(d->b, &d->fabric);
    d->messages.read_request = message_flits(d, "read_request", -1);
    d->messages.read_response = message_flits(d, "read_response", d->line);
    d->messages.write_request = message_flits(d, "write_request", d->line);
    d->messages.write_response = message_flits(d, "write_response", -1);
    if (d->counts.pieces < 0)
        return;
    d->header = part_flits(d, packet_header(d));
    d->increment = part_flits(d, d->piece);
}

/* Seconds that so many flits keep an edge busy: sent home, -1 for none, and sent back. */
static int edge_time(const struct build *d, const struct mcm_busy_edge *edge, int there, int back)
{
    struct term_graph *g = d->g;
    int unit = edge->own ? model_constant(d->b, "listed links", 1, DIM_BYTES_PER_S)
                         : model_parameter(d->b, "inter.link_bandwidth");
    int crossing = term_product(g, NULL, number(d, edge->back), back);
    if (there >= 0)
        crossing =
            term_sum(g, NULL, term_product(g, NULL, number(d, edge->there), there), crossing);
    return term_product(g, NULL, crossing, term_quotient(g, "seconds a flit", d->flit, unit));
}

/* Of the hottest edge. */
static int links_time(const struct build *d, int there, int back)
{
    int *times = arena_alloc(model_arena(d->b), (d->fabric.count + 1) * sizeof *times);
    times[d->fabric.count] = model_constant(d->b, NULL, 0, DIM_SECONDS);
    for (size_t i = 0; i < d->fabric.count; i++)
        times[i] = edge_time(d, &d->fabric.edges[i], there, back);
    return term_operation(d->g, EXPRESSION_MAX, "time of the hottest link",
                          (int)d->fabric.count + 1, times);
}

static int packet_limit(const struct build *d)
{
    int pieces = term_operation(
        d->g, EXPRESSION_FLOOR, NULL, 1,
        (int[]){term_quotient(d->g, NULL, model_parameter(d->b, "dualopt.payload"), d->piece)});
    int bound = term_min(d->g, NULL, pieces, model_parameter(d->b, "dualopt.buffer"));
    return term_max(d->g, "pieces a packet holds", bound, number(d, 1));
}

/* Pieces for one destination during the timeout, were the run a second long. */
static int pieces_waiting(const struct build *d)
{
    struct error ignored;
    double chips = 2;
    machine_number(model_machine(d->b), "chips", &chips, &ignored);
    int pairs = model_constant(d->b, "pairs of GPUs", chips * (chips - 1), DIM_NONE);
    return term_product(d->g, "waiting", term_quotient(d->g, NULL, d->counts.pieces, pairs),
                        model_parameter(d->b, "dualopt.timeout"));
}

/* Flits of a packet with so many pieces (a term), mean. */
static int packets(const struct build *d, int fill)
{
    return term_call(d->g, "flits of a packet", DIM_NONE, flits_function, NULL, 3,
                     (int[]){fill, d->header, d->increment});
}

/* Pieces in a packet, with the time that the hottest edge takes; `there`, `back`: flits of all
 * other messages. With fewer pieces than its own balance has an edge is so early that packets hold
 * more. The hottest edge asks for the least of all, so the least balance is that of all edges. */
static int balanced_fill(const struct build *d, int there, int back)
{
    size_t count = d->fabric.count;
    int *fills = arena_alloc(model_arena(d->b), (count + 1) * sizeof *fills);
    int limit = packet_limit(d);
    fills[count] = limit;
    for (size_t i = 0; i < count; i++) {
        const struct mcm_busy_edge *edge = &d->fabric.edges[i];
        int args[] = {d->other_time,
                      edge_time(d, edge, there, back),
                      edge_time(d, edge, -1, d->counts.pieces),
                      pieces_waiting(d),
                      limit,
                      d->header,
                      d->increment};
        fills[i] = term_call(d->g, NULL, DIM_NONE, fill_function, NULL, 7, args);
    }
    return term_operation(d->g, EXPRESSION_MIN, "pieces in a packet", (int)count + 1, fills);
}

/* Flits of all replies to remote reads. */
static int reply_flits(struct build *d, int there, int back)
{
    const struct counts *c = &d->counts;
    d->fill = d->zero;
    if (c->pieces < 0)
        return term_product(d->g, "replies", c->sent, d->messages.read_response);
    d->fill = d->design == COALESCING ? balanced_fill(d, there, back) : number(d, 1);
    return term_product(d->g, "replies", term_quotient(d->g, NULL, c->pieces, d->fill),
                        packets(d, d->fill));
}

static void count_flits(struct build *d)
{
    const struct counts *c = &d->counts;
    int there = term_sum(d->g, "flits to homes",
                         term_product(d->g, "read requests", c->sent, d->messages.read_request),
                         term_product(d->g, "writes", c->remote_writes, d->messages.write_request));
    int written =
        term_product(d->g, "acknowledgements", c->remote_writes, d->messages.write_response);
    int back = term_sum(d->g, "flits from homes", written, reply_flits(d, there, written));
    d->flits = term_sum(d->g, "flits", there, back);
    d->links_time = links_time(d, there, back);
}

/* --- latency ------------------------------------------------------------------------------ */

struct latencies {
    int l1, local, rdma;     /* of a hit in L1, a local read, a hit in the RDMA cache */
    int before, link, after; /* of a remote read */
    int remote;              /* their sum */
};

/* Messages on a link, and the wait for others to share a packet with. */
static int link_latency(struct build *d)
{
    struct model_builder *b = d->b;
    const struct counts *c = &d->counts;
    if (!d->linked)
        return model_constant(b, NULL, 0, DIM_SECONDS);
    double hops = model_mean_hops(b);
    int command = d->messages.read_request, reply = d->messages.read_response;
    int wait = model_constant(b, NULL, 0, DIM_SECONDS);
    if (d->design == FINE_GRAINED) /* the last of its packets counts */
        reply = term_product(d->g, NULL, ratio(b, "pieces of a read", c->pieces, c->sent),
                             packets(d, d->fill));
    if (d->design == COALESCING) {
        int timeout = model_parameter(b, "dualopt.timeout");
        int time = term_max(d->g, NULL, d->other_time, d->links_time);
        int arrivals = term_quotient(d->g, "arrivals", pieces_waiting(d), time);
        int share = term_call(d->g, NULL, DIM_NONE, wait_function, NULL, 3,
                              (int[]){packet_limit(d), arrivals, d->fill});
        d->vain = vain_waits_share(d);
        share = term_sum(
            d->g, NULL, d->vain,
            term_product(d->g, NULL, term_difference(d->g, NULL, number(d, 1), d->vain), share));
        wait = term_product(d->g, "wait in the packet", share, timeout);
        reply = packets(d, d->fill);
    }
    int bytes = term_product(d->g, NULL, term_sum(d->g, NULL, command, reply), d->flit);
    int serial = term_quotient(d->g, NULL, bytes, model_parameter(b, "inter.link_bandwidth"));
    return term_sum(d->g, "link", model_links_latency(b, 2),
                    term_product(d->g, NULL, number(d, hops), serial), wait);
}

static struct latencies read_latencies(struct build *d)
{
    struct model_builder *b = d->b;
    struct latencies l;
    int noc = model_parameter(b, "noc.latency"), l2 = model_latency(b, "llc.latency");
    int memory = term_product(d->g, NULL, d->miss, model_latency(b, "memory.latency"));
    l.l1 = model_parameter(b, "l1.latency");
    l.local = term_sum(d->g, "local read", l.l1, noc, noc, l2, memory);
    l.before = term_sum(d->g, "before the link", l.l1, noc);
    l.rdma = model_constant(b, NULL, 0, DIM_SECONDS);
    if (d->design == RDMA_CACHE) {
        int rdma = model_latency(b, "rdma.latency");
        l.rdma = term_sum(d->g, "hit in the RDMA cache", l.l1, noc, noc, rdma);
        l.before = term_sum(d->g, "before the link", l.before, rdma);
    }
    l.link = link_latency(d);
    l.after = term_sum(d->g, "after the link", noc, noc, noc, l2, memory);
    l.remote = term_sum(d->g, "remote read", l.before, l.link, l.after);
    return l;
}

static void set_latencies(struct build *d, const struct latencies *l, int in_flight, int time)
{
    const struct counts *c = &d->counts;
    int *out = d->out.of;
    int all =
        term_sum(d->g, "read accesses", c->l1_hits, c->local_reads, c->rdma_hits, c->remote_reads);
    int hits = term_product(d->g, NULL, c->l1_hits, l->l1);
    int near = term_sum(d->g, NULL, hits, term_product(d->g, NULL, c->local_reads, l->local),
                        term_product(d->g, NULL, c->rdma_hits, l->rdma));
    int share = ratio(d->b, "remote reads", c->remote_reads, all);
    out[LATENCY_LOCAL] = ratio(d->b, "local part", near, all);
    out[LATENCY_BEFORE] = term_product(d->g, "part before the link", share, l->before);
    out[LATENCY_LINK] = term_product(d->g, "part in the link", share, l->link);
    out[LATENCY_AFTER] = term_product(d->g, "part after the link", share, l->after);
    out[MEMORY_LATENCY] = term_sum(d->g, "mean latency", out[LATENCY_LOCAL], out[LATENCY_BEFORE],
                                   out[LATENCY_LINK], out[LATENCY_AFTER]);
    out[LOADED_LATENCY] =
        ratio(d->b, "latency with all MSHRs busy",
              term_sum(d->g, NULL, hits, term_product(d->g, NULL, in_flight, time)), all);
    out[REMOTE_LATENCY] = l->remote;
}

/* --- time ----------------------------------------------------------------------------------- */

static int lines_time(const struct build *d, const char *name, int lines, int bandwidth)
{
    return term_quotient(d->g, name, term_product(d->g, NULL, lines, d->line), bandwidth);
}

/* Messages on crossbars: of all requests on their own GPU's, of remote ones on the home's; neither
 * for reads that ride on one under way. */
static void limit_crossbars(const struct build *d, struct dualopt_limits *limits, int merged)
{
    struct model_builder *b = d->b;
    const struct counts *c = &d->counts;
    int less = term_difference(d->g, NULL, d->zero, merged);
    struct model_wire all = model_wire_load(b, "noc", model_read_share(b), d->line);
    struct model_wire remote = model_wire_load(b, "noc", model_remote_read_share(b), d->line);
    struct model_wire read = model_wire_load(b, "noc", 1, d->line);
    struct place_crossing parts[] = {{c->requests, all, SHARE_ASKED},
                                     {less, read, SHARE_SENT},
                                     {c->home_remote, remote, SHARE_HOMED},
                                     {less, read, SHARE_HOMED}};
    struct place_wire load = places_crossings(b, 4, parts);
    int noc = places_crossbars(b);
    dualopt_limit_add(limits, "noc", lines_time(d, "time of the noc", load.there, noc));
    if (load.back >= 0)
        dualopt_limit_add(limits, "noc reply", lines_time(d, "time of replies", load.back, noc));
}

/* All but the links. */
static void limits_read(struct build *d, struct dualopt_limits *limits)
{
    struct model_builder *b = d->b;
    const struct counts *c = &d->counts;
    int merged = term_difference(d->g, "merged", c->remote_reads, c->sent);
    int home_local = term_difference(d->g, "home, local", c->home, c->home_remote);
    struct place_load misses[] = {
        {term_product(d->g, NULL, d->traffic, home_local), SHARE_LOCAL},
        {term_product(d->g, NULL, d->traffic, c->home_remote), SHARE_HOMED}};
    struct place_load lookups = {c->rdma_lookups, SHARE_SENT};
    dualopt_limit_issue(b, limits);
    limit_crossbars(d, limits, merged);
    dualopt_limit_add(
        limits, "llc",
        lines_time(d, "time of the L2", term_difference(d->g, NULL, c->home, merged),
                   term_product(d->g, "B_LLC*LSU", model_total(b, "total.llc_bandwidth"),
                                model_slice_uniformity(b, "llc"))));
    dualopt_limit_add(limits, "memory",
                      lines_time(d, "time of memory", places_busiest(b, 2, misses),
                                 model_total(b, "total.memory_bandwidth")));
    if (d->design == RDMA_CACHE)
        dualopt_limit_add(limits, "rdma",
                          lines_time(d, "time of the RDMA cache", places_busiest(b, 1, &lookups),
                                     term_product(d->g, NULL, model_parameter(b, "chips"),
                                                  model_parameter(b, "rdma.bandwidth"))));
}

/* Remote reads past L1 take none of its MSHRs. */
static bool is_past_l1(enum dualopt_design design)
{
    return design == BYPASS || design == FINE_GRAINED || design == COALESCING;
}

/* Little's law: seconds that reads spend beyond L1 hits, of the busiest GPU over the mean of all,
 * over as many as may be under way: in L1's MSHRs, past L1, of all warps. Returns what may be under
 * way in all. */
static int limit_flights(const struct build *d, const struct latencies *l,
                         struct dualopt_limits *limits)
{
    struct model_builder *b = d->b;
    const struct counts *c = &d->counts;
    int sms = model_total(b, "total.sms"), mshrs = model_parameter(b, "l1.mshrs");
    int warps =
        term_product(d->g, NULL, model_parameter(b, "sm.warps"), model_accesses_under_way(b, 0));
    struct place_load parts[] = {{term_product(d->g, NULL, c->local_reads, l->local), SHARE_LOCAL},
                                 {term_product(d->g, NULL, c->rdma_hits, l->rdma), SHARE_SENT},
                                 {term_product(d->g, NULL, c->sent, l->remote), SHARE_SENT}};
    int near = places_busiest(b, 2, parts), far = places_busiest(b, 1, &parts[2]);
    int all = places_busiest(b, 3, parts);
    int missing = term_product(d->g, "in flight", sms, term_min(d->g, NULL, warps, mshrs));
    bool past = is_past_l1(d->design);
    dualopt_limit_add(limits, "mshrs",
                      term_quotient(d->g, "time of the MSHRs", past ? near : all, missing));
    if (!past)
        return missing;
    int passing = model_parameter(b, "l1.bypass_buffer");
    dualopt_limit_add(
        limits, "bypass buffer",
        term_quotient(d->g, "time past L1", far,
                      term_product(d->g, NULL, sms, term_min(d->g, NULL, warps, passing))));
    dualopt_limit_add(
        limits, "warps",
        term_quotient(d->g, "time of warps", all, term_product(d->g, NULL, sms, warps)));
    int places = term_min(d->g, NULL, warps, term_sum(d->g, NULL, mshrs, passing));
    int some = term_operation(d->g, EXPRESSION_GREATER, NULL, 2,
                              (int[]){far, model_constant(b, NULL, 0, DIM_SECONDS)});
    return term_operation(d->g, EXPRESSION_IF, "in flight", 3,
                          (int[]){some, term_product(d->g, NULL, sms, places), missing});
}

/* --- all of it ---------------------------------------------------------------------------- */

static void read_parameters(struct build *d)
{
    struct model_builder *b = d->b;
    struct error ignored;
    double chips = 1;
    machine_number(model_machine(b), "chips", &chips, &ignored);
    d->linked = chips > 1;
    d->zero = d->vain = number(d, 0);
    d->line = model_parameter(b, "line");
    d->granule = (int)model_switch(b, "dualopt.granularity");
    d->piece = term_sum(d->g, "piece", model_constant(b, "granularity", d->granule, DIM_BYTES),
                        model_parameter(b, "dualopt.id"));
    d->flit = d->linked ? model_flit(b, "inter") : model_constant(b, NULL, 1, DIM_BYTES);
}

static void set_rates(struct build *d)
{
    struct model_builder *b = d->b;
    int *out = d->out.of;
    out[PACKET_FILL] = d->fill;
    out[VAIN_WAITS] = d->vain;
    out[FABRIC_BYTES] = term_product(d->g, "bytes on the links", d->flits, d->flit);
    out[LLC_HIT_RATE] = term_difference(d->g, "h", number(d, 1), d->miss);
    out[RDMA_HIT_RATE] = d->zero;
    if (d->design == RDMA_CACHE)
        out[RDMA_HIT_RATE] = ratio(b, "RDMA cache hits", model_level_field(b, "rdma", LEVEL_HITS),
                                   d->counts.rdma_lookups);
    int all = model_field_named(b, "remote.edge_requests");
    out[POTENTIAL] = ratio(b, "potential", model_field_named(b, "remote.edge_outstanding"), all);
    out[POTENTIAL_BOUNDED] =
        ratio(b, "potential, bounded", model_field_named(b, "remote.edge_buffered"), all);
}

struct dualopt_terms dualopt_design_build(struct model_builder *b, enum dualopt_design design,
                                          bool shrunk, int bytes)
{
    struct build d = {.b = b, .g = model_graph(b), .design = design};
    struct dualopt_limits limits = {.count = 0};
    read_parameters(&d);
    read_counts(&d);
    read_l2(&d, shrunk || design == RDMA_CACHE);
    limits_read(&d, &limits);
    d.other_time = term_operation(d.g, EXPRESSION_MAX, NULL, limits.count, limits.times);
    d.flits = d.fill = d.zero;
    if (d.linked) {
        read_links(&d);
        count_flits(&d);
        dualopt_limit_add(&limits, "inter", d.links_time);
    }
    struct latencies latencies = read_latencies(&d);
    int in_flight = limit_flights(&d, &latencies, &limits);
    int *out = d.out.of;
    out[BANDWIDTH] = dualopt_limits_bandwidth(b, &limits, dualopt_design_names[design], bytes);
    set_rates(&d);
    set_latencies(&d, &latencies, in_flight, term_quotient(d.g, "time", bytes, out[BANDWIDTH]));
    return d.out;
}
