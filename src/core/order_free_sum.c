/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/order_free_sum.h"

#include <math.h>
#include <string.h>

enum {
    PART_BITS = 32,
    MANTISSA_BITS = 52,
    LEAST_BIT = -1074 /* exponent of the least double above 0: of place 0, bit 0 */
};

/* Raises the highest place to `top`; what lies below the lowest is forgotten. */
static void raise_top(struct order_free_sum *sum, int top)
{
    int shift = top - sum->top;
    for (int i = ORDER_FREE_PARTS - 1; i >= 0; i--)
        sum->parts[i] = i >= shift ? sum->parts[i - shift] : 0;
    sum->top = top;
}

static void add_at(struct order_free_sum *sum, int place, int64_t part)
{
    if (sum->top - place < ORDER_FREE_PARTS)
        sum->parts[sum->top - place] += part;
}

void order_free_add(struct order_free_sum *sum, double value)
{
    const uint64_t low_bits = (UINT64_C(1) << PART_BITS) - 1;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    unsigned exponent = (unsigned)(bits >> MANTISSA_BITS) & 0x7ff;
    uint64_t mantissa = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
    if (exponent == 0x7ff)
        sum->lost = true;
    if (value == 0 || exponent == 0x7ff)
        return;
    if (exponent)
        mantissa |= UINT64_C(1) << MANTISSA_BITS;
    unsigned first = exponent ? exponent - 1 : 0; /* place of the mantissa's last bit */
    int place = (int)(first / PART_BITS), sign = bits >> 63 ? -1 : 1;
    uint64_t low = (mantissa & low_bits) << first % PART_BITS;
    uint64_t high = (mantissa >> PART_BITS) << first % PART_BITS;
    if (place + 2 > sum->top)
        raise_top(sum, place + 2);
    add_at(sum, place, sign * (int64_t)(low & low_bits));
    add_at(sum, place + 1, sign * (int64_t)((low >> PART_BITS) + (high & low_bits)));
    add_at(sum, place + 2, sign * (int64_t)(high >> PART_BITS));
}

void order_free_merge(struct order_free_sum *to, const struct order_free_sum *from)
{
    to->lost = to->lost || from->lost;
    if (from->top > to->top)
        raise_top(to, from->top);
    for (int i = 0; i < ORDER_FREE_PARTS; i++)
        add_at(to, from->top - i, from->parts[i]);
}

double order_free_units(int top)
{
    return ldexp(1, -LEAST_BIT - PART_BITS * top);
}

double order_free_value(const struct order_free_sum *sum)
{
    double value = 0;
    for (int i = ORDER_FREE_PARTS - 1; i >= 0; i--)
        value = value / 0x1p32 + (double)sum->parts[i];
    return sum->lost ? (double)NAN : ldexp(value, PART_BITS * sum->top + LEAST_BIT);
}
