/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape compare: machines side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal.h"
#include "core/file.h"
#include "explore/answer/baseline.h"
#include "explore/answer/point.h"
#include "explore/views/subjects.h"
#include "report/answer_report.h"
#include "workload/settings.h"

static const struct sheet_column compare_columns[] = {
    {"workload", "workload", NULL, SHEET_TEXT},
    {"machine", "machine", NULL, SHEET_TEXT},
    {"model", "model", NULL, SHEET_TEXT},
    {"effective_bandwidth", "effective bandwidth", NULL, SHEET_NUMBER, .dim = IN_BYTES_PER_S},
    {"kernel_time", "kernel time", NULL, SHEET_NUMBER, .dim = IN_SECONDS},
    {"speedup", "speed-up", NULL, SHEET_FIXED, .digits = 3},
    {"limited_by", "limited by", NULL, SHEET_TEXT},
    {"refused", NULL, NULL, SHEET_TEXT},
    {"organisation", NULL, NULL, SHEET_TEXT}, /* as whatif has them */
    {"answer", NULL, NULL, SHEET_TEXT},
    {NULL}};

struct compare {
    struct {
        struct machine **items;
        size_t count, capacity;
    } machines;
    struct subjects subjects;
    const struct model *model; /* NULL: the first that answers, machine by machine */
    double *speedups;          /* [machine * workloads + workload] */
    size_t answers;            /* rows that are not refused */
    struct error refused;      /* the first that is */
    struct sheet *sheet;
};

/* "NAME:PATH=VALUE,..." is that machine with settings, and goes by that name. */
static int open_machine(const char *text, struct machine **out, struct error *error)
{
    struct arena *arena = arena_create();
    struct settings settings = {0};
    size_t length = file_exists(text) ? strlen(text) : strcspn(text, ":");
    int status = machine_load(arena_strndup(arena, text, length), out, error);
    if (!status && text[length])
        status = settings_parse(arena, text, length + 1, &settings, error);
    for (size_t i = 0; i < settings.count && !status; i++)
        status = machine_set(*out, settings.items[i].key, settings.items[i].value, NULL, error);
    if (!status && text[length])
        (*out)->name = arena_strdup((*out)->arena, text);
    arena_destroy(arena);
    return status;
}

/* A machine for every choice of the settings' values. */
static int open_choices(struct compare *c, const struct invocation *inv, const char *text,
                        struct error *error)
{
    struct machine *plain = NULL;
    struct choices choices = {.combinations = 0};
    int status = open_machine(text, &plain, error);
    if (!status)
        status = choices_read(inv, plain, &choices, error);
    for (size_t i = 0; i < choices.combinations && !status; i++) {
        struct machine *machine = machine_clone(plain);
        struct text label = {0};
        VECTOR_PUSH(&c->machines, machine);
        status = choices_apply(&choices, i, machine, error);
        choices_label(&choices, machine, &label);
        if (label.length)
            machine->name = arena_printf(machine->arena, "%s %s", plain->name, label.data);
        text_free(&label);
    }
    choices_fini(&choices);
    machine_destroy(plain);
    return status;
}

static int open_machines(struct compare *c, const struct invocation *inv, struct error *error)
{
    int status = 0;
    for (int i = 0; i < argument_count(inv) && !status; i++) {
        status = open_choices(c, inv, argument_value(inv, i), error);
        if (status)
            error_context(error, "%s", argument_value(inv, i));
    }
    if (!status && c->machines.count < 2) {
        error_set(error, STATUS_USAGE, "compare takes two machines or more");
        return error_hint(error, "bandscape compare a100 h100 mi300x --workload stream");
    }
    return status;
}

static int open_subjects(struct compare *c, const struct invocation *inv, struct error *error)
{
    int n = option_count(inv, "workload");
    if (n == 0) {
        error_set(error, STATUS_USAGE, "compare needs a workload");
        return error_hint(error, "--workload stream; bandscape list workloads shows names");
    }
    const char **specs = option_values(inv, "workload");
    struct subjects_request request = {specs, NULL, (size_t)n, option_given(inv, "strict")};
    int status = subjects_open(&c->subjects, &request, error);
    free(specs);
    return status;
}

/* The machine's answer, or none and why. */
static int ask(const struct compare *c, struct subject *subject, const struct machine *machine,
               const struct model **model, struct answer **out, struct error *refused,
               struct error *error)
{
    struct point point;
    *out = NULL;
    int status = point_open(&point, subject, machine, c->model, refused);
    if (!status)
        status = point_answer_metrics(&point, answer_in_a_line, out, refused);
    *model = point.model;
    point_close(&point);
    if (status == STATUS_INFEASIBLE || status == STATUS_UNKNOWN_FIELD)
        return 0;
    if (status)
        *error = *refused;
    return status;
}

static void add_row(struct compare *c, size_t m, size_t w, const struct answer *first,
                    const struct answer *answer, const struct model *model,
                    const struct error *refused)
{
    char limits[160] = "";
    double speedup = (double)NAN;
    if (answer && first)
        speedup = answer_metric(first, "kernel_time") / answer_metric(answer, "kernel_time");
    if (answer)
        answer_limits(answer, limits, sizeof limits);
    c->speedups[m * c->subjects.count + w] = speedup;
    struct sheet_cell cells[] = {
        {c->subjects.items[w]->name},
        {c->machines.items[m]->name},
        {answer ? model->plugin.name : NULL},
        {.number = answer ? answer_metric(answer, "effective_bandwidth") : (double)NAN},
        {.number = answer ? answer_metric(answer, "kernel_time") : (double)NAN},
        {.number = speedup},
        {answer ? limits : "refused"},
        {answer ? NULL : refused->text},
        {answer ? answer->result.organisation : NULL},
        {answer ? model->answer : NULL}};
    sheet_add(c->sheet, cells);
    if (!answer)
        sheet_add_note(c->sheet, "%s", refused->text);
}

static int compare_workload(struct compare *c, size_t w, struct error *error)
{
    struct answer *first = NULL;
    int status = 0;
    for (size_t m = 0; m < c->machines.count && !status; m++) {
        struct answer *answer;
        const struct model *model;
        struct error refused = {0};
        status =
            ask(c, c->subjects.items[w], c->machines.items[m], &model, &answer, &refused, error);
        if (status)
            break;
        if (refused.status)
            error_context(&refused, "%s on %s", c->subjects.items[w]->name,
                          c->machines.items[m]->name);
        c->answers += answer != NULL;
        c->refused = c->refused.status ? c->refused : refused;
        first = m == 0 ? answer : first;
        add_row(c, m, w, first, answer, model, &refused);
        if (answer != first)
            answer_destroy(answer);
    }
    answer_destroy(first);
    if (status)
        error_context(error, "workload %s", c->subjects.items[w]->name);
    return status;
}

/* Over workloads, of machines that answer for all of them. */
static void print_means(const struct compare *c)
{
    static const struct sheet_column columns[] = {{NULL, "machine", NULL, SHEET_TEXT},
                                                  {NULL, "harmonic mean", NULL, SHEET_NUMBER},
                                                  {NULL, "geometric mean", NULL, SHEET_NUMBER},
                                                  {NULL, "arithmetic mean", NULL, SHEET_NUMBER},
                                                  {NULL}};
    struct sheet *sheet = sheet_create(columns);
    size_t n = c->subjects.count;
    for (size_t m = 0; m < c->machines.count; m++) {
        bool all = true;
        for (size_t w = 0; w < n; w++)
            all = all && !isnan(c->speedups[m * n + w]);
        if (!all)
            continue;
        struct baseline_means mean = baseline_means(c->speedups + m * n, n);
        SHEET_TEXTS(sheet, c->machines.items[m]->name);
        SHEET_NUMBERS(sheet, mean.harmonic, mean.geometric, mean.arithmetic);
    }
    printf("\nspeed-up over %s, %zu workloads\n", c->machines.items[0]->name, n);
    terminal_print_sheet(sheet, "table");
    sheet_destroy(sheet);
}

static void print(const struct compare *c, const char *format)
{
    bool table = strcmp(format, "table") == 0;
    terminal_print_sheet(c->sheet, format);
    if (table && c->subjects.count > 1)
        print_means(c);
    for (size_t i = 0; i < c->sheet->notes.count && !table; i++)
        message("%s", c->sheet->notes.items[i]);
    terminal_warn_subjects(c->subjects.items, c->subjects.count);
}

static int compare_run(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "csv", "json", NULL};
    const char *format, *name = option_value(inv, "model", 0);
    const struct plugin *model = NULL;
    struct compare c = {.sheet = sheet_create(compare_columns)};
    int status = terminal_format(inv, formats, &format, error);
    if (!status && name)
        status = plugin_require("model", name, &model, error);
    c.model = (const struct model *)model;
    if (!status)
        status = open_machines(&c, inv, error);
    if (!status)
        status = open_subjects(&c, inv, error);
    c.speedups = memory_zero(c.machines.count * c.subjects.count, sizeof *c.speedups);
    for (size_t w = 0; w < c.subjects.count && !status; w++) {
        if (w)
            sheet_add_rule(c.sheet);
        status = compare_workload(&c, w, error);
    }
    if (!status && !c.answers) {
        *error = c.refused;
        status = error->status;
        error_context(error, "no machine has an answer");
    }
    if (!status)
        print(&c, format);
    for (size_t m = 0; m < c.machines.count; m++)
        machine_destroy(c.machines.items[m]);
    VECTOR_FREE(&c.machines);
    subjects_close(&c.subjects);
    sheet_destroy(c.sheet);
    free(c.speedups);
    return status;
}

static const struct option_row compare_options[] = {
    {'w', "workload", "W", true,
     "a shipped workload (gemm:input=small), a trace or a profile;\nmay be repeated", "@workloads"},
    {'s', "set", "PATH=VALUE", true,
     "change a parameter of all machines; several values (48,96GB/s or x0.5..x4) make several\n"
     "of each",
     "@settings"},
    {0, "model", "NAME", false,
     "whose answer (default: network, or where it refuses a machine, bottleneck)", "@model"},
    {0, "strict", NULL, false, "a trace that lacks thread blocks, or is doubtful, is an error"},
    {0, "format", "F", false, "table (default), csv or json", "table csv json"},
    {.name = NULL},
};

const struct command command_compare = {
    .plugin = {"command", "compare", "machines side by side", NULL, NULL},
    .usage = "MACHINE MACHINE... --workload W... [--set PATH=VALUE]... [--model NAME]",
    .description =
        "Asks one model what each machine delivers to each workload: effective bandwidth, kernel\n"
        "time, the speed-up over the first machine, and what limits it. A machine that the model\n"
        "refuses is an empty row, with the reason under the table. Each workload is profiled once\n"
        "for each machine; the views are cached. NAME:PATH=VALUE,... is a machine with settings "
        "of\n"
        "its own.",
    .examples = "  bandscape compare mono128 mcm mcm-optimised --workload stream:input=small\n"
                "  bandscape compare sac sac:inter.link_bandwidth=384GB/s,llc.capacity=8MiB -w "
                "gemm:input=small\n"
                "  bandscape compare a100 h100 mi300x -w stream:input=small -w gemm:input=small",
    .options = compare_options,
    .run = compare_run,
    .arguments = "@machines",
};
