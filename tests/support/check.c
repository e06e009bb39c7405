/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last failure, and files in a temporary folder. */
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "support.h"

_Thread_local struct error failure;

static char folder[256];

const char *check_folder(void)
{
    const char *base = getenv("TMPDIR");
    if (folder[0])
        return folder;
    snprintf(folder, sizeof folder, "%s/bandscape-test-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        folder[0] = '\0';
        fail_msg("cannot make a folder in %s", base ? base : "/tmp");
    }
    return folder;
}

const char *check_path(const char *name)
{
    enum { CALLS = 8 };
    static char paths[CALLS][512];
    static int next;
    char *path = paths[next++ % CALLS];
    snprintf(path, sizeof paths[0], "%s/%s", check_folder(), name);
    return path;
}

const char *check_file_bytes(const char *name, const void *data, size_t size)
{
    const char *path = check_path(name);
    unlink(path); /* ext4 waits for the disk when a file is written anew in place */
    FILE *stream = fopen(path, "wb");
    if (!stream || fwrite(data, 1, size, stream) != size || fclose(stream) != 0)
        fail_msg("cannot write %s", path);
    return path;
}

const char *check_file(const char *name, const char *text)
{
    return check_file_bytes(name, text, strlen(text));
}

void check_empty_folder(void)
{
    support_remove_folder();
    if (mkdir(check_folder(), 0700) != 0)
        fail_msg("cannot make %s", folder);
}

void check_own_cache(void)
{
    setenv("BANDSCAPE_CACHE", check_folder(), 1);
}

static bool remove_all(const char *path)
{
    char **names, below[1024];
    size_t count = file_list(path, &names);
    for (size_t i = 0; i < count; i++) {
        snprintf(below, sizeof below, "%s/%s", path, names[i]);
        if (unlink(below) != 0)
            remove_all(below);
        free(names[i]);
    }
    free(names);
    return rmdir(path) == 0;
}

bool support_remove_folder(void)
{
    return !folder[0] || remove_all(folder);
}
