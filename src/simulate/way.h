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
/* One server of a station serves so much. */
void way_serve(const struct way *way, uint32_t station, uint32_t server, double amount);
/* With its latency; nothing where there is no such station. */
void way_visit(const struct way *way, uint32_t station, uint32_t server, double amount);
void way_delay(const struct way *way, double latency_s);
/* A message of the way, over a crossbar; over the link of a partition. */
void way_crossbar(const struct way *way, uint32_t domain, enum direction direction);
void way_link(const struct way *way, uint32_t domain, enum direction direction);
/* Between the LLC's slices of two partitions of a chip, if they ask each other. */
void way_partitions(const struct way *way, uint32_t domain, uint32_t home,
                    enum direction direction);
/* Bytes from the chip of a domain to that of another one. */
void way_edges(const struct way *way, uint32_t from, uint32_t to, double bytes);
/* These pieces of the line come to the chip of a domain from its home's in packets. */
void way_packet(const struct way *way, uint32_t domain, uint32_t home, uint64_t pieces);
/* Between domains: edges where they are on different chips. */
void way_cross(const struct way *way, uint32_t domain, uint32_t home, enum direction direction);
/* A channel of a domain's memory. */
void way_memory(const struct way *way, uint32_t home);

#endif
