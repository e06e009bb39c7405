/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs gnuplot on a script and puts the picture in its place. What could not be drawn is a remark
 * of a sweep, not a failure: its result are its tables. */
#ifndef BANDSCAPE_REPORT_GNUPLOT_RUN_H
#define BANDSCAPE_REPORT_GNUPLOT_RUN_H

#include "core/error.h"
#include "core/memory.h"
#include "report/picture.h"

/* The script goes down a pipe; the picture comes back on gnuplot's standard
 * output. It is written under output->path (folders are made) when gnuplot has
 * ended well and there is one. STATUS_NO_PICTURE: gnuplot is not there, has not drawn, or was
 * ended, with all that it started, because it was silent for half a minute (longer for long
 * scripts) or did not stop to write. STATUS_INTERRUPTED on Ctrl-C. */
int gnuplot_run(const struct plot_output *output, const struct text *script, struct error *error);

/* A text as a gnuplot string: in single quotes, inside which gnuplot interprets
 * nothing; control characters become blanks, what is not UTF-8 a "?". At most
 * `most` characters are kept (0: all). */
void gnuplot_quote(struct text *script, const char *text, size_t most);

#endif
