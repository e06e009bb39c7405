/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shell/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/shell/editing.h"
#include "core/file.h"
#include "core/parallel.h"

enum { PIECE = 4096, LINE_MAX_BYTES = 1 << 20, TICK_MS = 100 };

const char *lines_editing(void)
{
    return editing_name();
}

void lines_open_terminal(struct lines *lines, lines_complete *complete, void *context)
{
    *lines = (struct lines){.file = STDIN_FILENO, .prompts = true};
    editing_open(complete, context);
}

int lines_open_file(struct lines *lines, const char *path, struct error *error)
{
    *lines = (struct lines){.file = STDIN_FILENO};
    if (strcmp(path, "-") == 0)
        return 0;
    if (file_is_directory(path))
        return error_set(error, STATUS_INPUT, "%s is a folder", path);
    lines->file = open(path, O_RDONLY | O_CLOEXEC);
    return lines->file < 0 ? error_errno(error, "read", path) : 0;
}

void lines_open_text(struct lines *lines, const char *text)
{
    *lines = (struct lines){.file = -1, .ended = true};
    text_append(&lines->rest, text);
}

void lines_close(struct lines *lines)
{
    if (lines->prompts)
        editing_close();
    if (lines->file > STDIN_FILENO)
        close(lines->file);
    text_free(&lines->rest);
}

/* More of the file, as it comes; it is waited for in ticks, so that Ctrl-C is seen. */
static int read_more(struct lines *lines, struct error *error)
{
    char piece[PIECE];
    struct pollfd wait = {.fd = lines->file, .events = POLLIN};
    int ready = 0;
    ssize_t got;
    while (!ready) {
        if (interrupt_requested())
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        ready = poll(&wait, 1, TICK_MS);
        ready = ready < 0 && errno == EINTR ? 0 : ready;
    }
    do
        got = read(lines->file, piece, sizeof piece);
    while (got < 0 && errno == EINTR && !interrupt_requested());
    if (got < 0)
        return error_errno(error, "read", "the script");
    if (memchr(piece, 0, (size_t)got))
        return error_set(error, STATUS_INPUT, "this is no text: it has a byte 0");
    lines->ended = got == 0;
    text_append_bytes(&lines->rest, piece, (size_t)got);
    return 0;
}

static int read_plain(struct lines *lines, char **line, struct error *error)
{
    int status = 0;
    const char *end = NULL;
    if (lines->at > LINE_MAX_BYTES) { /* what is done goes */
        lines->rest.length -= lines->at;
        memmove(lines->rest.data, lines->rest.data + lines->at, lines->rest.length + 1);
        lines->at = 0;
    }
    text_append(&lines->rest, "");
    while (!(end = strchr(lines->rest.data + lines->at, '\n')) && !lines->ended && !status) {
        if (lines->rest.length - lines->at > LINE_MAX_BYTES)
            status = error_set(error, STATUS_INPUT, "a line is longer than 1 MiB");
        else
            status = read_more(lines, error);
    }
    const char *begin = lines->rest.data + lines->at;
    size_t length = end ? (size_t)(end - begin) : strlen(begin);
    if (status || (!end && length == 0))
        return status;
    *line = memory_alloc(length + 1);
    memcpy(*line, begin, length);
    (*line)[length] = '\0';
    lines->at += length + (end != NULL);
    return 0;
}

int lines_read(struct lines *lines, const char *prompt, char **line, struct error *error)
{
    *line = NULL;
    if (lines->prompts && editing_reads())
        return editing_read(prompt, line, error);
    if (lines->prompts) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    int status = read_plain(lines, line, error);
    if (status == STATUS_INTERRUPTED && lines->prompts)
        fputs("\n", stdout);
    return status;
}
