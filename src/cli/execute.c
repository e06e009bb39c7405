/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/execute.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/named.h"
#include "cli/pager.h"
#include "cli/terminal.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/ranks.h"
#include "profile/record/profile.h"
#include "report/fold.h"

/* What is said is as wide as the terminal; the line that it is about, and its caret, stay. */
static void fold_error(char *text, struct text *out)
{
    int width = terminal_table_style(stderr).width;
    for (char *line = text, *end; line; line = end ? end + 1 : NULL) {
        bool said = line == text || strncmp(line, "hint: ", 6) == 0;
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        fold_lines(line, said ? width : 0, out);
        text_append(out, end ? "\n" : "");
    }
}

int execute_tell_error(const struct error *error)
{
    static const char word[] = "error:";
    char text[4096] = "bandscape: ";
    struct text told = {0};
    if (!ranks_first()) /* the first one tells; whoever fails before is the end of it */
        return 0;
    bool placed = error->file[0] != '\0';
    size_t program = placed ? 0 : strlen(text);
    size_t place = program + error_format(error, text + program, sizeof text - program);
    fold_error(text, &told);
    const char *at = strstr(told.data + place, word); /* perhaps on the next line */
    if (terminal_colour(stderr))
        fprintf(stderr, "%.*s\033[1;31m%s\033[0m%s\n", (int)(at - told.data), told.data, word,
                at + strlen(word));
    else
        fprintf(stderr, "%s\n", told.data);
    text_free(&told);
    return error_exit_status(error->status);
}

/* What was printed must have arrived. */
static int check_output(struct error *error)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    /* The reason of an earlier write is lost; one more has the same. */
    if (errno == 0 && write(STDOUT_FILENO, "\n", 1) == 1)
        errno = 0;
    error_errno(error, "write", "the standard output");
    return error->status = STATUS_IO;
}

int execute_finish(int status, struct error *error)
{
    progress_end();
    if (!status)
        status = check_output(error);
    file_remove_temporaries();
    return status;
}

static int run(int argc, char **argv, struct error *error)
{
    const struct command *command;
    struct invocation *invocation;
    int status = profile_fields_check(error);
    argc = pager_take_option(argc, argv);
    if (!status && argc == 0) {
        error_set(error, STATUS_USAGE, "a command is missing");
        return error_hint(error, "bandscape --help lists them");
    }
    if (!status)
        status = help_find_command(argv[0], &command, error);
    if (status)
        return status;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help_command(command);
            return 0;
        }
    status = invocation_parse(command, argc - 1, argv + 1, &invocation, error);
    if (!status) {
        invocation_take_names(invocation);
        status = command->run(invocation, error);
    }
    invocation_destroy(invocation);
    return status;
}

int execute_command(int argc, char **argv, struct error *error)
{
    return execute_finish(run(argc, argv, error), error);
}
