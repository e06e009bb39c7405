/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces of NVIDIA GPUs in the format of Accel-Sim: a list (`kernelslist.g`, or
 * `kernelslist` of raw traces), or one kernel's `.traceg` or raw `.trace`, plain or
 * compressed, or `.tracez` of version 2. Opening reads the list and the headers; a kernel's body is
 * read when a stream comes to it. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "trace/readers/accelsim_body.h"
#include "trace/readers/accelsim_header.h"
#include "trace/input/decoder.h"
#include "trace/input/line_reader.h"
#include "trace/input/tracez.h"
#include "trace/reader.h"
#include "trace/input/scan.h"
#include "trace/spool/spooled.h"

struct accelsim_kernel {
    const char *path;
    struct accelsim_header header;
};

struct accelsim_source {
    struct spooled_source spooled;
    struct {
        struct accelsim_kernel *items;
        size_t count, capacity;
    } kernels;
};

static bool accelsim_is_grouped_name(const char *name)
{
    return decoder_ends_in(name, ".traceg");
}

static bool accelsim_is_kernel_name(const char *name)
{
    return accelsim_is_grouped_name(name) || decoder_ends_in(name, ".trace") || tracez_is(name);
}

static bool accelsim_begins(const char *head, size_t size, const char *word)
{
    while (size && (*head == ' ' || *head == '\t' || *head == '\r' || *head == '\n'))
        head++, size--;
    return size >= strlen(word) && memcmp(head, word, strlen(word)) == 0;
}

/* A name in .trace says little: such a file must begin as a raw trace does. */
static bool accelsim_detect(const char *path, const char *head, size_t size)
{
    const char *name = file_base_name(path);
    return strncmp(name, "kernelslist", strlen("kernelslist")) == 0 ||
           accelsim_is_grouped_name(name) || accelsim_begins(head, size, "-kernel name") ||
           accelsim_begins(head, size, "MemcpyHtoD,");
}

/* --- a stream --------------------------------------------------------------- */

static int accelsim_load(const struct spooled_source *source, void *cursor, size_t number,
                         struct spool *spool, struct stream_kernel *out, struct error *error)
{
    const struct accelsim_source *self = (const struct accelsim_source *)source;
    (void)cursor;
    struct line_reader *lines;
    struct accelsim_header header;
    if (number == self->kernels.count)
        return 0;
    const struct accelsim_kernel *kernel = &self->kernels.items[number];
    int status = line_reader_open(kernel->path, &lines, error);
    if (status)
        return status;
    status = accelsim_header_read(lines, NULL, &header, error);
    if (!status) {
        *out = header.launch;
        out->name = kernel->header.launch.name;
        spool_reset(spool, out->warps_per_cta);
        status = accelsim_body_read(lines, &header, spool, out, error);
    }
    status = line_reader_blame(lines, status, error);
    line_reader_close(lines);
    return status < 0 ? status : 1;
}

static void accelsim_fini(struct spooled_source *source)
{
    VECTOR_FREE(&((struct accelsim_source *)source)->kernels);
}

/* --- opening ---------------------------------------------------------------- */

static int accelsim_add_kernel(struct accelsim_source *self, const char *path, struct error *error)
{
    struct arena *arena = self->spooled.source.arena;
    struct accelsim_kernel kernel = {.path = arena_strdup(arena, path)};
    struct line_reader *lines;
    int status = line_reader_open(kernel.path, &lines, error);
    if (status)
        return status;
    status = accelsim_header_read(lines, arena, &kernel.header, error);
    status = line_reader_blame(lines, status, error);
    line_reader_close(lines);
    if (!status)
        VECTOR_PUSH(&self->kernels, kernel);
    return status;
}

/* "0x00007fc841500000,32768" behind "MemcpyHtoD,". */
static int accelsim_add_copy(struct accelsim_source *self, const struct line_reader *lines,
                             const char *at, struct error *error)
{
    struct stream_allocation copy = {.name = ""};
    const char *begin = at;
    at = scan_skip_0x(at);
    if (!scan_hex_digits(&at, &copy.base) || *at++ != ',' ||
        !scan_decimal_digits(&at, &copy.bytes) || !scan_end(at) ||
        copy.base >= TRACE_ADDRESS_LIMIT || copy.bytes > TRACE_ADDRESS_LIMIT - copy.base) {
        return line_reader_error(
            lines, begin, error,
            "expected destination and bytes, such as MemcpyHtoD,0x7fc841500000,32768");
    }
    VECTOR_PUSH(&self->spooled.source.allocations, copy);
    return 0;
}

/* The file of a kernel; `line` is its name relative to the list. */
static int accelsim_list_kernel(struct accelsim_source *self, const char *list,
                                const struct line_reader *lines, const char *line,
                                struct error *error)
{
    struct mark mark = line_reader_mark(lines, line);
    size_t length = strlen(line);
    while (length && scan_is_blank(line[length - 1]))
        length--;
    const char *name = arena_strndup(self->spooled.source.arena, line, length);
    if (!accelsim_is_kernel_name(name)) {
        error_at(error, STATUS_INPUT, &mark, "%s is not a .traceg, .tracez or .trace file", name);
        return error_hint(error,
                          "such files may be compressed: .traceg.xz, .trace.gz, .traceg.zst");
    }
    char *path = file_beside(list, name);
    int status = accelsim_add_kernel(self, path, error);
    if (status)
        error_place(error, &mark);
    free(path);
    return status;
}

static int accelsim_read_list(struct accelsim_source *self, const char *path,
                              struct line_reader *lines, struct error *error)
{
    const char *line;
    int status;
    while ((status = line_reader_next_filled(lines, &line, error)) > 0) {
        status = 0;
        if (scan_word(&line, "MemcpyHtoD,"))
            status = accelsim_add_copy(self, lines, line, error);
        else if (strncmp(line, "kernel", strlen("kernel")) == 0 || strstr(line, ".trace"))
            status = accelsim_list_kernel(self, path, lines, line, error);
        if (status)
            break;
    }
    if (status)
        return status;
    if (self->kernels.count == 0) {
        struct mark mark = {path, 0, 0, NULL};
        error_at(error, STATUS_INPUT, &mark, "the list names no kernel");
        return error_hint(
            error, "a kernelslist.g has a line such as kernel-1.traceg.xz for each launch, a "
                   "kernelslist kernel-1.trace.xz");
    }
    spooled_merge_allocations(&self->spooled.source);
    return 0;
}

static int accelsim_hash(struct accelsim_source *self, const char *list, struct error *error)
{
    struct hash_content *hash = hash_content_begin();
    int status = list ? hash_content_file(hash, list, error) : 0;
    for (size_t i = 0; i < self->kernels.count && !status; i++)
        status = hash_content_file(hash, self->kernels.items[i].path, error);
    hash_content_end(hash, self->spooled.source.hash);
    return status;
}

/* What a person would call it: a kernel's file name, or the folder of a list. */
static char *accelsim_name(const char *path)
{
    const char *base = file_base_name(path);
    struct text name = {0};
    char *whole =
        strncmp(base, "kernelslist", strlen("kernelslist")) == 0 ? realpath(path, NULL) : NULL;
    if (whole) {
        char *folder = file_directory(whole);
        if (strcmp(file_base_name(folder), "traces") == 0) {
            char *above = file_directory(folder);
            free(folder);
            folder = above;
        }
        text_append(&name, file_base_name(folder));
        free(folder);
        free(whole);
        if (name.length)
            return name.data;
    }
    text_append_bytes(&name, base, strcspn(base, "."));
    return name.data;
}

static int accelsim_open(const char *path, struct source **out, struct error *error)
{
    static const struct spooled_class spooled = {
        .load = accelsim_load, .fini = accelsim_fini, .tells_waits = true, .has_idle_ctas = true};
    struct line_reader *lines;
    const char *head;
    size_t size;
    *out = NULL;
    int status = line_reader_open(path, &lines, error);
    if (status)
        return status;
    struct accelsim_source *self = memory_zero(1, sizeof *self);
    char *name = accelsim_name(path);
    spooled_source_init(&self->spooled, &spooled, name, path);
    free(name);
    status = line_reader_head(lines, &head, &size, error);
    bool list = !status && !accelsim_is_kernel_name(path) && !accelsim_begins(head, size, "-");
    if (!status)
        status = list ? accelsim_read_list(self, path, lines, error)
                      : accelsim_add_kernel(self, path, error);
    line_reader_close(lines);
    if (!status)
        status = accelsim_hash(self, list ? path : NULL, error);
    return spooled_opened(&self->spooled, status, out);
}

const struct reader reader_accelsim = {
    .plugin = {.kind = "reader",
               .name = "accelsim",
               .summary =
                   "Accel-Sim traces of NVIDIA GPUs: kernelslist.g, .traceg, .tracez, raw .trace",
               .reference = "Khairy et al., Accel-Sim, ISCA 2020"},
    .detect = accelsim_detect,
    .open = accelsim_open,
};
