/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plot of a space says of its paper: published values at its places, and trends. */
#include <math.h>
#include <string.h>

#include "core/suggest.h"
#include "report/sweep_internal.h"
#include "validate/paper.h"

int sweep_plot_value_find(const struct sweep *sweep, size_t axis, const char *label,
                          const struct mark *mark, size_t *out, struct error *error)
{
    const struct space_axis *a = &sweep->space->axes[axis];
    struct suggest suggest = suggest_begin(label);
    struct arena *arena = arena_create();
    size_t v = 0;
    for (; v < a->n_values; v++) {
        const char *name = sweep_value_label(sweep, axis, v, arena);
        if (strcmp(name, label) == 0)
            break;
        suggest_offer(&suggest, name);
    }
    *out = v;
    int status = 0;
    if (v == a->n_values) {
        status = error_at(error, STATUS_INPUT, mark, "the axis %s has no value \"%.80s\"", a->name,
                          label);
        suggest_hint(&suggest, error);
    }
    arena_destroy(arena);
    return status;
}

/* A name among `count`; SIZE_MAX: none of them. */
static size_t find_name(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i < count ? i : SIZE_MAX;
}

int sweep_published(const struct sweep *sweep, const struct space_plot *wanted,
                    const struct plot_bars *bars, struct arena *arena, double **out,
                    struct error *error)
{
    struct published *paper = NULL;
    size_t n = bars->series * bars->clusters;
    *out = NULL;
    if (!wanted->n_published)
        return 0;
    *out = arena_alloc(arena, n * sizeof **out);
    for (size_t i = 0; i < n; i++)
        (*out)[i] = (double)NAN;
    int status = paper_load_of(sweep->space, &paper, error);
    for (size_t i = 0; i < wanted->n_published && !status; i++) {
        const struct space_published *one = &wanted->published[i];
        const struct published_figure *figure;
        status = paper_figure(paper, one->figure, &one->mark, &figure, error);
        if (status)
            break;
        /* Along x, and which colour: or the other way round. */
        const char *names[] = {one->of, one->at};
        for (int k = 0; k < 2; k++) {
            size_t cluster = find_name(bars->cluster_names, bars->clusters, names[k]);
            size_t series = find_name(bars->series_names, bars->series, names[!k]);
            if (cluster < SIZE_MAX && series < SIZE_MAX)
                (*out)[series * bars->clusters + cluster] = figure->row.published;
        }
    }
    published_destroy(paper);
    return status;
}

/* A value of one of the plot's axes, or, where bars are of workloads, a group or a workload. */
static int check_place(const struct sweep *sweep, const struct space_plot *wanted, const char *name,
                       const struct mark *mark, struct error *error)
{
    const struct space *space = sweep->space;
    const char *axes[] = {wanted->x, wanted->by};
    struct error inner;
    size_t place;
    for (int a = 0; a < 2; a++)
        if (axes[a] && sweep_plot_value_find(sweep, sweep_axis_find(sweep, axes[a]), name, mark,
                                             &place, &inner) == 0)
            return 0;
    for (size_t g = 0; g < space->n_groups; g++)
        if (strcmp(space->groups[g].name, name) == 0)
            return 0;
    struct space_group one = {name, &name, 1};
    for (size_t w = 0; w < space->n_workloads; w++)
        if (space_group_has(space, &one, w))
            return 0;
    for (int m = MEAN_HARMONIC; m <= MEAN_ARITHMETIC; m++) /* the bars of all workloads */
        if (strncmp(space_mean_names[m], name, strcspn(name, " ")) == 0)
            return 0;
    error_at(error, STATUS_INPUT, mark, "the plot has nothing of the name \"%.80s\"", name);
    return error_hint(error, "it has the values of its axes, workloads and groups");
}

int sweep_published_check(const struct sweep *sweep, const struct space_plot *wanted,
                          struct error *error)
{
    struct published *paper = NULL;
    int status = wanted->n_published ? paper_load_of(sweep->space, &paper, error) : 0;
    for (size_t i = 0; i < wanted->n_published && !status; i++) {
        const struct space_published *one = &wanted->published[i];
        const struct published_figure *figure;
        status = paper_figure(paper, one->figure, &one->mark, &figure, error);
        if (!status)
            status = check_place(sweep, wanted, one->of, &one->mark, error);
        if (!status)
            status = check_place(sweep, wanted, one->at, &one->mark, error);
    }
    for (size_t i = 0; i < wanted->n_trends && !status; i++) {
        size_t place;
        status =
            sweep_plot_value_find(sweep, sweep_axis_find(sweep, wanted->by), wanted->trends[i].at,
                                  &wanted->trends[i].mark, &place, error);
    }
    published_destroy(paper);
    return status;
}
