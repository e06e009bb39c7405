/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the flags with which a program is compiled and linked so that it
 * writes a trace of itself (src/tracer). In a checkout the run-time library is
 * where `make` leaves it, else where `make install` put it. */
#include "cli/trace_flags.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"

/* The first that exists, or NULL; free() it. Installed files stand beside
 * share/bandscape. */
static char *flags_find(const char *in_checkout, const char *installed)
{
    char *path = file_shipped(in_checkout);
    return path ? path : file_shipped(installed);
}

static int flags_missing(const char *what, struct error *error)
{
    error_set(error, STATUS_FAILED, "the tracer's %s is not there", what);
    error_hint(error, "`make` builds it in a checkout, `make install` installs it");
    return STATUS_FAILED;
}

int trace_flags(const struct invocation *inv, struct error *error)
{
    if (argument_count(inv) > 1)
        return error_set(error, STATUS_USAGE, "trace flags takes no FILE, got \"%.100s\"",
                         argument_value(inv, 1));
    if (option_given(inv, "output") || option_given(inv, "format") || option_given(inv, "line"))
        return error_set(error, STATUS_USAGE, "trace flags has one option: --link");
    if (option_given(inv, "link")) {
        char *library =
            flags_find(".build/tracer/libbandscape-trace.a", "../../lib/libbandscape-trace.a");
        if (!library)
            return flags_missing("library", error);
        /* gcc calls memcpy & co. as they are, and relies on their being replaced. */
        printf("-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset %s -pthread\n", library);
        free(library);
        return 0;
    }
    char *header = flags_find("src/tracer/bandscape_trace.h", "../../include/bandscape_trace.h");
    if (!header)
        return flags_missing("header", error);
    char *folder = file_directory(header);
    printf("-fsanitize=thread -fno-tree-vectorize -DBANDSCAPE_TRACE -I%s\n", folder);
    free(folder);
    free(header);
    return 0;
}
