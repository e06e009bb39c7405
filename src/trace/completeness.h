/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a trace holds all thread blocks of its launches. Tracers lose some when a buffer
 * overflows or a limit is reached, and copies of files are cut: what is there looks like a
 * smaller run. */
#ifndef BANDSCAPE_TRACE_COMPLETENESS_H
#define BANDSCAPE_TRACE_COMPLETENESS_H

#include "trace/stream.h"

/* Appends a line for each of the first kernels that lack thread blocks, and one for all others:
 * "kernel 2, f: the trace has 5 of 8 thread blocks". Nothing when all are there. One pass over
 * the source, which decodes every kernel. */
int completeness_find(const struct source *source, struct text *out, struct error *error);

#endif
