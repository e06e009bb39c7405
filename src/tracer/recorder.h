/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the entry points of the tracer call. */
#ifndef BANDSCAPE_TRACER_RECORDER_H
#define BANDSCAPE_TRACER_RECORDER_H

#include <stddef.h>

/* A load, store or atomic of the calling thread (enum access_kind, enum
 * access_flag of trace/stream.h); `place` says which instruction it is. */
void recorder_access(const void *address, unsigned bytes, unsigned kind, unsigned flags,
                     const void *place);

/* Any number of bytes. */
void recorder_range(const void *address, size_t bytes, unsigned kind, const void *place);
void recorder_copy(const void *to, const void *from, size_t bytes);

/* Ends the current kernel and begins another; NULL begins none. */
void recorder_kernel(const char *name);

/* Defined beside bandscape_trace_kernel, so that it is linked, and its address
 * is not NULL, in programs that mark kernels and only there. */
extern const char recorder_kernels_are_marked __attribute__((weak));

#endif
