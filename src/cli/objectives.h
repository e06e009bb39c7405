/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --minimise COL and --maximise COL, in the order of the command line. */
#ifndef BANDSCAPE_CLI_OBJECTIVES_H
#define BANDSCAPE_CLI_OBJECTIVES_H

#include "cli/command.h"
#include "core/csv.h"
#include "explore/pareto/pareto.h"

/* Rows for a command's table of options. */
#define OBJECTIVE_OPTIONS                                                                          \
    {0, "minimise", "COL", true, "an objective where less is better (or --minimize)"},             \
        {0, "maximise", "COL", true, "an objective where more is better (or --maximize)"},         \
        {0, "minimize", "COL", true, NULL},                                                        \
    {                                                                                              \
        0, "maximize", "COL", true, NULL                                                           \
    }

struct objectives {
    int count;
    const char *names[PARETO_OBJECTIVES_MAX];
    enum pareto_sense senses[PARETO_OBJECTIVES_MAX];
};

/* None is fine; one column twice is not. */
int objectives_given(const struct invocation *invocation, struct objectives *out,
                     struct error *error);

/* The columns of the objectives as numbers: columns[j] has a value per row of
 * the table; free each. NULLs after an error. */
int objectives_read(const struct objectives *objectives, const struct csv *csv,
                    double *columns[PARETO_OBJECTIVES_MAX], struct error *error);

#endif
