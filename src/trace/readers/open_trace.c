/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a trace with the reader that knows its format. */
#include <string.h>

#include "trace/input/line_reader.h"
#include "trace/reader.h"
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

int source_open_trace(const char *path, struct source **out, struct error *error)
{
    struct line_reader *lines;
    const struct reader *reader = NULL;
    const char *head;
    size_t size;
    *out = NULL;
    int status = line_reader_open(path, &lines, error);
    if (status)
        return status;
    status = line_reader_head(lines, &head, &size, error);
    if (!status) {
        reader = source_find_reader(path, head, size);
        if (!reader)
            status = source_unknown_format(path, size, error);
    }
    line_reader_close(lines);
    return reader ? reader->open(path, out, error) : status;
}
