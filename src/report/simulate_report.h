/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated networks and machines as tables and JSON. */
#ifndef BANDSCAPE_REPORT_SIMULATE_REPORT_H
#define BANDSCAPE_REPORT_SIMULATE_REPORT_H

#include "report/json.h"
#include "report/table.h"
#include "simulate/plain.h"

void simulate_network_json(struct json *json, const struct queueing_network *network,
                           const struct simulate_options *options,
                           const struct simulate_result *result);
void simulate_network_text(const struct queueing_network *network,
                           const struct simulate_options *options,
                           const struct simulate_result *result, const struct table_style *style,
                           struct text *out);

/* {"mean": ..., "half_width": ...} */
void simulate_json_estimate(struct json *json, const char *key, struct estimate estimate);

#endif
