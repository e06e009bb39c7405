/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/search/model_error.h"

#include <math.h>
#include <string.h>

#include "core/catalogue.h"
#include "core/draw.h"
#include "yaml/yaml.h"

/* A factor of more than e^5 is no error of a model but one of the file. */
static const double LOG_MOST = 5;

static int read_group(struct arena *arena, const struct yaml_node *node,
                      struct model_error_group *out, struct error *error)
{
    int status = yaml_expect(node, YAML_LIST, "errors", error);
    if (!status && node->count == 0)
        status = yaml_error(node, error, "errors: %s has none", out->workload);
    if (status)
        return status;
    out->logs = arena_alloc(arena, node->count * sizeof *out->logs);
    for (; out->count < node->count && !status; out->count++) {
        double *log = &out->logs[out->count];
        status = yaml_number(node->items[out->count], "errors", log, error);
        if (!status && !(fabs(*log) <= LOG_MOST))
            status = yaml_error(node->items[out->count], error,
                                "errors: expected ln(model / measured) from -%g to %g", LOG_MOST,
                                LOG_MOST);
    }
    return status;
}

static int read_text(struct arena *arena, const struct yaml_node *root, const char *key,
                     const char **out, struct error *error)
{
    struct yaml_node *node;
    const char *text = NULL;
    int status = yaml_require(root, "model_errors", key, &node, error);
    if (!status)
        status = yaml_string(node, key, &text, error);
    *out = status ? NULL : arena_strdup(arena, text);
    return status;
}

static int read_errors(struct arena *arena, const struct yaml_node *root, struct model_errors *out,
                       struct error *error)
{
    static const char *const keys[] = {"model_errors", "origin", "alike", "errors", NULL};
    struct yaml_node *map = NULL, *alike = yaml_get(root, "alike");
    int status = yaml_expect(root, YAML_MAP, "model_errors", error);
    if (!status)
        status = yaml_check_keys(root, "model_errors", keys, error);
    if (!status)
        status = read_text(arena, root, "model_errors", &out->model, error);
    if (!status)
        status = read_text(arena, root, "origin", &out->origin, error);
    if (!status)
        status = yaml_require(root, "model_errors", "errors", &map, error);
    if (!status)
        status = yaml_expect(map, YAML_MAP, "errors", error);
    if (!status && alike)
        status = yaml_number(alike, "alike", &out->alike, error);
    if (!status && !(out->alike >= 0 && out->alike <= LOG_MOST))
        status = yaml_error(alike, error, "alike: expected a distance from 0 to %g", LOG_MOST);
    if (!status && map->count == 0)
        status = yaml_error(map, error, "errors: there is no workload");
    if (status)
        return status;
    out->groups = arena_alloc(arena, map->count * sizeof *out->groups);
    for (; out->n_groups < map->count && !status; out->n_groups++) {
        struct model_error_group *group = &out->groups[out->n_groups];
        *group = (struct model_error_group){
            .workload = arena_strdup(arena, map->keys[out->n_groups]->text)};
        status = read_group(arena, map->items[out->n_groups], group, error);
        out->count += group->count;
    }
    return status;
}

int model_errors_load(struct arena *arena, const char *path, struct model_errors **out,
                      struct error *error)
{
    struct yaml_document *document = NULL;
    *out = arena_alloc(arena, sizeof **out);
    **out = (struct model_errors){.path = arena_strdup(arena, path)};
    int status = yaml_load(path, &document, error);
    if (!status)
        status = read_errors(arena, document->root, *out, error);
    yaml_destroy(document);
    return status;
}

int model_errors_find(struct arena *arena, const char *model, struct model_errors **out,
                      struct error *error)
{
    struct catalogue catalogue;
    int status = 0;
    *out = NULL;
    catalogue_read(&catalogue, "models", true, "model_errors");
    for (size_t i = 0; i < catalogue.count && !*out && !status; i++) {
        struct model_errors *one;
        status = model_errors_load(arena, catalogue.items[i].path, &one, error);
        if (!status && strcmp(one->model, model) == 0)
            *out = one;
    }
    catalogue_fini(&catalogue);
    return status;
}

/* Which designs of a structure share an error: the cell, or the bits of the answer. */
static uint64_t answer_key(const struct model_errors *errors, uint64_t seed, uint64_t stream,
                           double answer, uint64_t draw)
{
    double place = answer;
    uint64_t key;
    if (errors->alike > 0)
        place = floor(log(answer) / errors->alike + draw_uniform(seed, stream, draw));
    memcpy(&key, &place, sizeof key);
    return key;
}

double model_error_factor(const struct model_errors *errors, uint64_t seed, const char *workload,
                          uint64_t structure, double answer, uint64_t draw)
{
    uint64_t stream = hash_text(errors->model) ^ hash_fmix64(hash_text(workload));
    uint64_t key = answer_key(errors, seed, hash_fmix64(stream + 2), answer, draw);
    double share = draw_uniform(seed, stream, draw);
    const struct model_error_group *group =
        &errors->groups[(size_t)(share * (double)errors->n_groups)];
    share = draw_uniform(seed, hash_fmix64(stream + 1 + structure) ^ hash_fmix64(key), draw);
    return exp(-group->logs[(size_t)(share * (double)group->count)]);
}

struct model_error_moments model_error_moments(const struct model_errors *errors)
{
    double sum = 0, means = 0, squares = 0, within = 0, n = (double)errors->n_groups;
    for (size_t g = 0; g < errors->n_groups; g++) {
        const struct model_error_group *group = &errors->groups[g];
        double mean = 0;
        for (size_t i = 0; i < group->count; i++)
            mean += group->logs[i] / (double)group->count;
        for (size_t i = 0; i < group->count; i++)
            within += (group->logs[i] - mean) * (group->logs[i] - mean);
        sum += mean * (double)group->count;
        means += mean;
        squares += mean * mean;
    }
    double freedom = (double)errors->count - n;
    return (struct model_error_moments){
        .mean = sum / (double)errors->count,
        .between = n > 1 ? sqrt(fmax(0, squares - means * means / n) / (n - 1)) : 0,
        .within = freedom > 0 ? sqrt(within / freedom) : 0};
}
