/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds from demands alone. */
#include "queueing/bounds.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

struct queueing_bounds *queueing_bounds_create(const struct queueing_network *network)
{
    struct queueing_bounds *bounds = memory_zero(1, sizeof *bounds);
    size_t classes = (size_t)network->classes;
    bounds->classes = network->classes;
    bounds->throughput_per_s = memory_zero(2 * classes, sizeof *bounds->throughput_per_s);
    bounds->response_s = bounds->throughput_per_s + classes;
    return bounds;
}

void queueing_bounds_destroy(struct queueing_bounds *bounds)
{
    if (!bounds)
        return;
    free(bounds->throughput_per_s);
    free(bounds);
}

/* Extremes over 1 .. most customers of the rate, and of the time n / rate(n) that a
 * processor shared by n takes. Rates are followed one by one where they may differ. */
struct rate_range {
    double least, most, quickest;
};

static struct rate_range rate_range(const struct queueing_station *station, double most)
{
    struct rate_range range = {HUGE_VAL, 0.0, HUGE_VAL};
    double last = station->kind == QUEUEING_LOAD_DEPENDENT ? station->rate_count
                  : station->kind == QUEUEING_MULTI        ? station->servers
                                                           : 1.0;
    for (double n = 1.0; n <= last && (n <= most || n == 1.0); n += 1.0) {
        double rate = queueing_rate(station, n);
        range.least = fmin(range.least, rate);
        range.most = fmax(range.most, rate);
        range.quickest = fmin(range.quickest, n / rate);
    }
    return range;
}

static struct queueing_interval asymptotic(const struct queueing_network *network, int c)
{
    const struct queueing_class *class = &network->class[c];
    double all = queueing_population(network), capacity = HUGE_VAL;
    double most = class->think_s, least = class->think_s;
    for (int k = 0; k < network->stations; k++) {
        const struct queueing_station *station = &network->station[k];
        double demand = network->demand_s[k * network->classes + c];
        if (station->kind == QUEUEING_DELAY) {
            most += demand;
            least += demand;
            continue;
        }
        struct rate_range range = rate_range(station, all);
        most += all * demand / range.least;
        least += demand * range.quickest;
        if (demand > 0.0)
            capacity = fmin(capacity, range.most / demand);
    }
    return (struct queueing_interval){class->population / most,
                                      fmin(capacity, class->population / least)};
}

/* A network of one class with queues and delays only. */
struct single {
    double customers, think;     /* with delays */
    double sum, largest, square; /* of the queues' demands D_k; square: sum D_k^2 / sum D_k */
    const struct queueing_network *network;
    int queues;
};

static double queue_demand(const struct queueing_network *network, int k)
{
    return network->station[k].kind == QUEUEING_QUEUE ? network->demand_s[k] : 0.0;
}

static struct single single_read(const struct queueing_network *network)
{
    struct single s = {.customers = network->class->population,
                       .think = network->class->think_s,
                       .network = network};
    double squares = 0.0;
    for (int k = 0; k < network->stations; k++) {
        double demand = queue_demand(network, k);
        if (network->station[k].kind == QUEUEING_DELAY)
            s.think += network->demand_s[k];
        s.queues += demand > 0.0;
        s.sum += demand;
        s.largest = fmax(s.largest, demand);
        squares += demand * demand;
    }
    s.square = s.sum > 0.0 ? squares / s.sum : 0.0;
    return s;
}

/* Asymptotic bounds with n customers. */
static double most_throughput(const struct single *s, double n)
{
    double free = n / (s->think + s->sum);
    return s->largest > 0.0 ? fmin(1.0 / s->largest, free) : free;
}

static double least_throughput(const struct single *s, double n)
{
    return n / (s->think + n * s->sum);
}

/* X >= N / (Z + D + (N-1) D_max / (1 + Z / (N D))),
 * X <= N / (Z + D + (N-1) D_mean / (1 + Z / D)) */
static struct queueing_interval balanced(const struct single *s)
{
    double n = s->customers, base = s->think + s->sum, others = n - 1.0;
    return (struct queueing_interval){
        n / (base + others * s->largest / (1.0 + s->think / (n * s->sum))),
        n / (base + others * (s->sum / s->queues) / (1.0 + s->think / s->sum))};
}

/* R = D + sum_k D_k Q_k(N-1), where sum_k Q_k(N-1) = N - 1 - Z X(N-1): spread
 * over stations in proportion to D_k it is least, to D_k^(N-1) greatest. */
static struct queueing_interval proportional(const struct single *s)
{
    double n = s->customers, base = s->think + s->sum, high = 0.0, low = 0.0;
    for (int k = 0; k < s->network->stations; k++) {
        double share = queue_demand(s->network, k) / s->largest;
        if (share > 0.0) {
            low += pow(share, n - 1.0);
            high += pow(share, n);
        }
    }
    double queued_most = n - 1.0 - s->think * least_throughput(s, n - 1.0);
    double queued_least = fmax(n - 1.0 - s->think * most_throughput(s, n - 1.0), 0.0);
    return (struct queueing_interval){n / (base + s->largest * high / low * queued_most),
                                      n / (base + s->square * queued_least)};
}

/* u + u^2 + ... + u^n */
static double geometric_sum(double u, double n)
{
    if (u < 1.0)
        return u * (1.0 - pow(u, n)) / (1.0 - u);
    return n;
}

/* With q_k the queue at k of N - 1 customers and X' its throughput,
 *   N = X (Z + D + (N-1) D_max - sum_k (D_max - D_k) q_k - D_max Z X'),
 * where X (N-1)/N <= X' <= X; either end is a quadratic equation in X. */
static struct queueing_interval geometric(const struct single *s)
{
    double n = s->customers, others = n - 1.0, d = s->largest;
    double least = s->think + s->sum + others * d, most = least;
    /* Of the throughput with N - 1 customers: what bounds it from above. */
    double queued =
        fmax(others - 1.0 - s->think * most_throughput(s, fmax(others - 1.0, 0.0)), 0.0);
    double above =
        fmin(most_throughput(s, others), others / (s->think + s->sum + s->square * queued));
    for (int k = 0; k < s->network->stations && others > 0.0; k++) {
        double demand = queue_demand(s->network, k);
        if (!(demand > 0.0) || demand == d)
            continue;
        least -= (d - demand) * geometric_sum(demand * above, others);
        most -= (d - demand) *
                geometric_sum(demand * others / (s->think + s->sum + d * others), others);
    }
    double root = most * most - 4.0 * s->think * d * others;
    struct queueing_interval x = {2.0 * n / (most + sqrt(fmax(root, 0.0))), most_throughput(s, n)};
    /* The smaller root bounds X where X cannot lie beyond the larger one. */
    if (d * s->think * x.upper * x.upper - least * x.upper + n < 0.0)
        x.upper = 2.0 * n / (least + sqrt(least * least - 4.0 * s->think * d * n));
    return x;
}

static const char *bound_names[] = {"asymptotic", "balanced", "proportional", "geometric",
                                    "bounds"};

static int check_bound(const struct queueing_network *network, enum queueing_bound bound,
                       bool *single, struct error *error)
{
    *single = network->classes == 1;
    for (int c = 0; c < network->classes; c++)
        if (network->class[c].open)
            return error_set(error, STATUS_INPUT, "%s: class \"%.80s\" is open", bound_names[bound],
                             network->class[c].name);
    for (int k = 0; k < network->stations; k++) {
        const struct queueing_station *station = &network->station[k];
        *single &= station->kind <= QUEUEING_DELAY;
        if (station->kind == QUEUEING_QUEUE && station->scv != 1.0)
            return error_set(error, STATUS_INPUT,
                             "%s: station \"%.80s\" has scv %g: bounds hold for exponential "
                             "service",
                             bound_names[bound], station->name, station->scv);
    }
    if (*single || bound == QUEUEING_ASYMPTOTIC || bound == QUEUEING_TIGHTEST)
        return 0;
    error_set(error, STATUS_INPUT, "%s: bounds of one class with queues and delays only",
              bound_names[bound]);
    return error_hint(error, "asymptotic takes any closed network");
}

static struct queueing_interval single_bound(const struct single *s, enum queueing_bound bound)
{
    if (bound == QUEUEING_BALANCED)
        return balanced(s);
    return bound == QUEUEING_PROPORTIONAL ? proportional(s) : geometric(s);
}

int queueing_bound(const struct queueing_network *network, enum queueing_bound bound,
                   struct queueing_bounds *out, struct error *error)
{
    bool single;
    int status = check_bound(network, bound, &single, error);
    if (status)
        return status;
    for (int c = 0; c < network->classes; c++) {
        const struct queueing_class *class = &network->class[c];
        if (class->population == 0.0) {
            out->throughput_per_s[c] = out->response_s[c] = (struct queueing_interval){0.0, 0.0};
            continue;
        }
        struct queueing_interval x = asymptotic(network, c);
        struct single s = {0};
        if (single)
            s = single_read(network);
        for (int other = QUEUEING_BALANCED; single && other <= QUEUEING_GEOMETRIC; other++)
            if (s.queues > 0 && (bound == QUEUEING_TIGHTEST || (int)bound == other)) {
                struct queueing_interval y = single_bound(&s, (enum queueing_bound)other);
                x.lower = fmax(x.lower, y.lower);
                x.upper = fmin(x.upper, y.upper);
            }
        /* Bounds that meet may cross by a rounding error. */
        x.lower = fmin(x.lower, x.upper);
        out->throughput_per_s[c] = x;
        out->response_s[c] =
            (struct queueing_interval){class->population / x.upper - class->think_s,
                                       class->population / x.lower - class->think_s};
    }
    return 0;
}
