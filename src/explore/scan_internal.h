/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan under way: what scanning and estimating share. */
#ifndef BANDSCAPE_EXPLORE_SCAN_INTERNAL_H
#define BANDSCAPE_EXPLORE_SCAN_INTERNAL_H

#include "explore/scan.h"

struct scan_axis {
    size_t axis;
    size_t length;
    uint64_t stride;     /* of ids */
    size_t inner_stride; /* points between neighbouring values inside a block; 0: outer */
};

struct scan_input {
    int input;
    size_t free_axis; /* index in scan->axes */
    size_t assignment;
};

struct scan {
    const struct sweep *sweep;
    const struct structure *structure;
    struct term_program *program;
    struct scan_axis *axes;
    size_t n_axes;
    size_t chunked;     /* the axis that runs in chunks; n_axes: none */
    size_t chunk, tail; /* values a chunk, points a value of the chunked axis */
    int width;
    uint64_t blocks;
    uint64_t *offsets; /* id of each inner point less the block's first */
    bool contiguous;   /* offsets[i] == i */
    struct scan_input *inputs;
    size_t n_inputs;
    double **columns; /* by inputs: values of COLUMN inputs, else NULL */
    struct scan_worker *workers;
    struct scan_local {
        struct term_state *state;
        double **points; /* by inputs: buffers of POINT inputs, else NULL */
        double *values[1 + PARETO_OBJECTIVES_MAX]; /* dense copies of outputs */
        uint64_t *ids;
        unsigned char *mask;
    } * locals;
    int n_workers;
};

/* Sweep, structure, workers and their number are given. To be finished even when it fails. */
int scan_init(struct scan *scan, struct error *error);
void scan_fini(struct scan *scan);

/* Sets the inputs of a block; returns its number of points, *first its first id. */
int scan_block_inputs(const struct scan *scan, struct scan_local *local, uint64_t block,
                      uint64_t *first);

/* Evaluates a block with one of the workers, as parallel_while calls it. False: no more blocks. */
bool scan_block(void *scan, uint64_t block, int worker);

#endif
