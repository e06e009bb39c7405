/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launches of a run one after the other: how much bandwidth each of them gets, under
 * each organisation. */
#ifndef BANDSCAPE_REPORT_TIMELINE_H
#define BANDSCAPE_REPORT_TIMELINE_H

#include "report/answer_report.h"

/* One line an answer, which must be one model's for one workload; each kernel (or group of
 * launches, where a profile has grouped them) takes its kernel_time. The kind of picture
 * follows from the path's ending: svg, png or pdf. */
int timeline_plot(const struct answer_row *rows, size_t count, const char *path,
                  struct error *error);

#endif
