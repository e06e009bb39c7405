/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/execute.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/help.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/ranks.h"
#include "profile/record/profile.h"

int execute_tell_error(const struct error *error)
{
    char text[4096];
    if (!ranks_first()) /* the first one tells; whoever fails before is the end of it */
        return 0;
    size_t place = error_format(error, text, sizeof text);
    const char *program = place ? "" : "bandscape: ", *word = "error:";
    if (terminal_colour(stderr))
        fprintf(stderr, "%s%.*s\033[1;31m%s\033[0m%s\n", program, (int)place, text, word,
                text + place + strlen(word));
    else
        fprintf(stderr, "%s%s\n", program, text);
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
    if (!status)
        status = command->run(invocation, error);
    invocation_destroy(invocation);
    return status;
}

int execute_command(int argc, char **argv, struct error *error)
{
    return execute_finish(run(argc, argv, error), error);
}
