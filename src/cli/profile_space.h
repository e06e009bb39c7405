/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiling for a space. */
#ifndef BANDSCAPE_CLI_PROFILE_SPACE_H
#define BANDSCAPE_CLI_PROFILE_SPACE_H

#include "core/error.h"

/* Makes the views that a sweep of the space needs, with those parts (a set of enum
 * profile_part), and keeps them in the cache. Finished ones survive an interrupt. */
int profile_space(const char *name, unsigned parts, struct error *error);

#endif
