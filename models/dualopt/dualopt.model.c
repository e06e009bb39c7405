/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DualOpt: remote requests of a multi-GPU system are coalesced at the granularity of what
 * lanes use, or cached at the requester, as a decision engine finds. The engine, the variants
 * of the machine, and the choice; what each design yields is in designs.c.
 *
 *     remote reads < 2 % of the reads that look up L1           local-dominated   as it is
 *     else used part of a fetched remote line < 0.2
 *          and L1 hit rate of remote reads < 0.4                cache-insensitive coalescing
 *     else                                                      cache-friendly    RDMA cache
 *
 * Source: DualOpt, PACT 2022. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dualopt/access_class.h"
#include "dualopt/designs.h"

/* --- variants ------------------------------------------------------------------------------- */

/* The RDMA cache, and levels before the home's L2 that are none. */
static bool has_levels(const struct system *system, bool rdma)
{
    for (uint32_t i = 0; i < system_between(system); i++)
        if ((strcmp(system_level(system, i)->name, "rdma") == 0) == rdma)
            return true;
    return false;
}

static bool named(const struct machine *machine, const char *path, const char *value)
{
    struct error ignored;
    const char *name = "";
    return machine_name(machine, path, &name, &ignored) == 0 && strcmp(name, value) == 0;
}

/* Why the model does not apply to a machine; NULL: it does. */
static const char *machine_obstacle(const struct machine *machine)
{
    struct system system;
    struct error ignored;
    double granularity = 4;
    machine_number(machine, "dualopt.granularity", &granularity, &ignored);
    if (system_compile(&system, machine, 0, &ignored))
        return "the machine says too little";
    if (has_levels(&system, true) || system_l1(&system)->bypassed_remote)
        return "it compares the machine with and without an RDMA cache and L1 bypass: leave "
               "rdma.capacity and l1.bypass out, dualopt.rdma_capacity is the cache's";
    if (has_levels(&system, false))
        return "levels between L1 and the home's L2 (l2, l15) are not in its equations";
    if (system.partitions > 1 || system.point_to_point)
        return "the GPUs of its equations have one memory each: partitions must be 1";
    if (system.sectors > 1)
        return "pieces of a line stand in the place of sectors: sectors must be 1";
    if (system.line_bytes > 256)
        return "lines above 256 B are not profiled in pieces of 4 bytes";
    if (granularity != 4 && granularity != 8 && granularity != 16)
        return "dualopt.granularity: pieces of 4, 8 and 16 bytes are profiled";
    bool cached = named(machine, "dualopt.design", "engine") ||
                  named(machine, "dualopt.design", dualopt_design_names[RDMA_CACHE]);
    if (cached && !machine_has(machine, "rdma"))
        return "the machine does not say what an RDMA cache is like: it needs a section such as "
               "rdma: {filter: remote, write: back, ways: 16, bandwidth: 1 TB/s}";
    return NULL;
}

/* Values of dualopt.design; DUALOPT_DESIGNS: the engine. */
static int design_of(const char *name)
{
    int design = 0;
    while (design < DUALOPT_DESIGNS && strcmp(name, dualopt_design_names[design]) != 0)
        design++;
    return design;
}

/* Where the model does not apply, nothing is profiled for it. */
static unsigned dualopt_parts(const struct machine *machine)
{
    return machine_obstacle(machine) ? PART_BASE : PART_LOCALITY | PART_SAMPLERS;
}

static int dualopt_vary(struct machine *machine, int variant, struct error *error)
{
    const char *name;
    struct parameter from;
    const char *obstacle = machine_obstacle(machine);
    if (obstacle)
        return error_set(error, STATUS_INFEASIBLE, "%s", obstacle);
    int status = machine_name(machine, "dualopt.design", &name, error);
    if (status)
        return status;
    int design = design_of(name);
    if (design != DUALOPT_DESIGNS &&
        dualopt_variant_of((enum dualopt_design)design) != (enum dualopt_variant)variant)
        return 0;
    if (variant == L1_BYPASSED) {
        status = machine_set(machine, "l1.bypass", "remote", NULL, error);
        return status ? status : 1;
    }
    status = machine_find(machine, "dualopt.rdma_capacity", &from, error);
    if (!status)
        status =
            machine_set_value(machine, "rdma.capacity", &from.section->values[from.index], error);
    return status ? status : 1;
}

/* --- what simulations build ----------------------------------------------------------------- */

/* The design that the engine, or who names one, chose. */
static int design_said(const struct machine *machine, const struct model_result *said,
                       const double *values, struct error *error)
{
    const char *name, *decide;
    int status = machine_name(machine, "dualopt.design", &name, error);
    if (!status)
        status = machine_name(machine, "dualopt.decide", &decide, error);
    if (status)
        return status;
    int design = design_of(name);
    if (design != DUALOPT_DESIGNS)
        return design;
    bool window = strcmp(decide, "window") == 0;
    double class = values[model_result_metric(said, window ? "window_class" : "class")];
    return class == ACCESS_CACHE_INSENSITIVE ? COALESCING
           : class == ACCESS_CACHE_FRIENDLY  ? RDMA_CACHE
                                             : BASELINE;
}

/* The RDMA cache's bytes come out of the L2, as in read_l2() of designs.c. */
static int shrink_l2(struct machine *machine, struct error *error)
{
    double capacity, rdma, ways, line;
    char text[40];
    int status = machine_number(machine, "llc.capacity", &capacity, error);
    if (!status)
        status = machine_number(machine, "dualopt.rdma_capacity", &rdma, error);
    if (!status)
        status = machine_number(machine, "llc.ways", &ways, error);
    if (!status)
        status = machine_number(machine, "line", &line, error);
    if (status)
        return status;
    snprintf(text, sizeof text, "%.0f B", fmax(capacity - rdma, ways * line));
    return machine_set(machine, "llc.capacity", text, NULL, error);
}

/* Pieces go past L1, in packets as the design says. */
static int dualopt_stand(struct machine *machine, const struct model_result *said,
                         const double *values, struct error *error)
{
    const char *name, *shrinks;
    int design = said ? design_said(machine, said, values, error) : BASELINE;
    int status = design < 0 ? design : machine_name(machine, "dualopt.design", &name, error);
    if (!status)
        status = machine_name(machine, "dualopt.l2_shrinks", &shrinks, error);
    if (status)
        return status;
    bool packed = design == COALESCING || design == FINE_GRAINED;
    bool always = said && design_of(name) == DUALOPT_DESIGNS && strcmp(shrinks, "always") == 0;
    int variant = (int)dualopt_variant_of((enum dualopt_design)design);
    if (design == RDMA_CACHE || always)
        status = shrink_l2(machine, error);
    if (!status && variant != AS_IT_IS)
        status = dualopt_vary(machine, variant, error);
    /* Simulations of the same machine are the same, whatever named it. */
    if (status >= 0)
        status = machine_set(machine, "dualopt.design",
                             dualopt_design_names[packed ? design : BASELINE], NULL, error);
    return status < 0 ? status : variant;
}

/* --- the engine ----------------------------------------------------------------------------- */

struct engine {
    double remote, use, hit; /* of the whole run, or of the window; NaN: nothing was seen */
};

/* A field of the record, where it counts something; the error of an unknown one is noted. */
static double known_field(struct model_builder *b, const struct profile_record *record,
                          enum profile_field field)
{
    double value = record->fields[field];
    if (isnan(value) && isnan(model_profile_record(b)->fields[field]))
        model_field(b, field);
    return isnan(value) ? 0 : value;
}

/* Exact statistics of the run; line use is weighted by fetches. */
static struct engine engine_of_run(struct model_builder *b)
{
    const struct profile_view *view = model_profile_view(b);
    double reads = 0, remote = 0, hits = 0, fetches = 0, used = 0;
    for (size_t r = 0; r < view->n_records; r++) {
        const struct profile_record *record = &view->records[r];
        if (record->fields[FIELD_REQUESTS] == 0)
            continue;
        double own = known_field(b, record, FIELD_L1_REMOTE_READS);
        double own_hits = known_field(b, record, FIELD_L1_REMOTE_READ_HITS);
        reads += known_field(b, record, FIELD_L1_READS);
        remote += own;
        hits += own_hits;
        if (own <= own_hits) /* nothing was fetched */
            continue;
        fetches += own - own_hits;
        used += (own - own_hits) * known_field(b, record, FIELD_LINE_USE);
    }
    return (struct engine){remote / reads, used / fetches, hits / remote};
}

/* The window's, of the run: each record has what was seen so far. */
static struct engine engine_of_window(struct model_builder *b)
{
    enum profile_field remote = model_field_number(b, "engine.remote_ratio");
    enum profile_field use = model_field_number(b, "engine.line_use");
    enum profile_field hit = model_field_number(b, "engine.remote_l1_hit");
    const struct profile_view *view = model_profile_view(b);
    struct engine engine = {(double)NAN, (double)NAN, (double)NAN};
    for (size_t r = 0; r < view->n_records; r++) {
        const double *fields = view->records[r].fields;
        if (!isnan(fields[remote]))
            engine = (struct engine){fields[remote], fields[use], fields[hit]};
    }
    return engine;
}

static int above(struct model_builder *b, double value, const char *name, const char *threshold)
{
    int terms[] = {model_constant(b, name, value, DIM_NONE), model_parameter(b, threshold)};
    return term_operation(model_graph(b), EXPRESSION_LESS, NULL, 2, terms);
}

/* enum access_class as a term. Nothing seen: undecided, or local where the run is known. */
static int engine_class(struct model_builder *b, const struct engine *engine, int nothing)
{
    struct term_graph *g = model_graph(b);
    if (isnan(engine->remote))
        return model_constant(b, NULL, nothing, DIM_NONE);
    /* Nothing fetched: no line is used badly. */
    int little = above(b, isnan(engine->use) ? 1 : engine->use, "used part of remote lines",
                       "dualopt.use_threshold");
    int rarely = above(b, isnan(engine->hit) ? 0 : engine->hit, "remote reads that hit L1",
                       "dualopt.hit_threshold");
    int both = term_operation(g, EXPRESSION_AND, NULL, 2, (int[]){little, rarely});
    int cached =
        term_operation(g, EXPRESSION_IF, NULL, 3,
                       (int[]){both, model_constant(b, NULL, ACCESS_CACHE_INSENSITIVE, DIM_NONE),
                               model_constant(b, NULL, ACCESS_CACHE_FRIENDLY, DIM_NONE)});
    int local = above(b, engine->remote, "remote reads", "dualopt.remote_threshold");
    return term_operation(
        g, EXPRESSION_IF, "class", 3,
        (int[]){local, model_constant(b, NULL, ACCESS_LOCAL_DOMINATED, DIM_NONE), cached});
}

static struct dualopt_terms engine_choose(struct model_builder *b, int class, int bytes)
{
    struct term_graph *g = model_graph(b);
    bool shrunk = strcmp(model_name(b, "dualopt.l2_shrinks"), "always") == 0;
    struct dualopt_terms as_is = dualopt_design_build(b, BASELINE, shrunk, bytes);
    struct dualopt_terms coalesced = dualopt_design_build(b, COALESCING, shrunk, bytes);
    struct dualopt_terms cached = dualopt_design_build(b, RDMA_CACHE, true, bytes);
    struct dualopt_terms out;
    int insensitive =
        term_operation(g, EXPRESSION_EQUAL, NULL, 2,
                       (int[]){class, model_constant(b, NULL, ACCESS_CACHE_INSENSITIVE, DIM_NONE)});
    int friendly =
        term_operation(g, EXPRESSION_EQUAL, NULL, 2,
                       (int[]){class, model_constant(b, NULL, ACCESS_CACHE_FRIENDLY, DIM_NONE)});
    for (int v = 0; v < DUALOPT_VALUES; v++) {
        int rest =
            term_operation(g, EXPRESSION_IF, NULL, 3, (int[]){friendly, cached.of[v], as_is.of[v]});
        out.of[v] =
            term_operation(g, EXPRESSION_IF, NULL, 3, (int[]){insensitive, coalesced.of[v], rest});
    }
    return out;
}

/* --- the model ------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    enum dualopt_value value;
} value_metrics[] = {
    {"effective_bandwidth", BANDWIDTH},  {"fabric_bytes", FABRIC_BYTES},
    {"memory_latency", MEMORY_LATENCY},  {"latency_local", LATENCY_LOCAL},
    {"latency_before", LATENCY_BEFORE},  {"latency_link", LATENCY_LINK},
    {"latency_after", LATENCY_AFTER},    {"loaded_latency", LOADED_LATENCY},
    {"remote_latency", REMOTE_LATENCY},  {"packet_fill", PACKET_FILL},
    {"coalescing_potential", POTENTIAL}, {"coalescing_potential_bounded", POTENTIAL_BOUNDED},
    {"rdma_hit_rate", RDMA_HIT_RATE},    {"llc_hit_rate", LLC_HIT_RATE},
    {"vain_waits", VAIN_WAITS},
};

static void set_engine_metrics(struct model_builder *b, const struct engine *engine, int class,
                               int window_class)
{
    model_set_metric(b, "class", class);
    model_set_metric(b, "window_class", window_class);
    model_set_metric(b, "remote_ratio",
                     model_constant(b, NULL, isnan(engine->remote) ? 0 : engine->remote, DIM_NONE));
    if (!isnan(engine->use))
        model_set_metric(b, "remote_line_use", model_constant(b, NULL, engine->use, DIM_NONE));
    if (!isnan(engine->hit))
        model_set_metric(b, "remote_l1_hit", model_constant(b, NULL, engine->hit, DIM_NONE));
}

/* Packets save what goes with their data. */
static void warn_of_raw_links(struct model_builder *b)
{
    static const char *const sizes[] = {"chips", "inter.read_request", "inter.read_response",
                                        "inter.write_request", "inter.write_response"};
    double values[5] = {0}, all = 0;
    struct error ignored;
    for (int i = 0; i < 5; i++)
        machine_number(model_machine(b), sizes[i], &values[i], &ignored);
    for (int i = 1; i < 5; i++)
        all += values[i];
    if (values[0] > 1 && all == 0)
        model_warn(b, "optimistic: the machine does not say what goes with the data of messages "
                      "(inter.read_request, inter.read_response, ...): links carry data alone");
}

static void dualopt_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    const char *obstacle = machine_obstacle(model_machine(b));
    const struct system_level *llc = model_level(b, "llc");
    if (!obstacle && (llc->side != SIDE_HOME || llc->filter != FILTER_ALL))
        obstacle = "the L2 of its equations is memory-side: set llc.organisation to memory-side";
    if (!obstacle && model_profile_view(b)->n_keys == 0 &&
        isnan(model_profile_record(b)->fields[FIELD_HOME_REQUESTS]))
        obstacle = "it needs counts of requests (home_requests and others), not shares of them";
    if (obstacle) {
        model_refuse(b, "%s", obstacle);
        return;
    }
    model_refuse_partitions(b);
    model_refuse_replication(b);
    warn_of_raw_links(b);
    model_select(b, AS_IT_IS);
    int bytes = term_product(g, "bytes of the work", model_field(b, FIELD_REQUESTS),
                             model_parameter(b, "line"));
    struct engine run = engine_of_run(b), window = engine_of_window(b);
    int class = engine_class(b, &run, ACCESS_LOCAL_DOMINATED);
    int window_class = engine_class(b, &window, ACCESS_UNDECIDED);
    bool by_window = strcmp(model_name(b, "dualopt.decide"), "window") == 0;
    int design = design_of(model_name(b, "dualopt.design"));
    struct dualopt_terms baseline = dualopt_design_build(b, BASELINE, false, bytes);
    struct dualopt_terms chosen = baseline;
    if (design == DUALOPT_DESIGNS)
        chosen = engine_choose(b, by_window ? window_class : class, bytes);
    else if (design != BASELINE)
        chosen = dualopt_design_build(b, (enum dualopt_design)design, false, bytes);
    for (size_t i = 0; i < sizeof value_metrics / sizeof *value_metrics; i++)
        model_set_metric(b, value_metrics[i].name, chosen.of[value_metrics[i].value]);
    model_set_metric(b, "kernel_time",
                     term_quotient(g, "kernel_time", bytes, chosen.of[BANDWIDTH]));
    model_set_metric(b, "speedup",
                     term_quotient(g, "speedup", chosen.of[BANDWIDTH], baseline.of[BANDWIDTH]));
    model_set_metric(b, "fabric_bytes_baseline", baseline.of[FABRIC_BYTES]);
    set_engine_metrics(b, &run, class, window_class);
    model_set_stream(b, "all", chosen.of[BANDWIDTH]);
}

#define ROW(f, k, d, lo, hi, def, st, h)                                                           \
    {                                                                                              \
        f, k, d, lo, hi, def, NULL, NULL, "model", st, h, NULL                                     \
    }
#define BUILT(r, f, k, d, lo, hi, def, st, h)                                                      \
    {                                                                                              \
        .field = f, .kind = k, .dim = d, .min = lo, .max = hi, .fallback = def, .per = "model",    \
        .structure = st, .help = h, .role = r                                                      \
    }
#define CHOICE(f, choices, def, h)                                                                 \
    {                                                                                              \
        f, PARAMETER_NAME, IN_PLAIN, 0, 0, def, choices, NULL, "model", STRUCTURE_MODEL, h, NULL   \
    }

static const struct parameter_row dualopt_parameters[] = {
    {.field = "design",
     .kind = PARAMETER_NAME,
     .dim = IN_PLAIN,
     .fallback = "engine",
     .names = "engine baseline bypass fine-grained coalescing rdma",
     .per = "model",
     .structure = STRUCTURE_MODEL,
     .help = "how remote requests are served; engine: as the decision engine finds",
     .role = ROLE_PACKET_DESIGN},
    CHOICE("decide", "run window", "run",
           "what the engine looks at: the run, or the window that the hardware sees"),
    CHOICE("l2_shrinks", "rdma always", "rdma",
           "when the L2 gives dualopt.rdma_capacity away (engine): with the RDMA cache, or for "
           "all classes"),
    BUILT(ROLE_PACKET_PIECE, "granularity", PARAMETER_QUANTITY, IN_BYTES, 4, 16, "4 B",
          STRUCTURE_MODEL, "bytes of a piece: 4, 8 or 16"),
    BUILT(ROLE_PACKET_PAYLOAD, "payload", PARAMETER_QUANTITY, IN_BYTES, 1, 65536, "64 B",
          STRUCTURE_NONE, "bytes of a packet behind its header"),
    BUILT(ROLE_PACKET_ID, "id", PARAMETER_QUANTITY, IN_BYTES, 0, 64, "2 B", STRUCTURE_NONE,
          "what says whose piece it is, with every piece"),
    BUILT(ROLE_PACKET_HEADER, "header", PARAMETER_QUANTITY, IN_BYTES, 0, 4096, NULL, STRUCTURE_NONE,
          "what goes with the pieces of a packet; not given: inter.read_response, as with a line"),
    BUILT(ROLE_PACKET_TIMEOUT, "timeout", PARAMETER_QUANTITY, IN_SECONDS, 0, 1, "30 cycles",
          STRUCTURE_NONE, "after which a packet leaves that is not full"),
    BUILT(ROLE_PACKET_BUFFER, "buffer", PARAMETER_COUNT, IN_PLAIN, 1, 65536, "64", STRUCTURE_NONE,
          "pieces that wait for one destination, at most"),
    ROW("rdma_capacity", PARAMETER_QUANTITY, IN_BYTES, 1024, 0x1p44, "1.5 MiB", STRUCTURE_MODEL,
        "of the RDMA cache of a GPU; its L2 keeps llc.capacity less this"),
    ROW("remote_threshold", PARAMETER_NUMBER, IN_PLAIN, 0, 1, "0.02", STRUCTURE_NONE,
        "share of remote reads below which a workload is local-dominated"),
    ROW("use_threshold", PARAMETER_NUMBER, IN_PLAIN, 0, 1, "0.2", STRUCTURE_NONE,
        "used part of remote lines below which caching them may not pay"),
    ROW("hit_threshold", PARAMETER_NUMBER, IN_PLAIN, 0, 1, "0.4", STRUCTURE_NONE,
        "L1 hit rate of remote reads below which caching them may not pay"),
    {.field = NULL},
};

static const struct model_metric dualopt_metrics[] = {
    {"speedup", IN_PLAIN, COMBINE_TIME, "over the machine as it is (design baseline)"},
    {"class", IN_PLAIN, COMBINE_MEAN,
     "engine on the run: 1 local-dominated, 2 cache-insensitive, 3 cache-friendly"},
    {"window_class", IN_PLAIN, COMBINE_MEAN, "engine on its window; 0: undecided"},
    {"remote_ratio", IN_PLAIN, COMBINE_MEAN, "remote share of the reads that look up L1"},
    {"remote_line_use", IN_PLAIN, COMBINE_MEAN, "used part of a fetched remote line"},
    {"remote_l1_hit", IN_PLAIN, COMBINE_MEAN, "L1 hit rate of remote reads"},
    {"fabric_bytes", IN_BYTES, COMBINE_SUM, "flits that leave GPUs, headers too, in bytes"},
    {"fabric_bytes_baseline", IN_BYTES, COMBINE_SUM, "the same of the machine as it is"},
    {"memory_latency", IN_SECONDS, COMBINE_MEAN,
     "of a read access, L1 hits too, on an idle machine: the four parts add up to it"},
    {"latency_local", IN_SECONDS, COMBINE_MEAN, "part of reads that cross no link"},
    {"latency_before", IN_SECONDS, COMBINE_MEAN, "part of remote reads before the link"},
    {"latency_link", IN_SECONDS, COMBINE_MEAN, "part in the link, with waits for packets"},
    {"latency_after", IN_SECONDS, COMBINE_MEAN, "part after the link"},
    {"loaded_latency", IN_SECONDS, COMBINE_MEAN,
     "of a read access when all MSHRs are busy at this bandwidth (Little's law)"},
    {"remote_latency", IN_SECONDS, COMBINE_MEAN, "of a read that crosses the links, idle"},
    {"packet_fill", IN_PLAIN, COMBINE_MEAN, "pieces in a packet; 0: lines are sent"},
    {"vain_waits", IN_PLAIN, COMBINE_MEAN,
     "remote read requests that wait for the whole timeout and nobody comes, of all"},
    {"coalescing_potential", IN_PLAIN, COMBINE_MEAN,
     "share of remote read requests whose line the GPU has asked for"},
    {"coalescing_potential_bounded", IN_PLAIN, COMBINE_MEAN, "the same among the last 64 lines"},
    {"rdma_hit_rate", IN_PLAIN, COMBINE_MEAN, "hit rate of the RDMA cache"},
    {"llc_hit_rate", IN_PLAIN, COMBINE_MEAN, "hit rate of the L2"},
    {.name = NULL},
};

static const char *const dualopt_levels[] = {"rdma", NULL};

/* The paper has what each design sends, and no equation for its time. */
static const struct model_source dualopt_sources[] = {
    {"noc", "ours", "B_intra bytes/load"},
    {"noc reply", "ours", "B_intra bytes/replies"},
    {"llc", "ours", "B_LLC LSU bytes/load"},
    {"memory", "ours", "B_memory bytes/load"},
    {"rdma", "ours", "C B_rdma bytes/lookups"},
    {"inter", "ours, of its packets", "B_link bytes/flits"},
    {"mshrs", "Little's law", "SMs mshrs bytes/latency"},
    {"bypass buffer", "Little's law", "SMs buffer bytes/latency"},
    {"warps", "Little's law", "SMs warps bytes/latency"},
    {NULL, NULL, NULL}};

const struct model model_dualopt = {
    .plugin = {"model", "dualopt",
               "remote requests between GPUs: pieces in shared packets, or an RDMA cache",
               "DualOpt, PACT 2022; the bound: ours", dualopt_parameters, .levels = dualopt_levels},
    .sources = dualopt_sources,
    .answer = "bottleneck at the given mix",
    .validity = "GPUs with a memory-side L2, lines up to 256 B without sectors; "
                "bandwidth is an upper bound, latencies are those of an idle "
                "machine; the numbers of a hand-made profile are taken for those of the design "
                "that is asked for",
    .machine = "dualopt",
    .page =
        "time = max over resources of load / capacity, BW = bytes of the work / time\n\n"
        "resource  load                                    capacity\n"
        "inter     flit * flits that cross the hottest     its bandwidth\n"
        "          directed edge\n"
        "llc       line * (home - merged)                  B_LLC * LSU\n"
        "rdma      line * lookups                          chips * B_rdma\n"
        "memory    line * m * home                         B_memory\n"
        "noc       line * (requests + remote - 2 merged),  B_intra\n"
        "          on the wire\n"
        "mshrs     latency of all reads that miss L1       SMs * min(warps * loads at a time, "
        "MSHRs)\n"
        "issue     warp instructions                       SMs * sm.issue * issue uniformity\n\n"
        "F(x) = ceil(inter.overhead x / inter.flit) flits\n"
        "remote read: F(read_request) + F(read_response + line); in place of the reply:\n"
        "fine-grained: p F(header + g + id); coalescing: p/n packets F(header + n (g + id)) of\n"
        "n = min(floor(payload / (g + id)), buffer, 1 + arrivals in the timeout) pieces;\n"
        "GPUs that are not alike: the busiest memory, crossbar, cache, MSHRs.\n"
        "remote write: F(write_request + line) + F(write_response). Requests go to the home,\n"
        "replies come back; edges by routing of the traffic matrix, as in the model link\n\n"
        "requests: of the SMs; remote: those to another GPU; home: what reaches the L2s; merged:\n"
        "remote reads that ride on one under way; lookups: of the RDMA cache; m: miss rate of the\n"
        "L2; p: pieces of a request, g = dualopt.granularity; n: pieces in a packet\n\n"
        "engine: remote reads < 2 % -> as it is; else used part of remote lines < 0.2 and\n"
        "their L1 hit rate < 0.4 -> coalescing; else RDMA cache.",
    .counts = MODEL_COUNTS_PAGE_MOVES | MODEL_COUNTS_NOC_MESSAGES | MODEL_COUNTS_LINK_MESSAGES,
    .parts = PART_LOCALITY | PART_SAMPLERS,
    .parts_of = dualopt_parts,
    .vary = dualopt_vary,
    .n_variants = DUALOPT_VARIANTS - 1,
    .stand = dualopt_stand,
    .metrics = dualopt_metrics,
    .build = dualopt_build,
};
