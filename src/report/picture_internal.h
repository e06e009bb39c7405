/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files share that make a script of a picture: the paper it is drawn on, and the words. */
#ifndef BANDSCAPE_REPORT_PICTURE_INTERNAL_H
#define BANDSCAPE_REPORT_PICTURE_INTERNAL_H

#include "report/axis.h"

/* A line of text over its letters' height; a letter's width over it. */
#define LINE 1.3
#define LETTER 0.6

/* What the axes take of the canvas, about. */
#define ACROSS_SHARE 0.7
#define UP_SHARE 0.6

/* What a terminal draws on. Lengths are in the terminal's own unit (pixels, cm). */
struct canvas {
    enum plot_terminal terminal;
    bool dumb, tex;       /* made of characters; read by TeX */
    bool paper;           /* for a page: it says nothing that a caption says */
    double width, height; /* of the whole */
    double em, font;      /* of letters; the same as the terminal is told */
    double across, up;    /* characters that fit, estimated: a letter is 0.6 em wide */
    const char *family;
};

/* A picture on its way into a script. */
struct drawing {
    const struct picture *picture;
    const struct picture_look *look; /* never NULL */
    struct canvas canvas;
    size_t keyed, longest; /* names in the key, characters of the longest */
    double key_lines;      /* what it takes, after canvas_put */
    bool coloured;         /* a series has zs */
    struct axis x, y, z;
    struct text script;
};

/* In characters: what is longer is cut. */
enum { AXIS_LIMIT = 90, NAME_LIMIT = 52, KEY_LIMIT = 40 };

/* canvas.c */
void canvas_begin(struct drawing *d, enum plot_terminal terminal);
/* `set terminal`, with the height that its key and rows need; `output`: of characters. */
void canvas_put(struct drawing *d, const struct plot_output *output);
/* Characters of a name in the key. */
size_t canvas_key_limit(const struct canvas *canvas);

/* picture_words.c. A text as a string, cut after `most` characters (0: not), read as it is written
 * by TeX as well. */
void draw_quote(struct drawing *d, struct text *out, const char *text, size_t most);
void draw_title(struct drawing *d);
void draw_axis(struct drawing *d, const char *name, const struct axis *axis);
/* A font relative to the usual one, behind a text. */
void draw_font(struct drawing *d, double scale);
size_t draw_characters(const char *text);
/* Characters between the axis and the other side, whose names and notes may take more; of the
 * longest note there; and how large they are. */
double draw_room_across(const struct drawing *d);
size_t draw_longest_beside(const struct drawing *d);
double draw_beside_scale(const struct drawing *d);
/* picture_notes.c */
void draw_notes(struct drawing *d);
/* The axis up reaches over what stands upright above bars. */
void draw_make_room(struct drawing *d);
/* What tilted names along x take, in characters' widths. */
double draw_names_height(const struct drawing *d);

/* picture_beside.c. The script and the data: files of the picture's name, or into the texts of
 * `output`. A picture of which neither is known leaves none. */
int beside_write(const struct drawing *d, const struct plot_output *output, struct error *error);

#endif
