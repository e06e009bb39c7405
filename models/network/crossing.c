/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the LLC's slices of a chip's partitions. */
#include "network/demands.h"

void demands_cross(struct demands *d, const struct way *way, uint32_t i, uint32_t j, double reads)
{
    if (!system_crosses(d->system, i, j))
        return;
    demands_pass(d, way, STATION_CROSSING, i, d->line, reads);
    demands_pass(d, way, STATION_CROSSING, j, d->line, 1 - reads);
    demands_wait(d, way, "crossing.latency", 2);
}
