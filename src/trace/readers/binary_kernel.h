/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One kernel of the binary form. */
#ifndef BANDSCAPE_TRACE_BINARY_KERNEL_H
#define BANDSCAPE_TRACE_BINARY_KERNEL_H

#include "trace/readers/binary_blocks.h"
#include "trace/spool/spool.h"
#include "trace/stream.h"

/* What a kernel block says; the launch is not derived yet where it is open. */
struct binary_kernel {
    const char *name; /* in the payload, not NUL-terminated */
    size_t name_length;
    bool has_grid, has_block;
};

/* Decodes the current block, which is one of kind BINARY_KERNEL. Fills *out but
 * for its name and warp_state_size. */
int binary_kernel_head(const struct binary_blocks *blocks, struct binary_kernel *kernel,
                       struct stream_kernel *out, struct error *error);

/* Decodes the current block, of kind BINARY_ACCESSES, into the spool. */
int binary_kernel_accesses(const struct binary_blocks *blocks, const struct binary_kernel *kernel,
                           struct spool *spool, struct stream_kernel *out, struct error *error);

#endif
