/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape simulate: a machine with a workload request by request, or a queueing network. */
#include <stdlib.h>
#include <string.h>

#include "cli/network_file.h"
#include "cli/question.h"
#include "cli/terminal.h"
#include "core/memory.h"
#include "explore/answer/effect.h"
#include "explore/answer/draws.h"
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
        return error_hint(error, "0.95 is a confidence of 95 %%");
    }
    *out = quantity.value;
    return 0;
}

/* What both forms count. */
static int read_run(const struct invocation *inv, struct simulate_gpu_options *out,
                    long long warm_up_share, struct error *error)
{
    long long requests, warm_up;
    *out = referee_options(REFEREE_REQUESTS);
    int status = option_integer(inv, "requests", 1, 1LL << 40, REFEREE_REQUESTS, &requests, error);
    if (!status)
        status = option_integer(inv, "warm-up", 0, 1LL << 40,
                                warm_up_share ? requests / warm_up_share : 0, &warm_up, error);
    if (!status)
        status = read_confidence(inv, &out->confidence, error);
    if (!status) {
        out->progress = true;
        out->requests = (uint64_t)requests;
        out->warm_up = (uint64_t)warm_up;
    }
    return status;
}

/* --- a queueing network ----------------------------------------------------------------- */

static int run_file(const struct invocation *inv, const char *format, struct error *error)
{
    struct simulate_options options;
    struct simulate_result *result = NULL;
    struct network_file file;
    struct simulate_gpu_options run;
    long long seed;
    int status = option_integer(inv, "seed", 0, UINT32_MAX, 1, &seed, error);
    if (!status)
        status = read_run(inv, &run, 10, error);
    if (!status)
        status = network_file_load(argument_value(inv, 0), &file, error);
    if (status)
        return status;
    options = (struct simulate_options){(uint64_t)seed, run.requests, run.warm_up, run.confidence};
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

/* --- a machine --------------------------------------------------------------------------- */

struct simulation {
    struct question question;
    struct {
        struct simulate_row *items;
        size_t count, capacity;
    } rows; /* they own their results */
    struct simulate_gpu_options options;
    struct draws draws;
};

static void simulation_fini(struct simulation *s)
{
    for (size_t i = 0; i < s->rows.count; i++)
        simulate_gpu_result_destroy((struct simulate_gpu_result *)s->rows.items[i].result);
    VECTOR_FREE(&s->rows);
    question_fini(&s->question);
}

/* --hit l1=0.5, --hit llc=90%. */
static int read_hits(const struct invocation *inv, struct simulate_gpu_options *options,
                     struct error *error)
{
    for (int i = 0; i < option_count(inv, "hit"); i++) {
        const char *text = option_value(inv, "hit", i);
        struct quantity quantity;
        double *rate = strncmp(text, "l1=", 3) == 0    ? &options->l1_hit_rate
                       : strncmp(text, "llc=", 4) == 0 ? &options->llc_hit_rate
                                                       : NULL;
        if (!rate || quantity_scan(strchr(text, '=') + 1, &quantity) ||
            !dim_equal(quantity.dim, DIM_NONE) || !(quantity.value >= 0 && quantity.value <= 1)) {
            error_set(error, STATUS_USAGE,
                      "--hit: expected l1=RATE or llc=RATE with a rate from 0 to 1, got \"%.80s\"",
                      text);
            return error_hint(error, "--hit llc=0.8 or --hit llc=80%%");
        }
        if (*rate >= 0)
            return error_set(error, STATUS_USAGE, "--hit: %.*s is given twice",
                             (int)strcspn(text, "="), text);
        *rate = quantity.value;
    }
    return 0;
}

/* --seed, --draws: the first draw is the same as without. */
static int read_draws(const struct invocation *inv, struct simulation *s, struct error *error)
{
    long long seed, draws;
    int status = option_integer(inv, "seed", 1, UINT32_MAX, 1, &seed, error);
    if (!status)
        status = option_integer(inv, "draws", 1, 10000, 1, &draws, error);
    if (!status) {
        s->options.draw = (uint64_t)seed - 1;
        s->draws = (struct draws){.least = (uint32_t)draws, .most = (uint32_t)draws};
    }
    return status;
}

/* The models whose choices are followed, under the organisations that are asked about; free() the
 * array. */
static const struct model **followed_models(const struct question *q, size_t *count)
{
    const struct model **models = memory_zero(q->organisations.count, sizeof *models);
    *count = 0;
    for (size_t o = 0; o < q->organisations.count; o++) {
        struct error ignored;
        if (machine_set(q->machine, "llc.organisation", q->organisations.items[o], NULL, &ignored))
            continue;
        const struct model *model = referee_model(q->machine);
        if (model)
            models[(*count)++] = model;
    }
    return models;
}

static int check_settings(const struct question *q, const struct invocation *inv,
                          struct error *error)
{
    struct effect asked = {.machine = q->machine, .simulation = true, .profiled = true};
    const struct model **models = followed_models(q, &asked.n_models);
    asked.models = models;
    int status = terminal_require_effects(inv, &asked, error);
    free(models);
    return status;
}

/* Views are needed where a model chooses. */
static int prepare(struct subject *subject, const struct machine *machine, struct error *error)
{
    const struct model *model = referee_model(machine);
    size_t made;
    return model ? subject_prepare_models(subject, machine, &model, 1, 0, NULL, &made, error) : 0;
}

static int simulate_all(struct simulation *s, struct error *error)
{
    struct machine *machine = s->question.machine;
    for (size_t w = 0; w < s->question.subjects.count; w++)
        for (size_t o = 0; o < s->question.organisations.count; o++) {
            struct subject *subject = s->question.subjects.items[w];
            struct simulate_gpu_result *result = NULL;
            const char *organisation = s->question.organisations.items[o];
            int status = machine_set(machine, "llc.organisation", organisation, NULL, error);
            if (!status)
                status = prepare(subject, machine, error);
            if (!status)
                status = draws_simulate(subject, machine, &s->options, &s->draws, &result, error);
            if (status) {
                error_context(error, "workload %s, %s", subject->name, organisation);
                return status;
            }
            struct simulate_row row = {machine->name, subject->name, organisation, &s->options,
                                       result};
            VECTOR_PUSH(&s->rows, row);
        }
    return 0;
}

/* What the result rests on and the workload does not say. */
static void print_assumed(const struct simulate_row *row)
{
    bool assumes = false;
    for (size_t i = 0; i < row->result->n_launches; i++)
        assumes = assumes || row->result->launches[i].assumes;
    if (assumes)
        message("%s, %s: assumes that an access needs all that its warp has loaded before it: the "
                "trace does not say what needs what",
                row->workload, row->organisation);
}

static void print_rows(const struct simulation *s, const struct invocation *inv, const char *format)
{
    if (strcmp(format, "json") == 0) {
        struct json json = {.stream = stdout};
        json_begin_array(&json);
        for (size_t i = 0; i < s->rows.count; i++)
            simulate_gpu_json(&json, &s->rows.items[i]);
        json_end_array(&json);
    } else {
        struct table_style style = terminal_table_style(stdout);
        struct text text = {0};
        simulate_gpu_text(s->rows.items, s->rows.count,
                          s->rows.count == 1 || option_given(inv, "details"), &style, &text);
        fputs(text.data, stdout);
        text_free(&text);
    }
    terminal_warn_subjects(s->question.subjects.items, s->question.subjects.count);
    for (size_t i = 0; i < s->rows.count; i++) {
        print_assumed(&s->rows.items[i]);
        if (!s->rows.items[i].result->whole)
            message("%s, %s: stopped after %llu requests; --requests says how many are counted",
                    s->rows.items[i].workload, s->rows.items[i].organisation,
                    (unsigned long long)s->rows.items[i].result->requests);
    }
}

static int run_machine(const struct invocation *inv, const char *format, struct error *error)
{
    struct simulation s = {0};
    int status = read_run(inv, &s.options, 0, error);
    if (!status)
        status = read_hits(inv, &s.options, error);
    if (!status)
        status = read_draws(inv, &s, error);
    if (!status)
        status = question_read(inv, "simulate", false, &s.question, error);
    if (!status)
        status = check_settings(&s.question, inv, error);
    if (!status)
        status = simulate_all(&s, error);
    if (!status)
        print_rows(&s, inv, format);
    simulation_fini(&s);
    return status;
}

/* --- the command ---------------------------------------------------------------------------- */

/* Options of the other form would have no effect. */
static int check_options(const struct invocation *inv, bool machine, struct error *error)
{
    static const char *const of_machines[] = {"set",     "workload", "organisation", "hit",
                                              "details", "draws",    "strict"};
    for (size_t i = 0; i < sizeof of_machines / sizeof *of_machines && !machine; i++)
        if (option_given(inv, of_machines[i]))
            return error_set(error, STATUS_USAGE, "--%s has no effect on a queueing network",
                             of_machines[i]);
    return 0;
}

static int run_simulate(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "json", NULL};
    const char *format;
    bool machine = option_given(inv, "machine");
    int status = terminal_format(inv, formats, &format, error);
    if (!status && argument_count(inv) != (machine ? 0 : 1)) {
        status = error_set(error, STATUS_USAGE,
                           "simulate: expected a machine and a workload, or one file of a queueing "
                           "network");
        error_hint(error, "--machine sac --workload gemm:input=small; bandscape simulate --help "
                          "shows both forms");
    }
    if (!status)
        status = check_options(inv, machine, error);
    if (status)
        return status;
    return machine ? run_machine(inv, format, error) : run_file(inv, format, error);
}

static const struct option_row simulate_options_table[] = {
    {'m', "machine", "M", false, "a shipped machine or a file", "@machines"},
    {'s', "set", "PATH=VALUE", true, "change a parameter: --set inter.link_bandwidth=48GB/s",
     "@settings"},
    {'w', "workload", "W", true, "a workload or a trace; may be repeated", "@workloads"},
    {'O', "organisation", "O", true, "of the LLC; may be repeated (default: the machine's)",
     "@organisation"},
    {'o', "organization", "O", true, NULL, "@organisation", "organisation"},
    {0, "requests", "N", false,
     "requests (cycles of a network) to count (default: 200000); a run\n"
     "that has fewer is simulated whole"},
    {0, "warm-up", "N", false, "those before that (default: 0; of a network a tenth)"},
    {0, "hit", "LEVEL=RATE", true, "force the hit rate of l1 or llc", "l1= llc="},
    {0, "seed", "S", false,
     "of a network's random numbers; of a machine, of who is first where SMs go at the\n"
     "same time (default: 1)"},
    {0, "draws", "N", false,
     "so many runs of a machine, seeds S, S + 1, ...: mean times, their interval\n"
     "(default: 1)"},
    {0, "confidence", "C", false, "of intervals (default: 0.95)"},
    {0, "details", NULL, false, "paths, stations and launches, of several runs too"},
    {0, "strict", NULL, false, "a trace that lacks thread blocks, or is doubtful, is an error"},
    {0, "format", "F", false, "table (default) or json", "table json"},
    {.name = NULL},
};

const struct command command_simulate = {
    .plugin = {.kind = "command",
               .name = "simulate",
               .summary = "simulate a machine with a workload, or a queueing network"},
    .usage = "--machine M --workload W [--organisation O]... [--set PATH=VALUE]...\n"
             "       [--requests N] [--warm-up N] [--hit LEVEL=RATE]... [--draws N] [--seed S]\n"
             "       [--format table|json]\n"
             "       bandscape simulate FILE.yaml [--requests N] [--warm-up N] [--seed S]",
    .description =
        "A machine: every request goes through MSHRs, crossbars, slices, links and channels, one\n"
        "event after the other. Streams, schedules, L1, placement and levels are the profiler's;\n"
        "but a warp issues when its data are there, so that time decides the order of accesses,\n"
        "and hit rates may differ from a profile's. It is what models are held against: see\n"
        "bandscape validate referee. Service is deterministic, queues have no bounds but the "
        "MSHRs\n"
        "of levels that state them; TLBs are looked up, and what misses the last walks; caches of\n"
        "scalars, constants and textures take L1's place for such reads. Requests\n"
        "merge with those for a line that is under way. Writes allocate in the LLC without a\n"
        "fetch; dirty lines go to memory when they leave, and at a launch's end where coherence\n"
        "flushes, which is part of its time. Organisations that choose (sac, replication mdr)\n"
        "run with the choices of their models, and turn when a launch's window or epoch\n"
        "is over.\n\n"
        "A queueing network (bandscape network --help shows the file): exponential think and\n"
        "service times unless a queue says its scv; first come, first served where that keeps\n"
        "product form, else shared processors.\n\n"
        "SMs of one program touch the same pages at the same time; one is first, and the page is\n"
        "its own. Who, is chance: --draws 16 says how much of a time that is.\n\n"
        "Intervals are those of batch means, 32 to 64 batches of one run; of several draws\n"
        "those of their mean.",
    .examples =
        "  bandscape simulate --machine sac --workload stream:input=small\n"
        "  bandscape simulate --machine sac --workload gemm:input=small --organisation memory-side"
        " --organisation sm-side\n"
        "  bandscape simulate --machine sac --workload pagerank:input=small --draws 16\n"
        "  bandscape simulate --machine sac --workload stencil:input=small --hit llc=0.5"
        " --format json\n"
        "  bandscape simulate tests/data/lazowska.network.yaml --requests 100000",
    .options = simulate_options_table,
    .run = run_simulate,
};
