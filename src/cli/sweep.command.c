/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape sweep: a space from its YAML file to ranking, front and plots. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/look_options.h"
#include "cli/space_options.h"
#include "cli/sweep_ask.h"
#include "cli/sweep_course.h"
#include "cli/sweep_results.h"
#include "cli/terminal.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/ranks.h"
#include "explore/answer/referee.h"
#include "explore/sweep/sweep_lint.h"
#include "explore/views/view_groups.h"
#include "report/confirm_report.h"
#include "report/sweep_report.h"

struct sweep_command {
    const struct invocation *inv;
    struct space *space;
    struct sweep *sweep;
    char *path;
    struct sweep_folder *folder;
    struct picture_look look;
    struct arena *look_arena;
    enum plot_terminal terminals[4];
    size_t n_terminals;
    bool no_gnuplot; /* it was tried */
    double profile_s, sweep_s;
    struct ranks_traffic traffic;
    struct sweep_course_files course;
    bool checked; /* --check: the plan was announced, and that was all */
};

static int announce(void *context, const struct sweep_plan *plan, struct error *error)
{
    struct sweep_command *c = context;
    char passes[48];
    view_groups_note(plan->views_missing, plan->passes, passes, sizeof passes);
    message(
        "%s: %s%llu point%s in %zu machine structure%s, %zu workload%s; views to profile: %zu%s, "
        "in the cache: %zu",
        c->space->name, sweep_course_is_share(c->sweep) ? "a share of " : "",
        (unsigned long long)plan->points, plan->points == 1 ? "" : "s", plan->structures,
        plan->structures == 1 ? "" : "s", c->space->n_workloads,
        c->space->n_workloads == 1 ? "" : "s", plan->views_missing, passes, plan->views_cached);
    const char *given = option_given(c->inv, "sample")  ? "sample"
                        : option_given(c->inv, "error") ? "error"
                                                        : NULL;
    if (given && plan->views_missing + plan->views_cached == 0) {
        error_set(error, STATUS_USAGE, "--%s has no effect: the profiles hold the views", given);
        return error_hint(error, "make them with it: bandscape profile W --sample 1/16");
    }
    if (option_given(c->inv, "check")) {
        c->checked = true;
        return error_set(error, STATUS_FAILED, "nothing is to be done");
    }
    return 0;
}

/* Ranks on one machine have its cores together. */
static int default_threads(void)
{
    int threads = parallel_cores() / ranks_here();
    return threads ? threads : 1;
}

/* What asks for every point; and ranks, of which who is free would decide what is skipped. */
static int check_adaptive(const struct invocation *inv, struct error *error)
{
    const char *every = option_given(inv, "all") ? "all" : "columns";
    if (option_given(inv, every)) {
        error_set(error, STATUS_USAGE,
                  "--adaptive has no effect with --%s, which asks for every point", every);
        return error_hint(error, "leave one of them out");
    }
    if (ranks_count() > 1) {
        error_set(error, STATUS_USAGE, "--adaptive is of one process, not of %d ranks",
                  ranks_count());
        return error_hint(error, "leave it out, or give each process a --shard");
    }
    return 0;
}

static int apply_options(struct sweep_command *c, struct error *error)
{
    const struct invocation *inv = c->inv;
    long long top, threads;
    struct profile_effort effort;
    int status = space_options_settings(inv, c->space, error);
    if (!status)
        status = space_options_lists(inv, c->space, error);
    if (!status)
        status = option_integer(inv, "top", 1, 10000000, (long long)c->space->top, &top, error);
    if (!status)
        status = option_integer(inv, "jobs", 1, 1024, default_threads(), &threads, error);
    if (!status)
        status = terminal_effort(inv, &effort, error);
    if (status)
        return status;
    c->space->top = (uint64_t)top;
    status = sweep_open(c->space, (int)threads, &c->sweep, error);
    if (status)
        return status;
    c->sweep->effort = effort;
    c->sweep->adaptive = option_given(inv, "adaptive");
    if (c->sweep->adaptive && (status = check_adaptive(inv, error)))
        return status;
    if (option_given(inv, "strict") &&
        (status = subjects_refuse_warnings(&c->sweep->subjects, error)))
        return status;
    int n = option_count(inv, "set");
    c->sweep->settings = arena_alloc(c->sweep->arena, (size_t)n * sizeof *c->sweep->settings);
    for (int i = 0; i < n; i++) {
        char setting[128];
        choice_path(option_value(inv, "set", i), setting, sizeof setting);
        c->sweep->settings[c->sweep->n_settings++] = arena_strdup(c->sweep->arena, setting);
    }
    const char *folder = option_value(inv, "output", 0);
    struct text path = {0};
    text_printf(&path, "%s%s", folder ? "" : "results/", folder ? folder : c->space->name);
    c->path = path.data;
    c->folder = sweep_folder_create(c->path);
    struct sweep_wishes wishes = {.force = option_given(inv, "force"),
                                  .all = option_given(inv, "all"),
                                  .columns = option_given(inv, "columns"),
                                  .confirm = option_given(inv, "confirm"),
                                  .terminals = c->terminals,
                                  .n_terminals =
                                      option_given(inv, "no-plots") ? 0 : c->n_terminals};
    status = sweep_course_open(inv, c->path, c->sweep, &c->course, error);
    if (status || sweep_course_is_share(c->sweep))
        return status;
    return sweep_report_claim(c->space, c->path, &wishes, error);
}

static int read_terminals(struct sweep_command *c, struct error *error)
{
    const struct invocation *inv = c->inv;
    int n = option_count(inv, "term");
    c->look_arena = arena_create();
    if (look_asked(inv) && option_given(inv, "no-plots"))
        return error_set(error, STATUS_USAGE, "options of pictures have no effect with --no-plots");
    int status = look_read(inv, &c->look, c->look_arena, error);
    if (status)
        return status;
    if (n > 4)
        return error_set(error, STATUS_USAGE, "--term: at most four formats");
    for (int i = 0; i < n; i++) {
        status = plot_terminal_scan(option_value(inv, "term", i), &c->terminals[c->n_terminals++],
                                    error);
        if (status)
            return status;
    }
    if (n == 0) {
        c->terminals[0] = PLOT_SVG;
        c->terminals[1] = PLOT_PNG;
        c->n_terminals = 2;
    }
    return 0;
}

/* What was added to the folder gets its names. */
static int publish(const struct sweep_command *c, struct error *error)
{
    char *command = sweep_course_command(c->inv, c->sweep, c->path);
    struct sweep_run_facts facts = {command, c->profile_s, c->sweep_s, c->traffic};
    int status = sweep_report_publish(c->sweep, c->folder, &facts, error);
    free(command);
    return status;
}

/* All files together; a plot that cannot be drawn does not take the others with it. */
static int write_results(struct sweep_command *c, struct error *error)
{
    struct error plots;
    int drawn = 0, status = file_make_directory(c->path, error);
    if (!status)
        status = sweep_report_files(c->sweep, c->folder, option_given(c->inv, "all"), error);
    if (!status && option_given(c->inv, "columns"))
        status = sweep_write_columns(c->sweep, c->folder, error);
    for (size_t t = 0; t < c->n_terminals && !status && !drawn && !option_given(c->inv, "no-plots");
         t++) {
        struct plot_output how = {.terminal = c->terminals[t], .look = &c->look};
        drawn = sweep_report_plots(c->sweep, c->folder, &how, &plots);
    }
    if (drawn == STATUS_INTERRUPTED) { /* of the drawing: what is known is kept */
        interrupt_clear();
        error_hint(&plots, "all but the pictures is in %s; bandscape plot draws them", c->path);
    }
    if (!status)
        status = publish(c, error);
    c->no_gnuplot = drawn == STATUS_NO_PICTURE;
    if (!status && drawn) {
        *error = plots;
        status = sweep_results_no_picture(drawn, error);
    }
    return status;
}

/* A space without a point is a failure, although its files say why. */
static int check_kept(const struct sweep_command *c, struct error *error)
{
    const struct sweep *sweep = c->sweep;
    if (sweep->kept > 0)
        return 0;
    struct text why = {0};
    text_append(&why, "");
    for (size_t i = 0; i < sweep->reasons.count; i++)
        text_printf(&why, "%s%llu: %s", i ? "; " : "",
                    (unsigned long long)sweep->reasons.items[i].count,
                    sweep->reasons.items[i].text);
    error_set(error, STATUS_FAILED, "%s: none of %llu point%s is left", c->space->name,
              (unsigned long long)sweep->points, sweep->points == 1 ? "" : "s");
    error_hint(error, "excluded %s", why.data);
    text_free(&why);
    return STATUS_FAILED;
}

/* --confirm K: the best K simulated, beside what the models say. */
static int confirm(const struct sweep_command *c, long long points, struct error *error)
{
    struct confirmation confirmation;
    struct sheet *sheet = NULL;
    long long requests;
    int status =
        option_integer(c->inv, "requests", 1, 1LL << 40, REFEREE_REQUESTS, &requests, error);
    if (status || points == 0)
        return status;
    status = confirm_run(c->sweep, (size_t)points, (uint64_t)requests, &confirmation, error);
    if (!status)
        status = confirm_report(&confirmation, &sheet, error);
    if (!status)
        status = confirm_report_csv(sheet, c->folder, error);
    if (!status)
        status = publish(c, error);
    if (!status) {
        printf("\nsimulated, %lld requests at most: %s/confirm.csv\n", requests, c->path);
        terminal_print_sheet(sheet, "table");
    }
    sheet_destroy(sheet);
    confirm_fini(&confirmation);
    return status;
}

/* Simulation needs requests: known before a long sweep. */
static int check_confirm(const struct sweep_command *c, long long *points, struct error *error)
{
    int status = option_integer(c->inv, "confirm", 1, 100000, 0, points, error);
    if (!status && *points == 0 && option_given(c->inv, "requests"))
        return error_set(error, STATUS_USAGE, "--requests has no effect without --confirm K");
    for (size_t w = 0; w < c->space->n_workloads && *points && !status; w++)
        if (!c->sweep->subjects.items[w]->source) {
            status = error_set(error, STATUS_INPUT,
                               "--confirm: the source of workload %s is needed, to simulate it",
                               c->sweep->workload_names[w]);
            error_hint(error, "name a workload or a trace; numbers have no requests");
        }
    return status;
}

/* A line of what the space says in vain, with its place. A condition that nothing meets ends
 * --check; a sweep goes on, and leaves files that say so. */
static int say_lint(const struct sweep_command *c, const struct sweep_lint *lint,
                    struct error *error)
{
    const struct space_formula *f = lint->formula;
    const char *place = f->mark.file ? f->mark.file : c->space->path;
    bool checks = option_given(c->inv, "check");
    if (lint->kind == LINT_WHERE_FALSE && checks) {
        error_at(error, STATUS_INPUT, &f->mark, "where: \"%s\" is false of every point", f->text);
        return error_hint(error, "no point would be left; the axes' values, or units, are others");
    }
    if (lint->kind == LINT_WHERE_FALSE)
        message("%s:%ld:%ld: warning: where: \"%s\" is false of every point: none will be left",
                place, f->mark.line, f->mark.column, f->text);
    else if (checks && lint->kind == LINT_WHERE_TRUE)
        message("%s:%ld:%ld: warning: where: \"%s\" is true of every point: it excludes nothing",
                place, f->mark.line, f->mark.column, f->text);
    else if (checks)
        message("%s:%ld:%ld: note: let: nothing uses \"%s\"; it is a column of the files alone",
                place, f->mark.line, f->mark.column, f->name);
    return 0;
}

static int say_lints(const struct sweep_command *c, struct error *error)
{
    struct sweep_lints lints = {0};
    int status = sweep_lint(c->sweep, &lints, error);
    for (size_t i = 0; i < lints.count && !status; i++)
        status = say_lint(c, &lints.items[i], error);
    VECTOR_FREE(&lints);
    return status;
}

/* Before minutes of profiling: what is wrong without it. The plots' columns are looked for again
 * when models have said which they have. */
static int check_names(const struct sweep_command *c, struct error *error)
{
    int status = sweep_check(c->sweep, error);
    if (!status && !c->sweep->course.n_states)
        status = say_lints(c, error);
    if (!status && !option_given(c->inv, "no-plots"))
        status = sweep_report_check_plots(c->sweep, error);
    return status;
}

/* What is known when the views are made. */
static int check_run(const struct sweep_command *c, struct error *error)
{
    int status = sweep_columns(c->sweep, error);
    if (!status && !option_given(c->inv, "no-plots"))
        status = sweep_report_check_plots(c->sweep, error);
    if (!status && !c->sweep->course.n_states)
        status = sweep_ask_time(c->inv, c->sweep, error);
    return status;
}

/* By all ranks. */
static int run_together(struct sweep_command *c, struct error *error)
{
    int status = ranks_agree(ranks_first() ? check_run(c, error) : 0, error);
    double start = clock_seconds();
    if (!status)
        status = ranks_agree(sweep_run(c->sweep, error), error);
    c->sweep_s = clock_seconds() - start;
    if (!status && ranks_count() > 1)
        c->traffic = ranks_traffic();
    if (status == STATUS_INTERRUPTED)
        sweep_course_hint(c->sweep, error);
    return status;
}

static int sweep_and_report(struct sweep_command *c, long long points, struct error *error)
{
    int status = run_together(c, error);
    if (!status && !ranks_first())
        return 0;
    if (!status && sweep_course_is_share(c->sweep)) {
        sweep_course_tell(c->sweep);
        return 0;
    }
    if (!status) {
        status = write_results(c, error);
        if (status == STATUS_INTERRUPTED)
            sweep_course_hint(c->sweep, error);
    }
    if (!status)
        sweep_course_end(c->sweep);
    struct sweep_results results = {c->inv, c->sweep, c->folder, c->path, c->no_gnuplot};
    if (!status)
        status = sweep_results_print(&results, error);
    if (!status)
        status = check_kept(c, error);
    if (!status)
        status = confirm(c, points, error);
    return status;
}

/* Up to where something is profiled. */
static int open_command(struct sweep_command *c, long long *points, struct error *error)
{
    int status = read_terminals(c, error);
    if (!status)
        status = space_load(argument_value(c->inv, 0), &c->space, error);
    if (!status)
        status = apply_options(c, error);
    if (!status)
        status = check_confirm(c, points, error);
    if (!status)
        status = check_names(c, error);
    if (!status && !option_given(c->inv, "check") && !c->sweep->course.n_states && ranks_first())
        status = sweep_ask_size(c->inv, c->space, error);
    return status;
}

static int sweep_command_run(const struct invocation *inv, struct error *error)
{
    struct sweep_command c = {.inv = inv};
    long long points = 0;
    int status;
    if (argument_count(inv) != 1) {
        error_set(error, STATUS_USAGE, "sweep takes one space");
        return error_hint(error, "bandscape list spaces shows the shipped ones");
    }
    /* Each share is a sweep by itself, however it was started. */
    if (!option_given(inv, "shard") && (status = ranks_begin(error)))
        return status;
    status = ranks_agree(open_command(&c, &points, error), error);
    double start = clock_seconds();
    if (!status)
        status = sweep_prepare(c.sweep, announce, &c, error);
    c.profile_s = clock_seconds() - start;
    if (c.checked)
        status = 0;
    else if (!status)
        status = sweep_and_report(&c, points, error);
    sweep_folder_destroy(c.folder);
    sweep_course_close(&c.course);
    sweep_destroy(c.sweep);
    space_destroy(c.space);
    look_fini(&c.look);
    arena_destroy(c.look_arena);
    free(c.path);
    return ranks_first() ? status : 0; /* ranks agree on errors, and rank 0 tells */
}

static const struct option_row sweep_options[] = {
    {'o', "output", "DIR", false, "where the files go (default: results/NAME)"},
    {'w', "workload", "W", true, "this workload instead of the space's; may be repeated",
     "@workloads"},
    {0, "input", "I", false, "this input of shipped workloads without settings: small, default",
     "small default"},
    {0, "model", "NAME", true, "this model instead of the space's; may be repeated", "@model"},
    {'j', "jobs", "N", false, "threads (default: all cores); the result is the same"},
    {'s', "set", "PATH=VALUE", true, "change a parameter of the space's machine", "@settings"},
    {0, "sample", "RATE", false,
     "what has to be profiled: curves from this share of the lines, such as 1/16"},
    {0, "error", "E", false,
     "what has to be profiled: curves from as many lines as keep hit rates within E,\n"
     "such as 0.01"},
    {0, "exact", NULL, false,
     "likewise: every launch is gone through, also those that repeat earlier ones"},
    {0, "top", "K", false, "how many to rank (default: the space's, or 50)"},
    {0, "all", NULL, false, "also write every point to points.csv"},
    {0, "columns", NULL, false,
     "also write every point as arrays: a NPY file a metric, for NumPy, Julia, MATLAB;\n"
     "columns.yaml says what they are"},
    {0, "adaptive", NULL, false,
     "solve networks only where a bound on the answer could still reach the best K or the\n"
     "front: these are the same, but there are no marginals"},
    {0, "confirm", "K", false,
     "simulate the best K request by request, beside what models say of them"},
    {0, "requests", "N", false, "of a simulation, at most (default: 200000)"},
    {0, "term", "TERM", true,
     "of pictures: svg, png, pdf, eps, tex or dumb; may be repeated (default: svg and png)",
     "svg png pdf eps tex dumb"},
    {0, "plot", "TERM", true, NULL, "svg png pdf eps tex dumb", "term"},
    {0, "no-plots", NULL, false, "draw nothing (no gnuplot needed)"},
    LOOK_OPTIONS,
    {0, "strict", NULL, false, "a trace that lacks thread blocks, or is doubtful, is an error"},
    {'y', "yes", NULL, false,
     "go on with a sweep of more than 10 minutes, about which a terminal is asked"},
    {0, "shard", "I/N", false,
     "the I-th of N shares of the points, for several machines: bandscape merge puts them\n"
     "together"},
    {0, "resume", NULL, false, "go on where a sweep into DIR, or this share of it, was ended"},
    {0, "save-every", "TIME", false, "how often what was found is kept for that (default: 10s)"},
    {0, "merge", "DIR", true, "take what the shares in DIR found: bandscape merge does"},
    {0, "check", NULL, false,
     "stop before anything is profiled: is the space right, and what would be done"},
    {0, "force", NULL, false, "replace the result of another space in DIR"},
    {.name = NULL},
};

const struct command command_sweep = {
    .plugin = {"command", "sweep", "evaluate a whole design space, rank it, find its Pareto front",
               NULL, NULL},
    .usage = "SPACE [-o DIR] [-j N] [--top K] [--all] [--columns] [--confirm K] [--check]",
    .description =
        "Evaluates every point of a design space (a shipped name or a YAML file). Workloads are\n"
        "profiled for every machine structure in the space that is not cached yet; names and\n"
        "units are checked before that, and --check stops there. Writes ranking.csv, pareto.csv,\n"
        "sample.csv, marginals.csv, limits.csv, manifest.yaml, run.yaml and plots into DIR; all\n"
        "but run.yaml are the same bytes for any number of threads. They appear together or not\n"
        "at all, and replace only files of an earlier sweep. Without a feasible point the sweep\n"
        "fails; its files say why. bandscape report makes a page of them.\n"
        "The last column of CSV, warnings, names inputs that do not fill a point's machine.\n"
        "--adaptive evaluates the points whose answer, at best, could still be among the best K "
        "or\n"
        "on the front: the network's, without queues, which no solution exceeds; workload by "
        "workload,\n"
        "so that a point is left out as soon as those solved and the others' bounds say so. "
        "Ranking\n"
        "and front are those of the whole sweep; what needs all points (marginals.csv) is left "
        "out,\n"
        "and sample.csv has 200 points.\n"
        "--confirm K adds confirm.csv: the best K, each with every workload, simulated\n"
        "(bandscape simulate --help).\n"
        "What was found so far is in DIR/unfinished.state from the first 10 s on; --resume goes "
        "on\n"
        "from there, also after kill -9, to the same bytes.\n"
        "Built with MPI (make MPI=1), it sweeps as one with all that mpirun starts: rank 0 prints "
        "and\n"
        "writes, the bytes are the same. With --shard each process is by itself.",
    .examples = "  bandscape sweep sac-sensitivity\n"
                "  bandscape sweep sac-sensitivity -o results/fast --set sm.per_chip=32\n"
                "  bandscape sweep sac-sensitivity -w my.profile.yaml -o results/mine\n"
                "  bandscape sweep sac-organisations --input small --confirm 3\n"
                "  bandscape sweep sac-sensitivity --input small --shard 1/2 -o results/halves\n"
                "  bandscape sweep my-space.yaml -j 1 --top 100 --all --no-plots",
    .options = sweep_options,
    .run = sweep_command_run,
    .arguments = "@spaces",
};
