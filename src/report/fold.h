/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences within the width of a terminal. */
#ifndef BANDSCAPE_REPORT_FOLD_H
#define BANDSCAPE_REPORT_FOLD_H

#include "core/memory.h"

/* Appends `lines`, those that are longer than `width` characters (0: none is) broken at blanks.
 * They go on two columns further in than they begin, or behind what stands in columns (two blanks
 * or more) before the text. A word that is longer, as a path, stays whole. */
void fold_lines(const char *lines, int width, struct text *out);

#endif
