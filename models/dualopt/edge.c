/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coalescing potential. A buffered request is known by its serial number: it is among the
 * last 64 sent when fewer than 64 were sent after it. */
#include "dualopt/edge.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

enum { FIRST_BITS = 8 };

static void lines_create(struct edge *edge, uint32_t bits)
{
    edge->bits = bits;
    edge->lines = memory_zero((size_t)1 << bits, sizeof *edge->lines);
}

void edge_init(struct edge *edge, uint32_t domains, uint64_t latency)
{
    *edge = (struct edge){.latency = latency};
    edge->sent = memory_zero(domains, sizeof *edge->sent);
    lines_create(edge, FIRST_BITS);
}

void edge_fini(struct edge *edge)
{
    free(edge->lines);
    free(edge->sent);
    *edge = (struct edge){0};
}

void edge_begin_launch(struct edge *edge)
{
    edge->start = edge->now + edge->latency;
    edge->now = edge->start;
}

/* The line's entry, or the empty place where it belongs. */
static struct edge_line *lines_find(const struct edge *edge, uint32_t domain, uint64_t line)
{
    size_t mask = ((size_t)1 << edge->bits) - 1;
    size_t at = hash_fmix64(hash_fmix64(line) + domain) >> (64 - edge->bits);
    for (;; at = (at + 1) & mask) {
        struct edge_line *entry = &edge->lines[at];
        if (entry->serial == 0 || (entry->line == line && entry->domain == domain))
            return entry;
    }
}

/* Less than `latency` ago. */
static bool edge_recent(const struct edge *edge, uint64_t time)
{
    return edge->now - time < edge->latency;
}

/* Drops the lines that no later request can find under way; doubles the table when half
 * of it is left. */
static void lines_renew(struct edge *edge)
{
    struct edge_line *old = edge->lines;
    size_t places = (size_t)1 << edge->bits, live = 0;
    for (size_t i = 0; i < places; i++)
        live += old[i].serial && edge_recent(edge, old[i].last);
    lines_create(edge, edge->bits + (live > places / 4));
    for (size_t i = 0; i < places; i++)
        if (old[i].serial && edge_recent(edge, old[i].last))
            *lines_find(edge, old[i].domain, old[i].line) = old[i];
    edge->count = live;
    free(old);
}

void edge_take(struct edge *edge, uint32_t domain, uint64_t line, uint64_t round, uint64_t pieces)
{
    edge->requests++;
    edge->pieces[__builtin_popcountll(pieces)]++;
    edge->now = edge->start + round;
    if (edge->count >= (size_t)1 << (edge->bits - 1))
        lines_renew(edge);
    struct edge_line *entry = lines_find(edge, domain, line);
    bool known = entry->serial != 0;
    if (known && edge_recent(edge, entry->last))
        edge->unbounded++;
    if (known && edge_recent(edge, entry->sent) &&
        edge->sent[domain] - entry->serial < EDGE_BUFFER) {
        edge->bounded++;
    } else {
        edge->count += !known;
        *entry = (struct edge_line){
            .line = line, .sent = edge->now, .serial = ++edge->sent[domain], .domain = domain};
    }
    entry->last = edge->now;
}

struct edge_result edge_result(const struct edge *edge)
{
    uint64_t pieces = 0;
    for (uint64_t i = 0; i <= EDGE_PIECES_MAX; i++)
        pieces += i * edge->pieces[i];
    double requests = edge->requests ? (double)edge->requests : (double)NAN;
    return (struct edge_result){
        .requests = edge->requests,
        .unbounded_frac = (double)edge->unbounded / requests,
        .bounded_frac = (double)edge->bounded / requests,
        .pieces = (double)pieces / requests,
    };
}
