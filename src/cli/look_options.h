/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of every command that draws: how its pictures look (report/look.h). */
#ifndef BANDSCAPE_CLI_LOOK_OPTIONS_H
#define BANDSCAPE_CLI_LOOK_OPTIONS_H

#include "cli/command.h"
#include "report/picture.h"

/* Rows for a command's table of options. */
#define LOOK_OPTIONS                                                                               \
    {0, "title", "TEXT", false, "title of the picture; '' for none"},                              \
        {0,                                                                                        \
         "width",                                                                                  \
         "W",                                                                                      \
         false,                                                                                    \
         "for a page: one (a column of 85 mm), two (178 mm) or millimetres;\n"                     \
         "without title and remarks, which are printed, for the caption",                          \
         "one two"},                                                                               \
        {0, "font", "F", false, "letters: Helvetica, Helvetica,9 or 9 (points)"},                  \
        {0, "xrange", "A..B", false, "what is seen along x: 48..768GB/s, 0.., ..1"},               \
        {0, "yrange", "A..B", false, "what is seen along y"},                                      \
        {0, "label", "KEY=TEXT", true, "TEXT in place of a name in the picture; may be repeated"}, \
    {                                                                                              \
        0, "script", NULL, false,                                                                  \
            "beside the picture its gnuplot script (.gp) and its data (.data.csv)"                 \
    }

/* Whether any is given. */
bool look_asked(const struct invocation *invocation);
/* To be finished (look_fini) even when it fails; its texts are the invocation's and the arena's. */
int look_read(const struct invocation *invocation, struct picture_look *out, struct arena *arena,
              struct error *error);

/* A terminal and a look, of a command whose pictures lie in a folder. */
struct look_how {
    struct plot_output output;
    struct picture_look look;
    struct arena *arena;
};
/* To be closed even when it fails. It stays where it is: the output points into it. */
int look_open(const struct invocation *invocation, enum plot_terminal terminal,
              struct look_how *out, struct error *error);
void look_close(struct look_how *how);

#endif
