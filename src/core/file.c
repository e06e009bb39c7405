/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole-file input, atomic output, shipped data. */
#include "core/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/parallel.h"

#ifndef BANDSCAPE_DATA_DIRECTORY
#define BANDSCAPE_DATA_DIRECTORY "/usr/local/share/bandscape"
#endif

/* Temporary files that exist now, so that an interrupted program leaves none. */
enum { TEMPORARIES = 64 };
static char *temporary_files[TEMPORARIES];
static pthread_mutex_t temporary_lock = PTHREAD_MUTEX_INITIALIZER;

static void temporary_replace(const char *old, const char *fresh)
{
    pthread_mutex_lock(&temporary_lock);
    for (int i = 0; i < TEMPORARIES; i++) {
        bool match =
            old ? temporary_files[i] && strcmp(temporary_files[i], old) == 0 : !temporary_files[i];
        if (!match)
            continue;
        free(temporary_files[i]);
        temporary_files[i] = fresh ? memory_strdup(fresh) : NULL;
        break;
    }
    pthread_mutex_unlock(&temporary_lock);
}

void file_remove_temporaries(void)
{
    pthread_mutex_lock(&temporary_lock);
    for (int i = 0; i < TEMPORARIES; i++)
        if (temporary_files[i]) {
            unlink(temporary_files[i]);
            free(temporary_files[i]);
            temporary_files[i] = NULL;
        }
    pthread_mutex_unlock(&temporary_lock);
}

enum { TICK_MS = 100 };

/* A piece of a file, a pipe or a terminal, which may keep us waiting: -1 with EINTR on Ctrl-C. */
static ssize_t file_read_piece(int descriptor, char *buffer, size_t size)
{
    struct pollfd file = {.fd = descriptor, .events = POLLIN};
    ssize_t n = -1;
    errno = EINTR;
    while (!interrupt_requested() && n < 0 && errno == EINTR) {
        int ready = poll(&file, 1, TICK_MS);
        if (ready > 0)
            n = read(descriptor, buffer, size);
        else if (ready == 0)
            errno = EINTR;
    }
    return n;
}

int file_read(const char *path, size_t limit, char **data, size_t *size, struct error *error)
{
    *data = NULL;
    *size = 0;
    struct stat info;
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return error_errno(error, "open", path);
    if (fstat(fileno(stream), &info) == 0 && S_ISDIR(info.st_mode)) {
        fclose(stream);
        errno = EISDIR;
        return error_errno(error, "read", path);
    }
    size_t capacity = 1 << 14, used = 0;
    char *buffer = memory_alloc(capacity);
    ssize_t n;
    while ((n = file_read_piece(fileno(stream), buffer + used, capacity - used - 1)) > 0) {
        used += (size_t)n;
        if (used > limit) {
            free(buffer);
            fclose(stream);
            return error_set(error, STATUS_INPUT, "%s is larger than %zu bytes", path, limit);
        }
        if (capacity - used < 2)
            buffer = memory_resize(buffer, capacity *= 2, 1);
    }
    if (n < 0) {
        int status = errno == EINTR && interrupt_requested() ? interrupt_check(error)
                                                             : error_errno(error, "read", path);
        free(buffer);
        fclose(stream);
        return status;
    }
    fclose(stream);
    buffer[used] = '\0';
    *data = buffer;
    *size = used;
    return 0;
}

int file_writer_open(struct file_writer *writer, const char *path, struct error *error)
{
    struct text name = {0};
    struct stat info;
    *writer = (struct file_writer){0};
    /* A rename would replace a device or a link by a plain file. */
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        error_set(error, STATUS_INPUT, "cannot write %s: it is not a regular file", path);
        return STATUS_INPUT;
    }
    text_printf(&name, "%s.partial-%ld", path, (long)getpid());
    writer->stream = fopen(name.data, "wb");
    if (!writer->stream) {
        int status = error_errno(error, "create", path);
        error->status = status = STATUS_IO;
        text_free(&name);
        return status;
    }
    writer->path = memory_strdup(path);
    writer->temporary = name.data;
    temporary_replace(NULL, writer->temporary);
    return 0;
}

void file_writer_abandon(struct file_writer *writer)
{
    if (writer->stream)
        fclose(writer->stream);
    if (writer->temporary) {
        unlink(writer->temporary);
        temporary_replace(writer->temporary, NULL);
    }
    free(writer->path);
    free(writer->temporary);
    *writer = (struct file_writer){0};
}

int file_writer_commit(struct file_writer *writer, struct error *error)
{
    int status = 0;
    errno = 0;
    if (fflush(writer->stream) != 0 || ferror(writer->stream) ||
        (fsync(fileno(writer->stream)) != 0 && errno != EINVAL && errno != EROFS))
        status = error_errno(error, "write", writer->path);
    if (fclose(writer->stream) != 0 && !status)
        status = error_errno(error, "write", writer->path);
    writer->stream = NULL;
    if (!status && rename(writer->temporary, writer->path) != 0)
        status = error_errno(error, "rename to", writer->path);
    if (!status) {
        temporary_replace(writer->temporary, NULL);
        free(writer->temporary);
        writer->temporary = NULL;
    } else {
        error->status = status = STATUS_IO;
    }
    file_writer_abandon(writer);
    return status;
}

int file_write(const char *path, const void *data, size_t size, struct error *error)
{
    struct file_writer writer;
    int status = file_writer_open(&writer, path, error);
    if (status)
        return status;
    fwrite(data, 1, size, writer.stream); /* errors are sticky: commit reports them */
    return file_writer_commit(&writer, error);
}

int file_make_directory(const char *path, struct error *error)
{
    char *copy = memory_strdup(path);
    int status = 0;
    for (char *at = copy + 1; !status; at++) {
        char c = *at;
        if (c != '/' && c != '\0')
            continue;
        *at = '\0';
        if (mkdir(copy, 0777) != 0 && !(errno == EEXIST && file_is_directory(copy))) {
            status = error_errno(error, "make folder", copy);
            error->status = status = STATUS_IO;
        }
        *at = c;
        if (c == '\0')
            break;
    }
    free(copy);
    return status;
}

bool file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

bool file_is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool file_is_same(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

const char *file_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *file_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return memory_strdup(".");
    struct text text = {0};
    text_append_bytes(&text, path, slash == path ? 1 : (size_t)(slash - path));
    return text.data;
}

char *file_beside(const char *base, const char *name)
{
    if (name[0] == '/')
        return memory_strdup(name);
    struct text text = {0};
    text_append_bytes(&text, base, (size_t)(file_base_name(base) - base));
    text_append(&text, name);
    return text.data;
}

static bool shipped_here(struct text *out, const char *folder, const char *below)
{
    bool found = true;
    for (int i = 0; i < 2 && found; i++) {
        out->length = 0;
        text_printf(out, "%s%s/%s", folder, below, i ? "models" : "spaces");
        found = file_is_directory(out->data);
    }
    out->length = 0;
    text_printf(out, "%s%s", folder, below);
    return found;
}

/* The folder that holds both models and spaces: the binary's own, or one above
 * it (test programs live some folders below the top), or share/bandscape there
 * (whatever PREFIX it was built with). */
static bool shipped_root(struct text *out)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    for (char *slash; (slash = strrchr(self, '/'));) {
        *slash = '\0';
        if (shipped_here(out, self, "") || shipped_here(out, self, "/share/bandscape"))
            return true;
    }
    out->length = 0;
    text_append(out, BANDSCAPE_DATA_DIRECTORY);
    return file_is_directory(out->data);
}

char *file_shipped(const char *relative)
{
    struct text path = {0};
    if (shipped_root(&path)) {
        text_printf(&path, "/%s", relative);
        if (file_exists(path.data))
            return path.data;
    }
    text_free(&path);
    return NULL;
}

static int file_compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t file_list(const char *path, char ***names)
{
    struct {
        char **items;
        size_t count, capacity;
    } list = {0};
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            VECTOR_PUSH(&list, memory_strdup(entry->d_name));
    if (folder)
        closedir(folder);
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, file_compare_names);
    *names = list.items;
    return list.count;
}
