/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GPU as a closed queueing network: what contention leaves of the bounds, and latencies.
 * Equations in README.md; what a request asks of each station in demands.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mcm/fabric.h"
#include "network/network.h"

#define MOST_COLD 0.5 /* of a launch's lines */

/* "utilisation_noc_reply", "noc_reply_x2": the station's name between two texts. */
static const char *station_metric(struct model_builder *b, const char *before,
                                  const struct network *network, int kind, const char *after)
{
    char name[160];
    snprintf(name, sizeof name, "%s%s%s", before, network->names[kind], after);
    for (char *blank; (blank = strchr(name, ' '));)
        *blank = '_';
    return arena_strdup(model_arena(b), name);
}

/* --- the solver's results -------------------------------------------------------------- */

/* Name and unit of a result. */
static void result_row(const struct network *network, int result, char *name, size_t size,
                       struct term_result *out)
{
    static const char *const names[] = {"time a request",
                                        "time of a first request",
                                        "warps of the busiest SM",
                                        "latency: utilisation",
                                        "mshrs: utilisation",
                                        "local hit",
                                        "local miss",
                                        "remote hit",
                                        "remote miss",
                                        "latencies of a request"};
    static const char *const what[] = {"utilisation", "demand", "residence"};
    bool ratio = result == NETWORK_IN_FLIGHT || result == NETWORK_STOPPED ||
                 (result >= NETWORK_UTILISATION && result < NETWORK_DEMAND);
    if (result < NETWORK_UTILISATION)
        snprintf(name, size, "%s", names[result]);
    else
        snprintf(name, size, "%s: %s",
                 network->names[(result - NETWORK_UTILISATION) % STATION_KIND_COUNT],
                 what[(result - NETWORK_UTILISATION) / STATION_KIND_COUNT]);
    *out = (struct term_result){name, ratio ? DIM_NONE : DIM_SECONDS};
}

/* The node of the network; result r is the node r + 1 after it. */
static int solve_by(struct model_builder *b, term_solver_function *solver,
                    const struct network *network, const int *args, size_t count, const char *name)
{
    struct term_result results[NETWORK_RESULTS];
    char names[NETWORK_RESULTS][128];
    for (int r = 0; r < NETWORK_RESULTS; r++)
        result_row(network, r, names[r], sizeof names[r], &results[r]);
    return term_solve(model_graph(b), name, solver, network, (int)count, args, NETWORK_RESULTS,
                      results);
}

static int solve(struct model_builder *b, const struct network *network, const int *args,
                 size_t count, const char *name)
{
    return solve_by(b, network_solve, network, args, count, name);
}

static int result(int network, int which)
{
    return network + 1 + which;
}

/* --- metrics --------------------------------------------------------------------------- */

static bool has_kind(const struct network *network, enum station_kind kind)
{
    for (size_t v = 0; v < network->visits.count; v++) {
        int station = network->visits.items[v].station;
        if (station >= 0 && network->station[station].kind == kind)
            return true;
    }
    return false;
}

static bool has_path(const struct network *network, enum network_path path)
{
    for (size_t f = 0; f < network->flows.count; f++)
        if (network->flows.items[f].path == path)
            return true;
    return false;
}

/* While requests are under way: bytes of one over its time. */
static int steady(struct model_builder *b, const struct network_terms *terms, const char *name,
                  int network, int last)
{
    struct term_graph *g = model_graph(b);
    int time = result(network, NETWORK_TIME);
    if (last >= 0)
        time = term_sum(g, "time a request", time, last);
    return term_quotient(g, name, terms->line, time);
}

/* What stands behind the last waits of launches. The data of one wait come one after another as far
 * as stations have them in a queue: a wait takes T/(c - launches) of the T of all, longer than it
 * does alone by what lies between the first ones to come and the last. Until these come, the
 * others' warps issue, in slots that are free (u: taken) while requests are under way:
 *
 *     max( the last warp's own, what all issue - o ),
 *     o = min( T (1 - u), T/(c - launches) launches - fills )
 */
static int behind_last(struct model_builder *b, const struct network_terms *terms, int network,
                       int under_way, int last)
{
    struct term_graph *g = model_graph(b);
    double launches = model_launches(b);
    int requests = term_quotient(g, "bytes/line", model_field(b, FIELD_BYTES), terms->line);
    int all = term_product(g, "behind the last waits", requests, last);
    if (!(terms->waits > 0))
        return all;
    int fills = term_product(g, NULL, result(network, NETWORK_FILL),
                             model_constant(b, NULL, launches > 0 ? launches : 1, DIM_NONE));
    int apart = term_quotient(
        g, NULL, under_way,
        model_constant(b, NULL, terms->waits / (launches > 0 ? launches : 1), DIM_NONE));
    apart = term_max(g, NULL, term_difference(g, NULL, apart, fills),
                     model_constant(b, NULL, 0, DIM_SECONDS));
    int slots = term_difference(g, "free slots", model_constant(b, NULL, 1, DIM_NONE),
                                result(network, NETWORK_UTILISATION + STATION_ISSUE));
    apart = term_min(g, "between the first data of the last wait and the last", apart,
                     term_product(g, "free to issue", under_way, slots));
    return term_max(g, "behind the last waits", term_difference(g, NULL, all, apart),
                    term_product(g, NULL, requests, terms->last_own));
}

/* Of all launches: what does not overlap with requests under way, and what they take at least for
 * the warps of their busiest SM. Terms; -1: nobody knows. */
struct starts {
    int all, warps;
};

/* Of the launches from their start to their end, where bytes are known, so that their number is:
 *
 *     bytes / max( start_time + (bytes/line - launches) t + behind the last waits , warps )
 *
 * of which the model's kernel_time follows. The first request of each launch is in the start. */
static int bandwidth(struct model_builder *b, const struct network_terms *terms, const char *name,
                     int network, const struct starts *starts, int last)
{
    struct term_graph *g = model_graph(b);
    int start = starts->all;
    if (start < 0)
        return steady(b, terms, name, network, last);
    int bytes = model_field(b, FIELD_BYTES);
    int under_way =
        term_product(g, "requests behind the first", terms->behind, result(network, NETWORK_TIME));
    int time = term_sum(g, "time of launches", start, under_way);
    if (last >= 0)
        time =
            term_sum(g, "time of launches", time, behind_last(b, terms, network, under_way, last));
    if (starts->warps >= 0)
        time = term_max(g, "time of launches", time, starts->warps);
    return term_quotient(g, name, bytes, time);
}

static bool is_zero(struct term_graph *g, int term)
{
    const struct term *t = term_get(g, term);
    return t->kind == TERM_CONSTANT && t->constant == 0;
}

/* The busiest home's lines over the mean one's, of those that a launch is the first to touch, if
 * these are most of its lines; else 1: of requests a home may have many for few lines. */
static double busiest_home(struct model_builder *b)
{
    const struct profile_record *record = model_profile_record(b);
    const char *scope = level_scope_names[model_level(b, "llc")->scope];
    const struct profile_curve *curve = profile_curve_find(record, scope, "home", "all");
    uint32_t n = model_system(b, 0)->domains;
    uint64_t all = 0, most = 0;
    if (!curve || curve->n_domains != n || !curve->domain_cold ||
        !((double)curve->curve.cold > MOST_COLD * record->fields[FIELD_LINES]))
        return 1;
    for (uint32_t j = 0; j < n; j++) {
        all += curve->domain_cold[j];
        most = most < curve->domain_cold[j] ? curve->domain_cold[j] : most;
    }
    return all > 0 ? (double)most * n / (double)all : 1;
}

/* What is dirty at the end of launches and written home then, D bytes (model_memory), to homes as
 * lines are, the busiest of which has P of the mean, and of which an LLC at the requester has
 * those of other chips, as many as there are among the writes, D_remote:
 *     max( P D / B_memory , D_remote over the hottest link ) + ends * way home
 * A term; -1: nothing is written home. */
static int write_home(struct model_builder *b, const struct network_terms *terms)
{
    struct term_graph *g = model_graph(b);
    int left = terms->memory.left, none = model_constant(b, NULL, 0, DIM_SECONDS);
    if (!terms->memory.told_apart || is_zero(g, left))
        return -1;
    int dirty =
        term_product(g, "dirty at the end", model_field(b, FIELD_BYTES), terms->passes, left);
    int busiest = term_product(g, "dirty, the busiest home's", dirty,
                               model_constant(b, "busiest home", busiest_home(b), DIM_NONE));
    int time =
        term_quotient(g, "dirty/B_memory", busiest, model_total(b, "total.memory_bandwidth"));
    int way = model_latency(b, "memory.latency");
    bool far = !model_split(b, "llc") && model_side(b, "llc") == SIDE_REQUESTER;
    if (far && machine_has(model_machine(b), "inter")) {
        int links = mcm_fabric_write_home(b, dirty);
        time = links < 0 ? time : term_max(g, "write home", time, links);
        way = term_sum(g, "way home", way, model_links_latency(b, 1));
    }
    int ways =
        term_product(g, "ways home", model_constant(b, "ends", terms->memory.ends, DIM_NONE), way);
    int some = term_operation(g, EXPRESSION_GREATER, NULL, 2,
                              (int[]){left, model_constant(b, NULL, 0, DIM_NONE)});
    return term_operation(g, EXPRESSION_IF, "end of launches", 3,
                          (int[]){some, term_sum(g, NULL, time, ways), none});
}

/* A launch begins with empty queues: launch and fill latency add. */
static struct starts start_time(struct model_builder *b, const struct network *network,
                                const struct network_terms *terms, int node)
{
    struct term_graph *g = model_graph(b);
    double launches = model_launches(b);
    if (terms->behind < 0)
        return (struct starts){-1, -1};
    struct starts starts = {.warps = -1};
    int count = model_constant(b, "launches", launches > 0 ? launches : 1, DIM_NONE);
    int launch = model_parameter(b, "launch.time"), home = write_home(b, terms);
    starts.all = term_product(g, "start of launches", count,
                              term_sum(g, NULL, launch, result(node, NETWORK_FILL)));
    if (home >= 0)
        starts.all = term_sum(g, "start and write-back of launches", starts.all, home);
    if (network->slots.slot <= 0)
        return starts;
    starts.warps = term_sum(g, "launches of the busiest SM", term_product(g, NULL, count, launch),
                            result(node, NETWORK_WARPS));
    if (home >= 0)
        starts.warps = term_sum(g, "launches of the busiest SM", starts.warps, home);
    return starts;
}

/* Between 0 and what the network allows at best (network_bound). The time of launches does not fall
 * with that of a request,
 *
 *     B t + max( all - o , own ) ,   o = min( B t launches/c - fills , B t - load of issue slots )
 * ,
 *
 * as long as o grows no faster than B t does, which takes a wait c a launch; where there are fewer,
 * B t + own is sure. What is compared was rounded on different ways. */
static void set_bounds(struct model_builder *b, const struct network *network,
                       const struct network_terms *terms, int reached, int reached_steadily)
{
    static const double rounded = 1 + 1e-9;
    struct term_graph *g = model_graph(b);
    struct network_terms sure = *terms;
    bool few = terms->waits > 0 && terms->waits < fmax(1, model_launches(b));
    int node = solve_by(b, network_bound, network, terms->args.items, terms->args.count,
                        "network without queues");
    int more = model_constant(b, NULL, rounded, DIM_NONE);
    int none = model_constant(b, NULL, 0, term_get(g, reached)->dim);
    struct starts starts = start_time(b, network, terms, node);
    if (few)
        sure.waits = 0; /* all that is behind the last waits, of which no more than their own */
    int last = few && terms->last >= 0 ? terms->last_own : terms->last;
    int most = bandwidth(b, &sure, "bandwidth at most", node, &starts, last);
    int steady_most = steady(b, terms, "steady bandwidth at most", node, terms->last);
    term_set_bounds(g, reached, none, term_product(g, NULL, most, more));
    term_set_bounds(g, reached_steadily, none, term_product(g, NULL, steady_most, more));
    starts.warps = -1; /* which takes most of the time that ends take */
    most = bandwidth(b, &sure, "bandwidth at most, of any warps", node, &starts, last);
    term_set_quick_bounds(g, reached, none, term_product(g, NULL, most, more));
}

/* Bandwidth with the stations of a kind twice as fast. */
static void set_faster(struct model_builder *b, const struct network *network,
                       const struct network_terms *terms, enum station_kind kind)
{
    struct term_graph *g = model_graph(b);
    int *args = arena_alloc(model_arena(b), terms->args.count * sizeof *args), node;
    int half = model_constant(b, NULL, 0.5, DIM_NONE);
    memcpy(args, terms->args.items, terms->args.count * sizeof *args);
    int changed[] = {terms->slow_arg[kind], kind == STATION_EDGE ? terms->own_edges : -1};
    for (int i = 0; i < 2; i++)
        if (changed[i] > 0)
            args[changed[i]] = term_product(g, "halved", args[changed[i]], half);
    node = solve(b, network, args, terms->args.count, "network with it twice as fast");
    int last = terms->last;
    if (last >= 0 && kind == STATION_ISSUE)
        last = term_product(g, "halved", last, half);
    const char *metric = station_metric(b, "", network, kind, "_x2");
    struct starts starts = start_time(b, network, terms, node);
    model_set_metric(b, metric, bandwidth(b, terms, metric, node, &starts, last));
}

/* What binds: the busiest kind of station, or the requests in flight, where they allow least.
 * The stream "next" has what comes behind it. */
static void set_bottleneck(struct model_builder *b, const struct network *network, int node)
{
    struct term_graph *g = model_graph(b);
    int used[STATION_KIND_COUNT + 2], next[STATION_KIND_COUNT + 2], count = 0;
    const char *names[STATION_KIND_COUNT + 2];
    int zero = model_constant(b, NULL, 0, DIM_NONE);
    for (int kind = 0; kind < STATION_KIND_COUNT; kind++)
        if (has_kind(network, (enum station_kind)kind)) {
            names[count] = network->names[kind];
            used[count++] = result(node, NETWORK_UTILISATION + kind);
        }
    names[count] = "latency";
    used[count++] = result(node, NETWORK_IN_FLIGHT);
    if (network->levels) {
        names[count] = "mshrs";
        used[count++] = result(node, NETWORK_STOPPED);
    }
    for (int i = 0; i < count; i++)
        term_resource(g, used[i], names[i]);
    int most = term_operation(g, EXPRESSION_MAX, "utilisation", count, used);
    for (int i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s, unless it binds", names[i]);
        int binds = term_operation(g, EXPRESSION_GREATER_EQUAL, NULL, 2, (int[]){used[i], most});
        next[i] = term_resource(
            g, term_operation(g, EXPRESSION_IF, name, 3, (int[]){binds, zero, used[i]}), names[i]);
    }
    model_set_stream(b, "all", most);
    model_set_stream(b, "next", term_operation(g, EXPRESSION_MAX, "next utilisation", count, next));
}

static void set_latencies(struct model_builder *b, const struct network *network, int node)
{
    static const struct {
        const char *name;
        enum network_path path;
        int result;
    } paths[] = {{"latency_local_hit", PATH_LOCAL, NETWORK_LOCAL_HIT},
                 {"latency_local_miss", PATH_LOCAL, NETWORK_LOCAL_MISS},
                 {"latency_remote_hit", PATH_REMOTE, NETWORK_REMOTE_HIT},
                 {"latency_remote_miss", PATH_REMOTE, NETWORK_REMOTE_MISS}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (has_path(network, paths[i].path))
            model_set_metric(b, paths[i].name, result(node, paths[i].result));
}

/* A request's way, for explanations. */
static void set_stations(struct model_builder *b, const struct network *network, int node)
{
    int latency = result(node, NETWORK_LATENCY);
    for (int kind = 0; kind < STATION_KIND_COUNT; kind++)
        if (has_kind(network, (enum station_kind)kind))
            model_set_station(b, network->names[kind], result(node, NETWORK_DEMAND + kind),
                              result(node, NETWORK_RESIDENCE + kind),
                              result(node, NETWORK_UTILISATION + kind));
    model_set_station(b, "latencies", latency, latency, -1);
}

static void network_model_build(struct model_builder *b)
{
    struct network_terms terms;
    struct network *network = network_build(b, &terms);
    if (network) {
        int node = solve(b, network, terms.args.items, terms.args.count, "network");
        struct starts start = start_time(b, network, &terms, node);
        int reached = bandwidth(b, &terms, "bandwidth", node, &start, terms.last);
        int steadily = steady(b, &terms, "steady bandwidth", node, terms.last);
        set_bounds(b, network, &terms, reached, steadily);
        model_set_metric(b, "effective_bandwidth", reached);
        model_set_metric(b, "steady_bandwidth", steadily);
        if (start.all >= 0)
            model_set_metric(b, "start_time", start.all);
        model_set_metric(b, "llc_hit_rate", terms.hit_rate);
        set_latencies(b, network, node);
        set_bottleneck(b, network, node);
        set_stations(b, network, node);
        for (int kind = 0; kind < STATION_KIND_COUNT; kind++)
            if (has_kind(network, (enum station_kind)kind)) {
                model_set_metric(b, station_metric(b, "utilisation_", network, kind, ""),
                                 result(node, NETWORK_UTILISATION + kind));
                set_faster(b, network, &terms, (enum station_kind)kind);
            }
        if (network->levels)
            model_set_metric(b, "utilisation_mshrs", result(node, NETWORK_STOPPED));
        if (!has_kind(network, STATION_ISSUE))
            model_warn(b, "optimistic: the profile does not say warp instructions, so that issue "
                          "slots are no limit");
    }
    VECTOR_FREE(&terms.args);
}

#define CHOICE(f, choices, def, p, h)                                                              \
    {                                                                                              \
        f, PARAMETER_NAME, IN_PLAIN, 0, 0, def, choices, NULL, p, STRUCTURE_MODEL, h               \
    }

static const struct parameter_row network_parameters[] = {
    CHOICE("service", "deterministic exponential", "deterministic", "visit",
           "times of service: deterministic, waiting for a mean residual life of half a service; "
           "exponential, the product form"),
    CHOICE("algorithm", "auto linearizer schweitzer", "auto", "network",
           "auto: exact mean value analysis where populations are few (network.lattice), the "
           "Linearizer for up to 8 unlike domains, Schweitzer's rule for more"),
    {"lattice", PARAMETER_COUNT, IN_PLAIN, 1, 1e6, "10000", NULL, NULL, "network", STRUCTURE_MODEL,
     "most populations that exact mean value analysis visits; beyond some thousand it agrees with "
     "the Linearizer to a few digits and takes a hundred times as long"},
    {.field = NULL},
};

static const struct model_metric network_metrics[] = {
    {"llc_hit_rate", IN_PLAIN, COMBINE_MEAN, "hit rate of the LLC as organised"},
    {"steady_bandwidth", IN_BYTES_PER_S, COMBINE_RATE,
     "while launches are under way: without start_time; effective_bandwidth has all of "
     "kernel_time"},
    {"start_time", IN_SECONDS, COMBINE_SUM,
     "part of kernel_time: how launches begin, with their first requests, and end"},
    {"latency_local_hit", IN_SECONDS, COMBINE_MEAN,
     "of a request that misses L1, home in its own domain, hits the LLC; with queues"},
    {"latency_local_miss", IN_SECONDS, COMBINE_MEAN, "the same, misses the LLC"},
    {"latency_remote_hit", IN_SECONDS, COMBINE_MEAN,
     "the same, home in another domain, hits the LLC"},
    {"latency_remote_miss", IN_SECONDS, COMBINE_MEAN, "the same, misses the LLC"},
    {"utilisation_issue", IN_PLAIN, COMBINE_TIME, "of issue slots, in the busiest domain"},
    {"utilisation_l1", IN_PLAIN, COMBINE_TIME, "of lookups of L1s, in the busiest domain"},
    {"utilisation_nodes", IN_PLAIN, COMBINE_TIME, "of data ports of L1 nodes, busiest domain"},
    {"utilisation_noc1", IN_PLAIN, COMBINE_TIME, "of the nodes' ports to the SMs, busiest domain"},
    {"utilisation_noc2", IN_PLAIN, COMBINE_TIME, "of the nodes' ports behind them, busiest domain"},
    {"utilisation_p2p", IN_PLAIN, COMBINE_TIME, "of point-to-point links, busiest partition"},
    {"utilisation_noc", IN_PLAIN, COMBINE_TIME, "of the busiest crossbar"},
    {"utilisation_noc_reply", IN_PLAIN, COMBINE_TIME, "of the busiest crossbar for replies"},
    {"utilisation_*", IN_PLAIN, COMBINE_TIME,
     "of that level before the LLC or cache beside L1, where it is busiest"},
    {"utilisation_llc", IN_PLAIN, COMBINE_TIME, "of the hottest slices, busiest domain"},
    {"utilisation_llc_write", IN_PLAIN, COMBINE_TIME, "of what is written into them"},
    {"utilisation_inter", IN_PLAIN, COMBINE_TIME, "of the busiest directed edge"},
    {"utilisation_memory", IN_PLAIN, COMBINE_TIME, "of memory channels, busiest domain"},
    {"utilisation_walkers", IN_PLAIN, COMBINE_TIME, "of walkers of page tables, busiest ones"},
    {"utilisation_mshrs", IN_PLAIN, COMBINE_TIME,
     "of the MSHRs of the level behind L1, or TLB, that stops most; while all domains work"},
    {"issue_x2", IN_BYTES_PER_S, COMBINE_RATE, "effective_bandwidth with twice the issue slots"},
    {"l1_x2", IN_BYTES_PER_S, COMBINE_RATE, "the same with twice the lookups of L1s"},
    {"nodes_x2", IN_BYTES_PER_S, COMBINE_RATE,
     "the same with data ports of L1 nodes twice as fast"},
    {"noc1_x2", IN_BYTES_PER_S, COMBINE_RATE, "the same with the nodes' ports to the SMs"},
    {"noc2_x2", IN_BYTES_PER_S, COMBINE_RATE, "the same with the nodes' ports behind them"},
    {"p2p_x2", IN_BYTES_PER_S, COMBINE_RATE, "the same with point-to-point links"},
    {"noc_x2", IN_BYTES_PER_S, COMBINE_RATE, "the same with crossbars"},
    {"noc_reply_x2", IN_BYTES_PER_S, COMBINE_RATE, "the same with crossbars for replies"},
    {"*_x2", IN_BYTES_PER_S, COMBINE_RATE,
     "the same with that level before the LLC or cache beside L1"},
    {"llc_x2", IN_BYTES_PER_S, COMBINE_RATE, "the same with LLC slices"},
    {"llc_write_x2", IN_BYTES_PER_S, COMBINE_RATE, "the same with what is written into them"},
    {"inter_x2", IN_BYTES_PER_S, COMBINE_RATE, "the same with all edges of the link graph"},
    {"memory_x2", IN_BYTES_PER_S, COMBINE_RATE, "the same with memories"},
    {"walkers_x2", IN_BYTES_PER_S, COMBINE_RATE, "the same with twice the walkers"},
    {.name = NULL},
};

/* Replicas need their curves. */
static unsigned network_parts(const struct machine *machine)
{
    struct error ignored;
    const char *replication = "none";
    bool known = machine_name(machine, "llc.replication", &replication, &ignored) == 0;
    return PART_WAITS | (known && strcmp(replication, "none") != 0 ? PART_REPLICATION : PART_BASE);
}

/* Symbols of mean value analysis: a delay, and what requests stay at stations. */
static const struct model_source network_sources[] = {
    {"latencies", "mean value analysis", "Z"},
    {"issue", "mean value analysis", "R_issue"},
    {"l1", "mean value analysis", "R_l1"},
    {"nodes", "mean value analysis", "R_nodes"},
    {"noc1", "mean value analysis", "R_noc1"},
    {"noc2", "mean value analysis", "R_noc2"},
    {"noc", "mean value analysis", "R_noc"},
    {"noc reply", "mean value analysis", "R_reply"},
    {"llc", "mean value analysis", "R_llc"},
    {"llc write", "mean value analysis", "R_write"},
    {"crossing", "mean value analysis", "R_crossing"},
    {"inter", "mean value analysis", "R_inter"},
    {"memory", "mean value analysis", "R_mem"},
    {"walkers", "mean value analysis", "R_walkers"},
    {"dispatch", "mean value analysis", "R_dispatch"},
    {NULL, NULL, NULL}};

const struct model model_network = {
    .plugin = {"model", "network", "closed queueing network of the whole GPU",
               "Reiser and Lavenberg, JACM 1980; Chandy and Neuse, CACM 25(2), 1982",
               network_parameters},
    .sources = network_sources,
    .answer = "network",
    .first_answer = 1,
    .validity = "requests that wait for nothing but stations and latencies: no barriers; "
                "one LLC miss ratio for all domains; reads and writes stay equally long",
    .counts = MODEL_COUNTS_NODES | MODEL_COUNTS_PAGE_MOVES | MODEL_COUNTS_INVALIDATIONS |
              MODEL_COUNTS_NOC_MESSAGES | MODEL_COUNTS_LINK_MESSAGES | MODEL_COUNTS_LAUNCHES |
              MODEL_COUNTS_TRANSLATION | MODEL_COUNTS_STOPS | MODEL_COUNTS_BESIDE |
              MODEL_COUNTS_CROSSING | MODEL_COUNTS_TURNS | MODEL_COUNTS_DISPATCH |
              MODEL_COUNTS_LLC_WRITES | MODEL_COUNTS_LOOKUPS,
    .parts = PART_WAITS | PART_REPLICATION,
    .parts_of = network_parts,
    .page =
        "X = N / (Z + sum over k of R_k),  R_k = D_k (1 + Q_k(N - 1)),  Q_k = X R_k\n\n"
        "A class for each domain that is unlike others; a customer is a request asked for. Of a\n"
        "launch's chain of waits, one behind another (chain.* of the profile: c waits, h L1 "
        "hits):\n"
        "  N = (requests - 1) / (c - 1)     Z = latencies of its way, (h L1 hits + instructions +\n"
        "                                       cycles of work that traces say, think) / (c - 1)\n"
        "  at most SMs * min( l1.mshrs / (1-w-y-s), l1.write_buffer / w, l1.bypass_buffer / y ) "
        "under\n"
        "  way    w: share of writes, y: of reads past L1, s: of what caches beside L1 miss\n"
        "  a warp that waits for g accesses at a time (chain.awaited / c) and may have fewer "
        "under\n"
        "  way, sm.outstanding, has so much less: N * min(1, sm.outstanding / g)\n"
        "without a chain (the answer then warns): A = working SMs * resident warps * loads a warp\n"
        "asks for at a time * requests an access / (1-w) are taken to be under way, so that c =\n"
        "requests / A\n"
        "  D = visits * bytes / bandwidth at each station; messages in whole flits\n"
        "  n requests that wait for one line have it at once: with b lines a wait Z is longer by\n"
        "  (b-1) (n-1) D at crossbars\n\n"
        "station    of a    a request visits it\n"
        "issue      domain  warp instructions a request, one of its SMs\n"
        "noc        chip    once; remote ones of a memory-side LLC the home's too, remote misses\n"
        "                   both again unless noc.misses is own\n"
        "llc        domain  a slice, at home or at the requester; at the requester and, where it\n"
        "                   misses, at home (static, dynamic: remote ones; replicas); hot ones by "
        "LSU\n"
        "inter      edge    on the shortest ways there and back, ties split\n"
        "memory     domain  a channel of its home, when it misses\n"
        "walkers    chip    or system: page walks a request, walk_latency and reads of memory\n"
        "nodes, noc1, noc2, p2p, levels before the LLC, caches beside L1: where the machine has "
        "them\n"
        "llc, inter and memory are slower where they are hot for a while (momentary.* of the "
        "profile)\n\n"
        "Slices, channels and SMs are queues of their own. A domain whose work is done leaves;\n"
        "the launch ends with the last.\n"
        "  kernel_time = max( start_time + (bytes/line - launches) t + bytes/line last , warps )\n"
        "t a request under way; last: issued behind its last wait; warps: what those of the "
        "busiest "
        "SM\n"
        "need, which share its slots by sm.scheduler. start_time has the first request of each "
        "launch.\n"
        "effective_bandwidth = bytes / kernel_time; steady_bandwidth: line / (t + "
        "last).\n"
        "utilisation_*: of the busiest one, over the launch; *_x2: bandwidth with that kind twice\n"
        "as fast. Limited by \"latency\": requests in flight are too few to fill any station;\n"
        "by \"mshrs\": those of a TLB or level behind L1 are taken, and it stops.",
    .metrics = network_metrics,
    .build = network_model_build,
};
