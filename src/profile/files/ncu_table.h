/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table that Nsight Compute prints with --csv, as kernel launches and the
 * metrics of each that a profile reads.
 *
 * Long form: a row a metric, with the columns "ID", "Kernel Name", "Metric
 * Name", "Metric Unit" and "Metric Value". Wide form (--page raw): a row a
 * launch, metrics as columns, and units in the first row. Both may have "Process
 * ID", "Grid Size" and "Block Size". Lines before the table (the program's own
 * output) and lines that begin with == are passed over. */
#ifndef BANDSCAPE_PROFILE_NCU_TABLE_H
#define BANDSCAPE_PROFILE_NCU_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/csv_fields.h"
#include "core/error.h"
#include "profile/files/ncu.h"

enum ncu_metric {
#define NCU_ENUM(symbol, name, unit) symbol,
    NCU_METRICS(NCU_ENUM) NCU_OTHER_METRICS(NCU_ENUM)
#undef NCU_ENUM
        NCU_METRIC_COUNT
};

/* The metric's name, as ncu prints it. */
const char *ncu_metric_name(enum ncu_metric metric);

struct ncu_value {
    double value;   /* in sectors, requests, bytes, seconds or as a ratio; NaN unknown */
    const char *at; /* its cell; NULL: not in the table */
};

struct ncu_launch {
    struct csv_field process, id; /* together they tell launches apart */
    struct csv_field name;        /* of the kernel */
    uint32_t grid[3], block[3];   /* 0: unknown */
    size_t order;                 /* of appearance */
    struct ncu_value values[NCU_METRIC_COUNT];
};

struct ncu_table {
    struct csv_text text;
    struct {
        struct ncu_launch *items; /* in order of appearance */
        size_t count, capacity;
    } launches;
    size_t n_read;          /* metrics (long form: rows) that a profile reads */
    struct csv_field other; /* the first that it does not read; begin NULL: none */
};

/* The beginning of the table's header; NULL when there is none. */
const char *ncu_header_find(const struct csv_text *text);

/* Reads the text; everything points into it. An error, with its place: no such
 * table, columns missing, rows of another length, a cell of a metric that is no
 * number or has another unit, a metric twice with two values. */
int ncu_table_read(struct ncu_table *table, const struct csv_text *text, struct error *error);
void ncu_table_fini(struct ncu_table *table);

#endif
