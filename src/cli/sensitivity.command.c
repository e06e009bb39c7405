/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape sensitivity: which number of a machine a metric hangs on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/moving.h"
#include "cli/terminal.h"
#include "explore/answer/elasticity.h"

static const struct sheet_column sensitivity_columns[] = {
    {"parameter", "parameter", NULL, SHEET_TEXT},
    {"value", NULL, NULL, SHEET_NUMBER},
    {NULL, "value", NULL, SHEET_TEXT},
    {"elasticity", "elasticity", NULL, SHEET_FIXED, .digits = 3},
    {"less", "less", "%", SHEET_PERCENT},
    {"more", "more", "%", SHEET_PERCENT},
    {NULL}};

static void add_row(const struct elasticity *e, struct sheet *sheet)
{
    char value[64];
    quantity_format((struct quantity){e->value, e->dim}, 4, value, sizeof value);
    struct sheet_cell cells[] = {
        {e->path},           {.number = e->value}, {value}, {.number = e->elasticity},
        {.number = e->less}, {.number = e->more}};
    sheet_add(sheet, cells);
}

static void print(const struct moving *m, const char *metric, double step,
                  const struct elasticities *found, const char *format)
{
    struct sheet *sheet = sheet_create(sensitivity_columns);
    bool table = strcmp(format, "table") == 0;
    char value[64];
    for (size_t i = 0; i < found->count; i++)
        add_row(&found->items[i], sheet);
    quantity_format(found->metric, 4, value, sizeof value);
    if (table)
        terminal_say("%s, %s by %s: %s; with each parameter %g %% less and more\n\n",
                     m->question.subjects.items[0]->name, metric, m->point.model->plugin.name,
                     value, 100 * step);
    if (found->count || !table)
        terminal_print_sheet(sheet, format);
    else
        terminal_say("No number of the machine changes it.\n");
    sheet_destroy(sheet);
    if (found->structural)
        message("%zu numbers need a profile for each value (sizes of L1, SMs, lines, pages): "
                "--structural has them",
                found->structural);
}

/* --by: "20%" or 0.2. */
static int read_step(const struct invocation *inv, double *out, struct error *error)
{
    const char *text = option_value(inv, "by", 0);
    struct quantity step = {0.2, DIM_NONE};
    if (text && (quantity_scan(text, &step) || !dim_equal(step.dim, DIM_NONE) ||
                 !(step.value > 0 && step.value < 1)))
        return error_set(error, STATUS_USAGE, "--by: a share between 0 and 1, such as 20%%");
    *out = step.value;
    return 0;
}

static int sensitivity_run(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "csv", "json", NULL};
    const char *format, *metric = option_value(inv, "metric", 0);
    struct moving m = {0};
    struct elasticities found = {0};
    double step = 0;
    metric = metric ? metric : "kernel_time";
    int status = terminal_format(inv, formats, &format, error);
    if (!status)
        status = terminal_no_arguments(inv, error);
    if (!status)
        status = read_step(inv, &step, error);
    if (!status)
        status = moving_open(inv, "sensitivity", &m, error);
    if (!status)
        status = elasticities_find(&m.point, NULL, metric, step, option_given(inv, "structural"), &found,
                                   error);
    if (!status)
        print(&m, metric, step, &found, format);
    VECTOR_FREE(&found);
    moving_close(&m);
    return status;
}

static const struct option_row sensitivity_options[] = {
    {'m', "machine", "M", false, "a shipped machine or a file", "@machines"},
    {'w', "workload", "W", true, "a shipped workload, a trace or a profile", "@workloads"},
    {'s', "set", "PATH=VALUE", true, "change a parameter before", "@settings"},
    {'O', "organisation", "O", false, "of the LLC (default: the machine's)", "@organisation"},
    {'o', "organization", "O", false, NULL, "@organisation", "organisation"},
    {0, "model", "NAME", false,
     "whose answer (default: network, or where it refuses the machine, bottleneck)", "@model"},
    {0, "metric", "NAME", false, "of what (default: kernel_time)",
     "kernel_time effective_bandwidth"},
    {0, "by", "SHARE", false, "how far parameters move (default: 20%)"},
    {0, "structural", NULL, false, "those as well that need a profile for each value"},
    {0, "strict", NULL, false, "a trace that lacks thread blocks, or is doubtful, is an error"},
    {0, "format", "F", false, "table (default), csv or json", "table csv json"},
    {.name = NULL},
};

const struct command command_sensitivity = {
    .plugin = {"command", "sensitivity", "which parameters a prediction hangs on", NULL, NULL},
    .usage = "--machine M --workload W [--set PATH=VALUE]... [--metric NAME] [--by SHARE]",
    .description =
        "Moves every number of the machine that the answer reads, one at a time, and prints what\n"
        "becomes of a metric: its elasticity (the relative change of the metric over that of the\n"
        "parameter, for one percent: -1 where twice the bandwidth halves the time), and its "
        "change\n"
        "with the parameter that much less and more. Largest changes first; what changes nothing\n"
        "is left out. Counts move by whole numbers. A cell is empty where the machine cannot be\n"
        "built so, or the model refuses it.",
    .examples = "  bandscape sensitivity --machine sac --workload bfs:input=small\n"
                "  bandscape sensitivity -m nuba -w gemm:input=small --metric effective_bandwidth "
                "--by 50%",
    .options = sensitivity_options,
    .run = sensitivity_run,
};
