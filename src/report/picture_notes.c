/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes in a picture: names of points where there is room for them, words in the place of what is
 * missing, numbers above bars, and what stands to the right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/picture_internal.h"

/* A line of labels, in characters. */
#define LINE_CHARACTERS 2.2
/* The names of points, over other letters. */
#define LABEL_SCALE 0.9
/* Points that labels look for room between, at most. */
enum { OBSTACLES = 3000, LINE_SPOTS = 24 };
/* Where a label may stand, around its point; what of it may reach over an axis, in characters. */
enum { PLACES = 8 };
#define OVER_AXIS 0.7

/* Boxes that labels take, in characters of the axes' room, from their lower left corner. */
struct places {
    struct place {
        double x, y, width, height;
    } * items;
    size_t count, capacity;
};

static bool is_inside(const struct place *box, double across, double up)
{
    return box->x >= 0 && box->y >= -OVER_AXIS && box->x + box->width <= across &&
           box->y + box->height <= up;
}

/* How many of the places it lies on. */
static size_t count_met(const struct places *taken, const struct place *box)
{
    size_t met = 0;
    for (size_t i = 0; i < taken->count; i++) {
        const struct place *other = &taken->items[i];
        met += box->x < other->x + other->width && other->x < box->x + box->width &&
               box->y < other->y + other->height && other->y < box->y + box->height;
    }
    return met;
}

static void take_spot(const struct drawing *d, double across, double up, struct places *out)
{
    struct place spot = {across * ACROSS_SHARE * d->canvas.across - 0.4,
                         up * UP_SHARE * d->canvas.up - 0.4, 0.8, 0.8};
    VECTOR_PUSH(out, spot);
}

static double within(double position)
{
    return fmin(1, fmax(0, position));
}

/* A line; of steps the two sides that they go along. */
static void take_line(const struct drawing *d, enum picture_style style, const double from[2],
                      const double to[2], struct places *out)
{
    bool steps = style == PICTURE_STEPS || style == PICTURE_STEPS_FIRST;
    double corner[2] = {style == PICTURE_STEPS ? to[0] : from[0],
                        style == PICTURE_STEPS ? from[1] : to[1]};
    for (int k = 1; k <= LINE_SPOTS; k++) {
        double share = (double)k / LINE_SPOTS;
        const double *end = steps ? corner : to;
        take_spot(d, from[0] + (end[0] - from[0]) * share, from[1] + (end[1] - from[1]) * share,
                  out);
        if (steps)
            take_spot(d, corner[0] + (to[0] - corner[0]) * share,
                      corner[1] + (to[1] - corner[1]) * share, out);
    }
}

/* Points take a place as well, and so do lines between them. */
static void take_points(const struct drawing *d, struct places *out)
{
    for (size_t s = 0; s < d->picture->series.count; s++) {
        const struct picture_series *series = &d->picture->series.items[s];
        double before[2] = {(double)NAN, (double)NAN};
        if (series->style == PICTURE_BOXES || series->style == PICTURE_BAND)
            continue;
        for (size_t i = 0; i < series->count && out->count < OBSTACLES; i++) {
            double at[2] = {(double)NAN, (double)NAN};
            if (!isnan(series->ys[i])) {
                at[0] = within(axis_position(&d->x, series->xs[i]));
                at[1] = within(axis_position(&d->y, series->ys[i]));
                take_spot(d, at[0], at[1], out);
            }
            if (series->style != PICTURE_POINTS && !isnan(at[1]) && !isnan(before[1]))
                take_line(d, series->style, before, at, out);
            memcpy(before, at, sizeof before);
        }
    }
}

/* Around a point, where nothing stands, not even a point; else where no other label does, and as
 * few points and as little of lines as may be. NULL: nowhere. */
static const char *place_label(struct drawing *d, const struct picture_note *note,
                               struct places *labels, const struct places *points)
{
    static const char *const places[] = {
        " left offset 0.8,0",    " right offset -0.8,0",    " center offset 0,0.9",
        " center offset 0,-0.9", " left offset 0.5,0.7",    " right offset -0.5,0.7",
        " left offset 0.5,-0.7", " right offset -0.5,-0.7",
    };
    double across = ACROSS_SHARE * d->canvas.across, up = UP_SHARE * d->canvas.up;
    double x = axis_position(&d->x, note->x) * across, y = axis_position(&d->y, note->y) * up;
    double width = (double)draw_characters(note->text) + 1, height = LINE_CHARACTERS;
    double right = x + 0.6, left = x - 0.6 - width, above = y + 0.4, below = y - 0.4 - height;
    const struct place boxes[PLACES] = {{right + 0.3, y - height / 2, width, height},
                                        {left - 0.3, y - height / 2, width, height},
                                        {x - width / 2, above, width, height},
                                        {x - width / 2, below, width, height},
                                        {right, above, width, height},
                                        {left, above, width, height},
                                        {right, below, width, height},
                                        {left, below, width, height}};
    int best = -1;
    size_t least = SIZE_MAX;
    for (int i = 0; i < PLACES && least > 0; i++) {
        if (!is_inside(&boxes[i], across, up) || count_met(labels, &boxes[i]))
            continue;
        size_t met = count_met(points, &boxes[i]);
        if (met < least) {
            least = met;
            best = i;
        }
    }
    if (best < 0)
        return NULL;
    VECTOR_PUSH(labels, boxes[best]);
    return places[best];
}

/* Numbers above bars stand upright where they would meet. */
static bool above_meet(const struct drawing *d)
{
    double least = HUGE_VAL, before = (double)NAN;
    size_t longest = 0;
    for (size_t i = 0; i < d->picture->notes.count; i++) {
        const struct picture_note *note = &d->picture->notes.items[i];
        if (note->place != PICTURE_ABOVE)
            continue;
        size_t characters = draw_characters(note->text);
        longest = characters > longest ? characters : longest;
        double at = axis_position(&d->x, note->x) * ACROSS_SHARE * d->canvas.across;
        if (!isnan(before))
            least = fmin(least, fabs(at - before));
        before = at;
    }
    return !d->canvas.dumb && least < (double)longest + 1;
}

/* Whether a text to the right of a place would leave the picture, and not as much to the left. */
static bool reaches_out(const struct drawing *d, double x, const char *text)
{
    double room = draw_room_across(d), at = axis_position(&d->x, x);
    double out = at * room + (double)draw_characters(text) + 1 - (d->canvas.dumb ? 0.9 : 1) * room;
    return d->canvas.dumb ? at > 0.8 : out > 0 && at > 0.5;
}

void draw_make_room(struct drawing *d)
{
    double most = 0;
    if (!above_meet(d) || d->picture->y.scale != PLOT_LINEAR || d->look->ranges[1].text)
        return;
    for (size_t i = 0; i < d->picture->notes.count; i++) {
        const struct picture_note *note = &d->picture->notes.items[i];
        double letters = (double)draw_characters(note->text) + 1.5;
        if (note->place == PICTURE_ABOVE)
            most = fmax(most, axis_position(&d->y, note->y) + letters / (UP_SHARE * d->canvas.up));
    }
    if (most > 1)
        d->y.to = d->y.from + (d->y.to - d->y.from) * most;
}

static void put_note(struct drawing *d, const struct picture_note *note, const char *text,
                     const char *place, double scale)
{
    bool beside = isnan(note->x);
    text_append(&d->script, "set label ");
    draw_quote(d, &d->script, text, NAME_LIMIT);
    text_printf(&d->script, beside ? " at graph 1" : " at first %.12g", note->x / d->x.factor);
    text_printf(&d->script, isnan(note->y) ? ", graph %g" : ", first %.12g",
                isnan(note->y) ? 0.02 : note->y / d->y.factor);
    text_printf(&d->script, "%s front%s", place, d->canvas.dumb ? "" : " textcolor rgb '#606060'");
    if (scale < 1)
        draw_font(d, scale);
    text_append(&d->script, "\n");
}

void draw_notes(struct drawing *d)
{
    static const char *const places[] = {" left offset 0.5,0", " center", " center offset 0,0.7",
                                         " rotate by 90 left", "",        " center boxed"};
    const struct canvas *c = &d->canvas;
    size_t longest = draw_longest_beside(d);
    double scale = c->dumb ? 1 : draw_beside_scale(d);
    bool upright = above_meet(d);
    struct places labels = {0}, points = {0};
    if (!c->dumb)
        take_points(d, &points);
    for (size_t i = 0; i < d->picture->notes.count; i++) {
        const struct picture_note *note = &d->picture->notes.items[i];
        const char *text = look_label(d->look, note->text, d->picture->arena), *place = NULL;
        bool beside = isnan(note->x);
        if ((beside || note->place == PICTURE_LABEL) && c->dumb)
            continue;
        if (note->place == PICTURE_LABEL && !(place = place_label(d, note, &labels, &points)))
            continue;
        if (!place)
            place = places[note->place];
        if (note->place == PICTURE_ABOVE && upright)
            place = " rotate by 90 left offset 0,0.4";
        if (note->place == PICTURE_UPRIGHT && c->dumb) { /* it knows no upright text */
            text = "x";
            place = " center offset 0,1";
        } else if (note->place == PICTURE_LEFT && !beside && reaches_out(d, note->x, text)) {
            place = " right offset -0.5,0";
        }
        put_note(d, note, text, place,
                 beside                         ? scale
                 : note->place == PICTURE_LABEL ? LABEL_SCALE
                                                : 1);
    }
    if (!c->dumb && d->picture->notes.count)
        text_append(&d->script, "set style textbox opaque fillcolor '#ffffff' noborder\n");
    if (longest && !c->dumb)
        text_printf(&d->script, "set rmargin at screen %.4g\n",
                    1 - ((double)longest * scale + 1) / c->across);
    VECTOR_FREE(&labels);
    VECTOR_FREE(&points);
}
