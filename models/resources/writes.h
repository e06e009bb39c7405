/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is written into the slices of the LLC, whose way there may be narrower than what slices give
 * (llc.write_bandwidth). Atomics bring data and are among it; lines that memory fills are not. For
 * bounds at a fixed mix. */
#ifndef BANDSCAPE_MODELS_RESOURCES_WRITES_H
#define BANDSCAPE_MODELS_RESOURCES_WRITES_H

#include "model/model.h"

/* Whether the machine says how fast slices take what is written. */
bool writes_are_apart(const struct model_builder *builder);
/* Of so many lookups a request, for local lines and for remote ones (terms): those that write. The
 * shares are those of what passes the levels before the LLC. A term. */
int writes_among(struct model_builder *builder, int local, int remote);
/* Bytes a second into all slices of the system; a term. */
int writes_bandwidth(struct model_builder *builder);

#endif
