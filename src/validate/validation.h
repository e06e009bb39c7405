/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Validations: ours beside what it stands for (exact against estimated, published
 * against predicted), a row each, with the error. A validation is one file
 * `<name>.validation.c` that ends in its descriptor, or the published figures of a
 * system, which are data (validate/published.h); `bandscape validate <name>` prints its
 * rows as tables, CSV or JSON without knowing what they are about. */
#ifndef BANDSCAPE_VALIDATE_VALIDATION_H
#define BANDSCAPE_VALIDATE_VALIDATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plugin.h"
#include "core/sheet.h"
#include "machine/machine.h"

/* Columns as a list, for an enum of their places and for the columns:
 * X(symbol, key, title, unit, group, kind, worst, summary). */
#define VALIDATION_PLACE(symbol, key, title, unit, group, kind, worst, summary) symbol,
#define VALIDATION_COLUMN(symbol, key, title, unit, group, kind, worst, summary)                   \
    {key, title, unit, SHEET_##kind, group, SHEET_##worst, summary},

struct answers;
struct simulations; /* explore/answer/simulations.h */
struct published;   /* validate/published.h */
struct yaml_node;

/* A parameter of all machines that a figure or label is about, named ones as well, before what a
 * named one sets for itself. */
struct validation_setting {
    const char *path;
    const struct yaml_node *value; /* a scalar */
};

/* What the user asked for. */
struct validation_request {
    const struct machine *machine; /* with the user's settings */
    const char *input;             /* of the shipped workloads: "default", ... */
    const char **workloads;        /* as the user wrote them; none: all shipped ones */
    size_t n_workloads;
    const char *data;                       /* a folder of measurements; NULL: what is shipped */
    const struct published *const *systems; /* counted, and NULL; NULL: all */
    const char *const *where;   /* published figures and labels of these places alone; NULL: all */
    const char *const *figures; /* published figures and labels with one of these in their names
                                 * alone, and NULL; NULL: all */
    const struct validation_setting *varied; /* of labels; NULL: nothing is */
    bool all;                                /* what takes long as well */
    bool strict;                             /* warnings of workloads are errors */
    int threads;
    struct answers *answers; /* of the run so far, for figures and labels (validate/answers.h);
                                NULL: none are kept */
    uint64_t requests;       /* of runs that are simulated: validate/figure_simulated.h;
                                0: as it is said there */
    struct simulations *simulations; /* of the run so far; NULL: kept for a validation alone */
};

/* What of a request a validation looks at. */
enum validation_reads {
    VALIDATION_MACHINE = 1,
    VALIDATION_WORKLOADS = 2,       /* any, with an input of shipped ones */
    VALIDATION_NAMED_WORKLOADS = 4, /* shipped ones, with inputs of its own choice */
    VALIDATION_LONG = 8,            /* `all` */
    VALIDATION_DATA = 16,           /* `data` */
    VALIDATION_OWN_MACHINE = 32,    /* machines are the papers' own; the user's stands for that of
                                       its name */
    VALIDATION_SYSTEMS = 64,        /* those named beside it, in whose place it runs */
    VALIDATION_SIMULATED = 128,     /* `requests` */
    VALIDATION_FIGURES = 256        /* `figures` */
};

struct validation {
    struct plugin plugin; /* kind "validation" */
    const struct sheet_column *columns;
    unsigned reads;    /* set of enum validation_reads */
    const char *input; /* what is said where the user names none, and the request has NULL; NULL:
                        * "small" */
    bool named;        /* takes minutes: runs only when it is named */
    /* Published figures as data, whose rows are of checkpoint_columns, in place of `run`; NULL: a
     * plug-in. */
    const struct published *published;
    /* Looks at interrupt_requested(), shows its progress (core/progress.h). */
    int (*run)(const struct validation_request *request, struct sheet *rows, struct error *error);
};

#endif
