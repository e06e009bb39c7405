/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views and the whole of profile files. */
#include <math.h>
#include <string.h>

#include "profile/record/profile_reader.h"

#include "yaml/yaml.h"

/* --- views -------------------------------------------------------------------------- */

static struct profile_sharing sharing_unknown(void)
{
    double no = (double)NAN;
    return (struct profile_sharing){no, no, no, no, no, no, {no, no, no, no}, no};
}

struct profile_view profile_view_unknown(void)
{
    return (struct profile_view){
        .sharing = sharing_unknown(), .line_bytes = (double)NAN, .sample_rate = 1};
}

static int read_pages_by_sms(const struct profile_reader *r, const struct yaml_node *map,
                             double out[4])
{
    const struct yaml_node *node = yaml_get(map, "pages_by_sms");
    if (!node)
        return 0;
    int status = yaml_expect(node, YAML_LIST, "pages_by_sms", r->error);
    if (!status && node->count != 4)
        status =
            yaml_error(node, r->error, "pages_by_sms: expected 4 numbers, found %zu", node->count);
    for (int i = 0; i < 4 && !status; i++)
        status = profile_reader_amount(r, node->items[i], "pages_by_sms", DIM_NONE, &out[i]);
    return status;
}

static int read_sharing(const struct profile_reader *r, const struct yaml_node *map,
                        struct profile_sharing *sharing)
{
    double *const values[] = {&sharing->footprint_bytes,
                              &sharing->truly_shared_bytes,
                              &sharing->falsely_shared_bytes,
                              &sharing->non_shared_bytes,
                              &sharing->read_only_shared_bytes,
                              &sharing->pages,
                              &sharing->page_balance};
    int status = yaml_check_form(map, "sharing", profile_sharing_keys, r->error);
    for (int i = 0; i < 7 && !status; i++) {
        const char *key = profile_sharing_keys[i].name;
        const struct yaml_node *node = yaml_get(map, key);
        if (node)
            status = profile_reader_amount(r, node, key, i < 5 ? DIM_BYTES : DIM_NONE, values[i]);
    }
    return status ? status : read_pages_by_sms(r, map, sharing->pages_by_sms);
}

static int read_working_set(const struct profile_reader *r, const struct yaml_node *map,
                            struct profile_working_set *set)
{
    double *const values[] = {&set->accesses, &set->windows, &set->truly_shared_bytes,
                              &set->falsely_shared_bytes, &set->non_shared_bytes};
    int status = yaml_check_form(map, "working_sets", profile_working_set_keys, r->error);
    for (int i = 0; profile_working_set_keys[i].name && !status; i++) {
        const char *key = profile_working_set_keys[i].name;
        struct yaml_node *node;
        status = yaml_require(map, "working_sets", key, &node, r->error);
        if (!status)
            status = profile_reader_amount(r, node, key, i < 2 ? DIM_NONE : DIM_BYTES, values[i]);
    }
    return status;
}

static int read_working_sets(const struct profile_reader *r, const struct yaml_node *map,
                             struct profile_view *view)
{
    const struct yaml_node *node = yaml_get(map, "working_sets");
    if (!node)
        return 0;
    int status = yaml_expect(node, YAML_LIST, "working_sets", r->error);
    size_t n = status ? 0 : node->count;
    view->working_sets = arena_alloc(r->arena, n * sizeof *view->working_sets);
    view->n_working_sets = n;
    for (size_t i = 0; i < n && !status; i++)
        status = read_working_set(r, node->items[i], &view->working_sets[i]);
    return status;
}

static int read_parts(const struct profile_reader *r, const struct yaml_node *map,
                      struct profile_view *view)
{
    const struct yaml_node *node = yaml_get(map, "parts"), *rate = yaml_get(map, "sample_rate");
    int status = node ? yaml_expect(node, YAML_LIST, "parts", r->error) : 0;
    for (size_t i = 0; node && i < node->count && !status; i++) {
        unsigned part;
        status = yaml_expect(node->items[i], YAML_SCALAR, "parts", r->error);
        if (!status)
            status = profile_parts_scan(node->items[i]->text, &part, r->error);
        if (status)
            error_place(r->error, &node->items[i]->mark);
        else
            view->parts |= part;
    }
    view->sample_rate = 1;
    if (!status && rate)
        status = profile_reader_amount(r, rate, "sample_rate", DIM_NONE, &view->sample_rate);
    if (!status && !(view->sample_rate > 0 && view->sample_rate <= 1))
        status = yaml_error(rate, r->error, "sample_rate: expected a share above 0 up to 1");
    return status;
}

/* A share between 0 and 1, where it is given. */
static int read_share(const struct profile_reader *r, const struct yaml_node *map, const char *name,
                      double *out)
{
    const struct yaml_node *node = yaml_get(map, name);
    if (!node)
        return 0;
    int status = profile_reader_amount(r, node, name, DIM_NONE, out);
    if (!status && !(*out > 0 && *out < 1))
        status = yaml_error(node, r->error, "%s: expected a share between 0 and 1", name);
    return status;
}

static int read_key(const struct profile_reader *r, const struct yaml_node *map,
                    struct profile_view *view)
{
    struct yaml_node *node;
    int status = yaml_require(map, "view", "key", &node, r->error);
    if (!status)
        status = yaml_expect(node, YAML_MAP, "key", r->error);
    if (status)
        return status;
    if (node->count == 0)
        return yaml_error(node, r->error, "key: the machine's structure is missing");
    view->n_keys = node->count;
    view->keys = arena_alloc(r->arena, node->count * sizeof *view->keys);
    for (size_t i = 0; i < node->count && !status; i++) {
        status = yaml_expect(node->items[i], YAML_SCALAR, "key", r->error);
        if (status)
            break;
        view->keys[i].path = arena_strdup(r->arena, node->keys[i]->text);
        view->keys[i].value = arena_strdup(r->arena, node->items[i]->text);
    }
    return status;
}

static int read_view(const struct profile_reader *r, const struct yaml_node *map,
                     struct profile_view *view)
{
    struct yaml_node *records = NULL;
    *view = profile_view_unknown();
    int status = yaml_check_form(map, "view", profile_view_keys, r->error);
    if (!status)
        status = read_key(r, map, view);
    if (!status && yaml_get(map, "line"))
        status =
            profile_reader_amount(r, yaml_get(map, "line"), "line", DIM_BYTES, &view->line_bytes);
    if (!status && yaml_get(map, "sharing"))
        status = read_sharing(r, yaml_get(map, "sharing"), &view->sharing);
    if (!status)
        status = read_parts(r, map, view);
    if (!status)
        status = read_share(r, map, "settled_within", &view->settled_within);
    if (!status)
        status = read_share(r, map, "skimmed", &view->skimmed);
    if (!status)
        status = read_share(r, map, "requests_within", &view->requests_within);
    if (!status)
        status = read_working_sets(r, map, view);
    if (!status)
        status = yaml_require(map, "view", "records", &records, r->error);
    if (!status)
        status = yaml_expect(records, YAML_LIST, "records", r->error);
    if (status)
        return status;
    view->n_records = records->count;
    view->records = arena_alloc(r->arena, records->count * sizeof *view->records);
    for (size_t i = 0; i < records->count && !status; i++)
        status = profile_reader_record(r, records->items[i], &view->records[i]);
    return status;
}

static int read_views(const struct profile_reader *r, const struct yaml_node *node,
                      struct profile *profile)
{
    int status = yaml_expect(node, YAML_LIST, "views", r->error);
    if (status)
        return status;
    profile->n_views = node->count;
    profile->views = arena_alloc(r->arena, node->count * sizeof *profile->views);
    for (size_t i = 0; i < node->count && !status; i++)
        status = read_view(r, node->items[i], &profile->views[i]);
    return status;
}

static int read_points(const struct profile_reader *r, const struct yaml_node *node, bool list,
                       struct profile *profile)
{
    int status =
        yaml_expect(node, list ? YAML_LIST : YAML_MAP, list ? "points" : "point", r->error);
    if (status)
        return status;
    size_t n = list ? node->count : 1;
    if (n == 0)
        return yaml_error(node, r->error, "points: the list is empty");
    struct profile_view *view = arena_alloc(r->arena, sizeof *view);
    *view = profile_view_unknown();
    view->n_records = n;
    view->records = arena_alloc(r->arena, n * sizeof *view->records);
    profile->views = view;
    profile->n_views = 1;
    for (size_t i = 0; i < n && !status; i++)
        status = profile_reader_point(r, list ? node->items[i] : node, &view->records[i]);
    return status;
}

static int read_warnings(const struct profile_reader *r, const struct yaml_node *node,
                         struct profile *profile)
{
    int status = yaml_expect(node, YAML_LIST, "warnings", r->error);
    size_t count = status ? 0 : node->count;
    profile->warnings = arena_alloc(r->arena, count * sizeof *profile->warnings);
    for (size_t i = 0; i < count && !status; i++) {
        status = yaml_expect(node->items[i], YAML_SCALAR, "warnings", r->error);
        if (!status)
            profile->warnings[profile->n_warnings++] = arena_strdup(r->arena, node->items[i]->text);
    }
    return status;
}

int profile_read(const struct yaml_node *root, struct profile *profile, struct error *error)
{
    struct profile_reader r = {profile->arena, error};
    struct yaml_node *name = NULL;
    const struct yaml_node *views = yaml_get(root, "views"), *point = yaml_get(root, "point"),
                           *points = yaml_get(root, "points");
    int status = yaml_check_form(root, "profile", profile_keys, error);
    if (!status)
        status = yaml_require(root, "profile", "profile", &name, error);
    if (!status)
        status = profile_reader_string(&r, root, "profile", &profile->name);
    if (!status)
        status = profile_reader_string(&r, root, "source", &profile->source);
    if (!status)
        status = profile_reader_string(&r, root, "source_hash", &profile->source_hash);
    if (!status)
        status = profile_reader_string(&r, root, "version", &profile->version);
    if (!status)
        status = profile_reader_string(&r, root, "interleaving", &profile->interleaving);
    if (!status)
        status = profile_reader_string(&r, root, "notes", &profile->notes);
    if (!status && yaml_get(root, "warnings"))
        status = read_warnings(&r, yaml_get(root, "warnings"), profile);
    if (status)
        return status;
    if (!!views + !!point + !!points != 1)
        return yaml_error(root, error, "a profile has exactly one of views, point and points");
    return views ? read_views(&r, views, profile)
                 : read_points(&r, point ? point : points, points != NULL, profile);
}

int profile_read_point(const struct yaml_node *map, struct profile **out, struct error *error)
{
    *out = profile_create();
    struct profile_reader r = {(*out)->arena, error};
    (*out)->name = "point";
    int status = read_points(&r, map, false, *out);
    if (status) {
        profile_destroy(*out);
        *out = NULL;
    }
    return status;
}
