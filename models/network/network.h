/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GPU as a closed queueing network: what a request of each domain asks of each station, as
 * products of numbers that the profile fixes (weights) and terms that a design space varies
 * (arguments). demands.c builds it, groups.c collapses what is alike, solution.c solves it for
 * columns of points. */
#ifndef BANDSCAPE_MODELS_NETWORK_H
#define BANDSCAPE_MODELS_NETWORK_H

#include "machine/system.h"
#include "model/model.h"
#include "network/schedule.h"
#include "queueing/batch.h"

/* Which requests pay a visit, for latencies. */
enum network_path {
    PATH_NONE,   /* no part of a request's way: issue slots, hits in L1, moved pages */
    PATH_ANY,    /* every request */
    PATH_LOCAL,  /* requests whose home is their own domain */
    PATH_REMOTE, /* others */
    PATH_COUNT
};

/* A request of the class adds  weight * arg[flow] * arg[miss] * arg[amount] * arg[slowness]
 * seconds to its demand at the station, or to its think time. Argument 0 is the constant 1. */
struct network_visit {
    int station; /* -1: a latency, for which nobody waits */
    int class;
    enum network_path path;
    int flow;             /* probability of this way through the machine */
    int miss;             /* 0: also those that hit; else a miss ratio; of a latency the share of
                           * requests that wait for it */
    int amount, slowness; /* bytes and seconds a byte; a latency and 0 */
    double weight;
    int rest;    /* what of it, and what goes with it, is still to come when it is met, mean, in its
                  * services; 0: nobody says */
    bool writes; /* kept back while there is something to read */
    bool waits;  /* no visit, but who of the class waits for the rests that are met there */
};

/* Requests of the class that go this way: share * arg[flow] of all of its own. */
struct network_flow {
    int class;
    enum network_path path;
    int flow;
    double share;
    int late; /* argument: share of its reads that wait for what is behind the LLC; -1: not looked
               * at, as where they look up two */
};

/* Who waits for one line gets it at once: a crowd, whose replies go out together (crowd.c). */
struct network_crowd {
    double others; /* that wait for a line with a request, mean; 0: none, or nobody knows */
    int before;    /* argument: lines that a warp waits for together, less one */
    bool at_home;  /* they come from all domains, else from one */
};

/* Levels that stop when all their MSHRs are taken: TLBs, levels between L1 and the LLC, the LLC. A
 * request holds one while it is behind the level, those that miss. */
enum { NETWORK_LEVELS_MAX = MACHINE_LEVELS_MAX + 1 + MACHINE_TLBS_MAX + MACHINE_BESIDE_MAX };
struct network_places {
    int mshrs;    /* argument: of one cache; */
    double units; /* caches, slices of a domain */
    bool by_sms;  /* only those whose SM has work */
};

/* Of a visit those that hold an MSHR of the level meanwhile: its weight, and its miss. */
struct network_hold {
    int level;
    struct network_visit visit;
};

struct network_station {
    enum station_kind kind;
    uint32_t place; /* the first, where several are alike */
    int copies;     /* equal queues: units, times the stations that are alike */
};

struct network_class {
    double work;      /* share of all requests of the system */
    double sms;       /* that have work */
    double sms_share; /* of its SMs */
    double even;      /* mean over busiest of those; 0: nobody knows */
    double sectors;   /* reads that one MSHR has: those of a line; 0: one */
    double writes;    /* share of its requests that need a buffer, not an MSHR */
    double past;      /* the same of reads past L1 */
    double beside;    /* share of those that need neither: of caches beside L1 */
    int domains;      /* that are alike */
    struct network_distance {
        double hops;   /* there and back */
        double within; /* share of its requests for remote lines whose home is as near, or nearer */
    } * far;           /* of remote homes, the nearest first */
    int fars;
    double asks;   /* share of its requests that are remote, over that of who has the longest chain,
                    * at most 1; NAN: unknown */
    double remote; /* lines of a wait that are remote, for one that it waits for */
    int issued;    /* argument: instructions of the chain that a request stands idle for */
};

/* The warps of the busiest SM, whose chain is that of the profile (slots.c). */
struct network_slots {
    struct schedule_sm sm;
    double launches;
    double warps;        /* of the chain, one behind another: of all launches */
    double waits;        /* in the chain, behind the first of each launch */
    double instructions; /* of a warp of the chain, */
    double mean;         /* of one of the SM's, */
    double accesses;     /* which has so many */
    double lines;        /* that it asks for behind L1, and that hold MSHRs */
    double together;     /* share of waits for lines that another warp asked for */
    double ends_write;   /* share of launches whose longest chain ends with a write */
    double behind_write; /* warps of a block behind the last one that ends with a write, mean */
    int slot;            /* argument: seconds an instruction; 0: nobody knows the warps */
    int fewer, hits;     /* the same: demands_fewer_a_wait(), demands_chain_hits() */
    int l1;              /* the same: seconds of such a hit; 0: there is none */
    int last;            /* the same: seconds of all chains behind the last waits, beside issue */
    /* What warps find that go through the program when others have (starved.c). */
    struct network_starved {
        double everyones; /* share of waits for lines that all warps of an SM read; 0: none do */
        double lines, again,
            touched; /* that an SM asks for; of these such; that a domain touches */
        int l1, llc; /* arguments: lines of these caches, 0: unknown; */
        int hit;     /* seconds of a hit in L1 */
    } starved;
};

struct network {
    struct network_class *class;
    struct network_station *station;
    const char *names[STATION_KIND_COUNT]; /* of stations of that kind */
    int classes, stations;
    struct {
        struct network_visit *items;
        size_t count, capacity;
    } visits;
    struct {
        struct network_flow *items;
        size_t count, capacity;
    } flows;
    struct {
        struct network_hold *items;
        size_t count, capacity;
    } holds;
    struct network_places places[NETWORK_LEVELS_MAX];
    int levels;                /* of these */
    int asked;                 /* argument: reads that an SM asks for at a time, */
    int mshrs, buffers;        /* of which, and of writes, so many may be under way */
    int passing;               /* and of reads past L1 */
    bool chained;              /* the profile says the chain of waits */
    double met[PATH_COUNT];    /* share of late reads whose line other domains ask for too */
    double chain_remote;       /* share of the longest chain's waits; negative: unknown */
    double beside[PATH_COUNT]; /* requests that wait for what one of these waits for, it among them:
                                * of visits that are latencies the weight has them all */
    double passes[PATH_COUNT]; /* requests that go on behind levels before the LLC; 0: none does */
    int hop, lines;            /* arguments: latency of a link, 0: there is none; lines of a wait */
    int memory, spread;        /* the same: of memories, and its deviation, 0: nobody says; */
    int spread_lines;          /* lines of memory, of a wait */
    double chain_writes; /* the same of waits for writes, which wait for no memory, behind the first
                          * of each launch, */
    bool begins_with_writes; /* which is for a read, if there is any */
    double ends_remote;      /* share of launches whose chain ends with a write to a remote line,
                              * for which nobody waits; negative: unknown */
    bool writes_stay;        /* nor for an LLC: a level before it answers them */
    double chain_issues;     /* of the busiest SM's instructions, those of the longest chain */
    double unequal; /* the longest chain's waits over those of a place for warps, mean, or 1 */
    double burst;   /* requests of an access that is waited for, mean */
    double remote_groups; /* share of groups that have remote lines, over that of remote requests;
                           * 0: unknown */
    struct network_crowd crowd;
    struct network_slots slots;
    enum { NETWORK_AUTO, NETWORK_LINEARIZER, NETWORK_SCHWEITZER } algorithm;
    double lattice; /* auto: most populations that mean value analysis visits */
    double scv;     /* of service: 1 exponential, 0 deterministic */
};

/* Of latencies behind levels before the LLC the weight has all that wait: so many for each request
 * that goes there. */
static inline double network_beside(const struct network *network, enum network_path path)
{
    return network->beside[path] > 1 ? network->beside[path] : 1;
}

/* Results of a solution; NETWORK_UTILISATION and its likes are one for each kind of station. */
enum {
    NETWORK_TIME,        /* seconds a request, of the whole system */
    NETWORK_FILL,        /* seconds that the first request of a launch takes, alone, mean */
    NETWORK_WARPS,       /* seconds that launches take at least for the warps of the busiest SM */
    NETWORK_IN_FLIGHT,   /* what the requests in flight allow at most, as a share of it reached */
    NETWORK_STOPPED,     /* share of the MSHRs that are taken, of the level that stops most */
    NETWORK_LOCAL_HIT,   /* seconds, of a request that misses L1 */
    NETWORK_LOCAL_MISS,  /* the same */
    NETWORK_REMOTE_HIT,  /* the same */
    NETWORK_REMOTE_MISS, /* the same */
    NETWORK_LATENCY,     /* seconds of a request for which nobody waits, mean */
    NETWORK_UTILISATION, /* of the busiest station of a kind, over the launch */
    NETWORK_DEMAND = NETWORK_UTILISATION + STATION_KIND_COUNT, /* seconds a request, mean */
    NETWORK_RESIDENCE = NETWORK_DEMAND + STATION_KIND_COUNT,   /* demand and waiting */
    NETWORK_RESULTS = NETWORK_RESIDENCE + STATION_KIND_COUNT
};

/* The largest of n normal numbers, mean, in deviations; and so much more a wait takes for the last
 * of its lines of memory than for a mean one, seconds: of a visit that is a latency. spread.c */
double network_last_of(double n);
double network_spread(const struct network *network, const struct network_visit *visit,
                      const struct term_operand *args, int point);

/* The i-th argument at a point. */
static inline double network_argument(const struct term_operand *args, int i, int point)
{
    return i == 0 ? 1 : args[i].data[args[i].step ? point : 0];
}

/* Requests of a class that may be under way:
 *     N = floor( SMs u min( e k / (1 - w - y - s) , b / w , p / y ) ),  at least 1
 * k reads and atomics in flight an SM, b writes, p reads past L1, w share of writes, y of reads
 * past L1, s of what caches beside L1 miss: all are taken to stay equally long, so that in flight
 * they are as many as in the mix. Requests stay with their SM, so that the launch ends with the
 * busiest: u, mean over busiest, of them have work for all of its time. An MSHR has a line, with e
 * of its sectors. */
double network_population(const struct network_class *class, double reads_in_flight,
                          double writes_in_flight, double past_in_flight);

/* Share of a level's MSHRs that a class takes at that throughput, most of all levels (Little's
 * law): X sum over what is behind the level of  stretch * demand of those that miss  /  K
 * stretch[station]: times the service that a request of the class stays there. */
double network_places_taken(const struct network *network, int class,
                            const struct term_operand *args, int point, const double *stretch,
                            double throughput);

/* How long a request is stopped before levels whose MSHRs are taken, so that they are all taken and
 * no more: the root of taken(context, blocked_s) = 1, which falls with blocked_s, from a positive
 * `most_s` on which it is at most 1. Within 1e-4 of the root's share. */
double network_blocked(double (*taken)(void *context, double blocked_s), void *context,
                       double most_s);

/* One class for domains that are alike, one station of several copies for stations that are:
 * those that a refinement of colours, from kinds and weights, does not tell apart. */
void network_collapse(struct network *network, struct arena *arena);

/* The solver of core/term.h; context: struct network. Unsettled points are NaN. */
void network_solve(const void *context, int n, const struct term_operand *args, double *const *out);
/* The same without queues, for NETWORK_TIME, _FILL, _WARPS and _UTILISATION: a launch takes at
 * least NETWORK_TIME, for which the utilisations are; the others are exact. Unknown where an
 * argument is. */
void network_bound(const void *context, int n, const struct term_operand *args, double *const *out);

/* From the builder's machine and record; NULL after an error. `terms`: the arguments. */
struct network_terms {
    struct {
        int *items;
        size_t count, capacity;
    } args;
    int slow_arg[STATION_KIND_COUNT]; /* the argument that a faster station divides; -1: none */
    int own_edges;                    /* the same of listed edges with their own bandwidth */
    int behind;                       /* requests behind the first of each launch; -1: unknown */
    int last;                   /* seconds a request behind the last waits of launches; -1: none; */
    int last_own;               /* the same of a warp whose data are the last to come */
    int last_beside;            /* seconds of its latencies there, beside issue, all launches */
    double waits;               /* in chains, behind the first of each launch; 0: unknown */
    int hit_rate;               /* of the LLC */
    struct model_memory memory; /* per request that looks the LLC up; told_apart false: misses */
    int passes;                 /* such requests for one of the SMs' */
    int line;                   /* bytes a request */
};
struct network *network_build(struct model_builder *builder, struct network_terms *terms);

#endif
