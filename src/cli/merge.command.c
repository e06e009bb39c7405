/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape merge: the shares of a sweep as one result. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/execute.h"
#include "cli/look_options.h"
#include "cli/sweep_course.h"

struct words {
    char **items;
    size_t count, capacity;
};

static void add_word(struct words *words, const char *option, const char *value)
{
    struct text text = {0};
    text_printf(&text, "%s%s", option, value);
    VECTOR_PUSH(words, text.data);
}

/* What is drawn, and how it looks: as sweep has it. */
static void add_pictures(const struct invocation *inv, struct words *words)
{
    static const struct option_row looks[] = {LOOK_OPTIONS, {.name = NULL}};
    struct text option = {0};
    for (int i = 0; i < option_count(inv, "term"); i++)
        add_word(words, "--term=", option_value(inv, "term", i));
    if (option_given(inv, "no-plots"))
        add_word(words, "--no-plots", "");
    for (const struct option_row *row = looks; row->name; row++) {
        option.length = 0;
        text_printf(&option, "--%s%s", row->name, row->argument ? "=" : "");
        for (int i = 0; row->argument && i < option_count(inv, row->name); i++)
            add_word(words, option.data, option_value(inv, row->name, i));
        if (!row->argument && option_given(inv, row->name))
            add_word(words, option.data, "");
    }
    text_free(&option);
}

/* The command that the shares are of, which takes what they found in place of evaluating. */
static int build_command(const struct invocation *inv, struct words *words, struct error *error)
{
    struct sweep_course_files files = {0};
    struct sweep_state first = {0};
    int status = 0;
    for (int i = 0; i < argument_count(inv) && !status; i++)
        status = sweep_course_find(argument_value(inv, i), &files, error);
    if (!status)
        status = sweep_state_read(files.states.items[0], &first, error);
    if (!status) {
        const char *to = option_value(inv, "output", 0), *jobs = option_value(inv, "jobs", 0);
        add_word(words, "sweep", "");
        for (size_t i = 0; i < first.arguments.count; i++)
            add_word(words, first.arguments.items[i], "");
        add_word(words, "--output=", to ? to : argument_value(inv, 0));
        if (jobs)
            add_word(words, "--jobs=", jobs);
        for (int i = 0; i < argument_count(inv); i++)
            add_word(words, "--merge=", argument_value(inv, i));
        add_pictures(inv, words);
        if (option_given(inv, "force"))
            add_word(words, "--force", "");
    }
    sweep_state_fini(&first);
    sweep_course_close(&files);
    return status;
}

static int merge_run(const struct invocation *inv, struct error *error)
{
    struct words words = {0};
    if (argument_count(inv) == 0) {
        error_set(error, STATUS_USAGE, "merge takes the folders that hold a sweep's shares");
        return error_hint(error, "bandscape sweep SPACE --shard 1/8 -o DIR makes the first of "
                                 "eight");
    }
    int status = build_command(inv, &words, error);
    if (!status)
        status = execute_command((int)words.count, words.items, error);
    for (size_t i = 0; i < words.count; i++)
        free(words.items[i]);
    VECTOR_FREE(&words);
    return status;
}

static const struct option_row merge_options[] = {
    {'o', "output", "DIR", false, "where the files go (default: the first folder)"},
    {'j', "jobs", "N", false, "threads (default: all cores); the result is the same"},
    {0, "term", "TERM", true,
     "of pictures: svg, png, pdf, eps, tex or dumb; may be repeated (default: svg and png)",
     "svg png pdf eps tex dumb"},
    {0, "plot", "TERM", true, NULL, "svg png pdf eps tex dumb", "term"},
    LOOK_OPTIONS,
    {0, "no-plots", NULL, false, "draw nothing (no gnuplot needed)"},
    {0, "force", NULL, false, "replace the result of another space in DIR"},
    {.name = NULL},
};

const struct command command_merge = {
    .plugin = {"command", "merge", "the shares of a sweep as one result", NULL, NULL},
    .usage = "DIR... [-o DIR]",
    .description =
        "Puts together what the shares of a sweep found (bandscape sweep SPACE --shard I/N): the\n"
        "files are the bytes that one sweep writes. Shares may be in one folder or in several;\n"
        "all have to be there, finished, and of one sweep: same space, workloads, models and\n"
        "version. Run it where the sweeps were run: paths in their command are taken from there.",
    .examples = "  bandscape sweep sac-sensitivity --input small --shard 1/2 -o results/halves\n"
                "  bandscape sweep sac-sensitivity --input small --shard 2/2 -o results/halves\n"
                "  bandscape merge results/halves",
    .options = merge_options,
    .run = merge_run,
};
