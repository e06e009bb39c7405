/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The project's own text form: see trace/text_format.h. Opening reads what
 * stands before the first kernel. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "trace/reader.h"
#include "trace/spool/spooled.h"
#include "trace/readers/text_fields.h"
#include "trace/text_format.h"
#include "trace/readers/text_kernel.h"

/* Kernel names live as long as the source, but are met when a stream comes to
 * them: whoever is first enters the name. */
struct text_names {
    pthread_mutex_t lock;
    struct arena *arena;
    const char **items;
    size_t count, capacity;
};

struct text_source {
    struct spooled_source spooled;
    struct text_names *names;
};

struct text_cursor {
    struct line_reader *lines;
    struct text name;
};

static bool text_detect(const char *path, const char *head, size_t size)
{
    const char *end = head + size;
    if (file_ends_in(path, TEXT_FORMAT_SUFFIX))
        return true;
    while (head < end &&
           (*head == ' ' || *head == '\t' || *head == '\r' || *head == '\n' || *head == '#')) {
        if (*head == '#')
            while (head < end && *head != '\n')
                head++;
        head += head < end;
    }
    return (size_t)(end - head) >= strlen(TEXT_FORMAT_MAGIC) &&
           memcmp(head, TEXT_FORMAT_MAGIC, strlen(TEXT_FORMAT_MAGIC)) == 0;
}

/* --- whole files ------------------------------------------------------------- */

/* A file that promises an end has it. A compressed one is checked by its compression. */
static int text_check_end(const char *path, struct error *error)
{
    static const char end[] = "\n" TEXT_FORMAT_END;
    char head[64] = "", tail[16] = "";
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return error_errno(error, "open", path);
    size_t n = fread(head, 1, sizeof head - 1, stream);
    const char *promise = strstr(head, TEXT_FORMAT_PROMISE), *newline = strchr(head, '\n');
    n = promise && (!newline || promise < newline) && fseek(stream, -14, SEEK_END) == 0
            ? fread(tail, 1, sizeof tail - 1, stream)
            : 0;
    fclose(stream);
    if (n == 0)
        return 0;
    while (n > 0 && (tail[n - 1] == '\n' || tail[n - 1] == '\r'))
        n--;
    if (n >= strlen(end) && memcmp(tail + n - strlen(end), end, strlen(end)) == 0)
        return 0;
    error_set(error, STATUS_INPUT, "%s was cut: its last line is not \"%s\"", path,
              TEXT_FORMAT_END);
    return error_hint(error,
                      "make it again; if you edited it and it is whole, delete the comment in its "
                      "first line");
}

/* --- the lines before the first kernel -------------------------------------- */

static int text_version_line(struct text_line *line, struct error *error)
{
    static const struct file_key words[] = {{.name = TEXT_FORMAT_MAGIC}, {NULL}};
    uint64_t version;
    int status = text_line_next(line, error);
    if (status < 0)
        return status;
    if (status == 0 || text_word(line, words, NULL, "directive", error) != 0)
        return line_reader_error(line->lines, line->at, error, "the first line must be \"%s %d\"",
                                 TEXT_FORMAT_MAGIC, TEXT_FORMAT_VERSION);
    status = text_number(line, "version 1 of the format", TEXT_FORMAT_VERSION, TEXT_FORMAT_VERSION,
                         &version, error);
    return status ? status : text_line_end(line, error);
}

/* BASE BYTES */
static int text_range(struct text_line *line, uint64_t *base, uint64_t *bytes, struct error *error)
{
    int status = text_number(line, "an address such as 0x1000", 0, UINT64_MAX, base, error);
    if (!status)
        status = text_number(line, "a size in bytes", 1, UINT64_MAX, bytes, error);
    return status;
}

static int text_allocation_line(struct text_line *line, struct source *source, struct text *name,
                                struct error *error)
{
    struct stream_allocation allocation = {.name = ""};
    int status = text_name(line, name, error);
    if (!status)
        status = text_range(line, &allocation.base, &allocation.bytes, error);
    if (!status)
        status = text_line_end(line, error);
    if (status)
        return status;
    if (strcmp(name->data, "-") != 0)
        allocation.name = arena_strdup(source->arena, name->data);
    VECTOR_PUSH(&source->allocations, allocation);
    return 0;
}

static int text_home_line(struct text_line *line, struct source *source, struct error *error)
{
    struct stream_home home = {0};
    uint64_t domain = 0;
    int status = text_range(line, &home.base, &home.bytes, error);
    if (!status)
        status = text_number(line, "a domain from 0 to 65535", 0, 65535, &domain, error);
    if (!status)
        status = text_line_end(line, error);
    home.home = (uint32_t)domain;
    VECTOR_PUSH(&source->homes, home);
    return status;
}

/* Reads up to the first kernel, whose line is the next to be read. Without a
 * source the lines are passed over. */
static int text_preamble(struct line_reader *lines, struct source *source, struct error *error)
{
    struct text_line line = {.lines = lines};
    struct text name = {0};
    int status = text_version_line(&line, error);
    bool found = false;
    while (!status && !found && (status = text_line_next(&line, error)) > 0) {
        int directive = text_directive(&line, error);
        found = directive != LINE_ALLOCATION && directive != LINE_HOME;
        status = directive < 0 ? directive : 0;
        if (directive == LINE_ALLOCATION && source)
            status = text_allocation_line(&line, source, &name, error);
        else if (directive == LINE_HOME && source)
            status = text_home_line(&line, source, error);
    }
    text_free(&name);
    if (status)
        return status;
    if (!found)
        return line_reader_error(lines, line.at, error, "the trace holds no kernel and no access");
    line_reader_hold(lines);
    return 0;
}

/* --- a stream --------------------------------------------------------------- */

static void text_end(void *cursor)
{
    struct text_cursor *self = cursor;
    line_reader_close(self->lines);
    text_free(&self->name);
    free(self);
}

static int text_begin(const struct spooled_source *source, void **cursor, struct error *error)
{
    struct text_cursor *self = memory_zero(1, sizeof *self);
    int status = line_reader_open(source->source.path, &self->lines, error);
    if (!status)
        status = text_preamble(self->lines, NULL, error);
    if (status)
        text_end(self);
    else
        *cursor = self;
    return status;
}

/* The name of a kernel, the same for all streams. */
static const char *text_intern(struct text_names *names, size_t kernel, const char *name)
{
    pthread_mutex_lock(&names->lock);
    if (kernel == names->count)
        VECTOR_PUSH(names, arena_strdup(names->arena, name));
    name = names->items[kernel];
    pthread_mutex_unlock(&names->lock);
    return name;
}

static int text_load(const struct spooled_source *source, void *cursor, size_t number,
                     struct spool *spool, struct stream_kernel *out, struct error *error)
{
    struct text_cursor *self = cursor;
    int status = text_kernel_read(self->lines, spool, out, &self->name, error);
    if (status > 0)
        out->name =
            text_intern(((const struct text_source *)source)->names, number, self->name.data);
    return line_reader_blame(self->lines, status, error);
}

/* --- the source ------------------------------------------------------------- */

static void text_fini(struct spooled_source *source)
{
    struct text_names *names = ((struct text_source *)source)->names;
    pthread_mutex_destroy(&names->lock);
    arena_destroy(names->arena);
    VECTOR_FREE(names);
    free(names);
}

static int text_open(const char *path, struct source **out, struct error *error)
{
    static const struct spooled_class spooled = {text_begin, text_load, text_end,
                                                 text_fini,  false,     false};
    struct line_reader *lines;
    *out = NULL;
    int status = line_reader_open(path, &lines, error);
    if (status)
        return status;
    struct text_source *self = memory_zero(1, sizeof *self);
    struct source *source = &self->spooled.source;
    spooled_source_init(&self->spooled, &spooled, NULL, path);
    self->names = memory_zero(1, sizeof *self->names);
    self->names->arena = arena_create();
    pthread_mutex_init(&self->names->lock, NULL);
    status = text_check_end(path, error);
    if (!status)
        status = text_preamble(lines, source, error);
    if (!status)
        status = spooled_sort_ranges(source, error);
    if (!status)
        status = spooled_hash_file(source, error);
    status = line_reader_blame(lines, status, error);
    line_reader_close(lines);
    return spooled_opened(&self->spooled, status, out);
}

const struct reader reader_text = {
    .plugin = {.kind = "reader",
               .name = "text",
               .summary = "the text form: one line a warp access, first line \"bandscape-trace 1\"",
               .reference = NULL},
    .detect = text_detect,
    .open = text_open,
};
