/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What demands.c and mix.c share: a network in the making. */
#ifndef BANDSCAPE_MODELS_NETWORK_DEMANDS_H
#define BANDSCAPE_MODELS_NETWORK_DEMANDS_H

#include "network/network.h"

enum { READ_REQUEST, READ_RESPONSE, WRITE_REQUEST, WRITE_RESPONSE, MESSAGES };
enum { LATENCIES = 16 };

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
    int hit;                   /* a term: latency of L1, and of the way to it; -1: not made yet */
    int noc[MESSAGES], inter[MESSAGES];
    int miss[PATH_COUNT];    /* arguments */
    int read_miss;           /* a term; -1: reads miss as often as all */
    int late[2][PATH_COUNT]; /* the same, of the time of a request: at requester, at home */
    struct {
        const char *path;
        char name[40];
        int argument;
    } latencies[LATENCIES];
    double even[2]; /* slices within a domain: mean over hottest; at home, at requester */
};

/* The argument that a term is; added where it is none yet. */
int demands_argument(struct demands *d, int term);

/* A number of the record; NaN: unknown. */
double demands_field(const struct demands *d, enum profile_field field);
/* a / b, or the fallback where that is unknown or b is 0. */
double demands_ratio(double a, double b, double fallback);

/* Shares of the traffic matrix, and a class for each domain that has work. */
void demands_read_traffic(struct demands *d);
void demands_set_working_sms(struct demands *d);
/* Requests in flight an SM; after the working SMs. */
void demands_read_population(struct demands *d);
/* What of a count is behind the first of each launch, whose time is the launch's fill. */
double demands_behind_first(const struct demands *d, double count);
/* Waits in the chains of launches that follow their first ones (profile/issue/waits.h); 0: unknown,
 * or for who knows how many requests. */
double demands_waits_behind(const struct demands *d);
/* Requests behind the first of each launch; a term, -1 where bytes are unknown. */
int demands_requests_behind(struct demands *d);
/* Instructions of the mean over those of the busiest SM of a domain, among its working ones. */
double demands_issue_evenness(const struct demands *d, double sms);
/* Of the chain's instructions, those behind its last wait; 0: unknown. */
double demands_last_share(const struct demands *d);
/* Mean over hottest L1 node within a domain. */
double demands_node_evenness(const struct demands *d);
/* Latency of L1; of nodes outside the SMs with the way there and back, and what larger ones take
 * longer. A term. */
int demands_hit_latency(struct demands *d);
/* What SMs issue overlaps with waits of other warps, but behind the last ones there are none: that
 * share of the busiest SM's issue time, or of the chain's instructions and hits, for a request. A
 * term, in seconds; -1: none. After the argument of issue slots. */
int demands_last(struct demands *d);
/* What passes the levels before the LLC, and which part of it reads. */
void demands_read_passes(struct demands *d);
/* Mean over hottest slice within a domain; what domains differ by is in the traffic. */
double demands_read_evenness(struct demands *d, bool at_home);
/* Whoever asks for a line that a request before is under way for waits as long as that one: of
 * reads a share f follow, misses are all among the others, and so
 *     late = min(1, m / (1 - f))
 * wait for what is behind the LLC. */
void demands_read_late(struct demands *d);

#endif
