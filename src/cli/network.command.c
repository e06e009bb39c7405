/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape network: solves any queueing network. */
#include <stdlib.h>
#include <string.h>

#include "cli/network_file.h"
#include "cli/terminal.h"
#include "queueing/solve.h"
#include "report/json.h"

static void json_interval(struct json *json, const char *key, struct queueing_interval interval)
{
    json_key(json, key);
    json_begin_object(json);
    json_pair_number(json, "lower", interval.lower);
    json_pair_number(json, "upper", interval.upper);
    json_end_object(json);
}

static void print_result_json(const struct queueing_network *network, const char *algorithm,
                              const struct queueing_result *result)
{
    struct json json = {.stream = stdout};
    json_begin_object(&json);
    json_pair_string(&json, "algorithm", algorithm);
    json_key(&json, "classes");
    json_begin_array(&json);
    for (int c = 0; c < network->classes; c++) {
        json_begin_object(&json);
        json_pair_string(&json, "name", network->class[c].name);
        json_pair_number(&json, "throughput", result->throughput_per_s[c]);
        json_pair_number(&json, "response_time", result->response_s[c]);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_key(&json, "stations");
    json_begin_array(&json);
    for (int k = 0; k < network->stations; k++) {
        json_begin_object(&json);
        json_pair_string(&json, "name", network->station[k].name);
        json_pair_number(&json, "utilisation", result->station_utilisation[k]);
        json_key(&json, "classes");
        json_begin_array(&json);
        for (int c = 0; c < network->classes; c++) {
            int at = k * network->classes + c;
            json_begin_object(&json);
            json_pair_string(&json, "name", network->class[c].name);
            json_pair_number(&json, "queue_length", result->queue_length[at]);
            json_pair_number(&json, "residence_time", result->residence_s[at]);
            json_pair_number(&json, "utilisation", result->utilisation[at]);
            json_end_object(&json);
        }
        json_end_array(&json);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
}

/* With one class its bounds stand at the top too. */
static void print_bounds_json(const struct queueing_network *network, const char *algorithm,
                              const struct queueing_bounds *bounds)
{
    struct json json = {.stream = stdout};
    json_begin_object(&json);
    json_pair_string(&json, "algorithm", algorithm);
    if (network->classes == 1) {
        json_interval(&json, "throughput", bounds->throughput_per_s[0]);
        json_interval(&json, "response_time", bounds->response_s[0]);
    }
    json_key(&json, "classes");
    json_begin_array(&json);
    for (int c = 0; c < network->classes; c++) {
        json_begin_object(&json);
        json_pair_string(&json, "name", network->class[c].name);
        json_interval(&json, "throughput", bounds->throughput_per_s[c]);
        json_interval(&json, "response_time", bounds->response_s[c]);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
}

static void print_table(struct table *table)
{
    struct table_style style = terminal_table_style(stdout);
    struct text text = {0};
    table_render(table, &style, &text);
    fputs(text.length ? text.data : "", stdout);
    text_free(&text);
    table_destroy(table);
}

static void print_result_table(const struct queueing_network *network, const char *algorithm,
                               const struct queueing_result *result)
{
    struct table *table = table_create();
    (void)algorithm;
    table_column(table, "class", NULL, TABLE_LEFT);
    table_column(table, "throughput", "/s", TABLE_RIGHT);
    table_column(table, "response time", "s", TABLE_RIGHT);
    for (int c = 0; c < network->classes; c++) {
        table_cell(table, network->class[c].name);
        table_number(table, result->throughput_per_s[c], 6);
        table_number(table, result->response_s[c], 6);
    }
    print_table(table);
    putchar('\n');
    table = table_create();
    table_column(table, "station", NULL, TABLE_LEFT);
    table_column(table, "class", NULL, TABLE_LEFT);
    table_column(table, "utilisation", NULL, TABLE_RIGHT);
    table_column(table, "queue length", NULL, TABLE_RIGHT);
    table_column(table, "residence time", "s", TABLE_RIGHT);
    for (int k = 0; k < network->stations; k++)
        for (int c = 0; c < network->classes; c++) {
            int at = k * network->classes + c;
            table_cell(table, c == 0 ? network->station[k].name : "");
            table_cell(table, network->class[c].name);
            table_number(table, result->utilisation[at], 6);
            table_number(table, result->queue_length[at], 6);
            table_number(table, result->residence_s[at], 6);
        }
    print_table(table);
}

static void print_bounds_table(const struct queueing_network *network, const char *algorithm,
                               const struct queueing_bounds *bounds)
{
    struct table *table = table_create();
    (void)algorithm;
    table_column(table, "class", NULL, TABLE_LEFT);
    table_column(table, "throughput at least", "/s", TABLE_RIGHT);
    table_column(table, "at most", "/s", TABLE_RIGHT);
    table_column(table, "response time at least", "s", TABLE_RIGHT);
    table_column(table, "at most", "s", TABLE_RIGHT);
    for (int c = 0; c < network->classes; c++) {
        table_cell(table, network->class[c].name);
        table_number(table, bounds->throughput_per_s[c].lower, 6);
        table_number(table, bounds->throughput_per_s[c].upper, 6);
        table_number(table, bounds->response_s[c].lower, 6);
        table_number(table, bounds->response_s[c].upper, 6);
    }
    print_table(table);
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
        (json ? print_result_json : print_result_table)(network, algorithm->name, result);
    queueing_result_destroy(result);
    return status;
}

static int run_bounds(const struct queueing_network *network,
                      const struct queueing_algorithm *algorithm, bool json, struct error *error)
{
    struct queueing_bounds *bounds = queueing_bounds_create(network);
    int status = queueing_bound(network, algorithm->bound, bounds, error);
    if (!status)
        (json ? print_bounds_json : print_bounds_table)(network, algorithm->name, bounds);
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
