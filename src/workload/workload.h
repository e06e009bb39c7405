/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads: kernels as address streams. Regular kernels are loop nests read
 * from YAML (spaces/workloads/NAME.yaml, or any path); irregular ones are
 * plug-ins of kind "workload" in C that run the real algorithm over real data. */
#ifndef BANDSCAPE_WORKLOAD_WORKLOAD_H
#define BANDSCAPE_WORKLOAD_WORKLOAD_H

#include "core/plugin.h"
#include "trace/stream.h"
#include "workload/published.h"
#include "workload/scale.h"

/* One parameter of a workload, its value given by `name=value`. */
struct workload_parameter {
    const char *name, *fallback, *help;
};

/* An input by name: parameter settings "ni=64,nj=64". */
struct workload_input {
    const char *name, *settings;
};

/* A C workload. `values[i]` is the text for parameters[i]. */
struct workload {
    struct plugin plugin;
    const char *suite;
    const char *page; /* a few lines: algorithm, what was chosen where papers are silent */
    const struct workload_parameter *parameters; /* ends with name NULL */
    const struct workload_input *inputs;         /* ends with name NULL; "small" must exist */
    const struct workload_scale *scale;          /* what size=x2 changes; parameter NULL ends */
    int (*open)(const struct workload *workload, const char *const *values, struct source **out,
                struct error *error);
};

/* What `bandscape list workloads` shows. Strings live in `arena`. */
struct workload_info {
    bool in_c; /* else a loop nest */
    const char *name, *suite, *summary, *page;
    const struct workload_parameter *parameters; /* ends with name NULL */
    const struct workload_input *inputs;         /* ends with name NULL */
    const struct workload_scale *scale;          /* ends with parameter NULL; NULL: none */
    const struct workload_published *published;  /* ends with name NULL; NULL: none */
};

/* Opens what a user names (workload/open/spec.h): `NAME[:key=value[,key=value...]]` with NAME a
 * shipped workload, a path to a .yaml loop nest, or a trace (then no keys).
 * The key `input` chooses a named input first ("gemm:input=small,nk=128"); `size` scales
 * what was chosen ("gemm:input=small,size=x4"). */
int source_open(const char *spec, struct source **out, struct error *error);

/* All shipped workloads, sorted by name. */
int workload_list(struct arena *arena, struct workload_info **out, size_t *count,
                  struct error *error);

/* What is known of one, shipped or a loop nest of one's own (workload/open/spec.h); of files there is
 * nothing to know: STATUS_INPUT. */
struct workload_spec;
int workload_describe(struct arena *arena, const struct workload_spec *spec,
                      struct workload_info *out, struct error *error);

/* The place of that name in the list, or an error with "did you mean". */
int workload_find(const struct workload_info *list, size_t count, const char *name, size_t *out,
                  struct error *error);

#endif
