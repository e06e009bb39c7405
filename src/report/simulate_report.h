/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated networks and machines as tables and JSON. */
#ifndef BANDSCAPE_REPORT_SIMULATE_REPORT_H
#define BANDSCAPE_REPORT_SIMULATE_REPORT_H

#include "report/sheet_print.h"
#include "simulate/gpu.h"
#include "simulate/plain.h"

void simulate_network_json(struct json *json, const struct queueing_network *network,
                           const struct simulate_options *options,
                           const struct simulate_result *result);
void simulate_network_text(const struct queueing_network *network,
                           const struct simulate_options *options,
                           const struct simulate_result *result, const struct table_style *style,
                           struct text *out);

/* A machine under one organisation, with one workload. */
struct simulate_row {
    const char *machine, *workload, *organisation;
    const struct simulate_gpu_options *options;
    const struct simulate_gpu_result *result;
};
/* An object; the caller opens the array. */
void simulate_gpu_json(struct json *json, const struct simulate_row *row);
/* One line a row, then, with `details`, for each where data come from, stations and launches. */
void simulate_gpu_text(const struct simulate_row *rows, size_t count, bool details,
                       const struct table_style *style, struct text *out);

#endif
