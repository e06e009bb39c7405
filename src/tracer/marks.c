/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of kernels: linked only into programs that have them. */
#define BANDSCAPE_TRACE
#include "bandscape_trace.h"

#include "recorder.h"

const char recorder_kernels_are_marked = 1;

void bandscape_trace_kernel(const char *name)
{
    recorder_kernel(name ? name : "");
}

void bandscape_trace_end(void)
{
    recorder_kernel(NULL);
}
