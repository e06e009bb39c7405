/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a machine has for an input to fill (profile/record/filling.h), as terms of its parameters:
 * a design space asks for them at every point that it writes. */
#ifndef BANDSCAPE_EXPLORE_FILLING_ROOM_H
#define BANDSCAPE_EXPLORE_FILLING_ROOM_H

#include "core/term.h"
#include "profile/record/filling.h"

struct filling_terms {
    int terms[FILLING_NUMBERS]; /* -1: unknown */
    const char *caches[FILLING_NUMBERS - FILLING_CACHES];
};

/* Adds them to the graph, with inputs that it may not have had: those who look at what models read
 * do so before. A machine that cannot be built, or does not say a number, leaves it unknown. */
void filling_terms_add(struct term_graph *graph, const struct machine *machine,
                       struct filling_terms *out);

/* The same of one machine, and where there is none. */
struct filling_room filling_room_of(const struct machine *machine);
struct filling_room filling_room_unknown(void);

#endif
