/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the modules of a multi-module GPU can supply, and what their links carry
 * of it (MCM-GPU, ISCA 2017, section 3.3; equations in README.md). Shared by
 * the models of this folder. */
#ifndef BANDSCAPE_MCM_SUPPLY_H
#define BANDSCAPE_MCM_SUPPLY_H

#include "model/model.h"

/* The link graph under the record's traffic (uniform where the profile says none), in plain
 * numbers: of one byte that goes to another module. */
struct mcm_links {
    uint32_t chips;
    double hops;     /* H: modules that it leaves on its way */
    double switches; /* on its way */
    double edges;    /* edges that it crosses, those of switches included */
    /* The same ways, of what goes to homes and of what comes back; data go home with writes, else
     * come back. */
    double hops_there, hops_back, edges_there, edges_back;
    struct link_way way; /* half of the way there and back, for latencies */
    /* What crosses a module's edge, in plus out, mean over modules: `ends` times
     * inter.link_bandwidth plus the bytes/s of edges with a bandwidth of their own. */
    double ends, own_bytes_per_s;
};

/* Errors stay in the builder. */
void mcm_links_read(struct model_builder *builder, struct mcm_links *out);

/* Terms; bandwidths are the system's, bytes/s of requests of the SMs. */
struct mcm_supply {
    struct mcm_links links;
    /* For a requested byte of another module, on the wire: bytes that leave modules, and that cross
     * edges (H and K, as published, where messages are data alone); bytes at the hottest edge of
     * inter.link_bandwidth, seconds at the hottest of all. -1: no such edge. */
    int leaving, crossing, hottest_bytes, hottest_time;
    int miss;        /* m = 1 - h of the LLC */
    int moved;       /* t: what an LLC and memory exchange per request there (model_memory) */
    int pass, cross; /* p, q: requests that reach a home, and another module's, per request */
    int modules;     /* C min(b / t, B_L2) / p: memories and L2s, links aside */
    int figure;      /* L: over a module's edges, in plus out */
    int mean;        /* modules, bounded by C L / (2 q H) */
    int hottest;     /* modules, bounded by the hottest directed edge */
    int bandwidth;   /* the smaller of both, or `mean` alone as published */
};

/* `memory`: bandwidth of all memories. Refuses machines that the equations do not know. */
void mcm_supply_build(struct model_builder *builder, int memory, struct mcm_supply *out);

/* Where its terms stand in the paper (struct model_source): the mean module's as published; the
 * hottest edge is ours. */
#define MCM_SUPPLY_SOURCES                                                                         \
    {"C*s/p", "section 3.3", NULL}, {"C*b/(t*p)", "section 3.3", NULL},                            \
        {"C*B_L2/p", "section 3.3", NULL}, {"mean module", "section 3.3", NULL},                   \
        {"links of the mean module", "section 3.3", "C*L/(2*q*H)"},                                \
        {"hottest edge", "ours", NULL},                                                            \
    {                                                                                              \
        "hottest edge's limit", "ours", "l_e/(q*w_e)"                                              \
    }

/* J/byte over the links, by their integration tier; -1: the machine does not say the tier. */
int mcm_link_energy(struct model_builder *builder);

#endif
