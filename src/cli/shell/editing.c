/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BANDSCAPE_READLINE is set where the Makefile found readline 8 or later: it is all that this file
 * needs to know of it. Readline has one state a process, and so has this file. */
#include "cli/shell/editing.h"

#ifndef BANDSCAPE_READLINE

const char *editing_name(void)
{
    return "none";
}

bool editing_reads(void)
{
    return false;
}

void editing_open(lines_complete *complete, void *context)
{
    (void)complete;
    (void)context;
}

void editing_close(void)
{
}

int editing_read(const char *prompt, char **line, struct error *error)
{
    (void)prompt;
    *line = NULL;
    return error_set(error, STATUS_FAILED, "lines cannot be edited");
}

#else

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "core/file.h"
#include "core/parallel.h"

enum { HISTORY_KEPT = 1000, TICK_MS = 100 };

struct offers {
    char **items; /* of malloc: readline frees them */
    size_t count, capacity;
};

static struct {
    lines_complete *complete;
    void *context;
    struct offers offers; /* of the word that is being completed */
    size_t next;
    char *history; /* file; NULL: nowhere */
    locale_t locale;
} editing;

const char *editing_name(void)
{
    static char name[32];
    snprintf(name, sizeof name, "readline %s", rl_library_version);
    return name;
}

bool editing_reads(void)
{
    return true;
}

/* --- completion ---------------------------------------------------------------------- */

static void keep_offer(void *context, const char *word)
{
    struct offers *offers = context;
    VECTOR_PUSH(offers, memory_strdup(word));
}

/* Readline asks for one after the other. */
static char *next_offer(const char *text, int state)
{
    (void)text;
    if (state == 0)
        editing.next = 0;
    return editing.next < editing.offers.count ? editing.offers.items[editing.next++] : NULL;
}

static char **complete(const char *text, int start, int end)
{
    (void)start;
    editing.offers = (struct offers){0};
    bool files =
        editing.complete(editing.context, rl_line_buffer, (size_t)end, keep_offer, &editing.offers);
    size_t n = editing.offers.count;
    rl_attempted_completion_over = !files;
    /* Behind "PATH=" a value follows at once. */
    if (n == 1 && editing.offers.items[0][0] &&
        editing.offers.items[0][strlen(editing.offers.items[0]) - 1] == '=')
        rl_completion_append_character = '\0';
    char **matches = n ? rl_completion_matches(text, next_offer) : NULL;
    VECTOR_FREE(&editing.offers);
    return matches;
}

/* --- history --------------------------------------------------------------------------- */

/* The file of earlier sessions; NULL where there is no folder for it. */
static char *history_path(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct text path = {0};
    struct error ignored;
    if (state && state[0] == '/')
        text_printf(&path, "%s/bandscape", state);
    else if (home && home[0])
        text_printf(&path, "%s/.local/state/bandscape", home);
    else
        return NULL;
    int status = file_make_directory(path.data, &ignored);
    text_append(&path, "/history");
    if (!status)
        return path.data;
    text_free(&path);
    return NULL;
}

static void open_history(void)
{
    editing.history = history_path();
    using_history();
    stifle_history(HISTORY_KEPT);
    if (!editing.history)
        return;
    if (!file_exists(editing.history)) {
        FILE *fresh = fopen(editing.history, "a");
        if (fresh)
            fclose(fresh);
    }
    history_truncate_file(editing.history, HISTORY_KEPT);
    read_history(editing.history);
}

/* Blank lines and what is said twice running are not kept. */
static void remember(const char *line)
{
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (!line[strspn(line, " \t")] || (last && strcmp(last->line, line) == 0))
        return;
    add_history(line);
    if (editing.history)
        append_history(1, editing.history); /* what cannot be written is not missed */
}

/* --- reading --------------------------------------------------------------------------- */

/* A key. Ctrl-C, which readline has seen by then, ends the line. */
static int read_key(FILE *stream)
{
    unsigned char key;
    for (;;) {
        struct pollfd wait = {.fd = fileno(stream), .events = POLLIN};
        int ready = poll(&wait, 1, TICK_MS);
        rl_check_signals();
        if (interrupt_requested()) {
            rl_replace_line("", 0);
            return '\n';
        }
        ssize_t got = ready > 0 ? read(fileno(stream), &key, 1) : -2;
        if (got == 1)
            return key;
        if (got == 0 || (got == -1 && errno != EINTR))
            return EOF;
    }
}

void editing_open(lines_complete *completion, void *context)
{
    editing.complete = completion;
    editing.context = context;
    rl_readline_name = "bandscape";
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = " \t\n;";
    rl_completer_quote_characters = "\"'";
    rl_getc_function = read_key;
    editing.locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    open_history();
}

void editing_close(void)
{
    free(editing.history);
    editing.history = NULL;
    clear_history();
    if (editing.locale)
        freelocale(editing.locale);
    editing.locale = (locale_t)0;
}

/* Characters are those of the user's locale while a line is typed; the program's own is "C". */
int editing_read(const char *prompt, char **line, struct error *error)
{
    locale_t before = editing.locale ? uselocale(editing.locale) : (locale_t)0;
    *line = readline(prompt);
    if (before)
        uselocale(before);
    if (interrupt_requested()) {
        free(*line);
        *line = NULL;
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    }
    if (*line)
        remember(*line);
    return 0;
}

#endif
