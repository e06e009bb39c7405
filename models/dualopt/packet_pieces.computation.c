/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces in a packet of DualOpt's coalescing (PACT 2022), by the model's own formula. */
#include "dualopt/packets.h"
#include "model/computation.h"

static int packet_pieces_compute(const struct machine *machine, const double *arguments,
                                 double *results, struct error *error)
{
    (void)machine;
    (void)error;
    results[0] = packet_capacity(arguments[0], arguments[1], arguments[2]);
    return 0;
}

static const char *const pieces_arguments[] = {"packet", "piece", "id", NULL}; /* bytes */
static const char *const pieces_results[] = {"pieces", NULL};

const struct computation computation_packet_pieces = {
    .plugin = {"computation", "packet_pieces", "pieces that a packet holds", "DualOpt, PACT 2022",
               NULL},
    .arguments = pieces_arguments,
    .results = pieces_results,
    .compute = packet_pieces_compute,
};
