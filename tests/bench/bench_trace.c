/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warp accesses a second that are read from the binary form of a trace on one
 * core, into the spool and out of it again, against the text form of the same
 * trace: strided accesses (stream) and address lists (bfs). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench_stream.h"
#include "core/progress.h"
#include "trace/binary_format.h"
#include "trace/text_format.h"
#include "workload/workload.h"

/* Opening counts too: it looks at the whole file. */
static int read_trace(const char *path, uint64_t *count, double *seconds, struct error *error)
{
    struct source *source;
    double start = clock_seconds();
    int status = source_open_trace(path, &source, error);
    if (status)
        return status;
    status = bench_read_source(source, UINT64_MAX, count, error);
    *seconds = clock_seconds() - start;
    source_destroy(source);
    return status;
}

static int write_trace(const char *spec, const char *path, bool binary, struct error *error)
{
    struct source *source;
    int status = source_open(spec, &source, error);
    if (status)
        return status;
    FILE *file = fopen(path, "wb");
    if (!file)
        status = error_errno(error, "create", path);
    else
        status = (binary ? trace_write_binary : trace_write_text)(source, file, error);
    if (file && fclose(file) != 0 && !status)
        status = error_errno(error, "write", path);
    source_destroy(source);
    return status;
}

static int measure(const char *spec, struct error *error)
{
    double rates[2] = {0, 0}, sizes[2] = {0, 0};
    int status = 0;
    for (int binary = 0; binary < 2 && !status; binary++) {
        struct stat info;
        double seconds = 0, best = HUGE_VAL;
        uint64_t count = 0;
        struct text path = {0};
        const char *folder = getenv("TMPDIR");
        text_printf(&path, "%s/bandscape-bench-%ld%s", folder && *folder ? folder : "/tmp",
                    (long)getpid(), binary ? BINARY_FORMAT_SUFFIX : TEXT_FORMAT_SUFFIX);
        status = write_trace(spec, path.data, binary, error);
        for (int round = 0; round < 3 && !status; round++) {
            status = read_trace(path.data, &count, &seconds, error);
            best = seconds < best ? seconds : best;
        }
        rates[binary] = (double)count / best / 1e6;
        if (!status && stat(path.data, &info) == 0)
            sizes[binary] = (double)info.st_size / (double)count;
        unlink(path.data);
        text_free(&path);
    }
    if (!status)
        printf("%-14s text %5.1f B/access %6.2f M/s   binary %5.1f B/access %6.1f M/s   x %.1f\n",
               spec, sizes[0], rates[0], sizes[1], rates[1], rates[1] / rates[0]);
    return status;
}

int main(void)
{
    struct error error;
    char text[4096];
    int status = measure("stream", &error);
    if (!status)
        status = measure("bfs", &error);
    if (!status)
        return 0;
    error_format(&error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}
