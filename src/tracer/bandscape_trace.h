/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces of real programs that run on a CPU (C or C++, with threads or OpenMP):
 *
 *     gcc -O2 -g -fopenmp $(bandscape trace flags) -c program.c
 *     gcc -fopenmp program.o $(bandscape trace flags --link) -o program
 *     ./program                              writes program.bstream
 *     bandscape trace info program.bstream
 *
 * The compiler calls a function at every load and store (-fsanitize=thread; the
 * link line must not say it, or gcc adds its own run-time library). Everything
 * compiled so is traced; libraries are not, but for memcpy, memmove and memset
 * called by traced code.
 *
 * How this becomes a trace of a GPU:
 *
 *  CTA     What one thread does is one CTA of one warp; OpenMP's thread i is
 *          CTA i, other threads get the next free numbers. OMP_NUM_THREADS=256
 *          gives 256 CTAs on any machine. bandscape_trace_cta(i) instead gives
 *          what the calling thread does from there on to CTA i, for programs
 *          whose loop over blocks is what a GPU would run as a grid.
 *  Warp    Up to 32 consecutive executions of the same load or store by one
 *          thread, at addresses with a constant stride, are the lanes of one
 *          warp access, as if a lane ran an iteration of the loop. An access
 *          waits for its lanes for at most 2048 later accesses of the thread.
 *          BANDSCAPE_TRACE_MERGE=0 makes every load and store a warp access of
 *          one lane, in program order. The counts of lanes are the same.
 *  Kernel  bandscape_trace_kernel("name") begins a kernel, which lasts until
 *          the next or until bandscape_trace_end(). In a program that marks
 *          kernels only what is in them is traced; in others all that runs is
 *          one kernel. Marks belong outside of parallel regions.
 *  Order   Kept inside a thread only. Atomics are atomics (loads and stores of
 *          atomics bypass L1); instructions are not counted.
 *  Arrays  bandscape_trace_array("name", pointer, bytes) names memory; the name
 *          given last stays.
 *
 * `trace flags` turns vectorisation off, so that lanes are loop iterations.
 * Without -O2 each local variable is traced as memory. Block copies and fills
 * are traced in lanes of 16 bytes.
 *
 * Environment:
 *   BANDSCAPE_TRACE_FILE   where to write, default: program name.bstream
 *   BANDSCAPE_TRACE_LIMIT  at most so many loads and stores; what comes then is
 *                          counted and left out. Default: no limit
 *   BANDSCAPE_TRACE_MERGE  0: see above
 *
 * The file is complete when the program returns from main or calls exit(). One
 * that is killed, or calls _exit or exec, leaves a file without its end record,
 * which is refused as cut off. Threads may still run then; what they do from there
 * on is not recorded. A forked child is not traced. Addresses differ from run to
 * run unless it is started under `setarch -R`, or linked with -no-pie as far as
 * static arrays go; the files of two such runs hold the same trace, their blocks in
 * another order.
 *
 * In code that is compiled without `bandscape trace flags` the calls below
 * compile to nothing. */
#ifndef BANDSCAPE_TRACE_H
#define BANDSCAPE_TRACE_H

#ifdef BANDSCAPE_TRACE

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void bandscape_trace_kernel(const char *name);
void bandscape_trace_end(void);
void bandscape_trace_cta(unsigned long cta);
void bandscape_trace_array(const char *name, const void *base, size_t bytes);

#ifdef __cplusplus
}
#endif

#else

#define bandscape_trace_kernel(name) ((void)(name))
#define bandscape_trace_end() ((void)0)
#define bandscape_trace_cta(cta) ((void)(cta))
#define bandscape_trace_array(name, base, bytes) ((void)(name), (void)(base), (void)(bytes))

#endif

#endif
