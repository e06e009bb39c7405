/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets of DualOpt's coalescing (PACT 2022): pieces of remote lines on their way home share
 * packets, one buffer a destination. Plain functions, for the model, its tests and
 * its published figures. */
#ifndef BANDSCAPE_MODELS_DUALOPT_PACKETS_H
#define BANDSCAPE_MODELS_DUALOPT_PACKETS_H

/* Pieces that a packet holds: floor(payload / (piece + id)), bytes; 10 for 64, 4, 2. */
double packet_capacity(double payload_bytes, double piece_bytes, double id_bytes);

/* Mean flits of packets that hold `fill` pieces in the mean, the whole numbers next to it:
 * (1-x) ceil(header + i piece) + x ceil(header + (i+1) piece), i = floor(fill), x = fill - i.
 * header, piece: in flits. */
double packet_flits(double fill, double header, double piece);

/* Pieces in a packet that leaves when it is full or `timeout` after its first piece, where
 * `rate` pieces a second arrive for its destination: min(capacity, 1 + rate * timeout). For
 * Poisson arrivals this is an upper bound (Jensen). */
double packet_fill(double capacity, double rate, double timeout_s);

/* How long a piece waits in its packet, mean, in units of `timeout`: the first one until the
 * packet leaves, others half of it: w (fill + 1) / (2 fill), w = 1, or when it leaves full
 * (capacity - 1) / (rate * timeout). */
double packet_wait(double capacity, double arrivals, double fill);

/* Arrivals depend on the time that a kernel takes, and that on the fill. In seconds:
 *     time = max(others, links + pieces * packet_flits(fill) / fill)
 *     fill = min(capacity, 1 + waiting / time)
 * Returns the least fill, and so the longest time, that satisfies both: exact. */
struct packet_balance {
    double others;        /* what the kernel takes apart from the links */
    double links;         /* what other messages take on the links */
    double pieces;        /* what one flit for every piece would take there */
    double waiting;       /* pieces for one destination, times the timeout */
    double capacity;      /* pieces */
    double header, piece; /* flits */
};
double packet_balance_fill(const struct packet_balance *balance);

#endif
