/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits in vain (DualOpt, PACT 2022): pieces wait for others to share a packet with until it is
 * full or a timeout after the first of them; where nobody else comes, the wait was for nothing.
 * Counted for the published timeouts, of packets of ten pieces of 4 bytes, for every pair of a GPU
 * that asks and one that answers; a round of the profiler, in which an SM makes an access at most,
 * stands for a cycle. */
#ifndef BANDSCAPE_MODELS_DUALOPT_VAIN_H
#define BANDSCAPE_MODELS_DUALOPT_VAIN_H

#include <stdint.h>

enum { VAIN_PIECES = 10, VAIN_TIMEOUTS = 3 };
extern const uint64_t vain_timeouts[VAIN_TIMEOUTS]; /* rounds: 10, 30, 50 */

struct vain {
    uint32_t domains;
    struct vain_packet {
        uint64_t since;            /* the round of its first request */
        uint32_t requests, pieces; /* 0: there is none */
    } * packets;                   /* [(timeout * domains + requester) * domains + home] */
    uint64_t waits[VAIN_TIMEOUTS]; /* that were in vain */
};

void vain_init(struct vain *vain, uint32_t domains);
void vain_fini(struct vain *vain);

/* A request for so many pieces (at least 1) that is sent; rounds never go back. */
void vain_take(struct vain *vain, uint32_t requester, uint32_t home, uint64_t round,
               uint32_t pieces);
/* Waits in vain under a timeout so far, those that end now among them. */
uint64_t vain_waits(const struct vain *vain, int timeout);

/* Share of requests that wait in vain at a timeout (cycles), from the shares at the counted ones:
 * on straight lines between them; below the first one it is the first one's, above the last one the
 * last one's. */
double vain_share(const double shares[VAIN_TIMEOUTS], double timeout);

#endif
