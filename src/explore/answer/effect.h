/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a setting has an effect on what is asked, of whatif, of simulate, and of a sweep by its
 * settings and axes. One that has none is an error: the answer would silently be about another
 * machine than the user thinks. */
#ifndef BANDSCAPE_EXPLORE_EFFECT_H
#define BANDSCAPE_EXPLORE_EFFECT_H

#include <stdbool.h>

#include "machine/machine.h"
#include "model/model.h"

struct space; /* explore/space/space.h */

/* Whether a term of the answers reads the parameter. */
typedef bool effect_reads_fn(const void *context, const char *path);

/* What is asked. */
struct effect {
    const struct machine *machine;
    const struct space *space;         /* whose axes vary the machine; NULL: it stays as it is */
    const struct model *const *models; /* that answer, or whose choices a simulation follows */
    size_t n_models;
    bool simulation;        /* the machine itself is asked, request by request */
    bool profiled;          /* a workload is profiled for the machine, not given as numbers */
    effect_reads_fn *reads; /* NULL: the models have no terms yet (a simulation) */
    const void *context;
};

/* A parameter acts when a term reads it, when another profile or other terms are made for it, or
 * when it is of the machine and that is simulated. What an organisation sets never does. A path
 * that there is not acts: it is an error of its own. */
bool effect_acts(const struct effect *asked, const char *path);

/* Sets the error that a path has no effect; returns STATUS_INPUT. `what` ("axis sizes"): whose path
 * it is, NULL: the path's own name; `on` ("workload gemm"): NULL: on all that is asked. */
int effect_refuse(const struct effect *asked, const char *path, const char *what, const char *on,
                  struct error *error);

/* effect_refuse unless it acts; the error of a path that there is not. */
int effect_require(const struct effect *asked, const char *path, struct error *error);

#endif
