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

double model_mean_switches(struct model_builder *b)
{
    return mean_of_links(b, link_graph_mean_switches);
}

int model_hops_latency(struct model_builder *b, double hops, double switches)
{
    struct term_graph *g = model_graph(b);
    int way = term_product(g, "hops", model_constant(b, "mean hops", hops, DIM_NONE),
                           model_latency(b, "inter.latency"));
    if (!(switches > 0))
        return way;
    return term_sum(g, "hops and switches", way,
                    term_product(g, "switches",
                                 model_constant(b, "mean switches", switches, DIM_NONE),
                                 model_latency(b, "inter.switch_latency")));
}
