/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files system*.c share: reading parameters until one fails. */
#ifndef BANDSCAPE_MACHINE_SYSTEM_INTERNAL_H
#define BANDSCAPE_MACHINE_SYSTEM_INTERNAL_H

#include "machine/system.h"

struct system_reader {
    const struct machine *machine;
    struct system *out;
    struct error *error;
    int status; /* the first error; from then on nothing is read */
};

/* In SI; 0 after an error, which an unknown value is. */
double system_number(struct system_reader *r, const char *path);
double system_number_or(const struct system_reader *r, const char *path, double fallback);
uint32_t system_count(struct system_reader *r, const char *path);
/* "" after an error, and where it is unknown. */
const char *system_name(struct system_reader *r, const char *path);
bool system_is(struct system_reader *r, const char *path, const char *name);
/* Bytes below 2^62; `unknown`: not to be an error, but 0. */
uint64_t system_bytes(struct system_reader *r, const char *path, bool unknown);
/* "SECTION.FIELD" */
struct system_path {
    char text[128];
};
struct system_path system_path(const char *section, const char *field);

/* Refuses clusters (sm.clusters) that the SMs of a chip do not form, for a cache of that name. */
void system_check_clusters(struct system_reader *r, const char *name);

void system_read_stream(struct system_reader *r);
void system_add_stations(struct system_reader *r);

#endif
