/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single precision without contraction: the same rays on every machine. */
#include "workload/irregular/spheres.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "workload/irregular/random.h"

enum { LEAF_SPHERES = 4 };

static const float light[3] = {-0.5f, 3.0f, -2.0f}, epsilon = 1e-4f, far_away = 1e30f;

/* ---- the tree ----------------------------------------------------------- */

/* By one coordinate, then by the next ones: equal ones must not be left to qsort, which every
 * library does in its own way. */
static int compare_from(const void *a, const void *b, int axis)
{
    const struct sphere *s = a, *t = b;
    int order = 0;
    for (int i = 0; i < 3 && !order; i++) {
        int d = (axis + i) % 3;
        order = (s->centre[d] > t->centre[d]) - (s->centre[d] < t->centre[d]);
    }
    return order;
}

static int compare_x(const void *a, const void *b)
{
    return compare_from(a, b, 0);
}

static int compare_y(const void *a, const void *b)
{
    return compare_from(a, b, 1);
}

static int compare_z(const void *a, const void *b)
{
    return compare_from(a, b, 2);
}

static void sphere_bound(const struct sphere_scene *scene, struct sphere_node *node, uint32_t first,
                         uint32_t count)
{
    for (int d = 0; d < 3; d++) {
        node->low[d] = far_away;
        node->high[d] = -far_away;
        for (uint32_t i = first; i < first + count; i++) {
            const struct sphere *s = &scene->spheres[i];
            node->low[d] = fminf(node->low[d], s->centre[d] - s->radius);
            node->high[d] = fmaxf(node->high[d], s->centre[d] + s->radius);
        }
    }
}

static void sphere_split(struct sphere_scene *scene, uint32_t first, uint32_t count)
{
    static int (*const compare[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    uint32_t at = scene->n_nodes++;
    struct sphere_node *node = &scene->nodes[at];
    int axis = 0;
    sphere_bound(scene, node, first, count);
    if (count <= LEAF_SPHERES) {
        node->first = first;
        node->count = count;
    } else {
        for (int d = 1; d < 3; d++)
            if (node->high[d] - node->low[d] > node->high[axis] - node->low[axis])
                axis = d;
        qsort(scene->spheres + first, count, sizeof *scene->spheres, compare[axis]);
        sphere_split(scene, first, count / 2);
        sphere_split(scene, first + count / 2, count - count / 2);
    }
    scene->nodes[at].skip = scene->n_nodes;
}

struct sphere_scene *sphere_scene_create(uint32_t n_spheres, uint64_t seed)
{
    struct random random = random_begin(seed);
    struct sphere_scene *scene = memory_zero(1, sizeof *scene);
    float size = (float)(0.7 / cbrt(n_spheres)); /* cbrtf differs in the last bit */
    scene->n_spheres = n_spheres;
    scene->spheres = memory_alloc(n_spheres * sizeof *scene->spheres);
    scene->nodes = memory_zero(2 * (size_t)n_spheres, sizeof *scene->nodes);
    for (uint32_t i = 0; i < n_spheres; i++) {
        struct sphere *s = &scene->spheres[i];
        for (int d = 0; d < 3; d++)
            s->centre[d] = (float)random_unit(&random);
        s->radius = size * (0.25f + 0.5f * (float)random_unit(&random));
    }
    sphere_split(scene, 0, n_spheres);
    return scene;
}

void sphere_scene_destroy(struct sphere_scene *scene)
{
    if (!scene)
        return;
    free(scene->spheres);
    free(scene->nodes);
    free(scene);
}

/* ---- rays --------------------------------------------------------------- */

bool sphere_ray_meets_box(const struct sphere_ray *ray, const struct sphere_node *node)
{
    float near = 0.0f, far = ray->reach;
    for (int d = 0; d < 3; d++) {
        float inverse = 1.0f / ray->way[d];
        float a = (node->low[d] - ray->from[d]) * inverse;
        float b = (node->high[d] - ray->from[d]) * inverse;
        near = fmaxf(near, fminf(a, b));
        far = fminf(far, fmaxf(a, b));
    }
    return near <= far;
}

bool sphere_ray_meets(struct sphere_ray *ray, const struct sphere *sphere)
{
    float a = 0.0f, b = 0.0f, c = -sphere->radius * sphere->radius;
    for (int d = 0; d < 3; d++) {
        float to = ray->from[d] - sphere->centre[d];
        a += ray->way[d] * ray->way[d];
        b += to * ray->way[d];
        c += to * to;
    }
    float root = b * b - a * c;
    if (root < 0.0f)
        return false;
    float t = (-b - sqrtf(root)) / a;
    if (t < epsilon || t >= ray->reach)
        return false;
    ray->reach = t;
    return true;
}

struct sphere_ray sphere_ray_of_pixel(uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    /* Nowhere parallel to an axis, so that no component of a way is 0. */
    return (struct sphere_ray){
        {((float)x + 0.5f) / (float)width, ((float)y + 0.5f) / (float)height, -1.0f},
        {1e-3f, 1e-3f, 1.0f},
        far_away};
}

static void sphere_ray_end(const struct sphere_ray *ray, float end[3])
{
    for (int d = 0; d < 3; d++)
        end[d] = ray->from[d] + ray->reach * ray->way[d];
}

struct sphere_ray sphere_ray_to_light(const struct sphere_ray *ray)
{
    struct sphere_ray to = {.reach = 1.0f};
    sphere_ray_end(ray, to.from);
    for (int d = 0; d < 3; d++)
        to.way[d] = light[d] - to.from[d];
    return to;
}

struct sphere_ray sphere_ray_mirrored(const struct sphere_ray *ray, const struct sphere *sphere)
{
    struct sphere_ray mirrored = {.reach = far_away};
    float normal[3], along = 0.0f;
    sphere_ray_end(ray, mirrored.from);
    for (int d = 0; d < 3; d++) {
        normal[d] = (mirrored.from[d] - sphere->centre[d]) / sphere->radius;
        along += normal[d] * ray->way[d];
    }
    for (int d = 0; d < 3; d++)
        mirrored.way[d] = ray->way[d] - 2.0f * along * normal[d];
    return mirrored;
}
