/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the flags with which a program is compiled and linked so that it
 * writes a trace of itself (src/tracer). In a checkout the run-time library is
 * where `make` leaves it, else where `make install` put it. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/trace_flags.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"

/* The absolute path of the first that exists, or NULL; free() it. Installed files
 * stand beside share/bandscape. */
static char *flags_find(const char *in_checkout, const char *installed)
{
    char *found = file_shipped(in_checkout);
    if (!found)
        found = file_shipped(installed);
    char *path = found ? realpath(found, NULL) : NULL;
    free(found);
    return path;
}

static int flags_missing(const char *what, struct error *error)
{
    error_set(error, STATUS_FAILED, "the tracer's %s is not there", what);
    return error_hint(error, "`make` builds it in a checkout, `make install` installs it");
}

static int flags_link(struct error *error)
{
    char *library =
        flags_find(".build/tracer/libbandscape_trace.a", "../../lib/libbandscape_trace.a");
    if (!library)
        return flags_missing("library", error);
    /* gcc calls memcpy & co. as they are, and relies on their being replaced. */
    printf("-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset %s -pthread\n", library);
    free(library);
    return 0;
}

/* Lanes are made of the iterations of loops as the source has them: nothing may
 * unroll or vectorise these before the calls go in (clang puts them in last).
 * Checked copies (_FORTIFY_SOURCE) would not be traced. */
static int flags_compile(struct error *error)
{
    char *header = flags_find("src/tracer/bandscape_trace.h", "../../include/bandscape_trace.h");
    if (!header)
        return flags_missing("header", error);
    char *folder = file_directory(header);
    printf("-fsanitize=thread -fno-tree-vectorize -fno-tree-slp-vectorize -fno-unroll-loops "
           "-U_FORTIFY_SOURCE -DBANDSCAPE_TRACE -I%s\n",
           folder);
    free(folder);
    free(header);
    return 0;
}

int trace_flags(const struct invocation *inv, struct error *error)
{
    if (argument_count(inv) > 1)
        return error_set(error, STATUS_USAGE, "trace flags takes no FILE, got \"%.100s\"",
                         argument_value(inv, 1));
    if (option_given(inv, "output") || option_given(inv, "format") || option_given(inv, "line"))
        return error_set(error, STATUS_USAGE, "trace flags has one option: --link");
    return option_given(inv, "link") ? flags_link(error) : flags_compile(error);
}
