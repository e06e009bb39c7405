/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scene of spheres under a tree of bounding boxes, and rays through it. */
#ifndef BANDSCAPE_WORKLOAD_SPHERES_H
#define BANDSCAPE_WORKLOAD_SPHERES_H

#include <stdbool.h>
#include <stdint.h>

struct sphere {
    float centre[3], radius;
};

/* Nodes lie in the order of a walk from the root that goes into every box: the next node
 * follows at once, what comes behind a box that a ray misses at `skip`. A leaf has
 * spheres first .. first + count - 1. */
struct sphere_node {
    float low[3], high[3];
    uint32_t skip, first, count; /* count 0: no leaf */
};

struct sphere_scene {
    uint32_t n_spheres, n_nodes;
    struct sphere *spheres; /* in the order of the leaves */
    struct sphere_node *nodes;
};

struct sphere_ray {
    float from[3], way[3];
    float reach; /* nearest hit so far, in lengths of `way` */
};

/* Spheres at random in the unit cube, boxes split at the median of their longest side until
 * at most four spheres are left. */
struct sphere_scene *sphere_scene_create(uint32_t n_spheres, uint64_t seed);
void sphere_scene_destroy(struct sphere_scene *scene); /* NULL is legal */

bool sphere_ray_meets_box(const struct sphere_ray *ray, const struct sphere_node *node);
/* Shortens the ray to where it meets the sphere before its reach. */
bool sphere_ray_meets(struct sphere_ray *ray, const struct sphere *sphere);

/* The ray of a pixel: parallel rays from the plane z = -1, orthographic. */
struct sphere_ray sphere_ray_of_pixel(uint32_t x, uint32_t y, uint32_t width, uint32_t height);
/* From where the ray ended, towards the light, with reach 1. */
struct sphere_ray sphere_ray_to_light(const struct sphere_ray *ray);
/* From where the ray ended on the sphere, mirrored. */
struct sphere_ray sphere_ray_mirrored(const struct sphere_ray *ray, const struct sphere *sphere);

#endif
