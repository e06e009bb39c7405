/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positive numbers of any size: a double in [0.5, 1) and a power of 2 beside it.
 * Normalisation constants of large populations leave the range of doubles. */
#ifndef BANDSCAPE_QUEUEING_SCALED_H
#define BANDSCAPE_QUEUEING_SCALED_H

#include <math.h>
#include <stdint.h>
#include <string.h>

struct scaled {
    double value; /* 0, or in [0.5, 1) */
    int64_t exponent;
};

static const int64_t scaled_exponent_of_0 = INT64_MIN / 4;

/* 2^exponent for exponent <= 0; 0 below the range of normal doubles. */
static inline double scaled_power(int64_t exponent)
{
    uint64_t bits = exponent < -1022 ? 0 : (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static inline struct scaled scaled_make(double value, int64_t exponent)
{
    int shift;
    if (value == 0.0)
        return (struct scaled){0.0, scaled_exponent_of_0};
    value = frexp(value, &shift);
    return (struct scaled){value, exponent + shift};
}

static inline struct scaled scaled_times(struct scaled a, double factor)
{
    return scaled_make(a.value * factor, a.exponent);
}

static inline struct scaled scaled_add(struct scaled a, struct scaled b)
{
    if (a.exponent < b.exponent) {
        struct scaled c = a;
        a = b;
        b = c;
    }
    return scaled_make(a.value + b.value * scaled_power(b.exponent - a.exponent), a.exponent);
}

/* a / b as a double. */
static inline double scaled_ratio(struct scaled a, struct scaled b)
{
    int64_t shift = a.exponent - b.exponent;
    if (a.value == 0.0 || shift < -1100)
        return 0.0;
    return ldexp(a.value / b.value, shift > 2000 ? 2000 : (int)shift);
}

#endif
