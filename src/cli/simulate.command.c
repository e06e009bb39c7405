/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape simulate: a queueing network event by event. */
#include <stdlib.h>
#include <string.h>

#include "cli/network_file.h"
#include "cli/terminal.h"
#include "report/simulate_report.h"

/* --confidence 0.95 or 95%. */
static int read_confidence(const struct invocation *inv, double *out, struct error *error)
{
    const char *text = option_value(inv, "confidence", 0);
    struct quantity quantity;
    *out = 0.95;
    if (!text)
        return 0;
    if (quantity_scan(text, &quantity) || !dim_equal(quantity.dim, DIM_NONE) ||
        !(quantity.value > 0 && quantity.value < 1)) {
        error_set(error, STATUS_USAGE,
                  "--confidence: expected a number between 0 and 1, got \"%.80s\"", text);
        error_hint(error, "0.95 is a confidence of 95 %%");
        return STATUS_USAGE;
    }
    *out = quantity.value;
    return 0;
}

static int run_file(const struct invocation *inv, const char *format, struct error *error)
{
    struct simulate_options options;
    struct simulate_result *result = NULL;
    struct network_file file;
    long long seed, requests, warm_up;
    int status = option_integer(inv, "seed", 0, 1LL << 32, 1, &seed, error);
    if (!status)
        status = option_integer(inv, "requests", 1, 1LL << 40, 200000, &requests, error);
    if (!status)
        status = option_integer(inv, "warm-up", 0, 1LL << 40, requests / 10, &warm_up, error);
    if (!status)
        status = read_confidence(inv, &options.confidence, error);
    if (!status)
        status = network_file_load(argument_value(inv, 0), &file, error);
    if (status)
        return status;
    options.seed = (uint64_t)seed;
    options.requests = (uint64_t)requests;
    options.warm_up = (uint64_t)warm_up;
    status = simulate_network(&file.network, &options, &result, error);
    if (!status && strcmp(format, "json") == 0) {
        struct json json = {.stream = stdout};
        simulate_network_json(&json, &file.network, &options, result);
    } else if (!status) {
        struct table_style style = terminal_table_style(stdout);
        struct text text = {0};
        simulate_network_text(&file.network, &options, result, &style, &text);
        fputs(text.data, stdout);
        text_free(&text);
    }
    simulate_result_destroy(result);
    network_file_fini(&file);
    return status;
}

static int run_simulate(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "json", NULL};
    const char *format;
    int status = terminal_format(inv, formats, &format, error);
    if (status)
        return status;
    if (argument_count(inv) != 1) {
        status =
            error_set(error, STATUS_USAGE, "simulate: expected one YAML file, got %d arguments",
                      argument_count(inv));
        error_hint(error, "bandscape simulate --help shows both forms");
        return status;
    }
    return run_file(inv, format, error);
}

static const struct option_row simulate_options_table[] = {
    {0, "requests", "N", false, "cycles to count (default: 200000)"},
    {0, "warm-up", "N", false, "cycles before that (default: a tenth)"},
    {0, "seed", "S", false, "of the random numbers (default: 1)"},
    {0, "confidence", "C", false, "of intervals (default: 0.95)"},
    {0, "format", "F", false, "table (default) or json"},
    {.name = NULL},
};

const struct command command_simulate = {
    .plugin = {.kind = "command", .name = "simulate", .summary = "simulate a queueing network"},
    .usage = "FILE.yaml [--requests N] [--seed S] [--format table|json]",
    .description = "Simulates a queueing network event by event.",
    .examples = "  bandscape simulate tests/data/lazowska.network.yaml",
    .options = simulate_options_table,
    .run = run_simulate,
};
