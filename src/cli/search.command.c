/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape search: the best of a space that is too large to go through. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/space_options.h"
#include "cli/terminal.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "explore/search/search.h"
#include "explore/sweep/sweep.h"
#include "report/sweep_report.h"

enum { EVALUATIONS = 20000, SHOWN_ROWS = 10 };

struct search_command {
    const struct invocation *inv;
    struct space *space;
    struct sweep *sweep;
    char *path;
    struct sweep_folder *folder;
    struct search_request request;
    struct search_result result;
    int threads;
};

/* --- what is asked ----------------------------------------------------------------------- */

static int read_numbers(struct search_command *c, struct error *error)
{
    long long evaluations, seed, jobs, top;
    int status =
        option_integer(c->inv, "evaluations", 100, 100000000, EVALUATIONS, &evaluations, error);
    if (!status)
        status = option_integer(c->inv, "seed", 0, INT64_MAX, 1, &seed, error);
    if (!status)
        status = option_integer(c->inv, "jobs", 1, 1024, parallel_cores(), &jobs, error);
    if (!status)
        status = space_options_open(c->inv, "search", &c->space, error);
    if (!status)
        status = search_check(c->space, error);
    if (!status)
        status = option_integer(c->inv, "top", 1, 10000000, (long long)c->space->top, &top, error);
    if (status)
        return status;
    c->request = (struct search_request){(uint64_t)evaluations, (uint64_t)seed};
    c->threads = (int)jobs;
    c->space->top = (uint64_t)top;
    return 0;
}

static int open_result(struct search_command *c, struct error *error)
{
    const char *folder = option_value(c->inv, "output", 0);
    struct sweep_wishes wishes = {.force = option_given(c->inv, "force"), .found = true};
    struct text path = {0};
    text_printf(&path, "%s%s%s", folder ? "" : "results/", folder ? folder : c->space->name,
                folder ? "" : "-search");
    c->path = path.data;
    c->folder = sweep_folder_create(c->path);
    int status = sweep_report_claim(c->space, c->path, &wishes, error);
    if (!status)
        status = sweep_open(c->space, c->threads, &c->sweep, error);
    return status ? status : sweep_check(c->sweep, error);
}

/* --- what is found ------------------------------------------------------------------------- */

static int write_results(struct search_command *c, double seconds, struct error *error)
{
    struct text command = {0};
    text_printf(&command, "bandscape search %s -o %s --evaluations %llu --seed %llu",
                argument_value(c->inv, 0), c->path, (unsigned long long)c->request.evaluations,
                (unsigned long long)c->request.seed);
    struct sweep_run_facts facts = {command.data, 0, seconds};
    int status = file_make_directory(c->path, error);
    if (!status)
        status = sweep_report_files(c->sweep, c->folder, false, error);
    if (!status)
        status = sweep_report_publish(c->sweep, c->folder, &facts, error);
    text_free(&command);
    return status;
}

static int print_results(const struct search_command *c, struct error *error)
{
    const struct sweep *sweep = c->sweep;
    struct table_style style = terminal_table_style(stdout);
    struct text text = {0};
    terminal_say(
        "%s: %llu of %llu points evaluated, %llu kept, %zu on the front of these; ranked by %s\n",
        c->space->name, (unsigned long long)c->result.evaluations,
        (unsigned long long)space_count(c->space), (unsigned long long)sweep->kept,
        sweep->front.count, c->space->rank_by);
    if (c->result.all)
        terminal_say("  all points of the space: the best is proved\n");
    else
        terminal_say("  found by %s, not proved%s\n",
                     c->space->n_objectives > 1 ? "evolution (NSGA-II)" : "annealing",
                     c->result.alone ? "; no step along one axis makes the best one better" : "");
    int status = sweep_report_table(sweep, SHOWN_ROWS, &style, &text, error);
    if (!status) {
        printf("\n%s\n", text.length ? text.data : "");
        terminal_say("files: %s/{ranking,pareto,sample,marginals,limits}.csv, manifest.yaml, "
                     "run.yaml\n",
                     c->path);
    }
    text_free(&text);
    return status;
}

/* --check: beside the answer of a sweep. */
static int check(const struct search_command *c, struct error *error)
{
    struct search_distance d;
    struct sweep *all = NULL;
    int status = sweep_open(c->space, c->threads, &all, error);
    if (!status)
        status = sweep_prepare(all, NULL, NULL, error);
    if (!status)
        status = sweep_run(all, error);
    if (!status)
        status = search_compare(c->sweep, all, &d, error);
    if (!status && d.found == d.best)
        terminal_say("checked by a sweep of %llu points: the best is found\n",
                     (unsigned long long)all->points);
    else if (!status)
        terminal_say("checked by a sweep of %llu points: %s is %.3g %% from the best\n",
                     (unsigned long long)all->points, c->space->rank_by,
                     100 * fabs(d.found / d.best - 1));
    if (!status && c->space->n_objectives > 1)
        terminal_say("%zu of %zu points of the front are found, with %.6g %% of its volume\n",
                     d.of_front, d.front, 100 * d.volume);
    sweep_destroy(all);
    return status;
}

/* The error says which conditions leave nothing. */
static int check_kept(const struct search_command *c, struct error *error)
{
    if (c->sweep->kept > 0)
        return 0;
    error_set(error, STATUS_FAILED, "%s: none of %llu points that were evaluated is left",
              c->space->name, (unsigned long long)c->result.evaluations);
    return error_hint(error, "more --evaluations, or conditions (where) that are met more often");
}

static int search_main(const struct invocation *inv, struct error *error)
{
    struct search_command c = {.inv = inv};
    int status = read_numbers(&c, error);
    if (!status && option_given(inv, "check") && space_count(c.space) > 10000000) {
        status = error_set(error, STATUS_USAGE, "--check sweeps all of %llu points",
                           (unsigned long long)space_count(c.space));
        error_hint(error, "10 000 000 at most; a smaller space of the same kind can be checked");
    }
    if (!status)
        status = open_result(&c, error);
    double start = clock_seconds();
    if (!status)
        status = search_run(c.sweep, &c.request, &c.result, error);
    if (!status)
        status = check_kept(&c, error);
    if (!status)
        status = write_results(&c, clock_seconds() - start, error);
    if (!status)
        status = print_results(&c, error);
    if (!status && option_given(inv, "check") && !c.result.interrupted)
        status = check(&c, error);
    if (!status && c.result.interrupted)
        status = error_set(error, STATUS_INTERRUPTED,
                           "interrupted after %llu evaluations; what was found until then is there",
                           (unsigned long long)c.result.evaluations);
    sweep_folder_destroy(c.folder);
    sweep_destroy(c.sweep);
    space_destroy(c.space);
    free(c.path);
    return status;
}

static const struct option_row search_options[] = {
    {0, "evaluations", "N", false, "of different points, at most (default: 20000)", NULL},
    {0, "seed", "N", false, "of the random numbers (default: 1)", NULL},
    {0, "check", NULL, false, "sweep the space as well and say how far the search is from it",
     NULL},
    {'w', "workload", "W", true, "in place of the space's", "@workloads"},
    {0, "input", "NAME", false, "of shipped workloads that are named without settings",
     "small default"},
    {0, "model", "NAME", true, "in place of the space's", "@model"},
    {'s', "set", "PATH=VALUE", true, "change a parameter of the machine", "@settings"},
    {0, "top", "K", false, "how many of the best are kept (default: the space's)", NULL},
    {'j', "jobs", "N", false, "threads (default: all cores)", NULL},
    {'o', "output", "DIR", false, "where the result goes (default: results/NAME-search)", NULL},
    {0, "force", NULL, false, "in the place of another space's result, or of one of all points",
     NULL},
    {.name = NULL},
};

const struct command command_search = {
    .plugin = {.kind = "command",
               .name = "search",
               .summary = "the best of a space that is too large to sweep"},
    .usage = "SPACE [--evaluations N] [--seed N] [--check] [-o DIR]",
    .description =
        "Looks for the best points of a space without going through all of it: by simulated\n"
        "annealing where it has one objective, else for its front by an evolutionary search\n"
        "(NSGA-II). Both end with steps along each axis alone from the best point (of 1, 2, 4, "
        "...\n"
        "values) until none is better. What is printed is found, not proved.\n"
        "\n"
        "The result is in the files that a sweep writes, of the points that were evaluated, for\n"
        "bandscape report, plot and pareto. Profiles are made where the search comes by. The same\n"
        "seed gives the same bytes for any number of threads; after Ctrl-C what was found so far\n"
        "is written. --check sweeps a small space as well and prints the distance.",
    .examples = "  bandscape search sac-budget --input small --evaluations 3000 --check\n"
                "  bandscape search my-space.yaml --evaluations 1000000 --seed 2 -o results/mine",
    .options = search_options,
    .run = search_main,
    .arguments = "@spaces",
};
