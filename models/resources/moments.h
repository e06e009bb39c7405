/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is hot for a while: requests that are under way together ask fewer places than the launch
 * does (profile/run/momentary.h), so that some stand idle while others have queues. For bounds and
 * networks, whose shares of slices, memories and links are means over launches.
 *
 * Of a launch whose requests meet with probability c in a window, the busiest of S places has c of
 * what is under way, in the mean of the windows, at least; or its share P over the launch, where
 * that is more. All is as slow as that place:
 *
 *     slices     min( LSU, 1 / (S c) )                     in the place of LSU
 *     memories   max( 1, c / P )                           times what the busiest one exchanges
 *     links      w_h = (1 - a) w + a w->h                  traffic while home h is asked for:
 *                a = (c - sum P_h^2) / (1 - sum P_h^2)     a share of requests comes to that home
 *                                                          from whoever asks it; the time of the
 *                                                          hottest edge, mean over homes by P_h
 *
 * w: remote requests of pairs of chips over the launch, w->h: of those only what goes to h; their
 * mean over all h is w. All ask one home, then the next one: c = 1, a = 1; homes that are asked
 * alike at all times: c = sum P^2, and nothing changes. By convexity no time is below the launch's.
 * Memory is taken to be asked as lines are that nobody asked for before in the window. Crossbars
 * are as loaded as over the launch. */
#ifndef BANDSCAPE_MODELS_RESOURCES_MOMENTS_H
#define BANDSCAPE_MODELS_RESOURCES_MOMENTS_H

#include "mcm/fabric.h"
#include "model/model.h"

/* Uniformity of the slices of a side; a term. */
int moments_slices(struct model_builder *builder, enum level_side side);

/* Times what the busiest memory exchanges over the launch; a term, -1: no more than that. */
int moments_memory(struct model_builder *builder);

/* Seconds of the hottest edge for what crosses links to an LLC of that side, or behind it; a term,
 * -1: no links. `launch`: the same over the launch. */
int moments_links(struct model_builder *builder, enum level_side side, const struct mcm_wire *wire,
                  int *launch);

#endif
