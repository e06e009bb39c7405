/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers over meshes and trees of boxes: the Euler solver and the ray tracer
 * against plain C executions, a thread at a time. */
#include <math.h>

#include "kernel_check.h"
#include "workload/irregular/spheres.h"
#include "workload/irregular/tetrahedra.h"

/* ---- tetrahedra ------------------------------------------------------------- */

/* Neighbours are neighbours both ways, four different ones, and an element that has a cube
 * around it lacks none. By front, the cubes at the surface come first. */
TEST(test_tetrahedra)
{
    enum { SIDE = 5, N = 6 * SIDE * SIDE * SIDE };
    enum { INNER = 6 * (SIDE - 2) * (SIDE - 2) * (SIDE - 2) };
    for (int numbering = 0; numbering < 4; numbering++) {
        bool by_front = numbering % 2 == 1;
        uint32_t window = numbering < 2 ? 1 : N;
        int32_t *neighbours = tetrahedra_create(N, by_front, window, 1);
        int outside = 0, wall = 0, last = 0;
        for (int32_t e = 0; e < N; e++)
            for (int face = 0; face < 4; face++) {
                int32_t other = neighbours[4 * e + face];
                bool back = other < 0;
                outside += other < 0;
                last = other < 0 ? e : last;
                wall += other == MESH_WALL;
                for (int f = 0; f < 4 && other >= 0; f++)
                    back = back || neighbours[4 * other + f] == e;
                for (int f = 0; f < face && other >= 0; f++)
                    assert_int_not_equal(neighbours[4 * e + f], other);
                assert_true(back && other < N && other != e);
            }
        assert_int_equal(outside, 6 * SIDE * SIDE * 2); /* two triangles a square */
        assert_int_equal(wall, SIDE * SIDE * 2);
        if (window == 1) /* the last element at the surface */
            assert_in_range(last, by_front ? N - INNER - 6 : N - 6,
                            by_front ? N - INNER - 1 : N - 1);
        free(neighbours);
    }
}

TEST(test_cfd)
{
    enum { AREAS, NEIGHBOURS, NORMALS, VARIABLES, OLD, FLUXES, FACTORS };
    enum { N = 500, PADDED = 512, BLOCK = 64, ITERATIONS = 2 };
    int32_t *neighbours = tetrahedra_create(N, true, 100, 3);
    struct kernel_counts c = {0};
    struct text launches = {0};
    kernel_counts_add(&c, "areas", PADDED, 4);
    kernel_counts_add(&c, "elements_surrounding_elements", 4 * PADDED, 4);
    kernel_counts_add(&c, "normals", 12 * PADDED, 4);
    kernel_counts_add(&c, "variables", 5 * PADDED, 4);
    kernel_counts_add(&c, "old_variables", 5 * PADDED, 4);
    kernel_counts_add(&c, "fluxes", 5 * PADDED, 4);
    kernel_counts_add(&c, "step_factors", PADDED, 4);
    text_append(&launches, "cuda_initialize_variables cuda_initialize_variables "
                           "cuda_initialize_variables");
    for (uint64_t i = 0; i < 5 * PADDED; i++) {
        W(VARIABLES, i);
        W(OLD, i);
        W(FLUXES, i);
    }
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        text_append(&launches, " cuda_compute_step_factor");
        for (uint64_t i = 0; i < PADDED; i++) {
            for (uint64_t v = 0; v < 5; v++)
                R(VARIABLES, v * PADDED + i);
            R(AREAS, i);
            W(FACTORS, i);
        }
        for (int stage = 0; stage < 3; stage++) {
            text_append(&launches, " cuda_compute_flux cuda_time_step");
            for (uint64_t i = 0; i < PADDED; i++) {
                for (uint64_t face = 0; face < 4; face++) {
                    int32_t other = neighbours[4 * (i < N ? i : N - 1) + face];
                    R(NEIGHBOURS, face * PADDED + i);
                    for (uint64_t d = 0; d < 3; d++)
                        R(NORMALS, (face + 4 * d) * PADDED + i);
                    for (uint64_t v = 0; v < 5 && other >= 0; v++)
                        R(VARIABLES, v * PADDED + (uint64_t)other);
                }
                R(FACTORS, i);
                for (uint64_t v = 0; v < 5; v++) {
                    R(VARIABLES, v * PADDED + i);
                    W(FLUXES, v * PADDED + i);
                    R(OLD, v * PADDED + i);
                    R(FLUXES, v * PADDED + i);
                    W(VARIABLES, v * PADDED + i);
                }
            }
        }
    }
    kernel_check_counts("cfd:elements=500,block=64,iterations=2,window=100,seed=3", &c,
                        launches.data);
    text_free(&launches);
    free(neighbours);
}

/* ---- rays ------------------------------------------------------------------- */

enum { NODES, SPHERES, COLOURS, PIXELS };

struct tracer {
    struct kernel_counts c;
    const struct sphere_scene *scene;
};

#define c (t->c)

/* Walks the tree from a node down, by recursion; the index of the sphere hit, or before. */
static uint32_t walk(struct tracer *t, struct sphere_ray *ray, uint32_t at, uint32_t hit)
{
    const struct sphere_node *node = &t->scene->nodes[at];
    for (uint64_t k = 0; k < 2; k++)
        R(NODES, 2 * (uint64_t)at + k);
    if (!sphere_ray_meets_box(ray, node))
        return hit;
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        R(SPHERES, i);
        if (sphere_ray_meets(ray, &t->scene->spheres[i]))
            hit = i;
    }
    for (uint32_t child = at + 1; node->count == 0 && child < node->skip;
         child = t->scene->nodes[child].skip)
        hit = walk(t, ray, child, hit);
    return hit;
}

/* The nearest sphere, by asking all; boxes must not hide any. */
static uint32_t nearest(const struct sphere_scene *scene, struct sphere_ray ray)
{
    uint32_t hit = scene->n_spheres;
    for (uint32_t i = 0; i < scene->n_spheres; i++)
        if (sphere_ray_meets(&ray, &scene->spheres[i]))
            hit = i;
    return hit;
}

static void pixel(struct tracer *t, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                  int bounces, int *hits)
{
    struct sphere_ray ray = sphere_ray_of_pixel(x, y, width, height);
    for (int bounce = 0; bounce <= bounces; bounce++) {
        uint32_t wanted = nearest(t->scene, ray);
        uint32_t hit = walk(t, &ray, 0, t->scene->n_spheres);
        assert_int_equal(hit, wanted);
        if (hit == t->scene->n_spheres)
            break;
        ++*hits;
        R(COLOURS, hit);
        struct sphere_ray shadow = sphere_ray_to_light(&ray);
        walk(t, &shadow, 0, 0);
        ray = sphere_ray_mirrored(&ray, &t->scene->spheres[hit]);
    }
    W(PIXELS, (uint64_t)y * width + x);
}

TEST(test_raytrace)
{
    enum { WIDTH = 48, HEIGHT = 32, N = 300, BOUNCES = 2 };
    struct sphere_scene *scene = sphere_scene_create(N, 5);
    struct tracer tracer = {.scene = scene}, *t = &tracer;
    int hits = 0;
    kernel_counts_add(&c, "nodes", 2 * (uint64_t)scene->n_nodes, 16);
    kernel_counts_add(&c, "spheres", N, 16);
    kernel_counts_add(&c, "colours", N, 16);
    kernel_counts_add(&c, "pixels", (uint64_t)WIDTH * HEIGHT, 4);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            pixel(t, x, y, WIDTH, HEIGHT, BOUNCES, &hits);
    assert_in_range(hits, WIDTH * HEIGHT / 2, 3 * WIDTH * HEIGHT);
    kernel_check_counts("raytrace:width=48,height=20,spheres=300,bounces=2,seed=5", &c, "render");
    sphere_scene_destroy(scene);
}
