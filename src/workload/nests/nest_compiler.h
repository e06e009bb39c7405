/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the loop-nest compiler share: names in scope and the forms
 * built so far (nest_expression.c), the operations (nest_compile.c), and what of
 * their forms can be worked out ahead (nest_lower.c). */
#ifndef BANDSCAPE_WORKLOAD_NEST_COMPILER_H
#define BANDSCAPE_WORKLOAD_NEST_COMPILER_H

#include "core/hash.h"
#include "workload/nests/nest_program.h"

struct compiler {
    const struct nest_instance *instance;
    const struct nest_values *values; /* parameters and indices of repetitions */
    struct program *program;
    struct form_builder forms;
    struct {
        struct op *items;
        size_t count, capacity;
    } ops;
    struct {
        struct compiler_name {
            const char *name;
            const struct form *value;
        } * items;
        size_t count, capacity;
    } scope;         /* let names and loop indices */
    uint64_t before; /* instructions to be put on the next operation, */
    bool used;       /* and whether what was loaded is used before it */
    bool deferred;   /* in a body that is unrolled: compute uses it at the end of a group */
    uint32_t n_counters, frames;
    int dead; /* inside a body that no lane reaches: only names are checked */
    struct error *error;
};

/* The program depends on a value that the next launch may not have. */
static inline void compile_note_launch(struct compiler *c, int64_t value)
{
    c->program->per_launch = true;
    c->program->launch_values = hash_fmix64(c->program->launch_values + 1) ^ (uint64_t)value;
}

int compile_expression(struct compiler *c, const struct expression *e, const struct form **out);
int compile_condition(struct compiler *c, const struct expression *e, const struct condition **out);

/* A let name or a loop index; it must not hide another. */
int compile_declare(struct compiler *c, const char *name, const struct mark *mark,
                    const struct form *value);

/* An error at the mark when a form has left the 64-bit range since the last
 * call; nothing in a body that no lane reaches. */
int compile_settle(struct compiler *c, const struct mark *mark);

/* The last step: forms, atoms and conditions of the operations as they are run. */
void lower_program(struct compiler *c, struct op *ops, size_t count);

#endif
