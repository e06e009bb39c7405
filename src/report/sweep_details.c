/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands behind a ranking: what each value of an axis is worth (marginals.csv), and what
 * limits the best points (limits.csv). */
#include <math.h>
#include <stdlib.h>

#include "explore/answer/limits.h"
#include "explore/sweep/marginals.h"
#include "explore/answer/point.h"
#include "report/sweep_internal.h"
#include "report/sweep_report.h"

/* Points whose limits are told, and how far down the ranking they are looked for: those that a
 * table would not tell apart have the same ones. */
enum { LIMITED_POINTS = 3, LIMITED_LOOKS = 1000 };
static const double SAME = 1e-4;

size_t sweep_axis_ids(const struct sweep *sweep, size_t a, uint64_t ids[SWEEP_AXIS_IDS],
                      size_t values[SWEEP_AXIS_IDS])
{
    const struct space_axis *axis = &sweep->space->axes[a];
    struct arena *arena = arena_create();
    struct sweep_part *parts;
    uint64_t best = sweep->ranking.items[0];
    size_t n = axis->n_values < SWEEP_AXIS_IDS ? axis->n_values : SWEEP_AXIS_IDS;
    sweep_parts(sweep->space, arena, &parts);
    uint64_t stride = parts[0].strides[a];
    for (size_t i = 0; i < n; i++) {
        values[i] = n < 2 ? 0 : i * (axis->n_values - 1) / (n - 1);
        ids[i] = best - best / stride % axis->n_values * stride + values[i] * stride;
    }
    arena_destroy(arena);
    return n;
}

/* --- marginals --------------------------------------------------------------------------- */

/* What points are ranked by along an axis at the best one, by value; NaN: not known. */
static int at_best(const struct sweep *sweep, size_t a, double *out, struct error *error)
{
    uint64_t ids[SWEEP_AXIS_IDS];
    size_t values[SWEEP_AXIS_IDS], rank;
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    int status = 0;
    for (size_t v = 0; v < sweep->space->axes[a].n_values; v++)
        out[v] = (double)NAN;
    if (sweep->space->design == DESIGN_CROSS && sweep->ranking.count &&
        !(status = sweep_column_find(sweep, sweep->space->rank_by, &rank, error))) {
        size_t n = sweep_axis_ids(sweep, a, ids, values);
        status = sweep_rows(sweep, ids, n, arena, &rows, error);
        for (size_t i = 0; i < n && !status; i++)
            if (rows[i].kept)
                out[values[i]] = rows[i].values[rank];
    }
    arena_destroy(arena);
    return status;
}

static int write_marginal_axis(struct csv_writer *csv, const struct sweep *sweep, size_t a,
                               struct error *error)
{
    const struct space_axis *axis = &sweep->space->axes[a];
    struct arena *arena = arena_create();
    double *best = arena_alloc(arena, axis->n_values * sizeof *best);
    double share =
        sweep->space->design == DESIGN_CROSS ? marginals_share(sweep->marginals, a) : (double)NAN;
    struct marginal marginal;
    int status = at_best(sweep, a, best, error);
    for (size_t v = 0; v < axis->n_values && !status; v++) {
        if (!marginals_value(sweep->marginals, a, v, &marginal))
            break;
        csv_write_text(csv, axis->name);
        csv_write_text(csv, sweep_value_label(sweep, a, v, arena));
        csv_write_known(csv,
                        axis->numeric ? axis->values[v].assignments[0].value.number : (double)NAN);
        csv_write_integer(csv, marginal.points);
        csv_write_known(csv, marginal.best);
        csv_write_known(csv, marginal.mean);
        csv_write_known(csv, best[v]);
        csv_write_known(csv, share);
        csv_end_row(csv);
    }
    arena_destroy(arena);
    return status;
}

int sweep_write_marginals(const struct sweep *sweep, struct sweep_folder *folder,
                          struct error *error)
{
    static const char *const titles[] = {"axis", "value", "number",  "points",
                                         "best", "mean",  "at_best", "variance_share"};
    struct csv_writer csv = {0};
    int status = sweep_folder_open(folder, "marginals.csv", &csv.stream, error);
    if (status)
        return status;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        csv_write_text(&csv, titles[i]);
    csv_end_row(&csv);
    for (size_t a = 0; a < sweep->space->n_axes && !status; a++)
        status = write_marginal_axis(&csv, sweep, a, error);
    return sweep_folder_close(folder, status, error);
}

/* --- limits ------------------------------------------------------------------------------ */

static void write_limits(struct csv_writer *csv, size_t rank, const char *workload,
                         const struct model *model, const struct answer *answer)
{
    struct limits limits;
    limits_find(answer, &limits);
    for (size_t i = 0; i < limits.count; i++) {
        const struct limit *l = &limits.items[i];
        csv_write_integer(csv, rank);
        csv_write_text(csv, workload);
        csv_write_text(csv, model->plugin.name);
        csv_write_text(csv, l->name);
        csv_write_text(csv, l->binds ? "yes" : "no");
        csv_write_known(csv, l->used);
        csv_write_known(csv, l->twice);
        csv_write_text(csv, l->behind ? l->behind : "");
        csv_write_known(csv, limits.share);
        csv_end_row(csv);
    }
    VECTOR_FREE(&limits);
}

/* A model that does not answer for a point leaves it out. */
static int write_point_limits(struct csv_writer *csv, const struct sweep *sweep, size_t rank,
                              const struct machine *machine, size_t size, struct error *error)
{
    const struct model *model = space_ranking_model(sweep->space);
    int status = 0;
    if (!model)
        model = sweep->space->models[sweep->space->rank_model];
    for (size_t w = 0; w < sweep->space->n_workloads && !status; w++) {
        struct point point;
        struct answer *answer = NULL;
        status = point_open(&point, sweep_subject(sweep, size, w), machine, model, error);
        if (!status)
            status = point_answer(&point, &answer, error);
        if (!status)
            write_limits(csv, rank, sweep->workload_names[w], model, answer);
        else if (status == STATUS_INFEASIBLE)
            status = 0;
        answer_destroy(answer);
        point_close(&point);
    }
    return status;
}

/* The places in the ranking of the first points that differ in what it is by. */
static int find_different(const struct sweep *sweep, size_t places[LIMITED_POINTS], size_t *count,
                          struct error *error)
{
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    size_t looks = sweep->ranking.count < LIMITED_LOOKS ? sweep->ranking.count : LIMITED_LOOKS;
    size_t rank = 0;
    int status = sweep_column_find(sweep, sweep->space->rank_by, &rank, error);
    if (!status)
        status = sweep_rows(sweep, sweep->ranking.items, looks, arena, &rows, error);
    *count = 0;
    for (size_t i = 0; i < looks && !status && *count < LIMITED_POINTS; i++) {
        double value = rows[i].values[rank];
        double last = *count ? rows[places[*count - 1]].values[rank] : (double)NAN;
        if (!(fabs(value - last) <= SAME * fabs(last)))
            places[(*count)++] = i;
    }
    arena_destroy(arena);
    return status;
}

static int write_limits_of(struct csv_writer *csv, const struct sweep *sweep, const size_t *places,
                           size_t count, struct error *error)
{
    struct machine *machines[LIMITED_POINTS] = {NULL};
    size_t sizes[LIMITED_POINTS];
    uint64_t ids[LIMITED_POINTS];
    for (size_t i = 0; i < count; i++)
        ids[i] = sweep->ranking.items[places[i]];
    int status = sweep_machines(sweep, ids, count, machines, sizes, error);
    for (size_t i = 0; i < count && !status; i++)
        status = write_point_limits(csv, sweep, places[i] + 1, machines[i], sizes[i], error);
    for (size_t i = 0; i < count; i++)
        machine_destroy(machines[i]);
    return status;
}

int sweep_write_limits(const struct sweep *sweep, struct sweep_folder *folder, struct error *error)
{
    static const char *const titles[] = {"rank", "workload", "model",  "resource",  "binds",
                                         "used", "twice",    "behind", "time_share"};
    size_t places[LIMITED_POINTS], count = 0;
    struct csv_writer csv = {0};
    int status = sweep_folder_open(folder, "limits.csv", &csv.stream, error);
    if (status)
        return status;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        csv_write_text(&csv, titles[i]);
    csv_end_row(&csv);
    if (sweep->ranking.count)
        status = find_different(sweep, places, &count, error);
    if (!status)
        status = write_limits_of(&csv, sweep, places, count, error);
    return sweep_folder_close(folder, status, error);
}
