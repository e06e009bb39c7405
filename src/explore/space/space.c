/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a design space. */
#include "explore/space/space.h"

#include <stdlib.h>
#include <string.h>

#include "core/catalogue.h"
#include "core/file.h"
#include "explore/space/space_internal.h"
#include "yaml/yaml.h"

/* A file beside the space is that one, wherever the user stands; else it is where the user stands.
 * Names without a dot are shipped ones. */
static const char *workload_beside(struct space *space, const char *spec)
{
    struct arena *arena = space->arena;
    size_t length = strcspn(spec, ":");
    const char *name = arena_strndup(arena, spec, length);
    char *path = file_beside(space->path, name);
    if (strpbrk(name, "./") && file_exists(path))
        spec = arena_printf(arena, "%s%s", path, spec + length);
    free(path);
    return spec;
}

static int space_read_names(struct space *space, const struct yaml_node *root, struct error *error)
{
    const struct yaml_node *models = yaml_get(root, "models");
    struct yaml_node *workloads;
    int status = yaml_require(root, "a space", "workloads", &workloads, error);
    if (!status)
        status = yaml_expect(workloads, YAML_LIST, "workloads", error);
    if (status && workloads && workloads->kind == YAML_SCALAR)
        error_hint(error, "one is a list too: [%.80s]", workloads->text);
    if (!status && workloads->count == 0)
        status = yaml_error(workloads, error, "workloads: the list is empty");
    if (status)
        return status;
    space->n_workloads = workloads->count;
    space->workloads = arena_alloc(space->arena, workloads->count * sizeof *space->workloads);
    space->workload_marks =
        arena_alloc(space->arena, workloads->count * sizeof *space->workload_marks);
    for (size_t i = 0; i < workloads->count; i++) {
        const struct yaml_node *item = workloads->items[i];
        if ((status = yaml_string(item, "workloads", &space->workloads[i], error)))
            return status;
        space->workloads[i] = workload_beside(space, space->workloads[i]);
        space->workload_marks[i] = item->mark;
    }
    if (models && (status = yaml_expect(models, YAML_LIST, "models", error)))
        return status;
    size_t count = models && models->count ? models->count : 1;
    space->models = arena_alloc(space->arena, count * sizeof *space->models);
    space->n_models = count;
    for (size_t i = 0; i < count; i++) {
        const char *name = model_preferred()->plugin.name;
        const struct plugin *plugin;
        bool listed = models && models->count;
        if (listed && (status = yaml_string(models->items[i], "models", &name, error)))
            return status;
        if ((status = plugin_require("model", name, &plugin, error))) {
            if (listed)
                error_place(error, &models->items[i]->mark);
            return status;
        }
        space->models[i] = (const struct model *)plugin;
    }
    return 0;
}

static int space_read_machine(struct space *space, const struct yaml_node *root,
                              struct error *error)
{
    struct yaml_node *node;
    const char *name;
    const struct yaml_node *axes = yaml_get(root, "axes");
    const struct yaml_node *axis = axes ? yaml_get(axes, "machine") : NULL;
    if (!yaml_get(root, "machine") && axis && axis->kind == YAML_LIST && axis->count) {
        node = axis->items[0]; /* an axis of machines: the first stands for their parameters */
    } else {
        int status = yaml_require(root, "a space", "machine", &node, error);
        if (status)
            return status;
    }
    int status = yaml_string(node, "machine", &name, error);
    if (status)
        return status;
    char *path = file_named_in(space->path, name);
    status = machine_load(path, &space->machine, error);
    free(path);
    if (status)
        error_place(error, &node->mark);
    return status;
}

static int space_read_axes(struct space *space, const struct yaml_node *root, struct error *error)
{
    struct yaml_node *axes;
    int status = yaml_require(root, "a space", "axes", &axes, error);
    if (!status)
        status = yaml_expect(axes, YAML_MAP, "axes", error);
    if (!status && axes->count > SPACE_AXES_MAX)
        status = yaml_error(axes, error, "more than %d axes", SPACE_AXES_MAX);
    if (status)
        return status;
    space->n_axes = axes->count;
    space->axes = arena_alloc(space->arena, axes->count * sizeof *space->axes);
    for (size_t i = 0; i < axes->count && !status; i++)
        status = space_read_axis(space, &space->axes[i], axes->keys[i], axes->items[i], error);
    /* One parameter, one axis. */
    for (size_t i = 0; i < axes->count && !status; i++)
        for (size_t k = 0; k < i && !status; k++) {
            const struct space_value *a = &space->axes[i].values[0], *b = &space->axes[k].values[0];
            for (size_t x = 0; x < a->n_assignments && !status; x++)
                for (size_t y = 0; y < b->n_assignments && !status; y++)
                    if (strcmp(a->assignments[x].path, b->assignments[y].path) == 0)
                        status = error_at(error, STATUS_INPUT, &space->axes[i].mark,
                                          "axes %s and %s both vary %s", space->axes[k].name,
                                          space->axes[i].name, a->assignments[x].path);
        }
    return status;
}

/* "effective_bandwidth within 5% of best" */
static int within_read(struct space *space, struct space_formula *formula,
                       const struct yaml_node *node, struct error *error)
{
    const char *word = strstr(formula->text, " within "), *share = word + strlen(" within ");
    const char *end = strstr(share, " of best");
    struct quantity q;
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)(end && end - share < 31 ? end - share : 0), share);
    if (!end || end[strlen(" of best")] || quantity_scan(text, &q) || !dim_equal(q.dim, DIM_NONE) ||
        !(q.value > 0 && q.value < 1)) {
        yaml_error(node, error, "where: expected METRIC within SHARE of best");
        return error_hint(error, "for example \"effective_bandwidth within 5%% of best\"");
    }
    formula->within = q.value;
    return expression_parse(
        space->arena,
        arena_printf(space->arena, "%.*s", (int)(word - formula->text), formula->text), &node->mark,
        &formula->expression, error);
}

static int formula_read(struct space *space, struct space_formula *formula, const char *name,
                        const struct yaml_node *node, struct error *error)
{
    int status = yaml_string(node, name ? name : "where", &formula->text, error);
    if (status)
        return status;
    formula->name = name;
    formula->mark = node->mark;
    if (!name && strstr(formula->text, " within "))
        return within_read(space, formula, node, error);
    return expression_parse(space->arena, formula->text, &node->mark, &formula->expression, error);
}

static int space_read_formulas(struct space *space, const struct yaml_node *root, const char *key,
                               struct space_formula **out, size_t *count, struct error *error)
{
    const struct yaml_node *node = yaml_get(root, key);
    *count = 0;
    if (!node)
        return 0;
    bool where = strcmp(key, "where") == 0;
    int status = yaml_expect(node, where ? YAML_LIST : YAML_MAP, key, error);
    if (status) {
        error_hint(error,
                   where ? "write a list: where: [\"llc.capacity <= 8 MiB\"]"
                         : "write a map: %s: {name: expression}",
                   key);
        return status;
    }
    if (node->count > SPACE_WHERES_MAX)
        return yaml_error(node, error, "%s: more than %d entries", key, SPACE_WHERES_MAX);
    *out = arena_alloc(space->arena, node->count * sizeof **out);
    *count = node->count;
    for (size_t i = 0; i < node->count && !status; i++)
        status = formula_read(space, &(*out)[i], where ? NULL : node->keys[i]->text, node->items[i],
                              error);
    return status;
}

static int sense_read(const struct yaml_node *node, enum pareto_sense *out, struct error *error)
{
    const char *text = node->text;
    if (node->kind == YAML_SCALAR && strncmp(text, "maximi", 6) == 0)
        *out = PARETO_MAXIMISE;
    else if (node->kind == YAML_SCALAR && strncmp(text, "minimi", 6) == 0)
        *out = PARETO_MINIMISE;
    else
        return yaml_error(node, error, "expected maximise or minimise");
    return 0;
}

static int tolerance_read(const struct yaml_node *node, double *out, struct error *error)
{
    struct quantity q;
    if (node->kind != YAML_SCALAR || quantity_scan(node->text, &q) || !dim_equal(q.dim, DIM_NONE) ||
        !(q.value >= 1e-6 && q.value < 1))
        return yaml_error(node, error, "tolerance: expected a share from 1e-6 to 1, such as 1%%");
    *out = q.value;
    return 0;
}

static int space_read_objectives(struct space *space, const struct yaml_node *root,
                                 struct error *error)
{
    const struct yaml_node *list = yaml_get(root, "objectives");
    if (!list) {
        space->objectives = arena_alloc(space->arena, sizeof *space->objectives);
        space->objectives[0] = (struct space_objective){
            .name = "effective_bandwidth", .sense = PARETO_MAXIMISE, .mark = root->mark};
        space->n_objectives = 1;
        return 0;
    }
    int status = yaml_expect(list, YAML_LIST, "objectives", error);
    if (!status && (list->count == 0 || list->count > PARETO_OBJECTIVES_MAX))
        status = yaml_error(list, error, "objectives: expected 1 to %d", PARETO_OBJECTIVES_MAX);
    if (status)
        return status;
    space->n_objectives = list->count;
    space->objectives = arena_alloc(space->arena, list->count * sizeof *space->objectives);
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *item = list->items[i];
        struct space_objective *objective = &space->objectives[i];
        if ((status = yaml_expect(item, YAML_MAP, "objectives", error)))
            return error_hint(error, "for example {maximise: effective_bandwidth}");
        if (item->count != 1 && !(item->count == 2 && yaml_get(item, "tolerance"))) {
            yaml_error(item, error, "an objective is one entry, and perhaps its tolerance");
            return error_hint(error, "for example {maximise: effective_bandwidth, tolerance: 1%%}");
        }
        if (item->count == 2 &&
            (status = tolerance_read(yaml_get(item, "tolerance"), &objective->tolerance, error)))
            return status;
        size_t k = strcmp(item->keys[0]->text, "tolerance") == 0 ? 1 : 0;
        if ((status = sense_read(item->keys[k], &objective->sense, error)) ||
            (status = yaml_string(item->items[k], "objectives", &objective->name, error)))
            return status;
        objective->mark = item->items[k]->mark;
    }
    return 0;
}

const char *const space_mean_names[] = {[MEAN_HARMONIC] = "harmonic-mean",
                                        [MEAN_GEOMETRIC] = "geometric-mean",
                                        [MEAN_ARITHMETIC] = "arithmetic-mean"};

bool space_mean_find(const char *name, enum space_mean *out)
{
    for (int m = MEAN_HARMONIC; m <= MEAN_ARITHMETIC; m++)
        if (strcmp(space_mean_names[m], name) == 0) {
            *out = (enum space_mean)m;
            return true;
        }
    return false;
}

static int space_read_mean(struct space *space, const struct yaml_node *node, struct error *error)
{
    if (node->kind == YAML_SCALAR && space_mean_find(node->text, &space->mean))
        return 0;
    yaml_error(node, error, "aggregate: unknown mean");
    return error_hint(error, "known: harmonic-mean, geometric-mean, arithmetic-mean");
}

/* Of several models the one nearest to simulations (`first_answer`), whatever their order. */
static size_t space_default_rank_model(const struct space *space)
{
    size_t best = 0;
    for (size_t m = 1; m < space->n_models; m++) {
        int own = space->models[m]->first_answer, so_far = space->models[best]->first_answer;
        if (own > 0 && (so_far == 0 || own < so_far))
            best = m;
    }
    return best;
}

static int space_read_rank_model(struct space *space, const struct yaml_node *node,
                                 struct error *error)
{
    const char *name;
    int status = yaml_string(node, "model", &name, error);
    size_t m = 0;
    while (!status && m < space->n_models && strcmp(space->models[m]->plugin.name, name) != 0)
        m++;
    if (!status && m == space->n_models) {
        yaml_error(node, error, "rank: model %.40s is none of the space's", name);
        return error_hint(error, "add it to its models");
    }
    space->rank_model = m;
    space->rank_model_said = true;
    return status;
}

static int space_read_rank(struct space *space, const struct yaml_node *root, struct error *error)
{
    const struct yaml_node *rank = yaml_get(root, "rank"), *node;
    long long top;
    int status = 0;
    space->rank_by = space->objectives[0].name;
    space->rank_mark = space->objectives[0].mark;
    space->rank_model = space_default_rank_model(space);
    space->top = 50;
    if (rank && (status = yaml_check_form(rank, "rank", space_rank_keys, error)))
        return error_hint(error, "for example {by: effective_bandwidth}");
    if (rank && (node = yaml_get(rank, "by"))) {
        if ((status = yaml_string(node, "by", &space->rank_by, error)))
            return status;
        space->rank_mark = node->mark;
    }
    if (rank && (node = yaml_get(rank, "model")) &&
        (status = space_read_rank_model(space, node, error)))
        return status;
    if (rank && (node = yaml_get(rank, "top"))) {
        if ((status = yaml_integer(node, "top", 1, 10000000, &top, error)))
            return status;
        space->top = (uint64_t)top;
    }
    if (rank && (node = yaml_get(rank, "aggregate")) &&
        (status = space_read_mean(space, node, error)))
        return status;
    /* The sense of the objective of that name, or what the metric suggests. */
    space->rank_sense = space_sense(space, space->rank_by);
    if (rank && (node = yaml_get(rank, "order")))
        status = sense_read(node, &space->rank_sense, error);
    return status;
}

const char *const space_plot_kinds[] = {"pareto",  "curve",  "bars",    "s-curve",
                                        "tornado", "heat",   "stacked", "roofline",
                                        "latency", "misses", "sharing"};

/* What is of the profiles, or of all workloads at once. */
static int plot_check_shape(const struct space_plot *plot, const struct yaml_node *item,
                            struct error *error)
{
    if (plot->kind == SPACE_PLOT_LATENCY && !(plot->x && plot->y))
        return yaml_error(item, error,
                          "a plot of latency needs x: the axis that raises the load, and y: a "
                          "metric in seconds such as latency_remote_hit");
    if (plot->kind == SPACE_PLOT_ROOFLINE && (!plot->by || plot->x || plot->y))
        return yaml_error(item, error,
                          "a roofline needs by: the axis whose values are compared; it has no x "
                          "and no y");
    if ((plot->kind == SPACE_PLOT_MISSES || plot->kind == SPACE_PLOT_SHARING) &&
        (plot->x || plot->y || plot->by))
        return yaml_error(item, error,
                          "a plot of %s shows the profiles at the best point: it has no x, y "
                          "and by",
                          space_plot_kinds[plot->kind]);
    return 0;
}

static int plot_check(const struct space *space, const struct space_plot *plot,
                      const struct yaml_node *item, struct error *error)
{
    bool bars = plot->kind == SPACE_PLOT_BARS;
    if (plot->kind == SPACE_PLOT_CURVE && !plot->x)
        return yaml_error(item, error, "a curve needs x: the axis that it runs over");
    if (bars && !plot->by && !plot->x)
        return yaml_error(item, error,
                          "a plot of bars needs by: the axis whose values are compared, or x: the "
                          "axis over which the workloads are");
    if (plot->kind == SPACE_PLOT_S_CURVE && !plot->by)
        return yaml_error(item, error, "an s-curve needs by: the axis whose values are compared");
    if (plot->kind == SPACE_PLOT_S_CURVE && plot->x)
        return yaml_error(item, error, "an s-curve runs over the workloads: it has no x");
    if (plot->kind == SPACE_PLOT_HEAT && !(plot->x && plot->by))
        return yaml_error(item, error, "a heat map needs x and by: the axes of its cells");
    if (plot->kind == SPACE_PLOT_TORNADO && (plot->x || plot->by))
        return yaml_error(item, error, "a tornado shows all axes: it has no x and no by");
    if (plot->kind == SPACE_PLOT_TORNADO && space->design != DESIGN_ONE_AT_A_TIME)
        return yaml_error(item, error, "a tornado needs design: one-at-a-time");
    return plot_check_shape(plot, item, error);
}

static int space_read_plots(struct space *space, const struct yaml_node *root, struct error *error)
{
    const struct yaml_node *list = yaml_get(root, "plots");
    int status = list ? yaml_expect(list, YAML_LIST, "plots", error) : 0;
    if (!list || status)
        return status;
    space->n_plots = list->count;
    space->plots = arena_alloc(space->arena, list->count * sizeof *space->plots);
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *item = list->items[i], *node;
        struct space_plot *plot = &space->plots[i];
        const char *kind = "pareto";
        plot->mark = item->mark;
        if ((status = yaml_check_form(item, "plots", space_plot_keys, error)))
            return status;
        if ((node = yaml_get(item, "kind")) && (status = yaml_string(node, "kind", &kind, error)))
            return status;
        int k = 0;
        while (k < SPACE_PLOT_KINDS && strcmp(kind, space_plot_kinds[k]) != 0)
            k++;
        if (k == SPACE_PLOT_KINDS) {
            yaml_error(node, error, "kind: unknown plot \"%.40s\"", kind);
            return error_hint(error, "known: pareto, curve, bars, s-curve, tornado, heat, stacked, "
                                     "roofline, latency, misses, sharing");
        }
        plot->kind = (enum space_plot_kind)k;
        struct mark *marks[] = {&plot->x_mark, &plot->y_mark, &plot->by_mark};
        const char **slots[] = {&plot->x, &plot->y, &plot->by, &plot->title};
        for (int s = 0; s < 4; s++) {
            const char *key = space_plot_keys[s + 1].name; /* behind kind */
            if (!(node = yaml_get(item, key)))
                continue;
            if ((status = yaml_string(node, key, slots[s], error)))
                return status;
            if (s < 3)
                *marks[s] = node->mark;
        }
        if ((status = plot_check(space, plot, item, error)) ||
            (status = space_read_parts(space, plot, item, error)) ||
            (status = space_read_published(space, plot, item, error)))
            return status;
    }
    return 0;
}

/* A name means one thing: a `let` may not hide a parameter, a metric or an axis,
 * and a tie may not set what an axis varies. */
static int space_check_names(const struct space *space, struct error *error)
{
    struct error ignored;
    struct parameter p;
    for (size_t i = 0; i < space->n_lets; i++) {
        const struct space_formula *let = &space->lets[i];
        bool taken = machine_find(space->machine, let->name, &p, &ignored) == 0;
        for (size_t m = 0; m < space->n_models && !taken; m++)
            taken = model_metric_find(space->models[m], let->name) != NULL;
        for (size_t a = 0; a < space->n_axes && !taken; a++)
            taken = strcmp(space->axes[a].name, let->name) == 0;
        if (taken) {
            error_at(error, STATUS_INPUT, &let->mark,
                     "let: \"%s\" is the name of a parameter, metric or axis already", let->name);
            return error_hint(error, "a name means one thing: choose another one");
        }
    }
    for (size_t i = 0; i < space->n_sets; i++)
        for (size_t a = 0; a < space->n_axes; a++)
            for (size_t k = 0; k < space->axes[a].values[0].n_assignments; k++)
                if (strcmp(space->axes[a].values[0].assignments[k].path, space->sets[i].name) == 0)
                    return error_at(error, STATUS_INPUT, &space->sets[i].mark,
                                    "set: %s is varied by axis %s already", space->sets[i].name,
                                    space->axes[a].name);
    for (size_t m = 0; m < space->n_models; m++)
        for (size_t k = 0; k < m; k++)
            if (space->models[k] == space->models[m])
                return error_set(error, STATUS_INPUT, "%s: model %s is named twice", space->path,
                                 space->models[m]->plugin.name);
    return 0;
}

size_t space_conditions(const struct space *space)
{
    return space->n_wheres + space->n_sets + 1;
}

uint64_t space_count(const struct space *space)
{
    uint64_t count = 1; /* one-at-a-time: the base point */
    for (size_t i = 0; i < space->n_axes; i++) {
        if (space->design == DESIGN_ONE_AT_A_TIME)
            count += space->axes[i].n_values;
        else if (__builtin_mul_overflow(count, (uint64_t)space->axes[i].n_values, &count))
            return UINT64_MAX;
    }
    return count;
}

static int space_read(struct space *space, struct error *error)
{
    const struct yaml_node *root = space->document->root, *node;
    struct yaml_node *name;
    int status;
    if ((status = yaml_check_form(root, "a space", space_keys, error)) ||
        (status = yaml_require(root, "a space", "space", &name, error)) ||
        (status = yaml_string(name, "space", &space->name, error)))
        return status;
    space->summary = "";
    if ((node = yaml_get(root, "summary")) &&
        (status = yaml_string(node, "summary", &space->summary, error)))
        return status;
    if ((node = yaml_get(root, "speedup_vs"))) {
        if ((status = yaml_string(node, "speedup_vs", &space->speedup_vs, error)))
            return status;
        space->speedup_mark = node->mark;
    }
    if ((node = yaml_get(root, "design"))) {
        if (node->kind == YAML_SCALAR && strcmp(node->text, "one-at-a-time") == 0)
            space->design = DESIGN_ONE_AT_A_TIME;
        else if (node->kind != YAML_SCALAR || strcmp(node->text, "cross") != 0)
            return yaml_error(node, error, "design: expected cross or one-at-a-time");
    }
    if ((status = space_read_machine(space, root, error)) ||
        (status = space_read_names(space, root, error)) ||
        (status = space_read_axes(space, root, error)) ||
        (status = space_read_formulas(space, root, "set", &space->sets, &space->n_sets, error)) ||
        (status = space_read_formulas(space, root, "let", &space->lets, &space->n_lets, error)) ||
        (status =
             space_read_formulas(space, root, "where", &space->wheres, &space->n_wheres, error)) ||
        (status = space_read_objectives(space, root, error)) ||
        (status = space_read_rank(space, root, error)) ||
        (status = space_read_spreads(space, root, error)) ||
        (status = space_read_figure(space, root, error)) ||
        (status = space_read_plots(space, root, error)))
        return status;
    if (space_count(space) > (uint64_t)1 << 62)
        return yaml_error(yaml_get(root, "axes"), error, "the axes span more than 2^62 points");
    status = space_check_names(space, error);
    return status ? status : space_check_ranking(space, error);
}

void space_set_workloads(struct space *space, const char *const *workloads, size_t count)
{
    space->n_workloads = count;
    space->workloads = arena_alloc(space->arena, count * sizeof *space->workloads);
    space->workload_marks = arena_alloc(space->arena, count * sizeof *space->workload_marks);
    memcpy(space->workloads, workloads, count * sizeof *workloads);
}

int space_set_models(struct space *space, const char *const *names, size_t count,
                     struct error *error)
{
    const struct model *ranking = space->models[space->rank_model];
    space->n_models = count;
    space->models = arena_alloc(space->arena, count * sizeof *space->models);
    for (size_t i = 0; i < count; i++) {
        const struct plugin *plugin;
        int status = plugin_require("model", names[i], &plugin, error);
        if (status)
            return status;
        space->models[i] = (const struct model *)plugin;
    }
    space->rank_model = space_default_rank_model(space);
    for (size_t i = 0; i < count && space->rank_model_said; i++)
        if (space->models[i] == ranking)
            space->rank_model = i;
    return space_check_names(space, error);
}

/* --- shipped spaces ------------------------------------------------------------ */

void space_catalogue(struct catalogue *out)
{
    catalogue_read(out, "spaces", false, "space");
}

int space_load(const char *name_or_path, struct space **out, struct error *error)
{
    struct catalogue catalogue;
    char *path;
    *out = NULL;
    space_catalogue(&catalogue);
    int status = catalogue_resolve(&catalogue, "space", name_or_path, &path, error);
    catalogue_fini(&catalogue);
    if (status)
        return status;
    struct space *space = memory_zero(1, sizeof *space);
    space->arena = arena_create();
    space->path = arena_strdup(space->arena, path);
    free(path);
    status = yaml_load(space->path, &space->document, error);
    if (!status)
        status = space_read(space, error);
    if (status) {
        space_destroy(space);
        return status;
    }
    *out = space;
    return 0;
}

void space_destroy(struct space *space)
{
    if (!space)
        return;
    machine_destroy(space->machine);
    yaml_destroy(space->document);
    arena_destroy(space->arena);
    free(space);
}
