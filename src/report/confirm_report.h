/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confirmed points: a table for the terminal, confirm.csv for programs. */
#ifndef BANDSCAPE_REPORT_CONFIRM_REPORT_H
#define BANDSCAPE_REPORT_CONFIRM_REPORT_H

#include "explore/sweep/confirm.h"
#include "core/sheet.h"
#include "report/sweep_folder.h"

/* A row a point and workload: rank, axes, workload, what was simulated (referee.*), then per model
 * effective_bandwidth, kernel_time and error (referee_error in explore/answer/referee.h). Tables
 * have each model's bandwidth and its error, the simulation's. The sheet is there after an error,
 * too.
 */
int confirm_report(const struct confirmation *confirmation, struct sheet **out,
                   struct error *error);
/* confirm.csv, to be published. SI; what is unknown is empty. */
int confirm_report_csv(const struct sheet *sheet, struct sweep_folder *folder, struct error *error);

#endif
