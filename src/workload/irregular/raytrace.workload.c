/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ray tracer of the kind of the CUDA SDK's examples: one thread a pixel, blocks
 * of 16 x 16, spheres under a tree of boxes. A ray walks the tree without a
 * stack (nodes in the order of the walk, with the node behind each box); where
 * it ends, a second one goes to the light and a third is the mirror image of the
 * first, up to a number of bounces. Which nodes and spheres a lane loads, and
 * how long a warp waits for its last lane, follow from the rays. */
#include "workload/irregular/spheres.h"
#include "workload/irregular/warp_code.h"

enum { TILE = 16 };

enum array { NODES, SPHERES, COLOURS, PIXELS };

struct raytrace {
    struct kernel_source base;
    struct sphere_scene *scene;
    uint32_t width, height, bounces, frames;
};

struct raytrace_warp {
    struct kernel_warp base;
    uint32_t live; /* lanes with a ray that may bounce */
    uint32_t walk; /* lanes in the tree */
    uint32_t leaf; /* lanes at a leaf */
    uint32_t bounce, i;
    bool shadow; /* rays go to the light */
    uint32_t node[WARP_LANES];
    uint32_t sphere[WARP_LANES]; /* hit; n_spheres: none */
    struct sphere_ray first[WARP_LANES], ray[WARP_LANES];
};

static uint32_t raytrace_x(const struct raytrace *s, const struct kernel_warp *warp, uint32_t lane)
{
    return warp->cta % (s->width / TILE) * TILE + lane % TILE;
}

static uint32_t raytrace_y(const struct raytrace *s, const struct kernel_warp *warp, uint32_t lane)
{
    return warp->cta / (s->width / TILE) * TILE + warp->warp * (WARP_LANES / TILE) + lane / TILE;
}

/* The lane's ray at its node: into the box, past it, or at a leaf. */
static bool raytrace_enters(const struct sphere_scene *scene, struct raytrace_warp *w,
                            uint32_t lane)
{
    const struct sphere_node *node = &scene->nodes[w->node[lane]];
    bool meets = sphere_ray_meets_box(&w->ray[lane], node);
    bool leaf = meets && node->count > 0;
    if (!leaf)
        w->node[lane] = meets ? w->node[lane] + 1 : node->skip;
    return leaf;
}

static void raytrace_meet(const struct sphere_scene *scene, struct raytrace_warp *w, uint32_t lane)
{
    uint32_t sphere = scene->nodes[w->node[lane]].first + w->i;
    if (sphere_ray_meets(&w->ray[lane], &scene->spheres[sphere]) && !w->shadow)
        w->sphere[lane] = sphere;
}

static bool raytrace_code(const struct kernel_pass *pass, struct kernel_warp *warp,
                          struct warp_buffer *out)
{
    const struct raytrace *s = (const struct raytrace *)pass->source;
    const struct sphere_scene *scene = s->scene;
    struct raytrace_warp *w = (struct raytrace_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(20);
    w->live = warp->lanes;
    WARP_EACH(w->live)
    w->first[lane] = sphere_ray_of_pixel(raytrace_x(s, warp, lane), raytrace_y(s, warp, lane),
                                         s->width, s->height);
    for (; w->live; w->bounce += w->shadow, w->shadow = !w->shadow) {
        WARP_EACH(w->live)
        {
            w->ray[lane] = w->shadow ? sphere_ray_to_light(&w->first[lane]) : w->first[lane];
            w->node[lane] = 0;
            if (!w->shadow)
                w->sphere[lane] = scene->n_spheres;
        }
        for (w->walk = w->live; w->walk;) {
            WARP_READ_AT(NODES, w->walk, w->node[lane], 0, 16);
            WARP_READ_TOO_AT(NODES, w->walk, w->node[lane], 16, 16);
            WARP_COMPUTE(18);
            WARP_SELECT(w->leaf, w->walk, raytrace_enters(scene, w, lane));
            for (w->i = 0; w->leaf; w->i++) {
                WARP_READ(SPHERES, w->leaf, scene->nodes[w->node[lane]].first + w->i);
                WARP_COMPUTE(20);
                WARP_EACH(w->leaf)
                raytrace_meet(scene, w, lane);
                WARP_EACH(w->leaf)
                if (w->i + 1 == scene->nodes[w->node[lane]].count) {
                    w->node[lane]++;
                    w->leaf &= ~((uint32_t)1 << lane);
                }
            }
            WARP_SELECT(w->walk, w->walk, w->node[lane] < scene->n_nodes);
        }
        if (!w->shadow) {
            WARP_SELECT(w->live, w->live, w->sphere[lane] < scene->n_spheres);
            WARP_READ(COLOURS, w->live, w->sphere[lane]);
            WARP_COMPUTE(15);
            WARP_EACH(w->live)
            w->first[lane].reach = w->ray[lane].reach;
        } else {
            WARP_COMPUTE(25);
            w->live = w->bounce < s->bounces ? w->live : 0;
            WARP_EACH(w->live)
            w->first[lane] = sphere_ray_mirrored(&w->first[lane], &scene->spheres[w->sphere[lane]]);
        }
    }
    WARP_WRITE(PIXELS, warp->lanes,
               (uint64_t)raytrace_y(s, warp, lane) * s->width + raytrace_x(s, warp, lane));
    WARP_END;
}

static bool raytrace_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    const struct raytrace *s = (const struct raytrace *)pass->source;
    if (pass->launches == s->frames)
        return false;
    *out = (struct kernel_launch){.name = "render",
                                  .grid = {s->width / TILE, s->height / TILE},
                                  .block = {TILE, TILE},
                                  .warp_size = sizeof(struct raytrace_warp),
                                  .code = raytrace_code,
                                  .data = 1};
    return true;
}

static void raytrace_destroy(struct kernel_source *source)
{
    sphere_scene_destroy(((struct raytrace *)source)->scene);
}

static const struct kernel_class raytrace_class = {.next = raytrace_next,
                                                   .destroy = raytrace_destroy};

/* ---- the workload ------------------------------------------------------- */

enum { WIDTH, HEIGHT, N_SPHERES, BOUNCES, FRAMES, SEED, N_PARAMETERS };

static const struct workload_parameter raytrace_parameters[] = {
    [WIDTH] = {"width", "512", "pixels; rounded up to a multiple of 16"},
    [HEIGHT] = {"height", "512", "pixels; rounded up to a multiple of 16"},
    [N_SPHERES] = {"spheres", "20000", "at random in a cube"},
    [BOUNCES] = {"bounces", "2", "mirror images of a ray at most"},
    [FRAMES] = {"frames", "1", "launches, all alike"},
    [SEED] = {"seed", "1", "of the scene"},
    {NULL, NULL, NULL}};

static int raytrace_open(const struct workload *workload, const char *const *values,
                         struct source **out, struct error *error)
{
    static const struct kernel_range ranges[] = {{1, 16384}, {1, 16384},   {1, 10000000},
                                                 {0, 16},    {1, 1000000}, {0, INT64_MAX}};
    int64_t v[N_PARAMETERS];
    int status = kernel_integers(workload, values, 0, ranges, N_PARAMETERS, v, error);
    if (status)
        return status;
    struct raytrace *s = kernel_source_create(workload, &raytrace_class, sizeof *s);
    struct kernel_source *source = &s->base;
    s->scene = sphere_scene_create((uint32_t)v[N_SPHERES], (uint64_t)v[SEED]);
    s->width = (uint32_t)(v[WIDTH] + TILE - 1) / TILE * TILE;
    s->height = (uint32_t)(v[HEIGHT] + TILE - 1) / TILE * TILE;
    s->bounces = (uint32_t)v[BOUNCES];
    s->frames = (uint32_t)v[FRAMES];
    kernel_place(source, "nodes", s->scene->n_nodes, 32);
    kernel_place(source, "spheres", s->scene->n_spheres, 16);
    kernel_place(source, "colours", s->scene->n_spheres, 16);
    kernel_place(source, "pixels", (uint64_t)s->width * s->height, 4);
    return kernel_source_finish_values(source, "raytrace 2", v, N_PARAMETERS, out, error);
}

static const struct workload_input raytrace_inputs[] = {
    {"small", "width=64,height=64,spheres=500,bounces=1"}, {NULL, NULL}};

static const struct workload_scale raytrace_scale[] = {{"width", "width*sqrt(size)"},
                                                       {"height", "height*sqrt(size)"},
                                                       {"spheres", "spheres*size"},
                                                       {NULL, NULL}};

const struct workload workload_raytrace = {
    .plugin = {.kind = "workload",
               .name = "raytrace",
               .summary = "ray tracer, spheres under a tree of boxes, one thread a pixel",
               .reference = "Kay and Kajiya, SIGGRAPH 1986 (trees of boxes)"},
    .suite = "CUDA SDK",
    .page = "A ray tracer of the class of the CUDA SDK's examples (the one that papers run is not\n"
            "named closely enough to be this or that program): 512 x 512 pixels in blocks of\n"
            "16 x 16, 20 000 spheres at random under a tree of bounding boxes with up to four\n"
            "spheres a leaf, 32 B a node. For each pixel a ray, one from its end to the light,\n"
            "and up to two mirrored ones with theirs; the walk through the tree needs no stack.\n"
            "Rays are really traced, so gathers and divergence are true. 1 024 CTAs, 2.2 MB.\n"
            "Sizes are chosen: none is published. Instructions between accesses are estimates.\n",
    .parameters = raytrace_parameters,
    .inputs = raytrace_inputs,
    .scale = raytrace_scale,
    .open = raytrace_open};
