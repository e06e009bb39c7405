/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks: their checks, and what follows from throughputs and residence times. */
#include "queueing/network.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

struct queueing_result *queueing_result_create(const struct queueing_network *network)
{
    struct queueing_result *result = memory_zero(1, sizeof *result);
    size_t classes = (size_t)network->classes, stations = (size_t)network->stations;
    size_t pairs = classes * stations;
    result->classes = network->classes;
    result->stations = network->stations;
    /* One piece of memory, owned by its first part. */
    result->throughput_per_s = memory_zero(2 * classes + stations + 3 * pairs, sizeof(double));
    result->response_s = result->throughput_per_s + classes;
    result->station_utilisation = result->response_s + classes;
    result->queue_length = result->station_utilisation + stations;
    result->residence_s = result->queue_length + pairs;
    result->utilisation = result->residence_s + pairs;
    return result;
}

void queueing_result_destroy(struct queueing_result *result)
{
    if (!result)
        return;
    free(result->throughput_per_s);
    free(result);
}

void queueing_result_complete(const struct queueing_network *network,
                              struct queueing_result *result)
{
    int classes = network->classes;
    for (int c = 0; c < classes; c++)
        result->response_s[c] = 0.0;
    for (int k = 0; k < network->stations; k++) {
        const struct queueing_station *station = &network->station[k];
        double capacity = station->kind == QUEUEING_DELAY ? 1.0 : queueing_capacity(station);
        result->station_utilisation[k] = 0.0;
        for (int c = 0; c < classes; c++) {
            int at = k * classes + c;
            double rate = result->throughput_per_s[c];
            result->queue_length[at] = rate * result->residence_s[at];
            result->utilisation[at] = rate * network->demand_s[at] / capacity;
            result->station_utilisation[k] += result->utilisation[at];
            result->response_s[c] += result->residence_s[at];
        }
    }
}

double queueing_rate(const struct queueing_station *station, double n)
{
    switch (station->kind) {
    case QUEUEING_QUEUE:
        return 1.0;
    case QUEUEING_DELAY:
        return n;
    case QUEUEING_MULTI:
        return n < station->servers ? n : station->servers;
    case QUEUEING_LOAD_DEPENDENT:
        break;
    }
    if (n <= 1.0)
        return station->rates[0];
    if (n >= station->rate_count)
        return station->rates[station->rate_count - 1];
    int below = (int)n;
    double part = n - below;
    return station->rates[below - 1] * (1.0 - part) + station->rates[below] * part;
}

double queueing_capacity(const struct queueing_station *station)
{
    if (station->kind == QUEUEING_DELAY)
        return HUGE_VAL;
    if (station->kind != QUEUEING_LOAD_DEPENDENT)
        return queueing_rate(station, HUGE_VAL);
    double capacity = station->rates[0];
    for (int n = 1; n < station->rate_count; n++)
        capacity = fmax(capacity, station->rates[n]);
    return capacity;
}

double queueing_population(const struct queueing_network *network)
{
    double sum = 0.0;
    for (int c = 0; c < network->classes; c++)
        if (!network->class[c].open)
            sum += network->class[c].population;
    return sum;
}

double queueing_open_load(const struct queueing_network *network, int station)
{
    double load = 0.0;
    for (int c = 0; c < network->classes; c++)
        if (network->class[c].open)
            load +=
                network->class[c].arrival_per_s * network->demand_s[station * network->classes + c];
    return load;
}

int queueing_overloaded(const struct queueing_network *network)
{
    for (int k = 0; k < network->stations; k++) {
        /* What counts is the rate with very many customers. */
        double last = queueing_rate(&network->station[k], HUGE_VAL);
        if (network->station[k].kind != QUEUEING_DELAY && !(queueing_open_load(network, k) < last))
            return k;
    }
    return -1;
}

static int check_station(const struct queueing_station *station, struct error *error)
{
    if (station->kind == QUEUEING_MULTI && station->servers < 1)
        return error_set(error, STATUS_INPUT, "station \"%.80s\": %d servers", station->name,
                         station->servers);
    if (station->kind == QUEUEING_LOAD_DEPENDENT) {
        if (station->rate_count < 1)
            return error_set(error, STATUS_INPUT, "station \"%.80s\" has no rates", station->name);
        for (int n = 0; n < station->rate_count; n++)
            if (!queueing_is_amount(station->rates[n]) || station->rates[n] == 0.0)
                return error_set(
                    error, STATUS_INPUT,
                    "station \"%.80s\": rate %d must be positive, 1e-100 to 1e100, not %g",
                    station->name, n + 1, station->rates[n]);
    }
    if (station->kind == QUEUEING_QUEUE && !queueing_is_amount(station->scv))
        return error_set(error, STATUS_INPUT,
                         "station \"%.80s\": scv must be 0, or 1e-100 to 1e100, not %g",
                         station->name, station->scv);
    return 0;
}

static int check_class(const struct queueing_network *network, int c, struct error *error)
{
    const struct queueing_class *class = &network->class[c];
    double sum = 0.0;
    for (int k = 0; k < network->stations; k++) {
        double demand = network->demand_s[k * network->classes + c];
        if (!queueing_is_amount(demand))
            return error_set(
                error, STATUS_INPUT,
                "class \"%.80s\" at station \"%.80s\": demand must be 0 s, or 1e-100 s "
                "to 1e100 s, not %g s",
                class->name, network->station[k].name, demand);
        sum += demand;
    }
    if (class->open)
        return queueing_is_amount(class->arrival_per_s)
                   ? 0
                   : error_set(
                         error, STATUS_INPUT,
                         "class \"%.80s\": arrival must be 0, or 1e-100 to 1e100 a second, not %g",
                         class->name, class->arrival_per_s);
    if (!queueing_is_amount(class->population) || class->population != floor(class->population))
        return error_set(error, STATUS_INPUT,
                         "class \"%.80s\": population must be a whole number up to 1e100, not %g",
                         class->name, class->population);
    if (!queueing_is_amount(class->think_s))
        return error_set(error, STATUS_INPUT,
                         "class \"%.80s\": think must be 0 s, or 1e-100 s to 1e100 s, not %g s",
                         class->name, class->think_s);
    if (class->population > 0.0 && sum + class->think_s == 0.0)
        return error_set(error, STATUS_INPUT,
                         "class \"%.80s\" has neither demand nor think time: its throughput has no "
                         "bound",
                         class->name);
    return 0;
}

int queueing_check(const struct queueing_network *network, struct error *error)
{
    if (network->classes < 1 || network->stations < 1)
        return error_set(error, STATUS_INPUT, "a network needs a class and a station");
    for (int k = 0; k < network->stations; k++) {
        int status = check_station(&network->station[k], error);
        if (status)
            return status;
    }
    for (int c = 0; c < network->classes; c++) {
        int status = check_class(network, c, error);
        if (status)
            return status;
    }
    int k = queueing_overloaded(network);
    if (k < 0)
        return 0;
    error_set(error, STATUS_INPUT,
              "station \"%.80s\" is overloaded: open classes ask %.6g times what it can serve",
              network->station[k].name,
              queueing_open_load(network, k) / queueing_rate(&network->station[k], HUGE_VAL));
    return error_hint(error,
                      "arrival x demand must stay below the number of servers, or the last rate");
}
