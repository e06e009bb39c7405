/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published labels (preferred organisations, classes) beside ours, by each model that a label is
 * asked of (models/<system>/published.yaml, labels).
 *
 * Ours is the choice with the largest score, its margin the score over the next one's, less 1.
 * With a margin below DECISIONS_INDIFFERENT there is no preference: neither right nor wrong. Inputs
 * are the label's own, published ones, unless the user names one. */
#ifndef BANDSCAPE_VALIDATE_DECISIONS_H
#define BANDSCAPE_VALIDATE_DECISIONS_H

#include "validate/published.h"

/* What papers call no difference, too. */
#define DECISIONS_INDIFFERENT 0.05

/* system, label, workload, source, published, difference, model, ours, margin, verdict: "right",
 * "wrong", "no preference", "refused" */
extern const struct sheet_column decisions_columns[];

/* A row for each label, workload and judge, and notes that count them. The request's input may be
 * NULL: the labels' own. Where all is
 * asked for, simulations judge as well, if the scores are of times and bandwidths. *found grows by
 * the workloads that the user's names left. */
int decisions_of(const struct published *published, const struct validation_request *request,
                 struct sheet *rows, size_t *found, struct error *error);
/* The views that these take, entered into the list; nothing is made. */
struct view_list; /* explore/views/view_list.h */
int decisions_views(const struct published *published, const struct validation_request *request,
                    struct view_list *list, struct error *error);

/* What a model, or the simulation, decides of a workload. */
enum decision_verdict {
    DECISION_RIGHT,
    DECISION_WRONG,
    DECISION_INDIFFERENT,
    DECISION_REFUSED,
    DECISION_VERDICTS
};
extern const char *const decision_verdict_names[DECISION_VERDICTS];

struct decision {
    enum decision_verdict verdict;
    int choice;    /* -1: refused */
    double margin; /* NaN: refused, or the others' scores are 0 */
};

/* Those of one label by its models, a workload after another. */
struct decided {
    size_t n_workloads, n_models;
    struct {
        const struct published_labelled **items;
        size_t count, capacity;
    } workloads;                /* that the user's names left; the label's */
    struct decision *decisions; /* [workload * models + model] */
};
/* Without a simulation. To be closed even when it fails. */
int decisions_ask(const struct published_label *label, const struct validation_request *request,
                  struct decided *out, struct error *error);
void decisions_close(struct decided *decided);

#endif
