/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means over runs that differ by chance. */
#include "explore/answer/draws.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

/* Half the interval of the mean of n values, as a share of it; NaN of one. */
static double share_of_half(const double *values, size_t n, double confidence)
{
    if (n < 2)
        return (double)NAN;
    double sd = gsl_stats_sd(values, 1, n), mean = gsl_stats_mean(values, 1, n);
    return gsl_cdf_tdist_Pinv(0.5 + confidence / 2, (double)(n - 1)) * sd / sqrt((double)n) / mean;
}

static void take_means(struct simulate_gpu_result *result, const double *times,
                       const double *kernels, size_t n, double confidence)
{
    struct estimate *bandwidth = &result->bandwidth_bytes_per_s;
    double time_s = gsl_stats_mean(times, 1, n);
    bandwidth->mean *= result->time_s / time_s;
    bandwidth->half_width = bandwidth->mean * share_of_half(times, n, confidence);
    result->time_s = time_s;
    result->kernel_time_s = gsl_stats_mean(kernels, 1, n);
    result->draws = (struct simulate_draws){(uint32_t)n, gsl_stats_min(times, 1, n),
                                            gsl_stats_max(times, 1, n)};
}

int draws_simulate(const struct subject *subject, const struct machine *machine,
                   const struct simulate_gpu_options *options, const struct draws *draws,
                   struct simulate_gpu_result **out, struct error *error)
{
    double *times = memory_alloc(2 * draws->most * sizeof *times), *kernels = times + draws->most;
    size_t n = 0;
    int status = 0;
    *out = NULL;
    while (!status && n < draws->most &&
           !(n >= draws->least && share_of_half(times, n, options->confidence) <= draws->within)) {
        struct simulate_gpu_options own = *options;
        struct simulate_gpu_result *result = NULL;
        own.draw += n;
        status = referee_simulate(subject, machine, &own, &result, error);
        if (status)
            break;
        times[n] = result->time_s;
        kernels[n++] = result->kernel_time_s;
        if (*out)
            simulate_gpu_result_destroy(result);
        else
            *out = result;
    }
    if (status) {
        simulate_gpu_result_destroy(*out);
        *out = NULL;
    } else if (n > 1) {
        take_means(*out, times, kernels, n, options->confidence);
    }
    free(times);
    return status;
}
