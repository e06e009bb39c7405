/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a command: copy it to src/cli/<name>.command.c, replace "template" by
 * <name> ("-" is "_" in C names), and say what it prints. Its table of options feeds the parser,
 * `help`, the manual page and completion.
 *
 * This one prints what bandwidth the memory and the LLC of a machine have for each of its SMs. */
#include "cli/terminal.h"

/* Table, CSV and JSON come from these (core/sheet.h). */
static const struct sheet_column template_columns[] = {
    {"parameter", "parameter", NULL, SHEET_TEXT},
    {"bytes_per_s_and_sm", "for an SM", NULL, SHEET_NUMBER, .dim = IN_BYTES_PER_S},
    {"sms", "SMs", "of a chip", SHEET_COUNT},
    {NULL}};

static int template_add(const struct machine *machine, const char *path, struct sheet *sheet,
                        struct error *error)
{
    uint32_t sms = 0;
    double bandwidth = 0;
    int status = machine_count(machine, "sm.per_chip", &sms, error);
    if (!status)
        status = machine_number(machine, path, &bandwidth, error);
    if (!status)
        sheet_add(sheet,
                  (struct sheet_cell[]){{path}, {.number = bandwidth / sms}, {.number = sms}});
    return status;
}

static int template_run(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "csv", "json", NULL};
    static const char *const paths[] = {"memory.bandwidth", "llc.bandwidth"};
    const char *format, *name = option_value(inv, "machine", 0);
    struct sheet *sheet = sheet_create(template_columns);
    struct machine *machine = NULL;
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
    for (size_t i = 0; i < sizeof paths / sizeof *paths && !status; i++)
        status = template_add(machine, paths[i], sheet, error);
    if (!status)
        terminal_print_sheet(sheet, format);
    sheet_destroy(sheet);
    machine_destroy(machine);
    return status;
}

/* The last column is what a shell completes: words, or "@machines" (cli/completion.h). */
static const struct option_row template_options[] = {
    {'m', "machine", "M", false, "a shipped machine or a file", "@machines"},
    {'s', "set", "PATH=VALUE", true, "change a parameter", "@settings"},
    {0, "format", "F", false, "table (default), csv or json", "table csv json"},
    {.name = NULL},
};

const struct command command_template = {
    .plugin = {.kind = "command", .name = "template", .summary = "bandwidths of an SM"},
    .usage = "--machine M [--set PATH=VALUE]... [--format F]",
    .description = "Prints the bandwidths of a chip's memory and LLC over the number of its SMs.",
    .examples = "  bandscape template --machine sac",
    .options = template_options,
    .run = template_run,
};
