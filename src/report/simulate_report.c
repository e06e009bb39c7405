/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates with their intervals: networks. */
#include "report/simulate_report.h"

enum { DIGITS = 6 };

static void json_estimate(struct json *json, const char *key, struct estimate estimate)
{
    json_key(json, key);
    json_begin_object(json);
    json_pair_number(json, "mean", estimate.mean);
    json_pair_number(json, "half_width", estimate.half_width);
    json_end_object(json);
}

static void json_station(struct json *json, const struct queueing_network *network, int station,
                         const struct simulate_result *result)
{
    json_begin_object(json);
    json_pair_string(json, "name", network->station[station].name);
    json_key(json, "classes");
    json_begin_array(json);
    for (int c = 0; c < network->classes; c++) {
        int at = station * network->classes + c;
        json_begin_object(json);
        json_pair_string(json, "name", network->class[c].name);
        json_estimate(json, "queue_length", result->queue_length[at]);
        json_estimate(json, "residence_time", result->residence_s[at]);
        json_estimate(json, "utilisation", result->utilisation[at]);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

void simulate_network_json(struct json *json, const struct queueing_network *network,
                           const struct simulate_options *options,
                           const struct simulate_result *result)
{
    json_begin_object(json);
    json_key(json, "seed"), json_integer(json, (int64_t)options->seed);
    json_key(json, "requests"), json_integer(json, (int64_t)options->requests);
    json_key(json, "warm_up"), json_integer(json, (int64_t)options->warm_up);
    json_pair_number(json, "confidence", options->confidence);
    json_pair_number(json, "time", result->time_s);
    json_key(json, "classes");
    json_begin_array(json);
    for (int c = 0; c < network->classes; c++) {
        json_begin_object(json);
        json_pair_string(json, "name", network->class[c].name);
        json_estimate(json, "throughput", result->throughput_per_s[c]);
        json_estimate(json, "response_time", result->response_s[c]);
        json_end_object(json);
    }
    json_end_array(json);
    json_key(json, "stations");
    json_begin_array(json);
    for (int k = 0; k < network->stations; k++)
        json_station(json, network, k, result);
    json_end_array(json);
    json_end_object(json);
}

static void column(struct table *table, const char *title, const char *unit)
{
    table_column(table, title, unit, TABLE_RIGHT);
    table_column(table, "+-", unit, TABLE_RIGHT);
}

static void cells(struct table *table, struct estimate estimate)
{
    table_number(table, estimate.mean, DIGITS);
    table_number(table, estimate.half_width, 2);
}

static void render(struct table *table, const struct table_style *style, struct text *out)
{
    table_render(table, style, out);
    table_destroy(table);
}

void simulate_network_text(const struct queueing_network *network,
                           const struct simulate_options *options,
                           const struct simulate_result *result, const struct table_style *style,
                           struct text *out)
{
    struct table *table = table_create();
    table_column(table, "class", NULL, TABLE_LEFT);
    column(table, "throughput", "/s");
    column(table, "response time", "s");
    for (int c = 0; c < network->classes; c++) {
        table_cell(table, network->class[c].name);
        cells(table, result->throughput_per_s[c]);
        cells(table, result->response_s[c]);
    }
    render(table, style, out);
    text_append(out, "\n");
    table = table_create();
    table_column(table, "station", NULL, TABLE_LEFT);
    table_column(table, "class", NULL, TABLE_LEFT);
    column(table, "utilisation", NULL);
    column(table, "queue length", NULL);
    column(table, "residence time", "s");
    for (int k = 0; k < network->stations; k++)
        for (int c = 0; c < network->classes; c++) {
            int at = k * network->classes + c;
            table_cell(table, c == 0 ? network->station[k].name : "");
            table_cell(table, network->class[c].name);
            cells(table, result->utilisation[at]);
            cells(table, result->queue_length[at]);
            cells(table, result->residence_s[at]);
        }
    render(table, style, out);
    text_printf(out, "\n%llu cycles after %llu of warm-up, %g s simulated; +-: interval of %g %%\n",
                (unsigned long long)options->requests, (unsigned long long)options->warm_up,
                result->time_s, 100 * options->confidence);
}
