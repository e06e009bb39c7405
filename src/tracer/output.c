/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the file of a traced program. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    int file;        /* -1: none */
    uint64_t offset; /* in the file */
    char path[4096];
    pthread_mutex_t lock; /* of the file, between blocks */
} output = {.file = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

static void output_abandon(void)
{
    if (output.file >= 0)
        close(output.file);
    output.file = -1;
}

static void output_fail(const char *what)
{
    fprintf(stderr, "bandscape-trace: cannot %s %s: %s; no more is traced\n", what, output.path,
            strerror(errno));
    output_abandon();
}

static void output_write(const uint8_t *data, size_t size)
{
    while (size > 0 && output.file >= 0) {
        ssize_t n = write(output.file, data, size);
        if (n < 0 && errno != EINTR)
            output_fail("write");
        if (n > 0) {
            data += n;
            size -= (size_t)n;
            output.offset += (uint64_t)n;
        }
    }
}

/* Another trace may be overwritten, but nothing else. */
static bool output_is_free(void)
{
    uint8_t head[8];
    struct stat info;
    if (fstat(output.file, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    ssize_t n = read(output.file, head, sizeof head);
    return n == 0 || (n == sizeof head && memcmp(head, BINARY_FORMAT_MAGIC, sizeof head) == 0);
}

void output_open(void)
{
    uint8_t header[BINARY_FILE_HEADER];
    const char *given = getenv("BANDSCAPE_TRACE_FILE");
    bool named = given && *given;
    snprintf(output.path, sizeof output.path, "%s%s", named ? given : program_invocation_short_name,
             named ? "" : BINARY_FORMAT_SUFFIX);
    output.file = open(output.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (output.file < 0) {
        output_fail("create");
    } else if (!output_is_free()) {
        fprintf(stderr,
                "bandscape-trace: %s exists and is no trace: it is not overwritten, and nothing is "
                "traced\n",
                output.path);
        output_abandon();
    } else if (ftruncate(output.file, 0) != 0 || lseek(output.file, 0, SEEK_SET) != 0) {
        output_fail("empty");
    } else {
        binary_file_header(header);
        output_write(header, sizeof header);
    }
}

bool output_is_open(void)
{
    return output.file >= 0;
}

const char *output_path(void)
{
    return output.path;
}

void output_block(struct binary_block *block)
{
    pthread_mutex_lock(&output.lock);
    binary_block_end(block, output.offset);
    output_write(block->data, block->size);
    pthread_mutex_unlock(&output.lock);
}

bool output_close(void)
{
    int file = output.file;
    output.file = -1;
    if (file >= 0 && close(file) != 0) {
        output_fail("write");
        return false;
    }
    return file >= 0;
}

void output_forked(void)
{
    pthread_mutex_init(&output.lock, NULL);
    output_abandon();
}
