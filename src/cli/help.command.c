/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandscape help: of a command or a topic; and what shells and man are given. */
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/manual.h"

static int help_run(const struct invocation *inv, struct error *error)
{
    const char *shell = option_value(inv, "completion", 0);
    bool man = option_given(inv, "man"), markdown = option_given(inv, "markdown");
    int arguments = argument_count(inv);
    if (option_given(inv, "complete")) {
        completion_print(inv);
        return 0;
    }
    if (arguments > 1 || (shell != NULL) + man + markdown > 1 || (shell && arguments)) {
        error_set(error, STATUS_USAGE, "help takes one command or topic");
        return error_hint(error, "for example: bandscape help sweep");
    }
    if (markdown && arguments == 0) {
        error_set(error, STATUS_USAGE, "--markdown needs a kind of file");
        return error_hint(error, "for example: bandscape help machine-files --markdown");
    }
    if (shell)
        return completion_script(shell, error);
    if (arguments == 1)
        return help_about(argument_value(inv, 0),
                          man        ? HELP_MAN
                          : markdown ? HELP_MARKDOWN
                                     : HELP_TERMINAL,
                          error);
    if (man)
        manual_print();
    else
        help_overview(stdout);
    return 0;
}

static const struct option_row help_options[] = {
    {0, "man", NULL, false,
     "print the manual page, of the whole program without a name, for man -l -"},
    {0, "markdown", NULL, false, "print the page of a kind of file as Markdown"},
    {0, "completion", "SHELL", false,
     "print what makes bash, zsh or fish complete commands, options and names", "bash zsh fish"},
    {0, "complete", NULL, false, NULL}, /* what that script asks for */
    {.name = NULL},
};

const struct command command_help = {
    .plugin = {.kind = "command",
               .name = "help",
               .summary = "show the help of a command, a kind of file or a topic"},
    .usage = "[COMMAND|FILES|TOPIC] [--man|--markdown]\n"
             "       bandscape help --completion bash|zsh|fish",
    .description =
        "Of a command it prints what bandscape COMMAND --help prints. FILES is machine-files,\n"
        "space-files, workload-files, profile-files, network-files or trace-files: every key that\n"
        "such a file may have, with its type, unit, default and an example. TOPIC is units,\n"
        "values, expressions, exit-status, files or environment.\n\n"
        "make install puts the manual pages (bandscape-COMMAND in section 1, bandscape-machine "
        "and\n"
        "so on in section 5) and the completions where man, bash, zsh and fish look for them. "
        "Where\n"
        "nothing is installed, --completion says what ~/.bashrc, ~/.zshrc or\n"
        "~/.config/fish/completions/bandscape.fish may take.",
    .examples = "  bandscape help sweep\n"
                "  bandscape help machine-files\n"
                "  bandscape help environment\n"
                "  bandscape help sweep --man | man -l -\n"
                "  bandscape help space-files --markdown | head\n"
                "  source <(bandscape help --completion bash)",
    .options = help_options,
    .run = help_run,
    .arguments = "@command @topics",
};
