/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every model on every workload in the graph of a structure, with speed-ups over a baseline and,
 * where a sweep asks for them, factors of the models' own errors. */
#ifndef BANDSCAPE_EXPLORE_STRUCTURE_MODELS_H
#define BANDSCAPE_EXPLORE_STRUCTURE_MODELS_H

#include "explore/sweep/structure.h"

int structure_build_models(struct structure *structure, const struct sweep *sweep,
                           struct error *error);

/* Of one model and workload, for the design itself and for what its speed-up is measured against:
 * the place of its factor (structure.answers, trials_answers), and the name of the factor's input
 * (MODEL_ERROR), which multiplies bandwidths and divides times. */
size_t structure_error_place(const struct space *space, size_t workload, size_t model,
                             bool baseline);
size_t structure_errors(const struct space *space);
const char *structure_error_name(const struct sweep *sweep, size_t place, struct arena *arena);

#endif
