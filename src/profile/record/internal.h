/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files profile*.c share. */
#ifndef BANDSCAPE_PROFILE_INTERNAL_H
#define BANDSCAPE_PROFILE_INTERNAL_H

#include "profile/record/profile.h"

struct yaml_node; /* yaml/yaml.h */

/* The structural parameters of a machine as the key of a view. */
void profile_key_read(const struct machine *machine, struct arena *arena,
                      struct profile_view *view);

/* The first line of a profile file that the program wrote: then it has an end, YAML's mark of a
 * document's end and a seal. Whoever edits the file may delete any of the three. */
#define PROFILE_FILE_HEAD                                                                          \
    "# Made by bandscape. The file ends in three dots and a checksum: without them it was cut.\n"

/* Reads the file's tree into an empty profile. */
int profile_read(const struct yaml_node *root, struct profile *profile, struct error *error);

/* A view of which nothing is known, and without a key: it fits any machine. */
struct profile_view profile_view_unknown(void);

/* Adds a view whose parts live in the profile's arena; one of the same key is replaced. */
void profile_view_append(struct profile *profile, const struct profile_view *view);

/* Says whose profile it is; an error when it is another input's. */
int profile_provenance(struct profile *profile, const struct source *source,
                       const char *interleaving, struct error *error);

#endif
