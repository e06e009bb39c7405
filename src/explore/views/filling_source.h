/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where an input comes from, for its warnings (profile/record/filling.h): what papers print of the
 * workload, and which of its inputs are larger by their purpose. */
#ifndef BANDSCAPE_EXPLORE_FILLING_SOURCE_H
#define BANDSCAPE_EXPLORE_FILLING_SOURCE_H

#include "profile/record/filling.h"
#include "workload/workload.h"

struct filling_source {
    struct arena *texts;
    struct workload_info known; /* of the workload, where it is one */
    const char *hint;           /* "use input=default or published-sac"; NULL: none is larger */
};

/* `spec`: what a user or a profile names (workload/open/spec.h); of a trace, of NULL and of what is
 * gone nothing is known. */
void filling_source_open(const char *spec, struct filling_source *out);
void filling_source_close(struct filling_source *source); /* all zero is legal */

/* The view beside the footprint that papers print: that of the paper whose machine it is, else (and
 * without a machine: NULL) the least of any. */
struct filling_input filling_source_input(const struct filling_source *source,
                                          const struct machine *machine,
                                          const struct profile_view *view);

#endif
