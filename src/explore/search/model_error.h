/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a model is from what it stands for, as it was measured: errors of its bandwidth against
 * the request-level simulation (`validate referee`), by workload and machine. Files are YAML,
 * beside models (models/network/errors.yaml):
 *
 *     model_errors: network           the model
 *     origin: validate referee, ...   of what, in words
 *     alike: 0.25                     how far apart, in ln(answer), designs' errors are independent
 *     errors:                         ln(model / measured): a list a workload, a number a machine
 *       kmeans: [0.012, -0.104]
 *
 * A draw takes one of the workloads that were measured for each workload that is asked about,
 * whatever its name: all designs share it. Then each design takes one of that workload's errors
 * (Davison and Hinkley, Bootstrap Methods and their Application, 1997, 3.8: by groups, then within
 * them). So errors that a workload's designs have in common move all of them, as they did where
 * they were measured, and what is left moves their order.
 *
 * Designs that differ little have nearly the same error. Those of one structure (machines that have
 * the same equations and profiles, such as one organisation of the LLC) whose answers are within a
 * cell take the same one; cells are `alike` wide and begin anywhere, so that two designs share
 * theirs with a probability of 1 - |ln(answer / answer)| / alike. Half the mean square of the
 * difference of two errors then grows in a line with that distance, up to their variance:
 * errors.awk finds the distance that fits it best. */
#ifndef BANDSCAPE_EXPLORE_MODEL_ERROR_H
#define BANDSCAPE_EXPLORE_MODEL_ERROR_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"

struct model_error_group {
    const char *workload;
    double *logs;
    size_t count;
};

struct model_errors {
    const char *path, *model, *origin;
    struct model_error_group *groups;
    size_t n_groups, count; /* count: errors in all of them */
    double alike;           /* 0: designs of the same answer alone have the same error */
};

int model_errors_load(struct arena *arena, const char *path, struct model_errors **out,
                      struct error *error);
/* The shipped ones of a model; *out NULL: none were measured. */
int model_errors_find(struct arena *arena, const char *model, struct model_errors **out,
                      struct error *error);

/* What truth is of the model's bandwidth in a draw: of a workload, and of a design of a structure
 * for which the model answers so (a time or a bandwidth). */
double model_error_factor(const struct model_errors *errors, uint64_t seed, const char *workload,
                          uint64_t structure, double answer, uint64_t draw);

/* Mean of all logarithms; standard deviations of the workloads' means, and within workloads. */
struct model_error_moments {
    double mean, between, within;
};
struct model_error_moments model_error_moments(const struct model_errors *errors);

#endif
