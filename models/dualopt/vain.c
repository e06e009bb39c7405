/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets that wait. */
#include "dualopt/vain.h"

#include <stdlib.h>

#include "core/memory.h"

const uint64_t vain_timeouts[VAIN_TIMEOUTS] = {10, 30, 50};

void vain_init(struct vain *vain, uint32_t domains)
{
    *vain = (struct vain){.domains = domains};
    vain->packets = memory_zero((size_t)VAIN_TIMEOUTS * domains * domains, sizeof *vain->packets);
}

void vain_fini(struct vain *vain)
{
    free(vain->packets);
    *vain = (struct vain){0};
}

/* Full packets leave at once, and of what is left a new one begins: it is the same request's. */
static void packet_take(struct vain_packet *packet, uint64_t *waits, uint64_t timeout,
                        uint64_t round, uint32_t pieces)
{
    if (packet->requests && round - packet->since >= timeout) {
        *waits += packet->requests == 1;
        *packet = (struct vain_packet){0};
    }
    if (packet->requests == 0)
        packet->since = round;
    packet->requests++;
    packet->pieces += pieces;
    if (packet->pieces < VAIN_PIECES)
        return;
    pieces = packet->pieces % VAIN_PIECES;
    *packet = (struct vain_packet){round, pieces > 0, pieces};
}

void vain_take(struct vain *vain, uint32_t requester, uint32_t home, uint64_t round,
               uint32_t pieces)
{
    for (uint32_t t = 0; t < VAIN_TIMEOUTS; t++) {
        size_t at = ((size_t)t * vain->domains + requester) * vain->domains + home;
        packet_take(&vain->packets[at], &vain->waits[t], vain_timeouts[t], round, pieces);
    }
}

uint64_t vain_waits(const struct vain *vain, int timeout)
{
    size_t pairs = (size_t)vain->domains * vain->domains;
    uint64_t waits = vain->waits[timeout];
    for (size_t p = 0; p < pairs; p++)
        waits += vain->packets[(size_t)timeout * pairs + p].requests == 1;
    return waits;
}

double vain_share(const double shares[VAIN_TIMEOUTS], double timeout)
{
    for (int t = 0; t < VAIN_TIMEOUTS; t++) {
        double at = (double)vain_timeouts[t];
        if (timeout > at)
            continue;
        if (t == 0)
            return shares[0];
        double before = (double)vain_timeouts[t - 1];
        return shares[t - 1] + (shares[t] - shares[t - 1]) * (timeout - before) / (at - before);
    }
    return shares[VAIN_TIMEOUTS - 1];
}
