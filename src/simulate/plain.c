/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Customers, stations and what is counted of them. */
#include "simulate/plain.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "simulate/engine.h"

enum { BATCHES = 64, UNITS = BATCHES / 2, CUSTOMERS_MAX = 1 << 22 };

enum event_kind {
    ARRIVES, /* id: customer; at its station, or back from it */
    SERVED,  /* id: customer; by a server of its own */
    SHARED,  /* id: station; the first of those that share it is served */
    ENTERS   /* id: class; a new customer of an open class */
};

struct customer {
    uint32_t next_free;
    int class, station; /* -1: thinks, or comes from outside */
    double arrived_s;   /* at the station */
    double service_s;
    double began_s; /* its cycle */
};

/* Shared processors: each of n customers is served at rate(n) / n. Virtual time goes at that
 * pace, so that a customer's end in it is known when it arrives. */
struct sharing {
    struct engine ends; /* in virtual time; id: customer */
    double virtual_s, updated_s;
    uint64_t pending; /* serial of the event that is still true */
};

struct station {
    enum { ALONE, QUEUED, SHARING } discipline;
    struct server *servers;
    int n_servers;
    struct sharing sharing;
};

struct plain {
    const struct queueing_network *network;
    const struct simulate_options *options;
    gsl_rng *random;
    struct engine engine;
    struct station *stations;
    struct {
        struct customer *items;
        size_t count, capacity;
    } customers;
    uint32_t free; /* UINT32_MAX: none */
    struct batch_means means;
    double counted_since_s, batch_since_s;
    uint64_t done, unit;
};

/* --- what is counted -------------------------------------------------------------- */

/* Sums of a batch: its time, then by class, then by station and class. */
enum { OF_CLASS = 2, OF_PAIR = 2 };
static size_t sum_completions(int c)
{
    return 1 + OF_CLASS * (size_t)c;
}
static size_t sum_response(int c)
{
    return sum_completions(c) + 1;
}
static size_t sum_residence(const struct plain *p, int station, int c)
{
    size_t classes = (size_t)p->network->classes;
    return 1 + OF_CLASS * classes + OF_PAIR * ((size_t)station * classes + (size_t)c);
}
static size_t sum_service(const struct plain *p, int station, int c)
{
    return sum_residence(p, station, c) + 1;
}

static void count_visit(struct plain *p, const struct customer *customer)
{
    double *open = p->means.open;
    open[sum_residence(p, customer->station, customer->class)] +=
        p->engine.now - customer->arrived_s;
    open[sum_service(p, customer->station, customer->class)] += customer->service_s;
}

static void count_cycle(struct plain *p, const struct customer *customer)
{
    const struct simulate_options *options = p->options;
    double *open = p->means.open, now = p->engine.now;
    open[sum_completions(customer->class)] += 1;
    open[sum_response(customer->class)] += now - customer->began_s;
    p->done++;
    if (p->done == options->warm_up) {
        batch_means_restart(&p->means);
        p->counted_since_s = p->batch_since_s = now;
    } else if (p->done > options->warm_up && (p->done - options->warm_up) % p->unit == 0) {
        open[0] += now - p->batch_since_s;
        p->batch_since_s = now;
        batch_means_unit(&p->means);
        progress_add(p->unit);
    }
}

/* --- customers -------------------------------------------------------------------- */

static double exponential(const struct plain *p, double mean)
{
    return mean > 0 ? gsl_ran_exponential(p->random, mean) : 0.0;
}

static double service_time(const struct plain *p, int station, int c)
{
    const struct queueing_station *of = &p->network->station[station];
    double mean = p->network->demand_s[station * p->network->classes + c];
    double scv = of->kind == QUEUEING_QUEUE ? of->scv : 1.0;
    if (scv == 0.0)
        return mean;
    return scv == 1.0 ? exponential(p, mean) : gsl_ran_gamma(p->random, 1 / scv, mean * scv);
}

static uint32_t customer_create(struct plain *p, int class)
{
    struct customer customer = {.class = class, .station = -1};
    uint32_t id = p->free;
    if (id == UINT32_MAX) {
        id = (uint32_t)p->customers.count;
        VECTOR_PUSH(&p->customers, customer);
        return id;
    }
    p->free = p->customers.items[id].next_free;
    p->customers.items[id] = customer;
    return id;
}

/* To the next station that the class visits; the cycle is over behind the last one. */
static void customer_moves(struct plain *p, uint32_t id)
{
    struct customer *customer = &p->customers.items[id];
    const struct queueing_class *class = &p->network->class[customer->class];
    int classes = p->network->classes;
    if (customer->station < 0)
        customer->began_s = p->engine.now;
    do
        customer->station++;
    while (customer->station < p->network->stations &&
           p->network->demand_s[customer->station * classes + customer->class] == 0.0);
    if (customer->station < p->network->stations) {
        engine_at(&p->engine, p->engine.now, ARRIVES, id);
        return;
    }
    count_cycle(p, customer);
    customer->station = -1;
    if (class->open) {
        customer->next_free = p->free;
        p->free = id;
    } else {
        engine_at(&p->engine, p->engine.now + exponential(p, class->think_s), ARRIVES, id);
    }
}

static void class_enters(struct plain *p, int c)
{
    uint32_t id = customer_create(p, c);
    double mean = 1 / p->network->class[c].arrival_per_s;
    engine_at(&p->engine, p->engine.now + exponential(p, mean), ENTERS, (uint32_t)c);
    customer_moves(p, id);
}

/* --- stations --------------------------------------------------------------------- */

static double sharing_pace(const struct plain *p, int k)
{
    double n = (double)p->stations[k].sharing.ends.count;
    return n > 0 ? queueing_rate(&p->network->station[k], n) / n : 0.0;
}

static void sharing_update(struct plain *p, int k)
{
    struct sharing *sharing = &p->stations[k].sharing;
    sharing->virtual_s += (p->engine.now - sharing->updated_s) * sharing_pace(p, k);
    sharing->updated_s = p->engine.now;
}

/* The next end, as it looks now. */
static void sharing_expect(struct plain *p, int k)
{
    struct sharing *sharing = &p->stations[k].sharing;
    if (sharing->ends.count == 0) {
        sharing->virtual_s = 0; /* small numbers are exact ones */
        sharing->pending = UINT64_MAX;
        return;
    }
    double left = sharing->ends.items[0].time - sharing->virtual_s;
    double time = p->engine.now + (left > 0 ? left : 0.0) / sharing_pace(p, k);
    sharing->pending = engine_at(&p->engine, time, SHARED, (uint32_t)k);
}

static void sharing_arrives(struct plain *p, int k, uint32_t id, double service_s)
{
    struct sharing *sharing = &p->stations[k].sharing;
    sharing_update(p, k);
    engine_at(&sharing->ends, sharing->virtual_s + service_s, 0, id);
    sharing_expect(p, k);
}

static void customer_served(struct plain *p, uint32_t id)
{
    count_visit(p, &p->customers.items[id]);
    customer_moves(p, id);
}

static void sharing_ends(struct plain *p, int k, uint64_t serial)
{
    struct sharing *sharing = &p->stations[k].sharing;
    struct event first;
    if (serial != sharing->pending)
        return;
    sharing_update(p, k);
    engine_next(&sharing->ends, &first);
    sharing_expect(p, k);
    customer_served(p, first.id);
}

static void customer_arrives(struct plain *p, uint32_t id)
{
    struct customer *customer = &p->customers.items[id];
    int k = customer->station;
    if (k < 0) {
        customer_moves(p, id);
        return;
    }
    struct station *station = &p->stations[k];
    double now = p->engine.now, end = now;
    customer->arrived_s = now;
    customer->service_s = service_time(p, k, customer->class);
    switch (station->discipline) {
    case SHARING:
        sharing_arrives(p, k, id, customer->service_s);
        return;
    case QUEUED:
        end = server_take(server_first(station->servers, station->n_servers), now,
                          customer->service_s);
        break;
    case ALONE:
        end = now + customer->service_s;
    }
    engine_at(&p->engine, end, SERVED, id);
}

/* Whether first come, first served keeps the means of product form, or no product form is
 * meant. */
static bool served_in_order(const struct queueing_network *network, int k)
{
    const struct queueing_station *station = &network->station[k];
    const double *demand = network->demand_s + k * network->classes;
    double time = 0;
    bool equal = true;
    for (int c = 0; c < network->classes; c++) {
        equal = equal && (demand[c] == 0.0 || time == 0.0 || demand[c] == time);
        time = demand[c] > 0.0 ? demand[c] : time;
    }
    return equal || (station->kind == QUEUEING_QUEUE && station->scv != 1.0);
}

static void station_init(struct plain *p, int k)
{
    const struct queueing_station *of = &p->network->station[k];
    struct station *station = &p->stations[k];
    station->discipline = SHARING;
    if (of->kind == QUEUEING_DELAY)
        station->discipline = ALONE;
    else if (of->kind != QUEUEING_LOAD_DEPENDENT && served_in_order(p->network, k))
        station->discipline = QUEUED;
    if (station->discipline == QUEUED) {
        station->n_servers = of->kind == QUEUEING_MULTI ? of->servers : 1;
        station->servers = memory_zero((size_t)station->n_servers, sizeof *station->servers);
    }
    station->sharing.pending = UINT64_MAX;
}

/* --- a run ------------------------------------------------------------------------ */

static void plain_init(struct plain *p)
{
    const struct queueing_network *network = p->network;
    size_t pairs = (size_t)network->stations * (size_t)network->classes;
    p->random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(p->random, (unsigned long)p->options->seed);
    p->free = UINT32_MAX;
    p->unit = p->options->requests / UNITS ? p->options->requests / UNITS : 1;
    p->stations = memory_zero((size_t)network->stations, sizeof *p->stations);
    batch_means_init(&p->means, 1 + OF_CLASS * (size_t)network->classes + OF_PAIR * pairs, BATCHES);
    for (int k = 0; k < network->stations; k++)
        station_init(p, k);
    for (int c = 0; c < network->classes; c++) {
        const struct queueing_class *class = &network->class[c];
        if (class->open && class->arrival_per_s > 0)
            engine_at(&p->engine, exponential(p, 1 / class->arrival_per_s), ENTERS, (uint32_t)c);
        for (double i = 0; !class->open && i < class->population; i++)
            engine_at(&p->engine, exponential(p, class->think_s), ARRIVES, customer_create(p, c));
    }
}

static void plain_fini(struct plain *p)
{
    for (int k = 0; k < p->network->stations; k++) {
        free(p->stations[k].servers);
        engine_fini(&p->stations[k].sharing.ends);
    }
    free(p->stations);
    VECTOR_FREE(&p->customers);
    engine_fini(&p->engine);
    batch_means_fini(&p->means);
    gsl_rng_free(p->random);
}

static int plain_run(struct plain *p, struct error *error)
{
    enum { LOOK = 1 << 14 };
    const struct simulate_options *options = p->options;
    uint64_t end = options->warm_up + options->requests;
    struct event event;
    while (p->done < end && engine_next(&p->engine, &event)) {
        if (event.serial % LOOK == 0 && interrupt_requested())
            return error_set(error, STATUS_INTERRUPTED, "interrupted while simulating");
        switch ((enum event_kind)event.kind) {
        case ARRIVES:
            customer_arrives(p, event.id);
            break;
        case SERVED:
            customer_served(p, event.id);
            break;
        case SHARED:
            sharing_ends(p, (int)event.id, event.serial);
            break;
        case ENTERS:
            class_enters(p, (int)event.id);
            break;
        }
    }
    return 0;
}

static struct estimate ratio(const struct plain *p, size_t numerator, size_t denominator,
                             double scale)
{
    return batch_means_ratio(&p->means, numerator, denominator, scale, p->options->confidence);
}

static struct simulate_result *plain_result(const struct plain *p)
{
    const struct queueing_network *network = p->network;
    int classes = network->classes, stations = network->stations;
    size_t pairs = (size_t)classes * (size_t)stations;
    struct simulate_result *result = memory_zero(1, sizeof *result);
    result->classes = classes;
    result->stations = stations;
    result->time_s = p->batch_since_s - p->counted_since_s;
    result->events = p->engine.serial;
    result->throughput_per_s =
        memory_zero(2 * (size_t)classes + 3 * pairs, sizeof *result->throughput_per_s);
    result->response_s = result->throughput_per_s + classes;
    result->queue_length = result->response_s + classes;
    result->residence_s = result->queue_length + pairs;
    result->utilisation = result->residence_s + pairs;
    for (int c = 0; c < classes; c++) {
        result->throughput_per_s[c] = ratio(p, sum_completions(c), 0, 1);
        result->response_s[c] = ratio(p, sum_response(c), sum_completions(c), 1);
    }
    for (int k = 0; k < stations; k++) {
        const struct queueing_station *station = &network->station[k];
        double capacity = station->kind == QUEUEING_DELAY ? 1.0 : queueing_capacity(station);
        for (int c = 0; c < classes; c++) {
            int at = k * classes + c;
            result->queue_length[at] = ratio(p, sum_residence(p, k, c), 0, 1);
            result->residence_s[at] = ratio(p, sum_residence(p, k, c), sum_completions(c), 1);
            result->utilisation[at] = ratio(p, sum_service(p, k, c), 0, 1 / capacity);
        }
    }
    return result;
}

void simulate_result_destroy(struct simulate_result *result)
{
    if (!result)
        return;
    free(result->throughput_per_s);
    free(result);
}

/* Each closed customer is there from the beginning. */
static int check_population(const struct queueing_network *network, struct error *error)
{
    double population = queueing_population(network);
    if (population <= CUSTOMERS_MAX)
        return 0;
    error_set(error, STATUS_INPUT, "%g customers are too many to simulate, at most %d", population,
              (int)CUSTOMERS_MAX);
    error_hint(error, "bandscape network --algorithm linearizer takes any population");
    return STATUS_INPUT;
}

int simulate_network(const struct queueing_network *network, const struct simulate_options *options,
                     struct simulate_result **out, struct error *error)
{
    struct plain plain = {.network = network, .options = options};
    *out = NULL;
    int status = queueing_check(network, error);
    if (!status)
        status = check_population(network, error);
    if (status)
        return status;
    plain_init(&plain);
    progress_begin("simulate", "requests", options->requests);
    status = plain_run(&plain, error);
    progress_end();
    if (!status)
        *out = plain_result(&plain);
    plain_fini(&plain);
    return status;
}
