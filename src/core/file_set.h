/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of one folder that belong together: all of them appear under their names, or none. They
 * are written to temporary files beside (core/file.h) and get their names when the last one is
 * complete; what an earlier set had and this one has not is removed then. */
#ifndef BANDSCAPE_CORE_FILE_SET_H
#define BANDSCAPE_CORE_FILE_SET_H

#include "core/file.h"

struct file_set_entry {
    char *name; /* in the folder */
    char hash[HASH_TEXT];
    struct file_writer writer; /* of a file that goes: with a path alone */
};

struct file_set {
    char *folder;
    struct file_set_entries {
        struct file_set_entry **items;
        size_t count, capacity;
    } entries, stale;
};

struct file_set *file_set_create(const char *folder);
/* Takes away what is not published. NULL is legal. */
void file_set_destroy(struct file_set *set);

/* One more file. Write to the stream; file_set_close says whether that succeeded. `status`: of what
 * was to be written; anything but 0 is returned, and the file is not part of the set. Several may
 * be open: the one that was opened first is closed first. */
int file_set_open(struct file_set *set, const char *name, FILE **stream, struct error *error);
int file_set_close(struct file_set *set, int status, struct error *error);
/* The one that is closed next; there has to be one. */
struct file_set_entry *file_set_opened(const struct file_set *set);
int file_set_write(struct file_set *set, const char *name, const void *data, size_t size,
                   struct error *error);

/* A file of an earlier set, removed when this one is published unless it is in it too. */
void file_set_replaces(struct file_set *set, const char *name);

/* Gives the files their names, the last one first: it says of the others what they are. When that
 * fails on the way, the folder is as it was; a program killed on the way leaves files that are not
 * what the last one says. */
int file_set_publish(struct file_set *set, struct error *error);

#endif
