/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks in work, a chunk of points at a time: what solution.c and stops.c share. */
#ifndef BANDSCAPE_MODELS_NETWORK_SOLUTION_H
#define BANDSCAPE_MODELS_NETWORK_SOLUTION_H

#include "network/network.h"

enum { CHUNK = 32 }; /* points that are in work at a time; twice the lanes */

/* Columns of CHUNK points each. */
struct work {
    const struct network *network;
    double *demand;                                 /* [station * classes + class] */
    double *residence;                              /* the same */
    double *think, *population, *throughput, *left; /* [class] */
    double *customers;                              /* [class]: the population while all work */
    double *longer;  /* [class]: what the first wait takes more than a request */
    double *wait;    /* [class]: latencies of the other waits, */
    double *late;    /* [class]: what a wait of the longest chain takes more than one of all, */
    double *few;     /* [class]: share of its warps that may wait so long; */
    double *reach;   /* [class]: share of the longest chain's waits that one of its may have; */
    double *alone;   /* [class]: what such a wait takes alone, 0: nobody lags; */
    double *busiest; /* [class]: utilisation of the busiest station while all work; */
    double *done;    /* [class]: when its work is done */
    double *ending;  /* [class]: latencies of a write that a launch ends with */
    double *idle;    /* [class]: latencies between its requests */
    double *way, *places; /* [class]: latencies of requests under way; how many may be */
    double *blocked;      /* [class]: of its think time, before levels whose MSHRs are taken */
    double *time;
    double *over;    /* [class]: of one point */
    double *stretch; /* [station]: the same */
    const double **demand_at, **think_at, **population_at;
    double **residence_at, **throughput_at;
    struct queueing_class *class;
    struct queueing_station *station;
    int *copies;
    /* Stations before those that serve batches, where reads wait for the rests of these: rests.c */
    struct work_rests {
        int count, *station;                /* [i]: the network's */
        double *demand, *residence, *think; /* [i * classes + class], [class] */
        double *rest, *own;                 /* [i]; the same at the network's */
    } rests;
    const double **rest_at; /* [station], then these */
    struct queueing_network shape;
    double *memory;
};

void work_init(struct work *w, const struct network *network);
void work_fini(struct work *w);
/* Demands, latencies, customers of n points from `from` on: all that needs no solution. */
void work_prepare(struct work *w, const struct term_operand *args, int from, int n);
/* out[p] += weight * the product of the arguments, for n points from `from` on. */
void work_add_product(double *restrict out, double weight, const struct term_operand *args,
                      const int *factors, int count, int from, int n);
/* Rests of batches: of n points from `from` on of all; of a run of the chunk, for the solver, and
 * what it finds. rests.c */
void work_init_rests(struct work *w);
void work_fini_rests(struct work *w);
void work_set_rests(struct work *w, const struct term_operand *args, int from, int n);
void work_ask_rests(struct work *w, int from, int n);
void work_take_rests(struct work *w, int from, int n);
/* Where warps stand, not requests that are under way. */
bool work_is_for_warps(enum station_kind kind);
/* What a class could do alone, N / (Z + sum D), with so many customers who think so long. */
double work_alone(const struct work *w, int c, int p, double customers, double think);
/* No class is solved to be faster than so many times alone: an iteration that has settled may be
 * above what is meant, by less than that. */
#define WORK_ALONE (1 + 1e-6)
/* NETWORK_FILL and NETWORK_WARPS, which hang on no queue. */
void work_put_alone(struct work *w, const struct term_operand *args, double *const *out, int from,
                    int p);
/* NETWORK_TIME and utilisations, of w->time. */
void work_put_launch(const struct work *w, double *const *out, int from, int p);

/* A point by itself, with its think times as they are. */
void work_solve_point(struct work *w, int p);

/* How many times as long as its service a request of the class stays at a station. */
double work_stretch(const struct work *w, int station, int c, int p);
/* network_places_taken() of what was solved; `from`: of the chunk. */
double work_places_taken(const struct work *w, const struct term_operand *args, int c, int from,
                         int p);
/* Seconds that launches take for the warps of their busiest SM, alone in the machine; 0 where
 * nobody knows them. Behind the demands. slots.c */
double work_warps_time(const struct work *w, const struct term_operand *args, int from, int p);
/* Takes off w->ending what the last warps of blocks work behind the ones that write; before the
 * above. slots.c */
void work_set_ends(struct work *w, const struct term_operand *args, int from, int p);
/* Latencies of a class: what a wait of the chain takes more than a mean request; and the write that
 * a launch ends with, `mean` where nobody knows. ends.c */
struct work_waits {
    double writes; /* share of the waits that are for writes */
    bool own;      /* waits of all the class's warps, not the longest chain's */
};
double work_longer(const struct network *network, int class, const struct term_operand *args,
                   int point, const struct work_waits *of);
/* Of one path, local or remote, from latencies alone: its requests and the waits for it, as shares
 * of the class's requests and waits; what one takes up to the LLC and behind it; who waits for
 * that. `own`: as above. Zeroes of a class without requests. */
struct work_path {
    double share, waits;
    double hit_s, behind_s;
    double late; /* share of its requests */
};
void work_paths(const struct network *network, int class, const struct term_operand *args,
                int point, bool own, struct work_path path[PATH_COUNT]);
/* Share of a class's warps that may have as many waits for remote lines as its longest chain; 1:
 * all. */
double work_few(const struct network *network, int class, const struct term_operand *args,
                int point);
double work_ending(const struct network *network, int class, const struct term_operand *args,
                   int point, double mean);
/* Whether they are of each point; else the same ones for all, as where a space varies bandwidths
 * alone. */
bool work_latencies_vary(const struct network *network, const struct term_operand *args);
/* Seconds of a wait behind L1 of a warp that had no slot while others went round, of which the
 * chain's takes wait_s. starved.c */
double work_starved(const struct work *w, const struct term_operand *args, int c, int from, int p,
                    double wait_s);
/* By how much the waits of two warps differ, mean: those for L1 and those behind it, kinds 1 and 2,
 * the latter for local or remote lines, hit or missed. ends.c */
double work_differ(const struct network *network, int class, const struct term_operand *args,
                   int point, const struct schedule_warp *warp);
/* A wait of a class's longest chain, alone in the machine, and the utilisation of the busiest
 * station that it asks while all work. unequal.c */
struct work_cycle {
    double alone_s, busiest;
};
/* `others`: of the busiest station's load what the chain's warp does not bring itself. */
struct work_cycle work_cycle(const struct work *w, int c, int p, bool others);
/* Seconds a request that a launch takes at least, as its chains are unlike; of what was solved
 * while all work. unequal.c */
double work_unequal(const struct work *w, int p);
double work_unequal_least(const struct work *w, int p);
/* The same, as warps of the longest chain wait longer than others: work_lag(), of what was solved
 * in all phases. Before: by how much, of what a wait of the chain takes longer than a request; with
 * so many customers, whether they lag, or all wait as long; and what the first phase says of it.
 * lag.c */
void work_set_late(struct work *w, const struct term_operand *args, int c, int from, int p,
                   double longer);
void work_set_lag(struct work *w, int c, int p, double customers);
void work_see_lag(struct work *w, int p);
double work_lag(const struct work *w, int p);
/* What a wait takes longer for those that wait for the same lines. Behind the demands. crowd.c */
double work_crowd(const struct work *w, const struct term_operand *args, int c, int from, int p);
/* What waits of all classes take of latencies: w->wait, ->longer, ->ending, and ->think with them.
 * Behind the demands. pace.c */
void work_set_waits(struct work *w, const struct term_operand *args, int from, int n);
/* The first request of a launch, alone in the machine: its way. What its warp issues before it is
 * in the chain, where that is known; else each request has its own. */
double work_fill(const struct work *w, int c, int p);
/* Takes back the time for which classes were stopped in a phase before. */
void work_unstop(struct work *w);
/* Stops the classes of a point that would take more MSHRs of a level than there are. */
void work_stop(struct work *w, const struct term_operand *args, int from, int p);

#endif
