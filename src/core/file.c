/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole-file input, atomic output, shipped data. */
#define _GNU_SOURCE /* fopencookie */
#include "core/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/parallel.h"

#ifndef BANDSCAPE_DATA_DIRECTORY
#define BANDSCAPE_DATA_DIRECTORY "/usr/local/share/bandscape"
#endif

/* Temporary files that exist now, so that an interrupted program leaves none. */
enum { TEMPORARIES = 1024 };
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

/* --- temporary files -------------------------------------------------------------------
 *
 * FOLDER/.bandscape-PID-N.partial: a name that nobody else uses, and locked by its writer, so that
 * what a killed program left can be told from what another one is writing. */

/* Whether the one that wrote it is gone: not a process of ours, nor one that cannot be seen from
 * here (another container, another host), which holds the lock. */
static bool temporary_is_stale(const char *path, long writer)
{
    if (writer == (long)getpid() || kill((pid_t)writer, 0) == 0 || errno != ESRCH)
        return false;
    struct stat info;
    int file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool stale = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                 flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0)
        close(file);
    return stale;
}

/* Removes what killed programs left in the folder: once for the folder that is written to. */
static void temporary_clean(const char *folder)
{
    static char *cleaned;
    pthread_mutex_lock(&temporary_lock);
    bool again = cleaned && strcmp(cleaned, folder) == 0;
    if (!again) {
        free(cleaned);
        cleaned = memory_strdup(folder);
    }
    pthread_mutex_unlock(&temporary_lock);
    DIR *stream = again ? NULL : opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        struct text path = {0};
        long writer;
        unsigned number;
        int end = 0;
        if (sscanf(entry->d_name, ".bandscape-%ld-%u.partial%n", &writer, &number, &end) < 2 ||
            end == 0 || entry->d_name[end] != '\0')
            continue;
        text_printf(&path, "%s/%s", folder, entry->d_name);
        if (temporary_is_stale(path.data, writer))
            unlink(path.data);
        text_free(&path);
    }
    if (stream)
        closedir(stream);
}

/* A name for one more temporary file in the folder of `path`, remembered for an exit. */
static char *temporary_name(const char *path)
{
    static atomic_uint numbers;
    char *folder = file_directory(path);
    struct text text = {0};
    temporary_clean(folder);
    text_printf(&text, "%s/.bandscape-%ld-%u.partial", folder, (long)getpid(),
                atomic_fetch_add(&numbers, 1));
    temporary_replace(NULL, text.data);
    free(folder);
    return text.data;
}

static void temporary_forget(char **name)
{
    if (*name)
        temporary_replace(*name, NULL);
    free(*name);
    *name = NULL;
}

/* A new file in the folder of `path`, locked; its descriptor or -1. */
static int temporary_create(const char *path, char **name)
{
    int file;
    do {
        temporary_forget(name);
        *name = temporary_name(path);
        file = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file < 0 && errno == EEXIST);
    if (file >= 0)
        flock(file, LOCK_EX | LOCK_NB); /* without locks the process's number alone is looked at */
    return file;
}

/* --- writers ---------------------------------------------------------------------------- */

/* What is behind the stream: it remembers why the first write failed, which errno does not. */
struct file_sink {
    int file, reason; /* an errno, 0: all is written */
    struct hash_content *hash;
};

static ssize_t sink_write(void *cookie, const char *data, size_t size)
{
    struct file_sink *sink = cookie;
    for (size_t done = 0; done < size && !sink->reason;) {
        ssize_t n = write(sink->file, data + done, size - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            sink->reason = n == 0 ? EIO : errno;
    }
    if (sink->reason)
        return 0;
    hash_content_add(sink->hash, data, size);
    return (ssize_t)size;
}

static void sink_destroy(struct file_sink *sink)
{
    char ignored[HASH_TEXT];
    if (sink && sink->file >= 0)
        close(sink->file);
    if (sink && sink->hash)
        hash_content_end(sink->hash, ignored);
    free(sink);
}

int file_writer_open(struct file_writer *writer, const char *path, struct error *error)
{
    struct stat info;
    *writer = (struct file_writer){0};
    /* A rename would replace a device or a link by a plain file. */
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        error_set(error, STATUS_INPUT, "cannot write %s: it is not a regular file", path);
        return STATUS_INPUT;
    }
    int file = temporary_create(path, &writer->temporary);
    if (file < 0) {
        int status = error_errno(error, "create", path);
        error->status = status = STATUS_IO;
        temporary_forget(&writer->temporary);
        return status;
    }
    writer->path = memory_strdup(path);
    writer->sink = memory_zero(1, sizeof *writer->sink);
    *writer->sink = (struct file_sink){.file = file, .hash = hash_content_begin()};
    writer->stream = fopencookie(writer->sink, "wb", (cookie_io_functions_t){.write = sink_write});
    if (!writer->stream) {
        int status = error_errno(error, "create", path);
        file_writer_abandon(writer);
        return status;
    }
    setvbuf(writer->stream, NULL, _IOFBF, 1 << 16);
    return 0;
}

void file_writer_abandon(struct file_writer *writer)
{
    if (writer->stream) {
        writer->sink->reason = ECANCELED; /* what is not written yet need not be */
        fclose(writer->stream);
    }
    sink_destroy(writer->sink);
    if (writer->temporary)
        unlink(writer->temporary);
    if (writer->old)
        unlink(writer->old);
    temporary_forget(&writer->temporary);
    temporary_forget(&writer->old);
    free(writer->path);
    *writer = (struct file_writer){0};
}

int file_writer_finish(struct file_writer *writer, char hash[HASH_TEXT], struct error *error)
{
    struct file_sink *sink = writer->sink;
    bool flushed = fclose(writer->stream) == 0;
    writer->stream = NULL;
    if (flushed && !sink->reason && fsync(sink->file) != 0 && errno != EINVAL && errno != EROFS)
        sink->reason = errno;
    if (!flushed && !sink->reason)
        sink->reason = EIO;
    hash_content_end(sink->hash, hash);
    sink->hash = NULL;
    if (!sink->reason)
        return 0;
    errno = sink->reason;
    int status = error_errno(error, "write", writer->path);
    error->status = status = STATUS_IO;
    return status;
}

int file_writer_publish(struct file_writer *writer, struct error *error)
{
    if (writer->temporary ? rename(writer->temporary, writer->path) == 0
                          : unlink(writer->path) == 0 || errno == ENOENT) {
        temporary_forget(&writer->temporary);
        writer->published = true;
        return 0;
    }
    int status = error_errno(error, writer->temporary ? "rename to" : "remove", writer->path);
    error->status = status = STATUS_IO;
    return status;
}

void file_writer_save(struct file_writer *writer)
{
    do {
        temporary_forget(&writer->old);
        writer->old = temporary_name(writer->path);
    } while (link(writer->path, writer->old) != 0 && errno == EEXIST);
    if (!file_exists(writer->old)) /* no old file, or links are unknown here */
        temporary_forget(&writer->old);
}

void file_writer_restore(struct file_writer *writer)
{
    if (writer->published && writer->old)
        rename(writer->old, writer->path);
    else if (writer->published)
        unlink(writer->path);
}

int file_writer_commit(struct file_writer *writer, struct error *error)
{
    char ignored[HASH_TEXT];
    int status = file_writer_finish(writer, ignored, error);
    if (!status)
        status = file_writer_publish(writer, error);
    file_writer_abandon(writer);
    return status;
}

int file_writer_end(struct file_writer *writer, int status, struct error *error)
{
    fflush(writer->stream);
    if (!status || writer->sink->reason) /* then the file's name and the reason are said */
        return file_writer_commit(writer, error);
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

bool file_ends_in(const char *path, const char *suffix)
{
    size_t length = strlen(path), n = strlen(suffix);
    return length > n && strcmp(path + length - n, suffix) == 0;
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

char *file_named_in(const char *base, const char *name)
{
    char *beside = file_beside(base, name);
    bool file = strchr(name, '/') || (file_ends_in(name, ".yaml") && file_exists(beside));
    if (file)
        return beside;
    free(beside);
    return memory_strdup(name);
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
