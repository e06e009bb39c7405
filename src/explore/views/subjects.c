/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads of a question. */
#include "explore/views/subjects.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "profile/run/read_views.h"
#include "profile/run/source_check.h"
#include "workload/open/spec.h"

/* --- kept open ------------------------------------------------------------------ */

enum { KEPT = 8 };

static struct {
    struct subject *items[KEPT]; /* the oldest first */
    char *specs[KEPT];
    size_t count;
    bool on;
} kept;

static struct subject *take(size_t i)
{
    struct subject *subject = kept.items[i];
    free(kept.specs[i]);
    kept.count--;
    for (; i < kept.count; i++) {
        kept.items[i] = kept.items[i + 1];
        kept.specs[i] = kept.specs[i + 1];
    }
    return subject;
}

/* One that was kept under that name, or a new one. */
static int open_one(const char *spec, struct subject **out, struct error *error)
{
    for (size_t i = 0; i < kept.count; i++)
        if (strcmp(kept.specs[i], spec) == 0) {
            *out = take(i);
            (*out)->spec = spec;
            return 0;
        }
    return subject_open(spec, out, error);
}

/* Whether it follows from its name: files, which others are read from, may change. */
static bool follows_from_name(const struct subject *subject)
{
    struct arena *arena = arena_create();
    struct workload_spec spec;
    struct error ignored;
    bool shipped = !subject->stored &&
                   workload_spec_parse(arena, subject->spec, &spec, &ignored) == 0 &&
                   workload_spec_is_shipped(&spec);
    for (size_t i = 0; shipped && i < spec.settings.count; i++)
        shipped = !file_exists(spec.settings.items[i].value);
    arena_destroy(arena);
    return shipped;
}

static void close_one(struct subject *subject)
{
    if (!kept.on || !follows_from_name(subject)) {
        subject_destroy(subject);
        return;
    }
    subject_forget_views(subject);
    if (kept.count == KEPT)
        subject_destroy(take(0));
    kept.specs[kept.count] = memory_strdup(subject->spec);
    kept.items[kept.count++] = subject;
    subject->spec = NULL;
}

void subjects_keep(bool keep)
{
    kept.on = keep;
    while (!keep && kept.count)
        subject_destroy(take(0));
    if (!keep)
        read_views_forget();
}

/* --- of a question -------------------------------------------------------------- */

int subjects_open(struct subjects *subjects, const struct subjects_request *request,
                  struct error *error)
{
    for (size_t i = 0; i < request->count; i++) {
        const struct mark *mark = request->marks ? &request->marks[i] : NULL;
        struct subject *subject;
        int status = open_one(request->specs[i], &subject, error);
        if (status) {
            error_place(error, mark);
            return status;
        }
        subject->mark = mark;
        VECTOR_PUSH(subjects, subject);
    }
    return request->strict ? subjects_refuse_warnings(subjects, error) : 0;
}

void subjects_close(struct subjects *subjects)
{
    for (size_t i = 0; i < subjects->count; i++)
        close_one(subjects->items[i]);
    VECTOR_FREE(subjects);
}

int subjects_refuse_warnings(const struct subjects *subjects, struct error *error)
{
    for (size_t i = 0; i < subjects->count; i++) {
        const struct subject *subject = subjects->items[i];
        const char *const *warnings;
        size_t count = subject_warnings(subject, &warnings);
        int status = source_refuse_warnings(subject->name, warnings, count, error);
        if (status) {
            error_place(error, subject->mark);
            return status;
        }
    }
    return 0;
}

bool subjects_have_streams(const struct subjects *subjects)
{
    for (size_t i = 0; i < subjects->count; i++)
        if (!subject_is_point(subjects->items[i]))
            return true;
    return false;
}
