/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape uncertainty: what stated errors leave of a ranking and of a front. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/space_options.h"
#include "cli/terminal.h"
#include "core/parallel.h"
#include "explore/sweep/sweep.h"
#include "explore/search/uncertainty.h"
#include "report/uncertainty_report.h"

enum { DRAWS = 1000, TOP = 10 };

struct uncertainty_command {
    const struct invocation *inv;
    struct arena *arena;
    struct space *space;
    struct sweep *sweep;
    struct {
        struct spread *items;
        size_t count, capacity;
    } spreads;
    const struct model_errors **errors; /* by model of the space; NULL: it has none */
    struct uncertainty_request request;
};

/* --- what is asked ----------------------------------------------------------------------- */

/* One that stands twice is the later one's: the command line's. */
static void add_spread(struct uncertainty_command *c, const struct spread *spread)
{
    for (size_t i = 0; i < c->spreads.count; i++)
        if (strcmp(c->spreads.items[i].path, spread->path) == 0) {
            c->spreads.items[i] = *spread;
            return;
        }
    VECTOR_PUSH(&c->spreads, *spread);
}

/* --vary PATH=SPREAD. */
static int read_option(struct uncertainty_command *c, const char *text, struct error *error)
{
    const char *equals = strchr(text, '=');
    struct spread spread;
    char path[128];
    if (!equals || equals == text || !equals[1]) {
        error_set(error, STATUS_USAGE, "--vary: expected PATH=SPREAD, got \"%.80s\"", text);
        return error_hint(error, "--vary memory.bandwidth=+-5%%");
    }
    choice_path(text, path, sizeof path);
    int status = spread_read(c->space->machine, arena_strdup(c->arena, path), equals + 1, NULL,
                             &spread, error);
    if (status)
        return error_context(error, "--vary"), status;
    add_spread(c, &spread);
    return 0;
}

/* Of one number two errors could not both be meant. */
static int check_twice(const struct uncertainty_command *c, int count, struct error *error)
{
    char path[128], other[128];
    for (int i = 0; i < count; i++) {
        choice_path(option_value(c->inv, "vary", i), path, sizeof path);
        for (int k = 0; k < i; k++) {
            choice_path(option_value(c->inv, "vary", k), other, sizeof other);
            if (strcmp(path, other) == 0)
                return error_set(error, STATUS_USAGE, "--vary %s is given twice", path);
        }
    }
    return 0;
}

static int read_spreads(struct uncertainty_command *c, struct error *error)
{
    int status = check_twice(c, option_count(c->inv, "vary"), error);
    for (size_t i = 0; i < c->space->n_spreads && !status; i++) {
        const struct space_spread *one = &c->space->spreads[i];
        struct spread spread;
        status = spread_read(c->space->machine, one->path, one->text, &one->mark, &spread, error);
        if (!status)
            add_spread(c, &spread);
    }
    for (int i = 0; i < option_count(c->inv, "vary") && !status; i++)
        status = read_option(c, option_value(c->inv, "vary", i), error);
    if (!status && c->spreads.count == 0 && !c->request.errors) {
        error_set(error, STATUS_USAGE, "%s states no errors", c->space->name);
        return error_hint(error, "--vary memory.bandwidth=+-5%%, or a map `uncertainty` in the "
                                 "space");
    }
    return status;
}

static int use_errors(struct uncertainty_command *c, const struct model_errors *errors,
                      struct error *error)
{
    for (size_t m = 0; m < c->space->n_models; m++)
        if (strcmp(c->space->models[m]->plugin.name, errors->model) == 0) {
            c->errors[m] = errors;
            c->request.errors = c->errors;
            return 0;
        }
    return error_set(error, STATUS_USAGE, "--model-error %s: the space does not ask model %s",
                     errors->path, errors->model);
}

/* Of each model: what is shipped, or files in its place, or none. */
static int read_errors(struct uncertainty_command *c, struct error *error)
{
    int status = 0, given = option_count(c->inv, "model-error");
    bool none = false;
    c->errors = arena_alloc(c->arena, (c->space->n_models + 1) * sizeof *c->errors);
    for (int i = 0; i < given; i++)
        none = none || strcmp(option_value(c->inv, "model-error", i), "none") == 0;
    if (none && given > 1)
        return error_set(error, STATUS_USAGE, "--model-error none stands alone");
    for (size_t m = 0; m < c->space->n_models && !none && !status; m++) {
        struct model_errors *errors;
        status = model_errors_find(c->arena, c->space->models[m]->plugin.name, &errors, error);
        if (!status && errors)
            status = use_errors(c, errors, error);
    }
    for (int i = 0; i < given && !none && !status; i++) {
        struct model_errors *errors;
        status =
            model_errors_load(c->arena, option_value(c->inv, "model-error", i), &errors, error);
        if (!status)
            status = use_errors(c, errors, error);
    }
    return status;
}

/* Known before a long sweep. */
static int check_picture(const struct invocation *inv, struct error *error)
{
    enum plot_terminal terminal;
    const char *path = option_value(inv, "plot", 0);
    if (!path || plot_terminal_of(path, &terminal))
        return 0;
    error_set(error, STATUS_USAGE, "--plot: the ending of %s says no picture", path);
    return error_hint(error, ".svg, .png, .pdf, .eps, .tex or .txt");
}

static int read_numbers(struct uncertainty_command *c, int *threads, struct error *error)
{
    long long draws, seed, top, jobs;
    int status = option_integer(c->inv, "draws", 10, 20000, DRAWS, &draws, error);
    if (!status)
        status = option_integer(c->inv, "seed", 0, INT64_MAX, 1, &seed, error);
    if (!status)
        status = option_integer(c->inv, "top", 1, 100, TOP, &top, error);
    if (!status)
        status = option_integer(c->inv, "jobs", 1, 1024, parallel_cores(), &jobs, error);
    if (status)
        return status;
    c->request.draws = (uint64_t)draws;
    c->request.seed = (uint64_t)seed;
    c->request.top = (size_t)top;
    *threads = (int)jobs;
    return 0;
}

/* The sweep itself: what is ranked, and the front. */
static int sweep_space(struct uncertainty_command *c, struct error *error)
{
    int threads, status = check_picture(c->inv, error);
    if (!status)
        status = read_numbers(c, &threads, error);
    if (!status)
        status = space_options_open(c->inv, "uncertainty", &c->space, error);
    if (!status)
        status = read_errors(c, error);
    if (!status)
        status = read_spreads(c, error);
    if (status)
        return status;
    c->space->top = UNCERTAINTY_CANDIDATES_MOST;
    status = sweep_open(c->space, threads, &c->sweep, error);
    if (!status)
        status = sweep_check(c->sweep, error);
    if (!status)
        status = sweep_prepare(c->sweep, NULL, NULL, error);
    if (!status)
        status = sweep_run(c->sweep, error);
    if (!status && c->sweep->kept == 0) {
        status = error_set(error, STATUS_FAILED, "%s: none of %llu points is left", c->space->name,
                           (unsigned long long)c->sweep->points);
        error_hint(error, "bandscape sweep says why");
    }
    c->request.sweep = c->sweep;
    c->request.spreads = c->spreads.items;
    c->request.n_spreads = c->spreads.count;
    return status;
}

/* --- what is found ------------------------------------------------------------------------- */

/* What of models themselves is in the draws, and what is not. */
static void print_errors(const struct uncertainty_command *c, const struct uncertainty *found)
{
    const char *ranking = c->space->models[c->space->rank_model]->plugin.name;
    for (size_t m = 0; m < c->space->n_models; m++) {
        const struct model_errors *errors = c->errors[m];
        if (!errors)
            continue;
        struct model_error_moments moments = model_error_moments(errors);
        terminal_say("  %s's own error (%s):\n"
                     "    mean %+.1f %%, standard deviation %.1f %% between workloads, %.1f %% "
                     "between designs of one\n",
                     errors->model, errors->origin, 100 * moments.mean, 100 * moments.between,
                     100 * moments.within);
    }
    if (c->request.errors && !found->erring)
        terminal_say("  it has no effect: designs are compared by nothing that it is known of\n");
    if (!c->errors[c->space->rank_model] && option_count(c->inv, "model-error") == 0)
        terminal_say("  the own error of %s, which ranks, was not measured: it is not in this "
                     "(shipped is that of network alone; --model-error FILE takes another)\n",
                     ranking);
}

static void print_words(const struct uncertainty_command *c, const struct uncertainty *found)
{
    terminal_say("%s: %llu draws of ", c->space->name, (unsigned long long)found->draws);
    if (c->spreads.count)
        terminal_say("%zu stated error%s", c->spreads.count, c->spreads.count == 1 ? "" : "s");
    if (c->request.errors)
        terminal_say("%smodels' own errors", c->spreads.count ? " and of " : "");
    terminal_say("; %zu of %llu designs evaluated in each\n", found->count,
                 (unsigned long long)c->sweep->kept);
    print_errors(c, found);
    if (found->left_out && found->settled)
        terminal_say(
            "  left out %llu: none of the last half of the candidates by rank was among the "
            "best %zu in any draw\n",
            (unsigned long long)found->left_out, c->request.top);
    else if (found->left_out)
        terminal_say(
            "  left out %llu, although the last candidates were among the best %zu in some "
            "draws: probabilities are upper bounds\n",
            (unsigned long long)found->left_out, c->request.top);
    if (found->front_left_out)
        terminal_say("  left out %zu designs of the front\n", found->front_left_out);
    terminal_say("\n");
}

static int print(const struct uncertainty_command *c, const struct uncertainty *found,
                 const char *format, struct error *error)
{
    struct sheet *ranked = NULL, *front = NULL;
    bool table = strcmp(format, "table") == 0;
    enum uncertainty_part part = table ? UNCERTAINTY_RANKED : UNCERTAINTY_ALL;
    int status = uncertainty_report(&c->request, found, part, &ranked, error);
    if (!status && table && c->space->n_objectives > 1)
        status = uncertainty_report(&c->request, found, UNCERTAINTY_FRONT, &front, error);
    if (!status && table)
        print_words(c, found);
    if (!status)
        terminal_print_sheet(ranked, format);
    if (!status && front) {
        terminal_say("\nthe front:\n");
        terminal_print_sheet(front, format);
    }
    sheet_destroy(ranked);
    sheet_destroy(front);
    return status;
}

static int plot(const struct uncertainty_command *c, const struct uncertainty *found,
                struct error *error)
{
    struct plot_output output = {.path = option_value(c->inv, "plot", 0)};
    if (!output.path)
        return 0;
    plot_terminal_of(output.path, &output.terminal);
    return uncertainty_plot(&c->request, found, &output, error);
}

static int uncertainty_run(const struct invocation *inv, struct error *error)
{
    static const char *const formats[] = {"table", "csv", "json", NULL};
    struct uncertainty_command c = {.inv = inv, .arena = arena_create()};
    struct uncertainty found = {0};
    const char *format;
    int status = terminal_format(inv, formats, &format, error);
    if (!status)
        status = sweep_space(&c, error);
    if (!status)
        status = uncertainty_find(&c.request, &found, error);
    if (!status)
        status = print(&c, &found, format, error);
    if (!status)
        status = plot(&c, &found, error);
    if (!status && found.interrupted)
        status = error_set(
            error, STATUS_INTERRUPTED, "interrupted: %llu of %llu draws were made, of %zu designs",
            (unsigned long long)found.draws, (unsigned long long)c.request.draws, found.count);
    uncertainty_fini(&found);
    VECTOR_FREE(&c.spreads);
    sweep_destroy(c.sweep);
    space_destroy(c.space);
    arena_destroy(c.arena);
    return status;
}

static const struct option_row uncertainty_options[] = {
    {0, "vary", "PATH=SPREAD", true,
     "how well a number is known: +-5%, normal 5%, lognormal 10%, +-10ns", "@settings"},
    {'w', "workload", "W", true, "in place of the space's", "@workloads"},
    {0, "input", "NAME", false, "of shipped workloads that are named without settings",
     "small default"},
    {0, "model", "NAME", true, "in place of the space's", "@model"},
    {'s', "set", "PATH=VALUE", true, "change a parameter of the machine", "@settings"},
    {0, "model-error", "FILE", true,
     "of a model itself, as measured: a file in place of the shipped one, or none", "none"},
    {0, "draws", "N", false, "how many, 20000 at most (default: 1000)", NULL},
    {0, "seed", "N", false, "of the random numbers (default: 1)", NULL},
    {0, "top", "K", false, "how many of the best (default: 10)", NULL},
    {'j', "jobs", "N", false, "threads (default: all cores)", NULL},
    {0, "format", "F", false, "table (default), csv or json", "table csv json"},
    {0, "plot", "FILE", false,
     "a picture of the best with their bands: .svg .png .pdf .eps .tex .txt", NULL},
    {.name = NULL},
};

const struct command command_uncertainty = {
    .plugin = {.kind = "command",
               .name = "uncertainty",
               .summary = "what stated errors leave of a ranking"},
    .usage = "SPACE [--vary PATH=SPREAD]... [--model-error FILE]... [--draws N] [--seed N]\n"
             "        [--top K] [--format F] [--plot FILE]",
    .description =
        "Sweeps a space, then draws the numbers of the machine that are not known well, again and\n"
        "again, the same ones for all designs, and evaluates the designs that could be the best.\n"
        "Prints for each of the first K of the ranking how probable it is that it is the best, "
        "and\n"
        "among the best K, and what its metrics are in 90 % of the draws; for the front, how\n"
        "probable it is that a design is on it. Designs that are equal share being the best.\n"
        "\n"
        "How well a number is known stands in the space (a map `uncertainty`) or behind --vary:\n"
        "+-5% is anywhere within, normal 5% a standard deviation of so much, lognormal 10% the\n"
        "same of what is off by factors; +-10ns is absolute. A number that an axis varies is off\n"
        "by the same factor at each of its values. Errors of different numbers are independent.\n"
        "\n"
        "A model's own error is in it where it was measured, against simulations: a factor a\n"
        "workload, the same for all designs, and one a design, of effective_bandwidth,\n"
        "kernel_time and speedup. Designs of one structure of which the model says nearly the "
        "same\n"
        "have the same. Other metrics, and errors of sampled profiles, are as they are. "
        "--model-error none leaves it\n"
        "out; a file is made of any runs of validate referee (models/network/errors.awk).\n"
        "\n"
        "Candidates are the front and the first of the ranking, twice as many until none of the\n"
        "last half was among the best K in any draw; what is left out is said. The same seed "
        "gives\n"
        "the same bytes for any number of threads. After Ctrl-C the draws made so far count.",
    .examples = "  bandscape uncertainty network-links --vary inter.latency='lognormal 20%'\n"
                "  bandscape uncertainty network-links --input small --model-error none --vary"
                " noc.bandwidth=+-10%\n"
                "  bandscape uncertainty sac-links --input small --vary noc.bandwidth=+-10%"
                " --plot bands.svg",
    .options = uncertainty_options,
    .run = uncertainty_run,
    .arguments = "@spaces",
};
