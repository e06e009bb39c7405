/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header of an Accel-Sim kernel trace: `-key = value` lines. */
#ifndef BANDSCAPE_TRACE_ACCELSIM_HEADER_H
#define BANDSCAPE_TRACE_ACCELSIM_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"
#include "trace/input/line_reader.h"
#include "trace/stream.h"

struct accelsim_header {
    struct stream_kernel launch; /* checked; its name is readable */
    int version;                 /* of the tracer; 1.2 is 1, absent is 0 */
    bool lineinfo;
    bool placed;                      /* instruction lines begin with thread block and warp */
    uint32_t columns;                 /* of raw traces, behind these: see accelsim_raw.h */
    uint64_t shared_base, local_base; /* windows of generic addresses; 0: unknown */
};

/* Reads up to the first line that begins with #, which is the next one to be
 * read. Strings go to the arena (NULL: the name is left out). */
int accelsim_header_read(struct line_reader *lines, struct arena *arena,
                         struct accelsim_header *out, struct error *error);

#endif
