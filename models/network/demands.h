/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What demands.c, mix.c and organised.c share: a network in the making. */
#ifndef BANDSCAPE_MODELS_NETWORK_DEMANDS_H
#define BANDSCAPE_MODELS_NETWORK_DEMANDS_H

#include "network/network.h"

enum { READ_REQUEST, READ_RESPONSE, WRITE_REQUEST, WRITE_RESPONSE, MESSAGES };
enum { LATENCIES = 16 };
enum { NETWORK_WARP = 32 }; /* threads */

struct demands {
    struct model_builder *b;
    struct term_graph *g;
    const struct profile_record *record;
    const struct system *system;
    struct network *net;
    struct network_terms *terms;
    double *share;             /* [i * domains + j]: t_ij */
    int *class;                /* of a domain; -1: no work */
    double passes[PATH_COUNT]; /* requests that go on, of the local and the remote ones */
    double reads[PATH_COUNT];  /* share of reads among those */
    int line;                  /* argument: bytes a request */
    int memory_line;           /* the same at memory, whose homes may be hot for a while */
    int hit;                   /* a term: latency of L1, and of the way to it; -1: not made yet */
    int noc[MESSAGES], inter[MESSAGES];
    int written[PATH_COUNT]; /* arguments: dirty data that leave for memory, by what drives them
                              * out; 0: none is known */
    int turned;              /* the same of what memories turn for them, as requests; 0: nothing */
    int rests[2];            /* arguments: of what memories read, and write, one behind another */
    struct {
        const char *path;
        char name[40];
        int argument;
    } latencies[LATENCIES];
    struct {
        int between[MACHINE_LEVELS_MAX], llc; /* numbers among the network's levels that stop; -1 */
        int beside[MACHINE_BESIDE_MAX];       /* the same */
    } stops;
    double held_share[NETWORK_LEVELS_MAX]; /* of what reads, that holds an MSHR of that level: 1
                                            * but of caches beside L1 */
    struct {
        int before, hits; /* arguments; 0: not made yet */
    } first;              /* latencies of L1 and caches beside it (beside.c) */
    struct demands_side { /* of an LLC at the requester: sides.c */
        bool known;
        double requests; /* that look it up; */
        double waited;   /* of these, reads and atomics, */
        double follows;  /* of which such a share waits for another one's miss */
    } sides[PATH_COUNT];
    double follow[PATH_COUNT]; /* way.follow of those that pass the levels before the LLC */
    double even[2]; /* slices within a domain: mean over hottest; at home, at requester */
};

/* One way through the machine, of which requests of a class are a part. */
struct way {
    int class;
    enum network_path path;
    int flow, miss; /* arguments; miss of the LLC at which it ends, 0: nothing misses */
    int late;       /* the same of latencies, in place of miss; 0: no other */
    double share;   /* of the requests of the class */
    double follow;  /* requests that wait for what these do, each beside itself: followers of what a
                     * level before the LLC misses */
    bool alone;     /* no request waits for it */
    bool writes;    /* what memories keep back, and write one behind another */
    bool waits;     /* it is who waits for the rests of what it meets, and no visit */
    unsigned held;  /* levels before it that stop, a bit each, by their numbers */
    double holding; /* share of its requests that hold their MSHRs: those that read */
};

/* Passes and waits of a way: demands.c. `amount`, `latency`: arguments. */
void demands_pass(struct demands *d, const struct way *way, enum station_kind kind, uint32_t place,
                  int amount, double times);
void demands_serve(struct demands *d, const struct way *way, const struct station *station,
                   int amount, int slow, double times);
void demands_delay(struct demands *d, const struct way *way, int latency, double times);
/* A latency by its path, of what may follow another one's miss. */
void demands_wait(struct demands *d, const struct way *way, const char *path, double times);
/* There and back over the crossing between two partitions of a chip, if they have one: data come to
 * i with reads, go to j with others. crossing.c */
void demands_cross(struct demands *d, const struct way *way, uint32_t i, uint32_t j, double reads);
/* Holds the MSHRs of way->held while it is served, or for a latency (no station). */
void demands_hold(struct demands *d, const struct way *way, const struct station *station,
                  int amount, int slow, double times);

/* What of a batch that a memory reads, or writes, is still to come when another request meets it
 * (memory.read_batch, memory.write_batch). rests.c */
void demands_read_rests(struct demands *d);

/* What decides the form of the network: form.c. */
void demands_read_form(struct demands *d);
void demands_set_stations(struct demands *d);

/* A level that stops, if it states its MSHRs: its number among those of the network; -1. */
int demands_stop(struct demands *d, const char *level, double units, bool by_sms);
/* Levels between L1 and the LLC, and the LLC, that stop; TLBs and walks. Before all ways, and
 * behind them. */
void demands_read_stops(struct demands *d);
void demands_translate(struct demands *d);

/* Invalidations and pages that a placement moves, as the fixed-mix bound counts them. other.c */
void demands_add_other(struct demands *d);

/* The argument that a term is; added where it is none yet. */
int demands_argument(struct demands *d, int term);

/* A number of the record; NaN: unknown. */
double demands_field(const struct demands *d, enum profile_field field);
/* Atomics, whose warps wait as those of reads do; 0 where curves have partial writes beside
 * them. */
double demands_atomics(const struct demands *d);
/* a / b, or the fallback where that is unknown or b is 0. */
double demands_ratio(double a, double b, double fallback);

/* Shares of the traffic matrix, and a class for each domain that has work. */
void demands_read_traffic(struct demands *d);
void demands_set_working_sms(struct demands *d);
double demands_working_sms(const struct demands *d); /* of the system */
/* Requests in flight an SM; after the working SMs. */
void demands_read_population(struct demands *d);
/* Which of the reads that wait for what is behind the LLC other domains ask for too. pace.c */
void demands_read_pace(struct demands *d);
/* How unlike latencies of memory are; a term: requests that are waited for together, of which so
 * many are of one line. spread.c */
void demands_set_spread(struct demands *d, int lines, double sectors);
/* How far away remote lines are; a term: lines that are waited for together. farther.c */
void demands_set_farther(struct demands *d, int lines);
/* The argument of a latency. */
int demands_latency(struct demands *d, const char *path);
/* Crowds of those who wait for the same lines; `lines`, a term: that a warp waits for together.
 * crowd.c */
void demands_read_crowd(struct demands *d, int lines);
/* Waits in the chains of launches that follow their first ones (profile/issue/waits.h); 0: unknown,
 * or for who knows how many requests. */
double demands_waits_behind(const struct demands *d);
/* Of a launch: thread blocks, 0 where nobody knows; threads of one; how many an SM has room for. */
double demands_blocks(const struct demands *d);
double demands_block_threads(const struct demands *d);
double demands_blocks_held(struct demands *d);
/* Whether the machine gives a parameter, above 0. */
bool demands_is_given(struct demands *d, const char *path);
void demands_set_starved(struct demands *d, struct network_slots *slots); /* starved.c */
double demands_launches(const struct demands *d);
/* Of the reads behind L1 those whose home is another domain. They are no share of all as requests
 * are: sums that a domain keeps writing at home are requests, too. */
double demands_remote_reads(const struct demands *d);
/* Blocks that follow others in their place, one behind another, mean over the places of all SMs and
 * summed over launches; 0 where blocks are unknown. */
double demands_turnovers(struct demands *d);
/* Blocks that an SM has room for; 1 where the threads of a block are unknown. */
double demands_blocks_held(struct demands *d);
/* Lookups of the L1s of domain i (l1.lookups), whose launches have so many waits in their chain; 0:
 * nobody says. l1.c */
void demands_look_up_near(struct demands *d, uint32_t i, double waits);
/* What a latency of L1 leaves behind the lookup of a line, which it has; terms. */
int demands_behind_lookup(struct demands *d, int latency);
/* Begin of the warps of domain i (cta.warps), whose launches have so many waits in their chain; 0:
 * nobody says. After what queues at the port of an SM. dispatch.c */
void demands_dispatch(struct demands *d, uint32_t i, double waits);
/* The warps of a block begin together, and what they ask for first comes one behind another through
 * the port of their SM: how many stand before the last one, of what a block waits for at a time,
 * summed over the blocks that follow each other; 0 where blocks or the chain are unknown. */
double demands_batch(struct demands *d);
/* Where a machine lets a warp have fewer accesses under way than it asks for at a time, it waits as
 * often more. Of c waits in the chain, for a accesses each behind L1, and h for L1 alone, where g
 * accesses are asked for at a time, become
 *
 *     c' = c max( 1, a / sm.outstanding ),     h' = (c + h) max( 1, g / sm.outstanding ) - c'
 *
 * Terms: h' c / c', so that h' / c' stand before a wait; and c / c'. */
int demands_chain_hits(struct demands *d);
/* The longest chain's waits over those of a place for warps, mean, at least 1. unequal.c */
double demands_unequal(struct demands *d);
/* Of the instructions that the busiest SM issues those of the longest chain; 0: unknown. */
double demands_chain_issues(const struct demands *d);
int demands_fewer_a_wait(struct demands *d);
/* Of the chain's instructions (or lines) before a wait, `own` c / c', what the station of all SMs
 * does not serve for a request: they count once. A term of that name. */
int demands_own_left(struct demands *d, const char *name, double own, double served);
/* Instructions of the mean over those of the busiest SM of a domain, among its working ones. */
double demands_issue_evenness(const struct demands *d, double sms);
/* The same of the lines that their L1s are asked for. */
double demands_lookup_evenness(const struct demands *d, double sms);
/* What an instruction of a warp waits for the one before it, beside its issue: max(0, sm.dependent
 * - 1 / sm.issue). An argument; hand-made profiles do not say where they would wait, which the
 * answer warns of. */
int demands_dependent(struct demands *d);
/* How often that stands in the chain before its last wait: k instructions, of which the last one is
 * an access, are k - 1 steps; what it asks for has its latency from there. */
double demands_between(const struct demands *d);
/* Of the chain's instructions, those behind its last wait; 0: unknown. */
double demands_last_share(const struct demands *d);
/* Mean over hottest L1 node within a domain. */
double demands_node_evenness(const struct demands *d);
/* Latency of L1; of nodes outside the SMs with the way there and back, and what larger ones take
 * longer. A term. */
int demands_hit_latency(struct demands *d);
/* What SMs issue overlaps with waits of other warps, but behind the last ones there are none: that
 * share of the busiest SM's issue time, or of the chain's instructions and hits and what it works
 * beside them, which are a warp's own, for a request. Terms, in seconds. After the argument of
 * issue slots. */
void demands_set_last(struct demands *d);
/* Who shares the busiest SM's slots; behind demands_set_last(). slots.c */
void demands_set_slots(struct demands *d);
/* What the chain's warps work beside issue before its waits (`chain.think`, cycles of sm.clock), a
 * delay of the way. */
void demands_think(struct demands *d, const struct way *way);
/* What passes the levels before the LLC, and which part of it reads; and who waits with it for
 * lines that are on their way to such a level. front.c */
void demands_read_passes(struct demands *d);
void demands_read_front_followers(struct demands *d);
/* Time of the hottest link while homes are hot, over that of the launch; a term, -1: no more. */
int demands_hot_links(struct demands *d);
/* Mean over hottest slice within a domain; what domains differ by is in the traffic. */
double demands_read_evenness(struct demands *d, bool at_home);
/* Whoever asks for a line that a request before is under way for waits as long as that one: of
 * reads a share f follow, misses are all among the others, and so
 *     late = min(1, m / (1 - f))
 * wait for what is behind a cache of that side. An argument. */
int demands_late(struct demands *d, int miss, bool at_home);
/* Of an LLC at the requester, local lines and remote ones each, where the profile tells them apart
 * (d->sides): the miss ratio of those that wait for it; what they read for a request. Terms.
 * sides.c */
void demands_read_sides(struct demands *d);
int demands_side_miss(struct demands *d, enum network_path path);
int demands_side_reads(struct demands *d, enum network_path path);
/* What slices of one home read for a request, from what all do; a term. */
int demands_home_reads(struct demands *d, uint32_t home, int reads);
/* The same as demands_late() of those that follow, a share `follows`. */
int demands_late_of(struct demands *d, int miss, double follows);
/* The same of remote reads that look up slices of the requester's domain. */
int demands_late_remote(struct demands *d, int miss);

/* Requests of domain i for lines of domain j look up slices of one of the two, and their misses go
 * to the memory of j. */
void demands_look_up(struct demands *d, struct way way, uint32_t i, uint32_t j, bool at_home);
/* Slices of i before those of j: arguments. */
struct way_twice {
    int asks;     /* share of the requests that look up the first; 0: all */
    int on, late; /* of those, miss there and go on to j; wait for it */
    double even;  /* mean over hottest slice of those of j; 0: as at home */
    bool fetches; /* they go on for data over the crossing, whose latency has the second lookup,
                   * and dirty data leave the first */
};
void demands_look_up_twice(struct demands *d, struct way way, const struct way_twice *twice,
                           uint32_t i, uint32_t j);

/* Caches beside L1 (beside.c): the share of requests that they miss; hits of L1 and theirs for each
 * request, where nobody says the chain; */
double demands_share_beside(struct demands *d);
double demands_hits_between(struct demands *d);
/* the latency of L1, a term, with theirs in its place as often as waits are theirs; what they take
 * of stations. */
int demands_mean_latency(struct demands *d, int l1, bool hits);
void demands_add_beside(struct demands *d, uint32_t domain);
/* Waits of a request for them, and for hits alone; those that stop, and what holds their MSHRs. */
void demands_wait_near(struct demands *d, const struct way *way);
void demands_wait_hits(struct demands *d, const struct way *way, double times);
void demands_stop_beside(struct demands *d);
void demands_hold_beside(struct demands *d, struct way *way);

/* Ways of all requests, as the LLC is organised (organised.c). */
void demands_add_ways(struct demands *d);

#endif
