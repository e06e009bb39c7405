/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several files, published together. */
#include "core/file_set.h"

#include <fcntl.h>
#include <sys/file.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct file_set *file_set_create(const char *folder)
{
    struct file_set *set = memory_zero(1, sizeof *set);
    set->folder = memory_strdup(folder);
    return set;
}

static struct file_set_entry *entry_create(const char *name)
{
    struct file_set_entry *entry = memory_zero(1, sizeof *entry);
    entry->name = memory_strdup(name);
    return entry;
}

static void entry_destroy(struct file_set_entry *entry)
{
    file_writer_abandon(&entry->writer);
    free(entry->name);
    free(entry);
}

static void entries_destroy(struct file_set_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++)
        entry_destroy(entries->items[i]);
    VECTOR_FREE(entries);
}

void file_set_destroy(struct file_set *set)
{
    if (!set)
        return;
    entries_destroy(&set->entries);
    entries_destroy(&set->stale);
    free(set->folder);
    free(set);
}

static struct file_set_entry *entry_find(const struct file_set_entries *entries, const char *name)
{
    for (size_t i = 0; i < entries->count; i++)
        if (strcmp(entries->items[i]->name, name) == 0)
            return entries->items[i];
    return NULL;
}

int file_set_open(struct file_set *set, const char *name, FILE **stream, struct error *error)
{
    struct file_set_entry *entry = entry_create(name);
    struct text path = {0};
    text_printf(&path, "%s/%s", set->folder, name);
    int status = file_writer_open(&entry->writer, path.data, error);
    text_free(&path);
    if (status) {
        entry_destroy(entry);
        return status;
    }
    *stream = entry->writer.stream;
    VECTOR_PUSH(&set->entries, entry);
    return 0;
}

struct file_set_entry *file_set_opened(const struct file_set *set)
{
    size_t i = 0;
    while (!set->entries.items[i]->writer.stream)
        i++;
    return set->entries.items[i];
}

static void entries_remove(struct file_set_entries *entries, const struct file_set_entry *entry)
{
    size_t left = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i] != entry)
            entries->items[left++] = entries->items[i];
    entries->count = left;
}

int file_set_close(struct file_set *set, int status, struct error *error)
{
    struct file_set_entry *entry = file_set_opened(set);
    /* Where the disk is full, that is the reason, whatever else was noticed of it. */
    if (!status || ferror(entry->writer.stream))
        status = file_writer_finish(&entry->writer, entry->hash, error);
    if (!status)
        return 0;
    entries_remove(&set->entries, entry);
    entry_destroy(entry);
    return status;
}

int file_set_write(struct file_set *set, const char *name, const void *data, size_t size,
                   struct error *error)
{
    FILE *stream;
    int status = file_set_open(set, name, &stream, error);
    if (status)
        return status;
    fwrite(data, 1, size, stream); /* errors are sticky: closing reports them */
    return file_set_close(set, 0, error);
}

void file_set_replaces(struct file_set *set, const char *name)
{
    struct text path = {0};
    if (entry_find(&set->stale, name))
        return;
    struct file_set_entry *entry = entry_create(name);
    text_printf(&path, "%s/%s", set->folder, name);
    entry->writer.path = path.data;
    VECTOR_PUSH(&set->stale, entry);
}

/* --- publishing --------------------------------------------------------------------------- */

/* The steps in order: what goes, then the new files from the last one on. A program that is killed
 * between two of them leaves a folder whose last file, old or new, tells that others differ. */
static int set_steps(struct file_set *set, struct file_set_entries *steps, struct error *error)
{
    int status = 0;
    for (size_t i = 0; i < set->stale.count; i++)
        if (!entry_find(&set->entries, set->stale.items[i]->name))
            VECTOR_PUSH(steps, set->stale.items[i]);
    for (size_t i = set->entries.count; i > 0; i--)
        VECTOR_PUSH(steps, set->entries.items[i - 1]);
    for (size_t i = 0; i < steps->count; i++)
        file_writer_save(&steps->items[i]->writer);
    for (size_t i = 0; i < steps->count && !status; i++)
        status = file_writer_publish(&steps->items[i]->writer, error);
    return status;
}

int file_set_publish(struct file_set *set, struct error *error)
{
    struct file_set_entries steps = {0};
    int folder = open(set->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0)
        flock(folder, LOCK_EX); /* one set after the other, never one half of each */
    int status = set_steps(set, &steps, error);
    for (size_t i = steps.count; status && i > 0; i--)
        file_writer_restore(&steps.items[i - 1]->writer);
    VECTOR_FREE(&steps);
    if (folder >= 0) {
        fsync(folder); /* the names */
        close(folder);
    }
    entries_destroy(&set->entries);
    entries_destroy(&set->stale);
    return status;
}
