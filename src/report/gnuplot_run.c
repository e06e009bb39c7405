/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gnuplot process: no shell, no names of files in the script, and a broken
 * pipe is an error like any other. */
#include "report/gnuplot_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
#include "core/parallel.h"
#include "core/progress.h"
#include "report/utf8.h"

extern char **environ;

static int gnuplot_missing(const char *reason, struct error *error)
{
    error_set(error, STATUS_NO_PICTURE, "cannot start gnuplot: %s", reason);
    error_hint(error, "`make deps` installs gnuplot");
    return STATUS_NO_PICTURE;
}

/* --- the process ------------------------------------------------------------------ */

/* gnuplot and our ends of its three streams; -1: closed. It leads a process group, so that
 * whatever it starts ends with it. */
struct gnuplot {
    pid_t process;
    int ends[3];
};

static void gnuplot_close(struct gnuplot *gnuplot, int stream)
{
    if (gnuplot->ends[stream] >= 0)
        close(gnuplot->ends[stream]);
    gnuplot->ends[stream] = -1;
}

/* Three pipes: its ends in theirs[], ours without waiting. */
static int gnuplot_pipes(struct gnuplot *gnuplot, int theirs[3], struct error *error)
{
    for (int i = 0; i < 3; i++)
        gnuplot->ends[i] = theirs[i] = -1;
    for (int i = 0; i < 3; i++) {
        int ends[2];
        if (pipe(ends) != 0)
            return error_errno(error, "make", "a pipe to gnuplot");
        gnuplot->ends[i] = ends[i == 0];
        theirs[i] = ends[i != 0];
        fcntl(gnuplot->ends[i], F_SETFL, O_NONBLOCK);
        fcntl(gnuplot->ends[i], F_SETFD, FD_CLOEXEC);
    }
    return 0;
}

static int gnuplot_spawn(struct gnuplot *gnuplot, const int theirs[3], struct error *error)
{
    /* Pictures depend neither on how numbers and dates are written here, nor (-d) on start-up
     * files. */
    char *const arguments[] = {
        (char[]){"env"},     (char[]){"-u"},      (char[]){"GNUTERM"}, (char[]){"LC_ALL=C"},
        (char[]){"TZ=UTC0"}, (char[]){"gnuplot"}, (char[]){"-d"},      NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_addclose(&actions, theirs[i]);
    posix_spawnattr_init(&attributes);
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    int reason = posix_spawnp(&gnuplot->process, "env", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return reason ? gnuplot_missing(strerror(reason), error) : 0;
}

static int gnuplot_start(struct gnuplot *gnuplot, struct error *error)
{
    int theirs[3];
    int status = gnuplot_pipes(gnuplot, theirs, error);
    if (!status)
        status = gnuplot_spawn(gnuplot, theirs, error);
    for (int i = 0; i < 3; i++) {
        if (theirs[i] >= 0)
            close(theirs[i]);
        if (status)
            gnuplot_close(gnuplot, i);
    }
    return status;
}

/* Whether it has ended, without taking note of it: its number stays its own. */
static bool gnuplot_ended(const struct gnuplot *gnuplot)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)gnuplot->process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
}

/* What is left of the group is killed; returns how gnuplot ended. */
static int gnuplot_reap(struct gnuplot *gnuplot)
{
    int state = 0;
    for (int i = 0; i < 3; i++)
        gnuplot_close(gnuplot, i);
    kill(-gnuplot->process, SIGKILL);
    while (waitpid(gnuplot->process, &state, 0) < 0 && errno == EINTR)
        ;
    return state;
}

/* --- the talk --------------------------------------------------------------------- */

/* It may be silent for so long, and as much longer as its script takes at that rate; and may
 * write so much, and so many times its script. A point is some 20 bytes of a script, 100 of a
 * picture. */
enum { SILENT_S = 30, SCRIPT_BYTES_A_S = 100000, PICTURE_BYTES = 64 << 20, PICTURE_SCRIPTS = 64 };
enum { COMPLAINT_BYTES = 4096, TICK_MS = 100 };

struct talk {
    struct gnuplot gnuplot;
    const struct text *script;
    size_t sent, received;
    struct text *picture, complaint;
    double silent_s, heard; /* most silence; when it last took or gave something */
};

/* The script, as much as the pipe takes. A gnuplot that does not want it is judged by its end. */
static void talk_send(struct talk *talk)
{
    int *end = &talk->gnuplot.ends[0];
    while (*end >= 0 && talk->sent < talk->script->length) {
        ssize_t n = write(*end, talk->script->data + talk->sent, talk->script->length - talk->sent);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n < 0)
            break;
        talk->sent += (size_t)n;
        talk->heard = clock_seconds();
    }
    gnuplot_close(&talk->gnuplot, 0);
}

/* A piece of the picture (stream 1) or of complaints (2), of which the first are kept. Returns
 * whether there was one. */
static bool talk_receive(struct talk *talk, int stream)
{
    char buffer[1 << 14];
    int end = talk->gnuplot.ends[stream];
    ssize_t n = end < 0 ? 0 : read(end, buffer, sizeof buffer);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return false;
    if (n <= 0) {
        gnuplot_close(&talk->gnuplot, stream);
        return false;
    }
    talk->heard = clock_seconds();
    talk->received += (size_t)n;
    if (stream == 1)
        text_append_bytes(talk->picture, buffer, (size_t)n);
    else if (talk->complaint.length < COMPLAINT_BYTES)
        text_append_bytes(&talk->complaint, buffer, (size_t)n);
    return true;
}

/* Waits for something to do; at most a tick. */
static void talk_wait(struct talk *talk)
{
    struct pollfd polls[3];
    const int *ends = talk->gnuplot.ends;
    for (int i = 0; i < 3; i++) /* poll passes over what is -1 */
        polls[i] = (struct pollfd){.fd = ends[i], .events = i == 0 ? POLLOUT : POLLIN};
    bool open = ends[1] >= 0 || ends[2] >= 0;
    poll(polls, 3, open ? TICK_MS : 1); /* both closed: about to end */
}

static int talk_check(const struct talk *talk, struct error *error)
{
    if (interrupt_requested())
        return interrupt_check(error);
    if (talk->received > PICTURE_BYTES + PICTURE_SCRIPTS * talk->script->length)
        return error_set(error, STATUS_NO_PICTURE, "gnuplot was ended: it wrote %zu MiB and more",
                         talk->received >> 20);
    if (clock_seconds() - talk->heard > talk->silent_s)
        return error_set(error, STATUS_NO_PICTURE, "gnuplot was ended: it did nothing for %.0f s",
                         talk->silent_s);
    return 0;
}

/* Until it has ended and nothing it wrote is left in the pipes, or it was enough. */
static int talk_run(struct talk *talk, struct error *error)
{
    for (;;) {
        bool ended = gnuplot_ended(&talk->gnuplot);
        talk_send(talk);
        bool more = talk_receive(talk, 1);
        more = talk_receive(talk, 2) || more;
        int status = talk_check(talk, error);
        if (status || (ended && !more))
            return status;
        if (!more)
            talk_wait(talk);
    }
}

/* The first complaint, in one line. */
static void talk_complaint(const struct talk *talk, char *line, size_t size)
{
    size_t kept = 0;
    for (size_t i = 0; i < talk->complaint.length && kept + 1 < size; i++) {
        char c = talk->complaint.data[i];
        bool blank = (unsigned char)c <= ' ';
        if (!blank || (kept > 0 && line[kept - 1] != ' '))
            line[kept++] = blank ? ' ' : c;
    }
    line[kept] = '\0';
}

static int talk_judge(const struct talk *talk, int state, struct error *error)
{
    char complaint[400];
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0 && talk->picture->length > 0)
        return 0;
    talk_complaint(talk, complaint, sizeof complaint);
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127) /* env has not found it */
        return gnuplot_missing(strerror(ENOENT), error);
    error_set(error, STATUS_NO_PICTURE, "gnuplot made no picture%s%s", complaint[0] ? ": " : "",
              complaint);
    if (strstr(complaint, "terminal"))
        error_hint(error, "this gnuplot may lack the terminal: try svg");
    return STATUS_NO_PICTURE;
}

static int gnuplot_draw(const struct plot_output *output, const struct text *script,
                        struct text *picture, struct error *error)
{
    struct talk talk = {.script = script, .picture = picture, .heard = clock_seconds()};
    talk.silent_s = output->silent_s > 0 ? output->silent_s : SILENT_S;
    talk.silent_s += (double)script->length / SCRIPT_BYTES_A_S;
    /* A pipe whose other end is gone is no end of ours: SIGPIPE is held back for this thread
     * alone and taken off again. */
    sigset_t pipe_signal, old, pending;
    int taken;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    int status = gnuplot_start(&talk.gnuplot, error);
    if (status)
        return status;
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &old);
    status = talk_run(&talk, error);
    sigpending(&pending);
    if (sigismember(&pending, SIGPIPE) && !sigismember(&old, SIGPIPE))
        sigwait(&pipe_signal, &taken);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    int state = gnuplot_reap(&talk.gnuplot);
    if (!status)
        status = talk_judge(&talk, state, error);
    text_free(&talk.complaint);
    return status;
}

/* --- the picture ------------------------------------------------------------------ */

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

/* Of PostScript the comment with the date, of TikZ the line of one, go. */
static void text_undate(struct text *picture, const char *before, bool next)
{
    char *line = strstr(picture->data, before);
    if (line && next)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    char *end = line ? strchr(line, '\n') : NULL;
    if (!end)
        return;
    memmove(line, end + 1, picture->length - (size_t)(end + 1 - picture->data) + 1);
    picture->length -= (size_t)(end + 1 - line);
}

static void picture_undate(enum plot_terminal terminal, struct text *picture)
{
    if (terminal == PLOT_PDF)
        pdf_undate(picture);
    else if (terminal == PLOT_EPS)
        text_undate(picture, "%%CreationDate:", false);
    else if (terminal == PLOT_TEX)
        text_undate(picture, "%% generated with GNUPLOT", true);
}

/* Of a picture in characters: no form feeds, no blanks at the ends of lines, no
 * empty lines around it. */
static void characters_trim(struct text *picture)
{
    size_t kept = 0;
    char *next = picture->data;
    for (char *line; (line = next) != NULL;) {
        if ((next = strchr(line, '\n')) != NULL)
            *next++ = '\0';
        line += strspn(line, "\f");
        size_t length = strlen(line);
        while (length > 0 && line[length - 1] == ' ')
            length--;
        memmove(picture->data + kept, line, length);
        kept += length;
        if (kept > 0)
            picture->data[kept++] = '\n';
    }
    while (kept > 1 && picture->data[kept - 2] == '\n')
        kept--;
    picture->data[picture->length = kept] = '\0';
}

/* Gnuplot does not notice that its output does not fit on the disk: what begins as a picture must
 * end as one. */
static int picture_check(const struct text *picture, struct error *error)
{
    static const struct {
        const char *begin, *end;
        size_t end_bytes;
    } forms[] = {{"<?xml", "</svg>", 6},
                 {"\x89PNG", "IEND\xae\x42\x60\x82", 8},
                 {"%PDF", "%%EOF", 5},
                 {"%!PS", "%%EOF", 5},
                 {"\\begin{tikz", "%% gnuplot variables", 20}};
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
    int status = gnuplot_draw(output, script, &picture, error);
    if (!status)
        status = picture_check(&picture, error);
    if (!status)
        picture_undate(output->terminal, &picture);
    if (!status && output->terminal == PLOT_DUMB)
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
