/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The body of an Accel-Sim kernel trace, grouped by thread block and warp (.traceg)
 * or raw (.trace), whatever the file is called. */
#ifndef BANDSCAPE_TRACE_ACCELSIM_BODY_H
#define BANDSCAPE_TRACE_ACCELSIM_BODY_H

#include "trace/readers/accelsim_header.h"
#include "trace/input/line_reader.h"
#include "trace/spool/spool.h"

/* Reads to the end of the file into the spool. `kernel` has grid, block and
 * what follows from them; `dropped` is filled. */
int accelsim_body_read(struct line_reader *lines, const struct accelsim_header *header,
                       struct spool *spool, struct stream_kernel *kernel, struct error *error);

#endif
