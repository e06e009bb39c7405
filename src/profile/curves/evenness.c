/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled lines in windows of lines. */
#include "profile/curves/evenness.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

void evenness_init(struct evenness *evenness, uint32_t units)
{
    *evenness = (struct evenness){.units = memory_zero(units, sizeof *evenness->units)};
}

void evenness_fini(struct evenness *evenness)
{
    free(evenness->units);
    *evenness = (struct evenness){0};
}

void evenness_add(struct evenness *evenness, uint32_t unit, bool sampled, double share)
{
    struct evenness_unit *u = &evenness->units[unit];
    u->lines++;
    u->sampled += sampled;
    /* Windows that end here: two a line in the mean. */
    int ends = __builtin_ctzll(u->lines);
    double expected = share;
    for (int k = 0; k <= ends && k < EVENNESS_OCTAVES; k++, expected *= 2) {
        double off = (double)(u->sampled - u->begun[k]) - expected;
        evenness->squares[k] += off * off;
        evenness->windows[k]++;
        u->begun[k] = u->sampled;
    }
}

double evenness_deviation(const struct evenness *evenness, double lines, double share)
{
    enum { ENOUGH = 8 }; /* windows: their mean square is within a half of itself */
    double at = log2(fmax(lines, 1));
    int known = 0;
    while (known < EVENNESS_OCTAVES && evenness->windows[known] >= ENOUGH)
        known++;
    if (known == 0)
        return sqrt(lines * share * (1 - share));
    int k = (int)floor(at);
    if (k >= known - 1) {
        double last = evenness->squares[known - 1] / (double)evenness->windows[known - 1];
        return sqrt(last * lines / ldexp(1, known - 1));
    }
    double below = evenness->squares[k] / (double)evenness->windows[k];
    double above = evenness->squares[k + 1] / (double)evenness->windows[k + 1];
    return sqrt(below + (above - below) * (at - k));
}
