/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles for the terminal: tables and JSON. */
#ifndef BANDSCAPE_CLI_PROFILE_REPORT_H
#define BANDSCAPE_CLI_PROFILE_REPORT_H

#include "profile/record/profile.h"
#include "report/json.h"

/* A table a view: a row a kernel. With a machine (NULL: none): hit rates of its LLC. */
void profile_report_table(const struct profile *profile, const struct machine *machine);

/* One object. */
void profile_report_json(struct json *json, const struct profile *profile,
                         const struct machine *machine);

#endif
