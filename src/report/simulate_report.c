/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates with their intervals: networks. */
#include "report/simulate_report.h"

static const struct sheet_column class_columns[] = {
    {"name", "class", NULL, SHEET_TEXT},
    {"mean", "throughput", "/s", SHEET_NUMBER, .digits = 6, .object = "throughput"},
    {"half_width", "+-", "/s", SHEET_NUMBER, .digits = 2, .object = "throughput"},
    {"mean", "response time", "s", SHEET_NUMBER, .digits = 6, .object = "response_time"},
    {"half_width", "+-", "s", SHEET_NUMBER, .digits = 2, .object = "response_time"},
    {NULL}};

/* JSON has an object a station with an array of its classes. */
static const struct sheet_column station_columns[] = {
    {NULL, "station", NULL, SHEET_TEXT},
    {"name", "class", NULL, SHEET_TEXT},
    {NULL, "utilisation", NULL, SHEET_NUMBER, .digits = 6},
    {NULL, "+-", NULL, SHEET_NUMBER, .digits = 2},
    {"mean", "queue length", NULL, SHEET_NUMBER, .digits = 6, .object = "queue_length"},
    {"half_width", "+-", NULL, SHEET_NUMBER, .digits = 2, .object = "queue_length"},
    {"mean", "residence time", "s", SHEET_NUMBER, .digits = 6, .object = "residence_time"},
    {"half_width", "+-", "s", SHEET_NUMBER, .digits = 2, .object = "residence_time"},
    {"mean", NULL, NULL, SHEET_NUMBER, .object = "utilisation"},
    {"half_width", NULL, NULL, SHEET_NUMBER, .object = "utilisation"},
    {NULL}};

static void add_estimate(struct sheet *sheet, struct estimate estimate)
{
    SHEET_NUMBERS(sheet, estimate.mean, estimate.half_width);
}

static struct sheet *classes_of(const struct queueing_network *network,
                                const struct simulate_result *result)
{
    struct sheet *sheet = sheet_create(class_columns);
    for (int c = 0; c < network->classes; c++) {
        SHEET_TEXTS(sheet, network->class[c].name);
        add_estimate(sheet, result->throughput_per_s[c]);
        add_estimate(sheet, result->response_s[c]);
    }
    return sheet;
}

static struct sheet *stations_of(const struct queueing_network *network,
                                 const struct simulate_result *result)
{
    struct sheet *sheet = sheet_create(station_columns);
    for (int k = 0; k < network->stations; k++)
        for (int c = 0; c < network->classes; c++) {
            int at = k * network->classes + c;
            SHEET_TEXTS(sheet, c == 0 ? network->station[k].name : "", network->class[c].name);
            add_estimate(sheet, result->utilisation[at]);
            add_estimate(sheet, result->queue_length[at]);
            add_estimate(sheet, result->residence_s[at]);
            add_estimate(sheet, result->utilisation[at]);
        }
    return sheet;
}

void simulate_network_json(struct json *json, const struct queueing_network *network,
                           const struct simulate_options *options,
                           const struct simulate_result *result)
{
    struct sheet *classes = classes_of(network, result), *stations = stations_of(network, result);
    json_begin_object(json);
    json_key(json, "seed"), json_integer(json, (int64_t)options->seed);
    json_key(json, "requests"), json_integer(json, (int64_t)options->requests);
    json_key(json, "warm_up"), json_integer(json, (int64_t)options->warm_up);
    json_pair_number(json, "confidence", options->confidence);
    json_pair_number(json, "time", result->time_s);
    json_key(json, "classes");
    sheet_print_json(classes, json);
    json_key(json, "stations");
    json_begin_array(json);
    for (int k = 0; k < network->stations; k++) {
        json_begin_object(json);
        json_pair_string(json, "name", network->station[k].name);
        json_key(json, "classes");
        sheet_print_json_rows(stations, (size_t)(k * network->classes), (size_t)network->classes,
                              json);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
    sheet_destroy(stations);
    sheet_destroy(classes);
}

void simulate_network_text(const struct queueing_network *network,
                           const struct simulate_options *options,
                           const struct simulate_result *result, const struct table_style *style,
                           struct text *out)
{
    struct sheet *classes = classes_of(network, result), *stations = stations_of(network, result);
    sheet_print_table(classes, style, out);
    text_append(out, "\n");
    sheet_print_table(stations, style, out);
    text_printf(out, "\n%llu cycles after %llu of warm-up, %g s simulated; +-: interval of %g %%\n",
                (unsigned long long)options->requests, (unsigned long long)options->warm_up,
                result->time_s, 100 * options->confidence);
    sheet_destroy(stations);
    sheet_destroy(classes);
}
