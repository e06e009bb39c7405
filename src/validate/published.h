/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published figures as data: models/<system>/published.yaml, whose form is in README.md beside
 * this file. Reading checks all that can be known without asking a model; what is wrong is an error
 * at its line and column. */
#ifndef BANDSCAPE_VALIDATE_PUBLISHED_H
#define BANDSCAPE_VALIDATE_PUBLISHED_H

#include "core/expression.h"
#include "model/computation.h"
#include "model/model.h"
#include "validate/checkpoint.h"

/* A machine by a label of the file's own. */
struct published_machine {
    const char *label;
    const char *machine; /* a shipped one or a file; NULL: the one that the user asks for */
    const struct yaml_node *settings; /* a map; NULL: none */
    struct mark mark;
};

/* Workloads that figures are over: a paper's own, with its inputs. */
struct published_group {
    const char *name;
    const char *input;            /* "published-sac" */
    const char *const *workloads; /* and NULL */
    struct mark mark;
};

/* What a figure over all workloads is of the values for each of them. */
enum published_mean {
    PUBLISHED_OF_ONE, /* no mean: one hand-made point, one workload, or neither */
    PUBLISHED_ARITHMETIC,
    PUBLISHED_GEOMETRIC,
    PUBLISHED_HARMONIC,
    PUBLISHED_INVERSE, /* 1 over the arithmetic mean: of reciprocals, some of which may be 0 */
    PUBLISHED_LARGEST,
    PUBLISHED_SMALLEST
};

/* What the errors of some predictions together are to come to. NaN: anything. */
struct published_aim {
    const char *name;
    double median; /* of their sizes */
    double within; /* share of them within PREDICTIONS_NEAR (validate/predictions.h) */
    double wrong;  /* ratios that point the wrong way */
};

/* A piece of a note: a text, or the value of an expression. */
struct published_part {
    const char *text;
    const struct expression *value; /* NULL: the text */
    int decimals;                   /* of the value; -1: as many as people like to read */
};

struct published_figure {
    const struct published *of;
    struct mark mark;
    struct checkpoint row;
    struct published_machine own; /* of names without a label; its label NULL: there is none */
    const struct model *model;    /* of metrics; NULL: none */
    struct profile *point;        /* by hand; NULL: none */
    const char *workload;         /* NULL: none, or (with a mean) those that the user asks for */
    enum published_mean mean;
    int group; /* of the workloads of a mean; -1: those that the user asks for */
    const struct computation *computation; /* NULL: none */
    double arguments[COMPUTATION_MAX];
    const struct expression *ours;
    struct mark ours_mark;
    struct published_part *each; /* note for each workload; NULL: none */
    size_t n_each;
    int aim; /* which of the file's this prediction counts in; -1: none */
};

/* A workload that a label is printed for. */
struct published_labelled {
    const char *workload;
    int choice; /* the published one */
    bool small; /* the paper calls the difference small */
    struct mark mark;
};

/* A choice that the paper leaves open, and what may be chosen: values of a parameter of all
 * machines that the label is about, or names of inputs. */
struct published_open {
    const char *path; /* "input", or of the parameter */
    struct mark mark;
    const struct yaml_node *values; /* scalars, at least one */
};

/* What a paper says of workloads in one of a few words: the organisation that one prefers, its
 * class. Ours is the choice with the largest score. */
struct published_label {
    const struct published *of;
    struct mark mark;
    const char *what;           /* "preferred organisation" */
    const char *where;          /* NULL: the file's reference says it all */
    const char *input;          /* of the workloads: "published-sac" */
    const char *const *choices; /* their names, and NULL */
    struct {
        struct published_figure *items; /* one a model: `each` is the score of each choice */
        size_t count, capacity;
    } scores;
    struct {
        struct published_labelled *items;
        size_t count, capacity;
    } workloads;
    struct {
        struct published_open *items;
        size_t count, capacity;
    } open;     /* what `validate choices` goes through */
    double aim; /* of its workloads, how many a model is to have right; NaN: nothing is said */
};

struct published {
    struct validation validation; /* as `bandscape validate` sees it */
    struct yaml_document *document;
    struct arena *arena; /* of the document */
    struct {
        struct published_machine *items;
        size_t count, capacity;
    } machines;
    struct {
        struct published_group *items;
        size_t count, capacity;
    } groups;
    struct {
        struct published_aim *items;
        size_t count, capacity;
    } aims;
    struct {
        struct published_figure *items;
        size_t count, capacity;
    } figures;
    struct {
        struct published_label *items;
        size_t count, capacity;
    } labels; /* what `validate decisions` goes through */
    struct {
        const char **items;
        size_t count, capacity;
    } notes; /* behind the rows; "{workloads}" is their number */
};

int published_load(const char *path, struct published **out, struct error *error);
void published_destroy(struct published *published);

/* The machine of a label, or NULL. */
const struct published_machine *published_machine_find(const struct published *published,
                                                       const char *label);

/* "metric@label": the name before the label (in the arena), and the label or NULL. */
const char *published_name_split(struct arena *arena, const char *name, const char **label);

/* Ours, in the figure's unit, of a figure without a mean. `asked`: the machine that the user asks
 * for; NULL: the figure must name its own. */
int published_figure_value(const struct published_figure *figure, const struct machine *asked,
                           double *ours, struct error *error);

/* One of its figures, with ours. */
struct published_value {
    const struct published_figure *figure;
    const struct subjects
        *subjects; /* that its mean is over, with their views; NULL: it has none */
    double ours;
};
typedef int published_value_fn(void *context, const struct published_value *value,
                               struct error *error);
/* Goes through the figures, without those that are left out, and calls that of each. `rows` get
 * notes on workloads. */
int published_go(const struct published *published, const struct validation_request *request,
                 struct sheet *rows, published_value_fn *fn, void *context, struct error *error);
/* The mean of the workloads' values. */
double published_mean_of(enum published_mean mean, const double *values, size_t count);

/* All figures as rows of checkpoint_columns, and the notes. */
int published_run(const struct published *published, const struct validation_request *request,
                  struct sheet *rows, struct error *error);
/* The views that these take, entered into the list; nothing is made. Figures of one workload are
 * left out. */
struct view_list; /* explore/views/view_list.h */
int published_views(const struct published *published, const struct validation_request *request,
                    struct view_list *list, struct error *error);

#endif
