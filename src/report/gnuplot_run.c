/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gnuplot process: no shell, no names of files in the script, and a broken
 * pipe is an error like any other. */
#include "report/gnuplot_run.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "report/utf8.h"

extern char **environ;

static const char *const environment[] = {"LC_ALL=C", "TZ=UTC0"}; /* numbers and dates */

/* The environment with these two in it; the array alone is to be freed. */
static char **gnuplot_environment(void)
{
    size_t count = 0, own = sizeof environment / sizeof *environment, used = 0;
    while (environ[count])
        count++;
    char **copy = memory_alloc((count + own + 1) * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "LC_", 3) != 0 && strncmp(environ[i], "TZ=", 3) != 0 &&
            strncmp(environ[i], "GNUTERM=", 8) != 0)
            copy[used++] = environ[i];
    for (size_t i = 0; i < own; i++)
        copy[used++] = (char *)(size_t)environment[i]; /* only read */
    copy[used] = NULL;
    return copy;
}

static int gnuplot_missing(const char *reason, struct error *error)
{
    error_set(error, STATUS_FAILED, "cannot start gnuplot: %s", reason);
    error_hint(error, "`make deps` installs gnuplot");
    return STATUS_FAILED;
}

/* Starts gnuplot with its three streams; *input is our end of the pipe. */
static int gnuplot_start(int out, int log, pid_t *process, int *input, struct error *error)
{
    /* -d: no start-up files, so that pictures do not depend on them. */
    char *const arguments[] = {(char[]){"gnuplot"}, (char[]){"-d"}, NULL};
    int ends[2];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    if (pipe(ends) != 0)
        return error_errno(error, "make", "a pipe to gnuplot");
    char **variables = gnuplot_environment();
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, log, 2);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    posix_spawnattr_setsigmask(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int reason = posix_spawnp(process, "gnuplot", &actions, &attributes, arguments, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(variables);
    close(ends[0]);
    *input = ends[1];
    if (reason == 0)
        return 0;
    close(ends[1]);
    return gnuplot_missing(strerror(reason), error);
}

/* Writes everything, or until the other end is gone. SIGPIPE is held back for
 * this thread alone and taken off again. */
static void gnuplot_feed(int input, const struct text *script)
{
    sigset_t pipe_signal, old, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &old);
    for (size_t done = 0; done < script->length;) {
        ssize_t written = write(input, script->data + done, script->length - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            int taken;
            sigpending(&pending);
            if (errno == EPIPE && sigismember(&pending, SIGPIPE))
                sigwait(&pipe_signal, &taken);
            break;
        }
        done += (size_t)written;
    }
    close(input);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* What gnuplot said, in one line. */
static void gnuplot_complaint(FILE *log, char *line, size_t size)
{
    rewind(log);
    size_t length = fread(line, 1, size - 1, log), kept = 0;
    for (size_t i = 0; i < length; i++) {
        bool blank = (unsigned char)line[i] <= ' ';
        if (!blank || (kept > 0 && line[kept - 1] != ' '))
            line[kept++] = blank ? ' ' : line[i];
    }
    line[kept] = '\0';
}

static int gnuplot_read(FILE *stream, struct text *picture, struct error *error)
{
    char buffer[1 << 14];
    rewind(stream);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, stream)) > 0;)
        text_append_bytes(picture, buffer, n);
    return ferror(stream) ? error_errno(error, "read", "the picture") : 0;
}

static int gnuplot_draw(const struct text *script, FILE *out, FILE *log, struct text *picture,
                        struct error *error)
{
    pid_t process = 0;
    int input = -1, state = 0;
    char complaint[400];
    int status = gnuplot_start(fileno(out), fileno(log), &process, &input, error);
    if (status)
        return status;
    gnuplot_feed(input, script);
    while (waitpid(process, &state, 0) < 0 && errno == EINTR)
        ;
    if ((status = gnuplot_read(out, picture, error)))
        return status;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0 && picture->length > 0)
        return 0;
    gnuplot_complaint(log, complaint, sizeof complaint);
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127 && !complaint[0])
        return gnuplot_missing("not found", error); /* noticed only by the new process */
    error_set(error, STATUS_FAILED, "gnuplot made no picture%s%s", complaint[0] ? ": " : "",
              complaint);
    if (strstr(complaint, "terminal"))
        error_hint(error, "this gnuplot may lack the terminal: try svg");
    return STATUS_FAILED;
}

/* Cairo writes the date into a PDF: its digits become those of the epoch, which
 * leaves all offsets as they are. */
static void pdf_undate(struct text *picture)
{
    static const char key[] = "/CreationDate (D:", date[] = "19700101000000";
    size_t length = sizeof key - 1 + sizeof date - 1;
    for (size_t i = 0; i + length <= picture->length; i++)
        if (memcmp(picture->data + i, key, sizeof key - 1) == 0)
            memcpy(picture->data + i + sizeof key - 1, date, sizeof date - 1);
}

/* Of a picture in characters: no form feeds, no blanks at the ends of lines, no
 * empty lines around it. */
static void characters_trim(struct text *picture)
{
    struct text kept = {0};
    const char *end = picture->data + picture->length;
    for (const char *line = picture->data; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const char *next = stop ? stop + 1 : end;
        line += strspn(line, "\f");
        size_t length = (size_t)((stop ? stop : end) - line);
        while (length > 0 && line[length - 1] == ' ')
            length--;
        text_append_bytes(&kept, line, length);
        if (kept.length > 0)
            text_append(&kept, "\n");
        line = next;
    }
    while (kept.length > 1 && kept.data[kept.length - 2] == '\n')
        kept.data[--kept.length] = '\0';
    text_free(picture);
    *picture = kept;
}

/* Gnuplot does not notice that its output does not fit on the disk: what begins as a picture must
 * end as one. */
static int picture_check(const struct text *picture, struct error *error)
{
    static const struct {
        const char *begin, *end;
        size_t end_bytes;
    } forms[] = {
        {"<?xml", "</svg>", 6}, {"\x89PNG", "IEND\xae\x42\x60\x82", 8}, {"%PDF", "%%EOF", 5}};
    size_t length = picture->length;
    while (length > 0 && picture->data[length - 1] == '\n')
        length--;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strncmp(picture->data, forms[i].begin, strlen(forms[i].begin)) == 0 &&
            (length < forms[i].end_bytes || memcmp(picture->data + length - forms[i].end_bytes,
                                                   forms[i].end, forms[i].end_bytes) != 0)) {
            error_set(error, STATUS_IO, "gnuplot's picture is not whole");
            error_hint(error, "the disk of temporary files may be full");
            return STATUS_IO;
        }
    return 0;
}

static int gnuplot_place(const char *path, const struct text *picture, struct error *error)
{
    char *folder = file_directory(path);
    int status = file_make_directory(folder, error);
    free(folder);
    return status ? status : file_write(path, picture->data, picture->length, error);
}

int gnuplot_run(const struct plot_output *output, const struct text *script, struct error *error)
{
    struct text picture = {0};
    FILE *out = tmpfile(), *log = tmpfile();
    int status = out && log ? gnuplot_draw(script, out, log, &picture, error)
                            : error_errno(error, "create", "a temporary file");
    if (out)
        fclose(out);
    if (log)
        fclose(log);
    if (!status)
        status = picture_check(&picture, error);
    if (!status && output->terminal == PLOT_PDF)
        pdf_undate(&picture);
    else if (!status && output->terminal == PLOT_DUMB)
        characters_trim(&picture);
    if (!status && output->path)
        status = gnuplot_place(output->path, &picture, error);
    else if (!status)
        text_append_bytes(output->text, picture.data, picture.length);
    text_free(&picture);
    return status;
}

void gnuplot_quote(struct text *script, const char *text, size_t most)
{
    size_t count, bytes = utf8_prefix(text, most ? most : SIZE_MAX, &count);
    bool cut = text[bytes] != '\0';
    if (cut)
        bytes = utf8_prefix(text, most - 1, &count);
    text_append(script, "'");
    for (size_t i = 0, length; i < bytes; i += length) {
        length = utf8_length(text + i);
        if (length == 0) {
            length = 1;
            text_append(script, "?");
        } else if ((unsigned char)text[i] < ' ' || text[i] == 127) {
            text_append(script, " ");
        } else if (text[i] == '\'') {
            text_append(script, "''");
        } else {
            text_append_bytes(script, text + i, length);
        }
    }
    text_append(script, cut ? "\xe2\x80\xa6'" : "'");
}
