/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace reader is one file `<name>.reader.c` that ends in its descriptor. */
#ifndef BANDSCAPE_TRACE_READER_H
#define BANDSCAPE_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/plugin.h"
#include "trace/stream.h"

struct reader {
    struct plugin plugin; /* kind "reader" */
    /* True when a file of that name, beginning with those bytes (already
     * decompressed where the name says so), is in this format. */
    bool (*detect)(const char *path, const char *head, size_t size);
    int (*open)(const char *path, struct source **out, struct error *error);
};

#endif
