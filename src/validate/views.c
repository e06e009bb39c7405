/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of workloads, several of each. */
#include "validate/views.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/progress.h"

static int make_one(void *context, uint64_t item, struct error *error)
{
    const struct validation_views *v = context;
    int i = (int)(item % v->each);
    struct profile_options options = {
        .threads = 1, .effort = v->effort(i), .few_lines = v->few && i != 0};
    const struct subject *subject = v->subjects.list.items[item / v->each];
    bool cached;
    int status = profile_obtain(v->profiles[item], subject->source, v->request->machine, &options,
                                &cached, error);
    progress_item();
    return status;
}

/* Stored profiles have the curves they have. */
static int need_sources(const struct validation_subjects *subjects, const char *what,
                        struct error *error)
{
    for (size_t i = 0; i < subjects->list.count; i++)
        if (!subjects->list.items[i]->source) {
            error_set(error, STATUS_INPUT, "workload %s: its source is needed, to %s",
                      subjects->labels.items[i], what);
            error_hint(error, "name a workload or a trace");
            return STATUS_INPUT;
        }
    return 0;
}

int validation_views_open(struct validation_views *v, const struct validation_request *request,
                          size_t each, struct profile_effort (*effort)(int i), bool few,
                          const char *what, struct sheet *rows, struct error *error)
{
    uint64_t failed;
    *v = (struct validation_views){.request = request, .each = each, .effort = effort, .few = few};
    int status = validation_subjects_open(&v->subjects, request, rows, error);
    if (!status)
        status = need_sources(&v->subjects, what, error);
    if (status)
        return status;
    size_t count = v->subjects.list.count * each;
    v->profiles = memory_zero(count, sizeof *v->profiles);
    for (size_t i = 0; i < count; i++)
        v->profiles[i] = profile_create();
    progress_begin_items("profiling", "views", count, "requests");
    status = parallel_try(request->threads, count, make_one, v, &failed, error);
    progress_end();
    if (status)
        error_context(error, "workload %s", v->subjects.labels.items[failed / each]);
    return status;
}

void validation_views_close(struct validation_views *v)
{
    for (size_t i = 0; v->profiles && i < v->subjects.list.count * v->each; i++)
        profile_destroy(v->profiles[i]);
    free(v->profiles);
    validation_subjects_close(&v->subjects);
}

const struct profile_view *validation_view(const struct validation_views *v, size_t subject,
                                           size_t i)
{
    return &v->profiles[subject * v->each + i]->views[0];
}
