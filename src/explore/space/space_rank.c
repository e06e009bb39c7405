/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a space ranks by: which way, by whose answer, and whether that misleads. */
#include <stdio.h>
#include <string.h>

#include "explore/space/space_internal.h"

/* True for "metric", "model.metric", and either with "@workload". */
static bool names_metric(const char *name, const char *metric)
{
    size_t length = strcspn(name, "@"), wanted = strlen(metric);
    return length >= wanted && strncmp(name + length - wanted, metric, wanted) == 0 &&
           (length == wanted || name[length - wanted - 1] == '.');
}

enum pareto_sense space_sense(const struct space *space, const char *name)
{
    for (size_t i = 0; i < space->n_objectives; i++)
        if (strcmp(space->objectives[i].name, name) == 0)
            return space->objectives[i].sense;
    return names_metric(name, "kernel_time") ? PARETO_MINIMISE : PARETO_MAXIMISE;
}

enum pareto_sense space_where_sense(const struct space *space, size_t where)
{
    const struct expression *e = space->wheres[where].expression;
    return e->op == EXPRESSION_NAME ? space_sense(space, e->name) : PARETO_MAXIMISE;
}

const struct model *space_ranking_model(const struct space *space)
{
    for (size_t i = 0; i < space->n_lets; i++)
        if (strcmp(space->lets[i].name, space->rank_by) == 0)
            return NULL;
    for (size_t i = 0; i < space->n_models; i++) {
        const struct model *model = space->models[(space->rank_model + i) % space->n_models];
        size_t prefix = strlen(model->plugin.name), length = strcspn(space->rank_by, "@");
        bool named = strncmp(space->rank_by, model->plugin.name, prefix) == 0 &&
                     space->rank_by[prefix] == '.';
        char metric[100];
        snprintf(metric, sizeof metric, "%.*s", (int)(length < 99 ? length : 99), space->rank_by);
        if (model_metric_find(model, named ? metric + prefix + 1 : metric))
            return model;
    }
    return NULL;
}

/* Parameters whose change makes L1 ask for other bytes; a name may stand for some. */
static bool changes_requests(const struct space *space, const char *path)
{
    struct parameter p;
    struct error ignored;
    bool name = machine_find(space->machine, path, &p, &ignored) == 0 && p.row->expand;
    return name || strncmp(path, "l1.", 3) == 0 || strcmp(path, "line") == 0 ||
           strcmp(path, "sectors") == 0;
}

static bool is_post_l1_bandwidth(const struct space *space, const char *name, size_t depth);

static bool expression_is_post_l1(const struct space *space, const struct expression *e,
                                  size_t depth)
{
    bool found = e->op == EXPRESSION_NAME && is_post_l1_bandwidth(space, e->name, depth);
    for (int i = 0; i < e->n_args && !found; i++)
        found = expression_is_post_l1(space, e->args[i], depth);
    return found;
}

/* The metric itself, or a `let` that contains it. */
static bool is_post_l1_bandwidth(const struct space *space, const char *name, size_t depth)
{
    for (size_t i = 0; i < space->n_lets && depth <= space->n_lets; i++)
        if (strcmp(space->lets[i].name, name) == 0)
            return expression_is_post_l1(space, space->lets[i].expression, depth + 1);
    return names_metric(name, "effective_bandwidth");
}

int space_check_ranking(const struct space *space, struct error *error)
{
    const struct mark *mark = &space->rank_mark;
    const char *by = is_post_l1_bandwidth(space, space->rank_by, 0) ? space->rank_by : NULL;
    for (size_t i = 0; i < space->n_objectives && !by; i++)
        if (is_post_l1_bandwidth(space, space->objectives[i].name, 0)) {
            by = space->objectives[i].name;
            mark = &space->objectives[i].mark;
        }
    for (size_t i = 0; i < space->n_axes && by; i++)
        for (size_t k = 0; k < space->axes[i].values[0].n_assignments; k++) {
            const char *path = space->axes[i].values[0].assignments[k].path;
            if (!changes_requests(space, path))
                continue;
            error_at(error, STATUS_INPUT, mark,
                     "ranking by %s would mislead: axis %s changes the bytes that L1 asks for, "
                     "and a better L1 asks for fewer",
                     by, path);
            return error_hint(error,
                              "rank by kernel_time, or by speedup (speedup_vs: memory-side)");
        }
    return 0;
}
