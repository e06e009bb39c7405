/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/run/read_views.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "core/sealed.h"
#include "profile/record/internal.h"
#include "yaml/yaml.h"

/* What stays in memory when nobody has it: the numbers of a view take about half of its text. */
enum { KEPT = 64, KEPT_BYTES = 64 << 20 };

/* The same file, as far as it can be told without reading it. */
struct identity {
    dev_t device;
    ino_t inode;
    off_t bytes;
    struct timespec written;
};

struct entry {
    struct read_view view;
    struct profile *profile;
    char *path;
    struct identity identity;
    unsigned holders; /* the list is one */
};

static struct {
    pthread_mutex_t lock;      /* of all below, and of the entries' holders */
    struct entry *items[KEPT]; /* who was asked for last stands last */
    size_t count;
    uint64_t bytes, parsed;
    bool begun; /* forgets all at exit, so that memory that is lost can be told from it */
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool identify(const char *path, struct identity *out)
{
    struct stat status;
    memset(out, 0, sizeof *out);
    if (stat(path, &status) != 0)
        return false;
    out->device = status.st_dev;
    out->inode = status.st_ino;
    out->bytes = status.st_size;
    out->written = status.st_mtim;
    return true;
}

static bool is_same(const struct identity *a, const struct identity *b)
{
    return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
           a->written.tv_sec == b->written.tv_sec && a->written.tv_nsec == b->written.tv_nsec;
}

static void entry_destroy(struct entry *entry)
{
    profile_destroy(entry->profile);
    free(entry->path);
    free(entry);
}

/* One holder less: whether it was the last one. Under the lock. */
static bool leave(struct entry *entry)
{
    return --entry->holders == 0;
}

static void release(struct profile_held *held)
{
    struct entry *entry = (struct entry *)(void *)held;
    pthread_mutex_lock(&kept.lock);
    bool last = leave(entry);
    pthread_mutex_unlock(&kept.lock);
    if (last)
        entry_destroy(entry);
}

/* Takes an entry out of the list; under the lock. */
static struct entry *take_out(size_t i)
{
    struct entry *entry = kept.items[i];
    kept.bytes -= (uint64_t)entry->identity.bytes;
    kept.count--;
    memmove(&kept.items[i], &kept.items[i + 1], (kept.count - i) * sizeof *kept.items);
    return entry;
}

static void put_in(struct entry *entry)
{
    kept.bytes += (uint64_t)entry->identity.bytes;
    kept.items[kept.count++] = entry;
}

static void drop(size_t i)
{
    struct entry *entry = take_out(i);
    if (leave(entry))
        entry_destroy(entry);
}

/* The entry of that path, as the most recent one; an older file's goes. */
static struct entry *find(const char *path, const struct identity *identity)
{
    size_t i = 0;
    while (i < kept.count && strcmp(kept.items[i]->path, path) != 0)
        i++;
    if (i == kept.count)
        return NULL;
    if (!is_same(&kept.items[i]->identity, identity)) {
        drop(i);
        return NULL;
    }
    struct entry *entry = take_out(i);
    put_in(entry);
    entry->holders++;
    return entry;
}

void read_views_forget(void)
{
    pthread_mutex_lock(&kept.lock);
    while (kept.count)
        drop(0);
    pthread_mutex_unlock(&kept.lock);
}

static void keep(struct entry *entry)
{
    size_t i = 0;
    if (!kept.begun)
        kept.begun = atexit(read_views_forget) == 0;
    while (i < kept.count && strcmp(kept.items[i]->path, entry->path) != 0)
        i++;
    if (i < kept.count) /* another thread was sooner */
        drop(i);
    while (kept.count &&
           (kept.count == KEPT || kept.bytes + (uint64_t)entry->identity.bytes > KEPT_BYTES))
        drop(0);
    entry->holders++;
    put_in(entry);
}

static int parse(const char *path, bool tell, struct profile *profile)
{
    struct error ignored;
    struct yaml_document *document = NULL;
    struct text text = {0};
    int status = sealed_read(path, tell, &text) ? 0 : STATUS_FAILED;
    if (!status)
        status = yaml_parse(path, text.data, text.length, &document, &ignored);
    text_free(&text);
    if (!status)
        status = profile_read(document->root, profile, &ignored);
    yaml_destroy(document);
    return !status && profile->n_views == 1 ? 0 : STATUS_FAILED;
}

struct read_view *read_views_take(const char *path, bool tell)
{
    struct identity before, after;
    if (!identify(path, &before))
        return NULL;
    pthread_mutex_lock(&kept.lock);
    struct entry *entry = find(path, &before);
    kept.parsed += entry == NULL;
    pthread_mutex_unlock(&kept.lock);
    if (entry)
        return &entry->view;
    struct profile *profile = profile_create();
    if (parse(path, tell, profile)) {
        profile_destroy(profile);
        return NULL;
    }
    entry = memory_zero(1, sizeof *entry);
    entry->view = (struct read_view){{release}, profile};
    entry->profile = profile;
    entry->path = memory_strdup(path);
    entry->identity = before;
    entry->holders = 1;
    /* One that was replaced meanwhile is one or the other: good for who asked, not for the next. */
    if (identify(path, &after) && is_same(&before, &after) && before.bytes <= KEPT_BYTES) {
        pthread_mutex_lock(&kept.lock);
        keep(entry);
        pthread_mutex_unlock(&kept.lock);
    }
    return &entry->view;
}

/* --- copies ------------------------------------------------------------------------ */

static void *copy(struct arena *arena, const void *items, size_t count, size_t size)
{
    void *copied = count ? arena_alloc(arena, count * size) : NULL;
    return count ? memcpy(copied, items, count * size) : NULL;
}

/* As deep as profile_view_restrict changes records: what curves point to is the view's. */
static struct profile_record *copy_records(struct arena *arena,
                                           const struct profile_record *records, size_t n)
{
    struct profile_record *copied = copy(arena, records, n, sizeof *records);
    for (size_t i = 0; i < n; i++) {
        struct profile_record *record = &copied[i];
        record->curves = copy(arena, record->curves, record->n_curves, sizeof *record->curves);
        record->prefixes = copy_records(arena, record->prefixes, record->n_prefixes);
    }
    return copied;
}

void read_views_append(struct profile *into, struct read_view *view)
{
    struct profile_view own = view->profile->views[0];
    own.records = copy_records(into->arena, own.records, own.n_records);
    profile_view_append(into, &own);
    profile_hold(into, &view->held);
}

uint64_t read_views_parsed(void)
{
    pthread_mutex_lock(&kept.lock);
    uint64_t parsed = kept.parsed;
    pthread_mutex_unlock(&kept.lock);
    return parsed;
}
