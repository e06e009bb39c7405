/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must be known of an NVBit trace before its accesses can be numbered: the
 * launches, their grids, and the warps of every CTA. One pass over the file, which
 * looks at the addresses of no line.
 *
 * mem_trace prints as warp the place that the warp takes in its SM (%warpid), so
 * the second CTA of an SM may have the warps 8 to 15. The warps of a CTA are
 * numbered from 0 in the order of their places. Where no LAUNCH line states grid
 * and block, the grid reaches to the largest CTA and the block has as many warps
 * as the CTA with the most. */
#ifndef BANDSCAPE_TRACE_NVBIT_SURVEY_H
#define BANDSCAPE_TRACE_NVBIT_SURVEY_H

#include <stdbool.h>

#include "core/error.h"
#include "core/key_table.h"
#include "core/memory.h"
#include "trace/input/line_reader.h"
#include "trace/readers/nvbit_line.h"

struct nvbit_kernel {
    uint64_t launch; /* number that its accesses carry */
    bool stated;     /* by a LAUNCH line */
    struct stream_kernel kernel;
    struct key_table slots; /* of each CTA: a bit for every place of a warp */
};

struct nvbit_kernels {
    struct nvbit_kernel *items; /* with accesses, in the order of the file and of their ids */
    size_t count, capacity;
};

/* Reads to the end of the file. `ahead`: of the numbers in LAUNCH lines to those of accesses
 * (trace/readers/nvbit_counting.h). Names and warnings go to the source. At least one kernel, or an
 * error. */
int nvbit_survey(struct line_reader *lines, uint64_t ahead, struct source *source,
                 struct nvbit_kernels *out, struct error *error);
void nvbit_kernels_fini(struct nvbit_kernels *kernels);

/* The CTA and warp of an access; false when the survey has not met it. */
bool nvbit_find_warp(const struct nvbit_kernel *kernel, const struct nvbit_line *line,
                     uint64_t *cta, uint32_t *warp);

#endif
