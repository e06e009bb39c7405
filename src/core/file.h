/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files: read whole, written atomically, and where the shipped data are. */
#ifndef BANDSCAPE_CORE_FILE_H
#define BANDSCAPE_CORE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"

/* Reads a whole file of at most `limit` bytes; *data is NUL-terminated, free() it.
 * STATUS_INTERRUPTED on Ctrl-C, also while a pipe or a terminal keeps it waiting. */
int file_read(const char *path, size_t limit, char **data, size_t *size, struct error *error);

/* A file that appears under its name only when it is complete: everything goes
 * to a temporary file beside it (.bandscape-PID-N.partial), locked while it is written; one that is
 * neither locked nor of a living process is a killed program's, also where two containers share the
 * folder, and is removed when the next one writes there. Commit checks every write, syncs, renames;
 * abandon (or a killed process) leaves the old file as it was. Errors of the stream are sticky:
 * commit says which was the first. */
struct file_writer {
    FILE *stream;
    char *path, *temporary;
    struct file_sink *sink;
    char *old; /* a second name of the file that had the path */
    bool published;
};
int file_writer_open(struct file_writer *writer, const char *path, struct error *error);
int file_writer_commit(struct file_writer *writer, struct error *error);
void file_writer_abandon(struct file_writer *writer); /* legal on a zeroed or finished writer */
/* Commits, or abandons when `status` says that what should be written failed. */
int file_writer_end(struct file_writer *writer, int status, struct error *error);
/* Parts of commit, for several files at once (core/file_set.h); each leaves the writer to be
 * abandoned. All is on the disk, and its content hash; the old file is kept beside; the new one
 * gets its name (of a writer that has but a path: the file is removed); the old one is back. */
int file_writer_finish(struct file_writer *writer, char hash[HASH_TEXT], struct error *error);
void file_writer_save(struct file_writer *writer);
int file_writer_publish(struct file_writer *writer, struct error *error);
void file_writer_restore(struct file_writer *writer);

/* Writes a whole buffer atomically. */
int file_write(const char *path, const void *data, size_t size, struct error *error);

/* mkdir -p. */
int file_make_directory(const char *path, struct error *error);
bool file_exists(const char *path);
bool file_is_directory(const char *path);
bool file_is_same(const char *path, const char *other); /* false unless both exist */

/* "a/b.c" -> "b.c" (points into path). */
const char *file_base_name(const char *path);
/* Whether a path has something and this at its end. */
bool file_ends_in(const char *path, const char *suffix);
/* The folder of a path without the slash; "." when it has none. free() it. */
char *file_directory(const char *path);
/* `name` relative to the folder of `base` unless absolute. free() it. */
char *file_beside(const char *base, const char *name);
/* What the file `base` calls something shipped or a file: a path is relative to base, and so is
 * NAME.yaml where there is such a file beside it; else the name as it is. free() it. */
char *file_named_in(const char *base, const char *name);

/* Removes temporary files of unfinished writers: for a signal or an exit. */
void file_remove_temporaries(void);

/* A shipped file: "models/sac/sac.yaml" beside the binary or under the
 * installed data folder. free() the result; NULL when there is none. */
char *file_shipped(const char *relative);

/* Names in a folder, sorted by strcmp; free each and the array. Empty when it
 * cannot be read. */
size_t file_list(const char *path, char ***names);

#endif
