/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a command: copy it to src/cli/<name>.command.c, replace "template" by
 * <name> ("-" is "_" in C names), and say what it prints. Its table of options feeds the parser,
 * `help`, the manual page and completion.
 *
 * This one prints what memory bandwidth a machine has for each of its SMs. */
#include <string.h>

#include "cli/terminal.h"
#include "report/json.h"

static int template_run(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "json", NULL};
    const char *format, *name = option_value(inv, "machine", 0);
    struct machine *machine = NULL;
    uint32_t sms = 0;
    double bandwidth = 0;
    int status = terminal_format(inv, formats, &format, error);
    if (!status)
        status = terminal_no_arguments(inv, error);
    if (!status && !name) {
        error_set(error, STATUS_USAGE, "template needs a machine");
        error_hint(error, "for example: bandscape template --machine sac");
        status = STATUS_USAGE;
    }
    if (!status)
        status = machine_load(name, &machine, error);
    if (!status)
        status = terminal_apply_settings(inv, machine, error);
    if (!status)
        status = machine_count(machine, "sm.per_chip", &sms, error);
    if (!status)
        status = machine_number(machine, "memory.bandwidth", &bandwidth, error);
    if (!status && strcmp(format, "json") == 0) {
        struct json json = {.stream = stdout};
        json_begin_object(&json);
        json_pair_number(&json, "bytes_per_s_and_sm", bandwidth / sms);
        json_end_object(&json);
    } else if (!status) {
        printf("%.4g GB/s for each of %u SMs of a chip\n", bandwidth / sms / 1e9, sms);
    }
    machine_destroy(machine);
    return status;
}

/* The last column is what a shell completes: words, or "@machines" (cli/completion.h). */
static const struct option_row template_options[] = {
    {'m', "machine", "M", false, "a shipped machine or a file", "@machines"},
    {'s', "set", "PATH=VALUE", true, "change a parameter", "@settings"},
    {0, "format", "F", false, "table (default) or json", "table json"},
    {.name = NULL},
};

const struct command command_template = {
    .plugin = {.kind = "command", .name = "template", .summary = "memory bandwidth of an SM"},
    .usage = "--machine M [--set PATH=VALUE]... [--format F]",
    .description = "Prints the bandwidth of a chip's memory over the number of its SMs.",
    .examples = "  bandscape template --machine sac",
    .options = template_options,
    .run = template_run,
};
