/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets of pieces. */
#include "dualopt/packets.h"

#include <math.h>

double packet_capacity(double payload_bytes, double piece_bytes, double id_bytes)
{
    double pieces = floor(payload_bytes / (piece_bytes + id_bytes));
    return pieces > 1 ? pieces : 1;
}

/* Whole flits; sums of fractions may lie a little above the number that they stand for. */
static double whole(double flits)
{
    return ceil(flits * (1 - 1e-12));
}

double packet_flits(double fill, double header, double piece)
{
    double i = floor(fill), x = fill - i;
    double few = whole(header + i * piece);
    return x > 0 ? (1 - x) * few + x * whole(header + (i + 1) * piece) : few;
}

double packet_fill(double capacity, double rate, double timeout_s)
{
    return fmin(capacity, 1 + rate * timeout_s);
}

double packet_wait(double capacity, double arrivals, double fill)
{
    double window = arrivals > capacity - 1 ? (capacity - 1) / arrivals : 1;
    return window * (fill + 1) / (2 * fill);
}

/* Between whole numbers i and i + 1 the flits of a packet are a + s n, so that
 *     links + pieces (a + s n) / n >= waiting / (n - 1)
 * is  A n^2 + p n - B >= 0  with  A = links + pieces s,  B = pieces a,  p = B - A - waiting.
 * It is < 0 at i where it was not met before, and A >= 0: it is met from one root on. */
struct step {
    double square, linear, constant;
};

static struct step step_at(const struct packet_balance *b, double i)
{
    double few = whole(b->header + i * b->piece);
    double slope = whole(b->header + (i + 1) * b->piece) - few;
    double square = b->links + b->pieces * slope, constant = b->pieces * (few - slope * i);
    return (struct step){square, constant - square - b->waiting, constant};
}

static double step_root(const struct step *step, double low, double high)
{
    double half = step->linear / 2;
    double root = step->square > 0
                      ? (sqrt(half * half + step->square * step->constant) - half) / step->square
                      : step->constant / step->linear;
    return fmin(fmax(root, low), high);
}

double packet_balance_fill(const struct packet_balance *b)
{
    if (!(b->waiting > 0))
        return 1;
    double most = b->others > 0 ? fmin(b->capacity, 1 + b->waiting / b->others) : b->capacity;
    for (double i = 1; i < most; i++) {
        struct step step = step_at(b, i);
        double end = fmin(i + 1, most);
        if ((step.square * end + step.linear) * end - step.constant >= 0)
            return step_root(&step, i, end);
    }
    return most;
}
