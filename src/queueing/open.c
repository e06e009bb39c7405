/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rates that open customers leave. */
#include "queueing/open.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

/* log(exp(a) + exp(b)) */
static double log_add(double a, double b)
{
    if (a < b) {
        double c = a;
        a = b;
        b = c;
    }
    return b == -HUGE_VAL ? a : a + log1p(exp(b - a));
}

/* log F(j). Up to `last` customers, rates differ: those terms are summed. Beyond,
 * they are a geometric tail whose j-th derivative has only positive terms:
 *   sum_{n >= M} C(n, j) z^(n - j) = sum_{i <= j} C(M, i) z^(M - i) (1 - z)^(i - j - 1) */
static double log_sum(int j, int last, double load, double rate, const double *factorial,
                      const double *weight)
{
    double sum = -HUGE_VAL, z = load / rate;
    for (int n = j; n < last; n++)
        sum = log_add(sum, factorial[n] - factorial[j] - factorial[n - j] + (n - j) * log(load) +
                               weight[n]);
    for (int i = 0; i <= j && i <= last; i++)
        sum = log_add(sum, factorial[last] - factorial[i] - factorial[last - i] +
                               (last - i) * log(z) - (j - i + 1) * log1p(-z) + weight[last] +
                               (last - j) * log(rate));
    return sum;
}

double *queueing_open_rates(const struct queueing_station *station, double load, int *count)
{
    int last = station->kind == QUEUEING_MULTI            ? station->servers
               : station->kind == QUEUEING_LOAD_DEPENDENT ? station->rate_count
                                                          : 1;
    size_t size = (size_t)last + 2;
    double *rates = memory_alloc(size * sizeof *rates);
    double *factorial = memory_zero(2 * size, sizeof *factorial), *weight = factorial + size;
    *count = last + 1;
    for (int n = 1; n <= last + 1; n++) {
        factorial[n] = factorial[n - 1] + log(n);
        weight[n] = weight[n - 1] - log(queueing_rate(station, n));
    }
    double below = 0.0;
    for (int j = 0; j <= last + 1; j++) {
        double rate = queueing_rate(station, j > 0 ? j : 1);
        if (load > 0.0) {
            double here = log_sum(j, last, load, queueing_rate(station, last), factorial, weight);
            rate = exp(below - here);
            below = here;
        }
        if (j > 0)
            rates[j - 1] = rate;
    }
    free(factorial);
    return rates;
}
