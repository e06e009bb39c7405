/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages an access, and the limits of node ports for any number of chips. */
#include "dcl1/messages.h"

#include <math.h>

#include "dcl1/noc.h"

enum { SECTOR = 32 };

static int per_access(struct model_builder *b, const char *name, enum profile_field field)
{
    return term_quotient(model_graph(b), name, model_field(b, field),
                         model_field(b, FIELD_LINE_ACCESSES));
}

static int one(struct model_builder *b)
{
    return model_constant(b, NULL, 1, DIM_NONE);
}

int dcl1_message_flits(struct model_builder *b, const char *name, int bytes)
{
    struct term_graph *g = model_graph(b);
    int flits = term_quotient(g, NULL, bytes, model_parameter(b, "dcl1.flit"));
    return term_operation(g, EXPRESSION_CEIL, name, 1, &flits);
}

double dcl1_least_flits(double sectors, double most, double flit)
{
    double least = ceil(most * SECTOR / flit);
    sectors = fmax(1, sectors);
    for (double i = 1; i <= sectors && i <= most; i++)
        for (double j = i; j <= most; j++) {
            double few = ceil(i * SECTOR / flit), many = ceil(j * SECTOR / flit);
            double share = j > i ? (sectors - i) / (j - i) : 0; /* of those with j */
            if (sectors <= j)
                least = fmin(least, few + share * (many - few));
        }
    return least;
}

static double least_flits_function(const void *context, const double *args)
{
    (void)context;
    return dcl1_least_flits(args[0], args[1], args[2]);
}

/* Mean flits of so many sectors (a term) in lines of `most`. */
static int flits_of(struct model_builder *b, const char *name, int sectors, int most)
{
    return term_call(model_graph(b), name, DIM_NONE, least_flits_function, NULL, 3,
                     (int[]){sectors, most, model_parameter(b, "dcl1.flit")});
}

/* Sectors of a read and of a write, where the profile tells them apart: a store of whole lines
 * beside loads of one element is four times as long as these. */
static void read_asked(struct model_builder *b, int most, struct dcl1_messages *out)
{
    struct term_graph *g = model_graph(b);
    const double *fields = model_profile_record(b)->fields;
    double writing = fields[FIELD_WRITES] + fields[FIELD_ATOMICS];
    bool whole_lines = model_system(b, 0)->sectors <= 1; /* else these count sectors */
    int all = model_field(b, FIELD_SECTOR_ACCESSES), lines = model_field(b, FIELD_LINE_ACCESSES);
    if (!(fields[FIELD_WRITTEN_SECTORS] > 0) || !(writing > 0) || !whole_lines ||
        !(fields[FIELD_LINE_ACCESSES] > writing)) {
        out->asked = flits_of(b, "D", term_quotient(g, "sectors an access", all, lines), most);
        out->carried = out->asked;
        return;
    }
    int written = model_field(b, FIELD_WRITTEN_SECTORS);
    int writes = term_sum(g, "writes and atomics", model_field(b, FIELD_WRITES),
                          model_field(b, FIELD_ATOMICS));
    int reads = term_quotient(g, "sectors a read", term_difference(g, NULL, all, written),
                              term_difference(g, NULL, lines, writes));
    out->asked = flits_of(b, "D", reads, most);
    out->carried = flits_of(b, "W", term_quotient(g, "sectors a write", written, writes), most);
}

void dcl1_messages_read(struct model_builder *b, struct dcl1_messages *out)
{
    struct term_graph *g = model_graph(b);
    if (model_system(b, 0)->beside.n)
        model_warn(b, "pessimistic: ports behind L1 nodes are taken to carry what caches beside L1 "
                      "miss (contents: scalar, constant, texture)");
    out->writes = per_access(b, "w", FIELD_WRITES);
    out->atomics = per_access(b, "a", FIELD_ATOMICS);
    out->missing = per_access(b, "q", FIELD_READS);
    int line = model_parameter(b, "line");
    int most =
        term_quotient(g, "sectors of a line", line, model_constant(b, "sector", SECTOR, DIM_BYTES));
    read_asked(b, most, out);
    out->line =
        dcl1_message_flits(b, "B", term_quotient(g, NULL, line, model_parameter(b, "sectors")));
}

int dcl1_noc1_flits(struct model_builder *b, const struct dcl1_messages *m)
{
    struct term_graph *g = model_graph(b);
    int carry = term_sum(g, NULL, m->writes, m->atomics); /* data, to the node */
    int dataless = term_difference(g, NULL, one(b), carry);
    int request = term_sum(g, "request flits", dataless, term_product(g, NULL, carry, m->carried));
    int reply = term_sum(g, "reply flits", m->writes, term_product(g, NULL, dataless, m->asked),
                         term_product(g, NULL, m->atomics, m->carried));
    return term_max(g, "NoC#1 flits", request, reply);
}

int dcl1_noc2_flits(struct model_builder *b, const struct dcl1_messages *m, int missing)
{
    struct term_graph *g = model_graph(b);
    int carry = term_sum(g, NULL, m->writes, m->atomics);
    int request = term_sum(g, "request flits", missing, term_product(g, NULL, carry, m->carried));
    int reply = term_sum(g, "reply flits", m->writes, term_product(g, NULL, missing, m->line),
                         term_product(g, NULL, m->atomics, m->carried));
    return term_max(g, "NoC#2 flits", request, reply);
}

/* Bytes behind L1 a second when `ports` a second serve `load` an access. */
static int limit(struct model_builder *b, const char *name, int ports, int clock, int load)
{
    struct term_graph *g = model_graph(b);
    int accesses = term_quotient(g, NULL, term_product(g, NULL, ports, clock), load);
    return term_product(g, name, accesses, per_access(b, "bytes an access", FIELD_BYTES));
}

bool dcl1_node_limits_read(struct model_builder *b, struct dcl1_node_limits *out)
{
    struct term_graph *g = model_graph(b);
    struct dcl1_messages messages;
    struct dcl1_noc noc;
    struct error error;
    double nodes = 0;
    if (machine_number(model_machine(b), "l1.nodes", &nodes, &error) || nodes == 0)
        return false;
    if (dcl1_noc_read_chip(model_machine(b), &noc, &error)) {
        model_fail(b, &error);
        return false;
    }
    model_switch(b, "l1.nodes");
    model_name(b, "dcl1.ports");
    if (!noc.built)
        return false;
    dcl1_messages_read(b, &messages);
    int boost = model_constant(b, "boost", model_switch(b, "dcl1.noc1_boost"), DIM_NONE);
    int clock = model_parameter(b, "dcl1.noc_clock");
    int ports = term_product(g, "node ports", model_parameter(b, "chips"),
                             model_constant(b, "Y", noc.nodes, DIM_NONE),
                             model_field(b, FIELD_L1_UNIFORMITY));
    out->data = limit(b, "node ports", ports, model_parameter(b, "sm.clock"), one(b));
    out->noc1 = limit(b, "NoC#1", ports, term_product(g, NULL, clock, boost),
                      dcl1_noc1_flits(b, &messages));
    clock = term_product(g, NULL, clock,
                         model_constant(b, "boost", dcl1_noc_last(&noc)->boost, DIM_NONE));
    out->noc2 = limit(b, "NoC#2 at the nodes", ports, clock,
                      dcl1_noc2_flits(b, &messages, messages.missing));
    return true;
}
