/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DC-L1 (HPCA 2021): the effective bandwidth of L1s that stand outside the SMs.
 *
 * Every line access takes its share of every resource, so the slowest one sets the rate:
 *
 *     x = min over resources of  capacity / (what an access takes of it)      accesses/s
 *
 *     resource  capacity             an access takes
 *     issue     X issue              warp instructions / accesses
 *     nodes     Y f u                1 (a line a cycle of the data port)
 *     noc1      Y f1 u               max(request, reply) flits: 1 + (w+a) (W-1), r D + w + a W
 *     noc2      min(Y u, L LSU) f2   max(request, reply) flits: q + (w+a) W, q B + w + a W
 *     llc       B_LLC LSU            bytes of the requests behind L1
 *     memory    B_mem                of these, m_L2
 *     latency   X warps k            read latency x reads; warps of the blocks that an SM holds
 *     mshrs     X mshrs              miss latency x misses
 *
 *     X, Y, L   SMs, nodes, L2 slices           r, w, a  reads, writes, atomics an access
 *     f, f1, f2 clocks of SMs, NoC#1, NoC#2     q        reads an access that go on to L2
 *     u, LSU    uniformity of nodes, slices     D, W     flits of bytes that reads ask for, that
 *     k         accesses a warp has in flight            writes and atomics carry
 *                                               B        of a line (sector); all of them whole
 *
 * Requests and replies have networks of their own. A message without data is one flit, headers
 * are not counted (as published). The design "baseline" has no NoC#1, and data ports in the
 * SMs; a two-stage crossbar adds the links between its stages to noc2. */
#include <math.h>
#include <string.h>

#include "dcl1/messages.h"
#include "dcl1/noc.h"
#include "dcl1/replication.h"
#include "dcl1/tables.h"
#include "model/model.h"

enum { WARP = 32, SECTOR = 32, LARGER_L1 = 16, LIMITS_MAX = 8 };
/* Replication-sensitive (HPCA 2021, section 2). */
#define SENSITIVE_RATIO 0.25
#define SENSITIVE_MISSES 0.50
#define SENSITIVE_GAIN 1.05

/* Terms of one record; an access is a line access before L1. */
struct terms {
    struct model_builder *b;
    struct term_graph *g;
    struct dcl1_noc noc;
    int zero, one, cores, nodes, slices; /* X, Y, L */
    int clock, noc1, noc2;               /* Hz; noc1: -1 without NoC#1 */
    int uniformity, slice_uniformity;
    struct dcl1_messages messages;
    int bytes;        /* of the requests behind L1, an access */
    int memory_bytes; /* of these, from memory */
    int l2_misses;    /* m_L2 */
};

static int number(const struct terms *t, double value)
{
    return model_constant(t->b, NULL, value, DIM_NONE);
}

static int per_access(const struct terms *t, const char *name, enum profile_field field)
{
    return term_quotient(t->g, name, model_field(t->b, field),
                         model_field(t->b, FIELD_LINE_ACCESSES));
}

static int boosted(const struct terms *t, const char *name, double boost)
{
    int clock = model_parameter(t->b, "dcl1.noc_clock");
    return boost == 1 ? clock : term_product(t->g, name, clock, number(t, boost));
}

static void read_machine(struct terms *t)
{
    t->zero = number(t, 0);
    t->one = number(t, 1);
    t->cores = model_constant(t->b, "X", t->noc.cores, DIM_NONE);
    t->nodes = model_constant(t->b, "Y", t->noc.full ? t->noc.cores : t->noc.nodes, DIM_NONE);
    t->slices = model_constant(t->b, "L", t->noc.slices, DIM_NONE);
    t->clock = model_parameter(t->b, "sm.clock");
    t->noc1 = t->noc.built ? boosted(t, "f1", t->noc.stages[0].boost) : -1;
    t->noc2 = boosted(t, "f2", dcl1_noc_last(&t->noc)->boost);
}

static void read_record(struct terms *t)
{
    struct term_graph *g = t->g;
    t->uniformity = t->noc.full ? t->one : model_field(t->b, FIELD_L1_UNIFORMITY);
    t->slice_uniformity = model_slice_uniformity(t->b, "llc");
    dcl1_messages_read(t->b, &t->messages);
    t->bytes = per_access(t, "bytes an access", FIELD_BYTES);
    t->l2_misses = model_miss_ratio(t->b, "llc");
    t->memory_bytes =
        term_product(g, "memory bytes an access", t->bytes, model_memory(t->b, "llc").moved);
}

/* --- latency ------------------------------------------------------------------------ */

/* The path behind L1: two crossings, L2, and memory for its misses. */
static int miss_latency(const struct terms *t)
{
    int crossing = model_parameter(t->b, "noc.latency");
    int memory = term_product(t->g, NULL, t->l2_misses, model_latency(t->b, "memory.latency"));
    return term_sum(t->g, "miss latency", crossing, crossing, model_latency(t->b, "llc.latency"),
                    memory);
}

/* A node of several SMs has as many times the capacity: a few cycles more for each doubling;
 * messages through NoC#1 take `dcl1.communication` in all. */
static int hit_latency(const struct terms *t)
{
    int latency = model_parameter(t->b, "l1.latency");
    double doublings = log2((double)t->noc.cores / t->noc.nodes);
    if (!t->noc.built)
        return latency;
    int larger = term_product(t->g, NULL, model_parameter(t->b, "dcl1.latency_growth"),
                              number(t, doublings));
    return term_sum(t->g, "hit latency", latency, larger,
                    model_parameter(t->b, "dcl1.communication"));
}

/* --- limits --------------------------------------------------------------------------- */

struct limits {
    const struct terms *t;
    int items[LIMITS_MAX], count;
};

/* capacity / load; no limit where the load is 0. */
static void limit_add(struct limits *limits, const char *name, const char *resource, int capacity,
                      int load)
{
    const struct terms *t = limits->t;
    int none = model_constant(t->b, "no limit", HUGE_VAL, DIM_HERTZ);
    int nothing = model_constant(t->b, NULL, 0, term_get(t->g, load)->dim);
    int used = term_operation(t->g, EXPRESSION_GREATER, NULL, 2, (int[]){load, nothing});
    int limit = term_operation(t->g, EXPRESSION_IF, name, 3,
                               (int[]){used, term_quotient(t->g, NULL, capacity, load), none});
    limits->items[limits->count++] = term_resource(t->g, limit, resource);
}

/* Warp instructions an access; of memory instructions alone where no others are known. */
static int instructions(const struct terms *t)
{
    bool all = !isnan(model_profile_record(t->b)->fields[FIELD_WARP_INSTRUCTIONS]);
    return per_access(t, "instructions an access",
                      all ? FIELD_WARP_INSTRUCTIONS : FIELD_WARP_ACCESSES);
}

/* Flits a second of NoC#2: ports at the nodes, ports at the slices, links between stages. */
static int noc2_capacity(const struct terms *t)
{
    struct term_graph *g = t->g;
    int nodes = term_product(g, "node ports", t->nodes, t->uniformity, t->noc2);
    int slices = term_product(g, "slice ports", t->slices, t->slice_uniformity, t->noc2);
    if (!t->noc.two_stage)
        return term_min(g, "NoC#2 capacity", nodes, slices);
    const struct dcl1_stage *first = &t->noc.stages[0];
    double slower = fmin(first->boost, t->noc.stages[1].boost);
    int links =
        term_product(g, "links between stages", number(t, (double)first->count * first->outputs),
                     boosted(t, NULL, slower));
    int cores =
        term_product(g, "SM ports", t->nodes, t->uniformity, boosted(t, NULL, first->boost));
    return term_min(g, "NoC#2 capacity", cores, links, slices);
}

/* SMs that get a thread block. */
static int working(const struct terms *t)
{
    double launches = (double)model_profile_record(t->b)->launches;
    int blocks = term_quotient(t->g, NULL, model_field(t->b, FIELD_CTAS),
                               number(t, launches > 0 ? launches : 1));
    return term_min(t->g, "working SMs", t->cores, blocks);
}

static double plain(const struct terms *t, const char *path)
{
    struct error ignored;
    double value;
    return machine_number(model_machine(t->b), path, &value, &ignored) ? 1 : value;
}

/* Warps that a working SM holds: those of the blocks that it has room for, and gets. Where the
 * record does not say how many threads a block has, as many as there may be. */
static int resident_warps(const struct terms *t)
{
    const struct profile_record *record = model_profile_record(t->b);
    double threads = (double)record->block[0] * record->block[1] * record->block[2];
    double launches = record->launches ? (double)record->launches : 1;
    double blocks = record->fields[FIELD_CTAS] / launches, each = ceil(threads / WARP);
    int most = model_parameter(t->b, "sm.warps");
    if (!(threads > 0) || !(blocks > 0))
        return most;
    double held = fmin(plain(t, "sm.ctas"), floor(plain(t, "sm.threads") / (each * WARP)));
    held = fmax(1, fmin(held, floor(plain(t, "sm.warps") / each)));
    held = fmin(held, ceil(blocks / fmin(t->noc.cores, blocks)));
    return term_min(t->g, "resident warps", most, number(t, held * each));
}

/* Accesses that all warps have in flight. */
static int population(const struct terms *t)
{
    int wide = term_quotient(t->g, "accesses an instruction", t->one,
                             per_access(t, NULL, FIELD_WARP_ACCESSES));
    return term_product(t->g, "accesses in flight", working(t), resident_warps(t),
                        model_accesses_under_way(t->b, 0), wide);
}

/* Accesses a second when `missing` reads an access go on to L2 and bring bytes with them. */
static int throughput(const struct terms *t, const char *name, int missing, int bytes)
{
    struct term_graph *g = t->g;
    struct model_builder *b = t->b;
    struct limits limits = {.t = t};
    int behind = miss_latency(t), waiting = term_difference(g, "reads", t->one, t->messages.writes);
    int fetched = term_sum(g, "fetched", missing, t->messages.atomics);
    limit_add(&limits, "issue limit", "issue",
              term_product(g, "issue", working(t), model_parameter(b, "sm.issue")),
              instructions(t));
    limit_add(&limits, "node limit", "nodes",
              term_product(g, "data ports", t->nodes, t->uniformity, t->clock), t->one);
    if (t->noc1 >= 0)
        limit_add(&limits, "NoC#1 limit", "noc1",
                  term_product(g, "NoC#1 capacity", t->nodes, t->uniformity, t->noc1),
                  dcl1_noc1_flits(t->b, &t->messages));
    limit_add(&limits, "NoC#2 limit", "noc2", noc2_capacity(t),
              dcl1_noc2_flits(t->b, &t->messages, missing));
    limit_add(&limits, "L2 limit", "llc",
              term_product(g, NULL, model_parameter(b, "llc.bandwidth"), t->slice_uniformity),
              bytes);
    limit_add(&limits, "memory limit", "memory", model_parameter(b, "memory.bandwidth"),
              t->memory_bytes);
    limit_add(&limits, "latency limit", "latency", population(t),
              term_sum(g, "read latency", term_product(g, NULL, waiting, hit_latency(t)),
                       term_product(g, NULL, fetched, behind)));
    limit_add(&limits, "MSHR limit", "mshrs",
              term_product(g, "MSHRs", t->cores, model_parameter(b, "l1.mshrs")),
              term_product(g, NULL, missing, behind));
    return term_operation(g, EXPRESSION_MIN, name, limits.count, limits.items);
}

/* --- metrics ----------------------------------------------------------------------------- */

/* A node sends a line in as many cycles of its port as it has flits, and reads at most a line a
 * cycle of its SMs' clock. */
static void set_peaks(const struct terms *t)
{
    struct term_graph *g = t->g;
    struct model_builder *b = t->b;
    int cycle = model_constant(b, NULL, 1, DIM_CYCLES);
    int line = model_parameter(b, "line");
    int private = term_product(g, NULL, t->cores, line);
    int ports = private, si = term_product(g, NULL, private, t->clock);
    if (t->noc.built) {
        int flits = dcl1_message_flits(b, "flits of a line", line);
        int sent = term_quotient(g, "a port's line", line, flits);
        int boosted = term_product(g, NULL, sent, number(t, t->noc.stages[0].boost));
        ports = term_product(g, NULL, t->nodes, term_min(g, NULL, line, boosted));
        si = term_product(g, NULL, t->nodes,
                          term_min(g, NULL, term_product(g, NULL, line, t->clock),
                                   term_product(g, NULL, sent, t->noc1)));
    }
    model_set_metric(b, "l1_peak_cycle", term_quotient(g, NULL, ports, cycle));
    model_set_metric(b, "l1_peak_drop", term_quotient(g, NULL, private, ports));
    model_set_metric(b, "l1_peak_bandwidth", si);
}

static void set_utilisation(const struct terms *t, int rate)
{
    static const struct {
        const char *mean, *hottest;
    } names[] = {{"node_utilisation", "node_hottest"},
                 {"noc1_utilisation", "noc1_hottest"},
                 {"noc2_utilisation", "noc2_hottest"}};
    struct term_graph *g = t->g;
    int clocks[] = {t->clock, t->noc1, t->noc2};
    for (int i = 0; i < 3; i++) {
        if (clocks[i] < 0) { /* no NoC#1 */
            model_set_metric(t->b, names[i].mean, t->zero);
            model_set_metric(t->b, names[i].hottest, t->zero);
            continue;
        }
        int load = i == 0   ? t->one
                   : i == 1 ? dcl1_noc1_flits(t->b, &t->messages)
                            : dcl1_noc2_flits(t->b, &t->messages, t->messages.missing);
        int mean = term_quotient(g, NULL, term_product(g, NULL, rate, load),
                                 term_product(g, NULL, t->nodes, clocks[i]));
        model_set_metric(t->b, names[i].mean, mean);
        model_set_metric(t->b, names[i].hottest, term_quotient(g, NULL, mean, t->uniformity));
    }
}

static bool is_named(const struct machine *machine, const char *path, const char *value)
{
    struct error unknown;
    const char *name;
    return machine_name(machine, path, &name, &unknown) == 0 && strcmp(name, value) == 0;
}

/* Curves of the lookups: what larger L1s would give, of the baseline, is read from them, and the
 * closed form of replication. No time of a design depends on them. A perfect L1 misses nothing that
 * a larger one would have, and holds more than the closed form is told. */
static bool reads_curves(const struct machine *machine, const struct dcl1_noc *noc)
{
    if (is_named(machine, "l1.contents", "perfect") || is_named(machine, "dcl1.predict", "none"))
        return false;
    return is_named(machine, "dcl1.predict", "always") || (!noc->built && !noc->full);
}

/* Curves of the lookups: of one L1 (a node's, or its cluster's together), and of all. */
struct sharing_context {
    const struct curve *unit, *all;
    double units;
    bool copies;
};

static double predict_sharing(const void *context, const double *args)
{
    const struct sharing_context *c = context;
    struct dcl1_replication r = dcl1_replication(c->unit, c->all, c->units, args[0] / args[1]);
    return c->copies ? r.copies : r.elsewhere;
}

static const struct profile_curve *lookups(const struct terms *t, const char *scope)
{
    return profile_curve_find(model_profile_record(t->b), scope, "requester", "lookups");
}

static const struct profile_curve *unit_lookups(const struct terms *t)
{
    bool private = t->noc.clusters == t->noc.nodes;
    return lookups(t, !private ? "cluster" : t->noc.nodes < t->noc.cores ? "group" : "sm");
}

/* Caches without lookups hold nothing. */
static double working_units(const struct profile_curve *curve, double units)
{
    double n = 0;
    for (size_t i = 0; i < curve->n_domains; i++)
        n += curve->domain_requests[i] > 0;
    return n > 0 ? n : units;
}

static void set_predictions(const struct terms *t)
{
    const struct profile_curve *unit = unit_lookups(t), *all = lookups(t, "chip");
    if (!unit || !all || unit->curve.requests == 0)
        return;
    for (int copies = 0; copies < 2; copies++) {
        struct sharing_context *context = arena_alloc(model_arena(t->b), sizeof *context);
        *context = (struct sharing_context){
            .unit = &unit->curve,
            .all = &all->curve,
            .units = working_units(unit, t->noc.clusters),
            .copies = copies,
        };
        int capacity = term_product(t->g, NULL, model_parameter(t->b, "l1.capacity"),
                                    number(t, (double)t->noc.cores / t->noc.clusters));
        int args[] = {capacity, model_parameter(t->b, "line")};
        const char *name = copies ? "l1_copies_predicted" : "replication_predicted";
        model_set_metric(t->b, name,
                         term_call(t->g, name, DIM_NONE, predict_sharing, context, 2, args));
    }
}

/* Of the baseline: replication, misses, and what 16 times the capacity would give. What comes
 * from memory stays. */
static void set_sensitivity(const struct terms *t, int ratio, int miss_rate, int rate)
{
    struct term_graph *g = t->g;
    if (t->noc.built || t->noc.full || !lookups(t, "sm"))
        return;
    int capacity = model_parameter(t->b, "l1.capacity"), ways = model_parameter(t->b, "l1.ways");
    struct model_cache now = {"sm", "requester", "lookups", false, capacity, ways}, larger = now;
    larger.capacity = term_product(g, NULL, capacity, number(t, LARGER_L1));
    int fewer = term_min(g, "misses left", t->one,
                         term_quotient(g, NULL, model_cache_miss_ratio(t->b, &larger),
                                       model_cache_miss_ratio(t->b, &now)));
    int missing = term_product(g, NULL, t->messages.missing, fewer);
    int saved = term_difference(g, NULL, t->messages.missing, missing);
    int per_request =
        term_quotient(g, NULL, model_field(t->b, FIELD_BYTES), model_field(t->b, FIELD_REQUESTS));
    int bytes = term_difference(g, NULL, t->bytes, term_product(g, NULL, saved, per_request));
    int gain = term_quotient(g, "gain of 16 times the capacity",
                             throughput(t, "larger L1", missing, bytes), rate);
    int above[3] = {
        term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){ratio, number(t, SENSITIVE_RATIO)}),
        term_operation(g, EXPRESSION_GREATER, NULL, 2,
                       (int[]){miss_rate, number(t, SENSITIVE_MISSES)}),
        term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){gain, number(t, SENSITIVE_GAIN)}),
    };
    int two = term_operation(g, EXPRESSION_AND, NULL, 2, above);
    model_set_metric(t->b, "larger_l1_gain", gain);
    model_set_metric(t->b, "replication_sensitive",
                     term_operation(g, EXPRESSION_AND, NULL, 2, (int[]){two, above[2]}));
}

/* a / b, 0 where b is 0. */
static int share(const struct terms *t, const char *name, int a, int b)
{
    int some = term_operation(t->g, EXPRESSION_GREATER, NULL, 2, (int[]){b, t->zero});
    return term_operation(t->g, EXPRESSION_IF, name, 3,
                          (int[]){some, term_quotient(t->g, NULL, a, b), t->zero});
}

static void set_replication(const struct terms *t, int rate)
{
    struct term_graph *g = t->g;
    int reads = model_field(t->b, FIELD_L1_READS);
    int misses = term_difference(g, "L1 misses", reads, model_field(t->b, FIELD_L1_READ_HITS));
    int miss_rate = share(t, "L1 miss rate", misses, reads);
    model_set_metric(t->b, "l1_miss_rate", miss_rate);
    model_set_metric(t->b, "l1_uniformity", t->uniformity);
    model_name(t->b, "dcl1.predict");
    bool curves = reads_curves(model_machine(t->b), &t->noc);
    if (curves)
        set_predictions(t);
    const double *fields = model_profile_record(t->b)->fields;
    if (!isnan(fields[FIELD_L1_COPIES])) {
        int copies = model_field(t->b, FIELD_L1_COPIES);
        model_set_metric(t->b, "l1_copies", copies);
        model_set_metric(t->b, "l1_replicas", term_difference(g, "replicas", copies, t->one));
    }
    if (isnan(fields[FIELD_L1_MISSES_ELSEWHERE]))
        return;
    int ratio = share(t, "replication ratio", model_field(t->b, FIELD_L1_MISSES_ELSEWHERE), misses);
    model_set_metric(t->b, "replication_ratio", ratio);
    if (curves)
        set_sensitivity(t, ratio, miss_rate, rate);
}

static void dcl1_build(struct model_builder *b)
{
    struct terms t = {.b = b, .g = model_graph(b)};
    if (!dcl1_noc_build(b, &t.noc))
        return;
    model_refuse_replication(b);
    read_machine(&t);
    read_record(&t);
    int rate = throughput(&t, "accesses a second", t.messages.missing, t.bytes);
    int asked = term_product(t.g, NULL, per_access(&t, NULL, FIELD_SECTOR_ACCESSES),
                             model_constant(b, "sector", SECTOR, DIM_BYTES));
    model_set_metric(b, "effective_bandwidth", term_product(t.g, "bandwidth", rate, t.bytes));
    model_set_metric(b, "l1_rate", rate);
    model_set_metric(b, "l1_bandwidth", term_product(t.g, "L1 bandwidth", rate, asked));
    model_set_metric(b, "l1_hit_latency", hit_latency(&t));
    set_peaks(&t);
    set_utilisation(&t, rate);
    set_replication(&t, rate);
    model_set_metric(b, "noc_extrapolated", number(&t, dcl1_noc_largest(&t.noc) > DCL1_LAW_PORTS));
    model_set_stream(b, "all", rate);
}

/* Where it refuses the machine, it needs nothing. */
static unsigned dcl1_parts(const struct machine *machine)
{
    struct dcl1_noc noc;
    struct error ignored;
    if (dcl1_noc_read(machine, &noc, &ignored))
        return PART_BASE;
    return reads_curves(machine, &noc) ? PART_L1 : PART_BASE;
}

/* Nodes of any machine, whose ports the simulation has as well. */
static int dcl1_check(const struct machine *machine, struct error *error)
{
    struct dcl1_noc noc;
    struct error ignored;
    double nodes = 0;
    if (machine_number(machine, "l1.nodes", &nodes, &ignored) || nodes == 0)
        return 0;
    return dcl1_noc_read_chip(machine, &noc, error);
}

/* The paper has ports, crossbars and their clocks, and prints no bound over them. */
static const struct model_source dcl1_sources[] = {
    {"bandwidth", "ours", "x bytes"},
    {"accesses a second", "ours", "x"},
    {"issue limit", "ours", "X issue/i"},
    {"node limit", "section 3", "Y f u"},
    {"NoC#1 limit", "section 3", "Y f1 u/flits"},
    {"NoC#2 limit", "section 3", "min(Y u, L LSU) f2/flits"},
    {"L2 limit", "Table 2", "B_LLC LSU/bytes"},
    {"memory limit", "Table 2", "B_mem/(m_L2 bytes)"},
    {"latency limit", "Little's law", "X warps k/latency"},
    {"MSHR limit", "Little's law", "X mshrs/(q latency)"},
    {"bytes an access", "ours", "bytes"},
    {NULL, NULL, NULL}};

const struct model model_dcl1 = {
    .plugin = {"model", "dcl1", "bandwidth of L1s in nodes outside the SMs: limits and replication",
               "DC-L1, HPCA 2021; the bound: ours", dcl1_parameters},
    .sources = dcl1_sources,
    .answer = "bottleneck at the given mix",
    .validity = "one chip, L1 nodes joined with the L2 slices (the section llc) directly; an upper "
                "bound: no contention below saturation",
    .page = "x = min over resources of capacity / what a line access takes of it\n\n"
            "resource  capacity              an access takes\n"
            "issue     X issue               warp instructions\n"
            "nodes     Y f u                 1: a line a cycle\n"
            "noc1      Y f1 u                max(1 + (w+a)(W-1), (1-w-a) D + w + a W) flits\n"
            "noc2      min(Y u, L LSU) f2    max(q + (w+a) W, q B + w + a W) flits\n"
            "llc       B_LLC LSU             bytes behind L1\n"
            "memory    B_mem                 m_L2 of these\n"
            "latency   X resident warps k    (1-w) hit latency + (q+a) miss latency\n"
            "mshrs     X mshrs               q miss latency\n\n"
            "X SMs, Y nodes, L slices; f, f1, f2 clocks; u, LSU uniformity of nodes and slices;\n"
            "w, a, q writes, atomics, reads to L2 an access; D, W, B whole flits of what reads\n"
            "ask for, writes carry, of a line. replication_ratio and l1_copies: du/dt = M_u(u)/n,\n"
            "dD/dt = M_all(D), copies = n u/D, elsewhere = 1 - M_all(D)/M_u(u).",
    .machine = "dcl1",
    /* Crossbars: of whole flits and requests of its own (dcl1.flit), without headers. */
    .counts = MODEL_COUNTS_NODES | MODEL_COUNTS_NOC_MESSAGES,
    .parts_of = dcl1_parts,
    .check = dcl1_check,
    .metrics = dcl1_metrics,
    .build = dcl1_build,
};
