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

/* An LLC of C bytes and w ways of which a share phi holds remote lines at the requester, and the
 * rest whatever has its home here. The remote part stands between L1 and the home's LLC, as
 * MCM-GPU's L1.5 does: what misses it crosses the links, looks up the rest of the home's ways, and
 * goes to memory only from there. With M of the profile, c' = (1 - phi) C:
 *
 *     x   = M(chip, requester, remote)     at phi C    of remote requests, those that go on
 *     a_r = M(chip, home, remote-of-all)   at c'       remote ones among all of the home
 *     a_l = (M(chip, home, all) - R_remote a_r) / R_local, local ones among all
 *     l   = M(chip, home, local)           at c'       local ones alone
 *
 *     m_remote = min(x, a_r)               of remote requests, those that memory answers
 *     m_local  = l + x (a_l - l)           of local ones
 *
 * Exact: phi = 0, where nothing looks up a remote part and all is memory-side's; phi = 1; one of
 * the two streams alone. Between these an estimate, for what the home sees depends on what the
 * remote parts keep. l <= m_local <= a_l of lines that no other chip asks for, since what goes on
 * is a part of what there is; of lines that others bring home, l > a_l is taken to be a_l. m_remote
 * <= x always. min() takes what is far from its last use at the requester to be far from it at
 * home, too, but for what other chips brought there; it leaves out that lines that a remote part
 * keeps grow old at home, which makes it low, and the room that they leave to others, which makes
 * it high.
 *
 * What memory reads is put together from the reads of these streams in the same way. Dirty data w
 * are those of the home, whose curve has local and remote ones together: with
 *
 *     w_a  of all at c'      w_r  of the remote part, at phi C     w_l  of local lines alone, at c'
 *     a    = min(w_a, R_local w_l(no ways) + R_remote w_r),    s = min(a, R_local w_l + R_remote
 * w_r)
 *
 *     w    = s + x (a - s)
 *
 * which is exact at the same limits; of what is dirty at the end the same with max.
 *
 * static: phi = llc.remote_share. dynamic: phi at which the incoming links are used as much as the
 * memory,
 *
 *     R_remote x / B_inter = (R_local m_local + R_remote m_remote) / B_memory,
 *
 * as the counters of Milic et al. (MICRO 2017) see it, one way at least on either side; the nearer
 * end where they are not equal anywhere. Bracketed by whole ways and
 * taken linearly between them; where there are several, the one that bisection meets. */
struct llc_split {
    int share;                   /* phi */
    int asks;                    /* 1 where the remote part has ways to be looked up, else 0 */
    int miss_part;               /* x */
    int miss_local, miss_remote; /* at memory, of local and of remote requests */
    struct model_memory memory_local, memory_remote; /* what goes there and back for one */
};
struct llc_split llc_split_read(struct model_builder *builder, int local, int links);
/* Of all requests: R_local memory_local + R_remote memory_remote. */
struct model_memory llc_split_memory(struct model_builder *builder, const struct llc_split *split,
                                     int local);
/* Requests that memory answers: R_local m_local + R_remote m_remote. */
int llc_split_misses(struct model_builder *builder, const struct llc_split *split, int local);

/* True where copies may stand outside a line's home and hardware keeps them coherent. */
bool llc_invalidates(struct model_builder *builder);

#endif
