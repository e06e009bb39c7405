/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queueing networks as YAML files.
 *
 *     network:
 *       classes:
 *         - {name: batch, population: 32, think: 0.5 s}   # closed
 *         - {name: visitors, arrival: 0.25 /s}            # open
 *       stations:                # numbers are per class, in the order above
 *         - {name: cpu, demand: [0.5 s, 20 ms]}
 *         - {name: disks, kind: multi, servers: 2, service: [10 ms, 10 ms], visits: [4, 1]}
 *         - {name: net, kind: delay, demand: [0.1, 0.1]}
 *         - {name: pool, kind: load-dependent, rates: [1, 1.8, 2.4], demand: [1, 1]}
 *
 * Bare numbers are seconds. `scv` of a queue is the squared coefficient of variation
 * of its service (1: exponential, the default; 0: deterministic). */
#ifndef BANDSCAPE_CLI_NETWORK_FILE_H
#define BANDSCAPE_CLI_NETWORK_FILE_H

#include "core/file_form.h"
#include "queueing/network.h"

struct network_file {
    struct queueing_network network;
    struct arena *arena; /* owns all of it */
};

/* What it may say; ends with name NULL. */
extern const struct file_form network_file_forms[];

/* The network is checked. */
int network_file_load(const char *path, struct network_file *out, struct error *error);
void network_file_fini(struct network_file *file);

#endif
