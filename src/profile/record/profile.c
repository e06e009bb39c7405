/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles: views, their keys and parts. Fields are fields.c, the file's text
 * profile_write.c and profile_read.c, the cache profile_cache.c. */
#include "profile/record/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/version.h"
#include "profile/record/internal.h"

struct profile *profile_create(void)
{
    struct arena *arena = arena_create();
    struct profile *profile = arena_alloc(arena, sizeof *profile);
    profile->arena = arena;
    profile->name = "";
    return profile;
}

void profile_destroy(struct profile *profile)
{
    if (!profile)
        return;
    for (size_t i = 0; i < profile->held.count; i++)
        profile->held.items[i]->release(profile->held.items[i]);
    VECTOR_FREE(&profile->held);
    arena_destroy(profile->arena);
}

void profile_hold(struct profile *profile, struct profile_held *held)
{
    VECTOR_PUSH(&profile->held, held);
}

const struct profile_curve *profile_curve_find(const struct profile_record *record,
                                               const char *scope, const char *side,
                                               const char *filter)
{
    for (size_t i = 0; i < record->n_curves; i++) {
        const struct profile_curve *curve = &record->curves[i];
        if (strcmp(curve->scope, scope) == 0 && strcmp(curve->side, side) == 0 &&
            strcmp(curve->filter, filter) == 0)
            return curve;
    }
    return NULL;
}

/* --- keys --------------------------------------------------------------------- */

struct key_list {
    struct arena *arena;
    struct profile_key *items;
    size_t count, capacity;
};

static void key_add(void *context, const char *path, const char *value)
{
    struct key_list *list = context;
    struct profile_key key = {arena_strdup(list->arena, path), arena_strdup(list->arena, value)};
    VECTOR_PUSH(list, key);
}

void profile_key_read(const struct machine *machine, struct arena *arena, struct profile_view *view)
{
    struct key_list list = {.arena = arena};
    machine_visit(machine, STRUCTURE_STREAM, key_add, &list);
    machine_visit(machine, STRUCTURE_HOME, key_add, &list);
    view->n_keys = list.count;
    view->keys = arena_alloc(arena, list.count * sizeof *view->keys);
    if (list.count)
        memcpy(view->keys, list.items, list.count * sizeof *view->keys);
    VECTOR_FREE(&list);
}

/* The view's value; NULL when it has none. */
static const char *key_value(const struct profile_view *view, const char *path)
{
    for (size_t i = 0; i < view->n_keys; i++)
        if (strcmp(view->keys[i].path, path) == 0)
            return view->keys[i].value;
    return NULL;
}

/* The first parameter, in table order, in which the view is another machine's. */
struct difference {
    const char *path, *here, *there; /* here, there: NULL where it is not set */
    size_t count;                    /* of all that differ */
};

static void difference_note(struct difference *difference, const char *path, const char *here,
                            const char *there)
{
    if (here && there && strcmp(here, there) == 0)
        return;
    if (difference->count++ == 0) {
        difference->path = path;
        difference->here = here;
        difference->there = there;
    }
}

static struct difference view_difference(const struct profile_view *wanted,
                                         const struct profile_view *view)
{
    struct difference difference = {0};
    if (view->n_keys == 0)
        return difference;
    for (size_t i = 0; i < wanted->n_keys; i++)
        difference_note(&difference, wanted->keys[i].path, wanted->keys[i].value,
                        key_value(view, wanted->keys[i].path));
    for (size_t i = 0; i < view->n_keys; i++)
        if (!key_value(wanted, view->keys[i].path))
            difference_note(&difference, view->keys[i].path, NULL, view->keys[i].value);
    return difference;
}

static const char *shown(const char *value)
{
    return value ? value : "not set";
}

static int no_view(const struct profile *profile, const struct profile_view *wanted,
                   struct error *error)
{
    enum { SHOWN_VIEWS = 6 };
    struct difference nearest = {.count = SIZE_MAX};
    struct text present = {0};
    const char *where = profile->path ? profile->path : profile->name;
    if (profile->n_views == 0)
        return error_set(error, STATUS_INPUT, "%.200s holds no view", where);
    for (size_t i = 0; i < profile->n_views; i++) {
        struct difference d = view_difference(wanted, &profile->views[i]);
        if (d.count < nearest.count)
            nearest = d;
        if (i < SHOWN_VIEWS)
            text_printf(&present, "%s%s %s", i ? "; " : "", d.path, shown(d.there));
    }
    if (profile->n_views > SHOWN_VIEWS)
        text_append(&present, "; ...");
    error_set(error, STATUS_INPUT,
              "%.200s has no view of this machine: %s is %s, the nearest view has %s "
              "(views present: %zu, with %s)",
              where, nearest.path, shown(nearest.here), shown(nearest.there), profile->n_views,
              present.data);
    if (profile->source)
        error_hint(error, "profile it for this machine: bandscape profile %.200s --machine ...",
                   profile->source);
    else
        error_hint(error, "profile the workload for this machine");
    text_free(&present);
    return STATUS_INPUT;
}

int profile_view_find(const struct profile *profile, const struct machine *machine,
                      const struct profile_view **out, struct error *error)
{
    struct arena *arena = arena_create();
    struct profile_view wanted = {0};
    int status = 0;
    *out = NULL;
    profile_key_read(machine, arena, &wanted);
    for (size_t i = 0; i < profile->n_views && !*out; i++)
        if (view_difference(&wanted, &profile->views[i]).count == 0)
            *out = &profile->views[i];
    if (!*out)
        status = no_view(profile, &wanted, error);
    arena_destroy(arena);
    return status;
}

/* --- parts --------------------------------------------------------------------- */

bool profile_part_is_empty(const struct profile_view *view, enum profile_part_index part)
{
    bool has_fields = false;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (profile_field_row(i)->part != 1U << part)
            continue;
        has_fields = true;
        for (size_t r = 0; r < view->n_records; r++)
            if (!isnan(view->records[r].fields[i]))
                return false;
    }
    return has_fields && view->n_records > 0;
}

/* The part that makes a curve, among the record's. */
static unsigned curve_part(const struct profile_record *record, const struct profile_curve *curve)
{
    bool partitions = profile_curve_find(record, "partition", "home", "all") != NULL;
    const char *filter = curve->filter;
    if (strcmp(filter, "lookups") == 0)
        return PART_L1;
    if (strcmp(filter, "local") == 0 || strcmp(filter, "remote") == 0 ||
        strcmp(filter, "remote-of-all") == 0)
        return PART_REMOTE;
    if (strcmp(filter, "read-only-shared") == 0 || strcmp(filter, "replicated") == 0 ||
        strcmp(filter, "replicas") == 0 || strcmp(filter, "replicable-of-all") == 0)
        return PART_REPLICATION;
    if (strcmp(curve->scope, "system") == 0 || (partitions && strcmp(curve->scope, "chip") == 0))
        return PART_SYSTEM;
    return PART_BASE;
}

static void record_restrict(struct profile_record *record, unsigned parts)
{
    size_t kept = 0;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (profile_field_row(i)->part & ~parts)
            record->fields[i] = (double)NAN;
    struct profile_record all = *record; /* which parts curves are of depends on the others */
    for (size_t i = 0; i < all.n_curves; i++) {
        struct profile_curve curve = all.curves[i];
        if ((curve_part(&all, &curve) & ~parts) == 0)
            record->curves[kept++] = curve;
    }
    record->n_curves = kept;
    if (!(parts & PART_WINDOW))
        record->n_prefixes = 0;
    for (size_t p = 0; p < record->n_prefixes; p++)
        record_restrict(&record->prefixes[p], parts);
}

const struct profile_record *profile_record_prefix(const struct profile_record *record,
                                                   double requests)
{
    const struct profile_record *longest = NULL;
    for (size_t p = 0; p < record->n_prefixes; p++) {
        const struct profile_record *prefix = &record->prefixes[p];
        if (prefix->fields[FIELD_REQUESTS] <= requests * (double)prefix->launches)
            longest = prefix;
    }
    return longest;
}

bool profile_repeats_note(const struct profile_view *view, char *out, size_t size)
{
    uint64_t launches = 0, repeated = 0;
    for (size_t i = 0; i < view->n_records; i++) {
        launches += view->records[i].launches;
        repeated += view->records[i].launches_repeated;
    }
    snprintf(out, size,
             "%llu of %llu launches gone through: the others repeat them, or change steadily from "
             "one to the next; counts within %.3g %%",
             (unsigned long long)(launches - repeated), (unsigned long long)launches,
             100 * view->settled_within);
    return repeated > 0;
}

void profile_view_restrict(struct profile_view *view, unsigned parts)
{
    if ((view->parts & ~parts) == 0)
        return;
    view->parts &= parts;
    for (size_t i = 0; i < view->n_records; i++)
        record_restrict(&view->records[i], parts);
    if (!(parts & PART_LOCALITY))
        view->n_working_sets = 0;
}

/* --- making -------------------------------------------------------------------- */

void profile_view_append(struct profile *profile, const struct profile_view *view)
{
    for (size_t i = 0; i < profile->n_views; i++)
        if (profile->views[i].n_keys && view_difference(view, &profile->views[i]).count == 0) {
            profile->views[i] = *view;
            return;
        }
    struct profile_view *larger =
        arena_alloc(profile->arena, (profile->n_views + 1) * sizeof *larger);
    if (profile->n_views)
        memcpy(larger, profile->views, profile->n_views * sizeof *larger);
    larger[profile->n_views++] = *view;
    profile->views = larger;
}

int profile_provenance(struct profile *profile, const struct source *source,
                       const char *interleaving, struct error *error)
{
    struct arena *arena = profile->arena;
    if (profile->source_hash && strcmp(profile->source_hash, source->hash) != 0)
        return error_set(error, STATUS_INPUT, "profile %s is of another input than %s",
                         profile->name, source->name);
    profile->name = arena_strdup(arena, source->name);
    profile->source = arena_strdup(arena, source->spec);
    profile->source_hash = arena_strdup(arena, source->hash);
    profile->version = BANDSCAPE_VERSION;
    profile->n_warnings = source->warnings.count;
    profile->warnings = arena_alloc(arena, profile->n_warnings * sizeof *profile->warnings);
    for (size_t i = 0; i < profile->n_warnings; i++)
        profile->warnings[i] = arena_strdup(arena, source->warnings.items[i]);
    if (profile->n_views == 0 || !profile->interleaving)
        profile->interleaving = arena_strdup(arena, interleaving);
    else if (strcmp(profile->interleaving, interleaving) != 0)
        profile->interleaving = "mixed";
    return 0;
}
