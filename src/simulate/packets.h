/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets of pieces (DualOpt, PACT 2022): a read past L1 gets from another chip no line, but the
 * pieces that its lanes ask for. At the home's edge they go into the packet that waits for the
 * reader's chip, one by one; it leaves when it is full, or so long after its first piece, and its
 * pieces with it. A reader has its data when the packet with its last piece has come. An MSHR that
 * waits for some pieces of a line serves a later read of its node whose pieces are among them: that
 * rides on it, without a message; else it sends a request of its own. */
#ifndef BANDSCAPE_SIMULATE_PACKETS_H
#define BANDSCAPE_SIMULATE_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/system.h"

struct gpu;
struct near;
struct step;
struct warp_access;

/* The one that waits for pieces, of a pair of chips. */
struct packet {
    uint64_t serial; /* what those are told by that wait for it to come (struct pending) */
    uint32_t pieces; /* 0: there is none */
    double leaves_s;
};

struct packets {
    struct packet *open; /* [from * chips + to]; NULL: the machine has none */
    uint64_t serial;
};

void packets_init(struct packets *packets, const struct system *system);
void packets_fini(struct packets *packets);

/* A read past L1 of a line of another chip: its pieces, and whether it rides. */
void packets_look(struct gpu *gpu, const struct warp_access *access, uint64_t line,
                  struct near *near);
/* The flight's pieces go into packets, and it waits for the last of them. */
void packets_put(struct gpu *gpu, uint32_t flight, const struct step *step);
/* The packet of that pair leaves if its time has come; false: it has left. */
bool packets_due(struct gpu *gpu, uint32_t pair);

#endif
