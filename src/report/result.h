/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder that a sweep wrote, to be read: its manifest and its tables, each as the sweep left it.
 * What earlier versions did not write is not there. */
#ifndef BANDSCAPE_REPORT_RESULT_H
#define BANDSCAPE_REPORT_RESULT_H

#include "core/csv.h"
#include "core/unit.h"
#include "yaml/yaml.h"

struct result {
    struct yaml_document *manifest, *run;     /* run: NULL: none that can be read */
    struct csv *ranking, *front, *sample;     /* sample: may be NULL, */
    struct csv *marginals, *limits, *confirm; /* and these */
};

/* To be closed even when it fails: no folder of a sweep, a file that was changed or is damaged. */
int result_open(const char *path, struct result *out, struct error *error);
void result_close(struct result *result);

/* A scalar of a map: "" where there is none. */
const char *result_scalar(const struct yaml_node *map, const char *key);
/* A list or a map of the manifest; NULL: none. */
const struct yaml_node *result_node(const struct result *result, const char *key,
                                    enum yaml_kind kind);
/* The unit of a column of ranking, front and sample; false: it has names. */
bool result_dim(const struct result *result, const char *column, struct dim *out);

/* SIZE_MAX: no such column; a metric without a model's name is that of the one that ranks. */
size_t result_column(const struct csv *csv, const char *name);
size_t result_metric(const struct result *result, const struct csv *csv, const char *name);
/* NaN: no number there, or no such column. */
double result_number(const struct csv *csv, size_t row, size_t column);

#endif
