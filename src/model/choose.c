/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An organisation that chooses between two others (machine/organisation.h): what it decides from,
 * when, and what turning takes.
 *
 * A launch begins under `usual`. After a window w it turns to `other` if the metric that decides is
 * greater there, by more than the threshold, and it goes on so to its end. With the launch's work
 * under the two, T_u and T_o (their times without what launches take beside work), it takes
 *
 *     T = w + (1 - w/T_u) T_o + C        where it turns and T_u > w; else T_u
 *     C = drain + D/B_memory  [ + the same at its end, for what it writes: hardware coherence ]
 *
 *     drain  what empty queues cost: a request's way to memory and back, over the mean hops
 *     D      dirty lines that the turn writes back: of the launches' share under `usual`, and what
 *            the record before left, at most the LLC
 *
 * so that a launch's requests in the window are taken to be like all of them, and what is decided
 * from comes from requests before its end: of the beginnings that a profile has (record->prefixes),
 * the longest that the bound at its own mix (choice->pace) is through with by then. Without one
 * nothing was seen, and the launch stays. Software coherence writes back at the end of a launch
 * whatever an SM-side LLC holds, under any organisation: that is no cost of the choice.
 *
 * Rates become those of T; times and counts are added up by w/T_u and the rest, means too; parts of
 * a bandwidth are weighted by time, so that they still add up to it. Where bytes are unknown, there
 * is no time, and the answer is that of a launch without end. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine/organisation.h"
#include "model/internal.h"

/* A choice while it is built. Terms; times are those of all the record's launches. */
struct choosing {
    const struct record_maker *maker;
    const struct organisation_choice *choice;
    struct organised *usual, *other;
    const struct profile_record *record;
    struct model_builder builder; /* of the machine under `other` */
    struct error *error;
    int threshold; /* 1 + theta */
    int window, launches;
    int bytes, work[2], beside; /* T_u, T_o; of launches, beside their work */
    int decision;               /* whether it turns, if it lasts so long */
    int turned, share;          /* whether it does; w/T_u */
    int cost, time;             /* C, T with what is beside the work */
};

static int metric_of(const struct model_record *record, const char *name)
{
    return model_term_find(record->metrics, record->n_metrics, name);
}

static int if_turned(const struct choosing *c, const char *name, int other, int usual)
{
    return term_operation(c->maker->graph, EXPRESSION_IF, name, 3,
                          (int[]){c->turned, other, usual});
}

/* --- what decides ------------------------------------------------------------------------ */

/* Whether `other` is better by a record. */
static int better(struct choosing *c, const struct profile_record *usual,
                  const struct profile_record *other, int *out)
{
    const struct organisation_choice *choice = c->choice;
    struct term_graph *g = c->maker->graph;
    const struct plugin *plugin;
    struct model_record a, b;
    char bound[128];
    int status = plugin_require("model", choice->model, &plugin, c->error);
    const struct model *model = (const struct model *)plugin;
    if (!status)
        status = record_build(c->maker, model, c->usual, usual, NULL, &a, c->error);
    if (!status)
        status = record_build(c->maker, model, c->other, other, NULL, &b, c->error);
    if (status)
        return status;
    const char *field = strrchr(choice->threshold, '.');
    snprintf(bound, sizeof bound, "(1+%s)*%s_usual", field ? field + 1 : choice->threshold,
             choice->symbol);
    int least = term_product(g, bound, c->threshold, metric_of(&a, choice->metric));
    *out = term_operation(g, EXPRESSION_GREATER, "decision", 2,
                          (int[]){metric_of(&b, choice->metric), least});
    return 0;
}

/* A beginning of the launch; ratios that are known of the whole alone are the whole's, and so is
 * who asks whom. Not what samplers saw: of a beginning that they saw nothing of, they know nothing.
 */
static struct profile_record beginning(const struct choosing *c, size_t p)
{
    struct profile_record prefix = c->record->prefixes[p];
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct profile_field_row *row = profile_field_row(i);
        bool ratio = row->kind == FIELD_KIND_MEAN || row->kind == FIELD_KIND_RATIO ||
                     row->kind == FIELD_KIND_UNIFORMITY;
        if (isnan(prefix.fields[i]) && ratio && row->part != PART_SAMPLERS)
            prefix.fields[i] = c->record->fields[i];
    }
    if (!prefix.traffic) {
        prefix.traffic = c->record->traffic;
        prefix.n_domains = c->record->n_domains;
    }
    return prefix;
}

/* Time in which the machine, under `usual`, is through with a beginning of one launch. */
static int pace(struct choosing *c, const struct profile_record *prefix, int *out)
{
    struct term_graph *g = c->maker->graph;
    const struct plugin *plugin;
    struct model_record a;
    int status = plugin_require("model", c->choice->pace, &plugin, c->error);
    if (!status)
        status = record_build(c->maker, (const struct model *)plugin, c->usual, prefix, NULL, &a,
                              c->error);
    if (status)
        return status;
    int rate = model_term_find(a.streams, a.n_streams, c->choice->pace_stream);
    double bytes = prefix->fields[FIELD_BYTES] / (double)prefix->launches;
    *out = term_quotient(g, "time of the beginning", term_constant(g, "bytes", bytes, DIM_BYTES),
                         rate);
    return 0;
}

/* The launch's beginnings, the shortest first, as the hardware saw them. */
static int decide_early(struct choosing *c, const char *decides, int *out)
{
    struct term_graph *g = c->maker->graph;
    struct model_builder *b = &c->builder;
    int most = model_parameter(b, c->choice->window_requests);
    int given = term_operation(g, EXPRESSION_GREATER, NULL, 2,
                               (int[]){most, model_constant(b, NULL, 0, DIM_NONE)});
    int status = b->status;
    *out = model_constant(b, "nothing seen", 0, DIM_NONE);
    for (size_t p = 0; p < c->record->n_prefixes && !status; p++) {
        const struct profile_record prefix = beginning(c, p);
        struct profile_record seen[2] = {prefix, prefix};
        double requests = prefix.fields[FIELD_REQUESTS] / (double)prefix.launches;
        int time, decision;
        for (int side = 0; side < 2; side++)
            c->choice->see(b, decides, side == 1, &seen[side]);
        status = b->status ? b->status : pace(c, &prefix, &time);
        if (!status)
            status = better(c, &seen[0], &seen[1], &decision);
        if (status)
            return status;
        int in_time = term_operation(g, EXPRESSION_GREATER_EQUAL, "seen in time", 2,
                                     (int[]){c->window, time});
        int in_number = term_operation(
            g, EXPRESSION_GREATER_EQUAL, "seen in number", 2,
            (int[]){most, model_constant(b, "requests of the beginning", requests, DIM_NONE)});
        int taken = term_operation(g, EXPRESSION_IF, "seen", 3, (int[]){given, in_number, in_time});
        *out = term_operation(g, EXPRESSION_IF, "decision", 3, (int[]){taken, decision, *out});
    }
    return status;
}

static int decide(struct choosing *c, int *out)
{
    struct model_builder *b = &c->builder;
    const char *decides = model_name(b, c->choice->decides);
    if (b->status)
        return b->status;
    if (strcmp(decides, "exact") != 0 && c->record->n_prefixes > 0)
        return decide_early(c, decides, out);
    if (strcmp(decides, "exact") != 0)
        model_warn(b,
                   "decides from whole launches: the profile does not have their beginnings (part "
                   "window; %s)",
                   c->choice->decides);
    return better(c, c->record, c->record, out);
}

/* --- what it takes ------------------------------------------------------------------------- */

/* Of the launches' dirty lines: at most the LLC. The profile's distinct lines written stand for
 * them; -1: it does not say. */
static int dirty_at_end(struct choosing *c)
{
    struct model_builder *b = &c->builder;
    if (!model_knows(b, FIELD_WRITTEN))
        return -1;
    return term_min(c->maker->graph, "dirty at the end", model_field(b, FIELD_WRITTEN),
                    model_total(b, "total.llc_capacity"));
}

/* What the turns of all launches find dirty under `usual`. `before`: the record before, which left
 * its own unless it turned; NULL: there is none. */
static int dirty_at_turn(struct choosing *c, const struct model_record *before)
{
    struct model_builder *b = &c->builder;
    struct term_graph *g = c->maker->graph;
    int capacity = model_total(b, "total.llc_capacity"),
        none = model_constant(b, NULL, 0, DIM_BYTES);
    if (!model_knows(b, FIELD_WRITTEN) || model_level(b, "llc")->write == WRITE_THROUGH)
        return none;
    int own = term_min(g, "dirty at a turn", capacity,
                       term_product(g, NULL, model_field(b, FIELD_WRITTEN), c->share));
    int all = term_product(g, "dirty at the turns", c->launches, own);
    double left = before ? before->record->fields[FIELD_WRITTEN] : 0;
    if (!(left > 0))
        return all;
    int kept = term_min(g, "left before", capacity, term_constant(g, "written", left, DIM_BYTES));
    if (before->turned >= 0)
        kept =
            term_operation(g, EXPRESSION_IF, "left before", 3, (int[]){before->turned, none, kept});
    return term_sum(g, "dirty at the turns", all, kept);
}

/* One turn empties the machine: nobody asks until the last answer is there. */
static int drain_time(struct choosing *c)
{
    struct model_builder *b = &c->builder;
    struct term_graph *g = c->maker->graph;
    int two = model_constant(b, NULL, 2, DIM_NONE);
    int drain =
        term_sum(g, "drain", model_latency(b, "llc.latency"), model_latency(b, "memory.latency"));
    if (machine_has(b->machine, "noc"))
        drain = term_sum(g, "drain", drain,
                         term_product(g, "there and back", two, model_latency(b, "noc.latency")));
    if (machine_has(b->machine, "inter"))
        drain = term_sum(g, "drain", drain, model_links_latency(b, 2));
    return drain;
}

/* Lines that an SM-side LLC holds dirty go home, over the links where home is another chip. */
static int write_home_time(struct choosing *c, int dirty)
{
    struct model_builder *b = &c->builder;
    struct term_graph *g = c->maker->graph;
    int time = term_quotient(g, "dirty/B_memory", dirty, model_total(b, "total.memory_bandwidth"));
    int links = machine_has(b->machine, "inter") ? c->choice->write_home(b, dirty) : -1;
    return links < 0 ? time : term_max(g, "write home", time, links);
}

static void cost(struct choosing *c, const struct model_record *before)
{
    struct model_builder *b = &c->builder;
    struct term_graph *g = c->maker->graph;
    int drain = term_product(g, "drains", c->launches, drain_time(c));
    int write = term_quotient(g, "write back", dirty_at_turn(c, before),
                              model_total(b, "total.memory_bandwidth"));
    c->cost = term_sum(g, "turning", drain, write);
    if (model_system(b, 0)->flush_at_kernels)
        return;
    int dirty = dirty_at_end(c);
    c->cost = term_sum(g, "turning and back", c->cost, drain);
    if (dirty >= 0)
        c->cost = term_sum(g, "turning and back", c->cost,
                           term_product(g, "write home", c->launches, write_home_time(c, dirty)));
}

/* T and what it is made of, from the alternatives' bandwidths. */
static void add_up(struct choosing *c, const struct model_record *usual,
                   const struct model_record *other, const struct model_record *before)
{
    struct model_builder *b = &c->builder;
    struct term_graph *g = c->maker->graph;
    const struct model_record *records[] = {usual, other};
    c->beside = model_constant(b, NULL, 0, DIM_SECONDS);
    if (c->maker->model->counts & MODEL_COUNTS_LAUNCHES)
        c->beside = term_product(g, "beside work", c->launches, model_parameter(b, "launch.time"));
    for (int i = 0; i < 2; i++)
        c->work[i] = term_difference(
            g, i ? "work as other" : "work as usual",
            term_quotient(g, NULL, c->bytes, metric_of(records[i], "effective_bandwidth")),
            c->beside);
    int windows = term_product(g, "windows", c->launches, c->window);
    int longer = term_operation(g, EXPRESSION_GREATER, "longer than the window", 2,
                                (int[]){c->work[0], windows});
    c->turned = term_operation(g, EXPRESSION_AND, "turned", 2, (int[]){c->decision, longer});
    c->share = term_quotient(g, "share before the turn", windows, c->work[0]);
    cost(c, before);
    int rest =
        term_difference(g, "share behind it", model_constant(b, NULL, 1, DIM_NONE), c->share);
    c->time = term_sum(g, "time with a turn", c->beside, windows,
                       term_product(g, "behind the turn", rest, c->work[1]), c->cost);
}

/* --- results --------------------------------------------------------------------------------- */

/* A metric of a launch that turns, from the two alternatives' (enum metric_combine). */
static int turned_metric(const struct choosing *c, const char *name, int usual, int other)
{
    struct term_graph *g = c->maker->graph;
    const struct model_metric *metric = model_metric_find(c->maker->model, name);
    int one = term_constant(g, NULL, 1, DIM_NONE);
    int rest = term_difference(g, "share behind the turn", one, c->share);
    if (strcmp(name, "kernel_time") == 0)
        return c->time;
    if (strcmp(name, "effective_bandwidth") == 0)
        return term_quotient(g, name, c->bytes, c->time);
    if (metric && metric->combine == COMBINE_RATE) {
        int each[] = {term_quotient(g, NULL, c->share, usual), term_quotient(g, NULL, rest, other)};
        int time = term_product(g, NULL, c->bytes, term_sum(g, NULL, each[0], each[1]));
        return term_quotient(g, name, c->bytes, term_sum(g, NULL, time, c->cost));
    }
    if (metric && metric->combine == COMBINE_TIME) {
        int before = term_product(g, NULL, c->share, c->work[0]);
        int behind = term_product(g, NULL, rest, c->work[1]);
        int sum = term_sum(g, NULL, term_product(g, NULL, before, usual),
                           term_product(g, NULL, behind, other));
        return term_quotient(g, name, sum, c->time);
    }
    return term_sum(g, name, term_product(g, NULL, c->share, usual),
                    term_product(g, NULL, rest, other));
}

/* Makes one of the terms that have the same name, in `usual`. Returns a name that only one of the
 * two has; NULL: none. `streams`: no metrics. */
static const char *pair(const struct choosing *c, struct model_term *usual, int n_usual,
                        const struct model_term *other, int n_other, bool streams)
{
    for (int i = 0; i < n_other; i++)
        if (model_term_find(usual, n_usual, other[i].name) < 0)
            return other[i].name;
    for (int i = 0; i < n_usual; i++) {
        const char *name = usual[i].name;
        int term = model_term_find(other, n_other, name);
        if (term < 0)
            return name;
        if (!streams && c->bytes >= 0)
            term = turned_metric(c, name, usual[i].term, term);
        usual[i].term = if_turned(c, name, term, usual[i].term);
    }
    return NULL;
}

static const struct model_station *station_find(const struct model_record *record, const char *name)
{
    for (int i = 0; i < record->n_stations; i++)
        if (strcmp(record->stations[i].name, name) == 0)
            return &record->stations[i];
    return NULL;
}

/* Those of a launch that turns are those that it turns to. Where one of the two lacks a station,
 * nobody stays there. */
static void pair_stations(const struct choosing *c, struct model_record *usual,
                          const struct model_record *other)
{
    struct term_graph *g = c->maker->graph;
    int no_time = term_constant(g, NULL, 0, DIM_SECONDS),
        none = term_constant(g, NULL, 0, DIM_NONE);
    for (int i = 0; i < other->n_stations && usual->n_stations < MODEL_STATIONS_MAX; i++)
        if (!station_find(usual, other->stations[i].name))
            usual->stations[usual->n_stations++] = (struct model_station){
                other->stations[i].name, no_time, no_time, other->stations[i].used < 0 ? -1 : none};
    for (int i = 0; i < usual->n_stations; i++) {
        struct model_station *s = &usual->stations[i];
        const struct model_station *o = station_find(other, s->name);
        s->service = if_turned(c, s->name, o ? o->service : no_time, s->service);
        s->stay = if_turned(c, s->name, o ? o->stay : no_time, s->stay);
        s->used = s->used < 0 ? -1 : if_turned(c, s->name, o ? o->used : none, s->used);
    }
}

static int finish(struct choosing *c, const struct organisation *organisation,
                  const struct model_record *other, struct model_record *out)
{
    const char *single =
        pair(c, out->metrics, out->n_metrics, other->metrics, other->n_metrics, false);
    if (!single)
        single = pair(c, out->streams, out->n_streams, other->streams, other->n_streams, true);
    if (single)
        return error_set(c->error, STATUS_FAILED,
                         "model %s sets \"%s\" under one of %s and %s only: organisation %s, which "
                         "chooses between them, needs it under both",
                         c->maker->model->plugin.name, single, c->choice->usual, c->choice->other,
                         organisation->plugin.name);
    pair_stations(c, out, other);
    out->decision = c->decision;
    out->turned = c->turned;
    out->usual = c->choice->usual;
    out->other = c->choice->other;
    if (c->bytes >= 0)
        out->metrics[out->n_metrics++] =
            (struct model_term){"reconfiguration_time",
                                if_turned(c, "reconfiguration_time", c->cost,
                                          term_constant(c->maker->graph, NULL, 0, DIM_SECONDS))};
    if (c->builder.valid)
        record_bind(c->maker->graph, c->builder.valid, out);
    return 0;
}

/* What an earlier launch left is gone where the LLC has turned since: under `usual` where that
 * launch turned, and always behind a turn. */
static void find_emptied(struct choosing *c, const struct model_record *before)
{
    struct term_graph *g = c->maker->graph;
    int none = term_constant(g, NULL, 0, DIM_NONE), one = term_constant(g, NULL, 1, DIM_NONE);
    c->usual->turned = before && before->turned >= 0 ? before->turned : 0;
    c->other->turned =
        term_operation(g, EXPRESSION_GREATER, "behind a turn", 2, (int[]){one, none});
}

int record_choose(const struct record_maker *maker, const struct organisation *organisation,
                  struct organised *usual, struct organised *other,
                  const struct profile_record *record, const struct model_record *before,
                  struct model_record *out, struct error *error)
{
    struct term_graph *g = maker->graph;
    struct model_record b;
    struct choosing c = {.maker = maker,
                         .choice = organisation->choice,
                         .usual = usual,
                         .other = other,
                         .record = record,
                         .error = error,
                         .bytes = -1};
    find_emptied(&c, before);
    int status = record_build(maker, maker->model, usual, record, maker->result, out, error);
    if (!status)
        status = record_build(maker, maker->model, other, record, maker->result, &b, error);
    if (status)
        return status;
    c.builder = record_builder(maker, maker->model, other, record, maker->result, out, error);
    double bytes = record->fields[FIELD_BYTES];
    char sum[64];
    snprintf(sum, sizeof sum, "1+%s", strrchr(c.choice->threshold, '.') + 1);
    c.threshold = term_sum(g, sum, term_constant(g, NULL, 1, DIM_NONE),
                           model_parameter(&c.builder, c.choice->threshold));
    c.window = model_parameter(&c.builder, c.choice->window);
    c.launches = term_constant(g, "launches", (double)record->launches, DIM_NONE);
    status = c.builder.status ? c.builder.status : decide(&c, &c.decision);
    if (status)
        return status;
    c.turned = c.decision;
    if (!isnan(bytes)) {
        c.bytes = term_constant(g, "bytes", bytes, DIM_BYTES);
        add_up(&c, out, &b, before);
        if (!model_knows(&c.builder, FIELD_WRITTEN))
            model_warn(&c.builder, "optimistic: the profile does not say what launches write "
                                   "(written), so that turning writes nothing back");
    }
    return c.builder.status ? c.builder.status : finish(&c, organisation, &b, out);
}
