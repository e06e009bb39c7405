/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stated errors leave of a ranking, as tables and a picture. */
#ifndef BANDSCAPE_REPORT_UNCERTAINTY_REPORT_H
#define BANDSCAPE_REPORT_UNCERTAINTY_REPORT_H

#include "core/sheet.h"
#include "explore/search/uncertainty.h"
#include "report/picture.h"

/* The best K; the front; all candidates, for files. */
enum uncertainty_part { UNCERTAINTY_RANKED, UNCERTAINTY_FRONT, UNCERTAINTY_ALL };

/* A row a design: its axes, probabilities and bands. */
int uncertainty_report(const struct uncertainty_request *request, const struct uncertainty *found,
                       enum uncertainty_part part, struct sheet **out, struct error *error);

/* The best K by rank, with what ranks them and its band. */
int uncertainty_plot(const struct uncertainty_request *request, const struct uncertainty *found,
                     const struct plot_output *output, struct error *error);

#endif
