/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two halves of the reader of loop nests share: expressions, names and
 * ranges (nest_reader.c), and what is made of them (nest_read.c). */
#ifndef BANDSCAPE_WORKLOAD_NEST_READER_H
#define BANDSCAPE_WORKLOAD_NEST_READER_H

#include "workload/language/nest.h"
#include "yaml/yaml.h"

struct reader {
    struct nest *nest;
    struct arena *arena;
    struct error *error;
    int depth;
    struct {
        const struct expression **items;
        size_t count, capacity;
    } expressions; /* all of them, to find parameters that nothing reads */
};

/* The keys of its forms (nest_forms). */
extern const struct file_key nest_keys[], nest_array_keys[], nest_kernel_keys[], nest_group_keys[],
    nest_body_keys[];

/* The node's text as an expression; `what` names it in messages. */
int reader_expression(struct reader *r, const struct yaml_node *node, const char *what,
                      const struct expression **out);

/* Refuses what cannot be a name in expressions. */
int reader_name(struct reader *r, const char *name, const struct mark *mark);

/* "name in a..b", or (only_count) "count", which is 0..count without a name. */
int reader_range(struct reader *r, const struct yaml_node *node, const char *what, bool only_count,
                 struct nest_range *out);

#endif
