/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the arrays of a workload lie, as cudaMalloc places them on NVIDIA's
 * driver: in the order of allocation, each at a multiple of 256 B; an array of
 * 1 MiB or more begins a 2 MiB page of its own. So small arrays may share a
 * page, as they do on the machine, and large ones never do. */
#ifndef BANDSCAPE_WORKLOAD_LAYOUT_H
#define BANDSCAPE_WORKLOAD_LAYOUT_H

#include <stdint.h>

#include "trace/stream.h"

/* Part of every workload's content hash: changes when the rule does. */
#define LAYOUT_VERSION "layout 1"

/* Adds the next allocation to the source (whose arena must exist) and returns
 * its address; 0 when the arrays leave the 47-bit address space. The name must
 * live as long as the source. */
uint64_t layout_place(struct source *source, const char *name, uint64_t bytes);

#endif
