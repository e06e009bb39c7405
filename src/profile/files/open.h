/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens files that hold a profile: YAML, or the counters of a real GPU. */
#ifndef BANDSCAPE_PROFILE_FILES_OPEN_H
#define BANDSCAPE_PROFILE_FILES_OPEN_H

#include "profile/record/profile.h"

/* Reads a profile file (made by profile_write, or by hand with `point:`), or the
 * CSV of Nsight Compute with its LLC taken as memory-side (profile/files/ncu.h). Unknown
 * keys, absurd numbers, ratios outside [0,1] are errors, and so is a file of profile_write that was
 * cut; one that was changed since is a remark. */
int profile_load(const char *path, struct profile **out, struct error *error);

/* True when the file looks like a profile: a YAML map with the key "profile", or
 * the CSV of Nsight Compute. */
bool profile_detect(const char *path);

#endif
