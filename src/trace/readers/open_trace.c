/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a trace with the reader that knows its format. */
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "trace/input/line_reader.h"
#include "trace/reader.h"
#include "trace/readers/foreign.h"
#include "trace/stream.h"

static const struct reader *source_find_reader(const char *path, const char *head, size_t size)
{
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next("reader", &cursor));)
        if (((const struct reader *)plugin)->detect(path, head, size))
            return (const struct reader *)plugin;
    return NULL;
}

static int source_unknown_format(const char *path, size_t size, struct error *error)
{
    struct text readers = {0};
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next("reader", &cursor));)
        text_printf(&readers, "%s%s (%s)", readers.length ? "; " : "", plugin->name,
                    plugin->summary);
    error_set(error, STATUS_INPUT, size ? "%s is not a trace in a known format" : "%s is empty",
              path);
    error_hint(error, "known formats: %s", readers.length ? readers.data : "none");
    text_free(&readers);
    return STATUS_INPUT;
}

/* The file that stands for a folder of traces; NULL: there is none. free() it. */
static char *folder_index(const char *folder)
{
    static const char *const names[] = {"kernelslist.g", "kernelslist", "traces/kernelslist.g",
                                        "traces/kernelslist", "app_config.py"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct text path = {0};
        text_printf(&path, "%s/%s", folder, names[i]);
        if (file_exists(path.data))
            return path.data;
        text_free(&path);
    }
    return NULL;
}

static int open_folder(const char *path, struct source **out, struct error *error)
{
    struct text plain = {0};
    text_append(&plain, path);
    while (plain.length > 1 && plain.data[plain.length - 1] == '/')
        plain.data[--plain.length] = '\0';
    char *index = folder_index(plain.data);
    int status = index ? source_open_trace(index, out, error) : STATUS_INPUT;
    if (!index) {
        error_set(error, STATUS_INPUT,
                  "%s is a folder without kernelslist.g, kernelslist or "
                  "app_config.py",
                  path);
        error_hint(error, "name a file of it");
    }
    free(index);
    text_free(&plain);
    return status;
}

int source_open_trace(const char *path, struct source **out, struct error *error)
{
    struct line_reader *lines;
    const struct reader *reader = NULL;
    const char *head;
    size_t size;
    *out = NULL;
    if (file_is_directory(path))
        return open_folder(path, out, error);
    int status = line_reader_open(path, &lines, error);
    if (status)
        return status;
    status = line_reader_head(lines, &head, &size, error);
    if (!status) {
        reader = source_find_reader(path, head, size);
        if (!reader)
            status = foreign_explain(path, head, size, error)
                         ? STATUS_INPUT
                         : source_unknown_format(path, size, error);
    }
    line_reader_close(lines);
    return reader ? reader->open(path, out, error) : status;
}
