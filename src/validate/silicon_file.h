/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What others measured on real GPUs: files <machine>-<kind>.csv of a folder, whose columns are
 * those of models/today/silicon/README.md. */
#ifndef BANDSCAPE_VALIDATE_SILICON_FILE_H
#define BANDSCAPE_VALIDATE_SILICON_FILE_H

#include "core/error.h"
#include "core/memory.h"

enum silicon_kind {
    SILICON_LATENCY,
    SILICON_SHARED_READ,
    SILICON_OCCUPANCY,
    SILICON_STREAM,
    SILICON_TIMES,
    SILICON_KINDS
};
extern const char *const silicon_kind_names[SILICON_KINDS];

/* Columns of numbers that a file may have. */
enum silicon_column {
    SILICON_CLOCK,         /* MHz */
    SILICON_WORKING_SET,   /* KiB */
    SILICON_CYCLES,        /* latency, of that clock */
    SILICON_SET_OF_BLOCK,  /* KiB */
    SILICON_BLOCK_THREADS, /* threads of a block, */
    SILICON_BLOCKS_PER_SM, /* blocks that an SM holds, */
    SILICON_THREADS,       /* and threads of all SMs */
    SILICON_ARRAY,         /* KiB */
    SILICON_READ,          /* GB/s, as the next ones */
    SILICON_SCALE,
    SILICON_TRIAD,
    SILICON_WRITE,
    SILICON_INIT,
    SILICON_TIME, /* ms, mean over runs */
    SILICON_COLUMNS
};
/* Columns of texts. */
enum silicon_text { SILICON_KERNEL, SILICON_PROBLEM, SILICON_TEXTS };

struct silicon_file {
    char *machine, *name; /* "a100-80"; "a100-80-latency.csv" */
    enum silicon_kind kind;
    double *columns[SILICON_COLUMNS]; /* NULL: the kind has no such column */
    char **texts[SILICON_TEXTS];      /* the same */
    size_t rows;
};

struct silicon_files {
    struct silicon_file *items;
    size_t count, capacity;
    struct {
        char **items; /* files whose name has no known kind at its end; none of measure.cu's */
        size_t count, capacity;
    } unknown;
};

/* In the order of their names. An error, with file, line and column: a column that is missing, a
 * cell that is no positive number, a row that was cut, a folder without any such file. To be freed
 * even then. */
int silicon_files_read(const char *folder, struct silicon_files *out, struct error *error);
void silicon_files_free(struct silicon_files *files);

#endif
