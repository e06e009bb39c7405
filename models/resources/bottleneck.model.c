/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fixed-mix bound: every requested byte takes its share of every resource,
 * so the slowest resource throttles all streams together.
 *
 *     BW = min over resources of  capacity / (bytes it moves per requested byte)
 *
 *     resource   capacity        memory-side        SM-side
 *     noc        B_intra         w + w q            w, SAC's w + 2 w t R_remote
 *     llc        B_LLC * LSU     p                  1
 *     llc write  its own * LSU   those that write (llc.write_bandwidth; resources/writes.h)
 *     inter      hottest link    w q                w t R_remote
 *     crossing   its bandwidth   q                  a R_remote, dirty data home
 *     memory     B_mem           t p                t
 *     l2, l15,   its bandwidth   lookups per        -
 *     rdma                       request
 *     nodes,     DC-L1's ports   as in the model dcl1, at the nodes of all chips
 *     noc1, noc2
 *     walkers    walkers * line / walk lines of walks per byte, of page tables
 *     dispatch   dispatchers * rate    warps that begin (cta.warps)
 *
 *     t   what the LLC and memory exchange per request that looks it up: misses of reads and
 *         atomics, dirty data written home while the launch runs and at its end (model_memory);
 *         and turns between reads and writes, where they take time (model_memory_turns); SM-side
 *         of local and remote lines each (model_side_reads)
 *     a   misses of the own partition's slices, which ask the home's (crossing; model_llc_read):
 *         they come over it, into the busiest partition, and look up slices once more
 *     p   requests that reach the home, per request of the SMs
 *     q   those that reach it from another domain
 *     w   bytes on the wire for a byte of a request, from the messages of noc and inter
 *
 * Reads send a request and get the data, writes send them and get an acknowledgement, with headers
 * and in whole flits where the machine gives them; w is 1 where messages are data alone. With
 * noc.directions separate each direction is a resource (noc reply).
 *
 * Of chips that are not alike the busiest one counts: loads are those of the traffic matrix, over
 * the mean of all chips, of requesters (noc, levels), of homes (memory), of both (noc). Of links it
 * is the hottest directed edge, by shortest-path routing, as in the model link; of slices, LSU over
 * those of the system. Without a matrix chips are alike.
 *
 * Without levels before the LLC p = 1 and q = R_remote; with them both are counted by the
 * profiler, which simulates those levels exactly. A level that states no bandwidth sets no limit
 * of its own. They stand on the requester's side, in front of the home's LLC: machines that put
 * them in front of an SM-side LLC are refused, as that LLC's curve is of the stream before them.
 *
 * Memory-side, a remote request crosses two crossbars, the requester's and the
 * home's; SM-side misses have a network of their own, but for SAC in SM-side mode
 * (noc.misses: shared), where remote ones cross both crossbars. With split ways
 * (static, dynamic; sac/llc.h) remote requests look up their requester's slices, and a share x of
 * them goes on, over both crossbars and the links, to look up the home's. Under hardware coherence
 * a write sends an invalidation (bottleneck.invalidation) to every other chip that may hold the
 * line, and so it does under levels before the LLC: a lower bound. Pages that a placement moves or
 * copies cross the links once and take their bytes of memory twice, between all chips alike; what
 * page walks read of memory is beside the misses, and crosses links where tables are elsewhere.
 * Slices, memories and links that are hot for a while are as loaded as the busiest one in the mean
 * of windows (resources/moments.h). What queues at switches lose (switching: fifo) is off the
 * capacities. A resource that carries nothing sets no limit. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dcl1/messages.h"
#include "resources/launches.h"
#include "resources/lookups.h"
#include "resources/moments.h"
#include "resources/places.h"
#include "resources/writes.h"
#include "sac/llc.h"

enum { LIMITS_MAX = 8 + MACHINE_LEVELS_MAX + MACHINE_BESIDE_MAX + 3 + 2 };

struct limits {
    struct model_builder *builder;
    int terms[LIMITS_MAX], count;
};

/* What a requested byte moves through each resource. */
struct loads {
    struct place_wire noc;
    int llc, memory;
    int written;  /* into slices; -1: as what is read */
    int inter;    /* seconds of the hottest link; -1: no links */
    int crossing; /* into a partition; -1: no crossing that states a bandwidth */
};

/* capacity / load, or no limit when the load is 0. */
static void limit_add(struct limits *limits, const char *name, const char *resource, int capacity,
                      int load)
{
    struct term_graph *g = model_graph(limits->builder);
    int zero = model_constant(limits->builder, NULL, 0, term_get(g, load)->dim);
    int none = model_constant(limits->builder, "no limit", HUGE_VAL, DIM_BYTES_PER_S);
    int used = term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){load, zero});
    int limit = term_operation(g, EXPRESSION_IF, name, 3,
                               (int[]){used, term_quotient(g, NULL, capacity, load), none});
    limits->terms[limits->count++] = term_resource(g, limit, resource);
}

/* --- limits ------------------------------------------------------------------------------ */

/* A level before the LLC, or a cache beside L1, that states a bandwidth. */
static void limit_level(struct limits *limits, const char *level)
{
    struct model_builder *b = limits->builder;
    struct term_graph *g = model_graph(b);
    struct error ignored;
    char path[128];
    double bandwidth;
    snprintf(path, sizeof path, "%s.bandwidth", level);
    if (machine_number(model_machine(b), path, &bandwidth, &ignored))
        return;
    int all = term_product(g, NULL, model_parameter(b, "chips"), model_parameter(b, path));
    int load = term_quotient(g, "lookups per request", model_level_field(b, level, LEVEL_LOOKUPS),
                             model_field(b, FIELD_REQUESTS));
    struct place_load parts[] = {{load, SHARE_ASKED}};
    limit_add(limits, "level limit", level, all, places_busiest(b, 1, parts));
}

static void limit_levels(struct limits *limits)
{
    const struct system *s = model_system(limits->builder, 0);
    for (uint32_t i = 0; i < system_between(s); i++)
        limit_level(limits, system_level(s, i)->name);
    /* Profiles by hand need not know these. */
    const struct profile_record *record = model_profile_record(limits->builder);
    for (uint32_t i = 0; i < s->beside.n; i++)
        if (profile_record_level(record, s->beside.levels[i].name) >= 0)
            limit_level(limits, s->beside.levels[i].name);
}

/* DC-L1's nodes: ports to the SMs and to the crossbar behind them. */
static void limit_nodes(struct limits *limits)
{
    struct model_builder *b = limits->builder;
    struct dcl1_node_limits nodes;
    double given = 0;
    struct error ignored;
    int one = model_constant(b, NULL, 1, DIM_NONE);
    if (machine_number(model_machine(b), "l1.nodes", &given, &ignored) || given == 0)
        return;
    if (!model_knows(b, FIELD_LINE_ACCESSES)) {
        model_warn(b, "optimistic: the profile does not say the accesses that the ports of L1 "
                      "nodes (l1.nodes) serve");
        return;
    }
    if (!dcl1_node_limits_read(b, &nodes))
        return;
    limit_add(limits, "node limit", "nodes", nodes.data, one);
    limit_add(limits, "NoC#1 limit", "noc1", nodes.noc1, one);
    limit_add(limits, "NoC#2 limit", "noc2", nodes.noc2, one);
}

/* Page walks: what misses the last TLB; -1: nothing is translated. */
static int walks(struct model_builder *b)
{
    const struct system_translation *t = &model_system(b, 0)->translation;
    if (t->n == 0)
        return -1;
    const char *last = t->tlbs[t->n - 1].name;
    return term_difference(model_graph(b), "walks", model_level_field(b, last, LEVEL_LOOKUPS),
                           model_level_field(b, last, LEVEL_HITS));
}

/* Bytes that walks read, of all or of `walks`, per requested byte. */
static int walked_bytes(struct model_builder *b, int walks)
{
    struct term_graph *g = model_graph(b);
    int bytes = term_product(g, "entries", walks, model_parameter(b, "translation.walk_reads"),
                             model_parameter(b, "translation.entry"));
    return term_quotient(g, "walked bytes", bytes, model_field(b, FIELD_BYTES));
}

/* Walkers, each of which is busy for walk_latency and the latencies of its reads. */
static void limit_walkers(struct limits *limits)
{
    struct model_builder *b = limits->builder;
    struct term_graph *g = model_graph(b);
    int count = walks(b), walkers;
    if (count < 0)
        return;
    walkers = model_parameter(b, "translation.walkers");
    if (!model_system(b, 0)->translation.shared)
        walkers = term_product(g, "all walkers", walkers, model_parameter(b, "chips"));
    int reads = term_product(g, NULL, model_parameter(b, "translation.walk_reads"),
                             model_latency(b, "memory.latency"));
    int time = term_sum(g, "a walk", model_parameter(b, "translation.walk_latency"), reads);
    int line = model_parameter(b, "line");
    int capacity = term_quotient(g, "lines a walk", term_product(g, NULL, walkers, line), time);
    limit_add(limits, "walker limit", "walkers", capacity,
              term_quotient(g, "walks per line", term_product(g, NULL, count, line),
                            model_field(b, FIELD_BYTES)));
}

/* Warps begin one behind another, as fast as all dispatchers begin them. */
static void limit_dispatch(struct limits *limits)
{
    struct model_builder *b = limits->builder;
    struct term_graph *g = model_graph(b);
    const struct system *s = model_system(b, SYSTEM_STATIONS);
    const struct station *dispatch =
        s->stations.count ? system_station(s, STATION_DISPATCH, 0) : NULL;
    double warps = model_warps_begun(b);
    if (!dispatch)
        return;
    model_switch(b, "cta.dispatchers");
    if (warps == 0) {
        model_warn(b, "optimistic: the profile does not say how many warps begin (cta.warps)");
        return;
    }
    int line = model_parameter(b, "line");
    int all = model_constant(b, "dispatchers", (double)dispatch->units * s->domains, DIM_NONE);
    int rate = term_product(g, "lines at a warp each", all, model_parameter(b, "cta.warps"), line);
    int load = term_product(g, NULL, model_constant(b, "warps", warps, DIM_NONE), line);
    limit_add(limits, "dispatch limit", "dispatch", rate,
              term_quotient(g, "warps per line", load, model_field(b, FIELD_BYTES)));
}

static void refuse_unknown_shapes(struct model_builder *b)
{
    enum level_filter filter = model_level(b, "llc")->filter;
    if (model_system(b, 0)->chips > 1 || model_system(b, 0)->point_to_point)
        model_refuse_partitions(b);
    model_refuse_replication(b);
    if (filter != FILTER_ALL)
        model_refuse(b, "llc.filter is %s: the bound knows an LLC for all requests",
                     level_filter_names[filter]);
    model_refuse_levels_before_requester(b);
}

/* Bytes of pages that a placement moves or copies, per requested byte; on the wire of a network,
 * where one is named. -1: none. */
static int moved_pages(struct model_builder *b, const char *network)
{
    struct term_graph *g = model_graph(b);
    double moves = model_profile_record(b)->fields[FIELD_PAGE_MOVES];
    if (isnan(moves) || moves == 0)
        return -1;
    int page = model_parameter(b, "page.size");
    if (network && model_system(b, 0)->chips > 1)
        page = model_wire_bytes(b, network, page);
    int bytes = term_product(g, "moved pages", model_field(b, FIELD_PAGE_MOVES), page);
    return term_quotient(g, "moved bytes", bytes, model_field(b, FIELD_BYTES));
}

/* True where copies of a line may stand outside its home, which hardware keeps coherent. */
static bool invalidates(struct model_builder *b)
{
    if (llc_invalidates(b))
        return true;
    return !model_system(b, 0)->flush_at_kernels && model_levels_keep_copies(b);
}

/* Requests to other chips for a request, a term, of which a share reads. Behind an LLC at the
 * requester two kinds: what it fetches, and what it writes home. */
struct crossing {
    int requests;
    double reads;
};
enum { CROSSINGS = 2 };

static int more(struct model_builder *b, int sum, int term)
{
    return sum < 0 ? term : term_sum(model_graph(b), NULL, sum, term);
}

/* Seconds of the hottest link: what crosses, and beside it invalidations, moved pages and page
 * tables, between all chips alike. */
static int link_load(struct model_builder *b, enum level_side side, int n,
                     const struct crossing *crossing)
{
    struct term_graph *g = model_graph(b);
    struct mcm_wire ways = {-1, -1, -1};
    int launch, moved = moved_pages(b, "inter");
    if (model_system(b, 0)->chips < 2)
        return -1;
    for (int i = 0; i < n; i++) {
        struct model_wire wire =
            model_wire_load(b, "inter", crossing[i].reads, model_request_bytes(b));
        ways.there =
            more(b, ways.there, term_product(g, "to homes", crossing[i].requests, wire.there));
        ways.back =
            more(b, ways.back, term_product(g, "from homes", crossing[i].requests, wire.back));
    }
    if (invalidates(b)) {
        int bytes = model_wire_bytes(b, "inter", model_parameter(b, "bottleneck.invalidation"));
        bytes = term_product(g, "invalidations", model_field(b, FIELD_INVALIDATIONS), bytes);
        ways.even = term_quotient(g, NULL, bytes, model_field(b, FIELD_BYTES));
    }
    if (moved >= 0)
        ways.even = more(b, ways.even, moved);
    if (walks(b) >= 0)
        ways.even = more(b, ways.even, walked_bytes(b, model_field(b, FIELD_WALKS_REMOTE)));
    return moments_links(b, side, &ways, &launch);
}

/* What the busiest memory exchanges with its LLC, moved pages, which one memory reads and another
 * one writes, and page tables. */
static int memory_load(struct model_builder *b, int local, int remote)
{
    struct term_graph *g = model_graph(b);
    struct place_load parts[] = {{local, SHARE_LOCAL}, {remote, SHARE_HOMED}};
    int load = places_busiest_domain(b, 2, parts), moved = moved_pages(b, NULL), count = walks(b);
    int hot = moments_memory(b);
    load = hot < 0 ? load : term_product(g, "memory load for a while", load, hot);
    if (moved >= 0)
        load = term_sum(g, "memory load", load, moved, moved);
    return count < 0 ? load : term_sum(g, "memory load", load, walked_bytes(b, count));
}

/* What LLC and memory exchange, of a part of the requests, with the turns of all of them. */
static int with_turns(struct model_builder *b, int moved, const struct model_memory *all)
{
    int turns = model_memory_turns(b, all);
    return turns < 0 ? moved : term_sum(model_graph(b), "with turns", moved, turns);
}

/* Every request crosses its own crossbar, and what goes to other chips the home's; with `again` (a
 * term, of their number; -1: none) their own once more. */
static struct place_wire crossings(struct model_builder *b, int n, const struct crossing *crossing,
                                   int again)
{
    int line = model_request_bytes(b), one = model_constant(b, NULL, 1, DIM_NONE), count = 1;
    struct place_crossing parts[1 + 2 * CROSSINGS] = {
        {one, model_wire_load(b, "noc", model_read_share(b), line), SHARE_ASKED}};
    for (int i = 0; i < n; i++) {
        struct model_wire wire = model_wire_load(b, "noc", crossing[i].reads, line);
        int requests = crossing[i].requests;
        if (model_system(b, 0)->chips > 1) /* else there is no other crossbar */
            parts[count++] = (struct place_crossing){requests, wire, SHARE_HOMED};
        if (again < 0)
            continue;
        requests = term_product(model_graph(b), "once more", requests, again);
        parts[count++] = (struct place_crossing){requests, wire, SHARE_SENT};
    }
    return places_crossings(b, count, parts);
}

/* Data into the busiest partition: what it fetches, what others write to its memory. */
static int crossing_load(struct model_builder *b, int n, const struct crossing *crossing)
{
    struct term_graph *g = model_graph(b);
    struct place_load parts[2 * CROSSINGS];
    double bandwidth;
    struct error ignored;
    int count = 0;
    if (!model_system(b, 0)->crossing ||
        machine_number(model_machine(b), "crossing.bandwidth", &bandwidth, &ignored))
        return -1;
    for (int i = 0; i < n; i++) {
        double reads = crossing[i].reads;
        parts[count++] = (struct place_load){
            term_product(g, "read", crossing[i].requests, model_constant(b, NULL, reads, DIM_NONE)),
            SHARE_SENT};
        parts[count++] =
            (struct place_load){term_product(g, "written", crossing[i].requests,
                                             model_constant(b, NULL, 1 - reads, DIM_NONE)),
                                SHARE_HOMED};
    }
    return places_busiest_domain(b, count, parts);
}

/* Loads of slices are those of the hottest: local requests and what goes on at the home's, remote
 * requests at the requester's. `inter` is the bandwidth of the links. */
static struct loads loads_of_split(struct model_builder *b, int inter, int *miss)
{
    struct term_graph *g = model_graph(b);
    struct loads loads = {.crossing = -1, .written = -1};
    int one = model_constant(b, NULL, 1, DIM_NONE), local = model_field(b, FIELD_R_LOCAL);
    int remote = term_difference(g, "r_remote", one, local);
    struct llc_split split = llc_split_read(b, local, inter);
    int far = term_product(g, "x*r_remote", split.miss_part, remote);
    int home =
        term_quotient(g, "at home", term_sum(g, NULL, local, far), moments_slices(b, SIDE_HOME));
    int near = term_quotient(g, "at the requester", term_product(g, NULL, remote, split.asks),
                             moments_slices(b, SIDE_REQUESTER));
    struct model_memory memory = llc_split_memory(b, &split, local);
    struct crossing crossing = {far, model_remote_read_share(b)};
    if (writes_are_apart(b)) {
        int none = model_constant(b, NULL, 0, DIM_NONE), asks = split.asks;
        int first = writes_among(b, none, term_product(g, NULL, remote, asks));
        loads.written = term_sum(
            g, "written into the hottest",
            term_quotient(g, NULL, writes_among(b, local, far), moments_slices(b, SIDE_HOME)),
            term_quotient(g, NULL, first, moments_slices(b, SIDE_REQUESTER)));
    }
    *miss = llc_split_misses(b, &split, local);
    loads.llc = term_sum(g, "lookups", home, near);
    loads.noc = crossings(b, 1, &crossing, split.asks);
    loads.inter = link_load(b, SIDE_HOME, 1, &crossing);
    int t_local = with_turns(b, split.memory_local.moved, &memory);
    int t_remote = with_turns(b, split.memory_remote.moved, &memory);
    loads.memory = memory_load(b, term_product(g, "t*r_local", t_local, local),
                               term_product(g, "t*r_remote", t_remote, remote));
    model_set_memory(b, memory, one);
    return loads;
}

/* What such an LLC and memories exchange for local requests, or for remote ones. */
static int moved_of(struct model_builder *b, const struct model_memory *memory, bool remote)
{
    struct term_graph *g = model_graph(b);
    if (!memory->told_apart)
        return memory->moved;
    struct model_intents intents = model_intents(b, remote);
    int home = term_sum(g, "written home", memory->writes, memory->left);
    return term_sum(
        g, "memory traffic", model_side_reads(b, memory, remote),
        term_product(g, NULL, home, model_constant(b, "dirties", intents.dirties, DIM_NONE)));
}

/* What an LLC at the requester exchanges with other chips' memories, which have a share of its
 * requests. The number of kinds. */
static int behind_requester(struct model_builder *b, const struct model_llc *llc, int remote,
                            struct crossing out[CROSSINGS])
{
    const struct model_memory *memory = &llc->memory;
    struct term_graph *g = model_graph(b);
    if (!memory->told_apart) {
        out[0] = (struct crossing){term_product(g, "m*r_remote", memory->moved, remote),
                                   model_remote_read_share(b)};
        return 1;
    }
    int home = term_sum(g, "written home", memory->writes, memory->left);
    int dirties = model_constant(b, "dirties", model_intents(b, true).dirties, DIM_NONE);
    int fetched = model_system(b, 0)->asks_home ? llc->asked : model_side_reads(b, memory, true);
    out[0] = (struct crossing){term_product(g, "fetched", fetched, remote), 1};
    out[1] = (struct crossing){term_product(g, "written home", home, remote, dirties), 0};
    return 2;
}

static struct loads loads_read(struct model_builder *b, const struct model_llc *llc)
{
    const struct model_memory *memory = &llc->memory;
    struct term_graph *g = model_graph(b);
    struct crossing crossing[CROSSINGS];
    int n = 1, one = model_constant(b, NULL, 1, DIM_NONE);
    int remote = model_home_remote_share(b), home = model_home_share(b);
    int near = term_difference(g, "p-q", home, remote);
    struct loads loads = {.llc = home,
                          .written = writes_are_apart(b) ? writes_among(b, near, remote) : -1};
    if (model_side(b, "llc") == SIDE_HOME) {
        crossing[0] = (struct crossing){remote, model_remote_read_share(b)};
        loads.noc = crossings(b, 1, crossing, -1);
        loads.inter = link_load(b, SIDE_HOME, 1, crossing);
    } else {
        n = behind_requester(b, llc, remote, crossing);
        loads.noc = crossings(b, model_system(b, 0)->shared_misses ? n : 0, crossing, one);
        loads.inter = link_load(b, SIDE_REQUESTER, n, crossing);
        loads.llc = one;
        if (model_system(b, 0)->asks_home)
            loads.llc = term_sum(g, "lookups", one, crossing[0].requests);
    }
    loads.crossing = crossing_load(b, n, crossing);
    bool far = model_side(b, "llc") != SIDE_HOME;
    int own = with_turns(b, far ? moved_of(b, memory, false) : memory->moved, memory);
    int others = with_turns(b, far ? moved_of(b, memory, true) : memory->moved, memory);
    loads.memory = memory_load(b, term_product(g, "t*(p-q)", own, near),
                               term_product(g, "t*r_remote", others, remote));
    return loads;
}

static void bottleneck_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct limits limits = {.builder = b};
    struct loads loads;
    int miss, uniformity, lookups, lines;
    if (model_split(b, "llc")) {
        llc_check(b);
        loads = loads_of_split(b, llc_link_bandwidth(b), &miss);
        uniformity = model_constant(b, NULL, 1, DIM_NONE); /* it is in the load */
    } else {
        refuse_unknown_shapes(b);
        struct model_llc llc = model_llc_read(b);
        miss = llc.miss;
        loads = loads_read(b, &llc);
        model_set_memory(b, llc.memory, model_home_share(b));
        uniformity = moments_slices(b, model_side(b, "llc"));
    }
    int noc = places_crossbars(b);
    limit_add(&limits, "noc limit", "noc", noc, loads.noc.there);
    if (loads.noc.back >= 0)
        limit_add(&limits, "noc reply limit", "noc reply", noc, loads.noc.back);
    limit_add(&limits, "llc limit", "llc",
              term_product(g, "B_LLC*LSU", model_total(b, "total.llc_bandwidth"), uniformity),
              loads.llc);
    if (loads.written >= 0)
        limit_add(&limits, "llc write limit", "llc write",
                  term_product(g, "B_write*LSU", writes_bandwidth(b), uniformity), loads.written);
    if (loads.inter >= 0)
        limit_add(&limits, "inter limit", "inter", model_constant(b, NULL, 1, DIM_NONE),
                  loads.inter);
    if (loads.crossing >= 0)
        limit_add(&limits, "crossing limit", "crossing",
                  term_product(g, "into all partitions", model_parameter(b, "partitions"),
                               model_parameter(b, "crossing.bandwidth")),
                  loads.crossing);
    limit_add(&limits, "memory limit", "memory", model_total(b, "total.memory_bandwidth"),
              loads.memory);
    if (lookups_read(b, &lookups, &lines))
        limit_add(&limits, "l1 limit", "l1", lookups, lines);
    limit_levels(&limits);
    limit_nodes(&limits);
    limit_walkers(&limits);
    limit_dispatch(&limits);
    int bandwidth =
        term_operation(g, EXPRESSION_MIN, "bandwidth at the mix", limits.count, limits.terms);
    int one = model_constant(b, NULL, 1, DIM_NONE);
    model_set_metric(b, "effective_bandwidth", launches_beside(b, bandwidth));
    model_set_metric(b, "llc_hit_rate", term_difference(g, "h", one, miss));
    model_set_stream(b, "all", bandwidth);
}

static const struct parameter_row bottleneck_parameters[] = {
    {"invalidation", PARAMETER_QUANTITY, IN_BYTES, 0, 4096, "8 B", NULL, NULL, "message",
     STRUCTURE_NONE,
     "what an invalidation takes on a link (hardware coherence); not published: an address",
     .role = ROLE_INVALIDATION},
    {.field = NULL},
};

static const struct model_metric bottleneck_metrics[] = {
    {"llc_hit_rate", IN_PLAIN, COMBINE_MEAN, "hit rate of the LLC as organised"},
    {.name = NULL},
};

/* The bound of operational analysis: no more than 1 over the demand of any resource. What loads
 * resources is ours. */
static const struct model_source bottleneck_sources[] = {
    {"bandwidth at the mix", "min of 1/D_k", "BW"},
    {"noc limit", "1/D_k", "B_intra/load"},
    {"noc reply limit", "1/D_k", "B_intra/replies"},
    {"llc limit", "1/D_k", "B_LLC LSU/load"},
    {"llc write limit", "1/D_k", "B_write LSU/load"},
    {"inter limit", "1/D_k", "B_link/load"},
    {"crossing limit", "1/D_k", "B_crossing/load"},
    {"memory limit", "1/D_k", "B_mem/load"},
    {"l1 limit", "1/D_k", "SMs f u/lines"},
    {"level limit", "1/D_k", "B_level/lookups"},
    {"node limit", "1/D_k", "Y f u/accesses"},
    {"NoC#1 limit", "1/D_k", "Y f1 u/flits"},
    {"NoC#2 limit", "1/D_k", "min(Y u, L LSU) f2/flits"},
    {"walker limit", "1/D_k", "walkers/walks"},
    {"dispatch limit", "1/D_k", "dispatchers/warps"},
    {NULL, NULL, NULL}};

const struct model model_bottleneck = {
    .plugin = {"model", "bottleneck", "bound at the workload's fixed mix of streams",
               "asymptotic bound of queueing networks (Denning and Buzen, 1978)",
               bottleneck_parameters},
    .sources = bottleneck_sources,
    .answer = "bottleneck at the given mix",
    .first_answer = 2,
    .counts = MODEL_COUNTS_NODES | MODEL_COUNTS_PAGE_MOVES | MODEL_COUNTS_INVALIDATIONS |
              MODEL_COUNTS_NOC_MESSAGES | MODEL_COUNTS_LINK_MESSAGES | MODEL_COUNTS_LAUNCHES |
              MODEL_COUNTS_TRANSLATION | MODEL_COUNTS_BESIDE | MODEL_COUNTS_CROSSING |
              MODEL_COUNTS_TURNS | MODEL_COUNTS_DISPATCH | MODEL_COUNTS_LLC_WRITES |
              MODEL_COUNTS_LOOKUPS,
    .validity = "any load; an upper bound: no contention below saturation; partitions of one chip "
                "only; levels before the LLC need an LLC at the home",
    .page =
        "BW = min over resources of capacity / bytes moved per requested byte\n\n"
        "resource   capacity       memory-side            SM-side\n"
        "noc        B_intra        w + w q                w; SAC's w + 2 w t R_remote\n"
        "llc        B_LLC * LSU    p                      1\n"
        "l1         SMs * lookups  lines (l1.lookups)\n"
        "llc write  its own * LSU  what writes, where there is llc.write_bandwidth\n"
        "inter      hottest link   w q                    w t R_remote\n"
        "memory     B_mem          t p                    t\n"
        "crossing   its bandwidth  q                      a R_remote, dirty data\n"
        "l2, l15,   its bandwidth, lookups per request    -\n"
        "rdma       if stated; caches beside L1 alike\n\n"
        "B_intra, B_LLC, B_mem: totals of the system, less what queues at switches lose. R_local,\n"
        "R_remote: shares of the requests by home; m: LLC miss rate from the miss curve at\n"
        "llc.capacity and llc.ways; m_l, m_r, x: with split ways (models/sac); LSU: mean over\n"
        "maximum of the slices' requests. t: what LLC and memory exchange: misses of reads and\n"
        "atomics, dirty data written home; turns between both (memory.turnaround); SM-side of\n"
        "local and remote lines each, where the profile's curve has the misses of the latter.\n"
        "w: bytes on the wire for a byte of a request, from the messages of noc and inter; 1 "
        "where\n"
        "they are data alone. Directions that are separate limit each on their own (noc reply).\n"
        "Chips that are not alike: the busiest requester, home, crossbar; the hottest directed "
        "link,\nby routing of the traffic matrix. Slices, memories and links that are hot for a "
        "while (momentary.*\nof the profile): the busiest in the mean of windows.\n"
        "a: misses of the own partition's slices, which ask the home's where there is a crossing\n"
        "p: requests that reach the home, q: from another domain, per request of the SMs\n"
        "   (1 and R_remote unless levels stand before the LLC)\n\n"
        "static, dynamic: noc 1 + 2 x R_remote, llc (R_local + x R_remote)/LSU_home +\n"
        "R_remote/LSU_requester, inter x R_remote, memory m_l R_local + m_r R_remote, with x of "
        "the\n"
        "remote requests missing the remote part (none is asked where it has no ways: then\n"
        "1 + R_remote, 1/LSU_home). Hardware coherence adds invalidations to inter; moved pages\n"
        "(page.policy) add their bytes to inter, twice to memory. L1 nodes (l1.nodes) add the\n"
        "limits nodes, noc1 and noc2 of the model dcl1, with dcl1.noc_clock and dcl1.flit. TLBs "
        "add\nwhat walks read to memory, and walkers: translation.walkers over "
        "translation.walk_latency and\nthe latencies of its reads; dispatchers (cta.warps) one.",
    .metrics = bottleneck_metrics,
    .build = bottleneck_build,
};
