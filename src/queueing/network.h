/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queueing networks: customers of several classes that visit stations.
 *
 * A closed class has a fixed population whose customers think, visit the
 * stations and begin again; an open class arrives from outside and leaves. A
 * network may have both (mixed). A demand is the service that one customer
 * asks of a station in one cycle: visits x service time of a visit.
 *
 * Stations are those of product-form networks (Baskett, Chandy, Muntz, Palacios
 * 1975): any class may have any demand, processors are shared, or queues are
 * first come, first served with one exponential service time for all classes. */
#ifndef BANDSCAPE_QUEUEING_NETWORK_H
#define BANDSCAPE_QUEUEING_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

enum queueing_kind {
    QUEUEING_QUEUE,         /* one server */
    QUEUEING_DELAY,         /* a server for everyone: nobody waits */
    QUEUEING_MULTI,         /* `servers` equal servers and one queue */
    QUEUEING_LOAD_DEPENDENT /* with n customers it works rates[n - 1] times as fast */
};

struct queueing_class {
    const char *name; /* for messages */
    bool open;
    double population;    /* closed: a whole number */
    double think_s;       /* closed: time outside the stations, a cycle */
    double arrival_per_s; /* open */
};

struct queueing_station {
    const char *name; /* for messages */
    enum queueing_kind kind;
    int servers;         /* QUEUEING_MULTI */
    const double *rates; /* QUEUEING_LOAD_DEPENDENT; beyond rate_count the last one holds */
    int rate_count;
    /* QUEUEING_QUEUE: squared coefficient of variation of the service time. 1
     * is exponential; 0 is deterministic. */
    double scv;
};

/* All arrays belong to the caller. */
struct queueing_network {
    int classes, stations;
    const struct queueing_class *class;     /* [class] */
    const struct queueing_station *station; /* [station] */
    const double *demand_s;                 /* [station * classes + class] */
};

/* What a solution says; means over time. */
struct queueing_result {
    int classes, stations;
    double *throughput_per_s;    /* [class]: cycles, or departures */
    double *response_s;          /* [class]: sum of residence times; thinking is not in it */
    double *station_utilisation; /* [station]: sum over classes */
    /* [station * classes + class]: */
    double *queue_length; /* customers at the station, those in service too */
    double *residence_s;  /* time at the station, a cycle */
    double *utilisation;  /* share of the station's capacity (all servers, the largest rate);
                             a delay: customers in it */
};

struct queueing_result *queueing_result_create(const struct queueing_network *network);
void queueing_result_destroy(struct queueing_result *result);

/* From throughputs and residence times, which are set, all the rest. */
void queueing_result_complete(const struct queueing_network *network,
                              struct queueing_result *result);

/* True of 0 and of 1e-100 to 1e100, which all times (s), rates and customers must be: then no
 * product or quotient of a solution leaves the range of floating-point numbers. */
static inline bool queueing_is_amount(double value)
{
    return value == 0.0 || (value >= 1e-100 && value <= 1e100);
}

/* Refuses what is not a network: numbers that are no amounts, a population
 * that is not whole, no servers, rates that are not positive, a closed class
 * with neither demand nor think time, an overloaded station. */
int queueing_check(const struct queueing_network *network, struct error *error);

/* The first station that open classes alone overload (utilisation >= 1), or -1. */
int queueing_overloaded(const struct queueing_network *network);

/* How many times as fast as with one server the station is with n >= 1
 * customers; between whole n it is interpolated. */
double queueing_rate(const struct queueing_station *station, double n);
/* The same with everyone there: the largest rate; infinite for a delay. */
double queueing_capacity(const struct queueing_station *station);

/* Customers of all closed classes; share of time that open classes ask of a
 * station with rate 1. */
double queueing_population(const struct queueing_network *network);
double queueing_open_load(const struct queueing_network *network, int station);

#endif
