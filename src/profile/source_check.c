/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache has a text file for each trace: a line with a name and the hash of what follows,
 * then the warnings, one a line. Whatever goes wrong here only costs another pass. */
#include "profile/source_check.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/version.h"
#include "profile/internal.h"
#include "trace/completeness.h"
#include "workload/workload.h"

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

/* The first line of a file with these warnings. */
static void check_head(const char *lines, struct text *out)
{
    char digits[HASH_TEXT];
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, lines);
    hash_content_end(hash, digits);
    text_printf(out, CHECK_FORMAT "%s\n", digits);
}

static bool check_read(const char *path, struct text *lines)
{
    enum { LIMIT = 1 << 20 };
    struct error ignored;
    struct text head = {0};
    char *data;
    size_t size;
    if (!path || !file_exists(path) || file_read(path, LIMIT, &data, &size, &ignored))
        return false;
    size_t length = strcspn(data, "\n");
    length += data[length] == '\n';
    check_head(data + length, &head);
    bool sound =
        strlen(data) == size && head.length == length && memcmp(data, head.data, length) == 0;
    if (sound)
        text_append(lines, data + length);
    text_free(&head);
    free(data);
    return sound;
}

static void check_write(const char *path, const char *lines)
{
    struct error ignored;
    struct text text = {0};
    char *folder = file_directory(path);
    check_head(lines, &text);
    text_append(&text, lines);
    if (file_make_directory(folder, &ignored) == 0)
        file_write(path, text.data, text.length, &ignored);
    text_free(&text);
    free(folder);
}

static int check_trace(struct source *source, struct error *error)
{
    struct text lines = {0};
    char *path = check_path(source);
    int status = 0;
    text_append(&lines, "");
    if (!check_read(path, &lines)) {
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
