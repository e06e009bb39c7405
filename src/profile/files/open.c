/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kind of file it is, and whether all of it is there. */
#include "profile/files/open.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/remark.h"
#include "core/sealed.h"
#include "profile/record/internal.h"
#include "profile/files/ncu.h"
#include "yaml/yaml.h"

/* A YAML map with the key "profile". */
static bool detect_yaml(const char *path)
{
    enum { HEAD = 1 << 16 };
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return false;
    char *head = memory_alloc(HEAD + 1);
    size_t size = fread(head, 1, HEAD, stream);
    bool found = false;
    fclose(stream);
    head[size] = '\0';
    /* A key of the outermost map begins its line. */
    for (const char *line = head; line && !found; line = strchr(line, '\n')) {
        line += *line == '\n';
        found = strncmp(line, "profile:", strlen("profile:")) == 0;
    }
    found = found && !memchr(head, '\0', size);
    free(head);
    return found;
}

bool profile_detect(const char *path)
{
    return detect_yaml(path) || ncu_detect(path);
}

/* The text of a file that the program wrote: up to its three dots, if it was not cut. */
static bool is_whole(const char *text, size_t size)
{
    static const char end[] = "\n...";
    while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    return size >= strlen(end) && memcmp(text + size - strlen(end), end, strlen(end)) == 0;
}

/* Whether the file was cut is seen before it is parsed; that it was edited is said. What does not
 * begin as the program's own files do is not looked at. */
static int check_whole(const char *path, struct error *error)
{
    char *text, head[sizeof PROFILE_FILE_HEAD] = "";
    size_t size, n;
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return error_errno(error, "open", path);
    n = fread(head, 1, sizeof head - 1, stream);
    fclose(stream);
    if (n < sizeof head - 1 || memcmp(head, PROFILE_FILE_HEAD, n) != 0)
        return 0;
    int status = file_read(path, SIZE_MAX / 2, &text, &size, error);
    if (status)
        return status;
    if (!sealed_check(text, &size)) {
        if (sealed_is_marked(text, size)) {
            remark("%s was changed since it was written", path);
        } else if (!is_whole(text, size)) {
            status = error_set(error, STATUS_INPUT, "%s was cut: its end is missing", path);
            error_hint(error, "make it again; if you edited it and it is whole, delete its first "
                              "line");
        }
    }
    free(text);
    return status;
}

int profile_load(const char *path, struct profile **out, struct error *error)
{
    struct yaml_document *document;
    *out = NULL;
    if (!detect_yaml(path) && ncu_detect(path))
        return ncu_load(path, NULL, out, error);
    int status = check_whole(path, error);
    if (!status)
        status = yaml_load(path, &document, error);
    if (status)
        return status;
    struct profile *profile = profile_create();
    profile->path = arena_strdup(profile->arena, path);
    status = profile_read(document->root, profile, error);
    yaml_destroy(document);
    if (status) {
        profile_destroy(profile);
        return status;
    }
    *out = profile;
    return 0;
}
