/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What scan.c and scan_look.c share: a scan's layout, and its blocks. */
#ifndef BANDSCAPE_EXPLORE_SCAN_INTERNAL_H
#define BANDSCAPE_EXPLORE_SCAN_INTERNAL_H

#include "explore/sweep/adaptive.h"
#include "explore/sweep/scan.h"

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
    int width, row;     /* points a block; of these a row */
    uint64_t blocks;
    uint64_t *offsets; /* id of each inner point less the block's first */
    bool contiguous;   /* offsets[i] == i */
    struct scan_input *inputs;
    size_t n_inputs;
    double **columns; /* by inputs: values of COLUMN inputs, else NULL */
    struct scan_worker *workers;
    struct scan_local {
        struct term_state *state;
        double **points; /* by inputs: buffers of POINT and ROW inputs, else NULL */
        double *values[1 + PARETO_OBJECTIVES_MAX]; /* dense copies of outputs */
        uint64_t *ids;
        unsigned char *mask;
        unsigned short *places; /* of what the mask keeps; one more than points */
    } * locals;
    int n_workers;
    uint64_t from;             /* of the blocks that are gone through */
    struct adaptive *adaptive; /* its rounds stand for blocks; NULL: all points are evaluated */
};

/* A scan of a structure with its workers set: to be finished even when it fails. */
int scan_init(struct scan *scan, struct error *error);
void scan_fini(struct scan *scan);

/* Sets the inputs of a block; returns how many points it has, *first: the id of the first. */
int scan_block_inputs(const struct scan *scan, struct scan_local *local, uint64_t block,
                      uint64_t *first);
/* Evaluates a block and gathers its points; false: there is no more to do. */
bool scan_block(struct scan *scan, uint64_t block, int index);

#endif
