/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiling for a space. */
#ifndef BANDSCAPE_CLI_PROFILE_SPACE_H
#define BANDSCAPE_CLI_PROFILE_SPACE_H

#include "profile/record/profile.h"
#include "profile/run/profiler.h"

/* Makes the views that a sweep of the space needs, with the options' parts and sample
 * rate, and keeps them in the cache. Finished ones survive an interrupt. `strict`: warnings of
 * its workloads are an error. */
int profile_space(const char *name, const struct profile_options *options, bool strict,
                  struct error *error);

#endif
