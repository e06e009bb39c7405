/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confirmed points: a table for the terminal, confirm.csv for programs. */
#ifndef BANDSCAPE_REPORT_CONFIRM_REPORT_H
#define BANDSCAPE_REPORT_CONFIRM_REPORT_H

#include "explore/confirm.h"
#include "report/sweep_folder.h"
#include "report/table.h"

/* A line a point and workload: each model's bandwidth and its error, the simulation's. */
void confirm_report_text(const struct confirmation *confirmation, const struct table_style *style,
                         struct text *out);
/* confirm.csv, to be published: rank, axes, workload, what was simulated (referee.*), then per
 * model effective_bandwidth, kernel_time and error (referee_error in explore/referee.h). SI; what
 * is unknown is empty. */
int confirm_report_csv(const struct confirmation *confirmation, struct sweep_folder *folder,
                       struct error *error);

#endif
