/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing the steps of a flight: what way.c and translate.c share. */
#ifndef BANDSCAPE_SIMULATE_WAY_H
#define BANDSCAPE_SIMULATE_WAY_H

#include "simulate/gpu_internal.h"

enum direction { THERE, BACK };

/* A way that is being written. */
struct way {
    struct gpu *gpu;
    struct flight *flight;
    uint64_t line;
    uint8_t kind; /* enum access_kind */
    double data;  /* bytes */
};

void way_act(const struct way *way, uint32_t action, uint32_t unit);
/* One server of a station serves so much; nothing where there is no such station. */
void way_visit(const struct way *way, uint32_t station, uint32_t server, double amount);
void way_delay(const struct way *way, double latency_s);
/* Between domains: edges where they are on different chips. */
void way_cross(const struct way *way, uint32_t domain, uint32_t home, enum direction direction);
/* A channel of a domain's memory. */
void way_memory(const struct way *way, uint32_t home);

#endif
