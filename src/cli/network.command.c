/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape network: solves any queueing network. */
#include <stdlib.h>
#include <string.h>

#include "cli/network_file.h"
#include "cli/terminal.h"
#include "queueing/solve.h"

static const struct sheet_column class_columns[] = {
    {"name", "class", NULL, SHEET_TEXT},
    {"throughput", "throughput", "/s", SHEET_NUMBER, .digits = 6},
    {"response_time", "response time", "s", SHEET_NUMBER, .digits = 6},
    {NULL}};

/* JSON has an object a station with an array of its classes. */
static const struct sheet_column station_columns[] = {
    {NULL, "station", NULL, SHEET_TEXT},
    {"name", "class", NULL, SHEET_TEXT},
    {NULL, "utilisation", NULL, SHEET_NUMBER, .digits = 6},
    {"queue_length", "queue length", NULL, SHEET_NUMBER, .digits = 6},
    {"residence_time", "residence time", "s", SHEET_NUMBER, .digits = 6},
    {"utilisation", NULL, NULL, SHEET_NUMBER},
    {NULL}};

static const struct sheet_column bound_columns[] = {
    {"name", "class", NULL, SHEET_TEXT},
    {"lower", "throughput at least", "/s", SHEET_NUMBER, .digits = 6, .object = "throughput"},
    {"upper", "at most", "/s", SHEET_NUMBER, .digits = 6, .object = "throughput"},
    {"lower", "response time at least", "s", SHEET_NUMBER, .digits = 6, .object = "response_time"},
    {"upper", "at most", "s", SHEET_NUMBER, .digits = 6, .object = "response_time"},
    {NULL}};

static struct sheet *result_classes(const struct queueing_network *network,
                                    const struct queueing_result *result)
{
    struct sheet *sheet = sheet_create(class_columns);
    for (int c = 0; c < network->classes; c++) {
        SHEET_TEXTS(sheet, network->class[c].name);
        SHEET_NUMBERS(sheet, result->throughput_per_s[c], result->response_s[c]);
    }
    return sheet;
}

static struct sheet *result_stations(const struct queueing_network *network,
                                     const struct queueing_result *result)
{
    struct sheet *sheet = sheet_create(station_columns);
    for (int k = 0; k < network->stations; k++)
        for (int c = 0; c < network->classes; c++) {
            int at = k * network->classes + c;
            SHEET_TEXTS(sheet, c == 0 ? network->station[k].name : "", network->class[c].name);
            SHEET_NUMBERS(sheet, result->utilisation[at], result->queue_length[at],
                          result->residence_s[at], result->utilisation[at]);
        }
    return sheet;
}

static void print_result(const struct queueing_network *network, const char *algorithm,
                         const struct queueing_result *result, bool as_json)
{
    struct sheet *classes = result_classes(network, result);
    struct sheet *stations = result_stations(network, result);
    struct json json = {.stream = stdout};
    if (as_json) {
        json_begin_object(&json);
        json_pair_string(&json, "algorithm", algorithm);
        json_key(&json, "classes");
        sheet_print_json(classes, &json);
        json_key(&json, "stations");
        json_begin_array(&json);
        for (int k = 0; k < network->stations; k++) {
            json_begin_object(&json);
            json_pair_string(&json, "name", network->station[k].name);
            json_pair_number(&json, "utilisation", result->station_utilisation[k]);
            json_key(&json, "classes");
            sheet_print_json_rows(stations, (size_t)(k * network->classes),
                                  (size_t)network->classes, &json);
            json_end_object(&json);
        }
        json_end_array(&json);
        json_end_object(&json);
    } else {
        terminal_print_sheet(classes, "table");
        putchar('\n');
        terminal_print_sheet(stations, "table");
    }
    sheet_destroy(stations);
    sheet_destroy(classes);
}

static void add_bounds(struct sheet *sheet, const struct queueing_bounds *bounds, int class)
{
    struct queueing_interval throughput = bounds->throughput_per_s[class];
    struct queueing_interval response = bounds->response_s[class];
    SHEET_NUMBERS(sheet, throughput.lower, throughput.upper, response.lower, response.upper);
}

/* In JSON, with one class its bounds stand at the top too. */
static void print_bounds(const struct queueing_network *network, const char *algorithm,
                         const struct queueing_bounds *bounds, bool as_json)
{
    struct sheet *classes = sheet_create(bound_columns), *top = sheet_create(bound_columns + 1);
    struct json json = {.stream = stdout};
    add_bounds(top, bounds, 0);
    for (int c = 0; c < network->classes; c++) {
        SHEET_TEXTS(classes, network->class[c].name);
        add_bounds(classes, bounds, c);
    }
    if (as_json) {
        json_begin_object(&json);
        json_pair_string(&json, "algorithm", algorithm);
        if (network->classes == 1)
            sheet_print_json_row(top, 0, &json);
        json_key(&json, "classes");
        sheet_print_json(classes, &json);
        json_end_object(&json);
    } else {
        terminal_print_sheet(classes, "table");
    }
    sheet_destroy(top);
    sheet_destroy(classes);
}

static int find_algorithm(const struct invocation *inv, const struct queueing_algorithm **out,
                          struct error *error)
{
    const char *name = option_value(inv, "algorithm", 0);
    *out = queueing_algorithm_find(name ? name : "exact");
    if (*out)
        return 0;
    struct text known = {0};
    for (const struct queueing_algorithm *a = queueing_algorithms; a->name; a++)
        text_printf(&known, "%s%s", known.length ? ", " : "", a->name);
    error_set(error, STATUS_USAGE, "--algorithm: there is no algorithm \"%.80s\"", name);
    error_hint(error, "known: %s", known.data);
    text_free(&known);
    return STATUS_USAGE;
}

static int run_solve(const struct queueing_network *network,
                     const struct queueing_algorithm *algorithm, bool json, struct error *error)
{
    struct queueing_result *result = queueing_result_create(network);
    int status = queueing_solve(network, algorithm, NULL, result, error);
    if (!status)
        print_result(network, algorithm->name, result, json);
    queueing_result_destroy(result);
    return status;
}

static int run_bounds(const struct queueing_network *network,
                      const struct queueing_algorithm *algorithm, bool json, struct error *error)
{
    struct queueing_bounds *bounds = queueing_bounds_create(network);
    int status = queueing_bound(network, algorithm->bound, bounds, error);
    if (!status)
        print_bounds(network, algorithm->name, bounds, json);
    queueing_bounds_destroy(bounds);
    return status;
}

static int run_network(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "json", NULL};
    const struct queueing_algorithm *algorithm;
    struct network_file file;
    const char *format;
    int status = terminal_format(inv, formats, &format, error);
    if (!status && argument_count(inv) != 1) {
        status = error_set(error, STATUS_USAGE, "network: expected one YAML file, got %d arguments",
                           argument_count(inv));
        error_hint(error, "bandscape network --help shows what stands in it");
    }
    if (!status)
        status = find_algorithm(inv, &algorithm, error);
    if (!status)
        status = network_file_load(argument_value(inv, 0), &file, error);
    if (status)
        return status;
    bool json = strcmp(format, "json") == 0;
    status = (algorithm->bounds ? run_bounds : run_solve)(&file.network, algorithm, json, error);
    if (status && !error->file[0])
        error_context(error, "%s", argument_value(inv, 0));
    network_file_fini(&file);
    return status;
}

static const struct option_row network_options[] = {
    {'a', "algorithm", "A", false,
     "exact (default), mva, convolution, residual, schweitzer,\n"
     "linearizer; bounds, asymptotic, balanced, proportional, geometric",
     "@algorithms"},
    {0, "format", "F", false, "table (default) or json", "table json"},
    {.name = NULL},
};

const struct command command_network = {
    .plugin = {.kind = "command", .name = "network", .summary = "solve any queueing network"},
    .usage = "FILE.yaml [--algorithm A] [--format table|json]",
    .description =
        "Solves a queueing network with closed classes (a population that may think), open\n"
        "classes (arrivals), or both. FILE.yaml:\n\n"
        "  network:\n"
        "    classes:\n"
        "      - {name: batch, population: 32, think: 0.5 s}\n"
        "      - {name: visitors, arrival: 0.25 /s}\n"
        "    stations:\n"
        "      - {name: cpu, demand: [0.5 s, 20 ms]}\n"
        "      - {name: disks, kind: multi, servers: 2, service: [10 ms, 9 ms],\n"
        "         visits: [4, 1]}\n"
        "      - {name: net, kind: delay, demand: [0.1, 0.1]}\n"
        "      - {name: pool, kind: load-dependent, rates: [1, 1.8, 2.4],\n"
        "         demand: [1, 1]}\n\n"
        "Demands, per class, are seconds of service in one cycle: service x visits. A station\n"
        "without kind is a queue with one server; its scv is the squared coefficient of\n"
        "variation of service (1: exponential, the default; 0: deterministic). rates are speeds\n"
        "with 1, 2, ... customers; the last one holds beyond.\n"
        "exact takes product-form networks of any kind; what has too many populations is\n"
        "refused. schweitzer and linearizer take any. residual, schweitzer and linearizer\n"
        "correct for scv by the residual life of who is in service. Bounds are of closed\n"
        "networks; all but asymptotic of one class with queues and delays.\n"
        "Utilisation is a share of the capacity (all servers, the largest rate); of a delay,\n"
        "the customers in it. Response times are sums of residence times, without thinking.\n"
        "bandscape list algorithms shows where each comes from.",
    .examples = "  bandscape network tests/data/lazowska.network.yaml\n"
                "  bandscape network tests/data/lazowska.network.yaml --algorithm linearizer"
                " --format json\n"
                "  bandscape network tests/data/lazowska.network.yaml --algorithm bounds",
    .options = network_options,
    .run = run_network,
};
