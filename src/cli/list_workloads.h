/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BANDSCAPE_CLI_LIST_WORKLOADS_H
#define BANDSCAPE_CLI_LIST_WORKLOADS_H

#include "core/error.h"
#include "core/memory.h"

enum { LIST_WORKLOADS_COLUMNS = 6 };
extern const char *const list_workloads_titles[LIST_WORKLOADS_COLUMNS + 1];

/* A row of texts for each workload, in the arena. */
int list_workloads(struct arena *arena, const char ***cells, size_t *rows, struct error *error);

/* Prints a workload's page. */
int list_workload(const char *name, struct error *error);

#endif
