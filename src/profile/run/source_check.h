/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening what is to be profiled, simulated or counted: the one place where a trace is asked
 * whether it is whole. It is asked when it is opened, so that every command says it before any work
 * and for cached views too; profiles keep the answer, since they outlive their traces. */
#ifndef BANDSCAPE_PROFILE_SOURCE_CHECK_H
#define BANDSCAPE_PROFILE_SOURCE_CHECK_H

#include "trace/stream.h"

/* As source_open (workload/workload.h). Thread blocks that a trace lacks become warnings of
 * the source; the pass that finds them is made once for each trace, and its result kept in
 * the cache of views. */
int source_open_checked(const char *spec, struct source **out, struct error *error);

/* What --strict asks for: an error if there is a warning. `name`: of the workload. */
int source_refuse_warnings(const char *name, const char *const *warnings, size_t count,
                           struct error *error);

#endif
