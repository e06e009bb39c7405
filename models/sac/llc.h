/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the models of SAC's last-level caches share: which machines they hold for, an LLC
 * whose ways are split between local and remote lines, and what coherence adds. */
#ifndef BANDSCAPE_MODELS_SAC_LLC_H
#define BANDSCAPE_MODELS_SAC_LLC_H

#include "model/model.h"

/* Refuses machines with partitions in a chip, with replicas in the LLC, or with levels between
 * L1 and the LLC. */
void llc_check(struct model_builder *builder);

/* B_inter: what leaves the chips; over the mean hops when eab.hop_aware is 1. */
int llc_link_bandwidth(struct model_builder *builder);

/* An LLC of C bytes and w ways of which a share phi holds remote lines at the requester and
 * the rest local lines at home:
 *
 *     m_local  = M(chip, home, local)       at (1 - phi) C, (1 - phi) w
 *     m_remote = M(chip, requester, remote) at phi C, phi w; it misses past the home's LLC
 *
 * static: phi = llc.remote_share. dynamic: phi at which the incoming links are used as much
 * as the local memory is by the chip's own misses,
 *
 *     R_remote m_remote / B_inter = R_local m_local / B_memory,
 *
 * or the nearer end where there is none. As phi grows the left side falls and the right one
 * rises, so there is one root. It is bracketed by whole ways and taken linearly between them.
 * The memory's use by remote misses is left out: with it, links faster than memory would
 * never be the more used, whatever phi. Milic et al. (MICRO 2017) steer by counters. */
struct llc_split {
    int share; /* phi */
    int miss_local, miss_remote;
};
struct llc_split llc_split_read(struct model_builder *builder, int local, int links);

/* True where copies may stand outside a line's home and hardware keeps them coherent. */
bool llc_invalidates(struct model_builder *builder);

#endif
