/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a ranking does not show of itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/answer_first.h"
#include "report/answer_kinds.h"
#include "report/sweep_internal.h"
#include "report/sweep_report.h"

/* What a table does not show. */
static const double SAME = 1e-4;

/* The metric that points are ranked by, as another model has it. */
static size_t column_of_model(const struct sweep *sweep, const struct model *model)
{
    const char *by = sweep->space->rank_by;
    char name[200];
    struct error ignored;
    size_t column, prefix = strlen(space_ranking_model(sweep->space)->plugin.name);
    bool named = strncmp(by, space_ranking_model(sweep->space)->plugin.name, prefix) == 0 &&
                 by[prefix] == '.';
    snprintf(name, sizeof name, "%s.%s", model->plugin.name, named ? by + prefix + 1 : by);
    return sweep_column_find(sweep, name, &column, &ignored) ? SIZE_MAX : column;
}

/* Points that are looked at: the ranking, then the sample. */
struct looked {
    struct sweep_row *rows;
    size_t count;
    size_t ranked; /* of these, the first ones: of the ranking, in its order */
};

/* Sampled points that one model sees on the other side of the baseline than another. */
static size_t count_sides(const struct sweep *sweep, const struct looked *seen,
                          const struct model *model)
{
    char names[2][100];
    size_t columns[2], sides = 0;
    struct error ignored;
    const struct model *both[] = {space_ranking_model(sweep->space), model};
    for (int i = 0; i < 2; i++) {
        snprintf(names[i], sizeof names[i], "%s.speedup", both[i]->plugin.name);
        if (!sweep->baseline || sweep_column_find(sweep, names[i], &columns[i], &ignored))
            return 0;
    }
    for (size_t r = seen->ranked; r < seen->count; r++) {
        double a = seen->rows[r].kept ? seen->rows[r].values[columns[0]] : (double)NAN;
        double b = seen->rows[r].kept ? seen->rows[r].values[columns[1]] : (double)NAN;
        sides += fmin(a, b) * ANSWER_FIRST_ALIKE < 1 && fmax(a, b) > ANSWER_FIRST_ALIKE;
    }
    return sides;
}

static void remark_model(const struct sweep *sweep, const struct looked *seen, size_t own,
                         const struct model *model, struct text *out)
{
    size_t other = column_of_model(sweep, model), best = SIZE_MAX, apart = 0, both = 0;
    bool least = sweep->space->rank_sense == PARETO_MINIMISE;
    for (size_t r = 0; r < seen->count && other < SIZE_MAX; r++) {
        if (!seen->rows[r].kept)
            continue;
        double a = seen->rows[r].values[own], b = seen->rows[r].values[other];
        if (!(a > 0) || !(b > 0))
            continue;
        both += r >= seen->ranked;
        apart += r >= seen->ranked && fmax(a, b) / fmin(a, b) > ANSWER_KINDS_APART;
        double so_far = best < SIZE_MAX ? seen->rows[best].values[other] : (double)NAN;
        if (best == SIZE_MAX || (least ? b < so_far : b > so_far))
            best = r;
    }
    if (!both || best == SIZE_MAX)
        return;
    text_printf(out, "%s (%s) differs by more than %.0f %% on %zu of %zu points looked at; ",
                model->plugin.name, model->answer, 100 * (ANSWER_KINDS_APART - 1), apart, both);
    size_t sides = count_sides(sweep, seen, model);
    if (sides)
        text_printf(out, "on %zu one is faster than the baseline, and the other slower; ", sides);
    double first = seen->rows[0].values[other], top = seen->rows[best].values[other];
    if (best == 0 || !(fmax(first, top) / fmin(first, top) > 1 + SAME))
        text_append(out, "the best is the same\n");
    else if (best < seen->ranked)
        text_printf(out, "its best is at rank %zu, %.3g times the first\n", best + 1,
                    fmax(first, top) / fmin(first, top));
    else
        text_printf(out, "its best is beyond the ranking, %.3g times the first\n",
                    fmax(first, top) / fmin(first, top));
}

static int remark_models(const struct sweep *sweep, struct text *out, struct error *error)
{
    const struct model *ranking = space_ranking_model(sweep->space);
    struct arena *arena = arena_create();
    struct sweep_ids ids = {0};
    struct looked seen = {.ranked = sweep->ranking.count};
    size_t own = ranking ? column_of_model(sweep, ranking) : SIZE_MAX;
    int status = 0;
    if (own < SIZE_MAX && sweep->space->n_models > 1 && sweep->ranking.count) {
        for (size_t i = 0; i < sweep->ranking.count; i++)
            VECTOR_PUSH(&ids, sweep->ranking.items[i]);
        sweep_sample_ids(sweep, &ids);
        seen.count = ids.count;
        status = sweep_rows_brief(sweep, ids.items, ids.count, arena, &seen.rows, error);
        for (size_t m = 0; m < sweep->space->n_models && !status; m++)
            if (sweep->space->models[m] != ranking)
                remark_model(sweep, &seen, own, sweep->space->models[m], out);
    }
    VECTOR_FREE(&ids);
    arena_destroy(arena);
    return status;
}

/* How far the axis moves the metric at the best point, where that is no preference. */
static int remark_axis(const struct sweep *sweep, size_t a, size_t rank, struct text *out,
                       struct error *error)
{
    const struct space_axis *axis = &sweep->space->axes[a];
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    uint64_t ids[SWEEP_AXIS_IDS];
    size_t values[SWEEP_AXIS_IDS], n = sweep_axis_ids(sweep, a, ids, values), known = 0;
    double low = HUGE_VAL, high = -HUGE_VAL;
    int status = sweep_rows(sweep, ids, n, arena, &rows, error);
    for (size_t i = 0; i < n && !status; i++) {
        if (!rows[i].kept)
            continue;
        known++;
        low = fmin(low, rows[i].values[rank]);
        high = fmax(high, rows[i].values[rank]);
    }
    if (!status && known > 1 && high - low <= (ANSWER_FIRST_ALIKE - 1) * fabs(high)) {
        text_printf(out, "axis %s hardly matters: at the best point ", axis->name);
        if (high - low > SAME * fabs(high))
            text_printf(out, "it moves %s by %.2g %%\n", sweep->space->rank_by,
                        100 * (high - low) / fabs(high));
        else
            text_printf(out, "it does not move %s\n", sweep->space->rank_by);
    }
    arena_destroy(arena);
    return status;
}

static int remark_axes(const struct sweep *sweep, struct text *out, struct error *error)
{
    const struct space *space = sweep->space;
    struct error ignored;
    size_t rank;
    int status = 0;
    for (size_t a = 0; a < space->n_axes; a++)
        if (strcmp(space->axes[a].name, space->rank_by) == 0) /* no other axis could move it */
            return 0;
    if (space->design == DESIGN_CROSS && sweep->ranking.count &&
        sweep_column_find(sweep, space->rank_by, &rank, &ignored) == 0)
        for (size_t a = 0; a < space->n_axes && !status; a++)
            if (space->axes[a].n_values > 1)
                status = remark_axis(sweep, a, rank, out, error);
    return status;
}

/* Conditions that every point meets which the others leave. */
static void remark_wheres(const struct sweep *sweep, struct text *out)
{
    const struct space *space = sweep->space;
    if (sweep->found.evaluations) /* a search has not been everywhere */
        return;
    for (size_t i = 0; i < space->n_wheres && sweep->kept; i++) {
        const struct space_formula *where = &space->wheres[i];
        char reason[300];
        bool excludes = false;
        snprintf(reason, sizeof reason, "where: %.280s", where->text);
        for (size_t k = 0; k < sweep->reasons.count && !excludes; k++)
            excludes = strcmp(sweep->reasons.items[k].text, reason) == 0;
        if (!excludes)
            text_printf(out, "where: %.200s (line %ld) excludes no point\n", where->text,
                        where->mark.line);
    }
}

int sweep_remarks(const struct sweep *sweep, struct text *out, struct error *error)
{
    remark_wheres(sweep, out);
    int status = remark_models(sweep, out, error);
    return status ? status : remark_axes(sweep, out, error);
}
