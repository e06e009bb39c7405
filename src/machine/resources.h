/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a machine is made of for those who load it with requests: its stations, their capacities,
 * the routes between its domains and the sizes of messages. One list, for every model and the
 * event simulator, so that all speak of the same hardware.
 *
 * A domain is what has SMs, LLC slices and memory of its own: a partition where chips have
 * several, else a chip. Domain d is part of chip d / partitions. Capacities are those of all
 * units of a station; requests go to a unit by address. Values are SI; whatever depends on a
 * parameter also says which, so that a model can make a term of it. */
#ifndef BANDSCAPE_MACHINE_RESOURCES_H
#define BANDSCAPE_MACHINE_RESOURCES_H

#include "machine/levels.h"
#include "machine/links.h"
#include "machine/machine.h"

/* X(symbol, name as answers print it, what it counts) */
#define RESOURCE_KINDS(X)                                                                          \
    X(RESOURCE_ISSUE, "issue", "issue slots of the SMs of a domain: warp instructions")            \
    X(RESOURCE_NODES, "nodes", "data ports of the L1 nodes of a domain: line accesses")            \
    X(RESOURCE_NOC1, "noc1", "the nodes' ports to the SMs, a direction: flits of dcl1.flit")       \
    X(RESOURCE_NOC2, "noc2", "the nodes' ports behind them, a direction: flits of dcl1.flit")      \
    X(RESOURCE_P2P, "p2p", "point-to-point links of a partition: bytes")                           \
    X(RESOURCE_NOC, "noc",                                                                         \
      "crossbar of a chip: bytes of requests and, unless they have one of "                        \
      "their own, of replies")                                                                     \
    X(RESOURCE_NOC_REPLY, "noc reply", "crossbar of a chip for replies (noc.directions separate)") \
    X(RESOURCE_LEVEL_0, "level", "a level before the LLC of a domain or chip: bytes")              \
    X(RESOURCE_LEVEL_1, "level", "the next one")                                                   \
    X(RESOURCE_LEVEL_2, "level", "the next one")                                                   \
    X(RESOURCE_LEVEL_3, "level", "the next one")                                                   \
    X(RESOURCE_LEVEL_4, "level", "the next one")                                                   \
    X(RESOURCE_LEVEL_5, "level", "the next one")                                                   \
    X(RESOURCE_LLC, "llc", "LLC slices of a domain: bytes")                                        \
    X(RESOURCE_EDGE, "inter", "a directed edge of the link graph: bytes")                          \
    X(RESOURCE_MEMORY, "memory", "memory channels of a domain: bytes")

enum resource_kind {
#define RESOURCE_ENUM(symbol, name, help) symbol,
    RESOURCE_KINDS(RESOURCE_ENUM)
#undef RESOURCE_ENUM
        RESOURCE_KIND_COUNT
};
/* The station of the i-th level of the machine (machine/levels.h). */
static inline enum resource_kind resource_level(int i)
{
    return (enum resource_kind)(RESOURCE_LEVEL_0 + i);
}
static inline bool resource_is_level(enum resource_kind kind)
{
    return kind >= RESOURCE_LEVEL_0 && kind < RESOURCE_LEVEL_0 + MACHINE_LEVELS_MAX;
}

struct resource_row {
    const char *name, *help;
};
extern const struct resource_row resource_table[RESOURCE_KIND_COUNT];

struct resource {
    enum resource_kind kind;
    uint32_t place;   /* its domain; its chip (crossbars, levels of a chip); the edge's number */
    uint32_t units;   /* SMs, nodes, slices, channels; 1 of an edge or a crossbar */
    double rate;      /* all units together, a second: bytes, or what the kind counts */
    const char *path; /* rate = share * efficiency * that parameter; NULL: a listed edge's own */
    double share;
    double efficiency;   /* what head-of-line blocking leaves; else 1 */
    const char *latency; /* parameter: what a pass takes beside its transfer; NULL: nothing */
    double latency_s;    /* the same in seconds, as a step (machine/latency.h) */
    bool per_chip;       /* place is a chip though chips may have several domains */
};

/* Bytes of messages on a network, beside the data that they carry. A message of x bytes takes
 * ceil(overhead x / flit) flits; without flits overhead x bytes. */
struct resource_messages {
    double flit_bytes; /* 0: raw bytes */
    double overhead;
    double read_request_bytes, read_response_bytes, write_request_bytes, write_response_bytes;
};
double resource_message_bytes(const struct resource_messages *messages, double bytes);

struct resources {
    uint32_t chips, partitions, domains;
    uint32_t sms;                                   /* of a domain */
    double warps, outstanding, mshrs, write_buffer; /* of an SM; outstanding: of a warp */
    double line_bytes;                              /* what a request moves: a line or sector */
    struct {
        struct resource *items;
        size_t count, capacity;
    } stations;                            /* ordered by kind, then place */
    size_t first[RESOURCE_KIND_COUNT + 1]; /* of a kind; its places are 0, 1, ... without gaps */
    struct arena *texts;                   /* paths and names of levels */
    struct machine_levels levels;
    struct link_graph links;
    double *routes; /* [(from * chips + to) * edges + edge]: share of these messages */
    struct resource_messages inter, noc;
};

/* Errors name the parameter that is unknown. resources_fini also after an error. */
int resources_read(const struct machine *machine, struct resources *out, struct error *error);
void resources_fini(struct resources *resources);

/* The station, or NULL when the machine has none of that kind there. */
const struct resource *resources_find(const struct resources *resources, enum resource_kind kind,
                                      uint32_t place);
/* The place of a kind that serves a domain: the domain, or its chip. */
uint32_t resources_place(const struct resources *resources, enum resource_kind kind,
                         uint32_t domain);
static inline uint32_t resources_chip(const struct resources *resources, uint32_t domain)
{
    return domain / resources->partitions;
}
static inline const double *resources_route(const struct resources *resources, uint32_t from_chip,
                                            uint32_t to_chip)
{
    return resources->routes +
           ((size_t)from_chip * resources->chips + to_chip) * resources->links.edges.count;
}

/* The station's name as answers print it: of a level, its section's. It lives as long as these
 * resources. */
const char *resources_name(const struct resources *resources, enum resource_kind kind);

/* Share of its throughput that a switch of n ports keeps when inputs are FIFOs, under uniform
 * traffic: 1, 3/4, 0.6825, ... -> 2 - sqrt(2) (Karol, Hluchyj, Morgan, IEEE Trans. Comm. 35(12),
 * 1987, table I; beyond 8 ports, which it does not list, 2 - sqrt(2) + 0.261/n). */
double resource_fifo_share(uint32_t ports);

#endif
