/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/pager.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "core/memory.h"

static bool refused;

int pager_take_option(int count, char **words)
{
    int kept = 0, i = 0;
    refused = false;
    for (; i < count && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--no-pager") == 0)
            refused = true;
        else
            words[kept++] = words[i];
    while (i < count)
        words[kept++] = words[i++];
    return kept;
}

static bool is_longer(const char *text)
{
    struct winsize size;
    unsigned lines = 1; /* the prompt's */
    if (!terminal_capable(stdout) || !isatty(STDIN_FILENO) ||
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
        return false;
    for (const char *c = text; *c && lines <= size.ws_row; c++)
        lines += *c == '\n';
    return lines > size.ws_row;
}

/* The shell is what knows a program by its name; 127: there is none. Meanwhile Ctrl-C is the
 * pager's, and a reader who has seen enough ends nothing. */
static bool pass(const char *pager, const char *text)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, pipe;
    struct text line = {0};
    int status = -1;
    text_printf(&line, "LESS=${LESS-FRX}; export LESS; %s", pager);
    fflush(stdout);
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGPIPE, &ignore, &pipe);
    FILE *stream = popen(line.data, "w");
    if (stream) {
        fputs(text, stream);
        status = pclose(stream);
    }
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGPIPE, &pipe, NULL);
    text_free(&line);
    return status >= 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
}

void pager_show(const char *text)
{
    const char *pager = getenv("PAGER");
    if (!pager)
        pager = "less 2>/dev/null";
    if (refused || !*pager || strcmp(pager, "cat") == 0 || !is_longer(text) || !pass(pager, text))
        fputs(text, stdout);
}
