/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop nest as a source of warp accesses. */
#ifndef BANDSCAPE_WORKLOAD_NEST_SOURCE_H
#define BANDSCAPE_WORKLOAD_NEST_SOURCE_H

#include "workload/language/nest.h"
#include "workload/settings.h"

/* Binds the parameters and checks every launch. `spec_name` is how the nest
 * was named ("gemm", "my/nest.yaml"). Takes the nest over, also on errors. */
int nest_source_open(struct nest *nest, const char *spec_name, const struct settings *settings,
                     struct source **out, struct error *error);

#endif
