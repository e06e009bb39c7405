/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The body of a raw Accel-Sim trace (.trace), as the tracer writes it before
 * Accel-Sim's post-processing groups it: the lines of all warps mixed, each
 * beginning with its thread block and warp. There is an order inside a warp and
 * none between warps, because lines stand as the host happened to receive them.
 *
 * Between the warp and the program counter there may be further columns: SM and
 * warp of the SM when captured with core tracing (then every thread block has a
 * recorded SM), or the cluster on Hopper. The header does not say so. The first
 * line does: its first field with a capital letter is the first destination
 * register, or the opcode when there is none, and exactly the program counter, the
 * mask and the number of registers stand before that (the tracer writes
 * hexadecimal numbers in small letters). Every later line must agree. */
#ifndef BANDSCAPE_TRACE_ACCELSIM_RAW_H
#define BANDSCAPE_TRACE_ACCELSIM_RAW_H

#include "trace/readers/accelsim_access.h"

/* Reads to the end of the file. The decoder's kernel has grid, block and what
 * follows from them; recorded_sm and dropped are filled. */
int accelsim_raw_read(struct accelsim_decoder *decoder, struct error *error);

#endif
