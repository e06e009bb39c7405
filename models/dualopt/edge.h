/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coalescing potential at the edge of a GPU (DualOpt, PACT 2022): the share of its remote
 * requests whose line is under way already, so that one message could have served both.
 *
 * Unbounded: the domain asked for that line less than `latency` rounds ago. Bounded: the
 * edge buffers the last EDGE_BUFFER requests that were sent, first in, first out; a
 * request is served by one sent less than `latency` rounds ago that is still there, and
 * sent itself otherwise. */
#ifndef BANDSCAPE_MODELS_DUALOPT_EDGE_H
#define BANDSCAPE_MODELS_DUALOPT_EDGE_H

#include <stddef.h>
#include <stdint.h>

enum { EDGE_BUFFER = 64, EDGE_PIECES_MAX = 64 };

struct edge {
    uint64_t latency;
    uint64_t start, now; /* round + start = time, which never goes back */
    struct edge_line {
        uint64_t line, last, sent; /* times, of the last request and of the last one sent */
        uint64_t serial;           /* of the one sent, counted within the domain from 1 */
        uint32_t domain;
    } * lines;      /* open addressing; serial 0: empty */
    size_t count;   /* answered lines included, until the table is full */
    uint32_t bits;  /* log2 of its places */
    uint64_t *sent; /* one a domain */

    uint64_t requests, unbounded, bounded;
    uint64_t pieces[EDGE_PIECES_MAX + 1]; /* requests that ask for so many pieces */
};

/* Fractions of the requests; NaN when there were none. */
struct edge_result {
    uint64_t requests;
    double unbounded_frac, bounded_frac;
    double pieces; /* mean of a request */
};

/* latency: rounds from a request to its answer. */
void edge_init(struct edge *edge, uint32_t domains, uint64_t latency);
void edge_fini(struct edge *edge);

/* A launch begins: all requests are answered, rounds may start from 0 again. */
void edge_begin_launch(struct edge *edge);

/* One remote request for these pieces (bit mask) of a line; rounds never go back in a
 * launch. Memory goes with the lines asked for in `latency` rounds. */
void edge_take(struct edge *edge, uint32_t domain, uint64_t line, uint64_t round, uint64_t pieces);

struct edge_result edge_result(const struct edge *edge);

#endif
