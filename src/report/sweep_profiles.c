/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of what a sweep's profiles have: miss ratios over capacity, and what is shared. They are of
 * the machine of the best point, all workloads side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/views/subject.h"
#include "profile/record/view_curve.h"
#include "report/miss_curves.h"
#include "report/sweep_internal.h"

/* What a workload's profile has for the machine of the best point; NULL: there is none. The machine
 * is the caller's to destroy. */
struct best {
    struct machine *machine;
    size_t size;
    struct sweep_row *row;
};

static int find_best(const struct sweep *sweep, struct arena *arena, struct best *best,
                     struct error *error)
{
    *best = (struct best){.machine = NULL};
    if (sweep->ranking.count == 0)
        return 0;
    int status = sweep_rows(sweep, sweep->ranking.items, 1, arena, &best->row, error);
    if (!status)
        status = sweep_machines(sweep, sweep->ranking.items, 1, &best->machine, &best->size, error);
    return status;
}

static const struct profile_view *view_of(const struct sweep *sweep, const struct best *best,
                                          size_t workload)
{
    const struct profile_view *view = NULL;
    struct error ignored;
    if (!best->machine ||
        subject_view(sweep_subject(sweep, best->size, workload), best->machine, &view, &ignored))
        return NULL;
    return view;
}

static void frame(const struct sweep *sweep, const struct space_plot *wanted,
                  const struct best *best, struct picture *picture)
{
    picture->title = sweep_plot_title(sweep, wanted);
    if (best->row)
        picture->subtitle =
            sweep_plot_subtitle(sweep, best->row, SIZE_MAX, SIZE_MAX, picture->arena);
}

/* Where the machine's LLC stands: what all requests of a chip meet, or of all chips at the home. */
static const struct profile_curve *llc_curve(const struct profile_view *view,
                                             const struct machine *machine)
{
    const struct profile_curve **kinds, *found = NULL;
    const char *organisation;
    struct error ignored;
    size_t n = view->line_bytes > 0 ? view_curve_kinds(view, &kinds) : 0;
    bool requester = machine_name(machine, "llc.organisation", &organisation, &ignored) == 0 &&
                     strcmp(organisation, "sm-side") == 0;
    const char *side = requester ? "requester" : "home";
    for (size_t k = 0; k < n && !found; k++)
        if (strcmp(kinds[k]->side, side) == 0 && strcmp(kinds[k]->filter, "all") == 0)
            found = kinds[k];
    if (n)
        free(kinds);
    return found;
}

int sweep_plot_misses(const struct sweep *sweep, const struct space_plot *wanted,
                      struct picture *picture, struct error *error)
{
    size_t n = sweep->space->n_workloads, count = 0;
    struct miss_curve *curves = arena_alloc(picture->arena, n * sizeof *curves);
    struct best best;
    int status = find_best(sweep, picture->arena, &best, error);
    for (size_t w = 0; w < n && !status; w++) {
        const struct profile_view *view = view_of(sweep, &best, w);
        const struct profile_curve *kind = view ? llc_curve(view, best.machine) : NULL;
        if (kind)
            curves[count++] = (struct miss_curve){sweep->workload_names[w], view, kind};
    }
    if (count) {
        picture_add_miss_curves(picture, curves, count);
        picture->x.title = "LLC capacity a chip";
        picture->y.title = "LLC miss ratio";
        frame(sweep, wanted, &best, picture);
    }
    machine_destroy(best.machine);
    return status;
}

int sweep_plot_sharing(const struct sweep *sweep, const struct space_plot *wanted,
                       struct picture *picture, struct error *error)
{
    enum { KINDS = 3 };
    static const char *const kinds[KINDS] = {"truly shared", "falsely shared", "not shared"};
    struct arena *arena = picture->arena;
    size_t n = sweep->space->n_workloads, known = 0;
    double *values = arena_alloc(arena, KINDS * n * sizeof *values);
    const char **missing = arena_alloc(arena, KINDS * n * sizeof *missing);
    struct best best;
    int status = find_best(sweep, arena, &best, error);
    for (size_t w = 0; w < n && !status; w++) {
        const struct profile_view *view = view_of(sweep, &best, w);
        const struct profile_sharing *s = view ? &view->sharing : NULL;
        const double bytes[KINDS] = {s ? s->truly_shared_bytes : (double)NAN,
                                     s ? s->falsely_shared_bytes : (double)NAN,
                                     s ? s->non_shared_bytes : (double)NAN};
        double all = bytes[0] + bytes[1] + bytes[2];
        for (size_t k = 0; k < KINDS; k++)
            values[k * n + w] = all > 0 ? bytes[k] / all : (double)NAN;
        missing[w] = all > 0 ? NULL : "unknown";
        known += all > 0;
    }
    if (known) {
        picture_add_bars(picture, &(struct plot_bars){
                                      .clusters = n,
                                      .series = KINDS,
                                      .cluster_names = (const char *const *)sweep->workload_names,
                                      .series_names = kinds,
                                      .values = values,
                                      .missing = missing,
                                      .stacked = true,
                                      .within = 1});
        frame(sweep, wanted, &best, picture);
        picture->y = (struct plot_axis){.title = "share of the footprint", .from = 0, .to = 1};
    }
    machine_destroy(best.machine);
    return status;
}
