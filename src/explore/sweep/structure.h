/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One structure of a sweep: the machine with its structural axes fixed, every
 * model on every workload in one term graph, and where the free axes enter. */
#ifndef BANDSCAPE_EXPLORE_STRUCTURE_H
#define BANDSCAPE_EXPLORE_STRUCTURE_H

#include "explore/answer/filling_room.h"
#include "explore/sweep/plan.h"

struct structure {
    struct arena *arena;
    struct machine *machine;
    struct term_graph *graph;
    const struct sweep_part *part;
    uint64_t first_id;            /* of its points: digits of structural axes applied */
    size_t *digits;               /* by axis; of structural ones only */
    size_t size;                  /* of the workloads: sweep_subject */
    struct model_result *results; /* [workload * n_models + model] */
    int *columns;                 /* term by column; -1: text */
    int *answers; /* that models' own errors are of: structure_error_place; -1: no error */
    int rank;
    int *objectives, *wheres;
    struct filling_terms room;     /* after structure_add_room */
    struct filling_input *filling; /* by workload; view NULL: it was not found */
};

/* The machine of structure `index` of a part, before any profile is needed.
 * STATUS_INFEASIBLE: it cannot be built; error says why. */
int structure_machine(const struct space *space, const struct sweep_part *part, size_t index,
                      size_t *digits, struct machine **out, struct error *error);

int structure_build(const struct sweep *sweep, const struct sweep_part *part, size_t index,
                    struct structure **out, struct error *error);
void structure_destroy(struct structure *structure);

/* What its points are asked for their warnings: its workloads' views, which are looked up once, and
 * terms of what the machine has. For structures whose rows are written: scans need none of it. */
void structure_add_room(const struct sweep *sweep, struct structure *structure);

/* A structure before anything is profiled, to check names and units: in place of each metric that a
 * model may have stands a number of its unit. What a profile lacks shows only when it is there. */
int structure_sketch(const struct sweep *sweep, const struct sweep_part *part, size_t index,
                     struct structure **out, struct error *error);

/* The axis that gives an input of the graph its value, and the assignment in its
 * values; false: the input is constant in this structure. */
bool structure_input_axis(const struct sweep *sweep, const struct structure *structure, int input,
                          size_t *axis, size_t *assignment);

/* Marks read[axis * n_workloads + w] for every axis that workload w's metrics depend on. */
void structure_mark_reads(const struct sweep *sweep, const struct structure *structure, bool *read);

/* Columns by name, kind and unit, from one built structure. */
void structure_columns(const struct sweep *sweep, const struct structure *structure,
                       struct sweep_column **out, size_t *count);

#endif
