/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entry point: finds the command, parses its options, prints its error. */
#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/help.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/remark.h"
#include "core/version.h"
#include "profile/record/profile.h"

static int print_error(const struct error *error)
{
    char text[4096];
    size_t place = error_format(error, text, sizeof text);
    const char *program = place ? "" : "bandscape: ", *word = "error:";
    if (terminal_colour(stderr))
        fprintf(stderr, "%s%.*s\033[1;31m%s\033[0m%s\n", program, (int)place, text, word,
                text + place + strlen(word));
    else
        fprintf(stderr, "%s%s\n", program, text);
    return error_exit_status(error->status);
}

static int run(int argc, char **argv, struct error *error)
{
    const struct command *command;
    struct invocation *invocation;
    int status = profile_fields_check(error);
    if (!status)
        status = help_find_command(argv[1], &command, error);
    if (status)
        return status;
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help_command(command);
            return 0;
        }
    status = invocation_parse(command, argc - 2, argv + 2, &invocation, error);
    if (!status)
        status = command->run(invocation, error);
    invocation_destroy(invocation);
    return status;
}

/* A closed standard stream would give its number to the next file that is opened, which then
 * would be printed into. Each gets what fails as a closed one does. */
static void hold_standard_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) == -1 && errno == EBADF)
            open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void tell_remark(void *context, const char *text)
{
    (void)context;
    progress_clear();
    message("%s", text);
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

static int run_command(int argc, char **argv, struct error *error)
{
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_overview(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("bandscape %s\n", BANDSCAPE_VERSION);
        return 0;
    }
    return run(argc, argv, error);
}

int main(int argc, char **argv)
{
    struct error error = {0};
    hold_standard_streams();
    memory_keep_freed();
    gsl_set_error_handler_off();
    interrupt_install();
    signal(SIGXFSZ, SIG_IGN); /* a limit of files' sizes is an error of the write */
    /* A closed pipe (| head) ends the program quietly, as users expect; plots
     * check their own pipe. */
    if (terminal_capable(stderr))
        progress_set_stream(stderr);
    remark_set_listener(tell_remark, NULL);
    if (argc < 2) {
        help_overview(stderr);
        return 2;
    }
    int status = run_command(argc, argv, &error);
    progress_end();
    if (!status)
        status = check_output(&error);
    file_remove_temporaries();
    return status ? print_error(&error) : 0;
}
