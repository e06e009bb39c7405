/* SPDX-License-Identifier: GPL-3.0-or-later */
/* app_config.py, in which PPT-GPU's tracer states the kernels of a program:
 *
 *     kernel_1 = {
 *         "kernel_name"      : "vecadd",
 *         "num_registers"    : 12,
 *         "shared_mem_bytes" : 0,
 *         "grid_size"        : 196,
 *         "block_size"       : 256,
 *         "cuda_stream_id"   : 0
 *     }
 *     app_kernels_id = [1] */
#ifndef BANDSCAPE_TRACE_PPT_CONFIG_H
#define BANDSCAPE_TRACE_PPT_CONFIG_H

#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"
#include "trace/input/line_reader.h"
#include "trace/stream.h"

struct ppt_kernel {
    uint32_t id; /* of its files */
    struct stream_kernel launch;
};

struct ppt_kernels {
    struct ppt_kernel *items;
    size_t count, capacity;
};

/* Reads to the end of the file; at least one kernel, or an error. Names go to the arena. */
int ppt_config_read(struct line_reader *lines, struct arena *arena, struct ppt_kernels *out,
                    struct error *error);

#endif
