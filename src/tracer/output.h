/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that a traced program writes: blocks of the binary form, appended
 * one by one by any thread. */
#ifndef BANDSCAPE_TRACER_OUTPUT_H
#define BANDSCAPE_TRACER_OUTPUT_H

#include <stdbool.h>

#include "trace/writers/binary_encode.h"

/* Creates the file that BANDSCAPE_TRACE_FILE names. What fails, here and later,
 * is said on stderr, and closes the output. */
void output_open(void);
bool output_is_open(void);
const char *output_path(void);

/* Completes a block and appends it; does nothing when the output is closed. */
void output_block(struct binary_block *block);

/* False when the file is not complete. */
bool output_close(void);

/* In the child of a fork: forgets about the file, and who held its lock. */
void output_forked(void);

#endif
