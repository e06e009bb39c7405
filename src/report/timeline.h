/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launches of a run one after the other: how much bandwidth each of them gets, under
 * each organisation. */
#ifndef BANDSCAPE_REPORT_TIMELINE_H
#define BANDSCAPE_REPORT_TIMELINE_H

#include "report/answer_report.h"
#include "report/picture.h"

/* One line an answer, which must be one model's for one workload; each kernel (or group of
 * launches, where a profile has grouped them) takes its kernel_time. The kind of picture
 * follows from the ending of the output's path, whatever its terminal. */
int timeline_plot(const struct answer_row *rows, size_t count, const struct plot_output *how,
                  struct error *error);

#endif
