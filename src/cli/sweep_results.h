/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep prints when its files are there. */
#ifndef BANDSCAPE_CLI_SWEEP_RESULTS_H
#define BANDSCAPE_CLI_SWEEP_RESULTS_H

#include "cli/command.h"
#include "report/sweep_report.h"

struct sweep_results {
    const struct invocation *inv;
    const struct sweep *sweep;
    const struct sweep_folder *folder;
    const char *path; /* of the folder */
    bool no_gnuplot;  /* it was tried */
};

/* The summary, the best points, and where the files are. */
int sweep_results_print(const struct sweep_results *results, struct error *error);

/* A picture that cannot be drawn is a message, not a failure: 0 in place of STATUS_NO_PICTURE. */
int sweep_results_no_picture(int status, struct error *error);

#endif
