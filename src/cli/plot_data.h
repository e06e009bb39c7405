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
};

int plot_data_load(const char *path, const struct objectives *given, struct plot_data *data,
                   struct error *error);
void plot_data_free(struct plot_data *data);

/* The unit of a column by the manifest, or NULL. */
const char *plot_data_unit(const struct plot_data *data, const char *column);

/* Points of two columns over all tables, with the categories of a third (`by` may be NULL). In a
 * folder, the front is that of pareto.csv, and rows without a value are left out; of a file,
 * `front` asks for the front of its objectives, and a cell that is no number is an error. */
int plot_points_read(const struct plot_data *data, const char *x, const char *y, const char *by,
                     bool front, struct arena *arena, struct plot_front *out, struct error *error);

/* "inputs: idle-sms fits": what the column `warnings` of its tables has anywhere; NULL: nothing, or
 * there is no such column. */
const char *plot_data_warnings(const struct plot_data *data, struct arena *arena);

#endif
