/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens files that hold a profile: YAML, or the counters of a real GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/internal.h"
#include "profile/ncu.h"

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

int profile_load(const char *path, struct profile **out, struct error *error)
{
    struct yaml_document *document;
    *out = NULL;
    if (!detect_yaml(path) && ncu_detect(path))
        return ncu_load(path, NULL, out, error);
    int status = yaml_load(path, &document, error);
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
