/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of doubles that are the same bits in whatever order, and from however many partial sums,
 * they are made: integers of 32 bits at fixed places of the exponent, of which the four highest
 * that any addend reaches are kept (as Demmel and Nguyen, Fast Reproducible Floating-Point
 * Summation, ARITH 2013, but with whole numbers). What is left out of an addend is below 2^-80 of
 * the largest one. For 2^29 addends at most. */
#ifndef BANDSCAPE_CORE_ORDER_FREE_SUM_H
#define BANDSCAPE_CORE_ORDER_FREE_SUM_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDER_FREE_PARTS = 4 };

/* All zero: nothing is summed yet. */
struct order_free_sum {
    int64_t parts[ORDER_FREE_PARTS]; /* highest first: units of 2^(32 (top - i)) times the least */
    int top;                         /* place of the highest; 0: nothing is summed */
    bool lost;                       /* an addend was no finite number */
};

void order_free_add(struct order_free_sum *sum, double value);
void order_free_merge(struct order_free_sum *to, const struct order_free_sum *from);
/* One over what the highest of the parts counts in, for a place above 0: a power of two. */
double order_free_units(int top);
double order_free_value(const struct order_free_sum *sum); /* NaN: lost */

#endif
