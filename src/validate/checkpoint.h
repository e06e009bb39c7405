/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints: published figures of a system, each beside ours and how ours is
 * obtained. A validation lists its checkpoints and needs no run function; every
 * one of them is a test as well. */
#ifndef BANDSCAPE_VALIDATE_CHECKPOINT_H
#define BANDSCAPE_VALIDATE_CHECKPOINT_H

#include "validate/validation.h"

enum checkpoint_how {
    CHECKPOINT_FORMULA,   /* an exact formula, as published */
    CHECKPOINT_FIT,       /* a law fitted to published data, this one among them or not */
    CHECKPOINT_CONSTANT,  /* the published figure is ours: the row says that it is used, no more */
    CHECKPOINT_EXAMPLE,   /* the paper's own example, gone through by the profiler: it is exact */
    CHECKPOINT_PREDICTION /* a model's answer, or counted in a profile of a workload */
};

struct checkpoint {
    const char *what;  /* "storage of the request directory, lines of 4 sectors" */
    const char *where; /* "section 3.4"; NULL: the reference of the validation says it all */
    double published;
    const char *unit; /* of both figures, as published: "B", "TB/s"; "" for plain numbers */
    double tolerance; /* of the relative error; 0: equal but for rounding of the last bits */
    enum checkpoint_how how;
    /* Ours, in `unit`. */
    int (*compute)(const struct checkpoint *checkpoint, double *ours, struct error *error);
    double arguments[6]; /* for `compute` */
};

/* checkpoint, where, published, ours, unit, error, tolerance, holds, how */
extern const struct validation_column checkpoint_columns[];
enum checkpoint_column {
    CHECKPOINT_COLUMN_WHAT,
    CHECKPOINT_COLUMN_WHERE,
    CHECKPOINT_COLUMN_PUBLISHED,
    CHECKPOINT_COLUMN_OURS,
    CHECKPOINT_COLUMN_UNIT,
    CHECKPOINT_COLUMN_ERROR,
    CHECKPOINT_COLUMN_TOLERANCE,
    CHECKPOINT_COLUMN_HOLDS,
    CHECKPOINT_COLUMN_HOW
};

/* "exact formula", "fitted law", "published constant", "worked example", "prediction"; back again,
 * anything else as a prediction. */
const char *checkpoint_how_name(enum checkpoint_how how);
enum checkpoint_how checkpoint_how_scan(const char *name);

/* |ours - published| / |published|; where 0 is published, the difference. */
double checkpoint_error(const struct checkpoint *checkpoint, double ours);
bool checkpoint_holds(const struct checkpoint *checkpoint, double ours);

/* For `compute`: "total.<name>" or "cost.<name>" of a machine, in SI; the same of a shipped one. */
int checkpoint_value(const struct machine *machine, const char *name, double *out,
                     struct error *error);
int checkpoint_machine_value(const char *machine, const char *name, double *out,
                             struct error *error);

/* A row for each; the list ends with what NULL. Rows are of checkpoint_columns. */
int checkpoints_add(const struct checkpoint *list, struct validation_rows *rows,
                    struct error *error);

/* Fills the rows of a validation: its checkpoints, then what its run function adds. */
int validation_run(const struct validation *validation, const struct validation_request *request,
                   struct validation_rows *rows, struct error *error);

#endif
