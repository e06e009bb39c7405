/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics and parameters of the model dcl1. */
#include "dcl1/tables.h"

#include "dcl1/design.h"

const struct model_metric dcl1_metrics[] = {
    {"l1_rate", IN_HERTZ, COMBINE_TIME, "line accesses of all SMs a second"},
    {"l1_bandwidth", IN_BYTES_PER_S, COMBINE_TIME, "bytes asked for (32-byte sectors) a second"},
    {"l1_miss_rate", IN_PLAIN, COMBINE_MEAN, "of reads that look up L1"},
    {"l1_hit_latency", IN_SECONDS, COMBINE_MEAN, "L1 and the way to it"},
    {"l1_uniformity", IN_PLAIN, COMBINE_MEAN,
     "mean over maximum of the accesses at the nodes: partition camping where low"},
    {"l1_peak_cycle", {1, 0, -1, 0}, COMBINE_MEAN, "peak L1 bandwidth, all clocks taken as one"},
    {"l1_peak_drop", IN_PLAIN, COMBINE_MEAN, "that of private L1s over it"},
    {"l1_peak_bandwidth", IN_BYTES_PER_S, COMBINE_MEAN,
     "peak L1 bandwidth at the ports' own clock"},
    {"replication_ratio", IN_PLAIN, COMBINE_MEAN,
     "L1 misses whose line is in another L1, of all; measured"},
    {"replication_predicted", IN_PLAIN, COMBINE_MEAN, "the same from miss curves"},
    {"l1_copies", IN_PLAIN, COMBINE_MEAN, "L1s that hold a line which any holds; measured"},
    {"l1_copies_predicted", IN_PLAIN, COMBINE_MEAN, "the same from miss curves"},
    {"l1_replicas", IN_PLAIN, COMBINE_MEAN, "copies but one"},
    {"replication_sensitive", IN_PLAIN, COMBINE_MEAN,
     "baseline: share of bytes in launches with ratio > 25 %, misses > 50 %, gain > 5 %"},
    {"larger_l1_gain", IN_PLAIN, COMBINE_MEAN, "baseline: speed-up of 16 times the L1 capacity"},
    {"node_utilisation", IN_PLAIN, COMBINE_TIME, "of the L1 data ports, mean"},
    {"node_hottest", IN_PLAIN, COMBINE_TIME, "of the L1 data ports, hottest"},
    {"noc1_utilisation", IN_PLAIN, COMBINE_TIME, "of the nodes' ports to NoC#1, mean"},
    {"noc1_hottest", IN_PLAIN, COMBINE_TIME, "of the nodes' ports to NoC#1, hottest"},
    {"noc2_utilisation", IN_PLAIN, COMBINE_TIME, "of the nodes' ports to NoC#2, mean"},
    {"noc2_hottest", IN_PLAIN, COMBINE_TIME, "of the nodes' ports to NoC#2, hottest"},
    {"noc_extrapolated", IN_PLAIN, COMBINE_MEAN,
     "1: a crossbar has more ports than those behind the laws of area and static power"},
    {.name = NULL},
};

const struct parameter_row dcl1_parameters[] = {
    {"design", PARAMETER_NAME, IN_PLAIN, 0, 0, NULL, NULL, NULL, "chip", STRUCTURE_MODEL,
     "baseline, perfect, ideal, PrY, ShY, ShY+CZ, the last three with +Boost: sets l1.nodes, "
     "l1.clusters, l1.contents, dcl1.ports, dcl1.noc1_boost",
     NULL, dcl1_design_expand},
    {"ports", PARAMETER_NAME, IN_PLAIN, 0, 0, "built", "built full", NULL, "node", STRUCTURE_MODEL,
     "full: nodes are reached at the bandwidth of private L1s (design ideal)",
     .role = ROLE_NODE_PORTS},
    {"noc", PARAMETER_NAME, IN_PLAIN, 0, 0, "crossbar", "crossbar two-stage", NULL, "chip",
     STRUCTURE_MODEL, "what joins private L1s and L2; two-stage: converge, then diverge"},
    {"noc_groups", PARAMETER_COUNT, IN_PLAIN, 1, 4096, "10", NULL, NULL, "chip", STRUCTURE_MODEL,
     "first crossbars of a two-stage NoC"},
    {"noc_middle", PARAMETER_COUNT, IN_PLAIN, 1, 4096, "4", NULL, NULL, "chip", STRUCTURE_MODEL,
     "its second crossbars: links from each first one"},
    {"noc_clock", PARAMETER_QUANTITY, IN_HERTZ, 1e6, 1e11, "700 MHz", NULL, NULL, "port",
     STRUCTURE_NONE, "flits a second", .role = ROLE_NODE_CLOCK},
    {"flit", PARAMETER_QUANTITY, IN_BYTES, 1, 4096, "32 B", NULL, NULL, "flit", STRUCTURE_NONE,
     "width of a port", .role = ROLE_NODE_FLIT},
    {"noc1_boost", PARAMETER_NUMBER, IN_PLAIN, 1, 64, "1", NULL, NULL, "chip", STRUCTURE_MODEL,
     "clock of NoC#1 (or of first crossbars) over dcl1.noc_clock", .role = ROLE_NODE_BOOST_NEAR},
    {"noc2_boost", PARAMETER_NUMBER, IN_PLAIN, 1, 64, "1", NULL, NULL, "chip", STRUCTURE_MODEL,
     "clock of NoC#2 (or of second crossbars) over dcl1.noc_clock", .role = ROLE_NODE_BOOST_FAR},
    {"boost_ports", PARAMETER_COUNT, IN_PLAIN, 1, 4096, "16", NULL, NULL, "crossbar side",
     STRUCTURE_MODEL, "most ports with which a crossbar reaches a higher clock"},
    {"boost_most", PARAMETER_NUMBER, IN_PLAIN, 1, 64, "2", NULL, NULL, "crossbar", STRUCTURE_MODEL,
     "most times dcl1.noc_clock that a crossbar with few ports reaches; published is twice, which "
     "is the SMs' own clock"},
    {"communication", PARAMETER_QUANTITY, IN_SECONDS, 0, 1, "54 cycles", NULL, NULL, "access",
     STRUCTURE_NONE, "through NoC#1, there and back: published mean of Sh40+C10+Boost",
     .role = ROLE_NODE_LATENCY},
    {"latency_growth", PARAMETER_QUANTITY, IN_SECONDS, 0, 1, "2 cycles", NULL, NULL, "doubling",
     STRUCTURE_NONE, "of the hit latency, when a node has twice the capacity",
     .role = ROLE_NODE_GROWTH},
    {"predict", PARAMETER_NAME, IN_PLAIN, 0, 0, "baseline", "none baseline always", NULL,
     "design", STRUCTURE_MODEL,
     "which designs have replication_predicted and l1_copies_predicted too, and the baseline "
     "larger_l1_gain: they need curves of all lookups, which make a pass up to twice as long; a "
     "perfect L1 has none of them"},
    {.field = NULL},
};
