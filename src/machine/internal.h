/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What machine.c, machine_file.c and parameter.c share. */
#ifndef BANDSCAPE_MACHINE_INTERNAL_H
#define BANDSCAPE_MACHINE_INTERNAL_H

#include "machine/machine.h"

/* A machine with the sections that every machine has, at their defaults. */
struct machine *machine_create(void);
struct machine_section *machine_section_find(const struct machine *machine, const char *name);
/* Pointers to sections from before the call become invalid. */
struct machine_section *machine_section_add(struct machine *machine, const char *name,
                                            const struct parameter_schema *schema);

/* The parameter that the row's argument sets, if the text is such a NAME:VALUE. */
bool parameter_argument(const struct parameter *parameter, const char *text, struct parameter *out);

#endif
