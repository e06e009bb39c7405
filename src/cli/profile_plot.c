/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of a profile. */
#include "cli/profile_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/profile_details.h"
#include "profile/record/view_curve.h"
#include "report/bars.h"

enum {
    POINTS_AN_OCTAVE = 4,
    CAPACITY_LEAST = 10, /* powers of two, in bytes */
    CAPACITY_MOST = 40,
    CAPACITY_POINTS = (CAPACITY_MOST - CAPACITY_LEAST) * POINTS_AN_OCTAVE + 1,
};
/* Ends of the curves where nothing changes by more than this are cut. */
#define CURVE_FLAT 0.002

/* --- miss-ratio curves ---------------------------------------------------------------- */

static double capacity_at(int point)
{
    return exp2(CAPACITY_LEAST + (double)point / POINTS_AN_OCTAVE);
}

/* The octaves in which a curve moves: the points first to last. */
static void cut_flat_ends(const struct plot_series *series, size_t count, int *first, int *last)
{
    int low = CAPACITY_POINTS - 1, high = 0;
    for (size_t s = 0; s < count; s++) {
        const double *ys = series[s].ys;
        for (int i = 0; i < CAPACITY_POINTS; i++) {
            if (ys[0] - ys[i] > CURVE_FLAT && i - 1 < low)
                low = i - 1;
            if (ys[i] - ys[CAPACITY_POINTS - 1] > CURVE_FLAT && i + 1 > high)
                high = i + 1;
        }
    }
    /* Whole octaves, at least four, one more at each end. */
    low = low / POINTS_AN_OCTAVE - 1;
    high = (high + POINTS_AN_OCTAVE - 1) / POINTS_AN_OCTAVE + 1;
    low = low < 0 ? 0 : low;
    high = high < low + 4 ? low + 4 : high;
    int octaves = CAPACITY_MOST - CAPACITY_LEAST;
    high = high > octaves ? octaves : high;
    low = low > high - 4 ? high - 4 : low;
    *first = low * POINTS_AN_OCTAVE;
    *last = high * POINTS_AN_OCTAVE;
}

/* "chip req. remote": short enough for a legend. */
static const char *curve_name(const struct profile_curve *kind, struct arena *arena)
{
    const char *side = strcmp(kind->side, "requester") == 0 ? "req." : kind->side;
    const char *filter = strcmp(kind->filter, "read-only-shared") == 0 ? "read-only" : kind->filter;
    return arena_printf(arena, "%s %s %s", kind->scope, side, filter);
}

static struct plot_series make_series(const struct profile_view *view,
                                      const struct profile_curve *kind, const double *xs,
                                      struct arena *arena)
{
    double *ys = arena_alloc(arena, CAPACITY_POINTS * sizeof *ys);
    for (int i = 0; i < CAPACITY_POINTS; i++)
        ys[i] = view_curve_miss_ratio(view, kind, xs[i] / view->line_bytes);
    return (struct plot_series){curve_name(kind, arena), CAPACITY_POINTS, xs, ys, false};
}

static int plot_miss_curves(const struct profile_view *view, const char *name,
                            const struct plot_output *output, bool *drawn, struct error *error)
{
    struct arena *arena = arena_create();
    const struct profile_curve **kinds;
    size_t n_kinds = view_curve_kinds(view, &kinds);
    double *xs = arena_alloc(arena, CAPACITY_POINTS * sizeof *xs);
    struct plot_series *series = arena_alloc(arena, (n_kinds + 1) * sizeof *series);
    struct plot_curves plot = {
        .title = arena_printf(arena, "%s: misses of LRU caches, whole run", name),
        .x = {"capacity of one cache of the scope", "B", PLOT_LOG2},
        .y = {"miss ratio", NULL, PLOT_LINEAR},
        .y_shares = true,
        .series = series,
    };
    for (int i = 0; i < CAPACITY_POINTS; i++)
        xs[i] = capacity_at(i);
    for (size_t i = 0; i < n_kinds && view->line_bytes > 0; i++) {
        series[plot.count] = make_series(view, kinds[i], xs, arena);
        plot.count += !isnan(series[plot.count].ys[0]); /* no requests: no curve */
    }
    int first, last, status = 0;
    cut_flat_ends(series, plot.count, &first, &last);
    for (size_t i = 0; i < plot.count; i++) {
        series[i].xs += first;
        series[i].ys += first;
        series[i].count = (size_t)(last - first) + 1;
    }
    *drawn = plot.count > 0;
    if (*drawn)
        status = plot_curves(output, &plot, error);
    free(kinds);
    arena_destroy(arena);
    return status;
}

/* --- sharing ---------------------------------------------------------------------------- */

enum { PAGES, LINES, GROUPS };

static void add_bar(struct plot_bars *plot, struct plot_bar *bars, int group, const char *name,
                    const char *label, double share)
{
    bars[plot->count++] = (struct plot_bar){name, label, share, group};
}

static const char *megabytes(double bytes, struct arena *arena)
{
    char buffer[64];
    return arena_printf(
        arena, "%s MB",
        quantity_format((struct quantity){bytes * 1e-6, DIM_NONE}, 3, buffer, sizeof buffer));
}

static int plot_sharing(const struct profile_view *view, const char *name,
                        const struct plot_output *output, bool *drawn, struct error *error)
{
    const struct profile_sharing *sharing = &view->sharing;
    const double bytes[] = {sharing->truly_shared_bytes, sharing->falsely_shared_bytes,
                            sharing->non_shared_bytes};
    static const char *const kinds[] = {"true", "false", "none"};
    struct arena *arena = arena_create();
    struct plot_bar bars[4 + 3];
    const char *groups[GROUPS];
    struct plot_bars plot = {.y_title = "share", .group_names = groups, .bars = bars};
    double sum = bytes[0] + bytes[1] + bytes[2];
    if (profile_sharing_class(sharing)) {
        groups[plot.group_count] = "pages, by SMs that touch them";
        for (int i = 0; i < 4; i++)
            add_bar(&plot, bars, plot.group_count,
                    arena_printf(arena, "%s SM%s", profile_sms_names[i], i ? "s" : ""),
                    arena_printf(arena, "%.0f", sharing->pages_by_sms[i]),
                    sharing->pages_by_sms[i] / sharing->pages);
        plot.group_count++;
    }
    if (sum > 0) {
        groups[plot.group_count] = "lines, by sharing between domains";
        for (int i = 0; i < 3; i++)
            add_bar(&plot, bars, plot.group_count, kinds[i], megabytes(bytes[i], arena),
                    bytes[i] / sum);
        plot.group_count++;
    }
    plot.title = arena_printf(arena, "%s: sharing of pages and lines", name);
    plot.x_title = "";
    *drawn = plot.count > 0;
    int status = *drawn ? plot_bars(output, &plot, error) : 0;
    arena_destroy(arena);
    return status;
}

/* --- files ------------------------------------------------------------------------------- */

static const struct picture_kind {
    const char *suffix;
    int (*draw)(const struct profile_view *view, const char *name, const struct plot_output *output,
                bool *drawn, struct error *error);
} picture_kinds[] = {{"miss-curves", plot_miss_curves}, {"sharing", plot_sharing}};

int profile_plot(const struct profile *profile, const char *folder, const char *name,
                 enum plot_terminal terminal, struct error *error)
{
    static const char *const endings[] = {"svg", "png", "pdf", "txt"};
    bool any = false;
    int status = 0;
    for (size_t v = 0; v < profile->n_views; v++)
        for (int k = 0; k < 2 && !status; k++) {
            struct text path = {0}, picture = {0};
            bool drawn = false;
            text_printf(&path, "%s/%s-", folder, name);
            if (v > 0)
                text_printf(&path, "view%zu-", v + 1);
            text_printf(&path, "%s.%s", picture_kinds[k].suffix, endings[terminal]);
            struct plot_output output = {.terminal = terminal, .path = path.data, .text = &picture};
            status =
                picture_kinds[k].draw(&profile->views[v], profile->name, &output, &drawn, error);
            if (!status && drawn)
                message("wrote %s", path.data);
            any |= drawn;
            text_free(&path);
            text_free(&picture);
        }
    if (!status && !any)
        status = error_set(error, STATUS_INPUT,
                           "profile %.100s has neither curves nor sharing: nothing to plot",
                           profile->name);
    return status;
}
