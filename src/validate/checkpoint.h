/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints: published figures of a system, each beside ours and how ours is obtained. They are
 * data (validate/published.h); here is what a row of them says. */
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
    double tolerance; /* of the relative error; NaN: it is not judged */
    enum checkpoint_how how;
};

/* checkpoint, where, published, ours, unit, error, tolerance, holds, direction ("wrong" or
 * nothing), how */
extern const struct sheet_column checkpoint_columns[];
enum checkpoint_column {
    CHECKPOINT_COLUMN_WHAT,
    CHECKPOINT_COLUMN_WHERE,
    CHECKPOINT_COLUMN_PUBLISHED,
    CHECKPOINT_COLUMN_OURS,
    CHECKPOINT_COLUMN_UNIT,
    CHECKPOINT_COLUMN_ERROR,
    CHECKPOINT_COLUMN_TOLERANCE,
    CHECKPOINT_COLUMN_HOLDS,
    CHECKPOINT_COLUMN_DIRECTION,
    CHECKPOINT_COLUMN_HOW
};

/* "exact formula", "fitted law", "published constant", "worked example", "prediction"; back again,
 * anything else as a prediction. */
const char *checkpoint_how_name(enum checkpoint_how how);
enum checkpoint_how checkpoint_how_scan(const char *name);

/* (ours - published) / |published|; where 0 is published, the difference. */
double checkpoint_error(double published, double ours);
/* `tolerance`: of that error; 0: equal but for rounding of the last bits. */
bool checkpoint_holds(double published, double tolerance, double ours);
/* Whether a predicted ratio (unit "x") is on the other side of 1: a gain that is a loss. */
bool checkpoint_turns(const struct checkpoint *checkpoint, double ours);

/* Whether a published figure or label of `where` (NULL: its file's reference) is among the places
 * that are asked for. */
bool checkpoint_is_asked(const char *const *places, const char *where);
/* Whether a figure's name has one of `parts` in it; NULL: any has. */
bool checkpoint_is_named(const char *const *parts, const char *what);

/* A row with ours, in the checkpoint's unit. */
void checkpoint_add(const struct checkpoint *checkpoint, double ours, struct sheet *rows);

/* "total.<name>", "cost.<name>" or a parameter of a machine, in SI. */
int checkpoint_quantity(const struct machine *machine, const char *name, struct quantity *out,
                        struct error *error);
/* Its number alone. */
int checkpoint_value(const struct machine *machine, const char *name, double *out,
                     struct error *error);

#endif
