/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Design spaces as YAML: axes, ties (`set`), names (`let`), constraints
 * (`where`), objectives and ranking.
 *
 * An axis has values; a value assigns one or more parameters (several: a bundle
 * with a label). Axes whose values change the structure of the machine (another
 * profile view, or other terms) are enumerated one structure at a time; all
 * others are columns of the batch evaluation. */
#ifndef BANDSCAPE_EXPLORE_SPACE_H
#define BANDSCAPE_EXPLORE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/expression.h"
#include "core/file_form.h"
#include "explore/pareto/pareto_front.h"
#include "machine/machine.h"
#include "model/model.h"

struct catalogue;     /* core/catalogue.h */
struct yaml_document; /* yaml/yaml.h */

enum { SPACE_AXES_MAX = 64, SPACE_WHERES_MAX = 256 };

struct space_assignment {
    const char *path;
    const char *text; /* as written, with its unit */
    struct mark mark;
    struct parameter_value value; /* parsed against the space's machine */
};

struct space_value {
    const char *label; /* of a bundle, a name, or the number as written */
    struct space_assignment *assignments;
    size_t n_assignments;
};

struct space_axis {
    const char *name; /* a parameter's path, "machine", "workload.size", or a bundle axis' name */
    bool bundle;      /* values have labels; the CSV column holds the label */
    bool numeric;     /* a single quantity or count; the CSV column holds SI numbers */
    bool structural;  /* enumerated structure by structure */
    bool machine;     /* values are machines */
    bool size;        /* workload.size: values are labels such as x1/4, of workloads */
    struct space_value *values;
    size_t n_values;
    struct mark mark;
};

/* let: NAME = expression; set: PATH = expression; where: expression. */
struct space_formula {
    const char *name; /* NULL for where */
    const char *text;
    struct mark mark;
    struct expression *expression;
    double within; /* where "EXPRESSION within 5% of best": the share; 0: a condition as it is */
};

struct space_objective {
    const char *name;
    enum pareto_sense sense;
    double tolerance; /* relative: on fronts, what differs by less is as good; 0: nothing is */
    struct mark mark;
};

enum space_mean { MEAN_HARMONIC, MEAN_GEOMETRIC, MEAN_ARITHMETIC };
extern const char *const space_mean_names[];
enum space_design { DESIGN_CROSS, DESIGN_ONE_AT_A_TIME };

/* pareto: points and their front; curve: over a numeric axis; bars: a cluster a workload and
 * one of their mean, or (x given) a cluster a value of an axis, with a bar a value of `by` or
 * else a workload; s-curve: speed-ups of the workloads, each series in ascending order; tornado:
 * what each change of a one-at-a-time design makes of the base point; heat: a metric as colours
 * over two axes; stacked: parts of a whole, for each workload a bar for each value of `by`, or (x
 * alone) a bar for each value of an axis. */
enum space_plot_kind {
    SPACE_PLOT_PARETO,
    SPACE_PLOT_CURVE,
    SPACE_PLOT_BARS,
    SPACE_PLOT_S_CURVE,
    SPACE_PLOT_TORNADO,
    SPACE_PLOT_HEAT,
    SPACE_PLOT_STACKED,
    SPACE_PLOT_ROOFLINE,
    SPACE_PLOT_LATENCY,
    SPACE_PLOT_MISSES,
    SPACE_PLOT_SHARING,
    SPACE_PLOT_KINDS
};
extern const char *const space_plot_kinds[SPACE_PLOT_KINDS]; /* names */

/* Workloads whose mean stands beside those of all. */
struct space_group {
    const char *name;
    const char **workloads; /* names without settings */
    size_t n_workloads;
};

/* A published value in a picture: at the group or the value of an axis `of`, and the value of an
 * axis `at`. */
struct space_published {
    const char *figure; /* its name in the paper's published.yaml */
    const char *of, *at;
    struct mark mark;
};

/* Which way a paper says that a series goes along x. */
enum space_way { SPACE_FALLS, SPACE_FLAT, SPACE_RISES };
extern const char *const space_ways[]; /* names, and NULL */

struct space_trend {
    const char *at; /* the series: a value of the axis `by` */
    enum space_way way;
    struct mark mark;
};

/* The figure of a paper that the space reproduces. */
struct space_figure {
    const char *paper;        /* NULL: none; else as `validate` calls its published figures */
    const char *const *where; /* "Fig. 8", as they say; further places of the same figures; NULL */
    struct mark mark;
};

struct space_plot {
    enum space_plot_kind kind;
    const char *x, *y;  /* column names; NULL: default */
    const char *by;     /* axis that names the series or colours; NULL: none */
    const char *title;  /* what the picture shows, in words; NULL: the space's summary */
    const char **parts; /* of stacked: column names */
    struct mark *part_marks;
    size_t n_parts;
    bool of_groups; /* bars of groups alone, without workloads and their mean */
    struct space_published *published;
    struct space_trend *trends;
    size_t n_published, n_trends;
    struct mark mark, x_mark, y_mark, by_mark;
};

/* uncertainty: PATH: how well it is known (explore/space/spread.h). */
struct space_spread {
    const char *path, *text;
    struct mark mark;
};

struct space {
    struct yaml_document *document; /* owns the strings */
    struct arena *arena;
    const char *path, *name, *summary;
    struct machine *machine;
    const char **workloads;
    struct mark *workload_marks;
    size_t n_workloads;
    const struct model **models;
    size_t n_models;
    struct space_axis *axes;
    size_t n_axes;
    struct space_formula *sets, *lets, *wheres;
    size_t n_sets, n_lets, n_wheres;
    struct space_objective *objectives;
    size_t n_objectives;
    enum space_design design;
    size_t rank_model; /* whose a metric without a model's name is: rank: {model: X}, else, of several
                        * models, the one that whatif would have answer first */
    bool rank_model_said;
    const char *rank_by;
    struct mark rank_mark;
    enum pareto_sense rank_sense;
    enum space_mean mean;
    const char *speedup_vs; /* an organisation or a machine; NULL: no speed-ups */
    struct mark speedup_mark;
    uint64_t top;
    struct space_spread *spreads;
    size_t n_spreads;
    struct space_plot *plots;
    size_t n_plots;
    struct space_group *groups;
    size_t n_groups;
    struct space_figure figure;
};

/* A shipped space by name ("sac-sensitivity") or a file by path. Checks all that
 * can be checked without a profile. */
int space_load(const char *name_or_path, struct space **out, struct error *error);
void space_destroy(struct space *space);

/* Which way a name is better: as the objective of that name says, times the less. */
enum pareto_sense space_sense(const struct space *space, const char *name);

/* The same of what a where clause is about. */
enum pareto_sense space_where_sense(const struct space *space, size_t where);

/* The model whose metric the points are ranked by; NULL: it is no metric. */
const struct model *space_ranking_model(const struct space *space);

/* Replaces the workloads or the models (command line). The strings of `workloads` must
 * outlive the space. */
void space_set_workloads(struct space *space, const char *const *workloads, size_t count);
int space_set_models(struct space *space, const char *const *names, size_t count,
                     struct error *error);

/* "harmonic-mean", "geometric-mean", "arithmetic-mean"; false: none of them. */
bool space_mean_find(const char *name, enum space_mean *out);

/* Whether a workload of the space is in the group, whatever its settings. */
bool space_group_has(const struct space *space, const struct space_group *group, size_t workload);

/* With that input each shipped workload that is named without settings. */
int space_set_input(struct space *space, const char *input, struct error *error);

/* What a file may say; ends with name NULL. */
extern const struct file_form space_forms[];

/* The shipped spaces. */
void space_catalogue(struct catalogue *out);

/* The value "x1" of an axis of sizes: the workload as it stands; SIZE_MAX: none. */
size_t space_size_one(const struct space_axis *axis);

/* Number of points; more than 2^62 is refused by space_load. */
uint64_t space_count(const struct space *space);

/* Conditions that a point must meet: the `where` clauses, one a tie (`set`: its value is
 * in range), and that every cache level holds a set. */
size_t space_conditions(const struct space *space);

/* Applies the assignments of one value. A machine axis replaces *machine by its
 * machine, so those come first. */
int space_apply(const struct space_axis *axis, size_t value, struct machine **machine,
                struct error *error);

#endif
