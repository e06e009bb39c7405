/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads: one parallel loop over pthreads, and the flag that Ctrl-C sets. */
#ifndef BANDSCAPE_CORE_PARALLEL_H
#define BANDSCAPE_CORE_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

/* Cores this process may use. */
int parallel_cores(void);

/* Calls body(context, item, worker) for item = 0 .. count-1, each exactly once,
 * from `threads` workers (0 <= worker < threads). Items are handed out in
 * order; nothing may depend on which worker gets which. Returns when all have
 * ended. With one thread everything runs in the caller. */
typedef void parallel_body(void *context, uint64_t item, int worker);
void parallel_for(int threads, uint64_t count, parallel_body *body, void *context);

/* The same until a body returns false: items that have not begun by then are left out. */
typedef bool parallel_step(void *context, uint64_t item, int worker);
void parallel_while(int threads, uint64_t count, parallel_step *step, void *context);

/* For items that may fail: once Ctrl-C was met, those that have not begun do with
 * STATUS_INTERRUPTED. Returns the status of the first that failed in the order of items, whoever
 * met it, with its error and its number in *failed (NULL: not wanted). */
typedef int parallel_attempt(void *context, uint64_t item, struct error *error);
int parallel_try(int threads, uint64_t count, parallel_attempt *attempt, void *context,
                 uint64_t *failed, struct error *error);

/* Ctrl-C: the first sets a flag that long loops look at, several times a second, a second one
 * ends the program at once. What a loop has half done is then nobody's result: whoever called
 * it looks at the flag again. */
void interrupt_install(void);
bool interrupt_requested(void);
bool interrupt_ends(void);                /* it was a request to end: SIGTERM */
int interrupt_check(struct error *error); /* 0, or STATUS_INTERRUPTED */
void interrupt_request(void);             /* for tests */
void interrupt_clear(void);

#endif
