/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache has a sealed file for each trace, of its warnings, one a line. Whatever goes wrong here
 * only costs another pass. */
#include "profile/run/source_check.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/sealed.h"
#include "core/version.h"
#include "profile/record/internal.h"
#include "trace/completeness.h"
#include "workload/workload.h"
#include "profile/run/profiler.h"

/* To be raised whenever the same trace gives other warnings. */
#define CHECK_FORMAT "trace-check 1 "

/* <folder>/<hash>.check. NULL: there is no cache. free() it. */
static char *check_path(const struct source *source)
{
    char digits[HASH_TEXT], *folder = profile_cache_folder();
    struct text path = {0};
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, CHECK_FORMAT);
    hash_content_string(hash, BANDSCAPE_VERSION);
    hash_content_string(hash, source->hash);
    hash_content_end(hash, digits);
    if (folder)
        text_printf(&path, "%s/%s.check", folder, digits);
    free(folder);
    return path.data;
}

static void check_write(const char *path, const char *lines)
{
    struct error ignored;
    char *folder = file_directory(path);
    if (file_make_directory(folder, &ignored) == 0)
        sealed_write(path, lines, strlen(lines), &ignored);
    free(folder);
}

static int check_trace(struct source *source, struct error *error)
{
    struct text lines = {0};
    char *path = check_path(source);
    int status = 0;
    text_append(&lines, "");
    if (!path || !sealed_read(path, true, &lines)) {
        status = completeness_find(source, &lines, error);
        if (!status && path)
            check_write(path, lines.data);
    }
    for (const char *line = lines.data; !status && *line;) {
        size_t length = strcspn(line, "\n");
        source_warn(source, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    text_free(&lines);
    free(path);
    return status;
}

int source_open_checked(const char *spec, struct source **out, struct error *error)
{
    int status = source_open(spec, out, error);
    if (!status && strcmp((*out)->class->kind, "trace") == 0)
        status = check_trace(*out, error);
    if (status) {
        source_destroy(*out);
        *out = NULL;
    }
    return status;
}

int source_refuse_warnings(const char *name, const char *const *warnings, size_t count,
                           struct error *error)
{
    if (count == 0)
        return 0;
    error_set(error, STATUS_INPUT, "%.100s: %s", name, warnings[0]);
    if (count > 1)
        error_hint(error, "and %zu more; without --strict these are warnings", count - 1);
    else
        error_hint(error, "without --strict this is a warning");
    return STATUS_INPUT;
}
