/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a profile knows beyond the figures of its first table: sharing of pages,
 * working sets, L1s and levels, samplers and windows beside the exact run. Only
 * what is known is shown. */
#ifndef BANDSCAPE_CLI_PROFILE_DETAILS_H
#define BANDSCAPE_CLI_PROFILE_DETAILS_H

#include "profile/record/llc_hit.h"
#include "profile/record/profile.h"
#include "report/json.h"

/* "low sharing" where more than 80 % of the pages are touched by one SM (NUBA), else "high
 * sharing"; NULL: unknown. */
const char *profile_sharing_class(const struct profile_sharing *sharing);

/* Numbers of SMs, as in pages_by_sms. */
extern const char *const profile_sms_names[4];

/* Of the view: pages, working sets, parts. */
void profile_details_view(const struct profile_view *view, struct text *text);
/* Of its kernels: a table a subject. */
void profile_details_kernels(const struct profile_view *view, const struct machine *machine,
                             struct text *text);

/* Members of the open object of the sharing, of the view and of a record. */
void profile_details_json_sharing(struct json *json, const struct profile_sharing *sharing);
void profile_details_json_view(struct json *json, const struct profile_view *view);
void profile_details_json_record(struct json *json, const struct profile_record *record,
                                 const struct machine *machine);

#endif
