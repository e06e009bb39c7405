/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chips that are not alike: a resource is as slow as its busiest place. By the record's traffic
 * matrix, who asks whom; all are alike where it does not say. For bounds at a fixed mix. */
#ifndef BANDSCAPE_MODELS_RESOURCES_PLACES_H
#define BANDSCAPE_MODELS_RESOURCES_PLACES_H

#include "model/model.h"

/* Of a chip, over the mean of all: requests that its SMs make, of its own lines and of others', and
 * that others make of its lines. */
enum place_share { SHARE_ASKED, SHARE_LOCAL, SHARE_SENT, SHARE_HOMED, PLACE_SHARES };

/* A load (a term) that is spread over the chips like that. */
struct place_load {
    int term;
    enum place_share share;
};
/* What the busiest chip has of their sum, over the mean of all chips; a term. */
int places_busiest(struct model_builder *builder, int n, const struct place_load *parts);
/* The same of domains: what partitions have of their own. */
int places_busiest_domain(struct model_builder *builder, int n, const struct place_load *parts);

enum { PLACE_CROSSINGS_MAX = 5 };
/* Crossings of crossbars: how many (a term), their bytes on the wire, where. */
struct place_crossing {
    int times;
    struct model_wire wire;
    enum place_share share;
};
/* Bytes on the wire at the busiest crossbar, likewise, of PLACE_CROSSINGS_MAX at most; in both
 * directions, or with noc.directions separate there and back. */
struct place_wire {
    int there, back; /* back: -1: both are in `there` */
};
struct place_wire places_crossings(struct model_builder *builder, int n,
                                   const struct place_crossing *parts);
/* Bandwidth of all crossbars, less what queues at their inputs lose (noc.switching). */
int places_crossbars(struct model_builder *builder);

#endif
