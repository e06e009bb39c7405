/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entry point: prepares the process, runs a command, prints its error. */
#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/execute.h"
#include "cli/help.h"
#include "cli/shell/lines.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/ranks.h"
#include "core/remark.h"
#include "core/version.h"

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

static int run_words(int argc, char **argv, struct error *error)
{
    bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (help)
        help_overview(stdout);
    else if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        printf("bandscape %s\nline editing: %s\nranks: %s\nschema of CSV and JSON: %d\n",
               BANDSCAPE_VERSION, lines_editing(),
               ranks_kind() ? ranks_kind() : "none (make MPI=1)", BANDSCAPE_SCHEMA);
    else
        return execute_command(argc - 1, argv + 1, error);
    return execute_finish(0, error);
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
    char shell[] = "shell", *prompt[] = {argv[0], shell};
    if (argc < 2 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
        argv = prompt;
        argc = 2;
    } else if (argc < 2) {
        help_overview(stderr);
        return 2;
    }
    int status = run_words(argc, argv, &error) ? execute_tell_error(&error) : 0;
    ranks_end();
    return status;
}
