/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop nest under given parameters, and the order of its kernel launches. */
#ifndef BANDSCAPE_WORKLOAD_NEST_LAUNCH_H
#define BANDSCAPE_WORKLOAD_NEST_LAUNCH_H

#include "workload/nests/nest_program.h"
#include "workload/settings.h"

/* Gives every parameter its value: a setting, else the chosen input's, else
 * the file's. `input` is a setting too. The instance's memory is released with
 * VECTOR_FREE(&parameters); `arrays` is set by nest_bind_arrays. */
int nest_bind_parameters(const struct nest *nest, const struct settings *settings,
                         struct nest_instance *out, struct error *error);

/* "n=64,m=2": the parameters that differ from what the file gives, in its
 * order, so that equal streams have equal specs. */
void nest_print_parameters(const struct nest_instance *instance, struct text *out);

/* Works out the tables, and sizes and places the arrays: they become the
 * allocations of the source, whose arena owns all of it. */
int nest_bind_arrays(struct nest_instance *instance, struct source *source, struct error *error);

/* Where a pass stands: the launches come one by one. */
struct launch_cursor {
    const struct nest_instance *instance;
    struct nest_values values; /* parameters and indices of repetitions */
    uint64_t *bases;           /* where each array is now */
    int depth;
    struct launch_level {
        const struct nest_kernel *items;
        size_t count, at;
        size_t names; /* values known outside item `at` */
        int64_t iteration, end;
        bool inside, launched; /* in a repetition of item `at`; its kernel has been given out */
    } levels[NEST_DEPTH + 1];
};

void launch_begin(struct launch_cursor *cursor, const struct nest_instance *instance);
void launch_end(struct launch_cursor *cursor);

/* The next kernel to launch, with cursor->values and bases for it: 1, 0 at the
 * end, or a negative status. */
int launch_next(struct launch_cursor *cursor, const struct nest_kernel **out, struct error *error);

#endif
