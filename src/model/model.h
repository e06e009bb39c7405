/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models: a model is one file `<name>.model.c` that writes its equations as
 * terms (core/term.h) and ends in its descriptor. It sees one machine, one
 * organisation and one record of a profile at a time; what it reads is noted
 * as it reads it, so that a parameter without effect is never accepted in
 * silence, and `bandscape list models` is never out of date. */
#ifndef BANDSCAPE_MODEL_MODEL_H
#define BANDSCAPE_MODEL_MODEL_H

#include <stdbool.h>

#include "core/plugin.h"
#include "core/term.h"
#include "machine/system.h"
#include "profile/record/profile.h"

/* How a metric of single launches becomes one of the run. */
enum metric_combine {
    COMBINE_RATE, /* bytes over the sum of bytes / rate: bandwidths */
    COMBINE_SUM,  /* sums: times */
    COMBINE_MEAN, /* mean weighted by bytes: ratios */
    COMBINE_TIME  /* mean weighted by time: parts of a bandwidth, so that they add up to it */
};

struct model_metric {
    const char *name;
    struct dim dim;
    enum metric_combine combine;
    const char *help;
};

/* Where a term, by its name, stands in the paper ("equation 1", "section 3.3"), or that it is ours;
 * and how the paper calls it where that is not its name (NULL: it is). */
struct model_source {
    const char *term, *source, *symbol;
};

struct model_builder;
struct model_result;

enum { MODEL_VARIANTS_MAX = 3, MODEL_WARNINGS_MAX = 8 };

/* What a machine may have that loads resources beyond its requests, and that a model's equations
 * count. What they do not count is not refused, since it can only make the answer optimistic: the
 * answer carries a warning. */
enum model_counts {
    MODEL_COUNTS_NODES = 1,          /* ports of L1 nodes and the crossbars to them (l1.nodes) */
    MODEL_COUNTS_PAGE_MOVES = 2,     /* pages that a placement moves or copies */
    MODEL_COUNTS_INVALIDATIONS = 4,  /* messages of hardware coherence */
    MODEL_COUNTS_NOC_MESSAGES = 8,   /* requests, headers, whole flits on crossbars (noc) ... */
    MODEL_COUNTS_LINK_MESSAGES = 16, /* ... and on links between chips (inter) */
    MODEL_COUNTS_LAUNCHES = 32,      /* what a launch takes beside its work (launch.time) */
    MODEL_COUNTS_TRANSLATION = 64,   /* page walks (contents: translations) */
    MODEL_COUNTS_CROSSING = 512,     /* between a chip's partitions, and the slices behind it */
    MODEL_COUNTS_STOPS = 128,        /* levels whose MSHRs are taken (llc.mshrs) */
    MODEL_COUNTS_BESIDE = 256,       /* bandwidths of caches beside L1 (contents: scalar) */
    MODEL_COUNTS_TURNS = 1024,       /* memories' turns between reads and writes */
    MODEL_COUNTS_DISPATCH = 2048,    /* warps that begin one behind another (cta.warps) */
    MODEL_COUNTS_LLC_WRITES = 4096,  /* what is written into slices (llc.write_bandwidth) */
    MODEL_COUNTS_LOOKUPS = 8192,     /* lines that L1s look up (l1.lookups) */
};

struct model {
    struct plugin plugin; /* kind "model" */
    const char *answer;   /* "EAB-style", "bottleneck at the given mix", "network" */
    const char *validity; /* for which machines and traffic it holds */
    const char *machine;  /* a shipped one to which it applies; NULL: the preferred model's */
    const char *page;     /* equations and symbols, for `bandscape list models NAME` */
    const struct model_source *sources; /* of terms that `why` names; ends with term NULL */
    int first_answer; /* 1, 2, ...: asked in this order where a question wants one answer, the
                       * nearest to simulations first (validate referee); 0: not asked */
    unsigned counts;  /* enum model_counts */
    unsigned parts;   /* of profiles that it reads beside the base: enum profile_part */
    unsigned (*parts_of)(const struct machine *machine); /* the same where it depends on the
                                                          * machine; NULL: it does not */
    const char *decides_after; /* path: time from its start after which a launch follows the
                                * model's choice, where the model itself is asked to choose
                                * (llc.replication); NULL: at once */
    /* NULL: it looks at the machine as it is. Else it compares machines: turns a clone of the
     * machine into variant v, 1 to n_variants. Returns 1; 0 when the machine's settings do
     * not need that one; an error, STATUS_INFEASIBLE where it refuses the machine. */
    int (*vary)(struct machine *machine, int variant, struct error *error);
    int n_variants; /* at most MODEL_VARIANTS_MAX */
    /* What a simulation has of it, to be held beside its metrics: turns a clone of the machine into
     * the one that the model's answer is of, as it decided for the run (`values` of `said`'s
     * terms), or, `said` NULL, into what that is compared with. Returns the variant whose profile
     * has its requests, 0: the machine's own; STATUS_INFEASIBLE where no simulation has it. NULL:
     * the machine as it stands. */
    int (*stand)(struct machine *machine, const struct model_result *said, const double *values,
                 struct error *error);
    /* Refuses, with STATUS_INFEASIBLE, what cannot be built of what its parameters describe,
     * whoever asks: simulations, too. NULL: all can. */
    int (*check)(const struct machine *machine, struct error *error);
    const struct model_metric *metrics; /* its own; ends with name NULL. "utilisation_*" stands
                                         * for any name of that form: of what the machine
                                         * has. effective_bandwidth and kernel_time are every
                                         * model's, of one and the same time: their product is
                                         * the bytes; speedup is,
                                         * where there is a baseline */
    /* Builds the terms of one record. Must set "effective_bandwidth". Errors of
     * the readers below stay in the builder: equations need not check each. */
    void (*build)(struct model_builder *builder);
};

/* --- what a model's build function uses ------------------------------------ */

struct term_graph *model_graph(struct model_builder *builder);
const struct machine *model_machine(const struct model_builder *builder);
/* The same, compiled: scopes, levels, policies and the `parts` (enum system_part) that are asked
 * for. What the organisation gives stands there, and is not noted as read. After an error it has no
 * chips to speak of. */
const struct system *model_system(struct model_builder *builder, unsigned parts);
/* Lives as long as the graph: for contexts of functions. */
struct arena *model_arena(struct model_builder *builder);

/* Readers: a machine's parameter in SI; a number of the record; a constant. */
int model_parameter(struct model_builder *builder, const char *path);
/* A latency as a step (machine/latency.h), to be added to the others on the way. Where its
 * figure is less than they are, no metric of the record is a number. */
int model_latency(struct model_builder *builder, const char *path);
/* Points at which a truth term does not hold have no answer. */
void model_require(struct model_builder *builder, int truth);
int model_field(struct model_builder *builder, enum profile_field field);
/* A sampler's field (profile/sampler.h) is asked for by its path, or by the number of that. Where
 * no sampler has it the model is refused, by the names of both; then the number is any field's. */
int model_field_named(struct model_builder *builder, const char *path);
enum profile_field model_field_number(struct model_builder *builder, const char *path);
int model_constant(struct model_builder *builder, const char *name, double value, struct dim dim);
/* From now on fields, curves and names are those of a variant of the machine (model->vary);
 * 0: of the machine itself. */
void model_select(struct model_builder *builder, int variant);

/* A level's miss ratio at its capacity, ways, scope, side and filter; from the
 * record's curve, or from its hit rate where a hand-made profile gives one. Where an organisation
 * that chooses has just turned the level to another side, it is empty: what was last asked for in
 * an earlier launch misses as well. */
int model_miss_ratio(struct model_builder *builder, const char *level);
/* A cache that no level of the machine stands for: of one (scope, side, filter) of the
 * profile. `capacity` (bytes of one cache) and `ways` are terms. */
struct model_cache {
    const char *scope, *side, *filter;
    bool reads; /* of the stream's reads alone */
    int capacity, ways;
};
int model_cache_miss_ratio(struct model_builder *builder, const struct model_cache *cache);
/* What an LLC and the memory behind it exchange, in requests for one that looks the LLC up:
 *
 *     reads    misses of what wants data: reads, atomics
 *     writes   dirty data that leave while the launch runs
 *     left     what is dirty at its end and is written home then: by the level's flush; and by the
 *              last launch of a run, since a run begins with empty caches and ends with clean ones
 *
 * from the curves. Of a profile without them (given by hand, or from elsewhere) all misses count as
 * reads: that is right where what is written was not read before. */
struct model_memory {
    int reads, writes, left;
    int moved;   /* their sum */
    double ends; /* of launches, at which that happens */
    bool told_apart;
};
struct model_memory model_memory(struct model_builder *builder, const char *level);
/* What memories lose to turns between reads and writes (memory.turnaround, T), as so many requests
 * of L bytes more for one that looks the LLC up, a term; -1: nothing, as where the machine states
 * no such time. A channel of B bytes/s keeps writes back and sends memory.write_batch of them, W,
 * one behind another. For that it turns there and back, unless nobody reads:
 *
 *     2 T B min( writes L / W , reads ) / L
 *
 * What is written at the end of a launch meets no reads. */
int model_memory_turns(struct model_builder *builder, const struct model_memory *memory);
struct model_memory model_cache_memory(struct model_builder *builder,
                                       const struct model_cache *cache, const char *level);
/* The LLC as a whole. Where partitions of a chip ask each other's slices before memory
 * (system->asks_home), of the requests that look up the own slices, `asked` want data and miss:
 * what is of another partition asks that one's. memory and miss: what misses these as well. Slices
 * keep lines that others asked them for, but what hits at others asks for nothing: of the curves
 * without such lines (a) and with all of them (f: filled, filled-or-home)
 *
 *     m = (1 - m) m_a + m m_f, so m = m_a / (1 - m_f + m_a);  m_f where others' requests help
 *
 * and all parts are mixed as m is; with m_f = 1 slices that miss all keep doing so. A profile
 * without these curves has all misses go to memory, with a warning. Elsewhere asked is
 * memory.reads, and the rest that of model_memory and model_miss_ratio. */
struct model_llc {
    int miss, read_miss;   /* of all requests, of reads: of the LLC as a whole */
    int asked, read_asked; /* of the own slices */
    struct model_memory memory;
};
struct model_llc model_llc_read(struct model_builder *builder);
/* The record's curve of a (scope, side, filter); NULL after an error. */
const struct profile_curve *model_curve(struct model_builder *builder, const char *scope,
                                        const char *side, const char *filter);
/* For models that put curves together: what of a curve's requests is counted. Misses of `of`
 * without those of `without`, or its hits; over the requests of the whole stream. */
struct model_part {
    const struct curve *of, *without; /* NULL: none */
    bool hits;
    bool always;    /* as many as without any way, in every cache */
    double no_ways; /* how many in a cache without any */
    double requests;
};
double model_part_ratio(const struct model_part *part, double sets, double ways);
/* As model_memory, of any cache. */
struct model_parts {
    struct model_part misses, reads, writes, left;
    double ends;
    bool told_apart; /* else the misses are all read */
};
struct model_parts model_curve_parts(struct model_builder *builder,
                                     const struct profile_curve *curve, const char *level);
/* Bytes of one cache of a level, at its scope: the level's capacity is given per chip, or
 * per SM. */
int model_cache_capacity(struct model_builder *builder, const char *level, const char *scope);
/* What the record counted of the level of that name. */
int model_level_field(struct model_builder *builder, const char *level,
                      enum profile_level_count count);
/* True when one of them may hold lines of another domain. */
bool model_levels_keep_copies(struct model_builder *builder);
/* Refuses machines with such a level before an LLC at the requester. */
void model_refuse_levels_before_requester(struct model_builder *builder);
/* Requests that reach the home's LLC, and those that reach it from another domain, over the
 * requests of the SMs: 1 and 1 - r_local, unless levels before the LLC keep some. */
int model_home_share(struct model_builder *builder);
int model_home_remote_share(struct model_builder *builder);
/* Slice uniformity for the side on which the level stands. */
int model_slice_uniformity(struct model_builder *builder, const char *level);
/* A total of the system by name (model_total_table): "total.llc_bandwidth". */
int model_total(struct model_builder *builder, const char *name);
/* Messages of a network, "inter" or "noc", in bytes on the wire: in whole flits, with overhead
 * (message_bytes as terms). `what`: its "read_request", "read_response", ...; `data`:
 * bytes that go with it, a term; -1: none. */
int model_message(struct model_builder *builder, const char *network, const char *what, int data);
/* The same of any bytes (a term). */
int model_wire_bytes(struct model_builder *builder, const char *network, int bytes);
/* Width of a flit; 1 B where the network has none. */
int model_flit(struct model_builder *builder, const char *network);
/* What requests of `data` bytes (a term) put on a network, of which a share reads, in bytes on the
 * wire for a byte of theirs: on the way to the home, back, and both together (1 where messages are
 * data alone). Atomics go as writes. */
struct model_wire {
    int there, back, both;
};
struct model_wire model_wire_load(struct model_builder *builder, const char *network, double reads,
                                  int data);
/* Bytes of a request: of a line, or of a sector. */
int model_request_bytes(struct model_builder *builder);
/* Of the requests of the SMs, and of those that reach another domain's home, the share that reads;
 * where the record does not say, the first one, or 1. */
double model_read_share(const struct model_builder *builder);
double model_remote_read_share(const struct model_builder *builder);
/* Behind an LLC at the requester only what misses and wants data comes from homes, and only what
 * was written goes there. Of local requests, or of remote ones, how many want data (reads, atomics)
 * and how many leave dirty lines (writes, atomics), each over the same of all requests: numbers,
 * whose mean over both kinds of requests is 1. The record has atomics among what is no read; local
 * and remote ones are taken to be as many of these. 1 where it does not say, and where partitions
 * ask each other's slices; of the former also where partial writes want data
 * (memory.partial_write), so that all requests may. */
struct model_intents {
    double wants, dirties;
};
struct model_intents model_intents(struct model_builder *builder, bool remote);
/* What an LLC at the requester, told apart from what it writes (memory), reads for a request of
 * local lines, or of remote ones: as the curve's part `remote` counts their misses; else as it does
 * over all, for those that want data. A term. */
int model_side_reads(struct model_builder *builder, const struct model_memory *memory, bool remote);
/* Mean hops of the link graph, from the graph alone. */
double model_mean_hops(struct model_builder *builder);
/* Latency of a way over links, so many times, a term; of the mean way between two chips. */
int model_way_latency(struct model_builder *builder, const struct link_way *way, double times);
int model_links_latency(struct model_builder *builder, double times);
/* A plain number of the machine that decides the form of an equation (a switch):
 * it becomes structural for this model. */
double model_switch(struct model_builder *builder, const char *path);
/* The same for a name: "llc.replication". */
const char *model_name(struct model_builder *builder, const char *path);
/* What a model reads of a profile beside fields and curves: the record's traffic matrix and
 * grid, the view's sharing. */
const struct profile_record *model_profile_record(const struct model_builder *builder);
const struct profile_view *model_profile_view(const struct model_builder *builder);
/* The level of that section's name; after an error one that says nothing. */
const struct system_level *model_level(struct model_builder *builder, const char *name);
/* On which side it stands. One whose ways are split has a part before it: the model is refused, so
 * ask model_split first. */
enum level_side model_side(struct model_builder *builder, const char *level);
/* Whether some of its ways are for remote lines at the requester, before the others. */
bool model_split(struct model_builder *builder, const char *level);
/* Whether the record says that field; how many launches it stands for. */
bool model_knows(const struct model_builder *builder, enum profile_field field);
double model_launches(const struct model_builder *builder);

/* Warps that begin in the record's launches, by its blocks; 0: unknown. */
double model_warps_begun(const struct model_builder *builder);
/* A term: memory instructions that a warp has under way at a time, at most sm.outstanding: `asked`
 * before it needs one of their values, 1 or more; 0: as many as the mean of the profile's groups
 * (loads / load_groups), one where it does not say. */
int model_accesses_under_way(struct model_builder *builder, double asked);

/* Results. A stream is a term whose limiting resource is reported by name. A metric that the model
 * does not declare, one or a stream that is set twice, a ninth stream or one without a name is a
 * failure of the model. Where an organisation chooses between two others (sac), each sets the same
 * names, in any order. */
void model_set_metric(struct model_builder *builder, const char *name, int term);
void model_set_stream(struct model_builder *builder, const char *name, int term);
/* The metrics memory_read and memory_written, where the profile tells them apart; `share`: requests
 * that look the LLC up for one of the SMs', a term. */
void model_set_memory(struct model_builder *builder, struct model_memory memory, int share);
/* A station of a network, on a request's way: seconds that a request is served there and that it
 * stays, means over the requests; how much of it is used, where it is busiest (-1: nobody waits for
 * it). What all stay is the time of a request. Under an organisation that chooses they are those
 * of the choice. */
void model_set_station(struct model_builder *builder, const char *name, int service, int stay,
                       int used);
/* A choice that the model makes for the record: `other` where the truth term `decision` holds,
 * else `usual`. Its metrics are those of the choice. */
void model_set_decision(struct model_builder *builder, int decision, const char *usual,
                        const char *other);
/* Of such a choice, whether launches last until they follow it: without, all of them do. */
void model_set_turned(struct model_builder *builder, int turned);
/* A word for the reader of the answer, once whatever the number of records: what the equations
 * leave out. */
void model_warn(struct model_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Refuses machines with a level between L1 and the LLC: for equations in which every request
 * reaches the LLC. */
void model_refuse_fronts(struct model_builder *builder);
/* Refuses: this model does not apply, and why. The point counts as infeasible. */
void model_refuse(struct model_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Fails with an error that was noticed elsewhere. STATUS_INFEASIBLE: what cannot be built; sweeps
 * count the point under its text, as it stands. */
void model_fail(struct model_builder *builder, const struct error *error);
/* Refuses chips that have partitions, and an LLC with replicas (llc.replication). */
void model_refuse_partitions(struct model_builder *builder);
void model_refuse_replication(struct model_builder *builder);

/* The mark of an input that was read as a switch. */
#define MODEL_SWITCH "switch"

/* --- what callers use ------------------------------------------------------- */

/* Metrics: the model's own, the common ones, and speedup. */
enum { MODEL_METRICS_MAX = 52, MODEL_STREAMS_MAX = 8, MODEL_STATIONS_MAX = 24 };

struct model_term {
    const char *name;
    int term;
};

struct model_station {
    const char *name;
    int service, stay, used; /* terms; used: -1, none */
};

/* One record's terms; all alternatives of a choosing organisation are decided. */
struct model_record {
    const struct profile_record *record;
    struct model_term metrics[MODEL_METRICS_MAX];
    int n_metrics;
    struct model_term streams[MODEL_STREAMS_MAX];
    int n_streams;
    struct model_station stations[MODEL_STATIONS_MAX];
    int n_stations;
    int decision; /* truth term: the other organisation was chosen; -1: no choice */
    int turned;   /* the same, and its launches last until they turn to it; -1: no choice */
    const char *usual, *other;
    bool empty; /* a launch without requests: its rates are undefined */
};

struct model_result {
    const struct model *model;
    const char *organisation;
    struct model_term metrics[MODEL_METRICS_MAX]; /* of the run */
    int n_metrics;
    struct model_record *records; /* in the arena that was given */
    size_t n_records;
    const char *warnings[MODEL_WARNINGS_MAX]; /* what the equations leave out */
    int n_warnings;
};

/* Builds a model for a machine (its llc.organisation decides the organisation)
 * and a view, into the graph. Inputs of the graph are parameter paths. */
int model_build(struct term_graph *graph, struct arena *arena, const struct model *model,
                const struct machine *machine, const struct profile_view *view,
                struct model_result *out, struct error *error);

/* Views of a machine ([0]) and of the variants that a model asks for; NULL: not needed. */
struct model_views {
    const struct profile_view *items[1 + MODEL_VARIANTS_MAX];
};
/* The same for a model that compares variants. model_build gives it the one view for all of
 * them when it is hand-made, which fits any machine, and no other view else. */
int model_build_variants(struct term_graph *graph, struct arena *arena, const struct model *model,
                         const struct machine *machine, const struct model_views *views,
                         struct model_result *out, struct error *error);
/* The machine of a variant; NULL where it is not needed. */
int model_variant(const struct model *model, const struct machine *machine, int variant,
                  struct machine **out, struct error *error);

/* Parts of profiles (enum profile_part) that a model reads for a machine, its organisation's
 * among them. */
int model_parts(const struct model *model, const struct machine *machine, unsigned *out,
                struct error *error);

/* The model that is asked where a user names none, and a shipped machine to which a model applies
 * (NULL: which a question that names neither is about). */
const struct model *model_preferred(void);
const char *model_machine_name(const struct model *model);
/* The one that is asked in that place (1, 2, ...) for one answer, or NULL. */
const struct model *model_first(int place);

/* The term of a metric of the run, or -1. */
int model_result_metric(const struct model_result *result, const char *name);

/* The descriptor of a metric: the model's own or a common one; NULL: none. */
const struct model_metric *model_metric_find(const struct model *model, const char *name);
extern const struct model_metric model_common_metrics[];
/* Of every model where a baseline is named (explore/answer/baseline.h). A model may have one of its
 * own of that name, against a baseline that it knows: a named baseline takes its place. */
extern const struct model_metric model_speedup_metric;

/* A parameter's term in SI, for expressions of the user: the same as a model's. */
int model_parameter_term(struct term_graph *graph, const struct machine *machine, const char *path,
                         int *out, struct error *error);

/* Totals of the system, derived from what stands per chip or per link. The links'
 * is the sum over edges that leave a chip; no links (one chip): 0. */
struct model_total_row {
    const char *name;   /* "total.link_bandwidth" */
    const char *symbol; /* "B_inter" */
    const char *path;   /* what is counted per chip; NULL: the links */
    const char *help;
};
extern const struct model_total_row model_total_table[];          /* ends with name NULL */
const struct model_total_row *model_total_find(const char *name); /* NULL: there is none */
/* The term of a total; STATUS_INPUT when there is none of that name. */
int model_total_term(struct term_graph *graph, const struct machine *machine, const char *name,
                     int *out, struct error *error);

/* The key of an input that is no parameter begins with it: what a model's own error multiplies its
 * answer by. */
#define MODEL_ERROR "error of "

/* The graph's inputs from the machine's values: inputs[term_input_count]; 1 of a model's error. */
int model_bind(const struct term_graph *graph, const struct machine *machine, double *inputs,
               struct error *error);

/* True when the path is an input of the graph, or was read while building. */
bool model_reads(const struct term_graph *graph, const char *path);

#endif
