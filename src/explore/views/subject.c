/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads under study. */
#include "explore/views/subject.h"

#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/progress.h"
#include "explore/views/view_groups.h"
#include "profile/run/source_check.h"
#include "profile/run/profiler.h"
#include "profile/files/open.h"

/* A stored profile can be extended when its source is still there, unchanged. */
static void subject_find_source(struct subject *subject)
{
    struct error ignored;
    struct source *source = NULL;
    if (!subject->stored->source || !subject->stored->source_hash)
        return;
    if (source_open_checked(subject->stored->source, &source, &ignored) == 0 &&
        strcmp(source->hash, subject->stored->source_hash) == 0)
        subject->source = source;
    else
        source_destroy(source);
}

int subject_open(const char *spec, struct subject **out, struct error *error)
{
    struct subject *subject = memory_zero(1, sizeof *subject);
    int status;
    *out = NULL;
    subject->spec = spec;
    if (profile_detect(spec)) {
        status = profile_load(spec, &subject->stored, error);
        if (!status) {
            subject_find_source(subject);
            subject->name = memory_strdup(subject->stored->name);
        }
    } else {
        status = source_open_checked(spec, &subject->source, error);
        if (!status)
            subject->name = memory_strdup(subject->source->name);
    }
    if (status) {
        subject_destroy(subject);
        return status;
    }
    filling_source_open(subject->stored ? subject->stored->source : spec, &subject->filling);
    *out = subject;
    return 0;
}

void subject_forget_views(struct subject *subject)
{
    for (size_t i = 0; i < subject->made.count; i++)
        profile_destroy(subject->made.items[i]);
    VECTOR_FREE(&subject->made);
}

void subject_destroy(struct subject *subject)
{
    if (!subject)
        return;
    subject_forget_views(subject);
    profile_destroy(subject->stored);
    source_destroy(subject->source);
    filling_source_close(&subject->filling);
    free(subject->name);
    free(subject);
}

size_t subject_warnings(const struct subject *subject, const char *const **out)
{
    if (subject->source) {
        *out = (const char *const *)subject->source->warnings.items;
        return subject->source->warnings.count;
    }
    *out = (const char *const *)subject->stored->warnings;
    return subject->stored->n_warnings;
}

bool subject_is_point(const struct subject *subject)
{
    return subject->stored && subject->stored->n_views == 1 &&
           subject->stored->views[0].n_keys == 0;
}

int subject_view(const struct subject *subject, const struct machine *machine,
                 const struct profile_view **out, struct error *error)
{
    struct error ignored;
    for (size_t i = subject->made.count; i > 0; i--) /* a later one may have more parts */
        if (profile_view_find(subject->made.items[i - 1], machine, out, &ignored) == 0)
            return 0;
    if (!subject->stored)
        return error_set(error, STATUS_FAILED, "workload %s has not been profiled", subject->name);
    int status = profile_view_find(subject->stored, machine, out, error);
    if (status)
        error_context(error, "workload %s", subject->name);
    return status;
}

int subject_views(const struct subject *subject, const struct model *model,
                  const struct machine *machine, struct model_views *out, struct error *error)
{
    *out = (struct model_views){{NULL}};
    int status = subject_view(subject, machine, &out->items[0], error);
    for (int v = 1; v <= model->n_variants && !status; v++) {
        struct machine *variant;
        status = model_variant(model, machine, v, &variant, error);
        if (!status && variant)
            status = subject_view(subject, variant, &out->items[v], error);
        machine_destroy(variant);
    }
    return status;
}

/* --- making views ------------------------------------------------------------ */

static void key_append(void *context, const char *path, const char *value)
{
    text_printf(context, "%s=%s\n", path, value);
}

static char *task_key(const struct subject_task *task)
{
    struct text key = {0};
    text_printf(&key, "%p\n", (void *)task->subject);
    machine_visit(task->machine, STRUCTURE_STREAM, key_append, &key);
    machine_visit(task->machine, STRUCTURE_HOME, key_append, &key);
    return key.data;
}

static struct profile_options task_options(const struct subject_task *task)
{
    return (struct profile_options){
        .parts = task->parts, .effort = task->effort, .keep = task->keep};
}

size_t subject_plan(struct subject_task *tasks, size_t count)
{
    size_t kept = 0;
    char **keys = memory_zero(count, sizeof *keys);
    for (size_t i = 0; i < count; i++) {
        struct error ignored;
        const struct profile_view *view;
        if (subject_view(tasks[i].subject, tasks[i].machine, &view, &ignored) == 0 &&
            (!tasks[i].subject->source || (tasks[i].parts & ~view->parts) == 0))
            continue;
        char *key = task_key(&tasks[i]);
        size_t k = 0;
        while (k < kept && strcmp(keys[k], key) != 0)
            k++;
        unsigned parts = tasks[i].parts | (k < kept ? tasks[k].parts : 0);
        if (k < kept) {
            free(key);
        } else {
            keys[k] = key;
            tasks[k] = tasks[i];
            kept++;
        }
        bool known = tasks[k].planned && parts == tasks[k].parts;
        tasks[k].parts = parts;
        tasks[k].planned = true;
        struct profile_options options = task_options(&tasks[k]);
        if (!known)
            tasks[k].cached =
                tasks[k].subject->source &&
                profile_is_cached(tasks[k].subject->source, tasks[k].machine, &options);
    }
    for (size_t k = 0; k < kept; k++)
        free(keys[k]);
    free(keys);
    return kept;
}

struct preparation {
    const struct subject_task *tasks;
    const struct view_groups *groups;
    struct profile **profiles;
    bool progress;
    int threads; /* for one pass: those that other ones leave idle */
};

/* Views of one pass; or one that is stored or cached. */
static int prepare_group(void *context, uint64_t item, struct error *error)
{
    const struct preparation *p = context;
    const struct view_group *group = &p->groups->items[item];
    const struct subject_task *first = &p->tasks[group->tasks[0]];
    struct profile_options options = task_options(first);
    const struct profile_view *view;
    options.threads = p->threads;
    options.progress = p->progress;
    if (!first->subject->source) /* says which parameter differs */
        return subject_view(first->subject, first->machine, &view, error);
    struct profile_wanted *wanted = memory_zero(group->count, sizeof *wanted);
    for (size_t i = 0; i < group->count; i++)
        wanted[i] = (struct profile_wanted){.profile = profile_create(),
                                            .machine = p->tasks[group->tasks[i]].machine,
                                            .parts = p->tasks[group->tasks[i]].parts};
    int status =
        profile_obtain_together(wanted, group->count, first->subject->source, &options, error);
    for (size_t i = 0; i < group->count; i++) {
        if (!p->progress)
            progress_item();
        if (status)
            profile_destroy(wanted[i].profile);
        else
            p->profiles[group->tasks[i]] = wanted[i].profile;
    }
    free(wanted);
    if (status)
        error_context(error, "workload %s", first->subject->name);
    return status;
}

static int prepare(struct preparation *p, size_t count, int threads, struct error *error)
{
    struct view_groups groups;
    view_groups_make(p->tasks, count, &groups);
    p->groups = &groups;
    p->threads = groups.count && (size_t)threads > groups.count ? threads / (int)groups.count : 1;
    p->profiles = memory_zero(count, sizeof *p->profiles);
    int status = parallel_try(threads, groups.count, prepare_group, p, NULL, error);
    for (size_t i = 0; i < count; i++)
        if (p->profiles[i])
            VECTOR_PUSH(&p->tasks[i].subject->made, p->profiles[i]);
    free(p->profiles);
    view_groups_fini(&groups);
    if (status == STATUS_INTERRUPTED)
        error_hint(error, "finished views are cached: the same command goes on from there; a "
                          "shipped workload scaled down (size=x1/16) is sooner done");
    return status;
}

int subject_prepare(const struct subject_task *tasks, size_t count, int threads,
                    struct error *error)
{
    struct preparation p = {.tasks = tasks, .progress = count == 1};
    if (count > 1) /* a single view draws a bar of its own */
        progress_begin_items("profiling", "views", count, "requests");
    int status = prepare(&p, count, threads, error);
    if (count > 1)
        progress_end();
    return status;
}

int subject_prepare_some(const struct subject_task *tasks, size_t count, int threads,
                         struct error *error)
{
    struct preparation p = {.tasks = tasks};
    return prepare(&p, count, threads, error);
}

int subject_variants(const struct model *const *models, size_t n_models,
                     const struct machine *machine, unsigned *parts, struct machine **variants,
                     size_t *n_variants, struct error *error)
{
    int status = 0;
    *n_variants = 0;
    for (size_t m = 0; m < n_models && !status; m++) {
        unsigned own = 0;
        status = model_parts(models[m], machine, &own, error);
        *parts |= own;
    }
    for (size_t m = 0; m < n_models; m++)
        for (int v = 1; v <= models[m]->n_variants && !status; v++) {
            status = model_variant(models[m], machine, v, &variants[*n_variants], error);
            *n_variants += variants[*n_variants] != NULL;
            if (status == STATUS_INFEASIBLE)
                status = 0;
        }
    return status;
}

int subject_prepare_models(struct subject *subject, const struct machine *machine,
                           const struct model *const *models, size_t n_models, unsigned parts,
                           const struct profile_effort *effort, size_t *made, struct error *error)
{
    size_t room = n_models * MODEL_VARIANTS_MAX + 1, n_variants;
    struct machine **variants = memory_zero(room, sizeof *variants);
    struct subject_task *tasks = memory_zero(room, sizeof *tasks);
    *made = 0;
    int status = subject_variants(models, n_models, machine, &parts, variants, &n_variants, error);
    for (size_t i = 0; i <= n_variants; i++)
        tasks[i] = (struct subject_task){.subject = subject,
                                         .machine = i ? variants[i - 1] : machine,
                                         .parts = parts,
                                         .effort = effort ? *effort : (struct profile_effort){0}};
    if (!status) {
        *made = subject_plan(tasks, n_variants + 1);
        status = subject_prepare(tasks, *made, *made > 1 ? parallel_cores() : 1, error);
    }
    for (size_t i = 0; i < n_variants; i++)
        machine_destroy(variants[i]);
    free(variants);
    free(tasks);
    return status;
}
