/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published figures of one paper, by its name: what spaces and `bandscape reproduce` ask for. */
#ifndef BANDSCAPE_VALIDATE_PAPER_H
#define BANDSCAPE_VALIDATE_PAPER_H

#include "explore/space/space.h"
#include "validate/published.h"

/* "sac": the file whose `published` says so, among the shipped ones; or a file by its path. An
 * error lists the names and suggests the nearest. published_destroy() it. */
int paper_load(const char *name_or_path, struct published **out, struct error *error);

/* The same of a space's figure: a path is relative to the space. */
int paper_load_of(const struct space *space, struct published **out, struct error *error);

/* The figure of that name; an error at `mark` suggests the nearest. */
int paper_figure(const struct published *paper, const char *name, const struct mark *mark,
                 const struct published_figure **out, struct error *error);

#endif
