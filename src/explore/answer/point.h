/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One question asked again and again: what a model answers for a workload, while parameters of a
 * machine move. Views are made as they are needed, and kept. */
#ifndef BANDSCAPE_EXPLORE_POINT_H
#define BANDSCAPE_EXPLORE_POINT_H

#include "explore/answer/answer.h"
#include "explore/views/subject.h"

struct point {
    struct subject *subject;
    const struct model *model;
    struct machine *machine; /* its own: set parameters of it as you like */
    struct answer *kept;     /* of point_answer_moved */
    char kept_path[128];
};

/* `model`: NULL, the first of those that are asked for one answer (model_first) that does not
 * refuse the machine. To be closed even when it fails. */
int point_open(struct point *point, struct subject *subject, const struct machine *machine,
               const struct model *model, struct error *error);
void point_close(struct point *point);

/* A number in SI, whole where the parameter counts. What the machine as a whole does not allow is
 * an error, and stays set. */
int point_set(struct point *point, const char *path, double value, struct error *error);

/* What the model says of the machine as it is. */
int point_answer(const struct point *point, struct answer **out, struct error *error);
/* Of these metrics of the run alone (answer_create_metrics): a network solves no more than they
 * need. */
int point_answer_metrics(const struct point *point, const char *const *metrics, struct answer **out,
                         struct error *error);

/* An error with a suggestion unless the model has metrics of that name. */
int point_check_metric(const struct point *point, const char *name, struct error *error);
/* A metric's value, NaN where the model does not know it here. */
int point_metric(const struct point *point, const char *name, struct quantity *out,
                 struct error *error);
/* The same where, since the last of these calls with that path, nothing of the machine was changed
 * but that number (point_set): where it is an input of the model, its terms are made once. Another
 * path begins anew: a latency in cycles has other terms than one that was set in seconds. The
 * answer is the point's, until the next call. */
int point_answer_moved(struct point *point, const char *path, const char *const *metrics,
                       const struct answer **out, struct error *error);
int point_metric_moved(struct point *point, const char *path, const char *name,
                       struct quantity *out, struct error *error);

#endif
