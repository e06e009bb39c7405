/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sweep_report.c and sweep_plot.c share. */
#ifndef BANDSCAPE_REPORT_SWEEP_INTERNAL_H
#define BANDSCAPE_REPORT_SWEEP_INTERNAL_H

#include "explore/sweep.h"

/* An even sample of all ids: at most 2000. */
void sweep_sample_ids(const struct sweep *sweep, struct sweep_ids *out);

#endif
