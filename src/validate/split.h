/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the error of a decision comes from: its parts, of which each is a step from what a model
 * says to what the label asks for. All are of x = ln(score of the published choice / of the other
 * one), and ln(1 + DECISIONS_INDIFFERENT) is the least x that is a preference:
 *
 *     error     x of the model, less that least one      below 0: wrong, or no preference
 *     workload  x of the model, less its x at the input of the label
 *     profile   x of the model, less its x with what the simulation counted
 * (explore/answer/counted.h) formula   that x, less the simulation's rest      the error less
 * these: what neither a larger input nor other figures nor other equations explain, such as a
 * program of another shape, or a choice that the label depends on
 *
 * They add up to the error. A part that is unknown is in the rest; without profile and formula the
 * rest is unknown, too. */
#ifndef BANDSCAPE_VALIDATE_SPLIT_H
#define BANDSCAPE_VALIDATE_SPLIT_H

#include "explore/views/subjects.h"
#include "validate/figure.h"
#include "workload/published.h"

struct split_side {
    struct counted_figures profile, counted;
};

struct split {
    int rival; /* the other choice: the best of those that are not published; -1: refused */
    double x, error, workload, profile, formula, rest;
    double simulated_frac;      /* of the requests of the published choice's run */
    struct split_side sides[2]; /* machines of the published choice, of the other; NaN: they are
                                 * not one machine each */
    double figures[FIGURES];    /* of the workload: ours over the published one; NaN: unknown */
};

struct split_question {
    struct figure *asked;     /* a model, or the simulation */
    struct figure *counted;   /* the same model with what was counted; NULL: the simulation */
    struct figure *simulated; /* of the subject, evaluated */
    const struct subject *subject;
    const struct subject *published; /* with the label's input, views there; NULL: unknown */
    const struct workload_published *figures; /* of that input; NULL: none are printed */
    int choice;                               /* the published one */
    double least;                             /* x that is a preference */
};

/* Unknown parts are NaN, no errors. */
int split_error(const struct split_question *question, struct split *out, struct error *error);

/* The workload with the label's input, if the cache holds what these figures ask of it; else NULL.
 * The spec lives longer. */
int split_open_published(const struct figure *figures, size_t n, const char *spec,
                         struct subject **out, struct error *error);
/* What is printed of a shipped workload's input ("published-sac"), or NULL. */
const struct workload_published *split_published_figures(struct arena *arena, const char *workload,
                                                         const char *input);

#endif
