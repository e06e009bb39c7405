/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mixed networks are solved as closed ones: open classes take a part of each
 * station (queueing/open.h), and then find the closed customers there. */
#include "queueing/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "queueing/convolution.h"
#include "queueing/open.h"

enum {
    METHOD_EXACT,
    METHOD_MVA,
    METHOD_CONVOLUTION,
    METHOD_RESIDUAL,
    METHOD_SCHWEITZER,
    METHOD_LINEARIZER
};

const struct queueing_algorithm queueing_algorithms[] = {
    {"exact", "mean value analysis, or convolution where rates depend on the load", NULL,
     .method = METHOD_EXACT},
    {"mva", "exact mean value analysis: queues and delays", "Reiser, Lavenberg 1980",
     .method = METHOD_MVA},
    {"convolution", "exact, any station, any population", "Buzen 1973; Reiser, Kobayashi 1975",
     .method = METHOD_CONVOLUTION},
    {"residual", "mean value analysis with residual life: stations with scv other than 1",
     "Reiser 1979", .method = METHOD_RESIDUAL},
    {"schweitzer", "iteration over queue lengths; takes scv", "Bard 1979, Schweitzer 1979",
     .method = METHOD_SCHWEITZER},
    {"linearizer", "iteration with corrected queue lengths; takes scv", "Chandy, Neuse 1982",
     .method = METHOD_LINEARIZER},
    {"bounds", "the tightest of the bounds below that apply", NULL, true, QUEUEING_TIGHTEST, 0},
    {"asymptotic", "bounds of any closed network", "Muntz, Wong 1974; Denning, Buzen 1978", true,
     QUEUEING_ASYMPTOTIC, 0},
    {"balanced", "balanced job bounds, one class", "Zahorjan et al. 1982", true, QUEUEING_BALANCED,
     0},
    {"proportional", "proportional bounds, one class", "Hsieh, Lam 1987", true,
     QUEUEING_PROPORTIONAL, 0},
    {"geometric", "geometric bounds, one class", "Casale, Muntz, Serazzi 2008", true,
     QUEUEING_GEOMETRIC, 0},
    {.name = NULL},
};

const struct queueing_algorithm *queueing_algorithm_find(const char *name)
{
    for (const struct queueing_algorithm *a = queueing_algorithms; a->name; a++)
        if (strcmp(a->name, name) == 0)
            return a;
    return NULL;
}

/* --- the closed part ---------------------------------------------------------- */

/* The closed classes at what open ones leave of the stations. */
struct reduced {
    struct queueing_network network;
    struct queueing_class *class;
    struct queueing_station *station;
    double *demand;
    double **rates;   /* [station]: owned, or NULL */
    double *pressure; /* [station]: time that one customer more would take, over its demand */
};

static void reduced_fini(struct reduced *r, int stations)
{
    for (int k = 0; k < stations; k++)
        free(r->rates[k]);
    free(r->rates);
    free(r->class);
    free(r->station);
    free(r->demand);
    free(r->pressure);
}

static void reduced_init(struct reduced *r, const struct queueing_network *network)
{
    size_t classes = (size_t)network->classes, stations = (size_t)network->stations;
    int closed = 0;
    r->class = memory_zero(classes, sizeof *r->class);
    r->station = memory_zero(stations, sizeof *r->station);
    r->demand = memory_zero(classes * stations, sizeof *r->demand);
    r->rates = memory_zero(stations, sizeof *r->rates);
    r->pressure = memory_zero(stations, sizeof *r->pressure);
    for (int c = 0; c < network->classes; c++)
        if (!network->class[c].open)
            r->class[closed++] = network->class[c];
    for (int k = 0; k < network->stations; k++) {
        struct queueing_station *station = &r->station[k];
        double load = queueing_open_load(network, k), left = 1.0;
        *station = network->station[k];
        if (station->kind == QUEUEING_QUEUE) {
            left = 1.0 - load;
        } else if (load > 0.0 && station->kind != QUEUEING_DELAY) {
            int count;
            r->rates[k] = queueing_open_rates(&network->station[k], load, &count);
            station->kind = QUEUEING_LOAD_DEPENDENT;
            station->rates = r->rates[k];
            station->rate_count = count;
        }
        for (int c = 0, to = 0; c < network->classes; c++)
            if (!network->class[c].open)
                r->demand[k * closed + to++] = network->demand_s[k * network->classes + c] / left;
    }
    r->network = (struct queueing_network){.classes = closed,
                                           .stations = network->stations,
                                           .class = r->class,
                                           .station = r->station,
                                           .demand_s = r->demand};
}

/* A batch of one. */
static int solve_one(const struct queueing_network *network, enum queueing_method method,
                     const struct queueing_options *options, struct queueing_result *result,
                     struct error *error)
{
    size_t classes = (size_t)network->classes, pairs = classes * (size_t)network->stations;
    const double **in = memory_alloc((pairs + 2 * classes) * sizeof *in);
    double **out = memory_alloc((pairs + classes) * sizeof *out);
    for (size_t i = 0; i < pairs; i++) {
        in[i] = &network->demand_s[i];
        out[i] = &result->residence_s[i];
    }
    for (size_t c = 0; c < classes; c++) {
        in[pairs + c] = &network->class[c].think_s;
        in[pairs + classes + c] = &network->class[c].population;
        out[pairs + c] = &result->throughput_per_s[c];
    }
    struct queueing_batch batch = {.network = network,
                                   .count = 1,
                                   .demand_s = in,
                                   .think_s = in + pairs,
                                   .population = in + pairs + classes,
                                   .throughput_per_s = out + pairs,
                                   .residence_s = out};
    int status = queueing_solve_batch(&batch, method, options, error);
    free(in);
    free(out);
    for (size_t c = 0; c < classes && !status; c++)
        if (isnan(result->throughput_per_s[c])) {
            status = error_set(error, STATUS_FAILED, "the iteration did not settle");
            error_hint(error, "exact takes this network when its population is small");
        }
    return status;
}

/* What one more customer would take at each station, from the mean queues. */
static void mean_pressure(struct reduced *r, const struct queueing_result *result)
{
    for (int k = 0; k < r->network.stations; k++) {
        double queue = 0.0;
        for (int c = 0; c < r->network.classes; c++)
            queue += result->throughput_per_s[c] * result->residence_s[k * r->network.classes + c];
        r->pressure[k] = (1.0 + queue) / queueing_rate(&r->station[k], 1.0 + queue);
    }
}

static int solve_closed(struct reduced *r, int method, const struct queueing_options *options,
                        struct queueing_result *result, struct error *error)
{
    static const enum queueing_method methods[] = {[METHOD_MVA] = QUEUEING_MVA,
                                                   [METHOD_RESIDUAL] = QUEUEING_MVA,
                                                   [METHOD_SCHWEITZER] = QUEUEING_SCHWEITZER,
                                                   [METHOD_LINEARIZER] = QUEUEING_LINEARIZER};
    if (method == METHOD_EXACT) {
        method = METHOD_MVA;
        for (int k = 0; k < r->network.stations; k++)
            if (r->station[k].kind >= QUEUEING_MULTI)
                method = METHOD_CONVOLUTION;
    }
    if (method == METHOD_CONVOLUTION)
        return queueing_convolution(&r->network, result, r->pressure, error);
    int status = solve_one(&r->network, methods[method], options, result, error);
    if (!status)
        mean_pressure(r, result);
    return status;
}

/* --- all classes ---------------------------------------------------------------- */

/* Open classes take demand x (what one more would take); alone at an M/G/1 queue, by
 * Pollaczek and Khinchine. `pressure` is over demand / (1 - load) at a queue. */
static double open_pressure(const struct queueing_network *network, const struct reduced *r, int k)
{
    const struct queueing_station *station = &network->station[k];
    double load = queueing_open_load(network, k);
    if (station->kind == QUEUEING_DELAY)
        return 1.0;
    if (station->kind == QUEUEING_QUEUE && r->network.classes == 0)
        return 1.0 + load * (1.0 + station->scv) / 2.0 / (1.0 - load);
    return station->kind == QUEUEING_QUEUE ? r->pressure[k] / (1.0 - load) : r->pressure[k];
}

static void complete(const struct queueing_network *network, const struct reduced *r,
                     const struct queueing_result *closed, struct queueing_result *result)
{
    int from = 0;
    for (int c = 0; c < network->classes; c++) {
        bool open = network->class[c].open;
        result->throughput_per_s[c] =
            open ? network->class[c].arrival_per_s : closed->throughput_per_s[from];
        for (int k = 0; k < network->stations; k++)
            result->residence_s[k * network->classes + c] =
                open ? network->demand_s[k * network->classes + c] * open_pressure(network, r, k)
                     : closed->residence_s[k * r->network.classes + from];
        from += !open;
    }
    queueing_result_complete(network, result);
}

/* Service that is not exponential: which algorithms take it. */
static int check_scv(const struct queueing_network *network, int method, struct error *error)
{
    int closed = 0;
    for (int c = 0; c < network->classes; c++)
        closed += !network->class[c].open;
    for (int k = 0; k < network->stations; k++) {
        const struct queueing_station *station = &network->station[k];
        if (station->kind != QUEUEING_QUEUE || station->scv == 1.0)
            continue;
        if (closed > 0 && closed < network->classes)
            return error_set(error, STATUS_INPUT,
                             "station \"%.80s\" has scv %g: with open and closed classes service "
                             "must be exponential",
                             station->name, station->scv);
        bool mg1 = closed == 0 && network->classes == 1 && network->stations == 1;
        if (method >= METHOD_RESIDUAL || mg1)
            continue;
        error_set(error, STATUS_INPUT,
                  "station \"%.80s\" has scv %g: exact solutions need exponential service (scv 1)",
                  station->name, station->scv);
        return error_hint(error, "residual, schweitzer and linearizer take it, as approximations");
    }
    return 0;
}

int queueing_solve(const struct queueing_network *network,
                   const struct queueing_algorithm *algorithm,
                   const struct queueing_options *options, struct queueing_result *result,
                   struct error *error)
{
    struct reduced reduced = {0};
    int status = queueing_check(network, error);
    if (!status)
        status = check_scv(network, algorithm->method, error);
    if (status)
        return status;
    reduced_init(&reduced, network);
    struct queueing_result *closed = queueing_result_create(&reduced.network);
    if (reduced.network.classes > 0)
        status = solve_closed(&reduced, algorithm->method, options, closed, error);
    else
        mean_pressure(&reduced, closed);
    if (!status)
        complete(network, &reduced, closed, result);
    queueing_result_destroy(closed);
    reduced_fini(&reduced, network->stations);
    return status;
}
