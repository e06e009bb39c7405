/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages and hops as terms: the same bytes on the wire, the same ways for every model
 * (machine/system.h). */
#include <math.h>
#include <stdio.h>

#include "model/internal.h"

static bool has_flits(const struct machine *machine, const char *network)
{
    struct error ignored;
    char path[64];
    double flit;
    snprintf(path, sizeof path, "%s.flit", network);
    return machine_number(machine, path, &flit, &ignored) == 0;
}

int model_wire_bytes(struct model_builder *b, const char *network, int bytes)
{
    struct term_graph *g = model_graph(b);
    char path[64];
    snprintf(path, sizeof path, "%s.overhead", network);
    int wire = term_product(g, NULL, bytes, model_parameter(b, path));
    if (!has_flits(model_machine(b), network))
        return wire;
    int flit = model_flit(b, network), flits = term_quotient(g, NULL, wire, flit);
    return term_product(g, NULL, flit, term_operation(g, EXPRESSION_CEIL, NULL, 1, &flits));
}

int model_flit(struct model_builder *b, const char *network)
{
    char path[64];
    snprintf(path, sizeof path, "%s.flit", network);
    return has_flits(model_machine(b), network) ? model_parameter(b, path)
                                                : model_constant(b, "no flits", 1, DIM_BYTES);
}

int model_message(struct model_builder *b, const char *network, const char *what, int data)
{
    struct term_graph *g = model_graph(b);
    char path[64];
    snprintf(path, sizeof path, "%s.%s", network, what);
    int bytes = model_parameter(b, path);
    if (data >= 0)
        bytes = term_sum(g, NULL, bytes, data);
    bytes = model_wire_bytes(b, network, bytes);
    /* Of a name of its own: explanations say which message it is. */
    snprintf(path, sizeof path, "%s.%s on the wire", network, what);
    return term_max(g, path, bytes, model_constant(b, NULL, 0, DIM_BYTES));
}

static int weighted(struct model_builder *b, double share, int bytes, double other, int others)
{
    struct term_graph *g = model_graph(b);
    return term_sum(
        g, NULL, term_product(g, NULL, model_constant(b, "share of reads", share, DIM_NONE), bytes),
        term_product(g, NULL, model_constant(b, "share of writes", other, DIM_NONE), others));
}

struct model_wire model_wire_load(struct model_builder *b, const char *network, double reads,
                                  int data)
{
    struct term_graph *g = model_graph(b);
    int ask = model_message(b, network, "read_request", -1);
    int answer = model_message(b, network, "read_response", data);
    int write = model_message(b, network, "write_request", data);
    int done = model_message(b, network, "write_response", -1);
    int there = weighted(b, reads, ask, 1 - reads, write);
    int back = weighted(b, reads, answer, 1 - reads, done);
    /* Beside the data, which is exactly 0 where messages are data alone. */
    int read = term_sum(g, NULL, ask, term_difference(g, NULL, answer, data));
    int beside = weighted(b, reads, read, 1 - reads,
                          term_sum(g, NULL, done, term_difference(g, NULL, write, data)));
    return (struct model_wire){
        .there = term_quotient(g, "there, a byte", there, data),
        .back = term_quotient(g, "back, a byte", back, data),
        .both = term_sum(g, "bytes on the wire a byte", model_constant(b, NULL, 1, DIM_NONE),
                         term_quotient(g, NULL, beside, data)),
    };
}

int model_request_bytes(struct model_builder *b)
{
    return term_quotient(model_graph(b), "bytes a request", model_parameter(b, "line"),
                         model_parameter(b, "sectors"));
}

double model_read_share(const struct model_builder *b)
{
    const double *fields = model_profile_record(b)->fields;
    double share = fields[FIELD_READS] / fields[FIELD_REQUESTS];
    return isfinite(share) ? share : 1;
}

double model_remote_read_share(const struct model_builder *b)
{
    const double *fields = model_profile_record(b)->fields;
    double share = fields[FIELD_HOME_REMOTE_READS] / fields[FIELD_HOME_REMOTE_REQUESTS];
    return isfinite(share) ? share : model_read_share(b);
}

static double over(double part, double of, double all, double of_all)
{
    double intent = part / of / (all / of_all);
    return isfinite(intent) ? intent : 1;
}

struct model_intents model_intents(struct model_builder *b, bool remote)
{
    const double *f = model_profile_record(b)->fields;
    double all = f[FIELD_HOME_REQUESTS], reads = f[FIELD_HOME_READS];
    double far = f[FIELD_HOME_REMOTE_REQUESTS], far_reads = f[FIELD_HOME_REMOTE_READS];
    double requests = remote ? far : all - far, own = remote ? far_reads : reads - far_reads;
    double both = f[FIELD_ATOMICS] / (f[FIELD_REQUESTS] - f[FIELD_READS]);
    both = isfinite(both) ? both : 0;
    if (model_system(b, 0)->asks_home)
        return (struct model_intents){1, 1};
    return (struct model_intents){
        .wants = model_system(b, 0)->fetches_partial ? 1
                                                     : over(own + both * (requests - own), requests,
                                                            reads + both * (all - reads), all),
        .dirties = over(requests - own, requests, all - reads, all),
    };
}

static double mean_of_links(struct model_builder *b, double (*of)(const struct link_graph *))
{
    struct link_graph links;
    struct error error;
    int status = link_graph_build(b->machine, &links, &error);
    if (status) {
        builder_fail(b, status, &error);
        return NAN;
    }
    double mean = of(&links);
    link_graph_fini(&links);
    return mean;
}

double model_mean_hops(struct model_builder *b)
{
    return mean_of_links(b, link_graph_mean_hops);
}

int model_way_latency(struct model_builder *b, const struct link_way *way, double times)
{
    struct term_graph *g = model_graph(b);
    int sum = term_product(g, "hops", model_constant(b, "mean hops", times * way->hops, DIM_NONE),
                           model_latency(b, "inter.latency"));
    if (way->switches > 0)
        sum = term_sum(
            g, "hops and switches", sum,
            term_product(g, "switches",
                         model_constant(b, "mean switches", times * way->switches, DIM_NONE),
                         model_latency(b, "inter.switch_latency")));
    if (way->own_s > 0)
        sum = term_sum(g, "with listed links", sum,
                       model_constant(b, "listed links", times * way->own_s, DIM_SECONDS));
    return sum;
}

int model_links_latency(struct model_builder *b, double times)
{
    struct link_graph links;
    struct link_way way = {0};
    struct error error;
    int status = link_graph_build(b->machine, &links, &error);
    if (status) {
        builder_fail(b, status, &error);
    } else {
        way = link_graph_way(&links);
        link_graph_fini(&links);
    }
    return model_way_latency(b, &way, times);
}
