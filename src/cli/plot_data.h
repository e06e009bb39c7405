/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `bandscape plot` draws: a CSV file, or the result folder of a sweep
 * (pareto.csv, ranking.csv, sample.csv where there is one, and manifest.yaml
 * for the units and the objectives). */
#ifndef BANDSCAPE_CLI_PLOT_DATA_H
#define BANDSCAPE_CLI_PLOT_DATA_H

#include "cli/objectives.h"
#include "core/csv.h"
#include "report/picture.h"

struct yaml_document; /* yaml/yaml.h */

enum { PLOT_TABLES = 3, PLOT_CATEGORIES = 30 };

struct plot_data {
    bool folder; /* of a sweep; then tables[0] is its front */
    char *base;  /* "sac-sensitivity", for titles and file names */
    struct csv *tables[PLOT_TABLES];
    int n_tables;
    struct yaml_document *manifest; /* may be NULL */
    struct objectives objectives;   /* given, or the manifest's */
    bool *again[PLOT_TABLES]; /* of a folder: rows that an earlier one of its tables has; or NULL */
    struct arena *units;
};

/* `where`: "COLUMN=VALUE", `n_where` of them: rows that have all of these. */
int plot_data_load(const char *path, const struct objectives *given, const char *const *where,
                   size_t n_where, struct plot_data *data, struct error *error);
void plot_data_free(struct plot_data *data);

/* A column over all tables; of a folder a row that several of them have comes once. */
struct plot_column {
    size_t count;
    const char **texts; /* "" where the cell is empty */
    double *numbers;    /* NaN where it is none */
    bool numeric;       /* every cell that is not empty is a number, and one is */
};
int plot_column_read(const struct plot_data *data, const char *name, struct arena *arena,
                     struct plot_column *out, struct error *error);
/* The same; a cell that is neither empty nor a number is an error. */
int plot_numbers_read(const struct plot_data *data, const char *name, struct arena *arena,
                      struct plot_column *out, struct error *error);

/* The unit of a column by the manifest, else of the metric or the parameter of that name; or
 * NULL. */
const char *plot_data_unit(const struct plot_data *data, const char *column);

/* Points of two columns over all tables, with the categories of a third (`by` may be NULL) and the
 * numbers of a fourth (`colour` may be NULL; points that have none are left out). In a
 * folder, the front is that of pareto.csv, and rows without a value are left out; of a file,
 * `front` asks for the front of its objectives, and a cell that is no number is an error. */
int plot_points_read(const struct plot_data *data, const char *x, const char *y, const char *by,
                     const char *colour, bool front, struct arena *arena, struct plot_front *out,
                     struct error *error);

/* "inputs: fewer blocks than SMs": what the column `warnings` of its tables has anywhere; NULL: nothing, or
 * there is no such column. */
const char *plot_data_warnings(const struct plot_data *data, struct arena *arena);

#endif
