/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape help: of a command or a topic; and what shells and man are given. */
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/manual.h"

static int help_run(const struct invocation *inv, struct error *error)
{
    const char *shell = option_value(inv, "completion", 0);
    bool page = option_given(inv, "man");
    int arguments = argument_count(inv);
    if (option_given(inv, "complete")) {
        completion_print(inv);
        return 0;
    }
    if (arguments + (shell ? 1 : 0) + page > 1) {
        error_set(error, STATUS_USAGE, "help takes one command, --man or --completion");
        return error_hint(error, "for example: bandscape help sweep");
    }
    if (page)
        manual_print();
    else if (shell)
        return completion_script(shell, error);
    else if (arguments == 1)
        return help_about(argument_value(inv, 0), error);
    else
        help_overview(stdout);
    return 0;
}

static const struct option_row help_options[] = {
    {0, "man", NULL, false, "print the manual page of the whole program, for man -l -"},
    {0, "completion", "SHELL", false,
     "print what makes bash or zsh complete commands, options and names", "bash zsh"},
    {0, "complete", NULL, false, NULL}, /* what that script asks for */
    {.name = NULL},
};

const struct command command_help = {
    .plugin = {.kind = "command", .name = "help", .summary = "show the help of a command"},
    .usage = "[COMMAND|TOPIC]\n"
             "       bandscape help --man\n"
             "       bandscape help --completion bash|zsh",
    .description =
        "Prints what bandscape COMMAND --help prints. TOPIC is exit-status, files or "
        "environment.\n\n"
        "make install puts the manual page and the completions where man, bash and zsh look for\n"
        "them. Where nothing is installed, --completion says what ~/.bashrc or ~/.zshrc may take.",
    .examples = "  bandscape help sweep\n"
                "  bandscape help environment\n"
                "  bandscape help --man | man -l -\n"
                "  source <(bandscape help --completion bash)",
    .options = help_options,
    .run = help_run,
    .arguments = "@command @topics",
};
