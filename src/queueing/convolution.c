/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution over the lattice of populations n <= N.
 *
 *     G(n)     = sum over j <= n of G'(n - j) f_k(j)       a station k joins the others, G'
 *     f_k(j)   = |j|! prod_c D_kc^j_c / j_c!  /  (rate(1) ... rate(|j|))
 *     X_c      = G(N - 1_c) / G(N)
 *     p_k(j)   = f_k(j) G_without_k(N - j) / G(N)
 *
 * For one server the sum is G(n) = G'(n) + sum_c D_kc G(n - 1_c), and the queue is
 * that of a network with the station twice: Q_kc = D_kc G_twice_k(N - 1_c) / G(N). */
#include "queueing/convolution.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "queueing/scaled.h"

static const double convolution_work_max = 4e10; /* products, about a minute */

struct lattice {
    int classes;
    size_t states;
    size_t *stride, *limit; /* [class]; limit: the population */
    size_t *n;              /* [class]: the state that lattice_next is at */
    size_t *j;              /* another one, below n */
    size_t looked;          /* states since the flag of Ctrl-C was looked at */
};
enum { STATES_LOOK = 256 };

static void lattice_init(struct lattice *l, const struct queueing_network *network)
{
    size_t classes = (size_t)network->classes;
    l->classes = network->classes;
    l->stride = memory_zero(4 * classes, sizeof *l->stride);
    l->limit = l->stride + classes;
    l->n = l->limit + classes;
    l->j = l->n + classes;
    l->states = 1;
    for (size_t c = classes; c-- > 0;) {
        l->stride[c] = l->states;
        l->limit[c] = (size_t)network->class[c].population;
        l->states *= l->limit[c] + 1;
    }
}

/* Counts on, the last class fastest, up to `limit`; false behind the last state. */
static bool lattice_next(size_t *n, const size_t *limit, int classes)
{
    for (int c = classes - 1; c >= 0; c--) {
        if (++n[c] <= limit[c])
            return true;
        n[c] = 0;
    }
    return false;
}

/* The next state of the lattice; after Ctrl-C there is none, and what was measured means nothing.
 */
static bool lattice_go(struct lattice *l)
{
    if (l->looked++ % STATES_LOOK == 0 && interrupt_requested()) {
        l->looked = 0; /* so that every further loop ends at once */
        memset(l->n, 0, (size_t)l->classes * sizeof *l->n);
        return false;
    }
    return lattice_next(l->n, l->limit, l->classes);
}

/* Delays and thinking: G(n) = prod_c Z_c^n_c / n_c!. */
static void start(struct lattice *l, const struct queueing_network *network, struct scaled *g)
{
    size_t at = 0;
    g[0] = scaled_make(1.0, 0);
    while (at++, lattice_go(l)) {
        int c = l->classes - 1;
        while (l->n[c] == 0)
            c--;
        double think = network->class[c].think_s;
        for (int k = 0; k < network->stations; k++)
            if (network->station[k].kind == QUEUEING_DELAY)
                think += network->demand_s[k * l->classes + c];
        g[at] = scaled_times(g[at - l->stride[c]], think / (double)l->n[c]);
    }
}

/* One server joins, in place. */
static void join_queue(struct lattice *l, const double *demand, struct scaled *g)
{
    size_t at = 0;
    while (at++, lattice_go(l))
        for (int c = 0; c < l->classes; c++)
            if (l->n[c] > 0 && demand[c] > 0.0)
                g[at] = scaled_add(g[at], scaled_times(g[at - l->stride[c]], demand[c]));
}

/* f_k over the lattice. */
static void station_factor(struct lattice *l, const struct queueing_station *station,
                           const double *demand, struct scaled *f)
{
    size_t at = 0;
    f[0] = scaled_make(1.0, 0);
    while (at++, lattice_go(l)) {
        size_t sum = 0;
        int last = 0;
        for (int c = 0; c < l->classes; c++) {
            sum += l->n[c];
            last = l->n[c] > 0 ? c : last;
        }
        f[at] = scaled_times(f[at - l->stride[last]], demand[last] *
                                                          ((double)sum / (double)l->n[last]) /
                                                          queueing_rate(station, (double)sum));
    }
}

/* sum over j <= n of f(j) g(n - j), with n at index `at`: rows along the last class. */
static struct scaled convolve_at(struct lattice *l, const size_t *n, size_t at,
                                 const struct scaled *f, const struct scaled *g)
{
    const int outer = l->classes - 1;
    const size_t row = n[outer];
    int64_t top = scaled_exponent_of_0;
    double sum = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        memset(l->j, 0, (size_t)l->classes * sizeof *l->j);
        do {
            size_t from = 0;
            for (int c = 0; c < outer; c++)
                from += l->j[c] * l->stride[c];
            const struct scaled *a = f + from, *b = g + (at - from);
            if (pass == 0)
                for (size_t i = 0; i <= row; i++) {
                    int64_t exponent = a[i].exponent + (b - i)->exponent;
                    top = exponent > top ? exponent : top;
                }
            else
                for (size_t i = 0; i <= row; i++)
                    sum += a[i].value * (b - i)->value *
                           scaled_power(a[i].exponent + (b - i)->exponent - top);
        } while (lattice_next(l->j, n, outer));
    }
    return scaled_make(sum, top);
}

static void join_varying(struct lattice *l, const struct scaled *f, const struct scaled *g,
                         struct scaled *out)
{
    size_t at = 0;
    do {
        out[at] = convolve_at(l, l->n, at, f, g);
        at++;
    } while (lattice_go(l));
}

/* Memory of one solution. */
struct solution {
    const struct queueing_network *network;
    struct lattice lattice;
    struct scaled *simple; /* all but the varying stations */
    struct scaled *all, *factor, *without, *swap;
    int *varying, count;
};

static const double *demands(const struct solution *s, int k)
{
    return s->network->demand_s + k * s->network->classes;
}

/* All stations but varying station number `skip` (-1: all), into `out`. */
static void join_others(struct solution *s, int skip, struct scaled **out)
{
    struct lattice *l = &s->lattice;
    memcpy(*out, s->simple, l->states * sizeof **out);
    for (int i = 0; i < s->count; i++) {
        int k = s->varying[i];
        if (i == skip)
            continue;
        station_factor(l, &s->network->station[k], demands(s, k), s->factor);
        join_varying(l, s->factor, *out, s->swap);
        struct scaled *other = s->swap;
        s->swap = *out;
        *out = other;
    }
}

/* A station with one server: queues from the network that has it twice. */
static void measure_queue(struct solution *s, int k, struct queueing_result *result,
                          double *pressure)
{
    struct lattice *l = &s->lattice;
    size_t last = l->states - 1;
    double queue = 0.0;
    memcpy(s->without, s->all, l->states * sizeof *s->all);
    join_queue(l, demands(s, k), s->without);
    for (int c = 0; c < l->classes; c++) {
        if (l->limit[c] == 0)
            continue;
        size_t less = last - l->stride[c];
        result->residence_s[k * l->classes + c] =
            demands(s, k)[c] * scaled_ratio(s->without[less], s->all[less]);
        queue += demands(s, k)[c] * scaled_ratio(s->without[less], s->all[last]);
    }
    if (pressure)
        pressure[k] = 1.0 + queue;
}

/* A station with several rates: its queues from the distribution of its customers. */
static void measure_varying(struct solution *s, int which, struct queueing_result *result,
                            double *pressure)
{
    struct lattice *l = &s->lattice;
    int k = s->varying[which];
    const struct queueing_station *station = &s->network->station[k];
    size_t at = 0, last = l->states - 1;
    double *queue = result->residence_s + k * l->classes, mean = 0.0;
    join_others(s, which, &s->without);
    station_factor(l, station, demands(s, k), s->factor);
    do {
        double sum = 1.0;
        struct scaled joint = scaled_times(s->factor[at], s->without[last - at].value);
        joint.exponent += s->without[last - at].exponent;
        double share = scaled_ratio(joint, s->all[last]);
        for (int c = 0; c < l->classes; c++) {
            queue[c] += share * (double)l->n[c];
            sum += (double)l->n[c];
        }
        mean += share * sum / queueing_rate(station, sum);
        at++;
    } while (lattice_go(l));
    for (int c = 0; c < l->classes; c++)
        if (l->limit[c] > 0)
            queue[c] /= result->throughput_per_s[c]; /* Little: a residence time */
    if (pressure)
        pressure[k] = mean;
}

static int check_work(const struct solution *s, struct error *error)
{
    double states = 1.0, pairs = 1.0, joins = 0.0;
    for (int c = 0; c < s->network->classes; c++) {
        double n = s->network->class[c].population;
        states *= n + 1.0;
        pairs *= (n + 1.0) * (n + 2.0) / 2.0;
    }
    for (int i = 0; i < s->count; i++)
        joins += s->count;
    if (states * s->network->stations * s->network->classes * 10.0 + joins * pairs <=
            convolution_work_max &&
        states <= 5e7)
        return 0;
    error_set(error, STATUS_INPUT,
              "convolution: %.4g populations and %d stations with several servers or rates are too "
              "many",
              states, s->count);
    return error_hint(error, "schweitzer and linearizer take any population");
}

static void solution_measure(struct solution *s, struct queueing_result *result, double *pressure)
{
    struct lattice *l = &s->lattice;
    const struct queueing_network *network = s->network;
    start(l, network, s->simple);
    for (int k = 0; k < network->stations; k++)
        if (network->station[k].kind == QUEUEING_QUEUE)
            join_queue(l, demands(s, k), s->simple);
    join_others(s, -1, &s->all);
    for (int c = 0; c < l->classes; c++)
        result->throughput_per_s[c] =
            l->limit[c] > 0
                ? scaled_ratio(s->all[l->states - 1 - l->stride[c]], s->all[l->states - 1])
                : 0.0;
    memset(result->residence_s, 0,
           (size_t)(network->stations * l->classes) * sizeof *result->residence_s);
    for (int k = 0; k < network->stations; k++)
        if (network->station[k].kind == QUEUEING_DELAY)
            for (int c = 0; c < l->classes; c++)
                result->residence_s[k * l->classes + c] = l->limit[c] > 0 ? demands(s, k)[c] : 0.0;
        else if (network->station[k].kind == QUEUEING_QUEUE)
            measure_queue(s, k, result, pressure);
    for (int i = 0; i < s->count; i++)
        measure_varying(s, i, result, pressure);
}

int queueing_convolution(const struct queueing_network *network, struct queueing_result *result,
                         double *pressure, struct error *error)
{
    struct solution s = {.network = network};
    s.varying = memory_zero((size_t)network->stations, sizeof *s.varying);
    for (int k = 0; k < network->stations; k++)
        if (network->station[k].kind >= QUEUEING_MULTI)
            s.varying[s.count++] = k;
    int status = check_work(&s, error);
    if (!status) {
        lattice_init(&s.lattice, network);
        struct scaled **arrays[] = {&s.simple, &s.all, &s.factor, &s.without, &s.swap};
        for (int i = 0; i < 5; i++)
            *arrays[i] = memory_alloc(s.lattice.states * sizeof **arrays[i]);
        solution_measure(&s, result, pressure);
        for (int i = 0; i < 5; i++)
            free(*arrays[i]);
        free(s.lattice.stride);
    }
    free(s.varying);
    return status ? status : interrupt_check(error);
}
