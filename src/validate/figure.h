/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ours of one published figure: the machines that its expression names, what is asked of them, and
 * the value. */
#ifndef BANDSCAPE_VALIDATE_FIGURE_H
#define BANDSCAPE_VALIDATE_FIGURE_H

#include "explore/answer/answer.h"
#include "explore/answer/counted.h"
#include "explore/answer/simulations.h"
#include "explore/views/subjects.h"
#include "validate/answers.h"
#include "validate/published.h"

/* A machine of the figure, and what it answers. */
struct figure_site {
    const char *label; /* NULL: the figure's own */
    struct machine *machine;
    const struct answer *answer; /* of the subject at hand; NULL: not asked yet, or infeasible */
    struct answer *own;          /* the same where the run does not keep it; NULL: it does */
    bool asked, infeasible;
    /* Where the figure is simulated, in the answer's place: the machine, or what stands for it and
     * what that is compared with (model->stand). NULL: not asked. */
    const struct simulate_gpu_result *simulated, *compared;
    struct counted_view counted; /* where profiles are counted: what was asked */
};

struct figure {
    const struct published_figure *published;
    struct {
        struct figure_site *items;
        size_t count, capacity;
    } sites;
    const struct profile_view *point; /* of every machine; NULL: none */
    const struct subject *subject;    /* at hand; NULL: none */
    uint64_t requests;                /* of what is simulated; 0: validate/figure_simulated.h */
    struct simulations *simulations;  /* asked in the model's place; NULL: the model is */
    /* Of the same machines, simulated for the subject at hand: profiles are as these runs counted
     * them. NULL: as they are. */
    const struct figure *counted;
    const struct answers *answers; /* of the run: asked first; NULL: nothing is kept */
    double results[COMPUTATION_MAX];
    bool computed;
    struct arena *arena;
};

/* Loads the machines. `varied`: set on each of them; NULL: nothing is. To be closed even when it
 * fails. */
int figure_open(struct figure *figure, const struct published_figure *published,
                const struct machine *asked, const struct validation_setting *varied,
                struct error *error);
/* Whether that is another value than some machine of the figure has. */
int figure_is_varied(const struct published_figure *published, const struct machine *asked,
                     const struct validation_setting *varied, bool *out, struct error *error);
void figure_close(struct figure *figure);

/* Enters what the figure asks its model of the subjects; not of what is simulated, counted, or a
 * point. */
void figure_enter(const struct figure *figure, const struct subjects *subjects,
                  struct answers *answers);

/* The value for a subject (NULL: for the point, or without a model), in the figure's unit. Views
 * are there. */
int figure_value(struct figure *figure, const struct subject *subject, double *out,
                 struct error *error);
/* All of `each`, which are scores: scores[n_each]. STATUS_INFEASIBLE where one is unknown. */
int figure_scores(struct figure *figure, const struct subject *subject, double *scores,
                  struct error *error);
/* The one machine that an expression names; NULL: none, or several. */
const struct figure_site *figure_site_of(const struct figure *figure,
                                         const struct expression *expression);
/* The same of any expression, as it stands. */
int figure_evaluate(struct figure *figure, const struct subject *subject,
                    const struct expression *expression, struct quantity *out, struct error *error);

#endif
