/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Baselines and means of speed-ups. */
#include "explore/answer/baseline.h"

#include <math.h>

int baseline_open(const char *name, struct baseline *out, struct error *error)
{
    const struct plugin *plugin = plugin_find("organisation", name);
    *out = (struct baseline){.organisation = plugin ? plugin->name : NULL};
    int status = plugin ? 0 : machine_load(name, &out->machine, error);
    if (status)
        error_context(error, "a baseline is an organisation of the LLC or a machine");
    return status;
}

void baseline_close(struct baseline *baseline)
{
    machine_destroy(baseline->machine);
    *baseline = (struct baseline){0};
}

int baseline_machine(const struct baseline *baseline, const struct machine *machine,
                     struct machine **out, struct error *error)
{
    *out = machine_clone(baseline->machine ? baseline->machine : machine);
    int status = baseline->organisation
                     ? machine_set(*out, "llc.organisation", baseline->organisation, NULL, error)
                     : 0;
    if (status) {
        machine_destroy(*out);
        *out = NULL;
    }
    return status;
}

double baseline_speedup(const struct baseline *baseline, double base_time_s,
                        double base_bytes_per_s, double time_s, double bytes_per_s)
{
    double ratio = base_time_s / time_s;
    return isnan(ratio) && baseline->organisation ? bytes_per_s / base_bytes_per_s : ratio;
}

struct baseline_means baseline_means(const double *speedups, size_t count)
{
    double inverse = 0, logarithm = 0, sum = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) {
        inverse += 1 / speedups[i];
        logarithm += log(speedups[i]);
        sum += speedups[i];
    }
    return (struct baseline_means){n / inverse, exp(logarithm / n), sum / n};
}
