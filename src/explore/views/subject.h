/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A subject is a workload under study: a stored or hand-made profile, or a
 * source (trace, loop nest, irregular kernel) that is profiled when a view is
 * needed and cached. */
#ifndef BANDSCAPE_EXPLORE_SUBJECT_H
#define BANDSCAPE_EXPLORE_SUBJECT_H

#include <stdbool.h>

#include "explore/views/filling_source.h"
#include "machine/machine.h"
#include "model/model.h"
#include "profile/record/profile.h"
#include "profile/run/profiler.h"
#include "trace/stream.h"

struct subject {
    char *name;              /* short */
    const char *spec;        /* as the user wrote it; lives as long as its caller's text */
    const struct mark *mark; /* where that stands; NULL: nowhere */
    struct source *source;   /* NULL: only the profile's own views */
    struct profile *stored;  /* the profile that was named; NULL: none */
    struct filling_source filling;
    struct {
        struct profile **items;
        size_t count, capacity;
    } made; /* one view each, made or read from the cache */
};

/* `spec`: a profile's path, or what source_open takes. */
int subject_open(const char *spec, struct subject **out, struct error *error);
void subject_destroy(struct subject *subject);
/* As it was when it was opened: views that were made go. */
void subject_forget_views(struct subject *subject);

/* What is doubtful of its trace; the stored profile's where its source is not there. */
size_t subject_warnings(const struct subject *subject, const char *const **out);

/* True when the profile is a point (or points): it fits any machine, and
 * nothing structural changes it. */
bool subject_is_point(const struct subject *subject);

/* The view that fits the machine. */
int subject_view(const struct subject *subject, const struct machine *machine,
                 const struct profile_view **out, struct error *error);

/* The views that a model asks for: the machine's and its variants'. */
int subject_views(const struct subject *subject, const struct model *model,
                  const struct machine *machine, struct model_views *out, struct error *error);

/* A view that is needed. */
struct subject_task {
    struct subject *subject;
    const struct machine *machine;
    unsigned parts;               /* of the profile that are needed: enum profile_part */
    struct profile_effort effort; /* where it is made */
    bool keep;                    /* a view that the cache cannot keep is an error */
    bool planned;                 /* by subject_plan, which then has said for these parts: */
    bool cached;
};

/* Drops tasks whose view is there already or is asked for twice, and says of
 * the others whether the cache holds them. Returns how many are left. */
size_t subject_plan(struct subject_task *tasks, size_t count);

/* Makes the planned views, several at a time: by one pass together those that can be
 * (explore/views/view_groups.h). */
int subject_prepare(const struct subject_task *tasks, size_t count, int threads,
                    struct error *error);
/* Some of those for which a bar was begun. */
int subject_prepare_some(const struct subject_task *tasks, size_t count, int threads,
                         struct error *error);

/* What models ask of a machine: the parts of profiles are added to *parts, and the variants of it
 * that they compare, which are the caller's to destroy, also after an error, come into `variants`,
 * with room for MODEL_VARIANTS_MAX each. A variant that cannot be is left out: the model says so
 * when it is asked. */
int subject_variants(const struct model *const *models, size_t n_models,
                     const struct machine *machine, unsigned *parts, struct machine **variants,
                     size_t *n_variants, struct error *error);

/* Makes all views that models ask for of a machine and its variants. `parts`: of profiles
 * (enum profile_part), beside those that the models read for the machine. `effort`: NULL: exact
 * ones. *made: how many views were not there. */
int subject_prepare_models(struct subject *subject, const struct machine *machine,
                           const struct model *const *models, size_t n_models, unsigned parts,
                           const struct profile_effort *effort, size_t *made, struct error *error);

#endif
