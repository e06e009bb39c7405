/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which launch the LAUNCH lines of an NVBit trace mean.
 *
 * mem_trace counts launches from 0, and every access carries the number of its launch. NVBit
 * 1.7 prints that number in the LAUNCH line too; up to 1.5 the tool counts first and prints
 * then, so that LAUNCH 1 is followed by the accesses of launch 0. In both, a LAUNCH line
 * stands before the accesses of its launch, perhaps long before.
 *
 * Numbers and order tell which it is, not the version in the banner, which forks of mem_trace and
 * cut files do not have. */
#ifndef BANDSCAPE_TRACE_NVBIT_COUNTING_H
#define BANDSCAPE_TRACE_NVBIT_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "trace/input/line_reader.h"

struct nvbit_counting {
    uint64_t ahead; /* of a LAUNCH line's number to that of its accesses: 0 or 1 */
    bool doubtful;  /* the file fits both: this is what is more likely */
    uint64_t first; /* number in the first LAUNCH line, if it is doubtful */
};

/* Reads lines until it is clear; most often up to the first LAUNCH line or access. Lines
 * that are damaged are for the survey to report. */
int nvbit_find_counting(struct line_reader *lines, struct nvbit_counting *out, struct error *error);

#endif
