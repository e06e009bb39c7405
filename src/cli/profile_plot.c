/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of a profile. */
#include "cli/profile_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/profile_details.h"
#include "profile/record/view_curve.h"
#include "report/miss_curves.h"

/* --- miss-ratio curves ---------------------------------------------------------------- */

/* "remote requests at their chip", "all requests at the home chip". */
static const char *curve_name(const struct profile_curve *kind, struct arena *arena)
{
    const char *side = strcmp(kind->side, "requester") == 0 ? "their" : "the home";
    const char *filter = strcmp(kind->filter, "read-only-shared") == 0 ? "read-only" : kind->filter;
    return arena_printf(arena, "%s requests at %s %s", filter, side, kind->scope);
}

static void add_miss_curves(const struct profile_view *view, const char *name,
                            struct picture *picture)
{
    struct arena *arena = picture->arena;
    const struct profile_curve **kinds;
    size_t n_kinds = view->line_bytes > 0 ? view_curve_kinds(view, &kinds) : 0;
    struct miss_curve *curves = arena_alloc(arena, n_kinds * sizeof *curves);
    for (size_t k = 0; k < n_kinds; k++)
        curves[k] = (struct miss_curve){curve_name(kinds[k], arena), view, kinds[k]};
    picture_add_miss_curves(picture, curves, n_kinds);
    picture->title = arena_printf(arena, "%s: misses of LRU caches, whole run", name);
    if (n_kinds)
        free(kinds);
}

/* --- sharing ---------------------------------------------------------------------------- */

enum { PAGES_BARS = 4, BARS = PAGES_BARS + 3 };
/* Between the bars of pages and those of lines. */
#define BAR_GAP 0.7

static const char *megabytes(double bytes, struct arena *arena)
{
    char buffer[64];
    return arena_printf(
        arena, "%s MB",
        quantity_format((struct quantity){bytes * 1e-6, DIM_NONE}, 3, buffer, sizeof buffer));
}

/* Bars of a kind, shares of a whole, with a label on each. */
static void add_shares(struct picture *picture, const char *title, int colour, size_t count,
                       const double *values, double whole, const char *const *labels)
{
    double *xs = arena_alloc(picture->arena, 2 * count * sizeof *xs);
    double *ys = arena_alloc(picture->arena, 2 * count * sizeof *ys);
    const double *places = picture->x.places + picture->x.n_names;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        double share = values[i] / whole, x = places[i];
        n = picture_box(xs, ys, n, (double[]){x - 0.36, x + 0.36}, (double[]){0, share});
        VECTOR_PUSH(&picture->notes, (struct picture_note){labels[i], x, share, PICTURE_ABOVE});
    }
    picture->x.n_names += count;
    VECTOR_PUSH(&picture->series, (struct picture_series){.title = title,
                                                          .style = PICTURE_BOXES,
                                                          .count = n,
                                                          .xs = xs,
                                                          .ys = ys,
                                                          .colour = colour,
                                                          .mark = '#'});
}

static void add_sharing(const struct profile_view *view, const char *name, struct picture *picture)
{
    static const char *const kinds[] = {"truly shared", "falsely shared", "not shared"};
    const struct profile_sharing *sharing = &view->sharing;
    const double bytes[] = {sharing->truly_shared_bytes, sharing->falsely_shared_bytes,
                            sharing->non_shared_bytes};
    struct arena *arena = picture->arena;
    const char **names = arena_alloc(arena, BARS * sizeof *names), *labels[BARS];
    double *places = arena_alloc(arena, BARS * sizeof *places);
    double sum = bytes[0] + bytes[1] + bytes[2];
    bool pages = profile_sharing_class(sharing), lines = sum > 0;
    size_t n = 0;
    for (size_t i = 0; i < PAGES_BARS && pages; i++, n++) {
        names[n] = arena_printf(arena, "%s SM%s", profile_sms_names[i], i ? "s" : "");
        labels[n] = arena_printf(arena, "%.0f", sharing->pages_by_sms[i]);
        places[n] = (double)n;
    }
    for (size_t i = 0; i < 3 && lines; i++, n++) {
        names[n] = kinds[i];
        labels[n] = megabytes(bytes[i], arena);
        places[n] = (double)n + (pages ? BAR_GAP : 0);
    }
    picture->title = arena_printf(arena, "%s: sharing of pages and lines", name);
    picture->x = (struct plot_axis){.title = " ",
                                    .from = -0.7,
                                    .to = n ? places[n - 1] + 0.7 : 0,
                                    .names = names,
                                    .places = places};
    picture->y = (struct plot_axis){.title = "share", .from = 0, .to = 1.1};
    if (pages)
        add_shares(picture, "pages, by SMs that touch them", 0, PAGES_BARS, sharing->pages_by_sms,
                   sharing->pages, labels);
    if (lines)
        add_shares(picture, "lines, by what chips share", pages, 3, bytes, sum, labels + n - 3);
}

/* --- files ------------------------------------------------------------------------------- */

static const struct picture_kind {
    const char *suffix;
    void (*add)(const struct profile_view *view, const char *name, struct picture *picture);
} picture_kinds[] = {{"miss-curves", add_miss_curves}, {"sharing", add_sharing}};

int profile_plot(const struct profile *profile, const char *folder, const char *name,
                 const struct plot_output *how, struct error *error)
{
    bool any = false;
    int status = 0;
    for (size_t v = 0; v < profile->n_views; v++)
        for (int k = 0; k < 2 && !status; k++) {
            struct text path = {0};
            bool drawn = false;
            text_printf(&path, "%s/%s-", folder, name);
            if (v > 0)
                text_printf(&path, "view%zu-", v + 1);
            text_printf(&path, "%s.%s", picture_kinds[k].suffix,
                        plot_terminal_ending(how->terminal));
            struct plot_output output = *how;
            output.path = path.data;
            struct picture picture;
            picture_begin(&picture);
            picture_kinds[k].add(&profile->views[v], profile->name, &picture);
            status = picture_end(&picture, &output, 0, &drawn, error);
            if (!status && drawn)
                message("wrote %s", path.data);
            any |= drawn;
            text_free(&path);
        }
    if (!status && !any)
        status = error_set(error, STATUS_INPUT,
                           "profile %.100s has neither curves nor sharing: nothing to plot",
                           profile->name);
    return status;
}
