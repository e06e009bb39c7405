/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One model's answer for one machine, organisation and workload: the terms and
 * all their values. */
#ifndef BANDSCAPE_EXPLORE_ANSWER_H
#define BANDSCAPE_EXPLORE_ANSWER_H

#include "model/model.h"

struct answer {
    struct arena *arena;
    struct term_graph *graph;
    struct model_result result;
    double *values; /* of every term */
};

/* STATUS_INFEASIBLE where a metric of the run would be infinite, or the bandwidth no positive
 * number. */
int answer_create(const struct model *model, const struct machine *machine,
                  const struct profile_view *view, struct answer **out, struct error *error);
/* Of a model that compares variants of the machine. */
int answer_create_variants(const struct model *model, const struct machine *machine,
                           const struct model_views *views, struct answer **out,
                           struct error *error);
/* The same for some metrics of the run (and effective_bandwidth) alone: what these do not need is
 * unknown. `metrics`: their names, NULL at the end; NULL: all there is. */
extern const char *const answer_in_a_line[]; /* as `metrics`: these, and what is said of launches in
                                              * a line: answer_dominant, answer_decision(s),
                                              * answer_unturned, limits */
int answer_create_metrics(const struct model *model, const struct machine *machine,
                          const struct model_views *views, const char *const *metrics,
                          struct answer **out, struct error *error);
/* The same answer of another machine, which differs in inputs of the model alone (STRUCTURE_NONE):
 * the terms stay, so that this costs what evaluating them does. Behind an error the answer has no
 * values. */
int answer_again(struct answer *answer, const struct machine *machine, const char *const *metrics,
                 struct error *error);
void answer_destroy(struct answer *answer);

/* A metric of the run, or NaN. */
double answer_metric(const struct answer *answer, const char *name);
struct quantity answer_quantity(const struct answer *answer, const char *name);
/* The same of `count` machines that differ in inputs of the model alone, side by side in its
 * solvers: `inputs` of the terms (model_bind), one machine behind the other. NaN: the answer would
 * be none. */
int answer_metric_many(const struct answer *answer, const char *name, const double *inputs,
                       size_t count, double *out, struct error *error);

/* The record that takes the most time (by kernel_time, else the first with requests). */
const struct model_record *answer_dominant(const struct answer *answer);

/* The organisation a record ran under: the one chosen, or the answer's. NULL: empty record. */
const char *answer_decision(const struct answer *answer, const struct model_record *record);

/* How many records chose the other organisation; *choices of all that could. */
size_t answer_decisions(const struct answer *answer, size_t *choices);
/* Of these, those whose launches end, by the model's time, before they turn. */
size_t answer_unturned(const struct answer *answer);

/* The resource that limits stream i of a record; NULL: none. */
const char *answer_limit(const struct answer *answer, const struct model_record *record, int i);
/* What comes behind it, and how far: *ratio is the next one's number over the stream's, above 1 of
 * rates and below 1 of utilisations. NULL: nothing. */
const char *answer_next_limit(const struct answer *answer, const struct model_record *record, int i,
                              double *ratio);

#endif
