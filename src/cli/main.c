/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entry point: finds the command, parses its options, prints its error. */
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/suggest.h"
#include "core/version.h"

static void print_overview(FILE *out)
{
    fprintf(out,
            "Bandscape %s: which memory system for a multi-chip GPU delivers the most\n"
            "effective bandwidth to these workloads, what limits it, and what it costs.\n\n"
            "usage: bandscape COMMAND [ARGUMENTS]     bandscape COMMAND --help\n\n",
            BANDSCAPE_VERSION);
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next("command", &cursor));)
        fprintf(out, "  %-10s %s\n", plugin->name, plugin->summary);
    fprintf(out, "\nTry:  bandscape whatif --machine sac --workload gemm:input=small\n"
                 "      bandscape sweep sac-sensitivity\n");
}

static int print_error(const struct error *error)
{
    char text[4096];
    error_format(error, text, sizeof text);
    const char *at = strstr(text, "error: ");
    const char *program = at == text ? "bandscape: " : "";
    if (terminal_colour(stderr) && at)
        fprintf(stderr, "%s%.*s\033[1;31merror:\033[0m %s\n", program, (int)(at - text), text,
                at + strlen("error: "));
    else
        fprintf(stderr, "%s%s\n", program, text);
    return error_exit_status(error->status);
}

static int find_command(const char *name, const struct command **out, struct error *error)
{
    const struct plugin *plugin = plugin_find("command", name);
    if (plugin) {
        *out = (const struct command *)plugin;
        return 0;
    }
    struct suggest suggest = suggest_begin(name);
    size_t cursor = 0;
    while ((plugin = plugin_next("command", &cursor)))
        suggest_offer(&suggest, plugin->name);
    error_set(error, STATUS_USAGE, "there is no command \"%.80s\"", name);
    if (suggest.best)
        error_hint(error, "did you mean \"bandscape %s\"?", suggest.best);
    else
        error_hint(error, "bandscape --help lists the commands");
    return STATUS_USAGE;
}

static int run(int argc, char **argv, struct error *error)
{
    const struct command *command;
    struct invocation *invocation;
    int status = find_command(argv[1], &command, error);
    if (status)
        return status;
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            command_help(command);
            return 0;
        }
    status = invocation_parse(command, argc - 2, argv + 2, &invocation, error);
    if (!status)
        status = command->run(invocation, error);
    invocation_destroy(invocation);
    return status;
}

/* A standard stream that is closed would be the next file that is opened, and be written to, or
 * closed by a child. It becomes one that refuses, as a closed one does. */
static void keep_standard_streams(void)
{
    int fd;
    do /* the lowest that is free: 0 takes no reading, 1 and 2 no writing */
        fd = open("/dev/null", fcntl(STDIN_FILENO, F_GETFD) < 0 ? O_WRONLY : O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

int main(int argc, char **argv)
{
    struct error error = {0};
    keep_standard_streams();
    memory_keep_freed();
    gsl_set_error_handler_off();
    interrupt_install();
    /* A closed pipe (| head) ends the program quietly, as users expect; plots
     * check their own pipe. */
    if (isatty(STDERR_FILENO))
        progress_set_stream(stderr);
    if (argc < 2) {
        print_overview(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_overview(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("bandscape %s\n", BANDSCAPE_VERSION);
        return 0;
    }
    int status = run(argc, argv, &error);
    progress_end();
    if (!status && (fflush(stdout) != 0 || ferror(stdout)))
        status = error_errno(&error, "write", "the standard output");
    file_remove_temporaries();
    return status ? print_error(&error) : 0;
}
