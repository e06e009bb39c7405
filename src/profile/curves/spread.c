/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals from differences of neighbours. */
#include "profile/curves/spread.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

enum { HISTOGRAM_BINS = sizeof((struct distance_histogram *)0)->bins / sizeof(uint64_t) };

/* Student's distribution with SPREAD_GROUPS degrees of freedom: 95 % within. */
static const double STUDENT = 2.12;
/* Of events none of which was seen, so many would have been with 95 %: -ln 0.05. */
static const double UNSEEN = 1;

void spread_total_begin(struct spread_total *total)
{
    *total = (struct spread_total){.from = memory_zero(HISTOGRAM_BINS + 1, sizeof *total->from)};
}

void spread_total_end(struct spread_total *total)
{
    free(total->from);
    *total = (struct spread_total){0};
}

static void add(struct spread_total *total, const struct distance_histogram *histogram,
                double times)
{
    double sum = times * (double)histogram->cold;
    total->from[HISTOGRAM_BINS] += sum;
    for (size_t bin = HISTOGRAM_BINS; bin-- > 0;) {
        sum += times * (double)histogram->bins[bin];
        total->from[bin] += sum;
    }
}

void spread_total_add(struct spread_total *total, const struct distance_histogram *histogram)
{
    add(total, histogram, 1);
}

void spread_total_take(struct spread_total *total, const struct distance_histogram *histogram)
{
    add(total, histogram, -1);
}

void spread_total_flush(struct spread_total *total, const struct distance_histogram *dirty)
{
    add(total, dirty, -1);
    for (size_t bin = 0; bin <= HISTOGRAM_BINS; bin++)
        total->from[bin] += (double)dirty->requests;
}

/* All are written, as if cold, but for those at their distances and above. */
void spread_flush(struct spread *spread, const struct spread *dirty)
{
    for (int g = 0; g < SPREAD_GROUPS; g++)
        for (uint32_t bin = 0; bin <= SPREAD_COLD; bin++) {
            spread->counts[g][SPREAD_COLD] += dirty->counts[g][bin];
            spread->counts[g][bin] -= dirty->counts[g][bin];
        }
}

/* The count in a cache of so many lines; within a bin, distances are evenly spread. */
static double total_at(const struct spread_total *total, double lines)
{
    if (lines <= 0)
        return total->from[0];
    uint32_t bin = distance_bin((uint64_t)lines);
    double first = (double)distance_bin_first(bin), next = (double)distance_bin_first(bin + 1);
    double within = fmin(1, (lines - first) / (next - first));
    return total->from[bin] + (total->from[bin + 1] - total->from[bin]) * within;
}

/* sum over groups of t^2 */
static double squares(const int64_t sums[SPREAD_GROUPS], const struct spread_sample *sample,
                      double count)
{
    double per_line = sample->lines > 0 ? count / sample->lines : 0, sum = 0;
    for (int g = 0; g < SPREAD_GROUPS; g++) {
        double t = (double)sums[g] - per_line * (double)sample->balance[g];
        sum += t * t;
    }
    return sum;
}

void spread_interval(const struct spread *spread, const struct spread_sample *sample,
                     const struct spread_total *total, double half[SPREAD_BINS])
{
    double share = sample->share;
    int64_t sums[SPREAD_GROUPS];
    for (int g = 0; g < SPREAD_GROUPS; g++)
        sums[g] = spread->counts[g][SPREAD_COLD];
    for (uint32_t bin = SPREAD_BINS; bin-- > 0;) {
        for (int g = 0; g < SPREAD_GROUPS; g++)
            sums[g] += spread->counts[g][bin];
        double at = (double)spread_lines(bin), count = total_at(total, at);
        double counted = STUDENT / share * sqrt((1 - share) * squares(sums, sample, count * share));
        /* A whole distance among sampled lines stands for 1/R of them, the middle is taken. */
        double off =
            STUDENT * evenness_deviation(sample->evenness, at, share) / share + (1 / share - 1) / 2;
        double moved =
            fmax(fabs(total_at(total, at - off) - count), fabs(total_at(total, at + off) - count));
        double per_line = sample->lines > 0 ? count * share / sample->lines : 0;
        double unseen = UNSEEN * (1 - share) / share * fmax(1, per_line);
        half[bin] = hypot(hypot(counted, moved), unseen);
    }
}
