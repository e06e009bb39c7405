/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape reproduce: every figure of a paper, published beside ours, as one page. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/look_options.h"
#include "cli/terminal.h"
#include "core/file_set.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "explore/views/view_groups.h"
#include "model/model.h"
#include "report/reproduction.h"
#include "report/sweep_report.h"
#include "validate/answers.h"

static const char *const reproduce_formats[] = {"table", "csv", "json", NULL};
static const char page_name[] = "README.md", csv_name[] = "comparison.csv";

struct reproduce {
    const struct invocation *inv;
    struct reproduction all;
    const char *input, *format;
    char *path; /* of the folder */
    int threads;
    bool draws;
    struct plot_output how; /* of its pictures: terminal and look */
    struct picture_look look;
    struct arena *arena;     /* of the look */
    struct machine *machine; /* of figures that name none */
    uint64_t points;         /* of all spaces */
    struct view_list views;
    size_t done;
};

/* --- what there is ------------------------------------------------------------------------ */

static int reproduce_list(const struct reproduce *c)
{
    static const struct sheet_column columns[] = {{"where", "figure", NULL, SHEET_TEXT},
                                                  {"space", "space", NULL, SHEET_TEXT},
                                                  {"workloads", "workloads", NULL, SHEET_COUNT},
                                                  {"summary", "what it is", NULL, SHEET_TEXT},
                                                  {.key = NULL}};
    struct sheet *sheet = sheet_create(columns);
    for (size_t i = 0; i < c->all.list.count; i++) {
        const struct reproduced *one = &c->all.list.items[i];
        sheet_add(sheet, (struct sheet_cell[]){{one->place},
                                               {one->space->name},
                                               {.number = (double)one->space->n_workloads},
                                               {one->space->summary}});
    }
    terminal_print_sheet(sheet, c->format);
    sheet_destroy(sheet);
    return 0;
}

/* --- the plan ------------------------------------------------------------------------------- */

static char *folder_of(const struct reproduce *c, const struct reproduced *one)
{
    struct text path = {0};
    text_printf(&path, "%s/%s", c->path, one->space->name);
    return path.data;
}

/* Adds the plan of a space, and stops there. */
static int count_plan(void *context, const struct sweep_plan *plan, struct error *error)
{
    struct reproduce *c = context;
    c->points += plan->points;
    int status = view_list_add(&c->views, plan->tasks, plan->n_tasks, error);
    if (status)
        return status;
    c->done++;
    return error_set(error, STATUS_FAILED, "planned");
}

static int plan_one(struct reproduce *c, struct reproduced *one, struct error *error)
{
    size_t before = c->done;
    char *folder = folder_of(c, one);
    struct sweep_wishes wishes = {.terminals = &c->how.terminal, .n_terminals = c->draws};
    int status = space_set_input(one->space, c->input, error);
    if (!status)
        status = sweep_open(one->space, c->threads, &one->sweep, error);
    if (!status)
        status = sweep_check(one->sweep, error);
    if (!status)
        status = sweep_report_check_plots(one->sweep, error);
    if (!status)
        status = sweep_report_claim(one->space, folder, &wishes, error);
    if (!status)
        status = sweep_prepare(one->sweep, count_plan, c, error);
    free(folder);
    return c->done > before ? 0 : status;
}

/* The page is replaced only where this command wrote it. */
static int check_page(const struct reproduce *c, struct error *error)
{
    struct text path = {0};
    char *data;
    size_t size;
    int status = 0;
    text_printf(&path, "%s/%s", c->path, page_name);
    if (file_exists(path.data) && !(status = file_read(path.data, 64 << 20, &data, &size, error))) {
        if (strncmp(data, REPRODUCTION_HEAD, strlen(REPRODUCTION_HEAD)) != 0) {
            status = error_set(error, STATUS_INPUT, "%s is there, and reproduce did not write it",
                               path.data);
            error_hint(error, "another folder: -o DIR");
        }
        free(data);
    }
    text_free(&path);
    return status;
}

/* Of published figures and labels. */
static struct validation_request request_of(const struct reproduce *c)
{
    return (struct validation_request){
        .machine = c->machine, .input = c->input, .threads = c->threads};
}

static int plan(struct reproduce *c, struct error *error)
{
    bool one = c->all.list.count == 1;
    struct validation_request request = request_of(c);
    int status = check_page(c, error);
    for (size_t i = 0; i < c->all.list.count && !status; i++) {
        struct reproduced *next = &c->all.list.items[i];
        if ((status = plan_one(c, next, error)))
            error_context(error, "%s, space %s", next->place, next->space->name);
    }
    c->done = 0;
    if (!status)
        status = reproduction_views(&c->all, &request, &c->views, error);
    if (status)
        return status;
    size_t cached = view_list_cached(&c->views), missing = c->views.count - cached;
    char note[64];
    view_groups_note(missing, view_list_passes(&c->views), note, sizeof note);
    message("%s: %llu points in %zu space%s; views to profile: %zu%s, in the cache: %zu",
            c->all.paper->validation.plugin.name, (unsigned long long)c->points, c->all.list.count,
            one ? "" : "s", missing, note, cached);
    return 0;
}

/* --- a space -------------------------------------------------------------------------------- */

static int draw(struct reproduce *c, struct reproduced *one, struct sweep_folder *folder,
                struct error *error)
{
    int status = c->draws ? sweep_report_plots(one->sweep, folder, &c->how, error) : 0;
    if (status != STATUS_NO_PICTURE)
        return status;
    message("no pictures: %s%s%s%s", error->text, error->hint[0] ? " (" : "", error->hint,
            error->hint[0] ? ")" : "");
    c->draws = false;
    return 0;
}

static int run_one(struct reproduce *c, struct reproduced *one, struct error *error)
{
    struct text command = {0};
    char *path = folder_of(c, one);
    struct sweep_folder *folder = sweep_folder_create(path);
    double start = clock_seconds();
    message("%s: %s (%zu of %zu)", one->place, one->space->name, c->done + 1, c->all.list.count);
    text_printf(&command, "bandscape sweep %s -o %s --input %s -j %d", one->space->path, path,
                c->input, c->threads);
    struct sweep_run_facts facts = {.command = command.data};
    int status = sweep_prepare(one->sweep, NULL, NULL, error);
    facts.profile_s = clock_seconds() - start;
    start = clock_seconds();
    if (!status)
        status = sweep_columns(one->sweep, error);
    if (!status)
        status = sweep_report_check_plots(one->sweep, error);
    if (!status)
        status = sweep_run(one->sweep, error);
    facts.sweep_s = clock_seconds() - start;
    if (!status)
        status = file_make_directory(path, error);
    if (!status)
        status = sweep_report_files(one->sweep, folder, false, error);
    if (!status)
        status = draw(c, one, folder, error);
    if (!status)
        status = reproduction_add(&c->all, one, folder, error);
    if (!status)
        status = sweep_report_publish(one->sweep, folder, &facts, error);
    sweep_folder_destroy(folder);
    sweep_destroy(one->sweep);
    one->sweep = NULL;
    text_free(&command);
    free(path);
    return status;
}

/* --- the page ------------------------------------------------------------------------------- */

static int compare(struct reproduce *c, struct error *error)
{
    struct validation_request request = request_of(c);
    message("%s: published figures", c->all.paper->validation.plugin.name);
    request.answers = answers_create();
    int status = reproduction_compare(&c->all, &request, error);
    answers_destroy(request.answers);
    return status;
}

static int write_page(const struct reproduce *c, struct error *error)
{
    struct file_set *set = file_set_create(c->path);
    struct csv_writer csv = {0};
    struct text page = {0};
    reproduction_print_page(&c->all, c->input, &page);
    int status = file_set_open(set, csv_name, &csv.stream, error);
    if (!status) {
        sheet_print_csv(c->all.rows, &csv);
        status = file_set_close(set, 0, error);
    }
    if (!status)
        status = file_set_write(set, page_name, page.data, page.length, error);
    if (!status)
        status = file_set_publish(set, error);
    file_set_destroy(set);
    text_free(&page);
    return status;
}

static int run_all(struct reproduce *c, struct error *error)
{
    int status = file_make_directory(c->path, error);
    if (!status) /* what spaces, figures and labels want, together: they find it in the cache */
        status = view_list_make(&c->views, c->threads, error);
    if (!status)
        status = compare(c, error);
    for (; c->done < c->all.list.count && !status; c->done += !status)
        status = run_one(c, &c->all.list.items[c->done], error);
    if (!status)
        status = write_page(c, error);
    if (status == STATUS_INTERRUPTED) {
        message("%zu of %zu spaces are in %s; there is no page yet", c->done, c->all.list.count,
                c->path);
        error_hint(error, "the same command goes on: what was profiled is in the cache");
    }
    if (status)
        return status;
    terminal_print_sheet(c->all.rows, c->format);
    message("wrote %s/%s", c->path, page_name);
    return 0;
}

/* --- the command ---------------------------------------------------------------------------- */

static int read_options(struct reproduce *c, struct error *error)
{
    const struct invocation *inv = c->inv;
    const char *input = option_value(inv, "input", 0), *folder = option_value(inv, "output", 0);
    const char *term = option_value(inv, "term", 0);
    long long threads = 1;
    if (argument_count(inv) == 0) {
        error_set(error, STATUS_USAGE, "reproduce takes a paper");
        return error_hint(error, "sac, mcm, dcl1, dualopt or nuba: bandscape reproduce sac");
    }
    if (term && option_given(inv, "no-plots"))
        return error_set(error, STATUS_USAGE, "--term has no effect with --no-plots");
    int status = terminal_format(inv, reproduce_formats, &c->format, error);
    if (!status)
        status = option_integer(inv, "jobs", 1, 1024, parallel_cores(), &threads, error);
    if (!status && term)
        status = plot_terminal_scan(term, &c->how.terminal, error);
    if (!status && look_asked(inv) && option_given(inv, "no-plots"))
        status = error_set(error, STATUS_USAGE,
                           "options of pictures have no effect with "
                           "--no-plots");
    if (!status)
        status = look_read(inv, &c->look, c->arena, error);
    c->how.look = &c->look;
    c->threads = (int)threads;
    c->input = input ? input : "default";
    c->draws = !option_given(inv, "no-plots");
    struct text path = {0};
    text_printf(&path, "%s%s", folder ? "" : "results/reproduce/",
                folder ? folder : argument_value(inv, 0));
    c->path = path.data;
    return status;
}

static int reproduce_run(const struct invocation *inv, struct error *error)
{
    struct reproduce c = {.inv = inv, .arena = arena_create()};
    size_t n = argument_count(inv) > 1 ? (size_t)argument_count(inv) - 1 : 0;
    const char **names = memory_zero(n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = argument_value(inv, (int)i + 1);
    int status = read_options(&c, error);
    bool opened = !status;
    if (opened)
        status = reproduction_open(argument_value(inv, 0), names, n, option_value(inv, "figure", 0),
                                   &c.all, error);
    if (!status)
        status = machine_load(model_machine_name(NULL), &c.machine, error);
    if (!status && option_given(inv, "list")) {
        status = reproduce_list(&c);
    } else if (!status) {
        status = plan(&c, error);
        if (!status && !option_given(inv, "check"))
            status = run_all(&c, error);
    }
    if (opened)
        reproduction_close(&c.all);
    view_list_fini(&c.views);
    machine_destroy(c.machine);
    look_fini(&c.look);
    arena_destroy(c.arena);
    free(c.path);
    free(names);
    return status;
}

static const struct option_row reproduce_options[] = {
    {'o', "output", "DIR", false,
     "where the folders and the page go (default:\n"
     "results/reproduce/PAPER)"},
    {0, "figure", "N", false, "this figure alone: 8, or a place such as \"section 5\""},
    {0, "input", "I", false,
     "this input of workloads without settings: small, default (default), ...", "small default"},
    {'j', "jobs", "N", false, "threads (default: all cores); the result is the same"},
    {0, "format", "F", false, "of the comparison printed: table (default), csv or json",
     "table csv json"},
    {0, "term", "TERM", false, "of pictures: svg (default), png, pdf, eps, tex",
     "svg png pdf eps tex"},
    {0, "no-plots", NULL, false, "draw nothing (no gnuplot needed)"},
    LOOK_OPTIONS,
    {0, "list", NULL, false, "which figures, by which spaces; nothing is run"},
    {0, "check", NULL, false,
     "stop before anything is profiled: are the spaces right, and what\n"
     "would be done"},
    {.name = NULL},
};

const struct command command_reproduce = {
    .plugin = {"command", "reproduce", "the figures of a paper, published beside ours, as one page",
               NULL, NULL},
    .usage = "PAPER [SPACE...] [--figure N] [-o DIR] [--input I] [--list] [--check]",
    .description =
        "Runs the spaces that reproduce the figures of a paper (the shipped ones whose `figure`\n"
        "names it, or those given), as bandscape sweep does, each into a folder of its own, then\n"
        "evaluates what the paper publishes of them (as bandscape validate does), and writes one\n"
        "page: README.md in DIR, with comparison.csv. Published figures stand beside ours with\n"
        "the signed error, and whether the direction is the published one: the same side of 1,\n"
        "or, of a trend, the same way by more than 5 %. What is exact or fitted by its making\n"
        "stands apart from what is predicted. Inputs are default ones.\n\n"
        "What all spaces need is said first. Ctrl-C leaves the spaces that are finished; the same\n"
        "command goes on, from the cache. The page and all files but run.yaml are the same bytes\n"
        "for any number of threads.",
    .examples = "  bandscape reproduce sac\n"
                "  bandscape reproduce sac --list\n"
                "  bandscape reproduce sac --figure 8 -o results/fig8\n"
                "  bandscape reproduce sac --figure 14 --input small --format csv --no-plots\n"
                "  bandscape reproduce sac sac-links --check",
    .options = reproduce_options,
    .run = reproduce_run,
    .arguments = "sac mcm dcl1 dualopt nuba|@spaces",
};
