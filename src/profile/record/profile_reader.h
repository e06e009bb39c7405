/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of profile files, in parts. Everything is checked: what a model takes from here it
 * takes as true. Errors stand at the node. */
#ifndef BANDSCAPE_PROFILE_PROFILE_READER_H
#define BANDSCAPE_PROFILE_PROFILE_READER_H

#include "profile/record/internal.h"
#include "yaml/yaml.h"

struct profile_reader {
    struct arena *arena; /* of the profile */
    struct error *error;
};

/* The keys of its forms (profile_forms). */
extern const struct file_key profile_keys[], profile_view_keys[], profile_sharing_keys[],
    profile_working_set_keys[], profile_record_keys[], profile_point_keys[],
    profile_allocation_keys[], profile_curve_keys[];

/* The text of a key; it stays as it is when there is no such key. */
int profile_reader_string(const struct profile_reader *r, const struct yaml_node *map,
                          const char *key, const char **out);
/* A number of bytes or of anything else, never negative; `what` stands in messages. */
int profile_reader_amount(const struct profile_reader *r, const struct yaml_node *node,
                          const char *what, struct dim dim, double *out);

/* A launch, or a group of them. */
int profile_reader_record(const struct profile_reader *r, const struct yaml_node *map,
                          struct profile_record *record);
/* One given by hand: scalars only. */
int profile_reader_point(const struct profile_reader *r, const struct yaml_node *map,
                         struct profile_record *record);

#endif
