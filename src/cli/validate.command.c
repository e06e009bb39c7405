/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape validate: how far estimates and predictions are from what they stand for. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/look_options.h"
#include "cli/terminal.h"
#include "core/file.h"
#include "core/parallel.h"
#include "explore/answer/simulations.h"
#include "model/model.h"
#include "report/checkpoint_plot.h"
#include "report/sheet_print.h"
#include "validate/checkpoint.h"
#include "validate/answers.h"
#include "validate/validations.h"

static const char *const validate_formats[] = {"table", "csv", "json", NULL};

/* The validations to run, and their rows when they have. */
struct validate {
    struct validations all;
    struct {
        struct validate_one {
            const struct validation *validation;
            struct sheet *rows;
        } * items;
        size_t count, capacity;
    } list;
    struct machine *machine;
    const char **workloads, **figures; /* as the user wrote them; and NULL */
    struct {
        const struct published **items;
        size_t count, capacity;
    } systems; /* named beside one that runs in their place; then NULL */
};

static void validate_fini(struct validate *v)
{
    for (size_t i = 0; i < v->list.count; i++)
        sheet_destroy(v->list.items[i].rows);
    VECTOR_FREE(&v->list);
    VECTOR_FREE(&v->systems);
    validations_close(&v->all);
    machine_destroy(v->machine);
    free(v->workloads);
    free(v->figures);
}

/* Systems beside a validation that runs in their place are what that is about. */
static void validate_join(struct validate *v)
{
    size_t kept = 0;
    bool joins = false;
    for (size_t i = 0; i < v->list.count; i++)
        joins = joins || v->list.items[i].validation->reads & VALIDATION_SYSTEMS;
    for (size_t i = 0; i < v->list.count; i++) {
        const struct published *published = v->list.items[i].validation->published;
        if (joins && published)
            VECTOR_PUSH(&v->systems, published);
        else
            v->list.items[kept++] = v->list.items[i];
    }
    v->list.count = kept;
    if (v->systems.count)
        VECTOR_PUSH(&v->systems, NULL);
}

/* Those named; where none is, all but those that take long. */
static int validate_choose(struct validate *v, const struct invocation *inv, struct error *error)
{
    const struct validation *validation;
    int status = validations_open(&v->all, error);
    for (int i = 0; i < argument_count(inv) && !status; i++) {
        const char *name = argument_value(inv, i);
        status = validations_require(&v->all, name, &validation, error);
        for (size_t k = 0; k < v->list.count && !status; k++)
            if (v->list.items[k].validation == validation)
                status = error_set(error, STATUS_USAGE, "%s is given twice", name);
        if (!status)
            VECTOR_PUSH(&v->list, (struct validate_one){validation, NULL});
    }
    for (size_t i = 0; i < v->all.count && argument_count(inv) == 0 && !status; i++)
        if (!v->all.items[i]->named)
            VECTOR_PUSH(&v->list, (struct validate_one){v->all.items[i], NULL});
    validate_join(v);
    return status;
}

/* An option that none of them looks at would have no effect. */
static int validate_options_matter(const struct validate *v, const struct invocation *inv,
                                   struct error *error)
{
    static const struct {
        const char *option;
        unsigned reads;
    } options[] = {
        {"machine", VALIDATION_MACHINE | VALIDATION_OWN_MACHINE},
        {"set", VALIDATION_MACHINE | VALIDATION_OWN_MACHINE},
        {"workload", VALIDATION_WORKLOADS | VALIDATION_NAMED_WORKLOADS},
        {"input", VALIDATION_WORKLOADS},
        {"strict", VALIDATION_WORKLOADS},
        {"all", VALIDATION_LONG},
        {"data", VALIDATION_DATA},
        {"requests", VALIDATION_SIMULATED},
        {"figure", VALIDATION_FIGURES},
    };
    unsigned reads = 0;
    for (size_t i = 0; i < v->list.count; i++)
        reads |= v->list.items[i].validation->reads;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (option_given(inv, options[i].option) && !(reads & options[i].reads))
            return error_set(error, STATUS_USAGE, "--%s has no effect on %s", options[i].option,
                             argument_value(inv, 0));
    return 0;
}

static bool has_checkpoints(const struct validation *validation)
{
    return validation->columns == checkpoint_columns;
}

/* --plots, --term, checked before anything is done. */
static int read_plot(const struct validate *v, const struct invocation *inv,
                     enum plot_terminal *terminal, struct error *error)
{
    const char *name = option_value(inv, "term", 0);
    bool any = !option_given(inv, "plots");
    *terminal = PLOT_SVG;
    if ((name || look_asked(inv)) && !option_given(inv, "plots"))
        return error_set(error, STATUS_USAGE, "%s a folder for pictures: --plots DIR",
                         name ? "--term needs" : "options of pictures need");
    for (size_t i = 0; i < v->list.count; i++)
        any |= has_checkpoints(v->list.items[i].validation);
    if (!any) {
        error_set(error, STATUS_USAGE, "--plots has no effect on %s", argument_value(inv, 0));
        return error_hint(error, "it draws published figures beside ours: name a system, as in "
                                 "bandscape validate sac --plots plots");
    }
    return name ? plot_terminal_scan(name, terminal, error) : 0;
}

/* The values of an option, and NULL. */
static const char **option_all(const struct invocation *inv, const char *option)
{
    int n = option_count(inv, option);
    const char **values = memory_zero((size_t)n + 1, sizeof *values);
    for (int i = 0; i < n; i++)
        values[i] = option_value(inv, option, i);
    return values;
}

static int validate_run_all(struct validate *v, const struct invocation *inv, struct error *error)
{
    const char *machine = option_value(inv, "machine", 0), *input = option_value(inv, "input", 0);
    int n = option_count(inv, "workload");
    v->workloads = option_all(inv, "workload");
    v->figures = option_all(inv, "figure");
    long long requests;
    int status = option_integer(inv, "requests", 2, 1LL << 40, 0, &requests, error);
    if (!status)
        status = machine_load(machine ? machine : model_machine_name(NULL), &v->machine, error);
    if (!status)
        status = terminal_apply_settings(inv, v->machine, error);
    struct validation_request request = {.machine = v->machine,
                                         .input = input,
                                         .workloads = v->workloads,
                                         .n_workloads = (size_t)n,
                                         .data = option_value(inv, "data", 0),
                                         .figures = v->figures[0] ? v->figures : NULL,
                                         .systems = v->systems.items,
                                         .all = option_given(inv, "all"),
                                         .strict = option_given(inv, "strict"),
                                         .threads = parallel_cores(),
                                         .answers = answers_create(),
                                         .requests = (uint64_t)requests,
                                         .simulations = simulations_create()};
    for (size_t i = 0; i < v->list.count && !status; i++) {
        struct validate_one *one = &v->list.items[i];
        one->rows = sheet_create(one->validation->columns);
        status = validation_run(one->validation, &request, one->rows, error);
        if (status)
            error_context(error, "validate %s", one->validation->plugin.name);
    }
    answers_destroy(request.answers);
    simulations_destroy(request.simulations);
    return status;
}

/* --- printing ---------------------------------------------------------------------- */

static void print_text(const struct validate *v, const struct invocation *inv, FILE *stream)
{
    struct table_style style = {0};
    struct text text = {0};
    if (stream == stdout)
        style = terminal_table_style(stream);
    for (size_t i = 0; i < v->list.count; i++) {
        const struct validation *validation = v->list.items[i].validation;
        const char *input = option_value(inv, "input", 0);
        const char *usual = validation->input ? validation->input : "small";
        text_printf(&text, "%s%s: %s", i ? "\n" : "", validation->plugin.name,
                    validation->plugin.summary);
        if (validation->reads & VALIDATION_MACHINE)
            text_printf(&text, "; machine %s", v->machine->name);
        if (validation->reads & VALIDATION_WORKLOADS)
            text_printf(&text, ", inputs of shipped workloads: %s", input ? input : usual);
        text_append(&text, "\n");
        sheet_print_groups(v->list.items[i].rows, &style, &text);
    }
    fputs(text.length ? text.data : "", stream);
    text_free(&text);
}

/* Programs get rows alone; what there is to note goes to the user. */
static void tell_notes(const struct validate *v)
{
    for (size_t i = 0; i < v->list.count; i++)
        for (size_t k = 0; k < v->list.items[i].rows->notes.count; k++)
            message("%s", v->list.items[i].rows->notes.items[k]);
}

static void print_csv(const struct validate *v, FILE *stream)
{
    struct csv_writer csv = {.stream = stream};
    bool named = v->list.count > 1;
    if (named)
        csv_write_text(&csv, "validation");
    sheet_print_csv_header(v->list.items[0].rows, &csv);
    for (size_t i = 0; i < v->list.count; i++)
        for (size_t r = 0; r < sheet_rows(v->list.items[i].rows); r++) {
            if (named)
                csv_write_text(&csv, v->list.items[i].validation->plugin.name);
            sheet_print_csv_row(v->list.items[i].rows, r, &csv);
        }
}

static void print_json(const struct validate *v, FILE *stream)
{
    struct json json = {.stream = stream};
    json_begin_array(&json);
    for (size_t i = 0; i < v->list.count; i++)
        for (size_t r = 0; r < sheet_rows(v->list.items[i].rows); r++) {
            json_begin_object(&json);
            json_pair_string(&json, "validation", v->list.items[i].validation->plugin.name);
            sheet_print_json_row(v->list.items[i].rows, r, &json);
            json_end_object(&json);
        }
    json_end_array(&json);
}

static void print_rows(const struct validate *v, const struct invocation *inv, const char *format,
                       FILE *stream)
{
    if (strcmp(format, "table") == 0) {
        print_text(v, inv, stream);
        return;
    }
    if (strcmp(format, "csv") == 0)
        print_csv(v, stream);
    else
        print_json(v, stream);
    tell_notes(v);
}

static int print_file(const struct validate *v, const struct invocation *inv, const char *format,
                      const char *path, struct error *error)
{
    struct file_writer writer;
    char *folder = file_directory(path);
    int status = file_make_directory(folder, error);
    if (!status)
        status = file_writer_open(&writer, path, error);
    free(folder);
    if (status)
        return status;
    print_rows(v, inv, format, writer.stream);
    status = file_writer_commit(&writer, error);
    if (!status)
        message("wrote %s", path);
    return status;
}

/* --plots DIR: a picture a validation that has checkpoints. */
static int draw(const struct validate *v, const char *folder, const struct plot_output *how,
                struct error *error)
{
    int status = 0;
    for (size_t i = 0; i < v->list.count && folder && !status; i++) {
        const struct validation *validation = v->list.items[i].validation;
        struct text path = {0}, title = {0};
        bool drawn = false;
        if (!has_checkpoints(validation))
            continue;
        text_printf(&path, "%s/%s.%s", folder, validation->plugin.name,
                    plot_terminal_ending(how->terminal));
        text_printf(&title, "validate %s: published figures and ours", validation->plugin.name);
        struct plot_output output = *how;
        output.path = path.data;
        status = checkpoint_plot(v->list.items[i].rows, title.data, &output, &drawn, error);
        if (!status && drawn)
            message("wrote %s", path.data);
        text_free(&title);
        text_free(&path);
    }
    return status;
}

/* Rows of validations with other columns do not go into one file of CSV. */
static bool same_columns(const struct validate *v)
{
    for (size_t i = 1; i < v->list.count; i++)
        if (v->list.items[i].validation->columns != v->list.items[0].validation->columns)
            return false;
    return true;
}

/* What was done before Ctrl-C. */
static void print_done(const struct validate *v, const struct invocation *inv, const char *format)
{
    size_t rows = 0;
    bool all = true;
    for (size_t i = 0; i < v->list.count; i++) {
        all = all && v->list.items[i].rows;
        rows += all ? sheet_rows(v->list.items[i].rows) : 0;
    }
    if (all && rows)
        print_rows(v, inv, format, stdout);
}

/* --- the command -------------------------------------------------------------------- */

static int validate_run(const struct invocation *inv, struct error *error)
{
    struct validate v = {0};
    enum plot_terminal terminal = PLOT_SVG;
    struct look_how how;
    struct error ignored;
    const char *format, *path = option_value(inv, "output", 0);
    int status = terminal_format(inv, validate_formats, &format, error);
    if (!status)
        status = validate_choose(&v, inv, error);
    if (!status)
        status = validate_options_matter(&v, inv, error);
    if (!status)
        status = read_plot(&v, inv, &terminal, error);
    int looks = look_open(inv, terminal, &how, status ? &ignored : error);
    status = status ? status : looks;
    if (!status && strcmp(format, "csv") == 0 && !same_columns(&v)) {
        struct text names = {0};
        validations_names(&v.all, &names);
        status =
            error_set(error, STATUS_USAGE,
                      "CSV holds the rows of one validation, or of several that hold published "
                      "figures against ours");
        error_hint(error, "name one of them: %s", names.data);
        text_free(&names);
    }
    if (!status)
        status = validate_run_all(&v, inv, error);
    if (status == STATUS_INTERRUPTED)
        print_done(&v, inv, format);
    if (!status)
        status = draw(&v, option_value(inv, "plots", 0), &how.output, error);
    if (!status && path)
        status = print_file(&v, inv, format, path, error);
    else if (!status)
        print_rows(&v, inv, format, stdout);
    look_close(&how);
    validate_fini(&v);
    return status;
}

static const struct option_row validate_options[] = {
    {'m', "machine", "M", false, "a shipped machine or a file (default: sac)", "@machines"},
    {'s', "set", "PATH=VALUE", true, "change a parameter: --set llc.capacity=1MiB", "@settings"},
    {'w', "workload", "W", true,
     "only this workload, trace or profile; may be repeated\n"
     "(default: all shipped workloads)",
     "@workloads"},
    {0, "input", "I", false,
     "of the shipped workloads: small (default; decisions: as published), default,\npublished-sac, "
     "...",
     "small default published-sac"},
    {0, "strict", NULL, false, "a trace that lacks thread blocks, or is doubtful, is an error"},
    {0, "all", NULL, false,
     "what takes long as well: published inputs that take minutes; every machine\nand "
     "organisation of the referee; every point of silicon; what is too short to skim"},
    {0, "data", "DIR", false,
     "measurements of real GPUs, in files <machine>-<kind>.csv (silicon; default: those\nof "
     "models/today/silicon)"},
    {0, "requests", "N", false,
     "of what is simulated: the first N of runs that are longer, half of them before it\n"
     "counts (errors, decisions --all; default: 2 million of runs of over 16 million)"},
    {0, "figure", "TEXT", true,
     "only published figures and labels with that in their names; may be repeated\n"
     "(predictions, errors)"},
    {'o', "output", "FILE", false, "write there instead of to the standard output"},
    {0, "format", "F", false,
     "table (default), csv or json; csv for one validation,\nor for several of published "
     "figures",
     "table csv json"},
    {0, "plots", "DIR", false,
     "draw published figures and ours into this folder, one picture a system"},
    {0, "plot", "DIR", false, NULL, NULL, "plots"},
    {0, "term", "TERM", false, "kind of picture: svg (default), png, pdf, eps, tex",
     "svg png pdf eps tex"},
    LOOK_OPTIONS,
    {.name = NULL},
};

const struct command command_validate = {
    .plugin = {"command", "validate", "how far estimates are from what they stand for", NULL, NULL},
    .usage = "[WHAT...] [--machine M] [--set PATH=VALUE]... [--workload W]...\n"
             "       [--input I] [--all] [--data DIR] [--requests N] [--figure TEXT]...\n"
             "       [--format F] [-o FILE] [--plots DIR [--term TERM]]",
    .description =
        "Runs validations, all where none is named (bandscape list validations), and prints what\n"
        "was estimated beside the exact or published figure, with errors, their median and the\n"
        "worst. Errors are results: they do not change the exit status. referee, limits,\n"
        "silicon, decisions, choices, predictions, errors and skimming take minutes, and run\n"
        "only when they are named.\n\n"
        "profiler: for every workload, what the samplers of the papers' hardware would have\n"
        "estimated beside the exact profile, and SAC's choice of an organisation from the first\n"
        "requests of every launch (50 000 after 10 000 of warm-up; the paper: 2 000 cycles), and\n"
        "with the hit rate of its request directory, beside that from the exact launch. An error\n"
        "is the mean over launches of the absolute difference, weighted by requests. EAB lost is\n"
        "what the run's predicted EAB lacks of that with the exact choices.\n\n"
        "workloads: CTAs, footprint and sharing that papers print of their inputs, beside those\n"
        "of ours (published-sac, ...), on the machine of the paper; without caches, so that most\n"
        "take seconds. What is off by more than a quarter is told with its reason. --all counts\n"
        "what takes long too; results are cached. --machine and --set act on the rows of that\n"
        "machine alone (--set cta.policy=batched:32, page.size=64KiB): what sharing hangs on.\n\n"
        "referee: the bandwidth that eab, bottleneck and network predict beside that of\n"
        "bandscape simulate, for every workload on machines of all systems, memory-side and\n"
        "SM-side where both make sense; --all: more machines, every organisation. Simulated is a\n"
        "mean of draws (simulate --draws). All workloads take 20 minutes. Small inputs\n"
        "are meant: what is compared is models, not machines.\n\n"
        "limits: what network and bottleneck find busiest, beside what the simulation does, for\n"
        "every workload on machines where every kind of resource is scarce on one.\n\n"
        "silicon: what was measured on real GPUs (latency by working set; bandwidth by working\n"
        "set and by threads in flight; times of kernels), beside what the model network says of\n"
        "the machine of that name. Median and 90th percentile of the errors stand under the\n"
        "rows, by machine and kind. It takes a part of the points, --all every one.\n\n"
        "decisions: what papers say of workloads in a word (preferred organisation, class),\n"
        "beside the choice of each model, with its margin (below 5 %: no preference) and where\n"
        "models disagree. On published inputs it takes long; --input, --workload and systems\n"
        "named beside it ask for less. --all: the simulation judges as well, and each error is\n"
        "split into what the input, the profile and the formula contribute. Ctrl-C keeps what is\n"
        "done.\n\n"
        "choices: the same under each value of what a paper leaves open (order of blocks, pages,\n"
        "warps, input), one at a time: for how many a label holds, and which turn the decision.\n"
        "--all: published inputs, too. Every value takes profiles of its own. It takes systems\n"
        "as decisions does.\n\n"
        "predictions: labels and predicted figures of all systems, or of those named beside it,\n"
        "counted: how many are reached, how far the others are, what is missed, and whether the\n"
        "file's aim is met. Default inputs unless --input names others.\n\n"
        "errors: such figures that are off by more than 15 % or point the wrong way (--all: all\n"
        "of them), simulated: what profile, formula and rest have of each error.\n\n"
        "sampling: the same workloads' miss-ratio curves from one line in 16 and in 64\n"
        "(bandscape profile --sample), beside the exact ones.\n\n"
        "skimming: what was counted of launches of which stretches are skimmed (bandscape\n"
        "profile --error 0.01; --all: shorter ones, too) beside the exact counts, and how much of\n"
        "it is within what the profile says of itself. Launches of small inputs are too short:\n"
        "--input default.\n\n"
        "A system's name (sac, ...), or a file of figures (src/validate/README.md says its\n"
        "form): published figures beside ours, and how ours are obtained: by an exact formula,\n"
        "by a law fitted to published data, as a published constant, by going through the\n"
        "paper's own example, or as a prediction; medians are of each kind by itself. --plots\n"
        "draws how far each is from the published one, with its tolerance.",
    .examples = "  bandscape validate\n"
                "  bandscape validate profiler --input default\n"
                "  bandscape validate profiler --workload bfs --set llc.capacity=256KiB\n"
                "  bandscape validate profiler --workload gemm:ni=512,nj=512,nk=64 --format json\n"
                "  bandscape validate profiler --format csv -o results/profiler.csv\n"
                "  bandscape validate workloads\n"
                "  bandscape validate skimming --all --workload gemm:ni=256,nj=256,nk=512 --set "
                "sm.per_chip=4\n"
                "  bandscape validate workloads --workload gemm --all --format json\n"
                "  bandscape validate referee --workload stencil\n"
                "  bandscape validate limits --workload gemm\n"
                "  bandscape validate decisions sac --input default --workload bfs\n"
                "  bandscape validate decisions --input small --workload nn --all\n"
                "  bandscape validate choices --workload gemm\n"
                "  bandscape validate predictions sac mcm\n"
                "  bandscape validate errors mcm --input small --workload bfs\n"
                "  bandscape validate silicon --all --format csv -o results/silicon.csv\n"
                "  bandscape validate sac dcl1 --plots plots --term png",
    .options = validate_options,
    .run = validate_run,
    .arguments = "@validations",
};
