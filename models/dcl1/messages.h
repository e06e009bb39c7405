/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a line access puts on the crossbars before and behind L1 nodes, and what the nodes of a
 * machine let through: for the model of one chip, and for machines in which DC-L1's nodes stand
 * in front of other hierarchies. */
#ifndef BANDSCAPE_MODELS_DCL1_MESSAGES_H
#define BANDSCAPE_MODELS_DCL1_MESSAGES_H

#include "model/model.h"

/* Of a line access before L1. */
struct dcl1_messages {
    int writes, atomics, missing; /* w, a; q: reads that go on */
    int asked, carried, line; /* whole flits: D of the bytes that reads ask for, mean; W of those
                               * that writes and atomics carry; B of a line (sector) */
};
void dcl1_messages_read(struct model_builder *builder, struct dcl1_messages *out);

/* A term of whole flits for so many bytes (a term): ceil(bytes / dcl1.flit). */
int dcl1_message_flits(struct model_builder *builder, const char *name, int bytes);
/* Mean flits of accesses to lines of `most` sectors (32 B) that ask for `sectors` of them in the
 * mean, 1 to `most` each, in flits of so many bytes: the least of all spreads about that mean,
 * which the profile does not say. Exact where whole lines are asked for, or where flits divide
 * a sector. */
double dcl1_least_flits(double sectors, double most, double flit_bytes);

/* Flits of an access, the larger of both directions: between SMs and nodes, and behind the
 * nodes, where `missing` reads an access fetch lines. */
int dcl1_noc1_flits(struct model_builder *builder, const struct dcl1_messages *m);
int dcl1_noc2_flits(struct model_builder *builder, const struct dcl1_messages *m, int missing);

/* Bytes a second of requests behind L1 at which the nodes of all chips are at a limit. */
struct dcl1_node_limits {
    int data; /* data ports: a line a cycle of sm.clock */
    int noc1; /* replies or requests between SMs and nodes */
    int noc2; /* the nodes' ports to the crossbar behind them */
};
/* True when the machine has nodes that SMs reach over ports (l1.nodes, not dcl1.ports: full).
 * Else nothing is read. */
bool dcl1_node_limits_read(struct model_builder *builder, struct dcl1_node_limits *out);

#endif
