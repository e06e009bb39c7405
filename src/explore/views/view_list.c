/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/views/view_list.h"

#include <stdlib.h>
#include <string.h>

static void hash_parameter(void *context, const char *path, const char *value)
{
    hash_content_string(context, path);
    hash_content_string(context, value);
}

static void view_key(const struct subject_task *task, char out[HASH_TEXT])
{
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, task->subject->source->hash);
    machine_visit(task->machine, STRUCTURE_STREAM, hash_parameter, hash);
    machine_visit(task->machine, STRUCTURE_HOME, hash_parameter, hash);
    hash_content_end(hash, out);
}

void view_list_add(struct view_list *list, const struct subject_task *tasks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct view_listed view = {.cached = tasks[i].cached};
        size_t k = 0;
        if (!tasks[i].subject->source)
            continue;
        view_key(&tasks[i], view.key);
        while (k < list->count && strcmp(list->items[k].key, view.key) != 0)
            k++;
        if (k == list->count)
            VECTOR_PUSH(list, view);
        else
            list->items[k].cached &= view.cached;
    }
}

size_t view_list_cached(const struct view_list *list)
{
    size_t cached = 0;
    for (size_t i = 0; i < list->count; i++)
        cached += list->items[i].cached;
    return cached;
}

size_t view_list_sort(struct subject_task *tasks, size_t count)
{
    char(*keys)[HASH_TEXT] = memory_zero(count, sizeof *keys);
    struct subject_task *again = memory_zero(count, sizeof *again);
    size_t n = 0, n_again = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        if (tasks[i].subject->source)
            view_key(&tasks[i], keys[n]);
        else
            memset(keys[n], 0, sizeof keys[n]); /* nothing is made: each for itself */
        while (k < n && (!keys[n][0] || strcmp(keys[k], keys[n]) != 0))
            k++;
        if (k < n) {
            tasks[k].parts |= tasks[i].parts;
            again[n_again++] = tasks[i];
        } else {
            tasks[n++] = tasks[i];
        }
    }
    for (size_t i = 0; i < n_again; i++)
        tasks[n + i] = again[i];
    free(keys);
    free(again);
    return n;
}

void view_list_fini(struct view_list *list)
{
    VECTOR_FREE(list);
}
