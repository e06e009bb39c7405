/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of memory do not all take as long: they are on unlike sides of a die, in banks that are
 * open or not. A wait for n of them is for the last one, whose latency is above the mean by so many
 * deviations (memory.latency_spread) as the largest of n normal numbers: Blom, Statistical
 * Estimates and Transformed Beta-Variables, 1958,
 *
 *     m(n) = Phi^-1( (n - 3/8) / (n + 1/4) )          0.56, 1.03, 1.27 exactly of 2, 4, 6;
 * 0.59, 1.05, 1.28
 *
 * Sectors of one line come together. */
#include <math.h>

#include "network/demands.h"

/* Phi^-1 of at least a half, within 4.5e-4: Abramowitz and Stegun, 26.2.23. */
static double normal_quantile(double share)
{
    double t = sqrt(-2 * log(1 - share));
    return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                   (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

double network_last_of(double n)
{
    return n > 1 ? fmax(0, normal_quantile((n - 0.375) / (n + 0.25))) : 0;
}

void demands_set_spread(struct demands *d, int lines, double sectors)
{
    struct error ignored;
    double given;
    if (!d->net->chained ||
        machine_number(model_machine(d->b), "memory.latency_spread", &given, &ignored) ||
        !(given > 0))
        return;
    d->net->memory = demands_latency(d, "memory.latency");
    d->net->spread = demands_argument(d, model_parameter(d->b, "memory.latency_spread"));
    d->net->spread_lines =
        demands_argument(d, term_quotient(d->g, "lines of memory", lines,
                                          model_constant(d->b, NULL, fmax(1, sectors), DIM_NONE)));
}

double network_spread(const struct network *network, const struct network_visit *visit,
                      const struct term_operand *args, int point)
{
    if (network->spread == 0 || visit->amount != network->memory || !visit->miss)
        return 0;
    double late = fmin(1, network_argument(args, visit->miss, point));
    return network_argument(args, network->spread, point) *
           network_last_of(late * network_argument(args, network->spread_lines, point));
}
