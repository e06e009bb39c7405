/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objectives from the command line. */
#include "cli/objectives.h"

#include <stdlib.h>
#include <string.h>

int objectives_given(const struct invocation *inv, struct objectives *out, struct error *error)
{
    const char *name, *value;
    out->count = 0;
    for (int i = 0; option_at(inv, i, &name, &value); i++) {
        bool maximise = strncmp(name, "maximi", 6) == 0;
        if (!maximise && strncmp(name, "minimi", 6) != 0)
            continue;
        for (int j = 0; j < out->count; j++)
            if (strcmp(out->names[j], value) == 0)
                return error_set(error, STATUS_USAGE, "--%s: column \"%.80s\" is given twice", name,
                                 value);
        if (out->count == PARETO_OBJECTIVES_MAX)
            return error_set(error, STATUS_USAGE, "more than %d objectives", PARETO_OBJECTIVES_MAX);
        out->senses[out->count] = maximise ? PARETO_MAXIMISE : PARETO_MINIMISE;
        out->names[out->count++] = value;
    }
    return 0;
}

int objectives_read(const struct objectives *objectives, const struct csv *csv,
                    double *columns[PARETO_OBJECTIVES_MAX], struct error *error)
{
    int status = 0;
    for (int j = 0; j < PARETO_OBJECTIVES_MAX; j++)
        columns[j] = NULL;
    for (int j = 0; j < objectives->count && !status; j++) {
        size_t column;
        status = csv_column(csv, objectives->names[j], &column, error);
        if (status)
            break;
        columns[j] = memory_alloc(csv->rows * sizeof *columns[j]);
        status = csv_numbers(csv, column, columns[j], error);
    }
    for (int j = 0; j < objectives->count && status; j++) {
        free(columns[j]);
        columns[j] = NULL;
    }
    return status;
}
