/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation of addresses, request by request.
 *
 * TLBs are looked up when an access is issued, as caches are. What misses the first one is a flight
 * of its own, from TLB to TLB to the walkers and the memory that has the tables; the requests for
 * the page, hits in L1 too, wait at the first TLB until it has come back. Lookups of a page that is
 * under way wait for it and take no place of their own. */
#ifndef BANDSCAPE_SIMULATE_TRANSLATE_H
#define BANDSCAPE_SIMULATE_TRANSLATE_H

#include "simulate/gpu_internal.h"

struct way;

/* The page of a line of an access is looked up, and its walk sets out; `missing`: the line is not
 * in L1; `moved`: its page is elsewhere now. Whether it takes longer than a lookup. */
bool translate_line(struct gpu *gpu, uint32_t sm, uint32_t home, uint64_t line, bool missing,
                    bool moved);
/* The steps of a request until it has its translation. */
void translate_way(const struct way *way, uint32_t sm);
/* Steps that the longest walk may have, on routes of so many hops. */
uint32_t translate_longest(const struct system *system, uint32_t hops);
/* What walkers did until now, to the servers of their stations. */
void translate_settle(struct gpu *gpu);

#endif
