/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a space reproduces of a paper: the figure, groups of workloads with a mean of their own,
 * published values and trends of its plots. */
#include <string.h>

#include "explore/space/space_internal.h"
#include "explore/space/spread.h"
#include "workload/open/spec.h"

const char *const space_ways[] = {
    [SPACE_FALLS] = "falls", [SPACE_FLAT] = "flat", [SPACE_RISES] = "rises", NULL};

/* The name of a workload as it is written, without its settings. */
static size_t name_length(const char *spec)
{
    return strcspn(spec, ":");
}

bool space_group_has(const struct space *space, const struct space_group *group, size_t workload)
{
    const char *spec = space->workloads[workload];
    size_t length = name_length(spec);
    for (size_t i = 0; i < group->n_workloads; i++)
        if (strlen(group->workloads[i]) == length &&
            strncmp(group->workloads[i], spec, length) == 0)
            return true;
    return false;
}

int space_set_input(struct space *space, const char *input, struct error *error)
{
    for (size_t w = 0; w < space->n_workloads; w++) {
        struct workload_spec spec;
        int status = workload_spec_parse(space->arena, space->workloads[w], &spec, error);
        if (status) {
            error_place(error, &space->workload_marks[w]);
            return status;
        }
        space->workloads[w] = workload_spec_with_input(space->arena, &spec, input);
    }
    return 0;
}

static int read_strings(struct arena *arena, const struct yaml_node *list, const char *what,
                        const char ***out, size_t *count, struct error *error)
{
    int status = yaml_expect(list, YAML_LIST, what, error);
    if (!status && list->count == 0)
        status = yaml_error(list, error, "%s: the list is empty", what);
    *count = status ? 0 : list->count;
    *out = arena_alloc(arena, (*count + 1) * sizeof **out);
    for (size_t i = 0; i < *count && !status; i++)
        status = yaml_string(list->items[i], what, &(*out)[i], error);
    (*out)[*count] = NULL;
    return status;
}

/* Each is among the workloads of the space: a mean over others would go without them in silence. */
static int check_group(const struct space *space, const struct space_group *group,
                       const struct yaml_node *list, struct error *error)
{
    for (size_t i = 0; i < group->n_workloads; i++) {
        const struct space_group one = {group->name, &group->workloads[i], 1};
        bool found = false;
        for (size_t w = 0; w < space->n_workloads && !found; w++)
            found = space_group_has(space, &one, w);
        if (!found) {
            yaml_error(list->items[i], error, "groups: \"%.80s\" is no workload of the space",
                       group->workloads[i]);
            return error_hint(error, "names stand here without settings, as in workloads: [%.80s]",
                              space->workloads[0]);
        }
    }
    return 0;
}

static int read_groups(struct space *space, const struct yaml_node *map, struct error *error)
{
    int status = yaml_expect(map, YAML_MAP, "groups", error);
    if (status)
        return status;
    space->groups = arena_alloc(space->arena, map->count * sizeof *space->groups);
    for (size_t i = 0; i < map->count && !status; i++) {
        struct space_group *group = &space->groups[space->n_groups++];
        group->name = map->keys[i]->text;
        status = read_strings(space->arena, map->items[i], "groups", &group->workloads,
                              &group->n_workloads, error);
        if (!status)
            status = check_group(space, group, map->items[i], error);
    }
    return status;
}

int space_read_figure(struct space *space, const struct yaml_node *root, struct error *error)
{
    const struct yaml_node *groups = yaml_get(root, "groups"), *node = yaml_get(root, "figure");
    struct yaml_node *paper, *where;
    const char **places;
    size_t count;
    int status = groups ? read_groups(space, groups, error) : 0;
    if (status || !node)
        return status;
    space->figure.mark = node->mark;
    if ((status = yaml_check_form(node, "figure", space_figure_keys, error)) ||
        (status = yaml_require(node, "a figure", "paper", &paper, error)) ||
        (status = yaml_require(node, "a figure", "where", &where, error)) ||
        (status = yaml_string(paper, "paper", &space->figure.paper, error)) ||
        (status = read_strings(space->arena, where, "where", &places, &count, error))) {
        error_hint(error, "for example: figure: {paper: sac, where: [Fig. 8]}");
        return status;
    }
    space->figure.where = places;
    return 0;
}

static int read_values(struct space *space, struct space_plot *plot, const struct yaml_node *list,
                       struct error *error)
{
    int status = yaml_expect(list, YAML_LIST, "published", error);
    bool curves = plot->kind == SPACE_PLOT_CURVE && plot->by;
    if (!status && plot->kind != SPACE_PLOT_BARS && !curves)
        status = yaml_error(list, error,
                            "published values stand in plots of bars, and of curves with by");
    if (!status && !space->figure.paper) {
        status = yaml_error(list, error, "published values need the paper that they are of");
        error_hint(error, "for example: figure: {paper: sac, where: [Fig. 8]}");
    }
    if (status)
        return status;
    plot->published = arena_alloc(space->arena, list->count * sizeof *plot->published);
    for (size_t i = 0; i < list->count && !status; i++) {
        struct space_published *one = &plot->published[plot->n_published++];
        const char **slots[] = {&one->figure, &one->of, &one->at};
        one->mark = list->items[i]->mark;
        status = yaml_check_form(list->items[i], "published", space_published_keys, error);
        for (int k = 0; k < 3 && !status; k++) {
            struct yaml_node *node;
            const char *key = space_published_keys[k].name;
            status = yaml_require(list->items[i], "a published value", key, &node, error);
            if (!status)
                status = yaml_string(node, key, slots[k], error);
        }
    }
    return status;
}

static int read_trends(struct space *space, struct space_plot *plot, const struct yaml_node *map,
                       struct error *error)
{
    int status = yaml_expect(map, YAML_MAP, "trends", error);
    if (!status && (!plot->x || !plot->by))
        status = yaml_error(map, error, "trends need x, along which they go, and by, the series");
    if (status)
        return status;
    plot->trends = arena_alloc(space->arena, map->count * sizeof *plot->trends);
    for (size_t i = 0; i < map->count && !status; i++) {
        struct space_trend *trend = &plot->trends[plot->n_trends++];
        const char *way = "";
        int k = 0;
        *trend = (struct space_trend){.at = map->keys[i]->text, .mark = map->keys[i]->mark};
        status = yaml_string(map->items[i], "trends", &way, error);
        while (space_ways[k] && strcmp(space_ways[k], way) != 0)
            k++;
        trend->way = (enum space_way)k;
        if (!status && !space_ways[k]) {
            status = yaml_error(map->items[i], error, "trends: unknown way \"%.40s\"", way);
            error_hint(error, "known: falls, flat, rises");
        }
    }
    return status;
}

int space_read_parts(struct space *space, struct space_plot *plot, const struct yaml_node *item,
                     struct error *error)
{
    const struct yaml_node *list = yaml_get(item, "parts");
    bool stacked = plot->kind == SPACE_PLOT_STACKED;
    if (list && !stacked)
        return yaml_error(list, error, "parts are of plots of kind stacked");
    if (!stacked)
        return 0;
    if (plot->y)
        return error_at(error, STATUS_INPUT, &plot->y_mark, "a stacked plot has parts: no y");
    if (!plot->x == !plot->by)
        return yaml_error(item, error,
                          "a stacked plot needs by: the axis whose values stand side by side for "
                          "each workload, or x: one whose values have a bar each");
    int status =
        list ? read_strings(space->arena, list, "parts", &plot->parts, &plot->n_parts, error) : 0;
    if (!status && plot->n_parts < 2) {
        yaml_error(list ? list : item, error, "a stacked plot needs parts: two metrics or more");
        return error_hint(error, "parts: [responses_local_llc, responses_remote_llc]");
    }
    plot->part_marks = arena_alloc(space->arena, (plot->n_parts + 1) * sizeof *plot->part_marks);
    for (size_t i = 0; i < plot->n_parts && !status; i++)
        plot->part_marks[i] = list->items[i]->mark;
    return status;
}

int space_read_published(struct space *space, struct space_plot *plot, const struct yaml_node *item,
                         struct error *error)
{
    const struct yaml_node *of = yaml_get(item, "of"), *published = yaml_get(item, "published"),
                           *trends = yaml_get(item, "trends");
    int status = 0;
    if (of) {
        plot->of_groups = of->kind == YAML_SCALAR && strcmp(of->text, "groups") == 0;
        if (!plot->of_groups)
            status = yaml_error(of, error, "of: expected groups");
        else if (plot->kind != SPACE_PLOT_BARS || (plot->x && plot->by) || !space->n_groups)
            status = yaml_error(of, error,
                                "of: groups is for bars by one axis (x or by), in a space that has "
                                "groups");
    }
    if (!status && published)
        status = read_values(space, plot, published, error);
    if (!status && trends)
        status = read_trends(space, plot, trends, error);
    return status;
}

int space_read_spreads(struct space *space, const struct yaml_node *root, struct error *error)
{
    const struct yaml_node *map = yaml_get(root, "uncertainty");
    int status = map ? yaml_expect(map, YAML_MAP, "uncertainty", error) : 0;
    if (!map || status)
        return status;
    space->n_spreads = map->count;
    space->spreads = arena_alloc(space->arena, map->count * sizeof *space->spreads);
    for (size_t i = 0; i < map->count && !status; i++) {
        struct space_spread *one = &space->spreads[i];
        struct spread spread;
        one->path = map->keys[i]->text;
        one->mark = map->items[i]->mark;
        status = yaml_string(map->items[i], "uncertainty", &one->text, error);
        if (!status)
            status = spread_read(space->machine, one->path, one->text, &one->mark, &spread, error);
    }
    if (status)
        error_context(error, "uncertainty");
    return status;
}
