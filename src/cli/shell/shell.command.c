/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape shell: verbs from a terminal, a file or the command line. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/shell/shell.h"

/* --machine, --workload, --set and --model are verbs in front of the others. */
static void print_first(const struct invocation *inv, struct text *out)
{
    static const char *const verbs[] = {"machine", "model", "set"};
    text_append(out, "");
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++)
        for (int i = 0; i < option_count(inv, verbs[v]); i++) {
            text_printf(out, "%s ", verbs[v]);
            words_quote(option_value(inv, verbs[v], i), out);
            text_append(out, "\n");
        }
    if (option_given(inv, "workload"))
        text_append(out, "workload");
    for (int i = 0; i < option_count(inv, "workload"); i++) {
        text_append(out, " ");
        words_quote(option_value(inv, "workload", i), out);
    }
    text_append(out, "\n");
}

static int run_text(struct shell *shell, const char *text, const char *name, struct error *error)
{
    struct lines lines;
    lines_open_text(&lines, text);
    int status = shell_run(shell, &lines, name, error);
    lines_close(&lines);
    return status;
}

static int run_terminal(struct shell *shell, struct error *error)
{
    struct lines lines;
    shell->talks = true;
    lines_open_terminal(&lines, shell_complete, shell);
    printf("help lists the verbs, Tab completes, Ctrl-D leaves\n");
    int status = shell_run(shell, &lines, NULL, error);
    lines_close(&lines);
    if (!shell->ended)
        printf("\n");
    return status;
}

static int shell_command_run(const struct invocation *inv, struct error *error)
{
    struct shell shell;
    struct text first = {0};
    const char *verbs = option_value(inv, "command", 0);
    if (verbs && argument_count(inv))
        return error_set(error, STATUS_USAGE, "--command and a file exclude each other");
    shell_init(&shell);
    print_first(inv, &first);
    int status = run_text(&shell, first.data, "command line", error);
    if (!status && verbs)
        status = run_text(&shell, verbs, "--command", error);
    else if (!status && argument_count(inv) == 0 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        status = run_terminal(&shell, error);
    else if (!status && argument_count(inv) == 0)
        status = shell_run_file(&shell, "-", error);
    for (int i = 0; i < argument_count(inv) && !status && !shell.ended; i++)
        status = shell_run_file(&shell, argument_value(inv, i), error);
    shell_fini(&shell);
    text_free(&first);
    return status;
}

static const struct option_row shell_options[] = {
    {'m', "machine", "M", false, "begin with this machine", "@machines"},
    {'w', "workload", "W", true, "and these workloads", "@workloads"},
    {'s', "set", "PATH=VALUE", true, "and parameters", "@settings"},
    {0, "model", "NAME", false, "and this model", "@model"},
    {'c', "command", "VERBS", false, "run these, parted by \";\", and leave"},
    {.name = NULL},
};

const struct command command_shell = {
    .plugin = {.kind = "command",
               .name = "shell",
               .summary = "ask one question after the other, changing the machine in between"},
    .usage = "[FILE...] [-c VERBS] [--machine M] [--workload W]... [--set PATH=VALUE]...",
    .description =
        "A machine, workloads, settings and a model stay from one question to the next. Verbs\n"
        "change them; every other verb is a command of bandscape, whose options are in front of\n"
        "what is typed:\n\n"
        "  machine sac; workload gemm:input=small\n"
        "  set inter.link_bandwidth 384 GB/s    or *2, /2, +10%, -10%, +32 GB/s\n"
        "  unset; undo; redo\n"
        "  diff                  what differs from the shipped machine\n"
        "  eval                  bandscape whatif, about this machine\n"
        "  compare               the shipped machine beside this one\n"
        "  sensitivity\n"
        "  sweep inter.link_bandwidth 48..768 GB/s; plot; pareto; rank\n"
        "  save FILE; load FILE; source FILE; help VERB\n\n"
        "On a terminal lines are edited (readline), Tab completes verbs, parameters, values and\n"
        "names, earlier lines are kept, and Ctrl-C ends a question and not the session. From a\n"
        "file, a pipe or -c, the first error ends it, with its place and its exit status.\n"
        "bandscape alone, on a terminal, is bandscape shell.",
    .examples =
        "  bandscape shell -m sac -w gemm:input=small -c \"set llc.capacity *2; diff; eval\"\n"
        "  bandscape shell -m sac -w bfs:input=small "
        "-c \"sweep inter.link_bandwidth 48..768 GB/s; pareto\"",
    .options = shell_options,
    .run = shell_command_run,
};
