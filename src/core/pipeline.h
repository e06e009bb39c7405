/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One producer, several consumers: a bounded ring of items, each of which every
 * consumer sees, in the order in which they were pushed. Work is divided among
 * the consumers by what they do with an item (consumer k takes the k-th share of
 * some fixed partition), not by who comes first; so results cannot depend on
 * timing as long as consumers share nothing that they write. */
#ifndef BANDSCAPE_CORE_PIPELINE_H
#define BANDSCAPE_CORE_PIPELINE_H

#include <stddef.h>

struct pipeline;

/* Called once for every item and consumer, 0 <= consumer < max(consumers, 1).
 * Several consumers may look at an item at the same time. */
typedef void pipeline_consume(void *context, int consumer, void *item);

/* A ring of `depth` items (at least 1) of item_bytes each, zeroed, each aligned
 * to 64 bytes; their contents stay from one use to the next. With no consumers,
 * pipeline_push calls consume(context, 0, item) itself; it also stands in for a
 * consumer whose thread cannot be started. */
struct pipeline *pipeline_create(size_t item_bytes, int depth, int consumers,
                                 pipeline_consume *consume, void *context);

/* Waits until everything pushed is consumed, then ends the threads. NULL is legal. */
void pipeline_destroy(struct pipeline *pipeline);

/* The next four are for the producer, which is one thread. */

/* The next item to fill; waits until one is free. The same one until it is pushed. */
void *pipeline_slot(struct pipeline *pipeline);

/* Hands the item of pipeline_slot over. */
void pipeline_push(struct pipeline *pipeline);

/* Waits until all consumers are through with everything pushed. What they wrote
 * may be read then. */
void pipeline_drain(struct pipeline *pipeline);

/* Consumers, the caller as the only one included: max(consumers, 1). */
int pipeline_consumers(const struct pipeline *pipeline);

#endif
