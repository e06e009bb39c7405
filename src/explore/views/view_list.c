/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/views/view_list.h"

#include <stdlib.h>
#include <string.h>

#include "explore/views/view_groups.h"

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

static int own_subject(struct view_list *list, const struct subject *from, struct subject **out,
                       struct error *error)
{
    for (size_t i = 0; i < list->subjects.count; i++) {
        *out = list->subjects.items[i];
        if (strcmp((*out)->source->hash, from->source->hash) == 0)
            return 0;
    }
    int status = subject_open(from->source->spec, out, error);
    if (status)
        return status;
    (*out)->spec = (*out)->source->spec; /* the other's may go */
    VECTOR_PUSH(&list->subjects, *out);
    return 0;
}

/* With the parts that all tasks want of it. */
static void want(struct view_listed *view, unsigned parts)
{
    if ((view->task.parts | parts) == view->task.parts)
        return;
    view->task.parts |= parts;
    view->task.planned = false;
    subject_plan(&view->task, 1);
}

static int add_one(struct view_list *list, const struct subject_task *task, struct error *error)
{
    struct view_listed view = {.task = *task};
    view_key(task, view.key);
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->items[k].key, view.key) == 0) {
            want(&list->items[k], task->parts);
            return 0;
        }
    int status = own_subject(list, task->subject, &view.task.subject, error);
    if (status)
        return status;
    view.machine = machine_clone(task->machine);
    view.task.machine = view.machine;
    VECTOR_PUSH(list, view);
    return 0;
}

int view_list_add(struct view_list *list, const struct subject_task *tasks, size_t count,
                  struct error *error)
{
    int status = 0;
    for (size_t i = 0; i < count && !status; i++)
        if (tasks[i].subject->source)
            status = add_one(list, &tasks[i], error);
    return status;
}

size_t view_list_cached(const struct view_list *list)
{
    size_t cached = 0;
    for (size_t i = 0; i < list->count; i++)
        cached += list->items[i].task.cached;
    return cached;
}

/* Into *out those that the cache lacks; free() it. */
static size_t missing(const struct view_list *list, struct subject_task **out)
{
    size_t count = 0;
    *out = memory_zero(list->count, sizeof **out);
    for (size_t i = 0; i < list->count; i++)
        if (!list->items[i].task.cached)
            (*out)[count++] = list->items[i].task;
    return count;
}

size_t view_list_passes(const struct view_list *list)
{
    struct subject_task *tasks;
    size_t count = missing(list, &tasks), passes = view_groups_passes(tasks, count);
    free(tasks);
    return passes;
}

int view_list_make(struct view_list *list, int threads, struct error *error)
{
    struct subject_task *tasks;
    struct error ignored;
    size_t count = missing(list, &tasks);
    int status = 0;
    if (count && profile_cache_check(&ignored) == 0)
        status = subject_prepare(tasks, count, threads, error);
    for (size_t i = 0; i < list->subjects.count; i++)
        subject_forget_views(list->subjects.items[i]);
    free(tasks);
    return status;
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
    for (size_t i = 0; i < list->count; i++)
        machine_destroy(list->items[i].machine);
    for (size_t i = 0; i < list->subjects.count; i++)
        subject_destroy(list->subjects.items[i]);
    VECTOR_FREE(&list->subjects);
    VECTOR_FREE(list);
}
