/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BANDSCAPE_CLI_LIST_WORKLOADS_H
#define BANDSCAPE_CLI_LIST_WORKLOADS_H

#include "cli/list.h"

/* A row for each workload. */
int list_workloads(struct listing *listing, struct error *error);

/* Prints a workload's page. */
int list_workload(const char *name, struct error *error);

#endif
